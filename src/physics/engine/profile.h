// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Time that a run spends in its stages. Time is charged to the stage entered last, and after that to the one around it:
// the times are exclusive and add up. Without a clock each switch is one branch.
#ifndef FOOTFALL_ENGINE_PROFILE_H
#define FOOTFALL_ENGINE_PROFILE_H

#include <footfall/sim.h>

/// Rows of the profile; the parts follow, in order of adding, then the tasks.
enum {
    FF_PROFILE_OTHER,      // the loop around the steps
    FF_PROFILE_METHOD,     // arithmetic of the integration method
    FF_PROFILE_KINEMATICS, // poses, velocities, passive forces
    FF_PROFILE_DYNAMICS,   // accelerations
    FF_PROFILE_SOUND,      // checks of the state, closing of loops
    FF_PROFILE_LISTENERS,
    FF_PROFILE_EVENTS,
    FF_PROFILE_PARTS
};

typedef struct ff_stopwatch {
    double (*clock)(void *context); // [s]
    void *context;
    double last; // when the row was entered  [s]
    int row;     // row that time is charged to now
    int nrow;
    double *seconds;  // (nrow)
    long long *calls; // (nrow)
} ff_stopwatch;

/// Charges the time since the last charge to the present row.
static inline void ff_profile_charge(ff_stopwatch *p)
{
    const double now = p->clock(p->context);
    p->seconds[p->row] += now - p->last;
    p->last = now;
}
/// Returns to a row, which does not count as a call.
static inline void ff_profile_return(ff_stopwatch *p, int row)
{
    ff_profile_charge(p);
    p->row = row;
}
/// Enters a row. @return the row to return to
static inline int ff_profile_switch(ff_stopwatch *p, int row)
{
    const int before = p->row;
    ff_profile_return(p, row);
    p->calls[row]++;
    return before;
}

#endif
