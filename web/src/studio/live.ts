// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A loaded scene on the stage, moved by frames: bodies from q, contact points and their forces, centres of pressure, forces from outside, centres of mass, capture points, planned zero moment
// points, support polygons, feet and their ways, sensor rays, coordinate frames. Everything is made when the scene is loaded; a frame only moves it.
import * as THREE from "three";
import { type Model, type Scene, SECTIONS } from "../core/protocol";
import { completeModel, type Mesh } from "../core/document";
import { headingOf, PlanMap } from "../core/balance";
import { roundDown } from "../core/format";
import { LIMB, pressing, type Visit } from "../core/limbs";
import { hullInto } from "../core/polygon";
import { Kinematics, POSE } from "../core/poses";
import { multiply, place } from "../core/rotation";
import { color, seriesColor } from "../view/theme";
import { Axes, Dots, FLAT, Rays, Trail } from "../viewport/live_marks";
import { Arrows, ComMark, SupportSheet, Turns } from "../viewport/marks";
import { makeShapes, type Shapes } from "../viewport/shapes";
import type { Stage } from "../viewport/stage";
import type { Frame } from "./frames";

export interface Layers {
    forces: boolean;
    contacts: boolean;
    resultants: boolean;
    moments: boolean;
    pressure: boolean;
    outside: boolean;
    com: boolean;
    dcm: boolean;
    zmp: boolean;
    support: boolean;
    loads: boolean;
    traces: boolean;
    touch: boolean;
    rays: boolean;
    frames: boolean;
    grid: boolean;
    follow: boolean;
}
export const ALL_LAYERS: Layers = {
    forces: true,
    contacts: true,
    resultants: true,
    moments: false,
    pressure: true,
    outside: true,
    com: true,
    dcm: true,
    zmp: true,
    support: true,
    loads: true,
    traces: true,
    touch: true,
    rays: true,
    frames: false,
    grid: true,
    follow: true,
};

const MOST_CONTACTS = 256;
const MOST_RAYS = 128;
const TRACE_POINTS = 240; // of the path of a foot
const TRACE_STEP = 1 / 60; // [s] between two of them
const CONTACT = SECTIONS.contacts.columns;
const OUTSIDE = SECTIONS.outside.columns;
const COM = SECTIONS.coms.columns;
const FOOT = SECTIONS.limbs.columns;
const PICKED = new THREE.Color(0x2f7fd6);

/** One robot with its feet, which has a support polygon. */
interface Walker {
    legs: number[];
    sheet: SupportSheet;
}

function boxOf(group: THREE.Group): THREE.Box3 {
    group.updateMatrixWorld(true);
    return new THREE.Box3().setFromObject(group);
}

export class LiveScene {
    readonly model: Model;
    /** What the camera should see at once, as the radius of a ball [m]. */
    readonly extent: number;
    /** Size of one robot [m]. */
    readonly size: number;
    readonly hasGround: boolean;
    readonly ground: number;
    readonly missing: number;
    /** Newtons that an arrow of `arrowLength` metres stands for. */
    readonly arrowForce: number;
    readonly arrowLength: number;
    /** Moment that an arc of a quarter turn stands for [N m]. */
    readonly quarterMoment: number;
    /** Weight of everything that moves [N]. */
    readonly weight: number;
    /** Number of the robot that is followed; -1: all, by the middle of their centres of mass. */
    focus = -1;
    /** Position of the body that the camera follows. */
    readonly middle = new Float64Array(3);
    /** Poses of all bodies in the frame that is shown, POSE numbers each. */
    readonly poses: Float64Array;
    readonly bodies: THREE.Group[];
    private readonly shapes: Shapes;
    private readonly kinematics: Kinematics;
    readonly group = new THREE.Group();
    private readonly arrows: Arrows;
    private readonly pushes: Arrows;
    private readonly dots: Dots;
    private readonly resultants: Arrows;
    private readonly pressures: Dots;
    private readonly turns: Turns;
    private readonly wholes: Dots; // centres of pressure of all feet of a robot
    private readonly dcms: Dots;
    private readonly zmps: Dots;
    private readonly plan: PlanMap;
    private readonly turned = [1, 0, 0, 0];
    private readonly planned = [0, 0];
    private readonly touches: Dots;
    private readonly axes: Axes;
    private readonly rays: Rays;
    private readonly hits: Dots;
    private readonly coms: ComMark[];
    private readonly trails: Trail[];
    private readonly walkers: Walker[];
    private readonly walkerOf: number[];
    private readonly feet: Float64Array; // places of feet and hands
    private readonly corners = new Float64Array(2 * MOST_CONTACTS);
    private readonly found = new Float64Array(2 * MOST_CONTACTS);
    private readonly passed: Float64Array; // poses of a frame that is noted, drawn or not
    private traced = -Infinity;
    private readonly paint = { stick: new THREE.Color(), slip: new THREE.Color(), push: new THREE.Color(), cop: new THREE.Color(), dcm: new THREE.Color(), zmp: new THREE.Color(), on: new THREE.Color(), off: new THREE.Color() };
    private readonly points: Uint16Array; // of contact, of each leg
    private readonly pressed = { scale: 0, radius: 0, contacts: false }; // [m/N] of arrows, [m] of diamonds; 0: none
    private picked = -1;

    constructor(
        readonly scene: Scene,
        meshes: (Mesh | null)[],
        first: Frame | null,
        private readonly stage: Stage,
    ) {
        const model = completeModel(scene.model);
        this.model = model;
        this.kinematics = new Kinematics(model);
        this.poses = new Float64Array(POSE * model.bodies.length);
        this.passed = new Float64Array(POSE * model.bodies.length);
        this.shapes = makeShapes(model, meshes, model.bodies.map(() => true));
        this.bodies = this.shapes.bodies;
        this.missing = this.shapes.missing;
        const plane = this.shapes.planes.find((g) => g.body < 0);
        this.hasGround = plane !== undefined;
        this.ground = plane ? plane.pos[2] : 0;
        if (first && first.q.data.length >= model.nq) this.placeBodies(first.q.data);
        const measured = this.measure();
        this.extent = measured.extent;
        this.size = measured.size;
        this.weight = Math.max(1e-3, model.mass * (Math.hypot(...model.gravity) || 9.81)); // without gravity pushes are as large as with it
        const robots = Math.max(1, new Set(model.legs.map((l) => this.rootOf(model.frames[l.frame]?.body ?? -1))).size);
        const strongest = (0.6 * this.weight) / robots;
        this.arrowForce = roundDown(0.5 * strongest);
        this.arrowLength = this.arrowForce / roundDown(strongest / (0.6 * this.size));
        const thick = 0.008 * this.size;
        this.arrows = new Arrows(thick);
        this.pushes = new Arrows(1.3 * thick);
        this.dots = new Dots(MOST_CONTACTS, 0.95, false);
        this.resultants = new Arrows(1.3 * thick);
        this.pressures = new Dots(Math.max(1, model.limbs.length), 0.95, false, new THREE.OctahedronGeometry(1));
        const robotCount = Math.max(1, (scene.robots ?? []).length);
        this.quarterMoment = roundDown(0.01 * strongest * this.size);
        this.turns = new Turns(Math.max(1, model.limbs.length), 0.09 * this.size, this.quarterMoment);
        this.wholes = new Dots(robotCount, 0.95, false, FLAT.square());
        this.dcms = new Dots(robotCount, 0.95, false, FLAT.cross());
        this.zmps = new Dots(robotCount, 0.95, false, FLAT.ring());
        this.plan = new PlanMap(Math.max(1, model.legs.length));
        this.touches = new Dots(Math.max(1, model.limbs.length), 0.4, true);
        this.axes = new Axes(model.bodies.length, 0.16 * this.size);
        this.rays = new Rays(MOST_RAYS);
        this.hits = new Dots(MOST_RAYS, 0.9, true);
        this.coms = (scene.robots ?? [{}]).map(() => new ComMark(0.035 * this.size, color("--com"), this.hasGround));
        this.trails = model.legs.map(() => new Trail(TRACE_POINTS));
        this.feet = new Float64Array(3 * model.limbs.length);
        this.points = new Uint16Array(Math.max(1, model.legs.length));
        const roots = model.legs.map((l) => this.rootOf(model.frames[l.frame]?.body ?? -1));
        const different = [...new Set(roots)];
        this.walkerOf = roots.map((r) => different.indexOf(r));
        this.walkers = different.map((r) => ({ legs: roots.flatMap((o, i) => (o === r ? [i] : [])), sheet: new SupportSheet(color("--support")) }));
        this.addAll();
        this.recolor();
    }

    /** Layers for which the scene has data. */
    has(layer: keyof Layers): boolean {
        const { model, scene } = this;
        const kinds = (scene.sensors ?? []).map((s) => s.kind);
        if (layer === "support" || layer === "traces" || layer === "dcm" || layer === "loads") return model.legs.length > 0;
        if (layer === "zmp") return model.legs.length > 0 && (scene.channels ?? []).some((c) => /^control\..*\bzmp(\.plan)?\.x$/.test(c.name));
        if (layer === "touch" || layer === "resultants" || layer === "pressure" || layer === "moments") return model.limbs.length > 0;
        if (layer === "rays") return kinds.some((k) => /distance|range|lidar|scan/.test(k));
        if (layer === "grid") return this.hasGround;
        return true;
    }

    recolor(): void {
        const { paint } = this;
        paint.stick.set(color("--force"));
        paint.slip.set(color("--slip"));
        paint.push.set(color("--push"));
        paint.cop.set(color("--cop"));
        paint.dcm.set(color("--dcm"));
        paint.zmp.set(color("--zmp"));
        this.turns.color(color("--cop"));
        paint.on.set(color("--good"));
        paint.off.set(color("--ink-2"));
        for (const mark of this.coms) mark.paint(color("--com"));
        for (const { sheet } of this.walkers) sheet.paint(color("--support"));
        this.trails.forEach((trail, i) => trail.paint(seriesColor(i)));
        this.rays.paint(color("--ray"));
    }

    dispose(): void {
        this.stage.scene.remove(this.group);
        this.group.traverse((o) => {
            if (!(o instanceof THREE.Mesh || o instanceof THREE.Line)) return;
            (o.geometry as THREE.BufferGeometry).dispose();
            for (const m of [o.material].flat() as THREE.Material[]) m.dispose();
            if (o instanceof THREE.InstancedMesh) o.dispose();
        });
    }

    /** Body to which an object under the pointer belongs; -1: none. */
    bodyOf(object: THREE.Object3D): number {
        for (let o: THREE.Object3D | null = object; o; o = o.parent) {
            const at = this.bodies.indexOf(o as THREE.Group);
            if (at >= 0) return at;
        }
        return -1;
    }

    /** Highlights one body; -1: none. */
    highlight(body: number): void {
        if (body === this.picked) return;
        for (const [which, strength] of [
            [this.picked, 0],
            [body, 0.35],
        ]) {
            this.bodies[which]?.traverse((o) => {
                if (!(o instanceof THREE.Mesh) || !(o.material instanceof THREE.MeshStandardMaterial)) return;
                o.material.emissive.copy(PICKED);
                o.material.emissiveIntensity = strength;
            });
        }
        this.picked = body;
    }

    /** Forgets the paths of the feet. */
    clearTraces(): void {
        for (const trail of this.trails) trail.clear();
        this.traced = -Infinity;
    }

    /** Adds the feet of a frame to their paths. Frames may come faster than they are drawn, and the paths must not get corners from that. */
    note(frame: Frame): void {
        const { model, passed, feet } = this;
        if (frame.t < this.traced) this.clearTraces();
        if (this.trails.length === 0 || frame.t - this.traced < 0.999 * TRACE_STEP || frame.q.data.length < model.nq) return;
        this.traced = frame.t;
        this.kinematics.place(frame.q.data, 0, passed);
        const [x, y] = feet;
        this.placeFeet(passed);
        if (Math.hypot(feet[0] - x, feet[1] - y) > this.size) for (const trail of this.trails) trail.clear(); // the robot was moved by the user
        for (let i = 0; i < this.trails.length; i++) this.trails[i].add(feet, 3 * i);
    }

    /** Moves all objects to the poses of a frame. */
    show(frame: Frame, layers: Layers, scale: number): void {
        if (frame.q.data.length >= this.model.nq) this.placeBodies(frame.q.data);
        this.placeFeet(this.poses);
        this.showContacts(frame, layers, scale);
        this.showPressures(frame, layers, scale);
        this.showOutside(frame, layers, scale);
        this.showSupport(frame, layers);
        this.showBalance(frame, layers);
        this.showRays(frame, layers);
        this.showAxes(layers);
        this.stage.showGround(this.hasGround && layers.grid);
    }

    private placeBodies(q: Float32Array): void {
        this.kinematics.place(q, 0, this.poses);
        const p = this.poses;
        for (let i = 0, o = 0; i < this.bodies.length; i++, o += POSE) {
            const { position, quaternion } = this.bodies[i];
            position.set(p[o], p[o + 1], p[o + 2]);
            quaternion.set(p[o + 4], p[o + 5], p[o + 6], p[o + 3]);
        }
    }

    private placeFeet(poses: Float64Array): void {
        const { model, feet } = this;
        for (let i = 0; i < model.limbs.length; i++) {
            const { body, pos } = model.limbs[i];
            place(feet, 3 * i, poses, POSE * body, poses, POSE * body + 3, pos, 0);
        }
    }

    private showContacts(frame: Frame, layers: Layers, scale: number): void {
        const { arrows, dots, paint } = this;
        const { data, width, count } = frame.contacts;
        const meters = (scale * this.arrowLength) / this.arrowForce;
        const radius = 0.016 * this.size * Math.min(1, 3 / Math.sqrt(Math.max(1, count))); // soles of many points would vanish below them
        arrows.begin();
        dots.begin();
        this.points.fill(0);
        for (let n = 0, i = 0; n < count; n++, i += width) {
            if (data[i + CONTACT.leg] >= 0) this.points[data[i + CONTACT.leg]]++;
            const tint = data[i + CONTACT.slips] === 1 ? paint.slip : paint.stick;
            if (layers.contacts) dots.add(data[i], data[i + 1], data[i + 2], radius, tint);
            const f = i + CONTACT.force_x;
            if (layers.forces) arrows.add(data[i], data[i + 1], data[i + 2], meters * data[f], meters * data[f + 1], meters * data[f + 2], tint);
        }
        arrows.end();
        dots.end();
    }

    // Diamonds over the round contact points: a foot of one point shows both.
    private showPressures(frame: Frame, layers: Layers, scale: number): void {
        this.resultants.begin();
        this.pressures.begin();
        this.pressed.scale = layers.resultants ? (scale * this.arrowLength) / this.arrowForce : 0;
        this.pressed.contacts = layers.forces;
        this.pressed.radius = layers.pressure ? 0.022 * this.size : 0;
        pressing(frame.limbs, this.showPressure);
        this.resultants.end();
        this.pressures.end();
    }

    private readonly showPressure: Visit = (limb, x, y, z, fx, fy, fz) => {
        const { scale, radius } = this.pressed;
        const alone = limb < this.model.legs.length && this.points[limb] === 1 && this.pressed.contacts; // its contact force is shown already
        if (scale > 0 && !alone) this.resultants.add(x, y, z, scale * fx, scale * fy, scale * fz, this.paint.cop);
        if (radius > 0) this.pressures.add(x, y, z, radius, this.paint.cop);
    };

    private showOutside(frame: Frame, layers: Layers, scale: number): void {
        const { pushes, paint } = this;
        const { data, width, count } = frame.outside;
        const meters = (scale * this.arrowLength) / this.arrowForce;
        pushes.begin();
        for (let n = 0, i = 0; n < count && layers.outside; n++, i += width) {
            const p = i + OUTSIDE.x;
            const f = i + OUTSIDE.force_x;
            pushes.add(data[p], data[p + 1], data[p + 2], meters * data[f], meters * data[f + 1], meters * data[f + 2], paint.push);
        }
        pushes.end();
    }

    // The polygon of the contact points of a robot's feet, at the height of the highest, where no terrain hides it; a model without legs has none.
    private showSupport(frame: Frame, layers: Layers): void {
        const { contacts, coms, limbs } = frame;
        for (let w = 0; w < this.walkers.length; w++) {
            let n = 0;
            let highest = -Infinity;
            for (let k = 0, i = 0; k < contacts.count && n < MOST_CONTACTS; k++, i += contacts.width) {
                const leg = contacts.data[i + CONTACT.leg];
                const f = i + CONTACT.force_x;
                if (!(leg >= 0) || this.walkerOf[leg] !== w || (contacts.data[f] === 0 && contacts.data[f + 1] === 0 && contacts.data[f + 2] === 0)) continue; // it touches, but does not carry
                this.corners[2 * n] = contacts.data[i];
                this.corners[2 * n + 1] = contacts.data[i + 1];
                highest = Math.max(highest, contacts.data[i + 2]);
                n++;
            }
            const { sheet } = this.walkers[w];
            sheet.group.visible = layers.support;
            sheet.setFrom(this.found, hullInto(this.corners, n, this.found), (n > 0 ? highest : this.ground) + 0.002);
        }
        let known = 0;
        this.middle.fill(0);
        for (let k = 0, i = 0; k < coms.count; k++, i += coms.width) {
            const robot = coms.data[i];
            const mark = this.coms[robot];
            if (this.focus < 0 || this.focus === robot) {
                for (let a = 0; a < 3; a++) this.middle[a] += coms.data[i + 1 + a];
                known++;
            }
            if (!mark) continue;
            mark.group.visible = layers.com;
            mark.set(coms.data[i + 1], coms.data[i + 2], coms.data[i + 3], this.ground + 0.002);
        }
        if (known > 0) for (let a = 0; a < 3; a++) this.middle[a] /= known;
        else this.followFirst();
        for (let k = coms.count; k < this.coms.length; k++) this.coms[k].group.visible = false;
        for (let i = 0; i < this.trails.length; i++) this.trails[i].line.visible = layers.traces;
        this.touches.begin();
        for (let limb = 0, i = 0; layers.touch && limb < limbs.count && limb < this.model.limbs.length && limbs.width >= LIMB; limb++, i += limbs.width) {
            const on = limbs.data[i] > 0.5;
            const radius = Math.max(0.012 * this.size, this.model.limbs[limb].radius) * 1.35;
            this.touches.add(this.feet[3 * limb], this.feet[3 * limb + 1], this.feet[3 * limb + 2], radius, on ? this.paint.on : this.paint.off);
        }
        this.touches.end();
    }

    // For each robot: common centre of pressure, capture point, and planned zero moment point.
    private showBalance(frame: Frame, layers: Layers): void {
        const { wholes, dcms, zmps, turns, paint, planned } = this;
        const { coms, limbs } = frame;
        const radius = 0.03 * this.size;
        for (const marks of [wholes, dcms, zmps, turns]) marks.begin();
        for (let k = 0, i = 0; k < coms.count && coms.width >= SECTIONS.coms.width; k++, i += coms.width) {
            const cop = i + COM.cop_x;
            const dcm = i + COM.dcm_x;
            const z = coms.data[cop + 2] + 0.004;
            if (!Number.isFinite(z)) continue; // no foot carries
            if (layers.pressure) wholes.add(coms.data[cop], coms.data[cop + 1], z, 0.8 * radius, paint.cop);
            if (layers.dcm && Number.isFinite(coms.data[dcm])) dcms.add(coms.data[dcm], coms.data[dcm + 1], z, radius, paint.dcm);
            if (!layers.zmp || !Number.isFinite(coms.data[i + COM.zmp_x])) continue;
            this.layPlan(frame, coms.data[i]);
            if (this.plan.place(coms.data[i + COM.zmp_x], coms.data[i + COM.zmp_y], planned)) zmps.add(planned[0], planned[1], z, radius, paint.zmp);
        }
        for (let k = 0, i = 0; layers.moments && k < limbs.count && limbs.width >= LIMB; k++, i += limbs.width) {
            const p = i + FOOT.cop_x;
            if (Number.isFinite(limbs.data[p])) turns.add(limbs.data[p], limbs.data[p + 1], limbs.data[p + 2] + 0.004, limbs.data[i + FOOT.moment_z]);
        }
        for (const marks of [wholes, dcms, zmps, turns]) marks.end();
    }

    private layPlan(frame: Frame, robot: number): void {
        const { plan, model, feet, poses, turned } = this;
        const { data, width, count } = frame.limbs;
        plan.begin();
        for (let leg = 0; leg < model.legs.length && leg < count && width >= LIMB; leg++) {
            const { body, quat } = model.limbs[leg];
            const i = width * leg;
            if (this.robotOf(body) !== robot) continue;
            multiply(turned, 0, poses, POSE * body + 3, quat, 0);
            plan.add(data[i + FOOT.force_z], data[i + FOOT.plan_x], data[i + FOOT.plan_y], data[i + FOOT.plan_yaw], feet[3 * leg], feet[3 * leg + 1], headingOf(turned));
        }
    }

    private showRays(frame: Frame, layers: Layers): void {
        const { data, width, count } = frame.rays;
        this.rays.begin();
        this.hits.begin();
        for (let n = 0, i = 0; layers.rays && n < count; n++, i += width) {
            this.rays.add(data, i);
            if (data[i + 6] > 0.5) this.hits.add(data[i + 3], data[i + 4], data[i + 5], 0.012 * this.size, this.paint.push);
        }
        this.rays.end();
        this.hits.end();
    }

    private showAxes(layers: Layers): void {
        const { axes, model, poses } = this;
        axes.mesh.visible = layers.frames;
        if (!layers.frames) return;
        axes.begin();
        for (let i = 0, o = 0; i < model.bodies.length; i++, o += POSE) axes.add(poses[o], poses[o + 1], poses[o + 2], poses, o + 3);
        axes.end();
    }

    private followFirst(): void {
        const at = Math.max(0, this.model.bodies.findIndex((b) => b.node >= 0));
        for (let a = 0; a < 3 && this.model.bodies.length > 0; a++) this.middle[a] = this.poses[POSE * at + a];
    }

    /** Number of the first node of the tree to which a body belongs; -1: the world. */
    rootOf(body: number): number {
        const { bodies, nodes } = this.model;
        let node = bodies[body]?.node ?? -1;
        while (node >= 0 && nodes[node].parent >= 0) node = nodes[node].parent;
        return node;
    }

    /** Number of the robot that a body belongs to; -1: none. */
    robotOf(body: number): number {
        const root = this.rootOf(body);
        return root < 0 ? -1 : (this.scene.robots ?? []).findIndex((r) => this.rootOf(r.body) === root);
    }

    /** A ball around all visible moving bodies in their present poses, or those of the robot that the camera follows; around fixed bodies if nothing moves. */
    bounds(): THREE.Sphere {
        const whole = new THREE.Box3();
        const root = this.focus < 0 ? NaN : this.rootOf(this.scene.robots?.[this.focus]?.body ?? -1);
        const boxes = this.boxes();
        for (const [own, box] of boxes) if (!boxes.has(root) || own === root) whole.union(box);
        if (whole.isEmpty()) for (const group of [this.shapes.world, ...this.bodies]) if (group.children.length > 0) whole.union(boxOf(group));
        return whole.isEmpty() ? new THREE.Sphere(new THREE.Vector3(), 1) : whole.getBoundingSphere(new THREE.Sphere());
    }

    // A box around each thing that hangs together and moves, by its root.
    private boxes(): Map<number, THREE.Box3> {
        const each = new Map<number, THREE.Box3>();
        this.bodies.forEach((group, i) => {
            if (this.model.bodies[i].node < 0 || group.children.length === 0) return;
            const root = this.rootOf(i);
            each.set(root, (each.get(root) ?? new THREE.Box3()).union(boxOf(group)));
        });
        return each;
    }

    // Radius of everything that moves, and of the largest thing that hangs together.
    private measure(): { extent: number; size: number } {
        const { center, radius } = this.bounds();
        center.toArray(this.middle);
        const ball = new THREE.Sphere();
        const sizes = [...this.boxes().values()].map((b) => b.getBoundingSphere(ball).radius);
        return { extent: Math.max(0.02, radius), size: Math.max(0.02, ...(sizes.length > 0 ? sizes : [radius])) };
    }

    private addAll(): void {
        this.group.add(this.shapes.world, ...this.bodies, this.arrows.group, this.pushes.group, this.dots.mesh, this.resultants.group, this.turns.group, this.pressures.mesh, this.wholes.mesh, this.dcms.mesh, this.zmps.mesh, this.touches.mesh, this.axes.mesh);
        this.group.add(this.rays.lines, this.hits.mesh, ...this.coms.map((c) => c.group), ...this.trails.map((t) => t.line), ...this.walkers.map((w) => w.sheet.group));
        this.stage.scene.add(this.group);
    }
}
