// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The robot's end of a link: it accepts a controller, sends it sensors, and follows its answers; without an answer it
// holds or extrapolates the references, and finally holds the robot's position.
#include "link/wire.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ff_link_robot {
    ff_relay_site site;
    ff_interface interface;
    bool is_connected;
    bool lost;
    char why[FF_PORT_REASON_MAX + 40]; // why the controller was lost
    uint32_t counter;                  // of the cycle
    uint32_t answered;                 // counter of the newest answer
    uint32_t sequence;                 // of its telegram
    uint32_t last_used;                // counter of the last answer used
    int missed;                        // consecutive cycles without an answer
    double silent;                     // real time without an answer  [s]
    double last_check;                 // real time at the end of the last cycle  [s]
    double start;                      // real time at simulated time 0  [s]
    double fault_at;                   // begin of its reported fault; NAN: none  [s]
    double safe_at;                    // begin of its safe state; NAN: none  [s]
    ff_io_frame *answer;               // the newest
    ff_io_frame *held;                 // last value of each reference
    int *speed_of;                     // item of the speed that belongs to a position; -1: none
    ff_port port;
};

// ------------------------------------------------------------------------------------------ creation

ff_link_robot *ff_link_robot_create(ff_wire *wire, const ff_link_options *options, ff_error *err)
{
    ff_link_robot *r = calloc(1, sizeof *r);
    if (!r) {
        ff_error_set(err, FF_NO_MEMORY, "out of memory");
        return NULL;
    }
    r->start = r->safe_at = r->fault_at = NAN;
    ff_port_begin(&r->port, wire, options);
    return r;
}

void ff_link_robot_destroy(ff_link_robot *r)
{
    if (!r) return;
    free(r->answer);
    free(r->held);
    free(r->speed_of);
    free(r);
}

/// Item of the speed of the same drive: drives.NAME.speed for drives.NAME.position.
static int find_speed(const ff_io_layout *references, const char *position)
{
    static const char tail[] = ".position";
    char name[sizeof references->names->name];
    const size_t length = strlen(position), lead = length - (sizeof tail - 1);
    if (length < sizeof tail || strcmp(position + lead, tail) != 0) return -1;
    snprintf(name, sizeof name, "%.*s.speed", (int)lead, position);
    return ff_io_find(references, name);
}

static ff_status bind_robot(void *context, const ff_relay_site *site, ff_error *err)
{
    ff_link_robot *r = context;
    const ff_io_layout *references = site->references;
    r->site = *site;
    r->interface = (ff_interface){.sensors = *site->sensors,
                                  .references = *references,
                                  .signals = {FF_IO_SENSORS, site->nsignal, site->signals, 0},
                                  .period = site->period,
                                  .lockstep = !r->port.options.wall};
    r->port.interface = ff_interface_hash(&r->interface);
    r->answer = malloc(ff_io_size(references->count));
    r->held = malloc(ff_io_size(references->count));
    r->speed_of = malloc((size_t)(references->count + 1) * sizeof *r->speed_of);
    if (!r->answer || !r->held || !r->speed_of) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    ff_io_init(r->answer, references);
    ff_io_init(r->held, references);
    for (int i = 0; i < references->count; i++) r->speed_of[i] = find_speed(references, references->names[i].name);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ connecting

static ff_status send_interface(ff_link_robot *r, ff_error *err)
{
    unsigned char *to = r->port.out + FF_TELEGRAM_HEAD_SIZE;
    const size_t size = ff_interface_pack(&r->interface, to, FF_PORT_PAYLOAD_MAX);
    if (size == 0)
        return ff_error_set(err, FF_LIMIT, "the names of this robot's items have more than %d bytes", FF_TELEGRAM_MOST);
    return ff_port_send(&r->port, (ff_telegram){.type = FF_TELEGRAM_INTERFACE}, size, err);
}

/// Accepts a controller that has the interface or requests it; one with another interface is refused.
static ff_status handle_hello(ff_link_robot *r, const ff_telegram *hello, ff_error *err)
{
    if (hello->interface == r->port.interface) {
        r->is_connected = true;
        return FF_OK;
    }
    if (hello->interface == 0) return send_interface(r, err);
    r->port.counts.foreign++;
    return ff_port_send_text(&r->port, FF_TELEGRAM_BYE,
                             "the interface of this robot differs. A hash does not show the item: connect "
                             "with interface 0 to get its names",
                             err);
}

ff_status ff_link_robot_connect(ff_link_robot *r, double seconds, ff_error *err)
{
    const double end = ff_link_clock() + seconds;
    char last[FF_PORT_REASON_MAX + 60] = ""; // reason of a controller that disconnected
    if (!r->answer) return ff_error_set(err, FF_BAD_ARGUMENT, "a link connects to its controller after ff_run_create");
    while (!r->is_connected) {
        ff_received message;
        ff_status status = ff_port_receive(&r->port, 0.1, &message, err);
        if (status == FF_OK && message.any && message.head.type == FF_TELEGRAM_HELLO)
            status = handle_hello(r, &message.head, err);
        if (status == FF_OK && message.any && message.head.type == FF_TELEGRAM_BYE)
            snprintf(last, sizeof last, "; one disconnected: %.*s",
                     (int)(message.size < FF_PORT_REASON_MAX ? message.size : FF_PORT_REASON_MAX),
                     (const char *)message.payload);
        const bool stopped = r->port.options.stop && r->port.options.stop(r->port.options.context);
        if (status != FF_OK && (status != FF_STOPPED || stopped)) return status;
        if (status == FF_STOPPED)
            ff_link_wait(-1, 0, 0.05); // a controller has disconnected; an interrupted line reports that in every call
        if (seconds >= 0.0 && ff_link_clock() > end)
            return ff_error_set(err, FF_NOT_FOUND, "no controller connected within %g s%s", seconds, last);
    }
    return FF_OK;
}

void ff_link_robot_disconnect(ff_link_robot *r, const char *why)
{
    for (int i = 0; i < 5; i++) { // any of them may be lost
        ff_received message;
        const double end = ff_link_clock() + r->port.options.resend_after; // also if many messages arrive meanwhile
        if (ff_port_send_text(&r->port, FF_TELEGRAM_BYE, why, NULL) != FF_OK) return;
        for (double left = r->port.options.resend_after; left > 0.0; left = end - ff_link_clock()) {
            if (ff_port_receive(&r->port, left, &message, NULL) != FF_OK) return;
            if (message.any && message.head.type == FF_TELEGRAM_BYE) return;
        }
    }
}

// ------------------------------------------------------------------------------------------ cycles

static void lose(ff_link_robot *r, double t, const char *why)
{
    if (r->lost) return;
    r->lost = true;
    r->port.counts.stopped_at = t;
    snprintf(r->why, sizeof r->why, "%.*s", FF_PORT_REASON_MAX + 30, why);
    ff_port_send_bye(&r->port, why);
}

static void send_sensors(ff_link_robot *r, double t, const ff_io_frame *sensors)
{
    unsigned char *to = r->port.out + FF_TELEGRAM_HEAD_SIZE;
    ff_error err = {0};
    const size_t size = ff_items_pack(sensors, 0, NULL, 0, to, FF_PORT_PAYLOAD_MAX);
    const ff_telegram head = {
        .type = FF_TELEGRAM_SENSORS, .counter = r->counter, .time = t, .sent = ff_link_nanoseconds()};
    if (size == 0)
        lose(r, t, "its sensors do not fit into a telegram");
    else if (ff_port_send(&r->port, head, size, &err) != FF_OK)
        lose(r, t, err.text);
}

static void note_round_trip(ff_link_robot *r, const ff_telegram *answer)
{
    ff_link_timing *timing = r->port.options.timing;
    if (timing && answer->sent > 0)
        ff_histogram_add(&timing->trip, 1e-9 * (double)(ff_link_nanoseconds() - answer->sent));
}

/// Accepts an answer that is newer than all before; numbers wrap. An answer to a newer cycle with an older telegram
/// number is from another controller that has just started, and would make the robot jump to its initial pose.
static void take_answer(ff_link_robot *r, double t, const ff_received *message)
{
    const int32_t newer = (int32_t)(message->head.counter - r->answered),
                  ahead = (int32_t)(message->head.counter - r->counter);
    if (newer == 0 && r->port.counts.good > 0)
        r->port.counts.doubled++;
    else if (newer < 0)
        r->port.counts.late++;
    else if (r->port.counts.good > 0 && (int32_t)(message->head.sequence - r->sequence) < 0)
        lose(r, t, "another controller answers in its place");
    else if (ahead > 0 || ff_items_unpack(message->payload, message->size, r->answer, r->site.conditions,
                                          r->site.values, r->site.nsignal, NULL) != FF_OK)
        r->port.counts.damaged++;
    else {
        r->answered = message->head.counter;
        r->sequence = message->head.sequence;
        if (r->port.options.wall && ahead < -1) r->port.counts.late++; // its cycle is already over
        note_round_trip(r, &message->head);
    }
}

/// @return false: the controller is lost
static bool receive(ff_link_robot *r, double t, double seconds)
{
    ff_received message;
    ff_error err = {0};
    char text[FF_PORT_REASON_MAX + 40];
    ff_status status = ff_port_receive(&r->port, seconds, &message, &err);
    if (status == FF_OK && message.any && message.head.type == FF_TELEGRAM_HELLO)
        status = handle_hello(r, &message.head, &err);
    if (status != FF_OK)
        lose(r, t, err.text);
    else if (message.any && message.head.type == FF_TELEGRAM_BYE) {
        snprintf(text, sizeof text, "it ended the link: %.*s",
                 (int)(message.size < FF_PORT_REASON_MAX ? message.size : FF_PORT_REASON_MAX),
                 (const char *)message.payload);
        lose(r, t, text);
    } else if (message.any && message.head.type == FF_TELEGRAM_REFERENCES)
        take_answer(r, t, &message);
    return !r->lost;
}

/// Sends the sensors until they are answered.
static void exchange_in_lockstep(ff_link_robot *r, double t, const ff_io_frame *sensors)
{
    const ff_link_options *o = &r->port.options;
    const double start = ff_link_clock();
    double sent = start;
    send_sensors(r, t, sensors);
    while (!r->lost) {
        if (!receive(r, t, o->resend_after) || r->answered == r->counter) return;
        const double now = ff_link_clock();
        if (now - start > o->timeout)
            lose(r, t, "it did not answer");
        else if (now - sent >= o->resend_after) {
            r->port.counts.resent++;
            sent = now;
            send_sensors(r, t, sensors);
        }
    }
}

/// Waits until the cycle is due; by then the previous cycle should have been answered. The first cycle sets the clock.
static void keep_time(ff_link_robot *r, double t)
{
    if (isnan(r->start)) {
        r->start = ff_link_clock() - t;
        return;
    }
    const double due = r->start + t;
    double now = ff_link_clock();
    for (; now < due; now = ff_link_clock())
        if (r->lost)
            ff_link_wait(-1, 0, due - now); // the robot controls the time
        else
            receive(r, t, due - now);
    if (r->lost) return;
    if (r->port.options.timing) ff_histogram_add(&r->port.options.timing->jitter, now - due);
    if (now - due > 0.5 * r->site.period) r->port.counts.behind++;
}

static void exchange_in_real_time(ff_link_robot *r, double t, const ff_io_frame *sensors)
{
    int message = 0; // messages received meanwhile; a flood must not block
    while (message < 16 && receive(r, t, 0.0)) message++;
    if (!r->lost) send_sensors(r, t, sensors);
}

// ------------------------------------------------------------------------------------------ references

static void follow_answer(ff_link_robot *r, ff_io_frame *references)
{
    const ff_io_item *from = ff_io_items_of(r->answer);
    ff_io_item *held = ff_io_items(r->held), *to = ff_io_items(references);
    for (uint32_t i = 0; i < references->count; i++) {
        to[i] = from[i];
        if (from[i].valid) held[i] = from[i];
    }
}

/// Extrapolates positions by their speed over `span`; if the robot is to stop, speeds are 0.
static void follow_held(ff_link_robot *r, double span, bool stop, ff_io_frame *references)
{
    ff_io_item *held = ff_io_items(r->held);
    for (uint32_t i = 0; i < references->count; i++) {
        const int speed = r->speed_of[i];
        if (speed < 0 || !held[speed].valid) continue;
        if (held[i].valid) held[i].value += span * held[speed].value;
        if (stop) held[speed].value = 0.0;
    }
    memcpy(ff_io_items(references), held, references->count * sizeof *held);
}

static void note_conditions(ff_link_robot *r, double t)
{
    const uint32_t met = r->site.conditions ? *r->site.conditions : 0;
    if (isnan(r->safe_at) && (met & FF_LINK_SAFE)) r->safe_at = t;
    if (!(met & FF_LINK_FAULT))
        r->fault_at = NAN;
    else if (isnan(r->fault_at))
        r->fault_at = t;
}

/// Counts cycles without an answer and their duration. A cycle counts for two periods at most: after a longer one this
/// process was suspended and did not listen, and the controller may have been suspended with it.
static void count_silence(ff_link_robot *r, bool answered)
{
    const double now = ff_link_clock(), span = now - r->last_check;
    r->missed = answered ? 0 : r->missed + 1;
    r->silent = answered ? 0.0 : r->silent + (span < 2.0 * r->site.period ? span : 2.0 * r->site.period);
    r->last_check = now;
}

/// Has the controller been silent for too long? A caller that controls the time may run many cycles at once, which
/// cannot have been answered, so that the real time counts, too.
static bool is_given_up(const ff_link_robot *r)
{
    const ff_link_options *o = &r->port.options;
    return r->missed > o->tolerated && (!o->paced || r->silent >= o->silence);
}

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_link_robot *r = context;
    const ff_link_options *o = &r->port.options;
    ff_link_counts *counts = &r->port.counts;
    const uint32_t expected = o->wall ? r->counter : r->counter + 1;
    counts->cycles++;
    r->counter++;
    if (o->wall && !o->paced) keep_time(r, t);
    if (!r->lost && o->wall)
        exchange_in_real_time(r, t, sensors);
    else if (!r->lost)
        exchange_in_lockstep(r, t, sensors);
    const bool timely = o->wall && o->paced ? r->answered != r->last_used : r->answered == expected && expected > 0;
    const bool good = !r->lost && timely,
               requested = !o->wall || r->counter > 1; // the first cycle is a request, the next one gets the answer
    count_silence(r, good || !requested);
    if (!r->lost && o->wall && is_given_up(r)) lose(r, t, "too many consecutive cycles without its answer");
    const bool stops = r->lost || r->missed > o->tolerated;
    if (good) {
        counts->good++;
        r->last_used = r->answered;
        note_conditions(r, t);
        follow_answer(r, references);
    } else {
        counts->missed += requested;
        follow_held(r, o->extrapolate && !stops ? r->site.period : 0.0, stops, references);
    }
    references->sequence = sensors->sequence - (r->counter - r->answered); // of the frame of sensors that they answer
}

static ff_status check(void *context, ff_error *err)
{
    const ff_link_robot *r = context;
    if (isfinite(r->safe_at))
        return ff_error_set(err, FF_CONTROL,
                            "at %.6g s the controller lost its planner, and kept the robot in its safe state",
                            r->safe_at);
    if (isfinite(r->fault_at) && !r->lost)
        return ff_error_set(err, FF_CONTROL,
                            "since %.6g s the controller, or its hardware layer, has been in fault and held "
                            "the robot: see its messages",
                            r->fault_at);
    if (!r->lost) return FF_OK;
    return ff_error_set(err, FF_CONTROL, "at %.6g s the robot lost its controller: %s; its position was held",
                        r->port.counts.stopped_at, r->why);
}

ff_relay ff_link_relay(ff_link_robot *r)
{
    return (ff_relay){.context = r, .bind = bind_robot, .cycle = cycle, .check = check};
}

// ------------------------------------------------------------------------------------------ result

ff_link_counts ff_link_robot_counts(const ff_link_robot *r)
{
    return r->port.counts;
}

const char *ff_link_robot_lost(const ff_link_robot *r)
{
    return r->lost ? r->why : NULL;
}
