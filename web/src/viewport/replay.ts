// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A run on the stage: bodies at their poses, between samples blended; force arrows, centre of mass, support polygon and traces of the same instant.
import * as THREE from "three";
import type { Run } from "../core/document";
import { type Outside, outsideForce, readOutside } from "../core/events";
import { type Feet, supportAt, type Walker } from "../core/feet";
import { roundDown } from "../core/format";
import type { Balance } from "../core/balance";
import { type Pressure, readPressures, turningAt } from "../core/limbs";
import { blendPoses, POSE, type PoseSource } from "../core/poses";
import { place } from "../core/rotation";
import { color } from "../view/theme";
import { ForceLabels } from "./force_labels";
import { Dots, FLAT } from "./live_marks";
import { Arrows, ComMark, SupportSheet, Traces, Turns } from "./marks";
import { makeShapes } from "./shapes";
import { Stage } from "./stage";

export interface Layers {
    forces: boolean;
    moments: boolean;
    pressure: boolean;
    outside: boolean;
    com: boolean;
    dcm: boolean;
    zmp: boolean;
    support: boolean;
    traces: boolean;
    grid: boolean;
    follow: boolean;
}
const TRACE_TIME = 2; // [s] duration of the path of a foot that is shown
const POINT = 7; // numbers of a contact point: place, force, mode (1 slides, 2 sticks)

export class Replay {
    readonly stage: Stage;
    readonly layers: Layers = { forces: true, moments: false, pressure: true, outside: true, com: true, dcm: true, zmp: true, support: true, traces: true, grid: true, follow: true };
    /** Newtons that an arrow of `arrowLength` metres stands for. */
    readonly arrowForce: number;
    readonly arrowLength: number;
    /** Moment that an arc of a quarter turn stands for [N m]. */
    readonly quarterMoment: number;
    readonly notes: string[] = [];
    private readonly bodies: THREE.Group[];
    /** Numbers beside the arrows of forces from outside. */
    readonly labels = new ForceLabels();
    private readonly outside: Outside[];
    private readonly point = [0, 0, 0];
    private readonly force = [0, 0, 0];
    private readonly tip = new THREE.Vector3();
    private readonly acting: number[] = []; // forces from outside now: place, force
    private readonly arrows: Arrows;
    private readonly pushes: Arrows;
    private readonly pressures: Pressure[];
    private readonly pressed: Dots;
    private readonly turns: Turns;
    private readonly wholes: Dots;
    private readonly dcms: Dots;
    private readonly zmps: Dots;
    private readonly radius: number; // of marks on the ground [m]
    private readonly sheets: SupportSheet[];
    private readonly marks: ComMark[];
    private readonly traces: Traces | null = null;
    private readonly now: Float64Array;
    private readonly next: Float64Array;
    private readonly shown: Float64Array;
    private readonly colors = { stick: new THREE.Color(), slip: new THREE.Color(), push: new THREE.Color(), cop: new THREE.Color(), dcm: new THREE.Color(), zmp: new THREE.Color() };
    private readonly ground: number;
    private readonly hasGround: boolean; // a scene without ground gets none drawn
    private readonly feetMarks: THREE.Mesh[] = [];
    private followed: [number, number, number] = [0, 0, 0];

    constructor(
        canvas: HTMLCanvasElement,
        private readonly run: Run,
        private readonly poses: PoseSource,
        private readonly feet: Feet,
        private readonly walkers: Walker[],
        private readonly balances: Balance[],
    ) {
        const model = run.model;
        if (!model) throw new Error("the run holds no model");
        const numbers = POSE * model.bodies.length;
        this.now = new Float64Array(numbers);
        this.next = new Float64Array(numbers);
        this.shown = new Float64Array(numbers);
        const shapes = makeShapes(model, run.meshes, poses.known);
        const plane = shapes.planes.find((g) => g.body < 0);
        this.ground = plane ? plane.pos[2] : 0;
        poses.read(0, this.shown);
        const extent = this.measure(shapes.bodies);
        const size = extent / (walkers.length > 1 ? 4 : 1); // of one robot; several stand apart
        this.stage = new Stage(canvas, extent, this.ground);
        this.stage.scene.add(shapes.world, ...shapes.bodies);
        this.hasGround = plane !== undefined;
        this.bodies = shapes.bodies;
        if (shapes.missing > 0) this.notes.push(`${shapes.missing} shapes are meshes that the recording does not hold; they are not drawn.`);
        this.arrows = new Arrows(0.008 * size);
        this.pushes = new Arrows(1.3 * 0.008 * size);
        this.outside = readOutside(run);
        this.pressures = readPressures(run);
        this.pressed = new Dots(Math.max(1, this.pressures.length), 0.95, false, new THREE.OctahedronGeometry(0.022 * size));
        this.sheets = walkers.map(() => new SupportSheet(color("--support")));
        this.marks = walkers.map(() => new ComMark(0.035 * size, color("--com"), this.hasGround || feet.pos !== null));
        this.stage.scene.add(this.arrows.group, this.pushes.group, this.pressed.mesh, ...[...this.sheets, ...this.marks].map((m) => m.group));
        this.radius = 0.03 * size;
        [this.wholes, this.dcms, this.zmps] = [FLAT.square(), FLAT.cross(), FLAT.ring()].map((shape) => new Dots(Math.max(1, walkers.length), 0.95, false, shape));
        if (feet.pos) this.traces = this.addTraces(feet.pos, feet.names.length);
        if (poses.kind === "base" && feet.pos) this.addFeet();
        // Round newtons to round lengths; the strongest arrow is about as long as half the robot.
        const strongest = this.strongest();
        this.arrowForce = roundDown(0.5 * strongest);
        this.arrowLength = this.arrowForce / roundDown(strongest / (0.5 * size));
        this.quarterMoment = roundDown(0.01 * strongest * size);
        this.turns = new Turns(Math.max(1, this.pressures.length), 0.09 * size, this.quarterMoment);
        this.stage.scene.add(this.turns.group, this.wholes.mesh, this.dcms.mesh, this.zmps.mesh);
        this.recolor();
        this.followed = this.middle(0);
        this.centre();
    }

    /** Whether the run has anything to show on a layer. */
    has(layer: keyof Layers): boolean {
        const { feet, run, walkers } = this;
        switch (layer) {
            case "forces":
                return run.channel("contacts.points") !== null || (feet.pos !== null && feet.force !== null);
            case "pressure":
                return this.pressures.some((p) => p.cop !== null);
            case "moments":
                return this.pressures.some((p) => p.cop !== null && p.moment !== null && p.pos !== null);
            case "dcm":
                return this.balances.some((b) => b.dcm !== null);
            case "zmp":
                return this.balances.some((b) => b.zmp !== null);
            case "outside":
                return this.outside.length > 0;
            case "com":
                return walkers.some((w) => w.com !== null);
            case "support":
                return (feet.pos !== null && feet.down !== null) || feet.soles.some((s) => s !== null);
            case "traces":
                return feet.pos !== null;
            case "grid":
                return this.hasGround;
            default:
                return true;
        }
    }

    /** Whether it is known which points slide; forces of whole feet do not. */
    get knowsSliding(): boolean {
        return this.run.channel("contacts.points") !== null;
    }

    /** Reads the colours of the page again. */
    recolor(): void {
        this.stage.setPalette({ sky: color("--sky"), ground: color("--floor"), line: color("--floor-line"), strong: color("--floor-strong") });
        this.colors.stick.set(color("--force"));
        this.colors.slip.set(color("--slip"));
        this.colors.push.set(color("--push"));
        this.colors.cop.set(color("--cop"));
        this.colors.dcm.set(color("--dcm"));
        this.colors.zmp.set(color("--zmp"));
        this.turns.color(color("--cop"));
        for (const sheet of this.sheets) sheet.paint(color("--support"));
        for (const mark of this.marks) mark.paint(color("--com"));
    }

    /** Moves all objects to their poses at time t. */
    show(t: number): void {
        const { run } = this;
        const row = run.rowAt(t);
        const after = Math.min(run.rows - 1, row + 1);
        const gap = run.time[after] - run.time[row];
        const f = gap > 0 ? Math.min(1, Math.max(0, (t - run.time[row]) / gap)) : 0;
        this.poses.read(row, this.now);
        if (f > 0) this.poses.read(after, this.next);
        blendPoses(this.now, f > 0 ? this.next : this.now, f, this.shown);
        this.placeBodies();
        this.showForces(row);
        this.showPressures(row);
        this.showOutside(t, row);
        this.showSupport(row);
        this.showBalance(row);
        this.traces?.show(run.rowAt(t - TRACE_TIME), row);
        if (this.traces) this.traces.group.visible = this.layers.traces;
        this.stage.showGround(this.hasGround && this.layers.grid);
        this.follow(row, after, f);
        this.nameForces();
    }

    private placeBodies(): void {
        this.bodies.forEach((group, i) => {
            const p = this.shown;
            const o = POSE * i;
            group.position.set(p[o], p[o + 1], p[o + 2]);
            group.quaternion.set(p[o + 4], p[o + 5], p[o + 6], p[o + 3]);
        });
    }

    private showForces(row: number): void {
        const { arrows, layers, feet } = this;
        arrows.group.visible = layers.forces;
        const points = this.run.channel("contacts.points");
        const scale = this.arrowLength / this.arrowForce;
        const n = feet.names.length;
        arrows.begin();
        if (points && points.columns.length % POINT === 0) {
            const width = points.columns.length;
            for (let i = row * width; i < (row + 1) * width; i += POINT) {
                const d = points.data;
                if (!(d[i + 6] > 0)) continue;
                const paint = d[i + 6] === 1 ? this.colors.slip : this.colors.stick;
                arrows.add(d[i], d[i + 1], d[i + 2], scale * d[i + 3], scale * d[i + 4], scale * d[i + 5], paint);
            }
        } else if (feet.pos && feet.force) {
            for (let i = 3 * n * row, leg = 0; leg < n; leg++, i += 3) {
                const f = feet.force;
                const p = feet.pos;
                const cop = this.pressures[leg]?.cop; // feet of the legs come first
                const [x, y, z] = cop && Number.isFinite(cop[3 * row]) ? cop.subarray(3 * row, 3 * row + 3) : [p[i], p[i + 1], p[i + 2] - feet.radius[leg]];
                arrows.add(x, y, z, scale * f[i], scale * f[i + 1], scale * f[i + 2], this.colors.stick);
            }
            for (const { limb, cop, force } of this.pressures) {
                const i = 3 * row;
                if (limb.kind === "hand" && cop && force && Number.isFinite(cop[i]))
                    arrows.add(cop[i], cop[i + 1], cop[i + 2], scale * force[i], scale * force[i + 1], scale * force[i + 2], this.colors.stick);
            }
        }
        arrows.end();
        this.feetMarks.forEach((mark, leg) => {
            const i = 3 * (n * row + leg);
            if (feet.pos) mark.position.set(feet.pos[i], feet.pos[i + 1], feet.pos[i + 2]);
        });
    }

    private showPressures(row: number): void {
        this.pressed.begin();
        for (const { cop } of this.layers.pressure ? this.pressures : [])
            if (cop && Number.isFinite(cop[3 * row])) this.pressed.add(cop[3 * row], cop[3 * row + 1], cop[3 * row + 2], 1, this.colors.cop);
        this.pressed.end();
    }

    // On the ground where the feet press, so that all of them lie in one plane.
    private showBalance(row: number): void {
        const { wholes, dcms, zmps, turns, layers, colors, radius } = this;
        for (const marks of [wholes, dcms, zmps, turns]) marks.begin();
        this.walkers.forEach(({ legs }, i) => {
            const { cop, dcm, zmp } = this.balances[i];
            const z = (cop && Number.isFinite(cop[3 * row + 2]) ? cop[3 * row + 2] : this.supportHeight(legs, row)) + 0.004;
            if (layers.pressure && cop && Number.isFinite(cop[3 * row])) wholes.add(cop[3 * row], cop[3 * row + 1], z, 0.8 * radius, colors.cop);
            if (layers.dcm && dcm && Number.isFinite(dcm[3 * row])) dcms.add(dcm[3 * row], dcm[3 * row + 1], z, radius, colors.dcm);
            if (layers.zmp && zmp && Number.isFinite(zmp[2 * row])) zmps.add(zmp[2 * row], zmp[2 * row + 1], z, radius, colors.zmp);
        });
        for (const p of layers.moments ? this.pressures : []) {
            const moment = turningAt(p, row);
            if (p.cop && Number.isFinite(moment)) turns.add(p.cop[3 * row], p.cop[3 * row + 1], p.cop[3 * row + 2] + 0.004, moment);
        }
        for (const marks of [wholes, dcms, zmps, turns]) marks.end();
    }

    // At the point of the body as it is drawn; like contact forces, pulls are those of the last sample.
    private showOutside(t: number, row: number): void {
        const { pushes, outside, point, force } = this;
        const scale = this.arrowLength / this.arrowForce;
        pushes.begin();
        this.acting.length = 0;
        for (const o of outside) {
            if (!this.layers.outside || t < o.from || t >= o.to || !this.poses.known[o.body]) continue;
            if (!outsideForce(this.run, outside, o, row, force)) continue;
            place(point, 0, this.shown, POSE * o.body, this.shown, POSE * o.body + 3, o.point, 0);
            pushes.add(point[0], point[1], point[2], scale * force[0], scale * force[1], scale * force[2], this.colors.push);
            this.acting.push(...point, ...force);
        }
        pushes.end();
    }

    // After the camera has moved.
    private nameForces(): void {
        const { labels, acting, stage } = this;
        labels.begin();
        if (acting.length > 0) stage.camera.updateMatrixWorld();
        for (let i = 0; i < acting.length; i += 6) {
            const [x, y, z, fx, fy, fz] = acting.slice(i, i + 6);
            const scale = this.arrowLength / this.arrowForce;
            labels.add(Math.hypot(fx, fy, fz), x, y, z, this.tip.set(x + scale * fx, y + scale * fy, z + scale * fz), stage.camera, stage.canvas.clientWidth, stage.canvas.clientHeight);
        }
        labels.end();
    }

    private showSupport(row: number): void {
        this.walkers.forEach(({ legs, com }, i) => {
            const lowest = this.supportHeight(legs, row);
            this.sheets[i].group.visible = this.layers.support;
            this.sheets[i].set(supportAt(this.feet, legs, row), lowest);
            this.marks[i].group.visible = this.layers.com && com !== null;
            if (com) this.marks[i].set(com.pos[3 * row], com.pos[3 * row + 1], com.pos[3 * row + 2], lowest);
        });
    }

    // Polygons are drawn at the lowest foot that carries, a hair above the ground.
    private supportHeight(legs: number[], row: number): number {
        const { pos, down, names, radius } = this.feet;
        let z = Infinity;
        for (const leg of pos && down ? legs : []) {
            const i = names.length * row + leg;
            if (down?.[i]) z = Math.min(z, (pos?.[3 * i + 2] ?? 0) - radius[leg]);
        }
        return Math.max(Number.isFinite(z) ? z : this.ground, this.ground) + 0.002;
    }

    // By what the robot has moved since the last picture: what the viewer chose by hand is kept.
    private follow(row: number, after: number, f: number): void {
        const a = this.middle(row);
        const b = this.middle(after);
        const x = (1 - f) * a[0] + f * b[0];
        const y = (1 - f) * a[1] + f * b[1];
        if (this.layers.follow) this.stage.shift(x - this.followed[0], y - this.followed[1]);
        this.stage.light(x, y, a[2]);
        this.followed = [x, y, a[2]];
    }

    /** Views the robot again, wherever the camera was moved. */
    centre(): void {
        this.stage.lookAt(...this.followed);
    }

    // What the camera follows: the centre of mass (of several robots the middle of theirs), or the first body.
    private middle(row: number): [number, number, number] {
        const known = this.walkers.flatMap((w) => (w.com ? [w.com.pos] : []));
        if (known.length > 0) {
            const mean = (k: number): number => known.reduce((sum, p) => sum + p[3 * row + k], 0) / known.length;
            return [mean(0), mean(1), mean(2)];
        }
        const base = this.run.channel("base.pos");
        if (base) return [base.data[3 * row], base.data[3 * row + 1], base.data[3 * row + 2]];
        const first = POSE * Math.max(0, this.poses.known.indexOf(true));
        this.poses.read(row, this.next);
        return [this.next[first], this.next[first + 1], this.next[first + 2]];
    }

    private measure(groups: THREE.Group[]): number {
        const box = new THREE.Box3();
        groups.forEach((group, i) => {
            if (!group.visible || this.run.model?.bodies[i].node === -1) return;
            const p = this.shown;
            group.position.set(p[POSE * i], p[POSE * i + 1], p[POSE * i + 2]);
            group.quaternion.set(p[POSE * i + 4], p[POSE * i + 5], p[POSE * i + 6], p[POSE * i + 3]);
            group.updateMatrixWorld(true);
            box.expandByObject(group);
        });
        const feet = this.feet.pos;
        for (let leg = 0; feet && leg < this.feet.names.length; leg++)
            box.expandByPoint(new THREE.Vector3(feet[3 * leg], feet[3 * leg + 1], feet[3 * leg + 2]));
        return box.isEmpty() ? 1 : Math.max(0.02, box.getBoundingSphere(new THREE.Sphere()).radius);
    }

    private strongest(): number {
        const { force } = this.feet;
        let most = 0;
        for (let i = 0; force && i < force.length; i += 3) most = Math.max(most, Math.hypot(force[i], force[i + 1], force[i + 2]));
        if (most > 0) return most;
        const weight = (this.run.model?.mass ?? 1) * Math.hypot(...(this.run.model?.gravity ?? [0, 0, 9.81]));
        return Math.max(weight, 1e-3);
    }

    private addTraces(pos: Float32Array, legs: number): Traces {
        const colors = Array.from({ length: legs }, (_, i) => color(`--series-${(i % 8) + 1}`));
        const traces = new Traces(pos, legs, colors);
        this.stage.scene.add(traces.group);
        return traces;
    }

    // Without the coordinates of the legs their feet are all that is known.
    private addFeet(): void {
        const paint = new THREE.MeshStandardMaterial({ color: 0x30343c, roughness: 0.7 });
        this.feet.names.forEach((_, leg) => {
            const ball = new THREE.Mesh(new THREE.SphereGeometry(Math.max(0.006, this.feet.radius[leg]), 20, 12), paint);
            ball.castShadow = true;
            this.feetMarks.push(ball);
            this.stage.scene.add(ball);
        });
    }
}
