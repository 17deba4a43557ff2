// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `biped` of a native robot: how it walks on two legs, where the model does not say it or suggests another value. A
// file that imports a robot with such a section changes it, in what it gives.
#include "native/keys.h"
#include "native/native.h"

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
