// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Settings and commands as files give them, and the list of commands that can be given now.
#include "steer/kind.h"

#include <string.h>

// ------------------------------------------------------------------------------------------ reading

enum { MOST_NUMBERS = 8 }; // of one setting

/// Reads a list, or one number for all its items.
static void read_numbers(ff_yaml *map, ff_yaml *node, const ff_row *k, double *out, ff_report *report)
{
    if (node->type == FF_YAML_LIST)
        ff_yaml_numbers(map, k->name, out, k->least, k->most, report);
    else if (ff_yaml_as_number(node, &out[0], report))
        for (int i = 1; i < k->most; i++) out[i] = out[0];
}

/// Reads the value of one row. @return false where it is absent or wrong: then `value` does not change
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
        const bool valid = read_one(r, map, k, (char *)values + k->offset);
        if (given) given[i] = valid;
    }
}

const ff_command *ff_command_read(const ff_steer_reader *r, const ff_controller_kind *kind, ff_yaml *entry,
                                  void *settings)
{
    const int errors = r->report->errors;
    int rows = 0;
    while (kind->commands && kind->commands[rows].name) rows++;
    ff_command *c = FF_ARENA_NEW(r->arena, ff_command, 1);
    if (!c) return NULL;
    c->given = FF_ARENA_NEW(r->arena, bool, rows + 1);
    c->values = kind->commands ? ff_arena_alloc(r->arena, 1, kind->command_size) : ff_script_read_value(r, entry);
    if (!c->given || !c->values) return NULL;
    ff_control_keys_read(r, entry, kind->commands, c->values, c->given);
    c->valid = r->report->errors == errors;
    if (kind->read_command) kind->read_command(r, entry, settings, c);
    return r->report->errors == errors ? c : NULL;
}

// ------------------------------------------------------------------------------------------ commands that can be given

static const char *const SWITCH[] = {"false", "true", NULL};

static double value_of(const ff_row *row, const void *value)
{
    double number = 0.0;
    int word = 0;
    bool on = false;
    if (row->takes == FF_TAKES_WORD)
        memcpy(&word, value, sizeof word);
    else if (row->takes == FF_TAKES_SWITCH)
        memcpy(&on, value, sizeof on);
    else if (row->takes == FF_TAKES_NUMBER)
        memcpy(&number, value, sizeof number);
    return number + word + on;
}

int ff_command_keys(const ff_row *rows, const void *values, const ff_command_range *ranges, int count,
                    ff_command_key *out, int most)
{
    const int n = count < most ? count : most;
    for (int i = 0; i < n; i++) {
        const ff_row *row = &rows[ranges[i].row];
        const bool on_off = row->takes == FF_TAKES_SWITCH, plain = row->takes == FF_TAKES_NUMBER && !row->unit[0];
        out[i] = (ff_command_key){.key = row->name,
                                  .unit = plain ? "1" : row->unit,
                                  .low = ranges[i].low,
                                  .high = on_off ? 1.0 : ranges[i].high,
                                  .value = value_of(row, (const char *)values + row->offset),
                                  .choices = on_off ? SWITCH : row->words};
    }
    return n;
}

const ff_row ff_plan_command[] = {
    FF_SWITCH("walk", NULL, "false: stop within the plan, and stand; true: go on"),
    {0},
};
