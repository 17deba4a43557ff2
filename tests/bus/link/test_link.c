// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot and its controller at two ends of a wire. In lockstep they have the bits of one process; a robot that loses
// its controller is held where it stands, and stands; a controller of another robot is refused.
#define _GNU_SOURCE // posix_openpt
#include "link/apart_helpers.h"

#include <time.h>

TEST(lockstep_is_bit_identical_to_one_process)
{
    for (int walk = 0; walk < 2; walk++) {
        static outcome together, apart;
        together = run_together(walk);
        CHECK(together.count > 100 && strlen(together.events) > 0);
        for (int kind = 0; kind < WIRES; kind++) {
            far_end far = {0};
            line l = open_line(kind);
            apart = run_over(&l, NULL, &far);
            must_agree(&together, &apart, &far, wire_names[kind]);
            CHECK(robot_counts.good == robot_counts.cycles && robot_counts.missed == 0);
        }
    }
    finish();
}

// ------------------------------------------------------------------------------------------ partings

// The controller goes away in the middle of a step, at four instants of the gait: the robot is held where it is, and
// still stands a second later.
TEST(a_robot_that_loses_its_controller_stops_standing)
{
    for (int i = 0; i < CHECK_LASTS(4, 1); i++) {
        must_load("robot: " FF_SOURCE_DIR
                  "/robots/anton/anton.yaml\ntime: 3\nstart: {pose: stand}\nplace: {settle: true}\n"
                  "effects: {drives: full, transmission: backlash, sensors: real, bus: modelled}\n"
                  "terrain: [{plane: {material: lab-floor}}]\ncontrol: {gait: tripod, speed: 0.1}\n"
                  "expect: [{metric: walk.falls, is: 0, within: 0}]\n");
        far_end far = {.leave = CHECK_LASTS(1500, 700) + 117 * i};
        ff_wire *wire = must_open("tcp:0");
        snprintf(far.address, sizeof far.address, "tcp:%s", ff_wire_where(wire));
        run_apart(wire, NULL, &far);
        CHECK(far.status == FF_STOPPED);
        CHECK(robot_status == FF_CONTROL && strstr(robot_err.text, "lost its controller"));
        CHECK_NEAR(robot_counts.stopped_at, 1e-3 * (double)far.leave, 2e-3);
        CHECK(robot_falls == 0.0);
    }
    finish();
}

TEST(a_controller_of_another_robot_is_refused)
{
    const char *overrides[] = {walks[1].time};
    must_load_file(path_of(walks[1].scene), overrides, 1);
    ff_error err = {0};
    ff_run_options how = ff_run_options_default(scene), alone = how;
    ff_wire *wire = must_open("udp:0");
    ff_link_robot *robot = ff_link_robot_create(wire, NULL, &err);
    const ff_run_relay relay = {0, ff_link_relay(robot)};
    how.relays = &relay;
    how.nrelay = 1;
    CHECK(begin_with(&how));
    const char *other[] = {walks[0].time};
    const ff_scene_spec *anton = ff_scene_load(path_of(walks[0].scene), other, 1, &report);
    CHECK(anton);
    alone = ff_run_options_default(anton);
    far_end far = {.options = ff_link_options_default()};
    far.run = ff_run_create(anton, &alone, &report);
    snprintf(far.address, sizeof far.address, "udp:%s", ff_wire_where(wire));
    CHECK(pthread_create(&far.thread, NULL, control, &far) == 0);
    CHECK(ff_link_robot_connect(robot, 0.5, &err) == FF_NOT_FOUND && strstr(err.text, "no controller"));
    pthread_join(far.thread, NULL);
    CHECK(far.status == FF_BAD_ARGUMENT && strstr(far.err.text, "does not match the robot"));
    ff_run_destroy(far.run);
    ff_scene_destroy(anton);
    ff_run_destroy(run);
    run = NULL;
    ff_link_robot_destroy(robot);
    ff_wire_close(wire);
    finish();
}

// ------------------------------------------------------------------------------------------ real time

/// A wire that leads nowhere and gives the answers a test has put in.
#include "link/wire.h"

typedef struct table_wire {
    ff_wire wire;
    unsigned char sent[FF_TELEGRAM_MOST], next[FF_TELEGRAM_MOST];
    size_t nsent, nnext;
} table_wire;

static ff_status keep(ff_wire *wire, const unsigned char *bytes, size_t size, ff_error *err)
{
    table_wire *d = (table_wire *)wire;
    (void)err;
    memcpy(d->sent, bytes, size);
    d->nsent = size;
    return FF_OK;
}

static ff_status hand_out(ff_wire *wire, unsigned char *bytes, size_t most, double seconds, size_t *size, ff_error *err)
{
    table_wire *d = (table_wire *)wire;
    (void)seconds, (void)err;
    *size = d->nnext < most ? d->nnext : 0;
    memcpy(bytes, d->next, *size);
    d->nnext = 0;
    return FF_OK;
}

static const ff_wire_kind table_kind = {.send = keep, .receive = hand_out};

static ff_io_name items[2] = {{"drives.knee.position", "rad"}, {"drives.knee.speed", "rad/s"}};

static uint32_t answer_conditions, answer_sequence;

/// Puts an answer to the sensors of a cycle on the table: a position and a speed.
static void put_answer(table_wire *d, uint64_t interface, uint32_t counter, double position, double speed)
{
    union {
        ff_io_frame frame;
        unsigned char bytes[32 + 48];
    } f;
    const ff_io_layout layout = {FF_IO_REFERENCES, 2, items, ff_io_layout_hash(items, 2)};
    ff_io_init(&f.frame, &layout);
    ff_io_items(&f.frame)[0] = (ff_io_item){.value = position, .valid = 1};
    ff_io_items(&f.frame)[1] = (ff_io_item){.value = speed, .valid = 1};
    ff_telegram head = {
        .type = FF_TELEGRAM_REFERENCES, .counter = counter, .interface = interface, .sequence = answer_sequence};
    const size_t n = ff_items_pack(&f.frame, answer_conditions, NULL, 0, d->next + FF_TELEGRAM_HEAD_SIZE, 4000);
    d->nnext = ff_telegram_seal(&head, d->next, sizeof d->next, n);
}

/// A robot with one drive whose wire ends at a table; the test is its controller, and says when its cycles are.
static struct {
    table_wire table;
    ff_link_robot *end;
    ff_relay relay;
    uint64_t hash; // of its interface
    uint32_t conditions;
    union {
        ff_io_frame frame;
        unsigned char bytes[32 + 48];
    } in, out;
} knee;

static void make_knee(const ff_link_options *options, double period)
{
    static ff_io_layout sensors, references;
    ff_error err = {0};
    sensors = (ff_io_layout){FF_IO_SENSORS, 0, items, 0};
    references = (ff_io_layout){FF_IO_REFERENCES, 2, items, ff_io_layout_hash(items, 2)};
    const ff_interface interface = {.sensors = sensors, .references = references};
    knee.table = (table_wire){.wire.kind = &table_kind};
    knee.hash = ff_interface_hash(&interface);
    knee.conditions = 0;
    knee.end = ff_link_robot_create(&knee.table.wire, options, &err);
    knee.relay = ff_link_relay(knee.end);
    const ff_relay_site site = {
        .sensors = &sensors, .references = &references, .period = period, .conditions = &knee.conditions};
    CHECK(knee.relay.bind(knee.relay.context, &site, &err) == FF_OK);
    ff_io_init(&knee.in.frame, &sensors);
    ff_io_init(&knee.out.frame, &references);
}

/// One cycle. @param answer  counter of the answer that is there, 0: none. @return position and speed that it follows
static const ff_io_item *bend_knee(double t, uint32_t answer, double position, double speed)
{
    ff_io_item *out = ff_io_items(&knee.out.frame);
    memset(out, 0, 2 * sizeof *out);
    knee.table.nnext = 0;
    if (answer > 0) put_answer(&knee.table, knee.hash, answer, position, speed);
    knee.relay.cycle(knee.relay.context, t, &knee.in.frame, &knee.out.frame);
    return out;
}

// The rule of the working counter (lola-software.md 2.6): the answer to cycle k counts in cycle k + 1; where it is
// missing the position goes on at its speed, and after two mismatches in a row the robot is stopped (A23).
TEST(in_real_time_answers_are_for_the_next_cycle)
{
    ff_error err = {0};
    const double T = 1e-4;
    ff_link_options options = ff_link_options_default();
    options.wall = true;
    options.tolerated = 1;
    static ff_link_timing timing;
    options.timing = &timing;
    make_knee(&options, T);
    double expected = 0.0;
    for (uint32_t k = 1; k <= 9; k++) {
        const bool answered = k >= 2 && k != 5 && k < 8;
        const ff_io_item *reference = bend_knee(T * k, answered ? k - 1 : 0, 0.1 * k, 2.0);
        if (answered)
            expected = 0.1 * k;
        else if (k == 5 || k == 8)
            expected += T * 2.0; // extrapolated once
        if (k == 1)
            CHECK(!reference[0].valid); // nobody has said anything
        else
            CHECK_NEAR(reference[0].value, expected, 1e-15);
        CHECK((knee.relay.check(knee.relay.context, &err) == FF_OK) == (k < 9)); // the second in a row
        if (k == 9) CHECK(reference[1].value == 0.0 && strstr(err.text, "too many consecutive cycles"));
    }
    const ff_link_counts counts = ff_link_robot_counts(knee.end);
    CHECK(counts.good == 5 && counts.missed == 3 && counts.cycles == 9); // the first cycle asks, none is missed yet
    CHECK_NEAR(counts.stopped_at, 9 * T, 1e-12);
    CHECK(timing.jitter.count == 8 && timing.trip.count == 0); // the first cycle sets the clock; answers without a time
    ff_link_robot_destroy(knee.end);
}

static ff_status hand_out_again(ff_wire *wire, unsigned char *bytes, size_t most, double seconds, size_t *size,
                                ff_error *err)
{
    table_wire *d = (table_wire *)wire;
    const size_t n = d->nnext;
    const ff_status status = hand_out(wire, bytes, most, seconds, size, err);
    d->nnext = n;
    return status;
}

// A controller that does not listen but goes on to send does not keep the robot.
TEST(a_robot_leaves_a_controller_that_never_stops)
{
    static const ff_wire_kind kind = {.send = keep, .receive = hand_out_again};
    static table_wire d;
    ff_error err = {0};
    d = (table_wire){.wire.kind = &kind};
    ff_link_robot *robot = ff_link_robot_create(&d.wire, NULL, &err);
    put_answer(&d, 0, 1, 1.0, 0.0);
    ff_link_robot_disconnect(robot, "over"); // comes back
    ff_telegram head;
    const unsigned char *payload;
    size_t size;
    CHECK(ff_telegram_open(d.sent, d.nsent, &head, &payload, &size, &err) == FF_OK && head.type == FF_TELEGRAM_BYE);
    ff_link_robot_destroy(robot);
}

// A robot that records more numbers than its controller has is refused: they would be read from beyond their end.
TEST(a_robot_that_names_other_signals_is_refused)
{
    static const ff_wire_kind kind = {.send = keep, .receive = hand_out};
    static table_wire d;
    static ff_io_name names[3] = {{"a", ""}, {"b", ""}, {"c", ""}};
    const double signals[2] = {0};
    const ff_interface robot = {.references = {FF_IO_REFERENCES, 2, items, ff_io_layout_hash(items, 2)},
                                .signals = {FF_IO_SENSORS, 3, names, 0},
                                .period = 1e-3};
    const ff_link_controller controller = {.signals = signals, .nsignal = 2};
    ff_error err = {0};
    d = (table_wire){.wire.kind = &kind};
    ff_telegram head = {.type = FF_TELEGRAM_INTERFACE};
    const size_t n = ff_interface_pack(&robot, d.next + FF_TELEGRAM_HEAD_SIZE, 4000);
    d.nnext = ff_telegram_seal(&head, d.next, sizeof d.next, n);
    CHECK(ff_link_control(&d.wire, NULL, NULL, &controller, NULL, &err) == FF_BAD_ARGUMENT);
    CHECK(strstr(err.text, "records 3 signals, this controller has 2"));
}

// A controller that is made for another robot says which item differs, by its name.
TEST(the_first_item_that_differs_is_named)
{
    static const struct {
        ff_io_name robot[3], own[3];
        int count[2];
        const char *expected;
    } cases[] = {
        {{{"a", "N"}, {"b", "N"}}, {{"a", "N"}, {"c", "N"}}, {2, 2}, "'c'"},
        {{{"a", "N"}, {"b", "N"}}, {{"a", "N"}, {"b", "rad"}}, {2, 2}, "'b' is in 'N' at the robot and in 'rad'"},
        {{{"a", "N"}, {"b", "N"}}, {{"b", "N"}, {"a", "N"}}, {2, 2}, "'b' is number 2 at the robot and number 1 here"},
        {{{"a", "N"}, {"b", "N"}, {"c", "N"}}, {{"a", "N"}, {"c", "N"}}, {3, 2}, "'b', which is not known here"},
    };
    static const char *const kinds[] = {"sensor", "reference", "signal"};
    static const ff_wire_kind kind = {.send = keep, .receive = hand_out};
    static table_wire d;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int list = 0; list < 3; list++) {
            const ff_io_layout lists[2] = {{FF_IO_SENSORS, cases[i].count[0], cases[i].robot, 0},
                                           {FF_IO_SENSORS, cases[i].count[1], cases[i].own, 0}};
            ff_interface ends[2] = {{.period = 1e-3}, {.period = 1e-3}};
            for (int k = 0; k < 2; k++) {
                *(list == 0 ? &ends[k].sensors : list == 1 ? &ends[k].references : &ends[k].signals) = lists[k];
                ends[k].sensors.hash = ff_io_layout_hash(ends[k].sensors.names, ends[k].sensors.count);
                ends[k].references.hash = ff_io_layout_hash(ends[k].references.names, ends[k].references.count);
            }
            const double signals[3] = {0};
            const ff_link_controller controller = {.signals = signals, .nsignal = cases[i].count[1]};
            ff_error err = {0};
            d = (table_wire){.wire.kind = &kind};
            ff_telegram head = {.type = FF_TELEGRAM_INTERFACE};
            const size_t n = ff_interface_pack(&ends[0], d.next + FF_TELEGRAM_HEAD_SIZE, 4000);
            d.nnext = ff_telegram_seal(&head, d.next, sizeof d.next, n);
            CHECK(ff_link_control(&d.wire, &ends[1], NULL, &controller, NULL, &err) == FF_BAD_ARGUMENT);
            if (!strstr(err.text, cases[i].expected) || !strstr(err.text, kinds[list]))
                CHECK_FAIL("'%s' of a %s is not in '%s'", cases[i].expected, kinds[list], err.text);
            CHECK((strstr(err.text, "does not match the robot") != NULL) == (list < 2));
            ff_telegram bye;
            const unsigned char *payload;
            size_t size;
            CHECK(ff_telegram_open(d.sent, d.nsent, &bye, &payload, &size, &err) == FF_OK);
            CHECK(bye.type == FF_TELEGRAM_BYE && size > 0); // the robot is informed, too
        }
}

/// A robot that says what a test has written down, telegram after telegram.
typedef struct script {
    ff_wire wire;
    const ff_interface *interface;
    uint32_t counters[8]; // of its sensors; 0: it ends
    int at;
} script;

static ff_status swallow(ff_wire *wire, const unsigned char *bytes, size_t size, ff_error *err)
{
    (void)wire, (void)bytes, (void)size, (void)err;
    return FF_OK;
}

static ff_status recite(ff_wire *wire, unsigned char *bytes, size_t most, double seconds, size_t *size, ff_error *err)
{
    script *s = (script *)wire;
    union {
        ff_io_frame frame;
        unsigned char bytes[32];
    } empty;
    ff_telegram head = {.type = FF_TELEGRAM_INTERFACE, .interface = ff_interface_hash(s->interface)};
    size_t payload = 0;
    (void)seconds, (void)err;
    if (s->at++ == 0) {
        payload = ff_interface_pack(s->interface, bytes + FF_TELEGRAM_HEAD_SIZE, 4000);
    } else if (s->counters[s->at - 2] == 0) {
        head.type = FF_TELEGRAM_BYE;
    } else {
        head.type = FF_TELEGRAM_SENSORS;
        head.counter = s->counters[s->at - 2];
        ff_io_init(&empty.frame, &s->interface->sensors);
        payload = ff_items_pack(&empty.frame, 0, NULL, 0, bytes + FF_TELEGRAM_HEAD_SIZE, 4000);
    }
    *size = ff_telegram_seal(&head, bytes, most, payload);
    return FF_OK;
}

static void say_nothing(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    (void)context, (void)t, (void)sensors, (void)references;
}

// In real time a controller measures the span between two successive frames, which a frame that is lost or comes
// twice does not have; in lockstep there is no period to keep.
TEST(a_controller_measures_the_period_of_successive_frames)
{
    static const ff_wire_kind kind = {.send = swallow, .receive = recite};
    const ff_link_controller controller = {.cycle = say_nothing};
    for (int lockstep = 0; lockstep < 2; lockstep++) {
        const ff_interface interface = {.sensors = {FF_IO_SENSORS, 0, items, ff_io_layout_hash(items, 0)},
                                        .references = {FF_IO_REFERENCES, 2, items, ff_io_layout_hash(items, 2)},
                                        .period = 1e-3,
                                        .lockstep = lockstep};
        script s = {.wire.kind = &kind, .interface = &interface, .counters = {1, 2, 2, 3, 5, 4, 6}};
        static ff_link_timing timing;
        ff_link_options options = ff_link_options_default();
        ff_error err = {0};
        timing = (ff_link_timing){0};
        options.timing = &timing;
        if (ff_link_control(&s.wire, &interface, &options, &controller, NULL, &err) != FF_OK)
            CHECK_FAIL("%s", err.text);
        CHECK(strcmp(err.text, "the robot has shut down") == 0); // its last words: none
        CHECK(timing.trip.count == 5);
        CHECK(timing.jitter.count == (lockstep ? 0 : 3)); // 1 to 2, 2 to 3, 5 to 6
    }
}

// An end whose caller keeps the time, as a stabiliser towards its planner: the newest answer counts, whatever its
// cycle, and it never waits. Where none comes the position goes on at its speed; at the third in a row the other is
// lost.
TEST(an_end_that_is_paced_takes_the_newest_answer)
{
    ff_link_options options = ff_link_options_default();
    options.wall = options.paced = true;
    options.tolerated = 2;
    options.silence = 0.0; // cycles alone count
    make_knee(&options, 1.0);
    // in cycle k: to which the answer is that is there, 0: none; what the position is then
    static const struct {
        uint32_t answer;
        double position;
    } cycles[] = {{0, NAN},  {1, 10.0}, {0, 11.0}, {0, 12.0}, {2, 20.0}, {3, 30.0},
                  {6, 60.0}, {0, 61.0}, {6, 62.0}, {0, 62.0}, {9, 62.0}};
    for (uint32_t k = 0; k < sizeof cycles / sizeof *cycles; k++) {
        const uint32_t answer = cycles[k].answer;
        const ff_io_item *reference = bend_knee(1e6 * (k + 1), answer, 10.0 * answer, 1.0); // else it waits for ages
        CHECK(reference[0].valid == !isnan(cycles[k].position));
        if (reference[0].valid) CHECK_NEAR(reference[0].value, cycles[k].position, 1e-15);
        CHECK((ff_link_robot_lost(knee.end) != NULL) == (k >= 9));
        if (k >= 9) CHECK(reference[1].value == 0.0);
    }
    ff_link_robot_destroy(knee.end);
}

// A process that slept gets many cycles at once. The other could not answer them yet: the position stands still after
// those that are tolerated, and goes on when the answer is there.
TEST(a_burst_of_cycles_does_not_lose_the_controller)
{
    ff_link_options options = ff_link_options_default();
    options.wall = options.paced = true;
    options.tolerated = 2;
    options.silence = 1e6; // [s]
    make_knee(&options, 1.0);
    bend_knee(1.0, 0, 0.0, 0.0);
    CHECK(bend_knee(2.0, 1, 10.0, 1.0)[0].value == 10.0);
    for (uint32_t k = 3; k <= 100; k++) {
        const ff_io_item *reference = bend_knee(k, 0, 0.0, 0.0);
        CHECK(reference[0].value == (k == 3 ? 11.0 : 12.0) && reference[1].value == (k <= 4 ? 1.0 : 0.0));
    }
    const ff_io_item *reference = bend_knee(101.0, 100, 50.0, 1.0);
    CHECK(reference[0].value == 50.0 && reference[1].value == 1.0);
    CHECK(!ff_link_robot_lost(knee.end) && ff_link_robot_counts(knee.end).missed == 98);
    ff_link_robot_destroy(knee.end);
}

// One that is dead is given up after so long a silence by the clock, of which a cycle makes two periods at most: the
// whole machine may have slept.
TEST(a_silent_end_is_given_up_by_real_time)
{
    enum { PERIODS = 40 };
    const double T = 1e-3;
    ff_link_options options = ff_link_options_default();
    options.wall = options.paced = true;
    options.tolerated = 2;
    options.silence = PERIODS * T;
    make_knee(&options, T);
    bend_knee(T, 0, 0.0, 0.0);
    bend_knee(2.0 * T, 1, 10.0, 1.0);
    int k = 0;
    for (; !ff_link_robot_lost(knee.end) && k < 100000; k++) {
        const struct timespec span = {0, 3000000}; // three periods, or longer
        nanosleep(&span, NULL);
        bend_knee((k + 3) * T, 0, 0.0, 0.0);
    }
    CHECK_INT(k, PERIODS / 2);
    ff_link_robot_destroy(knee.end);
}

// A controller that has lost its planner says so with each answer: its robot follows it, and the run fails at the end.
TEST(a_robot_follows_a_controller_in_its_safe_state)
{
    ff_error err = {0};
    ff_link_options options = ff_link_options_default();
    options.wall = options.paced = true;
    make_knee(&options, 1.0);
    for (uint32_t k = 1; k <= 6; k++) {
        answer_conditions = k >= 4 ? FF_LINK_SAFE | 2U : 2U;
        CHECK(bend_knee(0.5 * k, k, 10.0 * k, 1.0)[0].value == 10.0 * k);
        CHECK((knee.relay.check(knee.relay.context, &err) == FF_OK) == (k < 4));
        CHECK(knee.conditions & 2U);
    }
    CHECK(err.status == FF_CONTROL && strstr(err.text, "at 2 s") && strstr(err.text, "lost its planner"));
    CHECK(!ff_link_robot_lost(knee.end));
    answer_conditions = 0;
    ff_link_robot_destroy(knee.end);
}

// A controller that was killed and restarted knows nothing of the motion so far: its telegrams begin at a lower
// number, and the robot is held where it is.
TEST(a_robot_does_not_follow_a_controller_that_was_restarted)
{
    ff_error err = {0};
    make_knee(NULL, 1.0);                                                            // lockstep
    static const uint32_t sequences[] = {UINT32_MAX - 1, UINT32_MAX, 0, 0, 7, 2, 3}; // they wrap, and may stay
    for (uint32_t k = 1; k <= sizeof sequences / sizeof *sequences; k++) {
        answer_sequence = sequences[k - 1];
        const ff_io_item *reference = bend_knee(k, k, 10.0 * k, 1.0);
        CHECK(reference[0].value == (k <= 5 ? 10.0 * k : 50.0) && reference[1].value == (k <= 5 ? 1.0 : 0.0));
    }
    answer_sequence = 0;
    CHECK(knee.relay.check(knee.relay.context, &err) == FF_CONTROL);
    CHECK(strstr(err.text, "another controller answers in its place"));
    CHECK(ff_link_robot_counts(knee.end).stopped_at == 6.0);
    ff_link_robot_destroy(knee.end);
}
