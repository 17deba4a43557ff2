// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Settings of the planar walk (footfall/planar_walk.h).
#ifndef FOOTFALL_GAIT_PLANAR_PLAN_H
#define FOOTFALL_GAIT_PLANAR_PLAN_H

#include "text/schema.h"

#include <footfall/planar_walk.h>

/// About ff_planar_plan, without its legs: what commands can change, too.
enum {
    FF_PLANAR_GAIT,
    FF_PLANAR_DUTY,
    FF_PLANAR_SPEED,
    FF_PLANAR_STEP,
    FF_PLANAR_HEIGHT,
    FF_PLANAR_CLEARANCE,
    FF_PLANAR_KAPPA,
    FF_PLANAR_OFFSET,
    FF_PLANAR_PATH,
    FF_PLANAR_CENTRED,
    FF_PLANAR_PLAN_SETTINGS
};
extern const ff_row ff_planar_plan_settings[FF_PLANAR_PLAN_SETTINGS + 1];
/// About ff_planar_walk_options, without its plan and rate.
extern const ff_row ff_planar_walk_settings[];

#endif
