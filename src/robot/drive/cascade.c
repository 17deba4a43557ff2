// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sampled loops: PI with clamp and anti-windup, the cascade position P -> velocity PI -> current PI, and the shaper
// that turns a jump of the reference into a motion the drive can follow.
#include "drive/private.h"

#include <footfall/drive_parts.h>

double ff_pi_update(const ff_pi *pi, double *integral, double error, double forward, double period)
{
    const double before = *integral, step = pi->ki * period * error;
    const double demand = pi->kp * error + before + step + forward, out = ff_drive_clamp(demand, pi->limit);
    if (out == demand)
        *integral = before + step;
    else if (pi->windup == FF_WINDUP_BACK && pi->kp > 0.0)
        // a factor above 1 would move the integral beyond the end of the clamp in one sample
        *integral = before + step + ff_min(1.0, period * pi->ki / pi->kp) * (out - demand);
    else if (step * demand < 0.0)
        *integral = before + step;
    return out;
}

ff_cascade ff_cascade_design(const ff_dc_motor *motor, double inertia, double ratio, double kx, double w_v, double w_i)
{
    const double kv = w_v * inertia * ratio / motor->constant;
    return (ff_cascade){.kx = kx,
                        .velocity = {.kp = kv, .ki = 0.1 * w_v * kv, .windup = FF_WINDUP_BACK},
                        .current = {.kp = w_i * motor->inductance,
                                    .ki = w_i * motor->resistance,
                                    .limit = motor->voltage,
                                    .windup = FF_WINDUP_BACK},
                        .rate = 1e4,
                        .rate_speed = 1e4,
                        .rate_current = 2e4};
}

void ff_cascade_velocity(const ff_cascade *c, ff_cascade_state *s, double v, double forward)
{
    const double period = 1.0 / c->rate_speed, before = s->speed_integral;
    const double demand = ff_pi_update(&c->velocity, &s->speed_integral, s->speed - v, forward, period);
    const double most = c->slope * period, change = ff_drive_clamp(demand - s->current, most);
    // a current that the slope holds back is a clamp as well: the integral waits
    if (c->slope > 0.0 && s->current + change != demand) s->speed_integral = before;
    s->current += c->slope > 0.0 ? change : demand - s->current;
}

/// Greatest speed from which a distance suffices to brake in whole samples: with v = (k + f) a T, 0 <= f < 1, the
/// samples v, v - a T, .. add up to a T^2 (k + 1) (k / 2 + f). The continuous law sqrt(2 a e) would be half a sample
/// late.
static double braking_speed(double distance, double acceleration, double period)
{
    const double most = acceleration * period, units = distance / (most * period);
    const double k = floor(0.5 * (sqrt(1.0 + 8.0 * units) - 1.0));
    return most * (k + units / (k + 1.0) - 0.5 * k);
}

void ff_shaper_update(const ff_shaper *shaper, ff_shaper_state *state, double target, double period)
{
    const double error = target - state->position, most = shaper->most_acceleration * period, last = error / period;
    if (fabs(last) <= most && fabs(last - state->speed) <= most) { // one sample away, and at rest in the next
        *state = (ff_shaper_state){.position = target};
        return;
    }
    double demand = ff_drive_clamp(braking_speed(fabs(error), shaper->most_acceleration, period), shaper->most_speed);
    if (error < 0.0) demand = -demand;
    const double change = ff_drive_clamp(demand - state->speed, most);
    state->acceleration = change / period;
    state->speed += change;
    state->position += period * state->speed;
}
