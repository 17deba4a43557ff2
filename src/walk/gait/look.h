// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Looking ahead: a robot that stands nods, and a distance sensor in its head scans the ground before it.
#ifndef FOOTFALL_SRC_GAIT_LOOK_H
#define FOOTFALL_SRC_GAIT_LOOK_H

#include <footfall/dyn.h>
#include <footfall/io_bus.h>

enum { FF_LOOK_SAMPLES = 512, FF_LOOK_CHAIN = 8 };

/// Sensor and joints; immutable.
typedef struct ff_look {
    const ff_model *model;
    int distance, hit;           // items of the sensor
    int frame;                   // where it sits; it looks along x
    int joint;                   // that nods
    double sign;                 // of its angle where the head goes up
    double low, high;            // least and greatest angle of the head, up positive  [rad]
    int njoint;                  // between the root body and the sensor, with sensors of their own
    int joints[FF_LOOK_CHAIN];   //
    int position[FF_LOOK_CHAIN]; // items
} ff_look;

/// One ray in the middle plane, ahead and up from the ground below the root body of the robot that stands.
typedef struct ff_look_ray {
    double eye[2], way[2]; // from where, and in which direction (of length 1 in space)  [m, 1]
    double distance;       // below 0: nothing there  [m]
} ff_look_ray;

/// All that changes: plain data.
typedef struct ff_look_memory {
    int64_t stamp; // of the last sample  [ns]
    int32_t count, spare;
    ff_look_ray rays[FF_LOOK_SAMPLES];
} ff_look_memory;

/// A height that was seen, and where.
typedef struct ff_look_ledge {
    double distance, height; // from the root body's origin to the wall  [m]
} ff_look_ledge;

/// height (1 - cos(2 pi (x - start) / length)) / 2
typedef struct ff_look_hill {
    double start, length, height; // [m]
} ff_look_hill;

/// Finds a distance sensor on a body that a driven joint nods and that carries no legs.
/// @return FF_OK, or FF_NOT_FOUND with what is missing
ff_status ff_look_bind(ff_look *look, const ff_model *model, const ff_io_layout *sensors, ff_error *err);
/// Angle of the nodding joint at a time since the start of the scan, `usual` before and after it. @return false: it is
/// over
bool ff_look_nod(const ff_look *look, double t, double usual, double *angle);
/// Takes a new sample over. d->q is the pose of the robot, root body above the origin; measured joints are put in.
void ff_look_take(const ff_look *look, const ff_io_frame *sensors, ff_data *d, ff_look_memory *memory);
/// The wall ahead and its height. @return FF_OK, or FF_NOT_FOUND with what was seen instead
ff_status ff_look_find_ledge(const ff_look_memory *memory, ff_look_ledge *ledge, ff_error *err);
/// The wave that fits what was seen of a hill best. @return FF_OK, or FF_NOT_FOUND
ff_status ff_look_find_hill(const ff_look_memory *memory, ff_look_hill *hill, ff_error *err);

#endif
