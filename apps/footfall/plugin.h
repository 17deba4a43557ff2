// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// --plugin: a controller in C in a shared object. Only the command line names one, never a scene: it can do whatever
// its user can.
#ifndef FOOTFALL_APPS_PLUGIN_H
#define FOOTFALL_APPS_PLUGIN_H

#include <footfall/run.h>

#define PLUGIN_HELP                                                                                                    \
    "A controller in C for the first robot with one: a shared object with the symbol footfall_plugin "                 \
    "(docs/controllers.md). It can do whatever you can"

/// Loads a plug-in, which stays until the program ends, and lets it take the place of the controller of a scene.
/// @param path     of the object; NULL: nothing is done
/// @param out      lives as long as `options`
/// @return false with the reason in `err`
bool plugin_use(const char *path, const ff_scene_spec *scene, ff_run_controller *out, ff_run_options *options,
                ff_error *err);

#endif
