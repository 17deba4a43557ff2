// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Two robots and one controller: the leader is an ordinary run; its twin gets the same references in the same cycles,
// and its sensors are not used. The twin is a second simulation, with another seed or other parameters; or a recording
// of a real robot, aligned in time by correlation; or a second robot at the other end of a wire. The values of the twin
// and their differences are recorded with the leader, as channels twin.NAME and difference.NAME (twin - leader).
// docs/twin.md explains the numbers.
//
//     ff_twin *twin = ff_twin_begin(leader, other_scene, &report);   // before the first step and before files are open
//     ff_status status = ff_run_go(leader, &err);                    // bit-identical to a run without a twin
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

// ------------------------------------------------------------------------------------------ external recordings

/// Columns of numbers from an external recording. Strings and numbers belong to the sheet.
typedef struct ff_sheet {
    const char *path;
    int ncolumn;
    long long nrow;
    const char *const *names; // (ncolumn) of the first line; "#1", "#2", .. without one
    const char *const *units; // (ncolumn) "" where none is given
    const double *values;     // (ncolumn * nrow), column after column; NaN: missing
    const int *lines;         // (nrow) of the file, from 1 on; NULL: it has none
} ff_sheet;
#define FF_SHEET_COLUMNS 4096
#define FF_SHEET_ROWS    20000000LL

/// Reads a text file of numbers, one row per line, separated by commas, semicolons, tabs or blanks. If the first line
/// is not a row of numbers, it names the columns, "knee [rad]" or "knee (rad)" with a unit. Empty fields, "nan" and
/// "NA" are missing values; lines that begin with # are ignored. Any other text is an error with line and column.
/// @return NULL with all errors in `report`
FF_API ff_sheet *ff_sheet_read_csv(const char *path, ff_report *report);
/// A sheet of the caller's numbers, which are copied. @return NULL without memory
FF_API ff_sheet *ff_sheet_make(const char *path, int ncolumn, long long nrow, const char *const *names,
                               const char *const *units, const double *values);
FF_API void ff_sheet_destroy(ff_sheet *sheet);

/// A column of the sheet and its channel of the leader.
typedef struct ff_mapped {
    const char *channel;  // "joints.position"
    const char *name;     // column of the channel, "knee"; NULL: it has a single column
    int index;            // of that column in the channel
    int column;           // of the sheet
    double scale, offset; // value = scale * number + offset, in the unit of the channel
} ff_mapped;
typedef struct ff_map {
    int time; // column of the sheet
    double time_scale;
    const ff_mapped *columns;
    int count;
    const char *align; // channel, or channel and column, by which to align; NULL: all mapped ones
    ff_arena arena;
} ff_map;
/// Reads a map of columns to channels (docs/twin.md) and resolves it for a sheet and the channels that a run records.
/// @param path  a YAML file; NULL: columns with the name of a channel, "joints.position.knee", are mapped to it
/// @return false with all errors in `report`
FF_API bool ff_map_read(ff_map *map, const char *path, const ff_sheet *sheet, const ff_run *leader, ff_report *report);
FF_API void ff_map_clear(ff_map *map);

// ------------------------------------------------------------------------------------------ alignment

/// One signal at irregular, ascending times. A value that is NaN, or at the time of the previous one, is ignored.
typedef struct ff_series {
    const double *t, *value; // (count)
    long long count;
} ff_series;

/// Result of an alignment: the time by which one recording is shifted, and how well the two fit then.
typedef struct ff_alignment {
    bool clear;           // one offset fits clearly better than all others
    double offset;        // time of the recording = time of the leader + offset                   [s]
    double error;         // standard deviation of the offset, from the residual and the curvature [s]
    double correlation;   // at the offset, mean of the channels, -1 .. 1
    double second;        // of the next best peak; NaN: there is none
    double near;          // prior: of offsets that fit equally well the nearest to it is chosen       [s]
    double period;        // between offsets that fit equally well; NaN: there is one only         [s]
    double most_negative; // lowest correlation at any offset
    double step;          // of the grid on which they were compared                                      [s]
    double *each;         // (count) correlation of each channel at the offset; memory of the caller, may be NULL
} ff_alignment;

/// Suspected mistake in the map of a column with this correlation at the offset; NULL: none.
FF_API const char *ff_alignment_doubt(double correlation);
/// Finds the offset at which `count` pairs of signals correlate best: normalised cross-correlation over the common
/// samples, averaged over the pairs, with a parabola between the samples of the grid. Of offsets that fit equally well
/// the nearest to zero is chosen, and `clear` is false; if the time spans do not overlap, the nearest to the offset at
/// which both begin together.
/// @param leader   at the times of a run
/// @param other    by its own clock
/// @param used     number of leading pairs that determine the offset; the others are only correlated there
/// @param step     of the grid; 0: the mean distance of samples of the leader  [s]
/// @return FF_OK; FF_BAD_ARGUMENT: too few samples in common, or signals that do not change; FF_NO_MEMORY
FF_API ff_status ff_align(const ff_series *leader, const ff_series *other, int count, int used, double step,
                          ff_alignment *out, ff_error *err);

// ------------------------------------------------------------------------------------------ a run and its twin

/// Difference of a channel between twin and leader, over all common samples and columns.
typedef struct ff_twin_channel {
    const char *name, *unit; // of the difference: orientations differ by an angle
    double rms, most;
    const char *column; // with the greatest difference; "": the channel has a single column
    double at;          // time of the greatest difference  [s]
    double range;       // of the leader's channel: greatest less least value, of the column with the largest range
    double parted;      // first time at which a column differs by more than 5 % of that; NaN: never  [s]
    long long samples;  // numbers compared
} ff_twin_channel;

typedef struct ff_twin_result {
    const char *text;    // a summary in one or two sentences
    const char *outcome; // of the twin: "finished", or the reason why it did not
    double lost;         // time at which the twin ended early; NaN: it did not  [s]
    long long late;      // cycles without an answer to the leader yet: references were kept
    double moved;        // largest displacement of a degree of freedom of the leader          [m]
    double distance;     // greatest distance of both; NaN: the twin is a recording                   [m]
    ff_parting parting;  // as in certificates; not for recordings
    const ff_twin_channel *channels;
    int nchannel;
    const ff_metric *metrics; // of the twin; none for a recording
    int nmetric;
    const ff_alignment *alignment; // of a recording; NULL: its offset was given, or the twin is a simulation
    const ff_map *map;             // of a recording; NULL: the twin is a simulation
    double offset;                 // of a recording  [s]
} ff_twin_result;

typedef struct ff_twin ff_twin;

/// Adds a second simulation to a run that has not begun. It runs in its own thread, at most one sample ahead of or
/// behind the leader, with the controller of the leader. The leader is bit-identical to a run without a twin.
/// @param leader  records at least one channel; its files are not open yet
/// @param scene   of the twin, with the same joints and the same period of control; borrowed
/// @return NULL with the reasons in `report`
FF_API ff_twin *ff_twin_begin(ff_run *leader, const ff_scene_spec *scene, ff_report *report);
/// The same with a recording instead of a second simulation; sheet and map are borrowed.
/// @param offset     time of the recording = time of the leader + offset  [s]
/// @param alignment  that gave the offset; NULL: the offset was given by the user. Borrowed
FF_API ff_twin *ff_twin_begin_recorded(ff_run *leader, const ff_sheet *sheet, const ff_map *map, double offset,
                                       const ff_alignment *alignment, ff_error *err);
/// Aligns a recording with a finished run whose rows are in memory.
/// @param out  `each` has room for map->count numbers, or is NULL
FF_API ff_status ff_twin_align(const ff_run *leader, const ff_sheet *sheet, const ff_map *map, ff_alignment *out,
                               ff_error *err);
/// Waits for the twin and compares both. To be called after ff_run_go.
/// @param status  of the leader: if it failed, the twin is stopped, too
/// @return NULL with FF_NO_MEMORY in `err`
FF_API const ff_twin_result *ff_twin_end(ff_twin *twin, ff_status status, ff_error *err);
/// Stops the twin and frees everything; NULL is allowed. The leader must not be run afterwards.
FF_API void ff_twin_destroy(ff_twin *twin);
/// The result as JSON (docs/twin.md), malloc'ed; NULL: no memory.
FF_API char *ff_twin_to_json(const ff_twin_result *result);

// ------------------------------------------------------------------------------------------ at the far end of a wire

/// A twin at the far end of a second wire: one controller with two robots.
typedef struct ff_far_twin ff_far_twin;

typedef struct ff_far_twin_setup {
    ff_wire *wire;                             // to the twin, open; borrowed
    ff_link_options options;                   // timeout and stop, of both robots
    ff_link_controller controller;             // of the leader; its pointers are borrowed
    ff_io_layout sensors, references, signals; // of the controller; a twin with other ones is refused
    ff_recorder *recorder; // NULL: nothing is recorded. A new one: channels are added, and one row per cycle
} ff_far_twin_setup;

typedef struct ff_far_twin_result {
    const char *text;                // a summary in one or two sentences
    double time;                     // of the leader's last cycle  [s]
    ff_status status;                // of the link to the twin; FF_OK: it ended regularly
    const char *why;                 // reason of another status
    int64_t cycles, alone;           // of the leader; of these without a new frame of the twin
    double lost;                     // time at which the twin ended early; NaN: it did not  [s]
    ff_link_counts counts;           // of the twin's wire
    const ff_twin_channel *channels; // sensors of both
    int nchannel;
} ff_far_twin_result;

/// @return NULL with FF_NO_MEMORY, FF_NOT_BUILT (no threads) or the status of the recorder in `err`
FF_API ff_far_twin *ff_far_twin_create(const ff_far_twin_setup *setup, ff_error *err);
/// The controller to be passed to ff_link_control instead of that of the leader: it connects to the twin after the
/// leader and answers both. Without a twin its `bind` fails; if the twin is lost later, the leader continues alone.
FF_API ff_link_controller ff_far_twin_controller(ff_far_twin *twin);
/// To be called after ff_link_control: lets the twin finish if the leader has finished, else disconnects it. Files of
/// the recorder stay open.
FF_API const ff_far_twin_result *ff_far_twin_end(ff_far_twin *twin, ff_status leader);
/// The result as JSON, as by ff_twin_to_json, malloc'ed; NULL: no memory.
FF_API char *ff_far_twin_to_json(const ff_far_twin_result *result);
/// NULL is allowed.
FF_API void ff_far_twin_destroy(ff_far_twin *twin);

#ifdef __cplusplus
}
#endif
#endif
