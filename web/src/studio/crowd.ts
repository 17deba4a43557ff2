// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A batch in the viewport, in place of the scene that runs: all robots of the newest frame, their colours with a legend, a click that picks one. What is shown and how is in the store
// (`crowd`), where the panel "batch" changes it.
import * as THREE from "three";
import { BY_END, colorRange, type End, ENDS, type Paints, paintRows, rampAt, type Rgb } from "../core/crowd";
import type { Mesh } from "../core/document";
import { count, number, seconds, unit } from "../core/format";
import { spreadTitle } from "../core/spreads";
import { h } from "../view/dom";
import { color, onTheme } from "../view/theme";
import { CrowdView } from "../viewport/crowd";
import type { Stage } from "../viewport/stage";
import type { BatchFrame } from "./batch_frames";
import type { Session } from "./session";
import type { LiveScene } from "./live";

const CLICK = 5; // [css px] a pointer that moved less was clicked
const RAMP: readonly Rgb[] = [
    [0.38, 0.33, 0.8],
    [0.13, 0.54, 0.72],
    [0.24, 0.68, 0.47],
    [0.97, 0.85, 0.3],
];
const END_COLORS: Record<End, string> = { lives: "--series-1", fell: "--series-2", diverged: "--series-4", finished: "--series-3" };
export const END_NAMES: Record<End, string> = { lives: "upright", fell: "fell", diverged: "diverged", finished: "ended" };

/** Colours in linear space, for mixing. */
function linear(css: string): Rgb {
    const { r, g, b } = new THREE.Color(css);
    return [r, g, b];
}

const RAMP_LINEAR = RAMP.map(([r, g, b]) => new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace).toArray() as unknown as Rgb);

/** The colours of numbers as a background. */
export function rampCss(): string {
    const at = Array.from({ length: 9 }, (_, i) => rampAt(RAMP, i / 8).map((c) => Math.round(255 * c)));
    return `linear-gradient(90deg, ${at.map((c) => `rgb(${c.join(" ")})`).join(", ")})`;
}

export class CrowdShow {
    readonly element = h("div", { class: "view-legend crowd-legend", hidden: true });
    /** Whether it is shown, in place of the scene. */
    active = false;
    private view: CrowdView | null = null;
    private frame: BatchFrame | null = null;
    private live: LiveScene | null = null;
    private meshes: (Mesh | null)[] = [];
    private stale = true; // positions or colours of robots have changed
    private fitted = -1; // number of the batch to which the camera was fitted
    private asked = false; // the next frame was requested
    private down = { x: 0, y: 0 };

    /** @param changed called if it must be drawn again  @param shown called if it is shown or hidden */
    constructor(
        private readonly session: Session,
        private readonly stage: Stage,
        private readonly changed: () => void,
        private readonly shown: (on: boolean) => void,
    ) {
        session.onBatch((frame) => this.take(frame));
        session.store.on("batch", () => {
            this.ask();
            this.update();
        });
        session.store.on("link", () => (this.asked = false));
        session.store.on("crowd", () => this.update());
        onTheme(() => this.update());
        const { canvas } = stage;
        canvas.addEventListener("pointerdown", (event) => (this.down = { x: event.clientX, y: event.clientY }));
        canvas.addEventListener("pointerup", (event) => this.click(event));
    }

    /** Called if another scene is on the stage, or none. */
    setScene(live: LiveScene | null, meshes: (Mesh | null)[]): void {
        this.live = live;
        this.meshes = meshes;
        this.view?.dispose();
        this.view = null;
        if (this.frame && this.frame.generation !== live?.scene.generation) this.frame = null;
        this.update();
    }

    bounds(): THREE.Sphere {
        this.move();
        return this.view?.bounds() ?? new THREE.Sphere(new THREE.Vector3(), 1);
    }

    /** Updates the poses of the robots before a picture. @return whether the camera should be fitted */
    draw(): boolean {
        this.move();
        const { view, frame } = this;
        const { picked } = this.session.store.get("crowd");
        view?.pick(frame && picked >= 0 ? picked / frame.stride : -1);
        const isNew = frame !== null && frame.number !== this.fitted;
        if (frame) this.fitted = frame.number;
        this.ask();
        return isNew;
    }

    // One frame at a time: the next is requested when this one has been drawn.
    private ask(): void {
        if (this.asked || !this.session.store.get("batch")) return;
        this.asked = true;
        this.session.ask("batch_frame", {}).catch(() => (this.asked = false));
    }

    private take(frame: BatchFrame): void {
        this.frame = frame;
        this.asked = false;
        this.update();
        if (!this.active) this.ask(); // the panel shows the robot that was picked
    }

    /** Called if frame, state or selection has changed. */
    private update(): void {
        const { frame, live } = this;
        const { shown, places } = this.session.store.get("crowd");
        const on = shown && frame !== null && live !== null;
        this.stale = true;
        if (on && (!this.view || this.view.count !== frame.count)) {
            this.view?.dispose();
            this.view = new CrowdView(live.model, this.meshes, frame.count, live.size, live.ground);
            this.stage.scene.add(this.view.group);
        }
        if (this.view) this.view.group.visible = on;
        if (on !== this.active) {
            this.active = on;
            this.fitted = -1;
            this.shown(on);
        }
        this.element.hidden = !on;
        if (on) this.writeLegend(frame, places);
        this.changed();
    }

    private move(): void {
        const { view, frame } = this;
        if (!this.stale || !view || !frame || !this.active) return;
        const { by, places } = this.session.store.get("crowd");
        const columns = this.session.store.get("batch")?.columns ?? [];
        const column = columns.findIndex((c) => c.name === by);
        this.stale = false;
        view.setPalette(color("--floor"), color("--floor-line"), color("--ink"));
        view.show(frame, frame.width - 1 - view.model.nq, places === "grid");
        paintRows(frame, column, column >= 0 ? colorRange(columns[column]) : null, paints(), view.colors);
        view.recolor();
    }

    private writeLegend(frame: BatchFrame, places: string): void {
        const state = this.session.store.get("batch");
        const { by } = this.session.store.get("crowd");
        const column = state?.columns.find((c) => c.name === by);
        const many = frame.stride > 1 ? `${count(frame.count)} of ${count(frame.robots)} robots, every ${frame.stride}.` : `${count(frame.robots)} ${frame.robots === 1 ? "robot" : "robots"}`;
        this.element.replaceChildren(h("span", {}, many), h("span", {}, `t = ${seconds(frame.t)}`), ...(column && by !== BY_END ? rampLegend(column.name, column.unit, colorRange(column)) : state ? endLegend(state) : []));
        if (places !== "grid") this.element.append(h("span", {}, "all at their own places"));
    }

    private click(event: PointerEvent): void {
        const { view, frame } = this;
        if (!this.active || !view || !frame || event.button !== 0 || Math.hypot(event.clientX - this.down.x, event.clientY - this.down.y) > CLICK) return;
        const box = this.stage.canvas.getBoundingClientRect();
        const found = view.nearest((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height, this.stage.camera);
        this.session.store.set("crowd", { ...this.session.store.get("crowd"), picked: found < 0 ? -1 : found * frame.stride });
        if (found >= 0) this.session.show("batch");
    }
}

function paints(): Paints {
    const ends = Object.fromEntries(ENDS.map((end) => [end, linear(color(END_COLORS[end]))])) as Record<End, Rgb>;
    return { ends, ramp: RAMP_LINEAR, none: linear(color("--ink-2")) };
}

/** A dot in the colour of an outcome. */
export function endDot(end: End): HTMLElement {
    return h("i", { class: "dot", style: `background: var(${END_COLORS[end]})` });
}

export function endLegend(state: Record<End, number> & { end: string | null }): HTMLElement[] {
    const ends = (["lives", "fell", "diverged", "finished"] as const).filter((end) => end !== "finished" || state.end !== null);
    return ends.map((end) => h("span", {}, endDot(end), `${END_NAMES[end]} ${count(state[end])}`));
}

function rampLegend(name: string, u: string, range: [number, number] | null): HTMLElement[] {
    const what = spreadTitle(name);
    if (!range) return [h("span", {}, `${what}: the same for all robots`)];
    const bar = h("i", { class: "ramp", style: `background: ${rampCss()}` });
    return [h("span", {}, `${what} `, number(range[0], 3), bar, `${number(range[1], 3)} ${unit(u)}`)];
}
