// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Scripts without a page: messages find their line, names are those a script has to write, new scripts name things of their robot.
import { describe, expect, it } from "vitest";
import type { Robot, Scene } from "../src/core/protocol";
import { finding, isAbout, listed } from "../src/studio/script_messages";
import { fromScene, newPath, sightOf, template, tidyPath } from "../src/studio/script_names";

describe("messages of a script", () => {
    it("have the line the program gives, or the one in front of the text", () => {
        expect(finding({ severity: "error", file: "a.lua", line: 7, text: "unexpected symbol" }, 20)).toMatchObject({ line: 7, text: "unexpected symbol" });
        expect(finding({ severity: "error", text: "tripod.lua:12: attempt to index a nil value" }, 20)).toMatchObject({ line: 12, text: "attempt to index a nil value" });
        expect(finding({ severity: "error", text: '[string "x"]:3: oh' }, 20)).toMatchObject({ line: 3, text: "oh" });
        expect(finding({ severity: "error", text: "no robot of that name" }, 20)).toMatchObject({ line: 0 });
        expect(finding({ severity: "error", line: 99, text: "end expected" }, 20).line).toBe(20);
    });
    it("are those of the file in the editor", () => {
        expect(isAbout({ file: "robots/anton/tripod.lua" }, "tripod.lua", false)).toBe(true);
        expect(isAbout({ file: "robots/anton/balance.lua" }, "tripod.lua", false)).toBe(false);
        expect(isAbout({ file: "experiments/a.yaml" }, "tripod.lua", true)).toBe(false);
        expect(isAbout({}, "tripod.lua", true)).toBe(true);
        expect(isAbout({}, "tripod.lua", false)).toBe(false);
    });
    it("are listed errors first, by line, once each", () => {
        const f = (severity: "error" | "warning", line: number): ReturnType<typeof finding> => ({ severity, line, column: 0, text: "x" });
        expect(listed([f("warning", 1), f("error", 9), f("error", 2), f("error", 9)]).map((m) => m.line)).toEqual([2, 9, 1]);
    });
});

const robot = { name: "anton", prefix: "a_", body: 0 } as Robot;
const other = { name: "bert", prefix: "b_", body: 9 } as Robot;
const SCENE = {
    generation: 1,
    path: "experiments/two.yaml",
    title: "Two",
    model: { joints: [{ name: "a_knee", type: "hinge" }, { name: "b_knee", type: "hinge" }], legs: [{ name: "a_FL", frame: 0, radius: 0 }, { name: "b_FL", frame: 1, radius: 0 }] },
    robots: [robot, other],
    channels: [
        { name: "sensors.a_foot", unit: "N", columns: ["fx", "fz"] },
        { name: "sensors.a_pot", unit: "rad", columns: ["position"] },
        { name: "sensors.b_foot", unit: "N", columns: ["fx"] },
        { name: "drives.a_knee.torque", unit: "N m", columns: [] },
        { name: "drives.a_knee.current", unit: "A", columns: [] },
        { name: "drives.b_knee.torque", unit: "N m", columns: [] },
    ],
} as unknown as Scene;

describe("what a script sees", () => {
    it("are the names of its own robot, without the prefix", () => {
        const sight = sightOf(SCENE, robot);
        expect(sight.sensors.map((s) => s.name)).toEqual(["foot.fx", "foot.fz", "pot.position"]);
        expect(sight.references.map((s) => s.name)).toEqual(["knee.position", "knee.speed", "knee.force"]);
        expect(sight.joints).toEqual(["knee"]);
        expect(sight.legs).toEqual(["FL"]);
    });
    it("a robot without a prefix sees all but those of other robots", () => {
        const single = { name: "single", prefix: "", body: 0 } as Robot;
        expect(sightOf({ ...SCENE, robots: [single, other] }, single).sensors.map((s) => s.name)).toEqual(["a_foot.fx", "a_foot.fz", "a_pot.position"]);
    });
    it("a new script names a drive and a sensor of the robot and goes beside the scene", () => {
        const text = template("anton", sightOf(SCENE, robot));
        expect(text).toContain('references["knee.position"]');
        expect(text).toContain("function cycle(t, sensors, references)");
        expect(newPath("experiments/two.yaml", "My robot!")).toBe("experiments/My-robot.lua");
        expect(newPath("two.yaml", "\u00e4")).toBe("robot.lua");
        expect(newPath("experiments/two.yaml", "robot")).toBe("experiments/two.lua");
    });
    it("paths lose their detours and nothing else", () => {
        expect(tidyPath("experiments/../robots/./anton//a.lua")).toBe("robots/anton/a.lua");
        expect(tidyPath("../outside.lua")).toBe("../outside.lua");
        expect(tidyPath("a/../../b.lua")).toBe("../b.lua");
        expect(tidyPath("/etc/../x.lua")).toBe("/x.lua");
        expect(fromScene("experiments/a.yaml", "robots/anton/b.lua")).toBe("../robots/anton/b.lua");
        expect(fromScene("experiments/a.yaml", "experiments/b.lua")).toBe("b.lua");
        expect(fromScene("a.yaml", "b.lua")).toBe("b.lua");
    });
});
