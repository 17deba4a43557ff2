// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Balance of a robot on its feet, for live views and reports: its support polygon from the loaded points, centre of pressure, capture point (DCM), and the planned zero
// moment point. A plan has a world of its own, in which the robot began at the origin and never slipped: it is laid onto that of the simulation so that planned feet that
// carry lie where they stand.
import type { Run } from "./document";
import type { Feet, Stance, Walker } from "./feet";
import { hull, type Point } from "./polygon";
import { pointsOf, signalOf } from "./signals";
import { POSE, type PoseSource } from "./poses";
import { multiply } from "./rotation";

type Numbers = Float64Array | Float32Array | number[];

/** Direction of the x axis of a frame turned by q, seen from above [rad]. */
export function headingOf(q: Numbers, i = 0): number {
    const w = q[i], x = q[i + 1], y = q[i + 2], z = q[i + 3];
    return Math.atan2(2 * (x * y + w * z), w * w + x * x - y * y - z * z);
}

/** Pose of a plan in the world, from the feet on the ground. */
export class PlanMap {
    private readonly feet: Float64Array; // share, planned x y, cosine and sine of the turn, x y
    private count = 0;
    private all = 0;

    constructor(private readonly most: number) {
        this.feet = new Float64Array(7 * most);
    }

    begin(): void {
        this.count = 0;
        this.all = 0;
    }

    /** A foot that carries `load`: where it should be (x, y, heading), and where it is. A foot without a planned position is ignored. */
    add(load: number, planX: number, planY: number, planYaw: number, x: number, y: number, yaw: number): void {
        if (!(load > 0) || this.count >= this.most || !Number.isFinite(planX + planY + planYaw + x + y + yaw)) return;
        this.feet.set([load, planX, planY, Math.cos(yaw - planYaw), Math.sin(yaw - planYaw), x, y], 7 * this.count++);
        this.all += load;
    }

    /** A point of the plan in the world, x and y to `out`; false and NaN while no foot carries. */
    place(x: number, y: number, out: Numbers): boolean {
        const { feet } = this;
        out[0] = out[1] = this.count > 0 ? 0 : NaN;
        for (let i = 0; i < 7 * this.count; i += 7) {
            const share = feet[i] / this.all;
            const dx = x - feet[i + 1];
            const dy = y - feet[i + 2];
            out[0] += share * (feet[i + 5] + feet[i + 3] * dx - feet[i + 4] * dy);
            out[1] += share * (feet[i + 6] + feet[i + 4] * dx + feet[i + 3] * dy);
        }
        return Number.isFinite(out[0] + out[1]);
    }
}

/** Balance of one robot over time; null: not recorded. Tracks have 3 numbers a row, NaN while no foot carries. */
export interface Balance {
    cop: Float32Array | null;
    dcm: Float32Array | null;
    /** Planned zero moment point in the world: 2 numbers a row. */
    zmp: Float32Array | null;
}

function vectors(run: Run, name: string): Float32Array | null {
    const channel = run.channel(name);
    return channel?.columns.length === 3 ? channel.data : null;
}

function plannedZmp(run: Run, poses: PoseSource, feet: Feet, walker: Walker): Float32Array | null {
    const model = run.model;
    const first = feet.names[walker.legs[0]];
    const x = first === undefined ? null : signalOf(run, first, ["zmp.plan.x", "zmp.x"]);
    const y = first === undefined ? null : signalOf(run, first, ["zmp.plan.y", "zmp.y"]);
    const { pos, force } = feet;
    if (!model || !x || !y || !pos || !force) return null;
    const plans = walker.legs.map((leg) => ["#.x", "#.y", "#.yaw"].map((n) => signalOf(run, feet.names[leg], [n])));
    if (plans.some((p) => p.some((c) => c === null))) return null;
    const known = walker.legs.every((leg) => poses.known[model.limbs[leg]?.body]);
    const at = new Float64Array(POSE * model.bodies.length);
    const turn = [1, 0, 0, 0];
    const map = new PlanMap(walker.legs.length);
    const out = new Float32Array(2 * run.rows);
    const point = [0, 0];
    for (let row = 0; row < run.rows; row++) {
        if (known) poses.read(row, at);
        map.begin();
        walker.legs.forEach((leg, k) => {
            const i = 3 * (feet.names.length * row + leg);
            const [px, py, yaw] = plans[k].map((c) => c?.[row] ?? NaN);
            const limb = model.limbs[leg];
            if (known) multiply(turn, 0, at, POSE * limb.body + 3, limb.quat, 0);
            map.add(force[i + 2], px, py, yaw, pos[i], pos[i + 1], known ? headingOf(turn) : yaw);
        });
        map.place(x[row], y[row], point);
        out.set(point, 2 * row);
    }
    return out;
}

/** Balance of one of the walkers of a run. */
export function readBalance(run: Run, poses: PoseSource, feet: Feet, walker: Walker): Balance {
    const own = (what: string): Float32Array | null => vectors(run, `balance.${what}`) ?? vectors(run, `balance.${walker.name}.${what}`);
    return { cop: own("cop"), dcm: own("dcm"), zmp: plannedZmp(run, poses, feet, walker) };
}

/** A footstep: position of the foot, times of its stance, and outline of the points that carried. */
export interface Footprint {
    leg: number;
    from: number;
    to: number;
    corners: Point[];
}

const HOP = 0.1; // [s] shorter gaps belong to the same landing, shorter stances are no steps

/** Stances, with the bounces of a landing joined. */
function steps(stances: Stance[]): Stance[] {
    const out: Stance[] = [];
    for (const s of stances) {
        const last = out.at(-1);
        if (last && s.from - last.to < HOP) last.to = s.to;
        else out.push({ ...s });
    }
    return out.filter((s) => s.to - s.from >= HOP);
}

/** One footprint for each step: the hull of all points that carried in it. */
export function footprints(run: Run, feet: Feet): Footprint[] {
    return (feet.stances ?? []).flatMap((stances, leg) => {
        const sole = feet.soles[leg];
        if (!sole) return [];
        return steps(stances).map(({ from, to }) => {
            const points: Point[] = [];
            const last = run.rowAt(to);
            for (let row = run.rowAt(from); row <= last; row++) points.push(...pointsOf(sole.data, sole.width, row));
            return { leg, from, to, corners: hull(points) };
        });
    });
}
