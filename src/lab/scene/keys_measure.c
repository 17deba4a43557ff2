// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of what a run is measured by: `metrics` and `expect` (readers: measuring.c, expectations.c). Names of metrics
// depend on robots and sensors: the measures know them (src/lab/measure).
#include "scene/keys.h"

// ------------------------------------------------------------------------------------------ metrics

// clang-format off
static const ff_key_group WINDOW = FF_GROUP("window", "A window: a time over which walking is measured.",
    FF_NUMBER("from", "s", FF_NOT_NEGATIVE, "0 s", "beginning of the window"),
    FF_NUMBER("to", "s", FF_POSITIVE, NULL, "end of the window, after 'from'; the end of the run unless given"));

static const ff_key_group WINDOWS = FF_GROUP("windows", "Times over which walking is measured, by name.",
    FF_MAP("*", &WINDOW,
        "window of this name, of letters, digits, _ and -: its metrics are called NAME.speed.mean and so on"));

// `from` and `to` are those of the window "walk".
const ff_key_group ff_keys_metrics = FF_GROUP_ALSO(
    "metrics", "Metrics to report, and the time over which walking is measured.", &WINDOW,
    FF_NAMES("report", 0, FF_KEYS_MANY, NULL, "metrics to report, by name or pattern, 1000 at most"),
    FF_NUMBER("debounce", "s", FF_BETWEEN(0.0, 1.0), "20 ms",
        "contacts and interruptions of contact of a foot that are shorter do not count"),
    FF_NUMBER("rebound", "s", FF_BETWEEN(0.0, 1.0), "50 ms", "a foot that is in the air for less has made no step"),
    FF_NUMBER("tilt", "rad", FF_POSITIVE, "60 deg", "tilt of the body beyond which it has fallen"),
    // 100 windows at most, which the reader counts: a row has no bounds for the entries of a map.
    FF_MAP("windows", &WINDOWS, "further windows, over which walking is measured"));

// ------------------------------------------------------------------------------------------ expectations

static const ff_key_group EXPECTATION = FF_GROUP(
    "expectation", "Expected value of a metric: 'is' and 'within', 'at_least', 'at_most', or several of them.",
    FF_TEXT("metric", FF_NEEDED, "name of the metric"),
    FF_NUMBER("is", FF_ANY_UNIT, FF_ANY, NULL, "value in the unit of the metric; needs 'within'"),
    FF_NUMBER("within", FF_ANY_UNIT, FF_NOT_NEGATIVE, NULL, "largest difference from 'is', in the unit of the metric"),
    FF_NUMBER("at_least", FF_ANY_UNIT, FF_ANY, NULL,
        "smallest value, in the unit of the metric; no bound unless given"),
    FF_NUMBER("at_most", FF_ANY_UNIT, FF_ANY, NULL, "largest value, in the unit of the metric; no bound unless given"),
    FF_NUMBER("rate", "", FF_ABOVE_UP_TO(0.0, 1.0), "1",
        "share of the runs with different seeds in which it must be met; below 1 a single run may miss it"),
    FF_TEXT("source", NULL, "source of the numbers"),
    FF_WHOLE("seed", FF_NOT_NEGATIVE, NULL, "evaluated only in runs with this seed; in all unless given"));

const ff_key_group ff_keys_expect = FF_GROUP("expect", "What metrics should come out as.",
    FF_MAP("-", &EXPECTATION, "one expectation"));

static const ff_key_group COMPARISON = FF_GROUP(
    "comparison", "A metric of one run over that of another: 'at_least', 'at_most' or both.",
    FF_TEXT("of", NULL,
        "variant whose metric is compared, or several by a pattern such as 'pd-*'; the scene itself unless given"),
    FF_TEXT("to", NULL,
        "variant it is compared to, where '*' stands for the same text as in 'of'; the scene itself unless given"),
    FF_TEXT("metric", FF_NEEDED, "name of the metric"),
    FF_NUMBER("at_least", "", FF_ANY, NULL, "smallest ratio; no bound unless given"),
    FF_NUMBER("at_most", "", FF_ANY, NULL, "largest ratio; no bound unless given"),
    FF_NUMBER("rate", "", FF_ABOVE_UP_TO(0.0, 1.0), "1", "share of the pairs in which the bounds must hold"),
    FF_TEXT("source", NULL, "source of the numbers"));

const ff_key_group ff_keys_compare = FF_GROUP("compare", "How runs of the experiment compare.",
    FF_MAP("-", &COMPARISON, "one comparison"));
// clang-format on
