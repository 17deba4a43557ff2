// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The studio without its page: connects link and store and carries out the requests of panels. Every message of the program goes to the store or to
// listeners of frames; frames of another scene than the one shown are left out.
import { type Answer, type Answers, type ControlState, FLAG, type Requests, type RunState, type Scene, type Severity } from "../core/protocol";
import { type Loading, type Notice, type Off, type Selection, STANDING, Store } from "./store";
import { AskError, type Link, type Verb } from "./link";
import type { BatchFrame } from "./batch_frames";
import type { Frame, Picture } from "./frames";
import { Keys } from "./keys";
import type { Studio } from "./panel";

const MOST_NOTICES = 300;

/** "experiments/../robots/a.yaml" as people write it: robots/a.yaml. */
export function plainPath(path: string): string {
    const parts: string[] = [];
    for (const part of path.split("/")) {
        if (part === ".." && parts.length > 0 && parts[parts.length - 1] !== "..") parts.pop();
        else if (part !== ".") parts.push(part);
    }
    return parts.join("/");
}

function add<T>(list: Set<T>, listener: T): Off {
    list.add(listener);
    return () => list.delete(listener);
}

export class Session implements Studio {
    readonly store = new Store();
    readonly keys = new Keys();
    /** The latest frame's number of arrivals, for tests and for rates. */
    frames = 0;
    /** Pace that is chosen, simulated seconds a second; 0: as fast as possible. */
    pace = 1;
    private now = 0;
    private starts = NaN; // of the scene that is shown
    private readonly frameListeners = new Set<(frame: Frame) => void>();
    private readonly pictureListeners = new Set<(picture: Picture) => void>();
    private readonly batchListeners = new Set<(frame: BatchFrame) => void>();
    private readonly resetListeners = new Set<() => void>();
    private readonly controlListeners = new Set<(state: ControlState) => void>();
    private readonly controls = new Map<number, ControlState>();
    private readonly openers: ((path: string, line?: number) => boolean)[] = [];
    private readonly readyListeners: (() => void)[] = [];
    private sceneKnown = false; // a scene came since the line was built
    private showPanel: (id: string) => void = () => undefined;

    constructor(readonly link: Link) {
        link.onState((state) => {
            this.store.set("link", state);
            if (state === "open") void this.greet();
            else this.store.set("run", { ...this.store.get("run"), running: false });
        });
        link.onFrame((frame) => this.takeFrame(frame));
        link.onPicture((picture) => {
            if (picture.generation === this.store.get("scene")?.generation) for (const listener of this.pictureListeners) listener(picture);
        });
        link.onBatch((frame) => {
            if (frame.generation === this.store.get("scene")?.generation) for (const listener of this.batchListeners) listener(frame);
        });
        link.onEvent("batch", (state) => {
            if (state.generation === this.store.get("scene")?.generation) this.store.set("batch", state);
        });
        link.onFault((text) => this.notify("error", `A message of the program cannot be read: ${text}`));
        link.onEvent("scene", (scene) => this.takeScene(scene));
        link.onEvent("state", (state) => this.takeState(state));
        link.onEvent("control", (state) => {
            if (state.generation !== this.store.get("scene")?.generation) return;
            this.controls.set(state.robot, state);
            for (const listener of this.controlListeners) listener(state);
        });
        link.onEvent("notice", (n) => this.notify(n.severity, n.text, { ...(n.file && { file: n.file }), ...(n.line && { line: n.line }) }));
    }

    /** Called when the connection is made and the loaded scene is known. */
    onReady(listener: () => void): void {
        this.readyListeners.push(listener);
    }

    /** The page says how it brings a panel to the front. */
    setShow(show: (id: string) => void): void {
        this.showPanel = show;
    }

    ask<V extends Verb>(verb: V, data: Requests[V]): Promise<Answer & Answers[V]> {
        return this.link.ask(verb, data);
    }

    /** Sends a request without waiting for its answer; a refusal becomes a message. */
    send<V extends Verb>(verb: V, data: Requests[V]): void {
        this.ask(verb, data).catch((e: unknown) => this.notify("error", e instanceof Error ? e.message : String(e)));
    }

    onFrame(listener: (frame: Frame) => void): Off {
        return add(this.frameListeners, listener);
    }
    onPicture(listener: (picture: Picture) => void): Off {
        return add(this.pictureListeners, listener);
    }
    onBatch(listener: (frame: BatchFrame) => void): Off {
        return add(this.batchListeners, listener);
    }
    onReset(listener: () => void): Off {
        return add(this.resetListeners, listener);
    }
    onControl(listener: (state: ControlState) => void): Off {
        return add(this.controlListeners, listener);
    }
    controlOf(robot: number): ControlState | null {
        return this.controls.get(robot) ?? null;
    }
    onScene(listener: (scene: Scene | null) => void): Off {
        return this.store.on("scene", listener);
    }

    time(): number {
        return this.now;
    }

    toggleRun(): void {
        if (!this.store.get("scene")) return;
        if (this.store.get("run").running) this.send("pause", {});
        else this.send("run", { pace: this.pace });
    }

    async load(request: Requests["load"]): Promise<boolean> {
        const loading: Loading = { path: request.scene, variant: request.variant ?? "", error: "", messages: [] };
        this.store.set("loading", loading);
        try {
            await this.ask("load", request); // what it remarks comes with the event, to all pages
            if (this.store.get("loading") === loading) this.store.set("loading", null);
            return true;
        } catch (e) {
            const error = e instanceof AskError ? e : new AskError(String(e));
            for (const m of error.messages) this.notify(m.severity, m.text, { ...m, quiet: true }); // shown over the viewport by itself
            if (this.store.get("loading") === loading) this.store.set("loading", { ...loading, error: error.message, messages: error.messages });
            return false;
        }
    }

    async refresh(): Promise<void> {
        try {
            const answer = await this.ask("list", {});
            for (const m of answer.messages) this.notify(m.severity, m.text);
            this.store.set("library", answer);
        } catch (e) {
            this.notify("error", e instanceof Error ? e.message : String(e));
        }
    }

    select(selection: Selection | null): void {
        this.store.set("selection", selection);
    }

    notify(severity: Severity, text: string, where: Pick<Notice, "file" | "line" | "quiet"> = {}): void {
        const list = this.store.get("notices");
        const last = list[list.length - 1];
        const { line } = where;
        const file = where.file ? plainPath(where.file) : undefined;
        const notice: Notice = { severity, text, ...(file && { file }), ...(line && { line }), ...(where.quiet && { quiet: true }), at: Date.now(), t: this.now, times: 1 };
        // A script that fails at every step says the same thing every time: it is counted, not listed.
        if (last && last.text === text && last.file === file && last.line === line) this.store.set("notices", [...list.slice(0, -1), { ...notice, times: last.times + 1 }]);
        else this.store.set("notices", [...list.slice(-MOST_NOTICES), notice]);
    }

    show(id: string): void {
        this.showPanel(id);
    }

    openFile(path: string, line?: number): boolean {
        return this.openers.some((open) => open(path, line));
    }

    addOpener(open: (path: string, line?: number) => boolean): void {
        this.openers.push(open);
    }

    // The program reports the loaded scene before it answers the first request. If it has none although this page has one, it was restarted: the scene is loaded again.
    private async greet(): Promise<void> {
        const had = this.store.get("scene");
        this.sceneKnown = false;
        await this.refresh();
        if (this.link.state !== "open") return;
        if (had && !this.sceneKnown) await this.load({ scene: had.path, ...(had.variant && { variant: had.variant }) });
        for (const listener of this.readyListeners) listener();
    }

    private takeScene(scene: Scene): void {
        this.sceneKnown = true;
        const same = this.store.get("scene")?.path === scene.path; // what was said of another one is of no use
        this.now = 0;
        this.starts = NaN;
        this.controls.clear();
        this.store.set("selection", null);
        this.store.set("hovered", -1);
        this.store.set("run", { ...STANDING, generation: scene.generation, pace: this.store.get("run").pace });
        this.store.set("loading", null);
        this.store.set("batch", null);
        this.store.set("scene", scene);
        for (const listener of this.resetListeners) listener();
        if (!same) this.store.set("notices", []);
        for (const m of scene.messages ?? []) this.notify(m.severity, m.text, { ...m, quiet: m.severity === "note" });
    }

    private takeState(state: RunState): void {
        const scene = this.store.get("scene");
        if (scene && state.generation !== scene.generation) return;
        this.begin(state.starts ?? this.starts);
        this.now = state.t;
        this.store.set("run", { ...this.store.get("run"), ...state });
    }

    private takeFrame(frame: Frame): void {
        if (frame.generation !== this.store.get("scene")?.generation || frame.starts < this.starts) return;
        this.frames++;
        this.begin(frame.starts);
        this.now = frame.t;
        const run = this.store.get("run");
        const running = (frame.flags & FLAG.running) !== 0;
        if (running !== run.running) this.store.set("run", { ...run, t: frame.t, running });
        for (const listener of this.frameListeners) listener(frame);
    }

    // One more start is a reset, from whichever page. Time that runs backwards is none: events overtake frames.
    private begin(starts: number): void {
        const isReset = starts > this.starts;
        this.starts = starts;
        if (isReset) for (const listener of this.resetListeners) listener();
    }
}
