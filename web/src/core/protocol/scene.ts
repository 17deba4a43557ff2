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
    /** Unit of the value */
    unit: string;
    /** Present value */
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
    /** Unit of the value */
    unit: string;
    /** Least value; null: no bound */
    low: number | null;
    /** Greatest value; null: no bound */
    high: number | null;
    /** Present value */
    value: number;
}

/** The controller of a robot. */
export interface Control {
    /** Of the controller; `hold`: the [joint law](scenes.md#the-joint-law) alone; `none`: nothing */
    kind: string;
    /** Path of its script */
    path?: string;
    /** Text of its script when the event was sent */
    text?: string;
    /** Commands that it takes */
    commands: Command[];
    /** Parameters of its script */
    parameters: Parameter[];
}

/** A robot of the scene. */
export interface Robot {
    /** Name in the scene */
    name: string;
    /** Prefix of the names of its bodies and joints */
    prefix: string;
    /** Path of its file */
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
    /** Unit of all its columns */
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
    /** Size of the answer to GET */
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
    /** Path of the file */
    path: string;
    /** `robot`: the file of a robot alone */
    kind: "scene" | "robot";
    /** Title of the scene */
    title: string;
    /** Description of the scene */
    description: string;
    /** Text of the file, or the text that was given in place of it */
    text: string;
    /** The text is not that of the file */
    unsaved: boolean;
    /** Variant that is loaded; null: none */
    variant: string | null;
    /** Names of the variants */
    variants: string[];
    /** Values changed as by --set */
    set: string[];
    /** There is a second robot ([twin](twin.md)), with these values changed as well */
    twin?: string[];
    /** Simulated time at which the scene ends [s] */
    time: number;
    /** Integration method */
    method: string;
    /** Step of the method; null: error control chooses it [s] */
    step: number | null;
    /** Switches of the scene, such as `drives: full` */
    effects: Record<string, string>;
    /** In the order of the file */
    robots: Robot[];
    /** 5000 at most; others can be watched, too */
    channels: ChannelEntry[];
    /** Sensors of all robots */
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
