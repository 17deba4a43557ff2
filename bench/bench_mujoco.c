// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The dynamics kernels beside MuJoCo's, on the same robots in the same random states, one thread. Both programs first
// have to agree on the numbers: a fast wrong answer is not measured.
#include <footfall/footfall.h>

#include "clock.h"
#include "mujoco_read.h"
#include "support/random_robot.h"

enum { STATES = 64, BLOCKS = 1500 };

// ------------------------------------------------------------------------------------------ a robot in both programs

typedef struct pair_of_robots {
    ff_model *m;
    ff_data *d;
    mjModel *mm;
    mjData *md;
    double *q, *v, *a; // STATES states
    double *out;       // (nv)
} pair_of_robots;

static const double *state(const double *all, int n, int k)
{
    return all + (size_t)k * (size_t)n;
}

/// The description, NULL for none, is used up.
static bool open_pair(pair_of_robots *p, ff_spec *spec)
{
    ff_model *m = spec ? ff_model_compile(spec, NULL, NULL) : NULL;
    *p = (pair_of_robots){.m = m};
    p->mm = m ? mujoco_read(spec, 0.0) : NULL;
    ff_spec_destroy(spec);
    if (!p->mm) return false;
    p->d = ff_data_create(m, NULL);
    p->md = mj_makeData(p->mm);
    size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
    p->q = calloc(STATES * nq, sizeof *p->q);
    p->v = calloc(STATES * nv, sizeof *p->v);
    p->a = calloc(STATES * nv, sizeof *p->a);
    p->out = calloc(nv, sizeof *p->out);
    ff_random random = ff_random_make(2026, 0);
    for (int k = 0; k < STATES; k++) {
        random_state(m, p->d, &random);
        memcpy(p->q + (size_t)k * nq, p->d->q, nq * sizeof *p->q);
        memcpy(p->v + (size_t)k * nv, p->d->v, nv * sizeof *p->v);
        memcpy(p->a + (size_t)k * nv, p->d->tau, nv * sizeof *p->a);
    }
    return true;
}

static void close_pair(pair_of_robots *p)
{
    ff_data_destroy(p->d);
    if (p->md) mj_deleteData(p->md);
    if (p->mm) mj_deleteModel(p->mm);
    free(p->q);
    free(p->v);
    free(p->a);
    free(p->out);
    ff_model_destroy(p->m);
}

// ------------------------------------------------------------------------------------------ the work

typedef void work(pair_of_robots *p, int k);

static void mujoco_state(pair_of_robots *p, int k)
{
    memcpy(p->md->qpos, state(p->q, p->m->nq, k), (size_t)p->m->nq * sizeof(double));
    memcpy(p->md->qvel, state(p->v, p->m->nv, k), (size_t)p->m->nv * sizeof(double));
    memcpy(p->md->qacc, state(p->a, p->m->nv, k), (size_t)p->m->nv * sizeof(double));
}

static void footfall_state(pair_of_robots *p, int k)
{
    memcpy(p->d->q, state(p->q, p->m->nq, k), (size_t)p->m->nq * sizeof(double));
    memcpy(p->d->v, state(p->v, p->m->nv, k), (size_t)p->m->nv * sizeof(double));
    memcpy(p->d->tau, state(p->a, p->m->nv, k), (size_t)p->m->nv * sizeof(double));
}

static void mujoco_inverse(pair_of_robots *p, int k)
{
    mujoco_state(p, k);
    mj_kinematics(p->mm, p->md);
    mj_comPos(p->mm, p->md);
    mj_comVel(p->mm, p->md);
    mj_rne(p->mm, p->md, 1, p->out);
}

static void footfall_inverse(pair_of_robots *p, int k)
{
    ff_dyn_inverse(p->m, p->d, state(p->q, p->m->nq, k), state(p->v, p->m->nv, k), state(p->a, p->m->nv, k), p->out);
}

static void mujoco_mass(pair_of_robots *p, int k)
{
    mujoco_state(p, k);
    mj_kinematics(p->mm, p->md);
    mj_comPos(p->mm, p->md);
    mj_crb(p->mm, p->md);
}

static void footfall_mass(pair_of_robots *p, int k)
{
    footfall_state(p, k);
    ff_dyn_kinematics(p->m, p->d);
    ff_dyn_mass(p->m, p->d);
}

static void mujoco_forward(pair_of_robots *p, int k)
{
    mujoco_mass(p, k);
    mj_comVel(p->mm, p->md);
    mj_rne(p->mm, p->md, 0, p->out);
    mj_factorM(p->mm, p->md);
    const double *tau = state(p->a, p->m->nv, k);
    for (int i = 0; i < p->m->nv; i++) p->out[i] = tau[i] - p->out[i];
    mj_solveM(p->mm, p->md, p->md->qacc, p->out, 1);
}

static void footfall_forward(pair_of_robots *p, int k)
{
    footfall_state(p, k);
    ff_dyn_kinematics(p->m, p->d);
    ff_dyn_velocity(p->m, p->d);
    ff_dyn_forward(p->m, p->d);
}

static void stage_kinematics(pair_of_robots *p, int k)
{
    footfall_state(p, k);
    ff_dyn_kinematics(p->m, p->d);
}

static void stage_velocity(pair_of_robots *p, int k)
{
    (void)k;
    ff_dyn_velocity(p->m, p->d);
}

static void stage_mass(pair_of_robots *p, int k)
{
    (void)k;
    ff_dyn_mass(p->m, p->d);
}

static void stage_forward(pair_of_robots *p, int k)
{
    (void)k;
    ff_dyn_forward(p->m, p->d);
}

static void stage_factor(pair_of_robots *p, int k)
{
    (void)k;
    ff_dyn_factor(p->m, p->d);
}

static void stage_solve(pair_of_robots *p, int k)
{
    memcpy(p->out, state(p->a, p->m->nv, k), (size_t)p->m->nv * sizeof(double));
    ff_dyn_solve(p->m, p->d, p->out);
}

// ------------------------------------------------------------------------------------------ the clock

static double block(work *f, pair_of_robots *p)
{
    double start = now();
    for (int k = 0; k < STATES; k++) f(p, k);
    return (now() - start) / STATES;
}

typedef struct task {
    work *f;
    pair_of_robots *p;
} task;

static double block_of(void *context)
{
    const task *t = context;
    return block(t->f, t->p);
}

static duel measure_duel(work *theirs, work *ours, pair_of_robots *p, int blocks)
{
    return duel_run(block_of, &(task){theirs, p}, block_of, &(task){ours, p}, blocks);
}

static double measure_best(work *f, pair_of_robots *p)
{
    double best = INFINITY;
    for (int i = 0; i < BLOCKS / 3; i++) best = fmin(best, block(f, p));
    return best;
}

// ------------------------------------------------------------------------------------------ agreement

static double difference(const double *a, const double *b, int n)
{
    double most = 0, scale = 1;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
        scale = fmax(scale, fabs(b[i]));
    }
    return most / scale;
}

/// Largest relative difference of inverse and forward dynamics over the states; 1e-9 is what the tests ask for.
static double disagreement(pair_of_robots *p)
{
    double worst = 0, *theirs = calloc((size_t)p->m->nv, sizeof *theirs);
    for (int k = 0; theirs && k < STATES; k++) {
        mujoco_inverse(p, k);
        // mj_rne leaves out armature, mj_crb brings it in
        for (int i = 0; i < p->m->nv; i++) theirs[i] = p->out[i] + p->m->dof_armature[i] * state(p->a, p->m->nv, k)[i];
        footfall_inverse(p, k);
        worst = fmax(worst, difference(p->out, theirs, p->m->nv));
        mujoco_forward(p, k);
        footfall_forward(p, k);
        worst = fmax(worst, difference(p->d->qacc, p->md->qacc, p->m->nv));
    }
    free(theirs);
    return worst;
}

// ------------------------------------------------------------------------------------------ tables

/// A robot of ours by its path below robots/.
static ff_spec *read_robot(const char *robot, ff_report *report)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/robots/%s", FF_SOURCE_DIR, robot);
    ff_spec *spec = ff_spec_create(NULL);
    if (ff_spec_load(spec, path, NULL, report) == FF_OK) return spec;
    ff_spec_destroy(spec);
    return NULL;
}

static bool compare_robot(const char *robot)
{
    static const struct {
        const char *name;
        work *theirs, *ours;
        double least;
    } kernels[] = {{"inverse dynamics", mujoco_inverse, footfall_inverse, 4.0},
                   {"mass matrix", mujoco_mass, footfall_mass, 4.0},
                   {"forward dynamics", mujoco_forward, footfall_forward, 3.0}};
    static const struct {
        const char *name;
        work *run;
    } stages[] = {{"kinematics", stage_kinematics}, {"velocities", stage_velocity},        {"mass matrix", stage_mass},
                  {"factorise", stage_factor},      {"articulated bodies", stage_forward}, {"solve", stage_solve}};
    ff_report report = {0};
    pair_of_robots p;
    if (!open_pair(&p, read_robot(robot, &report))) {
        if (report.count) fprintf(stderr, "bench: %s: %s\n", robot, report.messages[0].text);
        close_pair(&p);
        ff_report_clear(&report);
        return false;
    }
    double apart = disagreement(&p);
    bool agree = apart < 1e-8;
    printf("%s: %d degrees of freedom, %d bodies; the two agree to %.1e\n", robot, p.m->nv, p.m->nbody, apart);
    printf("  %-20s %10s %10s %8s %8s %8s\n", "kernel", "MuJoCo ns", "ours ns", "ratio", "median", "wanted");
    for (size_t i = 0; agree && i < sizeof kernels / sizeof kernels[0]; i++) {
        duel r = measure_duel(kernels[i].theirs, kernels[i].ours, &p, BLOCKS);
        printf("  %-20s %10.0f %10.0f %8.2f %8.2f %8.1f\n", kernels[i].name, r.theirs * 1e9, r.ours * 1e9,
               r.theirs / r.ours, r.median_ratio, kernels[i].least);
    }
    printf("  where our time goes [ns]:");
    for (size_t i = 0; agree && i < sizeof stages / sizeof stages[0]; i++)
        printf(" %s %.0f%s", stages[i].name, measure_best(stages[i].run, &p) * 1e9,
               i + 1 < sizeof stages / sizeof stages[0] ? "," : "\n\n");
    close_pair(&p);
    ff_report_clear(&report);
    return agree;
}

/// A trunk of `nbody` / 10 links with a leg of nine links on each: depth grows slowly, as in real machines.
static ff_spec *centipede(int nbody)
{
    ff_spec *spec = ff_spec_create(NULL);
    char name[32];
    for (int i = 0; i < nbody; i++) {
        int trunk = i / 10 * 10, parent = i == 0 ? -1 : i == trunk ? trunk - 10 : i - 1;
        snprintf(name, sizeof name, "b%d", i);
        ff_spec_body *body = ff_spec_add_body(spec, name, parent);
        ff_vec3_set(body->pos, 0.1, i == trunk ? 0 : 0.05, 0);
        body->has_inertial = true;
        body->mass = 0.2;
        ff_vec3_set(body->com, 0.05, 0, 0);
        memcpy(body->inertia, (double[6]){1e-4, 2e-4, 2e-4, 0, 0, 0}, sizeof body->inertia);
        snprintf(name, sizeof name, "j%d", i);
        ff_spec_joint *joint = ff_spec_add_joint(spec, name, i, i == 0 ? FF_JOINT_FREE : FF_JOINT_HINGE);
        ff_vec3_set(joint->axis, 0, i % 2, (i + 1) % 2);
    }
    return spec;
}

static void show_growth(void)
{
    static const int counts[] = {10, 20, 50, 100, 200, 500};
    printf("growth with the number of bodies (a trunk with legs of nine links), forward dynamics\n");
    printf("  %8s %12s %14s %14s %8s\n", "bodies", "ours ns", "ns per body", "MuJoCo ns", "ratio");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        pair_of_robots p;
        if (open_pair(&p, centipede(counts[i]))) {
            duel r = measure_duel(mujoco_forward, footfall_forward, &p, 20 + BLOCKS / counts[i]);
            printf("  %8d %12.0f %14.1f %14.0f %8.2f\n", counts[i], r.ours * 1e9, r.ours * 1e9 / counts[i],
                   r.theirs * 1e9, r.theirs / r.ours);
        }
        close_pair(&p);
    }
    printf("\n");
}

static void show_loading(const char *robot)
{
    double best = INFINITY;
    for (int i = 0; i < 20; i++) {
        double start = now();
        ff_spec *spec = read_robot(robot, NULL);
        ff_model *m = spec ? ff_model_compile(spec, NULL, NULL) : NULL;
        ff_spec_destroy(spec);
        ff_sim_options options = ff_sim_options_default();
        options.method = FF_METHOD_EULER;
        ff_sim *sim = m ? ff_sim_create(m, &options, NULL) : NULL;
        if (sim && ff_sim_step(sim, options.step, NULL) == FF_OK) best = fmin(best, now() - start);
        ff_sim_destroy(sim);
        ff_model_destroy(m);
    }
    printf("%s: file to first step in %.2f ms (wanted: below 20)\n", robot, best * 1e3);
}

int main(void)
{
    bool agree = compare_robot("anton/anton.yaml");
    agree = compare_robot("humanoid/humanoid.yaml") && agree;
    show_growth();
    show_loading("anton/anton.yaml");
    if (!agree) fprintf(stderr, "bench: Footfall and MuJoCo disagree: no ratio means anything\n");
    return agree ? 0 : 1;
}
