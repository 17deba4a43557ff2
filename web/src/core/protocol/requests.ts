// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Requests and their answers. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

import type { Library } from "./library";
import type { Parameter } from "./scene";
import type { BatchSpread } from "./events";
import type { Outline } from "./outline";
import type { Summary } from "./summary";
import type { Bands } from "./document";

/** How much a message matters. */
export type Severity = "error" | "warning" | "note";

/** Something found in a file, with its place. */
export interface Message {
    /** Only an error makes a file unusable */
    severity: Severity;
    /** Seen from the project folder */
    file: string;
    /** Counted from 1; 0: not known */
    line: number;
    /** Counted from 1; 0: not known */
    column: number;
    /** A sentence */
    text: string;
}

/** Members of every request, in addition to its arguments. */
export interface Request {
    /** Repeated in the answer */
    id?: number | string;
    /** Name of the request */
    do: string;
}

/** Members of every answer, in addition to those of its request. */
export interface Answer {
    /** `id` of the request */
    id: number | string | null;
    /** False: the request was refused, and nothing has changed */
    ok: boolean;
    /** Messages about files and unknown arguments */
    messages: Message[];
}

/** Members of an answer whose `ok` is false. */
export interface Refusal {
    /** Why it was refused */
    error: string;
}

/** Columns that are watched from now on. */
export interface Watched {
    /** Names of the numbers that follow the time in a row */
    columns: string[];
    /** Units of the columns */
    units: string[];
}

/** A file. */
export interface Source {
    /** Text of the file on disk */
    text: string;
}

/** The outline of a text. */
export interface Outlined {
    /** Tree of the text */
    outline: Outline;
}

/** A script that runs. */
export interface Scripted {
    /** Parameters that the new script declares */
    parameters: Parameter[];
}

/** A run that has been saved. */
export interface Kept {
    /** Folder of the run */
    path: string;
    /** Name of the run */
    name: string;
    /** Simulated time [s] */
    time: number;
    /** Whether the run has a report page */
    report: boolean;
}

/** A run that has been certified. */
export interface Certified {
    /** Summary of the whole run, with its certificate; not after `stop` */
    summary?: Summary;
    /** Bands around the curves of recorded channels; present with `summary` */
    bands?: Bands;
}

/** A robot of the scene by name or number. */
export type RobotName = string | number;

/** Arguments of each request. */
export interface Requests {
    /** Lists the files of the project. Folders `tests`, `build*` and `out` are left out; of more than 2000 files, or 50 000 entries, the rest is not listed, with a warning. */
    list: Record<string, never>;
    /** Loads a scene or a robot. Event `scene`, paused at its start. If that fails, the present scene stays loaded. */
    load: {
        /** Path of a scene or robot file */
        scene: string;
        /** Name of a variant of the scene */
        variant?: string;
        /** Values to change, such as `solver.step=1e-3` */
        set?: string[];
        /** Loads a second robot, too ([twin](twin.md)), with these values changed */
        twin?: string[];
        /** Text to read in place of the file */
        text?: string;
        /** The same for files that are read meanwhile, such as its robot, by their paths */
        texts?: Record<string, string>;
    };
    /** Runs. Event `state`. */
    run: {
        /** 1 (default): real time; 0: as fast as possible; else 0.001 to 1000 */
        pace?: number;
    };
    /** Pauses. Event `state`. */
    pause: Record<string, never>;
    /** Runs for that time as fast as possible; pauses after the step that reaches it, and a `notice` reports if that step ends later. No step is shortened, so results stay bit-identical. Event `state`. */
    step: {
        /** Time to run; default: one step of the method [s] */
        seconds?: number;
    };
    /** Back to the start, paused, with scripts as they are now. Files are read again: where something has changed, event `scene` with a new generation. */
    reset: Record<string, never>;
    /** Sends rows of these channels to this page, with its frames. Names stay valid after `load` and `reset`. */
    watch: {
        /** Names of channels; an empty list ends it */
        channels?: string[];
        /** 100 (default); 0.1 to 1000 [Hz] */
        rate?: number;
    };
    /** Reads a file. */
    source: {
        /** Path of a file of the project */
        path: string;
    };
    /** Checks a file; `messages` are those of `footfall check`. */
    check: {
        /** Path of a file of the project */
        path: string;
        /** Text to read in place of the file */
        text?: string;
    };
    /** Writes a `.yaml` or `.lua` file, whole or not at all, and checks it. */
    save: {
        /** Path of a file of the project */
        path: string;
        /** Text of the file */
        text: string;
    };
    /** Pushes a body until the first step at or beyond the end. Event `pushed`; recorded as `push.force.x`, `.y`, `.z`, `push.body`. */
    push: {
        /** Number of the body in the model */
        body: number;
        /** Point of the body, in its frame [m] */
        point: number[];
        /** Force in world axes [N] */
        force: number[];
        /** Duration, 0.1 (default); 60 at most [s] */
        seconds?: number;
    };
    /** Pulls a body to a point by a spring and a damper, until the page disconnects. Each page can pull one body. */
    pull: {
        /** Number of the body in the model */
        body?: number;
        /** Point of the body, in its frame [m] */
        point?: number[];
        /** Point in the world; null ends it, else `body` and `point` are needed [m] */
        target?: number[] | null;
    };
    /** Moves a robot while paused. It then has no velocity, and its drives restart. */
    place: {
        /** May be omitted if the scene has one robot */
        robot?: RobotName;
        /** Position of the root of the robot [m] */
        position?: number[];
        /** Heading of the root of the robot [rad] */
        yaw?: number;
        /** Name of a joint, with `value` */
        joint?: string;
        /** New coordinate of the joint [rad, m] */
        value?: number;
    };
    /** Gives a controller a command, which acts from the next cycle on. */
    command: {
        /** May be omitted if the scene has one robot */
        robot?: RobotName;
        /** As an entry of [`commands`](scenes.md#controllers) without `at` */
        command: Record<string, unknown>;
    };
    /** Replaces the script of a robot [at once](controllers.md#while-it-runs). A broken one is refused with its line in `messages`. `reset` starts with the new text, `load` with that of the file. */
    script: {
        /** May be omitted if the scene has one robot */
        robot?: RobotName;
        /** Text of the script */
        text: string;
    };
    /** Sets a parameter of a script, which acts from the next cycle on. */
    parameter: {
        /** May be omitted if the scene has one robot */
        robot?: RobotName;
        /** Name of the parameter */
        name: string;
        /** New value */
        value: number;
    };
    /** Pictures of a camera come as binary messages, 15 a second at most. */
    camera: {
        /** A name of `cameras`; null ends it */
        sensor?: string | null;
    };
    /** Outlines a text for the [model editor](studio.md#model-editor). */
    outline: {
        /** Path of a file of the project */
        path: string;
        /** Text of the file */
        text: string;
    };
    /** Saves the run since the last reset as `out/NAME` ([files](#saved-runs)). The answer comes when the files are complete. One run is saved at a time. */
    keep: {
        /** Name of the run; a name in use is refused */
        name: string;
    };
    /** Makes a [certificate](certificate.md) of the scene while the simulation continues. The answer comes when it is done. One is made at a time, until the page leaves. */
    certify: {
        /** Cancels the one that is being made, whose answer then is a refusal */
        stop?: boolean;
    };
    /** Runs a [batch](batch.md) of the scene for all pages, until another scene is loaded. The answer comes when its robots stand at the start, or names everything that a batch cannot do. */
    batch: {
        /** 1024 (default); 1 to 262144 */
        robots?: number;
        /** Simulated time of each robot; default: that of the scene [s] */
        time?: number;
        /** Seed of the random numbers, 0 (default) to 1e12 */
        seed?: number;
        /** [distributions](batch.md#what-differs-from-robot-to-robot) of quantities, by name: `mass`, `mass.torso` */
        spread?: Record<string, BatchSpread>;
        /** Height below which a robot has fallen, --fall-height of [`footfall batch`](program.md#batch) [m] */
        fall_height?: number;
        /** Tilt beyond which it has fallen, --fall-tilt [rad] */
        fall_tilt?: number;
        /** [condition](batch.md#its-end-and-its-reward) that ends a robot, as --end */
        end?: string;
        /** Formula that is summed over the steps of a robot, as --reward */
        reward?: string;
        /** Largest number of simulated seconds a second; 0 (default): as fast as possible */
        pace?: number;
        /** Ends the running batch; all other arguments are ignored */
        stop?: boolean;
    };
    /** The next frame of the batch comes as a binary message, 20 a second at most. A page requests another when it has drawn this one, so that frames do not pile up. */
    batch_frame: Record<string, never>;
}

/** Members of the answer to each request, beside those of Answer. */
export interface Answers {
    list: Library;
    load: unknown;
    run: unknown;
    pause: unknown;
    step: unknown;
    reset: unknown;
    watch: Watched;
    source: Source;
    check: unknown;
    save: unknown;
    push: unknown;
    pull: unknown;
    place: unknown;
    command: unknown;
    script: Scripted;
    parameter: unknown;
    camera: unknown;
    outline: Outlined;
    keep: Kept;
    certify: Certified;
    batch: unknown;
    batch_frame: unknown;
}
