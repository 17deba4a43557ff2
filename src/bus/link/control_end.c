// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The controller's end of a link: it requests the interface of the robot, then answers each frame of sensors once. A
// repeated frame gets the same answer again: in lockstep the robot repeats frames whose answer may have been lost.
#include "link/wire.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct control_end {
    ff_arena arena;
    ff_interface interface;
    const ff_link_controller *controller;
    ff_io_frame *sensors, *references;
    uint32_t counter; // of the last answered frame
    double arrival;   // time of its arrival  [s]
    bool begun;       // a frame has been received
    size_t answer;    // bytes of the payload of its answer
    ff_telegram head; // of its answer
    unsigned char answer_bytes[FF_PORT_PAYLOAD_MAX];
    ff_port port;
} control_end;

// ------------------------------------------------------------------------------------------ connecting

static ff_status refuse(control_end *c, ff_status status, const char *why, ff_error *err)
{
    char text[FF_PORT_REASON_MAX];
    snprintf(text, sizeof text, "%.*s", FF_PORT_REASON_MAX - 1, why);
    ff_port_send_bye(&c->port, text);
    return ff_error_set(err, status, "%s", text);
}

/// Sets the reason from the last message of the robot as the error. @return `status`
static ff_status report_bye(const ff_received *message, ff_status status, ff_error *err)
{
    if (message->size == 0) return ff_error_set(err, status, "the robot has shut down");
    return ff_error_set(err, status, "the robot ended the link: %.*s",
                        (int)(message->size < FF_PORT_REASON_MAX ? message->size : FF_PORT_REASON_MAX),
                        (const char *)message->payload);
}

/// Requests the interface until the robot sends it. As long as there is no robot, sending may fail.
static ff_status request_interface(control_end *c, ff_error *err)
{
    const double end = ff_link_clock() + c->port.options.timeout;
    while (ff_link_clock() < end) {
        ff_received message = {0};
        ff_error problem = {0};
        ff_status status = ff_port_send_text(&c->port, FF_TELEGRAM_HELLO, "", &problem);
        if (status == FF_OK) status = ff_port_receive(&c->port, c->port.options.resend_after, &message, &problem);
        if (c->port.options.stop && c->port.options.stop(c->port.options.context))
            return ff_error_set(err, FF_STOPPED, "interrupted");
        if (status != FF_OK && status != FF_STOPPED) return ff_error_set(err, status, "%s", problem.text);
        if (status == FF_STOPPED)
            ff_link_wait(-1, 0, 0.05);
        else if (message.any && message.head.type == FF_TELEGRAM_BYE)
            return report_bye(&message, FF_BAD_ARGUMENT, err);
        else if (message.any && message.head.type == FF_TELEGRAM_INTERFACE)
            return ff_interface_unpack(message.payload, message.size, &c->arena, &c->interface, err);
    }
    return ff_error_set(err, FF_NOT_FOUND, "%s: no robot answered within %g s", ff_wire_where(c->port.wire),
                        c->port.options.timeout);
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

/// Describes the first item of one list that is missing in the other, or has another unit or position there.
/// @param what  "sensor", "reference" or "signal"  @return false: the lists are equal
static bool find_difference(const char *what, const ff_io_layout *robot, const ff_io_layout *own, char *text)
{
    for (int i = 0; i < own->count; i++) {
        const ff_io_name *mine = &own->names[i];
        const int k = ff_io_find(robot, mine->name);
        if (k < 0)
            snprintf(text, FF_PORT_REASON_MAX, "the robot has no %s '%s'", what, mine->name);
        else if (strcmp(robot->names[k].unit, mine->unit) != 0)
            snprintf(text, FF_PORT_REASON_MAX, "%s '%s' is in '%s' at the robot and in '%s' here", what, mine->name,
                     robot->names[k].unit, mine->unit);
        else if (k != i && own->count == robot->count)
            snprintf(text, FF_PORT_REASON_MAX, "%s '%s' is number %d at the robot and number %d here", what, mine->name,
                     k + 1, i + 1);
        else
            continue;
        return true;
    }
    for (int i = 0; i < robot->count; i++) {
        if (ff_io_find(own, robot->names[i].name) >= 0) continue;
        snprintf(text, FF_PORT_REASON_MAX, "the robot has a %s '%s', which is not known here", what,
                 robot->names[i].name);
        return true;
    }
    return false;
}

/// Compares the signals, which the robot only records: not if one side has none.
static ff_status compare_signals(control_end *c, const ff_interface *own, ff_error *err)
{
    char differs[FF_PORT_REASON_MAX], text[2 * FF_PORT_REASON_MAX];
    const int requested = c->interface.signals.count;
    if (!c->controller->signals || requested == 0) return FF_OK;
    if (own && own->signals.count > 0 && find_difference("signal", &c->interface.signals, &own->signals, differs)) {
        snprintf(text, sizeof text, "%s: the controller must be that of the robot's scene", differs);
        return refuse(c, FF_BAD_ARGUMENT, text, err);
    }
    if (requested == c->controller->nsignal) return FF_OK;
    snprintf(text, sizeof text, "the robot records %d signals, this controller has %d: it must be that of its scene",
             requested, c->controller->nsignal);
    return refuse(c, FF_BAD_ARGUMENT, text, err);
}

static ff_status compare_interfaces(control_end *c, const ff_interface *own, ff_error *err)
{
    const ff_interface *robot = &c->interface;
    char differs[FF_PORT_REASON_MAX] = "its items differ", text[2 * FF_PORT_REASON_MAX];
    c->port.interface = ff_interface_hash(robot);
    if (!own || ff_interface_hash(own) == c->port.interface) return compare_signals(c, own, err);
    if (!find_difference("sensor", &robot->sensors, &own->sensors, differs))
        find_difference("reference", &robot->references, &own->references, differs);
    snprintf(text, sizeof text, "this controller does not match the robot: %s", differs);
    return refuse(c, FF_BAD_ARGUMENT, text, err);
}

static ff_status connect_to_robot(control_end *c, const ff_interface *expected, ff_error *err)
{
    ff_error why = {0};
    ff_status status = request_interface(c, err);
    if (status == FF_OK) status = make_frames(c, err);
    if (status == FF_OK) status = compare_interfaces(c, expected, err);
    if (status != FF_OK) return status;
    if (c->controller->bind) status = c->controller->bind(c->controller->context, &c->interface, &why);
    if (status != FF_OK) return refuse(c, status, why.text, err);
    return ff_port_send_text(&c->port, FF_TELEGRAM_HELLO, "", err);
}

// ------------------------------------------------------------------------------------------ cycles

static ff_status send_answer(control_end *c, ff_error *err)
{
    memcpy(c->port.out + FF_TELEGRAM_HEAD_SIZE, c->answer_bytes, c->answer);
    return ff_port_send(&c->port, c->head, c->answer, err);
}

static ff_status read_sensors(control_end *c, const ff_received *message, int64_t time_ns)
{
    if (message->head.form != FF_ITEMS_SHORT)
        return ff_items_unpack(message->payload, message->size, c->sensors, NULL, NULL, 0, NULL);
    c->sensors->sequence = message->head.counter;
    c->sensors->time_ns = time_ns;
    return ff_items_unpack_short(message->payload, message->size, c->sensors, NULL);
}

/// Writes the references in the same form as the sensor values. @return their bytes; 0: no room
static size_t write_references(control_end *c, uint32_t form)
{
    if (form == FF_ITEMS_SHORT) return ff_items_pack_short(c->references, c->answer_bytes, FF_PORT_PAYLOAD_MAX);
    return ff_items_pack(c->references, c->controller->conditions ? *c->controller->conditions : 0,
                         c->controller->signals, c->interface.signals.count, c->answer_bytes, FF_PORT_PAYLOAD_MAX);
}

/// Adds the time since the last frame to the histogram of jitter, unless a frame between them was lost.
static void record_arrival(control_end *c, const ff_telegram *head, double now)
{
    ff_link_timing *timing = c->port.options.timing;
    if (timing && !c->interface.lockstep && c->begun && head->counter == c->counter + 1)
        ff_histogram_add(&timing->jitter, fabs(now - c->arrival - c->interface.period));
    c->arrival = now;
}

static ff_status answer(control_end *c, const ff_received *message, ff_error *err)
{
    const double now = ff_link_clock();
    const double t = message->head.time;
    const int64_t time_ns = (int64_t)floor(1e9 * t + 0.5);
    const int32_t newer = (int32_t)(message->head.counter - c->counter);
    if (c->begun && newer == 0) {
        c->port.counts.doubled++;
        c->head.sent = message->head.sent;
        return send_answer(c, err);
    }
    if (c->begun && newer < 0) {
        c->port.counts.late++;
        return FF_OK;
    }
    if (!(fabs(t) < 1e9) || read_sensors(c, message, time_ns) != FF_OK) {
        c->port.counts.damaged++;
        return FF_OK;
    }
    record_arrival(c, &message->head, now);
    memset(ff_io_items(c->references), 0, c->references->count * sizeof(ff_io_item));
    c->references->sequence = message->head.counter;
    c->references->time_ns = time_ns;
    c->controller->cycle(c->controller->context, t, c->sensors, c->references);
    c->answer = write_references(c, message->head.form);
    if (c->answer == 0) return refuse(c, FF_LIMIT, "the references do not fit into a telegram", err);
    c->head = (ff_telegram){.type = FF_TELEGRAM_REFERENCES,
                            .counter = message->head.counter,
                            .form = message->head.form,
                            .time = t,
                            .sent = message->head.sent};
    c->port.counts.cycles++;
    c->port.counts.good++;
    c->counter = message->head.counter;
    c->begun = true;
    const ff_status status = send_answer(c, err);
    if (c->port.options.timing) ff_histogram_add(&c->port.options.timing->trip, ff_link_clock() - now);
    return status;
}

/// Runs until the robot ends the link, or until a timeout.
static ff_status answer_frames(control_end *c, ff_error *err)
{
    double received_at = ff_link_clock();
    for (;;) {
        ff_received message;
        ff_status status = ff_port_receive(&c->port, c->begun ? 1.0 : c->port.options.resend_after, &message, err);
        if (status == FF_STOPPED && c->port.options.stop && c->port.options.stop(c->port.options.context))
            ff_port_send_bye(&c->port, "the controller was stopped"); // otherwise the robot waits for its answer
        if (status != FF_OK) return status;
        if (message.any) received_at = ff_link_clock();
        if (message.any && message.head.type == FF_TELEGRAM_BYE) {
            report_bye(&message, FF_OK, err);
            ff_port_send_bye(&c->port, "bye");
            return FF_OK;
        }
        if (message.any && message.head.type == FF_TELEGRAM_SENSORS)
            status = answer(c, &message, err);
        else if (!c->begun) // the first message may have been lost
            status = ff_port_send_text(&c->port, FF_TELEGRAM_HELLO, "", err);
        if (status != FF_OK) return status;
        if (ff_link_clock() - received_at > c->port.options.timeout)
            return ff_error_set(err, FF_STOPPED, "%s: no message received from the robot for %g s",
                                ff_wire_where(c->port.wire), c->port.options.timeout);
    }
}

ff_status ff_link_control(ff_wire *wire, const ff_interface *expected, const ff_link_options *options,
                          const ff_link_controller *controller, ff_link_counts *counts, ff_error *err)
{
    control_end *c = calloc(1, sizeof *c);
    if (!c) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    ff_port_begin(&c->port, wire, options);
    c->controller = controller;
    ff_status status = connect_to_robot(c, expected, err);
    if (status == FF_OK) status = answer_frames(c, err);
    if (counts) *counts = c->port.counts;
    free(c->sensors);
    free(c->references);
    ff_arena_clear(&c->arena);
    free(c);
    return status;
}
