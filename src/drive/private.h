// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of the drive room share: where the states of a drive lie in its z, and the torque of its motor.
#ifndef FOOTFALL_DRIVE_PRIVATE_H
#define FOOTFALL_DRIVE_PRIVATE_H

#include <footfall/drive.h>

/// Number of electrical states, which come first in z: i, or i_d and i_q.
static inline int ff_drive_nelectric(const ff_drive *d)
{
    if (d->motor == FF_MOTOR_PMSM) return 2;
    return d->motor == FF_MOTOR_LAG || (d->motor == FF_MOTOR_DC && d->pole) ? 1 : 0;
}

/// Rotor angle and speed, after the gear: the first two states of the transmission, or the joint's own.
static inline void ff_drive_rotor(const ff_drive *d, const ff_drive_position *at, const double *z, double rotor[2])
{
    if (d->transmission == FF_TRANSMISSION_RIGID) {
        rotor[0] = at->x;
        rotor[1] = at->speed;
    } else {
        const double *mechanic = z + ff_drive_nelectric(d);
        rotor[0] = mechanic[0];
        rotor[1] = mechanic[1];
    }
}

/// Electrical side: force on the rotor after the gear, with its account in `flow`; rates of the electrical states.
/// @return that force
double ff_drive_motor_force(const ff_drive *d, const ff_drive_memory *m, const double rotor[2], const double *z,
                            double *zdot, ff_drive_flow *flow);
/// Torques on the two inertias of a backlash but that of the faces: on the motor and on the transmission.
void ff_drive_backlash_torques(const ff_drive *d, const ff_drive_position *at, const double *mechanic,
                               double motor_force, double torque[2]);

#endif
