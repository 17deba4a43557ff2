// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One live plot: lines of a ring over a stretch of time, by uPlot. Arrays are made once and filled again for each drawing; the legend shows the newest values, or those
// under the pointer.
import uPlot from "uplot";
import { type Band, bandRange } from "../core/certificate";
import { label as withUnit, number, unit as shownUnit } from "../core/format";
import { drawBand } from "../view/band";
import { h, icon, ICONS } from "../view/dom";
import { color, seriesColor } from "../view/theme";
import { type Column, ghostOf } from "./plots_channels";
import { legendNames, titleOf, unitOfPlot } from "./plots_choice";
import { type Ring, Trace } from "./plots_ring";

const SYNC = "footfall-live";
const MOST_PIXELS = 2400; // buckets that traces have room for

export interface PlotEvents {
    zoom(from: number, to: number): void;
    live(): void;
    hover(t: number | null): void;
    activate(): void;
    remove(): void;
    drop(key: string): void;
}

// Commanded values are dashed.
function isReference(column: Column): boolean {
    return /(wanted|reference)$/.test(column.channel) || /^control\.(.*_)?speed$/.test(column.channel);
}

// Lines that end where nothing is known: uPlot's own would join across NaN.
const paths: uPlot.Series.PathBuilder = (u, series, first, last) => {
    const stroke = new Path2D();
    const x = u.data[0];
    const y = u.data[series];
    let pen = false;
    for (let i = first; i <= last; i++) {
        const v = y[i];
        if (v === null || v === undefined || Number.isNaN(v)) {
            pen = false;
            continue;
        }
        const px = u.valToPos(x[i], "x", true);
        const py = u.valToPos(v, "y", true);
        if (pen) stroke.lineTo(px, py);
        else stroke.moveTo(px, py);
        pen = true;
    }
    return { stroke, flags: 0 };
};

export class PlotView {
    readonly element: HTMLElement;
    /** Whether the axis of time has numbers; takes effect with the next fit. */
    withTime = true;
    private withTimeDrawn = true;
    private readonly plot: uPlot;
    private readonly body: HTMLElement;
    private readonly values: Text[] = [];
    private readonly hidden: boolean[];
    private readonly trace: Trace;
    private places: number[]; // of all lines in the ring, -1: not there
    private shown: number[]; // the same, -1 for what is hidden too
    private bands: (Band | undefined)[] = []; // around the lines
    private readonly unit: string;
    private readonly legendTexts: string[] = [];

    constructor(
        readonly columns: Column[],
        title: string,
        private readonly events: PlotEvents,
    ) {
        this.unit = unitOfPlot(columns);
        this.trace = new Trace(MOST_PIXELS, columns.length);
        this.hidden = columns.map(() => false);
        this.places = columns.map(() => -1);
        this.shown = [...this.places];
        this.body = h("div", { class: "live-body" });
        const name = title || titleOf(columns.filter((_, i) => ghostOf(columns, i) < 0));
        const remove = h("button", { class: "quiet tool", title: "Remove this plot", "aria-label": `Remove the plot ${name}`, click: () => events.remove() }, icon(ICONS.close));
        const unit = h("span", { class: "live-unit" }, shownUnit(this.unit) ? `[${shownUnit(this.unit)}]` : "");
        this.element = h(
            "figure",
            { class: "live", "data-title": name },
            h("figcaption", {}, h("span", { class: "live-head" }, h("span", { class: "live-title", title: columns.map((c) => c.label).join("\n") }, name), unit), this.legend(), remove),
            this.body,
        );
        this.element.addEventListener("pointerdown", () => events.activate());
        this.plot = new uPlot(this.options(), [new Float64Array(0), ...columns.map(() => new Float64Array(0))], this.body);
        this.plot.over.addEventListener("dblclick", () => events.live());
    }

    destroy(): void {
        this.plot.destroy();
        this.element.remove();
    }

    /** Index of each line in the ring; -1: none yet. */
    place(columnOf: (key: string) => number): void {
        this.places = this.columns.map((c) => columnOf(c.key));
        this.choose();
    }

    /** Bands of a certificate around each line. */
    surround(bandOf: (column: Column) => Band | undefined): void {
        this.bands = this.columns.map(bandOf);
    }

    /** Keys of the lines that have one. */
    get surrounded(): string[] {
        return this.columns.filter((_, i) => this.bands[i]).map((c) => c.key);
    }

    private choose(): void {
        this.shown = this.places.map((p, i) => (this.hidden[i] ? -1 : p));
    }

    fit(width: number, height: number): void {
        const w = Math.max(80, Math.floor(width));
        const t = Math.max(60, Math.floor(height));
        const same = w === this.plot.width && t === this.plot.height && this.withTime === this.withTimeDrawn;
        this.withTimeDrawn = this.withTime;
        if (!same) this.plot.setSize({ width: w, height: t });
    }

    /** Height of caption and legend [css px]. */
    get chrome(): number {
        return this.element.offsetHeight - this.body.offsetHeight;
    }

    set active(active: boolean) {
        this.element.classList.toggle("active", active);
    }

    draw(ring: Ring, from: number, to: number): void {
        const { trace, plot } = this;
        const pixels = Math.max(20, Math.min(MOST_PIXELS, Math.round((plot.bbox.width || 300) / (uPlot.pxRatio || 1))));
        trace.buckets = pixels;
        ring.decimate(this.shown, from, to, trace);
        const n = trace.points;
        plot.batch(() => {
            plot.setData([trace.x.subarray(0, n), ...trace.y.map((y) => y.subarray(0, n))], false);
            plot.setScale("x", { min: from, max: to });
        });
    }

    /** Values of a row of the ring in the legend; row -1: none. */
    showValues(ring: Ring, row: number): void {
        for (let i = 0; i < this.columns.length; i++) {
            const v = row >= 0 && this.places[i] >= 0 ? ring.valueAt(row, this.places[i]) : NaN;
            const u = this.unit === "" ? ` ${shownUnit(this.columns[i].unit)}`.trimEnd() : "";
            const text = `${number(v, 3)}${u}`;
            if (text === this.legendTexts[i]) continue;
            this.legendTexts[i] = text;
            this.values[i].data = text;
        }
    }

    redraw(): void {
        this.plot.redraw(true, true);
    }

    private legend(): HTMLElement {
        const own = this.columns.filter((_, i) => ghostOf(this.columns, i) < 0);
        const names = legendNames(own);
        const items = this.columns.map((c, i) => {
            const leader = ghostOf(this.columns, i);
            const value = document.createTextNode("\u2013");
            this.values.push(value);
            const swatch = h("span", { class: isReference(c) || i >= 8 || leader >= 0 ? "line dashed" : "line" });
            const shown = leader >= 0 ? `twin ${names[leader]}` : names[i];
            swatch.style.color = `var(--series-${((leader >= 0 ? leader : i) % 8) + 1})`;
            const toggle = h("button", { class: "line-toggle", title: `${withUnit(c.label, c.unit)}: click to hide or show`, "aria-pressed": "true" }, swatch, h("span", {}, shown), h("output", {}, value));
            toggle.addEventListener("click", () => {
                this.hidden[i] = !this.hidden[i];
                toggle.setAttribute("aria-pressed", String(!this.hidden[i]));
                this.choose();
                this.events.activate();
            });
            const drop = h("button", { class: "line-drop", title: `Remove ${shown}`, "aria-label": `Remove ${c.label}`, click: () => this.events.drop(c.key) }, "\u00d7");
            return leader >= 0 ? h("li", {}, toggle) : h("li", {}, toggle, drop);
        });
        return h("ul", { class: "live-legend" }, ...items);
    }

    private options(): uPlot.Options {
        const font = "11px system-ui, sans-serif";
        const axis: uPlot.Axis = {
            stroke: () => color("--ink-2"),
            grid: { stroke: () => color("--grid"), width: 1 },
            ticks: { show: false },
            font,
            gap: 4,
        };
        const lines = this.columns.map((c, i): uPlot.Series => {
            const line: uPlot.Series = { stroke: () => seriesColor(i), width: 1.5, points: { show: false }, paths, auto: false };
            const leader = ghostOf(this.columns, i);
            if (leader >= 0) line.stroke = () => seriesColor(leader);
            if (leader >= 0) line.width = 1;
            if (isReference(c) || i >= 8 || leader >= 0) line.dash = [5, 4];
            return line;
        });
        return {
            width: 300,
            height: 100,
            padding: [6, 14, 2, 0],
            legend: { show: false },
            scales: { x: { time: false, auto: false }, y: { range: () => this.range() } },
            series: [{}, ...lines],
            axes: [
                { ...axis, size: () => (this.withTime ? 22 : 4), values: (_u, splits) => splits.map((v, i) => (this.withTime ? `${number(v, 6)}${i === splits.length - 1 ? "\u202fs" : ""}` : "")) },
                { ...axis, size: 46, values: (_u, splits) => splits.map((v) => number(v, 4)), space: 24 },
            ],
            cursor: {
                sync: { key: SYNC },
                y: false,
                points: { show: false },
                drag: { x: true, y: false, dist: 5, setScale: false },
                bind: { dblclick: () => () => null },
            },
            hooks: {
                drawAxes: [(u) => this.eachBand((band, i) => drawBand(u, band, seriesColor(i)))],
                setSelect: [(u) => this.select(u)],
                setCursor: [(u) => this.hover(u)],
            },
        };
    }

    private eachBand(use: (band: Band, line: number) => void): void {
        this.bands.forEach((band, i) => band && this.shown[i] >= 0 && use(band, i));
    }

    private range(): uPlot.Range.MinMax {
        let { low, high } = this.trace;
        this.eachBand((band) => {
            const { min, max } = this.plot.scales.x; // those of the drawing under way
            const [least, most] = bandRange(band, min, max);
            low = Math.min(low, least);
            high = Math.max(high, most);
        });
        if (!(high >= low)) return [0, 1];
        if (high - low < 1e-6 * Math.max(1e-3, Math.abs(high))) {
            const room = Math.abs(high) > 1e-9 ? Math.abs(high) * 0.1 : 1; // rounding about zero is zero, not a curve
            low -= room;
            high += room;
        }
        const pad = 0.06 * (high - low);
        return [low >= 0 && low < 0.2 * high ? Math.min(0, low) - 0.02 * high : low - pad, high + pad];
    }

    private select(u: uPlot): void {
        if (u.select.width < 4) return;
        const from = u.posToVal(u.select.left, "x");
        const to = u.posToVal(u.select.left + u.select.width, "x");
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        this.events.zoom(from, to);
    }

    private hover(u: uPlot): void {
        const left = u.cursor.left ?? -1;
        this.events.hover(left < 0 ? null : u.posToVal(left, "x"));
    }
}
