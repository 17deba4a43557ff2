// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Panel "scenes": everything that can be loaded, by groups, found by a few letters: experiments with their variants, robots alone, kinds of terrain (to read about), saved runs (their
// reports open in a tab of the browser).
import { number } from "../core/format";
import { emptyState, h, icon } from "../view/dom";
import type { Library, RunEntry, Scene, SceneEntry } from "../core/protocol";
import { PANEL_ICONS } from "./layout";
import type { Panel, Studio } from "./panel";
import type { Loading } from "./store";

/** Whether all words of a query occur. */
export function matches(query: string, ...texts: (string | undefined)[]): boolean {
    const all = texts.join(" ").toLowerCase();
    return query
        .toLowerCase()
        .split(/\s+/)
        .every((word) => all.includes(word));
}

const LARGE = 12; // larger folders are divided into groups

/** What the names of a folder's files share, at a dash: "servo-hexapod" of servo-hexapod-walk and servo-hexapod-bob; e1, e2, ... belong together; "" alone. */
function family(name: string, all: string[]): string {
    const series = /^([a-z])\d+-/.exec(name);
    const first = series ? new RegExp(`^${series[1]}\\d+-`) : null;
    const kin = first ? all.filter((n) => first.test(n)) : all.filter((n) => n.split("-")[0] === name.split("-")[0]);
    if (kin.length < 2) return "";
    if (series) return `${series[1].toUpperCase()} series`;
    const words = name.split("-");
    let n = 1;
    while (n < words.length - 1 && kin.every((k) => k.split("-").slice(0, n + 1).join("-") === words.slice(0, n + 1).join("-"))) n++;
    const shared = words.slice(0, n).join(" ");
    return shared.charAt(0).toUpperCase() + shared.slice(1);
}

/** Scenes by folder, the largest first; those of a large folder by what the names of their files share, what is alone at its end. */
export function grouped(scenes: SceneEntry[]): Map<string, SceneEntry[]> {
    const folders = new Map<string, SceneEntry[]>();
    for (const scene of scenes) folders.set(scene.group || "other", [...(folders.get(scene.group || "other") ?? []), scene]);
    const groups = new Map<string, SceneEntry[]>();
    for (const [folder, list] of [...folders].sort((a, b) => b[1].length - a[1].length)) {
        const names = list.map((s) => fileName(s.path));
        const alone: SceneEntry[] = [];
        for (const scene of list) {
            const name = list.length > LARGE ? family(fileName(scene.path), names) : folder;
            if (name) groups.set(name, [...(groups.get(name) ?? []), scene]);
            else alone.push(scene);
        }
        if (alone.length > 0) groups.set(`Other ${folder}`, alone);
    }
    return groups;
}

/** "/runs/NAME/report.html" */
export function reportAddress(name: string): string {
    return `/runs/${name.split("/").map(encodeURIComponent).join("/")}/report.html`;
}

function fileName(path: string): string {
    return path.split("/").pop()?.replace(/\.yaml$/, "") ?? path;
}

class SceneList {
    private readonly search: HTMLInputElement;
    private readonly lists = h("div", { class: "scene-lists" });
    private readonly opened = new Set<string>();

    constructor(
        host: HTMLElement,
        private readonly studio: Studio,
    ) {
        this.search = h("input", { type: "search", placeholder: "Find a scene, robot or run  ( / )", "aria-label": "Find a scene, robot or run", input: () => this.draw() });
        this.search.addEventListener("keydown", (event) => this.fromSearch(event));
        this.lists.addEventListener("keydown", (event) => this.walk(event));
        host.append(h("div", { class: "search-row" }, this.search), this.lists);
        studio.store.on("library", () => {
            const first = this.lists.querySelector("[data-entry]") === null;
            this.draw();
            if (first) this.showCurrent(); // it may have been loaded before this page came
        });
        studio.store.on("scene", () => {
            this.draw();
            this.showCurrent();
        });
        studio.store.on("loading", () => this.draw());
        studio.keys.add({
            keys: ["/"],
            group: "Page",
            what: "Find a scene",
            press: () => {
                studio.show("scenes");
                this.search.focus();
                this.search.select();
            },
        });
    }

    private showCurrent(): void {
        this.lists.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    }

    private draw(): void {
        const library = this.studio.store.get("library");
        if (!library) {
            this.lists.replaceChildren(h("p", { class: "note" }, "Waiting for the program \u2026"));
            return;
        }
        const active = document.activeElement as HTMLElement | null;
        const focused = active?.matches(":focus-visible") ? active.dataset.entry : "";
        const parts = [...this.scenes(library), this.robots(library), this.runs(library), this.terrains(library)].filter((p) => p !== null);
        this.lists.replaceChildren(...parts);
        if (parts.length === 0) this.lists.append(this.search.value ? emptyState("Nothing found", "No scene, robot or run has all these letters.") : emptyState("No scenes here", "The project folder holds no scene or robot. Begin the studio in another one: footfall studio --root FOLDER."));
        if (focused) this.lists.querySelector<HTMLElement>(`[data-entry="${CSS.escape(focused)}"]`)?.focus();
    }

    private section(name: string, entries: HTMLElement[], open: boolean): HTMLElement | null {
        if (entries.length === 0) return null;
        const found = this.search.value !== "";
        const section = h("details", { class: "group-list", open: found || open || this.opened.has(name) }, h("summary", {}, h("span", {}, name), h("span", { class: "count" }, String(entries.length))), ...entries);
        section.addEventListener("toggle", () => {
            if (found) return;
            if (section.open) this.opened.add(name);
            else this.opened.delete(name);
        });
        return section;
    }

    private scenes(library: Library): (HTMLElement | null)[] {
        const scene = this.studio.store.get("scene");
        const loading = this.studio.store.get("loading");
        const groups = [...grouped(library.scenes)];
        return groups.map(([name, all], i) => {
            const found = all.filter((s) => matches(this.search.value, s.title, s.path, s.group, ...(s.variants ?? [])));
            const current = all.some((s) => s.path === scene?.path || s.path === loading?.path);
            return this.section(name, found.map((s) => this.entry(s, scene, loading)), current || (!scene && i === 0) || groups.length === 1);
        });
    }

    private entry(entry: SceneEntry, scene: Scene | null, loading: Loading | null): HTMLElement {
        const current = scene?.path === entry.path;
        const title = entry.title || fileName(entry.path);
        if (entry.needs) return this.unable(entry, title, entry.needs);
        const row = this.button(entry.path, title, fileName(entry.path), current, loading, () => void this.studio.load({ scene: entry.path }));
        const variants = entry.variants ?? [];
        if (!current || variants.length === 0) return row;
        const choice = h("select", {
            "aria-label": "Variant",
            change: () => void this.studio.load({ scene: entry.path, ...(choice.value && { variant: choice.value }) }),
        });
        choice.append(h("option", { value: "" }, "the scene itself"), ...variants.map((v) => h("option", { value: v, selected: v === scene?.variant }, v)));
        return h("div", { class: "entry-box" }, row, h("label", { class: "variant" }, h("span", {}, `Variant (${variants.length})`), choice));
    }

    // A scene that cannot run here is listed with the reason.
    private unable(entry: SceneEntry, title: string, reason: string): HTMLElement {
        const row = this.button(entry.path, title, "needs its own program", false, null, () => this.studio.notify("warning", `${title} cannot run here: ${reason}.`, { file: entry.path }));
        row.classList.add("unable");
        row.setAttribute("aria-disabled", "true");
        row.title = `${entry.path}: ${reason}`;
        return row;
    }

    private button(path: string, title: string, note: string, current: boolean, loading: Loading | null, act: () => void): HTMLButtonElement {
        const busy = loading?.path === path && !loading.error;
        const failed = loading?.path === path && loading.error !== "";
        const row = h(
            "button",
            { class: `entry${current ? " current" : ""}${failed ? " failed" : ""}`, "data-entry": path, title: path, click: act },
            h("span", { class: "entry-title" }, title),
            h("span", { class: "entry-note" }, failed ? "cannot be loaded" : note),
            busy ? h("span", { class: "spinner small", role: "status", "aria-label": "Loading" }) : null,
        );
        if (current) row.setAttribute("aria-current", "true");
        return row;
    }

    private robots(library: Library): HTMLElement | null {
        const scene = this.studio.store.get("scene");
        const loading = this.studio.store.get("loading");
        const found = library.robots.filter((r) => matches(this.search.value, r.title, r.path));
        return this.section("Robots", found.map((r) => this.button(r.path, r.title || fileName(r.path), r.path.replace(/^robots\//, ""), scene?.path === r.path, loading, () => void this.studio.load({ scene: r.path }))), found.some((r) => r.path === scene?.path));
    }

    private runs(library: Library): HTMLElement | null {
        const found = library.runs.filter((r) => matches(this.search.value, r.title, r.name));
        return this.section("Saved runs", found.map((r) => this.run(r)), false);
    }

    private run(run: RunEntry): HTMLElement {
        const facts = [run.time ? `${number(run.time, 3)} s` : "", run.bytes ? `${number(run.bytes / 1e6, 2)} MB` : "", run.saved ? new Date(1000 * run.saved).toLocaleString() : ""];
        return h(
            "a",
            { class: "entry", href: reportAddress(run.name), target: "_blank", rel: "noopener", title: "Open the report in a new tab", "data-entry": `run ${run.name}` },
            h("span", { class: "entry-title" }, run.title || run.name),
            h("span", { class: "entry-note" }, [run.title ? run.name : "", ...facts].filter(Boolean).join(" \u00b7 ")),
            icon("M14 5h5v5M19 5l-9 9M11 6H5v13h13v-6"),
        );
    }

    private terrains(library: Library): HTMLElement | null {
        const found = library.terrains.filter((t) => matches(this.search.value, t.name, t.help));
        return this.section("Terrain pieces", found.map((t) => h("div", { class: "entry plain" }, h("span", { class: "entry-title" }, h("code", {}, t.name)), h("span", { class: "entry-note" }, t.help))), false);
    }

    private fromSearch(event: KeyboardEvent): void {
        const first = this.lists.querySelector<HTMLElement>("[data-entry]");
        if (event.key === "ArrowDown") first?.focus();
        else if (event.key === "Enter") first?.click();
        else if (event.key === "Escape") {
            this.search.value = "";
            this.draw();
            this.showCurrent();
            this.search.blur();
        } else return;
        event.preventDefault();
    }

    private walk(event: KeyboardEvent): void {
        const way = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
        const entries = [...this.lists.querySelectorAll<HTMLElement>("[data-entry], summary")].filter((e) => e.offsetParent !== null);
        const at = entries.indexOf(document.activeElement as HTMLElement);
        if (!way || at < 0) return;
        event.preventDefault();
        (entries[at + way] ?? this.search).focus();
    }
}

export function scenesPanel(): Panel {
    return {
        id: "scenes",
        title: "Scenes",
        icon: PANEL_ICONS.scenes,
        dock: "left",
        mount: (host, studio) => void new SceneList(host, studio),
    };
}
