// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The simulation side of the studio. A workbench has a thread that loads one scene at a time, runs it and answers
// requests. The server of the pages sends requests from another thread. Neither waits for the other:
//
//     network thread                                simulation thread
//     ff_workbench_request   -> bounded queues ->       one request of each client in turn, between slices of a run
//     sink->send          <- texts <-                answers and events, JSON
//     ff_workbench_frame <- newest frame <-         at most 60 a second, and only while a page is connected
//
// docs/reference-protocol.md describes all messages.
#ifndef FOOTFALL_STUDIO_WORKBENCH_H
#define FOOTFALL_STUDIO_WORKBENCH_H

#include <footfall/base.h>

typedef struct ff_workbench ff_workbench;

/// Receiver of answers, events and frames. Both functions are called from the simulation thread and must not block.
typedef struct ff_workbench_sink {
    void *context;
    /// A text for one client, or for all with client -1: malloc'ed, freed by the receiver, zero-terminated after
    /// `length` bytes.
    void (*send)(void *context, int client, char *text, size_t length);
    /// A new frame or picture is ready: ff_workbench_frame.
    void (*frame)(void *context);
} ff_workbench_sink;

/// Largest size of a frame  [byte]. Rows of watched channels that do not fit are left out.
#define FF_WORKBENCH_FRAME_MAX ((size_t)1 << 20)
/// Limits for a client: requests that wait, their total size [byte], the size of one request [byte].
#define FF_WORKBENCH_QUEUE   256
#define FF_WORKBENCH_WAITING ((size_t)8 << 20)
#define FF_WORKBENCH_REQUEST ((size_t)2 << 20)
/// Clients are numbered by the caller, from 0: 64 pages, and the program itself, which requests the first scene.
#define FF_WORKBENCH_CLIENTS 65

/// @param root  the project folder: nothing outside it is read or written
/// @return NULL with FF_NOT_FOUND (no such folder), FF_NOT_BUILT (a build without threads or YAML) or FF_NO_MEMORY in
/// `err`
ff_workbench *ff_workbench_create(const char *root, const ff_workbench_sink *sink, ff_error *err);
/// Stops the simulation and frees everything. The sink is not called after it returns.
void ff_workbench_destroy(ff_workbench *bench);

/// From now on the client gets frames and events, the first of which are `scene`, if one is loaded, and `state`.
/// @param client  0 to FF_WORKBENCH_CLIENTS - 1
/// @return FF_OK, or FF_BAD_ARGUMENT
ff_status ff_workbench_joined(ff_workbench *bench, int client, ff_error *err);
/// Ends the watches, pulls and pictures of the client, which gets no more messages. Of its pending requests only those
/// that write files are executed.
void ff_workbench_left(ff_workbench *bench, int client);

/// Puts a request into the client's queue; the text is copied. Mistakes in it are reported by the answer.
/// @return FF_OK, FF_LIMIT (the queue is full or the text too long), FF_BAD_ARGUMENT (no such client) or FF_NO_MEMORY
ff_status ff_workbench_request(ff_workbench *bench, int client, const char *json, size_t length, ff_error *err);

/// Copies the newest frame for that client, with rows of its watched channels, or a picture of its camera, or a frame
/// of the batch; the first four bytes differ. To be called until it returns 0. Does not wait for the simulation.
/// @param size    of `bytes`; FF_WORKBENCH_FRAME_MAX is always enough
/// @param number  receives the number of the frame; may be NULL
/// @return bytes written, 0: nothing new
size_t ff_workbench_frame(ff_workbench *bench, int client, unsigned char *bytes, size_t size, uint32_t *number);

/// Bytes of a mesh of the scene of that generation, as GET /mesh/GENERATION/N returns them: u32 number of corners, u32
/// number of triangles, then corners (3 f32 each) and triangles (3 u32 each), little-endian. The caller frees them.
/// @return NULL: the scene has no such mesh, or another scene is loaded
unsigned char *ff_workbench_mesh(ff_workbench *bench, uint32_t generation, int mesh, size_t *size);

/// Opens a file of a saved run, such as "report.html" of run NAME, for reading.
/// @return a file descriptor; -1: no such run or file, or it is a link
int ff_workbench_open_run(const ff_workbench *bench, const char *name, const char *file);

#endif
