// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Servos of batches with what is between them and the joint: torque-speed lines and motors in closed form, as the parts
// of drives compute them, and targets that act some steps late.
#include "check.h"
#include "support/message.h"

#include <footfall/batch_outcome.h>
#include <footfall/footfall.h>

static const double STEP = 5e-4;
enum { JOINTS = 2 };

// ------------------------------------------------------------------------------------------ a pendulum of two

static ff_model *pendulum(void)
{
    ff_spec *spec = ff_spec_create(NULL);
    for (int i = 0; i < JOINTS; i++) {
        ff_spec_body *body = ff_spec_add_body(spec, i == 0 ? "upper" : "lower", i - 1);
        body->has_inertial = true;
        body->mass = 0.4;
        body->inertia[0] = body->inertia[1] = body->inertia[2] = 2e-3;
        body->com[2] = -0.1;
        body->pos[2] = i == 0 ? 0.0 : -0.2;
        ff_spec_joint *joint = ff_spec_add_joint(spec, i == 0 ? "hip" : "knee", i, FF_JOINT_HINGE);
        ff_vec3_set(joint->axis, 0.0, 1.0, 0.0);
        joint->armature = 1e-3;
    }
    ff_model *model = ff_model_compile(spec, NULL, NULL);
    ff_spec_destroy(spec);
    CHECK(model);
    return model;
}

static ff_sim *sim_of(const ff_model *model)
{
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_EULER;
    o.step = STEP;
    return ff_sim_create(model, &o, NULL);
}

static double target_at(int step, int joint)
{
    return 0.8 * ff_sin(0.03 * step + joint) + (step / 60 % 2 ? 0.4 : -0.4);
}

// ------------------------------------------------------------------------------------------ drives

/// The law of a servo and its drive by the parts of drive_parts.h.
typedef struct law {
    ff_batch_servo servo;
    double target[JOINTS];
    int bounded; // how often the drive gave something else than was asked for
} law;

static double drive_torque(law *l, double demand, double v)
{
    const ff_batch_servo *s = &l->servo;
    const ff_batch_motor *m = &s->motor;
    const ff_dc_motor dc = {.resistance = m->resistance,
                            .constant = m->constant,
                            .viscous = m->viscous,
                            .dry = m->dry,
                            .dry_speed = m->dry_speed};
    double torque = ff_drive_clamp(demand, s->most);
    if (s->no_load > 0.0) torque = ff_motor_line(s->most, s->no_load, v, torque);
    if (m->constant > 0.0) {
        const double w = m->gear * v, current = torque / (m->gear * m->constant);
        const double voltage = ff_drive_clamp(m->resistance * current + m->constant * w, m->voltage);
        const double given = m->constant * ff_dc_motor_current(&dc, voltage, w);
        torque = m->gear * (given - ff_dc_motor_friction(&dc, w, NULL) -
                            ff_gear_loss(m->efficiency, given, w, m->dry_speed, NULL));
    }
    l->bounded += fabs(torque - demand) > 1e-9;
    return torque;
}

static void act(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    (void)t, (void)m, (void)z, (void)zdot;
    law *l = context;
    for (int i = 0; i < JOINTS; i++) {
        const double demand = l->servo.stiffness * (l->target[i] - d->q[i]) - l->servo.damping * d->v[i];
        d->tau[i] += drive_torque(l, demand, d->v[i]);
    }
}

static const ff_batch_motor MOTOR = {.constant = 0.01,
                                     .resistance = 2.0,
                                     .voltage = 12.0,
                                     .gear = 60.0,
                                     .efficiency = 0.7,
                                     .viscous = 1e-6,
                                     .dry = 2e-4,
                                     .dry_speed = 5.0};

// Both compute the same equations, joints and dynamics in another order: they differ by rounding, which the servo
// damps.
TEST(drives_give_what_those_of_a_simulation_give)
{
    const ff_batch_motor lossless = {
        .constant = 0.01, .resistance = 2.0, .voltage = 12.0, .gear = 60.0, .efficiency = 1.0};
    const ff_batch_servo base = {.joint = -1, .stiffness = 30.0, .damping = 0.4, .most = 3.0};
    for (int k = 0; k < 4; k++) {
        law l = {.servo = base};
        if (k == 0) l.servo.no_load = 6.0;
        if (k == 1) l.servo.motor = lossless;
        if (k >= 2) l.servo.motor = MOTOR;
        if (k == 3) l.servo.no_load = 9.0;
        ff_model *model = pendulum();
        ff_sim *sim = sim_of(model), *plain = sim_of(model);
        const ff_part part = {.name = "law", .context = &l, .derivative = act};
        CHECK(ff_sim_add_part(sim, &part, NULL) >= 0);
        ff_report report = {0};
        ff_batch_model *batch = ff_batch_compile(plain, &l.servo, 1, &report);
        if (!batch) CHECK_FAIL("%s", message_of(&report, 0));
        ff_batch *b = ff_batch_create(batch, &(ff_batch_options){.robots = 3, .threads = 1}, NULL);
        double apart = 0.0, q[JOINTS], v[JOINTS];
        const int steps = CHECK_LASTS(4000, 1200);
        for (int n = 0; n < steps; n++) {
            for (int i = 0; i < JOINTS; i++) l.target[i] = target_at(n, i);
            CHECK_INT(ff_sim_run(sim, (n + 1) * STEP, NULL), FF_OK);
            ff_batch_set_targets(b, 1, l.target, NULL, NULL, NULL);
            ff_batch_step(b, 1, NULL);
            ff_batch_get_state(b, 1, q, v, NULL);
            for (int i = 0; i < JOINTS; i++) {
                apart = ff_max(apart, fabs(q[i] - ff_sim_q(sim)[i]));
                apart = ff_max(apart, fabs(v[i] - ff_sim_v(sim)[i]) / (1.0 + fabs(v[i])));
            }
        }
        printf("  drive %d: %.1e apart in %d steps, bounded at %d of %d\n", k, apart, steps, l.bounded, steps * JOINTS);
        CHECK(l.bounded > steps / 10);
        CHECK_NEAR(apart, 0.0, 1e-10);
        ff_batch_destroy(b);
        ff_batch_model_destroy(batch);
        ff_sim_destroy(sim);
        ff_sim_destroy(plain);
        ff_model_destroy(model);
        ff_report_clear(&report);
    }
}

// ------------------------------------------------------------------------------------------ delays

static ff_batch_model *servos_with(const ff_batch_servo *servo)
{
    ff_model *model = pendulum();
    ff_sim *sim = sim_of(model);
    ff_report report = {0};
    ff_batch_model *batch = ff_batch_compile(sim, servo, 1, &report);
    if (!batch) CHECK_FAIL("%s", message_of(&report, 0));
    ff_sim_destroy(sim);
    ff_model_destroy(model);
    ff_report_clear(&report);
    return batch;
}

// A loop that samples every step keeps nothing and has the bits of one that does: bounds of targets that are never
// reached make it one that keeps. A motor with a line, which only loops that act at any time have, stays sampled.
TEST(a_loop_sampled_in_every_step_is_a_plain_servo)
{
    ff_batch_servo servos[4];
    for (int k = 0; k < 4; k++) {
        servos[k] = (ff_batch_servo){.joint = -1, .stiffness = 30.0, .damping = 0.4, .most = 3.0, .loop.period = 1};
        if (k % 2 == 1) servos[k].no_load = 6.0;
        if (k >= 2) servos[k].motor = MOTOR;
        ff_batch_servo bounded = servos[k];
        bounded.loop.reach[0] = -1000.0;
        bounded.loop.reach[1] = 1000.0;
        ff_batch_model *const models[2] = {servos_with(&servos[k]), servos_with(&bounded)};
        double q[2][JOINTS];
        for (int i = 0; i < 2; i++) {
            ff_batch *b = ff_batch_create(models[i], &(ff_batch_options){.robots = 1, .threads = 1}, NULL);
            for (int n = 0; n < 300; n++) {
                const double target[JOINTS] = {target_at(n, 0), target_at(n, 1)};
                ff_batch_set_targets(b, 0, target, NULL, NULL, NULL);
                ff_batch_step(b, 1, NULL);
            }
            ff_batch_get_state(b, 0, q[i], NULL, NULL);
            ff_batch_destroy(b);
        }
        if (memcmp(q[0], q[1], sizeof q[0]) != 0) CHECK_FAIL("servo %d: %.17g and %.17g", k, q[0][0], q[1][0]);
        const bool less = ff_batch_model_sizes(models[0]).nrow < ff_batch_model_sizes(models[1]).nrow;
        CHECK_INT(less, k < 3);
        for (int i = 0; i < 2; i++) ff_batch_model_destroy(models[i]);
    }
}

/// A robot without delay whose targets are given `late` steps later; before that it has those it began with.
static void undelayed(const ff_batch_model *model, int late, int steps, double q[JOINTS])
{
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 1, .threads = 1}, NULL);
    for (int n = 0; n < steps; n++) {
        const double target[JOINTS] = {target_at(n - late, 0), target_at(n - late, 1)};
        if (n >= late) ff_batch_set_targets(b, 0, target, NULL, NULL, NULL);
        ff_batch_step(b, 1, NULL);
    }
    ff_batch_get_state(b, 0, q, NULL, NULL);
    ff_batch_destroy(b);
}

enum { ROBOTS = 21, DELAY = 4, STEPS = 150 };

/// Runs robots whose delays are drawn. @param states  of the robots at the end  (ROBOTS*JOINTS)
/// @param delays  as the column of that name has them  (ROBOTS)
static uint64_t run_late(const ff_batch_model *model, int lanes, int threads, double *states, double *delays)
{
    const ff_batch_spread table = {.quantity = FF_BATCH_DELAY, .low = 0, .high = DELAY};
    const ff_batch_options o = {
        .robots = ROBOTS, .lanes = lanes, .threads = threads, .seed = 3, .spreads = &table, .nspread = 1};
    ff_batch *b = ff_batch_create(model, &o, NULL);
    CHECK(b);
    for (int n = 0; n < STEPS; n++) {
        const double target[JOINTS] = {target_at(n, 0), target_at(n, 1)};
        for (int i = 0; i < ROBOTS; i++) ff_batch_set_targets(b, i, target, NULL, NULL, NULL);
        ff_batch_step(b, 1, NULL);
    }
    ff_batch_column columns[FF_BATCH_COLUMNS_MOST];
    double values[FF_BATCH_COLUMNS_MOST];
    const int last = ff_batch_columns(b, columns) - 1;
    CHECK_TEXT(columns[last].name, "delay");
    CHECK_TEXT(columns[last].unit, "steps");
    for (int i = 0; i < ROBOTS; i++) {
        ff_batch_get_state(b, i, states + JOINTS * i, NULL, NULL);
        CHECK_INT(ff_batch_values(b, i, values, NULL), FF_OK);
        delays[i] = values[last];
    }
    const uint64_t hash = ff_batch_hash(b);
    ff_batch_destroy(b);
    return hash;
}

// A robot with a delay of n steps has the bits of one without whose targets come n steps later. Delays that are drawn
// are whole, and all of them come.
TEST(targets_act_whole_steps_late)
{
    ff_batch_servo servo = {.joint = -1, .stiffness = 30.0, .damping = 0.4, .most = 3.0};
    ff_batch_model *prompt = servos_with(&servo);
    servo.delay = DELAY;
    ff_batch_model *late = servos_with(&servo);
    double wanted[DELAY + 1][JOINTS], states[ROBOTS * JOINTS], delays[ROBOTS];
    int count[DELAY + 1] = {0};
    for (int d = 0; d <= DELAY; d++) undelayed(prompt, d, STEPS, wanted[d]);
    const uint64_t one = run_late(late, 1, 1, states, delays);
    for (int i = 0; i < ROBOTS; i++) {
        const int d = (int)delays[i];
        CHECK(d >= 0 && d <= DELAY && delays[i] == d);
        CHECK(memcmp(states + JOINTS * i, wanted[d], sizeof wanted[d]) == 0);
        count[d]++;
    }
    for (int d = 0; d <= DELAY; d++)
        if (count[d] == 0) CHECK_FAIL("no robot is %d steps late", d);
    for (int i = 0, lanes; (lanes = ff_batch_lanes_there(i)) > 0; i++)
        for (int threads = 1; threads <= 2; threads++)
            if (run_late(late, lanes, threads, states, delays) != one)
                CHECK_FAIL("%d lanes, %d threads", lanes, threads);
    ff_batch_model_destroy(prompt);
    ff_batch_model_destroy(late);
}

/// Targets change every twelve steps, which are made in calls of `call` steps.
static uint64_t run_in_calls(const ff_batch_model *model, int lanes, int call)
{
    const ff_batch_spread table = {.quantity = FF_BATCH_DELAY, .low = 0, .high = DELAY};
    const ff_batch_options o = {
        .robots = ROBOTS, .lanes = lanes, .threads = 1, .seed = 3, .spreads = &table, .nspread = 1};
    ff_batch *b = ff_batch_create(model, &o, NULL);
    CHECK(b);
    for (int n = 0; n < 120; n += call) {
        const double target[JOINTS] = {target_at(n, 0), target_at(n, 1)};
        for (int i = 0; n % 12 == 0 && i < ROBOTS; i++) ff_batch_set_targets(b, i, target, NULL, NULL, NULL);
        ff_batch_step(b, call, NULL);
        if (n + call == 60) ff_batch_reset(b, 5, NULL); // its age and its slots are no longer those of its neighbours
    }
    const uint64_t hash = ff_batch_hash(b);
    ff_batch_destroy(b);
    return hash;
}

// In a call that is longer than the delay robots take their targets from the inputs and write nothing down: the state,
// targets under way included, is that of steps made one by one.
TEST(calls_of_any_length_leave_the_same_targets_under_way)
{
    const ff_batch_servo servo = {.joint = -1, .stiffness = 30.0, .damping = 0.4, .most = 3.0, .delay = DELAY};
    ff_batch_model *model = servos_with(&servo);
    for (int i = 0, lanes; (lanes = ff_batch_lanes_there(i)) > 0; i++)
        for (int call = 2; call <= 12; call++)
            if (12 % call == 0 && run_in_calls(model, lanes, call) != run_in_calls(model, 1, 1))
                CHECK_FAIL("%d lanes, calls of %d steps", lanes, call);
    ff_batch_model_destroy(model);
}

// A robot that begins again is led by what servos begin with, one whose state is written by the targets it has.
TEST(a_new_life_has_no_targets_of_the_last_one)
{
    const ff_batch_servo servo = {.joint = -1, .stiffness = 30.0, .damping = 0.4, .delay = DELAY};
    ff_batch_model *model = servos_with(&servo);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 3, .threads = 1}, NULL);
    const double far[JOINTS] = {1.0, -1.0}, zero[JOINTS] = {0.0, 0.0};
    double q[JOINTS];
    for (int i = 0; i < 3; i++) ff_batch_set_targets(b, i, far, NULL, NULL, NULL);
    ff_batch_step(b, 50, NULL);
    ff_batch_set_targets(b, 0, zero, NULL, NULL, NULL);
    CHECK_INT(ff_batch_set_state(b, 0, zero, zero, NULL), FF_OK);
    CHECK_INT(ff_batch_set_state(b, 1, zero, zero, NULL), FF_OK);
    CHECK_INT(ff_batch_reset(b, 2, NULL), FF_OK);
    ff_batch_step(b, DELAY, NULL);
    for (int i = 0; i < 3; i++) { // a pendulum at rest in equilibrium moves where its servos pull
        ff_batch_get_state(b, i, q, NULL, NULL);
        CHECK_INT(q[0] != 0.0, i == 1);
    }
    ff_batch_step(b, 1, NULL);
    ff_batch_get_state(b, 2, q, NULL, NULL);
    CHECK(q[0] != 0.0); // its targets have stayed, and arrive
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

// ------------------------------------------------------------------------------------------ mistakes

TEST(drives_and_delays_that_make_no_sense_are_refused)
{
    const struct {
        const char *words;
        ff_batch_servo servo;
    } wrong[] = {{"a delay of -1 steps", {.joint = -1, .delay = -1}},
                 {"a delay of 1001 steps", {.joint = -1, .delay = 1001}},
                 {"a line to the speed 3", {.joint = -1, .no_load = 3.0}},
                 {"a line to the speed nan", {.joint = -1, .most = 1.0, .no_load = NAN}},
                 {"servo 0: constant", {.joint = -1, .motor = {.constant = 0.1}}},
                 {"servo 0: constant", {.joint = -1, .motor = {.constant = -0.1}}},
                 {"servo 0: constant",
                  {.joint = -1,
                   .motor = {.constant = 0.1, .resistance = 1.0, .voltage = 12.0, .gear = 50.0, .efficiency = 0.5}}}};
    ff_model *model = pendulum();
    ff_sim *sim = sim_of(model);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ff_report report = {0};
        CHECK(!ff_batch_compile(sim, &wrong[i].servo, 1, &report) && report.errors == 1);
        CHECK_SAYS(message_of(&report, 0), wrong[i].words);
        ff_report_clear(&report);
    }
    const ff_batch_servo unlike[2] = {{.joint = 0, .delay = 2}, {.joint = 1, .delay = 3}};
    ff_report report = {0};
    CHECK(!ff_batch_compile(sim, unlike, 2, &report));
    CHECK_SAYS(message_of(&report, 0), "servo 1 has a delay of 3 steps, and the first 2");
    ff_report_clear(&report);
    const ff_batch_servo late = {.joint = -1, .delay = 2};
    ff_batch_model *batch = ff_batch_compile(sim, &late, 1, NULL);
    const ff_batch_spread spreads[] = {{.quantity = FF_BATCH_DELAY, .low = 0, .high = 3},
                                       {.quantity = FF_BATCH_DELAY, .low = -1, .high = 1},
                                       {.quantity = FF_BATCH_DELAY, .low = 0.5, .high = 1}};
    for (int i = 0; i < 3; i++) {
        ff_error err = {0};
        CHECK(!ff_batch_create(batch, &(ff_batch_options){.robots = 1, .spreads = &spreads[i], .nspread = 1}, &err));
        CHECK_SAYS(err.text, "delay cannot be spread");
    }
    ff_batch_model_destroy(batch);
    const ff_batch_spread far = {.quantity = FF_BATCH_DELAY, .low = 0, .high = 1001},
                          near = {.quantity = FF_BATCH_DELAY};
    const ff_batch_servo prompt = {.joint = -1};
    ff_error err = {0};
    batch = ff_batch_compile(sim, &prompt, 1, NULL);
    CHECK(!ff_batch_create(batch, &(ff_batch_options){.robots = 1, .spreads = &far, .nspread = 1}, &err));
    CHECK_SAYS(err.text, "a delay is from 0 to 1000 steps");
    ff_batch *b = ff_batch_create(batch, &(ff_batch_options){.robots = 1, .spreads = &near, .nspread = 1}, NULL);
    CHECK(b && ff_batch_step(b, 3, NULL) == FF_OK); // by 0 steps
    ff_batch_destroy(b);
    ff_batch_model_destroy(batch);
    batch = ff_batch_compile(sim, NULL, 0, NULL);
    CHECK(!ff_batch_create(batch, &(ff_batch_options){.robots = 1, .spreads = &near, .nspread = 1}, &err));
    CHECK_SAYS(err.text, "there are no servos");
    ff_batch_model_destroy(batch);
    ff_sim_destroy(sim);
    ff_model_destroy(model);
}
