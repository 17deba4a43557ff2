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

// clang-format off
const ff_key_group ff_keys_contacts = FF_GROUP("contacts", "How contacts are found and computed.",
    FF_WORD("response", RESPONSES, "force",
        "force: by the laws of the materials; propagation, simultaneous: impulses between rigid bodies"),
    FF_WORD("detector", DETECTORS, "exact", "collision detection; ccube: by corners and triangles in a grid of cells"),
    FF_WHOLE("cells", FF_BETWEEN(1, MOST_DETECTOR_CELLS), "20", "detector ccube: number of cells along a side"),
    FF_NUMBER("depth", "m", FF_ABOVE_UP_TO(0.0, 10.0), "2 cm", "detector ccube: largest depth of a contact point"),
    FF_NUMBER("margin", "m", FF_BETWEEN(0.0, 1.0), "1 mm",
        "largest gap between shapes at which a contact point is tracked"),
    FF_SWITCH("mjcf", "true",
        "shapes of MJCF files use its friction, condim, priority and solref, by MuJoCo's rules; false: they do not"),
    FF_WHOLE("most", FF_BETWEEN(0, MOST_CONTACTS), "0", "largest number of contact points; 0: chosen from the shapes"));

static const ff_key_group PAIR = FF_GROUP_ALSO(
    "pair", "A contact law for two materials, in place of one computed from both.", &ff_keys_material,
    FF_NAMES("of", 2, 2, FF_NEEDED, "the two materials"));

const ff_key_group ff_keys_pairs = FF_GROUP("pairs", "Contact laws measured for two materials.",
    FF_MAP("-", &PAIR, "two materials and their law"));

// ------------------------------------------------------------------------------------------ objects

enum { MOST_OBJECTS = 20000 };

static const char *const MOVES[] = {"all", "none", "x", "y", "z", "xy", "xz", "yz", "xyz", NULL};

static const ff_key_group OBJECT = FF_GROUP_ALSO(
    "object", "A body of one shape, or a lattice of equal ones.", &ff_keys_shape,
    FF_TEXT("name", NULL, "name of the body and its free joint; object1, object2, .. unless given"),
    FF_SWITCH("point", "false", "in place of a shape: a mass with one contact point, which cannot turn"),
    // Zero is for objects that are fixed; the reader refuses it where one moves.
    FF_NUMBER("mass", "kg", FF_NOT_NEGATIVE, NULL, "mass; what moves needs either 'mass' or 'density', above zero"),
    FF_NUMBER("density", "kg/m^3", FF_NOT_NEGATIVE, NULL,
        "mass by volume; what moves needs either 'mass' or 'density', above zero"),
    FF_WORD("moves", MOVES, NULL,
        "all: free; x, y, z: slides along these axes of the world; none: fixed; all unless given, xyz of a point"),
    FF_NUMBERS("velocity", 3, 3, "m/s", FF_ANY, "[0, 0, 0]", "velocity at the start, world axes"),
    FF_NUMBERS("spin", 3, 3, "rad/s", FF_ANY, "[0, 0, 0]", "angular velocity at the start, world axes; of free bodies"),
    FF_WHOLES("count", 3, 3, FF_BETWEEN(1, MOST_OBJECTS), "[1, 1, 1]",
        "lattice of equal objects, numbers along x, y and z; x counts fastest"),
    FF_NUMBERS("spacing", 3, 3, "m", FF_ANY, NULL, "steps of the lattice; needed where there are several"),
    FF_NUMBER_OR_LIST("perturb", 3, 3, "m", FF_NOT_NEGATIVE, "0",
        "largest random shift to either side along each axis of the world, or [x, y, z]"));

const ff_key_group ff_keys_objects = FF_GROUP("objects", "Bodies that the scene itself describes.",
    FF_MAP("-", &OBJECT, "one object, or a lattice of equal ones"));

// ------------------------------------------------------------------------------------------ terrain

enum { MOST_BOXES = 2500, MOST_CELLS = 499999 }; // cells: 10^6 grid points, two of them across

static const ff_key_group COMMON = FF_GROUP_ALSO("piece", "Keys of all pieces of terrain.", &ff_keys_pose,
    FF_TEXT("name", NULL, "name of the piece; 'ground' of the first, 'terrain2', .. of the others unless given"),
    FF_TEXT("material", NULL, "contact material; lab-floor unless given"),
    FF_NUMBERS("color", 3, 4, "", FF_BETWEEN(0.0, 1.0), NULL,
        "red, green, blue and opacity; by the kind of piece unless given"));

// ------------------------------------------------------------------------------------------ pieces

static const ff_key_group PLANE = FF_GROUP_ALSO("plane", "The half-space below a plane.", &COMMON,
    FF_NUMBERS("normal", 3, 3, FF_ANY_UNIT, FF_ANY, NULL,
        "upward direction, of any length, in place of 'rpy' and 'quat'"),
    FF_NUMBERS("size", 2, 2, "m", FF_ANY, NULL,
        "displayed lengths along x and y, for viewers that use them; contact has no bounds"));

static const ff_key_group BOX = FF_GROUP_ALSO("box", "A box that is fixed to the world.", &COMMON,
    FF_NUMBERS("size", 3, 3, "m", FF_POSITIVE, FF_NEEDED, "full lengths; 'pos' is the middle of the box"));

static const ff_key_group STAIRS = FF_GROUP_ALSO(
    "stairs", "Steps upwards along x; 'pos' is the foot of the first.", &COMMON,
    FF_WHOLE("count", FF_BETWEEN(1, MOST_BOXES), FF_NEEDED, "number of steps"),
    FF_NUMBER("rise", "m", FF_POSITIVE, FF_NEEDED, "height of a step"),
    FF_NUMBER("run", "m", FF_POSITIVE, FF_NEEDED, "depth of a step"),
    FF_NUMBER("width", "m", FF_POSITIVE, FF_NEEDED, "width of the stairs, along y"),
    FF_NUMBER("top", "m", FF_POSITIVE, NULL, "depth of the last step; 'run' unless given"));

static const ff_key_group BLOCKS = FF_GROUP_ALSO("blocks", "A field of blocks of random height.", &COMMON,
    FF_NUMBERS("size", 2, 2, "m", FF_POSITIVE, FF_NEEDED, "lengths of the field along x and y"),
    FF_NUMBERS("block", 2, 2, "m", FF_POSITIVE, FF_NEEDED, "lengths of one block; at most 2500 blocks fill the field"),
    FF_NUMBER("height", "m", FF_POSITIVE, FF_NEEDED, "largest height of a block"),
    FF_WHOLE("seed", FF_NOT_NEGATIVE, NULL, "seed of the heights; that of the scene unless given"));

static const ff_key_group MESH = FF_GROUP_ALSO("surface", "A surface of triangles, solid behind them.", &COMMON,
    FF_TEXT("file", FF_NEEDED, "file of the surface, relative to the scene"),
    FF_NUMBER_OR_LIST("scale", 3, 3, "", FF_ANY, "1", "factor of all coordinates, or one each of x, y and z"));

// ------------------------------------------------------------------------------------------ height fields

#define DIRECTION FF_NUMBER("direction", "rad", FF_ANY, "0", "angle from x along which the height changes")

static const ff_key_group SLOPE = FF_GROUP("slope", "A slope across the field.",
    DIRECTION);

static const ff_key_group WAVES = FF_GROUP("waves", "Waves of the shape of a cosine.",
    FF_NUMBER("length", "m", FF_ABOVE_UP_TO(0.0, 1e6), FF_NEEDED,
        "length of a wave; an error if the field is far too small or large for it"),
    DIRECTION);

static const ff_key_group STEPS = FF_GROUP("steps", "Equal steps across the field.",
    FF_NUMBER("length", "m", FF_POSITIVE, FF_NEEDED, "depth of a step; at most half of the field"),
    DIRECTION);

static const ff_key_group NOISE = FF_GROUP("noise", "Random hills.",
    FF_NUMBER("length", "m", FF_ABOVE_UP_TO(0.0, 1e6), FF_NEEDED,
        "size of the widest hills; an error if the field is far too small or large for it"),
    FF_WHOLE("octaves", FF_BETWEEN(1, 8), "4", "layers of hills, each half as wide and half as high as the one before"),
    FF_WHOLE("seed", FF_NOT_NEGATIVE, NULL, "seed of the hills; that of the scene unless given"));

static const ff_key_group FIELD = FF_GROUP_ALSO(
    "heightfield", "Heights on a grid, by exactly one of png, slope, waves, steps and noise.", &COMMON,
    FF_NUMBERS("size", 2, 2, "m", FF_POSITIVE, FF_NEEDED, "lengths along x and y; the origin is in the middle"),
    FF_NUMBER("height", "m", FF_ANY, FF_NEEDED, "height of the field, downwards where negative"),
    FF_WHOLES("cells", 2, 2, FF_BETWEEN(1, MOST_CELLS), "[100, 100]",
        "cells of the grid along x and y, at most 10^6 grid points; with 'png' its pixels"),
    FF_TEXT("png", NULL, "greyscale image of 8 or 16 bits, relative to the scene: black 0, white 'height'"),
    FF_MAP("slope", &SLOPE, "a slope from 0 to 'height' across the field"),
    FF_MAP("waves", &WAVES, "waves between 0 and 'height'"),
    FF_MAP("steps", &STEPS, "equal steps from 0 to 'height'"),
    FF_MAP("noise", &NOISE, "random hills between 0 and 'height'"));

// ------------------------------------------------------------------------------------------ the list

// A piece may be left empty: "plane:" alone has all defaults.
static const ff_key_group KINDS = FF_GROUP("terrain piece", "A piece of the ground, of exactly one kind.",
    FF_MAP("plane", &PLANE, "the half-space below a plane"),
    FF_MAP("box", &BOX, "a box"),
    FF_MAP("stairs", &STAIRS, "steps upwards along x"),
    FF_MAP("blocks", &BLOCKS, "blocks of random height side by side"),
    FF_MAP("heightfield", &FIELD, "heights on a grid"),
    FF_MAP("mesh", &MESH, "a surface of triangles"));

const ff_key_group ff_keys_terrain = FF_GROUP("terrain", "The ground and what is fixed to it.",
    FF_MAP("-", &KINDS, "one piece"));
// clang-format on
