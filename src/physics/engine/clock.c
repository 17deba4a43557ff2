// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Conversion of time between whole ticks and seconds.
#include "engine/system.h"

#include <math.h>

ff_ticks ff_ticks_from_seconds(double seconds)
{
    const double ticks = seconds * (double)FF_TICKS_PER_SECOND;
    if (!(ticks > -9.2e18)) return INT64_MIN;
    if (ticks > 9.2e18) return INT64_MAX;
    return (ff_ticks)llround(ticks);
}

double ff_ticks_to_seconds(ff_ticks ticks)
{
    // Whole seconds are separate: the rest is below 2^53, so that its quotient is rounded only once.
    const ff_ticks whole = ticks / FF_TICKS_PER_SECOND, rest = ticks % FF_TICKS_PER_SECOND;
    return (double)whole + (double)rest / (double)FF_TICKS_PER_SECOND;
}

double ff_sim_time(const ff_sim *sim)
{
    return ff_ticks_to_seconds(sim->ticks) + sim->offset;
}
