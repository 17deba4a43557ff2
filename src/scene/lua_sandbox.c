// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The bounds of a script in Lua. Whatever it does, it ends, in bounded memory, with the same result every time:
// - Memory comes from one block in classes of powers of two; what does not fit is an error of the script. Nothing is allocated elsewhere while it runs.
// - Instructions are counted, not seconds: a run does not depend on how fast a machine is. Memory asked for, lists shifted and names looked for count too, as one
//   instruction can do much of that. Strings are short unless files are open, since one instruction compares two, or reads a number from one, whatever its
//   length. Once the count is used up, every further instruction is an error, so that no pcall can go on.
// - The library lacks what reaches outside (io, os, require, load, debug) and what no count can bound (metatables with __gc and __len, patterns), unless allowed.
// - `pairs` goes by sorted keys: the order of Lua's own depends on addresses. Random numbers are those of the scene. Sine and cosine are ours, with the same
//   bits everywhere.
#include "scene/lua_sandbox.h"
#include "scene/lua_script.h"

#include <footfall/math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALLEST = 16,
    STRIDE = 200,
    CATCH = 200, // instructions that a pcall counts as, for what an error costs
    VISIT = 100, // that a walk through a table counts as, for places that are empty now
    SHORT = 4096 // longest string without `allow: [io]`, with its head [byte]
};
static const double BYTES = 1.0 / 64.0; // instructions a byte asked for counts as
static const double LISTED = 65536.0;   // more entries than fit on the stack or into a table

// ------------------------------------------------------------------------------------------ memory

static int class_of(size_t size)
{
    int k = 0;
    while (k < FF_LUA_CLASSES && ((size_t)SMALLEST << k) < size) k++;
    return k;
}

static void *take(ff_lua_sandbox *box, int k)
{
    if (k >= FF_LUA_CLASSES) return NULL;
    void *block = box->free_blocks[k];
    if (block) {
        memcpy(&box->free_blocks[k], block, sizeof block);
        return block;
    }
    const size_t size = (size_t)SMALLEST << k;
    if (size > box->size - box->used) return NULL;
    block = box->block + box->used;
    box->used += size;
    return block;
}

static void give_back(ff_lua_sandbox *box, void *block, int k)
{
    memcpy(block, &box->free_blocks[k], sizeof block);
    box->free_blocks[k] = block;
}

/// The line of the script that runs. Reads the records of calls alone, so that it may be asked for in the middle of anything.
static int running_line(lua_State *L)
{
    lua_Debug at;
    for (int level = 0; L && lua_getstack(L, level, &at); level++)
        if (lua_getinfo(L, "l", &at) && at.currentline > 0) return at.currentline;
    return 0;
}

/// Lua calls no handler where memory is short: the line is noted here.
static void *refuse(ff_lua_sandbox *box)
{
    box->line = running_line(box->L);
    return NULL;
}

static void *allocate(void *context, void *old, size_t old_size, size_t size)
{
    ff_lua_sandbox *box = context;
    const int from = old ? class_of(old_size) : -1, to = class_of(size);
    if (size == 0) {
        if (old) give_back(box, old, from);
        return NULL;
    }
    if (!old && old_size == LUA_TSTRING && size > box->longest)
        return refuse(box); // Lua tells here what a new block is for
    box->left -= BYTES * (double)size;
    if (from == to) return old;
    void *block = take(box, to);
    if (!block) return old && size <= old_size ? old : refuse(box); // to shrink must not fail
    if (old) memcpy(block, old, old_size < size ? old_size : size);
    if (old) give_back(box, old, from);
    return block;
}

// ------------------------------------------------------------------------------------------ time

ff_lua_sandbox *ff_lua_sandbox_of(lua_State *L)
{
    void *box;
    lua_getallocf(L, &box);
    return box;
}

static void count(lua_State *L, lua_Debug *record)
{
    ff_lua_sandbox *box = ff_lua_sandbox_of(L);
    (void)record;
    box->left -= box->spent ? 1 : STRIDE;
    if (box->left > 0.0) return;
    box->spent = true;
    lua_sethook(L, count, LUA_MASKCOUNT, 1); // from now on each instruction ends up here
    luaL_where(L, 0);
    lua_pushfstring(L, "more than %d instructions in one call; does it end? (limits: {instructions: ..})",
                    (int)fmin(box->allowed, 2e9));
    lua_concat(L, 2);
    lua_error(L);
}

/// Text and line of an error, from its message and the innermost function of the script.
static int note_error(lua_State *L)
{
    ff_lua_sandbox *box = ff_lua_sandbox_of(L);
    const char *message = lua_tostring(L, 1), *text = message ? message : "an error that is no text";
    box->line = running_line(L);
    const char *colon = text; // "path:12: what is wrong"
    while ((colon = strchr(colon, ':')) != NULL) {
        const size_t digits = strspn(++colon, "0123456789");
        if (digits == 0 || strncmp(colon + digits, ": ", 2) != 0) continue;
        box->line = atoi(colon);
        text = colon + digits + 2;
        break;
    }
    snprintf(box->text, sizeof box->text, "%s", text);
    return 1;
}

/// Lua says that `io` is a nil value; the user should know how to get it.
static void tell_allow(ff_lua_sandbox *box)
{
    static const char *const missing[][2] = {{"(global 'io')", "io"},
                                             {"(global 'os')", "os"},
                                             {"(global 'require')", "require"},
                                             {"(global 'debug')", "debug"},
                                             {"(global 'setmetatable')", "metatables"},
                                             {"(global 'getmetatable')", "metatables"},
                                             {" 'find')", "patterns"},
                                             {" 'match')", "patterns"},
                                             {" 'gmatch')", "patterns"},
                                             {" 'gsub')", "patterns"}};
    const size_t length = strlen(box->text);
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (strstr(box->text, "a nil value") && strstr(box->text, missing[i][0])) {
            snprintf(box->text + length, sizeof box->text - length, ": not there unless 'allow: [%s]'", missing[i][1]);
            return;
        }
}

bool ff_lua_sandbox_call(ff_lua_sandbox *box, lua_CFunction work, void *argument, double times)
{
    lua_State *L = box->L;
    box->allowed = box->left = times;
    box->spent = false;
    box->line = 0;
    box->text[0] = '\0';
    lua_sethook(L, count, LUA_MASKCOUNT, STRIDE);
    lua_settop(L, 0);
    lua_pushcfunction(L, note_error);
    lua_pushcfunction(L, work);
    lua_pushlightuserdata(L, argument);
    const int status = lua_pcall(L, 1, 0, 1);
    if (status == LUA_ERRMEM || (status != LUA_OK && strcmp(box->text, "not enough memory") == 0))
        snprintf(box->text, sizeof box->text,
                 "not enough memory (limits: {memory: ..}; no table beyond 1 MiB, no string beyond %s)",
                 box->longest > SHORT ? "that" : "4 KiB unless 'allow: [io]'");
    else if (status != LUA_OK && box->text[0] == '\0')
        snprintf(box->text, sizeof box->text, "an error within the handling of an error");
    else if (status != LUA_OK)
        tell_allow(box);
    return status == LUA_OK;
}

// ------------------------------------------------------------------------------------------ functions of our own

void ff_lua_sandbox_charge(lua_State *L, double instructions)
{
    ff_lua_sandbox *box = ff_lua_sandbox_of(L);
    box->left -= instructions;
    if (box->left <= 0.0)
        luaL_error(L, "more than %d instructions in one call, lists, names and pcall counted by what they cost",
                   (int)fmin(box->allowed, 2e9));
}

/// Calls the function that is the first upvalue with all arguments.
static int pass_on(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

/// A function of the table library that takes time by the length of its list. Upvalues: the function, instructions an entry.
static int charged(lua_State *L)
{
    const int n = lua_gettop(L);
    const double each = lua_tonumber(L, lua_upvalueindex(2));
    const bool at_end = each == 1.0 && n == 2; // insert
    if (lua_istable(L, 1) && !at_end) ff_lua_sandbox_charge(L, each * (double)lua_rawlen(L, 1));
    return pass_on(L);
}

/// table.unpack and table.concat (the upvalue), by the entries asked for, which need not be those the list has. Arguments behind `first` are the
/// numbers of the first and the last entry.
static int charged_by_range(lua_State *L, int first)
{
    const double from = luaL_optnumber(L, first, 1.0), to = lua_isnoneornil(L, first + 1) && lua_istable(L, 1)
                                                                ? (double)lua_rawlen(L, 1)
                                                                : luaL_optnumber(L, first + 1, 0.0);
    ff_lua_sandbox_charge(L, 2.0 * fmin(fmax(to - from + 1.0, 0.0), LISTED));
    return pass_on(L);
}

static int unpack_list(lua_State *L)
{
    return charged_by_range(L, 2);
}

static int join_list(lua_State *L)
{
    return charged_by_range(L, 3);
}

/// string.byte (the upvalue), by what it may push.
static int charged_bytes(lua_State *L)
{
    size_t length;
    luaL_checklstring(L, 1, &length);
    if (lua_gettop(L) > 2) ff_lua_sandbox_charge(L, (double)length / 2.0);
    return pass_on(L);
}

/// string.rep (the upvalue), which would count to n where there is nothing to repeat.
static int repeat_text(lua_State *L)
{
    size_t length, between = 0;
    luaL_checklstring(L, 1, &length);
    luaL_optlstring(L, 3, "", &between);
    if (length + between == 0) {
        luaL_checkinteger(L, 2);
        lua_pushliteral(L, "");
        return 1;
    }
    return pass_on(L);
}

/// pcall of Lua (the upvalue).
static int protected_call(lua_State *L)
{
    ff_lua_sandbox_charge(L, CATCH);
    return pass_on(L);
}

static int sine(lua_State *L)
{
    const double angle = luaL_checknumber(L, 1);
    double s, c;
    ff_sincos(&angle, &s, &c, 1);
    lua_pushnumber(L, s);
    return 1;
}

static int cosine(lua_State *L)
{
    const double angle = luaL_checknumber(L, 1);
    double s, c;
    ff_sincos(&angle, &s, &c, 1);
    lua_pushnumber(L, c);
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

// ------------------------------------------------------------------------------------------ pairs in order

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
    ff_lua_sandbox_charge(L, VISIT + 20.0 * (double)n);
    for (lua_Integer k = n / 2; k >= 1; k--) sift(L, list, k, n);
    for (lua_Integer last = n; last > 1; last--) {
        lua_rawgeti(L, list, 1);
        lua_rawgeti(L, list, last);
        lua_rawseti(L, list, 1);
        lua_rawseti(L, list, last);
        sift(L, list, 1, last - 1);
    }
}

/// Upvalues: the list of keys, and how far it has gone.
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

static int ordered_pairs(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    ff_lua_sandbox_keys(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_pair, 2);
    lua_pushvalue(L, 1);
    return 2;
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

static void wrap(lua_State *L, const char *name, double each)
{
    lua_getfield(L, -1, name);
    lua_pushnumber(L, each);
    lua_pushcclosure(L, charged, 2);
    lua_setfield(L, -2, name);
}

/// Puts `by` in the place of a function of the table at the top, which becomes its upvalue.
static void replace(lua_State *L, const char *name, lua_CFunction by)
{
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, by, 1);
    lua_setfield(L, -2, name);
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
    drop_fields(L, "string", strings);
    if (!(allow & FF_LUA_PATTERNS)) drop_fields(L, "string", patterns);
    drop_fields(L, "table", tables);
    drop_fields(L, "math", maths);
    lua_getglobal(L, "table");
    wrap(L, "insert", 1.0);
    wrap(L, "remove", 1.5);
    wrap(L, "sort", 40.0);
    replace(L, "concat", join_list);
    replace(L, "unpack", unpack_list);
    lua_pop(L, 1);
    lua_getglobal(L, "string");
    replace(L, "rep", repeat_text);
    replace(L, "byte", charged_bytes);
    lua_pop(L, 1);
    lua_getglobal(L, "math");
    lua_pushcfunction(L, random_number);
    lua_setfield(L, -2, "random");
    lua_pushcfunction(L, sine);
    lua_setfield(L, -2, "sin");
    lua_pushcfunction(L, cosine);
    lua_setfield(L, -2, "cos");
    lua_pop(L, 1);
}

/// The globals a script sees, into the registry; `environment` is an empty table in front of them.
static void make_globals(lua_State *L, unsigned allow)
{
    static const char *const plain[] = {"assert", "error",  "ipairs", "math",     "rawequal", "rawget", "rawlen",
                                        "select", "string", "table",  "tonumber", "type",     NULL};
    static const char *const doors[][2] = {{"io", NULL}, {"os", NULL}, {"require", NULL}, {"debug", NULL}};
    static const char *const metatables[] = {"setmetatable", "getmetatable", "rawset", "next", NULL};
    lua_pushglobaltable(L);
    const int from = lua_gettop(L);
    lua_newtable(L);
    const int globals = lua_gettop(L);
    copy_fields(L, from, plain);
    for (int i = 0; i < 4; i++)
        if (allow & (1U << i)) copy_fields(L, from, doors[i]);
    if (allow & FF_LUA_METATABLES) copy_fields(L, from, metatables);
    lua_pushcfunction(L, ordered_pairs);
    lua_setfield(L, globals, "pairs");
    copy_fields(L, from, (const char *const[]){"pcall", NULL});
    replace(L, "pcall", protected_call);
    lua_pushcfunction(L, say);
    lua_setfield(L, globals, "print");
    lua_pushcfunction(L, to_text);
    lua_setfield(L, globals, "tostring");
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

static int open_all(lua_State *L)
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

// ------------------------------------------------------------------------------------------ for who runs scripts

void ff_lua_sandbox_globals(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "footfall.globals");
}

void ff_lua_sandbox_load(lua_State *L, const char *text, size_t length, const char *path)
{
    static const char MARK[] = "\xef\xbb\xbf";
    const char *end = text + length;
    if (length >= 3 && memcmp(text, MARK, 3) == 0) text += 3;
    if (text < end && *text == '#')
        while (text < end && *text != '\n') text++; // the end of the line stays, so that lines are counted
    lua_pushfstring(L, "@%s", path);
    if (luaL_loadbufferx(L, text, (size_t)(end - text), lua_tostring(L, -1), "t") != LUA_OK) lua_error(L);
}

void ff_lua_sandbox_run(lua_State *L, const char *text, size_t length, const char *path)
{
    ff_lua_sandbox_load(L, text, length, path);
    lua_getfield(L, LUA_REGISTRYINDEX, "footfall.environment");
    lua_setupvalue(L, -2, 1);
    lua_call(L, 0, 0);
    lua_pop(L, 1);
}

ff_status ff_lua_sandbox_open(ff_lua_sandbox *box, size_t memory, unsigned allow, ff_error *err)
{
    box->block = malloc(memory);
    box->size = box->block ? memory : 0;
    box->left = 1e6;
    box->longest = allow & FF_LUA_IO ? memory : SHORT;
    box->L = lua_newstate(allocate, box);
    if (!box->L || !ff_lua_sandbox_call(box, open_all, &allow, 1e6)) {
        ff_lua_sandbox_close(box);
        return ff_error_set(err, FF_NO_MEMORY, "no memory for a script in Lua");
    }
    return FF_OK;
}

void ff_lua_sandbox_close(ff_lua_sandbox *box)
{
    if (box->L) lua_close(box->L);
    free(box->block);
    box->L = NULL;
    box->block = NULL;
}
