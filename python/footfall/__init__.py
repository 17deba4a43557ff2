# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Footfall: simulation of walking robots with verified contact forces.

    import footfall as ff
    run = ff.Scene("experiments/anton-tripod.yaml").run()
    print(run.metrics["walk.speed"], run.passed)

Units are SI: m, kg, s, N, rad; z is up; quaternions are (w, x, y, z).
"""

from . import errors
from .distributions import *
from .errors import *
from ._core import __version__
from ._core import (Balance, Batch, Body, Contact, Counts, DriveFlow, Energy, Foot, Joint, Ledger, Model, Run, Scene,
                    Sim, Spec, SpecItem, Tensor, Verdict, load_model, run_batch)


# Modules of names that need NumPy, which is imported at the first use of one of them.
_HOMES = {"Recording": "results", "Report": "results", "Certificate": "results", "Figure": "figure", "plot": "figure"}


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module 'footfall' has no attribute '{name}'")
    import importlib

    found = getattr(importlib.import_module("." + _HOMES[name], __name__), name)
    globals()[name] = found
    return found


def __dir__():
    return sorted({*globals(), *_HOMES})
