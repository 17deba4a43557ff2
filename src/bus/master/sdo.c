// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// SDO transfers as requests and responses of the mailbox. Up to four bytes are transferred expedited, more behind their
// length, and what does not fit there in segments. ETG.1000.6, 5.6.2; CiA 301.
#include "master/internal.h"

#include <stdio.h>

static uint8_t *begin_request(ff_master_slave *p, unsigned command)
{
    memset(p->mailbox.request, 0, sizeof p->mailbox.request);
    ff_put_u16(p->mailbox.request + FF_EC_AT_SERVICE, FF_EC_COE_REQUEST << 12);
    p->mailbox.request[FF_EC_AT_COMMAND] = (uint8_t)command;
    p->mailbox.n = FF_EC_SDO_LENGTH;
    return p->mailbox.request;
}

void ff_sdo_begin(ff_master_slave *p)
{
    const ff_ec_sdo *s = p->sdo;
    const unsigned access = s->complete ? FF_EC_SDO_COMPLETE : 0;
    const unsigned room = p->sii.mailbox[1] - FF_EC_AT_NORMAL;
    uint8_t *r = begin_request(p, FF_EC_SDO_UPLOAD | access);
    p->mailbox.toggle = false;
    p->mailbox.done = 0;
    ff_put_u16(r + FF_EC_AT_INDEX, s->index);
    r[FF_EC_AT_SUB] = s->sub;
    if (s->write && s->n > 0 && s->n <= 4) {
        r[FF_EC_AT_COMMAND] =
            (uint8_t)(FF_EC_SDO_DOWNLOAD | access | FF_EC_SDO_EXPEDITED | FF_EC_SDO_SIZED | (4 - s->n) << 2);
        memcpy(r + FF_EC_AT_DATA, s->data, s->n);
        p->mailbox.done = s->n;
    } else if (s->write) {
        const uint32_t first = s->n < room ? s->n : room;
        r[FF_EC_AT_COMMAND] = (uint8_t)(FF_EC_SDO_DOWNLOAD | access | FF_EC_SDO_SIZED);
        ff_put_u32(r + FF_EC_AT_DATA, s->n);
        memcpy(r + FF_EC_AT_NORMAL, s->data, first);
        p->mailbox.n = FF_EC_SDO_LENGTH + first;
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
    const uint32_t left = s->n - p->mailbox.done, room = (uint32_t)p->sii.mailbox[1] - FF_EC_AT_SEGMENT,
                   n = left < room ? left : room;
    const unsigned unused = n < 7 ? (7 - n) << 1 : 0;
    uint8_t *r = begin_request(p, FF_EC_SDO_DOWNLOAD_SEGMENT | (p->mailbox.toggle ? FF_EC_SDO_TOGGLE : 0) | unused |
                                      (n == left));
    memcpy(r + FF_EC_AT_SEGMENT, s->data + p->mailbox.done, n);
    if (n + 3 > FF_EC_SDO_LENGTH) p->mailbox.n = n + 3;
    p->mailbox.done += n;
    return FF_SDO_CONTINUES;
}

static ff_sdo_progress handle_download(ff_master_slave *p, const uint8_t *answer)
{
    const bool segment = (p->mailbox.request[FF_EC_AT_COMMAND] & FF_EC_SDO_COMMAND) == FF_EC_SDO_DOWNLOAD_SEGMENT;
    if (segment) {
        if ((answer[FF_EC_AT_COMMAND] & FF_EC_SDO_COMMAND) != FF_EC_SDO_DOWNLOADED_SEGMENT) return FF_SDO_UNEXPECTED;
        if (((answer[FF_EC_AT_COMMAND] & FF_EC_SDO_TOGGLE) != 0) != p->mailbox.toggle)
            return refuse(p, "a segment was acknowledged twice");
        p->mailbox.toggle = !p->mailbox.toggle;
    } else if ((answer[FF_EC_AT_COMMAND] & FF_EC_SDO_COMMAND) != FF_EC_SDO_DOWNLOADED)
        return FF_SDO_UNEXPECTED;
    return p->mailbox.done < p->sdo->n ? send_segment(p) : finish(p);
}

// ------------------------------------------------------------------------------------------ upload

static ff_sdo_progress request_segment(ff_master_slave *p)
{
    begin_request(p, FF_EC_SDO_UPLOAD_SEGMENT | (p->mailbox.toggle ? FF_EC_SDO_TOGGLE : 0));
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
    const unsigned command = answer[FF_EC_AT_COMMAND];
    if ((command & FF_EC_SDO_COMMAND) != FF_EC_SDO_UPLOADED) return FF_SDO_UNEXPECTED;
    if (command & FF_EC_SDO_EXPEDITED) {
        p->sdo->n = command & FF_EC_SDO_SIZED ? 4 - (command >> 2 & 3) : 4;
        memcpy(p->sdo->data, answer + FF_EC_AT_DATA, p->sdo->n);
        return finish(p);
    }
    p->sdo->n = ff_get_u32(answer + FF_EC_AT_DATA);
    if (p->sdo->n > sizeof p->sdo->data) return refuse(p, "it is longer than this master supports");
    const unsigned there = n - FF_EC_SDO_LENGTH < p->sdo->n ? n - FF_EC_SDO_LENGTH : p->sdo->n;
    append(p, answer + FF_EC_AT_NORMAL, there);
    return p->mailbox.done < p->sdo->n ? request_segment(p) : finish(p);
}

static ff_sdo_progress handle_segment(ff_master_slave *p, const uint8_t *answer, unsigned n)
{
    const unsigned command = answer[FF_EC_AT_COMMAND];
    if ((command & FF_EC_SDO_COMMAND) != 0) return FF_SDO_UNEXPECTED;
    if (((command & FF_EC_SDO_TOGGLE) != 0) != p->mailbox.toggle) return refuse(p, "a segment was received twice");
    const unsigned there = n > FF_EC_SDO_LENGTH ? n - 3 : 7 - (command >> 1 & 7);
    if (!append(p, answer + FF_EC_AT_SEGMENT, there)) return refuse(p, "the segments are longer than announced");
    p->mailbox.toggle = !p->mailbox.toggle;
    if (!(command & 1)) return request_segment(p);
    return p->mailbox.done == p->sdo->n ? finish(p) : refuse(p, "the segments are shorter than announced");
}

// ------------------------------------------------------------------------------------------ responses

ff_sdo_progress ff_sdo_handle(ff_master_slave *p, const uint8_t *answer, unsigned n)
{
    const unsigned service = ff_get_u16(answer + FF_EC_AT_SERVICE) >> 12;
    if (n < FF_EC_SDO_LENGTH) return FF_SDO_UNEXPECTED;
    const bool same =
        memcmp(answer + FF_EC_AT_INDEX, p->mailbox.request + FF_EC_AT_INDEX, 3) == 0; // index and subindex
    const bool segments =
        !p->sdo->write ? p->mailbox.request[FF_EC_AT_COMMAND] & 0x20
                       : (p->mailbox.request[FF_EC_AT_COMMAND] & FF_EC_SDO_COMMAND) == FF_EC_SDO_DOWNLOAD_SEGMENT;
    if (answer[FF_EC_AT_COMMAND] == FF_EC_SDO_ABORT &&
        (service == FF_EC_COE_REQUEST || service == FF_EC_COE_RESPONSE)) {
        char text[100];
        const uint32_t code = ff_get_u32(answer + FF_EC_AT_DATA);
        if (!same && !segments) return FF_SDO_UNEXPECTED;
        snprintf(text, sizeof text, "%s (abort code %08lX)", ff_ec_abort_text(code), (unsigned long)code);
        return refuse(p, text);
    }
    if (service != FF_EC_COE_RESPONSE || (!segments && !same)) return FF_SDO_UNEXPECTED;
    if (p->sdo->write) return handle_download(p, answer);
    return segments ? handle_segment(p, answer, n) : handle_first(p, answer, n);
}
