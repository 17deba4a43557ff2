// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What drives cost: ANTON on its feet, euler with 0.1 ms, first held by ideal torques from a task at 1 kHz, then by its 24 direct-current motors with gears and
// position loops at 1 kHz, rigid, flexible and with play. The promise is at most 2.0 times the ideal torques, sensors included (docs/drives.md).
#include <footfall/footfall.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"

static const double STEP = 1e-4, BLOCK = 0.1; // [s]
enum { IDEAL, RIGID, FLEXIBLE, BACKLASH, COUNT, BLOCKS = 15 };
static const char *const NAMES[COUNT] = {"ideal torques", "full, rigid", "full, flexible", "full, play"};

typedef struct run {
    ff_model *model;
    ff_world *world;
    ff_drive_set *set;
    ff_sim *sim;
    const double *stand;
    double best;
} run;

static ff_sim_action hold(void *context, ff_sim *sim, double t)
{
    const run *r = context;
    const ff_data *d = ff_sim_data(sim);
    double *tau = ff_sim_held_torque(sim);
    (void)t;
    for (int i = 0; i < r->model->njoint; i++) {
        const ff_joint *joint = &r->model->joints[i];
        if (!ff_joint_is_scalar(joint->type)) continue;
        const double wish = 60.0 * (r->stand[joint->qadr] - d->q[joint->qadr]) - d->v[joint->vadr];
        tau[joint->vadr] = ff_drive_clamp(wish, joint->effort);
    }
    return FF_SIM_GO;
}

static bool make_model(run *r, int kind, ff_drive_options *o, ff_report *report)
{
    const ff_load_options load = ff_load_options_default();
    ff_spec *spec = ff_spec_create();
    bool fine = spec && ff_spec_load(spec, FF_SOURCE_DIR "/robots/anton/anton.yaml", &load, report) == FF_OK;
    *o = ff_drive_options_default();
    o->step = STEP;
    o->transmission = kind == BACKLASH   ? FF_TRANSMISSION_BACKLASH
                      : kind == FLEXIBLE ? FF_TRANSMISSION_FLEXIBLE
                                         : FF_TRANSMISSION_RIGID;
    if (fine) {
        ff_spec_add_geom(spec, "floor", -1, FF_SHAPE_PLANE)->material = "lab-floor";
        ff_drive_prepare(spec, o);
        r->model = ff_model_compile(spec, &load, report);
    }
    ff_spec_destroy(spec);
    return r->model != NULL;
}

static bool start(run *r, int kind, ff_report *report)
{
    ff_drive_options o;
    ff_error err = {0};
    ff_sim_options options = ff_sim_options_default();
    options.step = STEP;
    if (!make_model(r, kind, &o, report)) return false;
    const int key = ff_model_find_key(r->model, "stand");
    r->sim = ff_sim_create(r->model, &options, &err);
    if (!r->sim || key < 0) return false;
    r->stand = r->model->keys[key].q;
    memcpy(ff_sim_data(r->sim)->q, r->stand, (size_t)r->model->nq * sizeof(double));
    ff_sim_changed(r->sim);
    r->world = ff_world_create(r->model, NULL, report);
    if (!r->world || ff_sim_add_world(r->sim, r->world, &err) != FF_OK) return false;
    const ff_task task = {.name = "hold", .period = ff_ticks_from_seconds(1e-3), .context = r, .run = hold};
    if (kind == IDEAL) return ff_sim_add_task(r->sim, &task, &err) >= 0;
    r->set = ff_drive_set_create(r->model, &o, report);
    return r->set && ff_sim_add_drives(r->sim, r->set, &err) == FF_OK;
}

int main(void)
{
    static run runs[COUNT];
    ff_report report = {0};
    ff_error err = {0};
    for (int k = 0; k < COUNT; k++) {
        runs[k].best = INFINITY;
        if (start(&runs[k], k, &report) && ff_sim_run(runs[k].sim, 0.2, &err) == FF_OK) continue;
        fprintf(stderr, "bench_drives: %s: %s\n", NAMES[k], report.errors ? report.messages[0].text : err.text);
        return 1;
    }
    for (int block = 1; block <= BLOCKS; block++) // they take turns, so that a busy machine slows all
        for (int k = 0; k < COUNT; k++) {
            const double from = now();
            if (ff_sim_run(runs[k].sim, 0.2 + block * BLOCK, &err) != FF_OK) return 1;
            runs[k].best = fmin(runs[k].best, now() - from);
        }
    printf("ANTON on its feet, euler 0.1 ms    us a step   times ideal\n");
    for (int k = 0; k < COUNT; k++) {
        printf("  %-32s %9.2f %13.2f\n", NAMES[k], 1e6 * runs[k].best * STEP / BLOCK, runs[k].best / runs[IDEAL].best);
        ff_sim_destroy(runs[k].sim);
        ff_world_destroy(runs[k].world);
        ff_drive_set_destroy(runs[k].set);
        ff_model_destroy(runs[k].model);
    }
    ff_report_clear(&report);
    return 0;
}
