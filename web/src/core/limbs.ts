// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact of feet and hands: force and centre of pressure of each, from a frame of the studio or from a recording. A limb in the air has no centre of pressure: it is NaN there.
import { type Limb, type Model, SECTIONS } from "./protocol";
import type { Run } from "./document";

/** Numbers of a limb in a frame. */
export const LIMB = SECTIONS.limbs.width;
const FORCE = SECTIONS.limbs.columns.force_x;
const COP = SECTIONS.limbs.columns.cop_x;

/** Called for each limb in contact, with its centre of pressure and force. */
export type Visit = (limb: number, x: number, y: number, z: number, fx: number, fy: number, fz: number) => void;

/** Calls a function for the limbs in contact in a frame, rows of at least LIMB numbers. */
export function pressing(rows: { width: number; count: number; data: Float32Array }, visit: Visit): void {
    const { width, count, data } = rows;
    for (let limb = 0, i = 0; limb < count && width >= LIMB; limb++, i += width) {
        const p = i + COP;
        const f = i + FORCE;
        if (Number.isFinite(data[p])) visit(limb, data[p], data[p + 1], data[p + 2], data[f], data[f + 1], data[f + 2]);
    }
}

/** Name of a limb for display: "foot FL", "hand left". */
export function limbName(limb: Limb): string {
    return `${limb.kind} ${limb.name}`;
}

/** The limb that a body belongs to: named by it, or carrying its frame. */
export function limbOf(model: Partial<Model>, body: number): Limb | undefined {
    return (model.limbs ?? []).find((l) => (l.bodies.length > 0 ? l.bodies.includes(body) : l.body === body));
}

/** One limb over time, 3 numbers a row; null what was not recorded. */
export interface Pressure {
    limb: Limb;
    cop: Float32Array | null;
    force: Float32Array | null;
    /** Moment about the origin of its frame. */
    moment: Float32Array | null;
    /** Position of that origin. */
    pos: Float32Array | null;
}

/** All limbs of a run. */
export function readPressures(run: Run): Pressure[] {
    const vectors = (name: string): Float32Array | null => {
        const channel = run.channel(name);
        return channel?.columns.length === 3 ? channel.data : null;
    };
    const places = run.channel("feet.pos");
    const legs = run.legs.length;
    // feet are recorded in one channel, or in one each
    const place = (foot: number): Float32Array | null => {
        if (places?.columns.length !== 3 * legs || foot >= legs) return null;
        return Float32Array.from({ length: 3 * run.rows }, (_, i) => places.data[3 * (legs * Math.floor(i / 3) + foot) + (i % 3)]);
    };
    return (run.model?.limbs ?? []).map((limb, i) => {
        const name = `${limb.kind === "foot" ? "feet" : "hands"}.${limb.name}`;
        return { limb, cop: vectors(`${name}.cop`), force: vectors(`${name}.force`), moment: vectors(`${name}.moment`), pos: vectors(`${name}.pos`) ?? place(i) };
    });
}

/** Moment about the vertical at the centre of pressure: the rest of what presses on a limb, beside its force [N m]. NaN where something of it is not known. */
export function turningAt({ cop, force, moment, pos }: Pressure, row: number): number {
    if (!cop || !force || !moment || !pos) return NaN;
    const i = 3 * row;
    return moment[i + 2] - (cop[i] - pos[i]) * force[i + 1] + (cop[i + 1] - pos[i + 1]) * force[i];
}
