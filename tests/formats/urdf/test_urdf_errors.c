// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the URDF reader says about bad files: one message, at the line and column where the mistake is.
#include "urdf/urdf_helpers.h"

// line 1 holds the links, line 2 the joint
#define JOINT(inside)                                                                                                  \
    "<robot name='r'><link name='a'/><link name='b'/>\n"                                                               \
    "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>\n" inside "</joint></robot>"
#define LINK(inside) "<robot name='r'><link name='a'>\n" inside "</link></robot>"
#define LIMIT        "<limit lower='0' upper='1'/>"

TEST(names_must_be_there_and_differ)
{
    check_error("<robot name='r'>\n <link name='a'/>\n  <link name='a'/></robot>", 3, 3, "first is at line 2");
    check_error("<robot name='r'>\n <link/></robot>", 2, 2, "<link> needs an attribute 'name'");
    check_error("<robot name='r'>\n <link name=''/></robot>", 2, 2, "'name' is empty");
    check_error("<robot name='r'><link name='a'/><link name='b'/><link name='c'/>\n"
                "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
                "<joint name='j' type='fixed'><parent link='a'/><child link='c'/></joint></robot>",
                3, 1, "joint \"j\" is defined twice");
    check_error("<robot name='r'></robot>", 1, 1, "no <link>");
    check_error("\n<sdf/>", 2, 1, "starts with <robot>");
}

TEST(joints_must_join_two_links)
{
    check_error("<robot name='r'><link name='base'/>\n<link name='b'/>\n"
                "<joint name='j' type='fixed'>\n <parent link='bse'/><child link='b'/></joint></robot>",
                4, 2, "no link \"bse\" to be its parent (did you mean \"base\"?)");
    check_error("<robot name='r'><link name='a'/>\n<joint name='j' type='fixed'><child link='a'/></joint></robot>", 2,
                1, "joint \"j\" has no <parent link");
    check_error("<robot name='r'><link name='a'/>\n<joint name='j' type='fixed'><parent link='a'/></joint></robot>", 2,
                1, "joint \"j\" has no <child link");
    check_error(
        "<robot name='r'><link name='a'/>\n<joint name='j' type='fixed'><parent link='a'/><child/></joint></robot>", 2,
        48, "<child> needs an attribute 'link'");
}

TEST(links_must_form_one_tree)
{
    check_error("<robot name='r'><link name='a'/><link name='b'/><link name='c'/>\n"
                "<joint name='j' type='fixed'><parent link='a'/><child link='c'/></joint>\n"
                "<joint name='k' type='fixed'><parent link='b'/><child link='c'/></joint></robot>",
                3, 1, "link \"c\" hangs on two joints: \"j\" (line 2) and \"k\"");
    check_error("<robot name='r'>\n<link name='a'/>\n<link name='b'/></robot>", 3, 1, "falls into 2 parts");
    check_error("<robot name='r'><link name='root'/><link name='a'/><link name='b'/>\n"
                "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
                "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint></robot>",
                3, 1, "\"a\" on \"b\" on \"a\"");
    check_error("<robot name='r'><link name='a'/>\n"
                "<joint name='j' type='fixed'><parent link='a'/><child link='a'/></joint></robot>",
                2, 1, "\"a\" on \"a\"");
}

TEST(joint_numbers_must_make_sense)
{
    check_error(JOINT("<limit lower='0.8' upper='0.2'/>"), 3, 1,
                "joint \"j\": lower limit 0.80 rad lies above upper limit 0.20 rad");
    check_error(JOINT("<axis xyz='0 0 0'/>" LIMIT), 3, 1, "axis (0, 0, 0) has no length");
    check_error(JOINT("<axis xyz='1 0'/>" LIMIT), 3, 1, "holds 2 numbers: it needs 3");
    check_error(JOINT("<limit lower='nan' upper='1'/>"), 3, 1, "\"nan\" is not a finite");
    check_error(JOINT("<limit lower='0' upper='1e308'/>"), 3, 1, "1e308 is too large");
    check_error(JOINT("<origin xyz='0 inf 0'/>" LIMIT), 3, 1, "\"inf\"");
    check_error(JOINT(LIMIT "<dynamics damping='-1'/>"), 3, 29, "damping is -1");
    check_error(JOINT("<limit lower='0' upper='1' effort='-5'/>"), 3, 1, "effort is -5");
    check_error(JOINT("<origin quat_xyzw='0 0 0 0'/>" LIMIT), 3, 1, "quat_xyzw");
    check_error("<robot name='r'><link name='a'/><link name='b'/>\n"
                "<joint name='j' type='ball'><parent link='a'/><child link='b'/></joint></robot>",
                2, 1, "\"ball\": it must be one of revolute, continuous");
    check_error("<robot name='r'><link name='a'/><link name='b'/>\n"
                "<joint name='j'><parent link='a'/><child link='b'/></joint></robot>",
                2, 1, "needs an attribute 'type'");
}

TEST(doubtful_joints_are_warnings)
{
    check_warning(JOINT(""), 2, 1, "needs a <limit>; it is left unlimited");
    CHECK(!spec->joints[0].limited);
    check_warning(JOINT("<limit effort='1'/>"), 3, 1, "neither lower nor upper");
    check_warning(JOINT("<limit lower='0.5' upper='0.5'/>"), 3, 1, "cannot move");
    CHECK(spec->joints[0].limited);
    check_warning(JOINT("<limit lower='0' upper='0'/>"), 3, 1, "both limits are 0"); // as CAD exporters write it
    CHECK(!spec->joints[0].limited);
    check_warning(JOINT("<limit lower='0'/>"), 3, 1, "both limits are 0"); // URDF: the other one is 0 as well
    CHECK(!spec->joints[0].limited);
}

TEST(limits_at_infinity_are_none)
{
    parse_clean(JOINT("<limit lower='-inf' upper='Infinity' effort='inf' velocity='-1'/>"));
    CHECK(!spec->joints[0].limited);
    CHECK_NEAR(spec->joints[0].effort, 0, 0);
    CHECK_NEAR(spec->joints[0].speed, 0, 0);
    parse_clean(JOINT("<limit lower='-1e+16' upper=' +1e16 ' effort='1e18' velocity='2'/>"));
    CHECK(!spec->joints[0].limited);
    CHECK_NEAR(spec->joints[0].speed, 2, 0);
    parse_clean(JOINT("<limit lower='-0.5' upper='inf'/>"));
    CHECK(spec->joints[0].limited);
    CHECK_NEAR(spec->joints[0].range[0], -0.5, 0);
    CHECK(spec->joints[0].range[1] >= 1e12);
    check_error(JOINT("<limit lower='inf' upper='1'/>"), 3, 1, "lies above");
}

TEST(mimic_must_end_at_a_free_joint)
{
    check_error(JOINT("<mimic joint='k'/>" LIMIT), 3, 1, "\"k\", which is not in the file");
    check_error(JOINT("<mimic joint='j'/>" LIMIT), 3, 1, "mimics itself");
    check_error(
        "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>\n"
        "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><mimic joint='k'/></joint>\n"
        "<joint name='k' type='continuous'><parent link='a'/><child link='c'/><mimic joint='j'/></joint></robot>",
        2, 1, "leads back");
    check_warning("<robot name='r'><link name='a'/><link name='b'/><link name='c'/>\n"
                  "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>\n<mimic joint='k'/></joint>\n"
                  "<joint name='k' type='fixed'><parent link='a'/><child link='c'/></joint></robot>",
                  3, 1, "does not have exactly one coordinate");
}

TEST(masses_and_shapes_must_make_sense)
{
    check_error(LINK("<inertial><mass value='-1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"), 2, 11,
                "mass is -1 kg");
    check_error(LINK("<inertial><mass value='1'/><inertia ixx='1' izz='1'/></inertial>"), 2, 28, "lacks iyy");
    check_error(LINK("<inertial><inertia ixx='1' iyy='1' izz='1'/></inertial>"), 2, 1, "has no <mass");
    check_error(LINK("<inertial><mass/></inertial>"), 2, 11, "<mass> needs an attribute 'value'");
    check_warning(LINK("<inertial><mass value='1'/></inertial>"), 2, 1, "taken as a point");
    check_error(LINK("<visual/>"), 2, 1, "<visual> has no <geometry>");
    check_error(LINK("<visual><geometry><box size='1 -1 1'/></geometry></visual>"), 2, 19, "negative (-1 m)");
    check_error(LINK("<visual><geometry><sphere/></geometry></visual>"), 2, 19, "<sphere> needs an attribute 'radius'");
    check_error(LINK("<visual><geometry><mesh filename='x.stl' scale='0 1 1'/></geometry></visual>"), 2, 19, "flat");
    check_error(LINK("<visual><geometry><mesh filename='x.stl' scale='1 1'/></geometry></visual>"), 2, 19, "1 or 3");
    check_warning(LINK("<visual><geometry><sphere radius='0'/></geometry></visual>"), 2, 19, "left out");
    CHECK_INT(spec->ngeom, 0);
    check_warning(LINK("<visual><geometry><torus/></geometry></visual>"), 2, 9, "no shape that is read");
    check_warning(LINK("<visual><geometry><sphere radius='1'/></geometry><material name='m'/></visual>"), 2, 50,
                  "\"m\" has no colour");
    check_warning(LINK("<visual><geometry><sphere radius='1'/></geometry><material name='m'><color rgba='255 0 0 1'/>"
                       "</material></visual>"),
                  2, 69, "0 to 1");
    CHECK_NEAR(spec->geoms[0].rgba[0], 1, 0);
}

TEST(transmissions_that_lead_nowhere_are_warnings)
{
    check_warning("<robot name='r'><link name='a'/>\n"
                  "<transmission name='t'><type>SimpleTransmission</type><joint name='x'/></transmission></robot>",
                  2, 1, "no moving joint \"x\"");
    check_error("<robot name='r'><link name='a'/><link name='b'/>"
                "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>\n"
                "<transmission name='t'><type>SimpleTransmission</type><joint name='j'/>\n"
                "<mechanicalReduction>0</mechanicalReduction></transmission></robot>",
                3, 1, "other than zero");
    check_error("<robot name='r'><link name='a'/><link name='b'/>"
                "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>\n"
                "<transmission name='t'><type>SimpleTransmission</type><joint name='j'/>\n"
                "<motorInertia>-1</motorInertia></transmission></robot>",
                3, 1, "motorInertia is \"-1\"");
}

TEST(a_colour_that_is_missing_is_said_once)
{
    check_warning(LINK("<visual><geometry><sphere radius='1'/></geometry><material name='m'/></visual>\n"
                       "<visual><geometry><sphere radius='1'/></geometry><material name='m'/></visual>"),
                  2, 50, "\"m\" has no colour");
}

TEST(the_list_of_what_is_ignored_ends)
{
    writer w = {0};
    put(&w, "<robot name='r'><link name='a'/>\n", 0, 0);
    for (int i = 0; i < 1500; i++) put(&w, "<u%d a%d='1'/>\n", i, i);
    put(&w, "</robot>", 0, 0);
    CHECK_INT(parse_with(w.text, NULL), FF_OK);
    free(w.text);
    CHECK_INT(spec->nignored, FF_REPORT_MAX);
    check_message(FF_WARNING, 1 + FF_REPORT_MAX, 1, "the list ends");
}

TEST(every_mistake_is_reported_not_only_the_first)
{
    CHECK_INT(parse_with(LINK("<inertial><mass value='x'/><inertia ixx='y' iyy='1' izz='1'/></inertial>\n"
                              "<visual><geometry><box size='1'/></geometry></visual>"),
                         NULL),
              FF_BAD_FILE);
    CHECK_INT(report.errors, 3);
    CHECK_INT(report.messages[2].line, 3);
}

TEST(mistakes_inside_links_are_reported_when_the_tree_is_broken_too)
{
    CHECK_INT(parse_with("<robot name='r'>\n<link name='a'><inertial><mass value='-2'/></inertial></link>\n"
                         "<link name='b'/><link name='c'/>\n"
                         "<joint name='j' type='revolute'><parent link='a'/><child link='nobody'/>\n"
                         "<limit lower='1' upper='0'/></joint>\n"
                         "<joint name='k' type='fixed'><parent link='a'/><child link='b'/><odd/></joint></robot>",
                         NULL),
              FF_BAD_FILE);
    CHECK_INT(report.errors, 3);
    CHECK_INT(report.messages[0].line, 4);
    CHECK_INT(report.warnings, 1); // a mass without a tensor
    CHECK_INT(report.messages[1].line, 2);
    CHECK_INT(report.messages[3].line, 5);
    CHECK_INT(spec->nignored, 1);
    CHECK_INT(spec->nbody, 0); // nothing that could be compiled by mistake
}

TEST(files_that_are_no_urdf_are_refused)
{
    check_error("", 1, 1, "empty");
    check_error("<robot name='r'>\n<link name='a'>\n", 3, 1, "not well-formed");
    check_error("<!DOCTYPE r [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]>\n<robot name='&b;'/>", 1, 1, "DOCTYPE");
    check_error("<robot name='r' xmlns:xacro='x'>\n<xacro:include filename='y'/><link name='a'/></robot>", 2, 1,
                "xacro robot.urdf > expanded.urdf");
    CHECK_INT(parse_with("\x7f"
                         "ELF\x01\x02",
                         NULL),
              FF_BAD_FILE);
    CHECK_INT(report.messages[0].line, 1);
}

TEST(deep_nesting_and_ten_thousand_mistakes_end_soon)
{
    writer w = {0};
    put(&w, "<robot name='r'><link name='a'>", 0, 0);
    for (int i = 0; i < 10000; i++) put(&w, "<visual>", 0, 0);
    CHECK_INT(parse_with(w.text, NULL), FF_BAD_FILE);
    check_message(FF_ERROR, 1, 32 + 8 * (FF_XML_MAX_DEPTH - 2), "nested deeper");
    w.length = 0;
    put(&w, "<robot name='r'>", 0, 0);
    for (int i = 0; i < 10000; i++) {
        put(&w, "<link name='l%d'/>", i, 0);
        put(&w, "<joint name='j%d' type='fixed'><parent link='x%d'/>", i, i);
        put(&w, "<child link='y%d'/></joint>\n", i, 0);
    }
    put(&w, "</robot>", 0, 0);
    CHECK_INT(parse_with(w.text, NULL), FF_BAD_FILE);
    CHECK_INT(report.errors, 20000);
    CHECK_INT(report.count, FF_REPORT_MAX);
    free(w.text);
}

TEST(long_loops_are_named_in_short)
{
    writer w = {0};
    put(&w, "<robot name='r'>", 0, 0);
    for (int i = 0; i < 5000; i++) {
        put(&w, "<link name='l%d'/><joint name='j%d' type='fixed'>", i, i);
        put(&w, "<parent link='l%d'/><child link='l%d'/></joint>", (i + 4999) % 5000, i);
    }
    put(&w, "</robot>", 0, 0);
    CHECK_INT(parse_with(w.text, NULL), FF_BAD_FILE);
    free(w.text);
    CHECK_INT(report.errors, 1);
    CHECK_SAYS(report.messages[0].text, "5000 links form a loop: \"l0\" on \"l4999\" on ");
    CHECK_BELOW((double)strlen(report.messages[0].text), 300);
}
