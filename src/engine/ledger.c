// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The energy ledger: powers integrated along with the state, by the same method, so that the balance
//     stored now - stored at the start + lost = work + outside + loops + residual
// leaves the error of the integration as residual. Jumps of stored energy at transitions of contacts are booked as they
// happen.
#include "engine/system.h"

void ff_sim_book(ff_sim *sim, int entry, double amount)
{
    if (sim->nledger > 0) sim->x[sim->n - sim->nquad + entry] += amount;
}

void ff_ledger_drives(ff_sim *sim, double *power)
{
    const ff_data *d = sim->data;
    for (int i = 0; i < FF_LEDGER_COUNT; i++) power[i] = 0.0;
    for (int i = 0; i < sim->nv; i++) power[FF_LEDGER_WORK] += d->tau[i] * d->v[i];
}

/// Power of all forces in tau and wrench.
static double applied(const ff_sim *sim)
{
    const ff_data *d = sim->data;
    double power = 0.0;
    for (int i = 0; i < sim->nv; i++) power += d->tau[i] * d->v[i];
    for (int i = 0; i < 6 * sim->model->nnode; i++) power += d->wrench[i] * d->velocity[i];
    return power;
}

static bool accounts(const ff_part_slot *slot)
{
    return slot->part.energy || slot->part.power;
}

double ff_ledger_before(const ff_sim *sim, const ff_part_slot *slot)
{
    return accounts(slot) ? 0.0 : applied(sim);
}

void ff_ledger_part(ff_sim *sim, const ff_part_slot *slot, double t, const double *z, double before, double *power)
{
    const ff_part *part = &slot->part;
    if (slot->inner.book) {
        slot->inner.book(part->context, power);
        return;
    }
    if (!accounts(slot)) {
        power[FF_LEDGER_WORK] += applied(sim) - before;
    } else if (part->power) {
        power[FF_LEDGER_PARTS] += part->power(part->context, t, sim->model, sim->data, z);
    }
    if (part->supply) power[FF_LEDGER_WORK] += part->supply(part->context, t, sim->model, sim->data, z);
}

double ff_ledger_before_change(ff_sim *sim)
{
    return sim->ledger_begun && sim->data ? ff_sim_energy(sim).total : 0.0;
}

void ff_ledger_after_change(ff_sim *sim, double before)
{
    if (sim->ledger_begun && sim->data) sim->outside += ff_sim_energy(sim).total - before;
}

void ff_ledger_begin(ff_sim *sim)
{
    if (sim->ledger_begun || sim->nledger == 0) return;
    sim->ledger_start = ff_sim_energy(sim).total;
    sim->ledger_begun = true;
}

ff_ledger ff_sim_ledger(ff_sim *sim)
{
    ff_ledger l = {0};
    if (ff_sim_begin(sim, NULL) || sim->nledger == 0) return l;
    ff_ledger_begin(sim);
    const double *q = sim->x + sim->n - sim->nquad;
    l.stored = ff_sim_energy(sim);
    l.start = sim->ledger_start;
    l.lost_normal = q[FF_LEDGER_NORMAL];
    l.lost_friction = q[FF_LEDGER_FRICTION];
    l.lost_joints = q[FF_LEDGER_JOINTS];
    l.lost_parts = q[FF_LEDGER_PARTS];
    l.work = q[FF_LEDGER_WORK];
    l.outside = sim->outside;
    l.loops = sim->closing;
    const double lost = l.lost_normal + l.lost_friction + l.lost_joints + l.lost_parts;
    l.residual = (l.stored.total - l.start) + lost - l.work - l.outside - l.loops;
    return l;
}
