// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Finding and copying settings.
#include "model/settings.h"

#include <string.h>

const ff_spec_setting *ff_settings_find(const ff_spec_setting *settings, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(settings[i].name, name) == 0) return &settings[i];
    return NULL;
}

ff_spec_setting *ff_settings_copy(ff_arena *arena, const ff_spec_setting *from, int n)
{
    ff_spec_setting *to = FF_ARENA_NEW(arena, ff_spec_setting, n + 1);
    for (int i = 0; to && i < n; i++) {
        double *values = FF_ARENA_NEW(arena, double, from[i].count + 1);
        to[i] = from[i];
        to[i].name = ff_arena_strdup(arena, from[i].name);
        to[i].word = from[i].word ? ff_arena_strdup(arena, from[i].word) : NULL;
        to[i].place.file = from[i].place.file ? ff_arena_strdup(arena, from[i].place.file) : NULL;
        if (!values || !to[i].name) return NULL;
        if (from[i].count > 0) memcpy(values, from[i].values, (size_t)from[i].count * sizeof *values);
        to[i].values = values;
    }
    return to;
}

double *ff_battery_curve_copy(ff_arena *arena, const ff_spec_battery *from)
{
    double *to = FF_ARENA_NEW(arena, double, from->ncurve + 1);
    if (to && from->ncurve > 0) memcpy(to, from->curve, (size_t)from->ncurve * sizeof *to);
    return to;
}
