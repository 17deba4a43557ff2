// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Errors of the compiler, each with its place, name and numbers; and --repair of impossible inertia: the result is one
// that a body can have, as near to the file as possible.
#include "check.h"
#include "spec_helpers.h"

#include <footfall/load.h>

/// base (line 10, hinge "root" line 20) and leg (line 11, hinge "hip" line 21), with one of everything else.
static ff_spec *good(void)
{
    ff_spec *spec = ff_spec_create(NULL);
    int base = solid_body(spec, "base", -1), leg = solid_body(spec, "leg", base);
    joint_of(spec, "root", base, FF_JOINT_HINGE);
    joint_of(spec, "hip", leg, FF_JOINT_HINGE);
    ff_spec_geom *geom = ff_spec_add_geom(spec, "skin", leg, FF_SHAPE_SPHERE);
    geom->size[0] = 0.1;
    geom->has_mass = true;
    geom->mass = 1;
    geom->place = (ff_place){"robot.test", 30, 1};
    ff_spec_add_frame(spec, "eye", leg)->place = (ff_place){"robot.test", 40, 1};
    ff_spec_actuator *motor = ff_spec_add_actuator(spec, "motor", FF_ACTUATOR_MOTOR);
    motor->joint = "hip";
    motor->command_limited = motor->force_limited = true;
    motor->command_range[1] = motor->force_range[1] = 1;
    motor->place = (ff_place){"robot.test", 50, 1};
    ff_spec_sensor *gyro = ff_spec_add_sensor(spec, "turn", "gyro");
    gyro->object_type = "site";
    gyro->object = "eye";
    gyro->place = (ff_place){"robot.test", 60, 1};
    ff_spec_equality *weld = ff_spec_add_equality(spec, "weld", FF_EQUALITY_WELD);
    weld->object1 = "leg";
    weld->place = (ff_place){"robot.test", 70, 1};
    ff_spec_add_exclude(spec, "base", "leg")->place = (ff_place){"robot.test", 80, 1};
    ff_spec_key *key = ff_spec_add_key(spec, "home");
    key->place = (ff_place){"robot.test", 90, 1};
    key->q = FF_ARENA_NEW(&spec->arena, double, 2);
    key->nq = 2;
    ff_spec_mesh *mesh = ff_spec_add_mesh(spec, "hull");
    mesh->problem = "no such file";
    mesh->place = (ff_place){"robot.test", 100, 1};
    return spec;
}

/// Compiling fails, and some error stands at this line and says these words. Frees the description.
static void expect_refused(ff_spec *spec, bool repair, int line, const char *words)
{
    ff_report report = {0};
    ff_load_options options = ff_load_options_default();
    options.repair = repair;
    ff_model *m = ff_model_compile(spec, &options, &report);
    bool found = false;
    for (int i = 0; i < report.count; i++) {
        const ff_message *message = &report.messages[i];
        bool placed = message->line == line && (line == 0 || strcmp(message->file, "robot.test") == 0);
        found = found || (message->severity == FF_ERROR && placed && strstr(message->text, words));
    }
    if (!found)
        for (int i = 0; i < report.count; i++) printf("  %d: %s\n", report.messages[i].line, report.messages[i].text);
    CHECK(!m && report.errors > 0);
    if (!found) CHECK_FAIL("no error at line %d says \"%s\"", line, words);
    ff_report_clear(&report);
    ff_spec_destroy(spec);
}

/// A good robot with one thing changed (s is its description) is refused.
#define REFUSED(line, words, ...)                                                                                      \
    do {                                                                                                               \
        ff_spec *s = good();                                                                                           \
        __VA_ARGS__;                                                                                                   \
        expect_refused(s, false, line, words);                                                                         \
    } while (0)

TEST(the_robot_without_errors_compiles)
{
    ff_spec *spec = good();
    ff_model *m = compiled(spec);
    CHECK(m);
    CHECK_INT(m->excludes[0], ff_model_find_body(m, "base"));
    CHECK_INT(m->equalities[0].object1, ff_model_find_body(m, "leg"));
    CHECK_INT(m->equalities[0].object2, -1);
    CHECK_INT(m->actuators[0].joint, ff_model_find_joint(m, "hip"));
    CHECK(ff_model_find_key(m, "home") == 0 && ff_model_find_frame(m, "eye") == 0);
    CHECK(ff_model_find_actuator(m, "nobody") == -1 && ff_model_find_body(m, NULL) == -1);
    ff_model_destroy(m);
    ff_spec_destroy(spec);
}

TEST(impossible_masses_are_refused_with_their_numbers)
{
    REFUSED(11, "body \"leg\": the mass is -2 kg", s->bodies[1].mass = -2);
    REFUSED(11, "principal moments 1, 1, 3 kg m^2: A + B >= C", ff_vec3_set(s->bodies[1].inertia, 1, 3, 1));
    REFUSED(11, "principal moments -0.5, 1, 1 kg m^2: a moment of inertia is never negative",
            ff_vec3_set(s->bodies[1].inertia, 1, 1, -0.5));
    // xy = 1 between equal moments of 1: the principal moments are 0 and 2, and 0 + 1 < 2
    REFUSED(11, "A + B >= C", ff_vec3_set(s->bodies[1].inertia, 1, 1, 1); s->bodies[1].inertia[3] = 1);
    REFUSED(11, "body \"leg\" moves and carries nothing, but its mass is 0 kg", s->bodies[1].mass = 0);
    REFUSED(11, "body \"leg\" moves and carries nothing", s->bodies[1].has_inertial = false);
    REFUSED(10, "body \"base\" floats and carries one joint, but its mass is 0 kg", s->bodies[0].mass = 0;
            memset(s->bodies[0].inertia, 0, sizeof s->bodies[0].inertia); s->joints[0].type = FF_JOINT_FREE;
            s->nkey = s->nequality = 0);
    REFUSED(100, "takes its mass from mesh \"hull\", which could not be loaded (no such file)",
            s->bodies[1].inertia_from_geoms = true;
            s->geoms[0].type = FF_SHAPE_MESH; s->geoms[0].mesh = 0);
    REFUSED(30, "body \"leg\": no mass from this geom", s->bodies[1].inertia_from_geoms = true;
            s->geoms[0].size[0] = -1);
}

TEST(joints_that_move_no_inertia_are_refused)
{
    // a point mass on the axis of its hinge
    REFUSED(11, "joint \"hip\" of body \"leg\" moves no inertia (0)", memset(s->bodies[1].inertia, 0, 48);
            ff_vec3_set(s->bodies[1].com, 0, 0, 0.5));
    ff_spec *spec = good();
    memset(spec->bodies[1].inertia, 0, sizeof spec->bodies[1].inertia);
    ff_vec3_set(spec->bodies[1].com, 0, 0, 0.5);
    spec->joints[1].armature = 1e-6; // a rotor is inertia enough
    ff_model *m = compiled(spec);
    CHECK(m);
    ff_model_destroy(m);
    ff_spec_destroy(spec);
    // a rod along its line cannot be turned about it by a ball
    REFUSED(11, "moves no inertia", s->joints[1].type = FF_JOINT_BALL; s->nkey = s->nactuator = 0;
            ff_vec3_set(s->bodies[1].com, 0, 0, 0.5); ff_vec3_set(s->bodies[1].inertia, 1, 1, 0));
}

TEST(joints_are_refused_with_the_reason)
{
    REFUSED(21, "joint \"hip\": lower limit 0.8 rad lies above upper limit 0.2 rad", s->joints[1].limited = true;
            s->joints[1].range[0] = 0.8; s->joints[1].range[1] = 0.2);
    REFUSED(21, "lower limit 0.8 m", s->joints[1].type = FF_JOINT_SLIDE; s->joints[1].limited = true;
            s->joints[1].range[0] = 0.8);
    REFUSED(21, "the largest angle is -0.1 rad", s->joints[1].type = FF_JOINT_BALL; s->joints[1].limited = true;
            s->joints[1].range[0] = -0.2; s->joints[1].range[1] = -0.1);
    REFUSED(21, "a free joint must be the only joint of its body",
            joint_of(s, "more", 1, FF_JOINT_SLIDE)->place.line = 22;
            s->joints[1].type = FF_JOINT_FREE);
    REFUSED(21, "joint \"hip\": the axis has no length", ff_vec3_set(s->joints[1].axis, 0, 0, 0));
    REFUSED(21, "joint \"hip\": it belongs to no body", s->joints[1].body = 2);
    REFUSED(21, "joint \"hip\": it belongs to no body", s->joints[1].body = -1);
    REFUSED(21, "joint \"hip\": unknown type", s->joints[1].type = FF_JOINT_COUNT);
    REFUSED(21, "joint \"root\": the name is taken already (line 20)", s->joints[1].name = "root");
    REFUSED(21, "a joint has no name", s->joints[1].name = "");
    REFUSED(21, "joint \"hip\": damping is -1; it must be zero or positive", s->joints[1].damping = -1);
    REFUSED(21, "joint \"hip\": armature is -1", s->joints[1].armature = -1);
    REFUSED(21, "joint \"hip\": stiffness of the stops is -1", s->joints[1].stop_stiffness = -1);
    REFUSED(21, "joint \"hip\": stiffness of the stops is inf", s->joints[1].stop_stiffness = INFINITY);
    REFUSED(21, "joint \"hip\": damping of the stops is -1", s->joints[1].stop_damping = -1);
    REFUSED(21, "joint \"hip\": the stops of its range have the stiffness 0 and hold nothing: give one, or no range",
            s->joints[1].limited = true;
            s->joints[1].range[1] = 1; s->joints[1].stop_stiffness = 0);
    REFUSED(21, "joint \"hip\": dry friction is -1", s->joints[1].dry_friction = -1);
}

/// Compiles the good robot with a ball joint of this range; its only warning, or "".
static const char *cone_warning(double range, char text[256])
{
    ff_spec *s = good();
    ff_report report = {0};
    s->nkey = s->nactuator = 0;
    s->joints[1].type = FF_JOINT_BALL;
    s->joints[1].limited = true;
    s->joints[1].range[1] = range;
    ff_model *m = ff_model_compile(s, NULL, &report);
    CHECK(m);
    CHECK_INT(report.count, report.warnings);
    if (report.count > 0) CHECK_INT(report.messages[0].line, 21);
    snprintf(text, 256, "%s", report.count == 1 ? report.messages[0].text : "");
    ff_report_clear(&report);
    ff_model_destroy(m);
    ff_spec_destroy(s);
    return text;
}

TEST(a_cone_that_no_turn_leaves_is_reported_with_its_place)
{
    char text[256];
    CHECK_SAYS(cone_warning(4.0, text), "joint \"hip\": its range ends at 4 rad");
    CHECK_SAYS(text, "the limit never acts");
    CHECK_TEXT(cone_warning(180.0 * (FF_PI / 180.0), text), "");
    CHECK_TEXT(cone_warning(1.0, text), "");
}

TEST(mimics_of_missing_joints_of_themselves_and_in_circles_are_refused)
{
    REFUSED(21, "joint \"hip\" mimics \"knee\", which does not exist", s->joints[1].mimic = "knee");
    REFUSED(21, "joint \"hip\" mimics \"hip\", which is the joint itself", s->joints[1].mimic = "hip");
    REFUSED(21, "only joints of one degree of freedom", s->joints[0].type = FF_JOINT_BALL; s->joints[1].mimic = "root";
            s->nkey = 0);
    REFUSED(20, "joint \"root\" mimics itself through a cycle", s->joints[0].mimic = "hip";
            s->joints[1].mimic = "root");
    // one that leads into the circle is not part of it
    ff_spec *spec = good();
    int toe = solid_body(spec, "toe", 1);
    joint_of(spec, "ankle", toe, FF_JOINT_HINGE);
    spec->joints[0].mimic = "hip";
    spec->joints[1].mimic = "ankle";
    spec->joints[2].mimic = "hip";
    spec->nkey = 0;
    expect_refused(spec, false, 21, "joint \"hip\" mimics itself through a cycle");
}

TEST(names_and_references_are_refused_with_their_user)
{
    REFUSED(11, "body \"base\": the name is taken already (line 10)", s->bodies[1].name = "base");
    // built in code, without a place: the message gives no line
    ff_spec *spec = good();
    ff_report report = {0};
    spec->bodies[1].name = "base";
    spec->bodies[0].place = spec->bodies[1].place = (ff_place){0};
    CHECK(!ff_model_compile(spec, NULL, &report));
    CHECK_SAYS(report.messages[0].text, "body \"base\": the name is taken already");
    CHECK(!strstr(report.messages[0].text, "line"));
    ff_report_clear(&report);
    ff_spec_destroy(spec);
    REFUSED(11, "a body has no name", s->bodies[1].name = NULL);
    REFUSED(11, "its parent (number 1) does not come before it", s->bodies[1].parent = 1);
    REFUSED(11, "its parent (number -2) does not come before it", s->bodies[1].parent = -2);
    REFUSED(30, "geom \"skin\": it belongs to no body", s->geoms[0].body = 5);
    REFUSED(30, "geom \"skin\": no such mesh", s->geoms[0].mesh = 3);
    REFUSED(30, "geom \"skin\": unknown shape", s->geoms[0].type = FF_SHAPE_COUNT);
    REFUSED(41, "frame \"eye\": the name is taken already (line 40)",
            ff_spec_add_frame(s, "eye", 0)->place = ((ff_place){"robot.test", 41, 1}));
    REFUSED(40, "frame \"eye\": it belongs to no body", s->frames[0].body = 9);
    REFUSED(50, "actuator \"motor\" refers to joint \"knee\", which does not exist", s->actuators[0].joint = "knee");
    REFUSED(50, "actuator \"motor\" refers to joint \"\"", s->actuators[0].joint = NULL);
    REFUSED(50, "command range 2 to 1 is reversed", s->actuators[0].command_range[0] = 2);
    REFUSED(50, "force range 2 to 1 is reversed", s->actuators[0].force_range[0] = 2);
    REFUSED(51, "actuator \"motor\": the name is taken already",
            ff_spec_actuator *more = ff_spec_add_actuator(s, "motor", FF_ACTUATOR_MOTOR);
            more->joint = "hip"; more->place = ((ff_place){"robot.test", 51, 1}));
    REFUSED(60, "sensor \"turn\" refers to frame \"nose\"", s->sensors[0].object = "nose");
    REFUSED(60, "sensor \"turn\" refers to body \"nose\"", s->sensors[0].object_type = "body";
            s->sensors[0].object = "nose");
    REFUSED(70, "equality \"weld\" refers to body \"arm\"", s->equalities[0].object1 = "arm");
    REFUSED(70, "equality \"weld\" refers to joint \"leg\"", s->equalities[0].type = FF_EQUALITY_JOINT);
    REFUSED(80, "refers to body \"arm\"", s->excludes[0].body2 = "arm");
    REFUSED(90, "keyframe \"home\": q has 1 numbers, the model needs 2", s->keys[0].nq = 1);
    REFUSED(90, "keyframe \"home\": v has 3 numbers, the model needs 2", s->keys[0].v = s->keys[0].q;
            s->keys[0].nv = 3);
    REFUSED(90, "keyframe \"home\": its time is inf", s->keys[0].time = INFINITY);
}

TEST(quaternions_must_have_length_one)
{
    REFUSED(11, "body \"leg\": orientation is a quaternion of length 2", s->bodies[1].quat[0] = 2);
    REFUSED(11, "orientation of the inertia is a quaternion of length 0", s->bodies[1].inertia_quat[0] = 0);
    REFUSED(30, "geom \"skin\": orientation is a quaternion of length 0.5", s->geoms[0].quat[0] = 0.5);
    REFUSED(40, "frame \"eye\": orientation is a quaternion of length 3", s->frames[0].quat[0] = 3);
    REFUSED(100, "mesh \"hull\": orientation is a quaternion of length 3", s->meshes[0].quat[0] = 3);
}

// Every number of a description, one at a time.
TEST(numbers_that_are_not_finite_or_absurd_are_refused_in_every_field)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300};
    int fields = 1;
    for (int field = 0; field < fields; field++)
        for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
            ff_spec *s = good();
            ff_spec_body *body = &s->bodies[1];
            ff_spec_joint *joint = &s->joints[1];
            ff_spec_geom *geom = &s->geoms[0];
            ff_spec_actuator *motor = &s->actuators[0];
            joint->limited = true;
            double *places[] = {&s->gravity[2],
                                &s->total_mass,
                                &s->bound_mass,
                                &s->bound_inertia,
                                &body->pos[0],
                                &body->quat[1],
                                &body->mass,
                                &body->com[2],
                                &body->inertia[1],
                                &body->inertia[5],
                                &body->inertia_quat[3],
                                &joint->pos[1],
                                &joint->axis[0],
                                &joint->ref,
                                &joint->range[0],
                                &joint->range[1],
                                &joint->stiffness,
                                &joint->spring_ref,
                                &joint->damping,
                                &joint->dry_friction,
                                &joint->dry_speed,
                                &joint->armature,
                                &joint->effort,
                                &joint->speed,
                                &joint->mimic_gain,
                                &joint->mimic_offset,
                                &geom->size[0],
                                &geom->pos[1],
                                &geom->quat[2],
                                &geom->mass,
                                &geom->density,
                                &geom->friction[0],
                                &geom->rgba[3],
                                &s->meshes[0].pos[0],
                                &s->meshes[0].quat[0],
                                &s->frames[0].pos[2],
                                &s->frames[0].quat[0],
                                &motor->gear,
                                &motor->gain,
                                &motor->bias[1],
                                &motor->command_range[0],
                                &motor->force_range[1],
                                &s->equalities[0].data[4],
                                &s->keys[0].q[1]};
            fields = (int)(sizeof places / sizeof places[0]);
            *places[field] = bad[k];
            ff_report report = {0};
            ff_model *m = ff_model_compile(s, NULL, &report);
            if (m || report.errors == 0) CHECK_FAIL("field %d with %g was accepted", field, bad[k]);
            ff_report_clear(&report);
            ff_spec_destroy(s);
        }
}

TEST(chains_and_crowds_that_need_too_much_memory_are_refused)
{
    ff_spec *spec = ff_spec_create(NULL);
    char name[16];
    for (int i = 0; i < 4100; i++) { // 4100^2 / 2 entries of the mass matrix are more than 8 million
        snprintf(name, sizeof name, "b%d", i);
        solid_body(spec, name, i - 1);
        joint_of(spec, name, i, FF_JOINT_HINGE);
    }
    // 3999 rows are full at n (n + 1) / 2 = 7 998 000; the 4000th passes 8 000 000
    expect_refused(spec, false, 19 + 4000, "the chain of joints is too long here");
    spec = ff_spec_create(NULL);
    for (int i = 0; i < 100001; i++) ff_spec_add_body(spec, "b", -1);
    expect_refused(spec, false, 0, "100001 bodies and 0 joints: at most 100000 of each are allowed");
}

// ------------------------------------------------------------------------------------------ repair

static ff_model *repaired(const ff_spec *spec, ff_report *report)
{
    ff_load_options options = ff_load_options_default();
    options.repair = true;
    return ff_model_compile(spec, &options, report);
}

/// Moments and axes as given, by repair; counts the warnings.
static int repair_tensor(const double given[3], const double quat[4], double found[3], double *off)
{
    ff_spec *spec = good();
    ff_report report = {0};
    ff_vec3_copy(spec->bodies[1].inertia, given);
    ff_quat_copy(spec->bodies[1].inertia_quat, quat);
    spec->nequality = 0;
    ff_model *m = repaired(spec, &report);
    CHECK(m);
    const double *I = m->bodies[ff_model_find_body(m, "leg")].inertia;
    const double full[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
    double R[9], half[9], back[9];
    ff_quat_to_mat3(R, quat);
    ff_mat3_tmul(half, R, full);
    ff_mat3_mul(back, half, R);
    for (int i = 0; i < 3; i++) found[i] = back[4 * i];
    *off = fmax(fabs(back[1]), fmax(fabs(back[2]), fabs(back[5])));
    int warnings = report.warnings;
    ff_report_clear(&report);
    ff_model_destroy(m);
    ff_spec_destroy(spec);
    return warnings;
}

/// Is the symmetric 3 x 3 matrix positive, up to rounding?
static bool is_positive(const double A[9])
{
    double moments[3], V[9];
    ff_eigen_sym3(A, moments, V);
    return moments[0] >= -1e-13;
}

/// Least t with (1 - t) I <= I' <= (1 + t) I, by bisection: how much the energy of turning changes at most.
static double change_of_energy(const double I[9], const double other[9])
{
    double low = 0.0, high = 1e3;
    for (int round = 0; round < 60; round++) {
        const double t = 0.5 * (low + high);
        double above[9], below[9];
        for (int i = 0; i < 9; i++) above[i] = (1.0 + t) * I[i] - other[i], below[i] = other[i] - (1.0 - t) * I[i];
        *(is_positive(above) && is_positive(below) ? &high : &low) = t;
    }
    return high;
}

/// A tensor that a body can have, near the diagonal one: three masses on random axes, that is a sum of x x' with
/// positive weights, from which I = tr(S) 1 - S.
static void random_possible(ff_random *random, const double near[3], double I[9])
{
    double S[9] = {0};
    for (int k = 0; k < 3; k++) {
        double x[3] = {0};
        x[k] = 1.0;
        for (int i = 0; i < 3; i++) x[i] += ff_random_range(random, -0.2, 0.2);
        const double share = 0.5 * (near[0] + near[1] + near[2]) - near[k];
        const double weight = fmax(0.0, share) + ff_random_range(random, 0.0, 0.2) * near[2];
        for (int i = 0; i < 9; i++) S[i] += weight * x[i / 3] * x[i % 3];
    }
    for (int i = 0; i < 9; i++) I[i] = (i % 4 == 0 ? S[0] + S[4] + S[8] : 0.0) - S[i];
}

TEST(repaired_inertia_changes_the_energy_of_turning_least)
{
    ff_random random = ff_random_make(51, 0);
    for (int k = 0; k < 40; k++) {
        double given[3], found[3], quat[4], off, other[9];
        for (int i = 0; i < 3; i++) given[i] = ff_random_range(&random, 0.05, 1);
        given[2] = (given[0] + given[1]) * ff_random_range(&random, 1.05, 2.95); // too large, and t < 1/2
        for (int i = 0; i < 4; i++) quat[i] = ff_random_normal(&random);
        ff_quat_normalise(quat);
        CHECK_INT(repair_tensor(given, quat, found, &off), 1);
        CHECK_NEAR(off, 0, 1e-14); // the axes stay
        CHECK_NEAR(found[0] + found[1], found[2], 1e-14);
        const double I[9] = {given[0], 0, 0, 0, given[1], 0, 0, 0, given[2]};
        const double repaired[9] = {found[0], 0, 0, 0, found[1], 0, 0, 0, found[2]};
        const double least = change_of_energy(I, repaired);
        CHECK_NEAR(least, (given[2] - given[0] - given[1]) / (given[0] + given[1] + given[2]), 1e-11);
        for (int trial = 0; trial < 20; trial++) { // no other possible tensor does with less
            random_possible(&random, found, other);
            CHECK(change_of_energy(I, other) >= least - 1e-11);
        }
    }
}

// Files for motion in a plane give one moment. Scaled by a common factor, all three would become 0. A negative moment
// counts as 0.
TEST(missing_moments_are_repaired_without_removing_the_others)
{
    static const double straight[4] = {1, 0, 0, 0}, planar[][2][3] = {{{0, 0, 3}, {1, 1, 2}},
                                                                      {{0.1, 0.2, 3}, {1, 1.1, 2.1}},
                                                                      {{-0.5, 0, 3}, {1, 1, 2}},
                                                                      {{-0.5, 1.2, 3}, {0.6, 1.8, 2.4}}};
    for (size_t k = 0; k < sizeof planar / sizeof *planar; k++) {
        double found[3], off;
        CHECK_INT(repair_tensor(planar[k][0], straight, found, &off), 1);
        for (int i = 0; i < 3; i++) CHECK_NEAR(found[i], planar[k][1][i], 1e-14);
    }
}

TEST(repair_says_what_it_did_and_keeps_bodies_and_nodes_in_step)
{
    ff_spec *spec = good();
    ff_report report = {0};
    spec->nequality = 0;
    solid_body(spec, "foot", 1); // fixed to the leg: the two are checked together
    spec->bodies[2].pos[0] = 0.3;
    ff_vec3_set(spec->bodies[1].inertia, 1, 1, 3);
    ff_model *m = repaired(spec, &report);
    CHECK(m);
    CHECK_INT(report.count, 1);
    CHECK_SAYS(report.messages[0].text, "body \"leg\": impossible inertia");
    CHECK_SAYS(report.messages[0].text, "% of its energy of turning at most");
    CHECK_INT(report.messages[0].line, 11);
    int leg = ff_model_find_body(m, "leg"), foot = ff_model_find_body(m, "foot");
    ff_inertia sum = {0};
    for (int b = leg; b <= foot; b++) {
        ff_inertia own = ff_inertia_from_com(m->bodies[b].mass, m->bodies[b].com, m->bodies[b].inertia), seen;
        ff_inertia_place(&seen, &own, m->bodies[b].R, m->bodies[b].pos);
        sum = ff_inertia_add(&sum, &seen);
    }
    const double *node = &m->nodes[m->bodies[leg].node].inertia.mass, *bodies = &sum.mass;
    for (int i = 0; i < 10; i++) CHECK_NEAR(node[i], bodies[i], 1e-14);
    ff_report_clear(&report);
    ff_model_destroy(m);
    ff_spec_destroy(spec);
}

TEST(repair_gives_massless_leaves_a_little_mass_and_negative_mass_none)
{
    ff_spec *spec = good();
    ff_report report = {0};
    spec->nequality = 0;
    spec->bodies[0].mass = -3; // carries the leg, whose mass suffices
    spec->bodies[1].mass = 0;
    ff_model *m = repaired(spec, &report);
    CHECK(m);
    CHECK_INT(report.warnings, 2);
    CHECK_TEXT(report.messages[0].text, "body \"base\": the mass is -3 kg: repaired to 0");
    CHECK_SAYS(report.messages[1].text, "body \"leg\" moves without mass: repaired to 0.001 kg, 1e-06 kg m^2");
    CHECK_NEAR(m->bodies[0].mass, 0, 0);
    CHECK_NEAR(m->mass, 1e-3, 1e-18);
    ff_data *d = ff_data_create(m, NULL);
    ff_dyn_kinematics(m, d);
    ff_dyn_velocity(m, d);
    CHECK(ff_dyn_forward(m, d));
    CHECK(isfinite(d->qacc[0]) && isfinite(d->qacc[1]));
    ff_data_destroy(d);
    ff_report_clear(&report);
    ff_model_destroy(m);
    ff_spec_destroy(spec);
}

TEST(repair_does_not_change_possible_inertia)
{
    ff_spec *spec = good();
    spec->nequality = 0;
    ff_vec3_set(spec->bodies[1].inertia, 1, 2, 3); // a plate: just possible
    ff_report report = {0};
    ff_model *plain = compiled(spec), *m = repaired(spec, &report);
    CHECK(plain && m);
    CHECK_INT(report.count, 0);
    for (int n = 0; n < m->nnode; n++)
        CHECK(memcmp(&plain->nodes[n].inertia, &m->nodes[n].inertia, sizeof m->nodes[n].inertia) == 0);
    ff_model_destroy(plain);
    ff_model_destroy(m);
    ff_report_clear(&report);
    ff_spec_destroy(spec);
}

#ifdef FF_WITH_XML
TEST(a_negative_mass_of_a_file_can_be_repaired_too)
{
    static const char text[] = "<robot name='r'><link name='a'/>\n"
                               "<link name='b'><inertial><mass value='-1'/>"
                               "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
                               "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>";
    for (int repair = 0; repair < 2; repair++) {
        ff_spec *spec = ff_spec_create(NULL);
        ff_report report = {0};
        ff_load_options options = ff_load_options_default();
        options.repair = repair;
        ff_status status = ff_spec_parse(spec, "urdf", text, sizeof text - 1, "r.urdf", &options, &report);
        ff_model *m = status == FF_OK ? ff_model_compile(spec, &options, &report) : NULL;
        CHECK_INT(m != NULL, repair);
        CHECK_SAYS(report.messages[0].text, "the mass is -1 kg");
        CHECK_INT(report.messages[0].line, 2);
        ff_model_destroy(m);
        ff_spec_destroy(spec);
        ff_report_clear(&report);
    }
}
#endif
