// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "steer/control_key.h"

#include <string.h>

enum { MOST_NUMBERS = 8 }; // of one setting

/// A list, or one number for all of them.
static void read_numbers(ff_yaml *map, ff_yaml *node, const ff_row *k, double *out, ff_report *report)
{
    if (node->type == FF_YAML_LIST)
        ff_yaml_numbers(map, k->name, out, k->least, k->most, report);
    else if (ff_yaml_as_number(node, &out[0], report))
        for (int i = 1; i < k->most; i++) out[i] = out[0];
}

/// @return false where it is absent or wrong: then `value` is as it was
static bool read_one(const ff_steer_reader *r, ff_yaml *map, const ff_row *k, void *value)
{
    const int errors = r->report->errors;
    ff_yaml *node = ff_yaml_get(map, k->name);
    double numbers[MOST_NUMBERS] = {0};
    int whole = 0;
    bool on = false;
    const char *text = NULL;
    const void *from = numbers;
    if (!node) return false;
    if (k->takes & FF_TAKES_WHOLE)
        from = &whole, whole = ff_yaml_integer(map, k->name, 0, r->report);
    else if (k->takes == FF_TAKES_WORD)
        from = &whole, whole = ff_yaml_choice(map, k->name, k->words, 0, r->report);
    else if (k->takes == FF_TAKES_SWITCH)
        from = &on, on = ff_yaml_boolean(map, k->name, false, r->report);
    else if (k->takes != FF_TAKES_TEXT)
        read_numbers(map, node, k, numbers, r->report);
    else {
        text = ff_yaml_as_string(node, r->report);
        if (!text || !(text = ff_arena_strdup(r->arena, text))) return false;
        from = &text;
    }
    if (r->report->errors != errors) return false;
    memcpy(value, from, ff_setting_size(k));
    return true;
}

void ff_control_keys_read(const ff_steer_reader *r, ff_yaml *map, const ff_row *table, void *values, bool *given)
{
    for (int i = 0; table && table[i].name; i++) {
        const ff_row *k = &table[i];
        if (ff_setting_size(k) == 0) continue;
        const bool sound = read_one(r, map, k, (char *)values + k->offset);
        if (given) given[i] = sound;
    }
}
