// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// LOLA as its file describes it, against figures that were computed from the same tables elsewhere, before this file
// was written, and against tab. 5.1 of the thesis; and what the planner and the stabiliser find in it.
#include "biped/robot.h"
#include "check.h"

#include <footfall/load.h>
#include <footfall/math.h>

static ff_model *load(const char *file)
{
    ff_report report = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/robots/%s", FF_SOURCE_DIR, file);
    ff_model *m = ff_model_load(path, NULL, &report);
    if (!m) CHECK_FAIL("%s: %s", file, report.count > 0 ? report.messages[0].text : "not read");
    ff_report_clear(&report);
    return m;
}

static ff_biped *make(const ff_model *m, const char *pose)
{
    ff_error err = {0};
    ff_biped *robot = ff_biped_create(m, pose, &err);
    if (!robot) CHECK_FAIL("%s", err.text);
    return robot;
}

static void destroy(ff_model *m, ff_biped *robot)
{
    ff_biped_destroy(robot);
    ff_model_destroy(m);
}

static int count_hinges(const ff_model *m)
{
    int n = 0;
    for (int j = 0; j < m->njoint; j++) n += m->joints[j].type == FF_JOINT_HINGE;
    return n;
}

TEST(lola_has_the_links_joints_and_mass_of_its_tables)
{
    ff_model *m = load("lola/lola.yaml"), *older = load("lola/lola-2020.yaml"), *soft = load("lola/lola-flexible.yaml");
    CHECK_INT(m->nbody, 27);
    CHECK_INT(count_hinges(m), 26);
    CHECK_INT(count_hinges(older), 24);
    CHECK_INT(count_hinges(soft), 29);
    CHECK_NEAR(m->mass, 67.0, 1e-9);
    CHECK_NEAR(older->mass, 67.0, 1e-9);
    ff_model_destroy(m);
    ff_model_destroy(older);
    ff_model_destroy(soft);
}

// Base 0.9549 m, centre of mass 0.886 m high and 10 mm ahead of the middle of the soles; moments of inertia about it
// 9.9, 9.3 and 1.5 kg m^2. Printed to these digits.
TEST(lola_stands_as_computed_from_its_tables)
{
    ff_model *m = load("lola/lola.yaml");
    ff_biped *robot = make(m, "stand");
    const double *base = robot->q + m->joints[robot->base].qadr;
    CHECK_NEAR(base[2], 0.9549, 5e-5);
    CHECK_NEAR(robot->com[2], 0.886, 5e-4);
    CHECK_NEAR(robot->com[0] + 0.0955, 0.010, 5e-4); // soles reach from -0.2335 to 0.0425 m: their middle is at -0.0955
    CHECK_NEAR(robot->com[1], 0.0, 1e-12);
    CHECK_NEAR(robot->width, 0.24, 1e-9);
    CHECK_NEAR(robot->leg_mass, 8.7, 1e-9); // shank, ankle, foot, toe and half the thigh
    destroy(m, robot);
}

// Standing on both feet: 45.7 N m at a knee, 8.0 at an ankle, 0.9 at a hip. The feet press straight up, each with half
// the weight, below the centre of mass, whose place they gave to 1 mm, which is 0.33 N m.
TEST(lola_stands_with_the_torques_of_statics)
{
    ff_model *m = load("lola/lola.yaml");
    ff_biped *robot = make(m, "stand");
    ff_error err = {0};
    ff_data *d = ff_data_create(m, &err);
    memcpy(d->q, robot->q, (size_t)m->nq * sizeof *d->q);
    ff_dyn_kinematics(m, d);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const double at[3] = {robot->com[0], f == 0 ? 0.12 : -0.12, 0.0}, up[3] = {0.0, 0.0, 0.5 * robot->weight};
        ff_dyn_apply_force(m, d, robot->feet[f].body, at, up, (const double[3]){0.0, 0.0, 0.0});
    }
    double still[FF_BIPED_DOFS] = {0.0}, tau[FF_BIPED_DOFS];
    ff_dyn_velocity(m, d);
    ff_dyn_inverse_here(m, d, still, tau);
    for (int k = 0; k < 6; k++) CHECK_NEAR(tau[k], 0.0, 1e-9); // the base is in balance
    const double got[3] = {tau[m->joints[ff_model_find_joint(m, "left_knee_flexion")].vadr],
                           tau[m->joints[ff_model_find_joint(m, "left_ankle_flexion")].vadr],
                           tau[m->joints[ff_model_find_joint(m, "left_hip_flexion")].vadr]};
    CHECK_NEAR(fabs(got[0]), 45.7, 0.33);
    CHECK_NEAR(fabs(got[1]), 8.0, 0.33);
    CHECK_NEAR(fabs(got[2]), 0.9, 0.33);
    ff_data_destroy(d);
    destroy(m, robot);
}

// Tab. 5.1: one pad has A 4.25e-3 m^2, four pads about the reference point Ixx 1.264e-4, Iyy 3.206e-4 m^4, A 0.017 m^2,
// centroid -0.096 m; with c_z = 1.9e7 N/m^3 the inverse of U is that of sec. 5.2, printed to four digits. They used
// -0.096 for -0.0955: Iyy - A r^2, by which the second row is divided, then is 1 % smaller, and r itself 0.5 % larger.
TEST(the_sole_gives_way_as_table_5_1_says)
{
    ff_model *m = load("lola/lola.yaml");
    ff_biped *robot = make(m, "stand");
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const ff_biped_foot *foot = &robot->feet[f];
        double area = 0.0, x = 0.0, xx = 0.0, yy = 0.0;
        CHECK_INT(foot->npoint, 24);
        for (int i = 0; i < foot->npoint; i++) {
            const double a = foot->points[i].stiffness / 1.9e7;
            area += a;
            x += a * foot->points[i].x;
            xx += a * foot->points[i].x * foot->points[i].x;
            yy += a * foot->points[i].y * foot->points[i].y;
        }
        CHECK_NEAR(area, 0.017, 1e-9);
        CHECK_NEAR(x / area, -0.096, 6e-4);
        CHECK_NEAR(yy, 1.264e-4, 5e-8);
        CHECK_NEAR(xx, 3.206e-4, 1e-6);
        CHECK_NEAR(foot->stiffness, 323e3, 1e3);
        const double printed[9] = {-4.164e-4, 0, 0, 0, -3.211e-4, 3.082e-5, 0, 3.082e-5, -6.055e-6};
        for (int k = 0; k < 9; k++) CHECK_NEAR(foot->compliance[k], printed[k], 0.02 * fabs(printed[k]) + 1e-12);
    }
    destroy(m, robot);
}

// ROTTO stands on four corners a foot of 1e5 N/m each, 0.1 m ahead and behind and 0.05 m beside the ankle. Were their
// law k p^1.5, 61.3 N on each would press them in by 7.21 mm, where its slope is 1.5 * 61.3 / 7.21e-3 = 12.75 kN/m.
TEST(soles_give_way_as_their_material_does_under_the_weight)
{
    ff_model *m = load("rotto/rotto.yaml");
    const double load = 25.0 * 9.81 / 4.0, slopes[2] = {1e5, 1.5 * load / pow(load / 1e5, 2.0 / 3.0)};
    CHECK_NEAR(slopes[1], 12.75e3, 10.0);
    for (int law = 0; law < 2; law++) {
        for (int i = 0; i < m->nmaterial && law == 1; i++) m->materials[i].normal.exponent = 1.5;
        ff_biped *robot = make(m, NULL);
        for (int f = 0; f < FF_BIPED_FEET; f++) {
            CHECK_INT(robot->feet[f].npoint, 4);
            CHECK_NEAR(robot->feet[f].stiffness, 4.0 * slopes[law], 1e-9 * slopes[law]);
            CHECK_NEAR(robot->feet[f].compliance[0], -1.0 / (4.0 * slopes[law] * 0.05 * 0.05), 1e-9);
            CHECK_NEAR(robot->feet[f].compliance[4], -1.0 / (4.0 * slopes[law] * 0.1 * 0.1), 1e-9);
        }
        ff_biped_destroy(robot);
    }
    ff_model_destroy(m);
}

// What `biped` of a robot's file says takes the place of what its bodies suggest, on both sides.
TEST(a_robot_file_says_how_it_walks)
{
    ff_report report = {0};
    ff_model *m = ff_model_load(FF_SOURCE_DIR "/tests/lab/scene/specimens/biped.yaml", NULL, &report);
    CHECK(m != NULL);
    ff_biped *robot = make(m, NULL);
    const ff_biped_gait gait = ff_biped_gait_default(robot);
    CHECK_NEAR(robot->leg_mass, 4.1, 0.0);
    CHECK_NEAR(robot->reach, 0.69, 0.0);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const ff_biped_foot *foot = &robot->feet[f];
        CHECK_INT(foot->npoint, 4);
        CHECK_NEAR(foot->points[0].y, f == 0 ? 0.05 : -0.05, 1e-15);
        CHECK_NEAR(foot->stiffness, 5e4, 1e-9);
        CHECK_NEAR(foot->low[0], -0.01, 1e-15);
        CHECK_NEAR(foot->high[0], 0.06, 1e-15);
        CHECK_NEAR(foot->low[1], f == 0 ? -0.03 : -0.04, 1e-15); // inside 30 mm, outside 40 mm
        CHECK_NEAR(foot->high[1], f == 0 ? 0.04 : 0.03, 1e-15);
        CHECK_NEAR(foot->lump[2], 0.3, 0.0);
    }
    CHECK_NEAR(gait.step_time, 1.0, 0.0);
    CHECK_NEAR(gait.double_support, 0.2, 0.0);
    CHECK_NEAR(gait.hold, 1.6, 0.0);
    CHECK_NEAR(gait.height, 0.75, 0.0);
    CHECK_NEAR(gait.clearance, 0.02, 0.0);
    CHECK_NEAR(gait.most_turn, 0.1, 0.0); // the file it imports says 0.15
    destroy(m, robot);
    ff_report_clear(&report);
}

// Half as high: times grow with the root of lengths, steps with the leg; a smaller LOLA without numbers of its own.
TEST(gaits_follow_from_height_and_legs)
{
    ff_model *m = load("lola/lola.yaml");
    ff_biped *robot = make(m, NULL);
    CHECK_NEAR(ff_biped_gait_default(robot).step_time, 0.8, 0.0); // as its file says
    robot->given = NULL;
    robot->com[2] = 0.443;
    robot->leg *= 0.5;
    const ff_biped_gait small = ff_biped_gait_default(robot);
    CHECK_NEAR(small.step_time, 0.8 * sqrt(0.5), 1e-12);
    CHECK_NEAR(small.double_support, 0.2 * small.step_time, 1e-12);
    CHECK_NEAR(small.hold, 2.0 * small.step_time, 1e-12);
    CHECK_NEAR(small.longest, 0.56 * robot->leg, 1e-12);
    destroy(m, robot);
}

TEST(a_robot_that_is_no_biped_is_refused)
{
    ff_error err = {0};
    ff_model *six = load("anton/anton.yaml"), *arm = load("biorob/biorob.yaml"), *lola = load("lola/lola.yaml");
    CHECK(!ff_biped_create(six, "stand", &err) && err.status == FF_BAD_ARGUMENT && strstr(err.text, "two legs"));
    CHECK(!ff_biped_create(arm, NULL, &err) && err.status == FF_BAD_ARGUMENT && strstr(err.text, "moves freely"));
    CHECK(!ff_biped_create(lola, "sitting", &err) && err.status == FF_NOT_FOUND && strstr(err.text, "sitting"));
    ff_biped_destroy(make(lola, "straight"));
    const int hip = lola->joints[ff_model_find_joint(lola, "left_hip_flexion")].qadr;
    lola->keys[ff_model_find_key(lola, "straight")].q[hip] = -0.3; // one foot ahead, its toes up
    CHECK(!ff_biped_create(lola, "straight", &err) && err.status == FF_BAD_ARGUMENT);
    printf("  %s\n", err.text);
    ff_model_destroy(six);
    ff_model_destroy(arm);
    ff_model_destroy(lola);
}

// Springs are no joints that a controller can lead: it takes them for stiff.
TEST(springs_of_the_torso_are_held)
{
    ff_model *soft = load("lola/lola-flexible.yaml");
    ff_biped *robot = make(soft, "stand");
    int held = 0;
    for (int dof = 0; dof < soft->nv; dof++) held += robot->held[dof];
    CHECK_INT(held, 3);
    CHECK(robot->held[soft->joints[ff_model_find_joint(soft, "flex_pitch")].vadr]);
    destroy(soft, robot);
}
