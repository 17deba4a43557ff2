# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Environments: the calls of Gymnasium, one robot and many, the same numbers by seed whatever the threads."""

import importlib.util
import pathlib
import signal
import sys
import threading

import footfall as ff
import numpy as np
import pytest
from footfall import _core, env
from footfall.spaces import Box, Discrete

ROD = """footfall: 1
name: rod
bodies: {rod: {joint: {name: hinge, axis: z, drive: {kind: ideal}},
  inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}
sensors: {tacho: {type: tachometer, joint: hinge, rate: 1000}}
"""
SCENE = """footfall: 1
robot: rod.yaml
control: {callback: test}
effects: {sensors: perfect}
gravity: [0, 0, 0]
solver: {method: rk4, step: 1 ms}
"""


class Turn(env.Task):
    """A rod of 1 kg m^2 is to turn; an action is its torque [N m]."""

    period = 0.01
    limit = 20

    def __init__(self, folder, spread=0.0):
        (folder / "rod.yaml").write_text(ROD)
        (folder / "s.yaml").write_text(SCENE)
        self.scene = ff.Scene(folder / "s.yaml")
        self.spread = spread

    def setup(self, robots):
        self.actions = 1
        self.column = robots.reference("hinge.force")
        self.tacho = robots.sensor("tacho.speed")

    def start(self, robots, i):
        return robots.start_q, robots.start_v + self.spread * robots.random.standard_normal(1)

    def act(self, robots, action):
        robots.references[:, self.column] = action

    def observe(self, robots):
        return np.hstack([robots.q, robots.sensors[:, self.tacho]])

    def reward(self, robots, action):
        return robots.v[:, 0]

    def fallen(self, robots):
        return robots.q[:, 0] > 0.01


def test_one_robot(tmp_path):
    e = env.Env(Turn(tmp_path), render_mode=None)
    seen, info = e.reset(seed=3)
    assert seen.tolist() == [0, 0] and info == {"time": 0}
    assert seen in e.observation_space and e.action_space.shape == (1,)
    for k in range(1, 100):
        seen, reward, terminated, truncated, info = e.step([1.0])
        # A torque of 1 N m on 1 kg m^2, whose first cycle is the one at the start, before the action: 1 ms late.
        t = 0.01 * k - 0.001
        assert seen[0] == pytest.approx(t * t / 2, abs=1e-12) and reward == pytest.approx(t, abs=1e-12)
        assert seen[1] == pytest.approx(t, abs=1e-12) and info["time"] == pytest.approx(0.01 * k)
        if terminated:
            break
    assert k == 15 and not truncated and type(terminated) is bool  # sqrt(2 * 0.01 / 1) = 0.141 s
    with pytest.raises(ff.BadArgument, match="the episode is over"):
        e.step([0.0])
    e.reset()
    for k in range(20):
        _, _, terminated, truncated, _ = e.step(np.zeros(1))
    assert truncated and not terminated
    assert e.render() is None
    e.close()
    with pytest.raises(ff.BadArgument, match="closed"):
        e.reset()


def test_a_start_of_ones_own(tmp_path):
    e = env.Env(Turn(tmp_path))
    seen, _ = e.reset(seed=1, options={"q": [0.005], "v": [0.25]})
    seen, reward, *_ = e.step([0.0])
    assert seen[0] == pytest.approx(0.005 + 0.0025, abs=1e-12) and reward == 0.25
    with pytest.raises(ff.BadArgument, match="there are 'q' and 'v'"):
        e.reset(options={"speed": 1})


@pytest.mark.parametrize(
    "action, says",
    [
        ([np.nan], "is nan: it must be finite"),
        ([np.inf], "is inf: it must be finite"),
        ([0.0, 0.0], r"shape \(2,\): it must be \(1,\)"),
        ([[0.0]], r"shape \(1, 1\): it must be \(1,\)"),
        (["fast"], "could not convert"),
        (None, "is nan"),
    ],
)
def test_bad_actions_are_refused(tmp_path, action, says):
    e = env.Env(Turn(tmp_path))
    e.reset(seed=1)
    if action is None:
        action = [None]
    with pytest.raises((ff.BadArgument, ValueError), match=says):
        e.step(action)
    e.step([0.0])  # and the episode goes on


def episodes(task, count, threads, steps=25):
    many = env.VectorEnv(task, count, threads)
    seen, _ = many.reset(seed=7)
    random = np.random.default_rng(5)
    all_seen, finals = [seen], 0
    for _ in range(steps):
        seen, rewards, terminated, truncated, infos = many.step(random.uniform(-1, 1, (count, task.actions)))
        assert rewards.shape == terminated.shape == truncated.shape == (count,)
        if "final_obs" in infos:
            finals += infos["_final_obs"].sum()
            assert (infos["_final_obs"] == (terminated | truncated)).all()
        all_seen.append(seen)
    many.close()
    return np.array(all_seen), finals


def test_threads_change_nothing(tmp_path):
    task = Turn(tmp_path, spread=0.05)
    one, finals = episodes(task, 6, 1)
    assert finals > 0  # some episodes ended, and others began in their place
    for threads in (2, 3):
        assert (episodes(task, 6, threads)[0] == one).all()


def test_each_of_many_is_as_one_alone(tmp_path):
    task = Turn(tmp_path, spread=0.01)
    many = env.VectorEnv(task, 3)
    seen, _ = many.reset(seed=10)
    alone = env.Env(task)
    for i in range(3):
        assert (alone.reset(seed=10 + i)[0] == seen[i]).all()
    step = many.step(np.full((3, 1), 0.5))
    assert (alone.step([0.5])[0] == step[0][2]).all()
    with pytest.raises(ff.BadArgument, match="2 seeds for 3 robots"):
        many.reset(seed=[1, 2])
    with pytest.raises(ff.BadArgument, match="shape"):
        many.step(np.zeros((2, 1)))


def test_errors_of_sensors_follow_the_seed(tmp_path):
    task = Turn(tmp_path)
    (tmp_path / "rod.yaml").write_text(ROD.replace("rate: 1000}", "rate: 1000, noise: 0.1}"))
    task.scene = ff.Scene(tmp_path / "s.yaml", overrides={"effects.sensors": "real"})
    many = env.VectorEnv(task, 3)
    first = many.reset(seed=[1, 1, 2])[0][:, 1]
    assert first[0] == first[1] != first[2] != 0
    assert many.reset()[0][0, 1] != first[0]  # another episode


def test_robots_of_ours():
    """ANTON stands still without actions and walks by those of its gait; the humanoid stays up and can be felled."""
    task = env.AntonWalk()
    e = env.Env(task)
    e.reset(seed=1)
    for _ in range(10):
        seen, reward, terminated, truncated, _ = e.step(np.zeros(task.actions))
    assert not terminated and abs(reward) < 0.01 and seen in e.observation_space and task.actions == 18
    task = env.BipedStand()
    task.push = 0.05
    many = env.VectorEnv(task, 2)
    many.reset(seed=1)
    down = np.array([[0.0] * 12, [1.0] * 12])  # the second turns every joint of its legs as far as it can
    fell = np.zeros(2, bool)
    for _ in range(60):
        terminated = many.step(down)[2]
        fell |= terminated
    assert fell.tolist() == [False, True]


def test_a_failed_simulation_ends_its_episode(tmp_path):
    e = env.Env(Turn(tmp_path))
    e.reset(seed=1, options={"v": [1e300]})
    _, _, terminated, _, info = e.step([0.0])
    assert terminated and "diverged" in info["failed"]
    e.reset()
    assert not e.step([0.0])[2]


def test_two_threads_in_one_team(tmp_path):
    team = _core.Team(Turn(tmp_path).scene, 4, 20.0)
    team.begin(range(4), range(4))
    thread = threading.Thread(target=team.step)
    thread.start()
    caught = 0
    while thread.is_alive():
        try:
            team.put(0, [0.0], [0.0])
        except ff.Busy:
            caught += 1
    thread.join()
    assert caught > 0


@pytest.mark.parametrize("arguments", [(0, 0.01), (2, 0.0), (2, float("nan")), (2, 0.01, -1), (-5, 0.01)])
def test_bad_teams_are_refused(tmp_path, arguments):
    with pytest.raises(ff.BadArgument):
        _core.Team(Turn(tmp_path).scene, *arguments)


def test_bad_members_are_refused(tmp_path):
    team = _core.Team(Turn(tmp_path).scene, 2, 0.01)
    for members, seeds in ([[2], [0]], [[-1], [0]], [[0, 0], [1, 2]], [[0], []], [[0, 1, 1], [0, 0, 0]]):
        with pytest.raises(ff.BadArgument):
            team.begin(members, seeds)
    for members, seeds in ([["a"], [0]], [[0], ["a"]], [3, 3]):
        with pytest.raises(TypeError):
            team.begin(members, seeds)
    with pytest.raises(ff.BadArgument):
        team.put(0, [0.0], [0.0])  # has not begun
    team.begin([0, 1], [0, 0])
    with pytest.raises(ff.BadArgument):
        team.put(0, [0.0, 1.0], [0.0])


def test_a_scene_without_frames_is_refused(tmp_path):
    (tmp_path / "ball.yaml").write_text(
        "footfall: 1\nname: b\nbodies: {b: {joint: free, inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}\n"
    )
    scene = ff.Scene.from_text("footfall: 1\nrobot: ball.yaml\ntime: 1\n", str(tmp_path / "s.yaml"))
    with pytest.raises(ff.BadArgument, match="control: {callback: NAME}"):
        _core.Team(scene, 1, 0.01)


def test_spaces():
    box = Box(-1.0, 2.0, (3,), seed=4)
    assert all(box.sample() in box for _ in range(100)) and [0, 0, 3] not in box and [0, 0] not in box
    assert (Box(-1.0, 2.0, (3,), seed=4).sample() == Box(-1.0, 2.0, (3,), seed=4).sample()).all()
    few = Discrete(3, seed=1)
    assert {int(few.sample()) for _ in range(100)} == {0, 1, 2} and 3 not in few


def test_gymnasium_finds_them(monkeypatch):
    for name in [n for n in sys.modules if n.split(".")[0] == "gymnasium"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(pathlib.Path(__file__).parent / "standin"))
    spec = importlib.util.spec_from_file_location("footfall.env_registered", env.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    gymnasium = sys.modules["gymnasium"]
    assert set(gymnasium.registry) == {"footfall/AntonWalk-v0", "footfall/BipedStand-v0"}
    e = gymnasium.make("footfall/BipedStand-v0", render_mode="ansi")
    assert isinstance(e, gymnasium.Env) and isinstance(e.action_space, gymnasium.spaces.Box)
    e.reset(seed=1)
    assert "upright 1.00" in e.render()
    many = gymnasium.make_vec("footfall/AntonWalk-v0", num_envs=2)
    assert isinstance(many, gymnasium.vector.VectorEnv) and many.num_envs == 2
    assert many.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
    for name in [n for n in sys.modules if n.split(".")[0] == "gymnasium"]:
        del sys.modules[name]


@pytest.mark.parametrize("count", [1, 3])
def test_what_was_seen_stays_as_it_was(count):
    """A task may hand out the robots' own arrays: what a learner keeps of them does not go on with the robots."""
    class Bare(env.AntonWalk):
        limit = 2

        def observe(self, robots):
            return robots.q

        def reward(self, robots, action):
            return robots.v[:, 0]

    many = env.VectorEnv(Bare(), count)
    first, _ = many.reset(seed=1)
    kept = first.copy()
    action = np.full(many.action_space.shape, 0.3)
    rewards = [many.step(action)[1] for _ in range(2)]  # the second ends the episode: others begin
    alone = env.Env(Bare())
    alone.reset(seed=1)
    assert (first == kept).all()
    assert [r[0] for r in rewards] == [alone.step(np.full(alone.action_space.shape, 0.3))[1] for _ in range(2)]


def test_with_closes(tmp_path):
    with env.Env(Turn(tmp_path)) as e, env.VectorEnv(Turn(tmp_path), 2) as many:
        e.reset(seed=1)
        many.reset(seed=1)
    assert many.closed
    for closed in (e, many):
        with pytest.raises(ff.BadArgument, match="closed"):
            closed.reset()
        closed.close()  # twice is once


@pytest.mark.parametrize("period, near", [(0.0015, "0.002"), (0.0004, "0.001"), (0.01 + 1e-6, "0.01")])
def test_a_period_holds_whole_cycles(tmp_path, period, near):
    task = Turn(tmp_path)
    task.period = period
    with pytest.raises(ff.BadArgument, match=f"whole number of cycles of the bus, which last 0.001 s; {near} s would"):
        env.Env(task)
    task.period = 0.003
    env.Env(task)
    task.scene = ff.Scene(task.scene.path, overrides={"control.period": "2 ms"})
    with pytest.raises(ff.BadArgument, match="which last 0.002 s; 0.004 s would do"):
        env.Env(task)


@pytest.mark.parametrize("name, answer, says", [
    ("reward", lambda count: None, r"reward\(\) gives None: a number for each of 3 robots"),
    ("reward", lambda count: np.zeros((count, 2)), r"reward\(\) gives shape \(3, 2\)"),
    ("reward", lambda count: np.array([0.0, np.nan, 0.0]), r"reward\(\) gives robot 1 nan"),
    ("fallen", lambda count: None, r"fallen\(\) gives None"),
    ("fallen", lambda count: False, r"fallen\(\) gives shape \(\)"),
])
def test_answers_of_a_task_are_checked(tmp_path, name, answer, says):
    task = Turn(tmp_path)
    many = env.VectorEnv(task, 3)
    many.reset(seed=1)
    setattr(task, name, lambda robots, action=None: answer(robots.count))
    with pytest.raises(ff.BadArgument, match=says):
        many.step(np.zeros((3, 1)))


def test_infinite_references_are_refused(tmp_path):
    task = Turn(tmp_path)
    many = env.VectorEnv(task, 2)
    many.reset(seed=1)
    task.act = lambda robots, action: robots.references.__setitem__((1, task.column), np.inf)
    with pytest.raises(ff.BadArgument, match="gives robot 1 the reference hinge.force = inf"):
        many.step(np.zeros((2, 1)))
    task.act = lambda robots, action: robots.references.fill(np.nan)  # as they were: none
    assert (many.step(np.zeros((2, 1)))[1] == 0).all()


def test_each_of_many_has_a_start_of_its_own(tmp_path):
    many = env.VectorEnv(Turn(tmp_path), 3)
    q = np.array([[0.001], [0.002], [0.003]])
    assert (many.reset(seed=1, options={"q": q})[0][:, :1] == q).all()
    assert (many.reset(options={"q": [0.004]})[0][:, 0] == 0.004).all()
    with pytest.raises(ff.BadArgument, match=r"options\['v'\] has shape \(2, 1\): it must be \(1,\), the same for all "
                                             r"robots, or \(3, 1\), a row for each"):
        many.reset(options={"v": q[:2]})


@pytest.mark.parametrize("make", [env.Env, lambda task: env.VectorEnv(task, 2)])
def test_seeds_are_those_of_simulations(tmp_path, make):
    e = make(Turn(tmp_path))
    for seed in (-1, 2**64):
        with pytest.raises(ff.BadArgument, match=f"seed is {seed}: it must be from 0 to 18446744073709551615"):
            e.reset(seed=seed)
    with pytest.raises(TypeError, match="seed must be an int, not <class 'float'>"):
        e.reset(seed=1.5)
    e.reset(seed=2**64 - 2)


@pytest.mark.parametrize("count", [1, 3])
def test_a_signal_ends_a_long_step(tmp_path, count):
    task = Turn(tmp_path)
    task.period = 1e4  # [s], minutes of work: nobody gets there
    many = env.VectorEnv(task, count)
    many.reset(seed=1)

    def ring(number, frame):
        raise TimeoutError("rang")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(TimeoutError, match="rang"):
            many.step(np.zeros((count, 1)))
    finally:
        signal.signal(signal.SIGALRM, before)
    with pytest.raises(ff.BadArgument, match="was interrupted: reset"):
        many.step(np.zeros((count, 1)))
    assert (many.reset(seed=1)[1]["time"] == 0).all()
