// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The frames as a script sees them: sensors["NAME.CHANNEL"], references["DRIVE.position"].
#include "steer/lua_private.h"

#include <footfall/text.h>
#include <math.h>

static const double REMARK = 50.0; // instructions that something odd counts as

static ff_lua_script *script_of(lua_State *L)
{
    return ff_lua_sandbox_of(L)->context;
}

static int line_of_caller(lua_State *L)
{
    lua_Debug at;
    return lua_getstack(L, 1, &at) && lua_getinfo(L, "l", &at) ? at.currentline : 0;
}

/// Number of the item whose name is at index 2, -1: none. The upvalue has numbers by name.
static int item_of(lua_State *L)
{
    lua_pushvalue(L, 2);
    return lua_rawget(L, lua_upvalueindex(1)) == LUA_TNIL ? -1 : (int)lua_tointeger(L, -1);
}

/// The most similar name, NULL: none. Each comparison counts as twenty instructions.
static const char *nearest_name(lua_State *L, const char *name, const char *const *names, int count)
{
    ff_lua_sandbox_charge(L, 20.0 * count);
    return ff_text_nearest(name, names, count);
}

static int complain_of_name(lua_State *L, const char *what, const char *const *names, int count)
{
    if (lua_type(L, 2) != LUA_TSTRING)
        return luaL_error(L, "a %s goes by its name, not by a %s", what, luaL_typename(L, 2));
    const char *near = nearest_name(L, lua_tostring(L, 2), names, count);
    if (near) return luaL_error(L, "no %s '%s'; did you mean '%s'?", what, lua_tostring(L, 2), near);
    return luaL_error(L, "no %s '%s'", what, lua_tostring(L, 2));
}

static int read_sensor(lua_State *L)
{
    const ff_lua_script *s = script_of(L);
    const int item = item_of(L);
    if (item < 0) return complain_of_name(L, "sensor", s->names[FF_IO_SENSORS], s->sensors.count);
    const ff_io_item *value = s->in ? &ff_io_items_of(s->in)[item] : NULL;
    if (!value || !ff_io_known(value)) return 0; // nil: nothing is known yet
    lua_pushnumber(L, value->value);
    return 1;
}

/// Reads the last reference of the script.
static int read_reference(lua_State *L)
{
    const ff_lua_script *s = script_of(L);
    const int item = item_of(L);
    if (item < 0) return complain_of_name(L, "reference", s->names[FF_IO_REFERENCES], s->references.count);
    if (isnan(s->given[item])) return 0;
    lua_pushnumber(L, s->given[item]);
    return 1;
}

/// Clamps a position to the limits of its joint; reported once for each limit.
static double within_limits(lua_State *L, ff_lua_script *s, int item, double value)
{
    const ff_reference_limit *limit = s->limits ? &s->limits[item] : NULL;
    if (!limit || !limit->joint || (value >= limit->low && value <= limit->high)) return value;
    const double *end = value < limit->low ? &limit->low : &limit->high;
    ff_lua_sandbox_charge(L, REMARK);
    ff_lua_note(s, line_of_caller(L), end, "joint '%.40s' is asked for %.6g %s, and %.6g is its limit: it gets that",
                limit->joint, value, s->references.names[item].unit, *end);
    return *end;
}

/// Drops a reference that is no finite number: it keeps its last value.
static int write_reference(lua_State *L)
{
    ff_lua_script *s = script_of(L);
    const int item = item_of(L);
    if (item < 0) {
        const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
        const char *near = nearest_name(L, name, s->names[FF_IO_REFERENCES], s->references.count);
        ff_lua_note(s, line_of_caller(L), NULL, "there is no reference '%.50s'%s%.50s%s: left out", name,
                    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        return 0;
    }
    const double value = lua_type(L, 3) == LUA_TNUMBER ? lua_tonumber(L, 3) : NAN; // a text is no number
    if (!isfinite(value)) {
        ff_lua_sandbox_charge(L, REMARK);
        ff_lua_note(s, line_of_caller(L), NULL, "reference '%.50s' becomes %s: it stays as it was",
                    s->names[FF_IO_REFERENCES][item],
                    lua_type(L, 3) != LUA_TNUMBER ? luaL_typename(L, 3)
                    : isnan(value)                ? "not a number"
                                                  : "infinite");
        return 0;
    }
    s->given[item] = within_limits(L, s, item, value);
    if (s->out) ff_io_items(s->out)[item] = (ff_io_item){.value = s->given[item], .valid = 1};
    return 0;
}

/// Pushes an object through which a frame is read and, with `write`, written.
static void push_frame(lua_State *L, const char **names, int count, lua_CFunction read, lua_CFunction write)
{
    lua_newuserdatauv(L, 0, 0);
    lua_newtable(L);
    lua_createtable(L, 0, count);
    for (int i = 0; i < count; i++) {
        lua_pushinteger(L, i);
        lua_setfield(L, -2, names[i]);
    }
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, read, 1);
    lua_setfield(L, -3, "__index");
    if (write) {
        lua_pushcclosure(L, write, 1);
        lua_setfield(L, -2, "__newindex");
    } else
        lua_pop(L, 1);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
}

void ff_lua_push_sensors(lua_State *L, ff_lua_script *s)
{
    push_frame(L, s->names[FF_IO_SENSORS], s->sensors.count, read_sensor, NULL);
}

void ff_lua_push_references(lua_State *L, ff_lua_script *s)
{
    push_frame(L, s->names[FF_IO_REFERENCES], s->references.count, read_reference, write_reference);
}
