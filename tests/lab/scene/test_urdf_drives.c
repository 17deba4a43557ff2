// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Joints of a URDF without transmissions are driven within their effort and velocity, so that references, poses and
// gaits work with a robot file of ROS alone.
#include "drive/interface.h"
#include "scene_helpers.h"

#include <footfall/dyn.h>
#include <footfall/linalg.h>
#include <footfall/load.h>

#define LINK(name, place, mass, about)                                                                                 \
    "<link name='" name "'><inertial><origin xyz='" place "' rpy='0.3 -0.2 0.5'/><mass value='" mass "'/>"             \
    "<inertia ixx='" about "' iyy='" about "' izz='" about "' ixy='0.001' ixz='0' iyz='0'/></inertial></link>\n"
#define JOINT(name, type, parent, child, place, axis, limit)                                                           \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>"                      \
    "<origin xyz='" place "' rpy='0.1 0.7 -0.4'/><axis xyz='" axis "'/>" limit "</joint>\n"
#define LIMIT(effort, velocity) "<limit lower='-3' upper='3' effort='" effort "' velocity='" velocity "'/>"

/// A robot of three links after the world; the last joint is a slide.
#define ROBOT(one, two, three, more)                                                                                   \
    "<robot name='r'>\n<link name='world'/>\n" LINK("a", "0.1 0 0.2", "2", "0.1") LINK("b", "0 0.3 0", "1", "0.05")    \
        LINK("c", "0 0 0.1", "0.002", "0.05") JOINT("one", "revolute", "world", "a", "0 0 1", "0 1 0", one)            \
            JOINT("two", "revolute", "a", "b", "0 0.2 0.3", "1 2 3", two)                                              \
                JOINT("three", "prismatic", "b", "c", "0.1 0 0", "0 0 1", three) more "</robot>\n"

static ff_model *model_of(const char *text)
{
    finish();
    write_file("r.urdf", text);
    ff_model *m = ff_model_load(in_folder("r.urdf"), NULL, &report);
    if (!m) CHECK_FAIL("refused: %s", message(0));
    return m;
}

// kp = min(effort / 0.1 rad, J 300^2) (slides: effort / 10 mm) and kd = 2 sqrt(kp J), with J from the mass matrix.
TEST(each_joint_has_a_servo_within_its_effort_and_velocity)
{
    static const double effort[] = {20, 5, 90}, span[] = {0.1, 0.1, 0.01};
    ff_model *m = model_of(ROBOT(LIMIT("20", "4"), LIMIT("5", "6"), LIMIT("90", "7"), ""));
    ff_data *d = ff_data_create(m, NULL);
    double M[9];
    ff_dyn_kinematics(m, d);
    ff_dyn_mass(m, d);
    ff_dyn_mass_expand(m, d, M);
    ff_drive_set *set = ff_drive_set_create(m, NULL, &report);
    CHECK_INT(report.count, 0);
    CHECK_INT(m->nactuator, 3);
    CHECK_INT(set->n, 3);
    for (int i = 0; i < 3; i++) {
        const ff_actuator *a = &m->actuators[i];
        const double J = M[4 * i], kp = fmin(effort[i] / span[i], J * 300 * 300);
        CHECK_TEXT(a->name, m->joints[i].name);
        CHECK_NEAR(a->gain / kp, 1.0, 1e-12);
        CHECK_NEAR(-a->bias[1] / kp, 1.0, 1e-12);
        CHECK_NEAR(-a->bias[2] / (2 * sqrt(kp * J)), 1.0, 1e-12);
        CHECK_NEAR(set->drives[i].stall, effort[i], 0.0);
        CHECK_NEAR(set->drives[i].no_load, m->joints[i].speed, 0.0);
    }
    CHECK(m->actuators[0].gain == effort[0] / span[0] && m->actuators[2].gain < effort[2] / span[2]); // both cases
    ff_drive_set_destroy(set);
    ff_data_destroy(d);
    ff_model_destroy(m);
    finish();
}

TEST(which_joints_are_driven)
{
#define TRANSMISSION                                                                                                   \
    "<transmission name='t'><type>SimpleTransmission</type><joint name='two'/><actuator "                              \
    "name='motor'/></transmission>\n"
#define TURNS_ON     LINK("d", "0 0 0", "1", "0.1") JOINT("four", "continuous", "c", "d", "0 0 0", "0 0 1", "")
#define MIMIC(limit) limit "<mimic joint='one'/>"
    const struct {
        const char *text, *names, *note;
    } cases[] = {
        {ROBOT(LIMIT("0", "0"), LIMIT("0", "0"), LIMIT("0", "0"), ""), "one two three ",
         "joint \"one\" and 2 more: the effort is 0, as exporters write it"},
        {ROBOT(LIMIT("1", "0"), LIMIT("0", "0"), LIMIT("2", "0"), ""), "one three ",
         "joint \"two\": not driven, for the effort is 0 or not given"},
        {ROBOT(LIMIT("inf", "inf"), LIMIT("0", "0"), LIMIT("2", "0"), ""), "one three ", "joint \"two\": not driven"},
        {ROBOT(LIMIT("-1", "1"), LIMIT("1e12", "1"), LIMIT("1e16", "1"), ""), "one two three ", NULL},
        {ROBOT(LIMIT("1", "1"), LIMIT("-1", "-1"), LIMIT("1e16", "1e16"), ""), "one two three ", NULL},
        {ROBOT(LIMIT("1", "1"), LIMIT("1", "1"), LIMIT("1", "1"), TURNS_ON), "one two three ",
         "joint \"four\": not driven, for the effort is 0 or not given"},
        {ROBOT(LIMIT("1", "1"), LIMIT("1", "1"), LIMIT("1", "1"), TRANSMISSION), "motor ", NULL},
        {ROBOT(LIMIT("1", "1"), MIMIC(LIMIT("1", "1")), LIMIT("1", "1"), ""), "one three ", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ff_model *m = model_of(cases[i].text);
        char names[100] = "";
        for (int k = 0; k < m->nactuator; k++) sprintf(names + strlen(names), "%s ", m->actuators[k].name);
        CHECK_TEXT(names, cases[i].names);
        CHECK_INT(report.count, cases[i].note ? 1 : 0);
        if (cases[i].note) CHECK_SAYS(report.messages[0].text, cases[i].note);
        for (int k = 0; i == 0 && k < m->nactuator; k++) CHECK(!m->actuators[k].force_limited);
        ff_model_destroy(m);
    }
    finish();
}

// An effort without a limit bounds no servo, whatever others have: J 300^2 is all that is left of kp.
TEST(an_effort_without_a_limit_is_not_one_that_is_not_given)
{
    static const char *const words[] = {"inf", "-1", "1e12", "1e16"};
    for (int i = 0; i < 4; i++) {
        char text[4000];
        snprintf(text, sizeof text, ROBOT(LIMIT("20", "4"), LIMIT("%s", "6"), LIMIT("90", "7"), ""), words[i]);
        ff_model *m = model_of(text);
        CHECK_INT(m->nactuator, 3);
        CHECK(m->actuators[0].force_limited && !m->actuators[1].force_limited && m->actuators[2].force_limited);
        ff_data *d = ff_data_create(m, NULL);
        double M[9];
        ff_dyn_kinematics(m, d);
        ff_dyn_mass(m, d);
        ff_dyn_mass_expand(m, d, M);
        CHECK_NEAR(m->actuators[1].gain / (M[4] * 300 * 300), 1.0, 1e-12);
        ff_data_destroy(d);
        ff_model_destroy(m);
    }
    finish();
}

// A reference far away: the force of the servo is bound by 20 N m at rest, and used up at 4 rad/s. From
//     w' = (20 / J) (1 - w / 4)
// the speed comes near 4 rad/s and never beyond. It ends at its reference, as nothing else pulls.
TEST(a_reference_is_reached_within_effort_and_velocity)
{
    write_file("r.urdf", "<robot name='r'><link name='world'/><link name='a'><inertial><mass value='1'/>"
                         "<inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
                         "<joint name='one' type='revolute'><parent link='world'/><child link='a'/><axis xyz='0 1 0'/>"
                         "<limit lower='-3' upper='3' effort='20' velocity='4'/></joint></robot>");
    must_run("robot: r.urdf\ncontacts: off\neffects: {drives: full}\ntime: 3\nreferences: [{drive: one, at: 0, "
             "position: 2}]\n"
             "metrics: {report: [drives.one.speed.max, drives.one.force.max, joints.one.final, joints.one.max]}\n");
    CHECK_NEAR(metric("joints.one.final"), 2.0, 1e-6);
    CHECK_BELOW(metric("drives.one.force.max"), 20.0);
    CHECK(metric("drives.one.force.max") > 19.0); // it is read after 1 ms, 20 exp(-0.05) = 19.02
    CHECK_BELOW(metric("drives.one.speed.max"), 4.0 + 1e-9);
    CHECK(metric("drives.one.speed.max") > 3.9);
    finish();
}

/// Factors of M of four joints in the pose of d.
static void factor_mass(const ff_model *m, ff_data *d, double L[16])
{
    ff_dyn_kinematics(m, d);
    ff_dyn_mass(m, d);
    ff_dyn_mass_expand(m, d, L);
    CHECK(ff_cholesky_factor(L, 4));
}

/// Largest eigenvalue of h M^-1 D of their servos, h = 1 ms.
static double speed_of_loop(const ff_model *m, ff_data *d)
{
    double L[16], x[4] = {1, 1, -1, 1}, most = 0.0;
    factor_mass(m, d, L);
    for (int round = 0; round < 200; round++) {
        most = 0.0;
        for (int i = 0; i < 4; i++) x[i] *= -1e-3 * m->actuators[i].bias[2];
        ff_cholesky_solve(L, 4, x);
        for (int i = 0; i < 4; i++) most = fmax(most, fabs(x[i]));
        for (int i = 0; i < 4; i++) x[i] /= most;
    }
    return most;
}

// A straight leg of three equal links, 0.1 m and 0.2 kg each, that bends and rolls, and efforts that bound nothing.
// Each servo alone would be held by a loop of 1 kHz, 2 w h = 0.6; together they are not: what one moves gives way to
// the others, and folded the leg rolls with less inertia. The largest eigenvalue of h M^-1 D would be 26, stable is
// what is below 2, and rounding grew to 1000 N m and hundreds of rad/s. With what a joint moves while the others are
// free, which is least in the straight leg for all but the roll, and a factor for all, it is 1.
TEST(servos_of_one_leg_hold_together)
{
#define BONE(name)                                                                                                     \
    "<link name='" name "'><inertial><origin xyz='0 0 -0.05'/><mass value='0.2'/>"                                     \
    "<inertia ixx='1.7e-4' iyy='1.7e-4' izz='1e-5' ixy='0' ixz='0' iyz='0'/></inertial></link>"
#define BEND(name, parent, child, z, axis)                                                                             \
    "<joint name='" name "' type='revolute'><origin xyz='0 0 " z "'/><parent link='" parent "'/><child link='" child   \
    "'/><axis xyz='" axis "'/><limit lower='-3' upper='3' effort='1000' velocity='1000'/></joint>"
#define HIP                                                                                                            \
    "<link name='h'><inertial><mass value='0.01'/><inertia ixx='1e-6' iyy='1e-6' izz='1e-6' ixy='0' ixz='0' "          \
    "iyz='0'/></inertial></link>"
    ff_model *m =
        model_of("<robot name='r'><link name='world'/>" HIP BONE("a") BONE("b") BONE("c")
                     BEND("roll", "world", "h", "0", "1 0 0") BEND("hip", "h", "a", "0", "0 1 0")
                         BEND("knee", "a", "b", "-0.1", "0 1 0") BEND("ankle", "b", "c", "-0.1", "0 1 0") "</robot>");
    ff_data *d = ff_data_create(m, NULL);
    double L[16], most = 0.0;
    factor_mass(m, d, L);
    const double w = 2.0 * m->actuators[0].gain / -m->actuators[0].bias[2]; // kd = 2 sqrt(kp J), kp = J w^2
    CHECK(w > 150.0 && w < 300.0);
    for (int i = 1; i < 4; i++) {
        double one[4] = {0, i == 1, i == 2, i == 3};
        ff_cholesky_solve(L, 4, one);
        CHECK_NEAR(m->actuators[i].gain * one[i] / (w * w), 1.0, 1e-9);
        CHECK_NEAR(-m->actuators[i].bias[2] * one[i] / (2.0 * w), 1.0, 1e-9);
    }
    for (int i = 0; i < 25; i++) {
        d->q[2] = 1.2 * (i % 5 - 2);
        d->q[3] = 1.2 * (i / 5 - 2);
        most = fmax(most, speed_of_loop(m, d));
    }
    CHECK_BELOW(most, 1.1);
    CHECK(most > 0.9);
    ff_data_destroy(d);
    ff_model_destroy(m);
    finish();
    must_run("robot: r.urdf\ncontacts: off\neffects: {drives: ideal}\ntime: 2\ngravity: [0, 0, 0]\n"
             "references: [{drive: knee, at: 0.1, position: 0.01}]\n"
             "metrics: {report: [drives.knee.speed.max, joints.knee.final, joints.hip.final]}\n");
    CHECK_BELOW(metric("drives.knee.speed.max"), 3.0);   // 0.01 rad within 1 / w
    CHECK_NEAR(metric("joints.knee.final"), 0.01, 1e-4); // the error of a step that the default method allows
    CHECK_NEAR(metric("joints.hip.final"), 0.0, 1e-4);
    CHECK_BELOW(metric("energy.kinetic.final"), 1e-6);
    finish();
#undef BONE
#undef BEND
#undef HIP
}
