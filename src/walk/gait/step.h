// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Private parts of the step generator: the clock and pace of the body (step_clock.c), which legs lift (step_lift.c),
// and the adaptation to the ground (step_ground.c).
#ifndef FOOTFALL_SRC_GAIT_STEP_H
#define FOOTFALL_SRC_GAIT_STEP_H

#include <footfall/hexapod.h>

/// Velocity of the body at a point of the walk frame, scaled and turned for one leg: a standing foot moves with the
/// opposite.
void ff_footstep_flow(const ff_walk_setpoint *setpoint, int leg, const double point[2], double flow[2]);
/// Point of a leg's step at the travel x from its centre.
void ff_footstep_point(const ff_walk_setpoint *setpoint, int leg, double x, double point[2]);
/// Travel of a foot from its centre; 0 where the step of the leg has no length.
double ff_footstep_travel(const ff_walk_setpoint *setpoint, int leg, const double foot[2]);

/// When a leg starts its transfer, as a share of the period.
static inline double ff_footstep_start_at(const ff_gait_table *table, const ff_walk_setpoint *setpoint, int leg)
{
    return setpoint->pause + (1.0 - setpoint->pause) * table->start[leg];
}
/// Time until the ideal generator asks a leg to lift, 0 while it is asking.
double ff_footstep_until_lift(const ff_gait_table *table, const ff_walk_setpoint *setpoint,
                              const ff_footstep_memory *memory, int leg);
/// Sets the clock so that the body needs to wait least for its feet.
void ff_footstep_fit_clock(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                           ff_footstep_memory *memory);
/// Advances clock and ideal steps, and notes which legs ask to lift.
void ff_footstep_advance_clock(const ff_gait_table *table, const ff_walk_setpoint *setpoint, double dt,
                               ff_footstep_memory *memory);
/// Moves the pace of the body towards what its feet allow.
void ff_footstep_advance_pace(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                              const ff_feet_seen *seen, double dt, ff_footstep_memory *memory);

/// Contact is ignored from a sensor that reported it all through the air, and from one that never does. (step_lift.c)
bool ff_footstep_is_blind(const ff_footstep_leg *leg, const ff_feet_seen *seen, int i);
/// Whether a foot stands on what it touches. One that has met something early and is not loaded leans against the face
/// of a step or slides off an edge.
static inline bool ff_footstep_stands(const ff_footstep_leg *leg, const ff_feet_seen *seen, int i)
{
    return seen->contact[i] && !(leg->early && seen->idle[i]);
}
/// Whether a foot that should stand has bounced off the ground: it does not carry, and looks for the ground, which ends
/// with that or with a miss.
bool ff_footstep_has_bounced(ff_footstep_leg *leg, const ff_feet_seen *seen, int i);
/// Whether leg i goes before leg k when both ask: nearer to its rear extreme position, asked earlier, earlier in the
/// table.
bool ff_footstep_goes_before(const ff_gait_table *table, const ff_footstep_leg *legs, int i, int k);
/// Lifts legs that ask and may, the most urgent first; each counts for those after it.
void ff_footstep_grant(const ff_footstep_setup *setup, const ff_gait_table *table, const ff_feet_seen *seen, double dt,
                       ff_footstep_memory *memory);

/// Slopes ahead and to the left of the plane through the points on which the feet stand, and the middle of these
/// points.
/// @param uneven  root mean square of their heights above that plane, or NULL  [m]
/// @return        false where they lie in a line
bool ff_footstep_fit_plane(int n, const ff_footstep_leg *legs, double middle[2], double slope[2], double *uneven);
/// Shifts and turns all steps after the ground below the feet.
void ff_footstep_adapt(const ff_footstep_setup *setup, const ff_feet_seen *seen, double dt, ff_footstep_memory *memory);

/// Moves a leg and the ground it knows up.
void ff_footstep_raise(ff_footstep_leg *leg, double by);

/// Whether a foot counts as down: in support, and not for long without contact.
bool ff_footstep_is_down(const ff_footstep_setup *setup, const ff_footstep_leg *leg);

/// A leg that is this late catches up in the air; later, the clock waits for it [s].
#define FF_FOOTSTEP_HURRIED 0.08

static inline bool ff_footstep_in_air(const ff_footstep_leg *leg)
{
    return leg->phase != FF_FOOTSTEP_SUPPORT;
}

#endif
