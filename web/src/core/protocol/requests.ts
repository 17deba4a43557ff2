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

/** What every request has beside its arguments. */
export interface Request {
    /** Repeated in the answer */
    id?: number | string;
    /** Name of the request */
    do: string;
}

/** What every answer has beside the members of its request. */
export interface Answer {
    /** Of the request */
    id: number | string | null;
    /** False: refused, and nothing has changed */
    ok: boolean;
    /** About files and unknown arguments */
    messages: Message[];
}

/** What an answer has beside these where `ok` is false. */
export interface Refusal {
    /** Why it was refused */
    error: string;
}

/** Columns that are watched from now on. */
export interface Watched {
    /** Names of the numbers behind the time of a row */
    columns: string[];
    /** Of the columns */
    units: string[];
}

/** A file. */
export interface Source {
    /** Of the file on disk */
    text: string;
}

/** The outline of a text. */
export interface Outlined {
    /** Tree of the text */
    outline: Outline;
}

/** A script that runs. */
export interface Scripted {
    /** That the new script declares */
    parameters: Parameter[];
}

/** A run that has been saved. */
export interface Kept {
    /** Folder of the run */
    path: string;
    /** Of the run */
    name: string;
    /** Simulated [s] */
    time: number;
    /** There is a page to show */
    report: boolean;
}

/** A run that has been certified. */
export interface Certified {
    /** Of the scene from its start to its end, with its certificate; not after `stop` */
    summary?: Summary;
    /** With it: around the curves of what the scene records */
    bands?: Bands;
}

/** A robot of the scene by name or number. */
export type RobotName = string | number;

/** Arguments of each request. */
export interface Requests {
    /** Lists the files of the project. Folders `tests`, `build*` and `out` are left out; of more than 2000 files, or 50 000 entries, the rest is not listed, with a warning. */
    list: Record<string, never>;
    /** Loads a scene or a robot. Event `scene`, paused at its start. What cannot be loaded leaves the scene before. */
    load: {
        /** Path of a scene or robot file */
        scene: string;
        /** Of the scene */
        variant?: string;
        /** Values to change, such as `solver.step=1e-3` */
        set?: string[];
        /** A second robot beside it ([twin](twin.md)), with these values changed, too */
        twin?: string[];
        /** In place of that of the file */
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
    /** Runs for that time as fast as possible and pauses at the first step at or beyond it; a `notice` reports a step that ends beyond. Steps are never cut: the bits are those of `footfall run`. Event `state`. */
    step: {
        /** Without it one step of the method [s] */
        seconds?: number;
    };
    /** Back to the start, paused, with scripts as they are now. Files are read again: where something has changed, event `scene` with a new generation. */
    reset: Record<string, never>;
    /** Rows of these channels come with frames, for this page. Names stay valid over `load` and `reset`. */
    watch: {
        /** Names; none ends it */
        channels?: string[];
        /** 100 (default); 0.1 to 1000 [Hz] */
        rate?: number;
    };
    /** Reads a file. */
    source: {
        /** Of a file of the project */
        path: string;
    };
    /** Checks a file; `messages` are those of `footfall check`. */
    check: {
        /** Of a file of the project */
        path: string;
        /** In place of that of the file */
        text?: string;
    };
    /** Writes a `.yaml` or `.lua` file, whole or not at all, and checks it. */
    save: {
        /** Of a file of the project */
        path: string;
        /** Of the file */
        text: string;
    };
    /** Pushes a body until the first step at or beyond the end. Event `pushed`; recorded as `push.force.x`, `.y`, `.z`, `push.body`. */
    push: {
        /** Number in the model */
        body: number;
        /** In the frame of the body [m] */
        point: number[];
        /** In world axes [N] */
        force: number[];
        /** 0.1 (default); 60 at most [s] */
        seconds?: number;
    };
    /** Pulls a body to a point by spring and damper, one for each page; ends when the page leaves. */
    pull: {
        /** Number in the model */
        body?: number;
        /** In the frame of the body [m] */
        point?: number[];
        /** In the world; null ends it, else `body` and `point` are needed [m] */
        target?: number[] | null;
    };
    /** Moves a robot while paused. It is at rest then, and its drives restart. */
    place: {
        /** May be left out where there is one */
        robot?: RobotName;
        /** Of its root [m] */
        position?: number[];
        /** Heading of its root [rad] */
        yaw?: number;
        /** Name of a joint, with `value` */
        joint?: string;
        /** Of the joint [rad, m] */
        value?: number;
    };
    /** Gives a controller a command, which acts from the next cycle on. */
    command: {
        /** May be left out where there is one */
        robot?: RobotName;
        /** As an entry of [`commands`](scenes.md#controllers) without `at` */
        command: Record<string, unknown>;
    };
    /** Replaces the script of a robot [at once](controllers.md#while-it-runs). A broken one is refused with its line in `messages`. `reset` starts with the new text, `load` with that of the file. */
    script: {
        /** May be left out where there is one */
        robot?: RobotName;
        /** Of the script */
        text: string;
    };
    /** Sets a parameter of a script, which acts from the next cycle on. */
    parameter: {
        /** May be left out where there is one */
        robot?: RobotName;
        /** Of the parameter */
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
        /** Of a file of the project */
        path: string;
        /** Of the file */
        text: string;
    };
    /** Saves the run since the last reset as `out/NAME` ([files](#saved-runs)). The answer comes when the files are complete. One run is saved at a time. */
    keep: {
        /** Of the run; one that is taken is refused */
        name: string;
    };
    /** Makes a [certificate](certificate.md) of the scene while the simulation goes on. The answer comes when it is done. One is made at a time, until the page leaves. */
    certify: {
        /** Cancels the one that is being made, whose answer then is a refusal */
        stop?: boolean;
    };
    /** Runs a [batch](batch.md) of the scene for all pages, until another scene is loaded. The answer comes when its robots stand at the start, or names everything that a batch cannot do. */
    batch: {
        /** 1024 (default); 1 to 262144 */
        robots?: number;
        /** Of each; without it that of the scene [s] */
        time?: number;
        /** Of the random numbers, 0 (default) to 1e12 */
        seed?: number;
        /** What each robot [draws](batch.md#what-differs-from-robot-to-robot), by name: `mass`, `mass.torso` */
        spread?: Record<string, BatchSpread>;
        /** As --fall-height of [`footfall batch`](program.md#batch) [m] */
        fall_height?: number;
        /** As --fall-tilt [rad] */
        fall_tilt?: number;
        /** [condition](batch.md#its-end-and-its-reward) that ends a robot, as --end */
        end?: string;
        /** Formula that is summed over the steps of a robot, as --reward */
        reward?: string;
        /** Most simulated seconds a second; 0 (default): as fast as possible */
        pace?: number;
        /** Ends the one that runs; nothing else is read */
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
