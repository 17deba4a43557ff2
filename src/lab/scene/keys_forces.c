// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of forces and springs that a scene brings (reader: forces.c).
#include "scene/keys.h"

// ------------------------------------------------------------------------------------------ forces

static const ff_row FORCE[] = {
    FF_TEXT("joint", NULL, "joint on which a generalised force acts; either 'joint' or 'body' is needed"),
    FF_WHOLE("dof", FF_BETWEEN(0, 5), "0", "degree of freedom of the joint"),
    FF_NUMBER("value", "N m|N", FF_ANY, NULL, "generalised force; needed beside 'joint'"),
    FF_TEXT("body", NULL, "body on which a force acts; either 'joint' or 'body' is needed"),
    FF_NUMBERS("force", 3, 3, "N", FF_ANY, NULL, "force in world axes; a body takes either 'force' or 'impulse'"),
    FF_NUMBERS("impulse", 3, 3, "N s", FF_ANY, NULL, "impulse in world axes, spread over the time from 'from' to 'to'"),
    FF_NUMBERS("at", 3, 3, "m", FF_ANY, NULL, "point in the frame of the body; its centre of mass unless given"),
    FF_NUMBER("from", "s", FF_NOT_NEGATIVE, "0 s", "time at which it begins"),
    FF_NUMBER("to", "s", FF_POSITIVE, NULL,
              "time at which it ends, after 'from'; the end of the run unless given; needed beside 'impulse'"),
    FF_END,
};
static const ff_key_group FORCE_GROUP = {
    .name = "force", .help = "A constant force on a joint or a body during a window of time.", .keys = FORCE};

const ff_key_group ff_keys_forces = {.name = "forces",
                                     .help = "Constant forces during windows of time.",
                                     .keys = (const ff_row[]){FF_MAP("-", &FORCE_GROUP, "one force"), FF_END}};

// ------------------------------------------------------------------------------------------ springs

static const ff_key_group POINTS_GROUP = {
    .name = "points",
    .help = "A point of each of two bodies.",
    .keys = (const ff_row[]){FF_NUMBERS("-", 3, 3, "m", FF_ANY, NULL, "point in the frame of its body"), FF_END}};

static const ff_row SPRING[] = {
    FF_NAMES("between", 2, 2, FF_NEEDED, "the two bodies; 'world' is one, too"),
    FF_ITEMS("at", 2, 2, &POINTS_GROUP, "the two points, each in the frame of its body; the origins unless given"),
    FF_ONE_OR("stiffness", 3, "N/m", FF_NOT_NEGATIVE, FF_NEEDED,
              "one number: along the line between the points; three: for each world axis"),
    FF_ONE_OR("damping", 3, "N s/m", FF_NOT_NEGATIVE, "0", "of the form of 'stiffness'"),
    FF_ONE_OR("rest", 3, "m", FF_ANY, NULL,
              "length without force, of the form of 'stiffness'; that of the reference pose unless given"),
    FF_END,
};
static const ff_key_group SPRING_GROUP = {
    .name = "spring", .help = "A spring with a damper between two bodies.", .keys = SPRING};

const ff_key_group ff_keys_springs = {.name = "springs",
                                      .help = "Springs between bodies.",
                                      .keys = (const ff_row[]){FF_MAP("-", &SPRING_GROUP, "one spring"), FF_END}};
