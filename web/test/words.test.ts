// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What is said in words and numbers: expectations, verdicts, formats; and the clock of the replay.
import { describe, expect, it } from "vitest";
import { isMet, readExpectations, sceneKey, verdictOf } from "../src/core/expect";
import { count, label, number, roundDown, ticks, unit } from "../src/core/format";
import { Player } from "../src/core/player";
import { Span } from "../src/view/span";
import { sampleRun } from "./sample";

describe("expectations", () => {
    it("what was stopped before its end is not evaluated, and is no failure", () => {
        const run = sampleRun((d) => (d.summary = { outcome: "stopped: kept by hand", metrics: { "walk.speed.mean": 0.1, "walk.bob": 0.001 } }));
        expect(readExpectations(run).map((e) => e.met)).toEqual([null, null]);
        expect(verdictOf(run, readExpectations(run))).toEqual({ tone: "plain", title: "Stopped", text: "kept by hand" });
    });
    it("are read from the scene, commas in quotes included, and evaluated", () => {
        const list = readExpectations(sampleRun());
        expect(list).toHaveLength(2);
        expect(list[0]).toEqual({ metric: "walk.speed.mean", is: 0.5, within: 0.01, source: "given, in closed form", got: 0.5, met: true });
        expect(list[1]).toMatchObject({ metric: "walk.bob", at_most: 0.005, got: 0.007, met: false });
    });
    it("a list with verdicts of the program is taken as it is", () => {
        const run = sampleRun((d) => (d.summary = { ...d.summary, expectations: [{ metric: "x", is: 1, within: 0, got: 2, met: true }] }));
        expect(readExpectations(run)).toEqual([{ metric: "x", is: 1, within: 0, got: 2, met: true }]);
    });
    it("a metric that the document does not hold is unknown, not missed", () => {
        const run = sampleRun((d) => (d.summary = { outcome: "finished", metrics: { "walk.bob": 0.001 } }));
        expect(readExpectations(run).map((e) => e.met)).toEqual([null, true]);
        expect(verdictOf(run, readExpectations(run))).toMatchObject({ tone: "plain", title: "1 of 2 met" });
    });
    it("bounds count as met on the bound, and nothing is met by nothing", () => {
        expect(isMet({ metric: "m", is: 1, within: 0.5 }, 1.5)).toBe(true);
        expect(isMet({ metric: "m", at_least: 3, at_most: 4 }, 4)).toBe(true);
        expect(isMet({ metric: "m", at_least: 3, at_most: 4 }, 4.1)).toBe(false);
        expect(isMet({ metric: "m", at_most: 4 }, null)).toBe(false);
    });
    it("verdicts have the worst first", () => {
        const run = sampleRun();
        expect(verdictOf(run, readExpectations(run))).toMatchObject({ tone: "bad", title: "1 of 2 missed" });
        expect(verdictOf(run, [])).toMatchObject({ tone: "plain" });
        const failed = sampleRun((d) => (d.summary = { outcome: "diverged: at 0.2 s: body \"a\"" }));
        expect(verdictOf(failed, [])).toEqual({ tone: "bad", title: "Diverged", text: 'at 0.2 s: body "a"' });
    });
    it("what may be missed with some seeds is no failure of one run", () => {
        const rated = sampleRun((d) => (d.summary = { ...d.summary, expectations: [{ metric: "x", at_least: 1, got: 0, met: false, rate: 0.8, source: "" }] }));
        expect(verdictOf(rated, readExpectations(rated))).toMatchObject({ tone: "plain", title: "0 of 1 met" });
        const certain = sampleRun((d) => (d.summary = { ...d.summary, expectations: [{ metric: "x", at_least: 1, got: 0, met: false, source: "" }] }));
        expect(verdictOf(certain, readExpectations(certain))).toMatchObject({ tone: "bad", title: "1 of 1 missed" });
    });
    it("keys of a scene end where the next begins", () => {
        expect(sceneKey("a: 1 # one\nb:\n  - x\n\n  - y\nc: 2", "b")).toBe("- x\n\n  - y");
        expect(sceneKey("a: 1 # one", "a")).toBe("1");
        expect(sceneKey("aa: 1", "a")).toBeNull();
    });
});

describe("formats", () => {
    it("numbers keep their digits and lose their noise", () => {
        expect(number(0.1 + 0.2)).toBe("0.3");
        expect(number(-1234.5678, 6)).toBe("\u22121234.57");
        expect(number(1e-7)).toBe("1\u00b710\u207b\u2077");
        expect(number(null)).toBe("\u2013");
        expect(number(100)).toBe("100");
        expect(count(1234567)).toBe("1\u202f234\u202f567");
    });
    it("units get their letters, and none where there is none", () => {
        expect(unit("m/s^2")).toBe("m/s\u00b2");
        expect(label("phase", "1")).toBe("phase");
        expect(label("moment", "N m")).toBe("moment [N\u202fm]");
    });
    it("ticks are round and inside", () => {
        expect(ticks(0, 1, 5)).toHaveLength(6);
        expect(ticks(0.13, 0.57, 4).map((t) => number(t))).toEqual(["0.2", "0.4"]);
        expect(ticks(1, 1, 4)).toEqual([1]);
        expect([0.7, 5, 49, 20].map(roundDown)).toEqual([0.5, 5, 20, 20]);
    });
});

describe("the clock of a replay", () => {
    it("runs at its speed, stops at the end and begins again", () => {
        const player = new Player(0, 2);
        let calls = 0;
        player.onChange(() => calls++);
        player.tick(1);
        expect(player.time).toBe(0);
        player.setSpeed(0.5);
        player.play();
        player.tick(1);
        expect(player.time).toBe(0.5);
        player.tick(10);
        expect([player.time, player.playing]).toEqual([2, false]);
        player.play();
        expect(player.time).toBe(0);
        player.seek(99);
        expect(player.time).toBe(2);
        player.seek(NaN);
        expect(player.time).toBe(0);
        expect(calls).toBe(7);
    });
    it("the stretch of time that plots show stays within the run", () => {
        const span = new Span(0, 10);
        let calls = 0;
        span.onChange(() => calls++);
        span.set(8, 14);
        expect([span.from, span.to, span.whole]).toEqual([8, 10, false]);
        span.set(5, 5);
        span.set(8, 10);
        expect(calls).toBe(1);
        span.reset();
        expect([span.whole, calls]).toEqual([true, 2]);
    });
});
