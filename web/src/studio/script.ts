// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Panel for the script of a robot: edited, run without setting the robot back (Ctrl-Enter), saved (Ctrl-S), with messages at their lines, those of a running script too, and
// sliders for the parameters the scene gives it. A robot steered otherwise can be given a script from a template.
import "../style/parts.css";
import "../style/script.css";
import { unit as shownUnit } from "../core/format";
import { code, emptyState, h, icon, ICONS } from "../view/dom";
import type { Message, Parameter, Robot, Scene } from "../core/protocol";
import type { Notice } from "./store";
import type { Panel, Studio } from "./panel";
import { ScriptEditor } from "./script_editor";
import { finding, type Finding, isAbout, listed } from "./script_messages";
import { fromScene, newPath, robotName, type Sight, sightOf, template, tidyPath } from "./script_names";
import { Slider } from "./slider";
import type { Values } from "./commands_drive";
import { Sender } from "./commands_sender";

const HELP = "M9.2 9.2a2.8 2.8 0 1 1 4.2 2.5c-1 .6-1.4 1.1-1.4 2.3M12 17.5v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z";

declare global {
    interface Window {
        footfallScript?: ScriptPanel; // for tests
    }
}

// Keys of a scene that refer to another controller: expectations, recorded channels.
function without(scene: Scene): string[] {
    const text = scene.text ?? "";
    const set = /^expect:/m.test(text) ? ["expect=[]"] : [];
    const kept = ["q", "base", "com", "feet", "walk", "energy"].filter((c) => scene.channels?.some(({ name }) => name === c || name.startsWith(`${c}.`)));
    if (/^record:[^]*control/m.test(text)) set.push(`record.channels=[${kept.join(", ")}]`);
    return set;
}

function textOf(e: unknown): string {
    return e instanceof Error ? e.message : String(e);
}

export class ScriptPanel implements Panel {
    readonly id = "script";
    readonly title = "Script";
    readonly icon = "M8 7l-5 5 5 5M16 7l5 5-5 5M14 4l-4 16";
    readonly dock = "right";

    private studio!: Studio;
    private scene: Scene | null = null;
    private robots: Robot[] = [];
    private robot = 0;
    private path = "";
    private saved = ""; // text of the file
    private running = ""; // text the robot runs
    private isScript = false; // the robot runs a script
    private editing = false; // the editor shows a script, maybe not of the robot yet
    private findings: Finding[] = [];
    private noticed: Notice | null = null; // latest notice that was read
    private sight: Sight | null = null;
    private editor!: ScriptEditor;
    private sender!: Sender;
    private sliders = new Map<string, Slider>();

    private readonly robotBox = h("span", {});
    private readonly pathField = h("input", { class: "script-path", "aria-label": "File of the script", spellcheck: "false" });
    private readonly dot = h("span", { class: "dirty", title: "Not saved", hidden: true });
    private readonly runButton = h("button", { class: "small-button go", title: "Run this text without setting the robot back (Ctrl-Enter)", click: () => void this.run() }, icon(ICONS.play), "Run");
    private readonly saveButton = h("button", { class: "small-button", title: "Save the file (Ctrl-S)", click: () => void this.save() }, "Save");
    private readonly examples = h("select", { class: "examples", "aria-label": "Open another script" });
    private readonly helpButton = h("button", { class: "quiet tool", title: "What a script sees", "aria-label": "What a script sees", "aria-expanded": "false", click: () => this.toggleHelp() }, icon(HELP));
    private readonly status = h("span", { class: "script-state", role: "status" });
    private readonly file = h("div", { class: "script-file" }, this.pathField, this.dot, this.status);
    private readonly place = h("div", { class: "script-text" });
    private readonly empty = h("div", { class: "script-empty" });
    private readonly help = h("div", { class: "script-help", hidden: true });
    private readonly messages = h("ol", { class: "script-messages", "aria-label": "Messages about the script" });
    private readonly parameters = h("details", { class: "script-parameters", open: true });

    mount(host: HTMLElement, studio: Studio): void {
        this.studio = studio;
        window.footfallScript = this;
        host.classList.add("script-panel");
        host.append(
            h("div", { class: "panel-bar" }, this.robotBox, this.runButton, this.saveButton, this.examples, h("span", { class: "fill" }), this.helpButton),
            this.file,
            this.help,
            this.empty,
            this.place,
            this.messages,
            this.parameters,
        );
        this.editor = new ScriptEditor(this.place, { changed: () => this.showState(), run: () => void this.run(), save: () => void this.save() });
        this.sender = new Sender(
            (values) => this.sendParameters(values),
            (outcome) => {
                if (outcome.error !== "") for (const name of Object.keys(outcome.values)) this.sliders.get(name)?.warn(outcome.error);
            },
        );
        this.pathField.addEventListener("input", () => {
            this.path = this.pathField.value.trim();
            this.showState();
        });
        this.examples.addEventListener("change", () => void this.openExample(this.examples.value));
        studio.onScene((scene) => this.setScene(scene));
        studio.onControl(({ robot, parameters }) => robot === this.robot && this.followParameters(parameters));
        studio.store.on("library", () => this.fillExamples());
        studio.store.on("notices", (notices) => this.notice(notices));
        studio.addOpener((path, line) => this.openFile(path, line));
        addEventListener("beforeunload", (event) => {
            if (this.dirty) event.preventDefault();
        });
    }

    /** For tests: puts `text` in place of the first `find`. */
    replace(find: string, text: string): void {
        const at = this.editor.text.indexOf(find);
        if (at >= 0) this.editor.view.dispatch({ changes: { from: at, to: at + find.length, insert: text } });
    }

    /** For tests. */
    look(): { text: string; path: string; dirty: boolean; findings: Finding[] } {
        return { text: this.editor.text, path: this.path, dirty: this.dirty, findings: this.findings };
    }

    private get dirty(): boolean {
        return this.editing && this.editor.text !== this.saved;
    }

    // -------------------------------------------------------------------------------------- which script

    private setScene(scene: Scene | null): void {
        const same = scene !== null && scene.path === this.scene?.path;
        const before = this.robots[this.robot]?.control;
        this.scene = scene;
        this.robots = scene?.robots ?? [];
        this.sender.clear();
        if (!same) this.robot = Math.max(0, this.robots.findIndex((r) => r.control?.kind === "lua"));
        if (this.robot >= this.robots.length) this.robot = 0;
        const now = this.robots[this.robot]?.control;
        const keep = same && this.dirty && before?.path === now?.path; // unsaved work outlives a reload of its scene
        this.showRobot(keep);
    }

    private showRobot(keep = false): void {
        const robot = this.robots[this.robot];
        const { scene } = this;
        this.robotBox.replaceChildren(...(this.robots.length > 1 ? [this.robotSelect()] : []));
        this.sight = scene && robot ? sightOf(scene, robot) : null;
        this.editor.see(this.sight);
        this.isScript = robot?.control?.kind === "lua" && typeof robot.control.text === "string";
        if (!keep) this.setFindings([]);
        if (this.isScript) {
            this.running = robot.control?.text ?? "";
            if (!keep) this.openText(tidyPath(robot.control?.path ?? ""), this.running, this.running);
        } else if (!keep) {
            this.editing = false;
            this.path = "";
        }
        this.fillParameters(this.studio.controlOf(this.robot)?.parameters ?? robot?.control?.parameters ?? []);
        this.fillHelp();
        this.fillEmpty(robot);
        this.showState();
    }

    private robotSelect(): HTMLElement {
        const select = h("select", { "aria-label": "Robot" }, ...this.robots.map((r, i) => h("option", { value: i, selected: i === this.robot }, r.name)));
        select.addEventListener("change", () => {
            if (!this.mayLeave()) {
                select.value = String(this.robot);
                return;
            }
            this.robot = Number(select.value);
            this.showRobot();
        });
        return select;
    }

    private openText(path: string, text: string, saved: string): void {
        this.editing = true;
        this.path = path;
        this.pathField.value = path;
        this.saved = saved;
        this.editor.open(text);
        this.status.textContent = "";
        this.setFindings([]);
        this.empty.hidden = true;
        this.showState();
    }

    private mayLeave(): boolean {
        return !this.dirty || confirm(`${this.path || "The script"} was changed and not saved. Leave it?`);
    }

    private async openExample(path: string): Promise<void> {
        this.examples.selectedIndex = 0;
        if (path === "" || !this.mayLeave()) return;
        try {
            const answer = await this.studio.ask("source", { path });
            this.openText(path, answer.text, answer.text);
            this.status.textContent = "Opened; Run gives it to the robot.";
        } catch (e) {
            this.studio.notify("error", `${path} cannot be opened: ${textOf(e)}`);
        }
    }

    private openFile(path: string, line?: number): boolean {
        if (!path.endsWith(".lua")) return false;
        this.studio.show(this.id);
        const known = this.path !== "" && (this.path === path || path.endsWith(`/${this.path}`) || this.path.endsWith(`/${path}`));
        const opened = known ? Promise.resolve() : this.openExample(path);
        void opened.then(() => line && this.editor.goTo(line));
        return true;
    }

    private fillExamples(): void {
        const scripts = this.studio.store.get("library")?.scripts ?? [];
        const open = h("option", { value: "", selected: true }, "Open\u2026");
        this.examples.replaceChildren(open, ...scripts.map((s) => h("option", { value: s }, s)));
        this.examples.hidden = scripts.length === 0;
    }

    private fillEmpty(robot: Robot | undefined): void {
        this.empty.hidden = this.editing;
        if (this.editing) return;
        if (!this.scene) this.empty.replaceChildren(emptyState("No scene is loaded", "Choose one under Scenes; the script of its robot is edited here."));
        else if (!robot) this.empty.replaceChildren(emptyState("There is no robot in this scene", "Scripts steer robots."));
        else {
            const kind = robot.control?.kind;
            const advice = kind && kind !== "none" ? `It is steered by \`${kind}\`. A script can take its place, until the scene is loaded again.` : "A script can steer it, until the scene is loaded again.";
            const box = emptyState(`${robotName(robot)} has no script`, advice);
            box.append(h("button", { class: "small-button go", click: () => this.begin(robot) }, "New script"));
            this.empty.replaceChildren(box);
        }
    }

    private begin(robot: Robot): void {
        if (!this.sight || !this.scene) return;
        this.openText(newPath(this.scene.path, robot.name), template(robotName(robot).replace(/^The/, "the"), this.sight), "");
        this.editor.view.focus();
    }

    // -------------------------------------------------------------------------------------- run and save

    private async run(): Promise<void> {
        if (!this.editing || this.runButton.disabled) return;
        if (!this.isScript) return this.install();
        const text = this.editor.text;
        this.runButton.disabled = true;
        this.noticed = this.studio.store.get("notices").at(-1) ?? this.noticed;
        try {
            const answer = await this.studio.ask("script", { robot: this.robot, text });
            this.running = text;
            this.fillParameters(answer.parameters);
            this.showProblems(answer.messages, "");
            this.status.textContent = `Running since ${this.studio.time().toFixed(2)} s`;
        } catch (e) {
            this.showProblems((e as { messages?: Message[] }).messages ?? [], textOf(e));
            this.status.textContent = this.running ? "Refused; the old one runs on" : "Refused";
        } finally {
            this.runButton.disabled = false;
            this.showState();
        }
    }

    // The robot is steered otherwise: the script is saved and the scene loaded again with it, which sets the robot back this once.
    private async install(): Promise<void> {
        const { scene } = this;
        if (!scene || !(await this.save())) return;
        const where = this.robots.length > 1 ? `robots.${this.robot}.control` : "control";
        const set = [...(scene.set ?? []).filter((s) => !s.startsWith(`${where}=`)), `${where}={lua: ${JSON.stringify(fromScene(scene.path, this.path))}}`];
        set.push(...without(scene).filter((s) => !set.includes(s)));
        this.status.textContent = "Loading the scene with this script";
        const request = { scene: scene.path, set, ...(scene.variant ? { variant: scene.variant } : {}) };
        if (!(await this.studio.load(request))) this.status.textContent = "The scene refused it; see Info";
    }

    private async save(): Promise<boolean> {
        if (!this.editing) return false;
        const text = this.editor.text;
        if (!/\.lua$/.test(this.path)) {
            this.status.textContent = "A path that ends in .lua is needed";
            this.pathField.focus();
            return false;
        }
        try {
            const answer = await this.studio.ask("save", { path: this.path, text });
            this.saved = text;
            this.status.textContent = "Saved";
            if (answer.messages?.length) this.showProblems(answer.messages, "");
            void this.studio.refresh();
        } catch (e) {
            this.status.textContent = "Not saved";
            this.showProblems((e as { messages?: Message[] }).messages ?? [], textOf(e));
        }
        this.showState();
        return this.saved === text;
    }

    private showState(): void {
        const { dirty, editing } = this;
        const fresh = editing && this.editor.text === this.running;
        this.dot.hidden = !dirty;
        this.runButton.classList.toggle("due", editing && !fresh);
        this.runButton.title = fresh ? "The robot runs this text (Ctrl-Enter: start it again)" : this.isScript ? "Run this text without setting the robot back (Ctrl-Enter)" : "Save this text and load the scene with it (Ctrl-Enter)";
        this.saveButton.disabled = !dirty;
        for (const part of [this.place, this.file]) part.hidden = !editing;
        this.runButton.disabled = !editing;
        if (dirty && this.status.textContent === "Saved") this.status.textContent = "";
    }

    // -------------------------------------------------------------------------------------- messages

    private showProblems(messages: readonly Message[], error: string): void {
        const { lines } = this.editor.view.state.doc;
        const about = messages.filter((m) => isAbout(m, this.path, true)).map((m) => finding(m, lines));
        if (error !== "" && about.length === 0) about.push(finding({ severity: "error", text: error }, lines));
        this.setFindings(about);
        const first = about.find((f) => f.severity === "error" && f.line > 0);
        if (first) this.editor.goTo(first.line, this.editor.view.hasFocus);
    }

    // Errors of a running script arrive as notices.
    private notice(notices: readonly Notice[]): void {
        const last = notices.at(-1) ?? null;
        const from = this.noticed ? notices.lastIndexOf(this.noticed) + 1 : 0;
        this.noticed = last;
        if (!this.editing || !this.isScript) return;
        const { lines } = this.editor.view.state.doc;
        const mine = notices.slice(from).filter((n) => n.severity !== "note" && isAbout(n, tidyPath(this.robots[this.robot]?.control?.path ?? this.path), false));
        if (mine.length === 0) return;
        this.setFindings([...this.findings, ...mine.map((n) => finding(n, lines))]);
        if (mine.some((n) => n.severity === "error")) this.status.textContent = "Failed; the robot is held";
    }

    private setFindings(findings: Finding[]): void {
        this.findings = listed(findings);
        this.editor.mark(this.findings);
        this.messages.replaceChildren(
            ...this.findings.map((f) =>
                h(
                    "li",
                    { class: f.severity },
                    h("button", { click: () => f.line > 0 && this.editor.goTo(f.line), title: f.line > 0 ? "Go to the line" : "" }, h("b", {}, f.line > 0 ? `line ${f.line}` : f.severity), h("span", {}, f.text)),
                ),
            ),
        );
        this.messages.hidden = this.findings.length === 0;
    }

    // -------------------------------------------------------------------------------------- parameters

    // Changed by another page: values, or with another script their names.
    private followParameters(list: readonly Parameter[]): void {
        const names = [...this.sliders.keys()];
        if (list.length !== names.length || list.some((p, i) => p.name !== names[i])) return this.fillParameters(list);
        for (const p of list) if (!this.sender.awaits(p.name)) this.sliders.get(p.name)?.set(p.value);
    }

    private fillParameters(list: readonly Parameter[]): void {
        this.sliders = new Map(list.map((p) => [p.name, new Slider(p.name, p, (value) => this.sender.put({ [p.name]: value }))]));
        this.parameters.hidden = list.length === 0;
        this.parameters.replaceChildren(h("summary", {}, `Parameters (${list.length})`), h("div", { class: "parameter-list" }, ...[...this.sliders.values()].map((s) => s.element)));
    }

    private async sendParameters(values: Values): ReturnType<Studio["ask"]> {
        let answer = null;
        for (const [name, value] of Object.entries(values)) answer = await this.studio.ask("parameter", { robot: this.robot, name, value: Number(value) });
        return answer ?? { id: 0, ok: true, messages: [] };
    }

    // -------------------------------------------------------------------------------------- help

    private toggleHelp(): void {
        this.help.hidden = !this.help.hidden;
        this.helpButton.setAttribute("aria-expanded", String(!this.help.hidden));
    }

    private fillHelp(): void {
        const s = this.sight;
        const item = (table: string, i: { name: string; unit: string }): HTMLElement =>
            h("li", {}, h("button", { title: "Put it where the cursor is", click: () => this.editing && this.editor.insert(`${table}["${i.name}"]`) }, i.name), h("span", {}, shownUnit(i.unit)));
        const list = (title: string, table: string, items: { name: string; unit: string }[], none: string): HTMLElement =>
            h("details", { open: items.length <= 12 }, h("summary", {}, `${title} (${items.length})`), items.length > 0 ? h("ul", {}, ...items.map((i) => item(table, i))) : h("p", { class: "note" }, none));
        this.help.replaceChildren(
            h("p", {}, ...code("`start(robot)` is called once, `cycle(t, sensors, references)` each period, `command(t, values)` for commands. What changes belongs into the table `memory`; its numbers are plotted as `control.NAME`.")),
            ...(s
                ? [
                      list("sensors", "sensors", s.sensors, "The scene models no sensors of this robot."),
                      list("references", "references", s.references, "The scene models no drives of this robot."),
                      h("p", {}, h("b", {}, "Legs "), s.legs.join(" ") || "none", h("br"), h("b", {}, "Joints "), s.joints.join(" ") || "none"),
                      s.parameters.length > 0 ? h("p", {}, h("b", {}, "Parameters "), s.parameters.map((p) => `robot.parameters.${p}`).join(" ")) : "",
                  ]
                : []),
            h("p", { class: "note" }, ...code("`math`, `table`, `string`, `pcall`, `print` are there; `io`, `os`, `require` are not. docs/controllers.md is the manual.")),
        );
    }
}

export function scriptPanel(): ScriptPanel {
    return new ScriptPanel();
}
