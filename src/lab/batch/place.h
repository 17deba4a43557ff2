// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a step works, and what it knows of the robots of a block (step.h).
#ifndef FOOTFALL_BATCH_PLACE_H
#define FOOTFALL_BATCH_PLACE_H

#include "batch/bodies.h"
#include "batch/delay.h"
#include "batch/touch.h"

/// Rows of the next state; those of robots may lie beside each other in fast memory (limbs_kernel.h).
#ifndef NEAR_STRIDE
#define NEAR_STRIDE 1
#endif
#define NEXT(x, i) ((x)[(i)*NEAR_STRIDE])

/// A processor does some things of all joints before it walks along a tree (look_ahead), and leaves products by zero
/// out; a thread of a GPU has no room for the first, and a text of each model for the second (specialise.c). The bit of
/// `has` says that a node was looked at.
#if defined(__CUDACC__)
enum { LOOKS_AHEAD = 0 };
#else
enum { LOOKS_AHEAD = 1 };
#endif
static const unsigned FF_AHEAD = 1U << FF_HAS_BITS;

/// What a step finds out about the robots of a block.
typedef struct outcome {
    real far;     // how far a hinge has turned  [rad]
    mask bounded; // the new velocities are finite and within bounds
    real root[3]; // acceleration of the first free root, world axes  [m/s^2]
} outcome;

/// Positions and velocities of a joint that is not free.
typedef struct coordinates {
    real q[4], v[3];
} coordinates;

/// Where a block works.
typedef struct place {
    const struct ff_batch_model *model;
    real *x; // state
    const ff_batch_rules *rules;
    const real *in;  // inputs
    frame *frames;   // of roots and nodes that branch, by depth
    lump *lumps;     // of nodes that are open, by depth
    artic *sums;     // of nodes that branch: their own lump and the branches that are finished, by depth
    real *out;       // accelerations of nodes that branch  (6 by depth)
    record *records; // (nv)
    real *next;      // positions and velocities after the step  (nq + nv)
    real *kept;      // rows of robots that ended, where there are several lanes (keep_written)
    int *path;       // node at each depth
    outcome *made;
    real *near, *station_frames, *own; // in a step that is written out (limbs.h): of its crew, and of a member ...
    struct opened *opened;             // ... and nodes of the trunk
} place;

/// What does not change in a step.
typedef struct whole {
    mask lives, fresh;
    touch_scale contact;
    real mass, gain;
    real push[3];          // on the first root
    real pose, part, rate; // of the cycle: from which pose, how much of the way to the next, its rate
    ring targets;          // where there is a delay
} whole;

#endif
