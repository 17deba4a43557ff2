// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The text field for Lua: CodeMirror 6 with numbers of lines, find, marks at lines with errors, and completion of the names that a robot's script can
// use. Its colours are variables of the style sheet, so that it follows the theme by itself.
import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { indentWithTab } from "@codemirror/commands";
import { HighlightStyle, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { openSearchPanel } from "@codemirror/search";
import { EditorState, Prec, type Text } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import { unit as shownUnit } from "../core/format";
import type { Finding } from "./script_messages";
import type { Sight } from "./script_names";

const COLOURS = HighlightStyle.define([
    { tag: tags.keyword, color: "var(--code-keyword)" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
    { tag: [tags.number, tags.bool, tags.atom, tags.null], color: "var(--code-number)" },
    { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
    { tag: [tags.standard(tags.variableName), tags.standard(tags.name)], color: "var(--code-library)" },
]);

export const LOOK = EditorView.theme({
    "&": { height: "100%", fontSize: "12.5px", backgroundColor: "var(--card)", color: "var(--ink)" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: 'ui-monospace, "SF Mono", Menlo, "Liberation Mono", "DejaVu Sans Mono", monospace', lineHeight: "1.5" },
    ".cm-content": { caretColor: "var(--ink)", padding: "6px 0" },
    ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--code-selection)" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--code-line)" },
    ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--ink-2)", borderRight: "1px solid var(--line)" },
    ".cm-foldGutter": { display: "none" }, // the panel is narrow
    ".cm-lineNumbers .cm-gutterElement": { padding: "0 6px 0 4px", minWidth: "26px" },
    ".cm-selectionMatch": { backgroundColor: "var(--code-match)" },
    "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--code-match)" },
    ".cm-searchMatch": { backgroundColor: "var(--code-match)", outline: "1px solid var(--line)" },
    ".cm-searchMatch.cm-searchMatch-selected": { backgroundColor: "var(--code-selection)" },
    ".cm-panels": { backgroundColor: "var(--page)", color: "var(--ink)" },
    ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
    ".cm-panel.cm-search": { fontSize: "12px", padding: "6px 28px 6px 8px" },
    ".cm-panel.cm-search label": { fontSize: "12px" },
    ".cm-textfield": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "5px" },
    ".cm-button": { backgroundImage: "none", backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "5px" },
    ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "6px", overflow: "hidden" },
    ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent-soft)", color: "var(--ink)" },
    ".cm-diagnostic-error": { borderLeft: "4px solid var(--bad)" },
    ".cm-diagnostic-warning": { borderLeft: "4px solid var(--warn)" },
    ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad) 1px", textUnderlineOffset: "3px" },
    ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--warn) 1px", textUnderlineOffset: "3px" },
    ".cm-gutter-lint": { width: "14px" },
    ".cm-gutter-lint .cm-gutterElement": { padding: "0 1px" },
    ".cm-lint-marker": { width: "11px", height: "11px", marginTop: "4px", borderRadius: "50%", content: '""' },
    ".cm-lint-marker-error": { content: '""', backgroundColor: "var(--bad)" },
    ".cm-lint-marker-warning": { content: '""', backgroundColor: "var(--warn)" },
    ".cm-lint-marker-info": { content: '""', backgroundColor: "var(--accent)" },
});

export interface EditorEvents {
    changed(): void;
    run(): void;
    save(): void;
}

function rangeOf(doc: Text, f: Finding): { from: number; to: number } {
    if (f.line < 1 || f.line > doc.lines) return { from: 0, to: 0 };
    const line = doc.line(f.line);
    const lead = /^\s*/.exec(line.text)?.[0].length ?? 0;
    const from = f.column > 1 && f.column <= line.length ? line.from + f.column - 1 : line.from + Math.min(lead, line.length);
    return { from, to: line.to };
}

export class ScriptEditor {
    readonly view: EditorView;
    private sight: Sight | null = null;

    constructor(
        host: HTMLElement,
        private readonly events: EditorEvents,
    ) {
        this.view = new EditorView({ parent: host, state: this.state("") });
    }

    get text(): string {
        return this.view.state.doc.toString();
    }

    /** Shows another text without history, so that undo does not return to another file. */
    open(text: string): void {
        this.view.setState(this.state(text));
        this.view.scrollDOM.scrollTo(0, 0);
    }

    see(sight: Sight | null): void {
        this.sight = sight;
    }

    mark(findings: readonly Finding[]): void {
        const { doc } = this.view.state;
        const diagnostics = findings
            .filter((f) => f.line > 0)
            .map((f): Diagnostic => ({ ...rangeOf(doc, f), severity: f.severity === "note" ? "info" : f.severity, message: f.text }))
            .sort((a, b) => a.from - b.from);
        this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
    }

    goTo(line: number, focus = true): void {
        const { doc } = this.view.state;
        const at = rangeOf(doc, { severity: "note", line: Math.max(1, Math.min(doc.lines, line)), column: 0, text: "" }).from;
        this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(doc.lineAt(at).from, { y: "center" }) });
        if (focus) this.view.focus();
    }

    insert(text: string): void {
        this.view.dispatch(this.view.state.replaceSelection(text));
        this.view.focus();
    }

    find(): void {
        openSearchPanel(this.view);
    }

    private state(text: string): EditorState {
        const run = (): boolean => (this.events.run(), true);
        const save = (): boolean => (this.events.save(), true);
        return EditorState.create({
            doc: text,
            extensions: [
                Prec.highest(
                    keymap.of([
                        { key: "Mod-Enter", run, preventDefault: true },
                        { key: "Mod-s", run: save, preventDefault: true },
                    ]),
                ),
                basicSetup,
                keymap.of([indentWithTab]),
                lintGutter(),
                indentUnit.of("   "),
                EditorState.tabSize.of(3),
                StreamLanguage.define(lua),
                syntaxHighlighting(COLOURS),
                LOOK,
                autocompletion({ override: [(context) => this.complete(context)], activateOnTyping: true }),
                EditorView.contentAttributes.of({ "aria-label": "Script of the robot, in Lua", spellcheck: "false" }),
                EditorView.updateListener.of((update) => update.docChanged && this.events.changed()),
            ],
        });
    }

    // Between sensors[" and "] the sensors of the robot, between references[" and "] the references of its drives.
    private complete(context: CompletionContext): CompletionResult | null {
        const word = context.matchBefore(/(sensors|references)\s*\[\s*["'][\w.]*/);
        if (!word || !this.sight) return null;
        const quote = Math.max(word.text.lastIndexOf('"'), word.text.lastIndexOf("'"));
        const items = word.text.startsWith("sensors") ? this.sight.sensors : this.sight.references;
        const options = items.map((i): Completion => ({ label: i.name, detail: shownUnit(i.unit), type: "property" }));
        return { from: word.from + quote + 1, options, validFor: /^[\w.]*$/ };
    }
}
