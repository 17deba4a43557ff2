// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// --allow: what scripts of scenes may use beyond Lua itself, and whether controllers in Python run.
#ifndef FOOTFALL_APPS_PERMISSIONS_H
#define FOOTFALL_APPS_PERMISSIONS_H

#include <stdbool.h>

#define PERMISSIONS_HELP                                                                                               \
    "Let scripts that ask for them use io, os, require, debug, and controllers in Python run: then they can do "       \
    "whatever you can"
#define PERMISSIONS_MISTAKE "--allow %s: there are io, os, require, debug and python, with commas between"

/// "io,os" of the command line, NULL: nothing. False where a word is none of the permissions.
bool permissions_read(const char *text, unsigned *permissions);

#endif
