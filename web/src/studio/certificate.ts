// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Panel "certificate": the scene is run from its start to its end, with a tighter accuracy and by another method, while the simulation goes on; each number then has its error bar.
import { barText, standingText, standingTone } from "../core/certificate";
import { duration, number } from "../core/format";
import type { Certificate, Scene, Summary } from "../core/protocol";
import { certificateRuns, certificateText } from "../view/certificate_view";
import { emptyState, h } from "../view/dom";
import type { Panel, Studio } from "./panel";

const ICON = "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4";

function expectations(summary: Summary, c: Certificate): HTMLElement | null {
    if (c.expectations.length === 0) return null;
    const rows = c.expectations.map((e) =>
        h(
            "li",
            {},
            h("code", {}, e.metric),
            h("div", { class: "row" }, h("span", {}, number(e.got, 5), h("span", { class: "bar-text" }, ` ${barText(e)}`)), h("span", { class: "fill" }), h("span", { class: `badge ${standingTone(e.standing)}` }, standingText(e))),
        ),
    );
    return h("section", {}, h("h3", {}, "Expectations"), h("ul", { class: "certified" }, ...rows), h("p", { class: "note" }, `${number(summary.time, 4)} s in ${duration(summary.wall)}.`));
}

function metrics(summary: Summary, c: Certificate): HTMLElement {
    const filter = h("input", { type: "search", placeholder: "Filter metrics", "aria-label": "Filter metrics" });
    const rows = Object.entries(summary.metrics).map(([name, value]) =>
        h("tr", { "data-name": name }, h("td", {}, h("code", {}, name)), h("td", { class: "number" }, number(value, 5), h("br"), h("span", { class: "bar-text" }, barText(c.metrics[name])))),
    );
    filter.addEventListener("input", () => {
        for (const r of rows) r.hidden = !(r.dataset.name ?? "").includes(filter.value.trim());
    });
    return h("details", {}, h("summary", {}, `All ${rows.length} metrics`), filter, h("table", { class: "dense" }, h("tbody", {}, ...rows)));
}

function result(summary: Summary): (HTMLElement | null)[] {
    const c = summary.certificate;
    if (!c) return [emptyState("No certificate", "The program has sent none.")];
    return [certificateText(c), expectations(summary, c), metrics(summary, c), h("details", {}, h("summary", {}, `${c.runs.length} runs`), certificateRuns(c))];
}

/** One certificate at a time, of the scene that is loaded. */
class Certifier {
    private readonly button = h("button", { class: "primary", click: () => this.press() }, "Certify this run");
    private readonly said = h("p", { class: "note", "aria-live": "polite" });
    private readonly shown = h("div", { class: "certificate" });
    private working = false;
    private scene: Scene | null = null;

    constructor(
        host: HTMLElement,
        private readonly studio: Studio,
    ) {
        host.append(this.button, this.said, this.shown);
        studio.onScene((scene) => this.change(scene));
    }

    private change(scene: Scene | null): void {
        if (this.working && scene?.path !== this.scene?.path) void this.studio.ask("certify", { stop: true });
        this.scene = scene;
        this.shown.replaceChildren();
        this.studio.store.set("bands", null);
        this.update("");
    }

    private update(text: string): void {
        this.button.textContent = this.working ? "Cancel" : "Certify this run";
        this.button.disabled = !this.scene;
        this.said.textContent = text || "Runs the scene again from its start to its end, once more accurately and once by another method, while the studio goes on. Each metric gets an error bar, which a run saved afterwards has, too.";
    }

    private press(): void {
        if (this.working) {
            void this.studio.ask("certify", { stop: true });
            return;
        }
        const { scene } = this;
        this.working = true;
        this.shown.replaceChildren();
        this.studio.store.set("bands", null);
        this.update("Making the other runs \u2026");
        const done = (text: string, parts: (HTMLElement | null)[]): void => {
            this.working = false;
            if (scene === this.scene) this.shown.replaceChildren(...parts.filter((e) => e !== null));
            this.update(scene === this.scene ? text : "");
        };
        this.studio.ask("certify", {}).then(
            (answer) => {
                const numbers = answer.summary?.certificate?.certainty === "chaotic" ? "the median and range over all runs" : "its error bar: how far the exact solution may be from it";
                if (scene === this.scene) this.studio.store.set("bands", answer.bands ?? null);
                done(`Each metric has ${numbers}. In Plots, a band shows the same around the curves that the scene records.`, answer.summary ? result(answer.summary) : []);
            },
            (e: unknown) => done(e instanceof Error ? e.message : String(e), []),
        );
    }
}

export function certificatePanel(): Panel {
    return { id: "certificate", title: "Certificate", icon: ICON, dock: "right", mount: (host, studio) => void new Certifier(host, studio) };
}
