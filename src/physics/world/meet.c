// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Which shapes may meet, and by what law.
//
// Two shapes that a pair of the model names meet whatever filters, tree and self-collision are, with a law by the
// numbers of the pair. Materials that both shapes name have precedence over these numbers, which `mjcf: false` of the
// world disables.
//
// Bodies of one robot that overlap at the start do not meet, such as hulls around meshes of links that are close to
// each other without being neighbours in the tree. The springs of such contacts would push them apart permanently.
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static const double TOUCHING = 1e-4; // a smaller overlap counts as touching  [m]

// ------------------------------------------------------------------------------------------ pairs of the model

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
        return w->law_valid[of_materials] ? FF_OK : FF_BAD_MODEL;
    }
    // With the higher priority the numbers are not mixed with those of the standard.
    ff_mjcf_surface surface = {.condim = pair->condim, .numbers = pair->numbers};
    surface.numbers.priority = 1;
    ff_vec3_copy(surface.friction, pair->friction);
    if (w->inverse_masses && a->body >= 0) surface.inverse_mass += w->inverse_masses[a->body];
    if (w->inverse_masses && b->body >= 0) surface.inverse_mass += w->inverse_masses[b->body];
    const ff_material both = ff_material_by_mujoco(&w->materials[0], &surface, NULL);
    return ff_contact_pair_make(law, &both, &both, err);
}

// ------------------------------------------------------------------------------------------ filters

static bool excluded(const ff_model *m, int body1, int body2)
{
    for (int i = 0; i < m->nexclude; i++) {
        const int a = m->excludes[2 * i], b = m->excludes[2 * i + 1];
        if ((a == body1 && b == body2) || (a == body2 && b == body1)) return true;
    }
    return false;
}

/// @return node of the next ancestor of a body that moves against it, -1: none
static int node_above(const ff_model *m, int body)
{
    const int node = m->bodies[body].node;
    int b = body;
    while (b >= 0 && m->bodies[b].node == node) b = m->bodies[b].parent;
    return b >= 0 ? m->bodies[b].node : -1;
}

bool ff_world_may_meet(const ff_world *w, int shape1, int shape2)
{
    const ff_item *a = &w->items[shape1], *b = &w->items[shape2];
    const int body1 = w->shapes[shape1].body, body2 = w->shapes[shape2].body;
    if (a->node == b->node) return false; // one rigid body, or two fixed ones
    if (ff_world_find_pair(w, shape1, shape2) >= 0) return true;
    if (!(a->type & b->affinity) && !(b->type & a->affinity)) return false;
    if (excluded(w->model, body1, body2)) return false;
    if (a->robot < 0 || a->robot != b->robot) return true;
    if (w->collision_excluded &&
        w->collision_excluded[ff_world_rank(w, a) * (w->model->nnode + 1) + ff_world_rank(w, b)])
        return false;
    return w->self_collision && node_above(w->model, body1) != b->node && node_above(w->model, body2) != a->node;
}

const ff_contact_pair *ff_world_law(const ff_world *w, int shape1, int shape2)
{
    if (shape1 < 0 || shape2 < 0 || shape1 >= w->nshape || shape2 >= w->nshape) return NULL;
    if (!ff_world_may_meet(w, shape1, shape2)) return NULL;
    return &w->laws[ff_world_law_of(w, shape1, shape2)];
}

// ------------------------------------------------------------------------------------------ overlaps at the start

static bool may_overlap(const ff_world *w, int shape1, int shape2)
{
    const ff_item *a = &w->items[shape1], *b = &w->items[shape2];
    return a->robot >= 0 && a->robot == b->robot && ff_world_find_pair(w, shape1, shape2) < 0 &&
           ff_world_may_meet(w, shape1, shape2);
}

static ff_pose pose_of(const ff_world *w, const ff_data *d, int shape)
{
    ff_item item = w->items[shape];
    if (item.mocap >= 0) return ff_pose_mul(&d->mocap[item.mocap], &item.local);
    if (item.node >= 0) ff_item_set_position(w->model, d, &item);
    ff_item_set_axes(d, &item);
    return item.pose;
}

/// @return depth by which the shapes overlap, 0: they do not  [m]
static double overlap(const ff_world *w, const ff_data *d, int shape1, int shape2)
{
    const ff_pose pose1 = pose_of(w, d, shape1), pose2 = pose_of(w, d, shape2);
    const double reach = w->items[shape1].reach + w->items[shape2].reach;
    double between[3];
    ff_collide_point deepest;
    int count;
    ff_vec3_sub(between, pose1.p, pose2.p);
    if (!(ff_vec3_dot(between, between) < reach * reach)) return 0.0;
    if (ff_collide(&w->shapes[shape1].collider, &pose1, &w->shapes[shape2].collider, &pose2, 0.0, &deepest, 1,
                   &count) != FF_OK)
        return 0.0;
    return count > 0 ? deepest.depth : 0.0;
}

static int deeper_first(const void *a, const void *b)
{
    const ff_world_overlap *x = a, *y = b;
    if (x->depth != y->depth) return x->depth > y->depth ? -1 : 1;
    return x->body1 != y->body1 ? x->body1 - y->body1 : x->body2 - y->body2;
}

/// Finds the deepest overlap of each two nodes -> found, in the row of the lower rank  ((nnode+1)^2)
static void find_overlaps(const ff_world *w, const ff_data *d, ff_world_overlap *found)
{
    for (int i = 0; i < w->nshape; i++)
        for (int j = 0; j < i; j++) {
            if (!may_overlap(w, i, j)) continue;
            const int a = ff_world_rank(w, &w->items[i]), b = ff_world_rank(w, &w->items[j]);
            ff_world_overlap *pair = &found[(a < b ? a : b) * (w->model->nnode + 1) + (a < b ? b : a)];
            const double depth = overlap(w, d, i, j);
            if (depth > ff_max(TOUCHING, pair->depth))
                *pair = (ff_world_overlap){w->shapes[j].body, w->shapes[i].body, depth};
        }
}

int ff_world_leave_out_overlaps(ff_world *w, const double *q, ff_world_overlap *out, int capacity)
{
    const int n = w->model->nnode + 1, all = n * n;
    int count = 0;
    if (!w->self_collision) return 0;
    ff_data *d = ff_data_create(w->model, NULL);
    ff_world_overlap *found = calloc((size_t)all, sizeof *found);
    if (!w->collision_excluded) w->collision_excluded = FF_ARENA_NEW(&w->arena, bool, all);
    if (d && found && w->collision_excluded) {
        memcpy(d->q, q, (size_t)w->model->nq * sizeof *q);
        ff_dyn_kinematics(w->model, d);
        find_overlaps(w, d, found);
        for (int i = 0; i < all; i++) {
            if (!(found[i].depth > 0.0)) continue;
            w->collision_excluded[i] = w->collision_excluded[i % n * n + i / n] = true;
            found[count++] = found[i];
        }
        qsort(found, (size_t)count, sizeof *found, deeper_first);
        memcpy(out, found, (size_t)(count < capacity ? count : capacity) * sizeof *out);
    }
    free(found);
    ff_data_destroy(d);
    return count;
}
