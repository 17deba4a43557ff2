// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Targets that reach the servos some steps after they were set: a robot keeps those of its last m->delay steps in a
// ring, the targets of step n in slot n mod m->delay, and the servos of step n have those of step n minus its delay.
// Ages and delays of the robots of a block differ, so that each lane looks at a slot of its own. Targets come between
// calls: what was set before step n minus its delay, in this call, is what the inputs are now, and a slot that was
// written in this call stays as it is.
#ifndef FOOTFALL_BATCH_DELAY_H
#define FOOTFALL_BATCH_DELAY_H

#include "batch/lanes.h"
#include "batch/model.h"

/// Rows of a block: vectors one after the other, or, for one robot a thread, every 32nd number.
#if defined(__CUDACC__)
enum { ROW_STRIDE = FF_BATCH_DEVICE_LANES };
#else
enum { ROW_STRIDE = 1 };
#endif
#define ROW(x, i) ((x)[(size_t)(i)*ROW_STRIDE])

/// First rows of a step: where its targets are kept, and where those lie that act; -1: those of the step itself.
typedef struct ring {
    int keeps; // 0: they are there, and those that act are those of the step itself
    int write[LANE_COUNT], read[LANE_COUNT];
} ring;

/// @param since  steps of this call before this one
APART ring ring_at(const struct ff_batch_model *m, const real *x, real age, int since)
{
    ring out;
    out.keeps = since < m->delay;
    const real delay = ROW(x, m->delay_row);
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        const int64_t now = (int64_t)LANE(age, lane), late = (int64_t)LANE(delay, lane);
        const int64_t then = now - late + m->delay; // not below zero
        out.write[lane] = m->delay_row + 1 + 3 * m->nservo * (int)(now % m->delay);
        out.read[lane] = late > since ? m->delay_row + 1 + 3 * m->nservo * (int)(then % m->delay) : -1;
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

/// Keeps the targets of this step, which all servos have read by now, of robots that live. Eight are read before the
/// first is written, so that a thread waits for memory once.
APART void keep_targets(const struct ff_batch_model *m, real *x, const real *in, mask lives, ring r)
{
    enum { SOME = 8 };
    const int rows = r.keeps ? 3 * m->nservo : 0;
    for (int lane = 0; lane < LANE_COUNT; lane++)
        for (int first = MEMBER; LANE(lives, lane) && first < rows; first += SOME * CREW) {
            num some[SOME];
            UNROLL for (int k = 0; k < SOME; k++)
            {
                const int row = first + k * CREW;
                if (row < rows) some[k] = LANE(ROW(in, row), lane);
            }
            UNROLL for (int k = 0; k < SOME; k++)
            {
                const int row = first + k * CREW;
                if (row < rows) LANE(ROW(x, r.write[lane] + row), lane) = some[k];
            }
        }
}

#endif
