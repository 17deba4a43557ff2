// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A script in Lua as a controller: kind_lua.c reads its settings, lua_script.c and lua_sandbox.c run it. Only
// kind_lua.c can be compiled without Lua.
#ifndef FOOTFALL_STEER_LUA_SCRIPT_H
#define FOOTFALL_STEER_LUA_SCRIPT_H

#include "steer/kind.h"

/// What a script may use beyond the plain library.
enum {
    FF_LUA_IO = FF_PERMIT_IO,
    FF_LUA_OS = FF_PERMIT_OS,
    FF_LUA_REQUIRE = FF_PERMIT_REQUIRE,
    FF_LUA_DEBUG = FF_PERMIT_DEBUG,
    FF_LUA_PATTERNS = FF_PERMIT_ALL + 1,    // string.find and the like, whose time no count of instructions bounds
    FF_LUA_METATABLES = 2 * FF_LUA_PATTERNS // setmetatable and the like, likewise
};

typedef struct ff_lua_settings {
    ff_script_source source;
    unsigned allow;      // FF_LUA_.. that it may use
    double instructions; // most in a cycle
    double memory;       // most in all  [byte]
} ff_lua_settings;

typedef struct ff_lua_script ff_lua_script;

// Functions of ff_controller_kind and ff_script_functions (lua_script.c, lua_reload.c, lua_given.c, lua_report.c).
ff_status ff_lua_script_create(const void *settings, const ff_controller_site *site, void **out, ff_error *err);
/// Loads the script and lets it start. @return FF_BAD_FILE with file and line in `err`
ff_status ff_lua_script_bind(void *script, const ff_controller_site *site, ff_controller *bound, ff_error *err);
void ff_lua_script_step(void *script, double t, const ff_io_frame *sensors, ff_io_frame *references);
ff_status ff_lua_script_command(void *script, double t, const ff_command *command, ff_error *err);
ff_status ff_lua_script_check(const void *script, ff_error *err);
/// Reports the failure, invalid references, and lines that the script printed.
void ff_lua_script_report(const void *script, ff_place place, ff_report *report);
void ff_lua_script_destroy(void *script);
void ff_lua_script_get_text(const void *script, const char **path, const char **text, size_t *length);
/// Values that both texts have do not change.
ff_status ff_lua_script_set_text(void **script, const char *text, size_t length, const ff_controller_site *site,
                                 int *line, ff_error *err);
int ff_lua_script_parameters(const void *script, ff_script_parameter *out, int most);
ff_status ff_lua_script_set_parameter(void *script, const char *name, double value, ff_error *err);
/// The same, each message once.
void ff_lua_script_report_new(void *script, ff_report *report);

/// Checks that the text is Lua; nothing is run.
void ff_lua_check_text(const char *path, const char *text, size_t length, ff_report *report);

#endif
