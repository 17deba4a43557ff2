// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Leader and twin: their difference, curves of both with the difference below, and where they part.
import { number, unit } from "../core/format";
import type { Twin, TwinChannel, TwinColumn } from "../core/protocol";
import { firstPairs, type TwinPair, twinPairs } from "../core/twin";
import { h } from "../view/dom";
import { Plot } from "../view/plot";
import { type Context, section } from "./report";

const SHOWN_FIRST = 3;

function row(context: Context, c: TwinChannel): HTMLElement {
    const value = (v: number | null): string => (v === null ? "\u2013" : `${number(v, 3)} ${unit(c.unit)}`.trim());
    const at = c.parted;
    const parted = at === undefined ? "\u2013" : h("button", { class: "chip", click: () => context.player.seek(at) }, `${number(at, 4)} s`);
    const where = c.at === null ? "" : `${c.column ? `${c.column}, ` : ""}${number(c.at, 4)} s`;
    return h("tr", {}, h("td", {}, h("code", {}, c.name)), h("td", { class: "number" }, value(c.rms)), h("td", { class: "number" }, value(c.most)), h("td", {}, where), h("td", {}, parted));
}

function table(context: Context, twin: Twin): HTMLElement {
    const head = ["Channel", "RMS difference", "Greatest", "Where", "5 % of its range at"];
    const rows = twin.channels.filter((c) => c.samples > 0 && c.name !== "q");
    return h(
        "div",
        { class: "scroll" },
        h("table", { class: "dense" }, h("thead", {}, h("tr", {}, ...head.map((t, i) => h("th", { class: i === 1 || i === 2 ? "number" : "" }, t)))), h("tbody", {}, ...rows.map((c) => row(context, c)))),
    );
}

function plots(context: Context, p: TwinPair): Plot[] {
    const { run } = context;
    const values = (channel: TwinPair["leader"]): Float64Array => run.column(channel, p.column);
    const both = [
        { name: "leader", values: values(p.leader), hue: 0 },
        { name: "twin", values: values(p.twin), hue: 1, ghost: true },
    ];
    const apart = [{ name: "twin \u2212 leader", values: values(p.difference), hue: 2 }];
    return [
        new Plot({ title: p.name, unit: p.leader.unit, time: context.time, series: both, height: 180 }, context.player, context.span),
        new Plot({ title: `difference of ${p.name}`, unit: p.difference.unit, time: context.time, series: apart, height: 130, include: [0] }, context.player, context.span),
    ];
}

function chooser(pairs: TwinPair[], add: (p: TwinPair) => void): HTMLElement {
    const list = h("select", { "aria-label": "Column of both robots" }, h("option", { value: "" }, "Plot another column \u2026"), ...pairs.map((p, i) => h("option", { value: String(i) }, p.name)));
    list.addEventListener("change", () => {
        if (list.value !== "") add(pairs[Number(list.value)]);
        list.value = "";
    });
    return h("p", { class: "screen-only" }, list);
}

function parting(context: Context, twin: Twin): HTMLElement | null {
    const p = twin.parting;
    if (!p) return null;
    return h("p", {}, h("button", { class: "chip screen-only", click: () => context.player.seek(p.t) }, `Show ${number(p.t, 4)} s, where they part`));
}

/** Columns of a recording with a low correlation. */
function doubts(twin: Twin): HTMLElement | null {
    const doubtful = twin.alignment?.columns.filter((c) => c.doubt) ?? [];
    if (doubtful.length === 0) return null;
    const name = (c: TwinColumn): string => (c.column ? `${c.channel}.${c.column}` : c.channel);
    return h("ul", {}, ...doubtful.map((c) => h("li", {}, h("code", {}, name(c)), `: correlation ${number(c.correlation ?? NaN, 3)} at this offset: ${c.doubt}`)));
}

/** The section about the twin; empty without a twin. */
export function twinSection(context: Context): HTMLElement[] {
    const twin = context.run.summary.twin;
    const pairs = twinPairs(context.run);
    if (!twin && pairs.length === 0) return [];
    const place = h("div", { class: "plots" });
    const add = (p: TwinPair): void => place.prepend(...plots(context, p).map((plot) => plot.element));
    for (const p of firstPairs(pairs, SHOWN_FIRST).reverse()) add(p);
    const text = twin ? h("p", {}, twin.text) : h("p", {}, "Sensors of two robots with one controller.");
    return [section("twin", "Twin", text, twin ? doubts(twin) : null, twin ? parting(context, twin) : null, twin ? table(context, twin) : null, pairs.length > 0 ? chooser(pairs, add) : null, place)];
}
