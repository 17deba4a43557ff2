// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands that kinds of controllers have in common, commands.h.
#include "steer/commands.h"

#include <string.h>

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

#define OF ff_plan_command
const ff_row ff_plan_command_rows[] = {
    FF_COMMAND_SWITCH("walk", walk, "false: stop in the midst of the plan, and stand; true: go on"),
    {0},
};
#undef OF

void *ff_plan_command_read(const ff_steer_reader *r, ff_yaml *entry, void *settings)
{
    ff_plan_command *c = FF_ARENA_NEW(r->arena, ff_plan_command, 1);
    (void)settings;
    if (c) ff_control_keys_read(r, entry, ff_plan_command_rows, c, c->given);
    return c;
}

int ff_plan_command_list(bool walks, ff_command_key *out, int most)
{
    const ff_command_range ranges[] = {{.row = 0}};
    return FF_COMMAND_KEYS(ff_plan_command_rows, &(ff_plan_command){.walk = walks}, ranges, out, most);
}
