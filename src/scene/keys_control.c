// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of `control`: the joint law (reader: control.c) and what all controllers take (reader: steer/read.c). The kinds
// of controllers have tables of their own (steer/kind_*.c).
#include "scene/keys.h"

// ------------------------------------------------------------------------------------------ joint law

enum { MOST_POSES = 100, MOST_COMMANDS = 10000 };

static const ff_key HOLD[] = {
    FF_NUMBER("stiffness", "N m/rad|N/m", FF_NOT_NEGATIVE, FF_NEEDED, "torque or force by distance from the target"),
    FF_NUMBER("damping", "N m s/rad|N s/m", FF_NOT_NEGATIVE, FF_NEEDED, "torque or force by difference of speed"),
    FF_SWITCH("feedforward", "true", "add what a joint carries at the start of a robot that settled"),
    FF_END,
};
static const ff_key_group HOLD_GROUP = {"hold", "The joint law: hinges and slides are held at their targets.", HOLD,
                                        NULL};

static const ff_key CYCLE[] = {
    FF_NAMES("poses", 2, MOST_POSES, FF_NEEDED, "keyframes of the robot's file, one after the other"),
    FF_NUMBER("period", "s", FF_POSITIVE, FF_NEEDED, "time of the whole cycle"),
    FF_END,
};
static const ff_key_group CYCLE_GROUP = {"cycle", "Keyframes through which the joint law leads a single robot.", CYCLE,
                                         NULL};

// ------------------------------------------------------------------------------------------ controllers

// What a command takes depends on the kind of controller; a script takes anything.
static const ff_key COMMAND[] = {
    FF_NUMBER("at", "s", FF_NOT_NEGATIVE, "0 s", "time; the command is given before the first cycle at or after it"),
    FF_ANYTHING("*", "what is commanded, as the kind of controller has it"),
    FF_END,
};
static const ff_key_group COMMAND_GROUP = {"command", "What a controller is told at a time.", COMMAND, NULL};

static const ff_key COMMANDS[] = {
    FF_MAP("-", &COMMAND_GROUP, "one command"),
    FF_END,
};
const ff_key_group ff_keys_commands = {"commands", "Schedule of commands, in any order.", COMMANDS, NULL};

static const ff_key CONTROL[] = {
    FF_MAP("hold", &HOLD_GROUP,
           "joint law of all robots, at the top alone; with a controller, of joints without a drive"),
    FF_MAP("cycle", &CYCLE_GROUP, "beside 'hold' alone: keyframes to go through; the start is held unless given"),
    // Kinds have shorter longest periods of their own: gait 20 ms, free_legs 100 ms.
    FF_NUMBER("period", "s", FF_BETWEEN(1e-5, 10.0), NULL,
              "time between two cycles of the controller; 1 ms unless given or the kind has another"),
    FF_ITEMS("commands", 0, MOST_COMMANDS, &ff_keys_commands, "what the controller is told, and when"),
    FF_END,
};

// ==== KINDS OF CONTROLLERS JOIN HERE ====
// gait, climb, hill, free_legs, planar_walk, lua, callback and the keys that stand beside them: as `also` of this
// group, which is NULL until then.
const ff_key_group ff_keys_control = {"control", "A controller of one robot, or a law for the joints of all.", CONTROL,
                                      NULL};
