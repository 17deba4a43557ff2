// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Panel "twin": the scene is loaded again with a second robot beside it, which the same controller drives; plots then show both.
import type { Scene } from "../core/protocol";
import { h } from "../view/dom";
import type { Panel, Studio } from "./panel";

const ICON = "M8 4a3 3 0 1 0 .1 0M16 4a3 3 0 1 0 .1 0M4 20v-4c0-3 2-4 4-4s4 1 4 4v4M12 20v-4c0-3 2-4 4-4s4 1 4 4v4";

/** Lines with something in them. */
export function linesOf(text: string): string[] {
    return text
        .split("\n")
        .map((l) => l.trim())
        .filter((l) => l !== "");
}

class Twins {
    private readonly changes = h("textarea", { class: "changes-text", rows: 4, spellcheck: false, placeholder: "seed=2", "aria-label": "Values of the scene for the twin, one a line" });
    private readonly start = h("button", { class: "primary", click: () => void this.load(linesOf(this.changes.value)) }, "Load with a twin");
    private readonly end = h("button", { click: () => void this.load(null) }, "Load without it");
    private readonly said = h("p", { class: "note", "aria-live": "polite" });
    private scene: Scene | null = null;

    constructor(
        host: HTMLElement,
        private readonly studio: Studio,
    ) {
        const help = "Loads the scene with a second robot, the twin, which gets the references of the first one in the same cycles. Its curves are dashed in the plots, and twin.* and difference.* are channels of their own. Pushes, pulls and commands act on the first robot.";
        host.append(h("p", { class: "note" }, help), h("label", {}, "Changed values of the twin, one path=value a line", this.changes), h("div", { class: "row" }, this.start, this.end), this.said);
        studio.onScene((scene) => this.change(scene));
    }

    private change(scene: Scene | null): void {
        const other = scene?.path !== this.scene?.path;
        this.scene = scene;
        if (other) this.changes.value = "";
        if (scene?.twin) this.changes.value = scene.twin.join("\n");
        this.start.disabled = !scene;
        this.end.disabled = !scene?.twin;
        this.said.textContent = scene?.twin ? "A twin runs beside this scene." : "";
    }

    private async load(twin: string[] | null): Promise<void> {
        const { scene } = this;
        if (!scene) return;
        const request = { scene: scene.path, ...(scene.variant ? { variant: scene.variant } : {}), set: scene.set, ...(scene.unsaved ? { text: scene.text } : {}) };
        const done = await this.studio.load(twin ? { ...request, twin } : request);
        if (!done) this.said.textContent = "The scene could not be loaded with this twin; the messages say why.";
    }
}

export function twinPanel(): Panel {
    return { id: "twin", title: "Twin", icon: ICON, dock: "right", mount: (host, studio) => void new Twins(host, studio) };
}
