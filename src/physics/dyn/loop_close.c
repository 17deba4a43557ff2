// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Projection onto the loops. Positions by Newton's iteration in the metric of the mass matrix,
//     dq = -M^-1 G' (G M^-1 G')^-1 phi,
// the shortest displacement in that metric; then velocities, v -= M^-1 G' (G M^-1 G')^-1 G v, which takes away kinetic
// energy, never adds any, and leaves the momentum of motions that the loops allow. Rows beyond the rank are left alone:
// near a singular position phi is of second order there.
#include <footfall/loop.h>

#include "dyn/layout.h"
#include "dyn/loop_response.h"

static const double CLOSED = 1e-13;  // a rounding of positions of robots  [m, rad]
static const double AT_REST = 1e-12; // the same for speeds, of the largest speed

static const double FAR_OFF = 1e-6; // beyond it Newton's iteration may need more than a few rounds  [m, rad]
static const double STRIDE = 0.5;   // of one round at most  [m, rad]
static const double SHAKE = 0.2;    // largest random displacement of a joint  [m, rad]
enum { ROUNDS_MOST = 100, SHAKES_MOST = 10 };

static double largest(const double *x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]); // a NaN is returned
    return most;
}

/// Rows of G at the pose in d, with zero columns for degrees of freedom that are held.
static void find_rows(const ff_model *m, const ff_data *d, ff_loops *l, const bool *held)
{
    ff_loops_position(m, d, l);
    for (int i = 0; held && i < l->nloop; i++) {
        const ff_loop *loop = &l->loops[i];
        for (int k = 0; k < loop->ndof; k++)
            for (int r = 0; held[loop->dofs[k]] && r < loop->nrow; r++) loop->jacobian[r * loop->ndof + k] = 0.0;
    }
}

static double gap_after(const ff_model *m, ff_data *d, ff_loops *l, const bool *held, const double *move, double part)
{
    ff_dyn_advance(m, d->q, move, part, d->q);
    ff_dyn_kinematics(m, d);
    find_rows(m, d, l, held);
    return largest(l->phi, l->nrow);
}

/// Newton's iteration for positions, a step of which is halved until the gap falls. @return largest |phi| left
static double close_positions(const ff_model *m, ff_data *d, ff_loops *l, const bool *held, int rounds)
{
    double *goal = l->work + 4 * (size_t)l->nrow,
           *move = l->work + 5 * (size_t)l->nrow + (size_t)l->nrow * (size_t)l->nrow;
    double open = largest(l->phi, l->nrow), before = INFINITY;
    for (int round = 0; round < rounds && open > CLOSED && (open > FAR_OFF || open < 0.5 * before); round++) {
        // far off the rows change in each round; for the error of a step one set of factors is enough
        if ((round == 0 || open > FAR_OFF) && !ff_loops_factor_mass(m, d, l, held)) return INFINITY;
        for (int i = 0; i < l->nrow; i++) goal[i] = -l->phi[i];
        memset(move, 0, (size_t)m->nv * sizeof(double));
        ff_loops_solve(m, l, goal, move, NULL);
        const double distance = largest(move, m->nv);
        for (int i = 0; distance > STRIDE && i < m->nv; i++) move[i] *= STRIDE / distance;
        before = open;
        open = gap_after(m, d, l, held, move, 1.0);
        for (double part = 0.5; before > FAR_OFF && !(open < before) && part > 1e-4; part *= 0.5)
            open = gap_after(m, d, l, held, move, -part); // back by half of the remaining part
    }
    return open;
}

static void close_velocities(const ff_model *m, ff_data *d, ff_loops *l)
{
    double *goal = l->work + 4 * (size_t)l->nrow;
    const double enough = AT_REST * largest(d->v, m->nv);
    double before = INFINITY;
    for (int round = 0; round < 3; round++) {
        ff_loops_multiply(l, d->v, l->speed);
        const double open = largest(l->speed, l->nrow);
        if (!(open > enough && open < 0.5 * before)) return;
        memset(goal, 0, (size_t)l->nrow * sizeof(double));
        ff_loops_solve(m, l, goal, d->v, NULL);
        before = open;
    }
}

/// Speeds that are held stay, and the others follow.
static bool follow_speeds(const ff_model *m, ff_data *d, ff_loops *l, const bool *held)
{
    double *goal = l->work + 4 * (size_t)l->nrow,
           *move = l->work + 5 * (size_t)l->nrow + (size_t)l->nrow * (size_t)l->nrow;
    for (int round = 0; round < 2; round++) {
        ff_loops_position(m, d, l);
        ff_loops_multiply(l, d->v, l->speed);
        for (int i = 0; i < l->nrow; i++) goal[i] = -l->speed[i];
        find_rows(m, d, l, held);
        if (round == 0 && !ff_loops_factor_mass(m, d, l, held)) return false;
        memset(move, 0, (size_t)m->nv * sizeof(double));
        ff_loops_solve(m, l, goal, move, NULL);
        for (int i = 0; i < m->nv; i++) d->v[i] += move[i];
    }
    return true;
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
    const double gap = largest(l->phi, l->nrow);
    const double open = close_positions(m, d, l, NULL, rounds);
    const bool factored = gap > CLOSED && gap <= FAR_OFF; // by close_positions, at nearly this pose
    ff_loops_multiply(l, d->v, l->speed);
    if (largest(l->speed, l->nrow) > AT_REST * largest(d->v, m->nv)) {
        if (!factored && !ff_loops_factor_mass(m, d, l, NULL)) return INFINITY;
        close_velocities(m, d, l);
    }
    ff_dyn_velocity(m, d);
    return open;
}

double ff_loops_assemble(const ff_model *m, ff_data *d, ff_loops *l, const bool *held_q, const bool *held_v,
                         double *speed)
{
    ff_dyn_kinematics(m, d);
    find_rows(m, d, l, held_q);
    double open = close_positions(m, d, l, held_q, ROUNDS_MOST);
    ff_random random = ff_random_make(0, 0);
    double *move = l->work + 5 * (size_t)l->nrow + (size_t)l->nrow * (size_t)l->nrow;
    for (int again = 0; again < SHAKES_MOST && open > FAR_OFF && open < INFINITY; again++) {
        // random displacements lead out of poses in which all joints move across the gap
        for (int i = 0; i < m->nv; i++) move[i] = held_q[i] ? 0.0 : ff_random_range(&random, -SHAKE, SHAKE);
        gap_after(m, d, l, held_q, move, 1.0);
        open = close_positions(m, d, l, held_q, ROUNDS_MOST);
    }
    if (!(open < INFINITY) || !follow_speeds(m, d, l, held_v)) return INFINITY;
    ff_loops_position(m, d, l);
    ff_loops_multiply(l, d->v, l->speed);
    *speed = largest(l->speed, l->nrow);
    return open;
}
