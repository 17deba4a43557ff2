// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The line to the program: requests with a number each, answered as promises; events and frames for listeners. A line that breaks is built again after a pause that
// doubles up to some seconds; requests fail at once with a message meanwhile, so that no button waits for ever.
import { type Answer, type Answers, BATCH_MAGIC, type Events, FRAME_MAGIC, type Message, PICTURE_MAGIC, type Refusal, type Requests } from "../core/protocol";
import { type BatchFrame, readBatchFrame } from "./batch_frames";
import { type Frame, magicOf, type Picture, readFrame, readPicture } from "./frames";

export type Verb = keyof Requests;
export type LinkState = "connecting" | "open" | "lost";
export const PROTOCOL = "footfall-1";
const FIRST_PAUSE = 250; // [ms]
const LONGEST_PAUSE = 4000; // [ms]

/** A request that was refused or could not be sent; the text is shown to the user. */
export class AskError extends Error {
    constructor(
        text: string,
        readonly messages: Message[] = [],
    ) {
        super(text);
    }
}

/** Members of a WebSocket that a link uses; tests replace it. */
export interface Socket {
    binaryType: string;
    onopen: ((event: never) => void) | null;
    onclose: ((event: never) => void) | null;
    onmessage: ((event: { data: unknown }) => void) | null;
    send(text: string): void;
    close(): void;
}

interface Waiting {
    done: (answer: Answer) => void;
    failed: (error: AskError) => void;
}

export class Link {
    state: LinkState = "connecting";
    /** Time of the next attempt, by performance.now(); 0: none is planned. */
    retryAt = 0;
    private socket: Socket | null = null;
    private readonly waiting = new Map<number, Waiting>();
    private readonly eventListeners = new Map<string, ((event: never) => void)[]>();
    private readonly frameListeners: ((frame: Frame) => void)[] = [];
    private readonly pictureListeners: ((picture: Picture) => void)[] = [];
    private readonly batchListeners: ((frame: BatchFrame) => void)[] = [];
    private readonly stateListeners: ((state: LinkState) => void)[] = [];
    private readonly faultListeners: ((text: string) => void)[] = [];
    private next = 1;
    private pause = FIRST_PAUSE;
    private timer: ReturnType<typeof setTimeout> | null = null;
    private ended = false;

    constructor(private readonly connect: () => Socket) {}

    start(): void {
        this.ended = false;
        this.open();
    }

    /** Closes the connection permanently. */
    stop(): void {
        this.ended = true;
        if (this.timer) clearTimeout(this.timer);
        this.socket?.close();
    }

    /** Tries to connect now instead of after the pause. */
    retry(): void {
        if (this.state === "open" || this.ended) return;
        if (this.timer) clearTimeout(this.timer);
        this.timer = null;
        if (!this.socket) this.open();
    }

    /** Sends a request; returns the answer, or an AskError with its reason. */
    ask<V extends Verb>(verb: V, data: Requests[V]): Promise<Answer & Answers[V]> {
        const { socket } = this;
        if (!socket || this.state !== "open") return Promise.reject(new AskError("The program is not connected."));
        const id = this.next++;
        return new Promise((done, failed) => {
            this.waiting.set(id, { done: done as (answer: Answer) => void, failed });
            socket.send(JSON.stringify({ ...data, id, do: verb }));
        });
    }

    onEvent<K extends keyof Events>(name: K, listener: (event: Events[K]) => void): void {
        const list = this.eventListeners.get(name) ?? [];
        list.push(listener as (event: never) => void);
        this.eventListeners.set(name, list);
    }
    onFrame(listener: (frame: Frame) => void): void {
        this.frameListeners.push(listener);
    }
    onPicture(listener: (picture: Picture) => void): void {
        this.pictureListeners.push(listener);
    }
    onBatch(listener: (frame: BatchFrame) => void): void {
        this.batchListeners.push(listener);
    }
    onState(listener: (state: LinkState) => void): void {
        this.stateListeners.push(listener);
    }
    /** Messages that could not be read. */
    onFault(listener: (text: string) => void): void {
        this.faultListeners.push(listener);
    }

    private open(): void {
        this.retryAt = 0;
        const socket = this.connect();
        this.socket = socket;
        socket.binaryType = "arraybuffer";
        socket.onopen = () => {
            this.pause = FIRST_PAUSE;
            this.setState("open");
        };
        socket.onmessage = (event) => this.receive(event.data);
        socket.onclose = () => this.lost(socket);
    }

    private lost(socket: Socket): void {
        if (socket !== this.socket) return;
        this.socket = null;
        const left = [...this.waiting.values()];
        this.waiting.clear();
        if (!this.ended) {
            this.retryAt = performance.now() + this.pause;
            this.timer = setTimeout(() => this.open(), this.pause);
            this.pause = Math.min(LONGEST_PAUSE, 2 * this.pause);
        }
        this.setState("lost");
        for (const request of left) request.failed(new AskError("The connection to the program was lost before it answered."));
    }

    private setState(state: LinkState): void {
        this.state = state;
        for (const listener of this.stateListeners) listener(state);
    }

    private receive(data: unknown): void {
        try {
            if (typeof data === "string") this.receiveText(data);
            else if (data instanceof ArrayBuffer) this.receiveBytes(data);
        } catch (e) {
            const text = e instanceof Error ? e.message : String(e);
            for (const listener of this.faultListeners) listener(text);
        }
    }

    private receiveText(text: string): void {
        const message = JSON.parse(text) as (Answer & Refusal) | Events[keyof Events];
        if ("event" in message) {
            for (const listener of this.eventListeners.get(message.event) ?? []) listener(message as never);
            return;
        }
        const id = Number(message.id);
        const request = this.waiting.get(id);
        if (!request) return;
        this.waiting.delete(id);
        if (message.ok) request.done(message);
        else request.failed(new AskError(message.error, message.messages));
    }

    private receiveBytes(buffer: ArrayBuffer): void {
        const magic = magicOf(buffer);
        if (magic === FRAME_MAGIC) {
            const frame = readFrame(buffer);
            for (const listener of this.frameListeners) listener(frame);
        } else if (magic === PICTURE_MAGIC) {
            const picture = readPicture(buffer);
            for (const listener of this.pictureListeners) listener(picture);
        } else if (magic === BATCH_MAGIC) {
            const frame = readBatchFrame(buffer);
            for (const listener of this.batchListeners) listener(frame);
        }
    }
}
