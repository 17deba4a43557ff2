// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Step sizes a contact asks for. A mass m on a spring k stays pi sqrt(m/k) in contact; twenty steps in that time resolve the peak.
#include "contact/private.h"

/// n . (I^-1 (r x n)) x r + 1/m of one side.
static double inverse_mass(const ff_contact_side *side, const double n[3])
{
    double moment[3], turn[3], velocity[3];
    ff_vec3_cross(moment, side->arm, n);
    ff_mat3_mulv(turn, side->inverse_inertia, moment);
    ff_vec3_cross(velocity, turn, side->arm);
    return side->inverse_mass + ff_vec3_dot(n, velocity);
}

double ff_contact_effective_mass(const ff_contact_side *one, const ff_contact_side *two, const double direction[3])
{
    return 1.0 / (inverse_mass(one, direction) + inverse_mass(two, direction));
}

ff_contact_step ff_contact_step_advice(const ff_contact_pair *pair, double mass, double load)
{
    double n = pair->exponent, force = fmax(load, 0.0);
    double depth = n == 1.0 ? force / pair->stiffness : pow(force / pair->stiffness, 1.0 / n);
    double damping = pair->damping * ff_power(depth, pair->damping_exponent);
    if (pair->law == FF_NORMAL_RESTITUTION) damping /= pair->impact_floor;
    ff_contact_step step = {.stiffness = n * pair->stiffness * ff_power(depth, n - 1.0)};
    double omega = sqrt(step.stiffness / mass), zeta = damping / (2.0 * mass * omega);
    step.half_period = FF_PI / omega;
    step.advised = step.half_period / 20.0;
    step.explicit_limit = 2.0 / (omega * (sqrt(1.0 + zeta * zeta) + zeta));
    return step;
}
