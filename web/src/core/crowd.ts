// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The robots of a batch as the page has them: a row of numbers for each shown robot, its place on a grid, and its colour, by its outcome or by one of its numbers.
import type { BatchColumn } from "./protocol";

/** State of a robot, as in rows. */
export const ENDS = ["lives", "diverged", "fell", "finished"] as const;
export type End = (typeof ENDS)[number];
/** Colours go by the end of a robot. */
export const BY_END = "outcome";

/** Name of a column for display. */
export function columnName(name: string): string {
    return name.split("_").join(" ");
}

/** One instant of a batch: rows of end, columns and q. */
export interface CrowdRows {
    width: number;
    count: number;
    /** Row i is robot i x stride. */
    stride: number;
    robots: number;
    data: Float32Array;
}

export type Rgb = readonly [number, number, number];

/** Colour at a share of a ramp of colours, 0 to 1; clamped outside. */
export function rampAt(ramp: readonly Rgb[], share: number): Rgb {
    const at = Math.max(0, Math.min(1, share)) * (ramp.length - 1);
    const i = Math.min(ramp.length - 2, Math.floor(at));
    const f = at - i;
    const [a, b] = [ramp[i], ramp[i + 1]];
    return [a[0] + f * (b[0] - a[0]), a[1] + f * (b[1] - a[1]), a[2] + f * (b[2] - a[2])];
}

/** Values at the two ends of the colours: 5 and 95 % of all robots, so that one that flew away does not take them all. Null: all robots have the same value. */
export function colorRange(column: BatchColumn): [number, number] | null {
    const { low, high } = column;
    if (low === null || high === null || !(high > low)) return null;
    return [low, high];
}

export interface Paints {
    ends: Record<End, Rgb>;
    ramp: readonly Rgb[];
    /** Colour of a missing number. */
    none: Rgb;
}

/** Colour of each row, three numbers a row. `column`: its number among the columns, -1: by the end. */
export function paintRows(rows: CrowdRows, column: number, range: [number, number] | null, paints: Paints, out: Float32Array): void {
    for (let i = 0, at = 0; i < rows.count; i++, at += rows.width) {
        const end = ENDS[rows.data[at]] ?? "diverged";
        const value = rows.data[at + 1 + column];
        const share = range ? (value - range[0]) / (range[1] - range[0]) : 0.5;
        const rgb = column < 0 ? paints.ends[end] : Number.isFinite(share) ? rampAt(paints.ramp, share) : paints.none;
        out.set(rgb, 3 * i);
    }
}

/** Cells of a square grid, one for each of `count` robots, with the origin in the middle: row by row, x ahead, y to the left; the first is at the rear right. */
export class CrowdGrid {
    readonly columns: number;
    readonly rows: number;

    constructor(
        count: number,
        readonly cell: number,
    ) {
        this.columns = Math.max(1, Math.ceil(Math.sqrt(count)));
        this.rows = Math.max(1, Math.ceil(count / this.columns));
    }

    /** Middle of a cell [m]. */
    place(i: number): [x: number, y: number] {
        const row = Math.floor(i / this.columns);
        const column = i - row * this.columns;
        return [(row - (this.rows - 1) / 2) * this.cell, (column - (this.columns - 1) / 2) * this.cell];
    }
}
