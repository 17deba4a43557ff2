// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Accept: the velocity found, and its correction where that is applied, make the state that the step proposes; the
// proposal that is accepted becomes the state.
#include "engine/implicit/implicit.h"

static const double NEGLIGIBLE = 1e-3; // ff_step_record.negligible, unless the accuracy is higher

void ff_implicit_propose(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    double *x = sim->in.trial, *z = x + sim->nq + sim->nv;
    const double *v0 = sim->x + sim->nq;
    const bool corrected = im->correction.applied;
    for (int i = 0; i < sim->nv; i++) {
        im->history.acceleration[i] = (im->iterate.v[i] - v0[i]) / im->h;
        im->history.jerk[i] = (im->history.acceleration[i] - im->start.acceleration[i]) / im->h;
        im->work[i] = im->iterate.v[i];
        if (corrected) {
            im->work[i] += im->correction.q[i] / im->h;
            im->iterate.v[i] += im->correction.v[i];
        }
        x[sim->nq + i] = im->iterate.v[i];
    }
    if (sim->model) ff_dyn_advance(sim->model, sim->x, im->work, im->h, x);
    for (int k = 0; k < 2; k++)
        for (int i = im->parts.ranges[k][0]; i < im->parts.ranges[k][1]; i++)
            z[i] = im->iterate.z[i] + (corrected ? im->correction.z[i] : 0.0);
}

/// Integrals of parts, such as impulses and energies of drives: by the trapezoidal rule where the step was corrected.
static void add_integrals(const ff_sim *sim, double *x)
{
    const ff_implicit *im = sim->implicit;
    const double h = im->h, *from = sim->x + sim->n - sim->nquad;
    const double *rate = im->iterate.zdot + sim->nz, *rate0 = im->start.zdot + sim->nz;
    double *to = x + sim->n - sim->nquad;
    if (im->correction.applied)
        for (int i = sim->nledger; i < sim->nquad; i++) to[i] = from[i] + h * rate[i] + 0.5 * h * (rate0[i] - rate[i]);
    else
        for (int i = sim->nledger; i < sim->nquad; i++) to[i] = from[i] + h * rate[i];
}

/// States and integrals of the part that has contacts. Needs the velocity of the motion in im->work.
static void finish_contacts(const ff_sim *sim, double *x)
{
    const ff_implicit *im = sim->implicit;
    const ff_step_contacts *all = &im->contacts;
    const void *context = all->slot->part.context;
    const int at = sim->nq + sim->nv + all->slot->offset;
    if (im->correction.applied && all->count > 0) ff_factors_twists(sim, im->correction.v);
    all->interface->integrate(context, sim, all->points, all->count, im->h, im->correction.applied,
                              x + sim->n - sim->nintegral + all->slot->integral);
    ff_implicit_point_velocities(sim, im->work);
    all->interface->finish(context, all->points, all->count, im->h, sim->x + at, x + at);
}

/// What parts know better by the step as a whole than by the powers at its ends.
static void account_parts(const ff_sim *sim, double *x)
{
    const ff_implicit *im = sim->implicit;
    double none[FF_LEDGER_COUNT] = {0.0};
    const int nq = sim->nq, nz = nq + sim->nv, ledger = sim->n - sim->nquad, integrals = sim->n - sim->nintegral;
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (!slot->inner.account) continue;
        const int z = nz + slot->offset;
        ff_step_record record = {.h = im->h,
                                 .negligible = sim->options.accuracy > 0.0 ? ff_min(sim->options.accuracy, NEGLIGIBLE)
                                                                           : NEGLIGIBLE,
                                 .q0 = sim->x,
                                 .v0 = sim->x + nq,
                                 .z0 = sim->x + z,
                                 .q1 = x,
                                 .v1 = x + nq,
                                 .z1 = x + z,
                                 .ledger = sim->nledger > 0 ? sim->x + ledger : NULL,
                                 .integrals = sim->x + integrals + slot->integral,
                                 .points = im->contacts.points,
                                 .npoint = im->contacts.count,
                                 .too_hard = im->contacts.too_hard};
        if (im->correction.applied) {
            record.shift_q = im->correction.q;
            record.shift_v = im->correction.v;
            record.shift_z = im->correction.z + slot->offset;
        }
        slot->inner.account(slot->part.context, &record, record.ledger ? x + ledger : none,
                            x + integrals + slot->integral);
    }
}

void ff_implicit_accept(ff_sim *sim)
{
    double *x = sim->in.trial;
    add_integrals(sim, x);
    if (sim->implicit->contacts.slot) finish_contacts(sim, x);
    if (sim->nledger > 0) ff_implicit_account(sim, x);
    sim->ode.normalise(sim->ode.context, x);
    account_parts(sim, x);
    memcpy(sim->x, x, (size_t)sim->n * sizeof(double));
    ff_sim_lower(sim, FF_SIM_NOTHING);
    sim->implicit->start.ready = false;
}
