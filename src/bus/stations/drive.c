// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Behaviour of the station of a drive (drive.h): presets that follow from the drive, checks of values, and the loss of
// communication.
#include "stations/drive.h"

#include "hardware/virtual_bus.h"

#include <footfall/math.h>

#include <math.h>
#include <string.h>

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
    const double whole = floor(value + 0.5);
    ratio[1] = fabs(value - whole) < 1e-9 * whole ? 1 : 1000;
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

static void preset(void *data)
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

const ff_ec_behaviour ff_ec_drive_behaviour = {.preset = preset, .state = note_state, .check = check_value};
