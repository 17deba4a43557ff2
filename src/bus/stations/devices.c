// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Behaviour of the stations of drives: presets that follow from the drive, checks of values, the loss of communication;
// and of sensors: settings from the robot's file (8000, 8010), the tare of force sensors (7000:1).
#include "stations/robot.h"

#include <footfall/math.h>

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ drives

/// Assumed values without a source: times and shares of profiles.
#define WINDOW_ANGLE   0.1  // following error beyond the lag of a proportional loop  [rad]
#define WINDOW_TRAVEL  0.01 // of a linear drive  [m]
#define SPEED_UNKNOWN  1.0  // of a drive without a speed limit  [rad/s]
#define TIME_TO_SPEED  0.1  // to the greatest velocity  [s]
#define QUICKER        2.0  // deceleration of a quick stop in units of the acceleration
#define PROFILE_SHARE  0.5  // of the greatest velocity
#define HOMING_SHARE   0.1
#define APPROACH_SHARE 0.01

static uint32_t rounded(double value)
{
    return value > 0.0 ? (uint32_t)ff_min(floor(value + 0.5), UINT32_MAX - 1.0) : 0;
}

/// A number as a fraction of integers: exact for whole numbers, else to a thousandth.
static void put_ratio(uint32_t ratio[2], double value)
{
    const double nearest = floor(value + 0.5);
    ratio[1] = fabs(value - nearest) < 1e-9 * nearest ? 1 : 1000;
    ratio[0] = rounded(value * ratio[1]);
}

/// Converts the limits to units of the drive's coordinate.
static double greatest_speed(const ff_drive *d)
{
    if (d->no_load > 0.0) return d->no_load;
    if (d->dc.constant > 0.0 && d->dc.voltage > 0.0 && d->ratio > 0.0) return d->dc.voltage / d->dc.constant / d->ratio;
    return 0.0;
}

static void preset_motion(ff_ec_drive *o, double most)
{
    o->profile_velocity = rounded(PROFILE_SHARE * most);
    o->acceleration = o->deceleration = o->homing_acceleration = rounded(most / TIME_TO_SPEED);
    o->quick_deceleration = rounded(QUICKER * most / TIME_TO_SPEED);
    o->homing_speed[0] = rounded(HOMING_SHARE * most);
    o->homing_speed[1] = rounded(APPROACH_SHARE * most);
}

void ff_ec_drive_limit(ff_virtual_drive *v)
{
    const ff_drive_wiring *w = v->wiring;
    ff_ec_drive *o = &v->objects;
    if (!v->inputs.known || isinf(w->range[0]) || memcmp(o->limits, v->limits, sizeof o->limits) != 0) return;
    for (int end = 0; end < 2; end++)
        v->limits[end] = ff_amplifier_object(&v->amplifier, o, w->scale * (w->range[end] - v->x_zero));
    if (v->limits[0] > v->limits[1]) { // negative polarity
        const int32_t low = v->limits[1];
        v->limits[1] = v->limits[0];
        v->limits[0] = low;
    }
    memcpy(o->limits, v->limits, sizeof o->limits);
}

static void preset_drive(void *data)
{
    ff_virtual_drive *v = data;
    ff_ec_drive *o = &v->objects;
    const ff_drive_wiring *w = v->wiring;
    const ff_drive *d = w->drive;
    const double speed = greatest_speed(d), sag = d->loop == FF_LOOP_PD && d->kp > 0.0 ? d->stall / d->kp : 0.0;
    ff_amplifier_reset(&v->amplifier);
    v->amplifier.shift = (int32_t)(0 - (uint32_t)v->inputs.count); // an incremental encoder restarts its count
    v->lost = false;
    memcpy(v->limits, o->limits, sizeof v->limits);
    ff_ec_drive_limit(v);
    o->mode = o->mode_shown = (int8_t)v->amplifier.mode;
    o->supported_modes = v->amplifier.modes;
    o->following_window = rounded(w->scale * ((d->linear ? WINDOW_TRAVEL : WINDOW_ANGLE) + sag));
    o->max_velocity = rounded(w->scale * speed);
    preset_motion(o, w->scale * (speed > 0.0 ? speed : SPEED_UNKNOWN));
    put_ratio(o->encoder, w->turn);
    put_ratio(o->gear, d->ratio > 0.0 ? (d->linear ? d->ratio / (2.0 * FF_PI) : d->ratio) : 1.0);
    o->rated_torque = rounded(1e3 * w->rated);
    if (d->dc.constant > 0.0 && d->ratio > 0.0)
        o->rated_current = rounded(1e3 * w->rated / (d->ratio * d->dc.constant));
}

static void note_state(void *data, ff_ec_state from, ff_ec_state to, uint16_t code)
{
    ff_virtual_drive *v = data;
    v->lost = code != 0 && (v->lost || from == FF_EC_OP) && to != FF_EC_OP;
}

static uint32_t check_value(void *data, const ff_ec_entry *entry, uint8_t sub, int64_t value)
{
    enum { TOO_HIGH = 0x06090031, TOO_LOW = 0x06090032 };
    const ff_virtual_drive *v = data;
    const int32_t *limits = v->objects.limits;
    if (entry->index == 0x607D && sub == 1 && value > limits[1]) return TOO_HIGH;
    if (entry->index == 0x607D && sub == 2 && value < limits[0]) return TOO_LOW;
    return ff_amplifier_check(&v->amplifier, &v->inputs, entry->index, value);
}

uint8_t ff_ec_error_register(uint16_t code)
{
    enum { GENERIC = 1, CURRENT = 2, VOLTAGE = 4, TEMPERATURE = 8, COMMUNICATION = 16, PROFILE = 32 };
    static const struct {
        uint16_t mask, value;
        uint8_t bits;
    } KINDS[] = {{0xF000, 0x2000, CURRENT},       {0xF000, 0x3000, VOLTAGE}, {0xF000, 0x4000, TEMPERATURE},
                 {0xFF00, 0x8100, COMMUNICATION}, {0xFF00, 0x8600, PROFILE}, {0xFF00, 0x8700, COMMUNICATION}};
    unsigned bits = code ? GENERIC : 0;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if ((code & KINDS[i].mask) == KINDS[i].value) bits |= KINDS[i].bits;
    return (uint8_t)bits;
}

const ff_ec_behaviour ff_ec_drive_behaviour = {.preset = preset_drive, .state = note_state, .check = check_value};

// ------------------------------------------------------------------------------------------ sensors

enum { TARE = 1, CLEAR_TARE = 2 }; // bits of 7000:1

static uint32_t rounded_if_finite(double value)
{
    return isfinite(value) ? (uint32_t)ff_min(ff_max(floor(value + 0.5), 0.0), UINT32_MAX) : 0;
}

static void preset_force(void *data)
{
    ff_ec_force_station *s = data;
    const ff_sensor_wiring *w = s->sensor->wiring;
    s->command = 0;
    s->tared = false;
    s->objects.range[0] = rounded_if_finite(w->range[0]);
    s->objects.range[1] = w->n > 3 ? rounded_if_finite(w->range[3]) : 0;
    s->objects.filter = rounded_if_finite(w->sensor->signals[0].bandwidth / (2.0 * FF_PI));
}

void ff_ec_force_update(ff_ec_force_station *s)
{
    ff_ec_force *o = &s->objects;
    int32_t *values[6] = {&o->force[0], &o->force[1], &o->force[2], &o->moment[0], &o->moment[1], &o->moment[2]};
    const ff_ec_force *measured = &s->sensor->objects;
    const uint32_t rising = o->command & ~s->command;
    memcpy(o->force, measured->force, sizeof o->force);
    memcpy(o->moment, measured->moment, sizeof o->moment);
    o->status = measured->status;
    o->count = measured->count;
    o->time = (uint32_t)s->sensor->time;
    s->command = o->command;
    if (rising & (TARE | CLEAR_TARE)) s->tared = rising & TARE;
    if (s->tared) o->status |= FF_EC_TARED;
    for (int k = 0; k < 6; k++) {
        if (rising & TARE) s->zero[k] = *values[k];
        if (!s->tared) s->zero[k] = 0;
        *values[k] = (int32_t)ff_min(ff_max((double)*values[k] - s->zero[k], INT32_MIN), INT32_MAX);
    }
}

static void preset_imu(void *data)
{
    ff_ec_imu_station *s = data;
    s->objects.sample_rate = rounded_if_finite(1.0 / s->sensor->wiring->sensor->chain.period);
}

void ff_ec_imu_update(ff_ec_imu_station *s)
{
    const ff_ec_imu *measured = &s->sensor->objects;
    ff_ec_imu *o = &s->objects;
    memcpy(o->quaternion, measured->quaternion, sizeof o->quaternion);
    memcpy(o->rate, measured->rate, sizeof o->rate);
    memcpy(o->acceleration, measured->acceleration, sizeof o->acceleration);
    o->count = measured->count;
    o->time = (uint32_t)s->sensor->time;
}

const ff_ec_behaviour ff_ec_force_behaviour = {.preset = preset_force};
const ff_ec_behaviour ff_ec_imu_behaviour = {.preset = preset_imu};
