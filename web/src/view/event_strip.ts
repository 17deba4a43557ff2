// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The time line below a scrub bar: a stroke for each event, coloured by its group, steps low and faint; events with a duration have a bar of that length. A click leads to the event nearest to the pointer, which is named under it.
import type { RunEvent } from "../core/protocol";
import { EVENT_GROUPS, groupOf, lastBefore } from "../core/events";
import type { Player } from "../core/player";
import { svg } from "./dom";

const WIDE = 1000; // of the drawing, whatever the page makes of it
const HIGH = 15;

/** The event whose time is nearest; steps only where nothing else is as near as `reach` seconds. */
export function nearest(events: RunEvent[], t: number, reach: number): RunEvent | null {
    let best: RunEvent | null = null;
    let least = Infinity;
    for (let i = Math.max(0, lastBefore(events, t - reach)); i < events.length && events[i].t <= t + reach; i++) {
        const off = Math.abs(events[i].t - t) + (groupOf(events[i]) === "steps" ? reach : 0);
        if (off > least) continue;
        least = off;
        best = events[i];
    }
    return least <= 2 * reach ? best : null;
}

export function eventStrip(events: RunEvent[], player: Player): SVGElement {
    const span = player.end - player.start || 1;
    const title = svg("title", {}, "");
    const strip = svg("svg", { class: "event-strip", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": "Events over time" }, title);
    for (const [group] of EVENT_GROUPS) {
        const of = events.filter((e) => groupOf(e) === group);
        const top = group === "steps" ? HIGH - 6 : 1;
        const x = (t: number): string => ((WIDE * (Math.min(t, player.end) - player.start)) / span).toFixed(1);
        const d = of.map((e) => `M${x(e.t)} ${top}V${HIGH - 1}${e.seconds === undefined ? "" : `H${x(e.t + (e.seconds ?? Infinity))}`}`).join("");
        if (d) strip.append(svg("path", { class: group, d }));
    }
    const under = (event: MouseEvent): RunEvent | null => {
        const box = strip.getBoundingClientRect();
        const second = span / Math.max(1, box.width); // of a pixel
        return nearest(events, player.start + (event.clientX - box.left) * second, 6 * second);
    };
    strip.addEventListener("pointermove", (event) => {
        const found = under(event);
        title.textContent = found ? `${found.t.toFixed(3)} s: ${found.what}` : "";
    });
    strip.addEventListener("click", (event) => {
        const found = under(event);
        if (found) player.seek(found.t);
    });
    return strip;
}
