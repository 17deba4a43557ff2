// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How a user ends a command that runs for long.
#ifndef FOOTFALL_APPS_INTERRUPT_H
#define FOOTFALL_APPS_INTERRUPT_H

#include <stdbool.h>

/// From now on Ctrl-C, a request to end (SIGTERM) and a terminal that goes away (SIGHUP, unless nohup has switched that
/// off) ask for a clean end; the second one is final. Writing to a reader that has gone (SIGPIPE) fails, as on a full
/// disk.
void watch_interrupts(void);

/// From now on writing beyond a limit on the size of files (SIGXFSZ) fails, as on a full disk.
void let_writing_fail(void);

/// Has the user asked for the end? From any thread; of the type of ff_link_options.stop. @param context  not used
bool is_interrupted(void *context);

#endif
