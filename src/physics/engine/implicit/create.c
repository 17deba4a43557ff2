// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory of the implicit method, all from the arena of the simulation.
#include "engine/implicit/implicit.h"

static double *numbers(ff_sim *sim, int count)
{
    return FF_ARENA_NEW(&sim->arena, double, count > 0 ? count : 1);
}

/// Which states of a part measure its error.
static void count_states(const ff_sim *sim, int part)
{
    const ff_part_slot *slot = &sim->parts[part];
    ff_implicit *im = sim->implicit;
    const int *rate = slot->part.rate_of, n = slot->part.nstate;
    if (slot == im->contacts.slot) return;
    for (int i = 0; i < n; i++) {
        bool speed = false;
        for (int k = 0; rate && k < n && !speed; k++) speed = rate[k] == i;
        if (!speed) im->parts.measured[im->parts.nmeasured++] = slot->offset + i;
    }
}

/// The part that has contacts, where there is one.
static bool create_contacts(ff_sim *sim)
{
    ff_arena *arena = &sim->arena;
    ff_step_contacts *all = &sim->implicit->contacts;
    for (int i = 0; i < sim->npart && !all->slot; i++)
        if (sim->parts[i].inner.contact_points) all->slot = &sim->parts[i];
    if (!all->slot) return true;
    all->interface = all->slot->inner.contact_points;
    const int most = all->interface->most;
    all->views = FF_ARENA_NEW(arena, ff_contact_view, most);
    all->points = FF_ARENA_NEW(arena, ff_step_point, most);
    all->results = FF_ARENA_NEW(arena, ff_contact_result, most);
    all->starts = FF_ARENA_NEW(arena, ff_contact_start, all->interface->remembered);
    all->touched = FF_ARENA_NEW(arena, bool, all->interface->remembered);
    sim->implicit->factors.contacts = FF_ARENA_NEW(arena, ff_factored_contact, most);
    return all->views && all->points && all->results && all->starts && all->touched &&
           sim->implicit->factors.contacts && ff_contacts_create(sim);
}

static bool create_parts(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const size_t count = (size_t)sim->npart + 1;
    const ff_part_slot *contacts = im->contacts.slot;
    im->parts.ranges[0][1] = contacts ? contacts->offset : sim->nz;
    im->parts.ranges[1][0] = contacts ? contacts->offset + contacts->part.nstate : sim->nz;
    im->parts.ranges[1][1] = sim->nz;
    im->parts.stiff = FF_ARENA_NEW(&sim->arena, bool, count);
    im->parts.ready = FF_ARENA_NEW(&sim->arena, bool, count);
    im->parts.jacobian = FF_ARENA_NEW(&sim->arena, double *, count);
    im->parts.pivot = FF_ARENA_NEW(&sim->arena, int *, count);
    im->parts.measured = FF_ARENA_NEW(&sim->arena, int, sim->nz + 1);
    if (!im->parts.stiff || !im->parts.ready || !im->parts.jacobian || !im->parts.pivot || !im->parts.measured)
        return false;
    for (int i = 0; i < sim->npart; i++) {
        count_states(sim, i);
        const int n = sim->parts[i].part.nstate;
        if (n == 0 || n > FF_LINALG_MAX) continue;
        im->parts.jacobian[i] = numbers(sim, n * n);
        im->parts.pivot[i] = FF_ARENA_NEW(&sim->arena, int, n);
        if (!im->parts.jacobian[i] || !im->parts.pivot[i]) return false;
    }
    return true;
}

ff_status ff_implicit_create(ff_sim *sim, ff_error *err)
{
    ff_implicit *im = sim->implicit = FF_ARENA_NEW(&sim->arena, ff_implicit, 1);
    bool ok = im != NULL;
    const int nv = sim->nv, nz = sim->nz + sim->nquad;
    if (ok) {
        double **const of_nv[] = {&im->history.acceleration,
                                  &im->history.jerk,
                                  &im->iterate.v,
                                  &im->start.acceleration,
                                  &im->iterate.evaluated_v,
                                  &im->iterate.residual,
                                  &im->iterate.change,
                                  &im->iterate.krylov_change,
                                  &im->iterate.base,
                                  &im->work,
                                  &im->correction.v,
                                  &im->correction.q,
                                  &im->slopes.stiffness,
                                  &im->slopes.damping,
                                  &im->iterate.tau,
                                  &im->factors.right_side,
                                  &im->start.driving,
                                  &im->slopes.passive_stiffness,
                                  &im->slopes.passive_damping};
        double **const of_nz[] = {&im->iterate.z, &im->iterate.zdot, &im->start.zdot, &im->correction.z,
                                  &im->correction.part_z};
        for (size_t i = 0; i < sizeof of_nv / sizeof *of_nv; i++) ok = ok && (*of_nv[i] = numbers(sim, nv));
        for (size_t i = 0; i < sizeof of_nz / sizeof *of_nz; i++) ok = ok && (*of_nz[i] = numbers(sim, nz));
        const int stops = nv + (sim->model ? sim->model->ntendon : 0);
        ok = ok && (im->stops.force = numbers(sim, stops)) && (im->stops.slope = numbers(sim, stops));
        ok = ok && (im->stops.tolerance = numbers(sim, stops)) && (im->stops.stiffness = numbers(sim, stops));
        ok = ok && (im->stops.cones = FF_ARENA_NEW(&sim->arena, ff_cone_slope, (size_t)nv / 3 + 1));
        ok = ok && (im->iterate.q = numbers(sim, sim->nq));
        ok = ok && (im->iterate.wrench = numbers(sim, sim->model ? 6 * sim->model->nnode : 0));
        ok = ok && (im->iterate.applied = numbers(sim, sim->model ? 6 * sim->model->nnode : 0));
    }
    if (ok && sim->loops) {
        im->iterate.loop_speed = numbers(sim, sim->loops->nrow);
        im->iterate.loop_impulse = numbers(sim, sim->loops->nrow);
        ok = im->iterate.loop_speed && im->iterate.loop_impulse;
    }
    ok = ok && create_contacts(sim) && create_parts(sim) && ff_dry_friction_create(sim) && ff_factors_create(sim) &&
         (!sim->model || ff_krylov_create(sim));
    return ok ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "no memory for the implicit method");
}

void ff_implicit_forget(ff_sim *sim)
{
    if (!sim->implicit) return;
    memset(sim->implicit->history.acceleration, 0, (size_t)sim->nv * sizeof(double));
    memset(sim->implicit->history.jerk, 0, (size_t)sim->nv * sizeof(double));
    sim->implicit->iterate.rate = 1.0;
    sim->implicit->factors.valid = false;
}
