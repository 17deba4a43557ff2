// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The outline of a robot file as the program gives it (docs/studio.md, "Model editor"), made into a tree with names that stay the same from one version of the text to the next.
import type { Outline, OutlineNode } from "../core/protocol";

const SHAPES = ["sphere", "capsule", "box", "cylinder", "ellipsoid", "plane", "mesh"];

export class Tree {
    readonly nodes: OutlineNode[];
    readonly children: number[][];
    readonly roots: number[] = [];
    /** "bodies/trunk/shapes/0/sphere": the same in all versions of the text. */
    readonly paths: string[] = [];
    private readonly numbers = new Map<string, number>();
    private readonly anchors = new Map<string, number>();

    constructor(readonly outline: Outline) {
        this.nodes = outline.nodes;
        this.children = this.nodes.map(() => []);
        this.nodes.forEach((node, i) => {
            const siblings = this.children[node.parent] ?? this.roots;
            const name = node.key ?? String(siblings.length);
            const above = this.paths[node.parent];
            siblings.push(i);
            this.paths.push(above === undefined ? name : `${above}/${name}`);
            this.numbers.set(this.paths[i] ?? "", i);
            if (node.anchor) this.anchors.set(node.anchor, i);
        });
    }

    find(path: string): number {
        return this.numbers.get(path) ?? -1;
    }
    findAnchor(name: string): number {
        return this.anchors.get(name) ?? -1;
    }
    child(i: number, key: string): OutlineNode | undefined {
        const found = (this.children[i] ?? []).find((c) => this.nodes[c]?.key === key);
        return found === undefined ? undefined : this.nodes[found];
    }
    ancestors(i: number): number[] {
        const all: number[] = [];
        for (let up = this.nodes[i]?.parent ?? -1; up >= 0; up = this.nodes[up]?.parent ?? -1) all.push(up);
        return all;
    }

    /** Whether two trees have equal entries of equal kinds in the same order, so that rows can be reused. */
    isLike(other: Tree): boolean {
        return this.nodes.length === other.nodes.length && this.nodes.every((n, i) => n.kind === other.nodes[i]?.kind && this.paths[i] === other.paths[i] && n.makes?.length === other.nodes[i]?.makes?.length);
    }

    /** Name of an entry for the user; items of lists by their content. */
    label(i: number): string {
        const node = this.nodes[i];
        if (!node) return "";
        if (node.key !== undefined) return node.key;
        const name = this.child(i, "name")?.text;
        if (node.role === "shape") return name ?? SHAPES.find((s) => this.child(i, s)) ?? "shape";
        if (node.role === "attachment") return `${this.child(i, "part")?.text ?? this.child(i, "file")?.text ?? "part"} ${(this.child(i, "prefix")?.text ?? "").replace(/_$/, "")}`.trim();
        const first = this.nodes[this.children[i][0]]?.key;
        return name ?? first ?? `${(this.children[node.parent] ?? []).indexOf(i) + 1}.`;
    }

    /** Entries that are not shown: the version of the format, and the key between a body and its children. */
    isHidden(i: number): boolean {
        const node = this.nodes[i];
        return node.parent < 0 ? node.key === "footfall" : node.role === "bodies";
    }

    /** A short list of plain numbers, which fits into one row. */
    isVector(i: number): boolean {
        const items = this.children[i] ?? [];
        return this.nodes[i]?.kind === "list" && items.length > 0 && items.length <= 6 && items.every((c) => this.nodes[c]?.kind === "number");
    }
    isGroup(i: number): boolean {
        const kind = this.nodes[i]?.kind;
        return (kind === "map" || kind === "list") && !this.isVector(i);
    }
}

// ------------------------------------------------------------------------------------------ finding

/** Filters of the buttons above the tree: entries of these roles, with their parents and contents. */
export const FILTERS: { id: string; title: string; roles: string[] }[] = [
    { id: "all", title: "All", roles: [] },
    { id: "bodies", title: "Bodies", roles: ["body"] },
    { id: "joints", title: "Joints", roles: ["joint"] },
    { id: "drives", title: "Drives", roles: ["drive", "actuator"] },
    { id: "sensors", title: "Sensors", roles: ["sensor"] },
    { id: "materials", title: "Materials", roles: ["materials"] },
    { id: "constants", title: "Constants", roles: ["constants"] },
];

function words(tree: Tree, i: number): string {
    const n = tree.nodes[i];
    return [tree.label(i), n?.text, n?.unit, n?.origin, n?.role, ...(n?.makes ?? [])].join(" ").toLowerCase();
}

/** Entries to show: those that a filter and all words of a search leave, each with what stands above it. Null: all. */
export function visible(tree: Tree, query: string, filter: string): Set<number> | null {
    const asked = query.toLowerCase().split(/\s+/).filter(Boolean);
    const roles = FILTERS.find((f) => f.id === filter)?.roles ?? [];
    if (asked.length === 0 && roles.length === 0) return null;
    const shown = new Set<number>();
    const inRole: boolean[] = [];
    const covered: Set<string>[] = [];
    tree.nodes.forEach((node, i) => {
        const above = covered[node.parent];
        const text = words(tree, i);
        const has = new Set(above ?? []);
        for (const word of asked) if (text.includes(word)) has.add(word);
        covered.push(has);
        // A body inside a body is one of its own: what a joint holds stays with it.
        inRole.push(roles.length === 0 || roles.includes(node.role ?? "") || inRole[node.parent] === true || (filter === "materials" && node.key === "material"));
        if (!inRole[i] || has.size < asked.length) return;
        shown.add(i);
        for (const up of tree.ancestors(i)) shown.add(up);
    });
    return shown;
}

/** Groups that a filter leaves open: those above the entries it is about, and these entries themselves; of bodies only the former, or there would be no end. */
export function spine(tree: Tree, filter: string): Set<number> {
    const roles = FILTERS.find((f) => f.id === filter)?.roles ?? [];
    const open = new Set<number>();
    tree.nodes.forEach((node, i) => {
        if (!roles.includes(node.role ?? "") && !(filter === "materials" && node.key === "material")) return;
        for (const up of tree.ancestors(i)) open.add(up);
        if (filter !== "bodies") open.add(i);
    });
    return open;
}

/** The entry that a message is about: the one at its place, else the last one before it in that line. */
export function entryAt(tree: Tree, line: number, column: number): number {
    let best = -1;
    let bestColumn = 0;
    for (let i = 0; i < tree.nodes.length; i++) {
        const n = tree.nodes[i];
        if (!n) continue;
        if ((n.at === line && n.from === column && n.kind !== "map" && n.kind !== "list") || (n.line === line && n.column === column)) return i;
        for (const [l, c] of [
            [n.line, n.column],
            [n.at, n.from],
        ]) {
            if (l !== line || c === undefined || c > column || c < bestColumn) continue;
            best = i;
            bestColumn = c;
        }
    }
    return best;
}

/** The entry that defines a body, joint, .. of that name; -1: none. */
export function makerOf(tree: Tree, role: string, name: string): number {
    let best = -1;
    for (let i = 0; i < tree.nodes.length; i++) {
        const n = tree.nodes[i];
        if (!n?.makes?.includes(name)) continue;
        if (n.role === role) return i;
        if (role === "body" && best < 0 && (n.role === "attachment" || n.key === "import")) best = i;
    }
    return best;
}

/** Texts of all values by their paths, for comparison with a later version. */
export function snapshot(tree: Tree): Map<string, string> {
    const out = new Map<string, string>();
    tree.nodes.forEach((n, i) => {
        if (n.kind !== "map" && n.kind !== "list") out.set(tree.paths[i], n.text ?? "");
    });
    return out;
}

/** Paths of values that are written otherwise than they were, with what stood there; "" for new ones. */
export function changes(now: Tree, before: Map<string, string>): Map<string, string> {
    const out = new Map<string, string>();
    for (const [path, text] of snapshot(now)) if (before.get(path) !== text) out.set(path, before.get(path) ?? "");
    return out;
}

/** A path without "..": "experiments/../robots/a.yaml" is "robots/a.yaml". */
export function tidyPath(path: string): string {
    const out: string[] = [];
    for (const part of path.split("/")) {
        if (part === ".." && out.length > 0 && out[out.length - 1] !== "..") out.pop();
        else if (part !== ".") out.push(part);
    }
    return out.join("/");
}
