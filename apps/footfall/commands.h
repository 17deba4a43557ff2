// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands of the program, one file each.
#ifndef FOOTFALL_APPS_COMMANDS_H
#define FOOTFALL_APPS_COMMANDS_H

#include "options.h"

extern const command run_command;
extern const command check_command;
extern const command info_command;
extern const command eval_command;
extern const command bench_command;
extern const command completion_command;
extern const command help_command;

#endif
