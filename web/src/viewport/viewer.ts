// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The replay with its controls: play, speed, scrub bar, layers, views, keyboard. Draws only when something changed, so that an open report does not
// warm a laptop; counts what a frame costs in script time.
import type { RunEvent } from "../core/protocol";
import { number, seconds } from "../core/format";
import { SPEEDS, type Player } from "../core/player";
import { h, icon, ICONS, svg } from "../view/dom";
import { eventStrip } from "../view/event_strip";
import { onTheme } from "../view/theme";
import type { Layers, Replay } from "./replay";
import { VIEWS, type View } from "./stage";

const LAYERS: [keyof Layers, string, string][] = [
    ["forces", "Forces", "Contact forces as arrows"],
    ["moments", "Moments", "Moments of feet and hands about the vertical, at their centres of pressure"],
    ["pressure", "Pressure", "Centre of pressure of each foot and hand that carries (diamonds), and of all feet (square)"],
    ["outside", "Pushes", "Forces from outside: pushes, pulls, forces of the scene"],
    ["com", "COM", "Centre of mass and its plumb line"],
    ["dcm", "DCM", "Capture point: where the robot would come to rest (cross)"],
    ["zmp", "ZMP", "Zero moment point that the controller plans (ring)"],
    ["support", "Support", "Support polygon"],
    ["traces", "Traces", "Paths of the feet over the last two seconds"],
    ["grid", "Ground", "Ground with a grid of 0.1 m and 1 m"],
    ["follow", "Follow", "The camera goes along with the robot"],
];

export class Viewer {
    readonly element: HTMLElement;
    /** Script time of the latest frames [ms]. */
    readonly costs: number[] = [];
    private readonly canvasBox: HTMLElement;
    private readonly playButton: HTMLButtonElement;
    private readonly scrub: HTMLInputElement;
    private readonly clock: HTMLElement;
    private dirty = true;
    private last = 0;
    private current: View = "iso";
    private moved = false; // the user has moved the camera; a new size of the picture then does not move it

    constructor(
        private readonly replay: Replay,
        private readonly player: Player,
        private readonly step: number,
        private readonly events: RunEvent[],
    ) {
        this.canvasBox = h("div", { class: "canvas-box", tabindex: "0", "aria-label": "3-D replay" }, replay.stage.canvas, this.legend(), ...replay.labels.elements);
        this.playButton = h("button", { class: "play", title: "Play or pause (space)", click: () => player.toggle() }, icon(ICONS.play));
        this.scrub = h("input", {
            type: "range",
            class: "scrub",
            min: player.start,
            max: player.end,
            step: "any",
            value: player.start,
            "aria-label": "Time",
            input: () => player.seek(Number(this.scrub.value)),
        });
        this.clock = h("output", { class: "clock" });
        this.element = h("div", { class: "viewer" }, this.canvasBox, this.transport(), this.options());
        this.listen();
        replay.stage.setView("iso");
        this.update();
        requestAnimationFrame((now) => this.frame(now));
    }

    /** The robot at the start, without marks, as an image. */
    portrait(): string {
        const { stage, layers } = this.replay;
        const kept = { ...layers };
        const eye = stage.camera.position.clone();
        Object.assign(layers, { forces: false, moments: false, pressure: false, outside: false, com: false, dcm: false, zmp: false, support: false, traces: false });
        const look = stage.controls.target.clone();
        stage.resize(720, 540);
        this.replay.show(this.player.start);
        this.replay.centre();
        stage.setView("iso");
        const url = stage.picture();
        Object.assign(layers, kept);
        this.replay.show(this.player.time);
        stage.controls.target.copy(look);
        stage.camera.position.copy(eye);
        this.resize();
        return url;
    }

    private transport(): HTMLElement {
        const back = h("button", { title: "One sample back (left arrow)", click: () => this.nudge(-1) }, icon(ICONS.back));
        const forward = h("button", { title: "One sample on (right arrow)", click: () => this.nudge(1) }, icon(ICONS.forward));
        const first = h("button", { title: "To the start (home)", click: () => this.player.seek(this.player.start) }, icon(ICONS.first));
        const speed = h("select", { title: "Speed of the replay", "aria-label": "Speed", change: () => this.player.setSpeed(Number(speed.value)) });
        for (const s of SPEEDS) speed.append(h("option", { value: s, selected: s === 1 }, `${s}\u00d7`));
        return h("div", { class: "transport" }, first, back, this.playButton, forward, h("div", { class: "scrub-box" }, this.scrub, this.events.length > 0 ? eventStrip(this.events, this.player) : null), this.clock, speed);
    }

    private options(): HTMLElement {
        const box = h("div", { class: "viewer-options" });
        const layers = h("div", { class: "group", role: "group", "aria-label": "What is shown" });
        for (const [key, name, title] of LAYERS) {
            if (!this.replay.has(key)) continue;
            const check = h("input", { type: "checkbox", checked: this.replay.layers[key] });
            check.addEventListener("change", () => {
                this.replay.layers[key] = check.checked;
                this.dirty = true;
            });
            layers.append(h("label", { title, class: "chip" }, check, name));
        }
        const views = h("div", { class: "group views", role: "group", "aria-label": "Views" });
        VIEWS.forEach((view, i) =>
            views.append(h("button", { class: "chip", title: `View from: ${view} (${i + 1})`, click: () => this.view(view) }, view)),
        );
        box.append(layers, views);
        return box;
    }

    // Length of an arrow of so many newtons, as text, because lengths on the screen depend on perspective.
    private legend(): HTMLElement {
        const { arrowForce, arrowLength } = this.replay;
        const swatch = (name: string): SVGElement => svg("svg", { viewBox: "0 0 10 10", class: `swatch ${name}` }, svg("circle", { cx: 5, cy: 5, r: 4 }));
        const sliding = this.replay.knowsSliding;
        const forces = this.replay.has("forces");
        return h(
            "div",
            { class: "view-legend" },
            forces ? h("span", {}, swatch("stick"), sliding ? "force, sticking" : "force") : null,
            sliding ? h("span", {}, swatch("slip"), "sliding") : null,
            this.replay.has("pressure") ? h("span", {}, swatch("cop"), "centre of pressure") : null,
            this.replay.has("outside") ? h("span", {}, swatch("push"), "from outside") : null,
            this.replay.has("com") ? h("span", {}, swatch("com"), "centre of mass") : null,
            this.replay.has("dcm") ? h("span", {}, swatch("dcm"), "DCM") : null,
            this.replay.has("zmp") ? h("span", {}, swatch("zmp"), "planned ZMP") : null,
            forces || this.replay.has("outside") ? h("span", {}, `arrows: ${number(arrowForce, 3)} N = ${number(1000 * arrowLength, 3)} mm`) : null,
            this.replay.has("moments") ? h("span", {}, `quarter turn: ${number(this.replay.quarterMoment, 2)} N m`) : null,
        );
    }

    private listen(): void {
        const { player, replay } = this;
        player.onChange(() => this.update());
        replay.stage.controls.addEventListener("start", () => (this.moved = true));
        replay.stage.controls.addEventListener("change", () => (this.dirty = true));
        onTheme(() => {
            replay.recolor();
            this.render();
        });
        new ResizeObserver(() => this.resize()).observe(this.canvasBox);
        addEventListener("keydown", (event) => this.key(event));
    }

    private resize(): void {
        const { clientWidth, clientHeight } = this.canvasBox;
        this.replay.stage.resize(clientWidth, clientHeight);
        if (!this.moved) this.replay.stage.setView(this.current);
        this.render(); // at once: a resized canvas is empty until drawn
    }

    private key(event: KeyboardEvent): void {
        const target = event.target as HTMLElement;
        if (event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "TEXTAREA"].includes(target.tagName)) return;
        if (target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox") return;
        const view = VIEWS[Number(event.key) - 1];
        if (event.key === " ") {
            if (target.tagName === "BUTTON" || (target instanceof HTMLInputElement && target.type === "checkbox")) return;
            this.player.toggle();
        } else if (event.key === "ArrowLeft") this.nudge(-1);
        else if (event.key === "ArrowRight") this.nudge(1);
        else if (event.key === "Home") this.player.seek(this.player.start);
        else if (view) this.view(view);
        else if (event.key === "f") this.view("iso");
        else return;
        event.preventDefault();
    }

    private nudge(samples: number): void {
        this.player.pause();
        this.player.seek(this.player.time + samples * this.step);
    }

    private view(view: View): void {
        this.current = view;
        this.moved = false;
        this.replay.centre();
        this.replay.stage.setView(view);
        this.dirty = true;
    }

    private update(): void {
        const { player } = this;
        this.dirty = true;
        this.scrub.value = String(player.time);
        this.clock.textContent = `${seconds(player.time)} of ${seconds(player.end)}`;
        const shown = player.playing ? "playing" : "paused";
        if (this.playButton.dataset.state === shown) return;
        this.playButton.dataset.state = shown;
        this.playButton.replaceChildren(icon(player.playing ? ICONS.pause : ICONS.play));
    }

    private render(): void {
        this.replay.show(this.player.time);
        this.replay.stage.render();
        this.dirty = false;
    }

    private frame(now: number): void {
        const dt = Math.min(0.1, (now - this.last) / 1000);
        this.last = now;
        const begin = performance.now();
        this.player.tick(dt);
        if (this.dirty) {
            this.render();
            this.costs.push(performance.now() - begin);
            if (this.costs.length > 240) this.costs.shift();
        }
        requestAnimationFrame((next) => this.frame(next));
    }
}
