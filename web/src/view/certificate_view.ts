// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A certificate on a page: its verdict and its runs. Report and studio share it.
import { CERTAINTY_TONES } from "../core/certificate";
import { number } from "../core/format";
import type { Certificate, CertifiedRun } from "../core/protocol";
import { h } from "./dom";

/** "resolved: ...". */
export function certificateText(c: Certificate): HTMLElement {
    return h("p", { class: "certainty" }, h("span", { class: `badge ${CERTAINTY_TONES[c.certainty]}` }, c.certainty), " ", c.text.charAt(0).toUpperCase() + c.text.slice(1));
}

function row(run: CertifiedRun, own: number): HTMLElement {
    const cost = own > 0 ? `${number(run.evaluations / own, 3)}\u00d7` : "";
    return h("tr", {}, h("td", {}, run.role), h("td", {}, `${run.method}, ${run.setting}`), h("td", { class: "number" }, cost), h("td", {}, run.ended ? "finished" : run.outcome));
}

/** The runs that were made, with their work in that of the run itself. */
export function certificateRuns(c: Certificate): HTMLElement {
    const own = c.runs[0]?.evaluations ?? 0;
    const heads = ["Run", "Method", "Work", "Outcome"];
    return h(
        "div",
        { class: "scroll" },
        h("table", { class: "dense" }, h("thead", {}, h("tr", {}, ...heads.map((t, i) => h("th", { class: i === 2 ? "number" : "" }, t)))), h("tbody", {}, ...c.runs.map((r) => row(r, own)))),
    );
}
