// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Loop closures and couplings on top of the tree: equations phi(q) = 0 between bodies or joints, and the motion under
// them,
//     M a + bias = tau + sum J' f + G' lambda,        G a = -dG/dt v - 2 s G v - s^2 phi,        G = dphi/dq,
// with a small rate s that reduces errors (J. Baumgarte, Computer Methods in Applied Mechanics and Engineering
// 1, 1972). Multipliers come from G M^-1 G' by Cholesky's method with pivoting, which stops at the rank: with
// redundant equations, and in singular positions of a mechanism, lambda has least norm, and nothing grows without
// bound.
//
//     ff_loops *loops = ff_loops_create(model, &err);           // the model's active equalities and mimic joints
//     ff_loops_close(model, data, loops, 20);                   // q, then v, onto the loops: at the start, and
//         after steps
//     ff_dyn_kinematics(model, data);  ff_dyn_velocity(model, data);
//     ff_loops_forward(model, data, loops);                     // in place of ff_dyn_forward
//
// No function here allocates after ff_loops_create.
#ifndef FOOTFALL_LOOP_H
#define FOOTFALL_LOOP_H

#include <footfall/dyn.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One closure. Rows are in world axes: connect 3 (place of point 2 minus point 1 [m]), weld 6 (the same, then the turn
/// of body 2 against its place on body 1 [rad]), rod 1 ((d.d - length^2) / (2 length), the distance minus the length
/// where that is small [m]), joint 1 (q1 minus its required value).
typedef struct ff_loop {
    ff_equality_type type;
    const char *name; // of the equality, or of the joint that mimics
    ff_place place;
    int object1, object2;        // bodies (-1: the world) or joints (second -1: none)
    double point1[3], point2[3]; // in the frames of the bodies  [m]
    double turn[9];              // weld: axes of body 2 in body 1
    double length;               // rod  [m]
    double polynomial[5];        // joint: q1 = zero1 + sum polynomial[k] (q2 - zero2)^k
    double zero1, zero2;
    int common;       // node that carries both bodies, -1: none
    int row, nrow;    // its equations
    int ndof, ndof1;  // degrees of freedom that move it; the first ndof1 are on the way from body 1 (or are joint 1)
    const int *dofs;  // (ndof)
    double *jacobian; // rows of G at `dofs`  (nrow*ndof)
    double reach;     // largest row in any direction, with which that of a rod is compared to find singular positions
} ff_loop;

/// All closures of a model, with their memory.
typedef struct ff_loops {
    int nloop, nrow;
    ff_loop *loops; // (nloop)
    double rate;    // s, 0: none  [1/s]

    // written by ff_loops_position, from poses
    double *phi; // errors of closure  [m, rad]   (nrow)
    // written by ff_loops_velocity
    double *speed; // G v          (nrow)
    double *drift; // dG/dt v      (nrow)
    // written by ff_loops_forward
    double *lambda; // least norm  [N, N m]  (nrow)

    // written by ff_loops_factor
    int rank;         // independent equations
    double *response; // rows of M^-1 G'  (nrow*nv)
    double *delassus; // G M^-1 G', scaled, then its factors  (nrow*nrow)
    double *scale;    // of each row  (nrow)
    int *order;       // rows in the order of pivots  (nrow)

    double *work; // (5*nrow + nrow*nrow + nv)
    ff_arena arena;
} ff_loops;

/// Active equalities and mimic joints of a model.
FF_API int ff_loops_count(const ff_model *m);
/// NULL with the reason in `err`: FF_BAD_ARGUMENT (no model), FF_NO_MEMORY. `m` must outlive it.
FF_API ff_loops *ff_loops_create(const ff_model *m, ff_error *err);
/// Frees it; NULL is allowed.
FF_API void ff_loops_destroy(ff_loops *l);

/// phi and rows of G. Needs ff_dyn_kinematics; joints read d->q.
FF_API void ff_loops_position(const ff_model *m, const ff_data *d, ff_loops *l);
/// speed and drift. Needs ff_dyn_velocity and ff_loops_position.
FF_API void ff_loops_velocity(const ff_model *m, const ff_data *d, ff_loops *l);
/// out = G x  (nrow)
FF_API void ff_loops_multiply(const ff_loops *l, const double *x, double *out);
/// tau += G' lambda  (nv)
FF_API void ff_loops_add_torque(const ff_loops *l, const double *lambda, double *tau);

/// x = A^-1 x for a positive matrix A used as M.
typedef void ff_loops_solver(void *context, double *x);

/// Forward dynamics under the closures: d->qacc from d->tau and d->wrench, l->lambda. Needs ff_dyn_kinematics and
/// ff_dyn_velocity; fills d->M and d->LD.
/// @return false when some inertia is singular
FF_API bool ff_loops_forward(const ff_model *m, ff_data *d, ff_loops *l);

/// Moves d->q along M^-1 G' until phi is at rounding level, then removes from d->v the part that opens the loops;
/// updates poses and velocities. Nothing is written where both are closed already.
/// @param rounds  most iterations: 1 or 2 correct the error of a step, 20 close a start pose
/// @return largest |phi| that is left; infinite when inertia is singular
FF_API double ff_loops_close(const ff_model *m, ff_data *d, ff_loops *l, int rounds);
/// The same where some degrees of freedom are given: they keep their positions and speeds, and the others move as
/// little as possible.
/// @param held_q, held_v  degrees of freedom whose position, whose speed is given  (nv)
/// @param speed           receives the largest |G v| that is left
/// @return                largest |phi| that is left; infinite when inertia is singular
FF_API double ff_loops_assemble(const ff_model *m, ff_data *d, ff_loops *l, const bool *held_q, const bool *held_v,
                                double *speed);
/// Are positions and velocities of d on the loops, up to rounding? Fills phi and speed; leaves poses current.
FF_API bool ff_loops_closed(const ff_model *m, ff_data *d, ff_loops *l);
/// Number of the loop that is open most after the last ff_loops_position, and how far: |phi|, distance less length of a
/// rod.
FF_API int ff_loops_widest(const ff_loops *l, double *open);

/// Force at point 2 of body 2, and moment, by the last ff_loops_forward, world axes; zero for joints.
FF_API void ff_loops_force(const ff_model *m, const ff_data *d, const ff_loops *l, int loop, double force[3],
                           double moment[3]);

#ifdef __cplusplus
}
#endif
#endif
