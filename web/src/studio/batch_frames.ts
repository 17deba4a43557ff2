// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames of a batch as bytes: a head and a row of 32-bit floats for each robot that is shown, read in place.
import type { CrowdRows } from "../core/crowd";
import { BATCH_HEAD, BATCH_MAGIC, FRAME_VERSION } from "../core/protocol";
import { FrameError, magicOf, readHead } from "./frames";

export interface BatchFrame extends CrowdRows {
    generation: number;
    /** Of the batch. */
    number: number;
    t: number;
}

/** Reads a frame of a batch; throws FrameError for invalid bytes. */
export function readBatchFrame(buffer: ArrayBuffer): BatchFrame {
    if (buffer.byteLength < BATCH_HEAD.bytes || magicOf(buffer) !== BATCH_MAGIC) throw new FrameError(`${buffer.byteLength} bytes are no frame of a batch`);
    const head = readHead(BATCH_HEAD, new DataView(buffer), 0);
    if (head.version !== FRAME_VERSION) throw new FrameError(`frames of batches of version ${head.version} are not known here; reload the page`);
    const numbers = head.width * head.count;
    if (head.width < 1 || head.stride < 1 || buffer.byteLength < BATCH_HEAD.bytes + 4 * numbers) throw new FrameError(`a frame of a batch has ${head.count} rows of ${head.width} numbers, more than its ${buffer.byteLength} bytes hold`);
    return { ...head, data: new Float32Array(buffer, BATCH_HEAD.bytes, numbers) };
}
