// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Corrupted numbers: a wrong input of one tick of the stabiliser does not move the robot, a tick that fails holds the
// last reference, which returns to the plan, and invalid gains are refused.
#include "biped/biped_lab.h"
#include "biped/stabiliser.h"

#include <stddef.h>
#include <string.h>

/// What a stabiliser gets in a tick.
typedef struct inputs {
    ff_biped_sensors sensors;
    ff_biped_target target;
} inputs;

/// A number of a tick that is corrupted.
typedef struct corruption {
    const char *what;
    size_t place; // in `inputs`
    double value;
    unsigned conditions; // that the tick is to report
} corruption;

static void corrupt(inputs *in, const corruption *one)
{
    *(double *)(void *)((char *)in + one->place) = one->value;
}

/// Readings of feet that carry what they should.
static ff_biped_sensors measured_as_planned(const ff_biped *robot, const ff_biped_target *target)
{
    ff_biped_sensors s = standing_on(robot);
    for (int f = 0; f < 2; f++) {
        s.foot[f].force[2] = target->load[f] * robot->weight;
        s.foot[f].torque[1] = -robot->com[0] * s.foot[f].force[2];
    }
    return s;
}

/// 20 rad/s for a tick.
#define LARGEST_STEP 0.021

/// Walks as its feet should feel it, with one tick corrupted, and `after` further ticks. @return the joints there, in q
static void walk_corrupted(const lab *l, const corruption *one, int tick, int after, double *q)
{
    ff_biped_stabiliser *s = stabiliser_of(l);
    ff_biped_planner *p = planner_of(l, NULL, (ff_biped_command){.speed = 0.3, .walk = true});
    double last[FF_BIPED_DOFS + 1], v[FF_BIPED_DOFS];
    memcpy(last, l->robot->q, sizeof last);
    for (int i = 0; i <= tick + after; i++) {
        inputs in;
        ff_biped_planner_tick(p, 1e-3 * i, &in.target);
        in.sensors = measured_as_planned(l->robot, &in.target);
        if (one && i == tick) corrupt(&in, one);
        ff_biped_stabiliser_tick(s, &in.sensors, &in.target, q, v);
        const unsigned conditions = ff_biped_stabiliser_view(s)->conditions &
                                    (FF_BIPED_BAD_SENSOR | FF_BIPED_BAD_TARGET | FF_BIPED_HELD | FF_BIPED_MUST_STOP);
        if (conditions != (one && i == tick ? one->conditions : 0))
            CHECK_FAIL("%s: conditions %u in tick %d", one ? one->what : "a walk without faults", conditions, i);
        for (int k = 7; k < l->model->nq; k++)
            if (!(fabs(q[k] - last[k]) < LARGEST_STEP))
                CHECK_FAIL("%s: joint %d moved by %g rad in tick %d", one ? one->what : "a walk without faults", k - 7,
                           q[k] - last[k], i);
        memcpy(last, q, sizeof last);
    }
    lab_free_made();
}

// After a tick with a number that cannot be, no joint jumps, and 0.4 s later the robot is where it would have been:
// within what one tick of the walk moves a joint by, 5 mrad.
TEST(one_bad_number_is_forgotten)
{
    enum { SENSOR = FF_BIPED_BAD_SENSOR, TARGET = FF_BIPED_BAD_TARGET };
#define AT(field) offsetof(inputs, field)
    static const corruption corruptions[] = {
        {"force 1e300", AT(sensors.foot[0].force[2]), 1e300, SENSOR},
        {"force 1e6", AT(sensors.foot[0].force[2]), 1e6, SENSOR},
        {"force NaN", AT(sensors.foot[0].force[2]), NAN, SENSOR},
        {"torque 1e160", AT(sensors.foot[1].torque[0]), 1e160, SENSOR},
        {"gyro 1e200", AT(sensors.gyro[0]), 1e200, SENSOR},
        {"gyro 1e4", AT(sensors.gyro[0]), 1e4, SENSOR},
        {"roll 1e300", AT(sensors.roll), 1e300, SENSOR},
        {"com NaN", AT(target.task.com[0]), NAN, TARGET},
        {"com 1e300", AT(target.task.com[0]), 1e300, TARGET},
        {"com 0.5", AT(target.task.com[0]), 0.5, TARGET},          // 0.2 m ahead and more
        {"foot 0.2", AT(target.task.foot[1].pos[2]), 0.2, TARGET}, // 0.1 m higher and more
        {"speed 1e3", AT(target.task.com_vel[1]), 1e3, TARGET},
        {"wrench NaN", AT(target.wrench.force[2]), NAN, TARGET},
        {"wrench 1e9", AT(target.wrench.force[2]), 1e9, TARGET},
        {"load NaN", AT(target.load[0]), NAN, TARGET},
        {"load 3", AT(target.load[0]), 3.0, TARGET},
        {"time NaN", AT(target.time), NAN, TARGET},
    };
    static const int ticks[] = {CHECK_LASTS(1000, 20), 2000}; // it stands, it walks
    const int after = CHECK_LASTS(400, 100);
    lab l = lab_open();
    for (int t = 0; t < CHECK_LASTS(2, 1); t++) {
        double plain[FF_BIPED_DOFS + 1] = {0.0}, q[FF_BIPED_DOFS + 1] = {0.0};
        walk_corrupted(&l, NULL, ticks[t], after, plain);
        for (size_t i = 0; i < sizeof corruptions / sizeof *corruptions; i++) {
            walk_corrupted(&l, &corruptions[i], ticks[t], after, q);
            for (int k = 7; k < CHECK_LASTS(l.model->nq, 0); k++)
                if (!(fabs(q[k] - plain[k]) < 5e-3))
                    CHECK_FAIL("%s: joint %d is off by %g rad", corruptions[i].what, k - 7, q[k] - plain[k]);
        }
    }
}

/// How far the worst joint is off, so many ticks after one in which foot 0 feels a force  [rad]
static double off_by(const lab *l, double force, int tick, int after)
{
    const corruption blow = {"a blow", AT(sensors.foot[0].force[2]), force, 0};
    double plain[FF_BIPED_DOFS + 1] = {0.0}, q[FF_BIPED_DOFS + 1] = {0.0}, most = 0.0;
    walk_corrupted(l, NULL, tick, after, plain);
    walk_corrupted(l, &blow, tick, after, q);
    for (int k = 7; k < l->model->nq; k++) most = ff_max(most, fabs(q[k] - plain[k]));
    return most;
}

// A foot may measure 7.6 weights, as OP3's do: that is no invalid number but an impact, and the robot complies.
// Forces are controlled by linear laws, so joints go as far as the impulse beyond the plan, half the weight while it
// stands, and come back: no joint by more than it may turn in a tick, and by less than half of that 0.4 s later. What
// is left there is no matter of the guard: 6 mrad from tick 1000, 7 from tick 1400, 5 from tick 2000.
TEST(a_blow_that_one_tick_feels_dies_away)
{
    static const int ticks[] = {1000, 1400, 2000, 2200};
    lab l = lab_open();
    for (int t = 0; t < CHECK_LASTS(4, 1); t++) {
        const double first = off_by(&l, 5e3, ticks[t], 100);
        CHECK_BELOW(first, LARGEST_STEP);
        CHECK_BELOW(off_by(&l, 5e3, ticks[t], 400), 0.5 * first);
        if (t > 0) continue;
        const double planned = 0.5 * l.robot->weight;
        CHECK_NEAR(off_by(&l, 2.5e3, ticks[t], 100), first * (2.5e3 - planned) / (5e3 - planned), 0.01 * first);
    }
}

// A first target that is 0.2 m too low asks for joints faster than they are: nothing moves, and after 50 ms the host is
// informed; with a target it can follow it goes on.
TEST(a_tick_that_fails_holds_the_last_reference)
{
    lab l = lab_open();
    ff_biped_stabiliser *s = stabiliser_of(&l);
    ff_biped_planner *p = planner_of(&l, NULL, (ff_biped_command){0});
    const ff_biped_sensors sensors = standing_on(l.robot);
    double q[FF_BIPED_DOFS + 1], v[FF_BIPED_DOFS];
    ff_biped_target target;
    for (int i = 0; i < 60; i++) {
        ff_biped_planner_tick(p, 1e-3 * i, &target);
        target.task.com[2] -= 0.2;
        ff_biped_stabiliser_tick(s, &sensors, &target, q, v);
        const unsigned conditions = ff_biped_stabiliser_view(s)->conditions;
        CHECK(conditions & FF_BIPED_HELD);
        if (i != 49) CHECK_INT((conditions & FF_BIPED_FAILING) != 0, i >= 50); // 50 ticks of 1 ms, as they are rounded
        for (int k = 0; k < l.model->nq; k++) CHECK_NEAR(q[k], l.robot->q[k], 0.0);
        for (int k = 0; k < l.model->nv; k++) CHECK_NEAR(v[k], 0.0, 0.0);
    }
    s = stabiliser_of(&l);
    target.task.com[2] = NAN; // before there was any
    ff_biped_stabiliser_tick(s, &sensors, &target, q, v);
    CHECK_INT((int)ff_biped_stabiliser_view(s)->conditions, FF_BIPED_HELD | FF_BIPED_BAD_TARGET);
    for (int k = 0; k < l.model->nq; k++) CHECK_NEAR(q[k], l.robot->q[k], 0.0);
    ff_biped_planner_tick(p, 0.06, &target);
    ff_biped_stabiliser_tick(s, &sensors, &target, q, v);
    CHECK_INT((int)ff_biped_stabiliser_view(s)->conditions, 0);
}

static double farthest_joint(const ff_model *m, const double *a, const double *b)
{
    double most = 0.0;
    for (int k = 7; k < m->nq; k++) most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

/// Two robots walk at 0.5 m/s; for `count` ticks from `first` on one of them is asked to fall by 8 m/s: within what
/// targets may have, and faster than joints go. lag: how far its joints are from the other's after these, and 0.4 s on.
static void walk_held(const lab *l, int first, int count, double lag[2])
{
    ff_biped_stabiliser *plain = stabiliser_of(l), *s = stabiliser_of(l);
    ff_biped_planner *p = planner_of(l, NULL, (ff_biped_command){.speed = 0.5, .walk = true});
    double q[FF_BIPED_DOFS + 1], last[FF_BIPED_DOFS + 1], is[FF_BIPED_DOFS + 1], v[FF_BIPED_DOFS];
    memcpy(last, l->robot->q, sizeof last);
    for (int i = 0; i < first + count + 400; i++) {
        const bool corrupted = i >= first && i < first + count;
        ff_biped_target target;
        ff_biped_planner_tick(p, 1e-3 * i, &target);
        const ff_biped_sensors sensors = measured_as_planned(l->robot, &target);
        ff_biped_stabiliser_tick(plain, &sensors, &target, is, v);
        if (corrupted) target.task.com_vel[2] = -8.0;
        ff_biped_stabiliser_tick(s, &sensors, &target, q, v);
        const bool held = ff_biped_stabiliser_view(s)->conditions & FF_BIPED_HELD;
        if (held != corrupted) CHECK_FAIL("%d ticks from %d: tick %d is %s", count, first, i, held ? "held" : "taken");
        CHECK_BELOW(farthest_joint(l->model, q, last), LARGEST_STEP);
        memcpy(last, q, sizeof last);
        if (i < first + count) lag[0] = farthest_joint(l->model, q, is);
    }
    lag[1] = farthest_joint(l->model, q, is);
    lab_free_made();
}

// The plan goes on while the reference is held. Once the cause is gone no further tick is held, however far the swing
// foot has come meanwhile, and 0.4 s later a tenth of the lag is left at most. Without bounded steps towards the plan a
// hold of 0.1 s in the middle of a swing (2.6 s) lasts for 1.3 s: 50/s times the lag is faster than joints go.
TEST(a_held_reference_catches_up_with_its_plan)
{
    static const struct {
        int first, count;
    } holds[] = {{2800, 1}, {2200, 100}, {2600, 100}, {2800, 100}};
    lab l = lab_open();
    for (int i = 0; i < 4; i += CHECK_LASTS(1, 3)) {
        double lag[2] = {0.0};
        walk_held(&l, holds[i].first, holds[i].count, lag);
        CHECK(lag[0] > 1e-3 * holds[i].count); // joints move by 1 rad/s and more
        CHECK_BELOW(lag[1], 0.1 * lag[0]);
    }
}

// Two legs a second and 2 rad/s, of which the gain of 50/s makes 40 mm and 40 mrad for a leg of 1 m: the farthest, a
// foot 0.4 legs away, is brought to a tenth of its way, and so is all else. What is near stays to the bit.
TEST(a_plan_far_away_is_approached_by_all_parts_alike)
{
    lab l = lab_open();
    const ff_biped_task now = {.com = {0.1, 0.2, 0.9}, .foot = {{.pos = {0.0, 0.1, 0.0}}, {.pos = {0.0, -0.1, 0.0}}}};
    ff_biped_task task = now;
    const double far = 0.4 * l.robot->leg;
    task.com[0] += 0.03;
    task.torso[2] = 0.1;
    task.foot[0].rot[2] = 0.2;
    task.foot[1].pos[0] += far;
    task.foot[1].vel[0] = 1.0;
    CHECK(ff_biped_guard_approach(l.robot, 50.0, &now, &task));
    CHECK_NEAR(task.com[0], 0.103, 1e-12);
    CHECK_NEAR(task.torso[2], 0.01, 1e-12);
    CHECK_NEAR(task.foot[0].rot[2], 0.02, 1e-12);
    CHECK_NEAR(task.foot[1].pos[0], 0.1 * far, 1e-12);
    CHECK_NEAR(task.foot[1].vel[0], 1.0, 0.0); // it goes on as the plan does
    const ff_biped_task near = task;
    CHECK(!ff_biped_guard_approach(l.robot, 49.0, &now, &task));
    CHECK_INT(memcmp(&near, &task, sizeof near), 0);
}

TEST(gains_that_are_no_gains_are_refused)
{
    lab l = lab_open();
    const ff_biped_gains good = ff_biped_gains_default(l.robot);
    ff_biped_gains bad[4] = {good, good, good, good};
    static const char *const says[4] = {"'tilt_stiffness'", "'force_gain'", "times", "'self_collision'"};
    bad[0].tilt_stiffness = NAN;
    bad[1].force_gain = -5.0;
    bad[2].period = 0.0;
    bad[3].self_collision = INFINITY;
    for (int i = 0; i < 4; i++) {
        ff_error err = {0};
        ff_biped_stabiliser *s = ff_biped_stabiliser_create(l.robot, &bad[i], &err);
        CHECK(!s && err.status == FF_BAD_ARGUMENT && strstr(err.text, says[i]));
    }
}
