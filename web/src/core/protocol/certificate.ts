// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How far a run can be relied on. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

import type { Measured } from "./summary";

/** One of the runs of a certificate. */
export interface CertifiedRun {
    /** Purpose of the run */
    role: "itself" | "tighter" | "independent" | "perturbed";
    /** Integration method */
    method: string;
    /** Step or accuracy of the method */
    setting: string;
    /** Simulated time [s] */
    time: number;
    /** Number of force evaluations */
    evaluations: number;
    /** Whether it reached the end */
    ended: boolean;
    /** `finished`, or the reason why it ended early */
    outcome: string;
}

/** Where two runs separate. */
export interface Parting {
    /** First time at which the distance of the two exceeds a thousandth of the distance moved [s] */
    t: number;
    /** Last time before at which the distance was below a tenth of that [s] */
    since: number;
    /** Distance at `t` [m] */
    distance: number;
    /** Names of the two shapes that touch in only one of the two runs */
    contact?: string;
    /** Time at which they begin to touch [s] */
    at?: number;
    /** Duration of the contact [s] */
    lasts?: number;
    /** Run in which they touch */
    in?: "itself" | "tighter" | "twin";
}

/** How far a number can be relied on. */
export interface Bar {
    /** Half length of the error bar: value +- `bar`; null: not known */
    bar: number | null;
    /** Lowest, median, highest of all runs of a chaotic motion */
    spread?: Measured[];
}

/** An expectation with the bar of what was measured. */
export interface CertifiedExpectation {
    /** Name of the metric */
    metric: string;
    /** Measured value */
    got: number | null;
    /** Half length of the error bar: value +- `bar`; null: not known */
    bar: number | null;
    /** Lowest, median, highest of all runs of a chaotic motion */
    spread?: Measured[];
    /** Verdict within the bar */
    standing: "met" | "met, undecided" | "missed, undecided" | "missed";
    /** Number of runs of a chaotic motion that meet it */
    met_in?: number;
    /** Number of runs of which `met_in` meet it */
    of?: number;
}

/** How far a run can be relied on ([certificate](certificate.md)). */
export interface Certificate {
    /** Conclusion from all runs */
    certainty: "resolved" | "unresolved" | "chaotic";
    /** The conclusion in a sentence or two */
    text: string;
    /** Distance moved by the degree of freedom that moved most, 1 rad as 0.1 m [m] */
    moved: number;
    /** Largest distance between the run and the tighter one [m] */
    tighter: number | null;
    /** Largest distance between the run and the independent one [m] */
    independent: number | null;
    /** Largest distance between the tighter and the independent run [m] */
    between: number | null;
    /** Largest distance between the tighter run and itself with a start changed by 1e-9 [m] */
    perturbed?: number;
    /** Time in which small differences double [s] */
    doubling?: number;
    /** Where the run and the tighter one separate */
    parting?: Parting;
    /** Runs that were made, the run itself first */
    runs: CertifiedRun[];
    /** Error bars of the metrics, by name */
    metrics: Record<string, Bar>;
    /** Expectations in the order of those of the summary */
    expectations: CertifiedExpectation[];
}
