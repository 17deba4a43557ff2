// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Files that change what they import: by name and by pattern, only what is given, and never by adding a second thing
// in silence. Poses of the import keep their meaning while joints and actuators come, go and change.
#include "native/native_robot.h"
#include "support/folder.h"

#include <sys/stat.h>

#define SHARED FF_SOURCE_DIR "/../shared/models/mjcf/"

// Two legs of a dog in MJCF, as a maker might give it. Joints in order of the tree: free, FL_hip, FL_knee, FR_hip,
// FR_knee.
static const char DOG[] =
    "<mujoco><worldbody><body name='trunk' pos='0 0 1'><freejoint name='base'/><geom name='hull' type='box' size='.2 "
    ".1 .05'/>"
    "<site name='imu'/>"
    "<body name='FL_thigh' pos='.2 .1 0'><joint name='FL_hip' axis='1 0 0' range='-1 1'/><geom size='.02'/>"
    "<body name='FL_shin' pos='0 0 -.2'><joint name='FL_knee' axis='0 1 0' range='-2 2'/>"
    "<geom name='FL' size='.02' pos='0 0 -.2' friction='.8 .02 .01'/><site name='FL_foot' pos='0 0 -.2'/></body></body>"
    "<body name='FR_thigh' pos='.2 -.1 0'><joint name='FR_hip' axis='1 0 0' range='-1 1'/><geom size='.02'/>"
    "<body name='FR_shin' pos='0 0 -.2'><joint name='FR_knee' axis='0 1 0' range='-2 2'/>"
    "<geom name='FR' size='.02' pos='0 0 -.2' friction='.8 .02 .01'/><site name='FR_foot' pos='0 0 -.2'/></body></body>"
    "</body></worldbody>"
    "<actuator><motor name='FL_hip' joint='FL_hip' ctrlrange='-20 30'/><position name='FL_knee' joint='FL_knee' "
    "kp='50' kv='2'/>"
    "<motor name='FR_hip' joint='FR_hip' ctrlrange='-20 30'/><position name='FR_knee' joint='FR_knee' kp='50' "
    "kv='2'/></actuator>"
    "<sensor><gyro name='turn' site='imu' noise='.1'/><jointpos name='FL_pos' joint='FL_hip'/>"
    "<jointpos name='FR_pos' joint='FR_hip'/></sensor>"
    "<keyframe><key name='home' qpos='0 0 1 1 0 0 0 .1 .2 .3 .4' qvel='.1 .2 0 0 0 0 1 2 3 4' ctrl='5 .2 6 "
    ".4'/></keyframe>"
    "</mujoco>";

/// Loads a file of changes on the dog.
static bool change(const char *text)
{
    static char whole[4000];
    finish();
    write_file("dog.xml", DOG);
    snprintf(whole, sizeof whole, "footfall: 1\nimport: dog.xml\n%s", text);
    const char *path = write_file("changed.yaml", whole);
    spec = ff_spec_create(NULL);
    if (ff_spec_load(spec, path, NULL, &report) == FF_OK) model = ff_model_compile(spec, NULL, &report);
    if (!model && strstr(message(0), "libxml2")) SKIP("built without libxml2");
    return model != NULL;
}

static const ff_actuator *actuator(const char *name)
{
    for (int i = 0; i < model->nactuator; i++)
        if (strcmp(model->actuators[i].name, name) == 0) return &model->actuators[i];
    CHECK_FAIL("no actuator %s", name);
    return NULL;
}

static const ff_geom *shape(const char *name)
{
    for (int i = 0; i < model->ngeom; i++)
        if (model->geoms[i].name && strcmp(model->geoms[i].name, name) == 0) return &model->geoms[i];
    CHECK_FAIL("no shape %s", name);
    return NULL;
}

static const ff_spec_sensor *sensor(const char *name)
{
    for (int i = 0; i < model->nsensor; i++)
        if (strcmp(model->sensors[i].name, name) == 0) return &model->sensors[i];
    CHECK_FAIL("no sensor %s", name);
    return NULL;
}

static const ff_joint *joint(const char *name)
{
    const int index = ff_model_find_joint(model, name);
    if (index < 0) CHECK_FAIL("no joint %s", name);
    return &model->joints[index];
}

// ------------------------------------------------------------------------------------------ actuators

TEST(actuators_change_by_pattern_and_keep_what_is_not_given)
{
    must(change("actuators: {\"*_hip\": {type: position, kp: 40, kd: 1}, FR_knee: {kp: 70}, FL_knee: {kd: 3, gear: 2, "
                "force: [-9, 9], command: [-1, 1]}}\n"));
    CHECK_INT(model->nactuator, 4);
    for (int i = 0; i < 2; i++) {
        const ff_actuator *hip = actuator(i ? "FL_hip" : "FR_hip");
        CHECK_INT(hip->type, FF_ACTUATOR_POSITION);
        CHECK_NEAR(hip->gain, 40, 0.0);
        CHECK_NEAR(hip->bias[1], -40, 0.0);
        CHECK_NEAR(hip->bias[2], -1, 0.0);
        CHECK(!hip->command_limited); // it was a torque
        CHECK(hip->force_limited);    // which bounded the force
        CHECK_NEAR(hip->force_range[0], -20, 0.0);
        CHECK_NEAR(hip->force_range[1], 30, 0.0);
    }
    const ff_actuator *right = actuator("FR_knee"), *left = actuator("FL_knee");
    CHECK_NEAR(right->gain, 70, 0.0);
    CHECK_NEAR(right->bias[1], -70, 0.0);
    CHECK_NEAR(right->bias[2], -2, 0.0);
    CHECK_NEAR(left->gain, 50, 0.0);
    CHECK_NEAR(left->bias[2], -3, 0.0);
    CHECK_NEAR(left->gear, 2, 0.0);
    CHECK(left->force_limited && left->command_limited && !right->force_limited);
    CHECK_NEAR(left->force_range[1], 9, 0.0);
    must(change("actuators: {FL_hip: {command: none, force: [-5, 5]}, third: {joint: FL_hip, gain: 2}}\n"));
    CHECK_INT(model->nactuator, 5);
    CHECK(!actuator("FL_hip")->command_limited);
    CHECK_INT(actuator("FL_hip")->type, FF_ACTUATOR_MOTOR);
    CHECK_NEAR(actuator("third")->gain, 2, 0.0);
    finish();
}

TEST(actuators_that_are_not_there_and_gains_that_do_not_fit_are_refused)
{
    must_report(change("actuators: {\"*_hpi\": {kp: 1}}\n"), 3, 13,
                "no actuator fits the pattern '*_hpi' to change; did you mean 'F");
    must_report(change("actuators: {FL_hop: {gear: 1}}\n"), 3, 13,
                "no actuator 'FL_hop' to change; did you mean 'FL_hip'? a new one needs a 'joint'");
    must_report(change("actuators: {wheel: {gear: 1}}\n"), 3, 13, "to change; a new one needs a 'joint'");
    must_report(change("actuators: {\"*\": {kp: 40}}\n"), 3, 19, "is of type motor, which has no 'kp'");
    must_report(change("actuators: {FL_knee: {gain: 4}}\n"), 3, 23, "is of type position, which has no 'gain'");
    must_report(change("actuators: {FL_knee: {joint: nowhere}}\n"), 3, 13, "\"nowhere\", which does not exist");
    must_report(change("actuators: {FL_knee: {kpp: 4}}\n"), 3, 23, "unknown key 'kpp'; did you mean 'kp'?");
    must_report(change("actuators: {\"*_knee\": {kp: high}}\n"), 3, 28, "high");
    CHECK_INT(report.errors, 1); // once, not for each of the two
    finish();
}

// ------------------------------------------------------------------------------------------ shapes and frames

TEST(shapes_of_a_map_are_changed_and_those_of_a_list_added)
{
    must(change(
        "shapes: {\"F*\": {material: rubber-foot}, FL: {sphere: 0.03, color: [1, 0, 0]}, hull: {pos: [0, 0, 0.1]}}\n"));
    CHECK_INT(model->ngeom, 5); // no second foot
    CHECK_TEXT(shape("FL")->material, "rubber-foot");
    CHECK_TEXT(shape("FR")->material, "rubber-foot");
    CHECK(!shape("hull")->material);
    CHECK_NEAR(shape("FL")->shape.size[0], 0.03, 0.0);
    CHECK_NEAR(shape("FR")->shape.size[0], 0.02, 0.0);
    CHECK_NEAR(shape("FL")->pos[2], -0.2, 0.0); // stays in its place
    CHECK_NEAR(shape("FL")->friction[1], 0.02, 0.0);
    CHECK_NEAR(shape("FL")->rgba[0], 1, 0.0);
    CHECK_NEAR(shape("hull")->pos[2], 0.1, 0.0);
    must(change("shapes: {FL: {capsule: {from: [0, 0, 0], to: [0, 0, -0.2], radius: 0.01}}}\n"
                "bodies: {FL_shin: {shapes: [{name: toe, sphere: 0.01}]}}\n"));
    CHECK_INT(model->ngeom, 6);
    CHECK_INT(shape("FL")->shape.type, FF_SHAPE_CAPSULE);
    CHECK_NEAR(shape("FL")->pos[2], -0.1, 1e-17); // between its ends
    CHECK_NEAR(shape("FL")->shape.size[1], 0.1, 1e-17);
    must(change("shapes: [{name: floor, plane: [1, 1]}]\n"));
    CHECK_INT(model->ngeom, 6);
    CHECK_INT(shape("floor")->body, -1);
    finish();
}

TEST(shapes_are_found_by_their_body_where_they_have_no_name)
{
    must(change("bodies: {\"*_thigh\": {shapes: {\"*\": {material: rubber-foot, density: 500}}}}\n"));
    int changed = 0;
    for (int i = 0; i < model->ngeom; i++) {
        const bool thigh =
            strstr(model->bodies[model->geoms[i].body < 0 ? 0 : model->geoms[i].body].name, "thigh") != NULL;
        changed += model->geoms[i].material != NULL;
        if (thigh != (model->geoms[i].material != NULL)) CHECK_FAIL("shape %d of the wrong body", i);
    }
    CHECK_INT(changed, 2);
    const double volume = 4.0 / 3.0 * FF_PI * 8e-6;
    CHECK_NEAR(model->bodies[ff_model_find_body(model, "FL_thigh")].mass, 500 * volume,
               1e-12); // it weighs by its shape
    finish();
}

TEST(shapes_that_are_not_there_are_refused)
{
    must_report(change("shapes: {FX: {material: rubber-foot}}\n"), 3, 10, "no shape 'FX' to change; did you mean 'F");
    must_report(change("shapes: {toe: {sphere: 1}}\n"), 3, 10, "new ones are items of a list");
    must_report(change("shapes: {\"toe*\": {sphere: 1}}\n"), 3, 10, "no shape fits the pattern 'toe*'");
    must_report(change("bodies: {FR_shin: {shapes: {FL: {sphere: 1}}}}\n"), 3, 29,
                "no shape 'FL' to change; did you mean 'FR'?");
    must_report(change("bodies: {FL_shin: {shapes: [{name: FL, sphere: 0.03}]}}\n"), 3, 36,
                "shape 'FL' exists already");
    must_report(change("shapes: {FL: {material: rubbre-foot}}\n"), 3, 25, "rubber-foot");
    must_report(change("shapes: {FL: {sphere: 1, box: [1, 1, 1]}}\n"), 3, 14, "not 2 of them");
    must_report(change("shapes: {FL: {colour: [1, 0, 0]}}\n"), 3, 15, "unknown key 'colour'; did you mean 'color'?");
    finish();
}

TEST(frames_move_by_name_and_pattern)
{
    must(change("frames: {\"*_foot\": {pos: [0, 0, -0.25]}, imu: {rpy: [0, 0, 90 deg]}, mark: {pos: [1, 0, 0]}}\n"));
    CHECK_INT(model->nframe, 4);
    const ff_frame *left = &model->frames[ff_model_find_frame(model, "FL_foot")];
    CHECK_NEAR(left->pos[2], -0.25, 0.0);
    CHECK_INT(left->body, ff_model_find_body(model, "FL_shin"));
    CHECK_NEAR(model->frames[ff_model_find_frame(model, "FR_foot")].pos[2], -0.25, 0.0);
    CHECK_NEAR(model->frames[ff_model_find_frame(model, "imu")].quat[3], sqrt(0.5), 1e-15);
    CHECK_INT(model->frames[ff_model_find_frame(model, "mark")].body, -1);
    must(change("bodies: {FL_shin: {frames: {FL_foot: {pos: [0, 0, -0.3]}, toe: {pos: [0.1, 0, 0]}}}}\n"));
    CHECK_INT(model->nframe, 4);
    CHECK_NEAR(model->frames[ff_model_find_frame(model, "FL_foot")].pos[2], -0.3, 0.0);
    must_report(change("frames: {\"*_paw\": {pos: [0, 0, 0]}}\n"), 3, 10, "no frame fits the pattern '*_paw'");
    must_report(change("frames: {imu: {at: [0, 0, 0]}}\n"), 3, 16, "unknown key 'at'");
    finish();
}

// ------------------------------------------------------------------------------------------ bodies and joints

TEST(bodies_change_by_name_and_pattern_and_new_ones_name_their_parent)
{
    must(change("bodies:\n  \"*_shin\": {inertial: {mass: 0.5, sphere: 0.1}, joint: {damping: 2}}\n"
                "  FL_thigh: {pos: [0.3, 0.1, 0]}\n  tail: {parent: trunk, pos: [-0.3, 0, 0]}\n"));
    CHECK_INT(model->njoint, 5); // no joint more
    CHECK_NEAR(model->bodies[ff_model_find_body(model, "FR_shin")].mass, 0.5, 0.0);
    CHECK_NEAR(model->bodies[ff_model_find_body(model, "FL_shin")].mass, 0.5, 0.0);
    CHECK_NEAR(joint("FL_knee")->damping, 2, 0.0);
    CHECK(joint("FL_knee")->limited); // kept
    CHECK_NEAR(joint("FL_hip")->damping, 0, 0.0);
    must(change("bodies: {tail_shin: {parent: trunk}, \"*_shin\": {inertial: {mass: 0.5, sphere: 0.1}}}\n"));
    CHECK_NEAR(model->bodies[ff_model_find_body(model, "tail_shin")].mass, 0.0, 0.0); // not of the import
    must(change("bodies: {FL_shin: {joints: {FL_knee: {damping: 3}, FL_twist: {axis: z, armature: 1}}}}\n"));
    CHECK_INT(model->njoint, 6);
    CHECK_NEAR(joint("FL_knee")->damping, 3, 0.0);
    CHECK_NEAR(joint("FL_twist")->axis[2], 1, 0.0);
    must_report(change("bodies: {trnuk: {inertial: {mass: 1, sphere: 1}}}\n"), 3, 10,
                "no body 'trnuk' to change; did you mean 'trunk'? a new one beside an import names its 'parent'");
    must_report(change("bodies: {\"*_calf\": {pos: [0, 0, 0]}}\n"), 3, 10, "no body fits the pattern '*_calf'");
    must_report(change("bodies: {\"*_shin\": {frames: {toe: {}}}}\n"), 3, 21, "does not go with a pattern of bodies");
    must_report(change("bodies: {trunk: {bodies: {\"*_shin\": {}}}}\n"), 3, 27, "at the top of 'bodies'");
    must_report(change("bodies: {trunk: {bodies: {FL_shin: {}}}}\n"), 3, 27,
                "bodies of an import are changed at the top");
    must_report(change("bodies: {FL_shin: {parent: trunk}}\n"), 3, 20, "keeps its parent");
    must_report(change("bodies: {FL_shin: {joint: {name: other}}}\n"), 3, 20, "has 1 joint already, such as 'FL_knee'");
    finish();
}

/// Loads a file with a constant that imports the ball below.
static bool import_ball(const char *ball)
{
    finish();
    write_file("ball.yaml", ball);
    const char *path = write_file("both.yaml", "footfall: 1\nconstants: {load: 5}\nimport: ball.yaml\n"
                                               "bodies: {box: {parent: ball, inertial: {mass: load, sphere: 0.1}}}\n");
    spec = ff_spec_create(NULL);
    return ff_spec_load(spec, path, NULL, &report) == FF_OK;
}

TEST(constants_stay_with_their_file)
{
    CHECK(import_ball("footfall: 1\nconstants: {load: 2}\n"
                      "bodies: {ball: {joint: free, inertial: {mass: 3 * load, sphere: 0.1}}}\n"));
    CHECK_NEAR(spec->bodies[0].mass, 6.0, 0.0);
    CHECK_NEAR(spec->bodies[1].mass, 5.0, 0.0);
    CHECK(!import_ball("footfall: 1\nbodies: {ball: {joint: free, inertial: {mass: load, sphere: 0.1}}}\n"));
    CHECK_SAYS(message(0), "no 'load' in the constants of this file");
    finish();
}

TEST(a_body_of_the_import_may_get_many_children)
{
    char text[2000];
    size_t length = (size_t)sprintf(text, "bodies: {FR_shin: {bodies: {");
    for (int i = 0; i < 50; i++) length += (size_t)sprintf(text + length, "toe%d: {}, ", i);
    sprintf(text + length, "claw: {}}}}\n");
    must(change(text)); // while the list of bodies grows
    CHECK_INT(model->nbody, 5 + 51);
    CHECK_INT(model->bodies[ff_model_find_body(model, "toe49")].parent, ff_model_find_body(model, "FR_shin"));
    finish();
}

TEST(joints_change_by_name_and_pattern)
{
    must(change("joints: {\"*_knee\": {damping: 2, type: hinge}, FL_knee: {range: none}}\n"));
    CHECK_NEAR(joint("FR_knee")->damping, 2, 0.0);
    CHECK(joint("FR_knee")->limited && !joint("FL_knee")->limited);
    must_report(change("joints: {\"*_nkee\": {damping: 2}}\n"), 3, 10,
                "no joint fits the pattern '*_nkee' to change; did you mean 'F");
    must_report(change("joints: {FL_kne: {damping: 2}}\n"), 3, 10,
                "no joint 'FL_kne' to change; did you mean 'FL_knee'? new joints are written under their body");
    must_report(change("joints: {FL_knee: {dampin: 2}}\n"), 3, 20, "unknown key 'dampin'");
    must_report(change("joints: {FL_knee: {range: [2, 1]}}\n"), 3, 10,
                "lies above upper limit"); // here, not in the import
    finish();
}

// ------------------------------------------------------------------------------------------ sensors and drives

static double number(const ff_spec_setting *settings, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(settings[i].name, name) == 0 && settings[i].count == 1) return settings[i].values[0];
    return NAN;
}

TEST(sensors_change_by_name_and_pattern_and_a_type_replaces_them)
{
    must(change("sensors: {\"*_pos\": {rate: 200}, FL_pos: {joint: FL_knee}, turn: {noise: 0.3}, more: {type: gyro, "
                "body: trunk}}\n"));
    CHECK_INT(model->nsensor, 4);
    CHECK_TEXT(sensor("FR_pos")->type, sensor("FL_pos")->type);
    CHECK_NEAR(number(sensor("FR_pos")->settings, sensor("FR_pos")->nsetting, "rate"), 200, 0.0);
    CHECK_NEAR(number(sensor("FL_pos")->settings, sensor("FL_pos")->nsetting, "rate"), 200, 0.0);
    CHECK_TEXT(sensor("FL_pos")->object, "FL_knee");
    CHECK_TEXT(sensor("FR_pos")->object, "FR_hip");
    CHECK_NEAR(sensor("turn")->noise, 0.3, 0.0);
    must(change("sensors: {turn: {type: accelerometer}}\n"));
    CHECK_TEXT(sensor("turn")->object, "imu");
    CHECK_NEAR(sensor("turn")->noise, 0, 0.0);
    must_report(change("sensors: {\"*_speed\": {rate: 1}}\n"), 3, 11, "no sensor fits the pattern '*_speed'");
    must_report(change("sensors: {trun: {rate: 1}}\n"), 3, 11,
                "no sensor 'trun' to change; did you mean 'turn'? a new one has a 'type' or 'preset'");
    must_report(change("sensors: {\"*_pos\": {joints: \"*\"}}\n"), 3, 21, "makes several new sensors");
    must_report(change("sensors: {turn: {body: trunk, frame: imu}}\n"), 3, 17, "exactly one of joint, frame");
    finish();
}

static const ff_spec_drive *drive(const char *name)
{
    for (int i = 0; i < model->ndrive; i++)
        if (strcmp(model->drives[i].name, name) == 0) return &model->drives[i];
    CHECK_FAIL("no drive %s", name);
    return NULL;
}

static double setting(const char *name, const char *key)
{
    return number(drive(name)->settings, drive(name)->nsetting, key);
}

static const char ARM[] =
    "footfall: 1\nbodies:\n"
    "  a: {joint: {axis: x, drive: {kind: dc, gear: 10, rotor: 1e-4, torque: 5, motor: {power: 10},\n"
    "    transmission: {kind: flexible, stiffness: 100}}}, inertial: {mass: 1, sphere: 0.1}}\n"
    "  b: {parent: a, joint: {axis: x, drive: {torque: 3}}, inertial: {mass: 1, sphere: 0.1}}\n"
    "  c: {parent: b, joint: {axis: x}, inertial: {mass: 1, sphere: 0.1}}\n"
    "drives: {cable: {joints: [a, b], kind: none, cable: {stiffness: 1}},\n"
    "  tendon: {joint: c, kind: none, cable: {stiffness: 3}}}\n";

static bool change_arm(const char *text)
{
    static char whole[2000];
    finish();
    write_file("arm.yaml", ARM);
    snprintf(whole, sizeof whole, "footfall: 1\nimport: arm.yaml\n%s", text);
    model = ff_model_load(write_file("changed_arm.yaml", whole), NULL, &report);
    return model != NULL;
}

TEST(drives_change_by_name_and_pattern_and_a_kind_replaces_them)
{
    must(change_arm("drives: {a: {gear: 20, motor: {power: 12}}, cable: {cable: {stiffness: 2}}}\n"));
    CHECK_INT(model->ndrive, 4);
    CHECK_INT(model->nactuator, 2);
    CHECK_NEAR(setting("a", "gear"), 20, 0.0);
    CHECK_NEAR(setting("a", "motor.power"), 12, 0.0);
    CHECK_NEAR(setting("a", "transmission.stiffness"), 100, 0.0); // left as it was
    CHECK_NEAR(joint("a")->armature, 0.04, 1e-17);                // rotor * gear^2, with the rotor of the import
    CHECK_NEAR(joint("a")->effort, 5, 0.0);
    CHECK_NEAR(setting("cable", "cable.stiffness"), 2, 0.0);
    CHECK_TEXT(drive("cable")->joint[1], "b");
    must(change_arm("joints: {a: {drive: {torque: 7}}, \"b*\": {drive: {torque: 7}}}\n"));
    CHECK_INT(model->ndrive, 4);
    CHECK_NEAR(setting("a", "gear"), 10, 0.0);
    CHECK_NEAR(setting("a", "torque"), 7, 0.0);
    CHECK_NEAR(joint("b")->effort, 7, 0.0);
    CHECK_NEAR(actuator("b")->force_range[1], 7, 0.0);
    CHECK_NEAR(joint("a")->armature, 0.01, 1e-17);
    must(change_arm("drives: {b: {gear: 2, torque: 8}}\nactuators: {b: {type: position, kp: 9}}\n"));
    CHECK_INT(actuator("b")->type, FF_ACTUATOR_POSITION); // actuators come after drives, whatever the order
    CHECK_NEAR(actuator("b")->force_range[1], 8, 0.0);
    must(change_arm("drives: {a: {transmission: {kind: rigid}}}\n")); // replaces a group
    CHECK(isnan(setting("a", "transmission.stiffness")));
    CHECK_NEAR(setting("a", "motor.power"), 10, 0.0);
    must(change_arm("joints: {a: {drive: {kind: ideal, torque: 2}}}\n")); // replaces all
    CHECK(isnan(setting("a", "gear")) && isnan(setting("a", "motor.power")));
    CHECK_NEAR(joint("a")->armature, 0.0, 0.0); // the rotor is gone
    must(change_arm("joints: {a: {armature: 0.3, drive: {kind: ideal, torque: 2}}}\n"));
    CHECK_NEAR(joint("a")->armature, 0.3, 0.0);
    must(change_arm(
        "joints: {c: {drive: {kind: ideal, torque: 2}}}\n")); // beside the cable, which is not the joint's own
    CHECK_INT(model->ndrive, 5);
    CHECK_NEAR(setting("tendon", "cable.stiffness"), 3, 0.0);
    CHECK_NEAR(setting("c", "torque"), 2, 0.0);
    must(change_arm("joints: {b: {drive: {name: winch, torque: 2}}, a: {drive: {torque: 4}}}\n"));
    CHECK_INT(model->ndrive, 5);
    CHECK_NEAR(setting("b", "torque"), 3, 0.0);
    CHECK_NEAR(setting("winch", "torque"), 2, 0.0);
    must_report(change_arm("drives: {\"*_hip\": {torque: 1}}\n"), 3, 10, "no drive fits the pattern '*_hip'");
    must_report(change_arm("drives: {cabel: {kind: none}}\n"), 3, 10,
                "no drive 'cabel' to change; did you mean 'cable'? a new one needs either 'joint' or 'joints'");
    must_report(change_arm("drives: {a: {joint: b, torque: 1}}\n"), 3, 10, "is that of joint 'a' already");
    finish();
}

// ------------------------------------------------------------------------------------------ poses

static double q_of(const char *name)
{
    return model->keys[0].q[joint(name)->qadr];
}

static double v_of(const char *name)
{
    return model->keys[0].v[joint(name)->vadr];
}

static double command_of(const char *name)
{
    return model->keys[0].command[actuator(name) - model->actuators];
}

TEST(poses_of_an_import_follow_joints_that_are_locked_and_added)
{
    must(change("joints: {FL_knee: {type: fixed}, FR_hip: {ref: 1}}\n"
                "bodies: {trunk: {bodies: {neck: {joint: {axis: y, ref: 0.7}, inertial: {mass: 1, sphere: 0.1},\n"
                "  bodies: {head: {joint: ball, inertial: {mass: 1, sphere: 0.1}}}}}},\n"
                "  FL_thigh: {joints: {before: {axis: z, armature: 1}}}}\n"
                "actuators: {neck: {joint: neck, type: position, kp: 5, gear: 3}, push: {joint: neck}}\n"));
    CHECK_INT(model->nkey, 1);
    CHECK_NEAR(q_of("FL_hip"), 0.1, 0.0);
    CHECK_NEAR(q_of("FR_hip"), 1.3, 1e-15); // the same pose in the new coordinate
    CHECK_NEAR(q_of("FR_knee"), 0.4, 0.0);
    CHECK_NEAR(q_of("neck"), 0.7, 0.0); // new joints stand at their reference
    CHECK_NEAR(q_of("before"), 0.0, 0.0);
    CHECK_NEAR(q_of("head"), 1.0, 0.0);
    CHECK_NEAR(model->keys[0].q[2], 1.0, 0.0);
    CHECK_NEAR(v_of("FL_hip"), 1, 0.0);
    CHECK_NEAR(v_of("FR_hip"), 3, 0.0);
    CHECK_NEAR(v_of("FR_knee"), 4, 0.0);
    CHECK_NEAR(v_of("neck"), 0, 0.0);
    CHECK_INT(model->nactuator, 5);
    CHECK_NEAR(command_of("FL_hip"), 5, 0.0);
    CHECK_NEAR(command_of("FR_hip"), 6, 0.0);
    CHECK_NEAR(command_of("FR_knee"), 0.4, 0.0);
    CHECK_NEAR(command_of("neck"), 2.1, 1e-15); // holds the pose: gear q
    CHECK_NEAR(command_of("push"), 0, 0.0);
    finish();
}

TEST(commands_of_a_pose_follow_actuators_of_another_type_or_gear)
{
    must(change("actuators: {\"*_hip\": {type: position, kp: 40}, FL_knee: {gear: 2}, FR_knee: {type: motor}}\n"));
    CHECK_NEAR(command_of("FL_hip"), 0.1, 0.0); // the pose, and no longer a torque of 5
    CHECK_NEAR(command_of("FR_hip"), 0.3, 0.0);
    CHECK_NEAR(command_of("FL_knee"), 0.4, 1e-16); // twice the angle
    CHECK_NEAR(command_of("FR_knee"), 0, 0.0);
    must(change("joints: {FR_knee: {ref: 0.5}}\n"));
    CHECK_NEAR(q_of("FR_knee"), 0.9, 1e-15);
    CHECK_NEAR(command_of("FR_knee"), 0.9, 1e-15);
    must(change("poses: {low: {\"*_knee\": 1}}\n")); // poses of this file stand beside
    CHECK_INT(model->nkey, 2);
    CHECK_NEAR(q_of("FL_knee"), 0.2, 0.0);
    CHECK_NEAR(model->keys[1].q[joint("FL_knee")->qadr], 1, 0.0);
    finish();
}

TEST(free_bodies_of_a_pose_follow_an_import_that_is_placed_elsewhere)
{
    write_file("dog.xml", DOG);
    finish();
    model = ff_model_load(write_file("placed.yaml", "footfall: 1\n"
                                                    "import: {file: dog.xml, pos: [5, 0, 2], rpy: [0, 0, 90 deg]}\n"),
                          NULL, &report);
    if (!model && strstr(message(0), "libxml2")) SKIP("built without libxml2");
    if (!model) CHECK_FAIL("refused: %s", message(0));
    const ff_key *home = &model->keys[0];
    for (int i = 0; i < 7; i++) CHECK_NEAR(home->q[i], model->q0[i], 1e-15); // the pose of the file is its rest
    CHECK_NEAR(home->q[2], 3.0, 0.0);
    CHECK_NEAR(home->q[6], sqrt(0.5), 1e-15);
    CHECK_NEAR(home->v[0], -0.2, 1e-16); // 0.1 along x and 0.2 along y, turned by 90 degrees
    CHECK_NEAR(home->v[1], 0.1, 1e-16);
    CHECK_NEAR(q_of("FR_knee"), 0.4, 0.0);
    finish();
}

TEST(changes_of_a_changed_import_reach_what_the_first_left)
{
    must(change("actuators: {\"*_hip\": {type: position, kp: 40}}\njoints: {FL_knee: fixed}\n"));
    const char *path = write_file("again.yaml", "footfall: 1\nimport: changed.yaml\n"
                                                "actuators: {FL_hip: {kd: 3}}\njoints: {FR_hip: {type: fixed}}\n");
    finish();
    model = ff_model_load(path, NULL, &report);
    if (!model) CHECK_FAIL("refused: %s", message(0));
    CHECK_INT(model->nactuator, 2);
    CHECK_NEAR(actuator("FL_hip")->gain, 40, 0.0);
    CHECK_NEAR(actuator("FL_hip")->bias[2], -3, 0.0);
    CHECK_NEAR(q_of("FR_knee"), 0.4, 0.0);
    CHECK_NEAR(v_of("FL_hip"), 1, 0.0);
    CHECK_NEAR(v_of("FR_knee"), 4, 0.0);
    CHECK_NEAR(command_of("FL_hip"), 0.1, 0.0);
    CHECK_NEAR(command_of("FR_knee"), 0.4, 0.0);
    finish();
}

// ------------------------------------------------------------------------------------------ bounds, and a real robot

TEST(changes_of_thousands_by_thousands_are_refused)
{
    static char text[4000000];
    if (CHECK_LASTS(0, 1)) SKIP("two million characters, which the reader takes as it takes few");
    size_t length = (size_t)sprintf(text, "footfall: 1\nbodies:\n");
    for (int i = 0; i < 9000; i++)
        length += (size_t)sprintf(text + length, "  b%d: {joint: {axis: x}, inertial: {mass: 1, sphere: 1}}\n", i);
    length += (size_t)sprintf(text + length, "joints:\n");
    for (int i = 0; i < 9000; i++) length += (size_t)sprintf(text + length, "  \"b*%d\": {damping: 1}\n", i);
    CHECK(!load_text(text));
    CHECK_SAYS(message(0), "too many changes by name or pattern");
    finish();
}

TEST(the_position_actuators_of_a_quadruped_become_softer_and_its_feet_rubber)
{
    struct stat there;
    if (stat(SHARED "unitree_a1/a1_nomesh.xml", &there) != 0) SKIP("no shared models");
    finish();
    const char *path =
        write_file("a1.yaml", "footfall: 1\nimport: " SHARED "unitree_a1/a1_nomesh.xml\n"
                              "actuators: {\"*_hip\": {kp: 40, kd: 1}, \"*_calf\": {type: motor, force: [-10, 10]}}\n"
                              "bodies: {\"*_calf\": {shapes: {\"*\": {material: rubber-foot}}}}\n"
                              "joints: {\"R*_hip_joint\": {type: fixed}}\n");
    model = ff_model_load(path, NULL, &report);
    if (!model && strstr(message(0), "libxml2")) SKIP("built without libxml2");
    if (!model) CHECK_FAIL("refused: %s", message(0));
    CHECK_INT(model->nactuator, 10);
    CHECK_INT(model->nq, 7 + 10);
    CHECK_NEAR(actuator("FL_hip")->gain, 40, 0.0);
    CHECK_NEAR(actuator("FL_hip")->force_range[1], 33.5, 0.0); // as the file says
    CHECK_NEAR(actuator("FL_thigh")->gain, 100, 0.0);
    CHECK_INT(actuator("RL_calf")->type, FF_ACTUATOR_MOTOR);
    CHECK_NEAR(q_of("RR_calf_joint"), -1.8, 0.0); // "home" of the file
    CHECK_NEAR(q_of("FL_thigh_joint"), 0.9, 0.0);
    CHECK_NEAR(command_of("RL_thigh"), 0.9, 0.0);
    CHECK_NEAR(command_of("RL_calf"), 0, 0.0);
    int rubber = 0;
    for (int i = 0; i < model->ngeom; i++)
        rubber += model->geoms[i].material && strcmp(model->geoms[i].material, "rubber-foot") == 0;
    CHECK(rubber >= 12); // two capsules and a foot of each calf
    finish();
}
