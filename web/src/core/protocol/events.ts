// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the program says unasked. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

import type { Severity } from "./requests";
import type { Command, Parameter, Scene } from "./scene";
import type { Measured } from "./summary";

/** Event `state`: the present state of the simulation. */
export interface RunState {
    /** Name of the event */
    event: "state";
    /** Number of the scene; 0: nothing is loaded */
    generation: number;
    /** Number of loads and resets so far */
    starts: number;
    /** Simulated time [s] */
    t: number;
    /** False: paused */
    running: boolean;
    /** Factor of real time; 0: as fast as possible */
    pace: number;
    /** `finished`, or `diverged: ..`; null while it can continue */
    ended: string | null;
    /** Real-time factor: simulated time over real time */
    rtf: number;
    /** Time up to which there is a recording [s] */
    recorded_s: number;
    /** False: nothing is recorded, or the recording is full */
    recording: boolean;
    /** Pages that are connected */
    clients: number;
}

/** Event `notice`: something happened. */
export interface NoticeEvent {
    /** Name of the event */
    event: "notice";
    /** Severity */
    severity: Severity;
    /** A sentence */
    text: string;
    /** Seen from the project folder */
    file?: string;
    /** Counted from 1 */
    line?: number;
}

/** Event `control`: commands and parameters of a robot, changed by any page or by the scene. */
export interface ControlState {
    /** Name of the event */
    event: "control";
    /** Number of the scene */
    generation: number;
    /** Number among `robots` */
    robot: number;
    /** Commands with ranges, which depend on the gait */
    commands: Command[];
    /** Parameters with their present values */
    parameters: Parameter[];
}

/** Event `pushed`: a body is pushed. */
export interface Pushed {
    /** Name of the event */
    event: "pushed";
    /** Simulated time at which the push began [s] */
    t: number;
    /** Number in the model */
    body: number;
    /** Position in the frame of the body [m] */
    point: number[];
    /** In world axes [N] */
    force: number[];
    /** Duration [s] */
    seconds: number;
}

/** Bounds of a uniform distribution. */
export type BatchRange = number[];

/** A [distribution](batch.md#what-differs-from-robot-to-robot) by its name. */
export interface BatchDraw {
    /** Kind of the distribution */
    kind: "uniform" | "log_uniform" | "normal" | "choice";
    /** Two bounds; for `normal` mean and deviation, and optional bounds; for `choice` its values */
    numbers: number[];
}

/** How a quantity differs from robot to robot. */
export type BatchSpread = BatchRange | BatchDraw;

/** A number of each robot of a batch. */
export interface BatchColumn {
    /** Such as `distance`, or a factor that robots drew */
    name: string;
    /** Unit of its numbers; 1: a factor */
    unit: string;
    /** Meaning */
    help: string;
    /** Smallest of all robots */
    least: Measured;
    /** 5 % of the robots have less */
    low: Measured;
    /** Half of the robots have less */
    median: Measured;
    /** 5 % of the robots have more */
    high: Measured;
    /** Largest of all robots */
    most: Measured;
    /** Mean of all robots */
    mean: Measured;
}

/** Event `batch`: the present state of a [batch](batch.md). */
export interface BatchState {
    /** Name of the event */
    event: "batch";
    /** Number of the scene */
    generation: number;
    /** Number of the batch, counted from 1 */
    number: number;
    /** Number of robots of the batch */
    robots: number;
    /** Frames contain every stride-th robot; 1: all */
    stride: number;
    /** Seed of its random numbers */
    seed: number;
    /** Distributions of the drawn quantities, by name */
    spread: Record<string, BatchSpread>;
    /** Condition that ends a robot; null: none */
    end: string | null;
    /** Formula of the column `reward`; null: none */
    reward: string | null;
    /** Simulated time [s] */
    t: number;
    /** Simulated time at which it ends [s] */
    time: number;
    /** False: it has ended */
    running: boolean;
    /** `finished`, `stopped`, `all robots have ended`, or the reason of a failure; null while it runs */
    ended: string | null;
    /** Robot-steps per second of real time [1/s] */
    rate: number;
    /** Robots that have not ended */
    lives: number;
    /** Robots that fell */
    fell: number;
    /** Robots whose state diverged */
    diverged: number;
    /** Robots for which the condition `end` held */
    finished: number;
    /** Time of the first fall, median, time of the last fall [s] */
    falls: Measured[];
    /** Columns of frames, with their quantiles over all robots */
    columns: BatchColumn[];
}

/** Events by name. */
export interface Events {
    /** After a load, and after a reset that finds a changed file. */
    scene: Scene;
    /** After every change, and twice a second while it runs. */
    state: RunState;
    /** Falls, lines that scripts print, their failures, reports of controllers, the verdict at the end of the scene. */
    notice: NoticeEvent;
    /** After a command, parameter or script of any page, a command of the scene itself (within 0.25 s), a load and a reset, if something differs from the last event. */
    control: ControlState;
    /** After a push of any page. */
    pushed: Pushed;
    /** When a batch begins and ends, and four times a second at most while it runs; when a page connects. */
    batch: BatchState;
}
