// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A batch moves any robot it accepts as a simulation by euler does: random trees of all joints, every law of contact it
// knows, boxes, spheres and capsules on an inclined plane or field; what it does not know it refuses by name.
#include "special_compiler.h"
#include "support/message.h"
#include "support/random_robot.h"

#include <footfall/footfall.h>

#include "batch/chains.h"
#include "batch/compile.h"
#include "batch/kernel.h"
#include "batch/life.h"
#include "batch/specialise.h"

#ifdef FF_TEST_COMPILER
#include <dlfcn.h>
#endif

static const double STEP = 1e-4;

// ------------------------------------------------------------------------------------------ worlds

/// Materials of shapes, one for each law that a batch knows. Soft and light, so that any start is stable.
static ff_material law_number(int i)
{
    ff_material m = ff_material_default();
    snprintf(m.name, sizeof m.name, "law%d", i);
    static const ff_normal normal[] = {
        {.law = FF_NORMAL_HUNT_CROSSLEY, .stiffness = 900.0, .exponent = 1.5, .damping = 300.0},
        {.law = FF_NORMAL_RESTITUTION, .stiffness = 700.0, .exponent = 1.0, .restitution = 0.4},
        {.law = FF_NORMAL_RESTITUTION, .stiffness = 300.0, .exponent = 1.5, .restitution = 0.0},
        {.law = FF_NORMAL_KELVIN_VOIGT, .stiffness = 800.0, .exponent = 1.0, .damping = 9.0},
        {.law = FF_NORMAL_LINEAR, .stiffness = 500.0, .exponent = 1.0},
        {.law = FF_NORMAL_SOIL, .stiffness = 600.0, .exponent = 1.0, .damping = 8.0},
        {.law = FF_NORMAL_SOIL, .stiffness = 600.0, .exponent = 1.0, .damping = 60.0, .damping_exponent = 0.9}};
    m.normal = normal[i % 7];
    m.normal.impact_floor = 0.5; // short of it the restitution law would be too stiff for the step
    static const ff_friction_law friction[] = {FF_FRICTION_STICK_SLIP, FF_FRICTION_STICK_SLIP, FF_FRICTION_NONE,
                                               FF_FRICTION_SOIL,       FF_FRICTION_SOIL,       FF_FRICTION_STRIBECK,
                                               FF_FRICTION_ANCHORED};
    const int grip = i % 8 % 7;
    m.friction.law = friction[grip];
    m.friction.mu_static = 0.7;
    m.friction.mu_kinetic = grip == 4 || i == 13 ? FF_NO_CONE : 0.5; // 13: a Stribeck curve without a cone
    m.friction.breakaway = 1.6;
    m.friction.viscous = 4.0;
    m.friction.threshold = 0.2;
    m.friction.decay = -1.0;
    m.friction.scale_speed = 0.3;
    m.friction.slowdown = 3.0;
    m.friction.torsion = i % 3 == 1 ? 0.01 : 0.0;
    m.friction.rolling = i % 4 == 1 ? 0.02 : 0.0;
    m.friction.patch_radius = 0.05;
    m.friction.stiffness = 400.0;
    m.friction.damping = 3.0;
    m.friction.damping_exponent = grip == 3 ? (i % 2 ? 1.0 : 0.9) : 0.0;
    m.friction.stick_speed = 0.01;
    m.friction.stick = grip == 1 ? FF_STICK_SEED : FF_STICK_CONTINUOUS;
    m.per_point = i % 5 == 0;
    if (m.friction.law == FF_FRICTION_SOIL && m.friction.mu_kinetic == FF_NO_CONE)
        m.normal.pulls = m.normal.law == FF_NORMAL_KELVIN_VOIGT || m.normal.law == FF_NORMAL_SOIL;
    return m;
}

static const double SLOPE_AXIS[3] = {0.6, 0.8, 0.0}, SLOPE = 0.2;

/// Every fourth robot stands on a height field, which is flat: its edges are none, and boxes touch it as a plane.
static bool on_field(int seed)
{
    return seed % 4 == 3;
}

static void add_shapes(ff_spec *spec, ff_random *random, int law)
{
    static const ff_shape_type types[] = {FF_SHAPE_SPHERE, FF_SHAPE_BOX, FF_SHAPE_CAPSULE};
    char name[32];
    const ff_material m = law_number(law);
    ff_spec_add_material(spec, m.name, NULL)->material = m;
    const int nbody = spec->nbody;
    for (int i = 0; i < nbody; i++) {
        snprintf(name, sizeof name, "shape%d", i);
        ff_spec_geom *g = ff_spec_add_geom(spec, name, i, types[i % 3]);
        ff_vec3_set(g->size, 0.05, 0.08, 0.03);
        random_vector(random, g->pos, 3, 0.1);
        random_quat(random, g->quat);
        g->material = spec->materials[0].material.name;
        g->gives_mass = false;
    }
    if (on_field(law)) return;
    ff_spec_geom *plane = ff_spec_add_geom(spec, "slope", -1, FF_SHAPE_PLANE);
    plane->material = spec->materials[0].material.name;
    ff_quat_from_axis_angle(plane->quat, SLOPE_AXIS, SLOPE);
}

/// A flat field that slopes as the plane does.
static ff_field *add_field(ff_world *world, const char *material)
{
    static const double heights[25] = {0.0}, size[2] = {40.0, 40.0};
    ff_field *field = ff_field_create(heights, 5, 5, size, NULL);
    const ff_collider collider = {.type = FF_COLLIDER_FIELD, .field = field};
    ff_pose pose = {.p = {0.0, 0.0, 0.0}};
    double turn[4];
    ff_quat_from_axis_angle(turn, SLOPE_AXIS, SLOPE);
    ff_quat_to_mat3(pose.R, turn);
    CHECK(field && ff_world_add_ground(world, "field", &collider, &pose, material, NULL) >= 0);
    return field;
}

/// Every eleventh robot has a free rod with a hinge beside it: a tree of its own, which touches nothing.
static void add_tree(ff_spec *spec, ff_random *random, int seed)
{
    if (seed % 11 != 0) return;
    const int rod = spec->nbody;
    random_inertia(random, ff_spec_add_body(spec, "rod", -1));
    random_inertia(random, ff_spec_add_body(spec, "tip", rod));
    ff_spec_add_joint(spec, "rod_free", rod, FF_JOINT_FREE);
    ff_spec_add_joint(spec, "rod_hinge", rod + 1, FF_JOINT_HINGE);
}

/// What a batch does not know of joints.
static void leave_out(ff_spec *spec)
{
    for (int i = 0; i < spec->njoint; i++) {
        ff_spec_joint *j = &spec->joints[i];
        if (j->type == FF_JOINT_BALL || j->type == FF_JOINT_FREE) j->stiffness = 0.0;
        if (j->type == FF_JOINT_FREE) j->damping = j->dry_friction = 0.0;
    }
}

/// A hinge or slide with a position servo of MJCF, in a few joints.
static void add_drives(ff_spec *spec, ff_random *random)
{
    char name[32];
    const int njoint = spec->njoint;
    for (int i = 0; i < njoint; i++) {
        if (!ff_joint_is_scalar(spec->joints[i].type) || ff_random_uniform(random) < 0.5) continue;
        snprintf(name, sizeof name, "drive%d", i);
        ff_spec_actuator *a = ff_spec_add_actuator(spec, name, FF_ACTUATOR_POSITION);
        a->joint = spec->joints[i].name;
        a->gear = 1.5;
        a->gain = 4.0;
        a->bias[1] = -4.0;
        a->bias[2] = -0.3;
        a->command_limited = a->force_limited = true;
        a->command_range[0] = -0.3, a->command_range[1] = 0.3;
        a->force_range[0] = -1.0, a->force_range[1] = 1.0;
    }
}

typedef struct pair_of {
    ff_spec *spec;
    ff_model *model;
    ff_world *world;
    ff_field *field; // NULL: a plane
    ff_sim *sim;
    ff_batch_model *batch;
    ff_report report;
} pair_of;

/// A random robot, simulated and as a batch.
static void pair_create(pair_of *p, int seed)
{
    ff_random random = ff_random_make(22, (uint64_t)seed);
    ff_spec *spec = random_robot(&random, 2 + seed % 7, seed % 2 == 0, seed % 3 == 0);
    add_shapes(spec, &random, seed);
    add_tree(spec, &random, seed);
    add_drives(spec, &random);
    leave_out(spec);
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_EULER;
    o.step = STEP;
    ff_world_options w = ff_world_options_default();
    w.most_contacts = 200; // boxes may start with all their corners below the plane
    *p = (pair_of){.spec = spec};
    p->model = ff_model_compile(spec, NULL, &p->report);
    if (!p->model) CHECK_FAIL("robot %d: %s", seed, message_of(&p->report, 0));
    p->world = ff_world_create(p->model, &w, &p->report);
    if (!p->world) CHECK_FAIL("%s", message_of(&p->report, 0));
    if (on_field(seed)) p->field = add_field(p->world, spec->materials[0].material.name);
    p->sim = ff_sim_create(p->model, &o, NULL);
    CHECK_INT(ff_sim_add_world(p->sim, p->world, NULL), FF_OK);
    ff_data *d = ff_data_create(p->model, NULL);
    random_state(p->model, d, &random);
    ff_sim_set_state(p->sim, d->q, d->v);
    for (int i = 0; i < p->model->nactuator; i++)
        ff_sim_set_command(p->sim, (ff_actuator_id){i}, ff_random_range(&random, -0.5, 0.5));
    ff_data_destroy(d);
    p->batch = ff_batch_compile(p->sim, NULL, 0, &p->report);
    if (!p->batch) CHECK_FAIL("robot %d: %s", seed, message_of(&p->report, 0));
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

// Sums are taken in another order: rounding of 1e-16 a step, which stiff contacts and quick bodies may make a thousand
// times as large in 200 steps.
TEST(random_robots_move_as_in_a_simulation)
{
    const int steps = CHECK_LASTS(200, 40);
    int touched = 0;
    double worst = 0.0;
    for (int seed = 1; seed <= 40; seed++) {
        pair_of p;
        pair_create(&p, seed);
        ff_batch *b = ff_batch_create(p.batch, &(ff_batch_options){.robots = 3, .threads = 1}, NULL);
        double q[128], v[128], apart = 0.0;
        CHECK(b && p.model->nq <= 128);
        for (int k = 1; k <= steps; k++) {
            ff_error err = {0};
            if (ff_sim_run(p.sim, k * STEP, &err)) CHECK_FAIL("robot %d: %s", seed, err.text);
            CHECK_INT(ff_batch_step(b, 1, NULL), FF_OK);
            ff_batch_get_state(b, 1, q, v, NULL);
            for (int i = 0; i < p.model->nq; i++) apart = ff_max(apart, fabs(q[i] - ff_sim_q(p.sim)[i]));
            for (int i = 0; i < p.model->nv; i++) {
                const double size = 1.0 + fabs(v[i]);
                apart = ff_max(apart, fabs(v[i] - ff_sim_v(p.sim)[i]) / size);
            }
        }
        CHECK_INT(ff_batch_count(b, FF_BATCH_LIVES), 3);
        for (int i = 0; i < ff_batch_model_sizes(p.batch).npoint; i++) {
            ff_batch_contact_state c;
            ff_batch_get_contact(b, 0, i, &c, NULL);
            touched += c.mode != 0;
        }
        if (!(apart < 1e-11)) printf("  robot %d: %.2e apart\n", seed, apart);
        worst = ff_max(worst, apart);
        ff_batch_destroy(b);
        pair_destroy(&p);
    }
    printf("  farthest apart: %.1e, %d points in touch at the ends\n", worst, touched);
    CHECK(touched > 40);
    CHECK_NEAR(worst, 0.0, 1e-11);
}

// Robots of all laws, on planes and fields, 11 of each with other factors, of which some end: those stand still from
// then on, beside others that go on and without them.
TEST(any_number_of_lanes_gives_the_bits_of_one_for_every_law)
{
    for (int seed = 1; seed <= 28; seed++) {
        pair_of p;
        pair_create(&p, seed);
        uint64_t one = 0;
        for (int i = 0, lanes; (lanes = ff_batch_lanes_there(i)) > 0; i++) {
            const ff_batch_options o = {
                .robots = 11, .lanes = lanes, .threads = 1 + i, .end = "age > 20 and mass > 0.75 + 0.2 * friction"};
            ff_batch *b = ff_batch_create(p.batch, &o, NULL);
            for (int k = 0; k < 11; k++)
                for (int f = 0; f < FF_BATCH_PARAMETERS; f++)
                    ff_batch_set_parameter(b, k, (ff_batch_parameter)f, 0.8 + 0.03 * k + 0.01 * f, NULL);
            CHECK_INT(ff_batch_step(b, CHECK_LASTS(60, 24), NULL), FF_OK);
            CHECK(ff_batch_count(b, FF_BATCH_FINISHED) > 3 && ff_batch_count(b, FF_BATCH_FINISHED) < 11);
            if (i == 0) one = ff_batch_hash(b);
            if (ff_batch_hash(b) != one) CHECK_FAIL("robot %d has other bits with %d lanes", seed, lanes);
            ff_batch_destroy(b);
        }
        pair_destroy(&p);
    }
}

// ------------------------------------------------------------------------------------------ refusals

/// A ball on a stick that stands on a plane, which a batch knows.
static ff_spec *stick(void)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_body *body = ff_spec_add_body(spec, "stick", -1);
    body->has_inertial = true;
    body->mass = 1.0;
    body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.01;
    ff_spec_add_joint(spec, "lean", 0, FF_JOINT_HINGE)->axis[1] = 1.0;
    ff_spec_geom *ball = ff_spec_add_geom(spec, "ball", 0, FF_SHAPE_SPHERE);
    ball->size[0] = 0.05;
    ball->pos[2] = 0.05;
    ff_spec_add_geom(spec, "floor", -1, FF_SHAPE_PLANE);
    return spec;
}

typedef struct refusal {
    void (*change)(ff_spec *spec, ff_sim_options *options);
    const char *words;
} refusal;

static void by_rk4(ff_spec *spec, ff_sim_options *o)
{
    (void)spec;
    o->method = FF_METHOD_RK4;
}
static void with_tendon(ff_spec *spec, ff_sim_options *o)
{
    (void)o;
    ff_spec_tendon *t = ff_spec_add_tendon(spec, "string");
    ff_spec_add_tendon_piece(spec, t, FF_TENDON_JOINT, "lean", NULL, 1.0);
}
static void with_loop(ff_spec *spec, ff_sim_options *o)
{
    (void)o;
    ff_spec_equality *e = ff_spec_add_equality(spec, "locked", FF_EQUALITY_JOINT);
    e->object1 = "lean";
    e->object2 = "";
    e->active = true;
}
static void with_air(ff_spec *spec, ff_sim_options *o)
{
    (void)o;
    spec->density = 1.2;
}
static void with_lift(ff_spec *spec, ff_sim_options *o)
{
    (void)o;
    spec->bodies[0].gravcomp = 1.0;
}
static void with_mocap(ff_spec *spec, ff_sim_options *o)
{
    (void)o;
    ff_spec_add_body(spec, "pointer", -1)->mocap = true;
}
static void with_ball_spring(ff_spec *spec, ff_sim_options *o)
{
    (void)o;
    ff_spec_add_joint(spec, "swivel", 0, FF_JOINT_BALL)->stiffness = 1.0;
}
static void with_damped_root(ff_spec *spec, ff_sim_options *o)
{
    (void)o;
    spec->joints[0].type = FF_JOINT_FREE;
    spec->joints[0].damping = 1.0;
}
static void with_cylinder(ff_spec *spec, ff_sim_options *o)
{
    (void)o;
    spec->geoms[0].type = FF_SHAPE_CYLINDER;
    spec->geoms[0].size[1] = 0.1;
}
static void with_block(ff_spec *spec, ff_sim_options *o)
{
    (void)o;
    ff_vec3_set(ff_spec_add_geom(spec, "block", -1, FF_SHAPE_BOX)->size, 0.1, 0.1, 0.1);
}

static const refusal REFUSALS[] = {{by_rk4, "'rk4'"},
                                   {with_tendon, "tendons: \"string\""},
                                   {with_loop, "loops: \"locked\""},
                                   {with_air, "drag"},
                                   {with_lift, "joint \"lean\""},
                                   {with_mocap, "mocap body \"pointer\""},
                                   {with_ball_spring, "joint \"swivel\""},
                                   {with_damped_root, "damping of free roots"},
                                   {with_cylinder, "\"ball\" on \"floor\": a batch knows spheres"},
                                   {with_block, "\"block\" may meet \"ball\""}};

static ff_batch_model *compile_changed(void (*change)(ff_spec *, ff_sim_options *), ff_report *report)
{
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_EULER;
    o.step = 1e-3;
    ff_spec *spec = stick();
    if (change) change(spec, &o);
    ff_model *model = ff_model_compile(spec, NULL, report);
    if (!model) CHECK_FAIL("%s", message_of(report, 0));
    ff_world *world = ff_world_create(model, NULL, report);
    if (!world) CHECK_FAIL("%s", message_of(report, 0));
    ff_sim *sim = ff_sim_create(model, &o, NULL);
    CHECK_INT(ff_sim_add_world(sim, world, NULL), FF_OK);
    ff_batch_model *batch = ff_batch_compile(sim, NULL, 0, report);
    ff_sim_destroy(sim);
    ff_world_destroy(world);
    ff_model_destroy(model);
    ff_spec_destroy(spec);
    return batch;
}

/// @param options  who makes the steps
static ff_batch *unlike_robots(const ff_batch_model *model, ff_batch_options options)
{
    const ff_batch_spread table[] = {{.quantity = FF_BATCH_INERTIA, .low = 0.9, .high = 1.2},
                                     {.quantity = FF_BATCH_FRICTION, .low = 0.5, .high = 1.5, .which = "shape0"}};
    options.robots = 40;
    options.spreads = table;
    options.nspread = 2;
    options.threads = 1;
    options.end = "age > 120 and mass > 1";
    options.reward = "exp(-age * step) + sin(age * mass) - atan2(friction - 0.3, mass - 1)";
    ff_error err = {0};
    ff_batch *b = ff_batch_create(model, &options, &err);
    if (!b) CHECK_FAIL("%s", err.text);
    for (int i = 0; i < 40; i++) {
        ff_batch_set_parameter(b, i, FF_BATCH_MASS, 0.8 + 0.01 * i, NULL);
        ff_batch_set_parameter(b, i, FF_BATCH_FRICTION, 0.02 * i, NULL);
    }
    return b;
}

// All robots, all rows. Between the steps one begins again and one is changed: what the processor writes reaches the
// device, and what it did not write stays.
TEST(a_device_has_the_bits_of_the_processor)
{
    if (ff_batch_device_missing()) SKIP("%s", ff_batch_device_missing());
    for (int seed = 1; seed <= 12; seed++) {
        pair_of p;
        pair_create(&p, seed);
        ff_batch *both[2] = {unlike_robots(p.batch, (ff_batch_options){0}),
                             unlike_robots(p.batch, (ff_batch_options){.device = 1})};
        for (int k = 0; k < 2; k++) {
            CHECK_INT(ff_batch_step(both[k], 150, NULL), FF_OK);
            CHECK_INT(ff_batch_reset(both[k], 7, NULL), FF_OK);
            if (seed % 2 > 0) ff_batch_clear_rewards(both[k]);
            ff_batch_set_parameter(both[k], 33, FF_BATCH_CONTACT_STIFFNESS, 1.25, NULL);
            CHECK_INT(ff_batch_step(both[k], 50, NULL), FF_OK);
            CHECK_INT((int)ff_batch_age(both[k], 7), 50);
        }
        if (ff_batch_hash(both[0]) != ff_batch_hash(both[1])) CHECK_FAIL("robot %d has other bits on the device", seed);
        for (int k = 0; k < 2; k++) ff_batch_destroy(both[k]);
        pair_destroy(&p);
    }
}

// 6e-8 of each number in a step, over 100 steps of robots that spin, fall and touch.
TEST(a_device_in_single_precision_differs_by_its_rounding)
{
    if (ff_batch_device_missing()) SKIP("%s", ff_batch_device_missing());
    double worst = 0.0;
    int compared = 0;
    for (int seed = 1; seed <= 12; seed++) {
        pair_of p;
        ff_batch_special_size size;
        pair_create(&p, seed);
        if (!ff_batch_look_special(p.batch, FF_BATCH_SINGLE, &size)) { // a model too large for it
            pair_destroy(&p);
            continue;
        }
        compared++;
        const ff_batch_sizes sizes = ff_batch_model_sizes(p.batch);
        ff_batch *both[2] = {unlike_robots(p.batch, (ff_batch_options){0}),
                             unlike_robots(p.batch, (ff_batch_options){.device = 1, .single = 1})};
        for (int k = 0; k < 2; k++) CHECK_INT(ff_batch_step(both[k], 100, NULL), FF_OK);
        for (int i = 0; i < 40; i++) {
            double q[2][64], v[2][64];
            for (int k = 0; k < 2; k++) CHECK_INT(ff_batch_get_state(both[k], i, q[k], v[k], NULL), FF_OK);
            for (int k = 0; k < sizes.nq; k++) worst = ff_max(worst, fabs(q[0][k] - q[1][k]));
            for (int k = 0; k < sizes.nv; k++) worst = ff_max(worst, fabs(v[0][k] - v[1][k]) / (1.0 + fabs(v[0][k])));
            CHECK(ff_batch_age(both[1], i) == 100 && ff_batch_end_of(both[1], i) == ff_batch_end_of(both[0], i));
        }
        for (int k = 0; k < 2; k++) ff_batch_destroy(both[k]);
        pair_destroy(&p);
    }
    printf("  farthest apart: %.1e, %d robots\n", worst, compared);
    CHECK(compared > 6 && worst > 1e-12 && worst < 1e-3);
}

/// Number k of robot i in a view that lies in memory of the processor.
static double seen_at(const ff_batch_view *view, const double *data, int i, int k)
{
    return data[i / view->lanes * view->block_stride + i % view->lanes + k * view->row_stride];
}

TEST(views_show_the_numbers_of_robots_where_they_lie)
{
    pair_of p;
    pair_create(&p, 3);
    ff_batch *b = unlike_robots(p.batch, (ff_batch_options){0});
    const ff_batch_sizes sizes = ff_batch_model_sizes(p.batch);
    ff_batch_view q, v, reward, age;
    CHECK_INT(ff_batch_view_of(b, FF_BATCH_ARRAY_Q, &q, NULL), FF_OK);
    CHECK_INT(ff_batch_view_of(b, FF_BATCH_ARRAY_V, &v, NULL), FF_OK);
    CHECK_INT(ff_batch_view_of(b, FF_BATCH_ARRAY_REWARD, &reward, NULL), FF_OK);
    CHECK_INT(ff_batch_view_of(b, FF_BATCH_ARRAY_AGE, &age, NULL), FF_OK);
    CHECK_INT(q.device, -1);
    CHECK(q.count == sizes.nq && v.count == sizes.nv && q.blocks * q.lanes >= 40);
    ff_batch_step(b, 20, NULL);
    for (int i = 0; i < 40; i++) {
        double there_q[200], there_v[200];
        ff_batch_get_state(b, i, there_q, there_v, NULL);
        for (int k = 0; k < sizes.nq; k++) CHECK(seen_at(&q, q.data, i, k) == there_q[k]);
        for (int k = 0; k < sizes.nv; k++) CHECK(seen_at(&v, v.data, i, k) == there_v[k]);
        CHECK(seen_at(&reward, reward.data, i, 0) == ff_batch_reward(b, i));
        CHECK(seen_at(&age, age.data, i, 0) == (double)ff_batch_age(b, i));
    }
    CHECK_INT(ff_batch_view_of(b, FF_BATCH_ARRAYS, &q, NULL), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_view_of(NULL, FF_BATCH_ARRAY_Q, &q, NULL), FF_BAD_ARGUMENT);
    ff_batch_destroy(b);
    pair_destroy(&p);
}

#ifdef __linux__
#include <dlfcn.h>

// The memory of the device, read by the driver of CUDA alone, is that of the robots; what is written there counts.
TEST(views_of_a_device_are_its_memory)
{
    if (ff_batch_device_missing()) SKIP("%s", ff_batch_device_missing());
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    CHECK(driver);
    int (*fetch)(void *to, unsigned long long from, size_t size) = NULL;
    int (*send)(unsigned long long to, const void *from, size_t size) = NULL;
    *(void **)&fetch = dlsym(driver, "cuMemcpyDtoH_v2");
    *(void **)&send = dlsym(driver, "cuMemcpyHtoD_v2");
    CHECK(fetch && send);
    pair_of p;
    pair_create(&p, 3);
    ff_batch *b = unlike_robots(p.batch, (ff_batch_options){.device = 1});
    ff_batch_view view;
    ff_error err = {0};
    for (int round = 0; round < 2; round++) {
        CHECK_INT(ff_batch_step(b, 20, NULL), FF_OK);
        if (ff_batch_view_of(b, FF_BATCH_ARRAY_V, &view, &err)) CHECK_FAIL("%s", err.text);
        CHECK(view.device >= 0 && view.lanes == 32);
        const size_t size = sizeof(double) * (size_t)(view.block_stride * view.blocks); // of v and what follows ...
        const size_t used = size - sizeof(double) * (size_t)(view.block_stride - view.count * view.row_stride);
        double *copy = malloc(size);
        CHECK(copy && fetch(copy, (unsigned long long)(uintptr_t)view.data, used) == 0); // ... up to its last number
        for (int i = 0; i < 40; i++) {
            double v[200];
            ff_batch_get_state(b, i, NULL, v, NULL);
            for (int k = 0; k < view.count; k++) CHECK(seen_at(&view, copy, i, k) == v[k]);
        }
        free(copy);
    }
    // the age of robot 5, written on the device
    const double young = 3.0;
    CHECK_INT(ff_batch_view_of(b, FF_BATCH_ARRAY_AGE, &view, NULL), FF_OK);
    CHECK_INT(send((unsigned long long)(uintptr_t)(view.data + 5), &young, sizeof young), 0);
    CHECK_INT(ff_batch_step(b, 1, NULL), FF_OK);
    CHECK_INT((int)ff_batch_age(b, 5), 4);
    ff_batch_destroy(b);
    pair_destroy(&p);
    dlclose(driver);
}
#endif

// ------------------------------------------------------------------------------------------ a step written out

#ifdef FF_TEST_COMPILER
typedef void special_run(const ff_batch_model *m, const ff_batch_rules *rules, double *x, const double *in, int steps);

/// Compiles what specialise.c writes for a model as C. @return the library, to be closed
static void *compile_special(const ff_batch_model *model, int crew, const char *folder, special_run **run)
{
    char source[600], library[600], command[2400];
    snprintf(source, sizeof source, "%s/step%d.c", folder, crew);
    snprintf(library, sizeof library, "%s/step%d.so", folder, crew);
    FILE *file = fopen(source, "w");
    CHECK(file);
    if (crew > 1)
        fprintf(file, "#define _GNU_SOURCE\n#define CREW %d\n#include \"special_crew.h\"\n#undef CREW\n", crew);
    CHECK(ff_batch_write_special(model, crew, FF_BATCH_EXACT, file));
    CHECK(fputs("#include \"special_run.h\"\n", file) >= 0 && fclose(file) == 0);
    // nothing is inlined: else a compiler takes seconds
    snprintf(command, sizeof command,
             FF_TEST_COMPILER " -std=c17 -O0 -Dalways_inline=unused -ffp-contract=off -fno-math-errno -shared -fPIC "
                              "-pthread -DFF_LANES=1 -I" FF_SOURCE_DIR "/src -I" FF_SOURCE_DIR
                              "/src/physics -I" FF_SOURCE_DIR "/src/lab -I" FF_SOURCE_DIR "/include -I" FF_SOURCE_DIR
                              "/tests/lab/batch %s -o %s",
             source, library);
    CHECK_INT(system(command), 0);
    void *loaded = dlopen(library, RTLD_NOW);
    if (!loaded) CHECK_FAIL("%s", dlerror());
    *run = (special_run *)(uintptr_t)dlsym(loaded, "special_run"); // by an integer: C has no cast from data to code
    CHECK(*run);
    return loaded;
}

/// Its batch once more, with a differential on its first two hinges or slides and a force sensor on each body that
/// moves.
/// @return has it a differential?
static bool add_pair_and_cuts(pair_of *p)
{
    enum { MOST = 40 };
    static int below[MOST][MOST];
    ff_batch_servo servos[2] = {0};
    ff_batch_cut_given cuts[MOST];
    ff_batch_pair differential = {.lever = {{1.0, 1.0}, {1.0, -1.0}}, .offset = {0.1, 0.0}, .rotor = {0.01, 0.01}};
    ff_batch_given given = {.servos = servos, .cuts = cuts, .pairs = &differential};
    for (int i = 0; i < p->model->njoint && given.nservo < 2; i++) {
        if (!ff_joint_is_scalar(p->model->joints[i].type)) continue;
        differential.joint[given.nservo] = i;
        servos[given.nservo++] =
            (ff_batch_servo){.joint = i, .stiffness = 3.0, .damping = 0.1, .most = 2.0, .loop.period = 3};
    }
    given.npair = given.nservo == 2;
    CHECK(p->model->nbody <= MOST);
    for (int i = 0; i < p->model->nbody; i++) {
        if (p->model->bodies[i].node < 0) continue;
        ff_batch_cut_given *cut = &cuts[given.ncut];
        *cut = (ff_batch_cut_given){.body = i,
                                    .below = below[given.ncut++],
                                    .R = {0, 0, 1, 1, 0, 0, 0, 1, 0},
                                    .at = {0.1, -0.2, 0.3},
                                    .six = true};
        for (int k = i; k < p->model->nbody; k++) {
            int above = k;
            while (above > i) above = p->model->bodies[above].parent;
            if (above == i) below[cut - cuts][cut->nbelow++] = k;
        }
    }
    ff_batch_model_destroy(p->batch);
    p->batch = ff_batch_compile_given(p->sim, &given, &p->report);
    if (!p->batch) CHECK_FAIL("%s", message_of(&p->report, 0));
    return given.npair > 0;
}

/// A robot by the step that is written out for it, beside the kernel of one lane: 100 steps, of which it lives 80.
static void compare_special(pair_of *p, int seed, int crew, const char *folder)
{
    // with numbers of single bodies and shapes of each robot
    const ff_batch_spread rows[] = {
        {.quantity = FF_BATCH_MASS, .low = 1.2, .high = 1.3, .which = p->batch->bodies[1].name},
        {.quantity = FF_BATCH_FRICTION, .low = 0.5, .high = 0.6, .which = "shape0"}};
    ff_draws draws;
    ff_formula code = {0};
    double x[2][2000], drawn[2];
    CHECK_INT(ff_draws_make(&draws, p->batch, rows, 2, NULL), FF_OK);
    const ff_batch_model *m = draws.model;
    CHECK(m->nrow <= 2000);
    CHECK_INT(ff_formula_compile(m, "end", "age >= 80", true, &code, NULL), FF_OK);
    ff_batch_rules rules = {.nend = code.count, .feels = 1};
    CHECK_INT(ff_formula_compile(m, "reward", m->root >= 0 ? "root.vx" : "age", false, &code, NULL), FF_OK);
    rules.nreward = code.count - rules.nend;
    rules.code = code.code;
    special_run *run;
    void *library = compile_special(m, crew, folder, &run);
    ff_random random = ff_random_make(1, (uint64_t)seed);
    memcpy(x[0], m->start, (size_t)m->nrow * sizeof(double));
    ff_draws_robot(&draws, &random, x[0], drawn);
    memcpy(x[1], x[0], (size_t)m->nrow * sizeof(double));
    void *scratch = aligned_alloc(FF_BATCH_ALIGNMENT, ff_batch_kernel_1.scratch(m));
    ff_batch_kernel_1.run(m, &rules, x[0], m->start_input, scratch, 100);
    run(m, &rules, x[1], m->start_input, 100);
    CHECK(x[0][m->robot + FF_ROBOT_AGE] == 80.0 && x[0][m->robot + FF_ROBOT_REWARD] != 0.0);
    CHECK(m->ncut > 1 && x[0][m->cut] != 0.0 && x[0][m->cut + FF_CUT_ROWS + 4] != 0.0);
    for (int i = 0; i < m->nrow; i++)
        if (x[0][i] != x[1][i])
            CHECK_FAIL("robot %d, crew of %d, row %d: %.17g and %.17g", seed, crew, i, x[0][i], x[1][i]);
    free(scratch);
    free(code.code);
    dlclose(library);
    ff_draws_clear(&draws);
}

// Products by zero that are left out may change the sign of a zero, and nothing else. Crews share branches.
TEST(a_step_that_is_written_out_has_the_same_numbers)
{
    static const struct {
        int seed, crew, trees, stations; // stations: bodies on which limbs hang
        bool turns;                      // torsion and rolling
    } cases[] = {{14, 1, 1, 0, false}, {13, 2, 1, 2, true}, {44, 4, 2, 2, false}, {44, 8, 2, 2, false}};
    int pairs = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pair_of p;
        layout l;
        pair_create(&p, cases[i].seed);
        pairs += add_pair_and_cuts(&p);
        CHECK(ff_chains_find(&l, p.batch, cases[i].crew));
        CHECK_INT(l.nstation, cases[i].stations);
        CHECK_INT(p.batch->ntree, cases[i].trees);
        CHECK(!cases[i].turns || p.batch->contacts[0].turns);
        compare_special(&p, cases[i].seed, cases[i].crew, test_folder());
        ff_chains_clear(&l);
        pair_destroy(&p);
    }
    CHECK(pairs > 1);
}

// As a caller has it, with draws and formulas: a plane and a Stribeck curve, two trees and anchors, a field as soil.
// One begins again between the steps.
TEST(code_by_a_compiler_has_the_bits_of_the_general_loop_for_random_robots)
{
    static const int seeds[] = {21, 22, 35};
    set_compiler("-O0");
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        pair_of p;
        pair_create(&p, seeds[i]);
        ff_batch *both[] = {unlike_robots(p.batch, (ff_batch_options){0}),
                            unlike_robots(p.batch, (ff_batch_options){.specialise = 1})};
        if (ff_batch_kernel_reason(both[1])) CHECK_FAIL("robot %d: %s", seeds[i], ff_batch_kernel_reason(both[1]));
        for (int k = 0; k < 2; k++) {
            CHECK_INT(ff_batch_step(both[k], 130, NULL), FF_OK);
            CHECK_INT(ff_batch_reset(both[k], 7, NULL), FF_OK);
            CHECK_INT(ff_batch_step(both[k], 20, NULL), FF_OK);
            CHECK_INT((int)ff_batch_age(both[k], 7), 20);
        }
        CHECK(ff_batch_count(both[0], FF_BATCH_FINISHED) > 0);
        if (ff_batch_hash(both[0]) != ff_batch_hash(both[1])) CHECK_FAIL("robot %d has other bits", seeds[i]);
        for (int k = 0; k < 2; k++) ff_batch_destroy(both[k]);
        pair_destroy(&p);
    }
}
#endif

TEST(a_device_that_is_not_there_is_named)
{
    if (!ff_batch_device_missing()) SKIP("there is one");
    ff_report report = {0};
    ff_error err = {0};
    ff_batch_model *model = compile_changed(NULL, &report);
    CHECK(model && !ff_batch_create(model, &(ff_batch_options){.robots = 2, .device = 1}, &err));
    CHECK(strstr(err.text, ff_batch_device_missing()));
    ff_batch_model_destroy(model);
    ff_report_clear(&report);
}

TEST(what_a_batch_cannot_do_is_refused_by_name)
{
    ff_report report = {0};
    ff_batch_model *plain = compile_changed(NULL, &report);
    if (!plain) CHECK_FAIL("%s", message_of(&report, 0));
    ff_batch_model_destroy(plain);
    for (size_t i = 0; i < sizeof REFUSALS / sizeof *REFUSALS; i++) {
        ff_report_clear(&report);
        CHECK(!compile_changed(REFUSALS[i].change, &report));
        bool said = false;
        for (int k = 0; k < report.count; k++) said = said || strstr(message_of(&report, k), REFUSALS[i].words);
        if (!said || report.errors != 1)
            CHECK_FAIL("refusal %zu: %d errors, the first: %s", i, report.errors, message_of(&report, 0));
    }
    ff_report_clear(&report);
}

static ff_sim_action idle(void *context, ff_sim *sim, double t)
{
    (void)context, (void)sim, (void)t;
    return FF_SIM_GO;
}

static void nothing(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    (void)context, (void)t, (void)m, (void)d, (void)z, (void)zdot;
}

TEST(parts_tasks_wrenches_and_servos_without_a_joint_are_refused)
{
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_EULER;
    o.step = 1e-3;
    ff_spec *spec = stick();
    ff_model *model = ff_model_compile(spec, NULL, NULL);
    ff_sim *sim = ff_sim_create(model, &o, NULL);
    const ff_part part = {.name = "muscle", .derivative = nothing};
    const ff_task writes = {.name = "brain", .period = ff_ticks_from_seconds(1e-3), .run = idle};
    ff_task reads = writes;
    reads.name = "eye";
    reads.reads_only = true;
    CHECK(ff_sim_add_part(sim, &part, NULL) >= 0 && ff_sim_add_task(sim, &writes, NULL) >= 0);
    CHECK(ff_sim_add_task(sim, &reads, NULL) >= 0);
    const double up[3] = {0, 0, 1};
    ff_sim_apply(sim, (ff_body_id){0}, NULL, up, NULL, FF_AXES_WORLD);
    ff_sim_set_torque(sim, 0, 2.0);
    const ff_batch_servo servos[] = {{.joint = 7}, {.joint = 7, .stiffness = -1.0}};
    static const char *const words[] = {"\"muscle\"",          "\"brain\"",      "wrenches",     "servo 0",
                                        "servo 1 is on joint", "the same joint", "stiffness -1", "held torque of 2"};
    ff_report report = {0};
    CHECK(!ff_batch_compile(sim, servos, 2, &report));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        bool said = false;
        for (int k = 0; k < report.count; k++) said = said || strstr(message_of(&report, k), words[i]);
        if (!said) CHECK_FAIL("nothing about %s", words[i]);
    }
    CHECK_INT(report.errors, 8);
    ff_report_clear(&report);
    CHECK(!ff_batch_compile(NULL, NULL, 0, &report) && report.errors == 1);
    CHECK(!ff_batch_compile(NULL, NULL, 0, NULL));
    ff_report_clear(&report);
    ff_sim_destroy(sim);
    ff_model_destroy(model);
    ff_spec_destroy(spec);
}
