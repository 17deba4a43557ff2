// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Marks of a running simulation: contact points, centres of pressure, capture points, zero moment points and touch sensors as dots, coordinate frames, rays of distance
// sensors, paths of feet over the last seconds.
// Made once with a largest number; a frame writes numbers into them and allocates nothing.
import * as THREE from "three";

/** Balls of one mesh, or other shapes of radius 1, each with its own place, size and colour. */
export class Dots {
    readonly mesh: THREE.InstancedMesh;
    private readonly matrix = new THREE.Matrix4();
    private used = 0;

    constructor(
        private readonly most: number,
        opacity: number,
        depthTest: boolean,
        shape: THREE.BufferGeometry = new THREE.SphereGeometry(1, 14, 10),
    ) {
        const paint = new THREE.MeshBasicMaterial({ color: 0xffffff, transparent: true, opacity, depthTest, depthWrite: false });
        this.mesh = new THREE.InstancedMesh(shape, paint, most);
        this.mesh.frustumCulled = false;
        this.mesh.count = 0;
        this.mesh.renderOrder = 4;
    }

    begin(): void {
        this.used = 0;
    }

    add(x: number, y: number, z: number, radius: number, color: THREE.Color): void {
        if (this.used >= this.most) return;
        this.matrix.makeScale(radius, radius, radius).setPosition(x, y, z);
        this.mesh.setMatrixAt(this.used, this.matrix);
        this.mesh.setColorAt(this.used, color);
        this.used++;
    }

    end(): void {
        this.mesh.count = this.used;
        this.mesh.instanceMatrix.needsUpdate = true;
        if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    }
}

/** Shapes that lie on the ground, of radius 1, for dots: a cross, a ring, a square on its corner. */
export const FLAT = {
    cross: (): THREE.BufferGeometry => {
        const thick = 0.16;
        const corners: [number, number][] = [];
        for (let k = 0; k < 4; k++) {
            const [c, s] = [Math.cos((k * Math.PI) / 2), Math.sin((k * Math.PI) / 2)];
            for (const [x, y] of [[thick, thick], [1, thick], [1, -thick]]) corners.push([c * x + s * y, -s * x + c * y]);
        }
        return new THREE.ShapeGeometry(new THREE.Shape(corners.map(([x, y]) => new THREE.Vector2(x, y)))).rotateZ(Math.PI / 4);
    },
    ring: (): THREE.BufferGeometry => new THREE.RingGeometry(0.66, 1, 28),
    square: (): THREE.BufferGeometry => new THREE.CircleGeometry(1, 4),
};

const AXIS_COLORS = [new THREE.Color(0xd6336c), new THREE.Color(0x2f9e44), new THREE.Color(0x1c7ed6)]; // x, y, z as everywhere

/** Coordinate frames as three rods each: x red, y green, z blue. */
export class Axes {
    readonly mesh: THREE.InstancedMesh;
    private readonly matrix = new THREE.Matrix4();
    private readonly turn = new THREE.Quaternion();
    private readonly at = new THREE.Vector3();
    private readonly size: THREE.Vector3;
    private readonly along: THREE.Quaternion[];
    private used = 0;

    constructor(
        private readonly most: number,
        length: number,
    ) {
        const paint = new THREE.MeshBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true });
        this.mesh = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 6).translate(0, 0.5, 0), paint, 3 * most);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = 4;
        this.size = new THREE.Vector3(0.04 * length, length, 0.04 * length);
        const up = new THREE.Vector3(0, 1, 0);
        this.along = [new THREE.Vector3(1, 0, 0), up, new THREE.Vector3(0, 0, 1)].map((v) => new THREE.Quaternion().setFromUnitVectors(up, v));
        for (let i = 0; i < 3 * most; i++) this.mesh.setColorAt(i, AXIS_COLORS[i % 3]);
    }

    begin(): void {
        this.used = 0;
    }

    /** A frame at p turned by the quaternion (w x y z) at offset i of q. */
    add(x: number, y: number, z: number, q: Float64Array, i: number): void {
        if (this.used >= this.most) return;
        this.at.set(x, y, z);
        for (let k = 0; k < 3; k++) {
            this.turn.set(q[i + 1], q[i + 2], q[i + 3], q[i]).multiply(this.along[k]);
            this.mesh.setMatrixAt(3 * this.used + k, this.matrix.compose(this.at, this.turn, this.size));
        }
        this.used++;
    }

    end(): void {
        this.mesh.count = 3 * this.used;
        this.mesh.instanceMatrix.needsUpdate = true;
    }
}

/** Straight lines between pairs of points. */
export class Rays {
    readonly lines: THREE.LineSegments;
    private readonly points: THREE.BufferAttribute;
    private used = 0;

    private readonly material = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.75 });

    constructor(private readonly most: number) {
        const geometry = new THREE.BufferGeometry();
        this.points = new THREE.BufferAttribute(new Float32Array(6 * most), 3);
        geometry.setAttribute("position", this.points);
        this.lines = new THREE.LineSegments(geometry, this.material);
        this.lines.frustumCulled = false;
    }

    paint(color: THREE.ColorRepresentation): void {
        this.material.color.set(color);
    }

    begin(): void {
        this.used = 0;
    }

    /** From the three numbers at i of d to the three at i + 3. */
    add(d: Float32Array, i: number): void {
        if (this.used >= this.most) return;
        const out = this.points.array as Float32Array;
        for (let k = 0; k < 6; k++) out[6 * this.used + k] = d[i + k];
        this.used++;
    }

    end(): void {
        this.lines.geometry.setDrawRange(0, 2 * this.used);
        this.points.needsUpdate = true;
    }
}

/** The path of one point over its latest places. They lie in a ring that is written twice, one length apart: the latest `most` are always in one piece. */
export class Trail {
    readonly line: THREE.Line;
    private readonly points: THREE.BufferAttribute;
    private written = 0;

    private readonly material = new THREE.LineBasicMaterial();

    constructor(private readonly most: number) {
        const geometry = new THREE.BufferGeometry();
        this.points = new THREE.BufferAttribute(new Float32Array(6 * most), 3);
        geometry.setAttribute("position", this.points);
        this.line = new THREE.Line(geometry, this.material);
        this.line.frustumCulled = false;
        geometry.setDrawRange(0, 0);
    }

    paint(color: THREE.ColorRepresentation): void {
        this.material.color.set(color);
    }

    add(p: Float64Array, i: number): void {
        const at = this.written % this.most;
        this.points.setXYZ(at, p[i], p[i + 1], p[i + 2]);
        this.points.setXYZ(at + this.most, p[i], p[i + 1], p[i + 2]);
        this.written++;
        const n = Math.min(this.written, this.most);
        const last = at + this.most; // the copy in the upper half, behind which the latest n lie without a gap
        this.line.geometry.setDrawRange(last - n + 1, n);
        this.points.needsUpdate = true;
    }

    clear(): void {
        this.written = 0;
        this.line.geometry.setDrawRange(0, 0);
    }
}
