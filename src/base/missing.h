// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The message of a function that got NULL for an argument it needs, such as the model of a file with mistakes.
#ifndef FOOTFALL_BASE_MISSING_H
#define FOOTFALL_BASE_MISSING_H

#include <footfall/base.h>

/// "ff_data_create: the model is missing (NULL)". @return FF_BAD_ARGUMENT
static inline ff_status ff_error_missing(ff_error *err, const char *function, const char *what)
{
    return ff_error_set(err, FF_BAD_ARGUMENT, "%s: the %s is missing (NULL)", function, what);
}

/// The same for a report.
static inline ff_status ff_report_missing(ff_report *report, const char *function, const char *what)
{
    ff_report_add(report, FF_ERROR, (ff_place){0}, "%s: the %s is missing (NULL)", function, what);
    return FF_BAD_ARGUMENT;
}

#endif
