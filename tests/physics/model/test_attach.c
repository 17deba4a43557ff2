// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Joining descriptions: names, places, displaced poses, free roots, copied meshes, keyframes.
#include "check.h"
#include "spec_helpers.h"

static const double away[3] = {1, -2, 0.5};

static void turned(double quat[4])
{
    ff_quat_from_rpy(quat, (const double[3]){0.3, 0.7, -1.1});
}

/// A carrier that slides and turns.
static ff_spec *cart(void)
{
    ff_spec *spec = ff_spec_create(NULL);
    int body = solid_body(spec, "cart", -1);
    joint_of(spec, "rail", body, FF_JOINT_SLIDE)->axis[1] = 1;
    joint_of(spec, "turntable", body, FF_JOINT_HINGE);
    return spec;
}

/// Two links on the world, with one of everything that has a name.
static ff_spec *arm(void)
{
    ff_spec *spec = ff_spec_create(NULL);
    int upper = solid_body(spec, "upper", -1), lower = solid_body(spec, "lower", upper);
    ff_vec3_set(spec->bodies[upper].pos, 0.2, 0, 0.1);
    ff_vec3_set(spec->bodies[lower].pos, 0, 0, 0.4);
    ff_vec3_set(joint_of(spec, "shoulder", upper, FF_JOINT_HINGE)->axis, 0, 1, 0);
    ff_vec3_set(joint_of(spec, "elbow", lower, FF_JOINT_HINGE)->axis, 1, 0, 0);
    spec->joints[1].mimic = ff_spec_text(spec, "shoulder");
    static const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    ff_spec_add_mesh(spec, "tetra")->data = ff_mesh_create(corners, 4, faces, 4, NULL);
    ff_spec_add_geom(spec, "shell", lower, FF_SHAPE_MESH)->mesh = 0;
    ff_spec_add_geom(spec, "floor", -1, FF_SHAPE_PLANE);
    ff_spec_add_frame(spec, "tip", lower)->pos[2] = 0.3;
    ff_spec_add_frame(spec, "mark", -1)->pos[0] = 0.7;
    ff_spec_add_actuator(spec, "drive", FF_ACTUATOR_MOTOR)->joint = ff_spec_text(spec, "elbow");
    ff_spec_tendon *tendon = ff_spec_add_tendon(spec, "string");
    ff_spec_add_tendon_piece(spec, tendon, FF_TENDON_POINT, "mark", NULL, 0.0);
    ff_spec_add_tendon_piece(spec, tendon, FF_TENDON_POINT, "tip", NULL, 0.0);
    ff_spec_add_actuator(spec, "pull", FF_ACTUATOR_MOTOR)->tendon = ff_spec_text(spec, "string");
    ff_spec_sensor *sensor = ff_spec_add_sensor(spec, "pose", "framepos");
    sensor->object_type = "body";
    sensor->object = "world";
    ff_spec_equality *tie = ff_spec_add_equality(spec, "tie", FF_EQUALITY_CONNECT);
    tie->object1 = ff_spec_text(spec, "lower");
    tie->object2 = "world";
    tie->active = false;
    ff_spec_add_exclude(spec, "world", "lower");
    ff_spec_add_exclude(spec, "", "upper");
    ff_spec_ignore(spec, (ff_place){"arm.test", 5, 1}, "<tendon>");
    ff_spec_ignore(spec, (ff_place){"arm.test", 9, 1}, "<tendon>");
    ff_spec_key *key = ff_spec_add_key(spec, "home");
    key->q = FF_ARENA_NEW(&spec->arena, double, 2);
    key->q[1] = 0.6;
    key->nq = 2;
    return spec;
}

TEST(everything_attached_gets_the_prefix_and_finds_its_partners)
{
    ff_spec *all = cart(), *other = arm();
    ff_report report = {0};
    double quat[4];
    turned(quat);
    CHECK_INT(ff_spec_attach(all, other, "left_", 0, away, quat, &report), FF_OK);
    CHECK_INT(ff_spec_attach(all, other, "right_", 0, away, quat, &report), FF_OK);
    ff_spec_destroy(other); // nothing of it is borrowed: the sanitizer would report it
    ff_model *m = compiled(all);
    CHECK(m);
    CHECK_INT(m->nbody, 5);
    CHECK_INT(m->joints[ff_model_find_joint(m, "left_elbow")].mimic, ff_model_find_joint(m, "left_shoulder"));
    CHECK_INT(m->actuators[2].joint, ff_model_find_joint(m, "right_elbow"));
    CHECK_TEXT(m->actuators[2].name, "right_drive");
    CHECK_INT(m->actuators[3].tendon, ff_model_find_tendon(m, "right_string"));
    CHECK_INT(m->tendons[1].pieces[1].index, ff_model_find_frame(m, "right_tip"));
    CHECK_INT(m->bodies[ff_model_find_body(m, "right_upper")].parent, ff_model_find_body(m, "cart"));
    CHECK_INT(m->geoms[2].body, ff_model_find_body(m, "right_lower"));
    CHECK_INT(m->geoms[2].mesh, 1);
    CHECK_TEXT(m->mesh_names[1], "right_tetra");
    // what was tied to the world is tied to the parent; exclusion of the world is unchanged
    CHECK_INT(m->equalities[1].object2, ff_model_find_body(m, "cart"));
    CHECK_INT(m->excludes[4], -1);
    CHECK_INT(m->excludes[5], ff_model_find_body(m, "right_lower"));
    CHECK_INT(m->excludes[6], -1);
    CHECK_TEXT(m->sensors[1].object, "world");
    CHECK_INT(m->nignored, 1);
    CHECK_INT(m->ignored[0].count, 4);
    CHECK_INT(m->ignored[0].place.line, 5);
    ff_model_destroy(m);
    ff_spec_destroy(all);
    ff_report_clear(&report);
}

TEST(attached_parts_move_with_their_parent_displaced)
{
    ff_spec *all = cart(), *other = arm();
    double quat[4];
    turned(quat);
    CHECK_INT(ff_spec_attach(all, other, "", 0, away, quat, NULL), FF_OK);
    ff_model *m = compiled(all), *alone = compiled(other);
    CHECK(m && alone);
    const double q[4] = {0.3, -0.4, 0.9, 1.2};
    ff_data *d = ff_data_create(m, NULL);
    memcpy(d->q, q, sizeof q);
    ff_dyn_kinematics(m, d);
    // cart, then the displacement, then the arm as it stands alone
    route at = route_body(all, 0, m, q), lower = route_body(other, 1, alone, q + 2), expected;
    at = route_step(at, away, quat);
    expected = route_step(at, lower.p, lower.q);
    double pos[3], found[4];
    ff_dyn_body_pose(m, d, ff_model_find_body(m, "lower"), pos, found);
    for (int i = 0; i < 3; i++) CHECK_NEAR(pos[i], expected.p[i], 1e-14);
    // items on the arm's world are now fixed to the cart
    const ff_frame *mark = &m->frames[ff_model_find_frame(m, "mark")];
    route expected_mark = route_step((route){{1, -2, 0.5}, {quat[0], quat[1], quat[2], quat[3]}},
                                     (const double[3]){0.7, 0, 0}, (const double[4]){1, 0, 0, 0});
    CHECK_INT(mark->body, 0);
    for (int i = 0; i < 3; i++) CHECK_NEAR(mark->pos[i], expected_mark.p[i], 1e-15);
    CHECK_INT(m->geoms[1].body, 0);
    for (int i = 0; i < 3; i++) CHECK_NEAR(m->geoms[1].pos[i], away[i], 1e-15);
    ff_data_destroy(d);
    ff_model_destroy(m);
    ff_model_destroy(alone);
    ff_spec_destroy(all);
    ff_spec_destroy(other);
}

TEST(free_roots_stay_on_the_world_and_start_displaced)
{
    ff_spec *all = cart(), *ball = ff_spec_create(NULL);
    double quat[4];
    turned(quat);
    solid_body(ball, "ball", -1);
    ff_vec3_set(ball->bodies[0].pos, 0, 0, 2);
    joint_of(ball, "flight", 0, FF_JOINT_FREE);
    CHECK_INT(ff_spec_attach(all, ball, "b_", 0, away, quat, NULL), FF_OK);
    ff_model *m = compiled(all);
    CHECK(m);
    int body = ff_model_find_body(m, "b_ball"), qadr = m->joints[ff_model_find_joint(m, "b_flight")].qadr;
    CHECK_INT(m->bodies[body].parent, -1);
    double up[3];
    ff_quat_rotate(up, quat, (const double[3]){0, 0, 2});
    for (int i = 0; i < 3; i++) CHECK_NEAR(m->q0[qadr + i], away[i] + up[i], 1e-15);
    for (int i = 0; i < 4; i++) CHECK_NEAR(m->q0[qadr + 3 + i], quat[i], 1e-15);
    ff_model_destroy(m);
    ff_spec_destroy(all);
    ff_spec_destroy(ball);
}

TEST(meshes_are_copied_not_shared)
{
    ff_spec *all = ff_spec_create(NULL), *other = arm();
    const double here[3] = {0}, none[4] = {1, 0, 0, 0};
    CHECK_INT(ff_spec_attach(all, other, NULL, -1, here, none, NULL), FF_OK);
    CHECK(all->meshes[0].data != other->meshes[0].data);
    other->meshes[0].data->vertices[3] = 99;
    CHECK_NEAR(all->meshes[0].data->vertices[3], 1, 0);
    CHECK_INT(all->meshes[0].data->ntriangle, 4);
    ff_model *m = compiled(all);
    CHECK(m);
    CHECK(m->meshes[0] != all->meshes[0].data && m->geoms[0].shape.mesh == m->meshes[0]);
    ff_model_destroy(m);
    ff_spec_destroy(all);
    ff_spec_destroy(other);
}

TEST(keyframes_come_along_only_into_an_empty_description)
{
    ff_spec *empty = ff_spec_create(NULL), *all = cart(), *other = arm();
    const double here[3] = {0}, none[4] = {1, 0, 0, 0};
    ff_report report = {0};
    CHECK_INT(ff_spec_attach(empty, other, "a_", -1, here, none, &report), FF_OK);
    CHECK_INT(report.count, 0);
    CHECK_INT(ff_spec_attach(all, other, "a_", -1, here, none, &report), FF_OK);
    CHECK_INT(report.count, 1);
    CHECK_SAYS(report.messages[0].text, "keyframe \"home\" is left out");
    CHECK_INT(all->nkey, 0);
    ff_spec_destroy(other);
    ff_model *m = compiled(empty);
    CHECK(m);
    int key = ff_model_find_key(m, "a_home");
    CHECK(key >= 0);
    CHECK_NEAR(m->keys[key].q[1], 0.6, 0);
    ff_model_destroy(m);
    ff_spec_destroy(empty);
    ff_spec_destroy(all);
    ff_report_clear(&report);
}

/// Bodies attached below the first of two change the order of coordinates, which is depth first.
TEST(keyframes_follow_the_new_order_of_coordinates)
{
    ff_spec *all = arm(), *other = cart();
    const double here[3] = {0}, none[4] = {1, 0, 0, 0};
    ff_report report = {0};
    other->joints[1].ref = 0.25;
    ff_spec_actuator *drive = &all->actuators[0];
    drive->type = FF_ACTUATOR_POSITION;
    ff_spec_key *home = &all->keys[0];
    home->q[0] = 0.1;
    home->v = FF_ARENA_NEW(&all->arena, double, 2);
    home->v[1] = -3.0;
    home->nv = 2;
    home->command = FF_ARENA_NEW(&all->arena, double, 2);
    home->command[0] = 0.7;
    home->ncommand = 2;
    CHECK_INT(ff_spec_attach(all, other, "", 0, here, none, &report), FF_OK);
    CHECK_INT(ff_spec_attach(all, other, "again_", -1, here, none, &report), FF_OK);
    CHECK_INT(report.count, 0);
    ff_model *m = compiled(all);
    CHECK(m);
    const ff_key *key = &m->keys[ff_model_find_key(m, "home")];
    const struct {
        const char *joint;
        double q, v;
    } stand[] = {{"shoulder", 0.1, 0.0},
                 {"elbow", 0.6, -3.0},
                 {"rail", 0.0, 0.0},
                 {"turntable", 0.25, 0.0},
                 {"again_turntable", 0.25, 0.0}};
    for (size_t i = 0; i < sizeof stand / sizeof stand[0]; i++) {
        const ff_joint *joint = &m->joints[ff_model_find_joint(m, stand[i].joint)];
        CHECK_NEAR(key->q[joint->qadr], stand[i].q, 0);
        CHECK_NEAR(key->v[joint->vadr], stand[i].v, 0);
    }
    CHECK_NEAR(key->command[0], 0.7, 0);
    ff_model_destroy(m);
    ff_spec_destroy(all);
    ff_spec_destroy(other);
    ff_report_clear(&report);
}

/// Coordinates of free bodies are in world axes: keyframes of a description placed elsewhere change with it.
TEST(keyframes_of_free_bodies_are_displaced_with_them)
{
    ff_spec *all = ff_spec_create(NULL), *other = ff_spec_create(NULL);
    ff_report report = {0};
    double quat[4], at[3] = {0.3, 0.1, 0.9}, facing[4];
    turned(quat);
    ff_quat_from_rpy(facing, (const double[3]){0.2, -0.4, 0.5});
    joint_of(other, "root", solid_body(other, "ball", -1), FF_JOINT_FREE);
    ff_spec_key *key = ff_spec_add_key(other, "aloft");
    key->q = FF_ARENA_NEW(&other->arena, double, 7);
    ff_vec3_copy(key->q, at);
    ff_quat_copy(key->q + 3, facing);
    key->nq = 7;
    CHECK_INT(ff_spec_attach(all, other, "", -1, away, quat, &report), FF_OK);
    const route moved =
        route_step((route){{away[0], away[1], away[2]}, {quat[0], quat[1], quat[2], quat[3]}}, at, facing);
    CHECK_INT(all->nkey, 1);
    for (int i = 0; i < 3; i++) CHECK_NEAR(all->keys[0].q[i], moved.p[i], 1e-15);
    for (int i = 0; i < 4; i++) CHECK_NEAR(all->keys[0].q[3 + i], moved.q[i], 1e-15);
    for (int i = 0; i < 3; i++) CHECK_NEAR(other->keys[0].q[i], at[i], 0); // untouched
    ff_spec_destroy(all);
    ff_spec_destroy(other);
    ff_report_clear(&report);
}

/// Parents that make no tree are reported by the compiler alone, with or without keyframes.
TEST(keyframes_of_bodies_that_make_no_tree_are_unchanged)
{
    ff_spec *all = arm(), *other = cart();
    const double here[3] = {0}, none[4] = {1, 0, 0, 0};
    ff_report report = {0};
    all->bodies[1].parent = 7;
    all->joints[0].body = -3;
    CHECK_INT(ff_spec_attach(all, other, "", -1, here, none, &report), FF_OK);
    CHECK(!ff_model_compile(all, NULL, &report));
    CHECK_INT(all->keys[0].nq, 2);
    ff_spec_destroy(all);
    ff_spec_destroy(other);
    ff_report_clear(&report);
}

TEST(impossible_attachments_are_refused)
{
    ff_spec *all = cart(), *other = arm();
    const double here[3] = {0}, none[4] = {1, 0, 0, 0};
    ff_report report = {0};
    CHECK_INT(ff_spec_attach(all, other, "", 1, here, none, &report), FF_BAD_ARGUMENT);
    CHECK_TEXT(report.messages[0].text, "cannot attach to body number 1 of 1");
    CHECK_INT(ff_spec_attach(all, all, "b_", -1, here, none, &report), FF_BAD_ARGUMENT);
    CHECK_TEXT(report.messages[1].text, "cannot attach a description to itself");
    CHECK_INT(all->nbody, 1);
    // equal names are found by the compiler
    CHECK_INT(ff_spec_attach(all, other, "", 0, here, none, &report), FF_OK);
    CHECK_INT(ff_spec_attach(all, other, "", 0, here, none, &report), FF_OK);
    CHECK(!ff_model_compile(all, NULL, &report));
    ff_report_clear(&report);
    ff_spec_destroy(all);
    ff_spec_destroy(other);
}

TEST(rules_for_masses_hold_for_the_robot_that_brings_them)
{
    // two balls scaled to 3 kg together, of which one lies in a group that does not count, beside a robot of 1 kg
    const double here[3] = {0}, none[4] = {1, 0, 0, 0};
    ff_spec *all = ff_spec_create(NULL), *other = ff_spec_create(NULL);
    ff_spec_body *own = ff_spec_add_body(all, "own", -1);
    own->has_inertial = true;
    own->mass = 1.0;
    for (int i = 0; i < 3; i++) own->inertia[i] = 0.1;
    ff_spec_add_joint(all, "own", 0, FF_JOINT_FREE);
    for (int i = 0; i < 2; i++) {
        ff_spec_body *body = ff_spec_add_body(other, i ? "b" : "a", i - 1);
        body->inertia_from_geoms = true;
        ff_spec_add_joint(other, i ? "b" : "a", i, i ? FF_JOINT_HINGE : FF_JOINT_FREE);
        for (int group = 0; group < 2; group++) {
            ff_spec_geom *geom = ff_spec_add_geom(other, NULL, i, FF_SHAPE_SPHERE);
            geom->size[0] = 0.1 * (1 + i);
            geom->group = group;
        }
    }
    other->inertia_group[1] = 0;
    other->total_mass = 3.0;
    for (int k = 0; k < 2; k++) CHECK_INT(ff_spec_attach(all, other, k ? "y_" : "x_", -1, here, none, NULL), FF_OK);
    ff_model *m = ff_model_compile(all, NULL, NULL);
    CHECK(m);
    CHECK_NEAR(m->mass, 7.0, 1e-14);
    // volumes are as 1 to 8; a solid ball has 2/5 m r^2
    CHECK_NEAR(m->bodies[ff_model_find_body(m, "x_a")].mass, 3.0 / 9.0, 1e-15);
    CHECK_NEAR(m->bodies[ff_model_find_body(m, "y_b")].mass, 24.0 / 9.0, 1e-15);
    CHECK_NEAR(m->bodies[ff_model_find_body(m, "y_b")].inertia[0], 0.4 * 24.0 / 9.0 * 0.04, 1e-15);
    ff_model_destroy(m);
    ff_spec_destroy(all);
    ff_spec_destroy(other);
}
