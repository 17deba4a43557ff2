// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups of keys of native robot files, as tables (model/schema.h). Scene files contain some of them.
#ifndef FOOTFALL_MODEL_KEYS_H
#define FOOTFALL_MODEL_KEYS_H

#include "model/schema.h"

// keys_robot.c
extern const ff_key_group ff_keys_robot, ff_keys_constants, ff_keys_import, ff_keys_body, ff_keys_joint,
    ff_keys_actuator, ff_keys_shape, ff_keys_frame, ff_keys_attachment, ff_keys_loop, ff_keys_leg, ff_keys_hand,
    ff_keys_positions, ff_keys_pose;
// keys_drive.c
extern const ff_key_group ff_keys_drives, ff_keys_drive;
// keys_sensor.c
extern const ff_key_group ff_keys_sensors, ff_keys_sensor;
// keys_material.c
extern const ff_key_group ff_keys_materials, ff_keys_material, ff_keys_normal, ff_keys_friction;

#endif
