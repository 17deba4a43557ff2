// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Multibody dynamics of a compiled model: kinematics, Jacobians, inverse and forward dynamics, mass matrix, momentum,
// energy, and the passive forces of joints. The equation of motion is
//     M(q) qacc + bias(q, v) = tau + sum J' f          bias = C(q, v) v - gravity forces
// Notation follows R. Featherstone, Rigid Body Dynamics Algorithms (Springer, 2008).
//
// Spatial vectors are (angular 3, linear 3) for motion and (moment 3, force 3) for wrenches, in world axes.
// No function here allocates after ff_data_create, locks or prints.
#ifndef FOOTFALL_DYN_H
#define FOOTFALL_DYN_H

#include <footfall/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Inertia on a coordinate x(q) of one joint or of two of which one carries the other: a motor's rotor behind a crank,
/// a table of levers, a differential gear or a rod. The code that writes q and v updates lever and drift (rotor.c).
typedef struct ff_rotor {
    int ndof;        // 1 or 2
    int dof[2];      //
    int entry;       // ff_dyn_mass_entry of the two
    double inertia;  // J                       [kg m^2, kg]
    double lever[2]; // r = dx/dq
    double drift;    // dr/dt v                 [rad/s^2, m/s^2]
} ff_rotor;

/// State and scratch of one model. The caller writes the first group; each function says which fields it reads and
/// fills.
typedef struct ff_data {
    // written by the caller
    double time; // [s]
    double *q;   // generalised position                                  (nq)
    double *v;   // generalised velocity                                  (nv)
    double *tau; // applied generalised force                             (nv)
    // external wrench on each node, moment about the tree's origin: fill it by ff_dyn_apply_force  (6*nnode)
    double *wrench;
    double *applied;        // the part of it from ff_dyn_apply_force: all but the wrenches of contacts  (6*nnode)
    bool applies;           // ff_dyn_apply_force was called since ff_dyn_clear_forces
    ff_pose *mocap;         // displacement of each of ff_model.mocaps from its place in the model  (nmocap)
    const ff_rotor *rotors; // beyond armature, borrowed; NULL: none  (nrotor)
    int nrotor;

    // written by ff_dyn_kinematics
    ff_pose *pose;         // of each node: attitude, and position relative to its tree's origin, world axes  (nnode)
    double *tree_origin;   // reference point of each tree: its root node, world  [m]  (3*ntree)
    double *S;             // motion axis of each dof about its tree's origin (angular, linear)  (6*nv)
    double *tendon_length; // of each tendon  [m; of a fixed one the unit of its sum]  (ntendon)
    double *tendon_lever;  // dL/dv for the degrees of freedom of each tendon, from ff_tendon.first on  (ntendon_dof)
    // written by ff_dyn_velocity
    double *tendon_speed; // dL/dt  (ntendon)
    double *velocity;     // of each node, (angular, linear at the tree's origin)  (6*nnode)
    double *drift;        // acceleration of each node for qacc = 0, no gravity    (6*nnode)
    // written by ff_dyn_mass
    double *M; // packed mass matrix with armature, see ff_model.M_row  (nM)
    // written by ff_dyn_factor
    double *LD; // M = L' D L, packed as M; D inverted on the diagonal   (nM)
    // written by ff_dyn_forward
    double *qacc; // generalised acceleration                      (nv)
    // written by ff_dyn_passive
    double *passive;       // spring, damper, dry friction and stop forces, and those that balance weight  (nv)
    double passive_energy; // elastic energy of springs and stops  [J]
    double passive_power;  // power they dissipate, >= 0 without wind  [W]
    double lift_energy;    // potential energy of the forces that balance weight (ff_model.lifts)  [J]

    double *scratch;     // private to the functions of this room
    double *articulated; // the same: inertias of the last ff_dyn_forward
    void *memory;        // the block that contains all arrays above
    size_t memory_size;
} ff_data;

/// Allocates everything once; q = q0, the rest zero. NULL with the reason in `err`: FF_BAD_ARGUMENT (no
/// model), FF_NO_MEMORY.
FF_API ff_data *ff_data_create(const ff_model *m, ff_error *err);
/// Frees it; NULL is allowed.
FF_API void ff_data_destroy(ff_data *d);
/// q = q0, v = 0, tau = 0, wrench = applied = 0, time = 0.
FF_API void ff_data_reset(const ff_model *m, ff_data *d);

// ------------------------------------------------------------------------------------------ positions

/// Scales each quaternion in q to length 1.
FF_API void ff_dyn_normalise(const ff_model *m, double *q);
/// q_out = q moved by the velocity v for the time t, quaternions by the exponential map; q_out may be q.
FF_API void ff_dyn_advance(const ff_model *m, const double *q, const double *v, double t, double *q_out);
/// v_out such that ff_dyn_advance(q_from, v_out, 1) = q_to.
FF_API void ff_dyn_difference(const ff_model *m, const double *q_from, const double *q_to, double *v_out);

// ------------------------------------------------------------------------------------------ kinematics

/// Puts the body that callers move, the one of number `mocap` in ff_model.mocaps, at a pose in the world: d->mocap.
/// Call ff_dyn_kinematics afterwards. `quat` has length 1.
FF_API void ff_dyn_place_mocap(const ff_model *m, ff_data *d, int mocap, const double pos[3], const double quat[4]);
/// d->q -> pose, tree_origin, S, tendon_length, tendon_lever.
FF_API void ff_dyn_kinematics(const ff_model *m, ff_data *d);
/// d->v -> velocity, drift, tendon_speed. Needs ff_dyn_kinematics.
FF_API void ff_dyn_velocity(const ff_model *m, ff_data *d);
/// Pose of a body in the world. Needs ff_dyn_kinematics. `body` -1 is the world.
FF_API void ff_dyn_body_pose(const ff_model *m, const ff_data *d, int body, double pos[3], double quat[4]);
/// Position in the world of a point given in a body's frame.
FF_API void ff_dyn_point(const ff_model *m, const ff_data *d, int body, const double local[3], double world[3]);
/// Angular velocity of a body and linear velocity of its point, world axes (6). Needs ff_dyn_velocity.
FF_API void ff_dyn_point_velocity(const ff_model *m, const ff_data *d, int body, const double local[3], double out[6]);
/// ff_dyn_point and ff_dyn_point_velocity at once, in little more time than one of them.
FF_API void ff_dyn_point_motion(const ff_model *m, const ff_data *d, int body, const double local[3], double world[3],
                                double velocity[6]);
/// Angular and linear acceleration (as an observer at rest measures, without gravity) for the given qacc (6). Needs
/// ff_dyn_velocity.
FF_API void ff_dyn_point_acceleration(const ff_model *m, const ff_data *d, int body, const double local[3],
                                      const double *qacc, double out[6]);
/// Jacobian of a point of a body: (angular; linear) = J v, world axes, row-major 6 x nv. Needs ff_dyn_kinematics.
FF_API void ff_dyn_jacobian(const ff_model *m, const ff_data *d, int body, const double local[3], double *J);
/// dJ/dt v: acceleration of the point for qacc = 0 (6). Needs ff_dyn_velocity.
FF_API void ff_dyn_jacobian_drift(const ff_model *m, const ff_data *d, int body, const double local[3], double out[6]);

/// Adds a force and a moment (world axes, force acting at a world point) on a body to d->wrench and d->applied. Needs
/// ff_dyn_kinematics.
FF_API void ff_dyn_apply_force(const ff_model *m, ff_data *d, int body, const double point[3], const double force[3],
                               const double moment[3]);
/// No external forces: d->wrench = d->applied = 0.
FF_API void ff_dyn_clear_forces(const ff_model *m, ff_data *d);
/// tau_out += sum of J' wrench over the nodes, for the wrenches in d. Needs ff_dyn_kinematics.
FF_API void ff_dyn_add_wrench_torque(const ff_model *m, const ff_data *d, double *tau_out);

// ------------------------------------------------------------------------------------------ dynamics

/// Inverse dynamics by recursive Newton-Euler: tau = M(q) a + bias(q, v). Uses q, v, a alone and the scratch of d.
/// `a` may be NULL for zero: then tau is the bias. Armature is included, and rotors with the levers in d.
FF_API void ff_dyn_inverse(const ff_model *m, ff_data *d, const double *q, const double *v, const double *a,
                           double *tau);
/// Joint forces for the accelerations a at the poses and velocities in d, less those that d->wrench gives, in half the
/// time of ff_dyn_inverse. Needs ff_dyn_kinematics and ff_dyn_velocity.
FF_API void ff_dyn_inverse_here(const ff_model *m, ff_data *d, const double *a, double *tau);
/// Mass matrix by the composite-rigid-body method -> d->M. Needs ff_dyn_kinematics.
FF_API void ff_dyn_mass(const ff_model *m, ff_data *d);
/// Expands packed d->M to a full symmetric row-major matrix (nv x nv).
FF_API void ff_dyn_mass_expand(const ff_model *m, const ff_data *d, double *full);
/// Factorises d->M -> d->LD along the branches of the tree (no fill-in). @return false when not positive definite
FF_API bool ff_dyn_factor(const ff_model *m, ff_data *d);
/// x = M^-1 x, using d->LD.
FF_API void ff_dyn_solve(const ff_model *m, const ff_data *d, double *x);
/// y = M x, using d->M.
FF_API void ff_dyn_mass_mul(const ff_model *m, const ff_data *d, const double *x, double *y);
/// Forward dynamics by the articulated-body method, or with rotors by the factors of M (then d->M and d->LD are
/// written): d->qacc from d->tau and d->wrench. Needs ff_dyn_kinematics and ff_dyn_velocity.
/// @return false when some articulated inertia is singular
FF_API bool ff_dyn_forward(const ff_model *m, ff_data *d);
/// ff_dyn_forward with another d->tau and d->wrench at the poses and velocities of its last call: bit-identical, in a
/// fifth of the time.
FF_API bool ff_dyn_forward_again(const ff_model *m, ff_data *d);

/// Springs, dampers, regularised dry friction and one-sided stops of joints and tendons, drag, and forces that balance
/// the weight of bodies -> d->passive, passive_energy, passive_power, lift_energy. Reads d->q and d->v, and where the
/// model has lifts, drag or tendons what ff_dyn_kinematics and ff_dyn_velocity write.
FF_API void ff_dyn_passive(const ff_model *m, ff_data *d);
/// tau += lever' force: the generalised force of a force along a tendon; above 0 it makes the tendon longer.
/// Needs ff_dyn_kinematics.
FF_API void ff_dyn_tendon_apply(const ff_model *m, const ff_data *d, int tendon, double force, double *tau);
/// Rate lever . v of the length of a tendon, for any generalised velocity v. Needs ff_dyn_kinematics.
FF_API double ff_dyn_tendon_rate(const ff_model *m, const ff_data *d, int tendon, const double *v);

// ------------------------------------------------------------------------------------------ whole-robot quantities

/// Centre of mass of all bodies, those fixed to the world included, world [m]. Needs ff_dyn_kinematics.
FF_API void ff_dyn_com(const ff_model *m, const ff_data *d, double com[3]);
/// Joint forces that hold the model still against gravity: inverse dynamics without motion, in a tenth of its time.
/// Needs ff_dyn_kinematics.  (nv)
FF_API void ff_dyn_gravity(const ff_model *m, ff_data *d, double *tau);
/// Centroidal momentum (angular about the centre of mass; linear), world axes. Needs ff_dyn_velocity.
FF_API void ff_dyn_momentum(const ff_model *m, const ff_data *d, double h[6]);
/// Centroidal momentum matrix: h = A v, row-major 6 x nv (D. E. Orin, A. Goswami, 2008). Needs ff_dyn_kinematics; uses
/// the scratch of d.
FF_API void ff_dyn_momentum_matrix(const ff_model *m, ff_data *d, double *A);
/// Kinetic energy, rotors (armature) included [J]. Needs ff_dyn_velocity.
FF_API double ff_dyn_kinetic_energy(const ff_model *m, const ff_data *d);
/// Potential energy of gravity, zero at z = 0 of the world [J]. Needs ff_dyn_kinematics.
FF_API double ff_dyn_potential_energy(const ff_model *m, const ff_data *d);

#ifdef __cplusplus
}
#endif
#endif
