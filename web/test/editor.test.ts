// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The model editor without its page: spans, numbers as they are written, undo, and finding entries.
import { describe, expect, it } from "vitest";
import type { Outline, OutlineNode, Robot, Scene } from "../src/core/protocol";
import { besides, builtUpon } from "../src/studio/editor_files";
import { jointsOf, posesOf } from "../src/studio/editor_joints";
import { Bytes, History, inRange, literal, namesIn, numberProblem, rangeText, replaceSpan, shiftSpans, stepped, yamlText } from "../src/studio/editor_text";
import { changes, entryAt, makerOf, snapshot, spine, tidyPath, Tree, visible } from "../src/studio/editor_tree";

const TEXT = "bodies:\n  b: {mass: 1.5, box: [1 mm, 2]} # g\u00fcnstig \u{1f916}\n  c: {mass: 3}\n";

/** Span of the n-th occurrence of a word, in bytes. */
function bytesOf(word: string): { begin: number; end: number } {
    const at = Buffer.byteLength(TEXT.slice(0, TEXT.indexOf(word)));
    return { begin: at, end: at + Buffer.byteLength(word) };
}

function outline(): Outline {
    const nodes: OutlineNode[] = [
        { parent: -1, key: "bodies", kind: "map", role: "bodies", line: 1, column: 1, at: 2, from: 3, begin: 8, end: Buffer.byteLength(TEXT) - 1 },
        { parent: 0, key: "b", kind: "map", role: "body", line: 2, column: 3, at: 2, from: 6, makes: ["L_b", "R_b"] },
        { parent: 1, key: "mass", kind: "number", role: "number", line: 2, column: 7, at: 2, from: 13, ...bytesOf("1.5"), text: "1.5", value: 1.5, unit: "kg", low: 0 },
        { parent: 1, key: "box", kind: "list", role: "number", line: 2, column: 18, at: 2, from: 23 },
        { parent: 3, kind: "number", role: "number", line: 2, column: 24, at: 2, from: 24, ...bytesOf("1 mm"), text: "1 mm", value: 0.001, unit: "m" },
        { parent: 3, kind: "number", role: "number", line: 2, column: 30, at: 2, from: 30, ...bytesOf("2]"), text: "2", value: 2, unit: "m" },
        { parent: 0, key: "c", kind: "map", role: "body", line: 3, column: 3, at: 3, from: 6, makes: ["c"] },
        { parent: 6, key: "mass", kind: "number", role: "number", line: 3, column: 7, at: 3, from: 13, ...bytesOf("3}"), text: "3", value: 3, unit: "kg" },
    ];
    for (const n of nodes) if (n.text === "2" || n.text === "3") n.end = (n.begin ?? 0) + 1;
    return { format: "native", editable: true, nodes };
}

describe("spans", () => {
    it("are found behind letters of any length", () => {
        const bytes = new Bytes(TEXT);
        const { begin, end } = bytesOf("3}");
        expect(TEXT.slice(bytes.at(begin), bytes.at(end))).toBe("3}");
        expect(bytes.at(1e6)).toBe(TEXT.length);
        expect(new Bytes("abc").at(2)).toBe(2);
    });
    it("change nothing but themselves", () => {
        expect(replaceSpan("a: 1 # one", { begin: 3, end: 4 }, "2.5 mm")).toBe("a: 2.5 mm # one");
        expect(replaceSpan("a:", { begin: 2, end: 2 }, "1")).toBe("a: 1");
    });
    it("move with the text, so that edits can follow each other without asking", () => {
        const bytes = new Bytes(TEXT);
        const { nodes } = outline();
        for (const n of nodes) {
            if (n.begin !== undefined) n.begin = bytes.at(n.begin);
            if (n.end !== undefined) n.end = bytes.at(n.end);
        }
        let text = TEXT;
        const put = (i: number, value: string): void => {
            const n = nodes[i] as { begin: number; end: number };
            const span = { begin: n.begin, end: n.end };
            text = replaceSpan(text, span, value);
            shiftSpans(nodes, span, value.length);
            expect(text.slice(n.begin, n.end)).toBe(value);
        };
        put(2, "12.25");
        put(7, "4e-3");
        put(4, "7");
        put(2, "0");
        put(5, "side / 2");
        expect(text).toBe("bodies:\n  b: {mass: 0, box: [7, side / 2]} # g\u00fcnstig \u{1f916}\n  c: {mass: 4e-3}\n");
        expect(nodes[0]?.end).toBe(text.length - 1);
    });
});

describe("values", () => {
    it("are refused where they would end the value and begin something else", () => {
        for (const fine of ["1", "-2.5 mm", "2 * (a + b)^2", "90 deg/s", "40 %"]) expect(numberProblem(fine)).toBe("");
        for (const bad of ["", "1, 2", "1 # x", "{a: 1}", "*anchor", "- 1", "1: 2", "a'b", "[1]"]) expect(numberProblem(bad)).not.toBe("");
    });
    it("are quoted where YAML would take them for something else", () => {
        expect(yamlText("left_", false)).toBe("left_");
        expect(yamlText("left_", true)).toBe('"left_"');
        for (const word of ["yes", "1.5", "a: b", "# x", "", "*x", "a #b", "nul\u00e4"]) expect(yamlText(word, false)).toBe(JSON.stringify(word));
    });
    it("keep unit, digits and exponent when they are stepped", () => {
        const step = (text: string, steps: number, factor?: number): string => stepped(literal(text) ?? { value: NaN, digits: "", unit: "" }, steps, factor);
        expect(step("0.15", 1)).toBe("0.16");
        expect(step("0.80", 2)).toBe("0.82");
        expect(step("45 deg", -1)).toBe("44 deg");
        expect(step("45 deg", 1, 0.1)).toBe("45.1 deg");
        expect(step("0 deg", 1)).toBe("1 deg");
        expect(step("4e-7", 1)).toBe("4.1e-7");
        expect(step("1e-3", -1)).toBe("9e-4");
        expect(step("1200 rad/s", 1)).toBe("1300 rad/s");
        expect(step("-0.01", 10)).toBe("0.000"); // not -0
        expect(step("1.5", 1, 10)).toBe("2.5");
        expect(literal("2 * a")).toBeNull();
        expect(literal("a")).toBeNull();
    });
    it("come back when a drag goes back", () => {
        const start = literal("0.097");
        if (!start) throw new Error("no number");
        const size = 0.001;
        expect(stepped(start, 120, 1, size)).toBe("0.217");
        expect(stepped(start, 0, 1, size)).toBe("0.097");
    });
    it("name the constants in them", () => {
        expect(namesIn("-90 deg - femur_stand + 2 * sin(a) / pi")).toEqual(["femur_stand", "a"]);
        expect(namesIn("1200 rad/s")).toEqual([]);
    });
    it("have ranges in words", () => {
        expect(rangeText({ low: 0, above: true })).toBe("above 0");
        expect(rangeText({ low: 0, high: 1 })).toBe("0 to 1");
        expect(rangeText({ nonzero: true })).toBe("not 0");
        expect(rangeText({})).toBe("");
        expect(inRange(0, { low: 0, above: true })).toBe(false);
        expect(inRange(0, { low: 0 })).toBe(true);
        expect(inRange(2, { low: 0, high: 1 })).toBe(false);
    });
});

describe("history", () => {
    it("goes back and forth", () => {
        const h = new History("a");
        h.push("b", "first");
        h.push("c", "second");
        expect([h.undoes, h.undo(), h.undo(), h.undo()]).toEqual(["second", "b", "a", "a"]);
        expect([h.redoes, h.redo(), h.redo(), h.redo()]).toEqual(["first", "b", "c", "c"]);
        h.undo();
        h.push("d", "third");
        expect(h.canRedo).toBe(false);
        expect(h.undo()).toBe("b");
    });
    it("takes a gesture as one change, and none where it ends where it began", () => {
        const h = new History("0");
        for (const text of ["1", "2", "3"]) h.push(text, "mass");
        h.seal();
        h.push("4", "mass");
        expect([h.undo(), h.undo()]).toEqual(["3", "0"]);
        h.push("1", "length");
        h.push("0", "length");
        expect(h.canUndo).toBe(false);
    });
    it("forgets the oldest", () => {
        const h = new History("0", 3);
        for (let i = 1; i < 9; i++) h.push(String(i), `${i}`);
        expect([h.undo(), h.undo(), h.undo()]).toEqual(["7", "6", "6"]);
    });
});

describe("files", () => {
    it("get names beside others", () => {
        expect(besides("robots/arm.urdf", [])).toBe("robots/arm.yaml");
        expect(besides("robots/arm.yaml", ["robots/arm.yaml", "robots/arm-2.yaml"])).toBe("robots/arm-3.yaml");
        expect(tidyPath("experiments/../robots/./a.yaml")).toBe("robots/a.yaml");
    });
    it("build upon URDF with what its joints have", () => {
        const place = { line: 1, column: 1 };
        const text = (parent: number, key: string, value: string): OutlineNode => ({ parent, key, kind: "text", text: value, ...place });
        const tree = new Tree({
            format: "urdf",
            editable: false,
            name: "arm",
            nodes: [{ parent: -1, key: "j 1", kind: "map", role: "joint", ...place }, text(0, "type", "hinge"), text(0, "lower", "-2"), text(0, "upper", "2"), text(0, "effort", "5")],
        });
        expect(builtUpon("robots/arm.urdf", tree)).toMatch(/import: \{file: "arm.urdf"\}\njoints:\n {2}"j 1": \{damping: 0, range: \[-2, 2\], effort: 5\}\n$/);
    });
});

describe("joints and poses", () => {
    const place = { line: 1, column: 1 };
    it("are those of one robot, with its own names", () => {
        const model = {
            joints: [
                { name: "a_root", type: "free", qadr: 0 },
                { name: "a_hip", type: "hinge", qadr: 7, limited: true, range: [-1, 2] },
                { name: "b_hip", type: "hinge", qadr: 8, limited: false, range: [0, 0] },
            ],
            nodes: [{ type: "hinge", parent: -1, qadr: 7, ref: 0.5, pos: [], rotation: [] }],
        };
        const scene = { generation: 1, path: "", title: "", model } as unknown as Scene;
        expect(jointsOf(scene, { name: "a", prefix: "a_", body: 0, joints: [0, 1] } as unknown as Robot)).toEqual([{ name: "a_hip", short: "hip", type: "hinge", qadr: 7, low: -1, high: 2, ref: 0.5 }]);
        expect(jointsOf(scene, { name: "b", prefix: "b_", body: 1, joints: [2] } as unknown as Robot)[0]).toMatchObject({ low: -Math.PI, high: Math.PI, ref: 0 });
    });
    it("of a file may name joints by patterns, the later lines winning", () => {
        const tree = new Tree({
            format: "native",
            editable: true,
            nodes: [
                { parent: -1, key: "poses", kind: "map", ...place },
                { parent: 0, key: "stand", kind: "map", ...place },
                { parent: 1, key: "*_hip", kind: "number", text: "1", value: 1, ...place },
                { parent: 1, key: "L_hip", kind: "number", text: "2", value: 2, ...place },
            ],
        });
        const lines = posesOf(tree).get("stand") ?? [];
        const value = (name: string): number | undefined => lines.find(([pattern]) => pattern.test(name))?.[1];
        expect([value("L_hip"), value("R_hip"), value("L_hipster")]).toEqual([2, 1, undefined]);
    });
});

describe("tree", () => {
    it("names entries the same in all versions", () => {
        const tree = new Tree(outline());
        expect(tree.paths).toContain("bodies/b/box/1");
        expect(tree.find("bodies/c/mass")).toBe(7);
        expect(tree.isVector(3)).toBe(true);
        expect(tree.isGroup(1)).toBe(true);
    });
    it("finds by words and roles, with what stands above", () => {
        const tree = new Tree(outline());
        expect(visible(tree, "", "all")).toBeNull();
        expect([...(visible(tree, "c mass", "all") ?? [])].sort()).toEqual([0, 6, 7]);
        expect([...(visible(tree, "R_b mass", "bodies") ?? [])].sort()).toEqual([0, 1, 2]);
        expect(visible(tree, "nowhere", "all")?.size).toBe(0);
    });
    it("leaves open what leads to the entries of a filter", () => {
        const tree = new Tree(outline());
        expect([...spine(tree, "bodies")]).toEqual([0]);
        expect(spine(tree, "joints").size).toBe(0);
    });
    it("finds what a message is about", () => {
        const tree = new Tree(outline());
        expect(entryAt(tree, 2, 13)).toBe(2); // at the value
        expect(entryAt(tree, 2, 3)).toBe(1); // at the key
        expect(entryAt(tree, 2, 15)).toBe(2); // inside the value
        expect(entryAt(tree, 9, 1)).toBe(-1);
    });
    it("finds who makes a body", () => {
        const tree = new Tree(outline());
        expect(makerOf(tree, "body", "R_b")).toBe(1);
        expect(makerOf(tree, "body", "x")).toBe(-1);
    });
    it("lists what was changed", () => {
        const now = outline();
        now.nodes[2].text = "1.6";
        expect([...changes(new Tree(now), snapshot(new Tree(outline())))]).toEqual([["bodies/b/mass", "1.5"]]);
    });
});
