// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The mailbox of a slave. A frame can be lost before or after it reaches the slave:
// - A request is written again with the same counter, so that a slave that has received it does not execute it twice.
//   If the mailbox is full, the response is read first: a second copy of the request may wait there until it is read.
// - A response that was read and lost is requested again by the repeat bit of sync manager 1, which the slave
//   acknowledges. Without that, a lost response would count as none and a later one would be taken for it: masters were
//   seen to reach OP with a wrong length of process data and a matching working counter.
//
//     write -> poll -> read -> (the next request, or the end)
//               ^       | lost
//               '-- acknowledge <- repeat
#include "master/internal.h"

enum { SM1 = FF_EC_REG_SM + 8, AT_STATUS = 5, AT_ACTIVATE = 6, AT_PDI = 7 };

static void begin_request(ff_master_slave *p)
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
    ff_sdo_begin(p);
    begin_request(p);
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

static void note_emergency(ff_master_slave *p, const uint8_t *message)
{
    ff_ec_emergency *e = &p->found.emergency;
    e->code = ff_get_u16(message + 2);
    e->error = message[4];
    memcpy(e->data, message + 5, 5);
    e->count++;
    p->master->counts.emergencies++;
    ff_event_log_add(p, "emergency %04X: %s", e->code, ff_ec_emergency_text(e->code));
}

static ff_step_result refuse(ff_master_slave *p, unsigned code)
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
        return refuse(p, ff_get_u16(message + FF_EC_MAILBOX_HEAD + 2));
    if (type != FF_EC_MAILBOX_COE || n < 2) return FF_STEP_RETRY;
    if (ff_get_u16(message + FF_EC_AT_SERVICE) >> 12 == FF_EC_COE_EMERGENCY) {
        if (n >= 10) note_emergency(p, message + FF_EC_MAILBOX_HEAD);
        return FF_STEP_RETRY;
    }
    if (!p->mailbox.waiting || !p->sdo) return FF_STEP_RETRY;
    switch (ff_sdo_handle(p, message, n)) {
    case FF_SDO_CONTINUES:
        begin_request(p);
        return FF_STEP_REPEAT;
    case FF_SDO_FINISHED:
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
