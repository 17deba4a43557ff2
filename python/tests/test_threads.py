# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Threads, signals, fork, batches, and memory that does not grow."""
import gc
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import footfall as ff
import numpy as np
import pytest
from conftest import ROOT, SANITIZED, pendulum

LONG = 200.0  # [s], many seconds of work: nobody gets there


def test_other_threads_go_on_and_a_second_one_is_refused():
    sim = ff.Sim(pendulum(), "rk4", 1e-5, contacts=False)
    sim.q = [1.0]
    reached = []
    thread = threading.Thread(target=lambda: reached.append(sim.run(LONG)))
    thread.start()
    while sim.q[0] == 1.0:  # views can be read meanwhile
        time.sleep(0.001)
    counted = 0
    until = time.monotonic() + 0.05
    while time.monotonic() < until:
        counted += 1
    assert counted > 100
    for use in (sim.step, sim.save, sim.mass_matrix, sim.close, lambda: sim.feet, lambda: setattr(sim, "q", [0.0]),
                lambda: ff.run_batch([sim], 1.0)):
        with pytest.raises((ff.Busy, ff.BadArgument), match="another thread"):
            use()
    check_fork_of_running(sim)
    sim.stop()
    thread.join()
    assert reached == [False] and 0.0 < sim.time < LONG
    assert sim.run(sim.time + 1e-3)  # and it goes on


def check_fork_of_running(sim):
    """In the child nobody runs it, and nobody ever will: it is refused there, too."""
    child = os.fork()
    if child == 0:
        try:
            sim.step()
            os._exit(1)
        except ff.Busy:
            os._exit(0)
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_an_idle_simulation_is_copied_by_fork(dog):
    sim = ff.Sim(dog, key="stand")
    sim.run(0.01)
    child = os.fork()
    if child == 0:
        sim.run(0.02)
        os._exit(sim.hash % 251)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    sim.run(0.02)
    assert code == sim.hash % 251


INTERRUPT = """
import signal, sys, time, threading, os
sys.path.insert(0, {tests!r})
import footfall as ff
from conftest import pendulum
sims = [ff.Sim(pendulum(), "rk4", 1e-5, contacts=False) for _ in range(3)]
for sim in sims: sim.q = [1.0]
sent = []
def send():
    time.sleep(0.3)
    sent.append(time.process_time())  # whatever else the machine does
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=send).start()
try:
    {call}
except KeyboardInterrupt:
    print(time.process_time() - sent[0])
sims[0].run(sims[0].time + 1e-3)  # and it goes on
"""


@pytest.mark.parametrize("call", ["sims[0].run(500.0)", "ff.run_batch(sims, 500.0, threads=2)"])
def test_an_interrupt_acts_within_a_fifth_of_a_second(call):
    code = INTERRUPT.format(tests=os.path.dirname(__file__), call=call)
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert said.returncode == 0, said.stderr
    assert float(said.stdout) < (1.0 if SANITIZED else 0.2)  # [s]


# A plate on a thousand balls, 1.9 m above the floor on which it is to settle.
BALLS = "\n".join(f"      - {{sphere: 0.01, pos: [{0.1 * (i % 40)}, {0.1 * (i // 40)}, -0.1]}}" for i in range(1000))
PLATE = f"""footfall: 1
name: plate
bodies:
  plate:
    joint: {{name: root, type: free}}
    inertial: {{mass: 2, com: [2, 1.2, 0], inertia: [0.2, 0.2, 0.3]}}
    shapes:
{BALLS}
"""
SETTLE = "footfall: 1\nrobot: plate.yaml\nplace: {pos: [0, 0, 1.9], settle: true}\nterrain: [{plane: {}}]\n"

# Boxes within each other and in a floor as hard as stone: the first step is cut into pieces without success.
BOXES = "".join(f"  - {{box: [0.2, 0.1, 0.05], mass: 1, material: stone, rpy: [{0.3 * i}, 0.2, 0],"
                f" pos: [{0.02 * (i % 5)}, {0.02 * (i // 5)}, 0.05]}}\n" for i in range(150))
HARD = f"""footfall: 1
materials: {{stone: {{normal: {{law: hunt-crossley, stiffness: 1e8, restitution: 0.5, speed: 1}}}}}}
terrain: [{{plane: {{material: stone}}}}]
objects:
{BOXES}solver: {{method: implicit, step: 20 ms}}
time: 1
"""

WORK = """
import signal, time, threading, os
import footfall as ff
sent = []
def send():
    time.sleep(0.5)
    sent.append(time.process_time())  # whatever else the machine does
    os.kill(os.getpid(), signal.SIGINT)
def begin(): threading.Thread(target=send).start()
{before}
try:
    {call}
except KeyboardInterrupt:
    print(time.process_time() - sent[0])
{after}
"""


@pytest.mark.parametrize("before, call, after", [
    ("begin()", "ff.Run(ff.Scene('settle.yaml'))", ""),
    ("sim = ff.Run(ff.Scene('hard.yaml'), record=False).sim; start = sim.hash; begin()", "sim.step()",
     "assert sim.time == 0.0 and sim.hash == start"),
])
def test_an_interrupt_ends_a_load_and_a_step(tmp_path, before, call, after):
    (tmp_path / "plate.yaml").write_text(PLATE)
    (tmp_path / "settle.yaml").write_text(SETTLE)
    (tmp_path / "hard.yaml").write_text(HARD)
    said = subprocess.run([sys.executable, "-W", "ignore", "-c", WORK.format(before=before, call=call, after=after)],
                          capture_output=True, text=True, timeout=100, check=False, cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    assert float(said.stdout) < (1.0 if SANITIZED else 0.2)  # [s]


def test_an_exception_of_a_signal_handler_comes_out(dog):
    sim = ff.Sim(pendulum(), "rk4", 1e-5, contacts=False)

    def ring(number, frame):
        raise TimeoutError("rang")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(TimeoutError, match="rang"):
            sim.run(500.0)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_batch_gives_the_bits_of_single_runs(dog):
    def make(count):
        sims = [ff.Sim(dog, key="stand") for _ in range(count)]
        for i, sim in enumerate(sims):
            sim.v = np.full(dog.nv, 0.01 * i)
        return sims

    alone = make(6)
    for sim in alone:
        sim.run(0.05)
    for threads in (1, 2, 0):
        together = make(6)
        assert ff.run_batch(together, 0.05, threads) == [True] * 6
        assert [sim.hash for sim in together] == [sim.hash for sim in alone]
    assert ff.run_batch([], 1.0) == []


def test_a_batch_goes_on_where_one_fails():
    sims = [ff.Sim(pendulum(), "euler", contacts=False) for _ in range(3)]
    sims[1].v = [1e9]
    with pytest.raises(ff.Diverged, match="simulation 1"):
        ff.run_batch(sims, 0.1)
    assert sims[0].time == sims[2].time == pytest.approx(0.1)


def used():
    """Memory of the process in use [byte]."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_memory_is_flat_and_nothing_leaks(dog):
    spec = ff.Spec.load(ROOT / "examples" / "dog.yaml")

    def round_trip():
        sim = ff.Sim(dog, key="stand")
        q = sim.q
        sim.step()
        sim.mass_matrix(), sim.contacts, sim.feet, sim.energy
        sim.restore(sim.save())
        try:
            sim.apply("nobody")
        except ff.NotFound:
            pass
        sim.close()
        assert q is not None
        spec.body("trunk").mass
        spec.compile()

    rounds = 20 if SANITIZED else 3000
    for _ in range(rounds // 10 + 50):  # allocators find their size
        round_trip()
    gc.collect()
    blocks, before = sys.getallocatedblocks(), used()
    for _ in range(rounds):
        round_trip()
    gc.collect()
    assert sys.getallocatedblocks() - blocks < 50
    if not SANITIZED:  # which keeps what was freed
        assert used() - before < 200 * rounds  # [byte]; a simulation of the dog has more than 100 kB
