// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Path of the string of a tendon, for any poses of the bodies: the compiler needs its length at rest, dynamics its
// length and levers.
#ifndef FOOTFALL_MODEL_TENDON_PATH_H
#define FOOTFALL_MODEL_TENDON_PATH_H

#include <footfall/model.h>

/// A straight part of the string between points of two bodies (-1: the world).
typedef struct ff_tendon_line {
    double from[3], to[3]; // world  [m]
    int body[2];
    double part; // change of the tendon's length by that of the line: 1/divisor of its pulley
} ff_tendon_line;

/// Frame of a body in the world.
typedef void ff_tendon_frame(const void *context, int body, double pos[3], double R[9]);
/// Called for every straight part, in order.
typedef void ff_tendon_visit(void *context, const ff_tendon_line *line);

/// Walks along a tendon through space. @param visit  may be NULL  @return its length  [m]
double ff_tendon_walk(const ff_model *m, const ff_tendon *tendon, ff_tendon_frame *frame, const void *poses,
                      ff_tendon_visit *visit, void *context);

#endif
