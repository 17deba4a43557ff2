// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The event log: an event of several slaves in one round of polls gives one line, so that a cut cable is one event for
// all slaves behind it. A slave is given by number, name and station address.
#include "master/internal.h"

#include <stdarg.h>
#include <stdio.h>

/// Appends to a text, truncated to its size.
static void append(char *to, size_t size, const char *format, ...)
{
    const size_t used = strlen(to);
    va_list list;
    va_start(list, format);
    vsnprintf(to + used, size - used, format, list);
    va_end(list);
}

static void append_slave(char *to, size_t size, const ff_ec_slave_info *f, int number)
{
    append(to, size, "%d '%s' (0x%04X)", number + 1, f->name, f->station);
}

void ff_master_print_slave(const ff_master_slave *p, char *to, size_t size)
{
    snprintf(to, size, "slave ");
    append_slave(to, size, &p->info, p->number);
}

static bool concerns(const ff_master_event *e, int slave)
{
    return e->slaves[slave / 8] >> slave % 8 & 1;
}

/// "slaves 4 'right_knee' (0x1004) to 6 'gyro' (0x1006), 9 'foot' (0x1009)".
static void append_slaves(const ff_ec_master *m, const ff_master_event *e, char *to, size_t size)
{
    append(to, size, e->nslave > 1 ? "slaves" : "slave");
    const char *comma = " ";
    for (int i = 0, last; i < m->count; i = last + 1) {
        last = i;
        if (!concerns(e, i)) continue;
        while (last + 1 < m->count && concerns(e, last + 1)) last++;
        append(to, size, "%s", comma);
        append_slave(to, size, &m->slaves[i].info, i);
        if (last > i) append(to, size, last > i + 1 ? " to " : ", ");
        if (last > i) append_slave(to, size, &m->slaves[last].info, last);
        comma = ", ";
    }
}

void ff_event_log_flush(ff_ec_master *m)
{
    for (int i = 0; i < m->nevent; i++) {
        char line[1000] = "";
        append_slaves(m, &m->events[i], line, sizeof line);
        append(line, sizeof line, ": %s", m->events[i].text);
        if (m->options.log) m->options.log(m->options.context, line);
    }
    m->nevent = 0;
}

/// Logs a text at the first of the events that are counted.
static void log_first(ff_ec_master *m, int64_t *count, const char *text)
{
    if ((*count)++ == 0 && m->options.log) m->options.log(m->options.context, text);
}

void ff_event_log_foreign_frame(ff_ec_master *m, const unsigned char source[6])
{
    char text[160];
    snprintf(
        text, sizeof text,
        "frames of another master, %02x:%02x:%02x:%02x:%02x:%02x, are on this wire: two masters disturb each other's "
        "work",
        source[0], source[1], source[2], source[3], source[4], source[5]);
    log_first(m, &m->counts.foreign_frames, text);
}

void ff_event_log_duplicate_frame(ff_ec_master *m)
{
    log_first(m, &m->counts.duplicate_frames,
              "frames are received twice: two robots answer on this wire, or cables form a loop");
}

void ff_event_log_unknown_slave(const ff_ec_master *m, const char *why)
{
    const ff_sii *e = &m->all.sii;
    char line[500] = "an unknown slave";
    if (!why)
        append(line, sizeof line, " '%s' (vendor %08lX, product %08lX)", e->name, (unsigned long)e->vendor,
               (unsigned long)e->product);
    append(line, sizeof line, " is at position %d of the wire, %s ", m->all.position + 1,
           m->known_before ? "behind" : "before");
    char name[100];
    ff_master_print_slave(&m->slaves[m->known_before ? m->known_before - 1 : 0], name, sizeof name);
    append(line, sizeof line, "%s%s%s: it is ignored, the others continue", name, why ? "; " : "", why ? why : "");
    if (m->options.log) m->options.log(m->options.context, line);
}

void ff_event_log_add(ff_master_slave *p, const char *format, ...)
{
    ff_ec_master *m = p->master;
    char text[sizeof m->events->text];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    int k = 0;
    while (k < m->nevent && strcmp(m->events[k].text, text) != 0) k++;
    if (k < m->nevent && concerns(&m->events[k], p->number)) return;
    if (k == FF_MASTER_EVENTS_MAX) {
        ff_event_log_flush(m);
        k = 0;
    }
    if (k == m->nevent) {
        m->events[m->nevent++] = (ff_master_event){0};
        memcpy(m->events[k].text, text, sizeof text);
    }
    m->events[k].slaves[p->number / 8] |= (uint8_t)(1U << p->number % 8);
    m->events[k].nslave++;
}
