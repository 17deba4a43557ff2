// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The tree of a text, for the model editor. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

/** Kind of a value in a text. */
export type OutlineKind = "map" | "list" | "number" | "choice" | "flag" | "text" | "null" | "alias";

/** One value of a text. */
export interface OutlineNode {
    /** Number of the entry around it; -1: the top */
    parent: number;
    /** Name in a map; items of lists have none */
    key?: string;
    /** Line of the key, else of the value */
    line: number;
    /** Column of the key, else of the value */
    column: number;
    /** What it is: `body`, `joint`, `drive`, .. */
    role?: string;
    /** What the key means */
    help?: string;
    /** What holds without the key; `needed`: it cannot be left out */
    default?: string;
    /** Name by which it can be repeated */
    anchor?: string;
    /** Kind of value; what is written once is one entry, however often it is repeated */
    kind: OutlineKind;
    /** Line of the value, where messages point */
    at?: number;
    /** Column of the value */
    from?: number;
    /** Start of the value in the text, without anchor, tag and comment [byte] */
    begin?: number;
    /** End of the value in the text [byte] */
    end?: number;
    /** As written; of an alias: the anchor */
    text?: string;
    /** The text was in quotes */
    quoted?: boolean;
    /** In SI units, where it can be evaluated */
    value?: number | null;
    /** Unit of the number */
    unit?: string;
    /** Least value */
    low?: number;
    /** Greatest value */
    high?: number;
    /** `low` itself is too low */
    above?: boolean;
    /** `high` itself is too high */
    below?: boolean;
    /** Zero is refused */
    nonzero?: boolean;
    /** Allowed words */
    choices?: string[];
    /** Where the number comes from */
    origin?: string;
    /** Names of the elements of the robot that it defines (shapes: of their bodies) */
    makes?: string[];
}

/** The values of a text as a tree. */
export interface Outline {
    /** Format of the file */
    format: "native" | "urdf" | "mjcf" | "scene";
    /** False: shown only */
    editable: boolean;
    /** Name of a robot in URDF or MJCF */
    name?: string;
    /** In the order of the file, 10 000 at most */
    nodes: OutlineNode[];
}
