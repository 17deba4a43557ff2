// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Controllers of single robots: written in C or Python, in the program, a plug-in or another process; their commands,
// and parameters of scripts. A scene names controllers (scene.h), a run calls them (run.h); docs/controllers.md shows
// how to write one.
#ifndef FOOTFALL_STEER_H
#define FOOTFALL_STEER_H

#include <footfall/io_bus.h>
#include <footfall/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A controller of one robot, written in C. It uses I/O frames alone (footfall/io_bus.h), those of its robot, with the
/// names of the robot's file.
typedef struct ff_robot_controller {
    void *context;
    /// Called once before the first cycle, with the model of the robot and the layouts of the I/O frames, to find the
    /// items it needs; may be NULL.
    /// @return FF_OK, or another status with the reason in `err`: then the run does not begin
    ff_status (*bind)(void *context, const ff_model *robot, const ff_io_layout *sensors, const ff_io_layout *references,
                      ff_error *err);
    /// One cycle: sensors that have arrived, references to fill (all invalid before the call). A reference that is not
    /// finite is dropped, a position beyond the limits of its joint is clamped; both are reported after the run. Must
    /// not allocate or block.
    void (*cycle)(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references);
    void *memory; // all that changes in a cycle, saved and restored with the simulation; NULL: none
    size_t memory_size;
    const ff_io_name *signals; // recorded as control.NAME (control.PREFIXNAME where a robot has a prefix)
    const double *values;      // (nsignal), stays where it is
    int nsignal;
} ff_robot_controller;

/// Data of a robot for a controller that works elsewhere, in another process or on another machine.
typedef struct ff_relay_site {
    const ff_model *robot;                    // of the robot alone
    const ff_io_layout *sensors, *references; // of its frames
    double period;                            // between two cycles of the controller  [s]
    double bus_period;                        // between two cycles of the bus  [s]
    const ff_io_name *signals;                // of the controller that the scene names  (nsignal)
    double *values;                           // of these, recorded as control.NAME  (nsignal)
    int nsignal;
    uint32_t *conditions; // that the controller meets, a bit each; reported as events
} ff_relay_site;

/// The cycles of a controller that works elsewhere, in place of those of the controller that the scene names. The
/// latter still sets the pose at the start and takes the commands, so that measures can use them.
typedef struct ff_relay {
    void *context;
    /// Called once before the first cycle; what `site` points to lives as long as the run. NULL: no need.
    ff_status (*bind)(void *context, const ff_relay_site *site, ff_error *err);
    /// One cycle, as of ff_robot_controller; it may block. References are checked in the same way.
    void (*cycle)(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references);
    /// Has it lost the controller, so that the robot is held? @return FF_OK, or FF_CONTROL with time and cause. May be
    /// NULL
    ff_status (*check)(void *context, ff_error *err);
    bool every_bus_cycle; // it is called with every cycle of the bus, not once a period of the controller
} ff_relay;

/// Gets each cycle of a controller after its references were checked, so that a second robot can follow them.
typedef struct ff_cycle_tap {
    void *context;
    /// @param conditions  that the controller meets, a bit each
    void (*see)(void *context, double t, const ff_io_frame *sensors, const ff_io_frame *references,
                uint32_t conditions);
} ff_cycle_tap;

/// A key of a command: a number within a useful range, or one of several words.
typedef struct ff_command_key {
    const char *key;
    const char *unit;
    double low, high;
    double value;               // present value; with choices the number of one
    const char *const *choices; // NULL-ended, NULL: a number
} ff_command_key;

/// A number that a script declares, docs/controllers.md.
typedef struct ff_script_parameter {
    const char *name, *unit;
    double low, high; // not finite: no bound
    double value;     // now
} ff_script_parameter;

/// A value of a scene that a script gets: a number, a word, a list or a map.
typedef struct ff_script_value {
    enum { FF_SCRIPT_NUMBER, FF_SCRIPT_BOOLEAN, FF_SCRIPT_TEXT, FF_SCRIPT_LIST, FF_SCRIPT_MAP } type;
    const char *key; // in a map
    double number;   // also of a boolean
    const char *text;
    struct ff_script_value *child, *next;
} ff_script_value;

/// Permissions of a script beyond its sandbox. A scene may ask for them (`allow: [os]`; a controller in Python always
/// does, as nothing bounds it); only a program grants them (ff_run_options.permissions).
enum {
    FF_PERMIT_IO = 1,      // io
    FF_PERMIT_OS = 2,      // os
    FF_PERMIT_REQUIRE = 4, // require and package
    FF_PERMIT_DEBUG = 8,   // debug
    FF_PERMIT_PYTHON = 16, // controllers in Python
    FF_PERMIT_ALL = 31
};
/// Greatest processor time of a call [s] and memory [byte] of a script in Lua where ff_run_options.limited is set, for
/// any `limits` of its scene.
#define FF_LIMITED_TIME   3.0
#define FF_LIMITED_MEMORY 256e6
/// "io", "os", "require", "debug", "python", in the order of their bits; NULL behind the last.
FF_API extern const char *const ff_permission_names[];

// ------------------------------------------------------------------------------------------ plug-ins in C

#define FF_PLUGIN_VERSION 1 // of the structs below

/// What a plug-in is bound to; it outlives the controller.
typedef struct ff_plugin_site {
    const ff_model *robot;                    // of its robot alone
    const ff_io_layout *sensors, *references; // of its frames
    double period;                            // between two cycles  [s]
    uint64_t seed;                            // for random numbers of its own
} ff_plugin_site;

/// A controller in C in a shared object, which a program loads while it runs (`footfall run --plugin mine.so`). The one
/// symbol that such an object defines is
///     FF_API const ff_plugin footfall_plugin = {.version = FF_PLUGIN_VERSION, .model_size = sizeof(ff_model), ..};
/// A plug-in may have its own copy of the library: only tables and plain data are passed, no objects.
typedef struct ff_plugin {
    uint32_t version;    // FF_PLUGIN_VERSION
    uint32_t model_size; // sizeof(ff_model): that of the program must agree
    /// Bytes of memory of each of its controllers, all zero before `bind`, saved and restored with the simulation. All
    /// that changes in a cycle must be there.
    size_t memory_size;
    const ff_io_name *signals; // names of the first numbers (double) of the memory, recorded as control.NAME
    int nsignal;
    /// Called once before the first cycle, to find the items it needs; may be NULL.
    /// @return FF_OK, or another status with the reason in `err`: then the run does not begin
    ff_status (*bind)(void *memory, const ff_plugin_site *site, ff_error *err);
    /// One cycle, from the first sensor values on; references are all invalid before the call. Must not allocate or
    /// block. @return FF_OK, or another status with the reason in `err`: it is not called again, and the robot is held
    ff_status (*cycle)(void *memory, double t, const ff_io_frame *sensors, ff_io_frame *references, ff_error *err);
    void (*destroy)(void *memory); // frees what `bind` made; NULL: nothing
} ff_plugin;
/// Of a plug-in; the library does not define it.
FF_API extern const ff_plugin footfall_plugin;

// ------------------------------------------------------------------------------------------ controllers in Python

// The library does not contain Python. A table of functions of the module `footfall` (python/src/controller.c) runs
// controllers in Python; a program passes it to its runs (ff_run_options.python). The module may have its own copy of
// the library: only tables and plain data are passed, no objects.

#define FF_PYTHON_HOST 1 // version of the structs below

/// Why a controller failed.
typedef struct ff_python_fault {
    char text[300]; // "ValueError: ..", and where it was raised if that is not in the file of the controller
    int line;       // of the file of the controller, 0: unknown
} ff_python_fault;

/// What a controller is made of; borrowed during the call but for `robot`.
typedef struct ff_python_source {
    const char *path; // of its file, and what the file holds
    const char *text;
    size_t length;
    const ff_model *robot;                    // of its robot alone; outlives the controller
    const ff_io_layout *sensors, *references; // of its frames
    const ff_script_value *parameters;        // of the scene, a map; NULL: none
    double period;                            // between two cycles  [s]
    uint64_t seed;                            // for random numbers of its own
    bool commands;                            // the scene schedules some
} ff_python_source;

/// Numbers that caller and controller share, in memory of the caller that stays until the controller is destroyed.
typedef struct ff_python_numbers {
    const double *sensors;  // NaN: nothing is known
    double *references;     // NaN before each cycle: not given
    const double *given;    // last references, NaN: never
    double *memory, *kinds; // values of its `memory`, and what each is: 0 float, 1 int, 2 bool
    ff_random *random;
} ff_python_numbers;

typedef struct ff_python_host {
    unsigned version;  // FF_PYTHON_HOST
    size_t model_size; // sizeof(ff_model): that of the caller must agree
    /// Runs the file, then its function start(robot). @return NULL with the reason in `fault`
    void *(*create)(const ff_python_source *source, ff_python_fault *fault);
    /// Names of the values of its `memory`; they live as long as the controller.
    const ff_io_name *(*memory)(const void *controller, int *count);
    /// Once, before the first cycle; fills memory and random numbers. False with the reason in `fault`.
    bool (*attach)(void *controller, const ff_python_numbers *numbers, ff_python_fault *fault);
    /// One cycle. @param restored  `memory` and random numbers were changed from outside. False with the reason
    bool (*cycle)(void *controller, double t, bool restored, ff_python_fault *fault);
    /// A command, before the cycle at its time. False with the reason in `fault`.
    bool (*command)(void *controller, double t, const ff_script_value *values, bool restored, ff_python_fault *fault);
    void (*destroy)(void *controller);
} ff_python_host;

/// Finds the table, for the first controller that needs it. @return NULL with the reason and advice in `err`
typedef const ff_python_host *(*ff_python_finder)(ff_error *err);

#ifdef __cplusplus
}
#endif
#endif
