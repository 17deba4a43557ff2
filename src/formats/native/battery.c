// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The battery of a native robot: it feeds all drives of the file, also those of an import or a part, unless they have
// one already. A file that imports a robot with a battery changes only the numbers that it gives.
#include "native/native.h"

#include <string.h>

static const char NAME[] = "battery";
enum { MOST_POINTS = 100 };
static const double AMPERE_HOUR = 3600.0; // [C]

/// Do the charges rise within 0 to 1, with positive voltages that do not fall as the charge rises?
static bool is_curve(const double *values, int count)
{
    if (count % 2 != 0 || count < 4) return false;
    for (int i = 0; i < count; i += 2) {
        if (!(values[i] >= 0.0) || !(values[i] <= 1.0) || !(values[i + 1] > 0.0)) return false;
        if (i > 0 && (!(values[i] > values[i - 2]) || values[i + 1] < values[i - 1])) return false;
    }
    return true;
}

static void read_curve(const ff_native *n, ff_yaml *node, ff_spec_battery *battery)
{
    double values[2 * MOST_POINTS];
    ff_yaml *curve = ff_yaml_get(node, "curve");
    const int count = curve ? ff_yaml_as_numbers(curve, values, 4, 2 * MOST_POINTS, n->report) : 0;
    if (count <= 0) return;
    if (!is_curve(values, count)) {
        ff_report_add(n->report, FF_ERROR, curve->place,
                      "write charge, voltage, charge, voltage, ..: charges rising within 0 to 1, voltages above 0 "
                      "that do not fall as the charge rises");
        return;
    }
    battery->curve = FF_ARENA_NEW(&n->spec->arena, double, count);
    battery->ncurve = battery->curve ? count : 0;
    memcpy(battery->curve, values, (size_t)battery->ncurve * sizeof *values);
}

void ff_native_battery(const ff_native *n, ff_yaml *node)
{
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{voltage: .., capacity: ..}", n->report)) return;
    const int known = ff_spec_find_battery(n->spec, NAME);
    const bool is_new = known < 0;
    ff_spec_battery *battery = is_new ? ff_spec_add_battery(n->spec, NAME) : &n->spec->batteries[known];
    if (!battery) return;
    battery->place = ff_native_place(n, node->key_place);
    battery->voltage = ff_yaml_number(node, "voltage", battery->voltage, n->report);
    battery->capacity = AMPERE_HOUR * ff_yaml_number(node, "capacity", battery->capacity / AMPERE_HOUR, n->report);
    battery->resistance = ff_yaml_number(node, "resistance", battery->resistance, n->report);
    battery->charge = ff_yaml_number(node, "charge", battery->charge, n->report);
    battery->load = ff_yaml_number(node, "load", battery->load, n->report);
    battery->least = ff_yaml_number(node, "least", battery->least, n->report);
    read_curve(n, node, battery);
    if (is_new && !(battery->voltage > 0.0 && battery->capacity > 0.0))
        ff_report_add(n->report, FF_ERROR, node->key_place, "a battery needs 'voltage' [V] and 'capacity' [A h]");
    for (int i = 0; i < n->spec->ndrive; i++)
        if (!n->spec->drives[i].battery) n->spec->drives[i].battery = ff_spec_text(n->spec, NAME);
}
