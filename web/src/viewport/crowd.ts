// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Thousands of identical robots on the stage: each shape of the model is one instanced mesh with as many instances as there are robots, whose poses come from q, and all shapes of a robot have
// one colour. Shapes get coarser as robots get more: software renderers pay for every corner.
import * as THREE from "three";
import { CrowdGrid, type CrowdRows } from "../core/crowd";
import type { Mesh } from "../core/document";
import { Kinematics, POSE } from "../core/poses";
import type { Geom, Model } from "../core/protocol";
import { multiply, place } from "../core/rotation";

const FINE = 64; // robots that are drawn with round shapes
const SPACE = 2.3; // side of a cell in radii of a robot
const PIECE = 64; // pieces of a line: software renderers lose one of which an end lies behind the camera

interface Part {
    mesh: THREE.InstancedMesh;
    geom: Geom;
}

/** A shape with few corners: round ones are boxes or octahedra where there are many robots. Null: it is not drawn. */
function coarse(geom: Geom, meshes: (Mesh | null)[], fine: boolean): THREE.BufferGeometry | null {
    const [a, b, c] = geom.size;
    switch (geom.shape) {
        case "sphere":
            return fine ? new THREE.SphereGeometry(a, 12, 8) : new THREE.OctahedronGeometry(a);
        case "ellipsoid":
            return (fine ? new THREE.SphereGeometry(1, 12, 8) : new THREE.OctahedronGeometry(1)).scale(a, b, c);
        case "box":
            return new THREE.BoxGeometry(2 * a, 2 * b, 2 * c);
        case "cylinder":
            return fine ? new THREE.CylinderGeometry(a, a, 2 * b, 12).rotateX(Math.PI / 2) : new THREE.BoxGeometry(2 * a, 2 * a, 2 * b);
        case "capsule":
            return fine ? new THREE.CapsuleGeometry(a, 2 * b, 3, 12).rotateX(Math.PI / 2) : new THREE.BoxGeometry(2 * a, 2 * a, 2 * (a + b));
        case "mesh":
            return boxOf(meshes[geom.mesh] ?? null);
        default:
            return null;
    }
}

function boxOf(mesh: Mesh | null): THREE.BufferGeometry | null {
    if (!mesh || mesh.vertices.length === 0) return null;
    const box = new THREE.Box3().setFromArray(mesh.vertices);
    const size = box.getSize(new THREE.Vector3());
    const middle = box.getCenter(new THREE.Vector3());
    return new THREE.BoxGeometry(size.x, size.y, size.z).translate(middle.x, middle.y, middle.z);
}

/** Matrix of a pose in columns, as three.js has it. */
function writeMatrix(out: Float32Array, o: number, p: Float64Array, x: number, y: number): void {
    const [w, i, j, k] = [p[3], p[4], p[5], p[6]];
    out[o] = 1 - 2 * (j * j + k * k);
    out[o + 1] = 2 * (i * j + w * k);
    out[o + 2] = 2 * (i * k - w * j);
    out[o + 4] = 2 * (i * j - w * k);
    out[o + 5] = 1 - 2 * (i * i + k * k);
    out[o + 6] = 2 * (j * k + w * i);
    out[o + 8] = 2 * (i * k + w * j);
    out[o + 9] = 2 * (j * k - w * i);
    out[o + 10] = 1 - 2 * (i * i + j * j);
    out[o + 12] = p[0] + x;
    out[o + 13] = p[1] + y;
    out[o + 14] = p[2];
    out[o + 15] = 1;
}

export class CrowdView {
    readonly group = new THREE.Group();
    readonly grid: CrowdGrid;
    /** Positions of the roots of all robots on the stage, x y z each. */
    readonly roots: Float32Array;
    /** Colours of all robots, three numbers each. */
    readonly colors: Float32Array;
    private readonly parts: Part[] = [];
    private readonly paint: THREE.InstancedBufferAttribute;
    private readonly kinematics: Kinematics;
    private readonly poses: Float64Array;
    private readonly pose = new Float64Array(POSE);
    private readonly root: number; // body whose position is that of the robot
    private readonly floor = new THREE.MeshBasicMaterial({ depthWrite: false, depthTest: false });
    private readonly lines = new THREE.LineBasicMaterial({ depthWrite: false, depthTest: false });
    private readonly ground = new THREE.Group();
    private readonly mark: THREE.Mesh;
    private readonly box = new THREE.Box3();
    private readonly point = new THREE.Vector3();

    /** @param size radius of a robot [m] */
    constructor(
        readonly model: Model,
        meshes: (Mesh | null)[],
        readonly count: number,
        private readonly size: number,
        private readonly height: number,
    ) {
        this.grid = new CrowdGrid(count, SPACE * size);
        this.kinematics = new Kinematics(model);
        this.poses = new Float64Array(POSE * model.bodies.length);
        this.roots = new Float32Array(3 * count);
        this.colors = new Float32Array(3 * count);
        this.paint = new THREE.InstancedBufferAttribute(this.colors, 3);
        this.root = Math.max(0, model.bodies.findIndex((b) => b.node >= 0));
        this.addParts(meshes);
        this.addGround();
        this.mark = new THREE.Mesh(new THREE.RingGeometry(0.96 * size, 1.08 * size, 40), new THREE.MeshBasicMaterial({ depthTest: false, transparent: true }));
        this.mark.renderOrder = 5;
        this.mark.visible = false;
        this.group.add(this.mark);
    }

    /** Moves all robots; `spread` places them on the grid, else at their own positions. */
    show(rows: CrowdRows, columns: number, spread: boolean): void {
        const { kinematics, poses, pose, parts, grid, roots } = this;
        const count = Math.min(this.count, rows.count);
        this.box.makeEmpty();
        for (let i = 0; i < count; i++) {
            const [x, y] = spread ? grid.place(i) : [0, 0];
            kinematics.place(rows.data, i * rows.width + 1 + columns, poses);
            for (const { mesh, geom } of parts) {
                const o = POSE * geom.body;
                place(pose, 0, poses, o, poses, o + 3, geom.pos, 0);
                multiply(pose, 3, poses, o + 3, geom.quat, 0);
                writeMatrix(mesh.instanceMatrix.array as Float32Array, 16 * i, pose, x, y);
            }
            const r = POSE * this.root;
            roots[3 * i] = poses[r] + x;
            roots[3 * i + 1] = poses[r + 1] + y;
            roots[3 * i + 2] = poses[r + 2];
            this.box.expandByPoint(this.point.fromArray(roots, 3 * i));
        }
        for (const { mesh } of parts) {
            mesh.count = count;
            mesh.instanceMatrix.needsUpdate = true;
        }
        this.ground.visible = spread;
    }

    /** Must be called after `colors` were written. */
    recolor(): void {
        this.paint.needsUpdate = true;
    }

    setPalette(floor: string, line: string, mark: string): void {
        this.floor.color.set(floor);
        this.lines.color.set(line);
        (this.mark.material as THREE.MeshBasicMaterial).color.set(mark);
    }

    /** A ring around a robot; -1: none. */
    pick(i: number): void {
        this.mark.visible = i >= 0 && i < this.count;
        if (this.mark.visible) this.mark.position.fromArray(this.roots, 3 * i);
    }

    /** A ball around all robots. */
    bounds(): THREE.Sphere {
        const ball = this.box.isEmpty() ? new THREE.Sphere(new THREE.Vector3(), 0) : this.box.getBoundingSphere(new THREE.Sphere());
        ball.radius += this.size;
        return ball;
    }

    /** The robot whose root appears next to a point of the picture, both from -1 to 1; -1: none within its own size. */
    nearest(x: number, y: number, camera: THREE.PerspectiveCamera): number {
        let best = -1;
        let least = Infinity;
        const scale = 1 / Math.tan((0.5 * camera.fov * Math.PI) / 180);
        for (let i = 0; i < this.count; i++) {
            this.point.fromArray(this.roots, 3 * i).applyMatrix4(camera.matrixWorldInverse);
            const depth = -this.point.z;
            if (depth <= camera.near) continue;
            const away = Math.hypot((scale * this.point.x) / depth - x * camera.aspect, (scale * this.point.y) / depth - y);
            if (away < least && away < Math.max(0.02, (scale * this.size) / depth)) [best, least] = [i, away];
        }
        return best;
    }

    dispose(): void {
        for (const { mesh } of this.parts) {
            mesh.geometry.dispose();
            (mesh.material as THREE.Material).dispose();
            mesh.dispose();
        }
        for (const thing of [...this.ground.children, this.mark]) (thing as THREE.Mesh).geometry.dispose();
        this.group.removeFromParent();
    }

    private addParts(meshes: (Mesh | null)[]): void {
        const { geoms, bodies } = this.model;
        const drawn = new Set(geoms.filter((g) => g.role === "visual").map((g) => g.body));
        for (const geom of geoms) {
            if (geom.body < 0 || bodies[geom.body].node < 0 || (geom.role === "collision" && drawn.has(geom.body))) continue;
            const geometry = coarse(geom, meshes, this.count <= FINE);
            if (!geometry) continue;
            const mesh = new THREE.InstancedMesh(geometry, new THREE.MeshLambertMaterial(), this.count);
            mesh.instanceColor = this.paint;
            mesh.frustumCulled = false;
            this.parts.push({ mesh, geom });
            this.group.add(mesh);
        }
    }

    // A floor as large as the grid, with the edges of its cells. Painted first, without depth, as that of the stage.
    private addGround(): void {
        const { grid } = this;
        const [wide, long] = [grid.rows * grid.cell, grid.columns * grid.cell];
        const floor = new THREE.Mesh(new THREE.PlaneGeometry(wide, long), this.floor);
        floor.renderOrder = -3;
        const points: number[] = [];
        for (let i = 0; i <= grid.rows; i++) for (let k = 0; k < PIECE; k++) points.push(i * grid.cell - wide / 2, (k / PIECE - 0.5) * long, 0, i * grid.cell - wide / 2, ((k + 1) / PIECE - 0.5) * long, 0);
        for (let i = 0; i <= grid.columns; i++) for (let k = 0; k < PIECE; k++) points.push((k / PIECE - 0.5) * wide, i * grid.cell - long / 2, 0, ((k + 1) / PIECE - 0.5) * wide, i * grid.cell - long / 2, 0);
        const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
        const lines = new THREE.LineSegments(geometry, this.lines);
        lines.renderOrder = -2;
        this.ground.add(floor, lines);
        this.ground.position.z = this.height;
        this.group.add(this.ground);
    }
}
