// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys of tendons in native robot files.
#include "native/keys.h"

static const ff_row PIECE_KEYS[] = {
    FF_TEXT("frame", NULL, "the string runs through its origin"),
    FF_TEXT("around", NULL, "or around this shape, a sphere or a cylinder"),
    FF_TEXT("side", NULL,
            "around: a frame on the side that the string takes; inside "
            "the shape: the string is held in it"),
    FF_NUMBER("pulley", "", FF_POSITIVE, NULL, "or what follows counts divided by this"), FF_END};
const ff_key_group ff_keys_tendon_piece = {.name = "tendon piece",
                                           .help = "A place on the way of a tendon: one of frame, around, pulley.",
                                           .keys = PIECE_KEYS};
static const ff_row PATH_KEYS[] = {FF_EITHER("-", FF_TAKES_TEXT | FF_TAKES_MAP, "", FF_ANY, 0, 0, NULL,
                                             "a frame, or a shape or pulley", NULL, &ff_keys_tendon_piece),
                                   FF_END};
static const ff_key_group PATH = {.name = "tendon path", .help = "Places that a string passes.", .keys = PATH_KEYS};

static const ff_row SPRING_KEYS[] = {
    FF_NUMBER("stiffness", "N/m|N m/rad", FF_NOT_NEGATIVE, "0", "of the spring"),
    FF_EITHER("length", FF_TAKES_NUMBER | FF_TAKES_NUMBERS, "m|rad", FF_ANY, 2, 2, NULL,
              "without force, or two lengths between which it is slack; without it, as joints without force have it",
              NULL, NULL),
    FF_END};
static const ff_key_group SPRING = {.name = "tendon spring", .help = "A spring along a tendon.", .keys = SPRING_KEYS};

static const ff_row STOP_KEYS[] = {
    FF_NUMBER("stiffness", "N/m|N m/rad", FF_POSITIVE, NULL, "of the stop; 10000, of a sum of joints 1000"),
    FF_NUMBER("damping", "N s/m|N m s/rad", FF_NOT_NEGATIVE, NULL,
              "of the stop; 100, of a sum of joints 10; 0: it gives back all its energy"),
    FF_END};
static const ff_key_group STOP = {
    .name = "tendon stop", .help = "What a tendon meets at the ends of its range.", .keys = STOP_KEYS};

static const ff_row DRY_FRICTION_KEYS[] = {FF_NUMBER("level", "N|N m", FF_NOT_NEGATIVE, "0", "largest friction"),
                                           FF_NUMBER("speed", "m/s|rad/s", FF_NOT_NEGATIVE, NULL,
                                                     "at which 71 % of it is reached; 0.001, of a sum of joints 0.01"),
                                           FF_END};
static const ff_key_group DRY_FRICTION = {
    .name = "tendon friction", .help = "Coulomb friction along a tendon.", .keys = DRY_FRICTION_KEYS};

static const ff_row THRUST_KEYS[] = {
    FF_TEXT("frame", FF_NEEDED, "at whose origin it acts"),
    FF_TEXT("from", NULL,
            "frame that it pushes off from, and whose axes hold; without it, nothing and those of `frame`"),
    FF_NUMBERS("force", 3, 3, "", FF_ANY, "[0, 0, 0]", "for a unit along the tendon"),
    FF_NUMBERS("moment", 3, 3, "m", FF_ANY, "[0, 0, 0]", "the same"), FF_END};
static const ff_key_group THRUST = {
    .name = "thrust", .help = "A force and a moment at a frame, as of a jet or a propeller.", .keys = THRUST_KEYS};

static const ff_row TENDON_KEYS[] = {
    FF_LIST("path", &PATH, "a string: the places it passes"),
    FF_NAMED("joints", FF_ANY_UNIT, FF_ANY, "or a sum of joint positions: {JOINT: factor}"),
    FF_MAP("thrust", &THRUST, "or no string at all: a force at a frame, for an actuator"),
    FF_MAP("spring", &SPRING, "a spring along it"),
    FF_NUMBER("damping", "N s/m|N m s/rad", FF_NOT_NEGATIVE, "0", "viscous"),
    FF_EITHER("dry_friction", FF_TAKES_NUMBER | FF_TAKES_MAP, "N|N m", FF_NOT_NEGATIVE, 1, 1, "0",
              "largest Coulomb friction, or a map", NULL, &DRY_FRICTION),
    FF_NUMBERS("range", 2, 2, "m|rad", FF_ANY, NULL, "shortest and longest; without it any length"),
    FF_MAP("stop", &STOP, "what it meets at the ends of its range"),
    FF_END};
const ff_key_group ff_keys_tendon = {
    .name = "tendon", .help = "A string through space, or a sum of joints, with forces along it.", .keys = TENDON_KEYS};
static const ff_row TENDONS_KEYS[] = {FF_MAP("*", &ff_keys_tendon, "a tendon"), FF_END};
const ff_key_group ff_keys_tendons = {.name = "tendons", .help = "Tendons by name.", .keys = TENDONS_KEYS};
