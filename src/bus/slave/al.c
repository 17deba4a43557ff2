// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The state machine of the application layer (ETG.1000.6): INIT, PRE-OP, SAFE-OP, OP. A table lists the conditions of
// each upward change of state; downward changes, and a request of the present state, succeed. A refused change keeps
// the state, sets the error flag and an AL status code; until the master acknowledges it, or requests INIT, further
// requests are ignored.
#include "slave/slave.h"

enum { CYCLE_UNIT = 62500, LOCKED = 10000 }; // [ns], the project's choice

// ------------------------------------------------------------------------------------------ conditions

static bool sm_is(const ff_ec_slave *slave, int number, unsigned start, unsigned length, unsigned control)
{
    const ff_ec_sm *sm = &slave->esc.sm[number];
    return sm->enabled && sm->start == start && sm->length == length && (sm->control & 0x0F) == (control & 0x0F);
}

static bool mailbox_fits(ff_ec_slave *slave)
{
    return slave->station.device->passive ||
           (sm_is(slave, 0, FF_EC_MAILBOX_OUT, FF_EC_MAILBOX_SIZE, FF_EC_CONTROL_MAILBOX_OUT) &&
            sm_is(slave, 1, FF_EC_MAILBOX_IN, FF_EC_MAILBOX_SIZE, FF_EC_CONTROL_MAILBOX_IN));
}

static bool inputs_are_mapped(ff_ec_slave *slave)
{
    return ff_ec_process_map(slave, FF_EC_IN);
}

static bool outputs_are_mapped(ff_ec_slave *slave)
{
    return ff_ec_process_map(slave, FF_EC_OUT);
}

/// The memory area may be anywhere if its length is that of the mapped data; without process data the sync manager is
/// disabled or empty.
static bool process_sm_fits(const ff_ec_slave *slave, int number, unsigned bytes, unsigned control)
{
    const ff_ec_sm *sm = &slave->esc.sm[number];
    return bytes ? sm_is(slave, number, sm->start, bytes, control) : !sm->enabled || !sm->length;
}

static bool outputs_sm_fits(ff_ec_slave *slave)
{
    return process_sm_fits(slave, 2, slave->maps[FF_EC_OUT].bytes, FF_EC_CONTROL_OUTPUTS);
}

static bool inputs_sm_fits(ff_ec_slave *slave)
{
    return process_sm_fits(slave, 3, slave->maps[FF_EC_IN].bytes, FF_EC_CONTROL_INPUTS);
}

static bool watchdog_is_set(ff_ec_slave *slave)
{
    const bool wanted = slave->maps[FF_EC_OUT].bytes && (slave->esc.sm[2].control & FF_EC_SM_WATCHDOG);
    return !wanted || ff_ec_reg16(&slave->esc, FF_EC_REG_WD_TIME);
}

/// Sync0 and Sync1 need the distributed clock, and Sync1 needs Sync0.
static bool sync_is_valid(ff_ec_slave *slave)
{
    const unsigned active = slave->esc.memory[FF_EC_REG_DC_ACTIVATION], both = FF_EC_DC_ON | FF_EC_DC_SYNC0;
    return !(active & (FF_EC_DC_SYNC0 | FF_EC_DC_SYNC1)) || (active & both) == both;
}

static bool sync_cycle_is_valid(ff_ec_slave *slave)
{
    const uint32_t cycle = ff_ec_reg32(&slave->esc, FF_EC_REG_DC_CYCLE0);
    const bool used = slave->esc.memory[FF_EC_REG_DC_ACTIVATION] & (FF_EC_DC_SYNC0 | FF_EC_DC_SYNC1);
    return !used || (cycle > 0 && cycle % CYCLE_UNIT == 0);
}

static bool outputs_arrived(ff_ec_slave *slave)
{
    return slave->outputs_seen || !slave->maps[FF_EC_OUT].bytes;
}

static bool clock_is_locked(ff_ec_slave *slave)
{
    const double off = slave->esc.clock.difference;
    const bool used = slave->esc.memory[FF_EC_REG_DC_ACTIVATION] & FF_EC_DC_SYNC0;
    return !(used && (off > LOCKED || off < -LOCKED));
}

/// Conditions of upward changes: the first that does not hold gives the AL status code.
static const struct {
    ff_ec_state from, to;
    bool (*holds)(ff_ec_slave *slave);
    ff_ec_al_code code;
} conditions[] = {
    {FF_EC_INIT, FF_EC_PREOP, mailbox_fits, FF_EC_AL_MAILBOX},
    {FF_EC_PREOP, FF_EC_SAFEOP, inputs_are_mapped, FF_EC_AL_INPUT_MAPPING},
    {FF_EC_PREOP, FF_EC_SAFEOP, outputs_are_mapped, FF_EC_AL_OUTPUT_MAPPING},
    {FF_EC_PREOP, FF_EC_SAFEOP, outputs_sm_fits, FF_EC_AL_SM_OUT},
    {FF_EC_PREOP, FF_EC_SAFEOP, inputs_sm_fits, FF_EC_AL_SM_IN},
    {FF_EC_PREOP, FF_EC_SAFEOP, watchdog_is_set, FF_EC_AL_WATCHDOG_CONFIG},
    {FF_EC_PREOP, FF_EC_SAFEOP, sync_is_valid, FF_EC_AL_DC_CONFIG},
    {FF_EC_PREOP, FF_EC_SAFEOP, sync_cycle_is_valid, FF_EC_AL_DC_CYCLE},
    {FF_EC_SAFEOP, FF_EC_OP, outputs_arrived, FF_EC_AL_NO_OUTPUTS},
    {FF_EC_SAFEOP, FF_EC_OP, clock_is_locked, FF_EC_AL_DC_UNLOCKED},
};

/// May the slave change its state? Nothing is changed here.
static ff_ec_al_code check_change(ff_ec_slave *slave, ff_ec_state from, unsigned to)
{
    if (to != FF_EC_INIT && to != FF_EC_PREOP && to != FF_EC_BOOT && to != FF_EC_SAFEOP && to != FF_EC_OP)
        return FF_EC_AL_UNKNOWN_STATE;
    if (slave->ended && to > from) return FF_EC_AL_ENDED;
    if (to == FF_EC_BOOT) return from == FF_EC_INIT ? FF_EC_AL_NO_BOOT : FF_EC_AL_INVALID_CHANGE;
    if (to > 2 * (unsigned)from) return FF_EC_AL_INVALID_CHANGE; // it skips a state: their numbers are 1, 2, 4, 8
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (conditions[i].from == from && conditions[i].to == to && !conditions[i].holds(slave))
            return conditions[i].code;
    return FF_EC_AL_FINE;
}

// ------------------------------------------------------------------------------------------ changes

static void set_status(ff_ec_slave *slave, unsigned flags, uint16_t code)
{
    uint8_t *memory = slave->esc.memory;
    ff_put_u16(memory + FF_EC_REG_AL_STATUS, (uint16_t)(slave->state | flags));
    ff_put_u16(memory + FF_EC_REG_AL_CODE, code);
    memory[FF_EC_REG_EVENT] |= FF_EC_EVENT_AL;
}

/// The first two bytes of emergencies are the AL status code.
static void send_emergency(ff_ec_slave *slave, uint16_t emergency, ff_ec_al_code code)
{
    uint8_t data[5] = {0};
    ff_put_u16(data, (uint16_t)code);
    ff_ec_mailbox_emergency(slave, emergency, data);
}

static void enter(ff_ec_slave *slave, ff_ec_state to, ff_ec_al_code code)
{
    const ff_ec_state from = slave->state;
    if (from == to) return;
    slave->state = to;
    if (from == FF_EC_INIT || to == FF_EC_INIT) { // also discards requests that were written before INIT
        ff_ec_mailbox_clear(slave);
        slave->transfer.direction = FF_EC_IDLE;
    }
    if (to != FF_EC_OP) slave->outputs_seen = false;
    if (to < FF_EC_SAFEOP) slave->esc.watchdog = UINT64_MAX;
    if (to == FF_EC_SAFEOP) ff_ec_process_sample_inputs(slave);
    slave->syncs_missed = 0;
    slave->outputs_fresh = to == FF_EC_OP;
    if (to == FF_EC_OP && slave->bus_failed) {
        slave->bus_failed = false;
        send_emergency(slave, FF_EC_EMERGENCY_NONE, FF_EC_AL_FINE);
    }
    ff_ec_modules_state(slave, from, to, (uint16_t)code);
}

void ff_ec_al_fail(ff_ec_slave *slave, ff_ec_state to, ff_ec_al_code code)
{
    const bool lost = code == FF_EC_AL_WATCHDOG || code == FF_EC_AL_SYNC_ERROR;
    enter(slave, to, code);
    set_status(slave, FF_EC_AL_ERROR, (uint16_t)code);
    if (!lost) return;
    slave->bus_failed = true;
    send_emergency(slave, code == FF_EC_AL_WATCHDOG ? FF_EC_EMERGENCY_BUS_LOST : FF_EC_EMERGENCY_SYNC, code);
}

void ff_ec_al_request(ff_ec_slave *slave, uint64_t now)
{
    const unsigned control = slave->esc.memory[FF_EC_REG_AL_CONTROL], to = control & 0x0F;
    const bool failed = slave->esc.memory[FF_EC_REG_AL_STATUS] & FF_EC_AL_ERROR;
    if (failed && !(control & FF_EC_AL_ERROR) && to != FF_EC_INIT) return;
    const ff_ec_al_code code = check_change(slave, slave->state, to);
    if (code) {
        set_status(slave, FF_EC_AL_ERROR, (uint16_t)code);
        if (slave->state == FF_EC_PREOP && to == FF_EC_SAFEOP) send_emergency(slave, FF_EC_EMERGENCY_NO_SAFEOP, code);
        if (slave->state == FF_EC_SAFEOP && to == FF_EC_OP) send_emergency(slave, FF_EC_EMERGENCY_NO_OP, code);
        return;
    }
    enter(slave, (ff_ec_state)to, FF_EC_AL_FINE);
    if (to == FF_EC_OP) ff_ec_process_apply_outputs(slave, now); // outputs received in SAFE-OP are applied from now on
    const bool identify = control & FF_EC_AL_ID;
    set_status(slave, identify ? FF_EC_AL_ID : 0, identify ? ff_ec_reg16(&slave->esc, FF_EC_REG_ALIAS) : 0);
}

/// A sync manager whose configuration became invalid ends the state that needs it.
void ff_ec_al_supervise(ff_ec_slave *slave)
{
    if (slave->state == FF_EC_INIT) return;
    if (!mailbox_fits(slave)) {
        ff_ec_al_fail(slave, FF_EC_INIT, FF_EC_AL_MAILBOX);
        return;
    }
    if (slave->state == FF_EC_PREOP) return;
    if (!outputs_sm_fits(slave))
        ff_ec_al_fail(slave, FF_EC_PREOP, FF_EC_AL_SM_OUT);
    else if (!inputs_sm_fits(slave))
        ff_ec_al_fail(slave, FF_EC_PREOP, FF_EC_AL_SM_IN);
}
