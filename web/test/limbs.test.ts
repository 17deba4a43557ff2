// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Feet and hands as they press, in frames and in recordings.
import { describe, expect, it } from "vitest";
import type { Limb } from "../src/core/protocol";
import { completeModel } from "../src/core/document";
import { LIMB, limbName, limbOf, pressing, readPressures } from "../src/core/limbs";
import { Channels } from "../src/studio/plots_channels";
import { defaultPlots, legendNames } from "../src/studio/plots_choice";
import { floats, ROWS, sampleRun } from "./sample";

const FRAME = { pos: [0, 0, 0], quat: [1, 0, 0, 0], radius: 0 };
const LIMBS: Limb[] = [
    { ...FRAME, name: "FL", kind: "foot", body: 2, bodies: [] },
    { ...FRAME, name: "palm", kind: "hand", body: 4, bodies: [4, 5] },
];

function pressed(width: number, numbers: number[]): number[][] {
    const found: number[][] = [];
    pressing({ width, count: numbers.length / width, data: new Float32Array(numbers) }, (...row) => found.push(row));
    return found;
}

describe("limbs in a frame", () => {
    const plan = [NaN, NaN, NaN, NaN, NaN, NaN, NaN]; // neither moments nor plans
    const standing = [1, 4, 5, 6, NaN, 1, 2, 3, ...plan];
    const lifted = [0, 0, 0, 0, NaN, NaN, NaN, NaN, ...plan];
    it("press where they have a centre of pressure", () => {
        expect(pressed(LIMB, [...lifted, ...standing])).toEqual([[1, 1, 2, 3, 4, 5, 6]]);
    });
    it("may have more columns than are known, and are ignored with fewer", () => {
        expect(pressed(LIMB + 1, [...standing, 99, ...standing, 99]).map((row) => row[0])).toEqual([0, 1]);
        expect(pressed(5, [1, 0, 0, 9, NaN])).toEqual([]);
    });
});

describe("limbs of a model", () => {
    const model = completeModel({ limbs: LIMBS });
    it("have the bodies they name, or the one of their frame", () => {
        expect([2, 4, 5].map((body) => limbOf(model, body)?.name)).toEqual(["FL", "palm", "palm"]);
        expect(limbOf(model, 3)).toBeUndefined();
        expect(limbOf({}, 2)).toBeUndefined();
        expect(LIMBS.map(limbName)).toEqual(["foot FL", "hand palm"]);
    });
    it("are drawn together: vertical forces of feet, then hands", () => {
        const force = (name: string, columns: string[]): { name: string; unit: string; columns: string[] } => ({ name, unit: "N", columns });
        const channels = new Channels([force("feet.force", ["FL.x", "FL.y", "FL.z"]), force("hands.palm.force", ["x", "y", "z"]), force("hands.palm.cop", ["x", "y", "z"])]);
        const plots = defaultPlots(channels);
        expect(plots[0].title).toBe("Vertical forces of feet and hands");
        expect(plots[0].columns).toEqual(["feet.force/FL.z", "hands.palm.force/z"]);
        const columns = plots[0].columns.flatMap((key) => channels.column(key) ?? []);
        expect(legendNames(columns)).toEqual(["feet.force FL.z", "hands.palm.force z"]);
    });
});

describe("limbs of a recording", () => {
    it("have what was recorded of them", () => {
        const run = sampleRun((d) => {
            d.model = { ...d.model, limbs: [...(d.model?.limbs ?? []), { ...LIMBS[1], body: 0, bodies: [0] }] };
            const places = floats(Array.from({ length: 3 * ROWS }, (_, i) => i));
            d.channels?.push({ name: "feet.L.cop", unit: "m", columns: ["x", "y", "z"], data: places });
            d.channels?.push({ name: "hands.palm.force", unit: "N", columns: ["x", "y", "z"], data: places });
        });
        const [left, right, palm] = readPressures(run);
        expect([left.cop?.[4], left.force]).toEqual([4, null]);
        expect([right.cop, right.force]).toEqual([null, null]);
        expect([palm.limb.kind, palm.force?.[5], palm.cop]).toEqual(["hand", 5, null]);
    });
});
