# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Distributions of what differs from robot to robot of a Batch: spread={"mass": ff.normal(1, 0.1, 0.7, 1.3)}. A pair
(low, high) is uniform."""

__all__ = ["choice", "log_uniform", "normal"]


def normal(mean, deviation, low=None, high=None):
    """Normal numbers. Numbers beyond the bounds are drawn again; factors, such as mass, need both bounds."""
    if (low is None) != (high is None):
        raise ValueError("normal() has two bounds or none")
    return ("normal", mean, deviation) if low is None else ("normal", mean, deviation, low, high)


def log_uniform(low, high):
    """Numbers whose logarithm is uniform: as likely between 1/2 and 1 as between 1 and 2."""
    return "log_uniform", low, high


def choice(values):
    """One of these values, each as likely as the others."""
    return "choice", *values
