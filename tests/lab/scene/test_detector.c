// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `contacts: {detector: ccube}` of a scene: as the exact phase where corners stand on faces, meshes that move as they
// are and not as their hulls, and what is refused.
#include "scene_helpers.h"

static double place(const char *joint, int axis)
{
    return ff_sim_q(ff_run_sim(run))[scene->model->joints[ff_model_find_joint(scene->model, joint)].qadr + axis];
}

// A brick that falls on a slab touches with its corners alone, the same by both detectors: the motions differ by
// rounding.
TEST(a_brick_falls_as_with_the_exact_detector)
{
    static const char *const ways[] = {"exact", "ccube", "ccube, cells: 1, depth: 5 cm", "ccube, cells: 77"};
    double exact[3] = {0};
    for (int i = 0; i < 4; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "contacts: {detector: %s}\nsolver: {method: rk4, step: 0.2 ms}\ntime: 0.3\n"
                 "objects: [{name: brick, box: [0.2, 0.1, 0.1], mass: 2, pos: [0, 0, 0.1], rpy: [0.2, 0.3, 0.4]}]\n"
                 "terrain: [{box: {size: [2, 2, 0.4], pos: [0, 0, -0.2]}}]\n",
                 ways[i]);
        must_run(text);
        CHECK_INT(ff_world_get_counts(ff_run_world(run)).overflow, 0);
        for (int k = 0; k < 3; k++) {
            if (i == 0)
                exact[k] = place("brick", k);
            else
                CHECK_NEAR(place("brick", k), exact[k], 1e-9); // [m]
        }
    }
    CHECK_BELOW(exact[2], 0.09); // it has fallen, and slid
    CHECK(fabs(exact[0]) > 1e-3);
    finish();
}

// Points of either shape count: a slab that falls on the corner of a fixed brick has no corner of its own there.
TEST(points_of_both_shapes_count)
{
    must_run("contacts: {detector: ccube}\nsolver: {method: implicit, step: 1 ms}\ntime: 1\n"
             "materials: {firm: {normal: {law: kelvin-voigt, stiffness: 1e5, damping: 500}}}\n"
             "objects: [{name: slab, box: [0.4, 0.4, 0.05], mass: 3, pos: [0, 0, 0.13], moves: z, material: firm}]\n"
             "terrain: [{box: {size: [0.1, 0.1, 0.2], material: rigid}}]\n");
    CHECK_NEAR(metric("contacts.count"), 4, 0);
    CHECK_NEAR(place("slab_z", 0), -0.005 - 3 * 9.81 / 1e5, 1e-6); // [m] from its start, 5 mm above the brick
    finish();
}

// Each of the twelve triangles of a cube carries two corners of a die.
TEST(every_face_of_a_box_holds)
{
    static const char *const turns[] = {"0, 0, 0",       "180 deg, 0, 0", "90 deg, 0, 0",
                                        "-90 deg, 0, 0", "0, 90 deg, 0",  "0, -90 deg, 0"};
    for (int i = 0; i < 6; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "contacts: {detector: ccube}\nsolver: {method: implicit, step: 1 ms}\ntime: 0.5\n"
                 "materials: {firm: {normal: {law: kelvin-voigt, stiffness: 1e5, damping: 500}}}\n"
                 "objects: [{name: die, box: [0.04, 0.04, 0.04], mass: 3, pos: [0, 0, 0.071], material: firm}]\n"
                 "terrain: [{box: {size: [0.1, 0.1, 0.1], rpy: [%s], material: rigid}}]\n",
                 turns[i]);
        must_run(text);
        CHECK_NEAR(metric("contacts.count"), 4, 0);
        CHECK_NEAR(place("die", 2), 0.05 + 0.02 - 3 * 9.81 / 1e5, 1e-6); // [m]
    }
    finish();
}

// A cup without a lid: 0.2 m wide and high, walls and floor of 2 cm, triangles outward.
static const char CUP[] =
    "v -.1 -.1 0\nv .1 -.1 0\nv .1 .1 0\nv -.1 .1 0\nv -.1 -.1 .2\nv .1 -.1 .2\nv .1 .1 .2\n"
    "v -.1 .1 .2\nv -.08 -.08 .02\nv .08 -.08 .02\nv .08 .08 .02\nv -.08 .08 .02\n"
    "v -.08 -.08 .2\nv .08 -.08 .2\nv .08 .08 .2\nv -.08 .08 .2\n"
    "f 1 4 3 2\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\nf 5 6 14 13\nf 6 7 15 14\nf 7 8 16 15\n"
    "f 8 5 13 16\nf 9 13 14 10\nf 10 14 15 11\nf 11 15 16 12\nf 12 16 13 9\nf 9 10 11 12\n";

static void drop_into_cup(const char *contacts)
{
    char text[800];
    write_file("cup.obj", CUP);
    snprintf(text, sizeof text,
             "%s\nsolver: {method: implicit, step: 1 ms}\ntime: 1.5\n"
             "materials: {firm: {normal: {law: kelvin-voigt, stiffness: 1e5, damping: 500}}}\n"
             "objects:\n  - {name: cup, mesh: cup.obj, mass: 5, moves: z, material: firm}\n"
             "  - {name: die, box: [0.05, 0.05, 0.05], mass: 0.1, pos: [0.01, 0.02, 0.24], material: firm}\n"
             "  - {name: grain, point: true, mass: 0.1, pos: [-0.05, -0.05, 0.22], material: firm}\n"
             "terrain: [{plane: {material: rigid}}]\n",
             contacts);
    if (!load(text) && strstr(message(0), "without")) SKIP("built without meshes");
    must_run(text);
}

// The hull of the cup is a block, on which the die lies. The cup itself lets it in; there it sinks in by its weight
// over the springs of both in a row.
TEST(a_cup_that_moves_is_hollow)
{
    drop_into_cup("contacts: {margin: 1 mm}");
    CHECK(place("die", 2) > 0.22);
    drop_into_cup("contacts: {detector: ccube}");
    CHECK_NEAR(place("die", 2) - place("cup_z", 0), 0.02 + 0.025 - 0.1 * 9.81 / 5e4, 1e-6);    // [m]
    CHECK_NEAR(0.22 + place("grain_z", 0) - place("cup_z", 0), 0.02 - 0.1 * 9.81 / 5e4, 1e-6); // [m]
    finish();
}

TEST(a_run_with_cells_resumes_bit_identically)
{
    must_load("contacts: {detector: ccube}\nsolver: {method: adaptive, accuracy: 1e-6}\n"
              "objects: [{box: [0.2, 0.1, 0.1], mass: 2, pos: [0, 0, 0.1], rpy: [0.2, 0.3, 0.4]}]\n"
              "terrain: [{box: {size: [2, 2, 0.4], pos: [0, 0, -0.2]}}]\n");
    must_resume(0.15, 0.3);
    finish();
}

TEST(detectors_that_do_not_fit_are_refused)
{
#define BRICK "objects: [{box: [1, 1, 1], mass: 1, pos: [0, 0, 9]}]\nterrain: [{box: {size: [1, 1, 1]}}]\n"
    static const bad_scene bad[] = {
        {BRICK "contacts: {detector: cube}\n", "4:22", "allowed: exact, ccube"},
        {BRICK "contacts: {cells: 10}\n", "4:12", "'cells' belongs to the detector ccube"},
        {BRICK "contacts: {detector: exact, depth: 1 cm}\n", "4:29", "'depth' belongs to the detector ccube"},
        {BRICK "contacts: {detector: ccube, cells: 0}\n", "4:36", "'cells' is 0: it must be between 1 and 200"},
        {BRICK "contacts: {detector: ccube, cells: 201}\n", "4:36", "'cells' is 201: it must be between 1 and 200"},
        {BRICK "contacts: {detector: ccube, depth: 0}\n", "4:36",
         "'depth' is 0 m: it must be above 0 and at most 10 m"},
        {BRICK "contacts: {detector: ccube, response: propagation}\n", "4:22", "sees no gaps"},
        {BRICK "contacts: {detector: ccube, cells: 200}\n", "2:11", "more than 1e+07 together"},
        {"objects: [{sphere: 1, mass: 1}]\nterrain: [{plane: {}}]\ncontacts: {detector: ccube}\n", "3:1",
         "has nothing to do"},
    };
    must_refuse(bad, sizeof bad / sizeof *bad);
}
