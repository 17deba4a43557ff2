// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How far fused multiplications and additions (`fast`, which devices have) lead a robot away from the exact step: the
// kernel of one lane is compiled once more with them, on a processor that has them, and ANTON marches with both.
#include "check.h"
#include "march.h"
#include "support/folder.h"

#include <footfall/footfall.h>

#include "batch/kernel.h"

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

/// The kernel of one lane with fused operations. @return the library, to be closed
static void *compile_fast(const ff_batch_kernel **out)
{
    char library[600], command[2400];
    snprintf(library, sizeof library, "%s/fast.so", test_folder());
    snprintf(command, sizeof command,
             FF_TEST_COMPILER " -std=c17 -O2 -ffp-contract=fast -fno-math-errno -shared -fPIC" FUSING
                              " -I" FF_SOURCE_DIR "/src -I" FF_SOURCE_DIR "/include " FF_SOURCE_DIR
                              "/src/batch/lanes_1.c -o %s",
             library);
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

// Rounding of 1e-16 a step, which springs, dampers and friction take back: the bounds of a march beside a simulation
// (test_batch.c), which differ by rounding, too.
TEST(fused_operations_differ_by_rounding_over_ten_seconds)
{
    if (!fuses()) SKIP("this processor has no fused operations");
    static double x[2][4000], in[400];
    static const double still[64] = {0};
    march how;
    const ff_batch_kernel *fast;
    ff_batch_model *m = anton(&how);
    const ff_batch_rules rules = {.watched = 0};
    void *library = compile_fast(&fast), *scratch = aligned_alloc(FF_BATCH_ALIGNMENT, fast->scratch(m));
    CHECK(m->nrow <= 4000 && m->ninput <= 400 && scratch);
    for (int k = 0; k < 2; k++) memcpy(x[k], m->start, (size_t)m->nrow * sizeof(double));
    double worst_q = 0.0, worst_v = 0.0;
    const int steps = CHECK_LASTS(10000, 1000);
    for (int step = 0; step < steps; step += 10) {
        double tau[64] = {0};
        march marching = how; // what it asks for at rest in zero is kp times its targets
        marching.kd = 0.0;
        march_add_torque(&marching, 1e-3 * step, still, still, tau);
        for (int i = 0; i < m->nservo; i++) in[3 * i] = tau[how.model->joints[m->servo_joint[i]].vadr] / how.kp;
        ff_batch_kernel_1.run(m, &rules, x[0], in, scratch, 10);
        fast->run(m, &rules, x[1], in, scratch, 10);
        for (int i = 0; i < m->nq; i++) worst_q = ff_max(worst_q, fabs(x[0][i] - x[1][i]));
        for (int i = m->nq; i < m->nq + m->nv; i++) worst_v = ff_max(worst_v, fabs(x[0][i] - x[1][i]));
    }
    CHECK(x[0][m->robot + FF_ROBOT_AGE] == steps && x[1][m->robot + FF_ROBOT_AGE] == steps);
    printf("  farthest apart in %d steps: q %.1e, v %.1e\n", steps, worst_q, worst_v);
    CHECK(worst_q > 0.0); // operations were fused
    CHECK_NEAR(worst_q, 0.0, 1e-13);
    CHECK_NEAR(worst_v, 0.0, 1e-11);
    free(scratch);
    dlclose(library);
    ff_model *model = (ff_model *)how.model;
    march_destroy(&how);
    ff_model_destroy(model);
    ff_batch_model_destroy(m);
}
#else
TEST(fused_operations_differ_by_rounding_over_ten_seconds)
{
    SKIP("the test has no compiler for this machine");
}
#endif
