// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Common centre of pressure, divergent component of motion and the points that carry, of a robot on two soles that
// slide up and down: by statics, by differences of recorded places and by the contact points themselves; on both feet,
// on one, on none, and with one foot on a board.
#include "scene/scene_helpers.h"

#include <footfall/world.h>
#include <math.h>

/// A leg: a sole of 0.2 x 0.08 m below a slide.
#define LEG(side, y)                                                                                                   \
    "      " side "_leg:\n        pos: [0, " y ", 0]\n        joint: {name: " side ", type: slide, axis: z}\n"         \
    "        inertial: {mass: 1, box: [0.2, 0.08, 0.02], com: [0, 0, -0.3]}\n        frames: {" side "_foot: {pos: "   \
    "[0, 0, -0.31]}}\n        shapes: [{box: [0.2, 0.08, 0.02], pos: [0, 0, -0.3]}]\n"

#define ROBOT                                                                                                          \
    "footfall: 1\nbodies:\n  trunk:\n    joint: {name: base, type: free}\n    inertial: {mass: 10, box: [0.1, 0.2, "   \
    "0.2], com: [0.03, 0.02, 0.1]}\n    bodies:\n" LEG("l", "0.1")                                                     \
        LEG("r", "-0.1") "legs: {L: {joints: [l], foot: l_foot}, R: {joints: [r], foot: r_foot}}\n"

static const double MASS = 12.0; // [kg]

/// @param joints  at the start
/// @param more    terrain beside the floor, as a list that goes on
static void stand_with(const char *solver, const char *pos, const char *joints, const char *more, const char *rest)
{
    char text[1400];
    write_file("slides.yaml", ROBOT);
    snprintf(text, sizeof text,
             "robot: slides.yaml\nplace: {pos: %s}\nstart: {joints: {%s}}\n"
             "materials: {mat: {like: lab-floor, normal: {law: kelvin-voigt, stiffness: 2e5, damping: 2000}}}\n"
             "terrain: [{plane: {material: mat}}%s]\ncontrol: {hold: {stiffness: 1e5, damping: 2000}}\n"
             "solver: {method: %s}\nrecord: {rate: 1000, channels: [balance, soles, com]}\n%s",
             pos, joints, more, solver, rest);
    must_run(text);
}

static void stand(const char *pos, const char *joints, const char *more, const char *rest)
{
    stand_with("implicit, step: 1 ms", pos, joints, more, rest);
}

static ff_world_balance balance_now(void)
{
    ff_world_balance b;
    CHECK(ff_world_get_balance(ff_run_world(run), ff_run_sim(run), 0, &b));
    return b;
}

/// Numbers of a channel in a row, counted from the end where it is negative.
static const double *recorded(const char *channel, long long row)
{
    const ff_recorder *r = ff_run_recorder(run);
    const int at = ff_recorder_find(r, channel, NULL);
    if (at < 0) CHECK_FAIL("%s was not recorded", channel);
    return ff_recorder_row(r, row < 0 ? ff_recorder_rows(r) + row : row) + at;
}

/// Mean of the points of all feet by normal force.
static void pressed_by_points(double out[3])
{
    int count;
    const ff_world_contact *c = ff_world_contacts(ff_run_world(run), ff_run_sim(run), &count);
    double sum = 0.0;
    ff_vec3_set(out, 0.0, 0.0, 0.0);
    for (int i = 0; i < count; i++) {
        sum += c[i].force.normal;
        ff_vec3_axpy(out, c[i].force.normal, c[i].place);
    }
    ff_vec3_scale(out, out, 1.0 / sum);
}

/// Least and greatest x and y of the points of a foot that carry. @return how many they are
static int outline(const char *channel, double low[2], double high[2])
{
    const double *at = recorded(channel, -1);
    int n = 0;
    for (int k = 0; k < 2; k++) low[k] = INFINITY, high[k] = -INFINITY;
    for (; n < 8 && isfinite(at[2 * n]); n++)
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], at[2 * n + k]);
            high[k] = fmax(high[k], at[2 * n + k]);
        }
    for (int i = n; i < 8; i++) CHECK(isnan(at[2 * i]) && isnan(at[2 * i + 1])); // nothing behind the last
    return n;
}

static void check_outline(const char *channel, double x0, double x1, double y0, double y1)
{
    double low[2], high[2];
    CHECK_INT(outline(channel, low, high), 4);
    CHECK_NEAR(low[0], x0, 1e-3); // [m] the robot leans by some tenths of a millimetre
    CHECK_NEAR(high[0], x1, 1e-3);
    CHECK_NEAR(low[1], y0, 1e-3);
    CHECK_NEAR(high[1], y1, 1e-3);
}

// At rest the centre of pressure lies below the centre of mass, and so does the point where it would come to rest.
TEST(at_rest_pressure_and_capture_point_lie_below_the_centre_of_mass)
{
    stand("[0, 0, 0.31]", "l: 0", "", "time: 3\n");
    const ff_world_balance b = balance_now();
    double whole[3];
    ff_dyn_com(scene->model, ff_sim_data(ff_run_sim(run)), whole);
    for (int k = 0; k < 3; k++) CHECK_NEAR(b.com[k], whole[k], 1e-12);
    for (int k = 0; k < 2; k++) {
        CHECK_NEAR(b.cop[k], whole[k], 2e-5); // [m] friction acts at points of different depth
        CHECK_NEAR(b.dcm[k], whole[k], 2e-5); // and it still trembles
        CHECK_NEAR(b.force[k], 0.0, 1e-2);
        CHECK_NEAR(recorded("balance.cop", -1)[k], b.cop[k], 1e-9);
    }
    CHECK_NEAR(b.force[2], MASS * 9.81, 1e-3); // [N]
    CHECK_NEAR(b.dcm[2], b.cop[2], 1e-12);
    check_outline("soles.L", -0.1, 0.1, 0.06, 0.14);
    check_outline("soles.R", -0.1, 0.1, -0.14, -0.06);
    finish();
}

// It rocks after a push: velocities by differences of the recorded centre of mass, the pendulum's time by its height.
TEST(the_capture_point_leads_the_centre_of_mass_by_its_speed)
{
    stand_with("adaptive, accuracy: 1e-7", "[0, 0, 0.31]", "l: 0", "",
               "time: 0.5\nforces: [{body: trunk, force: [24, 8, 0], from: 0.2, to: 0.4}]\n");
    double fastest = 0.0;
    for (long long row = 250; row < 400; row += 10) {
        const double *before = recorded("com.pos", row - 1), *now = recorded("com.pos", row),
                     *after = recorded("com.pos", row + 1), *cop = recorded("balance.cop", row),
                     *dcm = recorded("balance.dcm", row);
        for (int k = 0; k < 2; k++) {
            const double speed = (after[k] - before[k]) / 2e-3;
            fastest = fmax(fastest, fabs(speed));
            CHECK_NEAR(dcm[k], now[k] + speed * sqrt((now[2] - cop[2]) / 9.81), 2e-5); // [m] curvature over 2 ms
        }
    }
    CHECK(fastest > 0.01); // [m/s] it moves: 2 mm of lead
    finish();
}

// The right leg carries, the left one is drawn up by 5 cm: whatever it does, the pressure is that of the right sole.
TEST(on_one_foot_the_pressure_is_that_of_the_foot)
{
    stand("[0, 0, 0.31]", "l: 0.05", "", "time: 0.05\n");
    const ff_world_balance b = balance_now();
    double pressed[3], low[2], high[2];
    pressed_by_points(pressed);
    for (int k = 0; k < 3; k++) CHECK_NEAR(b.cop[k], pressed[k], 1e-4); // [m] friction acts at the depth of the points
    CHECK(b.cop[1] < -0.06 + 1e-3);
    CHECK(isfinite(b.dcm[0]));
    CHECK_INT(outline("soles.L", low, high), 0);
    CHECK(outline("soles.R", low, high) >= 2);
    CHECK(high[1] < -0.06 + 1e-3);
    finish();
}

TEST(in_the_air_there_is_neither_pressure_nor_capture_point)
{
    stand("[0, 0, 0.5]", "l: 0", "", "time: 0.02\n");
    const ff_world_balance b = balance_now();
    double low[2], high[2];
    for (int k = 0; k < 3; k++) {
        CHECK(isnan(b.cop[k]) && isnan(b.dcm[k]) && isnan(recorded("balance.dcm", -1)[k]));
        CHECK_NEAR(b.force[k], 0.0, 0.0);
        CHECK(isfinite(b.com[k]));
    }
    CHECK_NEAR(b.velocity[2], -9.81 * 0.02, 1e-9); // [m/s]
    CHECK_INT(outline("soles.L", low, high) + outline("soles.R", low, high), 0);
    finish();
}

// On a board of 4 cm under the left foot the pressure lies as high as the feet share the load, and so does the
// capture point.
TEST(on_a_board_the_pressure_lies_between_the_heights_of_the_feet)
{
    stand("[0, 0, 0.31]", "l: 0.04", ", {box: {size: [0.4, 0.15, 0.04], pos: [0, 0.1, 0.02], material: mat}}",
          "time: 3\n");
    const ff_world_balance b = balance_now();
    int count;
    const ff_foot *feet = ff_world_feet(ff_run_world(run), ff_run_sim(run), &count);
    double pressed[3];
    pressed_by_points(pressed);
    for (int k = 0; k < 2; k++) {
        CHECK_NEAR(b.cop[k], b.com[k], 1e-3); // [m] friction, 4 cm apart in height, takes part
        CHECK_NEAR(b.cop[k], pressed[k], 2e-4);
    }
    CHECK_NEAR(b.cop[2], 0.04 * feet[0].force[2] / (MASS * 9.81), 5e-4); // [m] they sink in by 0.3 mm
    CHECK_NEAR(b.dcm[2], b.cop[2], 1e-12);
    check_outline("soles.L", -0.1, 0.1, 0.06, 0.14);
    finish();
}

TEST(what_has_no_feet_has_no_balance)
{
    write_file("slides.yaml", ROBOT);
    must_run("robot: slides.yaml\nplace: {pos: [0, 0, 0.31]}\nterrain: [{plane: {}}]\n"
             "objects: [{name: stone, sphere: 0.1, mass: 2, pos: [2, 0, 0.1]}]\ncontrol: {hold: {stiffness: 1e5, "
             "damping: 2000}}\nsolver: {method: implicit, step: 1 ms}\ntime: 0.01\n");
    ff_world_balance b;
    const int stone = ff_model_find_body(scene->model, "stone");
    CHECK(stone >= 0);
    CHECK(!ff_world_get_balance(ff_run_world(run), ff_run_sim(run), stone, &b));
    CHECK(!ff_world_get_balance(ff_run_world(run), ff_run_sim(run), -1, &b));
    CHECK(!ff_world_get_balance(NULL, ff_run_sim(run), 0, &b));
    CHECK(ff_world_get_balance(ff_run_world(run), ff_run_sim(run), 0, &b)); // the stone does not count
    CHECK_NEAR(b.com[0], 0.025, 1e-3);                                      // [m] 10 of 12 kg at 0.03 m
    finish();
}

// Channels of several robots have the names of their bases; a base may hang on several joints, nodes of its own.
TEST(robots_of_one_scene_are_balanced_one_by_one)
{
    write_file("slides.yaml", ROBOT);
    write_file("guided.yaml",
               "footfall: 1\nbodies:\n  cart:\n    joints: {ahead: {type: slide, axis: x}, up: "
               "{type: slide, axis: z}}\n    inertial: {mass: 2, sphere: 0.1}\n    bodies:\n      shin:\n"
               "        joint: {name: knee, type: slide, axis: z}\n        inertial: {mass: 1, sphere: 0.05}\n"
               "        shapes: [{sphere: 0.03, pos: [0, 0, -0.3]}]\n        frames: {foot: {pos: [0, 0, -0.3]}}\n"
               "legs: {G: {joints: [knee], foot: foot}}\n");
    must_run("robots:\n  - {name: a, file: slides.yaml, place: {pos: [0, 0, 0.31]}}\n"
             "  - {name: b, file: guided.yaml, start: {joints: {up: 0.5}}}\n"
             "control: {hold: {stiffness: 1e5, damping: 2000}}\nterrain: [{plane: {}}]\n"
             "solver: {method: implicit, step: 1 ms}\ntime: 0.1\nrecord: {rate: 100, channels: [balance]}\n");
    CHECK(fabs(recorded("balance.a_trunk.cop", -1)[1]) < 0.14); // [m] within its soles
    CHECK(isnan(recorded("balance.b_cart.cop", -1)[0]));        // in the air
    finish();
}
