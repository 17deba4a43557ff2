// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Controllers that the program does not contain, plug-ins in C and controllers in Python; permissions of scripts.
#ifndef FOOTFALL_APPS_CONTROLLERS_H
#define FOOTFALL_APPS_CONTROLLERS_H

#include "commands.h"

#include <footfall/run.h>
#include <footfall/steer.h>

// ------------------------------------------------------------------------------------------ scripts

#define ALLOW_OPTION(type, field)                                                                                      \
    OPTION(type, field, "allow", TEXT, "io,os",                                                                        \
           "Permit scripts that need them to use io, os, require, debug, and controllers in Python to run: they can "  \
           "then do whatever you can")
#define PERMISSIONS_MISTAKE "--allow %s: there are io, os, require, debug and python, with commas between"

/// Reads the value of --allow, such as "io,os"; NULL gives no permission. @return false: a word names no permission
bool permissions_read(const char *text, unsigned *permissions);

// ------------------------------------------------------------------------------------------ controllers in C

// Only the command line can name a plug-in, not a scene, because it can do whatever its user can.

#define PLUGIN_OPTION(type, field)                                                                                     \
    OPTION(type, field, "plugin", TEXT, "FILE",                                                                        \
           "A controller in C for the first robot with a controller: a shared object with the symbol footfall_plugin " \
           "(docs/controllers.md). It can do whatever you can")

/// Loads a plug-in, which stays until the program ends, and replaces the controller of a scene by it.
/// @param path     of the shared object; NULL: does nothing
/// @param out      receives the controller; must exist as long as `options`
/// @return false with the reason in `err`
bool plugin_use(const char *path, const ff_scene_spec *scene, ff_run_controller *out, ff_run_options *options,
                ff_error *err);

// ------------------------------------------------------------------------------------------ controllers in Python

// The program is not linked with Python: it opens the library of an interpreter when the first scene names a controller
// in Python, and takes the functions that run it from the Python module footfall.

/// For ff_run_options.python. @return NULL; `err` says what is missing and how to get it
const ff_python_host *python_find(ff_error *err);

#endif
