// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Internals of the room: sync.c synchronises two threads, pairs.c records both robots, twin.c has a leader and its
// twin, result.c their distance, as text and as JSON; csv.c, map.c and align.c read other recordings and
// interpolate them at the times of the leader; far_twin.c is the twin at the far end of a wire.
#ifndef FOOTFALL_TWIN_TWIN_H
#define FOOTFALL_TWIN_TWIN_H

#include "certify/certify.h"

#include <footfall/run.h>
#include <footfall/twin.h>

#include <stdatomic.h>

#ifdef FF_WITH_THREADS
#include <pthread.h>
#endif

// ------------------------------------------------------------------------------------------ sync.c

// Synchronisation of the threads of two robots: answers of the controller to the leader go to the twin, rows recorded
// of the twin go to the leader. Neither can block the other permanently, and the results depend on simulated time only,
// not on which thread is faster.

/// Answers that are buffered for a twin that is behind.
enum { FF_TWIN_SYNC_ANSWERS = 1024 };

typedef struct ff_twin_sync {
#ifdef FF_WITH_THREADS
    pthread_mutex_t mutex;
    pthread_cond_t changed;
#endif
    bool made;
    // answers of the controller, a ring
    int nreference, nsignal, nsensed;
    ff_io_item *references; // (FF_TWIN_SYNC_ANSWERS * nreference)
    double *signals;        // (FF_TWIN_SYNC_ANSWERS * nsignal)
    double *sensed;         // (FF_TWIN_SYNC_ANSWERS * nsensed) sensors of the leader at its answer
    uint32_t *conditions;   // (FF_TWIN_SYNC_ANSWERS)
    int64_t put, got;       // answers given, answers taken
    bool newest;            // real time: the twin takes the newest answer without waiting
    double timeout;         // timeout of the leader for a twin that is behind; 0: none  [s]
    // one row of the twin
    double *row; // (columns)
    int columns;
    double row_time; // [s]
    bool row_ready;
    bool leader_waits; // for a row
    atomic_bool leader_over, twin_over;
} ff_twin_sync;

/// @return false without memory
bool ff_twin_sync_make(ff_twin_sync *m, int nreference, int nsignal, int nsensed, int columns);
void ff_twin_sync_clear(ff_twin_sync *m);

/// An answer of the controller in a cycle of the leader. The receiver provides the memory.
typedef struct ff_answer {
    ff_io_frame *references;
    double *signals, *sensed;
    uint32_t conditions;
} ff_answer;

/// Called by the leader: adds an answer; if the twin is FF_TWIN_SYNC_ANSWERS cycles behind, it waits for it.
void ff_twin_sync_put_answer(ff_twin_sync *m, const ff_answer *answer);
/// Called by the twin: waits for the answer to cycle number `cycle`, from 0. @return false: the leader has finished, or
/// waits for a row of the twin and will not answer before; nothing is changed
bool ff_twin_sync_get_answer(ff_twin_sync *m, int64_t cycle, ff_answer *answer);

/// Called by the twin: adds a row; waits until the previous one was taken.
void ff_twin_sync_put_row(ff_twin_sync *m, double t, const double *row);
/// Called by the leader: waits for the row of that time. @return false: the twin has none
bool ff_twin_sync_take_row(ff_twin_sync *m, double t, double *row);

/// No more answers, or no more rows, will be added.
void ff_twin_sync_finish(ff_twin_sync *m, atomic_bool *over);

// ------------------------------------------------------------------------------------------ pairs.c

typedef enum ff_twin_pair_kind {
    FF_TWIN_PLAIN, // numbers
    FF_TWIN_TURN,  // a quaternion: the difference is a rotation vector in axes of the leader
    FF_TWIN_PLACE, // positions of all joints: the difference is in the tangent space
} ff_twin_pair_kind;

/// One channel of both robots: column numbers are those of the first column.
typedef struct ff_twin_pair {
    ff_twin *twin;
    ff_twin_pair_kind kind;
    const char *name, *unit; // of the difference
    const char **columns;    // names (width); NULL: none
    int width;               // of the difference
    int own_width;           // of the channel
    int leader;              // in the leader's rows
    int other;               // in the twin's rows
    int difference;          // in the leader's rows
    double *apart;           // the last difference  (width)
} ff_twin_pair;

/// The twin's values at a time of the leader (columns of the twin's rows); false: there are no more.
bool ff_twin_fetch(ff_twin *twin, double t);

/// Adds twin.NAME and difference.NAME for each channel of the leader that the twin has as well. @param find  first
/// column of a channel in the twin's rows, -1: none
ff_status ff_pairs_record(ff_twin *twin, int (*find)(const ff_twin *twin, const char *channel, int width),
                          ff_error *err);

/// Adds signals twin.NAME.COLUMN and difference.NAME.COLUMN of the leader, with the last row of the twin and the last
/// difference. They are as old as the last sample of the recording.
ff_status ff_pairs_show(ff_twin *twin, ff_error *err);

// ------------------------------------------------------------------------------------------ twin.c

struct ff_twin {
    ff_run *leader;
    ff_run *run; // NULL: a recording
    ff_status status;
    ff_error err;             // of it
    ff_trace trace, own;      // of the leader and of the twin
    ff_certify_options watch; // stops the twin
    ff_twin_sync sync;
    ff_relay_site site;    // of the twin's controller
    const double *signals; // of the leader's controller  (site.nsignal)
    int64_t cycles, late;
    double period;       // of the leader's controller; 0: none  [s]
    uint64_t references; // hash of their layout
    atomic_bool quit;
    // present row
    double *row; // (columns)
    int columns;
    double row_time, lost; // [s]
    ff_twin_pair *pairs;
    int npair;
    // of a recording
    const ff_sheet *sheet;
    const ff_map *map;
    double offset;
    double *times;   // of its rows  [s]
    double *spacing; // (map->count) of the samples of each column  [s]
    int *places;     // (map->count) in the row
    long long *at;   // (map->count) where each column was read last
    const ff_alignment *alignment;
    ff_twin_result result;
    ff_arena arena;
    bool joined;
#ifdef FF_WITH_THREADS
    pthread_t thread;
#endif
};

// ------------------------------------------------------------------------------------------ result.c

/// Computes the result from the recording. @return false: out of memory
bool ff_twin_compare(ff_twin *twin);

const char *ff_twin_describe(const ff_twin *twin, ff_arena *arena);
const char *ff_far_twin_describe(const ff_far_twin_result *result, ff_arena *arena);

// ------------------------------------------------------------------------------------------ map.c

/// Is it the channel, or the channel and column, of that name?
bool ff_mapped_fits(const ff_mapped *mapped, const char *name);
/// Times of the rows in seconds.
void ff_map_times(const ff_map *map, const ff_sheet *sheet, double *out);

// ------------------------------------------------------------------------------------------ align.c

/// Samples farther apart than this many times their median distance have a gap between them.
#define FF_SERIES_GAP 3.5
/// Median distance of samples that are not NaN; 0 with fewer than two.
double ff_series_spacing(const ff_series *s);
/// Value at a time between the samples, linear; NaN in gaps and outside. `at` keeps the position for ascending times.
double ff_series_value(const ff_series *s, double longest, double t, long long *at);

/// Types of the JSON of twins.
extern const ff_json_subject ff_twin_json;

#endif
