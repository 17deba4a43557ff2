// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Events of the document, or, if it lists none, touch-downs and lift-offs of the feet; and external forces among them, over time.
import type { RunEvent } from "./protocol";
import type { Run } from "./document";
import type { Feet } from "./feet";

export type EventGroup = "steps" | "forces" | "commands" | "controller" | "falls" | "others";
export interface EventList {
    events: RunEvent[];
    /** Source of the events, for display. */
    origin: "recorded" | "feet" | "none";
}

/** Groups of events on the page, with their kinds. */
export const EVENT_GROUPS: [EventGroup, string, string[]][] = [
    ["steps", "Steps", ["touchdown", "liftoff"]],
    ["forces", "Pushes", ["push", "pull", "force"]],
    ["commands", "Commands", ["command"]],
    ["controller", "Controller", ["status", "calm"]],
    ["falls", "Falls", ["fall", "rise"]],
    ["others", "Others", []],
];

export function groupOf(event: RunEvent): EventGroup {
    return EVENT_GROUPS.find(([, , kinds]) => kinds.includes(event.kind ?? ""))?.[0] ?? "others";
}

export function readEvents(run: Run, feet: Feet): EventList {
    const given = (run.document.events ?? []).filter((e) => Number.isFinite(e.t));
    if (given.length > 0) return { events: [...given].sort((a, b) => a.t - b.t), origin: "recorded" };
    if (!feet.stances) return { events: [], origin: "none" };
    const events: RunEvent[] = [];
    feet.stances.forEach((stances, leg) => {
        for (const s of stances) {
            if (s.from > run.start) events.push({ t: s.from, kind: "touchdown", what: `${feet.names[leg]} touches down` });
            if (s.to < run.end) events.push({ t: s.to, kind: "liftoff", what: `${feet.names[leg]} lifts off` });
        }
    });
    return { events: events.sort((a, b) => a.t - b.t), origin: events.length > 0 ? "feet" : "none" };
}

/** The last event that is not after t, in a list by time; -1: none. */
export function lastBefore(events: RunEvent[], t: number): number {
    let low = 0;
    let high = events.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (events[middle].t <= t) low = middle + 1;
        else high = middle;
    }
    return low - 1;
}

/** A force on a point of a body for a while. */
export interface Outside {
    from: number;
    to: number;
    body: number;
    point: number[]; // in its frame [m]
    force: number[] | null; // world axes [N]; null: it changes, and the channels `push.force.*` have it
    byHand: boolean; // by the user, not by the scene
}

const isVector = (v: unknown): v is number[] => Array.isArray(v) && v.length === 3 && v.every((x) => Number.isFinite(x));

/** Pushes, pulls and forces of the scene; those that do not fit the model are ignored. */
export function readOutside(run: Run): Outside[] {
    const bodies = run.model?.bodies.length ?? 0;
    const out: Outside[] = [];
    for (const e of run.document.events ?? []) {
        const { t, body, point, force, seconds } = e;
        if (!Number.isFinite(t) || body === undefined || !(body >= 0 && body < bodies) || !isVector(point)) continue;
        if (!isVector(force) && e.kind !== "pull") continue;
        out.push({ from: t, to: typeof seconds === "number" ? t + seconds : Infinity, body, point, force: isVector(force) ? force : null, byHand: e.kind !== "force" });
    }
    return out;
}

const HANDS = ["push.force.x", "push.force.y", "push.force.z"];

/** The force of one of them in a row, into out. That of a pull is what was recorded of all hands, less the pushes at that time; false where it is not known. */
export function outsideForce(run: Run, all: Outside[], one: Outside, row: number, out: number[]): boolean {
    const { force } = one;
    if (force) {
        for (let k = 0; k < 3; k++) out[k] = force[k];
        return true;
    }
    for (let k = 0; k < 3; k++) {
        const channel = run.channel(HANDS[k]);
        if (!channel) return false;
        out[k] = channel.data[row];
    }
    const t = run.time[row];
    for (const o of all) {
        if (o === one || !o.byHand || t < o.from || t >= o.to) continue;
        if (!o.force) return false; // two pulls cannot be distinguished
        for (let k = 0; k < 3; k++) out[k] -= o.force[k];
    }
    return true;
}
