// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The devices of the layer (device.h): their objects, and what they read from the bus and publish to the controller.
#include "hardware/device.h"

#include <footfall/fusion.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define X(name, index, sub, type, output) {#name, index, sub, FF_BUS_##type, output},
const ff_object_row ff_drive_objects[FF_DRIVE_OBJECT_COUNT] = {FF_DRIVE_OBJECTS(X)};
const ff_object_row ff_force_objects[FF_FORCE_OBJECT_COUNT] = {FF_FORCE_OBJECTS(X)};
const ff_object_row ff_imu_objects[FF_IMU_OBJECT_COUNT] = {FF_IMU_OBJECTS(X)};
#undef X

ff_status ff_device_link(ff_bus_image *image, const char *slave, const ff_object_row *rows, int n,
                         ff_bus_variable *variables, ff_error *err)
{
    ff_status status = FF_OK;
    for (int i = 0; i < n && status == FF_OK; i++)
        status = ff_bus_variable_link(image, &variables[i], slave, rows[i].name, rows[i].type, rows[i].output, err);
    return status;
}

/// Sets an item of the frame. @param time  negative: there is no sample yet  [ns]
static void publish(ff_io_item *item, double value, int64_t time)
{
    if (time >= 0) *item = (ff_io_item){.value = value, .time_ns = time, .valid = 1};
}

// ------------------------------------------------------------------------------------------ drives

// A drive is in cyclic synchronous position mode (CiA 402).

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
    return ff_device_link(image, wiring->name, ff_drive_objects, FF_DRIVE_OBJECT_COUNT, d->variables, err);
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

void ff_device_drive_control(ff_device_drive *d, ff_drive_request request, bool reset)
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
    const ff_joint_sensor *joint = &w->joint[w->encoder_joint];
    if (w->motor_item >= 0) publish(&items[w->motor_item], ff_bus_get(&d->variables[FF_DRIVE_position]), position_time);
    if (joint->absolute)
        publish(&items[joint->item], ff_bus_get(&d->variables[FF_DRIVE_joint_encoder]) * joint->step, encoder_time);
}

bool ff_device_drive_is_healthy(const ff_device_drive *d, bool expected, ff_fault_text *fault)
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

// ------------------------------------------------------------------------------------------ force sensors

// Samples are plausible if they are near the range of the sensor, do not stay equal, and do not jump by more than the
// range. Only new samples are checked, since a bus may be faster than a sensor.

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
    for (int k = 0; k < f->wiring->n; k++) publish(&items[f->wiring->first + k], f->value[k], time);
}

// ------------------------------------------------------------------------------------------ inertial measurement units

// The frame gets what the sensor of the robot has: a gyroscope has rates only. Roll and pitch follow from the direction
// of the world's z axis in the unit, as in simulated sensors (footfall/fusion.h).

/// Roll and pitch.
static void find_attitude(const ff_device_imu *u, double out[2])
{
    const double w = ff_bus_get(&u->variables[FF_IMU_w]), x = ff_bus_get(&u->variables[FF_IMU_x]),
                 y = ff_bus_get(&u->variables[FF_IMU_y]), z = ff_bus_get(&u->variables[FF_IMU_z]);
    const double up[3] = {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)};
    ff_fusion_angles(up, out);
}

void ff_device_imu_publish(ff_device_imu *u, ff_io_item *items)
{
    const int64_t time = ff_bus_get_integer(&u->variables[FF_IMU_time]);
    const ff_sensor_type type = u->wiring->sensor->type;
    double all[8];
    if (time >= 0) u->state = FF_DEVICE_RUNNING;
    for (int k = 0; k < 3; k++) {
        all[k] = ff_bus_get(&u->variables[FF_IMU_rate_x + k]) * FF_RATE_UNIT;
        all[3 + k] = ff_bus_get(&u->variables[FF_IMU_acceleration_x + k]) * FF_ACCELERATION_UNIT;
    }
    find_attitude(u, all + 6);
    const double *from = type == FF_SENSOR_ACCELEROMETER ? all + 3 : type == FF_SENSOR_ATTITUDE ? all + 6 : all;
    for (int k = 0; k < u->wiring->n; k++) publish(&items[u->wiring->first + k], from[k], time);
}

// ------------------------------------------------------------------------------------------ gateway

// Values in SI units with their times, of items that have no device of their own, such as potentiometers, switches and
// tactile arrays.

ff_status ff_device_gateway_make(ff_device_gateway *g, const ff_wiring *wiring, const ff_io_layout *sensors,
                                 ff_bus_image *image, ff_arena *arena, ff_error *err)
{
    *g = (ff_device_gateway){.items = wiring->gateway,
                             .n = wiring->ngateway,
                             .values = FF_ARENA_NEW(arena, ff_bus_variable, wiring->ngateway + 1),
                             .times = FF_ARENA_NEW(arena, ff_bus_variable, wiring->ngateway + 1)};
    if (!g->values || !g->times) return ff_error_set(err, FF_NO_MEMORY, "no memory for the gateway");
    ff_status status = FF_OK;
    for (int i = 0; i < g->n && status == FF_OK; i++) {
        const char *name = sensors->names[g->items[i]].name;
        char time[80];
        snprintf(time, sizeof time, "%s.time", name);
        status = ff_bus_variable_link(image, &g->values[i], FF_GATEWAY_SLAVE, name, FF_BUS_F64, false, err);
        if (status == FF_OK)
            status = ff_bus_variable_link(image, &g->times[i], FF_GATEWAY_SLAVE, time, FF_BUS_I64, false, err);
    }
    return status;
}

void ff_device_gateway_publish(const ff_device_gateway *g, ff_io_item *items)
{
    for (int i = 0; i < g->n; i++)
        publish(&items[g->items[i]], ff_bus_get(&g->values[i]), ff_bus_get_integer(&g->times[i]));
}
