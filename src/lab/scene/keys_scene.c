// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys at the top of a scene, and those of `solver`, `record` and `variants` (readers: scene.c, pictures.c,
// variants.c).
#include "scene/keys.h"

#include "engine/method.h"
#include "native/keys.h"

// ------------------------------------------------------------------------------------------ solver

// clang-format off
static const ff_key_group SOLVER = FF_GROUP("solver", "How the motion is integrated.",
    FF_WORD("method", ff_method_names, "implicit",
        "integration method; cvode and cvode-adams need a build with SUNDIALS"),
    FF_NUMBER("step", "s", FF_ABOVE_UP_TO(0.0, 1.0), NULL,
        "fixed step of euler, rk2, rk4, 1 ms unless given; of implicit in place of 'accuracy'"),
    FF_NUMBER("accuracy", "", FF_BETWEEN(1e-12, 0.1), NULL,
        "relative tolerance of adaptive and cvode, 1e-6 unless given; of implicit the error of positions at the end of "
        "a run over the distance moved, within ten times, 1e-3 unless given and 1e-9 at least"),
    FF_NUMBER("absolute", FF_ANY_UNIT, FF_ABOVE_UP_TO(0.0, 1.0), NULL,
        "absolute tolerance of adaptive and cvode, in SI units; a thousandth of 'accuracy' unless given, 1e-8 at most"),
    FF_NUMBER("max_step", "s", FF_ABOVE_UP_TO(0.0, FF_KEYS_LONGEST_TIME), NULL,
        "longest step of methods with error control; 50 ms of implicit, else no bound unless given"),
    FF_NUMBER("first_step", "s", FF_ABOVE_UP_TO(0.0, FF_KEYS_LONGEST_TIME), NULL,
        "first step of methods with error control, which choose it unless given"),
    FF_WHOLE("max_steps", FF_NOT_NEGATIVE, "0", "number of steps after which the run ends with an error; 0: no bound"));

// ------------------------------------------------------------------------------------------ record

enum { MOST_CHANNELS = 1000 };

static const ff_key_group RECORD = FF_GROUP("record", "What is recorded.",
    FF_NUMBER("rate", "Hz", FF_ABOVE_UP_TO(0.0, 1e6), "1000 Hz", "samples per second"),
    FF_NAMES("channels", 0, MOST_CHANNELS, NULL,
        "channels by name, by a prefix that ends before a dot, or by a pattern; needed without 'pictures'"),
    FF_SWITCH("csv", "false", "write a CSV file beside the HDF5 file"),
    FF_NAMES("pictures", 0, FF_KEYS_MANY, NULL,
        "cameras whose pictures are recorded, by name or pattern; none unless given"));

// ------------------------------------------------------------------------------------------ variants

enum { MOST_VARIANTS = 1000 };

// What a value may be depends on the place that its path leads to: the scene is checked again with the values in place.
static const ff_key_group SET = FF_GROUP("set", "Values that a variant changes, by their paths.",
    FF_ANYTHING("*", "a dotted path such as solver.step, or expect.0.at_most for an item of a list, and its value"));

static const ff_key_group VARIANT = FF_GROUP("variant", "The same scene with other values.",
    FF_TEXT("name", FF_NEEDED, "name without blanks and '/', by which 'variant' chooses it"),
    FF_EITHER("set", FF_TAKES_MAP, "", FF_ANY, 0, 0, FF_NEEDED, "values that differ from those of the scene", NULL,
        &SET),
    FF_LIST("expect", &ff_keys_expect, "expectations in place of those of the scene, which hold unless given"),
    FF_SWITCH("long", "false", "'footfall experiments run --short' omits it and comparisons that need it"));

static const ff_key_group VARIANTS = FF_GROUP("variants", "The same scene with other values.",
    FF_MAP("-", &VARIANT, "one variant"));

// ------------------------------------------------------------------------------------------ the top

enum { MOST_ROBOTS = 1000, MOST_OBJECTS = 20000, MOST_PIECES = 10000, MOST_PAIRS = 1000, MOST_FAULTS = 1000 };

static const char *const ALL[] = {"all", NULL};

const ff_key_group ff_keys_scene = FF_GROUP("scene", "One run: what there is, how it moves, what is measured.",
    FF_WHOLE("footfall", FF_ANY, FF_NEEDED, "version of the format: 1"),
    FF_TEXT("title", NULL, "title; the name of the file unless given"),
    FF_TEXT("description", NULL, "text about the run"),
    FF_MAP("constants", &ff_keys_constants, "named numbers for expressions in this file"),
    FF_ANYTHING("define", "place for YAML anchors; otherwise ignored"),
    FF_TEXT_OR_MAP("robot", &ff_keys_scene_robot, NULL,
        "file of the robot, relative to the scene, or a map; needed unless there are 'robots' or 'objects'"),
    FF_ITEMS("robots", 1, MOST_ROBOTS, &ff_keys_robots, "several robots, in place of 'robot'"),
    FF_MAP("place", &ff_keys_place, "where the single robot is placed as a whole"),
    FF_MAP("start", &ff_keys_start, "initial state of the single robot; at rest in the reference pose unless given"),
    FF_ITEMS("objects", 1, MOST_OBJECTS, &ff_keys_objects, "bodies that the scene adds to the robots"),
    FF_ITEMS("terrain", 0, MOST_PIECES, &ff_keys_terrain, "the ground, as a list of pieces"),
    FF_MAP("materials", &ff_keys_materials,
        "contact materials; they replace those of the same name in robot files and in the library"),
    FF_ITEMS("pairs", 0, MOST_PAIRS, &ff_keys_pairs, "contact laws for pairs of materials"),
    FF_EITHER("contacts", FF_TAKES_SWITCH | FF_TAKES_MAP, "", FF_ANY, 0, 0, "true",
        "whether shapes can touch each other, or a map of how contacts are found and computed", NULL,
        &ff_keys_contacts),
    FF_EITHER("self_collision", FF_TAKES_SWITCH | FF_TAKES_WORD, "", FF_ANY, 0, 0, "false",
        "shapes of one robot can touch, except bodies that overlap at the start; all: these, too", ALL, NULL),
    FF_NUMBERS("gravity", 3, 3, "m/s^2", FF_ANY, NULL,
        "acceleration in world axes; that of the robot's file unless given, [0, 0, -9.81] without robots"),
    FF_SWITCH("passive", "true", "springs, damping, dry friction and stops of the joints act"),
    FF_MAP("control", &ff_keys_control,
        "controller of the single robot, or springs and dampers for the joints of all robots"),
    FF_MAP("effects", &ff_keys_effects, "how much of drives, sensors and bus is modelled"),
    FF_LIST("references", &ff_keys_references, "references for drives at given times"),
    FF_ITEMS("faults", 0, MOST_FAULTS, &ff_keys_faults, "sensors and drives that fail"),
    FF_LIST("forces", &ff_keys_forces, "constant forces on joints and bodies during windows of time"),
    FF_LIST("springs", &ff_keys_springs, "springs between bodies"),
    FF_MAP("solver", &SOLVER,
        "integration method and its accuracy; implicit unless given, adaptive with a rigid response of 'contacts'"),
    FF_NUMBER("time", "s", FF_ABOVE_UP_TO(0.0, FF_KEYS_LONGEST_TIME), "1 s", "end of the run"),
    FF_WHOLE("seed", FF_NOT_NEGATIVE, "0", "seed of all random numbers"),
    FF_MAP("record", &RECORD, "what is recorded; nothing unless given"),
    FF_MAP("metrics", &ff_keys_metrics, "metrics to report, and the time over which walking is measured"),
    FF_LIST("expect", &ff_keys_expect, "expected values of metrics"),
    FF_LIST("compare", &ff_keys_compare, "expected ratios of metrics between the scene and its variants"),
    FF_ITEMS("variants", 0, MOST_VARIANTS, &VARIANTS, "the same scene with other values"),
    FF_TEXT("variant", NULL, "name of the variant to run; the scene itself unless given"));
// clang-format on
