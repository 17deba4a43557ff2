// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Panel that steers robots: a control for each command the robot's controller takes, as the scene lists them; driving by keys, a gamepad and a stick on the screen; a stop
// that needs no aim. What the program refuses is shown at the control it is about.
import "../style/parts.css";
import "../style/control.css";
import { emptyState, h, icon } from "../view/dom";
import { actionOfButton, type Axes, axesOfKeys, axesOfPad, canDrive, commandOfAxes, drives, type Pad, padWords, pressedNow, REST, stopCommand, type Values } from "./commands_drive";
import { byKey, type Outcome, Sender } from "./commands_sender";
import { ScreenStick } from "./commands_stick";
import type { Command, ControlState, Robot, Scene } from "../core/protocol";
import type { Notice } from "./store";
import { keeps } from "./keys";
import type { Panel, Studio } from "./panel";
import { robotName } from "./script_names";
import { Slider } from "./slider";

const NAMES: Record<string, string> = {
    gait: "Gait",
    walk: "Walk",
    speed: "Speed",
    direction: "Direction",
    side: "Sideways",
    forward: "Step ahead",
    sideways: "Step sideways",
    turn: "Turn",
    transfer: "Transfer speed",
    length: "Step length",
    zone: "Step height",
    height: "Body height",
    roll: "Roll",
    pitch: "Pitch",
    clearance: "Clearance",
    duty: "Duty factor",
    gather: "Gather feet",
    shift_body: "Shift body",
    control_forces: "Control forces",
};
const DRIVING = ["gait", "walk", "speed", "forward", "direction", "side", "sideways", "turn"]; // in this order above the rest
/** Hints on controlling some kinds of controllers. */
const NOTES: Record<string, string> = {
    arm: "The tip goes to x, y, z in a straight line or joint by joint, in the given time. Places out of its reach are refused.",
    climb: "It follows a plan that was made before the first step: it can be stopped in the midst of it, and goes on.",
    hill: "It goes straight over its hill: it can be stopped, and goes on.",
    jog: "It runs in a plane and cannot stand: at speed zero it hops on the spot.",
    static_walk: "Lengths and turns are those of one step, and take part from the next one on.",
};
const POLL = 50; // [ms] between two polls of a gamepad
const STOP = "M8 3.5h8L20.5 8v8L16 20.5H8L3.5 16V8z";

/** Text for display of a key such as "step_height". */
function nameOf(key: string): string {
    const words = key.replace(/[._]/g, " ");
    return NAMES[key] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** One control on the page: slider, buttons, .. */
interface Control {
    element: HTMLElement;
    set(value: number | string | boolean): void;
    setRange?(low: number, high: number): void;
    warn(text: string): void;
}

export class CommandsPanel implements Panel {
    readonly id = "control";
    readonly title = "Control";
    readonly icon = "M7.5 7.5h9a5 5 0 0 1 2.2 9.4c-2.4.7-3.2-2.4-5.2-2.4h-3c-2 0-2.8 3.1-5.2 2.4A5 5 0 0 1 7.5 7.5zM8.5 10v3M7 11.5h3M15 11h.01M17 12.5h.01";
    readonly dock = "right";

    private studio!: Studio;
    private readonly body = h("div", { class: "commands" });
    private robots: Robot[] = [];
    private robot = 0;
    private commands: Command[] = [];
    private controls = new Map<string, Control>();
    private values: Values = {};
    private sender!: Sender;
    private noticed: Notice | null = null;
    private refused = new Set<string>(); // keys whose command was refused with a message
    private readonly general = h("p", { class: "refusal", role: "status", hidden: true });

    private driving = false;
    private readonly held = new Set<string>();
    private stickAxes: { ahead: number; left: number } | null = null;
    private share = 0.6;
    private moving = false; // keys, stick or gamepad are in use
    private padButtons: boolean[] = [];
    private padTimer: ReturnType<typeof setInterval> | null = null;
    private readonly stick = new ScreenStick((axes) => {
        this.stickAxes = axes;
        this.drive();
    });
    private readonly driveButton = h("button", { class: "drive-toggle", "aria-pressed": "false", click: () => this.setDriving(!this.driving) });
    private readonly caps = h("div", { class: "caps", "aria-hidden": "true" });
    private readonly padState = h("p", { class: "pad-state", role: "status" });

    mount(host: HTMLElement, studio: Studio): void {
        this.studio = studio;
        host.classList.add("control-panel");
        host.append(this.body);
        this.sender = new Sender(
            (command) => studio.ask("command", { robot: this.robot, command }),
            (outcome) => this.showOutcome(outcome),
        );
        for (const code of ["Q", "W", "E", "A", "S", "D"]) this.caps.append(h("kbd", { "data-code": `Key${code}` }, code));
        studio.onScene((scene) => this.setScene(scene));
        studio.onReset(() => this.setScene(studio.store.get("scene"))); // commands begin with those of the scene
        studio.onControl((state) => this.follow(state));
        studio.store.on("notices", (notices) => this.notice(notices));
        studio.keys.add({ keys: ["g"], group: "Control", what: "Drive by keys: W S ahead and back, A D turn, Q E sideways; escape ends", press: () => this.setDriving(!this.driving) });
        addEventListener("keydown", (event) => this.keyDown(event), true);
        addEventListener("keyup", (event) => this.keyUp(event), true);
        addEventListener("blur", () => this.letGo());
        addEventListener("gamepadconnected", () => this.watchPads());
        addEventListener("gamepaddisconnected", () => this.watchPads());
        this.watchPads();
    }

    // -------------------------------------------------------------------------------------- building

    private setScene(scene: Scene | null): void {
        this.robots = scene?.robots ?? [];
        this.sender.clear();
        const able = this.robots.findIndex((r) => (r.control?.commands?.length ?? 0) > 0);
        if (this.robot >= this.robots.length || !this.robots[this.robot]?.control?.commands?.length) this.robot = Math.max(0, able);
        this.build(scene !== null);
    }

    private build(loaded: boolean): void {
        const robot = this.robots[this.robot];
        this.commands = robot?.control?.commands ?? [];
        this.controls = new Map();
        this.values = {};
        this.general.hidden = true;
        if (!canDrive(this.commands)) this.setDriving(false);
        const parts: (HTMLElement | null)[] = [this.robots.length > 1 ? this.robotSelect() : null];
        if (this.commands.length === 0) parts.push(this.nothing(loaded, robot));
        else {
            if (canDrive(this.commands)) parts.push(this.driveBox());
            const rank = (c: Command): number => (DRIVING.includes(c.key) ? DRIVING.indexOf(c.key) : DRIVING.length);
            const sorted = [...this.commands].sort((a, b) => rank(a) - rank(b));
            const note = NOTES[robot?.control?.kind ?? ""];
            if (note) parts.push(h("p", { class: "kind-note" }, note));
            parts.push(h("div", { class: "command-list" }, ...sorted.map((c) => this.control(c))), this.general);
            if (!canDrive(this.commands)) parts.push(this.padState);
        }
        this.body.replaceChildren(...parts.filter((p) => p !== null));
        this.showDriving();
        this.watchPads();
        const known = this.studio.controlOf(this.robot);
        if (known) this.follow(known);
    }

    private nothing(loaded: boolean, robot: Robot | undefined): HTMLElement {
        if (!loaded) return emptyState("No scene is loaded", "Choose one under Scenes; robots that walk are steered here.");
        if (!robot) return emptyState("There is no robot in this scene", "Objects take no commands.");
        const kind = robot.control?.kind;
        if (!kind || kind === "none") return emptyState(`${robotName(robot)} has no controller`, "Give it one in its scene, such as `control: {gait: tripod}` for a robot of six legs, or write one under Script.");
        if (kind === "hold") return emptyState(`${robotName(robot)} is led by the joint law of its scene`, "`control: {hold: ..}` holds its joints at their start or, with `cycle`, leads them through poses. It takes no commands; a controller or a script in its place can.");
        if (kind === "lua") {
            const box = emptyState(`${robotName(robot)} follows its script`, "Numbers that the script declares as `parameters` are sliders beside it.");
            box.append(h("button", { class: "small-button", click: () => this.studio.show("script") }, "Open the script"));
            return box;
        }
        return emptyState(`${robotName(robot)} takes no commands`, `Its controller (\`${kind}\`) follows its own plan.`);
    }

    private robotSelect(): HTMLElement {
        const select = h("select", { "aria-label": "Robot" }, ...this.robots.map((r, i) => h("option", { value: i, selected: i === this.robot }, r.name)));
        select.addEventListener("change", () => {
            this.letGo();
            this.robot = Number(select.value);
            this.build(true);
        });
        return h("label", { class: "robot-select" }, h("span", {}, "Robot"), select);
    }

    private driveBox(): HTMLElement {
        const pace = new Slider(
            "share",
            { unit: "%", low: 10, high: 100, value: 100 * this.share },
            (value) => {
                this.share = value / 100;
                if (this.moving) this.drive();
            },
            "Keys and stick give",
        );
        const stop = h("button", { class: "stop", title: "Speeds to zero, and stand", click: () => this.stop() }, icon(STOP), "Stop");
        return h(
            "section",
            { class: "drive-box" },
            h("div", { class: "drive-sides" }, this.stick.element, h("div", { class: "drive-right" }, this.driveButton, this.caps, stop)),
            pace.element,
            this.padState,
        );
    }

    private control(command: Command): HTMLElement {
        const made = command.choices ? this.choice(command, command.choices) : this.slider(command);
        this.controls.set(command.key, made);
        if (command.value !== undefined) this.values[command.key] = command.value;
        return made.element;
    }

    private slider(command: Command): Control {
        const quantity = { ...command, value: typeof command.value === "number" ? command.value : (command.low ?? 0) };
        const slider = new Slider(command.key, quantity, (value) => this.command({ [command.key]: value }), nameOf(command.key));
        return { element: slider.element, set: (value) => slider.set(Number(value)), setRange: (low, high) => slider.setRange(low, high), warn: (text) => slider.warn(text) };
    }

    private choice(command: Command, choices: string[]): Control {
        const word = h("p", { class: "refusal", role: "status", hidden: true });
        const flag = choices.length === 2 && choices.includes("true") && choices.includes("false");
        const valueOf = (c: string): string | boolean => (flag ? c === "true" : c);
        const words = command.key === "walk" ? { true: "walk", false: "stand" } : { true: "on", false: "off" };
        const shown = (c: string): string => (flag ? words[c === "true" ? "true" : "false"] : c.replace(/_/g, " "));
        const buttons = choices.map((c) => h("button", { "data-choice": c, click: () => this.command({ [command.key]: valueOf(c) }) }, shown(c)));
        const select = h("select", { "aria-label": nameOf(command.key) }, ...choices.map((c) => h("option", { value: c }, c)));
        select.addEventListener("change", () => this.command({ [command.key]: select.value }));
        const many = choices.length > 4;
        const set = (value: number | string | boolean): void => {
            select.value = String(value);
            for (const b of buttons) b.setAttribute("aria-pressed", String(b.dataset.choice === String(value)));
        };
        if (command.value !== undefined) set(command.value);
        const element = h(
            "div",
            { class: "choice", "data-key": command.key },
            h("span", { class: "choice-name" }, nameOf(command.key)),
            many ? select : h("div", { class: "segmented", role: "group", "aria-label": nameOf(command.key) }, ...buttons),
            word,
        );
        const warn = (text: string): void => {
            word.textContent = text;
            word.hidden = text === "";
        };
        return { element, set, warn };
    }

    // -------------------------------------------------------------------------------------- sending to the program

    private command(values: Values): void {
        Object.assign(this.values, values);
        for (const [key, value] of Object.entries(values)) this.controls.get(key)?.set(value);
        this.sender.put(values);
    }

    // What the program has now, from whichever page. A key this page has asked about itself and not been answered on stays: the event is older.
    private follow({ robot, commands }: ControlState): void {
        if (robot !== this.robot || commands.length !== this.commands.length) return;
        const ranges = (all: Command[]): string => JSON.stringify(all.map((c) => [c.low, c.high]));
        const moved = ranges(commands) !== ranges(this.commands);
        this.commands = commands;
        for (const { key, low, high, value, choices } of commands) {
            const control = this.controls.get(key);
            if (low !== undefined && high !== undefined) control?.setRange?.(low, high);
            if (value === undefined || this.sender.awaits(key)) continue;
            const flag = choices?.length === 2 && choices.includes("true") && choices.includes("false");
            const now = flag ? value === "true" : value;
            if (this.values[key] === now) continue;
            this.values[key] = now;
            control?.set(now);
        }
        if (moved && (this.held.size > 0 || this.stickAxes)) this.drive(); // keys that are held command a share of the new range
    }

    private showOutcome(outcome: Outcome): void {
        const found = byKey(outcome);
        for (const key of Object.keys(outcome.values)) if (found.has(key) || this.refused.has(key)) this.controls.get(key)?.warn(found.get(key) ?? "");
        this.refused = new Set(found.keys());
        this.general.textContent = found.get("") ?? "";
        this.general.hidden = this.general.textContent === "";
    }

    // A gait accepts a command and reports afterwards how much of it is possible.
    private notice(notices: readonly Notice[]): void {
        const from = this.noticed ? notices.lastIndexOf(this.noticed) + 1 : 0;
        this.noticed = notices.at(-1) ?? null;
        for (const { text } of notices.slice(from)) {
            if (!/clamped/.test(text)) continue;
            const words = text.toLowerCase().split(/[^a-z_]+/);
            const key = [...this.controls.keys()].find((k) => words.includes(k));
            if (key === undefined) continue;
            this.controls.get(key)?.warn(text.replace(/^while walking: /, ""));
            this.refused.add(key);
        }
    }

    private stop(): void {
        this.letGo();
        this.command(stopCommand(this.commands));
    }

    // -------------------------------------------------------------------------------------- driving

    private setDriving(driving: boolean): void {
        if (driving && !canDrive(this.commands)) {
            this.studio.notify("warning", "No robot of this scene can be driven: its controller takes neither speed nor turn.");
            return;
        }
        if (!driving) this.letGo();
        this.driving = driving;
        if (driving) {
            this.studio.show(this.id);
            if (document.activeElement instanceof HTMLElement && keeps(document.activeElement, "w")) document.activeElement.blur();
        }
        this.showDriving();
    }

    private showDriving(): void {
        const { driving, driveButton } = this;
        driveButton.replaceChildren(h("span", { class: "lamp" }), driving ? "Driving by keys" : "Drive by keys");
        driveButton.title = driving ? "Escape ends" : "Letters or arrows walk and turn while this is on (G)";
        driveButton.setAttribute("aria-pressed", String(driving));
        document.documentElement.classList.toggle("driving", driving);
        for (const cap of this.caps.querySelectorAll("kbd")) cap.classList.toggle("down", this.held.has(cap.dataset.code ?? ""));
    }

    private keyDown(event: KeyboardEvent): void {
        if (!this.driving || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === "Escape") {
            this.setDriving(false);
            event.preventDefault();
            return;
        }
        if (!drives(event.code) || keeps(event.target, event.key)) return;
        event.preventDefault();
        event.stopPropagation();
        if (this.held.has(event.code)) return;
        this.held.add(event.code);
        this.drive();
    }

    private keyUp(event: KeyboardEvent): void {
        if (!this.held.delete(event.code)) return;
        event.stopPropagation();
        this.drive();
    }

    private letGo(): void {
        const moved = this.held.size > 0 || this.stickAxes !== null;
        this.held.clear();
        this.stickAxes = null;
        if (moved) this.drive();
    }

    // The first one in use commands the robot: stick on the page, then keys, then gamepad. At rest one command of zero is sent.
    private drive(pad: Axes = REST): void {
        const keys = axesOfKeys(this.held);
        const active = (a: Axes): boolean => a.ahead !== 0 || a.left !== 0 || a.turn !== 0;
        const hand = this.stickAxes ? { ...this.stickAxes, turn: keys.turn } : keys;
        const axes = active(hand) || this.stickAxes ? hand : pad;
        const share = axes === pad && pad !== REST ? 1 : this.share;
        this.stick.show(axes);
        this.showDriving();
        if (!active(axes) && !this.moving) return;
        this.moving = active(axes);
        const values = commandOfAxes(axes, this.commands, share);
        if (Object.entries(values).some(([key, value]) => this.values[key] !== value)) this.command(values);
    }

    // -------------------------------------------------------------------------------------- gamepad

    private pad(): (Pad & { id: string; mapping: string }) | null {
        const pads = typeof navigator.getGamepads === "function" ? navigator.getGamepads() : [];
        return [...pads].find((p) => p?.connected) ?? null;
    }

    private watchPads(): void {
        const pad = this.pad();
        const known = pad?.mapping === "standard";
        this.padState.replaceChildren(
            h("span", { class: pad ? "lamp on" : "lamp" }),
            pad ? `${pad.id.replace(/\s*\(.*$/, "")}: ${padWords(this.commands)}${known ? "" : " (buttons may lie elsewhere)"}` : "No gamepad. Press a button on one to connect it.",
        );
        if (pad && !this.padTimer) this.padTimer = setInterval(() => this.readPad(), POLL);
        if (!pad && this.padTimer) {
            clearInterval(this.padTimer);
            this.padTimer = null;
            this.drive();
        }
    }

    private readPad(): void {
        const pad = this.pad();
        if (!pad) return this.watchPads();
        const axes = axesOfPad(pad);
        if (this.moving || axes.ahead !== 0 || axes.left !== 0 || axes.turn !== 0) this.drive(axes);
        for (const button of pressedNow(pad, this.padButtons)) {
            const action = actionOfButton(button, this.commands, this.values);
            if (action === "pause") this.studio.toggleRun();
            else if (action && Object.keys(action).length > 0) this.command(action);
        }
        this.padButtons = pad.buttons.map((b) => b.pressed);
    }
}

export function commandsPanel(): CommandsPanel {
    return new CommandsPanel();
}
