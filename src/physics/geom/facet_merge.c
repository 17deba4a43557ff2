// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Ridges and peaks of the ground under a solid with corners, joined with what its corners touch. A spring for each
// would appear and vanish with its whole depth where a ridge slides out from under a face, or where a peak becomes two
// crossings of ridges, which would create energy. The depth of the deepest place has no such jumps: where another place
// becomes the deepest, both are equally deep. So each corner region of the solid (an eighth of a box, half a capsule)
// has one contact: that of its corner, or of the deepest place in the region,
//     depth = max over i of   d_i - SLOPE * (distance of place i from the region).
// With the slope a place moves from one region to the next within a few depths instead of at once; it tilts the
// normal, which stays the gradient of the depth. Two places that are about as deep share the contact, which would
// otherwise jump between them:
//     depth = max over the part s of  s d_1 + (1 - s) d_2 + s (1 - s) G,   G = SOFT * (distance between them)^2 / size
// On ground without ridges the contacts of the corners stay as they are.
#include "facets.h"

#define SLOPE 0.2
#define SOFT  0.01
// A region beyond this axis of the solid (cosine to the normal) lies behind the face that touches.
#define BEHIND 0.7

// ------------------------------------------------------------------------------------------ points of one query

// One contact per place and normal, and one per identity.
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
        // the lower identity: the result must not depend on the order of the search
        const uint64_t id = g->point[i].id < p->id ? g->point[i].id : p->id;
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

// ------------------------------------------------------------------------------------------ regions of the solid

typedef struct candidate {
    ff_collide_point point;
    bool corner;
} candidate;

// Place and normal in the frame of the solid.
static void local_of(const ff_facet_query *q, const ff_collide_point *p, double x[3], double n[3])
{
    double d[3];
    ff_vec3_sub(d, p->point, q->centre);
    ff_mat3_tmulv(x, q->solid.R, d);
    ff_mat3_tmulv(n, q->solid.R, p->normal);
}

// Is a place in a region? Bit k of its number is set where coordinate k is negative; coordinates before `first` are
// free.
static bool in_region(const ff_facet_query *q, const ff_collide_point *p, int region, int first)
{
    double x[3], n[3];
    local_of(q, p, x, n);
    for (int k = first; k < 3; k++)
        if ((x[k] < 0.0) != (region >> k & 1)) return false;
    return true;
}

// A place as a contact of a region: its depth less SLOPE times its distance from the region, its normal tilted
// accordingly. False where it is too far.
static bool view_from(const ff_facet_query *q, const ff_collide_point *p, int region, int first, ff_collide_point *out)
{
    double x[3], n[3], away[3] = {0.0, 0.0, 0.0};
    local_of(q, p, x, n);
    *out = *p;
    for (int k = first; k < 3; k++) {
        const double side = region >> k & 1 ? -1.0 : 1.0, beyond = -side * x[k];
        if (beyond <= 0.0) continue;
        if (side * n[k] > BEHIND || side * n[k] < -BEHIND) return false;
        away[k] = -side * beyond;
    }
    const double distance = ff_vec3_norm(away);
    if (distance == 0.0) return true;
    double tilt[3];
    out->depth -= SLOPE * distance;
    if (!(out->depth > 0.0)) return false;
    ff_mat3_mulv(tilt, q->solid.R, away);
    ff_vec3_axpy(out->normal, -SLOPE / distance, tilt);
    ff_vec3_normalise(out->normal);
    return true;
}

// Depth that a and b have together, and the part of a in it.
static double joint_depth(const ff_collide_point *a, const ff_collide_point *b, double size, double *part)
{
    double d[3];
    ff_vec3_sub(d, a->point, b->point);
    const double gap = SOFT * ff_vec3_dot(d, d) / size, difference = a->depth - b->depth;
    *part = difference >= gap ? 1.0 : difference <= -gap ? 0.0 : 0.5 + 0.5 * difference / gap;
    return *part * a->depth + (1.0 - *part) * b->depth + *part * (1.0 - *part) * gap;
}

static ff_collide_point mean_of(const ff_collide_point *a, const ff_collide_point *b, double part, double depth)
{
    ff_collide_point p = part < 0.5 ? *b : *a;
    for (int k = 0; k < 3; k++) {
        p.point[k] = part * a->point[k] + (1.0 - part) * b->point[k];
        p.normal[k] = part * a->normal[k] + (1.0 - part) * b->normal[k];
    }
    ff_vec3_normalise(p.normal);
    p.depth = depth;
    return p;
}

// One contact for all candidates of a list, which are alike.
static ff_collide_point deepest_of(const candidate *list, int count, double size)
{
    ff_collide_point best = list[0].point;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            double part;
            const double depth = joint_depth(&list[i].point, &list[j].point, size, &part);
            if (depth > best.depth) best = mean_of(&list[i].point, &list[j].point, part, depth);
        }
    return best;
}

// Takes the deepest of the list and what is alike to it out of the list, into `group`. @return how many
static int take_alike(candidate *list, int *count, candidate *group)
{
    int best = 0, rest = 0, same = 1;
    for (int i = 1; i < *count; i++)
        if (list[i].point.depth > list[best].point.depth) best = i;
    group[0] = list[best];
    for (int i = 0; i < *count; i++) {
        if (i == best) continue;
        if (ff_vec3_dot(list[i].point.normal, group[0].point.normal) > FF_ALIKE)
            group[same++] = list[i];
        else
            list[rest++] = list[i];
    }
    *count = rest;
    return same;
}

// @return the deepest contact of a corner in a region, -1: none
static int deepest_corner(const ff_facet_query *q, int ncorner, int region, int first)
{
    int best = -1;
    for (int i = 0; i < ncorner; i++)
        if (in_region(q, &q->gather.point[i], region, first) &&
            (best < 0 || q->gather.point[i].depth > q->gather.point[best].depth))
            best = i;
    return best;
}

static void merge_region(ff_facet_query *q, int ncorner, int region, int first)
{
    candidate list[FF_GATHER_MAX + 1], group[FF_GATHER_MAX + 1];
    int count = 0, corner = deepest_corner(q, ncorner, region, first);
    for (int i = 0; i < q->ridges.count; i++) {
        ff_collide_point *p = &list[count].point;
        if (!view_from(q, &q->ridges.point[i], region, first, p)) continue;
        p->id = ff_contact_id(FF_FEATURE_EDGE, FF_FEATURE_EDGE | (uint32_t)region); // the same for all ridges
        list[count++].corner = false;
    }
    if (count == 0) return;
    if (corner >= 0) list[count++] = (candidate){q->gather.point[corner], true};
    while (count > 0) {
        const int same = take_alike(list, &count, group);
        bool has_corner = false;
        for (int i = 0; i < same; i++) has_corner = has_corner || group[i].corner;
        const ff_collide_point p = deepest_of(group, same, q->reach);
        if (has_corner)
            q->gather.point[corner] = p;
        else
            ff_gather_add(&q->gather, &p);
    }
}

void ff_facets_merge(ff_facet_query *q)
{
    const int ncorner = q->gather.count, first = q->solid.kind == SOLID_LINE ? 2 : 0;
    if (!q->whole)
        for (int i = 0; i < q->ridges.count; i++) ff_gather_add(&q->gather, &q->ridges.point[i]);
    if (!q->whole || q->ridges.count == 0) return;
    for (int region = 0; region < 8; region += 1 << first) merge_region(q, ncorner, region, first);
}
