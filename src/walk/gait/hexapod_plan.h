// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Questions that levels of the hexapod controller ask each other, and controllers ask when they are made.
#ifndef FOOTFALL_GAIT_HEXAPOD_PLAN_H
#define FOOTFALL_GAIT_HEXAPOD_PLAN_H

#include "sense/io_frames.h"
#include "text/schema.h"

#include <footfall/hexapod.h>

/// Settings that files can name, about ff_hexapod_options (hexapod_settings.c).
extern const ff_row ff_hexapod_settings[];
/// @return FF_OK, or FF_BAD_ARGUMENT with the number that does not fit
ff_status ff_hexapod_options_check(const ff_hexapod_options *options, ff_error *err);
/// Words of ff_gait, NULL-ended.
extern const char *const ff_gait_names[FF_GAIT_COUNT + 1];

/// Feet that are down.
int ff_footstep_support(const ff_footstep_setup *setup, const ff_footstep_memory *memory);
/// Time until a leg of a walking robot lifts, by the clock and its neighbours; 0 in the air.
double ff_footstep_time_to_lift(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                                const ff_footstep_memory *memory, int leg);
/// Whether a leg is down and, where `ahead` > 0, still will be in that time, or will be again.
bool ff_footstep_will_support(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                              const ff_footstep_memory *memory, int leg, double ahead);
/// A few words on one bit, "" for none.
const char *ff_walk_status_text(int bit);
/// The commands it was made with, whatever it was commanded since.
ff_walk_command ff_hexapod_first_command(const ff_hexapod *hexapod);
/// "none" and the names of the legs, which may serve as a hand; NULL behind the last.
const char *const *ff_hexapod_hands(const ff_hexapod *hexapod);
/// Fastest that a foot on the ground may go against the body, with the gait and the steps now commanded: speeds beyond
/// are clamped  [m/s].
double ff_hexapod_fastest(const ff_hexapod *hexapod);
/// Greatest speed straight in the commanded direction, with the gait, the steps and the pose now commanded, whatever
/// the speed: no joint needs more than its share of its own greatest speed then  [m/s].
double ff_hexapod_top_speed(const ff_hexapod *hexapod);

// The levels in two processes: action and primitive level, which plan, in one, the servo level in the other.
/// What goes from the first to the second: what the servo level reads of setpoint and plan.
const ff_io_numbers *ff_hexapod_planner_output(const ff_hexapod *hexapod);
/// A cycle of the planning levels. `plan` stays without values as long as joint sensors have not sent any.
void ff_hexapod_plan_cycle(ff_hexapod *hexapod, double t, const ff_io_frame *sensors, ff_io_frame *plan);
/// A cycle of the servo level; a plan without values leaves it with the last that had.
void ff_hexapod_servo_cycle(ff_hexapod *hexapod, double t, const ff_io_frame *sensors, const ff_io_frame *plan,
                            ff_io_frame *references);

#endif
