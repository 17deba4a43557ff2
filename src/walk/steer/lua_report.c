// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports of a script: lines it printed, references that were dropped or clamped, and its failure. They are collected
// in memory of fixed size, and reported while the script runs and after it.
#include "steer/lua_private.h"

#include <string.h>

void ff_lua_note(ff_lua_script *s, int at, const void *about, const char *format, ...)
{
    ff_lua_remark r = {.time = s->time, .about = about, .line = at, .count = 1};
    va_list args;
    va_start(args, format);
    vsnprintf(r.text, sizeof r.text, format, args);
    va_end(args);
    for (int i = 0; i < s->nremark; i++)
        if (about ? s->remarks[i].about == about : strcmp(s->remarks[i].text, r.text) == 0) {
            s->remarks[i].count++;
            return;
        }
    if (s->nremark < FF_LUA_REMARKS)
        s->remarks[s->nremark++] = r;
    else
        s->further++;
}

void ff_lua_take_line(void *context, const char *text)
{
    ff_lua_script *s = context;
    if (s->nline == FF_LUA_LINES) {
        s->omitted++;
        return;
    }
    s->lines[s->nline].time = s->time;
    snprintf(s->lines[s->nline++].text, sizeof s->lines[0].text, "%s", text);
}

static void report_lines(const ff_lua_script *s, ff_place at, ff_report *report)
{
    for (int i = 0; i < s->nline; i++)
        ff_report_add(report, FF_NOTE, at, "at %.6g s: %s", s->lines[i].time, s->lines[i].text);
    if (s->omitted > 0) ff_report_add(report, FF_NOTE, at, "and %d lines more", s->omitted);
}

static void report_failure(const ff_lua_script *s, ff_report *report)
{
    const ff_place at = {s->settings->source.path, s->failure.line, 0};
    ff_report_add(report, FF_ERROR, at, "the script failed at %.6g s, and the robot is held since: %s", s->failure.time,
                  s->failure.text);
}

void ff_lua_script_report_new(void *script, ff_report *report)
{
    ff_lua_script *s = script;
    ff_place at = {s->settings->source.path, 0, 0};
    report_lines(s, at, report);
    s->nline = s->omitted = 0;
    for (; s->reported_remarks < s->nremark; s->reported_remarks++) {
        const ff_lua_remark *r = &s->remarks[s->reported_remarks];
        at.line = r->line;
        ff_report_add(report, FF_WARNING, at, "at %.6g s: %s", r->time, r->text);
    }
    if (s->failure.count == 0 || s->reported_failure) return;
    s->reported_failure = true;
    report_failure(s, report);
}

ff_status ff_lua_script_check(const void *script, ff_error *err)
{
    const ff_lua_script *s = script;
    if (s->failure.count == 0) return FF_OK;
    return ff_error_set(err, FF_CONTROL, "%s:%d: the script failed at %.6g s, and the robot is held since: %s",
                        s->settings->source.path, s->failure.line, s->failure.time, s->failure.text);
}

void ff_lua_script_report(const void *script, ff_place place, ff_report *report)
{
    const ff_lua_script *s = script;
    ff_place at = {s->settings->source.path, 0, 0};
    (void)place;
    report_lines(s, at, report);
    for (int i = 0; i < s->nremark; i++) {
        const ff_lua_remark *r = &s->remarks[i];
        at.line = r->line;
        ff_report_add(report, FF_WARNING, at, "at %.6g s, %d time%s in all: %s", r->time, r->count,
                      r->count > 1 ? "s" : "", r->text);
    }
    at.line = 0;
    if (s->further > 0) ff_report_add(report, FF_WARNING, at, "and %d times something else of the kind", s->further);
    if (s->failure.count > 0) report_failure(s, report);
}
