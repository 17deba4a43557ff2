# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Box and Discrete with the interface of gymnasium.spaces, used if that is not installed."""

import numpy as np


class _Space:
    def __init__(self, shape, dtype, seed):
        self.shape, self.dtype = shape, np.dtype(dtype)
        self.seed(seed)

    def seed(self, seed=None):
        """Restarts the random numbers of sample()."""
        self._random = np.random.default_rng(seed)

    def __contains__(self, x):
        return self.contains(x)


class Box(_Space):
    """Arrays of a shape between `low` and `high`."""

    def __init__(self, low, high, shape=None, dtype=np.float32, seed=None):
        shape = np.shape(low) if shape is None else tuple(shape)
        self.low = np.broadcast_to(np.asarray(low, dtype), shape).copy()
        self.high = np.broadcast_to(np.asarray(high, dtype), shape).copy()
        super().__init__(shape, dtype, seed)

    def sample(self):
        """@return a random array: uniform between bounds, normal without bounds."""
        bounded = np.isfinite(self.low) & np.isfinite(self.high)
        low, high = np.where(bounded, self.low, 0.0), np.where(bounded, self.high, 1.0)
        drawn = np.where(bounded, self._random.uniform(low, high), self._random.standard_normal(self.shape))
        return drawn.astype(self.dtype)

    def contains(self, x):
        x = np.asarray(x)
        return x.shape == self.shape and bool(((x >= self.low) & (x <= self.high)).all())

    def __repr__(self):
        return f"Box({self.low.min(initial=np.inf)}, {self.high.max(initial=-np.inf)}, {self.shape}, {self.dtype})"


class Discrete(_Space):
    """Whole numbers from `start`, n of them."""

    def __init__(self, n, seed=None, start=0):
        self.n, self.start = int(n), int(start)
        super().__init__((), np.int64, seed)

    def sample(self):
        return np.int64(self._random.integers(self.start, self.start + self.n))

    def contains(self, x):
        return isinstance(x, (int, np.integer)) and self.start <= x < self.start + self.n

    def __repr__(self):
        return f"Discrete({self.n})"
