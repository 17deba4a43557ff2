// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Settings of the planar walk (footfall/planar_walk.h).
#ifndef FOOTFALL_GAIT_PLANAR_PLAN_H
#define FOOTFALL_GAIT_PLANAR_PLAN_H

#include "text/schema.h"

#include <footfall/planar_walk.h>

/// About ff_planar_plan, without its legs: what commands can change, too.
enum { FF_PLANAR_PLAN_SETTINGS = 10 };
extern const ff_row ff_planar_plan_settings[FF_PLANAR_PLAN_SETTINGS + 1];
/// About ff_planar_walk_options, without its plan and rate.
extern const ff_row ff_planar_walk_settings[];

#endif
