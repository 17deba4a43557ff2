// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Walking, for people. Everything comes from the metrics `walk.*` of docs/scenes.md; lines about what was never seen are left out.
#include "walk_report.h"

#include "terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double DEGREE = 57.29577951308232; // [deg/rad]

/// Metric walk.OWNER.WHAT, or walk.WHAT without an owner; NaN when there is none.
static double get(const ff_scene *scene, const char *owner, const char *what)
{
    char name[200];
    double value = NAN;
    snprintf(name, sizeof name, "walk.%.120s%s%s", owner, owner[0] ? "." : "", what);
    ff_scene_metric(scene, name, &value);
    return value;
}

static void print_way(const ff_scene *scene, const char *robot)
{
    const double time = get(scene, robot, "time"), fall = get(scene, robot, "fall.time");
    printf("  %-16s %.4g m/s: %.4g m in %.4g s, turned by %.2g deg", robot[0] ? robot : "walking",
           get(scene, robot, "speed.mean"), get(scene, robot, "distance"), time, DEGREE * get(scene, robot, "turned"));
    if (get(scene, robot, "period") > 0)
        printf("; strides of %.3g mm every %.3g s", 1e3 * get(scene, robot, "stride"), get(scene, robot, "period"));
    if (isnan(fall))
        printf("; no fall\n");
    else
        printf("; %sfell at %.4g s%s\n", paint(stdout, STYLE_BAD), fall, paint(stdout, STYLE_PLAIN));
}

static void print_body(const ff_scene *scene, const char *robot)
{
    printf("    %-14s %.4g mm high, bob %.3g mm, roll %.2g deg, pitch %.2g deg (greatest less least)\n", "body",
           1e3 * get(scene, robot, "height.mean"), 1e3 * get(scene, robot, "bob"),
           DEGREE * get(scene, robot, "roll.range"), DEGREE * get(scene, robot, "pitch.range"));
    printf("    %-14s %.3g feet in the mean, %.3g at least", "support", get(scene, robot, "support.mean"),
           get(scene, robot, "support.min"));
    if (!isnan(get(scene, robot, "margin.mean")))
        printf("; margin %.3g mm in the mean, %.3g mm at least", 1e3 * get(scene, robot, "margin.mean"),
               1e3 * get(scene, robot, "margin.min"));
    printf("; feet carry %.4g of the weight\n", get(scene, robot, "force.sum"));
}

static void print_drives(const ff_scene *scene, const char *robot)
{
    const double power = get(scene, robot, "power"), cost = get(scene, robot, "cot"),
                 tracking = get(scene, robot, "tracking.rms");
    if (isnan(power) && isnan(tracking)) return;
    printf("    %-14s", "drives");
    if (!isnan(power)) printf(" %.3g W", power);
    if (!isnan(cost)) printf(", cost of transport %.3g", cost);
    if (!isnan(tracking))
        printf("%s joints off by %.2g deg (rms), %.2g deg at most", isnan(power) ? "" : ";", DEGREE * tracking,
               DEGREE * get(scene, robot, "tracking.max"));
    printf("\n");
}

static void print_leg(const ff_scene *scene, const char *robot, const char *leg, int width)
{
    static const char *const columns[] = {"duty", "phase", "force.mean", "force.stance", "force.max", "slip.step"};
    static const double scale[] = {1, 1, 1, 1, 1, 1e3};
    char owner[200];
    snprintf(owner, sizeof owner, "%.60s%s%.60s", robot, robot[0] ? "." : "", leg);
    printf("    %-*s %6.0f", width, leg, get(scene, owner, "steps"));
    for (int i = 0; i < 6; i++) {
        const double value = scale[i] * get(scene, owner, columns[i]);
        if (isnan(value))
            printf(" %8s", "-");
        else
            printf(" %8.*f", i < 2 || i == 5 ? 3 : 1, value);
    }
    printf("\n");
}

static bool is_of(const ff_scene *scene, const ff_scene_robot *robot, int leg)
{
    const int dof = scene->model->joints[scene->model->legs[leg].joints[0]].vadr;
    return dof >= robot->vadr && dof < robot->vadr + robot->nv;
}

static void print_legs(const ff_scene *scene, const ff_scene_robot *robot, const char *name)
{
    const ff_model *m = scene->model;
    const size_t prefix = strlen(robot->prefix);
    int width = 14;
    printf("%s    %-*s %6s %8s %8s %8s %8s %8s %8s%s\n", paint(stdout, STYLE_FAINT), width, "leg", "steps", "duty",
           "phase", "mean N", "stance N", "max N", "slip mm", paint(stdout, STYLE_PLAIN));
    for (int i = 0; i < m->nleg; i++)
        if (is_of(scene, robot, i)) print_leg(scene, name, m->legs[i].name + prefix, width);
}

void print_walking(const ff_scene *scene)
{
    for (int i = 0; i < scene->nrobot; i++) {
        const ff_scene_robot *robot = &scene->robots[i];
        const char *name = scene->nrobot > 1 ? robot->name : "";
        if (!(get(scene, name, "steps") > 0) && !(get(scene, name, "falls") > 0)) continue; // NaN too: it has no legs
        print_way(scene, name);
        print_body(scene, name);
        print_drives(scene, name);
        print_legs(scene, robot, name);
    }
}
