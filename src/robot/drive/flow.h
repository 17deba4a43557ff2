// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Forces and powers of a drive at a state, as inline functions of its kind: motor, transmission and path. Where the
// kind is constant the compiler leaves out all others: a third of the instructions of one function for all kinds, with
// bit-identical results. A robot has some twenty drives of one kind, each evaluated four times a step.
//
//   flexible  J_m theta'' = F_m - B_m theta' - F,        F = K (theta - x) + D (theta' - x')
//   backlash  J_m theta_m'' = F_m - B_m theta_m' - P,    J_T theta_T'' = P - B_T theta_T' - F,
//             F = K (theta_T - x) + D (theta_T' - x');   P = 0 in the gap, while locked the force that keeps both
//             inertias together; where the faces meet there is an impact
//   teeth     the same with P = k d + c d'
//
// All quantities are those after the gear.
#ifndef FOOTFALL_DRIVE_FLOW_H
#define FOOTFALL_DRIVE_FLOW_H

#include "drive/private.h"

/// Qualifiers of functions that are inlined in all callers, where the kind of the drive is constant.
#define FF_FLOW static inline __attribute__((always_inline))

/// What decides which equations a drive has.
typedef struct ff_drive_kind {
    ff_drive_motor motor;
    ff_drive_transmission transmission;
    ff_drive_path_kind path;
    bool bounded; // a curve of the amplifier bounds its force
    bool ahead;   // its loops run ahead: currents are means of a span
    bool pole;    // its current is a state
} ff_drive_kind;

static inline ff_drive_kind ff_drive_kind_of(const ff_drive *d)
{
    return (ff_drive_kind){d->motor, d->transmission, d->path.kind, d->bound.n > 0, d->span > 0.0, d->pole};
}

/// Is it a direct-current motor behind a gear with backlash, as robots with full drives have it?
static inline bool ff_drive_geared(const ff_drive *d)
{
    return d->motor == FF_MOTOR_DC && d->transmission == FF_TRANSMISSION_BACKLASH && d->bound.n == 0 &&
           !(d->span > 0.0);
}

/// The kind of such a drive: all but the path is constant to the compiler; the path is tested once in an evaluation.
FF_FLOW ff_drive_kind ff_drive_geared_kind(const ff_drive *d, bool pole)
{
    return (ff_drive_kind){FF_MOTOR_DC, FF_TRANSMISSION_BACKLASH, d->path.kind, false, false, pole};
}

// ------------------------------------------------------------------------------------------ motor

/// Force after the gear: the motor torque less friction and losses of the gear, which it adds to the loss and slope.
FF_FLOW double ff_flow_gear(const ff_drive *d, double speed, ff_drive_flow *f)
{
    double slope, slope_lost;
    const double friction = ff_dc_motor_friction(&d->dc, speed, &slope);
    const double lost = ff_gear_loss(d->efficiency, f->motor_torque, speed, d->dc.dry_speed, &slope_lost);
    f->loss += f->copper + (friction + lost) * speed;
    f->damping += d->ratio * d->ratio * (slope + slope_lost);
    return d->ratio * (f->motor_torque - friction - lost);
}

FF_FLOW void ff_flow_dc(const ff_drive *d, ff_drive_kind kind, const ff_drive_memory *m, double speed, const double *z,
                        double *zdot, ff_drive_flow *f)
{
    const ff_dc_motor *dc = &d->dc;
    f->voltage = m->off ? dc->constant * speed : m->voltage; // open leads: the induced voltage, and no current
    if (kind.pole) {
        f->current = z[0];
        if (zdot) zdot[0] = ff_dc_motor_rate(dc, f->voltage, z[0], speed);
        f->stored += 0.5 * dc->inductance * z[0] * z[0];
    } else {
        f->current = ff_dc_motor_current(dc, f->voltage, speed);
        f->damping += m->off ? 0.0 : d->ratio * d->ratio * dc->constant * dc->constant / dc->resistance;
    }
    f->copper = dc->resistance * f->current * f->current;
    f->electrical = f->voltage * f->current;
    f->motor_torque = dc->constant * f->current;
}

FF_FLOW void ff_flow_pmsm(const ff_drive *d, const ff_drive_memory *m, ff_drive_turn rotor, const double *z,
                          double *zdot, ff_drive_flow *f)
{
    double u[2];
    ff_park(m->foc.plane, d->pmsm.pairs * d->ratio * rotor.angle, u);
    if (m->off) { // as for a direct-current motor
        const double electric = d->pmsm.pairs * d->ratio * rotor.speed;
        u[0] = -electric * d->pmsm.inductance_q * z[1];
        u[1] = electric * (d->pmsm.inductance_d * z[0] + d->pmsm.flux);
    }
    if (zdot) ff_pmsm_rate(&d->pmsm, u, z, d->ratio * rotor.speed, zdot);
    f->current = z[1];
    f->voltage = u[1];
    f->copper = 1.5 * d->pmsm.resistance * (z[0] * z[0] + z[1] * z[1]);
    f->electrical = 1.5 * (u[0] * z[0] + u[1] * z[1]);
    f->stored += ff_pmsm_energy(&d->pmsm, z);
    f->motor_torque = ff_pmsm_torque(&d->pmsm, z);
}

/// The current follows its demand with a lag; the supply provides the power of copper and shaft.
FF_FLOW void ff_flow_lag(const ff_drive *d, const ff_drive_memory *m, double speed, const double *z, double *zdot,
                         ff_drive_flow *f)
{
    f->current = z[0];
    if (zdot) zdot[0] = d->lag * ((m->off ? 0.0 : m->current) - z[0]);
    f->motor_torque = d->dc.constant * z[0];
    f->voltage = d->dc.resistance * z[0] + d->dc.constant * speed;
    f->copper = d->dc.resistance * z[0] * z[0];
    f->electrical = f->voltage * z[0];
}

/// Loops have run ahead of the mechanics: currents and torque of this span are known. The supply provides the power of
/// copper and shaft; that of the field is counted where spans meet (plant/drives.c).
FF_FLOW void ff_flow_ahead(const ff_drive_memory *m, double speed, ff_drive_flow *f)
{
    const ff_drive_ahead *a = &m->ahead;
    f->current = a->current;
    f->voltage = a->voltage;
    f->copper = a->copper;
    f->motor_torque = a->torque;
    f->electrical = a->copper + a->torque * speed;
    f->stored += a->field;
}

FF_FLOW double ff_flow_ideal(const ff_drive *d, const ff_drive_memory *m, ff_drive_turn rotor, ff_drive_flow *f)
{
    double force = m->off ? 0.0 : m->force;
    if (d->motor == FF_MOTOR_SERVO && !m->off) {
        const double demand = ff_servo_demand(&d->servo, m->target, rotor.angle, rotor.speed);
        force = ff_motor_line((1.0 - m->sag) * d->servo.stall, (1.0 - m->sag) * d->servo.no_load, rotor.speed, demand);
        const bool held = force == demand;
        f->stiffness += held ? d->servo.stiffness : 0.0;
        f->damping += held ? d->servo.damping : 0.0;
    } else if (d->stall > 0.0) {
        force = ff_motor_line((1.0 - m->sag) * d->stall, (1.0 - m->sag) * d->no_load, rotor.speed, force);
    }
    f->motor_torque = force;
    f->motor_speed = rotor.speed;
    f->electrical = force * rotor.speed;
    return force;
}

/// Electrical side: force on the rotor after the gear, its powers in `f`, rates of the electrical states.
FF_FLOW double ff_flow_motor(const ff_drive *d, ff_drive_kind kind, const ff_drive_memory *m, ff_drive_turn rotor,
                             const double *z, double *zdot, ff_drive_flow *f)
{
    const double speed = d->ratio * rotor.speed;
    f->motor_speed = speed;
    if (kind.ahead) ff_flow_ahead(m, speed, f);
    switch (kind.ahead ? FF_MOTOR_NONE : kind.motor) {
    case FF_MOTOR_DC:
        ff_flow_dc(d, kind, m, speed, z, zdot, f);
        break;
    case FF_MOTOR_LAG:
        ff_flow_lag(d, m, speed, z, zdot, f);
        break;
    case FF_MOTOR_PMSM:
        ff_flow_pmsm(d, m, rotor, z, zdot, f);
        break;
    default:
        break;
    }
    const bool plain = kind.motor == FF_MOTOR_IDEAL || kind.motor == FF_MOTOR_SERVO;
    const double force = plain ? ff_flow_ideal(d, m, rotor, f) : ff_flow_gear(d, speed, f);
    if (!kind.bounded) return force;
    // a linear drive saturates in the amplifier: the supply does not provide the force beyond the bound
    const double bounded = ff_spindle_force(&d->bound, rotor.speed, force);
    f->electrical -= (force - bounded) * rotor.speed;
    if (plain) f->motor_torque = bounded;
    return bounded;
}

// ------------------------------------------------------------------------------------------ transmission

FF_FLOW double ff_flow_spring(const ff_drive *d, const ff_drive_position *at, double angle, double speed,
                              ff_drive_flow *f)
{
    const double turn = angle - at->x, rate = speed - at->speed;
    f->spring = 0.5 * d->stiffness * turn * turn;
    f->stored += f->spring;
    f->loss += d->damping * rate * rate;
    f->stiffness = d->stiffness;
    f->damping = d->damping;
    return d->stiffness * turn + d->damping * rate;
}

FF_FLOW double ff_flow_cables(const ff_drive *d, const ff_drive_position *at, ff_drive_turn rotor, ff_drive_flow *f)
{
    const double turn = rotor.angle - at->x, rate = rotor.speed - at->speed;
    const double force = ff_sea_torque(&d->sea, turn, rate);
    f->spring = ff_sea_energy(&d->sea, turn);
    f->stored += f->spring;
    f->loss += (force - ff_sea_torque(&d->sea, turn, 0.0)) * rate;
    f->stiffness = ff_sea_slope(&d->sea, turn);
    f->damping = f->stiffness > 0.0 && d->sea.cable.stiffness > 0.0
                     ? f->stiffness * d->sea.cable.damping / d->sea.cable.stiffness
                     : 0.0;
    return force;
}

/// Rotor on a spring or cables: two states.
FF_FLOW void ff_flow_elastic(const ff_drive *d, ff_drive_kind kind, ff_drive_turn rotor, double motor_force,
                             double *zdot, ff_drive_flow *f)
{
    f->force = kind.transmission == FF_TRANSMISSION_CABLES ? ff_flow_cables(d, &f->at, rotor, f)
                                                           : ff_flow_spring(d, &f->at, rotor.angle, rotor.speed, f);
    f->stored += 0.5 * d->inertia * rotor.speed * rotor.speed;
    f->loss += d->motor_damping * rotor.speed * rotor.speed;
    if (!zdot) return;
    zdot[0] = rotor.speed;
    zdot[1] = (motor_force - d->motor_damping * rotor.speed - f->force) / d->inertia;
}

/// Torques on motor and transmission on both sides of a backlash, without the force of its faces.
FF_FLOW void ff_flow_torques(const ff_drive *d, const ff_drive_position *at, const double *mechanic, double motor_force,
                             double torque[2])
{
    torque[0] = motor_force - d->motor_damping * mechanic[1];
    torque[1] = -d->damping_behind * mechanic[3] - d->stiffness * (mechanic[2] - at->x) -
                d->damping * (mechanic[3] - at->speed);
}

/// Rotor and transmission with backlash: four states theta_m, w_m, theta_T, w_T.
FF_FLOW void ff_flow_backlash(const ff_drive *d, ff_drive_kind kind, int mode, const double *mechanic,
                              double motor_force, double *zdot, ff_drive_flow *f)
{
    const bool teeth = kind.transmission == FF_TRANSMISSION_TEETH;
    const double wm = mechanic[1], wT = mechanic[3], offset = mechanic[0] - mechanic[2];
    double torque[2], press = 0.0;
    f->force = ff_flow_spring(d, &f->at, mechanic[2], wT, f);
    f->stored += 0.5 * d->inertia * wm * wm + 0.5 * d->inertia_behind * wT * wT;
    f->loss += d->motor_damping * wm * wm + d->damping_behind * wT * wT;
    ff_flow_torques(d, &f->at, mechanic, motor_force, torque);
    if (teeth) {
        press = ff_backlash_tooth(&d->backlash, offset, wm - wT);
        f->stored += ff_backlash_tooth_energy(&d->backlash, offset);
        f->loss += press == 0.0 ? 0.0 : d->backlash.damping * (wm - wT) * (wm - wT);
        f->tooth_stiffness = press == 0.0 ? 0.0 : d->backlash.stiffness;
        f->tooth_damping = press == 0.0 ? 0.0 : d->backlash.damping;
    }
    if (!zdot) return;
    zdot[0] = wm;
    zdot[2] = wT;
    if (mode != FF_BACKLASH_FREE && !teeth) { // one quotient for both while locked: speeds stay equal to the last bit
        zdot[1] = zdot[3] = (torque[0] + torque[1]) / (d->inertia + d->inertia_behind);
        return;
    }
    zdot[1] = (torque[0] - press) / d->inertia;
    zdot[3] = (torque[1] + press) / d->inertia_behind;
}

// ------------------------------------------------------------------------------------------ the whole

/// Flow and rates of a drive with a motor. The position of its path is in f->at and `joint`; the rest of f is zero.
FF_FLOW void ff_flow_evaluate_at(const ff_drive *d, ff_drive_kind kind, const ff_drive_memory *m, ff_drive_turn joint,
                                 const double *z, double *zdot, ff_drive_flow *f)
{
    const int electric = ff_drive_nelectric_of(kind.motor, kind.pole);
    const bool rigid = kind.transmission == FF_TRANSMISSION_RIGID;
    const ff_drive_turn rotor = rigid ? joint : (ff_drive_turn){z[electric], z[electric + 1]};
    const double force = ff_flow_motor(d, kind, m, rotor, z, zdot, f);
    double *rates = zdot ? zdot + electric : NULL;
    f->rotor_stiffness = f->stiffness;
    f->rotor_damping = f->damping;
    switch (kind.transmission) {
    case FF_TRANSMISSION_RIGID:
        f->force = force;
        break;
    case FF_TRANSMISSION_BACKLASH:
    case FF_TRANSMISSION_TEETH:
        ff_flow_backlash(d, kind, m->mode, z + electric, force, rates, f);
        break;
    default:
        ff_flow_elastic(d, kind, rotor, force, rates, f);
    }
    f->mechanical = f->force * f->at.speed;
}

/// Number by number, so that `from` stays in registers: a copy as a whole needs it in memory.
FF_FLOW void ff_flow_copy(const ff_drive_flow *from, ff_drive_flow *to)
{
    to->at.x = from->at.x;
    to->at.speed = from->at.speed;
    to->at.lever[0] = from->at.lever[0];
    to->at.lever[1] = from->at.lever[1];
    to->force = from->force;
    to->motor_torque = from->motor_torque;
    to->motor_speed = from->motor_speed;
    to->current = from->current;
    to->voltage = from->voltage;
    to->electrical = from->electrical;
    to->mechanical = from->mechanical;
    to->copper = from->copper;
    to->loss = from->loss;
    to->stored = from->stored;
    to->spring = from->spring;
    to->stiffness = from->stiffness;
    to->damping = from->damping;
    to->rotor_stiffness = from->rotor_stiffness;
    to->rotor_damping = from->rotor_damping;
    to->tooth_stiffness = from->tooth_stiffness;
    to->tooth_damping = from->tooth_damping;
}

/// Flow and rates of a drive with a motor.
FF_FLOW void ff_flow_evaluate(const ff_drive *d, ff_drive_kind kind, const ff_drive_memory *m, const double *q,
                              const double *v, const double *z, double *zdot, ff_drive_flow *f)
{
    ff_drive_flow flow = {0};
    const ff_drive_turn joint = ff_drive_locate(&d->path, kind.path, q, v, &flow.at);
    ff_flow_evaluate_at(d, kind, m, joint, z, zdot, &flow);
    ff_flow_copy(&flow, f);
}

#endif
