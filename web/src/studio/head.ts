// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The head of the page: the loaded scene, the connection, saving of the run, pictures, help, colours; and the banner that shows when the connection is lost.
import { h, icon, ICONS } from "../view/dom";
import { onTheme, theme, toggleTheme } from "../view/theme";
import { addressOf } from "./address";
import type { Capture } from "./capture";
import type { Session } from "./session";
import { showHelp } from "./help";
import { menu } from "./menu";
import { reportAddress } from "./scenes";

/** A name for a run that is not taken: "anton-tripod", "anton-tripod-2", ... */
export function freeName(path: string, taken: string[]): string {
    const base = path.split("/").pop()?.replace(/\.yaml$/, "") || "run";
    for (let n = 1; ; n++) {
        const name = n === 1 ? base : `${base}-${n}`;
        if (!taken.includes(name)) return name;
    }
}

export class Head {
    readonly element: HTMLElement;
    readonly banner = h("div", { class: "banner", role: "alert", hidden: true });
    private readonly title = h("h1", {}, "Footfall studio");
    private readonly path = h("span", { class: "path" });
    private readonly chip = h("span", { class: "chip link-chip" });
    private readonly filmItem: HTMLButtonElement;
    private readonly filmMark = h("button", { class: "film-mark", hidden: true, title: "End the film and save it", click: () => this.capture.toggleFilm() }, "Filming");
    private countdown: ReturnType<typeof setInterval> | null = null;

    constructor(
        private readonly session: Session,
        private readonly capture: Capture,
    ) {
        const save = [this.item("Save the run \u2026", "s", () => this.keep()), this.item("Picture as PNG", "c", () => capture.picture())];
        this.filmItem = this.item("Film as WebM", "v", () => capture.toggleFilm());
        const share = h("div", { class: "menu-list" }, ...save, this.filmItem, this.item("Copy a link to this moment", "l", () => void this.copyLink()));
        const colours = h("button", { class: "round", click: toggleTheme });
        const paintButton = (): void => {
            const dark = theme() === "dark";
            colours.title = dark ? "Light colours" : "Dark colours";
            colours.setAttribute("aria-label", colours.title);
            colours.replaceChildren(icon(dark ? ICONS.sun : ICONS.moon));
        };
        onTheme(paintButton);
        paintButton();
        const help = h("button", { class: "round", title: "Keys and pointer (?)", "aria-label": "Help", click: () => showHelp(session.keys) }, icon("M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 2M12 17.2v.3"));
        this.element = h("header", { class: "head" }, h("span", { class: "mark" }, "Footfall"), h("div", { class: "what" }, this.title, this.path), h("span", { class: "fill" }), this.filmMark, this.chip, menu("Save & share", "M12 4v11M7 9l5-5 5 5M5 15v5h14v-5", share), help, colours);
        this.listen();
    }

    private item(name: string, key: string, act: () => void): HTMLButtonElement {
        this.session.keys.add({ keys: [key], group: "Save & share", what: name.replace(" \u2026", ""), press: act });
        return h("button", { class: "menu-item", role: "menuitem", click: act }, h("span", {}, name), h("kbd", {}, key));
    }

    /** Called when a film begins or ends. */
    filming(on: boolean): void {
        this.filmMark.hidden = !on;
        const name = this.filmItem.querySelector("span");
        if (name) name.textContent = on ? "End the film and save it" : "Film as WebM";
    }

    private listen(): void {
        const { store, keys, link } = this.session;
        keys.add({ keys: ["?"], group: "Page", what: "This help", press: () => showHelp(this.session.keys) });
        keys.add({ keys: ["t"], group: "Page", what: "Light or dark colours", press: toggleTheme });
        store.on("scene", (scene) => {
            this.title.textContent = scene?.title || scene?.path || "Footfall studio";
            this.path.textContent = scene ? `${scene.path}${scene.variant ? ` \u00b7 ${scene.variant}` : ""}` : "";
            document.title = scene ? `${scene.title || scene.path} \u2013 Footfall` : "Footfall studio";
        });
        const chip = (): void => {
            const state = store.get("link");
            const others = (store.get("run").clients ?? 1) - 1;
            this.chip.className = `chip link-chip ${state}`;
            this.chip.textContent = state === "open" ? (others > 0 ? `connected, ${others} more` : "connected") : state === "lost" ? "not connected" : "connecting";
            this.chip.title = others > 0 ? `${others} more pages show this simulation` : "";
        };
        store.on("link", (state) => {
            chip();
            this.showLost(state === "lost");
        });
        store.on("run", chip);
        addEventListener("online", () => link.retry());
        document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && link.retry());
    }

    private showLost(lost: boolean): void {
        if (this.countdown) clearInterval(this.countdown);
        this.countdown = null;
        this.banner.hidden = !lost;
        if (!lost) return;
        const when = h("span", {});
        const tick = (): void => {
            const left = Math.ceil((this.session.link.retryAt - performance.now()) / 1000);
            when.textContent = left > 0 ? `Trying again in ${left} s.` : "Trying again \u2026";
        };
        this.banner.replaceChildren(h("strong", {}, "The connection to the program is lost."), h("span", {}, "The page shows the last state that it received. "), when, h("button", { click: () => this.session.link.retry() }, "Try now"));
        tick();
        this.countdown = setInterval(tick, 250);
    }

    private keep(): void {
        const { session } = this;
        const scene = session.store.get("scene");
        if (!scene) return;
        const name = h("input", { type: "text", required: true, pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]*", value: freeName(scene.path, (session.store.get("library")?.runs ?? []).map((r) => r.name)), "aria-label": "Name of the run" });
        const said = h("p", { class: "note" }, "What was simulated since the last reset, with its report.");
        const save = h("button", { class: "primary" }, "Save");
        const dialog = h("dialog", { class: "ask", "aria-label": "Save the run" });
        const form = h(
            "form",
            { method: "dialog" },
            h("h2", {}, "Save the run"),
            h("label", {}, "out / ", name),
            said,
            h("div", { class: "row" }, h("span", { class: "fill" }), h("button", { type: "button", click: () => dialog.close() }, "Cancel"), save),
        );
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            save.disabled = true;
            said.textContent = "Saving \u2026";
            session.ask("keep", { name: name.value }).then(
                () => {
                    said.replaceChildren("Saved. ", h("a", { href: reportAddress(name.value), target: "_blank", rel: "noopener" }, "Open its report"));
                    save.hidden = true;
                    void session.refresh();
                },
                (e: unknown) => {
                    save.disabled = false;
                    said.textContent = e instanceof Error ? e.message : String(e);
                    said.classList.add("warn");
                },
            );
        });
        dialog.append(form);
        dialog.addEventListener("close", () => dialog.remove());
        document.body.append(dialog);
        dialog.showModal();
        name.select();
    }

    private async copyLink(): Promise<void> {
        const scene = this.session.store.get("scene");
        if (!scene) return;
        const link = `${location.origin}/${addressOf(scene, this.session.time())}`;
        try {
            await navigator.clipboard.writeText(link);
            this.session.notify("note", `Copied: ${link}`);
        } catch {
            this.session.notify("note", `The link: ${link}`);
        }
    }
}
