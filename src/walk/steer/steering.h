// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One robot and the controller that steers it, whatever its kind: frames of that robot alone, whole cycles of the bus,
// the schedule of commands, references that are dropped or clamped, and what there is to report.
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
    const char *text; // in words
} ff_timed_command;

/// What a file says of the controller of one robot.
typedef struct ff_steering_spec {
    int robot; // its number, for those who list robots
    const ff_controller_kind *kind;
    void *settings;
    ff_place place;
    double period;              // [s]
    int64_t every;              // cycles of the bus between two of its own (ff_steering_fit)
    ff_timed_command *commands; // by time
    int ncommand;
} ff_steering_spec;

// Periods of controllers. No robot has a faster one, and a typing error is not run for hours.
#define FF_STEERING_PERIOD          1e-3 // unless the file or the kind says  [s]
#define FF_STEERING_SHORTEST_PERIOD 1e-5
#define FF_STEERING_LONGEST_PERIOD  10.0

// The schema of `control` (control_schema.c); groups live in the arena.
/// What may stand in a `control` that names a kind.
/// @param beside  what may stand beside every kind; NULL: nothing
const ff_key_group *ff_control_group(const ff_controller_kind *kind, const ff_key_group *beside, ff_arena *arena);
/// The keys of one of its commands.
const ff_key_group *ff_command_group(const ff_controller_kind *kind, ff_arena *arena);
/// The group of a `control` map, joined by what stands beside every kind.
const ff_key_group *ff_control_choose(const ff_yaml *control, const ff_key_group *beside);

/// The key under `control` that names a kind; nothing is marked as used. NULL: none. `control` may be NULL.
ff_yaml *ff_steering_find_kind(const ff_yaml *control);
/// Reads `control` of a robot, which names a kind.
void ff_steering_read(const ff_steer_reader *r, ff_yaml *control, int robot, ff_steering_spec *out);
/// The same for a kind that need not be in the list; `control` has a key of its name.
void ff_steering_read_as(const ff_steer_reader *r, const ff_controller_kind *kind, ff_yaml *control, int robot,
                         ff_steering_spec *out);
/// Reports an unknown key under `control`. `hold`, the joint law of scenes, is a known one.
void ff_steering_report_unknown(const ff_steer_reader *r, const ff_yaml *control);
/// Sets how many cycles of the bus its period is. @return false where it is no whole number
bool ff_steering_fit(ff_steering_spec *spec, double bus_period);
/// "gait wave, speed 0.05": an entry of `commands` in words, without its time. In the arena; NULL without memory.
const char *ff_command_text(ff_arena *arena, const ff_yaml *entry);

// ------------------------------------------------------------------------------------------ at work

/// Gets the events of controllers. Functions may be NULL.
typedef struct ff_steering_sink {
    void *context;
    /// The controller accepted a command. `text` lives as long as the spec; a live command's ends with the call.
    void (*command)(void *context, int robot, double t, const char *text, bool live);
    /// A condition is met, or has not been met for a while; `t` is when that began.
    void (*status)(void *context, int robot, double t, const char *text, bool met);
} ff_steering_sink;

/// What a controller is attached to.
typedef struct ff_steering_site {
    const ff_plant *plant;          // drives and sensors of all robots
    const ff_io_layout *layouts[2]; // of the frames of all robots, by ff_io_kind
    const ff_model *robot;          // of the robot alone
    const char *prefix;             // of the robot's names in the plant
    int vadr, nv;                   // its degrees of freedom in the plant
    bool alone;                     // all of the frames is its own, by its own names
    double bus_period;              // [s]
    uint64_t seed;
    unsigned permissions;    // of scripts, FF_PERMIT_..
    ff_python_finder python; // finds what runs controllers in Python; NULL: nothing
    bool limited;            // as ff_run_options has it
    ff_arena *arena;         // for frames and limits; outlives the steering
    ff_steering_sink sink;
} ff_steering_site;

/// Commands of the schedule that the controller did not take.
typedef struct ff_refused_command {
    const ff_timed_command *command; // the first, NULL: none
    ff_error why;
    int more;
} ff_refused_command;

/// What must be saved of the schedule.
typedef struct ff_steering_progress {
    int64_t cycles; // of the bus
    int64_t next;   // command
} ff_steering_progress;

/// References that were not finite, and dropped, or beyond the limit of a joint, and clamped.
typedef struct ff_reference_fault {
    int64_t count;
    double time;         // of the first  [s]
    const char *name;    // of its item, or of the joint
    double asked, limit; // where it was beyond
    const char *unit;    // of these
} ff_reference_fault;

typedef struct ff_steering {
    const ff_steering_spec *spec;
    const ff_controller_kind *kind; // those of the spec, unless a program brought a controller or a plug-in
    const void *settings;
    ff_callback_settings brought;
    ff_relay
        relay; // does the cycles elsewhere; set before ff_steering_begin. Without a cycle: the controller does them
    uint32_t relayed; // conditions of the controller elsewhere
    ff_cycle_tap tap; // set between two cycles; without a function: none
    // from ff_steering_begin on
    void *controller; // NULL: not begun
    ff_controller bound;
    ff_steering_site site;
    ff_steering_progress progress;
    ff_io_layout layouts[2];    // of the robot's own frames
    int *items[2];              // numbers of their items in the frames of all robots
    ff_io_frame *frames[2];     // NULL: the frames of all robots serve, as they are
    ff_reference_limit *limits; // of its references
    ff_reference_fault dropped, clamped;
    ff_refused_command refused;
    unsigned status;                         // bits of the controller that the sink knows as met
    double met[FF_STEERING_BITS];            // when each was met last  [s]
    uint64_t reported[FF_STEERING_REPORTED]; // hashes of what has been reported while it runs
    int nreported;
} ff_steering;

void ff_steering_init(ff_steering *s, const ff_steering_spec *spec);
/// A controller in C takes the place of the one the spec names; before ff_steering_begin. What it points to is
/// borrowed.
void ff_steering_bring(ff_steering *s, const ff_robot_controller *controller);
/// Does the spec expect a controller from a program that has not given one?
bool ff_steering_is_lacking(const ff_steering *s);
/// Permissions that the controller needs and lacks, so that it was not begun; 0: none. After ff_steering_begin.
unsigned ff_steering_missing_permissions(const ff_steering *s);

/// Makes the controller and binds it, unless it lacks permissions: then nothing of it is run.
/// @return anything but FF_OK with the reason in `err`: nothing is left to be ended
ff_status ff_steering_begin(ff_steering *s, const ff_steering_site *site, ff_error *err);
/// Lets a simulation save its memory, under `name`, and record its signals.
/// @param name  lives as long as the simulation
ff_status ff_steering_join(ff_steering *s, ff_sim *sim, const char *name, ff_error *err);
/// One cycle of the bus, with the frames of all robots. Its own references are all invalid before.
void ff_steering_cycle(ff_steering *s, double t, const ff_io_frame *sensors, ff_io_frame *references);
/// One cycle with the frames of the robot alone, without a bus.
void ff_steering_answer(ff_steering *s, double t, const ff_io_frame *sensors, ff_io_frame *references);
/// Frames that go from its planner to its stabiliser (ff_controller_halves). @return FF_BAD_ARGUMENT where its kind has
/// no halves, FF_LIMIT where a name of the robot is too long for an item
ff_status ff_steering_plan_layout(const ff_steering *s, ff_io_layout *out, ff_error *err);
/// One half of ff_steering_answer: the planner alone, which also takes the commands, or the stabiliser alone.
void ff_steering_plan(ff_steering *s, double t, const ff_io_frame *sensors, ff_io_frame *plan);
void ff_steering_stabilise(ff_steering *s, double t, const ff_io_frame *sensors, const ff_io_frame *plan,
                           ff_io_frame *references);
/// Has the controller failed, or been lost? @return FF_OK, or FF_CONTROL with the cause in `err`
ff_status ff_steering_check(const ff_steering *s, ff_error *err);
void ff_steering_end(ff_steering *s);
/// What the controller is created for and bound to.
ff_controller_site ff_steering_controller_site(const ff_steering *s);
/// What a controller elsewhere must know; `values` are to be written by a relay alone.
ff_relay_site ff_steering_relay_site(ff_steering *s);
/// Conditions that the controller met in its last cycle, a bit each.
uint32_t ff_steering_conditions(const ff_steering *s);
/// @return the address of the controller's signal of that name, with the prefix of its robot; NULL: it has none
const double *ff_steering_find_signal(const ff_steering *s, const char *name, size_t length);
/// What the controller is commanded to do with the body now; zero where it takes no commands.
ff_body_command ff_steering_body_command(const ff_steering *s);

// frames.c
/// Layouts, and frames of the robot's own where those of all robots do not serve. @return false without memory
bool ff_steering_make_frames(ff_steering *s);
/// Limits of the positions it may ask for; after the frames. @return false without memory
bool ff_steering_make_limits(ff_steering *s);
/// Sanitises references of user code: those that are not finite are dropped, positions beyond limits are clamped. The
/// bus drops them, too, but counts none.
void ff_steering_sanitise(ff_steering *s, double t, ff_io_frame *references);

// report.c
/// report.c
/// Reports to the sink the conditions of the controller that begin or end. A condition that ends for less than a tenth
/// of a second goes on.
void ff_steering_watch_status(ff_steering *s, double t);
/// Warnings of the controller, dropped and clamped references.
void ff_steering_report(const ff_steering *s, ff_report *report);
/// Reports only what it has not reported before.
void ff_steering_report_new(ff_steering *s, ff_report *report);

// live.c
/// Gives the controller a command between two cycles: "{speed: 0.1, gait: wave}". Memory does not grow. `s` may be
/// NULL: nothing steers the robot.
/// @return FF_OK; anything else with the reason in `report`: the controller does what it did before
ff_status ff_steering_command(ff_steering *s, double t, const char *text, size_t length, ff_report *report);
/// Lets another text take the place of the controller's script. `s` may be NULL.
ff_status ff_steering_set_script(ff_steering *s, const char *text, size_t length, ff_report *report);

#endif
