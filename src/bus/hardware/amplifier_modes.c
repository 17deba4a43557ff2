// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Modes of operation of a servo drive (amplifier.h), CiA 402: each computes the demand of a step from the objects.
#include "hardware/amplifier.h"

#include <footfall/math.h>

#include <math.h>

enum { POLARITY_VELOCITY = 6 };
enum { NEW_SET_POINT = 0x10, AT_ONCE = 0x20, RELATIVE = 0x40, NO_STOP = 0x200 }; // control word in profile position

// ------------------------------------------------------------------------------------------ limits

static double clip(ff_amplifier *s, double value, double low, double high)
{
    s->limited = s->limited || value < low || value > high;
    return ff_min(ff_max(value, low), high);
}

/// Clamps a position to 607D, if set.
static double clip_position(ff_amplifier *s, const ff_ec_drive *o, int32_t position)
{
    int32_t within = position;
    if (o->limits[0] < o->limits[1]) within = position < o->limits[0] ? o->limits[0] : position;
    if (o->limits[0] < o->limits[1] && within > o->limits[1]) within = o->limits[1];
    s->limited = s->limited || within != position;
    return ff_amplifier_counts(s, o, within);
}

static double clip_velocity(ff_amplifier *s, const ff_ec_drive *o, double velocity)
{
    return o->max_velocity ? clip(s, velocity, -(double)o->max_velocity, o->max_velocity) : velocity;
}

/// The torque demand has 16 bits.
static double clip_torque(ff_amplifier *s, const ff_ec_drive *o, double torque)
{
    const double most = ff_min(o->max_torque, INT16_MAX);
    return clip(s, torque, -ff_min(most, o->negative_torque), ff_min(most, o->positive_torque));
}

// ------------------------------------------------------------------------------------------ cyclic synchronous

static uint16_t cyclic_status(const ff_amplifier *s, const ff_ec_drive *o)
{
    (void)o;
    return s->is_braking ? 0 : FF_STATUS_FOLLOWS;
}

static void begin_position(ff_amplifier *s)
{
    s->interpolation.target = s->demand.position;
    s->interpolation.left = 0;
}

/// Number of steps to a set point: the interpolation period 60C2 in steps of the drive, at least one.
static int steps_of(const ff_ec_drive *o, double dt)
{
    const double steps = dt > 0.0 ? o->period * ff_pow(10.0, o->period_exponent) / dt : 0.0;
    return steps >= 1.5 ? (int)ff_min(floor(steps + 0.5), 1e6) : 1;
}

/// Interpolates linearly to the set point.
static double interpolate(ff_amplifier *s, double target, int steps)
{
    if (target != s->interpolation.target) s->interpolation.left = steps;
    s->interpolation.target = target;
    if (s->interpolation.left <= 1) return target;
    return s->demand.position + (target - s->demand.position) / s->interpolation.left--;
}

static void step_position(ff_amplifier *s, const ff_ec_drive *o, const ff_amplifier_inputs *in, bool edge)
{
    (void)edge;
    s->limited = false;
    const double target = clip_position(s, o, (int32_t)((uint32_t)o->target_position + (uint32_t)o->position_offset));
    const double next = interpolate(s, target, steps_of(o, in->dt));
    s->demand.velocity = in->dt > 0.0 ? (next - s->demand.position) / in->dt : 0.0;
    s->demand.position = next;
    s->velocity_feedforward = ff_amplifier_sign(o, POLARITY_VELOCITY) * o->velocity_offset;
    s->torque_feedforward = clip_torque(s, o, o->torque_offset);
}

/// The position loop gets the integral of the velocity. If the motor is blocked, anti-windup keeps the integral within
/// the window of the following error.
static void step_velocity(ff_amplifier *s, const ff_ec_drive *o, const ff_amplifier_inputs *in, bool edge)
{
    (void)edge;
    const double at = ff_amplifier_measured(s, in), window = o->following_window;
    s->limited = false;
    s->demand.velocity = s->velocity_feedforward = clip_velocity(
        s, o, ff_amplifier_sign(o, POLARITY_VELOCITY) * ((double)o->target_velocity + o->velocity_offset));
    s->demand.position =
        clip(s, s->demand.position + in->dt * s->demand.velocity, at - ff_max(window, 1.0), at + ff_max(window, 1.0));
    s->torque_feedforward = clip_torque(s, o, o->torque_offset);
}

static void step_torque(ff_amplifier *s, const ff_ec_drive *o, const ff_amplifier_inputs *in, bool edge)
{
    (void)edge;
    s->limited = false;
    s->demand = (ff_motion){.position = ff_amplifier_measured(s, in)};
    s->velocity_feedforward = 0.0;
    s->torque_feedforward = clip_torque(s, o, (double)o->target_torque + o->torque_offset);
}

// ------------------------------------------------------------------------------------------ profile position

static void begin_profile(ff_amplifier *s)
{
    s->profile.target = s->demand.position;
    s->profile.inside = -1.0;
    s->profile.moves = s->profile.buffered = s->profile.acknowledged = false;
}

static double set_point(ff_amplifier *s, const ff_ec_drive *o)
{
    const double from = s->profile.buffered ? s->profile.next : s->profile.target;
    const int32_t base = s->control & RELATIVE ? ff_amplifier_object(s, o, from) : 0;
    return clip_position(s, o, (int32_t)((uint32_t)o->target_position + (uint32_t)base));
}

/// A set point is accepted at the rising edge of bit 4: immediately if nothing moves or 'change immediately' is set,
/// else once the motion is complete; one set point is buffered. The acknowledgement lasts until bit 4 is cleared and
/// the next set point can be accepted.
static void accept_set_point(ff_amplifier *s, const ff_ec_drive *o, bool edge)
{
    if (edge && (!s->profile.moves || s->control & AT_ONCE)) {
        s->limited = false;
        s->profile.target = set_point(s, o);
        s->profile.moves = s->profile.acknowledged = true;
        s->profile.buffered = false;
    } else if (edge && !s->profile.buffered) {
        s->profile.next = set_point(s, o);
        s->profile.buffered = s->profile.acknowledged = true;
    }
    if (!(s->control & NEW_SET_POINT) && !s->profile.buffered) s->profile.acknowledged = false;
}

/// Does the motion pass the present set point without a stop? That needs control bit 9 and a buffered set point farther
/// in the same direction.
static bool passes_through(const ff_amplifier *s)
{
    const double distance = s->profile.target - s->demand.position;
    const double next_distance = s->profile.next - s->profile.target;
    return s->profile.buffered && (s->control & NO_STOP) && distance * next_distance > 0.0;
}

/// Continues with the buffered set point.
static void start_next(ff_amplifier *s)
{
    s->profile.moves = s->profile.buffered;
    if (s->profile.buffered) s->profile.target = s->profile.next;
    s->profile.buffered = false;
}

/// Measures how long the motor has been within the window 6067 around its target.
static void watch_window(ff_amplifier *s, const ff_ec_drive *o, const ff_amplifier_inputs *in)
{
    const bool inside = fabs(s->profile.target - ff_amplifier_measured(s, in)) <= o->position_window;
    s->profile.inside = !inside ? -1.0 : s->profile.inside < 0.0 ? 0.0 : s->profile.inside + in->dt;
}

static bool is_reached(const ff_amplifier *s, const ff_ec_drive *o)
{
    if (s->profile.moves) return false;
    return o->position_window == UINT32_MAX || s->profile.inside >= 1e-3 * o->position_window_time - 1e-9;
}

static void step_profile(ff_amplifier *s, const ff_ec_drive *o, const ff_amplifier_inputs *in, bool edge)
{
    const ff_motion_bounds bounds = {
        .velocity = o->max_velocity && o->max_velocity < o->profile_velocity ? o->max_velocity : o->profile_velocity,
        .acceleration = o->acceleration,
        .deceleration = o->deceleration};
    accept_set_point(s, o, edge);
    const bool through = passes_through(s);
    const double before = s->profile.target - s->demand.position;
    const bool reached = ff_motion_approach(&s->demand, through ? s->profile.next : s->profile.target, &bounds, in->dt);
    if (reached || (through && before * (s->profile.target - s->demand.position) <= 0.0)) start_next(s);
    watch_window(s, o, in);
    s->velocity_feedforward = s->demand.velocity;
    s->torque_feedforward = clip_torque(s, o, o->torque_offset);
}

static uint16_t profile_status(const ff_amplifier *s, const ff_ec_drive *o)
{
    return (uint16_t)((s->profile.acknowledged ? FF_STATUS_ACKNOWLEDGED : 0) |
                      (is_reached(s, o) ? FF_STATUS_TARGET_REACHED : 0));
}

// ------------------------------------------------------------------------------------------ table of modes

static const ff_amplifier_mode profile_position = {FF_MODE_PP, true, begin_profile, step_profile, profile_status};
static const ff_amplifier_mode synchronous_position = {FF_MODE_CSP, true, begin_position, step_position, cyclic_status};
static const ff_amplifier_mode synchronous_velocity = {FF_MODE_CSV, false, NULL, step_velocity, cyclic_status};
static const ff_amplifier_mode synchronous_torque = {FF_MODE_CST, false, NULL, step_torque, cyclic_status};

const ff_amplifier_mode *ff_amplifier_mode_of(int number)
{
    static const ff_amplifier_mode *const modes[] = {&profile_position, &ff_amplifier_homing, &synchronous_position,
                                                     &synchronous_velocity, &synchronous_torque};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (modes[i]->number == number) return modes[i];
    return NULL;
}
