// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A twin at the far end of a wire, whose wire is a table here: the test puts its telegrams there, one at a time, and
// waits until each is answered. So no clock decides what is compared with what.
#include "check.h"

#include "link/wire.h"

#include <footfall/twin.h>

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static const ff_io_name sensor_names[1] = {{"force", "N"}}, reference_names[1] = {{"position", "rad"}};

typedef struct table_wire {
    ff_wire wire;
    pthread_mutex_t mutex;
    unsigned char next[4000];
    size_t size;       // of what lies there; 0: nothing
    uint32_t answered; // counter of the last answer
} table_wire;

static table_wire table;

static void doze(void)
{
    const struct timespec span = {0, 1000000}; // 1 ms
    nanosleep(&span, NULL);
}

static ff_status read_answer(ff_wire *wire, const unsigned char *bytes, size_t size, ff_error *err)
{
    table_wire *d = (table_wire *)wire;
    ff_telegram head;
    const unsigned char *payload;
    size_t n;
    if (ff_telegram_open(bytes, size, &head, &payload, &n, err) != FF_OK) return FF_BAD_FILE;
    pthread_mutex_lock(&d->mutex);
    if (head.type == FF_TELEGRAM_REFERENCES) d->answered = head.counter;
    pthread_mutex_unlock(&d->mutex);
    return FF_OK;
}

static ff_status hand_out(ff_wire *wire, unsigned char *bytes, size_t most, double seconds, size_t *size, ff_error *err)
{
    table_wire *d = (table_wire *)wire;
    (void)most, (void)seconds, (void)err;
    pthread_mutex_lock(&d->mutex);
    memcpy(bytes, d->next, d->size);
    *size = d->size;
    d->size = 0;
    pthread_mutex_unlock(&d->mutex);
    if (*size == 0) doze();
    return FF_OK;
}

static const ff_wire_kind table_kind = {.send = read_answer, .receive = hand_out};

static ff_interface interface_with(const ff_io_name *signals, int nsignal)
{
    return (ff_interface){.sensors = {FF_IO_SENSORS, 1, sensor_names, ff_io_layout_hash(sensor_names, 1)},
                          .references = {FF_IO_REFERENCES, 1, reference_names, ff_io_layout_hash(reference_names, 1)},
                          .signals = {FF_IO_SENSORS, nsignal, signals, 0},
                          .period = 0.1};
}

/// The twin sends its interface as soon as it is requested.
static void lay_interface(const ff_interface *twin)
{
    ff_telegram head = {.type = FF_TELEGRAM_INTERFACE};
    table = (table_wire){.wire.kind = &table_kind, .mutex = PTHREAD_MUTEX_INITIALIZER};
    const size_t n = ff_interface_pack(twin, table.next + FF_TELEGRAM_HEAD_SIZE, 3000);
    table.size = ff_telegram_seal(&head, table.next, sizeof table.next, n);
}

typedef union frame {
    ff_io_frame frame;
    unsigned char bytes[sizeof(ff_io_frame) + sizeof(ff_io_item)];
} frame;

/// The twin senses a force; its controller answers.
static void send_force(const ff_interface *twin, uint32_t counter, double force)
{
    frame f;
    ff_io_init(&f.frame, &twin->sensors);
    ff_io_items(&f.frame)[0] = (ff_io_item){.value = force, .valid = 1};
    ff_telegram head = {.type = FF_TELEGRAM_SENSORS,
                        .counter = counter,
                        .interface = ff_interface_hash(twin),
                        .time = 0.1 * (double)counter};
    pthread_mutex_lock(&table.mutex);
    const size_t n = ff_items_pack(&f.frame, 0, NULL, 0, table.next + FF_TELEGRAM_HEAD_SIZE, 3000);
    table.size = ff_telegram_seal(&head, table.next, sizeof table.next, n);
    pthread_mutex_unlock(&table.mutex);
    for (bool received = false; !received; doze()) {
        pthread_mutex_lock(&table.mutex);
        received = table.answered == counter;
        pthread_mutex_unlock(&table.mutex);
    }
}

static void say_nothing(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    (void)context, (void)t, (void)sensors, (void)references;
}

/// A twin at the table, of a controller with these signals.
static ff_far_twin *make_twin(const ff_io_name *signals, int nsignal, const double *values)
{
    ff_error err = {0};
    const ff_interface own = interface_with(signals, nsignal);
    const ff_far_twin_setup setup = {
        .wire = &table.wire,
        .options = {.resend_after = 0.01, .timeout = 0.2},
        .controller = {.cycle = say_nothing, .signals = values, .nsignal = nsignal},
        .sensors = own.sensors,
        .references = own.references,
        .signals = own.signals,
    };
    ff_far_twin *twin = ff_far_twin_create(&setup, &err);
    if (!twin) CHECK_FAIL("%s", err.text);
    return twin;
}

// In real time the leader does not wait. What the twin sensed before is not compared a second time: neither when a
// frame of it is missing, nor after it died. Its force is 1 N above the leader's, which grows by 10 N a cycle: a frame
// that is compared again would differ by more.
TEST(a_frame_of_the_twin_is_compared_once)
{
    static const bool comes[] = {false, true, true, true, false, true, false, false}; // with the leader's cycle
    enum { CYCLES = sizeof comes / sizeof *comes };
    const ff_interface robot = interface_with(NULL, 0);
    ff_error err = {0};
    lay_interface(&robot);
    ff_far_twin *twin = make_twin(NULL, 0, NULL);
    const ff_link_controller both = ff_far_twin_controller(twin);
    if (both.bind(both.context, &robot, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    frame in, out;
    for (uint32_t k = 0; k < CYCLES; k++) {
        ff_io_init(&in.frame, &robot.sensors);
        ff_io_init(&out.frame, &robot.references);
        ff_io_items(&in.frame)[0] = (ff_io_item){.value = 10.0 * k, .valid = 1};
        if (comes[k]) send_force(&robot, k, 10.0 * k + 1.0);
        both.cycle(both.context, 0.1 * k, &in.frame, &out.frame);
    }
    const ff_far_twin_result *r = ff_far_twin_end(twin, FF_OK); // it never says BYE
    CHECK(r->status == FF_STOPPED);
    CHECK(r->cycles == CYCLES && r->alone == 4 && r->channels[0].samples == 4);
    CHECK(r->channels[0].rms == 1.0 && r->channels[0].most == 1.0);
    CHECK_NEAR(r->lost, 0.6, 1e-12);
    CHECK(strstr(r->text, "The twin is missing from 0.6 s on"));
    char *json = ff_far_twin_to_json(r);
    CHECK(json && strstr(json, "\"lost\": 0.6"));
    free(json);
    ff_far_twin_destroy(twin);
}

// Signals go to the twin in the order of their controller: one that has as many, of other names or units, would record
// them as what they are not.
TEST(a_twin_with_other_signals_is_refused)
{
    static const ff_io_name own[2] = {{"margin", "m"}, {"phase", "rad"}},
                            turned[2] = {{"phase", "rad"}, {"margin", "m"}},
                            other[2] = {{"margin", "m"}, {"height", "rad"}},
                            unit[2] = {{"margin", "m"}, {"phase", "deg"}};
    static const struct {
        const ff_io_name *signals;
        const char *expected; // NULL: it fits
    } cases[] = {{own, NULL},
                 {turned, "'margin' is number 2 at the robot and number 1 here"},
                 {other, "the robot has no signal 'phase'"},
                 {unit, "'phase' is in 'deg' at the robot and in 'rad' here"}};
    static const double values[2];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ff_interface leader = interface_with(own, 2), robot = interface_with(cases[i].signals, 2);
        ff_error err = {0};
        lay_interface(&robot);
        ff_far_twin *twin = make_twin(own, 2, values);
        const ff_link_controller both = ff_far_twin_controller(twin);
        const ff_status status = both.bind(both.context, &leader, &err);
        CHECK(status == (cases[i].expected ? FF_BAD_ARGUMENT : FF_OK));
        if (cases[i].expected && (!strstr(err.text, cases[i].expected) || strncmp(err.text, "the twin: ", 10) != 0))
            CHECK_FAIL("'%s' is not in '%s'", cases[i].expected, err.text);
        ff_far_twin_destroy(twin);
    }
}
