# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""What is said of every public type: its line in a shell, copies, pickles, classes made of it, seeds and names."""

import copy
import pickle
import re

import footfall as ff
import numpy as np
import pytest
from conftest import ROOT, pendulum
from footfall import _core

CMAKE = (ROOT / "CMakeLists.txt").read_text()


@pytest.fixture(scope="module")
def scene():
    return ff.Scene(ROOT / "experiments" / "e1-rubber-bounce.yaml", time=0.01)


def test_the_version_is_that_of_the_project():
    (version,) = re.findall(r"project\(footfall VERSION ([0-9.]+)", CMAKE)
    assert ff.__version__ == version


def test_each_says_what_it_is(scene):
    sim, run, spec = ff.Sim(pendulum(), "rk4", contacts=False), ff.Run(scene), ff.Spec("arm")
    sim.run(0.25)
    assert repr(sim) == '<footfall.Sim of "pendulum": t = 0.25 s, by rk4>'
    assert repr(run).startswith('<footfall.Run of "') and "at 0 of 0.01 s" in repr(run)
    run.go()
    assert re.search("gone to 0.01 s, expectations (met|missed)>", repr(run))
    assert repr(scene).endswith(f'e1-rubber-bounce.yaml: "{scene.title}", 0.01 s>')
    assert repr(spec) == '<footfall.Spec "arm": 0 bodies, 0 joints>'
    assert repr(ff.plot([0, 1], [1, 2])) == "<footfall.Figure: panels 1, curves 1>"
    assert repr(ff.Report("page")) == "<footfall.Report: a page of 4 characters>"
    for thing in (sim, run):
        thing.close()
        assert repr(thing).endswith(": closed>")


def test_no_public_type_has_a_bare_line():
    bare = [name for name in dir(ff) if isinstance(getattr(ff, name), type) and
            getattr(ff, name).__repr__ is object.__repr__]
    assert not bare


def test_what_never_changes_is_its_own_copy(scene):
    for thing in (pendulum(), scene):
        assert copy.copy(thing) is thing and copy.deepcopy(thing) is thing


def test_records_and_errors_can_be_copied_and_pickled():
    sim = ff.Sim(pendulum(), contacts=False)
    for record in (sim.energy, sim.counts):
        assert copy.copy(record) == record and pickle.loads(pickle.dumps(record)) == record
    with pytest.raises(ff.NotFound) as caught:
        sim.pose("bbo")
    error = pickle.loads(pickle.dumps(caught.value))
    assert type(error) is ff.NotFound and str(error) == str(caught.value) and error.advice == caught.value.advice


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, pickle.dumps])
def test_what_runs_cannot_be_copied_and_says_what_can_be_done(scene, how):
    for thing in (ff.Sim(pendulum(), contacts=False), ff.Run(scene)):
        with pytest.raises(TypeError, match=r"cannot be copied or pickled: .* restore\(\) what save\(\)"):
            how(thing)
    for thing in (ff.Spec("arm"), ff.Spec("arm").add_body("a")):
        with pytest.raises(TypeError, match="cannot pickle"):
            how(thing)


@pytest.mark.parametrize("thing", [ff.Sim, ff.Run, ff.Scene, ff.Model, ff.Spec, ff.SpecItem])
def test_types_of_c_are_final(thing):
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Mine", (thing,), {})


SEEDED = [lambda scene, seed: ff.Sim(scene.model, seed=seed), lambda scene, seed: ff.Run(scene, seed=seed),
          lambda scene, seed: scene.run(seed=seed)]


@pytest.mark.parametrize("make", SEEDED)
def test_one_rule_for_seeds(scene, make):
    for seed in (-1, 2**64, -2**70):
        with pytest.raises(ff.BadArgument, match=f"seed is {seed}: it must be from 0 to 18446744073709551615"):
            make(scene, seed)
    for seed in (0.5, "1", [1]):
        with pytest.raises(TypeError, match="seed must be an int"):
            make(scene, seed)
    for seed in (0, 2**64 - 1, np.int64(3)):
        make(scene, seed)


@pytest.mark.parametrize("use", [
    lambda s: s.model.joint("swing\0x"), lambda s: s.pose("bob\0x"), lambda s: ff.Spec("a").add_body("a\0b"),
    lambda s: setattr(ff.Spec("a"), "name", "a\0b"), lambda s: ff.Spec("a\0b"), lambda s: ff.Sim(s.model, floor="a\0b"),
    lambda s: setattr(ff.Spec("a").add_body("b"), "mass\0", 1),
    lambda s: ff.Spec("a").add_drive("d", settings={"a\0": 1}),
    lambda s: ff.Spec.from_text("footfall: 1", "yaml", "a\0b"), lambda s: s.reset("a\0b"),
    lambda s: ff.load_model("x.urdf", search_paths=["a\0b"]),
])
def test_names_are_not_cut_at_a_zero_character(use):
    with pytest.raises((ValueError, AttributeError), match="zero|null"):
        use(ff.Sim(pendulum(), contacts=False))


@pytest.mark.parametrize("floor", [3, None, 1.0, ["rubber"]])
def test_a_floor_is_a_bool_or_a_name(floor):
    with pytest.raises(TypeError, match="floor must be a bool or the name of a material"):
        ff.Sim(pendulum(), floor=floor)


@pytest.mark.parametrize("triangles, says", [
    ([[0, 1, 0.5]], r"triangles\[0\]\[2\] is 0.5: it must be the number of a vertex, 0 to 3"),
    ([[0, 1, 2], [0, 1, 4]], r"triangles\[1\]\[2\] is 4"),
    ([[-1, 1, 2]], r"triangles\[0\]\[0\] is -1"),
])
def test_triangles_name_vertices(triangles, says):
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    with pytest.raises(ff.BadArgument, match=says):
        ff.Spec("a").add_mesh("m", vertices=corners, triangles=triangles)


@pytest.mark.parametrize("quat, unit", [
    ([2, 0, 0, 2], [0.5**0.5, 0, 0, 0.5**0.5]), ([0, 1e200, 0, 0], [0, 1, 0, 0]), ([0, 0, 1e-200, 0], [0, 0, 1, 0]),
    ([0, 0, 0, 0], [1, 0, 0, 0]),
])
def test_quaternions_get_the_length_one(dog, quat, unit):
    """One of length 0 is no rotation, as in C."""
    sim = ff.Sim(dog, contacts=False)
    q = sim.q.copy()
    q[3:7] = quat
    sim.q = q
    assert sim.q[3:7] == pytest.approx(unit, abs=1e-15)
    assert sim.pose("trunk")[1] == pytest.approx(unit, abs=1e-15)


def test_a_position_that_was_read_can_be_written_back(dog):
    sim = ff.Sim(dog, key="stand")
    sim.v = np.linspace(-1, 1, dog.nv)
    sim.run(0.05)
    before = sim.hash
    sim.q = sim.q.copy()
    assert sim.hash == before


def test_who_closes_a_run_closes_its_simulation(scene):
    for close in (lambda run: run.close(), lambda run: run.sim.close()):
        run = ff.Run(scene)
        kept = run.sim.q
        close(run)
        assert run.sim.closed and len(kept) > 0
        for use in (run.go, run.sim.step, run.news, lambda: run.metrics, lambda: run.recording, run.certify):
            with pytest.raises(ff.Closed):
                use()
        run.close()
        run.sim.close()  # again does nothing


def test_a_push_names_what_it_needs(scene):
    body = scene.model.bodies[0]
    with pytest.raises(ff.BadArgument, match=r"Run\(scene, touchable=True\)"):
        ff.Run(scene).push(body, [0, 0, 1], 0.1)
    ff.Run(scene, touchable=True).push(body, [0, 0, 1], 0.1)


def test_a_team_and_a_frame_say_what_they_are(tmp_path):
    (tmp_path / "rod.yaml").write_text("""footfall: 1
name: rod
bodies: {rod: {joint: {name: hinge, axis: z, drive: {kind: ideal}}, inertial: {mass: 1, com: [0, 0, 0],
  inertia: [1, 1, 1]}}}
sensors: {tacho: {type: tachometer, joint: hinge, rate: 1000}}
""")
    team = _core.Team(ff.Scene.from_text("footfall: 1\nrobot: rod.yaml\ncontrol: {callback: x}\ntime: 1\n",
                                         str(tmp_path / "s.yaml")), 3, 0.001)
    assert repr(team) == f"<footfall.Team: 3 runs of {tmp_path / 's.yaml'}>"
