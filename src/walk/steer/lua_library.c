// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a script in Lua may call.
// - It lacks what reaches outside (io, os, require, load, debug) and what no count can bound (metatables with __gc and
//   __len, patterns), unless allowed.
// - Every function counts as the work it does (lua_prices.c), and `pairs` goes by sorted keys (lua_pairs.c).
// - Random numbers are those of the scene. Sine and cosine are ours, bit-identical everywhere.
#include "steer/lua_sandbox.h"
#include "steer/lua_script.h"

#include <footfall/math.h>
#include <math.h>

// ------------------------------------------------------------------------------------------ functions of our own

/// A number that is given. One to be read from a text counts by its length, as with every other function.
static double number(lua_State *L, int index)
{
    if (lua_type(L, index) == LUA_TNUMBER) return lua_tonumber(L, index);
    if (lua_type(L, index) == LUA_TSTRING) ff_lua_sandbox_charge(L, 0.25 * (double)lua_rawlen(L, index));
    return luaL_checknumber(L, index);
}

// Functions of one number that each cycle of a gait calls often: to count them apart would take longer than they do.

/// Sine and cosine of the number that is given, bit-identical everywhere.
static void turn(lua_State *L, double *s, double *c)
{
    const double angle = number(L, 1);
    ff_sincos(&angle, s, c, 1);
}

static int sine(lua_State *L)
{
    double s, c;
    turn(L, &s, &c);
    lua_pushnumber(L, s);
    return 1;
}

static int cosine(lua_State *L)
{
    double s, c;
    turn(L, &s, &c);
    lua_pushnumber(L, c);
    return 1;
}

static int root(lua_State *L)
{
    lua_pushnumber(L, sqrt(number(L, 1)));
    return 1;
}

static int arc_sine(lua_State *L)
{
    lua_pushnumber(L, ff_asin(number(L, 1)));
    return 1;
}

static int arc_cosine(lua_State *L)
{
    lua_pushnumber(L, ff_acos(number(L, 1)));
    return 1;
}

static int arc_tangent(lua_State *L)
{
    const double y = number(L, 1), x = lua_isnoneornil(L, 2) ? 1.0 : number(L, 2);
    lua_pushnumber(L, ff_atan2(y, x));
    return 1;
}

/// math.random as Lua's, from the stream of the scene.
static int random_number(lua_State *L)
{
    const double u = ff_random_uniform(ff_lua_sandbox_of(L)->random);
    if (lua_gettop(L) == 0) {
        lua_pushnumber(L, u);
        return 1;
    }
    const lua_Integer low = lua_gettop(L) > 1 ? luaL_checkinteger(L, 1) : 1,
                      high = luaL_checkinteger(L, lua_gettop(L) > 1 ? 2 : 1);
    luaL_argcheck(L, low <= high, lua_gettop(L) > 1 ? 2 : 1, "interval is empty");
    const double span = (double)high - (double)low + 1.0;
    luaL_argcheck(L, span < 9e15, 1, "interval is too wide");
    lua_pushinteger(L, low + (lua_Integer)floor(u * span));
    return 1;
}

static int say(lua_State *L)
{
    ff_lua_sandbox *box = ff_lua_sandbox_of(L);
    luaL_Buffer text;
    const int n = lua_gettop(L);
    luaL_buffinit(L, &text);
    for (int i = 1; i <= n; i++) {
        if (i > 1) luaL_addchar(&text, ' ');
        if (lua_isnumber(L, i) || lua_isstring(L, i) || lua_isboolean(L, i) || lua_isnil(L, i))
            luaL_tolstring(L, i, NULL);
        else
            lua_pushstring(L, luaL_typename(L, i)); // addresses differ from run to run
        luaL_addvalue(&text);
    }
    luaL_pushresult(&text);
    box->say(box->context, lua_tostring(L, -1));
    return 0;
}

static int to_text(lua_State *L)
{
    luaL_checkany(L, 1);
    if (lua_istable(L, 1) || lua_isfunction(L, 1) || lua_isuserdata(L, 1))
        lua_pushstring(L, luaL_typename(L, 1));
    else
        luaL_tolstring(L, 1, NULL);
    return 1;
}

// ------------------------------------------------------------------------------------------ the library

static int set_global(lua_State *L)
{
    if (ff_lua_sandbox_of(L)->locked)
        return luaL_error(L, "global '%s' cannot change once the script has started: keep what changes in 'memory'",
                          lua_isstring(L, 2) ? lua_tostring(L, 2) : "?");
    lua_rawset(L, lua_upvalueindex(1));
    return 0;
}

/// Copies functions of the table at `from` to the one at the top.
static void copy_fields(lua_State *L, int from, const char *const *names)
{
    for (; *names; names++) {
        lua_getfield(L, from, *names);
        lua_setfield(L, -2, *names);
    }
}

static void drop_fields(lua_State *L, const char *library, const char *const *names)
{
    lua_getglobal(L, library);
    for (; *names; names++) {
        lua_pushnil(L);
        lua_setfield(L, -2, *names);
    }
    lua_pop(L, 1);
}

static void open_library(lua_State *L, const char *name, lua_CFunction open)
{
    luaL_requiref(L, name, open, 1);
    lua_pop(L, 1);
}

static void trim_libraries(lua_State *L, unsigned allow)
{
    static const char *const patterns[] = {"find", "match", "gmatch", "gsub", NULL};
    static const char *const strings[] = {"dump", "pack", "unpack", "packsize", NULL};
    static const char *const tables[] = {"move", NULL};
    static const char *const maths[] = {"randomseed", NULL};
    static const luaL_Reg own[] = {{"sin", sine},        {"cos", cosine},       {"sqrt", root}, {"asin", arc_sine},
                                   {"acos", arc_cosine}, {"atan", arc_tangent}, {NULL, NULL}};
    drop_fields(L, "string", strings);
    if (!(allow & FF_LUA_PATTERNS)) drop_fields(L, "string", patterns);
    drop_fields(L, "table", tables);
    drop_fields(L, "math", maths);
    lua_getglobal(L, "math");
    lua_pushcfunction(L, random_number);
    lua_setfield(L, -2, "random");
    ff_lua_count_calls(L);
    luaL_setfuncs(L, own, 0);
    lua_getglobal(L, "string");
    ff_lua_count_calls(L);
    lua_getglobal(L, "table");
    ff_lua_count_calls(L);
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1); // "1" + 1 calls functions too
    ff_lua_count_calls(L);
    lua_pop(L, 5);
}

/// The globals a script sees, into the registry; `environment` is an empty table in front of them.
static void make_globals(lua_State *L, unsigned allow)
{
    static const char *const plain[] = {"assert", "error",  "ipairs", "math",     "rawequal", "rawget", "rawlen",
                                        "select", "string", "table",  "tonumber", "type",     "pcall",  NULL};
    static const char *const libraries[][2] = {{"io", NULL}, {"os", NULL}, {"require", NULL}, {"debug", NULL}};
    static const char *const metatables[] = {"setmetatable", "getmetatable", "rawset", "next", NULL};
    lua_pushglobaltable(L);
    const int from = lua_gettop(L);
    lua_newtable(L);
    const int globals = lua_gettop(L);
    copy_fields(L, from, plain);
    if (allow & FF_LUA_METATABLES) copy_fields(L, from, metatables);
    lua_pushcfunction(L, ff_lua_pairs);
    lua_setfield(L, globals, "pairs");
    lua_pushcfunction(L, say);
    lua_setfield(L, globals, "print");
    lua_pushcfunction(L, to_text);
    lua_setfield(L, globals, "tostring");
    ff_lua_count_calls(L);
    for (int i = 0; i < 4; i++) // with functions that need what they were made with
        if (allow & (1U << i)) copy_fields(L, from, libraries[i]);
    lua_pushvalue(L, globals);
    lua_setfield(L, LUA_REGISTRYINDEX, "footfall.globals");
    lua_newtable(L); // the environment of the script
    lua_newtable(L);
    lua_pushvalue(L, globals);
    lua_setfield(L, -2, "__index");
    lua_pushvalue(L, globals);
    lua_pushcclosure(L, set_global, 1);
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, -2);
    lua_setfield(L, LUA_REGISTRYINDEX, "footfall.environment");
}

static int open_libraries(lua_State *L)
{
    const unsigned allow = *(const unsigned *)lua_touserdata(L, 1);
    open_library(L, "_G", luaopen_base);
    open_library(L, "math", luaopen_math);
    open_library(L, "string", luaopen_string);
    open_library(L, "table", luaopen_table);
    if (allow & FF_LUA_REQUIRE) open_library(L, "package", luaopen_package);
    if (allow & FF_LUA_IO) open_library(L, "io", luaopen_io);
    if (allow & FF_LUA_OS) open_library(L, "os", luaopen_os);
    if (allow & FF_LUA_DEBUG) open_library(L, "debug", luaopen_debug);
    trim_libraries(L, allow);
    make_globals(L, allow);
    return 0;
}

ff_status ff_lua_sandbox_open(ff_lua_sandbox *box, size_t memory, unsigned allow, ff_error *err)
{
    if (ff_lua_sandbox_make(box, memory, allow) && ff_lua_sandbox_call(box, open_libraries, &allow, 1e6)) return FF_OK;
    ff_lua_sandbox_close(box);
    return ff_error_set(err, FF_NO_MEMORY, "no memory for a script in Lua");
}
