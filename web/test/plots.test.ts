// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Live plots without a page: the ring keeps the newest rows, decimation loses no peak, the tree holds every channel, choices come back as they were.
import { describe, expect, it } from "vitest";
import { Channels, type Column, ghostOf, withGhosts } from "../src/studio/plots_channels";
import { defaultPlots, legendNames, MOST_PLOTS, type PlotChoice, readChoice, titleOf, toCsv, toggle, writeChoice } from "../src/studio/plots_choice";
import { Ring, Trace } from "../src/studio/plots_ring";

function fill(ring: Ring, from: number, count: number, rate: number, value: (t: number, c: number) => number): void {
    const width = 1 + ring.columns;
    const rows = new Float32Array(count * width);
    for (let i = 0; i < count; i++) {
        rows[i * width] = from + i / rate;
        for (let c = 0; c < ring.columns; c++) rows[i * width + 1 + c] = value(from + i / rate, c);
    }
    ring.push(rows, count, width, [0, 1]);
}

describe("the ring", () => {
    it("keeps the newest rows when it is full", () => {
        const ring = new Ring(1, 100, 100);
        fill(ring, 0, 250, 100, (t) => 2 * t);
        expect(ring.size).toBe(100);
        expect(ring.first).toBeCloseTo(1.5, 6);
        expect(ring.last).toBeCloseTo(2.49, 6);
        for (const row of [0, 37, 99]) expect(ring.valueAt(row, 0)).toBeCloseTo(2 * ring.timeAt(row), 5);
    });
    it("restarts when time goes back, and leaves repeated rows out", () => {
        const ring = new Ring(1, 100, 100);
        fill(ring, 0, 50, 100, () => 1);
        fill(ring, 0.49, 2, 100, () => 2); // the first of them is there already
        expect(ring.size).toBe(51);
        fill(ring, 0, 3, 100, () => 3);
        expect(ring.size).toBe(3);
        expect(ring.valueAt(0, 0)).toBe(3);
    });
    it("takes the columns it was given; those a row does not have are gaps", () => {
        const ring = new Ring(2, 10, 100);
        ring.push(new Float32Array([0, 5]), 1, 2, [0, 2]);
        ring.push(new Float32Array([1, 6, 7, 8]), 1, 4, [0, 2]);
        expect(ring.valueAt(0, 1)).toBeNaN();
        expect([ring.valueAt(1, 0), ring.valueAt(1, 1)]).toEqual([6, 8]);
    });
    it("finds rows by time at, between and beyond its ends", () => {
        const ring = new Ring(1, 64, 10);
        fill(ring, 0, 100, 10, (t) => t);
        expect(ring.nearest(-5)).toBe(0);
        expect(ring.nearest(99)).toBe(63);
        for (let row = 0; row < 64; row++) expect(ring.nearest(ring.timeAt(row) + 0.04)).toBe(row);
        expect(new Ring(1, 4, 1).nearest(0)).toBe(-1);
    });
    it("keeps the history of columns that stay when others are watched", () => {
        const old = new Ring(2, 20, 10);
        fill(old, 0, 30, 10, (t, c) => 100 * c + t);
        const ring = new Ring(2, 20, 10);
        ring.adopt(old, [-1, 1]);
        expect(ring.size).toBe(20);
        expect(ring.valueAt(19, 0)).toBeNaN();
        expect(ring.valueAt(19, 1)).toBeCloseTo(102.9, 4);
    });
});

describe("decimation", () => {
    it("keeps every value where there is room", () => {
        const ring = new Ring(1, 1000, 100);
        fill(ring, 0, 100, 100, (t) => Math.sin(9 * t));
        const out = new Trace(200, 1);
        ring.decimate([0], 0, 1, out);
        expect(out.points).toBe(100);
        expect(out.y[0][40]).toBeCloseTo(Math.sin(3.6), 5);
    });
    it("keeps the least and greatest of each pixel: a peak of one row is drawn at its height and place", () => {
        const ring = new Ring(2, 20000, 1000);
        fill(ring, 0, 10000, 1000, (t, c) => (c === 0 ? (Math.abs(t - 3.777) < 1e-4 ? 500 : 0) : Math.abs(t - 8.123) < 1e-4 ? -70 : 1));
        const out = new Trace(300, 2);
        ring.decimate([0, 1], 0, 10, out);
        expect(out.points).toBeLessThanOrEqual(2 * 300 + 4);
        expect(out.high).toBe(500);
        expect(out.low).toBe(-70);
        const at = out.y[0].subarray(0, out.points).indexOf(500);
        expect(Math.abs(out.x[at] - 3.777)).toBeLessThan(10 / 299); // within its pixel
        expect(out.y[1].subarray(0, out.points).indexOf(-70)).toBeGreaterThan(0);
    });
    it("gives the extremes in the order in which they came: a rise stays a rise", () => {
        const ring = new Ring(2, 5000, 1000);
        fill(ring, 0, 4000, 1000, (t, c) => (c === 0 ? t : -t));
        const out = new Trace(50, 2);
        ring.decimate([0, 1], 0, 4, out);
        for (let i = 1; i < out.points; i++) {
            expect(out.x[i]).toBeGreaterThan(out.x[i - 1]);
            expect(out.y[0][i]).toBeGreaterThan(out.y[0][i - 1]);
            expect(out.y[1][i]).toBeLessThan(out.y[1][i - 1]);
        }
    });
    it("gives the same points of a bucket wherever the window begins", () => {
        const ring = new Ring(1, 5000, 500);
        fill(ring, 0, 5000, 500, (t) => Math.sin(40 * t));
        const points = (from: number): Map<number, number> => {
            const out = new Trace(101, 1);
            ring.decimate([0], from, from + 5, out);
            return new Map(Array.from(out.x.subarray(4, out.points - 4), (x, i) => [x, out.y[0][i + 4]]));
        };
        const a = points(2);
        const b = points(2.013);
        const shared = [...a.keys()].filter((x) => b.has(x));
        expect(shared.length).toBeGreaterThan(180);
        for (const x of shared) expect(b.get(x)).toBe(a.get(x));
    });
    it("breaks lines where nothing is known and where rows are missing", () => {
        const ring = new Ring(1, 100, 100);
        fill(ring, 0, 10, 100, (t) => (t > 0.04 && t < 0.06 ? NaN : 1));
        fill(ring, 1, 10, 100, () => 2);
        const out = new Trace(100, 1);
        ring.decimate([0], 0, 2, out);
        const gaps = Array.from(out.y[0].subarray(0, out.points)).filter((v) => Number.isNaN(v)).length;
        expect(gaps).toBe(2); // the value, and the time between
        expect([out.low, out.high]).toEqual([1, 2]);
    });
    it("an empty ring gives nothing", () => {
        const out = new Trace(10, 1);
        new Ring(1, 10, 10).decimate([0], 0, 1, out);
        expect(out.points).toBe(0);
        expect(out.low > out.high).toBe(true);
    });
});

const ANTON = new Channels([
    { name: "q", unit: "m, rad, 1", columns: 9 },
    { name: "joints.position", unit: "rad", columns: ["neck", "FL_coxa", "FL_femur", "FL_tibia", "FR_coxa"] },
    { name: "joints.FL_coxa.position", unit: "rad", columns: 1 },
    { name: "base.velocity", unit: "m/s", columns: ["x", "y", "z"] },
    { name: "feet.force", unit: "N", columns: ["FL.x", "FL.y", "FL.z", "FR.x", "FR.y", "FR.z"] },
    { name: "walk.speed", unit: "m/s", columns: [] },
    { name: "control.speed", unit: "m/s", columns: 1 },
    { name: "bodies.FL_tibia.contact.force", unit: "N", columns: ["x", "y", "z"] },
]);

describe("channels", () => {
    it("every channel is in the tree once; branches with one twig are joined", () => {
        const tree = ANTON.tree();
        const names: string[] = [];
        const walk = (b: (typeof tree)[number]): void => {
            if (b.channel) names.push(b.channel.name);
            b.branches.forEach(walk);
        };
        tree.forEach(walk);
        expect(names.sort()).toEqual(ANTON.list.map((c) => c.name).sort());
        expect(tree.find((b) => b.path === "bodies.FL_tibia.contact.force")?.name).toBe("bodies.FL_tibia.contact.force");
        expect(tree.find((b) => b.name === "joints")?.count).toBe(2);
    });
    it("searches words in names, columns and units", () => {
        const found = (words: string): string[] => ANTON.find(words).flatMap((f) => f.columns.map((c) => c.key));
        expect(found("feet Z")).toEqual(["feet.force/FL.z", "feet.force/FR.z"]);
        expect(found("m/s speed")).toEqual(["walk.speed", "control.speed"]);
        expect(found("nothing like it")).toEqual([]);
        expect(found("")).toEqual([]);
    });
    it("columns have units of their own where as many are given", () => {
        const wrench = new Channels([{ name: "f", unit: "N, N m", columns: ["a", "b"] }]);
        expect(wrench.list[0].columns.map((c) => c.unit)).toEqual(["N", "N m"]);
        expect(ANTON.column("q/3")?.unit).toBe("m, rad, 1");
    });
});

describe("choices", () => {
    it("a walking robot shows forces, speed and the joints of a leg", () => {
        const plots = defaultPlots(ANTON);
        expect(plots.map((p) => p.columns)).toEqual([
            ["feet.force/FL.z", "feet.force/FR.z"],
            ["walk.speed", "control.speed"],
            ["joints.position/FL_coxa", "joints.position/FL_femur", "joints.position/FL_tibia"],
        ]);
    });
    it("of several robots the joints of one leg are shown, by the whole of its name", () => {
        const two = new Channels([
            { name: "feet.force", unit: "N", columns: ["near_FL.z", "near_FR.z", "far_FL.z"] },
            { name: "joints.position", unit: "rad", columns: ["near_FL_coxa", "near_FL_femur", "near_FR_coxa", "far_FL_coxa"] },
        ]);
        expect(defaultPlots(two)[1]).toEqual({ title: "Joints of leg near_FL", columns: ["joints.position/near_FL_coxa", "joints.position/near_FL_femur"] });
    });
    it("of a biped its balance is shown, and joints of the leg alone", () => {
        const xyz = ["x", "y", "z"];
        const biped = new Channels([
            { name: "feet.force", unit: "N", columns: ["left.z", "right.z"] },
            { name: "joints.position", unit: "rad", columns: ["left_arm", "left_hip", "left_knee", "right_hip"] },
            ...["com.pos", "balance.cop", "balance.dcm"].map((name) => ({ name, unit: "m", columns: xyz })),
            ...["control.tilt.x", "control.tilt.y"].map((name) => ({ name, unit: "rad", columns: [] })),
        ]);
        const legs = ["left", "right"].map((name) => ({ name, joints: [`${name}_hip`, `${name}_knee`] }));
        expect(defaultPlots(biped, legs).map((p) => p.columns)).toEqual([
            ["feet.force/left.z", "feet.force/right.z"],
            ["com.pos/y", "balance.dcm/y", "balance.cop/y"],
            ["control.tilt.x", "control.tilt.y"],
            ["joints.position/left_hip", "joints.position/left_knee"],
        ]);
    });
    it("joints with a reference are shown beside it; what does not walk shows its energy", () => {
        const arm = new Channels([
            { name: "joints.position", unit: "rad", columns: ["a", "b"] },
            { name: "control.b.reference", unit: "rad", columns: [] },
            { name: "energy.total", unit: "J", columns: [] },
        ]);
        expect(defaultPlots(arm).map((p) => p.columns)).toEqual([["control.b.reference", "joints.position/b"], ["energy.total"]]);
        expect(defaultPlots(new Channels([]))).toEqual([]);
    });
    it("a column joins the plot in work if its unit fits, else has its own; a second click removes it", () => {
        const column = (key: string): Column => ANTON.column(key)!;
        let s: { plots: PlotChoice[]; active: number } = { plots: [], active: -1 };
        s = toggle(s.plots, column("walk.speed"), s.active, ANTON);
        s = toggle(s.plots, column("base.velocity/x"), s.active, ANTON);
        s = toggle(s.plots, column("feet.force/FL.z"), s.active, ANTON);
        expect(s.plots.map((p) => p.columns)).toEqual([["walk.speed", "base.velocity/x"], ["feet.force/FL.z"]]);
        expect(s.active).toBe(1);
        s = toggle(s.plots, column("feet.force/FL.z"), s.active, ANTON);
        expect(s.plots.map((p) => p.columns)).toEqual([["walk.speed", "base.velocity/x"]]);
    });
    it("no more plots than can be seen", () => {
        const full = Array.from({ length: MOST_PLOTS }, () => ({ title: "", columns: ["walk.speed"] }));
        expect(toggle(full, ANTON.column("feet.force/FL.z")!, 0, ANTON).refused).toMatch(/remove one/);
    });
    it("comes back as it was written, without what the scene has no longer", () => {
        const plots = [{ title: "Mine", columns: ["walk.speed", "gone"] }, { title: "", columns: ["gone/x"] }];
        expect(readChoice(writeChoice(plots, 30), ANTON)).toEqual({ plots: [{ title: "Mine", columns: ["walk.speed"] }], window: 30 });
        expect(readChoice(writeChoice([], 5), ANTON)).toEqual({ plots: [], window: 5 }); // nothing was chosen on purpose
        for (const bad of [null, "", "{", "[]", '{"plots": 3}', '{"plots": [["a", "gone"]]}']) {
            const read = readChoice(bad, ANTON);
            expect(read === null || read.plots.length === 0).toBe(true);
        }
    });
    it("names lines shortly and plots by what they share", () => {
        const c = (keys: string[]): Column[] => keys.map((k) => ANTON.column(k)!);
        expect(legendNames(c(["feet.force/FL.z", "feet.force/FR.z"]))).toEqual(["FL", "FR"]);
        expect(legendNames(c(["feet.force/FL.x", "feet.force/FL.z"]))).toEqual(["FL.x", "FL.z"]);
        expect(legendNames(c(["walk.speed", "control.speed"]))).toEqual(["walk.speed", "control.speed"]);
        expect(titleOf(c(["feet.force/FL.z", "feet.force/FR.z"]))).toBe("feet.force");
        expect(titleOf(c(["joints.position/neck", "joints.FL_coxa.position"]))).toBe("joints");
    });
    it("exports rows with units, empty cells where nothing is known", () => {
        const columns = [ANTON.column("walk.speed")!, ANTON.column("feet.force/FL.z")!];
        const text = toCsv(columns, 2, (r) => r / 200, (r, c) => (r === 1 && c === 1 ? NaN : 0.5 + c));
        expect(text).toBe("time [s],walk.speed [m/s],feet.force FL.z [N]\n0,0.5,1.5\n0.005,0.5,\n");
    });
});

describe("a second robot", () => {
    it("has its line behind that of the first, where the program has one", () => {
        const channels = new Channels([
            { name: "feet.force", unit: "N", columns: ["FL.z", "FR.z"] },
            { name: "walk.speed", unit: "m/s", columns: [""] },
            { name: "twin.feet.force.FL.z", unit: "N", columns: [""] },
            { name: "twin.walk.speed", unit: "m/s", columns: [""] },
        ]);
        const chosen = ["feet.force/FR.z", "feet.force/FL.z", "walk.speed"].flatMap((k) => channels.column(k) ?? []);
        const lines = withGhosts(chosen, channels);
        expect(lines.map((c) => c.key)).toEqual(["feet.force/FR.z", "feet.force/FL.z", "walk.speed", "twin.feet.force.FL.z", "twin.walk.speed"]);
        expect(lines.map((_, i) => ghostOf(lines, i))).toEqual([-1, -1, -1, 1, 2]);
    });
    it("is a line of its own where the first is not drawn", () => {
        const channels = new Channels([{ name: "twin.walk.speed", unit: "m/s", columns: [""] }]);
        const lines = withGhosts(channels.list[0].columns, channels);
        expect(lines.length).toBe(1);
        expect(ghostOf(lines, 0)).toBe(-1);
    });
});
