// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a drive took, gave and lost in an implicit step that was made. With d the second-order correction the step from
// x0 to x1 is
//     x1 - x0 = h f(m),      m = (x0 + x1 + d) / 2,
// exactly so where f is linear (engine/implicit/step.c: the mean (f0 + f1) / 2 + J d of the forces moves the bodies);
// without the correction it is the force at the end, which is the same with d = x1 - x0. So energies are h times the
// powers at m: forces of the step along its way, all weights positive. Powers at the two ends are another number where
// a step does not resolve the drive: behind impacts that of the damper made 1.6 J of 0.5 J.
//
// What is stored changes by less than that. Of an inertia J it changes by J dw (w0 + w1) / 2, where the torque has made
// J dw times the way h (w0 + w1 + d_w) / 2; of a spring likewise. The difference, summed over all that stores,
//     N = 1/2 (x1 - x0) . E d,      E: inertias and stiffnesses,
// is what the method damps by itself: nothing where the step resolves the drive, and where it does not the ringing of
// what is behind an impact, which has no end but in dampers of the drive. It is heat as far as these would have taken
// it by themselves before long; without a damper it is an error of the integration, and stays in the residual.
#include "drive/flow.h"
#include "drive/interface.h"

static const double SOON = 0.05; // the longest step of the implicit method by itself  [s]

bool ff_drive_spends(const ff_drive *drive)
{
    const bool linear =
        drive->transmission == FF_TRANSMISSION_FLEXIBLE || drive->transmission == FF_TRANSMISSION_BACKLASH;
    return linear && ff_drive_settles(drive) && !(ff_drive_has_current(drive) && drive->dc.dry > 0.0);
}

/// Part of what the method damps that dampers of the drive take in a time SOON.
FF_FLOW double soon(const ff_drive *d, ff_drive_kind kind, const ff_drive_memory *m, const ff_drive_flow *f)
{
    const bool loose = kind.transmission == FF_TRANSMISSION_BACKLASH, free = loose && m->mode == FF_BACKLASH_FREE;
    const double inertia = (free ? 0.0 : d->inertia) + (loose ? d->inertia_behind : 0.0);
    const double damping = f->damping + (free ? 0.0 : f->rotor_damping);
    return ff_min(1.0, SOON * damping / inertia);
}

FF_FLOW void spend(const ff_drive *d, ff_drive_kind kind, const ff_drive_memory *m, const ff_drive_made *made,
                   ff_drive_spent *spent)
{
    const int currents = ff_drive_nelectric_of(kind.motor, kind.pole),
              n = currents + ff_drive_nmoving_of(kind.transmission);
    const double h = made->h, way = made->end.x - made->start.x;
    double z[FF_DRIVE_STATES_MOST], damped = 0.0;
    ff_drive_flow f = {.at = made->end};
    f.at.x = 0.5 * (made->start.x + made->end.x + made->shift);
    f.at.speed = way / h;
    for (int k = 0; k < n; k++) z[k] = 0.5 * (made->z0[k] + made->z1[k] + made->dz[k]);
    ff_flow_evaluate_at(d, kind, m, (ff_drive_turn){f.at.x, f.at.speed}, z, NULL, &f);
    if (currents > 0 && kind.motor == FF_MOTOR_DC)
        damped += d->dc.inductance * (made->z1[0] - made->z0[0]) * made->dz[0];
    for (int k = currents + 1; k < n; k += 2)
        damped += (k > currents + 1 ? d->inertia_behind : d->inertia) * (made->z1[k] - made->z0[k]) * made->dz[k];
    damped += d->stiffness * (made->z1[n - 2] - made->z0[n - 2] - way) * (made->dz[n - 2] - made->shift);
    damped = 0.5 * (damped + h * f.force * made->faster);
    spent->electrical = h * f.electrical;
    spent->mechanical = h * f.mechanical;
    spent->copper = h * f.copper;
    spent->lost = ff_max(0.0, h * f.loss + soon(d, kind, m, &f) * damped);
}

void ff_drive_spend(const ff_drive *drive, const ff_drive_memory *memory, const ff_drive_made *made,
                    ff_drive_spent *spent)
{
    if (ff_drive_geared(drive) && drive->pole)
        spend(drive, ff_drive_geared_kind(drive, true), memory, made, spent);
    else if (ff_drive_geared(drive))
        spend(drive, ff_drive_geared_kind(drive, false), memory, made, spent);
    else
        spend(drive, ff_drive_kind_of(drive), memory, made, spent);
}
