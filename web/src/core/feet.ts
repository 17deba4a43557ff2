// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Feet and centre of mass over time, gathered from whatever was recorded: places and forces of the feet, which feet carry, when they touched and
// left the ground, and the polygon they span. What a run lacks is null here, and pages say so.
import type { Model } from "./protocol";
import type { Run } from "./document";
import { POSE, type PoseSource } from "./poses";
import { pointsOf, signalOf } from "./signals";
import { hull, margin, type Point } from "./polygon";
import { place } from "./rotation";

/** Feet whose force is below this share of the weight count as lifted, because sensors and solvers give small forces. */
export const CARRIES = 0.002;

export interface Stance {
    from: number;
    to: number;
}
export interface Feet {
    names: string[];
    radius: number[];
    /** Centres, 3 numbers a foot, row after row [m]. */
    pos: Float32Array | null;
    /** Force of the ground, 3 numbers a foot, row after row [N]. */
    force: Float32Array | null;
    /** Commanded vertical force of each foot [N]; null: the controller reports none. */
    wanted: (Float32Array | null)[];
    /** Points that carry, x y each, row after row, with their number of columns; null where they were not recorded. */
    soles: ({ data: Float32Array; width: number } | null)[];
    /** 1 if a foot carries, else 0; a number a foot, row after row. */
    down: Uint8Array | null;
    stances: Stance[][] | null;
    /** Share of a cycle in stance, as the program measured it over the steps that count, else over all whole cycles; null: fewer than two. */
    duty: (number | null)[];
    threshold: number;
}

// One channel of all feet, or the channels of single feet joined.
function gather(run: Run, names: string[], what: string): Float32Array | null {
    const all = run.channel(`feet.${what}`);
    if (all && all.columns.length === 3 * names.length) return all.data;
    const each = names.map((n) => run.channel(`feet.${n}.${what}`));
    if (names.length === 0 || each.some((c) => c === null || c.columns.length !== 3)) return null;
    const out = new Float32Array(3 * names.length * run.rows);
    each.forEach((c, leg) => {
        for (let i = 0; i < run.rows; i++)
            for (let k = 0; k < 3; k++) out[3 * (names.length * i + leg) + k] = (c as { data: Float32Array }).data[3 * i + k];
    });
    return out;
}

// The centres of the feet are frames of the model: with all poses known they need not be recorded.
function feetFromPoses(run: Run, poses: PoseSource): Float32Array | null {
    const model = run.model;
    if (!model || model.legs.length === 0) return null;
    const frames = model.legs.map((l) => model.frames[l.frame]);
    if (frames.some((f) => !f || !poses.known[f.body])) return null;
    const at = new Float64Array(POSE * model.bodies.length);
    const out = new Float32Array(3 * frames.length * run.rows);
    for (let i = 0; i < run.rows; i++) {
        poses.read(i, at);
        frames.forEach((f, leg) => place(out, 3 * (frames.length * i + leg), at, POSE * f.body, at, POSE * f.body + 3, f.pos, 0));
    }
    return out;
}

/** Intervals in which a foot carries, from samples; a change lies half-way between two. */
export function stancesOf(time: Float32Array, down: Uint8Array, legs: number, leg: number): Stance[] {
    const out: Stance[] = [];
    const last = time.length - 1;
    let from = NaN;
    for (let i = 0; i <= last; i++) {
        const carries = down[legs * i + leg] === 1;
        if (carries && Number.isNaN(from)) from = i === 0 ? time[0] : 0.5 * (time[i - 1] + time[i]);
        if (!carries && !Number.isNaN(from)) {
            out.push({ from, to: 0.5 * (time[i - 1] + time[i]) });
            from = NaN;
        }
    }
    if (!Number.isNaN(from)) out.push({ from, to: time[last] });
    return out;
}

/** Share of the time in stance over whole cycles, from the first touch-down to the last; null with fewer than two. */
export function dutyOf(stances: Stance[], start: number): number | null {
    const whole = stances.filter((s) => s.from > start);
    if (whole.length < 2) return null;
    const span = whole[whole.length - 1].from - whole[0].from;
    return whole.slice(0, -1).reduce((sum, s) => sum + s.to - s.from, 0) / span;
}

export function readFeet(run: Run, poses: PoseSource): Feet {
    const names = run.legs.map((l) => l.name);
    const n = names.length;
    const force = gather(run, names, "force");
    const gravity = Math.hypot(...(run.model?.gravity ?? [0, 0, 9.81]));
    const threshold = CARRIES * (run.model?.mass ?? 0) * gravity;
    let down: Uint8Array | null = null;
    if (force) {
        down = new Uint8Array(n * run.rows);
        for (let i = 0; i < down.length; i++)
            down[i] = Math.hypot(force[3 * i], force[3 * i + 1], force[3 * i + 2]) > threshold ? 1 : 0;
    }
    const found = down;
    const stances = found ? names.map((_, leg) => stancesOf(run.time, found, n, leg)) : null;
    return {
        names,
        radius: run.legs.map((l) => l.radius),
        pos: gather(run, names, "pos") ?? feetFromPoses(run, poses),
        force,
        wanted: names.map((leg) => signalOf(run, leg, ["#.force.wanted", "wanted.#"])),
        soles: names.map((leg) => {
            const sole = run.channel(`soles.${leg}`);
            return sole && { data: sole.data, width: sole.columns.length };
        }),
        down,
        stances,
        duty: names.map((leg, i) => run.summary.metrics?.[`walk.${leg}.duty`] ?? dutyOf(stances?.[i] ?? [], run.start)),
        threshold,
    };
}

export interface Track {
    pos: Float32Array;
    /** "recorded", or how it was computed. */
    how: string;
}

/** Owner of a support polygon and a centre of mass: a robot with legs, or the whole scene if no robot has legs. */
export interface Walker {
    name: string;
    /** Indices of its feet. */
    legs: number[];
    com: Track | null;
}

function rootOf(model: Model, body: number): number {
    let node = model.bodies[body]?.node ?? -1;
    while (node >= 0 && model.nodes[node].parent >= 0) node = model.nodes[node].parent;
    return node;
}

// Centre of mass of some bodies over time, from their poses.
function comOf(run: Run, model: Model, poses: PoseSource, belongs: (body: number) => boolean): Track | null {
    if (poses.kind !== "q") return null;
    const bodies = model.bodies.map((b, i) => ({ ...b, i })).filter((b) => b.node >= 0 && b.mass > 0 && belongs(b.i));
    const mass = bodies.reduce((sum, b) => sum + b.mass, 0);
    if (!(mass > 0)) return null;
    const at = new Float64Array(POSE * model.bodies.length);
    const point = [0, 0, 0];
    const out = new Float32Array(3 * run.rows);
    for (let row = 0; row < run.rows; row++) {
        poses.read(row, at);
        for (const b of bodies) {
            place(point, 0, at, POSE * b.i, at, POSE * b.i + 3, b.com, 0);
            for (let k = 0; k < 3; k++) out[3 * row + k] += (b.mass / mass) * point[k];
        }
    }
    return { pos: out, how: "computed from q" };
}

/** The walkers of a run. A single one has the recorded centre of mass; those of several are computed from q. */
export function readWalkers(run: Run, poses: PoseSource): Walker[] {
    const model = run.model;
    const recorded = run.channel("com.pos");
    const track: Track | null = recorded && recorded.columns.length === 3 ? { pos: recorded.data, how: "recorded" } : null;
    if (!model) return [{ name: "", legs: [], com: track }];
    const roots = model.legs.map((l) => rootOf(model, model.frames[l.frame]?.body ?? -1));
    const different = [...new Set(roots)];
    if (different.length < 2) return [{ name: model.name, legs: model.legs.map((_, i) => i), com: track ?? comOf(run, model, poses, () => true) }];
    return different.map((root) => ({
        name: model.bodies.find((_, i) => rootOf(model, i) === root)?.name ?? "", // its base, as in names of channels
        legs: roots.flatMap((r, i) => (r === root ? [i] : [])),
        com: comOf(run, model, poses, (body) => rootOf(model, body) === root),
    }));
}

/** Corners of the support polygon of some feet in one row, of the points that carry where they were recorded, else of the middles of the feet; empty while nothing is known. */
export function supportAt(feet: Feet, legs: number[], row: number): Point[] {
    const n = feet.names.length;
    const points: Point[] = [];
    for (const leg of legs) {
        const i = n * row + leg;
        const sole = feet.soles[leg];
        if (sole) points.push(...pointsOf(sole.data, sole.width, row));
        else if (feet.pos && feet.down?.[i]) points.push([feet.pos[3 * i], feet.pos[3 * i + 1]]);
    }
    return hull(points);
}

/** Stability margin in one row [m]; NaN while no foot carries or the centre of mass is unknown. */
export function marginAt(feet: Feet, walker: Walker, row: number): number {
    const { com, legs } = walker;
    return com ? margin([com.pos[3 * row], com.pos[3 * row + 1]], supportAt(feet, legs, row)) : NaN;
}
