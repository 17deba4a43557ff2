// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as a row of numbers: its head, its phases, the knots of the torso's spline; what is needed to follow it, not
// what it was made from. Planners hand it on in slices of this row (footfall/biped.h).
#include "biped/plan.h"

enum { HEAD = 8, OF_PHASE = 21, OF_KNOT = 6 };

int ff_plan_numbers(const ff_plan *plan)
{
    return HEAD + OF_PHASE * plan->nphase + OF_KNOT * (plan->n + 1);
}

bool ff_plan_fits(const ff_plan *plan)
{
    return plan->nphase > 0 && plan->nphase <= FF_PLAN_PHASES && plan->n > 0 && plan->n <= FF_PLAN_KNOTS;
}

bool ff_plan_is_sound(const ff_plan *plan)
{
    bool sound = ff_plan_fits(plan) && plan->h > 0.0;
    for (int i = 0; sound && i < plan->nphase; i++)
        sound = plan->phases[i].swing >= -1 && plan->phases[i].swing < FF_BIPED_FEET;
    return sound;
}

static double trade(double *own, double value, bool put)
{
    if (put) *own = value;
    return *own;
}

static double trade_whole(int *own, double value, bool put)
{
    if (put) *own = value >= -1.0 && value <= FF_PLAN_KNOTS ? (int)value : -2; // -2: none that is sound
    return *own;
}

static double trade_head(ff_plan *p, int i, double value, bool put)
{
    double *const at[HEAD] = {NULL, NULL, &p->low[0], &p->low[1], &p->lowered, &p->raise, &p->start, &p->h};
    if (i < 2) return trade_whole(i == 0 ? &p->nphase : &p->n, value, put);
    return trade(at[i], value, put);
}

static double trade_phase(ff_phase *p, int i, double value, bool put)
{
    ff_footprint *a = &p->at[0], *b = &p->at[1], *to = &p->to;
    double *const at[OF_PHASE] = {NULL,          &p->start,   &p->end,    &a->x,         &a->y,         &a->z,
                                  &a->yaw,       &b->x,       &b->y,      &b->z,         &b->yaw,       &to->x,
                                  &to->y,        &to->z,      &to->yaw,   &p->zmp[0][0], &p->zmp[0][1], &p->zmp[1][0],
                                  &p->zmp[1][1], &p->load[0], &p->load[1]};
    return i == 0 ? trade_whole(&p->swing, value, put) : trade(at[i], value, put);
}

static double trade_knot(ff_knot *k, int i, double value, bool put)
{
    double *const at[OF_KNOT] = {&k->x[0], &k->x[1], &k->v[0], &k->v[1], &k->a[0], &k->a[1]};
    return trade(at[i], value, put);
}

double ff_plan_trade(ff_plan *plan, int i, double value, bool put)
{
    if (i < HEAD) return trade_head(plan, i, value, put);
    i -= HEAD;
    if (i < OF_PHASE * plan->nphase) return trade_phase(&plan->phases[i / OF_PHASE], i % OF_PHASE, value, put);
    i -= OF_PHASE * plan->nphase;
    return trade_knot(&plan->torso[i / OF_KNOT], i % OF_KNOT, value, put);
}
