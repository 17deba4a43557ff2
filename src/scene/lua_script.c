// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A script in Lua at work. It gives functions
//     start(robot)                       once, may be absent
//     cycle(t, sensors, references)      once a period
//     command(t, wish)                   for each entry of `commands`
// may declare `parameters`, numbers that can be changed while it runs,
// and keeps what changes from cycle to cycle in the table `memory`: numbers, booleans and tables of them. Those are copied to one plain block after each cycle, so that
// a simulation can save them, and back into the table where the block was changed by restoring. Each number of `memory` can be recorded.
//
// A script that fails is not called again. Its robot is held: positions stay at the last sound reference, speeds become zero, forces stay where a position was given
// beside them and fade within half a second where not, as a constant torque would turn a joint for ever.
#include "scene/lua_private.h"

#include <footfall/text.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 4096, MOST_DEPTH = 8 };
enum { FLOAT, INTEGER, BOOLEAN };
static const double REMARK = 50.0;      // instructions that something odd counts as
static const double FADE = 0.5;         // of forces after a failure [s]
static const double START_TIMES = 20.0; // how many cycles' instructions the start may take

// ------------------------------------------------------------------------------------------ frames

static ff_lua_script *script_of(lua_State *L)
{
    return ff_lua_sandbox_of(L)->context;
}

static int line_of_caller(lua_State *L)
{
    lua_Debug at;
    return lua_getstack(L, 1, &at) && lua_getinfo(L, "l", &at) ? at.currentline : 0;
}

/// Number of the item whose name is at index 2, -1 for none. Upvalue: numbers by name.
static int item_of(lua_State *L)
{
    lua_pushvalue(L, 2);
    return lua_rawget(L, lua_upvalueindex(1)) == LUA_TNIL ? -1 : (int)lua_tointeger(L, -1);
}

/// The name nearest to another, NULL: none. To compare with one takes as long as some twenty instructions.
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

/// What the script gave last.
static int read_reference(lua_State *L)
{
    const ff_lua_script *s = script_of(L);
    const int item = item_of(L);
    if (item < 0) return complain_of_name(L, "reference", s->names[FF_IO_REFERENCES], s->references.count);
    if (isnan(s->given[item])) return 0;
    lua_pushnumber(L, s->given[item]);
    return 1;
}

/// A position beyond the limits of its joint becomes the limit, told once for each end.
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

/// What makes no sense is left out: the reference stays as it was.
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
    const double value = lua_type(L, 3) == LUA_TNUMBER ? lua_tonumber(L, 3) : NAN; // a text is none
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

// ------------------------------------------------------------------------------------------ memory

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
            snprintf(s->signals[s->nvalue].name, sizeof s->signals[0].name, "%.60s", name);
            snprintf(s->signals[s->nvalue].unit, sizeof s->signals[0].unit, "1");
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

static void keep_value(lua_State *L, ff_lua_script *s, const ff_lua_entry *e)
{
    const char *name = s->signals[e->value].name;
    if (!is_value(L, -1)) luaL_error(L, "memory.%s has become a %s", name, luaL_typename(L, -1));
    const bool whole = lua_isinteger(L, -1), truth = lua_isboolean(L, -1);
    const double value = truth ? lua_toboolean(L, -1) : lua_tonumber(L, -1);
    if (whole && !(fabs(value) <= 9e15)) luaL_error(L, "memory.%s is beyond 9e15: make it a float", name);
    s->values[e->value] = value;
    s->kinds[e->value] = truth ? BOOLEAN : whole ? INTEGER : FLOAT;
}

/// Copies the table at the top, which is that of entry i, to the block.
static void keep_memory(lua_State *L, ff_lua_script *s, int i)
{
    const ff_lua_entry *e = &s->entries[i];
    int n = 0;
    luaL_checkstack(L, 4, "memory");
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) n++;
    if (n > e->nchild) luaL_error(L, "'memory' has an entry that was not there when the script started");
    for (int k = e->child; k >= 0; k = s->entries[k].next) {
        push_entry(L, &s->entries[k]);
        if (s->entries[k].value >= 0)
            keep_value(L, s, &s->entries[k]);
        else if (lua_istable(L, -1))
            keep_memory(L, s, k);
        else
            luaL_error(L, "a table within 'memory' has become a %s", luaL_typename(L, -1));
        lua_pop(L, 1);
    }
}

/// The other way.
static void recall_memory(lua_State *L, const ff_lua_script *s, int i)
{
    luaL_checkstack(L, 4, "memory");
    for (int k = s->entries[i].child; k >= 0; k = s->entries[k].next) {
        const ff_lua_entry *e = &s->entries[k];
        if (e->value < 0) {
            push_entry(L, e);
            recall_memory(L, s, k);
            lua_pop(L, 1);
            continue;
        }
        const double value = s->values[e->value];
        if (s->kinds[e->value] == BOOLEAN)
            lua_pushboolean(L, value != 0.0);
        else if (s->kinds[e->value] == INTEGER)
            lua_pushinteger(L, (lua_Integer)value);
        else
            lua_pushnumber(L, value);
        if (e->word)
            lua_setfield(L, -2, e->word);
        else
            lua_rawseti(L, -2, e->number);
    }
}

static void push_memory(lua_State *L)
{
    ff_lua_sandbox_globals(L);
    lua_getfield(L, -1, "memory");
    lua_remove(L, -2);
}

/// The block was restored: the table follows.
static void follow_block(lua_State *L, ff_lua_script *s)
{
    if (memcmp(s->block, s->shadow, s->size) == 0 || s->nentry == 0) return;
    push_memory(L);
    recall_memory(L, s, 0);
    lua_pop(L, 1);
}

// ------------------------------------------------------------------------------------------ calls

static bool push_function(lua_State *L, const char *name)
{
    ff_lua_sandbox_globals(L);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
    return lua_isfunction(L, -1);
}

/// Numbers among the variables of the file that the function at the top uses. Told once where they change: they are not saved.
static void watch_locals(lua_State *L, ff_lua_script *s, bool first)
{
    const char *name;
    for (int i = 0; i < FF_LUA_LOCALS && (name = lua_getupvalue(L, -1, i + 1)) != NULL; i++) {
        const double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
        lua_pop(L, 1);
        if (first) s->locals[i] = value;
        if (first || s->told_local || isnan(s->locals[i]) || value == s->locals[i]) continue;
        char text[160];
        snprintf(text, sizeof text, "local '%.60s' changes and is not saved with the simulation: 'memory' is", name);
        ff_lua_take_line(s, text);
        s->told_local = true;
    }
}

static int work_cycle(lua_State *L)
{
    ff_lua_script *s = lua_touserdata(L, 1);
    follow_block(L, s);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->refs[FF_LUA_CYCLE]);
    lua_pushvalue(L, -1);
    lua_pushnumber(L, s->time);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->refs[FF_LUA_SENSORS]);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->refs[FF_LUA_REFERENCES]);
    lua_call(L, 3, 0);
    if (!s->told_local) watch_locals(L, s, false);
    if (s->nentry == 0) return 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->refs[FF_LUA_MEMORY]);
    keep_memory(L, s, 0);
    return 0;
}

static int work_command(lua_State *L)
{
    ff_lua_script *s = lua_touserdata(L, 1);
    follow_block(L, s);
    push_function(L, "command");
    lua_pushnumber(L, s->time);
    ff_lua_push_value(L, s->wish);
    lua_call(L, 2, 0);
    if (s->nentry == 0) return 0;
    push_memory(L);
    keep_memory(L, s, 0);
    return 0;
}

static void fail(ff_lua_script *s)
{
    s->head->failed = 1;
    s->head->failed_at = s->time;
    s->failure = (ff_lua_remark){.time = s->time, .line = s->box.line, .count = 1};
    snprintf(s->failure.text, sizeof s->failure.text, "%.150s", s->box.text);
}

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/// The safe hold of a robot whose script failed. A drive has three references in a row: position, speed, force.
static void hold(ff_lua_script *s)
{
    ff_io_item *items = ff_io_items(s->out);
    const double faded = ff_max(0.0, 1.0 - (s->time - s->head->failed_at) / FADE);
    for (int i = 0; i < s->references.count; i++) {
        const char *name = s->references.names[i].name;
        if (isnan(s->given[i])) continue;
        double value = s->given[i];
        if (ends_with(name, ".speed")) value = 0.0;
        if (ends_with(name, ".force") && i >= 2 && isnan(s->given[i - 2])) value *= faded;
        items[i] = (ff_io_item){.value = value, .valid = 1};
    }
}

static bool anything_arrived(const ff_io_frame *sensors)
{
    for (uint32_t i = 0; i < sensors->count; i++)
        if (ff_io_known(&ff_io_items_of(sensors)[i])) return true;
    return sensors->count == 0;
}

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_lua_script *s = context;
    s->time = t;
    s->in = sensors;
    s->out = references;
    if (!s->head->failed && !anything_arrived(sensors)) return; // a modelled bus answers after two periods
    if (!s->head->failed && !ff_lua_sandbox_call(&s->box, work_cycle, s, s->settings->instructions)) fail(s);
    if (s->head->failed) hold(s);
    memcpy(s->shadow, s->block, s->size);
    for (int i = 0; s->before && i < s->before->nvalue; i++)
        s->before->values[i] = s->mirror[i] >= 0 ? s->values[s->mirror[i]] : NAN;
}

ff_status ff_lua_script_command(void *script, double t, const void *wish, ff_error *err)
{
    ff_lua_script *s = script;
    s->time = t;
    s->wish = wish;
    s->in = NULL;
    s->out = NULL;
    if (!s->commands) return ff_error_set(err, FF_BAD_ARGUMENT, "the script has no function command(t, wish)");
    if (s->head->failed)
        return ff_error_set(err, FF_BAD_ARGUMENT, "the script failed at %.6g s and hears no commands",
                            s->head->failed_at);
    if (!ff_lua_sandbox_call(&s->box, work_command, s, s->settings->instructions)) fail(s);
    memcpy(s->shadow, s->block, s->size);
    if (!s->head->failed) return FF_OK;
    return ff_error_set(err, FF_BAD_FILE, "%s:%d: %s", s->settings->path, s->failure.line, s->failure.text);
}

// ------------------------------------------------------------------------------------------ begin and end

/// Everything but the block, protected.
static int work_begin(lua_State *L)
{
    ff_lua_script *s = lua_touserdata(L, 1);
    ff_lua_sandbox_run(L, s->settings->text, s->settings->length, s->settings->path);
    ff_lua_make_parameters(L, s);
    if (!push_function(L, "cycle")) luaL_error(L, "there is no function cycle(t, sensors, references)");
    s->commands = push_function(L, "command");
    if (s->settings->ncommand > 0 && !s->commands)
        luaL_error(L, "the scene schedules commands, and there is no function command(t, wish)");
    if (push_function(L, "start")) {
        ff_lua_push_robot(L, s);
        lua_call(L, 1, 0);
    }
    push_frame(L, s->names[FF_IO_SENSORS], s->sensors.count, read_sensor, NULL);
    s->refs[FF_LUA_SENSORS] = luaL_ref(L, LUA_REGISTRYINDEX);
    push_frame(L, s->names[FF_IO_REFERENCES], s->references.count, read_reference, write_reference);
    s->refs[FF_LUA_REFERENCES] = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_settop(L, 1);
    push_memory(L);
    if (lua_isnil(L, -1)) return 0;
    if (!lua_istable(L, -1)) luaL_error(L, "'memory' is a %s and should be a table", luaL_typename(L, -1));
    add_entry(L, s);
    list_memory(L, s, 0, "", 1);
    return 0;
}

static int work_first_memory(lua_State *L)
{
    ff_lua_script *s = lua_touserdata(L, 1);
    push_memory(L);
    s->refs[FF_LUA_MEMORY] = luaL_ref(L, LUA_REGISTRYINDEX); // globals stay as they are now
    push_function(L, "cycle");
    lua_pushvalue(L, -1);
    s->refs[FF_LUA_CYCLE] = luaL_ref(L, LUA_REGISTRYINDEX);
    watch_locals(L, s, true);
    if (s->nentry == 0) return 0;
    push_memory(L);
    keep_memory(L, s, 0);
    return 0;
}

/// "FL_femur.position" of "drives.FL_femur.position".
static bool shorten_names(ff_lua_script *s, ff_io_kind kind, const ff_io_layout *layout)
{
    s->names[kind] = FF_ARENA_NEW(&s->arena, const char *, layout->count + 1);
    for (int i = 0; s->names[kind] && i < layout->count; i++) {
        const char *dot = strchr(layout->names[i].name, '.');
        s->names[kind][i] = dot ? dot + 1 : layout->names[i].name;
    }
    return s->names[kind] != NULL;
}

static bool make_block(ff_lua_script *s, uint64_t seed)
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

static ff_status refuse(ff_lua_script *s, ff_error *err)
{
    if (s->box.line > 0)
        return ff_error_set(err, FF_BAD_FILE, "%s:%d: %s", s->settings->path, s->box.line, s->box.text);
    return ff_error_set(err, FF_BAD_FILE, "%s: %s", s->settings->path, s->box.text);
}

static ff_status start_script(ff_lua_script *s, ff_error *err)
{
    const double times = START_TIMES * s->settings->instructions;
    if (!ff_lua_sandbox_call(&s->box, work_begin, s, times)) return refuse(s, err);
    if (!make_block(s, s->site->seed)) return ff_error_set(err, FF_NO_MEMORY, "no memory for a script");
    if (!ff_lua_sandbox_call(&s->box, work_first_memory, s, times)) return refuse(s, err);
    s->box.locked = true;
    memcpy(s->shadow, s->block, s->size);
    return FF_OK;
}

static ff_lua_script *new_script(const ff_control_site *site)
{
    ff_lua_script *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    *s = (ff_lua_script){
        .site = site, .sensors = *site->sensors, .references = *site->references, .limits = site->limits};
    s->box.say = ff_lua_take_line;
    s->box.context = s;
    s->entries = FF_ARENA_NEW(&s->arena, ff_lua_entry, 2 * MOST_VALUES);
    s->signals = FF_ARENA_NEW(&s->arena, ff_io_name, MOST_VALUES);
    return s;
}

static ff_status begin_script(ff_lua_script *s, ff_error *err)
{
    const ff_lua_settings *settings = s->settings;
    ff_status status = s->entries && s->signals && shorten_names(s, FF_IO_SENSORS, &s->sensors) &&
                               shorten_names(s, FF_IO_REFERENCES, &s->references) && make_block(s, s->site->seed)
                           ? FF_OK
                           : ff_error_set(err, FF_NO_MEMORY, "no memory for a script");
    if (status == FF_OK) status = ff_lua_sandbox_open(&s->box, (size_t)settings->memory, settings->allow, err);
    if (status == FF_OK) status = start_script(s, err);
    s->site = NULL;
    return status;
}

static ff_scene_controller controller_of(ff_lua_script *s)
{
    return (ff_scene_controller){.context = s,
                                 .cycle = cycle,
                                 .memory = s->block,
                                 .memory_size = s->size,
                                 .signals = s->signals,
                                 .values = s->values,
                                 .nsignal = s->nvalue};
}

ff_status ff_lua_script_begin(const ff_lua_settings *settings, const ff_control_site *site, ff_scene_controller *out,
                              ff_error *err)
{
    ff_lua_script *s = new_script(site);
    if (!s) return ff_error_set(err, FF_NO_MEMORY, "no memory for a script");
    s->settings = settings;
    const ff_status status = begin_script(s, err);
    if (status == FF_OK)
        *out = controller_of(s);
    else
        ff_lua_script_end(s);
    return status;
}

void ff_lua_script_end(void *script)
{
    ff_lua_script *s = script;
    if (s->before) ff_lua_script_end(s->before);
    ff_lua_sandbox_close(&s->box);
    ff_arena_clear(&s->arena);
    free(s);
}

const ff_lua_settings *ff_lua_script_settings(const void *script)
{
    return ((const ff_lua_script *)script)->settings;
}

// ------------------------------------------------------------------------------------------ another text

/// Number of a value by its name, -1: none.
static int find_value(const ff_lua_script *s, const char *name)
{
    for (int i = 0; i < s->nvalue; i++)
        if (strcmp(s->signals[i].name, name) == 0) return i;
    return -1;
}

/// What both scripts have goes on as it is. The table follows the block before the next cycle.
static void carry_over(ff_lua_script *s, const ff_lua_script *old)
{
    s->head->random = old->head->random;
    memcpy(s->given, old->given, (size_t)s->references.count * sizeof *s->given);
    for (int i = 0; i < s->nvalue; i++) {
        const int k = find_value(old, s->signals[i].name);
        if (k < 0 || (s->kinds[i] == BOOLEAN) != (old->kinds[k] == BOOLEAN)) continue;
        s->values[i] = old->values[k];
        s->kinds[i] = old->kinds[k];
    }
    for (int i = 0; i < s->nparameter; i++)
        for (int k = 0; k < old->nparameter; k++) {
            ff_scene_parameter *p = &s->parameters[i].told;
            const ff_lua_parameter *q = &old->parameters[k];
            if (strcmp(p->name, q->told.name) != 0 || q->told.value == q->start) continue;
            p->value = ff_min(ff_max(q->told.value, p->low), p->high);
        }
}

ff_status ff_lua_script_reload(void *script, const char *text, size_t length, const ff_control_site *site,
                               ff_scene_controller *out, int *at, ff_error *err)
{
    ff_lua_script *old = script, *s = new_script(site);
    *at = 0;
    if (!s) return ff_error_set(err, FF_NO_MEMORY, "no memory for a script");
    ff_lua_script *first = old->before ? old->before : old;
    s->own = *old->settings;
    s->own.text = ff_arena_strndup(&s->arena, text, length);
    s->own.length = length;
    s->settings = &s->own;
    s->mirror = FF_ARENA_NEW(&s->arena, int, first->nvalue + 1);
    ff_status status =
        s->own.text && s->mirror ? begin_script(s, err) : ff_error_set(err, FF_NO_MEMORY, "no memory for a script");
    if (status == FF_OK) {
        carry_over(s, old);
        if (!ff_lua_sandbox_call(&s->box, ff_lua_put_parameters, s, s->settings->instructions)) status = refuse(s, err);
    }
    if (status != FF_OK) {
        *at = s->box.line;
        ff_lua_script_end(s);
        return status;
    }
    for (int i = 0; i < first->nvalue; i++) s->mirror[i] = find_value(s, first->signals[i].name);
    s->own.path = ff_arena_strdup(&s->arena, s->own.path ? s->own.path : "");
    old->before = NULL;
    if (old != first) ff_lua_script_end(old);
    s->before = first;
    ff_lua_sandbox_close(&first->box); // its block is all that is needed of it
    *out = controller_of(s);
    return FF_OK;
}
