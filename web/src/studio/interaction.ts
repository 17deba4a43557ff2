// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the pointer does to robots. The body under it is named; a click picks it. With shift held, or with the tool "Push", a drag that begins on a body pulls it by a spring while
// the simulation runs, and moves its robot over the ground while it pauses (the wheel turns it); a click with the tool gives a push of the chosen size along the line of sight.
import * as THREE from "three";
import { roundDown } from "../core/format";
import { POSE } from "../core/poses";
import { h, icon } from "../view/dom";
import { ForceLabels } from "../viewport/force_labels";
import type { Stage } from "../viewport/stage";
import type { Session } from "./session";
import type { Frame } from "./frames";
import type { LiveScene } from "./live";
import type { Viewport } from "./viewport";

const CLICK = 5; // [css px] a pointer that moved less was clicked
const PUSH_TIME = 0.1; // [s]
const TURN = Math.PI / 36; // [rad] of a robot by one notch of the wheel

interface Grab {
    kind: "pull" | "place" | "none";
    body: number;
    robot: number;
    point: THREE.Vector3; // of the body, in its own frame
    hit: THREE.Vector3; // in the world, at the start of the drag
    from: THREE.Vector3; // position of the robot at that time
    heading: number; // of its x axis, as the wheel turns it [rad]
    plane: THREE.Plane; // in which the pointer moves it
    x: number;
    y: number;
    moved: boolean;
}

/** The point of the body frame at which a point of the world lies. */
export function inBody(poses: Float64Array, body: number, world: THREE.Vector3, out: THREE.Vector3): THREE.Vector3 {
    const o = POSE * body;
    const turn = new THREE.Quaternion(poses[o + 4], poses[o + 5], poses[o + 6], poses[o + 3]).invert();
    return out.set(world.x - poses[o], world.y - poses[o + 1], world.z - poses[o + 2]).applyQuaternion(turn);
}

/** Heading of the x axis of a frame whose quaternion (w x y z) lies at i. */
export function headingOf(q: Float64Array, i: number): number {
    const [w, x, y, z] = [q[i], q[i + 1], q[i + 2], q[i + 3]];
    return Math.atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z));
}

/** Direction of a push along a line of sight: horizontal, so that it does not press a robot into the ground, except in a view from above. */
export function pushDirection(sight: THREE.Vector3, out: THREE.Vector3): THREE.Vector3 {
    out.set(sight.x, sight.y, 0);
    return out.length() > 0.2 ? out.normalize() : out.set(0, 0, Math.sign(sight.z) || -1);
}

export class Interaction {
    readonly element: HTMLElement;
    readonly button: HTMLButtonElement;
    private readonly ray = new THREE.Raycaster();
    private readonly pointer = new THREE.Vector2();
    private readonly target = new THREE.Vector3();
    private readonly sent = new THREE.Vector3();
    private readonly tip = new THREE.Vector3();
    private readonly way = new THREE.Vector3();
    private readonly name = h("div", { class: "body-name", hidden: true });
    private readonly labels = new ForceLabels();
    private readonly force: HTMLInputElement;
    private readonly options: HTMLElement;
    private readonly hint = h("span", { class: "hint" });
    private grab: Grab | null = null;
    private pushing = false;
    private looked = false; // at what lies under the pointer, since it moved
    private inside = false;
    private waiting = false; // for an answer to the last target

    constructor(
        private readonly view: Viewport,
        private readonly session: Session,
        private readonly stage: Stage,
    ) {
        this.button = h("button", { class: "tool-button", "aria-pressed": "false", title: "Push and pull robots (p); or hold shift", click: () => this.arm(!this.pushing) }, icon("M5 12h11M11 6l6 6-6 6M20 5v14"), h("span", { class: "tool-name" }, "Push"));
        this.force = h("input", { type: "number", min: "0", step: "any", value: "10", "aria-label": "Force of a push in newtons" });
        this.options = h("div", { class: "push-options", hidden: true }, h("label", {}, "Click: ", this.force, ` N for ${PUSH_TIME} s`), this.hint);
        this.element = h("div", { class: "hands" }, this.name, ...this.labels.elements, this.options);
        this.listen();
        session.keys.add({ keys: ["p"], group: "Robots", what: "Tool for pushing: click pushes, drag pulls or moves", press: () => this.arm(!this.pushing) });
        session.keys.add({ keys: ["Escape"], group: "Robots", what: "Leave the tool, select nothing", press: () => this.rest() });
        session.store.on("run", () => this.showHint());
    }

    /** A push of about half the weight is noticeable and not fatal. */
    scaleTo(live: LiveScene): void {
        this.force.value = String(roundDown(0.5 * live.weight));
    }

    /** Called once a picture: requests of the pointer are sent at most that often. */
    tick(): void {
        const { grab } = this;
        if (grab?.moved && grab.kind !== "none") this.drag(grab);
        if (!this.looked && this.inside && !grab) this.hover();
    }

    /** Shows numbers beside the arrows of external forces. */
    follow(frame: Frame): void {
        const { data, width, count } = frame.outside;
        const { live, layers } = this.view;
        const { width: across, height } = this.view.room;
        this.labels.begin();
        for (let n = 0, i = 0; n < count && live && layers.outside; n++, i += width) {
            const [x, y, z] = [data[i + 1], data[i + 2], data[i + 3]];
            this.tip.set(x, y, z).addScaledVector(this.way.set(data[i + 4], data[i + 5], data[i + 6]), live.arrowLength / live.arrowForce);
            this.labels.add(this.way.length(), x, y, z, this.tip, this.stage.camera, across, height);
        }
        this.labels.end();
    }

    private listen(): void {
        const { canvas } = this.view;
        const capture = { capture: true };
        canvas.addEventListener("pointerdown", (event) => this.down(event), capture);
        canvas.addEventListener("pointermove", (event) => this.move(event), capture);
        canvas.addEventListener("pointerup", (event) => this.up(event), capture);
        canvas.addEventListener("pointercancel", () => this.let(), capture);
        canvas.addEventListener("lostpointercapture", () => this.let());
        canvas.addEventListener("pointerleave", () => {
            this.inside = false;
            this.showName(-1);
        });
        canvas.addEventListener("wheel", (event) => this.wheel(event), { capture: true, passive: false });
        addEventListener("keydown", (event) => event.key === "Shift" && canvas.classList.toggle("armed", true));
        addEventListener("keyup", (event) => event.key === "Shift" && canvas.classList.toggle("armed", this.pushing));
    }

    private arm(on: boolean): void {
        this.pushing = on;
        this.button.setAttribute("aria-pressed", String(on));
        this.options.hidden = !on;
        this.view.canvas.classList.toggle("armed", on);
        this.showHint();
    }

    private rest(): void {
        this.let();
        this.arm(false);
        this.session.select(null);
    }

    private showHint(): void {
        this.hint.textContent = this.session.store.get("run").running ? "Drag: a spring pulls." : "Paused \u2013 drag: moves the robot, wheel turns it.";
    }

    private aim(event: PointerEvent | WheelEvent): void {
        const box = this.view.canvas.getBoundingClientRect();
        this.pointer.set((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
        this.ray.setFromCamera(this.pointer, this.stage.camera);
    }

    private hit(): { body: number; point: THREE.Vector3 } | null {
        const { live } = this.view;
        if (!live || this.view.crowd?.active) return null;
        for (const found of this.ray.intersectObjects(live.bodies, true)) {
            const body = live.bodyOf(found.object);
            if (body >= 0) return { body, point: found.point };
        }
        return null;
    }

    private down(event: PointerEvent): void {
        if (event.button !== 0 || !event.isPrimary) return;
        this.aim(event);
        const found = this.hit();
        const acts = found && (event.shiftKey || this.pushing) && (this.view.live?.model.bodies[found.body].node ?? -1) >= 0;
        const zero = new THREE.Vector3();
        this.grab = { kind: "none", body: found?.body ?? -1, robot: -1, point: zero, hit: zero, from: zero, heading: NaN, plane: new THREE.Plane(), x: event.clientX, y: event.clientY, moved: false };
        if (!acts || !this.view.live) return;
        event.stopImmediatePropagation();
        this.view.canvas.setPointerCapture(event.pointerId);
        this.take(this.grab, found.point, this.view.live);
    }

    private take(grab: Grab, at: THREE.Vector3, live: LiveScene): void {
        const running = this.session.store.get("run").running;
        grab.robot = live.robotOf(grab.body);
        grab.kind = running || grab.robot < 0 ? "pull" : "place";
        grab.hit = at.clone();
        grab.point = inBody(live.poses, grab.body, at, new THREE.Vector3());
        this.target.copy(at);
        this.sent.copy(at);
        if (grab.kind === "place") {
            const root = POSE * (live.scene.robots?.[grab.robot]?.body ?? 0);
            grab.from = new THREE.Vector3(live.poses[root], live.poses[root + 1], live.poses[root + 2]);
            grab.heading = headingOf(live.poses, root + 3);
            grab.plane.setFromNormalAndCoplanarPoint(new THREE.Vector3(0, 0, 1), at);
        } else grab.plane.setFromNormalAndCoplanarPoint(this.stage.camera.getWorldDirection(new THREE.Vector3()), at);
    }

    private move(event: PointerEvent): void {
        if (!event.isPrimary) return;
        this.inside = event.pointerType === "mouse";
        this.looked = false;
        this.aim(event);
        const { grab } = this;
        if (grab && Math.hypot(event.clientX - grab.x, event.clientY - grab.y) > CLICK) grab.moved = true;
        if (grab && grab.kind !== "none") event.stopImmediatePropagation();
        this.name.style.transform = `translate(${event.offsetX + 14}px, ${event.offsetY + 14}px)`;
    }

    private up(event: PointerEvent): void {
        const { grab } = this;
        if (!grab || !event.isPrimary) return;
        if (grab.kind !== "none") event.stopImmediatePropagation();
        if (!grab.moved && grab.kind !== "none" && this.pushing) this.push(grab);
        else if (!grab.moved) this.session.select(grab.body >= 0 ? { body: grab.body } : null);
        this.let();
    }

    // Releases the grabbed body.
    private let(): void {
        const { grab } = this;
        this.grab = null;
        if (grab?.kind === "pull" && grab.moved) this.session.send("pull", { body: grab.body, point: grab.point.toArray(), target: null });
    }

    private wheel(event: WheelEvent): void {
        const { grab } = this;
        if (grab?.kind !== "place") return;
        event.stopImmediatePropagation();
        event.preventDefault();
        grab.heading -= Math.sign(event.deltaY) * TURN;
        grab.moved = true;
        this.sent.set(NaN, NaN, NaN); // so that the turn goes out although the place stays
    }

    private drag(grab: Grab): void {
        if (!this.ray.ray.intersectPlane(grab.plane, this.target) || this.waiting || this.sent.equals(this.target)) return;
        this.sent.copy(this.target);
        this.waiting = true;
        const done = (): boolean => (this.waiting = false);
        const failed = (e: unknown): void => {
            this.waiting = false;
            this.grab = null;
            this.session.notify("error", e instanceof Error ? e.message : String(e));
        };
        if (grab.kind === "pull") this.session.ask("pull", { body: grab.body, point: grab.point.toArray(), target: this.target.toArray() }).then(done, failed);
        else {
            const position = [grab.from.x + this.target.x - grab.hit.x, grab.from.y + this.target.y - grab.hit.y, grab.from.z];
            this.session.ask("place", { robot: grab.robot, position, yaw: grab.heading }).then(done, failed);
        }
    }

    private push(grab: Grab): void {
        const size = Math.max(0, Number(this.force.value) || 0);
        const way = pushDirection(this.ray.ray.direction, new THREE.Vector3()).multiplyScalar(size);
        this.session.send("push", { body: grab.body, point: grab.point.toArray(), force: way.toArray(), seconds: PUSH_TIME });
    }

    private hover(): void {
        this.looked = true;
        this.ray.setFromCamera(this.pointer, this.stage.camera);
        this.showName(this.hit()?.body ?? -1);
    }

    private showName(body: number): void {
        const known = this.view.live?.model.bodies[body];
        this.session.store.set("hovered", known ? body : -1);
        this.name.hidden = !known;
        if (known) this.name.textContent = known.name;
    }
}
