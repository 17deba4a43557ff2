// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Timing of short functions and the robots and states they are timed on, for `footfall bench`.
#ifndef FOOTFALL_APPS_MEASURE_H
#define FOOTFALL_APPS_MEASURE_H

#include <footfall/dyn.h>

typedef struct timing {
    double best;   // [s]
    double median; // [s]
} timing;

/// Best and median of measured times; sorts them.
timing timing_of(double *times, int count);
/// Time of one call of work(context, n), where n counts the calls: batches of at least `batch` seconds, repeated.
timing measure(void (*work)(void *context, int n), void *context, double batch, int repeats);

/// A model with its state and a pool of random states to run through, so that no branch predictor learns one by heart.
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

#endif
