// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What tests in a browser share: Chromium, the program (FOOTFALL, or the newest build), a project folder of their own to work in, pictures (SCREENSHOTS names their folder).
// What a file's tests have begun, endAll() ends.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { blankWebgl } from "./blank_webgl";

export const WEB = path.resolve(__dirname, "..");
export const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const PROGRAM = findProgram();

function findProgram(): string {
    if (process.env.FOOTFALL) return path.resolve(process.env.FOOTFALL);
    const built = ["release", "dev"].map((b) => path.join(WEB, "..", "build", b, "bin", "footfall")).filter((f) => existsSync(f));
    return built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0] ?? "";
}

/** Pixels along a length of the page. Software draws them, and that takes most of the time: pictures alone need them all. */
export const SCALE = process.env.SCREENSHOTS ? 1 : 0.25;

/** Pictures a second: software draws them, and most of them are never read. */
const RATE = 10; // [Hz]

/** Options of a page beside those of the browser. */
export interface Drawing {
    /** By a real WebGL, for tests that read the picture; where pictures are kept, all pages are. */
    drawn?: boolean;
}

/** A page of the tests: with few pixels, few pictures a second, and most of them with a viewport that draws nothing. */
export async function newPage(browser: Browser, { drawn, ...options }: BrowserContextOptions & Drawing): Promise<Page> {
    const page = await browser.newPage({ deviceScaleFactor: SCALE, ...options });
    const context = page.context(); // of this page, and of those that it opens
    if (!drawn && !process.env.SCREENSHOTS) await context.addInitScript(blankWebgl);
    await context.addInitScript((ms) => {
        window.requestAnimationFrame = (draw) => window.setTimeout(() => draw(performance.now()), ms);
        window.cancelAnimationFrame = (id) => window.clearTimeout(id);
    }, 1000 / RATE);
    return page;
}

/** Shares of points in a picture of the light viewport. */
export interface Shares {
    ground: number;
    /** Darker than anything of sky, ground and its shadows: bodies, and marks. */
    body: number;
}

/** Of a whole picture (a canvas or an image), and of the part in its middle, a third as wide and high. */
export function shares(page: Page, selector: string): Promise<{ all: Shares; middle: Shares }> {
    return page.locator(selector).first().evaluate((source: HTMLCanvasElement | HTMLImageElement) => {
        const [width, height] = source instanceof HTMLImageElement ? [source.naturalWidth, source.naturalHeight] : [source.width, source.height];
        const canvas = document.createElement("canvas");
        canvas.width = width;
        canvas.height = height;
        const paint = canvas.getContext("2d");
        paint?.drawImage(source, 0, 0);
        const count = (x: number, y: number, w: number, h: number): Shares => {
            const data = paint?.getImageData(x, y, w, h).data ?? [];
            const found = { ground: 0, body: 0 };
            for (let i = 0; i < data.length; i += 4) {
                const [r, g, b, a] = data.slice(i, i + 4);
                if (Math.abs(r - 0xe4) + Math.abs(g - 0xe8) + Math.abs(b - 0xed) < 4) found.ground++; // --floor of base.css
                if (a === 255 && r + g + b < 400) found.body++;
            }
            return { ground: (4 * found.ground) / data.length, body: (4 * found.body) / data.length };
        };
        const third = (length: number): number => Math.floor(length / 3);
        return { all: count(0, 0, width, height), middle: count(third(width), third(height), third(width), third(height)) };
    });
}

/** For `expect.poll`: a busy machine takes 20 s for what takes one. */
export const TIMEOUT = { timeout: 60_000 };

/** Whether there is something to test with. */
export const READY = existsSync(BROWSER) && PROGRAM !== "" && existsSync(PROGRAM);

const begun: (() => unknown)[] = []; // how to end it

/** Ends what the tests of this file have begun, the latest first. */
export async function endAll(): Promise<void> {
    for (let end = begun.pop(); end; end = begun.pop()) await end();
}

// What Chromium is to do without. A window for each page of tests would read the scripts of an address bar's list, which nobody sees, and keep a process for a next page: half of what a page
// of ours costs. The option takes the place of Playwright's own: those of its list that concern pages come first.
const WITHOUT = ["HttpsUpgrades", "PaintHolding", "RenderDocument", "ThirdPartyStoragePartitioning", "Translate", "OptimizationHints", "MediaRouter", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "SpareRendererForSitePerProcess"];

export async function launch(): Promise<Browser> {
    const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox", "--enable-unsafe-swiftshader", `--disable-features=${WITHOUT.join(",")}`] });
    begun.push(() => browser.close());
    return browser;
}

/** An empty folder. */
export function makeFolder(): string {
    const folder = mkdtempSync(path.join(tmpdir(), "footfall-web-"));
    begun.push(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
}

/** A copy of the experiments and robots, which tests may change. */
function makeProject(): string {
    const root = makeFolder();
    for (const name of ["experiments", "robots"]) cpSync(path.join(WEB, "..", name), path.join(root, name), { recursive: true });
    return root;
}

export interface Program {
    address: string;
    port: number;
    stop(): Promise<void>;
}

/** `footfall studio` on a port (0: any that is free), as soon as it says its address. */
export async function startProgram(root: string, scene = "", port = 0): Promise<Program> {
    const child: ChildProcess = spawn(PROGRAM, ["studio", ...(scene ? [path.join(root, scene)] : []), "--no-browser", "--port", String(port), "--root", root], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    child.stderr?.on("data", (data: Buffer) => (said += data.toString()));
    const address = await new Promise<string>((done, failed) => {
        let out = "";
        child.stdout?.on("data", (data: Buffer) => {
            out += data.toString();
            if (out.includes("\n")) done(out.split("\n")[0].trim());
        });
        child.on("exit", (code) => failed(new Error(`footfall studio ended with ${code}: ${said}`)));
    });
    const ended = new Promise<void>((done) => child.on("exit", () => done()));
    const stop = async (): Promise<void> => {
        child.kill("SIGTERM");
        await ended;
    };
    begun.push(stop);
    return { address, port: Number(new URL(address).port), stop };
}

/** Errors of pages, and what they asked of anything but the program. */
export const pageErrors: string[] = [];

export async function openStudio(browser: Browser, address: string, options: { width?: number; height?: number; dark?: boolean; touch?: boolean; hash?: string } & Drawing = {}): Promise<Page> {
    const page = await newPage(browser, {
        viewport: { width: options.width ?? 1280, height: options.height ?? 720 },
        colorScheme: options.dark ? "dark" : "light",
        hasTouch: options.touch ?? false,
        acceptDownloads: true,
        drawn: options.drawn ?? false,
    });
    page.setDefaultTimeout(60_000); // for hangs; a busy machine takes 20 s for what takes one
    page.on("pageerror", (e) => pageErrors.push(e.message));
    page.on("console", (m) => {
        if (m.type() === "error" && !m.text().includes("WebSocket")) pageErrors.push(m.text());
    });
    page.on("request", (r) => {
        if (!r.url().startsWith(address.replace(/\/$/, "")) && !/^(data|blob):/.test(r.url())) pageErrors.push(`asked for ${r.url()}`);
    });
    await page.goto(`${address}${options.hash ?? ""}`);
    await page.waitForFunction(() => window.footfallStudio?.link === "open" && window.footfallStudio.session.store.get("library") !== null);
    return page;
}

export interface Visit {
    root: string;
    browser: Browser;
    program: Program;
    page: Page;
}

/** A project, the program that serves it (with a scene), a browser, and a page in it. */
export async function visit(options: { scene?: string; hash?: string } = {}): Promise<Visit> {
    const root = makeProject();
    const [browser, program] = await Promise.all([launch(), startProgram(root, options.scene)]);
    return { root, browser, program, page: await openStudio(browser, program.address, options) };
}

export async function picture(page: Page, name: string): Promise<void> {
    const to = process.env.SCREENSHOTS;
    if (!to) return;
    mkdirSync(to, { recursive: true });
    await page.screenshot({ path: path.join(to, `${name}.png`) });
}
