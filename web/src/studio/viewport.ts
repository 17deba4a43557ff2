// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The viewport: the scene as the latest frame has it, with its legend, layers, views and states (nothing loaded, loading, refused). Draws only when something changed and counts what a
// frame costs in script time.
import { number } from "../core/format";
import { code, h, icon, svg } from "../view/dom";
import { color, onTheme } from "../view/theme";
import { GroundScale } from "../viewport/ground_scale";
import { Stage, type View, VIEWS } from "../viewport/stage";
import { CameraInset } from "./camera_inset";
import type { Scene } from "../core/protocol";
import { CrowdShow } from "./crowd";
import type { Session } from "./session";
import type { Frame } from "./frames";
import { Gizmo } from "./gizmo";
import { Interaction } from "./interaction";
import { placeOf } from "./info";
import { ALL_LAYERS, type Layers, LiveScene } from "./live";
import { LoadBars } from "./load_bars";
import { menu } from "./menu";
import { readMeshes } from "./meshes";
import { recall, remember } from "./remember";
import type { Loading } from "./store";

const COSTS = 240;
const MARGIN = 1.2; // around what is fitted into the picture, for arrows and controls
const FLAT = 0.78; // the same around a grid of robots, which fills its ball from side to side, not in height
const APART = 4; // sizes of a robot between robots that one look does not hold
const SLOW = 55; // [ms] between pictures: coarser ones
const FAST = 22; // [ms] finer ones again
const STILL = 400; // [ms] without a picture: nothing moves
const PAUSE = 700; // [ms] between two changes of resolution
const NOTCH = 0.75; // of the points along each side
const COARSEST = 0.6;
const FIRST_FRAME = 1000; // [ms]
const SCALES = [0.2, 0.5, 1, 2, 5, 10];
const NAMES: [keyof Layers, string, string][] = [
    ["forces", "Contact forces", "Arrows, all of one scale"],
    ["contacts", "Contact points", "Coloured by sticking and sliding"],
    ["resultants", "Foot and hand forces", "The sum of the contact forces of each, at its centre of pressure"],
    ["moments", "Foot and hand moments", "About the vertical, at the centre of pressure: the rest of what presses on it"],
    ["pressure", "Centres of pressure", "Of feet and hands that carry (diamonds), and of all feet together (square)"],
    ["outside", "Pushes and pulls", "Forces from outside"],
    ["com", "Centre of mass", "With its plumb line"],
    ["dcm", "Capture point (DCM)", "Where the robot would come to rest: centre of mass, and ahead of it by its speed (cross)"],
    ["zmp", "Planned ZMP", "Where the controller wants the pressure of all feet (ring)"],
    ["support", "Support polygon", "Spanned by the points of the feet that carry"],
    ["loads", "Loads of the feet", "Share of the weight on each foot, measured and wanted"],
    ["traces", "Foot traces", "Paths of the feet over the last seconds"],
    ["touch", "Touch sensors", "Green where a foot or hand touches"],
    ["rays", "Sensor rays", "Of distance sensors"],
    ["frames", "Frames", "Axes of all bodies: x red, y green, z blue"],
    ["grid", "Ground", "Grid of 0.1 m and 1 m"],
    ["follow", "Follow", "The camera goes along with the robots"],
];

/** As menus and help name it. */
function nameOf(view: View): string {
    return view.charAt(0).toUpperCase() + view.slice(1);
}

export class Viewport {
    readonly element: HTMLElement;
    readonly canvas: HTMLCanvasElement;
    readonly stage: Stage | null;
    readonly layers: Layers = recall("layers", { ...ALL_LAYERS });
    live: LiveScene | null = null;
    /** The frame that is shown. */
    frame: Frame | null = null;
    /** Of the element, noted when it changes: asking the page would cost a layout in every picture [css px]. */
    readonly room = { width: 0, height: 0 };
    drawn = 0;
    private readonly costs = new Float64Array(COSTS);
    /** No change of resolution, as while a film is made. */
    steady = false;
    /** Called after each picture, while a film is made. */
    onDrawn: (() => void) | null = null;
    private readonly pace = { last: 0, mean: 0, changed: 0, quality: 1 };
    private scale = 1;
    private radius = 1; // of what fills the picture [m]
    private dirty = true;
    private fitted = false; // to a frame of this scene; before the first one nobody knows where things are
    private moved = false; // by hand: from then on a new size of the page leaves the camera
    private current: View = "iso";
    private readonly followed = new Float64Array(2);
    private readonly legend = h("div", { class: "view-legend" });
    private readonly cover = h("div", { class: "cover", role: "status" });
    private readonly gizmo = new Gizmo();
    /** A batch, where one is shown in place of the scene. */
    readonly crowd: CrowdShow | null;
    private readonly interaction: Interaction | null;
    private readonly camera: CameraInset;
    private readonly metres = new GroundScale();
    private readonly loads = new LoadBars();
    private readonly layerList = h("div", { class: "menu-list layer-list" });

    constructor(private readonly session: Session) {
        this.canvas = h("canvas", { "aria-label": "The scene" });
        this.element = h("div", { class: "viewport", tabindex: "0", "aria-label": "Viewport" }, this.canvas);
        let stage: Stage | null = null;
        try {
            stage = new Stage(this.canvas, 1, 0);
        } catch {
            this.element.append(h("div", { class: "cover" }, h("h2", {}, "No picture"), h("p", {}, "This browser offers no WebGL. Everything else works.")));
        }
        this.stage = stage;
        this.camera = new CameraInset(session);
        this.interaction = stage ? new Interaction(this, session, stage) : null;
        this.crowd = stage
            ? new CrowdShow(
                  session,
                  stage,
                  () => (this.dirty = true),
                  (on) => this.swap(on),
              )
            : null;
        if (!stage || !this.interaction || !this.crowd) return;
        this.element.append(this.legend, this.crowd.element, this.gizmo.element, this.tools(), this.interaction.element, this.loads.element, this.camera.element, this.cover);
        this.recolor();
        stage.showGround(false);
        stage.scene.add(this.metres.group);
        this.metres.group.visible = false;
        stage.setView("iso");
        this.listen(stage);
        requestAnimationFrame(() => this.loop());
    }

    /** Script time of the latest frames that were drawn [ms]. */
    frameCosts(): number[] {
        return [...this.costs.subarray(0, Math.min(COSTS, this.drawn))];
    }

    /** Views everything that moves from a side. */
    view(view: View): void {
        const { live, stage } = this;
        this.current = view;
        this.moved = false;
        this.dirty = true;
        if (!live || !stage) return;
        const crowd = this.crowd?.active ? this.crowd : null;
        if (this.frame && !crowd) live.show(this.frame, this.layers, this.scale);
        this.fitted = this.frame !== null;
        const { center, radius } = crowd ? crowd.bounds() : live.bounds();
        if (crowd) stage.widen(radius);
        this.radius = (crowd ? Math.max(FLAT, 1 / Math.max(1, stage.camera.aspect)) : MARGIN) * Math.max(0.02, radius);
        this.followed[0] = live.middle[0];
        this.followed[1] = live.middle[1];
        stage.lookAt(center.x, center.y, center.z);
        stage.setView(view, this.radius);
    }

    /** Looks from the side that was chosen last at the robot that was picked, else at everything; of robots that stand far apart at the first. */
    fit(): void {
        const { live } = this;
        const picked = this.session.store.get("selection");
        if (live && picked) live.focus = live.robotOf(picked.body);
        else if (live) live.focus = !this.fitted && (live.scene.robots ?? []).length > 1 && live.extent > APART * live.size ? 0 : -1;
        this.view(this.current);
    }

    redraw(): void {
        this.dirty = true;
    }

    /** Draws now, for pictures. */
    draw(): void {
        const { stage, live, frame } = this;
        if (!stage) return;
        if (this.crowd?.active) {
            if (this.crowd.draw()) this.view(this.current);
        } else if (live && frame) {
            if (!this.fitted) this.fit();
            live.show(frame, this.layers, this.scale);
            const [x, y, z] = live.middle;
            if (this.layers.follow) stage.shift(x - this.followed[0], y - this.followed[1]);
            this.followed[0] = x;
            this.followed[1] = y;
            stage.light(x, y, z);
            this.metres.group.visible = live.hasGround && this.layers.grid;
            this.metres.moveTo(x, y);
            this.interaction?.follow(frame);
            this.loads.show(frame, this.layers.loads);
        }
        stage.render();
        this.onDrawn?.();
        this.gizmo.turn(stage.camera);
    }

    private listen(stage: Stage): void {
        const { session } = this;
        session.onFrame((frame) => {
            this.frame = frame;
            this.live?.note(frame);
            this.dirty = true;
        });
        session.onScene((scene) => void this.load(scene));
        session.onReset(() => this.live?.clearTraces());
        session.store.on("loading", (loading) => this.showCover(loading, session.store.get("scene")));
        session.store.on("scene", (scene) => this.showCover(session.store.get("loading"), scene));
        session.store.on("link", () => this.showCover(session.store.get("loading"), session.store.get("scene")));
        session.store.on("selection", (selection) => {
            this.live?.highlight(selection?.body ?? -1);
            this.dirty = true;
        });
        stage.controls.addEventListener("start", () => (this.moved = true));
        stage.controls.addEventListener("change", () => (this.dirty = true));
        onTheme(() => {
            this.recolor();
            this.live?.recolor();
            this.dirty = true;
        });
        new ResizeObserver(() => this.resize()).observe(this.element);
        VIEWS.forEach((view, i) => session.keys.add({ keys: [String(i + 1)], group: "View", what: nameOf(view), press: () => this.view(view) }));
        session.keys.add({ keys: ["f"], group: "View", what: "Fit the selected robot into the view, or everything", press: () => this.fit() });
    }

    // A batch comes in place of the scene, or goes.
    private swap(batch: boolean): void {
        const { live, stage } = this;
        if (!live || !stage) return;
        live.group.visible = !batch;
        this.legend.hidden = this.loads.element.hidden = batch;
        this.metres.group.visible = false;
        stage.showGround(!batch && live.hasGround && this.layers.grid);
        if (!batch) {
            stage.rescale(MARGIN * live.extent, live.ground);
            this.fit();
        }
    }

    private recolor(): void {
        this.stage?.setPalette({ sky: color("--sky"), ground: color("--floor"), line: color("--floor-line"), strong: color("--floor-strong") });
        this.metres.paint(color("--ink-2"));
    }

    private async load(scene: Scene | null): Promise<void> {
        this.live?.dispose();
        this.live = null;
        this.crowd?.setScene(null, []);
        this.loads.setModel(null, () => -1);
        this.loads.element.hidden = true;
        this.frame = null;
        this.fitted = false;
        this.dirty = true;
        if (!scene || !this.stage) return;
        const meshes = await readMeshes(scene.meshes ?? [], (text) => this.session.notify("warning", text));
        await this.firstFrame();
        if (this.session.store.get("scene") !== scene) return; // another one came meanwhile
        this.live = new LiveScene(scene, meshes, this.frame, this.stage);
        if (this.live.missing > 0) this.session.notify("warning", `${this.live.missing} shapes are meshes that the program did not send; they are not drawn.`);
        this.stage.rescale(MARGIN * this.live.extent, this.live.ground);
        this.metres.rescale(this.live.size, this.live.ground);
        this.stage.showGround(this.live.hasGround && this.layers.grid);
        const { live } = this;
        this.loads.setModel(live.model, (body) => live.rootOf(body));
        this.fillLayers();
        this.writeLegend();
        this.interaction?.scaleTo(this.live);
        this.fit();
        this.crowd?.setScene(this.live, meshes);
    }

    // Where things are is known from the first frame on; it follows the scene at once, but not for ever.
    private firstFrame(): Promise<void> {
        if (this.frame) return Promise.resolve();
        return new Promise((done) => {
            const off = this.session.onFrame(() => finish());
            const timer = setTimeout(() => finish(), FIRST_FRAME);
            const finish = (): void => {
                clearTimeout(timer);
                off();
                done();
            };
        });
    }

    private resize(): void {
        const { room } = this;
        room.width = this.element.clientWidth;
        room.height = this.element.clientHeight;
        this.stage?.resize(room.width, room.height);
        if (!this.moved) this.stage?.setView(this.current, this.radius);
        this.draw(); // at once: a canvas of a new size is empty until drawn
    }

    private loop(): void {
        requestAnimationFrame(() => this.loop());
        this.interaction?.tick();
        const begin = performance.now();
        this.adapt(begin);
        if (!this.dirty || this.room.width === 0) return;
        this.dirty = false;
        this.draw();
        this.costs[this.drawn++ % COSTS] = performance.now() - begin;
    }

    // Software rendering pays for every point of the picture. While pictures follow each other too slowly they get coarser, and the last one, when nothing moves any more, is fine again.
    private adapt(now: number): void {
        const { pace } = this;
        if (this.dirty) {
            const gap = now - pace.last;
            pace.last = now;
            pace.mean += 0.1 * (Math.min(gap, SLOW * 4) - pace.mean);
            if (this.steady || gap > STILL || now - pace.changed < PAUSE) return;
            if (pace.mean > SLOW && pace.quality > COARSEST) this.setQuality(NOTCH * pace.quality, now);
            else if (pace.mean < FAST && pace.quality < 1) this.setQuality(Math.min(1, pace.quality / NOTCH), now);
        } else if (pace.quality < 1 && now - pace.last > STILL) {
            this.setQuality(1, now);
            this.dirty = true;
        }
    }

    private setQuality(quality: number, now: number): void {
        this.pace.quality = quality;
        this.pace.changed = now;
        this.pace.mean = 0.5 * (SLOW + FAST);
        this.stage?.setQuality(quality);
    }

    private tools(): HTMLElement {
        const views = h("div", { class: "menu-list" });
        VIEWS.forEach((view, i) =>
            views.append(h("button", { class: "menu-item", role: "menuitem", click: () => this.view(view) }, h("span", {}, nameOf(view)), h("kbd", {}, String(i + 1)))),
        );
        views.append(h("button", { class: "menu-item", role: "menuitem", click: () => this.fit() }, h("span", {}, "Fit"), h("kbd", {}, "f")));
        return h(
            "div",
            { class: "view-tools" },
            this.interaction?.button ?? null,
            this.camera.button,
            menu("Layers", "M12 4l8 4.5-8 4.5-8-4.5zM4 12.5l8 4.5 8-4.5M4 16.5l8 4.5 8-4.5", this.layerList),
            menu("Views", "M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8", views),
        );
    }

    private fillLayers(): void {
        this.layerList.replaceChildren();
        for (const [key, name, title] of NAMES) {
            if (!this.live?.has(key)) continue;
            const check = h("input", { type: "checkbox", checked: this.layers[key], "data-layer": key });
            check.addEventListener("change", () => {
                this.layers[key] = check.checked;
                remember("layers", this.layers);
                this.writeLegend();
                this.dirty = true;
            });
            this.layerList.append(h("label", { class: "menu-item", title }, check, h("span", {}, name)));
        }
        const scale = h("select", {
            "aria-label": "Length of force arrows",
            change: () => {
                this.scale = Number(scale.value);
                this.writeLegend();
                this.dirty = true;
            },
        });
        for (const s of SCALES) scale.append(h("option", { value: s, selected: s === this.scale }, `${s}\u00d7`));
        this.layerList.append(h("label", { class: "menu-item" }, h("span", {}, "Arrow length"), scale));
    }

    /** What arrows stand for, for films: "" while none are shown. */
    get arrowScale(): string {
        const { live, layers } = this;
        return live && (layers.forces || (layers.resultants && live.has("resultants"))) ? `${number(live.arrowForce, 3)} N = ${number(1000 * this.scale * live.arrowLength, 3)} mm` : "";
    }

    // Length of an arrow of so many newtons, as text, because lengths on the screen depend on perspective.
    private writeLegend(): void {
        const { live, layers } = this;
        const swatch = (name: string): SVGElement => svg("svg", { viewBox: "0 0 10 10", class: `swatch ${name}` }, svg("circle", { cx: 5, cy: 5, r: 4 }));
        this.legend.replaceChildren();
        if (!live) return;
        const parts: (HTMLElement | null)[] = [
            layers.forces || layers.contacts ? h("span", {}, swatch("stick"), "sticks") : null,
            layers.forces || layers.contacts ? h("span", {}, swatch("slip"), "slides") : null,
            live.has("pressure") && (layers.pressure || layers.resultants) ? h("span", {}, swatch("cop"), "centre of pressure") : null,
            layers.outside ? h("span", {}, swatch("push"), "from outside") : null,
            layers.com ? h("span", {}, swatch("com"), "COM") : null,
            live.has("dcm") && layers.dcm ? h("span", {}, swatch("dcm"), "DCM") : null,
            live.has("zmp") && layers.zmp ? h("span", {}, swatch("zmp"), "planned ZMP") : null,
            live.has("moments") && layers.moments ? h("span", {}, `quarter turn = ${number(live.quarterMoment, 2)} N m`) : null,
            this.arrowScale ? h("span", {}, this.arrowScale) : null,
            layers.grid && live.hasGround ? h("span", {}, "grid 0.1 m, 1 m") : null,
        ];
        this.legend.append(...parts.filter((p) => p !== null));
    }

    private showCover(loading: Loading | null, scene: Scene | null): void {
        const { cover, session } = this;
        cover.hidden = false;
        cover.className = "cover";
        if (loading?.error) {
            cover.classList.add("bad");
            const parts = [
                h("h2", {}, "This scene cannot be loaded"),
                h("p", {}, h("code", {}, loading.path)),
                loading.messages.length === 0 ? h("p", {}, loading.error) : null,
                h("ul", { class: "notices" }, ...loading.messages.map((m) => h("li", { class: `notice ${m.severity}` }, h("div", {}, h("span", { class: "notice-text" }, m.text), placeOf(session, m.file, m.line))))),
                h("div", { class: "row" }, h("button", { click: () => void session.load({ scene: loading.path, ...(loading.variant && { variant: loading.variant }) }) }, "Try again"), scene ? h("button", { click: () => session.store.set("loading", null) }, "Back to what was loaded") : null),
            ];
            cover.replaceChildren(...parts.filter((p) => p !== null));
        } else if (loading) {
            cover.classList.add("waiting");
            cover.replaceChildren(h("div", { class: "spinner" }), h("p", {}, "Loading ", h("code", {}, loading.path), loading.variant ? ` (${loading.variant})` : "", " \u2026"));
        } else if (!scene && session.store.get("link") === "open") {
            cover.replaceChildren(
                icon("M3 19h18M8 8h8l4 5-2 6M8 8l-4 5 2 6M12 8v11"),
                h("h2", {}, "Nothing is loaded"),
                h("p", {}, ...code("Choose a scene from the list, or start the program with one: `footfall studio experiments/anton-tripod.yaml`.")),
                h("button", { class: "primary", click: () => session.show("scenes") }, "Show the scenes"),
            );
        } else if (!scene) {
            cover.classList.add("waiting");
            cover.replaceChildren(h("div", { class: "spinner" }), h("p", {}, "Connecting to the program \u2026"));
        } else cover.hidden = true;
    }
}

