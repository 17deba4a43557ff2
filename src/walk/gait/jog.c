// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The three laws of running, and which leg stands.
#include "gait/jog.h"
#include "base/clamp.h"
#include "control/setting.h"

#include <footfall/math.h>
#include <math.h>

static const double GRAVITY = 9.81;          // [m/s^2]
static const double BOUNCE = 0.05;           // least time from touch-down to lift-off  [s]
static const double LATE = 0.12;             // greatest time from touch-down to the extension of the leg  [s]
static const double LOADED = 0.2;            // a foot with less load may slide  [weights]
static const double FLIGHT[2] = {0.06, 0.3}; // shortest and longest time of flight  [s]
static const double MORE = 0.3;              // greatest additional extension  [rad]
static const double STEEP = 0.6;             // sine of the steepest leg at touch-down
static const double STRAIGHTEN = 0.4;        // of a swing, in which the knee straightens

#define OF ff_jog_options
const ff_row ff_jog_settings[] = {
    FF_SETTING_NUMBER("lean", lean, "rad", FF_BETWEEN(-1, 1), "0.1", "forward lean of the body"),
    FF_SETTING_NUMBER("posture_stiffness", posture_stiffness, "N m/rad", FF_NOT_NEGATIVE, "85",
                      "torque of the hips per error of that lean"),
    FF_SETTING_NUMBER("posture_damping", posture_damping, "N m s/rad", FF_NOT_NEGATIVE, "4.4",
                      "the same for the rate of the lean"),
    FF_SETTING_NUMBER("flight_posture", flight_posture, "", FF_NOT_NEGATIVE, "1.3", "factor on that torque in flight"),
    FF_SETTING_NUMBER("flight_share", flight_share, "", FF_BETWEEN(0, 1), "0.44",
                      "share of it by the leg that lands next"),
    FF_SETTING_NUMBER("compensation", compensation, "", FF_BETWEEN(0, 1), "0.85",
                      "share of the torque of swinging legs that is compensated"),
    FF_SETTING_NUMBER("swing_stiffness", swing_stiffness, "N m/rad", FF_NOT_NEGATIVE, "67",
                      "stiffness with which a swinging thigh follows its path"),
    FF_SETTING_NUMBER("swing_damping", swing_damping, "N m s/rad", FF_NOT_NEGATIVE, "4.3",
                      "damping with which it follows its path"),
    FF_SETTING_NUMBER("swing_inertia", swing_inertia, "kg m^2", FF_NOT_NEGATIVE, "0.245",
                      "inertia of a leg, for feed-forward torque along its path"),
    FF_SETTING_NUMBER("retraction", retraction, "rad/s", FF_ANY, "2.1", "backward speed of the thigh at touch-down"),
    FF_SETTING_NUMBER("stance_time", stance_time, "s", FF_POSITIVE, "0.18", "assumed stance time of the first step"),
    FF_SETTING_NUMBER("speed_gain", speed_gain, "s", FF_NOT_NEGATIVE, "0.075",
                      "distance ahead at which a foot lands, per excess speed"),
    FF_SETTING_NUMBER("offset", offset, "m", FF_ANY, "0.015", "offset of the landing foot, ahead"),
    FF_SETTING_NUMBER("knee", knee, "rad", FF_ANY, "-0.74", "position of the knee motor at touch-down"),
    FF_SETTING_NUMBER("ankle", ankle, "rad", FF_ANY, "-0.45", "position of the ankle motor at touch-down"),
    FF_SETTING_NUMBER("flexed", flexed, "rad", FF_ANY, "-0.95", "position of the knee motor in swing"),
    FF_SETTING_NUMBER("toe_up", toe_up, "rad", FF_ANY, "-0.05", "position of the ankle motor in swing"),
    FF_SETTING_NUMBER("follow_through", follow_through, "", FF_BETWEEN(0, 1), "0.5",
                      "share of the speed of a thigh at lift-off with which its swing begins"),
    FF_SETTING_NUMBER("flex_end", flex_end, "", FF_BETWEEN(0, 1), "0.09",
                      "share of the swing after which the knee straightens"),
    FF_SETTING_NUMBER("thrust_knee", thrust_knee, "rad", FF_ANY, "0.02",
                      "extension of the knee motor after the lowest point of the body"),
    FF_SETTING_NUMBER("thrust_ankle", thrust_ankle, "rad", FF_ANY, "0.29", "the same for the ankle motor"),
    FF_SETTING_NUMBER("thrust_time", thrust_time, "s", FF_POSITIVE, "0.07", "duration of this extension"),
    FF_SETTING_NUMBER("flight", flight, "s", FF_NOT_NEGATIVE, "0.2", "wanted time of flight"),
    FF_SETTING_NUMBER("flight_gain", flight_gain, "rad/s", FF_NOT_NEGATIVE, "0.9",
                      "extension of the ankle per missing time of flight"),
    FF_SETTING_NUMBER("thrust_gain", thrust_gain, "rad s/m", FF_NOT_NEGATIVE, "0.18", "the same per missing speed"),
    {0},
};
#undef OF

ff_jog_state ff_jog_begin(const ff_jog_options *o)
{
    return (ff_jog_state){.speed = o->speed,
                          .stance = -1,
                          .thrust = -1.0,
                          .lift = {-0.35, -0.08},
                          .from = {0.3, -0.25},
                          .from_speed = {-3.0, -4.0},
                          .v = {o->speed, 0.0},
                          .since = -0.08,
                          .land = 0.04,
                          .flight_time = 0.12,
                          .stance_time = o->stance_time};
}

/// A curve from 0 to 1 without a jump of speed or acceleration.
static double smooth(double x)
{
    const double u = ff_clamp(x, 0.0, 1.0);
    return u * u * u * (10.0 - 15.0 * u + 6.0 * u * u);
}

static void touch_down(const ff_jog_options *o, ff_jog_state *s, double t, int leg)
{
    s->flight_time = ff_clamp(t - s->since, FLIGHT[0], FLIGHT[1]);
    s->stance = leg;
    s->since = t;
    s->thrust = -1.0;
    s->steps++;
    const double lacks = o->flight_gain * (o->flight - s->flight_time) + o->thrust_gain * (s->speed - s->v[0]);
    s->more = ff_clamp(lacks, -MORE, MORE);
}

/// Time of flight after a lift-off: that of a throw from the height of the hips above this toe down to their height
/// above the toe of the other leg as it lands.
static double predict_flight(const ff_jog_state *s, const ff_jog_sight *sight, int leg)
{
    const double landing = sight->length * ff_cos(s->aim + sight->angle);
    const double drop = -sight->toe[leg][1] - landing, rise = s->v[1];
    return (rise + sqrt(ff_max(0.0, rise * rise + 2.0 * GRAVITY * drop))) / GRAVITY;
}

static void lift_off(const ff_jog_options *o, ff_jog_state *s, double t, const ff_jog_sight *sight)
{
    const int leg = s->stance;
    s->stance_time += 0.3 * (ff_clamp(t - s->since, 0.1, 0.3) - s->stance_time);
    s->lift[leg] = t;
    s->from[leg] = sight->pitch + sight->q[leg][FF_JOG_HIP];
    s->from_speed[leg] = o->follow_through * (sight->rate + sight->v[leg][FF_JOG_HIP]);
    s->next = 1 - leg;
    s->stance = -1;
    s->since = t;
    s->land = t + predict_flight(s, sight, leg);
}

/// Finds which leg stands, and how fast the centre of mass moves over its foot.
static void update_stance(const ff_jog_options *o, ff_jog_state *s, double t, const ff_jog_sight *sight)
{
    if (s->stance < 0 && sight->touch[s->next]) {
        touch_down(o, s, t, s->next);
    } else if (s->stance >= 0 && !sight->touch[s->stance] && t - s->since > BOUNCE) {
        lift_off(o, s, t, sight);
    }
    if (s->stance < 0) return;
    s->land = ff_max(s->since + s->stance_time, t) + s->flight_time;
    for (int k = 0; k < 2 && sight->load[s->stance] > LOADED; k++)
        s->v[k] += 0.2 * ff_clamp(sight->com_speed[k] - sight->toe_speed[s->stance][k] - s->v[k], -0.25, 0.25);
    const bool rises = s->v[1] > 0.0 && t - s->since > BOUNCE;
    if (s->thrust < 0.0 && (rises || t - s->since > LATE)) s->thrust = t;
}

/// Angle of the thigh that puts the foot where it should land.
static double place_foot(const ff_jog_options *o, const ff_jog_state *s, const ff_jog_sight *sight)
{
    const double v = s->v[0];
    const double ahead = 0.5 * v * s->stance_time + o->speed_gain * (v - s->speed) + o->offset + sight->com[0];
    const double sine = ff_clamp(ahead / sight->length, -STEEP, STEEP);
    return ff_asin(sine) - sight->angle;
}

/// Time from lift-off of a leg that swings to its touch-down, as it is expected.
static double predict_swing(const ff_jog_state *s, int leg)
{
    const bool later = s->stance < 0 && leg != s->next;
    return s->land - s->lift[leg] + (later ? s->stance_time + s->flight_time : 0.0);
}

/// Torque that swings a thigh along a cubic from lift-off to where it lands, and backwards from then on.
static double swing(const ff_jog_options *o, const ff_jog_state *s, double t, const ff_jog_sight *sight, int leg)
{
    const double T = predict_swing(s, leg), x = ff_clamp((t - s->lift[leg]) / T, 0.0, 1.0);
    const double angle = sight->pitch + sight->q[leg][FF_JOG_HIP], speed = sight->rate + sight->v[leg][FF_JOG_HIP];
    const double v0 = s->from_speed[leg] * T, v1 = -o->retraction * T, h = s->aim - s->from[leg];
    const double c2 = 3.0 * h - 2.0 * v0 - v1, c3 = v0 + v1 - 2.0 * h;
    double want = s->from[leg] + x * (v0 + x * (c2 + x * c3)), rate = (v0 + x * (2.0 * c2 + 3.0 * x * c3)) / T;
    double acceleration = (2.0 * c2 + 6.0 * c3 * x) / (T * T);
    if (x >= 1.0) {
        want = s->aim - o->retraction * (t - s->lift[leg] - T);
        rate = -o->retraction;
        acceleration = 0.0;
    }
    return o->swing_stiffness * (want - angle) + o->swing_damping * (rate - speed) + o->swing_inertia * acceleration;
}

static void extend(const ff_jog_options *o, const ff_jog_state *s, double t, ff_jog_reference *out)
{
    const double part = s->thrust < 0.0 ? 0.0 : smooth((t - s->thrust) / o->thrust_time);
    out->knee = o->knee + (o->thrust_knee + 0.3 * s->more) * part;
    out->ankle = o->ankle - (o->thrust_ankle + s->more) * part;
}

/// Knee and ankle of a leg that swings bend, and straighten in good time before it lands.
static void fold(const ff_jog_options *o, const ff_jog_state *s, double t, int leg, ff_jog_reference *out)
{
    const double part = (t - s->lift[leg]) / predict_swing(s, leg);
    const double straight = smooth((part - o->flex_end) / STRAIGHTEN);
    out->knee = o->flexed + (o->knee - o->flexed) * straight;
    out->ankle = o->toe_up + (o->ankle - o->toe_up) * straight;
}

void ff_jog_cycle(const ff_jog_options *o, ff_jog_state *s, double t, const ff_jog_sight *sight,
                  ff_jog_reference out[FF_JOG_LEGS])
{
    update_stance(o, s, t, sight);
    s->aim = place_foot(o, s, sight);
    const double posture = o->posture_stiffness * (sight->pitch + o->lean) + o->posture_damping * sight->rate;
    for (int i = 0; i < FF_JOG_LEGS; i++) {
        if (i == s->stance) {
            extend(o, s, t, &out[i]);
            continue;
        }
        out[i].torque = swing(o, s, t, sight, i);
        fold(o, s, t, i, &out[i]);
    }
    if (s->stance >= 0) {
        out[s->stance].torque = posture - o->compensation * out[1 - s->stance].torque;
        return;
    }
    const double lacks = o->flight_posture * posture - o->compensation * (out[0].torque + out[1].torque);
    out[s->next].torque += o->flight_share * lacks;
    out[1 - s->next].torque += (1.0 - o->flight_share) * lacks;
}
