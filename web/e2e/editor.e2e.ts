// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The model editor as people use it: a mass is changed, tried, refused, undone, saved; comments stay; a slider moves a joint. The file on disk shows whether it is true.
import type { Browser, Locator, Page } from "playwright-core";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endAll, openStudio, TIMEOUT, picture, type Program, READY, pageErrors, visit } from "./harness";
import type {} from "../src/studio/main";

const ROBOT = "robots/anton/anton.yaml";
const SCENE = "experiments/anton-drop.yaml";

describe.skipIf(!READY)("the model editor", () => {
    let root: string;
    let browser: Browser;
    let program: Program;
    let page: Page;
    let original: string;

    beforeAll(async () => {
        ({ root, browser, program, page } = await visit({ scene: SCENE }));
        original = onDisk();
        await page.waitForFunction(() => (window.footfallStudio?.frames ?? 0) > 0);
    });
    afterAll(endAll);

    const onDisk = (): string => readFileSync(path.join(root, ROBOT), "utf8");
    const field = (entry: string): Locator => page.locator(`[data-path="${entry}"] input`);
    const counts = (text: RegExp): Promise<void> => page.locator(".ed-counts", { hasText: text }).waitFor();
    const mass = (body: string): Promise<number> =>
        page.evaluate((name) => window.footfallStudio?.session.store.get("scene")?.model.bodies?.find((b) => b.name === name)?.mass ?? NaN, body);
    const coxa = "constants/coxa_mass";

    it("shows the robot's file as a tree with units", async () => {
        await page.click("#tab-model");
        await page.waitForSelector(".ed-row");
        expect(await page.locator(".ed-file").inputValue()).toBe(ROBOT);
        await page.click('[data-path="parts/leg"] .ed-group');
        await page.click('[data-path="parts/leg/bodies/coxa"] .ed-group');
        await page.click('[data-path="parts/leg/bodies/coxa/inertial"] .ed-group');
        const row = page.locator('[data-path="parts/leg/bodies/coxa/inertial/mass"]');
        await expect.poll(() => row.locator(".ed-worth").textContent(), TIMEOUT).toBe("= 0.15\u202fkg");
        expect(await page.locator('[data-path="parts/leg/bodies/coxa"] .ed-times').first().textContent()).toBe("\u00d76");
        await counts(/no errors.*as on disk/);
        await picture(page, "editor-tree");
    });

    it("leads from a number to the constant behind it", async () => {
        await page.locator('[data-path="parts/leg/bodies/coxa/inertial/mass"] input').focus();
        await page.getByRole("button", { name: "coxa_mass", exact: true }).click();
        await page.waitForSelector('[data-path="constants/coxa_mass"].chosen');
        expect(await page.locator('[data-path="constants/coxa_mass"] .unit').textContent()).toBe("kg");
    });

    it("shows at once what the program says of a negative mass", async () => {
        await field(coxa).fill("-0.15");
        await page.locator(`[data-path="${coxa}"].wrong .ed-words`, { hasText: "it must be zero or more" }).waitFor();
        await counts(/1 error/);
        expect(await page.getByRole("button", { name: "Try" }).isDisabled()).toBe(true);
        expect(onDisk()).toBe(original);
        await picture(page, "editor-wrong");
    });

    it("undoes and redoes", async () => {
        await field(coxa).press("Control+z");
        await counts(/no errors.*as on disk/);
        expect(await field(coxa).inputValue()).toBe("0.15");
        await field(coxa).press("Control+y");
        await counts(/1 error/);
        await field(coxa).press("Control+z");
        await counts(/no errors.*as on disk/); // the program has checked it: the tree fits the text again
    });

    it("steps by keys and by dragging the unit", async () => {
        await field(coxa).focus();
        await field(coxa).press("ArrowUp");
        expect(await field(coxa).inputValue()).toBe("0.16");
        const unit = page.locator(`[data-path="${coxa}"] .unit`);
        const box = await unit.boundingBox();
        if (!box) throw new Error("the unit has no place");
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width / 2 + 8, box.y + box.height / 2, { steps: 4 });
        await page.mouse.up();
        expect(await field(coxa).inputValue()).toBe("0.18");
        await counts(/1 value changed/);
    });

    it("tries the robot without saving it", async () => {
        expect(await mass("FL_coxa")).toBeCloseTo(0.15, 12);
        const generation = await page.evaluate(() => window.footfallStudio?.generation ?? 0);
        await page.getByRole("button", { name: "Try" }).click();
        await page.waitForFunction((g) => (window.footfallStudio?.generation ?? 0) > g, generation);
        expect(await mass("FL_coxa")).toBeCloseTo(0.18, 12);
        expect(onDisk()).toBe(original);
        await picture(page, "editor-tried");
    });

    it("saves exactly this number and keeps everything else", async () => {
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await counts(/as on disk/);
        const line = /coxa_mass: \{value: 0\.15,/;
        expect(original).toMatch(line);
        expect(onDisk()).toBe(original.replace(line, "coxa_mass: {value: 0.18,"));
        const other = await openStudio(browser, program.address);
        await other.click("#tab-model");
        await other.waitForSelector(".ed-row");
        await other.fill('input[aria-label="Find in the model"]', "coxa_mass");
        expect(await other.locator(`[data-path="${coxa}"] input`).inputValue()).toBe("0.18");
        await other.close();
    });

    it("asks before it overwrites what someone else has written", async () => {
        const theirs = onDisk().replace("value: 0.13,", "value: 0.135,");
        writeFileSync(path.join(root, ROBOT), theirs);
        await field(coxa).fill("0.17");
        await counts(/1 value changed/);
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await page.getByText("changed on disk by someone else").waitFor();
        expect(onDisk()).toBe(theirs);
        await picture(page, "editor-overwrite");
        await page.getByRole("button", { name: "Take theirs" }).click();
        await counts(/as on disk/);
        expect(await field("constants/femur_mass").inputValue()).toBe("0.135");
    });

    it("finds the entry of a body that was picked, and the body of an entry", async () => {
        await page.evaluate(() => {
            const session = window.footfallStudio?.session;
            const body = session?.store.get("scene")?.model.bodies?.findIndex((b) => b.name === "MR_tibia") ?? -1;
            session?.select({ body });
        });
        await page.waitForSelector('[data-path="parts/leg/bodies/coxa/bodies/femur/bodies/tibia"].chosen');
        await page.click('[data-path="parts/leg/bodies/coxa/bodies/femur"] .ed-group');
        await page.waitForFunction(() => window.footfallStudio?.session.store.get("scene")?.model.bodies?.[window.footfallStudio.selection]?.name?.endsWith("_femur"));
        await picture(page, "editor-picked");
    });

    it("moves a joint by its slider", async () => {
        await page.click('#panel-model [data-mode="pose"]');
        const slider = page.locator('#panel-model .slider[data-key="FL_coxa"]');
        await slider.waitFor();
        const number = await page.evaluate(() => {
            const joints = window.footfallStudio?.session.store.get("scene")?.model.joints as unknown as { name: string; qadr: number }[];
            return joints.find((j) => j.name === "FL_coxa")?.qadr ?? -1;
        });
        await page.evaluate((k) => {
            const w = window as unknown as { angle: number };
            window.footfallStudio?.session.onFrame((f) => (w.angle = f.q.data[k]));
        }, number);
        await slider.locator("input.exact").fill("20");
        await slider.locator("input.exact").press("Enter");
        await page.waitForFunction(() => Math.abs((window as unknown as { angle: number }).angle - Math.PI / 9) < 1e-4);
        await picture(page, "editor-joints");
        await page.getByRole("button", { name: "Reference pose" }).click();
        await page.waitForFunction(() => Math.abs((window as unknown as { angle: number }).angle) < 1e-6);
    });

    it("shows the text, and what is written there is in the tree", async () => {
        await page.click('#panel-model [data-mode="text"]');
        await page.locator("#panel-model .cm-content").waitFor();
        await picture(page, "editor-text");
        await page.locator("#panel-model .cm-line", { hasText: "name: anton" }).first().click();
        await page.keyboard.press("End");
        await page.keyboard.type("ette");
        await counts(/1 value changed/);
        await page.click('#panel-model [data-mode="values"]');
        expect(await field("name").inputValue()).toBe("antonette");
        await page.click('[data-path="name"] .ed-reset');
        await counts(/as on disk/);
    });

    it("looks as well in the dark", async () => {
        const dark = await openStudio(browser, program.address, { dark: true });
        await dark.click("#tab-model");
        await dark.waitForSelector(".ed-row");
        await dark.click('[data-filter="constants"]');
        await dark.locator('[data-path="constants/coxa_mass"] input').fill("-1");
        await dark.locator(".ed-words:visible").first().waitFor();
        await picture(dark, "editor-dark");
        await dark.click('#panel-model [data-mode="pose"]');
        await picture(dark, "editor-dark-joints");
        await dark.close();
        expect(pageErrors).toEqual([]);
    });
});
