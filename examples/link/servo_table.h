// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The servos and switches of one hexapod, as its owner measured them: the part of the board's program (servo_board.c)
// that differs from robot to robot.
#ifndef SERVO_TABLE_H
#define SERVO_TABLE_H

#include "servo_board.h"
#include "servo_hexapod.h" // what `footfall control experiments/servo-hexapod-walk.yaml --interface` prints

enum { CENTRE = 3000, LOW = 1000, HIGH = 5000 }; // counts of 0.5 us: 1500, 500 and 2500 us
#define GAIN 5215189                             // counts a radian, times 2^12: 4000 counts for pi

/// One row a servo. Measure them on your robot: see the checklist of docs/real-robot.md.
static const struct {
    uint8_t reference; // its number in the frame
    int8_t direction;  // 1, or -1 where the servo is mounted the other way round
    int16_t trim;      // counts from the centre at which its joint is zero
    uint16_t low, high;
} servos[BOARD_SERVOS] = {
    {DRIVES_FL_COXA_POSITION, 1, 12, LOW, HIGH},   {DRIVES_FL_FEMUR_POSITION, 1, -8, LOW, HIGH},
    {DRIVES_FL_TIBIA_POSITION, 1, 0, LOW, HIGH},   {DRIVES_FR_COXA_POSITION, -1, 5, LOW, HIGH},
    {DRIVES_FR_FEMUR_POSITION, -1, 0, LOW, HIGH},  {DRIVES_FR_TIBIA_POSITION, -1, 20, LOW, HIGH},
    {DRIVES_ML_COXA_POSITION, 1, 0, LOW, HIGH},    {DRIVES_ML_FEMUR_POSITION, 1, 0, LOW, HIGH},
    {DRIVES_ML_TIBIA_POSITION, 1, -15, LOW, HIGH}, {DRIVES_MR_COXA_POSITION, -1, 0, LOW, HIGH},
    {DRIVES_MR_FEMUR_POSITION, -1, 7, LOW, HIGH},  {DRIVES_MR_TIBIA_POSITION, -1, 0, LOW, HIGH},
    {DRIVES_RL_COXA_POSITION, 1, 0, LOW, HIGH},    {DRIVES_RL_FEMUR_POSITION, 1, 3, LOW, HIGH},
    {DRIVES_RL_TIBIA_POSITION, 1, 0, LOW, HIGH},   {DRIVES_RR_COXA_POSITION, -1, -4, LOW, HIGH},
    {DRIVES_RR_FEMUR_POSITION, -1, 0, LOW, HIGH},  {DRIVES_RR_TIBIA_POSITION, -1, 0, LOW, HIGH},
};
static const uint8_t switches[BOARD_LEGS] = {SENSORS_FL_TOUCH_TOUCHED, SENSORS_FR_TOUCH_TOUCHED,
                                             SENSORS_ML_TOUCH_TOUCHED, SENSORS_MR_TOUCH_TOUCHED,
                                             SENSORS_RL_TOUCH_TOUCHED, SENSORS_RR_TOUCH_TOUCHED};

#endif
