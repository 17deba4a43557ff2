// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Binary messages of the program, little-endian. A frame is a head of 40 bytes and sections of 32-bit floats, each behind a head of 8; every offset is a multiple of four, so
// that numbers are seen where they lie and nothing is copied. Sections with an unknown tag are skipped. A picture is a head of 24 bytes and rows of RGB.
import { LIMB } from "../core/limbs";

export const FRAME_MAGIC = 0x54534646; // "FFST"
export const PICTURE_MAGIC = 0x4d494646; // "FFIM"
const VERSION = 1;
const FRAME_HEAD = 40;
const SECTION_HEAD = 8;
const PICTURE_HEAD = 24;

export const FLAG = { running: 1, ended: 2, failed: 4, recording: 8 } as const;

/** Rows of `width` numbers, `count` of them. */
export interface Section {
    width: number;
    count: number;
    data: Float32Array;
}
const NOTHING: Section = { width: 0, count: 0, data: new Float32Array() };

/** One instant of the simulation. Arrays belong to the message: keep copies, not references, beyond the call that brought them. */
export interface Frame {
    flags: number;
    generation: number;
    number: number;
    t: number;
    /** Simulated seconds a second; NaN while unknown. */
    rtf: number;
    /** Rows of watched channels that were lost since the last frame. */
    dropped: number;
    /** How often a scene began, by loads and resets. */
    starts: number;
    /** Coordinates of the model. */
    q: Section;
    /** point xyz, force xyz, state (0 sticks, 1 slides), body1, body2, leg or -1 */
    contacts: Section;
    /** robot, xyz */
    coms: Section;
    /** body, point xyz in the world, force xyz */
    outside: Section;
    /** from xyz, to xyz, hit */
    rays: Section;
    /** t, values of the watched columns */
    rows: Section;
    /** Feet of the legs, then hands: touch, force xyz, wanted vertical force or NaN, centre of pressure xyz or NaN */
    limbs: Section;
}
export interface Picture {
    camera: number;
    generation: number;
    width: number;
    height: number;
    t: number;
    rgb: Uint8Array;
}

/** What a message was found to be at fault with; its text is for people. */
export class FrameError extends Error {}

// Which member of a frame a tag fills, and the least width it must have for its readers.
const TAGS: Record<number, [Exclude<keyof Frame, "flags" | "generation" | "number" | "t" | "rtf" | "dropped" | "starts">, number]> = {
    1: ["q", 0],
    2: ["contacts", 10],
    3: ["coms", 4],
    4: ["outside", 7],
    5: ["rays", 7],
    6: ["rows", 1],
    7: ["limbs", LIMB],
};

export function magicOf(buffer: ArrayBuffer): number {
    return buffer.byteLength >= 4 ? new DataView(buffer).getUint32(0, true) : 0;
}

/** Reads a frame; throws FrameError where the bytes are none. */
export function readFrame(buffer: ArrayBuffer): Frame {
    const view = new DataView(buffer);
    if (buffer.byteLength < FRAME_HEAD || view.getUint32(0, true) !== FRAME_MAGIC) throw new FrameError(`${buffer.byteLength} bytes are no frame`);
    if (view.getUint16(4, true) !== VERSION) throw new FrameError(`frames of version ${view.getUint16(4, true)} are not known here; reload the page`);
    const frame: Frame = {
        flags: view.getUint16(6, true),
        generation: view.getUint32(8, true),
        number: view.getUint32(12, true),
        t: view.getFloat64(16, true),
        rtf: view.getFloat32(24, true),
        dropped: view.getUint32(28, true),
        starts: view.getUint32(36, true),
        q: NOTHING,
        contacts: NOTHING,
        coms: NOTHING,
        outside: NOTHING,
        rays: NOTHING,
        rows: NOTHING,
        limbs: NOTHING,
    };
    const sections = view.getUint32(32, true);
    for (let i = 0, at = FRAME_HEAD; i < sections; i++) {
        if (at + SECTION_HEAD > buffer.byteLength) throw new FrameError(`the frame ends before section ${i + 1} of ${sections}`);
        const tag = TAGS[view.getUint16(at, true)];
        const width = view.getUint16(at + 2, true);
        const count = view.getUint32(at + 4, true);
        at += SECTION_HEAD;
        if (at + 4 * width * count > buffer.byteLength) throw new FrameError(`section ${i + 1} has ${count} rows of ${width} numbers, more than the frame holds`);
        if (tag && width >= tag[1]) frame[tag[0]] = { width, count, data: new Float32Array(buffer, at, width * count) };
        at += 4 * width * count;
    }
    return frame;
}

/** Reads a picture of a camera; throws FrameError where the bytes are none. */
export function readPicture(buffer: ArrayBuffer): Picture {
    const view = new DataView(buffer);
    if (buffer.byteLength < PICTURE_HEAD || view.getUint32(0, true) !== PICTURE_MAGIC) throw new FrameError(`${buffer.byteLength} bytes are no picture`);
    const width = view.getUint16(12, true);
    const height = view.getUint16(14, true);
    if (buffer.byteLength < PICTURE_HEAD + 3 * width * height) throw new FrameError(`a picture of ${width} x ${height} ends too soon`);
    return {
        camera: view.getUint16(6, true),
        generation: view.getUint32(8, true),
        width,
        height,
        t: view.getFloat64(16, true),
        rgb: new Uint8Array(buffer, PICTURE_HEAD, 3 * width * height),
    };
}
