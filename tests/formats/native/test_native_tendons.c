// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tendons of native files: what is read, what a locked joint leaves of a sum, what is refused, and that the robot
// written as MJCF and read back has the same tendons.
#include <footfall/dyn.h>
#include <footfall/load.h>

#include "check.h"
#include "support/folder.h"
#include "support/random_robot.h"

#define ROBOT                                                                                                          \
    "footfall: 1\nbodies:\n"                                                                                           \
    "  upper: {joint: {axis: y}, inertial: {mass: 1, sphere: 0.1}, frames: {eye: {pos: [0.1, 0, 0]}},\n"               \
    "    shapes: [{name: roll, sphere: 0.05, pos: [0, 0, -0.2]}]}\n"                                                   \
    "  lower: {parent: upper, pos: [0, 0, -0.4], joint: {axis: y, ref: 0.3}, inertial: {mass: 1, sphere: 0.1},\n"      \
    "    frames: {tip: {pos: [0.1, 0, -0.3]}}}\n"                                                                      \
    "frames: {roof: {pos: [0, 0, 1]}}\n"

static ff_spec *spec;
static ff_report report;

static ff_model *made(const char *text)
{
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    spec = ff_spec_create(NULL);
    if (ff_spec_parse(spec, "yaml", text, strlen(text), "robot.yaml", NULL, &report) != FF_OK) return NULL;
    return ff_model_compile(spec, NULL, &report);
}

static void said(const char *words)
{
    for (int i = 0; i < report.count; i++)
        if (strstr(report.messages[i].text, words)) return;
    CHECK_FAIL("\"%s\" was not said, but: %s", words, report.count ? report.messages[0].text : "nothing");
}

TEST(stops_have_the_numbers_of_the_file_zero_too_and_defaults_where_it_has_none)
{
#define STOP(numbers) ROBOT "tendons: {a: {path: [roof, tip], range: [0, 3], stop: " numbers "}}\n"
    static const struct {
        const char *text;
        double stiffness, damping;
    } cases[] = {{STOP("{damping: 0}"), 1e4, 0.0}, {STOP("{stiffness: 7}"), 7.0, 100.0}, {STOP("{}"), 1e4, 100.0}};
    for (int i = 0; i < 3; i++) {
        ff_model *m = made(cases[i].text);
        if (!m) CHECK_FAIL("%s", report.messages[0].text);
        CHECK_NEAR(m->tendons[0].stop_stiffness, cases[i].stiffness, 0);
        CHECK_NEAR(m->tendons[0].stop_damping, cases[i].damping, 0);
        ff_model_destroy(m);
    }
    CHECK(!made(STOP("{stiffness: 0}")));
    said("'stiffness' is 0: it must be positive");
#undef STOP
}

TEST(strings_and_sums_are_read)
{
    ff_model *m =
        made(ROBOT "tendons:\n"
                   "  string: {path: [roof, eye, {around: roll, side: tip}, tip, {pulley: 2}, eye, {frame: roof}],\n"
                   "    spring: {stiffness: 80, length: [0.1, 20 cm]}, damping: 2, range: [0, 3],\n"
                   "    stop: {stiffness: 5, damping: 6}, dry_friction: {level: 0.1, speed: 0.02}}\n"
                   "  sum: {joints: {upper: 1, lower: -2}, spring: {stiffness: 3}, dry_friction: 0.4}\n"
                   "actuators: {pull: {tendon: string, type: position, kp: 3}}\n");
    if (!m) CHECK_FAIL("%s", report.messages[0].text);
    const ff_tendon *string = &m->tendons[0], *sum = &m->tendons[1];
    CHECK_INT(string->npiece, 7);
    CHECK_INT(string->pieces[2].type, FF_TENDON_WRAP);
    CHECK_INT(string->pieces[2].side, ff_model_find_frame(m, "tip"));
    CHECK_NEAR(string->spring_length[1], 0.2, 1e-15);
    CHECK_NEAR(string->stop_damping, 6, 0);
    CHECK_NEAR(string->dry_speed, 0.02, 0);
    CHECK_NEAR(sum->pieces[1].factor, -2, 0);
    CHECK_NEAR(sum->dry_friction, 0.4, 0);
    CHECK_NEAR(sum->stop_stiffness, 1000, 0); // as those of joints
    CHECK_INT(m->actuators[0].tendon, 0);
    ff_model_destroy(m);
}

// What a locked joint adds is constant: spring, range and the law of an actuator take it over.
TEST(a_locked_joint_leaves_a_sum)
{
    ff_model *m = made(ROBOT "tendons:\n"
                             "  sum: {joints: {upper: 1, lower: 2}, spring: {stiffness: 3, length: 1}, range: [0, 2]}\n"
                             "  gone: {joints: {lower: 1}}\n"
                             "joints: {lower: fixed}\n"
                             "actuators:\n  servo: {tendon: sum, type: position, kp: 5}\n");
    if (!m) CHECK_FAIL("%s", report.messages[0].text);
    CHECK_INT(m->ntendon, 1);
    CHECK_INT(m->tendons[0].npiece, 1);
    CHECK_NEAR(m->tendons[0].spring_length[0], 1.0 - 2 * 0.3, 1e-15);
    CHECK_NEAR(m->tendons[0].range[1], 2.0 - 2 * 0.3, 1e-15);
    ff_model_destroy(m);
}

TEST(tendons_without_a_meaning_are_refused_with_their_place)
{
    CHECK(!made(ROBOT "tendons: {a: {path: [roof, tip], joints: {upper: 1}}}\n"));
    said("exactly one of path, joints and thrust");
    CHECK_INT(report.messages[0].line, 8);
    CHECK(!made(ROBOT "tendons: {a: {path: [roof, {around: roll, pulley: 2}, tip]}}\n"));
    said("exactly one of frame, around and pulley");
    CHECK(!made(ROBOT "tendons: {a: {path: [roof, {pulley: 0}, tip]}}\n"));
    CHECK(!made(ROBOT "tendons: {a: {path: [roof, nowhere]}}\n"));
    said("\"nowhere\", which does not exist");
    CHECK(!made(ROBOT "tendons: {a: {path: [roof, tip], spring: {stiffness: -1}}}\n"));
    CHECK(!made(ROBOT "tendons: {a: {thrust: {frame: tip, force: [0, 0, 1]}, damping: 1}}\n"));
    said("a thrust has no length");
    CHECK(!made(ROBOT "actuators: {a: {gain: 2}}\n"));
    said("'joint', a 'tendon' or a 'body'");
}

TEST(a_robot_written_as_mjcf_has_the_same_tendons)
{
    ff_model *m =
        made(ROBOT "tendons:\n"
                   "  string: {path: [roof, eye, {around: roll, side: roof}, tip, {pulley: 2}, eye, roof],\n"
                   "    spring: {stiffness: 80, length: [0.1, 0.2]}, damping: 2}\n"
                   "  sum: {joints: {upper: 1, lower: -2}, spring: {stiffness: 3, length: -1}}\n"
                   "  jet: {thrust: {frame: tip, from: roof, force: [1, 2, 3], moment: [4, 5, 6]}}\n"
                   "actuators: {pull: {tendon: string, type: position, kp: 3}, blow: {tendon: jet, gear: 2}}\n"
                   "medium: {density: 1.2, viscosity: 2e-5, wind: [0, 3, 0]}\n");
    if (!m) CHECK_FAIL("%s", report.messages[0].text);
    char *text = ff_spec_format(spec, "mjcf", NULL, &report);
    ff_spec *back = ff_spec_create(NULL);
    CHECK(text && ff_spec_parse(back, "mjcf", text, strlen(text), "m.xml", NULL, &report) == FF_OK);
    ff_model *copy = ff_model_compile(back, NULL, &report);
    CHECK(copy && copy->nactuator == 2 && copy->actuators[0].tendon == 0);
    CHECK(copy->density == 1.2 && copy->viscosity == 2e-5 && copy->wind[1] == 3.0);
    CHECK_NEAR(copy->tendons[1].spring_length[0], -1.0, 1e-15); // not the length at rest, which -1 means in MJCF
    CHECK_NEAR(copy->tendons[2].pieces[0].wrench[5], 2 * 6, 0); // with the gear of the actuator
    ff_data *d = ff_data_create(m, NULL), *e = ff_data_create(copy, NULL);
    ff_random random = ff_random_make(5, 0);
    for (int k = 0; k < 20; k++) {
        random_state(m, d, &random);
        memcpy(e->q, d->q, (size_t)m->nq * sizeof(double));
        memcpy(e->v, d->v, (size_t)m->nv * sizeof(double));
        ff_dyn_kinematics(m, d), ff_dyn_velocity(m, d), ff_dyn_passive(m, d);
        ff_dyn_kinematics(copy, e), ff_dyn_velocity(copy, e), ff_dyn_passive(copy, e);
        for (int i = 0; i < 2; i++) CHECK_NEAR(e->tendon_length[i], d->tendon_length[i], 1e-14);
        for (int i = 0; i < m->nv; i++) CHECK_NEAR(e->passive[i], d->passive[i], 1e-11);
    }
    ff_data_destroy(d), ff_data_destroy(e);
    ff_model_destroy(copy), ff_model_destroy(m);
    ff_spec_destroy(back), ff_spec_destroy(spec);
    spec = NULL;
    ff_report_clear(&report);
    free(text);
}

// Its force is a vector of places, its moment an axial one: in the plane across y, (1, 2, 3) and (4, 5, 6) become
// (1, -2, 3) and (-4, 5, -6).
TEST(a_mirrored_thrust_is_the_mirror_image)
{
    static const double image[6] = {1, -2, 3, -4, 5, -6};
    ff_model *m = made("footfall: 1\nparts:\n  arm:\n"
                       "    bodies: {arm: {joint: {name: turn, axis: y}, inertial: {mass: 1, sphere: 0.1},\n"
                       "      frames: {tip: {pos: [0, 0.1, 1]}}}}\n"
                       "    tendons: {jet: {thrust: {frame: tip, force: [1, 2, 3], moment: [4, 5, 6]}}}\n"
                       "bodies: {trunk: {attach: [{part: arm, prefix: L_}, {part: arm, prefix: R_, mirror: y}]}}\n");
    if (!m) CHECK_FAIL("%s", report.messages[0].text);
    CHECK_INT(m->ntendon, 2);
    for (int i = 0; i < 6; i++) CHECK_NEAR(m->tendons[1].pieces[0].wrench[i], image[i], 0.0);
    ff_model_destroy(m);
}

TEST(what_urdf_cannot_describe_is_reported)
{
    static const char *const words[] = {"URDF has no tendons", "the actuator is left out", "surrounding air or liquid"};
    ff_model *m = made(ROBOT "tendons: {string: {path: [roof, tip]}}\nactuators: {pull: {tendon: string}}\n"
                             "medium: {density: 1}\n");
    if (!m) CHECK_FAIL("%s", report.messages[0].text);
    ff_report_clear(&report);
    char *text = ff_spec_format(spec, "urdf", NULL, &report);
    CHECK(text);
    for (int k = 0; k < 3; k++) {
        bool found = false;
        for (int i = 0; i < report.count; i++) found = found || strstr(report.messages[i].text, words[k]);
        if (!found) CHECK_FAIL("no message contains '%s'", words[k]);
    }
    ff_model_destroy(m);
    free(text);
}

// What is given of a tendon that a file imports changes, and nothing else; it keeps its way.
TEST(an_imported_tendon_changes_by_its_name)
{
    const char *const other = "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><tendon>"
                              "<fixed name='t' stiffness='3' damping='4' limited='true' range='-1 1'>"
                              "<joint joint='j' coef='2'/></fixed></tendon></mujoco>";
    write_file("other.xml", other);
    const char *path = in_folder("robot.yaml"), *text = "footfall: 1\nimport: other.xml\n"
                                                        "tendons: {t: {damping: 7, spring: {length: 0.5}}}\n";
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    spec = ff_spec_create(NULL);
    if (ff_spec_parse(spec, "yaml", text, strlen(text), path, NULL, &report) != FF_OK)
        CHECK_FAIL("%s", report.messages[0].text);
    CHECK_INT(spec->ntendon, 1);
    CHECK_INT(spec->tendons[0].npiece, 1);
    CHECK_NEAR(spec->tendons[0].damping, 7, 0);
    CHECK_NEAR(spec->tendons[0].stiffness, 3, 0);
    CHECK_NEAR(spec->tendons[0].spring_length[1], 0.5, 0);
    CHECK(spec->tendons[0].limited && spec->tendons[0].range[0] == -1.0);
    CHECK(!made(ROBOT "tendons: {t: {damping: 7}}\n"));
    said("a tendon that is new needs exactly one of path, joints and thrust");
}

// Locking all joints of a sum takes along its actuators, and sensors of it and of them.
TEST(sensors_of_a_sum_go_with_it)
{
    write_file("sum.xml",
               "<mujoco><worldbody><body name='b'><joint name='j'/><joint name='k' axis='1 0 0'/>"
               "<geom size='1'/></body></worldbody><tendon><fixed name='t'><joint joint='j' coef='1'/></fixed>"
               "</tendon><actuator><motor name='m' tendon='t'/></actuator><sensor><tendonpos tendon='t'/>"
               "<actuatorfrc actuator='m'/><jointpos joint='k'/></sensor></mujoco>");
    const char *path = in_folder("robot.yaml"), *text = "footfall: 1\nimport: sum.xml\njoints: {j: fixed}\n";
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    spec = ff_spec_create(NULL);
    ff_model *m = ff_spec_parse(spec, "yaml", text, strlen(text), path, NULL, &report) == FF_OK
                      ? ff_model_compile(spec, NULL, &report)
                      : NULL;
    if (!m) CHECK_FAIL("%s", report.messages[0].text);
    CHECK_INT(m->ntendon, 0);
    CHECK_INT(m->nactuator, 0);
    CHECK_INT(m->nsensor, 1);
    ff_model_destroy(m);
}

TEST(messages_speak_the_language_of_the_file)
{
    CHECK(!made(ROBOT "tendons: {t: {path: [roof, {around: none}, tip]}}\n"));
    said("shape \"none\"");
    CHECK(!made(ROBOT "tendons: {t: {path: [roof, none]}}\n"));
    said("frame \"none\"");
    CHECK(!made(ROBOT "tendons: {t: {thrust: {force: [0, 0, 1]}}}\n"));
    said("frame");
    const char *const xml = "<mujoco><worldbody><body><joint/><geom size='1'/><site name='a'/></body></worldbody>"
                            "<tendon><spatial><site site='a'/><site site='none'/></spatial></tendon></mujoco>";
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    spec = ff_spec_create(NULL);
    CHECK(ff_spec_parse(spec, "mjcf", xml, strlen(xml), "robot.xml", NULL, &report) != FF_OK);
    said("site \"none\"");
}

// What refers to a tendon with a fault is no fault of its own.
TEST(an_unknown_geom_is_one_fault)
{
    const char *const xml = "<mujoco><worldbody><body><joint/><geom size='1'/><site name='a'/></body></worldbody>"
                            "<tendon><spatial name='t'><site site='a'/><geom geom='none'/><site site='a'/></spatial>"
                            "</tendon><actuator><motor tendon='t'/></actuator></mujoco>";
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    spec = ff_spec_create(NULL);
    CHECK(ff_spec_parse(spec, "mjcf", xml, strlen(xml), "robot.xml", NULL, &report) != FF_OK);
    CHECK_INT(report.count, 1);
    CHECK_INT(spec->nignored, 0);
}

// A range without width holds a length; MuJoCo wants one with some.
TEST(a_range_without_width_can_be_read_back)
{
    ff_model *m = made(ROBOT "tendons: {t: {path: [roof, tip], range: [1, 1]}}\n");
    if (!m) CHECK_FAIL("%s", report.messages[0].text);
    char *xml = ff_spec_format(spec, "mjcf", NULL, &report);
    ff_spec *again = ff_spec_create(NULL);
    CHECK_INT(ff_spec_parse(again, "mjcf", xml, strlen(xml), "robot.xml", NULL, &report), FF_OK);
    CHECK_NEAR(again->tendons[0].range[0], 1.0, 0.0);
    CHECK_NEAR(again->tendons[0].range[1], 1.0, 2e-9);
    free(xml);
    ff_spec_destroy(again);
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ activations and muscles

static void same_muscle(const ff_muscle *a, const ff_muscle *b)
{
    CHECK_INT(a->acts, b->acts);
    CHECK_NEAR(a->force, b->force, 0.0);
    CHECK_NEAR(a->operating[0], b->operating[0], 0.0);
    CHECK_NEAR(a->operating[1], b->operating[1], 0.0);
    CHECK_NEAR(a->shortest, b->shortest, 0.0);
    CHECK_NEAR(a->longest, b->longest, 0.0);
    CHECK_NEAR(a->speed, b->speed, 0.0);
    CHECK_NEAR(a->passive, b->passive, 0.0);
    CHECK_NEAR(a->lengthening, b->lengthening, 0.0);
}

/// The same actuators from MJCF.
static ff_model *by_mjcf(void)
{
    static const char xml[] =
        "<mujoco><worldbody><body name='upper'><joint name='upper' axis='0 1 0'/><geom size='.1'/></body></worldbody>"
        "<actuator><general name='valve' joint='upper' gainprm='2' dyntype='filter' dynprm='.1' actrange='0 1'/>"
        "<general name='sum' joint='upper' gainprm='1' dyntype='integrator'/>"
        "<muscle name='plain' joint='upper' force='5' lengthrange='-1 1'/>"
        "<muscle name='own' joint='upper' force='7' lengthrange='-1 2' range='.7 1.1' lmin='.4' lmax='1.7' vmax='2' "
        "fpmax='1.2' fvmax='1.3' timeconst='.02 .05' tausmooth='.1'/>"
        "<adhesion name='pad' body='upper' gain='3' ctrlrange='0 1'/></actuator></mujoco>";
    ff_report from_xml = {0};
    ff_spec *from = ff_spec_create(NULL);
    CHECK_INT(ff_spec_parse(from, "mjcf", xml, sizeof xml - 1, "m.xml", NULL, &from_xml), FF_OK);
    ff_model *m = ff_model_compile(from, NULL, &from_xml);
    CHECK(m);
    ff_report_clear(&from_xml);
    ff_spec_destroy(from);
    return m;
}

TEST(activations_muscles_and_adhesion_are_those_of_mjcf)
{
    ff_model *m =
        made(ROBOT "actuators:\n"
                   "  valve: {joint: upper, type: general, gain: 2, activation: {time: 100 ms, range: [0, 1]}}\n"
                   "  sum: {joint: upper, type: general, activation: {type: integrator}}\n"
                   "  plain: {joint: upper, muscle: {force: 5, lengths: [-1, 1]}}\n"
                   "  own:\n    joint: upper\n"
                   "    muscle: {force: 7, lengths: [-1, 2], operating: [0.7, 1.1], shortest: 0.4,\n"
                   "      longest: 1.7, speed: 2, passive: 1.2, lengthening: 1.3}\n"
                   "    activation: {type: muscle, time: [0.02, 0.05], smooth: 0.1}\n"
                   "  pad: {body: upper, type: general, gain: 3, command: [0, 1]}\n");
    if (!m) CHECK_FAIL("%s", report.messages[0].text);
    ff_model *theirs = by_mjcf();
    CHECK_INT(m->nactuator, theirs->nactuator);
    for (int i = 0; i < m->nactuator; i++) {
        const ff_actuator *a = &m->actuators[i], *b = &theirs->actuators[i];
        CHECK_TEXT(a->name, b->name);
        CHECK_INT(a->activation.type, b->activation.type);
        CHECK_INT(a->state, b->state);
        CHECK_INT(a->body >= 0, b->body >= 0);
        CHECK_NEAR(a->activation.time[0],
                   b->state >= 0 && b->activation.type != FF_ACTIVATION_INTEGRATOR ? b->activation.time[0]
                                                                                   : a->activation.time[0],
                   0.0);
        if (b->activation.type == FF_ACTIVATION_MUSCLE) CHECK_NEAR(a->activation.time[1], b->activation.time[1], 0.0);
        CHECK_NEAR(a->activation.smooth, b->activation.smooth, 0.0);
        CHECK_INT(a->activation.limited, b->activation.limited);
        if (!b->active.acts) CHECK_NEAR(a->gain, b->gain, 0.0);
        if (!b->active.acts) continue;
        same_muscle(&a->active, &b->active);
        same_muscle(&a->passive, &b->passive);
        CHECK_NEAR(a->length_range[0], b->length_range[0], 0.0);
        CHECK_NEAR(a->length_range[1], b->length_range[1], 0.0);
    }
    ff_model_destroy(m);
    ff_model_destroy(theirs);
    CHECK(!made(ROBOT "actuators: {valve: {joint: upper, activation: {type: filter}}}\n"));
    said("needs its 'time'");
    CHECK(!made(ROBOT "actuators: {arm: {joint: upper, muscle: {operating: [0.7, 1]}}}\n"));
    said("a muscle needs its 'force'");
}

/// A muscle of an MJCF file, and what a native file that imports it makes of it.
static ff_model *changed(const char *change)
{
    char text[300];
    write_file("im.xml",
               "<mujoco><worldbody><body><joint name='j' axis='0 1 0'/><geom size='.1'/></body></worldbody>"
               "<actuator><muscle name='g' joint='j' force='5' lengthrange='-1 1'/>"
               "<general name='slack' joint='j' gaintype='muscle' gainprm='.75 1.05 5 200 .5 1.6 1.5 1.3 1.2' "
               "biastype='none' dyntype='muscle' dynprm='.01 .04' lengthrange='-1 1'/>"
               "<general name='by' joint='j' gaintype='affine' gainprm='1 2 3'/></actuator></mujoco>");
    snprintf(text, sizeof text, "footfall: 1\nimport: im.xml\nactuators: {%s}\n", change);
    ff_report_clear(&report);
    ff_model *m = ff_model_load(write_file("change.yaml", text), NULL, &report);
    if (!m) CHECK_FAIL("%s", report.messages[0].text);
    return m;
}

TEST(another_type_leaves_nothing_of_a_muscle)
{
    ff_model *m = changed("g: {type: position, kp: 5}, by: {type: motor}");
    const ff_actuator *a = m->actuators;
    CHECK(a[0].type == FF_ACTUATOR_POSITION && !a[0].active.acts && !a[0].passive.acts);
    CHECK_INT(a[0].activation.type, FF_ACTIVATION_NONE);
    CHECK_INT(a[0].state, -1);
    CHECK_NEAR(a[0].gain, 5.0, 0.0);
    CHECK(a[2].gain_by[0] == 0.0 && a[2].gain_by[1] == 0.0);
    ff_model_destroy(m);
}

TEST(a_changed_muscle_gains_no_passive_force)
{
    ff_model *m = changed("'*': {muscle: {force: 5, lengths: [-1, 1], lengthening: 1.4}}");
    const ff_actuator *a = m->actuators;
    CHECK_NEAR(a[0].passive.lengthening, 1.4, 0.0);
    CHECK_NEAR(a[1].active.lengthening, 1.4, 0.0);
    CHECK(a[1].active.acts && !a[1].passive.acts);
    CHECK(a[2].passive.acts); // new
    ff_model_destroy(m);
    m = changed("slack: {muscle: {force: 5, passive: 1.1}}");
    CHECK(m->actuators[1].passive.acts);
    CHECK_NEAR(m->actuators[1].passive.passive, 1.1, 0.0);
    ff_model_destroy(m);
}

TEST(impossible_muscles_are_reported_once)
{
    CHECK(!made(ROBOT "actuators: {arm: {joint: upper, muscle: {force: 5, lengths: [-1, 1], operating: [1, 0.7]}}}\n"));
    said("the second must be larger");
    CHECK_INT(report.errors, 1);
    CHECK(!made(ROBOT "actuators: {arm: {joint: upper, muscle: {force: 5, longest: 1}}}\n"));
    said("'longest' is 1: it must be above 1");
    CHECK(!made(ROBOT "actuators: {arm: {joint: upper, muscle: {force: 5, shortest: 1}}}\n"));
    said("'shortest' is 1: it must be at least 0 and below 1");
}
