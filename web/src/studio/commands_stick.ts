// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A stick on the page for touch and mouse: up is forward. Released, it returns to the centre. It also shows keys and gamepads.
import { h, svg } from "../view/dom";
import type { Axes } from "./commands_drive";

const REACH = 36; // [units of the picture] of the knob

export class ScreenStick {
    readonly element: HTMLElement;
    private readonly knob = svg("circle", { r: 13, class: "knob" });
    private readonly arc = svg("path", { class: "turn-arc" });

    /** @param moved is called with forward and left, -1 to 1; null: released */
    constructor(moved: (axes: { ahead: number; left: number } | null) => void) {
        const picture = svg(
            "svg",
            { viewBox: "-60 -60 120 120", class: "joystick" },
            svg("circle", { r: 50, class: "rim" }),
            svg("path", { d: "M0 -46v8M0 46v-8M-46 0h8M46 0h-8", class: "marks" }),
            this.arc,
            this.knob,
        );
        this.element = h("div", { class: "joystick-box", role: "img", "aria-label": "Stick: drag to walk, up is ahead", title: "Drag to walk: up is ahead" });
        this.element.append(picture);
        const follow = (event: PointerEvent): void => {
            const box = picture.getBoundingClientRect();
            const scale = 120 / box.width / REACH;
            let x = (event.clientX - box.left - box.width / 2) * scale;
            let y = (event.clientY - box.top - box.height / 2) * scale;
            const size = Math.max(1, Math.hypot(x, y));
            x /= size;
            y /= size;
            moved(Math.hypot(x, y) < 0.08 ? { ahead: 0, left: 0 } : { ahead: -y, left: -x });
        };
        this.element.addEventListener("pointerdown", (event) => {
            event.preventDefault();
            this.element.setPointerCapture(event.pointerId);
            this.element.addEventListener("pointermove", follow);
            follow(event);
        });
        this.element.addEventListener("lostpointercapture", () => {
            this.element.removeEventListener("pointermove", follow);
            moved(null);
        });
    }

    show(axes: Axes): void {
        this.knob.setAttribute("cx", (-axes.left * REACH).toFixed(1));
        this.knob.setAttribute("cy", (-axes.ahead * REACH).toFixed(1));
        const a = axes.turn * 1.2; // [rad] of the arc at full turn
        const [x, y] = [-55 * Math.sin(a), -55 * Math.cos(a)];
        this.arc.setAttribute("d", Math.abs(a) < 0.02 ? "" : `M0 -55A55 55 0 0 ${a > 0 ? 0 : 1} ${x.toFixed(1)} ${y.toFixed(1)}`);
    }
}
