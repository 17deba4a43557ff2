// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A script in Lua and its sandbox, for the files lua_*.c.
#ifndef FOOTFALL_STEER_LUA_PRIVATE_H
#define FOOTFALL_STEER_LUA_PRIVATE_H

#include "steer/lua_script.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

// ------------------------------------------------------------------------------------------ the sandbox

// The bounds of a script: memory from one block, a count of instructions a call, a library without access to the
// system, the same order and the same random numbers in every run (lua_sandbox.c, lua_library.c).
enum { FF_LUA_CLASSES = 17 }; // blocks of 16 bytes to 1 MiB: that no table is larger bounds the time of one instruction

/// A function of the library and its price in instructions.
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
    void *newest; // block that was allocated last
    size_t newest_size;
    bool finding; // the next allocation is the stack
    void *free_blocks[FF_LUA_CLASSES];
    double allowed;        // instructions of this call
    double left;           // of them
    bool spent;            // none is left
    bool overdue;          // the call has taken too long
    int unwatched;         // instructions since the clock was read
    double since;          // first reading of the clock in this call, NaN: none yet  [s]
    double (*clock)(void); // NULL: processor time of the thread  [s]
    double longest_call;   // greatest processor time of a call, for any number of instructions; 0: no bound  [s]
    bool stopped;          // the call was stopped by the user (ff_stop_asked)
    bool locked;           // globals cannot change any more
    ff_lua_function functions[FF_LUA_FUNCTIONS];
    int nfunction;
    ff_random *random;
    void (*say)(void *context, const char *text); // gets the lines that the script prints
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

/// Calls `work` with `argument`, protected from errors. @return false when it failed: box->text and box->line say why
bool ff_lua_sandbox_call(ff_lua_sandbox *box, lua_CFunction work, void *argument, double instructions);

/// The sandbox of a state.
ff_lua_sandbox *ff_lua_sandbox_of(lua_State *L);
/// Charges instructions for the work of a function; an error of the script where none are left.
void ff_lua_sandbox_charge(lua_State *L, double instructions);
/// Pushes the table of globals.
void ff_lua_sandbox_globals(lua_State *L);
/// Pushes the name of a chunk and the chunk. As for `lua`, it may begin with a byte order mark and a line with #.
void ff_lua_sandbox_load(lua_State *L, const char *text, size_t length, const char *path);
/// Loads a chunk and runs it with the globals of the sandbox.
void ff_lua_sandbox_run(lua_State *L, const char *text, size_t length, const char *path);
/// Pushes a list of the keys of the table at `index`: numbers, then words, each sorted, then false and true.
void ff_lua_sandbox_keys(lua_State *L, int index);

// ------------------------------------------------------------------------------------------ a script

enum { FF_LUA_REMARKS = 20, FF_LUA_LINES = 40, FF_LUA_LOCALS = 32, FF_LUA_PARAMETERS = 64 };

enum { FF_LUA_CYCLE, FF_LUA_SENSORS, FF_LUA_REFERENCES, FF_LUA_MEMORY, FF_LUA_REFS };

/// One entry of `memory`: a value, or a table with entries.
typedef struct ff_lua_entry {
    const char *word; // key, NULL: a number
    lua_Integer number;
    int value; // of the block; -1: a table
    int child, next, nchild;
} ff_lua_entry;

/// Head of the block that is saved. Values, last references (NaN: never) and kinds of the values follow it.
typedef struct ff_lua_head {
    ff_random random;
    int64_t failed;
    double failed_at; // [s]
} ff_lua_head;

/// A warning about the script, reported once with the time of the first occurrence.
typedef struct ff_lua_remark {
    char text[160];
    double time;
    const void *about; // remarks are the same where this is the same; NULL: where the text is
    int line, count;
} ff_lua_remark;

typedef struct ff_lua_line {
    double time;
    char text[160];
} ff_lua_line;

/// A number the script declares.
typedef struct ff_lua_parameter {
    ff_script_parameter now;
    double start; // value when the script started
} ff_lua_parameter;

struct ff_lua_script {
    ff_lua_sandbox box;
    ff_arena arena;
    const ff_lua_settings *settings;
    ff_lua_settings own;   // with the new text, once the text was replaced
    ff_lua_script *before; // the script with which the simulation began, whose block is saved and recorded
    int *mirror;           // for each value of that script the number of the same value here, -1: none
    ff_lua_parameter parameters[FF_LUA_PARAMETERS];
    int nparameter;
    bool commands;                  // there is a function for them
    const ff_controller_site *site; // during bind
    ff_io_layout sensors, references;
    const ff_reference_limit *limits; // of the references, NULL: none
    const char **names[2];            // of items, short  (count each)
    ff_lua_entry *entries;            // the first is `memory` itself
    int nentry, nvalue;
    ff_io_name *signals;
    char *block, *shadow; // the block, and a copy of it after the last cycle
    size_t size;
    ff_lua_head *head;
    double *values, *given, *kinds;
    int refs[FF_LUA_REFS]; // of what each cycle needs, in the registry
    // of the present cycle
    double time;
    const ff_io_frame *in;
    ff_io_frame *out;
    const ff_script_value *command;
    // values at the start of local variables of the file that `cycle` uses; NaN: not a number
    double locals[FF_LUA_LOCALS];
    bool reported_local;
    // reported after the run
    ff_lua_remark remarks[FF_LUA_REMARKS];
    int nremark, further;
    ff_lua_line lines[FF_LUA_LINES];
    int nline, omitted;
    ff_lua_remark failure;
    int reported_remarks;
    bool reported_failure;
};

// lua_report.c
/// Stores a remark about line `at` of the script, and counts how often it occurs.
void ff_lua_note(ff_lua_script *s, int at, const void *about, const char *format, ...) FF_PRINTF(4, 5);
/// Stores a line that the script prints.
void ff_lua_take_line(void *script, const char *text);

// lua_frames.c
/// Push the object by which the script reads sensors, and the one by which it reads and writes references.
void ff_lua_push_sensors(lua_State *L, ff_lua_script *s);
void ff_lua_push_references(lua_State *L, ff_lua_script *s);

// lua_memory.c
/// Types of a value of `memory` in Lua.
enum { FF_LUA_FLOAT, FF_LUA_INTEGER, FF_LUA_TRUTH };
/// Allocates the list of entries. @return false without memory
bool ff_lua_memory_open(ff_lua_script *s);
/// Pushes the table `memory`.
void ff_lua_memory_push(lua_State *L);
/// Lists what the table at the top, `memory`, holds.
void ff_lua_memory_list(lua_State *L, ff_lua_script *s);
/// Makes the block, with the random numbers of an earlier block or else of the seed. @return false without memory
bool ff_lua_memory_make_block(ff_lua_script *s, uint64_t seed);
/// Copies the table at the top, `memory`, to the block.
void ff_lua_memory_store(lua_State *L, ff_lua_script *s);
/// Copies the block to the table where a restored state has changed it.
void ff_lua_memory_load(lua_State *L, ff_lua_script *s);

// lua_script.c
/// A script that has not started, NULL without memory.
ff_lua_script *ff_lua_script_new(const ff_lua_settings *settings, const ff_controller_site *site);
/// Loads and starts a script. @return FF_OK, or the reason in `err`
ff_status ff_lua_script_start(ff_lua_script *s, const ff_controller_site *site, ff_error *err);
/// Fills `err` with the last error of the sandbox and its place. @return its status
ff_status ff_lua_script_refuse(const ff_lua_script *s, ff_error *err);

// lua_given.c
void ff_lua_push_value(lua_State *L, const ff_script_value *value);
/// The table that `start` gets.
void ff_lua_push_robot(lua_State *L, const ff_lua_script *s);
/// Reads what the script declares and makes the table of parameters.
void ff_lua_make_parameters(lua_State *L, ff_lua_script *s);
/// Puts the values of the parameters into that table; for ff_lua_sandbox_call with the script.
int ff_lua_put_parameters(lua_State *L);

#endif
