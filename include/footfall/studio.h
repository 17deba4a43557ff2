// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings, reports and the studio. A recording is read channel by channel; docs/simulation.md describes its file. A
// report is a page with a recording, which opens from disk. The studio is a page in the browser that shows and controls
// a running simulation, served on the loopback address (docs/studio.md).
#ifndef FOOTFALL_STUDIO_H
#define FOOTFALL_STUDIO_H

#include <footfall/base.h>
#include <footfall/batch.h>
#include <footfall/record.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ recordings

/// A recording that was opened for reading.
typedef struct ff_recording ff_recording;

/// One channel of a recording. Strings belong to the recording.
typedef struct ff_recording_channel {
    const char *name;
    const char *unit;
    const char *const *columns; // names (width): as recorded, or else "0", "1", ..
    int width;                  // columns
    long long rows;
} ff_recording_channel;

/// Opens a recording: `run.h5`, or the folder of a run. Files that are no recordings, are damaged, or exceed the limits
/// FF_RECORDING_ROWS, FF_RECORDING_CHANNELS and FF_RECORDING_WIDTH are refused with the reason. Only this file is read:
/// links to other files, and data in them, are ignored.
/// @return NULL with FF_NOT_FOUND, FF_BAD_FILE, FF_LIMIT, FF_NOT_BUILT (a build without HDF5) or FF_NO_MEMORY in `err`
FF_API ff_recording *ff_recording_open(const char *path, ff_error *err);
/// Opens an HDF5 file of another program: datasets of numbers, (rows) or (rows x width), one of them `time`.
FF_API ff_recording *ff_recording_open_foreign(const char *path, ff_error *err);
/// Frees it; NULL is allowed.
FF_API void ff_recording_close(ff_recording *recording);
#define FF_RECORDING_ROWS     100000000LL // most rows of a channel
#define FF_RECORDING_CHANNELS 20000       // most channels
#define FF_RECORDING_WIDTH    65536       // most columns of a channel

/// Path of the file run.h5.
FF_API const char *ff_recording_path(const ff_recording *recording);
/// Number of rows that all channels have; in a recording that was interrupted, some channels may have more.
FF_API long long ff_recording_rows(const ff_recording *recording);
/// Number of channels, which are sorted by name; every recording has the channel "time".
FF_API int ff_recording_channel_count(const ff_recording *recording);
/// Channel number `index`, NULL if there is none.
FF_API const ff_recording_channel *ff_recording_channel_at(const ff_recording *recording, int index);
/// Number of the channel of that name, -1 when there is none.
FF_API int ff_recording_find(const ff_recording *recording, const char *name);
/// Reads `count` rows, beginning with number `first`, each `stride` rows after the previous one, into out (count *
/// width), row after row.
/// @return FF_OK; FF_BAD_ARGUMENT (rows that do not exist) or FF_BAD_FILE (damaged)
FF_API ff_status ff_recording_read(const ff_recording *recording, int channel, long long first, long long stride,
                                   long long count, double *out, ff_error *err);
/// The compiled model as JSON (ff_model_to_json) and the scene file, "" where the recording has none.
FF_API const char *ff_recording_model(const ff_recording *recording);
FF_API const char *ff_recording_scene(const ff_recording *recording);
/// Was the recording closed at the end of the run? false: the program was killed, or could not write, and the last rows
/// are missing.
FF_API bool ff_recording_has_ended(const ff_recording *recording);
/// Did the run end early, stopped by its user or by a failure? All rows up to its end are present.
FF_API bool ff_recording_was_stopped(const ff_recording *recording);
/// Events of the run as a JSON list (docs/studio.md), "" where the recording has none.
FF_API const char *ff_recording_events(const ff_recording *recording);

// ------------------------------------------------------------------------------------------ reports

typedef struct ff_studio_options {
    size_t bytes; // largest size of the numbers of all channels; of longer recordings every k-th row is included
} ff_studio_options;

/// `bytes` is 10 MiB: the report is then smaller than 15 MB.
FF_API ff_studio_options ff_studio_options_default(void);

/// What a report contains.
typedef struct ff_studio_facts {
    long long kept, rows; // rows in the document, rows in the recording
    double rate_hz;       // of the rows in the document
    bool summary;         // the folder of the recording has a summary.json
    bool poses;           // q or bodies.*.quat were recorded, so that the page can show the motion
} ff_studio_facts;

/// Writes the run as one JSON document (docs/studio.md): recording, model, meshes, scene, and summary.json of the same
/// folder. It is escaped for a script element of a page. `options` and `facts` may be NULL; the caller checks the
/// stream for errors.
/// @return FF_OK; FF_BAD_FILE if a part of the run cannot be read
FF_API ff_status ff_studio_write_document(const ff_recording *recording, const ff_studio_options *options, FILE *out,
                                          ff_studio_facts *facts, ff_error *err);
/// Writes the report: one HTML file with that document, style and script, which loads no other file. On failure no file
/// is left, and an older one is unchanged.
/// @return FF_OK; FF_NOT_BUILT in a build without pages (FOOTFALL_STUDIO=OFF); FF_BAD_FILE
FF_API ff_status ff_studio_write_report(const ff_recording *recording, const ff_studio_options *options,
                                        const char *path, ff_studio_facts *facts, ff_error *err);
/// Was this library built with its pages?
FF_API bool ff_studio_has_pages(void);

// ------------------------------------------------------------------------------------------ the studio

/// A running studio: a server on 127.0.0.1 with the page and its WebSocket, and a thread with the simulation.
typedef struct ff_studio ff_studio;

#define FF_STUDIO_PORT   3668   // default port
#define FF_STUDIO_ROBOTS 262144 // largest number of robots of a batch

typedef struct ff_studio_setup {
    const char *root;       // project folder, outside of which nothing is read or written; NULL: the current folder
    const char *scene;      // loaded at the start: path of a scene or robot file in the project folder; NULL: none
    const char *const *set; // changed values of the scene, such as "solver.step=1e-3"  (nset)
    int nset;
    // A batch of that scene, which begins at once; NULL: none. These options are used: robots (up to FF_STUDIO_ROBOTS),
    // seed, spreads, end, reward, least_height and most_tilt. NaN of the last two stands for ff_batch_default_falls.
    const ff_batch_options *batch;
    double batch_time; // simulated time of the batch, 0 or NaN: that of the scene  [s]
    int port;          // 1 to 65535, 0: any free port
    int tries;         // number of ports that are tried, from `port` upward, if it is in use
} ff_studio_setup;

/// Current folder, no scene, FF_STUDIO_PORT or one of the next 19 ports.
FF_API ff_studio_setup ff_studio_setup_default(void);

/// Opens the studio: browsers can connect from now on, and get answers while ff_studio_serve runs. `setup` may be NULL
/// and is not needed afterwards. For the whole process, libwebsockets then logs nothing and SIGPIPE is ignored.
/// @return NULL with FF_NOT_BUILT (no pages, no libwebsockets), FF_NOT_FOUND (no such folder), FF_LIMIT (ports in use),
///         FF_BAD_ARGUMENT or FF_NO_MEMORY in `err`
FF_API ff_studio *ff_studio_open(const ff_studio_setup *setup, ff_error *err);
/// Address of the page, such as "http://127.0.0.1:3668/"; memory of the studio.
FF_API const char *ff_studio_address(const ff_studio *studio);
/// The port it listens on.
FF_API int ff_studio_port(const ff_studio *studio);
/// Serves pages until ff_studio_stop. One thread at a time.
/// @return FF_OK, or FF_LIMIT if the event loop of libwebsockets fails
FF_API ff_status ff_studio_serve(ff_studio *studio, ff_error *err);
/// Lets ff_studio_serve return. May be called from any thread and from signal handlers.
FF_API void ff_studio_stop(ff_studio *studio);
/// Ends the simulation and all connections, and frees everything. NULL is allowed.
FF_API void ff_studio_close(ff_studio *studio);
/// Was this library built with the server? Pages are a separate option: ff_studio_has_pages.
FF_API bool ff_studio_has_server(void);

#ifdef __cplusplus
}
#endif
#endif
