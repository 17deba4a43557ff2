// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The tree of a text, for the model editor. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

/** Kind of a value in a text. */
export type OutlineKind = "map" | "list" | "number" | "choice" | "flag" | "text" | "null" | "alias";

/** One value of a text. */
export interface OutlineNode {
    /** Number of the entry that contains it; -1: none */
    parent: number;
    /** Name in a map; items of lists have none */
    key?: string;
    /** Line of the key, else of the value */
    line: number;
    /** Column of the key, else of the value */
    column: number;
    /** Element that it describes: `body`, `joint`, `drive`, .. */
    role?: string;
    /** Meaning of the key */
    help?: string;
    /** Value that applies without the key; `needed`: the key is required */
    default?: string;
    /** YAML anchor */
    anchor?: string;
    /** Kind of the value; a value that aliases repeat is one entry */
    kind: OutlineKind;
    /** Line of the value, where messages point */
    at?: number;
    /** Column of the value */
    from?: number;
    /** Start of the value in the text, without anchor, tag and comment [byte] */
    begin?: number;
    /** End of the value in the text [byte] */
    end?: number;
    /** Value as written; for an alias: the anchor */
    text?: string;
    /** The text was in quotes */
    quoted?: boolean;
    /** Value in SI units, if it can be evaluated */
    value?: number | null;
    /** Unit of the number */
    unit?: string;
    /** Smallest value */
    low?: number;
    /** Largest value */
    high?: number;
    /** `low` itself is too low */
    above?: boolean;
    /** `high` itself is too high */
    below?: boolean;
    /** Zero is refused */
    nonzero?: boolean;
    /** Allowed words */
    choices?: string[];
    /** Source of the number */
    origin?: string;
    /** Names of the elements of the robot that it defines (shapes: of their bodies) */
    makes?: string[];
}

/** The values of a text as a tree. */
export interface Outline {
    /** Format of the file */
    format: "native" | "urdf" | "mjcf" | "scene";
    /** False: it is only shown */
    editable: boolean;
    /** Name of a robot in URDF or MJCF */
    name?: string;
    /** In the order of the file, 10 000 at most */
    nodes: OutlineNode[];
}
