// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual force sensors and inertial measurement units (virtual_bus.h): values of a frame as raw numbers.
#include "hardware/virtual_bus.h"

#include <footfall/ethercat.h>
#include <footfall/math.h>

#include <math.h>

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
