// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The walk from above: trace of the centre of mass, footprints, and the support polygon at the time of the replay with its margin. One scale for
// both axes; x to the right, y up, as maps have it.
import { type Feet, marginAt, supportAt, type Walker } from "../core/feet";
import { number, ticks } from "../core/format";
import type { Player } from "../core/player";
import { h, PRINT_WIDTH, svg } from "./dom";

const EDGE = { left: 52, right: 14, top: 14, bottom: 38 };

interface Box {
    x0: number;
    x1: number;
    y0: number;
    y1: number;
}

function bounds(feet: Feet, walkers: Walker[]): Box {
    const box = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
    const take = (data: Float32Array): void => {
        for (let i = 0; i < data.length; i += 3) {
            if (!Number.isFinite(data[i]) || !Number.isFinite(data[i + 1])) continue;
            box.x0 = Math.min(box.x0, data[i]);
            box.x1 = Math.max(box.x1, data[i]);
            box.y0 = Math.min(box.y0, data[i + 1]);
            box.y1 = Math.max(box.y1, data[i + 1]);
        }
    };
    for (const w of walkers) if (w.com) take(w.com.pos);
    if (feet.pos) take(feet.pos);
    const room = 0.06 * Math.max(box.x1 - box.x0, box.y1 - box.y0, 0.1);
    return { x0: box.x0 - room, x1: box.x1 + room, y0: box.y0 - room, y1: box.y1 + room };
}

export class SupportView {
    readonly element: HTMLElement;
    private readonly picture: SVGSVGElement;
    private readonly body: HTMLElement;
    private readonly text: HTMLElement;
    private readonly box: Box;
    private readonly polygons: SVGPolygonElement[];
    private readonly dots: SVGCircleElement[];
    private scale = 1;
    private height = 1;

    constructor(
        private readonly feet: Feet,
        private readonly walkers: Walker[],
        private readonly player: Player,
        private readonly rowAt: (t: number) => number,
    ) {
        this.box = bounds(feet, walkers);
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
        this.element = h("figure", { class: "plot" }, h("div", { class: "keys" }, ...legs), this.body, this.text);
        new ResizeObserver(() => this.draw()).observe(this.body);
        addEventListener("beforeprint", () => this.draw(PRINT_WIDTH));
        addEventListener("afterprint", () => this.draw());
        player.onChange(() => this.move());
        this.draw();
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

    // One dot a stance, at the middle of it: where the foot stood.
    private drawPrints(): void {
        const { pos, stances, names } = this.feet;
        if (!pos || !stances) return;
        stances.forEach((list, leg) => {
            for (const s of list) {
                const i = 3 * (names.length * this.rowAt(0.5 * (s.from + s.to)) + leg);
                const print = svg("circle", { class: "print", cx: this.x(pos[i]), cy: this.y(pos[i + 1]), r: 4 });
                print.style.fill = `var(--series-${(leg % 8) + 1})`;
                print.append(svg("title", {}, `${names[leg]}, ${s.from.toFixed(2)} to ${s.to.toFixed(2)} s`));
                this.picture.append(print);
            }
        });
    }

    private drawTraces(): SVGElement[] {
        return this.walkers.flatMap(({ com }) => {
            if (!com) return [];
            const rows = com.pos.length / 3;
            const step = Math.max(1, Math.floor(rows / 2000));
            let points = "";
            for (let i = 0; i < rows; i += step) points += `${this.x(com.pos[3 * i]).toFixed(1)},${this.y(com.pos[3 * i + 1]).toFixed(1)} `;
            return [svg("polyline", { class: "trace", points })];
        });
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
