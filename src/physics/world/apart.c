// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies of one robot that overlap where it starts, and do not meet for that: hulls around the meshes of links that are
// near each other without being neighbours in the tree, shells around a joint with two links. The springs of such
// contacts would push them apart for ever.
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static const double TOUCHING = 1e-4; // overlap that counts as touching  [m]

static bool may_overlap(const ff_world *w, int shape1, int shape2)
{
    const ff_item *a = &w->items[shape1], *b = &w->items[shape2];
    return a->robot >= 0 && a->robot == b->robot && ff_world_find_pair(w, shape1, shape2) < 0 &&
           ff_world_may_meet(w, shape1, shape2);
}

static ff_pose pose_of(const ff_world *w, const ff_data *d, int shape)
{
    const ff_item *it = &w->items[shape];
    if (it->node < 0) return it->mocap < 0 ? it->pose : ff_pose_mul(&d->mocap[it->mocap], &it->local);
    ff_pose pose = ff_pose_mul(&d->pose[it->node], &it->local);
    ff_vec3_add(pose.p, pose.p, d->tree_origin + 3 * w->model->nodes[it->node].tree);
    return pose;
}

/// @return how deep the shapes are in each other, 0: they are not  [m]
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

/// Deepest overlap of each two nodes -> found, at the lower and the higher of their ranks  ((nnode+1)^2)
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
