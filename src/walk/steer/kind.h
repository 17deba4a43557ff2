// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Kinds of controllers: `control: {KIND: .., period: .., commands: [..]}`. A kind is one file kind_NAME.c that fills
// an ff_controller_kind, and a line of the list below. steering.h has what all kinds have in common: I/O frames of one
// robot, the period, the schedule of commands, limits, reports.
//
// A controller gets I/O frames of its own robot, with the names of the robot's file, and its own model of the robot.
// Sensor values may not be valid in its first cycles (a modelled bus answers after two periods). References that it
// does not set keep their values. The first values keep the robot still: positions of the joints, speed 0, and the
// force of each drive in static equilibrium if the robot has settled, else 0.
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
    ff_arena *arena; // for what is read
    ff_report *report;
    const char *file;      // paths are relative to its folder; lives as long as the arena
    ff_store *store;       // other files are read through it; NULL: from disk
    const ff_model *robot; // of the robot alone, as its file describes it
    bool live;             // a command is read while the controller runs: the arena is cleared after the command
} ff_steer_reader;

/// Reads the keys of a table from a map into `values`, except maps and lists, which the kind reads. Values of absent
/// keys do not change. The schema has checked the map.
/// @param given  whether each key was present and valid, in the order of the table; may be NULL
void ff_control_keys_read(const ff_steer_reader *r, ff_yaml *map, const ff_row *table, void *values, bool *given);

/// Range of position references of a drive that moves one joint with limits.
typedef struct ff_reference_limit {
    const char *joint; // without the prefix of its robot; NULL: no limit
    double low, high;  // in the coordinate of the drive  [rad, m]
    bool ignored;      // it is the position of a drive that follows none
} ff_reference_limit;

/// What a controller is created for and bound to.
typedef struct ff_controller_site {
    const ff_model *robot;            // of the robot alone; outlives the controller
    const ff_plant *plant;            // of the scene, with its drives and sensors; NULL: not known
    const char *prefix;               // of the robot's names in the plant
    const ff_io_layout *sensors;      // of the I/O frames that the controller reads
    const ff_io_layout *references;   // of the I/O frames that it fills
    const ff_reference_limit *limits; // of positions, one for each reference; NULL: none
    double period;                    // between two cycles  [s]
    uint64_t seed;                    // for random numbers of the controller: differs from robot to robot
    unsigned permissions;             // of scripts, FF_PERMIT_..
    ff_python_finder python;          // finds what runs controllers in Python; NULL: nothing
    bool limited;                     // as ff_run_options has it
} ff_controller_site;

/// A command as read from a file or a live message.
typedef struct ff_command {
    void *values; // the struct that the table of the kind describes
    bool *given;  // whether each row of the table was present and valid, in its order
    bool valid;   // no row of the table was reported as wrong
} ff_command;

/// Motion of the whole body that is commanded.
typedef struct ff_body_command {
    bool moves;    // a speed is commanded, zero included
    double ahead;  // [m/s]
    double left;   // [m/s]
    double turn;   // to the left  [rad/s]
    double height; // above the ground; 0: not commanded  [m]
} ff_body_command;

/// Controllers whose text can be changed while they run.
typedef struct ff_script_functions {
    /// Path of the file, and the text that runs.
    void (*get_text)(const void *controller, const char **path, const char **text, size_t *length);
    /// Replaces the text that runs. On success *controller is the new controller; otherwise the old one continues.
    /// @return FF_OK, or FF_BAD_FILE with file and line in `err`, the line also in `line`
    ff_status (*set_text)(void **controller, const char *text, size_t length, const ff_controller_site *site, int *line,
                          ff_error *err);
    /// @return how many were filled, at most `most`
    int (*parameters)(const void *controller, ff_script_parameter *out, int most);
    ff_status (*set_parameter)(void *controller, const char *name, double value, ff_error *err);
    /// Reports messages that are new since the last call.
    void (*report_new)(void *controller, ff_report *report);
} ff_script_functions;

/// Controllers that can be divided: a planner decides what the robot does, a stabiliser computes references of joints.
/// Both can work in separate processes with separate memories: both get the sensors, the planner gets the commands, and
/// nothing is sent from stabiliser to planner (lola-software.md section 1). Together they are bit-identical to `step`.
typedef struct ff_controller_halves {
    /// Numbers that the planner sends to the stabiliser; after `bind`, valid as long as the controller.
    const ff_io_numbers *(*planner_output)(const void *controller);
    /// One cycle of the planner. `plan` is all invalid before the call, and stays so while there is no plan.
    void (*plan)(void *controller, double t, const ff_io_frame *sensors, ff_io_frame *plan);
    /// One cycle of the stabiliser: as `step`. Where `plan` has no valid value, the last plan is followed.
    void (*stabilise)(void *controller, double t, const ff_io_frame *sensors, const ff_io_frame *plan,
                      ff_io_frame *references);
} ff_controller_halves;

typedef struct ff_controller_kind {
    const char *name;     // key under `control`
    const char *help;     // one sentence
    double period;        // of the control cycle, unless the file has a `period`; 0: 1 ms  [s]
    double longest;       // greatest period that is accepted; 0: any  [s]
    bool positions;       // references are positions: drives of the legs need a position loop
    bool gives_positions; // drives without a loop get positions, too: where the joints should be
    bool unchecked;       // code of users: its references are sanitised (frames.c)

    // Parameters.
    const ff_row *parameters; // rows of the settings; NULL: none
    bool beside;              // they stand beside the key of the kind, not in a map below it
    size_t settings_size;
    void (*set_defaults)(void *settings); // of fields that no row of `parameters` describes; NULL: zero
    /// Reads maps and lists, after the rows of the table, and checks all settings. `node` is the value of the kind's
    /// key. The caller reports keys that were not read as unknown. May be NULL.
    /// @return false when mistakes were reported or memory is short
    bool (*read)(const ff_steer_reader *r, ff_yaml *node, void *settings);

    /// Permissions without which a controller is not created, FF_PERMIT_.., and the file of its script; NULL: none.
    unsigned (*permissions)(const void *settings, const char **script);

    // The controller itself.
    /// Makes a controller, for each run. After a failure the caller reports it, and destroys what *out holds.
    ff_status (*create)(const void *settings, const ff_controller_site *site, void **out, ff_error *err);
    /// Binds it to the I/O frames and the robot, before its first step. `bound` gets its memory, which is saved, and
    /// its signals, which are recorded. After a failure the caller destroys the controller.
    ff_status (*bind)(void *controller, const ff_controller_site *site, ff_controller *bound, ff_error *err);
    /// One control cycle: reads sensors and fills references, which are all invalid before the call. Must not allocate
    /// or block. NULL: `bound.cycle` of `bind`.
    void (*step)(void *controller, double t, const ff_io_frame *sensors, ff_io_frame *references);
    void (*destroy)(void *controller);

    // Commands. All NULL: it takes none.
    const ff_row *commands; // rows of the values of a command; NULL: any keys, and the values are an ff_script_value
    size_t command_size;    // of the values [byte], which are zero before they are read
    bool begins_commanded;  // keys of a command may stand among the parameters: the first command
    /// Reads maps and lists, after the rows of the table, and reports mistakes. May be NULL.
    void (*read_command)(const ff_steer_reader *r, ff_yaml *entry, void *settings, const ff_command *command);
    /// Gives a command, before the first cycle at or after its time.
    /// @return FF_OK, or the reason in `err`: then the command before stays valid
    ff_status (*command)(void *controller, double t, const ff_command *command, ff_error *err);
    /// Lists the keys that can be commanded now; may be NULL. @return how many were filled, at most `most`
    int (*command_keys)(const void *controller, ff_command_key *out, int most);
    /// The present command to the body; NULL: to keep heading and height.
    ff_body_command (*body_command)(const void *controller);

    // May be NULL.
    /// Sets the state in which the controller starts: q and v in the order of its model. Called once, before the run.
    void (*start)(const void *controller, double *q, double *v);
    /// A few words on each condition, a bit each, 16 at most.
    const char *(*status_text)(int bit);
    /// Has it failed, so that its robot is held? @return FF_OK, or FF_CONTROL with place, time and cause in `err`
    ff_status (*check)(const void *controller, ff_error *err);
    /// Reports failure and warnings, such as invalid references, during a run or after it.
    void (*report)(const void *controller, ff_place place, ff_report *report);
    const ff_script_functions *script;
    const ff_controller_halves *halves; // NULL: it cannot be divided
} ff_controller_kind;

/// All kinds that files can name, in the order in which help lists them. Each is in its file kind_NAME.c. `hold`, the
/// joint law of scenes, and the other keys under `control` (read.c) are not free.
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

/// Defines `bind` and `destroy` of a kind whose controllers are objects of the library, by the functions
/// NAME_controller, NAME_bind and NAME_destroy of these.
#define FF_KIND_BIND(name)                                                                                             \
    static ff_status bind(void *controller, const ff_controller_site *site, ff_controller *bound, ff_error *err)       \
    {                                                                                                                  \
        *bound = name##_controller(controller);                                                                        \
        return name##_bind(controller, site->sensors, site->references, err);                                          \
    }                                                                                                                  \
    static void destroy(void *controller)                                                                              \
    {                                                                                                                  \
        name##_destroy(controller);                                                                                    \
    }

/// Defines `check`, `command` and `command_keys` of a kind whose controllers follow their own plan, by the functions
/// NAME_check, NAME_set_walking and NAME_is_walking; its commands are those of ff_plan_command.
#define FF_KIND_PLAN(name)                                                                                             \
    static ff_status check(const void *controller, ff_error *err)                                                      \
    {                                                                                                                  \
        return name##_check(controller, err);                                                                          \
    }                                                                                                                  \
    static ff_status give_command(void *controller, double t, const ff_command *command, ff_error *err)                \
    {                                                                                                                  \
        (void)t, (void)err;                                                                                            \
        if (command->given[0]) name##_set_walking(controller, *(const bool *)command->values);                         \
        return FF_OK;                                                                                                  \
    }                                                                                                                  \
    static int list_keys(const void *controller, ff_command_key *out, int most)                                        \
    {                                                                                                                  \
        const bool walks = name##_is_walking(controller);                                                              \
        return FF_COMMAND_KEYS(ff_plan_command, &walks, (const ff_command_range[]){{0}}, out, most);                   \
    }

// commands.c
/// A key that can be commanded now: the number of its row, and the range of its slider (of a switch unused).
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
/// Lists the first `most` of these keys, with names, units and words of the rows. @return how many
/// @param values  the struct that the rows describe
int ff_command_keys(const ff_row *rows, const void *values, const ff_command_range *ranges, int count,
                    ff_command_key *out, int most);
/// ff_command_keys for an array of ranges, whose length it counts.
#define FF_COMMAND_KEYS(rows, values, ranges, out, most)                                                               \
    ff_command_keys(rows, values, ranges, (int)(sizeof(ranges) / sizeof *(ranges)), out, most)

/// The one command of a controller that follows its own plan, a bool: `walk: false` stops it, `walk: true` continues.
extern const ff_row ff_plan_command[];

// script.c
// For controllers written as scripts, in any language.

/// The file of a script and what the scene gives to it.
typedef struct ff_script_source {
    const char *path, *text;
    size_t length;                     // of the text [byte]
    const ff_script_value *parameters; // a map; NULL: none
    int ncommand;                      // entries of `commands`
} ff_script_source;

/// Reads the file that `node` names, and the `parameters` beside it, at most 1 MiB of text.
/// @return false where there is no file or no memory; mistakes are reported
bool ff_script_read(const ff_steer_reader *r, ff_yaml *node, ff_script_source *out);

/// Reads a value of a scene: a number with unit or constants; true, false; other words as text. @return NULL: no memory
ff_script_value *ff_script_read_value(const ff_steer_reader *r, ff_yaml *node);

/// Has any sensor value arrived? Scripts are not called before.
bool ff_script_has_sensors(const ff_io_frame *sensors);

/// Stores valid references in `given`, clamped to the limits as the robot will get them.
/// @param limits  NULL: none
void ff_script_keep(const ff_reference_limit *limits, const ff_io_frame *references, double *given);

/// References of a robot whose script failed: positions keep the last valid reference, and speeds are zero. Forces
/// stay where a position was given too; otherwise they fade within half a second, as a constant torque would turn a
/// joint for ever.
/// @param given  last valid references, NaN: never  (layout->count)
/// @param since  time since the failure  [s]
void ff_script_hold(const ff_io_layout *layout, const double *given, double since, ff_io_frame *references);

#endif
