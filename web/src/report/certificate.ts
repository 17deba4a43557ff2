// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How far the numbers of this run can be relied on.
import type { Certificate } from "../core/protocol";
import { number } from "../core/format";
import { certificateRuns, certificateText } from "../view/certificate_view";
import { h } from "../view/dom";
import { type Context, section } from "./report";

function parting(context: Context, c: Certificate): HTMLElement | null {
    const p = c.parting;
    if (!p) return null;
    return h("p", {}, h("button", { class: "chip screen-only", click: () => context.player.seek(p.t) }, `Show ${number(p.t, 4)} s, where the runs part`));
}

export function certificateSection(context: Context, c: Certificate): HTMLElement {
    const meaning =
        c.certainty === "chaotic"
            ? "Areas around curves reach as far as any of these runs. Numbers are given as median and range over the runs."
            : "A bar is 1.25 times the larger distance from the two other runs, and what these lack from each other; areas around curves are the same at each sample.";
    return section("certificate", "Certificate", certificateText(c), parting(context, c), certificateRuns(c), h("p", { class: "note" }, meaning));
}
