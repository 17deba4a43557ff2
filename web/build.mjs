// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// node build.mjs [--out DIR]: bundles the pages into DIR (dist/): one classic script and one style sheet a page, with everything in them, so that a
// report can hold both inline and open from disk, and the studio asks for three files. Prints what they weigh, plain and compressed.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = path.dirname(fileURLToPath(import.meta.url));
const STUDIO_MOST = 1.5 * 1024 * 1024; // bytes that the studio may transfer, compressed

/** All files of the pages by name, as text. */
export async function makePages() {
    const { outputFiles } = await build({
        absWorkingDir: here,
        entryPoints: { report: "src/report/main.ts", studio: "src/studio/main.ts" },
        outdir: path.join(here, "dist"),
        bundle: true,
        write: false,
        minify: true,
        format: "iife",
        target: "es2020",
        charset: "utf8",
        legalComments: "inline",
        logLevel: "warning",
    });
    const files = new Map(outputFiles.map((f) => [path.basename(f.path), f.text]));
    files.set("studio.html", await readFile(path.join(here, "src/studio/studio.html"), "utf8"));
    return files;
}

async function main() {
    const at = process.argv.indexOf("--out");
    const out = path.resolve(at > 0 ? (process.argv[at + 1] ?? "") : path.join(here, "dist"));
    await mkdir(out, { recursive: true });
    const kib = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;
    let studio = 0;
    for (const [name, text] of [...(await makePages())].sort()) {
        await writeFile(path.join(out, name), text);
        const packed = gzipSync(text, { level: 9 }).length;
        if (name.startsWith("studio")) studio += packed;
        console.log(`${name}  ${kib(Buffer.byteLength(text))}, gzip ${kib(packed)}`);
    }
    console.log(`the studio transfers ${kib(studio)} of at most ${kib(STUDIO_MOST)}`);
    if (studio > STUDIO_MOST) process.exitCode = 1;
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await main();
