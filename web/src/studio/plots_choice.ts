// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Which plots are shown and which columns each of them draws: the first choice for a scene, changes by the user, and how the choice is stored.
import { unit as shownUnit } from "../core/format";
import type { Channel, Channels, Column } from "./plots_channels";

export interface PlotChoice {
    title: string;
    columns: string[]; // keys
}

export const MOST_LINES = 12; // of one plot: more cannot be distinguished
export const MOST_PLOTS = 8;

function keys(columns: Column[]): string[] {
    return columns.slice(0, MOST_LINES).map((c) => c.key);
}

function vertical(channel: Channel): Column[] {
    const named = channel.columns.filter((c) => /(^|\.)z$/.test(c.short));
    return named.length > 0 ? named : channel.columns.length % 3 === 0 ? channel.columns.filter((c) => c.index % 3 === 2) : [];
}

function limbForces(channels: Channels): PlotChoice | null {
    const all = channels.channel("feet.force");
    const each = (group: RegExp): Column[] => channels.list.filter((c) => group.test(c.name)).flatMap((c) => vertical(c));
    const feet = all ? vertical(all) : each(/^feet\..+\.force$/);
    const hands = each(/^hands\..+\.force$/);
    const title = hands.length === 0 ? "Vertical foot forces" : feet.length > 0 ? "Vertical forces of feet and hands" : "Vertical forces of hands";
    return feet.length + hands.length > 0 ? { title, columns: keys([...feet, ...hands]) } : null;
}

function speed(channels: Channels): PlotChoice | null {
    const walk = channels.list.filter((c) => /^walk\.(.+\.)?speed$/.test(c.name)).flatMap((c) => c.columns);
    const wanted = channels.list.filter((c) => /^control\.(.*_)?speed$/.test(c.name)).flatMap((c) => c.columns);
    if (walk.length > 0) return { title: "Speed of the body", columns: keys([...walk, ...wanted]) };
    const velocity = channels.channel("base.velocity") ?? channels.channel("com.velocity");
    return velocity ? { title: "Speed of the body", columns: keys(velocity.columns) } : null;
}

/** A leg as plots see it. */
export interface LegJoints {
    name: string;
    joints: string[];
}

// For a biped: lateral motion of centre of pressure and capture point, and inclination of the torso compared with the plan.
function balance(channels: Channels): (PlotChoice | null)[] {
    const sway = ["com.pos/y", "balance.dcm/y", "balance.cop/y"].flatMap((key) => channels.column(key) ?? []);
    const lean = channels.list.filter((c) => /^control\.tilt\.(x|y|roll|pitch)$/.test(c.name)).flatMap((c) => c.columns);
    return [
        sway.length === 3 ? { title: "COM, DCM and CoP to the side", columns: keys(sway) } : null,
        lean.length > 0 ? { title: "Lean of the torso", columns: keys(lean) } : null,
    ];
}

// A joint and its reference, if a controller reports one; else the joints of one leg, or all.
function joints(channels: Channels, legs: readonly LegJoints[]): PlotChoice | null {
    for (const reference of channels.list) {
        const joint = /^control\.(.+)\.reference$/.exec(reference.name)?.[1];
        const position = joint === undefined ? undefined : jointPosition(channels, joint);
        if (joint !== undefined && position) return { title: `Tracking of ${joint}`, columns: keys([...reference.columns, position]) };
    }
    const all = channels.channel("joints.position");
    if (!all) return null;
    const known = legs.find((l) => all.columns.some((c) => l.joints.includes(c.short)));
    const leg = known?.name ?? legWithJoints(channels, all);
    const some = leg === undefined ? all.columns : all.columns.filter((c) => (known ? known.joints.includes(c.short) : c.short.startsWith(`${leg}_`)));
    return { title: leg === undefined ? "Joint positions" : `Joints of leg ${leg}`, columns: keys(some) };
}

function jointPosition(channels: Channels, joint: string): Column | undefined {
    return channels.channel("joints.position")?.columns.find((c) => c.short === joint) ?? channels.channel(`joints.${joint}.position`)?.columns[0];
}

// The first leg by whose name those of joints begin.
function legWithJoints(channels: Channels, all: Channel): string | undefined {
    const feet = channels.channel("feet.force")?.columns.map((c) => c.short.split(".")[0]) ?? [];
    const names = all.columns.map((c) => c.short);
    return feet.find((f) => names.some((name) => name.startsWith(`${f}_`)));
}

function energy(channels: Channels): PlotChoice | null {
    const columns = ["energy.kinetic", "energy.potential", "energy.total"].flatMap((n) => channels.channel(n)?.columns ?? []);
    return columns.length > 0 ? { title: "Energy", columns: keys(columns) } : null;
}

/** First choice for a scene: plots of walking for walking robots, else energy and joints. */
export function defaultPlots(channels: Channels, legs: readonly LegJoints[] = []): PlotChoice[] {
    const feet = limbForces(channels);
    const own = joints(channels, legs);
    const list = feet ? [feet, speed(channels), ...(legs.length === 2 ? balance(channels) : []), own] : [own, speed(channels), energy(channels)];
    return list.filter((p): p is PlotChoice => p !== null && p.columns.length > 0);
}

/** Default title of a plot: its channel, or the common part of all names. */
export function titleOf(columns: readonly Column[]): string {
    if (columns.length === 0) return "Empty plot";
    if (columns.every((c) => c.channel === columns[0].channel)) return columns[0].channel;
    const words = columns.map((c) => c.channel.split("."));
    let shared = 0;
    while (words.every((w) => w.length > shared + 1 && w[shared] === words[0][shared])) shared++;
    return shared > 0 ? words[0].slice(0, shared).join(".") : `${columns[0].label} and others`;
}

/** Adds a column to plot number `active` if its unit fits and there is room, else to a plot of its own; removes it where it is shown. */
export function toggle(plots: readonly PlotChoice[], column: Column, active: number, channels: Channels): { plots: PlotChoice[]; active: number; refused?: string } {
    const at = plots.findIndex((p) => p.columns.includes(column.key));
    if (at >= 0) {
        const rest = plots.map((p, i) => (i === at ? { ...p, columns: p.columns.filter((k) => k !== column.key) } : p));
        const left = rest.filter((p) => p.columns.length > 0);
        return { plots: left, active: Math.min(active, left.length - 1) };
    }
    const target = plots[active];
    const fits = target && target.columns.length < MOST_LINES && target.columns.every((k) => (channels.column(k)?.unit ?? column.unit) === column.unit);
    if (fits) {
        const made = plots.map((p, i) => (i === active ? { ...p, columns: [...p.columns, column.key] } : p));
        return { plots: made, active };
    }
    if (plots.length >= MOST_PLOTS) return { plots: [...plots], active, refused: `${MOST_PLOTS} plots are shown; remove one before another is added.` };
    return { plots: [...plots, { title: "", columns: [column.key] }], active: plots.length };
}

/** Unit of all lines of a plot, "" where they differ; numbers a script keeps have none and go with any. */
export function unitOfPlot(columns: readonly Column[]): string {
    const units = new Set(columns.map((c) => c.unit).filter((u) => shownUnit(u) !== ""));
    return units.size === 1 ? [...units][0] : "";
}

/** Names of lines as short as they can be while they differ. */
export function legendNames(columns: readonly Column[]): string[] {
    const short = columns.map((c) => c.short);
    const mixed = columns.some((c) => c.channel !== columns[0].channel) && short.some((s) => /^[xyz]$/.test(s)); // z of what?
    if (mixed || new Set(short).size < short.length) return columns.map((c) => c.label);
    const ends = new Set(short.map((s) => /\.[^.]*$/.exec(s)?.[0] ?? ""));
    const [end] = [...ends];
    return columns.length > 1 && ends.size === 1 && end !== "" ? short.map((s) => s.slice(0, -end.length)) : short; // FL.z FR.z: all of them z
}

// ------------------------------------------------------------------------------------------ remembering

export function writeChoice(plots: readonly PlotChoice[], window: number): string {
    return JSON.stringify({ window, plots: plots.map((p) => [p.title, ...p.columns]) });
}

/** The stored choice, without columns that the scene does not have; null: nothing is left. */
export function readChoice(text: string | null, channels: Channels): { plots: PlotChoice[]; window: number } | null {
    if (text === null) return null;
    try {
        const stored = JSON.parse(text) as { window?: unknown; plots?: unknown };
        const lists = Array.isArray(stored.plots) ? (stored.plots as unknown[]) : [];
        const plots = lists.slice(0, MOST_PLOTS).flatMap((item): PlotChoice[] => {
            const words = Array.isArray(item) ? item.filter((w): w is string => typeof w === "string") : [];
            const columns = words.slice(1, 1 + MOST_LINES).filter((k) => channels.column(k) !== undefined);
            return columns.length > 0 ? [{ title: words[0], columns }] : [];
        });
        return lists.length > 0 && plots.length === 0 ? null : { plots, window: typeof stored.window === "number" ? stored.window : 10 };
    } catch {
        return null;
    }
}

// ------------------------------------------------------------------------------------------ export

/** The shown data as a table: a column of time, then all lines with their units, with every row. */
export function toCsv(columns: readonly Column[], rows: number, time: (row: number) => number, value: (row: number, column: number) => number): string {
    const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
    const head = ["time [s]", ...columns.map((c) => (shownUnit(c.unit) ? `${c.label} [${c.unit}]` : c.label))].map(quoted).join(",");
    const lines = [head];
    for (let r = 0; r < rows; r++) {
        const cells = [String(Number(time(r).toPrecision(9)))];
        for (let c = 0; c < columns.length; c++) {
            const v = value(r, c);
            cells.push(Number.isFinite(v) ? String(Number(v.toPrecision(8))) : "");
        }
        lines.push(cells.join(","));
    }
    return `${lines.join("\n")}\n`;
}
