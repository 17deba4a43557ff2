// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The studio of the program, for the commands that open it.
#ifndef FOOTFALL_APPS_STUDIO_H
#define FOOTFALL_APPS_STUDIO_H

#include "commands.h"

#include <footfall/studio.h>

typedef struct studio_target {
    const char *scene; // NULL: none
    text_list set;     // values of the scene
    const char *root;  // NULL: the current folder
    number_list port;  // one number; none: not given
    bool no_browser;
    const ff_batch_options *batch; // as ff_studio_setup has it
    double batch_time;             // [s]
    const char *panel;             // shown first by the page, NULL: its default
} studio_target;

/// Serves the studio until it is interrupted. @return exit code; errors are printed to stderr
int open_studio(const command *self, const studio_target *target, ff_arena *arena);

#endif
