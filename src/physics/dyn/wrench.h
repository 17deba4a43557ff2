// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrench of a force at a point of a body, as contacts, adhesion, tendons and slopes of contacts add it.
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

#endif
