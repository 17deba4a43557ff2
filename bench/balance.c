// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What keeps LOLA on its feet, and how far: the largest pushes it survives, what each part of its stabiliser is worth,
// and how much its model and sensors may be wrong. Prints the tables of docs/biped-proof.md, where `make balance` puts
// them; arguments select tables by name. Everything is an override of a scene: any line can be had again by
// `footfall run`. `pushes` also writes the numbers of a figure to out/figures/lola-push.dat.
//
// The bound of pushes is that of the linear inverted pendulum on the footsteps of the plan. Its capture point, the
// centre of mass and its velocity over w = sqrt(g / z), runs away from the centre of pressure p by w (xi - p). A push
// that moves it by e can be made good if and only if
//     e = w int exp(-w s) dp(s) ds             dp(s): from the planned p to anywhere inside the soles that stand then
// so that e lies in a convex set with the support function h(n) = w int exp(-w s) max over dp of (n dp) ds. A force of
// impulse J over the time T moves it by e = J / (m w) (1 - exp(-w T)) / (w T). More than that takes what the pendulum
// lacks: other footsteps, or a torso and arms that turn.
#include "biped/robot.h" // soles, masses and the base of the robot

#include <footfall/footfall.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DEGREE = FF_PI / 180.0;
static const double PUSH_TIME = 0.1; // of all pushes  [s]
static const double LATER = 4.0;     // it must stand so long after a push: five steps  [s]
enum { MOST_SETS = 8, SIDES = 16 };

static const char WALK[] = "experiments/lola-walk.yaml", TERRAIN[] = "experiments/lola-terrain.yaml";

// ------------------------------------------------------------------------------------------ one run

typedef struct outcome {
    bool ran, falls;
    double lean; // greatest tilt of the torso since 2 s  [rad]
} outcome;

/// Ends the run of a robot that falls: it leans by 30 degrees, or its pelvis, 0.95 m above ground that may fall by
/// 9 cm, comes below 0.6 m.
static ff_sim_action stop_fallen(void *context, ff_sim *sim, double t)
{
    (void)t;
    const double *q = ff_sim_q(sim), upright = 1.0 - 2.0 * (q[4] * q[4] + q[5] * q[5]);
    if (q[2] > 0.6 && upright > cos(30.0 * DEGREE)) return FF_SIM_GO;
    *(bool *)context = true;
    return FF_SIM_STOP;
}

static outcome run(const char *file, const char *const *sets, int n)
{
    static const char *const always[] = {"expect=[]", "metrics={from: 2}"};
    enum { ALWAYS = sizeof always / sizeof *always };
    const char *all[ALWAYS + MOST_SETS];
    memcpy(all, always, sizeof always);
    for (int i = 0; i < n; i++) all[ALWAYS + i] = sets[i];
    ff_report report = {0};
    ff_error err = {0};
    outcome o = {0};
    const ff_scene_spec *scene = ff_scene_load(file, all, ALWAYS + n, &report);
    ff_run_options options = ff_run_options_default(scene);
    options.record.nchannel = 0;
    ff_run *going = scene ? ff_run_create(scene, &options, &report) : NULL;
    const ff_listener listener = {&o.falls, stop_fallen};
    if (going && ff_sim_add_listener(ff_run_sim(going), &listener, &err) == FF_OK) {
        const ff_status status = ff_run_go(going, &err);
        double falls = 0.0;
        o.ran = (status == FF_OK || status == FF_STOPPED) && ff_run_metric(going, "walk.falls", &falls) &&
                ff_run_metric(going, "walk.tilt.max", &o.lean);
        o.falls = o.falls || falls > 0.0;
    }
    if (!o.ran) fprintf(stderr, "balance: %s\n", report.errors ? report.messages[0].text : err.text);
    ff_run_destroy(going);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    fputc('.', stderr);
    return o;
}

static void show(const outcome *o)
{
    if (!o->ran)
        printf(" - |");
    else if (o->falls)
        printf(" **falls** |");
    else
        printf(" %.1f |", o->lean / DEGREE);
    fflush(stdout);
}

// ------------------------------------------------------------------------------------------ pushes

/// What the robot does while it is pushed.
typedef struct activity {
    const char *name, *settings; // of control.biped
    ff_biped_command command;
    double at;           // when the push begins; where it steps, in the middle of a stance of the left foot  [s]
    double bound[SIDES]; // by the capture point  [N s]
    double found[SIDES]; // [N s]
} activity;

static activity activities[] = {
    {.name = "standing", .settings = "{walk: false, width: 0.25}", .command = {.walk = false}},
    {.name = "stepping", .settings = "{width: 0.25}", .command = {.walk = true}},
    {.name = "walking", .settings = "{speed: 0.5, width: 0.25}", .command = {.speed = 0.5, .walk = true}},
};
enum { ACTIVITIES = sizeof activities / sizeof *activities };

/// Places of the soles that stand, at one instant of the plan.
static int standing_points(const ff_biped *robot, const ff_biped_target *target, double (*out)[2])
{
    int count = 0;
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const ff_biped_motion *foot = &target->task.foot[f];
        const double c = cos(foot->rot[2]), s = sin(foot->rot[2]);
        for (int i = 0; i < robot->feet[f].npoint && target->load[f] > 0.0; i++, count++) {
            const ff_biped_point *p = &robot->feet[f].points[i];
            out[count][0] = foot->pos[0] + c * p->x - s * p->y;
            out[count][1] = foot->pos[1] + s * p->x + c * p->y;
        }
    }
    return count;
}

/// In the middle of the first stance of the left foot alone that ends after 4 s; 2 s where it stands on both.
static double find_instant(ff_biped_planner *planner)
{
    ff_biped_target target;
    double begun = -1.0;
    for (double t = 0.0; t < 8.0; t += 1e-3) {
        ff_biped_planner_tick(planner, t, &target);
        const bool alone = target.load[1] == 0.0;
        if (alone && begun < 0.0) begun = t;
        if (!alone && begun > 0.0 && t > 4.0) return 0.5 * (begun + t);
        if (!alone) begun = -1.0;
    }
    return 2.0;
}

/// Fills a->at and a->bound.
static bool bound_pushes(activity *a, const ff_biped *robot, ff_error *err)
{
    enum { NORMALS = 360 };
    ff_biped_gait gait = ff_biped_gait_default(robot);
    gait.width = 0.25;
    const double w = sqrt(robot->weight / robot->mass / robot->com[2]), dt = 5e-3, horizon = 3.0;
    double reach[NORMALS] = {0}, points[FF_BIPED_FEET * FF_BIPED_POINTS][2];
    ff_biped_planner *planner = ff_biped_planner_create(robot, &gait, err);
    if (!planner) return false;
    ff_biped_planner_command(planner, &a->command);
    a->at = find_instant(planner);
    ff_biped_planner_destroy(planner);
    planner = ff_biped_planner_create(robot, &gait, err);
    if (!planner) return false;
    ff_biped_planner_command(planner, &a->command);
    for (double t = 0.5 * dt; t < a->at + horizon; t += dt) {
        ff_biped_target target;
        ff_biped_planner_tick(planner, t, &target);
        const double s = t - a->at;
        if (s < 0.0) continue;
        const int n = standing_points(robot, &target, points);
        for (int k = 0; k < NORMALS; k++) {
            const double x = cos(k * DEGREE), y = sin(k * DEGREE);
            double most = -INFINITY;
            for (int i = 0; i < n; i++)
                most = fmax(most, x * (points[i][0] - target.zmp[0]) + y * (points[i][1] - target.zmp[1]));
            reach[k] += w * exp(-w * s) * most * dt;
        }
    }
    ff_biped_planner_destroy(planner);
    const double times = robot->mass * w * w * PUSH_TIME / (1.0 - exp(-w * PUSH_TIME));
    for (int side = 0; side < SIDES; side++) {
        double least = INFINITY;
        for (int k = 0; k < NORMALS; k++) {
            const double along = cos(k * DEGREE - side * 2.0 * FF_PI / SIDES);
            if (along > 0.01) least = fmin(least, reach[k] / along);
        }
        a->bound[side] = times * least;
    }
    return true;
}

/// A run that has come to the instant of the push, from where it is gone on again and again.
typedef struct stage {
    const ff_scene_spec *scene;
    ff_run *run;
    bool falls;
    void *saved;
    size_t size;
} stage;

static void end_stage(stage *s)
{
    free(s->saved);
    ff_run_destroy(s->run);
    ff_scene_destroy(s->scene);
}

static bool begin_stage(stage *s, const activity *a, ff_error *err)
{
    char biped[120];
    snprintf(biped, sizeof biped, "control.biped=%s", a->settings);
    const char *sets[] = {"expect=[]", biped};
    ff_report report = {0};
    *s = (stage){.scene = ff_scene_load(WALK, sets, 2, &report)};
    ff_run_options options = ff_run_options_default(s->scene);
    options.record.nchannel = 0;
    options.touchable = true;
    s->run = s->scene ? ff_run_create(s->scene, &options, &report) : NULL;
    ff_report_clear(&report);
    ff_sim *sim = s->run ? ff_run_sim(s->run) : NULL;
    const ff_listener listener = {&s->falls, stop_fallen};
    if (!sim || ff_sim_add_listener(sim, &listener, err) || ff_sim_run(sim, a->at, err)) return false;
    s->size = ff_sim_save_size(sim);
    s->saved = malloc(s->size);
    return s->saved && ff_sim_save(sim, s->saved, s->size, err) == FF_OK;
}

/// Pushed at the height of the centre of mass, does it stand LATER on? What cannot be simulated counts as a fall.
static bool survives(stage *s, const ff_biped *robot, double at, double direction, double impulse)
{
    ff_sim *sim = ff_run_sim(s->run);
    ff_error err = {0};
    const double height = robot->com[2] - robot->q[robot->model->joints[robot->base].qadr + 2];
    const int torso = ff_model_find_body(s->scene->model, robot->model->bodies[robot->torso].name);
    const double point[3] = {0.0, 0.0, height}, force = impulse / PUSH_TIME;
    const double push[3] = {force * cos(direction), force * sin(direction), 0.0};
    s->falls = false;
    const bool stands = ff_sim_restore(sim, s->saved, s->size, &err) == FF_OK &&
                        ff_run_push(s->run, torso, point, push, PUSH_TIME, &err) == FF_OK &&
                        ff_sim_run(sim, at + LATER, &err) == FF_OK && !s->falls;
    if (!stands && !s->falls) fprintf(stderr, "balance: %s\n", err.text);
    fputc('.', stderr);
    return stands;
}

/// The largest impulse survived, such that 1 N s more is not. Survival need not be monotonous: this is an edge.
static double largest_push(stage *s, const activity *a, const ff_biped *robot, int side)
{
    const double direction = side * 2.0 * FF_PI / SIDES;
    double low = 0.0, high = 0.75 * a->bound[side];
    while (high < 300.0 && survives(s, robot, a->at, direction, high)) {
        low = high;
        high += 0.25 * a->bound[side];
    }
    while (high - low > 1.0) {
        const double middle = 0.5 * (low + high);
        *(survives(s, robot, a->at, direction, middle) ? &low : &high) = middle;
    }
    return low;
}

static bool try_pushes(activity *a, const ff_biped *robot, ff_error *err)
{
    stage s = {0};
    const bool begun = bound_pushes(a, robot, err) && begin_stage(&s, a, err);
    for (int side = 0; begun && side < SIDES; side++) a->found[side] = largest_push(&s, a, robot, side);
    end_stage(&s);
    fprintf(stderr, "\n%s: pushed at %.3f s\n", a->name, a->at);
    return begun;
}

static void write_figure(void)
{
    FILE *file = fopen("out/figures/lola-push.dat", "w");
    if (!file) return;
    for (int i = 0; i <= SIDES; i++) {
        fprintf(file, "%g", i * 360.0 / SIDES);
        for (int k = 0; k < ACTIVITIES; k++)
            fprintf(file, " %.2f %.2f", activities[k].found[i % SIDES], activities[k].bound[i % SIDES]);
        fprintf(file, "\n");
    }
    fclose(file);
}

static void show_pushes(const ff_biped *robot)
{
    ff_error err = {0};
    for (int k = 0; k < ACTIVITIES; k++)
        if (!try_pushes(&activities[k], robot, &err)) fprintf(stderr, "balance: %s\n", err.text);
    printf("\n| pushed towards [deg] |");
    for (int k = 0; k < ACTIVITIES; k++) printf(" %s [N s] | bound |", activities[k].name);
    printf("\n|---|---|---|---|---|---|---|\n");
    for (int side = 0; side < SIDES; side++) {
        printf("| %g |", side * 360.0 / SIDES);
        for (int k = 0; k < ACTIVITIES; k++)
            printf(" %.0f | %.0f |", activities[k].found[side], activities[k].bound[side]);
        printf("\n");
    }
    write_figure();
}

// ------------------------------------------------------------------------------------------ grounds

/// Where it walks at 0.5 m/s.
typedef struct ground {
    const char *name, *scene;
    const char *set; // NULL: none
} ground;

#define PUSHED(x, y) "forces=[{body: torso, at: [0, 0, -0.07], impulse: [" x ", " y ", 0], from: 3.68, to: 3.78}]"
static const ground GROUNDS[] = {
    {"flat", WALK, NULL},
    {"board of 4 cm", TERRAIN, NULL},
    {"board of 6.7 cm", TERRAIN, "variant=board-6.7cm"},
    {"hole of 6 cm", TERRAIN, "variant=hole-6cm"},
    {"drop of 9 cm", TERRAIN, "variant=drop-9cm"},
    {"pushed ahead", WALK, PUSHED("17", "0")},
    {"pushed left", WALK, PUSHED("0", "13")},
};
enum { GROUNDS_COUNT = sizeof GROUNDS / sizeof *GROUNDS };

/// A row of a table: the same on each of the grounds.
static void show_row(const char *name, const char *const *sets, const bool *on)
{
    printf("| %s |", name);
    for (int g = 0; g < GROUNDS_COUNT; g++) {
        const char *all[MOST_SETS] = {"time=9"};
        int n = 1;
        if (!on[g]) continue;
        if (GROUNDS[g].set) all[n++] = GROUNDS[g].set;
        for (int i = 0; i < 3 && sets[i]; i++) all[n++] = sets[i];
        const outcome o = run(GROUNDS[g].scene, all, n);
        show(&o);
    }
    printf("\n");
}

static void show_head(const char *name, const bool *on)
{
    printf("\n| %s |", name);
    for (int g = 0; g < GROUNDS_COUNT; g++)
        if (on[g]) printf(" %s |", GROUNDS[g].name);
    printf("\n|---|");
    for (int g = 0; g < GROUNDS_COUNT; g++)
        if (on[g]) printf("---|");
    printf("\n");
}

typedef struct row {
    const char *name;
    const char *sets[3];
} row;

static const row PARTS[] = {
    {"nothing", {NULL}},
    {"`reflex`", {"control.biped.reflex=false"}},
    {"`swing_adaptation`", {"control.biped.swing_adaptation=false"}},
    {"`inclination`", {"control.biped.inclination=false"}},
    {"quadratic `distribution`", {"control.biped.distribution=heuristic"}},
    {"`com_tracking`", {"control.biped.com_tracking=false"}},
    {"`com_acceleration`", {"control.biped.com_acceleration=false"}},
    {"both of these", {"control.biped.com_tracking=false", "control.biped.com_acceleration=false"}},
    {"`late_foot`", {"control.biped.late_foot=false"}},
    {"`force_control`", {"control.biped.force_control=false"}},
    {"`force_plan`", {"control.biped.force_plan=0"}},
    {"`lag_reduction`", {"control.biped.lag_reduction=false"}},
    {"`common_mode`", {"control.biped.common_mode=false"}},
    {"notches of `filter`: raw", {"control.biped.filter=raw"}},
    {"notches for `filter: low`", {"control.biped.filter=low"}},
    {"notches for `filter: passivity`", {"control.biped.filter=passivity"}},
    {"`comfort`", {"control.biped.comfort=0"}},
    {"`limits`", {"control.biped.limits=0"}},
    {"`self_collision`", {"control.biped.self_collision=0"}},
    {"all three: no null-space cost",
     {"control.biped.comfort=0", "control.biped.limits=0", "control.biped.self_collision=0"}},
    {"`correction` of plans", {"control.biped.correction=false"}},
    {"inclination for `balance: dcm`", {"control.biped.balance=dcm"}},
};

#define UNLIKE(file) "robot={file: ../robots/lola/unlike/" file ".yaml, assumed_model: ../robots/lola/lola-ideal.yaml}"
#define SOLE(stiffness, damping, mu)                                                                                   \
    "materials={lola-sole: {normal: {law: kelvin-voigt, stiffness: " stiffness " * 1.9e7 * 0.085 * 0.05 / 6, "         \
    "damping: " damping " * 250 / 6}, friction: {law: stick-slip, mu: " mu ", stiffness: 1e4, damping: 25}, "          \
    "per: point}}"
#define SAME "robot={file: ../robots/lola/lola-ideal.yaml, assumed_model: ../robots/lola/lola-ideal.yaml}"
static const row WRONGS[] = {
    {"as assumed", {NULL}},
    {"20 % more mass, in the torso", {UNLIKE("heavier")}},
    {"20 % less mass, in the torso", {UNLIKE("lighter")}},
    {"feet 5 mm longer", {UNLIKE("longer"), "place={pos: [0, 0, 5 mm]}"}},
    {"left foot 5 mm longer", {UNLIKE("longer-left"), "place={pos: [0, 0, 5 mm]}"}},
    {"centre of mass 2 cm ahead", {UNLIKE("ahead")}},
    {"centre of mass 2 cm to the left", {UNLIKE("aside")}},
    {"friction 0.4", {SAME, SOLE("1", "1", "0.4")}},
    {"friction 20 % less", {SAME, SOLE("1", "1", "0.64")}},
    {"friction 20 % more", {SAME, SOLE("1", "1", "0.96")}},
    {"soles 20 % softer", {SAME, SOLE("0.8", "1", "0.8")}},
    {"soles 20 % stiffer", {SAME, SOLE("1.2", "1", "0.8")}},
    {"damping of soles 20 % less", {SAME, SOLE("1", "0.8", "0.8")}},
    {"roll and pitch of the IMU 0.5 degrees off", {UNLIKE("tilted")}},
    {"one telegram in 20 lost", {"effects.bus={loss: 0.05}"}},
    {"left hip flexion drive at half its torque", {UNLIKE("weaker-hip-flexion")}},
    {"left hip adduction drive at half its torque", {UNLIKE("weaker-hip-adduction")}},
    {"left hip rotation drive at half its torque", {UNLIKE("weaker-hip-rotation")}},
    {"left knee drive at half its force", {UNLIKE("weaker")}},
    {"one drive of the left ankle at half its force", {UNLIKE("weaker-ankle")}},
};

static void show_table(const char *head, const row *rows, size_t count, const bool *on)
{
    show_head(head, on);
    for (size_t i = 0; i < count; i++) show_row(rows[i].name, rows[i].sets, on);
}

// ------------------------------------------------------------------------------------------ all

static bool wanted(int argc, char **argv, const char *table)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], table) == 0) return true;
    return argc < 2;
}

int main(int argc, char **argv)
{
    static const bool all[GROUNDS_COUNT] = {true, true, true, true, true, true, true};
    static const bool some[GROUNDS_COUNT] = {[0] = true, [1] = true, [4] = true};
    ff_report report = {0};
    ff_error err = {0};
    const ff_scene_spec *scene = ff_scene_load(WALK, NULL, 0, &report);
    ff_biped *robot = scene ? ff_biped_create(scene->robots[0].model, "stand", &err) : NULL;
    const bool made = robot != NULL;
    if (!made) fprintf(stderr, "balance: %s\n", report.errors ? report.messages[0].text : err.text);
    if (made && wanted(argc, argv, "parts")) show_table("switched off", PARTS, sizeof PARTS / sizeof *PARTS, all);
    if (made && wanted(argc, argv, "wrong")) show_table("wrong", WRONGS, sizeof WRONGS / sizeof *WRONGS, some);
    if (made && wanted(argc, argv, "pushes")) show_pushes(robot);
    fputc('\n', stderr);
    ff_biped_destroy(robot);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return made ? 0 : 1;
}
