// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall convert` from outside: files that are written and read again, and what it refuses.
#include "check.h"
#include "program.h"

#include <sys/resource.h>
#include <unistd.h>

#if defined(FF_WITH_XML) && defined(FF_WITH_YAML)

static const char ROBOT[] =
    "footfall: 1\nname: \"a & <b>\"\nbodies:\n"
    "  trunk: {joint: free, inertial: {mass: 2, com: [0.1, 0.2, 0.3], inertia: [0.02, 0.03, 0.04, 1e-3, 2e-3, 3e-3]},\n"
    "    bodies: {leg: {pos: [0, 0.1, 0], joint: {name: \"hip \\\"1\\\"\", axis: [1, 1, 0], range: [-1, 1],\n"
    "      spring: {stiffness: 3}}, inertial: {mass: 1, com: [0, 0, -0.2], inertia: [0.01, 0.01, 0.001]}}}}\n";
static const char STATE[] = "0.1,0.2,0.3,0.5,0.5,-0.5,0.5,0.7";

/// Mass matrix of a robot file at STATE, as the program prints it.
static int mass_matrix(const char *path, double *M, int most)
{
    outcome o = footfall("eval", path, "--q", STATE, "--json");
    if (o.code != 0) CHECK_FAIL("%s: %s", path, o.err);
    return json_find_numbers(o.out, "M", M, most);
}

TEST(a_robot_becomes_mjcf_and_urdf_and_stays_what_it_is)
{
    static const char *const names[] = {"robot.xml", "robot.urdf"};
    const char *from = write_file("robot.yaml", ROBOT);
    double M[49], other[49];
    CHECK_INT(mass_matrix(from, M, 49), 49);
    for (int k = 0; k < 2; k++) {
        outcome o = footfall("convert", from, temporary(names[k]));
        CHECK_INT(o.code, 0);
        CHECK_TEXT(o.out, "");
        if (k == 1) CHECK_SAYS(o.err, "robot.yaml:5:38: warning: \"hip \"1\"\": URDF has no joint springs");
        CHECK_INT(mass_matrix(temporary(names[k]), other, 49), 49);
        for (int i = 0; i < 49; i++) CHECK_NEAR(other[i], M[i], 1e-12); // of numbers up to 3
    }
    // any format is read: back and forth between the two
    CHECK_INT(footfall("convert", temporary("robot.urdf"), temporary("again.xml")).code, 0);
    CHECK_INT(mass_matrix(temporary("again.xml"), other, 49), 49);
    for (int i = 0; i < 49; i++) CHECK_NEAR(other[i], M[i], 1e-12);
}

// What is there stays as it is where the disk has no room for the new one.
TEST(a_full_disk_costs_no_file_that_was_there)
{
    const char *from = write_file("robot.yaml", ROBOT), *to = write_file("old.xml", "<mujoco/>\n");
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){500, before.rlim_max}); // [byte]
    outcome o = footfall("convert", from, to);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK_INT(o.code, 3);
    CHECK_SAYS(o.err, "old.xml: error: cannot be written: File too large");
    CHECK_TEXT(read_file("old.xml"), "<mujoco/>\n");
    CHECK(access(temporary("old.xml.part"), F_OK) != 0);
    CHECK_INT(footfall("convert", from, to).code, 0);
    CHECK_SAYS(read_file("old.xml"), "<worldbody>");
}

TEST(what_cannot_be_written_is_refused_with_the_reason)
{
    const char *from = write_file("robot.yaml", ROBOT);
    outcome o = footfall("convert", from);
    CHECK_INT(o.code, 1);
    o = footfall("convert", from, temporary("robot.sdf"));
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "the ending chooses the format");
    o = footfall("convert", from, temporary("missing/robot.xml"));
    CHECK_INT(o.code, 3);
    CHECK_SAYS(o.err, "cannot be written: No such file");
    CHECK_INT(footfall("convert", from, temporary("robot.xml")).code, 0);
    o = footfall("convert", temporary("robot.xml"), temporary("robot.xml"));
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "the robot is read from this file");
    o = footfall("convert", write_file("scene.yaml", "footfall: 1\nrobot: robot.yaml\ntime: 1\n"), temporary("s.xml"));
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "this is a scene");
    o = footfall("convert", write_file("bad.yaml", "footfall: 1\nbodies: {a: {mas: 1}}\n"), temporary("bad.xml"));
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "bad.yaml:2:14: error");
    CHECK_TEXT(read_file("bad.xml"), ""); // nothing half done
    static const char ball[] = "footfall: 1\nbodies: {a: {joint: {name: hip, type: ball}, inertial: {mass: 1, "
                               "inertia: [1, 1, 1]}}}\n";
    o = footfall("convert", write_file("ball.yaml", ball), temporary("ball.urdf"));
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "joint \"hip\" is a ball, which URDF cannot say");
}

#else

TEST(formats)
{
    SKIP("built without XML or YAML");
}

#endif
