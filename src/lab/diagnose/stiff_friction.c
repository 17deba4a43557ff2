// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Dry friction that reverses within a small speed s, under explicit methods with error control. A joint of mobility c
// (inverse inertia) with friction of the level f comes to rest by  v' = -c f / s v,  so a step h has z = -h c f / s.
// Beyond the method's limit of |z| (ff_method_traits.stable) it is unstable: while friction holds, error control allows
// no longer steps, whatever the accuracy.
#include "diagnose/diagnose.h"

#include "drive/interface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SHORT = 2e-5; // shorter steps are reported: more than 50 000 a second  [s]

/// The stiffest friction found so far.
typedef struct stiffest {
    double rate; // c f / s  [1/s]
    const char *kind, *name;
    double level, speed, mobility;
    ff_place place;
} stiffest;

/// Computes the mobility of the motion  levers . v  and updates the stiffest friction. Sets the levers to zero.
static void compare(const ff_model *m, const ff_data *d, double *levers, double *work, stiffest found, stiffest *worst)
{
    memcpy(work, levers, (size_t)m->nv * sizeof *work);
    ff_dyn_solve(m, d, work);
    for (int i = 0; i < m->nv; i++) found.mobility += levers[i] * work[i];
    memset(levers, 0, (size_t)m->nv * sizeof *levers);
    found.rate = found.mobility * found.level / found.speed;
    if (found.rate > worst->rate) *worst = found;
}

static void inspect_passive(const ff_model *m, const ff_data *d, double *levers, double *work, stiffest *worst)
{
    for (int i = 0; i < m->nv; i++) {
        if (!(m->dof_dry_friction[i] > 0.0)) continue;
        const ff_joint *joint = &m->joints[m->dof_joint[i]];
        levers[i] = 1.0;
        compare(m, d, levers, work,
                (stiffest){.kind = "joint",
                           .name = joint->name,
                           .level = m->dof_dry_friction[i],
                           .speed = m->dof_dry_speed[i],
                           .place = joint->place},
                worst);
    }
    for (int i = 0; i < m->ntendon; i++) {
        const ff_tendon *t = &m->tendons[i];
        if (!(t->dry_friction > 0.0)) continue;
        ff_dyn_tendon_apply(m, d, i, 1.0, levers);
        compare(
            m, d, levers, work,
            (stiffest){
                .kind = "tendon", .name = t->name, .level = t->dry_friction, .speed = t->dry_speed, .place = t->place},
            worst);
    }
}

/// Checks the dry friction of motors; rotors behind springs have their own inertia.
static void inspect_drives(const ff_model *m, const ff_data *d, const ff_drive_set *set, double *levers, double *work,
                           stiffest *worst)
{
    for (int i = 0; set && i < set->n; i++) {
        const ff_drive *drive = &set->drives[i];
        const ff_drive_path *path = &drive->path;
        if (!ff_drive_has_current(drive) || !(drive->dc.dry > 0.0)) continue;
        const double gear = fabs(drive->ratio);
        stiffest found = {.kind = "drive",
                          .name = drive->name,
                          .level = gear * drive->dc.dry,
                          .speed = drive->dc.dry_speed / gear,
                          .place = drive->place};
        const ff_drive_position at = ff_drive_path_locate(path, d->q, d->v);
        if (drive->nmoving > 0)
            found.mobility = 1.0 / drive->inertia;
        else
            for (int k = 0; k < path->njoint; k++) levers[path->vadr[k]] = at.lever[k];
        compare(m, d, levers, work, found, worst);
    }
}

static bool find_stiffest(const ff_run *run, stiffest *worst)
{
    const ff_model *m = run->scene->model;
    if (m->nequality > 0) return false; // closed kinematic loops add inertia to a joint
    ff_data *d = ff_sim_evaluate(run->sim, FF_SIM_VELOCITY, NULL) == FF_OK ? ff_data_create(m, NULL) : NULL;
    if (!d) return false;
    memcpy(d->q, run->scene->q, (size_t)m->nq * sizeof(double));
    d->rotors = ff_sim_data(run->sim)->rotors; // of drives on two joints, with their levers at the start
    d->nrotor = ff_sim_data(run->sim)->nrotor;
    ff_dyn_kinematics(m, d);
    ff_dyn_mass(m, d);
    double *levers = d->tau, *work = d->qacc;
    memset(levers, 0, (size_t)m->nv * sizeof *levers);
    if (ff_dyn_factor(m, d)) {
        if (run->options.sim.passive) inspect_passive(m, d, levers, work, worst);
        inspect_drives(m, d, run->scene->plant->drives, levers, work, worst);
    }
    ff_data_destroy(d);
    return worst->rate > 0.0;
}

void ff_run_check_friction(const ff_run *run, ff_report *report)
{
    const ff_method method = run->options.sim.method;
    const double limit = ff_method_get_traits(method).stable;
    stiffest worst = {0};
    if (!(limit > 0.0) || !find_stiffest(run, &worst) || !(limit / worst.rate < SHORT)) return;
    const bool rigid = run->world && run->scene->touch.response != FF_RESPONSE_FORCE; // not for the method implicit
    ff_report_add(report, FF_WARNING, worst.place,
                  "%s follows the dry friction of %s '%.60s', %.3g within a speed of %.3g (SI units), in steps of %.2g "
                  "us while it holds: %.2g steps for each second; take the method %s, or raise that speed to %.2g",
                  ff_method_name(method), worst.kind, worst.name, worst.level, worst.speed, 1e6 * limit / worst.rate,
                  worst.rate / limit, rigid ? "cvode" : "implicit or cvode", worst.speed * SHORT * worst.rate / limit);
}
