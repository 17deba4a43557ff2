// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Joints of a robot with sliders, and the poses of its file.
import type { Robot, Scene } from "../core/protocol";
import type { Tree } from "./editor_tree";

/** A joint of the model in the event `scene`. */
export interface PoseJoint {
    name: string;
    /** Without the prefix that the robot has in the scene. */
    short: string;
    type: string;
    qadr: number;
    low: number;
    high: number;
    ref: number;
}

interface ModelJoint {
    name: string;
    type: string;
    qadr?: number;
    limited?: boolean;
    range?: number[];
}

const FREE: Record<string, number> = { hinge: Math.PI, slide: 0.5 }; // range in both directions of joints without limits

/** The hinges and slides of a robot. */
export function jointsOf(scene: Scene, robot: Robot): PoseJoint[] {
    const all = (scene.model.joints ?? []) as ModelJoint[];
    const mine = (robot.joints ?? all.map((_, i) => i)).map((j) => (typeof j === "number" ? all[j] : all.find((a) => a.name === j)));
    const prefix = robot.prefix ?? "";
    return mine
        .filter((j): j is ModelJoint => j !== undefined && j.type in FREE && j.qadr !== undefined)
        .map((j) => {
            const [low = 0, high = 0] = j.limited ? (j.range ?? []) : [-FREE[j.type], FREE[j.type]];
            const node = (scene.model.nodes ?? []).find((n) => n.qadr === j.qadr);
            return { name: j.name, short: j.name.startsWith(prefix) ? j.name.slice(prefix.length) : j.name, type: j.type, qadr: j.qadr ?? 0, low, high, ref: node?.ref ?? 0 };
        });
}

/** Values of a pose by names or patterns of joints, later lines first. */
export function posesOf(tree: Tree | null): Map<string, [pattern: RegExp, value: number][]> {
    const out = new Map<string, [RegExp, number][]>();
    const at = tree?.find("poses") ?? -1;
    for (const pose of at >= 0 && tree ? tree.children[at] : []) {
        const lines: [RegExp, number][] = [];
        for (const c of tree?.children[pose] ?? []) {
            const node = tree?.nodes[c];
            if (node?.value === undefined || node.value === null) continue;
            const parts = (node.key ?? "").split("*").map((p) => p.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
            lines.unshift([new RegExp(`^${parts.join(".*")}$`), node.value]);
        }
        out.set(tree?.label(pose) ?? "", lines);
    }
    return out;
}
