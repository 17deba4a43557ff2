// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What each robot of a batch draws: a row a quantity, with its unit, its distribution and the numbers of that; others, and those of single bodies, shapes and joints, are added below.
import type { BatchSpread, Model } from "../core/protocol";
import { convert, type Kind, KINDS, numbersOf, partsOf, QUANTITIES, spreadOf, spreadTitle, thingsOf } from "../core/spreads";
import { columnName } from "../core/crowd";
import { h } from "../view/dom";

interface Row {
    name: string;
    on: HTMLInputElement;
    kind: HTMLSelectElement;
    numbers: HTMLInputElement;
    /** Distribution to which the numbers belong. */
    written: Kind;
}

export class BatchDraws {
    readonly element: HTMLElement;
    private readonly rows: Row[] = [];
    private readonly list = h("div");
    private readonly quantity = h("select", { "aria-label": "Quantity to add", change: () => this.offer() }, ...QUANTITIES.map((q) => h("option", { value: q.name, title: q.what }, columnName(q.name))));
    private readonly names = h("datalist", { id: "batch-things" });
    private readonly which = h("input", { type: "text", list: "batch-things", spellcheck: false, "aria-label": "Of what" });
    private model: Model | null = null;

    constructor() {
        for (const q of QUANTITIES) if (q.common) this.row(q.name);
        const add = h("button", { click: () => this.add() }, "Add");
        const kinds = ["Numbers of a distribution:", ...KINDS.map(([, kind, numbers]) => `${kind}: ${numbers}`)];
        const more = h("div", { class: "batch-add" }, this.quantity, h("span", {}, "of"), this.which, this.names, add);
        this.element = h("div", { class: "batch-draws" }, this.list, more, h("p", { class: "note batch-kinds" }, kinds.join("\n")));
        this.offer();
    }

    /** Sets the names of the scene that rows can refer to. */
    setModel(model: Model | null): void {
        this.model = model;
        this.offer();
    }

    /** Shows the spreads of a batch. */
    show(spreads: Record<string, BatchSpread>): void {
        for (const row of this.rows) row.on.checked = false;
        for (const [name, spread] of Object.entries(spreads)) {
            const { kind, numbers } = partsOf(spread);
            const row = this.row(name);
            row.on.checked = true;
            row.kind.value = row.written = kind;
            row.numbers.value = numbers.join(", ");
            this.hint(row);
        }
    }

    /** Distributions of the selected rows. Throws if a number is invalid. */
    read(): Record<string, BatchSpread> {
        const spreads: Record<string, BatchSpread> = {};
        for (const row of this.rows) {
            if (!row.on.checked) continue;
            const numbers = numbersOf(row.numbers.value);
            if (!numbers) throw new Error(`${spreadTitle(row.name)}: "${row.numbers.value}" should be numbers: ${row.numbers.placeholder}`);
            spreads[row.name] = spreadOf(row.kind.value as Kind, numbers);
        }
        return spreads;
    }

    /** The row of that name, which is created if necessary. */
    private row(name: string): Row {
        const there = this.rows.find((r) => r.name === name);
        if (there) return there;
        const known = QUANTITIES.find((q) => q.name === name.split(".")[0]);
        const title = spreadTitle(name);
        const row: Row = {
            name,
            on: h("input", { type: "checkbox", "aria-label": `Spread ${title}` }),
            kind: h("select", { "aria-label": `Distribution of ${title}`, change: () => this.turn(row) }, ...KINDS.map(([kind, text]) => h("option", { value: kind }, text))),
            numbers: h("input", { type: "text", spellcheck: false, value: known ? known.ends.join(", ") : "", "aria-label": `Numbers of ${title}` }),
            written: "uniform",
        };
        this.hint(row);
        this.rows.push(row);
        this.list.append(h("div", { class: "batch-draw", title: known?.what ?? "" }, h("label", {}, row.on, h("span", {}, title)), row.kind, row.numbers, h("span", { class: "batch-unit" }, known?.unit ?? "")));
        return row;
    }

    private hint(row: Row): void {
        const [, , text] = KINDS.find(([kind]) => kind === row.kind.value) ?? KINDS[0];
        row.numbers.placeholder = row.numbers.title = text;
    }

    /** Another distribution begins with the range of the one before. */
    private turn(row: Row): void {
        const kind = row.kind.value as Kind;
        const numbers = numbersOf(row.numbers.value);
        if (numbers) row.numbers.value = convert(numbers, row.written, kind).join(", ");
        row.written = kind;
        row.on.checked = true;
        this.hint(row);
    }

    private offer(): void {
        const known = QUANTITIES.find((q) => q.name === this.quantity.value);
        this.which.disabled = known?.of === null;
        this.which.placeholder = known?.of ? `all, or a ${known.of === "servo" ? "joint" : known.of === "shape" ? "shape or foot" : known.of}` : "the whole robot";
        if (this.which.disabled) this.which.value = "";
        this.names.replaceChildren(...thingsOf(known?.of ?? null, this.model).map((name) => h("option", { value: name })));
    }

    private add(): void {
        const which = this.which.value.trim();
        const row = this.row(which ? `${this.quantity.value}.${which}` : this.quantity.value);
        row.on.checked = true;
        row.numbers.focus();
        this.which.value = "";
    }
}
