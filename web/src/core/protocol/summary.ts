// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `summary.json`: how a run ended. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

import type { Certificate } from "./certificate";
import type { Twin } from "./twin";

/** A number; null where it is not finite. */
export type Measured = number | null;

/** The energy ledger. */
export interface Energy {
    /** Stored at the start [J] */
    start: number | null;
    /** Stored in motion [J] */
    kinetic: number | null;
    /** Stored in height [J] */
    potential: number | null;
    /** Stored in springs of joints [J] */
    elastic_joints: number | null;
    /** Stored in contacts [J] */
    elastic_contacts: number | null;
    /** Stored in parts [J] */
    elastic_parts: number | null;
    /** Lost along normals [J] */
    lost_contacts_normal: number | null;
    /** Lost by friction of contacts [J] */
    lost_contacts_friction: number | null;
    /** Lost in joints [J] */
    lost_joints: number | null;
    /** Lost in drives and parts [J] */
    lost_parts: number | null;
    /** Of drives and held forces [J] */
    work: number | null;
    /** Work of forces from outside [J] */
    outside: number | null;
    /** Put in by closing loops [J] */
    loops: number | null;
    /** What the balance lacks [J] */
    residual: number | null;
}

/** An expectation and its verdict. */
export interface ExpectationRecord {
    /** Name */
    metric: string;
    /** Expected value, with `within` */
    is?: number;
    /** Tolerance */
    within?: number;
    /** Lower bound */
    at_least?: number;
    /** Upper bound */
    at_most?: number;
    /** What was measured */
    got: number | null;
    /** Verdict */
    met: boolean;
    /** Share of the runs with other seeds in which it is met, below 1 */
    rate?: number;
    /** Where the expected value comes from */
    source: string | null;
}

/** `summary.json`. */
export interface Summary {
    /** Of integration */
    method?: string;
    /** Simulated [s] */
    time: number;
    /** Of the method */
    steps: number;
    /** Of forces */
    evaluations: number;
    /** Of the clock [s] */
    wall: number;
    /** Real-time factor */
    rtf: number | null;
    /** How it ended */
    outcome: string;
    /** Ledger */
    energy?: Energy;
    /** Switches of the scene */
    effects?: Record<string, string>;
    /** By name */
    metrics: Record<string, Measured>;
    /** With their verdicts */
    expectations?: ExpectationRecord[];
    /** Of the run */
    warnings: string[];
    /** Of a run with `--certify` */
    certificate?: Certificate;
    /** Of `footfall twin` */
    twin?: Twin;
}
