// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of robots in a scene: which file, where they are placed, how they begin (reader: robots.c).
#include "scene/keys.h"

#include "native/keys.h"

static const ff_row PERTURB[] = {
    FF_NUMBERS("pos", 3, 3, "m", FF_NOT_NEGATIVE, "[0, 0, 0]",
               "largest shift to either side along each axis of the world"),
    FF_NUMBERS("rpy", 3, 3, "rad", FF_NOT_NEGATIVE, "[0, 0, 0]",
               "largest roll, pitch and yaw to either side, about 'pos'"),
    FF_END,
};
static const ff_key_group PERTURB_GROUP = {
    .name = "perturb", .help = "A robot shifted and turned at random, by the seed of the scene.", .keys = PERTURB};

static const ff_row PLACE[] = {
    FF_SWITCH("settle", "false",
              "begin in static equilibrium: height and tilts of the base, or joints without a motor, change"),
    FF_MAP("perturb", &PERTURB_GROUP, "shifts and turns it at random"),
    FF_END,
};
const ff_key_group ff_keys_place = {
    .name = "place", .help = "Where a robot is placed as a whole.", .keys = PLACE, .also = &ff_keys_pose};

// ------------------------------------------------------------------------------------------ start

static const ff_key_group POSITIONS_GROUP = {
    .name = "positions",
    .help = "Positions of joints by name or pattern.",
    .keys = (const ff_row[]){
        FF_EITHER(
            "*", FF_TAKES_NUMBER | FF_TAKES_NUMBERS | FF_TAKES_MAP, "rad|m", FF_ANY, 3, 3, NULL,
            "number of hinges and slides; [x, y, angle] of planar joints; {pos, rpy or quat} of ball and free ones",
            NULL, &ff_keys_pose),
        FF_END}};

static const ff_key_group SPEEDS_GROUP = {
    .name = "speeds",
    .help = "Speeds of joints by name or pattern.",
    .keys = (const ff_row[]){
        FF_EITHER("*", FF_TAKES_NUMBER | FF_TAKES_NUMBERS, "rad/s|m/s", FF_ANY, 3, 6, NULL,
                  "speed of the joints of this name or pattern; a list where a joint has several degrees of freedom",
                  NULL, NULL),
        FF_END}};

static const ff_row START[] = {
    FF_TEXT("pose", NULL, "keyframe of the robot's file; the reference pose unless given"),
    FF_NUMBERS("q", 0, FF_KEYS_MANY, FF_ANY_UNIT, FF_ANY, NULL,
               "all coordinates of the robot, in the order and units of its joints"),
    FF_NUMBERS("v", 0, FF_KEYS_MANY, FF_ANY_UNIT, FF_ANY, NULL,
               "all velocities of the robot, in the order and units of its joints; zero unless given"),
    FF_MAP("joints", &POSITIONS_GROUP, "positions of single joints, over 'pose' and 'q'"),
    FF_MAP("speeds", &SPEEDS_GROUP, "speeds of single joints, over 'pose' and 'v'"),
    FF_END,
};
const ff_key_group ff_keys_start = {
    .name = "start", .help = "How a robot begins; later keys go over earlier ones.", .keys = START};

// ------------------------------------------------------------------------------------------ robots

static const ff_row ROBOT[] = {
    FF_TEXT("file", FF_NEEDED, "robot file (URDF, MJCF or native), relative to the scene"),
    FF_TEXT("assumed_model", NULL,
            "robot file that the controller assumes, with the same joints; that of the robot unless given"),
    FF_TEXT("name", NULL, "name of the robot; 'robot', or 'robot1', 'robot2', .. of several, unless given"),
    FF_TEXT("prefix", NULL,
            "put in front of all names of the robot; NAME_ of several robots, nothing of one unless given"),
    FF_SWITCH("floating", "false", "give a URDF without a root joint a free base"),
    FF_SWITCH("repair", "false", "replace inertia that cannot exist, and report it"),
    FF_SWITCH("legs", "true",
              "find the legs of a URDF or MJCF robot that floats: chains of joints that end in its lowest shapes"),
    FF_MAP("place", &ff_keys_place, "where the robot is placed as a whole"),
    FF_MAP("start", &ff_keys_start, "how the robot begins; in the reference pose, at rest unless given"),
    FF_MAP("control", &ff_keys_control, "controller of this robot; the joint law stands at the top of the scene"),
    FF_END,
};
const ff_key_group ff_keys_scene_robot = {.name = "placed robot", .help = "One robot of a scene.", .keys = ROBOT};

const ff_key_group ff_keys_robots = {
    .name = "robots",
    .help = "Several robots; their coordinates follow each other.",
    .keys = (const ff_row[]){FF_EITHER("-", FF_TAKES_TEXT | FF_TAKES_MAP, "", FF_ANY, 0, 0, NULL,
                                       "file of a robot, relative to the scene, or a map", NULL, &ff_keys_scene_robot),
                             FF_END}};
