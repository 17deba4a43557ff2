// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The robot of a test of native files: text in, description, model and messages out. One at a time; each is freed
// before the next.
#ifndef FOOTFALL_TESTS_NATIVE_ROBOT_H
#define FOOTFALL_TESTS_NATIVE_ROBOT_H

#include "check.h"
#include "support/message.h"

#include <footfall/load.h>
#include <footfall/model.h>

static ff_report report;
static ff_spec *spec;
static ff_model *model;

static inline void finish(void)
{
    ff_model_destroy(model);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    model = NULL;
    spec = NULL;
}

static inline const char *message(int i)
{
    return message_of(&report, i);
}

/// Parses and compiles a whole file. @return whether there is a model
static inline bool load_text(const char *text)
{
    finish();
    spec = ff_spec_create(NULL);
    if (ff_spec_parse(spec, "yaml", text, strlen(text), "r.yaml", NULL, &report) == FF_OK)
        model = ff_model_compile(spec, NULL, &report);
    return model != NULL;
}

/// The same for two pieces of a file.
static inline bool load_after(const char *lead, const char *rest)
{
    char *text = malloc(strlen(lead) + strlen(rest) + 1);
    if (!text) CHECK_FAIL("no memory");
    sprintf(text, "%s%s", lead, rest);
    const bool loaded = load_text(text);
    free(text);
    return loaded;
}

/// What was loaded must be a model, without a warning.
static inline void must(bool loaded)
{
    if (!loaded) CHECK_FAIL("refused: %s", message(0));
    CHECK_INT(report.warnings, 0);
}

/// What was loaded must be refused with these words at this place.
static inline void must_report(bool loaded, int line, int column, const char *words)
{
    if (loaded) CHECK_FAIL("accepted, and not \"%s\"", words);
    for (int i = 0; i < report.count; i++) {
        const ff_message *m = &report.messages[i];
        if (m->line == line && m->column == column && strstr(m->text, words)) return;
    }
    CHECK_FAIL("no message \"%s\" at %d:%d, but %s", words, line, column, message(0));
}

#endif
