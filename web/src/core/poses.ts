// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Poses of all bodies in a sample of a recording. Of three sources the first that was recorded is used:
//     q                      all coordinates: the nodes of the model are walked, parents first;
//     bodies.NAME.pos, .quat each body by itself;
//     base.pos, base.quat    the root of the first robot and what is fixed to it; all else is not drawn.
// Node in the world = parent * (pos, rotation) * motion of its joint (hinge: about z by q - ref; slide: along z by q - ref; ball: quaternion; free:
// position and quaternion instead of all that); body = its node * (pos, quat). Bodies without a node are fixed to the world.
import type { Model } from "./protocol";
import type { Channel, Run } from "./document";
import { blend, fromMatrix, multiply, place } from "./rotation";

export const POSE = 7; // numbers of a pose: position x y z [m], quaternion w x y z

export interface PoseSource {
    readonly kind: "q" | "bodies" | "base" | "none";
    /** Whether each body has a pose. */
    readonly known: boolean[];
    /** Poses of all bodies in a row of the recording, POSE numbers each. */
    read(row: number, out: Float64Array): void;
}

const ORIGIN = [0, 0, 0];
const UNTURNED = [1, 0, 0, 0];

/** Poses of all bodies from the coordinates q, read at an offset. */
export class Kinematics {
    private readonly rest: number[][];
    private readonly nodes: Float64Array;
    private readonly turn = new Float64Array(8);
    private readonly way = new Float64Array(3);

    constructor(private readonly model: Model) {
        this.rest = model.nodes.map((n) => fromMatrix(n.rotation));
        this.nodes = new Float64Array(POSE * model.nodes.length);
    }

    place(q: Float32Array | Float64Array | number[], at: number, out: Float64Array): void {
        const w = this.nodes;
        const { nodes, bodies } = this.model;
        for (let i = 0; i < nodes.length; i++) this.placeNode(i, nodes[i].parent, q, at + nodes[i].qadr);
        for (let i = 0; i < bodies.length; i++) {
            const body = bodies[i];
            const o = POSE * i;
            const inWorld = body.node < 0;
            const p = inWorld ? ORIGIN : w;
            const from = inWorld ? UNTURNED : w;
            const n = inWorld ? 0 : POSE * body.node;
            place(out, o, p, n, from, inWorld ? 0 : n + 3, body.pos, 0);
            multiply(out, o + 3, from, inWorld ? 0 : n + 3, body.quat, 0);
        }
    }

    private placeNode(i: number, parent: number, q: Float32Array | Float64Array | number[], a: number): void {
        const node = this.model.nodes[i];
        const w = this.nodes;
        const o = POSE * i;
        if (node.type === "free") {
            for (let k = 0; k < POSE; k++) w[o + k] = q[a + k];
            return;
        }
        const pp = parent < 0 ? ORIGIN : w;
        const pq = parent < 0 ? UNTURNED : w;
        const n = parent < 0 ? 0 : POSE * parent;
        const nq = parent < 0 ? 0 : n + 3;
        const turn = this.turn;
        place(w, o, pp, n, pq, nq, node.pos, 0);
        multiply(turn, 0, pq, nq, this.rest[i], 0);
        if (node.type === "slide") {
            this.way[2] = q[a] - node.ref;
            for (let k = 0; k < 4; k++) w[o + 3 + k] = turn[k];
            place(w, o, w, o, turn, 0, this.way, 0);
            return;
        }
        if (node.type === "ball") for (let k = 0; k < 4; k++) turn[4 + k] = q[a + k];
        else {
            const half = 0.5 * (q[a] - node.ref);
            turn[4] = Math.cos(half);
            turn[5] = turn[6] = 0;
            turn[7] = Math.sin(half);
        }
        multiply(w, o + 3, turn, 0, turn, 4);
    }
}

function fromCoordinates(model: Model, q: Channel): PoseSource {
    const kinematics = new Kinematics(model);
    return {
        kind: "q",
        known: model.bodies.map(() => true),
        read: (row, out) => kinematics.place(q.data, row * model.nq, out),
    };
}

function copyPose(out: Float64Array, o: number, pos: Channel, quat: Channel, row: number): void {
    for (let k = 0; k < 3; k++) out[o + k] = pos.data[3 * row + k];
    for (let k = 0; k < 4; k++) out[o + 3 + k] = quat.data[4 * row + k];
}

function fromBodies(run: Run, model: Model): PoseSource | null {
    const pairs = model.bodies.map((b) => {
        const pos = run.channel(`bodies.${b.name}.pos`);
        const quat = run.channel(`bodies.${b.name}.quat`);
        return pos && quat ? { pos, quat } : null;
    });
    if (pairs.every((p) => p === null)) return null;
    return {
        kind: "bodies",
        known: pairs.map((p, i) => p !== null || model.bodies[i].node < 0),
        read: (row, out) => {
            placeFixed(model, out);
            pairs.forEach((p, i) => {
                if (p) copyPose(out, POSE * i, p.pos, p.quat, row);
            });
        },
    };
}

// Bodies fixed to the world have a constant pose.
function placeFixed(model: Model, out: Float64Array): void {
    model.bodies.forEach((b, i) => {
        if (b.node >= 0) return;
        for (let k = 0; k < 3; k++) out[POSE * i + k] = b.pos[k];
        for (let k = 0; k < 4; k++) out[POSE * i + 3 + k] = b.quat[k];
    });
}

function fromBase(run: Run, model: Model): PoseSource | null {
    const pos = run.channel("base.pos");
    const quat = run.channel("base.quat");
    const root = model.nodes.findIndex((n) => n.type === "free");
    if (!pos || !quat || root < 0) return null;
    return {
        kind: "base",
        known: model.bodies.map((b) => b.node === root || b.node < 0),
        read: (row, out) => {
            placeFixed(model, out);
            model.bodies.forEach((b, i) => {
                if (b.node !== root) return;
                place(out, POSE * i, pos.data, 3 * row, quat.data, 4 * row, b.pos, 0);
                multiply(out, POSE * i + 3, quat.data, 4 * row, b.quat, 0);
            });
        },
    };
}

/** The best source of poses that a run offers. */
export function poseSource(run: Run): PoseSource {
    const model = run.model;
    const none: PoseSource = { kind: "none", known: [], read: () => undefined };
    if (!model) return none;
    const q = run.channel("q");
    if (q && q.columns.length === model.nq && model.nodes.length > 0) return fromCoordinates(model, q);
    return fromBodies(run, model) ?? fromBase(run, model) ?? none;
}

/** Poses between two rows: positions are interpolated linearly, attitudes along the arc. */
export function blendPoses(a: Float64Array, b: Float64Array, f: number, out: Float64Array): void {
    for (let i = 0; i < out.length; i += POSE) {
        for (let k = 0; k < 3; k++) out[i + k] = (1 - f) * a[i + k] + f * b[i + k];
        blend(out, i + 3, a, i + 3, b, i + 3, f);
    }
}
