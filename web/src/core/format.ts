// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers for display: a few digits, a real minus sign, units with proper letters.

const MINUS = "\u2212";

/** A number with about `digits` significant digits; an en dash for a missing number. */
export function number(value: number | null | undefined, digits = 4): string {
    if (value === null || value === undefined || Number.isNaN(value)) return "\u2013";
    if (!Number.isFinite(value)) return value > 0 ? "\u221e" : `${MINUS}\u221e`;
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e6 || size < 1e-4) {
        const [mantissa, exponent] = size.toExponential(Math.max(0, digits - 2)).split("e");
        return `${value < 0 ? MINUS : ""}${trim(mantissa)}\u00b710${superscript(Number(exponent))}`;
    }
    const places = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
    return `${value < 0 ? MINUS : ""}${trim(size.toFixed(places))}`;
}

function trim(text: string): string {
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

function superscript(n: number): string {
    const digits = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
    return [...String(n)].map((c) => (c === "-" ? "\u207b" : digits[Number(c)])).join("");
}

/** "m/s^2" as m/s² and "N m" as N m with a narrow space; "1" stands for no unit. */
export function unit(text: string): string {
    if (text === "1" || text === "") return "";
    return text.replace(/\^(-?\d)/g, (_, n: string) => superscript(Number(n))).replace(/(\w) (?=\w)/g, "$1\u202f");
}

/** Name with its unit in brackets, for axes. */
export function label(name: string, u: string): string {
    const shown = unit(u);
    return shown ? `${name} [${shown}]` : name;
}

/** Seconds, with the digits that distinguish steps of the recording. */
export function seconds(t: number, places = 2): string {
    return `${t < 0 ? MINUS : ""}${Math.abs(t).toFixed(places)}\u202fs`;
}

/** Duration in real time. */
export function duration(s: number): string {
    if (s < 1e-3) return `${number(s * 1e6, 3)} \u00b5s`;
    if (s < 1) return `${number(s * 1e3, 3)} ms`;
    return s < 120 ? `${number(s, 3)} s` : `${number(s / 60, 3)} min`;
}

/** Whole numbers with thin spaces between thousands. */
export function count(n: number): string {
    return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** Ticks at round steps that cover a span with about `wanted` of them. */
export function ticks(from: number, to: number, wanted: number): number[] {
    const raw = (to - from) / Math.max(1, wanted);
    if (!(raw > 0) || !Number.isFinite(raw)) return [from];
    const power = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.999) ?? 10 * power;
    const out: number[] = [];
    for (let i = Math.ceil(from / step - 1e-9); i * step <= to + 1e-9 * step; i++) out.push(i * step);
    return out;
}

/** The largest of 1, 2, 5 times a power of ten that is not above a value. */
export function roundDown(value: number): number {
    const power = Math.pow(10, Math.floor(Math.log10(value)));
    return ([5, 2, 1].find((m) => m * power <= value * (1 + 1e-9)) ?? 1) * power;
}
