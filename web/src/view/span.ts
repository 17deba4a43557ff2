// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The range of time that all plots of a page share: zooming one zooms all.

export class Span {
    from: number;
    to: number;
    private readonly listeners: (() => void)[] = [];

    constructor(
        readonly first: number,
        readonly last: number,
    ) {
        this.from = first;
        this.to = last;
    }

    get whole(): boolean {
        return this.from <= this.first && this.to >= this.last;
    }

    onChange(listener: () => void): void {
        this.listeners.push(listener);
    }

    set(from: number, to: number): void {
        const low = Math.max(this.first, Math.min(from, to));
        const high = Math.min(this.last, Math.max(from, to));
        if (!(high > low) || (low === this.from && high === this.to)) return;
        this.from = low;
        this.to = high;
        for (const listener of this.listeners) listener();
    }

    reset(): void {
        this.set(this.first, this.last);
    }
}
