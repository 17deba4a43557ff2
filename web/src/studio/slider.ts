// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One number that people set: its name, a slider, a field for exact values with its unit, and room for a word when it was refused. A double click on the name brings the
// first value back.
import "../style/slider.css";
import { number, unit as shownUnit } from "../core/format";
import { h } from "../view/dom";
import { type Quantity, scaleOf, tidy } from "./quantity";

let made = 0;

export class Slider {
    readonly element: HTMLElement;
    private readonly range: HTMLInputElement;
    private readonly field: HTMLInputElement;
    private readonly word: HTMLElement;
    private scale: ReturnType<typeof scaleOf>;
    private readonly zero = h("span", { class: "zero", "aria-hidden": "true" });
    private held = false;

    constructor(
        readonly name: string,
        private quantity: Quantity,
        private readonly changed: (value: number) => void,
        title = name,
    ) {
        this.scale = scaleOf(quantity);
        const { low, high, step, unit } = this.scale;
        const id = `slider-${++made}`;
        const first = quantity.value ?? low / this.scale.factor;
        this.range = h("input", { type: "range", min: low, max: high, step: "any", id, "aria-describedby": `${id}-word` });
        this.field = h("input", { type: "number", class: "exact", min: low, max: high, step, "aria-label": `${title}${unit ? ` in ${unit}` : ""}` });
        this.word = h("p", { class: "refusal", id: `${id}-word`, role: "status", hidden: true });
        const label = h("label", { for: id, title: "Double click: as at the start" }, title);
        this.element = h(
            "div",
            { class: "slider", "data-key": name },
            label,
            h("span", { class: "exact-box" }, this.field, h("span", { class: "unit" }, shownUnit(unit))),
            h("div", { class: "track" }, this.zero, this.range),
            this.word,
        );
        this.markZero();
        this.listen();
        label.addEventListener("dblclick", () => {
            this.show(first);
            this.changed(first);
        });
        this.show(first);
    }

    /** Shows a value that another page or the program has set; not while the user moves the slider or types. */
    set(value: number): void {
        if (!this.held && document.activeElement !== this.field) this.show(value);
    }

    /** Another range, such as that of another gait; the knob keeps its value, or moves to the nearer end. */
    setRange(low: number, high: number): void {
        if (this.held || (low === this.quantity.low && high === this.quantity.high)) return;
        const exact = this.field.valueAsNumber;
        this.quantity = { ...this.quantity, low, high };
        this.scale = scaleOf(this.quantity);
        for (const input of [this.range, this.field]) {
            input.min = String(this.scale.low);
            input.max = String(this.scale.high);
        }
        this.field.step = String(this.scale.step);
        this.range.value = String(exact);
        this.markZero();
        this.fill();
    }

    get value(): number {
        return this.range.valueAsNumber / this.scale.factor;
    }

    /** A word at the control: why a value was refused or changed; "" takes it away. */
    warn(text: string): void {
        this.word.textContent = text;
        this.word.hidden = text === "";
        this.element.classList.toggle("refused", text !== "");
    }

    private show(value: number): void {
        const shown = value * this.scale.factor;
        this.range.value = String(shown);
        this.fill();
        this.field.value = tidy(shown, this.scale.step);
    }

    // The part of the track between zero (or the lower end) and the knob is coloured.
    private fill(): void {
        const { low, high } = this.scale;
        const share = (v: number): number => (100 * (Math.max(low, Math.min(high, v)) - low)) / (high - low || 1);
        const origin = low < 0 && high > 0 ? share(0) : 0;
        const at = share(this.range.valueAsNumber);
        this.range.style.setProperty("--from", `${Math.min(origin, at)}%`);
        this.range.style.setProperty("--to", `${Math.max(origin, at)}%`);
    }

    private markZero(): void {
        const { low, high } = this.scale;
        this.zero.hidden = !(low < 0 && high > 0);
        this.zero.style.left = `${(100 * -low) / (high - low)}%`;
    }

    private listen(): void {
        const { range, field } = this;
        range.addEventListener("input", () => {
            const { scale } = this;
            const rounded = Math.round(range.valueAsNumber / scale.step) * scale.step;
            const value = Math.max(scale.low, Math.min(scale.high, rounded));
            field.value = tidy(value, scale.step);
            this.fill();
            this.warn("");
            this.changed(value / scale.factor);
        });
        range.addEventListener("pointerdown", () => (this.held = true));
        for (const end of ["pointerup", "pointercancel"]) range.addEventListener(end, () => (this.held = false));
        // Arrow keys move by a step: with step="any" browsers would jump by a hundredth of the range, off the round values.
        range.addEventListener("keydown", (event) => {
            const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10 }[event.key];
            if (!way) return;
            event.preventDefault();
            range.value = String(range.valueAsNumber + way * this.scale.step);
            range.dispatchEvent(new Event("input"));
        });
        field.addEventListener("change", () => {
            const shown = field.valueAsNumber;
            if (!Number.isFinite(shown)) return this.show(this.value);
            const { scale, quantity } = this;
            const low = quantity.low ?? -Infinity; // ranges that were made up bind nobody
            const high = quantity.high ?? Infinity;
            const value = Math.max(low, Math.min(high, shown / scale.factor));
            const beyond = Math.abs(value - shown / scale.factor) > 1e-9 * Math.abs(value);
            this.show(value);
            if (value * scale.factor > scale.high || value * scale.factor < scale.low) field.value = tidy(shown, scale.step);
            this.warn(beyond ? `It goes from ${number(scale.low, 3)} to ${number(scale.high, 3)} ${shownUnit(scale.unit)}`.trim() : "");
            this.changed(value);
        });
    }
}
