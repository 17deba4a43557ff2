// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// To which change of velocity the iteration of an implicit step goes on.
#include "engine/implicit/implicit.h"

static const double CLOSE = 1e-9; // velocity to which a fixed step is solved, and part of the largest velocity:
static const double CLOSE_RELATIVE =
    1e-7; // well below the method's own error for steps above some 1e-5 s, well above rounding
static const double CLOSE_ACCURACY = 0.02; // with error control: part of the error allowed

double ff_tolerance_fixed(const ff_sim *sim)
{
    double speed = 0.0;
    for (int i = 0; i < sim->nv; i++) speed = ff_max(speed, fabs(sim->implicit->iterate.v[i]));
    return CLOSE + CLOSE_RELATIVE * speed;
}

double ff_tolerance_of(const ff_sim *sim, double fixed)
{
    const ff_implicit *im = sim->implicit;
    if (!(sim->options.accuracy > 0.0)) return fixed;
    const double by_place = CLOSE_ACCURACY * FF_IMPLICIT_LENGTH * sim->options.accuracy / im->h;
    const double by_speed = im->strict ? FF_IMPLICIT_STRICT * sim->options.accuracy : INFINITY;
    return ff_max(fixed, ff_min(by_place, by_speed));
}

double ff_implicit_closeness(const ff_sim *sim)
{
    return ff_tolerance_of(sim, ff_tolerance_fixed(sim));
}
