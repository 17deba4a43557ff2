// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Heights of the ground below a robot, for processors and devices: who includes this has defined FF_CORE, the
// qualifiers of functions.
#ifndef FOOTFALL_BATCH_GROUND_CORE_H
#define FOOTFALL_BATCH_GROUND_CORE_H

#include <footfall/math.h>

#include "batch/model.h"
#include "geom/field_core.h"

/// ff_batch_field_height
FF_CORE double ff_core_field_height(const ff_batch_model *m, int field, double x, double y)
{
    const ff_batch_field *f = &m->fields[field];
    const double dx = x - f->p[0], dy = y - f->p[1];
    ff_grid grid = f->grid;
    grid.height = m->heights + f->first_height;
    return f->p[2] + ff_grid_height_near(&grid, f->R[0] * dx + f->R[3] * dy, f->R[1] * dx + f->R[4] * dy);
}

/// Height of a point over what it meets, where the robot stands `away` from the start; infinite over none.
FF_CORE double ff_core_gap(const ff_batch_model *m, int point, const double *away)
{
    const ff_batch_point *p = &m->points[point];
    const double *at = m->touching + 3 * point, x = at[0] + away[0], y = at[1] + away[1];
    if (p->field >= 0)
        return m->fields[p->field].upright ? at[2] - p->radius - ff_core_field_height(m, p->field, x, y) : INFINITY;
    const ff_batch_plane *plane = &m->planes[p->plane];
    return plane->n[2] > 0.0 ? at[2] + (plane->n[0] * x + plane->n[1] * y - plane->level - p->radius) / plane->n[2]
                             : INFINITY;
}

/// How far a robot is lifted that starts `away` from the start along x and y, so that the least gap between its points
/// and the ground below them stays.  [m]
FF_CORE double ff_core_lift(const ff_batch_model *m, const double *away)
{
    const double start[2] = {0.0, 0.0};
    double before = INFINITY, after = INFINITY;
    for (int i = 0; i < m->npoint; i++) {
        before = ff_min(before, ff_core_gap(m, i, start));
        after = ff_min(after, ff_core_gap(m, i, away));
    }
    return before < INFINITY && before > -INFINITY ? before - after : 0.0;
}

#endif
