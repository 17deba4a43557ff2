// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a call of a library function counts as. Lua counts a call as one instruction, whatever the function does. Here
// every function of the library, the arithmetic of strings among them, has a price by the bytes, values and entries
// that it goes through, in instructions; one that is not in the list has that of the dearest kind.
#include "steer/lua_sandbox.h"

#include <math.h>
#include <string.h>

static const double LISTED = 65536.0; // more entries than fit on the stack or into a table

/// What a call counts as, beside the instruction that makes it. An instruction takes some 10 ns; prices are measured
/// times, rounded so that none is dearer than 50 ns an instruction counted.
typedef struct ff_lua_price {
    const char *name;
    double call;  // whatever it is given
    double byte;  // of the strings it is given
    double value; // given or returned
    double entry; // of the list that is its first argument, ..
    int from;     // .. where there are so many arguments; 0: never
    double (*work)(lua_State *L);
} ff_lua_price;

/// table.concat, by the entries asked for, which need not be those the list has. To write a number takes a microsecond.
static double joined(lua_State *L)
{
    const double from = luaL_optnumber(L, 3, 1.0),
                 to = lua_isnoneornil(L, 4) && lua_istable(L, 1) ? (double)lua_rawlen(L, 1) : luaL_optnumber(L, 4, 0.0);
    return 40.0 * ff_min(ff_max(to - from + 1.0, 0.0), LISTED);
}

/// string.rep, by copies. It would count to n where there is nothing to repeat: then n becomes zero.
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

/// A function of the library at its price. Upvalue: what is known of it. It runs in this very call, so that messages
/// name it as ever.
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

void ff_lua_count_calls(lua_State *L)
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
