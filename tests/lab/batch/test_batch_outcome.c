// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Results of the robots of a batch, by closed forms: bodies that fly over a plane, and numbers whose quantiles are
// known.
#include "check.h"
#include "one_body.h"

#include <footfall/batch_outcome.h>
#include <footfall/footfall.h>

static const double G = 9.81, H = 1e-3; // [m/s^2], [s]

/// A body of 1 kg, or a wheel on a hinge.
static ff_batch_model *make_model(ff_joint_type type)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_body *body = ff_spec_add_body(spec, "body", -1);
    body->has_inertial = true;
    body->mass = 1.0;
    body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.01;
    ff_vec3_set(body->pos, 0.5, -0.25, 2.0);
    ff_spec_add_joint(spec, "joint", 0, type);
    return batch_of(spec, H);
}

/// Number of a column by its name.
static int column(const ff_batch_outcome *o, const char *name)
{
    for (int i = 0; i < o->ncolumn; i++)
        if (strcmp(o->columns[i].name, name) == 0) return i;
    CHECK_FAIL("there is no column %s", name);
    return -1;
}

static double median(const ff_batch_outcome *o, const char *name)
{
    return o->quantiles[column(o, name)].median;
}

// n steps of semi-implicit Euler: v_n = v - g h n, z_n = z + v h n - g h^2 n (n + 1) / 2.
TEST(a_body_that_flies_has_the_numbers_of_its_flight)
{
    ff_batch_model *model = make_model(FF_JOINT_FREE);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 1}, NULL);
    const double lean = 0.4, axis[3] = {0.6, 0.8, 0.0}, v[6] = {0.3, -0.4, 1.0, 0, 0, 0};
    double q[7] = {0.5, -0.25, 2.0};
    ff_quat_from_axis_angle(q + 3, axis, lean);
    ff_batch_set_state(b, 0, q, v, NULL);
    ff_batch_step(b, 200, NULL);
    ff_batch_outcome o;
    CHECK_INT(ff_batch_get_outcome(b, &o, NULL), FF_OK);
    const double fall = 1.0 - G * H * 200;
    CHECK_NEAR(median(&o, "ahead"), 0.06, 1e-12);
    CHECK_NEAR(median(&o, "aside"), -0.08, 1e-12);
    CHECK_NEAR(median(&o, "distance"), 0.1, 1e-12);
    CHECK_NEAR(median(&o, "root.z"), 2.0 + 0.2 - G * H * H * 200 * 201 / 2, 1e-12);
    CHECK_NEAR(median(&o, "tilt"), lean, 1e-12);
    CHECK_NEAR(median(&o, "speed"), sqrt(0.25 + fall * fall), 1e-12);
    CHECK_NEAR(median(&o, "mean_speed"), 0.5, 1e-12);
    CHECK_NEAR(median(&o, "lived"), 0.2, 1e-15);
    CHECK_NEAR(o.lived, 0.2, 1e-15);
    CHECK_INT(o.ended[FF_BATCH_LIVES], 1);
    CHECK(isnan(o.falls.median) && o.fall_rate == 0.0);
    CHECK_NEAR(o.quantiles[column(&o, "ahead")].deviation, 0.0, 0.0);
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

// Wherever a robot begins, by draws, again or by a state, its way is counted from there: v t.
TEST(the_way_of_a_robot_is_counted_from_where_it_began)
{
    const ff_batch_spread spreads[] = {{.quantity = FF_BATCH_START_X, .low = -50.0, .high = 50.0},
                                       {.quantity = FF_BATCH_START_Y, .low = 20.0, .high = 30.0}};
    ff_batch_model *model = make_model(FF_JOINT_FREE);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 20, .spreads = spreads, .nspread = 2}, NULL);
    const double v[6] = {0.3, -0.4, 0, 0, 0, 0}, q[7] = {7, 8, 2, 1, 0, 0, 0};
    ff_batch_outcome o;
    ff_batch_step(b, 100, NULL);
    CHECK_INT(ff_batch_get_outcome(b, &o, NULL), FF_OK);
    CHECK_NEAR(o.quantiles[column(&o, "distance")].most, 0.0, 0.0);
    for (int i = 0; i < 20; i++) {
        if (i % 2) ff_batch_reset(b, i, NULL);
        ff_batch_set_state(b, i, i == 3 ? q : NULL, v, NULL);
    }
    ff_batch_step(b, 100, NULL);
    CHECK_INT(ff_batch_get_outcome(b, &o, NULL), FF_OK);
    const ff_batch_quantiles *ahead = &o.quantiles[column(&o, "ahead")];
    CHECK_NEAR(ahead->least, 0.03, 1e-12);
    CHECK_NEAR(ahead->most, 0.03, 1e-12);
    CHECK_NEAR(median(&o, "aside"), -0.04, 1e-12);
    CHECK_NEAR(o.quantiles[column(&o, "mean_speed")].most, 0.5, 1e-11);
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

// 101 bodies 2 m and 0, 1, .. 100 mm high: the quantiles are those numbers; the deviation of 0, 1, .. n - 1 is
// sqrt(n (n + 1) / 12).
TEST(quantiles_of_even_numbers_are_known)
{
    enum { N = 101 };
    ff_batch_model *model = make_model(FF_JOINT_FREE);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = N}, NULL);
    for (int i = 0; i < N; i++) { // in another order: 37 and 101 have no divisor in common
        const double q[7] = {0.5, -0.25, 2.0 + 1e-3 * (37 * i % N), 1, 0, 0, 0};
        ff_batch_set_state(b, i, q, NULL, NULL);
    }
    ff_batch_outcome o;
    CHECK_INT(ff_batch_get_outcome(b, &o, NULL), FF_OK);
    const ff_batch_quantiles *height = &o.quantiles[column(&o, "root.z")];
    CHECK_NEAR(height->least, 2.0, 1e-15);
    CHECK_NEAR(height->low, 2.005, 1e-15);
    CHECK_NEAR(height->median, 2.05, 1e-15);
    CHECK_NEAR(height->high, 2.095, 1e-15);
    CHECK_NEAR(height->most, 2.1, 1e-15);
    CHECK_NEAR(height->mean, 2.05, 1e-13);
    CHECK_NEAR(height->deviation, 1e-3 * sqrt(N * (N + 1) / 12.0), 1e-13);
    CHECK_NEAR(median(&o, "mean_speed"), 0.0, 0.0); // nothing has lived yet
    ff_batch_destroy(b);
    b = ff_batch_create(model, &(ff_batch_options){.robots = 2}, NULL); // 5 % of two is the lesser, half the greater
    ff_batch_set_state(b, 0, (double[7]){0.5, -0.25, 2.1, 1, 0, 0, 0}, NULL, NULL);
    CHECK_INT(ff_batch_get_outcome(b, &o, NULL), FF_OK);
    height = &o.quantiles[column(&o, "root.z")];
    CHECK_NEAR(height->low, 2.0, 1e-15);
    CHECK_NEAR(height->median, 2.1, 1e-15);
    CHECK_NEAR(height->high, 2.1, 1e-15);
    CHECK_NEAR(height->mean, 2.05, 1e-15);
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

// Rewards sqrt(z - 2) of bodies at 1, 3, 6 and 11 m: none, 1, 2 and 3; a step falls by 10 um.
TEST(quantiles_leave_out_what_is_no_number)
{
    static const double z[] = {11.0, 1.0, 3.0, 1.0, 6.0};
    ff_batch_model *model = make_model(FF_JOINT_FREE);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 5, .reward = "sqrt(root.z - 2)"}, NULL);
    ff_batch_outcome o;
    for (int i = 0; i < 5; i++) ff_batch_set_state(b, i, (double[7]){0, 0, z[i], 1, 0, 0, 0}, NULL, NULL);
    ff_batch_step(b, 1, NULL);
    CHECK_INT(ff_batch_get_outcome(b, &o, NULL), FF_OK);
    const ff_batch_quantiles *reward = &o.quantiles[column(&o, "reward")];
    CHECK_NEAR(reward->least, 1.0, 1e-5);
    CHECK_NEAR(reward->median, 2.0, 1e-5);
    CHECK_NEAR(reward->most, 3.0, 1e-5);
    CHECK_NEAR(reward->mean, 2.0, 1e-5);
    CHECK_NEAR(reward->deviation, 1.0, 1e-5);
    for (int i = 0; i < 5; i++) ff_batch_set_state(b, i, (double[7]){0, 0, 1, 1, 0, 0, 0}, NULL, NULL);
    ff_batch_step(b, 1, NULL);
    CHECK_INT(ff_batch_get_outcome(b, &o, NULL), FF_OK);
    CHECK(isnan(reward->least) && isnan(reward->most) && isnan(reward->mean));
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

// Bodies 10, 40 and 90 mm above the limit fall below it at step n, the first with g h^2 n (n + 1) / 2 above that; the
// fourth is far above.
TEST(falls_have_their_times_and_their_rate)
{
    static const double above[] = {0.01, 0.04, 0.09, 10.0};
    ff_batch_model *model = make_model(FF_JOINT_FREE);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 4, .least_height = 1.0}, NULL);
    double times[3], lived = 0.2;
    for (int i = 0; i < 4; i++) {
        const double q[7] = {0, 0, 1.0 + above[i], 1, 0, 0, 0};
        int n = 0;
        while (i < 3 && G * H * H * n * (n + 1) / 2 <= above[i]) n++;
        if (i < 3) lived += times[i] = n * H;
        ff_batch_set_state(b, i, q, NULL, NULL);
    }
    ff_batch_step(b, 200, NULL);
    ff_batch_outcome o;
    CHECK_INT(ff_batch_get_outcome(b, &o, NULL), FF_OK);
    CHECK_INT(o.ended[FF_BATCH_FELL], 3);
    CHECK_INT(o.ended[FF_BATCH_LIVES], 1);
    CHECK_NEAR(o.falls.least, times[0], 1e-12);
    CHECK_NEAR(o.falls.median, times[1], 1e-12);
    CHECK_NEAR(o.falls.most, times[2], 1e-12);
    CHECK_NEAR(o.lived, lived, 1e-12);
    CHECK_NEAR(o.fall_rate, 3.0 / lived, 1e-9);
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

TEST(what_robots_draw_is_a_column_and_can_be_read)
{
    const ff_batch_spread spreads[] = {{.quantity = FF_BATCH_MASS, .low = 0.9, .high = 1.1},
                                       {.quantity = FF_BATCH_START_HEIGHT, .low = 0.0, .high = 0.1}};
    ff_batch_model *model = make_model(FF_JOINT_FREE);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 50, .spreads = spreads, .nspread = 2}, NULL);
    double values[FF_BATCH_COLUMNS_MOST], mass;
    ff_batch_outcome o;
    CHECK_INT(ff_batch_get_outcome(b, &o, NULL), FF_OK);
    CHECK_INT(o.ncolumn, 9); // seven of the root, lived, mass
    const int at = column(&o, "mass");
    CHECK(o.quantiles[at].least >= 0.9 && o.quantiles[at].most <= 1.1 && o.quantiles[at].deviation > 0.0);
    CHECK_INT(ff_batch_set_parameter(b, 7, FF_BATCH_MASS, 1.05, NULL), FF_OK);
    CHECK_INT(ff_batch_get_parameter(b, 7, FF_BATCH_MASS, &mass, NULL), FF_OK);
    CHECK_NEAR(mass, 1.05, 0.0);
    CHECK_INT(ff_batch_values(b, 7, values, NULL), FF_OK);
    CHECK_NEAR(values[at], 1.05, 0.0);
    CHECK_INT(ff_batch_get_parameter(b, 50, FF_BATCH_MASS, &mass, NULL), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_get_parameter(b, 0, FF_BATCH_START_HEIGHT, &mass, NULL), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_get_parameter(b, 0, FF_BATCH_MASS, NULL, NULL), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_values(b, -1, values, NULL), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_values(NULL, 0, values, NULL), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_get_outcome(NULL, &o, NULL), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_columns(NULL, o.columns), 0);
    CHECK(ff_batch_get_model(b) == model && ff_batch_get_options(b)->robots == 50);
    CHECK(!ff_batch_get_model(NULL) && !ff_batch_get_options(NULL));
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

TEST(a_robot_without_a_free_root_has_its_time_alone_and_does_not_fall)
{
    ff_batch_model *model = make_model(FF_JOINT_HINGE);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 2}, NULL);
    double height = NAN, tilt = NAN;
    ff_batch_outcome o;
    ff_batch_step(b, 10, NULL);
    CHECK_INT(ff_batch_get_outcome(b, &o, NULL), FF_OK);
    CHECK_INT(o.ncolumn, 1);
    CHECK_NEAR(median(&o, "lived"), 0.01, 1e-15);
    ff_batch_default_falls(model, &height, &tilt);
    CHECK(height == 0.0 && tilt == 0.0);
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
    model = make_model(FF_JOINT_FREE);
    ff_batch_default_falls(model, &height, &tilt);
    CHECK_NEAR(height, 1.0, 0.0); // half of 2 m
    CHECK_NEAR(tilt, 1.0, 0.0);
    ff_batch_model_destroy(model);
}
