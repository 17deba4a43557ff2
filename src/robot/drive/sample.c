// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The sampled side of a drive: what its loops measure, and what they command the motor until the next sample. Set
// points go down one chain,
//     force -> current (k, ratio, bound by temperature) -> voltage (current loop, or R i + k w where there is none)
#include "drive/private.h"

/// Bound of the current at the present temperature.  [A]
static double allowed_current(const ff_drive *d, const ff_drive_memory *m)
{
    if (!(d->peak > 0.0) || !ff_drive_limits_temperature(d)) return d->peak;
    return ff_thermal_current(&d->thermal, m->temperature, d->peak);
}

/// Present voltage of the supply; 0: no bound.  [V]
static double allowed_voltage(const ff_drive *d, const ff_drive_memory *m)
{
    return d->dc.voltage * (1.0 - m->sag);
}

/// Zero where the demand pushes beyond a limit switch.
static double apply_switches(const ff_drive *d, const ff_drive_memory *m, double demand)
{
    if (!(d->stroke[1] > d->stroke[0])) return demand;
    const bool blocked = (m->measured >= d->stroke[1] && demand > 0.0) || (m->measured <= d->stroke[0] && demand < 0.0);
    return blocked ? 0.0 : demand;
}

static void set_current(const ff_drive *d, ff_drive_memory *m, double current)
{
    m->current = apply_switches(d, m, ff_drive_clamp(current, allowed_current(d, m)));
    m->force = d->ratio * d->dc.constant * m->current;
    // without a current loop the amplifier sets the voltage that would hold the current at this speed
    if (d->motor == FF_MOTOR_DC && ff_drive_rate(d, FF_LEVEL_CURRENT) == 0.0)
        m->voltage = ff_drive_clamp(d->dc.resistance * m->current + d->dc.constant * d->ratio * m->measured_speed,
                                    allowed_voltage(d, m));
}

static void set_force(const ff_drive *d, ff_drive_memory *m, double force)
{
    force = apply_switches(d, m, ff_drive_clamp(force, d->stall));
    if (ff_drive_has_current(d))
        set_current(d, m, force / (d->ratio * d->dc.constant));
    else
        m->force = force;
}

// ------------------------------------------------------------------------------------------ measuring

/// Measures position and speed for a loop of this rate: exactly, or by an encoder and its difference over a period.
static void measure_motion(const ff_drive *d, ff_drive_memory *m, const ff_drive_view *view, double rate)
{
    const ff_drive_turn at = d->at_joint ? view->joint : view->rotor;
    if (d->counts <= 0) {
        m->measured = at.angle;
        m->measured_speed = at.speed;
        return;
    }
    const double reading = ff_encoder_angle(d->counts, at.angle * d->ratio) / d->ratio;
    m->measured_speed = (reading - m->measured) / (1.0 / rate);
    m->measured = reading;
}

/// Force in the spring, from its deflection.
static double spring_force(const ff_drive *d, const ff_drive_position *at, const double *z)
{
    const ff_drive_turn rotor = ff_drive_rotor(d, (ff_drive_turn){at->x, at->speed}, z);
    if (d->transmission == FF_TRANSMISSION_CABLES) return ff_sea_torque(&d->sea, rotor.angle - at->x, 0.0);
    const double *mechanic = z + ff_drive_nelectric(d);
    const bool loose = d->transmission == FF_TRANSMISSION_BACKLASH || d->transmission == FF_TRANSMISSION_TEETH;
    return d->stiffness * ((loose ? mechanic[2] : rotor.angle) - at->x);
}

// ------------------------------------------------------------------------------------------ levels

double ff_drive_rate(const ff_drive *drive, ff_drive_level level)
{
    const ff_drive *d = drive;
    if (d->motor == FF_MOTOR_NONE) return 0.0;
    if (d->motor == FF_MOTOR_SERVO) return level == FF_LEVEL_OUTER ? 1.0 / d->servo.frame : 0.0;
    if (level == FF_LEVEL_CURRENT && d->motor == FF_MOTOR_PMSM) return 1.0 / d->foc.period;
    if (d->loop == FF_LOOP_DIRECT) return level == FF_LEVEL_OUTER && ff_drive_is_supervised(d) ? d->rate : 0.0;
    if (d->loop != FF_LOOP_CASCADE) return level == FF_LEVEL_OUTER ? d->rate : 0.0;
    if (level == FF_LEVEL_OUTER) return d->cascade.rate;
    if (level == FF_LEVEL_SPEED) return d->cascade.rate_speed;
    return d->motor == FF_MOTOR_DC ? d->cascade.rate_current : 0.0;
}

/// The command of a direct drive, bounded by switches and temperature.
static void apply_command(const ff_drive *d, ff_drive_memory *m)
{
    const double command = m->reference[2];
    if (d->motor == FF_MOTOR_DC) {
        double voltage = ff_drive_clamp(command, allowed_voltage(d, m));
        if (ff_drive_limits_temperature(d)) { // |i| = |u - k w| / R within the bound
            const double induced = d->dc.constant * d->ratio * m->measured_speed;
            voltage = induced + ff_drive_clamp(voltage - induced, d->dc.resistance * allowed_current(d, m));
        }
        m->voltage = apply_switches(d, m, voltage);
    } else if (ff_drive_has_current(d)) {
        m->current = apply_switches(d, m, ff_drive_clamp(command, allowed_current(d, m)));
    } else {
        m->force = apply_switches(d, m, ff_drive_clamp(command, d->stall));
    }
}

/// @param x  reference of the position
static void force_sample(const ff_drive *d, ff_drive_memory *m, const ff_drive_view *view, double x)
{
    const ff_force_loop *loop = &d->force_loop;
    const ff_compliance *c = &d->compliance;
    const double force = view->spring, rate = (force - m->measured_force) * d->rate;
    double demand = m->reference[2];
    m->measured_force = force;
    if (d->loop == FF_LOOP_COMPLIANT)
        demand = ff_drive_clamp(c->kp * (x - view->joint.angle) - c->kd * view->joint.speed, c->limit) + demand;
    const double current = loop->p * (demand - force) - loop->d * rate + loop->forward * demand;
    set_current(d, m, ff_drive_clamp(current, loop->limit));
}

static void outer_sample(const ff_drive *d, ff_drive_memory *m, const ff_drive_view *view)
{
    if (d->motor == FF_MOTOR_SERVO) {
        m->target = ff_servo_quantise(&d->servo, m->reference[0]);
        return;
    }
    double x = m->reference[0], v = m->reference[1];
    if (d->reach[1] > d->reach[0]) x = ff_min(ff_max(x, d->reach[0]), d->reach[1]);
    if (d->shaper.most_acceleration > 0.0) {
        ff_shaper_update(&d->shaper, &m->shaper, x, 1.0 / ff_drive_rate(d, FF_LEVEL_OUTER));
        x = m->shaper.position;
        v = m->shaper.speed;
    }
    if (d->loop == FF_LOOP_CASCADE) { // its velocity loop takes the difference of the encoder
        const double angle = view->rotor.angle;
        const double reading = d->counts > 0 ? ff_encoder_angle(d->counts, angle * d->ratio) / d->ratio : angle;
        const double position = d->at_joint ? view->joint.angle : reading;
        m->cascade.speed = ff_drive_clamp(d->cascade.kx * (x - position) + v, d->cascade.most_speed);
        return;
    }
    measure_motion(d, m, view, d->rate);
    if (d->loop == FF_LOOP_DIRECT)
        apply_command(d, m);
    else if (d->loop == FF_LOOP_PD)
        set_force(d, m, d->kp * (x - m->measured) + d->kd * (v - m->measured_speed) + m->reference[2]);
    else
        force_sample(d, m, view, x);
}

static void speed_sample(const ff_drive *d, ff_drive_memory *m, const ff_drive_view *view)
{
    ff_cascade c = d->cascade;
    measure_motion(d, m, view, c.rate_speed);
    const double peak = allowed_current(d, m), per_current = d->ratio * d->dc.constant;
    if (peak > 0.0) c.velocity.limit = peak;
    const double push = m->reference[2] + d->inertia * m->shaper.acceleration;
    ff_cascade_velocity(&c, &m->cascade, m->measured_speed, per_current > 0.0 ? push / per_current : 0.0);
    set_current(d, m, m->cascade.current);
}

static void current_sample(const ff_drive *d, ff_drive_memory *m, const ff_drive_view *view)
{
    double plane[2], phases[3];
    const double speed = d->ratio * view->rotor.speed;
    if (d->motor == FF_MOTOR_DC) {
        ff_pi pi = d->cascade.current;
        pi.limit *= (1.0 - m->sag);
        m->cascade.current = m->current;
        m->voltage = ff_pi_update(&pi, &m->cascade.current_integral, m->current - view->current[0],
                                  d->dc.constant * speed, 1.0 / d->cascade.rate_current);
        return;
    }
    ff_park_inverse(view->current, d->pmsm.pairs * d->ratio * view->rotor.angle, plane);
    ff_clarke_inverse(plane, phases);
    const double demand[2] = {0.0, m->current};
    ff_pmsm_control foc = d->foc;
    foc.voltage *= (1.0 - m->sag);
    ff_pmsm_control_update(&foc, &d->pmsm, &m->foc, phases, d->ratio * view->rotor.angle, speed, demand);
}

void ff_drive_sample_view(const ff_drive *drive, ff_drive_memory *memory, ff_drive_level level,
                          const ff_drive_view *view)
{
    if (level == FF_LEVEL_OUTER)
        outer_sample(drive, memory, view);
    else if (level == FF_LEVEL_SPEED)
        speed_sample(drive, memory, view);
    else
        current_sample(drive, memory, view);
}

/// The present currents.
static void read_currents(const ff_drive *d, const ff_drive_memory *m, double speed, const double *z, double current[2])
{
    const double *from = d->span > 0.0 ? m->ahead.end : z;
    if (d->motor == FF_MOTOR_DC && !d->pole && !(d->span > 0.0)) {
        current[0] = ff_dc_motor_current(&d->dc, m->voltage, speed);
        return;
    }
    current[0] = from[0];
    if (d->motor == FF_MOTOR_PMSM) current[1] = from[1];
}

ff_drive_view ff_drive_view_of(const ff_drive *drive, const ff_drive_memory *memory, ff_drive_level level,
                               const double *q, const double *v, const double *z)
{
    ff_drive_view view = {0};
    ff_drive_position at;
    view.joint = ff_drive_locate(&drive->path, drive->path.kind, q, v, &at);
    view.rotor = ff_drive_rotor(drive, view.joint, z);
    if (level == FF_LEVEL_CURRENT) read_currents(drive, memory, drive->ratio * view.rotor.speed, z, view.current);
    if (drive->loop == FF_LOOP_FORCE || drive->loop == FF_LOOP_COMPLIANT) view.spring = spring_force(drive, &at, z);
    return view;
}

void ff_drive_sample(const ff_drive *drive, ff_drive_memory *memory, ff_drive_level level, const double *q,
                     const double *v, const double *z)
{
    const ff_drive_view view = ff_drive_view_of(drive, memory, level, q, v, z);
    ff_drive_sample_view(drive, memory, level, &view);
}

bool ff_drive_acts_at_once(const ff_drive *drive)
{
    return drive->loop == FF_LOOP_DIRECT && drive->motor != FF_MOTOR_NONE && drive->motor != FF_MOTOR_SERVO;
}

void ff_drive_command(const ff_drive *drive, ff_drive_memory *memory, double position, double speed, double force)
{
    memory->reference[0] = position;
    memory->reference[1] = speed;
    memory->reference[2] = force;
    if (drive->loop == FF_LOOP_DIRECT) apply_command(drive, memory);
}
