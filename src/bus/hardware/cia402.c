// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The CiA 402 state machine as a table (cia402.h). Masks and values are those of IEC 61800-7-201, table of commands and
// table of status words.
#include "hardware/cia402.h"

#define FAULT_OCCURRED(state)                                                                                          \
    {                                                                                                                  \
        FF_CIA402_##state, FF_CIA402_FAULT_REACTION_ACTIVE, FF_CIA402_FAULT_OCCURRED, 0, 0                             \
    }
#define COMMAND(from, to, mask, value)                                                                                 \
    {                                                                                                                  \
        FF_CIA402_##from, FF_CIA402_##to, FF_CIA402_COMMAND, mask, value                                               \
    }

const ff_cia402_transition ff_cia402_transitions[] = {
    FAULT_OCCURRED(NOT_READY),
    FAULT_OCCURRED(SWITCH_ON_DISABLED),
    FAULT_OCCURRED(READY_TO_SWITCH_ON),
    FAULT_OCCURRED(SWITCHED_ON),
    FAULT_OCCURRED(OPERATION_ENABLED),
    FAULT_OCCURRED(QUICK_STOP_ACTIVE),
    {FF_CIA402_NOT_READY, FF_CIA402_SWITCH_ON_DISABLED, FF_CIA402_ALWAYS, 0, 0},
    COMMAND(SWITCH_ON_DISABLED, READY_TO_SWITCH_ON, 0x87, 0x06),
    COMMAND(READY_TO_SWITCH_ON, SWITCHED_ON, 0x87, 0x07), // also 0F: the next step then enables operation
    COMMAND(READY_TO_SWITCH_ON, SWITCH_ON_DISABLED, 0x82, 0x00),
    COMMAND(READY_TO_SWITCH_ON, SWITCH_ON_DISABLED, 0x86, 0x02),
    COMMAND(SWITCHED_ON, OPERATION_ENABLED, 0x8F, 0x0F),
    COMMAND(SWITCHED_ON, READY_TO_SWITCH_ON, 0x87, 0x06),
    COMMAND(SWITCHED_ON, SWITCH_ON_DISABLED, 0x82, 0x00),
    COMMAND(SWITCHED_ON, SWITCH_ON_DISABLED, 0x86, 0x02),
    COMMAND(OPERATION_ENABLED, SWITCHED_ON, 0x8F, 0x07),
    COMMAND(OPERATION_ENABLED, READY_TO_SWITCH_ON, 0x87, 0x06),
    COMMAND(OPERATION_ENABLED, SWITCH_ON_DISABLED, 0x82, 0x00),
    COMMAND(OPERATION_ENABLED, QUICK_STOP_ACTIVE, 0x86, 0x02),
    COMMAND(QUICK_STOP_ACTIVE, SWITCH_ON_DISABLED, 0x82, 0x00),
    {FF_CIA402_QUICK_STOP_ACTIVE, FF_CIA402_SWITCH_ON_DISABLED, FF_CIA402_STANDSTILL, 0,
     0},                                                       // unless the option code keeps the state
    COMMAND(QUICK_STOP_ACTIVE, OPERATION_ENABLED, 0x8F, 0x0F), // if the option code keeps the state
    {FF_CIA402_FAULT_REACTION_ACTIVE, FF_CIA402_FAULT, FF_CIA402_STANDSTILL, 0, 0},
    {FF_CIA402_FAULT, FF_CIA402_SWITCH_ON_DISABLED, FF_CIA402_RESET, 0, 0}};
const int ff_cia402_ntransition = (int)(sizeof ff_cia402_transitions / sizeof *ff_cia402_transitions);

static bool is_allowed(const ff_cia402 *drive, const ff_cia402_transition *row)
{
    if (row->from != FF_CIA402_QUICK_STOP_ACTIVE) return true;
    if (row->cause == FF_CIA402_STANDSTILL) return !drive->stays_stopped;
    return row->to != FF_CIA402_OPERATION_ENABLED || drive->stays_stopped;
}

static bool happens(const ff_cia402 *drive, const ff_cia402_transition *row, const ff_cia402_inputs *in)
{
    switch (row->cause) {
    case FF_CIA402_ALWAYS:
        return true;
    case FF_CIA402_COMMAND:
        return (in->control & row->mask) == row->value;
    case FF_CIA402_RESET:
        return (in->control & FF_CONTROL_FAULT_RESET) && !(drive->control & FF_CONTROL_FAULT_RESET) && !in->fault;
    case FF_CIA402_STANDSTILL:
        return in->standstill;
    case FF_CIA402_FAULT_OCCURRED:
        return in->fault;
    }
    return false;
}

void ff_cia402_step(ff_cia402 *drive, const ff_cia402_inputs *in)
{
    for (int i = 0; i < ff_cia402_ntransition; i++) {
        const ff_cia402_transition *row = &ff_cia402_transitions[i];
        if (row->from != drive->state || !is_allowed(drive, row) || !happens(drive, row, in)) continue;
        drive->state = row->to;
        break;
    }
    drive->control = in->control;
}

static const struct {
    uint16_t mask, value;
    const char *name;
} STATES[FF_CIA402_STATES] = {[FF_CIA402_NOT_READY] = {0x4F, 0x00, "not ready to switch on"},
                              [FF_CIA402_SWITCH_ON_DISABLED] = {0x4F, 0x40, "switch on disabled"},
                              [FF_CIA402_READY_TO_SWITCH_ON] = {0x6F, 0x21, "ready to switch on"},
                              [FF_CIA402_SWITCHED_ON] = {0x6F, 0x23, "switched on"},
                              [FF_CIA402_OPERATION_ENABLED] = {0x6F, 0x27, "operation enabled"},
                              [FF_CIA402_QUICK_STOP_ACTIVE] = {0x6F, 0x07, "quick stop active"},
                              [FF_CIA402_FAULT_REACTION_ACTIVE] = {0x4F, 0x0F, "fault reaction active"},
                              [FF_CIA402_FAULT] = {0x4F, 0x08, "fault"}};

uint16_t ff_cia402_status(ff_cia402_state state, bool remote)
{
    unsigned status = STATES[state].value | FF_STATUS_VOLTAGE;
    if (remote) status |= FF_STATUS_REMOTE;
    if (state == FF_CIA402_OPERATION_ENABLED) status |= FF_STATUS_FOLLOWS;
    return (uint16_t)status;
}

ff_cia402_state ff_cia402_state_of(uint16_t status)
{
    for (int s = 0; s < FF_CIA402_STATES; s++)
        if ((status & STATES[s].mask) == STATES[s].value) return (ff_cia402_state)s;
    return FF_CIA402_NOT_READY;
}

uint16_t ff_cia402_towards_operation(ff_cia402_state state, bool reset, uint16_t last)
{
    switch (state) {
    case FF_CIA402_SWITCH_ON_DISABLED:
        return FF_CONTROL_SHUTDOWN;
    case FF_CIA402_READY_TO_SWITCH_ON:
        return FF_CONTROL_SWITCH;
    case FF_CIA402_SWITCHED_ON:
    case FF_CIA402_OPERATION_ENABLED:
        return FF_CONTROL_OPERATE;
    case FF_CIA402_FAULT:
        return reset && !(last & FF_CONTROL_FAULT_RESET) ? FF_CONTROL_FAULT_RESET : FF_CONTROL_DISABLE_VOLTAGE;
    default:
        return FF_CONTROL_DISABLE_VOLTAGE;
    }
}

const char *ff_cia402_name(ff_cia402_state state)
{
    return STATES[state].name;
}
