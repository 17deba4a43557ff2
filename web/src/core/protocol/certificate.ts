// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How far a run can be relied on. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

import type { Measured } from "./summary";

/** One of the runs of a certificate. */
export interface CertifiedRun {
    /** What it is for */
    role: "itself" | "tighter" | "independent" | "perturbed";
    /** Of integration */
    method: string;
    /** Its step or accuracy */
    setting: string;
    /** Simulated [s] */
    time: number;
    /** Of forces */
    evaluations: number;
    /** It came to the end */
    ended: boolean;
    /** `finished`, or why not */
    outcome: string;
}

/** Where two runs part. */
export interface Parting {
    /** When the tighter run, or the twin, is a thousandth of the way moved away [s] */
    t: number;
    /** When it was ten times as close [s] */
    since: number;
    /** At `t` [m] */
    distance: number;
    /** Shapes that touch in one of the two alone */
    contact?: string;
    /** From when [s] */
    at?: number;
    /** For how long [s] */
    lasts?: number;
    /** In which of them */
    in?: "itself" | "tighter" | "twin";
}

/** How far a number can be relied on. */
export interface Bar {
    /** Length of the error bar; null: not known */
    bar: number | null;
    /** Lowest, median, highest of all runs of a chaotic motion */
    spread?: Measured[];
}

/** An expectation with the bar of what was measured. */
export interface CertifiedExpectation {
    /** Name */
    metric: string;
    /** What was measured */
    got: number | null;
    /** Length of the error bar; null: not known */
    bar: number | null;
    /** As above */
    spread?: Measured[];
    /** Verdict within the bar */
    standing: "met" | "met, undecided" | "missed, undecided" | "missed";
    /** Of a chaotic motion: runs that meet it */
    met_in?: number;
    /** Of so many */
    of?: number;
}

/** How far a run can be relied on ([certificate](certificate.md)). */
export interface Certificate {
    /** What the runs say together */
    certainty: "resolved" | "unresolved" | "chaotic";
    /** The same in a sentence or two */
    text: string;
    /** Way of the degree of freedom that moved most, 1 rad as 0.1 m [m] */
    moved: number;
    /** Largest distance of the tighter run [m] */
    tighter: number | null;
    /** Of the independent one [m] */
    independent: number | null;
    /** Of these two from each other [m] */
    between: number | null;
    /** Of the tighter one from itself, its start changed by 1e-9 [m] */
    perturbed?: number;
    /** Time in which small differences double [s] */
    doubling?: number;
    /** Where the run and the tighter one part */
    parting?: Parting;
    /** That were made, the run itself first */
    runs: CertifiedRun[];
    /** By name */
    metrics: Record<string, Bar>;
    /** In the order of those of the summary */
    expectations: CertifiedExpectation[];
}
