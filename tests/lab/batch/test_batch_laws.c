// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws of contact of a batch against closed forms: torsion and rolling resistance slow a ball evenly, a Stribeck curve
// slows a block by the factor of a linear damper below its threshold, an anchor holds a block where its spring carries
// the load. Every law, in a robot of a batch, moves it as in a simulation by euler.
#include "check.h"
#include "support/message.h"

#include <footfall/footfall.h>

static const double STEP = 1e-4, GRAVITY = 9.81, MASS = 2.0, RADIUS = 0.1;
static const double STIFFNESS = 2e5;

/// What stands on the plane: a free ball, or a ball that two slides lead along x and z, so that it cannot roll.
typedef enum rider { FREE_BALL, LED_BALL } rider;

typedef struct table {
    ff_spec *spec;
    ff_model *model;
    ff_world *world;
    ff_sim *sim;
    ff_batch_model *batch;
} table;

static ff_material skin(ff_friction_law law)
{
    ff_material m = ff_material_default();
    snprintf(m.name, sizeof m.name, "skin");
    m.normal = (ff_normal){.law = FF_NORMAL_KELVIN_VOIGT, .stiffness = STIFFNESS, .exponent = 1.0, .damping = 400.0};
    m.normal.impact_floor = 0.01;
    m.friction.law = law;
    m.friction.mu_static = m.friction.mu_kinetic = 0.8;
    m.friction.stiffness = 1e5;
    m.friction.damping = 300.0;
    m.friction.patch_radius = 0.02;
    m.friction.breakaway = 1.5;
    m.friction.viscous = 20.0;
    m.friction.threshold = 0.2;
    m.friction.decay = -1.0;
    m.friction.scale_speed = 0.3;
    m.friction.slowdown = 2.0;
    return m;
}

static void add_joints(ff_spec *spec, rider kind)
{
    if (kind == FREE_BALL) {
        ff_spec_add_joint(spec, "root", 0, FF_JOINT_FREE);
        return;
    }
    ff_vec3_set(ff_spec_add_joint(spec, "along", 0, FF_JOINT_SLIDE)->axis, 1.0, 0.0, 0.0);
    ff_vec3_set(ff_spec_add_joint(spec, "up", 0, FF_JOINT_SLIDE)->axis, 0.0, 0.0, 1.0);
}

/// A ball in balance on a plane, so deep that its weight is carried, at the velocity v. Gravity leans by `slope`.
static void table_create(table *t, rider kind, const ff_material *m, double slope, const double *v)
{
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    ff_vec3_set(spec->gravity, GRAVITY * ff_sin(slope), 0.0, -GRAVITY * ff_cos(slope));
    ff_spec_add_material(spec, m->name, NULL)->material = *m;
    ff_spec_body *body = ff_spec_add_body(spec, "body", -1);
    body->has_inertial = true;
    body->mass = MASS;
    body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.4 * MASS * RADIUS * RADIUS;
    body->pos[2] = RADIUS - MASS * GRAVITY * ff_cos(slope) / STIFFNESS;
    add_joints(spec, kind);
    ff_spec_geom *ball = ff_spec_add_geom(spec, "ball", 0, FF_SHAPE_SPHERE);
    ball->size[0] = RADIUS;
    ball->gives_mass = false;
    ball->material = "skin";
    ff_material rigid; // leaves the numbers of the skin as they are
    CHECK_INT(ff_material_find("rigid", &rigid, NULL), FF_OK);
    ff_spec_add_material(spec, rigid.name, NULL)->material = rigid;
    ff_spec_add_geom(spec, "floor", -1, FF_SHAPE_PLANE)->material = "rigid";
    *t = (table){.spec = spec, .model = ff_model_compile(spec, NULL, &report)};
    if (!t->model) CHECK_FAIL("%s", message_of(&report, 0));
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_EULER;
    o.step = STEP;
    t->world = ff_world_create(t->model, NULL, NULL);
    t->sim = ff_sim_create(t->model, &o, NULL);
    CHECK_INT(ff_sim_add_world(t->sim, t->world, NULL), FF_OK);
    ff_sim_set_state(t->sim, t->model->q0, v);
    t->batch = ff_batch_compile(t->sim, NULL, 0, &report);
    if (!t->batch) CHECK_FAIL("%s", message_of(&report, 0));
    ff_report_clear(&report);
}

static void table_destroy(table *t)
{
    ff_batch_model_destroy(t->batch);
    ff_sim_destroy(t->sim);
    ff_world_destroy(t->world);
    ff_model_destroy(t->model);
    ff_spec_destroy(t->spec);
}

/// Velocity number k of a robot.
static double speed_of(const ff_batch *b, int robot, int k)
{
    double v[6];
    CHECK_INT(ff_batch_get_state(b, robot, NULL, v, NULL), FF_OK);
    return v[k];
}

// ------------------------------------------------------------------------------------------ turning

// The spring of the patch is at its limit after some milliseconds. From then on the moment is arm m g, the same in each
// step, and the spin falls by arm m g h / I: friction scales the arm.
TEST(torsion_slows_a_spinning_ball_evenly)
{
    ff_material m = skin(FF_FRICTION_STICK_SLIP);
    m.friction.torsion = 0.01;
    table t;
    table_create(&t, FREE_BALL, &m, 0.0, (const double[]){0, 0, 0, 0, 0, 30});
    ff_batch *b = ff_batch_create(t.batch, &(ff_batch_options){.robots = 2}, NULL);
    ff_batch_set_parameter(b, 1, FF_BATCH_FRICTION, 0.5, NULL);
    ff_batch_step(b, 500, NULL);
    const double before[2] = {speed_of(b, 0, 5), speed_of(b, 1, 5)};
    ff_batch_step(b, 1000, NULL);
    const double inertia = 0.4 * MASS * RADIUS * RADIUS, lost = 0.01 * MASS * GRAVITY * 1000 * STEP / inertia;
    CHECK_NEAR(before[0] - speed_of(b, 0, 5), lost, 1e-10 * lost);
    CHECK_NEAR(before[1] - speed_of(b, 1, 5), 0.5 * lost, 1e-10 * lost);
    ff_batch_step(b, 20000, NULL); // it has stopped, and does not creep
    CHECK_NEAR(speed_of(b, 0, 5), 0.0, 1e-9);
    ff_batch_destroy(b);
    table_destroy(&t);
}

// Rolling without slip, r = R - depth / 2 the height of the middle over the point: I w' = F r - b N, m v' = -F, v = w r
// give v' = -b N r / (I + m r^2). The way to rest is v^2 / (2 |v'|) - v h / 2, a sum of h v over steps; then the
// springs of the patch and of the grip turn and push the ball back by what they were bent.
TEST(rolling_resistance_slows_a_rolling_ball_evenly)
{
    ff_material m = skin(FF_FRICTION_STICK_SLIP);
    const double arm = 0.004, depth = MASS * GRAVITY / STIFFNESS, r = RADIUS - 0.5 * depth;
    m.friction.rolling = arm;
    table t;
    table_create(&t, FREE_BALL, &m, 0.0, (const double[]){0.5, 0, 0, 0, 0.5 / r, 0});
    ff_batch *b = ff_batch_create(t.batch, &(ff_batch_options){.robots = 2}, NULL);
    double q[7];
    ff_batch_step(b, 3000, NULL);
    const double before = speed_of(b, 1, 0), inertia = 0.4 * MASS * RADIUS * RADIUS;
    const double brake = arm * MASS * GRAVITY * r / (inertia + MASS * r * r);
    ff_batch_get_state(b, 1, q, NULL, NULL);
    const double from = q[0];
    ff_batch_step(b, 2000, NULL);
    CHECK_NEAR(before - speed_of(b, 1, 0), brake * 2000 * STEP, 1e-7);
    ff_batch_step(b, 40000, NULL);
    ff_batch_get_state(b, 1, q, NULL, NULL);
    const double way = before * before / (2.0 * brake) - 0.5 * before * STEP;
    const double spring = 0.25 * m.friction.stiffness * m.friction.patch_radius * m.friction.patch_radius;
    const double back = arm * MASS * GRAVITY / spring * r + MASS * brake / m.friction.stiffness;
    printf("  way %.7f m, closed form %.7f m, of which %.7f m back\n", q[0] - from, way - back, back);
    CHECK_NEAR(q[0] - from, way - back, 1e-6); // the last step stops within it, at some part of brake h^2 = 3e-9
    CHECK_NEAR(speed_of(b, 1, 0), 0.0, 1e-9);
    ff_batch_destroy(b);
    table_destroy(&t);
}

// ------------------------------------------------------------------------------------------ the Stribeck curve

// Below the threshold the curve is a linear damper c = c_d c_brk, so that a step multiplies the speed by 1 - h c / m.
// Far above the threshold its cone holds it: the block loses mu g a second.
TEST(a_stribeck_curve_is_a_damper_below_its_threshold_and_its_cone_above)
{
    const ff_material m = skin(FF_FRICTION_STRIBECK);
    table t;
    table_create(&t, LED_BALL, &m, 0.0, (const double[]){0.15, 0.0});
    ff_batch *b = ff_batch_create(t.batch, &(ff_batch_options){.robots = 3}, NULL);
    double expected = 0.15, slow = 0.15;
    ff_batch_set_state(b, 2, NULL, (const double[]){8.0, 0.0}, NULL); // 8 m/s: 162 N wanted, 0.8 m g are there
    ff_batch_set_parameter(b, 1, FF_BATCH_FRICTION, 0.5, NULL);
    for (int k = 0; k < 2000; k++) {
        expected *= 1.0 - STEP * 20.0 * 1.5 / MASS;
        slow *= 1.0 - STEP * 0.5 * 20.0 * 1.5 / MASS;
    }
    ff_batch_step(b, 1000, NULL);
    CHECK_NEAR(speed_of(b, 2, 0), 8.0 - 0.8 * GRAVITY * 1000 * STEP, 1e-10);
    ff_batch_step(b, 1000, NULL);
    CHECK_NEAR(speed_of(b, 0, 0), expected, 1e-12);
    CHECK_NEAR(speed_of(b, 1, 0), slow, 1e-12);
    ff_batch_destroy(b);
    table_destroy(&t);
}

// Behind the peak: F = v_th (c_brk - 1) exp(decay (v - v_th) / v_min) + v, by one step and the library's exponential.
TEST(behind_its_peak_a_stribeck_curve_falls_exponentially)
{
    const ff_material m = skin(FF_FRICTION_STRIBECK);
    table t;
    table_create(&t, LED_BALL, &m, 0.0, (const double[]){0.6, 0.0});
    ff_batch *b = ff_batch_create(t.batch, &(ff_batch_options){.robots = 1}, NULL);
    ff_batch_step(b, 1, NULL);
    const double force = 20.0 * (0.2 * 0.5 * exp(-(0.6 - 0.2) / 0.3) + 0.6);
    CHECK_NEAR(speed_of(b, 0, 0), 0.6 - STEP * force / MASS, 1e-15);
    ff_batch_destroy(b);
    table_destroy(&t);
}

// The anchor of a block on a slope comes to rest where k s = m g sin(slope), and stays there.
TEST(an_anchor_holds_a_block_where_its_spring_carries_it)
{
    const ff_material m = skin(FF_FRICTION_ANCHORED);
    const double slope = 0.3; // let go at once, it swings to twice the load, which is short of the limit
    table t;
    table_create(&t, LED_BALL, &m, slope, (const double[]){0.0, 0.0});
    ff_batch *b = ff_batch_create(t.batch, &(ff_batch_options){.robots = 2}, NULL);
    ff_batch_contact_state c;
    double q[2];
    ff_batch_step(b, 50000, NULL); // the swing fades with d / (2 m) = 3.75 1/s: 7e-9 of it are left
    ff_batch_get_state(b, 1, q, NULL, NULL);
    ff_batch_get_contact(b, 1, 0, &c, NULL);
    const double way = MASS * GRAVITY * ff_sin(slope) / m.friction.stiffness;
    CHECK_NEAR(q[0], way, 1e-8 * way);
    CHECK_NEAR(c.spring[0], way, 1e-8 * way);
    CHECK_INT(c.mode, FF_CONTACT_STATIC);
    ff_batch_destroy(b);
    table_destroy(&t);
}

// ------------------------------------------------------------------------------------------ as in a simulation

/// Materials that a simulation and a batch are compared with.
static ff_material law_number(int i)
{
    static const ff_friction_law laws[] = {FF_FRICTION_STRIBECK,   FF_FRICTION_ANCHORED, FF_FRICTION_STICK_SLIP,
                                           FF_FRICTION_STICK_SLIP, FF_FRICTION_NONE,     FF_FRICTION_SOIL};
    ff_material m = skin(laws[i]);
    if (i == 2 || i == 4) m.friction.torsion = 0.008;
    if (i == 3 || i == 4) m.friction.rolling = 0.006;
    if (i == 5) { // Silva's ground: powers of the depth that are not whole
        m.normal = (ff_normal){.law = FF_NORMAL_SOIL, .stiffness = STIFFNESS, .exponent = 1.0, .damping = 3e5};
        m.normal.damping_exponent = m.friction.damping_exponent = 0.9;
        m.friction.damping = 2e5;
    }
    return m;
}

// 3000 steps that spin, roll, slide and bounce a little. Rounding of 1e-16 a step in positions of 1 and speeds of 10,
// which contacts of 1e5 N/m on 2 kg hand on within their period and dampers damp: a thousand times that.
TEST(a_robot_of_every_law_moves_as_in_a_simulation)
{
    double worst = 0.0;
    for (int i = 0; i < 6; i++) {
        const ff_material m = law_number(i);
        table t;
        table_create(&t, FREE_BALL, &m, 0.05, (const double[]){0.8, -0.3, 0.4, 3.0, -2.0, 12.0});
        ff_batch *b = ff_batch_create(t.batch, &(ff_batch_options){.robots = 3}, NULL);
        double q[7], v[6], apart = 0.0;
        for (int k = 1; k <= CHECK_LASTS(3000, 600); k++) {
            CHECK_INT(ff_batch_step(b, 1, NULL), FF_OK);
            CHECK_INT(ff_sim_run(t.sim, k * STEP, NULL), FF_OK);
            ff_batch_get_state(b, 1, q, v, NULL);
            for (int j = 0; j < 7; j++) apart = ff_max(apart, fabs(q[j] - ff_sim_q(t.sim)[j]));
            for (int j = 0; j < 6; j++) apart = ff_max(apart, fabs(v[j] - ff_sim_v(t.sim)[j]));
        }
        printf("  law %d: %.1e apart\n", i, apart);
        worst = ff_max(worst, apart);
        ff_batch_destroy(b);
        table_destroy(&t);
    }
    CHECK_NEAR(worst, 0.0, 1e-12);
}
