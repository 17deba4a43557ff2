// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the program and its pages send each other. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

/** Requests and their answers. */
export * from "./requests";
/** The files of the project. */
export * from "./library";
/** What was loaded. */
export * from "./scene";
/** What the program says unasked. */
export * from "./events";
/** The tree of a text, for the model editor. */
export * from "./outline";
/** The compiled model. */
export * from "./model";
/** `summary.json`: how a run ended. */
export * from "./summary";
/** How far a run can be relied on. */
export * from "./certificate";
/** Comparison with a second robot. */
export * from "./twin";
/** A run for the report. */
export * from "./document";
/** Binary messages: frames and pictures. */
export * from "./frames";
