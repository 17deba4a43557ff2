// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { bandIn, bandOf, bandRange, barText, standingText, standingTone } from "../src/core/certificate";
import type { Bands } from "../src/core/protocol";
import { sampleRun } from "./sample";

describe("certificates", () => {
    it("a bar reads as one, a spread as median and range", () => {
        expect(barText({ bar: 0.0012 })).toBe("\u00b1 0.0012");
        expect(barText({ bar: null })).toBe("\u00b1 ?");
        expect(barText({ bar: 1, spread: [1, 2, 4] })).toBe("2 (1 \u2026 4)");
        expect(barText(undefined)).toBe("");
    });
    it("an expectation is met, missed, or neither for sure", () => {
        expect(standingTone("met")).toBe("good");
        expect(standingTone("missed, undecided")).toBe("warn");
        expect(standingText({ metric: "a", got: 1, bar: 1, standing: "met, undecided", met_in: 3, of: 8 })).toBe("met in 3 of 8 runs");
    });
    it("bands are found by channel and column, scaled, and absent where nothing fits", () => {
        const bands: Bands = { time: [0, 1], channels: [{ name: "q", low: [[1, null]], high: [[2, 3]] }] };
        const run = sampleRun((d) => (d.bands = bands));
        const q = run.channel("q");
        if (!q) throw new Error("no q");
        const band = bandOf(run, q, 0, 10);
        expect(band).toEqual({ time: [0, 1], low: [10, NaN], high: [20, 30] });
        expect(band && bandRange(band)).toEqual([10, 30]);
        expect(band && bandRange(band, 0.5, 2)).toEqual([Infinity, 30]); // its lower edge is not known there
        expect(band && bandRange(band, 2, 3)).toEqual([Infinity, -Infinity]);
        expect(bandIn(bands, "q", 0)).toEqual({ time: [0, 1], low: [1, NaN], high: [2, 3] });
        expect(bandIn(bands, "v", 0)).toBeUndefined();
        expect(bandIn(null, "q", 0)).toBeUndefined();
        expect(bandOf(run, q, 1)).toBeUndefined();
        expect(bandOf(sampleRun((d) => (d.bands = {} as Bands)), q, 0)).toBeUndefined();
        expect(bandOf(sampleRun(), q, 0)).toBeUndefined();
    });
});
