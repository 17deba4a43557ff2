// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of the kind `biped`: its sensors (biped_senses.c), and the lists of footsteps of its settings and commands.
//
// Sensors: from the items of an I/O frame to ff_biped_sensors. Roll, pitch and rates of the torso (`imu`) and six
// components of force under each foot (`force` of its leg) are needed; switches on the bodies of a foot are used where
// there are some.
#ifndef FOOTFALL_STEER_KIND_BIPED_H
#define FOOTFALL_STEER_KIND_BIPED_H

#include "biped/robot.h"
#include "steer/kind.h"

enum { FF_BIPED_PADS = 8, FF_BIPED_TORSO_ITEMS = 5 };

/// Items of a foot's sensors.
typedef struct ff_biped_foot_items {
    int force[6];
    double R[9], pos[3]; // of the sensor in the frame of the sole
    int pads[FF_BIPED_PADS];
    int npad;
} ff_biped_foot_items;

/// Items of the I/O frames of a robot; constant once they are bound.
typedef struct ff_biped_senses {
    const ff_biped *robot;
    int torso[FF_BIPED_TORSO_ITEMS];
    double mount[9]; // from the axes of the imu to those of the torso
    bool turned;     // these axes differ
    ff_biped_foot_items feet[FF_BIPED_FEET];
    bool torso_noisy, foot_noisy[FF_BIPED_FEET]; // noise makes successive readings differ
} ff_biped_senses;

/// The last readings: plain data that changes.
typedef struct ff_biped_readings {
    ff_biped_sensors sensors;                    // roll, pitch and rates in the axes of the imu
    double torso_time, foot_time[FF_BIPED_FEET]; // when these were measured  [s]
} ff_biped_readings;

/// Finds the items. @param robot  outlives `out`
/// @return FF_OK; FF_NOT_FOUND, FF_BAD_ARGUMENT: a sensor is missing, is on another body or is too slow
ff_status ff_biped_senses_bind(const ff_biped *robot, const ff_controller_site *site, ff_biped_senses *out,
                               ff_error *err);
/// Initial readings: both feet carry half of the weight.
void ff_biped_readings_start(const ff_biped *robot, ff_biped_readings *readings);
/// Reads the I/O frame of a cycle. @return the readings, in the axes of the torso
ff_biped_sensors ff_biped_read_senses(const ff_biped_senses *senses, double t, const ff_io_frame *frame,
                                      ff_biped_readings *readings);

// ----------------------------------------------------------------------------------- lists of footsteps (biped_list.c)

typedef struct ff_biped_list {
    ff_biped_step steps[FF_BIPED_STEPS];
    int count;
} ff_biped_list;

extern const ff_key_group FF_BIPED_LIST;

/// `footsteps` of `node`, if it has them; `out` is empty before.
void ff_biped_list_read(const ff_steer_reader *r, ff_yaml *node, ff_biped_list *out);

/// Gives the list to the planner, and reports the first footstep that cannot be made from the standing pose.
void ff_biped_list_check(const ff_steer_reader *r, ff_yaml *node, ff_biped_planner *planner, const ff_biped_list *list);

/// The same for a later command, whose starting point is not known: reports steps that are too far to walk to by then,
/// or out of reach of the footstep before.
void ff_biped_list_check_command(const ff_steer_reader *r, ff_yaml *entry, const ff_biped *robot,
                                 const ff_biped_gait *gait, const ff_biped_list *list);

#endif
