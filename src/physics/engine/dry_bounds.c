// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Limits of errors beside the tolerances. Dry friction reverses within a small speed: an error of the velocity beyond
// it makes the force arbitrary, which can throw a block instead of stopping it. States of parts have limits where an
// error below the absolute tolerance matters, such as springs of contacts that slip when stretched by 20 um.
#include "engine/system.h"

#include <math.h>

/// Largest lever of a tendon on a degree of freedom. For a sum of joints it is the factor of the joint. The levers of a
/// string change with the pose: 1 is that of a pull along a slide, or of an arm of 1 m at a hinge.
static double lever_of(const ff_sim *sim, const ff_tendon *t, int dof)
{
    double lever = 0.0;
    if (!t->fixed) return 1.0;
    for (int i = 0; i < t->npiece; i++)
        if (t->pieces[i].type == FF_TENDON_JOINT && sim->model->joints[t->pieces[i].index].vadr == dof)
            lever += t->pieces[i].factor;
    return fabs(lever);
}

static bool parts_have_dry_friction(const ff_sim *sim)
{
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        for (int k = 0; k < slot->inner.nfriction; k++)
            if (slot->inner.friction(slot->part.context, k, sim->x, sim->x + sim->nq).level > 0.0) return true;
    }
    return false;
}

static bool joints_have_dry_friction(const ff_sim *sim)
{
    const ff_model *m = sim->model;
    if (!m || !sim->options.passive) return false;
    for (int i = 0; i < sim->nv; i++)
        if (m->dof_dry_friction[i] > 0.0) return true;
    for (int i = 0; i < m->ntendon; i++)
        if (m->tendons[i].dry_friction > 0.0) return true;
    return false;
}

/// Limits by the dry friction of parts; levers that change with the pose are those of the start.
static void limit_parts(const ff_sim *sim, double *most)
{
    double *speeds = most + sim->nq, *states = speeds + sim->nv;
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        for (int k = 0; k < slot->inner.nfriction; k++) {
            const ff_dry_friction f = slot->inner.friction(slot->part.context, k, sim->x, sim->x + sim->nq);
            if (!(f.level > 0.0)) continue;
            if (f.state >= 0) states[slot->offset + f.state] = f.speed;
            for (int j = 0; f.state < 0 && j < f.ndof; j++)
                if (f.lever[j] != 0.0)
                    speeds[f.dof[j]] = ff_min(speeds[f.dof[j]], f.speed / (fabs(f.lever[j]) * f.ndof));
        }
    }
}

static void limit_joints(const ff_sim *sim, double *speeds)
{
    const ff_model *m = sim->model;
    for (int i = 0; i < sim->nv; i++)
        if (m->dof_dry_friction[i] > 0.0) speeds[i] = m->dof_dry_speed[i];
    for (int i = 0; i < m->ntendon; i++) {
        const ff_tendon *t = &m->tendons[i];
        for (int k = 0; t->dry_friction > 0.0 && k < t->ndof; k++) {
            const double lever = lever_of(sim, t, t->dofs[k]);
            if (lever > 0.0) speeds[t->dofs[k]] = ff_min(speeds[t->dofs[k]], t->dry_speed / (lever * t->ndof));
        }
    }
}

bool ff_sim_limit_dry_friction(ff_sim *sim)
{
    const bool joints = joints_have_dry_friction(sim), parts = parts_have_dry_friction(sim);
    if (!joints && !parts) return true;
    double *most = FF_ARENA_NEW(&sim->arena, double, sim->n);
    if (!most) return false;
    for (int i = 0; i < sim->n; i++) most[i] = INFINITY;
    if (joints) limit_joints(sim, most + sim->nq);
    if (parts) limit_parts(sim, most);
    sim->ode.error_limit = most;
    return true;
}

bool ff_sim_limit_part_states(ff_sim *sim)
{
    double *most = NULL;
    for (int i = 0; i < sim->npart && ff_sim_locates_events(sim); i++) { // other methods have no tolerances
        const ff_part_slot *slot = &sim->parts[i];
        if (!slot->inner.tightest_tolerance) continue;
        const double bound = slot->inner.tightest_tolerance(slot->part.context, sim->options.absolute);
        if (!(bound < sim->options.absolute)) continue;
        if (!most && !(most = FF_ARENA_NEW(&sim->arena, double, sim->n))) return false;
        for (int k = 0; k < sim->n && !sim->ode.absolute_limit; k++) most[k] = INFINITY;
        sim->ode.absolute_limit = most;
        for (int k = 0; k < slot->part.nstate; k++) most[sim->nq + sim->nv + slot->offset + k] = bound;
    }
    return true;
}
