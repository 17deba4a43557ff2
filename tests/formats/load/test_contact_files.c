// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What MJCF and URDF files say about contact: filters and friction that arrive in the description, extensions of
// Bullet, Gazebo and Drake that become materials, and numbers without a meaning here, which are listed once with the
// reason.
#include "urdf/urdf_helpers.h"

#include <footfall/load.h>
#include <footfall/world.h>

static void mjcf(const char *text, ff_status expected)
{
    if (!ff_xml_available()) SKIP("built without libxml2");
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    spec = ff_spec_create(NULL);
    ff_status status = ff_spec_parse(spec, "mjcf", text, strlen(text), "robot.xml", NULL, &report);
    if (status != expected) CHECK_FAIL("status %d: %s", (int)status, report.count ? report.messages[0].text : "");
}

static const ff_spec_ignored *ignored(const char *what, const char *reason)
{
    for (int i = 0; i < spec->nignored; i++)
        if (strncmp(spec->ignored[i].what, what, strlen(what)) == 0 && strstr(spec->ignored[i].what, reason))
            return &spec->ignored[i];
    CHECK_FAIL("\"%s\" with the reason \"%s\" is not listed", what, reason);
}

// ------------------------------------------------------------------------------------------ MJCF

TEST(friction_and_condim_arrive)
{
    mjcf("<mujoco><default><geom condim='4'/><default class='plain'><geom condim='3'/></default></default>"
         "<worldbody><geom name='a' size='1' friction='0.6'/><geom name='b' size='1' condim='6' friction='0.5 0.01 "
         "0.002'/>"
         "</worldbody></mujoco>",
         FF_OK);
    CHECK(spec->geoms[0].has_friction && spec->geoms[1].has_friction);
    CHECK_NEAR(spec->geoms[0].friction[0], 0.6, 0);
    CHECK_NEAR(spec->geoms[0].friction[1], 0.005, 0); // MJCF's default
    CHECK_INT(spec->geoms[0].condim, 4);
    CHECK_INT(spec->geoms[1].condim, 6);
    mjcf("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>", FF_OK);
    CHECK(spec->geoms[0].has_friction); // MuJoCo's own
    CHECK_NEAR(spec->geoms[0].friction[0], 1.0, 0);
}

TEST(mjcf_friction_becomes_a_material_by_condim)
{
    const double friction[3] = {0.6, 0.01, 0.002};
    ff_material standard = ff_material_default();
    for (int condim = 1; condim <= 6; condim++) {
        if (condim == 2 || condim == 5) continue;
        ff_material m = ff_material_with_mjcf(&standard, friction, condim);
        CHECK_INT(ff_material_check(&m, NULL, (ff_place){0}), 0);
        CHECK_INT(m.friction.law, condim == 1 ? FF_FRICTION_NONE : FF_FRICTION_STICK_SLIP);
        if (condim > 1) CHECK(m.friction.mu_static == 0.6 && m.friction.mu_kinetic == 0.6);
        CHECK_NEAR(m.friction.torsion, condim >= 4 ? 0.01 : 0.0, 0);
        CHECK_NEAR(m.friction.rolling, condim >= 6 ? 0.002 : 0.0, 0);
        CHECK_NEAR(m.normal.stiffness, standard.normal.stiffness, 0); // everything else stays
    }
    standard.friction.law = FF_FRICTION_NONE;
    CHECK_INT(ff_material_with_mjcf(&standard, friction, 3).friction.law, FF_FRICTION_STICK_SLIP);
    const double none[3] = {0.0, 0.01, 0.0};
    ff_material smooth = ff_material_with_mjcf(&standard, none, 4);
    CHECK_INT(smooth.friction.law, FF_FRICTION_NONE);
    CHECK_NEAR(smooth.friction.torsion, 0.01, 0);
}

TEST(the_world_of_contacts_uses_the_friction_of_the_file)
{
    mjcf(
        "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
        "<body name='a'><freejoint/><geom size='0.1' mass='1' friction='0.4'/></body>"
        "<body name='b' pos='1 0 0'><freejoint/><geom size='0.1' mass='1' condim='1'/></body>"
        "<body name='c' pos='2 0 0'><freejoint/><geom size='0.1' mass='1' friction='0.4'/></body></worldbody></mujoco>",
        FF_OK);
    ff_model *model = ff_model_compile(spec, NULL, &report);
    CHECK(model != NULL);
    ff_world *world = ff_world_create(model, NULL, &report);
    CHECK(world != NULL);
    const ff_material standard = ff_world_options_default().standard;
    CHECK_NEAR(ff_world_law(world, 0, 1)->friction.mu_kinetic, 1.0, 1e-15); // the larger, that of the floor
    CHECK_NEAR(ff_world_law(world, 0, 2)->friction.mu_kinetic, 1.0, 1e-15); // the larger condim as well
    CHECK_NEAR(ff_world_law(world, 1, 3)->friction.mu_static, 0.4, 1e-15);  // two shapes of one coefficient have that
    CHECK_NEAR(ff_world_law(world, 0, 1)->stiffness, 0.5 * standard.normal.stiffness, 1e-6);
    int count;
    const ff_world_shape *shapes = ff_world_shapes(world, &count);
    CHECK_INT(shapes[1].material, shapes[3].material);
    ff_world_destroy(world);
    ff_model_destroy(model);
}

TEST(condim_and_friction_that_cannot_be_are_refused)
{
    mjcf("<mujoco><worldbody>\n<geom name='g' size='1' condim='2'/></worldbody></mujoco>", FF_OK);
    CHECK(ff_model_compile(spec, NULL, &report) == NULL);
    CHECK_SAYS(report.messages[0].text, "geom \"g\": condim is 2: allowed are 1");
    CHECK_INT(report.messages[0].line, 2);
    mjcf("<mujoco><worldbody>\n<geom name='g' size='1' friction='-0.5'/></worldbody></mujoco>", FF_OK);
    CHECK(ff_model_compile(spec, NULL, &report) == NULL);
    CHECK_SAYS(report.messages[0].text, "friction");
    CHECK_SAYS(report.messages[0].text, "-0.5");
}

#define TWO_BALLS(filters)                                                                                             \
    "<mujoco><worldbody><geom name='a' size='1' " filters "/><geom name='b' size='1' " filters "/>"                    \
    "<geom name='c' size='1' " filters "/></worldbody><contact>\n"

TEST(a_pair_names_two_geoms_and_has_numbers_of_its_own)
{
    mjcf(TWO_BALLS("contype='0' conaffinity='0'") "<pair geom1='a' geom2='b'/></contact></mujoco>", FF_OK);
    CHECK(spec->geoms[0].role == FF_GEOM_BOTH && spec->geoms[2].role == FF_GEOM_VISUAL);
    CHECK_INT(spec->npair, 1);
    CHECK(strcmp(spec->pairs[0].geom1, "a") == 0 && strcmp(spec->pairs[0].geom2, "b") == 0);
    CHECK_INT(spec->pairs[0].place.line, 2);
    mjcf("<mujoco><default><default class='ice'><pair friction='.1' condim='4' solimp='.7 .8'/></default></default>"
         "<worldbody><geom name='a' size='1'/><geom name='b' size='1'/></worldbody><contact>\n"
         "<pair geom1='a' geom2='b' class='ice' solref='.1 2' friction='.2 .3 .4 .5 .6'/></contact></mujoco>",
         FF_OK);
    const ff_spec_pair *p = &spec->pairs[0];
    CHECK(p->friction[0] == 0.2 && p->friction[1] == 0.4 && p->friction[2] == 0.5 && p->condim == 4);
    CHECK(p->numbers.has_solref && p->numbers.solref[0] == 0.1 && p->numbers.solref[1] == 2.0);
    CHECK(p->numbers.impedance == 0.8);
    CHECK_INT(ignored("friction of a <pair> that differs", "first direction")->count, 1);
    mjcf(TWO_BALLS("") "<pair geom1='a' geom2='nobody'/></contact></mujoco>", FF_BAD_FILE);
    CHECK_SAYS(report.messages[0].text, "geom \"nobody\", which does not exist");
    CHECK_INT(report.messages[0].line, 2);
    mjcf(TWO_BALLS("") "<pair geom1='a'/></contact></mujoco>", FF_BAD_FILE);
    mjcf(TWO_BALLS("") "<pair geom1='a' geom2='b' class='none'/></contact></mujoco>", FF_BAD_FILE);
    mjcf(TWO_BALLS("") "<pair geom1='a' geom2='b' condim='5'/></contact></mujoco>", FF_OK);
    CHECK(ff_model_compile(spec, NULL, &report) == NULL);
    CHECK_SAYS(report.messages[0].text, "pair of \"a\" and \"b\": condim is 5");
    mjcf(TWO_BALLS("") "<pair geom1='a' geom2='b'/></contact></mujoco>", FF_OK);
    spec->pairs[0].geom2 = "gone";
    CHECK(ff_model_compile(spec, NULL, &report) == NULL);
    CHECK_SAYS(report.messages[0].text, "shape \"gone\", which does not exist");
}

TEST(contact_can_be_switched_off_in_the_file)
{
    mjcf("<mujoco><option><flag contact='disable'/></option><worldbody><geom size='1'/></worldbody></mujoco>", FF_OK);
    CHECK(spec->geoms[0].contype == 0 && spec->geoms[0].conaffinity == 0);
    CHECK(spec->geoms[0].role == FF_GEOM_VISUAL && spec->geoms[0].gives_mass);
}

TEST(numbers_of_the_solver_are_listed_once_with_the_reason)
{
    mjcf("<mujoco><option cone='elliptic' o_solref='0.02 1'/><worldbody>\n"
         "<geom name='a' size='1' margin='0.001'/>\n"
         "<geom name='b' size='1' margin='0.01'/></worldbody>\n"
         "<contact><pair geom1='a' geom2='b' friction='1 1 0.1 0 0' margin='0.1'/></contact></mujoco>",
         FF_OK);
    const ff_spec_ignored *it = ignored("attribute 'margin' of <geom>: ", "touching shapes only");
    CHECK_INT(it->count, 2);
    CHECK_INT(it->place.line, 2);
    ignored("attribute 'cone' of <option>: ", "elliptic");
    ignored("attribute 'o_solref' of <option>: ", "stiffness");
    CHECK_INT(ignored("attribute 'margin' of <pair>: ", "touching shapes only")->place.line, 4);
}

// ------------------------------------------------------------------------------------------ URDF

#define BALL             "<collision><geometry><sphere radius='0.1'/></geometry></collision>"
#define ONE_LINK(inside) "<robot name='bot'><link name='foot'>\n" inside "</link></robot>"

static const ff_material *material_of(int geom)
{
    const char *name = spec->geoms[geom].material;
    if (!name) CHECK_FAIL("geom %d has no material", geom);
    int index = ff_spec_find_material(spec, name);
    CHECK(index >= 0);
    CHECK_INT(ff_material_check(&spec->materials[index].material, NULL, (ff_place){0}), 0);
    return &spec->materials[index].material;
}

TEST(bullets_contact_becomes_a_material)
{
    parse_clean(ONE_LINK(
        "<contact><lateral_friction value='1.1'/><rolling_friction value='0.002'/><spinning_friction value='0.01'/>"
        "<stiffness value='30000'/><damping value='1000'/></contact>" BALL BALL));
    const ff_material *m = material_of(0);
    CHECK_TEXT(m->name, "bot:foot");
    CHECK_INT(m->normal.law, FF_NORMAL_KELVIN_VOIGT);
    CHECK(m->normal.stiffness == 30000 && m->normal.damping == 1000);
    CHECK(m->friction.mu_static == 1.1 && m->friction.mu_kinetic == 1.1);
    CHECK(m->friction.torsion == 0.01 && m->friction.rolling == 0.002);
    CHECK_TEXT(spec->geoms[1].material, "bot:foot"); // one for all shapes of the link
    CHECK_INT(spec->nmaterial, 1);
    CHECK_INT(spec->nignored, 0);
    parse_clean(ONE_LINK("<contact><restitution value='0.7'/><contact_erp value='1'/></contact>" BALL));
    m = material_of(0);
    CHECK(m->normal.law == FF_NORMAL_RESTITUTION && m->normal.restitution == 0.7);
    ignored("<contact_erp> in <contact>: ", "Bullet's solver");
    parse_clean(ONE_LINK("<contact><lateral_friction value='0'/><restitution value='0'/></contact>" BALL));
    CHECK_INT(material_of(0)->friction.law, FF_FRICTION_NONE);
    m = material_of(0);
    CHECK(m->normal.law == FF_NORMAL_RESTITUTION && m->normal.restitution == 0.0);
    CHECK_INT(spec->nignored, 0);
    parse_clean(
        ONE_LINK("<contact><stiffness value='1e4'/><damping value='10'/><restitution value='0.5'/></contact>" BALL));
    CHECK_INT(material_of(0)->normal.law, FF_NORMAL_KELVIN_VOIGT);
    ignored("a restitution beside damping: ", "decides");
    parse_clean(ONE_LINK("<contact><stiffness value='1000'/></contact>" BALL)); // damped like the standard
    m = material_of(0);
    ff_material standard = ff_material_default();
    CHECK_INT(m->normal.law, FF_NORMAL_HUNT_CROSSLEY);
    CHECK_NEAR(m->normal.damping / 1000, standard.normal.damping / standard.normal.stiffness, 1e-15);
}

// Gazebo takes the number of a tag from its text or from `value`. Files in use have tags with neither.
TEST(gazebos_tags_may_hold_their_number_in_an_attribute_or_nothing)
{
    parse_clean("<robot name='bot'><link name='a'>" BALL
                "</link><gazebo reference='a'><mu1 value='0.7'/></gazebo></robot>");
    CHECK_NEAR(material_of(0)->friction.mu_kinetic, 0.7, 0);
    check_warning("<robot name='bot'><link name='a'>" BALL "</link>\n<gazebo reference='a'><mu1/></gazebo></robot>", 2,
                  23, "<mu1> is empty and not used");
}

TEST(gazebos_friction_and_spring_become_a_material)
{
    parse_clean("<robot name='bot'><link name='a'>" BALL "</link><link name='b'>" BALL "</link>"
                "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
                "<gazebo reference='b'><mu1>0.9</mu1><mu2>0.9</mu2><kp>1000000.0</kp><kd>100.0</kd><maxVel>1.0</maxVel>"
                "<minDepth>0.003</minDepth></gazebo></robot>");
    CHECK(spec->geoms[0].material == NULL);
    const ff_material *m = material_of(1);
    CHECK_TEXT(m->name, "bot:b");
    CHECK(m->normal.law == FF_NORMAL_KELVIN_VOIGT && m->normal.stiffness == 1e6 && m->normal.damping == 100);
    CHECK(m->friction.mu_static == 0.9 && m->friction.mu_kinetic == 0.9);
    CHECK_INT(ignored("<maxVel> in <gazebo>: ", "with a force")->place.line, 2);
    ignored("<minDepth> in <gazebo>: ", "from the touch on");
    check_warning("<robot name='bot'><link name='a'>" BALL "</link>\n"
                  "<gazebo reference='a'><mu1>0.9</mu1><mu2>0.4</mu2></gazebo></robot>",
                  2, 1, "mu1 = 0.9 is used, mu2 = 0.4 is not");
    parse_clean("<robot name='bot'><link name='a'>" BALL "</link>\n"
                "<gazebo reference='a'><kp>1e15</kp><kd>1</kd></gazebo></robot>"); // "rigid", as Gazebo files say it
    CHECK_NEAR(material_of(0)->normal.stiffness, ff_material_default().normal.stiffness, 0);
    CHECK_INT(ignored("a contact stiffness of 1e+15 N/m: ", "rigid body")->place.line, 2);
    check_error("<robot name='bot'><link name='a'>" BALL
                "</link>\n<gazebo reference='a'><kp>much</kp></gazebo></robot>",
                2, 23, "<kp> is \"much\": a number of zero or more");
    // a link with numbers of its own keeps them
    parse_clean("<robot name='bot'><link name='a'><contact><lateral_friction value='0.3'/></contact>" BALL "</link>"
                "<gazebo reference='a'><mu1>0.9</mu1></gazebo></robot>");
    CHECK_NEAR(material_of(0)->friction.mu_static, 0.3, 0);
    ignored("contact numbers of <gazebo>: ", "others already");
}

TEST(drakes_properties_become_a_material)
{
    parse_clean(ONE_LINK("<collision><geometry><sphere radius='0.1'/></geometry><drake:proximity_properties>"
                         "<drake:mu_static value='0.8'/><drake:mu_dynamic value='0.5'/>"
                         "<drake:hunt_crossley_dissipation value='0.75'/><drake:point_contact_stiffness value='10000'/>"
                         "<drake:mesh_resolution_hint value='1'/></drake:proximity_properties></collision>" BALL));
    const ff_material *m = material_of(0);
    CHECK(m->normal.law == FF_NORMAL_HUNT_CROSSLEY && m->normal.stiffness == 1e4 && m->normal.damping == 7500);
    CHECK(m->friction.mu_static == 0.8 && m->friction.mu_kinetic == 0.5);
    CHECK(spec->geoms[1].material == NULL); // they are of one shape
    ignored("<drake:mesh_resolution_hint> in <drake:proximity_properties>: ", "pressure");
    check_error(ONE_LINK("<collision><geometry><sphere radius='1'/></geometry><drake:proximity_properties>"
                         "\n <drake:mu_static value='-1'/></drake:proximity_properties></collision>"),
                3, 2, "<drake:mu_static> is -1: it must not be negative");
    // static below kinetic is found when the model is compiled, at the place of the numbers
    parse_clean(ONE_LINK(
        "<collision><geometry><sphere radius='1'/></geometry><drake:proximity_properties>\n"
        "<drake:mu_static value='0.2'/><drake:mu_dynamic value='0.5'/></drake:proximity_properties></collision>"));
    CHECK(ff_model_compile(spec, NULL, &report) == NULL);
    CHECK_SAYS(report.messages[0].text, "static friction 0.2 is below kinetic friction 0.5");
    CHECK_INT(report.messages[0].line, 3);
}

TEST(equal_numbers_are_one_material_and_others_get_other_names)
{
    parse_clean("<robot name='bot'><link name='a'><contact><lateral_friction value='0.3'/></contact>" BALL "</link>"
                "<link name='b'><contact><lateral_friction value='0.3'/></contact>" BALL "</link>"
                "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint></robot>");
    CHECK_INT(spec->nmaterial, 1);
    CHECK_TEXT(spec->geoms[0].material, "bot:a");
    CHECK_TEXT(spec->geoms[1].material, "bot:a");
    parse_clean(ONE_LINK("<contact><lateral_friction value='0.3'/></contact>" BALL
                         "<collision><geometry><sphere radius='1'/></geometry><drake:proximity_properties>"
                         "<drake:mu_static value='0.8'/></drake:proximity_properties></collision>"));
    CHECK_TEXT(spec->geoms[0].material, "bot:foot");
    CHECK_TEXT(spec->geoms[1].material, "bot:foot_2");
    CHECK_NEAR(material_of(1)->friction.mu_kinetic, 0.8, 0);
}

#define CHAIN                                                                                                          \
    "<robot name='bot'><link name='a'/><link name='b'/><link name='c'/>"                                               \
    "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>"                                         \
    "<joint name='k' type='fixed'><parent link='b'/><child link='c'/></joint>\n"

TEST(filters_keep_links_apart)
{
    parse_clean(CHAIN "<disable_collisions link1='a' link2='c' reason='Never'/></robot>");
    CHECK_INT(spec->nexclude, 1);
    CHECK_TEXT(spec->excludes[0].body1, "a");
    CHECK_TEXT(spec->excludes[0].body2, "c");
    CHECK_INT(spec->excludes[0].place.line, 2);
    parse_clean(CHAIN "<drake:collision_filter_group name='all'><drake:member link='a'/><drake:member link='b'/>"
                      "<drake:member link='c'/><drake:ignored_collision_filter_group name='all'/>"
                      "</drake:collision_filter_group></robot>");
    CHECK_INT(spec->nexclude, 3);
    parse_clean(CHAIN "<drake:collision_filter_group name='one'><drake:member link='a'/>"
                      "<drake:ignored_collision_filter_group name='two'/></drake:collision_filter_group>"
                      "<drake:collision_filter_group name='two'><drake:member link='b'/><drake:member link='c'/>"
                      "</drake:collision_filter_group></robot>");
    CHECK_INT(spec->nexclude, 2);
    CHECK_INT(spec->nignored, 0);
    check_error(CHAIN "<disable_collisions link1='a' link2='x'/></robot>", 2, 1, "there is no link \"x\"");
    check_error(CHAIN "<drake:collision_filter_group name='g'>\n<drake:ignored_collision_filter_group name='h'/>"
                      "</drake:collision_filter_group></robot>",
                3, 1, "there is no collision filter group \"h\"");
}

TEST(a_scene_of_two_such_robots_shares_their_materials)
{
    parse_clean(ONE_LINK("<contact><lateral_friction value='0.3'/></contact>" BALL));
    ff_spec *both = ff_spec_create(NULL);
    const double here[3] = {0}, there[3] = {1, 0, 0}, straight[4] = {1, 0, 0, 0};
    CHECK_INT(ff_spec_attach(both, spec, "one_", -1, here, straight, &report), FF_OK);
    CHECK_INT(ff_spec_attach(both, spec, "two_", -1, there, straight, &report), FF_OK);
    CHECK_INT(both->nmaterial, 1);
    CHECK_TEXT(both->geoms[1].material, "bot:foot");
    ff_spec_destroy(both);
}
