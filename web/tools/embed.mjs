// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// node tools/embed.mjs OUT.c FILE...: files of the studio's page, compressed once and for all, as a C file with the table of src/studio/page.h.
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";

const [out, ...files] = process.argv.slice(2);
if (!out) throw new Error("usage: node tools/embed.mjs OUT.c FILE...");
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
let arrays = "";
let rows = "";
let total = 0;
for (const [index, file] of files.entries()) {
    const name = path.basename(file);
    const address = name === "studio.html" ? "/" : `/${name}`;
    const plain = await readFile(file);
    const packed = gzipSync(plain, { level: 9 });
    const tag = createHash("sha256").update(plain).digest("hex").slice(0, 32);
    total += packed.length;
    const text = Array.from(packed, (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join(""); // compilers read it faster than a list of numbers
    arrays += `static const unsigned char file_${index}[] = "${text}";\n`;
    rows += `    {"${address}", "${types[path.extname(name)]}; charset=utf-8", "\\"${tag}\\"", file_${index}, sizeof file_${index} - 1, true},\n`;
}
await writeFile(
    out,
    `// Made by web/tools/embed.mjs; not to be edited.\n#include "studio/page.h"\n\n${arrays}\n` +
        `const ff_page_asset ff_page_assets[] = {\n${rows}    {0},\n};\nconst int ff_page_asset_count = ${files.length};\n`,
);
console.log(`studio page  ${(total / 1024).toFixed(0)} KiB compressed`);
