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

/// What a metric should come out as. The three conditions may be combined; absent ones are infinite. Where the outcome
/// depends on chance, `may_miss` is the share of runs, each with a seed of its own, in which it need not be met: a
/// single run passes without it, n runs need ff_expectation_wanted.
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

/// In how many of n runs an expectation must be met: n (1 - may_miss), rounded down, so that a single run may miss it
/// wherever some may.
FF_API int ff_expectation_wanted(double may_miss, int n);

/// How two runs of one scene should compare: `ratio` is what the metric of one, over that of the other, should come out
/// as. A name with a star stands for several variants; runs are pairs where it stands for the same in both, such as
/// pd-* and force-* for the same torque.
typedef struct ff_comparison {
    ff_expectation ratio; // `may_miss`: share of the pairs
    const char *of, *to;  // names of variants; "": the scene itself
} ff_comparison;

/// Whether the runs of two variants are a pair to compare. "": the scene itself.
FF_API bool ff_comparison_pairs(const ff_comparison *c, const char *of, const char *to);

#ifdef __cplusplus
}
#endif
#endif
