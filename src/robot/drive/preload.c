// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A drive at rest under a load: the twist of its transmission, and the states with which it carries the load from the
// first instant on.
//
//   flexible  F / K                           teeth     F / K + h / 2 + F / k
//   backlash  F / K + h / 2, faces pressed    cables    where the tensions differ by F / r
#include "drive/private.h"

static const double JUST_TAUT = 1e-9; // stretch at which a cable pulls [m]
static const double SLACK = 1e-6;     // twists below this part of the backlash press on neither face

/// Angle at which the cables carry a force, by Newton's method; 0 where they cannot. For a single cable without
/// pretension the iteration starts where it is just taut.
static double twist_of_cables(const ff_drive *d, double force)
{
    double turn = d->sea.one && force > 0.0 && !(d->sea.stretch > 0.0) ? JUST_TAUT / d->sea.radius : 0.0;
    for (int round = 0; round < 50; round++) {
        const double slope = ff_sea_slope(&d->sea, turn), missing = force - ff_sea_torque(&d->sea, turn, 0.0);
        if (fabs(missing) <= 1e-12 * fabs(force)) return turn;
        if (!(slope > 0.0)) break;
        turn += missing / slope;
    }
    return 0.0;
}

static double twist_of_spring(const ff_drive *d, double force)
{
    return d->stiffness > 0.0 ? force / d->stiffness : 0.0;
}

/// Which faces of the teeth carry the force: 1, -1, or 0 for almost no force.
static int pressed(const ff_drive *d, double force)
{
    const double turn = twist_of_spring(d, force);
    return fabs(turn) <= SLACK * d->backlash.gap ? 0 : force > 0.0 ? 1 : -1;
}

/// How far the rotor lies ahead of the path, after the gear, when the drive carries a force at rest.
static double twist(const ff_drive *d, double force)
{
    const double half = 0.5 * d->backlash.gap * pressed(d, force);
    switch (d->transmission) {
    case FF_TRANSMISSION_RIGID:
        return 0.0;
    case FF_TRANSMISSION_CABLES:
        return twist_of_cables(d, force);
    case FF_TRANSMISSION_BACKLASH:
        return twist_of_spring(d, force) + half;
    case FF_TRANSMISSION_TEETH:
        return twist_of_spring(d, force) + (half == 0.0 ? 0.0 : half + force / d->backlash.stiffness);
    default:
        return twist_of_spring(d, force);
    }
}

double ff_drive_pull(const ff_drive *drive, double x)
{
    return drive->motor == FF_MOTOR_NONE ? ff_cable_force(&drive->cable, x, 0.0) : 0.0;
}

double ff_drive_reference_offset(const ff_drive *drive, double force)
{
    const ff_drive *d = drive;
    const double servo = d->motor == FF_MOTOR_SERVO && d->servo.stiffness > 0.0 ? force / d->servo.stiffness : 0.0;
    return servo + (d->at_joint ? 0.0 : twist(d, force));
}

void ff_drive_preload(const ff_drive *drive, ff_drive_memory *memory, double force, double *z)
{
    const ff_drive *d = drive;
    const int electric = ff_drive_nelectric(d);
    const double per_current = d->ratio * d->dc.constant;
    const bool loose = d->transmission == FF_TRANSMISSION_BACKLASH || d->transmission == FF_TRANSMISSION_TEETH;
    if (d->motor == FF_MOTOR_NONE) return;
    memory->reference[0] += ff_drive_reference_offset(d, force);
    memory->target = memory->shaper.position = memory->reference[0];
    memory->measured_force = force;
    if (electric == 1 && per_current != 0.0) z[0] = force / per_current; // the two of a pmsm align its rotor first
    if (d->span > 0.0 && d->motor != FF_MOTOR_PMSM) ff_drive_hold_ahead(d, memory, force / per_current);
    if (d->transmission == FF_TRANSMISSION_RIGID) return;
    z[electric] += twist(d, force);
    if (loose) z[electric + 2] += twist_of_spring(d, force);
    if (d->transmission == FF_TRANSMISSION_BACKLASH) memory->mode = pressed(d, force);
    if (!d->at_joint) memory->measured = ff_encoder_angle(d->counts, z[electric] * d->ratio) / d->ratio;
}
