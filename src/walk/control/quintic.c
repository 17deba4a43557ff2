// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Quintics in time: six coefficients from three conditions at each end.
#include "control/quintic.h"
#include "base/clamp.h"

void ff_quintic_blend(double u, double out[3])
{
    const double x = ff_clamp(u, 0.0, 1.0);
    out[0] = x * x * x * (10.0 + x * (-15.0 + 6.0 * x));
    out[1] = 30.0 * x * x * (1.0 + x * (-2.0 + x));
    out[2] = 60.0 * x * (1.0 + x * (-3.0 + 2.0 * x));
}

ff_quintic ff_quintic_make(const double from[3], double to, double duration)
{
    const double way = to - from[0], v = from[1] * duration, a = from[2] * duration * duration;
    return (ff_quintic){.c = {from[0], v, 0.5 * a, 10.0 * way - 6.0 * v - 1.5 * a, -15.0 * way + 8.0 * v + 1.5 * a,
                              6.0 * way - 3.0 * v - 0.5 * a},
                        .duration = duration};
}

void ff_quintic_at(const ff_quintic *quintic, double t, double out[3])
{
    const double T = quintic->duration, *c = quintic->c;
    const double s = t <= 0.0 ? 0.0 : t >= T ? 1.0 : t / T;
    out[0] = c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5]))));
    out[1] = out[2] = 0.0;
    if (t < 0.0 || t >= T) return;
    out[1] = (c[1] + s * (2.0 * c[2] + s * (3.0 * c[3] + s * (4.0 * c[4] + s * 5.0 * c[5])))) / T;
    out[2] = (2.0 * c[2] + s * (6.0 * c[3] + s * (12.0 * c[4] + s * 20.0 * c[5]))) / (T * T);
}
