// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { firstPairs, twinPairs } from "../src/core/twin";
import { floats, ROWS, sampleRun } from "./sample";

function channel(name: string, columns: string[], value: (row: number, column: number) => number): { name: string; unit: string; columns: string[]; data: string } {
    const all: number[] = [];
    for (let i = 0; i < ROWS; i++) columns.forEach((_, k) => all.push(value(i, k)));
    return { name, unit: "m", columns, data: floats(all) };
}

/** A channel of both robots: the leader goes from 0 to 1, the twin lies beside it. */
function both(name: string, columns: string[], apart: number[]): ReturnType<typeof channel>[] {
    const way = (i: number): number => i / (ROWS - 1);
    return [
        channel(name, columns, (i) => way(i)),
        channel(`twin.${name}`, columns, (i, k) => way(i) + apart[k]),
        channel(`difference.${name}`, columns, (_, k) => apart[k]),
    ];
}

describe("twins", () => {
    it("a run without a twin has no pairs", () => {
        expect(twinPairs(sampleRun())).toEqual([]);
    });
    it("columns of both robots are paired, with how far they lie apart", () => {
        const run = sampleRun((d) => d.channels?.push(...both("feet.force", ["L", "R"], [0.1, -0.25]), ...both("base.pos", ["x"], [0.01])));
        const pairs = twinPairs(run);
        expect(pairs.map((p) => p.name)).toEqual(["base.pos.x", "feet.force.L", "feet.force.R"]);
        expect(pairs[2].share).toBeCloseTo(0.25, 6);
        expect(firstPairs(pairs, 3).map((p) => p.name)).toEqual(["base.pos.x", "feet.force.R"]); // the worst column of each
        expect(firstPairs(pairs, 1).length).toBe(1);
    });
    it("columns without a number and channels that do not fit are left out", () => {
        const run = sampleRun((d) => d.channels?.push(...both("a", ["x", "y"], [NaN, 0.5]), ...both("b.quat", ["w", "x"], [0, 0]).slice(0, 2), channel("difference.b.quat", ["x"], () => 0)));
        expect(twinPairs(run).map((p) => p.name)).toEqual(["a.y"]);
    });
});
