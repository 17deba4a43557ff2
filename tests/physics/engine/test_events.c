// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Located events: where a pendulum passes the vertical, when a ball bounces, which direction counts, and what a handler
// may do.
#include <math.h>

#include "check.h"
#include "support/must_run.h"
#include "support/robots.h"

enum { NOTES = 64 };
typedef struct notes {
    double times[NOTES];
    int count;
    double restitution;
    ff_sim_action action;
} notes;

static double angle(void *context, double t, const ff_model *m, ff_data *d, const double *x)
{
    (void)context, (void)t, (void)m, (void)x;
    return d->q[0];
}

static ff_sim_action note(void *context, ff_sim *sim, double crossing)
{
    notes *n = context;
    (void)sim;
    if (n->count < NOTES) n->times[n->count++] = crossing;
    return n->action;
}

/// Pendulum of 1 m released horizontally, with an event at the vertical.
static ff_sim *pendulum(const ff_model *m, ff_sim_options o, int direction, notes *n)
{
    ff_sim *sim = robot_sim(m, o);
    const ff_event event = {.name = "vertical", .direction = direction, .context = n, .value = angle, .handle = note};
    CHECK(ff_sim_add_event(sim, &event, NULL) == 0);
    ff_sim_set_q(sim, 0, 0.5 * FF_PI);
    return sim;
}

static const double PERIOD = 2.367841947576237; // of that pendulum (IFToMM A01)  [s]

TEST(pendulum_passes_the_vertical_at_quarter_periods)
{
    const ff_method methods[] = {FF_METHOD_ADAPTIVE, FF_METHOD_CVODE, FF_METHOD_CVODE_ADAMS, FF_METHOD_RK4};
    const double allowed[] = {1e-10, 1e-8, 1e-9, 1e-6}; // [s]; rk4 draws a line through a step of 1 ms: h^3 g'' / 8 g'
    ff_model *m = robot_pendulum(1.0, 0.5, 0.25);
    for (int k = 0; k < 4; k++) {
        if (!ff_method_built(methods[k])) continue;
        notes n = {0};
        ff_sim *sim = pendulum(m, robot_options(methods[k], 1e-3, 1e-12), 0, &n);
        must_run(sim, 10.0);
        CHECK_INT(n.count, 8);
        CHECK_INT(ff_sim_get_counts(sim).events, 8);
        double worst = 0.0;
        for (int i = 0; i < n.count; i++) worst = fmax(worst, fabs(n.times[i] - PERIOD * (0.25 + 0.5 * i)));
        printf("  %-12s worst %.1e s\n", ff_method_name(methods[k]), worst);
        CHECK_BELOW(worst, allowed[k]);
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

TEST(only_crossings_in_the_wanted_direction_count)
{
    ff_model *m = robot_pendulum(1.0, 0.5, 0.25);
    const ff_method methods[] = {FF_METHOD_ADAPTIVE, FF_METHOD_CVODE, FF_METHOD_EULER};
    for (int k = 0; k < 3; k++) {
        if (!ff_method_built(methods[k])) continue;
        for (int direction = -1; direction <= 1; direction += 2) {
            notes n = {0};
            ff_sim *sim = pendulum(m, robot_options(methods[k], 1e-3, 1e-10), direction, &n);
            must_run(sim, 2 * PERIOD);
            CHECK_INT(n.count, 2);
            CHECK_NEAR(n.times[0], PERIOD * (direction < 0 ? 0.25 : 0.75), 2e-3);
            ff_sim_destroy(sim);
        }
    }
    ff_model_destroy(m);
}

TEST(a_handler_can_end_the_run_at_the_crossing)
{
    ff_model *m = robot_pendulum(1.0, 0.5, 0.25);
    notes n = {.action = FF_SIM_STOP};
    ff_sim *sim = pendulum(m, robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-12), 0, &n);
    ff_error err = {0};
    CHECK_INT(ff_sim_run(sim, 10.0, &err), FF_STOPPED);
    CHECK_NEAR(ff_sim_time(sim), 0.25 * PERIOD, 1e-11);
    CHECK_NEAR(ff_sim_q(sim)[0], 0.0, 1e-11);
    CHECK_INT(ff_sim_run(sim, 0.24 * PERIOD, &err), FF_BAD_ARGUMENT); // not back in time
    // The run continues from there, and the last crossing does not count again.
    CHECK_INT(ff_sim_run(sim, 10.0, &err), FF_STOPPED);
    CHECK_NEAR(ff_sim_time(sim), 0.75 * PERIOD, 1e-10);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ bouncing

static ff_sim_action bounce(void *context, ff_sim *sim, double crossing)
{
    notes *n = context;
    note(n, sim, crossing);
    ff_sim_set_v(sim, 0, ff_sim_v(sim)[0] * -n->restitution);
    return FF_SIM_GO;
}

static ff_sim_action bounce_and_look(void *context, ff_sim *sim, double crossing)
{
    const ff_sim_action action = bounce(context, sim, crossing);
    CHECK(ff_sim_energy(sim).total > 0.0);
    return action;
}

static ff_model *ball(void)
{
    ff_spec *spec = ff_spec_create(NULL);
    const int body = robot_body(spec, "ball", -1, (double[]){0, 0, 0}, 0.2, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    robot_joint(spec, "rail", body, FF_JOINT_SLIDE, 0, 0, 1);
    return robot_finish(spec);
}

// A handler that reads after it has written the state must not hide the write: otherwise the ball would cross again
// where it is.
TEST(a_handler_may_look_at_what_it_wrote)
{
    ff_model *m = ball();
    uint64_t hash[2];
    for (int looks = 0; looks < 2; looks++) {
        notes n = {.restitution = 0.5};
        ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_ADAPTIVE, 1e-3, 1e-12));
        const ff_event event = {
            .name = "floor", .context = &n, .value = angle, .handle = looks ? bounce_and_look : bounce};
        CHECK(ff_sim_add_event(sim, &event, NULL) == 0);
        ff_sim_set_q(sim, 0, 1.0);
        must_run(sim, 1.2);
        CHECK_INT(n.count, 3); // at sqrt(2/g) (1, 2, 2.5) = 0.45, 0.90, 1.13 s; the fourth at 1.24 s
        hash[looks] = ff_sim_hash(sim);
        ff_sim_destroy(sim);
    }
    CHECK(hash[0] == hash[1]);
    ff_model_destroy(m);
}

// Dropped from h, the n-th bounce comes at sqrt(2 h / g) (1 + 2 e + ... + 2 e^(n-1)).
TEST(a_ball_bounces_when_the_closed_form_says)
{
    const ff_method methods[] = {FF_METHOD_ADAPTIVE, FF_METHOD_CVODE, FF_METHOD_CVODE_ADAMS};
    const double allowed[] = {1e-11, 1e-8, 1e-8}; // [s]
    ff_model *m = ball();
    for (int k = 0; k < 3; k++) {
        if (!ff_method_built(methods[k])) continue;
        notes n = {.restitution = 0.8};
        ff_sim *sim = robot_sim(m, robot_options(methods[k], 1e-3, 1e-12));
        const ff_event event = {.name = "floor", .direction = -1, .context = &n, .value = angle, .handle = bounce};
        CHECK(ff_sim_add_event(sim, &event, NULL) == 0);
        ff_sim_set_q(sim, 0, 1.0);
        must_run(sim, 3.5);
        double time = sqrt(2.0 / 9.81), hop = 2.0 * time, worst = 0.0;
        CHECK_INT(n.count, 9); // the ninth at sqrt(2/g) (1 + 8 (1 - 0.8^8)) = 3.46 s, the tenth at 3.58 s
        for (int i = 0; i < n.count; i++) {
            worst = fmax(worst, fabs(n.times[i] - time));
            hop *= 0.8;
            time += hop;
        }
        printf("  %-12s %d bounces, worst %.1e s\n", ff_method_name(methods[k]), n.count, worst);
        CHECK_BELOW(worst, allowed[k]);
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

// Infinitely many bounces happen in finite time; the run must report this and end.
TEST(endless_bouncing_is_reported_and_ends)
{
    ff_model *m = ball();
    notes n = {.restitution = 0.5};
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-10));
    const ff_event event = {.name = "floor", .direction = -1, .context = &n, .value = angle, .handle = bounce};
    CHECK(ff_sim_add_event(sim, &event, NULL) == 0);
    ff_sim_set_q(sim, 0, 1.0);
    ff_error err = {0};
    CHECK_INT(ff_sim_run(sim, 10.0, &err), FF_SOLVER);
    printf("  %s\n", err.text);
    CHECK_SAYS(err.text, "\"floor\"");
    CHECK_NEAR(ff_sim_time(sim), 3.0 * sqrt(2.0 / 9.81), 1e-8); // (1 + e) / (1 - e) times the first fall
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

/// A brake without regularisation: it pushes with all its force against the motion of the block, in one direction even
/// at rest.
typedef struct brake {
    double pull, force; // along the rail; of the brake  [N]
    struct {
        int way;
    } now;
} brake;

static void brake_derivative(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    const brake *b = context;
    (void)t, (void)m, (void)z, (void)zdot;
    d->tau[0] += b->pull - b->now.way * b->force;
}

static void brake_values(void *context, ff_data *d, const double *z, double *values)
{
    (void)context, (void)z;
    values[0] = d->v[0];
}

static bool brake_event(void *context, ff_sim *sim, int number, int direction)
{
    (void)sim, (void)number;
    ((brake *)context)->now.way = direction;
    return true;
}

static void brake_signs(const void *context, int *signs)
{
    signs[0] = ((const brake *)context)->now.way;
}

// Once the block is at rest, the forces on both sides of the event push back to it: locating it would never end. The
// block must stay at rest, except for the speed that it gets within steps.
TEST(a_part_may_lead_back_to_its_event_from_both_sides)
{
    ff_spec_joint *joint;
    ff_model *m = robot_finish(robot_slider(1.0, &joint));
    ff_sim_options o = robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-8);
    o.max_step = 1e-4; // no error bounds the steps, as no force changes in one
    ff_sim *sim = robot_sim(m, o);
    brake b = {.pull = 10.0, .force = 30.0, .now = {1}};
    const ff_part_memory memory = {&b.now, sizeof b.now};
    const ff_part part = {.name = "brake",
                          .context = &b,
                          .derivative = brake_derivative,
                          .nevent = 1,
                          .event_values = brake_values,
                          .event_signs = brake_signs,
                          .event = brake_event,
                          .memory = &memory,
                          .nmemory = 1};
    CHECK(ff_sim_add_part(sim, &part, NULL) >= 0);
    ff_sim_set_v(sim, 0, 1.0);
    must_run(sim, 0.1);                     // it slows down by 20 m/s2 for 0.05 s, and then stands
    const double creep = 40.0 * o.max_step; // [m/s]
    CHECK_NEAR(ff_sim_v(sim)[0], 0.0, creep);
    CHECK_NEAR(ff_sim_q(sim)[0], 0.025, 0.05 * creep);
    CHECK(ff_sim_get_counts(sim).steps < 10000); // 2177
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// A fixed step reports the crossing at the end of its step; the handler's change acts from there.
TEST(fixed_steps_see_bounces_to_a_step)
{
    ff_model *m = ball();
    notes n = {.restitution = 1.0};
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_RK4, 1e-4, 0.0));
    const ff_event event = {.name = "floor", .direction = -1, .context = &n, .value = angle, .handle = bounce};
    CHECK(ff_sim_add_event(sim, &event, NULL) == 0);
    ff_sim_set_q(sim, 0, 1.0);
    must_run(sim, 3.0);
    CHECK_INT(n.count, 3);
    for (int i = 0; i < 3; i++) CHECK_NEAR(n.times[i], sqrt(2.0 / 9.81) * (1 + 2 * i), 5e-4);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// Two events in one step: both are handled in order of time, and tasks keep their times.
static double late_angle(void *context, double t, const ff_model *m, ff_data *d, const double *x)
{
    (void)context, (void)t, (void)m, (void)x;
    return d->q[0] + 1e-3;
}

TEST(two_events_in_one_step_come_in_order)
{
    ff_model *m = robot_pendulum(1.0, 0.5, 0.25);
    notes first = {0}, second = {0};
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-6));
    const ff_event late = {.name = "late", .direction = -1, .context = &second, .value = late_angle, .handle = note};
    const ff_event early = {.name = "early", .direction = -1, .context = &first, .value = angle, .handle = note};
    CHECK(ff_sim_add_event(sim, &late, NULL) == 0);
    CHECK(ff_sim_add_event(sim, &early, NULL) == 1);
    ff_sim_set_q(sim, 0, 0.5 * FF_PI);
    must_run(sim, 1.0);
    CHECK_INT(first.count, 1);
    CHECK_INT(second.count, 1);
    // 1 mrad at the lowest point, where the speed is sqrt(2 g).
    CHECK_NEAR(second.times[0] - first.times[0], 1e-3 / sqrt(2 * 9.81), 1e-8);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ fixed steps and writers

/// A listener that writes the state that it reads.
static ff_sim_action rewrite(void *context, ff_sim *sim, double t)
{
    (void)context, (void)t;
    ff_sim_set_v(sim, 0, ff_sim_v(sim)[0]);
    return FF_SIM_GO;
}

TEST(a_listener_that_writes_silences_no_event)
{
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK2, FF_METHOD_RK4};
    ff_model *m = robot_pendulum(1.0, 0.5, 0.25);
    for (int k = 0; k < 3; k++) {
        notes n[2] = {{.count = 0}, {.count = 0}};
        for (int writes = 0; writes < 2; writes++) {
            ff_sim *sim = pendulum(m, robot_options(methods[k], 1e-3, 0.0), 0, &n[writes]);
            const ff_listener listener = {.step = rewrite};
            if (writes) CHECK_INT(ff_sim_add_listener(sim, &listener, NULL), FF_OK);
            must_run(sim, 10.0);
            ff_sim_destroy(sim);
        }
        CHECK_INT(n[0].count, 8);
        CHECK_INT(n[1].count, 8);
        for (int i = 0; i < n[1].count; i++) CHECK_NEAR(n[1].times[i], n[0].times[i], 0.0);
    }
    ff_model_destroy(m);
}

static ff_sim_action note_and_rewrite(void *context, ff_sim *sim, double crossing)
{
    rewrite(NULL, sim, crossing);
    return note(context, sim, crossing);
}

// Two crossings in one fixed step: the handler of the first writes, and the second is handled all the same.
TEST(a_handler_that_writes_silences_no_other_event)
{
    ff_model *m = robot_pendulum(1.0, 0.5, 0.25);
    notes first = {0}, second = {0};
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_RK4, 1e-3, 0.0)); // 1 mrad takes 0.23 ms
    const ff_event early = {
        .name = "early", .direction = -1, .context = &first, .value = angle, .handle = note_and_rewrite};
    const ff_event late = {.name = "late", .direction = -1, .context = &second, .value = late_angle, .handle = note};
    CHECK(ff_sim_add_event(sim, &early, NULL) == 0 && ff_sim_add_event(sim, &late, NULL) == 1);
    ff_sim_set_q(sim, 0, 0.5 * FF_PI);
    must_run(sim, 10.0);
    CHECK_INT(first.count, 4);
    CHECK_INT(second.count, 4);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}
