// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What both ends of a link have in common (wire.h).
#include "link/wire.h"

#include <math.h>
#include <string.h>

ff_link_options ff_link_options_default(void)
{
    return (ff_link_options){.again = 0.05, .timeout = 5.0, .tolerated = 20, .extrapolate = true, .silence = 0.25};
}

int64_t ff_link_nanoseconds(void)
{
    return (int64_t)(1e9 * ff_link_clock());
}

void ff_talk_begin(ff_talk *talk, ff_wire *wire, const ff_link_options *options)
{
    talk->wire = wire;
    talk->options = options ? *options : ff_link_options_default();
    talk->interface = 0;
    talk->sequence = 0;
    talk->counts = (ff_link_counts){.stopped_at = NAN};
}

ff_status ff_talk_send(ff_talk *talk, ff_telegram head, size_t payload, ff_error *err)
{
    head.sequence = talk->sequence++;
    head.interface = talk->interface;
    const size_t size = ff_telegram_seal(&head, talk->out, sizeof talk->out, payload);
    if (size == 0)
        return ff_error_set(err, FF_LIMIT, "a telegram of this robot has more than %d bytes", FF_TELEGRAM_MOST);
    return ff_wire_send(talk->wire, talk->out, size, err);
}

ff_status ff_talk_say(ff_talk *talk, ff_telegram_type type, const char *text, ff_error *err)
{
    const size_t length = strlen(text) < FF_TALK_WORDS ? strlen(text) : FF_TALK_WORDS;
    memcpy(talk->out + FF_TELEGRAM_HEAD_SIZE, text, length);
    return ff_talk_send(talk, (ff_telegram){.type = (uint16_t)type}, length, err);
}

void ff_talk_say_bye(ff_talk *talk, const char *why)
{
    for (int i = 0; i < 5; i++)
        if (ff_talk_say(talk, FF_TELEGRAM_BYE, why, NULL) != FF_OK) return;
}

ff_status ff_talk_listen(ff_talk *talk, double seconds, ff_received *out, ff_error *err)
{
    static const double LOOK_UP = 0.1; // delay of a request to stop  [s]
    size_t size;
    out->any = false;
    const ff_status status =
        ff_wire_receive(talk->wire, talk->in, sizeof talk->in, seconds < LOOK_UP ? seconds : LOOK_UP, &size, err);
    if (status != FF_OK) return status;
    if (talk->options.stop && talk->options.stop(talk->options.context))
        return ff_error_set(err, FF_STOPPED, "interrupted");
    if (size == 0) return FF_OK;
    if (ff_telegram_open(talk->in, size, &out->head, &out->payload, &out->size, NULL) != FF_OK) {
        talk->counts.damaged++;
        return FF_OK;
    }
    const bool greets = out->head.type == FF_TELEGRAM_HELLO || out->head.type == FF_TELEGRAM_INTERFACE;
    out->any = greets || out->head.interface == talk->interface || out->head.interface == 0;
    if (!out->any) talk->counts.foreign++;
    return FF_OK;
}
