// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What happened when: the events of the document, or, where it lists none, touch-downs and lift-offs of the feet.
import type { Run, RunEvent } from "./document";
import type { Feet } from "./feet";

export interface EventList {
    events: RunEvent[];
    /** Where they come from, for the reader. */
    origin: "recorded" | "feet" | "none";
}

export function readEvents(run: Run, feet: Feet): EventList {
    const given = (run.document.events ?? []).filter((e) => Number.isFinite(e.t));
    if (given.length > 0) return { events: [...given].sort((a, b) => a.t - b.t), origin: "recorded" };
    if (!feet.stances) return { events: [], origin: "none" };
    const events: RunEvent[] = [];
    feet.stances.forEach((stances, leg) => {
        for (const s of stances) {
            if (s.from > run.start) events.push({ t: s.from, what: `${feet.names[leg]} touches down` });
            if (s.to < run.end) events.push({ t: s.to, what: `${feet.names[leg]} lifts off` });
        }
    });
    return { events: events.sort((a, b) => a.t - b.t), origin: events.length > 0 ? "feet" : "none" };
}
