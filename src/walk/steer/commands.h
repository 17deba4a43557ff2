// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What kinds of controllers share about commands: the list of those that can be given now, and the one command of
// controllers that follow a plan of their own.
#ifndef FOOTFALL_STEER_COMMANDS_H
#define FOOTFALL_STEER_COMMANDS_H

#include "steer/control_key.h"

#include <footfall/steer.h>

/// A key that can be commanded now: the number of its row, and the range of its slider, which a switch does not need.
typedef struct ff_command_range {
    int row;
    double low, high;
} ff_command_range;

/// Lists the first `most` of these keys: names, units and words are those of the rows, values are in the struct that
/// the rows are about. @return how many
int ff_command_keys(const ff_row *rows, const void *values, const ff_command_range *ranges, int count,
                    ff_command_key *out, int most);
/// The same of an array of ranges.
#define FF_COMMAND_KEYS(rows, values, ranges, out, most)                                                               \
    ff_command_keys(rows, values, ranges, (int)(sizeof(ranges) / sizeof *(ranges)), out, most)

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
