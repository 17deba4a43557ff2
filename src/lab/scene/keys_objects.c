// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of objects (reader: objects.c). An object takes the keys of a shape of a robot file, too; where both tables have
// a key, the object's row holds.
#include "scene/keys.h"

#include "native/keys.h"

enum { MOST_OBJECTS = 20000 };

static const char *const MOVES[] = {"all", "none", "x", "y", "z", "xy", "xz", "yz", "xyz", NULL};

static const ff_row OBJECT[] = {
    FF_TEXT("name", NULL, "name of the body and its free joint; object1, object2, .. unless given"),
    FF_SWITCH("point", "false", "in place of a shape: a mass with one contact point, which cannot turn"),
    // Zero is for objects that are fixed; the reader refuses it where one moves.
    FF_NUMBER("mass", "kg", FF_NOT_NEGATIVE, NULL, "mass; what moves needs either 'mass' or 'density', above zero"),
    FF_NUMBER("density", "kg/m^3", FF_NOT_NEGATIVE, NULL,
              "mass by volume; what moves needs either 'mass' or 'density', above zero"),
    FF_WORD("moves", MOVES, NULL,
            "all: a free body; axes of the world along which it slides; none: fixed; all unless given, xyz of a point"),
    FF_NUMBERS("velocity", 3, 3, "m/s", FF_ANY, "[0, 0, 0]", "velocity at the start, world axes"),
    FF_NUMBERS("spin", 3, 3, "rad/s", FF_ANY, "[0, 0, 0]", "angular velocity at the start, world axes; of free bodies"),
    FF_EITHER("count", FF_TAKES_NUMBERS | FF_TAKES_WHOLE, "", FF_BETWEEN(1, MOST_OBJECTS), 3, 3, "[1, 1, 1]",
              "lattice of equal objects, numbers along x, y and z; x counts fastest", NULL, NULL),
    FF_NUMBERS("spacing", 3, 3, "m", FF_ANY, NULL, "steps of the lattice; needed where there are several"),
    FF_ONE_OR("perturb", 3, "m", FF_NOT_NEGATIVE, "0",
              "largest random shift to either side along each axis of the world, or [x, y, z]"),
    FF_END,
};
static const ff_key_group OBJECT_GROUP = {.name = "object",
                                          .help = "A body of one shape, or a lattice of equal ones.",
                                          .keys = OBJECT,
                                          .also = &ff_keys_shape};

const ff_key_group ff_keys_objects = {
    .name = "objects",
    .help = "Bodies that the scene itself describes.",
    .keys = (const ff_row[]){FF_MAP("-", &OBJECT_GROUP, "one object, or a lattice of equal ones"), FF_END}};
