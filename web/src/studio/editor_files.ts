// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// New files beside others: their names, and native files that build upon URDF and MJCF ones.
import type { Tree } from "./editor_tree";

/** Name of a new file beside another. */
export function besides(path: string, taken: string[]): string {
    const stem = path.replace(/\.[^./]+$/, "");
    const names = [`${stem}.yaml`, ...Array.from({ length: 999 }, (_, i) => `${stem}-${i + 2}.yaml`)];
    return names.find((n) => n !== path && !taken.includes(n)) ?? `${stem}-new.yaml`;
}

/** A native file that builds upon a URDF or MJCF file: what its joints have, ready to be changed. */
export function builtUpon(path: string, tree: Tree): string {
    const file = path.split("/").pop() ?? path;
    const joints: string[] = [];
    tree.nodes.forEach((node, i) => {
        if (node.role !== "joint" || !["hinge", "slide"].includes(tree.child(i, "type")?.text ?? "")) return;
        const value = (key: string): string => tree.child(i, key)?.text ?? "";
        const parts = [`damping: ${value("damping") || "0"}`];
        if (value("lower")) parts.push(`range: [${value("lower")}, ${value("upper")}]`);
        for (const key of ["effort", "speed"]) if (value(key)) parts.push(`${key}: ${value(key)}`);
        joints.push(`  ${JSON.stringify(node.key)}: {${parts.join(", ")}}`);
    });
    const name = tree.outline.name || file.replace(/\.[^.]+$/, "");
    return [
        "footfall: 1",
        `name: ${JSON.stringify(name)}`,
        '# All of this file comes along; what stands below changes it (docs/model-files.md, "Import").',
        `import: {file: ${JSON.stringify(file)}}`,
        joints.length > 0 ? `joints:\n${joints.join("\n")}` : "joints: {}",
        "",
    ].join("\n");
}
