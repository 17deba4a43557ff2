// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The bounds of a script: memory from one block, a count of instructions a call, a library without access to the
// system, the same order and the same random numbers in every run. lua_sandbox.c
#ifndef FOOTFALL_STEER_LUA_SANDBOX_H
#define FOOTFALL_STEER_LUA_SANDBOX_H

#include <footfall/base.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

enum { FF_LUA_CLASSES = 17 }; // blocks of 16 bytes to 1 MiB: that no table is larger bounds the time of one instruction

/// A function of the library and what it counts as (lua_prices.c).
typedef struct ff_lua_function {
    lua_CFunction function;
    const struct ff_lua_price *price;
    struct ff_lua_sandbox *box;
} ff_lua_function;
enum { FF_LUA_FUNCTIONS = 128 }; // Lua 5.4 has 75 of those that are let in

typedef struct ff_lua_sandbox {
    lua_State *L;
    char *block; // all memory of the script
    size_t size, used;
    size_t longest; // string [byte]
    void *stack;    // block that is the stack of the state
    size_t stack_size;
    void *newest; // block that was asked for last
    size_t newest_size;
    bool finding; // the stack
    void *free_blocks[FF_LUA_CLASSES];
    double allowed;        // instructions a call
    double left;           // of them
    bool spent;            // no instruction is allowed any more
    bool overdue;          // for it took too long
    int unwatched;         // instructions since the clock was read
    double since;          // first look of this call, NaN: none yet  [s]
    double (*clock)(void); // NULL: processor time of the thread  [s]
    double longest_call;   // processor time, whatever is allowed; 0: no bound  [s]
    bool stopped;          // who waited for the call does so no more (ff_stop_asked)
    bool locked;           // globals are fixed
    ff_lua_function functions[FF_LUA_FUNCTIONS];
    int nfunction;
    ff_random *random;
    /// What print says.
    void (*say)(void *context, const char *text);
    void *context;
    int line;       // where the last error was, 0: not known
    char text[300]; // of the last error, without the place
} ff_lua_sandbox;

/// Makes the state, without a library, in `memory` bytes. @return false without memory
bool ff_lua_sandbox_make(ff_lua_sandbox *box, size_t memory, unsigned allow);
/// Makes the state with the libraries (lua_library.c). `random` and the rest are set by the caller.
/// @return FF_OK or FF_NO_MEMORY
ff_status ff_lua_sandbox_open(ff_lua_sandbox *box, size_t memory, unsigned allow, ff_error *err);
void ff_lua_sandbox_close(ff_lua_sandbox *box);

/// Calls `work` with `argument` protected, with `times` the instructions of a cycle. False when it failed: text and
/// line say why.
bool ff_lua_sandbox_call(ff_lua_sandbox *box, lua_CFunction work, void *argument, double times);

/// Inside of `work`: the box of a state.
ff_lua_sandbox *ff_lua_sandbox_of(lua_State *L);
/// Counts what one of our functions does as instructions; an error of the script where none are left.
void ff_lua_sandbox_charge(lua_State *L, double instructions);
/// Pushes the table of globals.
void ff_lua_sandbox_globals(lua_State *L);
/// Pushes the name of a chunk and the chunk itself, text only. As with Lua's own program it may begin with a byte order
/// mark and a line that begins with #.
void ff_lua_sandbox_load(lua_State *L, const char *text, size_t length, const char *path);
/// Loads a chunk and runs it with the globals of the sandbox.
void ff_lua_sandbox_run(lua_State *L, const char *text, size_t length, const char *path);
/// Puts functions that count by their price in the place of those of the table at the top (lua_prices.c).
void ff_lua_count_calls(lua_State *L);
/// `pairs` by sorted keys (lua_pairs.c).
int ff_lua_pairs(lua_State *L);
/// Pushes a list of the keys of the table at `index`: numbers by size, then words by their bytes, then false and true.
/// Others are an error.
void ff_lua_sandbox_keys(lua_State *L, int index);

#endif
