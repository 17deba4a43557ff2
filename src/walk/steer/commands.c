// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands that kinds of controllers have in common, commands.h.
#include "steer/commands.h"

#include <string.h>

const char *const ff_command_switch[] = {"false", "true", NULL};

int ff_command_list(const ff_command_key *list, int count, ff_command_key *out, int most)
{
    const int n = count < most ? count : most;
    memcpy(out, list, (size_t)n * sizeof *out);
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
    const ff_command_key list[] = {{"walk", "", 0, 1, walks, ff_command_switch}};
    return FF_COMMAND_LIST(list, out, most);
}
