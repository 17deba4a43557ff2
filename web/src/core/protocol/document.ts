// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A run for the report. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

import type { MeshSource } from "./scene";
import type { Model } from "./model";
import type { Measured, Summary } from "./summary";

/** Kinds of events of a run ([table](studio.md#events-of-a-run)). */
export type EventKind = "touchdown" | "liftoff" | "fall" | "rise" | "push" | "pull" | "force" | "command" | "status" | "calm" | "more";

/** Something that happened during a run. */
export interface RunEvent {
    /** When [s] */
    t: number;
    /** What happened */
    kind: EventKind;
    /** Of `touchdown` and `liftoff` */
    leg?: number;
    /** That a force acts on */
    body?: number;
    /** Where it acts, in the frame of the body [m] */
    point?: number[];
    /** In world axes; of a pull: `push.force.*` is recorded [N] */
    force?: number[];
    /** How long it acts; null: to the end [s] */
    seconds?: number | null;
    /** A sentence */
    what: string;
}

/** Which rows of the recording the document has. */
export interface Decimation {
    /** Of the rows in the document [Hz] */
    rate_hz: number;
    /** Rows in the document */
    kept: number;
    /** Rows in the recording */
    of: number;
    /** A sentence for the page */
    how: string;
}

/** The scene of a run. */
export interface SceneText {
    /** Of the file */
    text: string;
    /** Of the file */
    path?: string;
    /** Of the scene */
    title?: string;
    /** Of the scene, with what this run had otherwise */
    description?: string;
}

/** Numbers over time. */
export interface RecordedChannel {
    /** In the model */
    name: string;
    /** Of all its columns */
    unit: string;
    /** Names */
    columns: string[];
    /** Base64 of little-endian 32-bit floats, row after row */
    data: string;
}

/** One number a time; null where there is none. */
export type Edge = Measured[];

/** The band around a channel. */
export interface Band {
    /** Of the channel */
    name: string;
    /** Lower edge, of each column */
    low: Edge[];
    /** Upper edge */
    high: Edge[];
}

/** Bands around the curves of a run. */
export interface Bands {
    /** From each time to the next an edge is the outermost of all samples [s] */
    time: number[];
    /** Those of the recording */
    channels: Band[];
}

/** A run for the report. */
export interface RunDocument {
    /** Version, 1; a page refuses others */
    footfall: number;
    /** `summary.json`, where it lies beside the recording */
    summary?: Summary;
    /** What was simulated */
    scene: SceneText;
    /** Of recordings that have one */
    model?: Model;
    /** With `model`; null where one is missing, or beyond 3 MiB in all */
    meshes?: MeshSource[];
    /** How many of the samples are here */
    decimation: Decimation;
    /** Base64 of little-endian 32-bit floats [s] */
    time: string;
    /** With as many rows as `time` */
    channels: RecordedChannel[];
    /** By time */
    events: RunEvent[];
    /** `bands.json` of a run with a certificate */
    bands?: Bands;
}
