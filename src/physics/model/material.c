// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact materials by name: those a description defines, then those of the library.
#include "base/join.h"
#include "model/edit.h"
#include "text/yaml.h"

#include <footfall/text.h>

enum { MOST_NAMES = 100 }; // that a message compares with

static void report_unknown(const ff_spec *spec, const char *name, ff_place place, ff_report *report)
{
    const char *names[2 * MOST_NAMES];
    char own[200], library[300];
    ff_material entries[MOST_NAMES];
    int n = 0, count = 0;
    for (; n < spec->nmaterial && n < MOST_NAMES; n++) names[n] = spec->materials[n].material.name;
    ff_join_names(own, sizeof own, names, n);
    for (; count < MOST_NAMES && ff_material_library(count, &entries[count]); count++)
        names[n + count] = entries[count].name;
    ff_join_names(library, sizeof library, names + n, count);
    const char *near = ff_yaml_hint(name, names, n + count, report);
    ff_report_add(report, FF_ERROR, place,
                  "material '%.60s' is not defined%s%s%s; defined here: %s; in the library: %s", name,
                  near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "", own[0] ? own : "none", library);
}

bool ff_material_resolve(const ff_spec *spec, const char *name, ff_material *out, ff_place place, ff_report *report)
{
    ff_material found;
    int index = ff_spec_find_material(spec, name);
    if (index >= 0)
        found = spec->materials[index].material;
    else if (ff_material_find(name, &found, NULL) != FF_OK) {
        report_unknown(spec, name, place, report);
        return false;
    }
    if (out) *out = found;
    return true;
}
