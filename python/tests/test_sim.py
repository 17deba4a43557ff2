# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""The simulation from Python: state, views, errors."""
import os

import footfall as ff
import numpy as np
import pytest

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
DOG = os.path.join(ROOT, "examples", "dog.yaml")


def test_views_follow_the_simulation_without_copies():
    sim = ff.Sim(ff.load_model(DOG))
    q, v = sim.q, sim.v
    assert q is sim.q and len(q) == sim.model.nq and len(v) == sim.model.nv
    before = q.copy()
    sim.run(0.1)
    assert sim.time == pytest.approx(0.1, abs=1e-12)
    assert not np.array_equal(q, before)
    with pytest.raises(ValueError):
        q[0] = 1.0


def test_views_outlive_the_simulation():
    sim = ff.Sim(ff.load_model(DOG))
    q = sim.q
    last = q.copy()
    sim.close()
    assert np.array_equal(q, last)
    with pytest.raises(ff.Closed):
        sim.step()
    with pytest.raises(ff.Closed):
        sim.q


def test_an_error_has_its_place():
    with pytest.raises(ff.BadFile) as caught:
        ff.Scene.from_text("robot: no-such-robot.yaml\nspeed: 3\n", "mine.yaml")
    assert caught.value.file == "mine.yaml"
    assert caught.value.line > 0 and caught.value.column > 0
    assert isinstance(caught.value, (ff.Error, ValueError))
