// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Integration methods as the engine sees them: a row of functions each. A new method is a file, a row of FF_METHODS and
// an enumerator in footfall/sim.h.
#ifndef FOOTFALL_ENGINE_METHOD_H
#define FOOTFALL_ENGINE_METHOD_H

#include <footfall/sim.h>

/// The step under way.
typedef struct ff_step {
    // set by the engine
    ff_ticks end; // tick that the step must not pass
    double start; // absolute time of its start                       [s]
    double from;  // the same, counted from the tick ff_sim.ticks     [s]
    double left;  // time from there to `end`                         [s]
    // set by the method
    double h;       // length                                         [s]
    ff_ticks ticks; // time of the new state: whole ticks,
    double offset;  // and seconds beyond them                        [s]
    int located;    // event at whose crossing the step ends, -1: none
    // set by the engine after the step
    bool closed; // the new state was off the loops of the model, and was put back onto them
} ff_step;

struct ff_archive;

/// Lists of what a step that may be stopped keeps of the state before it.
typedef enum ff_undo_list {
    FF_UNDO_TRIES,   // what each step changes
    FF_UNDO_FACTORS, // factors of a matrix: kept before it is computed again
    FF_UNDO_WHOLE,   // everything: kept before parts accept a piece of the step
    FF_UNDO_COUNT
} ff_undo_list;

/// A method: all that the engine knows of it.
typedef struct ff_method_ops {
    bool built; // this build has the library that it needs
    ff_method_traits traits;
    bool own_history; // keeps past states, which are neither saved nor put onto the loops of the model
    /// Allocates its memory, when the size of the state is known; NULL: none.
    ff_status (*create)(ff_sim *sim, ff_error *err);
    void (*destroy)(ff_sim *sim);
    /// Moves sim->x over one step. @return FF_STOPPED where ff_stop has ended the step and it is undone
    ff_status (*step)(ff_sim *sim, ff_step *step, ff_error *err);
    /// After the new state has been checked and put onto its loops: marks events that crossed, drops memory that no
    /// longer fits the state; NULL: nothing.
    void (*finish)(ff_sim *sim, const ff_step *step);
    /// Drops what is remembered of the past, since forces jumped, or (`state`) the state itself; NULL: nothing is.
    void (*forget)(ff_sim *sim, bool state);
    /// After the handler of an event that ended the step: @return FF_SOLVER when time does not advance; may be NULL
    ff_status (*check_progress)(ff_sim *sim, const ff_step *step, ff_error *err);
    /// Saves or restores a list of its memory: all that later steps depend on, or what a stopped step has changed.
    /// NULL: there is none, and ff_stop does not end a step.
    void (*transfer)(ff_sim *sim, struct ff_archive *archive, ff_undo_list list);
    /// Adds the slopes of an actuator's force by the motion of a degree of freedom, or of a tendon where `tendon` is
    /// not below zero; NULL: the method uses no slopes.
    void (*add_slope)(ff_sim *sim, int dof, int tendon, double stiffness, double damping);
} ff_method_ops;

// clang-format off
//         enumerator             functions              name           description
#define FF_METHODS(METHOD)                                                                                             \
    METHOD(FF_METHOD_EULER,       ff_method_euler,       "euler",       "semi-implicit Euler, order 1, fixed step")    \
    METHOD(FF_METHOD_RK2,         ff_method_rk2,         "rk2",         "explicit midpoint, order 2, fixed step")      \
    METHOD(FF_METHOD_RK4,         ff_method_rk4,         "rk4",         "classic Runge-Kutta, order 4, fixed step")    \
    METHOD(FF_METHOD_ADAPTIVE,    ff_method_adaptive,    "adaptive",                                                   \
           "Dormand-Prince 5(4), error control, located events")                                                       \
    METHOD(FF_METHOD_IMPLICIT,    ff_method_implicit,    "implicit",                                                   \
           "two stages of backward Euler, order 2, for stiff contacts; error control or fixed step")                   \
    METHOD(FF_METHOD_CVODE,       ff_method_cvode,       "cvode",                                                      \
           "BDF with Newton's method, of SUNDIALS, for stiff systems")                                                 \
    METHOD(FF_METHOD_CVODE_ADAMS, ff_method_cvode_adams, "cvode-adams",                                                \
           "Adams-Moulton with fixed-point iteration, of SUNDIALS, for smooth systems")
// clang-format on

#define FF_METHOD_DECLARE(number, ops, name, help) extern const ff_method_ops ops;
FF_METHODS(FF_METHOD_DECLARE)

/// Methods by their ff_method.
extern const ff_method_ops *const ff_methods[FF_METHOD_COUNT];
/// Names of the methods; NULL-ended.
extern const char *const ff_method_names[FF_METHOD_COUNT + 1];

#endif
