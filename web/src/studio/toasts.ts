// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The newest messages over the viewport for some seconds, so that they are seen with the info panel closed: errors longer than notes. A click opens the panel.
import { h } from "../view/dom";
import type { Session } from "./session";

const STAY = { error: 9000, warning: 6000, note: 3500 } as const; // [ms]
const MOST = 2;

export function toasts(session: Session): HTMLElement {
    const box = h("div", { class: "toasts", "aria-live": "polite" });
    let seen = 0;
    session.store.on("notices", (notices) => {
        const last = notices[notices.length - 1];
        if (!last || last.quiet || last.at <= seen || last.times > 1) return;
        seen = last.at;
        const where = last.file ? `${last.file}${last.line ? `:${last.line}` : ""}: ` : "";
        const toast = h("button", { class: `toast ${last.severity}`, title: "Show all messages", click: () => session.show("info") }, `${where}${last.text}`);
        box.append(toast);
        while (box.children.length > MOST) box.firstChild?.remove();
        setTimeout(() => toast.remove(), STAY[last.severity] ?? STAY.note);
    });
    return box;
}
