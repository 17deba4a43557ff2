// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Comparison with a second robot. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

import type { Measured } from "./summary";
import type { Parting } from "./certificate";

/** How far a channel of the twin lies from that of the leader. */
export interface TwinChannel {
    /** Channel of the leader */
    name: string;
    /** Unit of the difference; orientations differ by an angle */
    unit: string;
    /** Root mean square of the difference, over all columns and samples that both have */
    rms: number | null;
    /** Largest absolute difference */
    most: number | null;
    /** Column with the largest difference */
    column: string;
    /** Time of the largest difference [s] */
    at: number | null;
    /** Greatest less least value of the leader, of the column that moves most; of robots behind wires not known */
    range: number | null;
    /** First time at which the difference exceeds 5 % of `range` [s] */
    parted?: number;
    /** Number of values compared */
    samples: number;
}

/** How well a column of a recording fits. */
export interface TwinColumn {
    /** Channel of the leader */
    channel: string;
    /** Column of the channel, if it has several */
    column?: string;
    /** Correlation at the offset, -1 to 1 */
    correlation: number | null;
    /** Possible cause, if it does not fit */
    doubt?: string;
}

/** How a recording was aligned in time. */
export interface TwinAlignment {
    /** Whether one offset fits clearly better than all others */
    clear: boolean;
    /** Standard deviation of the offset [s] */
    error: number | null;
    /** Correlation at the offset, mean of the channels */
    correlation: number;
    /** Correlation at the next best offset */
    second: number | null;
    /** Time between offsets that fit equally well [s] */
    period?: number;
    /** Lowest correlation at any offset */
    most_negative: number | null;
    /** Columns that are mapped */
    columns: TwinColumn[];
}

/** Comparison with a second robot ([twin](twin.md)). */
export interface Twin {
    /** Result of the comparison in a sentence or two */
    text: string;
    /** End of the twin: `finished`, `recorded`, or the reason why it ended early */
    outcome: string;
    /** Time at which the twin was lost [s] */
    lost?: number;
    /** Clock of the recording minus that of the run [s] */
    offset?: number;
    /** Alignment of a recording whose offset was found */
    alignment?: TwinAlignment;
    /** Cycles in which the leader had not yet answered */
    late?: number;
    /** Distance moved by the degree of freedom that moved most, 1 rad as 0.1 m [m] */
    moved?: number | null;
    /** Largest distance between the two [m] */
    distance?: number | null;
    /** Where leader and twin separate */
    parting?: Parting;
    /** Channels that both have */
    channels: TwinChannel[];
    /** Metrics of the twin, by name */
    metrics?: Record<string, Measured>;
}
