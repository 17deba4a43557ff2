// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups of keys of native robot files, as tables (text/schema.h). Scene files contain some of them.
#ifndef FOOTFALL_NATIVE_KEYS_H
#define FOOTFALL_NATIVE_KEYS_H

#include "text/schema.h"

// keys_robot.c
extern const ff_key_group ff_keys_robot, ff_keys_constants, ff_keys_import, ff_keys_body, ff_keys_joint,
    ff_keys_actuator, ff_keys_shape, ff_keys_frame, ff_keys_attachment, ff_keys_loop, ff_keys_leg, ff_keys_hand,
    ff_keys_positions, ff_keys_pose;
// keys_biped.c: its rows of numbers have offsets in ff_spec_biped
extern const ff_key_group ff_keys_biped;
// keys_drive.c
extern const ff_key_group ff_keys_drives, ff_keys_drive, ff_keys_battery;
extern const char *const ff_drive_feedback_names[3]; // 0: motor, 1: joint
// keys_sensor.c
extern const ff_key_group ff_keys_sensors, ff_keys_sensor;
// keys_tendon.c
extern const ff_key_group ff_keys_tendons, ff_keys_tendon, ff_keys_tendon_piece;
// keys_material.c
extern const ff_key_group ff_keys_materials, ff_keys_material, ff_keys_normal, ff_keys_friction, ff_keys_soil;

// Words in the order of the enums of drive.h, NULL-ended. A file that includes both headers does not compile where the
// numbers of words differ.
FF_API extern const char *const ff_drive_motor_names[7];
FF_API extern const char *const ff_drive_transmission_names[6];
FF_API extern const char *const ff_drive_path_names[7];
FF_API extern const char *const ff_drive_loop_names[6];

#endif
