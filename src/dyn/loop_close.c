// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Projection onto the loops. Positions by Newton's iteration in the metric of the mass matrix,
//     dq = -M^-1 G' (G M^-1 G')^-1 phi,
// the shortest way in that metric; then velocities, v -= M^-1 G' (G M^-1 G')^-1 G v, which takes away kinetic energy, never adds any, and leaves
// the momentum of motions that the loops allow. Rows beyond the rank are left alone: near a singular position phi is of second order there.
#include <footfall/loop.h>

#include "dyn/layout.h"

static const double CLOSED = 1e-13;  // a rounding of positions of robots  [m, rad]
static const double AT_REST = 1e-12; // the same for speeds, of the largest speed

static double largest(const double *x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]); // keeps what is not a number
    return most;
}

/// Newton's iteration for positions. @return largest |phi| left
static double close_positions(const ff_model *m, ff_data *d, ff_loops *l, int rounds)
{
    double *goal = l->work + 4 * (size_t)l->nrow,
           *move = l->work + 5 * (size_t)l->nrow + (size_t)l->nrow * (size_t)l->nrow;
    double open = largest(l->phi, l->nrow), before = INFINITY;
    for (int round = 0; round < rounds && open > CLOSED && open < 0.5 * before; round++) {
        // A start pose may lie far off and needs new factors all the way; what a step left does not.
        if ((round == 0 || open > 1e-6) && !ff_loops_factor_mass(m, d, l)) return INFINITY;
        for (int i = 0; i < l->nrow; i++) goal[i] = -l->phi[i];
        memset(move, 0, (size_t)m->nv * sizeof(double));
        ff_loops_solve(m, l, goal, move, NULL);
        ff_dyn_advance(m, d->q, move, 1.0, d->q);
        ff_dyn_kinematics(m, d);
        ff_loops_position(m, d, l);
        before = open;
        open = largest(l->phi, l->nrow);
    }
    return open;
}

static void close_velocities(const ff_model *m, ff_data *d, ff_loops *l, int rounds)
{
    double *goal = l->work + 4 * (size_t)l->nrow;
    const double enough = AT_REST * largest(d->v, m->nv);
    double before = INFINITY;
    for (int round = 0; round < rounds; round++) {
        ff_loops_multiply(l, d->v, l->speed);
        const double open = largest(l->speed, l->nrow);
        if (!(open > enough && open < 0.5 * before)) return;
        memset(goal, 0, (size_t)l->nrow * sizeof(double));
        ff_loops_solve(m, l, goal, d->v, NULL);
        before = open;
    }
}

bool ff_loops_closed(const ff_model *m, ff_data *d, ff_loops *l)
{
    ff_dyn_kinematics(m, d);
    ff_loops_position(m, d, l);
    ff_loops_multiply(l, d->v, l->speed);
    return largest(l->phi, l->nrow) <= CLOSED && largest(l->speed, l->nrow) <= AT_REST * largest(d->v, m->nv);
}

double ff_loops_close(const ff_model *m, ff_data *d, ff_loops *l, int rounds)
{
    ff_dyn_kinematics(m, d);
    ff_loops_position(m, d, l);
    double open = close_positions(m, d, l, rounds);
    ff_loops_multiply(l, d->v, l->speed);
    if (largest(l->speed, l->nrow) > AT_REST * largest(d->v, m->nv)) {
        if (!ff_loops_factor_mass(m, d, l)) return INFINITY;
        close_velocities(m, d, l, 3);
    }
    ff_dyn_velocity(m, d);
    return open;
}
