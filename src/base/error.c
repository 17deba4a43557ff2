// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Status texts, caller-owned errors, and reports: the list of everything wrong with a file.
#include <footfall/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATUS_TEXT(name, text) text,
static const char *const status_texts[] = {FF_STATUS_LIST(STATUS_TEXT)};

const char *ff_status_text(ff_status status)
{
    return (unsigned)status < FF_STATUS_COUNT ? status_texts[status] : "unknown status";
}

#ifndef NDEBUG
void ff_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: failed assertion: %s\n", file, line, condition);
    abort();
}
#endif

enum { PLACE_MAX = 300 };

/// "file:line:column: " where a line is known, else "". @return its length
static size_t write_place(ff_place place, char text[PLACE_MAX])
{
    text[0] = 0;
    if (!place.file || place.line <= 0) return 0;
    return (size_t)snprintf(text, PLACE_MAX, "%.250s:%d:%d: ", place.file, place.line, place.column);
}

static ff_status fill(ff_error *err, ff_status status, ff_place place, const char *format, va_list args)
{
    if (!err) return status;
    char text[sizeof err->text]; // the arguments may be texts of `err`
    const size_t length = write_place(place, text);
    char raw[sizeof err->text]; // may contain control characters of a file
    vsnprintf(raw, sizeof raw, format, args);
    ff_text_printable(raw, text + length, sizeof text - length);
    *err = (ff_error){.status = status, .line = place.line, .column = place.column};
    memcpy(err->text, text, strlen(text) + 1);
    snprintf(err->file, sizeof err->file, "%s", place.file ? place.file : "");
    return status;
}

ff_status ff_error_set(ff_error *err, ff_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, status, (ff_place){0}, format, args);
    va_end(args);
    return status;
}

ff_status ff_error_set_at(ff_error *err, ff_status status, ff_place place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, status, place, format, args);
    va_end(args);
    return status;
}

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

void ff_report_addv(ff_report *report, ff_severity severity, ff_place place, const char *format, va_list args)
{
    if (!report) return;
    if (severity == FF_ERROR) report->errors++;
    if (severity == FF_WARNING) report->warnings++;
    // In a full report an error replaces the last note or warning, since errors that stop a load must be reported.
    int at = report->count;
    if (at >= FF_REPORT_MAX) {
        if (severity != FF_ERROR) return;
        while (at > 0 && report->messages[at - 1].severity == FF_ERROR) at--;
        if (at-- == 0) return;
    } else if (!ff_array_grow(&report->messages, at, &report->capacity, sizeof *report->messages)) {
        return;
    }
    char raw[1024], text[1024]; // `raw` may contain control characters of a file
    vsnprintf(raw, sizeof raw, format, args);
    ff_text_printable(raw, text, sizeof text);
    ff_message message = {severity, copy_text(place.file ? place.file : ""), place.line, place.column, copy_text(text)};
    if (!message.file || !message.text) {
        free(message.file);
        free(message.text);
        return;
    }
    if (at == report->count) {
        report->count++;
    } else {
        free(report->messages[at].file);
        free(report->messages[at].text);
        for (; at + 1 < report->count; at++) report->messages[at] = report->messages[at + 1]; // keeps the order
    }
    report->messages[at] = message;
}

void ff_report_add(ff_report *report, ff_severity severity, ff_place place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ff_report_addv(report, severity, place, format, args);
    va_end(args);
}

void ff_report_add_error(ff_report *report, const ff_error *err, ff_place place)
{
    char lead[PLACE_MAX];
    const ff_place own = {err->file, err->line, err->column};
    const size_t length = write_place(own, lead);
    const bool placed = length > 0 && strncmp(err->text, lead, length) == 0;
    ff_report_add(report, FF_ERROR, placed ? own : place, "%s", err->text + (placed ? length : 0));
}

void ff_report_clear(ff_report *report)
{
    if (!report) return;
    for (int i = 0; i < report->count; i++) {
        free(report->messages[i].file);
        free(report->messages[i].text);
    }
    free(report->messages);
    *report = (ff_report){0};
}

int ff_message_format(const ff_message *message, char *buffer, size_t size)
{
    static const char *const names[] = {"note", "warning", "error"};
    const char *name = names[message->severity];
    if (!message->file[0]) return snprintf(buffer, size, "%s: %s", name, message->text);
    if (message->line <= 0) return snprintf(buffer, size, "%s: %s: %s", message->file, name, message->text);
    if (message->column <= 0)
        return snprintf(buffer, size, "%s:%d: %s: %s", message->file, message->line, name, message->text);
    return snprintf(buffer, size, "%s:%d:%d: %s: %s", message->file, message->line, message->column, name,
                    message->text);
}

static bool says_no_memory(const char *text)
{
    static const char *const words[] = {"out of memory", "no memory "};
    for (int i = 0; i < 2; i++) {
        const char *at = strstr(text, words[i]);
        if (at && (at == text || (at - text >= 2 && strncmp(at - 2, ": ", 2) == 0)))
            return true; // otherwise the words are part of a name in a file
    }
    return false;
}

/// Did memory run out? Messages are copied between reports as texts, so that the text must show it; there may have been
/// no memory for the text, either.
static bool ran_out_of_memory(const ff_report *report)
{
    int errors = 0;
    for (int i = 0; i < report->count; i++) {
        const ff_message *m = &report->messages[i];
        if (m->severity == FF_ERROR && says_no_memory(m->text)) return true;
        errors += m->severity == FF_ERROR;
    }
    return errors == 0 && report->errors > 0;
}

ff_status ff_report_to_error(const ff_report *report, ff_status status, ff_error *err)
{
    if (ran_out_of_memory(report)) status = FF_NO_MEMORY;
    for (int i = 0; err && i < report->count; i++) {
        if (report->messages[i].severity != FF_ERROR) continue;
        const ff_message *m = &report->messages[i];
        return ff_error_set_at(err, status, (ff_place){m->file, m->line, m->column}, "%s", m->text);
    }
    return ff_error_set(err, status, "%s", ff_status_text(status));
}
