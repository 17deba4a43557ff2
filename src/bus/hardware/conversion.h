// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From counts of motors to joints and back: counts of an encoder, which wrap; the coordinate x of a drive; the joints
// that the drive moves, by its path (footfall/drive.h), whose ratio may depend on the position.
#ifndef FOOTFALL_HARDWARE_CONVERSION_H
#define FOOTFALL_HARDWARE_CONVERSION_H

#include "hardware/wiring.h"

/// What counts mean: x = x_home + (count - home) / scale, once homed.
typedef struct ff_counting {
    double scale;  // counts for one of x  [1/rad, 1/m]
    bool begun;    // a count has come
    int32_t last;  // as read
    int64_t total; // unwrapped
    double home;   // unwrapped count at x_home
    double x_home; // [rad, m]
    bool homed;
} ff_counting;

/// Takes a count as read; differences beyond 2^31 are wraps.
void ff_counting_read(ff_counting *counting, int32_t count);
void ff_counting_set_home(ff_counting *counting, double total, double x);
double ff_counting_position(const ff_counting *counting);
/// The count that a drive gets for a position, as wide as the count it gives.
int32_t ff_counting_target(const ff_counting *counting, double x);

/// Positions of the joints of all drives from those of the drives, by Newton's method from the joints in q.
/// @param x  of the drives  (ndrive)
/// @param q  in: near; out: the joints moved by drives, others stay  (nq)
void ff_joints_from_drives(const ff_wiring *wiring, const double *x, double *q);
/// Errors of joints from errors of drives, by the levers at q. @param out  (nv)
void ff_joint_errors(const ff_wiring *wiring, const double *error, const double *q, double *out);

/// Position, speed and force of references: of the joints where a differential moves them, else of the drives
/// themselves; and the same of all drives.  (ndrive)
void ff_drives_from_references(const ff_wiring *wiring, const double (*references)[3], double (*drives)[3]);
void ff_references_from_drives(const ff_wiring *wiring, const double (*drives)[3], double (*references)[3]);

/// A position within a turn, as an absolute encoder gives it, on the turn of the joint's range.
double ff_unwrap_to_range(double angle, const ff_joint *joint);

#endif
