// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact points of one query against a surface: one contact per place and normal, and one per identity.
#include "facets.h"

static bool same_place(const ff_gather *g, const ff_collide_point *a, const ff_collide_point *b)
{
    double d[3];
    ff_vec3_sub(d, a->point, b->point);
    return ff_vec3_dot(d, d) <= g->near * g->near && ff_vec3_dot(a->normal, b->normal) > 0.9999;
}

static bool has_id(const ff_gather *g, uint64_t id)
{
    for (int i = 0; i < g->count; i++)
        if (g->point[i].id == id) return true;
    return false;
}

void ff_gather_add(ff_gather *g, const ff_collide_point *p)
{
    for (int i = 0; i < g->count; i++) {
        if (!same_place(g, &g->point[i], p)) continue;
        uint64_t id =
            g->point[i].id < p->id ? g->point[i].id : p->id; // the lower one, whatever the order of the search
        if (p->depth > g->point[i].depth) g->point[i] = *p;
        g->point[i].id = id;
        return;
    }
    _Static_assert(FF_GATHER_MAX <= FF_REDUCE_MAX, "all of them can be reduced");
    if (g->count == FF_GATHER_MAX) g->count = ff_patch_reduce(g->point, g->count, FF_GATHER_MAX / 2);
    ff_collide_point *out = &g->point[g->count];
    *out = *p;
    // Two places of one smooth piece for one corner: distinguished by a count, in bits 24 to 29 of the surface's
    // feature.
    for (int i = 0; i < 63 && has_id(g, out->id); i++) out->id += (uint64_t)1 << 56;
    g->count++;
}
