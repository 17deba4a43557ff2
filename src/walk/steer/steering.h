// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One robot and its controller, of any kind: I/O frames of that robot alone, the cycles of the bus in which the
// controller is called, the schedule of commands, references that are dropped or clamped, and reports.
//
//     ff_steering_read(&reader, control, robot, &spec);   // constant from here on
//     ff_steering_init(&steering, &spec);
//     ff_steering_begin(&steering, &site, &err);                // creates the controller and binds it to its frames
//     ff_steering_join(&steering, sim, "control 0", &err);      // its memory is saved, its signals are recorded
//     ff_steering_cycle(&steering, t, sensors, references);     // once a cycle of the bus
//     ff_steering_report(&steering, &report);
//     ff_steering_end(&steering);
#ifndef FOOTFALL_STEER_STEERING_H
#define FOOTFALL_STEER_STEERING_H

#include "steer/kind.h"

#include <footfall/plant.h>

enum { FF_STEERING_BITS = 16, FF_STEERING_REPORTED = 64 };

// ------------------------------------------------------------------------------------------ as read

typedef struct ff_timed_command {
    double at; // [s]
    ff_place place;
    const ff_command *command;
    const char *text; // as ff_command_text writes it
} ff_timed_command;

/// The controller of one robot as a file describes it.
typedef struct ff_steering_spec {
    int robot; // number of the robot in the scene
    const ff_controller_kind *kind;
    void *settings;
    ff_place place;
    double period;              // [s]
    int64_t every;              // it is called in every so many cycles of the bus (ff_steering_fit)
    ff_timed_command *commands; // by time
    int ncommand;
} ff_steering_spec;

// Periods of controllers  [s]. The bounds find typing errors.
#define FF_STEERING_PERIOD          1e-3 // default
#define FF_STEERING_SHORTEST_PERIOD 1e-5
#define FF_STEERING_LONGEST_PERIOD  10.0

// The schema of `control` (control_schema.c); groups live in the arena.
/// The group of a `control` map that names a kind.
/// @param beside  keys that may stand beside every kind; NULL: none
const ff_key_group *ff_control_group(const ff_controller_kind *kind, const ff_key_group *beside, ff_arena *arena);
/// The keys of one of its commands.
const ff_key_group *ff_command_group(const ff_controller_kind *kind, ff_arena *arena);
/// The group of the kind that a `control` map names, or of all kinds where it names none.
const ff_key_group *ff_control_choose(const ff_yaml *control, const ff_key_group *beside);

/// The key under `control` that names a kind, NULL: none. Nothing is marked as used. `control` may be NULL.
ff_yaml *ff_steering_find_kind(const ff_yaml *control);
/// Reads `control` of a robot, which names a kind.
void ff_steering_read(const ff_steer_reader *r, ff_yaml *control, int robot, ff_steering_spec *out);
/// The same for a kind that need not be in the list; `control` has a key of its name.
void ff_steering_read_as(const ff_steer_reader *r, const ff_controller_kind *kind, ff_yaml *control, int robot,
                         ff_steering_spec *out);
/// Reports that `control` names no kind, with all kinds, and `hold`, the joint law of scenes.
void ff_steering_report_unknown(const ff_steer_reader *r, const ff_yaml *control);
/// Sets `every`. @return false where the period is not a whole number of cycles of the bus
bool ff_steering_fit(ff_steering_spec *spec, double bus_period);
/// "gait wave, speed 0.05": an entry of `commands` in words, without its time. In the arena; NULL without memory.
const char *ff_command_text(ff_arena *arena, const ff_yaml *entry);

// ------------------------------------------------------------------------------------------ at work

/// Functions that are called at events of controllers; they may be NULL.
typedef struct ff_steering_sink {
    void *context;
    /// The controller accepted a command. `text` lives as long as the spec; that of a live command until the return.
    void (*command)(void *context, int robot, double t, const char *text, bool live);
    /// A condition began (`met`) or ended at the time `t`.
    void (*status)(void *context, int robot, double t, const char *text, bool met);
} ff_steering_sink;

/// What a controller is attached to.
typedef struct ff_steering_site {
    const ff_plant *plant;          // drives and sensors of all robots
    const ff_io_layout *layouts[2]; // of the frames of all robots, by ff_io_kind
    const ff_model *robot;          // of the robot alone
    const char *prefix;             // of the robot's names in the plant
    int vadr, nv;                   // its degrees of freedom in the plant
    bool alone;                     // the frames have items of this robot alone, without a prefix
    double bus_period;              // [s]
    uint64_t seed;
    unsigned permissions;    // of scripts, FF_PERMIT_..
    ff_python_finder python; // finds what runs controllers in Python; NULL: nothing
    bool limited;            // as ff_run_options has it
    ff_arena *arena;         // for frames and limits; outlives the steering
    ff_steering_sink sink;
} ff_steering_site;

/// Commands of the schedule that the controller refused.
typedef struct ff_refused_command {
    const ff_timed_command *command; // the first, NULL: none
    ff_error why;
    int more; // refused after that one
} ff_refused_command;

/// State of the schedule, which is saved.
typedef struct ff_steering_progress {
    int64_t cycles; // of the bus
    int64_t next;   // number of the next command
} ff_steering_progress;

/// References that were dropped, as they were not finite, clamped to the limit of a joint, or ignored by their drives.
typedef struct ff_reference_fault {
    int64_t count;
    double time;         // of the first  [s]
    const char *name;    // of its item, or of the joint
    double value, limit; // of a clamped one
    const char *unit;    // of these
} ff_reference_fault;

typedef struct ff_steering {
    const ff_steering_spec *spec;
    const ff_controller_kind *kind; // of the spec, or of the controller that a program has given
    const void *settings;           // likewise
    ff_callback_settings brought;
    ff_relay relay;   // the controller works elsewhere; set before ff_steering_begin. Without `cycle`: it works here
    uint32_t relayed; // conditions of the controller elsewhere
    ff_cycle_tap tap; // set between two cycles; without a function: none
    // from ff_steering_begin on
    void *controller; // NULL: there is none yet
    ff_controller bound;
    ff_steering_site site;
    ff_steering_progress progress;
    ff_io_layout layouts[2];    // of the robot's own frames
    int *items[2];              // numbers of the robot's items in the frames of all robots
    ff_io_frame *frames[2];     // of the robot alone; NULL: those of all robots are used as they are
    ff_reference_limit *limits; // of its references
    ff_reference_fault dropped, clamped, ignored;
    ff_refused_command refused;
    unsigned status;                         // conditions whose begin was sent to the sink
    double met[FF_STEERING_BITS];            // when each was met last  [s]
    uint64_t reported[FF_STEERING_REPORTED]; // hashes of messages that were reported during the run
    int nreported;
} ff_steering;

void ff_steering_init(ff_steering *s, const ff_steering_spec *spec);
/// Uses a controller of the program, borrowed, in place of that of the spec; before ff_steering_begin.
void ff_steering_bring(ff_steering *s, const ff_robot_controller *controller);
/// Does the spec expect a controller from a program that has not given one?
bool ff_steering_is_lacking(const ff_steering *s);
/// Permissions that the controller lacks, so that it was not created; 0: none. After ff_steering_begin.
unsigned ff_steering_missing_permissions(const ff_steering *s);

/// Creates the controller and binds it, unless it lacks permissions: then its code is not run.
/// @return FF_OK, or the reason in `err`: then ff_steering_end need not be called
ff_status ff_steering_begin(ff_steering *s, const ff_steering_site *site, ff_error *err);
/// Adds its memory, under `name`, to what a simulation saves, and its signals to what it records.
/// @param name  lives as long as the simulation
ff_status ff_steering_join(ff_steering *s, ff_sim *sim, const char *name, ff_error *err);
/// One cycle of the bus, with the I/O frames of all robots. References of this robot are all invalid before the call.
void ff_steering_cycle(ff_steering *s, double t, const ff_io_frame *sensors, ff_io_frame *references);
/// One cycle of the controller with the I/O frames of the robot alone, without a bus.
void ff_steering_answer(ff_steering *s, double t, const ff_io_frame *sensors, ff_io_frame *references);
/// Layout of the I/O frames from its planner to its stabiliser (ff_controller_halves). @return FF_OK; FF_BAD_ARGUMENT
/// where its kind has no halves; FF_LIMIT where a name of the robot is too long for an item
ff_status ff_steering_plan_layout(const ff_steering *s, ff_io_layout *out, ff_error *err);
/// One half of ff_steering_answer: the planner alone, which also takes the commands, or the stabiliser alone.
void ff_steering_plan(ff_steering *s, double t, const ff_io_frame *sensors, ff_io_frame *plan);
void ff_steering_stabilise(ff_steering *s, double t, const ff_io_frame *sensors, const ff_io_frame *plan,
                           ff_io_frame *references);
/// Has the controller failed, or been lost? @return FF_OK, or FF_CONTROL with the cause in `err`
ff_status ff_steering_check(const ff_steering *s, ff_error *err);
void ff_steering_end(ff_steering *s);
ff_controller_site ff_steering_controller_site(const ff_steering *s);
/// For a controller elsewhere; only a relay may write `values`.
ff_relay_site ff_steering_relay_site(ff_steering *s);
/// Conditions that the controller met in its last cycle, a bit each.
uint32_t ff_steering_conditions(const ff_steering *s);
/// @return the address of the controller's signal of that name, with the prefix of its robot; NULL: it has none
const double *ff_steering_find_signal(const ff_steering *s, const char *name, size_t length);
/// The present command to the body; zero where the controller takes no commands.
ff_body_command ff_steering_body_command(const ff_steering *s);

// frames.c
/// Makes layouts, and I/O frames of the robot alone where there are other robots. @return false without memory
bool ff_steering_make_frames(ff_steering *s);
/// Makes the limits of its position references; after the frames. @return false without memory
bool ff_steering_make_limits(ff_steering *s);
/// Sanitises references of user code: those that are not finite are dropped, positions beyond limits are clamped. The
/// bus drops them, too, but counts none.
void ff_steering_sanitise(ff_steering *s, double t, ff_io_frame *references);
/// Counts positions without a force for drives that follow no position. With a force, a position says where the joint
/// should be (gives_positions of a kind).
void ff_steering_count_ignored(ff_steering *s, double t, const ff_io_frame *references);

// report.c
/// Sends conditions that begin, or end for more than a tenth of a second, to the sink.
void ff_steering_watch_status(ff_steering *s, double t);
/// Reports warnings of the controller, refused commands, dropped and clamped references.
void ff_steering_report(const ff_steering *s, ff_report *report);
/// Reports messages of the controller that it has not reported before.
void ff_steering_report_new(ff_steering *s, ff_report *report);

// live.c
/// Gives the controller a command between two cycles: "{speed: 0.1, gait: wave}". Memory does not grow. `s` may be
/// NULL: nothing steers the robot.
/// @return FF_OK, or the reason in `report`: then the command before stays valid
ff_status ff_steering_command(ff_steering *s, double t, const char *text, size_t length, ff_report *report);
/// Replaces the text of the controller's script. `s` may be NULL.
ff_status ff_steering_set_script(ff_steering *s, const char *text, size_t length, ff_report *report);

#endif
