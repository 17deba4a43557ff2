// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `biped` of a native robot (docs/biped.md): how it walks on two legs, where the model does not say it or suggests
// another value. Rows of numbers say where ff_spec_biped keeps them. A file that imports a robot with such a section
// changes what it gives.
#include "native/keys.h"
#include "native/native.h"

#include <footfall/model.h>

// ------------------------------------------------------------------------------------------ keys

// clang-format off
static const ff_key_group PRESSURE = FF_GROUP(
    "pressure", "Where the centre of pressure may go, about the frame of a foot: what drives and sensors bear.",
    FF_NUMBERS("ahead", 2, 2, "m", FF_ANY, NULL, "[rearmost, foremost]; without it, the sole"),
    FF_NUMBERS("aside", 2, 2, "m", FF_ANY, NULL, "[innermost, outermost], outward positive; without it, the sole"));

static const ff_key_group SOLE = FF_GROUP("sole", "Points of the left sole.",
    FF_NUMBERS("-", 2, 2, "m", FF_ANY, NULL, "[ahead, to the left]"));

#define AT(name, number, unit, range, help)                                                                            \
    {                                                                                                                  \
        name, FF_TAKES_NUMBER, unit, range, 1, 1, NULL, help, 0, 0,                                                    \
            offsetof(ff_spec_biped, numbers[FF_BIPED_##number])                                                        \
    }
const ff_key_group ff_keys_biped = FF_GROUP("biped", "How a robot with two legs and flat feet walks.",
    FF_TEXT("pose", NULL, "in which it stands; without it, `stand`, else the reference pose"),
    FF_TEXT("torso", NULL, "body that is kept upright, and carries the imu; without it, the one that moves freely"),
    FF_LIST("sole", &SOLE,
        "points of the left foot that carry load, about the leg's foot; the right one mirrors them; without it, the "
        "lowest points of its shapes"),
    FF_MAP("pressure", &PRESSURE, "where the centre of pressure may go"),
    FF_NUMBERS("leg_com", 3, 3, "m", FF_ANY, NULL, "of the planner's mass of the left leg, from its sole, standing"),
    AT("stiffness", STIFFNESS, "N/m", FF_POSITIVE,
        "of a sole under the whole weight; without it, by its material, else 2 mm sink"),
    AT("leg_mass", LEG_MASS, "kg", FF_POSITIVE,
        "the planner's mass of a leg; without it, all below the knee and half the thigh"),
    AT("reach", REACH, "m", FF_POSITIVE,
        "farthest an ankle may be from its hip; without it, 99 % of the stretched leg"),
    AT("step_time", STEP_TIME, "s", FF_BETWEEN(0.1, 10),
        "of a step; without it, 0.8 s for a centre of mass at 0.886 m, by the root of its height"),
    AT("double_support", DOUBLE_SUPPORT, "s", FF_BETWEEN(0.01, 5),
        "the part of it in which both feet stand; without it, a fifth"),
    AT("hold", HOLD, "s", FF_BETWEEN(0, 10), "before the first and after the last step; without it, two steps"),
    AT("lift", LIFT, "m", FF_BETWEEN(0, 1), "of the swing foot; without it, 8 % of the leg"),
    AT("width", WIDTH, "m", FF_ABOVE_UP_TO(0, 2), "between the feet; without it, as it stands"),
    AT("height", HEIGHT, "m", FF_ABOVE_UP_TO(0, 10), "of the centre of mass; without it, as it stands"),
    AT("sweep", SWEEP, "m", FF_BETWEEN(0, 1),
        "of the ZMP along the sole at the longest step, either way; without it, 0.35 of half a sole"),
    AT("clearance", CLEARANCE, "m", FF_BETWEEN(0, 1), "least distance between the soles; without it, 1 cm"),
    AT("longest", LONGEST, "m", FF_ABOVE_UP_TO(0, 5), "step ahead and back; without it, 56 % of the leg"),
    AT("widest", WIDEST, "m", FF_BETWEEN(0, 2),
        "mean step to the side, of which the leading foot makes twice; without it, 12 % of the leg"),
    AT("most_turn", MOST_TURN, "rad", FF_BETWEEN(0, 1),
        "mean turn of a step, of which the leading foot makes twice; without it, 0.2"));
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
