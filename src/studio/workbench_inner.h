// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of the workbench: workbench.c has the threads and the queue, requests.c the verbs (functions that execute
// requests), loaded_scene.c the loaded scene and its pace, scene_event.c its description for pages, frame.c its motion,
// watch.c rows of channels, library.c the files of the project. Members that are not marked as shared belong to the
// simulation thread.
#ifndef FOOTFALL_STUDIO_WORKBENCH_INNER_H
#define FOOTFALL_STUDIO_WORKBENCH_INNER_H

#include "workbench.h"

#include "text/yaml.h"

#include <footfall/json.h>
#include <footfall/run.h>
#include <footfall/text.h>
#include <footfall/twin.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define FF_BENCH_FRAME_HZ   60.0
#define FF_BENCH_PICTURE_HZ 15.0
#define FF_BENCH_CAMERAS    8                   // cameras whose pictures are sent at the same time
#define FF_BENCH_PATH       1024                // size of a displayed path with its terminating zero  [byte]
#define FF_BENCH_SOURCE_MAX ((size_t)4 << 20)   // largest text that is read for pages  [byte]
#define FF_BENCH_RECORD_MAX ((size_t)256 << 20) // largest recording in memory  [byte]

// ------------------------------------------------------------------------------------------ clients

/// Rows of channels that one client watches. The simulation thread fills `fresh`; publishing a frame moves the rows to
/// `ring` of the client, which is shared.
typedef struct ff_bench_watch {
    int *channels; // numbers in the catalogue of the simulation
    int nchannel;
    int columns; // count of the numbers of a row after its time
    bool needs_forces;
    double period, next; // of rows; due time of the next row  [s]
    double last_time;    // of the last row, NaN: none  [s]
    uint32_t lost;       // rows that were dropped
    float *fresh;
    int nfresh, fresh_size; // rows
    char **names;           // as requested, to find them again in another simulation  (nname)
    int nname;
    double rate; // as requested  [Hz]
} ff_bench_watch;

typedef struct ff_bench_reading ff_bench_reading;

typedef struct ff_bench_client {
    bool connected;
    ff_bench_watch watch;
    int camera;        // sensor whose pictures are requested, -1: none
    char *camera_name; // to find it again
    // shared, under `out_lock`
    float *ring; // rows of 1 + columns numbers
    int ring_size, ring_first, ring_count, ring_width;
    uint32_t dropped; // rows since the last frame
    uint32_t sent;    // number of the last frame sent
    uint32_t picture; // number of the last picture sent
    uint32_t batch;   // number of the last frame of a batch sent
    bool wants_batch; // it has requested the next frame of the batch
    int sent_camera;  // sensor whose pictures are sent, -1: none
    // not shared
    ff_bench_reading *reading; // its request in a reading thread, NULL: none
} ff_bench_client;

// ------------------------------------------------------------------------------------------ the loaded scene

/// What to load, as requested by a page.
typedef struct ff_bench_load {
    char *path; // relative to the root
    char *variant;
    char **set;
    int nset;
    bool has_twin; // a second robot, with these additional overrides
    char **twin;
    int ntwin;
    char *text; // unsaved text; NULL: the file
    size_t length;
    char **others; // other unsaved files, robots and scripts: path relative to the root, then text  (2 nother)
    int nother;
} ff_bench_load;

/// Unsaved texts that replace files, such as an edited script.
typedef struct ff_unsaved_texts {
    ff_text_other *items;
    int count, capacity;
} ff_unsaved_texts;

/// Signals of controllers about the feet of their robots (plan_signals.c). Missing values are NaN. Positions are in the
/// frame of the plan: a page matches planned feet with those on the ground to transform the rest.
enum { FF_PLAN_FORCE, FF_PLAN_LOAD, FF_PLAN_X, FF_PLAN_Y, FF_PLAN_YAW, FF_PLAN_LEG_COUNT };
enum { FF_PLAN_ZMP_X, FF_PLAN_ZMP_Y, FF_PLAN_ROBOT_COUNT };
typedef struct ff_bench_plan {
    const double *(*legs)[FF_PLAN_LEG_COUNT];     // (nleg)
    const double *(*robots)[FF_PLAN_ROBOT_COUNT]; // (nrobot)
} ff_bench_plan;

/// A second robot with the controller of the first (footfall/twin.h).
typedef struct ff_bench_twin {
    const ff_scene_spec *scene; // NULL: none
    ff_twin *twin;
} ff_bench_twin;

/// The loaded scene and its run.
typedef struct ff_bench_scene {
    const ff_scene_spec *spec; // NULL: no scene is loaded
    ff_run *run;
    ff_bench_twin twin; // second robot
    uint32_t generation;
    uint32_t starts;        // number of resets and loads: earlier frames have a smaller one
    ff_bench_load source;   // what was loaded
    bool single_robot;      // a robot file, in a scene generated for it
    ff_report messages;     // of the load
    int *robot_of_body;     // (nbody) -1: none
    ff_bench_plan plan;     // signals of controllers
    uint64_t *control_sent; // hash of the last event `control` of each robot  (nrobot)
    // running
    bool running;
    bool fast_forward;     // runs to `stop` as fast as possible, whatever the pace
    double pace;           // 0: as fast as possible
    double stop;           // time at which it pauses again, infinite: never  [s]
    double requested_stop; // the same as requested, before rounding is allowed for  [s]
    bool finished, failed;
    char outcome[600];                // "" while neither
    double clock_anchor, time_anchor; // clock and simulated time from which the pace counts  [s]
    double next_row;                  // due time of the next row of a watched channel  [s]
    double due;                       // the listener does nothing before this time  [s]
    double target;                    // time at which the slice ends  [s]
    double slice_end;                 // end of the slice on the clock  [s]
    double interruptible_from;        // requests may end the slice from this time on, on the clock  [s]
    unsigned steps;                   // in the slice
    unsigned stride;                  // steps between two readings of the clock
    bool stopped_by_slice;            // the run was stopped by the end of the slice
    // real-time factor over the last half second
    double rtf, rtf_clock, rtf_time;
    double elapsed;      // real time spent in running  [s]
    bool recording_full; // the recording has reached its size limit
    // interactions since the start, for the summary of a saved run
    char *event_log;
    int nevent;
    double next_messages; // of controllers, on the clock  [s]
} ff_bench_scene;

// ------------------------------------------------------------------------------------------ the whole

typedef struct ff_bench_entry ff_bench_entry;
typedef struct ff_bench_saving ff_bench_saving;
typedef struct ff_bench_request ff_bench_request;

/// Pending requests of a client; shared, under `lock`.
typedef struct ff_bench_queue {
    ff_bench_entry *first, *last;
    int waiting;    // requests
    size_t bytes;   // of these requests
    unsigned epoch; // number of disconnections of that client: answers to earlier ones are dropped
} ff_bench_queue;
typedef struct ff_bench_certifying ff_bench_certifying;
typedef struct ff_bench_batching ff_bench_batching;

/// Bytes of a mesh that is too large for an event; shared.
typedef struct ff_stored_mesh {
    unsigned char *bytes;
    size_t size;
} ff_stored_mesh;

/// The newest picture of a camera; shared.
typedef struct ff_bench_picture {
    int sensor; // number + 1; 0: the slot is free
    unsigned char *bytes;
    size_t size;
    uint32_t number;
    double time; // time of the picture, NaN: none  [s]
} ff_bench_picture;

struct ff_workbench {
    char *root; // resolved
    ff_text_fence fence;
    ff_workbench_sink sink;
    pthread_t thread;
    // shared: the queues, under `lock`
    pthread_mutex_t lock;
    pthread_cond_t wake;
    ff_bench_queue queues[FF_WORKBENCH_CLIENTS];
    atomic_bool pending; // a queue has an entry
    atomic_bool quit;
    atomic_bool saving_done;     // a run has been written
    atomic_bool reading_done;    // a thread that reads files has finished
    atomic_bool certifying_done; // a certificate is complete
    atomic_bool batch_event_due; // a batch has a new event or frame, or has finished
    // shared: frames, under `out_lock`
    pthread_mutex_t out_lock;
    unsigned char *frame; // without rows
    size_t frame_size, frame_capacity;
    uint32_t frame_number;
    ff_bench_picture pictures[FF_BENCH_CAMERAS];
    unsigned char *batch_frame; // the newest of a batch
    size_t batch_frame_size;
    uint32_t batch_frame_number;
    ff_stored_mesh *meshes;
    int nmesh;
    uint32_t mesh_generation;
    ff_bench_client clients[FF_WORKBENCH_CLIENTS]; // shared in part
    // not shared
    int nclient;
    int turn;                                // client whose queue is served next
    int nreading;                            // running threads that read files
    int nchecking;                           // of them, those that run checks
    int reading_turn;                        // client whose reading starts next
    const ff_bench_request *current_request; // the request in progress in this thread, NULL: none
    ff_bench_scene scene;
    ff_unsaved_texts unsaved;
    ff_bench_saving *saving;                // of a run, NULL: none
    ff_bench_certifying *certifying;        // of the loaded scene, NULL: none
    ff_bench_batching *batching;            // the last batch, NULL: none
    ff_bench_batching *next_batch;          // its successor in preparation, NULL: none
    uint32_t nbatch;                        // batches so far
    char *batch_state;                      // JSON of its last event, NULL: none
    char *certificate, *bands;              // JSON of the last certificate, NULL: none
    uint32_t certificate_generation;        // generation of its scene
    int pulls[FF_RUN_INTERACTIONS / 2];     // client + 1 of each pull; 0: free
    bool scene_due, state_due, control_due; // to be sent after the request or slice
    uint64_t scene_hash;                    // of the last event `scene`
    double next_slice;                      // on the clock  [s]
    uint32_t generation;                    // of the last scene that was loaded
    unsigned char *draft;                   // the frame in preparation
    size_t draft_size, draft_capacity;
    size_t section;                              // offset of the section in preparation
    uint32_t sections;                           // in the draft
    double next_frame, next_state, next_picture; // on the clock  [s]
    bool moved;                                  // the state was changed while paused
    bool changed;                                // something visible has changed since the last frame
};

// ------------------------------------------------------------------------------------ time and wake-ups: scene_state.c

/// Time of the monotonic clock that paces the simulation  [s]
double ff_bench_clock(void);
/// Sets a flag and wakes the simulation thread. Called by other threads.
void ff_bench_wake(ff_workbench *b, atomic_bool *flag);

// ------------------------------------------------------------------------------------------ answers.c, requests.c

/// A request in progress.
struct ff_bench_request {
    int client;
    unsigned epoch; // of the client
    bool deferred;  // the verb owns the request and answers later
    // of requests that only read files: function for a reading thread, resolved file, unsaved texts
    ff_status (*reader)(const ff_workbench *b, ff_bench_request *q, ff_error *err);
    bool checks; // `reader` may take minutes: one thread is reserved for other requests
    char *path;
    ff_unsaved_texts unsaved;
    ff_yaml *root;
    ff_arena arena;
    ff_report problems; // of the request itself
    ff_report messages; // about files
    ff_json answer;     // members after "id" and "ok"
};

/// A verb reads a request, executes it, and adds members to the answer. If it does not return FF_OK, the answer has the
/// text of `err` instead of these members.
typedef ff_status ff_bench_verb(ff_workbench *b, ff_bench_request *q, ff_error *err);
ff_bench_verb ff_bench_push, ff_bench_pull, ff_bench_place, ff_bench_command, ff_bench_script, ff_bench_parameter,
    ff_bench_camera;                                // requests_live.c
ff_bench_verb ff_bench_keep;                        // saving.c
ff_bench_verb ff_bench_certify;                     // certifying.c
ff_bench_verb ff_bench_batch, ff_bench_batch_frame; // batching.c
/// Arguments, whose types were checked before the verb runs (protocol.h): the node or its text, NULL where it is absent
/// or null; a number, with a fallback.
ff_yaml *ff_bench_argument(const ff_bench_request *q, const char *key);
const char *ff_bench_text(const ff_bench_request *q, const char *key);
double ff_bench_number(const ff_bench_request *q, const char *key, double fallback);
/// Is the argument present and true?
bool ff_bench_flag(const ff_bench_request *q, const char *key);
/// Begins an answer: the number of the request, and whether it succeeded.
void ff_bench_begin_answer(ff_bench_request *q, bool ok);
/// Sends the answer and clears the request.
void ff_bench_answer(ff_workbench *b, ff_bench_request *q, ff_status status, const ff_error *err);
void ff_bench_serve(ff_workbench *b, int client, unsigned epoch, const char *text, size_t length);
/// Frees everything but the answer.
void ff_bench_request_clear(ff_bench_request *q);
/// Frees a request that is not answered.
void ff_bench_request_drop(ff_bench_request *q);
/// Sends a text; NULL (no memory) is ignored.
void ff_bench_send(ff_workbench *b, int client, unsigned epoch, char *text);
void ff_bench_send_all(ff_workbench *b, char *text);
/// Has the client of the request disconnected?
bool ff_bench_client_has_left(ff_workbench *b, const ff_bench_request *q);
/// Event `notice`; `file` may be NULL.
void ff_bench_notice(ff_workbench *b, ff_severity severity, const char *file, int line, const char *format, ...)
    FF_PRINTF(5, 6);
/// Event `state`.
void ff_bench_send_state(ff_workbench *b);
/// A list of messages, with files relative to the root.
void ff_bench_write_messages(const ff_workbench *b, ff_json *json, const char *key, const ff_report *report);
/// A path relative to the root, for display; NULL for NULL.
const char *ff_bench_relative_path(const ff_workbench *b, const char *path, char out[FF_BENCH_PATH]);
/// Reads JSON as YAML: requests_text.c.
ff_yaml *ff_bench_read_json(ff_arena *arena, const char *text, size_t length, ff_report *report);

// ------------------------------------------------------------------------------------------ loaded_scene.c

/// Loads a scene or a robot; on failure the previous one is kept.
ff_status ff_bench_load_scene(ff_workbench *b, ff_bench_load *from, ff_report *messages, ff_error *err);
/// Resets to the start, with the present unsaved texts.
ff_status ff_bench_reset(ff_workbench *b, ff_report *messages, ff_error *err);
void ff_bench_unload(ff_bench_scene *s);
void ff_bench_load_clear(ff_bench_load *load);
ff_status ff_bench_run(ff_workbench *b, double pace, ff_error *err);
void ff_bench_pause(ff_workbench *b);
/// One step of the method, or as many as `seconds` take (not NaN): then it runs and pauses there.
ff_status ff_bench_step(ff_workbench *b, double seconds, ff_error *err);
/// Runs a slice of the simulation, limited by the pace and the time of a frame.
void ff_bench_run_slice(ff_workbench *b);
/// Time at which the thread is due again, infinite: when there is a request  [s of the clock]
double ff_bench_next_due(const ff_workbench *b);
/// Sends the events that are due after an answer or a slice.
void ff_bench_send_due_events(ff_workbench *b);

// ------------------------------------------------------------------------------------------ scene_state.c

/// @return FF_NOT_FOUND: no scene is loaded
ff_status ff_bench_require_scene(const ff_workbench *b, ff_error *err);
/// Number of the robot that a request names by name or number; without `node` that of the only robot; -1 with the
/// reason in `err`.
int ff_bench_find_robot(const ff_workbench *b, ff_yaml *node, ff_error *err);
/// End of the recording  [s]
double ff_bench_recorded_time(const ff_bench_scene *s);
/// Adds an interaction of the user at the present time to the event log; arguments as of printf.
void ff_bench_log_event(ff_workbench *b, const char *format, ...) FF_PRINTF(2, 3);
/// Frees a list of malloc'ed texts, which may be NULL.
void ff_bench_free_texts(char **texts, int count);
/// A robot was moved or commanded: frames and rows of the present time are renewed.
void ff_bench_mark_changed(ff_workbench *b);

// ------------------------------------------------------------------------------------------ plan_signals.c

/// Finds the signals of the loaded run, whose robot_of_body is set. @return false: out of memory
bool ff_bench_plan_find(ff_bench_scene *s);
void ff_bench_plan_clear(ff_bench_plan *plan);

// ------------------------------------------------------------------------ frame.c, watch.c, scene_event.c

/// Publishes frames, rows and pictures to the clients, if something is new and there are clients.
void ff_bench_publish(ff_workbench *b);
/// Clears everything that belongs to a simulation that ends.
void ff_bench_clear_frames(ff_workbench *b);

ff_status ff_watch_set(ff_workbench *b, ff_bench_client *client, char **names, int nname, double rate, ff_error *err);
/// Finds the channels in a new simulation; missing ones are omitted.
void ff_watch_rebind(ff_workbench *b, ff_bench_client *client);
void ff_watch_clear(ff_workbench *b, ff_bench_client *client);
/// Adds the rows that are due. @return the next due time  [s]
double ff_watch_sample(ff_workbench *b, double t);
/// Adds a row at the present time for clients without one, while the simulation is paused.
void ff_watch_sample_now(ff_workbench *b);
/// Publishes fresh rows; under `out_lock`.
void ff_watch_publish(ff_bench_client *client);
void ff_watch_write(const ff_workbench *b, const ff_bench_client *client, ff_json *json);

/// Event `scene`, malloc'ed; NULL: out of memory.
char *ff_bench_scene_event(ff_workbench *b);
/// Hash of the event without the generation.
uint64_t ff_bench_scene_hash(ff_workbench *b);
void ff_bench_drop_meshes(ff_workbench *b);
/// Members of `control` of a robot.
void ff_bench_write_control(const ff_workbench *b, int robot, ff_json *json);
/// Sends event `control` of each robot whose commands or parameters have changed.
void ff_bench_send_control(ff_workbench *b);
/// Ends the pull of a client.
void ff_bench_end_pull(ff_workbench *b, int client);
/// camera_stream.c: publishes the newest pictures of the requested cameras.
void ff_bench_take_pictures(ff_workbench *b, double now);
/// The next unsent picture for a client, under `out_lock`; 0: none.
size_t ff_bench_copy_picture(ff_workbench *b, ff_bench_client *client, unsigned char *bytes, size_t size);
/// Finds the cameras in a new simulation.
void ff_bench_find_cameras(ff_workbench *b);
/// Starts the pictures of a camera for a client; -1: stops them.
void ff_bench_show_camera(ff_workbench *b, ff_bench_client *client, int sensor, const char *name);

// ------------------------------------------------------------------------------------------ saving.c

/// Copies a part of the recording that is being saved, and starts the thread that writes it once the copy is complete.
/// @return whether there is more to copy
bool ff_saving_copy(ff_workbench *b);
/// Copies the rest at once, since the recording ends.
void ff_saving_copy_all(ff_workbench *b);
/// Answers the request whose run has been saved.
void ff_saving_answer(ff_workbench *b);
/// Waits for a run that is being saved, without an answer.
void ff_saving_end(ff_workbench *b);

// ------------------------------------------------------------------------------------------ reading.c

/// Takes ownership of a request: `reader` is called in a reading thread as soon as one is free, then the request is
/// answered. Until then the rest of the client's queue waits, but no other client.
ff_status ff_reading_begin(ff_workbench *b, ff_bench_request *q, ff_error *err);
/// Answers the requests whose threads have finished, and starts threads for others.
void ff_reading_answer(ff_workbench *b);
/// Waits for all reading threads, which finish soon once the workbench quits; their requests are not answered.
void ff_reading_end(ff_workbench *b);

// ------------------------------------------------------------------------------------------ certifying.c

/// Answers the request whose certificate is complete.
void ff_certifying_answer(ff_workbench *b);
/// Cancels a certificate in progress without an answer, and frees the last complete one.
void ff_certifying_end(ff_workbench *b);
/// Cancels the certificate requested by a page that has disconnected.
void ff_certifying_cancel(ff_workbench *b, int client);
/// Called before a scene is unloaded. @return whether a certificate in progress now owns the scene
bool ff_certifying_adopt_scene(ff_workbench *b, const ff_scene_spec *scene);

// ------------------------------------------------------------------------------------------ batching.c

/// Answers the request whose batch was created or refused, sends event `batch`, publishes its frames.
void ff_batching_answer(ff_workbench *b);
/// Cancels a batch in preparation, because its scene is unloaded, and answers its request.
void ff_batching_cancel_next(ff_workbench *b);
/// Ends the running batch, because another scene is loaded: pages that connect later do not get its events.
void ff_batching_stop(ff_workbench *b);
/// Ends the batch, without an answer.
void ff_batching_end(ff_workbench *b);
/// The next unsent frame of the batch for a client, under `out_lock`; 0: none.
size_t ff_batching_copy_frame(ff_workbench *b, ff_bench_client *client, unsigned char *bytes, size_t size);

// ------------------------------------------------------------------------------------------ library.c

/// The resolved path of a file of the project, which need not exist. Malloc'ed; NULL with the reason in `err`.
char *ff_library_path(const ff_workbench *b, const char *given, ff_error *err);
/// Members of the answer to `list`.
void ff_library_list(const ff_workbench *b, ff_json *json, ff_report *messages);
/// Member `runs`: saved runs under out/.
void ff_runs_list(const ff_workbench *b, ff_json *json);
/// Is it a valid name of a run?
bool ff_run_name_is_valid(const char *name);
/// Replaces a file atomically: a temporary file is written and renamed.
ff_status ff_library_save(const ff_workbench *b, const char *given, const char *text, size_t length, ff_error *err);
/// Adds a text that readers get instead of the file at the resolved `path`, once ff_unsaved_set_fence was called.
/// @return false: out of memory
bool ff_unsaved_add(ff_unsaved_texts *all, const char *path, const char *text, size_t length);
/// Makes the texts known to the fence of a thread (footfall/text.h).
void ff_unsaved_set_fence(const ff_unsaved_texts *all, ff_text_fence *fence);
void ff_unsaved_clear(ff_unsaved_texts *all);
/// Adds an unsaved text for the loaded scene and sets the fence. @return false: out of memory
bool ff_bench_add_unsaved(ff_workbench *b, const char *path, const char *text, size_t length);
/// Drops the unsaved text of a file that was saved.
void ff_bench_drop_unsaved(ff_workbench *b, const char *path);
/// Makes the unsaved texts of the loaded scene known to the fence of the simulation thread.
void ff_bench_set_fence(ff_workbench *b);

#endif
