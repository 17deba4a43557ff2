// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The top of a report: the scene, its method and its result.
import { sceneKey, type Verdict } from "../core/expect";
import { count, duration, number } from "../core/format";
import { code, h } from "../view/dom";
import type { Context } from "./report";

function fact(name: string, value: string | null | undefined): HTMLElement | null {
    return value ? h("div", { class: "fact" }, h("dt", {}, name), h("dd", {}, value)) : null;
}

// Values of short flow maps read better without their braces.
function plain(text: string | null): string | null {
    return text?.replace(/^\{(.*)\}$/s, "$1") ?? null;
}

function effects(context: Context): HTMLElement | null {
    const list = Object.entries(context.run.summary.effects ?? {});
    if (list.length === 0) return null;
    const chips = list.map(([name, value]) => h("span", { class: "tag" }, h("b", {}, name), ` ${value}`));
    return h("div", { class: "fact wide" }, h("dt", {}, "Effects"), h("dd", { class: "tags" }, ...chips));
}

function robotLine(context: Context): string | null {
    const m = context.run.model;
    if (!m) return null;
    const legs = m.legs.length > 0 ? `, ${m.legs.length} legs` : "";
    const hands = m.limbs.filter((l) => l.kind === "hand").length;
    return `${m.name ? `${m.name}: ` : ""}${number(m.mass, 4)} kg, ${m.nv} degrees of freedom${legs}${hands > 0 ? `, ${hands} hand${hands > 1 ? "s" : ""}` : ""}`;
}

function facts(context: Context): HTMLElement {
    const { run } = context;
    const s = run.summary;
    const text = run.document.scene?.text ?? "";
    const d = run.document.decimation;
    const speed = s.wall && s.time ? `${number(s.time, 4)} s in ${duration(s.wall)}, ${number(s.time / s.wall, 3)}\u00d7 real time` : null;
    return h(
        "dl",
        { class: "facts" },
        fact("Robot", robotLine(context)),
        fact("Simulated", speed ?? (s.time !== undefined ? `${number(s.time)} s` : null)),
        fact("Solver", plain(sceneKey(text, "solver")) ?? (s.method ? `${s.method}, as by default` : null)),
        fact("Steps", s.steps !== undefined ? `${count(s.steps)} steps, ${count(s.evaluations ?? 0)} evaluations` : null),
        fact("Control", plain(sceneKey(text, "control"))?.split("\n")[0]),
        fact("Samples here", d ? `${count(d.kept)} of ${count(d.of)}, ${number(d.rate_hz, 4)} a second` : count(run.rows)),
        effects(context),
    );
}

function warnings(context: Context): HTMLElement | null {
    const list = [...(context.run.summary.warnings ?? []), ...context.run.problems];
    if (list.length === 0) return null;
    const what = list.length === 1 ? "1 warning" : `${list.length} warnings`;
    return h("details", { class: "warnings" }, h("summary", {}, what), h("ul", {}, ...list.map((w) => h("li", {}, w))));
}

function sceneText(context: Context): HTMLElement | null {
    const { scene } = context.run.document;
    if (!scene?.text) return null;
    return h("details", { class: "scene-text" }, h("summary", {}, "Scene file ", h("code", {}, scene.path ?? "")), h("pre", {}, scene.text));
}

export function overview(context: Context, verdict: Verdict, title: string): { element: HTMLElement; setPicture: (url: string | null) => void } {
    const { scene } = context.run.document;
    const frame = h("div", { class: "portrait" });
    const element = h(
        "section",
        { id: "overview", class: "overview" },
        h(
            "div",
            { class: "overview-text" },
            scene?.path ? h("p", { class: "path" }, scene.path) : null,
            h("h1", {}, title),
            h("p", { class: `verdict ${verdict.tone}` }, h("strong", {}, verdict.title), h("span", {}, verdict.text)),
            scene?.description ? h("p", { class: "lead" }, ...code(scene.description)) : null,
            facts(context),
            warnings(context),
            sceneText(context),
        ),
        frame,
    );
    const setPicture = (url: string | null): void => {
        if (url) frame.replaceChildren(h("img", { src: url, alt: `The robot at the start: ${context.run.model?.name ?? ""}` }));
        else frame.remove();
    };
    return { element, setPicture };
}
