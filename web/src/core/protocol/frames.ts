// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Binary messages: frames and pictures. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

export const FRAME_MAGIC = 0x54534646;
export const PICTURE_MAGIC = 0x4d494646;
export const BATCH_MAGIC = 0x54424646;
export const FRAME_VERSION = 1;

/** Head of a frame. Each number: its type and its offset [byte]. */
export const FRAME_HEAD = {
    bytes: 40,
    numbers: {
        magic: ["u32", 0],
        version: ["u16", 4],
        flags: ["u16", 6],
        generation: ["u32", 8],
        number: ["u32", 12],
        t: ["f64", 16],
        rtf: ["f32", 24],
        dropped: ["u32", 28],
        sections: ["u32", 32],
        starts: ["u32", 36],
    },
} as const;

/** Head of a section of a frame. Each number: its type and its offset [byte]. */
export const SECTION_HEAD = {
    bytes: 8,
    numbers: {
        tag: ["u16", 0],
        width: ["u16", 2],
        count: ["u32", 4],
    },
} as const;

/** Head of a picture; RGB follows, row by row from above. Each number: its type and its offset [byte]. */
export const PICTURE_HEAD = {
    bytes: 24,
    numbers: {
        magic: ["u32", 0],
        version: ["u16", 4],
        camera: ["u16", 6],
        generation: ["u32", 8],
        width: ["u16", 12],
        height: ["u16", 14],
        t: ["f64", 16],
    },
} as const;

/** Head of a frame of a batch; its rows follow. End of a robot: 0 it lives, 1 diverged, 2 fell, 3 ended by its condition. Each number: its type and its offset [byte]. */
export const BATCH_HEAD = {
    bytes: 40,
    numbers: {
        magic: ["u32", 0],
        version: ["u16", 4],
        width: ["u16", 6],
        generation: ["u32", 8],
        number: ["u32", 12],
        t: ["f64", 16],
        frame: ["u32", 24],
        stride: ["u32", 28],
        count: ["u32", 32],
        robots: ["u32", 36],
    },
} as const;

/** Bits of the flags of a frame. */
export const FLAG = { running: 1, ended: 2, failed: 4, recording: 8 } as const;

/** Sections of a frame: tag, numbers of a row (0: as many as the scene has), and where each stands in it. */
export const SECTIONS = {
    /** coordinates of the model, one row of `nq` */
    q: { tag: 1, width: 0, columns: {} },
    /** point [m] and force on body 2 [N] in the world; slips: 0 or 1; body 2: -1 is the world; a fixed body is body 1; leg: its number, or -1 */
    contacts: { tag: 2, width: 10, columns: { x: 0, y: 1, z: 2, force_x: 3, force_y: 4, force_z: 5, slips: 6, body1: 7, body2: 8, leg: 9 } },
    /** centres of mass of the robots, centres of pressure and capture points of their feet (NaN where none carries), planned zero moment point in the frame of the plan (NaN: none) [m] */
    coms: { tag: 3, width: 12, columns: { robot: 0, x: 1, y: 2, z: 3, cop_x: 4, cop_y: 5, cop_z: 6, dcm_x: 7, dcm_y: 8, dcm_z: 9, zmp_x: 10, zmp_y: 11 } },
    /** external forces: point [m] and force [N] in the world */
    outside: { tag: 4, width: 7, columns: { body: 0, x: 1, y: 2, z: 3, force_x: 4, force_y: 5, force_z: 6 } },
    /** rays of distance sensors, along their axes [m]; hit: 0 or 1 */
    rays: { tag: 5, width: 7, columns: { from_x: 0, from_y: 1, from_z: 2, to_x: 3, to_y: 4, to_z: 5, hit: 6 } },
    /** rows of watched channels: t, values. Taken after the first step at or beyond their time. 512 KiB of them wait for a slow page, then the oldest are dropped */
    rows: { tag: 6, width: 0, columns: {} },
    /** `limbs` in order: touch 0 or 1, force [N], wanted vertical force [N], [centre of pressure](contact.md#in-a-simulation) [m], moment about it [N m]; plan: share of the load, position [m], heading [rad]; NaN: none */
    limbs: { tag: 7, width: 15, columns: { touch: 0, force_x: 1, force_y: 2, force_z: 3, wanted: 4, cop_x: 5, cop_y: 6, cop_z: 7, moment_x: 8, moment_y: 9, moment_z: 10, load: 11, plan_x: 12, plan_y: 13, plan_yaw: 14 } },
} as const;
