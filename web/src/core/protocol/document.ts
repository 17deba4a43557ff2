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
    /** Time of the event [s] */
    t: number;
    /** Kind of the event */
    kind: EventKind;
    /** Leg of `touchdown` and `liftoff` */
    leg?: number;
    /** Body that a force acts on */
    body?: number;
    /** Point at which it acts, in the frame of the body [m] */
    point?: number[];
    /** Force in world axes; that of a pull is recorded as `push.force.*` [N] */
    force?: number[];
    /** Duration; null: to the end [s] */
    seconds?: number | null;
    /** A sentence */
    what: string;
}

/** Which rows of the recording the document has. */
export interface Decimation {
    /** Rate of the rows in the document [Hz] */
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
    /** Text of the file */
    text: string;
    /** Path of the file */
    path?: string;
    /** Title of the scene */
    title?: string;
    /** Description of the scene, with the changes of this run */
    description?: string;
}

/** Numbers over time. */
export interface RecordedChannel {
    /** In the model */
    name: string;
    /** Unit of all its columns */
    unit: string;
    /** Names */
    columns: string[];
    /** Base64 of little-endian 32-bit floats, row after row */
    data: string;
}

/** One number for each time; null: none. */
export type Edge = Measured[];

/** The band around a channel. */
export interface Band {
    /** Name of the channel */
    name: string;
    /** Lower edge, of each column */
    low: Edge[];
    /** Upper edge, of each column */
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
    /** `summary.json`, if it is in the folder of the recording */
    summary?: Summary;
    /** Scene of the run */
    scene: SceneText;
    /** Compiled model, if the recording has one */
    model?: Model;
    /** With `model`; null: missing, or all meshes exceed 3 MiB */
    meshes?: MeshSource[];
    /** Which rows of the recording the document has */
    decimation: Decimation;
    /** Base64 of little-endian 32-bit floats [s] */
    time: string;
    /** With as many rows as `time` */
    channels: RecordedChannel[];
    /** Events in the order of time */
    events: RunEvent[];
    /** `bands.json` of a run with a certificate */
    bands?: Bands;
}
