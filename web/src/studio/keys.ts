// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of the whole page, in one table, from which the help is made. A key belongs to the page only where nobody writes and no control wants it.
import type { Off } from "./store";

export interface Binding {
    /** Values of KeyboardEvent.key, letters in lower case; several keys may do the same. */
    keys: string[];
    /** Text for the keys in the help; by default made from `keys`. */
    label?: string;
    group: string;
    what: string;
    press: (event: KeyboardEvent) => void;
    /** Called when the key is released, or the window loses the focus. */
    release?: (event: KeyboardEvent | null) => void;
}

const NAMES: Record<string, string> = {
    " ": "space",
    Backspace: "backspace",
    ArrowLeft: "\u2190",
    ArrowRight: "\u2192",
    ArrowUp: "\u2191",
    ArrowDown: "\u2193",
    Escape: "esc",
};

export function labelOf(binding: Binding): string {
    return binding.label ?? binding.keys.map((k) => NAMES[k] ?? k).join(" ");
}

const CHECKED = ["checkbox", "radio"];

/** Whether an element uses a key itself. */
export function keeps(target: EventTarget | null, key: string): boolean {
    if (!(target instanceof HTMLElement)) return false;
    if (target.isContentEditable || target.closest("dialog")) return true;
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
    if (target instanceof HTMLInputElement) {
        if (CHECKED.includes(target.type)) return key === " ";
        if (target.type === "range") return key.startsWith("Arrow") || key === "Home" || key === "End";
        return true;
    }
    const acts = target.closest("button, a, summary, [role=tab], [role=separator], [role=treeitem]");
    if (!acts) return false;
    // A button that was clicked has the focus but is not in use: the space bar is the simulation's unless the keyboard brought the focus there.
    if (key === " ") return acts.matches(":focus-visible");
    return key === "Enter" || (key.startsWith("Arrow") && acts.hasAttribute("role"));
}

export class Keys {
    readonly bindings: Binding[] = [];
    private readonly held = new Map<string, Binding>();

    listen(target: EventTarget): void {
        target.addEventListener("keydown", (event) => this.down(event as KeyboardEvent));
        target.addEventListener("keyup", (event) => this.up(event as KeyboardEvent));
        target.addEventListener("blur", () => this.letGo());
    }

    add(binding: Binding): Off {
        this.bindings.push(binding);
        return () => {
            const at = this.bindings.indexOf(binding);
            if (at >= 0) this.bindings.splice(at, 1);
        };
    }

    private down(event: KeyboardEvent): void {
        if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
        const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
        if (keeps(event.target, key)) return;
        const binding = this.bindings.find((b) => b.keys.includes(key));
        if (!binding) return;
        event.preventDefault();
        if (binding.release) {
            if (this.held.has(key)) return; // repeats of a held key
            this.held.set(key, binding);
        }
        binding.press(event);
    }

    private up(event: KeyboardEvent): void {
        const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
        const binding = this.held.get(key);
        this.held.delete(key);
        binding?.release?.(event);
    }

    private letGo(): void {
        for (const binding of this.held.values()) binding.release?.(null);
        this.held.clear();
    }
}
