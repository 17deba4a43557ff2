// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Panel "batch": many robots of the scene at once, with what differs from one to the next. The viewport shows them (crowd.ts), the panel how they fare: counts, quantiles, and the numbers of
// the robot that was picked.
import "../style/parts.css";
import "../style/batch.css";
import { BY_END, ENDS } from "../core/crowd";
import { count, number, seconds, unit } from "../core/format";
import type { BatchState, Requests, Scene } from "../core/protocol";
import { spreadTitle } from "../core/spreads";
import { h } from "../view/dom";
import { BatchDraws } from "./batch_draws";
import type { BatchFrame } from "./batch_frames";
import { END_NAMES, endDot, endLegend } from "./crowd";
import { AskError } from "./link";
import type { Panel, Studio } from "./panel";
import { linesOf } from "./twin";

const ICON = "M5 5h3v3H5zM10.5 5h3v3h-3zM16 5h3v3h-3zM5 10.5h3v3H5zM10.5 10.5h3v3h-3zM16 10.5h3v3h-3zM5 16h3v3H5zM10.5 16h3v3h-3zM16 16h3v3h-3z";
const EULER = "solver.method=euler";
const STEP = "solver.step=1e-4";

/** A number of a field; undefined: it is empty. */
function valueOf(field: HTMLInputElement): number | undefined {
    return field.value.trim() === "" ? undefined : Number(field.value);
}

/** Changed values with which a batch can simulate a scene, in addition to those with which it was loaded. */
export function batchLines(scene: Pick<Scene, "method" | "set">): string[] {
    return scene.method === "euler" ? scene.set : [...scene.set.filter((l) => !/^solver\.(method|step)=/.test(l)), EULER, STEP];
}

class BatchPanel {
    private readonly robots = h("input", { type: "number", min: 1, step: 1, value: 256, "aria-label": "Robots" });
    private readonly time = h("input", { type: "number", min: 0, step: "any", placeholder: "of the scene", "aria-label": "Time in seconds" });
    private readonly seed = h("input", { type: "number", min: 0, step: 1, value: 0, "aria-label": "Seed" });
    private readonly pace = h("select", { "aria-label": "Pace" }, h("option", { value: 0 }, "unlimited"), h("option", { value: 1 }, "real time at most"), h("option", { value: 0.2 }, "1/5 of real time"));
    private readonly reward = h("input", { type: "text", spellcheck: false, placeholder: "forward * step", "aria-label": "Reward" });
    private readonly ends = h("input", { type: "text", spellcheck: false, placeholder: "height < 0.06 or tilt > 0.8", "aria-label": "Ends where" });
    private readonly lines = h("textarea", { class: "changes-text batch-lines", rows: 2, spellcheck: false, "aria-label": "Values of the scene, one a line" });
    private readonly draws = new BatchDraws();
    private readonly start = h("button", { class: "primary", click: () => void this.begin() }, "Run a batch");
    private readonly end = h("button", { click: () => void this.studio.ask("batch", { stop: true }).catch(() => undefined) }, "Stop");
    private readonly said = h("div", { class: "batch-said", "aria-live": "polite" });
    private readonly form: HTMLElement;
    private readonly shown = h("button", { click: () => this.toggle() });
    private readonly by = h("select", { "aria-label": "Colour by", change: () => this.choose({ by: this.by.value }) });
    private readonly places = h("select", { "aria-label": "Places", change: () => this.choose({ places: this.places.value === "own" ? "own" : "grid" }) }, h("option", { value: "grid" }, "on a grid"), h("option", { value: "own" }, "at their own places"));
    private readonly looks: HTMLElement;
    private readonly results = h("div", { class: "batch-results" });
    private readonly robot = h("div", { class: "batch-robot" });
    private scene: Scene | null = null;
    private frame: BatchFrame | null = null;
    private working = false;
    private filled = 0; // number of the batch that the form shows; 0: none

    constructor(
        host: HTMLElement,
        private readonly studio: Studio,
    ) {
        this.form = this.makeForm();
        this.looks = h("div", { class: "batch-fields batch-looks" }, h("label", {}, "Colour by", this.by), h("label", {}, "Robots stand", this.places), this.shown);
        host.append(h("div", { class: "row" }, this.start, this.end), this.said, this.looks, this.results, this.robot, this.form);
        studio.onScene((scene) => this.change(scene));
        studio.onBatch((frame) => {
            this.frame = frame;
            this.showRobot();
        });
        studio.store.on("batch", () => this.update());
        studio.store.on("crowd", () => this.update());
    }

    private makeForm(): HTMLElement {
        const fields = h("div", { class: "batch-fields" }, h("label", {}, "Robots", this.robots), h("label", {}, "Time [s]", this.time), h("label", {}, "Seed", this.seed), h("label", {}, "Pace", this.pace));
        return h(
            "section",
            { class: "batch-form" },
            fields,
            h("label", { class: "batch-changes", title: "A formula over the quantities of a robot, summed over its steps; robots can be coloured by it" }, "Reward", this.reward),
            h("label", { class: "batch-changes", title: "A robot ends after the step in which this condition holds first" }, "Ends where", this.ends),
            h("h3", {}, "Each robot draws its own"),
            this.draws.element,
            h("label", { class: "batch-changes" }, "Changed values of the scene, one path=value a line", this.lines),
            h("p", { class: "note" }, "A batch steps by the method euler with a fixed step. It cannot do everything that a scene may have: what it cannot do is listed when it is started."),
        );
    }

    private change(scene: Scene | null): void {
        this.scene = scene;
        if (scene) this.lines.value = batchLines(scene).join("\n");
        this.time.placeholder = scene ? String(scene.time) : "";
        this.draws.setModel(scene?.model ?? null);
        this.say([]);
        this.update();
    }

    /** The form shows the batch that runs, begun by the command line, another page, or this one. */
    private fill(state: BatchState): void {
        this.robots.value = String(state.robots);
        const time = Number(state.time.toPrecision(12)); // whole steps, without rounding errors of their sum
        this.time.value = time === this.scene?.time ? "" : String(time);
        this.seed.value = String(state.seed);
        this.reward.value = state.reward ?? "";
        this.ends.value = state.end ?? "";
        this.draws.show(state.spread);
        if (state.reward) this.choose({ by: "reward" });
    }

    private say(texts: string[]): void {
        this.said.replaceChildren(...texts.map((t) => h("p", { class: "bad" }, t)));
    }

    private choose(change: Partial<{ by: string; places: "grid" | "own"; shown: boolean; picked: number }>): void {
        this.studio.store.set("crowd", { ...this.studio.store.get("crowd"), ...change });
    }

    private toggle(): void {
        this.choose({ shown: !this.studio.store.get("crowd").shown });
    }

    private request(): Requests["batch"] {
        const [robots, time, seed] = [valueOf(this.robots), valueOf(this.time), valueOf(this.seed)];
        const [reward, end] = [this.reward.value.trim(), this.ends.value.trim()];
        return {
            ...(robots !== undefined && { robots }),
            ...(time !== undefined && { time }),
            ...(seed !== undefined && { seed }),
            ...(reward && { reward }),
            ...(end && { end }),
            pace: Number(this.pace.value),
            spread: this.draws.read(),
        };
    }

    private async begin(): Promise<void> {
        const { scene, studio } = this;
        if (!scene || this.working) return;
        const lines = linesOf(this.lines.value);
        this.working = true;
        this.say([]);
        this.update();
        try {
            const request = this.request();
            const same = lines.length === scene.set.length && lines.every((l, i) => l === scene.set[i]);
            const load = { scene: scene.path, ...(scene.variant ? { variant: scene.variant } : {}), set: lines, ...(scene.unsaved ? { text: scene.text } : {}) };
            if (!same && !(await studio.load(load))) throw new AskError("The scene cannot be loaded with these values; the messages say why.");
            this.choose({ shown: true, picked: -1 });
            await studio.ask("batch", request);
        } catch (e) {
            const messages = e instanceof AskError ? e.messages.filter((m) => m.severity === "error").map((m) => m.text) : [];
            this.say(messages.length > 0 ? ["A batch cannot run this scene:", ...messages] : [e instanceof Error ? e.message : String(e)]);
        }
        this.working = false;
        this.update();
    }

    private update(): void {
        const state = this.studio.store.get("batch");
        const number = state?.number ?? 0;
        if (this.filled !== number) {
            this.filled = number; // first: a colour that is chosen updates
            if (state) this.fill(state);
        }
        const { by, places, shown } = this.studio.store.get("crowd");
        this.start.disabled = !this.scene || this.working;
        this.start.textContent = this.working ? "Making the robots \u2026" : "Run a batch";
        this.end.disabled = !state?.running;
        this.looks.hidden = !state;
        if (!state) {
            this.frame = null;
            this.results.replaceChildren();
            this.robot.replaceChildren();
            return;
        }
        const names = [BY_END, ...state.columns.map((c) => c.name)];
        if (names.join() !== [...this.by.options].map((o) => o.value).join()) this.by.replaceChildren(...names.map((n) => h("option", { value: n }, spreadTitle(n))));
        this.by.value = names.includes(by) ? by : BY_END;
        this.places.value = places;
        this.shown.textContent = shown ? "Show the scene" : "Show the robots";
        this.results.replaceChildren(...results(state));
        this.showRobot();
    }

    private showRobot(): void {
        const { frame } = this;
        const state = this.studio.store.get("batch");
        const { picked } = this.studio.store.get("crowd");
        if (!state || !frame || frame.number !== state.number || picked < 0 || picked >= frame.robots) {
            this.robot.replaceChildren(...(state ? [h("p", { class: "note" }, "A click on a robot shows its numbers.")] : []));
            return;
        }
        const at = Math.round(picked / frame.stride) * frame.width;
        const end = ENDS[frame.data[at]] ?? "diverged";
        const values = state.columns.map((c, i) => h("tr", { title: c.help }, h("td", {}, spreadTitle(c.name)), h("td", { class: "number" }, number(frame.data[at + 1 + i], 4)), h("td", {}, unit(c.unit))));
        this.robot.replaceChildren(
            h("h3", {}, `Robot ${count(picked)} `, h("span", {}, endDot(end), END_NAMES[end])),
            h("table", { class: "batch-table" }, h("tbody", {}, h("tr", { title: "All its draws follow from it and the number of the robot" }, h("td", {}, "seed"), h("td", { class: "number" }, count(state.seed)), h("td")), ...values)),
        );
    }
}

function results(state: BatchState): HTMLElement[] {
    const [first, median, last] = state.falls;
    const progress = `${seconds(state.t)} of ${seconds(state.time)}, ${state.ended ?? "running"}`;
    const falls = state.fell > 0 ? h("p", { class: "note" }, `Falls after ${number(first, 3)} to ${number(last, 3)}\u00a0s, half of them by ${number(median, 3)}\u00a0s.`) : null;
    const parts = [
        h("p", { class: "batch-progress" }, `${count(state.robots)} ${state.robots === 1 ? "robot" : "robots"}: ${progress}`),
        state.stride > 1 ? h("p", { class: "note" }, `The viewport shows every ${state.stride}. robot; counts and quantiles are of all.`) : null,
        h("p", { class: "note" }, `${count(state.rate)} robot-steps a second`),
        h("progress", { max: state.time, value: state.t, "aria-label": "Simulated time" }),
        h("p", { class: "batch-ends" }, ...endLegend(state)),
        falls,
        h(
            "table",
            { class: "batch-table" },
            h("thead", {}, h("tr", {}, h("th"), ...["5 %", "median", "95 %", ""].map((t) => h("th", {}, t)))),
            h("tbody", {}, ...state.columns.map((c) => h("tr", { title: c.help }, h("td", {}, spreadTitle(c.name)), ...[c.low, c.median, c.high].map((v) => h("td", { class: "number" }, number(v, 3))), h("td", {}, unit(c.unit))))),
        ),
    ];
    return parts.filter((p) => p !== null);
}

export function batchPanel(): Panel {
    return { id: "batch", title: "Batch", icon: ICON, dock: "right", mount: (host, studio) => void new BatchPanel(host, studio) };
}
