// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The controller's end of a link: it asks for the interface of the robot, then answers each frame of sensors once. A
// frame that comes again gets the same answer again: in lockstep the robot sends again what may have been lost.
#include "link/talk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct control_end {
    ff_arena arena;
    ff_interface interface;
    const ff_link_controller *controller;
    ff_io_frame *sensors, *references;
    uint32_t counter; // of the last frame that was answered
    double came;      // when it arrived  [s]
    bool begun;       // there was one
    size_t answer;    // bytes of its payload
    ff_telegram head; // of that answer
    unsigned char kept[FF_TALK_ROOM];
    ff_talk talk;
} control_end;

// ------------------------------------------------------------------------------------------ meeting

static void pause(void)
{
    const struct timespec span = {0, 50000000}; // 50 ms
    nanosleep(&span, NULL);
}

static ff_status refuse(control_end *c, ff_status status, const char *why, ff_error *err)
{
    char text[FF_TALK_WORDS];
    snprintf(text, sizeof text, "%.*s", FF_TALK_WORDS - 1, why);
    ff_talk_say_bye(&c->talk, text);
    return ff_error_set(err, status, "%s", text);
}

/// What the robot said at its end.
static ff_status quote(const ff_heard *heard, ff_status status, ff_error *err)
{
    if (heard->size == 0) return ff_error_set(err, status, "the robot has shut down");
    return ff_error_set(err, status, "the robot said: %.*s",
                        (int)(heard->size < FF_TALK_WORDS ? heard->size : FF_TALK_WORDS), (const char *)heard->payload);
}

/// Asks until the robot tells its interface. Before the robot is there, sending may fail.
static ff_status ask_interface(control_end *c, ff_error *err)
{
    const double end = ff_link_clock() + c->talk.options.timeout;
    while (ff_link_clock() < end) {
        ff_heard heard = {0};
        ff_error trouble = {0};
        ff_status status = ff_talk_say(&c->talk, FF_TELEGRAM_HELLO, "", &trouble);
        if (status == FF_OK) status = ff_talk_listen(&c->talk, c->talk.options.again, &heard, &trouble);
        if (c->talk.options.stop && c->talk.options.stop(c->talk.options.context))
            return ff_error_set(err, FF_STOPPED, "interrupted");
        if (status != FF_OK && status != FF_STOPPED) return ff_error_set(err, status, "%s", trouble.text);
        if (status == FF_STOPPED)
            pause();
        else if (heard.any && heard.head.type == FF_TELEGRAM_BYE)
            return quote(&heard, FF_BAD_ARGUMENT, err);
        else if (heard.any && heard.head.type == FF_TELEGRAM_INTERFACE)
            return ff_interface_unpack(heard.payload, heard.size, &c->arena, &c->interface, err);
    }
    return ff_error_set(err, FF_NOT_FOUND, "%s: no robot answered within %g s", ff_wire_where(c->talk.wire),
                        c->talk.options.timeout);
}

static ff_status make_frames(control_end *c, ff_error *err)
{
    const ff_io_layout *sensors = &c->interface.sensors, *references = &c->interface.references;
    c->sensors = malloc(ff_io_size(sensors->count));
    c->references = malloc(ff_io_size(references->count));
    if (!c->sensors || !c->references) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    ff_io_init(c->sensors, sensors);
    ff_io_init(c->references, references);
    return FF_OK;
}

/// The first item of one list that the other has not, has in another unit, or at another place.
/// @param what  "sensor"
/// @return false: they are the same
static bool find_difference(const char *what, const ff_io_layout *robot, const ff_io_layout *own, char *text)
{
    for (int i = 0; i < own->count; i++) {
        const ff_io_name *mine = &own->names[i];
        const int k = ff_io_find(robot, mine->name);
        if (k < 0)
            snprintf(text, FF_TALK_WORDS, "the robot has no %s '%s'", what, mine->name);
        else if (strcmp(robot->names[k].unit, mine->unit) != 0)
            snprintf(text, FF_TALK_WORDS, "%s '%s' is in '%s' at the robot and in '%s' here", what, mine->name,
                     robot->names[k].unit, mine->unit);
        else if (k != i && own->count == robot->count)
            snprintf(text, FF_TALK_WORDS, "%s '%s' is number %d at the robot and number %d here", what, mine->name,
                     k + 1, i + 1);
        else
            continue;
        return true;
    }
    for (int i = 0; i < robot->count; i++) {
        if (ff_io_find(own, robot->names[i].name) >= 0) continue;
        snprintf(text, FF_TALK_WORDS, "the robot has a %s '%s', which is not known here", what, robot->names[i].name);
        return true;
    }
    return false;
}

/// Signals are numbers for people: a robot or a controller that names none is not judged by them.
static ff_status compare_signals(control_end *c, const ff_interface *own, ff_error *err)
{
    char differs[FF_TALK_WORDS], text[2 * FF_TALK_WORDS];
    const int asked = c->interface.signals.count;
    if (!c->controller->signals || asked == 0) return FF_OK;
    if (own && own->signals.count > 0 && find_difference("signal", &c->interface.signals, &own->signals, differs)) {
        snprintf(text, sizeof text, "%s: is it the controller of the robot's scene?", differs);
        return refuse(c, FF_BAD_ARGUMENT, text, err);
    }
    if (asked == c->controller->nsignal) return FF_OK;
    snprintf(text, sizeof text, "the robot records %d signals, this controller has %d: is it the one of its scene?",
             asked, c->controller->nsignal);
    return refuse(c, FF_BAD_ARGUMENT, text, err);
}

static ff_status compare_interfaces(control_end *c, const ff_interface *own, ff_error *err)
{
    const ff_interface *robot = &c->interface;
    char differs[FF_TALK_WORDS] = "its items differ", text[2 * FF_TALK_WORDS];
    c->talk.interface = ff_interface_hash(robot);
    if (!own || ff_interface_hash(own) == c->talk.interface) return compare_signals(c, own, err);
    if (!find_difference("sensor", &robot->sensors, &own->sensors, differs))
        find_difference("reference", &robot->references, &own->references, differs);
    snprintf(text, sizeof text, "this controller is made for another robot: %s", differs);
    return refuse(c, FF_BAD_ARGUMENT, text, err);
}

static ff_status meet(control_end *c, const ff_interface *made_for, ff_error *err)
{
    ff_error why = {0};
    ff_status status = ask_interface(c, err);
    if (status == FF_OK) status = make_frames(c, err);
    if (status == FF_OK) status = compare_interfaces(c, made_for, err);
    if (status != FF_OK) return status;
    if (c->controller->bind) status = c->controller->bind(c->controller->context, &c->interface, &why);
    if (status != FF_OK) return refuse(c, status, why.text, err);
    return ff_talk_say(&c->talk, FF_TELEGRAM_HELLO, "", err);
}

// ------------------------------------------------------------------------------------------ answering

static ff_status send_answer(control_end *c, ff_error *err)
{
    memcpy(c->talk.out + FF_TELEGRAM_HEAD_SIZE, c->kept, c->answer);
    return ff_talk_send(&c->talk, c->head, c->answer, err);
}

static ff_status read_sensors(control_end *c, const ff_heard *heard, int64_t time_ns)
{
    if (heard->head.form != FF_ITEMS_SHORT)
        return ff_items_unpack(heard->payload, heard->size, c->sensors, NULL, NULL, 0, NULL);
    c->sensors->sequence = heard->head.counter;
    c->sensors->time_ns = time_ns;
    return ff_items_unpack_short(heard->payload, heard->size, c->sensors, NULL);
}

/// References in the form in which the robot sent its sensors.
static size_t write_references(control_end *c, uint32_t form)
{
    if (form == FF_ITEMS_SHORT) return ff_items_pack_short(c->references, c->kept, FF_TALK_ROOM);
    return ff_items_pack(c->references, c->controller->conditions ? *c->controller->conditions : 0,
                         c->controller->signals, c->interface.signals.count, c->kept, FF_TALK_ROOM);
}

/// A frame has come. Where one between was lost, the span says nothing of the clock.
static void note_arrival(control_end *c, const ff_telegram *head, double now)
{
    ff_link_timing *timing = c->talk.options.timing;
    if (timing && !c->interface.lockstep && c->begun && head->counter == c->counter + 1)
        ff_histogram_add(&timing->jitter, fabs(now - c->came - c->interface.period));
    c->came = now;
}

static ff_status answer(control_end *c, const ff_heard *heard, ff_error *err)
{
    const double now = ff_link_clock();
    const double t = heard->head.time;
    const int64_t time_ns = (int64_t)floor(1e9 * t + 0.5);
    const int32_t newer = (int32_t)(heard->head.counter - c->counter);
    if (c->begun && newer == 0) {
        c->talk.counts.doubled++;
        c->head.sent = heard->head.sent;
        return send_answer(c, err);
    }
    if (c->begun && newer < 0) {
        c->talk.counts.late++;
        return FF_OK;
    }
    if (!(fabs(t) < 1e9) || read_sensors(c, heard, time_ns) != FF_OK) {
        c->talk.counts.damaged++;
        return FF_OK;
    }
    note_arrival(c, &heard->head, now);
    memset(ff_io_items(c->references), 0, c->references->count * sizeof(ff_io_item));
    c->references->sequence = heard->head.counter;
    c->references->time_ns = time_ns;
    c->controller->cycle(c->controller->context, t, c->sensors, c->references);
    c->answer = write_references(c, heard->head.form);
    if (c->answer == 0) return refuse(c, FF_LIMIT, "the references do not fit into a telegram", err);
    c->head = (ff_telegram){.type = FF_TELEGRAM_REFERENCES,
                            .counter = heard->head.counter,
                            .form = heard->head.form,
                            .time = t,
                            .sent = heard->head.sent};
    c->talk.counts.cycles++;
    c->talk.counts.good++;
    c->counter = heard->head.counter;
    c->begun = true;
    const ff_status status = send_answer(c, err);
    if (c->talk.options.timing) ff_histogram_add(&c->talk.options.timing->trip, ff_link_clock() - now);
    return status;
}

/// Until the robot says that it is over, or nothing is heard of it any more.
static ff_status work(control_end *c, ff_error *err)
{
    double heard_at = ff_link_clock();
    for (;;) {
        ff_heard heard;
        ff_status status = ff_talk_listen(&c->talk, c->begun ? 1.0 : c->talk.options.again, &heard, err);
        if (status == FF_STOPPED && c->talk.options.stop && c->talk.options.stop(c->talk.options.context))
            ff_talk_say_bye(&c->talk, "the controller was stopped"); // else the robot waits for its answer
        if (status != FF_OK) return status;
        if (heard.any) heard_at = ff_link_clock();
        if (heard.any && heard.head.type == FF_TELEGRAM_BYE) {
            quote(&heard, FF_OK, err);
            ff_talk_say_bye(&c->talk, "bye");
            return FF_OK;
        }
        if (heard.any && heard.head.type == FF_TELEGRAM_SENSORS)
            status = answer(c, &heard, err);
        else if (!c->begun) // the greeting may have been lost
            status = ff_talk_say(&c->talk, FF_TELEGRAM_HELLO, "", err);
        if (status != FF_OK) return status;
        if (ff_link_clock() - heard_at > c->talk.options.timeout)
            return ff_error_set(err, FF_STOPPED, "%s: nothing was heard of the robot for %g s",
                                ff_wire_where(c->talk.wire), c->talk.options.timeout);
    }
}

ff_status ff_link_control(ff_wire *wire, const ff_interface *made_for, const ff_link_options *options,
                          const ff_link_controller *controller, ff_link_counts *counts, ff_error *err)
{
    control_end *c = calloc(1, sizeof *c);
    if (!c) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    ff_talk_begin(&c->talk, wire, options);
    c->controller = controller;
    ff_status status = meet(c, made_for, err);
    if (status == FF_OK) status = work(c, err);
    if (counts) *counts = c->talk.counts;
    free(c->sensors);
    free(c->references);
    ff_arena_clear(&c->arena);
    free(c);
    return status;
}
