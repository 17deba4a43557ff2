// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the implicit method remembers from step to step, for saved states and for steps that are undone.
#include "engine/archive.h"
#include "engine/implicit/implicit.h"

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

/// Contacts in the matrix. There is room for far more than there are.
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
