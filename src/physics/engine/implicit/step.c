// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One step of the implicit method: two stages of backward Euler, each over g h with g = 1 - 1 / sqrt(2),
//     X1 = x0 + g h f(X1),
//     x1 = b + g h f(x1),        b = x0 + (1 - g) h f(X1),
// which is the stiffly accurate, L-stable Runge-Kutta method of order 2 of R. Alexander (SIAM J. Numer. Anal. 14,
// 1977). For x' = lambda x and w = h lambda a step multiplies by (1 + (1 - 2 g) w) / (1 - g w)^2: at most 1 in the left
// half plane, 0 at infinity, and 1 - 0.0037 |w|^4 on the imaginary axis near zero. A stage
//     M (v - vb) / (g h) + bias = tau(q, v, t) + J' F(q, v),      q = qb moved by v for g h,
// from its base (qb, vb) is solved by Newton's iteration  A dv = -g h r(v),  A = M + g h D + (g h)^2 K.
//
// Where contacts or stops that the step does not resolve are reached in its first stage, or other ones push in the
// second, b is no state near the motion: it has extrapolated the impulse of an impact, so that a body would leave hard
// ground with 1.4 times its speed, or lies deep in ground that the first stage has not reached. Such a step ends with
// its first stage, which makes no energy: it is one of backward Euler over g h.
//
// Integrals of ledger and parts are sums over the stages, with the weights (1 - g) h and g h.
#include "dyn/loop_response.h"
#include "engine/implicit/implicit.h"

enum { ROUNDS_MOST = 20 };
static const double G = 0.29289321881345247560; // g

// ------------------------------------------------------------------------------------------ predict

/// The largest speed of late, with that of the velocity v; earlier ones fade.
static double speed_of_late(const ff_sim *sim, const double *v)
{
    static const double FADES = 0.5;    // [s]
    static const double SLOWEST = 0.01; // [m/s, rad/s]
    const ff_implicit *im = sim->implicit;
    double speed = ff_max(SLOWEST, im->speed * ff_exp(-im->length / FADES));
    for (int i = 0; i < sim->nv; i++) speed = ff_max(speed, fabs(v[i]));
    return speed;
}

/// Forces, acceleration and rates of part states at the start of the step -> start.
static bool begin(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    if (im->start.ready) return true;
    sim->counts.evaluations++;
    const bool found = ff_sim_reach_at(sim, sim->time_origin + im->t, FF_SIM_ACCELERATION);
    memcpy(im->start.zdot, sim->rates + sim->nq + sim->nv, (size_t)sim->nz * sizeof(double));
    if (!sim->data) return true;
    if (!found) return false;
    memcpy(im->start.acceleration, sim->data->qacc, (size_t)sim->nv * sizeof(double));
    memcpy(im->start.tendon_length, sim->data->tendon_length, (size_t)sim->model->ntendon * sizeof(double));
    im->start.ready = true;
    return true;
}

/// The acceleration that is expected, given that of before and one that smooth motion would make of it. With stiff
/// forces that may be far off; the two then differ much, and the smaller one is used.
static double expected(double before, double smooth)
{
    const double large = ff_max(fabs(before), fabs(smooth));
    if (fabs(smooth - before) <= 0.5 * large) return smooth;
    return fabs(smooth) < fabs(before) ? smooth : before;
}

static void start_parts(ff_sim *sim, const double *zdot)
{
    ff_implicit *im = sim->implicit;
    const double *z0 = im->base + sim->nq + sim->nv;
    for (int k = 0; k < 2; k++)
        for (int i = im->parts.ranges[k][0]; i < im->parts.ranges[k][1]; i++)
            im->iterate.z[i] = z0[i] + im->h * zdot[i];
}

/// The first stage starts from the state. @return false when forces are not finite there
static bool begin_first(ff_sim *sim, double t, double h)
{
    ff_implicit *im = sim->implicit;
    const double *v0 = sim->x + sim->nq;
    im->length = h;
    im->t = t;
    im->h = G * h;
    if (!(im->speed > 0.0)) im->speed = speed_of_late(sim, v0);
    for (int i = 0; i < sim->npart; i++) im->parts.ready[i] = false;
    if (!begin(sim)) return false;
    memcpy(im->base, sim->x, (size_t)sim->nstate * sizeof(double));
    memcpy(im->integrals, sim->x + sim->nstate, (size_t)sim->nquad * sizeof(double));
    memset(im->driving, 0, (size_t)sim->nv * sizeof(double));
    memset(im->friction, 0, (size_t)sim->nv * sizeof(double));
    if (sim->model)
        memcpy(im->base_tendon_length, im->start.tendon_length, (size_t)sim->model->ntendon * sizeof(double));
    for (int i = 0; i < sim->nv; i++)
        im->iterate.v[i] = v0[i] + im->h * expected(im->history.acceleration[i],
                                                    im->start.acceleration[i] + im->h * im->history.jerk[i]);
    start_parts(sim, im->start.zdot);
    return true;
}

/// The second stage starts from where the slopes of the first lead in the time (1 - g) h.
static void begin_second(ff_sim *sim)
{
    static const double AHEAD = (1.0 - G) / G;
    ff_implicit *im = sim->implicit;
    const double step = (1.0 - G) * im->length, *v0 = sim->x + sim->nq, *z0 = v0 + sim->nv;
    double *v = im->base + sim->nq, *z = v + sim->nv;
    im->t += step;
    for (int i = 0; i < sim->nv; i++) v[i] = v0[i] + step * im->first.acceleration[i];
    for (int i = 0; i < sim->nz; i++) z[i] = z0[i] + AHEAD * (im->first.z[i] - z0[i]);
    if (sim->model) ff_dyn_advance(sim->model, sim->x, im->first.v, step, im->base);
    for (int i = 0; i < sim->nv; i++) {
        const double a = im->first.acceleration[i], rise = a - im->start.acceleration[i];
        im->iterate.v[i] = v[i] + im->h * expected(a, a + AHEAD * rise);
    }
    start_parts(sim, im->first.zdot);
}

// ------------------------------------------------------------------------------------------ stages

/// Newton's iteration for the velocity at the end of the stage.
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

/// States of the parts at the end of the stage -> z; what it gives the ledger and the integrals of parts.
static void end_stage(ff_sim *sim, double weight, double *z)
{
    ff_implicit *im = sim->implicit;
    const ff_part_slot *contacts = im->contacts.slot;
    double *of_parts = im->integrals + sim->nquad - sim->nintegral;
    for (int i = sim->nledger; i < sim->nquad; i++) im->integrals[i] += weight * im->iterate.zdot[sim->nz + i];
    for (int k = 0; k < 2; k++)
        for (int i = im->parts.ranges[k][0]; i < im->parts.ranges[k][1]; i++) z[i] = im->iterate.z[i];
    if (contacts) ff_contacts_end_stage(sim, weight, z + contacts->offset, of_parts + contacts->integral);
    if (sim->nledger > 0) ff_implicit_add_powers(sim, weight);
}

static void end_first(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const double *v0 = sim->x + sim->nq;
    end_stage(sim, (1.0 - G) * im->length, im->first.z);
    ff_contacts_keep_pushing(sim);
    ff_stops_keep_pushing(sim);
    memcpy(im->first.v, im->iterate.v, (size_t)sim->nv * sizeof(double));
    memcpy(im->first.zdot, im->iterate.zdot, (size_t)sim->nz * sizeof(double));
    for (int i = 0; i < sim->nv; i++) im->first.acceleration[i] = (im->iterate.v[i] - v0[i]) / im->h;
    const int ntendon = sim->model ? sim->model->ntendon : 0;
    for (int i = 0; i < ntendon; i++)
        im->base_tendon_length[i] += (1.0 - G) / G * (sim->data->tendon_length[i] - im->base_tendon_length[i]);
}

/// The end of the last stage is that of the step -> in.trial.
/// @param before  acceleration at an earlier instant of the step, `apart` before its end, for the jerk
static void end_last(ff_sim *sim, double weight, const double *before, double apart)
{
    ff_implicit *im = sim->implicit;
    double *x = sim->integrator.trial;
    const double *v = im->iterate.v, *base_v = im->base + sim->nq;
    end_stage(sim, weight, x + sim->nq + sim->nv);
    if (sim->nledger > 0) ff_implicit_add_work(sim);
    memcpy(x + sim->nq, v, (size_t)sim->nv * sizeof(double));
    if (sim->model) ff_dyn_advance(sim->model, im->base, v, im->h, x);
    for (int i = 0; i < sim->nv; i++) {
        im->history.acceleration[i] = (v[i] - base_v[i]) / im->h;
        im->history.jerk[i] = (im->history.acceleration[i] - before[i]) / apart;
    }
}

// ------------------------------------------------------------------------------------------ error

// The local error of a position is 0.0404 h^3 of its third derivative, which the two slopes of its velocity give. That
// of a velocity is the distance of the step from the quadrature of order 3 through the slopes at its start and at the
// two stages. It moves the position for as long as it lasts: in a motion that swings with the angular frequency w for
// 1 / w, which the change of the slope with the position gives; else for LASTING.

static const double POSITION = 0.0571;                          // of the difference of slopes, times h^2
static const double QUADRATURE[3] = {-0.0690, 0.0976, -0.0286}; // of the slopes at 0, g h and h, times h
static const double NOISE = 0.43;                               // (0.0976 + 0.0286) / g, by noise of two velocities
static const double LASTING = 0.3;                              // [s]
static const double ALLOWED = 0.25;                             // part of the accuracy, as errors of many steps add up

/// @param noise  of the velocity after a stage, from Newton's iteration
static double error_of_velocity(const ff_implicit *im, int i, double noise)
{
    const double speed = fabs(im->iterate.v[i]), bend = fabs(im->history.jerk[i]);
    const double lasts = bend * LASTING * LASTING > speed ? sqrt(speed / bend) : LASTING;
    const double off =
        im->length * fabs(QUADRATURE[0] * im->start.acceleration[i] + QUADRATURE[1] * im->first.acceleration[i] +
                          QUADRATURE[2] * im->history.acceleration[i]);
    return lasts * ff_max(0.0, off - NOISE * noise);
}

/// The same of the states of parts, allowed in 0.1 s: the accuracy times the state and 0.1.
static double error_of_parts(const ff_sim *sim)
{
    static const double UNIT = 0.1, TIME = 0.1; // [1], [s]
    const ff_implicit *im = sim->implicit;
    double most = 0.0;
    for (int k = 0; k < im->parts.nmeasured; k++) {
        const int i = im->parts.measured[k];
        const double rate =
            QUADRATURE[0] * im->start.zdot[i] + QUADRATURE[1] * im->first.zdot[i] + QUADRATURE[2] * im->iterate.zdot[i];
        most = ff_max(most, TIME * fabs(rate) / (UNIT + fabs(im->iterate.z[i])));
    }
    return most / sim->options.accuracy;
}

/// Error of the step over the way that the fastest coordinate makes in it, in units of the accuracy.
static double error_of(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    const double h = im->length, noise = ff_tolerance_fixed(sim);
    double most = 0.0;
    for (int i = 0; i < sim->nv; i++) {
        const double a = im->history.acceleration[i];
        if (im->single)
            most = ff_max(most, 0.5 * h * h * ff_max(fabs(a), fabs(a - im->start.acceleration[i])));
        else
            most = ff_max(
                most, ff_max(POSITION * h * h * fabs(a - im->first.acceleration[i]), error_of_velocity(im, i, noise)));
    }
    most /= ALLOWED * h * ff_implicit_error_rate(sim);
    return im->single ? most : ff_max(most, error_of_parts(sim));
}

// ------------------------------------------------------------------------------------------ the step

/// The first stage, over g h, alone: a step of backward Euler.
static void end_single(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    im->single = true;
    im->length = im->h;
    end_last(sim, im->h, im->start.acceleration, im->h);
}

ff_try ff_implicit_try(ff_sim *sim, double t, double h)
{
    ff_implicit *im = sim->implicit;
    im->single = false;
    if (!begin_first(sim, t, h)) return FF_TRY_BAD; // state, history -> base, velocity
    ff_try outcome = iterate(sim);                  // velocity       -> velocity at the end of the stage
    if (outcome != FF_TRY_OK) return outcome;
    if (ff_contacts_reached(sim) || ff_stops_reached(sim)) {
        end_single(sim);
    } else {
        end_first(sim);    //                -> slopes, integrals
        begin_second(sim); // slopes         -> base, velocity
        outcome = iterate(sim);
        if (outcome != FF_TRY_OK) return outcome;
        if (ff_contacts_changed(sim) || ff_stops_changed(sim)) {
            if (!begin_first(sim, t, h)) return FF_TRY_BAD;
            outcome = iterate(sim);
            if (outcome != FF_TRY_OK) return outcome;
            end_single(sim);
        } else {
            end_last(sim, G * h, im->first.acceleration, (1.0 - G) * h); // -> state proposed, history, integrals
        }
    }
    im->error = sim->options.accuracy > 0.0 ? error_of(sim) : 0.0;
    return FF_TRY_OK;
}

void ff_implicit_commit(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    double *x = sim->integrator.trial, *ledger = x + sim->nstate;
    memcpy(ledger, im->integrals, (size_t)sim->nquad * sizeof(double));
    if (sim->nledger > 0) {
        const double *before = sim->x + sim->nstate;
        ledger[FF_LEDGER_FRICTION] =
            ff_ledger_friction(sim, sim->x, x, ledger[FF_LEDGER_FRICTION] - before[FF_LEDGER_FRICTION]);
        ledger[FF_LEDGER_JOINTS] = ff_ledger_joints(sim, sim->x, x, ledger[FF_LEDGER_JOINTS],
                                                    ledger[FF_LEDGER_JOINTS] - before[FF_LEDGER_JOINTS]);
    }
    sim->ode.normalise(sim->ode.context, x);
    im->speed = speed_of_late(sim, im->iterate.v);
    im->contacts.stored = im->contacts.stored_after;
    memcpy(sim->x, x, (size_t)sim->n * sizeof(double));
    ff_sim_invalidate(sim, FF_SIM_NOTHING);
    // The slopes of the last stage are those of the state, unless forces jump (ff_implicit_forget).
    memcpy(im->start.acceleration, im->history.acceleration, (size_t)sim->nv * sizeof(double));
    memcpy(im->start.zdot, im->iterate.zdot, (size_t)sim->nz * sizeof(double));
    im->start.ready = !sim->model || sim->model->ntendon == 0;
}
