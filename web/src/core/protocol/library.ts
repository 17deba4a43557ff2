// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of the project. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

/** A scene of the project. */
export interface SceneEntry {
    /** Path of the file */
    path: string;
    /** Title of the scene, else the name of its file */
    title: string;
    /** Folder */
    group: string;
    /** Reason why it cannot run in the studio, such as a controller that is part of another program */
    needs?: string;
    /** Names of the variants */
    variants: string[];
}

/** A robot of the project. */
export interface RobotEntry {
    /** Path of the file */
    path: string;
    /** Name of the robot, else the name of its file */
    title: string;
}

/** A kind of terrain that a scene can have. */
export interface TerrainEntry {
    /** Key under `terrain` of a scene */
    name: string;
    /** Meaning */
    help: string;
}

/** A run that was saved. */
export interface RunEntry {
    /** Folder under `out` */
    name: string;
    /** Title of the summary, else the name */
    title: string;
    /** Simulated time [s] */
    time: number;
    /** How the run ended; empty: not known */
    outcome: string;
    /** Size of recording and report */
    bytes: number;
    /** Time at which it was saved, since 1970 [s] */
    saved: number;
    /** Whether the run has a report page */
    report: boolean;
}

/** The files of the project. */
export interface Library {
    /** Files of scenes */
    scenes: SceneEntry[];
    /** Files of robots */
    robots: RobotEntry[];
    /** Paths of Lua files */
    scripts: string[];
    /** Kinds of terrain */
    terrains: TerrainEntry[];
    /** Saved runs */
    runs: RunEntry[];
}
