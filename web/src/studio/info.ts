// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Panel "info": the loaded scene (solver, effects, robots, selection) and all messages of the program, newest first, each with its file and line.
import type { Limb, Scene } from "../core/protocol";
import { count, number } from "../core/format";
import { limbName, limbOf } from "../core/limbs";
import { emptyState, h } from "../view/dom";
import type { Notice, Selection } from "./store";
import type { Panel, Studio } from "./panel";
import { plainPath } from "./session";
import { PANEL_ICONS } from "./layout";

function fact(name: string, value: string | Node | null): HTMLElement | null {
    return value === null || value === "" ? null : h("div", { class: "fact" }, h("dt", {}, name), h("dd", {}, value));
}

/** "file:line" as a button where a panel edits such files. */
export function placeOf(studio: Studio, file: string | undefined, line: number | undefined): HTMLElement | null {
    if (!file) return null;
    const plain = plainPath(file);
    const text = line ? `${plain}:${line}` : plain;
    return h("button", { class: "quiet place", title: "Open the file there", click: () => studio.openFile(plain, line) }, text);
}

function noticeLine(studio: Studio, notice: Notice): HTMLElement {
    return h(
        "li",
        { class: `notice ${notice.severity}` },
        h("span", { class: "notice-time" }, `${notice.t.toFixed(2)} s`),
        h(
            "div",
            {},
            h("span", { class: "notice-text" }, notice.text),
            notice.times > 1 ? h("span", { class: "badge" }, `${count(notice.times)} times`) : null,
            placeOf(studio, notice.file, notice.line),
        ),
    );
}

function namesOf(model: Scene["model"], kind: Limb["kind"]): string {
    return (model.limbs ?? []).flatMap((l) => (l.kind === kind ? [l.name] : [])).join(", ");
}

function aboutScene(scene: Scene | null): (HTMLElement | null)[] {
    if (!scene) return [emptyState("No scene", "Choose one from the list of scenes.")];
    const { model } = scene;
    const effects = Object.entries(scene.effects ?? {}).map(([k, v]) => h("span", { class: "tag" }, h("b", {}, `${k}: `), v));
    return [
        h("h2", {}, scene.title || scene.path),
        h("p", { class: "note" }, h("code", {}, scene.path), scene.variant ? ` \u00b7 ${scene.variant}` : ""),
        scene.description ? h("p", { class: "lead" }, scene.description.trim().replace(/([^\n])\n(?!\n)/g, "$1 ")) : null,
        h(
            "dl",
            { class: "facts" },
            fact("Solver", [scene.method, scene.step ? `step ${number(1000 * scene.step, 3)} ms` : ""].filter(Boolean).join(", ")),
            fact("Time of the scene", scene.time ? `${number(scene.time, 4)} s` : null),
            fact("Robots", (scene.robots ?? []).map((r) => r.name).join(", ")),
            fact("Bodies, coordinates", `${model.bodies?.length ?? 0}, ${model.nq ?? 0}`),
            fact("Feet", namesOf(model, "foot")),
            fact("Hands", namesOf(model, "hand")),
            fact("Mass", model.mass ? `${number(model.mass, 4)} kg` : null),
        ),
        effects.length > 0 ? h("div", { class: "tags" }, ...effects) : null,
    ];
}

function aboutPicked(scene: Scene | null, selection: Selection | null): HTMLElement | null {
    const body = selection ? scene?.model.bodies?.[selection.body] : null;
    if (!body) return null;
    const limb = scene && selection ? limbOf(scene.model, selection.body) : undefined;
    const joints = (scene?.model.joints ?? []).filter((j) => (j as { body?: number }).body === selection?.body);
    return h(
        "section",
        { class: "picked" },
        h("h3", {}, body.name),
        h(
            "dl",
            { class: "facts" },
            fact("Mass", `${number(body.mass, 4)} kg`),
            fact("Centre of mass in it", `${body.com.map((x) => number(1000 * x, 3)).join(", ")} mm`),
            fact("Belongs to", limb ? limbName(limb) : null),
            fact("Joints", joints.map((j) => `${j.name} (${j.type})`).join(", ")),
        ),
    );
}

export function infoPanel(): Panel {
    return {
        id: "info",
        title: "Info",
        icon: PANEL_ICONS.info,
        dock: "right",
        mount(host, studio) {
            const about = h("div", { class: "about" });
            const picked = h("div");
            const list = h("ul", { class: "notices", "aria-live": "polite" });
            const clear = h("button", { class: "quiet", click: () => studio.store.set("notices", []) }, "Clear");
            const nothing = h("p", { class: "note" }, "Nothing to report.");
            host.append(about, picked, h("div", { class: "row" }, h("h3", {}, "Messages"), h("span", { class: "fill" }), clear), list, nothing);
            studio.onScene((scene) => about.replaceChildren(...aboutScene(scene).filter((e) => e !== null)));
            studio.store.on("selection", (selection) => picked.replaceChildren(aboutPicked(studio.store.get("scene"), selection) ?? ""));
            studio.store.on("notices", (notices) => {
                list.replaceChildren(...[...notices].reverse().map((n) => noticeLine(studio, n)));
                nothing.hidden = notices.length > 0;
                clear.hidden = notices.length === 0;
            });
        },
    };
}
