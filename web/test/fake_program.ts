// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A program that speaks the studio's contract without being one: a pendulum (a rod of 1 m and 1 kg on a hinge, theta'' = -1.5 g sin(theta)) over a foot that touches the ground, so
// that tests and people who work on the page (tools/fake_program.mjs) have something that moves. Time goes on by `tick`.
import type { Command, Parameter, Scene, Verb, Verbs } from "../src/studio/contract";
import { FRAME_MAGIC, PICTURE_MAGIC } from "../src/studio/frames";

export const G = 9.81;
const STEP = 1e-3; // [s]
const SCRIPT = `-- swings the pendulum
local gain = param("gain", 2, {low = 0, high = 10, unit = "N m s/rad"})
function step(robot, t)
    robot.effort("swing", gain * robot.speed("swing"))
end
`;

/** Bytes of a frame with sections of rows. */
export function frameBytes(
    head: { flags?: number; generation?: number; number?: number; t?: number; rtf?: number; dropped?: number; starts?: number; version?: number },
    sections: [tag: number, width: number, data: number[]][],
): ArrayBuffer {
    const size = 40 + sections.reduce((sum, [, , d]) => sum + 8 + 4 * d.length, 0);
    const view = new DataView(new ArrayBuffer(size));
    view.setUint32(0, FRAME_MAGIC, true);
    view.setUint16(4, head.version ?? 1, true);
    view.setUint16(6, head.flags ?? 0, true);
    view.setUint32(8, head.generation ?? 1, true);
    view.setUint32(12, head.number ?? 0, true);
    view.setFloat64(16, head.t ?? 0, true);
    view.setFloat32(24, head.rtf ?? NaN, true);
    view.setUint32(28, head.dropped ?? 0, true);
    view.setUint32(32, sections.length, true);
    view.setUint32(36, head.starts ?? 0, true);
    let at = 40;
    for (const [tag, width, data] of sections) {
        view.setUint16(at, tag, true);
        view.setUint16(at + 2, width, true);
        view.setUint32(at + 4, width ? data.length / width : 0, true);
        at += 8;
        for (const x of data) {
            view.setFloat32(at, x, true);
            at += 4;
        }
    }
    return view.buffer;
}

function pictureBytes(generation: number, t: number): ArrayBuffer {
    const [w, h] = [32, 24];
    const buffer = new ArrayBuffer(24 + 3 * w * h);
    const view = new DataView(buffer);
    view.setUint32(0, PICTURE_MAGIC, true);
    view.setUint16(4, 1, true);
    view.setUint16(6, 0, true);
    view.setUint32(8, generation, true);
    view.setUint16(12, w, true);
    view.setUint16(14, h, true);
    view.setFloat64(16, t, true);
    for (let i = 0; i < w * h; i++) new Uint8Array(buffer).set([(8 * i) % 256, (100 * t) % 256, 128], 24 + 3 * i);
    return buffer;
}

const ALONG_Z = [1, 0, 0, 0];
const PAINT = [0.35, 0.45, 0.6, 1];
const MODEL = {
    name: "pendulum",
    nq: 1,
    nv: 1,
    mass: 1,
    gravity: [0, 0, -G],
    // The hinge turns about y: its z axis lies along -y of the world, x ahead.
    nodes: [{ type: "hinge" as const, parent: -1, qadr: 0, ref: 0, pos: [0, 0, 1.2], rotation: [1, 0, 0, 0, 0, -1, 0, 1, 0] }],
    bodies: [
        { name: "stand", parent: -1, node: -1, pos: [0, 0, 0], quat: ALONG_Z, mass: 0, com: [0, 0, 0] },
        { name: "rod", parent: 0, node: 0, pos: [0, 0, 0], quat: ALONG_Z, mass: 1, com: [0, -0.5, 0] },
    ],
    joints: [{ name: "swing", type: "hinge", body: 1, limited: true, range: [-3, 3], qadr: 0 }],
    geoms: [
        { name: "ground", body: -1, shape: "plane", size: [0, 0, 0], mesh: -1, pos: [0, 0, 0], quat: ALONG_Z, rgba: [1, 1, 1, 1], role: "both" as const },
        { name: null, body: 0, shape: "cylinder", size: [0.03, 0.6, 0], mesh: -1, pos: [0, 0.12, 0.6], quat: ALONG_Z, rgba: [0.6, 0.62, 0.66, 1], role: "both" as const },
        { name: null, body: 1, shape: "capsule", size: [0.04, 0.46, 0], mesh: -1, pos: [0, -0.5, 0], quat: [Math.SQRT1_2, Math.SQRT1_2, 0, 0], rgba: PAINT, role: "both" as const },
    ],
    frames: [{ name: "tip", body: 1, pos: [0, -1, 0] }],
    legs: [{ name: "T", frame: 0, radius: 0.04 }],
    limbs: [{ name: "T", kind: "foot" as const, body: 1, pos: [0, -1, 0], quat: ALONG_Z, radius: 0.04, bodies: [] }],
};

const LIBRARY = {
    scenes: [
        { path: "experiments/pendulum.yaml", title: "A pendulum swings", group: "basics", variants: ["heavy", "long"] },
        { path: "experiments/broken.yaml", title: "A scene with a mistake", group: "basics", variants: [] },
        { path: "experiments/anton-tripod.yaml", title: "ANTON walks in tripod gait", group: "anton", variants: ["slow"] },
    ],
    robots: [{ path: "robots/anton/anton.yaml", title: "ANTON" }],
    terrains: [
        { name: "plane", help: "level ground without end" },
        { name: "stairs", help: "steps of one height" },
    ],
    scripts: ["robots/pendulum/swing.lua"],
    runs: [{ name: "pendulum-1", title: "A pendulum swings", time: 5, bytes: 120_000, saved: 1_760_000_000 }],
};

interface Client {
    say: (message: string | ArrayBuffer) => void;
    watch: string[];
    camera: boolean;
    rows: number[];
}
type Request = { id: number; do: Verb } & Record<string, unknown>;

export class FakeProgram {
    t = 0;
    angle = 0.6;
    speed = 0;
    running = false;
    pace = 1;
    generation = 0;
    starts = 0;
    private gait = "tripod";
    private wished = 0; // speed
    gain = 0;
    /** Everything that was asked, in order, for tests. */
    readonly asked: Request[] = [];
    private path = "";
    private variant = "";
    private script = SCRIPT;
    private number = 0;
    private force = [0, 0, 0];
    private until = 0;
    private readonly clients = new Map<number, Client>();
    private next = 1;

    join(say: Client["say"]): number {
        const client = this.next++;
        this.clients.set(client, { say, watch: [], camera: false, rows: [] });
        if (this.generation > 0) say(JSON.stringify({ event: "scene", ...this.scene() }));
        this.tellState();
        if (this.generation > 0) say(this.frame(this.clients.get(client) as Client));
        return client;
    }

    leave(client: number): void {
        this.clients.delete(client);
        this.tellState();
    }

    hear(client: number, text: string): void {
        const request = JSON.parse(text) as Request;
        this.asked.push(request);
        const say = (rest: object): void => this.clients.get(client)?.say(JSON.stringify({ id: request.id, ok: true, ...rest }));
        this.answer(client, request, say);
    }

    /** Goes on by real seconds and tells everybody. */
    tick(dt: number): void {
        if (!this.running) return;
        this.advance(dt * (this.pace || 20));
        this.tellFrames();
        if (Math.floor(this.t * 4) !== Math.floor((this.t - dt) * 4)) this.tellState();
    }

    private answer(client: number, r: Request, say: (rest: object) => void): void {
        const own = this.clients.get(client);
        const refuse = (error: string, messages: object[] = []): void => say({ ok: false, error, messages });
        switch (r.do) {
            case "list":
                return say(LIBRARY);
            case "load":
                return this.load(r as unknown as Verbs["load"], say, refuse);
            case "run":
                if (!this.generation) return refuse("no scene is loaded");
                this.running = true;
                this.pace = Number(r.pace ?? 1);
                break;
            case "pause":
                this.running = false;
                break;
            case "reset":
                this.running = false;
                this.start();
                break;
            case "step":
                this.advance(Number(r.seconds ?? STEP));
                break;
            case "push":
                this.force = r.force as number[];
                this.until = this.t + Number(r.seconds);
                this.tellAll({ event: "pushed", t: this.t, body: r.body, force: r.force });
                break;
            case "pull":
                this.pull(r.target as number[] | null);
                break;
            case "place":
                if (this.running) return refuse("a robot can be placed only while the simulation pauses");
                if (r.joint) this.angle = Number(r.value);
                break;
            case "watch":
                if (own) own.watch = r.channels as string[];
                return say({ columns: r.channels as string[], units: (r.channels as string[]).map(() => "1") });
            case "camera":
                if (own) own.camera = r.sensor !== null;
                break;
            case "script": {
                const at = String(r.text).split("\n").findIndex((l) => l.includes("syntax error"));
                if (at >= 0) return refuse("the script is not valid Lua", [{ severity: "error", file: "robots/pendulum/swing.lua", line: at + 1, text: "unexpected symbol near 'syntax'" }]);
                this.script = String(r.text);
                break;
            }
            case "parameter":
                this.gain = Number(r.value);
                return this.tellControl(say);
            case "command": {
                const { gait, speed } = r.wish as { gait?: string; speed?: number };
                this.gait = gait ?? this.gait;
                this.wished = speed ?? this.wished;
                return this.tellControl(say);
            }
            case "source":
                return say({ text: r.path === "robots/pendulum/swing.lua" ? this.script : `# ${String(r.path)}\nfootfall: 1\n` });
            case "check":
            case "save":
                return say({ messages: [] });
            case "keep":
                return say({ path: `out/${String(r.name)}` });
            default:
                break;
        }
        say({});
        this.tellState();
        this.tellFrames();
    }

    private tellControl(say: (rest: object) => void): void {
        say({ messages: [] });
        this.tellAll({ event: "control", generation: this.generation, robot: 0, ...this.control() });
    }

    private load(r: Verbs["load"], say: (rest: object) => void, refuse: (error: string, messages: object[]) => void): void {
        if (r.scene === "experiments/broken.yaml")
            return refuse("the scene cannot be loaded", [{ severity: "error", file: r.scene, line: 7, column: 3, text: 'key "sped" is not known here; did you mean "speed"?' }]);
        this.path = r.scene;
        this.variant = r.variant ?? "";
        this.generation++;
        this.running = false;
        this.start();
        say({ messages: [] });
        this.tellAll({ event: "scene", ...this.scene() });
        this.tellState();
        this.tellFrames();
    }

    private start(): void {
        this.starts++;
        this.t = 0;
        this.angle = 0.6;
        this.speed = 0;
        this.until = 0;
    }

    private pull(target: number[] | null): void {
        this.until = target ? Infinity : 0;
        if (!target) return;
        const k = 20; // [N/m]
        const [x, z] = this.tip();
        this.force = [k * (target[0] - x), 0, k * (target[2] - z)];
    }

    private tip(): [number, number] {
        return [Math.sin(this.angle), 1.2 - Math.cos(this.angle)];
    }

    private advance(seconds: number): void {
        for (let i = Math.max(1, Math.round(seconds / STEP)); i > 0; i--) {
            const pushed = this.t < this.until ? this.force[0] * Math.cos(this.angle) + this.force[2] * Math.sin(this.angle) : 0;
            this.speed += STEP * (-1.5 * G * Math.sin(this.angle) + 3 * (pushed + 0.05 * this.gain * this.speed));
            this.angle += STEP * this.speed;
            this.t += STEP;
            if (Math.round(this.t / STEP) % 10 === 0) for (const c of this.clients.values()) if (c.watch.length) c.rows.push(this.t, ...c.watch.map((n) => this.value(n)));
        }
    }

    private value(channel: string): number {
        if (channel.endsWith("speed")) return this.speed;
        return channel.startsWith("energy") ? this.speed ** 2 / 6 - 0.5 * G * Math.cos(this.angle) : this.angle;
    }

    private scene(): Scene {
        return {
            generation: this.generation,
            path: this.path,
            title: LIBRARY.scenes.find((s) => s.path === this.path)?.title ?? this.path,
            description: "A rod on a hinge, let go at 34 degrees.",
            text: "footfall: 1\ntitle: A pendulum swings\n",
            variant: this.variant,
            variants: ["heavy", "long"],
            model: MODEL,
            meshes: [],
            time: 10,
            step: STEP,
            method: "rk4",
            effects: { drives: "ideal" },
            robots: [
                {
                    name: "pendulum",
                    prefix: "",
                    body: 1,
                    joints: [0],
                    control: {
                        kind: "lua",
                        path: "robots/pendulum/swing.lua",
                        text: this.script,
                        ...this.control(),
                    },
                },
            ],
            channels: [
                { name: "joints.swing.pos", unit: "rad", columns: [""] },
                { name: "joints.swing.speed", unit: "rad/s", columns: [""] },
                { name: "energy.total", unit: "J", columns: [""] },
            ],
            sensors: [{ name: "eye", kind: "camera", body: 1 }],
            cameras: ["eye"],
            messages: [],
        };
    }

    // As a gait of the program: the slower one halves the range.
    private control(): { commands: Command[]; parameters: Parameter[] } {
        const most = this.gait === "wave" ? 0.1 : 0.2;
        return {
            commands: [
                { key: "gait", choices: ["tripod", "wave"], value: this.gait },
                { key: "speed", unit: "m/s", low: -most, high: most, value: this.wished },
            ],
            parameters: [{ name: "gain", unit: "N m s/rad", low: 0, high: 10, value: this.gain }],
        };
    }

    private frame(client: Client): ArrayBuffer {
        const [x, z] = this.tip();
        const pushed = this.t < this.until;
        const rows = client.rows.splice(0);
        return frameBytes({ flags: this.running ? 1 : 0, generation: this.generation, number: this.number, t: this.t, rtf: this.running ? this.pace || 20 : NaN, starts: this.starts }, [
            [1, 1, [this.angle]],
            [2, 10, [0.3, 0.1, 0, 0, 1, 8, 0, 1, -1, 0, 0.3, -0.1, 0, 2, 0, 6, 1, 1, -1, 0, 0, 0, 0, 0, 0, 5, 0, 1, -1, 0]],
            [3, 4, [0, 0.5 * x, 0, 1.2 - 0.5 * Math.cos(this.angle)]],
            [4, 7, pushed ? [1, x, 0, z, ...this.force] : []],
            [5, 7, [0, 0, 1.2, x, 0, z, 1]],
            [6, 1 + client.watch.length, rows],
            [7, 8, [this.angle > 0 ? 1 : 0, 0, 0, 10, 9.8, ...(this.angle > 0 ? [0.3, 0, 0] : [NaN, NaN, NaN])]],
        ]);
    }

    private tellFrames(): void {
        this.number++;
        for (const client of this.clients.values()) {
            client.say(this.frame(client));
            if (client.camera && this.number % 4 === 0) client.say(pictureBytes(this.generation, this.t));
        }
    }

    private tellState(): void {
        this.tellAll({
            event: "state",
            generation: this.generation,
            starts: this.starts,
            t: this.t,
            running: this.running,
            pace: this.pace,
            ended: null,
            rtf: this.running ? this.pace || 20 : null,
            recorded_s: this.t,
            clients: this.clients.size,
        });
    }

    private tellAll(event: object): void {
        const text = JSON.stringify(event);
        for (const client of this.clients.values()) client.say(text);
    }
}
