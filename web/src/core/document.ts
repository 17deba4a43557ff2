// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A run as the program gives it to the page: one JSON document (docs/studio.md describes it). Numbers over time travel as base64 of little-endian
// 32-bit floats, which is what browsers' machines use themselves. What does not fit is left out and named in `problems`; only a document that has no
// time at all is refused.
import type { Leg, MeshData, MeshSource, Model, RunDocument, Summary } from "./protocol";

/** Numbers of one recorded quantity: `columns.length` of them a row, row after row. */
export interface Channel {
    name: string;
    unit: string;
    columns: string[];
    data: Float32Array;
}
export interface Mesh {
    vertices: Float32Array;
    triangles: Uint32Array;
}

/** A document that cannot be used; the message is shown to the user. */
export class DocumentError extends Error {}

function bytesOf(base64: string): ArrayBuffer {
    let text: string;
    try {
        text = atob(base64);
    } catch {
        throw new DocumentError("numbers are not valid base64");
    }
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    if (bytes.length % 4 !== 0) throw new DocumentError(`${bytes.length} bytes are no whole number of 32-bit values`);
    return bytes.buffer;
}

export function decodeFloats(base64: string): Float32Array {
    return new Float32Array(bytesOf(base64));
}

/** Throws DocumentError if the numbers are no mesh. */
export function decodeMesh(m: MeshData): Mesh {
    return wholeMesh(decodeFloats(m.vertices), new Uint32Array(bytesOf(m.triangles)));
}

export function wholeMesh(vertices: Float32Array, triangles: Uint32Array): Mesh {
    const count = vertices.length / 3;
    if (triangles.some((i) => i >= count)) throw new DocumentError("a corner is out of range");
    return { vertices, triangles };
}

/** The model, with an empty list for each list that the document lacks. */
export function completeModel(given: Partial<Model>): Model {
    const empty: Model = {
        footfall_model: 1,
        name: "robot",
        nq: 0,
        nv: 0,
        mass: 0,
        gravity: [0, 0, -9.81],
        q0: [],
        nodes: [],
        bodies: [],
        joints: [],
        geoms: [],
        frames: [],
        meshes: [],
        legs: [],
        limbs: [],
    };
    return { ...empty, ...given };
}

/** A run with its numbers decoded. */
export class Run {
    readonly rows: number;
    readonly problems: string[] = [];
    readonly channels = new Map<string, Channel>();
    readonly model: Model | null;
    readonly meshes: (Mesh | null)[] = [];

    constructor(
        readonly document: RunDocument,
        readonly time: Float32Array,
    ) {
        this.rows = time.length;
        this.model = document.model ? completeModel(document.model) : null;
        for (const c of document.channels ?? []) this.addChannel(c.name, c.unit ?? "", c.columns ?? [], c.data);
        (document.meshes ?? []).forEach((m, i) => this.meshes.push(this.readMesh(m, i)));
    }

    /** Empty for a recording without its folder. */
    get summary(): Partial<Summary> {
        return this.document.summary ?? {};
    }
    get legs(): Leg[] {
        return this.model?.legs ?? [];
    }
    get start(): number {
        return this.time[0];
    }
    get end(): number {
        return this.time[this.rows - 1];
    }

    channel(name: string): Channel | null {
        return this.channels.get(name) ?? null;
    }

    /** One column over time, as numbers for plots. */
    column(channel: Channel, column: number): Float64Array {
        const width = channel.columns.length;
        const out = new Float64Array(this.rows);
        for (let i = 0; i < this.rows; i++) out[i] = channel.data[i * width + column];
        return out;
    }

    /** The last row whose time is not after t, by bisection; times rise. */
    rowAt(t: number): number {
        let low = 0;
        let high = this.rows - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.time[middle] <= t) low = middle;
            else high = middle - 1;
        }
        return low;
    }

    private addChannel(name: string, unit: string, names: string[], base64: string): void {
        let data: Float32Array;
        try {
            data = decodeFloats(base64);
        } catch (e) {
            this.problems.push(`channel ${name}: ${e instanceof Error ? e.message : String(e)}`);
            return;
        }
        const width = data.length / this.rows;
        if (!Number.isInteger(width) || width < 1 || (names.length > 0 && names.length !== width)) {
            this.problems.push(
                `channel ${name}: ${data.length} numbers do not make ${this.rows} rows of ${names.length || 1} columns`,
            );
            return;
        }
        // A single column is named by its channel.
        const named = names.length > 0 && !(width === 1 && names[0] === "0");
        const columns = named ? names : Array.from({ length: width }, (_, i) => (width > 1 ? String(i) : ""));
        this.channels.set(name, { name, unit, columns, data });
    }

    private readMesh(m: MeshSource, index: number): Mesh | null {
        if (!m || "url" in m) return null; // meshes by URL occur in the studio only
        try {
            return decodeMesh(m);
        } catch (e) {
            this.problems.push(`mesh ${index}: ${e instanceof Error ? e.message : String(e)}`);
            return null;
        }
    }
}

/** Reads the document; throws DocumentError with the reason. */
export function readRun(text: string): Run {
    let document: RunDocument;
    try {
        document = JSON.parse(text) as RunDocument;
    } catch (e) {
        throw new DocumentError(`the run is not valid JSON: ${e instanceof Error ? e.message : String(e)}`);
    }
    if (typeof document !== "object" || document === null || typeof document.footfall !== "number")
        throw new DocumentError("this is no run of Footfall: the member \"footfall\" is missing");
    if (document.footfall !== 1)
        throw new DocumentError(`this page reads documents of version 1, and the run has version ${document.footfall}`);
    const time = document.time ? decodeFloats(document.time) : new Float32Array();
    if (time.length === 0) throw new DocumentError("the run holds no samples: the scene records nothing (record: {rate, channels})");
    return new Run(document, time);
}
