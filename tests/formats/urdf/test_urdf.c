// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the URDF reader makes of good files: every element it reads, where each number goes, what it lists as passed
// over.
#include "urdf/urdf_helpers.h"

#define TWO_LINKS(joint) "<robot name='r'><link name='a'/><link name='b'/>" joint "</robot>"

TEST(numbers_of_links_and_joints_land_in_the_description)
{
    parse_clean("<?xml version='1.0'?>\n"
                "<robot name='arm' version='1.0'>\n"
                "  <link name='base'/>\n"
                "  <joint name='elbow' type='revolute'>\n"
                "    <origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>\n"
                "    <parent link='base'/><child link='tip'/>\n"
                "    <axis xyz='0 0 2'/>\n"
                "    <limit lower='-1' upper='2' effort='30' velocity='4'/>\n"
                "    <dynamics damping='0.5' friction='0.25'/>\n"
                "  </joint>\n"
                "  <link name='tip'>\n"
                "    <inertial><origin xyz='0.1 0.2 0.3' rpy='3.141592653589793 0 0'/><mass value='7'/>\n"
                "      <inertia ixx='1' ixy='0.1' ixz='0.2' iyy='2' iyz='0.3' izz='2.5'/></inertial>\n"
                "  </link>\n"
                "</robot>\n");
    CHECK_TEXT(spec->name, "arm");
    CHECK_INT(spec->nbody, 2);
    CHECK_INT(spec->njoint, 1);
    const ff_spec_body *base = &spec->bodies[0], *tip = &spec->bodies[1];
    CHECK_TEXT(base->name, "base");
    CHECK_INT(base->parent, -1);
    CHECK(!base->has_inertial);
    CHECK_INT(base->place.line, 3);
    CHECK_INT(base->place.column, 3);
    CHECK_INT(tip->parent, 0);
    CHECK_NEAR(tip->pos[1], 2, 0);
    const double eps = 1e-15; // a few roundings of numbers near 1
    CHECK_NEAR(tip->quat[0], sqrt(0.5), eps);
    CHECK_NEAR(tip->quat[3], sqrt(0.5), eps);
    CHECK(tip->has_inertial && !tip->inertia_from_geoms);
    CHECK_NEAR(tip->mass, 7, 0);
    CHECK_NEAR(tip->com[2], 0.3, 0);
    CHECK_NEAR(fabs(tip->inertia_quat[1]), 1, eps); // half a turn about x
    const double expected[6] = {1, 2, 2.5, 0.1, 0.2, 0.3};
    for (int i = 0; i < 6; i++) CHECK_NEAR(tip->inertia[i], expected[i], 0);
    const ff_spec_joint *elbow = &spec->joints[0];
    CHECK_TEXT(elbow->name, "elbow");
    CHECK_INT(elbow->type, FF_JOINT_HINGE);
    CHECK_INT(elbow->body, 1);
    CHECK_NEAR(elbow->axis[2], 2, 0);
    CHECK(elbow->limited);
    CHECK_NEAR(elbow->range[0], -1, 0);
    CHECK_NEAR(elbow->range[1], 2, 0);
    CHECK_NEAR(elbow->effort, 30, 0);
    CHECK_NEAR(elbow->speed, 4, 0);
    CHECK_NEAR(elbow->damping, 0.5, 0);
    CHECK_NEAR(elbow->dry_friction, 0.25, 0);
    CHECK_INT(elbow->place.line, 4);
    CHECK_INT(spec->nignored, 0);
}

TEST(every_joint_type_is_read)
{
    static const struct {
        const char *word;
        int njoint;
        ff_joint_type type;
        bool limited;
    } cases[] = {
        {"revolute", 1, FF_JOINT_HINGE, true},  {"continuous", 1, FF_JOINT_HINGE, false},
        {"prismatic", 1, FF_JOINT_SLIDE, true}, {"fixed", 0, FF_JOINT_HINGE, false},
        {"floating", 1, FF_JOINT_FREE, false},  {"planar", 1, FF_JOINT_PLANAR, false},
    };
    for (int i = 0; i < 6; i++) {
        char text[512];
        snprintf(
            text, sizeof text,
            TWO_LINKS(
                "<joint name='j' type='%s'><parent link='a'/><child link='b'/><limit lower='-1' upper='1'/></joint>"),
            cases[i].word);
        parse_clean(text);
        CHECK_INT(spec->njoint, cases[i].njoint);
        CHECK_INT(spec->nbody, 2);
        if (cases[i].njoint == 0) continue;
        CHECK_INT(spec->joints[0].type, cases[i].type);
        CHECK_INT(spec->joints[0].limited, cases[i].limited);
        if (cases[i].type != FF_JOINT_FREE) CHECK_NEAR(spec->joints[0].axis[0], 1, 0); // URDF's default axis is x
    }
}

TEST(links_come_depth_first_in_the_order_of_the_joints)
{
    // links and joints are shuffled; the joints under "trunk" name "right" before "left"
    parse_clean("<robot name='r'><link name='foot'/><link name='left'/><link name='trunk'/><link name='right'/>"
                "<joint name='ankle' type='fixed'><parent link='right'/><child link='foot'/></joint>"
                "<joint name='hip_r' type='fixed'><parent link='trunk'/><child link='right'/></joint>"
                "<joint name='hip_l' type='fixed'><parent link='trunk'/><child link='left'/></joint></robot>");
    static const char *const order[] = {"trunk", "right", "foot", "left"};
    static const int parents[] = {-1, 0, 1, 0};
    CHECK_INT(spec->nbody, 4);
    for (int i = 0; i < 4; i++) {
        CHECK_TEXT(spec->bodies[i].name, order[i]);
        CHECK_INT(spec->bodies[i].parent, parents[i]);
    }
}

TEST(a_floating_root_is_joint_zero)
{
    ff_load_options options = ff_load_options_default();
    options.floating = true;
    CHECK_INT(
        parse_with(
            TWO_LINKS("<joint name='floating_base' type='continuous'><parent link='a'/><child link='b'/></joint>"),
            &options),
        FF_OK);
    CHECK_INT(spec->njoint, 2);
    CHECK_INT(spec->joints[0].type, FF_JOINT_FREE);
    CHECK_INT(spec->joints[0].body, 0);
    CHECK_TEXT(spec->joints[0].name, "floating_base_2"); // its usual name is taken
    CHECK_TEXT(spec->joints[1].name, "floating_base");
}

TEST(a_root_named_world_stays_fixed)
{
    ff_load_options options = ff_load_options_default();
    options.floating = true;
    CHECK_INT(parse_with("<robot name='r'><link name='world'/><link name='b'/>"
                         "<joint name='j' type='floating'><parent link='world'/><child link='b'/></joint></robot>",
                         &options),
              FF_OK);
    CHECK_INT(spec->njoint, 1);
    CHECK_TEXT(spec->joints[0].name, "j");
    check_message(FF_NOTE, 1, 17, "stays fixed");
}

TEST(mimic_keeps_its_gain_and_offset)
{
    parse_clean("<robot name='r'><link name='a'/><link name='b'/><link name='c'/>"
                "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>"
                "<mimic joint='k' multiplier='-2' offset='0.5'/></joint>"
                "<joint name='k' type='continuous'><parent link='a'/><child link='c'/></joint></robot>");
    CHECK_TEXT(spec->joints[0].mimic, "k");
    CHECK_NEAR(spec->joints[0].mimic_gain, -2, 0);
    CHECK_NEAR(spec->joints[0].mimic_offset, 0.5, 0);
    CHECK(!spec->joints[1].mimic);
}

TEST(shapes_become_half_sizes_with_their_place_and_role)
{
    parse_clean("<robot name='r'><link name='a'>\n"
                "<visual name='v'><origin xyz='0 0 1'/><geometry><box size='2 4 6'/></geometry></visual>\n"
                "<collision><geometry><cylinder radius='0.5' length='3'/></geometry></collision>\n"
                "<collision><origin quat_xyzw='0 0 2 0'/><geometry><sphere radius='0.25'/></geometry></collision>\n"
                "<collision><geometry><capsule radius='0.5' length='3'/></geometry></collision>\n"
                "</link></robot>");
    CHECK_INT(spec->ngeom, 4);
    const ff_spec_geom *g = spec->geoms;
    CHECK_TEXT(g[0].name, "v");
    CHECK_INT(g[0].type, FF_SHAPE_BOX);
    for (int i = 0; i < 3; i++) CHECK_NEAR(g[0].size[i], i + 1, 0);
    CHECK_NEAR(g[0].pos[2], 1, 0);
    CHECK_INT(g[0].role, FF_GEOM_VISUAL);
    CHECK_INT(g[0].contype | g[0].conaffinity, 0);
    CHECK(!g[1].name);
    CHECK_INT(g[1].type, FF_SHAPE_CYLINDER);
    CHECK_NEAR(g[1].size[0], 0.5, 0);
    CHECK_NEAR(g[1].size[1], 1.5, 0);
    CHECK_INT(g[1].role, FF_GEOM_COLLISION);
    CHECK_INT(g[1].place.line, 3);
    CHECK_INT(g[2].type, FF_SHAPE_SPHERE);
    CHECK_NEAR(g[2].quat[3], 1, 0); // half a turn about z, normalised
    CHECK_INT(g[3].type, FF_SHAPE_CAPSULE);
    for (int i = 0; i < 4; i++) CHECK(!g[i].gives_mass);
}

TEST(colours_are_found_by_name_wherever_they_are_defined)
{
    parse_clean(
        "<robot name='r'>"
        "<link name='a'>"
        "<visual><geometry><sphere radius='1'/></geometry><material name='late'/></visual>"
        "<visual><geometry><sphere radius='1'/></geometry><material name='own'><color rgba='0 1 0 "
        "0.5'/></material></visual>"
        "<visual><geometry><sphere radius='1'/></geometry><material name='own'/></visual>"
        "<visual><geometry><sphere radius='1'/></geometry><material name=''><color rgba='0 0 1 1'/></material></visual>"
        "</link>"
        "<material name='late'><color rgba='1 0.5 0 1'/><texture filename='x.png'/></material></robot>");
    CHECK_NEAR(spec->geoms[0].rgba[1], 0.5, 0);
    CHECK_NEAR(spec->geoms[1].rgba[3], 0.5, 0);
    CHECK_NEAR(spec->geoms[2].rgba[1], 1, 0);
    CHECK_NEAR(spec->geoms[3].rgba[2], 1, 0);
    CHECK_INT(spec->nignored, 1);
    CHECK_SAYS(spec->ignored[0].what, "<texture>");
}

TEST(simple_transmissions_become_motors)
{
    parse_clean(TWO_LINKS(
        "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
        "<limit lower='0' upper='1' effort='50' velocity='1'/></joint>"
        "<transmission name='t'><type>transmission_interface/SimpleTransmission</type><joint name='j'>"
        "<hardwareInterface>EffortJointInterface</hardwareInterface></joint>"
        "<actuator "
        "name='m'><mechanicalReduction>25</mechanicalReduction><motorInertia>1e-6</motorInertia></actuator></"
        "transmission>"
        "<transmission name='old' type='SimpleTransmission'><joint name='j'/>"
        "<mechanicalReduction>-2</mechanicalReduction></transmission>"
        "<transmission name='d'><type>transmission_interface/DifferentialTransmission</type></transmission>"));
    CHECK_INT(spec->nactuator, 2);
    const ff_spec_actuator *m = &spec->actuators[0], *old = &spec->actuators[1];
    CHECK_TEXT(m->name, "m");
    CHECK_TEXT(m->joint, "j");
    CHECK_INT(m->type, FF_ACTUATOR_MOTOR);
    CHECK_NEAR(m->gear, 25, 0);
    CHECK(m->force_limited);
    CHECK_NEAR(m->gear * m->force_range[1], 50, 1e-13); // joint effort = gear * motor torque; one rounding of 50
    CHECK_NEAR(spec->joints[0].armature, 1e-6 * 25 * 25, 1e-18); // rotor gear^2
    CHECK_TEXT(old->name, "old");
    CHECK_NEAR(old->gear, -2, 0);
    CHECK_NEAR(old->force_range[0], -25, 0);
    CHECK_INT(spec->nignored, 1);
    CHECK_TEXT(spec->ignored[0].what, "<transmission> that is not a SimpleTransmission");
}

static bool ignores(const char *what, int count, int line)
{
    for (int i = 0; i < spec->nignored; i++)
        if (strcmp(spec->ignored[i].what, what) == 0)
            return spec->ignored[i].count == count && spec->ignored[i].place.line == line;
    return false;
}

TEST(what_is_not_read_is_listed_once_by_name)
{
    parse_clean("<robot name='r' colour='red'>\n"
                "<link name='a'><contact><mu value='1'/></contact></link>\n"
                "<link name='b'><contact/></link>\n"
                "<gazebo reference='a'><sensor/></gazebo><gazebo/>\n"
                "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>\n"
                "<safety_controller k_velocity='1'/><calibration rising='0'/>\n"
                "<dynamics damping='1' spring='2'/><limit lower='0' upper='0' effort='1'/></joint>\n"
                "</robot>");
    CHECK_INT(spec->nignored, 9);
    CHECK(ignores("<gazebo>", 1, 4));
    CHECK(ignores("<sensor> in <gazebo>", 1, 4));
    CHECK(ignores("<mu> in <contact>", 1, 2));
    CHECK(ignores("<safety_controller> in <joint>", 1, 6));
    CHECK(ignores("<calibration> in <joint>", 1, 6));
    CHECK(ignores("attribute 'spring' of <dynamics>", 1, 7));
    CHECK(ignores("attribute 'colour' of <robot>", 1, 1));
    CHECK(ignores("attribute 'lower' of <limit>", 1, 7)); // means nothing for a continuous joint
    CHECK(ignores("attribute 'upper' of <limit>", 1, 7));
}

TEST(a_missing_mesh_is_a_warning_and_is_read_once)
{
    CHECK_INT(
        parse_with("<robot name='r'><link name='a'>\n"
                   "<visual><geometry><mesh filename='package://nowhere/leg.stl'/></geometry></visual>\n"
                   "<collision><geometry><mesh filename='package://nowhere/leg.stl'/></geometry></collision>\n"
                   "<visual><geometry><mesh filename='package://nowhere/leg.stl' scale='2 2 2'/></geometry></visual>\n"
                   "<visual><geometry><mesh filename='http://x/leg.stl'/></geometry></visual>\n"
                   "</link></robot>",
                   NULL),
        FF_OK);
    CHECK_INT(spec->ngeom, 4);
    CHECK_INT(spec->nmesh, 3);
    CHECK_INT(spec->geoms[0].mesh, spec->geoms[1].mesh);
    CHECK(spec->geoms[2].mesh != spec->geoms[0].mesh);
    CHECK_NEAR(spec->meshes[spec->geoms[2].mesh].scale[0], 2, 0);
    CHECK(!spec->meshes[0].data && spec->meshes[0].problem);
    CHECK_INT(report.warnings, 3);
    CHECK_INT(report.messages[0].line, 2);
    CHECK_INT(report.messages[0].column, 19);
    CHECK_SAYS(report.messages[0].text, "package://nowhere/leg.stl");
    CHECK_SAYS(report.messages[2].text, "only package://");
}

TEST(a_chain_of_ten_thousand_links_is_read)
{
    writer w = {0};
    put(&w, "<robot name='chain'><link name='l%d'/>", 0, 0);
    for (int i = 1; i <= 10000; i++) {
        put(&w, "<link name='l%d'/><joint name='j%d' type='continuous'>", i, i);
        put(&w, "<parent link='l%d'/><child link='l%d'/></joint>", i - 1, i);
    }
    put(&w, "</robot>", 0, 0);
    parse_clean(w.text);
    free(w.text);
    CHECK_INT(spec->nbody, 10001);
    CHECK_INT(spec->bodies[10000].parent, 9999);
    CHECK_TEXT(spec->bodies[10000].name, "l10000");
}

/// Inertia of the moving link of a small robot, about its centre of mass in link axes.
static void compiled_inertia(const char *inertial, double out[6])
{
    char text[1024];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/>%s</inertial></link>"
             "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>",
             inertial);
    parse_clean(text);
    ff_model *model = ff_model_compile(spec, NULL, &report);
    CHECK(model);
    memcpy(out, model->bodies[1].inertia, 6 * sizeof(double));
    ff_model_destroy(model);
}

TEST(a_full_tensor_is_the_same_as_moments_in_a_turned_frame)
{
    // a turn by 30 degrees about z: I' = R diag(3, 2, 4) R', with cos^2 = 3/4, sin^2 = 1/4, sin cos = sqrt(3)/4
    double turned[6], full[6];
    char text[256];
    compiled_inertia("<origin rpy='0 0 0.52359877559829887'/><inertia ixx='3' iyy='2' izz='4'/>", turned);
    snprintf(text, sizeof text, "<inertia ixx='%.17g' iyy='%.17g' izz='4' ixy='%.17g' ixz='0' iyz='0'/>",
             3 * 0.75 + 2 * 0.25, 3 * 0.25 + 2 * 0.75, (3.0 - 2.0) * sqrt(3.0) / 4);
    compiled_inertia(text, full);
    for (int i = 0; i < 6; i++) CHECK_NEAR(turned[i], full[i], 4e-15); // a few roundings of numbers below 4
}

// Mimic joints are made to follow (tests/physics/engine/test_loops.c): compiling them has nothing to warn of.
TEST(mimic_joints_compile_without_a_warning)
{
    static const char body[] = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
    char text[1024];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'/><link name='b'>%s</link><link name='c'>%s</link><link name='d'>%s</link>"
             "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>\n"
             "<joint name='k' type='continuous'><parent link='a'/><child link='c'/><mimic joint='j'/></joint>\n"
             "<joint name='l' type='continuous'><parent link='a'/><child link='d'/><mimic joint='j'/></joint></robot>",
             body, body, body);
    parse_clean(text);
    ff_model *model = ff_model_compile(spec, NULL, &report);
    CHECK(model);
    CHECK_INT(report.warnings, 0);
    CHECK_INT(model->joints[1].mimic, 0);
    CHECK_INT(model->joints[2].mimic, 0);
    ff_model_destroy(model);
}
