// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Every fault on every wire, in lockstep and in real time: the tables "What faults do" of docs/link.md, cell by
// cell. In lockstep robot and controller are two threads; in real time one thread is both, so that each answer
// is there, or not, before the cycle that looks for it: nothing depends on the speed of the machine.
#define _GNU_SOURCE // posix_openpt
#include "link/apart_helpers.h"

#include "link/wire.h"

enum { UDP, TCP, SERIAL, SHM };

// ------------------------------------------------------------------------------------------ lockstep

/// The servo hexapod sets out at once, and is in the middle of a step when it is over.
static void load_walk(const char *time)
{
    const char *overrides[] = {time, "control.commands=[{at: 0.02, speed: 0.25}]", "metrics.from=0", "expect=[]"};
    must_load_file(path_of(walks[1].scene), overrides, 4);
}

static ff_link_options impatient(void)
{
    ff_link_options options = ff_link_options_default();
    options.resend_after = 0.005;
    options.timeout = 30.0; // a busy machine
    return options;
}

static ff_wire *must_spoil(ff_wire *below, const char *faults)
{
    ff_error err = {0};
    ff_wire *wire = ff_wire_with_faults(below, faults, &err);
    if (!wire) CHECK_FAIL("%s", err.text);
    return wire;
}

// Both ends have faults: frames are sent again, answers given again, and no bit differs.
TEST(in_lockstep_faults_cost_time_and_no_bit)
{
    static const char *const faults[] = {"drop=0.15,seed=1",
                                         "delay=0.002",
                                         "double=0.3,seed=2",
                                         "swap=0.2,seed=3",
                                         "flip=0.15,seed=4",
                                         "flood=20",
                                         "drop=0.05,double=0.1,swap=0.05,flip=0.05,delay=0.0005,seed=5"};
    static outcome together, apart;
    load_walk(CHECK_LASTS("time=0.5", "time=0.3"));
    must_go();
    together = look();
    for (int kind = 0; kind < WIRES; kind++)
        for (size_t i = 0; i < sizeof faults / sizeof *faults; i += CHECK_LASTS(1, 2)) {
            char what[200];
            const ff_link_options options = impatient();
            far_end far = {.faults = faults[i], .options = options};
            line l = open_line(kind);
            l.robot = must_spoil(l.robot, faults[i]);
            apart = run_over(&l, &options, &far);
            snprintf(what, sizeof what, "%s with %s", wire_names[kind], faults[i]);
            must_agree(&together, &apart, &far, what);
            CHECK(robot_counts.good == robot_counts.cycles);
            const int64_t seen = robot_counts.resent + robot_counts.doubled + robot_counts.damaged +
                                 far.counts.doubled + far.counts.damaged + far.counts.late;
            if (seen == 0 && i != 1 && !(kind == SHM && (i == 2 || i == 5))) // a slot holds the newest: none twice
                CHECK_FAIL("%s: nothing happened", what);
        }
    finish();
}

// What the controller sends is cut off in the middle of a step: the robot is held, and stands to the end.
TEST(in_lockstep_a_cut_wire_leaves_a_robot_that_stands)
{
    load_walk("time=1");
    for (int kind = 0; kind < WIRES; kind++) {
        ff_link_options options = impatient();
        options.resend_after = 0.05;
        far_end far = {.faults = "cut=40", .options = options}; // greetings and answers
        options.timeout = 1.0;                                  // an answer may take a while on a busy machine
        line l = open_line(kind);
        run_over(&l, &options, &far);
        CHECK(robot_status == FF_CONTROL && strstr(robot_err.text, "did not answer"));
        CHECK(robot_counts.good >= 1 && robot_counts.good < 40 && robot_counts.resent >= 5);
        CHECK(robot_falls == 0.0);
    }
    finish();
}

// ------------------------------------------------------------------------------------------ real time

enum { CYCLES = 200 };
static const double PERIOD = 1e-4; // nobody waits for the clock  [s]
static ff_io_name items[2] = {{"drives.knee.position", "rad"}, {"drives.knee.speed", "rad/s"}};

/// The wire below at both ends: what the controller has put in is waited for at the robot's end.
typedef struct passage {
    ff_wire control, robot;
    ff_wire *below[2]; // ends of the controller and of the robot
    int kind;
    bool patient;  // it waits
    int telegrams; // that went in
    size_t bytes;
    int awaited; // telegrams that the robot has not got yet
} passage;

static passage way;

/// A stream drops what is damaged, a slot holds the newest alone.
static ff_status put_in(ff_wire *wire, const unsigned char *bytes, size_t size, ff_error *err)
{
    ff_telegram head;
    const unsigned char *payload;
    size_t n;
    const bool arrives =
        way.kind == UDP || way.kind == SHM || ff_telegram_open(bytes, size, &head, &payload, &n, NULL) == FF_OK;
    (void)wire;
    way.telegrams++;
    way.bytes += size;
    way.awaited = way.kind == SHM ? 1 : way.awaited + arrives;
    return ff_wire_send(way.below[0], bytes, size, err);
}

static ff_status take_sensors(ff_wire *wire, unsigned char *bytes, size_t most, double seconds, size_t *size,
                              ff_error *err)
{
    (void)wire;
    return ff_wire_receive(way.below[0], bytes, most, seconds, size, err);
}

static ff_status send_sensors(ff_wire *wire, const unsigned char *bytes, size_t size, ff_error *err)
{
    (void)wire;
    return ff_wire_send(way.below[1], bytes, size, err);
}

static ff_status take_out(ff_wire *wire, unsigned char *bytes, size_t most, double seconds, size_t *size, ff_error *err)
{
    (void)wire;
    const bool waits = way.patient && way.awaited > 0;
    const ff_status status = ff_wire_receive(way.below[1], bytes, most, waits ? 30.0 : seconds, size, err);
    if (status == FF_OK && *size > 0) way.awaited--;
    return status;
}

static void close_nothing(ff_wire *wire)
{
    (void)wire;
}

static const ff_wire_kind control_kind = {.send = put_in, .receive = take_sensors, .close = close_nothing},
                          robot_kind = {.send = send_sensors, .receive = take_out, .close = close_nothing};

/// Robot and controller of one thread.
typedef struct both {
    line line;
    ff_link_robot *robot;
    ff_relay relay;
    size_t carried;        // bytes of what the controller sent, on a serial line
    ff_wire *control;      // its end, with faults
    ff_wire *other_client; // NULL: there is none
    uint64_t hash;
    // what came out
    double position, speed; // references of the last cycle
    int first_lost;         // cycle; 0: never
    ff_link_counts counts;
} both;

/// Carries what lies ready in a cable from one end to the other, `least` bytes or more.
static void carry_bytes(const cable *c, int from, size_t least)
{
    unsigned char buffer[4096];
    for (size_t n = 0; n < least;) {
        struct pollfd one = {c->ends[from], POLLIN, 0};
        const ssize_t got = poll(&one, 1, 30000) > 0 ? read(one.fd, buffer, sizeof buffer) : 0;
        if (got <= 0 || write(c->ends[1 - from], buffer, (size_t)got) != got) CHECK_FAIL("the cable is broken");
        n += (size_t)got;
    }
}

static void send_as_controller(both *b, ff_telegram head, size_t payload, unsigned char *bytes)
{
    ff_error err = {0};
    head.interface = b->hash;
    const size_t size = ff_telegram_seal(&head, bytes, FF_TELEGRAM_MOST, payload);
    if (ff_wire_send(b->control, bytes, size, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    if (b->line.hold) carry_bytes(&b->line.cable, 1, way.bytes - b->carried);
    b->carried = way.bytes;
}

/// Somebody who knows the robot's interface and its counter sends it a position of his own, fifty times, over a wire
/// that he has opened.
static void send_as_unknown_client(const both *b, uint32_t counter)
{
    static unsigned char bytes[FF_TELEGRAM_MOST];
    static const double values[2] = {100.0, 0.0};
    union {
        ff_io_frame frame;
        unsigned char bytes[32 + 48];
    } f;
    const ff_io_layout layout = {FF_IO_REFERENCES, 2, items, 0};
    ff_io_init(&f.frame, &layout);
    for (int i = 0; i < 2; i++) ff_io_items(&f.frame)[i] = (ff_io_item){.value = values[i], .valid = 1};
    const size_t n = ff_items_pack(&f.frame, 0, NULL, 0, bytes + FF_TELEGRAM_HEAD_SIZE, 4000);
    ff_telegram head = {.type = FF_TELEGRAM_REFERENCES, .counter = counter, .interface = b->hash};
    const size_t size = ff_telegram_seal(&head, bytes, sizeof bytes, n);
    for (int i = 0; i < 50; i++) ff_wire_send(b->other_client, bytes, size, NULL);
}

/// Takes the sensors of this cycle and answers: a position that grows by its speed.
static void answer_one(both *b, uint32_t counter)
{
    static unsigned char bytes[FF_TELEGRAM_MOST];
    union {
        ff_io_frame frame;
        unsigned char bytes[32 + 48];
    } f;
    const ff_io_layout layout = {FF_IO_REFERENCES, 2, items, 0};
    size_t size = 0;
    ff_error err = {0};
    if (b->line.hold) carry_bytes(&b->line.cable, 0, 1);
    if (ff_wire_receive(b->control, bytes, sizeof bytes, 30.0, &size, &err) != FF_OK || size == 0)
        CHECK_FAIL("no sensors came: %s", err.text);
    ff_io_init(&f.frame, &layout);
    ff_io_items(&f.frame)[0] = (ff_io_item){.value = 2.0 * PERIOD * (counter + 1), .valid = 1};
    ff_io_items(&f.frame)[1] = (ff_io_item){.value = 2.0, .valid = 1};
    const size_t n = ff_items_pack(&f.frame, 0, NULL, 0, bytes + FF_TELEGRAM_HEAD_SIZE, 4000);
    send_as_controller(b, (ff_telegram){.type = FF_TELEGRAM_REFERENCES, .counter = counter}, n, bytes);
}

static void begin_wall(both *b, int kind, const char *faults)
{
    static unsigned char bytes[FF_TELEGRAM_MOST];
    static uint32_t conditions;
    static const ff_io_layout sensors = {FF_IO_SENSORS, 0, items, 0};
    static ff_io_layout references;
    ff_error err = {0};
    ff_link_options options = ff_link_options_default();
    options.wall = true;
    references = (ff_io_layout){FF_IO_REFERENCES, 2, items, ff_io_layout_hash(items, 2)};
    const ff_interface interface = {.sensors = sensors, .references = references};
    *b = (both){.line = open_line(kind), .hash = ff_interface_hash(&interface)};
    ff_wire *far = b->line.hold ? b->line.hold : ff_wire_open(b->line.address, FF_END_CONTROL, &err);
    way = (passage){.control.kind = &control_kind,
                    .robot.kind = &robot_kind,
                    .below = {far, b->line.robot},
                    .kind = kind,
                    .patient = !strstr(faults, "flood")}; // some of a flood may be lost
    b->robot = ff_link_robot_create(&way.robot, &options, &err);
    if (!b->robot || !far) CHECK_FAIL("%s", err.text);
    b->relay = ff_link_relay(b->robot);
    const ff_relay_site site = {
        .sensors = &sensors, .references = &references, .period = PERIOD, .conditions = &conditions};
    CHECK(b->relay.bind(b->relay.context, &site, &err) == FF_OK);
    b->control = &way.control;
    send_as_controller(b, (ff_telegram){.type = FF_TELEGRAM_HELLO}, 0, bytes);
    CHECK(ff_link_robot_connect(b->robot, 30.0, &err) == FF_OK);
    way.telegrams = 0;
    b->control = must_spoil(&way.control, faults);
}

static void end_wall(both *b)
{
    const bool serial = b->line.hold != NULL;
    b->counts = ff_link_robot_counts(b->robot);
    ff_wire_close(b->control);
    ff_wire_close(b->other_client);
    ff_link_robot_destroy(b->robot);
    ff_wire_close(way.below[0]);
    ff_wire_close(way.below[1]);
    for (int i = 0; serial && i < 2; i++) close(b->line.cable.ends[i]);
}

/// Cycles of the robot with a controller whose answers have faults. A controller that was lost is not answered any
/// more.
static void run_wall_with(both *b, int kind, const char *faults, bool others)
{
    union {
        ff_io_frame frame;
        unsigned char bytes[32 + 48];
    } in, out;
    const ff_io_layout sensors = {FF_IO_SENSORS, 0, items, 0}, references = {FF_IO_REFERENCES, 2, items, 0};
    ff_error err = {0};
    begin_wall(b, kind, faults);
    if (others) b->other_client = ff_wire_open(b->line.address, FF_END_CONTROL, &err);
    ff_io_init(&in.frame, &sensors);
    for (int k = 1; k <= CYCLES; k++) {
        ff_io_init(&out.frame, &references);
        b->relay.cycle(b->relay.context, PERIOD * k, &in.frame, &out.frame);
        const double before = b->position;
        b->position = ff_io_items(&out.frame)[0].value;
        b->speed = ff_io_items(&out.frame)[1].value;
        if (b->first_lost == 0 && b->relay.check(b->relay.context, &err) != FF_OK) b->first_lost = k;
        if (b->first_lost > 0)
            CHECK(b->position == before && b->speed == 0.0); // held
        else if (ff_link_robot_counts(b->robot).good > 0)
            CHECK_NEAR(b->position, 2.0 * PERIOD * k, 1e-12); // as answered, or as far as its speed leads
        if (b->other_client) send_as_unknown_client(b, (uint32_t)k);
        if (b->first_lost == 0) answer_one(b, (uint32_t)k);
    }
    end_wall(b);
    CHECK(b->counts.cycles == CYCLES && b->counts.good + b->counts.missed == CYCLES - 1); // the first asks
}

static void run_wall(both *b, int kind, const char *faults)
{
    run_wall_with(b, kind, faults, false);
}

TEST(on_the_wall_clock_faults_are_bridged_or_the_robot_is_held)
{
    static both b;
    for (int kind = 0; kind < WIRES; kind++) {
        const bool datagrams = kind == UDP || kind == SHM; // a stream drops damaged bytes unseen
        run_wall(&b, kind, "seed=1");
        CHECK(b.first_lost == 0 && b.counts.good == CYCLES - 1 && b.counts.missed == 0);
        run_wall(&b, kind, "drop=0.1,seed=1");
        CHECK(b.first_lost == 0 && b.counts.missed > CYCLES / 20 && b.counts.missed < CYCLES / 5);
        CHECK(labs((long)(b.counts.good - way.telegrams)) <= 1); // the last answer is not waited for
        run_wall(&b, kind, "double=0.1,seed=2");
        CHECK(b.first_lost == 0 && b.counts.good == CYCLES - 1);
        CHECK(kind == SHM ? b.counts.doubled == 0 : b.counts.doubled > CYCLES / 20);
        run_wall(&b, kind, "swap=0.1,seed=3");
        CHECK(b.first_lost == 0 && b.counts.missed > CYCLES / 20 && b.counts.missed < CYCLES / 4);
        if (kind != SHM) // each that was missed comes late; one may be under way at the end
            CHECK(b.counts.late <= b.counts.missed && b.counts.late >= b.counts.missed - 1);
        run_wall(&b, kind, "flip=0.1,seed=4");
        CHECK(b.first_lost == 0 && b.counts.missed > CYCLES / 20 && b.counts.missed < CYCLES / 4);
        CHECK(datagrams ? b.counts.damaged >= b.counts.missed - 2 : b.counts.damaged == 0);
        run_wall(&b, kind, "delay=1e-9"); // each comes with the next: a cycle too late
        CHECK(b.first_lost == 1 + 21 && b.counts.late >= 18 && b.counts.good == 0);
        run_wall(&b, kind, "cut=100");
        CHECK(b.first_lost == 100 + 1 + 21 && b.counts.good == 100);
    }
    run_wall(&b, SERIAL, "flood=3"); // a line lets no more through
    CHECK(b.first_lost == 0 && b.counts.good == CYCLES - 1 && b.counts.doubled >= 3 * (CYCLES - 2));
    run_wall(&b, SHM, CHECK_LASTS("flood=2000", "flood=100")); // a slot holds the newest alone
    CHECK(b.first_lost == 0 && b.counts.good == CYCLES - 1);
    for (int kind = UDP; kind <= TCP; kind++) {
        run_wall(&b, kind, "flood=100"); // answers wait behind copies of older ones
        CHECK(b.first_lost > 21 && b.first_lost < 40);
    }
}

// A network has others on it. A serial line and a shared memory have two ends.
TEST(strangers_are_not_heard)
{
    static both b;
    for (int kind = UDP; kind <= TCP; kind++) {
        run_wall_with(&b, kind, "seed=1", true);
        CHECK(b.other_client && b.first_lost == 0 && b.counts.good == CYCLES - 1);
        CHECK(b.counts.doubled == 0 && b.counts.foreign == 0 && b.counts.damaged == 0);
    }
}
