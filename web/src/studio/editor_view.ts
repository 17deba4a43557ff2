// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The tree of a file as rows with fields. Rows are rebuilt only when the tree has another shape; otherwise they take new values in fields that the user does not edit.
import { number as shownNumber, unit as shownUnit } from "../core/format";
import { emptyState, h } from "../view/dom";
import type { Message, OutlineNode } from "../core/protocol";
import type { EditedFile } from "./editor_document";
import { type Field, fieldFor, worth } from "./editor_field";
import { namesIn, rangeText } from "./editor_text";
import { entryAt, spine, type Tree, visible } from "./editor_tree";

const FOLDED = ["constants", "define", "poses", "materials", "contact"]; // at first
const MOST_NAMES = 8;

interface Row {
    element: HTMLElement;
    fields: { i: number; field: Field }[];
    worth: HTMLElement;
    reset: HTMLButtonElement;
    words: HTMLElement;
    detail: HTMLElement;
}

export interface TreeEvents {
    /** Called when the user selects an entry. */
    chosen(i: number): void;
    /** Opens another file to which this one refers. */
    open(path: string): void;
}

/** Meaning and default of a key. */
function explain(node: OutlineNode): string {
    const without = node.default && node.default !== "needed" ? `; without it: ${node.default}` : "";
    return node.help ? node.help + without : "";
}

/** Short description of a group: a text or a number. */
function summary(tree: Tree, i: number): string {
    const node = tree.nodes[i];
    const inertial = (tree.children[i] ?? []).find((c) => tree.nodes[c].key === "inertial");
    const mass = inertial === undefined ? undefined : tree.child(inertial, "mass")?.value;
    if (node.role === "body" && mass !== undefined) return `${shownNumber(mass, 3)}\u202fkg`;
    for (const key of ["kind", "type", "preset", "law", "like"]) {
        const text = tree.child(i, key)?.text;
        if (text) return text;
    }
    return node.kind === "list" || ["constants", "bodies", "parts", "sensors", "materials", "frames", "poses", "joints", "drives"].includes(node.role ?? "") ? String((tree.children[i] ?? []).length) : "";
}

export class TreeView {
    readonly element: HTMLElement;
    query = "";
    filter = "all";
    private readonly open = new Set<string>();
    private readonly shut = new Set<string>();
    private rows = new Map<number, Row>();
    private file: EditedFile | null = null;
    private drawn: Tree | null = null;
    private shown: Set<number> | null = null;
    private spine = new Set<number>();
    private chosen = "";

    constructor(private readonly events: TreeEvents) {
        this.element = h("div", { class: "ed-tree", role: "tree", "aria-label": "What the file holds" });
    }

    show(file: EditedFile): void {
        if (file !== this.file) {
            this.drawn = null;
            this.chosen = "";
        }
        this.file = file;
        const { tree } = file;
        if (!tree || file.problem) {
            this.drawn = null;
            this.element.replaceChildren(file.problem ? emptyState("No tree of this text", `${file.problem}. Correct it under Text, or undo.`) : h("p", { class: "note" }, "Reading \u2026"));
            return;
        }
        if (this.drawn && this.drawn.isLike(tree)) this.drawn = tree;
        else this.draw(tree);
        this.update();
    }

    /** Another search or filter. */
    find(): void {
        if (this.file?.tree) {
            this.draw(this.file.tree);
            this.update();
        }
    }

    // -------------------------------------------------------------------------------------- rows

    private isOpen(tree: Tree, i: number): boolean {
        const path = tree.paths[i];
        if (this.query !== "") return !this.shut.has(path);
        if (this.open.has(path)) return true;
        if (this.filter !== "all") return this.spine.has(i) && !this.shut.has(path);
        return tree.nodes[i].parent < 0 && !this.shut.has(path) && !FOLDED.includes(tree.nodes[i].key ?? "");
    }

    private draw(tree: Tree): void {
        const focused = this.focusedPath();
        this.drawn = tree;
        this.shown = visible(tree, this.query, this.filter);
        this.spine = spine(tree, this.filter);
        this.rows = new Map();
        const out: HTMLElement[] = [];
        const walk = (list: number[], depth: number): void => {
            for (const i of list) {
                if (this.shown && !this.shown.has(i)) continue;
                if (tree.isHidden(i)) {
                    walk(tree.children[i], depth);
                    continue;
                }
                const row = this.row(tree, i, depth);
                this.rows.set(i, row);
                out.push(row.element);
                if (tree.isGroup(i) && this.isOpen(tree, i)) walk(tree.children[i], depth + 1);
            }
        };
        walk(tree.roots, 0);
        this.element.replaceChildren(...out);
        if (out.length === 0) this.element.append(emptyState("Nothing found", this.query ? "No entry has all these words." : "This file has none of these."));
        if (focused) this.focusOn(focused);
    }

    private focusedPath(): string {
        const row = document.activeElement?.closest<HTMLElement>(".ed-row");
        return row && this.element.contains(row) ? (row.dataset.path ?? "") : "";
    }
    private focusOn(path: string): void {
        this.element.querySelector<HTMLElement>(`.ed-row[data-path="${CSS.escape(path)}"] :is(input, select, .ed-name)`)?.focus({ preventScroll: true });
    }

    private row(tree: Tree, i: number, depth: number): Row {
        const node = tree.nodes[i];
        const group = tree.isGroup(i);
        const fields = this.fields(tree, i);
        const words = h("p", { class: "ed-words", role: "alert", hidden: true });
        const detail = h("div", { class: "ed-detail", hidden: true });
        const value = h("span", { class: "ed-worth" });
        const reset = h("button", { class: "ed-reset quiet", title: "As on disk", hidden: true, click: () => this.reset(i) }, "\u21ba");
        const makes = node.makes ?? [];
        const name = group
            ? h("button", { class: "ed-name ed-group", title: explain(node), "aria-expanded": String(this.isOpen(tree, i)), click: () => this.toggle(i) }, tree.label(i))
            : h("span", { class: "ed-name", title: explain(node) || tree.paths[i] }, tree.label(i));
        const line = h(
            "div",
            { class: fields.length > 1 ? "ed-line vector" : "ed-line" },
            name,
            makes.length > 1 ? h("span", { class: "ed-times", title: makes.slice(0, 30).join(", ") }, `\u00d7${makes.length}`) : null,
            group ? h("span", { class: "ed-summary" }, summary(tree, i)) : null,
            h("span", { class: "fill" }),
            value,
            reset,
            ...fields.map((f) => f.field.element),
            node.kind === "alias" ? this.link(`as ${node.text}`, () => this.goTo(tree.findAnchor(node.text ?? ""))) : null,
            this.namesFile(tree, i) ? this.link("open", () => this.events.open(node.text ?? "")) : null,
            node.kind === "null" ? h("span", { class: "ed-summary" }, "empty") : null,
        );
        const element = h("div", { class: `ed-row${group ? " branch" : ""}`, role: "treeitem", "data-path": tree.paths[i] }, line, words, detail);
        element.style.setProperty("--depth", String(depth));
        if (node.parent < 0) element.classList.add("top");
        line.addEventListener("click", (event) => {
            if (!(event.target as HTMLElement).closest("input, select, .ed-link, .ed-reset")) this.choose(i, true);
        });
        return { element, fields, worth: value, reset, words, detail };
    }

    private link(text: string, act: () => void): HTMLElement {
        return h("button", { class: "ed-link quiet", click: act }, text);
    }

    private namesFile(tree: Tree, i: number): boolean {
        const node = tree.nodes[i];
        const inside = tree.nodes[node.parent]?.key;
        return node.kind === "text" && /\.(yaml|urdf|xml)$/.test(node.text ?? "") && (["import", "robot", "file"].includes(node.key ?? "") || inside === "robots");
    }

    private fields(tree: Tree, i: number): { i: number; field: Field }[] {
        const items = tree.isVector(i) ? tree.children[i] : tree.isGroup(i) ? [] : [i];
        const readOnly = this.file?.readOnly ?? true;
        const out: { i: number; field: Field }[] = [];
        for (const item of items) {
            const name = tree.paths[item].split("/").join(" ");
            const field = fieldFor(tree.nodes[item], name, readOnly, {
                put: (text) => this.file?.edit(item, text) ?? false,
                done: () => this.file?.seal(),
                focus: () => this.choose(i, false),
            });
            if (field) out.push({ i: item, field });
        }
        return out;
    }

    // -------------------------------------------------------------------------------------- values and words

    private update(): void {
        const tree = this.drawn;
        const file = this.file;
        if (!tree || !file) return;
        const said = this.messagesByEntry(tree, file);
        for (const [i, row] of this.rows) {
            for (const { i: item, field } of row.fields) field.set(tree.nodes[item]);
            const items = [i, ...row.fields.map((f) => f.i)];
            const changed = items.some((k) => file.changed.has(tree.paths[k]));
            const inside = !changed && tree.isGroup(i) && [...file.changed.keys()].some((p) => p.startsWith(`${tree.paths[i]}/`));
            row.element.classList.toggle("changed", changed);
            row.element.classList.toggle("changed-inside", inside);
            row.reset.hidden = !changed;
            row.worth.textContent = row.fields.length === 1 ? worth(tree.nodes[row.fields[0].i]) : "";
            const own = items.flatMap((k) => said.get(k) ?? []);
            // What a number breaks may stand elsewhere: it is shown here too, while it is the last thing that was changed.
            if (own.length === 0 && tree.paths[i] === file.latest && file.errors > 0) own.push(file.messages[0]);
            const below = own.length === 0 && tree.isGroup(i) && [...said.keys()].some((k) => tree.ancestors(k).includes(i));
            row.element.classList.toggle("wrong", own.some((m) => m.severity === "error"));
            row.element.classList.toggle("doubtful", own.length > 0 && own.every((m) => m.severity !== "error"));
            row.element.classList.toggle("wrong-inside", below);
            row.words.hidden = own.length === 0;
            row.words.replaceChildren(...own.map((m) => h("span", { class: m.severity }, h("b", {}, `${m.line}:${m.column} `), m.text)));
            if (tree.paths[i] === this.chosen) this.drawDetail(tree, i, row);
        }
    }

    /** Messages by entry; those about a number in a list belong to the list. */
    private messagesByEntry(tree: Tree, file: EditedFile): Map<number, Message[]> {
        const said = new Map<number, Message[]>();
        for (const m of file.messages) {
            if (m.file !== file.path || !m.line || m.severity === "note") continue;
            const at = entryAt(tree, m.line, m.column ?? 1);
            const list = at >= 0 && !this.rows.has(at) ? tree.nodes[at].parent : -1;
            const place = list >= 0 && tree.isVector(list) ? list : at;
            if (place >= 0) said.set(place, [...(said.get(place) ?? []), m]);
        }
        return said;
    }

    private drawDetail(tree: Tree, i: number, row: Row): void {
        const node = tree.nodes[i];
        const first: OutlineNode | undefined = row.fields.length > 0 ? tree.nodes[row.fields[0].i] : undefined;
        const parts: (HTMLElement | string | null)[] = [];
        if (first?.kind === "number") {
            const range = rangeText(first);
            const unit = first.unit ? shownUnit(first.unit) : "";
            parts.push(range || unit ? h("span", {}, [range, unit].filter(Boolean).join(" ")) : null);
            const names = [...new Set(row.fields.flatMap((f) => namesIn(tree.nodes[f.i].text ?? "")))].filter((n) => tree.find(`constants/${n}`) >= 0);
            if (names.length > 0) parts.push(h("span", {}, "from ", ...names.flatMap((n, k) => [k > 0 ? ", " : "", this.link(n, () => this.goTo(tree.find(`constants/${n}`)))])));
        }
        if (node.origin) parts.push(h("span", { class: "ed-origin" }, node.origin));
        const makes = node.makes ?? [];
        if (makes.length > 0 && !(makes.length === 1 && makes[0] === node.key)) parts.push(h("span", {}, `makes ${makes.slice(0, MOST_NAMES).join(", ")}${makes.length > MOST_NAMES ? ` and ${makes.length - MOST_NAMES} more` : ""}`));
        const before = this.file?.before(i);
        if (before) parts.push(h("span", {}, `on disk: ${before}`));
        row.detail.replaceChildren(...parts.filter((p) => p !== null));
        row.detail.hidden = row.detail.childElementCount === 0;
    }

    // -------------------------------------------------------------------------------------- moving about

    private toggle(i: number): void {
        const tree = this.drawn;
        if (!tree) return;
        const path = tree.paths[i];
        if (this.isOpen(tree, i)) {
            this.open.delete(path);
            this.shut.add(path);
        } else {
            this.shut.delete(path);
            this.open.add(path);
        }
        this.draw(tree);
        this.update();
    }

    private reset(i: number): void {
        const tree = this.drawn;
        const row = this.rows.get(i);
        if (!tree || !row || !this.file) return;
        for (const { i: item } of row.fields) {
            const before = this.file.before(item);
            if (before !== undefined && before !== "") this.file.edit(item, tree.nodes[item].quoted ? JSON.stringify(before) : before);
            this.file.seal();
        }
    }

    private choose(i: number, notify: boolean): void {
        const tree = this.drawn;
        if (!tree) return;
        for (const [k, row] of this.rows) {
            row.element.classList.toggle("chosen", k === i);
            if (k !== i) row.detail.hidden = true;
        }
        this.chosen = tree.paths[i];
        const row = this.rows.get(i);
        if (row) this.drawDetail(tree, i, row);
        if (notify) this.events.chosen(i);
    }

    /** Unfolds the parents of an entry and scrolls to it. */
    goTo(i: number): void {
        const tree = this.drawn;
        if (!tree || i < 0) return;
        this.query = "";
        this.filter = "all";
        for (const up of tree.ancestors(i)) {
            this.open.add(tree.paths[up]);
            this.shut.delete(tree.paths[up]);
        }
        if (tree.isGroup(i)) this.open.add(tree.paths[i]);
        this.draw(tree);
        this.update();
        const at = this.rows.has(i) ? i : tree.nodes[i].parent;
        this.choose(at, false);
        this.rows.get(at)?.element.scrollIntoView({ block: "center" });
    }

    goToLine(line: number): void {
        if (this.drawn) this.goTo(entryAt(this.drawn, line, 1e9));
    }
}
