// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Loops of drives that are sampled too slowly for their damping. An inertia I under the torque - kp x - kd v, held over
// the period T of the loop, has a transition matrix from sample to sample with
//     trace = 2 - a - b,   determinant = 1 + a - b,        a = kp T^2 / (2 I),   b = kd T / I
// Jury's conditions for roots within the unit circle are 0 < a < b and b < 2. Beyond b = 2 the speed grows and changes
// its sign from sample to sample, for every kp and every step of the integration.
#include "diagnose/diagnose.h"

#include "drive/interface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LIMIT = 2.0; // bound on kd T / I

/// kd T / I of a drive without torque delay, at the pose in `d`; 0: it has no such loop, or moves several joints. The
/// inertia is that at the joint with all others held, which is more than with free ones.
static double sampled_damping(const ff_model *m, const ff_data *d, const ff_drive *drive)
{
    if (drive->motor != FF_MOTOR_IDEAL || drive->loop != FF_LOOP_PD || drive->path.njoint != 1 || !(drive->rate > 0.0))
        return 0.0;
    if (drive->transmission != FF_TRANSMISSION_RIGID)
        return drive->at_joint || !(drive->inertia > 0.0) ? 0.0 : drive->kd / (drive->rate * drive->inertia);
    const int dof = drive->path.vadr[0];
    const double lever = ff_drive_path_locate(&drive->path, d->q, d->v).lever[0];
    return drive->kd * lever * lever / (drive->rate * d->M[m->M_row[dof + 1] - 1]);
}

/// The drive whose loop is farthest beyond the limit, with a message in `text`; NULL: none is.
static const ff_drive *find_unstable(const ff_run *run, char *text, size_t size)
{
    const ff_model *m = run->scene->model;
    const ff_drive_set *set = run->scene->plant->drives;
    const ff_drive *worst = NULL;
    double most = LIMIT;
    // closed kinematic loops add inertia to a joint
    ff_data *d = set && m->nequality == 0 ? ff_data_create(m, NULL) : NULL;
    if (!d) return NULL;
    memcpy(d->q, run->scene->q, (size_t)m->nq * sizeof(double));
    ff_dyn_kinematics(m, d);
    ff_dyn_mass(m, d);
    for (int i = 0; i < set->n; i++) {
        const double b = sampled_damping(m, d, &set->drives[i]);
        if (!(b > most)) continue;
        most = b;
        worst = &set->drives[i];
    }
    ff_data_destroy(d);
    if (worst)
        snprintf(text, size,
                 "the sampled loop of drive '%.60s' is unstable: kd T / I is %.3g and must stay below 2; lower kd = %g "
                 "below %.3g, or raise its rate of %g Hz above %.3g Hz",
                 worst->name, most, worst->kd, worst->kd * LIMIT / most, worst->rate, worst->rate * most / LIMIT);
    return worst;
}

void ff_run_check_sampling(const ff_run *run, ff_report *report)
{
    char why[300];
    const ff_drive *drive = find_unstable(run, why, sizeof why);
    if (drive) ff_report_add(report, FF_WARNING, drive->place, "%s", why);
}

void ff_run_add_sampling(const ff_run *run, ff_error *err)
{
    char why[300];
    if (!err || !find_unstable(run, why, sizeof why)) return;
    const size_t length = strlen(err->text);
    snprintf(err->text + length, sizeof err->text - length, "; %s", why);
}
