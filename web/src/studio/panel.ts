// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a panel of the studio is, and what the studio offers it. A panel is made once, mounted once into an element of its own, and called when it comes into view; everything else it
// takes from the Studio. New panels are listed in panels.ts.
import type { Answer, Answers, ControlState, Scene, Severity, Requests } from "../core/protocol";
import type { Notice, Off, Selection, Store } from "./store";
import type { Verb } from "./link";
import type { BatchFrame } from "./batch_frames";
import type { Frame, Picture } from "./frames";
import type { Binding } from "./keys";

export type DockName = "left" | "right" | "bottom";

export interface Panel {
    /** Short and unique, also in addresses and tests: `#panel-ID` is its element. */
    readonly id: string;
    readonly title: string;
    /** Path of a line icon on a 24 x 24 grid. */
    readonly icon: string;
    /** Default dock. */
    readonly dock: DockName;
    /** Builds the panel in `host`, which scrolls by itself unless the panel fills it. */
    mount(host: HTMLElement, studio: Studio): void;
    /** Called when the panel is shown or hidden: hidden panels need not be drawn. */
    shown?(visible: boolean): void;
}

export interface Studio {
    /** Sends a request to the program. Rejects with AskError {message, messages}, whose message is shown to the user. */
    ask<V extends Verb>(verb: V, data: Requests[V]): Promise<Answer & Answers[V]>;
    readonly store: Store;
    readonly keys: { add(binding: Binding): Off };
    /** Frames of the scene that is shown, as they arrive (at most 60 a second); arrays are valid during the call only. */
    onFrame(listener: (frame: Frame) => void): Off;
    onPicture(listener: (picture: Picture) => void): Off;
    /** Frames of a batch of the scene, at most 20 a second; their arrays do not change. */
    onBatch(listener: (frame: BatchFrame) => void): Off;
    /** Called now and whenever another scene was loaded (generation rises), or none. */
    onScene(listener: (scene: Scene | null) => void): Off;
    /** Called when the simulation was set back to its start, also by a load. */
    onReset(listener: () => void): Off;
    /** Called when commands or parameters of a robot have changed, by whichever page or by the scene itself. */
    onControl(listener: (state: ControlState) => void): Off;
    /** The last event `control` of a robot since the scene was loaded; null: none. */
    controlOf(robot: number): ControlState | null;
    /** Simulated time of the latest frame [s]. */
    time(): number;
    /** Runs the simulation at the chosen pace, or pauses it. */
    toggleRun(): void;
    /** Loads a scene, with a spinner and messages; resolves to whether it was loaded. */
    load(request: Requests["load"]): Promise<boolean>;
    /** Requests the lists of scenes, robots and runs again. */
    refresh(): Promise<void>;
    select(selection: Selection | null): void;
    /** Adds a line to the messages (panel "info"), errors also over the viewport. */
    notify(severity: Severity, text: string, where?: Pick<Notice, "file" | "line">): void;
    /** Brings a panel to the front. */
    show(id: string): void;
    /** Opens a file at a line in the panel that edits it; false: none does. */
    openFile(path: string, line?: number): boolean;
    /** Panels that edit files register here; `open` returns whether the panel edits that file. */
    addOpener(open: (path: string, line?: number) => boolean): void;
}
