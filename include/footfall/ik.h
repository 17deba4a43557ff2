// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inverse kinematics: joint positions that bring a foot, a hand or any frame to a place.
//
// Two kinds of legs have closed forms: three hinges, the first perpendicular to two parallel others (hexapods,
// quadrupeds), and two parallel hinges in a plane. All others are solved by damped least squares. docs/control.md has
// derivations and checks.
//
// No function here allocates, locks or prints.
#ifndef FOOTFALL_IK_H
#define FOOTFALL_IK_H

#include <footfall/dyn.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ legs in closed form

/// Result of a closed form. Angles are always finite and within the limits of the joints.
typedef enum ff_reach {
    FF_REACH_OK,
    FF_REACH_LIMIT, // a joint stands at its limit instead of beyond it
    FF_REACH_FAR,   // the leg is stretched towards a point too far away
    FF_REACH_NEAR   // the leg is folded: the point is too near to the hip, or to the first axis
} ff_reach;

/// "within reach", "beyond a joint limit", "too far", "too near".
FF_API const char *ff_reach_text(ff_reach reach);

/// A leg with a closed form. Hip frame: origin on the first axis, z along it, x towards the foot in the middle of the
/// step. In it, with the angles t of the closed form,
///     r = L1 + L2 cos t2 + L3 cos(t2 + t3),   z = L2 sin t2 + L3 sin(t2 + t3)
///     foot = (r cos t1 - side sin t1,  r sin t1 + side cos t1,  z)
/// ANTON: L1 coxa, L2 femur, L3 tibia, side 0. Quadrupeds: first axis ahead, `side` from hip to thigh across.
/// Planar legs have L1 = side = t1 = 0 and move in x and z of their hip frame.
typedef struct ff_leg_ik {
    int njoint;                     // 3, or 2: planar
    int body;                       // segment that carries the hip, -1 for the world; feet are given in its frame
    int joint[3], qadr[3], vadr[3]; // (njoint), from hip to foot
    double R[9], p[3];              // hip frame in the segment's frame  [m]
    double length[3];               // L1, L2, L3  [m]
    double side;                    // offset of the foot along the second axis  [m]
    double sign[3], zero[3];        // q = zero + sign t  [rad], of t1, t2, t3; planar: the last two
    int knee;                       // sign of t3 in solutions: +1 or -1
    double low[3], high[3];         // limits of q, infinite where there are none  [rad]  (njoint)
    double middle[3];               // angles are given within half a turn of these  [rad]  (njoint)
} ff_leg_ik;

/// Recognises a leg with a closed form and derives its geometry: hinges alone, directly one below the other from the
/// segment to the foot; two with parallel axes, or three, the last two parallel and the first perpendicular to them (to
/// 1e-6, as numbers of files are rounded).
/// @param leg      such as &m->legs[i]
/// @param posture  a usual position of the robot (nq) that says which way the foot lies and the knee bends; a straight
/// knee
///                 takes the middle of its limits, else a bend of negative t3. NULL: the model's q0
/// @return         FF_NOT_FOUND, with the reason in `err`, when the leg has no closed form
FF_API ff_status ff_leg_ik_make(const ff_model *m, const ff_leg *leg, const double *posture, ff_leg_ik *out,
                                ff_error *err);

/// Joint positions that bring the centre of the foot to `foot`, given in the segment's frame [m]. The foot is taken to
/// be on the positive side of the first axis (r > 0), and behind it only where the limits allow nothing else.
/// @param q      result, finite and within limits whatever is asked; NaN in `foot` gives `middle` and FF_REACH_FAR
/// (njoint)
/// @param error  how far the foot is then from where it should be  [m], may be NULL
FF_API ff_reach ff_leg_ik_solve(const ff_leg_ik *leg, const double foot[3], double *q, double *error);
/// Where the foot is for joint positions q (njoint), in the segment's frame  [m].
FF_API void ff_leg_ik_forward(const ff_leg_ik *leg, const double *q, double foot[3]);
/// Jacobian: foot velocity = J qdot in the segment's axes, row-major 3 x njoint  [m/rad].
FF_API void ff_leg_ik_jacobian(const ff_leg_ik *leg, const double *q, double *J);
/// Joint speeds that give the foot the velocity `v` in the segment's frame [m/s]; planar legs leave out what points
/// across.
/// @return false where the leg is too near a singular position (stretched, folded, or foot on the first axis: the lever
/// is
///         less than a thousandth of the leg) and damped speeds stand in that fall short of v
FF_API bool ff_leg_ik_rates(const ff_leg_ik *leg, const double *q, const double v[3], double *rate);

/// Planar leg with angles from the downward vertical, ahead positive (M. F. Silva et al., eq. 4), foot (x, y) from the
/// hip:
///     x = L1 sin a1 + L2 sin(a1 + a2),   y = -L1 cos a1 - L2 cos(a1 + a2)
/// @param knee  sign of a2: -1 bends the knee ahead
FF_API ff_reach ff_ik_planar(const double length[2], int knee, const double foot[2], double angle[2]);
/// Angle rates for a foot velocity relative to the hip; false as ff_leg_ik_rates.
FF_API bool ff_ik_planar_rates(const double length[2], const double angle[2], const double v[2], double rate[2]);

// ------------------------------------------------------------------------------------------ any model

/// Where a point of a body, and on request the body's attitude, should be.
typedef struct ff_ik_target {
    int body;
    double local[3];      // the point in the body's frame  [m]
    double local_quat[4]; // attitude in the body's frame that is compared with `quat`
    bool position;        // the point should be at `pos`
    bool attitude;        // the attitude should be `quat`
    double pos[3];        // world  [m]
    double quat[4];       // world
} ff_ik_target;

/// Target for a frame of the model: position alone, or with attitude where `quat` is not NULL.
FF_API ff_ik_target ff_ik_target_frame(const ff_model *m, int frame, const double pos[3], const double *quat);

typedef struct ff_ik_options {
    double position_tolerance; // [m]
    double attitude_tolerance; // [rad]
    double length;             // distance that an attitude error of 1 rad counts as  [m]
    double step;               // largest change of one coordinate in an iteration  [rad, m]
    int iterations;            // most that are made, each with one Jacobian
    const bool *held;          // degrees of freedom that must not move, such as a base (nv); NULL: none
} ff_ik_options;

/// 1e-9 m, 1e-9 rad, 0.2 m, 0.5, 200 iterations, nothing held.
FF_API ff_ik_options ff_ik_options_default(void);

typedef enum ff_ik_outcome {
    FF_IK_CONVERGED,
    FF_IK_STUCK,     // no step lowers the error: out of reach, held back by limits, or a local minimum
    FF_IK_ITERATIONS // the greatest number of iterations was reached
} ff_ik_outcome;

typedef struct ff_ik_result {
    ff_ik_outcome outcome;
    int iterations;
    double position_error; // of the worst target  [m]
    double attitude_error; // of the worst target  [rad]
    double damping;        // the last one, as a part of the largest diagonal entry of J J'
} ff_ik_result;

/// Numbers of workspace ff_ik_solve needs for `ntarget` targets.
FF_API size_t ff_ik_work_size(const ff_model *m, int ntarget);

/// Damped least squares for all targets at once (K. Levenberg; D. W. Marquardt, 1963; for robots Y. Nakamura, H.
/// Hanafusa, 1986): steps dq = J' (J J' + mu 1)^-1 e with mu adapted to how well the last step was predicted. Joint
/// limits hold at every iterate: a joint that reaches one stays there while the others take over. Joints that mimic
/// others follow them; closed loops are left alone (ff_loops_close does that). From a start without limits in the
/// way it finds the nearest solution, not any other; redundant joints move as little as needed.
/// @param d     scratch: its q and poses are overwritten, those of the solution on return
/// @param q     start, and the solution or the nearest approach; a start beyond limits is moved to them first  (nq)
/// @param work  ff_ik_work_size numbers
/// @return      FF_OK, converged or not; FF_BAD_ARGUMENT when a target has a body out of range or numbers that are not
/// finite
FF_API ff_status ff_ik_solve(const ff_model *m, ff_data *d, double *q, const ff_ik_target *targets, int ntarget,
                             const ff_ik_options *options, double *work, ff_ik_result *result);

#ifdef __cplusplus
}
#endif
#endif
