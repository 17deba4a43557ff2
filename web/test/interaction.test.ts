// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the pointer takes hold of robots, and where it pushes them.
import { Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { headingOf, inBody, pushDirection } from "../src/studio/interaction";

describe("interaction", () => {
    // A body at (1, 2, 3), turned by 90 degrees about z: its x axis points along y of the world.
    const pose = new Float64Array([1, 2, 3, Math.SQRT1_2, 0, 0, Math.SQRT1_2]);

    it("a point of the world is found in the frame of the body", () => {
        const at = inBody(pose, 0, new Vector3(1, 2.5, 3), new Vector3());
        expect(at.x).toBeCloseTo(0.5, 12);
        expect(Math.hypot(at.y, at.z)).toBeLessThan(1e-12);
    });

    it("the heading is that of the x axis", () => {
        expect(headingOf(pose, 3)).toBeCloseTo(Math.PI / 2, 12);
        expect(headingOf(new Float64Array([1, 0, 0, 0]), 0)).toBe(0);
    });

    it("pushes are level, from above they go down", () => {
        expect(pushDirection(new Vector3(3, 0, -4), new Vector3()).toArray()).toEqual([1, 0, 0]);
        expect(pushDirection(new Vector3(0.05, 0, -0.99), new Vector3()).toArray()).toEqual([0, 0, -1]);
    });
});
