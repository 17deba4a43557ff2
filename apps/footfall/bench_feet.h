// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of `footfall bench` in which a robot stands on its feet.
#ifndef FOOTFALL_APPS_BENCH_FEET_H
#define FOOTFALL_APPS_BENCH_FEET_H

#include "march.h"
#include "measure.h"

#include <footfall/json.h>

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
