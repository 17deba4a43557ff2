// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { Body, Model, Node } from "../src/core/protocol";
import { completeModel } from "../src/core/document";
import { blendPoses, Kinematics, POSE, poseSource } from "../src/core/poses";
import { fromMatrix, multiply, place } from "../src/core/rotation";
import { floats, type Loose, ROWS, sampleRun } from "./sample";

const EYE = [1, 0, 0, 0, 1, 0, 0, 0, 1];

function chain(nodes: Loose<Node>[]): Model {
    const all = nodes.map((n, i): Node => ({ type: "hinge", parent: i - 1, qadr: i, vadr: i, ref: 0, pos: [0, 0, 0], rotation: EYE, mass: 1, first_moment: [0, 0, 0], inertia_origin: [0, 0, 0, 0, 0, 0], ...n }));
    const bodies = all.map((_, i): Body => ({ name: `b${i}`, parent: i - 1, node: i, pos: [0, 0, 0], quat: [1, 0, 0, 0], mass: 1, com: [0, 0, 0], inertia: [0, 0, 0, 0, 0, 0] }));
    return completeModel({ nq: all.length, nv: all.length, nodes: all, bodies });
}

function near(got: ArrayLike<number>, wanted: number[], digits = 12): void {
    wanted.forEach((w, i) => expect(got[i]).toBeCloseTo(w, digits));
}

describe("rotations", () => {
    it("matrices of all four branches become the quaternion that turns alike", () => {
        const half = (axis: number[], angle: number): number[] => [Math.cos(angle / 2), ...axis.map((a) => a * Math.sin(angle / 2))];
        for (const q of [half([0, 0, 1], 0.3), half([1, 0, 0], 3), half([0, 1, 0], 3), half([0, 0, 1], 3), half([0.6, 0.8, 0], 2.5)]) {
            const m: number[] = new Array<number>(9).fill(0);
            for (let c = 0; c < 3; c++) {
                const axis = [0, 0, 0];
                axis[c] = 1;
                const out = [0, 0, 0];
                place(out, 0, [0, 0, 0], 0, q, 0, axis, 0);
                for (let r = 0; r < 3; r++) m[3 * r + c] = out[r];
            }
            const back = fromMatrix(m);
            const sign = Math.sign(back[0] * q[0] + back[1] * q[1] + back[2] * q[2] + back[3] * q[3]);
            near(back.map((v) => sign * v), q);
        }
    });
    it("a quarter turn twice is a half turn", () => {
        const quarter = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];
        const out = [0, 0, 0, 0];
        multiply(out, 0, quarter, 0, quarter, 0);
        near(out, [0, 0, 0, 1]);
    });
});

describe("poses", () => {
    it("a planar arm of two links is where trigonometry says", () => {
        const arm = chain([{}, { pos: [0.3, 0, 0] }, { type: "slide", pos: [0.2, 0, 0], rotation: [0, 0, 1, 0, 1, 0, -1, 0, 0] }]);
        const out = new Float64Array(3 * POSE);
        const [a, b, s] = [0.7, -1.1, 0.05];
        new Kinematics(arm).place([a, b, s], 0, out);
        near(out.subarray(POSE), [0.3 * Math.cos(a), 0.3 * Math.sin(a), 0]);
        near(out.subarray(2 * POSE), [0.3 * Math.cos(a) + 0.25 * Math.cos(a + b), 0.3 * Math.sin(a) + 0.25 * Math.sin(a + b), 0]);
    });
    it("reference positions of joints count as zero", () => {
        const out = new Float64Array(POSE);
        new Kinematics(chain([{ ref: 0.4 }])).place([0.4], 0, out);
        near(out, [0, 0, 0, 1, 0, 0, 0]);
    });
    it("a ball joint turns by its quaternion about its place", () => {
        const out = new Float64Array(2 * POSE);
        new Kinematics(chain([{ type: "ball", pos: [0, 0, 1] }, { qadr: 4, pos: [1, 0, 0] }])).place([Math.SQRT1_2, 0, 0, Math.SQRT1_2, 0], 0, out);
        near(out.subarray(POSE), [0, 1, 1, Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
    });
    it("the best recorded source is taken", () => {
        const base = { name: "base.pos", columns: [], data: floats(new Array<number>(3 * ROWS).fill(1)) };
        const quat = { name: "base.quat", columns: [], data: floats(Array.from({ length: 4 * ROWS }, (_, i) => (i % 4 === 0 ? 1 : 0))) };
        expect(poseSource(sampleRun()).kind).toBe("q");
        const poor = poseSource(sampleRun((d) => (d.channels = [base, quat])));
        expect(poor.kind).toBe("base");
        expect(poor.known).toEqual([true, false, false]);
        const out = new Float64Array(3 * POSE);
        poor.read(5, out);
        near(out, [1, 1, 1, 1, 0, 0, 0]);
        expect(poseSource(sampleRun((d) => (d.channels = []))).kind).toBe("none");
        const named = [base, quat].map((c) => ({ ...c, name: c.name.replace("base", "bodies.left") }));
        expect(poseSource(sampleRun((d) => (d.channels = named))).known).toEqual([false, true, false]);
    });
    it("half-way between two poses lies half-way", () => {
        const a = Float64Array.from([0, 0, 0, 1, 0, 0, 0]);
        const b = Float64Array.from([2, 4, 6, -Math.cos(0.2), 0, 0, -Math.sin(0.2)]); // the same turn with the other sign
        const out = new Float64Array(POSE);
        blendPoses(a, b, 0.5, out);
        near(out, [1, 2, 3, Math.cos(0.1), 0, 0, Math.sin(0.1)]);
    });
});
