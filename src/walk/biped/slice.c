// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as a row of numbers (head, phases, knots of the torso's spline), which planners send in slices.
#include "biped/plan.h"

#include <stddef.h>

enum { HEAD = 8, OF_PHASE = 21, OF_KNOT = 6 };
// A phase is its two times, the swing foot, then numbers in a row; a knot is a row of numbers.
_Static_assert(sizeof(ff_phase) == (OF_PHASE - 1) * sizeof(double) + 2 * sizeof(int) &&
                   offsetof(ff_phase, end) == sizeof(double) &&
                   offsetof(ff_phase, at) == 2 * sizeof(double) + 2 * sizeof(int) &&
                   sizeof(ff_knot) == OF_KNOT * sizeof(double),
               "numbers of a plan follow each other");

int ff_plan_numbers(const ff_plan *plan)
{
    return HEAD + OF_PHASE * plan->nphase + OF_KNOT * (plan->n + 1);
}

bool ff_plan_fits(const ff_plan *plan)
{
    return plan->nphase > 0 && plan->nphase <= FF_PLAN_PHASES && plan->n > 0 && plan->n <= FF_PLAN_KNOTS;
}

bool ff_plan_is_valid(const ff_plan *plan)
{
    bool valid = ff_plan_fits(plan) && plan->h > 0.0;
    for (int i = 0; valid && i < plan->nphase; i++)
        valid = plan->phases[i].swing >= -1 && plan->phases[i].swing < FF_BIPED_FEET;
    return valid;
}

static double access_whole(int *own, double value, bool put)
{
    if (put) *own = value >= -1.0 && value <= FF_PLAN_KNOTS ? (int)value : -2; // -2: no number of a valid plan
    return *own;
}

double ff_plan_access(ff_plan *plan, int i, double value, bool put)
{
    double *const head[HEAD] = {NULL,           NULL,         &plan->low[0], &plan->low[1],
                                &plan->lowered, &plan->raise, &plan->start,  &plan->h};
    const int phase = i - HEAD, knot = phase - OF_PHASE * plan->nphase;
    double *own;
    if (i < 2) return access_whole(i == 0 ? &plan->nphase : &plan->n, value, put);
    if (i < HEAD) {
        own = head[i];
    } else if (knot < 0) {
        ff_phase *p = &plan->phases[phase / OF_PHASE];
        const int k = phase % OF_PHASE;
        if (k == 0) return access_whole(&p->swing, value, put);
        own = k < 3 ? (double *)p + k - 1 : (double *)p->at + k - 3;
    } else {
        own = (double *)&plan->torso[knot / OF_KNOT] + knot % OF_KNOT;
    }
    if (put) *own = value;
    return *own;
}
