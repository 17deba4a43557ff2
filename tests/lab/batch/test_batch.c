// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Batches of robots: the same motion as a simulation by euler, bit-identical results for any number of lanes and
// threads, and robots that do not feel each other.
#include "check.h"
#include "march.h"
#include "support/allocations.h"

#include <footfall/footfall.h>

static const char ANTON[] = FF_SOURCE_DIR "/robots/anton/anton.yaml";

static ff_sim_options options_of(double step)
{
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_EULER;
    o.step = step;
    return o;
}

// ------------------------------------------------------------------------------------------ ANTON marching

/// A march and a simulation at its start, without the law of the joints.
typedef struct scene {
    march how;
    ff_model *model;
    ff_world *world;
    ff_sim *sim;
    ff_batch_model *batch;
} scene;

static void scene_create(scene *s)
{
    const ff_sim_options o = options_of(1e-3);
    // no joint needs 100 N m; a limit shows that what is no number does not pass it in silence
    const ff_batch_servo servo = {.joint = -1, .stiffness = 60.0, .damping = 1.0, .most = 100.0};
    ff_report report = {0};
    *s = (scene){.model = march_load(ANTON)};
    CHECK(s->model && march_create(&s->how, s->model, 0.025));
    s->world = ff_world_create(s->model, NULL, NULL);
    s->sim = ff_sim_create(s->model, &o, NULL);
    CHECK_INT(ff_sim_add_world(s->sim, s->world, NULL), FF_OK);
    ff_sim_set_state(s->sim, s->how.stand, NULL);
    s->batch = ff_batch_compile(s->sim, &servo, 1, &report);
    if (!s->batch) CHECK_FAIL("%s", report.messages[0].text);
    ff_report_clear(&report);
}

static void scene_destroy(scene *s)
{
    ff_batch_model_destroy(s->batch);
    ff_sim_destroy(s->sim);
    ff_world_destroy(s->world);
    march_destroy(&s->how);
    ff_model_destroy(s->model);
}

/// Targets of the servos at the time t: the torque that a march asks for at rest in zero is kp q + kd v of its targets.
static void march_targets(const scene *s, double t, double *position, double *speed)
{
    static const double zero[64] = {0};
    double tau0[64] = {0}, half[64] = {0};
    march other = s->how;
    other.kd = 0.0;
    march_add_torque(&other, t, zero, zero, tau0);
    other.kp = 0.0;
    other.kd = s->how.kd;
    march_add_torque(&other, t, zero, zero, half);
    const int n = ff_batch_model_sizes(s->batch).nservo;
    for (int i = 0; i < n; i++) {
        const int v = s->model->joints[ff_batch_servo_joint(s->batch, i)].vadr;
        position[i] = tau0[v] / s->how.kp;
        speed[i] = half[v] / s->how.kd;
    }
}

// Both sum the same numbers in another order, so they differ by rounding, 1e-16 of positions and of accelerations
// times the step; springs, dampers and friction take it back, so that it does not grow. A hundred times that, for feet
// whose force jumps by kN/m of it.
TEST(a_march_of_ten_seconds_is_that_of_a_simulation)
{
    scene s;
    scene_create(&s);
    const ff_sim_options o = options_of(1e-3);
    marcher single;
    CHECK(marcher_create(&single, &s.how, &o, MARCH_SAMPLED));
    ff_batch *b = ff_batch_create(s.batch, &(ff_batch_options){.robots = 1, .lanes = 1}, NULL);
    double worst_q = 0.0, worst_v = 0.0;
    const int steps = CHECK_LASTS(10000, 600);
    for (int k = 0; k < steps; k++) {
        double position[64], speed[64], q[64], v[64];
        march_targets(&s, k * 1e-3, position, speed);
        CHECK_INT(ff_batch_set_targets(b, 0, position, speed, NULL, NULL), FF_OK);
        CHECK_INT(ff_batch_step(b, 1, NULL), FF_OK);
        CHECK_INT(ff_sim_run(single.sim, (k + 1) * 1e-3, NULL), FF_OK);
        ff_batch_get_state(b, 0, q, v, NULL);
        for (int i = 0; i < s.model->nq; i++) worst_q = ff_max(worst_q, fabs(q[i] - ff_sim_q(single.sim)[i]));
        for (int i = 0; i < s.model->nv; i++) worst_v = ff_max(worst_v, fabs(v[i] - ff_sim_v(single.sim)[i]));
    }
    printf("  farthest apart in %d steps: q %.1e, v %.1e\n", steps, worst_q, worst_v);
    CHECK_NEAR(worst_q, 0.0, 1e-13); // [m, rad]
    CHECK_NEAR(worst_v, 0.0, 1e-11); // [m/s, rad/s]
    marcher_destroy(&single);
    ff_batch_destroy(b);
    scene_destroy(&s);
}

// ------------------------------------------------------------------------------------------ bits

enum { MANY = 37 }; // no multiple of any number of lanes

/// Robots that differ in parameters, targets and start.
static ff_batch *various(const scene *s, int lanes, int threads)
{
    ff_batch *b =
        ff_batch_create(s->batch, &(ff_batch_options){.robots = MANY, .threads = threads, .lanes = lanes}, NULL);
    if (!b) CHECK_FAIL("%d lanes are not there", lanes);
    for (int i = 0; i < MANY; i++) {
        ff_random random = ff_random_make(5, (uint64_t)i);
        double position[64], speed[64], q[64], v[64];
        ff_batch_get_state(b, i, q, v, NULL);
        for (int k = 0; k < s->model->nv; k++) v[k] = ff_random_range(&random, -0.5, 0.5);
        q[2] += ff_random_range(&random, -0.002, 0.02);
        if (i % 3 > 0) ff_batch_set_state(b, i, q, v, NULL);
        march_targets(s, 0.5 * i / MANY, position, speed);
        ff_batch_set_targets(b, i, position, NULL, NULL, NULL);
        for (int k = 0; k < FF_BATCH_PARAMETERS; k++)
            CHECK_INT(ff_batch_set_parameter(b, i, (ff_batch_parameter)k, ff_random_range(&random, 0.6, 1.3), NULL),
                      FF_OK);
    }
    return b;
}

static uint64_t hash_after(const scene *s, int lanes, int threads, int calls, int steps)
{
    ff_batch *b = various(s, lanes, threads);
    for (int k = 0; k < calls; k++) CHECK_INT(ff_batch_step(b, steps, NULL), FF_OK);
    CHECK_INT(ff_batch_count(b, FF_BATCH_LIVES), MANY);
    const uint64_t hash = ff_batch_hash(b);
    ff_batch_destroy(b);
    return hash;
}

TEST(any_number_of_lanes_and_threads_gives_the_bits_of_one)
{
    scene s;
    scene_create(&s);
    const int steps = CHECK_LASTS(400, 40);
    const uint64_t one = hash_after(&s, 1, 1, 1, steps);
    for (int i = 0, lanes; (lanes = ff_batch_lanes_there(i)) > 0; i++)
        for (int threads = 1; threads <= 3; threads += CHECK_LASTS(1, 2))
            if (hash_after(&s, lanes, threads, 1, steps) != one) CHECK_FAIL("%d lanes, %d threads", lanes, threads);
    CHECK(hash_after(&s, 0, 2, steps / 20, 20) == one); // in pieces
    CHECK(hash_after(&s, 0, 1, 1, steps - 1) != one);   // the hash sees it
    scene_destroy(&s);
}

TEST(a_robot_that_diverges_is_counted_and_no_neighbour_feels_it)
{
    scene s;
    scene_create(&s);
    double bad[64], q[64], v[64], q2[64], v2[64], sensed[200];
    for (int i = 0; i < 64; i++) bad[i] = NAN;
    ff_batch *b = various(&s, 0, 1), *other = various(&s, 0, 1);
    ff_batch_step(b, 50, NULL);
    ff_batch_step(other, 50, NULL);
    ff_batch_sense(b, 10, sensed, NULL);
    ff_batch_get_state(b, 10, q, v, NULL);
    CHECK_INT(ff_batch_set_targets(b, 10, bad, NULL, NULL, NULL), FF_OK);
    CHECK_INT(ff_batch_set_parameter(b, 21, FF_BATCH_CONTACT_STIFFNESS, 1e9, NULL), FF_OK); // no step is short enough
    CHECK_INT(ff_batch_step(b, 100, NULL), FF_OK);
    CHECK_INT(ff_batch_step(other, 100, NULL), FF_OK);
    CHECK_INT(ff_batch_count(b, FF_BATCH_DIVERGED), 2);
    CHECK_INT(ff_batch_count(b, FF_BATCH_LIVES), MANY - 2);
    CHECK_INT(ff_batch_end_of(b, 10), FF_BATCH_DIVERGED);
    CHECK_INT((int)ff_batch_age(b, 10), 50); // it stands where it was sound last
    ff_batch_get_state(b, 10, q2, v2, NULL);
    CHECK(memcmp(q, q2, sizeof(double) * (size_t)s.model->nq) == 0);
    CHECK(memcmp(v, v2, sizeof(double) * (size_t)s.model->nv) == 0);
    double read[200]; // its sensors read the last sound step
    const int count = ff_batch_sense_count(s.batch), imu = 2 * ff_batch_model_sizes(s.batch).nservo;
    CHECK(count <= 200);
    ff_batch_sense(b, 10, read, NULL);
    CHECK(ff_all_finite(read, count) && memcmp(read, sensed, sizeof(double) * (size_t)(imu + 6)) == 0);
    for (int i = 0; i < MANY; i++) {
        if (i == 10 || i == 21) continue;
        ff_batch_get_state(b, i, q, v, NULL);
        ff_batch_get_state(other, i, q2, v2, NULL);
        CHECK(memcmp(q, q2, sizeof(double) * (size_t)s.model->nq) == 0);
        CHECK(memcmp(v, v2, sizeof(double) * (size_t)s.model->nv) == 0);
    }
    ff_batch_destroy(b);
    ff_batch_destroy(other);
    scene_destroy(&s);
}

TEST(a_robot_that_is_reset_repeats_its_life_and_the_others_go_on)
{
    scene s;
    scene_create(&s);
    ff_batch *b = ff_batch_create(s.batch, &(ff_batch_options){.robots = 9}, NULL);
    double q[64], v[64], q2[64], v2[64], q3[64], v3[64];
    ff_batch_step(b, 80, NULL);
    ff_batch_get_state(b, 4, q, v, NULL);
    CHECK_INT(ff_batch_reset(b, 4, NULL), FF_OK);
    CHECK_INT((int)ff_batch_age(b, 4), 0);
    ff_batch_step(b, 80, NULL);
    ff_batch_get_state(b, 4, q2, v2, NULL);
    CHECK(memcmp(q, q2, sizeof(double) * (size_t)s.model->nq) == 0);
    CHECK(memcmp(v, v2, sizeof(double) * (size_t)s.model->nv) == 0);
    ff_batch_get_state(b, 3, q2, v2, NULL);
    ff_batch_reset(b, 4, NULL);
    ff_batch_step(b, 160, NULL);
    ff_batch_get_state(b, 4, q3, v3, NULL);
    CHECK(memcmp(q2, q3, sizeof(double) * (size_t)s.model->nq) == 0);
    CHECK_INT((int)ff_batch_age(b, 3), 320);
    ff_batch_destroy(b);
    scene_destroy(&s);
}

TEST(steps_allocate_nothing)
{
    scene s;
    scene_create(&s);
    ff_batch *b = various(&s, 0, 1);
    const long long before = allocation_calls;
    CHECK_INT(ff_batch_step(b, 20, NULL), FF_OK);
    CHECK_INT((int)(allocation_calls - before), 0);
    ff_batch_destroy(b);
    for (int k = 0; k < 4; k++) { // a batch, or none, for each allocation that fails
        ff_error err = {0};
        allocations_left = k;
        CHECK(!ff_batch_create(s.batch, &(ff_batch_options){.robots = 5, .threads = 1}, &err));
        allocations_left = -1;
        CHECK_INT(err.status, FF_NO_MEMORY);
    }
    scene_destroy(&s);
}

// ------------------------------------------------------------------------------------------ laws

/// Sum of the forces on the feet of a robot.
static void feet_force(const ff_batch *b, int robot, int npoint, double out[3])
{
    ff_vec3_set(out, 0.0, 0.0, 0.0);
    for (int i = 0; i < npoint; i++) {
        ff_batch_contact_state c;
        CHECK_INT(ff_batch_get_contact(b, robot, i, &c, NULL), FF_OK);
        ff_vec3_add(out, out, c.force);
    }
}

TEST(feet_carry_the_weight_that_each_robot_has)
{
    scene s;
    scene_create(&s);
    enum { COUNT = 5 };
    const double factor[COUNT] = {1.0, 0.5, 1.2, 0.8, 1.5};
    const int npoint = ff_batch_model_sizes(s.batch).npoint;
    ff_batch *b = ff_batch_create(s.batch, &(ff_batch_options){.robots = COUNT}, NULL);
    for (int i = 0; i < COUNT; i++) ff_batch_set_parameter(b, i, FF_BATCH_MASS, factor[i], NULL);
    ff_batch_step(b, CHECK_LASTS(3000, 1500), NULL);
    for (int i = 0; i < COUNT; i++) {
        double force[3];
        feet_force(b, i, npoint, force);
        CHECK_NEAR(force[2], factor[i] * s.model->mass * 9.81, 1e-3); // [N] what still swings
        CHECK_NEAR(force[0], 0.0, 1e-3);
    }
    ff_batch_destroy(b);
    scene_destroy(&s);
}

/// A box of 2 kg on a plane that slopes about y, in a simulation and as a batch model.
typedef struct box {
    ff_model *model;
    ff_world *world;
    ff_sim *sim;
    ff_batch_model *batch;
} box;

static void box_destroy(box *b)
{
    ff_batch_model_destroy(b->batch);
    ff_sim_destroy(b->sim);
    ff_world_destroy(b->world);
    ff_model_destroy(b->model);
}

static box box_create(double slope, double mu_static, double mu_kinetic, ff_stick_rule stick)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_material *m = &ff_spec_add_material(spec, "skin", NULL)->material;
    *m = ff_material_default();
    snprintf(m->name, sizeof m->name, "skin");
    m->friction.mu_static = mu_static;
    m->friction.mu_kinetic = mu_kinetic;
    m->friction.stick = stick;
    ff_spec_body *body = ff_spec_add_body(spec, "box", -1);
    body->has_inertial = true;
    body->mass = 2.0;
    body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.02;
    ff_spec_add_joint(spec, "free", 0, FF_JOINT_FREE);
    ff_spec_geom *block = ff_spec_add_geom(spec, "block", 0, FF_SHAPE_BOX);
    ff_vec3_set(block->size, 0.1, 0.1, 0.02);
    block->material = m->name;
    const double y[3] = {0, 1, 0};
    ff_spec_geom *plane = ff_spec_add_geom(spec, "slope", -1, FF_SHAPE_PLANE);
    ff_quat_from_axis_angle(plane->quat, y, slope);
    ff_quat_copy(body->quat, plane->quat);
    plane->material = m->name;
    const ff_sim_options o = options_of(1e-4);
    box b = {.model = ff_model_compile(spec, NULL, NULL)};
    CHECK(b.model);
    b.world = ff_world_create(b.model, NULL, NULL);
    b.sim = ff_sim_create(b.model, &o, NULL);
    CHECK_INT(ff_sim_add_world(b.sim, b.world, NULL), FF_OK);
    ff_contact_pair pair; // it starts where its weight presses it, or it would bounce and lose its grip
    CHECK_INT(ff_contact_pair_make(&pair, m, m, NULL), FF_OK);
    const double depth = ff_pow(2.0 * 9.81 * ff_cos(slope) / pair.stiffness, 1.0 / pair.exponent);
    double q[7] = {(0.02 - depth) * ff_sin(slope), 0.0, (0.02 - depth) * ff_cos(slope)};
    ff_quat_from_axis_angle(q + 3, y, slope);
    ff_sim_set_state(b.sim, q, NULL);
    b.batch = ff_batch_compile(b.sim, NULL, 0, NULL);
    ff_spec_destroy(spec);
    CHECK(b.batch);
    return b;
}

/// The batch model alone.
static ff_batch_model *box_on_slope(double slope, double mu)
{
    box b = box_create(slope, mu, mu, FF_STICK_CONTINUOUS);
    ff_batch_model *batch = b.batch;
    b.batch = NULL;
    box_destroy(&b);
    return batch;
}

// A box that is thrown comes to rest, where sticking begins by one of the two rules; one that is set down at rest on a
// slope between the two coefficients sticks at once. Robots whose state is written
// begin again, as a simulation does that starts there.
TEST(sticking_begins_as_in_a_simulation)
{
    for (int k = 0; k < 4; k++) {
        const ff_stick_rule rule = k % 2 == 0 ? FF_STICK_CONTINUOUS : FF_STICK_SEED;
        box b = box_create(k < 2 ? 0.0 : 0.4, 0.6, 0.35, rule);
        ff_batch *batch = ff_batch_create(b.batch, &(ff_batch_options){.robots = 2}, NULL);
        const double v[6] = {k < 2 ? 0.2 : 0.0, 0, 0, 0, 0, 0};
        double q[7], worst = 0.0;
        ff_batch_get_state(batch, 1, q, NULL, NULL);
        ff_batch_set_state(batch, 1, q, v, NULL);
        ff_sim *fresh = ff_sim_create(b.model, ff_sim_get_options(b.sim), NULL);
        ff_world *world = ff_world_create(b.model, NULL, NULL);
        CHECK_INT(ff_sim_add_world(fresh, world, NULL), FF_OK);
        ff_sim_set_state(fresh, q, v);
        for (int i = 1; i <= 1500; i++) {
            CHECK_INT(ff_sim_run(fresh, i * 1e-4, NULL), FF_OK);
            CHECK_INT(ff_batch_step(batch, 1, NULL), FF_OK);
            ff_batch_get_state(batch, 1, q, NULL, NULL);
            for (int c = 0; c < 7; c++) worst = ff_max(worst, fabs(q[c] - ff_sim_q(fresh)[c]));
        }
        CHECK_NEAR(worst, 0.0, 1e-12); // [m] rounding
        CHECK(ff_world_get_counts(world).sticks > 0);
        ff_sim_destroy(fresh);
        ff_world_destroy(world);
        ff_batch_destroy(batch);
        box_destroy(&b);
    }
}

// Down a slope of 0.4 rad a body gains g (sin - mu cos) a second once its grip is stretched, and nothing where mu is
// above tan 0.4.
TEST(boxes_slide_by_the_friction_that_each_robot_has)
{
    enum { COUNT = 4 };
    const double slope = 0.4, mu = 0.5, factor[COUNT] = {0.0, 0.5, 0.8, 1.2};
    ff_batch_model *model = box_on_slope(slope, mu);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = COUNT}, NULL);
    CHECK_INT(ff_batch_model_sizes(model).npoint, 8);
    for (int i = 0; i < COUNT; i++) CHECK_INT(ff_batch_set_parameter(b, i, FF_BATCH_FRICTION, factor[i], NULL), FF_OK);
    double gain[COUNT];
    for (int k = 0; k < 2; k++) {
        CHECK_INT(ff_batch_step(b, 2500, NULL), FF_OK);
        for (int i = 0; i < COUNT; i++) {
            double v[6];
            ff_batch_get_state(b, i, NULL, v, NULL);
            const double speed = v[0] * ff_cos(slope) - v[2] * ff_sin(slope);
            gain[i] = k == 0 ? speed : speed - gain[i];
        }
    }
    for (int i = 0; i < COUNT; i++) {
        const double pull = ff_sin(slope) - factor[i] * mu * ff_cos(slope);
        CHECK_NEAR(gain[i], pull > 0.0 ? 9.81 * pull * 0.25 : 0.0, 1e-4); // [m/s] the box still rocks a little
    }
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

// Semi-implicit Euler in free fall: v_n = -g h n, z_n = z_0 - g h^2 n (n + 1) / 2.
TEST(free_fall_is_that_of_the_method)
{
    ff_batch_model *model = box_on_slope(0.0, 0.5);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 3}, NULL);
    const double q0[7] = {0.3, -0.2, 5.0, 1, 0, 0, 0}, v0[6] = {1.0, 2.0, 0.5, 0, 0, 0}, h = 1e-4;
    double q[7], v[6];
    CHECK_INT(ff_batch_set_state(b, 2, q0, v0, NULL), FF_OK);
    ff_batch_step(b, 1000, NULL);
    ff_batch_get_state(b, 2, q, v, NULL);
    CHECK_NEAR(v[2], 0.5 - 9.81 * h * 1000, 1e-12);
    CHECK_NEAR(q[2], 5.0 + 0.05 - 9.81 * h * h * 1000 * 1001 / 2, 1e-12);
    CHECK_NEAR(q[0], 0.3 + 0.1, 1e-12);
    CHECK_NEAR(q[1], -0.2 + 0.2, 1e-12);
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

// ------------------------------------------------------------------------------------------ mistakes

TEST(wrong_arguments_are_refused)
{
    ff_batch_model *model = box_on_slope(0.0, 0.5);
    ff_error err = {0};
    double q[7] = {NAN}, v[6] = {0};
    ff_batch_contact_state c;
    CHECK(!ff_batch_create(NULL, &(ff_batch_options){.robots = 1}, &err) && err.status == FF_BAD_ARGUMENT);
    CHECK(!ff_batch_create(model, NULL, &err));
    CHECK(!ff_batch_create(model, &(ff_batch_options){.robots = 0}, &err));
    CHECK(!ff_batch_create(model, &(ff_batch_options){.robots = 1, .lanes = 3}, &err) && strstr(err.text, "3 lanes"));
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 2}, &err);
    CHECK(b && ff_batch_lanes(b) >= 1);
    CHECK_INT(ff_batch_step(b, -1, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_step(NULL, 1, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_step(b, 0, &err), FF_OK);
    CHECK_INT(ff_batch_get_state(b, 2, q, v, &err), FF_BAD_ARGUMENT);
    CHECK(strstr(err.text, "robot 2 of a batch of 2"));
    CHECK_INT(ff_batch_reset(b, -1, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_set_state(b, 0, q, v, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_set_parameter(b, 0, FF_BATCH_MASS, 0.0, &err), FF_BAD_ARGUMENT);
    CHECK(strstr(err.text, "mass"));
    CHECK_INT(ff_batch_set_parameter(b, 0, FF_BATCH_PARAMETERS, 1.0, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_get_contact(b, 0, 8, &c, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_end_of(b, 5), FF_BATCH_DIVERGED);
    CHECK_INT(ff_batch_servo_joint(model, 0), -1);
    CHECK_INT(ff_batch_push(b, 0, NULL, 1, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_set_commands(b, 0, NULL, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_get_contact(b, 0, 0, NULL, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_sense(b, 0, NULL, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_lanes(NULL), 0);
    CHECK_INT(ff_batch_count(NULL, FF_BATCH_LIVES), 0);
    CHECK(ff_batch_hash(NULL) == 0);
    CHECK(!ff_run_compile_batch(NULL, NULL));
    CHECK(!ff_batch_parameter_name(FF_BATCH_QUANTITIES));
    ff_batch_destroy(b);
    ff_batch_destroy(NULL);
    ff_batch_model_destroy(model);
    ff_batch_model_destroy(NULL);
}

TEST(each_option_out_of_range_is_named)
{
    ff_batch_model *model = box_on_slope(0.0, 0.5);
    const struct {
        const char *name;
        ff_batch_options options;
    } wrong[] = {{"0 robots", {.robots = 0}},
                 {"robots", {.robots = INT32_MAX}},
                 {"-1 threads", {.robots = 1, .threads = -1}},
                 {"1025 threads", {.robots = 1, .threads = 1025}},
                 {"threads", {.robots = 1, .threads = INT32_MAX}},
                 {"2 spreads", {.robots = 1, .nspread = 2}},
                 {"least_height", {.robots = 1, .least_height = -0.1}},
                 {"least_height", {.robots = 1, .least_height = NAN}},
                 {"least_height", {.robots = 1, .least_height = INFINITY}},
                 {"most_tilt", {.robots = 1, .most_tilt = 3.2}},
                 {"most_tilt", {.robots = 1, .most_tilt = NAN}},
                 {"noise.position", {.robots = 1, .noise = {.position = -1.0}}},
                 {"noise.force", {.robots = 1, .noise = {.force = NAN}}},
                 {"noise.gyro", {.robots = 1, .noise = {.gyro = INFINITY}}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ff_error err = {0};
        CHECK(!ff_batch_create(model, &wrong[i].options, &err));
        CHECK_INT(err.status, FF_BAD_ARGUMENT);
        CHECK_SAYS(err.text, wrong[i].name);
    }
    ff_batch_model_destroy(model);
}

TEST(methods_other_than_euler_are_refused)
{
    ff_model *model = march_load(ANTON);
    for (int i = 0; i < FF_METHOD_COUNT; i++) {
        ff_sim_options o = options_of(1e-4);
        ff_report report = {0};
        o.method = (ff_method)i;
        ff_sim *sim = ff_sim_create(model, &o, NULL); // NULL: this build lacks the method
        ff_batch_model *batch = sim ? ff_batch_compile(sim, NULL, 0, &report) : NULL;
        CHECK_INT(batch != NULL, i == FF_METHOD_EULER);
        ff_batch_model_destroy(batch);
        ff_sim_destroy(sim);
        ff_report_clear(&report);
    }
    ff_model_destroy(model);
}

// A quaternion counts by its direction, however long it is, where it has one.
TEST(quaternions_of_any_length_are_taken_and_none_refused)
{
    ff_batch_model *model = box_on_slope(0.0, 0.5);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 1}, NULL);
    const double lengths[] = {5e-324, 1e-200, 1.0, 1e200, 1e308};
    for (int i = 0; i < 5; i++) {
        double q[7] = {0, 0, 1, lengths[i], 0, -lengths[i], 0};
        CHECK_INT(ff_batch_set_state(b, 0, q, NULL, NULL), FF_OK);
        ff_batch_get_state(b, 0, q, NULL, NULL);
        CHECK_NEAR(q[3], sqrt(0.5), 1e-15);
        CHECK_NEAR(q[5], -sqrt(0.5), 1e-15);
    }
    const uint64_t before = ff_batch_hash(b);
    CHECK_INT(ff_batch_set_state(b, 0, (double[7]){0, 0, 2}, NULL, NULL), FF_BAD_ARGUMENT);
    CHECK(ff_batch_hash(b) == before);
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

// ------------------------------------------------------------------------------------------ what differs

/// Boxes high above the ground.
static ff_batch *boxes_in_the_air(const ff_batch_model *model, const ff_batch_options *options, const double v[6])
{
    const double q[7] = {0.0, 0.0, 5.0, 1.0, 0.0, 0.0, 0.0};
    ff_batch *b = ff_batch_create(model, options, NULL);
    CHECK(b);
    for (int i = 0; i < options->robots; i++) CHECK_INT(ff_batch_set_state(b, i, q, v, NULL), FF_OK);
    return b;
}

// A force F for n steps gives the momentum F n h, and what it pushes no other robot feels.
TEST(a_push_gives_its_impulse)
{
    const double still[6] = {0}, force[3] = {3.0, -1.0, 0.5}, nothing[3] = {0}, h = 1e-4;
    ff_batch_model *model = box_on_slope(0.0, 0.5);
    ff_batch *b = boxes_in_the_air(model, &(ff_batch_options){.robots = 3}, still);
    ff_batch_step(b, 10, NULL);
    CHECK_INT(ff_batch_push(b, 1, force, 100, NULL), FF_OK);
    CHECK_INT(ff_batch_push(b, 0, nothing, 0, NULL), FF_OK);
    ff_batch_step(b, 300, NULL);
    for (int i = 0; i < 3; i++) {
        double v[6];
        ff_batch_get_state(b, i, NULL, v, NULL);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(v[k], (i == 1 ? force[k] * 100 * h / 2.0 : 0.0) - (k == 2 ? 9.81 * 310 * h : 0.0), 1e-12);
    }
    CHECK_INT(ff_batch_push(b, 1, force, -1, NULL), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_push(b, 1, (double[3]){NAN}, 1, NULL), FF_BAD_ARGUMENT);
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

TEST(robots_that_come_too_low_or_lean_too_far_have_fallen)
{
    const double still[6] = {0}, rolling[6] = {0, 0, 0, 0, 2.0, 0}, h = 1e-4;
    ff_batch_model *model = box_on_slope(0.0, 0.5);
    ff_batch *b = boxes_in_the_air(model, &(ff_batch_options){.robots = 3, .least_height = 4.9}, still);
    ff_batch_step(b, 2000, NULL);
    int n = 0; // z_n = 5 - g h^2 n (n + 1) / 2
    while (9.81 * h * h * n * (n + 1) / 2 <= 0.1) n++;
    CHECK_INT(ff_batch_count(b, FF_BATCH_FELL), 3);
    CHECK_INT((int)ff_batch_age(b, 2), n);
    CHECK_INT(ff_batch_reset(b, 2, NULL), FF_OK);
    CHECK_INT(ff_batch_end_of(b, 2), FF_BATCH_LIVES);
    ff_batch_destroy(b);
    b = boxes_in_the_air(model, &(ff_batch_options){.robots = 2, .most_tilt = 0.3}, rolling);
    ff_batch_set_state(b, 1, NULL, still, NULL);
    ff_batch_step(b, 2000, NULL); // 2 rad/s about y pass 0.3 rad after 0.15 s
    CHECK_INT(ff_batch_end_of(b, 0), FF_BATCH_FELL);
    CHECK_INT(ff_batch_end_of(b, 1), FF_BATCH_LIVES);
    CHECK_NEAR((double)ff_batch_age(b, 0), 1501.0, 1.0); // [steps] the angle of step 1500 is 0.3 but for rounding
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

static double start_height(const ff_batch *b, int robot)
{
    double q[7];
    ff_batch_get_state(b, robot, q, NULL, NULL);
    return q[2];
}

TEST(spreads_follow_from_seed_robot_and_life)
{
    enum { COUNT = 400 };
    const ff_batch_spread table[] = {{.quantity = FF_BATCH_MASS, .low = 0.5, .high = 1.5},
                                     {.quantity = FF_BATCH_START_HEIGHT, .low = 1.0, .high = 2.0}};
    ff_batch_options o = {.robots = COUNT, .seed = 11, .spreads = table, .nspread = 2};
    ff_batch_model *model = box_on_slope(0.0, 0.5);
    ff_batch *b = ff_batch_create(model, &o, NULL);
    o.robots = 7;
    o.lanes = 1;
    ff_batch *few = ff_batch_create(model, &o, NULL);
    o.seed = 12;
    ff_batch *other = ff_batch_create(model, &o, NULL);
    CHECK(b && few && other);
    double sum = 0.0, least = INFINITY, most = -INFINITY, base = 0.02;
    for (int i = 0; i < COUNT; i++) {
        const double z = start_height(b, i);
        sum += z / COUNT;
        least = ff_min(least, z);
        most = ff_max(most, z);
        if (i < 7) CHECK(start_height(few, i) == z && start_height(other, i) != z);
    }
    CHECK(least >= 1.0 + base - 1e-3 && most <= 2.0 + base);
    CHECK_NEAR(sum, 1.5 + base, 4.0 * 0.2887 / 20.0); // four deviations of the mean of 400 uniform numbers
    const double first = start_height(b, 3);
    CHECK_INT(ff_batch_reset(b, 3, NULL), FF_OK);
    CHECK_INT(ff_batch_reset(few, 3, NULL), FF_OK);
    CHECK(start_height(b, 3) != first && start_height(few, 3) == start_height(b, 3));
    ff_batch_destroy(b);
    ff_batch_destroy(few);
    ff_batch_destroy(other);
    const ff_batch_spread wrong[] = {{.quantity = FF_BATCH_MASS, .low = 0.0, .high = 1.0},
                                     {.quantity = FF_BATCH_FRICTION, .low = 0.5, .high = 0.4},
                                     {.quantity = FF_BATCH_QUANTITIES, .low = 0.0, .high = 1.0},
                                     {.quantity = FF_BATCH_START_SPEEDS, .low = -INFINITY, .high = 1.0}};
    for (int i = 0; i < 4; i++) {
        ff_error err = {0};
        o = (ff_batch_options){.robots = 1, .spreads = &wrong[i], .nspread = 1};
        CHECK(!ff_batch_create(model, &o, &err) && err.status == FF_BAD_ARGUMENT &&
              strstr(err.text, "cannot be spread"));
    }
    ff_batch_model_destroy(model);
}

// A robot that begins with a seed of its own, whatever it did before, is robot 0 of a batch with that seed: the same
// draws, motion and noise, also in the lives that follow.
TEST(a_robot_with_a_seed_of_its_own_is_the_first_of_a_batch_with_it)
{
    scene s;
    scene_create(&s);
    const ff_batch_spread table[] = {{.quantity = FF_BATCH_MASS, .low = 0.8, .high = 1.2},
                                     {.quantity = FF_BATCH_START_SPEEDS, .low = -0.1, .high = 0.1}};
    ff_batch_options o = {.robots = 5, .seed = 3, .spreads = table, .nspread = 2, .noise = {.gyro = 0.1}};
    ff_batch *b = ff_batch_create(s.batch, &o, NULL);
    o.robots = 1;
    o.seed = 77;
    ff_batch *alone = ff_batch_create(s.batch, &o, NULL);
    ff_batch_step(b, 30, NULL);
    CHECK_INT(ff_batch_reset(b, 4, NULL), FF_OK);
    CHECK_INT(ff_batch_reset_seeded(b, 4, 77, NULL), FF_OK);
    CHECK_INT(ff_batch_reset_seeded(b, 2, 78, NULL), FF_OK);
    CHECK_INT(ff_batch_reset_seeded(b, 5, 77, NULL), FF_BAD_ARGUMENT);
    const size_t size = sizeof(double) * (size_t)ff_batch_sense_count(s.batch);
    for (int life = 0; life < 2; life++) {
        double read[200], wanted[200], other[200];
        ff_batch_step(b, 40, NULL);
        ff_batch_step(alone, 40, NULL);
        ff_batch_sense(b, 4, read, NULL);
        ff_batch_sense(b, 2, other, NULL);
        ff_batch_sense(alone, 0, wanted, NULL);
        CHECK(memcmp(read, wanted, size) == 0 && memcmp(other, wanted, size) != 0);
        CHECK_INT(ff_batch_reset(b, 4, NULL), FF_OK);
        CHECK_INT(ff_batch_reset(alone, 0, NULL), FF_OK);
    }
    ff_batch_destroy(b);
    ff_batch_destroy(alone);
    scene_destroy(&s);
}

// ------------------------------------------------------------------------------------------ scenes

// The joint law of the scene, its cycle, the torques and springs of a robot that has settled: all as in the run.
TEST(a_scene_is_the_same_in_a_batch)
{
    const char *set[] = {"solver.method=euler", "solver.step=1e-4", "record.channels=[]", "control.cycle.period=0.12"};
    ff_report report = {0};
    const ff_scene_spec *file = ff_scene_load(FF_SOURCE_DIR "/experiments/anton-march.yaml", set, 4, &report);
    ff_run *run = file ? ff_run_create(file, NULL, &report) : NULL;
    ff_batch_model *model = run ? ff_run_compile_batch(run, &report) : NULL;
    if (!model) CHECK_FAIL("%s", report.count > 0 ? report.messages[0].text : "no scene");
    ff_sim *sim = ff_run_sim(run);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 2}, NULL);
    double worst = 0.0, way = 0.0, start[64];
    memcpy(start, ff_sim_q(sim), sizeof(double) * (size_t)ff_sim_model(sim)->nq);
    for (int k = 1; k <= CHECK_LASTS(2000, 300); k++) { // a whole cycle, and more
        double q[64];
        CHECK_INT(ff_sim_run(sim, k * 1e-4, NULL), FF_OK);
        CHECK_INT(ff_batch_step(b, 1, NULL), FF_OK);
        ff_batch_get_state(b, 1, q, NULL, NULL);
        for (int i = 0; i < ff_sim_model(sim)->nq; i++) {
            worst = ff_max(worst, fabs(q[i] - ff_sim_q(sim)[i]));
            way = ff_max(way, fabs(q[i] - start[i]));
        }
    }
    printf("  farthest apart: %.1e, joints moved by up to %.2f\n", worst, way);
    CHECK(way > 0.1);
    CHECK_NEAR(worst, 0.0, 1e-11); // [m, rad] rounding, as above; feet damped like rubber make more of it
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
    ff_run_destroy(run);
    ff_scene_destroy(file);
    ff_report_clear(&report);
}

// ------------------------------------------------------------------------------------------ sensors

// At rest the accelerometer reads g upwards, the feet carry the weight, and joints stand where the state has them.
TEST(sensors_read_the_state_and_noise_has_its_size)
{
    scene s;
    scene_create(&s);
    const int steps = CHECK_LASTS(3000, 1500), servos = ff_batch_model_sizes(s.batch).nservo;
    const int count = ff_batch_sense_count(s.batch), feet = (count - 2 * servos - 6) / 3;
    CHECK_INT(feet, 6);
    ff_batch_options o = {.robots = 2, .seed = 4};
    ff_batch *clean = ff_batch_create(s.batch, &o, NULL);
    o.noise = (ff_batch_noise){0.01, 0.02, 0.03, 0.04, 0.05};
    ff_batch *noisy = ff_batch_create(s.batch, &o, NULL);
    ff_batch_step(clean, steps, NULL);
    double read[200], again[200], q[64], v[64], weight = 0.0;
    CHECK_INT(ff_batch_sense(clean, 1, read, NULL), FF_OK);
    ff_batch_get_state(clean, 1, q, v, NULL);
    for (int i = 0; i < servos; i++) {
        const ff_joint *joint = &s.model->joints[ff_batch_servo_joint(s.batch, i)];
        CHECK(read[i] == q[joint->qadr] && read[servos + i] == v[joint->vadr]);
    }
    const double *accelerometer = read + 2 * servos + 3, *force = accelerometer + 3;
    CHECK_NEAR(ff_vec3_norm(accelerometer), 9.81, 1e-3); // [m/s^2] what still swings
    CHECK_NEAR(read[2 * servos], v[3], 0.0);
    for (int i = 0; i < feet; i++) weight += force[3 * i + 2];
    CHECK_NEAR(weight, s.model->mass * 9.81, 1e-3);
    // noise: the mean square of what is beyond the clean reading, of 1000 steps and all numbers of a kind
    ff_batch *same = ff_batch_create(s.batch, &(ff_batch_options){.robots = 2}, NULL);
    double square[5] = {0.0};
    const int from[6] = {0, servos, 2 * servos, 2 * servos + 3, 2 * servos + 6, count};
    const int rounds = CHECK_LASTS(1000, 300);
    for (int k = 0; k < rounds; k++) {
        ff_batch_step(same, 1, NULL);
        ff_batch_step(noisy, 1, NULL);
        ff_batch_sense(same, 1, read, NULL);
        ff_batch_sense(noisy, 1, again, NULL);
        for (int c = 0; c < 5; c++)
            for (int i = from[c]; i < from[c + 1]; i++)
                square[c] += (again[i] - read[i]) * (again[i] - read[i]) / (rounds * (from[c + 1] - from[c]));
    }
    for (int c = 0; c < 5; c++) { // deviation of a mean square of n numbers: sqrt(2 / n); five of these
        const double n = rounds * (from[c + 1] - from[c]);
        CHECK_NEAR(sqrt(square[c]) / (0.01 * (c + 1)), 1.0, 5.0 * sqrt(0.5 / n));
    }
    ff_batch_sense(noisy, 1, read, NULL);
    CHECK(memcmp(read, again, sizeof(double) * (size_t)count) == 0);
    ff_batch_sense(noisy, 0, read, NULL);
    CHECK(memcmp(read, again, sizeof(double) * (size_t)count) != 0);
    CHECK_INT(ff_batch_sense(noisy, 2, read, NULL), FF_BAD_ARGUMENT);
    // a state that is written begins a new life: the same joints with other noise
    ff_batch_get_state(noisy, 1, q, v, NULL);
    for (int life = 0; life < 2; life++) {
        CHECK_INT(ff_batch_set_state(noisy, 1, q, v, NULL), FF_OK);
        ff_batch_sense(noisy, 1, life == 0 ? read : again, NULL);
    }
    CHECK(read[0] != again[0]);
    ff_batch_destroy(clean);
    ff_batch_destroy(noisy);
    ff_batch_destroy(same);
    scene_destroy(&s);
}
