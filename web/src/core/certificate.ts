// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The certificate of a run: error bars of numbers, bands around curves.
import type { Channel, Run } from "./document";
import { number } from "./format";
import type { Bands, Bar, Certificate, CertifiedExpectation } from "./protocol";

export type Tone = "good" | "warn" | "bad";

export const CERTAINTY_TONES: Record<Certificate["certainty"], Tone> = { resolved: "good", chaotic: "warn", unresolved: "bad" };

export function standingTone(standing: CertifiedExpectation["standing"]): Tone {
    return standing === "met" ? "good" : standing === "missed" ? "bad" : "warn";
}

/** "± 3·10⁻⁵"; the spread over the runs of a chaotic motion; "" if there is none. */
export function barText(bar: Bar | CertifiedExpectation | undefined): string {
    if (!bar) return "";
    if (bar.spread) return `${number(bar.spread[1], 4)} (${number(bar.spread[0], 4)} \u2026 ${number(bar.spread[2], 4)})`;
    return bar.bar === null ? "\u00b1 ?" : `\u00b1 ${number(bar.bar, 2)}`;
}

/** Verdict within the bar; of a chaotic motion, how many runs meet it. */
export function standingText(e: CertifiedExpectation): string {
    return e.of === undefined ? e.standing : `met in ${e.met_in ?? 0} of ${e.of} runs`;
}

/** Edges of the band around one column of a channel, at its times; NaN: no band. */
export interface Band {
    time: number[];
    low: number[];
    high: number[];
}

/** The band of a column of a channel; undefined: none. */
export function bandIn(bands: Bands | null | undefined, channel: string, column: number, scale = 1): Band | undefined {
    const found = bands?.channels?.find((c) => c.name === channel);
    const low = found?.low?.[column];
    const high = found?.high?.[column];
    if (!bands?.time || !low || !high) return undefined;
    const edge = (values: (number | null)[]): number[] => values.map((v) => (v === null ? NaN : v * scale));
    return { time: bands.time, low: edge(low), high: edge(high) };
}

/** The band in a recorded run; undefined: it has no certificate. */
export function bandOf(run: Run, channel: Channel, column: number, scale = 1): Band | undefined {
    return bandIn(run.document.bands, channel.name, column, scale);
}

/** Lowest and highest value of a band between two times; Infinity and -Infinity: it has none there. */
export function bandRange(band: Band, from = -Infinity, to = Infinity): [number, number] {
    let low = Infinity;
    let high = -Infinity;
    band.time.forEach((t, i) => {
        if (t < from || t > to) return;
        if (band.low[i] < low) low = band.low[i];
        if (band.high[i] > high) high = band.high[i];
    });
    return [low, high];
}
