// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of walking, from the metrics `walk.*` of docs/scenes.md. Lines without a value are left out.
#include "run_report.h"

#include "terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double DEGREE = 57.29577951308232; // [deg/rad]
static const double STILL = 1e-6;               // a smaller mean command counts as zero  [m/s]
static const double ALONG = 0.01;               // a motion with a smaller share across an axis goes along it

/// Metric walk.OWNER.WHAT, or walk.WHAT without an owner; NaN when there is none.
static double get(const ff_run *run, const char *owner, const char *what)
{
    char name[200];
    double value = NAN;
    snprintf(name, sizeof name, "walk.%.120s%s%s", owner, owner[0] ? "." : "", what);
    ff_run_metric(run, name, &value);
    return value;
}

/// Was it commanded to move?
static bool is_commanded(const ff_run *run, const char *robot)
{
    return !isnan(get(run, robot, "command.reached"));
}

/// The nearest of four directions. @param ahead, left  components of the velocity
static const char *direction(double ahead, double left)
{
    if (fabs(ahead) >= fabs(left)) return ahead >= 0.0 ? "ahead" : "backwards";
    return left >= 0.0 ? "to the left" : "to the right";
}

/// "; 0.1 m/s ahead commanded, -84 % reached", with an angle unless the direction is an axis of the body.
static void print_command(const ff_run *run, const char *robot)
{
    const double ahead = get(run, robot, "command.forward"), left = get(run, robot, "command.sideways"),
                 speed = ff_hypot(ahead, left), across = ff_min(fabs(ahead), fabs(left));
    if (!is_commanded(run, robot)) return;
    if (speed < STILL)
        printf("; to and fro commanded");
    else if (across < ALONG * speed)
        printf("; %.4g m/s %s commanded", speed, direction(ahead, left));
    else
        printf("; %.4g m/s at %.3g deg commanded", speed, DEGREE * ff_atan2(left, ahead));
    printf(", %.3g %% reached", 100.0 * get(run, robot, "command.reached"));
}

/// "0.084 m/s backwards, course 178 deg; 0.1 m/s ahead commanded, -84 % reached"
static void print_speed(const ff_run *run, const char *robot)
{
    printf("  %-16s %.4g m/s", robot[0] ? robot : "walking", get(run, robot, "speed.mean"));
    if (get(run, robot, "distance") > 0.0)
        printf(" %s, course %.3g deg", direction(get(run, robot, "speed.forward"), get(run, robot, "speed.sideways")),
               DEGREE * get(run, robot, "course"));
    print_command(run, robot);
}

static void print_distance(const ff_run *run, const char *robot)
{
    const double time = get(run, robot, "time"), fall = get(run, robot, "fall.time");
    print_speed(run, robot);
    printf(": %.4g m in %.4g s, turned by %.1f deg", get(run, robot, "distance"), time,
           DEGREE * get(run, robot, "turned"));
    if (get(run, robot, "period") > 0)
        printf("; strides of %.3g mm every %.3g s", 1e3 * get(run, robot, "stride"), get(run, robot, "period"));
    if (isnan(fall))
        printf("; no fall\n");
    else
        printf("; %sfell at %.4g s%s\n", paint(stdout, STYLE_BAD), fall, paint(stdout, STYLE_PLAIN));
}

static void print_body(const ff_run *run, const char *robot)
{
    printf("    %-14s %.4g mm high, bob %.3g mm, roll %.3g deg, pitch %.3g deg (greatest less least)\n", "body",
           1e3 * get(run, robot, "height.mean"), 1e3 * get(run, robot, "bob"), DEGREE * get(run, robot, "roll.range"),
           DEGREE * get(run, robot, "pitch.range"));
    printf("    %-14s %.3g feet in the mean, %.3g at least", "support", get(run, robot, "support.mean"),
           get(run, robot, "support.min"));
    if (!isnan(get(run, robot, "margin.mean")))
        printf("; margin %.3g mm in the mean, %.3g mm at least", 1e3 * get(run, robot, "margin.mean"),
               1e3 * get(run, robot, "margin.min"));
    printf("; feet carry %.4g of the weight\n", get(run, robot, "force.sum"));
}

static void print_drives(const ff_run *run, const char *robot)
{
    const double power = get(run, robot, "power"), cost = get(run, robot, "cot"),
                 tracking = get(run, robot, "tracking.rms");
    if (isnan(power) && isnan(tracking)) return;
    printf("    %-14s", "drives");
    if (!isnan(power)) printf(" %.3g W", power);
    if (!isnan(cost)) printf(", cost of transport %.3g", cost);
    if (!isnan(tracking))
        printf("%s joints off by %.2g deg (rms), %.2g deg at most", isnan(power) ? "" : ";", DEGREE * tracking,
               DEGREE * get(run, robot, "tracking.max"));
    printf("\n");
}

static void print_leg(const ff_run *run, const char *robot, const char *leg, int width)
{
    static const char *const columns[] = {"duty", "phase", "force.mean", "force.stance", "force.max", "slip.step"};
    static const double scale[] = {1, 1, 1, 1, 1, 1e3};
    char owner[200];
    snprintf(owner, sizeof owner, "%.60s%s%.60s", robot, robot[0] ? "." : "", leg);
    printf("    %-*s %6.0f", width, leg, get(run, owner, "steps"));
    for (int i = 0; i < 6; i++) {
        const double value = scale[i] * get(run, owner, columns[i]);
        if (isnan(value))
            printf(" %8s", "-");
        else
            printf(" %8.*f", i < 2 || i == 5 ? 3 : 1, value);
    }
    printf("\n");
}

static bool is_of(const ff_scene_spec *scene, const ff_scene_robot *robot, int leg)
{
    const int dof = scene->model->joints[scene->model->legs[leg].joints[0]].vadr;
    return dof >= robot->vadr && dof < robot->vadr + robot->nv;
}

static void print_legs(const ff_run *run, const ff_scene_robot *robot, const char *name)
{
    const ff_scene_spec *scene = ff_run_scene(run);
    const ff_model *m = scene->model;
    const size_t prefix = strlen(robot->prefix);
    int width = 14;
    printf("%s    %-*s %6s %8s %8s %8s %8s %8s %8s%s\n", paint(stdout, STYLE_FAINT), width, "leg", "steps", "duty",
           "phase", "mean N", "stance N", "max N", "slip mm", paint(stdout, STYLE_PLAIN));
    for (int i = 0; i < m->nleg; i++)
        if (is_of(scene, robot, i)) print_leg(run, name, m->legs[i].name + prefix, width);
}

void print_walking(const ff_run *run)
{
    const ff_scene_spec *scene = ff_run_scene(run);
    for (int i = 0; i < scene->nrobot; i++) {
        const ff_scene_robot *robot = &scene->robots[i];
        const char *name = scene->nrobot > 1 ? robot->name : "";
        const bool moves = get(run, name, "steps") > 0 || get(run, name, "falls") > 0; // NaN: it has no legs
        if (!moves && !is_commanded(run, name)) continue;
        print_distance(run, name);
        print_body(run, name);
        print_drives(run, name);
        print_legs(run, robot, name);
    }
}
