// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The state of the page in one place, with listeners for each part. Values are replaced, never changed in place; data that arrive sixty times a second (frames) do not
// go through here.
import { BY_END } from "../core/crowd";
import type { Bands, BatchState, Library, Message, RunState, Scene, Severity } from "../core/protocol";
import type { LinkState } from "./link";

/** A message as the page lists it. */
export interface Notice {
    severity: Severity;
    text: string;
    file?: string;
    line?: number;
    /** When the page got it, in real time [ms]. */
    at: number;
    /** Simulated time then [s]. */
    t: number;
    /** Number of repetitions in a row. */
    times: number;
    /** Listed, but not shown over the viewport. */
    quiet?: boolean;
}
/** A load that is under way, or one that failed. */
export interface Loading {
    path: string;
    variant: string;
    /** "" while under way. */
    error: string;
    messages: Message[];
}
/** What was picked, in the viewport or in a tree: a body by number, maybe one of the model's joints. */
export interface Selection {
    body: number;
    joint?: number;
}
/** How a batch is shown in the viewport. */
export interface Crowd {
    /** In place of the scene. */
    shown: boolean;
    /** Name of the column that colours go by, or BY_END. */
    by: string;
    places: "grid" | "own";
    /** Number of a robot; -1: none. */
    picked: number;
}
export interface State {
    link: LinkState;
    library: Library | null;
    loading: Loading | null;
    scene: Scene | null;
    run: RunState;
    notices: Notice[];
    selection: Selection | null;
    /** Around the curves of the scene, by its latest certificate. */
    bands: Bands | null;
    /** The latest batch of the scene; null: none. */
    batch: BatchState | null;
    crowd: Crowd;
    /** Numbers and names of the body under the pointer; -1: none. */
    hovered: number;
}
export type Off = () => void;

export const STANDING: RunState = { event: "state", generation: 0, starts: 0, t: 0, running: false, pace: 1, ended: null, rtf: 0, recorded_s: 0, recording: false, clients: 0 };

export class Store {
    private readonly state: State = {
        link: "connecting",
        library: null,
        loading: null,
        scene: null,
        run: STANDING,
        notices: [],
        selection: null,
        bands: null,
        batch: null,
        crowd: { shown: true, by: BY_END, places: "grid", picked: -1 },
        hovered: -1,
    };
    private readonly listeners = new Map<keyof State, Set<() => void>>();

    get<K extends keyof State>(key: K): State[K] {
        return this.state[key];
    }

    /** Replaces a part and calls its listeners; the same value again is no news. */
    set<K extends keyof State>(key: K, value: State[K]): void {
        if (Object.is(this.state[key], value)) return;
        this.state[key] = value;
        for (const listener of [...(this.listeners.get(key) ?? [])]) listener();
    }

    /** Calls the listener now and at every change, until the returned function is called. */
    on<K extends keyof State>(key: K, listener: (value: State[K]) => void): Off {
        const call = (): void => listener(this.state[key]);
        const set = this.listeners.get(key) ?? new Set();
        set.add(call);
        this.listeners.set(key, set);
        call();
        return () => set.delete(call);
    }
}
