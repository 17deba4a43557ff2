// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of events: a click moves the replay to it; the latest event is marked. Groups can be left out; where a robot walks, its steps are at first, if there is anything else.
import { EVENT_GROUPS, type EventGroup, type EventList, groupOf, lastBefore } from "../core/events";
import type { Player } from "../core/player";
import { emptyState, h } from "../view/dom";
import { section } from "./report";

const MOST = 1000; // rows; beyond that a page gets slow and nobody reads

export function eventSection(player: Player, list: EventList): HTMLElement {
    const { events, origin } = list;
    if (events.length === 0) return section("events", "Events", emptyState("No events were recorded", "Events are what happened during a run: touch-downs, falls, pushes, commands."));
    const groups = EVENT_GROUPS.filter(([group]) => events.some((e) => groupOf(e) === group));
    const wanted = new Set<EventGroup>(groups.map(([group]) => group));
    if (groups.length > 1) wanted.delete("steps");
    const box = h("ol", { class: "events" });
    const scroll = h("div", { class: "events-box", tabindex: "0" }, box);
    const note = h("p", { class: "note" });
    let shown = events;
    let rows: HTMLElement[] = [];
    let current = -1;
    const mark = (): void => {
        const now = lastBefore(shown, player.time);
        if (now === current) return;
        rows[current]?.classList.remove("current");
        current = now;
        rows[current]?.classList.add("current");
        if (!scroll.matches(":hover")) scroll.scrollTop = Math.max(0, (rows[current]?.offsetTop ?? 0) - 0.5 * scroll.clientHeight);
    };
    const fill = (): void => {
        const chosen = events.filter((e) => wanted.has(groupOf(e)));
        shown = chosen.slice(0, MOST);
        rows = shown.map((e) =>
            h("li", {}, h("button", { class: "event", click: () => player.seek(e.t) }, h("span", { class: `dot ${groupOf(e)}` }), h("time", {}, `${e.t.toFixed(3)} s`), h("span", {}, e.what))),
        );
        box.replaceChildren(...rows);
        const words = [origin === "feet" ? "Found from the foot forces in the recording." : "", chosen.length > MOST ? `The first ${MOST} of ${chosen.length} events.` : ""];
        note.textContent = words.filter((t) => t).join(" ");
        note.hidden = note.textContent === "";
        current = -1;
        mark();
    };
    const chips = groups.map(([group, name]) => {
        const check = h("input", { type: "checkbox", checked: wanted.has(group) });
        check.addEventListener("change", () => {
            if (check.checked) wanted.add(group);
            else wanted.delete(group);
            fill();
        });
        return h("label", { class: "chip" }, check, `${name} (${events.filter((e) => groupOf(e) === group).length})`);
    });
    fill();
    player.onChange(mark);
    return section("events", "Events", groups.length > 1 ? h("div", { class: "group event-groups screen-only", role: "group", "aria-label": "Kinds of events" }, ...chips) : null, scroll, note);
}
