// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `summary.json`: how a run ended. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

import type { Certificate } from "./certificate";
import type { Twin } from "./twin";

/** A number; null if it is not finite. */
export type Measured = number | null;

/** The energy ledger. */
export interface Energy {
    /** Energy stored at the start [J] */
    start: number | null;
    /** Kinetic energy [J] */
    kinetic: number | null;
    /** Potential energy of gravity [J] */
    potential: number | null;
    /** Energy stored in springs of joints [J] */
    elastic_joints: number | null;
    /** Energy stored in contacts [J] */
    elastic_contacts: number | null;
    /** Energy stored in parts [J] */
    elastic_parts: number | null;
    /** Energy lost in normal direction of contacts [J] */
    lost_contacts_normal: number | null;
    /** Energy lost by friction of contacts [J] */
    lost_contacts_friction: number | null;
    /** Energy lost in joints [J] */
    lost_joints: number | null;
    /** Energy lost in drives and parts [J] */
    lost_parts: number | null;
    /** Work of drives and held forces [J] */
    work: number | null;
    /** Work of external forces [J] */
    outside: number | null;
    /** Energy added when loops are closed after a step [J] */
    loops: number | null;
    /** Imbalance: what the method itself made (above zero) or took [J] */
    residual: number | null;
}

/** An expectation and its verdict. */
export interface ExpectationRecord {
    /** Name of the metric */
    metric: string;
    /** Expected value, with `within` */
    is?: number;
    /** Tolerance */
    within?: number;
    /** Lower bound */
    at_least?: number;
    /** Upper bound */
    at_most?: number;
    /** Measured value */
    got: number | null;
    /** Whether the expectation is met */
    met: boolean;
    /** Share of the runs with other seeds that meet it, if below 1 */
    rate?: number;
    /** Source of the expected value */
    source: string | null;
}

/** `summary.json`. */
export interface Summary {
    /** Integration method */
    method?: string;
    /** Simulated time [s] */
    time: number;
    /** Number of integration steps */
    steps: number;
    /** Number of force evaluations */
    evaluations: number;
    /** Wall-clock time [s] */
    wall: number;
    /** Real-time factor */
    rtf: number | null;
    /** `finished`, or the reason why the run ended early */
    outcome: string;
    /** Energy ledger */
    energy?: Energy;
    /** Switches of the scene */
    effects?: Record<string, string>;
    /** Metrics by name */
    metrics: Record<string, Measured>;
    /** Expectations with their verdicts */
    expectations?: ExpectationRecord[];
    /** Warnings of the run */
    warnings: string[];
    /** Certificate of a run with `--certify` */
    certificate?: Certificate;
    /** Comparison of a run by `footfall twin` */
    twin?: Twin;
}
