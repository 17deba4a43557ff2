// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A servo drive by CiA 402 in cyclic synchronous position mode, as used by the layer (device.h).
#include "hardware/device.h"

#include <stdio.h>

ff_status ff_device_drive_make(ff_device_drive *d, const ff_drive_wiring *wiring, ff_bus_image *image, ff_error *err)
{
    const ff_drive *drive = wiring->drive;
    if (drive->loop == FF_LOOP_FORCE || (drive->loop == FF_LOOP_DIRECT && drive->motor != FF_MOTOR_SERVO))
        return ff_error_set(err, FF_BAD_MODEL,
                            "drive '%s' has no position loop, which the hardware layer needs: give it "
                            "'loop: {kind: pd, ..}'",
                            drive->name);
    d->wiring = wiring;
    d->counting.scale = wiring->scale;
    return ff_device_link(image, wiring->name, ff_drive_objects, FF_DRIVE_OBJECT_COUNT, false, d->variables, err);
}

void ff_device_drive_read(ff_device_drive *d)
{
    d->state = ff_cia402_state_of((uint16_t)ff_bus_get_integer(&d->variables[FF_DRIVE_status]));
    if (ff_bus_get_integer(&d->variables[FF_DRIVE_position_time]) < 0) return;
    ff_counting_read(&d->counting, (int32_t)ff_bus_get_integer(&d->variables[FF_DRIVE_position]));
    d->x = ff_counting_position(&d->counting);
    d->speed = ff_bus_get(&d->variables[FF_DRIVE_velocity]) / d->counting.scale;
}

static uint16_t control_word(const ff_device_drive *d, ff_drive_request request, bool reset)
{
    const uint16_t last = (uint16_t)ff_bus_get_integer(&d->variables[FF_DRIVE_control]);
    if (request == FF_DRIVE_ON || d->state == FF_CIA402_FAULT)
        return ff_cia402_towards_operation(d->state, reset, last);
    return request == FF_DRIVE_KEEP ? last
                                    : FF_CONTROL_DISABLE_VOLTAGE; // a drive that holds the robot continues to hold it
}

void ff_device_drive_lead(ff_device_drive *d, ff_drive_request request, bool reset)
{
    // a drive starts from its present position
    if (d->state != FF_CIA402_OPERATION_ENABLED && d->counting.homed) ff_device_drive_command(d, d->x, 0.0, 0.0);
    ff_bus_set_integer(&d->variables[FF_DRIVE_mode], FF_MODE_CSP);
    ff_bus_set_integer(&d->variables[FF_DRIVE_control], control_word(d, request, reset));
}

void ff_device_drive_command(ff_device_drive *d, double x, double speed, double force)
{
    d->commanded = x;
    d->force = force;
    ff_bus_set_integer(&d->variables[FF_DRIVE_target], ff_counting_target(&d->counting, x));
    ff_bus_set(&d->variables[FF_DRIVE_velocity_offset], speed * d->counting.scale);
    ff_bus_set(&d->variables[FF_DRIVE_torque_offset], 1000.0 * force / d->wiring->rated);
}

void ff_device_drive_publish(const ff_device_drive *d, ff_io_item *items)
{
    const ff_drive_wiring *w = d->wiring;
    const int64_t position_time = ff_bus_get_integer(&d->variables[FF_DRIVE_position_time]);
    const int64_t encoder_time = ff_bus_get_integer(&d->variables[FF_DRIVE_encoder_time]);
    const ff_joint_sensor *joint = &w->joint[w->own];
    if (w->count >= 0 && position_time >= 0)
        items[w->count] =
            (ff_io_item){.value = ff_bus_get(&d->variables[FF_DRIVE_position]), .time_ns = position_time, .valid = 1};
    if (joint->absolute && encoder_time >= 0)
        items[joint->item] = (ff_io_item){.value = ff_bus_get(&d->variables[FF_DRIVE_joint_encoder]) * joint->step,
                                          .time_ns = encoder_time,
                                          .valid = 1};
}

bool ff_device_drive_is_sound(const ff_device_drive *d, bool expected, ff_fault_text *fault)
{
    if (d->state == FF_CIA402_FAULT || d->state == FF_CIA402_FAULT_REACTION_ACTIVE)
        snprintf(fault->text, sizeof fault->text, "drive '%s' reports a fault, error code %04X", d->wiring->name,
                 (unsigned)ff_bus_get_integer(&d->variables[FF_DRIVE_error]));
    else if (expected && d->state != FF_CIA402_OPERATION_ENABLED)
        snprintf(fault->text, sizeof fault->text, "drive '%s' has left operation: %s", d->wiring->name,
                 ff_cia402_name(d->state));
    else
        return true;
    return false;
}
