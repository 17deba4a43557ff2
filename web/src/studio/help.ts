// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Help: every key of the page, from the table that acts on them, and what the pointer does.
import { h, icon, ICONS } from "../view/dom";
import { type Keys, labelOf } from "./keys";

const POINTER: [string, string][] = [
    ["drag, one finger", "turn the view"],
    ["right drag, two fingers", "move the view"],
    ["wheel, pinch", "zoom"],
    ["click on a body", "select it"],
    ["shift + drag on a body", "pull it by a spring; while paused, move its robot"],
    ["tool Push: click", "push the body"],
];

const ORDER = ["Simulation", "View", "Robots"]; // the others follow as they were added

function rows(title: string, list: [string, string][]): HTMLElement {
    const lines = list.map(([key, what]) => h("tr", {}, h("td", {}, ...key.split(" ").map((k) => (title === "Pointer" ? `${k} ` : h("kbd", {}, k)))), h("td", {}, what)));
    return h("section", {}, h("h3", {}, title), h("table", { class: "dense help-keys" }, h("tbody", {}, ...lines)));
}

export function showHelp(keys: Keys): void {
    const groups = new Map<string, [string, string][]>(ORDER.map((g) => [g, []]));
    for (const binding of keys.bindings) groups.set(binding.group, [...(groups.get(binding.group) ?? []), [labelOf(binding), binding.what]]);
    const dialog = h("dialog", { class: "help", "aria-label": "Keys and pointer" });
    const close = h("button", { class: "quiet tool", "aria-label": "Close", click: () => dialog.close() }, icon(ICONS.close));
    dialog.append(
        h("div", { class: "row" }, h("h2", {}, "Keys and pointer"), h("span", { class: "fill" }), close),
        h("div", { class: "help-columns" }, ...[...groups].filter(([, list]) => list.length > 0).map(([title, list]) => rows(title, list)), rows("Pointer", POINTER)),
    );
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    document.body.append(dialog);
    dialog.showModal();
}
