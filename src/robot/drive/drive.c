// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The drive as a whole: defaults, checks, start, temperature.
#include "drive/private.h"
#include "native/keys.h" // the numbers of names must agree

#include <footfall/math.h>

ff_drive ff_drive_default(void)
{
    return (ff_drive){.name = "drive",
                      .motor = FF_MOTOR_IDEAL,
                      .path = {.njoint = 1, .lever = {1.0, 0.0}},
                      .ratio = 1.0,
                      .efficiency = 1.0,
                      .lag = 2.0 * FF_PI * 1500.0,
                      .battery = -1,
                      .partner = -1,
                      .dc = {.dry_speed = 1.0},
                      .backlash = {.restitution = 0.8, .floor = 1e-4},
                      .servo = ff_servo_default()};
}

// ------------------------------------------------------------------------------------------ checks

/// A number of a drive and the condition for it.
typedef struct rule {
    const char *what;
    double value;
    bool holds;
    const char *wanted;
} rule;

/// @return FF_OK, or FF_BAD_ARGUMENT for the first rule that does not hold
static ff_status check_rules(const ff_drive *d, const rule *rules, int n, ff_error *err)
{
    for (int i = 0; i < n; i++)
        if (!rules[i].holds)
            return ff_error_set(err, FF_BAD_ARGUMENT, "drive '%s': %s is %g: it must be %s", d->name, rules[i].what,
                                rules[i].value, rules[i].wanted);
    return FF_OK;
}

static ff_status check_motor(const ff_drive *d, ff_error *err)
{
    const bool pmsm = d->motor == FF_MOTOR_PMSM, electric = ff_drive_has_current(d);
    const bool has_friction = electric && (d->dc.dry > 0.0 || d->efficiency < 1.0);
    const rule rules[] = {
        {"gear ratio", d->ratio, d->ratio != 0.0 && isfinite(d->ratio), "a number other than zero"},
        {"efficiency", d->efficiency, d->efficiency > 0.0 && d->efficiency <= 1.0, "above 0 and at most 1"},
        {"rotor inertia", d->dc.rotor, d->dc.rotor >= 0.0, "zero or more"},
        {"motor constant", d->dc.constant, !electric || d->dc.constant > 0.0, "positive"},
        {"resistance", d->dc.resistance, d->motor != FF_MOTOR_DC || d->dc.resistance > 0.0, "positive"},
        {"inductance", d->dc.inductance, d->dc.inductance >= 0.0, "zero or more"},
        {"viscous friction", d->dc.viscous, d->dc.viscous >= 0.0, "zero or more"},
        {"dry friction", d->dc.dry, d->dc.dry >= 0.0, "zero or more"},
        {"speed at which dry friction fades", d->dc.dry_speed, !has_friction || d->dc.dry_speed > 0.0, "positive"},
        {"peak current", d->peak, !ff_drive_limits_temperature(d) || d->peak > 0.0,
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
    return check_rules(d, rules, (int)(sizeof rules / sizeof *rules), err);
}

static ff_status check_transmission(const ff_drive *d, ff_error *err)
{
    const ff_drive_transmission t = d->transmission;
    const bool has_backlash = t == FF_TRANSMISSION_BACKLASH || t == FF_TRANSMISSION_TEETH,
               elastic = t != FF_TRANSMISSION_RIGID;
    const rule rules[] = {
        {"inertia of the rotor after the gear", d->inertia, !elastic || d->inertia > 0.0,
         "positive, as the rotor moves by itself"},
        {"inertia behind the backlash", d->inertia_behind, !has_backlash || d->inertia_behind > 0.0, "positive"},
        {"stiffness of the transmission", d->stiffness, !elastic || t == FF_TRANSMISSION_CABLES || d->stiffness > 0.0,
         "positive"},
        {"damping of the transmission", d->damping, d->damping >= 0.0, "zero or more"},
        {"backlash", d->backlash.gap, t != FF_TRANSMISSION_TEETH || d->backlash.gap >= 0.0, "zero or more"},
        {"backlash", d->backlash.gap, t != FF_TRANSMISSION_BACKLASH || d->backlash.gap >= 1e-7,
         "1e-7 or more: a gear without backlash is 'flexible'"},
        // faces are placed at 0.005 floor^2 / acceleration; a lower floor would bring that below the rounding of angles
        {"floor of impacts", d->backlash.floor, t != FF_TRANSMISSION_BACKLASH || d->backlash.floor >= 1e-5,
         "1e-5 rad/s or more"},
        {"restitution", d->backlash.restitution, d->backlash.restitution >= 0.0 && d->backlash.restitution <= 1.0,
         "between 0 and 1"},
        {"stiffness of the teeth", d->backlash.stiffness, t != FF_TRANSMISSION_TEETH || d->backlash.stiffness > 0.0,
         "positive"},
        {"radius of the pulley", d->sea.radius, t != FF_TRANSMISSION_CABLES || d->sea.radius > 0.0, "positive"},
        {"pretension", d->sea.stretch, d->sea.stretch >= 0.0, "zero or more"},
    };
    return check_rules(d, rules, (int)(sizeof rules / sizeof *rules), err);
}

bool ff_drive_keeps_pole(const ff_drive *d, double step)
{
    if (d->motor == FF_MOTOR_PMSM || d->motor == FF_MOTOR_LAG) return true;
    const double rate = d->cascade.rate_current;
    const double longest = rate > 0.0 ? ff_min(step, 1.0 / rate) : step; // steps end at samples of the current loop
    if (d->motor != FF_MOTOR_DC || !(d->dc.inductance > 0.0)) return false;
    return !(step > 0.0 && ff_dc_motor_drops_pole(&d->dc, longest));
}

/// Rate at which the current is controlled: that of the samples, or the bandwidth of the lag.  [1/s]
static double current_rate(const ff_drive *d)
{
    return d->motor == FF_MOTOR_LAG ? d->lag : ff_drive_rate(d, FF_LEVEL_CURRENT);
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
    if (ff_drive_limits_temperature(d) && !(d->peak > 0.0) && d->dc.resistance > 0.0)
        d->peak = d->dc.voltage / d->dc.resistance;
    if (ff_drive_is_supervised(d) && d->rate == 0.0) d->rate = 1000.0;
    if (!(d->span * current_rate(d) > 1.0)) d->span = 0.0;
    d->pole = !(d->span > 0.0) && ff_drive_keeps_pole(d, step);
    ff_status status = check_motor(d, err);
    if (status == FF_OK) status = check_transmission(d, err);
    if (status != FF_OK) return status;
    d->backlash.damping = d->transmission == FF_TRANSMISSION_TEETH ? ff_backlash_tooth_damping(&d->backlash) : 0.0;
    d->nmoving = d->motor == FF_MOTOR_NONE ? 0 : ff_drive_nmoving_of(d->transmission);
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
                                .measured = ff_encoder_angle(drive->counts, at.x * drive->ratio) / drive->ratio,
                                .measured_speed = at.speed,
                                .shaper = {.position = at.x},
                                .ahead = {.speed = at.speed},
                                .temperature = drive->thermal.ambient};
    for (int i = 0; i < drive->nstate; i++) z[i] = 0.0;
    for (int i = electric; i + 1 < drive->nstate; i += 2) {
        z[i] = at.x;
        z[i + 1] = at.speed;
    }
}

// ------------------------------------------------------------------------------------------ temperature

void ff_drive_update_temperature(const ff_drive *drive, ff_drive_memory *memory, double span)
{
    const double heat = memory->copper - memory->warmed;
    if (span > 0.0) memory->temperature = ff_thermal_update(&drive->thermal, memory->temperature, heat / span, span);
    memory->warmed = memory->copper;
}
