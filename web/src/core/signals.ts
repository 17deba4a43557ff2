// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Channels of a recording that belong to a leg: signals of its controller, and its contact points.
import type { Run } from "./document";
import type { Point } from "./polygon";

/** Points of a foot that carry, in one row of `soles.LEG`: x y each, up to the first that is none. */
export function pointsOf(data: Float32Array, width: number, row: number): Point[] {
    const out: Point[] = [];
    for (let i = width * row; i + 1 < width * (row + 1) && Number.isFinite(data[i]); i += 2) out.push([data[i], data[i + 1]]);
    return out;
}

/** A signal of the controller that drives a leg; of several robots, names begin with that of the robot. */
export function signalOf(run: Run, leg: string, names: string[]): Float32Array | null {
    const prefix = leg.slice(0, leg.lastIndexOf(".") + 1);
    for (const name of names) {
        const channel = run.channel(`control.${prefix}${name.replace("#", leg.slice(prefix.length))}`);
        if (channel?.columns.length === 1) return channel.data;
    }
    return null;
}
