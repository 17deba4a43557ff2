// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Shapes that pairs of the model name: they meet whatever filters, neighbourhood in the tree and self-collision say,
// and the numbers of the pair are the law of their contact. Materials that somebody chose for both shapes by name go
// before these numbers, and `mjcf: false` of the world takes them away.
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static uint64_t key_of(int shape1, int shape2)
{
    return shape1 < shape2 ? ff_world_key(shape1, shape2) : ff_world_key(shape2, shape1);
}

static int by_key(const void *left, const void *right)
{
    const ff_shape_pair *a = left, *b = right;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return b->pair - a->pair; // of two pairs of the same shapes the later one comes first, and counts
}

bool ff_world_list_pairs(ff_world *w)
{
    const ff_model *m = w->model;
    int *shape_of = calloc((size_t)m->ngeom + 1, sizeof *shape_of);
    w->shape_pairs = FF_ARENA_NEW(&w->arena, ff_shape_pair, m->npair + 1);
    if (!shape_of || !w->shape_pairs) {
        free(shape_of);
        return false;
    }
    for (int i = 0; i < w->nshape; i++)
        if (w->shapes[i].geom >= 0) shape_of[w->shapes[i].geom] = i + 1;
    for (int i = 0; i < m->npair; i++) {
        const int one = shape_of[m->pairs[i].geom1] - 1, two = shape_of[m->pairs[i].geom2] - 1;
        if (one >= 0 && two >= 0) w->shape_pairs[w->nshape_pair++] = (ff_shape_pair){key_of(one, two), i};
    }
    qsort(w->shape_pairs, (size_t)w->nshape_pair, sizeof *w->shape_pairs, by_key);
    free(shape_of);
    return true;
}

int ff_world_search_pair(const ff_world *w, int shape1, int shape2)
{
    const uint64_t key = key_of(shape1, shape2);
    int low = 0, high = w->nshape_pair;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (w->shape_pairs[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->nshape_pair && w->shape_pairs[low].key == key ? low : -1;
}

ff_status ff_world_pair_law(ff_world *w, int shape_pair, ff_error *err)
{
    const ff_shape_pair *at = &w->shape_pairs[shape_pair];
    const int shape1 = (int)(at->key >> 32), shape2 = (int)(at->key & 0xffffffffu), n = w->nmaterial;
    const ff_geom_pair *pair = &w->model->pairs[at->pair];
    const ff_geom *a = &w->model->geoms[pair->geom1], *b = &w->model->geoms[pair->geom2];
    ff_contact_pair *law = &w->laws[n * n + shape_pair];
    if (!w->mjcf || (a->material && b->material)) {
        const int of_materials = w->shapes[shape1].material * n + w->shapes[shape2].material;
        *law = w->laws[of_materials];
        return w->lawful[of_materials] ? FF_OK : FF_BAD_MODEL;
    }
    // the higher priority leaves the numbers as they are, whatever else the ground says
    ff_mjcf_surface surface = {.condim = pair->condim, .numbers = pair->numbers};
    surface.numbers.priority = 1;
    ff_vec3_copy(surface.friction, pair->friction);
    if (w->inverse_masses && a->body >= 0) surface.yield += w->inverse_masses[a->body];
    if (w->inverse_masses && b->body >= 0) surface.yield += w->inverse_masses[b->body];
    const ff_material both = ff_material_by_mujoco(&w->materials[0], &surface, NULL);
    return ff_contact_pair_make(law, &both, &both, err);
}
