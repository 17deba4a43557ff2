// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall batch` from outside: its table, what it refuses, exit codes.
#include "check.h"
#include "program.h"

static const char robot[] = "footfall: 1\n"
                            "name: ball\n"
                            "bodies:\n"
                            "  ball:\n"
                            "    joint: {name: fall, type: free}\n"
                            "    inertial: {mass: 1, sphere: 0.1}\n"
                            "    shapes: [{sphere: 0.1}]\n";

static const char scene[] = "footfall: 1\n"
                            "robot: ball.yaml\n"
                            "place: {pos: [0, 0, 1]}\n"
                            "terrain: [{plane: {material: lab-floor}}]\n"
                            "solver: {method: euler, step: 1.0e-3}\n"
                            "time: 0.2\n";

static const char *write_scene(void)
{
    if (!strstr(footfall("--version").out, "libyaml")) SKIP("built without libyaml");
    write_file("ball.yaml", robot);
    return write_file("scene.yaml", scene);
}

/// The number behind a name at the start of a line.
static double number_of(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    if (!at) CHECK_FAIL("no \"%s\" in:\n%s", name, text);
    return strtod(at + strlen(name), NULL);
}

// A ball falls by 0.197 m in 0.2 s from between 0.5 and 1.5 m. It has fallen at 0.5 m, half its height at the start of
// the scene: so do those that begin below 0.7 m.
TEST(the_table_counts_steps_and_falls)
{
    const char *file = write_scene();
    outcome o = footfall("batch", file, "--robots", "50", "--spread", "start_height=-0.5..0.5", "--seed", "3");
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "50 robots, 0.2 s in 200 steps");
    const double upright = number_of(o.out, "upright at the end"), fell = number_of(o.out, "fell");
    CHECK(fell > 0.0 && upright > 0.0);
    CHECK_NEAR(upright + fell + number_of(o.out, "diverged"), 50.0, 0.0);
    o = footfall("batch", file, "--robots", "3", "--time", "0.1");
    CHECK_NEAR(number_of(o.out, "robot-steps"), 300.0, 0.0);
    const double fallen = 9.81e-6 * 100 * 101 / 2;                     // g h^2 n (n + 1) / 2
    CHECK_NEAR(number_of(o.out, "height, z [m]"), 1.0 - fallen, 5e-5); // [m] four digits
}

TEST(what_a_batch_cannot_do_ends_the_command)
{
    const char *file = write_scene();
    outcome o = footfall("batch", file, "--set", "solver.method=rk4");
    CHECK_INT(o.code, 2);
    CHECK_TEXT(o.out, "");
    CHECK_SAYS(o.err, "'rk4'");
    o = footfall("batch", file, "--spread", "colour=1..2");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "--spread colour=1..2");
    o = footfall("batch", file, "--spread", "mass=2..1");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "cannot be spread");
    o = footfall("batch", file, "--robots", "0");
    CHECK_INT(o.code, 1);
    o = footfall("batch", file, "--lanes", "3");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "3 lanes");
    o = footfall("batch", "no-such.yaml");
    CHECK_INT(o.code, 2);
}
