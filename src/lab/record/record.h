// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of recording: channels, the recorder, and the two kinds of files it feeds.
#ifndef FOOTFALL_RECORD_RECORD_H
#define FOOTFALL_RECORD_RECORD_H

#include <stdio.h>

#include "engine/channel.h"

#include <footfall/record.h>

/// All built-in channels of a simulation, in memory of its arena; NULL when out of memory.
ff_channel *ff_channel_catalogue(ff_sim *sim, int *count);
/// Does the pattern select the channel? See ff_recorder.
bool ff_channel_matches(const char *pattern, const char *name);

typedef struct ff_hdf5 ff_hdf5;

typedef struct ff_record_mesh {
    const double *vertices; // NULL: missing
    int nvertex;
    const int *triangles;
    int ntriangle;
} ff_record_mesh;

/// Frees a recorder; files still open are closed.
void ff_recorder_destroy(ff_recorder *rec);

/// Sees each row as it is taken.
typedef void (*ff_recorder_tap)(void *context, ff_sim *sim, const double *row);
/// Before the first row. @param alone  the recorder keeps no rows of its own
void ff_recorder_set_tap(ff_recorder *rec, ff_recorder_tap tap, void *context, bool alone);

struct ff_recorder {
    ff_sim *sim;          // NULL: apart from it
    ff_channel *channels; // malloc'ed, the first is time
    int nchannel, channel_capacity;
    int columns;
    bool needs_forces;
    double *integrals; // of channels that are means, at the last sample  (columns); NULL: none yet
    double last;       // its time  [s]
    double *rows;      // block of rows, row-major (capacity * columns)
    long long first;   // number of the first row in the block
    long long filled;  // rows in the block
    long long capacity;
    long long wanted; // rows reserved at the first sample
    size_t block_bytes;
    long long most; // rows kept in memory, 0: no bound
    bool full;      // rows were left out
    size_t unsaved; // sent to the files since they were last made whole  [byte]
    ff_hdf5 *hdf5;
    FILE *csv;
    const char *csv_path;
    char *events;     // NULL: none
    bool stopped;     // before the end of the run
    ff_error failure; // first error while sampling or writing
    ff_recorder_tap tap;
    void *tap_context;
    bool tap_alone;
    // of one apart from its simulation
    ff_arena own;
    const char *model; // JSON
    ff_record_mesh *meshes;
    int nmesh;
};

/// What a recorder that keeps its rows in memory holds now, but for the rows: copy.c. It can be saved
/// (ff_recorder_save_hdf5) in any thread, and is destroyed as others are.
ff_recorder *ff_recorder_detach(const ff_recorder *rec, ff_error *err);
/// Copies some more of the rows there were then, about so many bytes. @return whether any are left
bool ff_recorder_copy_rows(ff_recorder *copy, const ff_recorder *rec, size_t bytes);

/// hdf5.c: FF_NOT_BUILT without HDF5.
ff_status ff_hdf5_open(ff_hdf5 **out, const ff_recorder *rec, const char *path, const ff_record_info *info,
                       ff_error *err);
ff_status ff_hdf5_append(ff_hdf5 *file, const ff_recorder *rec, ff_error *err);
/// Makes the file whole with the rows it has: they are there for a reader, whatever happens to the program then.
ff_status ff_hdf5_commit(ff_hdf5 *file, ff_error *err);
/// What is known only at the end: events, and that the run has ended.
ff_status ff_hdf5_finish(ff_hdf5 *file, const ff_recorder *rec, ff_error *err);
ff_status ff_hdf5_close(ff_hdf5 *file, ff_error *err);

/// The compiled model as JSON text (nodes, bodies, joints, shapes, visuals; meshes by number). malloc'ed; NULL when out
/// of memory.
char *ff_model_to_json(const ff_model *model);

#endif
