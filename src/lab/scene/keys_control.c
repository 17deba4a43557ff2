// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of `control`: the joint law (reader: control.c). The kinds of controllers have tables of their own
// (steer/kind_*.c), and a `control` that names one takes those.
#include "scene/keys.h"

#include "steer/steering.h"

// ------------------------------------------------------------------------------------------ joint law

enum { MOST_POSES = 100 };

static const ff_row HOLD[] = {
    FF_NUMBER("stiffness", "N m/rad|N/m", FF_NOT_NEGATIVE, FF_NEEDED, "torque or force by distance from the target"),
    FF_NUMBER("damping", "N m s/rad|N s/m", FF_NOT_NEGATIVE, FF_NEEDED, "torque or force by difference of speed"),
    FF_SWITCH("feedforward", "true", "add what a joint carries at the start of a robot that settled"),
    FF_END,
};
static const ff_key_group HOLD_GROUP = {
    .name = "hold", .help = "The joint law: hinges and slides are held at their targets.", .keys = HOLD};

static const ff_row CYCLE[] = {
    FF_NAMES("poses", 2, MOST_POSES, FF_NEEDED, "keyframes of the robot's file, one after the other"),
    FF_NUMBER("period", "s", FF_POSITIVE, FF_NEEDED, "time of the whole cycle"),
    FF_END,
};
static const ff_key_group CYCLE_GROUP = {
    .name = "cycle", .help = "Keyframes through which the joint law leads a single robot.", .keys = CYCLE};

// ------------------------------------------------------------------------------------------ control

static const ff_row CONTROL[] = {
    FF_MAP("hold", &HOLD_GROUP,
           "joint law of all robots, at the top alone; with a controller, of joints without a drive"),
    FF_MAP("cycle", &CYCLE_GROUP, "beside 'hold' alone: keyframes to go through; the start is held unless given"),
    FF_END,
};
const ff_key_group ff_keys_control = {.name = "control",
                                      .help = "A controller of one robot, or a law for the joints of all.",
                                      .keys = CONTROL,
                                      .choose = ff_control_choose};
