// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A controller in C steers a robot of a scene by frames alone. It has its own model of the robot, as the computer of a
// robot has, and uses it to take the dynamics out (computed torque; R. P. Paul, 1981):
//     tau = M(q) (-2 w q' - w^2 q) + bias(q, q')      so that      q'' + 2 w q' + w^2 q = 0
// Each joint then returns to zero like a critically damped spring, whatever the other does,
//     q(t) = q(0) (1 + w t) exp(-w t)
// although gravity and the other link pull at it. The torque is held for a millisecond: a delay of half of that, on
// average, which moves the answer by about w T / 2 = 0.4 percent. The program compares all recorded samples with the
// closed form.
#include <footfall/footfall.h>
#include <math.h>
#include <stdio.h>

static const double w = 8.0; // [1/s]

/// The controller: numbers of its items, its model, and a signal for the recorder.
typedef struct computed_torque {
    int angle[2], speed[2], force[2];
    const ff_model *model;
    ff_data *data;
    double error; // largest of both joints  [rad]
} computed_torque;

static ff_status bind(void *context, const ff_model *robot, const ff_io_layout *sensors, const ff_io_layout *references,
                      ff_error *err)
{
    computed_torque *c = context;
    c->model = robot;
    c->data = ff_data_create(robot, NULL);
    if (!c->data) return ff_error_set(err, FF_NO_MEMORY, "no memory for the model of the controller");
    for (int i = 0; i < 2; i++) {
        char name[3][64];
        snprintf(name[0], sizeof name[0], "sensors.angle_%s.position", robot->joints[i].name);
        snprintf(name[1], sizeof name[1], "sensors.speed_%s.speed", robot->joints[i].name);
        snprintf(name[2], sizeof name[2], "drives.%s.force", robot->joints[i].name);
        c->angle[i] = ff_io_find(sensors, name[0]);
        c->speed[i] = ff_io_find(sensors, name[1]);
        c->force[i] = ff_io_find(references, name[2]);
        if (c->angle[i] < 0 || c->speed[i] < 0 || c->force[i] < 0)
            return ff_error_set(err, FF_NOT_FOUND, "the frames lack %s, %s or %s", name[0], name[1], name[2]);
    }
    return FF_OK;
}

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    computed_torque *c = context;
    const ff_io_item *in = ff_io_items_of(sensors);
    double q[2], v[2], wanted[2], torque[2];
    (void)t;
    c->error = 0.0;
    for (int i = 0; i < 2; i++) {
        if (!ff_io_known(&in[c->angle[i]]) || !ff_io_known(&in[c->speed[i]])) return; // nothing has arrived yet
        q[i] = in[c->angle[i]].value;
        v[i] = in[c->speed[i]].value;
        wanted[i] = -2.0 * w * v[i] - w * w * q[i];
        c->error = fmax(c->error, fabs(q[i]));
    }
    ff_dyn_inverse(c->model, c->data, q, v, wanted, torque);
    for (int i = 0; i < 2; i++) ff_io_items(references)[c->force[i]] = (ff_io_item){.value = torque[i], .valid = 1};
}

/// Largest difference between the recording and the closed form, over the angle at the start.
static double worst_error(const ff_recorder *record)
{
    double worst = 0.0;
    const double *first = ff_recorder_row(record, 0);
    for (long long k = 0; k < ff_recorder_rows(record); k++) {
        const double *row = ff_recorder_row(record, k), t = row[0];
        for (int i = 1; i <= 2; i++) worst = fmax(worst, fabs(row[i] / first[i] - (1.0 + w * t) * exp(-w * t)));
    }
    return worst;
}

int main(int argc, char **argv)
{
    ff_report report = {0};
    ff_error err = {0};
    computed_torque mine = {0};
    static const ff_io_name signal = {"error", "rad"};
    const ff_scene_spec *scene = ff_scene_load(argc > 1 ? argv[1] : "examples/steer.yaml", NULL, 0, &report);
    if (!scene) return fprintf(stderr, "%s\n", report.messages[0].text), 1;

    // Nothing of `mine` must survive from cycle to cycle but the signal: that is all the memory there is to save.
    const ff_run_controller controller = {.robot = 0,
                                          .controller = {.context = &mine,
                                                         .bind = bind,
                                                         .cycle = cycle,
                                                         .memory = &mine.error,
                                                         .memory_size = sizeof mine.error,
                                                         .signals = &signal,
                                                         .values = &mine.error,
                                                         .nsignal = 1}};
    ff_run_options options = ff_run_options_default(scene);
    options.controllers = &controller;
    options.ncontroller = 1;
    ff_run *run = ff_run_create(scene, &options, &report);
    if (!run) return fprintf(stderr, "%s\n", report.messages[0].text), 1;
    if (ff_run_go(run, &err) != FF_OK) return fprintf(stderr, "%s\n", err.text), 1;

    const double worst = worst_error(ff_run_recorder(run));
    printf("after %g s the joints are within %.2g of where a critically damped spring would be\n", scene->time, worst);
    ff_data_destroy(mine.data);
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return worst < 0.005 ? 0 : 1;
}
