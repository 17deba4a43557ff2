// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One step of the implicit method. Backward Euler in the velocity,
//     M (v1 - v0) / h + bias = tau(q1, v1, t + h) + J' F(q1, v1),      q1 = q0 moved by v1 for h,
// by Newton's iteration  A dv = -h r(v),  A = M + h D + h^2 K,  then one more solution with the same factors,
//     (1 - h J) d = h/2 (f(x0) - f(y1)),          x1 = y1 + d,
// which makes the step second order, since y1 + h/2 (f(x0) - f(y1)) is the trapezoidal rule, and gives the error of y1
// on the way. For x' = lambda x and w = h lambda the step multiplies by (1 - w - w^2/2) / (1 - w)^2: below 1 for every
// w in the left half plane, -1/2 at infinity. J needs no accuracy for that (an error in it enters d at third order), so
// A may leave out what is hard to get.
#include "engine/implicit/implicit.h"

enum { ROUNDS_MOST = 20 };

/// Newton's iteration for the velocity at the end of the step.
static ff_try iterate(ff_sim *sim)
{
    ff_try outcome = ff_newton_begin(sim); // velocity -> residual, slopes, factors
    for (int round = 0; outcome == FF_TRY_MORE && round < ROUNDS_MOST; round++) {
        outcome = ff_newton_solve(sim, round);                      // residual, factors -> change of the velocity
        if (outcome == FF_TRY_MORE) outcome = ff_newton_limit(sim); // change            -> velocity, residual, slopes
        if (outcome == FF_TRY_MORE) outcome = ff_newton_linearise(sim); // slopes            -> factors
    }
    return outcome == FF_TRY_MORE ? ff_newton_end(sim) : outcome;
}

ff_try ff_implicit_try(ff_sim *sim, double t, double h)
{
    ff_implicit *im = sim->implicit;
    im->t = t;
    im->h = h;
    for (int i = 0; i < sim->npart; i++) im->parts.ready[i] = false;
    if (!ff_implicit_predict(sim)) return FF_TRY_BAD; // state, history -> forces at the start, velocity
    const ff_try outcome = iterate(sim);              // velocity       -> velocity at the end
    if (outcome != FF_TRY_OK) return outcome;
    ff_implicit_correct(sim); // both ends      -> correction, error
    ff_implicit_propose(sim); // all of it      -> state proposed
    return FF_TRY_OK;
}
