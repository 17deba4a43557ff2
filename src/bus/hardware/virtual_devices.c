// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual devices (virtual_bus.h): servo drives, force sensors, inertial measurement units.
// \n The counter of a drive begins at the initial position of the motor, as that of an incremental encoder. The offset to
// the coordinate of the simulated drive follows from the first sample of the joints' absolute encoders or
// potentiometers, including its error, which acts like a mounting error of a real drive.
#include "hardware/virtual_bus.h"

#include <footfall/ethercat.h>
#include <footfall/math.h>

#include <math.h>

// ------------------------------------------------------------------------------------------ drives: supported modes

static uint32_t mode_bit(int mode)
{
    return UINT32_C(1) << (mode - 1);
}

uint32_t ff_virtual_drive_modes(const ff_drive *d)
{
    const bool forces = d->loop == FF_LOOP_FORCE || (d->loop == FF_LOOP_DIRECT && d->motor == FF_MOTOR_IDEAL);
    if (forces) return mode_bit(FF_MODE_CST);
    return mode_bit(FF_MODE_PP) | mode_bit(FF_MODE_HM) | mode_bit(FF_MODE_CSP) | mode_bit(FF_MODE_CSV);
}

void ff_virtual_drive_reset(ff_virtual_drive *d)
{
    ff_amplifier_reset(&d->amplifier);
    d->objects = (ff_ec_drive){.following_window = UINT32_MAX,
                               .position_window = UINT32_MAX,
                               .limits = {INT32_MIN, INT32_MAX},
                               .max_torque = 3000,
                               .positive_torque = 3000,
                               .negative_torque = 3000,
                               .mode = FF_MODE_CSP,
                               .homing_method = 37,
                               .supported_modes = d->amplifier.modes};
}

// ------------------------------------------------------------------------------------------ measurement

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

/// Index mark of its encoder, which follows its count in the frame, and its limit switches.
static void feel_marks(ff_virtual_drive *d, const ff_io_item *items, double x)
{
    const ff_drive_wiring *w = d->wiring;
    const ff_drive *drive = w->drive;
    ff_amplifier_inputs *in = &d->inputs;
    in->has_indices = w->marked;
    in->turn = w->turn;
    in->indexed = w->marked && ff_io_known(&items[w->count + 2]) && items[w->count + 2].value > 0.5;
    if (in->indexed) in->mark = wrap(items[w->count + 1].value);
    in->limits = drive->stroke[1] > drive->stroke[0] ? FF_AMPLIFIER_LIMIT_NEGATIVE | FF_AMPLIFIER_LIMIT_POSITIVE : 0;
    const uint32_t pressed = (x <= drive->stroke[0] ? FF_AMPLIFIER_LIMIT_NEGATIVE : 0) |
                             (x >= drive->stroke[1] ? FF_AMPLIFIER_LIMIT_POSITIVE : 0);
    d->objects.digital_inputs &= ~(uint32_t)(FF_AMPLIFIER_LIMIT_NEGATIVE | FF_AMPLIFIER_LIMIT_POSITIVE);
    d->objects.digital_inputs |= in->limits & pressed;
}

void ff_virtual_drive_feel(ff_virtual_drive *d, const ff_model *model, const ff_io_item *items, double *q)
{
    const ff_drive_wiring *w = d->wiring;
    const ff_joint_sensor *encoder = &w->joint[w->own];
    const ff_io_item *item = &items[w->count >= 0 ? w->count : w->joint[0].item];
    if (encoder->absolute && ff_io_known(&items[encoder->item])) {
        ff_bus_set(&d->variables[FF_DRIVE_joint_encoder], items[encoder->item].value / encoder->step);
        ff_bus_set_integer(&d->variables[FF_DRIVE_encoder_time], items[encoder->item].time_ns);
        d->objects.joint_position = (int32_t)ff_bus_get_integer(&d->variables[FF_DRIVE_joint_encoder]);
        d->objects.digital_inputs |= FF_EC_JOINT_KNOWN;
    }
    if (!ff_io_known(item) || !find_joints(w, model, items, q)) return;
    const double x = ff_drive_path_locate(&w->drive->path, q, q).x; // its speed is not needed
    if (!d->inputs.known) {
        d->inputs.known = true;
        d->x_zero = x;
        d->inputs.count = w->count >= 0 ? wrap(item->value) : 0;
        d->sampled = item->time_ns;
        ff_amplifier_begin(&d->amplifier, d->inputs.count);
    }
    const int32_t count = w->count >= 0 ? wrap(item->value) : wrap((x - d->x_zero) * w->scale);
    if (item->time_ns > d->sampled) {
        const int32_t change = (int32_t)((uint32_t)count - (uint32_t)d->inputs.count);
        ff_bus_set(&d->variables[FF_DRIVE_velocity], 1e9 * change / (double)(item->time_ns - d->sampled));
    }
    d->inputs.count = count;
    d->sampled = item->time_ns;
    ff_bus_set_integer(&d->variables[FF_DRIVE_position], count);
    ff_bus_set_integer(&d->variables[FF_DRIVE_position_time], item->time_ns);
    ff_amplifier_measure(&d->amplifier, &d->objects, count, ff_bus_get(&d->variables[FF_DRIVE_velocity]));
    d->objects.digital_inputs |= FF_EC_POSITION_KNOWN;
    feel_marks(d, items, x);
}

// ------------------------------------------------------------------------------------------ actuation

static bool takes_forces(const ff_virtual_drive *d)
{
    return d->amplifier.modes & mode_bit(FF_MODE_CST);
}

static void follow(ff_virtual_drive *d)
{
    const ff_amplifier *s = &d->amplifier;
    d->used = true;
    d->pushed = d->pushed || s->push != 0.0 || takes_forces(d);
    d->reference[0] = d->x_zero + s->demand.position / d->wiring->scale;
    d->reference[1] = s->forward / d->wiring->scale;
    d->reference[2] = s->push * d->wiring->rated / 1000.0;
}

void ff_virtual_drive_step(ff_virtual_drive *d, bool applied)
{
    d->inputs.applied = applied;
    d->inputs.lost = d->lost;
    d->inputs.broken = d->broken;
    ff_amplifier_step(&d->amplifier, &d->objects, &d->inputs);
    if (d->amplifier.drives) {
        follow(d);
        return;
    }
    d->reference[1] = 0.0; // the brake holds
    if (takes_forces(d)) d->reference[2] = 0.0;
}

void ff_virtual_drive_exchange(ff_virtual_drive *d, bool applied)
{
    ff_ec_drive *o = &d->objects;
    o->control = (uint16_t)ff_bus_get_integer(&d->variables[FF_DRIVE_control]);
    o->target_position = (int32_t)ff_bus_get_integer(&d->variables[FF_DRIVE_target]);
    o->velocity_offset = (int32_t)ff_bus_get_integer(&d->variables[FF_DRIVE_velocity_offset]);
    o->torque_offset = (int16_t)ff_bus_get_integer(&d->variables[FF_DRIVE_torque_offset]);
    o->mode = (int8_t)ff_bus_get_integer(&d->variables[FF_DRIVE_mode]);
    ff_virtual_drive_step(d, applied);
    ff_bus_set_integer(&d->variables[FF_DRIVE_status], o->status);
    ff_bus_set_integer(&d->variables[FF_DRIVE_mode_shown], o->mode_shown);
    ff_bus_set_integer(&d->variables[FF_DRIVE_error], o->error_code);
}

// ------------------------------------------------------------------------------------------ sensors

/// Counts samples by their times. @return false: no new sample
static bool take_sample(const ff_io_item *first, int64_t *sampled, ff_bus_variable *count, ff_bus_variable *time)
{
    if (!ff_io_known(first)) return false;
    if (first->time_ns != *sampled || ff_bus_get_integer(time) < 0)
        ff_bus_set_integer(count, ff_bus_get_integer(count) + 1);
    *sampled = first->time_ns;
    ff_bus_set_integer(time, first->time_ns);
    return true;
}

void ff_virtual_force_feel(ff_virtual_force *f, const ff_io_item *items)
{
    const ff_io_item *first = &items[f->wiring->first];
    if (!take_sample(first, &f->sampled, &f->variables[FF_FORCE_count], &f->variables[FF_FORCE_time])) return;
    ff_bus_variable *status = &f->variables[FF_FORCE_status];
    if (f->fault == FF_SENSOR_STUCK) {
        ff_bus_set_integer(status, ff_bus_get_integer(status) | FF_EC_STUCK);
        return;
    }
    ff_bus_set_integer(status, 0);
    for (int k = 0; k < f->wiring->n; k++) {
        const double unit = k < 3 ? FF_FORCE_UNIT : FF_MOMENT_UNIT, range = f->wiring->range[k];
        const double value = f->fault == FF_SENSOR_OVERLOADED ? 2.0 * range : first[k].value;
        ff_bus_set(&f->variables[FF_FORCE_fx + k], value / unit);
        if (fabs(value) >= range) ff_bus_set_integer(status, FF_EC_OVER_RANGE); // readings are clipped to the range
    }
}

/// Roll about x after pitch about y, without yaw.
static void set_attitude(ff_virtual_imu *u, double roll, double pitch)
{
    const double half[2] = {0.5 * roll, 0.5 * pitch};
    double sine[2], cosine[2];
    ff_sincos(half, sine, cosine, 2);
    const double q[4] = {cosine[1] * cosine[0], cosine[1] * sine[0], sine[1] * cosine[0], -sine[1] * sine[0]};
    for (int k = 0; k < 4; k++) ff_bus_set(&u->variables[FF_IMU_w + k], q[k]);
}

void ff_virtual_imu_feel(ff_virtual_imu *u, const ff_io_item *items)
{
    const ff_io_item *first = &items[u->wiring->first];
    const ff_sensor_type type = u->wiring->sensor->type;
    const bool spins = type == FF_SENSOR_IMU || type == FF_SENSOR_GYRO;
    const int pushes = type == FF_SENSOR_IMU ? 3 : 0, leans = type == FF_SENSOR_IMU ? 6 : 0; // first channel of each
    if (!take_sample(first, &u->sampled, &u->variables[FF_IMU_count], &u->variables[FF_IMU_time])) return;
    for (int k = 0; spins && k < 3 && k < u->wiring->n; k++)
        ff_bus_set(&u->variables[FF_IMU_rate_x + k], first[k].value / FF_RATE_UNIT);
    if (type == FF_SENSOR_IMU || type == FF_SENSOR_ACCELEROMETER)
        for (int k = 0; k < 3 && pushes + k < u->wiring->n; k++)
            ff_bus_set(&u->variables[FF_IMU_acceleration_x + k], first[pushes + k].value / FF_ACCELERATION_UNIT);
    if (type == FF_SENSOR_IMU || type == FF_SENSOR_ATTITUDE)
        set_attitude(u, first[leans].value, first[leans + 1].value);
}
