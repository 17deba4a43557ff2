// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Legs of URDF and MJCF robots are the chains of joints that end in the lowest shapes: those of dogs, hexapods and
// humanoids, not arms, wheels or a trunk that lies on the ground. A native file that imports the robot can name them.
#include "native/native_robot.h"
#include "support/folder.h"

#include <footfall/dyn.h>
#include <footfall/load.h>
#include <sys/stat.h>

#define SHARED FF_SOURCE_DIR "/../shared/models/"

static char text[60000];

static void write_text(const char *format, ...) FF_PRINTF(1, 2);
static void write_text(const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, sizeof text - used, format, args);
    va_end(args);
}

static void load_path(const char *path, const ff_load_options *options)
{
    finish();
    spec = ff_spec_create(NULL);
    if (ff_spec_load(spec, path, options, &report) == FF_OK) model = ff_model_compile(spec, options, &report);
    if (!model) CHECK_FAIL("refused: %s", message(0));
}

/// Loads the text from write_text, with a free root.
static void load_written(const char *name)
{
    const ff_load_options options = {.floating = true};
    write_to(in_folder(name), text, strlen(text));
    load_path(in_folder(name), &options);
}

static const char *note(void)
{
    for (int i = 0; i < report.count; i++)
        if (strstr(report.messages[i].text, "legs found")) return report.messages[i].text;
    return "";
}

/// Legs as "FL: hip knee > foot, ..".
static void check_legs(const char *expected)
{
    char got[2000] = "";
    for (int i = 0; i < model->nleg; i++) {
        const ff_leg *leg = &model->legs[i];
        sprintf(got + strlen(got), "%s%s:", i > 0 ? ", " : "", leg->name);
        for (int k = 0; k < leg->njoint; k++) sprintf(got + strlen(got), " %s", model->joints[leg->joints[k]].name);
        sprintf(got + strlen(got), " > %s", model->frames[leg->frame].name);
        for (int k = 0; k < model->limbs[i].nbody; k++)
            sprintf(got + strlen(got), "%s%s", k > 0 ? "+" : " of ", model->bodies[model->limbs[i].bodies[k]].name);
    }
    if (strcmp(got, expected) != 0) CHECK_FAIL("legs are\n    %s, not\n    %s", got, expected);
}

// ------------------------------------------------------------------------------------------ URDF

static void urdf_link(const char *name, const char *shape, double x, double z)
{
    write_text("<link name='%s'><inertial><origin xyz='%g 0 %g'/><mass value='1'/>"
               "<inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial>",
               name, x, z);
    if (shape[0]) write_text("<collision><origin xyz='%g 0 %g'/><geometry>%s</geometry></collision>", x, z, shape);
    write_text("</link>");
}

static void urdf_joint(const char *name, const char *type, const char *parent, const char *child, const double at[3])
{
    write_text("<joint name='%s' type='%s'><parent link='%s'/><child link='%s'/><origin xyz='%g %g %g'/>"
               "<axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='20' velocity='5'/></joint>",
               name, type, parent, child, at[0], at[1], at[2]);
}

/// A dog of two hinges a leg: thighs of 0.2 m, shins of 0.2 m with a ball of 0.02 m at their end.
static void write_dog(void)
{
    static const char *const legs[] = {"FL", "FR", "RL", "RR"};
    text[0] = 0;
    write_text("<robot name='dog'>");
    urdf_link("base", "<box size='0.5 0.2 0.1'/>", 0, 0);
    for (int i = 0; i < 4; i++) {
        char thigh[20], shin[20], hip[20], knee[20];
        sprintf(thigh, "%s_thigh", legs[i]);
        sprintf(shin, "%s_shin", legs[i]);
        sprintf(hip, "%s_hip", legs[i]);
        sprintf(knee, "%s_knee", legs[i]);
        urdf_link(thigh, "<box size='0.03 0.03 0.2'/>", 0, -0.1);
        urdf_link(shin, "<sphere radius='0.02'/>", 0, -0.2);
        urdf_joint(hip, "revolute", "base", thigh, (double[]){i < 2 ? 0.2 : -0.2, i % 2 ? -0.1 : 0.1, 0});
        urdf_joint(knee, "revolute", thigh, shin, (double[]){0, 0, -0.2});
    }
    write_text("</robot>");
}

TEST(a_dog_has_four_legs_with_round_feet)
{
    write_dog();
    load_written("dog.urdf");
    check_legs("FL: FL_hip FL_knee > FL_foot_centre, FR: FR_hip FR_knee > FR_foot_centre, "
               "RL: RL_hip RL_knee > RL_foot_centre, RR: RR_hip RR_knee > RR_foot_centre");
    CHECK_SAYS(note(), "4 legs found");
    CHECK_SAYS(note(), "FL (FL_hip, FL_knee), FR, RL, RR");
    CHECK_SAYS(note(), "'import: dog.urdf'");
    CHECK_INT(report.warnings, 0);
    ff_data *d = ff_data_create(model, NULL);
    ff_dyn_kinematics(model, d);
    for (int i = 0; i < 4; i++) {
        const ff_frame *frame = &model->frames[model->legs[i].frame];
        double at[3];
        ff_dyn_point(model, d, frame->body, frame->pos, at);
        CHECK_NEAR(at[0], i < 2 ? 0.2 : -0.2, 1e-12);
        CHECK_NEAR(at[1], i % 2 ? -0.1 : 0.1, 1e-12);
        CHECK_NEAR(at[2], -0.4, 1e-12);
        CHECK_NEAR(model->legs[i].radius, 0.02, 0.0);
    }
    ff_data_destroy(d);
    finish();
}

// A frame of the file with the name that ours would get, at another place, is not the foot.
TEST(a_name_that_the_file_has_is_not_used_for_a_foot)
{
#define STILT(name, x, more)                                                                                           \
    "<body name='" name "_thigh' pos='" x " 0 0'><joint name='" name "_hip' axis='0 1 0' range='-1 1'/>"               \
    "<geom type='box' size='.02 .02 .09' pos='0 0 -.1'/><body name='" name "_shin' pos='0 0 -.2'>"                     \
    "<joint name='" name "_knee' axis='0 1 0' range='-1 1'/><geom type='sphere' size='.02' pos='0 0 -.2'/>" more       \
    "</body></body>"
#define SITE(name) "<site name='" name "' pos='0 0 -.1'/>"
    static const char file[] =
        "<mujoco><compiler angle='radian'/><worldbody><body name='trunk'><freejoint/><geom type='box' size='.3 .1 "
        ".05'/>" STILT("F", ".2", SITE("F_foot_centre") SITE("F_foot_centre2"))
            STILT("R", "-.2", "") "</body></worldbody></mujoco>";
    write_to(in_folder("site.xml"), file, strlen(file));
    load_path(in_folder("site.xml"), NULL);
    check_legs("F: F_hip F_knee > F_foot_centre3, R: R_hip R_knee > R_foot_centre");
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(model->frames[model->legs[i].frame].pos[2], -0.2, 1e-15); // the middle of the ball
        CHECK_NEAR(model->legs[i].radius, 0.02, 0.0);
    }
    finish();
}

TEST(without_legs_none_are_found)
{
    const ff_load_options options = {.floating = true, .without_legs = true};
    write_dog();
    load_written("dog.urdf");
    load_path(in_folder("dog.urdf"), &options);
    CHECK_INT(model->nleg, 0);
    CHECK_INT(report.count, 0);
    load_path(in_folder("dog.urdf"), NULL); // on a fixed base nothing stands
    CHECK_INT(model->nleg, 0);
    CHECK_INT(report.count, 0);
    finish();
}

TEST(a_native_file_names_orders_or_drops_the_legs_of_its_import)
{
    const struct {
        const char *words, *legs;
    } cases[] = {
        {"", "FL: FL_hip FL_knee > FL_foot_centre, FR: FR_hip FR_knee > FR_foot_centre, "
             "RL: RL_hip RL_knee > RL_foot_centre, RR: RR_hip RR_knee > RR_foot_centre"},
        {"legs: [RR, RL, FR, FL]\n", "RR: RR_hip RR_knee > RR_foot_centre, RL: RL_hip RL_knee > RL_foot_centre, "
                                     "FR: FR_hip FR_knee > FR_foot_centre, FL: FL_hip FL_knee > FL_foot_centre"},
        {"legs: {a: {joints: [FL_hip], foot: FL_thigh}}\n", "a: FL_hip > FL_thigh"},
        {"legs: {}\n", ""},
        {"joints: {\"*_knee\": {type: fixed}}\n", "FL: FL_hip > FL_foot_centre, FR: FR_hip > FR_foot_centre, "
                                                  "RL: RL_hip > RL_foot_centre, RR: RR_hip > RR_foot_centre"},
    };
    write_dog();
    load_written("dog.urdf");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text[0] = 0;
        write_text("footfall: 1\nimport: {file: dog.urdf, floating: true}\n%s", cases[i].words);
        load_written("dog.yaml");
        check_legs(cases[i].legs);
    }
    finish();
}

TEST(six_legs_of_three_joints_end_in_their_shins)
{
    text[0] = 0;
    write_text("<robot name='beetle'>");
    urdf_link("footprint", "", 0, 0); // as many files have it: a root without a shape, below the robot
    urdf_link("body", "<cylinder radius='0.1' length='0.05'/>", 0, 0);
    urdf_joint("lift", "fixed", "footprint", "body", (double[]){0, 0, 0.3});
    for (int i = 1; i <= 6; i++) {
        char coxa[20], femur[20], tibia[20], c[20], f[20], t[20];
        sprintf(coxa, "leg_%d_coxa", i);
        sprintf(femur, "leg_%d_femur", i);
        sprintf(tibia, "leg_%d_tibia", i);
        sprintf(c, "c%d", i);
        sprintf(f, "f%d", i);
        sprintf(t, "t%d", i);
        urdf_link(coxa, "", 0, 0);
        urdf_link(femur, "<box size='0.02 0.02 0.02'/>", 0, 0);
        urdf_link(tibia, "<box size='0.02 0.02 0.2'/>", 0, -0.1);
        const double angle = i * FF_PI / 3;
        urdf_joint(c, "revolute", "body", coxa, (double[]){0.1 * cos(angle), 0.1 * sin(angle), 0});
        urdf_joint(f, "revolute", coxa, femur, (double[]){0.05 * cos(angle), 0.05 * sin(angle), 0});
        urdf_joint(t, "revolute", femur, tibia, (double[]){0.1 * cos(angle), 0.1 * sin(angle), 0});
    }
    write_text("</robot>");
    load_written("beetle.urdf");
    check_legs("1: c1 f1 t1 > leg_1_tibia, 2: c2 f2 t2 > leg_2_tibia, 3: c3 f3 t3 > leg_3_tibia, "
               "4: c4 f4 t4 > leg_4_tibia, 5: c5 f5 t5 > leg_5_tibia, 6: c6 f6 t6 > leg_6_tibia");
    finish();
}

TEST(an_arm_on_a_fixed_base_has_no_legs_and_no_note)
{
    text[0] = 0;
    write_text("<robot name='arm'>");
    urdf_link("base", "<box size='0.1 0.1 0.1'/>", 0, 0);
    urdf_link("upper", "<box size='0.02 0.02 0.3'/>", 0, -0.15);
    urdf_link("lower", "<box size='0.02 0.02 0.3'/>", 0, -0.15);
    urdf_joint("shoulder", "revolute", "base", "upper", (double[]){0, 0, 0});
    urdf_joint("elbow", "revolute", "upper", "lower", (double[]){0, 0, -0.3});
    write_text("</robot>");
    write_to(in_folder("arm.urdf"), text, strlen(text));
    load_path(in_folder("arm.urdf"), NULL); // it hangs from a ceiling
    CHECK_INT(model->nleg, 0);
    CHECK_INT(report.count, 0);
    finish();
}

TEST(wheels_are_no_feet)
{
    static const char *const wheels[] = {"left", "right", "rear"};
    text[0] = 0;
    write_text("<robot name='cart'>");
    urdf_link("base", "<box size='0.5 0.2 0.1'/>", 0, 0);
    for (int i = 0; i < 3; i++) {
        char joint[30];
        sprintf(joint, "%s_axle", wheels[i]);
        urdf_link(wheels[i], "<sphere radius='0.1'/>", 0, 0);
        urdf_joint(joint, "continuous", "base", wheels[i], (double[]){i < 2 ? 0.2 : -0.2, i < 1 ? -0.2 : 0.2, -0.05});
    }
    write_text("</robot>");
    load_written("cart.urdf");
    CHECK_INT(model->nleg, 0);
    CHECK_SAYS(note(), "no legs found: it stands on wheels (3, such as \"rear\")");
    finish();
}

TEST(a_robot_that_lies_on_its_trunk_has_no_legs)
{
    text[0] = 0;
    write_text("<robot name='dragon'>");
    urdf_link("base", "<box size='0.5 0.2 0.1'/>", 0, 0);
    urdf_link("tail", "<box size='0.2 0.02 0.1'/>", -0.1, 0);
    urdf_joint("wag", "revolute", "base", "tail", (double[]){-0.25, 0, 0});
    write_text("</robot>");
    load_written("dragon.urdf");
    CHECK_INT(model->nleg, 0);
    CHECK_SAYS(note(), "it lies on body \"base\"");
    finish();
}

/// A trunk on two legs of `joints` hinges each.
static void write_stilts(const char *name, int joints)
{
    write_text("<body name='%s' pos='0 0 2'><freejoint/><geom type='box' size='.3 .1 .05'/>", name);
    for (int leg = 0; leg < 2; leg++) {
        for (int k = 0; k < joints; k++)
            write_text("<body name='%s%d_%d' pos='%g 0 %g'><joint axis='0 1 0' range='-1 1'/>"
                       "<geom type='box' size='.02 .02 .05' pos='0 0 -.05'/>",
                       name, leg, k, k == 0 ? 0.4 * leg - 0.2 : 0.0, k == 0 ? -0.1 : -0.12);
        for (int k = 0; k < joints; k++) write_text("</body>");
    }
    write_text("</body>");
}

TEST(the_reason_why_there_are_no_legs_is_the_true_one)
{
    static const struct {
        int robots, joints, legs;
        const char *why;
    } cases[] = {
        {1, 8, 2, "2 legs found"},
        {1, 9, 0, "no legs found: the chain to body \"a0_8\" has 9 joints, a leg at most 8"},
        {2, 3, 0, "no legs found: several robots float, \"a\" is one of them"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text[0] = 0;
        write_text("<mujoco><compiler angle='radian'/><worldbody>");
        write_stilts("a", cases[i].joints);
        if (cases[i].robots > 1) write_stilts("b", cases[i].joints);
        write_text("</worldbody></mujoco>");
        load_written("stilts.xml");
        CHECK_INT(model->nleg, cases[i].legs);
        CHECK_SAYS(note(), cases[i].why);
    }
    finish();
}

TEST(a_centipede_needs_names_of_its_legs)
{
    text[0] = 0;
    write_text("<robot name='centipede'>");
    urdf_link("base", "<box size='2 0.1 0.1'/>", 0, 0);
    for (int i = 0; i < 40; i++) {
        char joint[20], leg[20];
        sprintf(joint, "j%d", i);
        sprintf(leg, "leg%d", i);
        urdf_link(leg, "<sphere radius='0.02'/>", 0, -0.2);
        urdf_joint(joint, "revolute", "base", leg, (double[]){0.05 * (i - 20), i % 2 ? -0.1 : 0.1, 0});
    }
    write_text("</robot>");
    load_written("centipede.urdf");
    CHECK_INT(model->nleg, 0);
    CHECK_SAYS(note(), "no legs found: more than 32 of its bodies stand");
    finish();
}

// ------------------------------------------------------------------------------------------ MJCF

static void load_mjcf(const char *world)
{
    text[0] = 0;
    write_text("<mujoco><compiler angle='radian'/><worldbody>%s</worldbody></mujoco>", world);
    load_written("r.xml");
}

// A torso on a waist, arms that hang to the hips, legs of three joints whose feet have toes on joints of their own.
#define ARM(s, y)                                                                                                      \
    "<body name='" s "_arm' pos='0 " y " 0.4'><joint name='" s "_shoulder' axis='0 1 0'/>"                             \
    "<geom type='capsule' size='0.04' fromto='0 0 0 0 0 -0.5'/></body>"
#define LEG(s, y)                                                                                                      \
    "<body name='" s "_thigh' pos='0 " y " -0.1'><joint name='" s "_hip' axis='0 1 0'/>"                               \
    "<geom type='capsule' size='0.05' fromto='0 0 0 0 0 -0.3'/>"                                                       \
    "<body name='" s "_shin' pos='0 0 -0.4'><joint name='" s "_knee' axis='0 1 0'/>"                                   \
    "<geom type='capsule' size='0.04' fromto='0 0 0 0 0 -0.38'/>"                                                      \
    "<body name='" s "_foot' pos='0 0 -0.4'><joint name='" s "_ankle' axis='0 1 0'/>"                                  \
    "<geom type='box' size='0.1 0.04 0.02' pos='0.02 0 -0.03'/>"                                                       \
    "<body name='" s "_toe' pos='0.12 0 -0.03'><joint name='" s "_ball' axis='0 1 0'/>"                                \
    "<geom type='box' size='0.03 0.04 0.02' pos='0.03 0 0'/></body></body></body></body>"

TEST(arms_are_no_legs_and_toes_belong_to_feet)
{
    load_mjcf("<geom type='plane' size='1 1 1'/><body name='torso' pos='0 0 1.2'><freejoint name='root'/>"
              "<geom type='box' size='0.1 0.2 0.2' pos='0 0 0.3'/>" ARM("left", "0.3")
                  ARM("right", "-0.3") "<body name='pelvis'><joint name='waist' axis='0 0 1'/><geom type='box' "
                                       "size='0.1 0.15 0.05'/>" LEG("left", "0.1")
                                           LEG("right", "-0.1") "</body></body>");
    check_legs("left: left_hip left_knee left_ankle > left_foot of left_foot+left_toe, "
               "right: right_hip right_knee right_ankle > right_foot of right_foot+right_toe");
    finish();
}

TEST(pads_of_a_foot_are_one_foot)
{
    load_mjcf("<body name='trunk' pos='0 0 1'><freejoint/><geom type='box' size='0.1 0.1 0.1'/>"
              "<body name='l' pos='0 0.1 0'><joint name='lh' axis='0 1 0'/><geom type='box' size='0.02 0.02 0.2' "
              "pos='0 0 -0.2'/>"
              "<body name='l1' pos='0.05 0 -0.5'><geom size='0.02'/></body>"
              "<body name='l2' pos='-0.05 0 -0.5'><geom size='0.02'/></body></body>"
              "<body name='r' pos='0 -0.1 0'><joint name='rh' axis='0 1 0'/><geom type='box' size='0.02 0.02 0.2' "
              "pos='0 0 -0.2'/>"
              "<body name='r1' pos='0.05 0 -0.5'><geom size='0.02'/></body>"
              "<body name='r2' pos='-0.05 0 -0.5'><geom size='0.02'/></body></body></body>");
    check_legs("l: lh > l of l1+l2, r: rh > r of r1+r2");
    finish();
}

TEST(walkers_in_a_plane_have_legs_too)
{
    load_mjcf(
        "<body name='torso' pos='0 0 1'><joint name='x' type='slide' axis='1 0 0'/>"
        "<joint name='z' type='slide' axis='0 0 1'/><joint name='pitch' axis='0 1 0'/>"
        "<geom type='box' size='0.1 0.1 0.1'/>"
        "<body name='thigh'><joint name='hip' axis='0 1 0'/><geom type='capsule' size='0.03' fromto='0 0 0 0 0 -0.4'/>"
        "<body name='shin' pos='0 0 -0.4'><joint name='knee' axis='0 1 0'/>"
        "<geom type='capsule' size='0.03' fromto='0 0 0 0 0 -0.4'/></body></body></body>");
    check_legs("shin: hip knee > shin_foot_centre");
    CHECK_NEAR(model->legs[0].radius, 0.03, 0.0);
    CHECK_NEAR(model->frames[model->legs[0].frame].pos[2], -0.4, 1e-12);
    finish();
}

TEST(published_robots_have_their_legs)
{
    static const struct {
        const char *path;
        int nleg, njoint;
        const char *first;
    } robots[] = {
        {"mjcf/unitree_a1/a1_nomesh.xml", 4, 3, "FR"},
        {"mjcf/agility_cassie/cassie_nomesh.xml", 2, 7, "left"}, // shin and tarsus move on springs
        {"mjcf/robotis_op3/op3_nomesh.xml", 2, 6, "l"},
        {"mjcf/shadow_hand/right_hand_nomesh.xml", 0, 0, ""},
        {"urdf/example-robot-data/robots/solo_description/robots/solo12.urdf", 4, 3, "FL"},
        {"urdf/example-robot-data/robots/anymal_b_simple_description/robots/anymal.urdf", 4, 3, "LF"},
        {"urdf/example-robot-data/robots/hyq_description/robots/hyq_no_sensors.urdf", 4, 3, "lf"},
    };
    const ff_load_options options = {.floating = true, .repair = true};
    struct stat there;
    if (stat(SHARED, &there) != 0) SKIP("no shared models");
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        char path[400];
        sprintf(path, SHARED "%s", robots[i].path);
        load_path(path, &options);
        CHECK_INT(model->nleg, robots[i].nleg);
        for (int k = 0; k < model->nleg; k++) CHECK_INT(model->legs[k].njoint, robots[i].njoint);
        if (robots[i].nleg > 0 && strcmp(model->legs[0].name, robots[i].first) != 0)
            CHECK_FAIL("%s: its first leg is %s", path, model->legs[0].name);
    }
    finish();
}

/// Whether a message about the frame of a foot was given.
static const char *frame_warning(void)
{
    for (int i = 0; i < report.count; i++)
        if (report.messages[i].severity == FF_WARNING && strstr(report.messages[i].text, "above its lowest shape"))
            return report.messages[i].text;
    return "";
}

// Shins of boxes from the knee down: the frame of the body is at the knee, 0.25 m above the ground, half as high as the
// trunk. At the ankle, 5 cm above the ground, is the usual place of the frame of a foot.
TEST(a_frame_far_above_the_sole_is_a_warning)
{
#define SHIN(side, y, z, half)                                                                                         \
    "<body name='" side "' pos='0 " y " -" z "'><joint axis='0 1 0'/><geom type='box' size='.03 .03 " half             \
    "' pos='0 0 -" half "'/></body>"
    text[0] = 0;
    write_text("<mujoco><worldbody><body name='trunk' pos='0 0 .5'><freejoint/><geom type='box' size='.1 .1 .05'/>" //
               SHIN("left", ".2", ".25", ".125") SHIN("right", "-.2", ".25", ".125") "</body></worldbody></mujoco>");
    load_written("shins.xml");
    CHECK_INT(model->nleg, 2);
    CHECK_SAYS(frame_warning(), "body \"left\", which lies 0.25 m above its lowest shape");
    text[0] = 0;
    write_text("<mujoco><worldbody><body name='trunk' pos='0 0 .5'><freejoint/><geom type='box' size='.1 .1 .05'/>" //
               SHIN("left", ".2", ".45", ".025") SHIN("right", "-.2", ".45", ".025") "</body></worldbody></mujoco>");
    load_written("ankles.xml");
    CHECK_INT(model->nleg, 2);
    CHECK_TEXT(frame_warning(), "");
#undef SHIN
}
