// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual devices (virtual_bus.h): servo drives, force sensors, inertial measurement units.
//
// The counter of a drive begins at the initial position of the motor, as that of an incremental encoder. The offset
// to the coordinate of the simulated drive follows from the first sample of the joints' absolute encoders or
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

/// Reads the positions of the joints of a drive into q. @return false: not all are known
static bool read_joints(const ff_drive_wiring *w, const ff_model *model, const ff_io_item *items, double *q)
{
    for (int k = 0; k < w->drive->path.njoint; k++) {
        const ff_io_item *item = &items[w->joint[k].item];
        const ff_joint *joint = &model->joints[w->drive->path.joint[k]];
        if (!ff_io_known(item)) return false;
        q[joint->qadr] = w->joint[k].absolute ? ff_unwrap_to_range(item->value, joint) : item->value;
    }
    return true;
}

/// Rounds to the nearest 32-bit integer, and clamps.
static int32_t rounded(double value)
{
    return isnan(value) ? 0 : (int32_t)ff_max(ff_min(round(value), INT32_MAX), INT32_MIN);
}

/// Rounds to the nearest integer, which wraps around as a counter of 32 bits.
static int32_t wrap(double count)
{
    return (int32_t)(uint32_t)(uint64_t)(int64_t)floor(count + 0.5);
}

/// Reads the index mark of the motor encoder, whose two items follow its count in the frame, and the limit switches.
static void measure_marks(ff_virtual_drive *d, const ff_io_item *items, double x)
{
    const ff_drive_wiring *w = d->wiring;
    const ff_drive *drive = w->drive;
    ff_amplifier_inputs *in = &d->inputs;
    in->has_indices = w->has_index;
    in->turn = w->turn;
    in->indexed = w->has_index && ff_io_known(&items[w->motor_item + 2]) && items[w->motor_item + 2].value > 0.5;
    if (in->indexed) in->mark = wrap(items[w->motor_item + 1].value);
    in->limits = drive->stroke[1] > drive->stroke[0] ? FF_AMPLIFIER_LIMIT_NEGATIVE | FF_AMPLIFIER_LIMIT_POSITIVE : 0;
    const uint32_t pressed = (x <= drive->stroke[0] ? FF_AMPLIFIER_LIMIT_NEGATIVE : 0) |
                             (x >= drive->stroke[1] ? FF_AMPLIFIER_LIMIT_POSITIVE : 0);
    d->objects.digital_inputs &= ~(uint32_t)(FF_AMPLIFIER_LIMIT_NEGATIVE | FF_AMPLIFIER_LIMIT_POSITIVE);
    d->objects.digital_inputs |= in->limits & pressed;
}

void ff_virtual_drive_measure(ff_virtual_drive *d, const ff_model *model, const ff_io_item *items, double *q)
{
    const ff_drive_wiring *w = d->wiring;
    const ff_joint_sensor *encoder = &w->joint[w->encoder_joint];
    const ff_io_item *item = &items[w->motor_item >= 0 ? w->motor_item : w->joint[0].item];
    if (encoder->absolute && ff_io_known(&items[encoder->item])) {
        d->objects.joint_position = rounded(items[encoder->item].value / encoder->step);
        d->times[FF_VIRTUAL_JOINT_TIME] = items[encoder->item].time_ns;
        d->objects.digital_inputs |= FF_EC_JOINT_KNOWN;
    }
    if (!ff_io_known(item) || !read_joints(w, model, items, q)) return;
    const double x = ff_drive_path_locate(&w->drive->path, q, q).x; // any speeds will do: only x is read
    if (!d->inputs.known) {
        d->inputs.known = true;
        d->x_zero = x;
        d->inputs.count = w->motor_item >= 0 ? wrap(item->value) : 0;
        d->times[FF_VIRTUAL_MOTOR_TIME] = item->time_ns;
        ff_amplifier_set_zero(&d->amplifier, d->inputs.count);
    }
    const int32_t count = w->motor_item >= 0 ? wrap(item->value) : wrap((x - d->x_zero) * w->scale);
    if (item->time_ns > d->times[FF_VIRTUAL_MOTOR_TIME]) {
        const int32_t change = (int32_t)((uint32_t)count - (uint32_t)d->inputs.count);
        d->velocity = rounded(1e9 * change / (double)(item->time_ns - d->times[FF_VIRTUAL_MOTOR_TIME]));
    }
    d->inputs.count = count;
    d->times[FF_VIRTUAL_MOTOR_TIME] = item->time_ns;
    ff_amplifier_measure(&d->amplifier, &d->objects, count, d->velocity);
    d->objects.digital_inputs |= FF_EC_POSITION_KNOWN;
    measure_marks(d, items, x);
}

// ------------------------------------------------------------------------------------------ actuation

static bool accepts_torques(const ff_virtual_drive *d)
{
    return d->amplifier.modes & mode_bit(FF_MODE_CST);
}

static void command_motor(ff_virtual_drive *d)
{
    const ff_amplifier *s = &d->amplifier;
    d->was_enabled = true;
    d->had_torque = d->had_torque || s->torque_feedforward != 0.0 || accepts_torques(d);
    d->reference[0] = d->x_zero + s->demand.position / d->wiring->scale;
    d->reference[1] = s->velocity_feedforward / d->wiring->scale;
    d->reference[2] = s->torque_feedforward * d->wiring->rated / 1000.0;
}

void ff_virtual_drive_step(ff_virtual_drive *d, bool applied)
{
    d->inputs.applied = applied;
    d->inputs.lost = d->lost;
    d->inputs.broken = d->broken;
    ff_amplifier_step(&d->amplifier, &d->objects, &d->inputs);
    if (d->amplifier.is_driving) {
        command_motor(d);
        return;
    }
    d->reference[1] = 0.0; // the brake holds
    if (accepts_torques(d)) d->reference[2] = 0.0;
}

// ------------------------------------------------------------------------------------------ sensors

void ff_virtual_force_measure(ff_virtual_force *f, const ff_io_item *items)
{
    const ff_io_item *first = &items[f->wiring->first];
    ff_ec_force *o = &f->objects;
    if (!ff_io_known(first)) return;
    o->count += first->time_ns != f->time;
    f->time = first->time_ns;
    if (f->fault == FF_SENSOR_STUCK) {
        o->status |= FF_EC_STUCK;
        return;
    }
    o->status = 0;
    for (int k = 0; k < f->wiring->n; k++) {
        const double unit = k < 3 ? FF_FORCE_UNIT : FF_MOMENT_UNIT, range = f->wiring->range[k];
        const double value = f->fault == FF_SENSOR_OVERLOADED ? 2.0 * range : first[k].value;
        *(k < 3 ? &o->force[k] : &o->moment[k - 3]) = rounded(value / unit);
        if (fabs(value) >= range) o->status = FF_EC_OVER_RANGE; // readings are clipped to the range
    }
}

/// Roll about x after pitch about y, without yaw.
static void set_attitude(ff_virtual_imu *u, double roll, double pitch)
{
    const double half[2] = {0.5 * roll, 0.5 * pitch};
    double sine[2], cosine[2];
    ff_sincos(half, sine, cosine, 2);
    const double q[4] = {cosine[1] * cosine[0], cosine[1] * sine[0], sine[1] * cosine[0], -sine[1] * sine[0]};
    for (int k = 0; k < 4; k++) u->objects.quaternion[k] = (float)q[k];
}

void ff_virtual_imu_measure(ff_virtual_imu *u, const ff_io_item *items)
{
    const ff_io_item *first = &items[u->wiring->first];
    const ff_sensor_type type = u->wiring->sensor->type;
    const bool has_rates = type == FF_SENSOR_IMU || type == FF_SENSOR_GYRO;
    const int first_acceleration = type == FF_SENSOR_IMU ? 3 : 0,
              first_angle = type == FF_SENSOR_IMU ? 6 : 0; // first channel of each
    if (!ff_io_known(first)) return;
    u->objects.count = (uint16_t)(u->objects.count + (first->time_ns != u->time));
    u->time = first->time_ns;
    for (int k = 0; has_rates && k < 3 && k < u->wiring->n; k++)
        u->objects.rate[k] = rounded(first[k].value / FF_RATE_UNIT);
    if (type == FF_SENSOR_IMU || type == FF_SENSOR_ACCELEROMETER)
        for (int k = 0; k < 3 && first_acceleration + k < u->wiring->n; k++)
            u->objects.acceleration[k] = rounded(first[first_acceleration + k].value / FF_ACCELERATION_UNIT);
    if (type == FF_SENSOR_IMU || type == FF_SENSOR_ATTITUDE)
        set_attitude(u, first[first_angle].value, first[first_angle + 1].value);
}
