// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The three axes of the world in a corner of the viewport, turned as the camera sees them.
import { type Camera, Quaternion, Vector3 } from "three";
import { svg } from "../view/dom";

const REACH = 22; // [css px]

export class Gizmo {
    readonly element = svg("svg", { class: "gizmo", viewBox: "-34 -34 68 68", "aria-hidden": "true" });
    private readonly arms = ["x", "y", "z"].map((name) => {
        const line = svg("line", { class: name });
        const text = svg("text", { class: name, "text-anchor": "middle", "dominant-baseline": "central" }, name);
        this.element.append(line, text);
        return { line, text };
    });
    private readonly turned = new Quaternion();
    private readonly axis = new Vector3();
    private readonly last = new Quaternion(2, 0, 0, 0);

    turn(camera: Camera): void {
        if (this.last.angleTo(camera.quaternion) < 2e-3) return; // the page is updated only if the change is visible
        this.last.copy(camera.quaternion);
        this.turned.copy(camera.quaternion).invert();
        this.arms.forEach(({ line, text }, i) => {
            this.axis.set(i === 0 ? 1 : 0, i === 1 ? 1 : 0, i === 2 ? 1 : 0).applyQuaternion(this.turned);
            const x = REACH * this.axis.x;
            const y = -REACH * this.axis.y;
            line.setAttribute("x2", x.toFixed(1));
            line.setAttribute("y2", y.toFixed(1));
            text.setAttribute("x", (1.32 * x).toFixed(1));
            text.setAttribute("y", (1.32 * y).toFixed(1));
            line.style.opacity = text.style.opacity = this.axis.z < -0.2 ? "0.5" : "1";
        });
    }
}
