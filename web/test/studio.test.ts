// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The studio without a browser: bytes become frames, requests find their answers, a lost line is built again, and the session keeps scene, time and messages straight. The other end
// is the pendulum of fake_program.ts.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hull, hullInto, type Point } from "../src/core/polygon";
import { readAddress, writeAddress } from "../src/studio/address";
import { captureName } from "../src/studio/capture";
import { legendWords } from "../src/studio/film_legend";
import { type ControlState, FLAG, type Scene } from "../src/core/protocol";
import { Session, plainPath } from "../src/studio/session";
import { FrameError, readFrame, readPicture } from "../src/studio/frames";
import { AskError, Link, type Socket } from "../src/studio/link";
import { meshFromBytes } from "../src/studio/meshes";
import { grouped, matches, reportAddress } from "../src/studio/scenes";
import { FakeProgram, frameBytes } from "./fake_program";

describe("frames", () => {
    // Bytes as Python's struct packs them by "<IHHIIdfIII" and "<HHI3f", not by the table that the reader uses.
    it("have their numbers at the offsets of the protocol", () => {
        const head = "4646535401000900030000004d000000000000000000f43f0000003f040000000100000006000000";
        const section = "01000300010000000000803f0000004000004040";
        const frame = readFrame(Uint8Array.from(Buffer.from(head + section, "hex")).buffer);
        expect([frame.flags, frame.generation, frame.number, frame.t, frame.rtf, frame.dropped, frame.starts]).toEqual([9, 3, 77, 1.25, 0.5, 4, 6]);
        expect([frame.q.width, frame.q.count, ...frame.q.data]).toEqual([3, 1, 1, 2, 3]);
    });

    it("hold every number and section", () => {
        const frame = readFrame(
            frameBytes({ flags: 9, generation: 3, number: 77, t: 1.25, rtf: 0.5, dropped: 4, starts: 6 }, [
                [1, 3, [1, 2, 3]],
                [2, 10, Array.from({ length: 20 }, (_, i) => i)],
                [7, 15, [1, 0, 0, 9, NaN, 0.1, 0.2, 0, 0, 0, 0.5, 0.6, 1, 2, 0.1]],
            ]),
        );
        expect([frame.flags & FLAG.running, frame.flags & FLAG.ended, frame.flags & FLAG.recording]).toEqual([1, 0, 8]);
        expect([frame.generation, frame.number, frame.t, frame.rtf, frame.dropped, frame.starts]).toEqual([3, 77, 1.25, 0.5, 4, 6]);
        expect([...frame.q.data]).toEqual([1, 2, 3]);
        expect([frame.contacts.width, frame.contacts.count, frame.contacts.data[19]]).toEqual([10, 2, 19]);
        expect(frame.limbs.data[4]).toBeNaN();
        expect(frame.limbs.count).toBe(1);
        expect(frame.coms.count).toBe(0);
    });

    it("skip what is not known, and what is too narrow to be what its tag says", () => {
        const frame = readFrame(frameBytes({}, [[99, 2, [5, 6]], [3, 2, [1, 2]], [1, 1, [0.5]]]));
        expect([...frame.q.data]).toEqual([0.5]);
        expect(frame.coms.count).toBe(0);
    });

    it("are refused where they are cut or of another version", () => {
        const whole = frameBytes({}, [[1, 3, [1, 2, 3]]]);
        for (const size of [0, 3, 39, 41, whole.byteLength - 1]) expect(() => readFrame(whole.slice(0, size))).toThrow(FrameError);
        expect(() => readFrame(frameBytes({ version: 2 }, []))).toThrow(/version 2/);
        expect(() => readPicture(whole)).toThrow(FrameError);
    });

    it("meshes by address say their counts", () => {
        const bytes = new ArrayBuffer(8 + 36 + 12);
        new Uint32Array(bytes).set([3, 1]);
        new Float32Array(bytes, 8, 9).set([0, 0, 0, 1, 0, 0, 0, 1, 0]);
        new Uint32Array(bytes, 44, 3).set([0, 1, 2]);
        expect([...meshFromBytes(bytes).triangles]).toEqual([0, 1, 2]);
        expect(() => meshFromBytes(bytes.slice(0, 20))).toThrow(/no mesh/);
    });
});

/** A line to the pendulum that tests can cut. */
function line(program: FakeProgram, refuse: () => boolean = () => false): { connect: () => Socket; cut: () => void; made: () => number } {
    let open: { socket: Socket; client: number } | null = null;
    let made = 0;
    const connect = (): Socket => {
        made++;
        const socket: Socket = { binaryType: "", onopen: null, onclose: null, onmessage: null, send: () => undefined, close: () => socket.onclose?.(undefined as never) };
        queueMicrotask(() => {
            if (refuse()) return socket.onclose?.(undefined as never);
            const client = program.join((data) => queueMicrotask(() => socket.onmessage?.({ data })));
            socket.send = (text) => program.receive(client, text);
            open = { socket, client };
            socket.onopen?.(undefined as never);
        });
        return socket;
    };
    const cut = (): void => {
        if (open) program.leave(open.client);
        open?.socket.onclose?.(undefined as never);
        open = null;
    };
    return { connect, cut, made: () => made };
}

async function settle(): Promise<void> {
    for (let i = 0; i < 20; i++) await Promise.resolve();
}

describe("link and session", () => {
    let program: FakeProgram;
    let refuse = false;
    let wire: ReturnType<typeof line>;
    let session: Session;

    beforeEach(async () => {
        vi.useFakeTimers();
        refuse = false;
        program = new FakeProgram();
        wire = line(program, () => refuse);
        session = new Session(new Link(wire.connect));
        session.link.start();
        await settle();
    });
    afterEach(() => {
        session.link.stop();
        vi.useRealTimers();
    });

    it("the library is there as soon as the line is", () => {
        expect(session.store.get("link")).toBe("open");
        expect(session.store.get("library")?.scenes.map((s) => s.path)).toContain("experiments/pendulum.yaml");
    });

    it("a load brings the scene, and frames move its time", async () => {
        const scenes: (Scene | null)[] = [];
        session.onScene((s) => scenes.push(s));
        expect(await session.load({ scene: "experiments/pendulum.yaml" })).toBe(true);
        await settle();
        expect(scenes.map((s) => s?.generation ?? 0)).toEqual([0, 1]);
        let frames = 0;
        session.onFrame(() => frames++);
        await session.ask("run", { pace: 1 });
        for (let i = 0; i < 10; i++) program.tick(0.016);
        await settle();
        expect(session.store.get("run").running).toBe(true);
        expect(frames).toBeGreaterThanOrEqual(10);
        expect(session.time()).toBeCloseTo(0.16, 9);
        let resets = 0;
        session.onReset(() => resets++);
        await session.ask("reset", {});
        await settle();
        expect([session.time(), resets, session.store.get("run").running]).toEqual([0, 1, false]);
    });

    it("a state that overtakes a frame is no reset, and a frame from before one is not shown", async () => {
        await session.load({ scene: "experiments/pendulum.yaml" });
        await settle();
        const say = (data: unknown): void => (session.link as unknown as { receive(data: unknown): void }).receive(data);
        const state = (starts: number, t: number): void => say(JSON.stringify({ event: "state", generation: 1, starts, t, running: true, pace: 1, ended: null, rtf: 1 }));
        const frame = (starts: number, t: number): void => say(frameBytes({ generation: 1, starts, t, flags: 1 }, []));
        let resets = 0;
        session.onReset(() => resets++);
        const { starts } = program;
        state(starts, 2);
        frame(starts, 1.99);
        expect([session.time(), resets]).toEqual([1.99, 0]);
        state(starts + 1, 0);
        expect([session.time(), resets]).toEqual([0, 1]);
        frame(starts, 2.01);
        expect([session.time(), resets]).toEqual([0, 1]);
        frame(starts + 1, 0.02);
        expect([session.time(), resets]).toEqual([0.02, 1]);
    });

    it("what one page asks of a robot, another receives, until another scene is loaded", async () => {
        const other = new Session(new Link(wire.connect));
        other.link.start();
        await settle();
        await session.load({ scene: "experiments/pendulum.yaml" });
        await settle();
        const received: ControlState[] = [];
        other.onControl((state) => received.push(state));
        await session.ask("command", { robot: 0, command: { gait: "wave", speed: 0.05 } });
        await settle();
        expect(received.map((s) => s.commands.map((c) => [c.value, c.high]))).toEqual([[["wave", undefined], [0.05, 0.1]]]);
        expect(other.controlOf(0)).toBe(received[0]);
        expect(session.controlOf(0)).toEqual(received[0]); // who asked gets it as well
        await session.load({ scene: "experiments/pendulum.yaml" });
        await settle();
        expect(other.controlOf(0)).toBeNull();
        other.link.stop();
    });

    it("a refused load says where, and leaves the old scene", async () => {
        await session.load({ scene: "experiments/pendulum.yaml" });
        expect(await session.load({ scene: "experiments/broken.yaml" })).toBe(false);
        expect(session.store.get("loading")?.messages[0]).toMatchObject({ file: "experiments/broken.yaml", line: 7 });
        expect(session.store.get("scene")?.path).toBe("experiments/pendulum.yaml");
        expect([...session.store.get("notices")].pop()).toMatchObject({ severity: "error", line: 7 });
    });

    it("a line that breaks fails what was asked, and comes back by itself", async () => {
        await session.load({ scene: "experiments/pendulum.yaml" });
        refuse = true;
        wire.cut();
        expect(session.store.get("link")).toBe("lost");
        await expect(session.ask("run", { pace: 1 })).rejects.toThrow(AskError);
        await vi.advanceTimersByTimeAsync(250); // then 500, 1000: each pause is twice the last
        expect(wire.made()).toBe(2);
        await vi.advanceTimersByTimeAsync(499);
        expect(wire.made()).toBe(2);
        await vi.advanceTimersByTimeAsync(1);
        expect(wire.made()).toBe(3);
        refuse = false;
        await vi.advanceTimersByTimeAsync(1000);
        await settle();
        expect(session.store.get("link")).toBe("open");
        expect(session.store.get("scene")?.path).toBe("experiments/pendulum.yaml");
    });

    it("frames of another scene are left out", async () => {
        await session.load({ scene: "experiments/pendulum.yaml" });
        await settle();
        const before = session.frames;
        program.generation = 9;
        await session.ask("step", {});
        await settle();
        expect(session.frames).toBe(before);
    });

    it("the same message again is counted, not listed", () => {
        for (let i = 0; i < 5; i++) session.notify("error", "attempt to index nil", { file: "a.lua", line: 3 });
        session.notify("note", "another");
        expect(session.store.get("notices").map((n) => n.times)).toEqual([5, 1]);
    });
});

describe("small things of the studio", () => {
    it("addresses are read and written", () => {
        expect(readAddress("#scene=experiments/anton-tripod.yaml&variant=slow%20walk&t=2.5")).toEqual({ scene: "experiments/anton-tripod.yaml", variant: "slow walk", t: 2.5, panel: "" });
        expect(readAddress("").t).toBeNaN();
        expect(writeAddress({ scene: "experiments/a&b.yaml", t: 1.23456 })).toBe("#scene=experiments/a%26b.yaml&t=1.235");
        expect(writeAddress({})).toBe("");
    });

    it("scenes are found by words and kept in groups", () => {
        expect(matches("anton walk", "ANTON walks over terrain")).toBe(true);
        expect(matches("anton run", "ANTON walks over terrain")).toBe(false);
        const groups = grouped([
            { path: "a", title: "a", group: "x", variants: [] },
            { path: "b", title: "b", group: "", variants: [] },
            { path: "c", title: "c", group: "x", variants: [] },
        ]);
        expect([...groups].map(([name, list]) => [name, list.length])).toEqual([["x", 2], ["other", 1]]);
        const names = ["anton-drop", "anton-tripod", "servo-hexapod-bob", "servo-hexapod-walk", "e1-a", "e10-b", "tumble", "a", "b", "c", "d", "f", "g"];
        const many = grouped(names.map((n) => ({ path: `experiments/${n}.yaml`, title: n, group: "experiments", variants: [] })));
        expect([...many.keys()]).toEqual(["Anton", "Servo hexapod", "E series", "Other experiments"]);
        expect(reportAddress("a b/../c")).toBe("/runs/a%20b/../c/report.html");
        expect([plainPath("experiments/../robots/a/./b.yaml"), plainPath("../x.yaml"), plainPath("a.yaml")]).toEqual(["robots/a/b.yaml", "../x.yaml", "a.yaml"]);
        expect(captureName("experiments/anton-tripod.yaml", 2.5)).toBe("anton-tripod-2.50s");
    });

    it("the hull without garbage is the hull", () => {
        let seed = 1;
        const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
        for (let n = 0; n < 40; n++) {
            // On a coarse lattice, so that points coincide and lie on edges.
            const points: Point[] = Array.from({ length: n % 13 }, () => [Math.round(4 * random()), Math.round(4 * random())]);
            const out = new Float64Array(64);
            const size = hullInto(new Float64Array(points.flat()), points.length, out);
            const corners = Array.from({ length: size }, (_, i) => [out[2 * i], out[2 * i + 1]]);
            expect(corners).toEqual(hull(points));
        }
    });
});

describe("films", () => {
    it("say what they show", () => {
        expect(legendWords({ title: "A walk", t: 1.5, pace: 1, arrows: "10 N = 50 mm" })).toEqual(["A walk", "1.50 s", "arrows: 10 N = 50 mm"]);
        expect(legendWords({ title: "A walk", t: 12.346, pace: 0.25, arrows: "" })).toEqual(["A walk", "12.35 s (0.25\u00d7)"]);
        expect(legendWords({ title: "", t: 0, pace: 0, arrows: "" })).toEqual(["0.00 s"]);
    });
});
