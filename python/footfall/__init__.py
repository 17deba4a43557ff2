# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Footfall: simulation of walking robots with contact forces one can trust.

    import footfall as ff
    run = ff.Scene("experiments/anton-tripod.yaml").run()
    print(run.metrics["walk.speed"], run.passed)

Units are SI: m, kg, s, N, rad; z is up; quaternions are (w, x, y, z).
"""

from . import errors
from .errors import *
from ._core import *
