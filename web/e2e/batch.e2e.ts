// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Batches in the studio against the real program: a scene that no batch can do is refused by name, robots of one that can fill the viewport, and a click picks one of them.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endAll, picture, READY, trouble, visit } from "./harness";
import type {} from "../src/studio/main";

const WALK = "experiments/anton-tripod.yaml"; // has drives, which a batch has not
const MARCH = "experiments/anton-march.yaml"; // by the method implicit, until the panel changes it

describe.skipIf(!READY)("a batch in the studio", () => {
    let page: Page;

    beforeAll(async () => {
        ({ page } = await visit({ hash: `#scene=${WALK}&panel=batch` }));
        await page.waitForFunction((scene) => window.footfallStudio?.scene === scene && window.footfallStudio.frames > 0, WALK);
    });
    afterAll(endAll);

    const begin = async (robots: number, time: number): Promise<void> => {
        await page.fill("#panel-batch input[aria-label=Robots]", String(robots));
        await page.fill("#panel-batch input[aria-label='Time in seconds']", String(time));
        await page.click("#panel-batch button:has-text('Run a batch')");
    };

    it("what a batch cannot do is said by name", async () => {
        await begin(4, 0.01);
        await page.waitForSelector("#panel-batch .batch-said .bad");
        expect(await page.textContent("#panel-batch .batch-said")).toContain("This scene is nothing for a batch");
        expect(await page.locator("#panel-batch .batch-said .bad").count()).toBeGreaterThan(1);
        await picture(page, "batch-refused");
    });

    it("robots of a scene that can are shown, counted and coloured", async () => {
        await page.evaluate((scene) => window.footfallStudio?.desk.load({ scene }), MARCH);
        await page.waitForFunction((scene) => window.footfallStudio?.scene === scene, MARCH);
        expect(await page.inputValue("#panel-batch .batch-lines")).toContain("solver.method=euler");
        await page.check("#panel-batch input[aria-label='Spread friction']");
        await page.fill("#panel-batch input[aria-label=Reward]", "age / friction");
        await begin(9, 0.01);
        await page.waitForFunction(() => window.footfallStudio?.desk.store.get("batch")?.ended === "finished");
        const state = await page.evaluate(() => window.footfallStudio?.desk.store.get("batch"));
        expect(state).toMatchObject({ robots: 9, stride: 1, lives: 9, fell: 0, diverged: 0, spread: { friction: [0.6, 1.2] } });
        await page.waitForSelector(".crowd-legend:visible");
        expect(await page.textContent(".crowd-legend")).toContain("9 robots");
        expect(await page.locator(".view-legend:visible").count()).toBe(1); // that of the scene is gone
        await page.waitForFunction(() => document.querySelector(".crowd-legend")?.textContent?.includes("reward")); // who gave one sees it first
        await page.selectOption("#panel-batch select[aria-label='Colour by']", "friction");
        await page.waitForFunction(() => document.querySelector(".crowd-legend")?.textContent?.includes("friction"));
        await picture(page, "batch-friction");
    });

    it("a click picks a robot, whose draw is its own", async () => {
        const box = await page.locator(".viewport canvas").first().boundingBox();
        if (!box) throw new Error("the viewport has no place");
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        await page.waitForSelector("#panel-batch .batch-robot h3");
        expect(await page.textContent("#panel-batch .batch-robot h3")).toContain("Robot 4"); // the middle one of nine
        const drawn = Number(await page.textContent("#panel-batch .batch-robot tr:has-text('friction') .number"));
        expect(drawn).toBeGreaterThanOrEqual(0.6);
        expect(drawn).toBeLessThanOrEqual(1.2);
    });

    it("the scene comes back, and another one ends the batch", async () => {
        await page.click("#panel-batch button:has-text('Show the scene')");
        await page.waitForSelector(".crowd-legend", { state: "hidden" });
        await page.evaluate((scene) => window.footfallStudio?.desk.load({ scene }), MARCH);
        await page.waitForFunction(() => window.footfallStudio?.desk.store.get("batch") === null);
        await page.setViewportSize({ width: 480, height: 800 });
        await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
        await picture(page, "batch-narrow");
        expect(trouble).toEqual([]);
    });
});
