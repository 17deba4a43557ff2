// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings of a simulation: named channels sampled at a fixed rate, in memory, HDF5 or CSV; and the summary of a run.
//
//     ff_record_options o = ff_record_options_default();
//     ff_recorder *rec = ff_recorder_create(sim, &o, &err);     // before the first run
//     ff_recorder_open_hdf5(rec, "run.h5", &info, &err);
//     ff_sim_run(sim, 10.0, &err);
//     ff_recorder_close(rec, &err);
#ifndef FOOTFALL_RECORD_H
#define FOOTFALL_RECORD_H

#include <footfall/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ recorder

/// Samples channels at a fixed rate (an exact read-only task) into a block of memory, and blocks into files. Built-in
/// channels:
///   time   q   v   qacc
///   joints.position   joints.velocity   joints.torque         all hinges and slides; also joints.NAME.position, ...
///   base.pos   base.quat   base.velocity   base.spin          root body of the first tree; velocities in world axes
///   com.pos   com.velocity   momentum.linear   momentum.angular (about the centre of mass)
///   energy.kinetic   energy.potential   energy.elastic   energy.contacts   energy.parts   energy.total
///   power.passive   power.parts
///   ledger.lost.normal   ledger.lost.friction   ledger.lost.joints   ledger.lost.parts   ledger.work   ledger.outside
///   ledger.residual                                           with options.ledger
///   loops.gap   loops.NAME.force                              see footfall/loop.h; in rows of the loop
///   bodies.NAME.pos   bodies.NAME.quat   bodies.NAME.velocity   bodies.NAME.spin
///   contacts.count   contacts.force   contacts.points   bodies.NAME.contact.force     with a world of contacts
///   feet.pos   feet.force   feet.support   feet.NAME.pos   feet.NAME.force          of the legs; forces with contacts
///   drives.NAME.current   .voltage   .torque   .power.electrical   .power.mechanical   .copper_loss   .energy
///   drives.NAME.temperature
///   sensors.NAME                                              what a sensor measures
///   control.NAME                                              signals of a controller (ff_sim_add_signals)
///   parts.NAME                                                states of a part
/// A pattern selects a channel by its whole name, by a prefix that ends before a dot ("base", "energy",
/// "bodies.shank"), or with `*` for any characters ("bodies.*.pos"). `time` is always recorded. "joints" stands for
/// joints.position, joints.velocity and joints.torque, "feet" for feet.pos, feet.force and feet.support.
typedef struct ff_recorder ff_recorder;

typedef struct ff_record_options {
    double rate_hz;              // samples per simulated second
    const char *const *channels; // patterns; borrowed during the call only
    int nchannel;
    double duration;    // planned time, for which rows are reserved if there is no file  [s]
    size_t block_bytes; // size of the rows in memory at which they are written to the files  [byte]
    size_t most_bytes;  // without a file, rows beyond this size are not recorded; 0: no bound  [byte]
} ff_record_options;

/// 1000 Hz, no channel but time, 1 MiB blocks.
FF_API ff_record_options ff_record_options_default(void);

/// Belongs to `sim` and is destroyed with it. Call before the first run.
/// @return NULL with `err` filled: a pattern that selects nothing is FF_NOT_FOUND and names the channels there are
FF_API ff_recorder *ff_recorder_create(ff_sim *sim, const ff_record_options *options, ff_error *err);
/// A channel of the caller's own, selected at once; names (width of them) and units are copied; names may be NULL.
/// `read` is called with everything in ff_sim_data current.
/// @return FF_OK; FF_BAD_ARGUMENT (a name that is taken, no width, no function, or too late) or FF_NO_MEMORY
FF_API ff_status ff_recorder_add_channel(ff_recorder *rec, const char *name, const char *units, int width,
                                         const char *const *names,
                                         void (*read)(void *context, ff_sim *sim, double *out), void *context,
                                         ff_error *err);

/// Records a row given by the caller, all columns with the time first. For a simulation that is not run, such as that
/// of a controller whose robot is elsewhere.
/// @return FF_OK, or the status of the first writing error
FF_API ff_status ff_recorder_put(ff_recorder *rec, const double *row, ff_error *err);

/// Facts stored beside the data; texts may be NULL.
typedef struct ff_record_info {
    const char *version; // of the program
    const char *scene;   // text of the scene as run
    const char *path;    // of the scene
    const char *changes; // values of the scene that were overridden, "solver.step=1e-4; time=2"
} ff_record_info;

/// Opens run.h5: one dataset (rows x width) a channel with attributes `units` and `names`; `model` (JSON of the
/// compiled model with its shapes), `meshes/N/vertices` and `triangles`, `scene`, `events` (below); root attributes
/// `program`, `version`, `format`, `scene_path`, `scene_changes`, `state` ("running" until it is closed, then "ended"
/// or "stopped").
/// @return FF_OK, FF_NOT_BUILT, FF_BAD_FILE
FF_API ff_status ff_recorder_open_hdf5(ff_recorder *rec, const char *path, const ff_record_info *info, ff_error *err);
/// Sets `events` of the file, a JSON list of the events of the run, which is stored when the file is closed. Copied;
/// NULL: none.
FF_API void ff_recorder_set_events(ff_recorder *rec, const char *json);
/// Sets `state` of the file to "stopped" when it is closed: the run has not reached its planned end.
FF_API void ff_recorder_set_stopped(ff_recorder *rec);
/// Writes the rows in memory to a file of that format, while recording continues. The file is closed on return.
FF_API ff_status ff_recorder_save_hdf5(const ff_recorder *rec, const char *path, const ff_record_info *info,
                                       ff_error *err);
/// Have rows been left out because `most_bytes` was reached?
FF_API bool ff_recorder_is_full(const ff_recorder *rec);
/// One row a sample; the first line names the columns, with units: "joints.position.knee [rad]".
/// @return FF_OK; FF_BAD_FILE, or FF_BAD_ARGUMENT (a second time, or after rows were taken)
FF_API ff_status ff_recorder_open_csv(ff_recorder *rec, const char *path, ff_error *err);
/// Writes all rows recorded so far to the files and flushes these, between two steps: if the program is killed, only
/// later rows are lost. Takes a few milliseconds; `footfall run` does it every 0.8 s.
/// @return FF_OK, or the status of the first writing error, which also stops the run at the next sample
FF_API ff_status ff_recorder_flush(ff_recorder *rec, ff_error *err);
/// Writes the remaining rows and closes the files; reports the first writing error of the run. Rows in memory can still
/// be read.
/// @return FF_OK, or the status of the first writing error
FF_API ff_status ff_recorder_close(ff_recorder *rec, ff_error *err);

/// Number of rows recorded so far, those already written to files included.
FF_API long long ff_recorder_rows(const ff_recorder *rec);
/// Columns of one row, `time` first.
FF_API int ff_recorder_columns(const ff_recorder *rec);
/// First column of a channel and its width; -1 when it is not recorded.
FF_API int ff_recorder_find(const ff_recorder *rec, const char *channel, int *width);
/// A row in memory (all rows if no file is open); NULL if it is not in memory any more or was not recorded.
FF_API const double *ff_recorder_row(const ff_recorder *rec, long long row);
/// Names of all channels that can be recorded for this simulation, one per call; NULL past the end.
FF_API const char *ff_recorder_channel_name(ff_sim *sim, int index);

// ------------------------------------------------------------------------------------------ summary

typedef struct ff_metric {
    const char *name;
    double value;
} ff_metric;

/// Model of a physical effect that a run used: {"drives", "full"}.
typedef struct ff_effect {
    const char *name, *value;
} ff_effect;

/// An expectation, the measured value and the verdict.
typedef struct ff_verdict {
    const char *metric;
    bool has_is;
    double is, within;        // |got - is| <= within
    double at_least, at_most; // not finite: no such bound
    double got;               // measured value
    bool met;
    double may_miss;    // share of the runs with other seeds that may miss it
    const char *source; // where the expected value comes from
} ff_verdict;

/// Contents of `summary.json`. Strings and arrays are borrowed.
typedef struct ff_summary {
    const char *method;    // name of the integration method; NULL: not known
    double time;           // simulated time  [s]
    long long steps;       // number of accepted steps
    long long evaluations; // number of evaluations of the derivative
    double wall;           // real time, measured by the program since the library reads no clock  [s]
    const char *outcome;   // "finished", "stopped: ...", "diverged: ..."
    bool has_ledger;       // the simulation has an energy ledger
    ff_ledger ledger;
    const ff_effect *effects;
    int neffect;
    const ff_metric *metrics;
    int nmetric;
    const ff_verdict *expectations;
    int nexpectation;
    const char *const *warnings;
    int nwarning;
    const char *certificate; // as of ff_certificate_to_json; NULL: none
    const char *twin;        // as of ff_twin_to_json; NULL: none
} ff_summary;

/// Fills method, time, steps, evaluations and ledger from a simulation, and the outcome from the status of its run.
/// @param text  buffer for the outcome, which the summary refers to
FF_API ff_summary ff_summary_make(ff_sim *sim, ff_status status, const ff_error *err, double wall, char *text,
                                  size_t size);
/// JSON text, malloc'ed; rtf = time / wall; numbers that are not finite become null. NULL when out of memory.
FF_API char *ff_summary_to_json(const ff_summary *summary);
/// Writes that text to a file. @return FF_OK, FF_NOT_WRITTEN or FF_NO_MEMORY
FF_API ff_status ff_summary_write(const ff_summary *summary, const char *path, ff_error *err);

#ifdef __cplusplus
}
#endif
#endif
