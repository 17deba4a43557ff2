// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Dry friction turns round within a small speed. Where the tolerance of a velocity is wider than that speed, the force
// of friction is whatever the step makes of it, and can throw a block instead of stopping it: methods with error
// control keep the velocities that dry friction acts on to within that speed.
#include "engine/system.h"

#include <math.h>

/// Largest lever of a tendon on a degree of freedom: of a sum of joints its factor; of a string, whose levers change
/// with the pose, that of a pull along a slide, 1, which for hinges is an arm of 1 m.
static double lever_of(const ff_sim *sim, const ff_tendon *t, int dof)
{
    double lever = 0.0;
    if (!t->fixed) return 1.0;
    for (int i = 0; i < t->npiece; i++)
        if (t->pieces[i].type == FF_TENDON_JOINT && sim->model->joints[t->pieces[i].index].vadr == dof)
            lever += t->pieces[i].factor;
    return fabs(lever);
}

static bool has_dry_friction(const ff_sim *sim)
{
    const ff_model *m = sim->model;
    if (!m || !sim->options.passive) return false;
    for (int i = 0; i < sim->nv; i++)
        if (m->dof_dry_friction[i] > 0.0) return true;
    for (int i = 0; i < m->ntendon; i++)
        if (m->tendons[i].dry_friction > 0.0) return true;
    return false;
}

bool ff_dry_bounds(ff_sim *sim)
{
    const ff_model *m = sim->model;
    if (!has_dry_friction(sim)) return true;
    double *most = FF_ARENA_NEW(&sim->arena, double, sim->n);
    if (!most) return false;
    for (int i = 0; i < sim->n; i++) most[i] = INFINITY;
    double *speeds = most + sim->nq;
    for (int i = 0; i < sim->nv; i++)
        if (m->dof_dry_friction[i] > 0.0) speeds[i] = m->dof_dry_speed[i];
    for (int i = 0; i < m->ntendon; i++) {
        const ff_tendon *t = &m->tendons[i];
        for (int k = 0; t->dry_friction > 0.0 && k < t->ndof; k++) {
            const double lever = lever_of(sim, t, t->dofs[k]);
            if (lever > 0.0) speeds[t->dofs[k]] = ff_min(speeds[t->dofs[k]], t->dry_speed / (lever * t->ndof));
        }
    }
    sim->ode.error_most = most;
    return true;
}
