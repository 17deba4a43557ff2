// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Legs in files: parts, mirror images, imports and joined robots give the legs that are written; readers of a leg
// may rely on a chain of hinges and slides from hip to foot, and mistakes are reported with their place.
#include "native/native_robot.h"
#include "support/folder.h"

/// A trunk with a leg of two bodies (hip on thigh; knee, then a slide, on shank), a ball joint beside it, and a sensor.
/// The text follows on line 10.
#define ROBOT                                                                                                          \
    "footfall: 1\nbodies:\n"                                                                                           \
    "  trunk: {joint: {name: base, type: free}, inertial: {mass: 1, sphere: 0.1}, bodies: {\n"                         \
    "    thigh: {joint: {name: hip, axis: y}, inertial: {mass: 1, sphere: 0.1}, frames: {side: {}}, bodies: {\n"       \
    "      shank: {pos: [0, 0, -1], joints: {knee: {axis: y}, damper: {type: slide, axis: z}}, inertial: {mass: 1, "   \
    "sphere: 0.1}, shapes: [{sphere: 0.03, pos: [0, 0, -1]}, {sphere: 0.2, pos: [0, 0, -1], role: visual}],\n"         \
    "        frames: {foot: {pos: [0, 0, -1]}}}}},\n"                                                                  \
    "    arm: {joint: {name: shoulder, type: ball}, inertial: {mass: 1, sphere: 0.1}}}}\n"                             \
    "sensors: {sole: {type: force, frame: foot}}\n\n"

static bool load(const char *rest)
{
    return load_after(ROBOT, rest);
}

static void refuse(const char *rest, int line, int column, const char *words)
{
    must_report(load(rest), line, column, words);
}

static const char *joint_of(const ff_leg *leg, int k)
{
    return model->joints[leg->joints[k]].name;
}

TEST(a_leg_says_what_is_written)
{
    must(load("legs:\n  left: {joints: [hip, knee, damper], foot: foot, force: sole}\n"
              "  short: {joints: [knee], foot: foot, radius: 10 mm}\n  upper: {joints: [hip], foot: side}\n"));
    CHECK_INT(model->nleg, 3);
    const ff_leg *leg = &model->legs[0];
    CHECK_TEXT(leg->name, "left");
    CHECK_INT(leg->njoint, 3);
    CHECK_TEXT(joint_of(leg, 0), "hip");
    CHECK_TEXT(joint_of(leg, 1), "knee");
    CHECK_TEXT(joint_of(leg, 2), "damper");
    CHECK_TEXT(model->frames[leg->frame].name, "foot");
    CHECK_NEAR(leg->radius, 0.03, 1e-15); // of the shape that touches, not of the one that is only seen
    CHECK_TEXT(leg->force, "sole");
    CHECK(!leg->touch);
    CHECK_NEAR(model->legs[1].radius, 0.01, 1e-15);
    CHECK_NEAR(model->legs[2].radius, 0.0, 0.0); // no shape there: a point
    CHECK_INT(ff_model_find_leg(model, "short"), 1);
    CHECK_INT(ff_model_find_leg(model, "right"), -1);
    finish();
}

// A foot of two bodies and hands: bodies in the order of mention, places of their frames, feet before hands.
TEST(feet_and_hands_name_the_bodies_they_touch_with)
{
    must(load("hands:\n  left: {bodies: [arm]}\n"
              "legs:\n  L: {joints: [hip], foot: {frame: foot, bodies: [shank, thigh]}}\n"));
    CHECK_INT(model->nlimb, 2);
    const ff_limb *foot = &model->limbs[0], *hand = &model->limbs[1];
    CHECK_TEXT(foot->name, "L");
    CHECK_INT(foot->leg, 0);
    CHECK_INT(foot->nbody, 2);
    CHECK_TEXT(model->bodies[foot->bodies[0]].name, "shank");
    CHECK_TEXT(model->bodies[foot->bodies[1]].name, "thigh");
    CHECK_TEXT(model->bodies[foot->body].name, "shank"); // of the frame
    CHECK_NEAR(foot->pos[2], -1.0, 0.0);
    CHECK_TEXT(hand->name, "left");
    CHECK_INT(hand->leg, -1);
    CHECK_INT(hand->nbody, 1);
    CHECK_TEXT(model->bodies[hand->bodies[0]].name, "arm");
    CHECK_INT(hand->body, hand->bodies[0]);
    CHECK_NEAR(hand->quat[0], 1.0, 0.0);
    CHECK_INT(ff_model_find_limb(model, "left"), 1);
    must(load("hands: {left: {bodies: [thigh, shank], frame: foot}}\n"));
    CHECK_INT(model->nlimb, 1);
    CHECK_TEXT(model->bodies[model->limbs[0].body].name, "shank");
    finish();
}

// A URDF has no frames but those of its links. The foot is a link fixed to the shank, and merged with it.
static const char URDF[] =
    "<robot name='dog'><link name='trunk'><inertial><mass value='5'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' "
    "ixz='0' iyz='0'/></inertial></link>"
    "<joint name='hip' type='revolute'><parent link='trunk'/><child link='shank'/><axis xyz='0 1 0'/>"
    "<limit lower='-1' upper='1' effort='9' velocity='9'/></joint>"
    "<link name='shank'><inertial><mass value='1'/><inertia ixx='.01' iyy='.01' izz='.01' ixy='0' ixz='0' iyz='0'/>"
    "</inertial></link>"
    "<joint name='ankle' type='fixed'><parent link='shank'/><child link='foot'/><origin xyz='0.01 0 -0.3'/></joint>"
    "<link name='foot'><inertial><mass value='.1'/><inertia ixx='1e-4' iyy='1e-4' izz='1e-4' ixy='0' ixz='0' "
    "iyz='0'/></inertial><collision><geometry><sphere radius='0.02'/></geometry></collision></link></robot>";

static bool load_dog(const char *rest)
{
    char text[400];
    write_file("dog.urdf", URDF);
    snprintf(text, sizeof text, "footfall: 1\nimport: dog.urdf\n%s", rest);
    const char *path = write_file("dog.yaml", text);
    finish();
    spec = ff_spec_create(NULL);
    if (ff_spec_load(spec, path, NULL, &report) == FF_OK) model = ff_model_compile(spec, NULL, &report);
    if (!model && strstr(message(0), "libxml2")) SKIP("built without libxml2");
    return model != NULL;
}

TEST(a_link_that_is_merged_can_be_a_foot)
{
    static const char *const ways[] = {"legs: {L: {joints: [hip], foot: foot}}\n",
                                       "legs: {L: {joints: [hip], foot: {frame: foot, bodies: [foot]}}}\n",
                                       // a frame goes before a body
                                       ("legs: {L: {joints: [hip], foot: foot}}\n"
                                        "bodies: {foot: {frames: {foot: {pos: [0, 0, 0]}}}}\n")};
    for (int i = 0; i < 3; i++) {
        must(load_dog(ways[i]));
        const ff_leg *leg = &model->legs[0];
        const ff_frame *frame = &model->frames[leg->frame];
        const ff_body *body = &model->bodies[frame->body];
        const ff_body *shank = &model->bodies[ff_model_find_body(model, "shank")];
        CHECK_INT(model->nframe, 1);
        CHECK_TEXT(frame->name, "foot");
        CHECK_TEXT(body->name, "foot");
        CHECK_INT(body->node, shank->node);
        double in_node[3], place[3];
        ff_vec3_sub(in_node, body->pos, shank->pos);
        ff_mat3_tmulv(place, shank->R, in_node);
        CHECK_NEAR(place[0], 0.01, 1e-15); // in the shank
        CHECK_NEAR(place[2], -0.3, 1e-15);
        CHECK_NEAR(ff_vec3_norm(frame->pos), 0.0, 0.0);
        CHECK_NEAR(leg->radius, 0.02, 1e-15);
        CHECK_INT(model->limbs[0].body, frame->body);
    }
    must(load_dog("hands: {paw: {bodies: [foot], frame: shank}}\n"));
    CHECK_INT(model->limbs[0].body, ff_model_find_body(model, "shank"));
    CHECK(!load_dog("legs: {L: {joints: [hip], foot: trunk}}\n"));
    CHECK_SAYS(message(0), "foot \"trunk\" does not hang below joint \"hip\"");
    finish();
}

TEST(a_robot_may_do_without_legs)
{
    must(load(""));
    CHECK_INT(model->nleg, 0);
    finish();
}

#define PART                                                                                                           \
    "footfall: 1\nparts:\n  leg:\n    bodies:\n"                                                                       \
    "      thigh: {joint: {name: hip, axis: y}, inertial: {mass: 1, sphere: 0.1},\n"                                   \
    "        shapes: [{capsule: {to: [0, 0.3, -1], radius: 0.02}}], frames: {foot: {pos: [0, 0.3, -1]}}}\n"            \
    "    sensors: {sole: {type: touch, frame: foot}}\n"                                                                \
    "    leg: {joints: [hip], foot: foot, touch: sole}\n"                                                              \
    "bodies:\n  trunk: {joint: {name: base, type: free}, inertial: {mass: 1, sphere: 0.1}, attach: [\n"

TEST(a_part_makes_a_leg_of_its_prefix_and_its_mirror_image_another)
{
    must(load_text(PART "{part: leg, prefix: L_}, {part: leg, prefix: R_, mirror: y}]}\nlegs: [R, L]\n"));
    CHECK_INT(model->nleg, 2);
    CHECK_TEXT(model->legs[0].name, "R"); // in the order of the list
    CHECK_TEXT(model->legs[1].name, "L");
    CHECK_TEXT(joint_of(&model->legs[0], 0), "R_hip");
    CHECK_TEXT(model->legs[0].touch, "R_sole");
    CHECK_NEAR(model->frames[model->legs[0].frame].pos[1], -0.3, 1e-15);
    CHECK_NEAR(model->frames[model->legs[1].frame].pos[1], 0.3, 1e-15);
    for (int i = 0; i < 2; i++) CHECK_NEAR(model->legs[i].radius, 0.02, 1e-15); // the end of the capsule
    finish();
}

TEST(attached_feet_and_hands_keep_their_bodies)
{
    must(
        load_text("footfall: 1\nparts:\n  limb:\n    bodies:\n"
                  "      upper: {joint: {name: hip, axis: y}, inertial: {mass: 1, sphere: 0.1}, frames: {foot: {}}}\n"
                  "      paw: {joint: {name: wrist, axis: y}, inertial: {mass: 1, sphere: 0.1}}\n"
                  "    leg: {joints: [hip], foot: {frame: foot, bodies: [upper]}}\n    hands: {hold: {bodies: [paw]}}\n"
                  "bodies:\n  trunk: {joint: {name: base, type: free}, inertial: {mass: 1, sphere: 0.1}, attach: [\n"
                  "    {part: limb, prefix: L_}, {part: limb, prefix: R_}]}\n"));
    static const char *const names[4] = {"L", "R", "L_hold", "R_hold"}, *const bodies[4] = {"L_upper", "R_upper",
                                                                                            "L_paw", "R_paw"};
    CHECK_INT(model->nlimb, 4);
    for (int i = 0; i < 4; i++) {
        CHECK_TEXT(model->limbs[i].name, names[i]);
        CHECK_INT(model->limbs[i].nbody, 1);
        CHECK_TEXT(model->bodies[model->limbs[i].bodies[0]].name, bodies[i]);
    }
    finish();
}

TEST(joined_robots_keep_their_legs_apart)
{
    must(load_text(PART "{part: leg, prefix: L_}, {part: leg, prefix: R_, mirror: y}]}\n"));
    ff_spec *both = ff_spec_create(NULL);
    const double pos[3] = {0, 2, 0}, quat[4] = {1, 0, 0, 0};
    CHECK_INT(ff_spec_attach(both, spec, "a_", -1, pos, quat, &report), FF_OK);
    CHECK_INT(ff_spec_attach(both, spec, "b_", -1, pos, quat, &report), FF_OK);
    ff_model *joined = ff_model_compile(both, NULL, &report);
    CHECK(joined);
    CHECK_INT(joined->nleg, 4);
    CHECK_TEXT(joined->legs[0].name, "a_L");
    CHECK_TEXT(joined->legs[3].name, "b_R");
    CHECK_TEXT(joined->joints[joined->legs[3].joints[0]].name, "b_R_hip");
    CHECK_TEXT(joined->legs[3].touch, "b_R_sole");
    ff_model_destroy(joined);
    ff_spec_destroy(both);
    finish();
}

// Further up a description than the leg itself, a joint may be locked; the leg goes on without it.
TEST(a_locked_joint_leaves_the_leg)
{
    char path[400];
    snprintf(path, sizeof path, "%s/robots/anton/anton.yaml", FF_SOURCE_DIR);
    char text[1000];
    snprintf(text, sizeof text,
             "footfall: 1\nimport: \"%s\"\njoints: {\"FL_*\": {type: fixed}, FR_femur: {type: fixed}}\n", path);
    must(load_text(text));
    CHECK_INT(model->nleg, 5);
    CHECK_TEXT(model->legs[0].name, "FR");
    CHECK_INT(model->legs[0].njoint, 2);
    CHECK_TEXT(joint_of(&model->legs[0], 1), "FR_tibia");
    finish();
}

TEST(mistakes_in_writing_are_reported_with_their_place)
{
    refuse("legs: 3\n", 10, 7, "{NAME: {joints: .., foot: .., ");
    refuse("legs:\n  L: 3\n", 11, 6, "joints");
    refuse("legs:\n  L: {foot: foot}\n", 11, 6, "'joints' is missing");
    refuse("legs:\n  L: {joints: [hip]}\n", 11, 6, "'foot' is missing");
    refuse("legs:\n  L: {joints: hip, foot: foot}\n", 11, 15, "from hip to foot");
    refuse("legs:\n  L: {joints: [], foot: foot}\n", 11, 15, "0 joints: a leg has 1 to 8");
    refuse("legs:\n  L: {joints: [hip, hip, hip, hip, hip, hip, hip, hip, hip], foot: foot}\n", 11, 15, "9 joints");
    refuse("legs:\n  L: {joints: [hip], foot: foot, radius: -1}\n", 11, 42,
           "'radius' is -1 m: it must be zero or more");
    refuse("legs:\n  L: {joints: [hip], foot: foot, fort: sole}\n", 11, 34, "unknown key 'fort'");
    refuse("legs:\n  L: {joints: [hip], foot: [foot]}\n", 11, 28, "{frame: .., bodies: ..}");
    refuse("legs:\n  L: {joints: [hip], foot: {bodies: [shank]}}\n", 11, 28, "'frame' is missing");
    refuse("legs:\n  L: {joints: [hip], foot: {frame: foot}}\n", 11, 28, "'bodies' is missing");
    refuse("legs:\n  L: {joints: [hip], foot: {frame: foot, bodies: []}}\n", 11, 50, "0 bodies");
    refuse("legs:\n  L: {joints: [hip], foot: {frame: foot, sole: a}}\n", 11, 42,
           "unknown key 'sole'; known here: frame, bodies");
    refuse("hands: 3\n", 10, 8, "expected {NAME: {frame: .., bodies: ..}, ..} for 'hands'");
    refuse("hands: {left: {frame: foot}}\n", 10, 15, "'bodies' is missing");
    refuse("hands: {left: {bodies: [arm], tool: 3}}\n", 10, 31, "unknown key 'tool'");
    refuse("legs: [L]\n", 10, 8, "no part or import has brought a leg 'L'");
}

TEST(mistakes_in_meaning_are_reported_with_their_place)
{
    refuse("legs:\n  L: {joints: [hip, ankle], foot: foot}\n", 11, 3, "leg \"L\" refers to joint \"ankle\"");
    refuse("legs:\n  L: {joints: [shoulder], foot: foot}\n", 11, 3, "joint \"shoulder\" is ball");
    refuse("legs:\n  L: {joints: [base, hip], foot: foot}\n", 11, 3, "joint \"base\" is free");
    refuse("legs:\n  L: {joints: [knee, hip], foot: foot}\n", 11, 3, "\"hip\" does not hang below joint \"knee\"");
    refuse("legs:\n  L: {joints: [hip, hip], foot: foot}\n", 11, 3, "\"hip\" does not hang below joint \"hip\"");
    refuse("legs:\n  L: {joints: [hip, damper, knee], foot: foot}\n", 11, 3, "does not hang below joint \"damper\"");
    refuse("legs:\n  L: {joints: [hip, knee], foot: sole}\n", 11, 3, "\"sole\", which is neither a frame nor a body");
    refuse("legs:\n  L: {joints: [hip, knee], foot: side}\n", 11, 3,
           "foot \"side\" does not hang below joint \"knee\"");
    refuse("legs:\n  L: {joints: [hip], foot: foot, force: load}\n", 11, 3, "force refers to sensor \"load\"");
    refuse("legs:\n  L: {joints: [hip], foot: foot, touch: load}\n", 11, 3, "touch refers to sensor \"load\"");
    refuse("legs:\n  L: {joints: [hip], foot: {frame: foot, bodies: [shin]}}\n", 11, 3,
           "body \"shin\", which does not exist");
    refuse("legs:\n  L: {joints: [knee], foot: {frame: foot, bodies: [thigh]}}\n", 11, 3,
           "\"thigh\" does not hang below joint \"knee\"");
    refuse("legs:\n  L: {joints: [hip], foot: {frame: foot, bodies: [shank, shank]}}\n", 11, 3, "is named twice");
    refuse("hands: {a: {bodies: [arm]}, b: {bodies: [arm]}}\n", 10, 29, "\"arm\" is named twice, here and by \"a\"");
    refuse("hands: {a: {bodies: [arm], frame: tool}}\n", 10, 9, "\"tool\", which is neither a frame nor a body");
    refuse("legs: {L: {joints: [hip], foot: foot}}\nhands: {L: {bodies: [arm]}}\n", 11, 9, "has this name already");
    refuse("leg: {joints: [hip], foot: foot}\n", 10, 1, "this leg has no name");
}

TEST(lists_that_do_not_name_each_leg_once_are_refused)
{
    CHECK(!load_text(PART "{part: leg, prefix: L_}, {part: leg, prefix: R_}]}\nlegs: [R]\n"));
    CHECK(strstr(report.messages[0].text, "names 1 of 2 legs; 'L' is missing"));
    CHECK_INT(report.messages[0].line, 12);
    CHECK(!load_text(PART "{part: leg, prefix: L_}, {part: leg, prefix: R_}]}\nlegs: [R, L, R]\n"));
    CHECK(strstr(report.messages[0].text, "'R' is named twice"));
    finish();
}

TEST(a_foot_in_another_branch_of_joined_legs_is_refused)
{
    CHECK(!load_text(PART "{part: leg, prefix: L_}, {part: leg, prefix: R_}]}\n"
                          "legs: {L: {joints: [L_hip], foot: R_foot}}\n"));
    CHECK(strstr(report.messages[0].text, "foot \"R_foot\" does not hang below joint \"L_hip\""));
    finish();
}

TEST(walking_on_two_legs_is_described)
{
    must(load("biped: {torso: trunk, sole: [[0.1, 0.05], [0.1, -0.05], [-0.1, 0]], step_time: 0.5}\n"));
    CHECK_INT(model->nbiped, 1);
    CHECK_TEXT(model->bipeds[0].torso, "trunk");
    CHECK_INT(model->bipeds[0].nsole, 3);
    CHECK_NEAR(model->bipeds[0].sole[2][0], -0.1, 0.0);
    CHECK_NEAR(model->bipeds[0].numbers[FF_BIPED_STEP_TIME], 0.5, 0.0);
    CHECK(isnan(model->bipeds[0].numbers[FF_BIPED_LIFT]) && isnan(model->bipeds[0].ahead[0]));
    CHECK(!model->bipeds[0].pose);
    refuse("biped: {torso: thorax}\n", 10, 1, "thorax");
    refuse("biped: {sole: [[0.1, 0.05], [0.1, -0.05]]}\n", 10, 15, "3 to 32");
    refuse("biped: {pressure: {ahead: [0.1, -0.05]}}\n", 10, 27, "lower number first");
    refuse("biped: {step_time: 0}\n", 10, 20, "step_time");
    refuse("biped: {strides: 0}\n", 10, 9, "strides");
}
