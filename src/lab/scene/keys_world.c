// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of the world around the robots: terrain with its functions of height (reader: terrain.c), objects (objects.c),
// contacts as a whole and pairs of materials (contacts.c). An object takes the keys of a shape of a robot file, too;
// where both tables have a key, the object's row holds. Materials are those of robot files.
#include "scene/keys.h"

#include "native/keys.h"

// ------------------------------------------------------------------------------------------ contacts

enum { MOST_CONTACTS = 333333, MOST_DETECTOR_CELLS = 200 };

static const char *const RESPONSES[] = {"force", "propagation", "simultaneous", NULL};
static const char *const DETECTORS[] = {"exact", "ccube", NULL};

static const ff_row CONTACTS[] = {
    FF_WORD("response", RESPONSES, "force",
            "what a touch does: forces by the laws of the materials, or rigid impulses"),
    FF_WORD("detector", DETECTORS, "exact", "how points are found; ccube: corners and triangles in cells"),
    FF_WHOLE("cells", FF_BETWEEN(1, MOST_DETECTOR_CELLS), "20", "cells a side, of the detector ccube"),
    FF_NUMBER("depth", "m", FF_ABOVE_UP_TO(0.0, 10.0), "2 cm", "depth to which a point is held, of the detector ccube"),
    FF_NUMBER("margin", "m", FF_BETWEEN(0.0, 1.0), "1 mm", "gap up to which points are watched"),
    FF_SWITCH(
        "mjcf", "true",
        "shapes of MJCF files meet with its friction, condim, priority and solref, by MuJoCo's rules; false: they "
        "have the standard material"),
    FF_WHOLE("most", FF_BETWEEN(0, MOST_CONTACTS), "0", "points that can be remembered; 0: chosen from the shapes"),
    FF_END,
};
const ff_key_group ff_keys_contacts = {
    .name = "contacts", .help = "How contacts are found and what they do.", .keys = CONTACTS};

static const ff_key_group PAIR_GROUP = {
    .name = "pair",
    .help = "A contact law of two materials, in place of their combination.",
    .keys = (const ff_row[]){FF_NAMES("of", 2, 2, FF_NEEDED, "the two materials"), FF_END},
    .also = &ff_keys_material};

const ff_key_group ff_keys_pairs = {
    .name = "pairs",
    .help = "Contact laws measured for two materials.",
    .keys = (const ff_row[]){FF_MAP("-", &PAIR_GROUP, "two materials and their law"), FF_END}};

// ------------------------------------------------------------------------------------------ objects

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

// ------------------------------------------------------------------------------------------ terrain

enum { MOST_BOXES = 2500, MOST_CELLS = 499999 }; // cells: 10^6 grid points, two of them across

static const ff_row COMMON[] = {
    FF_TEXT("name", NULL, "name of the piece; 'ground' of the first, 'terrain2', .. of the others unless given"),
    FF_TEXT("material", NULL, "contact material; lab-floor unless given"),
    FF_NUMBERS("color", 3, 4, "", FF_BETWEEN(0.0, 1.0), NULL,
               "red, green, blue and opacity; by the kind of piece unless given"),
    FF_END,
};
static const ff_key_group COMMON_GROUP = {
    .name = "piece", .help = "Keys of all pieces of terrain.", .keys = COMMON, .also = &ff_keys_pose};

// ------------------------------------------------------------------------------------------ pieces

static const ff_row PLANE[] = {
    FF_NUMBERS("normal", 3, 3, FF_ANY_UNIT, FF_ANY, NULL,
               "direction upwards, of any length, in place of 'rpy' and 'quat', which hold unless given"),
    FF_NUMBERS("size", 2, 2, "m", FF_ANY, NULL,
               "lengths of the drawing along x and y, for viewers that use them; the plane has no end"),
    FF_END,
};
static const ff_key_group PLANE_GROUP = {
    .name = "plane", .help = "The half-space below a plane.", .keys = PLANE, .also = &COMMON_GROUP};

static const ff_key_group BOX_GROUP = {.name = "box",
                                       .help = "A box that is fixed to the world.",
                                       .keys =
                                           (const ff_row[]){FF_NUMBERS("size", 3, 3, "m", FF_POSITIVE, FF_NEEDED,
                                                                       "full lengths; 'pos' is the middle of the box"),
                                                            FF_END},
                                       .also = &COMMON_GROUP};

static const ff_row STAIRS[] = {
    FF_WHOLE("count", FF_BETWEEN(1, MOST_BOXES), FF_NEEDED, "number of steps"),
    FF_NUMBER("rise", "m", FF_POSITIVE, FF_NEEDED, "height of a step"),
    FF_NUMBER("run", "m", FF_POSITIVE, FF_NEEDED, "depth of a step"),
    FF_NUMBER("width", "m", FF_POSITIVE, FF_NEEDED, "width of the stairs, along y"),
    FF_NUMBER("top", "m", FF_POSITIVE, NULL, "depth of the last step; 'run' unless given"),
    FF_END,
};
static const ff_key_group STAIRS_GROUP = {.name = "stairs",
                                          .help = "Steps upwards along x; 'pos' is the foot of the first.",
                                          .keys = STAIRS,
                                          .also = &COMMON_GROUP};

static const ff_row BLOCKS[] = {
    FF_NUMBERS("size", 2, 2, "m", FF_POSITIVE, FF_NEEDED, "lengths of the field along x and y"),
    FF_NUMBERS("block", 2, 2, "m", FF_POSITIVE, FF_NEEDED, "lengths of one block; at most 2500 blocks fill the field"),
    FF_NUMBER("height", "m", FF_POSITIVE, FF_NEEDED, "largest height of a block"),
    FF_WHOLE("seed", FF_NOT_NEGATIVE, NULL, "seed of the heights; that of the scene unless given"),
    FF_END,
};
static const ff_key_group BLOCKS_GROUP = {
    .name = "blocks", .help = "A field of blocks of random height.", .keys = BLOCKS, .also = &COMMON_GROUP};

static const ff_row MESH[] = {
    FF_TEXT("file", FF_NEEDED, "file of the surface, relative to the scene"),
    FF_ONE_OR("scale", 3, "", FF_ANY, "1", "factor of all coordinates, or one each of x, y and z"),
    FF_END,
};
static const ff_key_group MESH_GROUP = {
    .name = "surface", .help = "A surface of triangles, solid behind them.", .keys = MESH, .also = &COMMON_GROUP};

// ------------------------------------------------------------------------------------------ height fields

#define DIRECTION FF_NUMBER("direction", "rad", FF_ANY, "0", "angle from x along which the height changes")

static const ff_row SLOPE[] = {DIRECTION, FF_END};
static const ff_key_group SLOPE_GROUP = {.name = "slope", .help = "A slope across the field.", .keys = SLOPE};

static const ff_key_group WAVES_GROUP = {
    .name = "waves",
    .help = "Waves of the shape of a cosine.",
    .keys = (const ff_row[]){
        FF_NUMBER("length", "m", FF_ABOVE_UP_TO(0.0, 1e6), FF_NEEDED, "length of a wave; in proportion to the field"),
        DIRECTION, FF_END}};

static const ff_key_group STEPS_GROUP = {
    .name = "steps",
    .help = "Equal steps across the field.",
    .keys =
        (const ff_row[]){FF_NUMBER("length", "m", FF_POSITIVE, FF_NEEDED, "depth of a step; at most half of the field"),
                         DIRECTION, FF_END}};

static const ff_row NOISE[] = {
    FF_NUMBER("length", "m", FF_ABOVE_UP_TO(0.0, 1e6), FF_NEEDED,
              "size of the widest hills; in proportion to the field"),
    FF_WHOLE("octaves", FF_BETWEEN(1, 8), "4", "layers of hills, each half as wide and half as high as the one before"),
    FF_WHOLE("seed", FF_NOT_NEGATIVE, NULL, "seed of the hills; that of the scene unless given"),
    FF_END,
};
static const ff_key_group NOISE_GROUP = {.name = "noise", .help = "Random hills.", .keys = NOISE};

static const ff_row FIELD[] = {
    FF_NUMBERS("size", 2, 2, "m", FF_POSITIVE, FF_NEEDED, "lengths along x and y; the origin is in the middle"),
    FF_NUMBER("height", "m", FF_ANY, FF_NEEDED, "height of the field, downwards where negative"),
    FF_EITHER("cells", FF_TAKES_NUMBERS | FF_TAKES_WHOLE, "", FF_BETWEEN(1, MOST_CELLS), 2, 2, "[100, 100]",
              "cells of the grid along x and y, at most 10^6 grid points; of a picture, its pixels", NULL, NULL),
    FF_TEXT("png", NULL, "grey picture of 8 or 16 bits, relative to the scene: black 0, white 'height'"),
    FF_MAP("slope", &SLOPE_GROUP, "from 0 to 'height' across the field"),
    FF_MAP("waves", &WAVES_GROUP, "waves between 0 and 'height'"),
    FF_MAP("steps", &STEPS_GROUP, "equal steps from 0 to 'height'"),
    FF_MAP("noise", &NOISE_GROUP, "random hills between 0 and 'height'"),
    FF_END,
};
static const ff_key_group FIELD_GROUP = {.name = "heightfield",
                                         .help =
                                             "Heights on a grid, by exactly one of png, slope, waves, steps and noise.",
                                         .keys = FIELD,
                                         .also = &COMMON_GROUP};

// ------------------------------------------------------------------------------------------ the list

// A piece may be left empty: "plane:" alone has all defaults.
static const ff_row KINDS[] = {
    FF_MAP("plane", &PLANE_GROUP, "the half-space below a plane"),
    FF_MAP("box", &BOX_GROUP, "a box"),
    FF_MAP("stairs", &STAIRS_GROUP, "steps upwards along x"),
    FF_MAP("blocks", &BLOCKS_GROUP, "blocks of random height side by side"),
    FF_MAP("heightfield", &FIELD_GROUP, "heights on a grid"),
    FF_MAP("mesh", &MESH_GROUP, "a surface of triangles"),
    FF_END,
};
static const ff_key_group KINDS_GROUP = {.name = "terrain piece", .help = "Exactly one kind of piece.", .keys = KINDS};

const ff_key_group ff_keys_terrain = {.name = "terrain",
                                      .help = "The ground and what is fixed to it.",
                                      .keys = (const ff_row[]){FF_MAP("-", &KINDS_GROUP, "one piece"), FF_END}};
