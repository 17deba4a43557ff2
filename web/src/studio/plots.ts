// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Panel of live plots. What is drawn is watched at a fixed rate into a ring of one minute; plots share one stretch of time. Live, it ends now; paused or zoomed, the ring is
// copied once and the copy inspected, however far the simulation runs on.
import "../style/parts.css";
import "../style/plots.css";
import "uplot/dist/uPlot.min.css";
import { bandIn } from "../core/certificate";
import { seconds } from "../core/format";
import { emptyState, h, icon, ICONS } from "../view/dom";
import { onTheme } from "../view/theme";
import type { Scene } from "../core/protocol";
import type { Frame } from "./frames";
import type { Panel, Studio } from "./panel";
import { Channels, type Column, withGhosts } from "./plots_channels";
import { defaultPlots, type LegJoints, type PlotChoice, readChoice, toCsv, toggle, writeChoice } from "./plots_choice";
import { Ring } from "./plots_ring";
import { ChannelTree } from "./plots_tree";
import { PlotView } from "./plots_view";

const DOWNLOAD = "M12 4v11M7 10.5l5 5 5-5M5 20h14";
const RATE = 200; // [Hz] of watched rows: 5 ms resolve a touch-down
const WINDOWS = [5, 10, 30, 60]; // [s]
const CAPACITY = 61 * RATE;
const REDRAW = 50; // [ms] least time between two drawings
const LEAST_HEIGHT = 84; // [css px] of a drawing
const SIDE_BY_SIDE = 200; // [css px] width of a plot beside another

declare global {
    interface Window {
        footfallPlots?: PlotsPanel; // for tests
    }
}

interface Stretch {
    from: number;
    to: number;
}

export class PlotsPanel implements Panel {
    readonly id = "plots";
    readonly title = "Plots";
    readonly icon = "M4 4v16h16M7 14l4-5 3 3 5-7";
    readonly dock = "bottom";

    private studio!: Studio;
    private host!: HTMLElement;
    private readonly area = h("div", { class: "live-plots" });
    private readonly status = h("span", { class: "live-state", role: "status" });
    private readonly pauseButton = h("button", { class: "small-button", click: () => this.togglePause() });
    private readonly windowBox = h("div", { class: "segmented", role: "group", "aria-label": "Stretch of time that is shown" });
    private readonly channelsButton = h("button", { class: "small-button", "aria-expanded": "false", click: () => this.toggleTree() }, "Channels");
    private readonly tree = new ChannelTree(
        (column) => this.pick(column),
        () => this.choose(defaultPlots(this.channels, this.legs()), 0),
    );
    private channels = new Channels([]);
    private scene: Scene | null = null;
    private plots: PlotChoice[] = [];
    private views: PlotView[] = [];
    private active = 0;
    private window = 10;

    private ring = new Ring(0, 1, RATE);
    private keys: string[] = []; // of the columns of the ring
    private picks: number[] = []; // their indices in a row
    private width = 0; // of a row that is expected; 0: none is
    private asked = 0; // number of the latest watch
    private frozen: Ring | null = null; // copy that is inspected
    private frozenKeys: string[] = [];
    private stretch: Stretch | null = null; // null: live
    private hovered: number | null = null;
    private lost = 0; // rows the program dropped
    private visible = false;
    private dirty = false;
    private drawn = 0;
    private planned = false;
    private readonly costs = new Float64Array(64);
    private draws = 0;

    mount(host: HTMLElement, studio: Studio): void {
        this.studio = studio;
        this.host = host;
        window.footfallPlots = this;
        host.classList.add("plots-panel");
        for (const w of WINDOWS) this.windowBox.append(h("button", { "data-window": w, title: `The last ${w} s`, click: () => this.setWindow(w) }, w === 60 ? "60\u202fs" : String(w)));
        const save = h("button", { class: "small-button", title: "Save what is shown as CSV", "aria-label": "CSV", click: () => this.export() }, icon(DOWNLOAD), h("span", { class: "wide-only" }, "CSV"));
        this.tree.element.hidden = true;
        host.append(
            h("div", { class: "panel-bar" }, this.channelsButton, this.windowBox, this.pauseButton, this.status, h("span", { class: "fill" }), save),
            h("div", { class: "live-split" }, this.tree.element, this.area),
        );
        new ResizeObserver(() => this.fit()).observe(this.area);
        onTheme(() => this.views.forEach((v) => v.redraw()));
        studio.onScene((scene) => this.setScene(scene));
        studio.onFrame((frame) => this.take(frame));
        studio.onReset(() => this.forget());
        studio.store.on("bands", () => this.surround());
        studio.store.on("link", (link) => link === "open" && this.watch());
        this.showState();
    }

    shown(visible: boolean): void {
        const first = visible && !this.visible;
        this.visible = visible;
        if (!first) return;
        if (this.keys.length === 0) this.watch();
        this.fit();
        this.mark();
    }

    /** For tests: rows, lines, what is shown, lines with a band, and the script time of the latest drawings [ms]. */
    look(): { rows: number; first: number; last: number; latest: Record<string, number>; live: boolean; from: number; to: number; lost: number; bands: string[]; costs: number[] } {
        const ring = this.source();
        const latest = Object.fromEntries(this.sourceKeys().map((k, c) => [k, ring.size > 0 ? ring.valueAt(ring.size - 1, c) : NaN]));
        const s = this.shownStretch();
        const n = Math.min(this.draws, this.costs.length);
        return { rows: ring.size, first: ring.first, last: ring.last, latest, live: this.stretch === null, from: s.from, to: s.to, lost: this.lost, bands: this.views.flatMap((v) => v.surrounded), costs: [...this.costs.subarray(0, n)] };
    }

    // -------------------------------------------------------------------------------------- what is chosen

    private storageKey(): string {
        return `footfall-plots:${this.scene?.path ?? ""}`;
    }

    private setScene(scene: Scene | null): void {
        const same = scene !== null && scene.path === this.scene?.path;
        this.scene = scene;
        this.channels = new Channels((scene?.channels ?? []).filter((c) => c.name !== "time"));
        this.tree.set(scene ? this.channels : null);
        const kept = same ? { plots: this.plots, window: this.window } : this.recall();
        const left = kept?.plots.map((p) => ({ ...p, columns: p.columns.filter((k) => this.channels.column(k)) })).filter((p) => p.columns.length > 0);
        this.window = WINDOWS.includes(kept?.window ?? 0) ? (kept?.window ?? 10) : 10;
        this.keys = [];
        this.width = 0;
        this.forget();
        this.choose(left ?? defaultPlots(this.channels, this.legs()), 0, false);
    }

    private legs(): LegJoints[] {
        const { legs, joints } = this.scene?.model ?? { legs: [], joints: [] };
        return (legs ?? []).map((l) => ({ name: l.name, joints: l.joints.flatMap((j) => joints[j]?.name ?? []) }));
    }

    private recall(): { plots: PlotChoice[]; window: number } | null {
        try {
            return readChoice(localStorage.getItem(this.storageKey()), this.channels);
        } catch {
            return null;
        }
    }

    private keep(): void {
        if (!this.scene) return;
        try {
            localStorage.setItem(this.storageKey(), writeChoice(this.plots, this.window));
        } catch {
            return; // if storage is refused, the choice is lost with the page
        }
    }

    private choose(plots: PlotChoice[], active: number, keep = true): void {
        this.plots = plots;
        this.active = Math.max(0, Math.min(active, plots.length - 1));
        if (keep) this.keep();
        this.build();
        this.watch();
        this.mark();
    }

    private pick(column: Column): void {
        const next = toggle(this.plots, column, this.active, this.channels);
        if (next.refused) this.studio.notify("warning", next.refused);
        else this.choose(next.plots, next.active);
        this.views[this.active]?.element.scrollIntoView({ block: "nearest" });
    }

    private setWindow(window: number): void {
        this.window = window;
        this.keep();
        this.goLive();
    }

    private linesOf(plot: PlotChoice): Column[] {
        return withGhosts(plot.columns.flatMap((k) => this.channels.column(k) ?? []), this.channels);
    }

    // -------------------------------------------------------------------------------------- what is watched

    private watch(): void {
        const wanted = [...new Set(this.plots.flatMap((p) => this.linesOf(p)).map((c) => c.key))];
        const names = [...new Set(wanted.map((k) => this.channels.column(k)?.channel ?? ""))].filter(Boolean);
        const asked = ++this.asked;
        if (!this.scene || this.studio.store.get("link") !== "open") return;
        if (!this.visible && this.keys.length === 0) return; // the panel was not shown yet
        this.studio.ask("watch", { channels: names, rate: RATE }).then(
            () => {
                if (asked === this.asked) this.begin(wanted, names);
            },
            (e: unknown) => {
                if (asked === this.asked) this.studio.notify("error", `These channels cannot be watched: ${e instanceof Error ? e.message : String(e)}`);
            },
        );
    }

    // Rows from now on have these channels side by side. What was known of columns that stay is kept.
    private begin(keys: string[], names: string[]): void {
        const starts = new Map<string, number>();
        let width = 1;
        for (const name of names) {
            starts.set(name, width - 1);
            width += this.channels.channel(name)?.columns.length ?? 0;
        }
        const ring = new Ring(keys.length, CAPACITY, RATE);
        ring.adopt(this.ring, keys.map((k) => this.keys.indexOf(k)));
        this.picks = keys.map((k) => {
            const column = this.channels.column(k);
            return column ? (starts.get(column.channel) ?? 0) + column.index : width;
        });
        this.ring = ring;
        this.keys = keys;
        this.width = width;
        this.placeViews();
        this.mark();
    }

    private take(frame: Frame): void {
        this.lost += frame.dropped;
        const { rows } = frame;
        if (rows.count === 0 || rows.width !== this.width) return;
        this.ring.push(rows.data, rows.count, rows.width, this.picks);
        if (this.stretch === null) this.mark();
    }

    private forget(): void {
        this.ring.clear();
        this.lost = 0;
        this.frozen = null;
        this.stretch = null;
        this.showState();
        this.mark();
    }

    // -------------------------------------------------------------------------------------- what is shown

    private source(): Ring {
        return this.frozen ?? this.ring;
    }

    private sourceKeys(): string[] {
        return this.frozen ? this.frozenKeys : this.keys;
    }

    private shownStretch(): Stretch {
        if (this.stretch) return this.stretch;
        const last = Number.isNaN(this.ring.last) ? 0 : this.ring.last;
        const from = Math.max(0, last - this.window);
        return { from, to: from + this.window };
    }

    private inspect(stretch: Stretch): void {
        if (!this.frozen) {
            this.frozen = new Ring(this.ring.columns, CAPACITY, RATE);
            this.frozen.copy(this.ring);
            this.frozenKeys = this.keys;
        }
        this.stretch = stretch;
        this.showState();
        this.placeViews();
        this.mark();
    }

    private goLive(): void {
        this.stretch = null;
        this.frozen = null;
        this.showState();
        this.placeViews();
        this.mark();
    }

    private togglePause(): void {
        if (this.stretch) this.goLive();
        else this.inspect(this.shownStretch());
    }

    private showState(): void {
        const { stretch } = this;
        const live = stretch === null;
        this.pauseButton.replaceChildren(icon(live ? ICONS.pause : ICONS.play), h("span", { class: "wide-only" }, live ? "Freeze" : "Live"));
        this.pauseButton.setAttribute("aria-label", live ? "Freeze" : "Live");
        this.pauseButton.title = live ? "Freeze the plots to read them; the simulation runs on" : "Back to live (or double click a plot)";
        this.pauseButton.classList.toggle("on", !live);
        this.status.textContent = live ? "" : `${seconds(stretch.from)} to ${seconds(stretch.to)}`;
        this.status.hidden = live;
        for (const b of this.windowBox.querySelectorAll("button")) b.setAttribute("aria-pressed", String(live && Number(b.dataset.window) === this.window));
    }

    private toggleTree(): void {
        const open = this.tree.element.hidden;
        this.tree.element.hidden = !open;
        this.channelsButton.setAttribute("aria-expanded", String(open));
        if (open) this.tree.opened();
        this.fit();
    }

    private build(): void {
        for (const view of this.views) view.destroy();
        this.views = this.plots.map((choice, i) => new PlotView(this.linesOf(choice), choice.title, this.eventsOf(i)));
        this.area.replaceChildren(...this.views.map((v) => v.element));
        if (this.views.length === 0) this.area.append(this.nothing());
        this.tree.mark(this.plots.flatMap((p) => p.columns));
        this.placeViews();
        this.surround();
        this.showState();
        this.fit();
    }

    private surround(): void {
        const bands = this.studio.store.get("bands");
        for (const view of this.views) view.surround((column) => bandIn(bands, column.channel, column.index));
        this.mark();
    }

    private nothing(): HTMLElement {
        if (!this.scene) return emptyState("No scene is loaded", "Choose one under Scenes; its channels can be plotted here.");
        return emptyState("Nothing is plotted", this.channels.list.length > 0 ? "Open Channels and choose what to draw." : "This scene has no channels.");
    }

    private eventsOf(i: number): ConstructorParameters<typeof PlotView>[2] {
        return {
            zoom: (from, to) => this.inspect({ from, to }),
            live: () => this.goLive(),
            hover: (t) => {
                this.hovered = t;
                this.mark();
            },
            activate: () => {
                this.active = i;
                this.views.forEach((v, k) => (v.active = k === i && this.views.length > 1));
                this.mark();
            },
            remove: () => this.choose(this.plots.filter((_, k) => k !== i), this.active),
            drop: (key) => {
                const column = this.channels.column(key);
                const kept = this.plots.map((p, k) => (k === i ? { ...p, columns: p.columns.filter((c) => c !== key) } : p));
                if (column) this.choose(kept.filter((p) => p.columns.length > 0), i);
            },
        };
    }

    private placeViews(): void {
        const keys = this.sourceKeys();
        for (const view of this.views) view.place((key) => keys.indexOf(key));
        this.views.forEach((v, k) => (v.active = k === this.active && this.views.length > 1));
    }

    // In a column if there is height, side by side in a low and wide dock.
    private fit(): void {
        const { clientWidth: width, clientHeight: height } = this.area;
        if (width === 0 || this.views.length === 0) return;
        const n = this.views.length;
        const low = height < n * (LEAST_HEIGHT + 60);
        const columns = low ? Math.max(1, Math.min(n, Math.floor(width / SIDE_BY_SIDE))) : 1;
        const rows = Math.ceil(n / columns);
        this.area.style.setProperty("--columns", String(columns));
        this.host.classList.toggle("low", low);
        const inner = (this.area.firstElementChild?.clientWidth ?? width) - 8;
        const each = Math.floor((height - 6 * (rows + 1)) / rows) - 1;
        this.views.forEach((view, i) => {
            view.withTime = columns > 1 || i === n - 1; // in a column only the last plot shows the time axis
            view.fit(inner, Math.max(LEAST_HEIGHT, each - view.chrome));
        });
        this.mark();
    }

    // -------------------------------------------------------------------------------------- drawing

    private mark(): void {
        this.dirty = true;
        if (this.planned || !this.visible) return;
        this.planned = true;
        const wait = Math.max(0, this.drawn + REDRAW - performance.now());
        setTimeout(() => requestAnimationFrame(() => this.draw()), wait);
    }

    private draw(): void {
        this.planned = false;
        if (!this.dirty || !this.visible) return;
        this.dirty = false;
        const begun = performance.now();
        this.drawn = begun;
        const ring = this.source();
        const { from, to } = this.shownStretch();
        const row = this.hovered === null ? ring.nearest(Math.min(to, ring.last)) : ring.nearest(this.hovered);
        for (const view of this.views) {
            view.draw(ring, from, to);
            view.showValues(ring, row);
        }
        this.host.classList.toggle("hovering", this.hovered !== null);
        if (this.hovered !== null && row >= 0) {
            this.status.hidden = false;
            this.status.textContent = `at ${seconds(ring.timeAt(row), 3)}`;
        } else if (this.status.textContent.startsWith("at ")) this.showState();
        this.costs[this.draws++ % this.costs.length] = performance.now() - begun;
    }

    private export(): void {
        const ring = this.source();
        const { from, to } = this.shownStretch();
        const keys = [...new Set(this.plots.flatMap((p) => p.columns))];
        const columns = keys.flatMap((k) => this.channels.column(k) ?? []);
        const places = columns.map((c) => this.sourceKeys().indexOf(c.key));
        const first = ring.rowFrom(from);
        const rows = ring.rowFrom(to + 1e-9) - first;
        if (rows <= 0 || columns.length === 0) return this.studio.notify("warning", "There is nothing to save yet: run the simulation first.");
        const text = toCsv(
            columns,
            rows,
            (r) => ring.timeAt(first + r),
            (r, c) => (places[c] >= 0 ? ring.valueAt(first + r, places[c]) : NaN),
        );
        const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
        const stem = (this.scene?.path ?? "plots").replace(/^.*\//, "").replace(/\.[^.]*$/, "");
        h("a", { href: url, download: `${stem}-${from.toFixed(2)}-${to.toFixed(2)}s.csv` }).click();
        setTimeout(() => URL.revokeObjectURL(url), 10_000);
    }
}

export function plotsPanel(): PlotsPanel {
    return new PlotsPanel();
}
