// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands of the program, one file each.
#ifndef FOOTFALL_APPS_COMMANDS_H
#define FOOTFALL_APPS_COMMANDS_H

#include "options.h"

#include <footfall/json.h>

extern const command run_command;
extern const command serve_command;
extern const command control_command;
extern const command hardware_command;
extern const command ethercat_command;
extern const command twin_command;
extern const command check_command;
extern const command info_command;
extern const command eval_command;
extern const command convert_command;
extern const command image_command;
extern const command batch_command;
extern const command keys_command;
extern const command experiments_command;
extern const command plot_command;
extern const command report_command;
extern const command studio_command;
extern const command bench_command;
extern const command completion_command;
extern const command help_command;

/// Prints what was written into `json` to stdout and frees it. @return EXIT_FINE, or EXIT_INPUT when memory ran out
int print_json_text(ff_json *json);

#endif
