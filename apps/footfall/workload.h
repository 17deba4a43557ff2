// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How much processor time the cycles of a bus take: what a machine must have for them, whatever else it does.
#ifndef FOOTFALL_APPS_WORKLOAD_H
#define FOOTFALL_APPS_WORKLOAD_H

#include <footfall/link.h>

typedef struct workload {
    double begin; // of the present cycle, on the clock of this thread; 0: there was none  [s]
    ff_histogram cycles;
} workload;

/// A cycle begins, and the one before it, if any, is over.
void workload_begin_cycle(workload *w);
/// A line of the distribution, to stdout. @param period  that a cycle may take  [s]
void workload_print(const workload *w, double period);

#endif
