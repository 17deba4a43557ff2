// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a type of sensor is: a row of a table (kinds.c), with the function that measures. A new type is a row, a word in
// native/keys_sensor.c and a function.
#ifndef FOOTFALL_SENSE_KINDS_H
#define FOOTFALL_SENSE_KINDS_H

#include "sense/at_work.h"

/// What a sensor sits on.
typedef enum ff_sensor_seat {
    FF_SEAT_JOINT,    // a hinge or a slide
    FF_SEAT_BALL,     // a ball joint
    FF_SEAT_LIMIT,    // a hinge, a slide or a ball joint
    FF_SEAT_FRAME,    // a frame, a body, its principal axes, or a shape
    FF_SEAT_TENDON,   //
    FF_SEAT_ACTUATOR, //
    FF_SEAT_ANYWHERE, // a frame, a body, or nothing
} ff_sensor_seat;

/// What `cutoff` of MJCF bounds: both ends, the upper one, or nothing (directions and rotations).
typedef enum ff_sensor_cutoff { FF_CUTOFF_BOTH, FF_CUTOFF_ABOVE, FF_CUTOFF_NONE } ff_sensor_cutoff;

/// A sensor at an instant.
typedef struct ff_sensed {
    const ff_sensor *sensor;
    const ff_sense_view *view;
    double *memory; // of encoders and tactile arrays
    double t;       // [s]
} ff_sensed;

typedef void ff_truth(const ff_sensed *at, double *out);

typedef struct ff_sensor_kind {
    ff_sensor_seat seat;
    unsigned needs;          // FF_NEEDS_... of at_work.h
    ff_truth *truth;         // NULL: a picture
    const char *channels[8]; // tactile arrays have so many for each taxel
    const char *units[8];
    ff_sensor_cutoff cutoff;
} ff_sensor_kind;

const ff_sensor_kind *ff_sensor_kind_of(ff_sensor_type type);

// sensor.c
ff_truth ff_truth_position, ff_truth_speed, ff_truth_encoder, ff_truth_current, ff_truth_deflection, ff_truth_gyro,
    ff_truth_accelerometer, ff_truth_attitude, ff_truth_inertial, ff_truth_switch, ff_truth_touch, ff_truth_plate;
// cut.c
ff_truth ff_truth_torque, ff_truth_force, ff_truth_force6, ff_truth_reaction, ff_truth_reaction_moment;
// ray.c
ff_truth ff_truth_distance, ff_truth_rangefinder;
// tactile.c
ff_truth ff_truth_tactile;
// places.c
ff_truth ff_truth_framepos, ff_truth_framequat, ff_truth_framexaxis, ff_truth_frameyaxis, ff_truth_framezaxis,
    ff_truth_framelinvel, ff_truth_frameangvel, ff_truth_framelinacc, ff_truth_frameangacc, ff_truth_velocimeter,
    ff_truth_magnetometer;
// subtree.c
ff_truth ff_truth_subtreecom, ff_truth_subtreelinvel, ff_truth_subtreeangmom;
// coordinates.c
ff_truth ff_truth_ballquat, ff_truth_ballangvel, ff_truth_tendonpos, ff_truth_tendonvel, ff_truth_actuatorpos,
    ff_truth_actuatorvel, ff_truth_actuatorfrc, ff_truth_jointactuatorfrc, ff_truth_tendonactuatorfrc,
    ff_truth_jointlimitpos, ff_truth_jointlimitvel, ff_truth_jointlimitfrc, ff_truth_tendonlimitpos,
    ff_truth_tendonlimitvel, ff_truth_tendonlimitfrc, ff_truth_clock;

#endif
