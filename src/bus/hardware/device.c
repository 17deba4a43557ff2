// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Objects of all device types, and linking to them (device.h).
#include "hardware/device.h"

#define X(name, index, sub, type, output) {#name, index, sub, FF_BUS_##type, output},
const ff_object_row ff_drive_objects[FF_DRIVE_OBJECT_COUNT] = {FF_DRIVE_OBJECTS(X)};
const ff_object_row ff_force_objects[FF_FORCE_OBJECT_COUNT] = {FF_FORCE_OBJECTS(X)};
const ff_object_row ff_imu_objects[FF_IMU_OBJECT_COUNT] = {FF_IMU_OBJECTS(X)};
#undef X

ff_status ff_device_link(ff_bus_image *image, const char *slave, const ff_object_row *rows, int n, bool flip,
                         ff_bus_variable *variables, ff_error *err)
{
    ff_status status = FF_OK;
    for (int i = 0; i < n && status == FF_OK; i++)
        status =
            ff_bus_variable_link(image, &variables[i], slave, rows[i].name, rows[i].type, rows[i].output != flip, err);
    return status;
}
