// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading of a simulation. Before that its arrays are allocated, and writes of the state are committed.
#include "engine/system.h"

const double *ff_sim_state(ff_sim *sim, int *size)
{
    if (ff_sim_begin(sim, NULL)) return NULL;
    ff_sim_commit_writes(sim);
    if (size) *size = sim->n;
    return sim->x;
}

ff_status ff_sim_evaluate(ff_sim *sim, ff_sim_stage stage, ff_error *err)
{
    const ff_status status = stage > FF_SIM_VELOCITY ? ff_sim_begin(sim, err) : FF_OK;
    if (status) return status;
    if (ff_sim_reach(sim, stage)) return FF_OK;
    const ff_status failed = ff_sim_derivative_failed(sim, err);
    ff_sim_copy_to_data(sim);
    return failed;
}

ff_energy ff_sim_energy(ff_sim *sim)
{
    return ff_sim_begin(sim, NULL) ? (ff_energy){0} : ff_energy_now(sim);
}

ff_ledger ff_sim_ledger(ff_sim *sim)
{
    ff_ledger l = {0};
    if (ff_sim_begin(sim, NULL) || sim->nledger == 0) return l;
    ff_ledger_begin(sim);
    const double *q = sim->x + sim->nstate;
    l.stored = ff_energy_now(sim);
    l.start = sim->ledger.start;
    l.lost_normal = q[FF_LEDGER_NORMAL];
    l.lost_friction = q[FF_LEDGER_FRICTION];
    l.lost_joints = q[FF_LEDGER_JOINTS];
    l.lost_parts = q[FF_LEDGER_PARTS];
    l.work = q[FF_LEDGER_WORK];
    l.outside = sim->ledger.outside;
    l.loops = sim->ledger.loops;
    const double lost = l.lost_normal + l.lost_friction + l.lost_joints + l.lost_parts;
    l.residual = (l.stored.total - l.start) + lost - l.work - l.outside - l.loops;
    return l;
}
