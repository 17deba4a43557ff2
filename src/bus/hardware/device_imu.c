// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// An inertial measurement unit (device.h): attitude as a quaternion, rates, accelerations. The frame gets what the
// sensor of the robot has: a gyroscope has rates only. Roll and pitch follow from the direction of the world's z axis
// in the unit, as in simulated sensors (footfall/fusion.h).
#include "hardware/device.h"

#include <footfall/fusion.h>

ff_status ff_device_imu_make(ff_device_imu *u, const ff_sensor_wiring *wiring, ff_bus_image *image, ff_error *err)
{
    u->wiring = wiring;
    return ff_device_link(image, wiring->name, ff_imu_objects, FF_IMU_OBJECT_COUNT, false, u->variables, err);
}

void ff_device_imu_read(ff_device_imu *u)
{
    if (ff_bus_get_integer(&u->variables[FF_IMU_time]) >= 0) u->state = FF_DEVICE_RUNNING;
}

/// Roll and pitch.
static void find_attitude(const ff_device_imu *u, double out[2])
{
    const double w = ff_bus_get(&u->variables[FF_IMU_w]), x = ff_bus_get(&u->variables[FF_IMU_x]),
                 y = ff_bus_get(&u->variables[FF_IMU_y]), z = ff_bus_get(&u->variables[FF_IMU_z]);
    const double up[3] = {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)};
    ff_fusion_angles(up, out);
}

void ff_device_imu_publish(const ff_device_imu *u, ff_io_item *items)
{
    const int64_t time = ff_bus_get_integer(&u->variables[FF_IMU_time]);
    const ff_sensor_type type = u->wiring->sensor->type;
    double all[8];
    if (time < 0) return;
    for (int k = 0; k < 3; k++) {
        all[k] = ff_bus_get(&u->variables[FF_IMU_rate_x + k]) * FF_RATE_UNIT;
        all[3 + k] = ff_bus_get(&u->variables[FF_IMU_acceleration_x + k]) * FF_ACCELERATION_UNIT;
    }
    find_attitude(u, all + 6);
    const double *from = type == FF_SENSOR_ACCELEROMETER ? all + 3 : type == FF_SENSOR_ATTITUDE ? all + 6 : all;
    for (int k = 0; k < u->wiring->n; k++)
        items[u->wiring->first + k] = (ff_io_item){.value = from[k], .time_ns = time, .valid = 1};
}
