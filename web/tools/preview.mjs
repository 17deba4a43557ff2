// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// node tools/preview.mjs RUN.json OUT.html [DIST]: puts a run document and the built page into one file, as `footfall report` does, to look at changes of the
// page without the program.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [from, to, built] = process.argv.slice(2);
if (!from || !to) {
    console.error("usage: node tools/preview.mjs RUN.json OUT.html [DIST]");
    process.exit(1);
}
const dist = built ? pathToFileURL(path.resolve(built) + path.sep) : new URL("../dist/", import.meta.url);
const [run, script, style] = await Promise.all([
    readFile(from, "utf8"),
    readFile(new URL("report.js", dist), "utf8"),
    readFile(new URL("report.css", dist), "utf8"),
]);
// "<" cannot end the element it stands in when written as an escape of JSON.
const safe = run.replaceAll("<", "\\u003c");
await writeFile(
    to,
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<title>Footfall report</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<script id="footfall-run" type="application/json">${safe}</script>
<script>${script}</script>
</body>
</html>
`,
);
