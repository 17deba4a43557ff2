# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""ANTON walks in tripod gait: the controller of robots/anton/tripod.lua, line by line in Python.

Front and rear leg of one side and the middle leg of the other stand while the other three swing. A foot that stands
goes back under the body at the walking speed, one that swings goes ahead along half a sine. tripod.yaml beside this
file runs it; docs/controllers.md explains the rest.
"""

from math import acos, atan2, pi, sin, sqrt

COXA, FEMUR, TIBIA = 0.05, 0.10, 0.15  # [m] as in anton.yaml
SIDE, HEIGHT = 0.14, 0.1064  # foot beside and below its hip [m]
FIRST = {"FL", "MR", "RL"}  # the tripod that swings first
STEP, LIFT = 1.2, 0.03  # a whole cycle [s], of a foot that swings [m]

memory = {"phase": 0.0, "speed": 0.0, "command": 0.0}  # saved with the simulation, recorded as control.phase and so on


def start(robot):
    global period, legs
    memory["command"] = robot.parameters.get("speed", 0.1)
    period, legs = robot.period, robot.legs


def command(t, values):
    memory["command"] = values["speed"]


def angles(x, z):
    """Joint angles that put the foot x ahead of, SIDE beside and z above its hip; the knee is up."""
    r = sqrt(x * x + SIDE * SIDE) - COXA
    d2 = r * r + z * z
    tibia = -acos((d2 - FEMUR * FEMUR - TIBIA * TIBIA) / (2 * FEMUR * TIBIA))
    femur = atan2(z, r) + acos((d2 + FEMUR * FEMUR - TIBIA * TIBIA) / (2 * FEMUR * sqrt(d2)))
    return atan2(x, SIDE), femur, tibia


def foot(phase, stride, up):
    """Where a foot is at its phase: 0 to 0.5 it swings, 0.5 to 1 it stands."""
    if phase >= 0.5:
        return stride * (1.5 - 2 * phase), 0.0
    u = 2 * phase
    return stride * (u * u * (3 - 2 * u) - 0.5), up * sin(pi * u)


def cycle(t, sensors, references):
    m = memory
    m["speed"] += (m["command"] - m["speed"]) * min(1, period / 0.5)  # no jumps
    m["phase"] = (m["phase"] + period / STEP) % 1
    up = LIFT * min(1, abs(m["speed"]) / 0.01)  # standing still, feet stay down
    for leg in legs:
        x, z = foot((m["phase"] + (0 if leg.name in FIRST else 0.5)) % 1, m["speed"] * STEP / 2, up)
        for joint, angle in zip(leg.joints, angles(x, z - HEIGHT)):
            references[joint + ".position"] = angle
