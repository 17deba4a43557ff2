// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The mailbox: requests by sync manager 0, responses by sync manager 1. A frame can be lost before or behind a slave:
// - A request that is received twice, with the same counter, is executed once.
// - A response that was read and lost is put into the mailbox again when the master requests it (repeat request and
//   acknowledge of sync manager 1). It is the last one that was read, unless another request was received since, which
//   shows that the master has got the response.
// Responses wait in a ring; the one before its head was read last.
#include "slave/slave.h"

enum { REQUESTS = 0, ANSWERS = 1, ACTIVATE = 6, PDI_CONTROL = 7, RESERVED_ANSWERS = 2 };

void ff_ec_mailbox_clear(ff_ec_slave *slave)
{
    memset(&slave->mailbox, 0, sizeof slave->mailbox);
    ff_ec_sm_set_full(&slave->esc, REQUESTS, false);
    ff_ec_sm_set_full(&slave->esc, ANSWERS, false);
}

uint8_t *ff_ec_mailbox_begin(ff_ec_slave *slave)
{
    ff_ec_mailbox *m = &slave->mailbox;
    if (m->tail - m->head >= FF_EC_ANSWERS - 1) return NULL;
    uint8_t *message = m->answers[m->tail % FF_EC_ANSWERS];
    memset(message, 0, FF_EC_MAILBOX_SIZE);
    return message;
}

/// Puts the oldest waiting response into the mailbox, if that is empty.
static void load_response(ff_ec_slave *slave)
{
    ff_ec_mailbox *m = &slave->mailbox;
    if (m->head_in_mailbox || m->head == m->tail) return;
    memcpy(slave->esc.memory + FF_EC_MAILBOX_IN, m->answers[m->head % FF_EC_ANSWERS], FF_EC_MAILBOX_SIZE);
    ff_ec_sm_set_full(&slave->esc, ANSWERS, true);
    m->head_in_mailbox = true;
}

void ff_ec_mailbox_send(ff_ec_slave *slave, unsigned length, unsigned type)
{
    ff_ec_mailbox *m = &slave->mailbox;
    uint8_t *message = m->answers[m->tail % FF_EC_ANSWERS];
    m->counter = (uint8_t)(m->counter % 7 + 1);
    ff_put_u16(message, (uint16_t)length);
    message[5] = (uint8_t)(type | (unsigned)m->counter << 4);
    m->tail++;
    load_response(slave);
}

void ff_ec_mailbox_refuse(ff_ec_slave *slave, unsigned why)
{
    uint8_t *message = ff_ec_mailbox_begin(slave);
    if (!message) return;
    ff_put_u16(message + FF_EC_MAILBOX_HEAD, 1);
    ff_put_u16(message + FF_EC_MAILBOX_HEAD + 2, (uint16_t)why);
    ff_ec_mailbox_send(slave, 4, FF_EC_MAILBOX_ERROR);
}

static void check_read(ff_ec_slave *slave)
{
    ff_ec_mailbox *m = &slave->mailbox;
    ff_ec_sm *sm = &slave->esc.sm[ANSWERS];
    if (sm->was_read && m->head_in_mailbox) {
        m->head++;
        m->head_in_mailbox = false;
        m->repeatable = true;
    }
    sm->was_read = false;
}

static void repeat(ff_ec_slave *slave)
{
    ff_ec_mailbox *m = &slave->mailbox;
    uint8_t *at = slave->esc.memory + FF_EC_REG_SM + 8 * ANSWERS;
    if (!((at[ACTIVATE] ^ at[PDI_CONTROL]) & FF_EC_SM_REPEAT)) return;
    if (m->repeatable) {
        m->head--;
        m->head_in_mailbox = false; // also if the next one was there already: that one is sent later
        m->repeatable = false;
        load_response(slave);
    }
    at[PDI_CONTROL] ^= FF_EC_SM_REPEAT;
}

static void execute(ff_ec_slave *slave)
{
    ff_ec_mailbox *m = &slave->mailbox;
    uint8_t request[FF_EC_MAILBOX_SIZE];
    memcpy(request, slave->esc.memory + FF_EC_MAILBOX_OUT, FF_EC_MAILBOX_SIZE);
    ff_ec_sm_set_full(&slave->esc, REQUESTS, false);
    const unsigned length = ff_get_u16(request), type = request[5] & 0x0F;
    const uint8_t counter = request[5] >> 4 & 7;
    if (counter && counter == m->last_request) return; // a repeated request
    m->last_request = counter;
    m->repeatable = false;
    if (length > FF_EC_MAILBOX_SIZE - FF_EC_MAILBOX_HEAD)
        ff_ec_mailbox_refuse(slave, FF_EC_MAILBOX_TOO_LONG);
    else if (type != FF_EC_MAILBOX_COE)
        ff_ec_mailbox_refuse(slave, FF_EC_MAILBOX_PROTOCOL);
    else if (length < 8) // a CoE header and the shortest service
        ff_ec_mailbox_refuse(slave, FF_EC_MAILBOX_SHORT);
    else
        ff_ec_coe_request(slave, request, length);
}

/// A request is handled once all responses have been read, so that there is room for its responses.
void ff_ec_mailbox_serve(ff_ec_slave *slave)
{
    const ff_ec_mailbox *m = &slave->mailbox;
    if (slave->state == FF_EC_INIT || slave->station.device->passive) return;
    check_read(slave);
    repeat(slave);
    load_response(slave);
    if (slave->esc.sm[REQUESTS].full && m->head == m->tail) execute(slave);
}

bool ff_ec_mailbox_emergency(ff_ec_slave *slave, uint16_t code, const uint8_t data[5])
{
    const ff_ec_mailbox *m = &slave->mailbox;
    const unsigned bus = slave->bus_failed ? FF_EC_ERROR_GENERIC | FF_EC_ERROR_COMMUNICATION : 0;
    slave->common.error = (uint8_t)(slave->own_error | bus);
    if (slave->station.device->passive) return false;
    if (slave->state == FF_EC_INIT || m->tail - m->head >= FF_EC_ANSWERS - RESERVED_ANSWERS) return false;
    uint8_t *message = ff_ec_mailbox_begin(slave);
    ff_put_u16(message + 6, FF_EC_COE_EMERGENCY << 12);
    ff_put_u16(message + 8, code);
    message[10] = slave->common.error;
    memcpy(message + 11, data, 5);
    ff_ec_mailbox_send(slave, 10, FF_EC_MAILBOX_COE);
    return true;
}

bool ff_ec_station_emergency(ff_ec_segment *segment, int station, uint16_t code, uint8_t error, const uint8_t data[5])
{
    ff_ec_slave *slave = &segment->slaves[station];
    slave->own_error = error;
    return ff_ec_mailbox_emergency(slave, code, data);
}
