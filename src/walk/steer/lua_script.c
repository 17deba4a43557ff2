// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a script in Lua: its functions start, cycle and command (docs/controllers.md), with the table `memory` that is
// saved (lua_memory.c). A script that fails is not called again, and its robot is held (ff_script_hold).
#include "steer/lua_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double START_TIMES = 20.0; // how many cycles' instructions the start may take

// ------------------------------------------------------------------------------------------ calls

static bool push_function(lua_State *L, const char *name)
{
    ff_lua_sandbox_globals(L);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
    return lua_isfunction(L, -1);
}

/// Reports the first local variable of the file that changes, if it is a number: local variables are not saved.
/// @param first  stores their values, to compare with later
static void watch_locals(lua_State *L, ff_lua_script *s, bool first)
{
    const char *name;
    for (int i = 0; i < FF_LUA_LOCALS && (name = lua_getupvalue(L, -1, i + 1)) != NULL; i++) {
        const double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
        lua_pop(L, 1);
        if (first) s->locals[i] = value;
        if (first || s->reported_local || isnan(s->locals[i]) || value == s->locals[i]) continue;
        char text[160];
        snprintf(text, sizeof text, "local '%.60s' changes and is not saved with the simulation: 'memory' is", name);
        ff_lua_take_line(s, text);
        s->reported_local = true;
    }
}

static int work_cycle(lua_State *L)
{
    ff_lua_script *s = lua_touserdata(L, 1);
    ff_lua_memory_load(L, s);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->refs[FF_LUA_CYCLE]);
    lua_pushvalue(L, -1);
    lua_pushnumber(L, s->time);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->refs[FF_LUA_SENSORS]);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->refs[FF_LUA_REFERENCES]);
    lua_call(L, 3, 0);
    if (!s->reported_local) watch_locals(L, s, false);
    if (s->nentry == 0) return 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->refs[FF_LUA_MEMORY]);
    ff_lua_memory_store(L, s);
    return 0;
}

static int work_command(lua_State *L)
{
    ff_lua_script *s = lua_touserdata(L, 1);
    ff_lua_memory_load(L, s);
    push_function(L, "command");
    lua_pushnumber(L, s->time);
    ff_lua_push_value(L, s->command);
    lua_call(L, 2, 0);
    if (s->nentry == 0) return 0;
    ff_lua_memory_push(L);
    ff_lua_memory_store(L, s);
    return 0;
}

static void fail(ff_lua_script *s)
{
    s->head->failed = 1;
    s->head->failed_at = s->time;
    s->failure = (ff_lua_remark){.time = s->time, .line = s->box.line, .count = 1};
    snprintf(s->failure.text, sizeof s->failure.text, "%.150s", s->box.text);
}

void ff_lua_script_step(void *script, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_lua_script *s = script;
    s->time = t;
    s->in = sensors;
    s->out = references;
    if (!s->head->failed && !ff_script_has_sensors(sensors)) return; // a modelled bus answers after two periods
    if (!s->head->failed && !ff_lua_sandbox_call(&s->box, work_cycle, s, s->settings->instructions)) fail(s);
    if (s->head->failed) ff_script_hold(&s->references, s->given, t - s->head->failed_at, references);
    memcpy(s->shadow, s->block, s->size);
    for (int i = 0; s->before && i < s->before->nvalue; i++)
        s->before->values[i] = s->mirror[i] >= 0 ? s->values[s->mirror[i]] : NAN;
}

ff_status ff_lua_script_command(void *script, double t, const ff_command *command, ff_error *err)
{
    ff_lua_script *s = script;
    s->time = t;
    s->command = command->values;
    s->in = NULL;
    s->out = NULL;
    if (!s->commands) return ff_error_set(err, FF_BAD_ARGUMENT, "the script has no function command(t, values)");
    if (s->head->failed)
        return ff_error_set(err, FF_BAD_ARGUMENT, "the script failed at %.6g s and takes no commands",
                            s->head->failed_at);
    if (!ff_lua_sandbox_call(&s->box, work_command, s, s->settings->instructions)) fail(s);
    memcpy(s->shadow, s->block, s->size);
    if (!s->head->failed) return FF_OK;
    return ff_error_set(err, FF_BAD_FILE, "%s:%d: %s", s->settings->source.path, s->failure.line, s->failure.text);
}

// ------------------------------------------------------------------------------------------ begin and end

/// Loads and starts the script, and lists its memory; in a protected call. The block is made afterwards.
static int work_begin(lua_State *L)
{
    ff_lua_script *s = lua_touserdata(L, 1);
    const ff_script_source *source = &s->settings->source;
    ff_lua_sandbox_run(L, source->text, source->length, source->path);
    ff_lua_make_parameters(L, s);
    if (!push_function(L, "cycle")) luaL_error(L, "there is no function cycle(t, sensors, references)");
    s->commands = push_function(L, "command");
    if (source->ncommand > 0 && !s->commands)
        luaL_error(L, "the scene schedules commands, and there is no function command(t, values)");
    if (push_function(L, "start")) {
        ff_lua_push_robot(L, s);
        lua_call(L, 1, 0);
    }
    ff_lua_push_sensors(L, s);
    s->refs[FF_LUA_SENSORS] = luaL_ref(L, LUA_REGISTRYINDEX);
    ff_lua_push_references(L, s);
    s->refs[FF_LUA_REFERENCES] = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_settop(L, 1);
    ff_lua_memory_push(L);
    if (lua_isnil(L, -1)) return 0;
    if (!lua_istable(L, -1)) luaL_error(L, "'memory' is a %s and should be a table", luaL_typename(L, -1));
    ff_lua_memory_list(L, s);
    return 0;
}

static int work_first_memory(lua_State *L)
{
    ff_lua_script *s = lua_touserdata(L, 1);
    ff_lua_memory_push(L);
    s->refs[FF_LUA_MEMORY] = luaL_ref(L, LUA_REGISTRYINDEX); // globals stay as they are now
    push_function(L, "cycle");
    lua_pushvalue(L, -1);
    s->refs[FF_LUA_CYCLE] = luaL_ref(L, LUA_REGISTRYINDEX);
    watch_locals(L, s, true);
    if (s->nentry == 0) return 0;
    ff_lua_memory_push(L);
    ff_lua_memory_store(L, s);
    return 0;
}

/// Lists names of items without their group: "FL_femur.position" of "drives.FL_femur.position".
static bool shorten_names(ff_lua_script *s, ff_io_kind kind, const ff_io_layout *layout)
{
    s->names[kind] = FF_ARENA_NEW(&s->arena, const char *, layout->count + 1);
    for (int i = 0; s->names[kind] && i < layout->count; i++) {
        const char *dot = strchr(layout->names[i].name, '.');
        s->names[kind][i] = dot ? dot + 1 : layout->names[i].name;
    }
    return s->names[kind] != NULL;
}

ff_status ff_lua_script_refuse(const ff_lua_script *s, ff_error *err)
{
    const ff_status status = s->box.stopped ? FF_STOPPED : FF_BAD_FILE;
    const char *path = s->settings->source.path;
    if (s->box.line > 0) return ff_error_set(err, status, "%s:%d: %s", path, s->box.line, s->box.text);
    return ff_error_set(err, status, "%s: %s", path, s->box.text);
}

static ff_status run_start(ff_lua_script *s, ff_error *err)
{
    const double times = START_TIMES * s->settings->instructions;
    if (!ff_lua_sandbox_call(&s->box, work_begin, s, times)) return ff_lua_script_refuse(s, err);
    if (!ff_lua_memory_make_block(s, s->site->seed)) return ff_error_set(err, FF_NO_MEMORY, "no memory for a script");
    if (!ff_lua_sandbox_call(&s->box, work_first_memory, s, times)) return ff_lua_script_refuse(s, err);
    s->box.locked = true;
    memcpy(s->shadow, s->block, s->size);
    return FF_OK;
}

ff_lua_script *ff_lua_script_new(const ff_lua_settings *settings, const ff_controller_site *site)
{
    ff_lua_script *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    *s = (ff_lua_script){
        .settings = settings, .sensors = *site->sensors, .references = *site->references, .limits = site->limits};
    s->box.longest_call = site->limited ? FF_LIMITED_TIME : 0.0;
    s->box.say = ff_lua_take_line;
    s->box.context = s;
    return s;
}

ff_status ff_lua_script_start(ff_lua_script *s, const ff_controller_site *site, ff_error *err)
{
    const ff_lua_settings *settings = s->settings;
    s->site = site;
    ff_status status = ff_lua_memory_open(s) && shorten_names(s, FF_IO_SENSORS, &s->sensors) &&
                               shorten_names(s, FF_IO_REFERENCES, &s->references) &&
                               ff_lua_memory_make_block(s, site->seed)
                           ? FF_OK
                           : ff_error_set(err, FF_NO_MEMORY, "no memory for a script");
    const unsigned allow = settings->allow & (site->permissions | ~(unsigned)FF_PERMIT_ALL);
    const double memory = site->limited ? ff_min(settings->memory, FF_LIMITED_MEMORY) : settings->memory;
    if (status == FF_OK) status = ff_lua_sandbox_open(&s->box, (size_t)memory, allow, err);
    if (status == FF_OK) status = run_start(s, err);
    s->site = NULL;
    return status;
}

ff_status ff_lua_script_create(const void *settings, const ff_controller_site *site, void **out, ff_error *err)
{
    *out = ff_lua_script_new(settings, site);
    return *out ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "no memory for a script");
}

ff_status ff_lua_script_bind(void *script, const ff_controller_site *site, ff_controller *bound, ff_error *err)
{
    ff_lua_script *s = script;
    const ff_status status = ff_lua_script_start(s, site, err);
    *bound = (ff_controller){
        .memory = s->block, .memory_size = s->size, .signals = s->signals, .values = s->values, .nsignal = s->nvalue};
    return status;
}

void ff_lua_script_destroy(void *script)
{
    ff_lua_script *s = script;
    if (s->before) ff_lua_script_destroy(s->before);
    ff_lua_sandbox_close(&s->box);
    ff_arena_clear(&s->arena);
    free(s);
}

void ff_lua_script_get_text(const void *script, const char **path, const char **text, size_t *length)
{
    const ff_script_source *source = &((const ff_lua_script *)script)->settings->source;
    *path = source->path;
    *text = source->text;
    *length = source->length;
}
