// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables of keys at work: reading a map, copying what was given, values as text.
#include "steer/control_key.h"

#include <stdio.h>
#include <string.h>

static const size_t SIZES[] = {[FF_KEY_NUMBER] = sizeof(double),
                               [FF_KEY_INTEGER] = sizeof(int),
                               [FF_KEY_SWITCH] = sizeof(bool),
                               [FF_KEY_CHOICE] = sizeof(int),
                               [FF_KEY_TEXT] = sizeof(char *),
                               [FF_KEY_MAP] = 0,
                               [FF_KEY_LIST] = 0};

// ------------------------------------------------------------------------------------------ reading

static bool is_within(double value, const ff_range *r)
{
    return r->open ? value > r->low && value < r->high : value >= r->low && value <= r->high;
}

static void refuse(const ff_steer_reader *r, const ff_control_key *k, ff_place place, double value)
{
    const ff_range *range = &k->range;
    if (range->high < INFINITY)
        ff_report_add(r->report, FF_ERROR, place, "'%s' is %g: it must lie between %g and %g%s", k->name, value,
                      range->low, range->high, range->open ? " (exclusive)" : "");
    else if (range->low == 0.0)
        ff_report_add(r->report, FF_ERROR, place, "'%s' is %g: it must be %s", k->name, value,
                      range->open ? "positive" : "zero or more");
    else
        ff_report_add(r->report, FF_ERROR, place, "'%s' is %g: it must be %g or more", k->name, value, range->low);
}

/// @return false where it is absent or wrong: then `value` is as it was
static bool read_one(const ff_steer_reader *r, ff_yaml *map, const ff_control_key *k, void *value)
{
    const int errors = r->report->errors;
    ff_yaml *node = ff_yaml_get(map, k->name);
    double number = 0.0;
    int whole = 0;
    bool on = false;
    const char *text = NULL;
    if (!node) return false;
    if (k->type == FF_KEY_NUMBER)
        ff_yaml_as_number(node, &number, r->report);
    else if (k->type == FF_KEY_INTEGER)
        number = whole = ff_yaml_integer(map, k->name, 0, r->report);
    else if (k->type == FF_KEY_SWITCH)
        on = ff_yaml_boolean(map, k->name, false, r->report);
    else if (k->type == FF_KEY_CHOICE)
        whole = ff_yaml_choice(map, k->name, k->choices, 0, r->report);
    else
        text = ff_yaml_as_string(node, r->report);
    if (r->report->errors == errors && !is_within(number, &k->range)) refuse(r, k, node->place, number);
    if (text) text = ff_arena_strdup(r->arena, text);
    if (r->report->errors != errors || (k->type == FF_KEY_TEXT && !text)) return false;
    const void *const from[] = {[FF_KEY_NUMBER] = &number,
                                [FF_KEY_INTEGER] = &whole,
                                [FF_KEY_SWITCH] = &on,
                                [FF_KEY_CHOICE] = &whole,
                                [FF_KEY_TEXT] = &text};
    memcpy(value, from[k->type], SIZES[k->type]);
    return true;
}

void ff_control_keys_read(const ff_steer_reader *r, ff_yaml *map, const ff_control_key *table, void *values,
                          bool *given)
{
    for (int i = 0; table && table[i].name; i++) {
        const ff_control_key *k = &table[i];
        if (SIZES[k->type] > 0) {
            const bool sound = read_one(r, map, k, (char *)values + k->offset);
            if (given) given[i] = sound;
        } else if (k->keys) {
            ff_yaml *below = ff_yaml_get(map, k->name);
            if (below && ff_yaml_expect(below, FF_YAML_MAP, "{key: value, ..}", r->report))
                ff_control_keys_read(r, below, k->keys, values, NULL);
        }
    }
}

// ------------------------------------------------------------------------------------------ values

void ff_control_keys_copy(const ff_control_key *table, const bool *given, const void *from, void *to)
{
    for (int i = 0; table[i].name; i++)
        if (given[i]) memcpy((char *)to + table[i].offset, (const char *)from + table[i].offset, SIZES[table[i].type]);
}

void ff_control_key_format(const ff_control_key *k, const void *values, char *out, size_t size)
{
    double number;
    int whole;
    bool on;
    const char *text;
    const char *value = (const char *)values + k->offset;
    out[0] = '\0';
    if (k->type == FF_KEY_NUMBER) {
        memcpy(&number, value, sizeof number);
        snprintf(out, size, "%.15g", number);
    } else if (k->type == FF_KEY_SWITCH) {
        memcpy(&on, value, sizeof on);
        snprintf(out, size, "%s", on ? "true" : "false");
    } else if (k->type == FF_KEY_TEXT) {
        memcpy(&text, value, sizeof text);
        snprintf(out, size, "%s", text ? text : "");
    } else if (SIZES[k->type] > 0) {
        memcpy(&whole, value, sizeof whole);
        if (k->choices)
            snprintf(out, size, "%s", k->choices[whole]);
        else
            snprintf(out, size, "%d", whole);
    }
}
