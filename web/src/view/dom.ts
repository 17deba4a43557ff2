// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements made in one expression. Texts are never parsed: nothing in a document becomes markup.

export const PRINT_WIDTH = 660; // [css px] what A4 has between its margins

type Value = string | number | boolean | ((event: never) => void);
type Child = globalThis.Node | string | null | undefined | false;

function fill(element: Element, attributes: Record<string, Value>, children: Child[]): void {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") element.addEventListener(name, value as (event: Event) => void);
        else if (value === true) element.setAttribute(name, "");
        else if (value !== false) element.setAttribute(name, String(value));
    }
    for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
}

/** h("button", {class: "icon", click: () => ..}, "Play") */
export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Record<string, Value> = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    fill(element, attributes, children);
    return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
    tag: K,
    attributes: Record<string, Value> = {},
    ...children: Child[]
): SVGElementTagNameMap[K] {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    fill(element, attributes, children);
    return element;
}

/** A line icon on a 24 x 24 grid. */
export function icon(path: string): SVGElement {
    return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: path }));
}

export const ICONS = {
    play: "M7 4.5v15l12-7.5z",
    pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
    first: "M6 5v14M19 5v14L9 12z",
    back: "M17 5v14L8 12z",
    forward: "M7 5v14l9-7z",
    sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
    moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
    close: "M6 6l12 12M18 6L6 18",
};

/** A place where something would be, with the reason why it is not and what to do. */
export function emptyState(title: string, advice: string): HTMLElement {
    return h("div", { class: "empty", role: "note" }, h("strong", {}, title), h("p", {}, ...code(advice)));
}

/** Text in which `words in backquotes` become code. */
export function code(text: string): (globalThis.Node | string)[] {
    return text.split(/`([^`]+)`/).map((part, i) => (i % 2 ? h("code", {}, part) : part));
}
