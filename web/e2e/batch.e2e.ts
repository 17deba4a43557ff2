// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Batches in the studio against the real program: a scene that no batch can do is refused by name, robots of one that can fill the viewport, and a click picks one of them.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endAll, openStudio, TIMEOUT, picture, READY, shares, pageErrors, visit, type Visit } from "./harness";
import type { Requests } from "../src/core/protocol";
import type {} from "../src/studio/main";

const WALK = "experiments/anton-tripod.yaml"; // has drives, which a batch has not
const MARCH = "experiments/anton-march.yaml"; // by the method implicit, until the panel changes it

describe.skipIf(!READY)("a batch in the studio", () => {
    let page: Page;
    let there: Visit;

    beforeAll(async () => {
        ({ page } = there = await visit({ hash: `#scene=${WALK}&panel=batch` }));
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
        expect(await page.textContent("#panel-batch .batch-said")).toContain("A batch cannot run this scene");
        expect(await page.locator("#panel-batch .batch-said .bad").count()).toBeGreaterThan(1);
        await picture(page, "batch-refused");
    });

    it("robots of a scene that can are shown, counted and coloured", async () => {
        await page.evaluate((scene) => window.footfallStudio?.session.load({ scene }), MARCH);
        await page.waitForFunction((scene) => window.footfallStudio?.scene === scene, MARCH);
        await expect.poll(() => page.inputValue("#panel-batch .batch-lines"), TIMEOUT).toContain("solver.method=euler");
        await page.check("#panel-batch input[aria-label='Spread friction']");
        await page.fill("#panel-batch input[aria-label=Reward]", "age / friction");
        await begin(9, 0.01);
        await page.waitForFunction(() => window.footfallStudio?.session.store.get("batch")?.ended === "finished");
        const state = await page.evaluate(() => window.footfallStudio?.session.store.get("batch"));
        expect(state).toMatchObject({ robots: 9, stride: 1, lives: 9, fell: 0, diverged: 0, spread: { friction: [0.6, 1.2] } });
        await page.waitForSelector(".crowd-legend:visible");
        expect(await page.textContent(".crowd-legend")).toContain("9 robots");
        await expect.poll(() => page.locator(".view-legend:visible").count(), TIMEOUT).toBe(1); // that of the scene is gone
        await page.waitForFunction(() => document.querySelector(".crowd-legend")?.textContent?.includes("reward")); // who gave one sees it first
        await page.selectOption("#panel-batch select[aria-label='Colour by']", "friction");
        await page.waitForFunction(() => document.querySelector(".crowd-legend")?.textContent?.includes("friction"));
        await picture(page, "batch-friction");
    });

    it("a click picks a robot, whose draw is its own", async () => {
        const box = await page.locator(".viewport canvas").first().boundingBox();
        if (!box) throw new Error("the viewport has no place");
        await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))); // the camera faces them by now
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        await page.waitForSelector("#panel-batch .batch-robot h3");
        expect(await page.textContent("#panel-batch .batch-robot h3")).toContain("Robot 4"); // the middle one of nine
        const drawn = Number(await page.textContent("#panel-batch .batch-robot tr:has-text('friction') .number"));
        expect(drawn).toBeGreaterThanOrEqual(0.6);
        expect(drawn).toBeLessThanOrEqual(1.2);
    });

    it("a page that comes later shows the batch that runs in its form, and whose joints a law leads", async () => {
        const request = { robots: 5, time: 0.02, seed: 7, spread: { friction: [0.1, 1.1], mass: { kind: "normal", numbers: [1, 0.05, 0.9, 1.1] }, start_tilt: [0, 0.01] }, end: "height < 0.01", reward: "forward * step" } satisfies Requests["batch"];
        await page.evaluate((r) => window.footfallStudio?.session.ask("batch", r), request);
        const other = await openStudio(there.browser, there.program.address, { hash: "#panel=batch", drawn: true });
        await other.waitForFunction(() => window.footfallStudio?.session.store.get("batch")?.robots === 5);
        const value = (label: string): Promise<string> => other.inputValue(`#panel-batch [aria-label='${label}']`);
        const shown = (): Promise<string[]> => Promise.all(["Robots", "Time in seconds", "Seed", "Numbers of friction", "Distribution of mass", "Numbers of mass", "Numbers of start tilt", "Ends where", "Reward", "Colour by"].map(value));
        await expect.poll(shown, TIMEOUT).toEqual(["5", "0.02", "7", "0.1, 1.1", "normal", "1, 0.05, 0.9, 1.1", "0, 0.01", "height < 0.01", "forward * step", "reward"]);
        const spread = other.locator("#panel-batch .batch-draw input:checked");
        await expect.poll(() => spread.evaluateAll((all) => all.map((e) => e.getAttribute("aria-label"))), TIMEOUT).toEqual(["Spread friction", "Spread mass", "Spread start tilt"]);
        await expect.poll(() => other.textContent("#panel-control"), TIMEOUT).toContain("joint law");
        await expect.poll(async () => (await shares(other, ".viewport canvas")).middle.body, TIMEOUT).toBeGreaterThan(0.05); // robots, drawn where the camera looks
        await other.close();
    });

    it("a row has its unit, and a single thing a row of its own; nothing of them is cut at any width", async () => {
        const row = (name: string): Locator => page.locator(`#panel-batch .batch-draw:has([aria-label='Spread ${name}'])`);
        await page.selectOption("#panel-batch [aria-label='Distribution of mass']", "normal");
        await page.selectOption("#panel-batch [aria-label='Quantity to add']", "contact_stiffness");
        await page.fill("#panel-batch [aria-label='Of what']", "FL_foot");
        await page.click("#panel-batch .batch-add button");
        expect(await row("contact stiffness of FL_foot").locator("input[type=checkbox]").isChecked()).toBe(true);
        const units = await Promise.all(["friction", "start height", "start speeds", "contact stiffness of FL_foot"].map((name) => row(name).locator(".batch-unit").textContent()));
        expect(units).toEqual(["factor", "m", "rad/s, m/s", "factor"]);
        const before = page.viewportSize() ?? { width: 1280, height: 720 };
        for (const width of [390, 768, 1280, 1920]) {
            await page.setViewportSize({ width, height: 800 });
            await page.waitForFunction((narrow) => document.querySelector(".studio")?.classList.contains("narrow") === narrow, width <= 940);
            const cut = await page.locator("#panel-batch .batch-draws *").evaluateAll((all) => all.filter((e) => e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1).map((e) => e.getAttribute("aria-label") ?? e.textContent));
            expect(cut, `${width}`).toEqual([]);
            await picture(page, `batch-draws-${width}`);
        }
        await page.setViewportSize(before);
    });

    it("the scene comes back, and another one ends the batch", async () => {
        await page.click("#panel-batch button:has-text('Show the scene')");
        await page.waitForSelector(".crowd-legend", { state: "hidden" });
        await page.evaluate((scene) => window.footfallStudio?.session.load({ scene }), MARCH);
        await page.waitForFunction(() => window.footfallStudio?.session.store.get("batch") === null);
        await page.setViewportSize({ width: 480, height: 800 });
        await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
        await picture(page, "batch-narrow");
        expect(pageErrors).toEqual([]);
    });
});
