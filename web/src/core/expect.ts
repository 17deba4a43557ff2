// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Expectations of a scene and whether they were met. The summary lists them with their verdicts; where there is none, they are read from the text of the scene, as far as
// they stand there one a line (`- {metric: walk.bob, at_most: 0.005, source: "..."}`), and evaluated here against the metrics of the summary. A run that
// ended before its scene does is evaluated by the program or not at all.
import type { ExpectationRecord } from "./protocol";
import type { Run } from "./document";

/** What a scene expects of a metric. */
export type Condition = Omit<ExpectationRecord, "got" | "met" | "source"> & Partial<Pick<ExpectationRecord, "got" | "met" | "source">>;
export interface Expectation extends Omit<Condition, "met"> {
    got: number | null;
    /** null: not evaluated, as the run ended early or the metric is not in the document. */
    met: boolean | null;
}
export interface Verdict {
    tone: "good" | "bad" | "plain";
    title: string;
    text: string;
}

/** Text of the value of a top-level key of a YAML file; null: no such key. */
export function sceneKey(text: string, key: string): string | null {
    const lines = text.split("\n");
    const at = lines.findIndex((l) => l.startsWith(`${key}:`));
    if (at < 0) return null;
    let end = at + 1;
    while (end < lines.length && (/^[\s-]/.test(lines[end]) || lines[end] === "")) end++;
    const first = lines[at].slice(key.length + 1).replace(/\s#.*$/, "").trim();
    return [first, ...lines.slice(at + 1, end)].join("\n").trim();
}

// Parts of a flow map between its commas; quotes and brackets hold commas together.
function splitFlow(text: string): string[] {
    const parts: string[] = [];
    let depth = 0;
    let quote = "";
    let part = "";
    for (const c of text) {
        if (quote) quote = c === quote ? "" : quote;
        else if (c === '"' || c === "'") quote = c;
        else if (c === "{" || c === "[") depth++;
        else if (c === "}" || c === "]") depth--;
        if (c === "," && !quote && depth === 0) {
            parts.push(part);
            part = "";
        } else part += c;
    }
    parts.push(part);
    return parts;
}

function readLine(line: string): Condition | null {
    const found = /^\s*-\s*\{(.*)\}\s*(#.*)?$/.exec(line);
    if (!found) return null;
    const map = new Map<string, string>();
    for (const part of splitFlow(found[1])) {
        const colon = part.indexOf(":");
        if (colon > 0) map.set(part.slice(0, colon).trim(), part.slice(colon + 1).trim().replace(/^(["'])(.*)\1$/, "$2"));
    }
    const metric = map.get("metric");
    if (!metric) return null;
    const record: Condition = { metric, source: (map.get("source") ?? "").replace(/^\*\S+$/, "") }; // aliases are not resolved here
    for (const key of ["is", "within", "at_least", "at_most", "rate"] as const) {
        const value = map.get(key);
        if (value !== undefined && Number.isFinite(Number(value))) record[key] = Number(value);
    }
    return record;
}

/** Whether a single run may miss it, because only a share of the runs with different seeds must meet it. */
export function mayMiss(e: { rate?: number }): boolean {
    return (e.rate ?? 1) < 1;
}

/** Whether a value satisfies all conditions; none of them holds for a value that does not exist. */
export function isMet(e: Condition, got: number | null): boolean {
    if (got === null || !Number.isFinite(got)) return false;
    if (e.is !== undefined && !(Math.abs(got - e.is) <= (e.within ?? 0))) return false;
    if (e.at_least !== undefined && !(got >= e.at_least)) return false;
    return e.at_most === undefined || got <= e.at_most;
}

function isWhole(run: Run): boolean {
    return (run.summary.outcome ?? "finished") === "finished";
}

export function readExpectations(run: Run): Expectation[] {
    const metrics = run.summary.metrics ?? {};
    const found: Condition[] =
        run.summary.expectations ??
        (sceneKey(run.document.scene?.text ?? "", "expect") ?? "")
            .split("\n")
            .map(readLine)
            .filter((e) => e !== null);
    return found.map((e) => {
        const got = e.got ?? metrics[e.metric] ?? null;
        return { ...e, got, met: e.met ?? (isWhole(run) && (e.metric in metrics || got !== null) ? isMet(e, got) : null) };
    });
}

export function verdictOf(run: Run, expectations: Expectation[]): Verdict {
    const count = expectations.length;
    const missed = expectations.filter((e) => e.met === false && !mayMiss(e)).length;
    const allowed = expectations.filter((e) => e.met === false && mayMiss(e)).length;
    const unknown = expectations.filter((e) => e.met === null).length;
    if (!isWhole(run)) {
        const [word, ...rest] = (run.summary.outcome ?? "").split(": ");
        return { tone: word === "stopped" ? "plain" : "bad", title: word.charAt(0).toUpperCase() + word.slice(1), text: rest.join(": ") || "the run did not reach its end" };
    }
    if (count === 0) return { tone: "plain", title: "Finished", text: "the scene expects nothing in particular" };
    if (missed > 0) return { tone: "bad", title: `${missed} of ${count} missed`, text: "see the table of expectations" };
    if (allowed > 0) return { tone: "plain", title: `${count - allowed} of ${count} met`, text: "the others may be missed with some seeds" };
    if (unknown > 0) return { tone: "plain", title: `${count - unknown} of ${count} met`, text: "the summary does not hold the other metrics" };
    return { tone: "good", title: "As expected", text: count === 1 ? "the one expectation is met" : `all ${count} expectations are met` };
}
