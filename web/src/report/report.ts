// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The report as a whole: the data are read once for all sections. Sections whose data were not recorded say which channels
// would fill them.
import { type Balance, readBalance } from "../core/balance";
import type { Run } from "../core/document";
import { readExpectations, verdictOf } from "../core/expect";
import { type EventList, readEvents } from "../core/events";
import { type Feet, readFeet, readWalkers, type Walker } from "../core/feet";
import { Player } from "../core/player";
import { poseSource, type PoseSource } from "../core/poses";
import { h, icon, ICONS } from "../view/dom";
import { Span } from "../view/span";
import { onTheme, theme, toggleTheme } from "../view/theme";
import { certificateSection } from "./certificate";
import { channelSection } from "./channels";
import { eventSection } from "./event_list";
import { expectationSection } from "./expectations";
import { balanceSection } from "./balance";
import { bodySection, footForceSection, gaitSection, supportSection } from "./figures";
import { ledgerSection } from "./ledger";
import { overview } from "./overview";
import { replaySection } from "./replay_section";
import { twinSection } from "./twin";

/** Data that sections use. */
export interface Context {
    run: Run;
    poses: PoseSource;
    feet: Feet;
    walkers: Walker[];
    balances: Balance[];
    player: Player;
    span: Span;
    time: Float64Array;
    events: EventList;
}

declare global {
    interface Window {
        /** State of the page, for tests. */
        footfallReport?: { run: Run; player: Player; frameCosts: () => number[] };
    }
}

export function section(id: string, title: string, ...children: (Node | null)[]): HTMLElement {
    return h("section", { id, class: "card" }, h("h2", {}, title), ...children);
}

function themeButton(): HTMLElement {
    const button = h("button", { class: "quiet round", click: toggleTheme });
    const update = (): void => {
        const dark = theme() === "dark";
        button.title = dark ? "Light colours" : "Dark colours";
        button.setAttribute("aria-label", button.title);
        button.replaceChildren(icon(dark ? ICONS.sun : ICONS.moon));
    };
    onTheme(update);
    update();
    return button;
}

function header(title: string, sections: HTMLElement[], span: Span): HTMLElement {
    const nav = h("nav", { "aria-label": "Sections" });
    for (const s of sections) {
        const name = s.querySelector("h2")?.textContent ?? s.id;
        nav.append(h("a", { href: `#${s.id}` }, name));
    }
    const whole = h("button", { class: "chip zoom", hidden: true, click: () => span.reset() }, "Show the whole time");
    span.onChange(() => (whole.hidden = span.whole));
    return h("header", { class: "bar" }, h("span", { class: "mark", title }, "Footfall"), nav, whole, themeButton());
}

export function buildReport(run: Run, root: HTMLElement): void {
    const poses = poseSource(run);
    const feet = readFeet(run, poses);
    const player = new Player(run.start, run.end);
    const walkers = readWalkers(run, poses);
    const balances = walkers.map((w) => readBalance(run, poses, feet, w));
    const context: Context = { run, poses, feet, walkers, balances, player, span: new Span(run.start, run.end), time: Float64Array.from(run.time), events: readEvents(run, feet) };
    const expectations = readExpectations(run);
    const title = run.document.scene?.title ?? run.model?.name ?? "A run";
    document.title = `${title} \u2013 Footfall`;

    const replay = replaySection(context);
    const top = overview(context, verdictOf(run, expectations), title);
    const sections = [
        replay.element,
        expectationSection(run, expectations),
        ...(run.summary.certificate ? [certificateSection(context, run.summary.certificate)] : []),
        ...twinSection(context),
        ...(run.legs.length > 0 ? [gaitSection(context), footForceSection(context), supportSection(context), ...balanceSection(context)] : []),
        bodySection(context),
        ledgerSection(context),
        eventSection(player, context.events),
        channelSection(context),
    ];
    root.replaceChildren(header(title, sections, context.span), h("main", {}, top.element, ...sections, footer(run)));
    window.footfallReport = { run, player, frameCosts: () => replay.costs() };
    // The portrait waits until the page has been seen once: drawing and packing it takes a while without a graphics card.
    requestAnimationFrame(() =>
        setTimeout(() => {
            const picture = replay.picture();
            top.setPicture(picture);
        }),
    );
}

function footer(run: Run): HTMLElement {
    const d = run.document.decimation;
    const kept = d && d.kept < d.of ? `This page shows ${d.kept} of ${d.of} samples of the recording: ${d.how}.` : `This page shows all ${run.rows} samples of the recording.`;
    return h("footer", {}, h("p", {}, kept, " Numbers are rounded to 32 bits."));
}
