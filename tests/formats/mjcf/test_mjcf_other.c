// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// MJCF: actuators, sensors, tendons, equalities and keyframes in the description, included files, and what is left out.
#include "mjcf/mjcf_text.h"

#include <sys/stat.h>

TEST(actuators_become_gain_and_bias)
{
    need("<mujoco><default><position kp='5' forcerange='-1 1'/></default><worldbody><body>" POINT
         "<joint name='j' range='-90 90'/>"
         "<joint name='b' type='ball'/></body></worldbody><actuator>"
         "<position joint='j' kv='2' inheritrange='0.5'/><motor joint='j' gear='3'/><velocity joint='j' kv='4'/>"
         "<general joint='j' biastype='affine' biasprm='1 2 3' ctrlrange='-1 1'/><muscle joint='j'/><motor joint='b'/>"
         "<motor slidersite='s' cranksite='t'/><general joint='j' dyntype='filter'/></actuator>"
         "<keyframe><key ctrl='1 2 3 4 5 6 7 8'/></keyframe></mujoco>");
    const double position[3] = {0, -5, -2}, none[3] = {0, 0, 0}, velocity[3] = {0, 0, -4}, general[3] = {1, 2, 3};
    CHECK_INT(spec->nactuator, 6);
    CHECK_NEAR(spec->actuators[0].gain, 5, 0);
    check_vector(spec->actuators[0].bias, position, 3);
    CHECK(spec->actuators[0].command_limited && spec->actuators[0].force_limited);
    CHECK_NEAR(spec->actuators[0].command_range[1], FF_PI / 4, 1e-15);
    CHECK_NEAR(spec->actuators[1].gain, 1, 0);
    CHECK_NEAR(spec->actuators[1].gear, 3, 0);
    check_vector(spec->actuators[1].bias, none, 3);
    check_vector(spec->actuators[2].bias, velocity, 3);
    check_vector(spec->actuators[3].bias, general, 3);
    CHECK_NEAR(spec->actuators[3].gain, 5, 0); // from the class, as all actuators share one preset
    ignored("ball joints");
    ignored("acts neither on a joint nor on a tendon");
    CHECK_INT(spec->keys[0].ncommand, 6); // those of the actuators left out are gone
    CHECK_NEAR(spec->keys[0].command[3], 4, 0);
    CHECK_NEAR(spec->keys[0].command[5], 8, 0);
}

// MuJoCo bounds what all actuators of a joint do together: of one alone, gear times its force.
TEST(the_range_of_a_joint_bounds_its_actuator)
{
    need("<mujoco><worldbody><body>" POINT
         "<joint name='a' axis='1 0 0' actuatorfrcrange='-1 4'/><joint name='b' axis='0 1 0' actuatorfrcrange='-6 2'/>"
         "<joint name='c' axis='0 0 1' actuatorfrcrange='-3 3'/></body></worldbody><actuator>"
         "<motor joint='a' gear='2'/><motor joint='b' gear='-2' forcerange='-5 1'/>"
         "<motor joint='c'/><velocity joint='c'/></actuator></mujoco>");
    const double a[2] = {-0.5, 2.0}, b[2] = {-1.0, 1.0};
    CHECK(spec->actuators[0].force_limited && spec->actuators[1].force_limited);
    check_vector(spec->actuators[0].force_range, a, 2);
    check_vector(spec->actuators[1].force_range, b, 2);
    CHECK(!spec->actuators[2].force_limited && !spec->actuators[3].force_limited);
    CHECK_INT(report.count, 1);
    CHECK_SAYS(report.messages[0].text, "bounds the sum of its 2 actuators in MuJoCo");
}

TEST(actuators_have_activations_and_muscles)
{
    need("<mujoco><default><position timeconst='0.3'/><default class='slow'><muscle force='7' "
         "timeconst='0.02 0.08'/></default></default><worldbody><body>" POINT
         "<joint name='j' range='-90 90'/></body></worldbody><actuator>"
         "<motor joint='j'/><position joint='j'/><position joint='j' timeconst='0'/>"
         "<intvelocity joint='j' kp='3' inheritrange='1'/>"
         "<cylinder joint='j' diameter='2' timeconst='0.4' bias='1 2 3'/><damper joint='j' kv='2' ctrlrange='0 1'/>"
         "<muscle joint='j' class='slow' lmax='1.7' tausmooth='0.2'/>"
         "<general joint='j' dyntype='integrator' actrange='-1 2' actearly='true'/><muscle body='b'/></actuator>"
         "<keyframe><key act='1 2 3 4 5 6'/></keyframe></mujoco>");
    const ff_spec_actuator *a = spec->actuators;
    CHECK_INT(spec->nactuator, 8);
    CHECK_INT(a[0].activation.type, FF_ACTIVATION_NONE);
    CHECK_INT(a[1].activation.type, FF_ACTIVATION_FILTER);
    CHECK_NEAR(a[1].activation.time[0], 0.3, 0);
    CHECK_INT(a[2].activation.type, FF_ACTIVATION_NONE);
    CHECK_INT(a[3].activation.type, FF_ACTIVATION_INTEGRATOR);
    CHECK(a[3].activation.limited && !a[3].command_limited);
    CHECK_NEAR(a[3].activation.range[1], FF_PI / 2, 1e-15);
    CHECK_NEAR(a[4].gain, FF_PI, 1e-15);
    CHECK_NEAR(a[4].bias[2], 3, 0);
    CHECK_NEAR(a[5].gain_by[1], -2, 0);
    CHECK(a[6].active.acts && a[6].passive.acts);
    CHECK_NEAR(a[6].active.force, 7, 0);
    CHECK_NEAR(a[6].passive.longest, 1.7, 0);
    CHECK_NEAR(a[6].active.shortest, 0.5, 0);
    CHECK_NEAR(a[6].activation.time[1], 0.08, 0);
    CHECK_NEAR(a[6].activation.smooth, 0.2, 0);
    CHECK(a[7].activation.limited);
    CHECK_INT(spec->keys[0].nactivation, 8); // one for each that was kept
    CHECK_NEAR(spec->keys[0].activation[1], 1, 0);
    CHECK_NEAR(spec->keys[0].activation[2], 0, 0);
    CHECK_NEAR(spec->keys[0].activation[7], 5, 0);
}

static ff_model *compiled(const char *text)
{
    need(text);
    ff_model *model = ff_model_compile(spec, NULL, &report);
    if (!model) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no message");
    return model;
}

// A point of 2 kg at 0.5 m with a rotor of 0.1 kg m^2: J = 0.6 kg m^2 at the joint, of which the actuator sees J / 9.
#define PENDULUM                                                                                                       \
    "<worldbody><body><joint name='j' axis='0 1 0' armature='0.1'/><inertial pos='0.5 0 0' mass='2' "                  \
    "diaginertia='0 0 0'/></body></worldbody>"

TEST(a_damping_ratio_damps_the_inertia_at_the_joint)
{
    ff_model *model =
        compiled("<mujoco><default><position kp='40' dampratio='0.5'/><default class='stiff'><position "
                 "kp='160'/></default><default class='plain'><position kv='7'/></default></default>" PENDULUM
                 "<actuator><position joint='j' gear='3'/><position joint='j' gear='3' class='stiff'/>"
                 "<position joint='j' gear='3' class='plain'/><position joint='j' class='plain' "
                 "dampratio='2'/><general joint='j' gear='-3' biastype='affine' gainprm='40' biasprm='0 "
                 "-40 0.5'/><general joint='j' biastype='affine' gainprm='40' biasprm='0 -39 0.5'/>"
                 "<general joint='j' biastype='affine' gainprm='40' biasprm='0 -40 -0.5'/>"
                 "</actuator></mujoco>");
    const double kv[7] = {
        sqrt(40 * 0.6 / 9), sqrt(160 * 0.6 / 9), 7, 4 * sqrt(40 * 0.6), sqrt(40 * 0.6 / 9), -0.5, 0.5};
    for (int i = 0; i < 7; i++) CHECK_NEAR(model->actuators[i].bias[2], -kv[i], 1e-14 * kv[i] * kv[i]);
    ff_model_destroy(model);
}

// Alone on its tree, J = 0.6 kg m^2, too:  k = J / (T z)^2,  b = 2 J / T.
TEST(springdamper_says_stiffness_and_damping)
{
    ff_model *model =
        compiled("<mujoco><default><joint springdamper='0.2 0.5' stiffness='1'/></default>" PENDULUM "</mujoco>");
    CHECK_NEAR(model->joints[0].stiffness, 0.6 / 0.01, 1e-12);
    CHECK_NEAR(model->joints[0].damping, 6.0, 1e-13);
    CHECK_NEAR(model->dof_damping[0], 6.0, 1e-13);
    ff_model_destroy(model);
    model = compiled("<mujoco><default><joint springdamper='0.2 0.5' damping='9'/></default>" PENDULUM
                     "<actuator><motor joint='j' gear='2' damping='0.5'/></actuator></mujoco>");
    CHECK_NEAR(model->joints[0].damping, 6.0 + 4 * 0.5, 1e-13); // that of the actuator beside it, not that of the joint
    ff_model_destroy(model);
}

// gear 5, armature 3, damping 7: 75 and 175 at the joint; of two actuators both count.
TEST(armature_and_damping_of_actuators_reach_the_joint_by_the_square_of_the_gear)
{
    need("<mujoco>" PENDULUM "<actuator><motor joint='j' gear='5' damping='7' armature='3'/><motor joint='j' gear='-2' "
         "armature='1'/></actuator></mujoco>");
    CHECK_NEAR(spec->joints[0].armature, 0.1 + 75 + 4, 1e-14);
    CHECK_NEAR(spec->joints[0].damping, 175, 0);
}

TEST(sensors_equalities_excludes_and_keys_are_kept)
{
    ff_model *model = load(ROBOTS "extras.xml");
    CHECK_INT(model->nsensor, 4);
    CHECK_TEXT(model->sensors[0].type, "gyro");
    CHECK_TEXT(model->sensors[0].object, "imu");
    CHECK_NEAR(model->sensors[0].cutoff, 30, 0);
    CHECK_TEXT(model->sensors[2].object_type, "body"); // MJCF's xbody
    CHECK_INT(model->nequality, 3);
    CHECK_NEAR(model->equalities[0].data[1], -1, 0);
    const double pin[3] = {0, 0, -0.3}, glue[11] = {0, -0.2, 0, 1, 0, 0, 0, 0, 0, 0, 1};
    check_vector(model->equalities[1].data, pin, 3);
    check_vector(model->equalities[2].data, glue, 11); // base in left, at rest
    CHECK(!model->equalities[2].active);
    CHECK_INT(model->nexclude, 1);
    CHECK_INT(model->excludes[0], ff_model_find_body(model, "left"));
    int key = ff_model_find_key(model, "bent");
    CHECK(key >= 0);
    CHECK_NEAR(model->keys[key].time, 0.5, 0);
    CHECK_NEAR(model->keys[key].q[8], -0.3, 0);
    CHECK_NEAR(model->keys[key].v[7], 2, 0);
    CHECK_NEAR(model->keys[key].command[3], 0.4, 0);
    ff_model_destroy(model);
}

TEST(the_world_can_be_named)
{
    need("<mujoco><worldbody><body name='a' pos='0 0 2'>" POINT "<freejoint/></body></worldbody>"
         "<contact><exclude body1='world' body2='a'/></contact><equality><weld body1='world' body2='a'/></equality>"
         "<sensor><framepos objtype='body' objname='world'/></sensor></mujoco>");
    const double pose[7] = {0, 0, 2, 1, 0, 0, 0};
    ff_model *model = ff_model_compile(spec, NULL, &report);
    CHECK(model != NULL);
    check_vector(model->equalities[0].data, pose, 7);
    CHECK_INT(model->excludes[0], -1);
    CHECK_INT(model->equalities[0].object1, -1);
    ff_model_destroy(model);
}

// Sites hold their frames together: body 2 lies in body 1 as the sites say, and the point held is that of site 2.
TEST(equalities_between_sites_join_their_bodies)
{
    need("<mujoco><compiler angle='radian'/><worldbody><body name='a'>" POINT
         "<joint/><site name='s' pos='1 0 0'/></body>"
         "<body pos='0 0 2'>" POINT
         "<freejoint/><site name='t' pos='0 0 3' euler='0 0 1.5707963267948966'/></body></worldbody>"
         "<equality><connect site1='s' site2='t'/><weld site1='s' site2='t'/></equality></mujoco>");
    ff_model *model = ff_model_compile(spec, NULL, &report);
    CHECK(model != NULL);
    const double r = sqrt(0.5), points[6] = {1, 0, 0, 0, 0, 3}, pose[10] = {1, 0, -3, r, 0, 0, -r, 0, 0, 3};
    CHECK_INT(model->equalities[0].object1, 0);
    CHECK_INT(model->equalities[0].object2, 1);
    check_vector(model->equalities[0].data, points, 6);
    check_vector(model->equalities[1].data, pose, 10);
    ff_model_destroy(model);
}

TEST(what_is_not_used_is_listed_once_with_its_place)
{
    need("<mujoco>\n<statistic extent='1'/>\n<worldbody><light/><light/>\n <camera/><geom size='1' gap='1'/>"
         "<geom size='1' gap='1'/>\n<composite type='grid'/><body mocap='true' gravcomp='1'/></worldbody>\n"
         "<custom><numeric name='n'/></custom></mujoco>");
    CHECK_INT(ignored("<statistic>")->place.line, 2);
    CHECK_INT(ignored("<light>")->count, 2);
    CHECK_INT(ignored("<camera>")->place.line, 4);
    CHECK_INT(ignored("<camera>")->place.column, 2);
    CHECK_INT(ignored("attribute 'gap' of <geom>")->count, 2);
    CHECK_INT(ignored("<composite>")->place.line, 5);
    CHECK(spec->bodies[0].mocap);
    CHECK_NEAR(spec->bodies[0].gravcomp, 1, 0);
    CHECK_INT(ignored("<custom>")->place.line, 6);
}

TEST(tendons_keep_their_pieces_and_go_with_what_was_left_out)
{
    need("<mujoco><default><tendon damping='2' springlength='0.3'/></default><worldbody><site name='s'/>"
         "<geom name='g' type='sdf'/><body>" POINT "<joint name='j'/><site name='t'/></body></worldbody>"
         "<tendon><spatial name='a' limited='true' range='1 2' margin='0.1' stiffness='5'><site site='s'/>"
         "<pulley divisor='4'/><site site='s'/><site site='t'/></spatial>"
         "<spatial name='b'><site site='s'/><geom geom='g'/><site site='t'/></spatial>"
         "<fixed springlength='-1'><joint joint='j' coef='3'/></fixed></tendon>"
         "<actuator><motor tendon='b'/><motor name='m' tendon='a' damping='0.5' gear='2'/></actuator></mujoco>");
    CHECK_INT(spec->ntendon, 2);
    const ff_spec_tendon *t = &spec->tendons[0];
    CHECK_INT(t->npiece, 4);
    CHECK_INT(t->pieces[1].type, FF_TENDON_PULLEY);
    CHECK_NEAR(t->pieces[1].factor, 4, 0);
    CHECK_TEXT(t->pieces[3].name, "t");
    CHECK_NEAR(t->damping, 2 + 0.5 * 4, 0); // with that of the actuator, by the square of its gear
    CHECK_NEAR(t->spring_length[1], 0.3, 0);
    CHECK_NEAR(t->range[0], 1.1, 1e-15);
    CHECK_NEAR(t->range[1], 1.9, 1e-15);
    CHECK(spec->tendons[1].spring_at_rest && !spec->tendons[1].limited);
    CHECK_NEAR(spec->tendons[1].pieces[0].factor, 3, 0);
    ignored("<spatial>: something on its path was left out");
    ignored("<motor>: its tendon was left out");
    CHECK_INT(spec->nactuator, 1);
    CHECK_TEXT(spec->actuators[0].tendon, "a");
}

TEST(what_is_not_supported_says_so)
{
    need("<mujoco><extension><plugin plugin='p'/></extension><deformable/><worldbody><composite "
         "type='cable'/><body>" POINT "<joint/><plugin plugin='p'/></body></worldbody></mujoco>");
    ignored("<extension>: plugins of MuJoCo are not supported");
    ignored("<plugin>: plugins of MuJoCo are not supported");
    ignored("<deformable>: soft bodies are not supported");
    ignored("<composite>: not supported; the bodies it makes are missing");
}

TEST(keyframes_go_with_the_bodies_that_were_left_out)
{
    need("<mujoco><worldbody><body>" POINT "<joint/></body>\n<composite type='cable'/></worldbody>\n"
         "<keyframe><key name='home' qpos='1 2 3'/></keyframe></mujoco>");
    CHECK_INT(spec->nkey, 0); // nobody knows which of its numbers belong to the joint that is left
    CHECK_INT(ignored("<key>")->place.line, 3);
    ff_model *model = ff_model_compile(spec, NULL, &report);
    CHECK(model != NULL);
    ff_model_destroy(model);
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file) CHECK_FAIL("cannot write %s", path);
    fputs(text, file);
    fclose(file);
}

// Folder `arm` is a robot of its own, which includes and loads what lies beside it; one of its files is beside the main
// file only.
TEST(paths_start_at_the_including_file_then_at_the_main_one)
{
    char folder[] = "/tmp/footfall-mjcf-XXXXXX", path[600];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/arm", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/arm/meshes", folder);
    mkdir(path, 0700);
    write_file(folder, "main.xml", "<mujoco><compiler meshdir='meshes'/><include file='arm/arm.xml'/></mujoco>");
    write_file(folder, "arm/arm.xml",
               "<mujoco><include file='assets.xml'/><worldbody><body><include "
               "file='common.xml'/></body></worldbody></mujoco>");
    write_file(folder, "arm/assets.xml", "<mujoco><asset><mesh name='m' file='m.obj'/></asset></mujoco>");
    write_file(folder, "arm/meshes/m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write_file(folder, "common.xml", "<mujoco><joint name='common'/><geom type='mesh' mesh='m' density='6'/></mujoco>");
    snprintf(path, sizeof path, "%s/main.xml", folder);
    ff_model *model = load(path);
    CHECK_INT(ff_model_find_joint(model, "common"), 0);
    CHECK_NEAR(model->mass, 1.0, 1e-14); // 1/6 m^3
    ff_model_destroy(model);
    static const char *const files[] = {
        "main.xml", "arm/arm.xml", "arm/assets.xml", "arm/meshes/m.obj", "common.xml", "arm/meshes", "arm", "."};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        remove(i + 1 < sizeof files / sizeof *files ? path : folder);
    }
}

TEST(an_empty_colour_is_listed_and_says_nothing)
{
    need("<mujoco><default><geom rgba='1 0 0 1'/></default><worldbody><geom size='1' rgba=''/><geom size='1' rgba=' '/>"
         "</worldbody></mujoco>");
    CHECK_INT(ignored("empty attribute 'rgba' of <geom>")->count, 2);
    CHECK_NEAR(spec->geoms[0].rgba[0], 1, 0);
}

TEST(a_geom_goes_with_the_mesh_that_was_left_out)
{
    need(
        "<mujoco><asset><mesh name='m' builtin='sphere' params='2'/></asset><worldbody><body>" POINT
        "<joint/><geom name='g' type='mesh' mesh='m'/></body></worldbody><contact><pair geom1='g' geom2='g'/></contact>"
        "</mujoco>");
    CHECK_INT(spec->ngeom, 0);
    ignored("its mesh was left out");
    ignored("its geom was left out");
    ff_model *model = compiled("<mujoco><asset><mesh name='m' builtin='sphere' params='2'/></asset><worldbody>"
                               "<body name='b'><joint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
    CHECK_NEAR(model->bodies[0].mass, 1e-3, 0); // its mass went with the mesh
    ff_model_destroy(model);
}

TEST(an_exclude_of_a_body_that_does_not_exist_says_that_and_no_more)
{
    parse("<mujoco><worldbody><body name='a'/></worldbody><contact><exclude body1='b' body2='a'/></contact></mujoco>");
    CHECK_INT(report.errors, 1);
    CHECK_SAYS(report.messages[0].text, "names the body \"b\", which does not exist");
    CHECK_INT(spec->nignored, 0); // body2 is there
}

// The tool that <attach> would bring is missing, and with it the mass of the body that moves it.
TEST(a_body_that_lost_its_mass_with_what_was_left_out_can_still_move)
{
    ff_model *model =
        compiled("<mujoco><worldbody><body name='arm'>" POINT
                 "<joint/>\n<body name='mount' pos='0 0 1'><joint name='j' axis='1 0 0'/><attach model='tool' "
                 "prefix='t'/></body></body></worldbody><contact>\n<exclude body1='tbase' body2='arm'/>"
                 "</contact></mujoco>");
    CHECK_NEAR(model->bodies[1].mass, 1e-3, 0);
    CHECK_INT(report.warnings, 1);
    CHECK_SAYS(report.messages[0].text, "\"mount\" moves, and what would give it mass was left out");
    CHECK_INT(report.messages[0].line, 2);
    ignored("it names a body that was left out"); // and not that body2 is missing
    ff_model_destroy(model);
}

// The tool sits on a flange without mass, below a joint. Bodies that hold or carry mass stay as they are.
TEST(a_flange_that_lost_its_mass_can_still_move)
{
    ff_model *model = compiled(
        "<mujoco><worldbody><body name='arm'><joint name='a'/><body name='flange'><attach model='tool' prefix='t'/>"
        "</body></body><body name='full'><joint name='f'/><body name='hook'><attach model='tool' prefix='u'/></body>"
        "<body>" POINT "</body></body><body name='carrier'><joint name='c'/><attach model='tool' prefix='v'/><body>"
        "<joint name='d'/>" POINT "</body></body></worldbody></mujoco>");
    CHECK_INT(report.warnings, 1);
    CHECK_SAYS(report.messages[0].text, "\"flange\" moves, and what would give it mass was left out");
    CHECK_NEAR(model->bodies[ff_model_find_body(model, "flange")].mass, 1e-3, 0);
    CHECK_NEAR(model->bodies[ff_model_find_body(model, "hook")].mass, 0, 0);
    CHECK_NEAR(model->bodies[ff_model_find_body(model, "carrier")].mass, 0, 0);
    ff_model_destroy(model);
}

TEST(included_files_fill_the_place_of_the_element)
{
    ff_model *model = load(ROBOTS "includes.xml");
    CHECK_INT(model->nbody, 3);
    CHECK_INT(model->bodies[ff_model_find_body(model, "hand")].parent, ff_model_find_body(model, "arm"));
    CHECK_NEAR(model->gravity[2], -3.7, 0);
    CHECK_TEXT(model->name, "includes");
    ff_model_destroy(model);
}
