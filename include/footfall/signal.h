// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From the true value to what is read: the one chain of errors that all sensors share. Part of the room sense;
// docs/sensors.md is the manual. The order of its stages is fixed, each can be switched off:
//     1 crosstalk   y := (I + X) y                      between the channels of one sensor
//     2 bandwidth   y_f' = w_b (y - y_f)                 first order, y taken as straight between two samples
//     3 offset      y_1 = (1 + g) y_f + b(t)             scale, bias, and its drift: a random walk and a steady slope
//     4 noise       + sigma_n xi                         white, from sample to sample
//     5 sampling    at phase + k T
//     6 reading     cut to the range, then rounded: steps, fixed point, float32, counts of an encoder
//     7 delay       n_d samples, plus jitter, before the value can be read
// Random numbers come from one stream a channel, so that runs repeat and one channel does not change another.
//
//     ff_chain chain = ff_chain_make(3);  chain.period = 1e-3;
//     for (int i = 0; i < 3; i++) { ff_signal_init(&signals[i]); signals[i].noise = 0.05; }   chain.signals = signals;
//     void *memory = malloc(ff_chain_memory_size(&chain));
//     ff_chain_start(&chain, memory, seed, stream, truth, 0.0);
//     ff_chain_sample(&chain, memory, t, truth);           // at t = phase + k period
//     double stamp = ff_chain_read(&chain, memory, t, out);  // the values known at t, and when they were sampled
#ifndef FOOTFALL_SIGNAL_H
#define FOOTFALL_SIGNAL_H

#include <footfall/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ff_stage {
    FF_STAGE_CROSSTALK = 1,
    FF_STAGE_BANDWIDTH = 2,
    FF_STAGE_OFFSET = 4,
    FF_STAGE_NOISE = 8,
    FF_STAGE_SAMPLING = 16,
    FF_STAGE_READING = 32,
    FF_STAGE_DELAY = 64,
    FF_STAGES_NONE = 0,
    FF_STAGES_ALL = 127
} ff_stage;

/// How a value is written down.
typedef enum ff_form {
    FF_FORM_REAL,   // as it is
    FF_FORM_STEPS,  // step * round(y / step), halves away from zero
    FF_FORM_FIXED,  // Qm.n: steps of 2^-n within [-2^m, 2^m - 2^-n]
    FF_FORM_SINGLE, // float32
    FF_FORM_COUNT,  // floor(y / step) as a number, wrapped to 32 bits with sign: an incremental encoder
    FF_FORM_TURN    // step * floor(y / step), wrapped to [0, turn): an absolute encoder
} ff_form;

/// Errors of one channel. `unit` is that of the channel.
typedef struct ff_signal {
    double bandwidth;  // w_b, 0: none                              [rad/s]
    double scale;      // g
    double bias;       // b at the start                            [unit]
    double bias_walk;  // sigma_b of the random walk of b           [unit/sqrt(s)]
    double bias_slope; // steady drift of b, as with temperature    [unit/s]
    double noise;      // sigma_n, of a sample                      [unit]
    double low, high;  // range                                     [unit]
    ff_form form;
    double step;         // of FF_FORM_STEPS, COUNT and TURN           [unit]
    double turn;         // of FF_FORM_TURN                            [unit]
    int whole, fraction; // m and n of FF_FORM_FIXED
} ff_signal;

/// No error at all: unlimited range, FF_FORM_REAL.
FF_API void ff_signal_init(ff_signal *signal);
/// Stage 6 alone: the value cut to the range and rounded.
FF_API double ff_signal_round(const ff_signal *signal, double value);

enum { FF_CHAIN_DELAY_MAX = 1000 };

/// The channels of one sensor.
typedef struct ff_chain {
    int n;                    // channels
    unsigned stages;          // ff_stage bits that act
    const ff_signal *signals; // borrowed  (n)
    const double *crosstalk;  // X, row-major, borrowed; NULL: none  (n*n)
    double period;            // T between samples  [s]
    double phase;             // of the first sample  [s]
    int delay;                // n_d  [samples]
    double jitter;            // of the delay, uniform within +-; at most half a period  [s]
} ff_chain;

/// n channels, all stages, 1 kHz, no delay; `signals` is still to be set.
FF_API ff_chain ff_chain_make(int n);
/// @return FF_OK, or FF_BAD_ARGUMENT with the number that is not allowed
FF_API ff_status ff_chain_check(const ff_chain *chain, ff_error *err);

/// Bytes of the memory of a chain: filters, biases, random streams, delayed values. Plain data: copy it to save it.
FF_API size_t ff_chain_memory_size(const ff_chain *chain);
/// Starts from a sensor that has measured `truth` for long; channel i draws from stream `stream + i`. Until the first
/// sample has passed the delay, reading gives this start.
FF_API void ff_chain_start(const ff_chain *chain, void *memory, uint64_t seed, uint64_t stream, const double *truth,
                           double t);
/// Takes a sample at the time t, which is later than the one before. The caller keeps the instants phase + k period.
FF_API void ff_chain_sample(const ff_chain *chain, void *memory, double t, const double *truth);
/// The latest values whose delay is over at time t; zeros before the start. @return when they were sampled,
/// -infinity before the start  [s]
FF_API double ff_chain_read(const ff_chain *chain, const void *memory, double t, double *out);
/// Bias of a channel now, for tests and calibration  [unit]
FF_API double ff_chain_bias(const ff_chain *chain, const void *memory, int channel);

#ifdef __cplusplus
}
#endif
#endif
