// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads of the feet over the viewport: a bar a foot for its share of the robot's weight, a tick for the share that the controller wants, and the planned load, if there is one.
import { LIMB } from "../core/limbs";
import { type Model, SECTIONS } from "../core/protocol";
import { h } from "../view/dom";
import type { Frame } from "./frames";

const FOOT = SECTIONS.limbs.columns;
const FULL = 2.5; // times an even share of the weight is the end of a bar: landings pass it for a moment
const EVERY = 80; // [ms] between two looks: numbers that change faster cannot be read

/** Weight of everything that hangs together with each leg [N]. */
export function weightsOf(model: Model, rootOf: (body: number) => number): number[] {
    const gravity = Math.hypot(...model.gravity) || 9.81;
    return model.legs.map((_, leg) => {
        const root = rootOf(model.limbs[leg].body);
        return gravity * model.bodies.reduce((sum, b, i) => (b.node >= 0 && rootOf(i) === root ? sum + b.mass : sum), 0);
    });
}

/** What one foot shows: shares of the weight, NaN where the controller says nothing. */
export function loadOf(data: Float32Array, i: number, weight: number): { measured: number; wanted: number; planned: number } {
    return { measured: data[i + FOOT.force_z] / weight, wanted: data[i + FOOT.wanted] / weight, planned: data[i + FOOT.load] };
}

export class LoadBars {
    readonly element = h("div", { class: "load-bars", role: "img", "aria-label": "Loads of the feet", hidden: true });
    private rows: { fill: HTMLElement; tick: HTMLElement; text: HTMLElement }[] = [];
    private weights: number[] = [];
    private ends: number[] = []; // share of the weight at the end of each bar
    private last = 0;

    /** For another model; null: none. */
    setModel(model: Model | null, rootOf: (body: number) => number): void {
        this.weights = model ? weightsOf(model, rootOf) : [];
        const roots = model?.legs.map((_, leg) => rootOf(model.limbs[leg].body)) ?? [];
        this.ends = roots.map((root) => FULL / roots.filter((r) => r === root).length);
        this.rows = this.weights.map(() => ({ fill: h("i", {}), tick: h("b", { hidden: true }), text: h("span", { class: "load-text" }) }));
        this.element.replaceChildren(...this.rows.flatMap(({ fill, tick, text }, leg) => [h("span", {}, model?.legs[leg].name ?? ""), h("span", { class: "load-bar" }, fill, tick), text]));
        this.last = 0;
    }

    show(frame: Frame, on: boolean, now = performance.now()): void {
        this.element.hidden = !on || this.rows.length === 0 || frame.limbs.width < LIMB;
        if (this.element.hidden || now - this.last < EVERY) return;
        this.last = now;
        this.rows.forEach(({ fill, tick, text }, leg) => {
            const percent = (share: number): string => `${100 * Math.max(0, Math.min(1, share / this.ends[leg]))}%`;
            const { measured, wanted, planned } = loadOf(frame.limbs.data, leg * frame.limbs.width, this.weights[leg]);
            fill.style.width = percent(measured);
            tick.hidden = !Number.isFinite(wanted);
            tick.style.left = percent(wanted);
            text.textContent = `${Math.round(100 * measured)} %${Number.isFinite(planned) ? `, planned ${Math.round(100 * planned)} %` : ""}`;
        });
    }
}
