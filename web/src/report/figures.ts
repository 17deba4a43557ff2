// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The figures of walking: gait diagram, foot forces with those that the controller wants, the walk from above, and the motion of the body.
import { bandOf } from "../core/certificate";
import type { Channel } from "../core/document";
import { marginAt } from "../core/feet";
import { number } from "../core/format";
import { emptyState, h } from "../view/dom";
import { GaitDiagram } from "../view/gait_diagram";
import { Plot, type PlotOptions, type Series } from "../view/plot";
import { SupportView } from "../view/support_view";
import { type Context, section } from "./report";

export function column(data: Float32Array, width: number, at: number): Float64Array {
    const out = new Float64Array(data.length / width);
    for (let i = 0; i < out.length; i++) out[i] = data[width * i + at];
    return out;
}

export function plots(context: Context, list: PlotOptions[]): HTMLElement {
    return h("div", { class: "plots" }, ...list.map((o) => new Plot(o, context.player, context.span).element));
}

export function gaitSection(context: Context): HTMLElement {
    const { feet } = context;
    if (!feet.stances)
        return section("gait", "Gait", emptyState("Foot forces were not recorded", "Add `feet` to `record: {channels: [..]}` to see when which foot carries."));
    const diagram = new GaitDiagram(feet, context.player, context.span);
    const note = h(
        "p",
        { class: "note" },
        `A bar means that the foot carries more than ${number(feet.threshold, 2)} N (0.2 % of the weight). Duty: share of a cycle in stance (metric walk.LEG.duty; without it, over all whole cycles of the run).`,
    );
    return section("gait", "Gait diagram", diagram.element, note);
}

export function footForceSection(context: Context): HTMLElement {
    const { feet, time } = context;
    const force = feet.force;
    if (!force)
        return section("forces", "Foot forces", emptyState("Foot forces were not recorded", "Add `feet` to `record: {channels: [..]}`; `\"control.*.force.wanted\"` shows what the controller wanted."));
    const n = feet.names.length;
    const recorded = context.run.channel("feet.force");
    let most = 0;
    for (let i = 2; i < force.length; i += 3) most = Math.max(most, force[i]);
    const list = feet.names.map((name, leg): PlotOptions => {
        const at = 3 * leg + 2;
        const band = recorded?.columns.length === 3 * n ? bandOf(context.run, recorded, at) : undefined;
        const series: Series[] = [{ name: "vertical", values: column(force, 3 * n, at), hue: leg, band }];
        const wanted = feet.wanted[leg];
        if (wanted) series.push({ name: "wanted", values: Float64Array.from(wanted), reference: true });
        return { title: name, unit: "N", time, series, height: 170, include: [0, most] };
    });
    const known = feet.wanted.some((w) => w !== null);
    const note = known ? "Solid: force of the ground on the foot. Dashed: what the controller wanted." : "The controller reports no wanted forces, or `control.LEG.force.wanted` was not recorded.";
    return section("forces", "Foot forces", plots(context, list), h("p", { class: "note" }, note.replace(/`/g, ""), " All feet have one scale."));
}

export function supportSection(context: Context): HTMLElement {
    const { feet, walkers, run, player, span, time } = context;
    const soles = feet.soles.some((s) => s !== null);
    const single = walkers.length === 1;
    if (!feet.pos || !feet.down || walkers.some((w) => !w.com)) {
        const advice = single ? "Add `feet` and `com` (or `q`, from which both follow)" : "Of several robots only `q` gives each centre of mass: add `feet` and `q`";
        return section("support", "Support", emptyState("Feet or centre of mass were not recorded", `${advice} to \`record: {channels: [..]}\`.`));
    }
    const series = walkers.map((w): Series => {
        const values = new Float64Array(run.rows);
        for (let i = 0; i < run.rows; i++) values[i] = 1000 * marginAt(feet, w, i);
        return { name: single ? "from feet and COM" : w.name, values };
    });
    const margin = run.channel("control.margin");
    if (margin && margin.columns.length === 1 && single)
        series.push({ name: "as the controller sees it", values: column(margin.data, 1, 0).map((v) => 1000 * v), reference: true });
    const view = new SupportView(feet, walkers, context.balances, player, run);
    const plot = new Plot({ title: "Stability margin", unit: "mm", time, series, include: [0] }, player, span);
    const note = h("p", { class: "note" }, `Line: path of the centre of mass (${walkers[0].com?.how ?? ""}). ${soles ? "Outlines" : "Dots"}: where feet stood. Area: the polygon of ${soles ? "the points" : "the feet"} that carry.`);
    return section("support", "Support polygon", view.element, note, plot.element);
}

// Channels of the body by preference; the first one that was recorded is shown.
const BODY: { title: string; channels: string[]; columns?: number[]; scale?: number; unit?: string }[] = [
    { title: "Speed", channels: ["walk.speed", "base.velocity", "com.velocity"] },
    { title: "Height of the body", channels: ["walk.height"], scale: 1000, unit: "mm" },
    { title: "Height of the base", channels: ["base.pos", "com.pos"], columns: [2] },
    { title: "Roll", channels: ["walk.roll"], scale: 180 / Math.PI, unit: "\u00b0" },
    { title: "Pitch", channels: ["walk.pitch"], scale: 180 / Math.PI, unit: "\u00b0" },
    { title: "Turning rate", channels: ["base.spin"] },
];

function bodyPlot(context: Context, channel: Channel, item: (typeof BODY)[number]): PlotOptions {
    const columns = item.columns ?? channel.columns.map((_, i) => i);
    const scale = item.scale ?? 1;
    const series = columns.map((c) => ({ name: channel.columns[c] || channel.name, values: context.run.column(channel, c).map((v) => v * scale), band: bandOf(context.run, channel, c, scale) }));
    return { title: item.title, unit: item.unit ?? channel.unit, time: context.time, series };
}

export function bodySection(context: Context): HTMLElement {
    const list: PlotOptions[] = [];
    for (const item of BODY) {
        if (item.title === "Height of the base" && list.some((o) => o.title === "Height of the body")) continue;
        const name = item.channels.find((c) => context.run.channel(c));
        const channel = name ? context.run.channel(name) : null;
        if (channel) list.push(bodyPlot(context, channel, item));
    }
    if (list.length === 0) return section("body", "Body", emptyState("The motion of the body was not recorded", "Add `base` or `walk` to `record: {channels: [..]}`."));
    return section("body", "Body", plots(context, list));
}
