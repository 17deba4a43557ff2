// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots of our own: their files must say what the sources say.
#include "check.h"
#include "support/message.h"
#include "text/yaml.h"

#include <footfall/dyn.h>
#include <footfall/load.h>
#include <footfall/text.h>

static ff_report report;
static ff_model *model;
static ff_data *data;

static void finish(void)
{
    ff_data_destroy(data);
    ff_model_destroy(model);
    ff_report_clear(&report);
    data = NULL;
    model = NULL;
}

static void load(const char *path)
{
    static bool registered;
    if (!registered) atexit(finish);
    registered = true;
    finish();
    char full[400];
    snprintf(full, sizeof full, "%s/robots/%s", FF_SOURCE_DIR, path);
    model = ff_model_load(full, NULL, &report);
    if (!model || report.count) CHECK_FAIL("%s: %s", path, message_of(&report, 0)); // warnings fail too
    data = ff_data_create(model, NULL);
}

static void take_pose(const char *name)
{
    int key = ff_model_find_key(model, name);
    CHECK(key >= 0);
    memcpy(data->q, model->keys[key].q, (size_t)model->nq * sizeof(double));
    ff_dyn_kinematics(model, data);
}

static void frame_point(const char *name, double world[3])
{
    int frame = ff_model_find_frame(model, name);
    if (frame < 0) CHECK_FAIL("no frame %s", name);
    ff_dyn_point(model, data, model->frames[frame].body, model->frames[frame].pos, world);
}

static double at(const double *q, const char *name)
{
    int index = ff_model_find_joint(model, name);
    if (index < 0) CHECK_FAIL("no joint %s", name);
    return q[model->joints[index].qadr];
}

/// Every pose of the file lies inside the joint limits.
static void check_poses_inside_limits(void)
{
    for (int k = 0; k < model->nkey; k++)
        for (int i = 0; i < model->njoint; i++) {
            const ff_joint *j = &model->joints[i];
            if (!j->limited) continue;
            double q = model->keys[k].q[j->qadr];
            if (q < j->range[0] || q > j->range[1]) CHECK_FAIL("pose %s: %s = %g rad", model->keys[k].name, j->name, q);
        }
}

static const char *const legs[] = {"FL", "FR", "ML", "MR", "RL", "RR"};

TEST(anton_has_24_joints_and_5_kg)
{
    load("anton/anton.yaml");
    CHECK_INT(model->njoint, 25); // and the free base
    CHECK_INT(model->nv, 30);
    CHECK_INT(model->nactuator, 24);
    CHECK_NEAR(model->mass, 5.0, 1e-14);
    int driven = 0;
    for (int i = 0; i < model->njoint; i++) {
        const ff_joint *j = &model->joints[i];
        if (j->type == FF_JOINT_FREE) continue;
        bool knee = strstr(j->name, "tibia") != NULL;
        CHECK_NEAR(j->armature, knee ? 1e-7 * 390 * 390 : 4e-7 * 251 * 251, 1e-16);
        CHECK_NEAR(j->effort, knee ? 2.2 : 4.3, 0.0);
        CHECK_NEAR(j->speed, knee ? 3.08 : 4.78, 0.005); // [rad/s] printed with three digits
        CHECK(j->limited);
        driven++;
    }
    CHECK_INT(driven, 24);
}

// What follows from its lengths with feet 0.22 m beside the middle: q2 = 25.9, q3 = -115.9 deg, hip height 0.106 m;
// rows are 0.18 m apart.
TEST(anton_stands_with_vertical_tibias)
{
    load("anton/anton.yaml");
    take_pose("stand");
    const double deg = FF_PI / 180;
    for (int i = 0; i < 6; i++) {
        char name[20];
        double tip[3], foot[3], tibia[3], quat[4];
        double side = i % 2 == 0 ? 0.22 : -0.22, row = 0.18 * (1 - i / 2);
        snprintf(name, sizeof name, "%s_tip", legs[i]);
        frame_point(name, tip);
        CHECK_NEAR(tip[0], row, 1e-15);
        CHECK_NEAR(tip[1], side, 1e-15);
        CHECK_NEAR(tip[2], 0.0, 1e-15);
        snprintf(name, sizeof name, "%s_foot", legs[i]);
        frame_point(name, foot);
        CHECK_NEAR(foot[2], 0.012, 1e-15); // the sphere touches the ground
        snprintf(name, sizeof name, "%s_tibia", legs[i]);
        ff_dyn_body_pose(model, data, ff_model_find_body(model, name), tibia, quat);
        CHECK_NEAR(tibia[1], side, 1e-15); // knee above the foot: vertical
        CHECK_NEAR(tibia[2], 0.15, 1e-15);
        CHECK_NEAR(at(data->q, name), -115.9 * deg, 0.1 * deg); // the table rounds
        snprintf(name, sizeof name, "%s_femur", legs[i]);
        CHECK_NEAR(at(data->q, name), 25.9 * deg, 0.1 * deg);
    }
    CHECK_NEAR(data->q[2], 0.106, 0.0005); // hip height [m], printed with three digits
    check_poses_inside_limits();
}

TEST(anton_lifts_and_swings_alike_on_both_sides)
{
    load("anton/anton.yaml");
    take_pose("stand");
    double before[6][3];
    for (int i = 0; i < 6; i++) {
        char name[20];
        snprintf(name, sizeof name, "%s_tip", legs[i]);
        frame_point(name, before[i]);
        for (int k = 0; k < 2; k++) { // a little ahead, a little up
            snprintf(name, sizeof name, k ? "%s_femur" : "%s_coxa", legs[i]);
            data->q[model->joints[ff_model_find_joint(model, name)].qadr] += 0.1;
        }
    }
    ff_dyn_kinematics(model, data);
    for (int i = 0; i < 6; i++) {
        char name[20];
        double after[3];
        snprintf(name, sizeof name, "%s_tip", legs[i]);
        frame_point(name, after);
        CHECK(after[0] > before[i][0] + 0.01);
        CHECK(after[2] > before[i][2] + 0.005);
    }
}

// The source's sensors count 24 joints; its text can also be read as 22, without a joint of the head.
TEST(anton_with_a_fixed_head_has_22_joints)
{
    load("anton/anton-fixed-head.yaml");
    CHECK_INT(model->njoint, 23);
    CHECK_INT(model->nactuator, 22);
    CHECK_NEAR(model->mass, 5.0, 1e-14);
    take_pose("stand");
    double tip[3];
    frame_point("RR_tip", tip);
    CHECK_NEAR(tip[0], -0.18, 1e-15);
    CHECK_NEAR(tip[1], -0.22, 1e-15);
    CHECK_NEAR(tip[2], 0.0, 1e-15);
}

/// Numbers below a node that neither belong to {value, origin} nor are 0, 1 or small counts in a formula.
static int unexplained(ff_yaml *node)
{
    if (node->type == FF_YAML_MAP && ff_yaml_get(node, "value")) return ff_yaml_get(node, "origin") ? 0 : 1;
    if (node->key && (strcmp(node->key, "color") == 0 || strcmp(node->key, "footfall") == 0)) return 0;
    double x;
    if (node->type == FF_YAML_SCALAR && !node->quoted && ff_text_number(node->text, strlen(node->text), &x) &&
        x != 0.0) {
        printf("  line %d: %s: %s\n", node->place.line, node->key ? node->key : "-", node->text);
        return 1;
    }
    int count = 0;
    for (ff_yaml *child = node->child; child; child = child->next) count += unexplained(child);
    return count;
}

static void check_origins(const char *path, int least)
{
    char full[400];
    ff_arena arena = {0};
    ff_report_clear(&report);
    size_t length;
    snprintf(full, sizeof full, "%s/robots/%s", FF_SOURCE_DIR, path);
    char *text = ff_text_load(full, 1 << 20, &length, (ff_place){0}, &report);
    CHECK(text);
    ff_yaml *root = ff_yaml_parse(&arena, text, length, path, &report);
    CHECK(root);
    ff_yaml *constants = ff_yaml_get(root, "constants");
    CHECK(constants->nchild >= least);
    for (ff_yaml *c = constants->child; c; c = c->next)
        if (!ff_yaml_get(c, "origin")) CHECK_FAIL("constant %s has no origin", c->key);
    CHECK_INT(unexplained(root), 0);
    ff_arena_clear(&arena);
    free(text);
}

// "A model file must keep the origin of each number": whatever is not a formula of named constants has an origin beside
// it.
TEST(every_number_carries_its_origin)
{
    check_origins("anton/anton.yaml", 30);
    check_origins("servo-hexapod/servo-hexapod.yaml", 30);
    check_origins("biorob/biorob.yaml", 30);
}

// 18 joints of equal servos, 2.2 kg; tips 0.0993 m from the hips, 0.08 m below them, corners turned out by 30 degrees.
TEST(the_servo_hexapod_stands_as_its_table_says)
{
    load("servo-hexapod/servo-hexapod.yaml");
    CHECK_INT(model->njoint, 19); // and the free base
    CHECK_INT(model->ndrive, 18);
    CHECK_INT(model->nsensor, 6);
    CHECK_INT(model->nleg, 6);
    CHECK_NEAR(model->mass, 2.2, 1e-14);
    take_pose("stand");
    const double reach = 0.03 + 0.08 * cos(FF_PI / 6), out = FF_PI / 6;
    for (int i = 0; i < 6; i++) {
        const ff_leg *leg = &model->legs[i];
        const double side = i % 2 == 0 ? 1 : -1, row = 1 - i / 2;
        double foot[3];
        CHECK(strcmp(leg->name, legs[i]) == 0 && leg->njoint == 3 && leg->touch);
        CHECK_NEAR(leg->radius, 0.005, 0.0);
        frame_point(model->frames[leg->frame].name, foot);
        CHECK_NEAR(foot[0], row * (0.11 + reach * sin(out)), 1e-15);
        CHECK_NEAR(foot[1], side * (row == 0 ? 0.09 + reach : 0.07 + reach * cos(out)), 1e-15);
        CHECK_NEAR(foot[2], 0.005, 1e-15); // the tip touches the ground
    }
    check_poses_inside_limits();
}

// Rows (0, 90 deg, 0.2), (0.28, 0, 0), (0.28, 0, 0), (0.12, 0, 0): the arm in the vertical plane of its yaw, angles
// adding up; 3.73 kg; a spring of 0.1 rad at the bound of torque in every joint.
TEST(biorob_is_the_arm_of_its_rows)
{
    load("biorob/biorob.yaml");
    CHECK_INT(model->nv, 4);
    CHECK_INT(model->ndrive, 4);
    CHECK_NEAR(model->mass, 3.73, 1e-14);
    const double yaw = 0.7, shoulder = 0.9, elbow = -1.3, wrist = 0.4;
    memcpy(data->q, (const double[]){yaw, shoulder, elbow, wrist}, 4 * sizeof(double));
    ff_dyn_kinematics(model, data);
    const double out = 0.28 * cos(shoulder) + 0.28 * cos(shoulder + elbow) + 0.12 * cos(shoulder + elbow + wrist);
    const double up = 0.28 * sin(shoulder) + 0.28 * sin(shoulder + elbow) + 0.12 * sin(shoulder + elbow + wrist);
    double tip[3];
    frame_point("tip", tip);
    CHECK_NEAR(tip[0], out * cos(yaw), 1e-15);
    CHECK_NEAR(tip[1], out * sin(yaw), 1e-15);
    CHECK_NEAR(tip[2], 0.2 + up, 1e-15);
    check_poses_inside_limits();
}

TEST(the_humanoid_has_26_joints_25_kg_and_1_40_m)
{
    load("humanoid/humanoid.yaml");
    CHECK_INT(model->njoint, 27);
    CHECK_INT(model->nv, 32);
    CHECK_INT(model->nactuator, 26);
    CHECK_NEAR(model->mass, 25.0, 1e-13);
    take_pose("straight");
    double sole[3], top[3], crown[3] = {0, 0, 0.19};
    frame_point("left_sole", sole);
    ff_dyn_point(model, data, ff_model_find_body(model, "head"), crown, top);
    CHECK_NEAR(sole[2], 0.0, 1e-15);
    CHECK_NEAR(top[2], 1.40, 1e-15);
    take_pose("crouch");
    frame_point("right_sole", sole);
    CHECK_NEAR(sole[2], 0.0, 1e-15); // still on the ground
    check_poses_inside_limits();
    int knee = ff_model_find_joint(model, "left_knee"), hip = ff_model_find_joint(model, "right_hip_roll");
    CHECK_NEAR(model->joints[knee].effort, 24.0, 1e-12); // [N m] 400 N on 0.06 m
    CHECK_NEAR(model->joints[hip].effort, 40.0, 1e-12);  // [N m] two drives on 0.05 m
}

TEST(the_hexapods_number_their_legs_from_front_left_to_rear_right)
{
    const char *const robots[] = {"anton/anton.yaml", "silva/silva.yaml"};
    for (int r = 0; r < 2; r++) {
        load(robots[r]);
        CHECK_INT(model->nleg, 6);
        for (int i = 0; i < 6; i++) {
            const ff_leg *leg = &model->legs[i];
            CHECK_TEXT(leg->name, legs[i]);
            CHECK_INT(leg->njoint, r == 0 ? 3 : 2);
            CHECK(strncmp(model->frames[leg->frame].name, legs[i], 2) == 0);
            for (int k = 0; k < leg->njoint; k++) CHECK(strncmp(model->joints[leg->joints[k]].name, legs[i], 2) == 0);
        }
    }
    load(robots[0]);
    CHECK_NEAR(model->legs[5].radius, 0.012, 1e-15);
    CHECK_TEXT(model->legs[5].force, "RR_foot_force");
}

TEST(silva_weighs_what_the_article_says_and_moves_in_its_plane)
{
    load("silva/silva.yaml");
    CHECK_INT(model->nv, 24); // two translations and two leg joints for each of six segments
    CHECK_NEAR(model->mass, 100.6, 1e-12);
    take_pose("stand");
    double foot[3];
    for (int i = 0; i < 6; i++) {
        char name[20];
        snprintf(name, sizeof name, "%s_foot", legs[i]);
        frame_point(name, foot);
        CHECK_NEAR(foot[0], -1.0 * (i / 2), 1e-15); // below its hip
        CHECK_NEAR(foot[2], 0.0, 1e-15);
    }
    // Any motion stays in the plane: no joint moves a foot sideways or turns a segment.
    double J[6 * 24], local[3] = {0, 0, 0};
    for (int i = 0; i < model->nv; i++) data->q[i] += 0.1 * (i % 5);
    ff_dyn_kinematics(model, data);
    for (int b = 0; b < model->nbody; b++) {
        ff_dyn_jacobian(model, data, b, local, J);
        for (int i = 0; i < model->nv; i++) {
            CHECK_NEAR(J[0 * 24 + i], 0.0, 0.0);
            CHECK_NEAR(J[2 * 24 + i], 0.0, 0.0);
            CHECK_NEAR(J[4 * 24 + i], 0.0, 0.0);
            if (strlen(model->bodies[b].name) == 2) CHECK_NEAR(J[1 * 24 + i], 0.0, 0.0);
        }
    }
}

// The link's moment of inertia about y through its centre is m l^2 / 12 = 0.02083 kg m^2.
TEST(silva_links_are_uniform_rods)
{
    load("silva/silva.yaml");
    const ff_body *thigh = &model->bodies[ff_model_find_body(model, "FL_thigh")];
    CHECK_NEAR(thigh->inertia[1], 1.0 * 0.25 / 12, 1e-16);
    CHECK_NEAR(thigh->com[2], -0.25, 1e-16);
}

TEST(the_tumbler_loads)
{
    load("tumbler/tumbler.yaml");
    CHECK_INT(model->nv, 16);
    CHECK_NEAR(model->mass, 12.0, 1e-14);
    CHECK(ff_model_find_key(model, "slipping") >= 0);
}
