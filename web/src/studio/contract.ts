// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What page and program tell each other over the socket, as types (docs/studio.md, "Messages"). Everything the program sends is read as if parts could be
// missing: the page of one version may meet the program of another.
import type { Model } from "../core/document";

export type Severity = "error" | "warning" | "note";

/** Something found in a file, with its place. */
export interface Message {
    severity: Severity;
    file?: string;
    line?: number;
    column?: number;
    text: string;
}
export interface Answer {
    id: number;
    ok: boolean;
    error?: string;
    messages?: Message[];
    [more: string]: unknown;
}

export interface SceneEntry {
    path: string;
    title: string;
    group?: string;
    variants?: string[];
    /** Why it cannot run here. */
    needs?: string;
}
export interface RobotEntry {
    path: string;
    title?: string;
}
export interface TerrainEntry {
    name: string;
    help: string;
}
export interface RunEntry {
    name: string;
    title?: string;
    /** Simulated seconds. */
    time?: number;
    bytes?: number;
    /** When it was saved, seconds since 1970. */
    saved?: number;
}
export interface Library {
    scenes: SceneEntry[];
    robots: RobotEntry[];
    terrains: TerrainEntry[];
    scripts: string[];
    runs: RunEntry[];
}

/** One thing that can be asked of a gait: a slider, or a choice. */
export interface Command {
    key: string;
    unit?: string;
    low?: number;
    high?: number;
    value?: number | string;
    choices?: string[];
}
export interface Parameter {
    name: string;
    unit?: string;
    low?: number;
    high?: number;
    value: number;
}
export interface Control {
    kind: string;
    path?: string;
    text?: string;
    commands?: Command[];
    parameters?: Parameter[];
}
export interface Robot {
    name: string;
    prefix?: string;
    path?: string;
    /** Number of its root among the bodies of the model. */
    body: number;
    joints?: (number | string)[];
    control?: Control;
}
export interface ChannelEntry {
    name: string;
    unit: string;
    columns: string[];
}
export interface SensorEntry {
    name: string;
    kind: string;
    body: number;
}
/** A mesh inside the event, or where to fetch it. */
export type MeshSource = { vertices: string; triangles: string } | { url: string } | null;

/** Event `scene`: what was loaded. */
export interface Scene {
    generation: number;
    path: string;
    /** "robot": a robot's file alone. */
    kind?: string;
    title: string;
    description?: string;
    text?: string;
    variant?: string | null;
    /** Values changed as by --set. */
    set?: string[];
    variants?: string[];
    model: Partial<Model>;
    meshes?: MeshSource[];
    time?: number;
    /** null: the solver chooses it. */
    step?: number | null;
    method?: string;
    effects?: Record<string, string>;
    robots?: Robot[];
    channels?: ChannelEntry[];
    sensors?: SensorEntry[];
    cameras?: (string | { name: string })[];
    messages?: Message[];
}
/** Event `state`: how the simulation stands. */
export interface RunState {
    generation: number;
    t: number;
    running: boolean;
    /** Factor of real time; 0: as fast as possible. */
    pace: number;
    /** Why it goes no further: "finished", or what happened; null while it can. */
    ended: string | null;
    rtf: number | null;
    recorded_s?: number;
    clients?: number;
    /** How often a scene began, by loads and resets. */
    starts?: number;
}
/** Event `control`: what a robot can be asked for, as it is now, whoever asked. */
export interface ControlState {
    generation: number;
    robot: number;
    commands: Command[];
    parameters: Parameter[];
}
/** Event `notice`. */
export interface Notice extends Message {
    /** When the page heard of it, as the clock on the wall has it [ms]. */
    at: number;
    /** Simulated time then [s]. */
    t: number;
    /** How often the same was said in a row. */
    times: number;
    /** Said on the way, such as what a load remarks: listed, but not put over the viewport. */
    quiet?: boolean;
}

export interface Verbs {
    list: Record<string, never>;
    /** `texts`: what stands in for files that are read on the way, by their paths. */
    load: { scene: string; variant?: string; set?: string[]; text?: string; texts?: Record<string, string> };
    run: { pace: number };
    pause: Record<string, never>;
    reset: Record<string, never>;
    step: { seconds?: number };
    push: { body: number; point: number[]; force: number[]; seconds: number };
    pull: { body: number; point: number[]; target: number[] | null };
    place: { robot: number | string; position?: number[]; yaw?: number; joint?: string; value?: number };
    command: { robot: number | string; wish: Record<string, number | string | boolean | number[]> };
    script: { robot: number | string; text: string };
    parameter: { robot: number | string; name: string; value: number };
    watch: { channels: string[]; rate: number };
    camera: { sensor: string | null };
    source: { path: string };
    save: { path: string; text: string };
    check: { path: string; text: string };
    outline: { path: string; text: string };
    keep: { name: string };
}
export type Verb = keyof Verbs;
