// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Walking in a plane on any number of legs with two joints each: periodic gaits, foot paths and joint control after M.
// F. Silva, J. A. Tenreiro Machado, A. M. Lopes, Modelling and simulation of artificial locomotion systems (2005),
// "Silva" below. First the plan, pure functions of time; then the controller, which uses I/O frames alone (io_bus.h).
// docs/gait.md, "Planar walk", has the equations and their corrections.
//
// Axes of the plan: x ahead, y up. Legs are numbered from 0 in pairs from the front, left before right. Time runs in
// cycles of T = step / speed.
#ifndef FOOTFALL_PLANAR_WALK_H
#define FOOTFALL_PLANAR_WALK_H

#include <footfall/fractional.h>
#include <footfall/io_bus.h>
#include <footfall/model.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ the plan

/// Periodic gaits: how touch-downs follow each other along a side. The right leg of a pair is half a cycle behind the
/// left one.
typedef enum ff_planar_gait {
    FF_PLANAR_WAVE,                // "wave"                 a leg lifts when the one behind it lands
    FF_PLANAR_HALF_CYCLE,          // "half-cycle"           equal phases, a side spread over half a cycle
    FF_PLANAR_FULL_CYCLE,          // "full-cycle"           equal phases, a side spread over the whole cycle
    FF_PLANAR_BACKWARD_WAVE,       // "backward-wave"        the same running from front to rear
    FF_PLANAR_BACKWARD_HALF_CYCLE, // "backward-half-cycle"
    FF_PLANAR_BACKWARD_FULL_CYCLE, // "backward-full-cycle"
    FF_PLANAR_GAIT_COUNT
} ff_planar_gait;

/// How a foot travels from lift-off to touch-down.
typedef enum ff_planar_path {
    FF_PLANAR_CYCLOID, // "cycloid"   leaves and meets the ground vertically and at rest
    // "sinusoid"  rises in two quick halves; along the ground it may still move when it lands, see kappa
    FF_PLANAR_SINUSOID,
    FF_PLANAR_PATH_COUNT
} ff_planar_path;

typedef struct ff_planar_plan {
    int legs; // even, 2 to FF_PLANAR_LEGS
    ff_planar_gait gait;
    double duty;      // beta: share of a cycle on the ground, between 0 and 1
    double speed;     // V_F of the hips, above zero              [m/s]
    double step;      // L_S: distance that a foot moves in a cycle, above 0  [m]
    double height;    // H_B of the hips above the ground         [m]
    double clearance; // F_C: greatest height of a foot           [m]
    ff_planar_path path;
    double kappa;  // of the sinusoid: 1 lands at rest; 1 - duty, as printed, at the speed duty step / transfer time
    bool centred;  // feet swing about the hip; false: a foot lifts off below its hip, as printed
    double offset; // O: shifts all feet against their hips       [m]
} ff_planar_plan;
enum { FF_PLANAR_LEGS = 32 };

/// Silva's Table I for six legs: a wave gait and a cycloid; `footfall keys scene.control.planar_walk.planar_walk` lists
/// it.
FF_API ff_planar_plan ff_planar_plan_default(void);
/// @return FF_OK, or FF_BAD_ARGUMENT with the number
FF_API ff_status ff_planar_plan_check(const ff_planar_plan *plan, ff_error *err);

/// Touch-down of a leg behind that of leg 0, as a share of the cycle in [0, 1). With m the number of the pair and N =
/// legs / 2: wave m duty, half-cycle -m/(2N), full-cycle -m/N, the backward ones with the other sign, each modulo 1.
FF_API double ff_planar_phase(const ff_planar_plan *plan, int leg);

/// Where a foot should be.
typedef struct ff_planar_foot {
    bool support;
    double part;            // of the cycle done since touch-down, in [0, 1); support below `duty`
    double pos[2];          // against its hip, which moves on at `speed`: ahead, up  [m]
    double rate[2];         // [m/s]
    double acceleration[2]; // [m/s^2]
} ff_planar_foot;
/// @param cycles  time in cycles, t / T; leg 0 lands at 0
FF_API ff_planar_foot ff_planar_foot_at(const ff_planar_plan *plan, int leg, double cycles);

/// A leg of two links in its plane. Angles from the downward vertical, forward positive; the second counts from the
/// first. Inverse kinematics: ff_ik_planar of ik.h with the knee ahead (-1).
typedef struct ff_planar_leg {
    double length[2]; // thigh, shank  [m]
} ff_planar_leg;
/// J = d pos / d angle, row-major.
FF_API void ff_planar_leg_jacobian(const ff_planar_leg *leg, const double angle[2], double J[4]);
/// Rates and accelerations of the angles: J w = rate, J w' = acceleration - J' w; damped near a stretched leg, as
/// ff_ik_planar_rates.
FF_API void ff_planar_leg_rates(const ff_planar_leg *leg, const double angle[2], const double rate[2],
                                const double acceleration[2], double speed[2], double angular[2]);

// ------------------------------------------------------------------------------------------ the controller

/// Where the legs are at the start.
typedef enum ff_planar_start {
    FF_PLANAR_START_PLAN, // "plan"  where the plan has them at the time 0
    FF_PLANAR_START_POSE  // "pose"  as the robot stands
} ff_planar_start;

/// Torque of each joint: tau_ref = K_p e + K_alpha s^alpha e;  with force feedback tau = gain (tau_ref - (J' F)_joint),
/// F measured at the foot, and tau = tau_ref without. Cut to +-torque. (Silva 14 to 16, Fig. 3.)
typedef struct ff_planar_walk_options {
    ff_planar_plan plan;     // legs are those of the model
    double kp[2], kalpha[2]; // hip and knee                                      [N m/rad], [N m s^alpha/rad]
    double alpha[2];         // above -1, at most 1: 1 is a plain derivative
    int order;               // of the Pade approximant; 0: the series of Gruenwald and Letnikov with `terms` terms
    int terms;
    bool sample_factor; // rate^alpha, without which K_alpha is not that of (14); (16) is printed without
    double force_gain;  // G_c2 with force feedback; 0: no force feedback
    double torque;      // tau_max, 0: no bound                                         [N m]
    double rate;        // of cycles                                                     [Hz]
    ff_planar_start start;
} ff_planar_walk_options;
/// The defaults, those of Table IV, which `footfall keys scene.control.planar_walk.planar_walk` lists with all ranges.
FF_API ff_planar_walk_options ff_planar_walk_options_default(void);

typedef struct ff_planar_walk ff_planar_walk;

/// For a robot whose legs (ff_model.legs, in the order above) have two hinges each about y or -y. Links, signs and
/// zeros of the joints follow from the reference pose; the body is assumed to keep its attitude.
/// @param model    of the robot alone; borrowed until destroy
/// @param options  copied; NULL for the default
/// @return NULL with the reason in `err`: FF_BAD_ARGUMENT (a number, or a foot that cannot reach its path),
/// FF_BAD_MODEL, FF_NO_MEMORY
FF_API ff_planar_walk *ff_planar_walk_create(const ff_model *model, const ff_planar_walk_options *options,
                                             ff_error *err);
/// Finds its items: for each joint the measured position and the references of its drive, which must have no control
/// loop; with force feedback the forces at the feet.
/// @return FF_OK, or FF_NOT_FOUND with the name of what is missing
FF_API ff_status ff_planar_walk_bind(ff_planar_walk *walk, const ff_io_layout *sensors, const ff_io_layout *references,
                                     ff_error *err);
/// The controller for frames of the layouts it is bound to; valid as long as `walk`.
/// Its signals, of the last cycle. For each leg: `NAME.support` (1 planned on the ground), `NAME.x`, `NAME.y`
/// (planned foot against hip), and for each joint `JOINT.reference`, `JOINT.rate`, `JOINT.error`, `JOINT.torque`.
FF_API ff_controller ff_planar_walk_controller(ff_planar_walk *walk);
/// Another plan (the number of legs stays). Feet keep their place: the difference to the new plan fades within a
/// quarter of a cycle or so.
/// @return FF_OK, or FF_BAD_ARGUMENT with the reason, and nothing changes
FF_API ff_status ff_planar_walk_command(ff_planar_walk *walk, const ff_planar_plan *plan, ff_error *err);
/// The plan it follows now.
FF_API const ff_planar_plan *ff_planar_walk_plan(const ff_planar_walk *walk);
/// Positions and speeds of the leg joints as planned for the time 0, into q and v of the model, unless the legs start
/// in the pose.
FF_API void ff_planar_walk_start(const ff_planar_walk *walk, double *q, double *v);
/// Counts samples that were marked as valid but not finite; the last finite value is used instead.
/// @param time, name  of the first of them [s]: the joint of a position, the leg of a force
FF_API int64_t ff_planar_walk_refused(const ff_planar_walk *walk, double *time, const char **name);
/// Frees it; NULL is allowed.
FF_API void ff_planar_walk_destroy(ff_planar_walk *walk);

#ifdef __cplusplus
}
#endif
#endif
