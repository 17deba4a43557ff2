// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What several readers of native robots share: settings of drives and sensors, that is each number and word of a
// description with its place, which the rooms of drives and of sensors read; ranges and stops.
#include "model/edit.h"
#include "native/native.h"

#include <string.h>

enum { MOST_VALUES = 1000 };

void ff_native_setting_values(const ff_native *n, ff_yaml *node, ff_spec_setting *to)
{
    double values[MOST_VALUES];
    if (node->type == FF_YAML_LIST) {
        to->count = ff_yaml_as_numbers(node, values, 1, MOST_VALUES, n->report);
        if (to->count < 0) to->count = 0;
    } else if (node->type == FF_YAML_SCALAR && (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0)) {
        values[0] = node->text[0] == 't';
        to->count = 1;
    } else {
        to->count = ff_yaml_as_number(node, values, n->report) ? 1 : 0;
    }
    double *stored = FF_ARENA_NEW(&n->spec->arena, double, to->count + 1);
    if (!stored) {
        to->count = 0;
        return;
    }
    memcpy(stored, values, (size_t)to->count * sizeof *stored);
    to->values = stored;
}

void ff_native_range(const ff_native *n, ff_yaml *node, const char *key, double range[2], bool *limited)
{
    ff_yaml *value = ff_yaml_get(node, key);
    if (value && value->type == FF_YAML_SCALAR && strcmp(value->text, "none") == 0)
        *limited = false;
    else if (value && ff_yaml_as_numbers(value, range, 2, 2, n->report) == 2)
        *limited = true;
}

void ff_native_stop(const ff_native *n, ff_yaml *node, double *stiffness, double *damping)
{
    ff_yaml *stop = ff_yaml_get(node, "stop");
    if (!stop || !ff_yaml_expect(stop, FF_YAML_MAP, "{stiffness: .., damping: ..}", n->report)) return;
    *stiffness = ff_yaml_number(stop, "stiffness", *stiffness, n->report);
    *damping = ff_yaml_number(stop, "damping", *damping, n->report);
}

/// Is a setting replaced by what a change gives: by one of its name, or by the `kind` of its group or of the whole
/// drive?
static bool is_replaced(const char *name, const ff_spec_setting *given, int ngiven)
{
    for (int i = 0; i < ngiven; i++) {
        const char *dot = strrchr(given[i].name, '.'), *last = dot ? dot + 1 : given[i].name;
        if (strcmp(given[i].name, name) == 0) return true;
        if (strcmp(last, "kind") == 0 && strncmp(given[i].name, name, (size_t)(last - given[i].name)) == 0) return true;
    }
    return false;
}

void ff_native_merge_settings(const ff_native *n, const char *owner, ff_spec_setting **settings, int *count,
                              const ff_spec_setting *given, int ngiven, ff_place place)
{
    enum { MOST = FF_NATIVE_MAX_SETTINGS };
    ff_spec_setting all[MOST];
    int kept = 0;
    for (int i = 0; i < *count; i++)
        if (kept < MOST && !is_replaced((*settings)[i].name, given, ngiven)) all[kept++] = (*settings)[i];
    if (kept + ngiven > MOST) {
        ff_report_add(n->report, FF_ERROR, place, "a %s has at most %d settings", owner, MOST);
        return;
    }
    memcpy(&all[kept], given, (size_t)ngiven * sizeof *given);
    *settings = ff_settings_copy(&n->spec->arena, all, kept + ngiven);
    *count = *settings ? kept + ngiven : 0;
}
