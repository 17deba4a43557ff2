// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The struct behind ff_sim, and the functions of the engine on its state and evaluation. Headers of their own have
//     ode.h       what integrators see, and their memory    ledger.h    the energy ledger
//     events.h    events and their location                 tasks.h     tasks and listeners
//     handles.h   wrong names and handles                   archive.h   saved states, undone steps
#ifndef FOOTFALL_ENGINE_SYSTEM_H
#define FOOTFALL_ENGINE_SYSTEM_H

#include "engine/events.h"
#include "engine/handles.h"
#include "engine/ledger.h"
#include "engine/method.h"
#include "engine/ode.h"
#include "engine/part.h"
#include "engine/profile.h"
#include "engine/tasks.h"

#include <string.h>

typedef struct ff_part_slot {
    ff_part part;
    ff_part_inner inner;
    int offset;                // of its states among those of all parts
    int integral;              // of its integrals among those of all parts
    int event;                 // number of its first event
    struct ff_part_work *work; // of its forces at the last evaluation; NULL: it reports its energies, or no ledger
} ff_part_slot;

/// A value of a controller that recorders can sample.
typedef struct ff_signal_slot {
    const char *name; // of the channel
    const char *unit;
    const double *value;
} ff_signal_slot;

typedef struct ff_owned_slot {
    void *object;
    void (*destroy)(void *object);
} ff_owned_slot;

typedef struct ff_memory_slot {
    const char *name;
    void *address;
    size_t size; // [byte]
} ff_memory_slot;

/// What a caller applies to a body.
typedef struct ff_applied {
    double force[3], moment[3]; // [N], [N m]
    double point[3];            // of the force, in the body's frame  [m]
    int64_t body_axes;          // 1: force and moment are given in the axes of the body; 0: of the world
} ff_applied;

/// What a state that was written from outside still needs before the next step.
enum {
    FF_DUE_COMMIT = 1, // to be normalised, and its energy to be added to the ledger
    FF_DUE_LOOPS = 2,  // to be put onto the loops of the model
    FF_DUE_PARTS = 4,  // to be accepted by the parts
    FF_DUE_EVENTS = 8, // signs of the events
    FF_DUE_ALL = 15
};

/// The state before the step under way, for steps that ff_stop may end.
typedef struct ff_undo {
    unsigned char *bytes; // NULL: no step can be undone
    bool possible;        // the step under way can be undone
    bool kept[FF_UNDO_COUNT];
    size_t at[FF_UNDO_COUNT]; // place of each list in `bytes`  [byte]
} ff_undo;

struct ff_sim {
    // Setup: what the simulation was made from, and memory of its method.
    ff_arena arena; // names, and arrays allocated by the first run
    const ff_model *model;
    ff_sim_options options;
    const ff_method_ops *method;
    ff_ode ode;
    ff_integrator integrator;
    struct ff_cvode *cvode;
    struct ff_implicit *implicit;
    ff_ticks step_ticks; // of the fixed-step methods
    ff_loops *loops;     // NULL: none
    double *no_motion;   // zeros  (rows of the loops)
    bool begun;          // the first run has allocated all arrays: nothing may be added

    // What callers have added.
    ff_part_slot *parts;
    ff_task_slot *tasks;
    int *task_order; // numbers of tasks, in the order in which those of one instant run  (ntask)
    ff_listener *listeners;
    ff_memory_slot *memories;
    ff_random **randoms;
    ff_owned_slot *owned; // objects that end with the simulation
    ff_signal_slot *signals;
    ff_events events;
    double *part_start; // states of parts before the first run  (nz)
    int npart, ntask, nlistener, nmemory, nrandom, nowned, nsignal;
    int nintegral;          // of all parts
    int nplace, nconstrain; // parts that have these functions
    int nasynchronous;      // of the tasks
    int activations;        // number of the part that has the activations, -1: none
    struct {
        int parts, tasks, task_order, listeners, memories, randoms, owned, signals, part_start;
    } capacity;
    struct ff_channel *catalogue; // of recorder channels, made on demand for that many parts and signals
    int ncatalogue, catalogue_parts, catalogue_signals;

    // The continuous state x = (q, v, z, ledger, integrals of parts), and its time.
    int nq, nv, nz, n;
    int nstate;         // q, v and z: numbers before the ledger
    int nledger;        // integrals of the energy ledger, after those
    int nquad;          // integrals of the ledger and of parts, at the end of x: nothing depends on them
    double *x;          // (n)
    double *x_last;     // state before the last step, for messages about divergence  (n)
    ff_ticks ticks;     // whole ticks of the current time
    double offset;      // seconds beyond them (adaptive and cvode between tasks)  [s]
    double time_origin; // absolute time of local time zero: of `ticks`, for cvode of its last restart  [s]
    double last_step;   // length of the last accepted step  [s]

    // Inputs, held until they are written again.
    double *held;    // torques  (nv)
    double *command; // of actuators  (nactuator)
    int *acting;     // actuators that act: all with options.actuators, else those that drives leave  (nacting)
    int nacting;
    ff_applied *applied; // wrenches  (nbody)
    int napplied;        // number of wrenches that are not zero

    // Evaluation of the state, and what is cached of it.
    ff_data *data;
    ff_sim_stage stage;     // how far `data` is evaluated at x; nothing: it holds a trial state (evaluate.c)
    double *rates;          // dx/dt at x of parts and integrals, from the stage `forces` on  (n)
    uint64_t state_number;  // of the state in data, from 1: cached results have the number they were computed at
    uint64_t factored_at;   // state_number of the inertias that forward dynamics keeps; 0: none
    uint64_t forces_number; // of the state and all else that forces depend on: every write raises it
    uint64_t energy_at;     // forces_number of `energy`; 0: none
    ff_energy energy;       // stored
    ff_ledger_state ledger;

    // Progress of the run: writes from outside, errors, counters, copies to return to.
    int due;            // FF_DUE_..: what a state written from outside still needs
    uint64_t writes;    // of the state from outside: values set, states restored
    ff_ticks task_time; // of the task being called
    bool stop;
    char reason[160];  // why it was stopped
    ff_error *mistake; // first wrong name or handle, which the next run reports; also set in constant simulations
    void *start;       // saved when the first run began, for ff_sim_reset
    size_t start_size; // [byte]
    ff_undo undo;
    ff_sim_counts counts;
    ff_stopwatch *profile; // NULL: off
};

// ------------------------------------------------------------------------------------------ small steps of many files

/// @return `count` zeros from the arena of the simulation, NULL when out of memory
static inline double *ff_sim_new_numbers(ff_sim *sim, int count)
{
    return FF_ARENA_NEW(&sim->arena, double, count > 0 ? count : 1);
}
/// Gives a part the place where the rates of its integrals go, in an evaluation that fills zdot.
static inline void ff_part_bind_rates(const ff_sim *sim, const ff_part_slot *slot, double *zdot)
{
    if (slot->inner.bind_rates)
        slot->inner.bind_rates(slot->part.context, zdot + sim->nz + sim->nledger + slot->integral);
}
/// Charges the time from now on to a row of the profile. @return the row to return to with ff_profile_leave
static inline int ff_profile_enter(const ff_sim *sim, int row)
{
    return sim->profile ? ff_profile_switch(sim->profile, row) : 0;
}
static inline void ff_profile_leave(const ff_sim *sim, int row)
{
    if (sim->profile) ff_profile_return(sim->profile, row);
}
/// Does the method end a step at each event?
static inline bool ff_sim_locates_events(const ff_sim *sim)
{
    return sim->method->traits.locates;
}
/// Does the method have stages and steps of fixed length (rk2, rk4)? Euler's, which also takes impulses, has no stages.
static inline bool ff_sim_has_stages(const ff_sim *sim)
{
    return sim->method->traits.fixed && !sim->method->traits.impulses;
}

// ------------------------------------------------------------------------------------------ evaluation (evaluate.c)

/// Everything evaluated beyond `stage` has become invalid by a write.
static inline void ff_sim_invalidate(ff_sim *sim, ff_sim_stage stage)
{
    if (sim->stage > stage) sim->stage = stage;
    sim->forces_number++;
}
/// Invalidates the forces, and drops what the method remembers of the past; `state`: also the step size, since the
/// state itself jumped.
static inline void ff_sim_forget(ff_sim *sim, bool state)
{
    ff_sim_invalidate(sim, FF_SIM_VELOCITY);
    if (sim->method->forget) sim->method->forget(sim, state);
}
/// Copies q, v and time of the state to data, unless poses or more are evaluated there.
static inline void ff_sim_copy_to_data(ff_sim *sim)
{
    ff_data *d = sim->data;
    if (!d || sim->stage > FF_SIM_NOTHING) return;
    sim->state_number++;
    d->time = ff_sim_time(sim);
    memcpy(d->q, sim->x, (size_t)sim->nq * sizeof(double));
    memcpy(d->v, sim->x + sim->nq, (size_t)sim->nv * sizeof(double));
}
/// Evaluates data up to `stage` at the state. @return false when there is no acceleration
bool ff_sim_reach(ff_sim *sim, ff_sim_stage stage);
/// The same with forces of another time: within the pieces of a step the clock stands still.
bool ff_sim_reach_at(ff_sim *sim, double time, ff_sim_stage stage);
/// Computes poses, velocities and passive forces of a trial state; `project`: its quaternions need not have length 1.
void ff_sim_place_trial(ff_sim *sim, double time, const double *q, const double *v, bool project);
/// @return the simulation as integrators see it
ff_ode ff_sim_make_ode(ff_sim *sim);
/// Held, actuator and passive forces -> d->tau, without passive ones -> ledger.driving; d->wrench = 0. Needs kinematics
/// and velocity.
void ff_sim_gather_joints(ff_sim *sim);
/// Before the forces of a part are evaluated: enters its row of the profile, and keeps the forces for the ledger.
/// @return the row to return to
int ff_part_enter(const ff_sim *sim, int part);
/// After the forces of a part are evaluated.
void ff_part_leave(const ff_sim *sim, int part, int row);
/// Prepares ff_sim_response at the poses in d. Needs the factors of M.
void ff_sim_prepare_response(ff_sim *sim);
/// x = M^-1 (x + G' lambda): what a force or an impulse x does under the loops of the model.
void ff_sim_response(ff_sim *sim, double *x);
/// @return FF_DIVERGED with the message for a derivative that could not be computed at the state x
ff_status ff_sim_derivative_failed(ff_sim *sim, ff_error *err);
/// @return true when the state x is finite and below the limits; otherwise err has time, body and likely cause
bool ff_sim_state_sound(ff_sim *sim, const double *x, ff_error *err);

// ------------------------------------------------------------------------------------------ state and inputs

/// Allocates all arrays; called by the first run, step, save or linearisation.
ff_status ff_sim_begin(ff_sim *sim, ff_error *err);
/// Makes what was written from outside since the last commit the state: normalises it, and books the change of energy.
/// (state.c)
void ff_sim_commit_writes(ff_sim *sim);
/// Before something is changed from outside that shapes forces, but is no state: the stored energy is kept, so that the
/// ledger can book the change.
void ff_sim_begin_change(ff_sim *sim);
/// Sets one held input. (state.c)
void ff_sim_set_input(ff_sim *sim, double *place, double value);
/// @return the states of a part, to write: in x, or before the first run where they start
double *ff_sim_part_place(ff_sim *sim, int part);
/// Saves the state before the first step, once. (reset.c)
ff_status ff_sim_save_start(ff_sim *sim, ff_error *err);
/// Destroys an object with the simulation. @return false when out of memory
bool ff_sim_own(ff_sim *sim, void *object, void (*destroy)(void *object));
/// Leaves such an object to the caller again.
void ff_sim_disown(ff_sim *sim, const void *object);

// Wrenches on bodies (applied.c).
/// Adds the held wrenches to d->wrench. Needs kinematics and velocity.
void ff_sim_add_applied(ff_sim *sim);
/// Adds their power.  [W]
void ff_sim_add_applied_power(const ff_sim *sim, double *power);
/// Counts those that are not zero, after all were restored.
void ff_sim_count_applied(ff_sim *sim);

// The model's own actuators (actuators.c, activations.c).
/// Lets an actuator of the model act with its command, where options.actuators does not let all. (sim.c)
void ff_sim_enable_actuator(ff_sim *sim, int actuator);
/// Adds the force of an actuator with this command or activation to d->tau.
void ff_actuator_add_force(const ff_model *m, ff_data *d, const ff_actuator *actuator, double input);
/// Gives the slope of this force to the method.
void ff_actuator_add_slope(ff_sim *sim, const ff_actuator *actuator, double input);
/// Adds the forces of actuators that act and have no activation to d->tau.
void ff_sim_add_actuators(const ff_sim *sim, ff_data *d);
/// Gives the slopes of these forces to the method.
void ff_sim_actuator_slopes(ff_sim *sim);
/// @return force of an actuator that acts, before its gear, at the state of the data  [N, N m]
double ff_sim_actuator_force(ff_sim *sim, int i);
/// Adds the part that has the activations, where there are any.
ff_status ff_sim_create_activations(ff_sim *sim, ff_error *err);

// ------------------------------------------------------------------------------------------ steps

/// Closes the loops of a state that was written from outside, or of a simulation that has just begun, and lets the
/// parts accept it.
ff_status ff_sim_settle(ff_sim *sim, ff_error *err);
/// Makes one accepted step towards the tick `end`, and serves events and listeners. *arrived: `end` is reached.
ff_status ff_sim_advance(ff_sim *sim, ff_ticks end, bool *arrived, ff_error *err);
/// Lets the parts change their discrete state, such as modes of contacts, at the state of the simulation.
void ff_sim_accept_parts(ff_sim *sim, ff_accept_reason reason);
/// options.step, shortened where it would pass step->end -> step->h. @return its ticks
ff_ticks ff_step_fixed(const ff_sim *sim, ff_step *step);
/// @return longest step that options.max_step and the parts allow; infinite: no limit  [s]
double ff_step_longest(const ff_sim *sim);
/// Sets the time of the state after a step of length h: `end` itself, where h is at least step->left.
void ff_step_arrive(const ff_sim *sim, ff_step *step);
/// Fills ode.error_limit where there is dry friction. @return false when out of memory (dry_bounds.c)
bool ff_sim_limit_dry_friction(ff_sim *sim);
/// Fills ode.absolute_limit where states of parts need more than the absolute tolerance. @return false when out of
/// memory
bool ff_sim_limit_part_states(ff_sim *sim);

// Loop closures (loops.c).
/// Allocates the loops of the model, where it has any.
ff_status ff_sim_create_loops(ff_sim *sim, ff_error *err);
/// Closes the loops of a state that was written from outside. @return FF_BAD_ARGUMENT, naming the loop and its gap,
/// where that is not possible
ff_status ff_sim_settle_loops(ff_sim *sim, ff_error *err);
/// Puts the state x after a step back onto the loops; step->closed: it has moved.
ff_status ff_sim_close_loops(ff_sim *sim, ff_step *step, ff_error *err);

#endif
