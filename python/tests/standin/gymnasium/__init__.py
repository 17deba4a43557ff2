# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Stands in for Gymnasium in tests: the calls that footfall.env uses, with the same names and arguments."""

from . import spaces, vector

registry = {}


class Env:
    metadata = {"render_modes": []}


def register(id, entry_point=None, vector_entry_point=None, **unused):
    registry[id] = (entry_point, vector_entry_point)


def make(id, **kwargs):
    return registry[id][0](**kwargs)


def make_vec(id, num_envs=1, **kwargs):
    return registry[id][1](num_envs=num_envs, **kwargs)
