// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Integrators of fixed step for dx/dt = f(t, x):
//     euler   v += h a(q, v);  q moves with the new v          order 1, symplectic for springs and gravity
//     rk2     x += h f(t + h/2, x + h/2 f(t, x))               explicit midpoint, order 2
//     rk4     the classic method of Kutta (1901)               order 4
// Quaternions are integrated as four plain numbers and scaled to length 1 after the step. The exact flow keeps their
// length, so the projection moves the state by no more than the local error and the order holds; an exponential map of
// averaged angular velocities would not commute with the stages and drop rk4 to order 2 for turning bases.
//
// A step that would pass the end of its interval is shortened to end there; the grid of steps restarts from there.
#include "engine/system.h"

static bool move_euler(const ff_ode *ode, ff_integrator *in, double t, double h, double *x)
{
    if (!ode->derivative(ode->context, t, x, in->k[0])) return false;
    ode->euler(ode->context, h, x, in->k[0]);
    ode->normalise(ode->context, x);
    return true;
}

/// out = x + h k.
static void shift(double *out, const double *x, double h, const double *k, int n)
{
    for (int i = 0; i < n; i++) out[i] = x[i] + h * k[i];
}

static bool move_rk2(const ff_ode *ode, ff_integrator *in, double t, double h, double *x)
{
    const int n = ode->n;
    if (!ode->derivative(ode->context, t, x, in->k[0])) return false;
    shift(in->trial, x, 0.5 * h, in->k[0], n);
    if (!ode->derivative(ode->context, t + 0.5 * h, in->trial, in->k[1])) return false;
    shift(x, x, h, in->k[1], n);
    ode->normalise(ode->context, x);
    return true;
}

static bool move_rk4(const ff_ode *ode, ff_integrator *in, double t, double h, double *x)
{
    const int n = ode->n;
    double *const *k = in->k;
    if (!ode->derivative(ode->context, t, x, k[0])) return false;
    shift(in->trial, x, 0.5 * h, k[0], n);
    if (!ode->derivative(ode->context, t + 0.5 * h, in->trial, k[1])) return false;
    shift(in->trial, x, 0.5 * h, k[1], n);
    if (!ode->derivative(ode->context, t + 0.5 * h, in->trial, k[2])) return false;
    shift(in->trial, x, h, k[2], n);
    if (!ode->derivative(ode->context, t + h, in->trial, k[3])) return false;
    const double sixth = h / 6.0;
    for (int i = 0; i < n; i++) x[i] += sixth * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
    ode->normalise(ode->context, x);
    return true;
}

// ------------------------------------------------------------------------------------------ the methods

/// Stages integrate the work on friction; heat is what of it the springs do not hold.
static ff_status make_step(ff_sim *sim, ff_step *step, ff_error *err)
{
    const ff_ticks length = ff_step_fixed(sim, step);
    bool (*const move)(const ff_ode *ode, ff_integrator *in, double t, double h, double *x) =
        sim->method == &ff_method_euler ? move_euler
        : sim->method == &ff_method_rk2 ? move_rk2
                                        : move_rk4;
    if (!move(&sim->ode, &sim->in, 0.0, step->h, sim->x)) return ff_sim_derivative_failed(sim, err);
    step->ticks = sim->ticks + length;
    if (!ff_sim_has_stages(sim) || sim->nledger == 0) return FF_OK;
    const int friction = sim->n - sim->nquad + FF_LEDGER_FRICTION;
    const double work = sim->x[friction] - sim->x_last[friction];
    sim->x[friction] = ff_ledger_friction(sim, sim->x_last, sim->x, work);
    return FF_OK;
}

const ff_method_ops ff_method_euler = {.built = true, .traits = {.fixed = true, .impulses = true}, .step = make_step};
const ff_method_ops ff_method_rk2 = {.built = true, .traits = {.fixed = true}, .step = make_step};
const ff_method_ops ff_method_rk4 = {.built = true, .traits = {.fixed = true}, .step = make_step};
