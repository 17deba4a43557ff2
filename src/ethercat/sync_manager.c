// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sync managers: hand-over of memory between master and application.
//
// Mailbox: one buffer. Writing its last byte makes it full, reading its last byte makes it empty; a write while it is
// full, or a read while it is empty, reaches nothing.
//
// Three buffers: the bus, the application and "the newest complete one" own a buffer each. Whoever has filled its own
// swaps it with the newest; whoever wants to read swaps likewise. So both sides always have access, and none sees data
// that are half old, half new.
#include "ethercat/sync_manager.h"

enum { CONTROL = 4, STATUS = 5, ACTIVATE = 6, PDI_CONTROL = 7, NO_BUFFER = 3 };

static void swap(uint8_t *a, uint8_t *b)
{
    const uint8_t c = *a;
    *a = *b;
    *b = c;
}

static uint8_t *sm_register(ec_esc *esc, int number, int byte)
{
    return &esc->memory[EC_REG_SM + 8 * number + byte];
}

static void set_status_bits(ec_esc *esc, int number, int clear, int set)
{
    uint8_t *status = sm_register(esc, number, STATUS);
    *status = (uint8_t)((*status & ~clear) | set);
}

unsigned ec_sm_span(const ec_sm *sm)
{
    return !sm->enabled ? 0U : sm->mailbox ? sm->length : 3U * sm->length;
}

bool ec_sm_writable(const ec_esc *esc, unsigned address)
{
    const unsigned byte = (address - EC_REG_SM) % 8;
    const ec_sm *sm = &esc->sm[(address - EC_REG_SM) / 8];
    return byte == ACTIVATE || (byte <= CONTROL && !sm->enabled);
}

void ec_sm_set_full(ec_esc *esc, int number, bool full)
{
    ec_sm *sm = &esc->sm[number];
    sm->full = full;
    set_status_bits(esc, number, EC_SM_STATUS_FULL, full ? EC_SM_STATUS_FULL : 0);
    if (sm->master_writes) return;
    const uint16_t bit = (uint16_t)(EC_EVENT_SM << number), events = ec_reg16(esc, EC_REG_EVENT);
    ff_put_u16(esc->memory + EC_REG_EVENT, (uint16_t)(full ? events | bit : events & ~bit));
}

void ec_sm_decode(ec_esc *esc, int number)
{
    ec_sm *sm = &esc->sm[number];
    const uint8_t *at = sm_register(esc, number, 0);
    const bool was_enabled = sm->enabled;
    sm->start = ff_get_u16(at);
    sm->length = ff_get_u16(at + 2);
    sm->control = at[CONTROL];
    sm->enabled = (at[ACTIVATE] & EC_SM_ENABLE) && sm->start >= EC_REG_END && !(at[PDI_CONTROL] & 1);
    sm->mailbox = (sm->control & EC_SM_MODE) == EC_SM_MAILBOX;
    sm->master_writes = sm->control & EC_SM_MASTER_WRITES;
    if (sm->enabled && sm->start + ec_sm_span(sm) > EC_MEMORY) sm->enabled = false;
    if (sm->enabled == was_enabled) return;
    esc->nsm = 0;
    for (int k = 0; k < EC_SMS; k++)
        if (esc->sm[k].enabled) esc->nsm = k + 1;
    sm->bus = 0, sm->last = 1, sm->free = 2;
    sm->fresh = sm->was_read = false;
    set_status_bits(esc, number, 0xFF, sm->enabled && !sm->mailbox ? NO_BUFFER << 4 : 0);
    ec_sm_set_full(esc, number, false);
}

static uint8_t *buffer(ec_esc *esc, const ec_sm *sm, int which)
{
    return esc->memory + sm->start + which * sm->length;
}

static void complete(ec_esc *esc, int number, uint8_t *owner)
{
    ec_sm *sm = &esc->sm[number];
    set_status_bits(esc, number, 0x30, *owner << 4);
    swap(owner, &sm->last);
    sm->fresh = true;
}

bool ec_sm_read(ec_esc *esc, int number, unsigned address, uint8_t *to, unsigned n)
{
    ec_sm *sm = &esc->sm[number];
    const unsigned offset = address - sm->start;
    if (sm->master_writes || offset >= sm->length || (sm->mailbox && !sm->full)) return false;
    if (n > sm->length - offset) n = sm->length - offset;
    if (!sm->mailbox && offset == 0 && sm->fresh) {
        swap(&sm->bus, &sm->last);
        sm->fresh = false;
    }
    memcpy(to, buffer(esc, sm, sm->mailbox ? 0 : sm->bus) + offset, n);
    if (offset + n < sm->length) return true;
    set_status_bits(esc, number, EC_SM_STATUS_WRITTEN, EC_SM_STATUS_READ);
    if (sm->mailbox) {
        ec_sm_set_full(esc, number, false);
        sm->was_read = true;
        esc->work |= EC_WORK_MAILBOX;
    }
    return true;
}

uint8_t *ec_sm_open(ec_esc *esc, int number, unsigned address, unsigned *n)
{
    const ec_sm *sm = &esc->sm[number];
    const unsigned offset = address - sm->start;
    if (!sm->master_writes || offset >= sm->length || (sm->mailbox && sm->full)) return NULL;
    if (*n > sm->length - offset) *n = sm->length - offset;
    return buffer(esc, sm, sm->mailbox ? 0 : sm->bus) + offset;
}

void ec_sm_wrote(ec_esc *esc, int number, unsigned end, uint64_t now)
{
    ec_sm *sm = &esc->sm[number];
    if (end < (unsigned)sm->start + sm->length) return;
    set_status_bits(esc, number, EC_SM_STATUS_READ, EC_SM_STATUS_WRITTEN);
    if (sm->mailbox) {
        ec_sm_set_full(esc, number, true);
        esc->work |= EC_WORK_MAILBOX;
    } else {
        complete(esc, number, &sm->bus);
        esc->work |= EC_WORK_OUTPUTS;
    }
    if (sm->control & EC_SM_WATCHDOG) ec_esc_start_watchdog(esc, now);
}

const uint8_t *ec_sm_outputs(ec_esc *esc, int number)
{
    ec_sm *sm = &esc->sm[number];
    if (sm->fresh) swap(&sm->free, &sm->last);
    sm->fresh = false;
    return buffer(esc, sm, sm->free);
}

uint8_t *ec_sm_inputs(ec_esc *esc, int number)
{
    return buffer(esc, &esc->sm[number], esc->sm[number].free);
}

void ec_sm_publish(ec_esc *esc, int number)
{
    complete(esc, number, &esc->sm[number].free);
}
