// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The contacts as the implicit method sees them: it is shown the points, and what it finds for them is stored here.
// Slopes and convergence are its own business (engine/implicit/contact_points.c).
#include "contact/advance.h"
#include "world/world.h"

/// A number for the shapes of a point and its place on them. Those of neighbours must not be neighbours: they are added
/// up over all points, where a corner more of one box would make up for a box less.
static unsigned key_of(ff_touch *t)
{
    const ff_world_contact *c = &t->contact;
    const uint64_t features[2] = {(uint64_t)c->shape1 << 32 | (uint64_t)c->shape2, c->point.id};
    if (features[0] != t->key_of[0] || features[1] != t->key_of[1]) { // others than found here before
        const uint64_t hash = ff_hash(features, sizeof features, FF_HASH_START);
        memcpy(t->key_of, features, sizeof features);
        t->key = (unsigned)(hash ^ hash >> 32);
    }
    return t->key;
}

static int show(const ff_world *w, ff_contact_view *views)
{
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        const ff_world_contact *c = &t->contact;
        views[i] = (ff_contact_view){.memory = t->slot,
                                     .key = c->point.depth > 0.0 ? key_of(t) : 0,
                                     .node1 = t->node1,
                                     .node2 = t->node2,
                                     .mode = c->mode,
                                     .mass = ff_world_pair_mass(w, c->shape1, c->shape2),
                                     .place = c->place,
                                     .names = {w->shapes[c->shape1].name, w->shapes[c->shape2].name},
                                     .law = t->law,
                                     .point = &c->point,
                                     .state = &t->state,
                                     .force = &c->force,
                                     .slope = &t->slope};
    }
    return w->ntouch;
}

static int linearise(void *context, ff_sim *sim, const double *z0, double h, ff_contact_view *views)
{
    ff_world *w = context;
    if (h > 0.0) {
        ff_world_find(w, sim->data);
        ff_world_apply(w, sim->data, z0, h, NULL, true);
    }
    return show(w, views);
}

/// Impulses of limbs, and distances slid. With the second-order correction, by which the velocities of the points
/// change, the rates at the end of the step count for half of it: the other half has those of its start.
static void add_integrals(const ff_world *w, const ff_step_record *record, const ff_contact_result *results, int count,
                          double *integrals)
{
    const ff_data *d = w->sim->data;
    const int nway = w->model->nlimb + 1;
    const double time = record->shift_v ? 0.5 * record->h : record->h;
    for (int k = 0; k < count; k++)
        ff_world_add_impulse(w, d, &w->touches[results[k].number], results[k].time, results[k].force, integrals);
    memset(w->slip_rates, 0, (size_t)nway * sizeof *w->slip_rates);
    ff_world_slip_rates(w, d, w->slip_rates);
    for (int i = 0; i < nway; i++) integrals[3 * nway + i] += time * w->slip_rates[i];
}

static void finish(void *context, const ff_step_record *record, const ff_contact_result *results, int count, double *z,
                   double *integrals)
{
    ff_world *w = context;
    memcpy(z, record->z0, (size_t)ff_world_nstate(w) * sizeof *z);
    memset(w->after, 0, (size_t)w->most * sizeof *w->after);
    for (int k = 0; k < count; k++) {
        const int slot = w->touches[results[k].number].slot;
        if (!results[k].lasts || slot < 0) continue;
        const ff_contact_state *state = &results[k].state;
        w->after[slot] = results[k].mode;
        memcpy(z + w->width * slot, state->spring, sizeof state->spring);
        if (w->width > 3) memcpy(z + w->width * slot + 3, state->turn, sizeof state->turn);
    }
    if (w->impulses) add_integrals(w, record, results, count, integrals);
}

ff_contact_interface ff_world_contact_points(const ff_world *w)
{
    return (ff_contact_interface){.most = w->touch_capacity,
                                  .remembered = w->most,
                                  .meets = w->broad != NULL, // otherwise bodies meet fixed planes only
                                  .linearise = linearise,
                                  .finish = finish};
}
