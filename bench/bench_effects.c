// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What drives and sensors cost: ANTON on its feet, euler with 0.1 ms, first held by ideal torques from a task at 1 kHz,
// then by its 24 direct-current motors with gears and position loops at 1 kHz, rigid, flexible and with backlash; and
// with all its sensors but cameras (24 potentiometers, 24 encoders, 6 force sensors, a gyro) at 1 kHz with all errors.
// The promise is at most 2.0 times the ideal torques without sensors (docs/drives.md, docs/sensors.md). Then pictures a
// second of one of its cameras, 320 x 240 pixels, one ray each.
#include <footfall/footfall.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"

static const double STEP = 1e-4, BLOCK = 0.1; // [s]
enum { BLOCKS = 15, PICTURES = 10 };

/// What is measured; the first row is what the others are compared with.
typedef struct effects {
    const char *name;
    bool driven;
    ff_drive_transmission transmission;
    bool sensed;
} effects;
static const effects CASES[] = {
    {"ideal torques", false, FF_TRANSMISSION_RIGID, false},
    {"the same, sensors", false, FF_TRANSMISSION_RIGID, true},
    {"full drives, rigid", true, FF_TRANSMISSION_RIGID, false},
    {"full drives, flexible", true, FF_TRANSMISSION_FLEXIBLE, false},
    {"full drives, backlash", true, FF_TRANSMISSION_BACKLASH, false},
    {"the same, sensors", true, FF_TRANSMISSION_BACKLASH, true},
};
enum { COUNT = sizeof CASES / sizeof *CASES };

typedef struct run {
    ff_plant *plant;
    const ff_model *model; // of the plant
    ff_world *world;
    ff_sim *sim;
    const double *stand;
    double best;
} run;

static ff_sim_action hold(void *context, ff_sim *sim, double t)
{
    const run *r = context;
    const ff_data *d = ff_sim_data(sim);
    (void)t;
    for (int i = 0; i < r->model->njoint; i++) {
        const ff_joint *joint = &r->model->joints[i];
        if (!ff_joint_is_scalar(joint->type)) continue;
        const double command = 60.0 * (r->stand[joint->qadr] - d->q[joint->qadr]) - d->v[joint->vadr];
        ff_sim_set_torque(sim, joint->vadr, ff_drive_clamp(command, joint->effort));
    }
    return FF_SIM_GO;
}

static bool make_plant(run *r, const effects *e, bool cameras, ff_report *report)
{
    ff_plant_options o = ff_plant_options_default();
    o.driven = e->driven;
    o.drive.transmission = e->transmission;
    o.drive.step = STEP;
    o.sensed = e->sensed;
    o.sensor.cameras = cameras;
    ff_spec *spec = ff_spec_create(NULL);
    if (spec && ff_spec_load(spec, FF_SOURCE_DIR "/robots/anton/anton.yaml", &o.load, report) == FF_OK) {
        ff_spec_add_geom(spec, "floor", -1, FF_SHAPE_PLANE)->material = "lab-floor";
        r->plant = ff_plant_compile(spec, &o, report);
    }
    ff_spec_destroy(spec);
    if (r->plant) r->model = r->plant->model;
    return r->plant != NULL;
}

static bool start(run *r, const effects *e, bool cameras, ff_report *report, ff_error *err)
{
    ff_sim_options options = ff_sim_options_default();
    options.method = FF_METHOD_EULER;
    options.step = STEP;
    if (!make_plant(r, e, cameras, report)) return false;
    const int key = ff_model_find_key(r->model, "stand");
    r->sim = ff_sim_create(r->model, &options, err);
    if (!r->sim || key < 0) return false;
    r->stand = r->model->keys[key].q;
    ff_sim_set_state(r->sim, r->stand, NULL);
    r->world = ff_world_create(r->model, NULL, report);
    if (!r->world || ff_sim_add_world(r->sim, r->world, err) != FF_OK) return false;
    const ff_task task = {.name = "hold", .period = ff_ticks_from_seconds(1e-3), .context = r, .run = hold};
    if (!e->driven && ff_sim_add_task(r->sim, &task, err) < 0) return false;
    return ff_sim_add_plant(r->sim, r->plant, err) == FF_OK;
}

static void finish(run *r)
{
    ff_sim_destroy(r->sim);
    ff_world_destroy(r->world);
    ff_plant_destroy(r->plant);
}

/// Two cameras at 30 Hz: what the same run takes longer with them is their pictures.
static bool measure_cameras(ff_report *report, ff_error *err)
{
    run with = {0}, without = {0};
    if (!start(&with, &CASES[1], true, report, err) || !start(&without, &CASES[1], false, report, err)) return false;
    const double until = PICTURES / 30.0 + 1e-6;
    double from = now();
    bool fine = ff_sim_run(without.sim, until, err) == FF_OK;
    const double plain = now() - from;
    from = now();
    fine = fine && ff_sim_run(with.sim, until, err) == FF_OK;
    const double each = (now() - from - plain) / (2.0 * (PICTURES + 1));
    printf("camera of ANTON, 320 x 240          %9.1f pictures a second, %.2f million rays a second\n", 1.0 / each,
           320.0 * 240.0 / each * 1e-6);
    finish(&with);
    finish(&without);
    return fine;
}

int main(void)
{
    static run runs[COUNT];
    ff_report report = {0};
    ff_error err = {0};
    for (int k = 0; k < COUNT; k++) {
        runs[k].best = INFINITY;
        if (start(&runs[k], &CASES[k], false, &report, &err) && ff_sim_run(runs[k].sim, 0.2, &err) == FF_OK) continue;
        fprintf(stderr, "bench_effects: %s: %s\n", CASES[k].name, report.errors ? report.messages[0].text : err.text);
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
        printf("  %-32s %9.2f %13.2f\n", CASES[k].name, 1e6 * runs[k].best * STEP / BLOCK, runs[k].best / runs[0].best);
        finish(&runs[k]);
    }
    const bool fine = measure_cameras(&report, &err);
    ff_report_clear(&report);
    return fine ? 0 : 1;
}
