// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Permissions of scripts, and controllers in C as shared objects (controllers.h).
#include "controllers.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool permissions_read(const char *text, unsigned *permissions)
{
    while (text && *text) {
        const size_t length = strcspn(text, ",");
        int found = -1;
        for (int i = 0; ff_permission_names[i]; i++)
            if (strlen(ff_permission_names[i]) == length && strncmp(text, ff_permission_names[i], length) == 0)
                found = i;
        if (found < 0) return false;
        *permissions |= 1U << found;
        text += length + (text[length] == ',');
    }
    return true;
}

// ------------------------------------------------------------------------------------------ controllers in C

/// A name without a slash is a file in the current folder, not a library of the system.
static void *open_object(const char *path, ff_error *err)
{
    char here[4096];
    snprintf(here, sizeof here, "%s%.4000s", strchr(path, '/') ? "" : "./", path);
    void *object = dlopen(here, RTLD_NOW | RTLD_LOCAL);
    if (!object) ff_error_set(err, FF_BAD_FILE, "--plugin: it cannot be loaded: %.400s", dlerror());
    return object;
}

bool plugin_use(const char *path, const ff_scene_spec *scene, ff_run_controller *out, ff_run_options *options,
                ff_error *err)
{
    if (!path) return true;
    void *object = open_object(path, err);
    if (!object) return false;
    const ff_plugin *plugin = dlsym(object, "footfall_plugin");
    if (!plugin) {
        ff_error_set(err, FF_BAD_FILE,
                     "--plugin: %.200s has no symbol footfall_plugin: `FF_API const ff_plugin footfall_plugin = {..};` "
                     "defines it",
                     path);
        return false;
    }
    *out = (ff_run_controller){.robot = ff_scene_first_steered(scene), .plugin = plugin};
    options->controllers = out;
    options->ncontroller = 1;
    return true;
}
