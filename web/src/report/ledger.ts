// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The energy ledger: energy stored, put in and lost, and the residual of the balance,
//     stored at the start + work + outside + loops + residual = stored at the end + lost.
import { bandOf } from "../core/certificate";
import { number } from "../core/format";
import type { Energy } from "../core/protocol";
import { emptyState, h } from "../view/dom";
import { Plot, type Series } from "../view/plot";
import { type Context, section } from "./report";

interface Entry {
    name: string;
    keys: (keyof Energy)[];
}
const IN: Entry[] = [
    { name: "stored at the start", keys: ["start"] },
    { name: "work of drives and held forces", keys: ["work"] },
    { name: "from outside", keys: ["outside"] },
    { name: "closing loops", keys: ["loops"] },
];
const OUT: Entry[] = [
    { name: "kinetic", keys: ["kinetic"] },
    { name: "potential", keys: ["potential"] },
    { name: "in springs", keys: ["elastic_joints", "elastic_contacts", "elastic_parts"] },
    { name: "lost in contacts, normal", keys: ["lost_contacts_normal"] },
    { name: "lost in contacts, friction", keys: ["lost_contacts_friction"] },
    { name: "lost in joints", keys: ["lost_joints"] },
    { name: "lost in drives and parts", keys: ["lost_parts"] },
];

function sum(energy: Energy, keys: (keyof Energy)[]): number {
    return keys.reduce((total, k) => total + (energy[k] ?? 0), 0);
}

function side(title: string, entries: Entry[], energy: Energy, most: number): HTMLElement {
    const rows = entries
        .map((e) => ({ ...e, value: sum(energy, e.keys) }))
        .filter((e) => e.value !== 0)
        .map((e) => {
            const bar = h("span", { class: "bar-fill" });
            bar.style.width = `${(100 * Math.min(1, Math.abs(e.value) / most)).toFixed(2)}%`;
            return h("tr", {}, h("td", {}, e.name), h("td", { class: "number" }, `${number(e.value, 4)} J`), h("td", { class: "bar-cell" }, bar));
        });
    const total = entries.reduce((t, e) => t + sum(energy, e.keys), 0);
    const foot = h("tr", {}, h("th", {}, "sum"), h("th", { class: "number" }, `${number(total, 6)} J`), h("td"));
    return h("table", { class: "ledger" }, h("caption", {}, title), h("tbody", {}, ...rows), h("tfoot", {}, foot));
}

function table(energy: Energy): HTMLElement {
    const values = [...IN, ...OUT].map((e) => Math.abs(sum(energy, e.keys)));
    const most = Math.max(...values, 1e-12);
    const residual = energy["residual"] ?? NaN;
    const share = (100 * Math.abs(residual)) / most;
    return h(
        "div",
        {},
        h("div", { class: "ledger-sides" }, side("There and put in", IN, energy, most), side("Stored at the end and lost", OUT, energy, most)),
        h("p", { class: "note" }, `Residual: ${number(residual, 3)} J, ${number(share, 2)} % of the largest entry. It is what the method itself made (above zero) or took.`),
    );
}

function energyPlots(context: Context): HTMLElement | null {
    const { run } = context;
    const groups: [string, string[]][] = [
        ["Stored energy", ["energy.kinetic", "energy.potential", "energy.elastic", "energy.contacts", "energy.parts", "energy.total"]],
        ["Put in and lost", ["ledger.work", "ledger.outside", "ledger.lost.normal", "ledger.lost.friction", "ledger.lost.joints", "ledger.lost.parts"]],
        ["Residual of the balance", ["ledger.residual"]],
    ];
    const list = groups.flatMap(([title, names]) => {
        const series = names.flatMap((name): Series[] => {
            const c = run.channel(name);
            const values = c ? run.column(c, 0) : null;
            return values && values.some((v) => v !== 0) ? [{ name: name.replace(/^(energy|ledger)\./, ""), values, band: c ? bandOf(run, c, 0) : undefined }] : [];
        });
        return series.length > 0 ? [new Plot({ title, unit: "J", time: context.time, series }, context.player, context.span).element] : [];
    });
    return list.length > 0 ? h("div", { class: "plots" }, ...list) : null;
}

export function ledgerSection(context: Context): HTMLElement {
    const energy = context.run.summary.energy;
    const none = emptyState("The run kept no energy ledger", "Scenes keep it always; runs of the library do with `options.ledger`.");
    const drawn = energyPlots(context);
    const hint = drawn ? null : h("p", { class: "note" }, "Record ", h("code", {}, "energy"), " and ", h("code", {}, "ledger"), " to see them over time.");
    return section("energy", "Energy ledger", energy ? table(energy) : none, drawn, hint);
}
