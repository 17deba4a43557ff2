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
    /** Allowed words, in place of a range */
    choices?: string[];
    /** Smallest value of the slider */
    low?: number;
    /** Largest value of the slider */
    high?: number;
}

/** One parameter of a script, with its present value. */
export interface Parameter {
    /** Name in the script */
    name: string;
    /** Unit of the value */
    unit: string;
    /** Smallest value; null: no bound */
    low: number | null;
    /** Largest value; null: no bound */
    high: number | null;
    /** Present value */
    value: number;
}

/** The controller of a robot. */
export interface Control {
    /** Kind of the controller; `hold`: only the [joint law](scenes.md#the-joint-law); `none`: no controller */
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
    /** Number of its root body in the model; -1: the robot has no moving body */
    body: number;
    /** Numbers of its joints in the model */
    joints: number[];
    /** Its controller */
    control: Control;
}

/** A channel that can be watched. */
export interface ChannelEntry {
    /** Name of the channel */
    name: string;
    /** Unit of all its columns */
    unit: string;
    /** Names of the columns; the name of a single column is empty */
    columns: string[];
}

/** A sensor of the scene. */
export interface SensorEntry {
    /** In the model */
    name: string;
    /** Type of the sensor, as in robot files */
    kind: string;
    /** Number of the body to which it is fixed */
    body: number;
    /** Position in the frame of the body [m] */
    pos: number[];
}

/** A mesh inside a message. */
export interface MeshData {
    /** Base64 of 32-bit floats, x y z of each corner [m] */
    vertices: string;
    /** Base64 of unsigned 32-bit numbers, three corners of each triangle */
    triangles: string;
}

/** A mesh that the page must fetch, because all meshes together exceed 2 MiB. */
export interface MeshLink {
    /** Address of: u32 number of corners, u32 number of triangles, 3 f32 for each corner, 3 u32 for each triangle */
    url: string;
    /** Size of the content */
    bytes: number;
}

/** A mesh; null if its file is missing. */
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
    /** The text differs from that of the file */
    unsaved: boolean;
    /** Variant that is loaded; null: none */
    variant: string | null;
    /** Names of the variants */
    variants: string[];
    /** Values changed as by --set */
    set: string[];
    /** Values changed for a second robot ([twin](twin.md)); missing: there is none */
    twin?: string[];
    /** Simulated time at which the scene ends [s] */
    time: number;
    /** Integration method */
    method: string;
    /** Step of the method; null: error control chooses it [s] */
    step: number | null;
    /** Level of modelling (`effects`) of the scene, such as `drives: full` */
    effects: Record<string, string>;
    /** In the order of the file */
    robots: Robot[];
    /** 5000 at most; others can be watched, too */
    channels: ChannelEntry[];
    /** Sensors of all robots */
    sensors: SensorEntry[];
    /** Names of the sensors that take pictures */
    cameras: string[];
    /** Messages found while loading */
    messages: Message[];
    /** Compiled from all robots and the terrain */
    model: Model;
    /** One for each mesh of the model */
    meshes: MeshSource[];
}
