// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A script in Lua that steers a robot: kind_lua.c reads what a scene says of it, lua_sandbox.c bounds it, lua_script.c
// runs it. Only the last two need Lua.
#ifndef FOOTFALL_STEER_LUA_SCRIPT_H
#define FOOTFALL_STEER_LUA_SCRIPT_H

#include "steer/kind.h"

/// What a script may use beyond the plain library.
enum {
    FF_LUA_IO = FF_PERMIT_IO,
    FF_LUA_OS = FF_PERMIT_OS,
    FF_LUA_REQUIRE = FF_PERMIT_REQUIRE,
    FF_LUA_DEBUG = FF_PERMIT_DEBUG,
    FF_LUA_PATTERNS = FF_PERMIT_ALL + 1,    // string.find and friends, whose time no count of instructions bounds
    FF_LUA_METATABLES = 2 * FF_LUA_PATTERNS // setmetatable and friends, likewise
};

typedef struct ff_lua_settings {
    const char *path;
    const char *text;
    size_t length;
    const ff_script_value *parameters; // a map; NULL: none
    unsigned allow;
    double instructions; // most in a cycle
    double memory;       // most of all  [byte]
    int ncommand;
} ff_lua_settings;

typedef struct ff_lua_script ff_lua_script;

// The functions of the kind and of scripts, see kind.h. lua_script.c, lua_reload.c, lua_given.c, lua_report.c
ff_status ff_lua_script_create(const void *settings, const ff_controller_site *site, void **out, ff_error *err);
/// Loads the script and lets it start. @return FF_BAD_FILE with file and line in `err`
ff_status ff_lua_script_bind(void *script, const ff_controller_site *site, ff_controller *bound, ff_error *err);
void ff_lua_script_step(void *script, double t, const ff_io_frame *sensors, ff_io_frame *references);
ff_status ff_lua_script_command(void *script, double t, const ff_command *command, ff_error *err);
ff_status ff_lua_script_check(const void *script, ff_error *err);
/// Errors, invalid references, and what the script printed.
void ff_lua_script_report(const void *script, ff_place place, ff_report *report);
void ff_lua_script_destroy(void *script);
void ff_lua_script_get_text(const void *script, const char **path, const char **text, size_t *length);
/// Values that both texts have are kept.
ff_status ff_lua_script_set_text(void **script, const char *text, size_t length, const ff_controller_site *site,
                                 int *line, ff_error *err);
int ff_lua_script_parameters(const void *script, ff_script_parameter *out, int most);
ff_status ff_lua_script_set_parameter(void *script, const char *name, double value, ff_error *err);
/// Lines that were printed are reported once.
void ff_lua_script_report_new(void *script, ff_report *report);

/// Checks that the text is Lua; nothing is run.
void ff_lua_check_text(const char *path, const char *text, size_t length, ff_report *report);

#endif
