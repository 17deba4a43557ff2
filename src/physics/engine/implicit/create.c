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

/// Distribution of the masses of a tree along the vertical.
typedef struct ff_upright {
    double mass, moment; // [kg], [kg m]
    double lowest;       // [m]
} ff_upright;

static void add_node(ff_upright *tree, double mass, double moment)
{
    if (!(mass > 0.0)) return;
    const double height = moment / mass;
    tree->lowest = tree->mass > 0.0 ? ff_min(tree->lowest, height) : height;
    tree->mass += mass;
    tree->moment += moment;
}

/// Computes the unit of speed of each tree: sqrt(g l) with the height l of its centre of mass above that of its lowest
/// part in the reference pose, at least FF_IMPLICIT_SPEED. This is the speed of a robot that falls over, and makes
/// speeds of walking comparable (R. M. Alexander, 1984: Froude number). @return false when out of memory
static bool create_units(ff_sim *sim)
{
    const ff_model *m = sim->model;
    if (!(sim->options.accuracy > 0.0)) return true;
    const double gravity = ff_vec3_norm(m->gravity);
    ff_upright *trees = FF_ARENA_NEW(&sim->arena, ff_upright, m->ntree + 1);
    double *unit = sim->implicit->contacts.unit = FF_ARENA_NEW(&sim->arena, double, m->ntree + 1);
    ff_data *reference = ff_data_create(m, NULL); // at m->q0, without displacements of mocap bodies
    if (!trees || !unit || !reference) {
        ff_data_destroy(reference);
        return false;
    }
    ff_dyn_kinematics(m, reference);
    for (int i = 0; i < m->nnode && gravity > 0.0; i++) {
        const ff_node *node = &m->nodes[i];
        double moment[3];
        ff_mat3_mulv(moment, reference->pose[i].R, node->inertia.h);
        ff_vec3_axpy(moment, node->inertia.mass, reference->pose[i].p);
        add_node(&trees[node->tree], node->inertia.mass, -ff_vec3_dot(moment, m->gravity) / gravity);
    }
    ff_data_destroy(reference);
    for (int k = 0; k < m->ntree; k++) {
        const double height = trees[k].mass > 0.0 ? trees[k].moment / trees[k].mass - trees[k].lowest : 0.0;
        unit[k] = ff_max(FF_IMPLICIT_SPEED, sqrt(gravity * ff_max(height, 0.0)));
    }
    return true;
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
    all->starts = FF_ARENA_NEW(arena, ff_contact_start, all->interface->remembered);
    sim->implicit->factors.contacts = FF_ARENA_NEW(arena, ff_factored_contact, most);
    return !arena->failed && create_units(sim);
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
    ff_correction *co = &im->correction;
    ff_joint_slopes *slopes = &im->slopes;
    const int nv = sim->nv, nz = sim->nz + sim->nquad, ntendon = sim->model ? sim->model->ntendon : 0;
    const int nrow = sim->loops ? sim->loops->nrow : 0, wrenches = sim->model ? 6 * sim->model->nnode : 0;
    // clang-format off
    double **const of_nv[] = {
        &im->history.acceleration, &im->history.jerk, &im->start.acceleration, &im->start.driving, &it->v,
        &it->evaluated_v, &it->residual, &it->change, &it->krylov_change, &it->base_v, &it->matrix_change, &it->motion,
        &it->tau, &co->v, &co->q, &slopes->stiffness, &slopes->damping, &slopes->passive_stiffness,
        &slopes->passive_damping, &im->factors.right_side, &im->work};
    // clang-format on
    double **const of_nz[] = {&it->z, &it->zdot, &im->start.zdot, &co->z, &im->parts.change, &im->parts.moved_rate};
    double **const of_stops[] = {&im->stops.force, &im->stops.slope, &im->stops.tolerance, &im->stops.stiffness};
    for (size_t i = 0; i < sizeof of_nv / sizeof *of_nv; i++) *of_nv[i] = ff_sim_new_numbers(sim, nv);
    for (size_t i = 0; i < sizeof of_nz / sizeof *of_nz; i++) *of_nz[i] = ff_sim_new_numbers(sim, nz);
    for (size_t i = 0; i < sizeof of_stops / sizeof *of_stops; i++)
        *of_stops[i] = ff_sim_new_numbers(sim, nv + ntendon);
    im->start.tendon_length = ff_sim_new_numbers(sim, ntendon);
    im->start.tendon_speed = ff_sim_new_numbers(sim, ntendon);
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
    ff_archive_numbers(a, &im->iterate.rate, 1);
    ff_archive_int(a, &im->iterate.active_before);
    ff_archive_bool(a, &im->factors.valid);
    ff_archive_numbers(a, &im->factors.h, 1);
    ff_archive_numbers(a, &im->factors.pose_tolerance, 1);
    ff_archive_numbers(a, &im->factors.lightest_axis, 1);
    ff_archive_numbers(a, &im->factors.slope_sum, 1);
    ff_archive_int(a, &im->factors.active);
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
