// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Permanent-magnet synchronous motor and its field-oriented current control.
//
//     phases (a, b) --Clarke--> stator plane --Park(angle)--> (d, q) --PI--> (u_d, u_q) --inverse--> pulses
//
// Between samples the inverter holds a voltage in the stator plane, while the rotor turns on; ff_pmsm_rate takes it in
// rotor axes. Alignment: with the angle held at zero a current i_d pulls the rotor's d axis onto phase a; what the
// encoder then reads is its zero.
#include "drive/private.h"

#include <footfall/drive_parts.h>

#define SQRT3 1.7320508075688772935

void ff_clarke(double a, double b, double plane[2])
{
    plane[0] = a;
    plane[1] = (a + 2.0 * b) / SQRT3;
}

void ff_clarke_inverse(const double plane[2], double phases[3])
{
    phases[0] = plane[0];
    phases[1] = -0.5 * plane[0] + 0.5 * SQRT3 * plane[1];
    phases[2] = -phases[0] - phases[1];
}

/// Into the frame turned by an angle of this sine and cosine, and back.
static inline void turn_in(const double plane[2], double s, double c, double dq[2])
{
    const double al = plane[0], be = plane[1];
    dq[0] = al * c + be * s;
    dq[1] = -al * s + be * c;
}

static inline void turn_out(const double dq[2], double s, double c, double plane[2])
{
    const double d = dq[0], q = dq[1];
    plane[0] = d * c - q * s;
    plane[1] = d * s + q * c;
}

void ff_park(const double plane[2], double angle, double dq[2])
{
    double s, c;
    ff_sincos(&angle, &s, &c, 1);
    turn_in(plane, s, c, dq);
}

void ff_park_inverse(const double dq[2], double angle, double plane[2])
{
    double s, c;
    ff_sincos(&angle, &s, &c, 1);
    turn_out(dq, s, c, plane);
}

void ff_pmsm_rate(const ff_pmsm *motor, const double u[2], const double i[2], double speed, double rate[2])
{
    const double we = motor->pairs * speed, R = motor->resistance;
    rate[0] = (u[0] - R * i[0] + we * motor->inductance_q * i[1]) / motor->inductance_d;
    rate[1] = (u[1] - R * i[1] - we * (motor->inductance_d * i[0] + motor->flux)) / motor->inductance_q;
}

double ff_pmsm_torque(const ff_pmsm *motor, const double i[2])
{
    return 1.5 * motor->pairs * (motor->flux * i[1] + (motor->inductance_d - motor->inductance_q) * i[0] * i[1]);
}

double ff_pmsm_constant(const ff_pmsm *motor)
{
    return 1.5 * motor->pairs * motor->flux;
}

double ff_pmsm_energy(const ff_pmsm *motor, const double i[2])
{
    return 0.75 * (motor->inductance_d * i[0] * i[0] + motor->inductance_q * i[1] * i[1]);
}

// ------------------------------------------------------------------------------------------ control

ff_pmsm_control ff_pmsm_control_design(const ff_pmsm *motor, double w, double bus_voltage)
{
    if (!(w > 0.0)) w = 2.0 * FF_PI * 1500.0;
    return (ff_pmsm_control){.d = {.kp = w * motor->inductance_d, .ki = w * motor->resistance},
                             .q = {.kp = w * motor->inductance_q, .ki = w * motor->resistance},
                             .period = 1.0 / 28000.0,
                             .voltage = bus_voltage / SQRT3,
                             .decouple = true,
                             .late = true,
                             .counts = 2048,
                             .align_current = 5.0,
                             .align_time = 1.0};
}

double ff_encoder_angle(int counts, double angle)
{
    if (counts <= 0) return angle;
    const double step = 2.0 * FF_PI / counts;
    return floor(angle / step) * step;
}

/// The d axis may use the whole voltage vector, the q axis what is left of it; a clamped axis does not integrate.
static void regulate(const ff_pmsm_control *c, ff_pmsm_state *s, const double error[2], const double forward[2],
                     double u[2])
{
    ff_pi d = c->d, q = c->q;
    d.limit = c->voltage;
    u[0] = ff_pi_update(&d, &s->integral[0], error[0], forward[0], c->period);
    const double left = c->voltage * c->voltage - u[0] * u[0];
    q.limit = sqrt(ff_max(left, 1e-12 * c->voltage * c->voltage));
    u[1] = ff_pi_update(&q, &s->integral[1], error[1], forward[1], c->period);
}

void ff_pmsm_control_update(const ff_pmsm_control *c, const ff_pmsm *motor, ff_pmsm_state *s, const double phases[2],
                            double angle, double speed, const double demand[2])
{
    const double reading = ff_encoder_angle(c->counts, angle);
    if (!s->aligned && s->waited >= c->align_time) {
        // without an alignment the rotor's axis is taken as known: the nearest whole turn is its zero
        s->zero = c->align_time > 0.0 ? reading : 2.0 * FF_PI * floor(reading / (2.0 * FF_PI) + 0.5);
        s->aligned = 1;
        s->integral[0] = s->integral[1] = 0.0;
    }
    const double electrical = s->aligned ? motor->pairs * (reading - s->zero) : 0.0;
    double sine, cosine, plane[2], i[2], u[2], forward[2] = {0.0, 0.0};
    ff_sincos(&electrical, &sine, &cosine, 1);
    ff_clarke(phases[0], phases[1], plane);
    turn_in(plane, sine, cosine, i);
    const double target[2] = {s->aligned ? demand[0] : c->align_current, s->aligned ? demand[1] : 0.0};
    if (s->aligned && c->decouple) {
        const double we = motor->pairs * speed;
        forward[0] = -we * motor->inductance_q * i[1];
        forward[1] = we * (motor->inductance_d * i[0] + motor->flux);
    }
    const double error[2] = {target[0] - i[0], target[1] - i[1]};
    regulate(c, s, error, forward, u);
    if (!s->aligned) s->waited += c->period;
    if (c->late) {
        memcpy(s->plane, s->next, sizeof s->plane);
        turn_out(u, sine, cosine, s->next);
    } else {
        turn_out(u, sine, cosine, s->plane);
    }
}
