// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The simulation side of the studio. A workbench has a thread of its own, in which one scene at a time is loaded, runs
// and answers requests; the server of the pages sends requests from another thread, and neither waits for the other:
//
//     network thread                                simulation thread
//     ff_workbench_ask   -> bounded queues ->       one request of each client in turn, between slices of a run
//     sink->send          <- texts <-                answers and events, JSON
//     ff_workbench_frame <- newest frame <-         at most 60 a second, and only while somebody looks
//
// docs/reference-protocol.md is the manual of what travels.
#ifndef FOOTFALL_STUDIO_WORKBENCH_H
#define FOOTFALL_STUDIO_WORKBENCH_H

#include <footfall/base.h>

typedef struct ff_workbench ff_workbench;

/// Receiver of answers, events and frames. Both functions are called from the simulation thread and must not block.
typedef struct ff_workbench_sink {
    void *context;
    /// A text for one client, or for all with client -1; malloc'ed, handed over; zero-terminated behind `length` bytes.
    void (*send)(void *context, int client, char *text, size_t length);
    /// A new frame or picture lies ready: ff_workbench_frame.
    void (*frame)(void *context);
} ff_workbench_sink;

/// Frames are at most so large  [byte]. Larger ones leave out rows of watched channels, then contacts and rays, and say
/// so by what is missing.
#define FF_WORKBENCH_FRAME_MAX ((size_t)1 << 20)
/// Requests of one client that may wait, their size together, and how long a request may be  [byte].
#define FF_WORKBENCH_QUEUE   256
#define FF_WORKBENCH_WAITING ((size_t)8 << 20)
#define FF_WORKBENCH_REQUEST ((size_t)2 << 20)
/// Clients are numbered by the caller, from 0: 64 pages, and the program itself, which loads the first scene and does
/// not look.
#define FF_WORKBENCH_CLIENTS 65

/// @param root  the project folder: nothing outside it is read or written
/// @return NULL with FF_NOT_FOUND (no such folder), FF_NOT_BUILT (a build without threads or YAML) or FF_NO_MEMORY in
/// `err`
ff_workbench *ff_workbench_create(const char *root, const ff_workbench_sink *sink, ff_error *err);
/// Stops the simulation, wherever it is, and frees everything. Nothing is said any more once it returns.
void ff_workbench_destroy(ff_workbench *bench);

/// From here on the client gets frames and events: one that has just connected gets what is loaded (event `scene`)
/// and how it stands (`state`).
/// @param client  0 to FF_WORKBENCH_CLIENTS - 1
/// @return FF_OK, or FF_BAD_ARGUMENT
ff_status ff_workbench_joined(ff_workbench *bench, int client, ff_error *err);
/// Its watches, pulls and pictures end, and nothing more is said to it. What it has asked for is no longer carried out,
/// nor finished where that reads files, but for what it wanted to be written.
void ff_workbench_left(ff_workbench *bench, int client);

/// Puts a request into the client's queue; the text is copied. What is wrong with it is answered, not returned.
/// @return FF_OK, FF_LIMIT (the queue is full or the text too long), FF_BAD_ARGUMENT (no such client) or FF_NO_MEMORY
ff_status ff_workbench_ask(ff_workbench *bench, int client, const char *json, size_t length, ff_error *err);

/// The newest frame for that client, rows of its watched channels included; or a picture of its camera, recognised by
/// the first four bytes. May be called until it gives 0. Never waits for the simulation.
/// @param size    room in `bytes`; FF_WORKBENCH_FRAME_MAX is enough for all
/// @param number  may be NULL: the number of the frame
/// @return bytes written, 0: nothing new
size_t ff_workbench_frame(ff_workbench *bench, int client, unsigned char *bytes, size_t size, uint32_t *number);

/// Bytes of a mesh of the scene of that generation, as GET /mesh/GENERATION/N gives them: u32 number of corners, u32
/// number of triangles, then corners (3 f32 each) and triangles (3 u32 each), little-endian. Malloc'ed, the caller's.
/// @return NULL where there is none (any more)
unsigned char *ff_workbench_mesh(ff_workbench *bench, uint32_t generation, int mesh, size_t *size);

/// Path of a file of a saved run that may be handed out ("report.html" of run NAME), for reading.
/// @return a file descriptor, or -1 where there is no such run, or it leads outside
int ff_workbench_open_run(const ff_workbench *bench, const char *name, const char *file);

#endif
