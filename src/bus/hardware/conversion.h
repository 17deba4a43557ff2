// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Conversion between counts of an encoder, which wrap, the coordinate x of a drive, and the joints that the drive moves
// by its transmission (footfall/drive.h), whose ratio may depend on the position.
#ifndef FOOTFALL_HARDWARE_CONVERSION_H
#define FOOTFALL_HARDWARE_CONVERSION_H

#include "hardware/wiring.h"

/// Unwrapped counts of an encoder. Once homed, x = x_home + (count - home) / scale.
typedef struct ff_counting {
    double scale;  // counts per unit of x  [1/rad, 1/m]
    bool begun;    // a count has been read
    int32_t last;  // as read
    int64_t total; // unwrapped
    double home;   // unwrapped count at x_home
    double x_home; // [rad, m]
    bool homed;
} ff_counting;

/// Adds a count as read; differences beyond 2^31 are wraps.
void ff_counting_read(ff_counting *counting, int32_t count);
void ff_counting_set_home(ff_counting *counting, double total, double x);
double ff_counting_position(const ff_counting *counting);
/// The count that commands a position, with the width of the encoder count.
int32_t ff_counting_target(const ff_counting *counting, double x);

/// Joint positions from drive positions, by Newton's method from the initial guess in q. @param x  of the drives
/// (ndrive) @param q  in: initial guess; out: joints moved by drives, others unchanged  (nq)
void ff_joints_from_drives(const ff_wiring *wiring, const double *x, double *q);
/// Errors of joints from errors of drives, by the Jacobian at q. @param out  (nv)
void ff_joint_errors(const ff_wiring *wiring, const double *error, const double *q, double *out);

/// Converts position, speed and force commands to those of all drives. Commands are those of joints where a
/// differential moves them, else those of the drives themselves.  (ndrive)
void ff_drives_from_references(const ff_wiring *wiring, const double (*references)[3], double (*drives)[3]);
void ff_references_from_drives(const ff_wiring *wiring, const double (*drives)[3], double (*references)[3]);

/// Maps a position within a turn, as of an absolute encoder, to the range of the joint.
double ff_unwrap_to_range(double angle, const ff_joint *joint);

#endif
