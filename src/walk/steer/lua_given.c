// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Values that a script gets: those of the scene, its robot, and the parameters it declares, which can be changed while
// it runs. Also the check of the syntax of a text.
#include "steer/lua_private.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ values and the robot

void ff_lua_push_value(lua_State *L, const ff_script_value *value)
{
    luaL_checkstack(L, 4, "values");
    if (value->type == FF_SCRIPT_NUMBER) {
        if (value->number == floor(value->number) && fabs(value->number) < 9e15)
            lua_pushinteger(L, (lua_Integer)value->number);
        else
            lua_pushnumber(L, value->number);
    } else if (value->type == FF_SCRIPT_BOOLEAN)
        lua_pushboolean(L, value->number != 0.0);
    else if (value->type == FF_SCRIPT_TEXT)
        lua_pushstring(L, value->text);
    else {
        lua_Integer n = 0;
        lua_newtable(L);
        for (const ff_script_value *child = value->child; child; child = child->next) {
            ff_lua_push_value(L, child);
            if (value->type == FF_SCRIPT_LIST)
                lua_rawseti(L, -2, ++n);
            else
                lua_setfield(L, -2, child->key);
        }
    }
}

static void push_units(lua_State *L, const char **names, const ff_io_layout *layout)
{
    lua_newtable(L);
    for (int i = 0; i < layout->count; i++) {
        lua_pushstring(L, layout->names[i].unit);
        lua_setfield(L, -2, names[i]);
    }
}

/// Pushes joints: robot.joints.NAME = {lower = .., upper = ..}, empty without limits.
static void push_joints(lua_State *L, const ff_model *m)
{
    lua_newtable(L);
    for (int i = 0; i < m->njoint; i++) {
        if (!ff_joint_is_scalar(m->joints[i].type)) continue;
        lua_newtable(L);
        for (int k = 0; k < 2 && m->joints[i].limited; k++) {
            lua_pushnumber(L, m->joints[i].range[k]);
            lua_setfield(L, -2, k ? "upper" : "lower");
        }
        lua_setfield(L, -2, m->joints[i].name);
    }
}

/// Pushes poses: robot.poses.NAME.JOINT = angle.
static void push_poses(lua_State *L, const ff_model *m)
{
    lua_newtable(L);
    for (int k = 0; k < m->nkey; k++) {
        lua_newtable(L);
        for (int i = 0; i < m->njoint; i++) {
            if (!ff_joint_is_scalar(m->joints[i].type)) continue;
            lua_pushnumber(L, m->keys[k].q[m->joints[i].qadr]);
            lua_setfield(L, -2, m->joints[i].name);
        }
        lua_setfield(L, -2, m->keys[k].name);
    }
}

/// Pushes legs: robot.legs[i] = {name, joints = {..}, force, touch}.
static void push_legs(lua_State *L, const ff_model *m)
{
    lua_newtable(L);
    for (int i = 0; i < m->nleg; i++) {
        const ff_leg *leg = &m->legs[i];
        lua_newtable(L);
        lua_pushstring(L, leg->name);
        lua_setfield(L, -2, "name");
        lua_newtable(L);
        for (int k = 0; k < leg->njoint; k++) {
            lua_pushstring(L, m->joints[leg->joints[k]].name);
            lua_rawseti(L, -2, k + 1);
        }
        lua_setfield(L, -2, "joints");
        lua_pushstring(L, leg->force);
        lua_setfield(L, -2, "force");
        lua_pushstring(L, leg->touch);
        lua_setfield(L, -2, "touch");
        lua_rawseti(L, -2, i + 1);
    }
}

void ff_lua_push_robot(lua_State *L, const ff_lua_script *s)
{
    const ff_controller_site *site = s->site;
    lua_newtable(L);
    lua_pushstring(L, site->robot->name);
    lua_setfield(L, -2, "name");
    lua_pushnumber(L, site->period);
    lua_setfield(L, -2, "period");
    push_units(L, s->names[FF_IO_SENSORS], &s->sensors);
    lua_setfield(L, -2, "sensors");
    push_units(L, s->names[FF_IO_REFERENCES], &s->references);
    lua_setfield(L, -2, "references");
    push_joints(L, site->robot);
    lua_setfield(L, -2, "joints");
    push_poses(L, site->robot);
    lua_setfield(L, -2, "poses");
    push_legs(L, site->robot);
    lua_setfield(L, -2, "legs");
    lua_getfield(L, LUA_REGISTRYINDEX, "footfall.parameters");
    lua_setfield(L, -2, "parameters");
}

// ------------------------------------------------------------------------------------------ parameters

static double field(lua_State *L, const char *key, const char *name, double fallback)
{
    lua_getfield(L, -1, key);
    if (!lua_isnil(L, -1) && lua_type(L, -1) != LUA_TNUMBER)
        luaL_error(L, "parameters.%s.%s is a %s and should be a number", name, key, luaL_typename(L, -1));
    const double value = lua_isnil(L, -1) ? fallback : lua_tonumber(L, -1);
    lua_pop(L, 1);
    return value;
}

/// Reads name = number, or name = {number, low = .., high = .., unit = ".."}, from the top of the stack.
static void read_parameter(lua_State *L, ff_lua_script *s, const char *name)
{
    if (s->nparameter == FF_LUA_PARAMETERS) luaL_error(L, "more than %d parameters", FF_LUA_PARAMETERS);
    ff_script_parameter p = {.name = ff_arena_strdup(&s->arena, name), .unit = "", .low = -INFINITY, .high = INFINITY};
    if (lua_type(L, -1) == LUA_TNUMBER)
        p.value = lua_tonumber(L, -1);
    else if (lua_istable(L, -1)) {
        lua_rawgeti(L, -1, 1);
        if (lua_type(L, -1) != LUA_TNUMBER)
            luaL_error(L, "parameters.%s: write {number, low = .., high = .., unit = ..}", name);
        p.value = lua_tonumber(L, -1);
        lua_pop(L, 1);
        p.low = field(L, "low", name, p.low);
        p.high = field(L, "high", name, p.high);
        lua_getfield(L, -1, "unit");
        if (lua_type(L, -1) == LUA_TSTRING) p.unit = ff_arena_strdup(&s->arena, lua_tostring(L, -1));
        lua_pop(L, 1);
    } else
        luaL_error(L, "parameters.%s is a %s: write {number, low = .., high = .., unit = ..}", name,
                   luaL_typename(L, -1));
    const ff_script_value *given = s->settings->source.parameters ? s->settings->source.parameters->child : NULL;
    for (; given; given = given->next)
        if (given->type == FF_SCRIPT_NUMBER && strcmp(given->key, name) == 0) p.value = given->number;
    if (!p.name || !p.unit) luaL_error(L, "not enough memory");
    if (!(p.low <= p.high)) luaL_error(L, "parameters.%s: low %f lies above high %f", name, p.low, p.high);
    if (!isfinite(p.value)) luaL_error(L, "parameter '%s' is not a finite number", name);
    if (!(p.low <= p.value && p.value <= p.high))
        luaL_error(L, "parameter '%s' is %f: it must lie between %f and %f", name, p.value, p.low, p.high);
    s->parameters[s->nparameter++] = (ff_lua_parameter){p, p.value};
}

/// Makes the table `robot.parameters` of values of the scene and declared ones, which is `parameters` from then on.
void ff_lua_make_parameters(lua_State *L, ff_lua_script *s)
{
    ff_lua_sandbox_globals(L);
    const int globals = lua_gettop(L);
    if (s->settings->source.parameters)
        ff_lua_push_value(L, s->settings->source.parameters);
    else
        lua_newtable(L);
    lua_getfield(L, globals, "parameters");
    const bool declared = lua_istable(L, -1);
    if (declared) {
        ff_lua_sandbox_keys(L, globals + 2);
        const lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
        for (lua_Integer k = 1; k <= n; k++) {
            lua_rawgeti(L, globals + 3, k);
            if (lua_type(L, -1) != LUA_TSTRING)
                luaL_error(L, "parameters go by names, not by a %s", luaL_typename(L, -1));
            const char *name = lua_tostring(L, -1);
            lua_getfield(L, globals + 2, name);
            read_parameter(L, s, name);
            lua_pushnumber(L, s->parameters[s->nparameter - 1].now.value);
            lua_setfield(L, globals + 1, name);
            lua_settop(L, globals + 3);
        }
    } else if (!lua_isnil(L, -1))
        luaL_error(L, "'parameters' is a %s and should be a table", luaL_typename(L, -1));
    lua_settop(L, globals + 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, "footfall.parameters");
    if (declared) lua_setfield(L, globals, "parameters");
    lua_settop(L, globals - 1);
}

int ff_lua_put_parameters(lua_State *L)
{
    const ff_lua_script *s = lua_touserdata(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, "footfall.parameters");
    for (int i = 0; i < s->nparameter; i++) {
        lua_pushnumber(L, s->parameters[i].now.value);
        lua_setfield(L, -2, s->parameters[i].now.name);
    }
    return 0;
}

int ff_lua_script_parameters(const void *script, ff_script_parameter *out, int most)
{
    const ff_lua_script *s = script;
    int n = 0;
    for (; n < s->nparameter && n < most; n++) out[n] = s->parameters[n].now;
    return n;
}

ff_status ff_lua_script_set_parameter(void *script, const char *name, double value, ff_error *err)
{
    ff_lua_script *s = script;
    int i = 0;
    while (i < s->nparameter && strcmp(s->parameters[i].now.name, name) != 0) i++;
    if (i == s->nparameter) return ff_error_set(err, FF_NOT_FOUND, "the script has no parameter '%.60s'", name);
    ff_script_parameter *p = &s->parameters[i].now;
    if (!isfinite(value) || !(p->low <= value && value <= p->high))
        return ff_error_set(err, FF_BAD_ARGUMENT, "'%.60s' is %g: it must lie between %g and %g", name, value, p->low,
                            p->high);
    p->value = value;
    if (!ff_lua_sandbox_call(&s->box, ff_lua_put_parameters, s, s->settings->instructions))
        return ff_error_set(err, FF_NO_MEMORY, "%s", s->box.text);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ texts

typedef struct plain_text {
    const char *text, *path;
    size_t length;
} plain_text;

static int compile(lua_State *L)
{
    const plain_text *t = lua_touserdata(L, 1);
    ff_lua_sandbox_load(L, t->text, t->length, t->path);
    return 0;
}

void ff_lua_check_text(const char *path, const char *text, size_t length, ff_report *report)
{
    enum { MEMORY = 16 << 20 };
    ff_lua_sandbox box = {0};
    plain_text t = {text, path, length};
    ff_error err = {0};
    ff_place place = {path, 0, 0};
    if (ff_lua_sandbox_open(&box, MEMORY, FF_LUA_IO, &err) != FF_OK) // with long strings; nothing of the text runs
        ff_report_add(report, FF_ERROR, place, "%s", err.text);
    else if (!ff_lua_sandbox_call(&box, compile, &t, 1e6)) {
        place.line = box.line;
        ff_report_add(report, FF_ERROR, place, "%s", box.text);
    }
    ff_lua_sandbox_close(&box);
}
