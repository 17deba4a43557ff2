// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Walking of two-legged robots with flat feet: a planner that makes footsteps, trajectories of feet and centre of mass
// and the ideal forces, and a stabiliser that adapts them to the measured contact forces and lean and computes joint
// references. Both are modules without a clock, input or output, with plain structs on both sides, so that a
// simulation, a real robot and a test can host them. After F. Sygulla, a thesis on the biped LOLA (2022), "sec. n";
// parts that it does not describe have the form usual in the field. docs/biped.md explains them.
//
// World axes: x ahead at the start, z up. Feet: 0 left, 1 right. Rotation vectors: axis times angle. No function here
// allocates but the _create ones, none locks or prints.
#ifndef FOOTFALL_BIPED_H
#define FOOTFALL_BIPED_H

#include <footfall/dyn.h>
#include <footfall/filter.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FF_BIPED_FEET  2
#define FF_BIPED_STEPS 64 // of a list

// ------------------------------------------------------------------------------------------ the robot

/// What planner and stabiliser must know of a robot, found in its model once: soles, masses, chains of joints.
/// Constant; outlives both.
typedef struct ff_biped ff_biped;

/// What its file does not say (`biped`, docs/biped.md) follows from the bodies.
/// @param model  borrowed, outlives the result
/// @param pose   of the model, in which the robot stands; NULL: as its file says, else `stand`, else its reference pose
/// @return NULL with the reason in `err`: FF_BAD_ARGUMENT, what the robot lacks (a free base, two legs with feet, soles
///         that touch); FF_NOT_FOUND, the pose; FF_NO_MEMORY
FF_API ff_biped *ff_biped_create(const ff_model *model, const char *pose, ff_error *err);
/// Frees it; NULL is allowed.
FF_API void ff_biped_destroy(ff_biped *robot);
/// The positions of its joints as it stands, soles level on z = 0, between them x = y = 0.  (nq)
FF_API const double *ff_biped_standing_pose(const ff_biped *robot);

// ------------------------------------------------------------------------------------------ tasks

/// Motion of a foot.
typedef struct ff_biped_motion {
    double pos[3], rot[3];   // [m, rad]
    double vel[3], omega[3]; // [m/s, rad/s]
} ff_biped_motion;

/// Task space.
typedef struct ff_biped_task {
    double com[3], com_vel[3];       // centre of mass  [m, m/s]
    double torso[3], torso_omega[3]; // rotation vector  [rad, rad/s]
    ff_biped_motion foot[FF_BIPED_FEET];
} ff_biped_task;

typedef struct ff_biped_wrench {
    double force[3], torque[3]; // [N, N m]
} ff_biped_wrench;

/// From planner to stabiliser, once a tick. Two quantities of the source (eq. 3.16) are left out:
/// - the selection of hands controlled in task space (eq. 3.41 to 3.43): arms belong to the null space, and the loads
/// of
///   the feet add up to 1;
/// - the normals of contacts (eq. 4.26): a sole lies flat on the ground, so that its normal is the z axis of its frame.
///   This planner assumes level ground: its feet stand upright on z = 0.
typedef struct ff_biped_target {
    double time; // [s]
    ff_biped_task task;
    ff_biped_wrench wrench;     // ideal sum of contact forces, about the centre of mass, world
    double load[FF_BIPED_FEET]; // share each foot carries; exactly 0 in the air
    double zmp[2];              // where that sum has no horizontal moment, on the ground  [m]
    bool walking;
} ff_biped_target;

// ------------------------------------------------------------------------------------------ planner

/// Commanded speeds in the frame of the robot.
typedef struct ff_biped_command {
    double speed; // ahead  [m/s]
    double side;  // to the left  [m/s]
    double turn;  // to the left  [rad/s]
    bool walk;    // false: stand; with all speeds zero it steps on the spot
} ff_biped_command;

/// A footstep of a list: where a foot goes, in the world of the plan. Its origin lies between the feet at the start.
typedef struct ff_biped_step {
    int foot;    // 0 left, 1 right
    double x, y; // of the frame of the sole  [m]
    double turn; // about z  [rad]
} ff_biped_step;

typedef struct ff_biped_gait {
    double step_time;      // of a step, double support included  [s]
    double double_support; // [s]
    double lift;           // of the swing foot  [m]
    double width;          // between the feet; 0: as it stands  [m]
    double height;         // of the centre of mass; 0: as it stands  [m]
    double sweep;          // of the ZMP along the sole, +-  [m]
    double hold;           // of standing before the first and after the last step  [s]
    double lag;            // of horizontal behind vertical lift-off  [s]
    double rise;           // part of the swing in which the foot rises, and in which it comes down; up to 0.5
    double arrive;    // part of the swing after which the foot only descends: a foot that the ground stops early is
                      // then nearly where it should be
    double longest;   // step  [m]
    double widest;    // mean step to the side; the leading foot goes twice as far  [m]
    double most_turn; // mean turn of a step; the leading foot turns twice as far  [rad]
    double clearance; // least distance between the soles  [m]
    int ahead;        // steps that a plan holds, 2 to 16
    bool correction;  // plans are corrected once by the dynamics of the whole body
} ff_biped_gait;
FF_API ff_biped_gait ff_biped_gait_default(const ff_biped *robot);

typedef struct ff_biped_planner ff_biped_planner;
/// The robot stands at the origin. NULL with the reason in `err`: FF_BAD_ARGUMENT, FF_NO_MEMORY.
FF_API ff_biped_planner *ff_biped_planner_create(const ff_biped *robot, const ff_biped_gait *gait, ff_error *err);
FF_API void ff_biped_planner_destroy(ff_biped_planner *planner);
/// Bytes of all that changes, plain data that can be copied away and back.
FF_API size_t ff_biped_planner_memory_size(void);
/// Moves all that changes into memory of the caller, of that size and aligned as by malloc, which outlives the planner.
FF_API void ff_biped_planner_use_memory(ff_biped_planner *planner, void *memory);
/// A new command; it acts on the next step that begins. Speeds beyond what the gait allows are brought within it.
/// @return false where they were
FF_API bool ff_biped_planner_command(ff_biped_planner *planner, const ff_biped_command *command);
/// Footsteps in place of speeds, at most FF_BIPED_STEPS, from the next step that begins; it then stands where they end.
/// The next command takes their place.
/// @param bad  NULL, or the number of the step that cannot be made, counted from 0
/// @return FF_OK; FF_BAD_ARGUMENT with the reason in `err`: out of reach, or the soles would touch. Nothing has changed
///         then
FF_API ff_status ff_biped_planner_footsteps(ff_biped_planner *planner, const ff_biped_step *steps, int count, int *bad,
                                            ff_error *err);
/// The target at time t, which never falls from call to call.
FF_API void ff_biped_planner_tick(ff_biped_planner *planner, double t, ff_biped_target *out);

// A plan ends in a stand. A planner in another process than the stabiliser sends it slice by slice, one a tick: if the
// planner fails, a second one, in the process of the stabiliser, follows the plan to its end.
#define FF_BIPED_SLICE 24

/// Some numbers of a plan, all of them finite.
typedef struct ff_biped_slice {
    double plan;  // when the plan began; below zero: the robot stands, without one  [s]
    double first; // where in the plan its numbers stand
    double numbers[FF_BIPED_SLICE];
} ff_biped_slice;

/// The next slice of the present plan; the first follows the last.
FF_API void ff_biped_planner_slice(ff_biped_planner *planner, ff_biped_slice *out);
/// Adds a slice of another planner's plan. A plan is adopted when it is complete; until then the last one is valid.
FF_API void ff_biped_planner_adopt(ff_biped_planner *planner, const ff_biped_slice *slice);
/// The target at time t by the adopted plan, and the stand at its end, independent of commands.
/// @return false, with `out` unchanged, where none was adopted or the robot has stood since
FF_API bool ff_biped_planner_follow_adopted(ff_biped_planner *planner, double t, ff_biped_target *out);

// ------------------------------------------------------------------------------------------ stabiliser

/// Oldest valid reading: the body tips over its feet with a time constant of 0.3 s.  [s]
#define FF_BIPED_OLDEST 0.05

/// From sensors to stabiliser.
typedef struct ff_biped_sensors {
    double roll, pitch; // of the torso against the vertical  [rad]
    double gyro[3];     // in the torso's axes  [rad/s]
    /// Of the ground on the foot: at the origin of its frame, in its axes, its own weight taken off.
    ff_biped_wrench foot[FF_BIPED_FEET];
    bool pad[FF_BIPED_FEET]; // a switch under the sole is closed
    double torso_age;        // since roll, pitch and gyro were measured  [s]
    double foot_age[FF_BIPED_FEET];
    /// Readings have noise: if they are bit-identical for 50 ms the sensor is stuck.
    bool torso_noisy, foot_noisy[FF_BIPED_FEET];
} ff_biped_sensors;

typedef enum ff_biped_rate_filter {
    FF_BIPED_RAW,   // low pass of 26 Hz
    FF_BIPED_LOW,   // low pass of 7 Hz
    FF_BIPED_NOTCH, // three notches and low pass of 26 Hz
    FF_BIPED_PASSIVITY
} ff_biped_rate_filter;

/// Laws that right the torso.
typedef enum ff_biped_balance {
    FF_BIPED_INCLINATION, // a torque by tilt and rate
    FF_BIPED_DCM          // a force by the divergent component of motion
} ff_biped_balance;

/// How a wrench is shared between the feet.
typedef enum ff_biped_sharing { FF_BIPED_HEURISTIC, FF_BIPED_QUADRATIC } ff_biped_sharing;

typedef struct ff_biped_notch {
    double frequency, quality, damping; // [Hz]
} ff_biped_notch;

/// Numbers of the stabiliser, with the names of lola-like controllers; sec. 3 to 5.
typedef struct ff_biped_gains {
    double period; // of a tick  [s]
    // parts that can be switched off
    bool reflex;           // early contact stops the foot, and loads it
    bool swing_adaptation; // swing feet follow the ground as it is found
    bool inclination;
    ff_biped_sharing distribution; // of forces to the feet
    bool com_tracking;
    bool com_acceleration;
    bool late_foot; // a foot that is late is accelerated down
    bool force_control;
    bool lag_reduction;
    bool common_mode; // rejection of motion that both feet make
    // contact
    double contact_force;         // that says contact  [N]
    double early_force;           // that says early contact  [N]
    double early_time;            // in the air before that; half a swing  [s]
    double late_time;             // without contact before it is late  [s]
    double force_rise, late_fall; // of force control on and off  [s]
    double early_load;            // share given to a foot that is early
    double position_gain;         // G_x  [1/s]
    // inclination
    ff_biped_balance balance;
    double tilt_stiffness, tilt_damping; // [N m/rad, N m s/rad]
    double dcm_gain;                     // [1/s]
    ff_biped_rate_filter filter;
    ff_biped_notch notch[3];
    double passivity; // largest alpha  [rad/(N m s)]
    // distribution
    double friction;
    double least_force, most_force; // of a loaded foot  [N]
    // centre of mass
    double height_stiffness, height_damping; // [N/m, N s/m]
    double height_gain;                      // G_CoM
    ff_biped_notch height_notch[3];
    // foot
    double force_gain;      // G_lambda  [1/s]
    double force_rate_gain; // G_lambda'
    double force_feed;      // G_d
    double force_plan;      // of the planned forces' change, which holds no noise: 1 compresses soles as they need it
    double force_filter;    // [Hz]
    double common_time;     // [s]
    double swing_time;      // of swing-foot adaptation [s]
    // inverse kinematics
    double task_gain;        // [1/s]
    double comfort;          // weight of the standing pose
    double limits;           // weight of joint limits
    double self_collision;   // weight of limbs that come near each other
    double angular_momentum; // weight of momentum about the vertical axis; 1: arms of LOLA swing by 24 degrees
} ff_biped_gains;
FF_API ff_biped_gains ff_biped_gains_default(const ff_biped *robot);

/// Results of a tick, for display and measures.
typedef struct ff_biped_view {
    double tilt[2];                   // of the torso against the plan, x and y  [rad]
    double tilt_rate[2];              // filtered  [rad/s]
    double wanted[FF_BIPED_FEET][6];  // force and torque on each foot, in its axes, at its frame  [N, N m]
    double torque_error[2];           // wanted less measured, about the centre of mass  [N m]
    double contact[FF_BIPED_FEET];    // kappa
    double force_mode[FF_BIPED_FEET]; // beta
    double load[FF_BIPED_FEET];       // adapted
    bool early[FF_BIPED_FEET], late[FF_BIPED_FEET];
    ff_biped_task task;  // that the joints follow
    unsigned conditions; // FF_BIPED_..
} ff_biped_view;

enum {
    FF_BIPED_BAD_SENSOR = 1, // an invalid reading was dropped
    FF_BIPED_NO_DISTRIBUTION = 2,
    FF_BIPED_SINGULAR = 4,
    FF_BIPED_AT_LIMIT = 8,
    FF_BIPED_NO_TORSO = 16,    // no valid or no new reading of roll, pitch and gyro for 50 ms
    FF_BIPED_NO_FOOT = 32,     // none of a foot
    FF_BIPED_WRONG_SIGN = 64,  // the ground seems to pull at a foot that carries; stays
    FF_BIPED_BAD_TARGET = 128, // a target that jumps or is not finite was dropped: the last one stays
    FF_BIPED_HELD = 256,       // the tick failed: the last reference stays
    FF_BIPED_FAILING = 512,    // either of these for 50 ms
    /// The host must stop the robot on two feet.
    FF_BIPED_MUST_STOP = FF_BIPED_NO_TORSO | FF_BIPED_NO_FOOT | FF_BIPED_WRONG_SIGN | FF_BIPED_FAILING
};

typedef struct ff_biped_stabiliser ff_biped_stabiliser;
/// NULL with the reason in `err`: FF_BAD_ARGUMENT (a gain that is negative or no number), FF_NO_MEMORY.
FF_API ff_biped_stabiliser *ff_biped_stabiliser_create(const ff_biped *robot, const ff_biped_gains *gains,
                                                       ff_error *err);
FF_API void ff_biped_stabiliser_destroy(ff_biped_stabiliser *s);
/// As those of the planner.
FF_API size_t ff_biped_stabiliser_memory_size(void);
FF_API void ff_biped_stabiliser_use_memory(ff_biped_stabiliser *s, void *memory);
/// One tick. Invalid readings and targets are dropped. Where the result is not finite, or a joint would move faster
/// than joints can, the last reference stays, at rest, and the view has FF_BIPED_HELD. Later ticks then catch up with
/// the target, by at most two legs a second beside its own motion.
/// @param q  positions the joints are to have, in the coordinates of the model  (nq)
/// @param v  and their velocities  (nv)
FF_API void ff_biped_stabiliser_tick(ff_biped_stabiliser *s, const ff_biped_sensors *sensors,
                                     const ff_biped_target *target, double *q, double *v);
FF_API const ff_biped_view *ff_biped_stabiliser_view(const ff_biped_stabiliser *s);

#ifdef __cplusplus
}
#endif
#endif
