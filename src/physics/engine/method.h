// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Integration methods as the engine sees them: one row of functions each, in one list. A new method is a file, a row of
// FF_METHODS and an enumerator in footfall/sim.h.
#ifndef FOOTFALL_ENGINE_METHOD_H
#define FOOTFALL_ENGINE_METHOD_H

#include <footfall/sim.h>

/// A step under way. The engine fills the first group, the method the second, the engine the third.
typedef struct ff_step {
    ff_ticks end; // no step goes beyond this tick
    double start; // absolute time of the state it starts from                                [s]
    double from;  // the same, counted from the whole tick ff_sim.ticks                       [s]
    double left;  // from there to `end`                                                      [s]

    double h;       // its length                                                               [s]
    ff_ticks ticks; // time of the state it leads to: whole ticks, and seconds beyond them
    double offset;  // [s]
    int located;    // event at whose crossing it ends, -1: none; of methods that locate events

    bool closed; // the state it led to was off the loops of the model, and was put back onto them
} ff_step;

struct ff_archive;

/// What a step that may be stopped keeps from before it.
typedef enum ff_undo_list {
    FF_UNDO_TRIES,   // what each step changes
    FF_UNDO_FACTORS, // of a matrix: kept before it is computed again
    FF_UNDO_WHOLE,   // all: kept before parts accept a piece of the step
    FF_UNDO_COUNT
} ff_undo_list;

/// One row a method: the engine knows nothing else of it.
typedef struct ff_method_ops {
    bool built; // its library is there
    ff_method_traits traits;
    bool own_history; // keeps past states of its own, which are not saved and are not put onto the loops of the model
    /// Memory for a simulation that is sized; NULL: none.
    ff_status (*create)(ff_sim *sim, ff_error *err);
    void (*destroy)(ff_sim *sim);
    /// Moves sim->x over one step. FF_STOPPED: ff_stop has ended it, and all is as it was.
    ff_status (*step)(ff_sim *sim, ff_step *step, ff_error *err);
    /// The state it led to is sound and on its loops: marks events that crossed, drops what no longer fits it; NULL:
    /// nothing.
    void (*finish)(ff_sim *sim, const ff_step *step);
    /// Forces jumped, or (`state`) the state itself: drops what is remembered of the past; NULL: nothing is.
    void (*forget)(ff_sim *sim, bool state);
    /// A callback was served at the crossing that ended the step; complains when time stands still; NULL: cannot.
    ff_status (*watch)(ff_sim *sim, const ff_step *step, ff_error *err);
    /// Saves and restores what of its own shapes the steps to come; one list of it, for steps that ff_stop may end.
    /// NULL: there is nothing, and ff_stop does not end a step.
    void (*transfer)(ff_sim *sim, struct ff_archive *archive, ff_undo_list list);
    /// Takes up the slopes of an actuator's force by the motion of a degree of freedom, or of a tendon where `tendon`
    /// is not below zero; NULL: forces are evaluated without them.
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
           "backward Euler with a second-order correction, for stiff contacts; error control or fixed step")           \
    METHOD(FF_METHOD_CVODE,       ff_method_cvode,       "cvode",                                                      \
           "BDF with Newton's method, of SUNDIALS, for stiff systems")                                                 \
    METHOD(FF_METHOD_CVODE_ADAMS, ff_method_cvode_adams, "cvode-adams",                                                \
           "Adams-Moulton with fixed-point iteration, of SUNDIALS, for smooth systems")
// clang-format on

#define FF_METHOD_DECLARE(number, ops, name, help) extern const ff_method_ops ops;
FF_METHODS(FF_METHOD_DECLARE)

/// By ff_method.
extern const ff_method_ops *const ff_methods[FF_METHOD_COUNT];
/// NULL-ended.
extern const char *const ff_method_names[FF_METHOD_COUNT + 1];

#endif
