// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The report in a real browser, opened from disk: it shows what the run holds, plays, zooms, says what is missing, and asks nothing of the network. FOOTFALL_REPORT names a
// report made by the program, which is then checked as well; SCREENSHOTS a folder for pictures. Without Chromium (CHROMIUM, or Debian's) the tests are skipped.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunDocument } from "../src/core/protocol";
import { type Loose, sampleDocument } from "../test/sample";
import { BROWSER, type Drawing, endAll, launch, makeFolder, newPage, TIMEOUT, picture, shares, WEB } from "./harness";

const REPORT = process.env.FOOTFALL_REPORT ?? "";

describe.skipIf(!existsSync(BROWSER))("the report", () => {
    let folder: string;
    let browser: Browser;
    let sample: Page; // most tests go on where the last one stopped: opening a page takes longer than they do
    const pageErrors: string[] = []; // errors of pages and everything they asked of a network

    beforeAll(async () => {
        folder = makeFolder();
        execFileSync(process.execPath, ["build.mjs", "--out", path.join(folder, "dist")], { cwd: WEB });
        browser = await launch();
    });
    afterAll(endAll);

    function write(name: string, document: Loose<RunDocument> | string): string {
        const json = path.join(folder, `${name}.json`);
        const html = path.join(folder, `${name}.html`);
        writeFileSync(json, typeof document === "string" ? document : JSON.stringify(document));
        execFileSync(process.execPath, ["tools/preview.mjs", json, html, path.join(folder, "dist")], { cwd: WEB });
        return html;
    }

    async function open(file: string, drawing: Drawing = {}): Promise<Page> {
        const page = await newPage(browser, { ...drawing, viewport: { width: 1280, height: 720 }, colorScheme: "light" });
        page.on("pageerror", (e) => pageErrors.push(e.message));
        page.on("request", (r) => {
            if (!/^(file|data|blob):/.test(r.url())) pageErrors.push(`asked for ${r.url()}`);
        });
        await page.goto(`file://${file}`);
        await page.waitForSelector("main");
        return page;
    }

    const time = (page: Page): Promise<number> => page.evaluate(() => window.footfallReport?.player.time ?? NaN);

    it("shows what was simulated, the verdict and each expectation", async () => {
        const page = await open(write("sample", sampleDocument()), { drawn: true });
        sample = page;
        expect(await page.textContent("h1")).toBe("Sample");
        expect(await page.textContent(".verdict")).toMatch(/1 of 2 missed/);
        expect(await page.locator("#expectations tbody tr.met").count()).toBe(1);
        expect(await page.locator("#expectations tbody tr.missed").count()).toBe(1);
        expect(await page.textContent("#overview")).toMatch(/method: rk4/);
        expect(await page.textContent("footer")).toMatch(/301 of 3001 samples.*every tenth sample/);
        expect(await page.locator("#gait rect.stance").count()).toBe(7); // four stances of L, three of R
        await page.waitForSelector(".portrait img");
        for (const drawn of [".portrait img", "#replay canvas"]) {
            const { all, middle } = await shares(page, drawn);
            expect(middle.body, drawn).toBeGreaterThan(0.1); // the robot, where the camera looks
            expect(all.body, drawn).toBeLessThan(0.5 * middle.body);
            expect(all.ground, drawn).toBeGreaterThan(0.1);
        }
        await picture(page, "report");
    });

    it("plays, pauses, steps and scrubs; by the page's own clock", async () => {
        const page = sample;
        await page.selectOption(".transport [aria-label=Speed]", "0.1"); // it must not be over before it is stopped
        await page.click(".transport .play");
        await page.waitForFunction(() => (window.footfallReport?.player.time ?? 0) > 0.1);
        await page.keyboard.press("Space"); // the focus is on the button: the browser clicks it
        const stopped = await time(page);
        await page.waitForTimeout(200);
        expect(await time(page)).toBe(stopped);
        await page.keyboard.press("ArrowRight");
        expect((await time(page)) - stopped).toBeCloseTo(0.01, 6);
        await page.fill(".scrub", "2.5");
        expect(await time(page)).toBeCloseTo(2.5, 6);
        await page.click("#events .event >> nth=0");
        expect(await time(page)).toBeLessThan(0.51);
        const costs = await page.evaluate(() => window.footfallReport?.frameCosts() ?? []);
        costs.sort((a, b) => a - b);
        process.stdout.write(`script time of a frame: least ${costs[0].toFixed(2)} ms, median ${costs[costs.length >> 1].toFixed(2)} ms of ${costs.length}\n`);
    });

    it("shows events on the time line and in the list, and pushes as arrows with their size", async () => {
        const document = sampleDocument();
        document.events = [
            { t: 0.5, kind: "touchdown", what: "R touches down", leg: 1 },
            { t: 1, kind: "push", what: "'trunk' is pushed with 15 N for 0.5 s", body: 0, point: [0, 0, 0], force: [0, 15, 0], seconds: 0.5 },
            { t: 2, kind: "command", what: "command: speed 0.2" },
        ];
        const page = await open(write("events", document));
        expect(await page.locator("#events .event").allTextContents()).toEqual(["1.000 s'trunk' is pushed with 15 N for 0.5 s", "2.000 scommand: speed 0.2"]); // steps are left out at first
        await page.click("#events .chip:has-text('Steps')");
        expect(await page.locator("#events .event").count()).toBe(3);
        const strip = page.locator(".event-strip");
        const wide = (await strip.boundingBox())?.width ?? NaN;
        await strip.click({ position: { x: (2 / 3) * wide + 2, y: 5 } });
        expect(await time(page)).toBe(2);
        const label = page.locator(".force-label").first();
        expect(await label.isVisible()).toBe(false);
        await strip.click({ position: { x: wide / 3 - 2, y: 5 } });
        expect(await time(page)).toBe(1);
        await page.waitForFunction(() => window.document.querySelector(".force-label")?.textContent === "15 N");
        await page.fill(".scrub", "1.3");
        await picture(page, "report-push");
        await page.fill(".scrub", "1.6"); // it is over
        await page.waitForFunction(() => window.document.querySelector<HTMLElement>(".force-label")?.hidden);
        await page.close();
    });

    it("zooms all plots and the gait diagram together, and back", async () => {
        const page = sample;
        const ticks = (): Promise<string[]> => page.locator("#gait text.axis").allTextContents();
        const before = await ticks();
        const over = page.locator("#body .u-over").first();
        await over.scrollIntoViewIfNeeded();
        const box = await over.boundingBox();
        if (!box) throw new Error("the plot has no place");
        await page.mouse.move(box.x + 0.2 * box.width, box.y + 40);
        await page.mouse.down();
        await page.mouse.move(box.x + 0.5 * box.width, box.y + 40, { steps: 4 });
        await page.mouse.up();
        await expect.poll(ticks, TIMEOUT).not.toEqual(before);
        await page.click("text=Show the whole time");
        await expect.poll(ticks, TIMEOUT).toEqual(before);
    });

    it("any channel can be plotted and removed again; both themes work", async () => {
        const page = sample;
        await page.fill("#channels input", "walk.sp");
        await page.click("#channels .channel:visible");
        expect(await page.locator("#channels .plot").count()).toBe(1);
        await page.click("header button[aria-label='Dark colours']");
        expect(await page.getAttribute("html", "data-theme")).toBe("dark");
        await picture(page, "report-dark");
        await page.click("#channels .plot button");
        expect(await page.locator("#channels .plot").count()).toBe(0);
        await page.close();
    });

    it("links to all sections are in view at any width", async () => {
        const page = await open(path.join(folder, "sample.html"));
        for (const width of [390, 768, 1280]) {
            await page.setViewportSize({ width, height: 720 });
            const bar = await page.locator(".bar").boundingBox();
            const boxes = await page.locator(".bar nav a").evaluateAll((all) => all.map((a) => a.getBoundingClientRect().toJSON() as DOMRect));
            expect(boxes.length).toBe(await page.locator("main > section[id]:has(h2)").count());
            for (const box of boxes) expect(box.left >= 0 && box.right <= width && bar && box.bottom <= bar.y + bar.height, `${width}`).toBe(true);
            await picture(page, `report-${width}`);
        }
        await page.close();
    });

    it("says what is missing, and keeps what is there", async () => {
        const poor = sampleDocument();
        poor.channels = poor.channels?.filter((c) => c.name === "walk.speed") ?? [];
        const page = await open(write("poor", poor));
        for (const id of ["replay", "gait", "forces", "support"]) expect(await page.locator(`#${id} .empty`).count()).toBe(1);
        expect(await page.textContent("#replay")).toMatch(/Add q/);
        expect(await page.locator("#body .uplot").count()).toBe(1);
        await picture(page, "report-poor");
        await page.close();
        const bad = await open(write("bad", '{"footfall": 9}'));
        expect(await bad.textContent("main")).toMatch(/version 1, and the run has version 9/);
        await bad.close();
    });

    it("text of a run is never markup", async () => {
        const evil = sampleDocument();
        evil.scene = { title: "<img src=x onerror=alert(1)></script><script>document.title='owned'</script>", description: "<b>x</b>", text: "" };
        evil.events = [{ t: 1, what: "<i>fell</i>" }];
        const page = await open(write("evil", evil));
        expect(await page.textContent("h1")).toContain("<img src=x");
        expect(await page.locator("h1 img, .lead b, .event i").count()).toBe(0);
        expect(await page.title()).not.toBe("owned");
        await page.close();
    });

    it.skipIf(!REPORT)("a report of the program opens and plays", async () => {
        const page = await open(path.resolve(REPORT));
        expect(await page.locator(".fatal").count()).toBe(0);
        await page.click(".transport .play");
        await page.waitForFunction(() => (window.footfallReport?.player.time ?? 0) > (window.footfallReport?.run.start ?? 0) + 0.1);
        await picture(page, "report-program");
        await page.close();
    });

    it("no page had an error or asked anything of a network", () => {
        expect(pageErrors).toEqual([]);
    });
});
