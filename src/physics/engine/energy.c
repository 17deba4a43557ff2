// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Stored energy, the begin of the energy ledger, and changes of the stored energy from outside.
#include "engine/system.h"

/// @return energy of the parts that have contacts, or of all others  [J]
static double energy_of_parts(ff_sim *sim, bool contacts)
{
    double sum = 0.0;
    for (int i = 0; i < sim->npart; i++) {
        const ff_part *part = &sim->parts[i].part;
        if (part->energy && sim->parts[i].inner.contacts == contacts)
            sum += part->energy(part->context, ff_sim_time(sim), sim->model, sim->data, ff_sim_part_state(sim, i));
    }
    return sum;
}

ff_energy ff_energy_now(ff_sim *sim)
{
    ff_sim_reach(sim, FF_SIM_VELOCITY);
    if (sim->energy_at == sim->forces_number) return sim->energy; // several measures and channels read one state
    ff_energy e = {0};
    if (sim->data) {
        e.kinetic = ff_dyn_kinetic_energy(sim->model, sim->data);
        e.potential = ff_dyn_potential_energy(sim->model, sim->data);
        if (sim->options.passive) {
            e.elastic = sim->data->passive_energy;
            e.potential += sim->data->lift_energy;
        }
    }
    e.contacts = energy_of_parts(sim, true);
    e.parts = energy_of_parts(sim, false);
    e.total = e.kinetic + e.potential + e.elastic + e.contacts + e.parts;
    sim->energy_at = sim->forces_number;
    return sim->energy = e;
}

double ff_ledger_before_change(ff_sim *sim)
{
    return sim->ledger.begun && sim->data ? ff_energy_now(sim).total : 0.0;
}

void ff_ledger_after_change(ff_sim *sim, double before)
{
    if (sim->ledger.begun && sim->data) sim->ledger.outside += ff_energy_now(sim).total - before;
}

void ff_ledger_begin(ff_sim *sim)
{
    if (sim->ledger.begun || sim->nledger == 0) return;
    const double *q = sim->x + sim->nstate;
    double lost = 0.0; // before the ledger begins, by bodies that meet at the start
    for (int i = 0; i < sim->nledger; i++) lost += i == FF_LEDGER_WORK ? -q[i] : q[i];
    sim->ledger.start = ff_energy_now(sim).total + lost;
    sim->ledger.begun = true;
}
