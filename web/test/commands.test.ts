// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Driving without a page: keys and sticks become commands a robot can follow, and no more of them leave than the program takes.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { actionOfButton, axesOfKeys, axesOfPad, canDrive, commandOfAxes, DEAD_ZONE, PAD, padWords, pressedNow, stick, stopCommand } from "../src/studio/commands_drive";
import { byKey, EVERY, type Outcome, Sender } from "../src/studio/commands_sender";
import type { Answer, Command } from "../src/core/protocol";
import { roundStep, scaleOf, tidy } from "../src/studio/quantity";

const WALK: Command[] = [
    { key: "gait", unit: "", choices: ["tripod", "wave", "gallop"], value: "tripod" },
    { key: "speed", unit: "m/s", low: 0, high: 0.2, value: 0.1 },
    { key: "direction", unit: "rad", low: -Math.PI, high: Math.PI, value: 0 },
    { key: "turn", unit: "rad/s", low: -0.5, high: 0.25, value: 0 },
    { key: "height", unit: "m", low: 0.08, high: 0.12, value: 0.1 },
];

describe("driving", () => {
    it("keys add up and opposite ones cancel", () => {
        expect(axesOfKeys(["KeyW", "ArrowUp", "KeyA"])).toEqual({ ahead: 1, left: 0, turn: 1 });
        expect(axesOfKeys(["KeyW", "KeyS"])).toEqual({ ahead: 0, left: 0, turn: 0 });
        expect(axesOfKeys(["KeyZ"])).toEqual({ ahead: 0, left: 0, turn: 0 });
    });
    it("speed and direction are the polar form of the way; turn has a range of its own to each side", () => {
        const diagonal = commandOfAxes({ ahead: 1, left: 1, turn: -1 }, WALK, 0.5);
        expect(diagonal.speed).toBeCloseTo(0.1, 12); // no faster along the diagonal
        expect(diagonal.direction).toBeCloseTo(Math.PI / 4, 12);
        expect(diagonal.turn).toBeCloseTo(-0.25, 12);
        const back = commandOfAxes({ ahead: -1, left: 0, turn: 1 }, WALK);
        expect(back).toEqual({ speed: 0.2, direction: Math.PI, turn: 0.25 });
    });
    it("at rest the direction stays", () => {
        expect(commandOfAxes({ ahead: 0, left: 0, turn: 0 }, WALK)).toEqual({ speed: 0, turn: 0 });
        expect(stopCommand(WALK)).toEqual({ speed: 0, turn: 0 });
    });
    it("without a direction, back is a negative speed where there is one", () => {
        const line: Command[] = [{ key: "speed", unit: "m/s", low: -0.1, high: 0.3, value: 0 }];
        expect(commandOfAxes({ ahead: -1, left: 1, turn: 1 }, line)).toEqual({ speed: -0.1 });
        expect(commandOfAxes({ ahead: -1, left: 0, turn: 0 }, [{ key: "speed", unit: "m/s", low: 0, high: 0.3, value: 0 }])).toEqual({ speed: 0 });
        expect(canDrive(line)).toBe(true);
        expect(canDrive([{ key: "gather", unit: "", value: 0 }])).toBe(false);
    });
    it("a stick gives nothing in its dead zone, then rises evenly to one, in every direction", () => {
        expect(stick(0.1, -0.1)).toEqual([0, 0]);
        for (let a = 0; a < 6.3; a += 0.3) {
            const size = (r: number): number => Math.hypot(...stick(r * Math.cos(a), r * Math.sin(a)));
            expect(size(DEAD_ZONE + 1e-9)).toBeLessThan(1e-6); // no jump at the edge
            expect(size((1 + DEAD_ZONE) / 2)).toBeCloseTo(0.5, 9);
            expect(size(1.2)).toBeCloseTo(1, 9);
        }
    });
    it("the left stick walks, the right one turns, buttons choose gaits once a press", () => {
        const pad = { axes: [-1, 0, 1, 0], buttons: [0, 1, 0].map((b) => ({ pressed: b > 0 })) };
        expect(axesOfPad(pad)).toEqual({ ahead: 0, left: 1, turn: -1 });
        expect(pressedNow(pad, [])).toEqual([1]);
        expect(pressedNow(pad, [false, true])).toEqual([]);
        expect(actionOfButton(PAD.b, WALK, {})).toEqual({ gait: "wave" });
        expect(actionOfButton(PAD.y, WALK, {})).toBeNull(); // there is no fourth gait
        expect(actionOfButton(PAD.back, WALK, {})).toEqual({ speed: 0, turn: 0 });
        expect(actionOfButton(PAD.start, WALK, {})).toBe("pause");
        expect(actionOfButton(PAD.up, WALK, { height: 0.119 })).toEqual({ height: 0.12 });
        expect(actionOfButton(PAD.down, WALK, { height: 0.1 })).toEqual({ height: 0.096 });
        expect(padWords(WALK)).toMatch(/^left stick walks, right stick turns, A B X Y gaits, cross .*, back stops, start runs or pauses$/);
    });
});

describe("driving on two legs", () => {
    const flag = (key: string): Command => ({ key, unit: "", choices: ["false", "true"], value: "false" });
    const range = (key: string, low: number, high: number): Command => ({ key, unit: "", low, high, value: 0 });
    const BIPED = [flag("walk"), range("speed", -0.3, 0.6), range("side", -0.1, 0.1), range("turn", -0.2, 0.2)];
    const STEPS = [flag("walk"), range("forward", -0.2, 0.2), range("sideways", -0.1, 0.1), range("turn", -0.5, 0.5), range("height", 0.6, 0.8)];

    it("ahead and sideways have speeds of their own, each by its range", () => {
        expect(commandOfAxes({ ahead: 1, left: 0.5, turn: -1 }, BIPED)).toEqual({ speed: 0.6, side: 0.05, turn: -0.2, walk: true });
        expect(commandOfAxes({ ahead: -1, left: -1, turn: 0 }, BIPED, 0.5)).toEqual({ speed: -0.15, side: -0.05, turn: 0, walk: true });
        expect(commandOfAxes({ ahead: 1, left: -1, turn: 1 }, STEPS)).toEqual({ forward: 0.2, sideways: -0.1, turn: 0.5, walk: true });
    });
    it("at rest and at a stop it stands", () => {
        const still = { speed: 0, side: 0, turn: 0, walk: false };
        expect(commandOfAxes({ ahead: 0, left: 0, turn: 0 }, BIPED)).toEqual(still);
        expect(stopCommand(BIPED)).toEqual(still);
        expect(stopCommand(STEPS)).toEqual({ forward: 0, sideways: 0, turn: 0, walk: false });
        expect(stopCommand([flag("walk")])).toEqual({ walk: false }); // a plan that can only be held
    });
    it("a gait keeps its own way to stand: at speed zero", () => {
        expect(stopCommand([...WALK, flag("walk")])).toEqual({ speed: 0, turn: 0 });
    });
    it("of a gamepad A walks and B stands, whatever else the robot takes", () => {
        for (const commands of [BIPED, STEPS, [flag("walk")]]) {
            expect(actionOfButton(PAD.a, commands, {})).toEqual({ walk: true });
            expect(actionOfButton(PAD.b, commands, {})).toEqual({ walk: false });
            expect(actionOfButton(PAD.x, commands, {})).toBeNull();
        }
        expect(padWords(BIPED)).toBe("left stick walks, right stick turns, A walks, B stands, back stops, start runs or pauses");
        expect(padWords([range("x", -1, 1)])).toBe("start runs or pauses");
        expect(actionOfButton(PAD.a, [range("speed", 0, 2)], {})).toBeNull();
    });
    it("both can be driven, a plan cannot", () => {
        expect([BIPED, STEPS, [flag("walk")]].map(canDrive)).toEqual([true, true, false]);
    });
    it("a pad with few axes and none beyond the dead zone moves nothing", () => {
        expect(axesOfPad({ axes: [], buttons: [] })).toEqual({ ahead: 0, left: 0, turn: 0 });
        expect(axesOfPad({ axes: [0.1, -0.1, 0.14, 0], buttons: [] })).toEqual({ ahead: 0, left: 0, turn: 0 });
        expect(axesOfPad({ axes: [0, -1], buttons: [] })).toEqual({ ahead: 1, left: 0, turn: 0 });
    });
});

describe("the sender", () => {
    beforeEach(() => vi.useFakeTimers());
    afterEach(() => vi.useRealTimers());
    const sender = (answer: () => Promise<Answer>): { sender: Sender; sent: object[]; outcome: Outcome[] } => {
        const sent: object[] = [];
        const outcome: Outcome[] = [];
        const made = new Sender(
            (values) => {
                sent.push(values);
                return answer();
            },
            (h) => outcome.push(h),
            () => Date.now(),
        );
        return { sender: made, sent, outcome };
    };
    it("sends the first at once, ten a second, and always the last", async () => {
        const { sender: s, sent } = sender(() => Promise.resolve({ id: 1, ok: true, messages: [] }));
        for (let i = 0; i <= 100; i++) {
            s.put({ speed: i });
            await vi.advanceTimersByTimeAsync(10);
        }
        await vi.advanceTimersByTimeAsync(2 * EVERY);
        expect(sent[0]).toEqual({ speed: 0 });
        expect(sent.at(-1)).toEqual({ speed: 100 });
        expect(sent.length).toBeLessThanOrEqual(12);
        expect(sent.length).toBeGreaterThanOrEqual(10);
    });
    it("waits for a slow program and merges what comes meanwhile", async () => {
        let free: (a: Answer) => void = () => undefined;
        const { sender: s, sent } = sender(() => new Promise((done) => (free = done)));
        s.put({ speed: 1 });
        s.put({ speed: 2 });
        s.put({ gait: "wave" });
        await vi.advanceTimersByTimeAsync(1000);
        expect(sent).toEqual([{ speed: 1 }]);
        free({ id: 1, ok: true, messages: [] });
        await vi.advanceTimersByTimeAsync(1);
        expect(sent).toEqual([{ speed: 1 }, { speed: 2, gait: "wave" }]);
    });
    it("awaits what has not been answered, and nothing else", async () => {
        let free: (answer: Answer) => void = () => undefined;
        const { sender: s } = sender(() => new Promise((done) => (free = done)));
        s.put({ speed: 1 });
        s.put({ gait: "wave" });
        expect(["speed", "gait", "turn"].map((k) => s.awaits(k))).toEqual([true, true, false]);
        free({ id: 1, ok: true, messages: [] });
        await vi.advanceTimersByTimeAsync(EVERY + 1);
        expect([s.awaits("speed"), s.awaits("gait")]).toEqual([false, true]);
        free({ id: 2, ok: true, messages: [] });
        await vi.advanceTimersByTimeAsync(1);
        expect(s.awaits("gait")).toBe(false);
    });
    it("reports a refusal with its reason and goes on", async () => {
        const refusal = Object.assign(new Error("refused"), { messages: [{ severity: "error" as const, text: "speed 9 m/s is beyond 0.2" }] });
        const { sender: s, outcome } = sender(() => Promise.reject(refusal));
        s.put({ speed: 9, turn: 0 });
        await vi.advanceTimersByTimeAsync(1);
        expect(byKey(outcome[0])).toEqual(new Map([["speed", "speed 9 m/s is beyond 0.2"]]));
    });
    it("a message that names no key belongs to the only one, or to all", () => {
        const outcome = (values: Outcome["values"]): Outcome => ({ values, error: "no such robot", messages: [] });
        expect([...byKey(outcome({ speed: 1 })).keys()]).toEqual(["speed"]);
        expect([...byKey(outcome({ speed: 1, turn: 2 })).keys()]).toEqual([""]);
        expect(byKey({ values: { speed: 1 }, error: "", messages: [] }).size).toBe(0);
    });
});

describe("quantities", () => {
    it("angles are shown in degrees, the rest as they are", () => {
        const angle = scaleOf({ unit: "rad", low: -Math.PI, high: Math.PI, value: 0 });
        expect([angle.low, angle.high, angle.unit]).toEqual([-180, 180, "\u00b0"]);
        expect(scaleOf({ unit: "m", low: 0.08, high: 0.12 }).unit).toBe("m");
    });
    it("a missing range is made around the value and holds it", () => {
        for (const value of [-3, 0, 0.02, 700]) {
            const s = scaleOf({ value });
            expect(s.high).toBeGreaterThan(s.low);
            expect(value).toBeGreaterThanOrEqual(s.low);
            expect(value).toBeLessThanOrEqual(s.high);
        }
    });
    it("steps are round and numbers carry no binary noise", () => {
        for (const range of [0.04, 0.2, 1, 3, 360, 1e4]) {
            const parts = range / roundStep(range);
            expect(parts).toBeGreaterThanOrEqual(99);
            expect(parts).toBeLessThanOrEqual(251);
        }
        expect(tidy(0.1 + 0.2, 0.01)).toBe("0.3");
        expect(tidy(45.00000000000001, 2)).toBe("45");
        expect(tidy(0.1064, 0.0002)).toBe("0.1064");
    });
});
