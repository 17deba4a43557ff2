// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Step sizes that a contact needs. A mass m on a spring k stays pi sqrt(m/k) in contact; twenty steps in that time
// resolve the peak.
#include "contact/advance.h"
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

/// Steps for a mass on a spring and a damper; either may be zero.
static ff_contact_step steps_of(double stiffness, double damping, double mass)
{
    double omega = sqrt(stiffness / mass), decay = damping / (2.0 * mass);
    return (ff_contact_step){.stiffness = stiffness,
                             .half_period = FF_PI / omega,
                             .advised = FF_PI / omega / 20.0,
                             .explicit_limit = 2.0 / (sqrt(omega * omega + decay * decay) + decay)};
}

ff_contact_step ff_contact_step_advice(const ff_contact_pair *pair, double mass, double load)
{
    double n = pair->exponent, force = ff_max(load, 0.0);
    double depth = n == 1.0 ? force / pair->stiffness : ff_pow(force / pair->stiffness, 1.0 / n);
    double damping = pair->damping * ff_power(depth, pair->damping_exponent);
    if (ff_normal_laws[pair->law].uses & FF_USES_IMPACT_SPEED) damping /= pair->impact_floor;
    return steps_of(n * pair->stiffness * ff_power(depth, n - 1.0), damping, mass);
}

/// Depth to which a mass with this speed would press the spring without its damper: k p^(n+1) / (n+1) = m v^2 / 2.
static double depth_of_impact(const ff_contact_pair *pair, double mass, double speed)
{
    const double n = pair->exponent, twice = mass * speed * speed / pair->stiffness;
    return n == 1.0 ? sqrt(twice) : ff_pow(0.5 * (n + 1.0) * twice, 1.0 / (n + 1.0));
}

double ff_contact_impact_time(const ff_contact_pair *pair, double mass, double speed)
{
    const double resting = ff_contact_step_advice(pair, mass, mass * 9.81).half_period;
    if (!(speed > 0.0)) return resting;
    const double depth = depth_of_impact(pair, mass, speed);
    const double slope = ff_normal_evaluate(pair, 1.0, depth, speed, speed).by_depth;
    return ff_min(resting, FF_PI * sqrt(mass / slope));
}

ff_contact_step ff_contact_friction_advice(const ff_contact_pair *pair, double mass, double load)
{
    const ff_friction *f = &pair->friction;
    double depth = ff_max(load, 0.0) / pair->stiffness;
    const double stiffness = ff_friction_uses(f, FF_USES_SPRING) ? f->stiffness : 0.0;
    double damping = 0.0;
    if (ff_friction_uses(f, FF_USES_SPRING_DAMPING))
        damping = f->damping * ff_power(depth, ff_friction_damping_exponent(f));
    if (ff_friction_uses(f, FF_USES_STRIBECK_CURVE)) damping = f->viscous * f->breakaway / ff_friction_slowdown(f);
    return steps_of(stiffness, damping, mass);
}
