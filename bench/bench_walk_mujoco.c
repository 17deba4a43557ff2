// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// ANTON walking beside MuJoCo: the same robot on the same floor, the same references of its joints, those its
// controller gave in one run of experiments/anton-tripod with ideal drives, followed by
//     tau = kp (q* - q) + kd (q*' - q') + tau*        within the bound of each drive, sampled at 1 kHz and held
// in both, one thread. MuJoCo is taken as it comes: solver Newton, pyramidal cones, warm start. Before anything is
// timed both have to walk equally far and high.
//
// Equal accuracy: the error of each is that of its vertical foot forces (foot_forces.h) against its own solution at a
// short step, since the two have different laws of contact; each then runs at the longest step that keeps it below 1 %.
#include "clock.h"
#include "foot_forces.h"
#include "march.h"
#include "mujoco_march.h"
#include "walk_script.h"

static const double CYCLE = 1e-3, KP = 60.0, KD = 1.0;    // [s], [N m/rad], [N m s/rad]: servo_kp, servo_kd of ANTON
static const double PERIOD = 14.0 / 15.0;                 // of the gait  [s]
static const double FROM = 2.0;                           // it walks steadily from here on  [s]
static const double PERCENT = 1.0;                        // error that counts as equal accuracy
static const double FINE_THEIRS = 2e-5, FINE_OURS = 1e-5; // steps of the reference solutions  [s]
enum { BLOCKS = 40, MOST_DRIVES = WALK_ITEMS / 3, DOFS_MOST = MOST_DRIVES + 6 };

static walk_script said;

/// References of both.
typedef struct walk {
    ff_model *model;
    double *start; // (nq)
    int qadr[MOST_DRIVES], vadr[MOST_DRIVES], n;
    double most[MOST_DRIVES]; // torque  [N m]
} walk;

static void add_torque(const walk *w, double t, const double *q, const double *v, double *tau)
{
    const int cycle = (int)floor(t / CYCLE + 0.5);
    const ff_io_item *items = said.items[cycle < said.cycles ? cycle : said.cycles - 1];
    for (int i = 0; i < w->n; i++) {
        const ff_io_item *r = items + 3 * i;
        const double command = KP * (r[0].value - q[w->qadr[i]]) + KD * (r[1].value - v[w->vadr[i]]) + r[2].value;
        tau[w->vadr[i]] += ff_drive_clamp(command, w->most[i]);
    }
}

/// Lets the controller walk once and writes down what it says.
static bool write_script(walk *w)
{
    static const char *const sets[] = {"effects={drives: ideal, sensors: perfect, bus: none}",
                                       "control={callback: script}", "expect=[]", "solver={method: rk4, step: 1e-3}",
                                       "time=4"};
    ff_report report = {0};
    ff_error err = {0};
    walk_listener l = {.out = &said};
    const ff_robot_controller c = {.context = &l, .bind = walk_listen_bind, .cycle = walk_listen};
    const ff_scene_spec *scene = ff_scene_load(FF_SOURCE_DIR "/experiments/anton-tripod.yaml", sets, 5, &report);
    const ff_run_controller controller = {.controller = c};
    ff_run *run = NULL;
    if (scene) {
        ff_run_options options = ff_run_options_default(scene);
        options.record.nchannel = 0;
        options.controllers = &controller;
        options.ncontroller = 1;
        run = ff_run_create(scene, &options, &report);
    }
    if (run) memcpy(w->start, ff_sim_q(ff_run_sim(run)), (size_t)scene->model->nq * sizeof *w->start);
    bool fine = run && ff_run_go(run, &err) == FF_OK;
    for (int i = 0; fine && i < scene->plant->drives->n && i < MOST_DRIVES; i++) {
        const int joint = ff_model_find_joint(w->model, scene->plant->drives->drives[i].name);
        if (joint < 0) continue;
        w->qadr[w->n] = w->model->joints[joint].qadr;
        w->vadr[w->n] = w->model->joints[joint].vadr;
        w->most[w->n++] = w->model->joints[joint].effort;
    }
    fine = fine && 3 * w->n == said.n;
    if (!fine) fprintf(stderr, "bench_walk_mujoco: %s\n", report.errors ? report.messages[0].text : err.text);
    ff_hexapod_destroy(l.walker);
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return fine;
}

// ------------------------------------------------------------------------------------------ MuJoCo's side

typedef struct theirs {
    const walk *how;
    double step;
    mjModel *m;
    mjData *d, *kept;
    foot_forces *forces; // NULL: nobody asks
} theirs;

/// Number of the leg whose foot a shape is, -1: of none.
static int leg_of(const theirs *r, int geom)
{
    const ff_model *m = r->how->model;
    for (int i = 0; i < m->nleg; i++)
        if (r->m->geom_bodyid[geom] == mj_name2id(r->m, mjOBJ_BODY, m->bodies[m->frames[m->legs[i].frame].body].name))
            return i;
    return -1;
}

/// Vertical forces of the step just made: those at its start, which act over all of it.
static void mujoco_feel(theirs *r)
{
    double force[MOST_FORCES] = {0};
    for (int i = 0; i < r->d->ncon; i++) {
        const mjContact *c = &r->d->contact[i];
        const int one = leg_of(r, c->geom1), two = leg_of(r, c->geom2);
        mjtNum wrench[6], world[3];
        if (one < 0 && two < 0) continue;
        mj_contactForce(r->m, r->d, i, wrench);
        mju_rotVecMatT(world, wrench, c->frame); // on the second shape
        force[two >= 0 ? two : one] += two >= 0 ? world[2] : -world[2];
    }
    foot_forces_add(r->forces, r->d->time, force, force);
}

static void mujoco_run(theirs *r, double until)
{
    const int steps = (int)floor(CYCLE / r->step + 0.5); // in a cycle
    while (r->d->time < until - 0.5 * r->step) {
        mju_zero(r->d->qfrc_applied, r->m->nv);
        add_torque(r->how, r->d->time, r->d->qpos, r->d->qvel, r->d->qfrc_applied);
        for (int k = 0; k < steps; k++) {
            mj_step(r->m, r->d);
            if (r->forces) mujoco_feel(r);
        }
    }
}

static double mujoco_block(void *context)
{
    theirs *r = context;
    mj_copyData(r->d, r->m, r->kept);
    const double start = now();
    mujoco_run(r, FROM + PERIOD);
    return now() - start;
}

/// Walks to FROM. @param forces  where foot forces of the two periods from there on go, which are then walked too;
/// NULL: nowhere
static bool mujoco_open(theirs *r, const walk *how, double step, foot_forces *forces)
{
    *r = (theirs){.how = how, .step = step, .m = mujoco_read_march(how->model, step)};
    if (!r->m) return false;
    r->d = mj_makeData(r->m);
    memcpy(r->d->qpos, how->start, (size_t)how->model->nq * sizeof(double));
    mujoco_run(r, FROM);
    r->kept = mj_copyData(NULL, r->m, r->d);
    if (!forces) return true;
    *forces = foot_forces_begin(how->model->nleg, FROM, FROM + 2.0 * PERIOD);
    forces->last = r->d->time;
    r->forces = forces;
    mujoco_run(r, FROM + 2.0 * PERIOD);
    r->forces = NULL;
    return true;
}

static void mujoco_close(theirs *r)
{
    if (r->kept) mj_deleteData(r->kept);
    if (r->d) mj_deleteData(r->d);
    if (r->m) mj_deleteModel(r->m);
}

static bool mujoco_forces(const walk *how, double step, foot_forces *forces)
{
    theirs r = {0};
    const bool fine = mujoco_open(&r, how, step, forces);
    mujoco_close(&r);
    return fine;
}

// ------------------------------------------------------------------------------------------ our side

typedef struct ours {
    const walk *how;
    ff_world *world;
    ff_sim *sim;
    void *kept;
    size_t size;
    foot_forces *forces; // NULL: nobody asks
} ours;

static ff_sim_action follow(void *context, ff_sim *sim, double t)
{
    const ours *r = context;
    const ff_data *d = ff_sim_data(sim);
    double tau[DOFS_MOST] = {0};
    add_torque(r->how, t, d->q, d->v, tau);
    ff_sim_set_torques(sim, tau);
    return FF_SIM_GO;
}

static ff_sim_action our_feel(void *context, ff_sim *sim, double t)
{
    const ours *r = context;
    double vertical[MOST_FORCES];
    int count;
    if (!r->forces) return FF_SIM_GO;
    const ff_foot *feet = ff_world_feet(r->world, sim, &count);
    for (int i = 0; i < r->forces->legs; i++) vertical[i] = feet[i].force[2];
    foot_forces_add(r->forces, t, r->forces->force, vertical);
    memcpy(r->forces->force, vertical, sizeof vertical);
    return FF_SIM_GO;
}

static bool our_run(ours *r, double until)
{
    ff_error err = {0};
    const bool fine = ff_sim_run(r->sim, until, &err) == FF_OK;
    if (!fine) fprintf(stderr, "bench_walk_mujoco: %s\n", err.text);
    return fine;
}

static double our_block(void *context)
{
    ours *r = context;
    ff_error err = {0};
    if (ff_sim_restore(r->sim, r->kept, r->size, &err) != FF_OK) return INFINITY;
    const double start = now();
    return our_run(r, FROM + PERIOD) ? now() - start : INFINITY;
}

/// As mujoco_open.
static bool our_open(ours *r, const walk *how, const ff_sim_options *options, foot_forces *forces)
{
    ff_error err = {0};
    ff_report report = {0};
    *r = (ours){.how = how, .world = ff_world_create(how->model, NULL, &report), .forces = forces};
    ff_report_clear(&report);
    const ff_task task = {.name = "joints", .period = ff_ticks_from_seconds(CYCLE), .context = r, .run = follow};
    const ff_listener ear = {.context = r, .step = our_feel};
    r->sim = r->world ? ff_sim_create(how->model, options, &err) : NULL;
    if (!r->sim || ff_sim_add_world(r->sim, r->world, &err) != FF_OK || ff_sim_add_task(r->sim, &task, &err) < 0)
        return false;
    if (forces && ff_sim_add_listener(r->sim, &ear, &err) != FF_OK) return false;
    if (forces) *forces = foot_forces_begin(how->model->nleg, FROM, FROM + 2.0 * PERIOD);
    ff_sim_set_state(r->sim, how->start, NULL);
    if (!our_run(r, forces ? FROM + 2.0 * PERIOD : FROM)) return false;
    r->size = ff_sim_save_size(r->sim);
    r->kept = malloc(r->size);
    return r->kept && ff_sim_save(r->sim, r->kept, r->size, &err) == FF_OK;
}

static void our_close(ours *r)
{
    ff_sim_destroy(r->sim);
    ff_world_destroy(r->world);
    free(r->kept);
}

static bool our_forces(const walk *how, const ff_sim_options *options, foot_forces *forces)
{
    ours r = {0};
    const bool fine = our_open(&r, how, options, forces);
    our_close(&r);
    return fine;
}

// ------------------------------------------------------------------------------------------ beside each other

/// One period of both from the same instant on: way and height of the middle segment.
static bool walk_alike(theirs *a, ours *b)
{
    const double *p = a->d->qpos, *q = ff_sim_q(b->sim), from[2] = {p[0], q[0]};
    mujoco_block(a);
    our_block(b);
    const double way[2] = {p[0] - from[0], q[0] - from[1]};
    const bool good = fabs(way[0] - way[1]) < 0.1 * way[1] && fabs(p[2] - q[2]) < 5e-3; // [m]
    if (!good)
        printf("  NOT THE SAME WALK: in a period MuJoCo goes %.1f mm, %.1f mm high, Footfall %.1f mm, %.1f mm high\n",
               1e3 * way[0], 1e3 * p[2], 1e3 * way[1], 1e3 * q[2]);
    return good;
}

static void compare(const walk *how, const char *what, const char *setting, double error, const ff_sim_options *options,
                    double their_step)
{
    theirs a = {0};
    ours b = {0};
    if (mujoco_open(&a, how, their_step, NULL) && our_open(&b, how, options, NULL)) {
        const bool alike = walk_alike(&a, &b);
        const duel d = duel_run(mujoco_block, &a, our_block, &b, BLOCKS);
        char times[40];
        snprintf(times, sizeof times, "%.1f (%.1f)", d.theirs / d.ours, d.median_ratio);
        printf("  %-22s %-16s %-8.2f %-16.0f %-18.0f %s%s\n", what, setting, error, PERIOD / d.ours, PERIOD / d.theirs,
               times, alike ? "" : "   not comparable");
        fflush(stdout);
    }
    our_close(&b);
    mujoco_close(&a);
}

/// The longest step with which MuJoCo keeps the error. @return 0 when there is none
static double their_longest(const walk *how)
{
    static foot_forces fine, f;
    if (!mujoco_forces(how, FINE_THEIRS, &fine)) return 0.0;
    printf("  error of MuJoCo against itself at %g ms:", 1e3 * FINE_THEIRS);
    for (double step = CYCLE; step > 2.0 * FINE_THEIRS; step *= 0.5) {
        const double error = mujoco_forces(how, step, &f) ? foot_forces_apart(&f, &fine) : NAN;
        printf(" %.2f %% at %g ms%s", error, 1e3 * step, error < PERCENT ? "\n" : ",");
        fflush(stdout);
        if (error < PERCENT) return step;
    }
    printf(" never below %g %%\n", PERCENT);
    return 0.0;
}

typedef struct family {
    const char *name, *unit;
    ff_method method;
    double first, factor, scale; // steps, or accuracies of implicit by error
    bool by_error;
} family;

static ff_sim_options options_of(const family *a, double x)
{
    ff_sim_options o = ff_sim_options_default();
    o.method = a->method;
    o.accuracy = a->by_error ? x : 0.0;
    if (!a->by_error) o.step = x;
    return o;
}

static void show_family(const walk *how, const family *a, const foot_forces *fine, double their_step)
{
    static foot_forces f;
    for (double x = a->first; x > 1e-3 * a->first; x *= a->factor) {
        const ff_sim_options o = options_of(a, x);
        const double error = our_forces(how, &o, &f) ? foot_forces_apart(&f, fine) : NAN;
        if (!(error < PERCENT)) continue;
        char setting[40];
        snprintf(setting, sizeof setting, "%g %s", a->scale * x, a->unit);
        compare(how, a->name, setting, error, &o, their_step);
        return;
    }
    printf("  %-22s never below %g %%\n", a->name, PERCENT);
}

int main(void)
{
    static const family families[] = {{"euler", "ms", FF_METHOD_EULER, 1e-3, 0.5, 1e3, false},
                                      {"rk2", "ms", FF_METHOD_RK2, 1e-3, 0.5, 1e3, false},
                                      {"rk4", "ms", FF_METHOD_RK4, 1e-3, 0.5, 1e3, false},
                                      {"implicit, fixed step", "ms", FF_METHOD_IMPLICIT, 1e-3, 0.5, 1e3, false},
                                      {"implicit, by error", "accuracy", FF_METHOD_IMPLICIT, 1e-3, 0.1, 1.0, true}};
    static foot_forces fine;
    walk how = {.model = march_load(FF_SOURCE_DIR "/robots/anton/anton.yaml")};
    if (how.model) how.start = calloc((size_t)how.model->nq, sizeof *how.start);
    if (!how.start || !write_script(&how)) return 1;
    printf("ANTON walking at 0.1 m/s beside MuJoCo %s: both follow the same references of the joints, held by %g N "
           "m/rad and %g N m s/rad at 1 kHz; no controller, no sensors.\n"
           "Each runs at the longest step that keeps the error of its own vertical foot forces below %g %%, and once "
           "at 1 ms.\n",
           mj_versionString(), KP, KD, PERCENT);
    const ff_sim_options tightest = options_of(&(family){.method = FF_METHOD_RK4}, FINE_OURS);
    if (!our_forces(&how, &tightest, &fine)) return 1;
    const double equal = their_longest(&how);
    for (int k = 0; k < 2; k++) {
        const double step = k == 0 ? equal : CYCLE;
        if (!(step > 0.0) || (k == 1 && equal == CYCLE)) continue;
        printf("  MuJoCo at %g ms:\n  %-22s %-16s %-8s %-16s %-18s %s\n", 1e3 * step, "method", "setting", "error %",
               "times real time", "MuJoCo", "times as fast (median of blocks)");
        for (size_t i = 0; i < sizeof families / sizeof *families; i++) show_family(&how, &families[i], &fine, step);
    }
    free(how.start);
    ff_model_destroy(how.model);
    return 0;
}
