// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a scene expects and what came out, for people and for scripts; shared by `run` and `experiments`.
#ifndef FOOTFALL_APPS_EXPECTATIONS_H
#define FOOTFALL_APPS_EXPECTATIONS_H

#include <footfall/json.h>
#include <footfall/run.h>

/// What is expected, in short: "0.1 +- 0.01", ">= 3", "1 .. 2". @return its length
int describe_expectation(const ff_expectation *e, char *out, size_t size);
/// Table of metric, expected, got, verdict and source to stdout; nothing when nothing is expected.
/// @param ended  the run came to its end; else the verdict is one so far
void print_expectations(const ff_result *result, bool ended);
/// The same as the array `expectations` of an object: metric, what was wanted (is and within, at_least, at_most: those
/// given), got, met, source, and other_seed where it does not count.
void write_expectations(const ff_result *result, ff_json *json);
/// Table of the metrics that the scene reports and what they came out as; nothing when it reports none. After
/// ff_run_go.
void print_reported(const ff_run *run);

#endif
