// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What kinds of controllers share about commands: the list of those that can be given now, and the one command of
// controllers that follow a plan of their own.
#ifndef FOOTFALL_STEER_COMMANDS_H
#define FOOTFALL_STEER_COMMANDS_H

#include "steer/control_key.h"

#include <footfall/steer.h>

/// Words of a switch, as choices of an ff_command_key.
extern const char *const ff_command_switch[];

/// Copies the first `most` commands of a list. @return how many
int ff_command_list(const ff_command_key *list, int count, ff_command_key *out, int most);
/// The same of an array.
#define FF_COMMAND_LIST(list, out, most) ff_command_list(list, (int)(sizeof(list) / sizeof *(list)), out, most)

/// `walk: false` stops a controller that follows its own plan, `walk: true` lets it go on.
typedef struct ff_plan_command {
    bool walk, given[1];
} ff_plan_command;
extern const ff_row ff_plan_command_rows[];
/// `read_command` of such a kind.
void *ff_plan_command_read(const ff_steer_reader *r, ff_yaml *entry, void *settings);
/// Its `command_keys`.
int ff_plan_command_list(bool walks, ff_command_key *out, int most);

#endif
