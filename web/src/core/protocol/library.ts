// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of the project. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

/** A scene of the project. */
export interface SceneEntry {
    /** Of the file */
    path: string;
    /** Of the scene, else the name of its file */
    title: string;
    /** Folder */
    group: string;
    /** Why it cannot run here, such as a controller that a program must bring */
    needs?: string;
    /** Names */
    variants: string[];
}

/** A robot of the project. */
export interface RobotEntry {
    /** Of the file */
    path: string;
    /** Of the robot, else the name of its file */
    title: string;
}

/** A kind of terrain that a scene can have. */
export interface TerrainEntry {
    /** Key under `terrain` of a scene */
    name: string;
    /** What it is */
    help: string;
}

/** A run that was saved. */
export interface RunEntry {
    /** Folder under `out` */
    name: string;
    /** Of the summary, else the name */
    title: string;
    /** Simulated [s] */
    time: number;
    /** How it ended; empty: not known */
    outcome: string;
    /** Of recording and report */
    bytes: number;
    /** Since 1970 [s] */
    saved: number;
    /** There is a page to show */
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
    /** What was saved under `out` */
    runs: RunEntry[];
}
