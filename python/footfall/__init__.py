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
from ._core import __version__
from ._core import (Balance, Body, Contact, Counts, DriveFlow, Energy, Foot, Joint, Ledger, Model, Run, Scene, Sim,
                    Spec, SpecItem, Verdict, load_model, run_batch)


def __getattr__(name):
    """Imports what needs NumPy when it is first asked for."""
    homes = {"Recording": "results", "Report": "results", "Certificate": "results",
             "Figure": "figure", "plot": "figure"}
    if name not in homes:
        raise AttributeError(f"module 'footfall' has no attribute '{name}'")
    import importlib

    found = getattr(importlib.import_module("." + homes[name], __name__), name)
    globals()[name] = found
    return found
