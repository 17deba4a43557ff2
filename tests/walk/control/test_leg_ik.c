// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Closed forms of legs, against the kinematics of the model they were derived from: the same foot, the same Jacobian,
// and back to the same joint positions; on ANTON, the planar hexapod, public quadrupeds and random legs.
#include <footfall/ik.h>

#include "check.h"
#include "leg_robot.h"

// The example of the reference: links of 0.5 m, foot at (0.25, -0.9), knee ahead: 36.4 and -41.8 degrees.
TEST(planar_leg_meets_the_printed_angles)
{
    const double links[2] = {0.5, 0.5}, foot[2] = {0.25, -0.9};
    double angle[2];
    CHECK_INT(ff_ik_planar(links, -1, foot, angle), FF_REACH_OK);
    CHECK_NEAR(angle[0] * 180 / FF_PI, 36.4, 0.05); // the digits that are printed
    CHECK_NEAR(angle[1] * 180 / FF_PI, -41.8, 0.05);
}

TEST(planar_leg_returns_to_its_angles_and_rates)
{
    ff_random random = ff_random_make(21, 0);
    for (int trial = 0; trial < 5000; trial++) {
        double links[2] = {ff_random_range(&random, 0.05, 0.6), ff_random_range(&random, 0.05, 0.6)};
        double angle[2] = {ff_random_range(&random, -3.1, 3.1), ff_random_range(&random, -3.1, 3.1)}, back[2];
        double rate[2] = {ff_random_range(&random, -5, 5), ff_random_range(&random, -5, 5)}, found[2];
        double both = angle[0] + angle[1];
        double foot[2] = {links[0] * sin(angle[0]) + links[1] * sin(both),
                          -links[0] * cos(angle[0]) - links[1] * cos(both)};
        double v[2] = {links[0] * cos(angle[0]) * rate[0] + links[1] * cos(both) * (rate[0] + rate[1]),
                       links[0] * sin(angle[0]) * rate[0] + links[1] * sin(both) * (rate[0] + rate[1])};
        CHECK_INT(ff_ik_planar(links, angle[1] < 0 ? -1 : 1, foot, back), FF_REACH_OK);
        // an error of 1e-16 m moves the joint by 1e-16 / lever
        double lever = fabs(sin(angle[1])) * fmin(links[0], links[1]);
        CHECK_NEAR(remainder(back[0] - angle[0], 2 * FF_PI), 0.0, 1e-14 / fmax(lever, 1e-4));
        CHECK_NEAR(remainder(back[1] - angle[1], 2 * FF_PI), 0.0, 1e-14 / fmax(lever, 1e-4));
        if (!ff_ik_planar_rates(links, angle, v, found)) continue;
        CHECK_NEAR(found[0], rate[0], 1e-13 / lever);
        CHECK_NEAR(found[1], rate[1], 1e-13 / lever);
    }
}

// A leg stretched to 1 - 1e-12 of its length: angles stay exact to the square root of rounding at worst, and the foot
// is where it should be to rounding.
TEST(nearly_stretched_leg_keeps_its_digits)
{
    const double links[2] = {0.5, 0.5};
    for (double gap = 1e-3; gap > 1e-15; gap *= 0.1) {
        double foot[2] = {0.6 * (1 - gap), -0.8 * (1 - gap)}, angle[2];
        CHECK_INT(ff_ik_planar(links, -1, foot, angle), FF_REACH_OK);
        CHECK_NEAR(0.5 * sin(angle[0]) + 0.5 * sin(angle[0] + angle[1]), foot[0], 3e-16);
        CHECK_NEAR(-0.5 * cos(angle[0]) - 0.5 * cos(angle[0] + angle[1]), foot[1], 3e-16);
    }
}

// ------------------------------------------------------------------------------------------ legs of models

typedef struct robot {
    ff_model *m;
    ff_data *d;
} robot;

static void put(const robot *r, ff_random *random)
{
    random_position(r->m, random, r->d->q);
    ff_dyn_kinematics(r->m, r->d);
}

static void true_foot(const robot *r, const ff_leg *leg, int segment, double foot[3])
{
    const ff_frame *frame = &r->m->frames[leg->frame];
    point_in_body(r->m, r->d, frame->body, frame->pos, segment, foot);
}

static void joints_of(const ff_leg_ik *ik, const double *q, double *out)
{
    for (int i = 0; i < ik->njoint; i++) out[i] = q[ik->qadr[i]];
}

// The Jacobian of the model, relative to the segment, by differences of ff_dyn_jacobian turned into its axes.
static void check_jacobian(const robot *r, const ff_leg *leg, const ff_leg_ik *ik, const double *q)
{
    static double J6[6 * 512];
    const ff_frame *frame = &r->m->frames[leg->frame];
    double pos[3], quat[4], R[9], ours[9];
    ff_dyn_jacobian(r->m, r->d, frame->body, frame->pos, J6);
    ff_dyn_body_pose(r->m, r->d, ik->body, pos, quat);
    ff_quat_to_mat3(R, quat);
    ff_leg_ik_jacobian(ik, q, ours);
    for (int i = 0; i < ik->njoint; i++) {
        double world[3], seen[3];
        for (int a = 0; a < 3; a++) world[a] = J6[(3 + a) * r->m->nv + ik->vadr[i]];
        ff_mat3_tmulv(seen, R, world);
        for (int a = 0; a < 3; a++) CHECK_NEAR(ours[a * ik->njoint + i], seen[a], 2e-6); // axes parallel to 1e-6
    }
}

static void check_rates(const ff_leg_ik *ik, const double *q, ff_random *random)
{
    double J[9], rate[3], v[3] = {0}, found[3];
    ff_leg_ik_jacobian(ik, q, J);
    for (int i = 0; i < ik->njoint; i++) rate[i] = ff_random_range(random, -2, 2);
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < ik->njoint; i++) v[a] += J[a * ik->njoint + i] * rate[i];
    if (!ff_leg_ik_rates(ik, q, v, found)) return;
    for (int i = 0; i < ik->njoint; i++) CHECK_NEAR(found[i], rate[i], 1e-10); // rounding over a lever of 1e-3
}

// Radius and bend of the closed form at q, to know on which branch it is.
static bool on_branch(const ff_leg_ik *ik, const double *q)
{
    int n = ik->njoint;
    double t2 = ik->sign[1] * (q[n - 2] - ik->zero[1]),
           t3 = remainder(ik->sign[2] * (q[n - 1] - ik->zero[2]), 2 * FF_PI);
    double r = ik->length[0] + ik->length[1] * cos(t2) + ik->length[2] * cos(t2 + t3);
    return (n == 2 || r > 1e-3) && t3 * ik->knee > 1e-3 && FF_PI - fabs(t3) > 1e-3;
}

// @return whether the solution came back to the joint positions it started from
static bool check_round_trip(const robot *r, const ff_leg *leg, const ff_leg_ik *ik, ff_random *random,
                             double tolerance)
{
    double foot[3], foot_here[3], q[3], back[3], error;
    put(r, random);
    joints_of(ik, r->d->q, q);
    true_foot(r, leg, ik->body, foot);
    ff_leg_ik_forward(ik, q, foot_here);
    for (int a = 0; a < 3; a++) CHECK_NEAR(foot_here[a], foot[a], tolerance);
    check_jacobian(r, leg, ik, q);
    check_rates(ik, q, random);
    ff_reach reach = ff_leg_ik_solve(ik, foot_here, back, &error);
    for (int i = 0; i < ik->njoint; i++) CHECK(back[i] >= ik->low[i] && back[i] <= ik->high[i]);
    if (reach == FF_REACH_OK) CHECK_NEAR(error, 0.0, 1e-15);
    if (!on_branch(ik, q)) return false;
    CHECK_INT(reach, FF_REACH_OK);
    for (int i = 0; i < ik->njoint; i++)
        CHECK_NEAR(remainder(back[i] - q[i], 2 * FF_PI), 0.0, 1e-10); // rounding over levers that may be 1e-5 m
    return true;
}

static void check_legs(const char *path, bool add_legs, int expected, double tolerance)
{
    robot r = {.m = add_legs ? load_with_legs(path) : load_robot(path)};
    r.d = ff_data_create(r.m, NULL);
    ff_random random = ff_random_make(22, 0);
    int found = 0, returned = 0;
    for (int l = 0; l < r.m->nleg; l++) {
        ff_leg_ik ik;
        ff_error err = {0};
        if (ff_leg_ik_make(r.m, &r.m->legs[l], NULL, &ik, &err) != FF_OK) continue;
        found++;
        for (int k = 0; k < 300; k++) returned += check_round_trip(&r, &r.m->legs[l], &ik, &random, tolerance);
    }
    CHECK_INT(found, expected);
    // of 300; joints that turn all around are on one of four branches
    if (returned < 50 * found) CHECK_FAIL("%s: only %d of %d positions came back", path, returned, 300 * found);
    ff_data_destroy(r.d);
    ff_model_destroy(r.m);
}

TEST(legs_of_our_hexapods_return_to_their_joint_positions)
{
    check_legs(ROBOTS "/anton/anton.yaml", false, 6, 1e-15); // rounding
    check_legs(ROBOTS "/servo-hexapod/servo-hexapod.yaml", false, 6, 1e-15);
    check_legs(ROBOTS "/silva/silva.yaml", false, 6, 1e-15);
}

TEST(legs_of_public_quadrupeds_return_to_their_joint_positions)
{
    // files with angles of seven digits: 1e-6 of half a metre
    check_legs(SHARED "/mjcf/unitree_a1/a1_nomesh.xml", true, 4, 5e-7);
    check_legs(SHARED "/urdf/example-robot-data/robots/solo_description/robots/solo12.urdf", true, 4, 5e-7);
    check_legs(SHARED "/urdf/example-robot-data/robots/hyq_description/robots/hyq_no_sensors.urdf", true, 4, 5e-7);
    check_legs(SHARED "/urdf/example-robot-data/robots/anymal_b_simple_description/robots/anymal.urdf", true, 4, 5e-7);
}

// ANTON's convention: positive coxa swings ahead, positive femur and tibia lift, on both sides; its lengths are in its
// file.
TEST(geometry_of_anton_is_that_of_its_file)
{
    ff_model *m = load_robot(ROBOTS "/anton/anton.yaml");
    for (int l = 0; l < m->nleg; l++) {
        ff_leg_ik ik;
        ff_error err = {0};
        CHECK_INT(ff_leg_ik_make(m, &m->legs[l], NULL, &ik, &err), FF_OK);
        double out[3] = {ik.R[0], ik.R[3], ik.R[6]}, side = l % 2 == 0 ? 1.0 : -1.0;
        CHECK_NEAR(ik.length[0], 0.05, 1e-15);
        CHECK_NEAR(ik.length[1], 0.10, 1e-15);
        CHECK_NEAR(ik.length[2], 0.15 - 0.012, 1e-15); // to the centre of the foot's sphere
        CHECK_NEAR(ik.side, 0.0, 1e-15);
        CHECK_NEAR(out[1], side, 1e-15);
        CHECK_NEAR(ik.p[1], 0.08 * side, 1e-15);
        CHECK_INT(ik.knee * (int)ik.sign[2], -1); // the tibia's range is below zero
        double zero[3] = {0, 0, 0}, ahead[3] = {0.2, 0, 0}, up[3] = {0, 0.2, -0.3}, flat[3], moved[3], lifted[3];
        ff_leg_ik_forward(&ik, zero, flat);
        ff_leg_ik_forward(&ik, ahead, moved);
        ff_leg_ik_forward(&ik, up, lifted);
        CHECK(moved[0] > flat[0] + 0.05);
        CHECK(lifted[2] > flat[2] + 0.001);
        CHECK_TEXT(m->bodies[ik.body].name, l < 2 ? "front" : l < 4 ? "middle" : "rear");
    }
    ff_model_destroy(m);
}

TEST(feet_out_of_reach_are_said_and_angles_stay_usable)
{
    ff_model *m = load_robot(ROBOTS "/anton/anton.yaml");
    ff_leg_ik ik;
    ff_error err = {0};
    CHECK_INT(ff_leg_ik_make(m, &m->legs[0], NULL, &ik, &err), FF_OK);
    double q[3], error;
    // straight out, half a metre from the hip: the leg is stretched, 0.288 m long
    CHECK_INT(ff_leg_ik_solve(&ik, (double[3]){0, 0.58, 0}, q, &error), FF_REACH_FAR);
    CHECK_NEAR(error, 0.5 - 0.288, 1e-12);
    for (int i = 0; i < 3; i++) CHECK_NEAR(q[i], 0.0, 1e-7); // the root of rounding, from acos-like angles
    // a foot 45.5 degrees ahead meets the limit of the coxa, 45 degrees
    double angle = 45.5 * FF_PI / 180, r = 0.2;
    CHECK_INT(ff_leg_ik_solve(&ik, (double[3]){r * sin(angle), 0.08 + r * cos(angle), -0.1}, q, &error),
              FF_REACH_LIMIT);
    CHECK_NEAR(q[0], FF_PI / 4, 1e-15);
    CHECK_NEAR(error, 2 * r * sin(0.25 * FF_PI / 180), 1e-12);
    // inside the ring that femur and tibia cannot reach
    CHECK_INT(ff_leg_ik_solve(&ik, (double[3]){0, 0.14, 0.0}, q, &error), FF_REACH_NEAR);
    // under the body, behind the axis of the coxa
    const double back[3] = {0.3, -60 * FF_PI / 180, -139 * FF_PI / 180};
    double foot[3];
    ff_leg_ik_forward(&ik, back, foot);
    CHECK(foot[1] < 0.08);
    CHECK_INT(ff_leg_ik_solve(&ik, foot, q, &error), FF_REACH_OK);
    for (int i = 0; i < 3; i++) CHECK_NEAR(q[i], back[i], 1e-13);
    CHECK_INT(ff_leg_ik_solve(&ik, (double[3]){NAN, 0.14, 0.0}, q, &error), FF_REACH_FAR);
    for (int i = 0; i < 3; i++) CHECK(q[i] >= ik.low[i] && q[i] <= ik.high[i]);
    CHECK_INT(ff_leg_ik_solve(&ik, (double[3]){1e300, 0.14, 0.0}, q, &error), FF_REACH_FAR);
    for (int i = 0; i < 3; i++) CHECK(q[i] >= ik.low[i] && q[i] <= ik.high[i]);
    CHECK_INT(ff_leg_ik_solve(&ik, (double[3]){0, 0.08, -0.1}, q, NULL),
              FF_REACH_OK); // on the first axis: any coxa angle will do
    CHECK_NEAR(q[0], 0.0, 0.0);
    double rate[3], stretched[3] = {0, 0, 0};
    CHECK(!ff_leg_ik_rates(&ik, stretched, (double[3]){0, 1, 0}, rate));
    for (int i = 0; i < 3; i++) CHECK(fabs(rate[i]) < 1e5);
    CHECK_TEXT(ff_reach_text(FF_REACH_NEAR), "too near");
    ff_model_destroy(m);
}

TEST(knee_bends_as_the_posture_does)
{
    ff_model *m = load_robot(ROBOTS "/silva/silva.yaml"); // no limits at the knee
    int stand = ff_model_find_key(m, "stand");
    double *posture = m->keys[stand].q;
    ff_leg_ik straight, bent;
    CHECK_INT(ff_leg_ik_make(m, &m->legs[2], NULL, &straight, NULL), FF_OK);
    CHECK_INT(ff_leg_ik_make(m, &m->legs[2], posture, &bent, NULL), FF_OK);
    double foot[3], q[2];
    double wanted[2] = {posture[bent.qadr[0]], posture[bent.qadr[1]]};
    ff_leg_ik_forward(&bent, wanted, foot);
    CHECK_INT(ff_leg_ik_solve(&bent, foot, q, NULL), FF_REACH_OK);
    for (int i = 0; i < 2; i++) CHECK_NEAR(q[i], wanted[i], 1e-14);
    CHECK_INT(straight.knee, -1);
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ legs made at random

static void random_unit(ff_random *random, double out[3])
{
    for (int a = 0; a < 3; a++) out[a] = ff_random_normal(random);
    ff_vec3_normalise(out);
}

static void set_point_mass(ff_spec_body *body)
{
    body->has_inertial = true;
    body->mass = 1.0;
    body->inertia[0] = body->inertia[1] = body->inertia[2] = 1.0;
}

// Three bodies with random frames, whose axes are a1, a2, +-a2 with a1 across a2, in a random direction of the world; a
// fixed foot body below the last.
static ff_model *random_leg(ff_random *random, bool skew)
{
    double axis[3][3], across[3], turned[4] = {1, 0, 0, 0};
    random_unit(random, axis[0]);
    random_unit(random, across);
    ff_vec3_cross(axis[1], axis[0], across);
    ff_vec3_normalise(axis[1]);
    ff_vec3_scale(axis[2], axis[1], ff_random_uniform(random) < 0.5 ? 1.0 : -1.0);
    if (skew) axis[2][0] += 0.01;
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_body *segment = ff_spec_add_body(spec, "segment", -1);
    set_point_mass(segment);
    for (int a = 0; a < 3; a++) segment->pos[a] = ff_random_range(random, -0.3, 0.3);
    ff_spec_add_joint(spec, "base", 0, FF_JOINT_FREE);
    for (int i = 0; i < 3; i++) {
        char name[16];
        double back[4], q[4];
        snprintf(name, sizeof name, "link%d", i);
        ff_spec_body *body = ff_spec_add_body(spec, name, i);
        set_point_mass(body);
        for (int a = 0; a < 3; a++) body->pos[a] = ff_random_range(random, -0.2, 0.2);
        for (int a = 0; a < 4; a++) q[a] = ff_random_normal(random);
        ff_quat_normalise(q);
        ff_quat_copy(body->quat, q);
        double so_far[4];
        ff_quat_mul(so_far, turned, q);
        ff_quat_copy(turned, so_far);
        ff_quat_conjugate(back, turned);
        ff_spec_joint *joint = ff_spec_add_joint(spec, name, i + 1, FF_JOINT_HINGE);
        ff_quat_rotate(joint->axis, back, axis[i]);
        for (int a = 0; a < 3; a++) joint->pos[a] = ff_random_range(random, -0.1, 0.1);
        joint->ref = ff_random_range(random, -0.5, 0.5);
    }
    ff_spec_frame *foot = ff_spec_add_frame(spec, "foot", 3);
    for (int a = 0; a < 3; a++) foot->pos[a] = ff_random_range(random, -0.2, 0.2);
    ff_spec_leg *leg = ff_spec_add_leg(spec, "leg");
    leg->foot = foot->name;
    leg->njoint = 3;
    for (int i = 0; i < 3; i++) leg->joints[i] = spec->joints[i + 1].name;
    ff_load_options options = ff_load_options_default();
    ff_report report = {0};
    ff_model *m = ff_model_compile(spec, &options, &report);
    if (!m) CHECK_FAIL("random leg: %s", report.messages[0].text);
    ff_report_clear(&report);
    ff_spec_destroy(spec);
    return m;
}

TEST(random_legs_with_one_axis_across_two_return_to_their_positions)
{
    ff_random random = ff_random_make(23, 0);
    int returned = 0;
    for (int trial = 0; trial < 200; trial++) {
        robot r = {.m = random_leg(&random, false)};
        r.d = ff_data_create(r.m, NULL);
        ff_leg_ik ik;
        ff_error err = {0};
        double posture[10];
        random_position(r.m, &random, posture);
        if (ff_leg_ik_make(r.m, &r.m->legs[0], posture, &ik, &err) != FF_OK) CHECK_FAIL("%s", err.text);
        for (int k = 0; k < 20; k++) returned += check_round_trip(&r, &r.m->legs[0], &ik, &random, 1e-14);
        ff_data_destroy(r.d);
        ff_model_destroy(r.m);
    }
    CHECK(returned > 1000);
}

TEST(legs_without_a_closed_form_say_why)
{
    ff_random random = ff_random_make(24, 0);
    ff_leg_ik ik;
    ff_error err = {0};
    ff_model *m = random_leg(&random, true);
    CHECK_INT(ff_leg_ik_make(m, &m->legs[0], NULL, &ik, &err), FF_NOT_FOUND);
    CHECK_SAYS(err.text, "not parallel");
    ff_leg changed = m->legs[0];
    changed.njoint = 1;
    CHECK_INT(ff_leg_ik_make(m, &changed, NULL, &ik, &err), FF_NOT_FOUND);
    CHECK_SAYS(err.text, "two or three joints");
    changed.njoint = 2; // the foot is a joint further
    CHECK_INT(ff_leg_ik_make(m, &changed, NULL, &ik, &err), FF_NOT_FOUND);
    CHECK_SAYS(err.text, "between it and the foot");
    ff_model_destroy(m);
}
