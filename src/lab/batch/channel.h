// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Channels of the sensors of a scene: what a perfect sensor would read is a formula, and this makes of it what the real
// one reads, as far as the chain of errors (footfall/signal.h) has no memory:
//     y = (1 + g) truth + b + slope t + walk(t) + f sigma xi,   cut and rounded
// Random numbers follow from the key of the robot's life, the channel and the age alone, so that any step can be read
// at any time and as often as one likes.
#ifndef FOOTFALL_BATCH_CHANNEL_H
#define FOOTFALL_BATCH_CHANNEL_H

#include <footfall/signal.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__CUDACC_RTC__)
typedef struct ff_batch_channel ff_batch_channel; // a device has none
#else
typedef struct ff_batch_channel {
    const char *name;    // in formulas
    const char *written; // how it is written there: in quotes where it needs them
    const char *truth;   // formula
    const char *missing; // why there is none; NULL: there is
    ff_signal signal;
    unsigned stages;
    uint64_t stream;
    int key, loud, age; // rows
    double step;        // [s]
} ff_batch_channel;

/// @param key   of the life of the robot: whole, below 2^53
/// @param loud  factor f of the noise of the robot
/// @param age   [steps]
double ff_channel_read(const ff_batch_channel *channel, double truth, double key, double loud, double age);
#endif

#ifdef __cplusplus
}
#endif
#endif
