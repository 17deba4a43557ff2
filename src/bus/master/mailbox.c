// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The mailbox of a slave. A frame can be lost before or after it reaches the slave:
// - A request is written again with the same counter, so that a slave that has received it does not execute it twice.
//   If the mailbox is full, the response is read first: a second copy of the request may wait there until it is read.
// - A response that was read and lost is requested again by the repeat bit of sync manager 1, which the slave
//   acknowledges. Otherwise a later response would be taken for the lost one: in tests a master reached OP with a wrong
//   length of process data and a matching working counter.
//
//     write -> poll -> read -> (the next request, or the end)
//               ^       | lost
//               '-- acknowledge <- repeat
#include "master/internal.h"

#include <stdio.h>

// ------------------------------------------------------------------------------------------ SDO transfers

// A transfer is a sequence of requests and responses in the mailbox. Up to four bytes are transferred expedited. More
// bytes follow their length in the first message, and in segments where they do not fit there.
// ETG.1000.6, 5.6.2; CiA 301.

typedef enum sdo_progress { SDO_CONTINUES, SDO_FINISHED, SDO_UNEXPECTED } sdo_progress;

static uint8_t *make_request(ff_master_slave *p, unsigned command)
{
    memset(p->mailbox.request, 0, sizeof p->mailbox.request);
    ff_put_u16(p->mailbox.request + FF_EC_AT_SERVICE, FF_EC_COE_REQUEST << 12);
    p->mailbox.request[FF_EC_AT_COMMAND] = (uint8_t)command;
    p->mailbox.n = FF_EC_SDO_LENGTH;
    return p->mailbox.request;
}

/// Makes the first request of p->sdo.
static void begin_transfer(ff_master_slave *p)
{
    const ff_ec_sdo *s = p->sdo;
    const unsigned access = s->complete ? FF_EC_SDO_COMPLETE : 0;
    const unsigned room = p->sii.mailbox[1] - FF_EC_AT_NORMAL;
    uint8_t *r = make_request(p, FF_EC_SDO_UPLOAD | access);
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

static sdo_progress fail_transfer(ff_master_slave *p, const char *why)
{
    ff_ec_sdo *s = p->sdo;
    s->state = FF_EC_SDO_FAILED;
    snprintf(s->error, sizeof s->error, "object %04X:%02X: %s", s->index, s->sub, why);
    return SDO_FINISHED;
}

static sdo_progress finish(ff_master_slave *p)
{
    p->sdo->state = FF_EC_SDO_DONE;
    return SDO_FINISHED;
}

// ------------------------------------------------------------------------------------------ download

static sdo_progress send_segment(ff_master_slave *p)
{
    const ff_ec_sdo *s = p->sdo;
    const uint32_t left = s->n - p->mailbox.done, room = (uint32_t)p->sii.mailbox[1] - FF_EC_AT_SEGMENT,
                   n = left < room ? left : room;
    const unsigned unused = n < 7 ? (7 - n) << 1 : 0;
    uint8_t *r =
        make_request(p, FF_EC_SDO_DOWNLOAD_SEGMENT | (p->mailbox.toggle ? FF_EC_SDO_TOGGLE : 0) | unused | (n == left));
    memcpy(r + FF_EC_AT_SEGMENT, s->data + p->mailbox.done, n);
    if (n + 3 > FF_EC_SDO_LENGTH) p->mailbox.n = n + 3;
    p->mailbox.done += n;
    return SDO_CONTINUES;
}

static sdo_progress handle_download(ff_master_slave *p, const uint8_t *answer)
{
    const bool segment = (p->mailbox.request[FF_EC_AT_COMMAND] & FF_EC_SDO_COMMAND) == FF_EC_SDO_DOWNLOAD_SEGMENT;
    if (segment) {
        if ((answer[FF_EC_AT_COMMAND] & FF_EC_SDO_COMMAND) != FF_EC_SDO_DOWNLOADED_SEGMENT) return SDO_UNEXPECTED;
        if (((answer[FF_EC_AT_COMMAND] & FF_EC_SDO_TOGGLE) != 0) != p->mailbox.toggle)
            return fail_transfer(p, "a segment was acknowledged twice");
        p->mailbox.toggle = !p->mailbox.toggle;
    } else if ((answer[FF_EC_AT_COMMAND] & FF_EC_SDO_COMMAND) != FF_EC_SDO_DOWNLOADED)
        return SDO_UNEXPECTED;
    return p->mailbox.done < p->sdo->n ? send_segment(p) : finish(p);
}

// ------------------------------------------------------------------------------------------ upload

static sdo_progress request_segment(ff_master_slave *p)
{
    make_request(p, FF_EC_SDO_UPLOAD_SEGMENT | (p->mailbox.toggle ? FF_EC_SDO_TOGGLE : 0));
    return SDO_CONTINUES;
}

static bool append(ff_master_slave *p, const uint8_t *data, unsigned n)
{
    if (p->mailbox.done + n > sizeof p->sdo->data || p->mailbox.done + n > p->sdo->n) return false;
    memcpy(p->sdo->data + p->mailbox.done, data, n);
    p->mailbox.done += n;
    return true;
}

static sdo_progress handle_first(ff_master_slave *p, const uint8_t *answer, unsigned n)
{
    const unsigned command = answer[FF_EC_AT_COMMAND];
    if ((command & FF_EC_SDO_COMMAND) != FF_EC_SDO_UPLOADED) return SDO_UNEXPECTED;
    if (command & FF_EC_SDO_EXPEDITED) {
        p->sdo->n = command & FF_EC_SDO_SIZED ? 4 - (command >> 2 & 3) : 4;
        memcpy(p->sdo->data, answer + FF_EC_AT_DATA, p->sdo->n);
        return finish(p);
    }
    p->sdo->n = ff_get_u32(answer + FF_EC_AT_DATA);
    if (p->sdo->n > sizeof p->sdo->data) return fail_transfer(p, "it is longer than this master supports");
    const unsigned given = n - FF_EC_SDO_LENGTH < p->sdo->n ? n - FF_EC_SDO_LENGTH : p->sdo->n;
    append(p, answer + FF_EC_AT_NORMAL, given);
    return p->mailbox.done < p->sdo->n ? request_segment(p) : finish(p);
}

static sdo_progress handle_segment(ff_master_slave *p, const uint8_t *answer, unsigned n)
{
    const unsigned command = answer[FF_EC_AT_COMMAND];
    if ((command & FF_EC_SDO_COMMAND) != 0) return SDO_UNEXPECTED;
    if (((command & FF_EC_SDO_TOGGLE) != 0) != p->mailbox.toggle)
        return fail_transfer(p, "a segment was received twice");
    const unsigned given = n > FF_EC_SDO_LENGTH ? n - 3 : 7 - (command >> 1 & 7);
    if (!append(p, answer + FF_EC_AT_SEGMENT, given)) return fail_transfer(p, "the segments are longer than announced");
    p->mailbox.toggle = !p->mailbox.toggle;
    if (!(command & 1)) return request_segment(p);
    return p->mailbox.done == p->sdo->n ? finish(p) : fail_transfer(p, "the segments are shorter than announced");
}

// ------------------------------------------------------------------------------------------ responses

/// Handles a response, and makes the next request of a segmented transfer.
static sdo_progress handle_response(ff_master_slave *p, const uint8_t *answer, unsigned n)
{
    const unsigned service = ff_get_u16(answer + FF_EC_AT_SERVICE) >> 12;
    if (n < FF_EC_SDO_LENGTH) return SDO_UNEXPECTED;
    const bool same =
        memcmp(answer + FF_EC_AT_INDEX, p->mailbox.request + FF_EC_AT_INDEX, 3) == 0; // index and subindex
    const bool segments =
        !p->sdo->write ? p->mailbox.request[FF_EC_AT_COMMAND] & 0x20
                       : (p->mailbox.request[FF_EC_AT_COMMAND] & FF_EC_SDO_COMMAND) == FF_EC_SDO_DOWNLOAD_SEGMENT;
    if (answer[FF_EC_AT_COMMAND] == FF_EC_SDO_ABORT &&
        (service == FF_EC_COE_REQUEST || service == FF_EC_COE_RESPONSE)) {
        char text[100];
        const uint32_t code = ff_get_u32(answer + FF_EC_AT_DATA);
        if (!same && !segments) return SDO_UNEXPECTED;
        snprintf(text, sizeof text, "%s (abort code %08lX)", ff_ec_abort_text(code), (unsigned long)code);
        return fail_transfer(p, text);
    }
    if (service != FF_EC_COE_RESPONSE || (!segments && !same)) return SDO_UNEXPECTED;
    if (p->sdo->write) return handle_download(p, answer);
    return segments ? handle_segment(p, answer, n) : handle_first(p, answer, n);
}

// ------------------------------------------------------------------------------------------ mailbox

enum { SM1 = FF_EC_REG_SM + 8, AT_STATUS = 5, AT_ACTIVATE = 6, AT_PDI = 7 };

static void write_request(ff_master_slave *p)
{
    p->mailbox.phase = FF_MAILBOX_WRITE;
    p->mailbox.waiting = true;
    p->mailbox.request_written = false;
    p->mailbox.counter = (uint8_t)(p->mailbox.counter % 7 + 1);
}

void ff_mailbox_begin(ff_master_slave *p)
{
    p->mailbox.phase = FF_MAILBOX_POLL;
    p->mailbox.waiting = false;
    if (!p->sdo) return;
    p->sdo->state = FF_EC_SDO_PENDING;
    begin_transfer(p);
    write_request(p);
}

void ff_mailbox_request(ff_master_slave *p, ff_master_datagram *a)
{
    ff_master_mailbox *t = &p->mailbox;
    switch (t->phase) {
    case FF_MAILBOX_WRITE: {
        uint8_t *to = ff_request_write(p, a, p->sii.mailbox[0], p->sii.mailbox[1]);
        memcpy(to, t->request, FF_EC_MAILBOX_HEAD + t->n);
        ff_put_u16(to, (uint16_t)t->n);
        to[5] = (uint8_t)(FF_EC_MAILBOX_COE | t->counter << 4);
        break;
    }
    case FF_MAILBOX_READ:
        ff_request_read(p, a, p->sii.mailbox[2], p->sii.mailbox[3]);
        break;
    case FF_MAILBOX_REPEAT:
        ff_request_write(p, a, SM1 + AT_ACTIVATE, 1)[0] = t->activate ^ FF_EC_SM_REPEAT;
        break;
    default: // both phases read the registers of sync manager 1
        ff_request_read(p, a, SM1, 8);
    }
}

// ------------------------------------------------------------------------------------------ messages

static void record_emergency(ff_master_slave *p, const uint8_t *message)
{
    ff_ec_emergency *e = &p->info.emergency;
    e->code = ff_get_u16(message + 2);
    e->error = message[4];
    memcpy(e->data, message + 5, 5);
    e->count++;
    p->master->counts.emergencies++;
    ff_event_log_add(p, "emergency %04X: %s", e->code, ff_ec_emergency_text(e->code));
}

static ff_step_result handle_refusal(ff_master_slave *p, unsigned code)
{
    static const char *const words[] = {
        "unknown",        "syntax",    "protocol not supported", "channel",   "service not supported",
        "invalid header", "too short", "out of memory",          "wrong size"};
    return ff_slave_fail(p, "its mailbox refuses a request: %s (mailbox error %u)",
                         words[code < sizeof words / sizeof *words ? code : 0], code);
}

static ff_step_result handle_message(ff_master_slave *p, const uint8_t *message)
{
    const unsigned n = ff_get_u16(message), type = message[5] & 0x0F;
    p->mailbox.phase = FF_MAILBOX_POLL;
    if (n + FF_EC_MAILBOX_HEAD > p->sii.mailbox[3])
        return FF_STEP_RETRY; // no valid message: the response may still come
    if (type == FF_EC_MAILBOX_ERROR && n >= 4 && p->mailbox.waiting)
        return handle_refusal(p, ff_get_u16(message + FF_EC_MAILBOX_HEAD + 2));
    if (type != FF_EC_MAILBOX_COE || n < 2) return FF_STEP_RETRY;
    if (ff_get_u16(message + FF_EC_AT_SERVICE) >> 12 == FF_EC_COE_EMERGENCY) {
        if (n >= 10) record_emergency(p, message + FF_EC_MAILBOX_HEAD);
        return FF_STEP_RETRY;
    }
    if (!p->mailbox.waiting || !p->sdo) return FF_STEP_RETRY;
    switch (handle_response(p, message, n)) {
    case SDO_CONTINUES:
        write_request(p);
        return FF_STEP_REPEAT;
    case SDO_FINISHED:
        return FF_STEP_NEXT;
    default:
        return FF_STEP_RETRY;
    }
}

ff_step_result ff_mailbox_handle(ff_master_slave *p, int counter, const uint8_t *data)
{
    ff_master_mailbox *t = &p->mailbox;
    if (t->phase == FF_MAILBOX_READ && counter < 0) {
        p->master->counts.mailbox_repeats++;
        t->phase = FF_MAILBOX_REPEAT;
        return FF_STEP_RETRY;
    }
    if (counter < 0) return FF_STEP_RETRY;
    if (counter == 0 && !t->waiting && t->phase != FF_MAILBOX_READ)
        return FF_STEP_NEXT; // the supervision reports the missing slave
    switch (t->phase) {
    case FF_MAILBOX_WRITE:
        t->request_written = counter > 0;
        t->phase = FF_MAILBOX_POLL;
        return FF_STEP_RETRY;
    case FF_MAILBOX_POLL:
        if (counter < 1) return FF_STEP_RETRY;
        t->activate = data[AT_ACTIVATE];
        if (data[AT_STATUS] & FF_EC_SM_STATUS_FULL)
            t->phase = FF_MAILBOX_READ;
        else if (t->waiting && !t->request_written)
            t->phase = FF_MAILBOX_WRITE;
        return t->phase == FF_MAILBOX_READ || t->waiting ? FF_STEP_RETRY : FF_STEP_NEXT;
    case FF_MAILBOX_READ:
        if (counter > 0) return handle_message(p, data);
        t->phase = FF_MAILBOX_POLL; // the mailbox was empty
        return FF_STEP_RETRY;
    case FF_MAILBOX_REPEAT:
        if (counter > 0) t->phase = FF_MAILBOX_ACKNOWLEDGE;
        return FF_STEP_RETRY;
    default:
        if (counter > 0 && !((data[AT_ACTIVATE] ^ data[AT_PDI]) & FF_EC_SM_REPEAT)) t->phase = FF_MAILBOX_POLL;
        return FF_STEP_RETRY;
    }
}
