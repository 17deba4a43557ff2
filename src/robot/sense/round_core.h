// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The last stage of a sensor (ff_signal_round), for processors and devices: the including file defines FF_CORE, the
// qualifiers of functions.
#ifndef FOOTFALL_SENSE_ROUND_CORE_H
#define FOOTFALL_SENSE_ROUND_CORE_H

#include <footfall/signal.h>
#include <math.h>

/// Rounds halves away from zero, as round() does, but without a call: 0.5 ns instead of 5 ns.
FF_CORE double ff_core_nearest(double y)
{
    return y < 0.0 ? -floor(0.5 - y) : floor(0.5 + y);
}

/// Wraps a count to [-2^31, 2^31), the range of a 32-bit counter.
FF_CORE double ff_core_wrap_count(double count)
{
    const double span = 4294967296.0;
    return count - span * floor(count / span + 0.5);
}

FF_CORE double ff_core_signal_round(const ff_signal *s, double value)
{
    double y = value < s->low ? s->low : value > s->high ? s->high : value;
    switch (s->form) {
    case FF_FORM_REAL:
        return y;
    case FF_FORM_STEPS:
        return s->step * ff_core_nearest(y / s->step);
    case FF_FORM_FIXED: {
        const double unit = 1.0 / (double)(1ULL << s->fraction), most = (double)(1ULL << s->whole);
        y = unit * ff_core_nearest(y / unit);
        return y < -most ? -most : y > most - unit ? most - unit : y;
    }
    case FF_FORM_SINGLE:
        return (double)(float)y;
    case FF_FORM_COUNT:
        return ff_core_wrap_count(floor(y / s->step));
    case FF_FORM_TURN: {
        const double code = floor(y / s->step), codes = ff_core_nearest(s->turn / s->step);
        return s->step * (code - codes * floor(code / codes));
    }
    }
    return y;
}

#endif
