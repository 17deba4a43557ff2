// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Two robots and one controller: the leader is a run as any other; its twin gets the same references in the same
// cycles, while nobody looks at what the twin senses. The twin is a second simulation, at another seed or with other
// parameters; or a recording of a real robot, aligned in time by correlation; or a second robot at the far end of a
// wire. How far they lie apart is recorded with the leader, as channels twin.NAME and difference.NAME (twin - leader).
// docs/twin.md says what the numbers mean.
//
//     ff_twin *twin = ff_twin_begin(leader, other_scene, &report);   // before the first step and before files are open
//     ff_status status = ff_run_go(leader, &err);                    // the same bits as without a twin
//     const ff_twin_result *r = ff_twin_end(twin, status, &err);
//     ... r->distance, r->parting, r->channels[i].rms ...
//     ff_twin_destroy(twin);                                         // before ff_run_destroy(leader)
#ifndef FOOTFALL_TWIN_H
#define FOOTFALL_TWIN_H

#include <footfall/certify.h>
#include <footfall/link.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ recordings of others

/// Columns of numbers that were recorded elsewhere. Strings and numbers belong to the sheet.
typedef struct ff_sheet {
    const char *path;
    int ncolumn;
    long long nrow;
    const char *const *names; // (ncolumn) of the first line; "#1", "#2", .. without one
    const char *const *units; // (ncolumn) "" where none is given
    const double *values;     // (ncolumn * nrow), column after column; NaN where there is no number
    const int *lines;         // (nrow) of the file, from 1 on; NULL: it has none
} ff_sheet;
#define FF_SHEET_COLUMNS 4096
#define FF_SHEET_ROWS    20000000LL

/// Reads a text file of numbers, one row a line, separated by commas, semicolons, tabs or blanks. A first line that is
/// no row of numbers names the columns, "knee [rad]" or "knee (rad)" with a unit. Empty fields, "nan" and "NA" are no
/// numbers; lines that begin with # are left out. Anything else that is no number is an error with line and column.
/// @return NULL with the mistakes in `report`
FF_API ff_sheet *ff_sheet_read_csv(const char *path, ff_report *report);
/// A sheet of the caller's numbers, which are copied. @return NULL without memory
FF_API ff_sheet *ff_sheet_make(const char *path, int ncolumn, long long nrow, const char *const *names,
                               const char *const *units, const double *values);
FF_API void ff_sheet_destroy(ff_sheet *sheet);

/// Which column is which channel of the leader.
typedef struct ff_mapped {
    const char *channel;  // "joints.position"
    const char *name;     // column of the channel, "knee"; NULL: it has one column alone
    int index;            // of that column in the channel
    int column;           // of the sheet
    double scale, offset; // value = scale * number + offset, in the unit of the channel
} ff_mapped;
typedef struct ff_map {
    int time; // column of the sheet
    double time_scale;
    const ff_mapped *columns;
    int count;
    const char *align; // channel, or channel and column, by which to align; NULL: all that are mapped
    ff_arena arena;
} ff_map;
/// Reads a map of columns to channels (docs/twin.md), and fits it to a sheet and to the channels that a run records.
/// @param path  a YAML file; NULL: columns that are named as channels, "joints.position.knee", are taken
/// @return false with the mistakes in `report`
FF_API bool ff_map_read(ff_map *map, const char *path, const ff_sheet *sheet, const ff_run *leader, ff_report *report);
FF_API void ff_map_clear(ff_map *map);

// ------------------------------------------------------------------------------------------ alignment

/// One signal at irregular times, ascending; values that are NaN are missing, as are those at the time of the one
/// before.
typedef struct ff_series {
    const double *t, *value; // (count)
    long long count;
} ff_series;

/// How well two recordings fit when one of them is shifted.
typedef struct ff_alignment {
    bool clear;           // one offset stands out
    double offset;        // time of the recording = time of the leader + offset                   [s]
    double error;         // standard deviation of the offset, from the residual and the curvature [s]
    double correlation;   // at the offset, mean of the channels, -1 .. 1
    double second;        // of the next best offset that is no neighbour; NaN: there is none
    double near;          // offset to which, of those that fit alike, the nearest is taken            [s]
    double period;        // between offsets that fit alike; NaN: there are none                   [s]
    double most_negative; // lowest correlation at any offset
    double step;          // grid on which they were compared                                      [s]
    double *each;         // (count) correlation of each channel at the offset; of the caller, may be NULL
} ff_alignment;

/// What to think of a column whose signals have this correlation at the offset: NULL where it fits.
FF_API const char *ff_alignment_doubt(double correlation);
/// Finds the offset at which `count` pairs of signals correlate best: normalised cross-correlation over what both have,
/// mean over the pairs, with a parabola between the samples of the grid. Of offsets that fit alike the one nearest to
/// zero is taken, and `clear` is false; where the clocks have nothing in common, the one nearest to that at which both
/// begin.
/// @param leader   at the times of a run
/// @param other    by its own clock
/// @param used     the first so many pairs decide; the others are judged at the offset that they find
/// @param step     of the grid; 0: the mean distance of samples of the leader  [s]
/// @return FF_OK; FF_BAD_ARGUMENT: too few samples in common, or signals that do not change; FF_NO_MEMORY
FF_API ff_status ff_align(const ff_series *leader, const ff_series *other, int count, int used, double step,
                          ff_alignment *out, ff_error *err);

// ------------------------------------------------------------------------------------------ a run and its twin

/// How far a channel of the twin lies from that of the leader, over all samples and columns that both have.
typedef struct ff_twin_channel {
    const char *name, *unit; // of the difference: orientations differ by an angle
    double rms, most;
    const char *column; // where the difference is greatest; "" where the channel has one column alone
    double at;          // and when  [s]
    double range;       // of the leader's channel: greatest less least value, of the column that moves most
    double parted;      // first time at which a column differs by more than 5 % of that; NaN: never  [s]
    long long samples;  // numbers compared
} ff_twin_channel;

typedef struct ff_twin_result {
    const char *text;    // what it says, in a sentence or two
    const char *outcome; // of the twin: "finished", or why not
    double lost;         // time from which on there is no twin; NaN: there is one to the end  [s]
    long long late;      // cycles in which the leader had not yet answered: references stayed
    double moved;        // the way of the degree of freedom of the leader that moved most     [m]
    double distance;     // greatest distance of the two; NaN: of recordings                   [m]
    ff_parting parting;  // as in certificates; a recording does not part so
    const ff_twin_channel *channels;
    int nchannel;
    const ff_metric *metrics; // of the twin; none of a recording
    int nmetric;
    const ff_alignment *alignment; // of a recording; NULL: its offset was given, or it is no recording
    const ff_map *map;             // of a recording, else NULL
    double offset;                 // of a recording  [s]
} ff_twin_result;

typedef struct ff_twin ff_twin;

/// Puts a second simulation beside a run that has not begun. It runs in a thread of its own, one sample ahead or behind
/// the leader; its controller is that of the leader. The leader gives the same bits as without.
/// @param leader  records at least one channel, and has no files open yet
/// @param scene   of the twin, with the same joints and the same period of control; borrowed
/// @return NULL with the reasons in `report`
FF_API ff_twin *ff_twin_begin(ff_run *leader, const ff_scene_spec *scene, ff_report *report);
/// The same with a recording in place of a second simulation; sheet and map are borrowed.
/// @param offset     time of the recording = time of the leader + offset  [s]
/// @param alignment  by which it was found; NULL: it was given. Borrowed
FF_API ff_twin *ff_twin_begin_recorded(ff_run *leader, const ff_sheet *sheet, const ff_map *map, double offset,
                                       const ff_alignment *alignment, ff_error *err);
/// Aligns a recording with a run that has ended and whose rows are in memory.
/// @param out  `each` has room for map->count numbers, or is NULL
FF_API ff_status ff_twin_align(const ff_run *leader, const ff_sheet *sheet, const ff_map *map, ff_alignment *out,
                               ff_error *err);
/// Waits for the twin, and compares. After ff_run_go.
/// @param status  of the leader: where it did not come to its end, the twin is stopped as well
/// @return NULL with FF_NO_MEMORY in `err`
FF_API const ff_twin_result *ff_twin_end(ff_twin *twin, ff_status status, ff_error *err);
/// Stops the twin and frees everything; NULL is allowed. The leader is not run any more after this.
FF_API void ff_twin_destroy(ff_twin *twin);
/// The result as JSON, docs/twin.md; malloc'ed, NULL without memory.
FF_API char *ff_twin_to_json(const ff_twin_result *result);

// ------------------------------------------------------------------------------------------ at the far end of a wire

/// A twin at the far end of a second wire: one controller with two robots.
typedef struct ff_far_twin ff_far_twin;

typedef struct ff_far_twin_setup {
    ff_wire *wire;                             // to the twin, open; borrowed
    ff_link_options options;                   // timeout and stop, of both robots
    ff_link_controller controller;             // of the leader; what it points to is borrowed
    ff_io_layout sensors, references, signals; // of the controller; a twin with others is refused
    ff_recorder *recorder; // NULL: nothing is recorded. Fresh: channels are added, and a row a cycle
} ff_far_twin_setup;

typedef struct ff_far_twin_result {
    const char *text;                // what it says, in a sentence or two
    double time;                     // of the leader's last cycle  [s]
    ff_status status;                // of the conversation with the twin: FF_OK when it ended by itself
    const char *why;                 // where it did not
    int64_t cycles, alone;           // of the leader; those of them without a new frame of the twin
    double lost;                     // time from which on there is no twin; NaN: there is one to the end  [s]
    ff_link_counts counts;           // of the twin's wire
    const ff_twin_channel *channels; // sensors of both
    int nchannel;
} ff_far_twin_result;

/// @return NULL with FF_NO_MEMORY, FF_NOT_BUILT (no threads) or the status of the recorder in `err`
FF_API ff_far_twin *ff_far_twin_create(const ff_far_twin_setup *setup, ff_error *err);
/// What ff_link_control gets in place of the leader's controller: it meets the twin once the leader is met, and answers
/// both. A twin that does not come is refused there; one that is lost later leaves the leader alone.
FF_API ff_link_controller ff_far_twin_controller(ff_far_twin *twin);
/// After ff_link_control: lets the twin finish where the leader did, else sends it away. Files of the recorder stay
/// open.
FF_API const ff_far_twin_result *ff_far_twin_end(ff_far_twin *twin, ff_status leader);
/// The result as JSON, as of ff_twin_to_json; malloc'ed, NULL without memory.
FF_API char *ff_far_twin_to_json(const ff_far_twin_result *result);
/// NULL is allowed.
FF_API void ff_far_twin_destroy(ff_far_twin *twin);

#ifdef __cplusplus
}
#endif
#endif
