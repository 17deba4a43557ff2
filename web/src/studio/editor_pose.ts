// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sliders for the joints of a robot: while the simulation pauses, each places its joint; while it runs, they show where the joints are.
import { emptyState, h } from "../view/dom";
import type { Scene } from "../core/protocol";
import { textOf } from "./editor_document";
import { jointsOf, type PoseJoint, posesOf } from "./editor_joints";
import type { Tree } from "./editor_tree";
import type { Frame } from "./frames";
import type { Studio } from "./panel";
import { Slider } from "./slider";

export class PoseView {
    readonly element: HTMLElement;
    private readonly list = h("div", { class: "ed-joints" });
    private readonly note = h("div", { class: "ed-banner", hidden: true });
    private readonly choice: HTMLSelectElement;
    private readonly reference: HTMLButtonElement;
    private readonly word = h("p", { class: "ed-refusal", role: "status", hidden: true });
    private sliders: { joint: PoseJoint; slider: Slider }[] = [];
    private robot = -1;
    private generation = -1;
    private poses = new Map<string, [RegExp, number][]>();
    private q = new Float32Array();
    private lastFrame = 0;
    private readonly pending = new Map<string, number>();
    private busy = false;

    constructor(private readonly studio: Studio) {
        this.choice = h("select", { "aria-label": "Pose", change: () => this.take(this.choice.value) });
        this.reference = h("button", { class: "small-button", title: "All joints at their reference", click: () => this.take("") }, "Reference pose");
        const pause = h("button", { class: "small-button", click: () => void studio.ask("pause", {}).catch((e: unknown) => this.warn(textOf(e))) }, "Pause");
        this.note.append(h("span", {}, "The robot can be posed while the simulation pauses."), pause);
        this.element = h("div", { class: "ed-pose" }, h("div", { class: "panel-bar" }, this.reference, this.choice), this.note, this.word, this.list);
        studio.onFrame((frame) => this.follow(frame));
        studio.store.on("run", (run) => this.setRunning(run.running));
    }

    show(scene: Scene | null, robot: number, tree: Tree | null): void {
        this.poses = posesOf(tree);
        const names = [...this.poses.keys()];
        this.choice.replaceChildren(h("option", { value: "", disabled: true, selected: true }, "Poses of the file"), ...names.map((n) => h("option", { value: n }, n)));
        this.choice.hidden = names.length === 0;
        const who = scene?.robots?.[robot];
        if (!scene || !who) {
            this.sliders = [];
            this.list.replaceChildren(emptyState("No robot here", "Load a scene with this robot to move its joints."));
            this.generation = -1;
            return;
        }
        if (scene.generation === this.generation && robot === this.robot) return this.showJoints();
        this.generation = scene.generation;
        this.robot = robot;
        this.warn("");
        this.sliders = jointsOf(scene, who).map((joint) => {
            const unit = joint.type === "hinge" ? "rad" : "m";
            return { joint, slider: new Slider(joint.name, { unit, low: joint.low, high: joint.high, value: joint.ref }, (value) => this.place(joint.name, value), joint.short) };
        });
        this.list.replaceChildren(...this.sliders.map((s) => s.slider.element));
        if (scene.model.nq === this.q.length) this.showJoints();
        if (this.sliders.length === 0) this.list.append(emptyState("Nothing to move", "This robot has neither hinges nor slides."));
    }

    private setRunning(running: boolean): void {
        this.note.hidden = !running;
        this.list.inert = running;
        this.choice.disabled = this.reference.disabled = running;
    }

    /** Sends one request at a time, with the latest value of each joint. */
    private place(joint: string, value: number): void {
        this.pending.set(joint, value);
        if (!this.busy) void this.send();
    }
    private async send(): Promise<void> {
        this.busy = true;
        for (let next = this.pending.entries().next(); !next.done; next = this.pending.entries().next()) {
            const [joint, value] = next.value;
            this.pending.delete(joint);
            try {
                await this.studio.ask("place", { robot: this.robot, joint, value });
                this.warn("");
            } catch (e) {
                this.pending.clear();
                this.warn(textOf(e));
            }
        }
        this.busy = false;
    }

    private take(name: string): void {
        const lines = this.poses.get(name);
        for (const { joint, slider } of this.sliders) {
            const value = lines?.find(([pattern]) => pattern.test(joint.short))?.[1] ?? joint.ref;
            slider.set(value);
            this.place(joint.name, value);
        }
        this.choice.value = name;
    }

    private warn(text: string): void {
        this.word.textContent = text;
        this.word.hidden = text === "";
    }

    private follow(frame: Frame): void {
        if (this.q.length !== frame.q.data.length) this.q = new Float32Array(frame.q.data.length);
        this.q.set(frame.q.data);
        const now = performance.now();
        if (this.busy || now - this.lastFrame < 80) return;
        this.lastFrame = now;
        if (this.element.offsetParent !== null) this.showJoints(); // checked last, because it may cause a layout
    }

    private showJoints(): void {
        for (const { joint, slider } of this.sliders) if (Number.isFinite(this.q[joint.qadr])) slider.set(this.q[joint.qadr]);
    }
}
