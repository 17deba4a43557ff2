// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of robots in a scene: which file, where they are placed, how they begin (reader: robots.c).
#include "scene/keys.h"

#include "native/keys.h"

// clang-format off
static const ff_key_group PERTURB = FF_GROUP(
    "perturb", "A robot shifted and turned at random, by the seed of the scene.",
    FF_NUMBERS("pos", 3, 3, "m", FF_NOT_NEGATIVE, "[0, 0, 0]",
        "largest shift to either side along each axis of the world"),
    FF_NUMBERS("rpy", 3, 3, "rad", FF_NOT_NEGATIVE, "[0, 0, 0]",
        "largest roll, pitch and yaw to either side, about 'pos'"));

const ff_key_group ff_keys_place = FF_GROUP_ALSO("place", "Where a robot is placed as a whole.", &ff_keys_pose,
    FF_SWITCH("settle", "false",
        "begin in static equilibrium: height and tilts of the base, or joints without a motor, change"),
    FF_MAP("perturb", &PERTURB, "random shift and rotation"));

// ------------------------------------------------------------------------------------------ start

static const ff_key_group POSITIONS = FF_GROUP("positions", "Positions of joints by name or pattern.",
    FF_EITHER("*", FF_TAKES_NUMBER | FF_TAKES_NUMBERS | FF_TAKES_MAP, "rad|m", FF_ANY, 3, 3, NULL,
        "number of hinges and slides; [x, y, angle] of planar joints; {pos, rpy or quat} of ball and free ones", NULL,
        &ff_keys_pose));

static const ff_key_group SPEEDS = FF_GROUP("speeds", "Speeds of joints by name or pattern.",
    FF_NUMBER_OR_LIST("*", 3, 6, "rad/s|m/s", FF_ANY, NULL,
        "speed of the joints of this name or pattern; a list where a joint has several degrees of freedom"));

const ff_key_group ff_keys_start = FF_GROUP("start",
    "Initial state of a robot; keys farther down overwrite those above.",
    FF_TEXT("pose", NULL, "keyframe of the robot's file; the reference pose unless given"),
    FF_NUMBERS("q", 0, FF_KEYS_MANY, FF_ANY_UNIT, FF_ANY, NULL,
        "all coordinates of the robot, in the order and units of its joints"),
    FF_NUMBERS("v", 0, FF_KEYS_MANY, FF_ANY_UNIT, FF_ANY, NULL,
        "all velocities of the robot, in the order and units of its joints; zero unless given"),
    FF_MAP("joints", &POSITIONS, "positions of single joints, over 'pose' and 'q'"),
    FF_MAP("speeds", &SPEEDS, "speeds of single joints, over 'pose' and 'v'"));

// ------------------------------------------------------------------------------------------ robots

const ff_key_group ff_keys_scene_robot = FF_GROUP("placed robot", "One robot of a scene.",
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
    FF_MAP("start", &ff_keys_start, "initial state of the robot; at rest in the reference pose unless given"),
    FF_MAP("control", &ff_keys_control,
        "controller of this robot; 'hold' and 'cycle' are only allowed at the top of the scene"));

const ff_key_group ff_keys_robots = FF_GROUP("robots", "Several robots; their coordinates follow each other.",
    FF_TEXT_OR_MAP("-", &ff_keys_scene_robot, NULL, "file of a robot, relative to the scene, or a map"));
// clang-format on
