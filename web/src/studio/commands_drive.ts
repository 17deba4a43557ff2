// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From keys and sticks to the commands of a gait. Both give three numbers between -1 and 1: ahead, to the left, and turning to the left. Which of them a robot can
// follow, and how fast, its list of commands says.
import type { Command } from "../core/protocol";

export interface Axes {
    ahead: number;
    left: number;
    turn: number;
}
/** Values of a command by key. */
export type Values = Record<string, number | string | boolean>;

export const REST: Axes = { ahead: 0, left: 0, turn: 0 };
export const DEAD_ZONE = 0.15; // worn sticks rest within this share of their travel

/** Keys of driving, as KeyboardEvent.code names them: where they lie counts, not what is written on them. */
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

/** What the keys that are held say together; opposite ones cancel. */
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

/** A stick without its dead zone: nothing within it, and from there evenly to 1 at the rim, whatever the direction. */
export function stick(x: number, y: number, dead = DEAD_ZONE): [number, number] {
    const size = Math.hypot(x, y);
    if (!(size > dead)) return [0, 0];
    const scale = Math.min(1, (size - dead) / (1 - dead)) / size;
    return [x * scale, y * scale];
}

/** What the page needs of a gamepad in the standard layout. */
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

/** Buttons that are down now and were not before. */
export function pressedNow(pad: Pad, before: readonly boolean[]): number[] {
    return pad.buttons.flatMap((b, i) => (b.pressed && !before[i] ? [i] : []));
}

export const PAD_STOP = [8, 9]; // back, start
const PAD_GAITS = [0, 1, 2, 3]; // A B X Y
const PAD_UP = 12; // of the cross
const PAD_DOWN = 13;

/** What a button asks for: a gait by its place in the list, a stop, the body up or down by a tenth of its range; null: nothing. */
export function commandOfButton(button: number, commands: readonly Command[], values: Values): Values | null {
    if (PAD_STOP.includes(button)) return stopCommand(commands);
    const gait = commands.find((c) => c.key === "gait")?.choices?.[PAD_GAITS.indexOf(button)];
    if (gait !== undefined) return { gait };
    const height = commands.find((c) => c.key === "height");
    if ((button !== PAD_UP && button !== PAD_DOWN) || height?.low === undefined || height.high === undefined) return null;
    const now = Number(values.height ?? height.value ?? height.low);
    const step = ((button === PAD_UP ? 1 : -1) * (height.high - height.low)) / 10;
    return { height: Math.max(height.low, Math.min(height.high, now + step)) };
}

function ranged(commands: readonly Command[], key: string): { low: number; high: number } | null {
    const c = commands.find((command) => command.key === key);
    return c && c.low !== undefined && c.high !== undefined ? { low: c.low, high: c.high } : null;
}

/** Whether any of the commands is one that driving uses. */
export function canDrive(commands: readonly Command[]): boolean {
    return ranged(commands, "speed") !== null || ranged(commands, "turn") !== null;
}

/**
 * What axes ask of a robot. `share` of the greatest speeds is used. With a direction, speed is how fast and never below zero; without, ahead and back alone count.
 * At rest the direction is left as it is: the robot should not turn its steps while it stops.
 */
export function commandOfAxes(axes: Axes, commands: readonly Command[], share = 1): Values {
    const values: Values = {};
    const speed = ranged(commands, "speed");
    const direction = ranged(commands, "direction");
    const turn = ranged(commands, "turn");
    const round = direction !== null && direction.high - direction.low > 1.9 * Math.PI;
    if (speed && round) {
        const size = Math.min(1, Math.hypot(axes.ahead, axes.left));
        values.speed = size * share * speed.high;
        if (size > 0) values.direction = Math.max(direction.low, Math.min(direction.high, Math.atan2(axes.left, axes.ahead)));
    } else if (speed) {
        values.speed = share * (axes.ahead >= 0 ? axes.ahead * Math.max(0, speed.high) : axes.ahead * Math.max(0, -speed.low)) || 0;
        if (direction) values.direction = Math.max(direction.low, Math.min(direction.high, axes.ahead > 0 ? Math.atan2(axes.left, axes.ahead) : 0));
    }
    if (turn) values.turn = share * (axes.turn >= 0 ? axes.turn * Math.max(0, turn.high) : axes.turn * Math.max(0, -turn.low)) || 0;
    return values;
}

/** Standing still, in the words this robot has. */
export function stopCommand(commands: readonly Command[]): Values {
    const values: Values = {};
    if (ranged(commands, "speed")) values.speed = 0;
    if (ranged(commands, "turn")) values.turn = 0;
    return values;
}
