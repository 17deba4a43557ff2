// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Entries of the energy ledger for an accepted step: the trapezoid of the powers at its two ends, or the work of the
// mean force where that is more accurate.
#include "contact/advance.h"
#include "engine/implicit/implicit.h"

/// Powers at the end of the step: those of the last evaluation, corrected for the last change of the velocity.
static void end_powers(ff_sim *sim, double *power)
{
    const ff_implicit *im = sim->implicit;
    ff_ledger_powers(sim, sim->time_origin + im->t + im->h, im->iterate.z, power);
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        power[FF_LEDGER_NORMAL] += point->lost_normal - point->touch->force.loss_normal;
        power[FF_LEDGER_FRICTION] += point->lost_friction - point->touch->force.loss_friction;
    }
    power[FF_LEDGER_JOINTS] -= im->stops.end_power;
}

/// A step without correction moves the bodies by the forces at its end alone. Where the power of a loss at its start is
/// very different, since a contact or a stop was closed or open there, the trapezoid is wrong. @return its excess  [J]
static double excess(double h, double power, double trapezoid)
{
    static const double SAME = 0.1; // half the relative change of power that braking or turning within a step explains
    const double most = SAME * h * fabs(power);
    return trapezoid - ff_max(-most, ff_min(trapezoid, most));
}

/// Trapezoid of the powers at both ends -> ledger.
static void add_powers(ff_sim *sim, double *ledger)
{
    const ff_implicit *im = sim->implicit;
    const double h = im->h, *from = sim->x + sim->nstate, *power0 = im->start.zdot + sim->nz;
    double power[FF_LEDGER_COUNT], more[FF_LEDGER_COUNT];
    end_powers(sim, power);
    for (int i = 0; i < FF_LEDGER_COUNT; i++) more[i] = 0.5 * h * (power0[i] - power[i]);
    more[FF_LEDGER_JOINTS] -= 0.5 * h * im->stops.start_power;
    for (int i = 0; i < FF_LEDGER_COUNT; i++) ledger[i] = from[i] + h * power[i] + more[i];
    if (im->correction.applied) return;
    ledger[FF_LEDGER_FRICTION] -= excess(h, power[FF_LEDGER_FRICTION], more[FF_LEDGER_FRICTION]);
    ledger[FF_LEDGER_JOINTS] -= excess(h, power[FF_LEDGER_JOINTS], more[FF_LEDGER_JOINTS]);
}

/// Removes heat of points for the part of the step in which they are open: the trapezoid counts all of the step.
static void remove_absent(const ff_sim *sim, const double *from, double *ledger)
{
    const double h = sim->implicit->h, *absent = sim->implicit->correction.absent_loss;
    static const int entries[2] = {FF_LEDGER_NORMAL, FF_LEDGER_FRICTION};
    for (int k = 0; k < 2; k++) {
        const int i = entries[k];
        if (absent[k] != 0.0) ledger[i] = ff_max(from[i], ledger[i] - 0.5 * h * absent[k]);
    }
}

/// @return energy in the springs of friction of a point  [J]
static double stored(const ff_touch *touch, const ff_contact_state *state)
{
    return ff_contact_stored(touch->law, touch->point.share, state);
}

/// Heat of impacts shorter than the step, by the work of the forces, and not by the powers at the ends: the work of a
/// force that changes the velocity from v0 to v1 is force times (v0 + v1) / 2.
static void account_by_work(ff_sim *sim, const double *from, const double *x, double *ledger)
{
    const ff_implicit *im = sim->implicit;
    const double h = im->h, *v0 = sim->x + sim->nq, *v1 = x + sim->nq;
    double normal = im->contacts.stored, friction = 0.0;
    for (int i = 0; i < sim->nv; i++) im->work[i] = 0.5 * (v0[i] + v1[i]);
    ff_implicit_twists(sim, im->work);
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        const double *force = point->touch->result.force, *moment = point->touch->force.moment;
        double linear[3], angular[3];
        ff_implicit_point_velocity(sim, point, linear, angular);
        const double work = h * ff_vec3_dot(force, linear);
        const double along = h * ff_vec3_dot(force, point->normal) * ff_vec3_dot(linear, point->normal);
        normal -= along + point->elastic_normal;
        friction -= work - along + h * point->ramp * ff_vec3_dot(moment, angular);
        if (point->touch->slot < 0) continue;
        friction += stored(point->touch, &point->touch->state) - stored(point->touch, &point->touch->result.state);
    }
    ledger[FF_LEDGER_NORMAL] = from[FF_LEDGER_NORMAL] + ff_max(0.0, normal);
    ledger[FF_LEDGER_FRICTION] = from[FF_LEDGER_FRICTION] + ff_max(0.0, friction);
}

/// Heat of sliding points with springs of friction: the work T v less the energy that the springs store. Powers of heat
/// would depend on ds/dt = (T - k s) / d, the small difference of two forces: with them a point that lost 0.67 J by
/// friction had 0.64 J of heat (k 1e5 N/m, d 1 N s/m, accuracy 1e-3).
static void correct_friction(const ff_sim *sim, const double *from, double *ledger)
{
    const ff_implicit *im = sim->implicit;
    double sum = 0.0;
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        const ff_contact_start *start = point->start;
        if (!start || (!start->slides && !point->slides)) continue;
        const ff_touch *touch = point->touch;
        const double kept = stored(touch, &touch->result.state) - stored(touch, &touch->state);
        sum += 0.5 * im->h * (start->spring_power + point->spring_power) - kept;
    }
    if (sum != 0.0) ledger[FF_LEDGER_FRICTION] = ff_max(from[FF_LEDGER_FRICTION], ledger[FF_LEDGER_FRICTION] + sum);
}

static void account_contacts(ff_sim *sim, const double *from, const double *x, double *ledger)
{
    if (!sim->implicit->contacts.slot) return;
    if (!sim->implicit->correction.applied) {
        if (ff_contacts_too_stiff(sim)) account_by_work(sim, from, x, ledger);
        return;
    }
    remove_absent(sim, from, ledger);
    correct_friction(sim, from, ledger);
}

/// @return work of the drives over the step from v0 to v1, less the trapezoid of their powers. `end` is the velocity at
/// which their forces at the end were evaluated. The correction d moves v by the mean force (f0 + f1) / 2 + J d  [J]
static double work_of_step(const ff_sim *sim, const double *v0, const double *end, const double *v1)
{
    const ff_implicit *im = sim->implicit;
    double sum = 0.0;
    for (int i = 0; i < sim->nv; i++) {
        const double f0 = im->start.driving[i], f1 = sim->ledger.driving[i];
        if (f0 == 0.0 && f1 == 0.0) continue; // slopes at such joints are not those of drives
        const double stiffness = im->slopes.stiffness[i] - im->slopes.passive_stiffness[i],
                     damping = im->slopes.damping[i] - im->slopes.passive_damping[i];
        const double change = stiffness * im->correction.q[i] + damping * im->correction.v[i];
        const double mean = im->correction.applied ? 0.5 * (f0 + f1) - change : f1;
        sum += 0.5 * mean * (v0[i] + v1[i]) - 0.5 * (f0 * v0[i] + f1 * end[i]);
    }
    if (im->correction.applied && im->lines)
        sum -= 0.5 * (ff_lines_work(sim, im->correction.q, im->correction.v, v0) +
                      ff_lines_work(sim, im->correction.q, im->correction.v, v1));
    return im->h * sum;
}

void ff_implicit_account(ff_sim *sim, double *x)
{
    const ff_implicit *im = sim->implicit;
    const double *v0 = sim->x + sim->nq, *from = sim->x + sim->nstate;
    double *ledger = x + sim->nstate;
    add_powers(sim, ledger);
    if (!sim->data) return;
    account_contacts(sim, from, x, ledger);
    if (sim->options.passive && im->stops.by_work) ledger[FF_LEDGER_JOINTS] += ff_stops_heat(sim, x);
    ff_dry_friction_heat(sim, v0, ledger);
    ledger[FF_LEDGER_WORK] += work_of_step(sim, v0, im->iterate.evaluated_v, im->iterate.v);
}
