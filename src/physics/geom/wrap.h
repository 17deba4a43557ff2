// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The path of a taut string around a round obstacle, for tendons.
#ifndef FOOTFALL_GEOM_WRAP_H
#define FOOTFALL_GEOM_WRAP_H

#include <footfall/math.h>

/// A sphere, or a cylinder of any length along the z axis of its frame.
typedef struct ff_wrap_shape {
    bool cylinder;
    double radius; // [m]
    double pos[3], R[9];
} ff_wrap_shape;

/// The shortest string between two points that does not enter the shape, or with a `side` inside the shape the shortest
/// one that touches it.
/// @param side   point on the side that the string takes, NULL: the shorter one
/// @param touch  where it meets the shape and where it leaves it, world
/// @param arc    its length on the shape  [m]
/// @return false when the straight line serves, or an end lies in the shape
bool ff_wrap(const ff_wrap_shape *shape, const double from[3], const double to[3], const double *side,
             double touch[2][3], double *arc);

#endif
