// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The gait diagram: a row a leg, a bar while its foot carries (the source's Fig. 3.14). Drawn as SVG, so that it prints as sharp as text; it shows
// the same stretch of time as the plots.
import type { Feet } from "../core/feet";
import { number, ticks } from "../core/format";
import type { Player } from "../core/player";
import { h, PRINT_WIDTH, svg } from "./dom";
import type { Span } from "./span";

const ROW = 26; // [css px] height of a leg
const RIGHT = 64;
const TOP = 20;
const BOTTOM = 34;

export class GaitDiagram {
    readonly element: HTMLElement;
    private readonly picture: SVGSVGElement;
    private readonly body: HTMLElement;
    private head: SVGLineElement | null = null;
    private width = 0;
    private readonly left: number;

    constructor(
        private readonly feet: Feet,
        private readonly player: Player,
        private readonly span: Span,
    ) {
        this.left = 30 + 8 * Math.max(2, ...feet.names.map((n) => n.length)); // room for the longest name
        this.picture = svg("svg", { class: "gait", role: "img", "aria-label": "Gait diagram: bars while a foot carries" });
        this.body = h("div", { class: "gait-body" }, this.picture);
        this.element = h("figure", { class: "plot" }, this.body);
        this.picture.addEventListener("click", (event) => {
            const x = event.clientX - this.picture.getBoundingClientRect().left;
            const scale = this.width / (this.picture.getBoundingClientRect().width || this.width);
            if (x * scale >= this.left && x * scale <= this.width - RIGHT) player.seek(this.timeAt(x * scale));
        });
        this.picture.addEventListener("dblclick", () => span.reset());
        new ResizeObserver(() => this.draw()).observe(this.body);
        addEventListener("beforeprint", () => this.draw(PRINT_WIDTH));
        addEventListener("afterprint", () => this.draw());
        player.onChange(() => this.movePlayhead());
        span.onChange(() => this.draw());
        this.draw();
    }

    private x(t: number): number {
        return this.left + ((t - this.span.from) / (this.span.to - this.span.from)) * (this.width - this.left - RIGHT);
    }

    private timeAt(x: number): number {
        return this.span.from + ((x - this.left) / (this.width - this.left - RIGHT)) * (this.span.to - this.span.from);
    }

    private draw(width = this.body.clientWidth || 900): void {
        const legs = this.feet.names.length;
        const height = TOP + ROW * legs + BOTTOM;
        this.width = width;
        this.picture.setAttribute("viewBox", `0 0 ${this.width} ${height}`);
        this.picture.replaceChildren();
        this.drawAxis(TOP + ROW * legs);
        this.picture.append(svg("text", { x: this.width - RIGHT + 10, y: TOP - 7, class: "axis" }, "duty"));
        for (let leg = 0; leg < legs; leg++) this.drawLeg(leg);
        this.head = svg("line", { class: "head", y1: TOP - 4, y2: TOP + ROW * legs });
        this.picture.append(this.head);
        this.movePlayhead();
    }

    private drawAxis(base: number): void {
        for (const t of ticks(this.span.from, this.span.to, this.width / 110)) {
            const x = this.x(t);
            this.picture.append(svg("line", { class: "grid", x1: x, x2: x, y1: TOP, y2: base + 4 }));
            this.picture.append(svg("text", { class: "axis", x, y: base + 17, "text-anchor": "middle" }, number(t, 6)));
        }
        const middle = this.left + (this.width - this.left - RIGHT) / 2;
        this.picture.append(svg("text", { class: "axis", x: middle, y: base + 31, "text-anchor": "middle" }, "time [s]"));
    }

    private drawLeg(leg: number): void {
        const y = TOP + ROW * leg;
        const right = this.width - RIGHT;
        this.picture.append(svg("text", { class: "leg", x: this.left - 10, y: y + ROW / 2 + 4, "text-anchor": "end" }, this.feet.names[leg]));
        this.picture.append(svg("line", { class: "rail", x1: this.left, x2: right, y1: y + ROW / 2, y2: y + ROW / 2 }));
        for (const s of this.feet.stances?.[leg] ?? []) {
            if (s.to <= this.span.from || s.from >= this.span.to) continue;
            const from = Math.max(this.left, this.x(s.from));
            const to = Math.min(right, this.x(s.to));
            const bar = svg("rect", { class: "stance", x: from, y: y + 5, width: Math.max(0.5, to - from), height: ROW - 10, rx: 1.5 });
            bar.append(svg("title", {}, `${this.feet.names[leg]} carries ${s.from.toFixed(3)} to ${s.to.toFixed(3)} s`));
            this.picture.append(bar);
        }
        const duty = this.feet.duty[leg];
        this.picture.append(svg("text", { class: "axis", x: right + 10, y: y + ROW / 2 + 4 }, duty === null ? "\u2013" : duty.toFixed(2)));
    }

    private movePlayhead(): void {
        const { from, to } = this.span;
        const t = this.player.time;
        if (!this.head) return;
        this.head.setAttribute("visibility", t < from || t > to ? "hidden" : "visible");
        const x = this.x(t).toFixed(1);
        this.head.setAttribute("x1", x);
        this.head.setAttribute("x2", x);
    }
}
