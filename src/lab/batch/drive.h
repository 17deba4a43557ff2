// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a drive gives of the torque that its servo asks for, in closed form: those equations of src/robot/drive
// (motor.c, flow.h) that have no state of their own.
//     line    |tau| <= stall (1 - |v| / no_load) while it drives, |tau| <= stall while it brakes
//     motor   i = tau / (N k),  |i| <= I,  |R i + k w| <= U,  w = N v
//             tau = N (k i - b w - c w / sqrt(w^2 + s^2) - (1 - eta) |k i| w / sqrt(w^2 + s^2))
#ifndef FOOTFALL_BATCH_DRIVE_H
#define FOOTFALL_BATCH_DRIVE_H

#include "batch/lanes.h"
#include "batch/model.h"

/// `demand` within the line of a drive (ff_motor_line).
FN real within_line(const ff_batch_drive_law *d, real demand, real v)
{
    const real left = larger(1.0 - size_of(v) / d->no_load, each(0.0));
    const real most = choose(demand * v > 0.0, d->stall * left, each(d->stall));
    return choose(demand > most, most, choose(demand < -most, -most, demand));
}

/// Voltage of a motor of direct current for a torque after its gear, at the speed v.
FN real voltage_for(const ff_batch_drive_law *d, real demand, real v)
{
    const real current = clamp(demand / (d->gear * d->constant), -d->current, d->current);
    return clamp(d->resistance * current + d->constant * (d->gear * v), -d->voltage, d->voltage);
}

/// Its torque after the gear at a voltage: the winding follows at once.
FN real of_motor(const ff_batch_drive_law *d, real voltage, real v)
{
    const real w = d->gear * v, induced = d->constant * w;
    const real torque = d->constant * ((voltage - induced) / d->resistance);
    real lost = d->viscous * w;
    if (d->dry_speed > 0.0)
        lost += (d->dry + (1.0 - d->efficiency) * size_of(torque)) * (w / root(w * w + d->dry_speed * d->dry_speed));
    return d->gear * (torque - lost);
}

#endif
