// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// node tools/fake_program.mjs [PORT]: serves the studio on 127.0.0.1 with the pendulum of test/fake_program.ts behind it, to work on the page without building the program. The page
// is built anew at every load of `/`. Just enough of RFC 6455 for a browser on the same machine.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";

const web = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const port = Number(process.argv[2] ?? 8087);
const made = await build({ absWorkingDir: web, entryPoints: ["test/fake_program.ts"], bundle: true, write: false, format: "esm", platform: "node" });
const { FakeProgram } = await import(`data:text/javascript;base64,${Buffer.from(made.outputFiles[0].contents).toString("base64")}`);
const program = new FakeProgram();

async function pages() {
    const { makePages } = await import("../build.mjs");
    return makePages();
}
const TYPES = { html: "text/html; charset=utf-8", js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" };
let files = new Map();
const server = createServer((request, response) => {
    const name = request.url === "/" ? "studio.html" : String(request.url).slice(1);
    const answer = async () => {
        if (name === "studio.html") files = await pages();
        const text = files.get(name);
        response.writeHead(text ? 200 : 404, { "content-type": TYPES[name.split(".").pop()] ?? "text/plain", "cache-control": "no-store" });
        response.end(text ?? "not here");
    };
    answer().catch((e) => {
        response.writeHead(500);
        response.end(String(e));
    });
});

function wrap(data) {
    const binary = typeof data !== "string";
    const body = binary ? Buffer.from(data) : Buffer.from(data, "utf8");
    const head = Buffer.alloc(body.length < 126 ? 2 : body.length < 65536 ? 4 : 10);
    head[0] = binary ? 0x82 : 0x81;
    if (head.length === 2) head[1] = body.length;
    else if (head.length === 4) {
        head[1] = 126;
        head.writeUInt16BE(body.length, 2);
    } else {
        head[1] = 127;
        head.writeBigUInt64BE(BigInt(body.length), 2);
    }
    return Buffer.concat([head, body]);
}

// Whole messages of a browser out of a stream of bytes; what is not whole yet is kept.
function unwrap(held, take) {
    for (;;) {
        if (held.length < 6) return held;
        let size = held[1] & 127;
        let at = 2;
        if (size === 126) {
            size = held.readUInt16BE(2);
            at = 4;
        } else if (size === 127) {
            if (held.length < 14) return held;
            size = Number(held.readBigUInt64BE(2));
            at = 10;
        }
        if (held.length < at + 4 + size) return held;
        const mask = held.subarray(at, at + 4);
        const body = Buffer.from(held.subarray(at + 4, at + 4 + size));
        for (let i = 0; i < size; i++) body[i] ^= mask[i & 3];
        take(held[0] & 15, body);
        held = held.subarray(at + 4 + size);
    }
}

server.on("upgrade", (request, socket) => {
    const key = createHash("sha1").update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\nSec-WebSocket-Protocol: footfall-1\r\n\r\n`);
    const client = program.join((data) => socket.write(wrap(data)));
    let held = Buffer.alloc(0);
    socket.on("data", (bytes) => {
        held = unwrap(Buffer.concat([held, bytes]), (opcode, body) => {
            if (opcode === 1) program.hear(client, body.toString("utf8"));
            if (opcode === 8) socket.end();
        });
    });
    socket.on("close", () => program.leave(client));
    socket.on("error", () => socket.destroy());
});

let last = Date.now();
setInterval(() => {
    const now = Date.now();
    program.tick((now - last) / 1000);
    last = now;
}, 16);
server.listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/`));
