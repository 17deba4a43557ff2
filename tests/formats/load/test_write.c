// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots that are written and read back are the robots they were; what a format cannot describe is reported by name.
#include <glob.h>

#include <footfall/load.h>
#include <footfall/text.h>

#include "support/folder.h"
#include "support/same_robot.h"

#define MODELS FF_SOURCE_DIR "/../shared/models"
enum { STATES = CHECK_LASTS(5, 1) };

// what a test that fails leaves behind is freed by the next
static ff_spec *spec, *again;
static ff_model *model, *back;
static ff_report report;
static char *text;

static void forget(void)
{
    free(text);
    ff_report_clear(&report);
    ff_model_destroy(model);
    ff_model_destroy(back);
    ff_spec_destroy(spec);
    ff_spec_destroy(again);
    spec = again = NULL;
    model = back = NULL;
    text = NULL;
}

static void begin(void)
{
    static bool registered;
    if (!registered) atexit(forget);
    registered = true;
    forget();
    spec = ff_spec_create(NULL);
    again = ff_spec_create(NULL);
}

static void load(const char *path, const ff_load_options *options)
{
    begin();
    if (ff_spec_load(spec, path, options, &report) != FF_OK) CHECK_FAIL("%s cannot be read", path);
    ff_report_clear(&report);
}

static void parse(const char *yaml)
{
    begin();
    if (ff_spec_parse(spec, "yaml", yaml, strlen(yaml), "robot.yaml", NULL, &report) != FF_OK)
        CHECK_FAIL("%s", report.messages[0].text);
    ff_report_clear(&report);
}

static const char *said(void)
{
    static char all[4000];
    all[0] = '\0';
    for (int i = 0; i < report.count; i++) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s\n", report.messages[i].text);
    }
    return all;
}

static void check_said(const char *words)
{
    if (!strstr(said(), words)) CHECK_FAIL("nothing is said about \"%s\", but:\n%s", words, said());
}

static void check_has(const char *words)
{
    if (!strstr(text, words)) CHECK_FAIL("the text lacks %s:\n%.3000s", words, text);
}

/// Writes the robot of `spec` and reads it back.
static void there_and_back(const char *format, const char *label, const ff_load_options *options)
{
    model = ff_model_compile(spec, options, &report);
    if (!model) CHECK_FAIL("%s does not compile: %s", label, said());
    ff_report_clear(&report);
    text = ff_spec_format(spec, format, options, &report);
    if (!text) CHECK_FAIL("%s is not written as %s: %s", label, format, said());
    ff_report reading = {0};
    const ff_status status = ff_spec_parse(again, format, text, strlen(text), "written", NULL, &reading);
    char message[500] = "";
    for (int i = 0; i < reading.count && !message[0]; i++)
        if (reading.messages[i].severity == FF_ERROR) ff_message_format(&reading.messages[i], message, sizeof message);
    if (status == FF_OK) back = ff_model_compile(again, NULL, &reading);
    for (int i = 0; i < reading.count && !back && !message[0]; i++)
        ff_message_format(&reading.messages[i], message, sizeof message);
    ff_report_clear(&reading);
    if (!back) CHECK_FAIL("%s as %s is not read back: %s", label, format, message);
}

static bool has_ball(void)
{
    for (int j = 0; j < spec->njoint; j++)
        if (spec->joints[j].type == FF_JOINT_BALL) return true;
    return false;
}

/// URDF has neither gravity nor armature of free and planar joints, which is reported.
static void take_untold_off(void)
{
    ff_vec3_set(spec->gravity, 0, 0, -9.81);
    for (int j = 0; j < spec->njoint; j++)
        if (!ff_joint_is_scalar(spec->joints[j].type)) spec->joints[j].armature = 0.0;
}

static void round_trip(const char *path, const ff_load_options *options)
{
    load(path, options);
    there_and_back("mjcf", path, options);
    same_robot(path, model, back, STATES);
    same_numbers(path, "q0", back->q0, model->q0, model->nq, 1.0); // URDF counts from its own zero
    CHECK_INT(back->nbody, model->nbody);
    CHECK_INT(back->nkey, model->nkey);
    for (int k = 0; k < model->nkey; k++) {
        CHECK_TEXT(back->keys[k].name, model->keys[k].name);
        same_numbers(path, "pose", back->keys[k].q, model->keys[k].q, model->nq, 1.0);
    }
    CHECK_INT(back->nexclude, model->nexclude);
    CHECK_INT(back->npair, model->npair);
    for (int i = 0; i < model->npair; i++) {
        const ff_geom_pair *a = &model->pairs[i], *b = &back->pairs[i];
        CHECK_TEXT(back->geoms[b->geom1].name, model->geoms[a->geom1].name);
        CHECK_TEXT(back->geoms[b->geom2].name, model->geoms[a->geom2].name);
        CHECK(b->condim == a->condim && b->numbers.has_solref == a->numbers.has_solref);
        same_numbers(path, "friction of a pair", b->friction, a->friction, 3, 1.0);
        same_numbers(path, "solref of a pair", b->numbers.solref, a->numbers.solref, 2, 1.0);
    }
    CHECK_INT(back->nmocap, model->nmocap);
    CHECK_INT(back->ndrag, model->ndrag);
    for (int i = 0; i < model->ndrag; i++) {
        CHECK_INT(back->drags[i].ellipsoid, model->drags[i].ellipsoid);
        same_numbers(path, "fluid coefficients", back->drags[i].coefficient, model->drags[i].coefficient, 5, 1.0);
    }
    for (int k = 0; k < model->nkey && model->keys[k].mocap; k++)
        same_numbers(path, "mocap", back->keys[k].mocap, model->keys[k].mocap, 7 * model->nmocap, 1.0);
    load(path, options);
    if (has_ball()) return;
    take_untold_off();
    there_and_back("urdf", path, options);
    same_robot(path, model, back, STATES);
}

// ------------------------------------------------------------------------------------------ whole robots

TEST(every_robot_of_ours_comes_back)
{
    glob_t found;
    CHECK_INT(glob(FF_SOURCE_DIR "/robots/*/*.yaml", 0, NULL, &found), 0);
    CHECK(found.gl_pathc > 30);
    for (size_t i = 0; i < found.gl_pathc; i += CHECK_LASTS(1, 2)) round_trip(found.gl_pathv[i], NULL);
    globfree(&found);
}

TEST(published_robots_come_back)
{
    static const char *const paths[] = {
        "mjcf/unitree_a1/a1_nomesh.xml",
        "mjcf/robotis_op3/op3_nomesh.xml",
        "mjcf/agility_cassie/cassie_nomesh.xml",
        "mjcf/shadow_hand/right_hand_nomesh.xml",
        "urdf/example-robot-data/robots/solo_description/robots/solo12.urdf",
        "urdf/example-robot-data/robots/hyq_description/robots/hyq_no_sensors.urdf",
        "urdf/example-robot-data/robots/anymal_b_simple_description/robots/anymal.urdf"};
    if (access(MODELS, R_OK) != 0) SKIP("%s is not here", MODELS);
    ff_load_options options = ff_load_options_default();
    options.floating = options.repair = true;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i += CHECK_LASTS(1, 3)) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", MODELS, paths[i]);
        if (access(path, R_OK) == 0) round_trip(path, &options);
    }
}

TEST(files_about_one_part_of_mjcf_come_back)
{
    glob_t found;
    CHECK_INT(glob(FF_SOURCE_DIR "/tests/formats/mjcf/robots/*.xml", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) round_trip(found.gl_pathv[i], NULL);
    globfree(&found);
}

// Every joint type, several joints on a body, anchors off the origin, references, fixed bodies.
TEST(random_robots_come_back)
{
    ff_random random = ff_random_make(5, 0);
    for (int round = 0; round < 20; round++) {
        char label[32];
        snprintf(label, sizeof label, "random robot %d", round);
        for (int urdf = 0; urdf < 2; urdf++) {
            begin();
            ff_spec_destroy(spec);
            spec = random_robot(&random, 2 + round, round % 2, round % 3 == 0);
            for (int j = 0; urdf && j < spec->njoint; j++)
                if (spec->joints[j].type == FF_JOINT_BALL) spec->joints[j].type = FF_JOINT_HINGE;
            if (urdf) take_untold_off();
            there_and_back(urdf ? "urdf" : "mjcf", label, NULL);
            same_robot(label, model, back, STATES);
        }
    }
}

// ------------------------------------------------------------------------------------------ what stands in a file

// An arm with one of each: anchors, reference, spring, loop, coupling, drives of each path, sensors, a pose.
static const char ARM[] =
    "footfall: 1\n"
    "name: \"arm <&\\\"'>\"\n"
    "materials:\n"
    "  rubber: {normal: {law: hunt-crossley, stiffness: 2e4, damping: 3e3}, friction: {mu: 0.7}, source: made up}\n"
    "bodies:\n"
    "  base: {pos: [0.1, 0.2, 0.3], joint: free, inertial: {mass: 3, inertia: [0.1, 0.2, 0.15]},\n"
    "    shapes: [{box: [0.2, 0.3, 0.4], material: rubber, color: [1, 0, 0]}], frames: {eye: {pos: [0.1, 0, 0]}},\n"
    "    bodies: {\n"
    "      \"upper <arm>\": {pos: [0, 0, 0.5], joint: {name: shoulder, axis: [1, 2, 3], pos: [0.01, 0.02, 0.03],\n"
    "          ref: 0.3, range: [-1, 2], armature: 0.02, damping: 0.4, dry_friction: 0.1,\n"
    "          spring: {stiffness: 5, rest: 0.2},\n"
    "          drive: {kind: ideal, torque: 9, loop: {kind: pd, kp: 100, kd: 3}}},\n"
    "        inertial: {mass: 1, com: [0.1, -0.2, 0.3], inertia: [0.02, 0.03, 0.04, 0.001, -0.002, 0.003]},\n"
    "        shapes: [{name: tip, sphere: 0.05, role: collision}],\n"
    "        bodies: {\n"
    "          fore: {pos: [0, 0, 0.4], joint: {name: elbow, axis: y, drive: {kind: ideal, rotor: 0.01,\n"
    "              path: {kind: crank, a: 0.05, b: 0.3, angle: 0.6}, loop: {kind: pd, kp: 2e4, kd: 300}}},\n"
    "            inertial: {mass: 0.5, inertia: [0.01, 0.01, 0.002]},\n"
    "            bodies: {hand: {pos: [0, 0, 0.2], joint: {name: wrist, axis: x},\n"
    "              inertial: {mass: 0.2, inertia: [0.001, 0.001, 0.001]}}}}}}}}\n"
    "drives:\n"
    "  pull: {joints: [elbow, wrist], kind: ideal, path: {kind: levers, levers: [0.03, -0.02], offset: 1 mm},\n"
    "    loop: {kind: pd, kp: 5e3}}\n"
    "sensors:\n"
    "  imu: {type: imu, frame: eye}\n"
    "  angle: {type: potentiometer, joint: shoulder}\n"
    "poses:\n"
    "  up: {shoulder: 0.5, elbow: -0.25}\n";

TEST(an_arm_is_written_with_all_it_has)
{
    parse(ARM);
    there_and_back("mjcf", "arm", NULL);
    same_robot("arm", model, back, STATES);
    CHECK_TEXT(back->name, "arm <&\"'>"); // names with the characters that XML keeps for itself
    CHECK(ff_model_find_body(back, "upper <arm>") >= 0);
    CHECK(ff_model_find_frame(back, "eye") >= 0);
    const int shoulder = ff_model_find_joint(back, "shoulder");
    CHECK_NEAR(back->joints[shoulder].stiffness, 5.0, 0.0);
    CHECK_NEAR(back->joints[shoulder].spring_ref, 0.2, 0.0);
    const ff_actuator *a = &back->actuators[ff_model_find_actuator(back, "shoulder")];
    CHECK_NEAR(a->gain, 100.0, 0.0);
    CHECK_NEAR(a->bias[1], -100.0, 0.0);
    CHECK_NEAR(a->bias[2], -3.0, 0.0);
    CHECK_NEAR(a->force_range[1], 9.0, 0.0);
    check_has("<spatial name=\"elbow\">");
    check_has("<joint joint=\"elbow\" coef=\"0.03\"/><joint joint=\"wrist\" coef=\"-0.02\"/>");
    check_has("<gyro name=\"imu.gyro\" site=\"eye\"/>");
    check_has("<jointpos name=\"angle\" joint=\"shoulder\"/>");
    check_has("friction=\"0.7 ");
    CHECK_INT(back->ngeom, model->ngeom);
    same_numbers("arm", "box", back->geoms[0].shape.size, model->geoms[0].shape.size, 3, 0.0);
    check_said("the inertia of its rotor is not written");
    check_said("solref is no stiffness");
}

TEST(an_arm_as_urdf_keeps_what_urdf_can_say)
{
    parse(ARM);
    there_and_back("urdf", "arm", NULL);
    same_robot("arm", model, back, STATES);
    CHECK(ff_model_find_body(back, "eye") >= 0); // frames are links
    check_said("\"shoulder\": URDF has no joint springs");
    check_said("\"imu\" and 1 more: URDF has no such sensor");
    check_said("\"up\": URDF has no poses");
    check_said("of the drive a motor is written at most");
}

static const char TOUCHING[] =
    "<mujoco><option magnetic='1 2 3'/><worldbody>"
    "<geom type='plane' size='5 5 1' priority='2' solmix='3' solref='-400 -30'/><body name='b'><freejoint/>"
    "<geom size='.1' solref='.03 .7' solimp='.7 .8'/><site name='z' type='box' size='.1 .2 .3'/></body></worldbody>"
    "<sensor><touch name='t' site='z'/><magnetometer name='m' site='z'/></sensor></mujoco>";

TEST(numbers_of_contact_and_sensors_come_back)
{
    begin();
    if (ff_spec_parse(spec, "mjcf", TOUCHING, strlen(TOUCHING), "robot.xml", NULL, &report) != FF_OK)
        CHECK_FAIL("%s", said());
    there_and_back("mjcf", "touching", NULL);
    CHECK_INT(again->ngeom, 2);
    for (int i = 0; i < 2; i++) {
        const ff_mjcf_contact *a = &spec->geoms[i].mjcf, *b = &again->geoms[i].mjcf;
        CHECK_INT(b->priority, a->priority);
        CHECK_INT(b->has_solref, a->has_solref);
        CHECK_NEAR(b->solmix, a->solmix, 0.0);
        CHECK_NEAR(b->impedance, a->impedance, 0.0);
        same_numbers("touching", "solref", b->solref, a->solref, 2, 0.0);
    }
    check_has("magnetic=\"1 2 3\"");
    check_has("type=\"box\" size=\"0.1 0.2 0.3\"");
    check_said("of solimp the impedance");
    CHECK(!strstr(said(), "errors, rate and delay"));
}

TEST(a_muscle_as_urdf_is_reported)
{
    static const char muscle[] = "<mujoco><worldbody><body><joint name='j' range='-90 90'/><geom size='.1'/></body>"
                                 "</worldbody><actuator><muscle joint='j' force='1'/></actuator></mujoco>";
    begin();
    if (ff_spec_parse(spec, "mjcf", muscle, strlen(muscle), "robot.xml", NULL, &report) != FF_OK)
        CHECK_FAIL("%s", said());
    there_and_back("urdf", "muscle", NULL);
    check_said("URDF has no muscles");
}

TEST(forces_are_reported_where_they_are_not_written)
{
    const char *const formats[] = {"mjcf", "urdf"};
    for (int i = 0; i < 2; i++) {
        parse(ARM);
        spec->bodies[0].gravcomp = 0.5;
        there_and_back(formats[i], "arm", NULL);
        check_said("has no gravity compensation");
    }
}

// A loop by a point, one by a pose, a coupling about references that are not zero, a joint that mimics.
static const char LOOPS[] =
    "footfall: 1\n"
    "bodies:\n"
    "  a: {joint: {name: p, axis: y, ref: 0.2}, inertial: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}}\n"
    "  b: {pos: [1, 0, 0], joint: {name: q, axis: y, ref: -0.1},\n"
    "    inertial: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}}\n"
    "  c: {pos: [2, 0, 0], joint: {name: r, axis: y, mimic: {joint: p, gain: 2, offset: 0.5}},\n"
    "    inertial: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}}\n"
    "loops:\n"
    "  pin: {connect: [a, b], at: [[0.5, 0, 0]]}\n"
    "  bar: {rod: [a, c], at: [[0.1, 0, 0], [0, 0, 0.1]]}\n";

TEST(loops_and_couplings_come_back)
{
    parse(LOOPS);
    ff_spec_equality *e = ff_spec_add_equality(spec, "couple", FF_EQUALITY_JOINT);
    e->object1 = "p";
    e->object2 = "q";
    const double polynomial[7] = {0.1, 2.0, 0.5, -0.25, 0.125, 0.3, 0.7}; // about y0 = 0.3, x0 = 0.7
    memcpy(e->data, polynomial, sizeof polynomial);
    there_and_back("mjcf", "loops", NULL);
    same_robot("loops", model, back, STATES);
    check_said("\"bar\": the rod is written as a tendon");
    CHECK_INT(back->nequality, 3); // pin, couple, and the mimic
    same_numbers("pin", "points", back->equalities[0].data, model->equalities[0].data, 6, 1.0);
    const double *p = back->equalities[1].data, x = 0.4; // any place
    double y = p[5], power = 1.0, expected = 0.3, from = 1.0;
    for (int k = 0; k < 5; k++) {
        y += p[k] * power;
        power *= x - p[6];
        expected += polynomial[k] * from;
        from *= x - 0.7;
    }
    CHECK_NEAR(y, expected, 1e-14); // rounding of ten products near 1
    const double *m = back->equalities[2].data;
    CHECK_NEAR(m[5] + m[0] + m[1] * (x - m[6]), 2.0 * x + 0.5, 1e-14); // r = 2 p + 0.5
}

TEST(urdf_reports_loops)
{
    parse(LOOPS);
    there_and_back("urdf", "loops", NULL);
    same_robot("loops", model, back, STATES);
    check_said("\"pin\" and 1 more: the loop or coupling is left out: URDF is a tree");
    CHECK_NEAR(back->joints[ff_model_find_joint(back, "r")].mimic_gain, 2.0, 0.0);
}

// A coupling along a line is a mimic, unless that would make a circle or a joint follow two.
TEST(linear_couplings_become_mimics)
{
    static const struct {
        const char *follower, *leader;
    } pairs[] = {{"q", "p"}, {"p", "q"}};
    for (int k = 0; k < 2; k++) {
        begin();
        CHECK_INT(ff_spec_parse(spec, "yaml", LOOPS, strlen(LOOPS), "robot.yaml", NULL, &report), FF_OK);
        for (int i = 0; i <= k; i++) { // one alone, then each follows the other
            ff_spec_equality *e = ff_spec_add_equality(spec, pairs[i].follower, FF_EQUALITY_JOINT);
            e->object1 = pairs[i].follower;
            e->object2 = pairs[i].leader;
            const double line[7] = {0.1, 3.0, 0, 0, 0, 0.2, 0.5}; // q = 0.2 + 0.1 + 3 (p - 0.5)
            memcpy(e->data, line, sizeof line);
        }
        there_and_back("urdf", "couplings", NULL);
        const ff_joint *q = &back->joints[ff_model_find_joint(back, "q")];
        CHECK_INT(q->mimic, k == 0 ? ff_model_find_joint(back, "p") : -1);
        if (k == 0) CHECK_NEAR(q->mimic_gain, 3.0, 0.0);
        if (k == 0) CHECK_NEAR(q->mimic_offset, -1.2, 1e-15);
        check_said(k == 0 ? "\"pin\" and 1 more: the loop or coupling" : "\"pin\" and 3 more: the loop or coupling");
    }
}

TEST(urdf_refuses_balls)
{
    parse("footfall: 1\nbodies: {a: {joint: {name: hip, type: ball}, inertial: {mass: 1, inertia: [1, 1, 1]}}}\n");
    text = ff_spec_format(spec, "urdf", NULL, &report);
    CHECK(text == NULL);
    check_said("joint \"hip\" is a ball, which URDF cannot say");
}

// URDF files with a floating joint have it below a link "world"; MJCF has free joints on the world alone.
TEST(free_bodies_below_bodies_that_stand_come_back)
{
    parse("footfall: 1\n"
          "bodies:\n"
          "  wall: {pos: [1, 2, 3], bodies: {\n"
          "    shelf: {pos: [0, 0, 1], bodies: {\n"
          "      cup: {pos: [0.1, 0, 0], joint: free, inertial: {mass: 1, inertia: [1, 1, 1]}, bodies: {\n"
          "        lid: {pos: [0, 0, 0.1], joint: {axis: x}, inertial: {mass: 1, inertia: [1, 1, 1]}}}},\n"
          "      flap: {pos: [0, 0.3, 0], joint: {axis: y}, inertial: {mass: 1, inertia: [1, 1, 1]}}}},\n"
          "    hook: {pos: [0, 0, 2], joint: {axis: y}, inertial: {mass: 1, inertia: [1, 1, 1]}}}}\n");
    there_and_back("mjcf", "wall", NULL);
    same_robot("wall", model, back, STATES);
    same_numbers("wall", "q0", back->q0, model->q0, model->nq, 1.0);
}

TEST(a_body_called_world_is_renamed_and_reported)
{
    parse("footfall: 1\nbodies: {world: {joint: {name: j}, inertial: {mass: 1, inertia: [1, 1, 1]}}}\n");
    there_and_back("mjcf", "world", NULL);
    same_robot("world", model, back, STATES);
    check_said("\"world_body\"");
}

TEST(a_robot_without_a_name_is_written)
{
    parse("footfall: 1\nbodies: {a: {joint: {name: j}, inertial: {mass: 1, inertia: [1, 1, 1]}}}\n");
    spec->name = NULL;
    there_and_back("mjcf", "nameless", NULL);
    check_has("<mujoco>");
    spec->bodies[0].name = "a\001\nb";
    free(text);
    text = ff_spec_format(spec, "mjcf", NULL, &report);
    check_has("<body name=\"a?&#10;b\">");
    check_said("a control character of the name");
    free(text);
    text = ff_spec_format(spec, "urdf", NULL, &report);
    check_has("<robot name=\"robot\"");
}

TEST(what_was_not_read_or_is_renamed_in_mjcf_is_reported)
{
    static const char urdf[] =
        "<robot name='r'><link name='a'><collision><geometry><capsule radius='0.1' length='0'/></geometry></collision>"
        "</link><safety/></robot>";
    begin();
    CHECK_INT(ff_spec_parse(spec, "urdf", urdf, strlen(urdf), "r.urdf", NULL, &report), FF_OK);
    there_and_back("mjcf", "capsule", NULL);
    check_has("type=\"sphere\" size=\"0.1\"");
    check_said("<safety> (1): not used by Footfall, and not written");
}

// A <torque> of MJCF is a moment at a site, and <force> has the opposite sign of ours: both have types of their own.
TEST(forces_and_moments_at_sites_come_back)
{
    static const char mjcf[] =
        "<mujoco><worldbody><body name='a'><joint name='j'/><geom size='0.1'/><site name='s'/>"
        "</body></worldbody><sensor><torque name='t' site='s'/><force name='f' site='s'/></sensor>"
        "</mujoco>";
    begin();
    CHECK_INT(ff_spec_parse(spec, "mjcf", mjcf, strlen(mjcf), "r.xml", NULL, &report), FF_OK);
    there_and_back("mjcf", "moments", NULL);
    CHECK_INT(back->nsensor, 2);
    CHECK_TEXT(back->sensors[0].type, "reaction_moment");
    CHECK_TEXT(back->sensors[1].type, "reaction");
    CHECK_TEXT(back->sensors[0].object, "s");
}

// Rotations at and near a pitch of 90 degrees, where roll and yaw are one turn.
TEST(turns_of_every_kind_survive_urdf)
{
    ff_random random = ff_random_make(3, 0);
    for (int round = 0; round < 60; round++) {
        begin();
        for (int i = 0; i < 3; i++) {
            ff_spec_body *body = ff_spec_add_body(spec, (const char *[]){"a", "b", "c"}[i], i - 1);
            const double off = round % 3 == 0 ? 0.0 : ff_random_range(&random, -1, 1) * (round % 3 == 1 ? 1e-9 : 1.0);
            const double rpy[3] = {ff_random_range(&random, -3, 3), (round % 2 ? 0.5 : -0.5) * FF_PI + off,
                                   ff_random_range(&random, -3, 3)};
            ff_quat_from_rpy(body->quat, rpy);
            random_inertia(&random, body);
            ff_spec_add_joint(spec, (const char *[]){"i", "j", "k"}[i], i, FF_JOINT_HINGE);
        }
        there_and_back("urdf", "turned", NULL);
        same_robot("turned", model, back, STATES);
    }
}

// ------------------------------------------------------------------------------------------ files

TEST(the_ending_chooses_the_format_and_sources_stay)
{
    static const char robot[] =
        "footfall: 1\nbodies: {a: {joint: {name: j}, inertial: {mass: 1, inertia: [1, 1, 1]}}}\n";
    write_file("robot.yaml", robot);
    load(in_folder("robot.yaml"), NULL);
    CHECK_INT(ff_spec_save(spec, in_folder("robot.xml"), NULL, &report), FF_OK);
    CHECK_INT(ff_spec_save(spec, in_folder("robot.urdf"), NULL, &report), FF_OK);
    CHECK_INT(ff_spec_save(spec, in_folder("ROBOT.XML"), NULL, &report), FF_OK);
    CHECK_INT(ff_spec_save(spec, in_folder("robot.json"), NULL, &report), FF_BAD_ARGUMENT);
    check_said("the ending chooses the format");
    CHECK_INT(ff_spec_save(spec, in_folder("nowhere/robot.xml"), NULL, &report), FF_NOT_WRITTEN);
    check_said("cannot be written");
    load(in_folder("robot.xml"), NULL);
    CHECK_INT(ff_spec_save(spec, in_folder("./robot.xml"), NULL, &report), FF_BAD_ARGUMENT);
    check_said("the robot is read from this file");
}
