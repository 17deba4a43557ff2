// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Energies of a drive over an accepted implicit step: taken from the supply, given to the joints, lost. With the
// second-order correction d, the step from x0 to x1 is
//     x1 - x0 = h f(m),      m = (x0 + x1 + d) / 2,
// exactly where f is linear (engine/implicit/step.c: the mean (f0 + f1) / 2 + J d of the forces moves the bodies);
// without the correction the force at the end moves them, which is the same with d = x1 - x0. Energies are therefore h
// times the powers at m, all with positive weights. Powers at the two ends are wrong where a step does not resolve the
// drive: after an impact of 0.5 J they gave the damper 1.6 J.
//
// The stored energy changes by less. That of an inertia J changes by J dw (w0 + w1) / 2, while its torque did the work
// J dw (w0 + w1 + d_w) / 2; springs likewise. The difference, summed over all inertias and springs E,
//     N = 1/2 (x1 - x0) . E d,
// is the numerical damping of the method: zero where the step resolves the drive, the ringing after an impact where it
// does not. It counts as heat as far as the dampers of the drive would have taken it within the longest step; the rest
// is an error of the integration, and stays in the residual.
#include "drive/flow.h"
#include "drive/interface.h"

static const double LONGEST_STEP = 0.05; // that the implicit method chooses  [s]

bool ff_drive_has_step_energy(const ff_drive *drive)
{
    const bool linear =
        drive->transmission == FF_TRANSMISSION_FLEXIBLE || drive->transmission == FF_TRANSMISSION_BACKLASH;
    return linear && ff_drive_settles(drive) && !(ff_drive_has_current(drive) && drive->dc.dry > 0.0);
}

/// Part of the numerical damping that the dampers of the drive take within LONGEST_STEP.
FF_FLOW double damped_share(const ff_drive *d, ff_drive_kind kind, const ff_drive_memory *m, const ff_drive_flow *f)
{
    const bool loose = kind.transmission == FF_TRANSMISSION_BACKLASH, free = loose && m->mode == FF_BACKLASH_FREE;
    const double inertia = (free ? 0.0 : d->inertia) + (loose ? d->inertia_behind : 0.0);
    const double damping = f->damping + (free ? 0.0 : f->rotor_damping);
    return ff_min(1.0, LONGEST_STEP * damping / inertia);
}

FF_FLOW void step_energy(const ff_drive *d, ff_drive_kind kind, const ff_drive_memory *m, const ff_drive_step *step,
                         ff_drive_energy *energy)
{
    const int currents = ff_drive_nelectric_of(kind.motor, kind.pole),
              n = currents + ff_drive_nmoving_of(kind.transmission);
    const double h = step->h, way = step->end.x - step->start.x;
    double z[FF_DRIVE_STATES_MOST], damped = 0.0;
    ff_drive_flow f = {.at = step->end};
    f.at.x = 0.5 * (step->start.x + step->end.x + step->shift);
    f.at.speed = way / h;
    for (int k = 0; k < n; k++) z[k] = 0.5 * (step->z0[k] + step->z1[k] + step->dz[k]);
    ff_flow_evaluate_at(d, kind, m, (ff_drive_turn){f.at.x, f.at.speed}, z, NULL, &f);
    if (currents > 0 && kind.motor == FF_MOTOR_DC)
        damped += d->dc.inductance * (step->z1[0] - step->z0[0]) * step->dz[0];
    for (int k = currents + 1; k < n; k += 2)
        damped += (k > currents + 1 ? d->inertia_behind : d->inertia) * (step->z1[k] - step->z0[k]) * step->dz[k];
    damped += d->stiffness * (step->z1[n - 2] - step->z0[n - 2] - way) * (step->dz[n - 2] - step->shift);
    damped = 0.5 * (damped + h * f.force * step->shift_speed);
    energy->electrical = h * f.electrical;
    energy->mechanical = h * f.mechanical;
    energy->copper = h * f.copper;
    energy->lost = ff_max(0.0, h * f.loss + damped_share(d, kind, m, &f) * damped);
}

void ff_drive_step_energy(const ff_drive *drive, const ff_drive_memory *memory, const ff_drive_step *step,
                          ff_drive_energy *energy)
{
    if (ff_drive_geared(drive) && drive->pole)
        step_energy(drive, ff_drive_geared_kind(drive, true), memory, step, energy);
    else if (ff_drive_geared(drive))
        step_energy(drive, ff_drive_geared_kind(drive, false), memory, step, energy);
    else
        step_energy(drive, ff_drive_kind_of(drive), memory, step, energy);
}
