# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Environments for reinforcement learning, with the interface of Gymnasium, which need not be installed.

    import footfall.env
    env = footfall.env.Env(footfall.env.AntonWalk())
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

    many = footfall.env.VectorEnv(footfall.env.AntonWalk(), 64)          # over threads; the same results for a seed
    env = gymnasium.make("footfall/AntonWalk-v0")                        # if gymnasium is installed

A task has a scene, and methods that compute observations, rewards and falls with NumPy for all robots at once. See
Task; docs/python-env.md shows how to write one.
"""

import operator
import pathlib

import numpy as np

from . import _core
from .distributions import normal
from .errors import BadArgument

try:
    import gymnasium
    from gymnasium.spaces import Box, Discrete

    _Env, _VectorEnv = gymnasium.Env, gymnasium.vector.VectorEnv
except ImportError:
    from .spaces import Box, Discrete

    gymnasium = None
    _Env = _VectorEnv = object

__all__ = ["AntonWalk", "BipedStand", "Box", "Discrete", "Env", "Robots", "Task", "VectorEnv", "find_robot"]


def find_robot(name):
    """Path of a robot that comes with Footfall, such as "anton/anton.yaml", in a checkout or an installation."""
    for folder in pathlib.Path(__file__).resolve().parents:
        for place in (folder / "robots", folder / "share" / "footfall" / "robots"):
            if (place / name).exists():
                return place / name
    raise FileNotFoundError(f"there is no robots/{name} near {__file__}")


class Robots:
    """The robots of an environment, for the methods of a task. Arrays have a row for each robot.

    q, v        positions (count, nq) and velocities (count, nv), in the order of docs/architecture.md
    sensors     sensor values that controllers receive (count, sensors); NaN: none yet. In a batch Batch.sensors
    references  references of drives (count, references), to write; NaN leaves a reference unchanged
    time        since the start of the episode (count) [s]
    failed      True if the simulation of the robot could not continue (count)
    """

    def __repr__(self):
        return f"<footfall.env.Robots: {self.count}>"

    def __init__(self, team, period):
        self.team = team
        self.count = team.count
        self.period = period
        self.references = team.references
        self.start_q = self.start_v = None  # start of the scene (nq), (nv)
        self.random = None  # generator of the robot that starts, in Task.start

    q, v, time, sensors = (property(operator.attrgetter("team." + name)) for name in ("q", "v", "time", "sensors"))

    @property
    def failed(self):
        return self.team.failed != 0

    def drives(self, pattern="*"):
        """Names of the drives that match a pattern such as "*_coxa", in the order of the references."""
        import fnmatch

        names = [n[: -len(".position")] for n in self.team.reference_names if n.endswith(".position")]
        return [n for n in names if fnmatch.fnmatchcase(n, pattern)]

    def reference(self, *names):
        """Columns of references by their names, such as "FL_coxa.position"."""
        return self._columns(self.team.reference_names, names, "reference")

    def sensor(self, *names):
        """Columns of sensors by their names, such as "imu.gx"."""
        return self._columns(self.team.sensor_names, names, "sensor")

    def joint(self, *names):
        """Columns of hinges and slides in q and in v, by their names."""
        joints = self.team.joints
        self._columns(list(joints), names, "joint")
        return np.array([joints[n][0] for n in names]), np.array([joints[n][1] for n in names])

    @staticmethod
    def _columns(all_names, names, what):
        import difflib

        for name in names:
            if name not in all_names:
                near = difflib.get_close_matches(name, all_names, 1)
                raise BadArgument(f"no {what} '{name}'" + (f": did you mean '{near[0]}'?" if near else ""))
        return np.array([all_names.index(n) for n in names])

    @property
    def up(self):
        """Cosine of the tilt of a free base: 1 upright, 0 lying on its side."""
        return 1.0 - 2.0 * (self.q[:, 4] ** 2 + self.q[:, 5] ** 2)


class Task:
    """The task of robots. A derived class defines the methods below; arrays have a row for each robot.

        class Hop(Task):
            scene = "hopper.yaml"
            def setup(self, robots):
                self.columns = robots.reference("knee.position")
                self.actions = 1
            def act(self, robots, action):
                robots.references[:, self.columns] = 0.5 + 0.4 * action
            def reward(self, robots, action):
                return robots.v[:, 2]
    """

    scene = None  # a footfall.Scene, or its path. Its robot has drives, and `control: {callback: NAME}`
    period = 0.02  # between two actions [s]: a whole number of cycles of the bus, by default 1 ms
    limit = 500  # steps after which an episode is truncated
    actions = 0  # numbers of an action, each from -1 to 1

    def setup(self, robots):
        """Called once: finds columns, sets the number of `actions`."""

    def start(self, robots, i):
        """Start of an episode of robot number i. @return (q, v), for example drawn by robots.random
        (numpy.random.Generator); None: the start of the scene, robots.start_q and start_v."""
        return None

    def act(self, robots, action):
        """Computes references from an action (count, actions) within -1 and 1."""
        raise NotImplementedError

    def observe(self, robots):
        """@return observations (count, any number)."""
        return np.hstack([robots.q, robots.v])

    def reward(self, robots, action):
        """@return rewards (count)."""
        return np.zeros(robots.count)

    def fallen(self, robots):
        """@return whether the episode of each robot is over, (count) of bool."""
        return np.zeros(robots.count, bool)

    def formulas(self):
        """Formulas that a batch evaluates in place of start, observe, reward and fallen, without Python code for single
        robots: {"observe": [..], "reward": "..", "end": "..", "spread": {..}} as in docs/batch.md. The reward
        is summed over the steps of a period, then `cost` is added. A derived class that overrides one of
        the four methods does not use the formulas. None: there are none."""
        return None

    def cost(self, action):
        """@return costs (count) of an action (count, actions), negative numbers added to the reward of `formulas`."""
        return np.zeros(len(action))


def _formulas_of(task):
    """@return formulas of a task; None if a derived class overrides a method that they replace."""
    order = type(task).__mro__

    def depth(name):
        return next(i for i, one in enumerate(order) if name in vars(one))

    written = min(depth(name) for name in ("start", "observe", "reward", "fallen"))
    return task.formulas() if written >= depth("formulas") else None


class _BatchTeam:
    """A batch with the interface of a team: its servos are the drives, with the references of the scene at first."""

    REASONS = ("", "its state would not have been finite or within bounds", "it fell", "its condition of the end held")

    def __init__(self, scene, count, period, threads, formulas, options):
        formulas = dict(formulas or {})
        spread = {**formulas.pop("spread", {}), **(options.pop("spread", None) or {})}
        batch = self.batch = _core.Batch(scene, count, threads=threads, spread=spread, **options, **formulas)
        self.steps = round(period / batch.timestep)
        if self.steps < 1 or abs(self.steps * batch.timestep - period) > 1e-9 * period:
            raise BadArgument(f"period is {period} s: it must be a whole number of steps of {batch.timestep} s")
        self.count, self.joints = count, batch.joints
        self.reference_names = tuple(f"{n}.{kind}" for kind in ("position", "speed", "torque") for n in batch.servos)
        self.sensor_names = batch.sensor_names
        self.targets = (batch.position, batch.speed, batch.torque)
        self.held = np.hstack(self.targets)
        self.first = self.held[0].copy()  # references of the scene, equal for all robots
        self.references = np.full_like(self.held, np.nan)
        unspread = _core.Batch(scene, 1, threads=1)  # robots of `batch` start with random changes
        self.start = unspread.q[0].copy(), unspread.v[0].copy()

    # the batch fills an array only after its first use, so arrays are read from it when a task uses them
    q, v, time, sensors, failed = (property(operator.attrgetter("batch." + name))
                                   for name in ("q", "v", "time", "sensors", "ended"))

    def begin(self, which, seeds):
        self.batch.reset(which, seeds)
        self.forget(which)

    def forget(self, which):
        """Sets references of robots in a new episode to those of the scene."""
        self.held[list(which)] = self.first
        self.references[list(which)] = np.nan

    def put(self, i, q, v):
        self.batch.put(i, q, v)

    def step(self, limit=None):
        """@param limit  length of an episode [periods]; robots whose episode is over begin the next"""
        np.copyto(self.held, self.references, where=~np.isnan(self.references))
        for target, held in zip(self.targets, np.split(self.held, 3, axis=1)):
            target[:] = held
        self.batch.step(self.steps, None if limit is None else limit * self.steps)

    def reason(self, i):
        return self.REASONS[int(self.batch.ended[i])]


class _Core:
    """Common part of Env and VectorEnv: a team, the seeds of its robots, and a task."""

    def __init__(self, task, count, threads, batch=False, **options):
        """@param options  options of a batch: spread, device, fast, single, specialise"""
        scene = task.scene
        if not isinstance(scene, _core.Scene):
            if scene is None:
                raise BadArgument("the task has no scene")
            scene = _core.Scene(scene)
        self.task = task
        for name, value in options.items():
            if not batch and value not in (None, False):
                raise BadArgument(f"{name} is for batches: batch=True")
        self.formulas = _formulas_of(task) if batch else None
        self.robots = Robots(self.make_team(scene, count, threads, batch, options), task.period)
        self.random = [None] * count
        self.steps = np.zeros(count, int)
        self.whole = True  # False: a step was interrupted by Ctrl-C or an error, so robots are at different times
        self.robots.team.begin(range(count), [0] * count)
        start = self.robots.team.start if batch else (self.robots.q[0].copy(), self.robots.v[0].copy())
        self.robots.start_q, self.robots.start_v = start
        task.setup(self.robots)
        if task.actions < 1:
            raise BadArgument(f"the task has {task.actions} actions: setup() must say how many there are")
        self.size = self.observe().shape[1]

    def make_team(self, scene, count, threads, batch, options):
        if batch:
            return _BatchTeam(scene, count, self.task.period, threads, self.formulas, options)
        try:
            return _core.Team(scene, count, self.task.period, threads)
        except BadArgument as error:
            if "callback" not in str(error):
                raise
            advice = "where it has `control: {hold: ..}`, VectorEnv(.., batch=True) takes it"
            raise BadArgument(f"{error}; {advice}") from None

    def observe(self):
        if self.formulas:
            return self.robots.team.batch.observation.copy()
        seen = np.array(self.task.observe(self.robots), np.float64)  # a copy, because robots.q and others change later
        if seen.ndim != 2 or len(seen) != self.robots.count:
            raise BadArgument(f"observe() gives shape {seen.shape}: a row for each of {self.robots.count} robots is "
                              "needed")
        return seen

    def begin(self, which, options=None):
        """New episodes of some robots, each from its own stream of random numbers."""
        robots = self.robots
        given = self.read_options(options)
        self.whole = False
        if self.formulas:
            robots.team.begin(which, self.seeds)
        else:
            robots.team.begin(which, [int(self.random[i].integers(2**63)) for i in which])
        for i in which if given or not self.formulas else ():
            robots.random = self.random[i]
            state = None if self.formulas else self.task.start(robots, i)
            if given:
                q, v = state or (robots.q[i].copy(), robots.v[i].copy())  # its start after random changes
                state = given["q"][i] if "q" in given else q, given["v"][i] if "v" in given else v
            if state is not None:
                robots.team.put(i, *state)
        self.steps[list(which)] = 0
        self.whole = True

    def times(self):
        """@return times since the start of each episode [s], also of ended ones; with formulas in whole periods."""
        return self.steps * self.task.period if self.formulas else self.robots.time.copy()

    def begin_next(self, which):
        """Begins the next episodes of robots whose episode is over; a batch with formulas has begun them already."""
        if not self.formulas:
            return self.begin(which)
        self.robots.team.forget(which)
        self.steps[which] = 0

    def read_options(self, options):
        """@return starts given by the user, {"q": .., "v": ..}, with a row for each robot."""
        robots, given = self.robots, {}
        for name, value in (options or {}).items():
            if name not in ("q", "v"):
                raise BadArgument(f"options['{name}']: there are 'q' and 'v', a start of one's own")
            width = len(robots.start_q if name == "q" else robots.start_v)
            value = np.asarray(value, float)
            if value.shape not in ((width,), (robots.count, width)):
                raise BadArgument(f"options['{name}'] has shape {value.shape}: it must be {(width,)}, the same for all "
                                  f"robots, or {(robots.count, width)}, a row for each")
            given[name] = np.broadcast_to(value, (robots.count, width))
        return given

    def check_references(self):
        """Refuses infinite references, which the bus would drop without a message."""
        references = self.robots.references
        if np.isinf(references).any():
            i, column = (int(k) for k in np.argwhere(np.isinf(references))[0])
            raise BadArgument(f"act() gives robot {i} the reference {self.robots.team.reference_names[column]} = "
                              f"{references[i, column]}: it must be finite, or NaN to stay as it was")

    def numbers(self, what, values, dtype):
        """@return values that a task returned for each robot, as a copy, because robots.v and others change later."""
        count = self.robots.count
        if values is None or np.size(values) != count:
            shape = "None" if values is None else f"shape {np.shape(values)}"
            raise BadArgument(f"{what}() gives {shape}: a number for each of {count} robots is needed")
        return np.array(values, dtype).reshape(count)

    @staticmethod
    def check_finite(what, values, failed):
        """@param failed  robots whose simulation could not continue: their values are not checked"""
        wrong = np.flatnonzero(~np.isfinite(values) & ~np.asarray(failed))
        if len(wrong) > 0:
            raise BadArgument(f"{what} gives robot {wrong[0]} {values[wrong[0]]}: it must be finite")

    def step(self, action):
        """@return observations, rewards, terminated, truncated"""
        robots = self.robots
        action = np.asarray(action, np.float64)
        if action.shape != (robots.count, self.task.actions):
            raise BadArgument(f"action has shape {action.shape}: it must be {(robots.count, self.task.actions)}")
        if not np.isfinite(action).all():
            where = tuple(int(k) for k in np.argwhere(~np.isfinite(action))[0])
            raise BadArgument(f"action{list(where)} is {action[where]}: it must be finite")
        action = np.clip(action, -1.0, 1.0)
        if not self.whole:
            raise BadArgument("a step or reset was interrupted: reset() starts again")
        self.task.act(robots, action)
        self.check_references()
        self.whole = False
        robots.team.step(*([self.task.limit] if self.formulas else []))
        self.steps += 1
        if self.formulas:  # robots may have restarted, so after refused results only reset() can continue
            results = self.results_of_formulas(action)
            self.whole = True
            return results
        self.whole = True
        rewards = self.numbers("reward", self.task.reward(robots, action), np.float64)
        self.check_finite("reward()", rewards, robots.failed)
        terminated = self.numbers("fallen", self.task.fallen(robots), bool) | robots.failed
        return self.observe(), rewards, terminated, (self.steps >= self.task.limit) & ~terminated

    def results_of_formulas(self, action):
        """@return results of a step after which the batch has restarted robots, with observations before that."""
        batch = self.robots.team.batch
        terminated = batch.ended > 0
        truncated = (self.steps >= self.task.limit) & ~terminated
        cost = self.numbers("cost", self.task.cost(action), np.float64)
        self.check_finite("cost()", cost, False)
        self.check_finite("the formula of reward", batch.reward, batch.ended == 1)  # 1: it could not continue
        return batch.final.copy(), batch.reward + cost, terminated, truncated

    def seed_all(self, seeds):
        """Sets seeds of all robots; None leaves a seed unchanged. With formulas all seeds are set at once."""
        if not self.formulas:
            for i, one in enumerate(seeds):
                self.seed(i, one)
        elif seeds[0] is not None or self.random[0] is None:
            drawn = np.random.default_rng().integers(2**63, size=len(seeds)).tolist()
            self.seeds = [d if one is None else _core.check_seed(one) for one, d in zip(seeds, drawn)]
            self.random = [True] * len(seeds)  # it was reset
        else:
            self.seeds = None  # robots continue with their random streams

    def seed(self, i, seed):
        if seed is not None or self.random[i] is None:
            self.random[i] = np.random.default_rng(None if seed is None else _core.check_seed(seed))

    def info(self, i):
        reason = self.robots.team.reason(i)
        return {"time": float(self.robots.time[i]), **({"failed": reason} if reason else {})}


def _box(low, high, shape):
    return Box(low=low, high=high, shape=shape, dtype=np.float64)


class _Closing:
    """`with` closes the environment."""

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def _open(self):
        if self._core is None:
            raise BadArgument("the environment was closed")
        return self._core


class Env(_Closing, _Env):
    """One robot with a task, with the interface of gymnasium.Env."""

    metadata = {"render_modes": ["ansi"], "render_fps": 50}

    def __init__(self, task, render_mode=None):
        if render_mode not in (None, "ansi"):
            raise BadArgument(f"render_mode is {render_mode!r}: there is 'ansi'")
        self._core = _Core(task, 1, 1)
        self.task, self.render_mode = task, render_mode
        self.observation_space = _box(-np.inf, np.inf, (self._core.size,))
        self.action_space = _box(-1.0, 1.0, (task.actions,))
        self._over = True

    @property
    def unwrapped(self):
        return self

    def reset(self, *, seed=None, options=None):
        """Begins an episode. `seed` determines all further episodes; `options` may have a start: {"q": .., "v": ..}."""
        core = self._open()
        core.seed(0, seed)
        core.begin([0], options)
        self._over = False
        return core.observe()[0], core.info(0)

    def step(self, action):
        """@return observation, reward, terminated, truncated, info"""
        core = self._open()
        if self._over:
            raise BadArgument("step() before reset(): the episode is over")
        action = np.asarray(action, np.float64)
        if action.shape != (self.task.actions,):
            raise BadArgument(f"action has shape {action.shape}: it must be {(self.task.actions,)}")
        seen, rewards, terminated, truncated = core.step(action[None])
        self._over = bool(terminated[0] or truncated[0])
        return seen[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), core.info(0)

    def render(self):
        """@return a line of text if render_mode is "ansi"."""
        if self.render_mode is None:
            return None
        robots = self._open().robots
        x, y, z = robots.q[0, :3]
        return f"{robots.time[0]:7.2f} s  base at ({x:.3f}, {y:.3f}, {z:.3f}) m, upright {robots.up[0]:.2f}"

    def close(self):
        """Frees the simulation."""
        self._core = None

    def __repr__(self):
        return f"<footfall.env.Env: {type(self.task).__name__}>"


class VectorEnv(_Closing, _VectorEnv):
    """Many robots with one task, with the interface of gymnasium.vector.VectorEnv, over threads of C.

    Results of robot i of `reset(seed=s)` are those of Env with seed s + i, for any number of threads. Robots
    whose episode is over begin the next within the same step: the observation is that of the new episode, and
    info["final_obs"][i] the last of the old one if info["_final_obs"][i] is True.

    With batch=True the robots are a footfall.Batch: many times as fast, for tasks whose scene has `control: {hold: ..}`
    and `solver: {method: euler, ..}`. Its servos are the drives; quantities of `spread` are drawn for each episode, by
    the seed of the robot. Options: device=True runs on a GPU; specialise=True compiles code for the robot on the
    processor; fast=True uses fused operations in either; single=True uses single precision on a GPU. `kernel` says
    which code makes the steps (footfall.Batch.kernel).
    """

    metadata = {"render_modes": [], "autoreset_mode": "SameStep"}

    def __init__(self, task, num_envs, threads=0, batch=False, spread=None, device=False, fast=False,
                 single=False, specialise=False):
        self._core = _Core(task, num_envs, threads, batch, spread=spread, device=device, fast=fast, single=single,
                           specialise=specialise)
        self.kernel = self._core.robots.team.batch.kernel if batch else None
        self.task, self.num_envs, self.render_mode, self.closed = task, num_envs, None, False
        self.single_observation_space = _box(-np.inf, np.inf, (self._core.size,))
        self.single_action_space = _box(-1.0, 1.0, (task.actions,))
        self.observation_space = _box(-np.inf, np.inf, (num_envs, self._core.size))
        self.action_space = _box(-1.0, 1.0, (num_envs, task.actions))
        if gymnasium and hasattr(gymnasium.vector, "AutoresetMode"):
            self.metadata = {**self.metadata, "autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}

    def reset(self, *, seed=None, options=None):
        """Begins episodes. `seed` is a number, or a list with one for each robot; `options` may have a start,
        {"q": .., "v": ..}, the same for all robots or with a row for each."""
        core = self._open()
        seeds = [None] * self.num_envs if seed is None else seed
        if not hasattr(seeds, "__len__"):
            seeds = [_core.check_seed(seeds) + i for i in range(self.num_envs)]
        if len(seeds) != self.num_envs:
            raise BadArgument(f"{len(seeds)} seeds for {self.num_envs} robots")
        core.seed_all(seeds)
        core.begin(range(self.num_envs), options)
        return core.observe(), {"time": core.robots.time.copy()}

    def step(self, actions):
        """@return observations, rewards, terminations, truncations, infos"""
        core = self._open()
        if core.random[0] is None:
            raise BadArgument("step() before reset()")
        seen, rewards, terminated, truncated = core.step(actions)
        infos = {"time": core.times()}
        over = terminated | truncated
        if over.any():
            infos["final_obs"], infos["_final_obs"] = np.where(over[:, None], seen, 0.0), over
            core.begin_next(np.flatnonzero(over).tolist())
            seen = core.observe()
        return seen, rewards, terminated, truncated, infos

    def render(self):
        return None

    def close(self, **unused):
        """Frees the simulations."""
        self._core, self.closed = None, True

    def __repr__(self):
        return f"<footfall.env.VectorEnv: {type(self.task).__name__}, {self.num_envs} robots>"


# Examples -------------------------------------------------------------------------------------------------------------

_SCENE = """footfall: 1
robot: {robot}
start: {{pose: {pose}}}
place: {{settle: {settle}}}
terrain: [{{plane: {{material: {material}}}}}]
control: {{callback: environment}}
effects: {{drives: ideal, sensors: perfect}}
solver: {{method: implicit, step: 1 ms}}
"""


_BATCH = {
    "control": {"hold": {"stiffness": 60, "damping": 1}},
    "effects": {},
    "solver": {"method": "euler", "step": 5e-4},
}


def _scene(robot, pose, material, settle="true", changes={}):
    text = _SCENE.format(robot=find_robot(robot), pose=pose, material=material, settle=settle)
    return _core.Scene.from_text(text, robot, **changes)


class AntonWalk(Task):
    """The hexapod ANTON must walk forward. Actions turn its 18 leg joints by up to 0.4 rad from the stand.
    AntonWalk(batch=True) is for batches, with servos in place of drives."""

    reach = 0.4  # [rad]

    def __init__(self, batch=False):
        self.scene = _scene("anton/anton.yaml", "stand", "lab-floor", changes=_BATCH if batch else {})
        legs = ("ML", "MR", "FL", "FR", "RL", "RR")
        self.parts = [f"{leg}_{part}" for part in ("coxa", "femur", "tibia") for leg in legs]

    def setup(self, robots):
        self.columns = robots.reference(*(n + ".position" for n in self.parts))
        self.q, self.v = robots.joint(*self.parts)
        self.actions = len(self.parts)

    def start(self, robots, i):
        return robots.start_q, robots.start_v + 0.01 * robots.random.standard_normal(len(robots.start_v))

    def act(self, robots, action):
        robots.references[:, self.columns] = robots.start_q[self.q] + self.reach * action

    def observe(self, robots):
        return np.hstack([robots.q[:, 2:7], robots.v[:, :6], robots.q[:, self.q], robots.v[:, self.v]])

    def reward(self, robots, action):
        return robots.v[:, 0] + self.cost(action)

    def fallen(self, robots):
        return (robots.q[:, 2] < 0.06) | (robots.up < 0.7)

    def cost(self, action):
        return -0.02 * (action**2).mean(axis=1)

    def formulas(self):
        body = ("z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "gyro.x", "gyro.y", "gyro.z")
        joints = [f"{name}.{what}" for what in ("position", "speed") for name in self.parts]
        return {"observe": ["root." + name for name in body] + joints,
                "reward": f"root.vx * step / {self.period}",  # the mean over a period
                "end": "root.z < 0.06 or upright < 0.7",
                "spread": {"start_speeds": normal(0, 0.01)}}


class BipedStand(Task):
    """A humanoid of 25 kg is pushed and must stay upright. Actions turn its 12 leg joints by up to 0.2 rad."""

    reach = 0.2  # [rad]
    push = 0.2  # standard deviation of the velocity of its body at the start [m/s]

    def __init__(self):
        self.scene = _scene("humanoid/humanoid-walk.yaml", "crouch", "rigid")

    def setup(self, robots):
        legs = [n for part in ("hip", "knee", "ankle") for n in robots.drives(f"*_{part}*")]
        self.columns = robots.reference(*(n + ".position" for n in legs))
        self.q, self.v = robots.joint(*legs)
        self.actions = len(legs)

    def start(self, robots, i):
        v = robots.start_v.copy()
        v[:2] += self.push * robots.random.standard_normal(2)
        return robots.start_q, v

    def act(self, robots, action):
        robots.references[:, self.columns] = robots.start_q[self.q] + self.reach * action

    def observe(self, robots):
        return np.hstack([robots.q[:, 2:7], robots.v[:, :6], robots.q[:, self.q], robots.v[:, self.v]])

    def reward(self, robots, action):
        return robots.up - 0.05 * (action**2).mean(axis=1)

    def fallen(self, robots):
        return (robots.up < 0.8) | (robots.q[:, 2] < 0.7 * robots.start_q[2])


def _make(task):
    def make(render_mode=None, **unused):
        return Env(task(), render_mode)

    return make


def _make_many(task):
    def make(num_envs=1, **unused):
        return VectorEnv(task(), num_envs)

    return make


def _register():
    """Registers the examples for gymnasium.make."""
    for task in (AntonWalk, BipedStand):
        name = f"footfall/{task.__name__}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(id=name, entry_point=_make(task), vector_entry_point=_make_many(task))


if gymnasium:
    _register()
