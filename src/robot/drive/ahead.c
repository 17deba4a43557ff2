// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Current loops that run ahead of the mechanics. A winding has a time constant of 0.1 ms, its loop samples at 20 kHz,
// the velocity loop at 10 kHz: steps of the whole robot need not be as short. Over a span of time with constant
// acceleration of the rotor, winding and loops are advanced from sample to sample, and the rotor gets the mean torque:
// its impulse is exact, its ripple within the span is left out.
//
// Between samples the voltage is held.
//     dc    L i' = u - R i - k w        i(s) = e + (i0 - e) exp(-R s / L),   e = (u - k w) / R:  exact for constant w
//     lag   i' = c (i* - i)             the same, with i* in the place of e
//     pmsm  midpoint rule in rotor axes, which keeps  u i = copper + field' + torque w  to rounding, for any L_d, L_q
// Heat and charge follow from i without further error, so that the energy balance closes.
#include "drive/private.h"

#include <footfall/math.h>

/// The part of a current that remains after a time s of decay. Most samples of a span have the same s.
typedef struct decay {
    double s, remaining;
} decay;

/// Integrals over the span.
typedef struct sums {
    double charge;  // of the torque-making current  [A s]
    double voltage; // [V s]
    double torque;  // [N m s]
    double copper;  // [J]
} sums;

bool ff_drive_runs_ahead(const ff_drive *drive, ff_drive_level level)
{
    const double rate = ff_drive_rate(drive, level);
    if (level != FF_LEVEL_CURRENT && drive->loop != FF_LOOP_CASCADE) return false; // force loops measure the mechanics
    return drive->span * rate > 1.0;
}

/// Energy in the inductances at these currents.  [J]
static double field_of(const ff_drive *d, const double current[2])
{
    if (d->motor == FF_MOTOR_PMSM) return ff_pmsm_energy(&d->pmsm, current);
    return d->motor == FF_MOTOR_DC ? 0.5 * d->dc.inductance * current[0] * current[0] : 0.0;
}

/// @param speed  of the motor  [rad/s]   @param s  length  [s]
static void advance_dc(const ff_drive *d, ff_drive_memory *m, double speed, double s, decay *pole, sums *sum)
{
    const ff_dc_motor *dc = &d->dc;
    const double induced = dc->constant * speed, voltage = m->off ? induced : m->voltage, drop = voltage - induced;
    if (s != pole->s) *pole = (decay){s, ff_exp(-s * dc->resistance / dc->inductance)};
    const double before = m->ahead.end[0], steady = drop / dc->resistance;
    const double after = steady + (before - steady) * pole->remaining;
    const double charge = (drop * s - dc->inductance * (after - before)) / dc->resistance;
    m->ahead.end[0] = after;
    sum->charge += charge;
    sum->voltage += voltage * s;
    sum->torque += dc->constant * charge;
    sum->copper += drop * charge - 0.5 * dc->inductance * (after * after - before * before);
}

static void advance_lag(const ff_drive *d, ff_drive_memory *m, double speed, double s, decay *pole, sums *sum)
{
    if (s != pole->s) *pole = (decay){s, ff_exp(-s * d->lag)};
    const double steady = m->off ? 0.0 : m->current, excess = m->ahead.end[0] - steady, remaining = pole->remaining;
    const double duration = (1.0 - remaining) / d->lag; // integral of the decay
    const double charge = steady * s + excess * duration, R = d->dc.resistance;
    m->ahead.end[0] = steady + excess * remaining;
    sum->charge += charge;
    sum->voltage += R * charge + d->dc.constant * speed * s;
    sum->torque += d->dc.constant * charge;
    sum->copper += R * (steady * (charge + excess * duration) + 0.5 * excess * excess * duration * (1.0 + remaining));
}

/// Advances the currents by the midpoint rule. @param rotor  in the middle of the time s
static void advance_pmsm(const ff_drive *d, ff_drive_memory *m, ff_drive_turn rotor, double s, sums *sum)
{
    const ff_pmsm *p = &d->pmsm;
    const double electric = m->off ? 0.0 : p->pairs * d->ratio * rotor.speed, R = p->resistance;
    const double d_axis = 2.0 * p->inductance_d / s, q_axis = 2.0 * p->inductance_q / s;
    double u[2] = {0.0, 0.0}, *end = m->ahead.end;
    if (!m->off) ff_park(m->foc.plane, p->pairs * d->ratio * rotor.angle, u);
    // (2 L / s + R) i_m  and what the axes induce in each other, for the currents i_m in the middle
    const double a = d_axis + R, b = -electric * p->inductance_q, c = electric * p->inductance_d, e = q_axis + R;
    const double right[2] = {d_axis * end[0] + u[0], q_axis * end[1] + u[1] - electric * p->flux};
    const double whole = 1.0 / (a * e - b * c);
    const double middle[2] = {(e * right[0] - b * right[1]) * whole, (a * right[1] - c * right[0]) * whole};
    for (int k = 0; k < 2; k++) end[k] = 2.0 * middle[k] - end[k];
    sum->charge += middle[1] * s;
    sum->voltage += u[1] * s;
    sum->torque += ff_pmsm_torque(p, middle) * s;
    sum->copper += 1.5 * R * (middle[0] * middle[0] + middle[1] * middle[1]) * s;
}

/// Predicted motion within the span.
typedef struct forecast {
    ff_drive_view start;
    double acceleration; // of the rotor; of the joint, too, where both are one  [rad/s^2, m/s^2]
    bool rigid;
} forecast;

static ff_drive_turn extrapolate(ff_drive_turn from, double acceleration, double s)
{
    return (ff_drive_turn){from.angle + s * (from.speed + 0.5 * s * acceleration), from.speed + s * acceleration};
}

/// What the loops measure at the time s after the start of the span.
static ff_drive_view predict(const forecast *c, const ff_drive_memory *m, double s)
{
    const ff_drive_turn rotor = extrapolate(c->start.rotor, c->acceleration, s);
    return (ff_drive_view){.joint = c->rigid ? rotor : extrapolate(c->start.joint, 0.0, s),
                           .rotor = rotor,
                           .current = {m->ahead.end[0], m->ahead.end[1]}};
}

static sums run(const ff_drive *d, ff_drive_memory *m, const ff_drive_schedule *at, const forecast *c)
{
    sums sum = {0};
    decay pole = {0};
    int64_t due[FF_LEVEL_COUNT];
    for (int i = 0; i < FF_LEVEL_COUNT; i++)
        due[i] = at->period[i] > 0 ? at->now - at->now % at->period[i] + at->period[i] : INT64_MAX;
    for (int64_t t = at->now, next; t < at->until; t = next) {
        next = at->until;
        for (int i = 0; i < FF_LEVEL_COUNT; i++) next = due[i] < next ? due[i] : next;
        const double from = at->tick * (double)(t - at->now), s = at->tick * (double)(next - t);
        const ff_drive_turn middle = extrapolate(c->start.rotor, c->acceleration, from + 0.5 * s);
        if (d->motor == FF_MOTOR_PMSM)
            advance_pmsm(d, m, middle, s, &sum);
        else if (d->motor == FF_MOTOR_LAG)
            advance_lag(d, m, d->ratio * middle.speed, s, &pole, &sum);
        else
            advance_dc(d, m, d->ratio * middle.speed, s, &pole, &sum);
        if (next == at->until) break; // the loops sample there as tasks
        for (int i = 0; i < FF_LEVEL_COUNT; i++) {
            if (due[i] != next) continue;
            const ff_drive_view view = predict(c, m, from + s);
            ff_drive_sample_view(d, m, (ff_drive_level)i, &view);
            due[i] += at->period[i];
        }
    }
    return sum;
}

double ff_drive_run_ahead(const ff_drive *drive, ff_drive_memory *memory, const ff_drive_schedule *schedule,
                          const double *q, const double *v, const double *z)
{
    ff_drive_ahead *a = &memory->ahead;
    const double span = schedule->tick * (double)(schedule->until - schedule->now);
    forecast c = {.start = ff_drive_view_of(drive, memory, FF_LEVEL_OUTER, q, v, z),
                  .rigid = drive->transmission == FF_TRANSMISSION_RIGID};
    c.acceleration = (c.start.rotor.speed - a->speed) / span;
    const double field = field_of(drive, a->end), change = field - a->field;
    const sums sum = run(drive, memory, schedule, &c);
    a->field = field;
    a->speed = c.start.rotor.speed;
    a->current = sum.charge / span;
    a->voltage = sum.voltage / span;
    a->torque = sum.torque / span;
    a->copper = sum.copper / span;
    return change;
}

void ff_drive_hold_ahead(const ff_drive *drive, ff_drive_memory *memory, double current)
{
    const ff_dc_motor *dc = &drive->dc;
    ff_drive_ahead *a = &memory->ahead;
    *a = (ff_drive_ahead){.end = {current},
                          .current = current,
                          .voltage = dc->resistance * current,
                          .torque = dc->constant * current,
                          .copper = dc->resistance * current * current,
                          .speed = a->speed};
    a->field = field_of(drive, a->end);
}
