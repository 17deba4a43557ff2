// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings and the studio. Recordings are read back channel by channel, and become reports, pages that open from
// disk; docs/simulation.md describes the files. The studio is a page in the browser that shows and controls a running
// simulation, served on the loopback address (docs/studio.md).
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

/// Opens a recording: `run.h5`, or the folder that a run left behind. Files that are no recordings, are damaged, or ask
/// for more than a reader should give (FF_RECORDING_ROWS, FF_RECORDING_CHANNELS) are refused with the reason. Nothing
/// outside the file is read: links and data that lead to other files are passed over.
/// @return NULL with FF_NOT_FOUND, FF_BAD_FILE, FF_LIMIT, FF_NOT_BUILT (a build without HDF5) or FF_NO_MEMORY in `err`
FF_API ff_recording *ff_recording_open(const char *path, ff_error *err);
/// The same of an HDF5 file made elsewhere: datasets of numbers, (rows) or (rows x width), one of them `time`.
FF_API ff_recording *ff_recording_open_foreign(const char *path, ff_error *err);
/// Frees it; NULL is allowed.
FF_API void ff_recording_close(ff_recording *recording);
#define FF_RECORDING_ROWS     100000000LL // most rows of a channel
#define FF_RECORDING_CHANNELS 20000       // most channels
#define FF_RECORDING_WIDTH    65536       // most columns of a channel

/// Path of the file itself.
FF_API const char *ff_recording_path(const ff_recording *recording);
/// Number of rows that all channels have: the fewest of any, since an interrupted writer may leave them unequal.
FF_API long long ff_recording_rows(const ff_recording *recording);
/// Channels in order of their names; "time" is among them in every recording.
FF_API int ff_recording_channel_count(const ff_recording *recording);
/// Channel number `index`, NULL beyond the last.
FF_API const ff_recording_channel *ff_recording_channel_at(const ff_recording *recording, int index);
/// Number of the channel of that name, -1 when there is none.
FF_API int ff_recording_find(const ff_recording *recording, const char *name);
/// Reads `count` rows, beginning with number `first`, each `stride` rows after the one before, into out (count *
/// width), row after row.
/// @return FF_OK; FF_BAD_ARGUMENT (rows that are not there) or FF_BAD_FILE (damaged)
FF_API ff_status ff_recording_read(const ff_recording *recording, int channel, long long first, long long stride,
                                   long long count, double *out, ff_error *err);
/// The compiled model as JSON (ff_model_to_json) and the scene file, "" where the recording has none.
FF_API const char *ff_recording_model(const ff_recording *recording);
FF_API const char *ff_recording_scene(const ff_recording *recording);
/// Did the run come to its end? false: the program was killed, or could not write on, and the last rows are missing.
FF_API bool ff_recording_has_ended(const ff_recording *recording);
/// Did it end early: stopped by its user, or by a failure? All rows up to there are present.
FF_API bool ff_recording_was_stopped(const ff_recording *recording);
/// What happened when, as a JSON list (docs/studio.md), "" where the recording has none.
FF_API const char *ff_recording_events(const ff_recording *recording);

// ------------------------------------------------------------------------------------------ reports

typedef struct ff_studio_options {
    size_t
        // most letters that the numbers of all channels may take; longer recordings are thinned evenly and the page
        // says so
        bytes;
} ff_studio_options;

/// 10 MiB: with the page itself well below 15 MB.
FF_API ff_studio_options ff_studio_options_default(void);

/// What a report contains.
typedef struct ff_studio_facts {
    long long kept, rows; // of the recording, rows in the document and in all
    double rate_hz;       // of the rows kept
    bool summary;         // a summary.json stood beside the recording
    bool poses;           // q or bodies.*.quat were recorded: there is a replay
} ff_studio_facts;

/// The run as one JSON document (docs/studio.md): recording, model, meshes, scene, and the summary.json beside the
/// recording. Text in it is escaped such that it may stand inside a script element of a page. `options` and `facts` may
/// be NULL; a stream that fails is left to the caller.
/// @return FF_OK; FF_BAD_FILE where a part of the run cannot be read
FF_API ff_status ff_studio_write_document(const ff_recording *recording, const ff_studio_options *options, FILE *out,
                                          ff_studio_facts *facts, ff_error *err);
/// The same inside one HTML file with style and script, which loads nothing else. Where something goes wrong no file is
/// left, and an older one stays as it was.
/// @return FF_OK; FF_NOT_BUILT in a build without pages (FOOTFALL_STUDIO=OFF); FF_BAD_FILE
FF_API ff_status ff_studio_write_report(const ff_recording *recording, const ff_studio_options *options,
                                        const char *path, ff_studio_facts *facts, ff_error *err);
/// Was this library built with its pages?
FF_API bool ff_studio_has_pages(void);

// ------------------------------------------------------------------------------------------ the studio

/// The studio at work: a server on 127.0.0.1 with the page and its WebSocket, and a simulation in a thread of its own.
typedef struct ff_studio ff_studio;

#define FF_STUDIO_PORT   3668   // the default
#define FF_STUDIO_ROBOTS 262144 // of a batch, at most

typedef struct ff_studio_setup {
    const char *
        // project folder: scenes, robots and runs are found in it, and nothing outside is read or written; NULL: the
        // current one
        root;
    const char *scene;      // loaded at the start: path of a scene or robot file in the project folder; NULL: none
    const char *const *set; // values of it to change, such as "solver.step=1e-3"  (nset)
    int nset;
    const ff_batch_options *batch; // a batch of that scene that begins at once; NULL: none. Of the options count robots
                                   // (up to FF_STUDIO_ROBOTS), seed, spreads, end, reward, least_height and most_tilt;
                                   // NaN of these two stands for ff_batch_default_falls
    double batch_time;             // of the batch, 0 or NaN: that of the scene  [s]
    int port;                      // 1 to 65535, 0: any that is free
    int tries;                     // where the port is in use, so many are tried from there upward
} ff_studio_setup;

/// Current folder, no scene, FF_STUDIO_PORT or one of the 19 after it.
FF_API ff_studio_setup ff_studio_setup_default(void);

/// Opens the studio: from now on browsers can connect, and are answered while ff_studio_serve runs. `setup` may be NULL
/// and is not kept. What libwebsockets would print is switched off, for the whole process. SIGPIPE is ignored from now
/// on.
/// @return NULL with FF_NOT_BUILT (no pages, no libwebsockets), FF_NOT_FOUND (no such folder), FF_LIMIT (ports in use),
/// FF_BAD_ARGUMENT or
///         FF_NO_MEMORY in `err`
FF_API ff_studio *ff_studio_open(const ff_studio_setup *setup, ff_error *err);
/// Where the page is: "http://127.0.0.1:3668/". Belongs to the studio.
FF_API const char *ff_studio_address(const ff_studio *studio);
/// The port it listens on.
FF_API int ff_studio_port(const ff_studio *studio);
/// Serves pages until ff_studio_stop. One thread at a time.
/// @return FF_OK, or FF_LIMIT where the loop cannot go on
FF_API ff_status ff_studio_serve(ff_studio *studio, ff_error *err);
/// Lets ff_studio_serve return. May be called from any thread and from signal handlers.
FF_API void ff_studio_stop(ff_studio *studio);
/// Ends the simulation and all connections, and frees everything. NULL is allowed.
FF_API void ff_studio_close(ff_studio *studio);
/// Was this library built with the server? (The page is another matter: ff_studio_has_pages.)
FF_API bool ff_studio_has_server(void);

#ifdef __cplusplus
}
#endif
#endif
