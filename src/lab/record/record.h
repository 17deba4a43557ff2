// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Private interface of the room: channels, the recorder, and the two kinds of files that it writes.
#ifndef FOOTFALL_RECORD_RECORD_H
#define FOOTFALL_RECORD_RECORD_H

#include <stdio.h>

#include "engine/channel.h"
#include "text/json_fields.h"

#include <footfall/record.h>

/// All built-in channels of a simulation, in memory of its arena; NULL when out of memory.
ff_channel *ff_channel_catalogue(ff_sim *sim, int *count);
/// Does the pattern select the channel? See ff_recorder.
bool ff_channel_matches(const char *pattern, const char *name);

typedef struct ff_hdf5 ff_hdf5;

typedef struct ff_record_mesh {
    const double *vertices; // NULL: the mesh is missing
    int nvertex;
    const int *triangles;
    int ntriangle;
} ff_record_mesh;

/// Frees a recorder, and closes files that are still open.
void ff_recorder_destroy(ff_recorder *rec);

/// Is called with each row when it has been sampled.
typedef void (*ff_recorder_tap)(void *context, ff_sim *sim, const double *row);
/// Sets the function that gets each row; before the first row. @param only_tap  the recorder itself stores no rows
void ff_recorder_set_tap(ff_recorder *rec, ff_recorder_tap tap, void *context, bool only_tap);

struct ff_recorder {
    ff_sim *sim;          // NULL: a copy without a simulation
    ff_channel *channels; // malloc'ed, the first is time
    int nchannel, channel_capacity;
    int columns;
    bool needs_forces;
    double *integrals;  // integrals of channels that record a mean, at the last sample  (columns); NULL: none yet
    double last_sample; // time of the last sample  [s]
    double *rows;       // block of rows, row-major (capacity * columns)
    long long first;    // number of the first row in the block
    long long filled;   // rows in the block
    long long capacity;
    long long planned_rows; // rows reserved at the first sample
    size_t block_bytes;
    long long most_rows; // largest number of rows in memory, 0: no bound
    bool full;           // rows were left out
    size_t unflushed;    // written to the files since the last flush  [byte]
    ff_hdf5 *hdf5;
    FILE *csv;
    const char *csv_path;
    char *events;     // NULL: none
    bool stopped;     // before the end of the run
    ff_error failure; // first error while sampling or writing
    ff_recorder_tap tap;
    void *tap_context;
    bool only_tap; // rows go to the tap and are not stored
    // of a copy without a simulation
    ff_arena arena;
    const char *model; // JSON
    ff_record_mesh *meshes;
    int nmesh;
};

/// Copies a recorder that keeps its rows in memory, without the rows (copy.c). Any thread can save the copy
/// (ff_recorder_save_hdf5); ff_recorder_destroy frees it. @return NULL without memory
ff_recorder *ff_recorder_detach(const ff_recorder *rec, ff_error *err);
/// Copies about `bytes` more of the rows that existed at ff_recorder_detach. @return whether any are left
bool ff_recorder_copy_rows(ff_recorder *copy, const ff_recorder *rec, size_t bytes);

/// hdf5.c: FF_NOT_BUILT without HDF5.
ff_status ff_hdf5_open(ff_hdf5 **out, const ff_recorder *rec, const char *path, const ff_record_info *info,
                       ff_error *err);
ff_status ff_hdf5_append(ff_hdf5 *file, const ff_recorder *rec, ff_error *err);
/// Flushes the rows written so far: a reader finds them even if the program is killed afterwards.
ff_status ff_hdf5_commit(ff_hdf5 *file, ff_error *err);
/// Writes what is known only at the end: events, and whether the run has ended or was stopped.
ff_status ff_hdf5_finish(ff_hdf5 *file, const ff_recorder *rec, ff_error *err);
ff_status ff_hdf5_close(ff_hdf5 *file, ff_error *err);

/// The compiled model as JSON text (nodes, bodies, joints, shapes, visuals; meshes by number). malloc'ed; NULL when out
/// of memory.
char *ff_model_to_json(const ff_model *model);
/// Writes the member "metrics" of a summary.
void ff_metrics_to_json(const ff_metric *metrics, int count, ff_json *json);
/// Types of these documents.
extern const ff_json_subject ff_model_json, ff_summary_json;

#endif
