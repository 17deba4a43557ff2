// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of the kinds of sensors.
#include "model/sensor_kinds.h"

#include <string.h>

#define WORDS(type, name, mjcf, object, ...) {name, mjcf, object},
#define NAME(type, name, ...)                (name),
const ff_sensor_words ff_sensor_kind_words[] = {FF_SENSOR_KINDS(WORDS){NULL, NULL, NULL}};
const char *const ff_sensor_type_names[] = {FF_SENSOR_KINDS(NAME) NULL};

int ff_sensor_find_kind(const char *word)
{
    for (int i = 0; ff_sensor_type_names[i]; i++)
        if (strcmp(ff_sensor_type_names[i], word) == 0) return i;
    const ff_sensor_words *found = ff_sensor_of_mjcf(word);
    return found ? (int)(found - ff_sensor_kind_words) : -1;
}

const ff_sensor_words *ff_sensor_of_mjcf(const char *element)
{
    for (const ff_sensor_words *w = ff_sensor_kind_words; w->name; w++)
        if (w->mjcf && strcmp(w->mjcf, element) == 0) return w;
    return NULL;
}
