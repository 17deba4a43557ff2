// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a step adds to the energy ledger: the powers at the end of each stage, times its weight. Exceptions:
//     drives, friction        impulse of their forces, times the mean of the velocities before and after the step. That
//         is what they add to the kinetic energy, also where a stiff servo moves a joint at once
//     steps of a single stage one force changes the velocity, and the work of contacts and stops goes by that mean, too
#include "engine/implicit/implicit.h"

void ff_implicit_add_powers(ff_sim *sim, double weight)
{
    ff_implicit *im = sim->implicit;
    const double *driving = sim->ledger.driving;
    double power[FF_LEDGER_COUNT];
    ff_ledger_powers(sim, sim->time_origin + im->t + im->h, im->iterate.z, power);
    power[FF_LEDGER_NORMAL] = power[FF_LEDGER_FRICTION] = 0.0; // Newton's last change comes after the last evaluation
    for (int k = 0; k < im->contacts.count; k++) power[FF_LEDGER_NORMAL] += im->contacts.points[k].lost_normal;
    for (int i = 0; i < sim->nv; i++) {
        power[FF_LEDGER_WORK] -= driving[i] * sim->data->v[i];
        im->driving[i] += weight * driving[i];
    }
    if (im->single) {
        power[FF_LEDGER_NORMAL] = ff_max(0.0, ff_min(power[FF_LEDGER_NORMAL], im->contacts.taken));
        power[FF_LEDGER_JOINTS] += ff_stops_heat_by_mean(sim);
    }
    for (int i = 0; i < FF_LEDGER_COUNT; i++) im->integrals[i] += weight * power[i];
}

void ff_implicit_add_work(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const double *v0 = sim->x + sim->nq, *v = im->iterate.v;
    for (int i = 0; i < sim->nv; i++) {
        const double mean = 0.5 * (v0[i] + v[i]);
        im->integrals[FF_LEDGER_WORK] += im->driving[i] * mean;
        im->integrals[FF_LEDGER_FRICTION] -= im->friction[i] * mean;
    }
}
