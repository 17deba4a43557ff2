// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A button that opens a small list below itself; a click elsewhere or escape closes it.
import { h, icon } from "../view/dom";

export function menu(name: string, path: string, list: HTMLElement): HTMLElement {
    const button = h("button", { class: "tool-button", "aria-haspopup": "true", "aria-expanded": "false", title: name }, icon(path), h("span", { class: "tool-name" }, name));
    const pop = h("div", { class: "pop", hidden: true }, list);
    const box = h("div", { class: "menu" }, button, pop);
    const open = (on: boolean): void => {
        pop.hidden = !on;
        button.setAttribute("aria-expanded", String(on));
    };
    button.addEventListener("click", () => open(pop.hidden));
    list.addEventListener("click", (event) => {
        if ((event.target as HTMLElement).closest("button, a")) open(false);
    });
    addEventListener("pointerdown", (event) => {
        if (!box.contains(event.target as globalThis.Node)) open(false);
    });
    box.addEventListener("keydown", (event) => {
        if (event.key !== "Escape" || pop.hidden) return;
        open(false);
        button.focus();
        event.stopPropagation();
    });
    return box;
}
