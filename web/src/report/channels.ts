// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Every channel of the recording, chosen by the user from a list of names, as plots.
import { bandOf } from "../core/certificate";
import type { Channel } from "../core/document";
import { unit } from "../core/format";
import { h } from "../view/dom";
import { Plot } from "../view/plot";
import { type Context, section } from "./report";

const MOST_LINES = 24; // of one plot; more cannot be distinguished

function item(channel: Channel, add: (c: Channel) => void): HTMLElement {
    const u = unit(channel.unit);
    const width = channel.columns.length > 1 ? ` \u00d7${channel.columns.length}` : "";
    return h("li", { "data-name": channel.name }, h("button", { class: "channel", click: () => add(channel) }, h("code", {}, channel.name), h("span", {}, `${u}${width}`)));
}

function tree(channels: Channel[], add: (c: Channel) => void): HTMLElement {
    const groups = new Map<string, Channel[]>();
    for (const c of channels) {
        const key = c.name.split(".")[0];
        groups.set(key, [...(groups.get(key) ?? []), c]);
    }
    const list = [...groups].map(([key, members]) =>
        h("details", {}, h("summary", {}, `${key} (${members.length})`), h("ul", {}, ...members.map((c) => item(c, add)))),
    );
    return h("div", { class: "channel-tree" }, ...list);
}

export function channelSection(context: Context): HTMLElement {
    const { run } = context;
    const place = h("div", { class: "plots" });
    const add = (channel: Channel): void => {
        const columns = channel.columns.slice(0, MOST_LINES);
        const left = channel.columns.length - columns.length;
        const plot: Plot = new Plot(
            {
                title: channel.name,
                unit: channel.unit,
                time: context.time,
                series: columns.map((name, i) => ({ name: name || channel.name, values: run.column(channel, i), band: bandOf(run, channel, i) })),
                note: left > 0 ? `The first ${MOST_LINES} of ${channel.columns.length} columns.` : "",
                onClose: () => plot.destroy(),
            },
            context.player,
            context.span,
        );
        place.prepend(plot.element);
    };
    const channels = [...run.channels.values()].sort((a, b) => a.name.localeCompare(b.name));
    const filter = h("input", { type: "search", placeholder: "Filter channels", "aria-label": "Filter channels" });
    const list = tree(channels, add);
    filter.addEventListener("input", () => {
        const wanted = filter.value.trim();
        for (const group of list.querySelectorAll("details")) {
            let any = false;
            for (const li of group.querySelectorAll("li")) {
                li.hidden = !(li.dataset.name ?? "").includes(wanted);
                any ||= !li.hidden;
            }
            group.hidden = !any;
            group.open = wanted !== "" && any;
        }
    });
    return section(
        "channels",
        "Channels",
        h("p", { class: "note screen-only" }, `${channels.length} channels were recorded. Choose one to plot it; drag in a plot to zoom all, double click to see everything, click to move the replay.`),
        h("div", { class: "channel-picker screen-only" }, filter, list),
        place,
    );
}
