// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Loops in files: what is written is what the model says, also in parts, mirror images and imports; mistakes are
// reported with their place.
#include "native/native_robot.h"

#include <footfall/load.h>
#include <footfall/loop.h>

/// Three bodies a, b (on a) and c, with hinges about y; the loops start on line 6.
#define BODIES                                                                                                         \
    "footfall: 1\nbodies:\n"                                                                                           \
    "  a: {joint: {axis: y}, inertial: {mass: 1, sphere: 0.1}, bodies: {b: {pos: [1, 0, 0], joint: {axis: y},"         \
    " inertial: {mass: 1, sphere: 0.1}}}}\n"                                                                           \
    "  c: {pos: [1, 0, 2], joint: {axis: y}, inertial: {mass: 1, sphere: 0.1}}\n"                                      \
    "loops:\n"

static void must_load(const char *loops)
{
    must(load_after(BODIES, loops));
}

static void refuse(const char *loops, int line, int column, const char *words)
{
    must_report(load_after(BODIES, loops), line, column, words);
}

static void check_numbers(const double *got, int n, const double *expected)
{
    for (int i = 0; i < n; i++) CHECK_NEAR(got[i], expected[i], 1e-15);
}

TEST(loops_say_what_is_written)
{
    must_load("  pin: {connect: [b, c], at: [[0.5, 0, 0], [0, 0, -1]]}\n"
              "  plate: {weld: [b, c], pose: {pos: [0, 0, 3]}}\n"
              "  strut: {rod: [a, c], at: [[0, 0.1, 0], [0, 0.1, 0]], length: 2.5}\n"
              "  gear: {couple: [c, a], gain: -2, offset: 0.1}\n"
              "  cam: {couple: [b, a], polynomial: [1, 2, 3, 4, 5], active: false}\n"
              "  still: {couple: [c], offset: 0.3}\n");
    CHECK_INT(model->nequality, 6);
    CHECK_INT(ff_loops_count(model), 5);
    const ff_equality *e = model->equalities;
    CHECK_INT(e[0].type, FF_EQUALITY_CONNECT);
    CHECK_INT(e[0].object1, 1);
    CHECK_INT(e[0].object2, 2);
    check_numbers(e[0].data, 6, (double[]){0.5, 0, 0, 0, 0, -1});
    check_numbers(e[1].data, 7, (double[]){0, 0, 3, 1, 0, 0, 0});
    check_numbers(e[2].data, 7, (double[]){0, 0.1, 0, 0, 0.1, 0, 2.5});
    check_numbers(e[3].data, 5, (double[]){0.1, -2, 0, 0, 0});
    CHECK_INT(e[4].active, 0);
    check_numbers(e[4].data, 5, (double[]){1, 2, 3, 4, 5});
    CHECK_INT(e[5].object2, -1);
    CHECK_NEAR(e[5].data[0], 0.3, 0);
    CHECK_TEXT(e[0].place.file, "r.yaml");
    CHECK_INT(e[0].place.line, 6);
    finish();
}

TEST(what_is_not_given_is_that_of_the_reference_pose)
{
    must_load("  pin: {connect: [b, c], at: [[0.5, 0, 0]]}\n  plate: {weld: [b, c]}\n  strut: {rod: [a, c]}\n"
              "  ground: {connect: [b, world], at: [[0, 0, 0.2]]}\n");
    const ff_equality *e = model->equalities;
    check_numbers(e[0].data, 6, (double[]){0.5, 0, 0, 0.5, 0, -2});
    check_numbers(e[1].data, 7, (double[]){0, 0, 2, 1, 0, 0, 0});
    CHECK_NEAR(e[2].data[6], sqrt(5.0), 1e-15);
    CHECK_INT(e[3].object2, -1);
    check_numbers(e[3].data + 3, 3, (double[]){1, 0, 0.2});
    finish();
}

TEST(mistakes_are_reported_with_their_place)
{
    refuse("  pin: {connect: [b, d], at: [[0, 0, 0]]}\n", 6, 3, "refers to body \"d\", which does not exist");
    refuse("  pin: {connect: [b], at: [[0, 0, 0]]}\n", 6, 18, "1 names: expected [body, body]");
    refuse("  pin: {connect: [b, b], at: [[0, 0, 0]]}\n", 6, 3, "joins a body to itself");
    refuse("  pin: {connect: [b, c]}\n", 6, 8, "connect needs 'at'");
    refuse("  pin: {connect: [b, c], at: [[0, 0]]}\n", 6, 31, "");
    refuse("  pin: {connect: [b, c], at: [[0, 0, 0], [0, 0, 0], [0, 0, 0]]}\n", 6, 53, "a third point");
    refuse("  pin: {connect: [b, c], weld: [b, c], at: [[0, 0, 0]]}\n", 6, 8,
           "exactly one of connect, weld, rod and couple");
    refuse("  pin: {at: [[0, 0, 0]]}\n", 6, 8, "exactly one of connect, weld, rod and couple");
    refuse("  pin: {connect: [b, c], at: [[0, 0, 0]], length: 3}\n", 6, 43, "");
    refuse("  rod: {rod: [b, c], length: 0}\n", 6, 30, "'length' is 0 m: it must be positive");
    refuse("  rod: {rod: [b, c], length: -1}\n", 6, 30, "'length' is -1 m: it must be positive");
    refuse("  rod: {rod: [a, world]}\n", 6, 3, "rod of length 0 m"); // both at the origin
    refuse("  gear: {couple: [a, d]}\n", 6, 3, "refers to joint \"d\"");
    refuse("  gear: {couple: [a, a]}\n", 6, 3, "couples a joint to itself");
    refuse("  gear: {couple: [a, b, c]}\n", 6, 18, "3 names");
    refuse("  gear: {couple: [a, b], polynomial: [1, 2, 3, 4, 5, 6]}\n", 6, 38, "expected 1 to 5 numbers");
    refuse("  gear: {couple: [a, b], gain: 1e400}\n", 6, 32, "");
    refuse("  gear: 3\n", 6, 9, "");
    finish();
}

static ff_loops *closed_at_reference(double tolerance)
{
    ff_data *d = ff_data_create(model, NULL);
    ff_loops *l = ff_loops_create(model, NULL);
    double gap;
    ff_dyn_kinematics(model, d);
    ff_loops_position(model, d, l);
    ff_loops_widest(l, &gap);
    CHECK_BELOW(gap, tolerance);
    ff_data_destroy(d);
    return l;
}

// A part with a loop of its own, attached as it is, turned, and mirrored: closed everywhere, and all forces stay
// inside.
TEST(loops_of_parts_are_placed_and_mirrored_with_them)
{
    static const char text[] = "footfall: 1\nparts:\n  leg:\n    bodies:\n"
                               "      upper: {joint: {axis: [0.2, 1, 0.1]}, inertial: {mass: 1, sphere: 0.1}, bodies: "
                               "{lower: {pos: [0.1, 0.2, -0.4],\n"
                               "        joint: {axis: x}, inertial: {mass: 1, sphere: 0.1}}}}\n"
                               "      strut: {pos: [0.1, -0.1, 0], rpy: [0.1, 0.2, 0.3], joint: {type: ball}, "
                               "inertial: {mass: 1, sphere: 0.1}}\n"
                               "    loops:\n"
                               "      foot: {connect: [lower, strut], at: [[0, 0.1, 0.05]]}\n"
                               "      stay: {rod: [upper, world], at: [[0.1, 0.2, 0.3], [0.5, 0.4, 0.3]]}\n"
                               "      glue: {weld: [strut, world]}\n"
                               "      free: {weld: [world, lower], pose: {pos: [0.1, 0.2, -0.4]}}\n"
                               "bodies:\n  trunk: {joint: free, inertial: {mass: 5, sphere: 0.2}, attach: [{part: leg, "
                               "prefix: l_, pos: [0, 0.3, 0], rpy: [0.4, 0.2, 1]},\n"
                               "    {part: leg, prefix: r_, pos: [0, -0.3, 0], mirror: y}]}\n";
    finish();
    spec = ff_spec_create(NULL);
    if (ff_spec_parse(spec, "yaml", text, strlen(text), "r.yaml", NULL, &report) != FF_OK ||
        !(model = ff_model_compile(spec, NULL, &report)))
        CHECK_FAIL("refused: %s", report.count ? report.messages[0].text : "");
    CHECK_INT(model->nequality, 8);
    CHECK_TEXT(model->equalities[0].name, "l_foot");
    CHECK_INT(model->equalities[1].object2, ff_model_find_body(model, "trunk")); // the part's world
    ff_loops *l = closed_at_reference(1e-15);
    CHECK_NEAR(l->loops[1].length, l->loops[5].length, 1e-15);
    ff_loops_destroy(l);
    finish();
}

TEST(a_locked_joint_holds_what_it_led)
{
    must_load("  gear: {couple: [c, a], gain: -2, offset: 0.1}\n  wheel: {couple: [a, b], gain: 3}\n"
              "joints: {a: {type: fixed}}\n");
    CHECK_INT(model->nequality, 1);
    CHECK_INT(model->equalities[0].object2, -1);
    CHECK_NEAR(model->equalities[0].data[0], 0.1, 0); // a stands at 0
    must_load("  none: {couple: [c], offset: 0, active: false}\n"
              "joints: {c: {mimic: {joint: a, gain: 2, offset: 0.5}}, a: {type: fixed}}\n");
    CHECK_INT(ff_loops_count(model), 1);
    CHECK_NEAR(model->equalities[1].data[0], 0.5, 0);
    finish();
}
