// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The bounds of a script in Lua: it ends, in bounded memory, with the same result every time.
// - Memory comes from one block in classes of powers of two; a request that does not fit is an error of the script.
// - Instructions are counted, not seconds. Long work of one instruction counts as several: functions of the library
//   (lua_library.c), memory, a long stack. Strings are short unless files are allowed, since one instruction compares
//   two. Once the count is used up every instruction is an error, so that no pcall continues.
// - A few instructions take a microsecond or more, such as 1e308 % 3e-308. Therefore a call also ends after the
//   processor time LONGEST for each instruction allowed. Calls of less than WATCHED instructions do not read the clock.
// - Programs can bound the time of a call (longest_call), and a call of more than UNINTERRUPTED ends when the user
//   stops it. Shorter ones are finished: a simulation cannot go on bit for bit after an incomplete cycle.
#include "steer/lua_private.h"
#include "steer/lua_script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SMALLEST = 16,
    STRIDE = 500,
    WATCHED = 5000, // instructions between two readings of the clock
    SHORT = 4096    // longest string without `allow: [io]`, with its head [byte]
};
static const double BYTES = 1.0 / 64.0; // instructions a byte asked for counts as
static const double TEXT = 1.0 / 16.0;  // in a string, which may become a key
// Price of an instruction for each byte of the stack beyond the first 1024, at least 1.
static const double STACKED = 1.0 / 1024.0;
static const double LONGEST = 0.25e-6;   // processor time of an instruction                    [s]
static const double UNINTERRUPTED = 0.5; // processor time of a call before it asks whether to stop [s]

// ------------------------------------------------------------------------------------------ memory

static int class_of(size_t size)
{
    int k = 0;
    while (k < FF_LUA_CLASSES && ((size_t)SMALLEST << k) < size) k++;
    return k;
}

static void *take_block(ff_lua_sandbox *box, int k)
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

/// The line of the script that runs. It reads only the records of calls, so it may be called at any moment.
static int running_line(lua_State *L)
{
    lua_Debug at;
    for (int level = 0; L && lua_getstack(L, level, &at); level++)
        if (lua_getinfo(L, "l", &at) && at.currentline > 0) return at.currentline;
    return 0;
}

/// Refuses memory: Lua collects garbage and tries once more. As it calls no error handler, the line is stored here.
static void *refuse(ff_lua_sandbox *box)
{
    box->line = running_line(box->L);
    box->left -= BYTES * (double)box->used;
    return NULL;
}

/// Tracks the block of the stack, which grows by reallocation, or in other versions by a new block before a free.
static void follow_stack(ff_lua_sandbox *box, const void *old, void *block, size_t size)
{
    if (box->finding || (old && old == box->stack)) {
        box->stack = block ? block : box->newest;
        box->stack_size = block ? size : box->newest_size;
    }
    if (!block) return;
    box->newest = block;
    box->newest_size = size;
}

static void *allocate(void *context, void *old, size_t old_size, size_t size)
{
    ff_lua_sandbox *box = context;
    const int from = old ? class_of(old_size) : -1, to = class_of(size);
    if (size == 0) {
        follow_stack(box, old, NULL, 0);
        if (old) give_back(box, old, from);
        return NULL;
    }
    const bool text = !old && old_size == LUA_TSTRING; // Lua says here what a new block is for
    if (text && size > box->longest) return refuse(box);
    box->left -= (text ? TEXT : BYTES) * (double)size;
    void *block = from == to ? old : take_block(box, to);
    if (!block && old && size <= old_size) block = old; // to shrink must not fail
    if (!block) return refuse(box);
    follow_stack(box, old, block, size);
    if (block == old) return old;
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

/// Processor time of this thread.  [s]
static double thread_time(void)
{
#ifdef CLOCK_THREAD_CPUTIME_ID
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0) return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
    return (double)clock() / CLOCKS_PER_SEC;
}

/// Greatest processor time of the call.  [s]
static double time_allowed(const ff_lua_sandbox *box)
{
    const double longest = LONGEST * box->allowed;
    return box->longest_call > 0.0 ? ff_min(longest, box->longest_call) : longest;
}

/// Checks whether the call has taken far longer than its instructions should, or the caller was asked to stop.
static void watch_time(ff_lua_sandbox *box)
{
    box->unwatched += STRIDE;
    if (box->unwatched < WATCHED) return;
    const double now = box->clock ? box->clock() : thread_time();
    box->unwatched = 0;
    if (isnan(box->since)) box->since = now;
    box->overdue = now - box->since > time_allowed(box);
    box->stopped = now - box->since > UNINTERRUPTED && ff_stop_asked();
}

static int stop(lua_State *L, const ff_lua_sandbox *box, const char *rest)
{
    luaL_where(L, 0); // empty in a function of the library, ..
    luaL_where(L, 1); // .. whose caller is meant
    lua_remove(L, lua_tostring(L, -2)[0] ? -1 : -2);
    if (box->stopped)
        lua_pushliteral(L, "the call was stopped by the user");
    else if (box->overdue)
        lua_pushfstring(L, "more than %f s of processor time in one call%s", time_allowed(box),
                        time_allowed(box) < LONGEST * box->allowed
                            ? ": `check` and the studio give no more, whatever its limits say (`footfall run` does)"
                            : ": some instructions take far longer than others");
    else
        lua_pushfstring(L, "more than %d instructions in one call%s", (int)ff_min(box->allowed, 2e9), rest);
    lua_concat(L, 2);
    return lua_error(L);
}

static void count(lua_State *L, lua_Debug *record)
{
    ff_lua_sandbox *box = ff_lua_sandbox_of(L);
    (void)record;
    if (!box->spent) watch_time(box);
    box->left -= (box->spent ? 1 : STRIDE) * ff_max(1.0, STACKED * (double)box->stack_size - 1.0);
    if (box->left > 0.0 && !box->overdue && !box->stopped) return;
    box->spent = true;
    box->left = ff_min(box->left, 0.0);
    lua_sethook(L, count, LUA_MASKCOUNT, 1); // from now on each instruction ends up here
    stop(L, box, "; does it end? (limits: {instructions: ..})");
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

/// Adds to Lua's message that `io` is a nil value how a scene can allow it.
static void add_advice(ff_lua_sandbox *box)
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

bool ff_lua_sandbox_call(ff_lua_sandbox *box, lua_CFunction work, void *argument, double instructions)
{
    lua_State *L = box->L;
    box->allowed = box->left = instructions;
    box->spent = box->overdue = box->stopped = false;
    box->unwatched = 0;
    box->since = NAN;
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
        add_advice(box);
    return status == LUA_OK;
}

void ff_lua_sandbox_charge(lua_State *L, double instructions)
{
    ff_lua_sandbox *box = ff_lua_sandbox_of(L);
    box->left -= instructions;
    if (box->left <= 0.0) stop(L, box, ", names and functions of the library counted by what they cost");
}

// ------------------------------------------------------------------------------------------ chunks and states

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

bool ff_lua_sandbox_make(ff_lua_sandbox *box, size_t memory, unsigned allow)
{
    box->block = malloc(memory);
    box->size = box->block ? memory : 0;
    box->left = 1e6;
    box->longest = allow & FF_LUA_IO ? memory : SHORT;
    box->L = lua_newstate(allocate, box);
    box->finding = true;
    if (box->L) lua_checkstack(box->L, 50); // more than there is: the stack alone is allocated again
    box->finding = false;
    return box->L != NULL;
}

void ff_lua_sandbox_close(ff_lua_sandbox *box)
{
    if (box->L) lua_close(box->L);
    free(box->block);
    box->L = NULL;
    box->block = NULL;
}
