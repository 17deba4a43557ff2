// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// ANTON walking beside MuJoCo: the same robot on the same floor, the same references of its joints, those its controller gave in one run of experiments/anton-tripod with ideal drives, followed by
//     tau = kp (q* - q) + kd (q*' - q') + tau*        within the bound of each drive, sampled at 1 kHz
// in both, one thread. MuJoCo is taken as it comes: 1 ms, solver Newton, pyramidal cones, warm start. Before anything is timed both have to walk equally far and high.
#include "clock.h"
#include "march.h"
#include "mujoco_read.h"
#include "walk_script.h"

static const double STEP = 1e-3, KP = 60.0, KD = 1.0; // [s], [N m/rad], [N m s/rad]: servo_kp, servo_kd of ANTON
static const double PERIOD = 14.0 / 15.0;             // of the gait  [s]
static const double FROM = 2.0;                       // it walks steadily from here on  [s]
enum { BLOCKS = 40, MOST_DRIVES = WALK_ITEMS / 3 };

static walk_script said;

/// What both are told.
typedef struct walk {
    ff_model *model;
    double *start; // (nq)
    int qadr[MOST_DRIVES], vadr[MOST_DRIVES], n;
    double most[MOST_DRIVES]; // torque  [N m]
} walk;

static void add_torque(const walk *w, double t, const double *q, const double *v, double *tau)
{
    const int cycle = (int)floor(t / STEP + 0.5);
    const ff_io_item *items = said.items[cycle < said.cycles ? cycle : said.cycles - 1];
    for (int i = 0; i < w->n; i++) {
        const ff_io_item *r = items + 3 * i;
        const double wish = KP * (r[0].value - q[w->qadr[i]]) + KD * (r[1].value - v[w->vadr[i]]) + r[2].value;
        tau[w->vadr[i]] += ff_drive_clamp(wish, w->most[i]);
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
    const ff_scene_controller c = {.context = &l, .bind = walk_listen_bind, .cycle = walk_listen};
    ff_scene *scene = ff_scene_load(FF_SOURCE_DIR "/experiments/anton-tripod.yaml", sets, 5, &report);
    if (scene) scene->record.nchannel = 0;
    bool fine = scene && ff_scene_set_controller(scene, 0, &c, &err) == FF_OK && ff_scene_begin(scene, &err) == FF_OK;
    if (fine) memcpy(w->start, ff_sim_data(scene->sim)->q, (size_t)scene->model->nq * sizeof *w->start);
    fine = fine && ff_scene_run(scene, &err) == FF_OK;
    for (int i = 0; fine && i < scene->drives->n && i < MOST_DRIVES; i++) {
        const int joint = ff_model_find_joint(w->model, scene->drives->drives[i].name);
        if (joint < 0) continue;
        w->qadr[w->n] = w->model->joints[joint].qadr;
        w->vadr[w->n] = w->model->joints[joint].vadr;
        w->most[w->n++] = w->model->joints[joint].effort;
    }
    fine = fine && 3 * w->n == said.n;
    if (!fine) fprintf(stderr, "bench_walk_mujoco: %s\n", report.errors ? report.messages[0].text : err.text);
    ff_hexapod_destroy(l.walker);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return fine;
}

// ------------------------------------------------------------------------------------------ MuJoCo's side

typedef struct theirs {
    const walk *how;
    mjModel *m;
    mjData *d, *kept;
} theirs;

static void mujoco_run(theirs *r, double until)
{
    while (r->d->time < until - 0.5 * STEP) {
        mju_zero(r->d->qfrc_applied, r->m->nv);
        add_torque(r->how, r->d->time, r->d->qpos, r->d->qvel, r->d->qfrc_applied);
        mj_step(r->m, r->d);
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

static bool mujoco_open(theirs *r, const walk *how)
{
    *r = (theirs){.how = how, .m = mujoco_read(how->model, STEP)};
    if (!r->m) return false;
    r->d = mj_makeData(r->m);
    memcpy(r->d->qpos, how->start, (size_t)how->model->nq * sizeof(double));
    mujoco_run(r, FROM);
    r->kept = mj_copyData(NULL, r->m, r->d);
    return true;
}

static void mujoco_close(theirs *r)
{
    if (r->kept) mj_deleteData(r->kept);
    if (r->d) mj_deleteData(r->d);
    if (r->m) mj_deleteModel(r->m);
}

// ------------------------------------------------------------------------------------------ our side

typedef struct ours {
    const walk *how;
    ff_world *world;
    ff_sim *sim;
    void *kept;
    size_t size;
} ours;

static ff_sim_action follow(void *context, ff_sim *sim, double t)
{
    const ours *r = context;
    const ff_data *d = ff_sim_data(sim);
    double *tau = ff_sim_held_torque(sim);
    memset(tau, 0, (size_t)r->how->model->nv * sizeof *tau);
    add_torque(r->how, t, d->q, d->v, tau);
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

static bool our_open(ours *r, const walk *how, const ff_sim_options *options)
{
    ff_error err = {0};
    ff_report report = {0};
    *r = (ours){.how = how, .world = ff_world_create(how->model, NULL, &report)};
    ff_report_clear(&report);
    const ff_task task = {.name = "joints", .period = ff_ticks_from_seconds(STEP), .context = r, .run = follow};
    r->sim = r->world ? ff_sim_create(how->model, options, &err) : NULL;
    if (!r->sim || ff_sim_add_world(r->sim, r->world, &err) != FF_OK || ff_sim_add_task(r->sim, &task, &err) < 0)
        return false;
    memcpy(ff_sim_data(r->sim)->q, how->start, (size_t)how->model->nq * sizeof(double));
    ff_sim_changed(r->sim);
    if (!our_run(r, FROM)) return false;
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

// ------------------------------------------------------------------------------------------ beside each other

/// One period of both from the same instant on: way and height of the middle segment.
static bool walk_alike(theirs *a, ours *b)
{
    const double *p = a->d->qpos, *q = ff_sim_data(b->sim)->q, from[2] = {p[0], q[0]};
    mujoco_block(a);
    our_block(b);
    const double way[2] = {p[0] - from[0], q[0] - from[1]};
    const bool good = fabs(way[0] - way[1]) < 0.1 * way[1] && fabs(p[2] - q[2]) < 5e-3; // [m]
    printf("    one period: MuJoCo %.1f mm on, %.1f mm high; Footfall %.1f mm, %.1f mm%s\n", 1e3 * way[0], 1e3 * p[2],
           1e3 * way[1], 1e3 * q[2], good ? "" : ": NOT THE SAME WALK");
    return good;
}

static void compare(const walk *how, const char *what, const ff_sim_options *options)
{
    theirs a = {0};
    ours b = {0};
    if (mujoco_open(&a, how) && our_open(&b, how, options)) {
        const bool alike = walk_alike(&a, &b);
        const duel d = duel_run(mujoco_block, &a, our_block, &b, BLOCKS);
        printf("  %-40s %6.0f times real time, MuJoCo %4.0f: %.2f times as fast (median %.2f)%s\n", what,
               PERIOD / d.ours, PERIOD / d.theirs, d.theirs / d.ours, d.median_ratio, alike ? "" : "   not comparable");
        fflush(stdout);
    }
    our_close(&b);
    mujoco_close(&a);
}

int main(void)
{
    walk how = {.model = march_load(FF_SOURCE_DIR "/robots/anton/anton.yaml")};
    if (how.model) how.start = calloc((size_t)how.model->nq, sizeof *how.start);
    if (!how.start || !write_script(&how)) return 1;
    printf("ANTON walking at 0.1 m/s by written references, joints held by %g N m/rad and %g N m s/rad at 1 kHz, "
           "beside MuJoCo %s at 1 ms\n",
           KP, KD, mj_versionString());
    static const struct {
        const char *what;
        ff_method method;
        double accuracy;
    } rows[] = {{"euler, 1 ms", FF_METHOD_EULER, 0},
                {"rk4, 1 ms", FF_METHOD_RK4, 0},
                {"implicit, 1 ms", FF_METHOD_IMPLICIT, 0},
                {"implicit, accuracy 1e-3", FF_METHOD_IMPLICIT, 1e-3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ff_sim_options options = ff_sim_options_default();
        options.method = rows[i].method;
        options.step = STEP;
        if (rows[i].accuracy > 0) options.accuracy = rows[i].accuracy;
        compare(&how, rows[i].what, &options);
    }
    free(how.start);
    ff_model_destroy(how.model);
    return 0;
}
