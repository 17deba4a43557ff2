// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory of the implicit method, from the arena of the simulation; and its lists for saved states and undone steps.
#include "engine/archive.h"
#include "engine/implicit/implicit.h"

/// Lists the states of a part whose error is measured: all that are no speed of another state.
static void list_measured(ff_sim *sim, int part)
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

/// Finds the part that has contacts, and allocates memory for its points. @return false when out of memory
static bool create_contacts(ff_sim *sim)
{
    ff_arena *arena = &sim->arena;
    ff_step_contacts *all = &sim->implicit->contacts;
    for (int i = 0; i < sim->npart && !all->slot; i++)
        if (sim->parts[i].inner.contact_points) all->slot = &sim->parts[i];
    if (!all->slot) return true;
    all->interface = all->slot->inner.contact_points;
    const int most = all->interface->most;
    all->points = FF_ARENA_NEW(arena, ff_step_point, most);
    all->pushing = FF_ARENA_NEW(arena, ff_pushing_point, most);
    sim->implicit->factors.contacts = FF_ARENA_NEW(arena, ff_factored_contact, most);
    return !arena->failed;
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
    if (sim->arena.failed) return false;
    for (int i = 0; i < sim->npart; i++) {
        list_measured(sim, i);
        const int n = sim->parts[i].part.nstate;
        if (n == 0 || n > FF_LINALG_MAX) continue;
        im->parts.jacobian[i] = ff_sim_new_numbers(sim, n * n);
        im->parts.pivot[i] = FF_ARENA_NEW(&sim->arena, int, n);
    }
    return !sim->arena.failed;
}

ff_status ff_implicit_create(ff_sim *sim, ff_error *err)
{
    ff_implicit *im = sim->implicit = FF_ARENA_NEW(&sim->arena, ff_implicit, 1);
    if (!im) return ff_error_set(err, FF_NO_MEMORY, "no memory for the implicit method");
    ff_iterate *it = &im->iterate;
    ff_joint_slopes *slopes = &im->slopes;
    const int nv = sim->nv, nz = sim->nz + sim->nquad, ntendon = sim->model ? sim->model->ntendon : 0;
    const int nrow = sim->loops ? sim->loops->nrow : 0, wrenches = sim->model ? 6 * sim->model->nnode : 0;
    // clang-format off
    double **const of_nv[] = {
        &im->history.acceleration, &im->history.jerk, &im->start.acceleration, &im->first.acceleration, &im->first.v,
        &it->v, &it->evaluated_v, &it->residual, &it->change, &it->krylov_change, &it->base_v, &it->matrix_change,
        &it->tau, &slopes->stiffness, &slopes->damping, &slopes->passive_stiffness, &slopes->passive_damping,
        &im->factors.right_side, &im->driving, &im->friction, &im->work};
    // clang-format on
    double **const of_nz[] = {&it->z,          &it->zdot,         &im->start.zdot,      &im->first.z,
                              &im->first.zdot, &im->parts.change, &im->parts.moved_rate};
    for (size_t i = 0; i < sizeof of_nv / sizeof *of_nv; i++) *of_nv[i] = ff_sim_new_numbers(sim, nv);
    for (size_t i = 0; i < sizeof of_nz / sizeof *of_nz; i++) *of_nz[i] = ff_sim_new_numbers(sim, nz);
    im->stops.pushes = FF_ARENA_NEW(&sim->arena, ff_stop_push, (size_t)(nv + ntendon) + 1);
    im->stops.first = FF_ARENA_NEW(&sim->arena, ff_stop_push, (size_t)(nv + ntendon) + 1);
    im->base = ff_sim_new_numbers(sim, sim->nstate);
    im->base_tendon_length = ff_sim_new_numbers(sim, ntendon);
    im->start.tendon_length = ff_sim_new_numbers(sim, ntendon);
    im->integrals = ff_sim_new_numbers(sim, sim->nquad);
    im->stops.cones = FF_ARENA_NEW(&sim->arena, ff_cone_slope, (size_t)nv / 3 + 1);
    it->q = ff_sim_new_numbers(sim, sim->nq);
    it->wrench = ff_sim_new_numbers(sim, wrenches);
    it->applied = ff_sim_new_numbers(sim, wrenches);
    it->loop_speed = ff_sim_new_numbers(sim, nrow);
    it->loop_impulse = ff_sim_new_numbers(sim, nrow);
    const bool ok = !sim->arena.failed && create_contacts(sim) && create_parts(sim) && ff_dry_friction_create(sim) &&
                    ff_factors_create(sim) && (!sim->model || ff_krylov_create(sim));
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

// ------------------------------------------------------------------------------------------ saved and undone

static void transfer_iteration(ff_archive *a, ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    ff_archive_numbers(a, im->history.acceleration, sim->nv);
    ff_archive_numbers(a, im->history.jerk, sim->nv);
    ff_archive_bool(a, &im->start.ready);
    ff_archive_numbers(a, im->start.acceleration, sim->nv);
    ff_archive_numbers(a, im->start.zdot, sim->nz);
    ff_archive_numbers(a, &im->speed, 1);
    ff_archive_numbers(a, &im->contacts.stored, 1);
    ff_archive_numbers(a, &im->iterate.rate, 1);
    ff_archive_int(a, &im->iterate.active_before);
    ff_archive_bool(a, &im->factors.valid);
    ff_archive_numbers(a, &im->factors.h, 1);
    ff_archive_numbers(a, &im->factors.pose_tolerance, 1);
    ff_archive_numbers(a, &im->factors.lightest_axis, 1);
    ff_archive_numbers(a, &im->factors.slope_sum, 1);
    ff_archive_int(a, &im->factors.active);
    if (im->islands) ff_islands_transfer(sim, a);
}

/// Contacts in the matrix; `lean` leaves out unused places of the array.
static void transfer_contacts(ff_archive *a, ff_sim *sim)
{
    ff_factors *factors = &sim->implicit->factors;
    const size_t all = (size_t)sim->implicit->contacts.interface->most * sizeof *factors->contacts;
    ff_archive_int(a, &factors->ncontact);
    const size_t used = a->lean ? (size_t)factors->ncontact * sizeof *factors->contacts : all;
    ff_archive_field(a, factors->contacts, used);
    a->at += all - used;
    if (sim->model) ff_archive_numbers(a, factors->S, 6 * sim->nv);
}

static void transfer_factors(ff_archive *a, ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const int nM = sim->model ? sim->model->nM : 0;
    ff_archive_numbers(a, im->factors.q, sim->nq);
    ff_archive_numbers(a, im->factors.M, nM);
    ff_archive_numbers(a, im->factors.LD, nM);
    if (im->contacts.interface) transfer_contacts(a, sim);
}

void ff_implicit_transfer(ff_sim *sim, ff_archive *a, ff_undo_list list)
{
    if (list != FF_UNDO_FACTORS) transfer_iteration(a, sim);
    if (list != FF_UNDO_TRIES) transfer_factors(a, sim);
    if (list == FF_UNDO_FACTORS) return;
    for (int i = 0; i < sim->npart; i++) ff_archive_bool(a, &sim->implicit->parts.stiff[i]);
}
