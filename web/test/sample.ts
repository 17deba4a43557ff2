// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A small run made up for tests: a box of 2 kg with two legs of 1 kg (a hinge each) slides along x at 0.5 m/s. Leg L carries in the first half of each second, leg R in
// the second half, and at 0 s both begin as the clock says. Everything about it is known in closed form.
import type { RunDocument } from "../src/core/protocol";
import { type Run, readRun } from "../src/core/document";

/** Parts of a message: external recordings, and of earlier versions, lack some. */
export type Loose<T> = T extends (infer U)[] ? Loose<U>[] : T extends object ? { [K in keyof T]?: Loose<T[K]> } : T;
type Geom = Loose<NonNullable<RunDocument["model"]>["geoms"][number]>;

export const ROWS = 301;
export const STEP = 0.01; // [s]

export function floats(values: number[]): string {
    return Buffer.from(new Float32Array(values).buffer).toString("base64");
}

function series(width: number, value: (t: number) => number[]): string {
    const all: number[] = [];
    for (let i = 0; i < ROWS; i++) all.push(...value(i * STEP).slice(0, width));
    return floats(all);
}

// Half a step ahead, so that rounding does not decide at the edge of a stance.
const leftCarries = (t: number): boolean => (t + 0.5 * STEP) % 1 < 0.5;

const LEG = { type: "hinge" as const, parent: 0, ref: 0, pos: [0, 0, 0], rotation: [1, 0, 0, 0, 0, -1, 0, 1, 0] };

function geom(body: number, shape: string, size: number[], pos: number[], quat = [1, 0, 0, 0]): Geom {
    return { name: null, body, shape, size, mesh: -1, pos, quat, rgba: [0.7, 0.7, 0.7, 1], role: "both" };
}

const ALONG_Y = [Math.SQRT1_2, Math.SQRT1_2, 0, 0]; // turns the z axis of a capsule into the y axis of its leg
const GEOMS: Geom[] = [
    geom(-1, "plane", [0, 0, 0], [0, 0, 0.08]),
    geom(0, "box", [0.15, 0.1, 0.05], [0, 0, 0]),
    ...[1, 2].flatMap((leg) => [geom(leg, "capsule", [0.02, 0.19, 0], [0, -0.2, 0], ALONG_Y), geom(leg, "sphere", [0.02, 0, 0], [0, -0.4, 0])]),
];

export function sampleDocument(): Loose<RunDocument> {
    return {
        footfall: 1,
        summary: { time: 3, steps: 3000, evaluations: 9000, wall: 0.5, outcome: "finished", metrics: { "walk.speed.mean": 0.5, "walk.bob": 0.007 } },
        scene: {
            path: "sample.yaml",
            title: "Sample",
            description: "A box with two legs",
            text: 'footfall: 1\nsolver: {method: rk4, step: 1e-3}\nexpect:\n  - {metric: walk.speed.mean, is: 0.5, within: 0.01, source: "given, in closed form"}\n  - {metric: walk.bob, at_most: 0.005}\ntime: 3\n',
        },
        model: {
            name: "box",
            nq: 9,
            nv: 8,
            mass: 4,
            gravity: [0, 0, -10],
            nodes: [
                { type: "free", parent: -1, qadr: 0, ref: 0, pos: [0, 0, 0], rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
                { ...LEG, qadr: 7, pos: [0, 0.1, 0] },
                { ...LEG, qadr: 8, pos: [0, -0.1, 0] },
            ],
            bodies: [
                { name: "trunk", parent: -1, node: 0, pos: [0, 0, 0], quat: [1, 0, 0, 0], mass: 2, com: [0, 0, 0] },
                { name: "left", parent: 0, node: 1, pos: [0, 0, 0], quat: [1, 0, 0, 0], mass: 1, com: [0, -0.2, 0] },
                { name: "right", parent: 0, node: 2, pos: [0, 0, 0], quat: [1, 0, 0, 0], mass: 1, com: [0, -0.2, 0] },
            ],
            frames: [
                { name: "L_foot", body: 1, pos: [0, -0.4, 0] },
                { name: "R_foot", body: 2, pos: [0, -0.4, 0] },
            ],
            legs: [
                { name: "L", frame: 0, radius: 0.02 },
                { name: "R", frame: 1, radius: 0.02 },
            ],
            limbs: ["L", "R"].map((name, i) => ({ name, kind: "foot" as const, body: i + 1, pos: [0, -0.4, 0], quat: [1, 0, 0, 0], radius: 0.02, bodies: [] })),
            geoms: GEOMS,
            joints: [],
        },
        decimation: { rate_hz: 100, kept: ROWS, of: 3001, how: "every tenth sample" },
        time: series(1, (t) => [t]),
        channels: [
            { name: "q", unit: "m, rad, 1", columns: [], data: series(9, (t) => [0.5 * t, 0, 0.5, 1, 0, 0, 0, 0.1 * Math.sin(t), 0]) },
            { name: "feet.force", unit: "N", columns: ["L.x", "L.y", "L.z", "R.x", "R.y", "R.z"], data: series(6, (t) => (leftCarries(t) ? [0, 0, 40, 0, 0, 0] : [0, 0, 0, 0, 0, 40])) },
            { name: "walk.speed", unit: "m/s", columns: [], data: series(1, () => [0.5]) },
        ],
        events: [],
    };
}

export function sampleRun(change: (d: Loose<RunDocument>) => void = () => undefined): Run {
    const document = sampleDocument();
    change(document);
    return readRun(JSON.stringify(document));
}
