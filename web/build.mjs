// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// node build.mjs [--out DIR]: bundles the pages into DIR (dist/): one classic script and one style sheet a page, with everything in them, so that a
// report can hold both inline and open from disk.
import { build } from "esbuild";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const at = process.argv.indexOf("--out");
const out = path.resolve(at > 0 ? (process.argv[at + 1] ?? "") : path.join(here, "dist"));
await mkdir(out, { recursive: true });
await build({
    absWorkingDir: here,
    entryPoints: { report: "src/report/main.ts" },
    outdir: out,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2020",
    charset: "utf8",
    legalComments: "inline",
    logLevel: "warning",
});
for (const name of ["report.js", "report.css"]) {
    const { size } = await stat(path.join(out, name));
    console.log(`${name}  ${(size / 1024).toFixed(0)} KiB`);
}
