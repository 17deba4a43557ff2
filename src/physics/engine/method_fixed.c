// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Integrators of fixed step for dx/dt = f(t, x):
//     euler   v += h a(q, v);  q moves with the new v          order 1, symplectic for springs and gravity
//     rk2     x += h f(t + h/2, x + h/2 f(t, x))               explicit midpoint, order 2
//     rk4     the classic method of Kutta (1901)               order 4
// Quaternions are integrated as four plain numbers and scaled to length 1 after the step. The exact solution keeps
// their length, so that scaling moves the state by no more than the local error, and the order holds. An exponential
// map of averaged angular velocities would reduce rk4 to order 2 for bases that turn.
#include "engine/system.h"

/// Moves x over one step of length h from the local time t. @return false when a derivative failed
typedef bool ff_fixed_rule(const ff_ode *ode, ff_integrator *in, double t, double h, double *x);

static bool move_euler(const ff_ode *ode, ff_integrator *in, double t, double h, double *x)
{
    if (!ode->derivative(ode->context, t, x, in->k[0])) return false;
    ode->euler(ode->context, h, x, in->k[0]);
    ode->normalise(ode->context, x);
    return true;
}

/// out = x + h k.
static void add_scaled(double *out, const double *x, double h, const double *k, int n)
{
    for (int i = 0; i < n; i++) out[i] = x[i] + h * k[i];
}

static bool move_rk2(const ff_ode *ode, ff_integrator *in, double t, double h, double *x)
{
    const int n = ode->n;
    if (!ode->derivative(ode->context, t, x, in->k[0])) return false;
    add_scaled(in->trial, x, 0.5 * h, in->k[0], n);
    if (!ode->derivative(ode->context, t + 0.5 * h, in->trial, in->k[1])) return false;
    add_scaled(x, x, h, in->k[1], n);
    ode->normalise(ode->context, x);
    return true;
}

static bool move_rk4(const ff_ode *ode, ff_integrator *in, double t, double h, double *x)
{
    const int n = ode->n;
    double *const *k = in->k;
    if (!ode->derivative(ode->context, t, x, k[0])) return false;
    add_scaled(in->trial, x, 0.5 * h, k[0], n);
    if (!ode->derivative(ode->context, t + 0.5 * h, in->trial, k[1])) return false;
    add_scaled(in->trial, x, 0.5 * h, k[1], n);
    if (!ode->derivative(ode->context, t + 0.5 * h, in->trial, k[2])) return false;
    add_scaled(in->trial, x, h, k[2], n);
    if (!ode->derivative(ode->context, t + h, in->trial, k[3])) return false;
    const double sixth = h / 6.0;
    for (int i = 0; i < n; i++) x[i] += sixth * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
    ode->normalise(ode->context, x);
    return true;
}

static ff_fixed_rule *const RULES[FF_METHOD_COUNT] = {
    [FF_METHOD_EULER] = move_euler, [FF_METHOD_RK2] = move_rk2, [FF_METHOD_RK4] = move_rk4};

/// One step, shortened where it would pass the end of its interval. Methods with stages integrate the work on friction:
/// heat is the part of it that springs of contacts do not store.
static ff_status step_by_rule(ff_sim *sim, ff_step *step, ff_error *err)
{
    step->ticks = sim->ticks + ff_step_fixed(sim, step);
    if (!RULES[sim->options.method](&sim->ode, &sim->integrator, 0.0, step->h, sim->x))
        return ff_sim_derivative_failed(sim, err);
    if (!ff_sim_has_stages(sim) || sim->nledger == 0) return FF_OK;
    const int friction = sim->nstate + FF_LEDGER_FRICTION;
    const double work = sim->x[friction] - sim->x_last[friction];
    sim->x[friction] = ff_ledger_friction(sim, sim->x_last, sim->x, work);
    return FF_OK;
}

const ff_method_ops ff_method_euler = {
    .built = true, .traits = {.fixed = true, .impulses = true}, .step = step_by_rule};
const ff_method_ops ff_method_rk2 = {.built = true, .traits = {.fixed = true}, .step = step_by_rule};
const ff_method_ops ff_method_rk4 = {.built = true, .traits = {.fixed = true}, .step = step_by_rule};
