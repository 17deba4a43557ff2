// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Kinds of controllers: `control: {KIND: .., period: .., commands: [..]}`. A kind is one file kind_NAME.c that fills
// an ff_controller_kind, and a line of the list below. steering.h has what all kinds have in common: frames of one
// robot, the period, the schedule of commands, limits, reports.
//
// A controller gets frames of its own robot, with the names of the robot's file, and its own model of the robot.
// Sensors may not be valid in its first cycles (a modelled bus answers after two periods). References that it leaves
// invalid keep their values; the first are the positions of the joints, speed 0, and the force that each drive carries
// in the equilibrium of a robot that settled, or 0, so that a robot stands still until it gets a reference.
#ifndef FOOTFALL_STEER_KIND_H
#define FOOTFALL_STEER_KIND_H

#include "control/setting.h"
#include "image/store.h"
#include "sense/io_frames.h"
#include "text/yaml.h"

#include <footfall/plant.h>
#include <footfall/steer.h>

/// What readers of settings and commands need.
typedef struct ff_steer_reader {
    ff_arena *arena; // takes what is read
    ff_report *report;
    const char *file;      // relative paths start beside it; lives as long as the arena
    ff_store *store;       // other files are read through it; NULL: from disk
    const ff_model *robot; // of the robot alone, as its file describes it
    bool live;             // a command is read while the controller runs: what is read lives no longer than the command
} ff_steer_reader;

/// Reads the keys of a table from a map into `values`, except maps and lists, which the kind reads. Absent keys leave
/// their values as they are. The schema has checked the map.
/// @param given  which were present and valid, in the order of the table; may be NULL
void ff_control_keys_read(const ff_steer_reader *r, ff_yaml *map, const ff_row *table, void *values, bool *given);

/// Range of positions a drive may get that moves one joint with limits.
typedef struct ff_reference_limit {
    const char *joint; // as its robot calls it; NULL: no limit
    double low, high;  // in the coordinate of the drive  [rad, m]
} ff_reference_limit;

/// What a controller is created for and bound to.
typedef struct ff_controller_site {
    const ff_model *robot;            // of the robot alone; outlives the controller
    const ff_plant *plant;            // of the scene, with its drives and sensors; NULL: not known
    const char *prefix;               // of the robot's names there
    const ff_io_layout *sensors;      // of the frames it gets
    const ff_io_layout *references;   // of the frames it fills
    const ff_reference_limit *limits; // of positions, one for each reference; NULL: none
    double period;                    // between two cycles  [s]
    uint64_t seed;                    // for its random numbers: differs from robot to robot
    unsigned permissions;             // of scripts, FF_PERMIT_..
    ff_python_finder python;          // finds what runs controllers in Python; NULL: nothing
    bool limited;                     // as ff_run_options has it
} ff_controller_site;

/// A command that was read.
typedef struct ff_command {
    void *values;
    bool *given; // which rows of the table were there and valid, in its order
    bool valid;  // no row of the table was reported
} ff_command;

/// What a controller is commanded to do with the body as a whole.
typedef struct ff_body_command {
    bool moves;    // a speed is commanded, zero included
    double ahead;  // [m/s]
    double left;   // [m/s]
    double turn;   // to the left  [rad/s]
    double height; // above the ground, 0: not commanded  [m]
} ff_body_command;

/// Controllers whose text can be changed while they run.
typedef struct ff_script_functions {
    /// Where the text comes from, and the text as it runs.
    void (*get_text)(const void *controller, const char **path, const char **text, size_t *length);
    /// Replaces the text that runs. On success *controller is the new controller; otherwise the old one goes on.
    /// @return FF_BAD_FILE with file and line in `err`, the line also in `line`
    ff_status (*set_text)(void **controller, const char *text, size_t length, const ff_controller_site *site, int *line,
                          ff_error *err);
    /// @return how many were filled, at most `most`
    int (*parameters)(const void *controller, ff_script_parameter *out, int most);
    ff_status (*set_parameter)(void *controller, const char *name, double value, ff_error *err);
    /// What is new since the last call.
    void (*report_new)(void *controller, ff_report *report);
} ff_script_functions;

/// Controllers that can be divided: a planner decides what the robot does, a stabiliser makes the joints do it. Both
/// can work in separate processes with separate memories: both get the sensors, the planner gets the commands, and
/// nothing goes from stabiliser to planner (lola-software.md section 1). Together they are bit-identical to `step`.
typedef struct ff_controller_halves {
    /// What goes from planner to stabiliser; after `bind`, and for as long as the controller.
    const ff_io_numbers *(*planner_output)(const void *controller);
    /// One cycle of the planner. `plan` is all invalid before the call; it stays so where there is no plan yet.
    void (*plan)(void *controller, double t, const ff_io_frame *sensors, ff_io_frame *plan);
    /// One cycle of the stabiliser: as `step`, with the newest plan there is. One that has no value leaves it with the
    /// last that had.
    void (*stabilise)(void *controller, double t, const ff_io_frame *sensors, const ff_io_frame *plan,
                      ff_io_frame *references);
} ff_controller_halves;

typedef struct ff_controller_kind {
    const char *name;     // key under `control`
    const char *help;     // one sentence
    double period;        // of its cycles, unless `period` says; 0: 1 ms  [s]
    double longest;       // period that is accepted; 0: any  [s]
    bool positions;       // it gives drives positions: those of the legs must follow them
    bool gives_positions; // it gives drives without a loop positions beside forces: where the joints should be
    bool unchecked;       // code of users: its references are sanitised (frames.c)

    // Parameters.
    const ff_row *parameters; // about its settings; NULL: none
    bool beside;              // they stand beside the key of the kind, not in a map below it
    size_t settings_size;
    void (*set_defaults)(void *settings); // those that no row of `parameters` has; NULL: zero
    /// Reads what the table cannot, after it, and checks the whole. `node` is the value of the kind's key; keys that
    /// no reader takes are reported as unknown by the caller. May be NULL. @return false when mistakes were reported or
    /// memory is short
    bool (*read)(const ff_steer_reader *r, ff_yaml *node, void *settings);

    /// Permissions that a controller with these settings needs, FF_PERMIT_.., and the file of its script; NULL: none.
    /// The controller is created only with all of them.
    unsigned (*permissions)(const void *settings, const char **script);

    // The controller itself.
    /// Makes a controller, for each run. What does not fit is reported with the place of its settings. A controller
    /// that *out holds after a failure is destroyed by the caller.
    ff_status (*create)(const void *settings, const ff_controller_site *site, void **out, ff_error *err);
    /// Binds it to the frames and the robot, before its first step, and says what of it is saved and recorded. A
    /// controller that cannot be bound is destroyed by the caller.
    ff_status (*bind)(void *controller, const ff_controller_site *site, ff_controller *bound, ff_error *err);
    /// One cycle: sensors that have arrived, references to fill, all invalid before the call. Must not allocate or
    /// block. NULL: the cycle of the controller that `bind` gave.
    void (*step)(void *controller, double t, const ff_io_frame *sensors, ff_io_frame *references);
    void (*destroy)(void *controller);

    // Commands. All NULL: it takes none.
    const ff_row *commands; // keys of a command, about its values; NULL: any, and the values are an ff_script_value
    size_t command_size;    // of the values, zero before they are read
    bool begins_commanded;  // they may stand among the parameters, too: the first command
    /// Reads what the table cannot, after it, and reports what does not fit. May be NULL.
    void (*read_command)(const ff_steer_reader *r, ff_yaml *entry, void *settings, const ff_command *command);
    /// A command, before the first cycle at or after its time.
    /// @return anything but FF_OK with the reason in `err`: the controller does what it did before
    ff_status (*command)(void *controller, double t, const ff_command *command, ff_error *err);
    /// What can be commanded now; may be NULL. @return how many were filled, at most `most`
    int (*command_keys)(const void *controller, ff_command_key *out, int most);
    /// What it is commanded to do now; NULL: to keep heading and height.
    ff_body_command (*body_command)(const void *controller);

    // May be NULL.
    /// Puts the robot where the controller wants to begin: q and v in the order of its model. Called once, before the
    /// run.
    void (*start)(const void *controller, double *q, double *v);
    /// A few words on each condition, 16 at most.
    const char *(*status_text)(int bit);
    /// Has it failed, so that its robot is held? @return FF_OK, or FF_CONTROL with place, time and cause in `err`
    ff_status (*check)(const void *controller, ff_error *err);
    /// After a run, or in the middle of it: its failure, and warnings, such as references that made no sense.
    void (*report)(const void *controller, ff_place place, ff_report *report);
    const ff_script_functions *script;
    const ff_controller_halves *halves; // NULL: it cannot be divided
} ff_controller_kind;

/// All kinds that files can name, in the order in which help lists them. Each is in its file kind_NAME.c.
#define FF_CONTROLLER_LIST(X)                                                                                          \
    X(arm)                                                                                                             \
    X(biped)                                                                                                           \
    X(callback)                                                                                                        \
    X(climb)                                                                                                           \
    X(free_legs)                                                                                                       \
    X(gait)                                                                                                            \
    X(hill)                                                                                                            \
    X(jog)                                                                                                             \
    X(planar_walk)                                                                                                     \
    X(static_walk)                                                                                                     \
    X(lua)                                                                                                             \
    X(python)

#define FF_CONTROLLER_DECLARE(name) extern const ff_controller_kind ff_controller_##name;
FF_CONTROLLER_LIST(FF_CONTROLLER_DECLARE)
extern const ff_controller_kind ff_controller_plugin; // not among those that files can name

/// The list as an array, NULL behind the last (read.c).
extern const ff_controller_kind *const ff_controller_kinds[];
/// @return NULL: none of that name
const ff_controller_kind *ff_controller_kind_find(const char *name);

/// Settings of `callback`.
typedef struct ff_callback_settings {
    const char *name;               // in messages
    ff_robot_controller controller; // without a cycle until a program gives one
} ff_callback_settings;

// ------------------------------------------------------------------------------------------ what kinds share

// commands.c
/// A key that can be commanded now: the number of its row, and the range of its slider, which a switch does not need.
typedef struct ff_command_range {
    int row;
    double low, high;
} ff_command_range;

static inline bool ff_kind_takes_commands(const ff_controller_kind *kind)
{
    return kind->command || kind->read_command;
}
/// Reads one entry of `commands` but its `at`. @return a command in r->arena; NULL when mistakes were reported
const ff_command *ff_command_read(const ff_steer_reader *r, const ff_controller_kind *kind, ff_yaml *entry,
                                  void *settings);
/// Lists the first `most` of these keys: names, units and words are those of the rows, values are in the struct that
/// the rows are about. @return how many
int ff_command_keys(const ff_row *rows, const void *values, const ff_command_range *ranges, int count,
                    ff_command_key *out, int most);
/// ff_command_keys for an array of ranges, whose length it counts.
#define FF_COMMAND_KEYS(rows, values, ranges, out, most)                                                               \
    ff_command_keys(rows, values, ranges, (int)(sizeof(ranges) / sizeof *(ranges)), out, most)

/// The one command of a controller that follows its own plan, about a bool: `walk: false` stops it, `walk: true` lets
/// it go on.
extern const ff_row ff_plan_command[];

// script.c
// Controllers written as scripts, whatever their language.
/// A value of a scene: numbers with units and constants as everywhere in scenes; true, false; other words as text.
/// @return NULL without memory
ff_script_value *ff_script_read_value(const ff_steer_reader *r, ff_yaml *node);

/// Has any sensor value arrived? Scripts are not called before.
bool ff_script_has_sensors(const ff_io_frame *sensors);

/// Keeps references as they will be followed in `given`, when frames.c has dropped invalid ones and clamped positions.
/// @param limits  NULL: none
void ff_script_keep(const ff_reference_limit *limits, const ff_io_frame *references, double *given);

/// References of a robot whose script failed: positions keep the last valid reference, and speeds are zero. Forces
/// stay where a position was given too; otherwise they fade within half a second, as a constant torque would turn a
/// joint for ever.
/// @param given  references given last, NaN: never  (layout->count)
/// @param since  time since the failure  [s]
void ff_script_hold(const ff_io_layout *layout, const double *given, double since, ff_io_frame *references);

#endif
