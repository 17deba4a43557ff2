// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a camera of the robot sees, in a corner of the viewport. The program renders pictures only while one is shown.
import { h, icon, ICONS } from "../view/dom";
import type { Session } from "./session";
import type { Picture } from "./frames";

export class CameraInset {
    readonly element: HTMLElement;
    readonly button: HTMLButtonElement;
    private readonly canvas = h("canvas", { class: "camera-picture", "aria-label": "Picture of the camera" });
    private readonly choice: HTMLSelectElement;
    private image: ImageData | null = null;

    constructor(private readonly session: Session) {
        this.choice = h("select", { "aria-label": "Camera", change: () => this.ask(this.choice.value) });
        this.button = h("button", { class: "tool-button", title: "What a camera of the robot sees", "aria-pressed": "false", click: () => this.open(this.element.hidden) }, icon("M4 7h11v10H4zM15 11l5-3v8l-5-3z"), h("span", { class: "tool-name" }, "Camera"));
        const close = h("button", { class: "quiet tool", title: "Close", "aria-label": "Close the picture of the camera", click: () => this.open(false) }, icon(ICONS.close));
        this.element = h("div", { class: "camera-frame", hidden: true }, h("div", { class: "row" }, this.choice, h("span", { class: "fill" }), close), this.canvas);
        session.onPicture((picture) => this.draw(picture));
        session.onScene((scene) => {
            const names = scene?.cameras ?? [];
            this.button.hidden = names.length === 0;
            this.choice.replaceChildren(...names.map((n) => h("option", { value: n }, n)));
            if (!this.element.hidden) this.open(names.length > 0);
        });
    }

    private open(on: boolean): void {
        this.element.hidden = !on;
        this.button.setAttribute("aria-pressed", String(on));
        this.ask(on ? this.choice.value : null);
    }

    private ask(sensor: string | null): void {
        if (this.session.store.get("link") === "open") this.session.send("camera", { sensor });
    }

    private draw({ width, height, rgb }: Picture): void {
        if (this.element.hidden) return;
        const { canvas } = this;
        const context = canvas.getContext("2d");
        if (!context) return;
        if (!this.image || this.image.width !== width || this.image.height !== height) {
            canvas.width = width;
            canvas.height = height;
            this.image = context.createImageData(width, height);
        }
        const { data } = this.image;
        for (let i = 0, o = 0; i < rgb.length; i += 3, o += 4) {
            data[o] = rgb[i];
            data[o + 1] = rgb[i + 1];
            data[o + 2] = rgb[i + 2];
            data[o + 3] = 255;
        }
        context.putImageData(this.image, 0, 0);
    }
}
