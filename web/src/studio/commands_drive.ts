// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From keys and sticks to the commands of a robot that walks. Both give three numbers between -1 and 1: ahead, to the left, and turning to the left. Which of them a robot can
// follow, by what names, and how fast, its list of commands says: `speed` and `direction` of a gait, `speed` and `side` of a biped, `forward` and `sideways` of its steps.
import type { Command } from "../core/protocol";

export interface Axes {
    ahead: number;
    left: number;
    turn: number;
}
/** Values of a command by key. */
export type Values = Record<string, number | string | boolean>;

export const REST: Axes = { ahead: 0, left: 0, turn: 0 };
export const DEAD_ZONE = 0.15; // sticks at rest stay within this share of their travel

/** Keys for driving, by KeyboardEvent.code: the position of a key counts, not its label. */
const KEYS: Record<string, Axes> = {
    KeyW: { ahead: 1, left: 0, turn: 0 },
    ArrowUp: { ahead: 1, left: 0, turn: 0 },
    KeyS: { ahead: -1, left: 0, turn: 0 },
    ArrowDown: { ahead: -1, left: 0, turn: 0 },
    KeyA: { ahead: 0, left: 0, turn: 1 },
    ArrowLeft: { ahead: 0, left: 0, turn: 1 },
    KeyD: { ahead: 0, left: 0, turn: -1 },
    ArrowRight: { ahead: 0, left: 0, turn: -1 },
    KeyQ: { ahead: 0, left: 1, turn: 0 },
    KeyE: { ahead: 0, left: -1, turn: 0 },
};

export function drives(code: string): boolean {
    return code in KEYS;
}

function clamp(v: number): number {
    return Math.max(-1, Math.min(1, v));
}

/** Axes commanded by all held keys; opposite ones cancel. */
export function axesOfKeys(held: Iterable<string>): Axes {
    const sum = { ...REST };
    for (const code of held) {
        const key = KEYS[code];
        if (!key) continue;
        sum.ahead += key.ahead;
        sum.left += key.left;
        sum.turn += key.turn;
    }
    return { ahead: clamp(sum.ahead), left: clamp(sum.left), turn: clamp(sum.turn) };
}

/** A stick with a dead zone: zero within it, and from there linear to 1 at the rim, in every direction. */
export function stick(x: number, y: number, dead = DEAD_ZONE): [number, number] {
    const size = Math.hypot(x, y);
    if (!(size > dead)) return [0, 0];
    const scale = Math.min(1, (size - dead) / (1 - dead)) / size;
    return [x * scale, y * scale];
}

/** Members of a gamepad in the standard layout that the page uses. */
export interface Pad {
    axes: readonly number[];
    buttons: readonly { pressed: boolean }[];
}

/** Left stick walks, right stick turns. */
export function axesOfPad(pad: Pad, dead = DEAD_ZONE): Axes {
    const [x, y] = stick(pad.axes[0] ?? 0, pad.axes[1] ?? 0, dead);
    const [turn] = stick(pad.axes[2] ?? 0, 0, dead);
    return { ahead: -y || 0, left: -x || 0, turn: -turn || 0 };
}

/** Buttons that were pressed since the last call. */
export function pressedNow(pad: Pad, before: readonly boolean[]): number[] {
    return pad.buttons.flatMap((b, i) => (b.pressed && !before[i] ? [i] : []));
}

/** Buttons of the standard layout. */
export const PAD = { a: 0, b: 1, x: 2, y: 3, back: 8, start: 9, up: 12, down: 13 };
const PAD_GAITS = [PAD.a, PAD.b, PAD.x, PAD.y];

/**
 * What a button asks for: a gait by its place in the list, or of a robot without gaits to walk (A) and to stand (B); a stop (back); the body up or down by a tenth of its
 * range (cross); the simulation to run or to pause (start); null: nothing.
 */
export function actionOfButton(button: number, commands: readonly Command[], values: Values): Values | "pause" | null {
    if (button === PAD.start) return "pause";
    if (button === PAD.back) return stopCommand(commands);
    const gaits = commands.find((c) => c.key === "gait")?.choices;
    const gait = gaits?.[PAD_GAITS.indexOf(button)];
    if (gait !== undefined) return { gait };
    if (!gaits && hasWalk(commands) && button === PAD.a) return { walk: true };
    if (!gaits && hasWalk(commands) && button === PAD.b) return { walk: false };
    const height = commands.find((c) => c.key === "height");
    if ((button !== PAD.up && button !== PAD.down) || height?.low === undefined || height.high === undefined) return null;
    const now = Number(values.height ?? height.value ?? height.low);
    const step = ((button === PAD.up ? 1 : -1) * (height.high - height.low)) / 10;
    return { height: Math.max(height.low, Math.min(height.high, now + step)) };
}

/** Text about what sticks and buttons of a gamepad do with this robot. */
export function padWords(commands: readonly Command[]): string {
    const words: string[] = [];
    if (AHEAD.some((k) => ranged(commands, k))) words.push("left stick walks");
    if (ranged(commands, "turn")) words.push("right stick turns");
    if (commands.some((c) => c.key === "gait" && c.choices)) words.push("A B X Y gaits");
    else if (hasWalk(commands)) words.push("A walks", "B stands");
    if (ranged(commands, "height")) words.push("cross raises and lowers the body");
    if (Object.keys(stopCommand(commands)).length > 0) words.push("back stops");
    return [...words, "start runs or pauses"].join(", ");
}

const AHEAD = ["speed", "forward"]; // keys of the forward speed
const SIDEWAYS = ["side", "sideways"]; // keys of the speed to the left, if there is no direction

function hasWalk(commands: readonly Command[]): boolean {
    return commands.some((c) => c.key === "walk" && c.choices);
}

function ranged(commands: readonly Command[], key: string): { low: number; high: number } | null {
    const c = commands.find((command) => command.key === key);
    return c && c.low !== undefined && c.high !== undefined ? { low: c.low, high: c.high } : null;
}

/** Whether driving uses any of the commands. */
export function canDrive(commands: readonly Command[]): boolean {
    return [...AHEAD, "turn"].some((key) => ranged(commands, key) !== null);
}

/** Value at a share of the range on the side of the axis. */
function along(axis: number, { low, high }: { low: number; high: number }): number {
    return (axis >= 0 ? axis * Math.max(0, high) : axis * Math.max(0, -low)) || 0;
}

/**
 * What axes ask of a robot. `share` of the greatest speeds is used. With a direction all round, speed is how fast and never below zero; otherwise ahead and sideways have numbers of their own.
 * At rest a direction is left as it is: the robot should not turn its steps while it stops. A robot without gaits that can be commanded to stand does so at rest.
 */
export function commandOfAxes(axes: Axes, commands: readonly Command[], share = 1): Values {
    const values: Values = {};
    const direction = ranged(commands, "direction");
    const round = direction !== null && direction.high - direction.low > 1.9 * Math.PI;
    for (const key of AHEAD) {
        const range = ranged(commands, key);
        if (range && round) {
            const size = Math.min(1, Math.hypot(axes.ahead, axes.left));
            values[key] = size * share * range.high;
            if (size > 0) values.direction = Math.max(direction.low, Math.min(direction.high, Math.atan2(axes.left, axes.ahead)));
        } else if (range) {
            values[key] = share * along(axes.ahead, range);
            if (direction) values.direction = Math.max(direction.low, Math.min(direction.high, axes.ahead > 0 ? Math.atan2(axes.left, axes.ahead) : 0));
        }
    }
    for (const key of SIDEWAYS) {
        const range = ranged(commands, key);
        if (range) values[key] = share * along(axes.left, range);
    }
    const turn = ranged(commands, "turn");
    if (turn) values.turn = share * along(axes.turn, turn);
    if (standsAtRest(commands)) values.walk = axes.ahead !== 0 || axes.left !== 0 || axes.turn !== 0;
    return values;
}

/** Whether the robot needs a command to stand; gaits stand at speed zero. */
function standsAtRest(commands: readonly Command[]): boolean {
    return hasWalk(commands) && !commands.some((c) => c.key === "gait");
}

/** Commands with which this robot stands still. */
export function stopCommand(commands: readonly Command[]): Values {
    const values: Values = {};
    for (const key of [...AHEAD, ...SIDEWAYS, "turn"]) if (ranged(commands, key)) values[key] = 0;
    if (standsAtRest(commands)) values.walk = false;
    return values;
}
