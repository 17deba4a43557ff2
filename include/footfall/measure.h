// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Expectations on the metrics of a run. docs/scenes.md and ff_scene_metric_help list the metrics.
#ifndef FOOTFALL_MEASURE_H
#define FOOTFALL_MEASURE_H

#include <footfall/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Expected value of a metric. The three conditions may be combined; absent ones are infinite. If the result depends on
/// chance, `may_miss` is the share of runs with different seeds in which it need not be met: a single run passes
/// without it, of n runs ff_expectation_wanted must meet it.
typedef struct ff_expectation {
    const char *metric;
    bool has_is;
    double is, within;  // |got - is| <= within
    double at_least;    // got >= at_least, -inf when absent
    double at_most;     // got <= at_most, +inf when absent
    const char *source; // where the number comes from; "" when the file does not say
    double may_miss;    // 1 - `rate` of the file; 0: it is met in every run
    bool other_seed;    // the file gives it for another seed than that of the scene: it does not count in `passed`
    ff_place place;
    double got; // after the run
    bool met;   // after the run
} ff_expectation;

/// Number of runs of n that must meet an expectation: n (1 - may_miss), rounded down.
FF_API int ff_expectation_wanted(double may_miss, int n);

/// A comparison of two runs of one scene: `ratio` is the expected ratio of a metric of the two. A name with a star
/// stands for several variants; two runs are a pair if the star stands for the same text in both, such as that of pd-*
/// and force-*.
typedef struct ff_comparison {
    ff_expectation ratio; // `may_miss`: share of the pairs
    const char *of, *to;  // names of the variants in numerator and denominator; "": the scene itself
} ff_comparison;

/// Whether the runs of two variants are a pair to compare. "": the scene itself.
FF_API bool ff_comparison_pairs(const ff_comparison *c, const char *of, const char *to);

#ifdef __cplusplus
}
#endif
#endif
