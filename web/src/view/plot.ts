// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Plots over time by uPlot: drag to zoom (all plots follow), double click for the whole, values under the pointer in the legend, a click moves the
// replay there, a thin line shows its time. Lines differ by dash as well as colour, so that print without colour can be read.
import uPlot from "uplot";
import { type Band, bandRange } from "../core/certificate";
import { label, number, unit } from "../core/format";
import type { Player } from "../core/player";
import { drawBand } from "./band";
import { h, PRINT_WIDTH } from "./dom";
import type { Span } from "./span";
import { color, onTheme, seriesColor } from "./theme";

export interface Series {
    name: string;
    values: Float64Array;
    /** Number of the colour; the place in the list unless given. */
    hue?: number;
    /** A commanded value, drawn dashed and thinner. */
    reference?: boolean;
    /** The same of a second robot: in the same colour, drawn dashed and thinner. */
    ghost?: boolean;
    /** Band of a certificate around it. */
    band?: Band | undefined;
}
export interface PlotOptions {
    title: string;
    unit: string;
    time: Float64Array;
    series: Series[];
    height?: number;
    /** Lowest and highest value that must be visible. */
    include?: number[];
    note?: string;
    onClose?: () => void;
}

const DASHES: (number[] | undefined)[] = [undefined, [8, 3], [2, 3], [8, 3, 2, 3], [12, 4], [4, 2], [1, 2], [12, 3, 1, 3, 1, 3]];
const SYNC = "footfall";
const SHOW_EVERY = 250; // [ms]

function axisFont(): string {
    return "12px system-ui, sans-serif";
}

function dashOf(s: Series, i: number, many: boolean): number[] | undefined {
    if (s.reference || s.ghost) return [5, 4];
    return many ? DASHES[(s.hue ?? i) % DASHES.length] : undefined;
}

function lines(options: PlotOptions): uPlot.Series[] {
    const many = options.series.length > 1;
    return options.series.map((s, i) => {
        const hue = s.hue ?? i;
        const line: uPlot.Series = {
            label: s.name || options.title,
            stroke: () => (s.reference ? color("--reference") : seriesColor(hue)),
            width: s.reference || s.ghost ? 1.25 : 1.75,
            points: { show: false },
            value: (_u, v) => (v === null || v === undefined ? "\u2013" : `${number(v, 4)} ${unit(options.unit)}`.trim()),
        };
        const dash = dashOf(s, i, many);
        if (dash) line.dash = dash;
        return line;
    });
}

// Dashes that the marker of a legend can show.
function markerStyle(series: Series[], i: number): string {
    if (i < 0 || series.length === 1) return "solid";
    const dash = dashOf(series[i], i, true);
    return !dash ? "solid" : dash[0] > 2 ? "dashed" : "dotted";
}

function axes(options: PlotOptions): uPlot.Axis[] {
    const common: uPlot.Axis = {
        stroke: () => color("--ink-2"),
        grid: { stroke: () => color("--grid"), width: 1 },
        ticks: { stroke: () => color("--grid"), width: 1, size: 4 },
        font: axisFont(),
        labelFont: axisFont(),
    };
    return [
        { ...common, size: 30, values: (_u, splits) => splits.map((v) => number(v, 6)), label: "time [s]", labelSize: 18, labelGap: 0 },
        {
            ...common,
            size: 56,
            values: (_u, splits) => splits.map((v) => number(v, 5)),
            label: label("", options.unit).trim() || " ",
            labelSize: 18,
            labelGap: 0,
        },
    ];
}

// Uneven data with a touch of room above and below; values that must be seen widen the scale.
function range(options: PlotOptions): (u: uPlot, low: number, high: number) => uPlot.Range.MinMax {
    const bands = options.series.flatMap((s) => (s.band ? bandRange(s.band) : []));
    return (_u, low, high) => {
        const values = [low, high, ...bands, ...(options.include ?? [])].filter((v) => v !== null && Number.isFinite(v));
        let min = values.length > 0 ? Math.min(...values) : 0;
        let max = values.length > 0 ? Math.max(...values) : 1;
        if (max - min < 1e-9 * Math.max(1, Math.abs(max))) {
            const room = Math.abs(max) * 0.1 || 1;
            min -= room;
            max += room;
        }
        const pad = 0.06 * (max - min);
        return [options.include?.includes(min) ? min : min - pad, max + pad];
    };
}

// Lines break, and scales stay right, where a number is missing: uPlot knows such by null alone.
function withGaps(values: Float64Array): uPlot.AlignedData[number] {
    return values.every((v) => Number.isFinite(v)) ? values : Array.from(values, (v) => (Number.isFinite(v) ? v : null));
}

export class Plot {
    readonly element: HTMLElement;
    private readonly plot: uPlot;
    private readonly head: HTMLElement;
    private readonly observer: ResizeObserver;
    private readonly height: number;
    private setting = false;
    private hovered = false;
    private shown = 0; // when the legend last followed the replay [ms]

    constructor(
        options: PlotOptions,
        private readonly player: Player,
        private readonly span: Span,
    ) {
        const body = h("div", { class: "plot-body" });
        const close = options.onClose && h("button", { class: "quiet", title: "Remove this plot", click: options.onClose }, "Remove");
        this.element = h(
            "figure",
            { class: "plot" },
            h("figcaption", {}, h("span", {}, options.title), close),
            body,
            options.note ? h("p", { class: "note" }, options.note) : null,
        );
        this.height = options.height ?? 210;
        const data: uPlot.AlignedData = [options.time, ...options.series.map((s) => withGaps(s.values))];
        this.plot = new uPlot(this.uplotOptions(options), data, body);
        this.head = h("div", { class: "playhead" });
        this.plot.over.append(this.head);
        this.plot.over.addEventListener("click", (event) => this.seek(event));
        this.plot.over.addEventListener("mouseenter", () => (this.hovered = true));
        this.plot.over.addEventListener("mouseleave", () => {
            this.hovered = false;
            this.showValues(true);
        });
        this.plot.over.addEventListener("dblclick", () => span.reset());
        this.observer = new ResizeObserver(() => this.fit(body.clientWidth));
        this.observer.observe(body);
        addEventListener("beforeprint", () => this.fit(PRINT_WIDTH));
        addEventListener("afterprint", () => this.fit(body.clientWidth));
        onTheme(() => this.plot.redraw(false));
        player.onChange(() => {
            this.movePlayhead();
            this.showValues(!player.playing);
        });
        span.onChange(() => this.follow());
        this.follow();
        this.showValues(true);
    }

    destroy(): void {
        this.observer.disconnect();
        this.plot.destroy();
        this.element.remove();
    }

    private uplotOptions(options: PlotOptions): uPlot.Options {
        return {
            width: 600,
            height: this.height,
            scales: { x: { time: false }, y: { range: range(options) } },
            series: [{ label: "time", value: (_u, v) => (v === null || v === undefined ? "\u2013" : `${v.toFixed(3)} s`) }, ...lines(options)],
            axes: axes(options),
            cursor: { sync: { key: SYNC }, drag: { x: true, y: false, dist: 6 }, points: { size: 6 } },
            legend: { live: true, markers: { width: 3, dash: (_u, i) => markerStyle(options.series, i - 1) } },
            hooks: {
                drawAxes: [(u) => options.series.forEach((s, i) => s.band && drawBand(u, s.band, seriesColor(s.hue ?? i)))],
                setScale: [
                    (u, key) => {
                        const { min, max } = u.scales.x;
                        if (key !== "x" || this.setting || min === undefined || max === undefined || min === null || max === null) return;
                        this.span.set(min, max);
                    },
                ],
                setSize: [() => this.movePlayhead()],
            },
        };
    }

    private fit(width: number): void {
        if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: this.height });
    }

    private follow(): void {
        this.setting = true;
        this.plot.batch(() => this.plot.setScale("x", { min: this.span.from, max: this.span.to }));
        this.setting = false;
        this.movePlayhead();
    }

    // Moved by the compositor; a replay draws no plot again.
    private movePlayhead(): void {
        if (!this.head) return;
        const { from, to } = this.span;
        const t = this.player.time;
        const x = ((t - from) / (to - from)) * (this.plot.bbox.width / uPlot.pxRatio); // reading it from the element would cause a layout
        this.head.style.visibility = t < from || t > to ? "hidden" : "visible";
        this.head.style.transform = `translateX(${x.toFixed(1)}px)`;
    }

    // Without a pointer the legend shows the values at the time of the replay; some times a second are enough while it plays.
    private showValues(now: boolean): void {
        const clock = performance.now();
        if (this.hovered || (!now && clock - this.shown < SHOW_EVERY)) return;
        this.shown = clock;
        this.plot.setLegend({ idx: this.plot.valToIdx(this.player.time) });
    }

    private seek(event: MouseEvent): void {
        if (this.plot.select.width > 0) return;
        this.player.seek(this.plot.posToVal(event.clientX - this.plot.over.getBoundingClientRect().left, "x"));
    }
}
