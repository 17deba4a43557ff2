// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `biped` of a native robot (docs/biped.md): how it walks on two legs, where the model does not say it or suggests
// another value. Rows of numbers have their offsets in ff_spec_biped. A file that imports a robot with such a section
// changes only the values that it gives.
#include "native/keys.h"
#include "native/native.h"

#include <footfall/model.h>

// ------------------------------------------------------------------------------------------ keys

// clang-format off
static const ff_key_group PRESSURE = FF_GROUP(
    "pressure", "Range of the centre of pressure in the frame of a foot, as far as drives and sensors allow.",
    FF_NUMBERS("ahead", 2, 2, "m", FF_ANY, NULL, "[rearmost, foremost]; without it, the sole"),
    FF_NUMBERS("aside", 2, 2, "m", FF_ANY, NULL, "[innermost, outermost], outward positive; without it, the sole"));

static const ff_key_group SOLE = FF_GROUP("sole", "Points of the left sole.",
    FF_NUMBERS("-", 2, 2, "m", FF_ANY, NULL, "[ahead, to the left]"));

#define AT(name, number, unit, range, help) \
    {name, FF_TAKES_NUMBER, unit, range, 1, 1, NULL, help, 0, 0, offsetof(ff_spec_biped, numbers[FF_BIPED_##number])}
const ff_key_group ff_keys_biped = FF_GROUP("biped", "Numbers for the walk of a robot with two legs and flat feet.",
    FF_TEXT("pose", NULL, "standing pose; without it, `stand`, else the reference pose"),
    FF_TEXT("torso", NULL, "body that is kept upright, with the imu; without it, the one that moves freely"),
    FF_LIST("sole", &SOLE,
        "points of the left foot that carry load, in its frame, mirrored for the right; otherwise the lowest points"),
    FF_MAP("pressure", &PRESSURE, "range of the centre of pressure"),
    FF_NUMBERS("leg_com", 3, 3, "m", FF_ANY, NULL,
        "position of the planner's mass of the left leg, from its sole, in the standing pose"),
    AT("stiffness", STIFFNESS, "N/m", FF_POSITIVE,
        "stiffness of a sole; without it, by its material, else such that it sinks in by 2 mm under the whole weight"),
    AT("leg_mass", LEG_MASS, "kg", FF_POSITIVE,
        "mass of a leg in the planner; without it, everything below the knee and half the thigh"),
    AT("reach", REACH, "m", FF_POSITIVE,
        "largest distance of an ankle from its hip; without it, 99 % of the stretched leg"),
    AT("step_time", STEP_TIME, "s", FF_BETWEEN(0.1, 10),
        "time of a step; without it, 0.8 s for a centre of mass at 0.886 m, scaled with the square root of its height"),
    AT("double_support", DOUBLE_SUPPORT, "s", FF_BETWEEN(0.01, 5),
        "part of the step time in which both feet stand; without it, a fifth"),
    AT("hold", HOLD, "s", FF_BETWEEN(0, 10),
        "time before the first and after the last step; without it, that of two steps"),
    AT("lift", LIFT, "m", FF_BETWEEN(0, 1), "height to which the swing foot is lifted; without it, 8 % of the leg"),
    AT("width", WIDTH, "m", FF_ABOVE_UP_TO(0, 2), "distance between the feet; without it, that of the standing pose"),
    AT("height", HEIGHT, "m", FF_ABOVE_UP_TO(0, 10),
        "height of the centre of mass; without it, that of the standing pose"),
    AT("sweep", SWEEP, "m", FF_BETWEEN(0, 1),
        "shift of the ZMP ahead and back along the sole at the longest step; without it, 0.35 of half a sole"),
    AT("clearance", CLEARANCE, "m", FF_BETWEEN(0, 1), "least distance between the soles; without it, 1 cm"),
    AT("longest", LONGEST, "m", FF_ABOVE_UP_TO(0, 5), "longest step ahead and back; without it, 56 % of the leg"),
    AT("widest", WIDEST, "m", FF_BETWEEN(0, 2),
        "longest mean step to the side; the leading foot moves twice as far; without it, 12 % of the leg"),
    AT("most_turn", MOST_TURN, "rad", FF_BETWEEN(0, 1),
        "largest mean turn of a step; the leading foot turns twice as far; without it, 0.2"));
// clang-format on

// ------------------------------------------------------------------------------------------ reader

static void read_sole(const ff_native *n, ff_yaml *list, ff_spec_biped *to)
{
    if (list->nchild < 3 || list->nchild > FF_BIPED_SOLE) {
        ff_report_add(n->report, FF_ERROR, list->place, "%d points: a sole has 3 to %d", list->nchild, FF_BIPED_SOLE);
        return;
    }
    to->nsole = 0;
    for (ff_yaml *point = list->child; point; point = point->next, to->nsole++)
        ff_yaml_as_numbers(point, to->sole[to->nsole], 2, 2, n->report);
}

/// Two numbers, of which the first is the lower one.
static void read_bounds(const ff_native *n, ff_yaml *node, const char *key, double to[2])
{
    double values[2];
    ff_yaml *bounds = ff_yaml_get(node, key);
    if (!bounds || ff_yaml_as_numbers(bounds, values, 2, 2, n->report) != 2) return;
    if (!(values[0] < values[1])) {
        ff_report_add(n->report, FF_ERROR, bounds->place, "'%s' goes from %g m to %g m: write the lower number first",
                      key, values[0], values[1]);
        return;
    }
    to[0] = values[0];
    to[1] = values[1];
}

void ff_native_biped(const ff_native *n, ff_yaml *node)
{
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{pose: .., step_time: ..}", n->report)) return;
    ff_spec_biped *to = n->spec->nbiped > 0 ? &n->spec->bipeds[0] : ff_spec_add_biped(n->spec);
    if (!to) return;
    ff_yaml *part;
    to->place = ff_native_place(n, node->key_place);
    to->pose = ff_spec_text(n->spec, ff_yaml_string(node, "pose", to->pose, n->report));
    to->torso = ff_spec_text(n->spec, ff_yaml_string(node, "torso", to->torso, n->report));
    if ((part = ff_yaml_get(node, "sole")) && ff_yaml_expect(part, FF_YAML_LIST, "[[ahead, left], ..]", n->report))
        read_sole(n, part, to);
    if ((part = ff_yaml_get(node, "pressure")) && ff_yaml_expect(part, FF_YAML_MAP, "{ahead: ..}", n->report)) {
        read_bounds(n, part, "ahead", to->ahead);
        read_bounds(n, part, "aside", to->aside);
    }
    ff_yaml_numbers(node, "leg_com", to->leg_com, 3, 3, n->report);
    for (const ff_row *row = ff_keys_biped.keys; row->name; row++) {
        if (row->takes != FF_TAKES_NUMBER) continue;
        double *value = (double *)((char *)to + row->offset);
        *value = ff_yaml_number(node, row->name, *value, n->report);
    }
}
