// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The tree from which channels are picked: branches open as they are asked for, columns are chips that are on while they are drawn, and words in the search field make
// a flat list of what they find.
import { unit as shownUnit } from "../core/format";
import { h } from "../view/dom";
import type { Branch, Channel, Channels, Column } from "./plots_channels";

const MOST_FOUND = 60; // channels listed by a search
const FEW = 9; // largest number of columns that are shown at first

export class ChannelTree {
    readonly element: HTMLElement;
    private readonly list = h("div", { class: "tree-list" });
    private readonly search: HTMLInputElement;
    private channels: Channels | null = null;
    private chosen = new Set<string>();
    private readonly open = new Set<string>(); // paths of open branches

    constructor(
        private readonly toggle: (column: Column) => void,
        defaults: () => void,
    ) {
        this.search = h("input", { type: "search", placeholder: "Search channels", "aria-label": "Search channels", spellcheck: "false" });
        this.search.addEventListener("input", () => this.draw());
        const back = h("button", { class: "quiet", title: "The plots that suit this scene", click: defaults }, "Defaults");
        this.element = h("div", { class: "channel-drawer" }, h("div", { class: "tree-head" }, this.search, back), this.list);
    }

    set(channels: Channels | null): void {
        this.channels = channels;
        this.draw();
    }

    /** Marks the columns that are drawn. */
    mark(keys: Iterable<string>): void {
        this.chosen = new Set(keys);
        for (const chip of this.list.querySelectorAll<HTMLButtonElement>("button[data-key]"))
            chip.setAttribute("aria-pressed", String(this.chosen.has(chip.dataset.key ?? "")));
    }

    /** The drawer was opened: what is drawn is in sight, and words go to the search field. */
    opened(): void {
        this.draw();
        this.search.focus();
    }

    private draw(): void {
        const { channels } = this;
        const words = this.search.value.trim();
        if (!channels || channels.list.length === 0) this.list.replaceChildren(h("p", { class: "note" }, "This scene has no channels."));
        else if (words === "") this.list.replaceChildren(...channels.tree().map((b) => this.branch(b)));
        else {
            const found = channels.find(words);
            const rest = found.length - MOST_FOUND;
            this.list.replaceChildren(...found.slice(0, MOST_FOUND).map((f) => this.row(f.channel.name, f.channel, f.columns)));
            if (rest > 0) this.list.append(h("p", { class: "note" }, `and ${rest} more: another word finds less`));
            if (found.length === 0) this.list.append(h("p", { class: "note" }, `Nothing is called \u201c${words}\u201d.`));
        }
    }

    private branch(branch: Branch): HTMLElement {
        if (branch.branches.length === 0 && branch.channel) return this.row(branch.name, branch.channel, branch.channel.columns);
        const box = h("details", {}, h("summary", {}, branch.name, h("span", { class: "tree-count" }, String(branch.count))));
        const fill = (): void => {
            if (box.childElementCount > 1) return;
            const own = branch.channel ? this.row("(itself)", branch.channel, branch.channel.columns) : null;
            box.append(h("div", { class: "tree-twigs" }, own, ...branch.branches.map((b) => this.branch(b))));
        };
        box.addEventListener("toggle", () => {
            if (box.open) this.open.add(branch.path);
            else this.open.delete(branch.path);
            if (box.open) fill();
        });
        if (this.open.has(branch.path)) {
            fill();
            box.open = true;
        }
        return box;
    }

    // A channel of one column is one chip; several columns stand behind its name.
    private row(name: string, channel: Channel, columns: Column[]): HTMLElement {
        const unit = h("span", { class: "tree-unit" }, shownUnit(channel.unit));
        if (channel.columns.length === 1) return h("div", { class: "tree-row" }, this.chip(channel.columns[0], name), unit);
        const some = columns.slice(0, 48);
        const rest = columns.length - some.length;
        const chips = h("div", { class: "tree-chips" }, ...some.map((c) => this.chip(c, c.short)), rest > 0 && h("span", { class: "tree-unit" }, `and ${rest} more: search for one`));
        if (columns.length <= FEW) return h("div", { class: "tree-row many" }, h("span", { class: "tree-name", title: channel.name }, name), unit, chips);
        const open = this.search.value.trim() !== "" || columns.some((c) => this.chosen.has(c.key));
        return h("details", { open, title: channel.name }, h("summary", {}, name, unit, h("span", { class: "tree-count" }, `\u00d7${columns.length}`)), chips);
    }

    private chip(column: Column, text: string): HTMLElement {
        return h(
            "button",
            { class: "tree-chip", "data-key": column.key, title: column.label, "aria-pressed": String(this.chosen.has(column.key)), click: () => this.toggle(column) },
            text,
        );
    }
}
