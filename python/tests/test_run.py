# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Scenes and runs from Python, with the errors of their files."""
import warnings

import footfall as ff
import numpy as np
import pytest
from conftest import ROOT

WALK = ROOT / "experiments" / "anton-tripod.yaml"
PENDULUM = ROOT / "experiments" / "pendulum-period.yaml"


@pytest.fixture(scope="module")
def walk():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the window of its metrics lies beyond so short a time
        return ff.Scene(WALK, overrides={"time": "0.3 s"})


def test_a_run_measures_and_evaluates():
    scene = ff.Scene.of_robot(ROOT / "examples" / "dog.yaml", time="0.2 s")
    run = scene.run()
    assert run.metrics["time"] == pytest.approx(0.2) and run.passed and run.verdicts == []
    assert run.metric("time") == run.metrics["time"]
    assert scene.model.name == "dog" and run.scene is scene


def test_a_run_can_be_commanded_and_put(walk):
    run = ff.Run(walk, seed=3, touchable=True)
    assert run.metrics == {} and not run.passed
    assert "speed" in run.commands()
    run.command({"speed": 0.05})
    assert run.commands()["speed"][0] == pytest.approx(0.05)
    run.sim.run(0.1)
    run.push(run.sim.model.bodies[0], [0, 5, 0], 0.05)
    assert run.go() in (True, False)
    assert run.sim.time == pytest.approx(0.3) and len(run.metrics) > 10
    assert all(v.metric and v.met in (True, False) for v in run.verdicts)
    run.put_robot(pos=[0, 0, 1])
    assert run.sim.q[2] == pytest.approx(1.0)


def test_runs_of_a_scene_are_bit_identical_to_pieces(walk):
    whole, pieces = ff.Run(walk), ff.Run(walk)
    whole.go()
    for until in np.linspace(0.1, 0.3, 3):
        pieces.sim.run(until)
    assert whole.sim.hash == pieces.sim.hash


def test_the_simulation_of_a_run_closes_with_it(walk):
    run = ff.Run(walk)
    sim, q = run.sim, run.sim.q
    run.close()
    assert np.isfinite(q).all()
    for use in (run.go, sim.step, lambda: run.metrics):
        with pytest.raises(ff.Closed):
            use()
    sim = ff.Run(walk).sim  # nobody else holds the run
    assert sim.step()


def test_an_error_has_its_place_and_advice():
    with pytest.raises(ff.BadFile) as caught:
        ff.Scene.from_text("footfall: 1\nrobot: no-such-robot.yaml\nsolver: {stp: 1 ms}\n", "mine.yaml")
    error = caught.value
    assert error.file == "mine.yaml" and error.line == 3 and error.column == 10
    assert "did you mean 'step'" in error.advice
    assert error.status == "BadFile" and isinstance(error, (ff.BadInput, ValueError))
    assert str(error).startswith("mine.yaml:3:10: error: ")


@pytest.mark.parametrize("wrong, error, words", [
    (lambda w: ff.Scene("no-such-file.yaml"), ff.BadInput, "no-such-file.yaml"),
    (lambda w: ff.Scene(3), TypeError, "path must be a path"),
    (lambda w: ff.Scene(WALK, overrides="time=1"), TypeError, "overrides must be a list"),
    (lambda w: ff.Scene(WALK, overrides=[3]), TypeError, r"overrides\[0\] must be a str"),
    (lambda w: ff.Scene(WALK, overrides={3: 4}), TypeError, "path must be a str"),
    (lambda w: ff.Scene(WALK, overrides={"time": object()}), TypeError, "serializable"),
    (lambda w: ff.Scene(WALK, tme=3), ff.BadFile, "did you mean 'time'"),
    (lambda w: ff.Scene.of_robot(WALK, "lying"), ff.BadArgument, "how is \"lying\""),
    (lambda w: ff.Run(3), TypeError, "Scene"),
    (lambda w: ff.Run(w, time=float("nan")), ff.BadArgument, "time is nan"),
    (lambda w: ff.Run(w, seed=-1), ff.BadArgument, "seed is -1: it must be from 0 to 18446744073709551615"),
    (lambda w: ff.Run(w, allow=["roof"]), ff.BadArgument, r"allow\[0\] is 'roof'"),
    (lambda w: ff.Run(w).command({"sped": 1}), ff.BadInput, "sped"),
    (lambda w: ff.Run(w).command({"speed": 1}, robot=7), ff.BadArgument, "robot is 7"),
    (lambda w: ff.Run(w).command({"speed": 1}, robot="robt"), ff.NotFound, "did you mean 'robot'"),
    (lambda w: ff.Run(w).push("anton", [1, 2], 1), ff.BadArgument, "force has 2"),
    (lambda w: ff.Run(w).metric("time"), ff.NotFound, "has not gone yet"),
    (lambda w: ff.Run(w).set_parameter("gain", 1), ff.BadInput, ""),
])
def test_what_is_wrong_is_named(walk, wrong, error, words):
    with pytest.raises(error, match=words):
        wrong(walk)


def test_warnings_are_those_of_python():
    with pytest.warns(ff.Warning, match="anton-tripod.yaml:16"):
        ff.Scene(WALK, time="0.3 s")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ff.Warning):
            ff.Scene(WALK, time="0.3 s")
