// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of the engine: the abstract system the methods see, their memory, and the struct behind ff_sim.
//
// An integrator knows a size n, a derivative and a projection (quaternions back to length 1); nothing of robots. Time
// inside an integrator is local: seconds since the whole tick `ff_sim.ticks`, so that its resolution does not fade in
// long runs.
#ifndef FOOTFALL_ENGINE_SYSTEM_H
#define FOOTFALL_ENGINE_SYSTEM_H

#include "engine/method.h"
#include "engine/part.h"
#include "engine/profile.h"

#include <string.h>

/// Integrals of the energy ledger, in the order of their places in x.
enum {
    FF_LEDGER_NORMAL,   // lost by contacts along the normal        [J]
    FF_LEDGER_FRICTION, // lost by contacts across it               [J]
    FF_LEDGER_JOINTS,   // lost by dampers, dry friction and stops  [J]
    FF_LEDGER_PARTS,    // lost by other parts                      [J]
    FF_LEDGER_WORK,     // done by drives, held and scripted forces [J]
    FF_LEDGER_COUNT
};

/// A system of ordinary differential equations dx/dt = f(t, x) on a manifold that `normalise` projects onto.
typedef struct ff_ode {
    int n;
    int ncontrol;                // components under error control, the first of x
    const double *error_most;    // error of a component that no tolerance allows to exceed; NULL: there is none  (n)
    const double *absolute_most; // the same for the absolute tolerance alone  (n)
    void *context;
    bool (*derivative)(void *context, double t, const double *x, double *dx); // false: no derivative at this state
    void (*normalise)(void *context, double *x);
    /// Semi-implicit step: velocities of x by dx, then positions by the new velocities.
    void (*euler)(void *context, double h, double *x, const double *dx);
} ff_ode;

/// What a state that was written from outside still needs before the next step.
enum {
    FF_DUE_COMMIT = 1, // to be normalised, and its energy to be added to the ledger
    FF_DUE_LOOPS = 2,  // to be put onto the loops of the model
    FF_DUE_PARTS = 4,  // to be accepted by the parts
    FF_DUE_EVENTS = 8, // signs of the events
    FF_DUE_ALL = 15
};

enum { FF_STAGES = 7 };

/// Memory of the explicit methods; arrays live in one block of the simulation.
typedef struct ff_integrator {
    double *k[FF_STAGES];           // stages; k[0] is the derivative at the start of the step    (n each)
    double *trial;                  // state of a stage, then the proposed state                  (n)
    double *dense[5];               // coefficients of the continuous extension of the last step  (n each)
    double *probe;                  // state read from the continuous extension                   (n)
    double step;                    // proposal for the next step, 0: none yet  [s]
    double error_old;               // scaled error of the last accepted step
    double tried_step, tried_error; // length and scaled error of the last try  [s]
    double slack;                   // times the tolerance that an error may be, above 1 where forces are rough
    int rough;                      // how often errors of late were not as expected
    int jumps;                      // steps of late, in a row, that could not be short enough for their error
    bool first_ready;               // k[0] is the derivative at the current state
    bool refused_last;              // the step before this one was refused
} ff_integrator;

// Dormand-Prince (adaptive_step.c).
typedef struct ff_tolerance {
    double relative, absolute;
} ff_tolerance;
/// One try from x (left alone) over h: the proposal goes to in->trial, its derivative to k[6]. Needs k[0].
/// @return scaled error (at most 1 is acceptable), or -1 when a derivative failed or the result is not finite
double ff_dopri_try(const ff_ode *ode, ff_integrator *in, ff_tolerance tol, double t, double h, const double *x);
/// Coefficients of the continuous extension of the try just made from x over h.
void ff_dopri_dense_prepare(const ff_ode *ode, ff_integrator *in, double h, const double *x);
/// out = state at the fraction theta of the step, normalised.
void ff_dopri_dense(const ff_ode *ode, const ff_integrator *in, double theta, double *out);
/// First step from the sizes of x, f and f' (Hairer, Norsett, Wanner I, sec. II.4). Needs k[0].
double ff_dopri_first_step(const ff_ode *ode, ff_integrator *in, ff_tolerance tol, double t, const double *x,
                           double bound);
/// Factor for the next step after an error of `error` (PI control).
double ff_dopri_factor(const ff_integrator *in, double error);

// ------------------------------------------------------------------------------------------ the struct behind ff_sim

typedef struct ff_part_slot {
    ff_part part;
    ff_part_inner inner;
    int offset;   // of its states among those of all parts
    int integral; // of its integrals among those of all parts
    int event;    // first of its events
    struct ff_part_work
        *work; // of its forces at the last evaluation; NULL: it reports its energies, or there is no ledger
} ff_part_slot;

typedef struct ff_task_slot {
    ff_task task;
    ff_ticks next; // next call; INT64_MAX: none
    int64_t calls;
} ff_task_slot;

typedef struct ff_event_slot {
    ff_event event;
    double value; // at the start of the step
    int sign;     // of value; 0: not known yet (just after a crossing)
    int crossing; // +1 or -1 when it crossed in the step just made
    double when;  // that crossing, as far as the ends of the step say; of methods that do not locate events  [s]
    double slack; // values below this just after a crossing say nothing about the sign
} ff_event_slot;

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
    size_t size;
} ff_memory_slot;

/// What a caller applies to a body.
typedef struct ff_applied {
    double force[3], moment[3]; // [N], [N m]
    double point[3];            // of the force, in the body's frame  [m]
    int64_t body_axes;          // 1: force and moment are given in the axes of the body; 0: of the world
} ff_applied;

struct ff_sim {
    ff_arena arena; // names, blocks made at the start
    const ff_model *model;
    ff_data *data;
    ff_sim_options options;
    const ff_method_ops *method;
    ff_ode ode;
    ff_integrator in;
    struct ff_cvode *cvode;
    struct ff_implicit *implicit;

    // the continuous state and its time
    int nq, nv, nz, n;
    int nledger;     // integrals of the energy ledger, after z
    int nquad;       // those and the integrals of parts, at the end of x; nothing depends on them
    double *x;       // (q, v, z, ledger, integrals of parts)  (n)
    double *x_last;  // state before the last step, for the words on divergence (n)
    double *rates;   // dx/dt at x of parts and integrals, from the stage `forces` on  (n)
    double *held;    // held torques    (nv)
    double *command; // of actuators    (nactuator)
    int *acting;     // actuators that act: all with options.actuators, else those that drives leave  (nacting)
    int nacting;
    int activations;     // number of the part that has the activations, -1: none
    ff_applied *applied; // held wrenches   (nbody)
    int napplied;        // how many of them are not zero
    ff_ticks ticks;      // whole ticks of the current time
    double offset;       // seconds beyond them (adaptive and cvode between tasks)  [s]
    double base;         // absolute time of local time zero: that of `ticks`, for cvode that of its last restart  [s]
    ff_ticks step_ticks; // of the fixed-step methods
    double last_step;    // length of the last accepted step  [s]
    int stuck;           // located events in a row that hardly moved the time

    ff_loops *loops;     // NULL: none
    double *no_motion;   // zeros (rows of the loops)
    double closing;      // energy added by closing the loops after steps  [J]
    double closing_last; // that of the last step                                    [J]

    double *driving;     // forces on the joints whose work is `work` of the ledger, at the last evaluation  (nv)
    bool ledger_begun;   // ledger_start is known
    double ledger_start; // stored energy when the ledger began          [J]
    double outside;      // brought in by changes of the state from outside [J]
    double cooled;       // heat of friction below zero, subtracted from the next  [J]
    double cooled_stops; // the same of stops of joints  [J]

    ff_part_slot *parts;
    ff_task_slot *tasks;
    int *order; // in which the tasks of one instant run: numbers of tasks  (ntask)
    ff_listener *listeners;
    ff_event_slot *events;
    ff_memory_slot *memories;
    ff_random **randoms;
    ff_owned_slot *owned;   // objects that end with the simulation
    double *part_start;     // states of parts before the first run (nz)
    int nintegral;          // of all parts
    int nplace, nconstrain; // parts that have these functions
    int nasynchronous;      // of the tasks
    int npart, ntask, nlistener, nevent, nmemory, nrandom, nowned;
    int part_capacity, task_capacity, order_capacity, listener_capacity, event_capacity, memory_capacity,
        random_capacity, owned_capacity, start_capacity;
    ff_ticks called;                // time of the task being called
    int nevent_user;                // those before the events of parts
    double *event_values;           // scratch: two sets  (2*nevent)
    int *roots;                     // (nevent)
    struct ff_signal_slot *signals; // values of controllers a recorder can keep
    int nsignal, signal_capacity;
    struct ff_channel *catalogue; // of recorder channels, made on demand for that many parts and signals
    int ncatalogue, catalogue_parts, catalogue_signals;

    ff_stopwatch *profile;  // NULL: off
    bool begun;             // sized: nothing may be added
    ff_sim_stage stage;     // how far `data` is evaluated at x; nothing: it holds a trial state (evaluate.c)
    uint64_t state_number;  // of the state in data, from 1: stored results have the number they were computed at
    uint64_t factored_at;   // state_number of the inertias that forward dynamics keeps; 0: none
    uint64_t forces_number; // of the state and all else that forces depend on: every write raises it
    uint64_t energy_at;     // forces_number of the energy below; 0: none
    ff_energy energy;       // stored
    int due;                // FF_DUE_..: what a state written from outside still needs
    uint64_t writes;        // of the state from outside: values set, states restored
    double written_from;    // stored energy before the writes not yet committed  [J]
    bool stop;
    char reason[160];
    ff_error *mistake;   // of a caller: the first wrong name or handle, which the next run reports; also by functions
                         // that read a constant simulation
    void *start;         // saved when the first run began, for ff_sim_reset
    size_t start_size;   // [byte]
    unsigned char *undo; // the state before the step under way, where ff_stop may end it; NULL: it cannot
    bool undoable;       // it is there
    bool undo_kept[FF_UNDO_COUNT];
    size_t undo_at[FF_UNDO_COUNT]; // place of each list in it  [byte]
    ff_sim_counts counts;
    char cvode_error[160]; // last message of CVODE
};

/// Fills ode.error_most where there is dry friction. @return false: no memory  (dry_bounds.c)
bool ff_dry_bounds(ff_sim *sim);
/// Fills ode.absolute_most where the absolute tolerance is coarser than states of parts bear. @return false: no memory
bool ff_state_bounds(ff_sim *sim);

/// Says to a part where the rates of its integrals go in an evaluation that fills zdot. Parts that speak for others
/// come before them.
static inline void ff_part_bind_rates(const ff_sim *sim, const ff_part_slot *slot, double *zdot)
{
    if (slot->inner.bind_rates)
        slot->inner.bind_rates(slot->part.context, zdot + sim->nz + sim->nledger + slot->integral);
}
/// Charges the time from now on to a row of the profile. @return the row to give back with ff_profile_leave
static inline int ff_profile_enter(const ff_sim *sim, int row)
{
    return sim->profile ? ff_profile_switch(sim->profile, row) : 0;
}
static inline void ff_profile_leave(const ff_sim *sim, int row)
{
    if (sim->profile) ff_profile_return(sim->profile, row);
}
/// Sizes everything; called by the first run, step, save or linearisation.
ff_status ff_sim_begin(ff_sim *sim, ff_error *err);
/// Makes what was written from outside since the last commit the state: normalised, the change of energy booked.
/// (state.c)
void ff_sim_commit_writes(ff_sim *sim);
/// Before something that shapes forces, but is no state, is changed from outside: the energy that stored before is
/// kept, so that the ledger can book what the change brings.
void ff_sim_begin_change(ff_sim *sim);
/// States of a part, to write: in x, before the first run where they start.
double *ff_sim_part_place(ff_sim *sim, int part);

// The evaluation (evaluate.c).
/// Something was written that all stages beyond `stage` depend on.
static inline void ff_sim_lower(ff_sim *sim, ff_sim_stage stage)
{
    if (sim->stage > stage) sim->stage = stage;
    sim->forces_number++;
}
/// q, v and time of the state can be read in data; poses and velocities from the stages on.
static inline void ff_sim_show(ff_sim *sim)
{
    ff_data *d = sim->data;
    if (!d || sim->stage > FF_SIM_NOTHING) return;
    sim->state_number++;
    d->time = ff_sim_time(sim);
    memcpy(d->q, sim->x, (size_t)sim->nq * sizeof(double));
    memcpy(d->v, sim->x + sim->nq, (size_t)sim->nv * sizeof(double));
}
/// Brings data to `stage` at the state. False when there is no acceleration.
bool ff_sim_reach(ff_sim *sim, ff_sim_stage stage);
/// The same for forces of another time: in pieces of a step the clock stands still.
bool ff_sim_reach_at(ff_sim *sim, double time, ff_sim_stage stage);
/// Poses, velocities and passive forces of a trial state; `project`: its quaternions need not have length 1.
void ff_sim_place_trial(ff_sim *sim, double time, const double *q, const double *v, bool project);
ff_ode ff_sim_make_ode(ff_sim *sim);
/// Drops what the integrators remember of the past; `state` also the step size (the state jumped, not just a force).
static inline void ff_sim_forget(ff_sim *sim, bool state)
{
    ff_sim_lower(sim, FF_SIM_VELOCITY);
    if (sim->method->forget) sim->method->forget(sim, state);
}
/// Held, actuator and passive forces -> d->tau, of these the first two -> driving; d->wrench = 0. Needs kinematics and
/// velocity.
void ff_sim_gather_joints(ff_sim *sim);
/// Before and after the forces of a part are evaluated: its row of the profile, and what the ledger has to see of it
/// then. @return the row
int ff_part_enter(const ff_sim *sim, int part);
void ff_part_leave(const ff_sim *sim, int part, int row);
/// What a state that was written from outside, or a simulation that has just begun, needs before anything acts on it:
/// closed loops, parts that have accepted it.
ff_status ff_sim_settle(ff_sim *sim, ff_error *err);
/// Saves the state before the first step, once. (reset.c)
ff_status ff_sim_keep_start(ff_sim *sim, ff_error *err);
/// Lets an actuator of the model act with its command, where options.actuators does not let all. (sim.c)
void ff_sim_enable_actuator(ff_sim *sim, int actuator);

// A step that ff_stop ends before it is whole leaves no trace (transfer.c). Without an ff_stop nothing is kept.
/// Memory, before the first step.
ff_status ff_undo_create(ff_sim *sim, ff_error *err);
/// First thing in a step that may be stopped.
void ff_undo_begin(ff_sim *sim);
/// Keeps what is about to change, once a step.
void ff_undo_keep(ff_sim *sim, ff_undo_list list);
/// Back to the start of the step. @return FF_STOPPED
ff_status ff_undo_step(ff_sim *sim);
/// Adds the held wrenches to d->wrench; their power. Needs kinematics and velocity. (applied.c)
void ff_sim_add_applied(ff_sim *sim);
void ff_sim_add_applied_power(const ff_sim *sim, double *power);
void ff_sim_count_applied(ff_sim *sim);
/// Sets one held input. (state.c)
void ff_sim_hold(ff_sim *sim, double *place, double value);

// Handles (mistake.c).
/// Notes a mistake of the caller that has no other way to learn of it: the next run fails with the first one.
void ff_sim_mistake(const ff_sim *sim, ff_status status, const char *format, ...) FF_PRINTF(3, 4);
/// Name of thing number i; may be NULL.
typedef const char *ff_name_of(const void *all, int i);
/// Number of the thing of that name among `count`; -1, with the mistake noted: none. @param kind  "body"
int ff_sim_find_name(ff_sim *sim, const char *kind, const char *name, ff_name_of *name_of, const void *all, int count);
/// "no body 'bal': did you mean 'ball'?"
void ff_sim_describe_missing(char *text, size_t size, const char *kind, const char *name, ff_name_of *name_of,
                             const void *all, int count);
/// Is the handle one of `count`? If not, the mistake is noted.
bool ff_sim_holds(const ff_sim *sim, const char *kind, int index, int count);

/// The parts take over their discrete state at the state of the simulation, such as modes of contacts.
void ff_sim_accept_parts(ff_sim *sim, ff_accept_reason reason);
// Loop closures (loops.c).
ff_status ff_sim_create_loops(ff_sim *sim, ff_error *err);
/// x = M^-1 (x + G' lambda): what a force or an impulse x does under the loops. Needs the factors of M at the poses in
/// d; prepare once for them.
void ff_sim_prepare_response(ff_sim *sim);
void ff_sim_response(ff_sim *sim, double *x);
/// Closes the loops of a state that was set from outside, or says which cannot close, and by how much.
ff_status ff_sim_settle_loops(ff_sim *sim, ff_error *err);
/// Puts the state x that a step led to back onto the loops; step->closed: it has moved.
ff_status ff_sim_close_loops(ff_sim *sim, ff_step *step, ff_error *err);
/// Values of all events at the state x, a trial state at local time t or the state itself, whose time is known.
void ff_sim_event_values(ff_sim *sim, double t, const double *x, double *values);
/// Value of event i alone; those of parts come all at once anyway.
double ff_sim_event_value(ff_sim *sim, int i, double t, const double *x);
/// Does the method end a step at each event?
static inline bool ff_sim_locates_events(const ff_sim *sim)
{
    return sim->method->traits.locates;
}
/// Has a step of fixed length stages: rk2, rk4? Euler's, which also takes impulses, has none.
static inline bool ff_sim_has_stages(const ff_sim *sim)
{
    return sim->method->traits.fixed && !sim->method->traits.impulses;
}
// Location of events within a step, for methods with a continuous extension (locate.c).
/// The state within the step from local time t over h, at its fraction theta, into sim->in.probe.
typedef void ff_dense(ff_sim *sim, double t, double h, double theta);

/// Fraction of the step just after the earliest crossing of an event; 2 when there is none.
double ff_locate_earliest(ff_sim *sim, ff_dense *dense, double t, double h, int *which);
/// Slope of event i about its crossing at theta, and what of its value counts as zero there.  [1/s]
double ff_locate_slope(ff_sim *sim, ff_dense *dense, int i, double t, double h, double theta);
/// Does the motion cross event i at theta in the direction in which the continuous extension crosses it? An extension
/// that is off by more than the motion there has it touch ground from which it rises.
bool ff_locate_agrees(ff_sim *sim, ff_dense *dense, int i, double t, double h, double theta);
/// Values at the new state: events whose sign differs crossed, `which` in any case.
void ff_locate_mark(ff_sim *sim, double t, int which);
/// An error where too many steps to crossings in a row hardly moved the time.
ff_status ff_locate_watch(ff_sim *sim, const ff_step *step, ff_error *err);

/// Makes room for the events of the parts, where the method locates events.
bool ff_sim_add_part_events(ff_sim *sim);
/// True when the state x is finite and below the limits; otherwise fills err with time, body and likely cause.
bool ff_sim_state_sound(ff_sim *sim, const double *x, ff_error *err);
/// Tasks due at the current time, in order. Returns the union of their actions.
int ff_sim_run_tasks(ff_sim *sim);
/// Asynchronous tasks, which no step ends for, up to the next synchronous one or `until`.
void ff_sim_run_asynchronous(ff_sim *sim, ff_ticks until);
/// Signs of all events at the current state, where they are not known.
void ff_sim_prepare_events(ff_sim *sim);
/// Marks the events whose sign changed over the step just made, for methods that do not locate them.
void ff_sim_compare_events(ff_sim *sim, const ff_step *step);
/// Calls the handlers of the events marked `crossing`.
void ff_sim_handle_events(ff_sim *sim);
// The model's own actuators (actuators.c).
/// Force of one with this command or activation -> d->tau; and its slope.
void ff_actuator_add_force(const ff_model *m, ff_data *d, const ff_actuator *actuator, double input);
void ff_actuator_add_slope(ff_sim *sim, const ff_actuator *actuator, double input);
/// Forces of those that act and have no activation -> d->tau; and their slopes in an implicit step.
void ff_sim_add_actuators(const ff_sim *sim, ff_data *d);
void ff_sim_actuator_slopes(ff_sim *sim);
/// Force of an actuator that acts, before its gear, at the state of the data.
double ff_sim_actuator_force(ff_sim *sim, int i);
/// The part of those that have one. (activations.c)
ff_status ff_sim_create_activations(ff_sim *sim, ff_error *err);
/// Calls the listeners. Returns the union of their actions.
int ff_sim_call_listeners(ff_sim *sim);
/// Carries out the actions that callbacks returned: commit a changed state, note a stop.
void ff_sim_perform(ff_sim *sim, int actions);
/// Lets task number `task` run after all that are there, where several fall on one instant.
void ff_sim_task_last(ff_sim *sim, int task);
/// Earliest tick at which a task is due.
ff_ticks ff_sim_next_task(const ff_sim *sim);
/// One accepted step towards the tick `end`; *arrived says that `end` is reached. Events and listeners are served.
ff_status ff_sim_advance(ff_sim *sim, ff_ticks end, bool *arrived, ff_error *err);
/// Length of the next step of options.step, shortened where it would pass step->end, into step->h. @return its ticks
ff_ticks ff_step_fixed(const ff_sim *sim, ff_step *step);
/// Longest step that options.max_step and the parts allow; infinite: no bound.  [s]
double ff_step_longest(const ff_sim *sim);
/// Time of the state a step of length h leads to; at least step->left: `end` itself.
void ff_step_arrive(const ff_sim *sim, ff_step *step);
/// The message for a derivative that could not be computed at the state x.
ff_status ff_sim_derivative_failed(ff_sim *sim, ff_error *err);
// The energy ledger (ledger.c). `power` is the place of its rates in dx.
struct ff_part_slot;
/// Adds an amount to the ledger that came in no time: a jump of stored energy. In methods with stages, whose springs of
/// friction jump to their limits at the end of each step, heat below zero is subtracted from the next.  [J]
void ff_sim_book(ff_sim *sim, int entry, double amount);
/// What a part without energies adds is work: room for its forces. @return false when out of memory
bool ff_ledger_create(ff_sim *sim);
/// Forces before such a part is evaluated, and after.
void ff_ledger_measure(const ff_sim *sim, const struct ff_part_slot *slot, bool after);
/// All powers of the forces evaluated last, at the states z of the parts; forces whose power is work -> driving.
void ff_ledger_powers(ff_sim *sim, double t, const double *z, double *power);
/// Of these, what does not come from parts; and what one part adds.
void ff_ledger_add_joints(const ff_sim *sim, double *power);
void ff_ledger_add_part(ff_sim *sim, const struct ff_part_slot *slot, double t, const double *z, double *power);
/// Friction of the ledger at the state x that a method with stages or located events proposes, from the work on
/// friction that it has integrated since the state x0 of the simulation. To be asked once a step.  [J]
double ff_ledger_friction(ff_sim *sim, const double *x0, const double *x, double work);
/// Rate of the energy in stops with dampers, which methods that locate events integrate with the losses of joints.  [W]
double ff_ledger_stops_rate(const ff_sim *sim);
/// Losses of joints at the state x that such a method proposes, from what it has integrated since the state x0: `work`,
/// up to `end`.  [J]
double ff_ledger_joints(ff_sim *sim, const double *x0, const double *x, double end, double work);
/// What contacts have lost along the normal stays lost in the proposal x: one weight of the fifth-order rule is below
/// zero, and polynomials of CVODE may fall; with a loose accuracy a sum of losses, none of which does, can do so.
void ff_ledger_keep_losses(const ff_sim *sim, double *x);
/// Stored energy of the state that is about to be written from outside, and the difference it made.
double ff_ledger_before_change(ff_sim *sim);
void ff_ledger_after_change(ff_sim *sim, double before);
/// The ledger starts with the first run.
void ff_ledger_begin(ff_sim *sim);
/// ff_sim_energy of a simulation that is sized. (energy.c)
ff_energy ff_energy_now(ff_sim *sim);
/// Destroys an object with the simulation, or (`disown`) leaves it to the caller again. @return false when out of
/// memory
bool ff_sim_own(ff_sim *sim, void *object, void (*destroy)(void *object));
void ff_sim_disown(ff_sim *sim, const void *object);

#endif
