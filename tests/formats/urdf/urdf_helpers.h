// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the URDF tests share: one description and one report, cleared and filled by each parse.
#ifndef FOOTFALL_TESTS_MODEL_URDF_HELPERS_H
#define FOOTFALL_TESTS_MODEL_URDF_HELPERS_H

#include "check.h"

#include <footfall/load.h>
#include <footfall/model.h>

#include "text/xml.h"

static ff_spec *spec;
static ff_report report;

static inline ff_status parse_with(const char *text, const ff_load_options *options)
{
    if (!ff_xml_available()) SKIP("built without libxml2");
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    spec = ff_spec_create(NULL);
    return ff_spec_parse(spec, "urdf", text, strlen(text), "robot.urdf", options, &report);
}

/// Parses what must be fine, down to the last warning.
static inline void parse_clean(const char *text)
{
    ff_status status = parse_with(text, NULL);
    if (report.count) CHECK_FAIL("unexpected: %s", report.messages[0].text);
    CHECK_INT(status, FF_OK);
}

/// The only message, at this place, says these words.
static inline void check_message(ff_severity severity, int line, int column, const char *words)
{
    if (report.count != 1)
        CHECK_FAIL("%d messages where one should say \"%s\"; the last: %s", report.count, words,
                   report.count ? report.messages[report.count - 1].text : "");
    CHECK_SAYS(report.messages[0].text, words);
    CHECK_INT(report.messages[0].severity, severity);
    CHECK_TEXT(report.messages[0].file, "robot.urdf");
    CHECK_INT(report.messages[0].line, line);
    CHECK_INT(report.messages[0].column, column);
}

static inline void check_error(const char *text, int line, int column, const char *words)
{
    CHECK_INT(parse_with(text, NULL), FF_BAD_FILE);
    check_message(FF_ERROR, line, column, words);
}

static inline void check_warning(const char *text, int line, int column, const char *words)
{
    CHECK_INT(parse_with(text, NULL), FF_OK);
    check_message(FF_WARNING, line, column, words);
}

/// A growing text, for robots too long to write down.
typedef struct writer {
    char *text;
    size_t length, capacity;
} writer;

static inline void put(writer *w, const char *format, int a, int b)
{
    if (w->capacity - w->length < 512) {
        w->capacity = 2 * w->capacity + 4096;
        w->text = realloc(w->text, w->capacity);
    }
    w->length += (size_t)snprintf(w->text + w->length, 512, format, a, b);
}

__attribute__((destructor)) static void clear(void)
{
    ff_spec_destroy(spec);
    ff_report_clear(&report);
}

#endif
