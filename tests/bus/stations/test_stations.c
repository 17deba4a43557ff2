// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots on an EtherCAT segment: a master finds their drives and sensors by their names, brings them to OP, and lets
// them walk, with the hardware layer and the controller of the scene above. It is the same walk, to the bit, as through
// the simulated bus of the layer.
#include "hardware/layered.h"
#include "master/virtual_wire.h"

#include <footfall/stations.h>

enum { TICKS = CHECK_LASTS(1000, 200), DRIVES = 24, FORCES = 6, GATEWAYS = 4 };

static layered l;
static virtual_wire wire;
static ff_ec_bus *bus;
static ff_ec_bus_options bus_options;
static ff_ec_robot *robot;
static ff_relay below; // of the stations
static int exchanges;  // in this cycle
static void (*each_cycle)(double t);

static size_t pass_robot(void *context, uint8_t *bytes, size_t size)
{
    bool over = false;
    (void)context;
    const size_t back = ff_ec_robot_frame(robot, bytes, size, &over);
    exchanges += over;
    return back;
}

static ff_ec_state state_of_bus(void)
{
    return ff_ec_master_state(ff_ec_bus_master(bus));
}

/// One cycle of the layer in each of the bus.
static void carry(void *context, ff_ec_robot *of, double t)
{
    (void)context;
    CHECK(of == robot);
    exchanges = 0;
    const bool before = state_of_bus() >= FF_EC_SAFEOP;
    ff_hardware_cycle(l.layer, t);
    if (before) CHECK_INT(exchanges, 1); // process data, once a cycle
    if (each_cycle) each_cycle(t);
}

/// The network description of the robot's own tables, where a test wants the bus by plan.
static bool by_plan;
static ff_ec_plan *plan;

static ff_status start_bus(const ff_relay_site *site, ff_error *err)
{
    const ff_ec_wire functions = wire_functions(&wire);
    wire.pass = pass_robot;
    if (by_plan) {
        char *eni = ff_ec_eni_format(ff_ec_robot_segment(robot));
        plan = ff_ec_plan_parse(eni, strlen(eni), "robot.xml", NULL);
        free(eni);
        CHECK(plan);
        bus_options.master.plan = plan;
    }
    bus = ff_ec_bus_create(&functions, &bus_options, err);
    return bus ? ff_ec_bus_start(bus, site, err) : FF_NO_MEMORY;
}

static ff_status bind_both(void *context, const ff_relay_site *site, ff_error *err)
{
    ff_status status = below.bind(below.context, site, err);
    (void)context;
    if (status == FF_OK) status = start_bus(site, err);
    if (status != FF_OK) return status;
    const ff_field_bus functions = ff_ec_bus_functions(bus);
    return ff_hardware_bind(l.layer, site, &functions, err);
}

static const char *const IDEAL[] = {"effects.sensors=perfect", "effects.transmission=rigid"};
static int nideal;                                                             // of them that count
static void (*each_given)(void *, double, const ff_io_frame *, ff_io_frame *); // in place of the stations' cycle
static const ff_cycle_tap *at_far; // sees the controller's cycles; NULL: nobody

/// Runs a scene for some time [s]. @return the hash of its state at the end
static uint64_t walk(const char *file, bool through_frames, double lasts)
{
    char path[1024], time[32];
    const char *set[] = {time, "expect=[]", "metrics={}", "effects.bus={jitter: 0}", IDEAL[0], IDEAL[1]};
    const ff_relay far = {.context = &l, .bind = bind_far, .cycle = answer_far};
    ff_run_options how, alone;
    ff_run_relay relay = {0};
    memset(&l, 0, sizeof l);
    l.options = ff_hardware_options_default();
    l.options.log = note_state;
    l.options.context = &l;
    snprintf(time, sizeof time, "time=%g", lasts);
    snprintf(path, sizeof path, "%s/experiments/%s", FF_SOURCE_DIR, file);
    must_load_file(path, set, 4 + nideal);
    how = alone = ff_run_options_default(scene);
    how.record.nchannel = alone.record.nchannel = 0;
    l.far = ff_run_create(scene, &alone, &report);
    l.layer = ff_hardware_create(&far, &l.options, &l.err);
    CHECK(l.far && l.layer);
    if (at_far) CHECK(ff_run_tap_controller(l.far, 0, at_far, &l.err) == FF_OK);
    relay.relay = ff_hardware_relay(l.layer);
    if (through_frames) {
        robot = ff_ec_robot_create(carry, NULL, &l.err);
        CHECK(robot);
        below = ff_ec_robot_relay(robot);
        relay.relay = below;
        relay.relay.bind = bind_both;
        if (each_given) relay.relay.cycle = each_given;
    }
    how.relays = &relay;
    how.nrelay = 1;
    if (!begin_with(&how)) CHECK_FAIL("%s", message(0));
    l.status = ff_run_go(run, &l.err);
    if (l.status != FF_OK) CHECK_FAIL("%s", l.err.text);
    end_layered(&l);
    return ff_sim_hash(ff_run_sim(run));
}

static void prepare(void)
{
    memset(&wire, 0, sizeof wire);
    bus_options = ff_ec_bus_options_default();
    by_plan = false;
    each_cycle = NULL;
    at_far = NULL;
    each_given = NULL;
    nideal = 0;
}

static void clear(void)
{
    free_layered(&l);
    ff_ec_bus_destroy(bus);
    ff_ec_robot_destroy(robot);
    ff_ec_plan_destroy(plan);
    plan = NULL;
    bus = NULL;
    robot = NULL;
    prepare();
}

static void distributed_time_is_simulated_time(double t)
{
    if (ff_ec_bus_exchanges(bus) > 0)
        CHECK_INT(ff_ec_master_time(ff_ec_bus_master(bus)), (long long)floor(1e9 * t + 0.5));
}

static int count_wrong(void)
{
    const ff_ec_master_counts counts = ff_ec_master_get_counts(ff_ec_bus_master(bus));
    return (int)(counts.wrong_counters + counts.lost + counts.state_losses);
}

TEST(anton_walks_through_frames_as_through_the_simulated_bus)
{
    prepare();
    const uint64_t hash = walk("anton-tripod.yaml", false, 1e-3 * TICKS);
    const double way = metric("walk.distance");
    const ff_hardware_counts counts = l.counts;
    char log[sizeof l.log];
    memcpy(log, l.log, sizeof log);
    clear();
    each_cycle = distributed_time_is_simulated_time;
    const uint64_t other = walk("anton-tripod.yaml", true, 1e-3 * TICKS);
    const ff_ec_master *master = ff_ec_bus_master(bus);
    printf("%s%d stations, %zu + %zu bytes, %d frames, %.4f m and %.4f m\n", l.log, ff_ec_master_count(master),
           ff_ec_master_image_size(master, true), ff_ec_master_image_size(master, false), wire.carried, way,
           metric("walk.distance"));
    CHECK(l.state == FF_HARDWARE_ACTIVE && l.counts.faults == 0 && l.counts.lost == 0);
    CHECK_INT(count_wrong(), 0);
    CHECK(strcmp(log, l.log) == 0 && counts.frames == l.counts.frames && counts.cycles == l.counts.cycles);
    CHECK(metric("walk.falls") == 0.0 && (TICKS < 1000 || way > 0.05)); // half of what 0.1 m/s makes in a second
    CHECK(hash == other);
    // names as in the robot's file; each kind as often as the robot has it
    CHECK_INT(ff_ec_master_count(master), DRIVES + FORCES + 1 + GATEWAYS);
    for (int i = 0; i < ff_ec_master_count(master); i++)
        CHECK_INT(ff_ec_master_slave(master, i)->product, i < DRIVES                ? 0x0402
                                                          : i < DRIVES + FORCES     ? 0x0601
                                                          : i < DRIVES + FORCES + 1 ? 0x0602
                                                                                    : 0x0604);
    CHECK(ff_ec_master_find(master, "gyro") == DRIVES + FORCES && ff_ec_master_find(master, "FL_coxa") >= 0 &&
          ff_ec_master_find(master, "gateway_1") == DRIVES + FORCES + 1);
    clear();
}

// By the ENI file of the robot's tables, with Sync0 signals.
TEST(a_plan_and_sync0_change_no_bit)
{
    const double lasts = CHECK_LASTS(0.3, 0.1);
    prepare();
    const uint64_t hash = walk("anton-tripod.yaml", false, lasts);
    clear();
    by_plan = true;
    bus_options.sync0 = true;
    CHECK(hash == walk("anton-tripod.yaml", true, lasts));
    CHECK_INT(count_wrong(), 0);
    clear();
}

// 26 drives, two of each ankle on two joints; four force sensors, an inertial unit, pads and what else it has.
TEST(lola_stands_and_begins_to_walk_through_frames_likewise)
{
    const double lasts = CHECK_LASTS(0.3, 0.1);
    prepare();
    const uint64_t hash = walk("lola-walk.yaml", false, lasts);
    clear();
    const uint64_t other = walk("lola-walk.yaml", true, lasts);
    CHECK_INT(count_wrong(), 0);
    CHECK_INT(ff_ec_master_count(ff_ec_bus_master(bus)), 32); // table B.4
    CHECK(l.state == FF_HARDWARE_ACTIVE && hash == other);
    clear();
}

// ------------------------------------------------------------------------------------------ latency

#ifndef WALK_MS
#define WALK_MS 1300 // 60000 for the minute of docs/ethercat.md
#endif
enum { SETTLED_MS = 600, JOINTS_MOST = 32, ITEMS_MOST = 80 };
static double angles[2][WALK_MS + 1][JOINTS_MOST]; // each ms, without a bus and through it  [rad]
static double commands[WALK_MS + 1][ITEMS_MOST];   // of the controller, each ms
static int first_command;                          // [ms]
static unsigned nitem;                             // of a command

static int whole_ms(double t)
{
    return (int)floor(1e3 * t + 0.5);
}

static void note_angles(double of[][JOINTS_MOST], double t)
{
    const ff_model *m = ff_sim_model(ff_run_sim(run));
    CHECK(m->njoint <= JOINTS_MOST);
    for (int i = 0; i < m->njoint && whole_ms(t) <= WALK_MS; i++)
        of[whole_ms(t)][i] = ff_sim_q(ff_run_sim(run))[m->joints[i].qadr];
}

static void note_through(double t)
{
    note_angles(angles[1], t);
}

static void note_commands(void *context, double t, const ff_io_frame *sensors, const ff_io_frame *references,
                          uint32_t conditions)
{
    (void)context, (void)sensors, (void)conditions;
    CHECK(references->count <= ITEMS_MOST && whole_ms(t) <= WALK_MS);
    if (!first_command) first_command = whole_ms(t);
    nitem = references->count;
    for (unsigned i = 0; i < references->count; i++) {
        CHECK(ff_io_known(&ff_io_items_of(references)[i]));
        commands[whole_ms(t)][i] = ff_io_items_of(references)[i].value;
    }
}

/// The commands that were given through the bus, at the same times; before the first of them it, too.
static void repeat_commands(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    const int ms = whole_ms(t) > first_command ? whole_ms(t) : first_command;
    (void)context, (void)sensors;
    note_angles(angles[0], t);
    for (unsigned i = 0; i < references->count && ms <= WALK_MS; i++)
        ff_io_items(references)[i] =
            (ff_io_item){.value = commands[ms][i], .time_ns = (int64_t)floor(1e9 * t + 0.5), .valid = 1};
}

static ff_status bind_nobody(void *context, const ff_relay_site *site, ff_error *err)
{
    (void)context, (void)site, (void)err;
    return FF_OK;
}

/// The scene again, with references of our own. @return the hash of its state at the end
static uint64_t replay(void (*cycle)(void *, double, const ff_io_frame *, ff_io_frame *))
{
    const ff_run_relay relay = {0, {.bind = bind_nobody, .cycle = cycle, .every_bus_cycle = true}};
    ff_run_options how = ff_run_options_default(scene);
    ff_error err = {0};
    how.record.nchannel = 0;
    how.relays = &relay;
    how.nrelay = 1;
    ff_run_destroy(run);
    run = NULL;
    CHECK(begin_with(&how));
    CHECK(ff_run_go(run, &err) == FF_OK);
    return ff_sim_hash(ff_run_sim(run));
}

/// Greatest difference of a joint through the bus from what it was without, some ms before.
static double difference(int later)
{
    const int n = ff_sim_model(ff_run_sim(run))->njoint;
    double worst = 0.0;
    for (int k = SETTLED_MS; k + later <= WALK_MS; k++)
        for (int i = 0; i < n; i++) worst = fmax(worst, fabs(angles[1][k + later][i] - angles[0][k][i]));
    return worst;
}

/// Greatest way of a joint in a ms.
static double greatest_way(void)
{
    const int n = ff_sim_model(ff_run_sim(run))->njoint;
    double most = 0.0;
    for (int k = SETTLED_MS; k < WALK_MS; k++)
        for (int i = 0; i < n; i++) most = fmax(most, fabs(angles[0][k + 1][i] - angles[0][k][i]));
    return most;
}

// The same commands of the same controller, through layer, master, frames and stations, and without any of them. The
// layer uses an answer in its next cycle, of 1 ms: that is the latency, and nothing else differs once the blend of
// 0.2 s and the first steps are over. A latency that is wrong by a cycle shows as the way of the fastest joint in a
// cycle; a quarter of it is the bound. Sensors are perfect and gears are rigid, so that homing finds the motors
// exactly.
TEST(through_the_bus_joints_move_as_without_it_one_cycle_later)
{
    prepare();
    nideal = 2;
    first_command = 0;
    const ff_cycle_tap tap = {.see = note_commands};
    at_far = &tap;
    each_cycle = note_through;
    walk("anton-tripod.yaml", true, 1e-3 * WALK_MS);
    CHECK(l.state == FF_HARDWARE_ACTIVE && l.counts.faults == 0);
    replay(repeat_commands);
    const double way = greatest_way();
    printf("way %.3g, differences %.3g %.3g %.3g\n", way, difference(0), difference(1), difference(2));
    CHECK(difference(1) < 0.25 * way);
    CHECK(difference(0) > 0.75 * way && difference(2) > 0.75 * way);
    clear();
}

// ------------------------------------------------------------------------------------------ real sensors, play

static ff_io_item given[WALK_MS + 1][ITEMS_MOST]; // to the drives, through the bus, each ms

static void note_given(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    below.cycle(context, t, sensors, references);
    CHECK(references->count <= ITEMS_MOST && whole_ms(t) <= WALK_MS);
    memcpy(given[whole_ms(t)], ff_io_items_of(references), references->count * sizeof **given);
}

static void give_again(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    (void)context, (void)sensors;
    memcpy(ff_io_items(references), given[whole_ms(t)], references->count * sizeof **given);
}

/// What the bus adds to the commands of an item that come some ms later: greatest less least.
static double spread(unsigned item, int later)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = SETTLED_MS; k + later < WALK_MS; k++) {
        const double added = given[k + later][item].value - commands[k][item];
        low = fmin(low, added);
        high = fmax(high, added);
    }
    return high - low;
}

static const ff_ec_drive *drive_at(int station_number)
{
    int count;
    return ff_ec_robot_stations(robot, &count)[station_number].data;
}

/// To what the objects of its drive round an item: a count of its encoder, also for speeds; a thousandth of 6076.
/// INFINITY: a joint of the spine, which two motors move.
static double unit_of(unsigned item)
{
    char drive[64] = "", what[16] = "";
    CHECK(sscanf(l.site.references->names[item].name, "drives.%63[^.].%15s", drive, what) == 2);
    const int slave = ff_ec_master_find(ff_ec_bus_master(bus), drive);
    if (slave < 0) return INFINITY;
    const ff_ec_drive *d = drive_at(slave);
    if (strcmp(what, "force") == 0) return 1e-6 * d->rated_torque;
    return 2.0 * FF_PI * d->gear[1] / ((double)d->encoder[0] * d->gear[0]);
}

// With sensors that err and gears that have play, homing is not exact: a motor's zero is wrong by a constant. So the
// bus adds to each command its latency of one cycle, a constant, and the rounding of its units, and nothing else. A
// latency wrong by a cycle shows in every item that moves. Given again what reached the drives, a run without layer,
// master, frames and stations gives bit-identical results.
TEST(with_real_sensors_and_backlash_the_bus_adds_latency_a_constant_and_rounding)
{
    prepare();
    first_command = 0;
    const ff_cycle_tap tap = {.see = note_commands};
    at_far = &tap;
    each_given = note_given;
    const uint64_t hash = walk("anton-tripod.yaml", true, 1e-3 * WALK_MS);
    CHECK(l.state == FF_HARDWARE_ACTIVE && l.counts.faults == 0);
    double worst = 0.0, least = INFINITY;
    int moved = 0;
    for (unsigned i = 0; i < nitem; i++) {
        const double unit = unit_of(i), wrong = fmin(spread(i, 0), spread(i, 2)) / unit;
        worst = fmax(worst, spread(i, 1) / unit);
        if (wrong < 10.0) continue; // it hardly moves
        moved++;
        least = fmin(least, wrong);
    }
    printf("%d items move; the bus adds %.4f units, with a wrong latency %.3g or more\n", moved, worst, least);
    CHECK(worst <= 1.0 + 1e-6 && moved >= 2 * 18); // positions and speeds of six legs; rounding up and down
    CHECK(replay(give_again) == hash);
    clear();
}

// ------------------------------------------------------------------------------------------ faults

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
    prepare();
    each_cycle = cut_the_cable;
    walk("anton-tripod.yaml", true, 0.3);
    CHECK(count_wrong() > 0 && l.state == FF_HARDWARE_FAULT);
    if (!strstr(l.log, "Fault bus: ")) CHECK_FAIL("%s", l.log);
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

static int reset_at; // station
static int64_t counts_before;
static double angle_before;

/// A joint of the drive that loses its power.  [rad]
static double angle(void)
{
    const ff_model *m = ff_sim_model(ff_run_sim(run));
    for (int i = 0; i < m->njoint; i++)
        if (strcmp(m->joints[i].name, "FL_femur") == 0) return ff_sim_q(ff_run_sim(run))[m->joints[i].qadr];
    CHECK_FAIL("no such joint");
}

static void lose_power(double t)
{
    const int ms = (int)floor(1e3 * t + 0.5);
    if (ms == 300) {
        reset_at = ff_ec_master_find(ff_ec_bus_master(bus), "FL_femur");
        CHECK((drive_at(reset_at)->status & 0x6F) == 0x27);
        counts_before = drive_at(reset_at)->position;
        ff_ec_station_reset(ff_ec_robot_segment(robot), reset_at, ff_ec_robot_time(robot));
    }
    if (ms == 302)
        CHECK(llabs(drive_at(reset_at)->position) < 1000 && llabs(counts_before) > 10000); // it counts from 0 again
    if (ms == 400) { // back in operation, but nothing moves it
        CHECK_INT(state_of_bus(), FF_EC_OP);
        CHECK_INT(drive_at(reset_at)->status & 0x4F, 0x40);
        CHECK_INT(ff_hardware_get_state(l.layer), FF_HARDWARE_FAULT);
        if (!strstr(l.log, "'FL_femur' (0x")) CHECK_FAIL("%s", l.log);
        angle_before = angle();
        CHECK(ff_hardware_command(l.layer, "acknowledge", &l.err) == FF_OK);
    }
    if (ms == 410) CHECK(ff_hardware_get_state(l.layer) == FF_HARDWARE_IDLE);
    if (ms == 410) CHECK(ff_hardware_command(l.layer, "activate", &l.err) == FF_OK);
    // homed again by its potentiometer, and in the blend from where it stood: no jump
    if (ms > 400 && ms < 480) CHECK(fabs(angle() - angle_before) < 0.01);
}

// The others go on holding. The drive counts from 0 on, as an incremental encoder does, and is homed again.
TEST(a_drive_that_lost_its_power_waits_to_be_acknowledged)
{
    prepare();
    bus_options.master.watch_interval = 100000; // the wire's clock goes on by some 100 us a cycle
    each_cycle = lose_power;
    walk("anton-tripod.yaml", true, 0.55);
    CHECK(l.state == FF_HARDWARE_ACTIVE && l.counts.faults == 1);
    CHECK_INT(drive_at(reset_at)->status & 0x6F, 0x27);
    CHECK_INT(drive_at(reset_at)->period, 100); // the cycle was written again: 1 ms in units of 10 us
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
