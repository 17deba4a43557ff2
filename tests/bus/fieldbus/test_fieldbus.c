// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The master as a field bus: ANTON's slaves are found by the names of its drives and sensors; what is reported when one
// is missing, has another type, or drops out. That the robot walks over it is shown in tests/bus/stations.
#include "base/bytes.h"
#include "master/virtual_wire.h"
#include "scene/scene_helpers.h"

#include <footfall/stations.h>

enum { MOST = 48, IMAGE = 4096 };

static virtual_wire wire;
static ff_ec_robot *robot; // whose stations are copied
static ff_ec_station stations[MOST];
static int nstation;
static ff_relay_site site;
static ff_ec_bus *bus;
static ff_error err;

static void no_frames(void *context, ff_ec_robot *of, double t)
{
    (void)context, (void)of, (void)t;
}

/// Stations of ANTON, which a test may change before `start`.
static void prepare(void)
{
    char path[1024];
    memset(&wire, 0, sizeof wire);
    memset(&err, 0, sizeof err);
    snprintf(path, sizeof path, "%s/experiments/anton-tripod.yaml", FF_SOURCE_DIR);
    must_load_file(path, NULL, 0);
    CHECK(begin_with(NULL));
    CHECK(ff_run_controller_site(run, 0, &site, &err) == FF_OK);
    robot = ff_ec_robot_create(no_frames, NULL, &err);
    const ff_relay relay = ff_ec_robot_relay(robot);
    CHECK(relay.bind(relay.context, &site, &err) == FF_OK);
    const ff_ec_station *from = ff_ec_robot_stations(robot, &nstation);
    memcpy(stations, from, (size_t)nstation * sizeof *stations);
}

static double slack; // of a cycle; 0: the default  [s]
static int lost;     // consecutive exchanges that may fail; 0: the default

static ff_status start(void)
{
    const ff_ec_wire functions = wire_functions(&wire);
    ff_ec_bus_options options = ff_ec_bus_options_default();
    options.master.frame_timeout = 1000000;
    if (slack > 0.0) options.transfer_timeout = slack;
    if (lost > 0) options.tolerated_losses = lost;
    wire.segment = ff_ec_segment_create(stations, nstation, &err);
    CHECK(wire.segment);
    bus = ff_ec_bus_create(&functions, &options, &err);
    CHECK(bus);
    return ff_ec_bus_start(bus, &site, &err);
}

static void clear(void)
{
    ff_ec_bus_destroy(bus);
    ff_ec_segment_destroy(wire.segment);
    ff_ec_robot_destroy(robot);
    finish();
}

static int find(const char *name)
{
    for (int i = 0; i < nstation; i++)
        if (strcmp(stations[i].name, name) == 0) return i;
    CHECK_FAIL("no station %s", name);
}

#define CHECK_TOLD(status, words)                                                                                      \
    do {                                                                                                               \
        const ff_status got = (status);                                                                                \
        if (got == FF_OK || !strstr(err.text, words)) CHECK_FAIL("%d '%s' does not say '%s'", got, err.text, words);   \
    } while (0)

TEST(a_drive_that_is_not_on_the_bus_is_named)
{
    prepare();
    stations[find("FL_coxa")].name = "FL_foxa";
    CHECK_TOLD(start(), "slave 'FL_coxa': it is not on the bus");
    clear();
}

/// Position of the value of a gateway's item among the inputs.
static size_t place_of(const char *item)
{
    const ff_field_bus f = ff_ec_bus_functions(bus);
    for (int i = 0; i < f.nobject; i++)
        if (strcmp(f.objects[i].name, item) == 0) return f.objects[i].offset;
    CHECK_FAIL("no object %s", item);
}

/// A channel of a gateway, as the master maps it.
static size_t channel_of(const char *gateway, int channel)
{
    const ff_ec_master *m = ff_ec_bus_master(bus);
    const int slave = ff_ec_master_find(m, gateway);
    const int bit = ff_ec_master_find_mapped(m, slave, false, 0x6030, (uint8_t)(channel + 1));
    CHECK(slave >= 0 && bit >= 0);
    return ff_ec_master_slave(m, slave)->in_offset + (size_t)bit / 8;
}

/// The items of gateways in the order of the frame, on ANTON potentiometers of its 24 drives.
static const char *potentiometer(int number)
{
    for (int i = 0; i < (int)site.sensors->count; i++)
        if (strncmp(site.sensors->names[i].name, "sensors.pot_", 12) == 0 && number-- == 0)
            return site.sensors->names[i].name;
    CHECK_FAIL("no such potentiometer");
}

// No other slave may take its position: potentiometers of other joints would control the robot.
TEST(a_missing_gateway_is_refused_with_its_first_sensor)
{
    char words[200];
    prepare();
    stations[find("gateway_2")].name = "gateway_9";
    snprintf(words, sizeof words, "slave 'gateway_2': it is not on the bus, and sensor '%s' needs",
             potentiometer(FF_EC_GATEWAY_CHANNELS));
    CHECK_TOLD(start(), words);
    clear();
    prepare();
    nstation = find("gateway_3"); // and all behind it
    CHECK_TOLD(start(), "slave 'gateway_3': it is not on the bus");
    clear();
}

TEST(channels_go_by_the_names_of_gateways)
{
    prepare();
    const int one = find("gateway_1"), three = find("gateway_3");
    const ff_ec_station kept = stations[one];
    stations[one].name = stations[three].name; // they swap their positions on the cable
    stations[three].name = kept.name;
    CHECK(start() == FF_OK);
    for (int i = 0; i < 3 * FF_EC_GATEWAY_CHANNELS; i++) {
        char name[20];
        snprintf(name, sizeof name, "gateway_%d", i / FF_EC_GATEWAY_CHANNELS + 1);
        CHECK_INT(place_of(potentiometer(i)), channel_of(name, i % FF_EC_GATEWAY_CHANNELS));
    }
    clear();
}

TEST(a_slave_that_is_not_a_drive_is_reported_with_the_missing_object)
{
    static ff_ec_switches switches;
    prepare();
    const int i = find("FL_coxa");
    stations[i].device = &ff_ec_switches_device;
    stations[i].behaviour = NULL;
    stations[i].data = &switches;
    CHECK_TOLD(start(), "slave 'FL_coxa': object 6040:00 is not mapped to its process data");
    clear();
}

// 2 % of frames are lost before and 2 % behind the slaves: the positions of objects are the same.
TEST(lost_frames_do_not_change_the_mapping)
{
    static ff_bus_object sound[1500];
    prepare();
    CHECK(start() == FF_OK);
    const ff_field_bus first = ff_ec_bus_functions(bus);
    CHECK(first.nobject <= 1500);
    memcpy(sound, first.objects, (size_t)first.nobject * sizeof *sound);
    const int n = first.nobject;
    clear();
    prepare();
    wire.loss = 0.02;
    CHECK(start() == FF_OK);
    const ff_field_bus second = ff_ec_bus_functions(bus);
    CHECK_INT(second.nobject, n);
    for (int i = 0; i < n; i++)
        CHECK(second.objects[i].offset == sound[i].offset && second.objects[i].type == sound[i].type);
    CHECK(wire.lost > 0);
    clear();
}

// Before process data flow, an SDO transfer may take longer than a cycle: mailboxes of real slaves need some ms.
TEST(sdo_transfers_may_take_longer_before_process_data_flow)
{
    int64_t value = 0;
    prepare();
    slack = 1e-6;
    CHECK(start() == FF_OK);
    const ff_field_bus b = ff_ec_bus_functions(bus);
    CHECK(b.sdo_read(b.context, "FL_coxa", 0x1000, 0, &value, &err) == FF_OK);
    CHECK_INT(value, 0x00020192);
    slack = 0.0;
    clear();
}

TEST(objects_are_read_and_written_by_the_name_of_a_slave)
{
    int64_t value = 0;
    prepare();
    CHECK(start() == FF_OK);
    const ff_field_bus b = ff_ec_bus_functions(bus);
    CHECK(b.sdo_read(b.context, "FL_coxa", 0x1000, 0, &value, &err) == FF_OK);
    CHECK_INT(value, 0x00020192);
    CHECK(b.sdo_write(b.context, "FL_coxa", 0x60C2, 1, 77, &err) == FF_OK);
    CHECK(b.sdo_read(b.context, "FL_coxa", 0x60C2, 1, &value, &err) == FF_OK && value == 77);
    CHECK(b.sdo_write(b.context, "FL_coxa", 0x6065, 0, 70000, &err) == FF_OK); // four bytes
    CHECK(b.sdo_read(b.context, "FL_coxa", 0x6065, 0, &value, &err) == FF_OK && value == 70000);
    CHECK_TOLD(b.sdo_write(b.context, "FL_coxa", 0x1000, 0, 1, &err),
               "slave 'FL_coxa': object 1000:00: attempt to write a read-only object");
    CHECK_TOLD(b.sdo_read(b.context, "FL_coxa", 0x1008, 0, &value, &err), "is not a number");
    CHECK_TOLD(b.sdo_read(b.context, "tail", 0x1000, 0, &value, &err), "there is no slave 'tail'");
    CHECK(ff_ec_bus_start(bus, &site, &err) == FF_BAD_ARGUMENT);
    clear();
}

static unsigned char inputs[IMAGE], outputs[IMAGE];

/// A cycle as the layer does it.
static ff_status exchange(const ff_field_bus *b, bool *sound)
{
    *sound = b->copy_rx(b->context, inputs);
    b->copy_tx(b->context, outputs);
    const ff_status status = b->send(b->context, 0.0, &err);
    b->request_state(b->context, FF_BUS_OP);
    wire.now += 1000000;
    ff_ec_segment_advance(wire.segment, wire.now);
    return status;
}

static ff_field_bus reach_op(void)
{
    bool sound;
    CHECK(start() == FF_OK);
    const ff_field_bus b = ff_ec_bus_functions(bus);
    CHECK(b.inputs <= IMAGE && b.outputs <= IMAGE);
    CHECK_INT(b.request_state(b.context, FF_BUS_INIT), FF_BUS_INIT);
    CHECK_INT(b.request_state(b.context, FF_BUS_OP), FF_BUS_PRE_OP); // state by state
    CHECK_INT(b.request_state(b.context, FF_BUS_OP), FF_BUS_SAFE_OP);
    CHECK(exchange(&b, &sound) == FF_OK && sound);
    CHECK_INT(b.request_state(b.context, FF_BUS_OP), FF_BUS_OP);
    return b;
}

/// The time of a sample, as the layer gets it.  [ns]
static int64_t sample_time(const ff_field_bus *b, const char *slave)
{
    for (int i = 0; i < b->nobject; i++)
        if (strcmp(b->objects[i].slave, slave) == 0 && strcmp(b->objects[i].name, "time") == 0)
            return ff_get_i64(inputs + b->objects[i].offset);
    CHECK_FAIL("no time of %s", slave);
}

// 32 bits of a sample's time are on the wire. A count of 0 is none, but later it is one that wrapped.
TEST(samples_have_their_own_times)
{
    bool sound;
    prepare();
    ff_ec_imu *gyro = stations[find("gyro")].data;
    ff_ec_force *foot = stations[find("FL_foot_force")].data;
    const ff_field_bus b = reach_op();
    wire.now = UINT64_C(5) << 32; // times have more bits than the wire carries
    gyro->count = 0;
    foot->count = 0;
    ff_ec_segment_advance(wire.segment, wire.now);
    exchange(&b, &sound);
    CHECK(sample_time(&b, "gyro") == -1 && sample_time(&b, "FL_foot_force") == -1);
    const uint64_t sampled = wire.now - 12345; // before the wrap of the lower 32 bits, for the first
    gyro->count = 7;
    foot->count = 7;
    gyro->time = foot->time = (uint32_t)sampled;
    ff_ec_segment_advance(wire.segment, wire.now);
    for (int i = 0; i < 4; i++) { // inputs are a cycle old
        CHECK(exchange(&b, &sound) == FF_OK && sound);
        CHECK_INT(sample_time(&b, "gyro"), sampled);
        CHECK_INT(sample_time(&b, "FL_foot_force"), sampled);
        gyro->count = 0;
    }
    clear();
}

TEST(a_slave_that_drops_out_is_named_when_outputs_fail_twice)
{
    bool sound;
    prepare();
    const ff_field_bus b = reach_op();
    for (int i = 0; i < 20; i++) CHECK(exchange(&b, &sound) == FF_OK && sound);
    CHECK(ff_ec_station_connect(wire.segment, 9, 1, false));
    CHECK(exchange(&b, &sound) == FF_OK && !sound); // once is borne
    ff_status status = exchange(&b, &sound);
    CHECK(status == FF_CONTROL && !sound);
    char words[100];
    snprintf(words, sizeof words, "slave 11 '%s' (0x100B) does not answer, and %d more", stations[10].name,
             nstation - 11);
    CHECK_TOLD(status, words); // it was looked for at once
    CHECK_INT(b.request_state(b.context, FF_BUS_OP), FF_BUS_INIT);
    CHECK(ff_ec_station_connect(wire.segment, 9, 1, true)); // reconnected
    for (int i = 0; i < 300; i++) status = exchange(&b, &sound);
    CHECK(status == FF_OK && sound && b.request_state(b.context, FF_BUS_OP) == FF_BUS_OP);
    clear();
}

TEST(slaves_stopped_by_the_watchdog_return_to_op)
{
    bool sound;
    prepare();
    const ff_field_bus b = reach_op();
    for (int i = 0; i < 20; i++) CHECK(exchange(&b, &sound) == FF_OK && sound);
    wire.now += 150000000; // longer than the watchdog
    ff_ec_segment_advance(wire.segment, wire.now);
    CHECK_INT(b.request_state(b.context, FF_BUS_OP), FF_BUS_OP); // not seen yet
    for (int i = 0; i < 300; i++) exchange(&b, &sound);
    const ff_ec_master_counts counts = ff_ec_master_get_counts(ff_ec_bus_master(bus));
    CHECK(counts.state_losses > 0);
    CHECK_INT(b.request_state(b.context, FF_BUS_OP), FF_BUS_OP); // brought back
    clear();
}

// ------------------------------------------------------------------------------------------ a faulty wire

enum { HELD = 32, LRD = 10, LWR = 11 };

/// Of 100 answers this many are lost, delayed, or have a wrong working counter.
typedef struct hostility {
    int lost, late, miscounted;
    struct {
        int due; // frames of the master from now; 0: free
        size_t size;
        unsigned char bytes[FF_EC_PACKET_MAX];
    } held[HELD];
    bool corrupted, held_back; // inputs of this cycle
    int late_ones, miscounts;
} hostility;

/// The datagram of a command in a frame; NULL: none.
static unsigned char *find_datagram(unsigned char *frame, unsigned command)
{
    for (unsigned char *at = frame + 16;;) {
        const unsigned length = ff_get_u16(at + 6);
        if (at[0] == command) return at;
        if (!(length & 0x8000U)) return NULL;
        at += 12 + (length & 0x7FFU);
    }
}

static void deliver_late(hostility *h)
{
    for (int i = 0; i < HELD; i++) {
        if (h->held[i].due == 0 || --h->held[i].due > 0 || wire.nwaiting == WIRE_WAITING) continue;
        memcpy(wire.waiting[wire.nwaiting], h->held[i].bytes, h->held[i].size);
        wire.sizes[wire.nwaiting++] = h->held[i].size;
        h->late_ones++;
    }
}

static bool hold(hostility *h, const unsigned char *bytes, size_t size)
{
    for (int i = 0; i < HELD; i++) {
        if (h->held[i].due > 0) continue;
        h->held[i].due = 1 + (int)(40.0 * ff_random_uniform(&wire.random));
        h->held[i].size = size;
        memcpy(h->held[i].bytes, bytes, size);
        return true;
    }
    return false;
}

/// One slave more or fewer than before.
static bool miscount(hostility *h, unsigned char *bytes)
{
    unsigned char *at = find_datagram(bytes, LRD);
    if (!at) at = find_datagram(bytes, LWR);
    if (!at) return false;
    unsigned char *counter = at + 10 + (ff_get_u16(at + 6) & 0x7FFU);
    ff_put_u16(counter, (uint16_t)(ff_get_u16(counter) + (ff_random_uniform(&wire.random) < 0.5 ? 1 : -1)));
    h->miscounts++;
    return true;
}

static size_t pass_hostile(void *context, unsigned char *bytes, size_t size)
{
    hostility *h = context;
    size = ff_ec_segment_frame(wire.segment, bytes, size, wire.now);
    deliver_late(h);
    if (!size) return 0;
    const bool inputs_there = find_datagram(bytes, LRD) != NULL;
    const double drawn = 100.0 * ff_random_uniform(&wire.random);
    const bool gone = drawn < h->lost, later = !gone && drawn < h->lost + h->late && hold(h, bytes, size);
    const bool wrong = !gone && !later && drawn < h->lost + h->late + h->miscounted && miscount(h, bytes);
    h->corrupted = h->corrupted || (inputs_there && (gone || wrong));
    h->held_back = h->held_back || (inputs_there && later);
    return gone || later ? 0 : size;
}

/// Each cycle has a sample with its own time. Inputs are valid if their answers were received complete in this cycle,
/// and then they are those of this cycle. An answer that was held back may still have arrived in time.
static int compare_cycles(const ff_field_bus *b, hostility *h, int n)
{
    ff_ec_imu *gyro = stations[find("gyro")].data;
    ff_ec_force *foot = stations[find("FL_foot_force")].data;
    int good = 0;
    for (int k = 0; k < n; k++) {
        bool sound;
        const uint64_t sampled = wire.now;
        gyro->count = (uint16_t)(k + 1);
        foot->count = (uint32_t)(k + 1);
        gyro->time = foot->time = (uint32_t)sampled;
        ff_ec_segment_advance(wire.segment, wire.now);
        h->corrupted = h->held_back = false;
        CHECK(exchange(b, &sound) == FF_OK);
        CHECK(!sound || !h->corrupted);
        CHECK(sound || h->corrupted || h->held_back);
        good += sound;
        if (!sound) continue;
        CHECK_INT(sample_time(b, "gyro"), sampled);
        CHECK_INT(sample_time(b, "FL_foot_force"), sampled);
    }
    return good;
}

TEST(lost_late_or_incomplete_answers_never_give_wrong_inputs)
{
    static hostility h;
    enum { CYCLES = CHECK_LASTS(2000, 500) };
    prepare();
    lost = CYCLES;
    const ff_field_bus b = reach_op();
    h = (hostility){.lost = 5, .late = 10, .miscounted = 5};
    wire.pass = pass_hostile;
    wire.context = &h;
    const int good = compare_cycles(&b, &h, CYCLES);
    CHECK(good > CYCLES / 2 && good < CYCLES - CYCLES / 10); // 0.8 of them, where an answer has all inputs
    CHECK(h.late_ones > CYCLES / 20 && h.miscounts > CYCLES / 20);
    h.lost = h.late = h.miscounted = 0;
    compare_cycles(&b, &h, 300); // delayed answers arrive now
    CHECK_INT(compare_cycles(&b, &h, 100), 100);
    CHECK_INT(b.request_state(b.context, FF_BUS_OP), FF_BUS_OP);
    lost = 0;
    clear();
}
