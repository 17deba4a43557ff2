// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Many identical robots in one loop, for learning, optimisation and tests of controllers by the thousand. Several
// robots are stepped together in the lanes of vector instructions; a step has no callbacks and allocates nothing.
// Equations and order of operations are those of a simulation with the method euler, including contact forces with
// their history. Results are bit-identical for any number of lanes, threads and robots. Features of a simulation that a
// batch lacks are refused by name. docs/batch.md is the manual. Whole simulations over threads: team.h.
//
//     ff_batch_servo servo = {.joint = -1, .stiffness = 60, .damping = 1};             // of every hinge and slide
//     ff_batch_model *model = ff_batch_compile(sim, &servo, 1, &report);                // NULL: report says why
//     ff_batch *batch = ff_batch_create(model, &(ff_batch_options){.robots = 4096}, &err);
//     for (...) {
//         ff_batch_set_targets(batch, robot, position, NULL, NULL, &err);              // of each robot, then
//         ff_batch_step(batch, 10, &err);
//         ff_batch_get_state(batch, robot, q, v, &err);
//     }
//     ff_batch_destroy(batch);  ff_batch_model_destroy(model);
#ifndef FOOTFALL_BATCH_H
#define FOOTFALL_BATCH_H

#include <footfall/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ the model

/// A DC motor with gear, whose winding has no inductance (ff_dc_motor, ff_gear_loss in drive_parts.h). Its torque is
/// that of the current that the servo demands, bounded by the voltage, minus friction and losses of the gear. The
/// inertia of its rotor is armature of the joint in the model.
typedef struct ff_batch_motor {
    double constant;       // torque a current and voltage a speed, 0: no motor      [N m/A, V s/rad]
    double resistance;     // above 0                                                [ohm]
    double voltage;        // largest magnitude, 0: no bound                         [V]
    double gear;           // turns of the motor for one of the joint, above 0       [1, rad/m]
    double efficiency;     // of the gear, above 0, up to 1
    double viscous;        // friction of the motor                                  [N m s/rad]
    double dry, dry_speed; // Coulomb friction of the motor; speed below which that and losses of the gear decrease,
                           // above 0 if there are any                               [N m], [rad/s]
    double current;        // largest magnitude, 0: no bound                         [A]
} ff_batch_motor;

/// Sampling of the loop of a servo. All zero: the loop is continuous.
typedef struct ff_batch_loop {
    int period;      // integration steps from one sample to the next; torque, or voltage of the motor, is held between.
                     // The first step of a robot is a sample. 0: not sampled
    double encoder;  // resolution of the measured position, whose difference gives the speed; 0: perfect  [rad, m]
    int frame;       // of a hobby servo, in place of `period`: integration steps for which a position target is held;
                     // its regulator is continuous and has no other targets
    double notch;    // resolution of these targets, 0: any                  [rad, m]
    double reach[2]; // position targets are clamped to these bounds; equal: no bounds  [rad, m]
} ff_batch_loop;

/// A servo on a hinge or slide: tau = clamp(stiffness (position - q) + damping (speed - v) + torque), with the targets
/// position, speed and torque of each robot. With only damping it is a velocity servo, without gains a torque source.
/// The limit that falls with the speed and the motor, if it has them, reduce tau further.
typedef struct ff_batch_servo {
    int joint;        // of the model, -1: every hinge and slide that no other servo of the list drives
    double stiffness; // [N m/rad, N/m]
    double damping;   // [N m s/rad, N s/m]
    double most;      // largest magnitude of tau, 0: no limit  [N m, N]
    double no_load;   // speed at which `most` has fallen to zero while the servo drives (ff_motor_line), 0: none
                      // [rad/s, m/s]
    int delay;        // steps after which a target acts, 0 to 1000, the same for all servos. Robots may draw less, or
                      // any if it is 0 (FF_BATCH_DELAY). Until then the targets of the start act
    ff_batch_motor motor;
    ff_batch_loop loop;
} ff_batch_servo;

/// A robot with its ground as numbers and indices. Immutable: any number of batches and threads share it.
typedef struct ff_batch_model ff_batch_model;

/// Compiles model, contacts, step and start of a simulation: its present state, with the memory of its contacts,
/// becomes the start of every robot. Held torques of the simulation become torque targets, its commands those of the
/// actuators. The method must be euler; each feature that a batch does not support (docs/batch.md lists them) is an
/// error of `report` with its name and, if it has one, its place.
/// @param sim     prepared for its first step if necessary, else not changed; not needed afterwards
/// @param servos  may be NULL; positions start where the joints are  (nservo)
/// @return NULL when there were errors
FF_API ff_batch_model *ff_batch_compile(ff_sim *sim, const ff_batch_servo *servos, int nservo, ff_report *report);
/// Frees it, after its batches; NULL is allowed.
FF_API void ff_batch_model_destroy(ff_batch_model *model);

typedef struct ff_batch_sizes {
    int nq, nv;    // as in the model of the simulation
    int nservo;    // in the order of joints
    int nactuator; // in the order of the model
    int npoint;    // contact points: one of a sphere, two of a capsule, eight of a box, for each plane or field
    int nrow;      // numbers of the state of one robot
    double step;   // [s]
    double height; // of the first free root above the ground at the start, 0: there is none  [m]
} ff_batch_sizes;
FF_API ff_batch_sizes ff_batch_model_sizes(const ff_batch_model *model);
/// Joint of a servo in the model of the simulation, -1 beyond the last.
FF_API int ff_batch_servo_joint(const ff_batch_model *model, int servo);

// ------------------------------------------------------------------------------------------ the batch

/// Quantities that may differ from robot to robot: factors, 1 unless set, and the start.
typedef enum ff_batch_parameter {
    FF_BATCH_FRICTION,                           // of the friction coefficients of all contacts
    FF_BATCH_CONTACT_STIFFNESS,                  // of stiffness and damping of all contacts
    FF_BATCH_MASS,                               // of masses and inertias of all bodies
    FF_BATCH_GAIN,                               // of stiffness and damping of all servos
    FF_BATCH_PARAMETERS,                         // number of factors
    FF_BATCH_START_HEIGHT = FF_BATCH_PARAMETERS, // added to the height of free roots       [m]
    FF_BATCH_START_JOINTS,                       // added to each hinge and slide           [rad, m]
    FF_BATCH_START_SPEEDS,                       // added to each velocity                  [m/s, rad/s]
    FF_BATCH_START_X,                            // added to x of all free roots; the robot is lifted or lowered so that
    FF_BATCH_START_Y,                            // its gap to the ground stays; likewise y [m]
    FF_BATCH_DELAY,                              // of all servos in place of their own, or where they have none; whole
                                                 // [steps]
    FF_BATCH_INERTIA,        // factor of the inertias of bodies about their centres of mass; masses stay
    FF_BATCH_COM_X,          // added to the centre of mass of bodies, a draw each, their axes   [m]
    FF_BATCH_COM_Y,          //
    FF_BATCH_COM_Z,          //
    FF_BATCH_PAYLOAD,        // mass added at the centre of mass of a body, by default the first   [kg]
    FF_BATCH_START_TILT,     // tilt of free roots, in a direction that is also drawn   [rad]
    FF_BATCH_NOISE,          // factor of all noise of sensors, those of a scene included; bias stays
    FF_BATCH_PUSH_FORCE,     // level push on the first root, as ff_batch_push; it needs a duration   [N]
    FF_BATCH_PUSH_DIRECTION, // from the x axis to the left, 0 without it   [rad]
    FF_BATCH_PUSH_TIME,      // when it begins, 0 without it   [s]
    FF_BATCH_PUSH_DURATION,  // [s]
    FF_BATCH_QUANTITIES
} ff_batch_parameter;
/// "friction", "contact_stiffness", "mass", "gain", "start_height", "start_joints", "start_speeds", "start_x",
/// "start_y", "delay", "inertia", "com_x", "com_y", "com_z", "payload", "start_tilt", "noise", "push_force",
/// "push_direction", "push_time", "push_duration"; NULL for a number that is none.
FF_API const char *ff_batch_parameter_name(ff_batch_parameter parameter);

/// Reason why a robot has ended: it is not stepped any more.
typedef enum ff_batch_end {
    FF_BATCH_LIVES,    // it has not ended
    FF_BATCH_DIVERGED, // its next state would not have been finite or within bounds: it keeps the last valid one
    FF_BATCH_FELL,     // its root came below the least height or tilted too far (ff_batch_options)
    FF_BATCH_FINISHED, // the condition ff_batch_options.end held after a step
    FF_BATCH_ENDS
} ff_batch_end;

/// How the draws of a quantity are distributed.
typedef enum ff_batch_distribution {
    FF_BATCH_UNIFORM,     // between two ends
    FF_BATCH_LOG_UNIFORM, // the logarithm is uniform: as likely between 1/2 and 1 as between 1 and 2
    FF_BATCH_NORMAL,      // mean, deviation; a factor must have bounds
    FF_BATCH_CHOICE,      // one of some values
    FF_BATCH_DISTRIBUTIONS
} ff_batch_distribution;
/// "uniform", "log_uniform", "normal", "choice"; NULL for a number that is none.
FF_API const char *ff_batch_distribution_name(ff_batch_distribution kind);

/// An entry of the table of distributions. Each robot draws its own value whenever it begins, from a random stream
/// given by the seed, the number of the robot and how often it has begun, so that it does not depend on the number of
/// robots.
typedef struct ff_batch_spread {
    ff_batch_parameter quantity;
    double low, high;           // ends; bounds of a normal distribution (draws beyond are repeated), both 0: none
    ff_batch_distribution kind; // FF_BATCH_UNIFORM without it
    double mean, deviation;     // of a normal one
    const double *values;       // of a choice, each as likely as the others  (nvalue)
    int nvalue;
    // Name of the one element that it is about; NULL: all. mass, inertia, com_x, com_y, com_z, payload: a body;
    // friction and contact_stiffness: a shape or foot; gain: a joint with a servo; start_joints, start_speeds: a hinge
    // or slide. Factors of one element and of all are multiplied.
    const char *which;
} ff_batch_spread;
enum { FF_BATCH_SPREADS_MOST = 32 }; // entries of a table
/// Finds the quantity of "mass" or "mass.torso". @param which  out: text after the first dot, or NULL
/// @return FF_OK, or FF_BAD_ARGUMENT with the known names
FF_API ff_status ff_batch_spread_find(const char *name, ff_batch_parameter *quantity, const char **which,
                                      ff_error *err);
/// Makes an entry from the name of a distribution and its numbers: two ends of "uniform" and "log_uniform", mean,
/// deviation and optionally two bounds of "normal", the values of "choice", which are borrowed.
/// @return FF_BAD_ARGUMENT for an unknown name or a wrong count
FF_API ff_status ff_batch_spread_make(ff_batch_spread *out, ff_batch_parameter quantity, const char *kind,
                                      const double *numbers, int count, ff_error *err);

/// Noise of the values of ff_batch_sense: standard deviations of normal distributions, 0: none.
typedef struct ff_batch_noise {
    double position;      // of joints        [rad, m]
    double speed;         // of joints        [rad/s, m/s]
    double gyro;          // [rad/s]
    double accelerometer; // [m/s^2]
    double force;         // of each component at a foot  [N]
} ff_batch_noise;

typedef struct ff_batch_options {
    int robots;  // 1 to 2^30 - 1
    int threads; // up to 1024; 0: ff_team_processors()
    int lanes;   // 1, 2, 4 or 8, if the processor has them; 0: the largest number. Results do not depend on it
    int device;  // 1: on a GPU, which ignores threads and lanes; bit-identical results. See ff_batch_device_missing
    int fast;    // 1: a device, or code for the model, may fuse multiplications and additions, which changes rounding
    int single;  // 1: a device computes in single precision, with seven digits, for learning and search, not for
                 // accurate forces; `fast` has no effect then. Draws and values that are read stay doubles
    // 1: a C compiler ($CC, clang or cc) makes code for the model in some seconds, which the processor then uses for
    // the steps, and which is stored in $XDG_CACHE_HOME/footfall or ~/.cache/footfall. Results are bit-identical
    // without `fast`. Without a compiler the general loop is used (ff_batch_kernel_reason). A device always has such
    // code
    int specialise;
    uint64_t seed;
    const ff_batch_spread *spreads; // copied, with their values and names  (nspread)
    int nspread;
    double least_height; // a robot whose first free root is lower above the ground has fallen; 0: none. The ground is
                         // the height field below the root, if there is one; else the highest plane under the root at
                         // the start, or z = 0. On a sloping plane its height at the start is used throughout  [m]
    double most_tilt;    // a robot whose z axis has a larger angle to the vertical has fallen; 0: none, up to pi  [rad]
    ff_batch_noise noise;
    // Formulas over the quantities of a robot (docs/batch.md lists them), evaluated after each of its steps; copied
    const char *end;            // a condition, such as "height < 0.06 or tilt > 0.8", that ends a robot; NULL: none
    const char *reward;         // a number, which is summed (ff_batch_reward), such as "forward * step"; NULL: none
    const char *const *observe; // values of ff_batch_observe  (nobserve)
    int nobserve;
} ff_batch_options;

typedef struct ff_batch ff_batch;

/// Usual limits of a fall: half the height at the start, and a tilt of 1 rad. Both are 0 (none) without a free root.
FF_API void ff_batch_default_falls(const ff_batch_model *model, double *least_height, double *most_tilt);

/// Creates a batch with all robots at the start.
/// @param model  borrowed; must outlive the batch
/// @return NULL with FF_BAD_ARGUMENT (no model, or a number out of range, which the message names) or FF_NO_MEMORY in
///         `err`, or FF_STOPPED (ff_stop); for a device also FF_NOT_BUILT, FF_NOT_FOUND or FF_LIMIT (more than 128
///         degrees of freedom, or a tree more than 32 deep)
FF_API ff_batch *ff_batch_create(const ff_batch_model *model, const ff_batch_options *options, ff_error *err);
FF_API void ff_batch_destroy(ff_batch *batch);
/// Reason why batches cannot run on a GPU here; NULL: they can. Static memory.
FF_API const char *ff_batch_device_missing(void);
/// The model and the options of a batch, which owns them. NULL for NULL. Texts of formulas are empty there, or NULL if
/// there was none.
FF_API const ff_batch_model *ff_batch_get_model(const ff_batch *batch);
FF_API const ff_batch_options *ff_batch_get_options(const ff_batch *batch);
/// Number of lanes in use; 0 for NULL.
FF_API int ff_batch_lanes(const ff_batch *batch);
/// The code that makes the steps: "specialised", compiled for the model; else "lanes" of the processor, or "general" of
/// a device, which are slower and bit-identical. NULL for NULL. Static memory.
FF_API const char *ff_batch_kernel_name(const ff_batch *batch);
/// Reason why a device, or a processor with `specialise`, has no code for the model, with the first error of the
/// compiler; NULL if it has, or without `specialise`. The batch owns it.
FF_API const char *ff_batch_kernel_reason(const ff_batch *batch);
/// The compiler that made code for the model on a processor, such as "clang 14.0.6" or "GCC 12.2.0", which is slower
/// (docs/batch.md); NULL elsewhere. It belongs to the batch.
FF_API const char *ff_batch_kernel_compiler(const ff_batch *batch);
/// The i-th number of lanes that this build and this processor support, in ascending order; 0 beyond the last.
FF_API int ff_batch_lanes_there(int i);

/// Makes `steps` steps of every robot that has not ended, with its present targets and commands.
/// @return FF_OK, also where robots end (ff_batch_count); FF_BAD_ARGUMENT, FF_NO_MEMORY (threads) or FF_SOLVER (the
///         device failed)
FF_API ff_status ff_batch_step(ff_batch *batch, int steps, ff_error *err);

// The following five have no status: if the device has failed they return the last values read from it, and
// ff_batch_get_state reports the failure.

/// Number of robots that ended for that reason, or live; 0 for NULL.
FF_API int ff_batch_count(const ff_batch *batch, ff_batch_end end);
/// Whether and why a robot has ended; FF_BATCH_DIVERGED for a number that is no robot.
FF_API ff_batch_end ff_batch_end_of(const ff_batch *batch, int robot);
/// Number of steps of a robot since it began.
FF_API int64_t ff_batch_age(const ff_batch *batch, int robot);
/// Sum of the reward over the steps of a robot since it began, or since ff_batch_clear_rewards; the step in which it
/// fell or finished counts. 0 without a formula and for a number that is no robot.
FF_API double ff_batch_reward(const ff_batch *batch, int robot);
/// Sets the sums of rewards of all robots to 0.
FF_API void ff_batch_clear_rewards(ff_batch *batch);

// Each of the following returns FF_OK; FF_BAD_ARGUMENT for a number that is no robot or a value that is not allowed;
// FF_SOLVER where robots cannot be read back from the device. Then the robot stays as it was, and so do the outputs.

/// Resets a robot to the start: state, contacts, age, and new draws from the table of distributions. Other parameters,
/// targets and commands stay.
FF_API ff_status ff_batch_reset(ff_batch *batch, int robot, ff_error *err);
/// Resets a robot with its own seed: from now on its draws and noise are those of robot 0 of a new batch with that
/// seed, independent of its number and of how often it began.
FF_API ff_status ff_batch_reset_seeded(ff_batch *batch, int robot, uint64_t seed, ff_error *err);
/// Resets several robots in one call, on a device without copying robots.
/// @param seeds  own seeds of these robots; NULL: as ff_batch_reset  (count)
/// @return as those; FF_BAD_ARGUMENT if a number is no robot: then no robot is reset
FF_API ff_status ff_batch_reset_some(ff_batch *batch, const int *robots, const uint64_t *seeds, int count,
                                     ff_error *err);
/// Ends a step of a vector environment, on a device without copying robots. Stores end, reward and age of each robot
/// (FF_BATCH_ARRAY_LAST_ENDED, ..) and its observations (FF_BATCH_ARRAY_FINAL). Then it resets robots that have ended,
/// or have made `age` steps, as ff_batch_reset does, with the targets of the start, and observes all robots
/// (FF_BATCH_ARRAY_OBSERVATION).
/// @param age  largest number of steps of a robot, 1 or more  @return FF_OK, FF_BAD_ARGUMENT or FF_SOLVER (the device
///             failed)
FF_API ff_status ff_batch_renew(ff_batch *batch, int64_t age, ff_error *err);
/// Gets the state of a robot; each may be NULL.  (nq), (nv)
FF_API ff_status ff_batch_get_state(const ff_batch *batch, int robot, double *q, double *v, ff_error *err);
/// Sets a state, all finite, quaternions of any length above zero; NULL: unchanged. The robot begins again there, with
/// contacts without memory, age 0, and a new random stream; factors stay.
FF_API ff_status ff_batch_set_state(ff_batch *batch, int robot, const double *q, const double *v, ff_error *err);
/// Sets targets of the servos; NULL: unchanged. NaN ends this robot in the next step.  (nservo)
FF_API ff_status ff_batch_set_targets(ff_batch *batch, int robot, const double *position, const double *speed,
                                      const double *torque, ff_error *err);
/// Gets the targets of the servos of a robot; each may be NULL.  (nservo)
FF_API ff_status ff_batch_get_targets(const ff_batch *batch, int robot, double *position, double *speed, double *torque,
                                      ff_error *err);
/// Sets the commands of the actuators.  (nactuator)
FF_API ff_status ff_batch_set_commands(ff_batch *batch, int robot, const double *command, ff_error *err);
/// Sets a factor of a robot. @param value  above zero; of the friction zero or more
FF_API ff_status ff_batch_set_parameter(ff_batch *batch, int robot, ff_batch_parameter parameter, double value,
                                        ff_error *err);
/// Gets a factor that a robot has drawn or that was set.
FF_API ff_status ff_batch_get_parameter(const ff_batch *batch, int robot, ff_batch_parameter parameter, double *out,
                                        ff_error *err);

/// The number that a robot drew from an entry of the table when it began last; the last one of an entry that draws
/// several (com_x of all bodies, start_joints, ..).
FF_API ff_status ff_batch_get_draw(const ff_batch *batch, int robot, int entry, double *out, ff_error *err);
/// Name of an entry of the table, such as "mass" or "mass.torso", owned by the batch. NULL for a number that is none.
FF_API const char *ff_batch_spread_name(const ff_batch *batch, int entry);

/// Pushes the first root of a robot at its origin for some steps, from now on; it replaces an earlier push.
/// @param force  world axes  [N]
FF_API ff_status ff_batch_push(ff_batch *batch, int robot, const double force[3], int steps, ff_error *err);

/// A contact point of a robot, as it was in the last step.
typedef struct ff_batch_contact_state {
    int mode;         // ff_contact_mode
    double spring[3]; // deflection of the friction spring after the step  [m]
    double force[3];  // on the robot, world axes  [N]
} ff_batch_contact_state;
FF_API ff_status ff_batch_get_contact(const ff_batch *batch, int robot, int point, ff_batch_contact_state *out,
                                      ff_error *err);

/// Number of values of ff_batch_sense.
FF_API int ff_batch_sense_count(const ff_batch_model *model);
/// Sensor values of a robot after its last step: positions of the servos' joints (nservo), their speeds (nservo); with
/// a free root its angular velocity (3) and the specific force at its origin (3), body axes; forces on the feet and
/// hands of the model, world axes (3 each). Noise depends on seed, robot, number of resets and age, so repeated calls
/// give the same values. The specific force of a robot that ended is that of its last valid step.
/// @param out  (ff_batch_sense_count)
FF_API ff_status ff_batch_sense(const ff_batch *batch, int robot, double *out, ff_error *err);

/// Number of channels of sensors of the scene that a batch has (ff_run_compile_batch); 0 for NULL.
FF_API int ff_batch_channel_count(const ff_batch_model *model);
/// Name of the i-th channel in formulas, "sensors.gyro.x", "'sensors.left-foot.fx'", owned by the model; NULL beyond
/// the last.
FF_API const char *ff_batch_channel_name(const ff_batch_model *model, int i);

/// Values of the formulas ff_batch_options.observe for the present state of a robot. Only "sensors.NAME.CHANNEL" has
/// noise, which depends on the same numbers as that of ff_batch_sense.
/// @param out  (nobserve)
FF_API ff_status ff_batch_observe(const ff_batch *batch, int robot, double *out, ff_error *err);

/// Computes these values of all robots into FF_BATCH_ARRAY_OBSERVATION, on a device in its memory.
/// @return FF_OK, FF_BAD_ARGUMENT or FF_SOLVER (the device failed)
FF_API ff_status ff_batch_observe_all(ff_batch *batch, ff_error *err);

/// Arrays of all robots that can be accessed in place.
typedef enum ff_batch_array {
    FF_BATCH_ARRAY_Q,        // to read  (nq)
    FF_BATCH_ARRAY_V,        // to read  (nv)
    FF_BATCH_ARRAY_POSITION, // targets of the servos, to write  (nservo)
    FF_BATCH_ARRAY_SPEED,
    FF_BATCH_ARRAY_TORQUE,
    FF_BATCH_ARRAY_REWARD,      // (1)
    FF_BATCH_ARRAY_ENDED,       // ff_batch_end  (1)
    FF_BATCH_ARRAY_AGE,         // [steps]  (1)
    FF_BATCH_ARRAY_OBSERVATION, // after ff_batch_observe_all and ff_batch_renew  (nobserve)
    FF_BATCH_ARRAY_FINAL,       // at the last ff_batch_renew, before robots were reset, as the next three
    FF_BATCH_ARRAY_LAST_ENDED,
    FF_BATCH_ARRAY_LAST_REWARD,
    FF_BATCH_ARRAY_LAST_AGE,
    FF_BATCH_ARRAYS
} ff_batch_array;
/// "q", "v", "position", "speed", "torque", "reward", "ended", "age", "observation", "final", "last_ended",
/// "last_reward", "last_age"; NULL for a number that is none.
FF_API const char *ff_batch_array_name(ff_batch_array array);
/// Number k of robot i is data[(i / lanes) * block_stride + i % lanes + k * row_stride].
typedef struct ff_batch_view {
    double *data; // of the batch, as long as it lives; memory of a device where `device` is 0 or more
    int device;   // -1: the processor
    int blocks, lanes, count;
    long long block_stride, row_stride; // [doubles]
} ff_batch_view;
/// Address of an array of all robots, for access without a copy. Steps change it in place. Targets of a batch on a
/// device are written either there or with ff_batch_set_targets, whose next call overwrites them.
/// @return FF_BAD_ARGUMENT, or FF_SOLVER (the device failed)
FF_API ff_status ff_batch_view_of(ff_batch *batch, ff_batch_array array, ff_batch_view *out, ff_error *err);
/// Copies an array of all robots, robot by robot; from a device only this array.
/// @param out  (robots*count, count as of the view)  @return as ff_batch_view_of; then `out` stays as it was
FF_API ff_status ff_batch_read(ff_batch *batch, ff_batch_array array, double *out, ff_error *err);

/// Hash over the states of all robots, the same for any number of lanes and threads; 0 for NULL.
FF_API uint64_t ff_batch_hash(const ff_batch *batch);

#ifdef __cplusplus
}
#endif
#endif
