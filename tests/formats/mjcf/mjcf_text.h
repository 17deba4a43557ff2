// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// MJCF texts and files read for tests, one at a time.
#ifndef FOOTFALL_TESTS_MJCF_TEXT_H
#define FOOTFALL_TESTS_MJCF_TEXT_H

#include "check.h"

#include <footfall/load.h>
#include <footfall/model.h>

#define ROBOTS FF_SOURCE_DIR "/tests/formats/mjcf/robots/"
#define SHARED FF_SOURCE_DIR "/../shared/models/mjcf/"
#define POINT  "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"

static ff_spec *spec;
static ff_report report;

static inline ff_status parse(const char *text)
{
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    spec = ff_spec_create(NULL);
    CHECK(spec != NULL);
    ff_status status = ff_spec_parse(spec, "mjcf", text, strlen(text), ROBOTS "robot.xml", NULL, &report);
    if (status == FF_NOT_BUILT) SKIP("built without libxml2");
    return status;
}

static inline void need(const char *text)
{
    ff_status status = parse(text);
    if (status != FF_OK) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no message");
}

static inline ff_model *load(const char *path)
{
    ff_report_clear(&report);
    ff_model *model = ff_model_load(path, NULL, &report);
    if (!model && access(path, R_OK) != 0) SKIP("%s is not here", path);
    if (!model) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no message");
    return model;
}

static inline void check_vector(const double *got, const double *expected, int n)
{
    for (int i = 0; i < n; i++)
        CHECK_NEAR(got[i], expected[i], 1e-14 * (1 + fabs(expected[i]))); // rounding of a few operations
}

/// The same rotation, whatever the sign of the quaternion.
static inline void check_rotation(const double got[4], double w, double x, double y, double z)
{
    double R1[9], R2[9], expected[4] = {w, x, y, z};
    ff_quat_normalise(expected);
    ff_quat_to_mat3(R1, got);
    ff_quat_to_mat3(R2, expected);
    check_vector(R1, R2, 9);
}

static inline const ff_spec_ignored *ignored(const char *words)
{
    for (int i = 0; i < spec->nignored; i++)
        if (strstr(spec->ignored[i].what, words)) return &spec->ignored[i];
    CHECK_FAIL("\"%s\" is not in the list of ignored things", words);
}

#endif
