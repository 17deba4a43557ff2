// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Light and dark. Style sheets hold all colours as variables; this module gives them to canvases and calls them to redraw. Print is always light.

export type Theme = "light" | "dark";
const KEY = "footfall-theme";
const listeners: (() => void)[] = [];
let chosen: Theme | null = null;

// Browsers may refuse storage to pages from disk: the choice is then lost.
function remembered(): Theme | null {
    try {
        const value = localStorage.getItem(KEY);
        return value === "light" || value === "dark" ? value : null;
    } catch {
        return null;
    }
}

function remember(theme: Theme): void {
    try {
        localStorage.setItem(KEY, theme);
    } catch {
        return;
    }
}

function apply(theme: Theme): void {
    document.documentElement.dataset.theme = theme;
    for (const listener of listeners) listener();
}

function wanted(): Theme {
    return chosen ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

export function theme(): Theme {
    return document.documentElement.dataset.theme === "dark" ? "dark" : "light";
}

export function startTheme(): void {
    chosen = remembered();
    apply(wanted());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => apply(wanted()));
    addEventListener("beforeprint", () => apply("light"));
    addEventListener("afterprint", () => apply(wanted()));
}

export function toggleTheme(): void {
    chosen = theme() === "dark" ? "light" : "dark";
    remember(chosen);
    apply(chosen);
}

export function onTheme(listener: () => void): void {
    listeners.push(listener);
}

/** A colour of the style sheet, such as "--ink". */
export function color(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || "#888";
}

/** Colour number i of the series; they repeat after eight. */
export function seriesColor(i: number): string {
    return color(`--series-${(i % 8) + 1}`);
}
