// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of what a run is measured by: `metrics` and `expect` (readers: measuring.c, expectations.c). Names of metrics
// depend on robots and sensors: the measures know them (src/lab/measure).
#include "scene/keys.h"

// ------------------------------------------------------------------------------------------ metrics

static const ff_row WINDOW[] = {
    FF_NUMBER("from", "s", FF_NOT_NEGATIVE, "0 s", "beginning of the window"),
    FF_NUMBER("to", "s", FF_POSITIVE, NULL, "end of the window, after 'from'; the end of the run unless given"),
    FF_END,
};
static const ff_key_group WINDOW_GROUP = {
    .name = "window", .help = "A time over which walking is measured.", .keys = WINDOW};

static const ff_key_group WINDOWS_GROUP = {
    .name = "windows",
    .help = "Times over which walking is measured, by name.",
    .keys = (const ff_row[]){
        FF_MAP("*", &WINDOW_GROUP,
               "window of this name, of letters, digits, _ and -: its metrics are called NAME.speed.mean and so on"),
        FF_END}};

static const ff_row METRICS[] = {
    FF_NAMES("report", 0, FF_KEYS_MANY, NULL, "metrics to report, by name or pattern, 1000 at most"),
    FF_NUMBER("debounce", "s", FF_BETWEEN(0.0, 1.0), "20 ms",
              "touches and gaps of a foot that are shorter do not count"),
    FF_NUMBER("rebound", "s", FF_BETWEEN(0.0, 1.0), "50 ms", "a foot that is up for less has made no step"),
    FF_NUMBER("tilt", "rad", FF_POSITIVE, "60 deg", "tilt of the body beyond which it has fallen"),
    // 100 windows at most, which the reader counts: a row has no bounds for the entries of a map.
    FF_MAP("windows", &WINDOWS_GROUP, "further times over which walking is measured"),
    FF_END,
};
// `from` and `to` are those of the window "walk".
const ff_key_group ff_keys_metrics = {.name = "metrics",
                                      .help = "What is reported, and the time over which walking is measured.",
                                      .keys = METRICS,
                                      .also = &WINDOW_GROUP};

// ------------------------------------------------------------------------------------------ expectations

static const ff_row EXPECTATION[] = {
    FF_TEXT("metric", FF_NEEDED, "name of the metric"),
    FF_NUMBER("is", FF_ANY_UNIT, FF_ANY, NULL, "value in the unit of the metric; needs 'within'"),
    FF_NUMBER("within", FF_ANY_UNIT, FF_NOT_NEGATIVE, NULL, "largest difference from 'is', in the unit of the metric"),
    FF_NUMBER("at_least", FF_ANY_UNIT, FF_ANY, NULL,
              "smallest value, in the unit of the metric; no bound unless given"),
    FF_NUMBER("at_most", FF_ANY_UNIT, FF_ANY, NULL, "largest value, in the unit of the metric; no bound unless given"),
    FF_NUMBER("rate", "", FF_ABOVE_UP_TO(0.0, 1.0), "1",
              "share of the runs with other seeds in which it is met; below 1 a single run may miss it"),
    FF_TEXT("source", NULL, "where the numbers come from, for people"),
    FF_WHOLE("seed", FF_NOT_NEGATIVE, NULL, "evaluated in runs with this seed of the scene alone; in all unless given"),
    FF_END,
};
static const ff_key_group EXPECTATION_GROUP = {
    .name = "expectation",
    .help = "What a metric should come out as: 'is' and 'within', 'at_least', 'at_most', or several of them.",
    .keys = EXPECTATION};

const ff_key_group ff_keys_expect = {.name = "expect",
                                     .help = "What metrics should come out as.",
                                     .keys =
                                         (const ff_row[]){FF_MAP("-", &EXPECTATION_GROUP, "one expectation"), FF_END}};

static const ff_row COMPARISON[] = {
    FF_TEXT("of", NULL, "variant whose metric is compared, or several as 'pd-*'; the scene itself unless given"),
    FF_TEXT(
        "to", NULL,
        "variant it is compared to, each with that for which '*' stands for the same; the scene itself unless given"),
    FF_TEXT("metric", FF_NEEDED, "name of the metric"),
    FF_NUMBER("at_least", "", FF_ANY, NULL, "smallest ratio; no bound unless given"),
    FF_NUMBER("at_most", "", FF_ANY, NULL, "largest ratio; no bound unless given"),
    FF_NUMBER("rate", "", FF_ABOVE_UP_TO(0.0, 1.0), "1", "share of the pairs in which it holds"),
    FF_TEXT("source", NULL, "where the numbers come from, for people"),
    FF_END,
};
static const ff_key_group COMPARISON_GROUP = {
    .name = "comparison",
    .help = "A metric of one run over that of another: 'at_least', 'at_most' or both.",
    .keys = COMPARISON};

const ff_key_group ff_keys_compare = {.name = "compare",
                                      .help = "How runs of the experiment compare.",
                                      .keys =
                                          (const ff_row[]){FF_MAP("-", &COMPARISON_GROUP, "one comparison"), FF_END}};
