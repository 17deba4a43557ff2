// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sampled tasks at exact times, listeners, parts, divergence and refusals.
#include <math.h>

#include "check.h"
#include "support/must_run.h"
#include "support/robots.h"

#include <footfall/record.h>

typedef struct tally {
    long long calls;
    double worst; // distance of the call times from offset + k period  [s]
    double offset, period;
    char order[32]; // letters of the tasks at one instant
    char letter;
    struct tally *shared;
} tally;

static ff_sim_action count(void *context, ff_sim *sim, double t)
{
    tally *c = context;
    c->worst = fmax(c->worst, fabs(t - (c->offset + (double)c->calls * c->period)));
    c->calls++;
    if (c->shared && strlen(c->shared->order) + 1 < sizeof c->shared->order)
        c->shared->order[strlen(c->shared->order)] = c->letter;
    CHECK_NEAR(ff_sim_time(sim), t, 0.0);
    return FF_SIM_GO;
}

static void add_task(ff_sim *sim, double period, double offset, tally *c)
{
    c->period = period;
    c->offset = offset;
    const ff_task task = {.name = "count",
                          .period = ff_ticks_from_seconds(period),
                          .offset = ff_ticks_from_seconds(offset),
                          .context = c,
                          .run = count};
    CHECK(ff_sim_add_task(sim, &task, NULL) >= 0);
}

TEST(ticks_hold_common_periods_exactly)
{
    CHECK_INT(3000 * ff_ticks_from_seconds(1.0 / 3000.0), FF_TICKS_PER_SECOND);
    CHECK_INT(7 * ff_ticks_from_seconds(1.0 / 7.0), FF_TICKS_PER_SECOND);
    CHECK_INT(2048 * ff_ticks_from_seconds(1.0 / 2048.0), FF_TICKS_PER_SECOND);
    CHECK_INT(1000000000 * ff_ticks_from_seconds(1e-9), FF_TICKS_PER_SECOND);
    CHECK_NEAR(ff_ticks_to_seconds(ff_ticks_from_seconds(86400.001)), 86400.001, 1.5e-11); // one unit in the last place
}

TEST(tasks_never_drift)
{
    ff_model *m = robot_pendulum(1.0, 1.0, 0.1);
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_ADAPTIVE, FF_METHOD_CVODE};
    for (int k = 0; k < 3; k++) {
        if (!ff_method_built(methods[k])) continue;
        tally third = {0}, slow = {0}, once = {0};
        ff_sim *sim = robot_sim(m, robot_options(methods[k], 1e-4, 1e-6));
        add_task(sim, 1.0 / 3000.0, 0.0, &third);
        add_task(sim, 0.25, 0.1, &slow);
        add_task(sim, 0.0, 0.7, &once);
        must_run(sim, 3.0);
        CHECK_INT(third.calls, 9001);
        CHECK_BELOW(third.worst, 1e-15 * 3.0);
        CHECK_INT(slow.calls, 12);
        CHECK_BELOW(slow.worst, 1e-15);
        CHECK_INT(once.calls, 1);
        CHECK_NEAR(ff_sim_time(sim), 3.0, 0.0);
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

TEST(tasks_of_one_instant_run_in_order_of_registration)
{
    ff_model *m = robot_pendulum(1.0, 1.0, 0.1);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_EULER, 1e-3, 0.0));
    tally all = {0}, a = {.letter = 'a', .shared = &all}, b = {.letter = 'b', .shared = &all},
          c = {.letter = 'c', .shared = &all};
    add_task(sim, 0.02, 0.0, &a);
    add_task(sim, 0.01, 0.01, &b);
    add_task(sim, 0.02, 0.0, &c);
    must_run(sim, 0.04);
    CHECK_TEXT(all.order, "acbabcbabc");
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// The integrator gets the whole interval between tasks: adaptive takes few steps for a free fall, however short the
// first one is.
/// An asynchronous task is called before the state reaches its time: only order and times of the calls are defined.
typedef struct ahead {
    double last; // call of any task  [s]
    int calls;
    double period, offset;
} ahead;

static ff_sim_action note_ahead(void *context, ff_sim *sim, double t)
{
    ahead *a = context;
    CHECK_NEAR(t, a->offset + a->calls++ * a->period, 1e-15);
    CHECK(t >= a->last && ff_sim_time(sim) <= t);
    a->last = t;
    return FF_SIM_GO;
}

static ff_sim_action note_now(void *context, ff_sim *sim, double t)
{
    ahead *a = context;
    CHECK(t >= a->last);
    CHECK_NEAR(ff_sim_time(sim), t, 0.0);
    a->last = t;
    return FF_SIM_GO;
}

TEST(no_step_ends_for_an_asynchronous_task)
{
    ff_model *m = robot_pendulum(1.0, 1.0, 0.1);
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_IMPLICIT, FF_METHOD_ADAPTIVE};
    for (int k = 0; k < 3; k++) {
        long long steps[2];
        double q[2];
        for (int with = 0; with < 2; with++) {
            ahead a = {.period = 0.7e-3, .offset = 0.2e-3};
            ff_sim *sim = robot_sim(m, robot_options(methods[k], 1e-3, 1e-6));
            const ff_task now = {.name = "now", .period = ff_ticks_from_seconds(1e-3), .context = &a, .run = note_now};
            const ff_task asynchronous = {.name = "asynchronous",
                                          .period = ff_ticks_from_seconds(a.period),
                                          .offset = ff_ticks_from_seconds(a.offset),
                                          .asynchronous = true,
                                          .reads_only = true,
                                          .context = &a,
                                          .run = note_ahead};
            CHECK(ff_sim_add_task(sim, &now, NULL) >= 0);
            if (with) CHECK(ff_sim_add_task(sim, &asynchronous, NULL) >= 0);
            ff_sim_set_q(sim, 0, 1.0);
            must_run(sim, 0.0505);
            must_run(sim, 0.1);
            CHECK_INT(a.calls, with ? 143 : 0); // 0.2 + 142 * 0.7 = 99.6 ms
            steps[with] = ff_sim_get_counts(sim).steps;
            q[with] = ff_sim_q(sim)[0];
            ff_sim_destroy(sim);
        }
        CHECK_INT(steps[1], steps[0]);
        CHECK_NEAR(q[1], q[0], 0.0);
    }
    ff_model_destroy(m);
}

static ff_sim_action stop_ahead(void *context, ff_sim *sim, double t)
{
    (void)context, (void)t;
    ff_sim_stop(sim, "seen ahead");
    return FF_SIM_STOP;
}

TEST(a_task_aside_stops_the_run_where_it_stands)
{
    ff_model *m = robot_pendulum(1.0, 1.0, 0.1);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_RK4, 1e-3, 0.0));
    const ff_task async_task = {.name = "asynchronous",
                                .offset = ff_ticks_from_seconds(5.5e-3),
                                .asynchronous = true,
                                .reads_only = true,
                                .run = stop_ahead};
    tally now = {0};
    add_task(sim, 1e-3, 0.0, &now);
    CHECK(ff_sim_add_task(sim, &async_task, NULL) >= 0);
    ff_error err = {0};
    CHECK_INT(ff_sim_run(sim, 1.0, &err), FF_STOPPED);
    CHECK_INT(ff_sim_get_counts(sim).steps, 5); // it is called once the tasks at 5 ms are done
    CHECK_NEAR(ff_sim_time(sim), 5e-3, 0.0);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

TEST(a_run_cut_into_pieces_is_the_same_run)
{
    ff_model *m = robot_walker(2, true);
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK2, FF_METHOD_RK4};
    for (int k = 0; k < 3; k++) {
        uint64_t hash[2];
        for (int cut = 0; cut < 2; cut++) {
            ff_sim *sim = robot_sim(m, robot_options(methods[k], 1e-3, 0.0));
            robot_tumble(m, sim, 1.0);
            for (int i = 1; cut && i < 10; i++) must_run(sim, 0.01 * i);
            must_run(sim, 0.1);
            hash[cut] = ff_sim_hash(sim);
            CHECK_INT(ff_sim_get_counts(sim).steps, 100);
            ff_sim_destroy(sim);
        }
        CHECK(hash[0] == hash[1]);
    }
    ff_model_destroy(m);
}

TEST(a_step_that_would_pass_a_task_is_shortened)
{
    ff_model *m = robot_pendulum(1.0, 1.0, 0.1);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_RK4, 4e-3, 0.0));
    tally c = {0};
    add_task(sim, 0.01, 0.0, &c);
    must_run(sim, 0.05);
    CHECK_INT(ff_sim_get_counts(sim).steps, 15); // 4 + 4 + 2 ms, five times
    CHECK_NEAR(ff_sim_get_counts(sim).shortest_step, 2e-3, 1e-18);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ sampled control, listeners

static ff_sim_action push(void *context, ff_sim *sim, double t)
{
    (void)context;
    ff_sim_set_torque(sim, 0, t < 0.5 ? 2.0 : -2.0);
    return FF_SIM_GO;
}

// A block pushed by +2 N for 0.5 s and -2 N for 0.5 s: rest again, 0.25 a = 0.25 m away (m = 2 kg).
TEST(held_torques_act_between_tasks)
{
    const ff_method methods[] = {FF_METHOD_RK2, FF_METHOD_RK4, FF_METHOD_ADAPTIVE, FF_METHOD_CVODE,
                                 FF_METHOD_CVODE_ADAMS};
    ff_spec_joint *joint;
    ff_model *m = robot_finish(robot_slider(2.0, &joint));
    for (int k = 0; k < 5; k++) {
        if (!ff_method_built(methods[k])) continue;
        ff_sim *sim = robot_sim(m, robot_options(methods[k], 1e-3, 1e-10));
        const ff_task task = {.name = "push", .period = ff_ticks_from_seconds(0.5), .run = push};
        CHECK(ff_sim_add_task(sim, &task, NULL) == 0);
        must_run(sim, 1.0);
        CHECK_NEAR(ff_sim_q(sim)[0], 0.25, 1e-9);
        CHECK_NEAR(ff_sim_v(sim)[0], 0.0, 1e-9);
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

static ff_sim_action watch(void *context, ff_sim *sim, double t)
{
    long long *calls = context;
    (*calls)++;
    if (t > 0.0995) ff_sim_stop(sim, "long enough");
    return FF_SIM_GO;
}

/// Evaluates the forces, then writes others, and sums up the expected impulse.
typedef struct pusher {
    double last, force, impulse; // [s], [N], [N s]
} pusher;

static ff_sim_action look_and_push(void *context, ff_sim *sim, double t)
{
    pusher *p = context;
    CHECK(ff_sim_evaluate(sim, FF_SIM_ACCELERATION, NULL) == FF_OK);
    CHECK_NEAR(ff_sim_data(sim)->qacc[0], p->force / 2.0, 1e-12);
    p->impulse += p->force * (t - p->last);
    p->last = t;
    ff_sim_set_torque(sim, 0, p->force = 1.0 + 3.0 * t);
    return FF_SIM_GO;
}

static ff_sim_action look_only(void *context, ff_sim *sim, double t)
{
    const pusher *p = context;
    (void)t;
    CHECK(ff_sim_evaluate(sim, FF_SIM_ACCELERATION, NULL) == FF_OK);
    CHECK_NEAR(ff_sim_data(sim)->qacc[0], p->force / 2.0, 1e-12);
    return FF_SIM_GO;
}

/// A step that begins where the forces were evaluated uses them, unless they have changed.
TEST(forces_that_were_looked_at_do_not_outlive_a_change)
{
    static const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK4, FF_METHOD_IMPLICIT, FF_METHOD_ADAPTIVE};
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(2.0, &joint);
    ff_model *m = robot_finish(spec);
    for (int k = 0; k < 5; k++) { // the last: implicit by error
        const ff_method method = methods[k < 4 ? k : 2];
        for (int listens = 0; listens < (method == FF_METHOD_ADAPTIVE ? 1 : 2);
             listens++) { // it has its first stage already
            ff_sim_options o = robot_options(method, 1e-3, 1e-9);
            if (k == 4) o.accuracy = 1e-3;
            o.max_step = 2e-3;
            pusher p = {0};
            ff_sim *sim = robot_sim(m, o);
            const ff_task task = {
                .name = "push", .period = ff_ticks_from_seconds(0.01), .context = &p, .run = look_and_push};
            const ff_task look = {.name = "look",
                                  .period = ff_ticks_from_seconds(0.0025),
                                  .reads_only = true,
                                  .context = &p,
                                  .run = look_only};
            const ff_listener ear = {.context = &p, .step = look_and_push};
            CHECK(listens ? ff_sim_add_listener(sim, &ear, NULL) == FF_OK : ff_sim_add_task(sim, &task, NULL) >= 0);
            CHECK(ff_sim_add_task(sim, &look, NULL) >= 0);
            must_run(sim, 0.5);
            CHECK_NEAR(ff_sim_time(sim), 0.5, 0.0);
            p.impulse += p.force * (0.5 - p.last);
            CHECK_NEAR(ff_sim_v(sim)[0], p.impulse / 2.0,
                       1e-10); // what implicit by error leaves of its iteration
            ff_sim_destroy(sim);
        }
    }
    ff_model_destroy(m);
}

TEST(listeners_hear_every_step_and_may_stop)
{
    ff_model *m = robot_pendulum(1.0, 1.0, 0.1);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_EULER, 1e-3, 0.0));
    long long calls = 0;
    const ff_listener listener = {.context = &calls, .step = watch};
    CHECK_INT(ff_sim_add_listener(sim, &listener, NULL), FF_OK);
    ff_error err = {0};
    CHECK_INT(ff_sim_run(sim, 1.0, &err), FF_STOPPED);
    CHECK_SAYS(err.text, "long enough");
    CHECK_TEXT(ff_sim_stop_reason(sim), "long enough");
    CHECK_INT(calls, 100);
    CHECK_NEAR(ff_sim_time(sim), 0.1, 1e-17);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// A wrench of a part at the centre of mass moves a free body as its weight would.
static void lift(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    (void)context, (void)t, (void)z, (void)zdot;
    double com[3];
    ff_dyn_com(m, d, com);
    ff_dyn_apply_force(m, d, 0, com, (double[]){0, 0, 9.81 * m->mass}, (double[]){0, 0, 0});
}

static double lift_energy(void *context, double t, const ff_model *m, ff_data *d, const double *z)
{
    (void)context, (void)t, (void)z;
    return -ff_dyn_potential_energy(m, d);
}

TEST(a_part_can_apply_wrenches_and_store_energy)
{
    ff_spec *spec = ff_spec_create(NULL);
    const int body =
        robot_body(spec, "brick", -1, (double[]){0, 0, 2}, 3.0, (double[]){0.1, 0, 0.2}, (double[]){0.2, 0.3, 0.4});
    robot_joint(spec, "free", body, FF_JOINT_FREE, 0, 0, 1);
    ff_model *m = robot_finish(spec);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_RK4, 1e-3, 0.0));
    const ff_part part = {.name = "lift", .derivative = lift, .energy = lift_energy};
    CHECK(ff_sim_add_part(sim, &part, NULL) == 0);
    ff_sim_set_state(sim, NULL, (double[]){0.0, 0.0, 0.0, 1.0, 2.0, 0.5});
    double h0[6], h1[6];
    ff_sim_evaluate(sim, FF_SIM_VELOCITY, NULL);
    ff_dyn_momentum(m, ff_sim_data(sim), h0);
    const double E0 = ff_sim_energy(sim).total;
    must_run(sim, 2.0);
    ff_sim_evaluate(sim, FF_SIM_VELOCITY, NULL);
    ff_dyn_momentum(m, ff_sim_data(sim), h1);
    for (int i = 0; i < 6; i++) CHECK_NEAR(h1[i], h0[i], 1e-9); // rk4 at 1 ms and 2 rad/s
    CHECK_NEAR(ff_sim_energy(sim).total, E0, 1e-9);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// Position actuator of a model: force = gear clamp(kp u - kp gear q); the joint comes to rest without gravity.
TEST(actuators_of_the_model_follow_their_commands)
{
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(1.0, &joint);
    joint->damping = 20.0;
    ff_spec_actuator *actuator = ff_spec_add_actuator(spec, "servo", FF_ACTUATOR_POSITION);
    actuator->joint = ff_spec_text(spec, "rail");
    actuator->gear = 1.0;
    actuator->gain = 100.0;
    actuator->bias[1] = -100.0;
    ff_model *m = robot_finish(spec);
    ff_sim_options o = robot_options(FF_METHOD_RK4, 1e-3, 0.0);
    o.actuators = true;
    ff_sim *sim = robot_sim(m, o);
    ff_sim_set_command(sim, (ff_actuator_id){0}, 0.3);
    must_run(sim, 0.5);
    // Critically damped: q = u (1 - (1 + w t) e^(-w t)), w = 10.
    CHECK_NEAR(ff_sim_q(sim)[0], 0.3 * (1 - 6 * exp(-5.0)), 1e-8);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ traits of methods

TEST(methods_do_what_their_traits_say)
{
    ff_model *m = robot_pendulum(1.0, 1.0, 0.1);
    for (int k = 0; k <= FF_METHOD_COUNT; k++) { // the last: implicit by error
        const ff_method method = k < FF_METHOD_COUNT ? (ff_method)k : FF_METHOD_IMPLICIT;
        ff_sim_options o = robot_options(method, 1e-3, 1e-6);
        if (k == FF_METHOD_COUNT) o.accuracy = 1e-4;
        const ff_method_traits traits = ff_method_get_traits(method);
        CHECK_INT(traits.accuracy, method == FF_METHOD_IMPLICIT);
        CHECK_INT(traits.implicit, traits.accuracy);
        if (!ff_method_built(method)) continue;
        ff_sim *sim = robot_sim(m, o);
        ff_sim_set_q(sim, 0, 1.0);
        must_run(sim, 0.5);
        const ff_sim_counts c = ff_sim_get_counts(sim);
        const bool same = c.steps == 500 && c.shortest_step == c.longest_step;
        CHECK_INT(ff_sim_options_fixed_step(&o), same);
        CHECK_INT(traits.fixed, same && !traits.accuracy);
        ff_sim_destroy(sim);
    }
    CHECK_INT(ff_method_get_traits(FF_METHOD_COUNT).fixed, 0);
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ failing well

TEST(divergence_names_time_body_and_cause)
{
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(0.1, &joint);
    joint->damping = 1000.0; // rate 1e4 1/s: explicit steps of 1 ms cannot hold it
    ff_model *m = robot_finish(spec);
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK2, FF_METHOD_RK4};
    for (int k = 0; k < 3; k++) {
        ff_sim *sim = robot_sim(m, robot_options(methods[k], 1e-3, 0.0));
        ff_record_options record = ff_record_options_default();
        ff_recorder *rec = ff_recorder_create(sim, &record, NULL);
        ff_sim_set_v(sim, 0, 1.0);
        ff_error err = {0};
        CHECK_INT(ff_sim_run(sim, 1.0, &err), FF_DIVERGED);
        if (k == 0) printf("  %s\n", err.text);
        CHECK_SAYS(err.text, "block");
        CHECK_SAYS(err.text, "damping of joint \"rail\"");
        CHECK_SAYS(err.text, " s: ");
        CHECK(ff_recorder_rows(rec) >= 2); // what was recorded is kept
        ff_error again = {0};
        const double time = ff_sim_time(sim);
        CHECK_INT(ff_sim_run(sim, 2.0, &again), FF_DIVERGED); // and stays so until somebody sets a sound state
        CHECK_NEAR(ff_sim_time(sim), time, 0.0);
        ff_sim_set_v(sim, 0, 0.0);
        ff_sim_set_q(sim, 0, 0.0);
        CHECK_INT(ff_sim_run(sim, time + 0.01, &again), FF_OK);
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

static ff_sim_action poison(void *context, ff_sim *sim, double t)
{
    (void)context, (void)t;
    ff_sim_set_torque(sim, 0, NAN);
    return FF_SIM_GO;
}

TEST(a_command_that_is_not_a_number_is_named)
{
    ff_model *m = robot_pendulum(1.0, 1.0, 0.1);
    for (int method = 0; method < FF_METHOD_COUNT; method++) {
        if (!ff_method_built((ff_method)method)) continue;
        ff_sim *sim = robot_sim(m, robot_options((ff_method)method, 1e-3, 1e-6));
        const ff_task task = {.name = "bad", .offset = ff_ticks_from_seconds(0.2), .run = poison};
        CHECK(ff_sim_add_task(sim, &task, NULL) == 0);
        ff_error err = {0};
        CHECK_INT(ff_sim_run(sim, 1.0, &err), FF_DIVERGED);
        CHECK_SAYS(err.text, "pivot");
        CHECK_SAYS(err.text, "nan");
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

static void follow(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    (void)context, (void)t, (void)m;
    zdot[0] = d->v[0] - z[0];
}

static double dissipated(void *context, double t, const ff_model *m, ff_data *d, const double *z)
{
    (void)m, (void)d, (void)z;
    return t < *(double *)context ? 1.0 : NAN;
}

TEST(a_power_that_is_not_a_number_is_named)
{
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK2, FF_METHOD_RK4, FF_METHOD_IMPLICIT};
    ff_model *m = robot_pendulum(1.0, 1.0, 0.1);
    for (int k = 0; k < 4; k++) { // error control refuses such a step
        ff_sim_options o = robot_options(methods[k], 1e-3, 0.0);
        o.ledger = true;
        ff_sim *sim = robot_sim(m, o);
        double never = INFINITY, from = 0.2;
        const char *const names[] = {"first", "faulty", "last"};
        for (int i = 0; i < 3; i++) {
            const ff_part part = {.name = names[i],
                                  .nstate = 1,
                                  .context = i == 1 ? &from : &never,
                                  .derivative = follow,
                                  .power = dissipated};
            CHECK(ff_sim_add_part(sim, &part, NULL) == i);
        }
        ff_error err = {0};
        CHECK_INT(ff_sim_run(sim, 1.0, &err), FF_DIVERGED);
        if (k == 0) printf("  %s\n", err.text);
        CHECK_SAYS(err.text, "lost in parts");
        CHECK_SAYS(err.text, "faulty");
        CHECK(!strstr(err.text, "last"));
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

TEST(bad_options_and_late_additions_are_refused)
{
    ff_model *m = robot_pendulum(1.0, 1.0, 0.1);
    ff_error err = {0};
    ff_sim_options o = ff_sim_options_default();
    o.step = -1.0;
    CHECK(!ff_sim_create(m, &o, &err));
    CHECK_SAYS(err.text, "step is -1 s");
    o = (ff_sim_options){.method = FF_METHOD_RK4, .step = 1e-3};
    CHECK(!ff_sim_create(m, &o, &err));
    CHECK_SAYS(err.text, "ff_sim_options_default");
    o = ff_sim_options_default();
    o.relative = NAN;
    CHECK(!ff_sim_create(m, &o, &err));
    ff_method method;
    CHECK_INT(ff_method_find("rk5", &method, &err), FF_NOT_FOUND);
    CHECK_SAYS(err.text, "adaptive");
    CHECK_INT(ff_method_find("cvode-adams", &method, &err), FF_OK);
    CHECK_INT(method, FF_METHOD_CVODE_ADAMS);

    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_EULER, 1e-3, 0.0));
    must_run(sim, 0.1);
    CHECK_INT(ff_sim_run(sim, 0.05, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_sim_run(sim, NAN, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_sim_run(sim, 1e9, &err), FF_BAD_ARGUMENT);
    const ff_task task = {.name = "late", .period = 1, .run = push};
    CHECK(ff_sim_add_task(sim, &task, &err) == -1);
    CHECK_SAYS(err.text, "before the first run");
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

TEST(too_many_steps_are_reported)
{
    ff_model *m = robot_pendulum(1.0, 1.0, 0.1);
    ff_sim_options o = robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-10);
    o.max_steps = 20;
    ff_sim *sim = robot_sim(m, o);
    ff_sim_set_q(sim, 0, 1.0);
    ff_error err = {0};
    CHECK_INT(ff_sim_run(sim, 100.0, &err), FF_SOLVER);
    CHECK_SAYS(err.text, "20 steps");
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}
