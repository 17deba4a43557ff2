# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""What a vector environment costs beside its simulations: 64 robots for a second, by 50 steps with actions,
observations and rewards in Python, against the same second in one call of C. Prints the share that is lost; by the
clock of the processor, the best of some repeats.

    PYTHONPATH=build/release/python /usr/bin/python3 python/bench/vector_env.py
"""

import time

import numpy as np

from footfall.env import AntonWalk, VectorEnv

COUNT, REPEATS = 64, 4


def seconds(steps):
    task = AntonWalk()
    task.period = 1.0 / steps
    env = VectorEnv(task, COUNT)
    env.reset(seed=1)
    action = np.zeros((COUNT, task.actions))
    start = time.process_time()
    for _ in range(steps):
        env.step(action)
    return time.process_time() - start


python, c = (min(seconds(steps) for _ in range(REPEATS)) for steps in (50, 1))
print(f"{COUNT} robots, 1 s: {python:.3f} s by 50 steps, {c:.3f} s in one; {100 * (python - c) / python:.1f} % lost")
