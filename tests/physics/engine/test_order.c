// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Measured order of convergence of every integrator: the error over a fixed time must fall as h^p. Adaptive is held at
// steps of equal length (largest step h, tolerances out of reach) to show the order 5 of its solution.
#include <math.h>

#include "check.h"
#include "support/robots.h"

enum { POINTS = 4 };

static const struct {
    ff_method method;
    double nominal;
    double steps[2]; // longest step on the pendulum and on the robot, in the range where h^p is above rounding  [s]
} METHODS[] = {
    {FF_METHOD_EULER, 1.0, {1.0 / 256, 1.0 / 1024}}, {FF_METHOD_RK2, 2.0, {1.0 / 64, 1.0 / 256}},
    {FF_METHOD_RK4, 4.0, {1.0 / 32, 1.0 / 128}},     {FF_METHOD_IMPLICIT, 2.0, {1.0 / 64, 1.0 / 512}},
    {FF_METHOD_ADAPTIVE, 5.0, {1.0 / 32, 1.0 / 64}},
};

static ff_sim_options options_for(ff_method method, double h)
{
    ff_sim_options o = robot_options(method, h, 0.0);
    if (method == FF_METHOD_ADAPTIVE) {
        o.absolute = 1e6;
        o.relative = 0.5;
        o.first_step = o.max_step = h;
    }
    return o;
}

static void start(const ff_model *m, ff_sim *sim)
{
    if (m->nv > 1) {
        robot_tumble(m, sim, 3.0);
        return;
    }
    ff_sim_set_q(sim, 0, 2.0);
    ff_sim_set_v(sim, 0, 0.5);
}

/// State after one second of free motion.
static void run(const ff_model *m, ff_sim_options o, double *q, double *v)
{
    ff_error err = {0};
    ff_sim *sim = robot_sim(m, o);
    start(m, sim);
    const ff_status status = ff_sim_run(sim, 1.0, &err);
    if (status) CHECK_FAIL("%s", err.text);
    memcpy(q, ff_sim_q(sim), (size_t)m->nq * sizeof(double));
    memcpy(v, ff_sim_v(sim), (size_t)m->nv * sizeof(double));
    ff_sim_destroy(sim);
}

static double distance(const ff_model *m, const double *q1, const double *v1, const double *q2, const double *v2)
{
    double dq[64], sum = 0.0;
    ff_dyn_difference(m, q1, q2, dq);
    for (int i = 0; i < m->nv; i++) sum += dq[i] * dq[i] + (v1[i] - v2[i]) * (v1[i] - v2[i]);
    return sqrt(sum);
}

/// Slope of log(error) over log(step) between the two shortest steps; the table shows all of them.
static void check_orders(const ff_model *m, int machine)
{
    double q_ref[64], v_ref[64], q[64], v[64];
    run(m, robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-14), q_ref, v_ref);
    printf("  %-10s %8s %12s %7s\n", "method", "step", "error", "order");
    for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++) {
        double before = 0.0, order = 0.0, h = METHODS[k].steps[machine];
        for (int i = 0; i < POINTS; i++, h *= 0.5) {
            run(m, options_for(METHODS[k].method, h), q, v);
            const double error = distance(m, q, v, q_ref, v_ref);
            order = i > 0 ? log2(before / error) : 0.0;
            printf("  %-10s %8.5f %12.4e %7.3f\n", ff_method_name(METHODS[k].method), h, error, order);
            before = error;
        }
        CHECK_NEAR(order, METHODS[k].nominal, 0.15);
    }
}

TEST(order_holds_on_a_pendulum)
{
    ff_model *m = robot_pendulum(1.0, 0.7, 0.01);
    check_orders(m, 0);
    ff_model_destroy(m);
}

// A turning base with quaternion and sixteen joints: exponential maps of averaged velocities would show order 2 here.
TEST(order_holds_on_a_floating_tumbling_robot)
{
    ff_model *m = robot_walker(4, true);
    check_orders(m, 1);
    ff_model_destroy(m);
}

static void oscillate(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    (void)context, (void)m, (void)d;
    zdot[0] = z[1];
    zdot[1] = -z[0] + cos(2.0 * t); // explicit time, so that wrong stage times show
}

// Without a model the state is that of the parts: z'' = -z + cos 2t, z(0) = 1, z'(0) = 0 has z = (4 cos t - cos 2t) /
// 3.
TEST(order_holds_on_a_plain_forced_oscillator)
{
    const ff_part part = {.name = "oscillator", .nstate = 2, .derivative = oscillate};
    for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++) {
        double before = 0.0, order = 0.0, h = 1.0 / 8;
        for (int i = 0; i < POINTS; i++, h *= 0.5) {
            ff_sim *sim = robot_sim(NULL, options_for(METHODS[k].method, h));
            const int p = ff_sim_add_part(sim, &part, NULL);
            ff_sim_set_part_state(sim, p, 0, 1.0);
            CHECK_INT(ff_sim_run(sim, 2.0, NULL), FF_OK);
            const double *z = ff_sim_part_state(sim, p);
            const double error =
                hypot(z[0] - (4.0 * cos(2.0) - cos(4.0)) / 3.0, z[1] - (-4.0 * sin(2.0) + 2.0 * sin(4.0)) / 3.0);
            order = i > 0 ? log2(before / error) : 0.0;
            before = error;
            ff_sim_destroy(sim);
        }
        printf("  %-10s %7.3f\n", ff_method_name(METHODS[k].method), order);
        CHECK_NEAR(order, METHODS[k].nominal, 0.15);
    }
}

// The error of adaptive and cvode is within a factor of the tolerance, and falls with it.
TEST(error_follows_the_tolerance)
{
    const ff_method methods[] = {FF_METHOD_ADAPTIVE, FF_METHOD_CVODE, FF_METHOD_CVODE_ADAMS};
    ff_model *m = robot_walker(2, true);
    double q_ref[64], v_ref[64], q[64], v[64];
    run(m, robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-14), q_ref, v_ref);
    for (int k = 0; k < 3; k++) {
        if (!ff_method_built(methods[k])) continue;
        for (double tolerance = 1e-4; tolerance > 1e-11; tolerance *= 1e-2) {
            run(m, robot_options(methods[k], 0.0, tolerance), q, v);
            const double error = distance(m, q, v, q_ref, v_ref);
            printf("  %-12s tolerance %.0e error %.2e\n", ff_method_name(methods[k]), tolerance, error);
            // Errors of single steps add up over the run, more so for the multistep methods: up to some hundred
            // tolerances.
            CHECK_BELOW(error, 2000.0 * tolerance);
        }
    }
    ff_model_destroy(m);
}

// A missing row would end the list of names, and hide all later rows.
TEST(every_method_has_a_row)
{
    for (int i = 0; i < (int)FF_METHOD_COUNT; i++) {
        const char *name = ff_method_name((ff_method)i), *description = ff_method_description((ff_method)i);
        CHECK(name != NULL && name[0] != 0);
        CHECK(description != NULL && description[0] != 0);
    }
}
