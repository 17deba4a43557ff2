// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The program of a servo board (examples/link/servo_board.c) with hardware of this test around it: its frames begin
// when the test says so. Its telegrams are those of link.h; its pulses are the references, within a count; noise on the
// line is survived; without its controller the pulses stay, then end. The virtual robot walks through it.
#define _GNU_SOURCE // posix_openpt
#include "scene/scene_helpers.h"

#include "servo_board.h"
#include <footfall/link.h>

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

enum { SENSORS = 12, REFERENCES = 54, MOST = 4000 };

// ------------------------------------------------------------------------------------------ hardware

static unsigned char sent[MOST]; // what the board has sent since the test looked
static size_t nsent;
static int line = -1; // a line to put it on as well; -1: none
static uint16_t width[BOARD_SERVOS];
static int closed[BOARD_LEGS];

void line_put(uint8_t byte)
{
    if (nsent < sizeof sent) sent[nsent++] = byte;
    if (line >= 0 && write(line, &byte, 1) != 1) nsent = 0;
}

void servo_put(int servo, uint16_t count)
{
    width[servo] = count;
}

int foot_switch(int leg)
{
    return closed[leg];
}

static void feed(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) board_byte(bytes[i]);
}

// ------------------------------------------------------------------------------------------ the test's end

static uint64_t hash = 0xEF5F069824164723U; // proven below
static ff_io_name no_names[REFERENCES];
static union {
    ff_io_frame frame;
    unsigned char bytes[32 + 24 * REFERENCES];
} references;

/// Takes the telegram the board has sent. @return its type; 0: none
static int look(ff_telegram *head, const unsigned char **payload, size_t *size)
{
    static unsigned char bytes[MOST];
    const size_t n = nsent;
    memcpy(bytes, sent, n);
    nsent = 0;
    if (n == 0) return 0;
    ff_error err = {0};
    if (ff_telegram_open(bytes, n, head, payload, size, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return head->type;
}

static size_t make_hello(uint64_t interface, unsigned char *to)
{
    ff_telegram head = {.type = FF_TELEGRAM_HELLO, .interface = interface};
    return ff_telegram_seal(&head, to, MOST, 0);
}

static size_t make_references(uint32_t counter, unsigned char *to)
{
    ff_telegram head = {.type = FF_TELEGRAM_REFERENCES, .interface = hash, .counter = counter, .form = FF_ITEMS_SHORT};
    const size_t n = ff_items_pack_short(&references.frame, to + FF_TELEGRAM_HEAD_SIZE, MOST - 100);
    return ff_telegram_seal(&head, to, MOST, n);
}

/// All positions of the next answer; nothing else has a value.
static void set_positions(double value)
{
    const ff_io_layout layout = {FF_IO_REFERENCES, REFERENCES, no_names, 0};
    ff_io_init(&references.frame, &layout);
    for (int i = 0; i < REFERENCES; i += 3)
        ff_io_items(&references.frame)[i] = (ff_io_item){.value = value, .valid = 1};
}

/// A frame of the board and, where it sends sensors, the answer to them. @return its counter; 0: it sent none
static uint32_t exchange(void)
{
    static unsigned char bytes[MOST];
    ff_telegram head;
    const unsigned char *payload;
    size_t size;
    board_frame();
    if (look(&head, &payload, &size) != FF_TELEGRAM_SENSORS) return 0;
    feed(bytes, make_references(head.counter, bytes));
    return head.counter;
}

static void greet(void)
{
    static unsigned char bytes[MOST];
    feed(bytes, make_hello(hash, bytes));
    nsent = 0;
}

/// Trim and direction of the servos, as servo_table.h has them.
static const double trim[BOARD_SERVOS] = {12, -8, 0, 5, 0, 20, 0, 0, -15, 0, 7, 0, 0, 3, 0, -4, 0, 0};

/// The width that a reference should have, with numbers of 64 bits: 1500 us in the middle, 2000 us for pi, in counts of
/// 0.5 us; right legs are mounted the other way round.
static double wanted(int servo, double position)
{
    const double pi = 3.14159265358979323846,
                 count = 3000.0 + trim[servo] + (servo / 3 % 2 == 0 ? 1.0 : -1.0) * position * 4000.0 / pi;
    return count < 1000.0 ? 1000.0 : count > 5000.0 ? 5000.0 : count;
}

/// Frames without a word, until the board has given up its controller and its pulses are off.
static void let_silence_fall(void)
{
    for (int i = 0; i < BOARD_OFF_AFTER + 1; i++) board_frame();
    nsent = 0;
}

// ------------------------------------------------------------------------------------------ a walk

/// `footfall control` as a thread.
typedef struct far_end {
    char address[160];
    ff_run *run;
    ff_status status;
    ff_error err;
} far_end;

static void answer(void *context, double t, const ff_io_frame *sensors, ff_io_frame *frame)
{
    ff_run_answer(context, 0, t, sensors, frame);
}

static void *control(void *context)
{
    far_end *f = context;
    ff_link_options options = ff_link_options_default();
    options.timeout = 60.0; // a busy machine
    ff_wire *wire = ff_wire_open(f->address, FF_END_CONTROL, &f->err);
    f->status = f->err.status;
    if (!wire) return NULL;
    const ff_link_controller controller = {.context = f->run, .cycle = answer};
    ff_relay_site site;
    f->status = ff_run_controller_site(f->run, 0, &site, &f->err);
    const ff_interface interface = {.sensors = *site.sensors, .references = *site.references};
    if (f->status == FF_OK) f->status = ff_link_control(wire, &interface, &options, &controller, NULL, &f->err);
    ff_wire_close(wire);
    return NULL;
}

/// The robot of a walk through the board: its switches are the board's, and the board's pulses its references.
typedef struct walker {
    ff_run *alone; // the same controller in this process
    ff_relay_site site;
    ff_io_frame *seen, *expected; // its sensors and references
    double worst;                 // from a pulse to the reference of that controller  [counts]
    int cycles;
    bool silent; // the controller at the end of the line
} walker;

/// Hands bytes of the line to the board until a telegram of that type and counter was among them. @return false: none
/// came for a minute
static bool listen_for(ff_telegram_type type, uint32_t counter)
{
    static unsigned char all[MOST];
    size_t n = 0;
    for (int wait = 0; wait < 60000 && n < sizeof all; wait++) {
        const ssize_t got = read(line, all + n, sizeof all - n);
        if (got > 0) feed(all + n, (size_t)got);
        if (got > 0) n += (size_t)got;
        ff_telegram head;
        const unsigned char *payload;
        size_t size;
        for (size_t at = 0; n - at >= 52; at += head.length) {
            const size_t length = all[at + 8] | (size_t)all[at + 9] << 8;
            if (length > n - at || ff_telegram_open(all + at, length, &head, &payload, &size, NULL) != FF_OK) break;
            if (head.type == type && head.counter == counter && head.interface == hash) return true;
        }
        usleep(got > 0 ? 0 : 1000);
    }
    return false;
}

/// One frame of the board: pulses of the last answer come out, switches go in, the next answer is waited for.
static void step(void *context, double robots_time, const ff_io_frame *sensors, ff_io_frame *out)
{
    walker *w = context;
    ff_telegram head;
    const unsigned char *payload;
    size_t size;
    (void)robots_time;
    for (int i = 0; i < BOARD_LEGS; i++) closed[i] = ff_io_items_of(sensors)[2 * i].value > 0.5;
    nsent = 0;
    board_frame();
    for (int i = 0; w->cycles > 0 && i < BOARD_SERVOS; i++) {
        const double pi = 3.14159265358979323846, middle = wanted(i, 0.0), right = i / 3 % 2 == 0 ? 1.0 : -1.0;
        w->worst = fmax(w->worst, fabs(width[i] - wanted(i, ff_io_items(w->expected)[3 * i].value)));
        ff_io_items(out)[3 * i] = (ff_io_item){.value = right * (width[i] - middle) * pi / 4000.0, .valid = 1};
    }
    w->silent = w->silent || look(&head, &payload, &size) != FF_TELEGRAM_SENSORS ||
                !listen_for(FF_TELEGRAM_REFERENCES, head.counter);
    if (w->silent) return;
    ff_io_init(w->seen, w->site.sensors);
    ff_io_init(w->expected, w->site.references);
    w->seen->sequence = head.counter;
    w->seen->time_ns = head.sent;
    for (int i = 0; i < BOARD_LEGS; i++)
        ff_io_items(w->seen)[2 * i] = (ff_io_item){.value = closed[i], .time_ns = head.sent, .valid = 1};
    ff_run_answer(w->alone, 0, head.time, w->seen, w->expected);
    w->cycles++;
}

static void *make_frame(const ff_io_layout *layout)
{
    void *frame = malloc(ff_io_size(layout->count));
    if (!frame) CHECK_FAIL("no memory");
    return frame;
}

// The first of all: the clock of the board begins with the robot's. Two seconds, of which it walks one and a half: the
// paper's formula gives it 0.15 m/s at least (experiments/servo-hexapod-walk.yaml); here a pulse comes a frame later.
TEST(the_virtual_robot_walks_through_it)
{
    const char *overrides[] = {"time=2", "metrics.from=0.5", "expect=[]"};
    line = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (line < 0 || grantpt(line) != 0 || unlockpt(line) != 0) SKIP("no pseudo terminals here");
    ff_error err = {0};
    static far_end far;
    pthread_t thread;
    snprintf(far.address, sizeof far.address, "serial:%s:115200", ptsname(line));
    must_load_file(FF_SOURCE_DIR "/experiments/servo-hexapod-walk.yaml", overrides, 3);
    ff_run_options how = ff_run_options_default(scene);
    how.record.nchannel = 0;
    far.run = ff_run_create(scene, &how, &report);
    walker w = {.alone = ff_run_create(scene, &how, &report)};
    const ff_run_relay relay = {0, {.context = &w, .cycle = step}};
    how.relays = &relay;
    how.nrelay = 1;
    CHECK(far.run && w.alone && begin_with(&how));
    CHECK(ff_run_controller_site(w.alone, 0, &w.site, &err) == FF_OK);
    w.seen = make_frame(w.site.sensors);
    w.expected = make_frame(w.site.references);
    CHECK(pthread_create(&thread, NULL, control, &far) == 0);
    CHECK(listen_for(FF_TELEGRAM_HELLO, 0)); // the greeting of one that knows the interface
    must_go();
    static unsigned char bytes[MOST];
    ff_telegram bye = {.type = FF_TELEGRAM_BYE, .interface = hash};
    const size_t n = ff_telegram_seal(&bye, bytes, sizeof bytes, 0);
    CHECK(write(line, bytes, n) == (ssize_t)n);
    pthread_join(thread, NULL);
    close(line);
    line = -1;
    if (far.status != FF_OK) CHECK_FAIL("%s", far.err.text);
    CHECK(!w.silent && w.cycles == 101);
    CHECK(w.worst > 0.0 && w.worst <= 1.0);
    CHECK(metric("walk.falls") == 0.0);
    CHECK(metric("walk.distance") > 0.15);
    printf("  %d frames, pulses within %.2f counts, %.3f m\n", w.cycles, w.worst, metric("walk.distance"));
    ff_run_destroy(far.run);
    ff_run_destroy(w.alone);
    free(w.seen);
    free(w.expected);
    let_silence_fall();
    finish();
}

// ------------------------------------------------------------------------------------------ telegrams

TEST(it_tells_the_interface_of_the_scene)
{
    static unsigned char bytes[MOST];
    ff_arena arena = {0};
    ff_interface unpacked;
    ff_telegram head;
    ff_error err = {0};
    const unsigned char *payload;
    size_t size;
    for (int i = 0; i < 20; i++) board_frame();
    CHECK(nsent == 0 && width[0] == 0); // nobody has come
    feed(bytes, make_hello(0, bytes));
    CHECK(look(&head, &payload, &size) == FF_TELEGRAM_INTERFACE);
    if (ff_interface_unpack(payload, size, &arena, &unpacked, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    CHECK(ff_interface_hash(&unpacked) == hash && head.interface == hash && unpacked.period == 0.02);
    feed(bytes, make_hello(0, bytes)); // an impatient one
    CHECK(nsent == 0);
    feed(bytes, make_hello(1, bytes)); // one for another robot
    CHECK(look(&head, &payload, &size) == FF_TELEGRAM_BYE);
    // what the controller of the scene computes
    must_load_file(FF_SOURCE_DIR "/experiments/servo-hexapod-walk.yaml", NULL, 0);
    ff_relay_site site;
    CHECK(ff_run_controller_site(run, 0, &site, &err) == FF_OK);
    const ff_interface scenes = {.sensors = *site.sensors, .references = *site.references};
    CHECK(ff_interface_hash(&scenes) == hash);
    ff_arena_clear(&arena);
    finish();
}

TEST(its_time_has_the_bits_of_a_division)
{
    ff_telegram before = {0}, head;
    const unsigned char *payload;
    size_t size;
    set_positions(0.0);
    greet();
    for (int i = 0; i < 2000; i++) {
        static unsigned char bytes[MOST];
        board_frame();
        CHECK(look(&head, &payload, &size) == FF_TELEGRAM_SENSORS);
        CHECK(size + 52 == 78);
        CHECK(head.time == (double)(head.sent / 1000000) / 1000.0); // in two units
        CHECK(i == 0 || (head.sent - before.sent == 20000000 && head.counter == before.counter + 1));
        before = head;
        feed(bytes, make_references(head.counter, bytes));
    }
    CHECK(head.time > 40.0);
    let_silence_fall();
}

TEST(switches_come_as_sensors)
{
    union {
        ff_io_frame frame;
        unsigned char bytes[32 + 24 * SENSORS];
    } sensors;
    const ff_io_layout layout = {FF_IO_SENSORS, SENSORS, no_names, 0};
    ff_telegram head;
    const unsigned char *payload;
    size_t size;
    ff_io_init(&sensors.frame, &layout);
    greet();
    for (int i = 0; i < BOARD_LEGS; i++) closed[i] = i % 2;
    board_frame();
    CHECK(look(&head, &payload, &size) == FF_TELEGRAM_SENSORS && head.form == FF_ITEMS_SHORT);
    CHECK(ff_items_unpack_short(payload, size, &sensors.frame, NULL) == FF_OK);
    const ff_io_item *items = ff_io_items(&sensors.frame);
    for (int i = 0; i < SENSORS; i++)
        CHECK(i % 2 == 0 ? items[i].valid && items[i].value == i / 2 % 2 : !items[i].valid); // no forces
    let_silence_fall();
}

// ------------------------------------------------------------------------------------------ pulses

// The board multiplies integers, the test numbers of 64 bits. What lies between: a reference of 32 bits (1e-7 of it)
// and rounding to a count.
TEST(pulses_are_the_references_within_a_count)
{
    static const double values[] = {0.0, 1e-40, 1e-4, -1e-3, 0.5, -0.7853981, 1.5, -1.6, 7.99, -8.0, 1e30};
    ff_random random = ff_random_make(3, 0);
    set_positions(0.0);
    greet();
    for (int k = 0; k < 500; k++) {
        const double value = k < 11 ? values[k] : 3.4 * ff_random_uniform(&random) - 1.7;
        set_positions(value);
        CHECK(exchange() > 0);
        board_frame();
        nsent = 0;
        for (int i = 0; i < BOARD_SERVOS; i++)
            CHECK(fabs(width[i] - wanted(i, value)) <= (fabs(value) < 7.0 ? 0.51 : 0.0));
    }
    const uint16_t before = width[4];
    set_positions(0.25);
    ff_io_items(&references.frame)[3 * 4].value = 1e300; // infinite in 32 bits: it stays as it was
    exchange();
    ff_io_items(&references.frame)[3 * 4].valid = 0; // as does one without a value
    exchange();
    board_frame();
    CHECK(width[4] == before && fabs(width[5] - wanted(5, 0.25)) <= 0.51);
    let_silence_fall();
}

TEST(answers_that_are_old_doubled_or_unasked_change_nothing)
{
    static unsigned char bytes[MOST];
    set_positions(0.1);
    greet();
    const uint32_t first = exchange();
    set_positions(0.2);
    feed(bytes, make_references(first, bytes));     // again, with another value
    feed(bytes, make_references(first - 1, bytes)); // to sensors of before
    feed(bytes, make_references(first + 1, bytes)); // to sensors that are not there yet
    const uint64_t ours = hash++;
    feed(bytes, make_references(first + 1, bytes)); // of another robot
    hash = ours;
    board_frame();
    CHECK(fabs(width[0] - wanted(0, 0.1)) <= 0.51);
    nsent = 0;
    let_silence_fall();
    set_positions(0.3);
    feed(bytes, make_references(first + 30, bytes)); // of one that has not greeted
    board_frame();
    CHECK(width[0] == 0 && nsent == 0);
}

// ------------------------------------------------------------------------------------------ the line

TEST(noise_on_the_line_is_survived)
{
    static unsigned char bytes[MOST];
    ff_random random = ff_random_make(5, 0);
    int taken = 0;
    set_positions(0.0);
    greet();
    for (int k = 0; k < 600; k++) {
        const double value = 0.001 * k;
        ff_telegram head;
        const unsigned char *payload;
        size_t size;
        board_frame();
        CHECK(look(&head, &payload, &size) == FF_TELEGRAM_SENSORS);
        const uint16_t before = width[0];
        set_positions(value);
        const size_t n = make_references(head.counter, bytes), at = ff_random_bits(&random) % n;
        if (k % 6 == 0) // noise before it, with the beginning of a telegram
            for (size_t i = 0; i < at; i++) board_byte((uint8_t)ff_random_bits(&random));
        if (k % 6 == 0) feed((const unsigned char *)"FFFFLK", 6);
        if (k % 6 == 1) bytes[at] ^= (unsigned char)(1U << k % 8); // a bit turned over
        feed(bytes, k % 6 == 2 ? at : n);                          // cut off
        if (k % 6 == 4) feed(bytes, n);                            // twice
        // what is damaged is lost; a length that became longer, or a piece, waits for bytes of the next
        const bool whole = k % 6 != 1 && k % 6 != 2;
        for (int i = 0; whole && i < 400; i++) board_byte(0); // ends whatever waits
        nsent = 0;
        board_frame();
        const bool moved = fabs(width[0] - wanted(0, value)) <= 0.51;
        CHECK(moved == whole && (moved || width[0] == before));
        taken += moved;
        nsent = 0;
    }
    CHECK(taken == 400); // four of six
    let_silence_fall();
}

// A controller that falls silent: its pulses stay for 5 s, then there are none; one that comes back takes over only
// after it has greeted again.
TEST(without_its_controller_pulses_stay_and_then_end)
{
    static unsigned char bytes[MOST];
    ff_telegram head;
    const unsigned char *payload;
    size_t size;
    set_positions(0.4);
    greet();
    const uint32_t last = exchange();
    for (int k = 1; k < BOARD_OFF_AFTER; k++) {
        board_frame();
        for (int i = 0; i < BOARD_SERVOS; i++) CHECK(fabs(width[i] - wanted(i, 0.4)) <= 0.51);
        const int type = look(&head, &payload, &size);
        CHECK(type == (k <= BOARD_HOLD_AFTER ? FF_TELEGRAM_SENSORS : k == BOARD_HOLD_AFTER + 1 ? FF_TELEGRAM_BYE : 0));
        if (k == BOARD_HOLD_AFTER + 2) feed(bytes, make_references(last + 1, bytes)); // too late
    }
    board_frame();
    for (int i = 0; i < BOARD_SERVOS; i++) CHECK(width[i] == 0);
    greet();
    board_frame();
    CHECK(width[0] == 0); // it waits for the first reference
    nsent = 0;
    set_positions(0.1);
    CHECK(exchange() > 0);
    board_frame();
    CHECK(fabs(width[0] - wanted(0, 0.1)) <= 0.51);
    ff_telegram bye = {.type = FF_TELEGRAM_BYE, .interface = hash};
    feed(bytes, ff_telegram_seal(&bye, bytes, sizeof bytes, 0));
    nsent = 0;
    board_frame();
    CHECK(nsent == 0 && fabs(width[0] - wanted(0, 0.1)) <= 0.51); // held
    for (int k = 2; k < BOARD_OFF_AFTER; k++) {                   // one who greets again and again, and never answers
        greet();
        board_frame();
        nsent = 0;
    }
    board_frame();
    CHECK(width[0] == 0);
    let_silence_fall();
}
