// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws of the model's own actuators, as MJCF has them: force = gain(l, l') a + bias(l, l').
//
// Muscles: with l0 and l1 the length range of the actuator, L0 = (l1 - l0) / (range1 - range0) is its optimal length,
// L = range0 + (l - l0) / L0 its length and V = l' / (L0 vmax) its speed in units of it. Then
//     active   -F FL(L) FV(V) a      FL: two pairs of parabolas, 1 at L = 1, 0 outside (lmin, lmax)
//                                    FV: parabolas, 0 at V = -1, 1 at V = 0, fvmax from V = fvmax - 1 on
//     passive  -F fpmax FP(L)        FP: 0 up to L = 1, a parabola up to (1 + lmax) / 2, then straight; 1 at lmax
// and the activation follows the command with T_act (1/2 + 3/2 a) on its way up and T_deact / (1/2 + 3/2 a) down
// (M. Millard et al., J. Biomech. Eng. 135(2), 2013). Curves: MuJoCo's documentation, "Muscle actuators".
#include "dyn/actuator.h"

#define LEAST 1e-15

static double bound(double x, const double range[2])
{
    return ff_min(ff_max(x, range[0]), range[1]);
}

double ff_actuator_command(const ff_actuator *actuator, double command)
{
    return actuator->command_limited ? bound(command, actuator->command_range) : command;
}

// ------------------------------------------------------------------------------------------ muscles

static double optimal_length(const ff_muscle *m, const double range[2])
{
    return ff_max(LEAST, (range[1] - range[0]) / ff_max(LEAST, m->operating[1] - m->operating[0]));
}

static double square(double x)
{
    return x * x;
}

static double force_by_length(const ff_muscle *m, double L)
{
    const double a = 0.5 * (m->shortest + 1.0), b = 0.5 * (1.0 + m->longest);
    if (L < m->shortest || L > m->longest) return 0.0;
    if (L <= a) return 0.5 * square((L - m->shortest) / ff_max(LEAST, a - m->shortest));
    if (L <= 1.0) return 1.0 - 0.5 * square((1.0 - L) / ff_max(LEAST, 1.0 - a));
    if (L <= b) return 1.0 - 0.5 * square((L - 1.0) / ff_max(LEAST, b - 1.0));
    return 0.5 * square((m->longest - L) / ff_max(LEAST, m->longest - b));
}

static double force_by_speed(const ff_muscle *m, double V)
{
    const double end = m->lengthening - 1.0;
    if (V <= -1.0) return 0.0;
    if (V <= 0.0) return square(V + 1.0);
    return V <= end ? m->lengthening - square(end - V) / ff_max(LEAST, end) : m->lengthening;
}

static double active_force(const ff_actuator *actuator, double length, double speed)
{
    const ff_muscle *m = &actuator->active;
    const double L0 = optimal_length(m, actuator->length_range);
    const double L = m->operating[0] + (length - actuator->length_range[0]) / L0;
    return -m->force * force_by_length(m, L) * force_by_speed(m, speed / ff_max(LEAST, L0 * m->speed));
}

static double passive_force(const ff_actuator *actuator, double length)
{
    const ff_muscle *m = &actuator->passive;
    const double L = m->operating[0] + (length - actuator->length_range[0]) / optimal_length(m, actuator->length_range);
    const double b = 0.5 * (1.0 + m->longest), reach = ff_max(LEAST, b - 1.0);
    if (L <= 1.0) return 0.0;
    if (L <= b) return -m->force * m->passive * 0.5 * square((L - 1.0) / reach);
    return -m->force * m->passive * (0.5 + (L - b) / reach);
}

/// A curve from 0 to 1 over x in (0, 1), with first and second derivatives 0 at both ends.
static double smooth_step(double x)
{
    if (x <= 0.0) return 0.0;
    return x >= 1.0 ? 1.0 : x * x * x * (6.0 * x * x - 15.0 * x + 10.0);
}

static double muscle_rate(const ff_activation *law, double command, double a)
{
    static const double UNIT[2] = {0.0, 1.0};
    const double target = bound(command, UNIT), share = 0.5 + 1.5 * bound(a, UNIT);
    const double up = law->time[0] * share, down = law->time[1] / share, difference = target - a;
    const double part = law->smooth > LEAST ? smooth_step(difference / law->smooth + 0.5)
                        : difference > 0.0  ? 1.0
                                            : 0.0;
    return difference / ff_max(LEAST, down + (up - down) * part);
}

// ------------------------------------------------------------------------------------------ laws

static double free_force(const ff_actuator *actuator, double length, double speed, double a)
{
    const double *by = actuator->gain_by, *b = actuator->bias;
    const double gain =
        actuator->active.acts ? active_force(actuator, length, speed) : actuator->gain + by[0] * length + by[1] * speed;
    if (actuator->passive.acts) return gain * a + passive_force(actuator, length);
    return gain * a + b[0] + b[1] * length + b[2] * speed;
}

void ff_actuator_travel(const ff_model *m, const ff_data *d, const ff_actuator *actuator, double *length, double *speed)
{
    const ff_joint *joint = actuator->joint >= 0 ? &m->joints[actuator->joint] : NULL;
    *length = *speed = 0.0;
    if (actuator->tendon >= 0) {
        *length = actuator->gear * d->tendon_length[actuator->tendon];
        *speed = actuator->gear * d->tendon_speed[actuator->tendon];
    } else if (joint && ff_joint_is_scalar(joint->type)) {
        *length = actuator->gear * d->q[joint->qadr];
        *speed = actuator->gear * d->v[joint->vadr];
    }
}

double ff_actuator_force(const ff_actuator *actuator, double length, double speed, double a)
{
    const double force = free_force(actuator, length, speed, a);
    return actuator->force_limited ? bound(force, actuator->force_range) : force;
}

void ff_actuator_slope(const ff_actuator *actuator, double length, double speed, double a, double *stiffness,
                       double *damping)
{
    const double force = free_force(actuator, length, speed, a), *by = actuator->gain_by;
    *stiffness = *damping = 0.0;
    if (actuator->force_limited && (force <= actuator->force_range[0] || force >= actuator->force_range[1])) return;
    if (!actuator->active.acts && !actuator->passive.acts) {
        *stiffness = -(by[0] * a + actuator->bias[1]);
        *damping = -(by[1] * a + actuator->bias[2]);
        return;
    }
    // differences are enough: slopes of the curves have jumps, and only guide an iteration
    const double step = 1e-6 * ff_max(LEAST, actuator->length_range[1] - actuator->length_range[0]);
    *stiffness = (force - free_force(actuator, length + step, speed, a)) / step;
    *damping = (force - free_force(actuator, length, speed + step, a)) / step;
}

/// Rate without the bounds of the range.
static double free_rate(const ff_activation *law, double u, double a)
{
    if (law->type == FF_ACTIVATION_INTEGRATOR) return u;
    return law->type == FF_ACTIVATION_FILTER ? (u - a) / law->time[0] : muscle_rate(law, u, a);
}

/// The root of a - a0 - h rate(a) by bisection: it lies between a0 and the command, at which the rate is zero.
static double solve_muscle(const ff_activation *law, double u, double a0, double h)
{
    static const double UNIT[2] = {0.0, 1.0};
    const double target = bound(u, UNIT);
    double low = ff_min(a0, target), high = ff_max(a0, target);
    for (int i = 0; i < 52; i++) {
        const double middle = 0.5 * (low + high);
        if (middle - a0 - h * muscle_rate(law, u, middle) > 0.0)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

double ff_actuator_settle(const ff_actuator *actuator, double command, double a0, double h, double *slope)
{
    const ff_activation *law = &actuator->activation;
    const double u = ff_actuator_command(actuator, command), T = law->time[0];
    const double a = law->type == FF_ACTIVATION_INTEGRATOR ? a0 + h * u
                     : law->type == FF_ACTIVATION_FILTER   ? (a0 + h * u / T) / (1.0 + h / T)
                                                           : solve_muscle(law, u, a0, h);
    *slope = law->type == FF_ACTIVATION_FILTER ? -1.0 / T : (free_rate(law, u, a + 1e-6) - free_rate(law, u, a)) / 1e-6;
    return law->limited ? bound(a, law->range) : a;
}

double ff_actuator_rate(const ff_actuator *actuator, double command, double a)
{
    const ff_activation *law = &actuator->activation;
    const double rate = free_rate(law, ff_actuator_command(actuator, command), a);
    if (law->limited && ((a <= law->range[0] && rate < 0.0) || (a >= law->range[1] && rate > 0.0))) return 0.0;
    return rate;
}
