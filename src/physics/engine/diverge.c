// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that the state is finite and within bounds. If it is not, the message names time, body and likely cause, from
// the last valid state: a joint whose spring, damper or stop is too stiff for the step is recognised by its rate,
//     damping:  d / M_ii          spring:  sqrt(k / M_ii)          dry friction:  f / (speed M_ii)          [1/s]
// Explicit methods need h * rate below about 2 for the step h.
#include "engine/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LIMIT_POSITION = 1e12; // [m, rad]

/// First component of x that is not finite or beyond the limits; -1: none is.
static int first_invalid(const ff_sim *sim, const double *x)
{
    // Without branches for valid states: x - x is zero unless x is not finite.
    double bad[4] = {0.0}, far = 0.0, fast = 0.0;
    int k = 0;
    for (; k + 3 < sim->n; k += 4)
        for (int c = 0; c < 4; c++) bad[c] += x[k + c] - x[k + c];
    for (; k < sim->n; k++) bad[0] += x[k] - x[k];
    for (int i = 0; i < sim->nq; i++) far = ff_max(far, fabs(x[i]));
    for (int i = sim->nq; i < sim->nq + sim->nv; i++) fast = ff_max(fast, fabs(x[i]));
    if (bad[0] + bad[1] + bad[2] + bad[3] == 0.0 && far <= LIMIT_POSITION && fast <= sim->options.limit_speed)
        return -1;
    for (int i = sim->nq; i < sim->nq + sim->nv; i++)
        if (!(fabs(x[i]) <= sim->options.limit_speed)) return i;
    for (int i = 0; i < sim->nq; i++)
        if (!(fabs(x[i]) <= LIMIT_POSITION)) return i;
    for (int i = sim->nq + sim->nv; i < sim->n; i++)
        if (!isfinite(x[i])) return i;
    return -1;
}

static int joint_of(const ff_model *m, int component)
{
    if (component >= m->nq) return m->dof_joint[component - m->nq];
    int joint = 0;
    for (int i = 0; i < m->njoint; i++)
        if (m->joints[i].qadr <= component) joint = i;
    return joint;
}

/// @return fastest rate of the passive forces of a degree of freedom at the inertia M_ii, and its name in *what  [1/s]
static double passive_rate(const ff_model *m, int dof, double inertia, const char **what)
{
    const ff_joint *joint = &m->joints[m->dof_joint[dof]];
    const double friction = m->dof_dry_speed[dof] > 0.0 ? m->dof_dry_friction[dof] / m->dof_dry_speed[dof] : 0.0;
    const struct {
        const char *name;
        double rate;
    } rates[] = {{"damping", m->dof_damping[dof] / inertia},
                 {"dry friction", friction / inertia},
                 {"spring", sqrt(ff_max(0.0, joint->stiffness) / inertia)},
                 {"stop", joint->limited ? sqrt(ff_max(0.0, joint->stop_stiffness) / inertia) : 0.0},
                 {"stop damping", joint->limited ? joint->stop_damping / inertia : 0.0}};
    double fastest = 0.0;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        if (!(rates[i].rate > fastest)) continue;
        fastest = rates[i].rate;
        *what = rates[i].name;
    }
    return fastest;
}

/// Describes the degree of freedom whose passive forces are fastest at the state in sim->data. @return false when none
/// is too fast for the step
static bool describe_stiffness(ff_sim *sim, char *text, size_t size)
{
    const ff_model *m = sim->model;
    ff_data *d = sim->data;
    if (!sim->method->traits.fixed || !sim->options.passive) return false;
    ff_dyn_mass(m, d);
    double worst = 0.0;
    int worst_dof = -1;
    const char *worst_what = "";
    for (int i = 0; i < sim->nv; i++) {
        const double inertia = d->M[m->M_row[i + 1] - 1];
        const char *what = "";
        const double rate = inertia > 0.0 ? passive_rate(m, i, inertia, &what) : 0.0;
        if (rate <= worst) continue;
        worst = rate;
        worst_dof = i;
        worst_what = what;
    }
    if (worst_dof < 0 || worst * sim->options.step < 1.0) return false;
    bool rigid = false; // contacts without compliance, which method implicit lacks
    for (int i = 0; i < sim->npart; i++) rigid = rigid || sim->parts[i].inner.impulse;
    snprintf(text, size, "the %s of joint \"%s\" needs steps below %.2g s and the step is %g s: shorten it, or use %s",
             worst_what, m->joints[m->dof_joint[worst_dof]].name, 1.0 / worst, sim->options.step,
             rigid ? "cvode" : "implicit or cvode");
    return true;
}

static bool describe_command(const ff_sim *sim, char *text, size_t size)
{
    const ff_model *m = sim->model;
    for (int i = 0; i < sim->nv; i++) {
        if (isfinite(sim->held[i])) continue;
        snprintf(text, size, "the torque held at joint \"%s\" is %g", m->joints[m->dof_joint[i]].name, sim->held[i]);
        return true;
    }
    for (int i = 0; i < m->nactuator; i++) {
        if (isfinite(sim->command[i])) continue;
        snprintf(text, size, "the command of actuator \"%s\" is %g", m->actuators[i].name, sim->command[i]);
        return true;
    }
    return false;
}

/// Writes the likely cause of a divergence, found at the last valid state.
static void likely_cause(ff_sim *sim, char *text, size_t size)
{
    ff_data *d = sim->data;
    if (!d || describe_command(sim, text, size)) return;
    ff_sim_place_trial(sim, d->time, sim->x_last, sim->x_last + sim->nq, false);
    if (describe_stiffness(sim, text, size)) return;
    if (sim->method->traits.fixed)
        snprintf(text, size, "forces grow without bound or the step of %g s is too long: shorten it, or use adaptive",
                 sim->options.step);
    else
        snprintf(text, size, "forces grow without bound");
}

// ------------------------------------------------------------------------------------------ parts and the ledger

static const char *const LEDGER_NAMES[FF_LEDGER_COUNT] = {
    [FF_LEDGER_NORMAL] = "lost in contacts along the normal",
    [FF_LEDGER_FRICTION] = "lost in contacts by friction",
    [FF_LEDGER_JOINTS] = "lost in joints",
    [FF_LEDGER_PARTS] = "lost in parts",
    [FF_LEDGER_WORK] = "work of drives and forces",
};

/// @return part whose power makes an entry of the ledger infinite or NaN at the state x; NULL: none
static const ff_part_slot *faulty_part(ff_sim *sim, double time, const double *x, int entry)
{
    const double *z = x + sim->nq + sim->nv;
    double *zdot = sim->integrator.trial + sim->nq + sim->nv, *power = zdot + sim->nz;
    ff_sim_place_trial(sim, time, x, x + sim->nq, false);
    ff_sim_gather_joints(sim);
    ff_ledger_set_joints(sim, power);
    for (int i = 0; i < sim->npart && isfinite(power[entry]); i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (!slot->part.derivative) continue;
        ff_part_bind_rates(sim, slot, zdot);
        const int row = ff_part_enter(sim, i);
        slot->part.derivative(slot->part.context, time, sim->model, sim->data, z + slot->offset, zdot + slot->offset);
        ff_part_leave(sim, i, row);
        ff_ledger_add_part(sim, slot, time, z + slot->offset, power);
        if (!isfinite(power[entry])) return slot;
    }
    return NULL;
}

static void report_ledger(ff_sim *sim, int entry, double value, ff_error *err)
{
    const double now = ff_sim_time(sim);
    const ff_part_slot *slot = faulty_part(sim, now - sim->last_step, sim->x_last, entry);
    if (!slot) slot = faulty_part(sim, now, sim->x, entry); // q, v and the states of parts are finite there
    ff_error_set(err, FF_DIVERGED, "diverged at %.9g s: the energy %s is %g%s%s%s", now, LEDGER_NAMES[entry], value,
                 slot ? "; likely cause: the power of part \"" : "", slot ? slot->part.name : "", slot ? "\"" : "");
}

/// @return part that owns state `at` of all part states, or integral `at`; *number: its number within the part
static const ff_part_slot *owner(const ff_sim *sim, int at, bool integral, int *number)
{
    const ff_part_slot *slot = sim->parts;
    while (at >= (integral ? slot->integral + slot->inner.nintegral : slot->offset + slot->part.nstate)) slot++;
    *number = at - (integral ? slot->integral : slot->offset);
    return slot;
}

/// Reports component `at` of x after q and v: a state of a part, an entry of the ledger or an integral of a part.
static void report_part(ff_sim *sim, int at, double value, ff_error *err)
{
    const bool state = at < sim->nz, entry = !state && at < sim->nz + sim->nledger;
    if (entry) {
        report_ledger(sim, at - sim->nz, value, err);
        return;
    }
    int number;
    const ff_part_slot *slot = owner(sim, state ? at : at - sim->nz - sim->nledger, !state, &number);
    ff_error_set(err, FF_DIVERGED,
                 "diverged at %.9g s: %s %d of part \"%s\" is %g; likely cause: forces grow without bound or the step "
                 "is too long",
                 ff_sim_time(sim), state ? "state" : "integral", number, slot->part.name, value);
}

bool ff_sim_state_sound(ff_sim *sim, const double *x, ff_error *err)
{
    const int bad = first_invalid(sim, x);
    if (bad < 0) return true;
    const ff_model *m = sim->model;
    if (bad >= sim->nq + sim->nv) {
        report_part(sim, bad - sim->nq - sim->nv, x[bad], err);
        return false;
    }
    char cause[256] = "forces grow without bound or the step is too long";
    const ff_joint *joint = &m->joints[joint_of(m, bad)];
    const double value = x[bad];
    likely_cause(sim, cause, sizeof cause);
    ff_error_set(err, FF_DIVERGED, "diverged at %.9g s: body \"%s\", joint \"%s\": %s %g; likely cause: %s",
                 ff_sim_time(sim), m->bodies[joint->body].name, joint->name, bad < sim->nq ? "position" : "velocity",
                 value, cause);
    return false;
}

/// @return name of a body whose joints turn it about more than three axes, such as a hinge beside a ball, so that its
/// inertia is singular; NULL: none
static const char *overdetermined_body(const ff_model *m)
{
    for (int j = 0; j < m->njoint; j++) {
        int axes = 0;
        for (int k = j; k < m->njoint && m->joints[k].body == m->joints[j].body; k++)
            axes += m->joints[k].type == FF_JOINT_BALL ? 3 : m->joints[k].type == FF_JOINT_HINGE;
        if (axes > 3) return m->bodies[m->joints[j].body].name;
    }
    return NULL;
}

ff_status ff_sim_derivative_failed(ff_sim *sim, ff_error *err)
{
    if (!ff_sim_state_sound(sim, sim->x, err)) return FF_DIVERGED;
    const ff_model *m = sim->model;
    const ff_data *d = sim->data;
    char cause[256];
    if (d && describe_command(sim, cause, sizeof cause))
        return ff_error_set(err, FF_DIVERGED, "diverged at %.9g s: %s", ff_sim_time(sim), cause);
    for (int i = 0; d && i < sim->nv; i++) {
        if (isfinite(d->tau[i])) continue;
        const ff_joint *joint = &m->joints[m->dof_joint[i]];
        return ff_error_set(err, FF_DIVERGED, "diverged at %.9g s: the force on joint \"%s\" of body \"%s\" is %g",
                            ff_sim_time(sim), joint->name, m->bodies[joint->body].name, d->tau[i]);
    }
    const char *overdetermined = m ? overdetermined_body(m) : NULL;
    if (overdetermined)
        return ff_error_set(
            err, FF_DIVERGED,
            "diverged at %.9g s: accelerations cannot be computed; the joints of body \"%s\" turn it about "
            "more than three axes: take one away, or give them armature",
            ff_sim_time(sim), overdetermined);
    return ff_error_set(err, FF_DIVERGED,
                        "diverged at %.9g s: accelerations cannot be computed; a part hands out numbers that are not "
                        "finite, or a moving body has no inertia",
                        ff_sim_time(sim));
}
