// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Servos with drives. What a drive gives of the torque that its servo commands follows from those equations of
// src/robot/drive (motor.c, flow.h) that have no state of their own:
//     line    |tau| <= stall (1 - |v| / no_load) while it drives, |tau| <= stall while it brakes
//     motor   i = tau / (N k),  |i| <= I,  |R i + k w| <= U,  w = N v
//             tau = N (k i - b w - c w / sqrt(w^2 + s^2) - (1 - eta) |k i| w / sqrt(w^2 + s^2))
// Their loops act at any time, or sample the joint every few steps, as the sampled side of a drive
// does (src/robot/drive/sample.c): what they command is then held until the next sample, while the motor goes on by its
// own equations.
//     loop           position and speed by an encoder or perfect; a torque, or the voltage of a motor, is held
//     hobby servo    a target of position is held for a frame and comes in notches; the regulator is always there
//     differential   its motors act before the joints are asked for their torques (pair.h)
// The first step of a robot is a sample, so that nothing need be kept before it.
#ifndef FOOTFALL_BATCH_DRIVEN_H
#define FOOTFALL_BATCH_DRIVEN_H

#include "batch/place.h"

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

/// Robots for which a multiple of `period` steps has passed.
FN mask is_due(real age, int period)
{
    return (num)period * whole_part(age / (num)period) == age;
}

/// A new value where it is due, else the one that is kept.
FN real held(mask due, real value, real *kept)
{
    *kept = choose(due, value, *kept);
    return *kept;
}

FN real within_line_of(const ff_batch_drive_law *d, real torque, real v)
{
    return d->no_load > 0.0 ? within_line(d, torque, v) : torque;
}

/// Regulator of a hobby servo (ff_servo_torque): it knows the target of position alone.
FN real hobby_torque(const ff_batch_servo_law *s, real *kept, real age, real gain, real target, real q, real v)
{
    if (s->notch > 0.0) target = whole_part(target / s->notch + 0.5) * s->notch;
    const real aim = held(is_due(age, s->frame), target, &ROW(kept, FF_KEPT_TARGET));
    const real torque = clamp(gain * (s->stiffness * (aim - q) - s->damping * v), s->low, s->high);
    return within_line_of(&s->drive, torque, v);
}

/// A loop that acts at any time.
FN real steady_torque(const ff_batch_servo_law *s, real gain, real position, real speed, real torque, real q, real v)
{
    const real pull = s->stiffness * (position - q) + s->damping * (speed - v);
    const real given = within_line_of(&s->drive, clamp(gain * pull + torque, s->low, s->high), v);
    return s->drive.constant > 0.0 ? of_motor(&s->drive, voltage_for(&s->drive, given, v), v) : given;
}

/// Torque of the motor of a servo for a target, at the position q and speed v of its joint. All numbers of a robot come
/// by value: what a function gets by an address has to lie in memory.
APART real motor_torque(const struct ff_batch_model *m, int servo, real *x, real gain, real position, real speed,
                        real torque, real q, real v)
{
    const ff_batch_servo_law *s = &m->servos[servo];
    if (s->period == 0 && s->frame == 0) return steady_torque(s, gain, position, speed, torque, q, v);
    real *kept = &ROW(x, m->kept + FF_KEPT_ROWS * servo);
    const real age = ROW(x, m->robot + FF_ROBOT_AGE);
    position = clamp(position, s->low_target, s->high_target);
    if (s->frame > 0) return hobby_torque(s, kept, age, gain, position, q, v);
    const mask due = is_due(age, s->period);
    real seen = q, measured_speed = v;
    if (s->encoder > 0.0) {
        seen = whole_part(q / s->encoder) * s->encoder;
        measured_speed = choose(age == 0.0, each(0.0), (seen - ROW(kept, FF_KEPT_SEEN)) / (s->period * m->step));
        held(due, seen, &ROW(kept, FF_KEPT_SEEN));
    }
    const real pull = s->stiffness * (position - seen) + s->damping * (speed - measured_speed);
    real command = clamp(gain * pull + torque, s->low, s->high);
    const int motor = s->drive.constant > 0.0;
    if (motor) command = voltage_for(&s->drive, command, measured_speed);
    command = held(due, command, &ROW(kept, FF_KEPT_COMMAND));
    return motor ? of_motor(&s->drive, command, v) : within_line_of(&s->drive, command, v);
}

/// Torque of a servo with a drive on its joint, for `target` (position, speed, torque).
FN real driven_torque(const struct ff_batch_model *m, int servo, real *x, real gain, const real *target, real q, real v)
{
    if (KNOWN(m, npair) > 0 && m->servos[servo].paired) return ROW(x, m->kept + FF_KEPT_ROWS * servo + FF_KEPT_TORQUE);
    return motor_torque(m, servo, x, gain, target[0], target[1], target[2], q, v);
}

#endif
