// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Batches on height fields: the same contacts as in a simulation by euler, on hills, in valleys and beyond the border,
// bit-identical results for any number of lanes and threads, and ground that a batch cannot do refused by name.
#include "check.h"
#include "support/message.h"

#include <footfall/footfall.h>

static const double STEP = 2e-4;

// ------------------------------------------------------------------------------------------ grounds

static double hills(void *context, double x, double y)
{
    (void)context;
    return 0.04 * ff_sin(4.0 * x) * ff_cos(3.0 * y) + 0.008 * ff_sin(11.0 * x + 7.0 * y);
}

/// Curved upwards everywhere, its cells are flat: corners alone can touch it.
static double bowl(void *context, double x, double y)
{
    (void)context;
    return 0.1 * x * x + 0.15 * y * y;
}

static double level(void *context, double x, double y)
{
    (void)context, (void)x, (void)y;
    return 0.0;
}

static double slope(void *context, double x, double y)
{
    (void)context, (void)y;
    return 0.5 * x;
}

static double wedge(void *context, double x, double y)
{
    (void)context, (void)y;
    return x > 0.0 ? 0.5 * x : -0.5 * x;
}

typedef double height_of(void *context, double x, double y);

typedef struct pair_of {
    ff_spec *spec;
    ff_model *model;
    ff_field *field;
    ff_world *world;
    ff_sim *sim;
    ff_batch_model *batch;
    ff_report report;
} pair_of;

/// A body of one shape on a field that is turned and moved, simulated and as a batch. `batch` may be NULL.
static void pair_create_on(pair_of *p, ff_shape_type type, double size, height_of *height, void *context, int cells,
                           const double q[7], const double v[6])
{
    const double half[2] = {2.0, 2.0};
    ff_pose pose;
    *p = (pair_of){.spec = ff_spec_create(NULL)};
    ff_spec *spec = p->spec;
    ff_material *m = &ff_spec_add_material(spec, "skin", NULL)->material;
    *m = ff_material_default();
    snprintf(m->name, sizeof m->name, "skin");
    m->normal.stiffness = 2e4;
    ff_spec_body *body = ff_spec_add_body(spec, "body", -1);
    body->has_inertial = true;
    body->mass = 0.5;
    body->inertia[0] = 4e-4, body->inertia[1] = 5e-4, body->inertia[2] = 6e-4;
    ff_spec_add_joint(spec, "free", 0, FF_JOINT_FREE);
    ff_spec_geom *geom = ff_spec_add_geom(spec, "shape", 0, type);
    ff_vec3_set(geom->size, size, 1.5 * size, 0.6 * size);
    geom->material = m->name;
    p->model = ff_model_compile(spec, NULL, &p->report);
    if (!p->model) CHECK_FAIL("%s", message_of(&p->report, 0));
    p->field = ff_field_create_from(height, context, cells + 1, cells + 1, half, NULL);
    p->world = ff_world_create(p->model, NULL, &p->report);
    CHECK(p->field && p->world);
    const double z[3] = {0, 0, 1};
    double turn[4];
    ff_quat_from_axis_angle(turn, z, 0.3);
    ff_quat_to_mat3(pose.R, turn);
    ff_vec3_set(pose.p, 0.1, -0.05, 0.02);
    const ff_collider collider = {.type = FF_COLLIDER_FIELD, .field = p->field};
    CHECK(ff_world_add_ground(p->world, "field", &collider, &pose, "skin", NULL) >= 0);
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_EULER;
    o.step = STEP;
    p->sim = ff_sim_create(p->model, &o, NULL);
    CHECK_INT(ff_sim_add_world(p->sim, p->world, NULL), FF_OK);
    ff_sim_set_state(p->sim, q, v);
    p->batch = ff_batch_compile(p->sim, NULL, 0, &p->report);
}

static void pair_create(pair_of *p, ff_shape_type type, double size, height_of *height, int cells, const double q[7],
                        const double v[6])
{
    pair_create_on(p, type, size, height, NULL, cells, q, v);
}

static void pair_destroy(pair_of *p)
{
    ff_batch_model_destroy(p->batch);
    ff_sim_destroy(p->sim);
    ff_world_destroy(p->world);
    ff_field_destroy(p->field);
    ff_model_destroy(p->model);
    ff_spec_destroy(p->spec);
    ff_report_clear(&p->report);
}

/// Farthest that simulation and batch are apart over so many steps, positions and velocities. `touched` counts the
/// steps in which the first point was in touch.
static double apart_after(pair_of *p, int steps, int *touched)
{
    ff_error err = {0};
    ff_batch *b = ff_batch_create(p->batch, &(ff_batch_options){.robots = 3, .threads = 1}, &err);
    double q[7], v[6], apart = 0.0;
    if (!b) CHECK_FAIL("%s", err.text);
    *touched = 0;
    for (int k = 1; k <= steps; k++) {
        ff_batch_contact_state c;
        if (ff_sim_run(p->sim, k * STEP, &err)) CHECK_FAIL("step %d: %s", k, err.text);
        CHECK_INT(ff_batch_step(b, 1, NULL), FF_OK);
        ff_batch_get_state(b, 1, q, v, NULL);
        for (int i = 0; i < 7; i++) apart = ff_max(apart, fabs(q[i] - ff_sim_q(p->sim)[i]));
        for (int i = 0; i < 6; i++) apart = ff_max(apart, fabs(v[i] - ff_sim_v(p->sim)[i]) / (1.0 + fabs(v[i])));
        ff_batch_get_contact(b, 1, 0, &c, NULL);
        *touched += c.mode != 0;
    }
    CHECK_INT(ff_batch_count(b, FF_BATCH_LIVES), 3);
    ff_batch_destroy(b);
    return apart;
}

// ------------------------------------------------------------------------------------------ agreement

// Balls thrown over hills bounce, roll, slide and turn through valleys and over ridges, small and large against the
// cells of 40 mm. Sums of rounding, which bounces make a thousand times as large.
TEST(balls_move_over_hills_as_in_a_simulation)
{
    double worst = 0.0;
    int touched, all = 0;
    for (int k = 0; k < 8; k += CHECK_LASTS(1, 3)) { // balls of both sizes
        ff_random random = ff_random_make(22, (uint64_t)k);
        const double q[7] = {ff_random_range(&random, -0.6, 0.6), ff_random_range(&random, -0.6, 0.6), 0.2, 1, 0, 0, 0};
        double v[6];
        for (int i = 0; i < 6; i++) v[i] = ff_random_range(&random, -0.4, 0.4);
        pair_of p;
        pair_create(&p, FF_SHAPE_SPHERE, k % 2 ? 0.02 : 0.05, hills, 50, q, v);
        if (!p.batch) CHECK_FAIL("%s", message_of(&p.report, 0));
        const double apart = apart_after(&p, CHECK_LASTS(4000, 1500), &touched);
        if (!(apart < 1e-9)) printf("  ball %d: %.1e apart\n", k, apart);
        worst = ff_max(worst, apart);
        all += touched;
        pair_destroy(&p);
    }
    printf("  farthest apart: %.1e, %d steps in touch\n", worst, all);
    CHECK(all > 1000);
    CHECK_NEAR(worst, 0.0, 1e-9);
}

/// Gentle random bumps: peaks, ridges and pits of every kind under a ball of a few cells.
static double bumps(void *context, double x, double y)
{
    (void)x, (void)y;
    return ff_random_range(context, 0.0, 0.008);
}

// One step from random states, balls from far smaller than the cells of 50 mm to ten times as large, also such that
// have sunk in to beyond their middle: faces, edges and grid points, alone and together.
TEST(balls_at_random_places_feel_the_ground_of_a_simulation)
{
    static const double radius[] = {0.01, 0.06, 0.5};
    for (int k = 0; k < 3; k++) {
        ff_random random = ff_random_make(7, (uint64_t)k), ground = ff_random_make(8, (uint64_t)k);
        const double start[7] = {0, 0, 1, 1, 0, 0, 0};
        const ff_field *field;
        pair_of p;
        int touched = 0;
        double worst = 0.0;
        pair_create_on(&p, FF_SHAPE_SPHERE, radius[k], bumps, &ground, 40, start, NULL);
        if (!p.batch) CHECK_FAIL("%s", message_of(&p.report, 0));
        field = p.field;
        ff_batch *b = ff_batch_create(p.batch, &(ff_batch_options){.robots = 1, .threads = 1}, NULL);
        for (int i = 0; i < CHECK_LASTS(400, 200); i++) {
            const double x = ff_random_range(&random, -0.9, 0.9), y = ff_random_range(&random, -0.9, 0.9);
            const double c = ff_cos(0.3), s = ff_sin(0.3), deep = i % 5 == 4 ? radius[k] : 0.0;
            const double z = ff_field_height(field, x, y) + radius[k] - ff_random_range(&random, -0.004, 0.004) - deep;
            const double q[7] = {0.1 + c * x - s * y, -0.05 + s * x + c * y, 0.02 + z, 1, 0, 0, 0};
            double v[6], w[6];
            ff_batch_contact_state state;
            for (int m = 0; m < 6; m++) v[m] = ff_random_range(&random, -0.2, 0.2);
            ff_sim_set_state(p.sim, start, NULL); // high above, where contacts forget
            CHECK_INT(ff_sim_run(p.sim, ff_sim_time(p.sim) + STEP, NULL), FF_OK);
            ff_sim_set_state(p.sim, q, v);
            ff_batch_set_state(b, 0, q, v, NULL);
            CHECK_INT(ff_sim_run(p.sim, ff_sim_time(p.sim) + STEP, NULL), FF_OK);
            ff_batch_step(b, 1, NULL);
            ff_batch_get_state(b, 0, NULL, w, NULL);
            ff_batch_get_contact(b, 0, 0, &state, NULL);
            touched += state.mode != 0;
            for (int m = 0; m < 6; m++) // forces of balls that have sunk in are a thousand times their weight
                worst = ff_max(worst, fabs(w[m] - ff_sim_v(p.sim)[m]) / (1.0 + fabs(w[m] - v[m])));
        }
        printf("  radius %g m: %.1e apart, %d in touch\n", radius[k], worst, touched);
        CHECK(touched > 100);
        CHECK_NEAR(worst, 0.0, 1e-10);
        ff_batch_destroy(b);
        pair_destroy(&p);
    }
}

// Boxes and capsules touch a bowl and a level floor with their corners alone, in a simulation as well.
TEST(boxes_and_capsules_stand_in_a_bowl_as_in_a_simulation)
{
    static const ff_shape_type types[] = {FF_SHAPE_BOX, FF_SHAPE_CAPSULE};
    for (int k = 0; k < 4; k++) {
        const double q[7] = {0.2, -0.1, 0.15, 0.9, 0.3, 0.1, 0.2}, v[6] = {0.3, 0.1, 0.0, 0.5, -0.4, 0.2};
        pair_of p;
        int touched;
        pair_create(&p, types[k % 2], 0.06, k < 2 ? level : bowl, 2, q, v);
        if (!p.batch) CHECK_FAIL("%s", message_of(&p.report, 0));
        const double apart = apart_after(&p, CHECK_LASTS(4000, 800), &touched);
        printf("  %s %s: %.1e apart\n", k % 2 ? "capsule" : "box", k < 2 ? "on a level field" : "in a bowl", apart);
        CHECK_NEAR(apart, 0.0, 1e-9);
        pair_destroy(&p);
    }
}

// Beyond the border there is no ground: a ball that rolls over it falls, and turns about the border while it does.
TEST(a_ball_that_leaves_the_field_falls)
{
    const double q[7] = {0.98, 0.2, 0.08, 1, 0, 0, 0}, v[6] = {0.6, 0.2, 0, 0, 0, 0};
    pair_of p;
    int touched;
    pair_create(&p, FF_SHAPE_SPHERE, 0.05, level, 6, q, v);
    if (!p.batch) CHECK_FAIL("%s", message_of(&p.report, 0));
    const double apart = apart_after(&p, 3000, &touched);
    CHECK(touched > 0 && ff_sim_q(p.sim)[2] < -0.1);
    CHECK_NEAR(apart, 0.0, 1e-9);
    pair_destroy(&p);
}

// ------------------------------------------------------------------------------------------ bits

enum { MANY = 21 }; // no multiple of any number of lanes

static uint64_t hash_after(const ff_batch_model *model, int lanes, int threads)
{
    const ff_batch_spread table[] = {{.quantity = FF_BATCH_START_X, .low = -0.6, .high = 0.6},
                                     {.quantity = FF_BATCH_START_Y, .low = -0.6, .high = 0.6}};
    const ff_batch_options o = {.robots = MANY,
                                .lanes = lanes,
                                .threads = threads,
                                .seed = 5,
                                .spreads = table,
                                .nspread = 2,
                                .least_height = 0.01};
    ff_batch *b = ff_batch_create(model, &o, NULL);
    CHECK(b);
    const int steps = CHECK_LASTS(2000, 200);
    for (int i = 3; i < MANY; i += 7) { // these are beyond the field, and fall
        double q[7];
        ff_batch_get_state(b, i, q, NULL, NULL);
        q[0] = 1.3;
        ff_batch_set_state(b, i, q, NULL, NULL);
    }
    CHECK_INT(ff_batch_step(b, steps, NULL), FF_OK);
    CHECK(ff_batch_count(b, FF_BATCH_LIVES) > 0);
    CHECK(steps < 2000 || ff_batch_count(b, FF_BATCH_FELL) > 0);
    const uint64_t hash = ff_batch_hash(b);
    ff_batch_destroy(b);
    return hash;
}

TEST(any_number_of_lanes_and_threads_gives_the_bits_of_one)
{
    const double q[7] = {0, 0, 0.2, 0.9, 0.3, 0.1, 0.2}, v[6] = {0.3, 0, 0, 2.0, 0, 0};
    static const ff_shape_type types[] = {FF_SHAPE_SPHERE, FF_SHAPE_BOX};
    for (int k = 0; k < 2; k++) {
        pair_of p;
        pair_create(&p, types[k], 0.05, hills, 50, q, v);
        CHECK(p.batch);
        const uint64_t one = hash_after(p.batch, 1, 1);
        for (int i = 0, lanes; (lanes = ff_batch_lanes_there(i)) > 0; i++)
            for (int threads = 1; threads <= 2; threads++)
                if (hash_after(p.batch, lanes, threads) != one) CHECK_FAIL("%d lanes, %d threads", lanes, threads);
        pair_destroy(&p);
    }
}

// ------------------------------------------------------------------------------------------ other places

// Nothing carries a robot beyond the border: who starts robots gets an error, not the result of a fall.
TEST(starts_beyond_the_field_are_refused_by_name)
{
    const double q[7] = {0.3, 0, 0.2, 1, 0, 0, 0}, v[6] = {0};
    const double places[] = {0.0, -1.4};
    const ff_batch_spread wrong[] = {
        {.quantity = FF_BATCH_START_X, .low = -0.5, .high = 1.2},
        {.quantity = FF_BATCH_START_Y, .kind = FF_BATCH_NORMAL, .deviation = 0.3},
        {.quantity = FF_BATCH_START_X, .kind = FF_BATCH_CHOICE, .values = places, .nvalue = 2}};
    const ff_batch_spread fine = {.quantity = FF_BATCH_START_X, .low = -1.0, .high = 0.8};
    pair_of p;
    pair_create(&p, FF_SHAPE_SPHERE, 0.05, hills, 50, q, v);
    CHECK(p.batch);
    for (int i = 0; i < 3; i++) {
        ff_error err = {0};
        CHECK(!ff_batch_create(p.batch, &(ff_batch_options){.robots = 1, .spreads = &wrong[i], .nspread = 1}, &err));
        CHECK_SAYS(err.text, "beyond the height field: a root that starts at (0.3, 0) m would be at (");
    }
    ff_batch *b = ff_batch_create(p.batch, &(ff_batch_options){.robots = 1, .spreads = &fine, .nspread = 1}, NULL);
    CHECK(b);
    ff_batch_destroy(b);
    pair_destroy(&p);
}

// Balls of 0.1 m, 1.2 m apart on a slope: one is 0.3 m below the start, the other above, and both as high over the
// ground below them. The reward of one step is what is observed after it.
TEST(formulas_measure_heights_from_the_field_below)
{
    const double q[7] = {0.1, -0.05, 0.02 + 0.12, 1, 0, 0, 0}, places[] = {-0.6, 0.6};
    const ff_batch_spread table[] = {
        {.quantity = FF_BATCH_START_X, .kind = FF_BATCH_CHOICE, .values = places, .nvalue = 2}};
    const char *const seen[] = {"height", "ground"};
    pair_of p;
    pair_create(&p, FF_SHAPE_SPHERE, 0.1, slope, 8, q, NULL);
    CHECK(p.batch);
    ff_error err = {0};
    ff_batch *b = ff_batch_create(p.batch,
                                  &(ff_batch_options){.robots = 20,
                                                      .spreads = table,
                                                      .nspread = 1,
                                                      .end = "height < 0.05",
                                                      .reward = "height",
                                                      .observe = seen,
                                                      .nobserve = 2},
                                  &err);
    if (!b) CHECK_FAIL("%s", err.text);
    double lowest = 1.0, highest = -1.0, value[2];
    for (int i = 0; i < 20; i++) {
        CHECK_INT(ff_batch_observe(b, i, value, NULL), FF_OK);
        CHECK_NEAR(value[0], 0.12, 1e-12);
        lowest = ff_min(lowest, value[1]);
        highest = ff_max(highest, value[1]);
    }
    CHECK_NEAR(highest - lowest, 0.5 * 1.2 * ff_cos(0.3), 1e-12); // the field is turned by 0.3 rad
    ff_batch_step(b, 1, NULL);
    for (int i = 0; i < 20; i++) {
        ff_batch_observe(b, i, value, NULL);
        CHECK_NEAR(ff_batch_reward(b, i), value[0], 0.0);
    }
    ff_batch_step(b, 200, NULL);
    CHECK_INT(ff_batch_count(b, FF_BATCH_LIVES), 20);
    ff_batch_destroy(b);
    pair_destroy(&p);
}

/// A ball above hills, and places where others start.
static const ff_batch_spread ELSEWHERE[] = {{.quantity = FF_BATCH_START_X, .low = -0.6, .high = 0.6},
                                            {.quantity = FF_BATCH_START_Y, .low = -0.4, .high = 0.4}};

static void create_above_hills(pair_of *p)
{
    const double q[7] = {0.1, -0.05, 0.2, 1, 0, 0, 0};
    pair_create(p, FF_SHAPE_SPHERE, 0.02, hills, 50, q, NULL);
    CHECK(p->batch);
}

// A ball that starts elsewhere hangs as high over the ground as where it was compiled, and falls onto the ground there.
TEST(robots_start_at_other_places_of_the_field)
{
    pair_of p;
    create_above_hills(&p);
    ff_batch *b = ff_batch_create(
        p.batch, &(ff_batch_options){.robots = 30, .seed = 2, .spreads = ELSEWHERE, .nspread = 2}, NULL);
    double lowest = 1.0, highest = -1.0;
    for (int i = 0; i < 30; i++) {
        double at[7];
        ff_batch_get_state(b, i, at, NULL, NULL);
        const double dx = at[0] - 0.1, dy = at[1] + 0.05, c = ff_cos(0.3), s = ff_sin(0.3);
        const double ground = 0.02 + ff_field_height(p.field, c * dx + s * dy, c * dy - s * dx);
        CHECK_NEAR(at[2] - ground, 0.2 - 0.02 - ff_field_height(p.field, 0.0, 0.0), 1e-12);
        lowest = ff_min(lowest, at[2]);
        highest = ff_max(highest, at[2]);
    }
    CHECK(highest - lowest > 0.05);
    CHECK_NEAR(ff_batch_model_sizes(p.batch).height, 0.2 - 0.02 - ff_field_height(p.field, 0.0, 0.0), 1e-12);
    ff_batch_destroy(b);
    pair_destroy(&p);
}

// Robots that begin again on a device are lifted as by the processor.
TEST(robots_on_a_device_start_at_other_places_of_the_field)
{
    if (ff_batch_device_missing()) SKIP("%s", ff_batch_device_missing());
    pair_of p;
    create_above_hills(&p);
    uint64_t hashes[2];
    for (int device = 0; device < 2; device++) {
        const ff_batch_options options = {
            .robots = 40, .device = device, .seed = 2, .spreads = ELSEWHERE, .nspread = 2, .end = "height < 0.1"};
        ff_batch *b = ff_batch_create(p.batch, &options, NULL);
        CHECK(b);
        for (int round = 0; round < 3; round++)
            CHECK(ff_batch_step(b, 150, NULL) == FF_OK && ff_batch_renew(b, 400, NULL) == FF_OK);
        hashes[device] = ff_batch_hash(b);
        ff_batch_destroy(b);
    }
    CHECK(hashes[0] == hashes[1]);
    pair_destroy(&p);
}

// ------------------------------------------------------------------------------------------ refusals

TEST(ground_bent_too_sharply_is_refused_and_ridges_under_boxes_are_named)
{
    const double q[7] = {0, 0, 0.5, 1, 0, 0, 0};
    pair_of p;
    pair_create(&p, FF_SHAPE_SPHERE, 0.05, wedge, 40, q, NULL); // two sides of 26 degrees
    CHECK(!p.batch && p.report.errors == 1);
    CHECK_SAYS(message_of(&p.report, 0), "\"shape\" on \"field\": in a batch a ball of 0.05 m");
    pair_destroy(&p);
    pair_create(&p, FF_SHAPE_BOX, 0.05, wedge, 40, q,
                NULL); // a box stands on any ground, and here no ridge is left out
    CHECK(p.batch && p.report.count == 0);
    pair_destroy(&p);
    pair_create(&p, FF_SHAPE_BOX, 0.05, hills, 50, q, NULL);
    CHECK(p.batch && p.report.count == 1 && p.report.errors == 0);
    CHECK_SAYS(message_of(&p.report, 0), "with corners and ends alone");
    pair_destroy(&p);
    pair_create(&p, FF_SHAPE_CYLINDER, 0.05, level, 4, q, NULL);
    CHECK(!p.batch);
    CHECK_SAYS(message_of(&p.report, 0), "points on planes and height fields");
    pair_destroy(&p);
}
