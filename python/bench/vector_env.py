# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""What a vector environment costs beside its simulations, by the clock of the processor, the best of some repeats:

    team   64 robots for a second, by 50 steps with actions, observations and rewards in Python, against the same
           second in one call of C
    batch  1024 robots for a second by 50 steps of VectorEnv(batch=True) with random actions, whose observations,
           rewards, ends and new episodes are the batch's own, against 50 calls of Batch.step of the same robots with
           the same targets, and against one call of `footfall batch`'s kind, without arrays between

    PYTHONPATH=build/release/python /usr/bin/python3 python/bench/vector_env.py
"""

import time

import numpy as np

import footfall as ff
from footfall.env import AntonWalk, VectorEnv

TEAM, BATCH, STEPS, REPEATS = 64, 1024, 50, 4


def clock(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def team(steps):
    task = AntonWalk()
    task.period = 1.0 / steps
    env = VectorEnv(task, TEAM)
    env.reset(seed=1)
    action = np.zeros((TEAM, task.actions))
    return clock(lambda: [env.step(action) for _ in range(steps)])


def random_actions():
    return 0.3 * np.random.default_rng(1).uniform(-1, 1, (STEPS, BATCH, 18))


def environment():
    env = VectorEnv(AntonWalk(batch=True), BATCH, batch=True)
    env.reset(seed=1)
    return clock(lambda: [env.step(action) for action in random_actions()])


def plain(calls):
    """The batch alone: the targets of the environment, states in arrays after each call."""
    task = AntonWalk(batch=True)
    batch = ff.Batch(task.scene, BATCH, spread={"start_speeds": ff.normal(0, 0.01)})
    columns = [batch.servos.index(name) for name in task.parts]
    first, actions, steps = batch.position[0, columns].copy(), random_actions(), round(task.period / batch.timestep)

    def work():
        for k in range(calls):
            batch.position[:, columns] = first + task.reach * actions[k]
            batch.step(STEPS // calls * steps)

    return clock(work)


python, c = (min(team(steps) for _ in range(REPEATS)) for steps in (STEPS, 1))
print(f"{TEAM} robots of a team, 1 s: {python:.3f} s by {STEPS} steps, {c:.3f} s in one; "
      f"{100 * (python - c) / python:.1f} % lost")
kinds = (environment, lambda: plain(STEPS), lambda: plain(1))
there, alone, one = (min(work() for _ in range(REPEATS)) for work in kinds)
print(f"{BATCH} robots of a batch, 1 s by {STEPS} steps: {there:.3f} s as an environment, {alone:.3f} s alone, "
      f"{one:.3f} s in one call; {100 * alone / there:.0f} % of the rate of the batch")
