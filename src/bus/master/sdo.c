// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Transfers of objects (SDO) as requests and answers of the mailbox, from the CoE head on: 0 service << 12, 2 command,
// 3 index, 5 subindex, 6 data. Up to four bytes travel in the request itself, more behind their length, and what does
// not fit there in segments. ETG.1000.6, 5.6.2; CiA 301.
#include "master/inside.h"

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
    HEAD = 6, // of the mailbox
};

static uint8_t *begin_request(ff_master_peer *p, unsigned command)
{
    memset(p->talk.request, 0, sizeof p->talk.request);
    ff_put_u16(p->talk.request, REQUEST << 12);
    p->talk.request[2] = (uint8_t)command;
    p->talk.n = FIXED;
    return p->talk.request;
}

void ff_sdo_begin(ff_master_peer *p)
{
    const ff_ec_sdo *s = p->sdo;
    const unsigned access = s->complete ? COMPLETE : 0;
    const unsigned room = p->says.mailbox[1] - HEAD - FIXED;
    uint8_t *r = begin_request(p, UPLOAD | access);
    p->talk.toggle = false;
    p->talk.done = 0;
    ff_put_u16(r + 3, s->index);
    r[5] = s->sub;
    if (s->write && s->n > 0 && s->n <= 4) {
        r[2] = (uint8_t)(DOWNLOAD | access | EXPEDITED | SIZED | (4 - s->n) << 2);
        memcpy(r + 6, s->data, s->n);
        p->talk.done = s->n;
    } else if (s->write) {
        const uint32_t first = s->n < room ? s->n : room;
        r[2] = (uint8_t)(DOWNLOAD | access | SIZED);
        ff_put_u32(r + 6, s->n);
        memcpy(r + FIXED, s->data, first);
        p->talk.n = FIXED + first;
        p->talk.done = first;
    }
}

static ff_sdo_progress refuse(ff_master_peer *p, const char *why)
{
    ff_ec_sdo *s = p->sdo;
    s->state = FF_EC_SDO_REFUSED;
    snprintf(s->why, sizeof s->why, "object %04X:%02X: %s", s->index, s->sub, why);
    return FF_SDO_OVER;
}

static ff_sdo_progress finish(ff_master_peer *p)
{
    p->sdo->state = FF_EC_SDO_DONE;
    return FF_SDO_OVER;
}

// ------------------------------------------------------------------------------------------ to the slave

static ff_sdo_progress send_segment(ff_master_peer *p)
{
    const ff_ec_sdo *s = p->sdo;
    const uint32_t left = s->n - p->talk.done, room = p->says.mailbox[1] - HEAD - 3U, n = left < room ? left : room;
    const unsigned unused = n < 7 ? (7 - n) << 1 : 0;
    uint8_t *r = begin_request(p, SEGMENT_DOWN | (p->talk.toggle ? TOGGLE : 0) | unused | (n == left));
    memcpy(r + 3, s->data + p->talk.done, n);
    if (n + 3 > FIXED) p->talk.n = n + 3;
    p->talk.done += n;
    return FF_SDO_GOES_ON;
}

static ff_sdo_progress take_download(ff_master_peer *p, const uint8_t *answer)
{
    const bool segment = (p->talk.request[2] & 0xE0) == SEGMENT_DOWN;
    if (segment) {
        if ((answer[2] & 0xE0) != SEGMENT_DOWN_ANSWER) return FF_SDO_STRANGE;
        if (((answer[2] & TOGGLE) != 0) != p->talk.toggle) return refuse(p, "a segment was confirmed twice");
        p->talk.toggle = !p->talk.toggle;
    } else if ((answer[2] & 0xE0) != DOWNLOAD_ANSWER)
        return FF_SDO_STRANGE;
    return p->talk.done < p->sdo->n ? send_segment(p) : finish(p);
}

// ------------------------------------------------------------------------------------------ from the slave

static ff_sdo_progress ask_segment(ff_master_peer *p)
{
    begin_request(p, SEGMENT_UP | (p->talk.toggle ? TOGGLE : 0));
    return FF_SDO_GOES_ON;
}

static bool append(ff_master_peer *p, const uint8_t *data, unsigned n)
{
    if (p->talk.done + n > sizeof p->sdo->data || p->talk.done + n > p->sdo->n) return false;
    memcpy(p->sdo->data + p->talk.done, data, n);
    p->talk.done += n;
    return true;
}

static ff_sdo_progress take_first(ff_master_peer *p, const uint8_t *answer, unsigned n)
{
    const unsigned command = answer[2];
    if ((command & 0xE0) != UPLOAD_ANSWER) return FF_SDO_STRANGE;
    if (command & EXPEDITED) {
        p->sdo->n = command & SIZED ? 4 - (command >> 2 & 3) : 4;
        memcpy(p->sdo->data, answer + 6, p->sdo->n);
        return finish(p);
    }
    p->sdo->n = ff_get_u32(answer + 6);
    if (p->sdo->n > sizeof p->sdo->data) return refuse(p, "it is longer than this master reads");
    const unsigned there = n - FIXED < p->sdo->n ? n - FIXED : p->sdo->n;
    append(p, answer + FIXED, there);
    return p->talk.done < p->sdo->n ? ask_segment(p) : finish(p);
}

static ff_sdo_progress take_segment(ff_master_peer *p, const uint8_t *answer, unsigned n)
{
    const unsigned command = answer[2];
    if ((command & 0xE0) != 0) return FF_SDO_STRANGE;
    if (((command & TOGGLE) != 0) != p->talk.toggle) return refuse(p, "a segment came twice");
    const unsigned there = n > FIXED ? n - 3 : 7 - (command >> 1 & 7);
    if (!append(p, answer + 3, there)) return refuse(p, "segments are longer than they should be together");
    p->talk.toggle = !p->talk.toggle;
    if (!(command & 1)) return ask_segment(p);
    return p->talk.done == p->sdo->n ? finish(p) : refuse(p, "segments end too early");
}

// ------------------------------------------------------------------------------------------ both

ff_sdo_progress ff_sdo_take(ff_master_peer *p, const uint8_t *answer, unsigned n)
{
    const unsigned service = ff_get_u16(answer) >> 12;
    if (n < FIXED) return FF_SDO_STRANGE;
    const bool same = memcmp(answer + 3, p->talk.request + 3, 3) == 0; // index and subindex
    const bool segments = !p->sdo->write ? p->talk.request[2] & 0x20 : (p->talk.request[2] & 0xE0) == SEGMENT_DOWN;
    if (answer[2] == ABORT && (service == REQUEST || service == RESPONSE)) {
        char text[100];
        const uint32_t code = ff_get_u32(answer + 6);
        if (!same && !segments) return FF_SDO_STRANGE;
        snprintf(text, sizeof text, "%s (abort code %08lX)", ff_ec_abort_words(code), (unsigned long)code);
        return refuse(p, text);
    }
    if (service != RESPONSE || (!segments && !same)) return FF_SDO_STRANGE;
    if (p->sdo->write) return take_download(p, answer);
    return segments ? take_segment(p, answer, n) : take_first(p, answer, n);
}
