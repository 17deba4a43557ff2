// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What was loaded. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

import type { Message } from "./requests";
import type { Model } from "./model";

/** One command that a controller takes, with its present value. */
export interface Command {
    /** Name */
    key: string;
    /** Of the value */
    unit: string;
    /** As it is now */
    value: number | string;
    /** Words it may have; then it has no range */
    choices?: string[];
    /** Least value for a slider */
    low?: number;
    /** Greatest value for a slider */
    high?: number;
}

/** One parameter of a script, with its present value. */
export interface Parameter {
    /** As the script declares it */
    name: string;
    /** Of the value */
    unit: string;
    /** Least value; null: no bound */
    low: number | null;
    /** Greatest value; null: no bound */
    high: number | null;
    /** As it is now */
    value: number;
}

/** The controller of a robot. */
export interface Control {
    /** Of the controller; `hold`: the [joint law](scenes.md#the-joint-law) alone; `none`: nothing */
    kind: string;
    /** Of its script */
    path?: string;
    /** Of its script, as it was when the event was made */
    text?: string;
    /** That it takes */
    commands: Command[];
    /** That it has */
    parameters: Parameter[];
}

/** A robot of the scene. */
export interface Robot {
    /** In the scene */
    name: string;
    /** Of the names of its bodies and joints */
    prefix: string;
    /** Of its file */
    path: string;
    /** Number of its root in the model; -1: nothing of it moves */
    body: number;
    /** Numbers of its joints in the model */
    joints: number[];
    /** Its controller */
    control: Control;
}

/** A channel that can be watched. */
export interface ChannelEntry {
    /** To be watched or recorded */
    name: string;
    /** Of all its columns */
    unit: string;
    /** Names; a single column has an empty one */
    columns: string[];
}

/** A sensor of the scene. */
export interface SensorEntry {
    /** In the model */
    name: string;
    /** As a robot file says it */
    kind: string;
    /** Number of the body that carries it */
    body: number;
    /** In the frame of the body [m] */
    pos: number[];
}

/** A mesh inside a message. */
export interface MeshData {
    /** Base64 of 32-bit floats, x y z of each corner [m] */
    vertices: string;
    /** Base64 of unsigned 32-bit numbers, three corners of each triangle */
    triangles: string;
}

/** A mesh to be fetched: beyond 2 MiB in all. */
export interface MeshLink {
    /** GET gives u32 corners, u32 triangles, then 3 f32 for each corner and 3 u32 for each triangle */
    url: string;
    /** Of what GET gives */
    bytes: number;
}

/** A mesh; null where its file is missing. */
export type MeshSource = MeshData | MeshLink | null;

/** Event `scene`: what was loaded. */
export interface Scene {
    /** Name of the event */
    event: "scene";
    /** Number of the scene; a load gives a new one */
    generation: number;
    /** Of the file */
    path: string;
    /** `robot`: the file of a robot alone */
    kind: "scene" | "robot";
    /** Of the scene */
    title: string;
    /** Of the scene */
    description: string;
    /** Of the file, or what stands in for it */
    text: string;
    /** The text is not that of the file */
    unsaved: boolean;
    /** That is loaded; null: none */
    variant: string | null;
    /** Names */
    variants: string[];
    /** Values changed as by --set */
    set: string[];
    /** There is a second robot ([twin](twin.md)), with these values changed as well */
    twin?: string[];
    /** At which the scene ends [s] */
    time: number;
    /** Of integration */
    method: string;
    /** Null: the method chooses it [s] */
    step: number | null;
    /** Switches of the scene, such as `drives: full` */
    effects: Record<string, string>;
    /** In the order of the file */
    robots: Robot[];
    /** 5000 at most; others can be watched, too */
    channels: ChannelEntry[];
    /** Of all robots */
    sensors: SensorEntry[];
    /** Names of the sensors that take pictures */
    cameras: string[];
    /** Found while loading */
    messages: Message[];
    /** Compiled from all robots and the terrain */
    model: Model;
    /** One for each mesh of the model */
    meshes: MeshSource[];
}
