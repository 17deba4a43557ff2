// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The bar below the viewport: reset, run or pause, single step, pace; time against the time of the scene; how fast it really goes.
import { number } from "../core/format";
import { h, icon, ICONS } from "../view/dom";
import type { RunState } from "../core/protocol";
import type { Session } from "./session";
import { recall, remember } from "./remember";

const PACES: [number, string][] = [
    [0.1, "0.1\u00d7"],
    [0.25, "0.25\u00d7"],
    [0.5, "0.5\u00d7"],
    [1, "real time"],
    [2, "2\u00d7"],
    [4, "4\u00d7"],
    [0, "as fast as possible"],
];

const SHOW_EVERY = 60; // [ms]

export class Transport {
    readonly element: HTMLElement;
    private readonly play: HTMLButtonElement;
    private readonly pace: HTMLSelectElement;
    private readonly clock = h("output", { class: "clock", "aria-label": "Simulated time" });
    private readonly rate = h("span", { class: "rate", title: "Simulated seconds a second" });
    private readonly ended = h("span", { class: "ended" });
    private readonly fill = h("span", { class: "progress-fill" });
    private readonly bar = h("div", { class: "progress", role: "progressbar", "aria-label": "Time of the scene", "aria-valuemin": "0" }, this.fill);
    private readonly kept = recall("pace", { pace: 1 });
    private shown = "";
    private shownAt = 0;

    constructor(private readonly session: Session) {
        const { keys } = session;
        const reset = h("button", { title: "Back to the start (backspace)", "aria-label": "Reset", click: () => this.reset() }, icon(ICONS.first));
        const step = h("button", { title: "One step of the solver (.)", "aria-label": "Step", click: () => this.step() }, icon("M7 5v14l9-7zM19 5v14"));
        this.play = h("button", { class: "play", title: "Run or pause (space)", "aria-label": "Run", click: () => session.toggleRun() }, icon(ICONS.play));
        this.pace = h("select", { title: "Pace", "aria-label": "Pace", change: () => this.choose() });
        for (const [value, name] of PACES) this.pace.append(h("option", { value, selected: value === this.kept.pace }, name));
        session.pace = this.chosen;
        this.element = h("div", { class: "transport" }, reset, this.play, step, this.clock, this.bar, this.ended, this.rate, this.pace);
        keys.add({ keys: [" "], group: "Simulation", what: "Run or pause", press: () => session.toggleRun() });
        keys.add({ keys: ["."], group: "Simulation", what: "One step of the solver", press: () => this.step() });
        keys.add({ keys: ["Backspace"], group: "Simulation", what: "Back to the start", press: () => this.reset() });
        keys.add({ keys: ["-"], group: "Simulation", what: "Slower", press: () => this.shift(-1) });
        keys.add({ keys: ["+", "="], label: "+", group: "Simulation", what: "Faster", press: () => this.shift(1) });
        session.store.on("run", (run) => this.update(run));
        session.store.on("scene", () => this.update(session.store.get("run")));
        session.store.on("link", () => this.update(session.store.get("run")));
        session.onFrame((frame) => this.tick(frame.t, frame.rtf));
    }

    private get chosen(): number {
        return Number(this.pace.value);
    }

    private step(): void {
        if (this.session.store.get("scene")) this.session.send("step", {});
    }

    private reset(): void {
        if (this.session.store.get("scene")) this.session.send("reset", {});
    }

    private choose(): void {
        this.session.pace = this.chosen;
        remember("pace", { pace: this.chosen });
        if (this.session.store.get("run").running) this.session.send("run", { pace: this.chosen });
    }

    private shift(by: number): void {
        const at = PACES.findIndex(([p]) => p === this.chosen);
        this.pace.value = String(PACES[Math.max(0, Math.min(PACES.length - 1, at + by))][0]);
        this.choose();
    }

    private update(run: RunState): void {
        const scene = this.session.store.get("scene");
        const usable = scene !== null && this.session.store.get("link") === "open";
        for (const button of this.element.querySelectorAll("button")) button.disabled = !usable;
        const what = run.running ? "Pause" : "Run";
        if (this.play.getAttribute("aria-label") !== what || !this.play.dataset.state) {
            this.play.dataset.state = what;
            this.play.setAttribute("aria-label", what);
            this.play.replaceChildren(icon(run.running ? ICONS.pause : ICONS.play));
        }
        this.ended.textContent = run.ended ?? "";
        this.ended.title = run.ended ?? "";
        this.ended.classList.toggle("bad", run.ended !== null && run.ended !== "finished");
        // Another page may have chosen the pace.
        if (run.running && run.pace !== this.chosen && PACES.some(([p]) => p === run.pace)) this.pace.value = String(run.pace);
        this.showTime(this.session.time(), run.rtf ?? NaN);
    }

    // Nobody reads sixty numbers a second, and each would cost a layout of the page.
    private tick(t: number, rtf: number): void {
        const now = performance.now();
        if (this.session.store.get("run").running && now - this.shownAt < SHOW_EVERY) return;
        this.shownAt = now;
        this.showTime(t, rtf);
    }

    private showTime(t: number, rtf: number): void {
        const scene = this.session.store.get("scene");
        const end = scene?.time ?? 0;
        const text = scene ? (end > 0 ? `${t.toFixed(2)} / ${number(end, 4)} s` : `${t.toFixed(3)} s`) : "\u2013";
        if (text === this.shown) return;
        this.shown = text;
        this.clock.textContent = text;
        this.bar.hidden = !(end > 0);
        this.fill.style.transform = `scaleX(${end > 0 ? Math.min(1, t / end).toFixed(4) : 0})`;
        this.bar.setAttribute("aria-valuemax", String(end));
        this.bar.setAttribute("aria-valuenow", t.toFixed(1));
        this.rate.textContent = this.session.store.get("run").running && Number.isFinite(rtf) ? `${number(rtf, 2)}\u00d7` : "";
    }
}
