# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Batches: thousands of robots by arrays, and environments made of them."""
import copy
import ctypes
import gc
import sys
import threading
import time

import footfall as ff
import footfall.env
import numpy as np
import pytest
from conftest import ROOT, SANITIZED, lasts

PENDULUM = """footfall: 1
name: pendulum
bodies: {rod: {joint: {name: swing, axis: y}, inertial: {mass: 2, com: [0, 0, -0.5], inertia: [0.01, 0.01, 0.01]}}}
"""
SCENE = """footfall: 1
robot: pendulum.yaml
control: {hold: {stiffness: 20, damping: 1}}
solver: {method: euler, step: 1 ms}
"""


@pytest.fixture
def pendulum(tmp_path):
    (tmp_path / "pendulum.yaml").write_text(PENDULUM)
    (tmp_path / "scene.yaml").write_text(SCENE)
    return ff.Scene(tmp_path / "scene.yaml")


def anton(step=1e-3, **changes):
    return ff.Scene(ROOT / "experiments" / "anton-march.yaml", solver={"method": "euler", "step": step}, **changes)


def test_a_servo_moves_as_its_equation(pendulum):
    """(I + m l^2) q'' = -m g l sin q + k (r - q) - d q', semi-implicit Euler, by hand."""
    batch = ff.Batch(pendulum, 3)
    target = np.array([0.0, 0.3, -0.2])
    batch.position[:, 0] = target
    batch.step(500)
    q, v, inertia = np.zeros(3), np.zeros(3), 0.01 + 2 * 0.5**2
    for _ in range(500):
        v = v + 1e-3 * (-2 * 9.81 * 0.5 * np.sin(q) + 20 * (target - q) - v) / inertia
        q = q + 1e-3 * v
    assert batch.servos == ("swing",) and batch.joints == {"swing": (0, 0)} and batch.timestep == 1e-3
    np.testing.assert_allclose(batch.q[:, 0], q, atol=1e-12)
    np.testing.assert_allclose(batch.v[:, 0], v, atol=1e-12)
    np.testing.assert_allclose(batch.time, 0.5, atol=1e-12)
    assert abs(q[1]) > 0.1 and batch.q[0, 0] == 0


def test_what_robots_drew_can_be_read(pendulum):
    """The load k (r - q) carries at rest says what mass a robot drew: m g l sin q = k (r - q), for each of them."""
    batch = ff.Batch(pendulum, 20, seed=4, spread={"mass.rod": (0.5, 2), "gain": (0.8, 1.2), "start_joints": (0, 0.1)})
    drawn, gain = batch.drawn("mass.rod"), batch.drawn("gain")
    assert drawn.shape == (20,) and drawn.std() > 0.1 and drawn.min() >= 0.5 and drawn.max() <= 2
    np.testing.assert_array_equal(batch.drawn("start_joints"), batch.q[:, 0])
    batch.position[:, 0] = 0.5
    batch.step(30000)
    q = batch.q[:, 0]
    np.testing.assert_allclose(drawn * 2 * 9.81 * 0.5 * np.sin(q), gain * 20 * (0.5 - q), rtol=1e-6)
    before = drawn.copy()
    batch.reset([7])
    np.testing.assert_array_equal(drawn, before)  # a copy
    assert np.flatnonzero(batch.drawn("mass.rod") != before).tolist() == [7]
    with pytest.raises(ff.BadArgument, match="robots draw no 'mass'"):
        batch.drawn("mass")


def test_a_cycle_of_poses_comes_as_late_as_robots_draw():
    """The robot stands at rest until the cycle arrives, and then moves as one that it reached at once."""
    late = ff.Batch(anton(1e-4), 2, spread={"delay": ff.choice([500])})
    prompt = ff.Batch(anton(1e-4), 2)
    stand = prompt.q[:, 7:].copy()
    late.step(500)
    assert np.abs(late.q[:, 7:] - stand).max() < 1e-4
    prompt.step(2000)
    late.step(1500)
    moved = np.abs(prompt.q[:, 7:] - late.q[:, 7:]).max()
    late.step(500)
    assert (late.drawn("delay") == 500).all() and moved > 0.05
    assert np.abs(prompt.q[:, 7:] - late.q[:, 7:]).max() < 1e-4


def test_shapes_do_not_depend_on_how_many_columns_there_are(pendulum, tmp_path):
    """A row for each robot, of no, one or several numbers; what is one number by its nature has one dimension."""
    (tmp_path / "free.yaml").write_text("""footfall: 1
robot: pendulum.yaml
solver: {method: euler, step: 1 ms}
""")
    for robots in (1, 3):
        for formulas in ([], ["age"], ["age", "swing.speed"]):
            batch = ff.Batch(pendulum, robots, observe=formulas)
            assert batch.observation.shape == batch.final.shape == (robots, len(formulas))
            assert batch.position.shape == batch.q.shape == (robots, 1)
            assert batch.reward.shape == batch.ended.shape == batch.time.shape == (robots,)
            batch.step(2, renew=2)
    free = ff.Batch(ff.Scene(tmp_path / "free.yaml"), 2)
    assert free.position.shape == free.speed.shape == free.torque.shape == free.sensors.shape == (2, 0)
    free.step(3)
    assert free.q.shape == (2, 1) and free.servos == ()


def test_targets_are_assigned_as_written(pendulum):
    batch = ff.Batch(pendulum, 3)
    targets = batch.position
    batch.position = [[0.1], [0.2], [0.3]]
    batch.position += 0.1
    batch.speed = 0.5  # of all
    assert batch.position is targets and targets[:, 0].tolist() == [0.1 + 0.1, 0.2 + 0.1, 0.3 + 0.1]
    assert batch.speed.tolist() == [[0.5]] * 3
    for wrong in (np.zeros((2, 2)), "much"):
        with pytest.raises(ValueError):
            batch.position = wrong
    for name in ("position", "q"):
        with pytest.raises(AttributeError):
            delattr(batch, name)
    with pytest.raises(AttributeError):
        batch.q = np.zeros((3, 1))
    batch.step(1)
    assert (batch.v != 0).all()


def test_formulas_end_robots_and_reward_them(pendulum):
    """The way of a joint is the sum of speed times step, of each call; a robot ends where it has come to 0.1 rad."""
    batch = ff.Batch(pendulum, 3, end="swing.position >= 0.1", reward="swing.speed * step")
    batch.position[:, 0] = [0.0, 0.3, 0.6]
    for _ in range(3):
        before = batch.q[:, 0].copy()
        batch.step(100)
        np.testing.assert_allclose(batch.reward, batch.q[:, 0] - before, atol=1e-15)
    assert batch.ended.tolist() == [0, 3, 3]
    assert (batch.q[1:, 0] >= 0.1).all() and (batch.q[1:, 0] - 1e-3 * batch.v[1:, 0] < 0.1).all()  # it had just come
    batch.reset(batch.ended == 3)
    assert batch.ended.tolist() == [0, 0, 0] and batch.reward[1] == 0


def test_distributions_are_those_that_are_named(pendulum):
    """Moments of 4000 draws, within five deviations of the estimates."""
    def joints(distribution):
        return ff.Batch(pendulum, 4000, seed=2, spread={"start_joints": distribution}).q[:, 0]

    q = joints(ff.normal(0.1, 0.02))
    assert q.mean() == pytest.approx(0.1, abs=5 * 0.02 / 4000**0.5)
    assert q.std() == pytest.approx(0.02, abs=5 * 0.02 / 8000**0.5)
    q = joints(ff.normal(0.1, 0.02, 0.09, 0.2))
    assert q.min() > 0.09 and q.min() < 0.0905
    q = np.log(joints(ff.log_uniform(0.1, 1)))
    assert q.mean() == pytest.approx(np.log(0.1) / 2, abs=5 * np.log(10) / 12**0.5 / 4000**0.5)
    q = joints(ff.choice([0.1, 0.2, 0.4, 0.8]))
    assert sorted(set(q)) == [0.1, 0.2, 0.4, 0.8]
    assert (q == 0.4).mean() == pytest.approx(0.25, abs=5 * (0.25 * 0.75 / 4000) ** 0.5)
    np.testing.assert_array_equal(joints(("uniform", 0, 1)), joints((0, 1)))
    passing = ("".join(["cho", "ice"]) if k == 0 else float(k) for k in range(3))  # nobody else holds the name
    assert sorted(set(joints(passing))) == [1.0, 2.0]
    with pytest.raises(ValueError, match="two bounds or none"):
        ff.normal(1, 0.1, low=0.5)


def test_robots_do_not_depend_on_threads_lanes_and_neighbours():
    spread, seen = {"friction": (0.5, 1.0), "mass": (0.9, 1.1)}, []
    for robots, threads, lanes in ((9, 1, 1), (9, 2, 0), (30, 1, 2)):
        batch = ff.Batch(anton(), robots, seed=5, threads=threads, lanes=lanes, spread=spread)
        batch.step(lasts(200, 40))
        seen.append((batch.q[:9].copy(), batch.sensors[:9].copy()))
    for q, sensors in seen[1:]:
        np.testing.assert_array_equal(q, seen[0][0])
        np.testing.assert_array_equal(sensors, seen[0][1])
    assert len(np.unique(seen[0][0][:, 2])) == 9  # they differ from each other


def test_feet_carry_the_weight_and_robots_that_fall_stand_still():
    scene = anton(1e-4, control={"hold": {"stiffness": 60, "damping": 1}})  # longer steps rattle: feet are of rubber
    batch = ff.Batch(scene, 4, least_height=0.08)
    batch.torque[2] = 0.0  # without what carries the weight, and with legs that collapse
    batch.position[2] = 0.8
    batch.step(lasts(10000, 500))
    force = batch.sensors[:, 2 * len(batch.servos) + 6 :].reshape(4, -1, 3).sum(axis=1)
    np.testing.assert_allclose(force[[0, 1, 3], 2], 5.0 * 9.81, rtol=1e-3)
    assert batch.ended.tolist() == [0, 0, 2, 0] and batch.time[2] < 1.0
    batch.reset([2])
    assert batch.ended[2] == 0 and batch.time[2] == 0 and batch.time[0] == pytest.approx(lasts(1.0, 0.05))
    np.testing.assert_array_equal(batch.q[2], ff.Batch(scene, 1).q[0])


def test_pushes_factors_and_states_of_single_robots(pendulum):
    batch = ff.Batch(pendulum, 2)
    batch.put(1, [0.4], [0.0])
    batch.set("gain", [1.0, 2.0])
    assert batch.q[:, 0].tolist() == [0.0, 0.4]
    batch.position[:] = 0
    batch.step(1)
    assert batch.v[1, 0] == pytest.approx(1e-3 * (-2 * 9.81 * 0.5 * np.sin(0.4) - 40 * 0.4) / 0.51, rel=1e-12)
    walker = ff.Batch(anton(), 2)
    walker.push(1, [0, 10, 0], 100)
    walker.step(100)
    assert walker.v[1, 1] - walker.v[0, 1] > 0.01


@pytest.mark.parametrize("call, words", [
    (lambda s: ff.Batch(s, 0), "0 robots"),
    (lambda s: ff.Batch(s, 2, lanes=3), "3 lanes"),
    (lambda s: ff.Batch(s, 2, seed=-1), "seed"),
    (lambda s: ff.Batch(s, 2, spread={"wind": (0, 1)}), "no quantity 'wind': they are friction, contact_stiffness"),
    (lambda s: ff.Batch(s, 2, spread={"mass.tail": (1, 2)}), "mass.tail cannot be spread: no body that moves"),
    (lambda s: ff.Batch(s, 2, spread={"gain.swing": (1, 2), "payload": (-1, 2)}), "payload cannot be spread from -1"),
    (lambda s: ff.Batch(s, 2, spread={"mass": (2, 1)}), "the lower end comes first"),
    (lambda s: ff.Batch(s, 2, spread={"mass": (0.5, 1, 2)}), "mass"),
    (lambda s: ff.Batch(s, 2, spread={"mass": ("gamma", 1, 2)}), "spread of mass: there is no distribution 'gamma'"),
    (lambda s: ff.Batch(s, 2, spread={"mass": ff.normal(1, 0.1)}), "a factor needs bounds"),
    (lambda s: ff.Batch(s, 2, spread={"mass": ()}), "spread of mass"),
    (lambda s: ff.Batch(s, 2, spread={"mass": ff.choice([])}), "one value or more"),
    (lambda s: ff.Batch(s, 2, noise={"smell": 1}), "no noise of 'smell'"),
    (lambda s: ff.Batch(s, 2, least_height=0.1), "without a free root"),
    (lambda s: ff.Batch(s, 2, end="height < 0.1"), "end, column 1 of 'height < 0.1': this robot has no free root"),
    (lambda s: ff.Batch(s, 2, reward="1 +"), "reward, column 4 of '1 .': it ends too early"),
    (lambda s: ff.Batch(s, 2).reset([2]), "no robot 2: they are numbered from 0 to 1"),
    (lambda s: ff.Batch(s, 2).reset([True]), "1 bools among 1 values.* a bool for each of 2 robots"),
    (lambda s: ff.Batch(s, 2).reset([True, 0]), "1 bools among 2 values"),
    (lambda s: ff.Batch(s, 2).reset(seeds=[1]), "1 seeds for 2 robots"),
    (lambda s: ff.Batch(s, 2).reset([1], [-1]), "seed"),
    (lambda s: ff.Batch(s, 2).put(0, [np.nan], [0]), "q"),
    (lambda s: ff.Batch(s, 2).set("start_height", [0, 0]), "no quantity 'start_height'"),
    (lambda s: ff.Batch(s, 2).set("mass", [1]), "mass"),
    (lambda s: ff.Batch(s, 2).set("mass", [1, 0]), "^mass of robot 1 cannot be 0: .* above 0"),
    (lambda s: ff.Batch(s, 2).push(2, [0, 0, 1], 1), "no robot 2"),
    (lambda s: ff.Batch(s, 2).step(-1), "-1 steps"),
    (lambda s: ff.Batch(s, 2, fast=True), "^fast=True needs device=True or specialise=True$"),
    (lambda s: ff.Batch(s, 2, single=True), "^single=True needs device=True$"),
    (lambda s: footfall.env.VectorEnv(footfall.env.AntonWalk(), 2, device=True), "device is for batches: batch=True"),
    (lambda s: footfall.env.VectorEnv(footfall.env.AntonWalk(), 2, fast=True), "fast is for batches: batch=True"),
    (lambda s: footfall.env.VectorEnv(footfall.env.AntonWalk(batch=True), 2, batch=True, fast=True),
     "^fast=True needs device=True or specialise=True$"),
])
def test_what_is_wrong_is_said(pendulum, call, words):
    with pytest.raises(ff.BadArgument, match=words):
        call(pendulum)


def test_what_a_batch_cannot_do_is_refused_by_name():
    with pytest.raises(ff.BadInput, match="euler"):
        ff.Batch(ff.Scene(ROOT / "experiments" / "anton-march.yaml"), 2)
    with pytest.raises(TypeError, match="spread must be a dict"):
        ff.Batch(anton(), 2, spread=3)
    for wrong in (3, ff.choice(["a"]), ["normal"]):
        with pytest.raises((TypeError, ff.BadArgument), match="spread|mass"):
            ff.Batch(anton(), 2, spread={"mass": wrong})


def test_robots_are_chosen_by_numbers_or_by_a_mask(pendulum):
    batch = ff.Batch(pendulum, 4)
    mask = [False, False, True, True]
    for given, begun in ((None, [0, 1, 2, 3]), ([], []), ([3], [3]), ((0, 2), [0, 2]), ({1}, [1]),
                         (np.array([1, 2], np.uint8), [1, 2]), (mask, [2, 3]), (np.array(mask), [2, 3]),
                         (list(np.array(mask)), [2, 3]), (batch.time < 0, [])):
        batch.step(1)
        before = batch.time.copy()
        batch.reset(given)
        before[begun] = 0
        np.testing.assert_array_equal(batch.time, before)
    for given in (3, np.int64(3), 1.5):
        with pytest.raises(TypeError, match="robots must be a list of their numbers, or a mask"):
            batch.reset(given)
    with pytest.raises(TypeError):
        batch.reset(np.array([1.0]))


def test_what_is_refused_changes_nothing(pendulum):
    batch, same = ff.Batch(pendulum, 3), ff.Batch(pendulum, 3)
    for b in (batch, same):
        b.position[:] = 0.3
        b.step(5)
    for call in (lambda: batch.reset([0, 3]), lambda: batch.reset([0, 1], [5, -1]),
                 lambda: batch.set("gain", [3, 3, -1]), lambda: batch.put(0, [0.1], [np.inf])):
        with pytest.raises(ff.BadArgument):
            call()
    for b in (batch, same):
        b.step(5)
    assert batch.hash() == same.hash()
    for array in (batch.q, batch.v, batch.time, batch.ended, batch.sensors):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0
    with pytest.raises(TypeError, match="put"):
        copy.copy(batch)


def test_a_seed_decides_draws_and_noise_whatever_the_robot():
    how = {"spread": {"mass": (0.5, 2.0), "start_speeds": (-0.1, 0.1)}, "noise": {"gyro": 0.1}}
    alone, many = ff.Batch(anton(), 1, seed=7, **how), ff.Batch(anton(), 5, seed=1, **how)
    many.step(20)
    many.reset([4, 2], [7, 8])
    for batch in (alone, many):
        batch.step(50)
    np.testing.assert_array_equal(many.q[4], alone.q[0])
    np.testing.assert_array_equal(many.sensors[4], alone.sensors[0])
    assert (many.q[2] != alone.q[0]).any()


def test_channels_are_the_names_that_formulas_read():
    scene = anton(5e-4, effects={"drives": "full", "sensors": "perfect"})
    names = ff.Batch(scene, 1).channels
    assert "sensors.FL_foot_force.fz" in names and len(set(names)) == len(names)
    assert all(name.startswith("sensors.") for name in names)
    batch = ff.Batch(scene, 2, observe=names)
    batch.step(100)
    feet = [batch.observation[1, i] for i, name in enumerate(names) if name.endswith("foot_force.fz")]
    assert len(feet) == 6 and np.ptp(batch.observation, axis=0).max() == 0
    assert ff.Batch(anton(), 1).channels == ()


def test_sensors_have_names():
    batch = ff.Batch(anton(), 1)
    names = batch.sensor_names
    assert dict(zip(names, batch.sensors[0]))["root.specific_force.z"] == pytest.approx(9.81)  # upright, not yet moved
    batch.step(10)
    assert len(set(names)) == len(names) == batch.sensors.shape[1]
    knee = batch.servos[3]
    column, speed = batch.joints[knee]
    read = dict(zip(names, batch.sensors[0]))
    assert read[knee + ".position"] == batch.q[0, column] and read[knee + ".speed"] == batch.v[0, speed]
    assert read["root.gyro.y"] == batch.v[0, 4] != 0
    assert read["FL.force.z"] > 0 and names[-1] == "RR.force.z"


def test_another_thread_gets_an_error_while_a_batch_steps():
    batch, over, refused = ff.Batch(anton(), 50), threading.Event(), set()

    def work():
        while not over.is_set():
            try:
                batch.step(lasts(200, 20))
            except ff.Busy:  # it was the other's turn
                pass

    calls = {"hash": batch.hash, "step": batch.step, "reset": batch.reset,
             "push": lambda: batch.push(0, [1, 0, 0], 1), "set": lambda: batch.set("mass", np.ones(50)),
             "put": lambda: batch.put(0, np.array(batch.q[0]), np.array(batch.v[0]))}
    worker = threading.Thread(target=work)
    worker.start()
    end = time.monotonic() + 30  # until each was refused, which takes a fraction of that
    while len(refused) < len(calls) and time.monotonic() < end:
        for name, call in calls.items():
            try:
                call()
            except ff.Busy:
                refused.add(name)
            except ff.BadArgument:  # put() may see half of a state
                pass
    over.set()
    worker.join()
    assert refused == set(calls)


def test_other_threads_go_on_while_robots_restart():
    """A batch that resets says it is busy to another thread, which could not ask if the lock were held."""
    batch, over = ff.Batch(anton(), 2000), threading.Event()

    def work():
        while not over.is_set():
            try:
                batch.reset()
            except ff.Busy:
                pass

    worker = threading.Thread(target=work)
    worker.start()
    busy, end = False, time.monotonic() + 60  # it takes a fraction of that
    while not busy and time.monotonic() < end:
        try:
            batch.push(0, [0, 0, 0], 0)
        except ff.Busy:
            busy = True
    over.set()
    worker.join()
    assert busy


def rows_of(batch, name):
    """A tensor with a row for each robot, as a copy."""
    blocks = np.from_dlpack(batch.tensor(name))
    return blocks.reshape(-1, blocks.shape[2])[: batch.robots]


def test_tensors_are_the_memory_of_the_batch():
    batch = ff.Batch(anton(), 11, spread={"start_speeds": (-0.1, 0.1)}, end="age > 25", reward="root.vx")
    tensors = {name: np.from_dlpack(batch.tensor(name)) for name in ("q", "v", "ended")}  # before the steps
    batch.position[:] += np.linspace(0, 0.1, 11)[:, None]
    batch.step(20)
    for name in ("q", "v", "position", "speed", "torque"):
        np.testing.assert_array_equal(rows_of(batch, name), getattr(batch, name))
    np.testing.assert_array_equal(rows_of(batch, "reward")[:, 0], batch.reward)
    assert rows_of(batch, "age")[:, 0].tolist() == [20] * 11
    assert tensors["q"].shape == (-(-11 // batch.lanes), batch.lanes, 31) == batch.tensor("q").shape
    np.testing.assert_array_equal(tensors["v"].reshape(-1, 30)[:11], batch.v)  # the same memory, with what came since
    before = batch.q.copy()
    targets = np.from_dlpack(batch.tensor("position"))
    ctypes.c_double.from_address(targets.ctypes.data).value = 0.2  # NumPy takes what DLPack gives as read-only
    batch.step(20, arrays=False)
    assert (batch.q == before).all()
    assert rows_of(batch, "position")[0, 0] == 0.2 != batch.position[0, 0]  # targets of the arrays were not taken
    batch.step(0)
    assert rows_of(batch, "position")[0, 0] == batch.position[0, 0]
    assert (tensors["q"].reshape(-1, 31)[:11] != before).any()
    assert tensors["ended"].reshape(-1)[:11].tolist() == [3] * 11
    assert batch.tensor("q").__dlpack_device__() == (1, 0)
    assert not hasattr(batch.tensor("q"), "__cuda_array_interface__")
    assert repr(batch.tensor("q")).endswith("31 numbers each, on the processor>")
    with pytest.raises(ff.BadArgument, match="no tensor 'colour': they are q"):
        batch.tensor("colour")


def test_lives_go_on_without_arrays():
    options = {"spread": {"start_speeds": ff.normal(0, 0.5)}, "end": "tilt > 0.02", "reward": "root.vx * step",
               "observe": ["root.z", "tilt", "FL_coxa.target"]}
    shown, hidden = ff.Batch(anton(), 11, **options), ff.Batch(anton(), 11, **options)
    ended = 0
    for _ in range(4):
        shown.step(40, renew=100)
        hidden.step(40, renew=100, arrays=False)
        assert shown.hash() == hidden.hash()
        pairs = {"observation": shown.observation, "final": shown.final, "last_ended": shown.ended[:, None],
                 "last_reward": shown.reward[:, None]}
        for name, expected in pairs.items():
            np.testing.assert_array_equal(rows_of(hidden, name), expected)
        ended += (shown.ended > 0).sum()
        assert set(rows_of(hidden, "last_age").ravel()) <= set(range(121))
    assert ended > 0 and (rows_of(hidden, "age") < 100).all()
    hidden.step(1, arrays=False)
    np.testing.assert_array_equal(rows_of(hidden, "observation")[:, 0], rows_of(hidden, "q")[:, 2])


ARRAYS = ("q", "v", "sensors", "time", "ended", "reward", "observation", "final", "position")


@pytest.mark.parametrize("moment", lasts(range(7), (0, 3, 6)))
def test_an_array_has_the_same_numbers_whenever_it_is_taken(moment):
    """One batch has all arrays taken before its first step, the other those of each name after some calls."""
    options = {"spread": {"start_speeds": ff.normal(0, 0.5)}, "end": "tilt > 0.02", "reward": "root.vx * step",
               "observe": ["root.z", "FL_coxa.target"], "noise": {"gyro": 0.1}}
    early, late = ff.Batch(anton(), 9, **options), ff.Batch(anton(), 9, **options)
    kept = {name: getattr(early, name) for name in ARRAYS}
    calls = [lambda b: b.step(40, renew=100), lambda b: b.step(40, renew=100), lambda b: b.reset([2, 3]),
             lambda b: b.put(1, early.q[0].copy(), 0 * early.v[0]), lambda b: b.step(10), lambda b: b.reset()]
    for k, call in enumerate(calls + [lambda b: b.step(5)]):
        call(late)  # first: `put` reads the other's state
        call(early)
        if k >= moment:
            for name in ARRAYS:
                assert getattr(early, name) is kept[name]
                np.testing.assert_array_equal(getattr(late, name), kept[name], name)


def test_an_array_is_not_taken_for_the_first_time_while_steps_are_made():
    refused, end = False, time.monotonic() + 60  # it takes a fraction of that
    while not refused and time.monotonic() < end:
        batch = ff.Batch(anton(), 50)
        times = batch.time
        worker = threading.Thread(target=batch.step, args=(lasts(2000, 100),))
        worker.start()
        while worker.is_alive() and not refused:
            assert batch.time is times  # an array that was taken is there at any time
            try:
                batch.push(0, [0, 0, 0], 0)
            except ff.Busy:  # it steps now
                try:
                    batch.q
                except ff.Busy:
                    refused = True
        worker.join()
        assert batch.q.shape == (50, 31)
    assert refused


def test_a_tensor_refuses_what_needs_a_copy():
    tensor = ff.Batch(anton(), 3).tensor("q")
    for allowed in ({}, {"stream": None}, {"copy": False}, {"copy": None, "dl_device": (1, 0), "max_version": (1, 0)}):
        tensor.__dlpack__(**allowed)
    with pytest.raises(BufferError, match="copy=True: a tensor is the memory of its batch"):
        tensor.__dlpack__(copy=True)
    with pytest.raises(BufferError, match=r"dl_device=\(2, 0\): this tensor lies on \(1, 0\)"):
        tensor.__dlpack__(dl_device=(2, 0))
    with pytest.raises(TypeError, match="colour"):
        tensor.__dlpack__(colour=1)


def test_a_tensor_keeps_its_batch():
    kept = np.from_dlpack(ff.Batch(anton(), 3).tensor("q"))
    gc.collect()
    assert np.isfinite(kept).all() and (kept[..., 2] > 0.05).all()
    capsule = ff.Batch(anton(), 3).tensor("q").__dlpack__()  # nobody takes it
    del capsule
    gc.collect()


def test_an_environment_of_a_batch():
    task = footfall.env.AntonWalk(batch=True)
    task.limit = 3
    with footfall.env.VectorEnv(task, 5, batch=True, spread={"friction": (0.5, 1.0)}) as env:
        first, _ = env.reset(seed=1)
        again, _ = env.reset(seed=1)
        np.testing.assert_array_equal(first[:, 5:], again[:, 5:])  # starts by the seed of each
        for k in range(3):
            seen, rewards, terminated, truncated, infos = env.step(np.zeros((5, 18)))
        assert truncated.all() and not terminated.any() and infos["_final_obs"].all()
        np.testing.assert_allclose(infos["time"], 0.06, rtol=1e-12)  # of the episode that is over
        assert env._core.robots.time.tolist() == [0.0] * 5  # the next has begun
        assert np.isfinite(seen).all() and rewards.shape == (5,)
    with pytest.raises(ff.BadArgument, match="batch=True"):
        footfall.env.VectorEnv(footfall.env.AntonWalk(), 2, spread={})
    with pytest.raises(ff.BadArgument, match=r"VectorEnv\(.., batch=True\)"):
        footfall.env.VectorEnv(footfall.env.AntonWalk(batch=True), 2)


def test_code_for_the_model_needs_a_compiler_and_the_general_loop_warns(pendulum, monkeypatch):
    monkeypatch.setenv("CC", "/nonexistent/compiler")
    with pytest.warns(ff.Warning, match="the processor steps by its general kernel"):
        batch = ff.Batch(pendulum, 2, specialise=True, fast=True)
    assert batch.kernel == "lanes" and "/nonexistent/compiler" in batch.kernel_reason and batch.kernel_compiler is None
    batch.step(1)
    with pytest.raises(ff.BadArgument, match="specialise is for batches: batch=True"):
        footfall.env.VectorEnv(footfall.env.AntonWalk(), 2, specialise=True)


def test_a_batch_says_which_kernel_steps(pendulum):
    batch = ff.Batch(pendulum, 2)
    assert batch.kernel == "lanes" and batch.kernel_reason is None and "kernel lanes" in repr(batch)
    with footfall.env.VectorEnv(footfall.env.AntonWalk(batch=True), 2, batch=True) as env:
        assert env.kernel == "lanes"
    with footfall.env.VectorEnv(footfall.env.AntonWalk(), 2) as env:
        assert env.kernel is None


def test_a_device_that_is_not_there_is_named(pendulum):
    """Of a batch and of an environment; where there is a GPU, both run on it and say by which kernel."""
    makers = [lambda **more: ff.Batch(pendulum, 2, device=True, **more),
              lambda **more: footfall.env.VectorEnv(footfall.env.AntonWalk(batch=True), 2, batch=True, device=True,
                                                    **more)]
    for make in makers:
        for more in ({}, {"fast": True}, {"single": True}):
            try:
                assert make(**more).kernel in ("specialised", "general")
            except ff.NotBuilt as error:
                assert "configure it with -DFOOTFALL_CUDA=ON" in str(error)
            except ff.NotFound as error:
                assert "no device for a batch" in str(error) or "no fast mode" in str(error) \
                    or "no single precision" in str(error)


def test_the_start_of_an_environment_is_that_of_the_scene():
    """Whatever is drawn: actions of zero aim at the stand, and what options do not give each robot draws itself."""
    spread = {"start_speeds": ff.normal(0, 0.1), "start_joints": (-0.05, 0.05)}
    task = footfall.env.AntonWalk(batch=True)
    scene = ff.Batch(task.scene, 1)
    with footfall.env.VectorEnv(task, 3, batch=True, spread=spread) as env:
        robots = env._core.robots
        np.testing.assert_array_equal(robots.start_q, scene.q[0])
        np.testing.assert_array_equal(robots.start_v, scene.v[0])
        env.reset(seed=1)
        drawn = robots.v.copy()
        assert (robots.q != scene.q).any(axis=1).all() and len(np.unique(drawn, axis=0)) == 3
        env.reset(seed=1, options={"q": robots.start_q})
        np.testing.assert_allclose(robots.q, np.repeat(scene.q, 3, axis=0), atol=1e-15)  # its quaternion is made a unit
        np.testing.assert_array_equal(robots.v, drawn)
        env.step(np.zeros((3, 18)))
        np.testing.assert_array_equal(robots.references[:, task.columns], np.repeat(scene.q[:, task.q], 3, axis=0))


class Swing(footfall.env.Task):
    """A pendulum by formulas."""
    actions, reward_formula = 1, "swing.speed"

    def __init__(self, scene):
        self.scene = scene

    def act(self, robots, action):
        robots.references[:, :1] = action

    def formulas(self):
        return {"observe": ["swing.position"], "reward": self.reward_formula}


@pytest.mark.parametrize("reward, cost, says", [
    ("sqrt(-1)", np.zeros, "the formula of reward gives robot 0 -?nan: it must be finite"),
    ("swing.speed", lambda count: np.zeros((count, 2)), r"cost\(\) gives shape \(3, 2\): a number for each of 3"),
    ("swing.speed", lambda count: 0.0, r"cost\(\) gives shape \(\)"),
    ("swing.speed", lambda count: np.array([0.0, np.inf, 0.0]), r"cost\(\) gives robot 1 inf"),
])
def test_answers_of_formulas_are_checked(pendulum, reward, cost, says):
    task = Swing(pendulum)
    task.reward_formula, task.cost = reward, lambda action: cost(len(action))
    with footfall.env.VectorEnv(task, 3, batch=True) as env:
        env.reset(seed=1)
        with pytest.raises(ff.BadArgument, match=says):
            env.step(np.zeros((3, 1)))
        with pytest.raises(ff.BadArgument, match="reset"):
            env.step(np.zeros((3, 1)))


def test_costs_are_added_robot_by_robot(pendulum):
    task = Swing(pendulum)
    with footfall.env.VectorEnv(task, 3, batch=True) as env:
        rewards = []
        for cost in (task.cost, lambda action: [[-1.0], [-2.0], [-3.0]]):  # a column is taken as a row
            task.cost = cost
            env.reset(seed=1)
            rewards.append(env.step(np.full((3, 1), 0.3))[1])
        np.testing.assert_allclose(rewards[1] - rewards[0], [-1.0, -2.0, -3.0], atol=1e-12)


def test_robots_restart_within_a_step(pendulum):
    """Two lives of 30 steps; in each the first robot, whose target is far, ends at 0.1 rad before."""
    batch = ff.Batch(pendulum, 2, end="swing.position > 0.1", observe=["swing.position", "age", "swing.target"])
    assert batch.observation.tolist() == [[0, 0, 0], [0, 0, 0]]
    for life in range(2):
        batch.position[:, 0] = [30.0, 0.01]
        for call in range(3):
            batch.step(10, renew=30)
            if batch.ended[0] == 3:
                assert batch.final[0, 0] > 0.1 and batch.final[0, 2] == 30.0  # the last of the old life
                assert batch.observation[0].tolist() == [0, 0, 0] and batch.q[0, 0] == 0  # the first of the new
                assert batch.position[0, 0] == 0  # targets are those of the scene
                break
            assert batch.final.tolist() == batch.observation.tolist()
        assert call < 2
        batch.step(10 * (2 - call), renew=30)
        assert batch.final[1, 1] == 30 and batch.observation[1, 1] == 0 and batch.ended[1] == 0
        batch.reset()
        assert batch.ended.tolist() == [0, 0]
    for wrong in (0, -1, 2**40):
        with pytest.raises(ff.BadArgument, match="renew"):
            batch.step(1, renew=wrong)
    with pytest.raises(ff.BadArgument, match="observe, column 1"):
        ff.Batch(pendulum, 2, observe=["age", "knee"])
    with pytest.raises(TypeError, match="observe"):
        ff.Batch(pendulum, 2, observe=[1])
    with pytest.raises(TypeError, match="observe must be a list of formulas, not 'age'"):
        ff.Batch(pendulum, 2, observe="age")


def test_formulas_of_a_task_give_what_its_methods_give():
    """From one start, by the same actions; a task whose observe is overridden goes without formulas."""
    class Written(footfall.env.AntonWalk):
        def observe(self, robots):
            return super().observe(robots)

    seen = []
    for task in (footfall.env.AntonWalk(batch=True), Written(batch=True)):
        task.limit = 4
        with footfall.env.VectorEnv(task, 3, batch=True) as env:
            assert bool(env._core.formulas) == (type(task) is not Written)
            start = {"q": env._core.robots.start_q, "v": 0 * env._core.robots.start_v}
            env.reset(seed=1, options=start)
            steps = [env.step(np.full((3, 18), 0.1 * k)) for k in range(4)]
            seen.append(([s[0] for s in steps[:3]], steps[3][4]["final_obs"], [s[3].all() for s in steps]))
            assert np.allclose(steps[3][4]["time"], 0.08) and env._core.robots.time.tolist() == [0.0] * 3
    for one, other in zip(seen[0], seen[1]):
        np.testing.assert_array_equal(one, other)
    assert seen[0][2] == [False, False, False, True]


def walk(env, seed, steps=4, reach=0.3):
    """The same actions for each robot. @return q, which shows also what is not observed"""
    env.reset(seed=seed)
    for k in range(steps):
        env.step(np.full((env.num_envs, 18), reach * (-1) ** k))
    return env._core.robots.q.copy()


def test_seeds_decide_episodes_whatever_the_number_of_robots():
    spread = {"mass": (0.5, 2.0)}
    with (footfall.env.VectorEnv(footfall.env.AntonWalk(batch=True), 4, batch=True, spread=spread) as env,
          footfall.env.VectorEnv(footfall.env.AntonWalk(batch=True), 2, batch=True, spread=spread) as few):
        first = walk(env, 5)
        np.testing.assert_array_equal(walk(env, 5), first)
        np.testing.assert_array_equal(walk(few, 7), first[2:])  # robot i has the seed s + i
        assert (walk(env, 100) != first).any(axis=1).all()


def test_references_of_an_episode_end_with_it():
    class Once(footfall.env.AntonWalk):
        """Writes references in the first episode only."""
        writes = True

        def act(self, robots, action):
            if self.writes:
                super().act(robots, action)

    task = Once(batch=True)
    with footfall.env.VectorEnv(task, 2, batch=True) as env, footfall.env.VectorEnv(task, 2, batch=True) as fresh:
        walk(env, 1, reach=1.0)
        task.writes = False
        np.testing.assert_array_equal(walk(env, 1), walk(fresh, 1))


@pytest.mark.skipif(SANITIZED, reason="long")
def test_a_search_finds_a_better_gait(monkeypatch):
    """Two rounds of a small search are better than the first draws, by the same score on robots it has not seen."""
    monkeypatch.syspath_prepend(str(ROOT / "python" / "examples"))
    import learn_gait

    for name, value in (("GAITS", 12), ("ROBOTS", 2), ("ROUNDS", 2), ("END", 2.5)):
        monkeypatch.setattr(learn_gait, name, value)
    found = learn_gait.search(seed=3)
    middle = (learn_gait.LOW + learn_gait.HIGH) / 2
    scores = learn_gait.score(np.stack([found, middle]), seed=77)
    assert scores[0] < scores[1]
    sys.modules.pop("learn_gait")
