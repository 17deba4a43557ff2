// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Modes of operation of ANTON's drives by frames: a master without a hardware layer holds all joints, moves one by a
// profile, homes it, turns it by its velocity, and sees what goes wrong.
#include "stations/standing.h"

// ------------------------------------------------------------------------------------------ tests

#define KNEE  "FL_tibia"
#define SCALE (2048.0 * 390.0 / (2.0 * FF_PI)) // counts for a radian: encoder and gear of the robot's file

static int32_t from;
static int reached;

/// The demand (6062) is where it should be, and the knee near it: its loop is proportional, the foot carries a load.
static void check_knee(int32_t demand, int32_t way)
{
    CHECK(abs((int32_t)master_get(&b.m, station(KNEE), 0x6062, 0) - demand) <= 1);
    CHECK(abs(get(KNEE, "position") - demand) < way / 2);
}

/// Profile position over 0.05 rad, then the same way back by cyclic velocity, then homing where it stands.
static void move_the_knee(void)
{
    const int32_t way = (int32_t)(0.05 * SCALE);
    const unsigned status = (unsigned)get(KNEE, "status");
    const int k = cycles - 20;
    if (k == 0) {
        from = get(KNEE, "position");
        CHECK_INT(status & 0x6F, 0x27);
    }
    if (k < 200) {
        put(KNEE, "mode", 1);
        put(KNEE, "target", from + way);
        put(KNEE, "control", k < 2 ? 0x0F : 0x1F);
        if (k >= 5 && k < 10) CHECK_INT(status & 0x1400, 0x1000); // acknowledged, on its way
        if (k == 199) CHECK_INT(status & 0x1400, 0x1400);
        if (k == 199) check_knee(from + way, way);
    } else if (k < 300) {
        put(KNEE, "mode", 9);
        put(KNEE, "control", 0x0F);
        put(KNEE, "velocity_offset", k < 250 ? -20 * way : 0); // 0.05 s
        if (k == 299) check_knee(from, way);
        if (k == 299) CHECK_INT(get(KNEE, "mode_shown"), 9);
    } else {
        put(KNEE, "mode", 6);
        put(KNEE, "control", k < 302 ? 0x0F : 0x1F);
        if (k == 305) reached = (int)(status & 0x3400);
        if (k == 305) CHECK(abs(get(KNEE, "position")) < 0.001 * SCALE); // home is 0: 607C
    }
}

TEST(a_knee_moves_by_profile_and_by_velocity_and_homes)
{
    reached = 0;
    stand(move_the_knee, 0.36);
    CHECK_INT(b.wrong, 0);
    CHECK_INT(reached, 0x1400);
}

/// A window of one count, and a target far away: the knee cannot follow.
static void fall_behind(void)
{
    const int k = cycles - 20;
    const unsigned status = (unsigned)get(KNEE, "status");
    if (k == 0) {
        CHECK_INT(master_put(&b.m, station(KNEE), 0x6065, 0, 1, 4), 0);
        CHECK_INT(master_put(&b.m, station(KNEE), 0x6066, 0, 0, 2), 0);
        put(KNEE, "target", get(KNEE, "position") + 3000);
        b.m.emergencies = 0;
    }
    if (k == 10) {
        CHECK_INT(status & 0x204F, 0x2008); // fault, following error
        CHECK_INT(get(KNEE, "error") & 0xFFFF, 0x8611);
        CHECK_INT(master_get(&b.m, station(KNEE), 0x1001, 0), 0x21); // generic, profile
        CHECK_INT(b.m.emergencies, 1);
        const uint8_t wanted[10] = {0x00, 0x10, 0x11, 0x86, 0x21};
        CHECK(memcmp(b.m.emergency, wanted, 10) == 0);
    }
    if (k >= 11) put(KNEE, "control", 0x80);
    if (k == 15) {
        CHECK_INT(status & 0x204F, 0x0040);
        CHECK_INT(master_get(&b.m, station(KNEE), 0x1001, 0), 0);
        CHECK_INT(b.m.emergencies, 2);
        const uint8_t gone[10] = {0x00, 0x10};
        CHECK(memcmp(b.m.emergency, gone, 10) == 0);
        reached++;
    }
}

TEST(a_following_error_is_a_fault_with_an_emergency)
{
    reached = 0;
    stand(fall_behind, 0.06);
    CHECK_INT(b.wrong, 0);
    CHECK_INT(reached, 1);
}

static void look_at_objects(void)
{
    const uint16_t s = station(KNEE);
    if (cycles != 20) return;
    CHECK_INT(master_get(&b.m, s, 0x6502, 0), 0x1A1); // pp, hm, csp, csv: ANTON's drives close position loops
    CHECK_INT(master_get(&b.m, s, 0x608F, 1), 2048);
    CHECK_INT(master_get(&b.m, s, 0x608F, 2), 1);
    CHECK_INT(master_get(&b.m, s, 0x6091, 1), 390);
    CHECK_INT(master_get(&b.m, station("FL_coxa"), 0x6091, 1), 251);
    CHECK_INT(master_get(&b.m, s, 0x60C2, 1), 25);
    CHECK_INT(master_put(&b.m, s, 0x6098, 0, 17, 1), 0x06090030); // no limit switches
    CHECK_INT(master_put(&b.m, s, 0x6098, 0, 34, 1), 0);          // index marks
    CHECK_INT(master_put(&b.m, s, 0x6060, 0, 8, 1), 0x06010006);  // mapped: by process data alone
}

TEST(objects_are_those_of_the_drive)
{
    stand(look_at_objects, 0.05);
    CHECK_INT(b.wrong, 0);
}

// ------------------------------------------------------------------------------------------ limits of position

static int32_t limit(int sub)
{
    return (int32_t)master_get(&b.m, station(KNEE), 0x607D, (uint8_t)sub);
}

/// Limits are where the joint ends, as measured by the first sample of its potentiometer: within 20 mrad.
static void check_limits(const int32_t limits[2], int32_t position)
{
    const ff_model *m = ff_sim_model(ff_run_sim(run));
    int k = 0;
    while (strcmp(m->joints[k].name, KNEE) != 0) k++;
    const double q = ff_sim_q(ff_run_sim(run))[m->joints[k].qadr];
    CHECK(m->joints[k].limited);
    for (int end = 0; end < 2; end++) CHECK_NEAR((limits[end] - position) / SCALE, m->joints[k].range[end] - q, 0.02);
}

static void check_shown_limits(void)
{
    const int32_t limits[2] = {limit(1), limit(2)};
    check_limits(limits, (int32_t)master_get(&b.m, station(KNEE), 0x6064, 0));
}

static void reach_the_limits(void)
{
    const int k = cycles - 20;
    const uint16_t s = station(KNEE);
    if (k == 0) {
        check_shown_limits();
        from = get(KNEE, "position");
        CHECK_INT(master_put(&b.m, s, 0x6065, 0, UINT32_MAX, 4), 0); // a jump is no following error here
        put(KNEE, "target", limit(2) + 100000);
    }
    if (k == 2) CHECK_INT(master_get(&b.m, s, 0x6062, 0), (uint32_t)limit(2));
    if (k == 2) CHECK_INT(get(KNEE, "status") & 0x0800, 0x0800); // internal limit
    if (k == 2) put(KNEE, "target", limit(1) - 100000);
    if (k == 4) CHECK_INT(master_get(&b.m, s, 0x6062, 0), (uint32_t)limit(1));
    if (k == 4) put(KNEE, "target", from);
    if (k == 6) CHECK_INT(get(KNEE, "status") & 0x0800, 0);
    if (k >= 40 && k < 50) { // homed where it stands: limits move with the zero
        put(KNEE, "mode", 6);
        put(KNEE, "control", k < 42 ? 0x0F : 0x1F);
        if (k == 49) CHECK_INT(get(KNEE, "status") & 0x3400, 0x1400);
        if (k == 49) CHECK(abs(get(KNEE, "position")) < 0.001 * SCALE);
        if (k == 49) check_shown_limits();
    }
    if (k == 50) {
        const int32_t low = limit(1), high = limit(2);
        put(KNEE, "mode", 8);
        put(KNEE, "control", 0x0F);
        put(KNEE, "target", 0);
        CHECK_INT(master_put(&b.m, s, 0x607D, 1, (uint32_t)(high + 1), 4), 0x06090031);
        CHECK_INT(master_put(&b.m, s, 0x607D, 2, (uint32_t)(low - 1), 4), 0x06090032);
        CHECK_INT(master_put(&b.m, s, 0x607D, 2, 100, 2), 0x06070013);
        CHECK_INT(master_put(&b.m, s, 0x607D, 3, 100, 4), 0x06090011);
        CHECK_INT(master_put(&b.m, s, 0x607D, 0, 1, 1), 0x06010002);
        CHECK(limit(1) == low && limit(2) == high);
        CHECK_INT(master_put(&b.m, s, 0x607D, 2, 500, 4), 0); // what the master wants counts from now on
        put(KNEE, "target", 3000);
    }
    if (k == 52) CHECK_INT(master_get(&b.m, s, 0x6062, 0), 500);
    if (k == 52) CHECK_INT(limit(2), 500);
    if (k == 53) ff_ec_station_reset(ff_ec_robot_segment(robot), bus_master_find(&b, KNEE), ff_ec_robot_time(robot));
    if (k == 55) { // by its place: without power it has lost its address, and what the master wanted
        const ff_ec_drive *drive = ff_ec_robot_stations(robot, &(int){0})[bus_master_find(&b, KNEE)].data;
        CHECK(drive->limits[1] != 500);
        CHECK(abs(drive->position) < 0.01 * SCALE);
        check_limits(drive->limits, drive->position);
        reached++;
    }
}

TEST(limits_of_position_are_those_of_the_joint_until_others_are_written)
{
    reached = 0;
    stand(reach_the_limits, 0.12);
    CHECK_INT(reached, 1);
}

static double turned, speed; // of the wheel when the torque ends  [rad, rad/s]
static int pushed;           // cycles with torque

/// Half of the greatest torque of 2 N m, by the offset 60B2, for 200 cycles.
static void push_the_wheel(void)
{
    const unsigned status = (unsigned)get("turn", "status");
    put("turn", "mode", 10);
    put("turn", "control", (status & 0x4F) == 0x40 ? 0x06 : (status & 0x6F) == 0x21 ? 0x07 : 0x0F);
    const bool pushes = (status & 0x6F) == 0x27 && pushed < 200;
    put("turn", "torque_offset", pushes ? 500 : 0);
    pushed += pushes;
    turned = ff_sim_q(ff_run_sim(run))[0];
    speed = ff_sim_v(ff_run_sim(run))[0];
    if (pushed == 200) CHECK_INT(get("turn", "mode_shown"), 10);
}

// 1 N m on 0.5 kg m^2 is 2 rad/s^2: after 0.2 s it turns with 0.4 rad/s, and goes on so. The torque holds from one
// telegram to the next, so that 200 cycles are 0.2 s to the step of the solver.
TEST(torque_mode_turns_a_wheel_by_newtons_law)
{
    pushed = 0;
    stage = "tests/bus/stations/wheel-scene.yaml";
    stand(push_the_wheel, 0.3);
    CHECK_INT(b.wrong, 0);
    CHECK_INT(pushed, 200);
    CHECK_NEAR(speed, 0.4, 1e-3);
    CHECK(turned > 0.04);
}
