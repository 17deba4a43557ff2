// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A force sensor of three or six axes (device.h), and the plausibility of its samples: they must be near its range,
// must not stay equal, and must not jump by more than the range. Only new samples are checked, since a bus may be
// faster than a sensor.
#include "hardware/device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ff_status ff_device_force_make(ff_device_force *f, const ff_sensor_wiring *wiring, ff_bus_image *image, ff_error *err)
{
    f->wiring = wiring;
    return ff_device_link(image, wiring->name, ff_force_objects, FF_FORCE_OBJECT_COUNT, false, f->variables, err);
}

static const char *unit_of(int axis)
{
    return axis < 3 ? "N" : "N m";
}

/// @return false with the fault
static bool is_plausible(const ff_device_force *f, const double value[6], int equal, const ff_hardware_options *o,
                         ff_fault_text *fault)
{
    for (int k = 0; k < f->wiring->n; k++) {
        const double range = f->wiring->range[k], jump = fabs(value[k] - f->value[k]);
        const char *axis = ff_force_objects[FF_FORCE_fx + k].name;
        if (fabs(value[k]) > o->force_range * range) {
            snprintf(fault->text, sizeof fault->text, "force sensor '%s': %s is %.4g %s, its range is %.4g %s",
                     f->wiring->name, axis, value[k], unit_of(k), range, unit_of(k));
            return false;
        }
        if (f->state == FF_DEVICE_RUNNING && jump > o->force_jump * range) {
            snprintf(fault->text, sizeof fault->text, "force sensor '%s': %s jumped by %.4g %s, its range is %.4g",
                     f->wiring->name, axis, jump, unit_of(k), range);
            return false;
        }
    }
    if (o->force_equal > 0 && equal >= o->force_equal) {
        snprintf(fault->text, sizeof fault->text, "force sensor '%s' is stuck: %d equal samples", f->wiring->name,
                 equal);
        return false;
    }
    return true;
}

void ff_device_force_read(ff_device_force *f, const ff_hardware_options *limits)
{
    const uint32_t count = (uint32_t)ff_bus_get_integer(&f->variables[FF_FORCE_count]);
    double value[6] = {0};
    if (f->state == FF_DEVICE_IMPLAUSIBLE || ff_bus_get_integer(&f->variables[FF_FORCE_time]) < 0) return;
    if (f->state == FF_DEVICE_RUNNING && count == f->count) return;
    for (int k = 0; k < f->wiring->n; k++)
        value[k] = ff_bus_get(&f->variables[FF_FORCE_fx + k]) * (k < 3 ? FF_FORCE_UNIT : FF_MOMENT_UNIT);
    const bool same = f->state == FF_DEVICE_RUNNING && memcmp(value, f->value, sizeof value) == 0;
    f->equal = same ? f->equal + 1 : 1;
    f->state = is_plausible(f, value, f->equal, limits, &f->fault) ? FF_DEVICE_RUNNING : FF_DEVICE_IMPLAUSIBLE;
    f->count = count;
    memcpy(f->value, value, sizeof value);
}

void ff_device_force_publish(const ff_device_force *f, ff_io_item *items)
{
    const int64_t time = ff_bus_get_integer(&f->variables[FF_FORCE_time]);
    for (int k = 0; time >= 0 && k < f->wiring->n; k++)
        items[f->wiring->first + k] = (ff_io_item){.value = f->value[k], .time_ns = time, .valid = 1};
}

void ff_device_force_clear(ff_device_force *f)
{
    f->state = FF_DEVICE_SILENT;
    f->equal = 0;
}
