// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// MJCF: what each element becomes in the description. Expected numbers are worked out by hand from the meaning of the
// format; tests/physics/dyn/test_referee.c compares whole robots with MuJoCo. Settings, bodies, masses and shapes are
// here, the rest is in test_mjcf_other.c.
#include "mjcf/mjcf_text.h"

// ------------------------------------------------------------------------------------------ settings

TEST(angles_are_degrees_unless_the_compiler_says_radian)
{
    need("<mujoco><worldbody><body>" POINT
         "<joint ref='90' range='-180 45' springref='30'/></body></worldbody></mujoco>");
    const double range[2] = {-FF_PI, FF_PI / 4};
    CHECK_NEAR(spec->joints[0].ref, FF_PI / 2, 1e-15);
    CHECK_NEAR(spec->joints[0].spring_ref, FF_PI / 6, 1e-15);
    check_vector(spec->joints[0].range, range, 2);
    need("<mujoco><compiler angle='radian'/><worldbody><body>" POINT "<joint ref='0.5'/></body></worldbody></mujoco>");
    CHECK_NEAR(spec->joints[0].ref, 0.5, 0);
}

TEST(slides_are_in_metres_whatever_the_unit_of_angles)
{
    need("<mujoco><worldbody><body>" POINT
         "<joint type='slide' ref='0.5' range='-1 2' springref='3'/></body></worldbody>"
         "</mujoco>");
    const double range[2] = {-1, 2};
    check_vector(spec->joints[0].range, range, 2);
    CHECK_NEAR(spec->joints[0].ref, 0.5, 0);
    CHECK_NEAR(spec->joints[0].spring_ref, 3, 0);
}

TEST(later_compiler_elements_add_to_earlier_ones)
{
    need("<mujoco><compiler angle='radian' boundmass='0.1'/><compiler boundinertia='0.2' settotalmass='5'/>"
         "<compiler balanceinertia='true' inertiagrouprange='1 2'/>"
         "<worldbody><body euler='1 0 0'/></worldbody></mujoco>");
    CHECK_NEAR(spec->bound_mass, 0.1, 0);
    CHECK_NEAR(spec->bound_inertia, 0.2, 0);
    CHECK_NEAR(spec->total_mass, 5, 0);
    CHECK(spec->balance_inertia);
    CHECK_INT(spec->inertia_group[0], 1);
    CHECK_INT(spec->inertia_group[1], 2);
    check_rotation(spec->bodies[0].quat, cos(0.5), sin(0.5), 0, 0);
}

TEST(settings_hold_also_for_what_stands_above_them)
{
    need("<mujoco><worldbody><body euler='1 0 0'/></worldbody><compiler angle='radian'/></mujoco>");
    check_rotation(spec->bodies[0].quat, cos(0.5), sin(0.5), 0, 0);
}

TEST(gravity_comes_from_option_and_its_flag)
{
    const double given[3] = {1, 2, -3}, none[3] = {0, 0, 0};
    need("<mujoco model='x'><option gravity='1 2 -3' timestep='0.01'/></mujoco>");
    check_vector(spec->gravity, given, 3);
    CHECK_TEXT(spec->name, "x");
    CHECK_INT(ignored("'timestep' of <option>")->place.line, 1);
    need("<mujoco><option><flag gravity='disable'/></option></mujoco>");
    check_vector(spec->gravity, none, 3);
}

TEST(limits_follow_autolimits)
{
    const char *joints =
        "<worldbody><body>" POINT "<joint range='-1 1'/><joint axis='1 0 0' range='-1 1' limited='false'/>"
        "<joint axis='0 1 0'/></body></worldbody></mujoco>";
    char text[1000];
    snprintf(text, sizeof text, "<mujoco>%s", joints);
    need(text);
    CHECK(spec->joints[0].limited && !spec->joints[1].limited && !spec->joints[2].limited);
    snprintf(text, sizeof text, "<mujoco><compiler autolimits='false'/>%s", joints);
    need(text);
    CHECK(!spec->joints[0].limited);
}

// ------------------------------------------------------------------------------------------ orientations

TEST(every_form_of_orientation)
{
    need("<mujoco><worldbody><body quat='0 0 3 0'/><body axisangle='0 0 2 90'/><body xyaxes='0 1 0 -1 5 0'/>"
         "<body zaxis='1 0 0'/><body zaxis='0 0 -2'/><body euler='90 90 0'/></worldbody></mujoco>");
    const double r = sqrt(0.5);
    check_rotation(spec->bodies[0].quat, 0, 0, 1, 0);
    check_rotation(spec->bodies[1].quat, r, 0, 0, r);
    check_rotation(spec->bodies[2].quat, r, 0, 0, r); // y is made normal to x
    check_rotation(spec->bodies[3].quat, r, 0, r, 0);
    check_rotation(spec->bodies[4].quat, 0, 1, 0, 0);
    check_rotation(spec->bodies[5].quat, 0.5, 0.5, 0.5, 0.5); // about x, then about the new y
}

TEST(capitals_of_eulerseq_turn_about_fixed_axes)
{
    need("<mujoco><compiler eulerseq='XYZ'/><worldbody><body euler='90 90 0'/></worldbody></mujoco>");
    check_rotation(spec->bodies[0].quat, 0.5, 0.5, 0.5, -0.5); // about x, then about the old y
    need("<mujoco><compiler eulerseq='zyx'/><worldbody><body euler='90 0 90'/></worldbody></mujoco>");
    check_rotation(spec->bodies[0].quat, 0.5, 0.5, 0.5, 0.5); // about z, then about the new x
}

TEST(frames_move_what_is_inside_them)
{
    need("<mujoco><default><default class='c'><geom size='2'/></default></default><worldbody>"
         "<frame pos='1 0 0' euler='0 0 90'><frame pos='1 0 0'>"
         "<body name='b' pos='1 0 0'><freejoint/>" POINT "</body><geom class='c' pos='0 1 0'/></frame></frame>"
         "<body name='d'>" POINT
         "<frame euler='0 0 90' childclass='c'><joint axis='1 0 0' pos='1 0 0'/><site pos='0 0 1'/>"
         "<geom/></frame></body></worldbody></mujoco>");
    const double b[3] = {1, 2, 0}, g[3] = {0, 1, 0}, axis[3] = {0, 1, 0}, up[3] = {0, 0, 1};
    check_vector(spec->bodies[0].pos, b, 3);
    check_rotation(spec->bodies[0].quat, 1, 0, 0, 1);
    check_vector(spec->geoms[0].pos, g, 3);
    check_vector(spec->joints[1].axis, axis, 3);
    check_vector(spec->joints[1].pos, axis, 3);
    check_vector(spec->frames[0].pos, up, 3);
    CHECK_NEAR(spec->geoms[1].size[0], 2, 0);
}

// ------------------------------------------------------------------------------------------ bodies and joints

TEST(joints_of_a_parent_come_before_those_of_its_children)
{
    need("<mujoco><worldbody><body name='a'>" POINT "<body name='b'>" POINT "<joint name='second'/></body>"
         "<joint name='first'/></body><body name='c'/></worldbody></mujoco>");
    CHECK_TEXT(spec->joints[0].name, "first");
    CHECK_TEXT(spec->joints[1].name, "second");
    CHECK_INT(spec->joints[1].body, 1);
    CHECK_INT(spec->bodies[1].parent, 0);
    CHECK_INT(spec->bodies[2].parent, -1);
}

TEST(joint_attributes_map_one_to_one)
{
    need("<mujoco><worldbody><body>" POINT
         "<joint name='j' type='slide' pos='1 2 3' axis='0 3 4' stiffness='5' damping='6'"
         " armature='7' frictionloss='8' actuatorfrcrange='-2 9'/></body></worldbody></mujoco>");
    const ff_spec_joint *j = &spec->joints[0];
    const double pos[3] = {1, 2, 3}, axis[3] = {0, 0.6, 0.8};
    CHECK_INT(j->type, FF_JOINT_SLIDE);
    check_vector(j->pos, pos, 3);
    check_vector(j->axis, axis, 3);
    CHECK_NEAR(j->stiffness, 5, 0);
    CHECK_NEAR(j->damping, 6, 0);
    CHECK_NEAR(j->armature, 7, 0);
    CHECK_NEAR(j->dry_friction, 8, 0);
    CHECK_NEAR(j->effort, 9, 0);
}

TEST(freejoint_takes_nothing_from_its_class_a_free_joint_does)
{
    need("<mujoco><default><joint armature='3'/></default><worldbody><body>" POINT "<freejoint/></body>"
         "<body>" POINT "<joint type='free'/></body></worldbody></mujoco>");
    CHECK_NEAR(spec->joints[0].armature, 0, 0);
    CHECK_NEAR(spec->joints[1].armature, 3, 0);
    CHECK_INT(spec->joints[1].type, FF_JOINT_FREE);
}

TEST(nameless_things_get_names_nobody_uses)
{
    need("<mujoco><worldbody><body>" POINT "<joint/><body name='body_1'>" POINT
         "<joint/></body></body></worldbody></mujoco>");
    CHECK_TEXT(spec->bodies[0].name, "body_2");
    CHECK_TEXT(spec->bodies[1].name, "body_1");
    CHECK_TEXT(spec->joints[0].name, "joint_1");
    CHECK_TEXT(spec->joints[1].name, "joint_2");
}

TEST(ten_thousand_bodies_side_by_side_and_a_deep_chain_load)
{
    const int n = 10000, depth = 900;
    char *text = malloc(200 * (size_t)n), *at = text;
    CHECK(text != NULL);
    at += sprintf(at, "<mujoco><worldbody>");
    for (int i = 0; i < n; i++) at += sprintf(at, "<body name='b%d'>" POINT "<joint/></body>", i);
    for (int i = 0; i < depth; i++) at += sprintf(at, "<body pos='0 0 1'><frame>" POINT "<joint/>");
    for (int i = 0; i < depth; i++) at += sprintf(at, "</frame></body>");
    sprintf(at, "</worldbody></mujoco>");
    ff_status status = parse(text);
    free(text);
    CHECK_INT(status, FF_OK);
    CHECK_INT(spec->nbody, n + depth);
    CHECK_INT(spec->bodies[n + depth - 1].parent, n + depth - 2);
}

// ------------------------------------------------------------------------------------------ masses

TEST(every_form_of_inertial)
{
    need("<mujoco><worldbody><body><inertial pos='1 2 3' mass='4' diaginertia='5 6 7' euler='0 0 90'/></body>"
         "<body><inertial pos='0 0 0' mass='1' fullinertia='2 3 4 0.5 0 0'/></body></worldbody></mujoco>");
    const double com[3] = {1, 2, 3}, moments[6] = {5, 6, 7, 0, 0, 0};
    CHECK_NEAR(spec->bodies[0].mass, 4, 0);
    check_vector(spec->bodies[0].com, com, 3);
    check_vector(spec->bodies[0].inertia, moments, 6);
    check_rotation(spec->bodies[0].inertia_quat, 1, 0, 0, 1);
    // moments of [[2, 1/2], [1/2, 3]]: (5 +- sqrt 2)/2, the largest of the three first; turned back: the tensor again
    double R[9], tensor = 0;
    ff_quat_to_mat3(R, spec->bodies[1].inertia_quat);
    for (int k = 0; k < 3; k++) tensor += R[k] * R[3 + k] * spec->bodies[1].inertia[k];
    CHECK_NEAR(tensor, 0.5, 1e-12);
    CHECK_NEAR(spec->bodies[1].inertia[0], 4, 0);
    CHECK_NEAR(spec->bodies[1].inertia[1], (5 + sqrt(2)) / 2, 1e-12);
    CHECK_NEAR(spec->bodies[1].inertia[2], (5 - sqrt(2)) / 2, 1e-12);
}

TEST(a_full_inertia_keeps_its_trace_and_all_but_a_millionth_of_itself)
{
    const double full[6] = {0.03, 0.04, 0.05, 0.004, -0.006, 0.003};
    need("<mujoco><worldbody><body><inertial pos='0 0 0' mass='1' fullinertia='0.03 0.04 0.05 0.004 -0.006 "
         "0.003'/></body>"
         "</worldbody></mujoco>");
    const double *moment = spec->bodies[0].inertia;
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    double R[9];
    ff_quat_to_mat3(R, spec->bodies[0].inertia_quat);
    CHECK_NEAR(moment[0] + moment[1] + moment[2], 0.12, 1e-15);
    for (int p = 0; p < 6; p++) {
        double entry = 0;
        for (int k = 0; k < 3; k++) entry += R[3 * pair[p][0] + k] * moment[k] * R[3 * pair[p][1] + k];
        CHECK_NEAR(entry, full[p],
                   1.5e-6 * 0.02); // rotations below 1.4e-6 rad are not made; the moments differ by 0.02
    }
}

static bool from_geoms(const char *rule, const char *inside)
{
    char text[1000];
    snprintf(text, sizeof text,
             "<mujoco><compiler inertiafromgeom='%s'/><worldbody><body>%s</body></worldbody></mujoco>", rule, inside);
    need(text);
    return spec->bodies[0].inertia_from_geoms;
}

TEST(inertiafromgeom_decides_where_mass_comes_from)
{
    CHECK(from_geoms("auto", "<geom size='1'/>"));
    CHECK(!from_geoms("auto", POINT "<geom size='1'/>"));
    CHECK(from_geoms("true", POINT "<geom size='1'/>"));
    CHECK(!from_geoms("true", POINT)); // nothing to take it from
    CHECK(!from_geoms("false", "<geom size='1'/>"));
}

TEST(discarded_visual_geoms_give_no_mass)
{
    need("<mujoco><compiler discardvisual='true'/><worldbody><body><freejoint/><geom size='1' mass='2'/>"
         "<geom size='1' mass='3' contype='0' conaffinity='0'/></body></worldbody></mujoco>");
    ff_model *model = ff_model_compile(spec, NULL, &report);
    CHECK(model != NULL);
    CHECK_NEAR(model->mass, 2, 1e-15);
    CHECK_INT(model->ngeom, 2);
    ff_model_destroy(model);
}

TEST(mass_of_primitives_is_density_times_volume)
{
    ff_model *model = load(ROBOTS "shapes.xml");
    CHECK_NEAR(model->bodies[ff_model_find_body(model, "sphere")].mass, 1000 * 4.0 / 3 * FF_PI * pow(0.11, 3), 1e-12);
    CHECK_NEAR(model->bodies[ff_model_find_body(model, "capsule")].mass,
               850 * FF_PI * 0.04 * 0.04 * (0.24 + 4.0 / 3 * 0.04), 1e-12);
    CHECK_NEAR(model->bodies[ff_model_find_body(model, "capsule_fromto")].mass, 0.6, 1e-15);
    CHECK_NEAR(model->bodies[ff_model_find_body(model, "cylinder_fromto")].mass, 1000 * FF_PI * 0.02 * 0.02 * 0.3,
               1e-12);
    CHECK_NEAR(model->bodies[ff_model_find_body(model, "box_fromto")].mass, 1000 * 0.04 * 0.04 * sqrt(0.14), 1e-12);
    CHECK_NEAR(model->bodies[ff_model_find_body(model, "ellipsoid")].mass, 1000 * 4.0 / 3 * FF_PI * 0.05 * 0.1 * 0.03,
               1e-12);
    ff_model_destroy(model);
}

TEST(total_mass_is_set_over_all_bodies)
{
    ff_model *model = load(ROBOTS "total_mass.xml");
    double sum = 0;
    for (int i = 0; i < model->nbody; i++) sum += model->bodies[i].mass;
    CHECK_NEAR(sum, 25, 1e-13);
    ff_model_destroy(model);
}

// ------------------------------------------------------------------------------------------ geoms and meshes

TEST(fromto_gives_the_middle_the_direction_and_the_half_length)
{
    need("<mujoco><worldbody><geom type='capsule' size='0.1' fromto='1 0 0 1 4 0'/>"
         "<geom type='box' size='0.1 9 9' fromto='0 0 0 0 0 2'/></worldbody></mujoco>");
    const double middle[3] = {1, 2, 0}, box[3] = {0.1, 0.1, 1};
    double z[3] = {0, 0, 1}, along[3];
    check_vector(spec->geoms[0].pos, middle, 3);
    CHECK_NEAR(spec->geoms[0].size[1], 2, 1e-15);
    ff_quat_rotate(along, spec->geoms[0].quat, z);
    CHECK_NEAR(fabs(along[1]), 1, 1e-15);
    check_vector(spec->geoms[1].size, box, 3);
    CHECK_INT(spec->geoms[0].body, -1);
}

TEST(classes_nest_and_elements_overwrite_number_by_number)
{
    need("<mujoco><default><geom size='1 2 3' friction='0.7'/><default class='a'><geom type='box' rgba='1 0 0 1'/>"
         "<default class='b'><geom size='5'/></default></default></default><worldbody>"
         "<body childclass='a'><geom/><body><geom class='b' group='3'/><body childclass='b'><geom "
         "class='main'/></body></body>"
         "</body></worldbody></mujoco>");
    const double one[3] = {1, 2, 3}, two[3] = {5, 2, 3}, friction[3] = {0.7, 0.005, 0.0001};
    CHECK_INT(spec->geoms[0].type, FF_SHAPE_BOX);
    check_vector(spec->geoms[0].size, one, 3);
    check_vector(spec->geoms[0].friction, friction, 3);
    CHECK_INT(spec->geoms[1].type, FF_SHAPE_BOX);
    check_vector(spec->geoms[1].size, two, 3);
    CHECK_NEAR(spec->geoms[1].rgba[1], 0, 0);
    CHECK_INT(spec->geoms[1].group, 3);
    CHECK_INT(spec->geoms[2].type, FF_SHAPE_SPHERE);
}

TEST(materials_colour_geoms_that_have_no_colour_of_their_own)
{
    need("<mujoco><asset><material name='m' rgba='0.1 0.2 0.3 0.4'/></asset><worldbody><geom size='1' material='m'/>"
         "<geom size='1' material='m' rgba='1 1 1 1' contype='0' conaffinity='0'/>"
         "<geom size='1' group='3'/></worldbody></mujoco>");
    CHECK_NEAR(spec->geoms[0].rgba[2], 0.3, 0);
    CHECK_NEAR(spec->geoms[1].rgba[2], 1, 0);
    CHECK_INT(spec->geoms[2].role, FF_GEOM_COLLISION); // MuJoCo shows groups up to 2 by itself
    CHECK_INT(spec->geoms[0].role, FF_GEOM_BOTH);
    CHECK_INT(spec->geoms[1].role, FF_GEOM_VISUAL);
}

TEST(inline_meshes_are_moved_turned_and_scaled)
{
    need("<mujoco><asset><mesh name='m' vertex='1 0 0 2 0 0 1 1 0 1 0 1' refpos='1 0 0' refquat='0 0 0 1' scale='2 3 "
         "4'/>"
         "</asset></mujoco>");
    double low[3], high[3];
    const double expected_low[3] = {-2, -3, 0}, expected_high[3] = {0, 0, 4};
    CHECK(spec->meshes[0].data != NULL);
    ff_mesh_bounds(spec->meshes[0].data, low, high);
    check_vector(low, expected_low, 3);
    check_vector(high, expected_high, 3);
}

TEST(mujocos_own_mesh_format_is_read)
{
    char path[] = "/tmp/footfall-XXXXXX.msh", text[300];
    const int32_t count[4] = {4, 0, 0, 4}, faces[12] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};
    const float vertices[12] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
    int file = mkstemps(path, 4);
    CHECK(file >= 0);
    bool written = write(file, count, sizeof count) == (ssize_t)sizeof count &&
                   write(file, vertices, sizeof vertices) == (ssize_t)sizeof vertices &&
                   write(file, faces, sizeof faces) == (ssize_t)sizeof faces;
    close(file);
    snprintf(text, sizeof text, "<mujoco><asset><mesh name='m' file='%s' inertia='exact'/></asset></mujoco>", path);
    ff_status status = written ? parse(text) : FF_BAD_FILE;
    unlink(path);
    CHECK_INT(status, FF_OK);
    CHECK(spec->meshes[0].data != NULL);
    ff_inertia inertia;
    ff_error err = {0};
    CHECK_INT(ff_mesh_inertia(spec->meshes[0].data, FF_FILL_EXACT, 1.0, &inertia, &err), FF_OK);
    CHECK_NEAR(inertia.mass, 1, 1e-15); // 1 * 2 * 3 / 6
}

TEST(a_missing_mesh_is_reported_and_costs_no_mass_that_was_given)
{
    need("<mujoco><compiler meshdir='nowhere'/><asset><mesh file='sub/part.stl'/></asset><worldbody><body>" POINT
         "<freejoint/><geom type='mesh' mesh='part'/></body></worldbody></mujoco>");
    CHECK_INT(report.warnings, 1);
    CHECK_SAYS(report.messages[0].text, "nowhere/sub/part.stl");
    CHECK(!spec->meshes[0].data);
    CHECK_SAYS(spec->meshes[0].problem, "no file");
    ff_model *model = ff_model_compile(spec, NULL, &report);
    CHECK(model != NULL);
    ff_model_destroy(model);
}

TEST(mass_from_a_missing_mesh_is_an_error)
{
    need("<mujoco><asset><mesh file='part.stl'/></asset><worldbody>\n<body><freejoint/>\n<geom type='mesh' "
         "mesh='part'/></body>"
         "</worldbody></mujoco>");
    CHECK(!ff_model_compile(spec, NULL, &report));
    CHECK_SAYS(report.messages[report.count - 1].text, "there is no file");
    CHECK_INT(report.messages[report.count - 1].line, 3);
}

TEST(a_primitive_is_fitted_to_a_mesh)
{
    // a box is its own box of equal inertia, the longest side along z
    need("<mujoco><asset><mesh name='m' vertex='-1 -2 -3 1 -2 -3 1 2 -3 -1 2 -3 -1 -2 3 1 -2 3 1 2 3 -1 2 3'/></asset>"
         "<worldbody><geom type='box' mesh='m'/><geom mesh='m'/><geom type='cylinder' mesh='m' "
         "fitscale='2'/></worldbody>"
         "</mujoco>");
    const double box[3] = {1, 2, 3};
    for (int i = 0; i < 3; i++) CHECK_NEAR(spec->geoms[0].size[i], box[i], 1e-12);
    CHECK_NEAR(spec->geoms[1].size[0], 2, 1e-12);
    CHECK_NEAR(spec->geoms[2].size[0], 3, 1e-12);
    CHECK_NEAR(spec->geoms[2].size[1], 6, 1e-12);
}

// With fitaabb the primitive holds every vertex. A spike 7 m up the axis of a box lengthens the capsule by its own cap,
// which the corners of the box do not fill.
TEST(a_primitive_can_hold_all_of_a_mesh)
{
    need("<mujoco><compiler fitaabb='true'/><asset><mesh name='m' "
         "vertex='-1 -2 -3 1 -2 -3 1 2 -3 -1 2 -3 -1 -2 3 1 -2 3 1 2 3 -1 2 3 0 0 7 0 0 -7'/></asset><worldbody>"
         "<geom mesh='m'/><geom type='cylinder' mesh='m'/><geom type='capsule' mesh='m'/><geom type='box' mesh='m'/>"
         "</worldbody></mujoco>");
    const double radius = sqrt(1.0 + 4.0);
    CHECK_NEAR(spec->geoms[0].size[0], 7, 1e-12);
    CHECK_NEAR(spec->geoms[1].size[0], radius, 1e-12);
    CHECK_NEAR(spec->geoms[1].size[1], 7, 1e-12);
    CHECK_NEAR(spec->geoms[2].size[0], radius, 1e-12);
    CHECK_NEAR(spec->geoms[2].size[1], fmax(3, 7 - radius), 1e-6); // the root of a difference of equal numbers
    CHECK_NEAR(spec->geoms[3].size[2], 7, 1e-12);
}

// ------------------------------------------------------------------------------------------ robots

static void check_robot(const char *path, int nq, int nv, int nbody, double mass)
{
    ff_model *model = load(path);
    CHECK_INT(model->nq, nq);
    CHECK_INT(model->nv, nv);
    CHECK_INT(model->nbody, nbody);
    CHECK_NEAR(model->mass, mass, 1e-9 * mass); // numbers of the file summed
    ff_model_destroy(model);
}

TEST(unitree_a1_loads_with_and_without_its_meshes)
{
    check_robot(SHARED "unitree_a1/a1_nomesh.xml", 19, 18, 13, 12.453);
    check_robot(SHARED "unitree_a1/a1.xml", 19, 18, 13, 12.453);
    CHECK_INT(report.warnings, 5); // one for each mesh that is not there
    check_robot(SHARED "unitree_a1/scene.xml", 19, 18, 13, 12.453);
}

TEST(robotis_op3_loads_with_and_without_its_meshes)
{
    check_robot(SHARED "robotis_op3/op3_nomesh.xml", 27, 26, 21, 3.14747);
    check_robot(SHARED "robotis_op3/op3.xml", 27, 26, 21, 3.14747);
}
