// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Panel "model": the files of the scene's robots as trees of values, sliders for their joints, and their text. Files that were changed stay open when another scene is loaded.
import "../style/parts.css";
import "../style/editor.css";
import { emptyState, h, icon } from "../view/dom";
import type { Scene } from "../core/protocol";
import { EditedFile, textOf } from "./editor_document";
import { besides, builtUpon } from "./editor_files";
import { PoseView } from "./editor_pose";
import { SourceView } from "./editor_source";
import { FILTERS, makerOf, tidyPath } from "./editor_tree";
import { TreeView } from "./editor_view";
import type { Panel, Studio } from "./panel";

type Mode = "values" | "pose" | "text";
const MODES: [Mode, string, string][] = [
    ["values", "Values", "Numbers of the file, as a tree"],
    ["pose", "Joints", "Move the joints of the robot"],
    ["text", "Text", "The file itself"],
];
const ICON = "M12 3l7.5 4.3v8.9L12 20.5l-7.5-4.3V7.3zM12 12l7.5-4.7M12 12v8.5M12 12L4.5 7.3";
const UNDO = "M9 7H15a5 5 0 0 1 0 10H8M9 7l3-3M9 7l3 3";
const SAVE_AS = "M5 4h10l4 4v6M5 4v16h7M8 4v5h6V4M17 16v6M14 19h6";
const REDO = "M15 7H9a5 5 0 0 0 0 10h7M15 7l-3-3M15 7l-3 3";

class EditorPanel implements Panel {
    readonly id = "model";
    readonly title = "Model";
    readonly icon = ICON;
    readonly dock = "right";

    private studio!: Studio;
    private readonly files = new Map<string, EditedFile>();
    private file: EditedFile | null = null;
    private mode: Mode = "values";
    private seen = false;
    private tree!: TreeView;
    private pose!: PoseView;
    private source!: SourceView;
    private choiceShows = "";
    private sourceShows: EditedFile | null = null;

    private readonly choice = h("select", { class: "ed-file", "aria-label": "File" });
    private readonly undoButton = h("button", { class: "tool quiet", "aria-label": "Undo" }, icon(UNDO));
    private readonly redoButton = h("button", { class: "tool quiet", "aria-label": "Redo" }, icon(REDO));
    private readonly tryButton = h("button", { class: "small-button" }, "Try");
    private readonly saveButton = h("button", { class: "small-button" }, "Save");
    private readonly saveAsButton = h("button", { class: "tool quiet", title: "Save under another name", "aria-label": "Save as" }, icon(SAVE_AS));
    private readonly buildButton = h("button", { class: "small-button go" }, "Build upon it \u2026");
    private readonly modes = h("div", { class: "segmented", role: "group", "aria-label": "View" });
    private readonly search = h("input", { type: "search", placeholder: "Find a part, joint or number", "aria-label": "Find in the model" });
    private readonly chips = h("div", { class: "ed-chips", role: "group", "aria-label": "Show" });
    private readonly ask = h("div", { class: "ed-banner", role: "alertdialog", hidden: true });
    private readonly note = h("div", { class: "ed-banner", hidden: true });
    private readonly foot = h("div", { class: "ed-foot" });
    private readonly finder = h("div", { class: "ed-finder" }, this.search, this.chips);
    private readonly body = h("div", { class: "ed-body" });
    private readonly empty = h("div", { class: "ed-empty" });
    private readonly tools = h("div", { class: "ed-tools" });

    mount(host: HTMLElement, studio: Studio): void {
        this.studio = studio;
        this.tree = new TreeView({
            chosen: (i) => this.showMade(i),
            open: (path) => void this.open(path.startsWith("/") ? path : `${this.file?.path.replace(/[^/]*$/, "") ?? ""}${path}`),
        });
        this.pose = new PoseView(studio);
        this.source = new SourceView(
            (text) => this.file?.rewrite(text, "text"),
            () => this.file?.seal(),
        );
        host.classList.add("editor-panel");
        this.modes.append(...MODES.map(([mode, title, help]) => h("button", { "data-mode": mode, title: help, click: () => this.setMode(mode) }, title)));
        this.chips.append(...FILTERS.map((f) => h("button", { class: "ed-chip", "data-filter": f.id, click: () => this.setFilter(f.id) }, f.title)));
        this.tools.append(
            h("div", { class: "panel-bar ed-files" }, this.choice, h("span", { class: "fill" }), this.undoButton, this.redoButton, this.saveAsButton),
            h("div", { class: "panel-bar" }, this.modes, h("span", { class: "fill" }), this.tryButton, this.saveButton),
            this.ask,
            this.note,
            this.finder,
        );
        this.body.append(this.tree.element, this.pose.element, this.source.element);
        host.append(this.empty, this.tools, this.body, this.foot);
        this.listen(host);
        this.setMode("values");
    }

    private listen(host: HTMLElement): void {
        const { studio } = this;
        this.choice.addEventListener("change", () => void this.open(this.choice.value));
        this.undoButton.addEventListener("click", () => this.file?.undo());
        this.redoButton.addEventListener("click", () => this.file?.redo());
        this.tryButton.addEventListener("click", () => void this.tryIt());
        this.saveButton.addEventListener("click", () => void this.save());
        this.saveAsButton.addEventListener("click", () => this.askName());
        this.buildButton.addEventListener("click", () => this.askName());
        this.search.addEventListener("input", () => {
            this.tree.query = this.search.value;
            this.tree.find();
        });
        host.addEventListener("keydown", (event) => this.key(event));
        // Without a focused element, undo applies to the visible panel.
        addEventListener("keydown", (event) => this.seen && event.target === document.body && this.key(event));
        studio.store.on("link", (link) => {
            if (link === "open") for (const file of this.files.values()) void file.examine();
        });
        studio.onScene((scene) => this.takeScene(scene));
        studio.store.on("selection", (selection) => selection && this.find(selection.body));
        studio.addOpener((path, line) => this.openAt(path, line));
        window.addEventListener("beforeunload", (event) => {
            if ([...this.files.values()].some((f) => f.dirty)) event.preventDefault();
        });
    }

    shown(visible: boolean): void {
        this.seen = visible;
        if (visible && !this.file) this.takeScene(this.studio.store.get("scene"));
        this.draw();
    }

    // -------------------------------------------------------------------------------------- files

    private scenePaths(): string[] {
        const scene = this.studio.store.get("scene");
        const robots = (scene?.robots ?? []).map((r) => tidyPath(r.path ?? "")).filter((p) => p !== "");
        return [...new Set([...robots, ...(scene?.path ? [scene.path] : [])])];
    }

    private takeScene(scene: Scene | null): void {
        const paths = this.scenePaths();
        for (const file of this.files.values()) if (!file.dirty && !paths.includes(file.path)) this.files.delete(file.path);
        const keep = this.file && (this.file.dirty || paths.includes(this.file.path));
        if (!keep) this.file = null;
        if (this.seen && !this.file && scene && paths.length > 0) void this.open(paths[0]);
        else this.draw();
    }

    private async open(given: string): Promise<void> {
        const path = tidyPath(given);
        let file = this.files.get(path);
        if (!file) {
            file = new EditedFile(path, this.studio);
            this.files.set(path, file);
            file.onChange(() => this.file === file && this.draw());
            this.file = file;
            this.draw();
            try {
                await file.open();
            } catch (e) {
                file.problem = textOf(e);
            }
        }
        this.file = file;
        this.draw();
    }

    private openAt(path: string, line?: number): boolean {
        if (!/\.(yaml|urdf|xml)$/.test(path)) return false;
        this.studio.show(this.id);
        void this.open(path).then(() => {
            if (!line || !this.file) return;
            if (this.file.tree) this.tree.goToLine(line);
            else {
                this.setMode("text");
                this.source.goTo(line);
            }
        });
        return true;
    }

    // -------------------------------------------------------------------------------------- saving and trying

    /** Loads the scene with the present text, saved or not. */
    private async tryIt(): Promise<void> {
        const { file } = this;
        const scene = this.studio.store.get("scene");
        if (!file) return;
        const text = file.text;
        const here = scene && this.scenePaths().includes(file.path);
        const variant = here && scene.variant ? { variant: scene.variant } : {};
        const texts: Record<string, string> = {};
        for (const other of this.files.values()) if (other.dirty || other === file) texts[other.path] = other.text;
        const worked = await this.studio.load({ scene: here ? scene.path : file.path, ...variant, texts });
        if (worked) for (const other of this.files.values()) if (texts[other.path] !== undefined) other.shownText = other === file ? text : other.text;
        this.draw();
    }

    private async save(force = false): Promise<void> {
        const { file } = this;
        if (!file) return;
        if (file.readOnly) return this.askName();
        try {
            if (!force && file.errors > 0) return this.confirm(`Save with ${file.errors} ${file.errors === 1 ? "error" : "errors"}? A scene with this file will not load.`, "Save all the same", () => void this.save(true));
            const now = force ? file.saved : await file.onDisk().catch(() => file.saved);
            if (now !== file.saved) return this.confirm("The file was changed on disk by someone else since it was opened here.", "Overwrite it", () => void this.save(true), "Take theirs", () => void file.open());
            await file.save();
            this.studio.notify("note", `${file.path} was saved`);
        } catch (e) {
            this.confirm(textOf(e), "Try again", () => void this.save(force));
        }
        this.draw();
    }

    private askName(): void {
        const { file } = this;
        if (!file) return;
        const library = this.studio.store.get("library");
        const taken = [...(library?.robots ?? []), ...(library?.scenes ?? [])].map((e) => e.path);
        const name = h("input", { type: "text", "aria-label": "Name of the new file", spellcheck: "false", value: besides(file.path, taken) });
        const go = h("button", { class: "small-button go" }, "Save");
        const write = (): void => void this.saveAs(name.value.trim(), taken);
        go.addEventListener("click", write);
        name.addEventListener("keydown", (event) => event.key === "Enter" && write());
        this.ask.replaceChildren(name, go, this.cancel());
        this.ask.hidden = false;
        name.focus();
        name.setSelectionRange(name.value.lastIndexOf("/") + 1, name.value.length - 5);
    }

    private async saveAs(path: string, taken: string[], force = false): Promise<void> {
        const { file } = this;
        if (!file) return;
        try {
            if (!force && taken.includes(path)) return this.confirm(`${path} is there already.`, "Overwrite it", () => void this.saveAs(path, taken, true));
            await this.studio.ask("save", { path, text: file.readOnly && file.tree ? builtUpon(file.path, file.tree) : file.text });
            this.ask.hidden = true;
            this.files.delete(path);
            await this.studio.refresh();
            await this.open(path);
            this.studio.notify("note", `${path} was saved`);
        } catch (e) {
            this.confirm(textOf(e), "Other name", () => this.askName());
        }
    }

    private cancel(): HTMLElement {
        return h("button", { class: "small-button", click: () => (this.ask.hidden = true) }, "Cancel");
    }

    private confirm(text: string, yes: string, act: () => void, other = "", otherwise: () => void = () => undefined): void {
        const button = (title: string, go: () => void, strong: boolean): HTMLElement =>
            h(
                "button",
                {
                    class: `small-button${strong ? " go" : ""}`,
                    click: () => {
                        this.ask.hidden = true;
                        go();
                    },
                },
                title,
            );
        this.ask.replaceChildren(h("span", {}, text), ...(other ? [button(other, otherwise, false)] : []), button(yes, act, true), this.cancel());
        this.ask.hidden = false;
    }

    // -------------------------------------------------------------------------------------- keys

    private key(event: KeyboardEvent): void {
        if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
        const key = event.key.toLowerCase();
        const inText = this.mode === "text" && this.source.element.contains(event.target as globalThis.Node);
        if (key === "s") void this.save();
        else if (key === "enter") void this.tryIt();
        else if (!inText && key === "z" && !event.shiftKey) this.file?.undo();
        else if (!inText && (key === "y" || (key === "z" && event.shiftKey))) this.file?.redo();
        else return;
        event.preventDefault();
    }

    // -------------------------------------------------------------------------------------- viewport

    private robotOf(path: string): number {
        return (this.studio.store.get("scene")?.robots ?? []).findIndex((r) => tidyPath(r.path ?? "") === path);
    }

    /** Called when a body is selected: scrolls to its entry. */
    private find(body: number): void {
        const scene = this.studio.store.get("scene");
        const name = scene?.model.bodies?.[body]?.name;
        const { file } = this;
        if (!this.seen || this.mode !== "values" || !name || !file?.tree) return;
        const robot = scene?.robots?.[this.robotOf(file.path)];
        const prefix = robot?.prefix ?? "";
        if (name.startsWith(prefix)) this.tree.goTo(makerOf(file.tree, "body", name.slice(prefix.length)));
    }

    /** Called when an entry is selected: selects the first body that it defines in the viewport. */
    private showMade(i: number): void {
        const scene = this.studio.store.get("scene");
        const node = this.file?.tree?.nodes[i];
        const robot = this.file ? scene?.robots?.[this.robotOf(this.file.path)] : undefined;
        const name = node?.makes?.[0];
        if (!scene || !robot || name === undefined) return;
        const full = (robot.prefix ?? "") + name;
        if (node?.role === "body" || node?.role === "shape" || node?.role === "attachment") {
            const body = (scene.model.bodies ?? []).findIndex((b) => b.name === full);
            if (body >= 0) this.studio.select({ body });
        } else if (node?.role === "joint" || node?.role === "word") {
            const joint = (scene.model.joints ?? []).findIndex((j) => j.name === full);
            const body = (scene.model.joints?.[joint] as { body?: number } | undefined)?.body;
            if (joint >= 0 && body !== undefined) this.studio.select({ body, joint });
        }
    }

    // -------------------------------------------------------------------------------------- drawing

    private setMode(mode: Mode): void {
        this.mode = mode;
        this.draw();
    }

    private setFilter(id: string): void {
        this.tree.filter = id;
        this.tree.find();
        this.draw();
    }

    private draw(): void {
        if (!this.studio) return;
        const { file, mode } = this;
        for (const b of this.modes.querySelectorAll<HTMLElement>("button")) b.setAttribute("aria-pressed", String(b.dataset.mode === mode));
        for (const b of this.chips.querySelectorAll<HTMLElement>("button")) b.setAttribute("aria-pressed", String(b.dataset.filter === this.tree.filter));
        this.empty.hidden = file !== null;
        for (const part of [this.tools, this.body, this.foot]) part.hidden = file === null;
        if (!file) {
            this.empty.replaceChildren(emptyState("No model here", "Load a scene or a robot: its file can be changed here."));
            return;
        }
        if (!this.seen) return;
        if (this.search.value !== this.tree.query) this.search.value = this.tree.query;
        this.drawChoice(file);
        this.drawButtons(file);
        this.finder.hidden = mode !== "values";
        this.tree.element.hidden = mode !== "values";
        this.pose.element.hidden = mode !== "pose";
        this.source.element.hidden = mode !== "text";
        if (mode === "values") this.tree.show(file);
        if (mode === "pose") this.pose.show(this.studio.store.get("scene"), this.robotOf(file.path), file.tree);
        if (mode === "text") this.drawSource(file);
        this.drawFoot(file);
    }

    private drawSource(file: EditedFile): void {
        this.source.show(file.text, file.readOnly, this.sourceShows !== file);
        this.sourceShows = file;
        this.source.mark(file.messages.filter((m) => m.file === file.path));
    }

    private drawChoice(file: EditedFile): void {
        const paths = [...new Set([...this.scenePaths(), ...this.files.keys()])];
        const options = paths.map((p) => h("option", { value: p, selected: p === file.path }, `${this.files.get(p)?.dirty ? "\u25cf " : ""}${p.replace(/^(robots|experiments)\//, "")}`));
        const shown = options.map((o) => o.textContent).join("\n") + file.path;
        if (this.choice.title !== file.path || this.choiceShows !== shown) this.choice.replaceChildren(...options);
        this.choiceShows = shown;
        this.choice.title = file.path;
    }

    private drawButtons(file: EditedFile): void {
        this.undoButton.disabled = !file.canUndo;
        this.redoButton.disabled = !file.canRedo;
        this.undoButton.title = file.undoes ? `Undo: ${file.undoes} (Ctrl-Z)` : "Nothing to undo";
        this.redoButton.title = file.redoes ? `Redo: ${file.redoes} (Ctrl-Y)` : "Nothing to redo";
        const here = this.scenePaths().includes(file.path);
        const untried = file.text !== file.shownText || !here;
        this.tryButton.disabled = !untried || file.errors > 0;
        this.tryButton.classList.toggle("go", untried && file.errors === 0);
        this.tryButton.title = file.errors > 0 ? "There are errors" : untried ? `Load ${here ? "the scene with these values" : "this file"}, without saving (Ctrl-Enter)` : "The scene has these values";
        this.saveButton.disabled = !file.dirty && !file.readOnly;
        this.saveButton.hidden = file.readOnly;
        this.saveButton.classList.toggle("go", file.dirty);
        this.saveButton.title = file.dirty ? `Save ${file.path} (Ctrl-S)` : "Nothing to save";
        this.saveAsButton.hidden = file.readOnly;
        this.note.hidden = !file.readOnly;
        if (!file.readOnly) return;
        const format = file.tree?.outline.format === "urdf" ? "URDF" : "MJCF";
        this.note.replaceChildren(h("span", {}, `${format} files are shown, not changed. A native file can build upon this one and change masses, joints and drives in it.`), this.buildButton);
    }

    private drawFoot(file: EditedFile): void {
        const n = file.changed.size;
        const warnings = file.messages.filter((m) => m.severity === "warning").length;
        const parts: HTMLElement[] = [];
        if (file.errors > 0) parts.push(h("span", { class: "ed-count bad" }, `${file.errors} ${file.errors === 1 ? "error" : "errors"}`));
        if (warnings > 0) parts.push(h("span", { class: "ed-count warn" }, `${warnings} ${warnings === 1 ? "warning" : "warnings"}`));
        if (file.errors === 0) parts.push(h("span", { class: "ed-count good" }, "no errors"));
        parts.push(h("span", { class: "ed-count" }, file.dirty ? (n > 0 ? `${n} ${n === 1 ? "value" : "values"} changed` : "changed") : "as on disk"));
        const list = h("ul", { class: "ed-messages" });
        const shown = file.messages.filter((m) => m.severity !== "note");
        for (const m of shown.slice(0, 50)) {
            const at = m.file === file.path ? `${m.line}:${m.column}` : `${m.file?.split("/").pop() ?? ""}:${m.line ?? 0}`;
            const go = (): void => {
                if (m.file !== file.path) this.studio.openFile(m.file ?? "", m.line);
                else if (this.mode !== "text" && !file.problem) {
                    this.setMode("values");
                    this.tree.goToLine(m.line ?? 1);
                } else {
                    this.setMode("text");
                    this.source.goTo(m.line ?? 1);
                }
            };
            list.append(h("li", { class: m.severity }, h("button", { class: "quiet", click: go }, h("b", {}, at), ` ${m.text}`)));
        }
        this.foot.replaceChildren(h("div", { class: "ed-counts" }, ...parts), ...(shown.length > 0 ? [list] : []));
    }
}

export function editorPanel(): Panel {
    return new EditorPanel();
}
