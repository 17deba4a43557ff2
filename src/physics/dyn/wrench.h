// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A force that pushes a body at a point: the one sum by which contacts, adhesion and slopes of contacts add it up.
#ifndef FOOTFALL_DYN_WRENCH_H
#define FOOTFALL_DYN_WRENCH_H

#include <footfall/dyn.h>

/// Adds factor times a force at the arm from the origin of the wrench, and a moment, to (moment, force).
static inline void ff_wrench_add(double wrench[6], double factor, const double arm[3], const double force[3],
                                 const double moment[3])
{
    double turning[3];
    ff_vec3_cross(turning, arm, force);
    ff_vec3_add(turning, turning, moment);
    ff_vec3_axpy(wrench, factor, turning);
    ff_vec3_axpy(wrench + 3, factor, force);
}

/// The same at a place of the world, on the node of a model; -1: the world, which takes any force.
static inline void ff_wrench_push(const ff_model *m, ff_data *d, int node, const double place[3], double factor,
                                  const double force[3], const double moment[3])
{
    if (node < 0) return;
    double arm[3];
    ff_vec3_sub(arm, place, d->tree_origin + 3 * m->nodes[node].tree);
    ff_wrench_add(d->wrench + 6 * node, factor, arm, force, moment);
}

#endif
