# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Controllers in Python: what they see and ask for, how they fail, that their memory is saved; from Python and by the
program, which opens Python itself."""

import gc
import math
import os
import pathlib
import subprocess
import sys

import footfall as ff
import pytest

PROGRAM = pathlib.Path(ff.__path__[0]).parent.parent / "bin" / "footfall"
# In a build with sanitizers the program and the module that it loads would each bring a run-time library of theirs.
by_program = pytest.mark.skipif(not PROGRAM.exists() or "FOOTFALL_SANITIZED" in os.environ, reason="no program to try")

ROD = """footfall: 1
name: rod
bodies: {rod: {joint: {name: hinge, axis: z, range: [-1, 1], drive: {kind: ideal, loop: {kind: pd, kp: 100, kd: 20,
  rate: 1000}}}, inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}
sensors: {pot: {type: potentiometer, joint: hinge, rate: 1000}}
poses: {half: {hinge: 0.5}}
"""
SCENE = """footfall: 1
robot: rod.yaml
control: {python: c.py%s}
gravity: [0, 0, 0]
solver: {method: rk4, step: 1 ms}
record: {rate: 1000, channels: [joints.position]}
time: 0.2
"""
# A loop of 10 rad/s with damping 1 after 0.2 s: 1 - (1 + w t) exp(-w t). Sampled at 1 ms, it is late by half of that.
RISEN = 1 - 3 * math.exp(-2)


@pytest.fixture
def scene(tmp_path):
    """Writes a controller and returns the scene that it steers."""

    def make(text, more=""):
        (tmp_path / "rod.yaml").write_text(ROD)
        (tmp_path / "c.py").write_text(text)
        (tmp_path / "s.yaml").write_text(SCENE % more)
        return ff.Scene(tmp_path / "s.yaml")

    return make


HALF = "def cycle(t, sensors, references):\n    references['hinge.position'] = 0.5\n"


def test_frames_in_and_out(scene):
    run = scene(HALF).run()
    assert run.sim.q[0] == pytest.approx(0.5 * RISEN, abs=0.005)


def test_it_knows_its_robot_and_parameters(scene):
    text = """
import numpy as np

def start(robot):
    p = robot.parameters
    assert (p["gain"], p["on"], p["name"], p["list"], p["deep"]) == (0.25, True, "a b", [1, 2], {"x": -1})
    assert robot.name == "rod" and robot.period == 0.002
    assert robot.poses["half"]["hinge"] == 0.5 and robot.joints["hinge"].upper == 1 and robot.legs == []
    assert robot.sensors == {"pot.position": "rad"} and robot.references["hinge.force"] == "N m"
    assert 0 <= robot.random() < 1

def cycle(t, sensors, references):
    assert list(sensors) == ["pot.position"] and "pot.position" in sensors and len(references) == 3
    assert sensors.values[0] == sensors["pot.position"]
    assert np.isnan(references.values).all()
    references.values[references.names.index("hinge.position")] = 0.5
    assert references["hinge.position"] == 0.5 and references["hinge.speed"] is None
"""
    more = ", period: 2 ms, parameters: {gain: 1 / 4, on: true, name: a b, list: [1, 2], deep: {x: -1}}"
    assert scene(text, more).run().sim.q[0] == pytest.approx(0.5 * RISEN, abs=0.01)


def test_commands_reach_it_at_their_time(scene):
    text = """
memory = {"goal": 0.0, "at": -1.0}
def command(t, values):
    memory.update(goal=values["goal"], at=t)
def cycle(t, sensors, references):
    references["hinge.position"] = memory["goal"]
"""
    run = ff.Run(scene(text, ", commands: [{at: 0.1, goal: 0.5}]"))
    run.sim.run(0.1005)
    assert abs(run.sim.q[0]) < 1e-4  # the reference of 0.1 s has just begun to act
    run.command({"goal": -0.5})
    run.sim.run(0.2)
    assert run.sim.q[0] < -0.05


@pytest.mark.parametrize(
    "text, line, says",
    [
        ("raise ValueError('enough')", 2, "ValueError: enough"),
        ("1 / 0", 2, "ZeroDivisionError: division by zero"),
        ("references['hinge.positon'] = 0", 2, "no reference 'hinge.positon'; did you mean 'hinge.position'?"),
        ("sensors['pot.positoin']", 2, "no sensor 'pot.positoin'; did you mean 'pot.position'?"),
        ("sensors['pot.position'] = 1", 2, "sensors can be read only"),
        ("references['hinge.position'] = 'much'", 2, "TypeError: must be real number, not str"),
        ("references[0] = 1", 2, "a reference goes by its name, not by 0"),
        ("import json; json.loads('{')", 2, "(raised in"),
        ("memory['new'] = 1", 0, "'memory' holds something else than when the controller started"),
        ("memory['n'] = 'word'", 0, "memory.n has become <class 'str'>"),
        ("raise SystemExit(3)", 2, "SystemExit: 3"),
    ],
)
def test_one_that_fails_holds_its_robot(scene, text, line, says):
    body = (f"def cycle(t, sensors, references):\n    if t > 0.05: {text}\n    references['hinge.position'] = 0.5\n"
            "memory = {'n': 0}\n")
    run = ff.Run(scene(body))
    with pytest.raises(ff.ControlFailed) as raised:
        run.go()
    assert says in str(raised.value) and "failed at 0.051 s, and the robot is held since" in str(raised.value)
    assert raised.value.line == line and raised.value.file.endswith("c.py")
    assert run.sim.q[0] == pytest.approx(0.5 * RISEN, abs=0.005)  # went on to the end


@pytest.mark.parametrize(
    "text, line, says",
    [
        ("def cycle(", 1, "SyntaxError: '(' was never closed"),
        ("x = 1\nraise RuntimeError('no')", 2, "RuntimeError: no"),
        ("x = 1", 0, "there is no function cycle(t, sensors, references)"),
        ("cycle = 1", 0, "'cycle' is no function"),
        (HALF + "def start(robot):\n    robot.knees", 4, "has no attribute 'knees'"),
        (HALF + "memory = [1]", 0, "'memory' is <class 'list'> and should be a dict"),
        (HALF + "memory = {'a': 'b'}", 0, "memory.a is <class 'str'>: memory holds numbers"),
        (HALF + "memory = {1: 2}", 0, "keys are words, not 1"),
        (HALF + "memory = {}\nmemory['m'] = memory", 0, "nested deeper than 8"),
        (HALF + "memory = {'x' * 80: 1}", 0, "longer than 63 letters"),
        (HALF + "memory = {'x': [0] * 5000}", 0, "more than 4096 values"),
        (HALF + "\0", 0, "zero byte"),
    ],
)
def test_one_that_cannot_start_is_refused(scene, text, line, says):
    s = scene(text)
    with pytest.raises(ff.BadFile) as raised:
        ff.Run(s)
    assert says in str(raised.value) and f"c.py{':%d' % line if line else ''}: " in str(raised.value)


def test_references_without_sense_are_dropped(scene):
    text = "def cycle(t, sensors, references):\n    references['hinge.position'] = 0.5 if t < 0.1 else float('%s')\n"
    for word in ("nan", "inf"):
        run = scene(text % word).run()
        assert run.sim.q[0] == pytest.approx(0.5 * RISEN, abs=0.005)


def test_its_memory_is_saved_with_the_simulation(scene):
    text = """
robot = None
memory = {"count": 0, "on": True, "legs": [{"x": 0.0}, {"x": 1}]}
def start(given):
    global robot
    robot = given
def cycle(t, sensors, references):
    assert memory["on"] is True and type(memory["count"]) is int
    memory["count"] += 1
    memory["legs"][0]["x"] += 1e-3 * robot.random()
    memory["legs"] = list(memory["legs"])
    references["hinge.position"] = 1e-3 * memory["count"] + memory["legs"][0]["x"]
"""
    run = ff.Run(scene(text))
    run.sim.run(0.1)
    if not hasattr(run.sim, "save"):
        pytest.skip("nothing is saved yet")
    saved = run.sim.save()
    run.sim.run(0.2)
    first = run.sim.q[0]
    run.sim.restore(saved)
    run.sim.run(0.2)
    assert run.sim.q[0] == first != 0


def test_controllers_share_nothing(scene):
    s = scene("n = 0\ndef cycle(t, sensors, references):\n    global n\n    n += 1e-3\n"
              "    references['hinge.position'] = n\n")
    first, second = ff.Run(s), ff.Run(s)
    first.go()
    second.go()
    assert first.sim.q[0] == second.sim.q[0]


def test_frames_outlive_their_controller(scene):
    import builtins

    run = ff.Run(scene("import builtins\ndef cycle(t, s, r):\n    builtins.kept = s, r\n"
                       "    r['hinge.position'] = 0.25\n"))
    run.go()
    sensors, references = builtins.kept
    del builtins.kept
    run.close()
    gc.collect()
    assert references["hinge.position"] == 0.25 and references["hinge.speed"] is None
    assert math.isfinite(sensors["pot.position"])
    references["hinge.position"] = 1.0


def test_nothing_leaks(scene):
    s = scene(HALF + "memory = {'a': [1, 2]}\ndef start(robot):\n    pass\n")
    before = len(sys.modules)
    counts = []
    for _ in range(3):
        for _ in range(20):
            ff.Run(s).close()
        gc.collect()
        counts.append(len(gc.get_objects()))
    assert counts[2] == counts[1] and len(sys.modules) == before


INTERRUPTED = """import signal
def cycle(t, sensors, references):
    references['hinge.position'] = 0.5 if t < 0.0495 else -0.5
    if 0.0495 < t < 0.0505 and memory['first']:
        memory['first'] = 0
        signal.raise_signal(signal.SIGINT)
    if t > 0.0505:
        references['hinge.position'] = 0.5
memory = {'first': 1}
"""


@pytest.mark.parametrize("go", [lambda run: run.go(), lambda run: run.sim.run(0.2),
                                lambda run: [run.sim.step() for _ in range(200)]])
def test_an_interrupt_is_no_fault_of_the_controller(scene, go):
    """It ends the run behind the step in which it came, and what half a cycle asked for is not done."""
    run = ff.Run(scene(INTERRUPTED, ""))
    with pytest.raises(KeyboardInterrupt) as caught:
        go(run)
    assert any(str(entry.path).endswith("c.py") for entry in caught.traceback)
    assert run.sim.time <= 0.0515  # [s], steps of 1 ms
    whole = scene(HALF).run()
    run.sim.run(0.2)  # and it goes on
    assert run.sim.q[0] == whole.sim.q[0]


@pytest.mark.parametrize("text", ["import signal\nsignal.raise_signal(signal.SIGINT)\n" + HALF,
                                  HALF + "def start(robot):\n    raise KeyboardInterrupt\n"])
def test_an_interrupt_while_a_controller_starts(scene, text):
    with pytest.raises(KeyboardInterrupt):
        ff.Run(scene(text))


def test_an_interrupt_out_of_a_command(scene):
    run = ff.Run(scene(HALF + "def command(t, values):\n    if values['speed'] > 1: raise KeyboardInterrupt\n"))
    with pytest.raises(KeyboardInterrupt):
        run.command({"speed": 2})
    run.command({"speed": 1})
    assert run.go()


def test_simulations_within_a_controller(scene):
    """A controller may run a simulation of its own; an interrupt ends both."""
    text = HALF.replace("    references", "    sim.run(sim.time + 0.001)\n    references") + """
import footfall as ff, signal
spec = ff.Spec("p")
spec.add_body("bob", mass=1.0, com=[0, 0, -1])
spec.add_joint("swing", "bob", axis=[0, 1, 0])
sim = ff.Sim(spec.compile(), "rk4", contacts=False)
"""
    run = ff.Run(scene(text))
    assert run.go() and run.sim.q[0] == pytest.approx(0.5 * RISEN, abs=0.005)
    run = ff.Run(scene(text.replace("    sim.run", "    if t > 0.1: signal.raise_signal(signal.SIGINT)\n    sim.run")))
    with pytest.raises(KeyboardInterrupt):
        run.go()
    assert 0.09 < run.sim.time < 0.11


def test_the_example_walks_as_its_twin_in_lua():
    root = pathlib.Path(__file__).parents[2]
    runs = []
    for file in ("python/examples/tripod.yaml", "experiments/anton-lua-tripod.yaml"):
        try:
            runs.append(ff.Run(ff.Scene(root / file)))
        except ff.Error as error:
            if "Lua" in str(error):
                pytest.skip("built without Lua")
            raise
        runs[-1].sim.run(0.6)
    # The two differ by the last bits of sine and arc tangent, which a walk of half a second does not yet spread.
    assert abs(runs[0].sim.q - runs[1].sim.q).max() < 1e-9
    assert runs[0].sim.q[0] > 0.01


# The program opens Python by itself. ---------------------------------------------------------------------------------


def footfall(*words, cwd):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    return subprocess.run([PROGRAM, *words], cwd=cwd, env=environment, capture_output=True, text=True, timeout=60)


@by_program
def test_the_program_runs_it_where_it_may(scene, tmp_path):
    scene("print('loaded')\n" + HALF)
    refused = footfall("run", "s.yaml", cwd=tmp_path)
    assert refused.returncode == 2 and "c.py asks for python" in refused.stderr and "--allow python" in refused.stderr
    checked = footfall("check", "s.yaml", cwd=tmp_path)
    assert checked.returncode == 0 and "s.yaml:3:19: warning: the script was not started" in checked.stdout
    assert "loaded" not in refused.stderr + checked.stdout + checked.stderr
    done = footfall("run", "s.yaml", "--allow", "python", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "loaded\n"), done.stderr
    scene(HALF + "    if t > 0.1: raise ValueError('enough')\n")
    failed = footfall("run", "s.yaml", "--allow", "python", cwd=tmp_path)
    assert failed.returncode == 3 and "c.py:3: error: the controller failed at 0.101 s" in failed.stderr
    scene("import nowhere\n" + HALF)
    missing = footfall("run", "s.yaml", "--allow", "python", cwd=tmp_path)
    assert missing.returncode == 2 and "c.py:1: ModuleNotFoundError: No module named 'nowhere'" in missing.stderr


@by_program
def test_another_python_on_the_path_does_not_count(scene, tmp_path):
    scene("import numpy\n" + HALF)
    library = tmp_path / "other" / "lib" / f"python3.{sys.version_info.minor}"
    for folder in (tmp_path / "other" / "bin", library / "lib-dynload"):
        folder.mkdir(parents=True)
    (library / "os.py").touch()  # by which Python knows an installation
    (tmp_path / "other" / "bin" / "python3").touch(mode=0o755)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    environment["PATH"] = f"{tmp_path / 'other' / 'bin'}:{environment['PATH']}"
    done = subprocess.run([PROGRAM, "run", "s.yaml", "--allow", "python"], cwd=tmp_path, env=environment,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


@by_program
def test_the_program_says_what_is_missing(scene, tmp_path):
    scene(HALF)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "footfall").write_bytes(PROGRAM.read_bytes())  # no module lies beside this one
    (tmp_path / "bin" / "footfall").chmod(0o755)
    done = subprocess.run([tmp_path / "bin" / "footfall", "run", "s.yaml", "--allow", "python"], cwd=tmp_path,
                          env={"PATH": "/usr/bin", "PYTHONNOUSERSITE": "1", "PYTHONPATH": str(tmp_path)},
                          capture_output=True, text=True, timeout=60)
    if done.returncode == 0:
        pytest.skip("the module is installed for all")
    assert done.returncode == 2
    assert "s.yaml:3:19: error: a controller in Python needs the module footfall" in done.stderr


@by_program
def test_an_interrupt_out_of_a_cycle_is_a_fault_in_the_program(scene, tmp_path):
    scene("def cycle(t, sensors, references):\n    raise KeyboardInterrupt\n")
    done = footfall("run", "s.yaml", "--allow", "python", cwd=tmp_path)
    assert done.returncode == 3 and "KeyboardInterrupt" in done.stdout + done.stderr
