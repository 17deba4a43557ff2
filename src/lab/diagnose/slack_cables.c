// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Pairs of cables that go slack while a scene runs. Two antagonistic cables are both taut while the joint is twisted by
// less than x0 / r, which their spring energy shows. Beyond that one of them is slack and half of the stiffness is
// left, which controllers of elastic joints do not take into account. Reported once a drive, after the run. A single
// cable is slack in normal use and not reported.
#include "diagnose/diagnose.h"

#include <footfall/drive_parts.h>
#include <math.h>

static const double PERIOD = 1e-3;   // between two checks  [s]
static const double ROUNDING = 1e-9; // of energies at the limit  [1]

typedef struct ff_run_slack {
    const ff_drive_set *set;
    double next; // time of the next check  [s]
    // of each drive
    double *energy; // spring energy at which one cable goes slack; below zero: no pair  [J]
    double *since;  // time at which it went slack, NaN: never  [s]
    double *force;  // torque of the drive at that time  [N m]
} ff_run_slack;

static ff_sim_action watch(void *context, ff_sim *sim, double t)
{
    ff_run_slack *s = context;
    if (t < s->next) return FF_SIM_GO;
    s->next = t + PERIOD;
    for (int i = 0; i < s->set->n; i++) {
        if (s->energy[i] < 0.0 || !isnan(s->since[i])) continue;
        const ff_drive_flow flow = ff_sim_drive_flow(sim, (ff_drive_id){i});
        if (flow.spring <= s->energy[i] * (1.0 + ROUNDING) + ROUNDING) continue;
        s->since[i] = t;
        s->force[i] = flow.force;
    }
    return FF_SIM_GO;
}

static bool is_pair(const ff_drive *d)
{
    return d->transmission == FF_TRANSMISSION_CABLES && d->motor != FF_MOTOR_NONE && !d->sea.one && d->sea.radius > 0.0;
}

ff_status ff_run_watch_slack(ff_run *run, ff_error *err)
{
    const ff_drive_set *set = run->scene->plant->drives;
    int pairs = 0;
    for (int i = 0; set && i < set->n; i++) pairs += is_pair(&set->drives[i]);
    if (pairs == 0) return FF_OK;
    ff_run_slack *s = run->slack = FF_ARENA_NEW(&run->arena, ff_run_slack, 1);
    double *numbers = FF_ARENA_NEW(&run->arena, double, 3 * set->n);
    if (!s || !numbers) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    *s = (ff_run_slack){.set = set, .energy = numbers, .since = numbers + set->n, .force = numbers + 2 * set->n};
    for (int i = 0; i < set->n; i++) {
        const ff_sea *sea = &set->drives[i].sea;
        s->energy[i] = is_pair(&set->drives[i]) ? ff_sea_energy(sea, sea->stretch / sea->radius) : -1.0;
        s->since[i] = NAN;
    }
    const ff_listener listener = {.context = s, .step = watch};
    return ff_sim_add_listener(run->sim, &listener, err);
}

void ff_run_report_slack(const ff_run *run, ff_report *report)
{
    const ff_run_slack *s = run->slack;
    for (int i = 0; s && i < s->set->n; i++) {
        const ff_drive *d = &s->set->drives[i];
        if (s->energy[i] < 0.0 || isnan(s->since[i])) continue;
        const double most = ff_sea_torque(&d->sea, d->sea.stretch / d->sea.radius, 0.0);
        ff_report_add(report, FF_WARNING, d->place,
                      "a cable of drive '%.60s' goes slack at %.4g s: its joint is given %.3g N m, and a pretension of "
                      "%.3g mm keeps both taut up to %.3g; beyond that half of the stiffness is left",
                      d->name, s->since[i], s->force[i], 1e3 * d->sea.stretch, most);
    }
}
