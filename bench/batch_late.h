// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What robots cost that have all a learner asks for: servos whose targets come late, stops, draws of friction, mass,
// delay and place, on hills.
#ifndef FOOTFALL_BENCH_BATCH_LATE_H
#define FOOTFALL_BENCH_BATCH_LATE_H

#include "march_script.h"

enum { LATE_MOST = 10 }; // delay of the servos of late_models.late  [steps]

/// ANTON on a plane, on hills, and on the hills with a delay of LATE_MOST steps.
typedef struct late_models {
    const ff_batch_model *plane, *hills, *late;
    double half; // side of the field of hills, halved  [m]
} late_models;

typedef struct late_options {
    bool device, fast, single;
    bool alone; // nothing else is measured
} late_options;

/// Measures the three beside each other and checks that the last one is what it is called.
/// @return false: it is not, after a word
bool late_measure(const march_script *script, const late_models *models, const late_options *options);

#endif
