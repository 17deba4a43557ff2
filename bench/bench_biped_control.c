// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What walking on two legs costs a controller: plans of eight steps of LOLA, made when a step begins, and ticks of
// planner and stabiliser at 1 kHz, by the processor's clock. Promised are 0.5 ms and 60 us in the mean, of which the
// quadratic program that shares the forces may take 15: what the heuristic in its place saves.
#include <footfall/biped.h>
#include <footfall/load.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

enum { TICKS = 30000, COORDINATES = 100 };

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double mean(const double *values, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += values[i];
    return count > 0 ? sum / count : 0.0;
}

static void show(const char *what, double *us, int count)
{
    qsort(us, (size_t)count, sizeof *us, compare);
    printf("%-28s %8d %10.1f %10.1f %10.1f\n", what, count, mean(us, count), us[count / 2],
           us[(int)(0.9999 * (count - 1))]);
}

int main(void)
{
    static double plans[TICKS], planner_ticks[TICKS], ticks[TICKS], heuristic_ticks[TICKS];
    ff_report report = {0};
    ff_error err = {0};
    ff_model *model = ff_model_load(FF_SOURCE_DIR "/robots/lola/lola.yaml", NULL, &report);
    ff_biped *robot = model ? ff_biped_create(model, NULL, &err) : NULL;
    if (!robot) return 1;
    ff_biped_gait gait = ff_biped_gait_default(robot);
    const ff_biped_gains gains = ff_biped_gains_default(robot);
    ff_biped_gains other_gains = gains;
    other_gains.distribution = FF_BIPED_HEURISTIC;
    gait.ahead = 8;
    ff_biped_planner *planner = ff_biped_planner_create(robot, &gait, &err);
    ff_biped_stabiliser *stabiliser = ff_biped_stabiliser_create(robot, &gains, &err);
    ff_biped_stabiliser *other = ff_biped_stabiliser_create(robot, &other_gains, &err);
    if (!planner || !stabiliser || !other) return 1;
    int nplan = 0, nplanned = 0;
    ff_biped_sensors sensors = {0};
    ff_biped_planner_command(planner, &(ff_biped_command){.speed = 0.5, .walk = true});
    for (int i = 0; i < TICKS; i++) {
        ff_biped_target target;
        double q[COORDINATES], v[COORDINATES];
        const double begin = now();
        ff_biped_planner_tick(planner, i * 1e-3, &target);
        const double planned = now();
        for (int f = 0; f < FF_BIPED_FEET; f++) sensors.foot[f].force[2] = target.load[f] * model->mass * 9.81;
        const double sensed = now();
        ff_biped_stabiliser_tick(stabiliser, &sensors, &target, q, v);
        const double shared = now();
        ff_biped_stabiliser_tick(other, &sensors, &target, q, v);
        heuristic_ticks[i] = 1e6 * (now() - shared);
        ticks[i] = 1e6 * (shared - sensed);
        if (planned - begin > 1e-4) // no other tick takes a tenth of that
            plans[nplan++] = 1e6 * (planned - begin);
        else
            planner_ticks[nplanned++] = 1e6 * (planned - begin);
    }
    printf("%-28s %8s %10s %10s %10s\n", "LOLA", "number", "mean us", "median", "99.99 %");
    show("plan of eight steps", plans, nplan);
    show("planner, other ticks", planner_ticks, nplanned);
    show("stabiliser, tick", ticks, TICKS);
    show("same, with the heuristic", heuristic_ticks, TICKS);
    ff_biped_planner_destroy(planner);
    ff_biped_stabiliser_destroy(stabiliser);
    ff_biped_stabiliser_destroy(other);
    ff_biped_destroy(robot);
    ff_model_destroy(model);
    ff_report_clear(&report);
    return 0;
}
