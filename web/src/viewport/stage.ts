// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The stage: renderer, camera with orbit, pan and zoom (mouse and touch), light with shadows that follows the robot, ground with a grid in
// metres, views 1 to 6. It knows nothing of runs; replay and studio put their things on it.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export interface Palette {
    sky: string;
    ground: string;
    line: string;
    strong: string;
}
export const VIEWS = ["iso", "front", "left", "top", "rear", "right"] as const;
export type View = (typeof VIEWS)[number];

// Directions of view: x is ahead, y left, z up. Slightly off the vertical from above, so that "up" stays defined.
const DIRECTIONS: Record<View, [number, number, number]> = {
    iso: [0.78, 0.85, 0.55],
    front: [1, 0, 0.12],
    rear: [-1, 0, 0.12],
    left: [0, 1, 0.12],
    right: [0, -1, 0.12],
    top: [-0.001, 0, 1],
};

const PIECE = 0.5; // [m]

export class Stage {
    readonly scene = new THREE.Scene();
    readonly camera = new THREE.PerspectiveCamera(32, 16 / 9, 0.01, 200);
    readonly controls: OrbitControls;
    private readonly renderer: THREE.WebGLRenderer;
    private readonly sun = new THREE.DirectionalLight(0xffffff, 2.3);
    private readonly shadow = new THREE.ShadowMaterial({ opacity: 0.22 });
    // Floor and lines are painted first and leave no depth: nothing lies below them, and so nothing flickers at grazing angles.
    private readonly floor = new THREE.MeshBasicMaterial({ color: 0xffffff, depthWrite: false, depthTest: false });
    private readonly ground = new THREE.Group();
    private readonly fineGrid = new THREE.LineBasicMaterial({ depthWrite: false, depthTest: false });
    private readonly strongGrid = new THREE.LineBasicMaterial({ depthWrite: false, depthTest: false });
    private readonly target = new THREE.Vector3();
    private size = 1;
    private groundHeight = 0;

    /** @param radius  of a ball that fills the picture [m]. Throws if the browser has no WebGL. */
    constructor(
        readonly canvas: HTMLCanvasElement,
        size: number,
        groundHeight: number,
    ) {
        this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = THREE.PCFShadowMap;
        this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
        this.camera.up.set(0, 0, 1);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.zoomToCursor = true;
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.set(1024, 1024);
        this.sun.shadow.bias = -0.0006;
        this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8f98, 1.25), this.sun, this.sun.target, this.ground);
        this.rescale(size, groundHeight);
    }

    /** Adapts light, ground and the range of the camera to another scene. */
    rescale(size: number, groundHeight: number): void {
        this.size = size;
        this.groundHeight = groundHeight;
        this.controls.minDistance = 0.3 * size;
        this.controls.maxDistance = 60 * size;
        this.camera.near = Math.min(0.01, 0.05 * size);
        this.camera.far = Math.max(200, 200 * size);
        this.camera.updateProjectionMatrix();
        const s = 2.2 * size;
        Object.assign(this.sun.shadow.camera, { left: -s, right: s, top: s, bottom: -s, near: 0.1 * size, far: 12 * size });
        this.sun.shadow.camera.updateProjectionMatrix();
        this.sun.shadow.normalBias = 0.004 * size;
        this.setFog();
        this.addGround();
    }

    /** Extends the range of the camera for an object of that radius [m]; light and ground stay. */
    widen(radius: number): void {
        this.controls.maxDistance = 8 * radius;
        this.camera.far = Math.max(200, 20 * radius);
        this.camera.updateProjectionMatrix();
        const fog = this.scene.fog as THREE.Fog | null;
        if (fog) [fog.near, fog.far] = [12 * radius, 40 * radius];
    }

    resize(width: number, height: number): void {
        if (width < 1 || height < 1) return;
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
    }

    /** Resolution of the picture, as a share of that of the screen. */
    setQuality(part: number): void {
        this.renderer.setPixelRatio(part * Math.min(2, devicePixelRatio));
    }

    setPalette(p: Palette): void {
        this.scene.background = new THREE.Color(p.sky);
        this.scene.fog = new THREE.Fog(p.sky);
        this.setFog();
        this.floor.color.set(p.ground);
        this.fineGrid.color.set(p.line);
        this.strongGrid.color.set(p.strong);
    }

    /** Looks from a side, from where a ball of that radius fills the picture. */
    setView(view: View, radius = this.size): void {
        const direction = new THREE.Vector3(...DIRECTIONS[view]).normalize();
        const narrow = Math.min(1, this.camera.aspect);
        const far = (0.94 * radius) / Math.sin((0.5 * this.camera.fov * Math.PI) / 180) / narrow;
        this.camera.position.copy(this.controls.target).addScaledVector(direction, far);
        this.controls.update();
    }

    /** Centres the view on a point without rotation; light and ground move, too. */
    lookAt(x: number, y: number, z: number): void {
        this.target.set(x, y, z);
        this.camera.position.add(this.target).sub(this.controls.target);
        this.controls.target.copy(this.target);
        this.light(x, y, z);
    }

    /** Moves camera and target together, so that the view stays. */
    shift(dx: number, dy: number): void {
        this.target.set(dx, dy, 0);
        this.camera.position.add(this.target);
        this.controls.target.add(this.target);
    }

    light(x: number, y: number, z: number): void {
        this.sun.target.position.set(x, y, z);
        this.sun.position.set(x + 2 * this.size, y - 1.4 * this.size, z + 4.5 * this.size);
        this.sun.target.updateMatrixWorld();
        // The ground moves by whole metres: its lines stay where they are.
        this.ground.position.set(Math.round(x), Math.round(y), this.groundHeight);
    }

    showGround(on: boolean): void {
        this.ground.visible = on;
    }

    render(): void {
        this.controls.update();
        this.renderer.render(this.scene, this.camera);
    }

    picture(): string {
        this.render();
        return this.canvas.toDataURL("image/png");
    }

    private setFog(): void {
        const fog = this.scene.fog as THREE.Fog | null;
        if (!fog) return;
        fog.near = 14 * this.size;
        fog.far = 40 * this.size;
    }

    private addGround(): void {
        for (const old of this.ground.children) (old as THREE.Mesh).geometry.dispose();
        this.ground.clear();
        const wide = 80 * this.size;
        const plane = new THREE.PlaneGeometry(wide, wide);
        const floor = new THREE.Mesh(plane, this.floor);
        floor.renderOrder = -3;
        const shadow = new THREE.Mesh(plane, this.shadow);
        shadow.receiveShadow = true;
        shadow.position.z = -0.001 * this.size;
        this.ground.add(floor, shadow, lattice(0.1, 4, 10, this.fineGrid), lattice(1, Math.max(10, Math.ceil(20 * this.size)), 0, this.strongGrid));
    }
}

// Lines of a square lattice; every `skip`-th is left to a coarser one. In pieces of half a metre: software renderers lose a line of which an end lies
// behind the camera.
function lattice(step: number, reach: number, skip: number, paint: THREE.LineBasicMaterial): THREE.LineSegments {
    const points: number[] = [];
    const n = Math.round(reach / step);
    for (let i = -n; i <= n; i++) {
        if (skip && i % skip === 0) continue;
        for (let a = -reach; a < reach; a += PIECE) {
            points.push(i * step, a, 0, i * step, a + PIECE, 0);
            points.push(a, i * step, 0, a + PIECE, i * step, 0);
        }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    const lines = new THREE.LineSegments(geometry, paint);
    lines.renderOrder = -2;
    return lines;
}
