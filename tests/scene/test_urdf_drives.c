// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Joints of a URDF without transmissions are driven within their effort and velocity, so that references, poses and
// gaits work with a robot file of ROS alone.
#include "drive/set.h"
#include "scene_helpers.h"

#include <footfall/dyn.h>

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
    CHECK(metric("drives.one.force.max") > 19.0); // it is looked at after 1 ms, 20 exp(-0.05) = 19.02
    CHECK_BELOW(metric("drives.one.speed.max"), 4.0 + 1e-9);
    CHECK(metric("drives.one.speed.max") > 3.9);
    finish();
}
