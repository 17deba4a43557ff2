// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FOOTFALL_BASE_CLAMP_H
#define FOOTFALL_BASE_CLAMP_H

#include <footfall/math.h>

/// x within low to high, which must be in order; NaN becomes low.
static inline double ff_clamp(double x, double low, double high)
{
    return ff_min(ff_max(x, low), high);
}

#endif
