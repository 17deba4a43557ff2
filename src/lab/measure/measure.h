// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures compute the metrics of a run. A measure is one file with an `ff_measure_kind` and one line of
// FF_MEASURE_LIST, from which names, help, hints, summary and expectations follow. tests/lab/measure/test_measures.c
// adds one.
//
//     measures.c  all measures of a run             touch.c    contacts and bodies
//     run.c       energy, momentum, centre of mass  ledger.c   energy ledger
//     joints.c    positions of joints               walk*.c    robots with legs (walk.h)
//     drives.c, sensors.c, signals.c                on request, by name
//
// A measure reads only its site: the simulation, its model, and functions that query the code that moves the robots.
#ifndef FOOTFALL_MEASURE_MEASURE_H
#define FOOTFALL_MEASURE_MEASURE_H

#include <footfall/measure.h>
#include <footfall/plant.h>
#include <footfall/record.h>
#include <footfall/world.h>

// ------------------------------------------------------------------------------------------ the site of measures

typedef struct ff_measure_robot {
    const char *name;   // unique
    const char *prefix; // in front of its names in the model; "" for a single robot
    int vadr, nv;       // its part of v
} ff_measure_robot;

/// A window of time that is measured.
typedef struct ff_measure_window {
    const char *name;
    double from, to; // to may be infinite  [s]
} ff_measure_window;

/// Part of the time from `t - span` to `t` that lies in the window.
static inline double ff_window_overlap(const ff_measure_window *w, double t, double span)
{
    const double from = t - span > w->from ? t - span : w->from, to = t < w->to ? t : w->to;
    return to > from ? to - from : 0.0;
}

static inline bool ff_window_holds(const ff_measure_window *w, double t)
{
    return t >= w->from && t <= w->to;
}

/// What a robot is commanded to do with its body as a whole.
typedef struct ff_measure_command {
    bool moves;    // a speed is commanded, zero included
    double ahead;  // along the heading of the body  [m/s]
    double left;   // to its left                    [m/s]
    double turn;   // to the left  [rad/s]
    double height; // above the ground, 0: none is commanded  [m]
} ff_measure_command;

typedef enum ff_measure_event {
    FF_MEASURE_TOUCH_DOWN, // number: leg of the model
    FF_MEASURE_LIFT_OFF,
    FF_MEASURE_FALL, // number: robot of the site
    FF_MEASURE_RISE
} ff_measure_event;

typedef struct ff_measure_site {
    const ff_model *model;
    const ff_plant *plant; // NULL: neither drives nor sensors
    bool sensed;           // sensors measure
    const ff_measure_robot *robots;
    int nrobot;
    const char *const *fields; // names of ground by heights, which is no shape of the model
    int nfield;
    const ff_measure_window *windows; // of walking; the first bounds the signals of controllers, too
    int nwindow;
    double debounce; // shorter touches and gaps of a foot do not count  [s]
    double rebound;  // a foot that is in the air for less has made no footstep  [s]
    double tilt;     // a robot that tilts farther has fallen  [rad]
    double time;     // planned end of the run  [s]
    double calm;     // end of the last scripted force: until then forces change energy and momentum  [s]
    // Functions that query the code that moves the robots. Each may be NULL.
    void *context;
    ff_measure_command (*command)(void *context, int robot);
    /// Position of a joint that the joint law demands. @return false if the law does not move the joint
    bool (*target)(void *context, int joint, double t, double *position);
    /// Does a controller give position references to the drive of that degree of freedom, which has no own loop?
    bool (*is_led)(void *context, int dof);
    /// Signal of that name, in memory of its controller; NULL: none has it
    const double *(*signal)(void *context, const char *name, size_t length);
    /// Is called for each event.
    void (*note)(void *context, ff_measure_event event, int number, double t);
    // Valid from ff_measures_begin on.
    ff_sim *sim;
    ff_world *world;              // NULL: nothing can touch
    ff_arena *arena;              // memory of the run
    const char *const *requested; // names of requested metrics
    int nrequested;
} ff_measure_site;

// ------------------------------------------------------------------------------------------ a measure

/// A row of the help: a metric, or a pattern such as joints.NAME.max.
typedef struct ff_metric_help {
    const char *name, *unit, *meaning; // unit: "" for pure numbers
} ff_metric_help;
/// A measure has its metrics in one list of X(NUMBER, name, unit, meaning), from which its numbers and its help follow.
#define FF_METRIC_NUMBER(number, name, unit, meaning) number,
#define FF_METRIC_ROW(number, name, unit, meaning)    {name, unit, meaning},

/// A list of names that grows.
typedef struct ff_measure_names {
    ff_arena *arena;
    const char **names;
    int count, capacity;
} ff_measure_names;
/// Appends a name, which is borrowed; NULL: none.
void ff_measure_put_name(ff_measure_names *list, const char *name);
/// Appends a name that is formatted into the arena of the list.
void ff_measure_add_name(ff_measure_names *list, const char *format, ...) FF_PRINTF(2, 3);

/// A kind of measure. All members but name, help and begin may be NULL.
typedef struct ff_measure_kind {
    const char *name;
    const ff_metric_help *help; // ends with a row without a name
    int listed;                 // the first rows of the help are metrics that every run has, in the order of `list`
    /// Adds names of the metrics that every run has, if they depend on the site, in the order of `list`.
    void (*names)(const ff_measure_site *site, ff_measure_names *out);
    /// Adds names of metrics that can be requested, for hints and patterns; need not be all. NULL: the rows of the help
    /// after the first `listed`, if `listed` is not 0.
    void (*offers)(const ff_measure_site *site, ff_measure_names *out);
    /// Is this a metric that can be requested, other than those that every run has?
    bool (*knows)(const ff_measure_site *site, const char *name);
    /// Reports a requested metric that cannot be measured; after controllers have begun.
    void (*check)(const ff_measure_site *site, const char *name, ff_place place, ff_report *report);
    /// Adds listeners and tasks to the simulation, with memory of the site's arena. The context stays NULL if there is
    /// nothing to measure.
    ff_status (*begin)(const ff_measure_site *site, void **context, ff_error *err);
    /// Takes the last sample; poses and velocities are current.
    ff_sim_action (*end)(void *context, ff_sim *sim, double t);
    /// Fills the values of `names`.
    void (*list)(const void *context, double *values);
    /// Value of a requested metric. @return false if it is none of this kind
    bool (*value)(const void *context, const char *name, double *value);
    /// Copies what `end` changes, and what depends on it, to the block (NULL: only counts). @return its size  [byte]
    size_t (*save)(const void *context, void *block);
    void (*restore)(void *context, const void *block);
    /// Reports what has happened since the last call.
    void (*report)(void *context, ff_report *report);
} ff_measure_kind;

/// The measures, in the order in which help and summary list them; ff_measure_NAME of each is defined in its own file.
#define FF_MEASURE_LIST(X)                                                                                             \
    X(run)                                                                                                             \
    X(ledger)                                                                                                          \
    X(touch)                                                                                                           \
    X(walk)                                                                                                            \
    X(joints)                                                                                                          \
    X(drives)                                                                                                          \
    X(sensors)                                                                                                         \
    X(signals)

#define FF_MEASURE_DECLARE(name) extern const ff_measure_kind ff_measure_##name;
FF_MEASURE_LIST(FF_MEASURE_DECLARE)

/// Is a metric requested for which `knows` is true?
bool ff_measure_is_requested(const ff_measure_site *site, bool (*knows)(const ff_measure_site *site, const char *name));
/// Adds a function that is called at the start and after every step of the simulation.
ff_status ff_measure_every_step(const ff_measure_site *site, void *context,
                                ff_sim_action (*sample)(void *context, ff_sim *sim, double t), ff_error *err);
/// Adds a task that is called 100 times a second. Steps end there. `name` is that of the task in a profile.
ff_status ff_measure_sampled(const ff_measure_site *site, const char *name, void *context,
                             ff_sim_action (*sample)(void *context, ff_sim *sim, double t), ff_error *err);

// ------------------------------------------------------------------------------------------ all of them

typedef struct ff_measures ff_measures;

/// Row i of the help of all kinds; NULL past the end.
const ff_metric_help *ff_measures_help(int i);
/// Unit of a metric as in its help; NULL where no row fits the name.
const char *ff_measures_unit(const char *name);
/// Does a name, up to its first dot, begin metrics of some kind? Windows must not be called so.
bool ff_measures_begin_with(const char *name);

/// Creates the measures of a run.
/// @param kinds  ends with NULL; NULL: FF_MEASURE_LIST
/// @param site   copied; what it points to is borrowed
/// @return NULL without memory
ff_measures *ff_measures_create(const ff_measure_kind *const *kinds, const ff_measure_site *site);
/// Frees it; NULL is allowed.
void ff_measures_destroy(ff_measures *m);

/// Is there a metric of that name here?
bool ff_measures_know(const ff_measures *m, const char *name);
/// A metric with a similar name; NULL: none.
const char *ff_measures_hint(ff_measures *m, const char *name);
/// Adds the names that fit a pattern, in which each '*' stands for any text, among all metrics that every run has or
/// that measures offer.
void ff_measures_find(const ff_measures *m, const char *pattern, ff_measure_names *out);
/// Requests a metric, whose name must be known. @return false without memory
bool ff_measures_ask(ff_measures *m, const char *name);
/// Requests a metric and lists it with those that every run has.
bool ff_measures_report(ff_measures *m, const char *name);
/// Reports a metric that cannot be measured; after controllers have begun.
void ff_measures_check(const ff_measures *m, const char *name, ff_place place, ff_report *report);

/// Starts measuring, once; before the simulation begins, with sim and world of the site.
ff_status ff_measures_begin(ff_measures *m, ff_error *err);
/// Takes the last sample and computes the metrics. With `goes_on` the run may continue as without this call.
void ff_measures_take(ff_measures *m, bool goes_on);
/// The metrics computed by ff_measures_take.
const ff_metric *ff_measures_list(const ff_measures *m, int *count);
/// A metric by its name: of that list, or a requested one. @return false if there is none
bool ff_measures_value(const ff_measures *m, const char *name, double *value);
/// Fills `got` and `met` of the expectations; without `sound`, the run has failed and none is met. @return whether all
/// are met that count and may not be missed
bool ff_measures_evaluate(const ff_measures *m, ff_expectation *expectations, int count, bool sound);
/// Reports what has happened since the last call.
void ff_measures_report_events(ff_measures *m, ff_report *report);

#endif
