// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
// clang-format off
// The frames of the robot of experiments/servo-hexapod-walk.yaml, written by
//     footfall control experiments/servo-hexapod-walk.yaml --interface
// Number of each item; names and units as they travel in a telegram INTERFACE (docs/link.md).
#define INTERFACE_HASH      0xEF5F069824164723U
#define INTERFACE_PERIOD_US 20000

enum {
    SENSORS_FL_TOUCH_TOUCHED,
    SENSORS_FL_TOUCH_FORCE,
    SENSORS_FR_TOUCH_TOUCHED,
    SENSORS_FR_TOUCH_FORCE,
    SENSORS_ML_TOUCH_TOUCHED,
    SENSORS_ML_TOUCH_FORCE,
    SENSORS_MR_TOUCH_TOUCHED,
    SENSORS_MR_TOUCH_FORCE,
    SENSORS_RL_TOUCH_TOUCHED,
    SENSORS_RL_TOUCH_FORCE,
    SENSORS_RR_TOUCH_TOUCHED,
    SENSORS_RR_TOUCH_FORCE,
    SENSOR_COUNT,
};

enum {
    DRIVES_FL_COXA_POSITION,
    DRIVES_FL_COXA_SPEED,
    DRIVES_FL_COXA_FORCE,
    DRIVES_FL_FEMUR_POSITION,
    DRIVES_FL_FEMUR_SPEED,
    DRIVES_FL_FEMUR_FORCE,
    DRIVES_FL_TIBIA_POSITION,
    DRIVES_FL_TIBIA_SPEED,
    DRIVES_FL_TIBIA_FORCE,
    DRIVES_FR_COXA_POSITION,
    DRIVES_FR_COXA_SPEED,
    DRIVES_FR_COXA_FORCE,
    DRIVES_FR_FEMUR_POSITION,
    DRIVES_FR_FEMUR_SPEED,
    DRIVES_FR_FEMUR_FORCE,
    DRIVES_FR_TIBIA_POSITION,
    DRIVES_FR_TIBIA_SPEED,
    DRIVES_FR_TIBIA_FORCE,
    DRIVES_ML_COXA_POSITION,
    DRIVES_ML_COXA_SPEED,
    DRIVES_ML_COXA_FORCE,
    DRIVES_ML_FEMUR_POSITION,
    DRIVES_ML_FEMUR_SPEED,
    DRIVES_ML_FEMUR_FORCE,
    DRIVES_ML_TIBIA_POSITION,
    DRIVES_ML_TIBIA_SPEED,
    DRIVES_ML_TIBIA_FORCE,
    DRIVES_MR_COXA_POSITION,
    DRIVES_MR_COXA_SPEED,
    DRIVES_MR_COXA_FORCE,
    DRIVES_MR_FEMUR_POSITION,
    DRIVES_MR_FEMUR_SPEED,
    DRIVES_MR_FEMUR_FORCE,
    DRIVES_MR_TIBIA_POSITION,
    DRIVES_MR_TIBIA_SPEED,
    DRIVES_MR_TIBIA_FORCE,
    DRIVES_RL_COXA_POSITION,
    DRIVES_RL_COXA_SPEED,
    DRIVES_RL_COXA_FORCE,
    DRIVES_RL_FEMUR_POSITION,
    DRIVES_RL_FEMUR_SPEED,
    DRIVES_RL_FEMUR_FORCE,
    DRIVES_RL_TIBIA_POSITION,
    DRIVES_RL_TIBIA_SPEED,
    DRIVES_RL_TIBIA_FORCE,
    DRIVES_RR_COXA_POSITION,
    DRIVES_RR_COXA_SPEED,
    DRIVES_RR_COXA_FORCE,
    DRIVES_RR_FEMUR_POSITION,
    DRIVES_RR_FEMUR_SPEED,
    DRIVES_RR_FEMUR_FORCE,
    DRIVES_RR_TIBIA_POSITION,
    DRIVES_RR_TIBIA_SPEED,
    DRIVES_RR_TIBIA_FORCE,
    REFERENCE_COUNT,
};

static const char interface_names[] =
    "\030sensors.FL_touch.touched\0011"
    "\026sensors.FL_touch.force\001N"
    "\030sensors.FR_touch.touched\0011"
    "\026sensors.FR_touch.force\001N"
    "\030sensors.ML_touch.touched\0011"
    "\026sensors.ML_touch.force\001N"
    "\030sensors.MR_touch.touched\0011"
    "\026sensors.MR_touch.force\001N"
    "\030sensors.RL_touch.touched\0011"
    "\026sensors.RL_touch.force\001N"
    "\030sensors.RR_touch.touched\0011"
    "\026sensors.RR_touch.force\001N"
    "\027drives.FL_coxa.position\003rad"
    "\024drives.FL_coxa.speed\005rad/s"
    "\024drives.FL_coxa.force\003N m"
    "\030drives.FL_femur.position\003rad"
    "\025drives.FL_femur.speed\005rad/s"
    "\025drives.FL_femur.force\003N m"
    "\030drives.FL_tibia.position\003rad"
    "\025drives.FL_tibia.speed\005rad/s"
    "\025drives.FL_tibia.force\003N m"
    "\027drives.FR_coxa.position\003rad"
    "\024drives.FR_coxa.speed\005rad/s"
    "\024drives.FR_coxa.force\003N m"
    "\030drives.FR_femur.position\003rad"
    "\025drives.FR_femur.speed\005rad/s"
    "\025drives.FR_femur.force\003N m"
    "\030drives.FR_tibia.position\003rad"
    "\025drives.FR_tibia.speed\005rad/s"
    "\025drives.FR_tibia.force\003N m"
    "\027drives.ML_coxa.position\003rad"
    "\024drives.ML_coxa.speed\005rad/s"
    "\024drives.ML_coxa.force\003N m"
    "\030drives.ML_femur.position\003rad"
    "\025drives.ML_femur.speed\005rad/s"
    "\025drives.ML_femur.force\003N m"
    "\030drives.ML_tibia.position\003rad"
    "\025drives.ML_tibia.speed\005rad/s"
    "\025drives.ML_tibia.force\003N m"
    "\027drives.MR_coxa.position\003rad"
    "\024drives.MR_coxa.speed\005rad/s"
    "\024drives.MR_coxa.force\003N m"
    "\030drives.MR_femur.position\003rad"
    "\025drives.MR_femur.speed\005rad/s"
    "\025drives.MR_femur.force\003N m"
    "\030drives.MR_tibia.position\003rad"
    "\025drives.MR_tibia.speed\005rad/s"
    "\025drives.MR_tibia.force\003N m"
    "\027drives.RL_coxa.position\003rad"
    "\024drives.RL_coxa.speed\005rad/s"
    "\024drives.RL_coxa.force\003N m"
    "\030drives.RL_femur.position\003rad"
    "\025drives.RL_femur.speed\005rad/s"
    "\025drives.RL_femur.force\003N m"
    "\030drives.RL_tibia.position\003rad"
    "\025drives.RL_tibia.speed\005rad/s"
    "\025drives.RL_tibia.force\003N m"
    "\027drives.RR_coxa.position\003rad"
    "\024drives.RR_coxa.speed\005rad/s"
    "\024drives.RR_coxa.force\003N m"
    "\030drives.RR_femur.position\003rad"
    "\025drives.RR_femur.speed\005rad/s"
    "\025drives.RR_femur.force\003N m"
    "\030drives.RR_tibia.position\003rad"
    "\025drives.RR_tibia.speed\005rad/s"
    "\025drives.RR_tibia.force\003N m";
