// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Backlash between the inertia of the motor and that of the transmission. M. F. Silva, J. A. T. Machado and A. M.
// Lopes, Modelling and simulation of artificial locomotion systems, equations (9a)-(9d), where the inertia behind the
// teeth is that of the transmission. There are two forms: impacts with restitution, and teeth that are stiff springs;
// the second tends to the first as the springs stiffen.
#include "drive/private.h"

#include <footfall/drive_parts.h>

void ff_backlash_impact(const ff_backlash *b, double *motor_speed, double *transmission_speed)
{
    const double Jm = b->motor, J = b->transmission, e = b->restitution, wm = *motor_speed, wT = *transmission_speed;
    *transmission_speed = (wT * (J - e * Jm) + wm * Jm * (1.0 + e)) / (J + Jm);
    *motor_speed = (wT * J * (1.0 + e) + wm * (Jm - e * J)) / (J + Jm);
}

/// J_m J_T / (J_m + J_T).
static double reduced_inertia(const ff_backlash *b)
{
    return b->motor * b->transmission / (b->motor + b->transmission);
}

double ff_backlash_loss(const ff_backlash *b, double closing)
{
    return 0.5 * reduced_inertia(b) * (1.0 - b->restitution * b->restitution) * closing * closing;
}

double ff_backlash_tooth_damping(const ff_backlash *b)
{
    const double e = ff_min(ff_max(b->restitution, 1e-6), 1.0), l = -ff_log(e);
    const double zeta = l / sqrt(FF_PI * FF_PI + l * l);
    return 2.0 * zeta * sqrt(b->stiffness * reduced_inertia(b));
}

/// How far the offset lies beyond the gap, with its sign; 0 inside.
static double overlap(const ff_backlash *b, double offset)
{
    const double half = 0.5 * b->gap;
    return offset > half ? offset - half : offset < -half ? offset + half : 0.0;
}

double ff_backlash_tooth(const ff_backlash *b, double offset, double rate)
{
    const double d = overlap(b, offset);
    return d == 0.0 ? 0.0 : b->stiffness * d + b->damping * rate;
}

double ff_backlash_tooth_energy(const ff_backlash *b, double offset)
{
    const double d = overlap(b, offset);
    return 0.5 * b->stiffness * d * d;
}

double ff_backlash_press(const ff_backlash *b, double motor_torque, double other_torque)
{
    // (J_m + J_T) a = all torques; the transmission needs J_T a - other_torque from the motor
    return (b->transmission * motor_torque - b->motor * other_torque) / (b->motor + b->transmission);
}
