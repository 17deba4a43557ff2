# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Memory that runs out, at every allocation in turn: a MemoryError, and all goes on afterwards."""

import importlib.util
import os
import subprocess
import sys

import pytest
from conftest import SANITIZED

LIBRARY = os.environ.get("FOOTFALL_REFUSE", "")  # refuse.c, by CMake

# What is done under a shortage. Each returns something by which two runs of it can be compared.
CODE = '''
import ctypes, sys
import footfall as ff
from footfall import _core

ROBOT = """footfall: 1
name: rod
bodies: {rod: {joint: {name: hinge, axis: y, drive: {kind: ideal}}, shapes: [{sphere: 0.05, pos: [0, 0, -0.3]}],
  inertial: {mass: 1, com: [0, 0, -0.3], inertia: [0.1, 0.1, 0.1]}}}
sensors: {tacho: {type: tachometer, joint: hinge, rate: 1000}}
"""
SCENE = """footfall: 1
robot: rod.yaml
control: {callback: test}
terrain: [{plane: {pos: [0, 0, -1]}}]
solver: {method: implicit, step: 1 ms}
time: 0.01
"""
open("rod.yaml", "w").write(ROBOT)
open("scene.yaml", "w").write(SCENE)
model, scene = ff.load_model("rod.yaml", drives=True, sensors=True), ff.Scene("scene.yaml")
team = _core.Team(scene, 2, 0.001, 1)
hold = {"hold": {"stiffness": 1, "damping": 1}}
held = ff.Scene("scene.yaml", control=hold, solver={"method": "euler", "step": 1e-3})


def build():
    spec = ff.Spec("arm")
    spec.add_body("bob", mass=2.0, com=[0, 0, -0.5])
    spec.add_joint("swing", "bob", "hinge", axis=[0, 1, 0])
    spec.add_geom("ball", "bob", "sphere", size=[0.1])
    return spec.compile().mass


def simulate():
    sim = ff.Sim(model, floor=True, ledger=True)
    sim.run(0.003)
    sim.restore(sim.save())
    return sim.hash, sim.feet, len(sim.contacts), sim.energy.total, sim.mass_matrix()[0, 0]


def run_all():
    team.begin([0, 1], [1, 2])
    team.step()
    return team.q.tolist()


def step_batch():
    batch = ff.Batch(held, 3, threads=2, spread={"mass": (0.5, 1)})
    batch.step(2)
    batch.reset([1], [5])
    batch.reset([True, False, False])
    return batch.q.tolist()


WORK = {
    "load": lambda: ff.load_model("rod.yaml", drives=True, sensors=True).nv,
    "build": build,
    "scene": lambda: ff.Scene("scene.yaml").time,
    "simulate": simulate,
    "run": lambda: ff.Run(scene, record=["base", "?q"]).sim.time,
    "team": run_all,
    "batch": step_batch,
    "run_batch": lambda: ff.run_batch([ff.Sim(model), ff.Sim(model)], 0.002, 2),
}


def starve(work, begin, end):
    """Refuses the first, the second, ... allocation of `work`, until there are no more. @return how many raised"""
    work()  # what is made once is there
    wanted, at, raised, calm = work(), 0, 0, 0
    while calm < 40:  # some do without what they were refused
        begin(at)
        try:
            got = work()
            calm += 1
        except MemoryError:
            got, calm, raised = wanted, 0, raised + 1
        finally:
            end()
        assert got == wanted, f"allocation {at}: {got}, not {wanted}"
        at += 1
    return raised
'''

OF_THE_LIBRARY = CODE + '''
hook = ctypes.CDLL(None)
hook.refuse_within.argtypes = [ctypes.c_size_t] * 2
hook.refuse_after.argtypes = [ctypes.c_longlong]
ours = [line.split()[0].split("-") for line in open("/proc/self/maps") if line.rstrip().endswith(sys.argv[1])]
hook.refuse_within(min(int(a, 16) for a, b in ours), max(int(b, 16) for a, b in ours))
for name, work in WORK.items():
    print(name, starve(work, hook.refuse_after, hook.refuse_end))
'''

OF_PYTHON = CODE + '''
import _testcapi

for name, work in WORK.items():
    print(name, starve(work, lambda at: _testcapi.set_nomemory(at, at + 1), _testcapi.remove_mem_hooks))
'''


def run(code, folder, *arguments, **environment):
    package = os.path.dirname(os.path.dirname(sys.modules["footfall"].__file__))
    environment |= {"PYTHONPATH": package, "PYTHONDONTWRITEBYTECODE": "1"}
    said = subprocess.run([sys.executable, "-W", "ignore", "-c", code, *arguments], capture_output=True, text=True,
                          timeout=250, cwd=folder, env=environment, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    refused = {name: int(count) for name, count in (line.split() for line in said.stdout.splitlines())}
    assert len(refused) == 8 and min(refused.values()) > 2, refused  # the shortage is real


@pytest.mark.skipif(SANITIZED or not LIBRARY, reason="needs refuse.c before the allocator of the C library")
def test_an_allocation_of_the_library_is_refused(tmp_path):
    run(OF_THE_LIBRARY, tmp_path, "_core.abi3.so", LD_PRELOAD=LIBRARY)


@pytest.mark.skipif(SANITIZED or not importlib.util.find_spec("_testcapi"), reason="needs Python's _testcapi")
def test_an_allocation_of_python_is_refused(tmp_path):
    run(OF_PYTHON, tmp_path)
