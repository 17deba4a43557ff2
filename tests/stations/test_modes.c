// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Modes of operation of ANTON's drives by frames: a master without a hardware layer holds all joints, moves one by a
// profile, homes it, turns it by its velocity, and sees what goes wrong.
#include "base/bytes.h"
#include "check.h"
#include "scene/scene_helpers.h"
#include "stations/bus_master.h"

#include <footfall/sim.h>
#include <footfall/stations.h>

static bus_master b;
static ff_ec_robot *robot;
static ff_relay below; // of the stations
static unsigned char in[64 * 1024];
static int cycles; // since the first
static void (*act)(void);

static size_t carry_to_robot(void *context, uint8_t *bytes, size_t size)
{
    bool over = false;
    (void)context;
    return ff_ec_robot_frame(robot, bytes, size, &over);
}

static const ff_bus_object *object(const char *slave, const char *name)
{
    for (int i = 0; i < b.nobject; i++)
        if (!strcmp(b.objects[i].slave, slave) && !strcmp(b.objects[i].name, name)) return &b.objects[i];
    CHECK_FAIL("no object '%s' of '%s'", name, slave);
    return NULL;
}

static int32_t get(const char *slave, const char *name)
{
    const ff_bus_object *o = object(slave, name);
    return (int32_t)ff_get(in + o->offset, o->type == FF_BUS_I32 ? 4 : o->type == FF_BUS_U16 ? 2 : 1);
}

static void put(const char *slave, const char *name, int64_t value)
{
    const ff_bus_object *o = object(slave, name);
    ff_put(b.out + o->offset, (uint64_t)value, o->type == FF_BUS_I32 ? 4 : o->type == FF_BUS_I8 ? 1 : 2);
}

/// The station address of a slave.
static uint16_t station(const char *slave)
{
    return b.slaves[bus_master_find(&b, slave)].station;
}

/// All drives are brought to operation where they stand.
static void hold(void)
{
    for (int i = 0; i < b.nslave; i++) {
        if (b.slaves[i].product != 0x0402) continue;
        const char *name = b.names[i];
        const unsigned status = (unsigned)get(name, "status");
        put(name, "control", (status & 0x4F) == 0x40 ? 0x06 : (status & 0x6F) == 0x21 ? 0x07 : 0x0F);
        if ((status & 0x6F) != 0x27) put(name, "target", get(name, "position"));
        put(name, "mode", 8);
    }
}

/// One cycle of the bus: inputs, what the test does, outputs.
static void carry(void *context, ff_ec_robot *of, double t)
{
    const ff_field_bus bus = bus_master_functions(&b);
    (void)context, (void)of, (void)t;
    const bool sound = bus.copy_rx(bus.context, in);
    if (sound && b.state == FF_BUS_OP) {
        if (cycles++ == 0) memset(b.out, 0, sizeof b.out);
        if (cycles < 20)
            hold();
        else
            act();
    }
    CHECK(bus.send(bus.context, 0.0, NULL) == FF_OK);
    bus.request_state(bus.context, b.state < FF_BUS_SAFE_OP ? FF_BUS_SAFE_OP : FF_BUS_OP);
}

static ff_status bind(void *context, const ff_relay_site *site, ff_error *err)
{
    const ff_status status = below.bind(below.context, site, err);
    (void)context;
    if (status != FF_OK) return status;
    b.m.carry = carry_to_robot;
    bus_master_start(&b, NULL, 0);
    return FF_OK;
}

/// ANTON on the ground for some time [s], with a test that acts from the 20th cycle of OP on.
static void stand(void (*each)(void), double lasts)
{
    char path[1024], time[32];
    const char *set[] = {time, "expect=[]", "metrics={}", "effects.bus={jitter: 0}"};
    ff_error err = {0};
    ff_run_options how;
    memset(&b, 0, sizeof b);
    cycles = 0;
    act = each;
    snprintf(time, sizeof time, "time=%g", lasts);
    snprintf(path, sizeof path, "%s/experiments/anton-tripod.yaml", FF_SOURCE_DIR);
    must_load_file(path, set, 4);
    how = ff_run_options_default(scene);
    how.record.nchannel = 0;
    robot = ff_ec_robot_create(carry, NULL, &err);
    CHECK(robot);
    below = ff_ec_robot_relay(robot);
    ff_run_relay relay = {0, below};
    relay.relay.bind = bind;
    how.relays = &relay;
    how.nrelay = 1;
    if (!begin_with(&how)) CHECK_FAIL("%s", message(0));
    if (ff_run_go(run, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    if (b.wrong) CHECK_FAIL("%s", b.why);
    finish();
    ff_ec_robot_destroy(robot);
}

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
}
