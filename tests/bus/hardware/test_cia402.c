// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The CiA 402 machine against the rules of the standard, written down a second time as conditions on single bits, for
// every state, every control word and every event; and a master that brings any drive into operation.
#include "check.h"

#include "hardware/cia402.h"

/// Rules by bits: 0 switch on, 1 enable voltage, 2 quick stop (0 stops), 3 enable operation, 7 fault reset.
static ff_cia402_state expect(ff_cia402_state s, unsigned control, unsigned before, bool fault, bool standstill,
                              bool stays)
{
    const bool on = control & 1, voltage = control & 2, run = control & 4, operate = control & 8, reset = control & 128;
    const bool edge = reset && !(before & 128);
    if (s == FF_CIA402_FAULT) return edge && !fault ? FF_CIA402_SWITCH_ON_DISABLED : s;
    if (s == FF_CIA402_FAULT_REACTION_ACTIVE) return standstill ? FF_CIA402_FAULT : s;
    if (fault) return FF_CIA402_FAULT_REACTION_ACTIVE;
    if (s == FF_CIA402_NOT_READY) return FF_CIA402_SWITCH_ON_DISABLED;
    const bool applies = !reset; // a command has the bit for reset at 0
    const bool disable = applies && !voltage, stop = applies && voltage && !run,
               shutdown = applies && voltage && run && !on, switch_on = applies && voltage && run && on,
               enable = switch_on && operate;
    switch (s) {
    case FF_CIA402_SWITCH_ON_DISABLED:
        return shutdown ? FF_CIA402_READY_TO_SWITCH_ON : s;
    case FF_CIA402_READY_TO_SWITCH_ON:
        return switch_on ? FF_CIA402_SWITCHED_ON : disable || stop ? FF_CIA402_SWITCH_ON_DISABLED : s;
    case FF_CIA402_SWITCHED_ON:
        return enable            ? FF_CIA402_OPERATION_ENABLED
               : shutdown        ? FF_CIA402_READY_TO_SWITCH_ON
               : disable || stop ? FF_CIA402_SWITCH_ON_DISABLED
                                 : s;
    case FF_CIA402_OPERATION_ENABLED:
        return switch_on && !operate ? FF_CIA402_SWITCHED_ON
               : shutdown            ? FF_CIA402_READY_TO_SWITCH_ON
               : disable             ? FF_CIA402_SWITCH_ON_DISABLED
               : stop                ? FF_CIA402_QUICK_STOP_ACTIVE
                                     : s;
    default: // quick stop
        return disable || (standstill && !stays) ? FF_CIA402_SWITCH_ON_DISABLED
               : enable && stays                 ? FF_CIA402_OPERATION_ENABLED
                                                 : s;
    }
}

TEST(every_transition_is_that_of_the_standard)
{
    bool seen[64] = {false};
    for (int s = 0; s < FF_CIA402_STATES; s++)
        for (unsigned control = 0; control < 256; control++)
            for (unsigned rest = 0; rest < 16; rest++) {
                const unsigned before = rest & 1 ? 128 : 0;
                const bool fault = rest & 2, standstill = rest & 4, stays = rest & 8;
                ff_cia402 drive = {(ff_cia402_state)s, (uint16_t)before, stays};
                const ff_cia402_inputs in = {(uint16_t)control, fault, standstill};
                ff_cia402_step(&drive, &in);
                const ff_cia402_state wanted = expect((ff_cia402_state)s, control, before, fault, standstill, stays);
                if (drive.state != wanted)
                    CHECK_FAIL("%s, control %02X, events %X: %s, wanted %s", ff_cia402_name((ff_cia402_state)s),
                               control, rest, ff_cia402_name(drive.state), ff_cia402_name(wanted));
                for (int i = 0; i < ff_cia402_ntransition; i++)
                    if (ff_cia402_transitions[i].from == (ff_cia402_state)s &&
                        ff_cia402_transitions[i].to == drive.state && drive.state != (ff_cia402_state)s)
                        seen[i] = true;
            }
    for (int i = 0; i < ff_cia402_ntransition; i++)
        if (!seen[i]) CHECK_FAIL("row %d of the table was never taken", i);
}

TEST(status_words_are_those_of_a_drive)
{
    static const struct {
        ff_cia402_state state;
        uint16_t status;
    } chain[] = {{FF_CIA402_SWITCH_ON_DISABLED, 0x0250}, // seen on drives: 0250, 0231, 0233, 1237
                 {FF_CIA402_READY_TO_SWITCH_ON, 0x0231},
                 {FF_CIA402_SWITCHED_ON, 0x0233},
                 {FF_CIA402_OPERATION_ENABLED, 0x1237}};
    for (size_t i = 0; i < sizeof chain / sizeof *chain; i++)
        CHECK(ff_cia402_status(chain[i].state, true) == chain[i].status);
    for (int s = 0; s < FF_CIA402_STATES; s++) // other bits say nothing of the state
        for (unsigned others = 0; others < 256; others++) {
            const unsigned bits = (others & 0xF0) << 8 | (others & 0x0F) << 8 | (others & 1) << 7;
            CHECK(ff_cia402_state_of((uint16_t)(ff_cia402_status((ff_cia402_state)s, false) | bits)) ==
                  (ff_cia402_state)s);
        }
}

TEST(a_master_brings_every_drive_into_operation)
{
    for (int s = 0; s < FF_CIA402_STATES; s++) {
        ff_cia402 drive = {.state = (ff_cia402_state)s, .control = 0x80};
        uint16_t control = 0x80; // held: the reset needs an edge
        for (int i = 0; i < 10; i++) {
            control = ff_cia402_towards_operation(drive.state, true, control);
            ff_cia402_step(&drive, &(ff_cia402_inputs){control, false, true});
        }
        CHECK(drive.state == FF_CIA402_OPERATION_ENABLED);
    }
    ff_cia402 drive = {.state = FF_CIA402_FAULT};
    for (int i = 0; i < 10; i++)
        ff_cia402_step(&drive, &(ff_cia402_inputs){ff_cia402_towards_operation(drive.state, false, 0), false, true});
    CHECK(drive.state == FF_CIA402_FAULT); // not without an acknowledgement
    for (int i = 0; i < 10; i++)
        ff_cia402_step(&drive,
                       &(ff_cia402_inputs){ff_cia402_towards_operation(drive.state, true, drive.control), true, true});
    CHECK(drive.state == FF_CIA402_FAULT); // nor while its cause is there
}
