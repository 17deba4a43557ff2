// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sync managers: exchange of memory between master and application.
//
// Mailbox: one buffer. Writing its last byte makes it full, reading its last byte makes it empty; a write to a full
// mailbox, or a read of an empty one, has no effect.
//
// Three buffers: the bus, the application and "newest complete" own a buffer each. A writer swaps its complete
// buffer with the newest; a reader swaps likewise. So both sides always have access, and neither gets data of which
// only a part is new.
#include "slave/slave.h"

enum { CONTROL = 4, STATUS = 5, ACTIVATE = 6, PDI_CONTROL = 7, NO_BUFFER = 3 };

static void swap(uint8_t *a, uint8_t *b)
{
    const uint8_t c = *a;
    *a = *b;
    *b = c;
}

static uint8_t *sm_register(ff_ec_esc *esc, int number, int byte)
{
    return &esc->memory[FF_EC_REG_SM + 8 * number + byte];
}

static void set_status_bits(ff_ec_esc *esc, int number, int clear, int set)
{
    uint8_t *status = sm_register(esc, number, STATUS);
    *status = (uint8_t)((*status & ~clear) | set);
}

unsigned ff_ec_sm_span(const ff_ec_sm *sm)
{
    return !sm->enabled ? 0U : sm->mailbox ? sm->length : 3U * sm->length;
}

bool ff_ec_sm_writable(const ff_ec_esc *esc, unsigned address)
{
    const unsigned byte = (address - FF_EC_REG_SM) % 8;
    const ff_ec_sm *sm = &esc->sm[(address - FF_EC_REG_SM) / 8];
    return byte == ACTIVATE || (byte <= CONTROL && !sm->enabled);
}

void ff_ec_sm_set_full(ff_ec_esc *esc, int number, bool full)
{
    ff_ec_sm *sm = &esc->sm[number];
    sm->full = full;
    set_status_bits(esc, number, FF_EC_SM_STATUS_FULL, full ? FF_EC_SM_STATUS_FULL : 0);
    if (sm->master_writes) return;
    const uint16_t bit = (uint16_t)(FF_EC_EVENT_SM << number), events = ff_ec_reg16(esc, FF_EC_REG_EVENT);
    ff_put_u16(esc->memory + FF_EC_REG_EVENT, (uint16_t)(full ? events | bit : events & ~bit));
}

void ff_ec_sm_decode(ff_ec_esc *esc, int number)
{
    ff_ec_sm *sm = &esc->sm[number];
    const uint8_t *at = sm_register(esc, number, 0);
    const bool was_enabled = sm->enabled;
    sm->start = ff_get_u16(at);
    sm->length = ff_get_u16(at + 2);
    sm->control = at[CONTROL];
    sm->enabled = (at[ACTIVATE] & FF_EC_SM_ENABLE) && sm->start >= FF_EC_REG_END && !(at[PDI_CONTROL] & 1);
    sm->mailbox = (sm->control & FF_EC_SM_MODE) == FF_EC_SM_MAILBOX;
    sm->master_writes = sm->control & FF_EC_SM_MASTER_WRITES;
    if (sm->enabled && sm->start + ff_ec_sm_span(sm) > FF_EC_MEMORY) sm->enabled = false;
    if (sm->enabled == was_enabled) return;
    esc->nsm = 0;
    for (int k = 0; k < FF_EC_SMS; k++)
        if (esc->sm[k].enabled) esc->nsm = k + 1;
    sm->bus = 0, sm->last = 1, sm->free = 2;
    sm->fresh = sm->was_read = false;
    set_status_bits(esc, number, 0xFF, sm->enabled && !sm->mailbox ? NO_BUFFER << 4 : 0);
    ff_ec_sm_set_full(esc, number, false);
}

static uint8_t *buffer(ff_ec_esc *esc, const ff_ec_sm *sm, int which)
{
    return esc->memory + sm->start + which * sm->length;
}

static void complete(ff_ec_esc *esc, int number, uint8_t *owner)
{
    ff_ec_sm *sm = &esc->sm[number];
    set_status_bits(esc, number, 0x30, *owner << 4);
    swap(owner, &sm->last);
    sm->fresh = true;
}

bool ff_ec_sm_read(ff_ec_esc *esc, int number, unsigned address, uint8_t *to, unsigned n)
{
    ff_ec_sm *sm = &esc->sm[number];
    const unsigned offset = address - sm->start;
    if (sm->master_writes || offset >= sm->length || (sm->mailbox && !sm->full)) return false;
    if (n > sm->length - offset) n = sm->length - offset;
    if (!sm->mailbox && offset == 0 && sm->fresh) {
        swap(&sm->bus, &sm->last);
        sm->fresh = false;
    }
    memcpy(to, buffer(esc, sm, sm->mailbox ? 0 : sm->bus) + offset, n);
    if (offset + n < sm->length) return true;
    set_status_bits(esc, number, FF_EC_SM_STATUS_WRITTEN, FF_EC_SM_STATUS_READ);
    if (sm->mailbox) {
        ff_ec_sm_set_full(esc, number, false);
        sm->was_read = true;
        esc->work |= FF_EC_WORK_MAILBOX;
    }
    return true;
}

uint8_t *ff_ec_sm_open(ff_ec_esc *esc, int number, unsigned address, unsigned *n)
{
    const ff_ec_sm *sm = &esc->sm[number];
    const unsigned offset = address - sm->start;
    if (!sm->master_writes || offset >= sm->length || (sm->mailbox && sm->full)) return NULL;
    if (*n > sm->length - offset) *n = sm->length - offset;
    return buffer(esc, sm, sm->mailbox ? 0 : sm->bus) + offset;
}

void ff_ec_sm_start_watchdog(ff_ec_esc *esc, uint64_t now)
{
    const uint64_t ticks = ff_ec_reg16(esc, FF_EC_REG_WD_TIME);
    const uint64_t tick = (ff_ec_reg16(esc, FF_EC_REG_WD_DIVIDER) + UINT64_C(2)) * 40; // [ns]
    esc->watchdog = ticks ? now + ticks * tick : UINT64_MAX;
    esc->memory[FF_EC_REG_WD_STATUS] = 1;
}

void ff_ec_sm_wrote(ff_ec_esc *esc, int number, unsigned end, uint64_t now)
{
    ff_ec_sm *sm = &esc->sm[number];
    if (end < (unsigned)sm->start + sm->length) return;
    set_status_bits(esc, number, FF_EC_SM_STATUS_READ, FF_EC_SM_STATUS_WRITTEN);
    if (sm->mailbox) {
        ff_ec_sm_set_full(esc, number, true);
        esc->work |= FF_EC_WORK_MAILBOX;
    } else {
        complete(esc, number, &sm->bus);
        esc->work |= FF_EC_WORK_OUTPUTS;
    }
    if (sm->control & FF_EC_SM_WATCHDOG) ff_ec_sm_start_watchdog(esc, now);
}

const uint8_t *ff_ec_sm_outputs(ff_ec_esc *esc, int number)
{
    ff_ec_sm *sm = &esc->sm[number];
    if (sm->fresh) swap(&sm->free, &sm->last);
    sm->fresh = false;
    return buffer(esc, sm, sm->free);
}

uint8_t *ff_ec_sm_inputs(ff_ec_esc *esc, int number)
{
    return buffer(esc, &esc->sm[number], esc->sm[number].free);
}

void ff_ec_sm_publish(ff_ec_esc *esc, int number)
{
    complete(esc, number, &esc->sm[number].free);
}
