// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The frame of the page: three docks with panels as tabs around the viewport; those on the right stand below each other. Docks are sized by their edges (pointer or arrow keys), folded by the tab in front, and panels
// move between them; all of that is remembered. On a narrow screen every panel lies in one dock below the viewport.
import { h, icon, ICONS } from "../view/dom";
import type { DockName, Panel, Studio } from "./panel";
import { recall, remember } from "./remember";

const NARROW = "(max-width: 940px)"; // tablets upright, phones both ways
const LEAST = 150; // [css px] of a dock that is not folded
const STARTS: Record<DockName, number> = { left: 236, right: 340, bottom: 212 };
const MOVES: Record<DockName, { to: DockName; what: string; path: string }> = {
    left: { to: "right", what: "Move to the right", path: "M5 12h13M13 6l6 6-6 6" },
    right: { to: "bottom", what: "Move below the viewport", path: "M12 5v13M6 13l6 6 6-6" },
    bottom: { to: "right", what: "Move to the right", path: "M5 12h13M13 6l6 6-6 6" },
};

interface Place {
    panel: Panel;
    host: HTMLElement;
    tab: HTMLButtonElement;
    home: DockName;
    visible: boolean;
}
interface Remembered {
    docks: Record<string, DockName>;
    sizes: Partial<Record<DockName, number>>;
    folded: Partial<Record<DockName, boolean>>;
    front: Partial<Record<DockName, string>>;
}

class Dock {
    readonly element: HTMLElement;
    readonly edge: HTMLElement;
    readonly places: Place[] = [];
    front: Place | null = null;
    folded = false;
    size: number;
    private readonly strip: HTMLElement;
    private readonly body: HTMLElement;
    private readonly mover: HTMLButtonElement;
    private readonly folder: HTMLButtonElement;

    constructor(
        readonly name: DockName,
        private readonly layout: Layout,
    ) {
        this.size = STARTS[name];
        this.strip = h("div", { class: "tabs", role: "tablist", "aria-label": `Panels ${name === "bottom" ? "below" : name}` });
        this.body = h("div", { class: "dock-body" });
        this.mover = h("button", { class: "quiet tool", click: () => this.front && layout.move(this.front, MOVES[this.name].to) });
        this.mover.append(icon(MOVES[name].path));
        this.mover.title = MOVES[name].what;
        this.mover.setAttribute("aria-label", MOVES[name].what);
        this.folder = h("button", { class: "quiet tool fold", click: () => this.fold(!this.folded) }, icon("M6 9l6 6 6-6"));
        this.edge = h("div", { class: `edge ${name}`, role: "separator", tabindex: "0", "aria-label": `Size of the panels ${name}` });
        this.edge.setAttribute("aria-orientation", name === "bottom" ? "horizontal" : "vertical");
        this.element = h("section", { class: `dock ${name}` }, h("div", { class: "dock-head" }, this.strip, h("span", { class: "fill" }), this.mover, this.folder), this.body);
        this.strip.addEventListener("keydown", (event) => this.walk(event));
        this.listenEdge();
    }

    put(place: Place): void {
        this.places.push(place);
        this.strip.append(place.tab);
        this.body.append(place.host);
        if (!this.front) this.front = place;
        this.draw();
    }

    take(place: Place): void {
        const at = this.places.indexOf(place);
        if (at < 0) return;
        this.places.splice(at, 1);
        place.tab.remove();
        place.host.remove();
        if (this.front === place) this.front = this.places[Math.max(0, at - 1)] ?? null;
        this.draw();
    }

    bring(place: Place): void {
        this.front = place;
        this.folded = false;
        this.draw();
        place.tab.scrollIntoView({ inline: "nearest", block: "nearest" });
        this.layout.keep();
    }

    fold(folded: boolean): void {
        this.folded = folded;
        this.draw();
        this.layout.keep();
    }

    draw(): void {
        const { element } = this;
        const folded = this.folded && !this.layout.narrow;
        element.hidden = this.edge.hidden = this.places.length === 0;
        if (!this.edge.hidden) this.edge.hidden = folded;
        element.classList.toggle("folded", folded);
        this.folder.title = folded ? "Unfold" : "Fold";
        this.folder.setAttribute("aria-label", `${folded ? "Unfold" : "Fold"} the panels ${this.name}`);
        this.folder.setAttribute("aria-expanded", String(!folded));
        this.mover.hidden = folded || this.layout.narrow;
        this.folder.hidden = this.layout.narrow;
        element.style.setProperty("--size", `${this.size}px`);
        this.strip.setAttribute("aria-orientation", this.name === "right" || (folded && this.name === "left") ? "vertical" : "horizontal");
        for (const place of this.places) {
            const front = place === this.front;
            const visible = front && !folded;
            place.tab.setAttribute("aria-selected", String(front));
            place.tab.tabIndex = front ? 0 : -1;
            place.host.hidden = !visible;
            if (visible === place.visible) continue;
            place.visible = visible;
            place.panel.shown?.(visible);
        }
    }

    private walk(event: KeyboardEvent): void {
        const way = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : event.key === "ArrowLeft" || event.key === "ArrowUp" ? -1 : 0;
        if (!way || !this.front) return;
        event.preventDefault();
        const n = this.places.length;
        const next = this.places[(this.places.indexOf(this.front) + way + n) % n];
        this.bring(next);
        next.tab.focus();
    }

    private resize(size: number): void {
        const most = this.name === "bottom" ? innerHeight - 260 : innerWidth - 420;
        this.size = Math.round(Math.max(LEAST, Math.min(Math.max(LEAST, most), size)));
        this.draw();
    }

    private listenEdge(): void {
        const { edge, name } = this;
        const sign = name === "left" ? 1 : -1;
        const along = (event: PointerEvent): number => (name === "bottom" ? event.clientY : event.clientX);
        edge.addEventListener("pointerdown", (event) => {
            const from = along(event);
            const size = this.size;
            edge.setPointerCapture(event.pointerId);
            const move = (e: PointerEvent): void => this.resize(size + sign * (along(e) - from));
            edge.addEventListener("pointermove", move);
            edge.addEventListener("lostpointercapture", () => edge.removeEventListener("pointermove", move), { once: true });
            edge.addEventListener("lostpointercapture", () => this.layout.keep(), { once: true });
            event.preventDefault();
        });
        edge.addEventListener("dblclick", () => {
            this.resize(STARTS[name]);
            this.layout.keep();
        });
        edge.addEventListener("keydown", (event) => {
            const way = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
            if (!way) return;
            event.preventDefault();
            this.resize(this.size + sign * way * 16);
            this.layout.keep();
        });
    }
}

export class Layout {
    readonly element: HTMLElement;
    narrow = false;
    private readonly docks: Record<DockName, Dock>;
    private readonly places: Place[] = [];
    private readonly kept = recall<Remembered>("layout", { docks: {}, sizes: {}, folded: {}, front: {} });
    private ready = false;

    constructor(head: HTMLElement, centre: HTMLElement) {
        this.docks = { left: new Dock("left", this), right: new Dock("right", this), bottom: new Dock("bottom", this) };
        const { left, right, bottom } = this.docks;
        this.element = h(
            "div",
            { class: "studio" },
            head,
            left.element,
            left.edge,
            h("main", { class: "centre" }, centre, bottom.edge, bottom.element),
            right.edge,
            right.element,
        );
        for (const dock of Object.values(this.docks)) dock.size = this.kept.sizes[dock.name] ?? dock.size;
    }

    /** Mounts the panels; those of a narrow screen all lie below. */
    fill(panels: Panel[], studio: Studio): void {
        for (const panel of panels) {
            const host = h("div", { class: "panel", id: `panel-${panel.id}`, role: "tabpanel", "aria-labelledby": `tab-${panel.id}` });
            const tab = h("button", { class: "tab", role: "tab", id: `tab-${panel.id}`, "aria-controls": `panel-${panel.id}` }, icon(panel.icon), h("span", {}, panel.title));
            const place: Place = { panel, host, tab, home: this.kept.docks[panel.id] ?? panel.dock, visible: false };
            tab.addEventListener("click", () => {
                const dock = this.dockOf(place);
                if (dock.front === place && !this.narrow) dock.fold(!dock.folded);
                else dock.bring(place);
            });
            this.places.push(place);
            panel.mount(host, studio);
        }
        const narrow = matchMedia(NARROW);
        narrow.addEventListener("change", () => this.arrange(narrow.matches));
        this.arrange(narrow.matches);
        this.ready = true;
    }

    show(id: string): void {
        const place = this.places.find((p) => p.panel.id === id);
        if (place) this.dockOf(place).bring(place);
    }

    /** Folds or unfolds a dock. */
    toggle(name: DockName): void {
        this.docks[name].fold(!this.docks[name].folded);
    }

    move(place: Place, to: DockName): void {
        this.dockOf(place).take(place);
        place.home = to;
        this.docks[to].put(place);
        this.docks[to].bring(place);
    }

    /** Stores the arrangement of the page. */
    keep(): void {
        if (!this.ready || this.narrow) return;
        const { kept } = this;
        for (const place of this.places) kept.docks[place.panel.id] = place.home;
        for (const dock of Object.values(this.docks)) {
            kept.sizes[dock.name] = dock.size;
            kept.folded[dock.name] = dock.folded;
            if (dock.front) kept.front[dock.name] = dock.front.panel.id;
        }
        remember("layout", kept);
    }

    private dockOf(place: Place): Dock {
        return this.docks[this.narrow ? "bottom" : place.home];
    }

    private arrange(narrow: boolean): void {
        for (const dock of Object.values(this.docks)) for (const place of [...dock.places]) dock.take(place);
        this.narrow = narrow;
        this.element.classList.toggle("narrow", narrow);
        for (const place of this.places) this.dockOf(place).put(place);
        for (const dock of Object.values(this.docks)) {
            dock.folded = this.kept.folded[dock.name] ?? false;
            dock.front = dock.places.find((p) => p.panel.id === this.kept.front[dock.name]) ?? dock.places[0] ?? null;
            dock.draw();
        }
    }
}

export const PANEL_ICONS = {
    scenes: "M4 6h16M4 12h16M4 18h10",
    info: "M12 11v6M12 7.5v.5M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
    close: ICONS.close,
};
