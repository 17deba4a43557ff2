// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots on an EtherCAT segment: a master finds their drives and sensors by their names, brings them to OP, and lets
// them walk, with the hardware layer and the controller of the scene above. It is the same walk, to the bit, as through
// the simulated bus of the layer.
#include "hardware/layered.h"
#include "hardware/wiring.h"
#include "stations/bus_master.h"

#include <footfall/stations.h>

enum { TICKS = CHECK_LASTS(1000, 200), DRIVES = 24, FORCES = 6, GATEWAYS = 4 };

static layered l;
static bus_master b;
static ff_ec_robot *robot;
static ff_relay below; // of the stations
static int exchanges;  // in this cycle
static void (*each_cycle)(double t);

static size_t carry_to_robot(void *context, uint8_t *bytes, size_t size)
{
    bool over = false;
    (void)context;
    const size_t back = ff_ec_robot_frame(robot, bytes, size, &over);
    exchanges += over;
    return back;
}

/// One cycle of the layer in each of the bus.
static void carry(void *context, ff_ec_robot *of, double t)
{
    (void)context;
    CHECK(of == robot);
    exchanges = 0;
    const bool before = b.state >= FF_BUS_SAFE_OP;
    ff_hardware_cycle(l.layer, t);
    CHECK_INT(exchanges, before); // process data, once a cycle, and nothing else end a cycle
    if (each_cycle) each_cycle(t);
}

static bool is_index_mark(const char *name)
{
    return strstr(name, ".index") != NULL;
}

/// Names of the items that gateways carry, then of those that only the simulated bus of the layer carries.
static int name_gateway(const ff_relay_site *site, const char **names, int most)
{
    ff_wiring wiring;
    ff_arena arena = {0};
    int n = 0;
    CHECK(ff_wiring_make(&wiring, site, &arena, NULL) == FF_OK && wiring.ngateway <= most);
    for (int absent = 0; absent < 2; absent++)
        for (int i = 0; i < wiring.ngateway; i++) {
            const char *name = site->sensors->names[wiring.gateway[i]].name;
            if (is_index_mark(name) == absent) names[n++] = name;
        }
    ff_wiring_clear(&wiring);
    ff_arena_clear(&arena);
    return n;
}

static ff_status bind_both(void *context, const ff_relay_site *site, ff_error *err)
{
    const char *names[100];
    const ff_status status = below.bind(below.context, site, err);
    (void)context;
    if (status != FF_OK) return status;
    b.m.carry = carry_to_robot;
    b.period = site->bus_period;
    bus_master_start(&b, names, name_gateway(site, names, 100));
    const ff_field_bus bus = bus_master_functions(&b);
    return ff_hardware_bind(l.layer, site, &bus, err);
}

/// Runs a scene for some time [s]. @return the hash of its state at the end
static uint64_t walk(const char *file, bool through_frames, double lasts)
{
    char path[1024], time[32];
    const char *set[] = {time, "expect=[]", "metrics={}", "effects.bus={jitter: 0}"};
    const ff_relay far = {.context = &l, .bind = bind_far, .cycle = answer_far};
    ff_run_options how, alone;
    ff_run_relay relay = {0};
    memset(&l, 0, sizeof l);
    memset(&b, 0, sizeof b);
    l.options = ff_hardware_options_default();
    l.options.log = note_state;
    l.options.context = &l;
    snprintf(time, sizeof time, "time=%g", lasts);
    snprintf(path, sizeof path, "%s/experiments/%s", FF_SOURCE_DIR, file);
    must_load_file(path, set, 4);
    how = alone = ff_run_options_default(scene);
    how.record.nchannel = alone.record.nchannel = 0;
    l.far = ff_run_create(scene, &alone, &report);
    l.layer = ff_hardware_create(&far, &l.options, &l.err);
    CHECK(l.far && l.layer);
    relay.relay = ff_hardware_relay(l.layer);
    if (through_frames) {
        robot = ff_ec_robot_create(carry, NULL, &l.err);
        CHECK(robot);
        below = ff_ec_robot_relay(robot);
        relay.relay = below;
        relay.relay.bind = bind_both;
    }
    how.relays = &relay;
    how.nrelay = 1;
    if (!begin_with(&how)) CHECK_FAIL("%s", message(0));
    l.status = ff_run_go(run, &l.err);
    if (l.status != FF_OK) CHECK_FAIL("%s", l.err.text);
    end_layered(&l);
    return ff_sim_hash(ff_run_sim(run));
}

static void clear(void)
{
    free_layered(&l);
    ff_ec_robot_destroy(robot);
    robot = NULL;
    each_cycle = NULL;
}

static void distributed_time_is_simulated_time(double t)
{
    CHECK_INT(bus_master_time(&b), (long long)floor(1e9 * t + 0.5));
}

TEST(anton_walks_through_frames_as_through_the_simulated_bus)
{
    const uint64_t hash = walk("anton-tripod.yaml", false, 1e-3 * TICKS);
    const double way = metric("walk.distance");
    const ff_hardware_counts counts = l.counts;
    char log[sizeof l.log];
    memcpy(log, l.log, sizeof log);
    clear();
    each_cycle = distributed_time_is_simulated_time;
    const uint64_t other = walk("anton-tripod.yaml", true, 1e-3 * TICKS);
    printf("%s%d stations, %u + %u bytes, %.4f m and %.4f m\n", l.log, b.nslave, b.outputs, b.inputs, way,
           metric("walk.distance"));
    CHECK(l.state == FF_HARDWARE_ACTIVE && l.counts.faults == 0 && l.counts.lost == 0);
    if (b.wrong) CHECK_FAIL("%s", b.why);
    CHECK(strcmp(log, l.log) == 0 && counts.frames == l.counts.frames && counts.cycles == l.counts.cycles);
    CHECK(metric("walk.falls") == 0.0 && (TICKS < 1000 || way > 0.05)); // half of what 0.1 m/s makes in a second
    CHECK(hash == other);
    // names as in the robot's file; each kind as often as the robot has it
    CHECK_INT(b.nslave, DRIVES + FORCES + 1 + GATEWAYS);
    for (int i = 0; i < b.nslave; i++)
        CHECK_INT(b.slaves[i].product, i < DRIVES                ? 0x0402
                                       : i < DRIVES + FORCES     ? 0x0601
                                       : i < DRIVES + FORCES + 1 ? 0x0602
                                                                 : 0x0604);
    CHECK(bus_master_find(&b, "gyro") == DRIVES + FORCES && bus_master_find(&b, "FL_coxa") >= 0 &&
          bus_master_find(&b, "gateway_1") == DRIVES + FORCES + 1);
    clear();
}

// 26 drives, two of each ankle on two joints; four force sensors, an inertial unit, pads and what else it has.
TEST(lola_stands_and_begins_to_walk_through_frames_likewise)
{
    const double lasts = CHECK_LASTS(0.3, 0.1);
    const uint64_t hash = walk("lola-walk.yaml", false, lasts);
    clear();
    const uint64_t other = walk("lola-walk.yaml", true, lasts);
    if (b.wrong) CHECK_FAIL("%s", b.why);
    CHECK_INT(b.nslave, 26 + 4 + 1 + 4);
    CHECK(l.state == FF_HARDWARE_ACTIVE && hash == other);
    clear();
}

enum { CUT_BEHIND = 11 };
#define CUT_AT 0.1

static void cut_the_cable(double t)
{
    if (fabs(t - CUT_AT) < 1e-6) CHECK(ff_ec_station_connect(ff_ec_robot_segment(robot), CUT_BEHIND, 1, false));
}

// Stations behind the cut fall to SAFE-OP by their watchdog of 100 ms; their drives stop with a fault and keep their
// positions. The layer sees wrong working counters and holds the others. Time goes on: who is not reached is not waited
// for.
TEST(a_cable_breaks_while_anton_stands)
{
    each_cycle = cut_the_cable;
    walk("anton-tripod.yaml", true, 0.3);
    CHECK(b.wrong > 0 && l.state == FF_HARDWARE_FAULT);
    CHECK_INT(ff_ec_robot_time(robot), 300000000);
    int count;
    const ff_ec_station *stations = ff_ec_robot_stations(robot, &count);
    for (int i = 0; i < DRIVES; i++) {
        const ff_ec_drive *drive = stations[i].data;
        const bool reached = i <= CUT_BEHIND;
        uint16_t code;
        CHECK_INT(ff_ec_station_state(ff_ec_robot_segment(robot), i, &code), reached ? FF_EC_OP : FF_EC_SAFEOP);
        CHECK_INT(code, reached ? 0 : 0x001B);
        CHECK_INT(drive->status & 0x024F, reached ? 0x0207 : 0x0008); // operation enabled, fault
        CHECK_INT(drive->error_code, reached ? 0 : 0x8130);
    }
    clear();
}

TEST(a_robot_that_is_not_bound_answers_nothing)
{
    ff_error err = {0};
    uint8_t frame[60] = {[12] = 0x88, 0xA4, 0x0E, 0x10, 7, 1, 0, 0, 0, 0, 2};
    bool over = false;
    ff_ec_robot *alone = ff_ec_robot_create(carry, NULL, &err);
    CHECK(alone && ff_ec_robot_frame(alone, frame, sizeof frame, &over) == 0 && !over);
    ff_ec_robot_destroy(alone);
    ff_ec_robot_destroy(NULL);
}
