// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What ANTON survives while it walks: experiments/anton-tripod with something going wrong. Pushes at the middle segment
// from eight sides, wrong starts, a drop, lost and stuck sensors, drives that freeze or have no power, lost telegrams,
// commands nobody can fulfil. Prints the tables of docs/robustness.md; `make robustness` runs all of it, arguments
// select groups by name. Everything is an override of the scene: any line can be had again by `footfall run`.
#include <footfall/run.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const SCENE = "experiments/anton-tripod.yaml";
static const double STEADY = 2.8; // three periods after the start  [s]
static const double SPEED = 0.1;  // commanded  [m/s]
static const double DEGREE = FF_PI / 180.0;
enum { MOST_SETS = 6, SIDES = 8, PUSHES = 6 };

typedef struct outcome {
    bool ran;
    double falls, fall_time; // [s]
    double speed;            // afterwards, ahead  [m/s]
    double at[2];            // centre of mass at the end  [m]
    double tilt, heading;    // greatest tilt, greatest turn of the whole run  [rad]
    char warning[160];       // first warning of the controller
} outcome;

static double metric(const ff_run *run, const char *name)
{
    double value;
    return ff_run_metric(run, name, &value) ? value : NAN;
}

/// Runs the scene with some values set. Two periods of 14/15 s at the end are "afterwards".
static outcome run(const char *const *sets, int n)
{
    const char *all[MOST_SETS + 3] = {"time=7", "expect=[]", "metrics={from: 5.1333, windows: {all: {from: 0}}}"};
    for (int i = 0; i < n; i++) all[3 + i] = sets[i];
    ff_report report = {0};
    ff_error err = {0};
    outcome o = {0};
    const ff_scene_spec *scene = ff_scene_load(SCENE, all, 3 + n, &report);
    ff_run *going = NULL;
    if (scene) {
        ff_run_options options = ff_run_options_default(scene);
        options.record.nchannel = 0;
        ff_report_clear(&report);
        going = ff_run_create(scene, &options, &report);
    }
    if (going) {
        o.ran = ff_run_go(going, &err) == FF_OK;
        o.falls = metric(going, "walk.falls");
        o.fall_time = metric(going, "walk.fall.time");
        o.speed = metric(going, "walk.speed.forward");
        o.at[0] = metric(going, "com.x");
        o.at[1] = metric(going, "com.y");
        o.tilt = metric(going, "all.tilt.max");
        // off the course commanded, or all that it turned where that is more: a turn that is commanded is no error
        o.heading = fmax(metric(going, "all.heading.max"), fabs(metric(going, "all.turned")));
        ff_run_report_limits(going, &report);
        for (int i = report.count - 1; i >= 0; i--)
            if (report.messages[i].severity == FF_WARNING)
                snprintf(o.warning, sizeof o.warning, "%s", report.messages[i].text);
    }
    if (!o.ran) fprintf(stderr, "robustness: %s\n", report.errors ? report.messages[0].text : err.text);
    ff_run_destroy(going);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    fputc('.', stderr);
    return o;
}

static const char *verdict(const outcome *o)
{
    if (!o->ran) return "not simulated";
    if (o->falls > 0) return "falls";
    if (o->heading > FF_PI / 4) return "turns";
    return o->speed > 0.8 * SPEED ? "walks on" : fabs(o->speed) < 0.1 * SPEED ? "stands" : "limps";
}

// ------------------------------------------------------------------------------------------ pushes

/// In the middle of a swing: three feet are at their highest.
static void show_pushes(void)
{
    static const char *const sides[SIDES] = {"ahead", "ahead left", "left",  "back left",
                                             "back",  "back right", "right", "ahead right"};
    static const double impulses[PUSHES] = {1, 2, 3, 4, 5, 10};
    const double at = STEADY + 7.0 / 30.0;
    const outcome plain = run(NULL, 0);
    printf("\n| direction of the push; impulse [N s] |");
    for (int k = 0; k < PUSHES; k++) printf(" %g |", impulses[k]);
    printf("\n|---|");
    for (int k = 0; k < PUSHES; k++) printf("---|");
    printf("\n");
    for (int side = 0; side < SIDES; side++) {
        printf("| %s |", sides[side]);
        for (int k = 0; k < PUSHES; k++) {
            char set[200];
            const double angle = side * 45.0 * DEGREE;
            snprintf(set, sizeof set, "forces=[{body: middle, impulse: [%.6f, %.6f, 0], from: %.6f, to: %.6f}]",
                     impulses[k] * cos(angle), impulses[k] * sin(angle), at, at + 0.1);
            const char *sets[] = {set};
            const outcome o = run(sets, 1);
            if (o.falls > 0)
                printf(" **falls** after %.2f s |", o.fall_time - at);
            else
                printf(" %.1f, %.0f%s |", o.tilt / DEGREE, 1e3 * hypot(o.at[0] - plain.at[0], o.at[1] - plain.at[1]),
                       o.speed > 0.8 * SPEED ? "" : ", limps");
            fflush(stdout);
        }
        printf("\n");
    }
    printf("\nEach cell: largest tilt [deg], distance at the end from the undisturbed walk [mm].\n");
}

// ------------------------------------------------------------------------------------------ everything else

typedef struct trial {
    const char *group, *what;
    const char *sets[MOST_SETS];
    double turned
        [3]; // roll, pitch, yaw at the start; it is placed so that its lowest foot just touches, where not zero  [deg]
} trial;

/// Lowest point of the feet in the start of a scene.  [m]
static double lowest_foot(const char *const *sets, int n)
{
    ff_report report = {0};
    double low = INFINITY;
    const ff_scene_spec *scene = ff_scene_load(SCENE, sets, n, &report);
    ff_data *d = scene ? ff_data_create(scene->model, NULL) : NULL;
    if (d) {
        memcpy(d->q, scene->q, (size_t)scene->model->nq * sizeof *d->q);
        ff_dyn_kinematics(scene->model, d);
        for (int i = 0; i < scene->model->nleg; i++) {
            const ff_leg *leg = &scene->model->legs[i];
            const ff_frame *frame = &scene->model->frames[leg->frame];
            double centre[3];
            ff_dyn_point(scene->model, d, frame->body, frame->pos, centre);
            low = fmin(low, centre[2] - leg->radius);
        }
    }
    ff_data_destroy(d);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return low;
}

/// It is let go, stands for a second, then walks.
#define LATER "control.walk=false", "control.commands=[{at: 1, walk: true}]"

/// Stands for a schedule that is written when it is needed.
#define CHANGES "changes"

static const trial TRIALS[] = {
    {"start", "upright on the ground", {NULL}, {0}},
    {"start", "yaw 20 deg", {LATER}, {0, 0, 20}},
    {"start", "roll 10 deg", {LATER}, {10, 0, 0}},
    {"start", "roll 20 deg", {LATER}, {20, 0, 0}},
    {"start", "pitch 10 deg", {LATER}, {0, 10, 0}},
    {"start", "pitch 20 deg", {LATER}, {0, 20, 0}},
    {"start", "pitch -20 deg", {LATER}, {0, -20, 0}},
    {"start", "roll, pitch and yaw 20 deg", {LATER}, {20, 20, 20}},
    {"start", "dropped by 10 cm", {"place={pos: [0, 0, 0.1]}", LATER}, {0}},
    {"start", "dropped by 10 cm, commanded to walk", {"place={pos: [0, 0, 0.1]}"}, {0}},
    {"sensors", "front left foot force lost", {"faults=[{sensor: FL_foot_force, from: 2.8}]"}, {0}},
    {"sensors", "middle left foot force lost", {"faults=[{sensor: ML_foot_force, from: 2.8}]"}, {0}},
    {"sensors", "rear left foot force lost", {"faults=[{sensor: RL_foot_force, from: 2.8}]"}, {0}},
    {"sensors", "all foot forces lost", {"faults=[{sensor: \"*_foot_force\", from: 2.8}]"}, {0}},
    {"sensors",
     "front left foot force stuck while loaded",
     {"faults=[{sensor: FL_foot_force, from: 2.8, kind: stuck}]"},
     {0}},
    {"sensors",
     "front left foot force stuck while in the air",
     {"faults=[{sensor: FL_foot_force, from: 3.0333, kind: stuck}]"},
     {0}},
    {"sensors", "gyroscope lost", {"faults=[{sensor: gyro, from: 2.8}]"}, {0}},
    {"sensors", "potentiometer of a knee lost", {"faults=[{sensor: pot_ML_tibia, from: 2.8}]"}, {0}},
    {"sensors", "all potentiometers lost", {"faults=[{sensor: \"pot_*\", from: 2.8}]"}, {0}},
    {"drives", "front left coxa frozen", {"faults=[{drive: FL_coxa, from: 2.8}]"}, {0}},
    {"drives", "front left femur frozen", {"faults=[{drive: FL_femur, from: 2.8}]"}, {0}},
    {"drives", "front left tibia frozen", {"faults=[{drive: FL_tibia, from: 2.8}]"}, {0}},
    {"drives", "middle left coxa frozen", {"faults=[{drive: ML_coxa, from: 2.8}]"}, {0}},
    {"drives", "middle left femur frozen", {"faults=[{drive: ML_femur, from: 2.8}]"}, {0}},
    {"drives", "middle left tibia frozen", {"faults=[{drive: ML_tibia, from: 2.8}]"}, {0}},
    {"drives", "rear left coxa frozen", {"faults=[{drive: RL_coxa, from: 2.8}]"}, {0}},
    {"drives", "rear left femur frozen", {"faults=[{drive: RL_femur, from: 2.8}]"}, {0}},
    {"drives", "rear left tibia frozen", {"faults=[{drive: RL_tibia, from: 2.8}]"}, {0}},
    {"drives", "front left coxa without power", {"faults=[{drive: FL_coxa, from: 2.8, kind: off}]"}, {0}},
    {"drives", "front left femur without power", {"faults=[{drive: FL_femur, from: 2.8, kind: off}]"}, {0}},
    {"drives", "front left tibia without power", {"faults=[{drive: FL_tibia, from: 2.8, kind: off}]"}, {0}},
    {"drives", "middle left coxa without power", {"faults=[{drive: ML_coxa, from: 2.8, kind: off}]"}, {0}},
    {"drives", "middle left femur without power", {"faults=[{drive: ML_femur, from: 2.8, kind: off}]"}, {0}},
    {"drives", "middle left tibia without power", {"faults=[{drive: ML_tibia, from: 2.8, kind: off}]"}, {0}},
    {"drives", "rear left coxa without power", {"faults=[{drive: RL_coxa, from: 2.8, kind: off}]"}, {0}},
    {"drives", "rear left femur without power", {"faults=[{drive: RL_femur, from: 2.8, kind: off}]"}, {0}},
    {"drives", "rear left tibia without power", {"faults=[{drive: RL_tibia, from: 2.8, kind: off}]"}, {0}},
    {"drives", "front shoulder frozen", {"faults=[{drive: \"front_*\", from: 2.8}]"}, {0}},
    {"drives", "front shoulder without power", {"faults=[{drive: \"front_*\", from: 2.8, kind: off}]"}, {0}},
    {"bus", "1 % of telegrams lost", {"effects.bus={loss: 0.01}"}, {0}},
    {"bus", "5 % of telegrams lost", {"effects.bus={loss: 0.05}"}, {0}},
    {"bus", "20 % of telegrams lost", {"effects.bus={loss: 0.2}"}, {0}},
    {"bus", "50 % of telegrams lost", {"effects.bus={loss: 0.5}"}, {0}},
    {"commands", "5 m/s", {"control.speed=5"}, {0}},
    {"commands", "another gait every 50 ms, from 1 to 5 s", {CHANGES}, {0}},
    {"commands", "turn of 10 rad/s", {"control.turn=10"}, {0}},
};

/// wave, gallop, tripod, wave, ..
static void write_changes(char *out, size_t size)
{
    static const char *const gaits[] = {"wave", "gallop", "tripod"};
    int at = snprintf(out, size, "control.commands=[");
    for (int i = 0; i <= 80; i++)
        at += snprintf(out + at, size - (size_t)at, "{at: %.2f, gait: %s}, ", 1.0 + 0.05 * i, gaits[i % 3]);
    snprintf(out + at, size - (size_t)at, "]");
}

static outcome try_it(const trial *t)
{
    static char changes[4000];
    const char *sets[MOST_SETS];
    char place[120];
    const double *a = t->turned;
    int n = 0;
    for (; n < MOST_SETS - 1 && t->sets[n]; n++) sets[n] = strcmp(t->sets[n], CHANGES) == 0 ? changes : t->sets[n];
    write_changes(changes, sizeof changes);
    if (a[0] == 0.0 && a[1] == 0.0 && a[2] == 0.0) return run(sets, n);
    sets[n++] = place;
    snprintf(place, sizeof place, "place={rpy: [%g deg, %g deg, %g deg]}", a[0], a[1], a[2]);
    const double low = lowest_foot(sets, n);
    snprintf(place, sizeof place, "place={rpy: [%g deg, %g deg, %g deg], pos: [0, 0, %.4f]}", a[0], a[1], a[2],
             1e-3 - low);
    return run(sets, n);
}

static void show_trials(const char *group)
{
    bool first = true;
    for (size_t i = 0; i < sizeof TRIALS / sizeof *TRIALS; i++) {
        const trial *t = &TRIALS[i];
        if (strcmp(t->group, group) != 0) continue;
        const outcome o = try_it(t);
        if (first)
            printf("\n| %s | result | speed [m/s] | largest tilt [deg] | largest turn [deg] | first warning "
                   "|\n|---|---|---|---|---|---|\n",
                   group);
        first = false;
        printf("| %s | %s |", t->what, verdict(&o));
        if (o.falls > 0)
            printf(" fell after %.2f s | | |", o.fall_time);
        else
            printf(" %.3f | %.1f | %.1f |", o.speed, o.tilt / DEGREE, o.heading / DEGREE);
        printf(" %s |\n", o.warning);
        fflush(stdout);
    }
}

static bool wanted(int argc, char **argv, const char *group)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], group) == 0) return true;
    return argc < 2;
}

int main(int argc, char **argv)
{
    static const char *const groups[] = {"start", "sensors", "drives", "bus", "commands"};
    if (wanted(argc, argv, "pushes")) show_pushes();
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (wanted(argc, argv, groups[i])) show_trials(groups[i]);
    fputc('\n', stderr);
    return 0;
}
