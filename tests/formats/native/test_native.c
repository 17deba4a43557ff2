// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Native robot files: what is written is what the model says, mirrored parts are mirror images, imports can be changed,
// and bad files are refused with their place.
#include "native/native_robot.h"
#include "support/folder.h"

#include <footfall/dyn.h>
#include <footfall/load.h>
#include <sys/stat.h>

/// Parses and compiles "footfall: 1" and the text.
static bool load(const char *text)
{
    return load_after("footfall: 1\n", text);
}

static void must_load(const char *text)
{
    if (!load(text)) CHECK_FAIL("refused: %s", message(0));
}

static const ff_body *body(const char *name)
{
    int index = ff_model_find_body(model, name);
    if (index < 0) CHECK_FAIL("no body %s", name);
    return &model->bodies[index];
}

static const ff_joint *joint(const char *name)
{
    int index = ff_model_find_joint(model, name);
    if (index < 0) CHECK_FAIL("no joint %s", name);
    return &model->joints[index];
}

TEST(solids_have_the_moments_of_the_tables)
{
    must_load(
        "bodies:\n"
        "  box: {joint: free, inertial: {mass: 12, box: [1, 2, 3]}}\n"
        "  ball: {joint: free, inertial: {mass: 5, sphere: 2, com: [1, 0, 0]}}\n"
        "  drum: {joint: free, inertial: {mass: 12, cylinder: {radius: 1, length: 2}, rpy: [90 deg, 0, 0]}}\n"
        "  rod: {joint: free, inertial: {mass: 12, rod: {from: [1, 0, 0], to: [3, 0, 0], radius: 0.5}}}\n"
        "  sum: {joint: free, inertial: [{mass: 1, com: [1, 0, 0], inertia: [0, 0, 0]},\n"
        "                                {mass: 1, com: [-1, 0, 0], inertia: [0, 0, 0]}, {mass: 2, sphere: 1}]}\n");
    static const struct {
        const char *name;
        double com_x, xx, yy, zz;
    } expected[] = {{"box", 0, 13, 10, 5}, // m (b^2 + c^2) / 12
                    {"ball", 1, 8, 8, 8},  // 2 m r^2 / 5
                    {"drum", 0, 7, 6, 7},  // m (3 r^2 + l^2) / 12 across, m r^2 / 2 along, here y
                    {"rod", 2, 1.5, 4, 4}, // m l^2 / 12 across, m r^2 / 2 along, here x
                    {"sum", 0, 0.8, 2.8, 2.8}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const ff_body *b = body(expected[i].name);
        CHECK_NEAR(b->com[0], expected[i].com_x, 1e-15);
        CHECK_NEAR(b->inertia[0], expected[i].xx, 1e-14);
        CHECK_NEAR(b->inertia[1], expected[i].yy, 1e-14);
        CHECK_NEAR(b->inertia[2], expected[i].zz, 1e-14);
    }
    finish();
}

TEST(joints_keep_every_number)
{
    must_load("bodies:\n"
              "  arm:\n"
              "    inertial: {mass: 1, sphere: 1}\n"
              "    joint:\n"
              "      name: shoulder\n"
              "      type: hinge\n"
              "      axis: -y\n"
              "      pos: [0, 0, 0.1]\n"
              "      ref: 10 deg\n"
              "      range: [-90 deg, 90 deg]\n"
              "      stop: {stiffness: 500, damping: 5}\n"
              "      spring: {stiffness: 20, rest: 0.1}\n"
              "      damping: 0.3\n"
              "      dry_friction: {level: 0.2, speed: 0.01}\n"
              "      drive: {gear: 100, rotor: 1e-6, torque: 7, speed: 60 rpm}\n"
              "    bodies:\n"
              "      slider: {inertial: {mass: 1, sphere: 1}, joint: {type: slide, axis: [1, 1, 0], range: [0, 1]}}\n");
    const ff_joint *j = joint("shoulder");
    CHECK_INT(j->type, FF_JOINT_HINGE);
    CHECK_NEAR(j->axis[1], -1.0, 0.0);
    CHECK_NEAR(j->pos[2], 0.1, 0.0);
    CHECK_NEAR(j->range[1], FF_PI / 2, 1e-15);
    CHECK(j->limited);
    CHECK_NEAR(j->stop_stiffness, 500, 0.0);
    CHECK_NEAR(j->stop_damping, 5, 0.0);
    CHECK_NEAR(j->stiffness, 20, 0.0);
    CHECK_NEAR(j->spring_ref, 0.1, 0.0);
    CHECK_NEAR(j->damping, 0.3, 0.0);
    CHECK_NEAR(j->dry_friction, 0.2, 0.0);
    CHECK_NEAR(j->dry_speed, 0.01, 0.0);
    CHECK_NEAR(j->armature, 0.01, 1e-17); // rotor * gear^2
    CHECK_NEAR(j->effort, 7, 0.0);
    CHECK_NEAR(j->speed, 2 * FF_PI, 1e-15);
    CHECK_NEAR(model->q0[j->qadr], 10 * FF_PI / 180, 1e-16);
    CHECK_INT(joint("slider")->type, FF_JOINT_SLIDE); // named after its body
    CHECK_NEAR(joint("slider")->axis[0], sqrt(0.5), 1e-15);
    CHECK_INT(model->nactuator, 1);
    CHECK_TEXT(model->actuators[0].name, "shoulder");
    CHECK_NEAR(model->actuators[0].force_range[0], -7, 0.0);
    finish();
}

TEST(stops_of_joints_have_the_numbers_of_the_file_zero_too_and_defaults_where_it_has_none)
{
#define ARM(stop) "bodies: {arm: {inertial: {mass: 1, sphere: 1}, joint: {axis: y, range: [0, 1], stop: " stop "}}}\n"
    must_load(ARM("{damping: 0}"));
    CHECK_NEAR(joint("arm")->stop_damping, 0, 0.0);
    CHECK_NEAR(joint("arm")->stop_stiffness, 1000, 0.0);
    must_load(ARM("{stiffness: 7}"));
    CHECK_NEAR(joint("arm")->stop_damping, 10, 0.0);
    CHECK_NEAR(joint("arm")->stop_stiffness, 7, 0.0);
    CHECK(!load(ARM("{stiffness: 0}")));
    CHECK_SAYS(message(0), "stiffness");
    finish();
#undef ARM
}

TEST(shapes_take_full_lengths_and_ends)
{
    must_load("bodies:\n"
              "  b:\n"
              "    joint: free\n"
              "    inertial: shapes\n"
              "    shapes:\n"
              "      - {box: [1, 2, 3], mass: 12, name: crate, role: collision, friction: 0.7}\n"
              "      - {capsule: {from: [0, 0, 0], to: [0, 2, 0], radius: 0.1}, color: [1, 0, 0]}\n"
              "      - {plane: [4, 4], role: visual}\n");
    CHECK_INT(model->ngeom, 3);
    const ff_geom *g = model->geoms;
    CHECK_NEAR(g[0].shape.size[2], 1.5, 0.0);
    CHECK_NEAR(g[0].friction[0], 0.7, 0.0);
    CHECK_INT(g[0].role, FF_GEOM_COLLISION);
    CHECK_NEAR(g[1].pos[1], 1.0, 0.0);
    CHECK_NEAR(g[1].shape.size[1], 1.0, 0.0);
    double z[3] = {0, 0, 1}, along[3];
    ff_quat_rotate(along, g[1].quat, z);
    CHECK_NEAR(along[1], 1.0, 1e-15);
    CHECK_NEAR(body("b")->mass, 12, 1e-14); // the capsule has neither mass nor density
    CHECK_NEAR(body("b")->inertia[0], 13, 1e-13);
    finish();
}

static void place_of(ff_data *d, const char *name, double pos[3], double R[9])
{
    double quat[4];
    ff_dyn_body_pose(model, d, ff_model_find_body(model, name), pos, quat);
    ff_quat_to_mat3(R, quat);
}

// As many numbers as are given act: sliding, torsion, rolling.
TEST(friction_of_shapes_acts_as_far_as_it_is_given)
{
    static const int condim[] = {3, 3, 4, 6};
    must_load("bodies:\n  b:\n    joint: free\n    inertial: {mass: 1, sphere: 1}\n    shapes:\n"
              "      - {sphere: 1, friction: 0.5}\n      - {sphere: 1, friction: [0.5]}\n"
              "      - {sphere: 1, friction: [0.5, 0.1]}\n      - {sphere: 1, friction: [0.5, 0.1, 0.01]}\n");
    for (int i = 0; i < 4; i++) CHECK_INT(model->geoms[i].condim, condim[i]);
    CHECK_NEAR(model->geoms[3].friction[2], 0.01, 0.0);
}

// P x of the left is x of the right, and P R P of the left is R of the right, for every mirror plane and any equal
// joint values.
TEST(a_mirrored_part_moves_as_the_mirror_image)
{
    static const char part[] =
        "parts:\n"
        "  limb:\n"
        "    bodies:\n"
        "      upper:\n"
        "        pos: [0.1, 0.2, 0.3]\n"
        "        rpy: [0.1, -0.4, 0.7]\n"
        "        joint: {axis: [1, 2, 3], pos: [0.01, 0.02, 0.03]}\n"
        "        inertial: {mass: 2, com: [0.1, 0.2, -0.1], inertia: [1, 1.2, 1.1, 0.1, 0.2, -0.1], rpy: [0.3, 0, "
        "0.1]}\n"
        "        bodies:\n"
        "          lower:\n"
        "            pos: [0.3, 0.1, 0]\n"
        "            joint: {type: slide, axis: [0, 1, 1]}\n"
        "            inertial: {mass: 1, com: [0, 0.1, 0.2], box: [0.1, 0.2, 0.3], rpy: [0.1, 0.2, 0.3]}\n";
    for (int axis = 0; axis < 3; axis++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "%sbodies:\n  trunk:\n    attach: [{part: limb, prefix: a_}, {part: limb, prefix: b_, mirror: %c}]\n",
                 part, "xyz"[axis]);
        must_load(text);
        ff_data *d = ff_data_create(model, NULL);
        for (int i = 0; i < 2; i++) {
            d->q[i] = d->q[i + 2] = 0.4 + 0.3 * i;
            d->v[i] = d->v[i + 2] = 1.0 - 0.7 * i;
        }
        ff_dyn_kinematics(model, d);
        double p[2][3], R[2][9];
        place_of(d, "a_lower", p[0], R[0]);
        place_of(d, "b_lower", p[1], R[1]);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(p[1][i], i == axis ? -p[0][i] : p[0][i], 1e-15);
            for (int k = 0; k < 3; k++) {
                double sign = (i == axis) != (k == axis) ? -1.0 : 1.0;
                CHECK_NEAR(R[1][3 * i + k], sign * R[0][3 * i + k], 1e-15);
            }
        }
        // Equal motion of mirror images needs mirrored forces: without gravity both sides ask for the same joint
        // forces.
        model->gravity[0] = model->gravity[1] = model->gravity[2] = 0.0;
        double a[4] = {0.5, -1.0, 0.5, -1.0}, tau[4];
        ff_dyn_inverse(model, d, d->q, d->v, a, tau);
        CHECK_NEAR(tau[2], tau[0], 1e-14); // [N m] rounding
        CHECK_NEAR(tau[3], tau[1], 1e-14);
        ff_data_destroy(d);
    }
    finish();
}

TEST(poses_follow_the_order_of_the_compiled_model)
{
    must_load("bodies:\n"
              "  root: {joint: free, pos: [0, 0, 1], inertial: {mass: 1, sphere: 1}}\n"
              "  a: {parent: root, joint: {axis: x, ref: 0.5}, inertial: {mass: 1, sphere: 1}}\n"
              "  b: {parent: root, joint: ball, inertial: {mass: 1, sphere: 1}}\n"
              "  a2: {parent: a, joint: {axis: y}, inertial: {mass: 1, sphere: 1}}\n"
              "  b2: {parent: b, joint: planar, inertial: {mass: 1, sphere: 1}}\n"
              "poses:\n"
              "  rest: {}\n"
              "  bent: {'a*': 0.25, a2: 0.75, b: {rpy: [90 deg, 0, 0]}, b2: [1, 2, 3], root: {pos: [7, 8, 9]}}\n");
    CHECK_INT(model->nkey, 2);
    const ff_key *rest = &model->keys[0], *bent = &model->keys[1];
    for (int i = 0; i < model->nq; i++) CHECK_NEAR(rest->q[i], model->q0[i], 0.0);
    CHECK_NEAR(bent->q[joint("a")->qadr], 0.25, 0.0);
    CHECK_NEAR(bent->q[joint("a2")->qadr], 0.75, 0.0);
    CHECK_NEAR(bent->q[joint("b")->qadr + 1], sqrt(0.5), 1e-15);
    CHECK_NEAR(bent->q[joint("b2")->qadr + 2], 3.0, 0.0);
    CHECK_NEAR(bent->q[joint("root")->qadr + 2], 9.0, 0.0);
    finish();
}

// ------------------------------------------------------------------------------------------ other files

static bool load_file(const char *path)
{
    finish();
    model = ff_model_load(path, NULL, &report);
    return model != NULL;
}

TEST(an_import_can_be_changed_and_extended)
{
    write_file("arm.yaml",
               "footfall: 1\nname: arm\ngravity: [0, 0, -1.62]\n"
               "bodies:\n  upper:\n    joint: {axis: y}\n    inertial: {mass: 1, sphere: 0.1}\n"
               "    bodies:\n      lower: {pos: [1, 0, 0], joint: {axis: y}, inertial: {mass: 1, sphere: 0.1}}\n");
    const char *path =
        write_file("more.yaml", "footfall: 1\nimport: arm.yaml\n"
                                "joints: {'*': {damping: 0.5}, lower: {range: [-1, 1]}}\n"
                                "bodies:\n"
                                "  lower:\n"
                                "    inertial: {mass: 3, sphere: 0.2}\n"
                                "    bodies: {hand: {pos: [1, 0, 0], inertial: {mass: 0.5, sphere: 0.1}}}\n"
                                "total_mass: 4.5\n");
    if (!load_file(path)) CHECK_FAIL("refused: %s", message(0));
    CHECK_NEAR(model->gravity[2], -1.62, 0.0);
    CHECK_NEAR(joint("upper")->damping, 0.5, 0.0);
    CHECK(joint("lower")->limited && !joint("upper")->limited);
    CHECK_NEAR(body("lower")->mass, 3.0, 0.0);
    CHECK_INT(body("hand")->parent, ff_model_find_body(model, "lower"));
    CHECK_NEAR(model->mass, 4.5, 1e-15);
    finish();
}

TEST(a_sensor_of_an_import_can_be_replaced)
{
    write_file("sensed.yaml", "footfall: 1\nbodies:\n"
                              "  a: {joint: {axis: z}, inertial: {mass: 1, sphere: 0.1}}\n"
                              "sensors: {first: {type: gyro, body: a}, second: {type: gyro, body: a, rate: 100}}\n");
    const char *path = write_file("replaced.yaml",
                                  "footfall: 1\nimport: sensed.yaml\n"
                                  "sensors: {second: {type: potentiometer, joint: a}, third: {type: gyro, body: a}}\n");
    if (!load_file(path)) CHECK_FAIL("refused: %s", message(0));
    CHECK_INT(model->nsensor, 3);
    CHECK_TEXT(model->sensors[1].name, "second");
    CHECK_TEXT(model->sensors[1].type, "potentiometer");
    CHECK_INT(model->sensors[1].nsetting, 0); // nothing of the old one
    CHECK_TEXT(model->sensors[2].name, "third");
    finish();
}

TEST(a_joint_of_an_import_can_be_locked)
{
    write_file("three.yaml",
               "footfall: 1\nbodies:\n"
               "  a: {joint: ball, inertial: {mass: 1, sphere: 0.1}}\n"
               "  b: {parent: a, joint: {axis: y, drive: {torque: 1}}, inertial: {mass: 1, sphere: 0.1}}\n"
               "  c: {parent: b, joint: {axis: z, drive: {torque: 2}}, inertial: {mass: 1, sphere: 0.1}}\n"
               "sensors: {sb: {type: jointpos, joint: b}, sc: {type: jointpos, joint: c}}\n"
               "poses: {p: {a: {quat: [0, 1, 0, 0]}, b: 0.25, c: 0.5}}\n");
    const char *path = write_file("lock.yaml", "footfall: 1\nimport: three.yaml\njoints: {b: {type: fixed}}\n");
    if (!load_file(path)) CHECK_FAIL("refused: %s", message(0));
    CHECK_INT(model->njoint, 2);
    CHECK_INT(model->nq, 5);
    CHECK_INT(model->nactuator, 1);
    CHECK_TEXT(model->actuators[0].name, "c");
    CHECK_INT(model->nsensor, 1);
    CHECK_NEAR(model->keys[0].q[1], 1.0, 0.0);
    CHECK_NEAR(model->keys[0].q[4], 0.5, 0.0); // of c, now right behind the quaternion
    path = write_file("retype.yaml", "footfall: 1\nimport: three.yaml\njoints: {b: {type: slide}}\n");
    CHECK(!load_file(path));
    CHECK_SAYS(message(0), "cannot be changed, except to 'fixed'");
    finish();
}

// Constants are those of their own file: one that is meant to change the imported robot would do nothing.
TEST(constants_for_an_import_are_refused)
{
    write_file("heavy.yaml", "footfall: 1\nconstants: {m: 2, spare: 1}\nbodies: {a: {joint: ball, inertial: {mass: m, "
                             "sphere: 0.1}}}\n"); // idle ones without an import do no harm
    const char *path = write_file("light.yaml", "footfall: 1\nimport: heavy.yaml\nconstants: {m: 1}\n");
    CHECK(!load_file(path));
    CHECK_SAYS(message(0), "light.yaml:3:13: error: constant 'm' is named nowhere in this file");
    path = write_file("change.yaml", "footfall: 1\nimport: heavy.yaml\nconstants: {half: 0.5, m: 2 * half}\n"
                                     "bodies: {a: {inertial: {mass: m, sphere: 0.1}}}\n");
    if (!load_file(path)) CHECK_FAIL("refused: %s", message(0));
    CHECK_NEAR(model->mass, 1.0, 0.0);
    finish();
}

TEST(a_urdf_can_be_imported_with_a_prefix_and_a_free_base)
{
    write_file("box.urdf",
               "<robot name=\"box\"><link name=\"base\"><inertial><mass value=\"2\"/>"
               "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link></robot>");
    const char *path =
        write_file("wrap.yaml", "footfall: 1\nimport: {file: box.urdf, floating: true, prefix: my_, pos: [0, 0, 2]}\n");
    bool fine = load_file(path);
    if (!fine && strstr(message(0), "libxml2")) SKIP("built without libxml2");
    if (!fine) CHECK_FAIL("refused: %s", message(0));
    CHECK_NEAR(body("my_base")->mass, 2.0, 0.0);
    CHECK_INT(model->nv, 6);
    CHECK_NEAR(model->q0[2], 2.0, 0.0);
    finish();
}

TEST(circles_of_imports_are_refused)
{
    const char *path = write_file("self.yaml", "footfall: 1\nimport: self.yaml\n");
    CHECK(!load_file(path));
    CHECK_SAYS(message(0), "imports itself");
    write_file("one.yaml", "footfall: 1\nbodies: {a: {attach: [{file: two.yaml}]}}\n");
    path = write_file("two.yaml", "footfall: 1\nimport: ./one.yaml\n");
    CHECK(!load_file(path));
    CHECK_SAYS(message(0), "imports itself, directly or through others");
    path = write_file("gone.yaml", "footfall: 1\nimport: nowhere.urdf\n");
    CHECK(!load_file(path));
    CHECK_SAYS(message(0), "gone.yaml:2:9: error: cannot read");
    path = write_file("dir.yaml", "footfall: 1\nimport: /\n");
    CHECK(!load_file(path));
    CHECK_SAYS(message(0), "not a regular file");
    finish();
}

// ------------------------------------------------------------------------------------------ bad files

TEST(bad_robots_are_refused_with_their_place)
{
    static const char *const cases[][2] = {
        {"name: x", "there is no robot here"},
        {"bodies: [a]", "r.yaml:2:9: error: expected {NAME: {parent: .., inertial: .., "},
        {"bodies: {a: {joint: hinged}}", "'joint' is 'hinged'; allowed: hinge, slide"},
        {"bodies: {a: {joint: {type: hinge, axis: q}}}", "'axis' is 'q'; allowed: x, y, z"},
        {"bodies: {a: {joint: {axes: x}}}", "unknown key 'axes'; did you mean 'axis'?"},
        {"bodies: {a: {mas: 1}}", "unknown key 'mas'"},
        {"bodies: {a: {parent: b}, b: {}}", "no body 'b' above this one"},
        {"bodies: {a: {bodies: {a: {}}}}", "body 'a' exists already (line 2)"},
        {"bodies: {a: {joint: free, inertial: {mass: 1}}}", "exactly one of box, sphere, cylinder, rod and inertia"},
        {"bodies: {a: {joint: free, inertial: {sphere: 1}}}", "key 'mass' is missing"},
        {"bodies: {a: {joint: free, inertial: {mass: -1, sphere: 1}}}", "'mass' is -1 kg: it must be zero or more"},
        {"bodies: {a: {joint: free, inertial: {mass: 1, inertia: [1, 1, 3]}}}", "body \"a\""},
        {"bodies: {a: {inertial: {mass: 1, rod: {to: [0, 0, 0]}}}}", "are the same point"},
        {"bodies: {a: {shapes: [{box: [1, 0, 1]}]}}", "it must be positive"},
        {"bodies: {a: {shapes: [{capsule: {length: 1}}]}}", "key 'radius' is missing"},
        {"bodies: {a: {shapes: [{capsule: {radius: 1, from: [1, 0, 0], to: [1, 0, 0]}}]}}", "are the same point"},
        {"bodies: {a: {shapes: [{box: [1, 1, 1], sphere: 1}]}}", "exactly one of sphere"},
        {"bodies: {a: {quat: [0, 0, 0, 0]}}", "has length 0"},
        {"bodies: {a: {quat: [1, 0, 0, 0], rpy: [0, 0, 0]}}", "either rpy or quat"},
        {"bodies: {a: {attach: [{part: leg}]}}", "no part 'leg'"},
        {"bodies: {a: {attach: [{prefix: x}]}}", "exactly one of part and file"},
        {"bodies: {a: {}}\njoints: {b: {damping: 1}}", "no joint 'b' to change"},
        {"bodies: {a: {joint: {axis: x}, inertial: {mass: 1, sphere: 1}}}\nposes: {p: {b: 1}}", "no joint 'b'"},
        {"bodies: {a: {joint: {axis: x, range: [1, 0]}, inertial: {mass: 1, sphere: 1}}}", "lies above upper limit"},
        {"bodies: {a: {}}\nsensors: {s: {type: gyro}}", "exactly one of joint, frame, body"},
        {"bodies: {a: {}}\nsensors: {s: {type: gyro, frame: f}}", "frame \"f\", which does not exist"},
        {"bodies: {a: {}}\ncontact: {exclude: [[a]]}", "expected a pair of bodies"},
        {"bodies: {a: {inertial: {mass: 1, sphere: 1}}}\ntotal_mass: 2", "but the bodies add up to 1 kg"},
        {"bodies: {a: {pos: [1e300, 0, 0]}}", "at most 1e+12"},
        {"bodies: {a: {pos: [.nan, 0, 0]}}", "is not a number"},
        {"bodies: {a: {}}\nbattery: {voltage: 12, capacity: 1, curve: [0, 12, 1, 9]}",
         "r.yaml:3:44: error: write charge, voltage, charge, voltage, ..: charges rising within 0 to 1, voltages above "
         "0 that do not fall as the charge rises"},
        {"robot: x", "unknown key 'robot'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (load(cases[i][0])) CHECK_FAIL("case %zu accepted: %s", i, cases[i][0]);
        CHECK(report.errors >= 1);
        CHECK_SAYS(message(0), cases[i][1]);
        CHECK(strncmp(message(0), "r.yaml:", 7) == 0);
    }
    finish();
}

TEST(a_spring_without_stiffness_is_reported)
{
    static const char *const cases[] = {"{stiffness: 0}", "{rest: 0.1}"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "bodies: {a: {joint: {axis: x, spring: %s}, inertial: {mass: 1, sphere: 1}}}",
                 cases[i]);
        CHECK(load(text));
        CHECK_INT(report.count, 1);
        CHECK_SAYS(message(0), "r.yaml:2:39: warning: a spring without stiffness does nothing");
    }
    CHECK(load("bodies: {a: {joint: {axis: x, spring: {stiffness: 1}}, inertial: {mass: 1, sphere: 1}}}\n"
               "joints: {a: {spring: {stiffness: 0}}}"));
    CHECK_INT(report.count, 0); // taken away
    finish();
}

TEST(the_version_is_checked)
{
    spec = ff_spec_create(NULL);
    const char *old = "bodies: {a: {}}\n", *future = "footfall: 2\nbodies: {a: {}}\n";
    CHECK_INT(ff_spec_parse(spec, "yaml", old, strlen(old), "r.yaml", NULL, &report), FF_BAD_FILE);
    CHECK_SAYS(message(0), "starts with 'footfall: 1'");
    finish();
    spec = ff_spec_create(NULL);
    CHECK_INT(ff_spec_parse(spec, "yaml", future, strlen(future), "r.yaml", NULL, &report), FF_BAD_FILE);
    CHECK_SAYS(message(0), "format version 2");
    finish();
}

TEST(ten_thousand_nested_bodies_are_refused)
{
    enum { DEPTH = 10000 };
    char *text = malloc(DEPTH * 14 + 100);
    size_t length = (size_t)sprintf(text, "bodies: {a0: ");
    for (int i = 1; i < DEPTH; i++) length += (size_t)sprintf(text + length, "{bodies: {a: ");
    CHECK(!load(text));
    free(text);
    CHECK_SAYS(message(0), "nested more than 100 levels deep");
    finish();
}

TEST(a_part_bomb_is_refused)
{
    static char text[3000000];
    size_t length = (size_t)sprintf(text, "parts:\n  p:\n    bodies:\n      b:\n        shapes:\n");
    for (int i = 0; i < 20000; i++) length += (size_t)sprintf(text + length, "          - {sphere: 1}\n");
    length += (size_t)sprintf(text + length, "bodies:\n  a:\n    attach:\n");
    for (int i = 0; i < 20000; i++) length += (size_t)sprintf(text + length, "      - {part: p, prefix: p%d}\n", i);
    CHECK(!load(text)); // 4e8 spheres written out
    CHECK_SAYS(message(0), "a native robot may have");
    finish();
}
