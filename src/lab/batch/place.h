// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a step works, and what it knows of the robots of a block (step.h). Targets may reach the servos some steps
// after they were set: the servos of step n have the targets of step n minus the delay of their robot. Targets come
// between calls, so that all steps of a call have one set of them. A robot keeps the sets of its last calls, in turns:
// a call has a step at least, so that m->delay sets are enough. Which of them a step had is kept for its last m->delay
// steps, that of step n in slot n mod m->delay. What was set before step n minus its delay, in this call, is what the
// inputs are now. Ages and delays of the robots of a block differ, so that each lane reads a slot of its own.
#ifndef FOOTFALL_BATCH_PLACE_H
#define FOOTFALL_BATCH_PLACE_H

#include "batch/bodies.h"
#include "batch/touch.h"

/// Rows of a block: vectors one after the other, or, for one robot a thread, every 32nd number.
#if defined(__CUDACC__)
enum { ROW_STRIDE = FF_BATCH_DEVICE_LANES };
#else
enum { ROW_STRIDE = 1 };
#endif
#define ROW(x, i) ((x)[(size_t)(i)*ROW_STRIDE])

/// Where the targets lie that act in a step.
typedef struct ring {
    int keeps;            // 0: they are those of the step itself, and all that is kept is there
    int read[LANE_COUNT]; // their first row, -1: they are those of the step itself
} ring;

/// @param since  steps of this call before this one
APART ring ring_at(const struct ff_batch_model *m, const real *x, real age, int since)
{
    const int most = KNOWN(m, delay);
    const real delay = ROW(x, m->delay_row);
    ring out;
    out.keeps = since < most;
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        const int64_t now = (int64_t)LANE(age, lane), late = (int64_t)LANE(delay, lane);
        const int slot = m->delay_row + 1 + (int)((now + most - late) % most);
        out.read[lane] = late > since ? m->sets + 3 * m->nservo * (int)LANE(ROW(x, slot), lane) : -1;
    }
    return out;
}

/// Position, speed and torque that act, of the servo whose targets begin at `row`.
#if LANE_COUNT == 1
FN void late_targets(const real *x, const real *in, const ring *r, int row, real *out)
{
    const real *from = r->read[0] >= 0 ? &ROW(x, r->read[0] + row) : &ROW(in, row);
    UNROLL for (int k = 0; k < 3; k++) out[k] = ROW(from, k);
}
#else
APART void late_targets(const real *x, const real *in, const ring *r, int row, real *out)
{
    for (int k = 0; k < 3; k++) {
        out[k] = ROW(in, row + k);
        for (int lane = 0; lane < LANE_COUNT; lane++)
            if (r->read[lane] >= 0) LANE(out[k], lane) = LANE(ROW(x, r->read[lane] + row + k), lane);
    }
}
#endif

/// Keeps which set a step had, and in the first of a call the set, which all servos have read by now, of robots that
/// live. Eight are read before the first is written, so that a thread waits for memory once.
/// @param since  as above, less than m->delay
APART void keep_targets(const struct ff_batch_model *m, real *x, const real *in, mask lives, real age, int since)
{
    enum { SOME = 8 };
    const int most = KNOWN(m, delay), first_slot = m->delay_row + 1, rows = since == 0 ? 3 * m->nservo : 0;
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        if (!LANE(lives, lane)) continue;
        const int64_t now = (int64_t)LANE(age, lane);
        const int slot = first_slot + (int)(now % most), last = first_slot + (int)((now + most - 1) % most);
        int set = (int)LANE(ROW(x, last), lane) + (since == 0 ? 1 : 0);
        if (set == most) set = 0;
        if (MEMBER == 0) LANE(ROW(x, slot), lane) = (num)set;
        const int to = m->sets + 3 * m->nservo * set;
        for (int first = MEMBER; first < rows; first += SOME * CREW) {
            num some[SOME];
            UNROLL for (int k = 0; k < SOME; k++)
            {
                const int row = first + k * CREW;
                if (row < rows) some[k] = LANE(ROW(in, row), lane);
            }
            UNROLL for (int k = 0; k < SOME; k++)
            {
                const int row = first + k * CREW;
                if (row < rows) LANE(ROW(x, to + row), lane) = some[k];
            }
        }
    }
}

/// Rows of the next state; those of robots may lie beside each other in fast memory (limbs_kernel.h).
#ifndef NEAR_STRIDE
#define NEAR_STRIDE 1
#endif
#define NEXT(x, i) ((x)[(i)*NEAR_STRIDE])

/// A processor does some things of all joints before it walks along a tree (look_ahead), and leaves products by zero
/// out; a thread of a GPU has no room for the first, and a text of each model for the second (specialise.c). The bit of
/// `has` says that this was done for a node.
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
