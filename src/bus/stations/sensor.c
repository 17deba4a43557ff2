// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Behaviour of stations of sensors (sensor.h): settings from the robot's file (8000, 8010), the tare of force sensors
// (7000:1).
#include "stations/sensor.h"

#include <footfall/math.h>

#include <math.h>

enum { TARE = 1, CLEAR_TARE = 2 }; // bits of 7000:1

static uint32_t rounded(double value)
{
    return isfinite(value) ? (uint32_t)ff_min(ff_max(floor(value + 0.5), 0.0), UINT32_MAX) : 0;
}

static void preset_force(void *data)
{
    ff_ec_force_station *s = data;
    const ff_sensor_wiring *w = s->wiring;
    s->command = 0;
    s->tared = false;
    s->objects.range[0] = rounded(w->range[0]);
    s->objects.range[1] = w->n > 3 ? rounded(w->range[3]) : 0;
    s->objects.filter = rounded(w->sensor->signals[0].bandwidth / (2.0 * FF_PI));
}

void ff_ec_force_show(ff_ec_force_station *s)
{
    ff_ec_force *o = &s->objects;
    int32_t *values[6] = {&o->force[0], &o->force[1], &o->force[2], &o->moment[0], &o->moment[1], &o->moment[2]};
    const uint32_t rising = o->command & ~s->command;
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
    s->objects.sample_rate = rounded(1.0 / s->sensor->chain.period);
}

const ff_ec_behaviour ff_ec_force_behaviour = {.preset = preset_force};
const ff_ec_behaviour ff_ec_imu_behaviour = {.preset = preset_imu};
