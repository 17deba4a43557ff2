// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A kind of sensor, as its row of model/sensor_kinds.h describes it.
#ifndef FOOTFALL_SENSE_KINDS_H
#define FOOTFALL_SENSE_KINDS_H

#include "model/sensor_kinds.h"
#include "sense/interface.h"

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
    unsigned needs; // FF_NEEDS_... of interface.h
    ff_truth *truth;
    int first;               // of the numbers that `truth` gives, at most 9; FF_ALL: the kind has all of them
    const char *channels[8]; // tactile arrays have these for each taxel
    const char *units[8];
    ff_sensor_cutoff cutoff;
    unsigned flags; // bit i: channel i says yes or no
} ff_sensor_kind;

const ff_sensor_kind *ff_sensor_kind_of(ff_sensor_type type);

#define FF_SENSOR_TRUTH(type, name, mjcf, object, seat, needs, truth, ...) extern ff_truth truth;
FF_SENSOR_KINDS(FF_SENSOR_TRUTH)

#endif
