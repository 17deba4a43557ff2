// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Newton's cradle: the first of five balls in a row comes with 1 m/s, contacts open and close within rounding of each
// other. Whatever the accuracy, methods that locate events come through, with momentum and energy kept and with the
// velocities of an integrator of the test's own.
#include "check.h"
#include "contact/motion.h"
#include "support/lab.h"

enum { BALLS = 5 };
static const double MASS = 0.5, RADIUS = 0.05, END = 0.1; // [kg], [m], [s]

/// Both surface layers are compressed by half of the overlap d: F = k (d / 2)^1.5. x: places, then speeds.
static void rate(void *context, double t, const double *x, double *dx)
{
    const double k = *(const double *)context;
    (void)t;
    for (int i = 0; i < BALLS; i++) {
        dx[i] = x[BALLS + i];
        dx[BALLS + i] = 0.0;
    }
    for (int i = 0; i + 1 < BALLS; i++) {
        const double half = RADIUS - 0.5 * (x[i + 1] - x[i]), force = half > 0.0 ? k * half * sqrt(half) : 0.0;
        dx[BALLS + i] -= force / MASS;
        dx[BALLS + i + 1] += force / MASS;
    }
}

/// Overlaps of the pairs: steps end where one changes its sign.
static void overlaps(void *context, double t, const double *x, double *values)
{
    (void)context, (void)t;
    for (int i = 0; i + 1 < BALLS; i++) values[i] = 2.0 * RADIUS - (x[i + 1] - x[i]);
}

static void place(double gap, double x[BALLS])
{
    for (int i = 0; i < BALLS; i++) x[i] = 2.0 * RADIUS * i - (i == 0 ? gap : 0.0);
}

static void reference(double k, double gap, double v[BALLS])
{
    motion m = {.n = 2 * BALLS, .events = BALLS - 1, .tolerance = 1e-13, .context = &k};
    m.rate = rate;
    m.event = overlaps;
    m.longest = 1e-2 * pow(MASS / k, 0.4); // of the duration of an impact at 1 m/s, about 3 (m/k)^(2/5)
    place(gap, m.x);
    m.x[BALLS] = 1.0;
    if (gap > 0.0) { // up to the first touch nothing happens
        m.t = gap;
        m.x[0] = 0.0;
    }
    // The impact has passed through the row, and the balls that separate keep their speeds.
    for (const double end = m.t + 100.0 * pow(MASS / k, 0.4); m.t < end && m.t < END;) motion_step(&m, fmin(end, END));
    memcpy(v, m.x + BALLS, BALLS * sizeof *v);
}

static void check_row(ff_method method, double accuracy, double k, double gap, const double expected[BALLS])
{
    lab x = lab_open(method);
    x.options.relative = x.options.absolute = accuracy;
    x.options.max_steps = 100000;
    lab_material(&x, "steel", k, 0.0, 0.0)->normal.exponent = 1.5;
    ff_vec3_set(x.spec->gravity, 0, 0, 0);
    double at[BALLS], momentum = 0.0, energy = 0.0;
    place(gap, at);
    for (int i = 0; i < BALLS; i++) {
        const char name[] = {(char)('a' + i), 0};
        lab_ball(&x, name, MASS, RADIUS, (double[]){at[i], 0, 0}, "steel");
    }
    lab_start(&x);
    ff_sim_set_v(x.sim, 0, 1.0);
    lab_run(&x, END);
    // Up to a thousand steps, each with an error of at most the accuracy.
    const double bound = 1e3 * accuracy + 1e-9;
    for (int i = 0; i < BALLS; i++) {
        const double v = lab_v(&x)[6 * i];
        momentum += v;
        energy += v * v;
        CHECK_NEAR(v, expected[i], bound);
        if (i > 0) CHECK(v > lab_v(&x)[6 * (i - 1)] - bound); // nothing is left that pushes
    }
    CHECK_NEAR(momentum, 1.0, 1e-12);
    CHECK_NEAR(energy, 1.0, bound);
    lab_close(&x);
}

TEST(a_blow_runs_through_a_row_of_balls_at_every_accuracy)
{
    const ff_method methods[] = {FF_METHOD_ADAPTIVE, FF_METHOD_CVODE, FF_METHOD_CVODE_ADAMS};
    const double stiffness[] = {1e8, 1e9, 1e10}, gaps[] = {0.0, 0.05};
    for (int s = 0; s < 3; s++)
        for (int g = 0; g < 2; g++) {
            double expected[BALLS];
            reference(stiffness[s], gaps[g], expected);
            for (int m = 0; m < 3; m++)
                // Each accuracy is tested with one of the gaps.
                for (int digits = 4 + g; digits <= 12 && ff_method_built(methods[m]); digits += CHECK_LASTS(2, 4))
                    check_row(methods[m], pow(10.0, -digits), stiffness[s], gaps[g], expected);
        }
}
