// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of events: click one and the replay goes there; the latest that has happened is marked.
import type { EventList } from "../core/events";
import type { Player } from "../core/player";
import { emptyState, h } from "../view/dom";
import { section } from "./report";

const MOST = 1000; // rows; beyond that a page gets slow and nobody reads

export function eventSection(player: Player, list: EventList): HTMLElement {
    const { events, origin } = list;
    if (events.length === 0) return section("events", "Events", emptyState("No events were recorded", "Events are what a run tells of itself: touch-downs, falls, faults, commands."));
    const shown = events.slice(0, MOST);
    const rows = shown.map((e) =>
        h("li", {}, h("button", { class: "event", click: () => player.seek(e.t) }, h("time", {}, `${e.t.toFixed(3)} s`), h("span", {}, e.what))),
    );
    const box = h("div", { class: "events-box", tabindex: "0" }, h("ol", { class: "events" }, ...rows));
    let current = -1;
    player.onChange(() => {
        let low = 0;
        let high = shown.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (shown[middle].t <= player.time) low = middle + 1;
            else high = middle;
        }
        if (low - 1 === current) return;
        rows[current]?.classList.remove("current");
        current = low - 1;
        rows[current]?.classList.add("current");
        if (!box.matches(":hover")) box.scrollTop = Math.max(0, (rows[current]?.offsetTop ?? 0) - 0.5 * box.clientHeight);
    });
    const note = [origin === "feet" ? "Found from the foot forces in the recording." : "", events.length > MOST ? `The first ${MOST} of ${events.length} events.` : ""]
        .filter((t) => t)
        .join(" ");
    return section("events", "Events", box, note ? h("p", { class: "note" }, note) : null);
}
