// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { nearest } from "../src/view/event_strip";
import { groupOf, lastBefore, outsideForce, readEvents, readOutside } from "../src/core/events";
import { dutyOf, marginAt, readFeet, readWalkers, supportAt } from "../src/core/feet";
import { hull, margin, type Point } from "../src/core/polygon";
import { poseSource } from "../src/core/poses";
import type { RunEvent } from "../src/core/protocol";
import { floats, ROWS, sampleRun, STEP } from "./sample";

const SQUARE: Point[] = [[0, 0], [2, 0], [2, 2], [0, 2]];

describe("support polygons", () => {
    it("the hull of a square with points inside and on its edge is the square", () => {
        const corners = hull([[1, 1], ...SQUARE, [1, 0], [0.3, 1.7]]);
        expect(corners).toHaveLength(4);
        for (const c of SQUARE) expect(corners).toContainEqual(c);
    });
    it("margins are distances from the edge, negative outside", () => {
        const corners = hull(SQUARE);
        expect(margin([1, 0.25], corners)).toBeCloseTo(0.25, 12);
        expect(margin([3, 1], corners)).toBeCloseTo(-1, 12);
        expect(margin([3, 3], corners)).toBeCloseTo(-Math.SQRT2, 12);
        expect(margin([1, 1], hull([[0, 0], [2, 0]]))).toBeCloseTo(-1, 12);
        expect(margin([1, 1], [])).toBeNaN();
    });
});

describe("feet", () => {
    const run = sampleRun();
    const poses = poseSource(run);
    const feet = readFeet(run, poses);

    it("stances begin and end half-way between samples", () => {
        const left = feet.stances?.[0] ?? [];
        expect(left).toHaveLength(4); // the last one begins with the last sample
        expect(left[0].from).toBe(0);
        expect(Math.abs(left[0].to - 0.5)).toBeLessThanOrEqual(STEP); // the edge lies within one sample
        expect(Math.abs(left[1].from - 1)).toBeLessThanOrEqual(STEP);
    });
    it("duty is half, as the forces were made", () => {
        for (const stances of feet.stances ?? []) expect(dutyOf(stances, run.start)).toBeCloseTo(0.5, 3);
        expect(dutyOf([{ from: 0, to: 1 }], 0)).toBeNull();
    });
    it("duty is that of the metrics where there is one: the report and the table of a run agree", () => {
        const [first, second] = feet.names;
        const measured = sampleRun((d) => (d.summary = { ...d.summary, metrics: { ...d.summary?.metrics, [`walk.${first}.duty`]: 0.625 } }));
        const { duty } = readFeet(measured, poseSource(measured));
        expect(duty[0]).toBe(0.625);
        expect(duty[feet.names.indexOf(second)]).toBeCloseTo(0.5, 3);
    });
    it("centres of feet that were not recorded follow from q", () => {
        const angle = Math.fround(0.1 * Math.sin(1));
        const i = 3 * 2 * 100; // at 1 s
        // Legs hang along -y of their node, which is turned to -z of the world; the angle swings them ahead.
        expect(feet.pos?.[i]).toBeCloseTo(0.5 + 0.4 * Math.sin(angle), 5);
        expect(feet.pos?.[i + 1]).toBeCloseTo(0.1, 6);
        expect(feet.pos?.[i + 2]).toBeCloseTo(0.5 - 0.4 * Math.cos(angle), 5);
    });
    it("so does the centre of mass, and it says so", () => {
        const com = readWalkers(run, poses)[0].com;
        const angle = 0.1 * Math.sin(1);
        expect(com?.how).toMatch(/from q/);
        expect(com?.pos[300]).toBeCloseTo(0.5 + 0.25 * 0.2 * Math.sin(angle), 5); // a quarter of the mass 0.2 m along its leg
        expect(com?.pos[302]).toBeCloseTo(0.5 - 0.25 * 0.2 * (Math.cos(angle) + 1), 5);
    });
    it("one foot makes no polygon, and the margin is the way to it", () => {
        const [walker] = readWalkers(run, poses);
        expect(supportAt(feet, walker.legs, 20)).toHaveLength(1);
        expect(marginAt(feet, walker, 20)).toBeLessThan(-0.09);
    });
    it("robots of one scene have centres of mass of their own", () => {
        // Cut the second leg off its trunk: two robots with a leg each.
        const two = sampleRun((d) => {
            const right = d.model?.nodes?.[2];
            if (right) right.parent = -1;
        });
        const walkers = readWalkers(two, poseSource(two));
        expect(walkers.map((w) => [w.name, w.legs])).toEqual([
            ["trunk", [0]],
            ["right", [1]],
        ]);
        expect(walkers[1].com?.pos[2]).toBeCloseTo(-0.2, 6); // its own alone, 0.2 m below its hinge at z = 0
        expect(walkers[0].com?.pos[2]).toBeCloseTo(0.5 - 0.2 / 3, 6); // 2 kg at 0.5 m, 1 kg 0.2 m below
    });
    it("without forces nothing is said about stance", () => {
        const poor = sampleRun((d) => (d.channels = d.channels?.filter((c) => c.name !== "feet.force") ?? []));
        const none = readFeet(poor, poseSource(poor));
        expect(none.stances).toBeNull();
        expect(supportAt(none, [0, 1], 0)).toEqual([]);
        expect(readEvents(poor, none).origin).toBe("none");
    });
    it("forces recorded foot by foot do as well", () => {
        const each = sampleRun((d) => {
            const all = d.channels?.find((c) => c.name === "feet.force");
            const numbers = new Float32Array(Uint8Array.from(Buffer.from(all?.data ?? "", "base64")).buffer);
            const of = (leg: number): string => Buffer.from(Float32Array.from([...numbers].filter((_, i) => Math.floor((i % 6) / 3) === leg)).buffer).toString("base64");
            d.channels = [...(d.channels?.filter((c) => c !== all) ?? []), { name: "feet.L.force", columns: [], data: of(0) }, { name: "feet.R.force", columns: [], data: of(1) }];
        });
        expect(readFeet(each, poseSource(each)).stances).toEqual(feet.stances);
    });
    it("events are touch-downs and lift-offs in order when none were recorded", () => {
        const { events, origin } = readEvents(run, feet);
        expect(origin).toBe("feet");
        expect(events.slice(0, 2).map((e) => e.what).sort()).toEqual(["L lifts off", "R touches down"]);
        for (let i = 1; i < events.length; i++) expect(events[i].t).toBeGreaterThanOrEqual(events[i - 1].t);
        const listed = sampleRun((d) => (d.events = [{ t: 2, what: "b" }, { t: 1, what: "a" }]));
        expect(readEvents(listed, feet)).toEqual({ origin: "recorded", events: [{ t: 1, what: "a" }, { t: 2, what: "b" }] });
    });
});

describe("forces from outside", () => {
    const push = { t: 1, kind: "push" as const, what: "pushed", body: 0, point: [0, 0, 0.1], force: [0, 5, 0], seconds: 0.5 };
    const pull = { t: 1.2, kind: "pull" as const, what: "pulled", body: 1, point: [0, 0, 0], seconds: null };
    const scene = { t: 0, kind: "force" as const, what: "force", body: 2, point: [0, 0, 0], force: [1, 0, 0], seconds: 3 };
    const constant = (v: number): string => floats(Array.from({ length: ROWS }, () => v));
    const run = sampleRun((d) => {
        d.events = [push, pull, scene, { ...push, body: 7 }, { ...push, point: [0, 0] }, { t: 2, kind: "command", what: "command: speed 0.1" }];
        d.channels?.push(...["x", "y", "z"].map((k, i) => ({ name: `push.force.${k}`, unit: "N", columns: [], data: constant([2, 6, 0][i]) })));
    });
    const all = readOutside(run);

    it("are the pushes, pulls and forces that fit the model", () => {
        expect(all.map((o) => [o.from, o.to, o.body, o.byHand])).toEqual([
            [1, 1.5, 0, true],
            [1.2, Infinity, 1, true],
            [0, 3, 2, false],
        ]);
    });
    it("a pull is what hands did in all, less the pushes", () => {
        const out = [0, 0, 0];
        expect(outsideForce(run, all, all[0], 130, out)).toBe(true);
        expect(out).toEqual([0, 5, 0]);
        expect(outsideForce(run, all, all[1], 130, out)).toBe(true); // at 1.3 s the push acts as well
        expect(out).toEqual([2, 1, 0]);
        expect(outsideForce(run, all, all[1], 200, out)).toBe(true);
        expect(out).toEqual([2, 6, 0]);
    });
    it("two pulls, or a recording without them, have no known force", () => {
        const second = { ...all[1] };
        expect(outsideForce(run, [...all, second], all[1], 200, [0, 0, 0])).toBe(false);
        const bare = sampleRun((d) => (d.events = [pull]));
        expect(outsideForce(bare, readOutside(bare), readOutside(bare)[0], 200, [0, 0, 0])).toBe(false);
    });
    it("events fall into groups, and the latest is found by time", () => {
        expect([push, pull, scene, { t: 0, what: "x" } as RunEvent].map(groupOf)).toEqual(["forces", "forces", "forces", "others"]);
        const list = [{ t: 1, what: "a" }, { t: 1, what: "b" }, { t: 2, what: "c" }] as RunEvent[];
        expect([0.5, 1, 1.5, 2, 9].map((t) => lastBefore(list, t))).toEqual([-1, 1, 1, 2, 2]);
    });
    it("the time line leads to what is near, steps last", () => {
        const step: RunEvent = { t: 1.0, kind: "touchdown", what: "L touches down" };
        const both: RunEvent[] = [step, { t: 1.02, kind: "command", what: "c" }];
        expect(nearest(both, 1.0, 0.05)?.what).toBe("c");
        expect(nearest([step], 1.01, 0.05)).toBe(step);
        expect(nearest(both, 3, 0.05)).toBeNull();
    });
});
