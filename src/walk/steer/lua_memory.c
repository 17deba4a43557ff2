// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The table `memory` of a script and the plain block of numbers that holds the same. The table is copied to the block
// after each cycle, so that a simulation can save it, and back where the block was changed by restoring. What the table
// holds is listed when the script starts and may not change.
#include "steer/lua_private.h"

#include <math.h>
#include <string.h>

enum { MOST_VALUES = 4096, MOST_DEPTH = 8 };

bool ff_lua_memory_open(ff_lua_script *s)
{
    s->entries = FF_ARENA_NEW(&s->arena, ff_lua_entry, 2 * MOST_VALUES);
    s->signals = FF_ARENA_NEW(&s->arena, ff_io_name, MOST_VALUES);
    return s->entries && s->signals;
}

static bool is_value(lua_State *L, int index)
{
    return lua_type(L, index) == LUA_TNUMBER || lua_type(L, index) == LUA_TBOOLEAN;
}

static int add_entry(lua_State *L, ff_lua_script *s)
{
    if (s->nentry == 2 * MOST_VALUES) luaL_error(L, "memory holds more than %d values", MOST_VALUES);
    s->entries[s->nentry] = (ff_lua_entry){.value = -1, .child = -1, .next = -1};
    return s->nentry++;
}

/// Lists what the table at the top holds, below entry `parent`.
static void list_memory(lua_State *L, ff_lua_script *s, int parent, const char *lead, int depth)
{
    if (depth > MOST_DEPTH) luaL_error(L, "memory is nested deeper than %d tables", MOST_DEPTH);
    const int table = lua_gettop(L);
    int *last = &s->entries[parent].child;
    ff_lua_sandbox_keys(L, table);
    const lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    for (lua_Integer k = 1; k <= n; k++, s->entries[parent].nchild++) {
        const int i = add_entry(L, s);
        ff_lua_entry *e = &s->entries[i];
        *last = i;
        last = &e->next;
        lua_rawgeti(L, table + 1, k);
        if (lua_type(L, -1) == LUA_TSTRING)
            e->word = ff_arena_strdup(&s->arena, lua_tostring(L, -1));
        else if (lua_isinteger(L, -1))
            e->number = lua_tointeger(L, -1);
        else
            luaL_error(L, "memory: keys are words and whole numbers, not a %s", luaL_typename(L, -1));
        const char *name = e->word ? ff_arena_printf(&s->arena, "%s%s%s", lead, lead[0] ? "." : "", e->word)
                                   : ff_arena_printf(&s->arena, "%s%s%d", lead, lead[0] ? "." : "", (int)e->number);
        if (!name) luaL_error(L, "not enough memory");
        lua_rawget(L, table);
        if (lua_istable(L, -1))
            list_memory(L, s, i, name, depth + 1);
        else if (!is_value(L, -1))
            luaL_error(L, "memory.%s is a %s: memory holds numbers, booleans and tables of them", name,
                       luaL_typename(L, -1));
        else if (s->nvalue == MOST_VALUES)
            luaL_error(L, "memory holds more than %d values", MOST_VALUES);
        else {
            ff_error err = {0};
            if (ff_io_name_set(&s->signals[s->nvalue], "1", &err, "%s", name) != FF_OK)
                luaL_error(L, "memory: %s", err.text);
            e->value = s->nvalue++;
        }
        lua_settop(L, table + 1);
    }
    lua_settop(L, table);
}

static void push_entry(lua_State *L, const ff_lua_entry *e)
{
    if (e->word)
        lua_getfield(L, -1, e->word);
    else
        lua_rawgeti(L, -1, e->number);
}

static void store_value(lua_State *L, ff_lua_script *s, const ff_lua_entry *e)
{
    const char *name = s->signals[e->value].name;
    if (!is_value(L, -1)) luaL_error(L, "memory.%s has become a %s", name, luaL_typename(L, -1));
    const bool whole = lua_isinteger(L, -1), truth = lua_isboolean(L, -1);
    const double value = truth ? lua_toboolean(L, -1) : lua_tonumber(L, -1);
    if (whole && !(fabs(value) <= 9e15)) luaL_error(L, "memory.%s is beyond 9e15: make it a float", name);
    s->values[e->value] = value;
    s->kinds[e->value] = truth ? FF_LUA_TRUTH : whole ? FF_LUA_INTEGER : FF_LUA_FLOAT;
}

/// Copies the table at the top, which is that of entry i, to the block.
static void store_memory(lua_State *L, ff_lua_script *s, int i)
{
    const ff_lua_entry *e = &s->entries[i];
    int n = 0;
    luaL_checkstack(L, 4, "memory");
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) n++;
    if (n > e->nchild) luaL_error(L, "'memory' has an entry that was not there when the script started");
    for (int k = e->child; k >= 0; k = s->entries[k].next) {
        push_entry(L, &s->entries[k]);
        if (s->entries[k].value >= 0)
            store_value(L, s, &s->entries[k]);
        else if (lua_istable(L, -1))
            store_memory(L, s, k);
        else
            luaL_error(L, "a table within 'memory' has become a %s", luaL_typename(L, -1));
        lua_pop(L, 1);
    }
}

/// Copies the block to the table.
static void load_memory(lua_State *L, const ff_lua_script *s, int i)
{
    luaL_checkstack(L, 4, "memory");
    for (int k = s->entries[i].child; k >= 0; k = s->entries[k].next) {
        const ff_lua_entry *e = &s->entries[k];
        if (e->value < 0) {
            push_entry(L, e);
            load_memory(L, s, k);
            lua_pop(L, 1);
            continue;
        }
        const double value = s->values[e->value];
        if (s->kinds[e->value] == FF_LUA_TRUTH)
            lua_pushboolean(L, value != 0.0);
        else if (s->kinds[e->value] == FF_LUA_INTEGER)
            lua_pushinteger(L, (lua_Integer)value);
        else
            lua_pushnumber(L, value);
        if (e->word)
            lua_setfield(L, -2, e->word);
        else
            lua_rawseti(L, -2, e->number);
    }
}

void ff_lua_memory_push(lua_State *L)
{
    ff_lua_sandbox_globals(L);
    lua_getfield(L, -1, "memory");
    lua_remove(L, -2);
}

void ff_lua_memory_load(lua_State *L, ff_lua_script *s)
{
    if (memcmp(s->block, s->shadow, s->size) == 0 || s->nentry == 0) return;
    ff_lua_memory_push(L);
    load_memory(L, s, 0);
    lua_pop(L, 1);
}

void ff_lua_memory_list(lua_State *L, ff_lua_script *s)
{
    add_entry(L, s);
    list_memory(L, s, 0, "", 1);
}

void ff_lua_memory_store(lua_State *L, ff_lua_script *s)
{
    store_memory(L, s, 0);
}

bool ff_lua_memory_make_block(ff_lua_script *s, uint64_t seed)
{
    const size_t n = (size_t)s->nvalue, m = (size_t)s->references.count;
    const ff_random random = s->head ? s->head->random : ff_random_make(seed, 0x6c7561);
    s->size = sizeof(ff_lua_head) + (2 * n + m) * sizeof(double);
    s->block = (char *)FF_ARENA_NEW(&s->arena, double, s->size / sizeof(double) + 1);
    s->shadow = (char *)FF_ARENA_NEW(&s->arena, double, s->size / sizeof(double) + 1);
    if (!s->block || !s->shadow) return false;
    s->head = (ff_lua_head *)(void *)s->block;
    *s->head = (ff_lua_head){.random = random};
    s->values = (double *)(void *)(s->block + sizeof(ff_lua_head));
    s->given = s->values + n;
    s->kinds = s->given + m;
    for (size_t i = 0; i < m; i++) s->given[i] = NAN;
    s->box.random = &s->head->random;
    return true;
}

_Static_assert(sizeof(ff_lua_head) % sizeof(double) == 0, "values follow the head in place");
