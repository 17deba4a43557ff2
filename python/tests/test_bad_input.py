# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Whatever a caller gives: an exception that names it, and a simulation that goes on as before."""
import array

import footfall as ff
import numpy as np
import pytest

NAN, INF = float("nan"), float("inf")


class Hostile:
    """Raises from within every conversion."""

    def __float__(self):
        raise RuntimeError("no number")

    def __array__(self, *unused, **named):
        raise RuntimeError("no array")

    def __len__(self):
        raise RuntimeError("no length")


WRONG = [
    (lambda s: setattr(s, "q", [0.0]), ff.BadArgument, "q has 1 number"),
    (lambda s: setattr(s, "q", s.q.reshape(1, -1)), ff.BadArgument, "2 dimensions"),
    (lambda s: setattr(s, "q", s.q * NAN), ff.BadArgument, r"q\[0\] is nan"),
    (lambda s: setattr(s, "v", np.full(s.model.nv, INF)), ff.BadArgument, r"v\[0\] is inf"),
    (lambda s: setattr(s, "torques", "abc"), TypeError, "torques must be numbers"),
    (lambda s: setattr(s, "torques", None), (TypeError, ff.BadArgument), "torques"),
    (lambda s: setattr(s, "torques", s.v + 1j), TypeError, "torques must be numbers"),
    (lambda s: setattr(s, "q", Hostile()), RuntimeError, "no"),
    (lambda s: delattr(s, "q"), AttributeError, "q cannot be deleted"),
    (lambda s: setattr(s, "state", s.state), AttributeError, ""),
    (lambda s: setattr(s, "time", 3), AttributeError, ""),
    (lambda s: s.run(NAN), ff.BadArgument, "until is nan"),
    (lambda s: s.run(-1.0), ff.BadArgument, "time goes forward"),
    (lambda s: s.run(1e30), ff.BadArgument, "ends before"),
    (lambda s: s.run("soon"), TypeError, "until must be a number"),
    (lambda s: s.run(Hostile()), RuntimeError, "no number"),
    (lambda s: s.step("x"), TypeError, "until must be a number"),
    (lambda s: s.reset("stnd"), ff.NotFound, "did you mean 'stand'"),
    (lambda s: s.reset("sta\0nd"), ValueError, "null"),
    (lambda s: s.restore(b"x"), ff.BadFile, "too short"),
    (lambda s: s.restore(s.save()[:-8]), ff.BadFile, ""),
    (lambda s: s.restore(3), TypeError, "saved must be bytes"),
    (lambda s: s.apply("trnk"), ff.NotFound, "did you mean 'trunk'"),
    (lambda s: s.set_mocap("trunk"), ff.BadArgument, "no mocap body"),
    (lambda s: s.set_mocap("trunk", pos=[1, 2]), ff.BadArgument, "pos has 2"),
    (lambda s: s.apply(3), TypeError, "a body is named by a str"),
    (lambda s: s.apply("trunk", force=[1, 2]), ff.BadArgument, "force has 2"),
    (lambda s: s.apply("trunk", moment=[0, NAN, 0]), ff.BadArgument, r"moment\[1\] is nan"),
    (lambda s: s.apply("trunk", at=[[1, 2, 3]]), ff.BadArgument, "at has 3 numbers in 2"),
    (lambda s: s.apply("trunk", axes="moon"), ff.BadArgument, "axes is 'moon'"),
    (lambda s: s.jacobian("trunk", "x"), TypeError, "point must be numbers"),
    (lambda s: s.pose("\udcff"), (UnicodeError, ff.NotFound), ""),
    (lambda s: s.joint("FL_nee"), ff.NotFound, "did you mean 'FL_knee'"),
    (lambda s: s.joint("trunk"), ff.BadArgument, "free joint"),
    (lambda s: s.set_torque("FL_knee", NAN), ff.BadArgument, "torque is nan"),
    (lambda s: s.command("x", 1.0), ff.NotFound, "there are none"),
    (lambda s: s.command_drive("x", 1.0), ff.NotFound, "there are none"),
    (lambda s: s.sensor("x"), ff.NotFound, "there are none"),
    (lambda s: s.ledger, ff.BadArgument, "ledger=True"),
    (lambda s: ff.Sim(s), TypeError, "Model"),
    (lambda s: ff.Sim(s.model, "eulr"), ff.NotFound, "euler"),
    (lambda s: ff.Sim(s.model, step=-1.0), ff.BadArgument, "step"),
    (lambda s: ff.Sim(s.model, step=NAN), ff.BadArgument, "step is nan"),
    (lambda s: ff.Sim(s.model, key="sit"), ff.NotFound, "keyframe"),
    (lambda s: ff.Sim(s.model, floor="cheese"), ff.NotFound, "cheese"),
    (lambda s: ff.Model(), TypeError, ""),
    (lambda s: ff.run_batch([s, s], 1.0), ff.BadArgument, r"sims\[1\]"),
    (lambda s: ff.run_batch([s, 3], 1.0), TypeError, r"sims\[1\]"),
    (lambda s: ff.run_batch([s], 1.0, threads=-2), ff.BadArgument, "threads"),
    (lambda s: ff.run_batch(3, 1.0), TypeError, ""),
    (lambda s: ff.load_model("no-such.urdf"), ff.BadInput, "no-such.urdf"),
    (lambda s: ff.load_model(None), TypeError, "path must be a path"),
    (lambda s: ff.load_model("a\0b"), ValueError, ""),
    (lambda s: ff.load_model("x.urdf", search_paths="/tmp"), TypeError, "search_paths must be a list"),
]


@pytest.mark.parametrize("wrong, error, words", WRONG)
def test_what_is_wrong_is_named_and_changes_nothing(dog, wrong, error, words):
    sim = ff.Sim(dog, key="stand")
    before = sim.hash
    with pytest.raises(error, match=words):
        wrong(sim)
    assert sim.hash == before
    sim.step()


def test_whatever_numpy_takes_for_numbers_is_taken(dog):
    sim = ff.Sim(dog)
    zeros = [0.0] * dog.nv
    for numbers in (zeros, tuple(zeros), array.array("d", zeros), np.zeros(dog.nv, np.float32),
                    np.zeros(2 * dog.nv)[::2], np.zeros(dog.nv, int), memoryview(np.zeros(dog.nv))):
        sim.v = numbers


def test_a_state_that_cannot_be_is_reported_with_its_cause(dog):
    sim = ff.Sim(dog, "euler", contacts=False)
    sim.v = np.full(dog.nv, 1e7)
    with pytest.raises(ff.Diverged, match="at|s") as caught:
        sim.run(1.0)
    assert isinstance(caught.value, ArithmeticError)
