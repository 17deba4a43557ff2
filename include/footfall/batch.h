// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Many like robots in one loop, for learning, optimisation and tests of controllers by the thousand. Robots lie beside
// each other in the lanes of vector instructions; a step has no callbacks and allocates nothing. Equations and order of
// operations are those of a simulation with the method euler, contact forces with their history included, and a robot
// has the same bits for any number of lanes, threads and neighbours. What a simulation has and a batch does not is
// refused by name. docs/batch.md is the manual. Whole simulations over threads: team.h.
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

/// A motor of direct current behind a gear, whose winding follows at once (ff_dc_motor, ff_gear_loss in drive_parts.h):
/// the current that the torque of the servo needs, as far as the voltage gives it, less friction and what the gear
/// loses. Inertia of its rotor is armature of the joint in the model.
typedef struct ff_batch_motor {
    double constant;       // torque a current and voltage a speed, 0: no motor      [N m/A, V s/rad]
    double resistance;     // above 0                                                [ohm]
    double voltage;        // largest size, 0: no bound                              [V]
    double gear;           // turns of the motor for one of the joint, above 0       [1, rad/m]
    double efficiency;     // of the gear, above 0, up to 1
    double viscous;        // friction of the motor                                  [N m s/rad]
    double dry, dry_speed; // and its Coulomb level; speed of the motor below which that and losses of the gear fade,
                           // above 0 where there are any                            [N m], [rad/s]
    double current;        // largest size, 0: no bound                              [A]
} ff_batch_motor;

/// How the loop of a servo is sampled. All zero: it looks and acts at any time.
typedef struct ff_batch_loop {
    int period;      // steps from one sample to the next; what it commands is held between, a torque or the voltage of
                     // its motor. The first step of a robot is a sample. 0: not sampled
    double encoder;  // steps in which it sees the position, the speed as the difference of two samples; 0: perfect
                     // [rad, m]
    int frame;       // of a hobby servo, in place of `period`: steps for which a target of position is held, which is
                     // all such a servo knows; its regulator looks at any time
    double notch;    // steps in which those targets come, 0: any            [rad, m]
    double reach[2]; // targets of position are taken within; equal: any     [rad, m]
} ff_batch_loop;

/// A servo on a hinge or slide: tau = clamp(stiffness (position - q) + damping (speed - v) + torque), with the targets
/// position, speed and torque of each robot. With damping alone it is a velocity servo, with neither a torque. What its
/// drive gives of that follows from the line of its limit and from its motor, where it has them.
typedef struct ff_batch_servo {
    int joint;        // of the model, -1: every hinge and slide that no other servo of the list drives
    double stiffness; // [N m/rad, N/m]
    double damping;   // [N m s/rad, N s/m]
    double most;      // largest size of tau, 0: no limit  [N m, N]
    double no_load;   // speed at which nothing is left of `most` while the servo drives (ff_motor_line), 0: none
                      // [rad/s, m/s]
    int delay;        // steps after which a target acts, 0 to 1000, the same of all servos; robots may have less, or
                      // one of their own where it is 0 (FF_BATCH_DELAY). What acts before is what servos begin with
    ff_batch_motor motor;
    ff_batch_loop loop;
} ff_batch_servo;

/// A robot with its ground as numbers and indices. Never changes: any number of batches and threads share it.
typedef struct ff_batch_model ff_batch_model;

/// Takes the model, the contacts, the step and the start of a simulation: its state now, with the memory of its
/// contacts, becomes that of every robot. Held torques of the simulation become torque targets, its commands those of
/// the actuators. The method must be euler; everything that a batch cannot do (docs/batch.md lists it) is an error of
/// `report` with its name and, where it has one, its place.
/// @param sim     brought to its first step where it was not; else not changed, and not needed afterwards
/// @param servos  may be NULL; positions start where the joints are  (nservo)
/// @return NULL when there were errors
FF_API ff_batch_model *ff_batch_compile(ff_sim *sim, const ff_batch_servo *servos, int nservo, ff_report *report);
/// Frees it, after its batches; NULL is allowed.
FF_API void ff_batch_model_destroy(ff_batch_model *model);

typedef struct ff_batch_sizes {
    int nq, nv;    // as in the model of the simulation
    int nservo;    // in the order of joints
    int nactuator; // in the order of the model
    int npoint;    // contact points: one a sphere, two a capsule, eight a box, for each plane or field it may meet
    int nrow;      // numbers of the state of one robot
    double step;   // [s]
    double height; // of the first free root above the ground at the start, 0: there is none  [m]
} ff_batch_sizes;
FF_API ff_batch_sizes ff_batch_model_sizes(const ff_batch_model *model);
/// Joint of a servo in the model of the simulation, -1 beyond the last.
FF_API int ff_batch_servo_joint(const ff_batch_model *model, int servo);

// ------------------------------------------------------------------------------------------ the batch

/// What may differ from robot to robot: factors, 1 unless set, and the start.
typedef enum ff_batch_parameter {
    FF_BATCH_FRICTION,                           // of the friction coefficients of all contacts
    FF_BATCH_CONTACT_STIFFNESS,                  // of stiffness and damping of all contacts
    FF_BATCH_MASS,                               // of masses and inertias of all bodies
    FF_BATCH_GAIN,                               // of stiffness and damping of all servos
    FF_BATCH_PARAMETERS,                         // so many factors
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
    FF_BATCH_PAYLOAD,        // mass added at the centre of mass of a body, without a name of the first   [kg]
    FF_BATCH_START_TILT,     // free roots lean by it, to a side that is drawn, too   [rad]
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

/// Why a robot stands still.
typedef enum ff_batch_end {
    FF_BATCH_LIVES,    // it does not
    FF_BATCH_DIVERGED, // its next state would not have been finite or within bounds: it keeps the last sound one
    FF_BATCH_FELL,     // its root came below the least height or tilted too far (ff_batch_options)
    FF_BATCH_FINISHED, // the condition ff_batch_options.end held after a step
    FF_BATCH_ENDS
} ff_batch_end;

/// How the draws of a quantity are distributed.
typedef enum ff_batch_distribution {
    FF_BATCH_UNIFORM,     // between two ends
    FF_BATCH_LOG_UNIFORM, // so is its logarithm: as likely between 1/2 and 1 as between 1 and 2
    FF_BATCH_NORMAL,      // mean, deviation; a factor must have bounds
    FF_BATCH_CHOICE,      // one of some values
    FF_BATCH_DISTRIBUTIONS
} ff_batch_distribution;
/// "uniform", "log_uniform", "normal", "choice"; NULL for a number that is none.
FF_API const char *ff_batch_distribution_name(ff_batch_distribution kind);

/// A row of the table of distributions: each robot draws its own value whenever it begins, from a stream of random
/// numbers that follows from seed, robot and how often it began. So robots do not depend on how many there are.
typedef struct ff_batch_spread {
    ff_batch_parameter quantity;
    double low, high;           // ends; bounds of a normal distribution, beyond which is drawn again, both 0: none
    ff_batch_distribution kind; // FF_BATCH_UNIFORM without it
    double mean, deviation;     // of a normal one
    const double *values;       // of a choice, each as likely as the others  (nvalue)
    int nvalue;
    // Name of what the quantity is of; NULL: all. mass, inertia, com_x and so on, payload: a body; friction and
    // contact_stiffness: a shape or foot; gain: a joint with a servo; start_joints, start_speeds: a hinge or slide.
    // Factors of one thing and of all are multiplied.
    const char *which;
} ff_batch_spread;
enum { FF_BATCH_SPREADS_MOST = 32 }; // rows of a table
/// What "mass" or "mass.torso" means. @param which  rest of `name` behind the first dot, or NULL
/// @return FF_OK, or FF_BAD_ARGUMENT with the known names
FF_API ff_status ff_batch_spread_find(const char *name, ff_batch_parameter *quantity, const char **which,
                                      ff_error *err);
/// A row from the name of a distribution and its numbers: "uniform" and "log_uniform" have two ends, "normal" mean and
/// deviation and, where it is bounded, the two bounds; "choice" its values, which are borrowed.
/// @return FF_BAD_ARGUMENT for an unknown name or a wrong count
FF_API ff_status ff_batch_spread_make(ff_batch_spread *out, ff_batch_parameter quantity, const char *kind,
                                      const double *numbers, int count, ff_error *err);

/// Noise of what ff_batch_sense reads: standard deviations of normal numbers, 0: none.
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
    int lanes;   // 1, 2, 4 or 8, as far as the processor has them; 0: the most. The bits do not depend on it
    int device;  // 1: on a GPU, where threads and lanes do not count; the same bits. See ff_batch_device_missing
    int fast;    // 1: a device, or code for the model, may fuse multiplications and additions: bits differ by rounding
    int single;  // 1: a device computes in single precision, with seven digits: for what is learnt or searched, not for
                 // forces one can trust; `fast` adds nothing to it. Draws and what is read stay doubles
    // 1: the processor's steps are made by code for the model, which the C compiler that is there ($CC, clang or cc)
    // makes in some seconds and which is kept in $XDG_CACHE_HOME/footfall or ~/.cache/footfall; the same bits, but for
    // `fast`. The general loop makes them where there is no compiler (ff_batch_kernel_reason). A device always has it
    int specialise;
    uint64_t seed;
    const ff_batch_spread *spreads; // copied, with their values and names  (nspread)
    int nspread;
    double least_height; // of the first free root above the ground: below it a robot has fallen; 0: none. The ground
                         // is the height field below the root where there is one, at any time; else the highest plane
                         // under the root at the start, or z = 0 without one: on a slope it is taken there and does
                         // not follow the robot  [m]
    double most_tilt;    // of its z axis from the vertical, likewise; up to pi  [rad]
    ff_batch_noise noise;
    // Formulas over the quantities of a robot (docs/batch.md lists them), worked out after each of its steps; copied
    const char *end;    // a condition, such as "height < 0.06 or tilt > 0.8": a robot ends where it holds; NULL: none
    const char *reward; // a number, which is summed (ff_batch_reward), such as "forward * step"; NULL: none
    const char *const *observe; // numbers that ff_batch_observe gives  (nobserve)
    int nobserve;
} ff_batch_options;

typedef struct ff_batch ff_batch;

/// When a robot has fallen unless somebody says otherwise: below half its height at the start, or tilted by more than
/// 1 rad. Both are 0 (none) where there is no free root.
FF_API void ff_batch_default_falls(const ff_batch_model *model, double *least_height, double *most_tilt);

/// All robots at the start.
/// @param model  borrowed; must outlive the batch
/// @return NULL with FF_BAD_ARGUMENT (no model, or a number out of range, which the message names) or FF_NO_MEMORY in
///         `err`, or FF_STOPPED (ff_stop); for a device also FF_NOT_BUILT, FF_NOT_FOUND or FF_LIMIT (more than 128
///         degrees of freedom, or a tree more than 32 deep)
FF_API ff_batch *ff_batch_create(const ff_batch_model *model, const ff_batch_options *options, ff_error *err);
FF_API void ff_batch_destroy(ff_batch *batch);
/// Why no batch can run on a GPU here; NULL: one can. Static memory.
FF_API const char *ff_batch_device_missing(void);
/// The model and the options that a batch was made of; they belong to it. NULL for NULL. The text of a formula is empty
/// there, and NULL where there was none.
FF_API const ff_batch_model *ff_batch_get_model(const ff_batch *batch);
FF_API const ff_batch_options *ff_batch_get_options(const ff_batch *batch);
/// Lanes in use; 0 for NULL.
FF_API int ff_batch_lanes(const ff_batch *batch);
/// Which code makes the steps: "specialised", compiled for the model; else "lanes" of the processor, or "general" of a
/// device, which are slower and have the same bits. NULL for NULL. Static memory.
FF_API const char *ff_batch_kernel_name(const ff_batch *batch);
/// Why a device, or a processor with `specialise`, has no code for the model, with the first thing that the compiler
/// complained of; NULL where it has, or was not asked. It belongs to the batch.
FF_API const char *ff_batch_kernel_reason(const ff_batch *batch);
/// The compiler that made code for the model on a processor, such as "clang 14.0.6" or "GCC 12.2.0", which is slower
/// (docs/batch.md); NULL elsewhere. It belongs to the batch.
FF_API const char *ff_batch_kernel_compiler(const ff_batch *batch);
/// The i-th width that this build and this processor have, from 0, narrowest first; 0 beyond the last.
FF_API int ff_batch_lanes_there(int i);

/// Steps every robot that lives `steps` times, with the targets and commands it has.
/// @return FF_OK, also where robots end (ff_batch_count); FF_BAD_ARGUMENT, FF_NO_MEMORY (threads) or FF_SOLVER (the
///         device failed)
FF_API ff_status ff_batch_step(ff_batch *batch, int steps, ff_error *err);

// The following five have no status: where the device has failed they go by what was read from it last, and
// ff_batch_get_state says that it failed.

/// Robots that ended in that way, or live; 0 for NULL.
FF_API int ff_batch_count(const ff_batch *batch, ff_batch_end end);
/// How a robot fares. A number that is no robot has diverged.
FF_API ff_batch_end ff_batch_end_of(const ff_batch *batch, int robot);
/// Steps a robot has made since it began.
FF_API int64_t ff_batch_age(const ff_batch *batch, int robot);
/// Sum of the reward over the steps of a robot since it began, or since ff_batch_clear_rewards; the step in which it
/// fell or finished counts. 0 without a formula and for a number that is no robot.
FF_API double ff_batch_reward(const ff_batch *batch, int robot);
/// Rewards of all robots are summed from 0 again.
FF_API void ff_batch_clear_rewards(ff_batch *batch);

// Each of the following returns FF_OK; FF_BAD_ARGUMENT for a number that is no robot or a value that is not allowed;
// FF_SOLVER where robots cannot be read back from the device. Then the robot stays as it was, and so do the outputs.

/// Puts a robot back to the start: state, contacts, age, and draws anew what the table spreads. Other parameters,
/// targets and commands stay.
FF_API ff_status ff_batch_reset(ff_batch *batch, int robot, ff_error *err);
/// The same with a seed of the robot's own: from now on its draws and noise are those of robot 0 of a new batch with
/// that seed, whatever its number and however often it began.
FF_API ff_status ff_batch_reset_seeded(ff_batch *batch, int robot, uint64_t seed, ff_error *err);
/// Several robots begin anew in one call, on a device without moving any rows of it.
/// @param seeds  of each of them; NULL: as ff_batch_reset  (count)
/// @return as those; FF_BAD_ARGUMENT where a number is no robot: then no robot begins
FF_API ff_status ff_batch_reset_some(ff_batch *batch, const int *robots, const uint64_t *seeds, int count,
                                     ff_error *err);
/// What a vector environment does after its steps, on a device without moving any rows of it: end, reward and age of
/// each robot are kept (FF_BATCH_ARRAY_LAST_ENDED, ..) with what is observed of it (FF_BATCH_ARRAY_FINAL); robots that
/// have ended, or have made `age` steps, begin anew as with ff_batch_reset and have the targets of the start; then
/// FF_BATCH_ARRAY_OBSERVATION is what is observed of all.
/// @param age  steps of a life, 1 or more  @return FF_OK, FF_BAD_ARGUMENT or FF_SOLVER (the device failed)
FF_API ff_status ff_batch_renew(ff_batch *batch, int64_t age, ff_error *err);
/// State of a robot. NULL: not asked for.  (nq), (nv)
FF_API ff_status ff_batch_get_state(const ff_batch *batch, int robot, double *q, double *v, ff_error *err);
/// A new state, all finite, quaternions of any length above zero; NULL: as it is. The robot begins anew there: contacts
/// without memory, age 0, a new life for noise and later draws; factors stay.
FF_API ff_status ff_batch_set_state(ff_batch *batch, int robot, const double *q, const double *v, ff_error *err);
/// Targets of the servos; NULL: as they are. What is no number ends the robot in the next step, and no other.  (nservo)
FF_API ff_status ff_batch_set_targets(ff_batch *batch, int robot, const double *position, const double *speed,
                                      const double *torque, ff_error *err);
/// Targets that the servos of a robot have. NULL: not asked for.  (nservo)
FF_API ff_status ff_batch_get_targets(const ff_batch *batch, int robot, double *position, double *speed, double *torque,
                                      ff_error *err);
/// Commands of the actuators.  (nactuator)
FF_API ff_status ff_batch_set_commands(ff_batch *batch, int robot, const double *command, ff_error *err);
/// @param value  above zero; of the friction zero or more
FF_API ff_status ff_batch_set_parameter(ff_batch *batch, int robot, ff_batch_parameter parameter, double value,
                                        ff_error *err);
/// The factor that a robot drew or was given.
FF_API ff_status ff_batch_get_parameter(const ff_batch *batch, int robot, ff_batch_parameter parameter, double *out,
                                        ff_error *err);

/// The number that a robot drew from a row of its table when it began last; of a row that draws several (com_x of all
/// bodies, start_joints, ..) the last.
FF_API ff_status ff_batch_get_draw(const ff_batch *batch, int robot, int row, double *out, ff_error *err);
/// Name of a row of the table, such as "mass" or "mass.torso"; it belongs to the batch. NULL for a number that is none.
FF_API const char *ff_batch_spread_name(const ff_batch *batch, int row);

/// Pushes the first root of a robot at its origin for some steps, from now on; a push before is forgotten.
/// @param force  world axes  [N]
FF_API ff_status ff_batch_push(ff_batch *batch, int robot, const double force[3], int steps, ff_error *err);

/// A contact point of a robot, as it was in the last step.
typedef struct ff_batch_contact_state {
    int mode;         // ff_contact_mode
    double spring[3]; // of the grip, after the step  [m]
    double force[3];  // on the robot, world axes  [N]
} ff_batch_contact_state;
FF_API ff_status ff_batch_get_contact(const ff_batch *batch, int robot, int point, ff_batch_contact_state *out,
                                      ff_error *err);

/// How many numbers ff_batch_sense gives.
FF_API int ff_batch_sense_count(const ff_batch_model *model);
/// What the sensors of a robot read after its last step: positions of the servos' joints (nservo), their speeds
/// (nservo); where there is a free root, its angular velocity (3) and what an accelerometer at its origin reads (3),
/// body axes; forces on the feet and hands of the model, world axes (3 each). Noise follows from seed, robot, life and
/// age: asked twice, the sensors read the same. The accelerometer of a robot that ended reads its last sound step.
/// @param out  (ff_batch_sense_count)
FF_API ff_status ff_batch_sense(const ff_batch *batch, int robot, double *out, ff_error *err);

/// Channels of the sensors of a scene that a batch has (ff_run_compile_batch); 0 for NULL.
FF_API int ff_batch_channel_count(const ff_batch_model *model);
/// Name of the i-th of them as formulas have it, "sensors.gyro.x", "'sensors.left-foot.fx'"; NULL beyond the last. It
/// belongs to the model.
FF_API const char *ff_batch_channel_name(const ff_batch_model *model, int i);

/// What ff_batch_options.observe asks for, of a robot as it is now: without noise but for that of
/// "sensors.NAME.CHANNEL", which follows from seed, robot, life and age as that of ff_batch_sense.
/// @param out  (nobserve)
FF_API ff_status ff_batch_observe(const ff_batch *batch, int robot, double *out, ff_error *err);

/// The same of all robots, where they lie: FF_BATCH_ARRAY_OBSERVATION has it. On a device it stays there.
/// @return FF_OK, FF_BAD_ARGUMENT or FF_SOLVER (the device failed)
FF_API ff_status ff_batch_observe_all(ff_batch *batch, ff_error *err);

/// Numbers of all robots that can be seen where they lie.
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
    FF_BATCH_ARRAY_FINAL,       // when ff_batch_renew was called last, before robots began anew; so are the next three
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
/// Where numbers of all robots lie, so that a program computes with them without a copy. Steps change them in place. Of
/// a batch on a device targets are written either there or with ff_batch_set_targets, whose next call overwrites them.
/// @return FF_BAD_ARGUMENT, or FF_SOLVER (the device failed)
FF_API ff_status ff_batch_view_of(ff_batch *batch, ff_batch_array array, ff_batch_view *out, ff_error *err);
/// Numbers of all robots, robot by robot: of a batch on a device these alone are moved.
/// @param out  (robots*count, count as of the view)  @return as ff_batch_view_of; then `out` stays as it was
FF_API ff_status ff_batch_read(ff_batch *batch, ff_batch_array array, double *out, ff_error *err);

/// Hash over the states of all robots, the same for any number of lanes and threads; 0 for NULL.
FF_API uint64_t ff_batch_hash(const ff_batch *batch);

#ifdef __cplusplus
}
#endif
#endif
