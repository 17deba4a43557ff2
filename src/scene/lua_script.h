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
void ff_lua_script_command(void *script, double t, const void *wish);
/// Errors, references that made no sense, and what the script printed.
void ff_lua_script_tell(const void *script, ff_place place, ff_report *report);
void ff_lua_script_end(void *script);

#endif
