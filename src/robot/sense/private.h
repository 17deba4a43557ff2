// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of the sense room share.
#ifndef FOOTFALL_SENSE_PRIVATE_H
#define FOOTFALL_SENSE_PRIVATE_H

#include "sense/interface.h"

#include <footfall/camera.h>
#include <footfall/math.h>
#include <footfall/sense.h>
#include <footfall/tactile.h>

#define FF_SENSOR_FAR 1e9 // a ray without an end  [m]

/// Number of channels of a type; of tactile arrays for each taxel.
int ff_sensor_width(ff_sensor_type type);
/// Place and axes of a sensor in the world.
void ff_sensor_pose(const ff_sensor *s, const ff_sense_view *view, double pos[3], double R[9]);
/// Its axes alone.
void ff_sensor_axes(const ff_sensor *s, const ff_sense_view *view, double R[9]);
/// Does the contact touch the sensor's body, or its shape? The force on that is `sign` times that of the contact.
bool ff_sensor_is_touched(const ff_sensor *s, const ff_sense_view *view, const ff_sense_contact *c, double *sign);
/// Angle of the motor that drives its joint.  [rad]
double ff_sensor_motor_angle(const ff_sensor *s, const ff_sense_view *view);
/// Gyro, accelerometer, roll and pitch (sensor.c).
void ff_inertial_truth(const ff_sensor *s, const ff_sense_view *view, double out[8]);

/// Memory of a sensor that estimates, its start and its samples: from (gyro, accelerometer, roll, pitch) to the
/// input of the chain (fusion.c).  [byte]
size_t ff_estimator_memory(const ff_sensor *s);
void ff_estimator_start(const ff_sensor *s, void *memory, uint64_t seed, uint64_t stream, const double *truth, double t,
                        double *out);
void ff_estimator_sample(const ff_sensor *s, void *memory, const double *truth, double t, double *out);

/// Fills a sensor that has its name, type, place and joint, body or frame from its settings; the arena owns arrays
/// (describe.c).
void ff_sensor_describe(ff_sensor *s, const ff_spec_sensor *from, const ff_joint *joint, const ff_spec_setting *preset,
                        ff_arena *arena, ff_report *report);
/// The settings of a known device, ended by a NULL name; NULL for an unknown name (presets.c).
const ff_spec_setting *ff_sensor_preset(const char *name, const char **type);
/// Name number i, NULL past the end.
const char *ff_sensor_preset_name(int i);

#endif
