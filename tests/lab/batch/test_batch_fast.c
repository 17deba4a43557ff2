// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How far fused multiplications and additions (`fast`) or single precision (`single`), which devices have, lead a robot
// away from the exact step: the kernel of one lane is compiled once more with them, and ANTON marches with both.
#include "check.h"
#include "march.h"
#include "support/folder.h"

#include <footfall/footfall.h>

#include "batch/kernel.h"
#include "batch/specialise.h"

#ifdef FF_TEST_COMPILER
#include <dlfcn.h>

#if defined(__x86_64__)
#define FUSING " -mfma"
#elif defined(__aarch64__)
#define FUSING ""
#endif

static bool fuses(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("fma");
#elif defined(FUSING)
    return true;
#else
    return false;
#endif
}

#ifndef FUSING
#define FUSING ""
#endif

// What fuses, and little else of what gcc does at -O1: 3.5 in place of 5.8 s of processor.
#define FUSES_ONLY                                                                                                     \
    "-O1 -fexpensive-optimizations -ffp-contract=fast -fno-tree-ccp -fno-tree-fre -fno-tree-pta -fno-tree-ter "        \
    "-fno-tree-dominator-opts -fno-tree-sra -fno-tree-dse -fno-dse -fno-move-loop-invariants -fno-ivopts "             \
    "-fno-if-conversion -fno-if-conversion2"

/// The kernel of one lane with other flags; compiling it takes most of this test. @return the library, to be closed
static void *compile_kernel(const char *name, const char *flags, const ff_batch_kernel **out)
{
    char library[600], command[2400];
    snprintf(library, sizeof library, "%s/%s.so", test_folder(), name); // one that is loaded stays
    snprintf(command, sizeof command,
             FF_TEST_COMPILER " -std=c17 -fno-math-errno -shared -fPIC %s -I%s/src -I%s/src/physics -I%s/src/lab "
                              "-I%s/include %s/src/lab/batch/lanes_1.c -lm -o %s",
             flags, FF_SOURCE_DIR, FF_SOURCE_DIR, FF_SOURCE_DIR, FF_SOURCE_DIR, FF_SOURCE_DIR, library);
    CHECK_INT(system(command), 0);
    void *loaded = dlopen(library, RTLD_LAZY); // readings of sensors, which these robots have not, are not in it
    if (!loaded) CHECK_FAIL("%s", dlerror());
    *out = dlsym(loaded, "ff_batch_kernel_1");
    CHECK(*out);
    return loaded;
}

/// ANTON at the start of a march, with a servo in each joint.
static ff_batch_model *anton(march *how)
{
    const ff_batch_servo servo = {.joint = -1, .stiffness = 60.0, .damping = 1.0};
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_EULER;
    o.step = 1e-3;
    ff_model *model = march_load(FF_SOURCE_DIR "/robots/anton/anton.yaml");
    CHECK(model && march_create(how, model, 0.025));
    ff_world *world = ff_world_create(model, NULL, NULL);
    ff_sim *sim = ff_sim_create(model, &o, NULL);
    CHECK_INT(ff_sim_add_world(sim, world, NULL), FF_OK);
    ff_sim_set_state(sim, how->stand, NULL);
    ff_batch_model *batch = ff_batch_compile(sim, &servo, 1, NULL);
    CHECK(batch);
    ff_sim_destroy(sim);
    ff_world_destroy(world);
    return batch;
}

enum { ROWS = 4000, INPUTS = 400 };

/// Steps of another kernel on rows and inputs that are doubles between the calls.
typedef void other_steps(const ff_batch_kernel *kernel, const ff_batch_model *model, double *x, const double *in,
                         void *scratch, int steps);

static const ff_batch_rules NO_RULES = {.watched = 0};

static void double_steps(const ff_batch_kernel *kernel, const ff_batch_model *model, double *x, const double *in,
                         void *scratch, int steps)
{
    kernel->run(model, &NO_RULES, x, in, scratch, steps);
}

/// As a device does it (device_special.cu).
static void single_steps(const ff_batch_kernel *kernel, const ff_batch_model *model, double *x, const double *in,
                         void *scratch, int steps)
{
    static float rows[ROWS], inputs[INPUTS];
    for (int i = 0; i < model->nrow; i++) rows[i] = (float)x[i];
    for (int i = 0; i < model->ninput; i++) inputs[i] = (float)in[i];
    kernel->run(model, &NO_RULES, (double *)(void *)rows, (const double *)(const void *)inputs, scratch, steps);
    for (int i = 0; i < model->nrow; i++)
        if ((float)x[i] != rows[i]) x[i] = rows[i];
}

/// ANTON marches by the exact kernel and by another one. @return the steps it made
static int march_beside(march *how, const ff_batch_model *m, const ff_batch_kernel *kernel, const ff_batch_model *other,
                        other_steps *run, double *worst_q, double *worst_v)
{
    static double x[2][ROWS], in[INPUTS];
    static const double still[64] = {0};
    void *scratch = aligned_alloc(FF_BATCH_ALIGNMENT, ff_batch_kernel_1.scratch(m));
    CHECK(m->nrow <= ROWS && m->ninput <= INPUTS && scratch);
    for (int k = 0; k < 2; k++) memcpy(x[k], m->start, (size_t)m->nrow * sizeof(double));
    const int steps = CHECK_LASTS(10000, 1000);
    *worst_q = *worst_v = 0.0;
    for (int step = 0; step < steps; step += 10) {
        double tau[64] = {0};
        march marching = *how; // what it asks for at rest in zero is kp times its targets
        marching.kd = 0.0;
        march_add_torque(&marching, 1e-3 * step, still, still, tau);
        for (int i = 0; i < m->nservo; i++) in[3 * i] = tau[how->model->joints[m->servo_joint[i]].vadr] / how->kp;
        double_steps(&ff_batch_kernel_1, m, x[0], in, scratch, 10);
        run(kernel, other, x[1], in, scratch, 10);
        for (int i = 0; i < m->nq; i++) *worst_q = ff_max(*worst_q, fabs(x[0][i] - x[1][i]));
        for (int i = m->nq; i < m->nq + m->nv; i++) *worst_v = ff_max(*worst_v, fabs(x[0][i] - x[1][i]));
    }
    CHECK(x[0][m->robot + FF_ROBOT_AGE] == steps && x[1][m->robot + FF_ROBOT_AGE] == steps);
    printf("  farthest apart in %d steps: q %.1e, v %.1e\n", steps, *worst_q, *worst_v);
    free(scratch);
    return steps;
}

static void clear(march *how, ff_batch_model *m, void *library)
{
    ff_model *model = (ff_model *)how->model;
    dlclose(library);
    march_destroy(how);
    ff_model_destroy(model);
    ff_batch_model_destroy(m);
}

// Rounding of 1e-16 a step, which springs, dampers and friction damp: the bounds of a march beside a simulation
// (test_batch.c), which differ by rounding, too.
TEST(fused_operations_differ_by_rounding_over_ten_seconds)
{
    if (!fuses()) SKIP("this processor has no fused operations");
    march how;
    double worst_q, worst_v;
    const ff_batch_kernel *fast;
    ff_batch_model *m = anton(&how);
    void *library = compile_kernel("fast", FUSES_ONLY FUSING, &fast);
    march_beside(&how, m, fast, m, double_steps, &worst_q, &worst_v);
    CHECK(worst_q > 0.0); // operations were fused
    CHECK_NEAR(worst_q, 0.0, 1e-13);
    CHECK_NEAR(worst_v, 0.0, 1e-11);
    clear(&how, m, library);
}

// Rounding of 6e-8 of each number in a step: 5e8 times that of doubles, and so are the bounds. A place on the ground is
// kept by friction alone: there it adds up, by 6e-8 of a position of some 0.1 m in a step at most.
TEST(single_precision_differs_by_its_rounding_over_ten_seconds)
{
    march how;
    double worst_q, worst_v;
    const ff_batch_kernel *single;
    ff_batch_model *m = anton(&how), rounded = *m;
    ff_batch_table tables[FF_BATCH_TABLES];
    void *numbers[FF_BATCH_TABLES], *library = compile_kernel("single", "-O0 -DFF_SINGLE", &single);
    ff_batch_list_tables(m, tables);
    for (int i = 0; i < FF_BATCH_TABLES; i++) {
        size_t size;
        CHECK((numbers[i] = ff_batch_round_table(&tables[i], &size)) && size <= tables[i].count * tables[i].size);
    }
    rounded.nodes = numbers[0], rounded.dofs = numbers[1], rounded.servos = numbers[2], rounded.actuators = numbers[3];
    rounded.points = numbers[4], rounded.planes = numbers[5], rounded.contacts = numbers[6], rounded.more = numbers[7];
    march_beside(&how, m, single, &rounded, single_steps, &worst_q, &worst_v);
    CHECK(worst_q > 1e-12); // it was in single precision
    CHECK_NEAR(worst_q, 0.0, 6e-5);
    CHECK_NEAR(worst_v, 0.0, 5e-3);
    for (int i = 0; i < FF_BATCH_TABLES; i++) free(numbers[i]);
    clear(&how, m, library);
}
#else
TEST(fused_operations_differ_by_rounding_over_ten_seconds)
{
    SKIP("the test has no compiler for this machine");
}
#endif
