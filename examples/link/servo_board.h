// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The program of a servo board (servo_board.c) and the hardware around it: a port to a microcontroller writes the three
// functions below and calls the two above them. servo_board_host.c has them for a pseudo terminal.
#ifndef SERVO_BOARD_H
#define SERVO_BOARD_H

#include <stdint.h>

enum {
    BOARD_SERVOS = 18,
    BOARD_LEGS = 6,
    BOARD_FRAME_MS = 20,   // period of the pulses
    BOARD_HOLD_AFTER = 25, // frames without the controller: it is given up, pulses stay as they are
    BOARD_OFF_AFTER = 250, // frames: no pulses any more, the servos go limp
};

/// A byte has come over the line. It may answer: not to be called from an interrupt, but with what one has stored.
void board_byte(uint8_t byte);
/// Another frame of pulses begins: to be called each BOARD_FRAME_MS.
void board_frame(void);

/// Sends a byte over the line, or waits until it can.
void line_put(uint8_t byte);
/// Sets the width of the pulses of a servo, in counts of 0.5 us; 0: none.
void servo_put(int servo, uint16_t count);
/// Is the switch of this foot closed? FL, FR, ML, MR, RL, RR.
int foot_switch(int leg);

#endif
