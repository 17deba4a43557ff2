// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Walking on two legs over time: how it sways from foot to foot, how its torso leans, planned and measured loads of the feet, errors of the torque that keeps it upright. Sections
// for what was recorded of it; robots with more legs, and recordings without, have none.
import { signalOf } from "../core/signals";
import { h } from "../view/dom";
import type { PlotOptions, Series } from "../view/plot";
import { column, plots } from "./figures";
import { type Context, section } from "./report";

const DEGREES = 180 / Math.PI;

function line(name: string, data: Float32Array | null, width: number, at: number, more: Partial<Series> = {}, scale = 1): Series[] {
    return data ? [{ name, values: column(data, width, at).map((v) => v * scale), ...more }] : [];
}

function sway(context: Context, axis: number, title: string): PlotOptions | null {
    const { walkers, balances, time } = context;
    const { cop, dcm, zmp } = balances[0];
    const series = [...line("centre of mass", walkers[0].com?.pos ?? null, 3, axis), ...line("capture point (DCM)", dcm, 3, axis), ...line("centre of pressure", cop, 3, axis), ...line("planned ZMP", zmp, 2, axis, { reference: true })];
    return cop || dcm || zmp ? { title, unit: "m", time, series } : null;
}

function lean(context: Context): PlotOptions | null {
    const [leg] = context.feet.names;
    const series = [...line("about x (roll)", signalOf(context.run, leg, ["tilt.x", "tilt.roll"]), 1, 0, {}, DEGREES), ...line("about y (pitch)", signalOf(context.run, leg, ["tilt.y", "tilt.pitch"]), 1, 0, {}, DEGREES)];
    return series.length > 0 ? { title: "Lean of the torso", unit: "\u00b0", time: context.time, series, include: [0] } : null;
}

function torques(context: Context): PlotOptions | null {
    const [leg] = context.feet.names;
    const series = ["x", "y"].flatMap((axis) => line(`about ${axis}`, signalOf(context.run, leg, [`torque_error.${axis}`]), 1, 0));
    return series.length > 0 ? { title: "Torque errors", unit: "N m", time: context.time, series, include: [0] } : null;
}

/** Share of the weight on each foot, simulated and planned. */
function loads(context: Context): PlotOptions | null {
    const { feet, run, time } = context;
    const weight = (run.model?.mass ?? 0) * Math.hypot(...(run.model?.gravity ?? [0, 0, 9.81]));
    if (!feet.force || !(weight > 0)) return null;
    const { force, names } = feet;
    const planned = names.map((leg) => signalOf(run, leg, ["load.#"]));
    if (planned.every((p) => p === null)) return null;
    const series = names.flatMap((leg, i) => [...line(`${leg}, measured`, force, 3 * names.length, 3 * i + 2, { hue: i }, 1 / weight), ...line(`${leg}, planned`, planned[i], 1, 0, { hue: i, reference: true })]);
    return { title: "Loads of the feet, in weights", unit: "1", time, series, include: [0, 1] };
}

export function balanceSection(context: Context): HTMLElement[] {
    if (context.walkers.length !== 1 || context.feet.names.length !== 2) return [];
    const list = [sway(context, 1, "To the side (y)"), sway(context, 0, "Along x"), lean(context), loads(context), torques(context)].filter((p) => p !== null);
    if (list.length === 0) return [];
    const note = "The centre of pressure is that of the forces on both feet. The capture point (DCM) is where the robot would come to rest. Black dashes: what the controller plans, laid onto the feet that stand.";
    return [section("balance", "Balance", plots(context, list), h("p", { class: "note" }, note))];
}
