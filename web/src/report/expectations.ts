// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics with expectations, and metrics without.
import { barText, standingText, standingTone } from "../core/certificate";
import type { Run } from "../core/document";
import { mayMiss, type Expectation } from "../core/expect";
import { number } from "../core/format";
import type { CertifiedExpectation } from "../core/protocol";
import { emptyState, h } from "../view/dom";
import { section } from "./report";

function wanted(e: Expectation): string {
    if (e.is !== undefined) return e.within ? `${number(e.is, 6)} \u00b1 ${number(e.within, 3)}` : number(e.is, 6);
    if (e.at_least !== undefined && e.at_most !== undefined) return `${number(e.at_least)} \u2026 ${number(e.at_most)}`;
    if (e.at_least !== undefined) return `\u2265 ${number(e.at_least)}`;
    return e.at_most !== undefined ? `\u2264 ${number(e.at_most)}` : "\u2013";
}

function verdict(e: Expectation, certified: CertifiedExpectation | undefined): HTMLElement {
    const mild = e.met === false && mayMiss(e);
    if (certified) return h("span", { class: `badge ${mild ? "" : standingTone(certified.standing)}` }, standingText(certified));
    const [word, tone] = e.met === null ? ["not evaluated", ""] : e.met ? ["met", "good"] : ["missed", mild ? "" : "bad"];
    return h("span", { class: `badge ${tone}` }, word);
}

function row(e: Expectation, certified: CertifiedExpectation | undefined): HTMLElement {
    const rate = mayMiss(e) ? `May be missed in ${number(100 * (1 - (e.rate ?? 1)), 3)} % of runs. ` : "";
    return h(
        "tr",
        { class: e.met === null || (!e.met && mayMiss(e)) ? "" : e.met ? "met" : "missed" },
        h("td", {}, h("code", {}, e.metric)),
        h("td", { class: "number" }, wanted(e)),
        h("td", { class: "number" }, number(e.got, 5), certified ? h("span", { class: "bar-text" }, ` ${barText(certified)}`) : null),
        h("td", {}, verdict(e, certified)),
        h("td", { class: "source" }, rate + (e.source ?? "")),
    );
}

// Walking first, then general metrics; joints last, because they are many.
function allMetrics(run: Run): HTMLElement | null {
    const list = Object.entries(run.summary.metrics ?? {});
    if (list.length === 0) return null;
    const filter = h("input", { type: "search", placeholder: "Filter metrics", "aria-label": "Filter metrics" });
    const bars = run.summary.certificate?.metrics;
    const rows = list.map(([name, value]) =>
        h("tr", { "data-name": name }, h("td", {}, h("code", {}, name)), h("td", { class: "number" }, number(value, 6)), bars ? h("td", { class: "number bar-text" }, barText(bars[name])) : null),
    );
    filter.addEventListener("input", () => {
        for (const r of rows) r.hidden = !(r.dataset.name ?? "").includes(filter.value.trim());
    });
    const table = h("div", { class: "scroll tall" }, h("table", { class: "dense" }, h("tbody", {}, ...rows)));
    return h("details", { class: "all-metrics" }, h("summary", {}, `All ${list.length} metrics`), filter, table);
}

export function expectationSection(run: Run, list: Expectation[]): HTMLElement {
    const certified = run.summary.certificate?.expectations ?? [];
    const heads = ["Metric", "Expected", "Got", "Verdict", "Where the number comes from"];
    const table = h(
        "div",
        { class: "scroll" },
        h("table", {}, h("thead", {}, h("tr", {}, ...heads.map((t, i) => h("th", { class: i === 1 || i === 2 ? "number" : "" }, t)))), h("tbody", {}, ...list.map((e, i) => row(e, certified[i])))),
    );
    const none = emptyState("Nothing was expected of this run", "A scene says what should come out with `expect: [{metric, is, within, source}]`.");
    return section("expectations", "Expectations", list.length > 0 ? table : none, allMetrics(run));
}
