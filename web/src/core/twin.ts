// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Comparison with a second robot: channels twin.NAME and difference.NAME of the recording.
import type { Channel, Run } from "./document";

/** One column of both robots. */
export interface TwinPair {
    leader: Channel;
    twin: Channel;
    difference: Channel;
    column: number;
    /** "base.pos.x" */
    name: string;
    /** Largest difference, as a share of the range of the leader; not finite if that is zero. */
    share: number;
}

function largest(run: Run, channel: Channel, column: number, of: (v: number) => number): number {
    let most = -Infinity;
    for (const v of run.column(channel, column)) if (Number.isFinite(v)) most = Math.max(most, of(v));
    return most;
}

function pairOf(run: Run, leader: Channel, twin: Channel, difference: Channel, column: number): TwinPair {
    const range = largest(run, leader, column, (v) => v) + largest(run, leader, column, (v) => -v);
    const name = leader.columns[column] ? `${leader.name}.${leader.columns[column]}` : leader.name;
    return { leader, twin, difference, column, name, share: largest(run, difference, column, Math.abs) / range };
}

/** All columns that leader and twin have, in the order of their names. Orientations are left out: they differ by other columns than they have. */
export function twinPairs(run: Run): TwinPair[] {
    const pairs: TwinPair[] = [];
    for (const difference of run.channels.values()) {
        if (!difference.name.startsWith("difference.")) continue;
        const name = difference.name.slice("difference.".length);
        const leader = run.channel(name);
        const twin = run.channel(`twin.${name}`);
        if (!leader || !twin || leader.columns.length !== difference.columns.length) continue;
        for (let i = 0; i < leader.columns.length; i++)
            if (largest(run, difference, i, Math.abs) >= 0) pairs.push(pairOf(run, leader, twin, difference, i));
    }
    return pairs.sort((a, b) => a.name.localeCompare(b.name));
}

/** The column of each channel that differs most for its range; channels that matter most come first. */
export function firstPairs(pairs: TwinPair[], most: number): TwinPair[] {
    const order = ["base.pos", "joints.position", "feet.force", "sensors"];
    const rank = (p: TwinPair): number => {
        const at = order.findIndex((o) => p.leader.name === o || p.leader.name.startsWith(`${o}.`));
        return at < 0 ? order.length : at;
    };
    const best = new Map<string, TwinPair>();
    for (const p of pairs) {
        const before = best.get(p.leader.name);
        if (Number.isFinite(p.share) && p.leader.name !== "q" && (!before || p.share > before.share)) best.set(p.leader.name, p);
    }
    return [...best.values()].sort((a, b) => rank(a) - rank(b) || b.share - a.share).slice(0, most);
}
