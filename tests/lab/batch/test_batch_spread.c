// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Distributions of what differs from robot to robot: moments and shares beside their closed forms. A bound is five
// standard deviations of the estimate, which a right distribution passes once in two million.
#include "check.h"
#include "one_body.h"

#include <footfall/footfall.h>

enum { COUNT = 4000 };

/// Draws of a row, read as heights of the start.
static void draw(const ff_batch_model *model, ff_batch_spread row, double out[COUNT])
{
    row.quantity = FF_BATCH_START_HEIGHT;
    ff_error err = {0};
    ff_batch *b =
        ff_batch_create(model, &(ff_batch_options){.robots = COUNT, .seed = 8, .spreads = &row, .nspread = 1}, &err);
    if (!b) CHECK_FAIL("%s", err.text);
    for (int i = 0; i < COUNT; i++) {
        double q[7];
        ff_batch_get_state(b, i, q, NULL, NULL);
        out[i] = q[2];
    }
    ff_batch_destroy(b);
}

/// Mean and variance beside those that are expected; `kurtosis`: fourth central moment over the square of the variance,
/// which the variance of an estimated variance follows from.
static void check_moments(const double x[COUNT], double mean, double variance, double kurtosis)
{
    double m = 0.0, v = 0.0;
    for (int i = 0; i < COUNT; i++) m += x[i] / COUNT;
    for (int i = 0; i < COUNT; i++) v += (x[i] - mean) * (x[i] - mean) / COUNT;
    CHECK_NEAR(m, mean, 5.0 * sqrt(variance / COUNT));
    CHECK_NEAR(v, variance, 5.0 * variance * sqrt((kurtosis - 1.0) / COUNT));
}

static void check_share(int hits, double share)
{
    CHECK_NEAR((double)hits / COUNT, share, 5.0 * sqrt(share * (1.0 - share) / COUNT));
}

TEST(normal_draws_have_their_mean_and_deviation)
{
    static double x[COUNT];
    ff_batch_model *model = one_body("free", FF_JOINT_FREE);
    draw(model, (ff_batch_spread){.kind = FF_BATCH_NORMAL, .mean = -1.0, .deviation = 0.2}, x);
    check_moments(x, -1.0, 0.04, 3.0);
    int one = 0, two = 0;
    for (int i = 0; i < COUNT; i++) one += fabs(x[i] + 1.0)<0.2, two += x[i]> - 1.0 + 0.4;
    check_share(one, erf(1.0 / sqrt(2.0)));
    check_share(two, 0.5 * erfc(2.0 / sqrt(2.0)));
    ff_batch_model_destroy(model);
}

// Between mean - a and mean + a, s the deviation, t = a/s: the variance is s^2 (1 - 2 t phi(t) / (2 Phi(t) - 1)).
TEST(normal_draws_stay_within_their_bounds)
{
    static double x[COUNT];
    ff_batch_model *model = one_body("free", FF_JOINT_FREE);
    draw(model, (ff_batch_spread){.kind = FF_BATCH_NORMAL, .mean = 1.0, .deviation = 0.2, .low = 0.8, .high = 1.2}, x);
    const double phi = exp(-0.5) / sqrt(2.0 * FF_PI);
    check_moments(x, 1.0, 0.04 * (1.0 - 2.0 * phi / erf(1.0 / sqrt(2.0))), 2.0); // flatter than the normal one
    int inner = 0;
    for (int i = 0; i < COUNT; i++) {
        CHECK(x[i] >= 0.8 && x[i] <= 1.2);
        inner += fabs(x[i] - 1.0) < 0.1;
    }
    check_share(inner, erf(0.5 / sqrt(2.0)) / erf(1.0 / sqrt(2.0))); // clamping would pile up at the bounds
    ff_batch_model_destroy(model);
}

// The logarithm is uniform between log(1/4) and log(4): mean 0, variance log(16)^2 / 12, kurtosis 9/5.
TEST(logarithms_of_log_uniform_draws_are_uniform)
{
    static double x[COUNT];
    ff_batch_model *model = one_body("free", FF_JOINT_FREE);
    draw(model, (ff_batch_spread){.kind = FF_BATCH_LOG_UNIFORM, .low = 0.25, .high = 4.0}, x);
    int half = 0;
    for (int i = 0; i < COUNT; i++) {
        CHECK(x[i] >= 0.25 && x[i] <= 4.0);
        half += x[i] < 0.5;
        x[i] = log(x[i]);
    }
    check_moments(x, 0.0, log(16.0) * log(16.0) / 12.0, 1.8);
    check_share(half, 0.25);
    ff_batch_model_destroy(model);
}

TEST(each_value_of_a_choice_is_as_likely_as_the_others)
{
    static double x[COUNT];
    double values[3] = {-2.0, 0.5, 7.0};
    int hits[3] = {0};
    ff_batch_model *model = one_body("free", FF_JOINT_FREE);
    draw(model, (ff_batch_spread){.kind = FF_BATCH_CHOICE, .values = values, .nvalue = 3}, x);
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 3; k++) hits[k] += x[i] == values[k];
    CHECK_INT(hits[0] + hits[1] + hits[2], COUNT);
    for (int k = 0; k < 3; k++) check_share(hits[k], 1.0 / 3.0);
    ff_batch_model_destroy(model);
}

TEST(values_of_a_choice_are_copied_and_drawn_again_by_a_reset)
{
    double values[2] = {3.0, 4.0}, q[7];
    const ff_batch_spread row = {
        .quantity = FF_BATCH_START_HEIGHT, .kind = FF_BATCH_CHOICE, .values = values, .nvalue = 2};
    ff_batch_model *model = one_body("free", FF_JOINT_FREE);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 1, .spreads = &row, .nspread = 1}, NULL);
    values[0] = values[1] = NAN;
    int threes = 0;
    for (int i = 0; i < 40; i++) {
        CHECK_INT(ff_batch_reset(b, 0, NULL), FF_OK);
        ff_batch_get_state(b, 0, q, NULL, NULL);
        CHECK(q[2] == 3.0 || q[2] == 4.0);
        threes += q[2] == 3.0;
    }
    CHECK(threes > 0 && threes < 40); // else once in 10^12
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

TEST(rows_that_cannot_be_drawn_from_are_named)
{
    static const double good[2] = {1.0, 2.0}, bad[2] = {1.0, NAN}, low[2] = {0.0, 2.0};
    const struct {
        ff_batch_spread row;
        const char *says;
    } rows[] = {
        {{.quantity = FF_BATCH_MASS, .kind = FF_BATCH_NORMAL, .mean = 1.0, .deviation = 0.1}, "needs bounds"},
        {{.quantity = FF_BATCH_START_HEIGHT, .kind = FF_BATCH_NORMAL, .deviation = -0.1}, "the deviation 0 or more"},
        {{.kind = FF_BATCH_NORMAL, .mean = 3.0, .deviation = 0.1, .low = 1.0, .high = 2.0}, "between the bounds"},
        {{.kind = FF_BATCH_NORMAL, .mean = 1.0, .deviation = 0.1, .low = 1.0, .high = 1.05}, "a deviation apart"},
        {{.quantity = FF_BATCH_MASS, .kind = FF_BATCH_NORMAL, .mean = 1.0, .deviation = 1.0, .low = -1.0, .high = 2.0},
         "cannot be negative"},
        {{.quantity = FF_BATCH_MASS, .kind = FF_BATCH_LOG_UNIFORM, .low = 0.0, .high = 1.0}, "must be above zero"},
        {{.quantity = FF_BATCH_MASS, .kind = FF_BATCH_CHOICE}, "one value or more"},
        {{.quantity = FF_BATCH_MASS, .kind = FF_BATCH_CHOICE, .values = bad, .nvalue = 2}, "must be finite"},
        {{.quantity = FF_BATCH_MASS, .kind = FF_BATCH_CHOICE, .values = low, .nvalue = 2}, "must be above zero"},
        {{.quantity = FF_BATCH_DELAY}, "there are no servos"},
        {{.quantity = FF_BATCH_MASS, .kind = FF_BATCH_DISTRIBUTIONS, .values = good}, "no such distribution"}};
    ff_batch_model *model = one_body("free", FF_JOINT_FREE);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ff_error err = {0};
        CHECK(!ff_batch_create(model, &(ff_batch_options){.robots = 1, .spreads = &rows[i].row, .nspread = 1}, &err));
        CHECK_INT(err.status, FF_BAD_ARGUMENT);
        CHECK_SAYS(err.text, rows[i].says);
    }
    ff_batch_model_destroy(model);
}

TEST(a_quantity_that_is_spread_twice_is_refused)
{
    const ff_batch_spread rows[] = {{.quantity = FF_BATCH_FRICTION, .low = 0.5, .high = 1.0},
                                    {.quantity = FF_BATCH_MASS, .low = 0.9, .high = 1.1},
                                    {.quantity = FF_BATCH_FRICTION, .low = 1.0, .high = 2.0}};
    ff_batch_model *model = one_body("free", FF_JOINT_FREE);
    ff_error err = {0};
    CHECK(!ff_batch_create(model, &(ff_batch_options){.robots = 1, .spreads = rows, .nspread = 3}, &err));
    CHECK_INT(err.status, FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "friction is spread twice");
    ff_batch_model_destroy(model);
}
