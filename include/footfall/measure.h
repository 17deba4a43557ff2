// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the numbers of a run should come out as. What there is to measure: docs/scenes.md, ff_scene_metric_help.
#ifndef FOOTFALL_MEASURE_H
#define FOOTFALL_MEASURE_H

#include <footfall/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a metric should come out as. The three conditions may be combined; absent ones are infinite.
typedef struct ff_expectation {
    const char *metric;
    bool has_is;
    double is, within;  // |got - is| <= within
    double at_least;    // got >= at_least, -inf when absent
    double at_most;     // got <= at_most, +inf when absent
    const char *source; // where the number comes from; "" when the file does not say
    bool other_seed;    // the file gives it for another seed than that of the scene: it does not count in `passed`
    ff_place place;
    double got; // after the run
    bool met;   // after the run
} ff_expectation;

#ifdef __cplusplus
}
#endif
#endif
