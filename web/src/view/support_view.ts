// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The walk from above: traces of the centre of mass and, where they were recorded, of the planned zero moment point, the centre of pressure and the capture point; footprints;
// and the support polygon at the time of the replay with its margin. One scale for both axes; x to the right, y up, as maps have it.
import { type Balance, type Footprint, footprints } from "../core/balance";
import type { Run } from "../core/document";
import { type Feet, marginAt, supportAt, type Walker } from "../core/feet";
import { number, ticks } from "../core/format";
import type { Player } from "../core/player";
import { h, PRINT_WIDTH, svg } from "./dom";

const EDGE = { left: 52, right: 14, top: 14, bottom: 38 };

/** Lines beside that of the centre of mass: their names, and numbers a row. */
const LINES: [keyof Balance, string, number][] = [
    ["zmp", "planned ZMP", 2],
    ["cop", "centre of pressure", 3],
    ["dcm", "capture point (DCM)", 3],
];

interface Box {
    x0: number;
    x1: number;
    y0: number;
    y1: number;
}

function bounds(feet: Feet, walkers: Walker[], prints: Footprint[]): Box {
    const box = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
    const add = (x: number, y: number): void => {
        if (!Number.isFinite(x) || !Number.isFinite(y)) return;
        box.x0 = Math.min(box.x0, x);
        box.x1 = Math.max(box.x1, x);
        box.y0 = Math.min(box.y0, y);
        box.y1 = Math.max(box.y1, y);
    };
    const take = (data: Float32Array): void => {
        for (let i = 0; i < data.length; i += 3) add(data[i], data[i + 1]);
    };
    for (const w of walkers) if (w.com) take(w.com.pos);
    if (feet.pos) take(feet.pos);
    for (const { corners } of prints) for (const [x, y] of corners) add(x, y);
    const room = 0.06 * Math.max(box.x1 - box.x0, box.y1 - box.y0, 0.1);
    return { x0: box.x0 - room, x1: box.x1 + room, y0: box.y0 - room, y1: box.y1 + room };
}

export class SupportView {
    readonly element: HTMLElement;
    private readonly picture: SVGSVGElement;
    private readonly body: HTMLElement;
    private readonly text: HTMLElement;
    private readonly box: Box;
    private readonly prints: Footprint[];
    private readonly polygons: SVGPolygonElement[];
    private readonly dots: SVGCircleElement[];
    private readonly shown: Record<keyof Balance, boolean> = { zmp: true, cop: true, dcm: false };
    private scale = 1;
    private height = 1;

    constructor(
        private readonly feet: Feet,
        private readonly walkers: Walker[],
        private readonly balances: Balance[],
        private readonly player: Player,
        private readonly run: Run,
    ) {
        this.prints = footprints(run, feet).filter((p) => p.corners.length >= 3);
        this.box = bounds(feet, walkers, this.prints);
        this.polygons = walkers.map(() => svg("polygon", { class: "support" }));
        this.dots = walkers.map(() => svg("circle", { class: "com", r: 5 }));
        this.picture = svg("svg", { class: "support-view", role: "img", "aria-label": "Support polygon and centre of mass from above" });
        this.body = h("div", { class: "support-body" }, this.picture);
        this.text = h("p", { class: "note" });
        const legs = feet.names.map((name, leg) => {
            const dot = svg("svg", { viewBox: "0 0 10 10", class: "swatch" }, svg("circle", { cx: 5, cy: 5, r: 4 }));
            dot.style.fill = `var(--series-${(leg % 8) + 1})`;
            return h("span", {}, dot, name);
        });
        this.element = h("figure", { class: "plot" }, h("div", { class: "keys" }, ...legs, ...this.switches()), this.body, this.text);
        new ResizeObserver(() => this.draw()).observe(this.body);
        addEventListener("beforeprint", () => this.draw(PRINT_WIDTH));
        addEventListener("afterprint", () => this.draw());
        player.onChange(() => this.move());
        this.draw();
    }

    private rowAt(t: number): number {
        return this.run.rowAt(t);
    }

    /** The lines that exist, each with a switch. */
    private switches(): HTMLElement[] {
        const line = (name: string): SVGElement => svg("svg", { viewBox: "0 0 18 10", class: "swatch line" }, svg("line", { class: `trace ${name}`, x1: 0, x2: 18, y1: 5, y2: 5 }));
        const own = this.walkers.some((w) => w.com) ? [h("span", {}, line(""), "centre of mass")] : [];
        return [
            ...own,
            ...LINES.filter(([key]) => this.balances.some((b) => b[key])).map(([key, name]) => {
                const check = h("input", { type: "checkbox", checked: this.shown[key] });
                check.addEventListener("change", () => {
                    this.shown[key] = check.checked;
                    this.draw();
                });
                return h("label", { class: "line-switch" }, check, line(key), name);
            }),
        ];
    }

    private x(value: number): number {
        return EDGE.left + (value - this.box.x0) * this.scale;
    }
    private y(value: number): number {
        return this.height - EDGE.bottom - (value - this.box.y0) * this.scale;
    }

    private draw(width = this.body.clientWidth || 900): void {
        const { x0, x1, y0, y1 } = this.box;
        const most = 440; // [css px] tallest picture
        const across = width - EDGE.left - EDGE.right;
        this.scale = Math.min(across / (x1 - x0), (most - EDGE.top - EDGE.bottom) / (y1 - y0));
        this.height = (y1 - y0) * this.scale + EDGE.top + EDGE.bottom;
        const used = (x1 - x0) * this.scale + EDGE.left + EDGE.right;
        this.picture.setAttribute("viewBox", `0 0 ${used} ${this.height}`);
        this.picture.style.maxWidth = `${used}px`;
        this.picture.replaceChildren();
        this.drawAxes(used);
        this.drawPrints();
        this.picture.append(...this.polygons, ...this.drawTraces(), ...this.dots);
        this.move();
    }

    private drawAxes(width: number): void {
        const { x0, x1, y0, y1 } = this.box;
        const right = width - EDGE.right;
        const base = this.height - EDGE.bottom;
        for (const t of ticks(x0, x1, ((x1 - x0) * this.scale) / 90)) {
            const x = this.x(t);
            this.picture.append(svg("line", { class: "grid", x1: x, x2: x, y1: EDGE.top, y2: base }));
            this.picture.append(svg("text", { class: "axis", x, y: base + 16, "text-anchor": "middle" }, number(t, 4)));
        }
        for (const t of ticks(y0, y1, ((y1 - y0) * this.scale) / 60)) {
            const y = this.y(t);
            this.picture.append(svg("line", { class: "grid", x1: EDGE.left, x2: right, y1: y, y2: y }));
            this.picture.append(svg("text", { class: "axis", x: EDGE.left - 7, y: y + 4, "text-anchor": "end" }, number(t, 4)));
        }
        this.picture.append(svg("text", { class: "axis", x: (EDGE.left + right) / 2, y: base + 32, "text-anchor": "middle" }, "x [m]"));
        const middle = (EDGE.top + base) / 2;
        this.picture.append(
            svg("text", { class: "axis", x: 13, y: middle, "text-anchor": "middle", transform: `rotate(-90 13 ${middle})` }, "y [m]"),
        );
    }

    // Where each foot stood: the outline of its sole where it was recorded and is one, else a dot at the middle of the stance.
    private drawPrints(): void {
        const { pos, stances, names } = this.feet;
        const outlines = this.prints;
        const title = (leg: number, from: number, to: number): SVGElement => svg("title", {}, `${names[leg]}, ${from.toFixed(2)} to ${to.toFixed(2)} s`);
        const add = (print: SVGElement, leg: number, from: number, to: number): void => {
            print.style.setProperty("--foot", `var(--series-${(leg % 8) + 1})`);
            print.append(title(leg, from, to));
            this.picture.append(print);
        };
        for (const { leg, from, to, corners } of outlines)
            add(svg("polygon", { class: "sole-print", points: corners.map((c) => `${this.x(c[0]).toFixed(1)},${this.y(c[1]).toFixed(1)}`).join(" ") }), leg, from, to);
        stances?.forEach((list, leg) => {
            for (const { from, to } of list) {
                if (!pos || outlines.some((p) => p.leg === leg)) continue; // others are bounces of landings
                const i = 3 * (names.length * this.rowAt(0.5 * (from + to)) + leg);
                add(svg("circle", { class: "print", cx: this.x(pos[i]), cy: this.y(pos[i + 1]), r: 4 }), leg, from, to);
            }
        });
    }

    // A line breaks where a number is missing: in the air there is no pressure.
    private trace(data: Float32Array, width: number, name: string): SVGElement {
        const rows = data.length / width;
        const step = Math.max(1, Math.floor(rows / 2000));
        let path = "";
        let pen = "M";
        for (let i = 0; i < rows; i += step) {
            const [x, y] = [data[width * i], data[width * i + 1]];
            if (Number.isFinite(x) && Number.isFinite(y)) {
                path += `${pen}${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`;
                pen = "L";
            } else pen = "M";
        }
        return svg("path", { class: `trace ${name}`, d: path });
    }

    private drawTraces(): SVGElement[] {
        const others = this.balances.flatMap((b) =>
            LINES.flatMap(([key, , width]) => {
                const data = b[key];
                return data && this.shown[key] ? [this.trace(data, width, key)] : [];
            }),
        );
        return [...others, ...this.walkers.flatMap(({ com }) => (com ? [this.trace(com.pos, 3, "")] : []))];
    }

    private move(): void {
        const row = this.rowAt(this.player.time);
        const parts = this.walkers.map((w, i) => {
            const corners = supportAt(this.feet, w.legs, row);
            this.polygons[i].setAttribute("points", corners.map((c) => `${this.x(c[0]).toFixed(1)},${this.y(c[1]).toFixed(1)}`).join(" "));
            const value = marginAt(this.feet, w, row);
            if (w.com) {
                this.dots[i].setAttribute("cx", this.x(w.com.pos[3 * row]).toFixed(1));
                this.dots[i].setAttribute("cy", this.y(w.com.pos[3 * row + 1]).toFixed(1));
                this.dots[i].classList.toggle("outside", value < 0);
            }
            const who = this.walkers.length > 1 ? `${w.name}: ` : "";
            return `${who}${Number.isFinite(value) ? `margin ${number(1000 * value, 3)} mm, ${corners.length} corners` : "no foot carries"}`;
        });
        this.text.textContent = `At ${this.player.time.toFixed(2)} s: ${parts.join("; ")}.`;
    }
}
