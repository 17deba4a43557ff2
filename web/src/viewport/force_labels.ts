// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers beside the arrows of forces from outside: a few elements over the canvas that follow points of the world.
import * as THREE from "three";
import { number } from "../core/format";
import { h } from "../view/dom";

const MOST = 4;

export class ForceLabels {
    readonly elements = Array.from({ length: MOST }, () => h("div", { class: "force-label", hidden: true }));
    private readonly shown: string[] = new Array<string>(MOST).fill("");
    private readonly spot = new THREE.Vector3();
    private used = 0;

    begin(): void {
        this.used = 0;
    }

    /** A force of so many newtons at a point of the world, whose arrow ends at a tip, on a canvas of so many pixels. The number stands on the other side than the arrow. */
    add(size: number, x: number, y: number, z: number, tip: THREE.Vector3, camera: THREE.Camera, width: number, height: number): void {
        if (this.used >= MOST || !(size > 0)) return;
        this.spot.set(x, y, z).project(camera);
        if (!(this.spot.z < 1)) return;
        const n = this.used++;
        tip.project(camera);
        const side = (shift: boolean): string => (shift ? "- 100% - 16px" : "+ 0px");
        const across = (0.5 * (1 + this.spot.x) * width).toFixed(0);
        const down = (0.5 * (1 - this.spot.y) * height).toFixed(0);
        this.elements[n].style.transform = `translate(calc(${across}px ${side(tip.x > this.spot.x)}), calc(${down}px ${side(tip.y < this.spot.y)}))`;
        this.write(n, `${number(size, 3)} N`);
    }

    end(): void {
        for (let n = this.used; n < MOST; n++) this.write(n, "");
    }

    private write(n: number, text: string): void {
        if (text === this.shown[n]) return;
        this.shown[n] = text;
        this.elements[n].textContent = text;
        this.elements[n].hidden = text === "";
    }
}
