// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of the drive room share: where the states of a drive lie in its z, and where its rotor stands.
#ifndef FOOTFALL_DRIVE_PRIVATE_H
#define FOOTFALL_DRIVE_PRIVATE_H

#include <footfall/drive.h>

enum { FF_DRIVE_STATES_MAX = 6 }; // two currents, two inertias

/// Number of electrical states, which come first in z: i, or i_d and i_q.
static inline int ff_drive_nelectric_of(ff_drive_motor motor, bool pole)
{
    if (motor == FF_MOTOR_PMSM) return 2;
    return motor == FF_MOTOR_LAG || (motor == FF_MOTOR_DC && pole) ? 1 : 0;
}

static inline int ff_drive_nelectric(const ff_drive *d)
{
    return ff_drive_nelectric_of(d->motor, d->pole);
}

/// Does a temperature bound its current?
static inline bool ff_drive_warms(const ff_drive *d)
{
    const bool current = d->motor == FF_MOTOR_DC || d->motor == FF_MOTOR_LAG || d->motor == FF_MOTOR_PMSM;
    return current && d->thermal.capacity > 0.0 && d->thermal.limit > d->thermal.ambient;
}

/// A direct drive that somebody must look at between commands: its limit switches, its temperature.
static inline bool ff_drive_watched(const ff_drive *d)
{
    return d->loop == FF_LOOP_DIRECT && (d->stroke[1] > d->stroke[0] || ff_drive_warms(d));
}

/// Angle and speed of a rotor, after the gear. By value: read back from memory they would be loaded as one vector out
/// of two fresh scalar stores, which a processor cannot forward (measured: 15 ns of 45 a drive).
typedef struct ff_drive_turn {
    double angle, speed;
} ff_drive_turn;

/// The first two states of the transmission, or the joint's own.
static inline ff_drive_turn ff_drive_rotor(const ff_drive *d, ff_drive_turn joint, const double *z)
{
    if (d->transmission == FF_TRANSMISSION_RIGID) return joint;
    const double *mechanic = z + ff_drive_nelectric(d);
    return (ff_drive_turn){mechanic[0], mechanic[1]};
}

/// Where the drive stands. Without a call for the plain joint that nearly all drives have.
static inline ff_drive_turn ff_drive_locate(const ff_drive_path *path, ff_drive_path_kind kind, const double *q,
                                            const double *v, ff_drive_position *at)
{
    ff_drive_turn joint;
    if (kind == FF_PATH_JOINT) {
        joint = (ff_drive_turn){q[path->qadr[0]] + path->offset, v[path->vadr[0]]};
        *at = (ff_drive_position){.x = joint.angle, .speed = joint.speed, .lever = {1.0, 0.0}};
    } else {
        *at = ff_drive_path_locate(path, q, v);
        joint = (ff_drive_turn){at->x, at->speed};
    }
    return joint;
}

#endif
