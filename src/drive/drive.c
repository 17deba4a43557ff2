// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The drive as a whole: defaults and checks, the motor's force, the start, and the accounts of power.
#include "drive/private.h"

const char *const ff_drive_motor_names[FF_MOTOR_COUNT + 1] = {"none", "ideal", "servo", "dc", "lag", "pmsm", NULL};
const char *const ff_drive_transmission_names[FF_TRANSMISSION_COUNT + 1] = {"rigid", "flexible", "backlash",
                                                                            "teeth", "cables",   NULL};
const char *const ff_drive_loop_names[FF_LOOP_COUNT + 1] = {"direct", "pd", "cascade", "force", "compliant", NULL};

ff_drive ff_drive_default(void)
{
    return (ff_drive){.name = "drive",
                      .motor = FF_MOTOR_IDEAL,
                      .path = {.njoint = 1, .lever = {1.0, 0.0}},
                      .ratio = 1.0,
                      .efficiency = 1.0,
                      .lag = 2.0 * FF_PI * 1500.0,
                      .dc = {.dry_speed = 1.0},
                      .backlash = {.restitution = 0.8, .floor = 1e-4},
                      .servo = ff_servo_default()};
}

// ------------------------------------------------------------------------------------------ checks

/// One number and the rule it must keep.
typedef struct rule {
    const char *what;
    double value;
    bool kept;
    const char *wanted;
} rule;

static ff_status keep(const ff_drive *d, const rule *rules, int n, ff_error *err)
{
    for (int i = 0; i < n; i++)
        if (!rules[i].kept)
            return ff_error_set(err, FF_BAD_ARGUMENT, "drive '%s': %s is %g: it must be %s", d->name, rules[i].what,
                                rules[i].value, rules[i].wanted);
    return FF_OK;
}

static ff_status check_motor(const ff_drive *d, ff_error *err)
{
    const bool pmsm = d->motor == FF_MOTOR_PMSM, electric = d->motor == FF_MOTOR_DC || d->motor == FF_MOTOR_LAG || pmsm;
    const bool rubs = electric && (d->dc.dry > 0.0 || d->efficiency < 1.0);
    const rule rules[] = {
        {"gear ratio", d->ratio, d->ratio != 0.0 && isfinite(d->ratio), "a number other than zero"},
        {"efficiency", d->efficiency, d->efficiency > 0.0 && d->efficiency <= 1.0, "above 0 and at most 1"},
        {"rotor inertia", d->dc.rotor, d->dc.rotor >= 0.0, "zero or more"},
        {"motor constant", d->dc.constant, !electric || d->dc.constant > 0.0, "positive"},
        {"resistance", d->dc.resistance, d->motor != FF_MOTOR_DC || d->dc.resistance > 0.0, "positive"},
        {"inductance", d->dc.inductance, d->dc.inductance >= 0.0, "zero or more"},
        {"viscous friction", d->dc.viscous, d->dc.viscous >= 0.0, "zero or more"},
        {"dry friction", d->dc.dry, d->dc.dry >= 0.0, "zero or more"},
        {"speed at which dry friction fades", d->dc.dry_speed, !rubs || d->dc.dry_speed > 0.0, "positive"},
        {"peak current", d->peak, !ff_drive_warms(d) || d->peak > 0.0,
         "positive, as a limit of temperature lowers it (or give voltage and resistance)"},
        {"lag", d->lag, d->motor != FF_MOTOR_LAG || d->lag > 0.0, "positive"},
        {"stall torque", d->stall, d->stall >= 0.0, "zero (no bound) or more"},
        {"servo frame", d->servo.frame, d->motor != FF_MOTOR_SERVO || d->servo.frame >= 1e-6, "1e-6 s or more"},
        {"number of pole pairs", d->pmsm.pairs, !pmsm || d->pmsm.pairs > 0, "1 or more"},
        {"phase inductance", d->pmsm.inductance_q, !pmsm || (d->pmsm.inductance_d > 0.0 && d->pmsm.inductance_q > 0.0),
         "positive"},
        {"period of the current loop", d->foc.period, !pmsm || d->foc.period > 0.0, "positive"},
        {"rate of the loop", d->rate, d->rate > 0.0 || d->loop == FF_LOOP_DIRECT || d->loop == FF_LOOP_CASCADE,
         "positive"},
        {"rate of the position loop", d->cascade.rate, d->loop != FF_LOOP_CASCADE || d->cascade.rate > 0.0, "positive"},
        {"rate of the velocity loop", d->cascade.rate_speed, d->loop != FF_LOOP_CASCADE || d->cascade.rate_speed > 0.0,
         "positive"},
    };
    return keep(d, rules, (int)(sizeof rules / sizeof *rules), err);
}

static ff_status check_transmission(const ff_drive *d, ff_error *err)
{
    const ff_drive_transmission t = d->transmission;
    const bool loose = t == FF_TRANSMISSION_BACKLASH || t == FF_TRANSMISSION_TEETH, moves = t != FF_TRANSMISSION_RIGID;
    const rule rules[] = {
        {"inertia of the rotor after the gear", d->inertia, !moves || d->inertia > 0.0,
         "positive, as the rotor moves by itself"},
        {"inertia behind the play", d->inertia_behind, !loose || d->inertia_behind > 0.0, "positive"},
        {"stiffness of the transmission", d->stiffness, !moves || t == FF_TRANSMISSION_CABLES || d->stiffness > 0.0,
         "positive"},
        {"damping of the transmission", d->damping, d->damping >= 0.0, "zero or more"},
        {"play", d->backlash.gap, t != FF_TRANSMISSION_TEETH || d->backlash.gap >= 0.0, "zero or more"},
        {"play", d->backlash.gap, t != FF_TRANSMISSION_BACKLASH || d->backlash.gap >= 1e-7,
         "1e-7 or more: a gear without play is 'flexible'"},
        // faces are placed to 0.005 floor^2 / acceleration: with less that falls below the rounding of angles
        {"floor of impacts", d->backlash.floor, t != FF_TRANSMISSION_BACKLASH || d->backlash.floor >= 1e-5,
         "1e-5 rad/s or more"},
        {"restitution", d->backlash.restitution, d->backlash.restitution >= 0.0 && d->backlash.restitution <= 1.0,
         "between 0 and 1"},
        {"stiffness of the teeth", d->backlash.stiffness, t != FF_TRANSMISSION_TEETH || d->backlash.stiffness > 0.0,
         "positive"},
        {"radius of the pulley", d->sea.radius, t != FF_TRANSMISSION_CABLES || d->sea.radius > 0.0, "positive"},
        {"pretension", d->sea.stretch, d->sea.stretch >= 0.0, "zero or more"},
    };
    return keep(d, rules, (int)(sizeof rules / sizeof *rules), err);
}

ff_status ff_drive_finish(ff_drive *drive, double step, ff_error *err)
{
    ff_drive *d = drive;
    if (d->motor == FF_MOTOR_PMSM) { // its torque constant and resistance serve the outer loops too
        d->dc.constant = ff_pmsm_constant(&d->pmsm);
        d->dc.resistance = d->pmsm.resistance;
    }
    if (d->inertia == 0.0) d->inertia = d->ratio * d->ratio * d->dc.rotor;
    d->backlash.motor = d->inertia;
    d->backlash.transmission = d->inertia_behind;
    if (ff_drive_warms(d) && !(d->peak > 0.0) && d->dc.resistance > 0.0) d->peak = d->dc.voltage / d->dc.resistance;
    if (ff_drive_watched(d) && d->rate == 0.0) d->rate = 1000.0;
    d->pole =
        d->motor == FF_MOTOR_DC && d->dc.inductance > 0.0 && !(step > 0.0 && ff_dc_motor_drops_pole(&d->dc, step));
    ff_status status = check_motor(d, err);
    if (status == FF_OK) status = check_transmission(d, err);
    if (status != FF_OK) return status;
    d->backlash.damping = d->transmission == FF_TRANSMISSION_TEETH ? ff_backlash_tooth_damping(&d->backlash) : 0.0;
    static const int moving[FF_TRANSMISSION_COUNT] = {0, 2, 4, 4, 2};
    d->nmoving = d->motor == FF_MOTOR_NONE ? 0 : moving[d->transmission];
    d->nstate = ff_drive_nelectric(d) + d->nmoving;
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ start

void ff_drive_start(const ff_drive *drive, ff_drive_memory *memory, const double *q, const double *v, double *z)
{
    const ff_drive_position at = ff_drive_path_locate(&drive->path, q, v);
    const int electric = ff_drive_nelectric(drive);
    *memory = (ff_drive_memory){.reference = {at.x, 0.0, 0.0},
                                .target = at.x,
                                .seen = ff_encoder_angle(drive->counts, at.x * drive->ratio) / drive->ratio,
                                .seen_speed = at.speed,
                                .shaper = {.position = at.x},
                                .temperature = drive->thermal.ambient};
    for (int i = 0; i < drive->nstate; i++) z[i] = 0.0;
    for (int i = electric; i + 1 < drive->nstate; i += 2) {
        z[i] = at.x;
        z[i + 1] = at.speed;
    }
}

// ------------------------------------------------------------------------------------------ motor

/// Torque of a current, less friction, through the gear; the supply gives `electrical`.
static double through_gear(const ff_drive *d, double speed, ff_drive_flow *f)
{
    double slope, slope_lost;
    const double friction = ff_dc_motor_friction(&d->dc, speed, &slope);
    const double lost = ff_gear_loss(d->efficiency, f->motor_torque, speed, d->dc.dry_speed, &slope_lost);
    f->loss += f->copper + (friction + lost) * speed;
    f->damping += d->ratio * d->ratio * (slope + slope_lost);
    return d->ratio * (f->motor_torque - friction - lost);
}

static void dc_current(const ff_drive *d, const ff_drive_memory *m, double speed, const double *z, double *zdot,
                       ff_drive_flow *f)
{
    const ff_dc_motor *dc = &d->dc;
    f->voltage = m->off ? dc->constant * speed : m->voltage; // open leads: what the rotor induces, and no current
    if (d->pole) {
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

static void pmsm_current(const ff_drive *d, const ff_drive_memory *m, ff_drive_turn rotor, const double *z,
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

/// The current follows its wish with a lag; the supply gives what copper and shaft take.
static void lag_current(const ff_drive *d, const ff_drive_memory *m, double speed, const double *z, double *zdot,
                        ff_drive_flow *f)
{
    f->current = z[0];
    if (zdot) zdot[0] = d->lag * ((m->off ? 0.0 : m->current) - z[0]);
    f->motor_torque = d->dc.constant * z[0];
    f->voltage = d->dc.resistance * z[0] + d->dc.constant * speed;
    f->copper = d->dc.resistance * z[0] * z[0];
    f->electrical = f->voltage * z[0];
}

static double ideal_force(const ff_drive *d, const ff_drive_memory *m, ff_drive_turn rotor, ff_drive_flow *f)
{
    double force = m->off ? 0.0 : m->force;
    if (d->motor == FF_MOTOR_SERVO && !m->off) {
        force = ff_servo_torque(&d->servo, m->target, rotor.angle, rotor.speed);
        const bool held = force == ff_servo_wish(&d->servo, m->target, rotor.angle, rotor.speed);
        f->stiffness += held ? d->servo.stiffness : 0.0;
        f->damping += held ? d->servo.damping : 0.0;
    } else if (d->stall > 0.0) {
        force = ff_motor_line(d->stall, d->no_load, rotor.speed, force);
    }
    f->motor_torque = force;
    f->motor_speed = rotor.speed;
    f->electrical = force * rotor.speed;
    return force;
}

double ff_drive_motor_force(const ff_drive *d, const ff_drive_memory *m, ff_drive_turn rotor, const double *z,
                            double *zdot, ff_drive_flow *flow)
{
    const double speed = d->ratio * rotor.speed;
    flow->motor_speed = speed;
    switch (d->motor) {
    case FF_MOTOR_DC:
        dc_current(d, m, speed, z, zdot, flow);
        break;
    case FF_MOTOR_LAG:
        lag_current(d, m, speed, z, zdot, flow);
        break;
    case FF_MOTOR_PMSM:
        pmsm_current(d, m, rotor, z, zdot, flow);
        break;
    default:
        break;
    }
    const bool plain = d->motor == FF_MOTOR_IDEAL || d->motor == FF_MOTOR_SERVO;
    const double force = plain ? ideal_force(d, m, rotor, flow) : through_gear(d, speed, flow);
    if (d->bound.n == 0) return force;
    // a linear drive saturates in the amplifier: what is bounded away was never made
    const double bounded = ff_spindle_force(&d->bound, rotor.speed, force);
    flow->electrical -= (force - bounded) * rotor.speed;
    if (plain) flow->motor_torque = bounded;
    return bounded;
}

// ------------------------------------------------------------------------------------------ temperature

void ff_drive_warm(const ff_drive *drive, ff_drive_memory *memory, double span)
{
    const double heat = memory->copper - memory->warmed;
    if (span > 0.0) memory->temperature = ff_thermal_update(&drive->thermal, memory->temperature, heat / span, span);
    memory->warmed = memory->copper;
}
