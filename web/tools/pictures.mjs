// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// node tools/pictures.mjs [PROGRAM [FOLDER]]: makes the pictures of the manual from the studio itself: starts the program (build/release/bin/footfall), looks at scenes in headless Chromium
// as a visitor would, and writes them to FOLDER (docs/images). Pictures are of 1280 x 720 pixels and stay below 300 kB.
import { spawn } from "node:child_process";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const project = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");
const program = path.resolve(process.argv[2] ?? path.join(project, "build/release/bin/footfall"));
const folder = path.resolve(process.argv[3] ?? path.join(project, "docs/images"));

const BATCH =
    "--set solver.method=euler --set solver.step=1e-4 --robots 1024 --time 0.4 --fall-tilt 0.3 --reward forward*step --spread friction=0.1..1.2 --spread mass=normal(1,0.1,0.7,1.3) --spread start_speeds=-4..4 --spread payload.middle=choice(0,0.1,0.3)".split(" ");
const PICTURES = [
    { name: "studio", scene: "experiments/anton-tripod.yaml", t: 5, panel: "control" },
    { name: "studio-batch", batch: ["experiments/anton-march.yaml", ...BATCH], folded: ["bottom"] },
    { name: "studio-terrain", scene: "experiments/anton-terrain.yaml", t: 4, panel: "control", dark: true, folded: ["left", "bottom"] },
];

function start(batch) {
    const child = spawn(program, [...(batch ? ["batch", ...batch, "--studio"] : ["studio"]), "--no-browser", "--port", "0", "--root", project], { cwd: project, stdio: ["ignore", "pipe", "inherit"] });
    return new Promise((done, failed) => {
        let said = "";
        child.stdout.on("data", (data) => {
            said += data;
            if (said.includes("\n")) done({ address: said.split("\n")[0].trim(), child });
        });
        child.on("exit", (code) => failed(new Error(`${program} studio ended with ${code}`)));
    });
}

async function take(browser, p) {
    const { address, child } = await start(p.batch);
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: p.dark ? "dark" : "light" });
    page.setDefaultTimeout(120_000);
    if (p.folded) await page.addInitScript((f) => localStorage.setItem("footfall-studio-layout", JSON.stringify({ folded: Object.fromEntries(f.map((d) => [d, true])) })), p.folded);
    if (p.batch) {
        await page.goto(address);
        await page.waitForFunction(() => globalThis.footfallStudio?.session?.store.get("batch")?.ended === "finished");
        await page.locator(".batch-form").evaluate((form) => form.scrollIntoView()); // reward and draws
        await page.mouse.move(550, 340);
        await page.mouse.wheel(0, 100); // a little farther away
    } else {
        await page.goto(`${address}#scene=${p.scene}&t=${p.t}&panel=${p.panel}`);
        await page.waitForFunction(([scene, t]) => globalThis.footfallStudio?.scene === scene && !footfallStudio.running && Math.abs(footfallStudio.t - t) < 1e-6, [p.scene, p.t]);
        await page.keyboard.press("f");
    }
    await page.addStyleTag({ content: ".toasts { display: none }" });
    await page.waitForTimeout(1500); // plots come to rest
    const file = path.join(folder, `${p.name}.png`);
    await page.screenshot({ path: file });
    await page.close();
    child.removeAllListeners("exit");
    child.kill("SIGTERM");
    console.log(`${path.relative(process.cwd(), file)}  ${((await stat(file)).size / 1024).toFixed(0)} KiB`);
}

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--enable-unsafe-swiftshader"] });
try {
    for (const p of PICTURES) await take(browser, p);
} finally {
    await browser.close();
}
