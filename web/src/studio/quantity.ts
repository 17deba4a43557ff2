// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers with a unit and a range that people set: angles are shown in degrees, steps are round, and a range is made up where the program gives none. Everything
// outside the page is in SI units.

export interface Quantity {
    unit?: string;
    /** null, or not there: no bound. */
    low?: number | null;
    high?: number | null;
    value?: number;
}
export interface Scale {
    /** Shown value = factor * value. */
    factor: number;
    unit: string;
    low: number;
    high: number;
    step: number;
}

const DEGREE = 180 / Math.PI;
const SHOWN: Record<string, [number, string]> = { rad: [DEGREE, "\u00b0"], "rad/s": [DEGREE, "\u00b0/s"], "rad/s^2": [DEGREE, "\u00b0/s\u00b2"] };

/** The round step (1, 2, 5 times a power of ten) that divides a range into 100 to 250 steps. */
export function roundStep(range: number): number {
    if (!(range > 0) || !Number.isFinite(range)) return 0.01;
    const raw = range / 250;
    const power = Math.pow(10, Math.floor(Math.log10(raw) + 1e-9));
    const m = [1, 2, 5, 10].find((f) => f * power >= raw * (1 - 1e-9)) ?? 10;
    return Number((m * power).toPrecision(1));
}

export function scaleOf(q: Quantity): Scale {
    const [factor, unit] = SHOWN[q.unit ?? ""] ?? [1, q.unit ?? ""];
    const value = q.value ?? 0;
    let low = q.low ?? (value < 0 ? 2 * value : 0);
    let high = q.high ?? (value > 0 ? 2 * value : 0);
    if (!(high > low)) {
        const room = Math.abs(value) || 1;
        low = q.low ?? value - room;
        high = (q.high ?? low) > low ? (q.high ?? low) : low + 2 * room;
    }
    return { factor, unit, low: factor * low, high: factor * high, step: roundStep(factor * (high - low)) };
}

/** A shown number without the noise of its binary digits. */
export function tidy(shown: number, step: number): string {
    const places = Math.max(0, Math.min(9, 1 - Math.floor(Math.log10(step) + 1e-9)));
    return String(Number(shown.toFixed(places)));
}
