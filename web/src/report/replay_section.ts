// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The 3-D replay of a report, or the reason why there is none.
import { Replay } from "../viewport/replay";
import { Viewer } from "../viewport/viewer";
import { code, emptyState, h } from "../view/dom";
import { type Context, section } from "./report";

export interface ReplayPart {
    element: HTMLElement;
    costs: () => number[];
    picture: () => string | null;
}

const PARTIAL: Partial<Record<Context["poses"]["kind"], string>> = {
    base: "Only the base was recorded: what hangs on joints is not drawn. Record `q` to see the whole robot.",
    none: "",
};

function without(title: string, advice: string): ReplayPart {
    return { element: section("replay", "Replay", emptyState(title, advice)), costs: () => [], picture: () => null };
}

export function replaySection(context: Context): ReplayPart {
    const { run, poses, feet, walkers, balances, player, events } = context;
    if (!run.model) return without("The run holds no model", "Without the shapes of the robot there is nothing to draw.");
    if (poses.kind === "none") return without("The motion of the bodies was not recorded", "Add `q` (or `\"bodies.*.pos\"` and `\"bodies.*.quat\"`) to `record: {channels: [..]}`.");
    let replay: Replay;
    try {
        replay = new Replay(h("canvas"), run, poses, feet, walkers, balances);
    } catch {
        return without("This browser offers no WebGL", "The replay needs it; everything else on this page does not. Switch on hardware acceleration, or try another browser.");
    }
    const step = run.rows > 1 ? (run.end - run.start) / (run.rows - 1) : 0.01;
    const viewer = new Viewer(replay, player, step, events.events);
    const notes = [PARTIAL[poses.kind] ?? "", poses.kind === "bodies" && poses.known.includes(false) ? "Some bodies were not recorded and are not drawn." : "", ...replay.notes].filter((n) => n);
    const keys = "Drag to turn, right drag to move, wheel to zoom. Space plays, arrows step, 1 to 6 are views.";
    const element = section("replay", "Replay", viewer.element, ...notes.map((n) => h("p", { class: "note warn" }, ...code(n))), h("p", { class: "note screen-only" }, keys));
    return { element, costs: () => viewer.costs, picture: () => viewer.portrait() };
}
