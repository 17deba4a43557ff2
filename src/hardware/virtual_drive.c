// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A virtual servo drive (virtual_bus.h). Its counter begins wherever the motor stands at first, as that of an
// incremental encoder does. Where that is in the coordinate of the simulated drive follows from the first sample of the
// joints' absolute encoders or potentiometers, with its error: a mounting error, as a real drive has.
#include "hardware/virtual_bus.h"

#include <math.h>

enum { ERROR_CODE = 0xFF01 }; // of a fault that was asked for: manufacturer-specific

/// Positions of its joints. @return false: not all are known
static bool find_joints(const ff_drive_wiring *w, const ff_model *model, const ff_io_item *items, double *q)
{
    for (int k = 0; k < w->drive->path.njoint; k++) {
        const ff_io_item *item = &items[w->joint[k].item];
        const ff_joint *joint = &model->joints[w->drive->path.joint[k]];
        if (!ff_io_known(item)) return false;
        q[joint->qadr] = w->joint[k].absolute ? ff_unwrap_to_range(item->value, joint) : item->value;
    }
    return true;
}

static int32_t wrap(double count)
{
    return (int32_t)(uint32_t)(uint64_t)(int64_t)floor(count + 0.5);
}

void ff_virtual_drive_feel(ff_virtual_drive *d, const ff_model *model, const ff_io_item *items, double *q)
{
    const ff_drive_wiring *w = d->wiring;
    const ff_joint_sensor *encoder = &w->joint[w->own];
    const ff_io_item *item = &items[w->count >= 0 ? w->count : w->joint[0].item];
    if (encoder->absolute && ff_io_known(&items[encoder->item])) {
        ff_bus_set(&d->variables[FF_DRIVE_joint_encoder], items[encoder->item].value / encoder->step);
        ff_bus_set_integer(&d->variables[FF_DRIVE_encoder_time], items[encoder->item].time_ns);
    }
    if (!ff_io_known(item) || !find_joints(w, model, items, q)) return;
    const double x = ff_drive_path_locate(&w->drive->path, q, q).x; // its speed is not asked for
    if (!d->begun) {
        d->begun = true;
        d->x_zero = x;
        d->zero = d->count = w->count >= 0 ? wrap(item->value) : 0;
        d->sampled = item->time_ns;
    }
    const int32_t count = w->count >= 0 ? wrap(item->value) : wrap((x - d->x_zero) * w->scale);
    if (item->time_ns > d->sampled) {
        const int32_t change = (int32_t)((uint32_t)count - (uint32_t)d->count);
        ff_bus_set(&d->variables[FF_DRIVE_velocity], 1e9 * change / (double)(item->time_ns - d->sampled));
    }
    d->count = count;
    d->sampled = item->time_ns;
    ff_bus_set_integer(&d->variables[FF_DRIVE_position], count);
    ff_bus_set_integer(&d->variables[FF_DRIVE_position_time], item->time_ns);
}

static void follow(ff_virtual_drive *d)
{
    const int32_t target = (int32_t)ff_bus_get_integer(&d->variables[FF_DRIVE_target]);
    const double push = ff_bus_get(&d->variables[FF_DRIVE_torque_offset]);
    d->used = true;
    d->pushed = d->pushed || push != 0.0;
    d->reference[0] = d->x_zero + (int32_t)((uint32_t)target - (uint32_t)d->zero) / d->wiring->scale;
    d->reference[1] = ff_bus_get(&d->variables[FF_DRIVE_velocity_offset]) / d->wiring->scale;
    d->reference[2] = push * d->wiring->rated / 1000.0;
}

void ff_virtual_drive_step(ff_virtual_drive *d, bool applied)
{
    const ff_cia402_inputs inputs = {.control =
                                         applied ? (uint16_t)ff_bus_get_integer(&d->variables[FF_DRIVE_control]) : 0,
                                     .trouble = d->broken,
                                     .standstill = true}; // its brake holds at once
    ff_cia402_step(&d->machine, &inputs);
    if (d->machine.state == FF_CIA402_OPERATION_ENABLED && d->begun)
        follow(d);
    else
        d->reference[1] = 0.0;
    ff_bus_set_integer(&d->variables[FF_DRIVE_status], ff_cia402_status(d->machine.state, applied));
    ff_bus_set_integer(&d->variables[FF_DRIVE_mode_shown], ff_bus_get_integer(&d->variables[FF_DRIVE_mode]));
    ff_bus_set_integer(&d->variables[FF_DRIVE_error], d->broken ? ERROR_CODE : 0);
}
