# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Distributions of quantities that differ from robot to robot of a Batch: spread={"mass": ff.normal(1, 0.1, 0.7, 1.3)}.
A pair (low, high) is a uniform distribution."""

__all__ = ["choice", "log_uniform", "normal"]


def normal(mean, deviation, low=None, high=None):
    """Normal distribution. Numbers beyond the bounds are drawn again; factors, such as mass, need both bounds."""
    if (low is None) != (high is None):
        raise ValueError("normal() has two bounds or none")
    return ("normal", mean, deviation) if low is None else ("normal", mean, deviation, low, high)


def log_uniform(low, high):
    """Distribution whose logarithm is uniform: a number between 1/2 and 1 is as likely as one between 1 and 2."""
    return "log_uniform", low, high


def choice(values):
    """One of these values, each as likely as the others."""
    return "choice", *values
