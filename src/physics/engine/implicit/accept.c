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

/// The step to the state x, as a part sees it.
static ff_step_record record_for(const ff_sim *sim, const ff_part_slot *slot, const double *x)
{
    const ff_implicit *im = sim->implicit;
    const int nq = sim->nq, z = nq + sim->nv + slot->offset;
    ff_step_record record = {.h = im->h,
                             .negligible =
                                 sim->options.accuracy > 0.0 ? ff_min(sim->options.accuracy, NEGLIGIBLE) : NEGLIGIBLE,
                             .q0 = sim->x,
                             .v0 = sim->x + nq,
                             .z0 = sim->x + z,
                             .q1 = x,
                             .v1 = x + nq,
                             .z1 = x + z,
                             .integrals = sim->x + sim->n - sim->nintegral + slot->integral};
    if (im->correction.applied) {
        record.shift_q = im->correction.q;
        record.shift_v = im->correction.v;
        record.shift_z = im->correction.z + slot->offset;
    }
    return record;
}

/// States and integrals of the part that has contacts. Needs the velocity of the motion in im->work.
static void finish_contacts(ff_sim *sim, double *x)
{
    const ff_step_contacts *all = &sim->implicit->contacts;
    const ff_step_record record = record_for(sim, all->slot, x);
    all->interface->finish(all->slot->part.context, &record, all->results, ff_contact_points_finish(sim),
                           x + sim->nq + sim->nv + all->slot->offset,
                           x + sim->n - sim->nintegral + all->slot->integral);
}

/// What parts know better by the step as a whole than by the powers at its ends.
static void account_parts(const ff_sim *sim, double *x)
{
    double none[FF_LEDGER_COUNT] = {0.0};
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (!slot->inner.account || slot->inner.contacts) continue;
        const ff_step_record record = record_for(sim, slot, x);
        slot->inner.account(slot->part.context, &record, sim->nledger > 0 ? x + sim->n - sim->nquad : none,
                            x + sim->n - sim->nintegral + slot->integral);
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
