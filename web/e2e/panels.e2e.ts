// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Plots, control and script of the studio against the real program: what is plotted is what the robot does, what is steered is what it follows, and a script is changed
// under a walking robot. Each test goes on where the last one stopped.
import type { Browser, Page } from "playwright-core";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endAll, openStudio, TIMEOUT, picture, type Program, READY, pageErrors, visit } from "./harness";
import type {} from "../src/studio/main";
import type {} from "../src/studio/plots";
import type {} from "../src/studio/script";

const LUA = "experiments/anton-lua-tripod.yaml";
const WALK = "experiments/anton-tripod.yaml";
const BIPED = "experiments/lola-walk.yaml";
const BARS = "experiments/fourbar.yaml";

describe.skipIf(!READY)("panels of the studio", () => {
    let root: string;
    let browser: Browser;
    let program: Program;
    let page: Page;

    beforeAll(async () => {
        ({ root, browser, program, page } = await visit({ hash: `#scene=${LUA}` }));
        await page.waitForFunction((scene) => window.footfallStudio?.scene === scene && window.footfallStudio.frames > 0, LUA);
    });
    afterAll(endAll);

    type Look = ReturnType<NonNullable<Window["footfallPlots"]>["look"]>;
    const look = (): Promise<Look> =>
        page.evaluate(() => {
            if (!window.footfallPlots) throw new Error("there are no plots");
            return window.footfallPlots.look();
        });
    const time = (): Promise<number> => page.evaluate(() => window.footfallStudio?.t ?? NaN);
    const after = (t: number): Promise<unknown> => page.waitForFunction((limit) => (window.footfallStudio?.t ?? 0) > limit, t);
    const rows = (n: number): Promise<unknown> => page.waitForFunction((least) => (window.footfallPlots?.look().rows ?? 0) > least, n);
    const latest = (key: string, low: number, high: number): Promise<unknown> =>
        page.waitForFunction(
            ([k, a, b]) => {
                const v = window.footfallPlots?.look().latest[k as string] ?? NaN;
                return v >= (a as number) && v <= (b as number);
            },
            [key, low, high],
        );
    const edit = async (find: string, replace: string): Promise<number> => {
        const line = (await page.evaluate(() => window.footfallScript?.look().text ?? "")).split("\n").findIndex((l) => l.includes(find)) + 1;
        await page.evaluate(([f, r]) => window.footfallScript?.replace(f, r), [find, replace]);
        return line;
    };

    it("every tab is in view and whole at all widths: in one column on the right of a wide page, in two rows at most on a phone", async () => {
        for (const [width, height] of [
            [390, 844],
            [844, 390],
            [768, 1024],
            [1920, 1080],
            [1280, 720],
        ]) {
            await page.setViewportSize({ width, height });
            await page.waitForFunction((narrow) => document.querySelector(".studio")?.classList.contains("narrow") === narrow, width <= 940);
            const tabs = await page.$$eval(".tab", (list) =>
                list.map((tab) => {
                    const box = tab.getBoundingClientRect();
                    const on = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
                    return { name: tab.textContent, dock: tab.closest(".dock")?.className ?? "", x: box.x, y: box.y, right: box.right, bottom: box.bottom, whole: tab.scrollWidth <= tab.clientWidth && tab.contains(on) };
                }),
            );
            const at = `at ${width} x ${height}`;
            expect(tabs.length, at).toBe(9);
            expect(tabs.filter((t) => !t.whole || t.x < 0 || t.y < 0 || t.right > width || t.bottom > height).map((t) => t.name), at).toEqual([]);
            const right = tabs.filter((t) => t.dock.includes("right"));
            expect(new Set(right.map((t) => t.x)).size, at).toBe(width <= 940 ? 0 : 1);
            expect(new Set(tabs.filter((t) => !t.dock.includes("right")).map((t) => t.y)).size, at).toBeLessThanOrEqual(2);
        }
    });

    it("plots of a walking robot fill by themselves", async () => {
        await page.keyboard.press("Space");
        await rows(120);
        const titles = await page.locator("#panel-plots .live-title").allTextContents();
        expect(titles).toEqual(["Vertical foot forces", "Speed of the body", "Joints of leg FL"]);
        expect(await page.locator("#panel-plots .live-title").evaluateAll((all) => all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent))).toEqual([]); // none is cut
        const seen = await look();
        expect(seen.live).toBe(true);
        expect(seen.latest["feet.force/FL.z"]).toBeGreaterThanOrEqual(0);
        expect(seen.last).toBeGreaterThan(0.5);
        expect(seen.rows / (seen.last - seen.first)).toBeCloseTo(200, -1); // [Hz] as it was asked for
        await picture(page, "panels-plots");
    });

    it("freezes while the simulation runs on, zooms by a drag, and comes back to now", async () => {
        await page.click("#panel-plots button[aria-label=Freeze]");
        const frozen = await look();
        await after((await time()) + 0.2);
        expect((await look()).last).toBe(frozen.last);
        const box = await page.locator("#panel-plots .u-over").first().boundingBox();
        if (!box) throw new Error("the plot has no place");
        await page.mouse.move(box.x + 4, box.y + 20);
        await page.mouse.down();
        await page.mouse.move(box.x + 4 + 0.15 * box.width, box.y + 20, { steps: 3 });
        await page.mouse.up();
        const span = (seen: Look): number => seen.to - seen.from;
        await expect.poll(async () => span(await look()), TIMEOUT).toBeLessThan(0.2 * span(frozen));
        await page.mouse.move(box.x + 0.5 * box.width, box.y + 20);
        await page.waitForSelector("#panel-plots .live-state:has-text('at ')");
        await picture(page, "panels-plots-zoomed");
        await page.mouse.dblclick(box.x + 0.5 * box.width, box.y + 20);
        await page.waitForFunction(() => window.footfallPlots?.look().live === true);
        await page.mouse.move(10, 10);
    });

    it("a channel is found, plotted, exported, and still there after a reload", async () => {
        await page.click("#panel-plots button:has-text('Channels')");
        await page.keyboard.type("base.pos z");
        await page.click("#panel-plots .tree-chip:has-text('z')");
        await page.waitForFunction(() => (window.footfallPlots?.look().latest["base.pos/z"] ?? 0) > 0.05);
        await picture(page, "panels-channels");
        await page.click("#panel-plots button:has-text('Channels')");
        const [file] = await Promise.all([page.waitForEvent("download"), page.click("#panel-plots button[aria-label=CSV]")]);
        const lines = readFileSync(await file.path(), "utf8").trim().split("\n");
        expect(lines[0]).toMatch(/^time \[s\],feet\.force FL\.z \[N\],.*base\.pos z \[m\]$/);
        const times = lines.slice(1).map((l) => Number(l.split(",")[0]));
        expect(times.length).toBeGreaterThan(100);
        expect(times.every((t, i) => i === 0 || t > times[i - 1])).toBe(true);
        await page.reload();
        await page.waitForFunction(() => (window.footfallPlots?.look().latest["base.pos/z"] ?? 0) > 0.05);
        await page.waitForFunction(() => (window.footfallPlots?.look().costs.length ?? 0) > 0);
        const costs = (await look()).costs.sort((a, b) => a - b);
        process.stdout.write(`script time of drawing four plots: median ${costs[costs.length >> 1].toFixed(2)} ms of ${costs.length}\n`);
    });

    it("a broken script is refused with its line, and the old one walks on", async () => {
        await page.click("#tab-script");
        const line = await edit("local m, step = memory", "local m, step = = memory");
        const t = await time();
        await page.click("#panel-script .cm-content");
        await page.keyboard.press("Control+Enter");
        await page.waitForSelector("#panel-script .script-messages .error");
        expect(await page.textContent("#panel-script .script-messages")).toMatch(new RegExp(`line ${line}.*unexpected symbol`));
        await expect.poll(() => page.locator("#panel-script .cm-lint-marker-error").count(), TIMEOUT).toBe(1);
        await picture(page, "panels-script-error");
        await after(t + 0.1);
        await latest("control.speed", -1, 1);
    });

    it("a corrected script runs at once, the robot and its time stay", async () => {
        await edit("step = = memory", "step = memory");
        const generation = (): Promise<number | undefined> => page.evaluate(() => window.footfallStudio?.generation);
        const [t, before] = [await time(), await generation()];
        await page.keyboard.press("Control+Enter");
        await page.waitForSelector("#panel-script .script-state:has-text('Running since')");
        expect(await page.locator("#panel-script .script-messages .error").count()).toBe(0);
        await after(t + 0.1);
        expect(await generation()).toBe(before); // nothing was loaded again
    });

    it("parameters of the script are sliders it follows", async () => {
        await page.click("#panel-plots button:has-text('Channels')");
        await page.fill("#panel-plots .tree-head input", "control.phase");
        await page.click("#panel-plots .tree-chip:has-text('control.phase')");
        await page.click("#panel-plots button:has-text('Channels')");
        const field = page.locator("#panel-script [data-key=step] .exact");
        await field.fill("3");
        await field.press("Enter");
        // phases of steps of 3 s rise by a third a second; those of 1.2 s by more than two thirds
        await page.waitForFunction(() => {
            const w = window as unknown as { was?: { t: number; phase: number } };
            const now = window.footfallPlots?.look();
            const phase = now?.latest["control.phase"] ?? NaN;
            const was = w.was;
            if (!now || Number.isNaN(phase) || (was && now.last - was.t < 0.2)) return false;
            w.was = { t: now.last, phase };
            return was !== undefined && Math.abs((phase - was.phase) / (now.last - was.t) - 1 / 3) < 0.01;
        });
        await picture(page, "panels-parameters");
        await field.fill("9");
        await field.press("Enter");
        await page.waitForSelector("#panel-script [data-key=step] .refusal:has-text('from 0.6 to 3 s')");
    });

    it("an error of a running script is shown at its line", async () => {
        const line = await edit("m.phase = (m.phase + period", "error('oh') m.phase = (m.phase + period");
        await page.click("#panel-script .cm-content");
        await page.keyboard.press("Control+Enter");
        await page.waitForSelector(`#panel-script .script-messages .warning:has-text('line ${line}'), #panel-script .script-messages .error:has-text('line ${line}')`);
        await picture(page, "panels-script-runtime");
        await edit("error('oh') ", "");
        await page.keyboard.press("Control+Enter");
        await page.waitForFunction(() => window.footfallScript?.look().findings.length === 0);
    });

    it("saves by Ctrl-S", async () => {
        await edit("-- ANTON walks in tripod gait", "-- ANTON walks, changed in the studio");
        expect(await page.locator("#panel-script .dirty").isVisible()).toBe(true);
        await page.click("#panel-script .cm-content");
        await page.keyboard.press("Control+s");
        await page.waitForSelector("#panel-script .script-state:has-text('Saved')");
        await page.waitForSelector("#panel-script .dirty", { state: "hidden" });
        expect(readFileSync(path.join(root, "robots/anton/tripod.lua"), "utf8")).toContain("changed in the studio");
    });

    it("sliders, buttons and keys steer a gait", async () => {
        await page.evaluate((scene) => window.footfallStudio?.session.load({ scene }), WALK);
        await page.waitForFunction((scene) => window.footfallStudio?.scene === scene && window.footfallStudio.t === 0, WALK);
        await page.click("#tab-control");
        await page.evaluate(() => window.footfallStudio?.session.ask("run", { pace: 1 }));
        const field = page.locator("#panel-control [data-key=speed] .exact");
        await field.fill("0.05");
        await field.press("Enter");
        await latest("control.speed", 0.045, 0.055);
        const most = (): Promise<number> => page.evaluate(() => Number(document.querySelector<HTMLInputElement>("#panel-control [data-key=speed] input[type=range]")?.max));
        const fast = await most();
        await page.click("#panel-control [data-choice=wave]");
        await page.waitForSelector("#panel-control [data-choice=wave][aria-pressed=true]");
        await expect.poll(most, TIMEOUT).toBeLessThan(0.5 * fast);
        await page.click("#panel-control .drive-toggle");
        await page.keyboard.down("w");
        await latest("control.speed", 0.01, 0.04);
        await page.click("#panel-control [data-choice=tripod]"); // three times as fast: the key that is held asks for its share of that
        await latest("control.speed", 0.055, 1);
        await picture(page, "panels-drive");
        await page.keyboard.up("w");
        await latest("control.speed", -0.01, 0.04);
        await page.keyboard.press("Escape");
        expect(await page.getAttribute("#panel-control .drive-toggle", "aria-pressed")).toBe("false");
    });

    it("another page shows what this one asked for, and ranges follow the gait", async () => {
        const other = await openStudio(browser, program.address, { dark: true });
        await other.evaluate(() => window.footfallStudio?.session.show("control"));
        const speed = (p: Page): Promise<string> => p.inputValue("#panel-control [data-key=speed] .exact");
        const most = async (p: Page): Promise<number> => Number(await p.getAttribute("#panel-control [data-key=speed] input[type=range]", "max"));
        const fast = await most(page);
        await page.fill("#panel-control [data-key=speed] .exact", "0.02");
        await page.press("#panel-control [data-key=speed] .exact", "Enter");
        await page.evaluate(() => window.footfallStudio?.session.ask("run", { pace: 0 })); // legs as slow as these take many seconds to change their gait
        await other.waitForFunction(() => document.querySelector<HTMLInputElement>("#panel-control [data-key=speed] .exact")?.value === "0.02");
        await other.click("#panel-control [data-choice=wave]");
        await page.waitForSelector("#panel-control [data-choice=wave][aria-pressed=true]");
        await page.waitForFunction((f) => Number(document.querySelector<HTMLInputElement>("#panel-control [data-key=speed] input[type=range]")?.max) < 0.5 * f, fast);
        await expect.poll(async () => (await most(other)) === (await most(page)), TIMEOUT).toBe(true); // 3/11 of the tripod's
        expect([await speed(page), await speed(other)]).toEqual(["0.02", "0.02"]);
        await picture(other, "panels-other-page");
        await page.click("#panel-control [data-choice=tripod]");
        await other.waitForSelector("#panel-control [data-choice=tripod][aria-pressed=true]");
        await page.evaluate(() => window.footfallStudio?.session.ask("reset", {}));
        await other.waitForFunction(() => document.querySelector<HTMLInputElement>("#panel-control [data-key=speed] .exact")?.value === "0.1"); // as the scene has it
        await page.evaluate(() => window.footfallStudio?.session.ask("run", { pace: 1 }));
        await other.close();
    });

    it("what is beyond the range is shown at its control", async () => {
        const field = page.locator("#panel-control [data-key=height] .exact");
        await field.fill("9");
        await field.press("Enter");
        await page.waitForSelector("#panel-control [data-key=height] .refusal:has-text('0.149 m')");
        await picture(page, "panels-refused");
    });

    it("a gamepad is shown and followed", async () => {
        await page.fill("#panel-control [data-key=speed] .exact", "0"); // what walks afterwards, walks by the stick
        await page.press("#panel-control [data-key=speed] .exact", "Enter");
        await latest("control.speed", -0.01, 0.01);
        await page.evaluate(() => {
            const buttons = Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 }));
            const pad = { connected: true, id: "Test pad (standard)", mapping: "standard", axes: [0, -1, 0, 0], buttons };
            navigator.getGamepads = () => [pad as unknown as Gamepad];
            window.dispatchEvent(new Event("gamepadconnected"));
        });
        await page.waitForSelector("#panel-control .pad-state:has-text('Test pad')");
        await latest("control.speed", 0.05, 1);
        await page.evaluate(() => {
            navigator.getGamepads = () => [];
            window.dispatchEvent(new Event("gamepaddisconnected"));
        });
        await latest("control.speed", -0.01, 0.04);
        await page.evaluate(() => window.footfallStudio?.session.ask("pause", {}));
    });

    it("a robot without a script is given one from the template", async () => {
        await page.click("#tab-script");
        await page.click("#panel-script button:has-text('New script')");
        await page.click("#panel-script button:has-text('Run')");
        await page.waitForFunction(() => window.footfallStudio?.session.store.get("scene")?.robots?.[0].control?.kind === "lua");
        expect(readFileSync(path.join(root, "experiments/anton-tripod.lua"), "utf8")).toContain("function cycle");
        await page.waitForSelector("#panel-script [data-key=frequency]"); // a parameter of the template
        await picture(page, "panels-script-new");
    });

    it("a certificate gives numbers their bars and curves their bands, until another scene is loaded", async () => {
        await page.evaluate((scene) => window.footfallStudio?.session.load({ scene }), BARS);
        await page.waitForFunction((scene) => window.footfallStudio?.scene === scene && window.footfallStudio.t === 0, BARS);
        await page.click("#tab-certificate");
        await page.evaluate(() => window.footfallStudio?.session.ask("run", { pace: 1 }));
        await page.click("#panel-certificate button:has-text('Certify this run')");
        await page.waitForSelector("#panel-certificate .certainty .badge:has-text('resolved')");
        await page.evaluate(() => window.footfallStudio?.session.ask("pause", {}));
        expect(await page.locator("#panel-certificate .certified .bar-text").allTextContents()).toContainEqual(expect.stringMatching(/\u00b1 \d/));
        await expect.poll(async () => (await look()).bands, TIMEOUT).toContain("energy.total"); // which the scene records
        await picture(page, "panels-certificate");
        await page.evaluate((scene) => window.footfallStudio?.session.load({ scene }), WALK);
        await page.waitForFunction((scene) => window.footfallStudio?.scene === scene, WALK);
        await expect.poll(async () => (await look()).bands, TIMEOUT).toEqual([]);
        await expect.poll(() => page.locator("#panel-certificate .certainty").count(), TIMEOUT).toBe(0);
    });

    it("a biped is steered by a gamepad, and its balance is shown", async () => {
        await page.evaluate((scene) => window.footfallStudio?.session.load({ scene }), BIPED);
        await page.waitForFunction((scene) => window.footfallStudio?.scene === scene && window.footfallStudio.t === 0, BIPED);
        await page.evaluate(() => window.footfallStudio?.session.show("control"));
        await page.evaluate(() => {
            const buttons = Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 }));
            const pad = { connected: true, id: "Test pad (standard)", mapping: "standard", axes: [-1, -1, 0.5, 0], buttons };
            navigator.getGamepads = () => [pad as unknown as Gamepad];
            window.dispatchEvent(new Event("gamepadconnected"));
        });
        await page.waitForSelector("#panel-control .pad-state:has-text('A walks, B stands')");
        const value = (key: string): Promise<number> => page.evaluate((k) => Number(window.footfallStudio?.session.controlOf(0)?.commands.find((c) => c.key === k)?.value ?? NaN), key);
        await expect.poll(() => value("side"), TIMEOUT).toBeGreaterThan(0); // what the program has
        await expect.poll(() => value("speed"), TIMEOUT).toBeGreaterThan(0.3);
        await expect.poll(() => value("turn"), TIMEOUT).toBeLessThan(0);
        const press = (button: number): Promise<void> =>
            page.evaluate((b) => {
                const pad = navigator.getGamepads()[0] as unknown as { axes: number[]; buttons: { pressed: boolean }[] };
                pad.axes.fill(0);
                for (const one of pad.buttons) one.pressed = false;
                pad.buttons[b].pressed = true;
                // the page polls the pad once a frame: a button that goes and comes in between was never released
                return new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
            }, button);
        await press(0); // A: on the spot, after the sticks came back to rest
        await page.waitForSelector("#panel-control [data-key=walk] [data-choice=true][aria-pressed=true]");
        await press(1); // B
        await page.waitForSelector("#panel-control [data-key=walk] [data-choice=false][aria-pressed=true]");
        await expect.poll(() => value("speed"), TIMEOUT).toBe(0);
        await press(9); // start: it runs
        await expect.poll(() => page.textContent(".load-bars"), TIMEOUT).toMatch(/left.*%, planned 50 %.*right.*%, planned 50 %/);
        await page.click("button:has-text('Layers')");
        for (const layer of ["dcm", "zmp", "loads", "moments"]) expect(await page.locator(`[data-layer=${layer}]`).count()).toBe(1);
        await picture(page, "panels-biped");
        await press(8);
        await press(9); // and pauses
        await page.waitForFunction(() => window.footfallStudio?.session.store.get("run").running === false);
        await page.evaluate(() => {
            navigator.getGamepads = () => [];
            window.dispatchEvent(new Event("gamepaddisconnected"));
        });
    });

    it("no page had an error or asked anything of other servers", () => {
        expect(pageErrors).toEqual([]);
    });
});
