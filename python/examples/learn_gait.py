# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""ANTON finds a gait of its own: cross-entropy search over thousands of robots at once, then a walk with all effects.

    PYTHONPATH=build/release/python /usr/bin/python3 python/examples/learn_gait.py [--searches N] [--first SEED] ..

A gait has six numbers: ordered speed, period, lift, how far feet stand beside their hips, height, duty. A search tries
256 gaits at a time, each on eight robots that differ in friction, mass, stiffness of the ground and gains of the
servos, and goes on around the best eighth. The score is the cost of transport, estimated from torques and speeds of the
joints, for at least the speed of the gait made by hand. Then both gaits walk in learn_gait.yaml, with motors, gears
and their backlash, sensors and bus: this file is the controller there, too. docs/batch.md has the results.
"""
import numpy as np

NAMES = ("speed", "period", "lift", "side", "height", "duty")
UNITS = ("m/s", "s", "m", "m", "m", "")
HAND = np.array([0.10, 1.2, 0.030, 0.140, 0.1064, 0.5])  # python/examples/tripod.py
LOW = np.array([0.05, 0.5, 0.010, 0.110, 0.0900, 0.5])
HIGH = np.array([0.20, 2.0, 0.040, 0.170, 0.1250, 0.7])

COXA, FEMUR, TIBIA = 0.05, 0.10, 0.15  # [m] as in robots/anton/anton.yaml
LEGS = ("FL", "FR", "ML", "MR", "RL", "RR")
FIRST = ("FL", "MR", "RL")  # the tripod that swings first
RAMP = 1.0  # in which strides grow to their length [s]


# The gait -------------------------------------------------------------------------------------------------------------


def leg_angles(x, side, z):
    """Joint angles that put a foot x ahead of, `side` beside and z above its hip; the knee is up."""
    r = np.hypot(x, side) - COXA
    far = np.clip(np.hypot(r, z), TIBIA - FEMUR + 1e-3, TIBIA + FEMUR - 1e-3)  # what cannot be reached is left out
    tibia = -np.arccos((far**2 - FEMUR**2 - TIBIA**2) / (2 * FEMUR * TIBIA))
    femur = np.arctan2(z, r) + np.arccos((far**2 + FEMUR**2 - TIBIA**2) / (2 * FEMUR * far))
    return np.stack([np.arctan2(x, side), femur, tibia], axis=-1)


def leg_targets(gait, t, second):
    """Angles of a leg at the time t; `second`: of the tripod that swings later. Gaits are columns, or one of each."""
    speed, period, lift, side, height, duty = gait
    grown = min(1.0, t / RAMP)
    phase = (t / period + (0.5 if second else 0.0)) % 1.0
    stride, swing = grown * speed * period * duty, 1.0 - duty
    u, s = phase / swing, (phase - swing) / duty  # parts of swing and of stance that are over
    flies = phase < swing
    x = stride * np.where(flies, u * u * (3 - 2 * u) - 0.5, 0.5 - s)
    z = np.where(flies, grown * lift * np.sin(np.pi * np.clip(u, 0, 1)), 0.0) - height
    return leg_angles(x, side, z)


# The controller of learn_gait.yaml ------------------------------------------------------------------------------------


def start(robot):
    global gait, legs
    gait = [robot.parameters[name] for name in NAMES]
    legs = robot.legs


def cycle(t, sensors, references):
    for leg in legs:
        for joint, angle in zip(leg.joints, leg_targets(gait, t, leg.name not in FIRST)):
            references[joint + ".position"] = float(angle)


# The search -----------------------------------------------------------------------------------------------------------

STIFFNESS, DAMPING = 60.0, 1.0  # of the servos [N m/rad, N m s/rad]
PERIOD = 0.01  # of new targets [s]
GAITS, ROBOTS, ROUNDS = 256, 8, 8  # robots of each gait
BEGIN, END = 2.0, 5.0  # of what counts [s]
MASS = 5.0  # of ANTON [kg], for the cost of transport
EFFICIENCY = 0.6  # of its gears
POWER = {"coxa": 8.68, "femur": 8.68, "tibia": 2.8}  # of its motors [W]
GEAR = {"coxa": 251, "femur": 251, "tibia": 390}
NO_LOAD = 1200.0  # [rad/s]

SCENE = """footfall: 1
robot: {robot}
start: {{pose: stand}}
place: {{settle: true}}
terrain: [{{plane: {{material: lab-floor}}}}]
control: {{hold: {{stiffness: {stiffness}, damping: {damping}}}}}
solver: {{method: euler, step: 5e-4}}
"""
SPREAD = {"friction": (0.6, 1.2), "mass": (0.9, 1.1), "contact_stiffness": (0.7, 1.3), "gain": (0.8, 1.2)}


class Robots:
    """A batch of ANTON whose legs follow a gait each."""

    def __init__(self, gaits, seed):
        import footfall as ff
        from footfall.env import find_robot

        text = SCENE.format(robot=find_robot("anton/anton.yaml"), stiffness=STIFFNESS, damping=DAMPING)
        self.batch = ff.Batch(ff.Scene.from_text(text), len(gaits), seed=seed, spread=SPREAD, least_height=0.06)
        self.gaits = gaits.T
        names = self.batch.servos
        self.columns = {leg: [names.index(f"{leg}_{part}") for part in POWER] for leg in LEGS}
        model = ff.load_model(find_robot("anton/anton.yaml"))
        joints = [model.joint(name) for name in names]
        self.q, self.v = [j.qadr for j in joints], [j.vadr for j in joints]
        # Heat of a motor that holds a joint torque: (torque / stall)^2 of the power that its coil takes at stall.
        self.stall, self.coil = np.full(len(names), np.inf), np.zeros(len(names))
        for leg in LEGS:
            for column, part in zip(self.columns[leg], POWER):
                self.stall[column] = 4 * POWER[part] / NO_LOAD * GEAR[part] * EFFICIENCY
                self.coil[column] = 4 * POWER[part]

    def power(self):
        """What the motors take [W], without what they give back; by the gains before they were spread."""
        b = self.batch
        q, v = b.q[:, self.q], b.v[:, self.v]
        torque = b.torque + STIFFNESS * (b.position - q) + DAMPING * (b.speed - v)
        return (np.maximum(torque * v, 0.0) / EFFICIENCY + self.coil * (torque / self.stall) ** 2).sum(axis=1)

    def walk(self):
        """@return speed [m/s], drift over way, cost of transport, who fell"""
        b, energy, place = self.batch, 0.0, None
        for k in range(round(END / PERIOD)):
            t = k * PERIOD
            if place is None and t >= BEGIN:
                place = b.q[:, :2].copy()
            for leg, columns in self.columns.items():
                now = leg_targets(self.gaits, t, leg not in FIRST)
                b.speed[:, columns] = (leg_targets(self.gaits, t + PERIOD, leg not in FIRST) - now) / PERIOD
                b.position[:, columns] = now
            b.step(round(PERIOD / b.timestep))
            if place is not None:
                energy = energy + self.power() * PERIOD
        way = b.q[:, :2] - place
        ahead = np.maximum(way[:, 0], 1e-3)
        return way[:, 0] / (END - BEGIN), np.abs(way[:, 1]) / ahead, energy / (MASS * 9.81 * ahead), b.ended > 0


def score(gaits, seed):
    """Of each gait, the mean over its robots: lower is better."""
    speed, drift, cost, fell = Robots(np.repeat(gaits, ROBOTS, axis=0), seed).walk()
    slow = np.maximum(0.0, 1.0 - speed / HAND[0])
    each = np.where(fell, 50.0, np.minimum(cost, 30.0) + 20.0 * slow + 2.0 * drift)
    return each.reshape(-1, ROBOTS).mean(axis=1)


def search(seed):
    """Six numbers around which the best gaits lie."""
    random = np.random.default_rng(seed)
    middle, width = (LOW + HIGH) / 2, (HIGH - LOW) / 3
    for turn in range(ROUNDS):
        gaits = np.clip(middle + width * random.standard_normal((GAITS, len(NAMES))), LOW, HIGH)
        scores = score(gaits, seed=1000 * seed + turn)
        order = np.argsort(scores)[:max(GAITS // 8, 2)]
        best = gaits[order]
        middle, width = best.mean(axis=0), np.maximum(best.std(axis=0), 0.01 * (HIGH - LOW))
        print(f"  round {turn + 1:2}: best {scores.min():.3f}, best eighth {scores[order].mean():.3f}",
              flush=True)
    return middle


# What it is worth -----------------------------------------------------------------------------------------------------


def walk_with_all_effects(gait, seed):
    """@return speed [m/s] and cost of transport in learn_gait.yaml"""
    import pathlib

    import footfall as ff

    scene = pathlib.Path(__file__).with_name("learn_gait.yaml")
    parameters = {f"control.parameters.{name}": float(value) for name, value in zip(NAMES, gait)}
    run = ff.Scene(scene, overrides=parameters).run(seed=seed, allow=["python"])
    return run.metrics["walk.speed.mean"], run.metrics["walk.cot"], run.metrics["walk.falls"]


def measure(title, gait, seed):
    speed, cost, falls = walk_with_all_effects(gait, seed)
    numbers = ", ".join(f"{n} {v:.3f} {u}".strip() for n, v, u in zip(NAMES, gait, UNITS))
    print(f"{title}: {numbers}\n  with all effects: {speed:.4f} m/s, cost of transport {cost:.3f}, falls {falls:g}",
          flush=True)
    return speed, cost


def main(searches, first):
    measure("by hand", HAND, seed=1)
    found = []
    for seed in range(first, first + searches):
        print(f"search {seed}", flush=True)
        found.append(measure(f"search {seed}", search(seed), seed=seed))
    speeds, costs = np.array(found).T
    print(f"{searches} searches: speed {speeds.min():.4f} to {speeds.max():.4f} m/s, "
          f"cost of transport {costs.min():.3f} to {costs.max():.3f}, mean {costs.mean():.3f}")


def count(text):
    if int(text) < 1:
        raise ValueError
    return int(text)


if __name__ == "__main__":
    import argparse

    options = argparse.ArgumentParser()
    options.add_argument("--searches", type=count, default=1, help="each with a seed of its own")
    options.add_argument("--first", type=count, default=1, help="seed of the first")
    options.add_argument("--gaits", type=count, default=GAITS, help="tried in a round")
    options.add_argument("--robots", type=count, default=ROBOTS, help="on which each gait is tried")
    given = options.parse_args()
    GAITS, ROBOTS = given.gaits, given.robots
    main(given.searches, given.first)
