// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A program that speaks the protocol of the studio without being one: a pendulum (a rod of 1 m and 1 kg on a hinge, theta'' = -1.5 g sin(theta)) over a foot that touches the ground, so
// that tests and people who work on the page (tools/fake_program.mjs) have something that moves. Time goes on by `tick`.
import { type Command, type Events, FRAME_HEAD, FRAME_MAGIC, FRAME_VERSION, type Library, type Model, type Parameter, PICTURE_HEAD, PICTURE_MAGIC, type Requests, type Scene, SECTION_HEAD } from "../src/core/protocol";
import type { Head } from "../src/studio/frames";
import type { Verb } from "../src/studio/link";

export const G = 9.81;
const STEP = 1e-3; // [s]
const SCRIPT = `-- swings the pendulum
local gain = param("gain", 2, {low = 0, high = 10, unit = "N m s/rad"})
function step(robot, t)
    robot.effort("swing", gain * robot.speed("swing"))
end
`;

const WRITE = {
    u16: (view: DataView, at: number, x: number) => view.setUint16(at, x, true),
    u32: (view: DataView, at: number, x: number) => view.setUint32(at, x, true),
    f32: (view: DataView, at: number, x: number) => view.setFloat32(at, x, true),
    f64: (view: DataView, at: number, x: number) => view.setFloat64(at, x, true),
};
function writeHead<H extends Head>(head: H, view: DataView, from: number, values: Partial<Record<keyof H["numbers"], number>>): void {
    for (const [name, [type, at]] of Object.entries(head.numbers)) WRITE[type](view, from + at, (values as Record<string, number | undefined>)[name] ?? 0);
}

/** Bytes of a frame with sections of rows. */
export function frameBytes(head: Partial<Record<keyof (typeof FRAME_HEAD)["numbers"], number>>, sections: [tag: number, width: number, data: number[]][]): ArrayBuffer {
    const size = FRAME_HEAD.bytes + sections.reduce((sum, [, , d]) => sum + SECTION_HEAD.bytes + 4 * d.length, 0);
    const view = new DataView(new ArrayBuffer(size));
    writeHead(FRAME_HEAD, view, 0, { magic: FRAME_MAGIC, version: FRAME_VERSION, generation: 1, rtf: NaN, sections: sections.length, ...head });
    let at: number = FRAME_HEAD.bytes;
    for (const [tag, width, data] of sections) {
        writeHead(SECTION_HEAD, view, at, { tag, width, count: width ? data.length / width : 0 });
        at += SECTION_HEAD.bytes;
        for (const x of data) {
            view.setFloat32(at, x, true);
            at += 4;
        }
    }
    return view.buffer;
}

function pictureBytes(generation: number, t: number): ArrayBuffer {
    const [width, height] = [32, 24];
    const buffer = new ArrayBuffer(PICTURE_HEAD.bytes + 3 * width * height);
    writeHead(PICTURE_HEAD, new DataView(buffer), 0, { magic: PICTURE_MAGIC, version: FRAME_VERSION, generation, width, height, t });
    for (let i = 0; i < width * height; i++) new Uint8Array(buffer).set([(8 * i) % 256, (100 * t) % 256, 128], PICTURE_HEAD.bytes + 3 * i);
    return buffer;
}

const INERTIA = [0, 0, 0, 0, 0, 0];
const ALONG_Z = [1, 0, 0, 0];
const PAINT = [0.35, 0.45, 0.6, 1];
const MODEL: Model = {
    footfall_model: 1,
    name: "pendulum",
    nq: 1,
    nv: 1,
    mass: 1,
    gravity: [0, 0, -G],
    q0: [0.6],
    meshes: [],
    // The hinge turns about y: its z axis lies along -y of the world, x ahead.
    nodes: [{ type: "hinge", parent: -1, qadr: 0, vadr: 0, ref: 0, pos: [0, 0, 1.2], rotation: [1, 0, 0, 0, 0, -1, 0, 1, 0], mass: 1, first_moment: [0, -0.5, 0], inertia_origin: INERTIA }],
    bodies: [
        { name: "stand", parent: -1, node: -1, pos: [0, 0, 0], quat: ALONG_Z, mass: 0, com: [0, 0, 0], inertia: INERTIA },
        { name: "rod", parent: 0, node: 0, pos: [0, 0, 0], quat: ALONG_Z, mass: 1, com: [0, -0.5, 0], inertia: INERTIA },
    ],
    joints: [
        {
            ...{ name: "swing", type: "hinge", body: 1, qadr: 0, vadr: 0, axis: [0, 0, 1], pos: [0, 0, 0], limited: true, range: [-3, 3] },
            ...{ stiffness: 0, spring_ref: 0, damping: 0, dry_friction: 0, armature: 0, effort: null, speed: null },
        },
    ],
    geoms: [
        { name: "ground", body: -1, shape: "plane", size: [0, 0, 0], mesh: -1, pos: [0, 0, 0], quat: ALONG_Z, rgba: [1, 1, 1, 1], role: "both", group: 0 },
        { name: null, body: 0, shape: "cylinder", size: [0.03, 0.6, 0], mesh: -1, pos: [0, 0.12, 0.6], quat: ALONG_Z, rgba: [0.6, 0.62, 0.66, 1], role: "both", group: 0 },
        { name: null, body: 1, shape: "capsule", size: [0.04, 0.46, 0], mesh: -1, pos: [0, -0.5, 0], quat: [Math.SQRT1_2, Math.SQRT1_2, 0, 0], rgba: PAINT, role: "both", group: 0 },
    ],
    frames: [{ name: "tip", body: 1, pos: [0, -1, 0], quat: ALONG_Z }],
    legs: [{ name: "T", joints: [0], frame: 0, radius: 0.04, force: null, touch: null }],
    limbs: [{ name: "T", kind: "foot", body: 1, pos: [0, -1, 0], quat: ALONG_Z, radius: 0.04, bodies: [] }],
};

const LIBRARY: Library = {
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
    runs: [{ name: "pendulum-1", title: "A pendulum swings", time: 5, outcome: "finished", bytes: 120_000, saved: 1_760_000_000, report: true }],
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
    private commanded = 0; // speed
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
        if (this.generation > 0) say(JSON.stringify(this.scene()));
        this.sendState();
        if (this.generation > 0) say(this.frame(this.clients.get(client) as Client));
        return client;
    }

    leave(client: number): void {
        this.clients.delete(client);
        this.sendState();
    }

    receive(client: number, text: string): void {
        const request = JSON.parse(text) as Request;
        this.asked.push(request);
        const say = (rest: object): void => this.clients.get(client)?.say(JSON.stringify({ id: request.id, ok: true, messages: [], ...rest }));
        this.answer(client, request, say);
    }

    /** Goes on by real seconds and sends it to all. */
    tick(dt: number): void {
        if (!this.running) return;
        this.advance(dt * (this.pace || 20));
        this.sendFrames();
        if (Math.floor(this.t * 4) !== Math.floor((this.t - dt) * 4)) this.sendState();
    }

    private answer(client: number, r: Request, say: (rest: object) => void): void {
        const own = this.clients.get(client);
        const refuse = (error: string, messages: object[] = []): void => say({ ok: false, error, messages });
        switch (r.do) {
            case "list":
                return say(LIBRARY);
            case "load":
                return this.load(r as unknown as Requests["load"], say, refuse);
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
                this.sendAll({ event: "pushed", t: this.t, body: Number(r.body), point: r.point as number[], force: r.force as number[], seconds: Number(r.seconds) });
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
                return this.sendControl(say);
            case "command": {
                const { gait, speed } = r.command as { gait?: string; speed?: number };
                this.gait = gait ?? this.gait;
                this.commanded = speed ?? this.commanded;
                return this.sendControl(say);
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
        this.sendState();
        this.sendFrames();
    }

    private sendControl(say: (rest: object) => void): void {
        say({ messages: [] });
        this.sendAll({ event: "control", generation: this.generation, robot: 0, ...this.control() });
    }

    private load(r: Requests["load"], say: (rest: object) => void, refuse: (error: string, messages: object[]) => void): void {
        if (r.scene === "experiments/broken.yaml")
            return refuse("the scene cannot be loaded", [{ severity: "error", file: r.scene, line: 7, column: 3, text: 'key "sped" is not known here; did you mean "speed"?' }]);
        this.path = r.scene;
        this.variant = r.variant ?? "";
        this.generation++;
        this.running = false;
        this.start();
        say({ messages: [] });
        this.sendAll(this.scene());
        this.sendState();
        this.sendFrames();
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
            event: "scene",
            generation: this.generation,
            path: this.path,
            kind: "scene",
            title: LIBRARY.scenes.find((s) => s.path === this.path)?.title ?? this.path,
            description: "A rod on a hinge, released at 34 degrees.",
            text: "footfall: 1\ntitle: A pendulum swings\n",
            unsaved: false,
            variant: this.variant || null,
            set: [],
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
                    path: "robots/pendulum/pendulum.yaml",
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
            sensors: [{ name: "eye", kind: "camera", body: 1, pos: [0, 0, 0] }],
            cameras: ["eye"],
            messages: [],
        };
    }

    // As a gait of the program: the slower one halves the range.
    private control(): { commands: Command[]; parameters: Parameter[] } {
        const most = this.gait === "wave" ? 0.1 : 0.2;
        return {
            commands: [
                { key: "gait", unit: "", choices: ["tripod", "wave"], value: this.gait },
                { key: "speed", unit: "m/s", low: -most, high: most, value: this.commanded },
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
            [3, 12, [0, 0.5 * x, 0, 1.2 - 0.5 * Math.cos(this.angle), ...(this.angle > 0 ? [0.3, 0, 0, 0.4, 0, 0] : Array.from({ length: 6 }, () => NaN)), NaN, NaN]],
            [4, 7, pushed ? [1, x, 0, z, ...this.force] : []],
            [5, 7, [0, 0, 1.2, x, 0, z, 1]],
            [6, 1 + client.watch.length, rows],
            [7, 15, [this.angle > 0 ? 1 : 0, 0, 0, 10, 9.8, ...(this.angle > 0 ? [0.3, 0, 0] : [NaN, NaN, NaN]), 0, 0, 0.2, NaN, NaN, NaN, NaN]],
        ]);
    }

    private sendFrames(): void {
        this.number++;
        for (const client of this.clients.values()) {
            client.say(this.frame(client));
            if (client.camera && this.number % 4 === 0) client.say(pictureBytes(this.generation, this.t));
        }
    }

    private sendState(): void {
        this.sendAll({
            event: "state",
            generation: this.generation,
            starts: this.starts,
            t: this.t,
            running: this.running,
            pace: this.pace,
            ended: null,
            rtf: this.running ? this.pace || 20 : 0,
            recorded_s: this.t,
            recording: this.generation > 0,
            clients: this.clients.size,
        });
    }

    private sendAll(event: Events[keyof Events]): void {
        const text = JSON.stringify(event);
        for (const client of this.clients.values()) client.say(text);
    }
}
