// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The mailbox of a slave. Frames get lost on either side of it:
// - A request is written again with the same counter: a slave that has it already does not execute it twice. Where the
//   mailbox is full, the answer is looked for first: a second copy of the request may wait there until it is read.
// - An answer that was read and got lost on its way is asked for again, by the repeat bit of sync manager 1, which the
//   slave acknowledges. Without that a lost answer would pass for none, and a later one for it: so masters were seen to
//   reach OP with a wrong length of process data and a matching working counter.
//
//     write -> poll -> read -> (the next request, or the end)
//               ^       | lost
//               '-- acknowledge <- repeat
#include "master/inside.h"

enum {
    HEAD = 6,
    COE = 3,
    ERROR_REPLY = 0,
    EMERGENCY = 1,
    SM1 = FF_EC_REG_SM + 8,
    AT_STATUS = 5,
    AT_ACTIVATE = 6,
    AT_PDI = 7,
};

static void begin_request(ff_master_peer *p)
{
    p->talk.phase = FF_TALK_WRITE;
    p->talk.waits = true;
    p->talk.written = false;
    p->talk.counter = (uint8_t)(p->talk.counter % 7 + 1);
}

void ff_master_talk_begin(ff_master_peer *p)
{
    p->talk.phase = FF_TALK_POLL;
    p->talk.waits = false;
    if (!p->sdo) return;
    p->sdo->state = FF_EC_SDO_WAITS;
    ff_sdo_begin(p);
    begin_request(p);
}

void ff_master_talk_ask(ff_master_peer *p, ff_master_ask *a)
{
    ff_master_talk *t = &p->talk;
    switch (t->phase) {
    case FF_TALK_WRITE: {
        uint8_t *to = ff_ask_write(p, a, p->says.mailbox[0], p->says.mailbox[1]);
        ff_put_u16(to, (uint16_t)t->n);
        to[5] = (uint8_t)(COE | t->counter << 4);
        memcpy(to + HEAD, t->request, t->n);
        break;
    }
    case FF_TALK_READ:
        ff_ask_read(p, a, p->says.mailbox[2], p->says.mailbox[3]);
        break;
    case FF_TALK_REPEAT:
        ff_ask_write(p, a, SM1 + AT_ACTIVATE, 1)[0] = t->activate ^ FF_EC_SM_REPEAT;
        break;
    default: // both want to see the registers of sync manager 1
        ff_ask_read(p, a, SM1, 8);
    }
}

// ------------------------------------------------------------------------------------------ what was read

static void note_emergency(ff_master_peer *p, const uint8_t *message)
{
    ff_ec_emergency *e = &p->found.emergency;
    e->code = ff_get_u16(message + 2);
    e->error = message[4];
    memcpy(e->data, message + 5, 5);
    e->count++;
    p->master->counts.emergencies++;
    ff_master_note(p, "emergency %04X: %s", e->code, ff_ec_emergency_words(e->code));
}

static ff_master_verdict refuse(ff_master_peer *p, unsigned code)
{
    static const char *const words[] = {
        "unknown",        "syntax",    "protocol not supported", "channel",   "service not supported",
        "invalid header", "too short", "out of memory",          "wrong size"};
    return ff_peer_fail(p, "its mailbox refuses a request: %s (mailbox error %u)",
                        words[code < sizeof words / sizeof *words ? code : 0], code);
}

static ff_master_verdict take_message(ff_master_peer *p, const uint8_t *message)
{
    const unsigned n = ff_get_u16(message), type = message[5] & 0x0F;
    p->talk.phase = FF_TALK_POLL;
    if (n + HEAD > p->says.mailbox[3]) return FF_VERDICT_AGAIN; // no message: the answer may still come
    if (type == ERROR_REPLY && n >= 4 && p->talk.waits) return refuse(p, ff_get_u16(message + HEAD + 2));
    if (type != COE || n < 2) return FF_VERDICT_AGAIN;
    if (ff_get_u16(message + HEAD) >> 12 == EMERGENCY) {
        if (n >= 10) note_emergency(p, message + HEAD);
        return FF_VERDICT_AGAIN;
    }
    if (!p->talk.waits || !p->sdo) return FF_VERDICT_AGAIN;
    switch (ff_sdo_take(p, message + HEAD, n)) {
    case FF_SDO_GOES_ON:
        begin_request(p);
        return FF_VERDICT_STAY;
    case FF_SDO_OVER:
        return FF_VERDICT_NEXT;
    default:
        return FF_VERDICT_AGAIN;
    }
}

ff_master_verdict ff_master_talk_take(ff_master_peer *p, int counter, const uint8_t *data)
{
    ff_master_talk *t = &p->talk;
    if (t->phase == FF_TALK_READ && counter < 0) {
        p->master->counts.repeats++;
        t->phase = FF_TALK_REPEAT;
        return FF_VERDICT_AGAIN;
    }
    if (counter < 0) return FF_VERDICT_AGAIN;
    if (counter == 0 && !t->waits && t->phase != FF_TALK_READ)
        return FF_VERDICT_NEXT; // it is gone: who watches it says so
    switch (t->phase) {
    case FF_TALK_WRITE:
        t->written = counter > 0;
        t->phase = FF_TALK_POLL;
        return FF_VERDICT_AGAIN;
    case FF_TALK_POLL:
        if (counter < 1) return FF_VERDICT_AGAIN;
        t->activate = data[AT_ACTIVATE];
        if (data[AT_STATUS] & FF_EC_SM_STATUS_FULL)
            t->phase = FF_TALK_READ;
        else if (t->waits && !t->written)
            t->phase = FF_TALK_WRITE;
        return t->phase == FF_TALK_READ || t->waits ? FF_VERDICT_AGAIN : FF_VERDICT_NEXT;
    case FF_TALK_READ:
        if (counter > 0) return take_message(p, data);
        t->phase = FF_TALK_POLL; // it was empty
        return FF_VERDICT_AGAIN;
    case FF_TALK_REPEAT:
        if (counter > 0) t->phase = FF_TALK_ACKNOWLEDGE;
        return FF_VERDICT_AGAIN;
    default:
        if (counter > 0 && !((data[AT_ACTIVATE] ^ data[AT_PDI]) & FF_EC_SM_REPEAT)) t->phase = FF_TALK_POLL;
        return FF_VERDICT_AGAIN;
    }
}
