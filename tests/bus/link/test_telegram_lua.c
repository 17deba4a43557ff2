// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The codec in Lua (examples/link/telegram.lua) on a telegram that C has packed.
#include "check.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdbool.h>

static const char *const TRIAL =
    "local telegram = dofile(SOURCE .. '/examples/link/telegram.lua')\n"
    "local file = assert(io.open(SOURCE .. '/tests/bus/link/sample.hex'))\n"
    "local data = file:read('a'):gsub('%s', ''):gsub('..', function(d) return string.char(tonumber(d, 16)) end)\n"
    "file:close()\n"
    "local head, payload = assert(telegram.unseal(data))\n"
    "local items = telegram.unpack_items(payload)\n"
    "assert(head.type == telegram.REFERENCES and head.sequence == 40 and head.counter == 0xFFFFFFFF)\n"
    "assert(head.interface == math.mininteger + 1 and head.time == 1.5 and head.sent == -7)\n"
    "assert(items.sequence == 12 and items.conditions == 6 and items.time == 1500000000)\n"
    "assert(items.values[1] == 0.125 and items.values[2] == false and items.values[3] == -3.0)\n"
    "assert(items.ages[1] == 500000 and items.signals[1] == -0.5 and items.signals[2] == 1e300)\n"
    "assert(telegram.seal(head.type, telegram.pack_items(items.values, items), head) == data)\n"
    "local short = '\\x05\\0\\0\\0\\x3e\\0\\0\\x40\\xc0'\n" // 0.125, none, -3 as IEEE 754 has them
    "assert(telegram.pack_short({0.125, false, -3.0}) == short)\n"
    "local values = telegram.unpack_short(short, 3)\n"
    "assert(values[1] == 0.125 and values[2] == false and values[3] == -3.0)\n"
    "for i = 1, #data do\n"
    "  local bad = data:sub(1, i - 1) .. string.char(data:byte(i) ~ 4) .. data:sub(i + 1)\n"
    "  assert(telegram.unseal(bad) == nil)\n"
    "end\n";

TEST(lua_reads_and_packs_the_same_bytes)
{
    lua_State *lua = luaL_newstate();
    CHECK(lua);
    luaL_openlibs(lua);
    lua_pushstring(lua, FF_SOURCE_DIR);
    lua_setglobal(lua, "SOURCE");
    const bool fine = luaL_dostring(lua, TRIAL) == LUA_OK;
    if (!fine) printf("  %s\n", lua_tostring(lua, -1));
    lua_close(lua);
    CHECK(fine);
}
