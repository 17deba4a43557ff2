// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Motion profiles (amplifier.h).
#include "hardware/amplifier.h"

#include <footfall/math.h>

#include <math.h>

/// Replaces an absent limit: a double still resolves the change within a step of a microsecond.
#define UNBOUNDED 1e15

static double bound(double value)
{
    return value > 0.0 ? value : UNBOUNDED;
}

/// Moves for the time `lasts`, or until the step is over.
static void go(ff_motion *m, double acceleration, double lasts, double *dt)
{
    const double t = ff_min(lasts, *dt);
    m->position += t * (m->velocity + 0.5 * acceleration * t);
    m->velocity += acceleration * t;
    *dt -= t;
}

/// A phase of constant acceleration that ends at a velocity, which is reached exactly if the step is long enough.
static void reach(ff_motion *m, double velocity, double acceleration, double *dt)
{
    const double change = velocity - m->velocity, lasts = fabs(change) / acceleration;
    const bool ends = lasts <= *dt;
    go(m, copysign(acceleration, change), lasts, dt);
    if (ends) m->velocity = velocity;
}

void ff_motion_brake(ff_motion *m, double deceleration, double dt)
{
    if (deceleration > 0.0)
        reach(m, 0.0, deceleration, &dt);
    else
        m->velocity = 0.0;
}

void ff_motion_accelerate(ff_motion *m, double velocity, const ff_motion_bounds *p, double dt)
{
    if (m->velocity * velocity < 0.0) reach(m, 0.0, bound(p->deceleration), &dt);
    reach(m, velocity, bound(fabs(velocity) < fabs(m->velocity) ? p->deceleration : p->acceleration), &dt);
    m->position += m->velocity * dt;
}

/// Peak velocity of the motion: acceleration from v and deceleration to rest take all of the distance, (vp^2 - v^2) /
/// (2 acceleration) + vp^2 / (2 deceleration) = distance.
static double peak_velocity(double distance, double v, double acceleration, double deceleration)
{
    return sqrt(deceleration / (acceleration + deceleration) * (2.0 * acceleration * distance + v * v));
}

bool ff_motion_approach(ff_motion *m, double target, const ff_motion_bounds *p, double dt)
{
    const double most = bound(p->velocity), up = bound(p->acceleration), down = bound(p->deceleration);
    const double stop = m->velocity * fabs(m->velocity) / (2.0 * down), distance = target - m->position;
    const double scale = fabs(target) + fabs(m->position) + 1.0;
    const double beyond = distance - stop; // distance from the point where it would come to rest
    const double side = fabs(beyond) > 1e-12 * scale ? copysign(1.0, beyond) : copysign(1.0, m->velocity);
    if (side * m->velocity < 0.0) reach(m, 0.0, down, &dt); // it moves away from the target, or is too fast
    if (side * m->velocity > most) reach(m, side * most, down, &dt);
    const double rest = ff_max(side * (target - m->position), 0.0), v = fabs(m->velocity);
    const double peak = ff_max(ff_min(most, peak_velocity(rest, v, up, down)), 0.0);
    if (peak > v) reach(m, side * peak, up, &dt);
    const double level = (side * (target - m->position) - m->velocity * m->velocity / (2.0 * down)) / peak;
    if (peak > 0.0 && level > 0.0) go(m, 0.0, level, &dt);
    if (dt > 0.0) reach(m, 0.0, down, &dt);
    if (m->velocity != 0.0 || fabs(target - m->position) > 1e-9 * scale) return false;
    m->position = target;
    return true;
}
