// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a script of a robot sees, by the names it has to write: sensors and references of the robot, its legs and joints. All of it follows from the scene; a robot's
// prefix is left out, as its script does not know it. Also the first script of a robot that has none.
import type { Robot, Scene } from "../core/protocol";
import { Channels } from "./plots_channels";

export interface Item {
    name: string;
    unit: string;
}
export interface Sight {
    sensors: Item[];
    references: Item[];
    joints: string[];
    legs: string[];
    parameters: string[];
}

const REFERENCES: [string, string][] = [
    ["position", "rad"],
    ["speed", "rad/s"],
    ["force", "N m"],
];

// Names of one robot without its prefix; names of other robots are left out.
function own(name: string, robot: Robot, others: readonly Robot[]): string | null {
    const prefix = robot.prefix ?? "";
    if (prefix !== "") return name.startsWith(prefix) ? name.slice(prefix.length) : null;
    return others.some((o) => o.prefix && name.startsWith(o.prefix)) ? null : name;
}

export function sightOf(scene: Scene, robot: Robot): Sight {
    const others = (scene.robots ?? []).filter((r) => r !== robot);
    const channels = new Channels(scene.channels ?? []);
    const sensors = channels.list.flatMap((channel): Item[] => {
        if (!channel.name.startsWith("sensors.")) return [];
        const name = own(channel.name.slice("sensors.".length), robot, others);
        if (name === null) return [];
        return channel.columns.map((c) => ({ name: c.key === c.channel ? name : `${name}.${c.short}`, unit: c.unit }));
    });
    const drives = channels.list.flatMap((channel) => {
        const name = own(/^drives\.(.+)\.torque$/.exec(channel.name)?.[1] ?? "", robot, others);
        return name ? [{ name, linear: channel.unit === "N" }] : [];
    });
    const references = drives.flatMap(({ name, linear }) =>
        REFERENCES.map(([what, unit]): Item => ({ name: `${name}.${what}`, unit: linear ? unit.replace("rad", "m").replace("N m", "N") : unit })),
    );
    const mine = (names: (string | undefined)[]): string[] => names.flatMap((n) => own(n ?? "", robot, others) || []);
    return {
        sensors,
        references,
        joints: mine((scene.model.joints ?? []).map((j) => j.name)),
        legs: mine((scene.model.legs ?? []).map((l) => l.name)),
        parameters: (robot.control?.parameters ?? []).map((p) => p.name),
    };
}

/** A script that may run at once: every drive keeps its last reference until the script sets another. */
export function template(robot: string, sight: Sight): string {
    const reference = sight.references.find((r) => r.name.endsWith(".position"))?.name ?? "knee.position";
    const sensor = sight.sensors.find((s) => /force/.test(s.name))?.name ?? sight.sensors[0]?.name;
    const read = sensor ? `   -- local load = sensors["${sensor}"]  (nil while nothing is known)\n` : "";
    return `-- A controller of ${robot}. docs/controllers.md is the manual of scripts.

parameters = {                           -- sliders; parameters.size is the number of now
   size = {0.1, low = 0, high = 0.5, unit = "rad"},
   frequency = {0.5, low = 0.1, high = 2, unit = "1/s"},
}
memory = {phase = 0}                     -- all that changes from cycle to cycle; plotted as control.phase

function start(robot)                    -- once, also when the script is run again
   period = robot.period
end

function cycle(t, sensors, references)   -- once a period; drives without a new reference keep the last
   memory.phase = (memory.phase + period * parameters.frequency) % 1
${read}   -- references["${reference}"] = parameters.size * math.sin(2 * math.pi * memory.phase)
end
`;
}

/** Default path of a new script of a robot: beside the scene. */
export function newPath(scenePath: string, robot: string): string {
    const folder = scenePath.includes("/") ? scenePath.replace(/\/[^/]*$/, "/") : "";
    const name = robot === "" || robot === "robot" ? scenePath.replace(/^.*\//, "").replace(/\.[^.]*$/, "") : robot;
    const stem = name.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "") || "robot";
    return `${folder}${stem}.lua`;
}

/** A path without its detours: "experiments/../robots/a.lua" as "robots/a.lua". What leads out of the folder stays as it is, for the program to refuse. */
export function tidyPath(path: string): string {
    const out: string[] = [];
    for (const part of path.split("/")) {
        if (part === "." || (part === "" && out.length > 0)) continue;
        if (part === ".." && out.length > 0 && out[out.length - 1] !== ".." && out[out.length - 1] !== "") out.pop();
        else out.push(part);
    }
    return out.join("/");
}

/** A path inside the project as the scene has to write it: relative to its own folder. */
export function fromScene(scenePath: string, path: string): string {
    const from = tidyPath(scenePath).split("/").slice(0, -1);
    const to = tidyPath(path).split("/");
    let shared = 0;
    while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++;
    return [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/");
}

/** Name of a robot for people: one that the scene gives no name is simply the robot. */
export function robotName(robot: Pick<Robot, "name">): string {
    return robot.name === "" || robot.name === "robot" ? "The robot" : robot.name;
}
