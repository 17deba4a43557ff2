// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// --allow: what scripts of scenes may use beyond Lua itself, and whether controllers in Python run.
#ifndef FOOTFALL_APPS_DOORS_H
#define FOOTFALL_APPS_DOORS_H

#include <stdbool.h>

#define DOORS_HELP                                                                                                     \
    "Let scripts that ask for them use io, os, require, debug, and controllers in Python run: then they can do "       \
    "whatever you can"
#define DOORS_MISTAKE "--allow %s: there are io, os, require, debug and python, with commas between"

/// "io,os" of the command line, NULL: nothing. False where a word is none of the doors.
bool doors_read(const char *text, unsigned *doors);

#endif
