// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The studio's page: link, session, viewport, panels and head put together. `window.footfallStudio` has what the page knows, for tests.
import "uplot/dist/uPlot.min.css";
import "../style/base.css";
import "../style/studio.css";
import "../style/docks.css";
import "../style/scenes.css";
import "../style/info.css";
import "../style/transport.css";
import "../style/dialogs.css";
import "../style/narrow.css";
import "../style/viewport.css";
import { pressing } from "../core/limbs";
import { h } from "../view/dom";
import { startTheme } from "../view/theme";
import { followAddress } from "./address";
import { Capture } from "./capture";
import { Session } from "./session";
import { Head } from "./head";
import { Layout } from "./layout";
import { Link, PROTOCOL, type Socket } from "./link";
import { panels } from "./panels";
import { toasts } from "./toasts";
import { Transport } from "./transport";
import { Viewport } from "./viewport";

/** What tests ask the page. */
export interface StudioProbe {
    readonly link: string;
    readonly generation: number;
    readonly t: number;
    readonly frames: number;
    readonly running: boolean;
    readonly scene: string;
    readonly selection: number;
    readonly clients: number;
    /** Largest force from outside in the frame that is shown [N]. */
    readonly outside: number;
    readonly contacts: number;
    /** Feet and hands with a centre of pressure. */
    readonly pressing: number;
    /** Place of the first centre of mass [m]. */
    readonly com: number[];
    /** Pictures that were drawn since the page was opened. */
    readonly drawn: number;
    frameCosts(): number[];
    readonly session: Session;
}
declare global {
    interface Window {
        footfallStudio?: StudioProbe;
    }
}

function probe(session: Session, view: Viewport): StudioProbe {
    return {
        session,
        get link() {
            return session.link.state;
        },
        get generation() {
            return session.store.get("scene")?.generation ?? 0;
        },
        get t() {
            return session.time();
        },
        get frames() {
            return session.frames;
        },
        get running() {
            return session.store.get("run").running;
        },
        get scene() {
            return session.store.get("scene")?.path ?? "";
        },
        get selection() {
            return session.store.get("selection")?.body ?? -1;
        },
        get clients() {
            return session.store.get("run").clients ?? 0;
        },
        get outside() {
            const section = view.frame?.outside;
            let most = 0;
            for (let i = 0; section && i < section.data.length; i += section.width) most = Math.max(most, Math.hypot(section.data[i + 4], section.data[i + 5], section.data[i + 6]));
            return most;
        },
        get contacts() {
            return view.frame?.contacts.count ?? 0;
        },
        get pressing() {
            let n = 0;
            if (view.frame) pressing(view.frame.limbs, () => n++);
            return n;
        },
        get com() {
            return [...(view.frame?.coms.data.subarray(1, 4) ?? [])];
        },
        get drawn() {
            return view.drawn;
        },
        frameCosts: () => view.frameCosts(),
    };
}

function start(): void {
    startTheme();
    const root = document.getElementById("app") ?? document.body.appendChild(h("div", { id: "app" }));
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`;
    const session = new Session(new Link(() => new WebSocket(address, PROTOCOL) as unknown as Socket));
    const view = new Viewport(session);
    let head: Head | null = null;
    head = new Head(session, new Capture(session, view, (on) => head?.filming(on)));
    view.element.append(toasts(session));
    const layout = new Layout(head.element, h("div", { class: "stage" }, head.banner, view.element, new Transport(session).element));
    session.setShow((id) => layout.show(id));
    layout.fill(panels(), session);
    session.keys.add({ keys: ["["], group: "Page", what: "Fold or unfold the panels on the left", press: () => layout.toggle("left") });
    session.keys.add({ keys: ["]"], group: "Page", what: "Fold or unfold the panels on the right", press: () => layout.toggle("right") });
    session.keys.add({ keys: ["\\"], group: "Page", what: "Fold or unfold the panels below", press: () => layout.toggle("bottom") });
    session.keys.listen(window);
    root.append(layout.element);
    window.footfallStudio = probe(session, view);
    followAddress(session);
    session.link.start();
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
