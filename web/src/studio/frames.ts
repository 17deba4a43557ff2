// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Binary messages of the program, little-endian. A frame is a head and sections of 32-bit floats, each behind a head of its own; every offset is a multiple of four, so
// that numbers are read in place and nothing is copied. Sections with an unknown tag are skipped. A picture is a head and rows of RGB. Offsets and widths are those of the program.
import { FRAME_HEAD, FRAME_MAGIC, FRAME_VERSION, PICTURE_HEAD, PICTURE_MAGIC, SECTION_HEAD, SECTIONS } from "../core/protocol";

/** Numbers of a head, each with its type and offset. */
export interface Head {
    bytes: number;
    numbers: Record<string, readonly ["u16" | "u32" | "f32" | "f64", number]>;
}
type Numbers<H extends Head> = { -readonly [K in keyof H["numbers"]]: number };

/** Rows of `width` numbers, `count` of them. */
export interface Section {
    width: number;
    count: number;
    data: Float32Array;
}
const NOTHING: Section = { width: 0, count: 0, data: new Float32Array() };

/** One instant of the simulation. Arrays are valid during the call only: copy them to use them later. */
export type Frame = Numbers<typeof FRAME_HEAD> & Record<keyof typeof SECTIONS, Section>;
export interface Picture extends Numbers<typeof PICTURE_HEAD> {
    rgb: Uint8Array;
}

/** An invalid message; the text is shown to the user. */
export class FrameError extends Error {}

const READ = {
    u16: (view: DataView, at: number) => view.getUint16(at, true),
    u32: (view: DataView, at: number) => view.getUint32(at, true),
    f32: (view: DataView, at: number) => view.getFloat32(at, true),
    f64: (view: DataView, at: number) => view.getFloat64(at, true),
};

export function readHead<H extends Head>(head: H, view: DataView, from: number): Numbers<H> {
    const entries = Object.entries(head.numbers).map(([name, [type, at]]) => [name, READ[type](view, from + at)]);
    return Object.fromEntries(entries) as Numbers<H>;
}

const NAMES = Object.keys(SECTIONS) as (keyof typeof SECTIONS)[];
const EMPTY = Object.fromEntries(NAMES.map((name) => [name, NOTHING])) as Record<keyof typeof SECTIONS, Section>;

export function magicOf(buffer: ArrayBuffer): number {
    return buffer.byteLength >= 4 ? new DataView(buffer).getUint32(0, true) : 0;
}

/** Reads a frame; throws FrameError for invalid bytes. */
export function readFrame(buffer: ArrayBuffer): Frame {
    const view = new DataView(buffer);
    if (buffer.byteLength < FRAME_HEAD.bytes || magicOf(buffer) !== FRAME_MAGIC) throw new FrameError(`${buffer.byteLength} bytes are no frame`);
    const head = readHead(FRAME_HEAD, view, 0);
    if (head.version !== FRAME_VERSION) throw new FrameError(`frames of version ${head.version} are not known here; reload the page`);
    const frame: Frame = { ...head, ...EMPTY };
    for (let i = 0, at: number = FRAME_HEAD.bytes; i < head.sections; i++) {
        if (at + SECTION_HEAD.bytes > buffer.byteLength) throw new FrameError(`the frame ends before section ${i + 1} of ${head.sections}`);
        const { tag, width, count } = readHead(SECTION_HEAD, view, at);
        at += SECTION_HEAD.bytes;
        if (at + 4 * width * count > buffer.byteLength) throw new FrameError(`section ${i + 1} has ${count} rows of ${width} numbers, more than the frame holds`);
        const name = NAMES.find((n) => SECTIONS[n].tag === tag);
        if (name && width >= SECTIONS[name].width) frame[name] = { width, count, data: new Float32Array(buffer, at, width * count) };
        at += 4 * width * count;
    }
    return frame;
}

/** Reads a picture of a camera; throws FrameError for invalid bytes. */
export function readPicture(buffer: ArrayBuffer): Picture {
    if (buffer.byteLength < PICTURE_HEAD.bytes || magicOf(buffer) !== PICTURE_MAGIC) throw new FrameError(`${buffer.byteLength} bytes are no picture`);
    const head = readHead(PICTURE_HEAD, new DataView(buffer), 0);
    const size = 3 * head.width * head.height;
    if (buffer.byteLength < PICTURE_HEAD.bytes + size) throw new FrameError(`a picture of ${head.width} x ${head.height} ends too soon`);
    return { ...head, rgb: new Uint8Array(buffer, PICTURE_HEAD.bytes, size) };
}
