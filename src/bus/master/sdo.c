// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// SDO transfers as requests and responses of the mailbox, from the CoE header on: 0 service << 12, 2 command, 3 index,
// 5 subindex, 6 data. Up to four bytes are transferred expedited, more after their length, and what does not fit there
// in segments. ETG.1000.6, 5.6.2; CiA 301.
#include "master/internal.h"

#include <stdio.h>

enum {
    REQUEST = 2,
    RESPONSE = 3,
    FIXED = 10, // bytes of a request without more data
    DOWNLOAD = 0x20,
    DOWNLOAD_ANSWER = 0x60,
    UPLOAD = 0x40,
    UPLOAD_ANSWER = 0x40,
    EXPEDITED = 0x02,
    SIZED = 0x01,
    COMPLETE = 0x10,
    SEGMENT_DOWN = 0x00,
    SEGMENT_DOWN_ANSWER = 0x20,
    SEGMENT_UP = 0x60,
    TOGGLE = 0x10,
    ABORT = 0x80,
    HEAD = 6, // of the mailbox header
};

static uint8_t *begin_request(ff_master_slave *p, unsigned command)
{
    memset(p->mailbox.request, 0, sizeof p->mailbox.request);
    ff_put_u16(p->mailbox.request, REQUEST << 12);
    p->mailbox.request[2] = (uint8_t)command;
    p->mailbox.n = FIXED;
    return p->mailbox.request;
}

void ff_sdo_begin(ff_master_slave *p)
{
    const ff_ec_sdo *s = p->sdo;
    const unsigned access = s->complete ? COMPLETE : 0;
    const unsigned room = p->sii.mailbox[1] - HEAD - FIXED;
    uint8_t *r = begin_request(p, UPLOAD | access);
    p->mailbox.toggle = false;
    p->mailbox.done = 0;
    ff_put_u16(r + 3, s->index);
    r[5] = s->sub;
    if (s->write && s->n > 0 && s->n <= 4) {
        r[2] = (uint8_t)(DOWNLOAD | access | EXPEDITED | SIZED | (4 - s->n) << 2);
        memcpy(r + 6, s->data, s->n);
        p->mailbox.done = s->n;
    } else if (s->write) {
        const uint32_t first = s->n < room ? s->n : room;
        r[2] = (uint8_t)(DOWNLOAD | access | SIZED);
        ff_put_u32(r + 6, s->n);
        memcpy(r + FIXED, s->data, first);
        p->mailbox.n = FIXED + first;
        p->mailbox.done = first;
    }
}

static ff_sdo_progress refuse(ff_master_slave *p, const char *why)
{
    ff_ec_sdo *s = p->sdo;
    s->state = FF_EC_SDO_FAILED;
    snprintf(s->error, sizeof s->error, "object %04X:%02X: %s", s->index, s->sub, why);
    return FF_SDO_FINISHED;
}

static ff_sdo_progress finish(ff_master_slave *p)
{
    p->sdo->state = FF_EC_SDO_DONE;
    return FF_SDO_FINISHED;
}

// ------------------------------------------------------------------------------------------ download

static ff_sdo_progress send_segment(ff_master_slave *p)
{
    const ff_ec_sdo *s = p->sdo;
    const uint32_t left = s->n - p->mailbox.done, room = p->sii.mailbox[1] - HEAD - 3U, n = left < room ? left : room;
    const unsigned unused = n < 7 ? (7 - n) << 1 : 0;
    uint8_t *r = begin_request(p, SEGMENT_DOWN | (p->mailbox.toggle ? TOGGLE : 0) | unused | (n == left));
    memcpy(r + 3, s->data + p->mailbox.done, n);
    if (n + 3 > FIXED) p->mailbox.n = n + 3;
    p->mailbox.done += n;
    return FF_SDO_CONTINUES;
}

static ff_sdo_progress handle_download(ff_master_slave *p, const uint8_t *answer)
{
    const bool segment = (p->mailbox.request[2] & 0xE0) == SEGMENT_DOWN;
    if (segment) {
        if ((answer[2] & 0xE0) != SEGMENT_DOWN_ANSWER) return FF_SDO_UNEXPECTED;
        if (((answer[2] & TOGGLE) != 0) != p->mailbox.toggle) return refuse(p, "a segment was acknowledged twice");
        p->mailbox.toggle = !p->mailbox.toggle;
    } else if ((answer[2] & 0xE0) != DOWNLOAD_ANSWER)
        return FF_SDO_UNEXPECTED;
    return p->mailbox.done < p->sdo->n ? send_segment(p) : finish(p);
}

// ------------------------------------------------------------------------------------------ upload

static ff_sdo_progress request_segment(ff_master_slave *p)
{
    begin_request(p, SEGMENT_UP | (p->mailbox.toggle ? TOGGLE : 0));
    return FF_SDO_CONTINUES;
}

static bool append(ff_master_slave *p, const uint8_t *data, unsigned n)
{
    if (p->mailbox.done + n > sizeof p->sdo->data || p->mailbox.done + n > p->sdo->n) return false;
    memcpy(p->sdo->data + p->mailbox.done, data, n);
    p->mailbox.done += n;
    return true;
}

static ff_sdo_progress handle_first(ff_master_slave *p, const uint8_t *answer, unsigned n)
{
    const unsigned command = answer[2];
    if ((command & 0xE0) != UPLOAD_ANSWER) return FF_SDO_UNEXPECTED;
    if (command & EXPEDITED) {
        p->sdo->n = command & SIZED ? 4 - (command >> 2 & 3) : 4;
        memcpy(p->sdo->data, answer + 6, p->sdo->n);
        return finish(p);
    }
    p->sdo->n = ff_get_u32(answer + 6);
    if (p->sdo->n > sizeof p->sdo->data) return refuse(p, "it is longer than this master supports");
    const unsigned there = n - FIXED < p->sdo->n ? n - FIXED : p->sdo->n;
    append(p, answer + FIXED, there);
    return p->mailbox.done < p->sdo->n ? request_segment(p) : finish(p);
}

static ff_sdo_progress handle_segment(ff_master_slave *p, const uint8_t *answer, unsigned n)
{
    const unsigned command = answer[2];
    if ((command & 0xE0) != 0) return FF_SDO_UNEXPECTED;
    if (((command & TOGGLE) != 0) != p->mailbox.toggle) return refuse(p, "a segment was received twice");
    const unsigned there = n > FIXED ? n - 3 : 7 - (command >> 1 & 7);
    if (!append(p, answer + 3, there)) return refuse(p, "the segments are longer than announced");
    p->mailbox.toggle = !p->mailbox.toggle;
    if (!(command & 1)) return request_segment(p);
    return p->mailbox.done == p->sdo->n ? finish(p) : refuse(p, "the segments are shorter than announced");
}

// ------------------------------------------------------------------------------------------ responses

ff_sdo_progress ff_sdo_handle(ff_master_slave *p, const uint8_t *answer, unsigned n)
{
    const unsigned service = ff_get_u16(answer) >> 12;
    if (n < FIXED) return FF_SDO_UNEXPECTED;
    const bool same = memcmp(answer + 3, p->mailbox.request + 3, 3) == 0; // index and subindex
    const bool segments =
        !p->sdo->write ? p->mailbox.request[2] & 0x20 : (p->mailbox.request[2] & 0xE0) == SEGMENT_DOWN;
    if (answer[2] == ABORT && (service == REQUEST || service == RESPONSE)) {
        char text[100];
        const uint32_t code = ff_get_u32(answer + 6);
        if (!same && !segments) return FF_SDO_UNEXPECTED;
        snprintf(text, sizeof text, "%s (abort code %08lX)", ff_ec_abort_text(code), (unsigned long)code);
        return refuse(p, text);
    }
    if (service != RESPONSE || (!segments && !same)) return FF_SDO_UNEXPECTED;
    if (p->sdo->write) return handle_download(p, answer);
    return segments ? handle_segment(p, answer, n) : handle_first(p, answer, n);
}
