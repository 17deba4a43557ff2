// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The running system: one continuous state x = (q, v, part states z) with one derivative, integrators by name, sampled
// tasks at exact times, listeners, located events, save and restore, linearisation. Room engine.
//
//     ff_sim_options o = ff_sim_options_default();
//     o.method = FF_METHOD_RK4;
//     ff_sim *sim = ff_sim_create(model, &o, &err);
//     ff_sim_set_q(sim, 0, 0.3);                                // start away from the rest pose
//     ff_status status = ff_sim_run(sim, 10.0, &err);            // FF_OK, FF_STOPPED, FF_DIVERGED, FF_SOLVER
//     ff_sim_destroy(sim);
//
// Order of adding: parts, tasks, events, memory and recorders first, then the first ff_sim_run, which sizes everything;
// from then on stepping with euler, rk2, rk4, adaptive and implicit allocates nothing, locks nothing and prints
// nothing.
#ifndef FOOTFALL_SIM_H
#define FOOTFALL_SIM_H

#include <footfall/loop.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ time

/// Sampled times are whole numbers of ticks, so that a task every 1/3 ms never drifts. A tick divides 1 ns and every
/// rate whose period is made of the factors 2 (up to 2^11 Hz), 3, 5, 7, 11, 13. Runs may last 71 hours.
typedef int64_t ff_ticks;
#define FF_TICKS_PER_SECOND ((ff_ticks)36036000000000)
/// Nearest tick; a period such as 1.0/3000 given as a double comes out exact.
FF_API ff_ticks ff_ticks_from_seconds(double seconds);
/// [s]
FF_API double ff_ticks_to_seconds(ff_ticks ticks);

// ------------------------------------------------------------------------------------------ options

/// Integration methods. ff_method_description says what each is, docs/simulation.md when to take which.
typedef enum ff_method {
    FF_METHOD_EULER,
    FF_METHOD_RK2,
    FF_METHOD_RK4,
    FF_METHOD_ADAPTIVE,
    FF_METHOD_IMPLICIT,
    FF_METHOD_CVODE,
    FF_METHOD_CVODE_ADAMS,
    FF_METHOD_COUNT
} ff_method;

/// "euler", "rk2", ...; never NULL.
FF_API const char *ff_method_name(ff_method method);
/// In a line: what it is, its order, its steps. "" for a number that is no method.
FF_API const char *ff_method_description(ff_method method);
/// @return FF_OK, or FF_NOT_FOUND with the list of names in `err`
FF_API ff_status ff_method_find(const char *name, ff_method *method, ff_error *err);
/// False for cvode methods in a build without SUNDIALS.
FF_API bool ff_method_built(ff_method method);

/// What sets methods apart for those who choose one or set it up.
typedef struct ff_method_traits {
    bool implicit; // takes slopes of the forces and solves for the end of the step: stiff forces do not bound it
    bool fixed;    // explicit, with steps of options.step whatever the error: stiff forces bound the step
    bool accuracy; // error control by options.accuracy, steps of options.step where that is zero
    bool locates;  // ends a step at each event
    bool impulses; // velocities may jump: takes contacts without compliance
    double stable; // largest stable h |lambda|, lambda < 0, of explicit methods with error control; 0: of all others
} ff_method_traits;
/// All false for a number that is no method.
FF_API ff_method_traits ff_method_get_traits(ff_method method);

typedef struct ff_sim_options {
    ff_method method;
    double step;            // of the fixed-step methods; at least one tick  [s]
    double accuracy;        // of implicit alone, in units of 0.1 m or rad a step: error control; 0: fixed step
    double relative;        // tolerance of adaptive and cvode per component of x
    double absolute;        // [units of the component]
    double first_step;      // of adaptive, cvode and implicit with accuracy, 0: chosen by the method  [s]
    double max_step;        // of the same, 0: no bound, for implicit 50 ms  [s]
    double event_tolerance; // events are located to this  [s]
    long long max_steps;    // accepted and refused steps in one ff_sim_run before FF_SOLVER; 0: no bound
    bool passive;           // springs, dampers, dry friction and stops of the joints act
    bool actuators;         // the actuators of the model act with the commands of ff_sim_set_command
    bool ledger;            // keep the energy ledger: five integrals beside the state, see ff_sim_ledger
    double limit_speed;     // a velocity beyond this counts as diverged  [m/s, rad/s]
    uint64_t seed;          // of all random streams
    uint32_t cookie;        // set by ff_sim_options_default: an options struct built by hand is noticed
} ff_sim_options;

/// Method implicit with the accuracy 1e-3, fixed steps of 1 ms for methods that have them, tolerances 1e-6 (relative)
/// and 1e-9 (absolute), event tolerance 1e-12 s, passive on, actuators off, limit 1e8.
FF_API ff_sim_options ff_sim_options_default(void);
/// Have all steps the length `step`, but those that a task or the end of a run cuts short?
FF_API bool ff_sim_options_fixed_step(const ff_sim_options *options);

// ------------------------------------------------------------------------------------------ the simulation

typedef struct ff_sim ff_sim;

/// What a callback asks for. STOP: ff_sim_run returns FF_STOPPED after the callbacks of this instant. LOOKED: of a task
/// that has changed nothing this time, as if it were `reads_only`. May be or-ed.
typedef enum ff_sim_action { FF_SIM_GO = 0, FF_SIM_UNCHANGED = 1, FF_SIM_STOP = 2 } ff_sim_action;

/// How far ff_sim_data is evaluated at the state; each stage includes those before it.
typedef enum ff_sim_stage {
    FF_SIM_NOTHING,      // q, v and time alone
    FF_SIM_POSITION,     // poses
    FF_SIM_VELOCITY,     // velocities, passive forces
    FF_SIM_FORCES,       // d->tau, d->wrench: the sum of held, passive, actuator and part forces
    FF_SIM_ACCELERATION, // d->qacc
} ff_sim_stage;

/// @param model  borrowed, may be NULL: then the state is that of the parts alone (plain differential equations), and
///               a run fails once a body, joint, actuator or coordinate was asked for or set: check what a file gave
/// @return NULL with `err` filled: FF_BAD_ARGUMENT, FF_NOT_BUILT, FF_NO_MEMORY
FF_API ff_sim *ff_sim_create(const ff_model *model, const ff_sim_options *options, ff_error *err);
/// Frees it with its recorders; NULL is allowed. What was borrowed (model, world, drives, sensors) stays.
FF_API void ff_sim_destroy(ff_sim *sim);

/// The model it was made for, NULL without one.
FF_API const ff_model *ff_sim_model(const ff_sim *sim);
/// The options it was made with.
FF_API const ff_sim_options *ff_sim_get_options(const ff_sim *sim);
/// The model at the state, to read: q, v and time between runs and in callbacks; poses and velocities in tasks, events
/// and recorder channels, elsewhere as far as ff_sim_evaluate was asked. NULL without a model. Memory of the
/// simulation; write by the setters below.
FF_API const ff_data *ff_sim_data(const ff_sim *sim);
/// Brings ff_sim_data to a stage; costs nothing when it is there.
/// @return FF_OK; FF_DIVERGED with the likely cause, or FF_NO_MEMORY
FF_API ff_status ff_sim_evaluate(ff_sim *sim, ff_sim_stage stage, ff_error *err);
/// The loops of the model, NULL when there are none; gaps and multipliers are current after ff_sim_evaluate. Read only.
FF_API const ff_loops *ff_sim_loops(const ff_sim *sim);

// The state and the inputs are written by these, with numbers within the bounds given (another one is not written, and
// the next run reports it), between runs and in callbacks (not in derivatives). Quaternions need not have length 1:
// they are normalised when the simulation goes on. What a change of the state brings in or takes away is `outside` in
// the ledger.
/// One coordinate of the position.  [m, rad, quaternion w x y z]  i < nq
FF_API void ff_sim_set_q(ff_sim *sim, int i, double value);
/// One coordinate of the velocity.  [m/s, rad/s]  i < nv
FF_API void ff_sim_set_v(ff_sim *sim, int i, double value);
/// The whole position (nq) and velocity (nv); NULL: stays as it is.
FF_API void ff_sim_set_state(ff_sim *sim, const double *q, const double *v);
/// One state of a part.
FF_API void ff_sim_set_part_state(ff_sim *sim, int part, int i, double value);
/// Generalised force held constant between tasks and added to everything else.  [N m, N]  i < nv
FF_API void ff_sim_set_torque(ff_sim *sim, int i, double value);
/// All of them.  (nv)
FF_API void ff_sim_set_torques(ff_sim *sim, const double *values);
/// Goes back to the start: time zero, all tasks, parts, random streams and counters as the first run found them. Inputs
/// too: commands, held torques and wrenches. Before the first run inputs become zero, and the rest stays as it is.
/// @param key  a keyframe of the model to start from instead of where the first run did; NULL: none
/// @return FF_OK; FF_NOT_FOUND with the nearest name, FF_NO_MEMORY
FF_API ff_status ff_sim_reset(ff_sim *sim, const char *key, ff_error *err);
/// Announces that a force has jumped for a reason the simulation cannot know, such as a part that was switched off
/// between runs or by a listener.
FF_API void ff_sim_forces_jumped(ff_sim *sim);

/// Position (nq), velocity (nv) and held torques (nv), current between runs and in callbacks. Memory of the simulation,
/// to read; position and velocity are NULL without a model.
FF_API const double *ff_sim_q(const ff_sim *sim);
FF_API const double *ff_sim_v(const ff_sim *sim);
FF_API const double *ff_sim_torques(const ff_sim *sim);

/// Time of the state  [s].
FF_API double ff_sim_time(const ff_sim *sim);
/// The whole continuous state (q, v, z of each part in order of adding). Read only.
FF_API const double *ff_sim_state(ff_sim *sim, int *size);

typedef struct ff_sim_counts {
    long long steps;                    // accepted
    long long refused;                  // tried and refused by the error control
    long long evaluations;              // of the derivative, or of the residual of implicit
    long long iterations;               // of Newton's method (implicit)
    long long factorisations;           // of its matrix
    long long fallbacks;                // tries of implicit that did not converge and were made again in shorter steps
    long long edges;                    // shortest such steps taken although a force jumps at their end
    long long rough;                    // steps of adaptive taken with a larger error, since none falls with the step
    long long events;                   // located
    long long tasks;                    // calls
    double shortest_step, longest_step; // accepted  [s]
    double rough_from;                  // time of the first rough one  [s]
} ff_sim_counts;
/// Work done since the start.
FF_API ff_sim_counts ff_sim_get_counts(const ff_sim *sim);

/// Runs to the time `until`. Order at one instant: accepted step, listeners, event handlers, then the tasks due, in
/// order of registration. Tasks due at the start time run first; those due at `until` run before the return and not
/// again, so a run may be cut into pieces. (Adaptive and cvode shorten the last step of each piece: show progress from
/// a listener rather than by short pieces.)
/// @return FF_OK, FF_STOPPED, FF_DIVERGED (time, body and likely cause in `err`), FF_SOLVER, FF_BAD_ARGUMENT,
/// FF_NO_MEMORY
FF_API ff_status ff_sim_run(ff_sim *sim, double until, ff_error *err);
/// One accepted step, or less when a task or `until` comes before; tasks as above.
/// @return as ff_sim_run
FF_API ff_status ff_sim_step(ff_sim *sim, double until, ff_error *err);
/// Asks for the end of the run with a reason, from any callback; the text is copied.
FF_API void ff_sim_stop(ff_sim *sim, const char *reason);
/// Why the last run stopped; "" when nobody said.
FF_API const char *ff_sim_stop_reason(const ff_sim *sim);

/// Kinetic, potential, elastic (springs and stops), contact and part energies at the current state [J].
typedef struct ff_energy {
    double kinetic, potential, elastic, contacts, parts, total;
} ff_energy;
/// The energies now.
FF_API ff_energy ff_sim_energy(ff_sim *sim);

/// Where the energy went since the first run. The integrals are taken by the method itself, at its order:
///     stored now - stored at the start + lost = work + outside + loops + residual
typedef struct ff_ledger {
    ff_energy stored;                  // now                                            [J]
    double start;                      // stored.total at the start                      [J]
    double lost_normal, lost_friction; // in contacts: along the normal, across it       [J]
    double lost_joints;                // dampers, dry friction and stops of joints      [J]
    double lost_parts;                 // other parts                                    [J]
    double work;     // of actuators, held forces, and parts that give neither energy nor power              [J]
    double outside;  // brought by callbacks and callers that wrote the state                                [J]
    double loops;    // came with putting steps back onto the loops of the model: the error of the step across them  [J]
    double residual; // what the balance lacks: the error of the integration                                 [J]
} ff_ledger;
/// All zero without options.ledger.
FF_API ff_ledger ff_sim_ledger(ff_sim *sim);

// ------------------------------------------------------------------------------------------ handles

// Things of a simulation, found once by name. A handle of one kind cannot be taken for one of another, and none fails
// in silence: a name that does not exist, and every use of a handle that is not valid, makes ff_sim_run and ff_sim_step
// fail from then on, with the name and the nearest there is. That goes for reading as for writing. Whether there is
// such a thing is asked by ff_model_find_body and the like. Drives and sensors have theirs in footfall/drives.h and
// sensors.h.
typedef struct ff_body_id {
    int index; // into model->bodies
} ff_body_id;
typedef struct ff_joint_id {
    int index; // into model->joints
} ff_joint_id;
typedef struct ff_actuator_id {
    int index; // into model->actuators
} ff_actuator_id;
FF_API ff_body_id ff_sim_find_body(ff_sim *sim, const char *name);
FF_API ff_joint_id ff_sim_find_joint(ff_sim *sim, const char *name);
FF_API ff_actuator_id ff_sim_find_actuator(ff_sim *sim, const char *name);

/// Command of an actuator, held between tasks. Needs options.actuators.
FF_API void ff_sim_set_command(ff_sim *sim, ff_actuator_id actuator, double value);
/// Activation of an actuator that has one (ff_actuator.state), such as a muscle: a state of the simulation.
FF_API void ff_sim_set_activation(ff_sim *sim, ff_actuator_id actuator, double value);
FF_API double ff_sim_activation(ff_sim *sim, ff_actuator_id actuator);

/// Moves a mocap body (ff_body.mocap, MJCF's mocap="true") with all that is fixed to it, and holds it there: contacts,
/// sensors and loops find it in its new place from then on. It has no velocity: contacts feel where it is, not that it
/// moved. From a task or between runs. A body of another kind and numbers that are not finite change nothing, and the
/// next run reports them. ff_dyn_body_pose tells where it is.
/// @param pos   of its frame, in the world; NULL: as it is  [m]
/// @param quat  NULL: as it is; need not be of length 1
FF_API void ff_sim_set_mocap(ff_sim *sim, ff_body_id body, const double pos[3], const double quat[4]);

/// Axes in which a vector is given.
typedef enum ff_axes { FF_AXES_WORLD, FF_AXES_BODY } ff_axes;
/// Applies a force and a moment to a body, in place of what was applied to it before, and holds them until the next
/// call. From a task or between runs. What is not finite, and axes that do not exist, are not applied, and the next run
/// reports them with the name of the body.
/// @param force   NULL: none  [N]
/// @param moment  NULL: none  [N m]
/// @param point   where the force acts, in the body's frame; NULL: at its origin  [m]
/// @param axes    of force and moment: those of the world, or of the body, with which they then turn
FF_API void ff_sim_apply(ff_sim *sim, ff_body_id body, const double force[3], const double moment[3],
                         const double point[3], ff_axes axes);
/// Position, speed and held torque of a hinge or slide.  [rad, m], [rad/s, m/s], [N m, N]. For another joint, and for a
/// handle that is not valid, NaN is read and nothing is set, and the next run reports it.
FF_API double ff_sim_joint_position(const ff_sim *sim, ff_joint_id joint);
FF_API double ff_sim_joint_speed(const ff_sim *sim, ff_joint_id joint);
FF_API void ff_sim_set_joint_torque(ff_sim *sim, ff_joint_id joint, double torque);

// ------------------------------------------------------------------------------------------ continuous subsystems

/// When a part is asked to accept.
typedef enum ff_accept_reason {
    FF_ACCEPT_STEP,    // a step was made
    FF_ACCEPT_PIECE,   // a piece of a step that had to be cut; the clock stands still
    FF_ACCEPT_WRITTEN, // the state was written from outside
} ff_accept_reason;

/// A block of memory.
typedef struct ff_part_memory {
    void *address;
    size_t size; // [byte]
} ff_part_memory;

/// A subsystem (drive, contact, filter, sensor). The functions of the first group are pure in (t, q, v, z): they may be
/// called at trial states. All but `derivative` may be NULL, and `derivative`, too, where there are no states and no
/// forces.
typedef struct ff_part {
    const char *name; // unique; copied
    int nstate;       // number of its states z, zero allowed
    void *context;    // borrowed
    /// Fills zdot (nstate); may add to d->tau and call ff_dyn_apply_force. Poses and velocities in d are current; d is
    /// NULL without a model.
    void (*derivative)(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot);
    double (*energy)(void *context, double t, const ff_model *m, ff_data *d,
                     const double *z); // stored  [J]; may be NULL
    double (*power)(void *context, double t, const ff_model *m, ff_data *d,
                    const double *z); // dissipated  [W]; may be NULL
    /// Called right behind `derivative`. Adds -d tau_i / d q_i and -d tau_i / d v_i of its forces (nv each), which the
    /// implicit method needs where they are stiff (beyond M / h^2 and M / h); may be NULL. Other entries than the
    /// diagonal may be missing: the iteration is then slower.
    void (*slope)(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *stiffness,
                  double *damping);
    /// Power brought in from outside, such as from a battery [W]; may be NULL. It is `work` in the ledger.
    double (*supply)(void *context, double t, const ff_model *m, ff_data *d, const double *z);
    /// For each state that is a position the number of the state that is its speed, -1 for others; may be NULL,
    /// borrowed (nstate). The euler method moves positions with the new speeds, as those of joints.
    const int *rate_of;

    // Discrete state: what changes between steps and not within. All may be NULL.
    /// Looks at the simulation's state, whose poses and velocities are current, and changes modes, springs, teeth.
    /// @return whether a state or a force changed
    bool (*accept)(void *context, ff_sim *sim, ff_accept_reason reason);
    /// Begins anew from the state: ff_sim_reset has put another in place.
    void (*restart)(void *context, ff_sim *sim);
    /// Longest step it allows from here, such as for things not to fly through each other; 0: any  [s]
    double (*longest_step)(const void *context);
    /// Functions of the state whose zeros the methods that locate events end a step at: how many, in which direction
    /// they must cross (0: both), their values with the poses and velocities in d, and what happens at a crossing
    /// (@return whether a state or a force changed).
    int nevent, event_direction;
    void (*event_values)(void *context, ff_data *d, const double *z, double *values);
    bool (*event)(void *context, ff_sim *sim, int event, int direction);
    /// Sides on which the values are, +1 or -1, where modes say; NULL: by the values.
    void (*event_signs)(const void *context, int *signs);
    /// Finds its states at the end of an implicit step itself, z = z0 + h zdot(z), and adds its forces; NULL: by an
    /// iteration for all. `close` is the change of a speed that counts as none. @return false when they do not settle
    bool (*settle)(void *context, ff_data *d, const double *z0, double h, double close, double *z, double *zdot);
    /// x = (1 - h dzdot/dz)^-1 x with the slopes of the last settling; goes with `settle`.
    void (*relax)(void *context, double h, double *x);
    /// What it remembers, saved and restored with the simulation; borrowed, as are the places.
    const ff_part_memory *memory;
    int nmemory;
} ff_part;

/// @return number of the part, or -1 with `err` filled
FF_API int ff_sim_add_part(ff_sim *sim, const ff_part *part, ff_error *err);
/// Current states of a part, to read.
FF_API const double *ff_sim_part_state(ff_sim *sim, int part);

// ------------------------------------------------------------------------------------------ tasks, listeners, events

/// Called at offset + k * period, exactly.
typedef struct ff_task {
    const char *name;
    ff_ticks period; // 0: once, at `offset`
    ff_ticks offset; // first call
    bool reads_only; // promises to change nothing: the integrator keeps its memory across the call
    /// Promises not to look at the state, nor to change anything that acts before the next synchronous task: no step
    /// ends for it. It is called ahead, with its own time, once all tasks before it are done.
    bool asynchronous;
    void *context;
    ff_sim_action (*run)(void *context, ff_sim *sim, double t);
} ff_task;
/// @return number of the task, or -1 with `err` filled
FF_API int ff_sim_add_task(ff_sim *sim, const ff_task *task, ff_error *err);

/// Called after every accepted step. May stop the run or change the state.
typedef struct ff_listener {
    void *context;
    ff_sim_action (*step)(void *context, ff_sim *sim, double t);
} ff_listener;
/// @param listener  copied; its context is borrowed    @return FF_OK, FF_BAD_ARGUMENT (no function) or FF_NO_MEMORY
FF_API ff_status ff_sim_add_listener(ff_sim *sim, const ff_listener *listener, ff_error *err);

/// A function of the state whose zeros are instants of interest. adaptive and cvode locate them to event_tolerance and
/// end a step there; the fixed-step methods look at the ends of steps, call the handler at the end of the step in which
/// the sign changed, and hand it an estimate of the crossing time (linear). Two crossings within one step go unseen:
/// bound the step.
typedef struct ff_event {
    const char *name;
    int direction; // +1 rising, -1 falling, 0 both
    void *context;
    /// Poses and velocities of d are those of the state; x is the whole state.
    double (*value)(void *context, double t, const ff_model *m, ff_data *d, const double *x);
    /// Called at the crossing; may be NULL (counted only). `crossing` is the time located or estimated.
    ff_sim_action (*handle)(void *context, ff_sim *sim, double crossing);
} ff_event;
/// @return number of the event, or -1 with `err` filled
FF_API int ff_sim_add_event(ff_sim *sim, const ff_event *event, ff_error *err);

// ------------------------------------------------------------------------------------------ random and saved state

/// A random stream of its own for a caller, seeded by (options.seed, number of the stream), saved and restored with the
/// rest. Valid until ff_sim_destroy. NULL when out of memory.
FF_API ff_random *ff_sim_add_random(ff_sim *sim);
/// Memory of a caller (controller states, contact anchors) that belongs to the saved set: saved and restored byte for
/// byte.
/// @return FF_OK; FF_BAD_ARGUMENT (no address, or after the first run) or FF_NO_MEMORY
FF_API ff_status ff_sim_add_memory(ff_sim *sim, const char *name, void *address, size_t size, ff_error *err);

/// The saved set: time, x, held torques, commands, counters, task counters, event signs, random streams, integrator
/// memory (step size, error history, first stage), registered memory. The layout is in docs/simulation.md. Resuming
/// gives the same bits as going on. With cvode, saving also restarts the integrator of the running simulation, so that
/// both go on alike. Save between runs or from a task (a listener or handler stands in the middle of a step's events);
/// restore between runs.
FF_API size_t ff_sim_save_size(ff_sim *sim);
/// @param size  at least ff_sim_save_size  [byte]
/// @return FF_OK, or FF_BAD_ARGUMENT when the buffer is too small
FF_API ff_status ff_sim_save(ff_sim *sim, void *buffer, size_t size, ff_error *err);
/// `sim` must have the same model, method, parts, tasks, events, streams and memory; what differs is named in `err`
/// (FF_BAD_FILE). On failure the simulation is unchanged.
FF_API ff_status ff_sim_restore(ff_sim *sim, const void *buffer, size_t size, ff_error *err);
/// ff_sim_save into a file. @return also FF_BAD_FILE (cannot be written), FF_NO_MEMORY
FF_API ff_status ff_sim_save_file(ff_sim *sim, const char *path, ff_error *err);
/// ff_sim_restore from a file. @return also FF_NOT_FOUND (cannot be opened), FF_NO_MEMORY
FF_API ff_status ff_sim_restore_file(ff_sim *sim, const char *path, ff_error *err);
/// Hash of time and x, to compare runs bit for bit; any NaN counts as the same.
FF_API uint64_t ff_sim_hash(ff_sim *sim);

// ------------------------------------------------------------------------------------------ profile

typedef enum ff_profile_kind {
    FF_PROFILE_OF_STAGE, // of a step: method, kinematics, dynamics, ...
    FF_PROFILE_OF_PART,  // forces and changes of a part
    FF_PROFILE_OF_TASK   // a controller, sensors, a recorder
} ff_profile_kind;

/// Time spent in one stage of the steps, or in one part or task. Times are exclusive: together they are the time since
/// ff_sim_start_profile.
typedef struct ff_profile_row {
    ff_profile_kind kind;
    const char *name; // memory of the simulation
    double seconds;   // by the clock of the caller  [s]
    long long calls;
} ff_profile_row;

/// Counts from now on where the time goes. Results stay the same bits; a run takes some 10 % longer.
/// @param clock  seconds from any start, steadily rising; called some ten times an evaluation
/// @return FF_OK or FF_NO_MEMORY
FF_API ff_status ff_sim_start_profile(ff_sim *sim, double (*clock)(void *context), void *context, ff_error *err);
/// Row number `row` of the profile, from 0. @return false past the last, and without a profile
FF_API bool ff_sim_profile_row(ff_sim *sim, int row, ff_profile_row *out);

// ------------------------------------------------------------------------------------------ linearisation

/// d(dx)/dt = A dx + B u about the current state and time, dx = (dq, dv, dz) of size n = 2 nv + nz; dq is in velocity
/// coordinates (ff_dyn_difference), u is added to the held torques (nv). Central differences of fourth order; relative
/// accuracy about 1e-11.
/// @param A  row-major n x n    @param B  row-major n x nv, may be NULL
/// @return FF_OK, FF_DIVERGED or FF_NO_MEMORY
FF_API ff_status ff_sim_linearise(ff_sim *sim, double *A, double *B, ff_error *err);
/// n = 2 nv + nz.
FF_API int ff_sim_tangent_size(ff_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
