// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// <replicate> and <attach> give the robots that the same files written out by hand give. MuJoCo 2.2.2 knows neither; it
// is the referee of files without them (tests/physics/dyn/test_referee.c).
#include <stdlib.h>

#include "support/folder.h"
#include "support/same_robot.h"

#include <footfall/load.h>

static ff_spec *spec;
static ff_report report;

static void forget(void)
{
    ff_report_clear(&report);
    ff_spec_destroy(spec);
    spec = NULL;
}

static ff_model *model_of(const char *text)
{
    static bool registered;
    if (!registered) atexit(forget);
    registered = true;
    forget();
    spec = ff_spec_create(NULL);
    ff_model *m = ff_spec_parse(spec, "mjcf", text, strlen(text), in_folder("main.xml"), NULL, &report) == FF_OK
                      ? ff_model_compile(spec, NULL, &report)
                      : NULL;
    if (!m) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no message");
    return m;
}

static void refuse(const char *text, const char *words)
{
    forget();
    spec = ff_spec_create(NULL);
    CHECK(ff_spec_parse(spec, "mjcf", text, strlen(text), in_folder("main.xml"), NULL, &report) != FF_OK);
    CHECK_SAYS(report.messages[0].text, words);
}

static void same_as(const char *label, const char *text, const char *by_hand)
{
    ff_model *a = model_of(by_hand), *b = model_of(text);
    same_robot(label, a, b, 3);
    CHECK_INT(b->nactuator, a->nactuator);
    for (int i = 0; i < a->nactuator; i++) {
        CHECK_TEXT(b->actuators[i].name, a->actuators[i].name);
        CHECK_INT(b->actuators[i].joint, a->actuators[i].joint);
        CHECK_INT(b->actuators[i].tendon, a->actuators[i].tendon);
    }
    CHECK_INT(b->nsensor, a->nsensor);
    for (int i = 0; i < a->nsensor; i++) {
        CHECK_TEXT(b->sensors[i].name, a->sensors[i].name);
        CHECK_TEXT(b->sensors[i].object, a->sensors[i].object);
    }
    ff_model_destroy(a);
    ff_model_destroy(b);
}

#define LINK(name, more)                                                                                               \
    "<body name='b" name "' pos='0.1 0 0.2'><joint name='j" name "' axis='0 1 0.3'/><geom name='g" name                \
    "' type='capsule' size='0.02 0.1' pos='0.01 0 0.1'/><site name='s" name "' pos='0 0 0.2'/>" more "</body>"
#define HEAD "<mujoco><compiler angle='degree'/><worldbody><site name='w'/>"

// The numbers of the inner one come first, as the frames of MuJoCo's documentation say.
TEST(replicas_lie_in_frames_one_behind_the_other)
{
    same_as(
        "nested",
        HEAD "<replicate count='2' offset='0 1 0' euler='90 0 0'><replicate count='2' sep='-' offset='1 0 0' "
             "euler='0 90 0'>" LINK(
                 "", "") "</replicate></replicate></worldbody><actuator><motor name='m' "
                         "joint='j'/></actuator><sensor><accelerometer name='a' site='s'/></sensor></mujoco>",
        HEAD LINK("-00", "") "<frame pos='1 0 0' euler='0 90 0'>" LINK(
            "-10", "") "</frame>"
                       "<frame pos='0 1 0' euler='90 0 0'>" LINK("-01", "") "<frame pos='1 0 0' euler='0 90 0'>" LINK(
                           "-11", "") "</frame></frame></worldbody><actuator><motor name='m-00' joint='j-00'/>"
                                      "<motor name='m-10' joint='j-10'/><motor name='m-01' joint='j-01'/><motor "
                                      "name='m-11' joint='j-11'/>"
                                      "</actuator><sensor><accelerometer name='a-00' site='s-00'/><accelerometer "
                                      "name='a-10' site='s-10'/>"
                                      "<accelerometer name='a-01' site='s-01'/><accelerometer name='a-11' "
                                      "site='s-11'/></sensor></mujoco>");
}

// Each step is seen from the replica before: a third of a turn three times makes a triangle. What refers to what refers
// to a replica is copied as well; what does not stays, and comes first.
TEST(what_refers_to_replicas_is_copied_along)
{
    same_as("ring",
            HEAD "<replicate count='3' offset='0.2 0 0' euler='0 0 120'><body pos='1 0 0'>" LINK(
                "", "") "</body></replicate></worldbody>"
                        "<tendon><spatial name='t' stiffness='3'><site site='s'/><site site='w'/></spatial></tendon>"
                        "<equality><joint name='e' joint1='j' active='false'/></equality>"
                        "<actuator><motor name='m' tendon='t'/><motor name='n' joint='j1'/></actuator></mujoco>",
            HEAD
            "<body pos='1 0 0'>" LINK("0", "") "</body><frame pos='0.2 0 0' euler='0 0 120'><body pos='1 0 0'>" LINK(
                "1", "") "</body></frame><frame pos='0.1 0.17320508075688773 0' euler='0 0 240'><body pos='1 0 "
                         "0'>" LINK("2", "") "</body></frame></worldbody>"
                                             "<tendon><spatial name='t0' "
                                             "stiffness='3'><site "
                                             "site='s0'/><site "
                                             "site='w'/></spatial>"
                                             "<spatial name='t1' "
                                             "stiffness='3'><site "
                                             "site='s1'/><site "
                                             "site='w'/></spatial>"
                                             "<spatial name='t2' "
                                             "stiffness='3'><site "
                                             "site='s2'/><site "
                                             "site='w'/></spatial></tendon>"
                                             "<actuator><motor name='n' "
                                             "joint='j1'/><motor name='m0' "
                                             "tendon='t0'/><motor "
                                             "name='m1' tendon='t1'/>"
                                             "<motor name='m2' "
                                             "tendon='t2'/></actuator></"
                                             "mujoco>");
}

TEST(numbers_of_replicas_have_the_digits_of_the_count)
{
    ff_model *m =
        model_of(HEAD "<replicate count='10' offset='1 0 0'>" LINK("", "") "</replicate></worldbody></mujoco>");
    CHECK_TEXT(m->joints[0].name, "j00");
    CHECK_TEXT(m->joints[9].name, "j09");
    ff_model_destroy(m);
}

TEST(faults_of_replicates)
{
    refuse(HEAD "<replicate><body/></replicate></worldbody></mujoco>", "needs a count");
    refuse(HEAD "<replicate count='2.5'><body/></replicate></worldbody></mujoco>", "whole number");
    CHECK_INT(report.errors, 1);
    refuse(HEAD "<replicate count='-3'><body/></replicate></worldbody></mujoco>", "count is -3");
    refuse(HEAD "<replicate count='1000'><replicate count='1000'>" LINK("", "") "</replicate></replicate></worldbody>"
                                                                                "</mujoco>",
           "more than 200000 elements");
    static char text[3000];
    snprintf(text, sizeof text, HEAD "<replicate count='2' sep='%01500d'><body/></replicate></worldbody></mujoco>", 0);
    refuse(text, "sep is longer than 1000");
    snprintf(text, sizeof text, HEAD "<replicate count='2'><body name='%0999d'/></replicate></worldbody></mujoco>", 0);
    ff_model_destroy(model_of(text));
    snprintf(text, sizeof text, HEAD "<replicate count='2'><body name='%01000d'/></replicate></worldbody></mujoco>", 0);
    refuse(text, "names longer than 1000");
}

#define TOOL                                                                                                           \
    "<mujoco><compiler angle='radian'/><default><joint damping='0.5'/></default><worldbody>"                           \
    "<geom name='post' type='capsule' size='0.02 0.1'/>" LINK(                                                         \
        "", LINK("2", "")) "</worldbody>"                                                                              \
                           "<actuator><motor name='m' joint='j'/><motor name='n' joint='j2'/></actuator>"              \
                           "<sensor><gyro name='a' site='s'/></sensor><keyframe><key qpos='1 2'/></keyframe></mujoco>"

// Attached models keep their settings: angles in radian, the damping of their class. Their actuators come last.
TEST(an_attached_model_keeps_its_settings)
{
    write_file("tool.xml", TOOL);
    same_as("whole",
            "<mujoco><asset><model name='tool' file='tool.xml'/></asset><worldbody><body name='base'><freejoint/>"
            "<geom type='box' size='0.1 0.2 0.3'/><frame pos='0 0 0.5' euler='0 90 0'><attach model='tool' "
            "prefix='t_'/></frame></body></worldbody><actuator><motor name='own' joint='t_j2'/></actuator></mujoco>",
            "<mujoco><worldbody><body name='base'><freejoint/><geom type='box' size='0.1 0.2 0.3'/>"
            "<frame pos='0 0 0.5' euler='0 90 0'><geom type='capsule' size='0.02 0.1'/>"
            "<body name='t_b' pos='0.1 0 0.2'><joint name='t_j' axis='0 1 0.3' damping='0.5'/><geom type='capsule' "
            "size='0.02 0.1' pos='0.01 0 0.1'/><site name='t_s' pos='0 0 0.2'/><body name='t_b2' pos='0.1 0 0.2'>"
            "<joint name='t_j2' axis='0 1 0.3' damping='0.5'/><geom type='capsule' size='0.02 0.1' pos='0.01 0 0.1'/>"
            "</body></body></frame></body></worldbody><actuator><motor name='own' joint='t_j2'/>"
            "<motor name='t_m' joint='t_j'/><motor name='t_n' joint='t_j2'/></actuator>"
            "<sensor><gyro name='t_a' site='t_s'/></sensor></mujoco>");
}

// From a body on, what refers to the rest stays behind: the first actuator and the sensor.
TEST(a_part_of_a_model_is_attached_from_a_body_on)
{
    write_file("tool.xml", TOOL);
    same_as("part",
            "<mujoco><asset><model file='tool.xml'/></asset><worldbody><replicate count='2' offset='0 1 0'>"
            "<attach model='tool' body='b2' prefix='t_'/></replicate></worldbody></mujoco>",
            "<mujoco><worldbody><body name='t_b20' pos='0.1 0 0.2'><joint name='t_j20' axis='0 1 0.3' damping='0.5'/>"
            "<geom type='capsule' size='0.02 0.1' pos='0.01 0 0.1'/></body><frame pos='0 1 0'><body name='t_b21' "
            "pos='0.1 0 0.2'><joint name='t_j21' axis='0 1 0.3' damping='0.5'/><geom type='capsule' size='0.02 0.1' "
            "pos='0.01 0 0.1'/></body></frame></worldbody><actuator><motor name='t_n0' joint='t_j20'/>"
            "<motor name='t_n1' joint='t_j21'/></actuator></mujoco>");
}

#define ATTACH(file, more)                                                                                             \
    "<mujoco><asset><model name='tool' file='" file "'/></asset><worldbody><attach model='tool' prefix='t' " more      \
    "/></worldbody></mujoco>"

TEST(faults_of_attached_models)
{
    write_file("tool.xml", TOOL);
    write_file("main.xml", ATTACH("main.xml", ""));
    write_file("bad.xml", "<mujoco><worldbody><geom size='-1'/></worldbody></mujoco>");
    refuse(ATTACH("none.xml", ""), "none.xml");
    CHECK_INT(spec->nignored, 0); // only the cause is reported: the prefix is known
    refuse(ATTACH("tool.xml", "body='x'"), "has no body \"x\"");
    CHECK_INT(spec->nignored, 0);
    refuse(ATTACH("main.xml", ""), "in a cycle: ");
    CHECK_INT(report.errors, 1);
    write_file("a.xml", ATTACH("b.xml", ""));
    write_file("b.xml", ATTACH("a.xml", ""));
    refuse(ATTACH("a.xml", ""), "a.xml, ");
    CHECK_SAYS(report.messages[0].text, "b.xml, ");
    CHECK_INT(report.errors, 1);
    refuse("<mujoco><asset><model name='t' file='tool.xml'/><model name='t' file='bad.xml'/></asset><worldbody>"
           "<attach model='t' prefix='t'/></worldbody></mujoco>",
           "\"t\" is taken already");
    refuse(ATTACH("bad.xml", ""), "-1");
    refuse("<mujoco><asset><model name='tool' file='tool.xml'/></asset><worldbody><attach model='tool' prefix='t'/>"
           "<attach model='tool' prefix='t'/></worldbody></mujoco>",
           "is taken already");
}
