// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The latest rows of watched channels: a ring of times and one of values a column, of a size that is given once. Rows go in as frames bring them and
// nothing is allocated then. What leaves is decimated: of all values that fall on a pixel the least and the greatest are kept, so that no peak is lost.

export const GAP = 4; // rows further apart than so many periods are not joined by a line

/** Points of lines, all over one time: what a plot draws. Allocated once for the largest number of buckets. */
export class Trace {
    readonly x: Float64Array;
    readonly y: Float64Array[];
    points = 0;
    /** Least and greatest of all finite values; least > greatest if there are none. */
    low = Infinity;
    high = -Infinity;

    /** @param buckets pixels to fill; may be made smaller later */
    constructor(
        public buckets: number,
        columns: number,
    ) {
        this.x = new Float64Array(2 * buckets + 4);
        this.y = Array.from({ length: columns }, () => new Float64Array(2 * buckets + 4));
    }
}

export class Ring {
    private readonly time: Float64Array;
    private readonly values: Float32Array; // column after column
    private head = 0; // index of the next row
    size = 0;
    private readonly gap: number;

    constructor(
        readonly columns: number,
        readonly capacity: number,
        readonly rate: number,
    ) {
        this.time = new Float64Array(capacity);
        this.values = new Float32Array(columns * capacity);
        this.gap = GAP / rate;
    }

    clear(): void {
        this.head = 0;
        this.size = 0;
    }

    /** Time of the oldest row; NaN when there is none. */
    get first(): number {
        return this.size > 0 ? this.timeAt(0) : NaN;
    }

    /** Time of the newest row; NaN when there is none. */
    get last(): number {
        return this.size > 0 ? this.timeAt(this.size - 1) : NaN;
    }

    private place(row: number): number {
        const at = this.head - this.size + row;
        return at < 0 ? at + this.capacity : at;
    }

    timeAt(row: number): number {
        return this.time[this.place(row)];
    }

    valueAt(row: number, column: number): number {
        return this.values[column * this.capacity + this.place(row)];
    }

    /**
     * Takes `count` rows of time and values from a section of a frame; column c of the ring is number pick[c] of a row, behind its time. Rows not later than the
     * newest are left out, but a time before it by more than `back` is a new start: the ring forgets what it had.
     */
    push(rows: Float32Array, count: number, width: number, pick: readonly number[], back = 0.05): void {
        for (let i = 0; i < count; i++) {
            const t = rows[i * width];
            const last = this.last;
            if (!Number.isFinite(t)) continue;
            if (t < last - back) this.clear();
            else if (t <= last) continue;
            const at = this.head;
            this.time[at] = t;
            for (let c = 0; c < this.columns; c++)
                this.values[c * this.capacity + at] = pick[c] + 1 < width ? rows[i * width + 1 + pick[c]] : NaN;
            this.head = at + 1 === this.capacity ? 0 : at + 1;
            if (this.size < this.capacity) this.size++;
        }
    }

    /** Number of the first row not before t; `size` where all are. */
    rowFrom(t: number): number {
        let low = 0;
        let high = this.size;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.timeAt(middle) < t) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /** Row nearest to t, -1 where there is none. */
    nearest(t: number): number {
        if (this.size === 0 || Number.isNaN(t)) return -1;
        const after = Math.min(this.size - 1, this.rowFrom(t));
        return after > 0 && t - this.timeAt(after - 1) < this.timeAt(after) - t ? after - 1 : after;
    }

    /** Copies all rows of another ring of the same shape. */
    copy(other: Ring): void {
        this.time.set(other.time);
        this.values.set(other.values);
        this.head = other.head;
        this.size = other.size;
    }

    /** Copies columns of another ring, with the indices `from[column]` (-1: missing), as far as there is room. */
    adopt(other: Ring, from: readonly number[]): void {
        this.clear();
        for (let row = Math.max(0, other.size - this.capacity); row < other.size; row++) {
            this.time[this.head] = other.timeAt(row);
            for (let c = 0; c < this.columns; c++)
                this.values[c * this.capacity + this.head] = from[c] >= 0 ? other.valueAt(row, from[c]) : NaN;
            this.head = this.head + 1 === this.capacity ? 0 : this.head + 1;
            this.size++;
        }
    }

    /**
     * Fills a trace with what lies between two times, and one row beyond each end. Buckets are fixed in time, not in the window, so that a rolling line does not
     * shimmer. Columns with the number -1 stay empty. A bucket gives two points, at its first and its last row; each column has its least and its greatest value there, in the order in which they came.
     */
    decimate(columns: readonly number[], from: number, to: number, out: Trace): void {
        out.points = 0;
        out.low = Infinity;
        out.high = -Infinity;
        const width = (to - from) / (out.buckets - 1); // aligned buckets: one more may be touched
        const begin = Math.max(0, this.rowFrom(from) - 1);
        const end = Math.min(this.size, this.rowFrom(to) + 1);
        const whole = end - begin <= 2 * out.buckets; // few enough to be kept as they are
        let row = begin;
        while (row < end && out.points + 3 <= out.x.length) {
            const t = this.timeAt(row);
            if (row > begin && t - this.timeAt(row - 1) > this.gap) this.addGap(out, t);
            let next = row + 1;
            if (!whole) {
                const bucket = Math.floor(t / width);
                while (next < end && Math.floor(this.timeAt(next) / width) === bucket) next++;
            }
            this.addBucket(columns, row, next, out);
            row = next;
        }
    }

    private addGap(out: Trace, t: number): void {
        out.x[out.points] = t;
        for (const y of out.y) y[out.points] = NaN;
        out.points++;
    }

    private addBucket(columns: readonly number[], row: number, next: number, out: Trace): void {
        const at = out.points;
        const isolated = next === row + 1;
        out.x[at] = this.timeAt(row);
        if (!isolated) out.x[at + 1] = this.timeAt(next - 1);
        for (let i = 0; i < columns.length; i++) {
            let low = NaN;
            let high = NaN;
            let lowFirst = true;
            for (let r = row; r < next && columns[i] >= 0; r++) {
                const v = this.valueAt(r, columns[i]);
                if (!Number.isFinite(v)) continue;
                if (!(v >= low)) {
                    low = v;
                    lowFirst = false;
                }
                if (!(v <= high)) {
                    high = v;
                    lowFirst = true;
                }
            }
            out.y[i][at] = lowFirst ? low : high;
            if (!isolated) out.y[i][at + 1] = lowFirst ? high : low;
            if (low < out.low) out.low = low;
            if (high > out.high) out.high = high;
        }
        out.points += isolated ? 1 : 2;
    }
}
