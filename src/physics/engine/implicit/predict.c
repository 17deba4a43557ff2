// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Predict: the forces at the start of the step, and the velocity from which Newton's iteration sets out.
#include "engine/implicit/implicit.h"

/// States of parts where their rates at the start of the step lead.
static void start_states(ff_implicit *im, const double *z0)
{
    for (int k = 0; k < 2; k++)
        for (int i = im->parts.ranges[k][0]; i < im->parts.ranges[k][1]; i++)
            im->iterate.z[i] = z0[i] + im->h * im->start.zdot[i];
}

/// Forces, acceleration and rates of part states at the start of the step -> start.
static bool begin(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const double time = sim->base + im->t, *z0 = sim->x + sim->nq + sim->nv;
    ff_data *d = sim->data;
    if (im->start.ready) { // a shorter step from where the last try began
        start_states(im, z0);
        return true;
    }
    sim->counts.evaluations++;
    const bool found = ff_sim_reach_at(sim, time, FF_SIM_ACCELERATION);
    memcpy(im->start.zdot, sim->rates + sim->nq + sim->nv, (size_t)(sim->nz + sim->nquad) * sizeof(double));
    start_states(im, z0);
    if (!d) return true;
    if (im->contacts.slot) ff_contacts_start(sim);
    if (!found) return false;
    memcpy(im->start.acceleration, d->qacc, (size_t)sim->nv * sizeof(double));
    ff_lines_start(sim);
    memcpy(im->start.driving, sim->driving, (size_t)sim->nv * sizeof(double));
    im->start.ready = true;
    return true;
}

/// Mean acceleration to start from: that at the start of the step, and its change as in the last step. Where stiff
/// forces are at work that may be far off; it then differs much from the last mean, and the smaller of the two is
/// taken.
static double expected(const ff_implicit *im, int i)
{
    const double last = im->history.acceleration[i], now = im->start.acceleration[i] + im->h * im->history.jerk[i];
    const double large = ff_max(fabs(last), fabs(now));
    if (fabs(now - last) <= 0.5 * large) return now;
    return fabs(now) < fabs(last) ? now : last;
}

bool ff_implicit_predict(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const double *v0 = sim->x + sim->nq;
    if (!begin(sim)) return false;
    for (int i = 0; i < sim->nv; i++) im->iterate.v[i] = v0[i] + im->h * expected(im, i);
    return true;
}
