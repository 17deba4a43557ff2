// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A script in Lua that steers a robot: control_lua.c reads what a scene says of it, lua_sandbox.c holds it in bounds, lua_script.c runs it. Nothing here
// needs Lua but the last two.
#ifndef FOOTFALL_SCENE_LUA_SCRIPT_H
#define FOOTFALL_SCENE_LUA_SCRIPT_H

#include "scene/control_kind.h"

/// A value of the scene that a script gets: a number, a word, a list or a map.
typedef struct ff_lua_value {
    enum { FF_LUA_NUMBER, FF_LUA_BOOLEAN, FF_LUA_TEXT, FF_LUA_LIST, FF_LUA_MAP } type;
    const char *key; // in a map
    double number;   // also of a boolean
    const char *text;
    struct ff_lua_value *child, *next;
} ff_lua_value;

/// What a script may use beyond the plain library.
enum {
    FF_LUA_IO = 1,         // io
    FF_LUA_OS = 2,         // os
    FF_LUA_REQUIRE = 4,    // require and package
    FF_LUA_DEBUG = 8,      // debug
    FF_LUA_PATTERNS = 16,  // string.find and friends, whose time no count of instructions bounds
    FF_LUA_METATABLES = 32 // setmetatable and friends, likewise
};

typedef struct ff_lua_settings {
    const char *path;
    const char *text;
    size_t length;
    const ff_lua_value *parameters; // a map; NULL: none
    unsigned allow;
    double instructions; // most in a cycle
    double memory;       // most of all  [byte]
    int ncommand;
} ff_lua_settings;

typedef struct ff_lua_script ff_lua_script;

/// Loads the script, lets it start and fills `out`. @return FF_BAD_FILE with file and line in `err`
ff_status ff_lua_script_begin(const ff_lua_settings *settings, const ff_control_site *site, ff_scene_controller *out,
                              ff_error *err);
/// Another text in the place of a script that runs: what both have goes on. On success `out` is the new one, and `old` belongs to it.
/// @return FF_BAD_FILE with file and line in `err`, its line also in `at`; then `old` is as it was
ff_status ff_lua_script_reload(void *old, const char *text, size_t length, const ff_control_site *site,
                               ff_scene_controller *out, int *at, ff_error *err);
/// As it runs.
const ff_lua_settings *ff_lua_script_settings(const void *script);
/// Parameters the script declares. @return how many were filled
int ff_lua_script_parameters(const void *script, ff_scene_parameter *out, int most);
ff_status ff_lua_script_set_parameter(void *script, const char *name, double value, ff_error *err);
ff_status ff_lua_script_command(void *script, double t, const void *wish, ff_error *err);
/// What is new since the last call; lines that were printed are told once.
void ff_lua_script_tell_news(void *script, ff_report *report);
/// Errors, references that made no sense, and what the script printed.
void ff_lua_script_tell(const void *script, ff_place place, ff_report *report);
void ff_lua_script_end(void *script);
/// Is it Lua? Nothing is run.
void ff_lua_check_text(const char *path, const char *text, size_t length, ff_report *report);

#endif
