// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The text of a robot file, for edits that the tree cannot make: new entries, comments, other words. CodeMirror with YAML; messages stand at their lines.
import { indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { yaml } from "@codemirror/legacy-modes/mode/yaml";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import type { Message } from "../core/protocol";
import { LOOK } from "./script_editor";

const FROM_TREE = Annotation.define<boolean>();
// The mode calls keys atoms.
const COLOURS = HighlightStyle.define([
    { tag: [tags.atom, tags.propertyName], color: "var(--code-library)" },
    { tag: tags.string, color: "var(--code-string)" },
    { tag: [tags.number, tags.bool], color: "var(--code-number)" },
    { tag: [tags.variableName, tags.meta, tags.keyword], color: "var(--code-keyword)" },
    { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
]);

export class SourceView {
    private view: EditorView | null = null;
    readonly element: HTMLElement;

    constructor(
        private readonly changed: (text: string) => void,
        private readonly rest: () => void,
    ) {
        this.element = document.createElement("div");
        this.element.className = "ed-source";
    }

    /** Shows a text. Only the part that differs is replaced, so that the cursor stays. */
    show(text: string, readOnly: boolean, fresh: boolean): void {
        this.view ??= new EditorView({ parent: this.element });
        if (fresh) {
            this.view.setState(this.state(text, readOnly));
            return;
        }
        const now = this.view.state.doc.toString();
        if (now === text) return;
        let from = 0;
        while (from < now.length && from < text.length && now[from] === text[from]) from++;
        let tail = 0;
        while (tail < now.length - from && tail < text.length - from && now[now.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
        this.view.dispatch({ changes: { from, to: now.length - tail, insert: text.slice(from, text.length - tail) }, annotations: FROM_TREE.of(true) });
    }

    mark(messages: Message[]): void {
        if (!this.view) return;
        const { doc } = this.view.state;
        const found = messages
            .filter((m) => m.line && m.line <= doc.lines)
            .map((m): Diagnostic => {
                const line = doc.line(m.line ?? 1);
                const from = Math.min(line.to, line.from + Math.max(0, (m.column ?? 1) - 1));
                return { from, to: line.to, severity: m.severity === "note" ? "info" : m.severity, message: m.text };
            })
            .sort((a, b) => a.from - b.from);
        this.view.dispatch(setDiagnostics(this.view.state, found));
    }

    goTo(line: number): void {
        if (!this.view) return;
        const { doc } = this.view.state;
        const at = doc.line(Math.max(1, Math.min(doc.lines, line))).from;
        this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    }

    private state(text: string, readOnly: boolean): EditorState {
        return EditorState.create({
            doc: text,
            extensions: [
                basicSetup,
                keymap.of([indentWithTab]),
                lintGutter(),
                EditorState.tabSize.of(2),
                EditorState.readOnly.of(readOnly),
                StreamLanguage.define(yaml),
                syntaxHighlighting(COLOURS),
                LOOK,
                EditorView.contentAttributes.of({ "aria-label": "Text of the file", spellcheck: "false" }),
                EditorView.domEventHandlers({ blur: () => this.rest() }),
                EditorView.updateListener.of((update) => {
                    if (update.docChanged && !update.transactions.some((t) => t.annotation(FROM_TREE))) this.changed(update.state.doc.toString());
                }),
            ],
        });
    }
}
