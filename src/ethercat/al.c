// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The state machine of the application layer (ETG.1000.6): INIT, PRE-OP, SAFE-OP, OP. A table says what a step upwards
// asks for; steps down, and to the state a slave is in, succeed. A step that fails leaves the state, sets the error
// flag and says why by a code; until the master acknowledges it, or asks for INIT, further requests are ignored.
#include "ethercat/slave.h"

enum { CYCLE_UNIT = 62500, LOCKED = 10000 }; // [ns], the project's choice

// ------------------------------------------------------------------------------------------ conditions

typedef ec_al_code condition(ec_slave *slave);

static ec_al_code no_such_step(ec_slave *slave)
{
    (void)slave;
    return EC_AL_INVALID_CHANGE;
}

static ec_al_code no_boot(ec_slave *slave)
{
    (void)slave;
    return EC_AL_NO_BOOT;
}

static bool sm_is(const ec_slave *slave, int number, unsigned start, unsigned length, unsigned control)
{
    const ec_sm *sm = &slave->esc.sm[number];
    return sm->enabled && sm->start == start && sm->length == length && (sm->control & 0x0F) == (control & 0x0F);
}

static ec_al_code mailbox_fits(ec_slave *slave)
{
    const bool fits = sm_is(slave, 0, EC_MAILBOX_OUT, EC_MAILBOX_SIZE, EC_CONTROL_MAILBOX_OUT) &&
                      sm_is(slave, 1, EC_MAILBOX_IN, EC_MAILBOX_SIZE, EC_CONTROL_MAILBOX_IN);
    return fits ? EC_AL_FINE : EC_AL_MAILBOX;
}

static ec_al_code inputs_are_mapped(ec_slave *slave)
{
    return ec_process_map(slave, EC_IN) ? EC_AL_FINE : EC_AL_INPUT_MAPPING;
}

static ec_al_code outputs_are_mapped(ec_slave *slave)
{
    return ec_process_map(slave, EC_OUT) ? EC_AL_FINE : EC_AL_OUTPUT_MAPPING;
}

/// Anywhere in memory, as long as what is mapped; without process data, off or empty.
static bool process_sm_fits(const ec_slave *slave, int number, unsigned bytes, unsigned control)
{
    const ec_sm *sm = &slave->esc.sm[number];
    return bytes ? sm_is(slave, number, sm->start, bytes, control) : !sm->enabled || !sm->length;
}

static ec_al_code outputs_sm_fits(ec_slave *slave)
{
    const bool fits = process_sm_fits(slave, 2, slave->maps[EC_OUT].bytes, EC_CONTROL_OUTPUTS);
    return fits ? EC_AL_FINE : EC_AL_SM_OUT;
}

static ec_al_code inputs_sm_fits(ec_slave *slave)
{
    const bool fits = process_sm_fits(slave, 3, slave->maps[EC_IN].bytes, EC_CONTROL_INPUTS);
    return fits ? EC_AL_FINE : EC_AL_SM_IN;
}

static ec_al_code watchdog_is_set(ec_slave *slave)
{
    const bool wanted = slave->maps[EC_OUT].bytes && (slave->esc.sm[2].control & EC_SM_WATCHDOG);
    return wanted && !ec_reg16(&slave->esc, EC_REG_WD_TIME) ? EC_AL_WATCHDOG_CONFIG : EC_AL_FINE;
}

static ec_al_code clock_is_set(ec_slave *slave)
{
    const unsigned active = slave->esc.memory[EC_REG_DC_ACTIVATION] & 7U;
    const uint32_t cycle = ec_reg32(&slave->esc, EC_REG_DC_CYCLE0);
    if (active & (EC_DC_SYNC0 | EC_DC_SYNC1)) {
        if ((active & (EC_DC_ON | EC_DC_SYNC0)) != (EC_DC_ON | EC_DC_SYNC0)) return EC_AL_DC_CONFIG;
        if (cycle == 0 || cycle % CYCLE_UNIT) return EC_AL_DC_CYCLE;
    }
    return EC_AL_FINE;
}

static ec_al_code outputs_arrived(ec_slave *slave)
{
    return slave->outputs_seen || !slave->maps[EC_OUT].bytes ? EC_AL_FINE : EC_AL_NO_OUTPUTS;
}

static ec_al_code clock_is_locked(ec_slave *slave)
{
    const double off = slave->esc.clock.difference;
    const bool used = slave->esc.memory[EC_REG_DC_ACTIVATION] & EC_DC_SYNC0;
    return used && (off > LOCKED || off < -LOCKED) ? EC_AL_DC_UNLOCKED : EC_AL_FINE;
}

/// Steps that ask for something: the first condition that does not hold gives the code.
static const struct {
    ff_ec_state from, to;
    condition *conditions[7];
} steps[] = {
    {FF_EC_INIT, FF_EC_PREOP, {mailbox_fits}},
    {FF_EC_INIT, FF_EC_BOOT, {no_boot}},
    {FF_EC_INIT, FF_EC_SAFEOP, {no_such_step}},
    {FF_EC_INIT, FF_EC_OP, {no_such_step}},
    {FF_EC_PREOP, FF_EC_BOOT, {no_such_step}},
    {FF_EC_PREOP,
     FF_EC_SAFEOP,
     {inputs_are_mapped, outputs_are_mapped, outputs_sm_fits, inputs_sm_fits, watchdog_is_set, clock_is_set}},
    {FF_EC_PREOP, FF_EC_OP, {no_such_step}},
    {FF_EC_SAFEOP, FF_EC_BOOT, {no_such_step}},
    {FF_EC_SAFEOP, FF_EC_OP, {outputs_arrived, clock_is_locked}},
    {FF_EC_OP, FF_EC_BOOT, {no_such_step}},
};

ec_al_code ec_al_check(ec_slave *slave, ff_ec_state from, unsigned to)
{
    if (to != FF_EC_INIT && to != FF_EC_PREOP && to != FF_EC_BOOT && to != FF_EC_SAFEOP && to != FF_EC_OP)
        return EC_AL_UNKNOWN_STATE;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (steps[i].from != from || steps[i].to != to) continue;
        for (condition *const *holds = steps[i].conditions; *holds; holds++) {
            const ec_al_code code = (*holds)(slave);
            if (code) return code;
        }
    }
    return EC_AL_FINE;
}

// ------------------------------------------------------------------------------------------ changes

static void show(ec_slave *slave, unsigned flags, uint16_t code)
{
    uint8_t *memory = slave->esc.memory;
    ff_put_u16(memory + EC_REG_AL_STATUS, (uint16_t)(slave->state | flags));
    ff_put_u16(memory + EC_REG_AL_CODE, code);
    memory[EC_REG_EVENT] |= EC_EVENT_AL;
}

static void enter(ec_slave *slave, ff_ec_state to, ec_al_code code)
{
    const ff_ec_state from = slave->state;
    if (from == to) return;
    slave->state = to;
    if (to == FF_EC_INIT) {
        ec_mailbox_clear(slave);
        slave->transfer.direction = EC_IDLE;
    }
    if (to < FF_EC_SAFEOP) {
        slave->esc.watchdog = UINT64_MAX;
    } else if (from < FF_EC_SAFEOP) {
        slave->outputs_seen = false;
        ec_process_sample(slave);
    }
    slave->syncs_missed = 0;
    slave->outputs_fresh = to == FF_EC_OP;
    if (slave->behaviour.state) slave->behaviour.state(slave->station.data, from, to, (uint16_t)code);
}

void ec_al_fail(ec_slave *slave, ff_ec_state to, ec_al_code code)
{
    enter(slave, to, code);
    show(slave, EC_AL_ERROR, (uint16_t)code);
}

void ec_al_request(ec_slave *slave, uint64_t now)
{
    const unsigned control = slave->esc.memory[EC_REG_AL_CONTROL], to = control & 0x0F;
    const bool failed = slave->esc.memory[EC_REG_AL_STATUS] & EC_AL_ERROR;
    if (failed && !(control & EC_AL_ERROR) && to != FF_EC_INIT) return;
    const ec_al_code code = ec_al_check(slave, slave->state, to);
    if (code) {
        show(slave, EC_AL_ERROR, (uint16_t)code);
        return;
    }
    enter(slave, (ff_ec_state)to, EC_AL_FINE);
    if (to == FF_EC_OP) ec_process_take(slave, now); // what came in SAFE-OP counts from now on
    const bool identify = control & EC_AL_ID;
    show(slave, identify ? EC_AL_ID : 0, identify ? ec_reg16(&slave->esc, EC_REG_ALIAS) : 0);
}

/// Sync managers that no longer fit end the state that needs them.
void ec_al_supervise(ec_slave *slave)
{
    if (slave->state == FF_EC_INIT) return;
    if (mailbox_fits(slave)) {
        ec_al_fail(slave, FF_EC_INIT, EC_AL_MAILBOX);
        return;
    }
    if (slave->state == FF_EC_PREOP) return;
    const ec_al_code out = outputs_sm_fits(slave), code = out ? out : inputs_sm_fits(slave);
    if (code) ec_al_fail(slave, FF_EC_PREOP, code);
}
