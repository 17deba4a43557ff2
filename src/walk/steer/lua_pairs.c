// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of a table in order, and `pairs` that goes by them: the order of Lua's own depends on addresses.
#include "steer/lua_sandbox.h"

#include <string.h>

enum { VISIT = 300 }; // instructions that a walk through a table counts as, for places that are empty now

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

int ff_lua_pairs(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    ff_lua_sandbox_keys(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_pair, 2);
    lua_pushvalue(L, 1);
    return 2;
}
