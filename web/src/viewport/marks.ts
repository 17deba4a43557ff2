// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Marks that a viewport draws over the robot: arrows of contact forces (all of one scale, coloured by sticking or sliding), centre of mass with its plumb
// line, support polygon, traces of feet. Everything is made once; a frame only moves it.
import * as THREE from "three";
import type { Point } from "../core/polygon";

const UP = new THREE.Vector3(0, 1, 0); // along which three.js builds cylinders and cones
const MOST_ARROWS = 128;
const MOST_CORNERS = 48;

/** Arrows as two instanced meshes: shafts and heads. */
export class Arrows {
    readonly group = new THREE.Group();
    private readonly shafts: THREE.InstancedMesh;
    private readonly heads: THREE.InstancedMesh;
    private readonly matrix = new THREE.Matrix4();
    private readonly turn = new THREE.Quaternion();
    private readonly way = new THREE.Vector3();
    private readonly at = new THREE.Vector3();
    private readonly size = new THREE.Vector3();
    private used = 0;

    constructor(private readonly thick: number) {
        // Over everything: a force on a foot points along its leg, which would hide it.
        const paint = new THREE.MeshBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true, opacity: 0.92 });
        this.shafts = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), paint, MOST_ARROWS);
        this.heads = new THREE.InstancedMesh(new THREE.ConeGeometry(1, 1, 14).translate(0, 0.5, 0), paint, MOST_ARROWS);
        for (const mesh of [this.shafts, this.heads]) {
            mesh.frustumCulled = false;
            mesh.count = 0;
            mesh.renderOrder = 4;
            this.group.add(mesh);
        }
    }

    begin(): void {
        this.used = 0;
    }

    /** An arrow from a point along a vector given in metres; ones shorter than thick are left out. */
    add(x: number, y: number, z: number, dx: number, dy: number, dz: number, color: THREE.Color): void {
        const length = Math.hypot(dx, dy, dz);
        if (!(length > this.thick) || this.used >= MOST_ARROWS) return;
        const head = Math.min(5 * this.thick, 0.5 * length);
        this.way.set(dx / length, dy / length, dz / length);
        this.turn.setFromUnitVectors(UP, this.way);
        this.at.set(x, y, z);
        this.size.set(this.thick, length - head, this.thick);
        this.shafts.setMatrixAt(this.used, this.matrix.compose(this.at, this.turn, this.size));
        this.at.addScaledVector(this.way, length - head);
        this.size.set(2.4 * this.thick, head, 2.4 * this.thick);
        this.heads.setMatrixAt(this.used, this.matrix.compose(this.at, this.turn, this.size));
        this.shafts.setColorAt(this.used, color);
        this.heads.setColorAt(this.used, color);
        this.used++;
    }

    end(): void {
        for (const mesh of [this.shafts, this.heads]) {
            mesh.count = this.used;
            mesh.instanceMatrix.needsUpdate = true;
            if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
        }
    }
}

const SWEEP = 1.5 * Math.PI; // [rad] the longest arc
const PARTS = 48; // of it
const ROUND = 6; // sides of its tube

class Circle extends THREE.Curve<THREE.Vector3> {
    constructor(private readonly radius: number) {
        super();
    }
    override getPoint(t: number, out = new THREE.Vector3()): THREE.Vector3 {
        return out.set(this.radius * Math.cos(SWEEP * t), this.radius * Math.sin(SWEEP * t), 0);
    }
}

/** Moments about the vertical as arcs with a head, seen from above as they turn: the stronger, the longer. */
export class Turns {
    readonly group = new THREE.Group();
    private readonly arcs: { whole: THREE.Group; tube: THREE.Mesh; head: THREE.Mesh }[] = [];
    private readonly paint = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.92, side: THREE.DoubleSide });
    private used = 0;

    /** @param quarter  moment of a quarter of a turn [N m] */
    constructor(
        most: number,
        private readonly radius: number,
        private readonly quarter: number,
    ) {
        const circle = new Circle(radius);
        for (let i = 0; i < most; i++) {
            const tube = new THREE.Mesh(new THREE.TubeGeometry(circle, PARTS, 0.07 * radius, ROUND), this.paint);
            const head = new THREE.Mesh(new THREE.ConeGeometry(0.2 * radius, 0.5 * radius, 12), this.paint);
            const whole = new THREE.Group().add(tube, head);
            for (const mesh of [tube, head]) mesh.renderOrder = 4;
            whole.visible = false;
            this.arcs.push({ whole, tube, head });
            this.group.add(whole);
        }
    }

    color(color: THREE.ColorRepresentation): void {
        this.paint.color.set(color);
    }

    begin(): void {
        this.used = 0;
    }

    /** A moment about the vertical through a point, to the left positive; a faint one is left out. */
    add(x: number, y: number, z: number, moment: number): void {
        const arc = this.arcs[this.used];
        const angle = Math.min(SWEEP, (Math.abs(moment) / this.quarter) * (Math.PI / 2));
        if (!arc || !(angle > 0.1)) return;
        this.used++;
        arc.whole.visible = true;
        arc.whole.position.set(x, y, z);
        arc.whole.scale.set(1, Math.sign(moment), 1); // a clockwise moment is the mirror image
        arc.tube.geometry.setDrawRange(0, 6 * ROUND * Math.round((PARTS * angle) / SWEEP));
        arc.head.position.set(this.radius * Math.cos(angle), this.radius * Math.sin(angle), 0);
        arc.head.rotation.z = angle;
    }

    end(): void {
        for (let i = this.used; i < this.arcs.length; i++) this.arcs[i].whole.visible = false;
    }
}

/** The support polygon: a sheet just above the ground and its edge. */
export class SupportSheet {
    readonly group = new THREE.Group();
    private readonly corners = new Float32Array(3 * MOST_CORNERS);
    private readonly sheet = new THREE.BufferGeometry();
    private readonly edge: THREE.LineLoop;
    private readonly fill: THREE.MeshBasicMaterial;

    constructor(color: THREE.ColorRepresentation) {
        const fan: number[] = [];
        for (let i = 1; i + 1 < MOST_CORNERS; i++) fan.push(0, i, i + 1);
        this.sheet.setAttribute("position", new THREE.BufferAttribute(this.corners, 3));
        this.sheet.setIndex(fan);
        this.fill = new THREE.MeshBasicMaterial({ color, transparent: true, opacity: 0.22, side: THREE.DoubleSide, depthWrite: false });
        const fill = new THREE.Mesh(this.sheet, this.fill);
        const line = new THREE.BufferGeometry();
        line.setAttribute("position", this.sheet.getAttribute("position"));
        this.edge = new THREE.LineLoop(line, new THREE.LineBasicMaterial({ color }));
        fill.frustumCulled = this.edge.frustumCulled = false;
        this.group.add(fill, this.edge);
    }

    paint(color: THREE.ColorRepresentation): void {
        this.fill.color.set(color);
        (this.edge.material as THREE.LineBasicMaterial).color.set(color);
    }

    set(corners: Point[], z: number): void {
        const n = Math.min(MOST_CORNERS, corners.length);
        for (let i = 0; i < n; i++) this.corner(i, corners[i][0], corners[i][1], z);
        this.close(n);
    }

    /** The same from x y of n corners in one array. */
    setFrom(xy: Float64Array, corners: number, z: number): void {
        const n = Math.min(MOST_CORNERS, corners);
        for (let i = 0; i < n; i++) this.corner(i, xy[2 * i], xy[2 * i + 1], z);
        this.close(n);
    }

    private corner(i: number, x: number, y: number, z: number): void {
        this.corners[3 * i] = x;
        this.corners[3 * i + 1] = y;
        this.corners[3 * i + 2] = z;
    }

    private close(n: number): void {
        this.sheet.setDrawRange(0, n >= 3 ? 3 * (n - 2) : 0);
        this.edge.geometry.setDrawRange(0, n >= 2 ? n : 0);
        this.sheet.getAttribute("position").needsUpdate = true;
    }
}

/** Centre of mass: a ball, its plumb line and a ring where that meets the ground. */
export class ComMark {
    readonly group = new THREE.Group();
    private readonly ball: THREE.Mesh;
    private readonly plumb: THREE.Mesh;
    private readonly ring: THREE.Mesh;

    constructor(radius: number, color: THREE.ColorRepresentation, plumb: boolean) {
        const paint = new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.95 });
        this.ball = new THREE.Mesh(new THREE.SphereGeometry(radius, 18, 12), paint);
        this.plumb = new THREE.Mesh(new THREE.CylinderGeometry(0.12 * radius, 0.12 * radius, 1, 6).rotateX(Math.PI / 2), paint);
        this.ring = new THREE.Mesh(new THREE.RingGeometry(0.75 * radius, radius, 28), paint);
        this.plumb.visible = this.ring.visible = plumb; // only if there is ground
        this.group.add(this.ball, this.plumb, this.ring);
        this.group.renderOrder = 5;
        for (const mesh of [this.ball, this.plumb, this.ring]) mesh.renderOrder = 5;
    }

    paint(color: THREE.ColorRepresentation): void {
        (this.ball.material as THREE.MeshBasicMaterial).color.set(color);
    }

    set(x: number, y: number, z: number, ground: number): void {
        this.ball.position.set(x, y, z);
        this.plumb.position.set(x, y, 0.5 * (z + ground));
        this.plumb.scale.set(1, 1, Math.max(1e-6, Math.abs(z - ground)));
        this.ring.position.set(x, y, ground);
    }
}

/** Paths of points through the whole recording, of which a stretch is shown. */
export class Traces {
    readonly group = new THREE.Group();
    private readonly lines: THREE.Line[];

    constructor(data: Float32Array, points: number, colors: THREE.ColorRepresentation[]) {
        const rows = data.length / (3 * points);
        this.lines = colors.map((color, p) => {
            const own = new Float32Array(3 * rows);
            for (let i = 0; i < rows; i++) for (let k = 0; k < 3; k++) own[3 * i + k] = data[3 * (points * i + p) + k];
            const geometry = new THREE.BufferGeometry();
            geometry.setAttribute("position", new THREE.BufferAttribute(own, 3));
            const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color }));
            line.frustumCulled = false;
            this.group.add(line);
            return line;
        });
    }

    show(from: number, to: number): void {
        for (const line of this.lines) line.geometry.setDrawRange(from, Math.max(0, to - from + 1));
    }
}
