// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of keys (schema.h) of robot files, and the words in them that other rooms use too.
#ifndef FOOTFALL_MODEL_KEYS_TABLES_H
#define FOOTFALL_MODEL_KEYS_TABLES_H

#include "model/schema.h"

extern const ff_key_group ff_keys_drives;    // drives: of a robot or template, names to drives of one or two joints
extern const ff_key_group ff_keys_drive;     // drive: of a joint
extern const ff_key_group ff_keys_sensors;   // sensors: names to sensors
extern const ff_key_group ff_keys_sensor;    // one of them
extern const ff_key_group ff_keys_materials; // materials: names to materials
extern const ff_key_group ff_keys_material;  // one of them; a pair of a scene has `of` besides
extern const ff_key_group ff_keys_normal;    // normal: of a material
extern const ff_key_group ff_keys_friction;  // friction: of a material
extern const ff_key_group ff_keys_soil;      // soil: of a material

// Words in the order of the enums of drive.h, NULL-ended. A file that includes both headers does not compile where the
// numbers of words differ.
FF_API extern const char *const ff_drive_motor_names[7];
FF_API extern const char *const ff_drive_transmission_names[6];
FF_API extern const char *const ff_drive_path_names[6];
FF_API extern const char *const ff_drive_loop_names[6];
extern const char *const ff_drive_feedback_names[3]; // 0: motor, 1: joint
// In the order of ff_sensor_type, NULL-ended.
extern const char *const ff_sensor_type_names[20];

#endif
