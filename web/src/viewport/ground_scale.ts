// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metres along the axes of the ground, written where the strong lines of the grid cross them, around the target of the camera.
import * as THREE from "three";

const REACH = 4; // labels on each side
const TALL = 0.017; // of a label, as a part of the distance: all are of one size on the screen

function picture(text: string, color: string): THREE.CanvasTexture {
    const canvas = document.createElement("canvas");
    canvas.width = 128;
    canvas.height = 48;
    const context = canvas.getContext("2d");
    if (context) {
        context.font = "500 34px system-ui, sans-serif";
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillStyle = color;
        context.fillText(text, 64, 24);
    }
    const texture = new THREE.CanvasTexture(canvas);
    texture.colorSpace = THREE.SRGBColorSpace;
    return texture;
}

export class GroundScale {
    readonly group = new THREE.Group();
    private readonly sprites: THREE.Sprite[] = [];
    private readonly pictures = new Map<string, THREE.CanvasTexture>();
    private color = "#888";
    private step = 1;
    private height = 0;
    private at: [number, number] = [NaN, NaN];

    constructor() {
        for (let i = 0; i < 2 * (2 * REACH + 1); i++) {
            const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ transparent: true, depthWrite: false, sizeAttenuation: false, fog: false }));
            sprite.scale.set((TALL * 128) / 48, TALL, 1);
            sprite.center.set(0.5, -0.1); // above its point
            this.sprites.push(sprite);
            this.group.add(sprite);
        }
    }

    /** Labels for an object of that size [m], on a ground of that height. */
    rescale(size: number, height: number): void {
        this.step = size < 0.12 ? 0.1 : size > 8 ? 5 : 1;
        this.height = height;
        this.at = [NaN, NaN];
    }

    paint(color: string): void {
        this.color = color;
        for (const texture of this.pictures.values()) texture.dispose();
        this.pictures.clear();
        this.at = [NaN, NaN];
    }

    /** Moves the labels around a point; does nothing while that stays in its square. */
    moveTo(x: number, y: number): void {
        const cx = Math.round(x / this.step);
        const cy = Math.round(y / this.step);
        if (cx === this.at[0] && cy === this.at[1]) return;
        this.at = [cx, cy];
        for (let i = -REACH, k = 0; i <= REACH; i++, k += 2) {
            this.put(this.sprites[k], cx + i, 0, cx + i);
            this.put(this.sprites[k + 1], 0, cy + i, cy + i);
            this.sprites[k + 1].visible = cy + i !== 0; // the origin is written once
        }
    }

    private put(sprite: THREE.Sprite, ix: number, iy: number, value: number): void {
        const text = `${Number((value * this.step).toFixed(1))} m`;
        let texture = this.pictures.get(text);
        if (!texture) this.pictures.set(text, (texture = picture(text.replace("-", "\u2212"), this.color)));
        sprite.material.map = texture;
        sprite.material.needsUpdate = true;
        sprite.position.set(ix * this.step, iy * this.step, this.height);
    }
}
