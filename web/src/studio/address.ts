// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Deep links: `#scene=experiments/anton-tripod.yaml&variant=slow&t=2.5&panel=plots`. The named scene is loaded; with a time it runs to that time as fast as possible and pauses. The
// address follows the loaded scene, so that it can be copied at any time.
import type { Scene } from "../core/protocol";
import type { Session } from "./session";

export interface Address {
    scene: string;
    variant: string;
    /** NaN: none is given. */
    t: number;
    panel: string;
}

export function readAddress(hash: string): Address {
    const parts = new URLSearchParams(hash.replace(/^#/, ""));
    const t = parts.get("t");
    return { scene: parts.get("scene") ?? "", variant: parts.get("variant") ?? "", t: t === null || t === "" ? NaN : Number(t), panel: parts.get("panel") ?? "" };
}

export function writeAddress(address: Partial<Address>): string {
    const parts: string[] = [];
    // Slashes of paths are not encoded, so that the address stays readable.
    const add = (key: string, value: string): number => parts.push(`${key}=${encodeURIComponent(value).replace(/%2F/g, "/")}`);
    if (address.scene) add("scene", address.scene);
    if (address.variant) add("variant", address.variant);
    if (address.t !== undefined && Number.isFinite(address.t) && address.t > 0) add("t", String(Number(address.t.toFixed(3))));
    if (address.panel) add("panel", address.panel);
    return parts.length > 0 ? `#${parts.join("&")}` : "";
}

/** A link to the loaded scene, with a time if one is given. */
export function addressOf(scene: Scene, t = NaN): string {
    return writeAddress({ scene: scene.path, variant: scene.variant ?? "", t });
}

/** Keeps the address up to date with the session, and the session with the address. */
export function followAddress(session: Session): void {
    let wanted: Address | null = readAddress(location.hash);
    const go = async (): Promise<void> => {
        if (!wanted || session.link.state !== "open") return;
        const { scene, variant, t, panel } = wanted;
        wanted = null;
        if (panel) session.show(panel);
        const loaded = session.store.get("scene");
        // A scene that another page shows already is not reset when one more page shows it.
        if (!scene || (loaded?.path === scene && (loaded.variant ?? "") === variant && !(t > 0))) return;
        if (!(await session.load({ scene, ...(variant && { variant }) }))) return;
        if (t > 0) session.send("step", { seconds: t });
    };
    session.onReady(() => void go());
    session.store.on("scene", (scene) => {
        if (scene && !wanted) history.replaceState(null, "", addressOf(scene) || location.pathname);
    });
    addEventListener("hashchange", () => {
        wanted = readAddress(location.hash);
        void go();
    });
}
