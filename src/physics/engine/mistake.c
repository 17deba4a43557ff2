// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong names and handles, used in functions that cannot return an error. The next run reports the first mistake.
#include "engine/system.h"

#include <footfall/text.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ff_sim_note_mistake(const ff_sim *sim, ff_status status, const char *format, ...)
{
    if (sim->mistake->status) return; // others may follow from the first
    va_list args;
    va_start(args, format);
    sim->mistake->status = status;
    vsnprintf(sim->mistake->text, sizeof sim->mistake->text, format, args);
    va_end(args);
}

void ff_sim_describe_missing(char *text, size_t size, const char *kind, const char *name, ff_name_of *name_of,
                             const void *all, int count)
{
    const char **names = calloc((size_t)count + 1, sizeof *names);
    int n = 0;
    for (int i = 0; names && i < count; i++)
        if (name_of(all, i)) names[n++] = name_of(all, i);
    const char *near = names ? ff_text_nearest(name, names, n) : NULL;
    if (count == 0)
        snprintf(text, size, "no %s '%.80s': this simulation has none", kind, name);
    else
        snprintf(text, size, "no %s '%.80s'%s%.80s%s", kind, name, near ? ": did you mean '" : "", near ? near : "",
                 near ? "'?" : "");
    free(names);
}

int ff_sim_find_name(ff_sim *sim, const char *kind, const char *name, ff_name_of *name_of, const void *all, int count)
{
    char text[256];
    if (!name) {
        ff_sim_note_mistake(sim, FF_BAD_ARGUMENT, "a %s is looked for, and its name is missing (NULL)", kind);
        return -1;
    }
    for (int i = 0; i < count; i++)
        if (name_of(all, i) && strcmp(name_of(all, i), name) == 0) return i;
    ff_sim_describe_missing(text, sizeof text, kind, name, name_of, all, count);
    ff_sim_note_mistake(sim, FF_NOT_FOUND, "%s", text);
    return -1;
}

bool ff_sim_check_handle(const ff_sim *sim, const char *kind, int index, int count)
{
    if (index >= 0 && index < count) return true;
    ff_sim_note_mistake(sim, FF_BAD_ARGUMENT,
                        "%s %d is used, and there are %d: take handles from the functions that find them", kind, index,
                        count);
    return false;
}
