// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What an accepted step adds to the energy ledger. Powers at its two ends give the trapezoid; where the force that
// moved the bodies is known better than that, its work takes the place of it.
#include "contact/advance.h"
#include "engine/implicit/implicit.h"

/// Powers at the end of the step. Those of the last evaluation belong to its velocity, which one more change has moved.
static void end_powers(ff_sim *sim, double *power)
{
    const ff_implicit *im = sim->implicit;
    ff_ledger_powers(sim, sim->base + im->t + im->h, im->iterate.z, power);
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        power[FF_LEDGER_NORMAL] += point->lost_normal - point->touch->force.loss_normal;
        power[FF_LEDGER_FRICTION] += point->lost_friction - point->touch->force.loss_friction;
    }
    power[FF_LEDGER_JOINTS] -= im->stops.end_power;
}

/// A step that is not corrected has moved the bodies by the forces at its end alone. Where a power of loss at the start
/// is another one, since a contact or a stop was pressed together or open there, the trapezoid of the two is wrong by
/// that. @return what it has too much
static double excess(double h, double power, double trapezoid)
{
    static const double SAME = 0.1; // half the change of power that slowing down or turning within a step explains
    const double most = SAME * h * fabs(power);
    return trapezoid - ff_max(-most, ff_min(trapezoid, most));
}

/// The trapezoid of the powers at both ends.
static void add_powers(ff_sim *sim, double *ledger)
{
    const ff_implicit *im = sim->implicit;
    const double h = im->h, *from = sim->x + sim->n - sim->nquad, *power0 = im->start.zdot + sim->nz;
    double power[FF_LEDGER_COUNT], more[FF_LEDGER_COUNT];
    end_powers(sim, power);
    for (int i = 0; i < FF_LEDGER_COUNT; i++) more[i] = 0.5 * h * (power0[i] - power[i]);
    more[FF_LEDGER_JOINTS] -= 0.5 * h * im->stops.start_power;
    for (int i = 0; i < FF_LEDGER_COUNT; i++) ledger[i] = from[i] + h * power[i] + more[i];
    if (im->correction.applied) return;
    ledger[FF_LEDGER_FRICTION] -= excess(h, power[FF_LEDGER_FRICTION], more[FF_LEDGER_FRICTION]);
    ledger[FF_LEDGER_JOINTS] -= excess(h, power[FF_LEDGER_JOINTS], more[FF_LEDGER_JOINTS]);
}

// ------------------------------------------------------------------------------------------ contacts

/// Takes back the heat of points in touch for a part of the step, half of whose power the trapezoid has for all of it.
static void take_back_absent(const ff_sim *sim, const double *from, double *ledger)
{
    const double h = sim->implicit->h, *absent = sim->implicit->correction.absent_loss;
    static const int entries[2] = {FF_LEDGER_NORMAL, FF_LEDGER_FRICTION};
    for (int k = 0; k < 2; k++) {
        const int i = entries[k];
        if (absent[k] != 0.0) ledger[i] = ff_max(from[i], ledger[i] - 0.5 * h * absent[k]);
    }
}

/// Energy in the springs of friction of a point.  [J]
static double stored(const ff_touch *touch, const ff_contact_state *state)
{
    return ff_contact_stored(touch->law, touch->point.share, state);
}

/// The heat of an impact shorter than the step cannot be known from the powers at the ends. What the forces take from
/// the motion can be: a velocity that goes from v0 to v1 under one force meets it with (v0 + v1) / 2.
static void take_work(ff_sim *sim, const double *from, const double *x, double *ledger)
{
    const ff_implicit *im = sim->implicit;
    const double h = im->h, *v0 = sim->x + sim->nq, *v1 = x + sim->nq;
    double normal = im->contacts.stored, friction = 0.0;
    for (int i = 0; i < sim->nv; i++) im->work[i] = 0.5 * (v0[i] + v1[i]);
    ff_implicit_point_velocities(sim, im->work);
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        const double *force = point->touch->result.force, *moment = point->touch->force.moment;
        const double work = h * ff_vec3_dot(force, point->linear);
        const double along = h * ff_vec3_dot(force, point->normal) * ff_vec3_dot(point->linear, point->normal);
        normal -= along + point->elastic_normal;
        friction -= work - along + h * point->part * ff_vec3_dot(moment, point->angular);
        if (point->touch->slot < 0) continue;
        friction += stored(point->touch, &point->touch->state) - stored(point->touch, &point->touch->result.state);
    }
    ledger[FF_LEDGER_NORMAL] = from[FF_LEDGER_NORMAL] + ff_max(0.0, normal);
    ledger[FF_LEDGER_FRICTION] = from[FF_LEDGER_FRICTION] + ff_max(0.0, friction);
}

/// A spring that slides and finds its place fast stands at its limit but for d ds/dt. Its rate (T - k s) / d is what
/// that small difference says, and so is its heat T v - k s ds/dt: an error e of T, such as that of a normal force
/// before the correction, is T e / d of power, some thousand watts per newton for d = 1 N s/m. What it holds at the
/// ends of the step is known well, and so is the work T v, in which no 1 / d stands: heat is the one less the other. A
/// point that lost 0.67 J by friction booked 0.64 J (k 1e5 N/m, d 1 N s/m, accuracy 1e-3). Springs that take several
/// steps need it as well: one of 4 kg with d/k = 7.5 ms booked 4.464 J of 4.500 J in steps of 1 ms.
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
        if (ff_contacts_too_stiff(sim)) take_work(sim, from, x, ledger);
        return;
    }
    take_back_absent(sim, from, ledger);
    correct_friction(sim, from, ledger);
}

// ------------------------------------------------------------------------------------------ drives

/// Work of the drives along the way of the step from v0 to v1, less the trapezoid of their powers. `end` is the
/// velocity their forces at the end were evaluated at. The correction d moves v by the mean (f0 + f1) / 2 + J d of the
/// forces.
static double work_of_step(const ff_sim *sim, const double *v0, const double *end, const double *v1)
{
    const ff_implicit *im = sim->implicit;
    double sum = 0.0;
    for (int i = 0; i < sim->nv; i++) {
        const double f0 = im->start.driving[i], f1 = sim->driving[i];
        if (f0 == 0.0 && f1 == 0.0) continue; // slopes there are those of others
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
    const double *v0 = sim->x + sim->nq, *from = sim->x + sim->n - sim->nquad;
    double *ledger = x + sim->n - sim->nquad;
    add_powers(sim, ledger);
    if (!sim->data) return;
    account_contacts(sim, from, x, ledger);
    if (sim->options.passive && im->stops.by_work) ledger[FF_LEDGER_JOINTS] += ff_stops_heat(sim, x);
    ff_dry_friction_heat(sim, v0, ledger);
    ledger[FF_LEDGER_WORK] += work_of_step(sim, v0, im->iterate.evaluated_v, im->iterate.v);
}
