// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The order of stations on the cable: LOLA's is that of its table.
#include "check.h"
#include "scene/scene_helpers.h"
#include "stations/bus_master.h"
#include "stations/robot.h"

#include <footfall/stations.h>

// ------------------------------------------------------------------------------------------ places

#define AT(its, before, where)                                                                                         \
    {                                                                                                                  \
        .address = its, .behind = before, .port = where                                                                \
    }

static ff_ec_station stations[4];
static int order[4];
static ff_error err;

static ff_status sort(const ff_cable_place *places)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    err = (ff_error){0};
    for (int i = 0; i < 4; i++) stations[i] = (ff_ec_station){.name = names[i]};
    return ff_ec_stations_sort(stations, places, 4, order, &err);
}

static void check_names(const char *expected)
{
    for (int i = 0; i < 4; i++) {
        CHECK_INT(stations[i].name[0], expected[i]);
        CHECK_INT(order[i], expected[i] - 'a');
        CHECK_INT(stations[i].serial, i + 1);
    }
}

TEST(stations_without_a_position_keep_their_order)
{
    const ff_cable_place none[4] = {{0}};
    CHECK(sort(none) == FF_OK);
    check_names("abcd");
    for (int i = 0; i < 4; i++) CHECK(stations[i].behind == 0 && stations[i].alias == 0);
}

TEST(ports_are_visited_in_the_order_of_frames)
{
    // c is the first; at its ports 1, 2 and 3 are a, b and d: frames pass 3, 1, 2
    const ff_cable_place star[4] = {AT(10, 30, 1), AT(20, 30, 2), AT(30, 0, 1), AT(40, 30, 3)};
    CHECK(sort(star) == FF_OK);
    check_names("cdab");
    static const int port[] = {1, 3, 1, 2};
    for (int i = 1; i < 4; i++) CHECK(stations[i].behind == 1 && stations[i].port == port[i]);
    CHECK(stations[0].behind == 0 && stations[0].alias == 30 && stations[3].alias == 20);
    // of b nothing is said: it comes behind the last
    const ff_cable_place line[4] = {AT(10, 40, 1), {0}, AT(30, 10, 1), AT(40, 0, 1)};
    CHECK(sort(line) == FF_OK);
    check_names("dacb");
    CHECK(stations[2].behind == 2 && stations[3].behind == 0);
}

TEST(a_station_whose_path_is_not_on_the_bus_is_refused)
{
    const ff_cable_place nowhere[4] = {AT(10, 0, 1), AT(20, 99, 1), AT(30, 10, 1), {0}};
    CHECK(sort(nowhere) == FF_BAD_MODEL);
    CHECK_SAYS(err.text,
               "station 'b' at address 20 is connected to address 99, and no device of the bus has that address");
    const ff_cable_place circle[4] = {AT(10, 20, 1), AT(20, 10, 1), {0}, {0}};
    CHECK(sort(circle) == FF_BAD_MODEL);
}

// ------------------------------------------------------------------------------------------ shared slaves, couplers

/// Devices a and b have an address in common, c one of its own, by way of a coupler; d to f have none.
static ff_status group_six(double at, int shared, ff_ec_grouping *g, ff_arena *arena)
{
    static const ff_ec_module devices[6] = {
        {&ff_ec_force_device, NULL, NULL, "a"},   {&ff_ec_imu_device, NULL, NULL, "b"},
        {&ff_ec_drive_device, NULL, NULL, "c"},   {&ff_ec_gateway_device, NULL, NULL, "d"},
        {&ff_ec_gateway_device, NULL, NULL, "e"}, {&ff_ec_gateway_device, NULL, NULL, "f"}};
    double same[1] = {10}, way[4] = {20, 30, 2, at};
    const ff_spec_setting here = {.name = "station", .values = same, .count = 1};
    const ff_spec_setting there = {.name = "station", .values = way, .count = 4};
    const ff_spec_setting *const settings[6] = {&here, &here, &there};
    ff_status status = ff_ec_group(g, devices, settings, 6, shared, arena, &err);
    CHECK(status == FF_OK);
    CHECK(g->station_of[0] == 0 && g->station_of[1] == 0 && g->station_of[2] == 1);
    return ff_ec_stations_sort(g->stations, g->places, g->nstation, FF_ARENA_NEW(arena, int, g->nstation), &err);
}

TEST(devices_of_one_address_share_a_slave_and_paths_have_couplers)
{
    ff_ec_grouping g;
    ff_arena arena = {0};
    CHECK(group_six(10, 3, &g, &arena) == FF_OK);
    CHECK_INT(g.nstation, 3);
    CHECK_TEXT(g.stations[0].name, "gateway_10");
    CHECK_INT(g.stations[0].nmodule, 5); // and those that have none
    CHECK_TEXT(g.stations[0].modules[4].name, "f");
    CHECK_TEXT(g.stations[1].name, "coupler_30");
    CHECK(g.stations[1].behind == 1 && g.stations[1].port == 1 && g.stations[1].alias == 30);
    CHECK_TEXT(g.stations[2].name, "c");
    CHECK(g.stations[2].behind == 2 && g.stations[2].port == 2);
    for (int i = 0; i < 3; i++) CHECK_INT(g.stations[i].variant, i);
    CHECK(group_six(10, 1, &g, &arena) == FF_OK); // of those only the last
    CHECK(g.nstation == 5 && g.stations[0].nmodule == 3);
    CHECK(group_six(99, 0, &g, &arena) == FF_BAD_MODEL); // the way ends nowhere
    CHECK_SAYS(err.text, "station 'c' at address 20 is connected to address 30, and no device of the bus has");
    ff_arena_clear(&arena);
}

/// Devices by their lists, which end with 0.
static ff_status group_lists(const double lists[][6], int count, ff_ec_grouping *g, ff_arena *arena)
{
    static const char *const names[] = {"d0", "d1", "d2", "d3", "d4", "d5"};
    ff_ec_module devices[6];
    ff_spec_setting said[6];
    const ff_spec_setting *settings[6];
    for (int i = 0; i < count; i++) {
        said[i] = (ff_spec_setting){.name = "station", .values = lists[i], .place = {"r.yaml", i + 1, 7}};
        while (lists[i][said[i].count] > 0.0) said[i].count++;
        settings[i] = &said[i];
        devices[i] = (ff_ec_module){&ff_ec_drive_device, NULL, NULL, names[i]};
    }
    err = (ff_error){0};
    const ff_status status = ff_ec_group(g, devices, settings, count, 0, arena, &err);
    if (status != FF_OK) return status;
    return ff_ec_stations_sort(g->stations, g->places, g->nstation, FF_ARENA_NEW(arena, int, g->nstation), &err);
}

TEST(lists_of_an_address_complete_each_other)
{
    ff_ec_grouping g;
    ff_arena arena = {0};
    static const double same[][6] = {{10}, {20}, {20, 10, 2}, {30, 20, 1, 10, 2}}; // said twice, and left out once
    CHECK(group_lists(same, 4, &g, &arena) == FF_OK);
    CHECK(g.nstation == 3 && g.stations[1].behind == 1 && g.stations[1].port == 2);
    static const double later[][6] = {{20}, {30, 20, 1, 10, 2}, {10}}; // where 20 hangs, 30 says
    CHECK(group_lists(later, 3, &g, &arena) == FF_OK);
    CHECK_TEXT(g.stations[0].name, "d2");
    ff_arena_clear(&arena);
}

// ------------------------------------------------------------------------------------------ LOLA

/// Table B.4 in logical order, with station addresses. Names of drives are those of their joints.
static const struct {
    const char *name;
    unsigned address, behind;           // behind: address before it where the line does not just go on
} TABLE[] = {{"gateway_1006", 1006, 0}, // CAN
             {"coupler_1036", 1036, 0},
             {"coupler_1037", 1037, 0}, // analog terminal EL3602
             {"coupler_1038", 1038, 0}, // junction
             {"right_arm_flexion", 1018, 1038},
             {"right_arm_adduction", 1019, 0},
             {"right_arm_rotation", 1039, 0},
             {"right_elbow_flexion", 1022, 0},
             {"right_hand_force", 1041, 0},
             {"left_arm_flexion", 1017, 1038},
             {"left_arm_adduction", 1016, 0},
             {"left_arm_rotation", 1040, 0},
             {"head_tilt", 1015, 0},
             {"head_pan", 1014, 0},
             {"left_elbow_flexion", 1023, 0},
             {"left_hand_force", 1042, 0},
             {"right_hip_flexion", 1013, 1036},
             {"right_hip_adduction", 1007, 0},
             {"right_hip_rotation", 1008, 0},
             {"right_knee_flexion", 1009, 0},
             {"right_ankle_out", 1010, 0},
             {"right_ankle_in", 1011, 0},
             {"right_toe_flexion", 1012, 0},
             {"pelvis_adduction", 1020, 0},
             {"pelvis_rotation", 1021, 0},
             {"left_hip_flexion", 1024, 0},
             {"left_hip_rotation", 1025, 0},
             {"left_hip_adduction", 1026, 0},
             {"left_knee_flexion", 1027, 0},
             {"left_ankle_in", 1028, 0},
             {"left_ankle_out", 1029, 0},
             {"left_toe_flexion", 1030, 0}};
enum { PLACED = sizeof TABLE / sizeof *TABLE, COUPLERS = 3, CAN = 0 };

/// What the CAN gateway carries.
static const char *const CARRIED[] = {"left_foot_force", "right_foot_force", "imu",      "gateway_1",
                                      "gateway_2",       "gateway_3",        "gateway_4"};
enum { CARRIES = sizeof CARRIED / sizeof *CARRIED };

static ff_ec_robot *robot;
static bus_master b;

static size_t carry_to_robot(void *context, uint8_t *bytes, size_t size)
{
    bool over = false;
    (void)context;
    return ff_ec_robot_frame(robot, bytes, size, &over);
}

static void no_frames(void *context, ff_ec_robot *of, double t)
{
    (void)context, (void)of, (void)t;
}

static unsigned links_of(int slave)
{
    return (unsigned)master_read(&b.m, b.slaves[slave].station, 0x0110, 2) >> 4 & 0xF;
}

TEST(lola_has_the_stations_of_its_table)
{
    char path[1024];
    const char *set[] = {"time=0.001", "expect=[]", "metrics={}"};
    snprintf(path, sizeof path, "%s/experiments/lola-walk.yaml", FF_SOURCE_DIR);
    must_load_file(path, set, 3);
    ff_run_options how = ff_run_options_default(scene);
    how.record.nchannel = 0;
    robot = ff_ec_robot_create(no_frames, NULL, &err);
    CHECK(ff_ec_robot_schedule(robot, "0 fault left_knee_flexion", &err) == FF_OK);
    const ff_run_relay relay = {0, ff_ec_robot_relay(robot)};
    how.relays = &relay;
    how.nrelay = 1;
    if (!begin_with(&how)) CHECK_FAIL("%s", message(0));
    b.m.carry = carry_to_robot;
    bus_master_start(&b, NULL, 0);
    CHECK_INT(b.nslave, PLACED);
    int count;
    const ff_ec_station *all = ff_ec_robot_stations(robot, &count);
    for (int i = 0; i < PLACED; i++) {
        CHECK_TEXT(b.names[i], TABLE[i].name);
        CHECK_INT(master_read(&b.m, b.slaves[i].station, 0x0012, 2), TABLE[i].address);
        if (TABLE[i].behind) CHECK_INT(all[all[i].behind - 1].alias, TABLE[i].behind);
        if (!TABLE[i].behind && i > 0) CHECK_INT(all[i].behind, i);
        // a master that keeps what it knows of a product and revision gets all names
        for (int k = 0; k < i; k++) CHECK(b.revisions[k] != b.revisions[i]);
    }
    // the junction has three links: its arms, which end at the hands; the coupler, too: terminals and legs
    CHECK_INT(links_of(0), 3);
    CHECK_INT(links_of(1), 7);
    CHECK_INT(links_of(3), 0xD);
    CHECK_INT(links_of(8), 1);
    CHECK_INT(links_of(15), 1);
    CHECK_INT(links_of(PLACED - 1), 1);
    // what the CAN gateway carries: names of its PDOs, kinds of its modules
    CHECK_INT(all[CAN].nmodule, CARRIES);
    CHECK_INT(master_get(&b.m, b.slaves[CAN].station, 0xF050, 0), CARRIES);
    for (int i = 0; i < CARRIES; i++) {
        CHECK_TEXT(all[CAN].modules[i].name, CARRIED[i]);
        CHECK_INT(master_get(&b.m, b.slaves[CAN].station, 0xF050, (uint8_t)(i + 1)), i < 2    ? 0x0601
                                                                                     : i == 2 ? 0x0602
                                                                                              : 0x0604);
    }
    // counts and gears of tables B.1 and B.3 reach the objects
    const uint16_t hip = b.slaves[bus_master_find(&b, "right_hip_rotation")].station;
    CHECK_INT(master_get(&b.m, hip, 0x608F, 1), 11520);
    CHECK_INT(master_get(&b.m, hip, 0x6091, 1), 100);
    CHECK_INT(master_get(&b.m, b.slaves[bus_master_find(&b, "left_toe_flexion")].station, 0x608F, 1), 4000);
    CHECK_INT(master_get(&b.m, b.slaves[bus_master_find(&b, "head_pan")].station, 0x608F, 1), 2000);
    // a drive's fault is reported by its own station
    must_go();
    for (int i = 0; i < PLACED; i++)
        if (i < 1 || i > COUPLERS) // those have no objects
            CHECK_INT(master_get(&b.m, b.slaves[i].station, 0x1001, 0), !strcmp(TABLE[i].name, "left_knee_flexion"));
    finish();
    ff_ec_robot_destroy(robot);
}
