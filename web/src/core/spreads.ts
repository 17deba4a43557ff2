// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Spreads of a batch: quantities, the single objects that they can refer to, and distributions written as a kind with numbers.
import { columnName } from "./crowd";
import type { BatchDraw, BatchSpread, Model } from "./protocol";

export type Kind = BatchDraw["kind"];

/** Distributions, each with the numbers it takes. */
export const KINDS: [kind: Kind, name: string, numbers: string][] = [
    ["uniform", "uniform", "lowest, highest"],
    ["log_uniform", "log-uniform", "lowest, highest; both above 0"],
    ["normal", "normal", "mean, deviation, and lowest, highest where it is bounded"],
    ["choice", "choice", "values, each as likely as the others"],
];

/** Kinds of named objects that a quantity can refer to. */
export type Thing = "body" | "shape" | "servo" | "joint";

export interface Quantity {
    name: string;
    unit: string;
    what: string;
    /** Default numbers. */
    ends: [low: number, high: number];
    /** Null: it refers to the whole robot. */
    of: Thing | null;
    /** Whether it has a row by default. */
    common?: true;
}

export const QUANTITIES: readonly Quantity[] = [
    { name: "friction", unit: "factor", what: "Factor of friction coefficients", ends: [0.6, 1.2], of: "shape", common: true },
    { name: "contact_stiffness", unit: "factor", what: "Factor of stiffness and damping of contacts", ends: [0.5, 2], of: "shape", common: true },
    { name: "mass", unit: "factor", what: "Factor of masses and inertias", ends: [0.9, 1.1], of: "body", common: true },
    { name: "gain", unit: "factor", what: "Factor of stiffness and damping of servos", ends: [0.8, 1.2], of: "servo", common: true },
    { name: "start_height", unit: "m", what: "Added to the height at the start", ends: [0, 0.02], of: null, common: true },
    { name: "start_x", unit: "m", what: "Added to x at the start", ends: [-0.1, 0.1], of: null, common: true },
    { name: "start_y", unit: "m", what: "Added to y at the start", ends: [-0.1, 0.1], of: null, common: true },
    { name: "start_joints", unit: "rad, m", what: "Added to joints at the start, a draw each", ends: [-0.05, 0.05], of: "joint", common: true },
    { name: "start_speeds", unit: "rad/s, m/s", what: "Added to velocities at the start, a draw each", ends: [-0.1, 0.1], of: "joint", common: true },
    { name: "start_tilt", unit: "rad", what: "By which the root leans at the start, to any side", ends: [0, 0.1], of: null },
    { name: "inertia", unit: "factor", what: "Factor of inertias; masses stay", ends: [0.8, 1.2], of: "body" },
    { name: "com_x", unit: "m", what: "Added to the centre of mass along x", ends: [-0.01, 0.01], of: "body" },
    { name: "com_y", unit: "m", what: "Added to the centre of mass along y", ends: [-0.01, 0.01], of: "body" },
    { name: "com_z", unit: "m", what: "Added to the centre of mass along z", ends: [-0.01, 0.01], of: "body" },
    { name: "payload", unit: "kg", what: "Mass added at the centre of mass of a body", ends: [0, 0.5], of: "body" },
    { name: "noise", unit: "factor", what: "Factor of the noise of sensors", ends: [0.5, 2], of: null },
    { name: "push_force", unit: "N", what: "Level push on the root, with a duration", ends: [5, 20], of: null },
    { name: "push_duration", unit: "s", what: "How long the push lasts", ends: [0.1, 0.2], of: null },
    { name: "push_direction", unit: "rad", what: "Direction of the push, from ahead to the left", ends: [-3.14, 3.14], of: null },
    { name: "push_time", unit: "s", what: "When the push begins", ends: [0, 0.5], of: null },
    { name: "delay", unit: "steps", what: "Delay of targets", ends: [0, 2], of: null },
];

/** "mass of torso" for "mass.torso". */
export function spreadTitle(name: string): string {
    const dot = name.indexOf(".");
    return dot < 0 ? columnName(name) : `${columnName(name.slice(0, dot))} of ${name.slice(dot + 1)}`;
}

/** Names of the objects in a model that a quantity can refer to. */
export function thingsOf(of: Thing | null, model: Pick<Model, "bodies" | "joints" | "geoms" | "limbs"> | null): string[] {
    if (!model || of === null) return [];
    const shapes = model.geoms.filter((g) => g.body >= 0 && model.bodies[g.body].node >= 0).flatMap((g) => g.name ?? []);
    const scalar = model.joints.filter((j) => j.type !== "free" && j.type !== "ball" && j.type !== "planar").map((j) => j.name);
    const lists: Record<Thing, string[]> = {
        body: model.bodies.filter((b) => b.node >= 0).map((b) => b.name),
        shape: [...shapes, ...model.limbs.map((l) => l.name)],
        servo: scalar,
        joint: scalar,
    };
    return [...new Set(lists[of])];
}

/** Numbers of a text, separated by commas or blanks; null: it contains something else. */
export function numbersOf(text: string): number[] | null {
    const numbers = text
        .split(/[\s,]+/)
        .filter((t) => t !== "")
        .map(Number);
    return numbers.length > 0 && numbers.every(Number.isFinite) ? numbers : null;
}

/** Distribution as in messages: a uniform one is a list of its two bounds. */
export function spreadOf(kind: Kind, numbers: number[]): BatchSpread {
    return kind === "uniform" && numbers.length === 2 ? numbers : { kind, numbers };
}

export function partsOf(spread: BatchSpread): BatchDraw {
    return Array.isArray(spread) ? { kind: "uniform", numbers: spread } : spread;
}

/** Numbers of another distribution with a similar range: deviations are a quarter of the width. */
export function convert(numbers: number[], from: Kind, to: Kind): number[] {
    const round = (x: number): number => Number(x.toPrecision(6));
    let [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    if (from === "normal") [low, high] = numbers.length === 4 ? [numbers[2], numbers[3]] : [numbers[0] - 2 * numbers[1], numbers[0] + 2 * numbers[1]];
    const middle = round((low + high) / 2);
    if (to === "normal") return [middle, round((high - low) / 4), round(low), round(high)];
    return to === "choice" ? [round(low), middle, round(high)] : [round(low), round(high)];
}
