// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Basics: status codes, caller-owned errors, reports of problems in files, stopping long work, memory
// arena, random numbers. Vectors and rotations are in math.h, dense linear algebra in linalg.h; reading and writing
// text in text.h and json.h.
#ifndef FOOTFALL_BASE_H
#define FOOTFALL_BASE_H

#include <footfall/api.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------
// Status and error

#define FF_STATUS_LIST(X)                                                                                              \
    X(FF_OK, "ok")                                                                                                     \
    X(FF_BAD_ARGUMENT, "an argument is not allowed")                                                                   \
    X(FF_BAD_FILE, "the file cannot be read as what it should be")                                                     \
    X(FF_BAD_MODEL, "the description is not a robot that could exist")                                                 \
    X(FF_NOT_FOUND, "no such thing")                                                                                   \
    X(FF_NOT_BUILT, "this build of Footfall was made without the needed library")                                      \
    X(FF_NO_MEMORY, "out of memory")                                                                                   \
    X(FF_LIMIT, "a size limit was passed")                                                                             \
    X(FF_DIVERGED, "the state is no longer finite")                                                                    \
    X(FF_SOLVER, "the numerical method could not go on")                                                               \
    X(FF_STOPPED, "stopped on request")                                                                                \
    X(FF_CONTROL, "a controller failed")                                                                               \
    X(FF_NOT_WRITTEN, "a file cannot be written")

#define FF_STATUS_ENUM(name, text) name,
typedef enum ff_status { FF_STATUS_LIST(FF_STATUS_ENUM) FF_STATUS_COUNT } ff_status;
#undef FF_STATUS_ENUM

/// One sentence about a status, static memory, never NULL.
FF_API const char *ff_status_text(ff_status status);

/// What went wrong, in memory of the caller. Zero-initialise it: `ff_error err = {0};`
typedef struct ff_error {
    ff_status status;
    char text[512]; // complete message, with "file:line:column: " in front where a file is the cause
    char file[256]; // the cause; "": none
    int line;       // from 1 on, 0: unknown
    int column;
} ff_error;

/// Fills `err` (which may be NULL) and returns `status`, so that a function can end with
/// `return ff_error_set(err, FF_BAD_ARGUMENT, "step is %g s: it must be positive", step);`
FF_API ff_status ff_error_set(ff_error *err, ff_status status, const char *format, ...) FF_PRINTF(3, 4);

// ---------------------------------------------------------------------------------------------------------
// Reports: every problem of a file, with its place

/// A place in a file. Line and column count from 1; 0 means unknown. `file` is borrowed.
typedef struct ff_place {
    const char *file;
    int line;
    int column;
} ff_place;

/// ff_error_set with the place of the cause.
FF_API ff_status ff_error_set_at(ff_error *err, ff_status status, ff_place place, const char *format, ...)
    FF_PRINTF(4, 5);

typedef enum ff_severity { FF_NOTE, FF_WARNING, FF_ERROR } ff_severity;

typedef struct ff_message {
    ff_severity severity;
    char *file; // owned by the report; "" when no file is the cause
    int line;
    int column;
    char *text; // owned by the report
} ff_message;

/// Growing list of messages. Zero-initialise, fill by loaders, read, then `ff_report_clear`.
/// At most FF_REPORT_MAX messages are kept; further errors then replace notes and warnings. `errors` and `warnings`
/// count all messages.
#define FF_REPORT_MAX 200
typedef struct ff_report {
    ff_message *messages;
    int count;
    int capacity;
    int errors;
    int warnings;
} ff_report;

/// Adds a message; text and file name are copied. A NULL report is allowed and drops the message.
FF_API void ff_report_add(ff_report *report, ff_severity severity, ff_place place, const char *format, ...)
    FF_PRINTF(4, 5);
/// The same with a list of arguments.
FF_API void ff_report_addv(ff_report *report, ff_severity severity, ff_place place, const char *format, va_list args);
/// Adds the text of an error, at its own place, or at `place` where it has none.
FF_API void ff_report_add_error(ff_report *report, const ff_error *err, ff_place place);
/// Frees the messages; the report can be used again. NULL is allowed.
FF_API void ff_report_clear(ff_report *report);
/// Writes `file:line:column: error: text` into `buffer`, as snprintf does; returns the full length.
FF_API int ff_message_format(const ff_message *message, char *buffer, size_t size);
/// Copies the first error of the report with its place (without one: the text of the status) into `err`, as
/// ff_error_set_at has it: the caller adds "error:" where it shows the message. @return `status`, or
/// FF_NO_MEMORY where the report says that memory ran out
FF_API ff_status ff_report_to_error(const ff_report *report, ff_status status, ff_error *err);

// ---------------------------------------------------------------------------------------------------------
// Stop: long work that its caller ends

/// A request to stop. The long work of a thread calls `asked`: reading files, making a run (settling, starting
/// controllers), each step of a simulation and each iteration of an implicit one. Once it returns true it must always
/// do so. The work then ends with FF_STOPPED, or with an error in its report. A simulation is then at the end of its
/// last whole step and can go on, bit-identical. Only a step whose impacts take far longer than others do (a thousand
/// bodies in touch without compliance) is aborted; continuing the simulation is then an error. `asked` is called often,
/// so it should take less than a microsecond.
typedef struct ff_stop {
    bool (*asked)(void *context);
    void *context;
} ff_stop;
/// Sets the request of this thread, which is borrowed; NULL: none. ff_team_... pass it on to their threads, which then
/// call it concurrently. @return the request before, to be set again after the work
FF_API const ff_stop *ff_stop_set(const ff_stop *stop);
/// The request of this thread, NULL: none.
FF_API const ff_stop *ff_stop_get(void);
/// Should the work of this thread end? For work of your own, such as a task or a listener.
FF_API bool ff_stop_asked(void);

// ---------------------------------------------------------------------------------------------------------
// Arena: many small allocations, freed together

/// Grows in blocks; nothing is freed before `ff_arena_clear`. Zero-initialise. Memory comes zeroed, aligned to 64 bytes
/// (pieces below 64 bytes: to 16). `limit` (bytes, 0 = none) bounds the memory that hostile input can demand.
typedef struct ff_arena {
    struct ff_arena_block *head;
    size_t total; // bytes held  [byte]
    size_t limit; // most bytes to hold, 0 for no limit  [byte]
    bool failed;  // an allocation has failed since the last ff_arena_clear
} ff_arena;

/// Zeroed memory for `count` items of `size` bytes; NULL when the memory or the limit is used up, or on overflow.
FF_API void *ff_arena_alloc(ff_arena *arena, size_t count, size_t size);
/// Copy of the first `length` characters of `text`, zero-terminated; NULL as above.
FF_API char *ff_arena_strndup(ff_arena *arena, const char *text, size_t length);
/// Copy of the whole `text`; NULL as above.
FF_API char *ff_arena_strdup(ff_arena *arena, const char *text);
/// Text as printf makes it; NULL as above.
FF_API char *ff_arena_printf(ff_arena *arena, const char *format, ...) FF_PRINTF(2, 3);
/// Frees all blocks, and with them all memory from the arena. The arena can be used again; `limit` stays.
FF_API void ff_arena_clear(ff_arena *arena);
#define FF_ARENA_NEW(arena, type, count) ((type *)ff_arena_alloc((arena), (size_t)(count), sizeof(type)))

/// Makes room for one more item in a malloc'ed array that grows by doubling; false when out of memory.
/// `items` is the address of the array pointer. The new item is zeroed.
FF_API bool ff_array_grow(void *items, int count, int *capacity, size_t item_size);

// ---------------------------------------------------------------------------------------------------------
// Random numbers: counter-based, so that streams are independent and any draw can be addressed

/// Philox-4x32-10 (J. K. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC11).
/// The state is a key (seed, stream) and a counter: copy it to save it.
typedef struct ff_random {
    uint64_t seed;
    uint64_t stream;
    uint64_t counter;
} ff_random;

/// Streams of one seed are independent of each other: give each sensor channel, robot or worker its own.
FF_API ff_random ff_random_make(uint64_t seed, uint64_t stream);
/// The next 64 bits of the stream.
FF_API uint64_t ff_random_bits(ff_random *random);
/// Uniform in [0, 1), 53 bits.
FF_API double ff_random_uniform(ff_random *random);
/// The next two uniform numbers. They take the time of one where the first is an even draw.
FF_API void ff_random_uniform_two(ff_random *random, double out[2]);
/// Uniform in [low, high).
FF_API double ff_random_range(ff_random *random, double low, double high);
/// Standard normal (Box-Muller, one pair of draws each).
FF_API double ff_random_normal(ff_random *random);

/// 64-bit hash of bytes (FNV-1a), to compare states bit for bit.
FF_API uint64_t ff_hash(const void *bytes, size_t size, uint64_t start);
#define FF_HASH_START 14695981039346656037ULL

#ifdef __cplusplus
}
#endif

#include <footfall/linalg.h>
#include <footfall/math.h>
#include <footfall/spatial.h>

#endif
