// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Batches as the page has them: bytes of frames, colours of robots, cells of the grid, what of a scene must change.
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { colorRange, CrowdGrid, type Paints, paintRows, rampAt } from "../src/core/crowd";
import { BATCH_HEAD, BATCH_MAGIC, type BatchColumn, FRAME_VERSION } from "../src/core/protocol";
import { convert, numbersOf, partsOf, QUANTITIES, spreadOf, spreadTitle, thingsOf } from "../src/core/spreads";
import { batchLines } from "../src/studio/batch";
import { readBatchFrame } from "../src/studio/batch_frames";
import { FrameError } from "../src/studio/frames";

type Head = Partial<Record<keyof (typeof BATCH_HEAD)["numbers"], number>>;

/** Bytes of a frame of a batch: a head, and rows of numbers. */
function bytesOf(values: Head, rows: number[]): ArrayBuffer {
    const view = new DataView(new ArrayBuffer(BATCH_HEAD.bytes + 4 * rows.length));
    const head: Head = { magic: BATCH_MAGIC, version: FRAME_VERSION, stride: 1, ...values };
    for (const [name, [type, at]] of Object.entries(BATCH_HEAD.numbers)) {
        const value = head[name as keyof Head] ?? 0;
        if (type === "u16") view.setUint16(at, value, true);
        else if (type === "u32") view.setUint32(at, value, true);
        else view.setFloat64(at, value, true);
    }
    rows.forEach((x, i) => view.setFloat32(BATCH_HEAD.bytes + 4 * i, x, true));
    return view.buffer;
}

const column = (low: number | null, high: number | null): BatchColumn => ({ name: "distance", unit: "m", help: "", least: low, low, median: low, high, most: high, mean: low });

describe("frames of a batch", () => {
    it("rows are read in place", () => {
        const frame = readBatchFrame(bytesOf({ width: 3, count: 2, robots: 4, stride: 2, t: 1.5, number: 7, generation: 9 }, [0, 0.5, 1, 2, 0.25, -1]));
        expect(frame).toMatchObject({ width: 3, count: 2, robots: 4, stride: 2, t: 1.5, number: 7, generation: 9 });
        expect([...frame.data]).toEqual([0, 0.5, 1, 2, 0.25, -1]);
    });

    it("bytes that are none are refused", () => {
        const wrong: [Head, number[]][] = [
            [{ magic: 1, width: 1, count: 1 }, [0]],
            [{ version: 2, width: 1, count: 1 }, [0]],
            [{ width: 2, count: 2 }, [0, 0, 0]],
            [{ width: 65535, count: 4294967295 }, [0]],
            [{ width: 0, count: 1 }, [0]],
            [{ width: 1, count: 1, stride: 0 }, [0]],
        ];
        for (const [head, rows] of wrong) expect(() => readBatchFrame(bytesOf(head, rows))).toThrow(FrameError);
        expect(() => readBatchFrame(new ArrayBuffer(0))).toThrow(FrameError);
        expect(() => readBatchFrame(new ArrayBuffer(39))).toThrow(FrameError);
    });
});

describe("colours of robots", () => {
    const paints: Paints = {
        ends: { lives: [0, 0, 1], fell: [1, 0, 0], diverged: [1, 0, 1], finished: [0, 1, 0] },
        ramp: [
            [0, 0, 0],
            [0.5, 0, 0],
            [1, 1, 0],
        ],
        none: [0.25, 0.25, 0.25],
    };
    const rows = { width: 2, count: 5, stride: 1, robots: 5, data: new Float32Array([0, 0, 1, 0.5, 2, 3, 9, NaN, 3, 0.5]) };

    it("a ramp goes through its colours and ends at both", () => {
        expect(rampAt(paints.ramp, 0.25)).toEqual([0.25, 0, 0]);
        expect(rampAt(paints.ramp, 0.5)).toEqual([0.5, 0, 0]);
        expect(rampAt(paints.ramp, 0.75)).toEqual([0.75, 0.5, 0]);
        expect(rampAt(paints.ramp, -3)).toEqual([0, 0, 0]);
        expect(rampAt(paints.ramp, 3)).toEqual([1, 1, 0]);
    });

    it("by outcome each robot has the colour of its end; an unknown one has diverged", () => {
        const out = new Float32Array(15);
        paintRows(rows, -1, null, paints, out);
        expect([...out]).toEqual([0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0]);
    });

    it("by a number colours go from its 5 % to its 95 %, and what is no number is grey", () => {
        const out = new Float32Array(15);
        paintRows(rows, 0, colorRange(column(0, 1)), paints, out);
        expect([...out]).toEqual([0, 0, 0, 0.5, 0, 0, 1, 1, 0, 0.25, 0.25, 0.25, 0.5, 0, 0]);
    });

    it("a number that is the same for all has no range", () => {
        expect(colorRange(column(2, 2))).toBeNull();
        expect(colorRange(column(null, null))).toBeNull();
        expect(colorRange(column(-1, 2))).toEqual([-1, 2]);
    });
});

describe("the grid", () => {
    it("has a cell for each robot, no two alike, with the origin in the middle", () => {
        for (const n of [1, 2, 5, 64, 4095]) {
            const grid = new CrowdGrid(n, 0.5);
            const places = Array.from({ length: n }, (_, i) => grid.place(i));
            expect(new Set(places.map(String)).size).toBe(n);
            expect(grid.columns * grid.rows).toBeGreaterThanOrEqual(n);
            const first = grid.place(0);
            const last = grid.place(grid.columns * grid.rows - 1);
            expect(first[0] + last[0]).toBeCloseTo(0, 12);
            expect(first[1] + last[1]).toBeCloseTo(0, 12);
        }
        expect(new CrowdGrid(1, 0.5).place(0)).toEqual([0, 0]);
    });
});

describe("scenes for a batch", () => {
    it("get the method euler and a step, and keep what was changed already", () => {
        expect(batchLines({ method: "implicit", set: ["seed=2", "solver.step=1e-3"] })).toEqual(["seed=2", "solver.method=euler", "solver.step=1e-4"]);
        expect(batchLines({ method: "euler", set: ["solver.method=euler"] })).toEqual(["solver.method=euler"]);
    });
});

describe("what robots draw", () => {
    it("numbers stand between commas or blanks, and what is none is said", () => {
        expect(numbersOf(" 0.6, 1.2 ")).toEqual([0.6, 1.2]);
        expect(numbersOf("1 2,3e-1")).toEqual([1, 2, 0.3]);
        for (const text of ["", " , ", "one", "1, 2x", "Infinity", "NaN"]) expect(numbersOf(text)).toBeNull();
    });

    it("a uniform distribution is its two ends in messages, others have their kind", () => {
        expect(spreadOf("uniform", [1, 2])).toEqual([1, 2]);
        expect(spreadOf("uniform", [1])).toEqual({ kind: "uniform", numbers: [1] }); // refused by the program, with a reason
        expect(spreadOf("choice", [1, 2])).toEqual({ kind: "choice", numbers: [1, 2] });
        for (const spread of [spreadOf("normal", [1, 0.1]), spreadOf("uniform", [1, 2])]) {
            const { kind, numbers } = partsOf(spread);
            expect(spreadOf(kind, numbers)).toEqual(spread);
        }
    });

    it("another kind reaches as far, and back again", () => {
        expect(convert([0.6, 1.2], "uniform", "normal")).toEqual([0.9, 0.15, 0.6, 1.2]);
        expect(convert([0.9, 0.15, 0.6, 1.2], "normal", "log_uniform")).toEqual([0.6, 1.2]);
        expect(convert([1, 0.1], "normal", "uniform")).toEqual([0.8, 1.2]);
        expect(convert([2, 1, 1.5], "choice", "uniform")).toEqual([1, 2]);
        expect(convert([0, 1], "uniform", "choice")).toEqual([0, 0.5, 1]);
    });

    it("a quantity is of the whole robot, or of things with names", () => {
        expect(spreadTitle("contact_stiffness")).toBe("contact stiffness");
        expect(spreadTitle("mass.front_leg.v2")).toBe("mass of front_leg.v2");
        const part = { name: "", node: 0 };
        const model = {
            bodies: [{ ...part, name: "base", node: -1 }, { ...part, name: "torso" }],
            joints: [{ name: "root", type: "free" }, { name: "knee", type: "revolute" }],
            geoms: [{ name: "floor", body: -1 }, { name: "stand", body: 0 }, { name: "foot", body: 1 }],
            limbs: [{ name: "FL" }],
        } as unknown as Parameters<typeof thingsOf>[1];
        expect(thingsOf("body", model)).toEqual(["torso"]);
        expect(thingsOf("shape", model)).toEqual(["foot", "FL"]);
        expect(thingsOf("servo", model)).toEqual(["knee"]);
        expect(thingsOf(null, model)).toEqual([]);
        expect(thingsOf("body", null)).toEqual([]);
    });

    it("quantities and their units are those of the program", () => {
        const source = readFileSync(path.join(__dirname, "../../src/lab/batch/spread.c"), "utf8");
        const rows = [...source.matchAll(/^ {4}\{"(\w+)", "([^"]+)", \w+, FF_SPREAD_OF_/gm)].map(([, name, unit]) => [name, unit === "1" ? "factor" : unit]);
        expect(QUANTITIES.map((q) => [q.name, q.unit]).sort()).toEqual(rows.sort());
    });
});
