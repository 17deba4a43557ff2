// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A simulation: one continuous state x = (q, v, part states z) with one derivative, integrators by name, sampled tasks
// at exact times, listeners, located events, saved states, linearisation. Room engine.
//
//     ff_sim_options o = ff_sim_options_default();
//     o.method = FF_METHOD_RK4;
//     ff_sim *sim = ff_sim_create(model, &o, &err);
//     ff_sim_set_q(sim, 0, 0.3);                                // start away from the rest pose
//     ff_status status = ff_sim_run(sim, 10.0, &err);            // FF_OK, FF_STOPPED, FF_DIVERGED, FF_SOLVER
//     ff_sim_destroy(sim);
//
// Parts, tasks, events, memory and recorders are added before the first ff_sim_run, which allocates all arrays. After
// that, steps of euler, rk2, rk4, adaptive and implicit allocate nothing, lock nothing and print nothing.
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
/// @return time of a number of ticks  [s]
FF_API double ff_ticks_to_seconds(ff_ticks ticks);

// ------------------------------------------------------------------------------------------ options

/// Integration methods, described by ff_method_description; docs/simulation.md helps to choose one.
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
/// @return description in a line: kind, order, steps; "" for a number that is no method
FF_API const char *ff_method_description(ff_method method);
/// @return FF_OK, or FF_NOT_FOUND with the list of names in `err`
FF_API ff_status ff_method_find(const char *name, ff_method *method, ff_error *err);
/// False for cvode methods in a build without SUNDIALS.
FF_API bool ff_method_built(ff_method method);

/// Properties of a method, for those who choose one or set it up.
typedef struct ff_method_traits {
    bool implicit; // solves for the end of the step with slopes of the forces: stiff forces do not limit the step
    bool fixed;    // explicit, with steps of options.step whatever the error: stiff forces limit the step
    bool accuracy; // has error control by options.accuracy, and steps of options.step where that is zero
    bool locates;  // ends a step at each event
    bool impulses; // velocities may jump: takes contacts without compliance
    double stable; // largest stable h |lambda|, lambda < 0, of explicit methods with error control; 0: of all others
} ff_method_traits;
/// All false for a number that is no method.
FF_API ff_method_traits ff_method_get_traits(ff_method method);

/// `accuracy` is of the method implicit: positions and angles at the end of a run have errors of at most ten times the
/// accuracy, relative to the distance moved, as long as the motion is not chaotic. Errors are controlled per unit of
/// time.
typedef struct ff_sim_options {
    ff_method method;
    double step;            // of the fixed-step methods; at least one tick  [s]
    double accuracy;        // of implicit only: error over the distance moved; 0: fixed step
    double relative;        // tolerance of adaptive and cvode per component of x
    double absolute;        // the same, absolute  [units of the component]
    double first_step;      // of adaptive, cvode and implicit with accuracy; 0: chosen by the method   [s]
    double max_step;        // of the same methods; 0: no limit, for implicit 50 ms                     [s]
    double event_tolerance; // events are located to this  [s]
    long long max_steps;    // accepted and refused steps in one ff_sim_run before FF_SOLVER; 0: no limit
    bool passive;           // springs, dampers, dry friction and stops of the joints act
    bool actuators;         // the actuators of the model act with the commands of ff_sim_set_command
    bool ledger;            // keep the energy ledger: five integrals after the state, see ff_sim_ledger
    double limit_speed;     // a velocity beyond this counts as diverged  [m/s, rad/s]
    uint64_t seed;          // of all random streams
    uint32_t cookie;        // set by ff_sim_options_default, and checked: options built by hand are refused
} ff_sim_options;

/// Method implicit with the accuracy 1e-3, fixed steps of 1 ms for methods that have them, tolerances 1e-6 (relative)
/// and 1e-9 (absolute), event tolerance 1e-12 s, passive on, actuators off, limit 1e8.
FF_API ff_sim_options ff_sim_options_default(void);
/// Do all steps have the length `step`, except those that a task or the end of a run cuts short?
FF_API bool ff_sim_options_fixed_step(const ff_sim_options *options);

// ------------------------------------------------------------------------------------------ the simulation

typedef struct ff_sim ff_sim;

/// Returned by callbacks; values may be or-ed.
typedef enum ff_sim_action {
    FF_SIM_GO = 0,
    FF_SIM_UNCHANGED = 1, // this task has changed nothing this time, as if it were `reads_only`
    FF_SIM_STOP = 2       // ff_sim_run returns FF_STOPPED after the callbacks of this instant
} ff_sim_action;

/// How far ff_sim_data is evaluated at the state; each stage includes those before it.
typedef enum ff_sim_stage {
    FF_SIM_NOTHING,      // q, v and time alone
    FF_SIM_POSITION,     // poses
    FF_SIM_VELOCITY,     // velocities, passive forces
    FF_SIM_FORCES,       // d->tau, d->wrench: the sum of held, passive, actuator and part forces
    FF_SIM_ACCELERATION, // d->qacc
} ff_sim_stage;

/// @param model  borrowed; NULL: the state is that of the parts alone (plain differential equations), and a run fails
///               after a body, joint, actuator or coordinate was looked up or set
/// @return NULL with `err` filled: FF_BAD_ARGUMENT, FF_NOT_BUILT, FF_NO_MEMORY
FF_API ff_sim *ff_sim_create(const ff_model *model, const ff_sim_options *options, ff_error *err);
/// Frees the simulation with its recorders; NULL is allowed. Borrowed objects (model, world, drives, sensors) stay.
FF_API void ff_sim_destroy(ff_sim *sim);

/// @return the model of the simulation, NULL without one
FF_API const ff_model *ff_sim_model(const ff_sim *sim);
/// @return the options that it was created with
FF_API const ff_sim_options *ff_sim_get_options(const ff_sim *sim);
/// @return quantities of the model at the state, to read: q, v and time between runs and in callbacks; poses and
/// velocities in tasks, events and recorder channels, elsewhere up to the stage of ff_sim_evaluate. NULL without a
/// model. Memory of the simulation; write by the setters below.
FF_API const ff_data *ff_sim_data(const ff_sim *sim);
/// Evaluates ff_sim_data up to a stage; costs nothing when it is there.
/// @return FF_OK; FF_DIVERGED with the likely cause, or FF_NO_MEMORY
FF_API ff_status ff_sim_evaluate(ff_sim *sim, ff_sim_stage stage, ff_error *err);
/// @return the loops of the model, to read; NULL when there are none. Gaps and multipliers are current after
/// ff_sim_evaluate
FF_API const ff_loops *ff_sim_loops(const ff_sim *sim);

// Setters of the state and the inputs, for use between runs and in callbacks (not in derivatives). An index that is out
// of range writes nothing, and the next run reports it. Quaternions need not have length 1: they are normalised when
// the simulation continues. Energy that a change of the state adds or removes is `outside` in the ledger.
/// One coordinate of the position.  [m, rad, quaternion w x y z]  i < nq
FF_API void ff_sim_set_q(ff_sim *sim, int i, double value);
/// One coordinate of the velocity.  [m/s, rad/s]  i < nv
FF_API void ff_sim_set_v(ff_sim *sim, int i, double value);
/// The whole position (nq) and velocity (nv); NULL: unchanged.
FF_API void ff_sim_set_state(ff_sim *sim, const double *q, const double *v);
/// One state of a part.
FF_API void ff_sim_set_part_state(ff_sim *sim, int part, int i, double value);
/// One generalised force, which is held constant and added to all other forces.  [N m, N]  i < nv
FF_API void ff_sim_set_torque(ff_sim *sim, int i, double value);
/// All held generalised forces.  (nv)
FF_API void ff_sim_set_torques(ff_sim *sim, const double *values);
/// Returns to the start: time, tasks, parts, random streams, counters and inputs (commands, held torques, wrenches) as
/// the first run found them. Before the first run inputs become zero, and the rest is unchanged.
/// @param key  a keyframe of the model to start from, in place of the state of the first run; NULL: none
/// @return FF_OK; FF_NOT_FOUND with the nearest name, FF_NO_MEMORY
FF_API ff_status ff_sim_reset(ff_sim *sim, const char *key, ff_error *err);
/// Announces that a force has jumped for a reason that the simulation does not know, such as a part that was switched
/// off between runs or by a listener.
FF_API void ff_sim_forces_jumped(ff_sim *sim);

/// Position (nq), velocity (nv) and held torques (nv), current between runs and in callbacks. Memory of the simulation,
/// to read; position and velocity are NULL without a model.
FF_API const double *ff_sim_q(const ff_sim *sim);
FF_API const double *ff_sim_v(const ff_sim *sim);
FF_API const double *ff_sim_torques(const ff_sim *sim);

/// @return time of the state  [s]
FF_API double ff_sim_time(const ff_sim *sim);
/// @return the whole continuous state (q, v, z of each part in order of adding), to read. @param size  receives its
/// length; may be NULL
FF_API const double *ff_sim_state(ff_sim *sim, int *size);

typedef struct ff_sim_counts {
    long long steps;                    // accepted
    long long refused;                  // tried and refused by the error control
    long long evaluations;              // of the derivative, or of the residual of implicit
    long long iterations;               // of Newton's method (implicit)
    long long factorisations;           // of its matrix
    long long fallbacks;                // tries of implicit that did not converge and were repeated with shorter steps
    long long edges;                    // shortest such steps that were accepted although a force jumps at their end
    long long rough;                    // steps of adaptive with a larger error, where it does not fall with the step
    long long events;                   // located
    long long tasks;                    // calls
    double shortest_step, longest_step; // accepted  [s]
    double rough_from;                  // time of the first rough step  [s]
} ff_sim_counts;
/// @return counters of the work since the start
FF_API ff_sim_counts ff_sim_get_counts(const ff_sim *sim);

/// Runs to the time `until`. Order at one instant: accepted step, listeners, event handlers, then the tasks due, in
/// order of registration. Tasks due at the start time run first; those due at `until` run before the return and not
/// again, so that a run may be cut into pieces. Adaptive and cvode shorten the last step of each piece: show progress
/// from a listener rather than by short pieces.
/// @return FF_OK, FF_STOPPED, FF_DIVERGED (time, body and likely cause in `err`), FF_SOLVER, FF_BAD_ARGUMENT,
/// FF_NO_MEMORY
FF_API ff_status ff_sim_run(ff_sim *sim, double until, ff_error *err);
/// Makes one accepted step, or a shorter one to a task or `until`; calls tasks as ff_sim_run does.
/// @return as ff_sim_run
FF_API ff_status ff_sim_step(ff_sim *sim, double until, ff_error *err);
/// Ends the run after this instant, from any callback. @param reason  copied; may be NULL
FF_API void ff_sim_stop(ff_sim *sim, const char *reason);
/// @return reason why the last run stopped; "" without one
FF_API const char *ff_sim_stop_reason(const ff_sim *sim);

/// Kinetic, potential, elastic (springs and stops), contact and part energies at the current state [J].
typedef struct ff_energy {
    double kinetic, potential, elastic, contacts, parts, total;
} ff_energy;
/// @return energies at the current state
FF_API ff_energy ff_sim_energy(ff_sim *sim);

/// Where the energy went since the first run. The integrals are taken by the method itself, at its order:
///     stored now - stored at the start + lost = work + outside + loops + residual
typedef struct ff_ledger {
    ff_energy stored;                  // now                                            [J]
    double start;                      // stored.total at the start                      [J]
    double lost_normal, lost_friction; // in contacts: along the normal, across it       [J]
    double lost_joints;                // dampers, dry friction and stops of joints      [J]
    double lost_parts;                 // other parts                                    [J]
    double work;     // of actuators, held forces, and parts that report neither energy nor power   [J]
    double outside;  // added by callbacks and callers that wrote the state                         [J]
    double loops;    // added by putting steps back onto the loops of the model                     [J]
    double residual; // made (above zero) or taken (below zero) by the method itself                   [J]
} ff_ledger;
/// @return the ledger; all zero without options.ledger
FF_API ff_ledger ff_sim_ledger(ff_sim *sim);

// ------------------------------------------------------------------------------------------ handles

// Handles of bodies, joints and actuators, found once by name. Handles of different kinds are different types. No
// mistake is silent: after a name that does not exist, or any use of an invalid handle, ff_sim_run and ff_sim_step fail
// with a message that has the name and the nearest valid one. ff_model_find_body and the like check whether a name
// exists. Handles of drives and sensors are in footfall/drives.h and sensors.h.
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

/// Sets the command of an actuator, which is held until the next call. Needs options.actuators.
FF_API void ff_sim_set_command(ff_sim *sim, ff_actuator_id actuator, double value);
/// Sets the activation of an actuator that has one (ff_actuator.state), such as a muscle: a state of the simulation.
FF_API void ff_sim_set_activation(ff_sim *sim, ff_actuator_id actuator, double value);
FF_API double ff_sim_activation(ff_sim *sim, ff_actuator_id actuator);

/// Moves a mocap body (ff_body.mocap, MJCF's mocap="true") with all that is fixed to it, from a task or between runs.
/// It has no velocity: forces of contacts depend on its pose alone. For a body of another kind, and numbers that are
/// not finite, nothing changes, and the next run reports them. ff_dyn_body_pose returns its pose.
/// @param pos   of its frame, in the world; NULL: unchanged  [m]
/// @param quat  NULL: unchanged; need not have length 1
FF_API void ff_sim_set_mocap(ff_sim *sim, ff_body_id body, const double pos[3], const double quat[4]);

/// Axes in which a vector is given.
typedef enum ff_axes { FF_AXES_WORLD, FF_AXES_BODY } ff_axes;
/// Applies a force and a moment to a body, in place of earlier ones, and holds them until the next call, from a task or
/// between runs. Numbers that are not finite, and axes that do not exist, are not applied, and the next run reports
/// them with the name of the body.
/// @param force   NULL: none  [N]
/// @param moment  NULL: none  [N m]
/// @param point   where the force acts, in the body's frame; NULL: at its origin  [m]
/// @param axes    of force and moment: those of the world, or of the body, with which they then turn
FF_API void ff_sim_apply(ff_sim *sim, ff_body_id body, const double force[3], const double moment[3],
                         const double point[3], ff_axes axes);
/// Position, speed and held torque of a hinge or slide  [rad, m], [rad/s, m/s], [N m, N]. For another joint, and for an
/// invalid handle, NaN is returned and nothing is set, and the next run reports it.
FF_API double ff_sim_joint_position(const ff_sim *sim, ff_joint_id joint);
FF_API double ff_sim_joint_speed(const ff_sim *sim, ff_joint_id joint);
FF_API void ff_sim_set_joint_torque(ff_sim *sim, ff_joint_id joint, double torque);

// ------------------------------------------------------------------------------------------ continuous subsystems

/// Why a part has to accept the state.
typedef enum ff_accept_reason {
    FF_ACCEPT_STEP,    // at the end of a step
    FF_ACCEPT_PIECE,   // at the end of a piece of a step that was cut; the time is that before the step
    FF_ACCEPT_WRITTEN, // the state was written from outside
} ff_accept_reason;

/// A block of memory.
typedef struct ff_part_memory {
    void *address;
    size_t size; // [byte]
} ff_part_memory;

/// A subsystem (drive, contact, filter, sensor). The functions of the first group are pure in (t, q, v, z): they may be
/// called at trial states. All functions may be NULL, except `derivative` of a part with states or forces.
typedef struct ff_part {
    const char *name; // unique; copied
    int nstate;       // number of its states z, zero allowed
    void *context;    // borrowed
    /// Fills zdot (nstate); may add to d->tau and call ff_dyn_apply_force. Poses and velocities in d are current; d is
    /// NULL without a model.
    void (*derivative)(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot);
    double (*energy)(void *context, double t, const ff_model *m, ff_data *d,
                     const double *z); // stored  [J]
    double (*power)(void *context, double t, const ff_model *m, ff_data *d,
                    const double *z); // dissipated  [W]
    /// Called after `derivative` at the same state. Adds -d tau_i / d q_i and -d tau_i / d v_i of its forces (nv each),
    /// which the implicit method needs where they are stiff (beyond M / h^2 and M / h). Without the entries beside the
    /// diagonal the iteration is slower.
    void (*slope)(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *stiffness,
                  double *damping);
    /// Power brought in from outside, such as from a battery  [W]. It is `work` in the ledger.
    double (*supply)(void *context, double t, const ff_model *m, ff_data *d, const double *z);
    /// For each state that is a position, the number of the state that is its speed; -1 for other states; borrowed
    /// (nstate). Method euler moves such positions with the new speeds, as it does with joints.
    const int *rate_of;

    // Discrete state, which changes between steps and not within.
    /// Changes modes, springs, teeth by the state of the simulation, whose poses and velocities are current.
    /// @return whether a state or a force changed
    bool (*accept)(void *context, ff_sim *sim, ff_accept_reason reason);
    /// Restarts from the state that ff_sim_reset has written.
    void (*restart)(void *context, ff_sim *sim);
    /// Longest step from this state, such as one in which bodies do not pass through each other; 0: any  [s]
    double (*longest_step)(const void *context);
    /// Functions of the state at whose zeros methods that locate events end a step: number, direction of crossings that
    /// count (0: both), values by the poses and velocities in d, and a handler of crossings (@return whether a state or
    /// a force changed).
    int nevent, event_direction;
    void (*event_values)(void *context, ff_data *d, const double *z, double *values);
    bool (*event)(void *context, ff_sim *sim, int event, int direction);
    /// Signs of the values, +1 or -1, where modes define them; NULL: signs of the values themselves.
    void (*event_signs)(const void *context, int *signs);
    /// Solves for the states at the end of a stage of an implicit step, z = z0 + h zdot(z) with its length h, and adds
    /// the forces; NULL: the method iterates. `close` is the tolerance of speeds. @return false without convergence
    bool (*settle)(void *context, ff_data *d, const double *z0, double h, double close, double *z, double *zdot);
    /// Memory that is saved and restored with the simulation; borrowed.
    const ff_part_memory *memory;
    int nmemory;
} ff_part;

/// @return number of the part, or -1 with `err` filled
FF_API int ff_sim_add_part(ff_sim *sim, const ff_part *part, ff_error *err);
/// @return current states of a part, to read
FF_API const double *ff_sim_part_state(ff_sim *sim, int part);

// ------------------------------------------------------------------------------------------ tasks, listeners, events

/// Called at offset + k * period, exactly.
typedef struct ff_task {
    const char *name;
    ff_ticks period; // 0: once, at `offset`
    ff_ticks offset; // first call
    bool reads_only; // the task changes nothing: the integrator keeps its memory across the call
    /// The task neither reads the state nor changes anything that acts before the next synchronous task. No step ends
    /// for it: it is called early, with its own time, once all tasks before it are done.
    bool asynchronous;
    void *context;
    ff_sim_action (*run)(void *context, ff_sim *sim, double t);
} ff_task;
/// @return number of the task, or -1 with `err` filled
FF_API int ff_sim_add_task(ff_sim *sim, const ff_task *task, ff_error *err);

/// A function that is called after every accepted step, and may stop the run or change the state.
typedef struct ff_listener {
    void *context;
    ff_sim_action (*step)(void *context, ff_sim *sim, double t);
} ff_listener;
/// @param listener  copied; its context is borrowed    @return FF_OK, FF_BAD_ARGUMENT (no function) or FF_NO_MEMORY
FF_API ff_status ff_sim_add_listener(ff_sim *sim, const ff_listener *listener, ff_error *err);

/// A function of the state whose zeros are instants of interest. Adaptive and cvode locate them to event_tolerance and
/// end a step there. Other methods compare the ends of steps and call the handler at the end of the step in which the
/// sign changed, with a linear estimate of the crossing time. Two crossings within one step are not found: limit the
/// step.
typedef struct ff_event {
    const char *name;
    int direction; // +1 rising, -1 falling, 0 both
    void *context;
    /// @return value at the state x, whose poses and velocities are in d
    double (*value)(void *context, double t, const ff_model *m, ff_data *d, const double *x);
    /// Called at the crossing; NULL: crossings are only counted. `crossing` is the time located or estimated.
    ff_sim_action (*handle)(void *context, ff_sim *sim, double crossing);
} ff_event;
/// @return number of the event, or -1 with `err` filled
FF_API int ff_sim_add_event(ff_sim *sim, const ff_event *event, ff_error *err);

// ------------------------------------------------------------------------------------------ random and saved state

/// Adds a random stream for a caller, seeded by (options.seed, number of the stream), which is saved and restored with
/// the simulation. @return the stream, valid until ff_sim_destroy; NULL when out of memory or after the first run
FF_API ff_random *ff_sim_add_random(ff_sim *sim);
/// Adds memory of a caller (states of a controller) to the saved state: it is saved and restored byte for byte.
/// @return FF_OK; FF_BAD_ARGUMENT (no address, or after the first run) or FF_NO_MEMORY
FF_API ff_status ff_sim_add_memory(ff_sim *sim, const char *name, void *address, size_t size, ff_error *err);

// A saved state has time, x, held torques, commands, counters, task counters, event signs, random streams, memory of
// the integrator (step size, error history, first stage) and registered memory; docs/simulation.md has the layout. A
// run that resumes is bit-identical to one that was not interrupted. With cvode, saving also restarts the integrator of
// the running simulation, so that both continue alike. Save between runs or from a task, not from a listener or
// handler; restore between runs.
/// @return size of a saved state, 0 without memory  [byte]
FF_API size_t ff_sim_save_size(ff_sim *sim);
/// @param size  at least ff_sim_save_size  [byte]
/// @return FF_OK, or FF_BAD_ARGUMENT when the buffer is too small
FF_API ff_status ff_sim_save(ff_sim *sim, void *buffer, size_t size, ff_error *err);
/// Restores a saved state. `sim` must have the same model, method, parts, tasks, events, streams and memory.
/// @return FF_OK, or FF_BAD_FILE with the difference in `err`; then the simulation is unchanged
FF_API ff_status ff_sim_restore(ff_sim *sim, const void *buffer, size_t size, ff_error *err);
/// ff_sim_save into a file. @return also FF_BAD_FILE (cannot be written), FF_NO_MEMORY
FF_API ff_status ff_sim_save_file(ff_sim *sim, const char *path, ff_error *err);
/// ff_sim_restore from a file. @return also FF_NOT_FOUND (cannot be opened), FF_NO_MEMORY
FF_API ff_status ff_sim_restore_file(ff_sim *sim, const char *path, ff_error *err);
/// @return hash of time and x, to compare runs bit for bit; all NaN count as equal
FF_API uint64_t ff_sim_hash(ff_sim *sim);

// ------------------------------------------------------------------------------------------ profile

typedef enum ff_profile_kind {
    FF_PROFILE_OF_STAGE, // of a step: method, kinematics, dynamics, ...
    FF_PROFILE_OF_PART,  // forces and discrete changes of a part
    FF_PROFILE_OF_TASK   // such as a controller, sensors, a recorder
} ff_profile_kind;

/// Time spent in one stage of the steps, or in one part or task. Times are exclusive: together they are the time since
/// ff_sim_start_profile.
typedef struct ff_profile_row {
    ff_profile_kind kind;
    const char *name; // memory of the simulation
    double seconds;   // by the clock of the caller  [s]
    long long calls;
} ff_profile_row;

/// Measures from now on how much time each stage, part and task takes. Results do not change; a run takes about 10 %
/// longer.
/// @param clock  returns a monotonic time; called about ten times in an evaluation  [s]
/// @return FF_OK or FF_NO_MEMORY
FF_API ff_status ff_sim_start_profile(ff_sim *sim, double (*clock)(void *context), void *context, ff_error *err);
/// Reads row number `row` of the profile, from 0. @return false after the last, and without a profile
FF_API bool ff_sim_profile_row(ff_sim *sim, int row, ff_profile_row *out);

// ------------------------------------------------------------------------------------------ linearisation

/// Linearises about the current state and time: d(dx)/dt = A dx + B u, dx = (dq, dv, dz) of size n = 2 nv + nz; dq is
/// in velocity coordinates (ff_dyn_difference), u is added to the held torques (nv). Central differences of fourth
/// order; relative accuracy about 1e-11.
/// @param A  row-major n x n    @param B  row-major n x nv, may be NULL
/// @return FF_OK, FF_DIVERGED or FF_NO_MEMORY
FF_API ff_status ff_sim_linearise(ff_sim *sim, double *A, double *B, ff_error *err);
/// @return n = 2 nv + nz
FF_API int ff_sim_tangent_size(ff_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
