// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of the workbench: workbench.c has the threads and the queue, requests.c the verbs, stage.c the scene that is
// loaded and its pace, scene_event.c its description for pages, frame.c its motion, watch.c rows of channels,
// library.c the files of the project. Everything but the parts marked as shared belongs to the simulation thread.
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

#define FF_BENCH_FRAME_HZ    60.0
#define FF_BENCH_PICTURE_HZ  15.0
#define FF_BENCH_CAMERAS     8                   // whose pictures are handed out at a time
#define FF_BENCH_PATH        1024                // of a path that is shown, with its end  [byte]
#define FF_BENCH_SOURCE_MOST ((size_t)4 << 20)   // of a text that pages see  [byte]
#define FF_BENCH_RECORD_MOST ((size_t)256 << 20) // of a recording  [byte]

// ------------------------------------------------------------------------------------------ clients

/// Rows of channels that one client watches. The simulation thread fills `fresh`; publishing moves them to `ring`,
/// which is shared.
typedef struct ff_bench_watch {
    int *channels; // numbers in the catalogue of the simulation
    int nchannel;
    int columns; // of a row, the time before them
    bool needs_forces;
    double period, next; // [s]
    double last;         // time of the last row, NaN: none
    uint32_t lost;       // rows that were never handed over
    float *fresh;
    int nfresh, fresh_size; // rows
    char **names;           // as asked for, to find them again in another simulation
    int nname;
    double rate;
} ff_bench_watch;

typedef struct ff_bench_reading ff_bench_reading;

typedef struct ff_bench_client {
    bool here;
    ff_bench_watch watch;
    int camera;        // sensor whose pictures it wants, -1: none
    char *camera_name; // to find it again
    // shared, under `out`
    float *ring; // rows of 1 + columns numbers
    int ring_size, ring_first, ring_count, ring_width;
    uint32_t dropped; // rows since the last frame
    uint32_t sent;    // number of the last frame handed out
    uint32_t picture; // number of the last picture handed out
    uint32_t batch;   // number of the last frame of a batch handed out
    bool wants_batch; // it has asked for the next one
    int shown;        // sensor whose pictures are handed out, -1: none
    // of the simulation thread
    ff_bench_reading *reading; // its request that is carried out by a thread of its own, NULL: none
} ff_bench_client;

// ------------------------------------------------------------------------------------------ the stage

/// What to load, as a page asked for it.
typedef struct ff_bench_load {
    char *path; // from the root
    char *variant;
    char **set;
    int nset;
    bool has_twin; // a second robot beside it, with these values changed in addition
    char **twin;
    int ntwin;
    char *text; // in place of the file's; NULL: the file
    size_t length;
    char **
        // path from the root, then text in its place, of files that are read on the way: robots, scripts  (2 nother)
        others;
    int nother;
} ff_bench_load;

/// Texts that stand in for files, such as a script that was changed and not saved.
typedef struct ff_bench_stand_ins {
    ff_text_other *items;
    int count, capacity;
} ff_bench_stand_ins;

/// What controllers say of the feet of their robots (plan_signals.c). Numbers that nobody gives are NaN. Places are in
/// the world of the plan: a page lays the planned feet on those that stand, and finds by that where the rest is.
enum { FF_PLAN_WANTED, FF_PLAN_LOAD, FF_PLAN_X, FF_PLAN_Y, FF_PLAN_YAW, FF_PLAN_OF_LEG };
enum { FF_PLAN_ZMP_X, FF_PLAN_ZMP_Y, FF_PLAN_OF_ROBOT };
typedef struct ff_bench_plan {
    const double *(*legs)[FF_PLAN_OF_LEG];     // (nleg)
    const double *(*robots)[FF_PLAN_OF_ROBOT]; // (nrobot)
} ff_bench_plan;

/// A second robot with the controller of the first (footfall/twin.h).
typedef struct ff_bench_twin {
    const ff_scene_spec *scene; // NULL: none
    ff_twin *twin;
} ff_bench_twin;

/// The scene that is loaded and how it runs.
typedef struct ff_bench_stage {
    const ff_scene_spec *scene; // NULL: none
    ff_run *run;                // of it
    ff_bench_twin twin;         // beside it
    uint32_t generation;
    uint32_t starts; // scenes that were put here: a frame from before a reset has a smaller one
    ff_bench_load from;
    bool robot_alone; // a robot file, in a scene made for it
    ff_report messages;
    int *robot_of_body;     // (nbody) -1: none
    ff_bench_plan plan;     // what controllers say
    uint64_t *control_sent; // hash of the last event `control` of each robot  (nrobot)
    // running
    bool running;
    bool hurry;   // as fast as possible up to `stop`, whatever the pace
    double pace;  // 0: as fast as possible
    double stop;  // time at which to pause again, infinite: never  [s]
    double asked; // the same as it was asked for  [s]
    bool finished, failed;
    char outcome[600]; // "" while neither
    double wall_anchor, time_anchor;
    double next_row; // when the next row of a watched channel is due  [s]
    double due;      // the listener has nothing to do before this time  [s]
    double target;   // of the slice  [s]
    double slice;    // end of the slice on the clock  [s]
    double patience; // requests may end the slice from here on, on the clock  [s]
    unsigned steps;  // in the slice
    unsigned stride; // the clock is looked at after so many
    bool ours;       // it was the end of the slice that stopped the run
    // real-time factor over the last half second
    double rtf, rtf_wall, rtf_time;
    double wall; // spent in running  [s]
    bool full;   // the recording has reached its limit
    // what was done by hand since the start, for the summary of a run that is kept
    char *story;
    int nstory;
    double next_news; // of controllers, on the clock  [s]
} ff_bench_stage;

// ------------------------------------------------------------------------------------------ the whole

typedef struct ff_bench_entry ff_bench_entry;
typedef struct ff_bench_saving ff_bench_saving;
typedef struct ff_bench_request ff_bench_request;

/// What one client has asked for and is not yet served; shared, under `lock`.
typedef struct ff_bench_queue {
    ff_bench_entry *first, *last;
    int waiting;    // requests
    size_t bytes;   // of those
    unsigned epoch; // how often a client of that number has left: answers to one before are dropped
} ff_bench_queue;
typedef struct ff_bench_certifying ff_bench_certifying;
typedef struct ff_bench_batching ff_bench_batching;

/// Bytes of a mesh that is too large for an event; shared.
typedef struct ff_bench_mesh {
    unsigned char *bytes;
    size_t size;
} ff_bench_mesh;

/// The newest picture of a camera, as it is handed out; shared.
typedef struct ff_bench_picture {
    int sensor; // + 1; 0: the place is free
    unsigned char *bytes;
    size_t size;
    uint32_t number;
    double time; // when it was taken, NaN: none  [s]
} ff_bench_picture;

struct ff_workbench {
    char *root; // without links
    ff_text_fence fence;
    ff_workbench_sink sink;
    pthread_t thread;
    // shared: the queues, under `lock`
    pthread_mutex_t lock;
    pthread_cond_t wake;
    ff_bench_queue queues[FF_WORKBENCH_CLIENTS];
    atomic_bool pending; // something is in a queue
    atomic_bool quit;
    atomic_bool saved;     // a run has been written
    atomic_bool read;      // a reading has ended
    atomic_bool certified; // a certificate has been made
    atomic_bool batched;   // a batch has something new to say
    // shared: frames, under `out`
    pthread_mutex_t out;
    unsigned char *frame; // without rows
    size_t frame_size, frame_capacity;
    uint32_t frame_number;
    ff_bench_picture pictures[FF_BENCH_CAMERAS];
    unsigned char *batch_frame; // the newest of a batch
    size_t batch_frame_size;
    uint32_t batch_frame_number;
    ff_bench_mesh *meshes;
    int nmesh;
    uint32_t mesh_generation;
    ff_bench_client clients[FF_WORKBENCH_CLIENTS]; // shared in part
    // of the simulation thread
    int nclient;
    int turn;                       // client that is served next
    int nreading;                   // threads at work
    int nchecking;                  // of them: those that check
    int reading_turn;               // client whose reading begins next
    const ff_bench_request *served; // the request that is carried out in this thread, NULL: none
    ff_bench_stage stage;
    ff_bench_stand_ins stand_ins;
    ff_bench_saving *saving;                // of a run, NULL: none
    ff_bench_certifying *certifying;        // of the run on the stage, NULL: none
    ff_bench_batching *batching;            // the last batch, NULL: none
    ff_bench_batching *batch_coming;        // one that is being made to take its place, NULL: none
    uint32_t nbatch;                        // batches so far
    char *batch_state;                      // JSON of its last event, NULL: none
    char *certificate, *bands;              // JSON of the last certificate, NULL: none
    uint32_t certificate_of;                // generation of its scene
    int hands[FF_RUN_HANDS / 2];            // client whose pull it is, + 1; 0: free
    bool scene_due, state_due, control_due; // once the request is answered, or the slice over
    uint64_t scene_hash;                    // of the last event `scene`
    double next_slice;                      // on the clock  [s]
    uint32_t generation;                    // of the last scene that was loaded
    unsigned char *draft;                   // the frame that is being made
    size_t draft_size, draft_capacity;
    size_t section;                              // where the section begins that is being written
    uint32_t sections;                           // in the draft
    double next_frame, next_state, next_picture; // on the clock  [s]
    bool moved;                                  // the state was written while the time stood still
    bool changed;                                // something can be seen that the last frame does not show
};

// ------------------------------------------------------------------------------------------ wake.c

/// Time of the monotonic clock that paces the simulation.  [s]
double ff_bench_clock(void);
/// Sets a flag and wakes the simulation thread: for threads that have written or read something.
void ff_bench_wake(ff_workbench *b, atomic_bool *flag);

// ------------------------------------------------------------------------------------------ answers.c, requests.c

/// A request that is being answered.
struct ff_bench_request {
    int client;
    unsigned epoch; // of the client
    bool taken;     // the verb has made it its own and will answer later
    // of requests that only read files: what a thread of their own does, a file without links, texts in place of files
    ff_status (*later)(const ff_workbench *b, ff_bench_request *q, ff_error *err);
    bool checks; // `later` may take minutes: a thread is left to the others
    char *path;
    ff_bench_stand_ins unsaved;
    ff_yaml *root;
    ff_arena arena;
    ff_report problems; // with the request itself
    ff_report messages; // with files
    ff_json answer;     // members behind "id" and "ok"
};

/// A verb: reads the request, acts, adds to the answer. Where it returns other than FF_OK, the answer
/// is `err`, without its members.
typedef ff_status ff_bench_verb(ff_workbench *b, ff_bench_request *q, ff_error *err);
ff_bench_verb ff_bench_push, ff_bench_pull, ff_bench_place, ff_bench_command, ff_bench_script, ff_bench_parameter,
    ff_bench_camera;                                // requests_live.c
ff_bench_verb ff_bench_keep;                        // keep.c
ff_bench_verb ff_bench_certify;                     // certifying.c
ff_bench_verb ff_bench_batch, ff_bench_batch_frame; // batching.c
/// Arguments, whose types were checked before the verb runs (protocol.h): the node or its text, NULL where it is absent
/// or null; a number, with a fallback.
ff_yaml *ff_bench_argument(const ff_bench_request *q, const char *key);
const char *ff_bench_text(const ff_bench_request *q, const char *key);
double ff_bench_number(const ff_bench_request *q, const char *key, double fallback);
/// Is it there, and true?
bool ff_bench_flag(const ff_bench_request *q, const char *key);
/// Begins an answer: the number of the request, and whether it succeeded.
void ff_bench_begin_answer(ff_bench_request *q, bool ok);
/// Sends the answer and clears the request.
void ff_bench_answer(ff_workbench *b, ff_bench_request *q, ff_status status, const ff_error *err);
void ff_bench_serve(ff_workbench *b, int client, unsigned epoch, const char *text, size_t length);
/// Frees what it has but its answer.
void ff_bench_request_clear(ff_bench_request *q);
/// Sends a text; NULL (no memory) is ignored.
void ff_bench_send(ff_workbench *b, int client, unsigned epoch, char *text);
void ff_bench_send_all(ff_workbench *b, char *text);
/// Has the client left that asked?
bool ff_bench_is_gone(ff_workbench *b, const ff_bench_request *q);
/// Event `notice`; `file` may be NULL.
void ff_bench_notice(ff_workbench *b, ff_severity severity, const char *file, int line, const char *format, ...)
    FF_PRINTF(5, 6);
/// Event `state`.
void ff_bench_send_state(ff_workbench *b);
/// A list of messages, files seen from the root.
void ff_bench_write_messages(const ff_workbench *b, ff_json *json, const char *key, const ff_report *report);
/// The part of a path behind the root, for people; NULL for NULL.
const char *ff_bench_inside(const ff_workbench *b, const char *path, char out[FF_BENCH_PATH]);
/// Reads JSON as YAML: requests_text.c.
ff_yaml *ff_bench_read_json(ff_arena *arena, const char *text, size_t length, ff_report *report);

// ------------------------------------------------------------------------------------------ stage.c

/// Loads a scene or a robot; what was loaded before stays where that fails.
ff_status ff_stage_load(ff_workbench *b, ff_bench_load *from, ff_report *messages, ff_error *err);
/// Back to the start, with the texts that stand in for files as they are now.
ff_status ff_stage_reset(ff_workbench *b, ff_report *messages, ff_error *err);
void ff_stage_clear(ff_bench_stage *stage);
void ff_bench_load_clear(ff_bench_load *load);
ff_status ff_stage_run(ff_workbench *b, double pace, ff_error *err);
void ff_stage_pause(ff_workbench *b);
/// One step of the method, or as many as `seconds` take (not NaN): then it runs by itself and pauses there.
ff_status ff_stage_step(ff_workbench *b, double seconds, ff_error *err);
/// A slice of the simulation, as long as the pace wants and no longer than a frame.
void ff_stage_slice(ff_workbench *b);
/// When the thread has something to do again, infinite: not before an entry of the queue comes  [s of the clock]
double ff_stage_next(const ff_workbench *b);
/// Sends the events that are due: after an answer, after a slice.
void ff_bench_after(ff_workbench *b);

// ------------------------------------------------------------------------------------------ stage_state.c

/// @return FF_NOT_FOUND: no scene is loaded
ff_status ff_stage_need(const ff_workbench *b, ff_error *err);
/// Number of the robot that a request names by name or number; without `node` that of the only robot; -1 with the
/// reason in `err`.
int ff_stage_robot(const ff_workbench *b, ff_yaml *node, ff_error *err);
/// End of the recording  [s]
double ff_stage_recorded(const ff_bench_stage *stage);
/// Adds an interaction of the user at the present time to the event log, as printf.
void ff_stage_note(ff_workbench *b, const char *format, ...) FF_PRINTF(2, 3);
/// A robot was moved or commanded: frames and rows of the present time are made again.
void ff_stage_touched(ff_workbench *b);

// ------------------------------------------------------------------------------------------ plan_signals.c

/// Of the run on the stage, whose robot_of_body is known. @return false when memory is short
bool ff_bench_plan_find(ff_bench_stage *s);
void ff_bench_plan_clear(ff_bench_plan *plan);

// ------------------------------------------------------------------------------------------ frame.c, watch.c,
// scene_event.c

/// Makes frames, rows and pictures known to the clients, where something is new and anyone looks.
void ff_bench_publish(ff_workbench *b);
/// Forgets everything that belongs to a simulation that ends.
void ff_bench_forget(ff_workbench *b);

ff_status ff_watch_set(ff_workbench *b, ff_bench_client *client, char **names, int nname, double rate, ff_error *err);
/// Finds the channels again in a new simulation; what is no longer there is left out.
void ff_watch_rebind(ff_workbench *b, ff_bench_client *client);
void ff_watch_clear(ff_workbench *b, ff_bench_client *client);
/// Takes the rows that are due. @return when the next is due  [s]
double ff_watch_sample(ff_workbench *b, double t);
/// A row of the present for those who have none of it, while nothing runs.
void ff_watch_present(ff_workbench *b);
/// Moves fresh rows to where clients get them; under `out`.
void ff_watch_hand_over(ff_bench_client *client);
void ff_watch_write(const ff_workbench *b, const ff_bench_client *client, ff_json *json);

/// Event `scene`, malloc'ed; NULL when out of memory.
char *ff_bench_scene_event(ff_workbench *b);
/// Hash of what it says but for the generation.
uint64_t ff_bench_scene_hash(ff_workbench *b);
void ff_bench_drop_meshes(ff_workbench *b);
/// Members of `control` of a robot.
void ff_bench_write_control(const ff_workbench *b, int robot, ff_json *json);
/// Event `control` of each robot whose commands or parameters differ from the last one.
void ff_bench_send_control(ff_workbench *b);
/// The pull of a client ends.
void ff_bench_end_pull(ff_workbench *b, int client);
/// camera_stream.c: takes the newest pictures of the cameras that anyone looks through.
void ff_bench_take_pictures(ff_workbench *b, double now);
/// A picture the client does not have yet, under `out`; 0: none.
size_t ff_bench_hand_picture(ff_workbench *b, ff_bench_client *client, unsigned char *bytes, size_t size);
/// Finds the cameras again in a new simulation.
void ff_bench_find_cameras(ff_workbench *b);
/// Pictures of a camera for a client; -1: none any more.
void ff_bench_show_camera(ff_workbench *b, ff_bench_client *client, int sensor, const char *name);

// ------------------------------------------------------------------------------------------ keep.c

/// Copies some more of the recording that is being saved, and lets a thread write it once it is whole. @return whether
/// anything is left to copy
bool ff_keep_copy(ff_workbench *b);
/// Copies the rest at once: the recording ends.
void ff_keep_copy_all(ff_workbench *b);
/// Answers the page whose run has been written.
void ff_keep_answer(ff_workbench *b);
/// Waits for a run that is being written; nobody is answered.
void ff_keep_end(ff_workbench *b);

// ------------------------------------------------------------------------------------------ reading.c

/// Takes the request over: `later` is called in a thread of its own as soon as one is free, then the client is
/// answered. Until then the rest of its queue waits, and nobody else's.
ff_status ff_reading_begin(ff_workbench *b, ff_bench_request *q, ff_error *err);
/// Answers those that have ended, and lets others begin.
void ff_reading_answer(ff_workbench *b);
/// Waits for all, which end soon once the workbench quits; nobody is answered.
void ff_reading_end(ff_workbench *b);

// ------------------------------------------------------------------------------------------ certifying.c

/// Answers the page whose certificate is done.
void ff_certifying_answer(ff_workbench *b);
/// Ends one that is being made, and forgets the last; nobody is answered.
void ff_certifying_end(ff_workbench *b);
/// A page has left: what it asked for ends.
void ff_certifying_leave(ff_workbench *b, int client);
/// The scene leaves the stage. @return whether a certificate is made of it, which destroys it at its end
bool ff_certifying_take_scene(ff_workbench *b, const ff_scene_spec *scene);

// ------------------------------------------------------------------------------------------ batching.c

/// Answers the page whose batch stands or was refused, sends event `batch`, makes its frames known.
void ff_batching_answer(ff_workbench *b);
/// The scene leaves the stage: a batch that is still being made of it ends, and whoever asked for it is told.
void ff_batching_scene_leaves(ff_workbench *b);
/// Another scene is on the stage: a batch of the one before ends, and pages that come hear nothing of it.
void ff_batching_forget(ff_workbench *b);
/// Ends the batch; nobody is answered.
void ff_batching_end(ff_workbench *b);
/// A frame of the batch that the client does not have yet, under `out`; 0: none.
size_t ff_batching_hand_frame(ff_workbench *b, ff_bench_client *client, unsigned char *bytes, size_t size);

// ------------------------------------------------------------------------------------------ library.c

/// The path of a file of the project, without links; it need not exist. Malloc'ed; NULL with the reason in `err`.
char *ff_library_path(const ff_workbench *b, const char *given, ff_error *err);
/// Members of the answer to `list`.
void ff_library_list(const ff_workbench *b, ff_json *json, ff_report *messages);
/// Member `runs`: what was saved under out/. (runs.c)
void ff_runs_list(const ff_workbench *b, ff_json *json);
/// Is it a name that a run can have?
bool ff_run_name_fits(const char *name);
/// Replaces a file at once: written beside it, then renamed.
ff_status ff_library_save(const ff_workbench *b, const char *given, const char *text, size_t length, ff_error *err);
/// From then on `path` (without links) is read as that text, once the fence has been joined. False: no memory.
bool ff_stand_ins_add(ff_bench_stand_ins *all, const char *path, const char *text, size_t length);
void ff_stand_ins_join(const ff_bench_stand_ins *all, ff_text_fence *fence);
/// The same for the scene that is loaded, at once.
bool ff_bench_stand_in(ff_workbench *b, const char *path, const char *text, size_t length);
/// The file itself is read again: it was saved.
void ff_bench_saved(ff_workbench *b, const char *path);
void ff_bench_drop_stand_ins(ff_bench_stand_ins *all);
void ff_bench_set_fence(ff_workbench *b);

#endif
