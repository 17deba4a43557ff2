// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups of keys of native robot files, as tables (text/schema.h). Scene files contain some of them.
#ifndef FOOTFALL_NATIVE_KEYS_H
#define FOOTFALL_NATIVE_KEYS_H

#include "text/schema.h"

extern const ff_key_group ff_keys_robot, ff_keys_constants, ff_keys_shape, ff_keys_pose, // keys_robot.c
    ff_keys_biped,                                                                       // biped.c
    ff_keys_drives, ff_keys_drive, ff_keys_battery,                                      // keys_drive.c
    ff_keys_sensors, ff_keys_sensor,                                                     // sensor.c
    ff_keys_tendons,                                                                     // tendon.c
    ff_keys_materials, ff_keys_material;                                                 // material.c
extern const char *const ff_drive_feedback_names[3];                                     // 0: motor, 1: joint

// Words in the order of the enums of drive.h, NULL-ended. A file that includes both headers does not compile where the
// numbers of words differ.
FF_API extern const char *const ff_drive_motor_names[7];
FF_API extern const char *const ff_drive_transmission_names[6];
FF_API extern const char *const ff_drive_path_names[7];
FF_API extern const char *const ff_drive_loop_names[6];

#endif
