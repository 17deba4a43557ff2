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

/// Numbers of signals of a leg, and of each of its two joints, which follow; the last of a joint is its torque.
enum { FF_PLANAR_LEG_SIGNALS = 3, FF_PLANAR_JOINT_SIGNALS = 4, FF_PLANAR_SIGNALS = 3 + 2 * 4 };
/// Number of the torque of a joint among the signals; joints are counted leg by leg.
static inline int ff_planar_torque_signal(int joint)
{
    return FF_PLANAR_SIGNALS * (joint / 2) + FF_PLANAR_LEG_SIGNALS + FF_PLANAR_JOINT_SIGNALS * (joint % 2 + 1) - 1;
}

#endif
