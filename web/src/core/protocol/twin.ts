// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A second robot beside the run. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

import type { Measured } from "./summary";
import type { Parting } from "./certificate";

/** How far a channel of the twin lies from that of the leader. */
export interface TwinChannel {
    /** Channel of the leader */
    name: string;
    /** Of the difference; orientations differ by an angle */
    unit: string;
    /** Of the difference, over all columns and samples that both have */
    rms: number | null;
    /** Its greatest size */
    most: number | null;
    /** Where that is */
    column: string;
    /** And when [s] */
    at: number | null;
    /** Greatest less least value of the leader, of the column that moves most; of robots behind wires not known */
    range: number | null;
    /** First time of a difference of more than 5 % of that [s] */
    parted?: number;
    /** Numbers compared */
    samples: number;
}

/** How well a column of a recording fits. */
export interface TwinColumn {
    /** Of the leader */
    channel: string;
    /** Of the channel, where it has several */
    column?: string;
    /** At the offset, -1 to 1 */
    correlation: number | null;
    /** What to think of it, where it does not fit */
    doubt?: string;
}

/** How a recording was aligned in time. */
export interface TwinAlignment {
    /** One offset stands out */
    clear: boolean;
    /** Standard deviation of the offset [s] */
    error: number | null;
    /** At the offset, mean of the channels */
    correlation: number;
    /** Of the next best offset */
    second: number | null;
    /** Between offsets that fit alike [s] */
    period?: number;
    /** Lowest correlation at any offset */
    most_negative: number | null;
    /** That are mapped */
    columns: TwinColumn[];
}

/** A second robot beside the run ([twin](twin.md)). */
export interface Twin {
    /** What it says, in a sentence or two */
    text: string;
    /** Of the twin: `finished`, `recorded`, or why not */
    outcome: string;
    /** Time from which on there is no twin [s] */
    lost?: number;
    /** Of a recording: its clock less that of the run [s] */
    offset?: number;
    /** Of a recording whose offset was found */
    alignment?: TwinAlignment;
    /** Cycles in which the leader had not yet answered */
    late?: number;
    /** Way of the degree of freedom that moved most, 1 rad as 0.1 m [m] */
    moved?: number | null;
    /** Greatest distance of the two [m] */
    distance?: number | null;
    /** Where leader and twin part */
    parting?: Parting;
    /** That both have */
    channels: TwinChannel[];
    /** Of the twin, by name */
    metrics?: Record<string, Measured>;
}
