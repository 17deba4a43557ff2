// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports of a controller: conditions that begin and end, warnings while it runs (each once) and after the run.
#include "steer/steering.h"

#include <stdio.h>
#include <string.h>

static const double CLEAR_TIME = 0.1; // after which a condition that is no longer met counts as ended  [s]

void ff_steering_watch_status(ff_steering *s, double t)
{
    const ff_controller_kind *kind = s->kind;
    const ff_steering_sink *sink = &s->site.sink;
    if (!sink->status || !kind->status_text) return;
    const unsigned now = ff_steering_conditions(s);
    if ((now | s->status) == 0) return;
    for (int bit = 0; bit < FF_STEERING_BITS; bit++) {
        const unsigned mask = 1U << bit;
        if (now & mask) {
            if (!(s->status & mask)) sink->status(sink->context, s->spec->robot, t, kind->status_text(bit), true);
            s->status |= mask;
            s->met[bit] = t;
        } else if ((s->status & mask) && t - s->met[bit] >= CLEAR_TIME) {
            sink->status(sink->context, s->spec->robot, s->met[bit], kind->status_text(bit), false);
            s->status &= ~mask;
        }
    }
}

void ff_steering_report(const ff_steering *s, ff_report *report)
{
    const ff_reference_fault *dropped = &s->dropped, *clamped = &s->clamped, *ignored = &s->ignored;
    const ff_place place = s->spec->place;
    if (s->controller && s->kind->report) s->kind->report(s->controller, place, report);
    if (s->refused.command) {
        char more[40] = "";
        if (s->refused.more > 0) snprintf(more, sizeof more, " (and %d more)", s->refused.more);
        ff_report_add(report, FF_WARNING, s->refused.command->place, "the command at %.6g s was refused%s: %s",
                      s->refused.command->at, more, s->refused.why.text);
    }
    if (dropped->count > 0)
        ff_report_add(report, FF_WARNING, place,
                      "at %.6g s the controller made '%.60s' not a number or infinite, %lld time%s in all: it "
                      "stays as it was",
                      dropped->time, dropped->name, (long long)dropped->count, dropped->count > 1 ? "s" : "");
    if (clamped->count > 0)
        ff_report_add(report, FF_WARNING, place,
                      "at %.6g s the controller asked joint '%.60s' for %.6g %s, and %.6g is its limit: it gets "
                      "that; references beyond limits: %lld",
                      clamped->time, clamped->name, clamped->value, clamped->unit, clamped->limit,
                      (long long)clamped->count);
    if (ignored->count > 0)
        ff_report_add(report, FF_WARNING, place,
                      "at %.6g s the controller gave '%.60s' and no force, but this drive has no loop that follows "
                      "positions, and ignores it: give the drive a loop, such as 'loop: {kp: 100, kd: 10}', or give "
                      "'force'; positions ignored: %lld",
                      ignored->time, ignored->name, (long long)ignored->count);
}

/// Was this message reported before? From now on it was.
static bool is_reported(ff_steering *s, const ff_message *m)
{
    const uint64_t hash = ff_hash(m->text, strlen(m->text), FF_HASH_START);
    for (int i = 0; i < s->nreported; i++)
        if (s->reported[i] == hash) return true;
    if (s->nreported == FF_STEERING_REPORTED) return true; // no more messages are reported during this run
    s->reported[s->nreported++] = hash;
    return false;
}

void ff_steering_report_new(ff_steering *s, ff_report *report)
{
    if (!s->controller) return;
    if (s->kind->script) {
        s->kind->script->report_new(s->controller, report);
        return;
    }
    ff_report found = {0};
    if (s->kind->report) s->kind->report(s->controller, s->spec->place, &found);
    for (int k = 0; k < found.count; k++) {
        const ff_message *m = &found.messages[k];
        if (!is_reported(s, m))
            ff_report_add(report, m->severity, (ff_place){m->file, m->line, m->column}, "%s", m->text);
    }
    ff_report_clear(&found);
}
