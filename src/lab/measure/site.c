// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the kinds of measures share: lists of names, and calls at every step or 100 times a second.
#include "measure/measure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES_PER_SECOND = 100 };

void ff_measure_put_name(ff_measure_names *list, const char *name)
{
    if (list->count == list->capacity) {
        const int more = list->capacity ? 2 * list->capacity : 64;
        const char **names = FF_ARENA_NEW(list->arena, const char *, more);
        if (!names) return; // arena.failed is set
        if (list->count) memcpy(names, list->names, (size_t)list->count * sizeof *names);
        list->names = names;
        list->capacity = more;
    }
    if (name) list->names[list->count++] = name;
}

void ff_measure_add_name(ff_measure_names *list, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *name = length >= 0 ? FF_ARENA_NEW(list->arena, char, length + 1) : NULL;
    if (!name) return;
    va_start(arguments, format);
    vsnprintf(name, (size_t)length + 1, format, arguments);
    va_end(arguments);
    ff_measure_put_name(list, name);
}

bool ff_measure_is_requested(const ff_measure_site *site, bool (*knows)(const ff_measure_site *site, const char *name))
{
    for (int i = 0; i < site->nrequested; i++)
        if (knows(site, site->requested[i])) return true;
    return false;
}

ff_status ff_measure_every_step(const ff_measure_site *site, void *context,
                                ff_sim_action (*sample)(void *context, ff_sim *sim, double t), ff_error *err)
{
    // A task samples the state at the start, when the run is complete.
    const ff_task start = {.name = "first look", .reads_only = true, .context = context, .run = sample};
    const ff_listener listener = {.context = context, .step = sample};
    if (ff_sim_add_task(site->sim, &start, err) < 0) return err->status;
    return ff_sim_add_listener(site->sim, &listener, err);
}

ff_status ff_measure_sampled(const ff_measure_site *site, const char *name, void *context,
                             ff_sim_action (*sample)(void *context, ff_sim *sim, double t), ff_error *err)
{
    const ff_task task = {.name = name,
                          .period = FF_TICKS_PER_SECOND / SAMPLES_PER_SECOND,
                          .reads_only = true,
                          .context = context,
                          .run = sample};
    return ff_sim_add_task(site->sim, &task, err) < 0 ? err->status : FF_OK;
}
