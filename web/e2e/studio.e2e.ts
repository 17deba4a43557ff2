// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The studio as people use it: the real program, a real browser. Each test goes on where the last one stopped, as a visit does; numbers come from the page's own state.
import type { Browser, Page } from "playwright-core";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endAll, openStudio, TIMEOUT, picture, type Program, READY, shares, startProgram, pageErrors, visit } from "./harness";
import type {} from "../src/studio/main";

/** Milliseconds on a processor that scripts of the page take for each picture drawn from now on: frames, plots and messages together, however busy the machine is. */
async function scriptTime(page: Page): Promise<() => Promise<number>> {
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const read = async (): Promise<[number, number]> => {
        const { metrics } = await session.send("Performance.getMetrics");
        return [metrics.find((m) => m.name === "ScriptDuration")?.value ?? NaN, await page.evaluate(() => window.footfallStudio?.drawn ?? 0)];
    };
    const [s0, n0] = await read();
    return async () => {
        const [s1, n1] = await read();
        return (1000 * (s1 - s0)) / Math.max(1, n1 - n0);
    };
}

describe.skipIf(!READY)("the studio", () => {
    let root: string;
    let browser: Browser;
    let program: Program;
    let page: Page;

    beforeAll(async () => {
        ({ root, browser, program, page } = await visit());
    });
    afterAll(endAll);

    const time = (p = page): Promise<number> => p.evaluate(() => window.footfallStudio?.t ?? NaN);
    const after = (t: number, p = page): Promise<unknown> => p.waitForFunction((limit) => (window.footfallStudio?.t ?? 0) > limit, t);
    /** The time at which it stands, as soon as the frame of that time is there. */
    const standing = async (): Promise<number> => {
        await page.waitForFunction(() => {
            const run = window.footfallStudio?.session.store.get("run");
            return run?.running === false && Math.abs((window.footfallStudio?.t ?? NaN) - run.t) < 1e-9;
        });
        return time();
    };
    /** Where a body is on the screen. */
    const middle = async (): Promise<{ x: number; y: number }> => {
        const box = await page.locator(".viewport").boundingBox();
        if (!box) throw new Error("the viewport has no place");
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };

    it("is there at once, says that nothing is loaded, and lists what could be", async () => {
        const weight = await page.evaluate(() => {
            const all = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
            const [self] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
            return { bytes: [self, ...all].reduce((sum, e) => sum + e.transferSize, 0), ms: self.domContentLoadedEventEnd };
        });
        process.stdout.write(`page: ${(weight.bytes / 1024).toFixed(0)} KiB transferred, interactive after ${weight.ms.toFixed(0)} ms\n`);
        expect(weight.bytes).toBeLessThan(1.5 * 1024 * 1024);
        expect(await page.textContent(".cover:visible")).toMatch(/Nothing is loaded/);
        await picture(page, "studio-empty");
    });

    it("finds ANTON's tripod by a few letters and loads it", async () => {
        await page.keyboard.press("/");
        await page.keyboard.type("anton-tripod");
        await page.keyboard.press("Enter");
        await page.waitForFunction(() => window.footfallStudio?.scene === "experiments/anton-tripod.yaml");
        await page.waitForFunction(() => (window.footfallStudio?.frames ?? 0) > 0);
        await page.keyboard.press("Escape");
        expect(await page.textContent("h1")).toMatch(/ANTON/);
        await page.waitForFunction(() => window.footfallStudio?.pressing === 6); // it stands on all feet
        const shown = (layer: string): Promise<boolean> => page.locator(`[data-layer=${layer}]`).isChecked();
        expect([await shown("pressure"), await shown("resultants"), await shown("dcm"), await shown("moments")]).toEqual([true, true, true, false]);
        expect(await page.locator("[data-layer=zmp]").count()).toBe(0); // a gait plans none
        await picture(page, "studio-loaded");
    });

    it("runs, pauses and steps", async () => {
        const cpu = await scriptTime(page);
        await page.keyboard.press("Space");
        await after(0.6);
        process.stdout.write(`script on a processor for each picture: ${(await cpu()).toFixed(2)} ms\n`);
        await picture(page, "studio-runs");
        await page.waitForFunction(() => (window.footfallStudio?.contacts ?? 0) > 2);
        await page.keyboard.press("Space");
        await page.waitForFunction(() => window.footfallStudio?.running === false);
        const stopped = await standing();
        await page.keyboard.press(".");
        await after(stopped);
        // where the solver chooses its steps, none goes beyond a cycle of the controller, 1 ms
        const step = await page.evaluate(() => window.footfallStudio?.session.store.get("scene")?.step ?? 1e-3);
        expect((await time()) - stopped).toBeLessThanOrEqual(1.0001 * step);
        const costs = await page.evaluate(() => window.footfallStudio?.frameCosts() ?? []);
        costs.sort((a, b) => a - b);
        process.stdout.write(`script time of a frame: least ${costs[0].toFixed(2)} ms, median ${costs[costs.length >> 1].toFixed(2)} ms of ${costs.length}\n`);
    });

    it("shift and drag moves a robot while it pauses, and pulls it by a spring while it runs", async () => {
        const at = await middle();
        const com = (): Promise<number[]> => page.evaluate(() => window.footfallStudio?.com ?? []);
        const before = await com();
        await page.keyboard.down("Shift");
        await page.mouse.move(at.x, at.y);
        await page.mouse.down();
        await page.mouse.move(at.x + 60, at.y + 10, { steps: 3 });
        await page.waitForFunction((x) => Math.hypot(...(window.footfallStudio?.com ?? []).map((c, i) => c - x[i])) > 0.01, before);
        await page.mouse.up();
        await page.keyboard.up("Shift");
        await page.keyboard.press("Backspace");
        await page.waitForFunction(() => window.footfallStudio?.t === 0);
        await page.keyboard.press("Space");
        await after(0.1);
        await page.keyboard.down("Shift");
        await page.mouse.move(at.x, at.y);
        await page.mouse.down();
        await page.mouse.move(at.x + 80, at.y - 40, { steps: 4 });
        await page.waitForFunction(() => (window.footfallStudio?.outside ?? 0) > 1);
        await page.waitForSelector(".force-label:visible");
        await picture(page, "studio-pull");
        await page.mouse.up();
        await page.keyboard.up("Shift");
        await page.waitForFunction(() => window.footfallStudio?.outside === 0);
    });

    it("a click with the tool pushes, and the push is recorded", async () => {
        await page.evaluate(() => {
            const w = window as unknown as { pushed: number };
            w.pushed = 0;
            window.footfallStudio?.session.onFrame((f) => f.outside.count > 0 && (w.pushed = Math.max(w.pushed, Math.hypot(f.outside.data[4], f.outside.data[5], f.outside.data[6]))));
        });
        await page.evaluate(() => window.footfallStudio?.session.ask("run", { pace: 0.005 })); // its 0.1 s then last for 20 s, in which even a busy machine shows a frame
        await page.keyboard.press("p");
        await page.fill(".push-options input", "20");
        const at = await middle();
        await page.mouse.click(at.x, at.y);
        await page.waitForFunction(() => Math.abs((window as unknown as { pushed: number }).pushed - 20) < 1e-3);
        await picture(page, "studio-push");
        await page.keyboard.press("Escape");
        await page.locator(".viewport").focus();
        await page.keyboard.press("Escape");
        expect(await page.locator(".push-options").isVisible()).toBe(false);
        await page.evaluate(() => window.footfallStudio?.session.ask("run", { pace: 1 }));
    });

    it("two pages see one simulation", async () => {
        const other = await openStudio(browser, program.address, { width: 390, height: 844, touch: true });
        await other.waitForFunction(() => window.footfallStudio?.scene === "experiments/anton-tripod.yaml");
        if (!(await page.evaluate(() => window.footfallStudio?.running))) await page.keyboard.press("Space");
        await after(await time(), other);
        await page.waitForFunction(() => window.footfallStudio?.clients === 2);
        await picture(other, "studio-phone");
        await other.getByRole("button", { name: "Pause" }).click();
        await page.waitForFunction(() => window.footfallStudio?.running === false);
        await other.close();
        await page.waitForFunction(() => window.footfallStudio?.clients === 1);
    });

    it("saves what was simulated and opens its report", async () => {
        await page.keyboard.press("s");
        await page.keyboard.press("Enter");
        const link = page.getByRole("link", { name: "Open its report" });
        await link.waitFor();
        const [report] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
        await report.waitForSelector("main .verdict");
        await report.close();
        await page.keyboard.press("Escape");
    });

    it("draws the robot, makes pictures and films", async () => {
        const drawn = await openStudio(browser, program.address, { drawn: true });
        await expect.poll(async () => (await shares(drawn, ".viewport canvas")).middle.body, TIMEOUT).toBeGreaterThan(0.1); // the robot, where the camera looks
        const { all, middle } = await shares(drawn, ".viewport canvas");
        expect(all.body).toBeLessThan(0.5 * middle.body); // and nowhere else
        expect(all.ground).toBeGreaterThan(0.2);
        const saved = async (key: string): Promise<string> => {
            const [file] = await Promise.all([drawn.waitForEvent("download"), drawn.keyboard.press(key)]);
            expect(statSync(await file.path()).size).toBeGreaterThan(1000);
            return file.suggestedFilename();
        };
        expect(await saved("c")).toMatch(/^anton-tripod-\d+\.\d\ds\.png$/);
        await drawn.keyboard.press("Space");
        await drawn.keyboard.press("v");
        await drawn.waitForSelector(".film-mark:visible");
        await after((await time(drawn)) + 0.3, drawn);
        const [film] = await Promise.all([drawn.waitForEvent("download"), drawn.keyboard.press("v")]);
        expect(film.suggestedFilename()).toMatch(/\.webm$/);
        const data = readFileSync(await film.path()).toString("base64");
        await drawn.keyboard.press("Space");
        await drawn.close();
        // A picture of the film, as a player shows it (the policy of the studio allows none): its line lies in the lower left corner, light with dark letters.
        const player = await browser.newPage();
        const shown = await player.evaluate(async (webm) => {
            const video = document.createElement("video");
            video.muted = true;
            video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(webm), (c) => c.charCodeAt(0))], { type: "video/webm" }));
            document.body.append(video);
            await new Promise((done, failed) => {
                video.requestVideoFrameCallback(done); // before it, a canvas gets black
                video.onerror = () => failed(new Error(video.error?.message));
                void video.play();
            });
            const canvas = document.createElement("canvas");
            canvas.width = video.videoWidth;
            canvas.height = video.videoHeight;
            const paint = canvas.getContext("2d");
            paint?.drawImage(video, 0, 0);
            const corner = paint?.getImageData(0, canvas.height - 40, Math.round(0.5 * canvas.width), 40).data ?? [];
            let dark = 0;
            let light = 0;
            for (let i = 0; i < corner.length; i += 4) {
                const sum = corner[i] + corner[i + 1] + corner[i + 2];
                if (sum < 250) dark++;
                if (sum > 720) light++;
            }
            return { dark, light, url: canvas.toDataURL("image/png") };
        }, data);
        await player.close();
        expect(shown.dark).toBeGreaterThan(100); // points of letters
        expect(shown.light).toBeGreaterThan(2 * shown.dark); // the card behind them; the floor is darker, and has nothing as dark as letters
        if (process.env.SCREENSHOTS) writeFileSync(path.join(process.env.SCREENSHOTS, "studio-film.png"), Buffer.from(shown.url.split(",")[1], "base64"));
    });

    it("says at which line a scene is wrong, and goes back", async () => {
        await page.evaluate(() => window.footfallStudio?.session.load({ scene: "experiments/anton-tripod.yaml", text: "footfall: 1\nrobot: ../robots/anton/anton.yaml\nsolver: {step: fast}\n" }));
        await page.waitForSelector(".cover.bad");
        expect(await page.textContent(".cover .place")).toMatch(/anton-tripod\.yaml:3/);
        await picture(page, "studio-refused");
        await page.click("text=Back to what was loaded");
        expect(await page.evaluate(() => window.footfallStudio?.scene)).toBe("experiments/anton-tripod.yaml");
    });

    it("a link leads to a scene at a time; dark colours, help", async () => {
        const linked = await openStudio(browser, program.address, { dark: true, width: 1920, height: 1080, hash: "#scene=experiments/tumble.yaml&t=0.4" });
        await linked.waitForFunction(() => window.footfallStudio?.scene === "experiments/tumble.yaml" && Math.abs(window.footfallStudio.t - 0.4) < 1e-9 && !window.footfallStudio.running);
        await picture(linked, "studio-linked");
        await linked.keyboard.press("?");
        await linked.waitForSelector("dialog.help");
        await picture(linked, "studio-help");
        await linked.close();
    });

    it("says when the connection is lost, and comes back with the program", async () => {
        const { port } = program;
        await program.stop();
        await page.waitForSelector(".banner:visible");
        expect(await page.textContent(".banner")).toMatch(/connection to the program is lost/);
        await picture(page, "studio-lost");
        program = await startProgram(root, "", port);
        await page.waitForFunction(() => window.footfallStudio?.link === "open");
        await page.waitForFunction(() => (window.footfallStudio?.generation ?? 0) > 0 && window.footfallStudio?.scene === "experiments/tumble.yaml");
        await page.waitForSelector(".banner", { state: "hidden" });
    });

    it("no page had an error or asked anything of other servers", () => {
        expect(pageErrors).toEqual([]);
    });
});
