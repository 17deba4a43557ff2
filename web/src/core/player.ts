// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The clock of a replay, without a page: time, speed, playing or not, and listeners that are notified of every change. The page calls `tick` with the
// seconds that went by; the studio's live view will set the time instead.

export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export class Player {
    time: number;
    speed = 1;
    playing = false;
    private readonly listeners: ((player: Player) => void)[] = [];

    constructor(
        readonly start: number,
        readonly end: number,
    ) {
        this.time = start;
    }

    onChange(listener: (player: Player) => void): void {
        this.listeners.push(listener);
    }

    /** Starts; at the end it restarts from the beginning. */
    play(): void {
        if (this.time >= this.end) this.time = this.start;
        this.playing = this.end > this.start;
        this.notify();
    }

    pause(): void {
        this.playing = false;
        this.notify();
    }

    toggle(): void {
        if (this.playing) this.pause();
        else this.play();
    }

    seek(t: number): void {
        this.time = Math.min(this.end, Math.max(this.start, Number.isFinite(t) ? t : this.start));
        this.notify();
    }

    setSpeed(speed: number): void {
        this.speed = speed;
        this.notify();
    }

    /** Advances by `dt` seconds of the viewer's clock; stops at the end. */
    tick(dt: number): void {
        if (!this.playing) return;
        this.time += dt * this.speed;
        if (this.time >= this.end) {
            this.time = this.end;
            this.playing = false;
        }
        this.notify();
    }

    private notify(): void {
        for (const listener of this.listeners) listener(this);
    }
}
