// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Linearisation about the current state, d(dx)/dt = A dx + B u. Positions are disturbed along velocity coordinates, so
// that a free body has six numbers and not seven. Columns come from central differences of fourth order,
//     f' = (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / (12 h),          error h^4 f5 / 30 + eps f / h,
// which is least near h = eps^(1/5) = 7e-4. With h = 1e-3 both parts are near 1e-13 of the fifth derivative f5 and of
// f.
//
// Rates of dq: for a hinge or slide dq' = dv. An orientation R that turns with the angular velocity w, in axes of the
// child body, has its disturbance d in the same axes: R = R0 exp(d), R' = R [w]  =>  d' = dw + d x w. Positions of free
// joints are in world axes and have no such term.
#include "engine/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int ff_sim_tangent_size(ff_sim *sim)
{
    return ff_sim_begin(sim, NULL) ? 0 : 2 * sim->nv + sim->nz;
}

/// Scratch of one linearisation.
typedef struct work {
    double *x;      // disturbed state  (n)
    double *dx[4];  // derivatives there, for the differences of a column  (n each)
    double *torque; // undisturbed held torques  (nv)
    double *push;   // unit velocity  (nv)
} work;

/// Moves the state by `amount` along tangent coordinate `column` -> w->x; columns from 2 nv + nz on are held torques.
static void disturb(ff_sim *sim, work *w, int column, double amount)
{
    const int nq = sim->nq, nv = sim->nv, nz = sim->nz;
    memcpy(w->x, sim->x, (size_t)sim->n * sizeof(double));
    memcpy(sim->held, w->torque, (size_t)nv * sizeof(double));
    if (column < nv) {
        w->push[column] = 1.0;
        ff_dyn_advance(sim->model, sim->x, w->push, amount, w->x);
        w->push[column] = 0.0;
    } else if (column < 2 * nv + nz) {
        w->x[nq + column - nv] += amount;
    } else {
        sim->held[column - 2 * nv - nz] += amount;
    }
}

/// Derivative of (qacc, zdot) along one tangent coordinate -> w->dx[0] from index nq on. @return false where it failed
static bool difference(ff_sim *sim, work *w, int column, double scale)
{
    const double h = 1e-3 * scale;
    const double steps[4] = {h, -h, 2.0 * h, -2.0 * h};
    for (int i = 0; i < 4; i++) {
        disturb(sim, w, column, steps[i]);
        if (!sim->ode.derivative(sim->ode.context, ff_sim_time(sim) - sim->time_origin, w->x, w->dx[i])) return false;
    }
    for (int i = sim->nq; i < sim->n; i++)
        w->dx[0][i] = (8.0 * (w->dx[0][i] - w->dx[1][i]) - (w->dx[2][i] - w->dx[3][i])) / (12.0 * h);
    return true;
}

/// Size of a coordinate, to which the steps of the differences are proportional.
static double scale_of(const ff_sim *sim, int column)
{
    const int nv = sim->nv;
    if (column < nv) return 1.0;
    if (column < 2 * nv + sim->nz) return ff_max(1.0, fabs(sim->x[sim->nq + column - nv]));
    return ff_max(1.0, fabs(sim->held[column - 2 * nv - sim->nz]));
}

/// Rows of dq': identity on dv, and d x w for turning frames.
static void fill_kinematic_rows(const ff_sim *sim, double *A, int n)
{
    const ff_model *m = sim->model;
    for (int i = 0; i < sim->nv; i++) A[i * n + sim->nv + i] = 1.0;
    for (int k = 0; m && k < m->nnode; k++) {
        const ff_node *node = &m->nodes[k];
        if (node->type != FF_NODE_BALL && node->type != FF_NODE_FREE) continue;
        const int a = node->vadr + (node->type == FF_NODE_FREE ? 3 : 0);
        const double *s = sim->x + sim->nq + a;
        // d x w = -[w] d
        A[(a + 0) * n + a + 1] = s[2];
        A[(a + 0) * n + a + 2] = -s[1];
        A[(a + 1) * n + a + 0] = -s[2];
        A[(a + 1) * n + a + 2] = s[0];
        A[(a + 2) * n + a + 0] = s[1];
        A[(a + 2) * n + a + 1] = -s[0];
    }
}

static bool fill_dynamic_rows(ff_sim *sim, work *w, double *A, double *B)
{
    const int nv = sim->nv, n = 2 * nv + sim->nz;
    const int columns = B ? n + nv : n;
    for (int column = 0; column < columns; column++) {
        if (!difference(sim, w, column, scale_of(sim, column))) return false;
        for (int row = nv; row < n; row++) {
            const double value = w->dx[0][sim->nq + row - nv];
            if (column < n)
                A[row * n + column] = value;
            else
                B[row * nv + column - n] = value;
        }
    }
    return true;
}

ff_status ff_sim_linearise(ff_sim *sim, double *A, double *B, ff_error *err)
{
    const ff_status status = ff_sim_begin(sim, err);
    if (status) return status;
    ff_sim_commit_writes(sim);
    const int nv = sim->nv, n = 2 * nv + sim->nz;
    double *block = calloc((size_t)(5 * sim->n + 2 * nv + 1), sizeof(double));
    if (!block) return ff_error_set(err, FF_NO_MEMORY, "no memory to linearise %d states", n);
    work w = {.x = block, .torque = block + 5 * sim->n, .push = block + 5 * sim->n + nv};
    for (int i = 0; i < 4; i++) w.dx[i] = block + (i + 1) * sim->n;
    memcpy(w.torque, sim->held, (size_t)nv * sizeof(double));
    memset(A, 0, (size_t)n * (size_t)n * sizeof(double));
    if (B) memset(B, 0, (size_t)n * (size_t)nv * sizeof(double));
    const long long evaluations = sim->counts.evaluations;
    sim->time_origin = ff_ticks_to_seconds(sim->ticks);
    fill_kinematic_rows(sim, A, n);
    const bool ok = fill_dynamic_rows(sim, &w, A, B);
    memcpy(sim->held, w.torque, (size_t)nv * sizeof(double));
    sim->counts.evaluations = evaluations; // the counts are those of the run
    free(block);
    const ff_status outcome = ok ? FF_OK : ff_sim_derivative_failed(sim, err);
    ff_sim_copy_to_data(sim);
    return outcome;
}
