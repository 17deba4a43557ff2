// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sends commands no faster than the program accepts them: at most one is unanswered, at most ten a second are sent, and of each key only the latest value. The first
// command is sent at once, and the last one is always sent.
import type { Answer, Message } from "../core/protocol";
import type { Values } from "./commands_drive";

export const EVERY = 100; // [ms] between two commands

export interface Outcome {
    values: Values;
    /** Reason of a refusal; "" if the command was accepted. */
    error: string;
    messages: Message[];
}

export class Sender {
    private pending: Values = {};
    private sent: Values = {}; // not answered yet
    private busy = false;
    private next = 0; // time at which another may be sent [ms]
    private timer: ReturnType<typeof setTimeout> | null = null;

    constructor(
        private readonly send: (values: Values) => Promise<Answer>,
        private readonly outcome: (outcome: Outcome) => void,
        private readonly clock: () => number = () => performance.now(),
    ) {}

    put(values: Values): void {
        Object.assign(this.pending, values);
        this.plan();
    }

    /** Whether a value of this key is unanswered, so that the value that the program reports is older. */
    awaits(key: string): boolean {
        return key in this.pending || (this.busy && key in this.sent);
    }

    /** Drops commands that were not sent, after another scene was loaded. */
    clear(): void {
        this.pending = {};
        if (this.timer) clearTimeout(this.timer);
        this.timer = null;
    }

    private plan(): void {
        if (this.busy || this.timer || Object.keys(this.pending).length === 0) return;
        const wait = this.next - this.clock();
        if (wait <= 0) this.leave();
        else
            this.timer = setTimeout(() => {
                this.timer = null;
                this.leave();
            }, wait);
    }

    private leave(): void {
        const values = this.pending;
        if (Object.keys(values).length === 0) return;
        this.pending = {};
        this.sent = values;
        this.busy = true;
        this.next = this.clock() + EVERY;
        this.send(values).then(
            (answer) => this.done({ values, error: "", messages: answer.messages }),
            (e: unknown) => {
                const messages = (e as { messages?: Message[] }).messages ?? [];
                this.done({ values, error: e instanceof Error ? e.message : String(e), messages });
            },
        );
    }

    private done(outcome: Outcome): void {
        this.busy = false;
        this.outcome(outcome);
        this.plan();
    }
}

/** Which key of a command each message is about: the one whose name is in its text, or the only one; "" for all of it. */
export function byKey(outcome: Outcome): Map<string, string> {
    const keys = Object.keys(outcome.values);
    const found = new Map<string, string>();
    const texts = outcome.messages.filter((m) => m.severity !== "note").map((m) => m.text);
    if (outcome.error !== "" && texts.length === 0) texts.push(outcome.error);
    for (const text of texts) {
        const words = text.toLowerCase().split(/[^a-z0-9_]+/);
        const key = keys.length === 1 ? keys[0] : (keys.find((k) => words.includes(k.toLowerCase())) ?? "");
        found.set(key, found.has(key) ? `${found.get(key)} ${text}` : text);
    }
    return found;
}
