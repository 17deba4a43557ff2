// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// ANTON stands on an EtherCAT segment, led by a small master without a hardware layer: drives hold their positions, and
// a test does what it wants in each cycle.
#ifndef FOOTFALL_TESTS_STANDING_H
#define FOOTFALL_TESTS_STANDING_H

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
static int cycles; // in OP
static void (*act)(void);
static const char *schedule; // of commands
static const char *stage;    // scene; NULL: ANTON on the ground
static int exchanges;        // of process data that the stations saw

static inline size_t carry_to_robot(void *context, uint8_t *bytes, size_t size)
{
    bool over = false;
    (void)context;
    const size_t back = ff_ec_robot_frame(robot, bytes, size, &over);
    exchanges += over;
    return back;
}

static inline const ff_bus_object *object(const char *slave, const char *name)
{
    for (int i = 0; i < b.nobject; i++)
        if (!strcmp(b.objects[i].slave, slave) && !strcmp(b.objects[i].name, name)) return &b.objects[i];
    CHECK_FAIL("no object '%s' of '%s'", name, slave);
    return NULL;
}

static inline int32_t get(const char *slave, const char *name)
{
    const ff_bus_object *o = object(slave, name);
    return (int32_t)ff_get(in + o->offset, o->type == FF_BUS_I32 ? 4 : o->type == FF_BUS_U16 ? 2 : 1);
}

static inline void put(const char *slave, const char *name, int64_t value)
{
    const ff_bus_object *o = object(slave, name);
    ff_put(b.out + o->offset, (uint64_t)value, o->type == FF_BUS_I32 ? 4 : o->type == FF_BUS_I8 ? 1 : 2);
}

/// The station address of a slave.
static inline uint16_t station(const char *slave)
{
    return b.slaves[bus_master_find(&b, slave)].station;
}

/// All drives are brought to operation where they stand.
static inline void hold(void)
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
static inline void carry(void *context, ff_ec_robot *of, double t)
{
    const ff_field_bus bus = bus_master_functions(&b);
    (void)context, (void)of, (void)t;
    const bool sound = bus.copy_rx(bus.context, in);
    if (b.state == FF_BUS_OP && (sound || cycles > 0)) {
        if (cycles++ == 0) memset(b.out, 0, sizeof b.out);
        if (cycles < 20)
            hold();
        else
            act();
    }
    bus.send(bus.context, 0.0, NULL);
    if (b.state != FF_BUS_OP) bus.request_state(bus.context, b.state < FF_BUS_SAFE_OP ? FF_BUS_SAFE_OP : FF_BUS_OP);
}

static inline ff_status bind(void *context, const ff_relay_site *site, ff_error *err)
{
    const ff_status status = below.bind(below.context, site, err);
    (void)context;
    if (status != FF_OK) return status;
    b.m.carry = carry_to_robot;
    bus_master_start(&b, NULL, 0);
    return FF_OK;
}

/// ANTON on the ground, or what is on the stage, for some time [s], with a test that acts from the 20th cycle of OP on.
/// What the master found odd, such as a working counter, is in b.wrong.
static inline void stand(void (*each)(void), double lasts)
{
    char path[1024], time[32];
    const char *set[] = {time, "expect=[]", "metrics={}", "effects.bus={jitter: 0}"};
    ff_error err = {0};
    ff_run_options how;
    memset(&b, 0, sizeof b);
    cycles = 0;
    act = each;
    snprintf(time, sizeof time, "time=%g", lasts);
    snprintf(path, sizeof path, "%s/%s", FF_SOURCE_DIR, stage ? stage : "experiments/anton-tripod.yaml");
    must_load_file(path, set, 4);
    how = ff_run_options_default(scene);
    how.record.nchannel = 0;
    robot = ff_ec_robot_create(carry, NULL, &err);
    CHECK(robot);
    if (ff_ec_robot_schedule(robot, schedule, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    below = ff_ec_robot_relay(robot);
    ff_run_relay relay = {0, below};
    relay.relay.bind = bind;
    how.relays = &relay;
    how.nrelay = 1;
    if (!begin_with(&how)) CHECK_FAIL("%s", message(0));
    if (ff_run_go(run, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    finish();
    ff_ec_robot_destroy(robot);
    schedule = NULL;
    stage = NULL;
}

#endif
