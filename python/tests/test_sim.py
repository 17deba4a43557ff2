# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""The simulation from Python: laws of mechanics by two routes, views, save and restore."""
import gc
import math

import footfall as ff
import numpy as np
import pytest
from conftest import hold, pendulum

G = 9.81


def test_a_small_swing_takes_the_time_of_theory():
    with ff.Sim(pendulum(length=0.5), "rk4", 1e-3, contacts=False) as sim:
        sim.q = [1e-4]
        sim.run(2 * math.pi * math.sqrt(0.5 / G))
        assert sim.q[0] == pytest.approx(1e-4, abs=1e-12)  # [rad] the time is rounded to a tick


def test_the_linearisation_of_a_pendulum_is_that_of_theory():
    mass, length, damping = 2.0, 0.5, 0.3
    sim = ff.Sim(pendulum(damping, length, mass), "rk4", contacts=False)
    A, B = sim.linearise()
    inertia = mass * length**2
    assert A == pytest.approx(np.array([[0, 1], [-G / length, -damping / inertia]]), abs=1e-8)
    assert B == pytest.approx(np.array([[0], [1 / inertia]]), abs=1e-8)


def moving_dog(dog):
    sim = ff.Sim(dog, contacts=False)
    sim.v = np.linspace(-1.0, 1.0, dog.nv)
    sim.torques = np.linspace(0.0, 2.0, dog.nv)
    return sim


def test_the_mass_matrix_gives_the_kinetic_energy(dog):
    sim = moving_dog(dog)
    M = sim.mass_matrix()
    assert M == pytest.approx(M.T, abs=0) and M.shape == (dog.nv, dog.nv)
    assert 0.5 * sim.v @ M @ sim.v == pytest.approx(sim.energy.kinetic, rel=1e-12)


def test_mass_matrix_and_bias_are_those_of_the_acceleration(dog):
    sim = moving_dog(dog)
    assert sim.mass_matrix() @ sim.qacc + sim.bias() == pytest.approx(sim.tau, abs=1e-9)


def test_jacobian_and_momentum_are_those_of_the_velocity(dog):
    sim = moving_dog(dog)
    at = [0.1, 0.02, -0.05]
    place, velocity = sim.point("FL_shin", at)
    assert sim.jacobian("FL_shin", at) @ sim.v == pytest.approx(velocity, abs=1e-12)
    pos, quat = sim.pose("FL_shin")
    assert np.linalg.norm(place - pos) == pytest.approx(np.linalg.norm(at), rel=1e-12)
    assert np.linalg.norm(quat) == pytest.approx(1.0, abs=1e-12)
    momentum, before, step = sim.momentum(), sim.com, 1e-6
    assert sim.momentum_matrix() @ sim.v == pytest.approx(momentum, abs=1e-12)
    sim.run(step)
    assert (sim.com - before) / step * dog.mass == pytest.approx(momentum[3:], abs=1e-3)  # [N s] change within the step


def test_a_force_moves_a_mass():
    spec = ff.Spec()
    spec.gravity = [0, 0, 0]
    spec.add_body("stone", mass=2.0, inertia=[1, 1, 1, 0, 0, 0])
    spec.add_joint("loose", "stone", "free")
    sim = ff.Sim(spec.compile(), "rk4", contacts=False)
    sim.apply("stone", force=[3.0, 0, 0], moment=[0, 0, 0.5])
    sim.run(2.0)
    assert sim.v == pytest.approx([3, 0, 0, 0, 0, 1], abs=1e-12)
    sim.apply("stone")
    sim.run(3.0)
    assert sim.v == pytest.approx([3, 0, 0, 0, 0, 1], abs=1e-12)


def test_a_mocap_body_is_moved_with_what_hangs_on_it():
    spec = ff.Spec()
    spec.add_body("table", mocap=True)
    spec.add_geom("top", "table", "box", size=[0.2, 0.2, 0.05], pos=[0, 0, -0.05])
    spec.add_body("stone", pos=[0, 0, 0.1], mass=2.0, inertia=[1, 1, 1, 0, 0, 0])
    spec.add_joint("loose", "stone", "free")
    spec.add_geom("round", "stone", "sphere", size=[0.1, 0, 0])
    sim = ff.Sim(spec.compile())
    sim.run(0.3)
    assert sim.q[2] == pytest.approx(0.1, abs=1e-3)  # it rests on the table
    sim.set_mocap("table", pos=[0, 0, -0.5])
    sim.run(0.4)
    assert sim.v[2] == pytest.approx(-0.1 * G, abs=0.05)  # and falls when that is gone


def test_a_dog_stands_with_its_weight_on_its_feet(dog):
    sim = ff.Sim(dog, key="stand", ledger=True)
    while sim.time < 0.8:
        hold(sim)
        sim.step()
    up = sum(foot.force[2] for foot in sim.feet.values())
    assert up == pytest.approx(dog.mass * G, rel=0.02)  # it still settles
    assert set(sim.feet) == {"FL", "FR", "RL", "RR"} and all(foot.touching for foot in sim.feet.values())
    touching = [c for c in sim.contacts if c.pressure > 0]
    assert sum(c.force[2] for c in touching if c.body1 is None) == pytest.approx(up, rel=1e-12)
    assert sim.balance("trunk").force[2] == pytest.approx(up, rel=1e-12)
    book = sim.ledger
    lost = book.lost_normal + book.lost_friction + book.lost_joints + book.lost_parts
    assert book.stored - book.start + lost == pytest.approx(
        book.work + book.outside + book.loops + book.residual, abs=1e-9)


def test_a_floor_carries_what_has_none():
    spec = ff.Spec()
    spec.add_body("ball", mass=1.0, inertia=[4e-3, 4e-3, 4e-3, 0, 0, 0], pos=[0, 0, 0.1])
    spec.add_joint("loose", "ball", "free")
    spec.add_geom("skin", "ball", "sphere", size=0.1)
    model = spec.compile()
    with ff.Sim(model, floor=True) as on, ff.Sim(model) as without:
        on.run(0.5)
        without.run(0.5)
        assert on.q[2] == pytest.approx(0.1, abs=1e-3) and without.q[2] < -1.0


def test_steps_are_those_of_a_run_and_a_restored_one_goes_on_alike(dog):
    one, other = ff.Sim(dog, step=1e-3, key="stand"), ff.Sim(dog, step=1e-3, key="stand")
    one.run(0.1)
    for _ in range(100):
        other.step()
    assert one.hash == other.hash and one.time == other.time
    saved = one.save()
    one.run(0.15)
    end = one.hash
    one.restore(saved)
    one.run(0.15)
    assert one.hash == end
    one.reset()
    assert one.time == 0.0
    one.run(0.15)
    assert one.hash == end
    assert one.counts.steps == 150


def test_drives_and_sensors_are_those_of_the_model(anton):
    sim = ff.Sim(anton, floor=True, seed=3)
    assert set(sim.sensors) == set(anton.sensors) and sim.drives
    assert set(sim.drives) <= set(anton.drives)
    drive = list(sim.drives)[0]
    sim.command_drive(drive, 0.1)
    sim.run(0.05)
    assert sim.drives[drive].current != 0.0
    values, stamp = sim.sensor(anton.sensors[0])
    assert 0.0 <= stamp <= 0.05 and np.array_equal(values, sim.sensors[anton.sensors[0]])
    assert sim.joint(anton.joints[1])[0] == sim.q[anton.joint(anton.joints[1]).qadr]


def test_views_follow_the_simulation_without_copies(dog):
    sim = ff.Sim(dog)
    q, v = sim.q, sim.v
    assert q is sim.q and q.shape == (dog.nq,) and v.shape == (dog.nv,) and len(sim.state) >= dog.nq + dog.nv
    before = q.copy()
    sim.run(0.02)
    assert not np.array_equal(q, before)
    with pytest.raises(ValueError):
        q[0] = 1.0
    sim.q = before
    assert np.array_equal(q, before)


def test_views_outlive_the_simulation(dog):
    sim = ff.Sim(dog)
    q = sim.q
    last = q.copy()
    sim.close()
    gc.collect()
    assert np.array_equal(q, last) and sim.closed
    for use in (sim.step, sim.save, sim.mass_matrix, lambda: sim.q, lambda: sim.time, lambda: sim.feet):
        with pytest.raises(ff.Closed):
            use()
    sim.close()  # twice does no harm
    q = ff.Sim(dog).q  # nobody else holds the simulation
    gc.collect()
    assert np.isfinite(q).all()


def test_help_reads_like_a_manual():
    for name in dir(ff.Sim):
        if not name.startswith("_"):
            assert getattr(ff.Sim, name).__doc__, name
    assert ff.Sim.apply.__text_signature__ == "($self, body, force=None, moment=None, at=None, axes='world')"
    assert "Raises" in ff.Sim.__doc__ and "[N]" in ff.Sim.apply.__doc__
