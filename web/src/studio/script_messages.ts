// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages of the program about a script: which of them are about the text in the editor, at which line, and in what order they are listed.
import type { Message, Severity } from "../core/protocol";

export interface Finding {
    severity: Severity;
    /** Line from 1; 0: the whole script. */
    line: number;
    column: number;
    text: string;
}

function base(path: string): string {
    return path.replace(/^.*\//, "");
}

/** Whether a message is about the script at `path`: by its file, or because it was said about the script that was sent. */
export function isAbout(message: Partial<Message>, path: string, sent: boolean): boolean {
    if (!message.file) return sent;
    if (path !== "" && base(message.file) === base(path)) return true;
    return sent && !/\.ya?ml$/.test(message.file);
}

// Lua's messages begin with place and line: "tripod.lua:12: attempt to ..." or "[string "..."]:12: ...".
const PLACED = /^(?:[^\s:]*|\[string "[^"]*"\]):(\d+):\s*/;

export function finding(message: Pick<Message, "severity" | "text"> & Partial<Message>, lines: number): Finding {
    const placed = PLACED.exec(message.text);
    const line = message.line && message.line > 0 ? message.line : Number(placed?.[1] ?? 0);
    return {
        severity: message.severity,
        line: Math.min(lines, line),
        column: message.column ?? 0,
        text: placed ? message.text.slice(placed[0].length) : message.text,
    };
}

const RANK: Record<Severity, number> = { error: 0, warning: 1, note: 2 };

/** Errors first, then by line, without duplicates. */
export function listed(findings: readonly Finding[]): Finding[] {
    const seen = new Set<string>();
    return [...findings]
        .sort((a, b) => RANK[a.severity] - RANK[b.severity] || a.line - b.line)
        .filter((f) => {
            const key = `${f.severity} ${f.line} ${f.text}`;
            return seen.has(key) ? false : (seen.add(key), true);
        });
}
