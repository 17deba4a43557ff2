// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A file that is edited: its text with all versions, the tree that the program makes of it, and what `check` says. The text is the original; a change replaces the letters of one value, moves the
// spans behind it, and lets the program check the whole again as soon as it has time.
import type { Message, Outline, OutlineNode } from "../core/protocol";
import { Bytes, History, replaceSpan, shiftSpans } from "./editor_text";
import { changes, snapshot, Tree } from "./editor_tree";
import type { Studio } from "./panel";

const REST = 120; // [ms] without a change before the program is asked

export function textOf(e: unknown): string {
    return e instanceof Error ? e.message : String(e);
}

/** Messages about one file, the worst first. */
function sorted(messages: Message[]): Message[] {
    const weight = { error: 0, warning: 1, note: 2 };
    return [...messages].sort((a, b) => weight[a.severity] - weight[b.severity] || (a.line ?? 0) - (b.line ?? 0));
}

export class EditedFile {
    private history = new History("");
    /** What the file has on disk, as far as the page knows. */
    saved = "";
    tree: Tree | null = null;
    messages: Message[] = [];
    /** Reason if there is no tree. */
    problem = "";
    /** Paths of values that differ from the file on disk, with the values on disk. */
    changed = new Map<string, string>();
    /** Text with which the present scene was loaded. */
    shownText: string | null = null;
    /** Path of the value that was changed last; "" after undo or redo. */
    latest = "";
    private base: Map<string, string> | null = null;
    private stale = true;
    private busy = false;
    private again = false;
    private timer = 0;
    private readonly listeners = new Set<() => void>();

    constructor(
        readonly path: string,
        private readonly studio: Studio,
    ) {}

    get text(): string {
        return this.history.text;
    }
    get dirty(): boolean {
        return this.text !== this.saved;
    }
    get errors(): number {
        return this.messages.filter((m) => m.severity === "error").length;
    }
    get canUndo(): boolean {
        return this.history.canUndo;
    }
    get canRedo(): boolean {
        return this.history.canRedo;
    }
    get undoes(): string {
        return this.history.undoes;
    }
    get redoes(): string {
        return this.history.redoes;
    }
    /** Whether it is a robot that cannot be edited: URDF or MJCF. */
    get readOnly(): boolean {
        return this.tree?.outline.editable === false;
    }

    onChange(listener: () => void): void {
        this.listeners.add(listener);
    }

    async open(): Promise<void> {
        const text = await this.onDisk();
        this.saved = text;
        this.shownText ??= text;
        this.base = null;
        this.history = new History(text);
        this.stale = true;
        await this.examine();
    }

    async onDisk(): Promise<string> {
        const answer = await this.studio.ask("source", { path: this.path });
        return answer.text;
    }

    // -------------------------------------------------------------------------------------- changes

    /** Replaces a value by another text. False: impossible, because the tree is not up to date with the text. */
    edit(i: number, put: string): boolean {
        const node = this.tree?.nodes[i];
        if (!this.tree || !node || this.stale || node.begin === undefined || node.end === undefined) return false;
        const span = { begin: node.begin, end: node.end };
        const text = replaceSpan(this.text, span, put);
        if (text === this.text) return true;
        const added = text.length - this.text.length + (span.end - span.begin); // with a blank where one was needed
        this.latest = this.tree.paths[i];
        this.history.push(text, this.latest);
        shiftSpans(this.tree.nodes, span, added);
        node.begin = node.end - put.length;
        node.text = put;
        delete node.value;
        this.look();
        return true;
    }

    /** Replaces the whole text, after a change in the text editor. */
    rewrite(text: string, what: string): void {
        if (text === this.text) return;
        this.history.push(text, what);
        this.latest = "";
        this.stale = true;
        this.look();
    }

    seal(): void {
        this.history.seal();
    }

    undo(): void {
        this.history.undo();
        this.jump();
    }
    redo(): void {
        this.history.redo();
        this.jump();
    }
    private jump(): void {
        this.latest = "";
        this.stale = true;
        this.notify();
        void this.examine();
    }

    private look(): void {
        this.findChanges();
        this.notify();
        window.clearTimeout(this.timer);
        this.timer = window.setTimeout(() => void this.examine(), REST);
    }

    // -------------------------------------------------------------------------------------- saving

    /** Writes the text to this file, or to another, which is not opened. */
    async save(path = this.path): Promise<void> {
        const text = this.text;
        await this.studio.ask("save", { path, text });
        if (path === this.path) this.keep(text);
    }

    private keep(text: string): void {
        this.seal();
        this.saved = text;
        this.base = null;
        void this.examine();
    }

    // -------------------------------------------------------------------------------------- the program's view

    /** Asks for tree and messages; a text that changed meanwhile is checked again. */
    async examine(): Promise<void> {
        window.clearTimeout(this.timer);
        if (this.busy) {
            this.again = true;
            return;
        }
        this.busy = true;
        try {
            do {
                this.again = false;
                await this.examineOnce(this.text);
            } while (this.again);
        } finally {
            this.busy = false;
            this.notify();
        }
    }

    private async examineOnce(text: string): Promise<void> {
        const { path } = this;
        const [outline, check] = await Promise.allSettled([this.studio.ask("outline", { path, text }), this.studio.ask("check", { path, text })]);
        if (text !== this.text) {
            this.again = true;
            return;
        }
        if (outline.status === "rejected" && this.studio.store.get("link") !== "open") return; // requested again when the program is back
        const said = check.status === "fulfilled" ? check.value.messages : undefined;
        this.messages = sorted(said ?? []);
        if (outline.status === "fulfilled") {
            this.problem = "";
            this.take(text, outline.value.outline);
        } else {
            this.problem = textOf(outline.reason);
            this.stale = true;
        }
        await this.compare(text);
    }

    private take(text: string, outline: Outline): void {
        const bytes = new Bytes(text);
        for (const node of outline.nodes) {
            if (node.begin !== undefined) node.begin = bytes.at(node.begin);
            if (node.end !== undefined) node.end = bytes.at(node.end);
        }
        this.tree = new Tree(outline);
        this.stale = false;
    }

    private async compare(text: string): Promise<void> {
        if (!this.tree) return;
        if (text === this.saved) this.base = snapshot(this.tree);
        else if (!this.base) {
            const answer = await this.studio.ask("outline", { path: this.path, text: this.saved }).catch(() => null);
            if (answer) this.base = snapshot(new Tree(answer.outline));
        }
        this.findChanges();
    }
    private findChanges(): void {
        this.changed = this.tree && this.base ? changes(this.tree, this.base) : new Map<string, string>();
    }

    private notify(): void {
        for (const listener of this.listeners) listener();
    }

    /** What a value was on disk; undefined where it is the same. */
    before(node: number): string | undefined {
        return this.tree ? this.changed.get(this.tree.paths[node]) : undefined;
    }
    node(i: number): OutlineNode | undefined {
        return this.tree?.nodes[i];
    }
}
