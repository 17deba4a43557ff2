// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The state machine of a drive by CiA 402 (IEC 61800-7-201): the reaction of a drive to a control word, and the control
// word by which a master brings a drive to a state. The transitions are a table, independent of any bus, for virtual
// drives and slaves of a field bus.
#ifndef FOOTFALL_HARDWARE_CIA402_H
#define FOOTFALL_HARDWARE_CIA402_H

#include <stdbool.h>
#include <stdint.h>

typedef enum ff_cia402_state {
    FF_CIA402_NOT_READY,
    FF_CIA402_SWITCH_ON_DISABLED,
    FF_CIA402_READY_TO_SWITCH_ON,
    FF_CIA402_SWITCHED_ON,
    FF_CIA402_OPERATION_ENABLED,
    FF_CIA402_QUICK_STOP_ACTIVE,
    FF_CIA402_FAULT_REACTION_ACTIVE,
    FF_CIA402_FAULT,
    FF_CIA402_STATES
} ff_cia402_state;

/// Commands: control words (object 6040) without the bits of the modes of operation; and the bit that resets a fault.
enum {
    FF_CONTROL_DISABLE_VOLTAGE = 0x00,
    FF_CONTROL_SHUTDOWN = 0x06,
    FF_CONTROL_SWITCH = 0x07,
    FF_CONTROL_OPERATE = 0x0F,
    FF_CONTROL_FAULT_RESET = 0x80
};
/// Bits of the status word, object 6041, beside those of the state.
enum {
    FF_STATUS_VOLTAGE = 0x0010,
    FF_STATUS_REMOTE = 0x0200, // the control word is active
    FF_STATUS_TARGET_REACHED = 0x0400,
    FF_STATUS_LIMIT = 0x0800,        // a target was clipped
    FF_STATUS_FOLLOWS = 0x1000,      // csp, csv, cst: the drive follows the command value
    FF_STATUS_ACKNOWLEDGED = 0x1000, // pp: the set point was accepted
    FF_STATUS_HOMED = 0x1000,        // hm
    FF_STATUS_FOLLOWING_ERROR = 0x2000,
    FF_STATUS_HOMING_ERROR = 0x2000 // hm
};
/// Modes of operation, object 6060.
enum { FF_MODE_PP = 1, FF_MODE_HM = 6, FF_MODE_CSP = 8, FF_MODE_CSV = 9, FF_MODE_CST = 10 };

/// Condition of a transition.
typedef enum ff_cia402_cause {
    FF_CIA402_ALWAYS,        // automatic
    FF_CIA402_COMMAND,       // (control & mask) == value
    FF_CIA402_RESET,         // a rising edge of the fault reset bit, without the cause of the fault
    FF_CIA402_STANDSTILL,    // the motor is at rest
    FF_CIA402_FAULT_OCCURRED // a fault of the drive
} ff_cia402_cause;

typedef struct ff_cia402_transition {
    ff_cia402_state from, to;
    ff_cia402_cause cause;
    uint16_t mask, value; // of FF_CIA402_COMMAND
} ff_cia402_transition;
/// The first row whose condition holds applies, one per step.
extern const ff_cia402_transition ff_cia402_transitions[];
extern const int ff_cia402_ntransition;

/// A drive.
typedef struct ff_cia402 {
    ff_cia402_state state;
    uint16_t control;   // of the last step
    bool stays_stopped; // quick stop option codes 5 to 8: stays in quick stop active
} ff_cia402;

/// Conditions of the drive.
typedef struct ff_cia402_inputs {
    uint16_t control;
    bool fault;      // the fault is present
    bool standstill; // the motor is at rest
} ff_cia402_inputs;

/// One step: at most one transition.
void ff_cia402_step(ff_cia402 *drive, const ff_cia402_inputs *inputs);
/// The status word of a state, with the bits for voltage and, if `remote`, for an active control word.
uint16_t ff_cia402_status(ff_cia402_state state, bool remote);
/// The state of a status word; FF_CIA402_NOT_READY also for invalid patterns.
ff_cia402_state ff_cia402_state_of(uint16_t status);
/// The next control word on the path to FF_CIA402_OPERATION_ENABLED. A drive in fault gets the reset bit only with
/// `reset`, and in every other cycle, since its edge counts.
uint16_t ff_cia402_towards_operation(ff_cia402_state state, bool reset, uint16_t last);
/// "operation enabled".
const char *ff_cia402_name(ff_cia402_state state);

#endif
