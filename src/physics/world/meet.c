// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Which shapes may meet, and by what law.
#include "world/world.h"

static bool excluded(const ff_model *m, int body1, int body2)
{
    for (int i = 0; i < m->nexclude; i++) {
        const int a = m->excludes[2 * i], b = m->excludes[2 * i + 1];
        if ((a == body1 && b == body2) || (a == body2 && b == body1)) return true;
    }
    return false;
}

/// Node of the body above the one that a body is fixed to.
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
