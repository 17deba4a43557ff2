# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests share: files of the tree, a pendulum, a dog on its feet."""
import os
import pathlib
import signal

import footfall as ff
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SANITIZED = bool(os.environ.get("FOOTFALL_SANITIZED"))  # long proofs are shorter then

# A shell starts what runs in the background with Ctrl-C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)


def lasts(whole, part):
    """How long a proof lasts: the whole, or the part that leads sanitizers along every path (CHECK_LASTS in C)."""
    return part if SANITIZED else whole


def pendulum(damping=0.0, length=0.5, mass=2.0):
    """A point of `mass` [kg] on a rod of `length` [m]."""
    spec = ff.Spec("pendulum")
    spec.add_body("bob", mass=mass, com=[0, 0, -length])
    spec.add_joint("swing", "bob", "hinge", axis=[0, 1, 0], damping=damping)
    return spec.compile()


@pytest.fixture(scope="session")
def dog():
    return ff.load_model(ROOT / "examples" / "dog.yaml")


@pytest.fixture(scope="session")
def anton():
    return ff.load_model(ROOT / "robots" / "anton" / "anton.yaml", drives=True, sensors=True)


def hold(sim, kp=80.0, kd=1.5):
    """PD torques that hold the joints of the dog where its keyframe has them; its trunk comes first."""
    q, _ = sim.model.key("stand")
    torques = sim.torques.copy()
    torques[6:] = kp * (q[7:] - sim.q[7:]) - kd * sim.v[6:]
    sim.torques = torques
