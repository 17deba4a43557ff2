// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables of keys at work: reading a map, copying what was given, values as text.
#include "steer/control_key.h"

#include <stdio.h>
#include <string.h>

/// Of the value in its struct; 0: the kind reads it.
static size_t size_of(const ff_row *key)
{
    if (key->takes == FF_TAKES_NUMBER) return sizeof(double);
    if (key->takes == (FF_TAKES_NUMBER | FF_TAKES_WHOLE) || key->takes == FF_TAKES_WORD) return sizeof(int);
    if (key->takes == FF_TAKES_SWITCH) return sizeof(bool);
    return key->takes == FF_TAKES_TEXT ? sizeof(char *) : 0;
}

// ------------------------------------------------------------------------------------------ reading

/// @return false where it is absent or wrong: then `value` is as it was
static bool read_one(const ff_steer_reader *r, ff_yaml *map, const ff_row *k, void *value)
{
    const int errors = r->report->errors;
    ff_yaml *node = ff_yaml_get(map, k->name);
    double number = 0.0;
    int whole = 0;
    bool on = false;
    const char *text = NULL;
    const void *from = &number;
    if (!node) return false;
    if (k->takes == FF_TAKES_NUMBER)
        ff_yaml_as_number(node, &number, r->report);
    else if (k->takes & FF_TAKES_WHOLE)
        from = &whole, whole = ff_yaml_integer(map, k->name, 0, r->report);
    else if (k->takes == FF_TAKES_WORD)
        from = &whole, whole = ff_yaml_choice(map, k->name, k->words, 0, r->report);
    else if (k->takes == FF_TAKES_SWITCH)
        from = &on, on = ff_yaml_boolean(map, k->name, false, r->report);
    else {
        text = ff_yaml_as_string(node, r->report);
        if (!text || !(text = ff_arena_strdup(r->arena, text))) return false;
        from = &text;
    }
    if (r->report->errors != errors) return false;
    memcpy(value, from, size_of(k));
    return true;
}

void ff_control_keys_read(const ff_steer_reader *r, ff_yaml *map, const ff_row *table, void *values, bool *given)
{
    for (int i = 0; table && table[i].name; i++) {
        const ff_row *k = &table[i];
        if (size_of(k) > 0) {
            const bool sound = read_one(r, map, k, (char *)values + k->offset);
            if (given) given[i] = sound;
        }
    }
}

// ------------------------------------------------------------------------------------------ values

void ff_control_keys_copy(const ff_row *table, const bool *given, const void *from, void *to)
{
    for (int i = 0; table[i].name; i++)
        if (given[i]) memcpy((char *)to + table[i].offset, (const char *)from + table[i].offset, size_of(&table[i]));
}

void ff_control_key_format(const ff_row *k, const void *values, char *out, size_t size)
{
    double number;
    int whole;
    bool on;
    const char *text;
    const char *value = (const char *)values + k->offset;
    out[0] = '\0';
    if (k->takes == FF_TAKES_NUMBER) {
        memcpy(&number, value, sizeof number);
        snprintf(out, size, "%.15g", number);
    } else if (k->takes == FF_TAKES_SWITCH) {
        memcpy(&on, value, sizeof on);
        snprintf(out, size, "%s", on ? "true" : "false");
    } else if (k->takes == FF_TAKES_TEXT) {
        memcpy(&text, value, sizeof text);
        snprintf(out, size, "%s", text ? text : "");
    } else if (size_of(k) > 0) {
        memcpy(&whole, value, sizeof whole);
        if (k->words)
            snprintf(out, size, "%s", k->words[whole]);
        else
            snprintf(out, size, "%d", whole);
    }
}
