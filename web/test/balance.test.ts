// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How feet carry a robot: plans laid onto feet that stand, support polygons of the points that carry, footprints, loads; on both feet, on one, on none, and on a board.
import { describe, expect, it } from "vitest";
import { footprints, headingOf, PlanMap, readBalance } from "../src/core/balance";
import { marginAt, readFeet, readWalkers, supportAt } from "../src/core/feet";
import { poseSource } from "../src/core/poses";
import { pointsOf, signalOf } from "../src/core/signals";
import { completeModel } from "../src/core/document";
import { loadOf, weightsOf } from "../src/studio/load_bars";
import { SECTIONS } from "../src/core/protocol";
import { floats, ROWS, sampleRun, STEP } from "./sample";

const AROUND_Z = (a: number): number[] => [Math.cos(a / 2), 0, 0, Math.sin(a / 2)];

describe("plans in the world", () => {
    it("a heading is the direction of the x axis, seen from above", () => {
        for (const a of [-3, -0.4, 0, 1, 2.5]) expect(headingOf(AROUND_Z(a))).toBeCloseTo(a, 12);
        expect(headingOf([Math.cos(0.3), 0, Math.sin(0.3), 0])).toBeCloseTo(0, 12); // it leans ahead
    });
    it("a point keeps its place against the foot that stands, however the foot lies", () => {
        const map = new PlanMap(2);
        const out = [0, 0];
        map.begin();
        map.add(500, 1, 0.1, 0, 3, 2, Math.PI / 2); // planned at (1, 0.1) ahead, stands at (3, 2) turned to the left
        expect(map.place(1.2, 0.15, out)).toBe(true); // 0.2 m ahead of it, 0.05 m to its left
        expect(out[0]).toBeCloseTo(3 - 0.05, 12);
        expect(out[1]).toBeCloseTo(2 + 0.2, 12);
    });
    it("between two feet that disagree it lies as they share the load", () => {
        const map = new PlanMap(2);
        const out = [0, 0];
        map.begin();
        map.add(300, 0, 0.1, 0, 0.01, 0.1, 0); // slipped ahead by 10 mm
        map.add(100, 0, -0.1, 0, 0, -0.1, 0);
        map.place(0, 0, out);
        expect(out[0]).toBeCloseTo(0.0075, 12);
        expect(out[1]).toBeCloseTo(0, 12);
    });
    it("feet in the air, and plans of nobody, do not count", () => {
        const map = new PlanMap(2);
        const out = [1, 1];
        map.begin();
        map.add(0, 0, 0, 0, 5, 5, 0);
        map.add(300, NaN, 0, 0, 5, 5, 0);
        expect(map.place(0, 0, out)).toBe(false);
        expect(out).toEqual([NaN, NaN]);
    });
});

// Two soles of 0.2 x 0.1 m at y = +-0.1, the left one a board of 4 cm high: first both carry, then the left one alone, then none, then both again.
const corners = (y: number, x = 0): number[] => [x - 0.1, y - 0.05, x + 0.1, y - 0.05, x + 0.1, y + 0.05, x - 0.1, y + 0.05];
const NOBODY = Array.from({ length: 8 }, () => NaN);
const phase = (row: number): number => Math.min(3, Math.floor((4 * row) / ROWS));
const rows = (value: (row: number) => number[]): string => floats(Array.from({ length: ROWS }, (_, i) => value(i)).flat());

const run = sampleRun((d) => {
    const columns = Array.from({ length: 8 }, (_, i) => `${i >> 1}.${"xy"[i & 1]}`);
    const xyz = ["x", "y", "z"];
    const signal = (name: string, value: (row: number) => number): { name: string; unit: string; columns: string[]; data: string } => ({ name, unit: "m", columns: [], data: rows((r) => [value(r)]) });
    d.channels = [
        ...(d.channels?.filter((c) => c.name !== "feet.force") ?? []),
        { name: "feet.force", unit: "N", columns: ["L.x", "L.y", "L.z", "R.x", "R.y", "R.z"], data: rows((r) => [[0, 0, 20, 0, 0, 20], [0, 0, 40, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 30, 0, 0, 10]][phase(r)]) },
        { name: "soles.L", unit: "m", columns, data: rows((r) => (phase(r) === 2 ? NOBODY : corners(0.1))) },
        { name: "soles.R", unit: "m", columns, data: rows((r) => (phase(r) === 0 || phase(r) === 3 ? corners(-0.1) : NOBODY)) },
        { name: "balance.cop", unit: "m", columns: xyz, data: rows((r) => [[0, 0, 0.02], [0, 0.1, 0.04], [NaN, NaN, NaN], [0, 0.05, 0.03]][phase(r)]) },
        { name: "balance.dcm", unit: "m", columns: xyz, data: rows(() => [0, 0, 0]) },
        { name: "com.pos", unit: "m", columns: xyz, data: rows(() => [0, 0.02, 0.5]) },
        signal("control.zmp.x", () => 0.03),
        signal("control.zmp.y", () => 0),
        ...["L", "R"].flatMap((leg, i) => [signal(`control.${leg}.x`, () => 0), signal(`control.${leg}.y`, () => (i === 0 ? 0.1 : -0.1)), signal(`control.${leg}.yaw`, () => Math.PI), signal(`control.wanted.${leg}`, () => 20 + i)]),
    ];
});

describe("balance of a run", () => {
    const poses = poseSource(run);
    const feet = readFeet(run, poses);
    const [walker] = readWalkers(run, poses);
    const at = (p: number): number => Math.floor(((p + 0.5) * ROWS) / 4);

    it("the polygon is spanned by the points that carry: both soles, one, none", () => {
        expect(supportAt(feet, walker.legs, at(0))).toHaveLength(4); // a rectangle around both
        expect(supportAt(feet, walker.legs, at(1))).toHaveLength(4); // the left sole
        expect(supportAt(feet, walker.legs, at(2))).toEqual([]);
        expect(marginAt(feet, walker, at(0))).toBeCloseTo(0.1, 6); // x: 0.1 m to either end
        expect(marginAt(feet, walker, at(1))).toBeCloseTo(-0.03, 6); // 0.02 m, the sole begins at 0.05
        expect(marginAt(feet, walker, at(2))).toBeNaN();
    });
    it("tracks are there as recorded, NaN where no foot carries", () => {
        const { cop, dcm } = readBalance(run, poses, feet, walker);
        expect(cop?.[3 * at(1) + 1]).toBeCloseTo(0.1, 6);
        expect(cop?.[3 * at(1) + 2]).toBeCloseTo(0.04, 6); // on the board
        expect(cop?.[3 * at(2)]).toBeNaN();
        expect(dcm).not.toBeNull();
        const bare = sampleRun();
        const nothing = readBalance(bare, poseSource(bare), readFeet(bare, poseSource(bare)), readWalkers(bare, poseSource(bare))[0]);
        expect(nothing).toEqual({ cop: null, dcm: null, zmp: null });
    });
    it("the planned zero moment point goes with the feet that stand", () => {
        const { zmp } = readBalance(run, poses, feet, walker);
        // The plan thinks both feet look back: the frames of the feet look ahead, so that 0.03 m ahead in the plan is 0.03 m back, from feet at x = 0.5 t (and a swing of the left one).
        const row = at(0);
        const x = [0, 1].map((leg) => feet.pos?.[3 * (2 * row + leg)] ?? NaN);
        expect(zmp?.[2 * row]).toBeCloseTo((x[0] + x[1]) / 2 - 0.03, 5);
        expect(zmp?.[2 * row + 1]).toBeCloseTo(0, 5);
        expect(zmp?.[2 * at(2)]).toBeNaN(); // no foot stands
    });
    it("wanted forces are found by either name", () => {
        expect(feet.wanted.map((w) => w?.[0])).toEqual([20, 21]);
        expect(signalOf(run, "a.L", ["wanted.#"])).toBeNull(); // that of another robot
    });
    it("footprints are one a stance, with the outline of the sole", () => {
        const prints = footprints(run, feet);
        expect(prints.map((p) => p.leg)).toEqual([0, 0, 1, 1]);
        expect(prints[0].corners).toHaveLength(4);
        expect(Math.max(...prints[0].corners.map((c) => c[1]))).toBeCloseTo(0.15, 6);
        expect(prints[2].to).toBeLessThan(prints[3].from + STEP);
    });
    it("points end at the first that is none", () => {
        expect(pointsOf(new Float32Array([1, 2, NaN, NaN, 3, 4, 5, 6]), 4, 0)).toEqual([[1, 2]]);
        expect(pointsOf(new Float32Array([1, 2, NaN, NaN, 3, 4, 5, 6]), 4, 1)).toEqual([[3, 4], [5, 6]]);
    });
});

describe("loads", () => {
    it("are shares of the weight of the robot that the foot belongs to", () => {
        const model = completeModel(run.model ?? {});
        const weights = weightsOf(model, () => 0);
        expect(weights).toEqual([40, 40]); // 4 kg at 10 m/s^2
        const row = new Float32Array(SECTIONS.limbs.width).fill(NaN);
        row[SECTIONS.limbs.columns.force_z] = 30;
        row[SECTIONS.limbs.columns.load] = 0.7;
        expect(loadOf(row, 0, weights[0]).measured).toBeCloseTo(0.75, 6);
        expect(loadOf(row, 0, weights[0]).wanted).toBeNaN();
        expect(loadOf(row, 0, weights[0]).planned).toBeCloseTo(0.7, 6);
    });
});
