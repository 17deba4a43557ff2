// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of `footfall bench`: timing of short functions, the robots and states they are timed on, and a robot that
// stands and marches on its feet.
#ifndef FOOTFALL_APPS_BENCH_H
#define FOOTFALL_APPS_BENCH_H

#include "march.h"

#include <footfall/dyn.h>
#include <footfall/json.h>

// ------------------------------------------------------------------------------------------ timing

typedef struct timing {
    double best;   // [s]
    double median; // [s]
} timing;

/// Best and median of measured times; sorts them.
timing timing_of(double *times, int count);
/// Time of one call of work(context, n), where n counts the calls: batches of at least `batch` seconds, repeated.
timing measure(void (*work)(void *context, int n), void *context, double batch, int repeats);

/// A model with its state and several random states, so that branch predictors do not adapt to a single state.
#define MEASURE_STATES 32
typedef struct subject {
    const ff_model *m;
    ff_data *d;
    double *q;   // (MEASURE_STATES * nq)
    double *v;   // (MEASURE_STATES * nv)
    double *a;   // (MEASURE_STATES * nv)
    double *out; // (nv)
} subject;

bool subject_create(subject *s, const ff_model *m);
void subject_destroy(subject *s);

/// Chain of `count` equal links on hinges about y and z in turn; NULL when out of memory.
ff_model *measure_chain(int count);

// ------------------------------------------------------------------------------------------ on its feet

/// ANTON on six feet; index 0 standing, 1 marching. Zero where it failed.
typedef struct feet {
    bool measured;
    timing euler[2], implicit[2];     // one step of 1 ms  [s]
    timing continuous[2], sampled[2]; // implicit with accuracy 1e-3: real over simulated time, by the kind of joint law
    int threads;                      // of the batch
    timing alone, together;           // one euler step of a batch, on one thread and on all  [s]
} feet;

/// @param path  of ANTON  @return false with the reason on stderr
bool feet_measure(feet *out, const char *path, bool quick);
void feet_print(const feet *f);
void feet_json(ff_json *w, const feet *f);

#endif
