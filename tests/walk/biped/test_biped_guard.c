// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers that went wrong: what one tick of the stabiliser is told does not move the robot, a tick that fails holds the
// last reference, which comes back to the plan, and gains that are none are refused.
#include "biped/biped_lab.h"
#include "biped/stabiliser.h"

#include <string.h>

typedef struct spoiler {
    const char *what;
    void (*spoil)(ff_biped_sensors *s, ff_biped_target *t, double by);
    double by;
    unsigned told; // in that tick
} spoiler;

static void spoil_force(ff_biped_sensors *s, ff_biped_target *t, double by)
{
    (void)t;
    s->foot[0].force[2] = by;
}

static void spoil_torque(ff_biped_sensors *s, ff_biped_target *t, double by)
{
    (void)t;
    s->foot[1].torque[0] = by;
}

static void spoil_gyro(ff_biped_sensors *s, ff_biped_target *t, double by)
{
    (void)t;
    s->gyro[0] = by;
}

static void spoil_roll(ff_biped_sensors *s, ff_biped_target *t, double by)
{
    (void)t;
    s->roll = by;
}

static void spoil_com(ff_biped_sensors *s, ff_biped_target *t, double by)
{
    (void)s;
    t->task.com[0] += by;
}

static void spoil_foot(ff_biped_sensors *s, ff_biped_target *t, double by)
{
    (void)s;
    t->task.foot[1].pos[2] += by;
}

static void spoil_speed(ff_biped_sensors *s, ff_biped_target *t, double by)
{
    (void)s;
    t->task.com_vel[1] = by;
}

static void spoil_wrench(ff_biped_sensors *s, ff_biped_target *t, double by)
{
    (void)s;
    t->wrench.force[2] = by;
}

static void spoil_load(ff_biped_sensors *s, ff_biped_target *t, double by)
{
    (void)s;
    t->load[0] = by;
}

static void spoil_time(ff_biped_sensors *s, ff_biped_target *t, double by)
{
    (void)s;
    t->time = by;
}

/// Readings of feet that carry what they should.
static ff_biped_sensors felt_as_planned(const ff_biped *robot, const ff_biped_target *target)
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

/// Walks as its feet should feel it, with one tick spoiled, and `after` further ticks. @return the joints there, in q
static void walk_spoiled(const lab *l, const spoiler *one, int tick, int after, double *q)
{
    ff_biped_stabiliser *s = stabiliser_of(l);
    ff_biped_planner *p = planner_of(l);
    double last[FF_BIPED_DOFS + 1], v[FF_BIPED_DOFS];
    ff_biped_planner_command(p, &(ff_biped_command){.speed = 0.3, .walk = true});
    memcpy(last, l->robot.q, sizeof last);
    for (int i = 0; i <= tick + after; i++) {
        ff_biped_target target;
        ff_biped_planner_tick(p, 1e-3 * i, &target);
        ff_biped_sensors sensors = felt_as_planned(&l->robot, &target);
        if (one && i == tick) one->spoil(&sensors, &target, one->by);
        ff_biped_stabiliser_tick(s, &sensors, &target, q, v);
        const unsigned conditions = ff_biped_stabiliser_view(s)->conditions &
                                    (FF_BIPED_BAD_SENSOR | FF_BIPED_BAD_TARGET | FF_BIPED_HELD | FF_BIPED_MUST_STOP);
        if (conditions != (one && i == tick ? one->told : 0))
            CHECK_FAIL("%s: told %u in tick %d", one ? one->what : "a sound walk", conditions, i);
        for (int k = 7; k < l->model->nq; k++)
            if (!(fabs(q[k] - last[k]) < LARGEST_STEP))
                CHECK_FAIL("%s: joint %d moved by %g rad in tick %d", one ? one->what : "a sound walk", k - 7,
                           q[k] - last[k], i);
        memcpy(last, q, sizeof last);
    }
    ff_biped_stabiliser_destroy(s);
    ff_biped_planner_destroy(p);
}

// Whatever one tick is told that cannot be, no joint jumps, and 0.4 s later the robot is where it would have been:
// within what one tick of the walk moves a joint by, 5 mrad.
TEST(one_bad_number_is_forgotten)
{
    enum { SENSOR = FF_BIPED_BAD_SENSOR, TARGET = FF_BIPED_BAD_TARGET };
    static const spoiler spoilers[] = {
        {"force 1e300", spoil_force, 1e300, SENSOR}, {"force 1e6", spoil_force, 1e6, SENSOR},
        {"force NaN", spoil_force, NAN, SENSOR},     {"torque 1e160", spoil_torque, 1e160, SENSOR},
        {"gyro 1e200", spoil_gyro, 1e200, SENSOR},   {"gyro 1e4", spoil_gyro, 1e4, SENSOR},
        {"roll 1e300", spoil_roll, 1e300, SENSOR},   {"com NaN", spoil_com, NAN, TARGET},
        {"com 1e300", spoil_com, 1e300, TARGET},     {"com 0.2", spoil_com, 0.2, TARGET},
        {"foot 0.1", spoil_foot, 0.1, TARGET},       {"speed 1e3", spoil_speed, 1e3, TARGET},
        {"wrench NaN", spoil_wrench, NAN, TARGET},   {"wrench 1e9", spoil_wrench, 1e9, TARGET},
        {"load NaN", spoil_load, NAN, TARGET},       {"load 3", spoil_load, 3.0, TARGET},
        {"time NaN", spoil_time, NAN, TARGET},
    };
    static const int ticks[] = {CHECK_LASTS(1000, 20), 2000}; // it stands, it walks
    const int after = CHECK_LASTS(400, 100);
    lab l = lab_open();
    for (int t = 0; t < CHECK_LASTS(2, 1); t++) {
        double sound[FF_BIPED_DOFS + 1] = {0.0}, q[FF_BIPED_DOFS + 1] = {0.0};
        walk_spoiled(&l, NULL, ticks[t], after, sound);
        for (size_t i = 0; i < sizeof spoilers / sizeof *spoilers; i++) {
            walk_spoiled(&l, &spoilers[i], ticks[t], after, q);
            for (int k = 7; k < CHECK_LASTS(l.model->nq, 0); k++)
                if (!(fabs(q[k] - sound[k]) < 5e-3))
                    CHECK_FAIL("%s: joint %d is off by %g rad", spoilers[i].what, k - 7, q[k] - sound[k]);
        }
    }
    lab_close(&l);
}

/// How far the worst joint is off, so many ticks after one in which foot 0 feels a force  [rad]
static double off_by(const lab *l, double force, int tick, int after)
{
    const spoiler blow = {"a blow", spoil_force, force, 0};
    double sound[FF_BIPED_DOFS + 1] = {0.0}, q[FF_BIPED_DOFS + 1] = {0.0}, most = 0.0;
    walk_spoiled(l, NULL, tick, after, sound);
    walk_spoiled(l, &blow, tick, after, q);
    for (int k = 7; k < l->model->nq; k++) most = ff_max(most, fabs(q[k] - sound[k]));
    return most;
}

// A foot may feel 7.6 weights, as OP3's do: a tick of it is no wrong number but a blow, and the robot gives way to it.
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
        const double planned = 0.5 * l.robot.weight;
        CHECK_NEAR(off_by(&l, 2.5e3, ticks[t], 100), first * (2.5e3 - planned) / (5e3 - planned), 0.01 * first);
    }
    lab_close(&l);
}

// A first target that is 0.2 m too low asks for joints faster than they are: nothing moves, and after 50 ms the host is
// told; with a target it can follow it goes on.
TEST(a_tick_that_fails_holds_the_last_reference)
{
    lab l = lab_open();
    ff_biped_stabiliser *s = stabiliser_of(&l);
    ff_biped_planner *p = planner_of(&l);
    const ff_biped_sensors sensors = standing_on(&l.robot);
    double q[FF_BIPED_DOFS + 1], v[FF_BIPED_DOFS];
    ff_biped_target target;
    for (int i = 0; i < 60; i++) {
        ff_biped_planner_tick(p, 1e-3 * i, &target);
        target.task.com[2] -= 0.2;
        ff_biped_stabiliser_tick(s, &sensors, &target, q, v);
        const unsigned conditions = ff_biped_stabiliser_view(s)->conditions;
        CHECK(conditions & FF_BIPED_HELD);
        if (i != 49) CHECK_INT((conditions & FF_BIPED_FAILING) != 0, i >= 50); // 50 ticks of 1 ms, as they are rounded
        for (int k = 0; k < l.model->nq; k++) CHECK_NEAR(q[k], l.robot.q[k], 0.0);
        for (int k = 0; k < l.model->nv; k++) CHECK_NEAR(v[k], 0.0, 0.0);
    }
    ff_biped_stabiliser_destroy(s);
    s = stabiliser_of(&l);
    target.task.com[2] = NAN; // before there was any
    ff_biped_stabiliser_tick(s, &sensors, &target, q, v);
    CHECK_INT((int)ff_biped_stabiliser_view(s)->conditions, FF_BIPED_HELD | FF_BIPED_BAD_TARGET);
    for (int k = 0; k < l.model->nq; k++) CHECK_NEAR(q[k], l.robot.q[k], 0.0);
    ff_biped_planner_tick(p, 0.06, &target);
    ff_biped_stabiliser_tick(s, &sensors, &target, q, v);
    CHECK_INT((int)ff_biped_stabiliser_view(s)->conditions, 0);
    ff_biped_stabiliser_destroy(s);
    ff_biped_planner_destroy(p);
    lab_close(&l);
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
    ff_biped_stabiliser *sound = stabiliser_of(l), *s = stabiliser_of(l);
    ff_biped_planner *p = planner_of(l);
    double q[FF_BIPED_DOFS + 1], last[FF_BIPED_DOFS + 1], is[FF_BIPED_DOFS + 1], v[FF_BIPED_DOFS];
    ff_biped_planner_command(p, &(ff_biped_command){.speed = 0.5, .walk = true});
    memcpy(last, l->robot.q, sizeof last);
    for (int i = 0; i < first + count + 400; i++) {
        const bool spoiled = i >= first && i < first + count;
        ff_biped_target target;
        ff_biped_planner_tick(p, 1e-3 * i, &target);
        const ff_biped_sensors sensors = felt_as_planned(&l->robot, &target);
        ff_biped_stabiliser_tick(sound, &sensors, &target, is, v);
        if (spoiled) target.task.com_vel[2] = -8.0;
        ff_biped_stabiliser_tick(s, &sensors, &target, q, v);
        const bool held = ff_biped_stabiliser_view(s)->conditions & FF_BIPED_HELD;
        if (held != spoiled) CHECK_FAIL("%d ticks from %d: tick %d is %s", count, first, i, held ? "held" : "taken");
        CHECK_BELOW(farthest_joint(l->model, q, last), LARGEST_STEP);
        memcpy(last, q, sizeof last);
        if (i < first + count) lag[0] = farthest_joint(l->model, q, is);
    }
    lag[1] = farthest_joint(l->model, q, is);
    ff_biped_stabiliser_destroy(sound);
    ff_biped_stabiliser_destroy(s);
    ff_biped_planner_destroy(p);
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
    lab_close(&l);
}

// Two legs a second and 2 rad/s, of which the gain of 50/s makes 40 mm and 40 mrad for a leg of 1 m: the farthest, a
// foot 0.4 legs away, is brought to a tenth of its way, and so is all else. What is near stays to the bit.
TEST(a_plan_far_away_is_approached_by_all_parts_alike)
{
    lab l = lab_open();
    const ff_biped_task now = {.com = {0.1, 0.2, 0.9}, .foot = {{.pos = {0.0, 0.1, 0.0}}, {.pos = {0.0, -0.1, 0.0}}}};
    ff_biped_task task = now;
    const double far = 0.4 * l.robot.leg;
    task.com[0] += 0.03;
    task.torso[2] = 0.1;
    task.foot[0].rot[2] = 0.2;
    task.foot[1].pos[0] += far;
    task.foot[1].vel[0] = 1.0;
    CHECK(ff_biped_guard_approach(&l.robot, 50.0, &now, &task));
    CHECK_NEAR(task.com[0], 0.103, 1e-12);
    CHECK_NEAR(task.torso[2], 0.01, 1e-12);
    CHECK_NEAR(task.foot[0].rot[2], 0.02, 1e-12);
    CHECK_NEAR(task.foot[1].pos[0], 0.1 * far, 1e-12);
    CHECK_NEAR(task.foot[1].vel[0], 1.0, 0.0); // it goes on as the plan does
    const ff_biped_task near = task;
    CHECK(!ff_biped_guard_approach(&l.robot, 49.0, &now, &task));
    CHECK_INT(memcmp(&near, &task, sizeof near), 0);
    lab_close(&l);
}

TEST(gains_that_are_no_gains_are_refused)
{
    lab l = lab_open();
    const ff_biped_gains good = ff_biped_gains_default(&l.robot);
    ff_biped_gains bad[4] = {good, good, good, good};
    static const char *const says[4] = {"'tilt_stiffness'", "'force_gain'", "times", "'self_collision'"};
    bad[0].tilt_stiffness = NAN;
    bad[1].force_gain = -5.0;
    bad[2].period = 0.0;
    bad[3].self_collision = INFINITY;
    for (int i = 0; i < 4; i++) {
        ff_error err = {0};
        ff_biped_stabiliser *s = ff_biped_stabiliser_create(&l.robot, &bad[i], &err);
        CHECK(!s && err.status == FF_BAD_ARGUMENT && strstr(err.text, says[i]));
    }
    lab_close(&l);
}
