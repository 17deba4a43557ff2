// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of the model editor: a number as it is written, with its unit, steps (arrow keys, small buttons, dragging the unit) and its range; words by choice; yes and no; text.
import { number as shownNumber, unit as shownUnit } from "../core/format";
import { h } from "../view/dom";
import { inRange, type Literal, literal, numberProblem, rangeText, stepOf, stepped, yamlText } from "./editor_text";
import type { OutlineNode } from "../core/protocol";

export interface FieldEvents {
    /** A new text for the value; false where it was not taken. */
    put(text: string): boolean;
    /** A gesture is over: the next change is one of its own. */
    done(): void;
    /** The field has the keyboard. */
    focus(): void;
}

export interface Field {
    readonly element: HTMLElement;
    /** Shows the value of an entry, unless someone is writing. */
    set(node: OutlineNode): void;
}

const STEP_PIXELS = 4; // of a drag
const DEGREE = 180 / Math.PI;

/** What a value comes to, for those that are not plain numbers in their own unit: "= 0.103 kg", "45\u00b0". */
export function worth(node: OutlineNode): string {
    if (typeof node.value !== "number" || node.text === undefined) return "";
    const plain = literal(node.text);
    const angle = node.unit === "rad" || (node.unit === "rad or m" && plain?.unit.trim() === "deg");
    if (plain && plain.unit.trim() === "" && !(angle && plain.value !== 0)) return "";
    if (plain && angle && plain.unit.trim() === "deg") return "";
    if (angle) return `= ${shownNumber(node.value * DEGREE, 4)}\u00b0`;
    const unit = node.unit === undefined || node.unit === "rad or m" ? "" : shownUnit(node.unit);
    return `= ${shownNumber(node.value, 4)}${unit ? `\u202f${unit}` : ""}`;
}

/** Unit in which the written number is to be read: the one it has, or that of its key. */
export function unitShown(node: OutlineNode): string {
    const plain = literal(node.text ?? "");
    if (plain && plain.unit.trim() !== "") return "";
    return plain ? shownUnit(node.unit === "rad or m" ? "" : (node.unit ?? "")) : "";
}

export class NumberField implements Field {
    readonly element: HTMLElement;
    private readonly input: HTMLInputElement;
    private readonly unit: HTMLElement;
    private readonly steps: HTMLElement;
    private node: OutlineNode;
    private written = "";

    constructor(
        node: OutlineNode,
        name: string,
        readOnly: boolean,
        private readonly events: FieldEvents,
    ) {
        this.node = node;
        this.input = h("input", { type: "text", inputmode: "text", spellcheck: "false", autocomplete: "off", "aria-label": name, readonly: readOnly });
        this.unit = h("span", { class: "unit" });
        const up = h("button", { tabindex: "-1", "aria-hidden": "true", title: "More (arrow up; Shift: ten times, Alt: a tenth)" });
        const down = h("button", { tabindex: "-1", "aria-hidden": "true", class: "down", title: "Less (arrow down; Shift: ten times, Alt: a tenth)" });
        this.steps = h("span", { class: "steps" }, up, down);
        this.element = h("span", { class: "ed-number" }, this.input, this.unit, readOnly ? null : this.steps);
        this.set(node);
        if (readOnly) return;
        this.input.addEventListener("focus", () => events.focus());
        this.input.addEventListener("input", () => this.write());
        this.input.addEventListener("blur", () => this.leave());
        this.input.addEventListener("keydown", (event) => this.key(event));
        up.addEventListener("click", (event) => this.step(1, event));
        down.addEventListener("click", (event) => this.step(-1, event));
        for (const b of [up, down]) b.addEventListener("pointerdown", (event) => event.preventDefault());
        this.unit.addEventListener("pointerdown", (event) => this.drag(event));
    }

    set(node: OutlineNode): void {
        this.node = node;
        const text = node.text ?? "";
        // What is being written stays, until the value changes by other hands: undo, another page.
        if (document.activeElement !== this.input || this.written !== text) {
            this.written = text;
            this.show(text);
        }
        this.validate();
    }

    private show(text: string): void {
        if (this.input.value !== text) this.input.value = text;
        this.input.style.width = `calc(${Math.max(3, Math.min(30, text.length))}ch + 14px)`;
        const plain = literal(text);
        const range = rangeText(this.node);
        this.unit.textContent = unitShown(this.node);
        this.element.classList.toggle("expression", plain === null);
        this.element.classList.toggle("long", plain === null && text.length > 20);
        this.steps.hidden = plain === null;
        this.unit.classList.toggle("draggable", plain !== null && !this.input.readOnly);
        this.unit.title = plain && !this.input.readOnly ? "Drag to change" : "";
        this.input.title = [range && `${range}${this.node.unit ? ` ${shownUnit(this.node.unit)}` : ""}`, worth(this.node)].filter(Boolean).join("  ");
    }

    // Out of range is shown at once; other mistakes are reported by the program.
    private validate(): void {
        const problem = numberProblem(this.input.value);
        const plain = literal(this.input.value);
        const known = this.node.value ?? (plain && plain.unit.trim() === "" ? plain.value : undefined);
        const out = problem === "" && known !== undefined && !inRange(known, this.node);
        this.element.classList.toggle("bad", problem !== "" || out);
        this.input.setCustomValidity(problem || (out ? `must be ${rangeText(this.node)}` : ""));
        this.input.setAttribute("aria-invalid", String(problem !== "" || out));
    }

    private write(): void {
        const text = this.input.value.trim();
        delete this.node.value;
        if (numberProblem(text) === "") {
            const before = this.node.text ?? "";
            this.written = text;
            if (!this.events.put(text)) this.input.value = this.written = before;
        }
        this.show(this.input.value);
        this.validate();
    }

    private leave(): void {
        this.events.done();
        if (numberProblem(this.input.value) !== "") this.show(this.node.text ?? "");
        else this.show(this.input.value.trim());
        this.validate();
    }

    private key(event: KeyboardEvent): void {
        if (event.key === "ArrowUp" || event.key === "ArrowDown") this.step(event.key === "ArrowUp" ? 1 : -1, event);
        else if (event.key === "Enter") {
            this.events.done();
            this.input.select();
        } else if (event.key === "Escape") this.input.blur();
        else return;
        event.preventDefault();
    }

    private step(way: number, event: MouseEvent | KeyboardEvent): void {
        const plain = literal(this.input.value);
        if (plain) this.put(stepped(plain, way, event.shiftKey ? 10 : event.altKey ? 0.1 : 1));
    }

    private put(text: string): void {
        this.input.value = text;
        this.write();
    }

    private drag(event: PointerEvent): void {
        const start: Literal | null = literal(this.input.value);
        if (!start || event.button !== 0) return;
        const step = stepOf(start);
        const from = event.clientX;
        event.preventDefault();
        this.unit.setPointerCapture(event.pointerId);
        this.element.classList.add("dragged");
        this.events.focus();
        const move = (e: PointerEvent): void => {
            const factor = e.shiftKey ? 10 : e.altKey ? 0.1 : 1;
            const steps = Math.round((e.clientX - from) / STEP_PIXELS);
            this.put(stepped(start, steps, factor, step));
        };
        this.unit.addEventListener("pointermove", move);
        this.unit.addEventListener(
            "lostpointercapture",
            () => {
                this.unit.removeEventListener("pointermove", move);
                this.element.classList.remove("dragged");
                this.events.done();
            },
            { once: true },
        );
    }
}

export class ChoiceField implements Field {
    readonly element: HTMLSelectElement;

    constructor(node: OutlineNode, name: string, events: FieldEvents) {
        const words = node.kind === "flag" ? ["true", "false"] : (node.choices ?? []);
        const now = node.text ?? "";
        const all = words.includes(now) ? words : [now, ...words];
        this.element = h("select", { class: "ed-choice", "aria-label": name });
        this.element.append(...all.map((w) => h("option", { value: w }, node.kind === "flag" ? (w === "true" ? "yes" : "no") : w)));
        this.element.addEventListener("change", () => {
            events.put(this.element.value);
            events.done();
        });
        this.element.addEventListener("focus", () => events.focus());
        this.set(node);
    }

    set(node: OutlineNode): void {
        this.element.value = node.text ?? "";
    }
}

export class TextField implements Field {
    readonly element: HTMLInputElement;

    constructor(
        private node: OutlineNode,
        name: string,
        readOnly: boolean,
        events: FieldEvents,
    ) {
        this.element = h("input", { type: "text", class: "ed-text", spellcheck: "false", autocomplete: "off", "aria-label": name, readonly: readOnly });
        this.set(node);
        this.element.addEventListener("focus", () => events.focus());
        this.element.addEventListener("change", () => {
            if (events.put(yamlText(this.element.value, this.node.quoted === true))) this.node.text = this.element.value;
            events.done();
        });
        this.element.addEventListener("keydown", (event) => {
            if (event.key === "Enter" || event.key === "Escape") this.element.blur();
        });
    }

    set(node: OutlineNode): void {
        this.node = node;
        if (document.activeElement !== this.element) this.element.value = node.text ?? "";
        this.element.title = node.text ?? "";
    }
}

export function fieldFor(node: OutlineNode, name: string, readOnly: boolean, events: FieldEvents): Field | null {
    if (node.kind === "number") return new NumberField(node, name, readOnly, events);
    if ((node.kind === "choice" || node.kind === "flag") && !readOnly) return new ChoiceField(node, name, events);
    if (node.kind === "text" || node.kind === "choice" || node.kind === "flag") return new TextField(node, name, readOnly, events);
    return null;
}
