// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The library of a script in Lua.
// - Functions that reach outside (io, os, require, load, debug) or that no count can bound (metatables with __gc and
//   __len, patterns) are absent unless allowed.
// - Every function is charged for its work, and `pairs` follows sorted keys.
// - Random numbers are those of the scene. Sine and cosine are ours, bit-identical everywhere.
#include "steer/lua_private.h"

#include <footfall/math.h>
#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ prices

// Lua counts a call as one instruction, whatever the function does. Here every function of the library, the arithmetic
// of strings among them, has a price by the bytes, values and entries that it goes through, in instructions. One that
// is not in the list has the price of the most expensive kind.

static const double LISTED = 65536.0; // more entries than fit on the stack or into a table

/// Price of a call, beside the instruction that makes it. An instruction takes some 10 ns; prices are measured times,
/// rounded such that none exceeds 50 ns an instruction.
typedef struct ff_lua_price {
    const char *name;
    double call;  // of any call
    double byte;  // of the strings it is given
    double value; // given or returned
    double entry; // of the list that is its first argument, ..
    int from;     // .. where there are so many arguments; 0: never
    double (*work)(lua_State *L);
} ff_lua_price;

/// table.concat: by the number of entries asked for, present or not. Writing a number takes a microsecond.
static double joined(lua_State *L)
{
    const double from = luaL_optnumber(L, 3, 1.0),
                 to = lua_isnoneornil(L, 4) && lua_istable(L, 1) ? (double)lua_rawlen(L, 1) : luaL_optnumber(L, 4, 0.0);
    return 40.0 * ff_min(ff_max(to - from + 1.0, 0.0), LISTED);
}

/// string.rep: by copies. Lua would count to n even where there is nothing to repeat, so n becomes zero then.
static double repeated(lua_State *L)
{
    size_t length, between = 0;
    luaL_checklstring(L, 1, &length);
    luaL_optlstring(L, 3, "", &between);
    const double n = (double)luaL_checkinteger(L, 2);
    if (length + between > 0) return 0.25 * ff_min(ff_max(n, 0.0), LISTED);
    lua_pushinteger(L, 0);
    lua_replace(L, 2);
    return 0.0;
}

static const ff_lua_price PRICES[] = {
    {.name = "assert", .call = 5, .value = 1},
    {.name = "byte", .call = 5, .value = 1},
    {.name = "concat", .call = 5, .value = 1, .work = joined},
    {.name = "error", .call = 5, .value = 1},
    {.name = "fmod", .call = 300, .byte = 0.25, .value = 1}, // bit by bit where exponents differ
    {.name = "format", .call = 20, .byte = 2, .value = 300}, // %f of 1e308 has 309 digits
    {.name = "insert", .call = 5, .value = 1, .entry = 1, .from = 3},
    {.name = "ipairs", .call = 5, .value = 1},
    {.name = "len", .call = 5, .value = 1},
    {.name = "pcall", .call = 200, .value = 1}, // for what an error costs
    {.name = "print", .call = 50, .byte = 0.25, .value = 100},
    {.name = "rawequal", .call = 10, .value = 1},
    {.name = "rawget", .call = 5, .value = 1},
    {.name = "rawlen", .call = 5, .value = 1},
    {.name = "remove", .call = 5, .value = 1, .entry = 1.5, .from = 2},
    {.name = "rep", .call = 5, .value = 1, .work = repeated},
    {.name = "select", .call = 5, .value = 1},
    {.name = "sort", .call = 5, .value = 1, .entry = 40, .from = 1},
    {.name = "sub", .call = 5, .value = 1},
    {.name = "tostring", .call = 5, .byte = 0.25, .value = 50},
    {.name = "type", .call = 5, .value = 1},
    {.name = "unpack", .call = 5, .value = 2},
    {.name = NULL, .call = 5, .byte = 0.25, .value = 1}, // any other may read a number from a text
};

static const ff_lua_price *price_of(const char *name)
{
    const ff_lua_price *p = PRICES;
    while (p->name && strcmp(p->name, name) != 0) p++;
    return p;
}

/// Calls a function of the library and charges its price. Upvalue: the function. It runs within this very call, so
/// that messages name it as usual.
static int counted(lua_State *L)
{
    const ff_lua_function *f = lua_touserdata(L, lua_upvalueindex(1));
    const ff_lua_price *p = f->price;
    const int given = lua_gettop(L);
    double cost = p->call + p->value * given;
    for (int i = p->byte > 0.0 ? given : 0; i > 0; i--)
        if (lua_type(L, i) == LUA_TSTRING) cost += p->byte * (double)lua_rawlen(L, i);
    if (p->from > 0 && given >= p->from && lua_istable(L, 1)) cost += p->entry * (double)lua_rawlen(L, 1);
    if (p->work) cost += p->work(L);
    f->box->left -= cost;
    if (f->box->left <= 0.0) ff_lua_sandbox_charge(L, 0.0);
    const int returned = f->function(L);
    if (returned > 1) ff_lua_sandbox_charge(L, p->value * returned);
    return returned;
}

/// Replaces the functions of the table at the top by ones that charge their price.
static void count_calls(lua_State *L)
{
    ff_lua_sandbox *box = ff_lua_sandbox_of(L);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING || !lua_iscfunction(L, -1)) continue;
        if (box->nfunction == FF_LUA_FUNCTIONS)
            luaL_error(L, "more than %d functions in the library", FF_LUA_FUNCTIONS);
        ff_lua_function *f = &box->functions[box->nfunction++];
        *f = (ff_lua_function){lua_tocfunction(L, -1), price_of(lua_tostring(L, -2)), box};
        lua_pushvalue(L, -2);
        lua_pushlightuserdata(L, f);
        lua_pushcclosure(L, counted, 1);
        lua_rawset(L, -5);
    }
}

// ------------------------------------------------------------------------------------------ sorted keys

static const double VISIT = 300.0; // instructions of a walk through a table, for its empty places

static int rank(lua_State *L, int index)
{
    const int type = lua_type(L, index);
    return type == LUA_TNUMBER ? 0 : type == LUA_TSTRING ? 1 : type == LUA_TBOOLEAN ? 2 : 3;
}

/// Is the key at index a before that at b?
static bool is_before(lua_State *L, int a, int b)
{
    const int x = rank(L, a), y = rank(L, b);
    if (x != y) return x < y;
    if (x == 1) {
        size_t m, n;
        const char *s = lua_tolstring(L, a, &m), *t = lua_tolstring(L, b, &n);
        const int order = memcmp(s, t, m < n ? m : n);
        return order != 0 ? order < 0 : m < n;
    }
    return x == 0 ? lua_compare(L, a, b, LUA_OPLT) : lua_toboolean(L, a) < lua_toboolean(L, b);
}

/// Moves the key at place k of the heap of n keys at the top of the stack down to where it belongs.
static void sift(lua_State *L, int list, lua_Integer k, lua_Integer n)
{
    for (lua_Integer child; (child = 2 * k) <= n; k = child) {
        lua_rawgeti(L, list, k);
        lua_rawgeti(L, list, child);
        if (child < n) {
            lua_rawgeti(L, list, child + 1);
            if (is_before(L, -2, -1)) {
                lua_remove(L, -2);
                child++;
            } else
                lua_pop(L, 1);
        }
        if (!is_before(L, -2, -1)) {
            lua_pop(L, 2);
            return;
        }
        lua_rawseti(L, list, k);
        lua_rawseti(L, list, child);
    }
}

void ff_lua_sandbox_keys(lua_State *L, int index)
{
    lua_Integer n = 0;
    index = lua_absindex(L, index);
    luaL_checkstack(L, 8, "keys");
    lua_newtable(L);
    const int list = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        if (rank(L, -2) > 2) luaL_error(L, "a key that is a %s has no order", luaL_typename(L, -2));
        lua_pushvalue(L, -2);
        lua_rawseti(L, list, ++n);
    }
    ff_lua_sandbox_charge(L, VISIT + 50.0 * (double)n);
    for (lua_Integer k = n / 2; k >= 1; k--) sift(L, list, k, n);
    for (lua_Integer last = n; last > 1; last--) {
        lua_rawgeti(L, list, 1);
        lua_rawgeti(L, list, last);
        lua_rawseti(L, list, 1);
        lua_rawseti(L, list, last);
        sift(L, list, 1, last - 1);
    }
}

/// Upvalues: the list of keys, and the number of the present one.
static int next_pair(lua_State *L)
{
    const lua_Integer k = lua_tointeger(L, lua_upvalueindex(2)) + 1;
    lua_pushinteger(L, k);
    lua_copy(L, -1, lua_upvalueindex(2));
    lua_rawgeti(L, lua_upvalueindex(1), k);
    if (lua_isnil(L, -1)) return 1;
    lua_pushvalue(L, -1);
    lua_rawget(L, 1);
    return 2;
}

static int pairs(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    ff_lua_sandbox_keys(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_pair, 2);
    lua_pushvalue(L, 1);
    return 2;
}

// ------------------------------------------------------------------------------------------ functions of our own

/// A number argument. Reading one from a text counts by its length, as in every other function.
static double number(lua_State *L, int index)
{
    if (lua_type(L, index) == LUA_TNUMBER) return lua_tonumber(L, index);
    if (lua_type(L, index) == LUA_TSTRING) ff_lua_sandbox_charge(L, 0.25 * (double)lua_rawlen(L, index));
    return luaL_checknumber(L, index);
}

// Functions of one number, which a gait calls often in each cycle, have no price: counting would take longer than they.

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
    count_calls(L);
    luaL_setfuncs(L, own, 0);
    lua_getglobal(L, "string");
    count_calls(L);
    lua_getglobal(L, "table");
    count_calls(L);
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1); // "1" + 1 calls functions too
    count_calls(L);
    lua_pop(L, 5);
}

/// Makes the globals of a script; `environment` is an empty table that reads them.
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
    lua_pushcfunction(L, pairs);
    lua_setfield(L, globals, "pairs");
    lua_pushcfunction(L, say);
    lua_setfield(L, globals, "print");
    lua_pushcfunction(L, to_text);
    lua_setfield(L, globals, "tostring");
    count_calls(L);
    for (int i = 0; i < 4; i++) // after count_calls: functions of these libraries need their own upvalues
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
