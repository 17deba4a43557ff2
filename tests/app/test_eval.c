// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall eval` and `footfall info` against closed forms, through the JSON that scripts read.
#include "check.h"
#include "program.h"

// A point-like bob of 2 kg, 0.5 m below a hinge about y; its own inertia is 0.02 kg m^2 about each axis.
static const char pendulum[] =
    "<robot name=\"pendulum\">\n"
    "  <link name=\"base\"/>\n"
    "  <link name=\"bob\">\n"
    "    <inertial><origin xyz=\"0 0 -0.5\"/><mass value=\"2\"/>\n"
    "      <inertia ixx=\"0.02\" iyy=\"0.02\" izz=\"0.02\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>\n"
    "  </link>\n"
    "  <joint name=\"pivot\" type=\"revolute\"><parent link=\"base\"/><child link=\"bob\"/>\n"
    "    <axis xyz=\"0 1 0\"/><limit lower=\"-2\" upper=\"3\" effort=\"7\" velocity=\"9\"/></joint>\n"
    "</robot>\n";

// A free ball of 3 kg with a sideways centre of mass.
static const char brick[] =
    "<robot name=\"brick\"><link name=\"brick\">\n"
    "  <inertial><origin xyz=\"0.1 0 0\"/><mass value=\"3\"/>\n"
    "  <inertia ixx=\"0.1\" iyy=\"0.2\" izz=\"0.25\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link></robot>\n";

static double number(const char *text, const char *key)
{
    double value = NAN;
    if (json_find_numbers(text, key, &value, 1) != 1) CHECK_FAIL("no single number \"%s\" in %s", key, text);
    return value;
}

#define NEEDS_XML()                                                                                                    \
    do {                                                                                                               \
        if (!strstr(footfall_version(), "libxml2")) SKIP("built without libxml2");                                     \
    } while (0)

TEST(a_pendulum_has_its_textbook_equation)
{
    NEEDS_XML();
    const char *file = write_file("pendulum.urdf", pendulum);
    const double m = 2, l = 0.5, g = 9.81, q = 0.7, v = -1.3, tau = -0.4;
    outcome o = footfall("eval", file, "--q", "0.7", "--v", "-1.3", "--tau=-0.4", "--json");
    CHECK_INT(o.code, 0);
    CHECK_TEXT(o.err, "");
    CHECK(is_json(o.out));
    const double M = 0.02 + m * l * l, bias = m * g * l * sin(q);
    CHECK_INT(number(o.out, "nq"), 1);
    CHECK_INT(number(o.out, "nv"), 1);
    CHECK_NEAR(number(o.out, "q"), q, 0); // 17 digits are exact
    CHECK_NEAR(number(o.out, "v"), v, 0);
    CHECK_NEAR(number(o.out, "M"), M, 1e-15 * M * 4); // a few roundings
    CHECK_NEAR(number(o.out, "bias"), bias, 1e-14 * bias);
    CHECK_NEAR(number(o.out, "tau_id"), bias, 1e-14 * bias);
    CHECK_NEAR(number(o.out, "qacc"), (tau - bias) / M, 1e-13);
    CHECK_NEAR(number(o.out, "mass"), m, 0);
    CHECK_NEAR(number(o.out, "kinetic"), 0.5 * M * v * v, 1e-14);
    CHECK_NEAR(number(o.out, "potential"), -m * g * l * cos(q), 1e-13);
    double com[3];
    CHECK_INT(json_find_numbers(o.out, "com", com, 3), 3);
    CHECK_NEAR(com[0], -l * sin(q), 1e-15);
    CHECK_NEAR(com[2], -l * cos(q), 1e-15);
    double gravity[3];
    CHECK_INT(json_find_numbers(o.out, "gravity", gravity, 3), 3);
    CHECK_NEAR(gravity[2], -g, 0);
    CHECK_SAYS(o.out, "\"name\": \"bob\"");
}

TEST(a_free_body_follows_newton_and_euler)
{
    NEEDS_XML();
    const char *file = write_file("brick.urdf", brick);
    outcome o = footfall("eval", file, "--floating", "--q", "1,2,3,1,0,0,0", "--v", "0,0,0,0,0,2", "--tau",
                         "1,2,3,0,0,0", "--json");
    CHECK_INT(o.code, 0);
    CHECK(is_json(o.out));
    double M[36], bias[6], qacc[6], com[3];
    CHECK_INT(json_find_numbers(o.out, "M", M, 36), 36);
    CHECK_INT(json_find_numbers(o.out, "bias", bias, 6), 6);
    CHECK_INT(json_find_numbers(o.out, "qacc", qacc, 6), 6);
    CHECK_INT(json_find_numbers(o.out, "com", com, 3), 3);
    CHECK_NEAR(com[0], 1.1, 1e-15);
    CHECK_NEAR(M[0], 3, 1e-15);
    CHECK_NEAR(M[35], 0.25 + 3 * 0.01, 1e-15); // Steiner
    CHECK_NEAR(M[1 * 6 + 5], 3 * 0.1, 1e-15);  // m c couples yaw to y
    CHECK_NEAR(bias[0], -3 * 0.1 * 4, 1e-14);  // centripetal force m c w^2 towards the origin
    CHECK_NEAR(bias[2], 3 * 9.81, 1e-13);
    const double tau[6] = {1, 2, 3, 0, 0, 0};
    for (int i = 0; i < 6; i++) {
        double sum = bias[i];
        for (int j = 0; j < 6; j++) sum += M[6 * i + j] * qacc[j];
        CHECK_NEAR(sum, tau[i], 1e-12); // [N] against forces of about 30 N
    }
}

TEST(negative_numbers_work_in_both_spellings)
{
    NEEDS_XML();
    const char *file = write_file("pendulum.urdf", pendulum);
    char *first = strdup(footfall("eval", file, "--q", "-0.1", "--json").out);
    outcome o = footfall("eval", "--q=-0.1", "--json", file);
    CHECK_INT(o.code, 0);
    CHECK_TEXT(o.out, first);
    CHECK_NEAR(number(o.out, "q"), -0.1, 0);
    free(first);
}

TEST(wrong_lengths_name_both_counts)
{
    NEEDS_XML();
    const char *file = write_file("pendulum.urdf", pendulum);
    outcome o = footfall("eval", file, "--q", "1,2,3", "--json");
    CHECK_INT(o.code, 1);
    CHECK_TEXT(o.out, "");
    CHECK_SAYS(o.err, "--q has 3 numbers");
    CHECK_SAYS(o.err, "needs 1");
    CHECK_INT(footfall("eval", file, "--v", "1,2").code, 1);
    CHECK_INT(footfall("eval", file, "--tau", "").code, 1);
    o = footfall("eval", file, "--key", "home");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "home");
}

TEST(quaternions_are_scaled_with_a_warning_and_refused_when_zero)
{
    NEEDS_XML();
    const char *file = write_file("brick.urdf", brick);
    char *unit = strdup(footfall("eval", file, "--floating", "--q", "0,0,0,0.6,0.8,0,0", "--json").out);
    outcome o = footfall("eval", file, "--floating", "--q", "0,0,0,3,4,0,0", "--json");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.err, "length 5");
    CHECK_TEXT(o.out, unit);
    free(unit);
    o = footfall("eval", file, "--floating", "--q", "0,0,0,0,0,0,0", "--json");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "quaternion");
    CHECK_TEXT(o.out, "");
}

TEST(results_beyond_all_numbers_are_null_and_said)
{
    NEEDS_XML();
    outcome o = footfall("eval", write_file("pendulum.urdf", pendulum), "--v", "1e200", "--json");
    CHECK_INT(o.code, 0);
    CHECK(is_json(o.out)); // JSON has no infinity
    CHECK_SAYS(o.err, "not finite");
}

TEST(info_shows_limits_and_places)
{
    NEEDS_XML();
    const char *file = write_file("pendulum.urdf", pendulum);
    outcome o = footfall("info", file, "--json");
    CHECK_INT(o.code, 0);
    CHECK(is_json(o.out));
    double limits[2];
    CHECK_INT(json_find_numbers(o.out, "limits", limits, 2), 2);
    CHECK_NEAR(limits[0], -2, 0);
    CHECK_NEAR(limits[1], 3, 0);
    CHECK_NEAR(number(o.out, "effort"), 7, 0);
    CHECK_NEAR(number(o.out, "speed"), 9, 0);
    o = footfall("info", file);
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "pivot");
    CHECK_SAYS(o.out, "total mass 2 kg");
}

TEST(what_is_not_used_is_reported_by_info_and_check)
{
    NEEDS_XML();
    const char *file =
        write_file("extra.urdf", "<robot name=\"r\">\n <link name=\"a\"/>\n <teapot/>\n <teapot/>\n</robot>\n");
    outcome o = footfall("check", file);
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "extra.urdf:3:");
    CHECK_SAYS(o.out, "warning:");
    CHECK_SAYS(o.out, "teapot");
    CHECK_SAYS(o.err, "0 errors");
    o = footfall("info", file, "--json");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "teapot");
    CHECK_INT(number(strstr(o.out, "ignored"), "count"), 2);
}

TEST(names_with_odd_characters_stay_valid_json)
{
    NEEDS_XML();
    const char *file = write_file("odd.urdf", "<robot name='a\"b\\c&#9;d \xc3\xa9'><link name='x\"y'/></robot>\n");
    outcome o = footfall("info", file, "--json");
    CHECK_INT(o.code, 0);
    CHECK(is_json(o.out));
    CHECK_SAYS(o.out, "x\\\"y");
    CHECK(is_json(footfall("eval", file, "--json").out));
}

TEST(info_says_how_much_gravcomp_carries)
{
    NEEDS_XML();
    const char *file = write_file("lifted.xml", "<mujoco><worldbody><body gravcomp='0.5'><joint/><geom size='0.1' "
                                                "mass='3'/></body></worldbody></mujoco>");
    outcome o = footfall("info", file);
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "gravcomp carries the weight of 1.5 kg");
}
