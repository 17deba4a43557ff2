// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { decodeFloats, readRun } from "../src/core/document";
import { floats, ROWS, sampleRun } from "./sample";

describe("documents", () => {
    it("numbers come back as the floats they were", () => {
        expect([...decodeFloats(floats([0, 1.5, -2, 1e30]))]).toEqual([0, 1.5, -2, Math.fround(1e30)]);
    });
    it("text that is no run is refused in words", () => {
        expect(() => readRun("{")).toThrow(/not valid JSON/);
        expect(() => readRun("null")).toThrow(/no run of Footfall/);
        expect(() => readRun('{"footfall": 2}')).toThrow(/version 2/);
        expect(() => readRun('{"footfall": 1}')).toThrow(/no samples/);
        expect(() => readRun('{"footfall": 1, "time": "!"}')).toThrow(/base64/);
        expect(() => readRun('{"footfall": 1, "time": "AAA="}')).toThrow(/2 bytes/);
    });
    it("a channel that does not fit is left out and named; the rest stays", () => {
        const run = sampleRun((d) => d.channels?.push({ name: "odd", columns: ["a", "b"], data: floats([1, 2, 3]) }, { name: "bad", data: "*" }));
        expect(run.channel("odd")).toBeNull();
        expect(run.channel("q")?.columns.length).toBe(9);
        expect(run.problems.join("\n")).toMatch(/odd: 3 numbers/);
        expect(run.problems.join("\n")).toMatch(/bad: .*base64/);
    });
    it("a mesh whose corners do not exist is named, not drawn", () => {
        const corners = Buffer.from(new Uint32Array([0, 1, 9]).buffer).toString("base64");
        const run = sampleRun((d) => (d.meshes = [{ vertices: floats([0, 0, 0, 1, 0, 0, 0, 1, 0]), triangles: corners }]));
        expect(run.meshes).toEqual([null]);
        expect(run.problems[0]).toMatch(/mesh 0: a corner is out of range/);
    });
    it("a time finds the last row not after it", () => {
        const run = sampleRun();
        expect(run.rowAt(-1)).toBe(0);
        expect(run.rowAt(0.1549)).toBe(15);
        expect(run.rowAt(99)).toBe(ROWS - 1);
        for (let i = 0; i < ROWS; i++) expect(run.rowAt(run.time[i])).toBe(i);
    });
});
