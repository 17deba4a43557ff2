// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Nearest points of two convex cores by the method made for their kinds: a closed form, separating axes, or GJK.
#include "collide_private.h"

void ff_nearest_flip(ff_collide_nearest *n)
{
    double keep[3];
    ff_vec3_copy(keep, n->point1);
    ff_vec3_copy(n->point1, n->point2);
    ff_vec3_copy(n->point2, keep);
    ff_vec3_scale(n->normal, n->normal, -1.0);
}

// Nearest points of the cores for a->kind <= b->kind; the closed forms take the rounder one second.
static void nearest_ordered(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out)
{
    bool round = a->kind == SOLID_POINT;
    if (b->kind == SOLID_POINT || b->kind == SOLID_LINE) {
        ff_nearest_lines(a, b, out);
    } else if (b->kind == SOLID_BOX && a->kind == SOLID_BOX) {
        if (!ff_nearest_boxes(a, b, true, out)) ff_nearest_gjk(a, b, out);
    } else if (b->kind == SOLID_BOX || (round && b->kind <= SOLID_ELLIPSOID)) {
        if (!round)
            ff_nearest_box_line(b, a, out);
        else if (b->kind == SOLID_BOX)
            ff_nearest_box_point(b, a, out);
        else if (b->kind == SOLID_CYLINDER)
            ff_nearest_cylinder_point(b, a, out);
        else
            ff_nearest_ellipsoid_point(b, a, out);
        ff_nearest_flip(out);
    } else {
        ff_nearest_gjk(a, b, out);
    }
}

void ff_nearest_cores(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out)
{
    if (a->kind <= b->kind) {
        nearest_ordered(a, b, out);
        return;
    }
    nearest_ordered(b, a, out);
    ff_nearest_flip(out);
}
