// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions of both ends of a link (wire.h): they send, receive and count telegrams.
#include "link/wire.h"

#include <math.h>
#include <string.h>

ff_link_options ff_link_options_default(void)
{
    return (ff_link_options){
        .resend_after = 0.05, .timeout = 5.0, .tolerated = 20, .extrapolate = true, .silence = 0.25};
}

int64_t ff_link_nanoseconds(void)
{
    return (int64_t)(1e9 * ff_link_clock());
}

void ff_port_begin(ff_port *port, ff_wire *wire, const ff_link_options *options)
{
    port->wire = wire;
    port->options = options ? *options : ff_link_options_default();
    port->interface = 0;
    port->sequence = 0;
    port->counts = (ff_link_counts){.stopped_at = NAN};
}

ff_status ff_port_send(ff_port *port, ff_telegram head, size_t payload, ff_error *err)
{
    head.sequence = port->sequence++;
    head.interface = port->interface;
    const size_t size = ff_telegram_seal(&head, port->out, sizeof port->out, payload);
    if (size == 0)
        return ff_error_set(err, FF_LIMIT, "a telegram of this robot has more than %d bytes", FF_TELEGRAM_MOST);
    return ff_wire_send(port->wire, port->out, size, err);
}

ff_status ff_port_send_text(ff_port *port, ff_telegram_type type, const char *text, ff_error *err)
{
    const size_t length = strlen(text) < FF_PORT_REASON_MAX ? strlen(text) : FF_PORT_REASON_MAX;
    memcpy(port->out + FF_TELEGRAM_HEAD_SIZE, text, length);
    return ff_port_send(port, (ff_telegram){.type = (uint16_t)type}, length, err);
}

void ff_port_send_bye(ff_port *port, const char *why)
{
    for (int i = 0; i < 5; i++)
        if (ff_port_send_text(port, FF_TELEGRAM_BYE, why, NULL) != FF_OK) return;
}

ff_status ff_port_receive(ff_port *port, double seconds, ff_received *out, ff_error *err)
{
    static const double STOP_PERIOD = 0.1; // delay of a request to stop  [s]
    size_t size;
    out->any = false;
    const ff_status status = ff_wire_receive(port->wire, port->in, sizeof port->in,
                                             seconds < STOP_PERIOD ? seconds : STOP_PERIOD, &size, err);
    if (status != FF_OK) return status;
    if (port->options.stop && port->options.stop(port->options.context))
        return ff_error_set(err, FF_STOPPED, "interrupted");
    if (size == 0) return FF_OK;
    if (ff_telegram_open(port->in, size, &out->head, &out->payload, &out->size, NULL) != FF_OK) {
        port->counts.damaged++;
        return FF_OK;
    }
    const bool any_interface = out->head.type == FF_TELEGRAM_HELLO || out->head.type == FF_TELEGRAM_INTERFACE;
    out->any = any_interface || out->head.interface == port->interface || out->head.interface == 0;
    if (!out->any) port->counts.foreign++;
    return FF_OK;
}
