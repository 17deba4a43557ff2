// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact without compliance, part of the room contact: velocities that jump by impulses, and forces found from
// complementarity. All of it works on the matrix of a set of contacts,
//     A = J M^-1 J'      (n x n, row-major: Delassus matrix; J row i: normal velocity of contact i per generalised
//         velocity)
// so free bodies, fixed ones (M^-1 = 0) and jointed ones are the same case. u_i is the velocity of separation along the
// normal: below zero while approaching. For stiff, short impacts; where forces matter use contact.h.
#ifndef FOOTFALL_RESPONSE_H
#define FOOTFALL_RESPONSE_H

#include <footfall/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A = J M^-1 J'. @param J  n x nv   @param M_inverse  nv x nv   @param A  n x n
FF_API void ff_delassus(int n, int nv, const double *J, const double *M_inverse, double *A);

// ------------------------------------------------------------------------------------------ impulses

/// Impulse of one contact with Coulomb friction; axes: normal, tangent, tangent. Sticking is tried first (slip brought
/// to zero); where that needs more than mu times the normal impulse, the contact slides in the direction of its slip
/// throughout. Kinetic energy never grows: where it would (a body that rotates turns friction into bounce), the
/// impulse is smaller than e demands.
/// @param A     3 x 3 Delassus matrix of the contact
/// @param u     velocity before; after on return              [m/s]
/// @param e     restitution, 0 to 1    @param mu  friction coefficient
/// @param j     impulse on body 2; zero when u[0] >= 0          [N s]
/// @return FF_OK, or FF_BAD_ARGUMENT when A gives the contact no mobility
FF_API ff_status ff_impulse_one(const double A[9], double u[3], double e, double mu, double j[3], ff_error *err);

/// Propagation: one contact at a time, j = -(1 + e) u / A_ii, the fastest approach first (the lower index of two equal
/// ones), until none approaches. A blow travels through a row of balls.
/// @param e  restitution of each contact   (n)
/// @param u  before; after on return       (n)  [m/s]
/// @param j  impulses                      (n)  [N s]
/// @return FF_OK; FF_SOLVER when 100000 + 1000 n single impacts do not end it; FF_BAD_ARGUMENT when an approaching
/// contact has no mobility
FF_API ff_status ff_impulse_propagate(int n, const double *A, const double *e, double *u, double *j, ff_error *err);

/// Simultaneous update: all contacts that do not separate together, as the linear complementarity problem
///     w = A j + (1 + e) u >= 0,   j >= 0,   j' w = 0,
/// repeated where contacts that separated at first now approach. With e = 1 kinetic energy is kept.
/// @param work  ff_lcp_work(n) numbers
/// @return FF_OK, or what ff_lcp_solve says
FF_API ff_status ff_impulse_simultaneous(int n, const double *A, const double *e, double *u, double *j, double *work,
                                         ff_error *err);

// Contacts with friction: A is 3n x 3n, u and j hold 3n numbers, for each contact along its normal and two tangents
// (any two that make a right-angled frame with it).

/// Propagation as above, each single impact by ff_impulse_one with its cone.
/// @param e, mu  restitution and friction coefficient of each contact   (n)
/// @return as ff_impulse_propagate
FF_API ff_status ff_impulse_propagate_friction(int n, const double *A, const double *e, const double *mu, double *u,
                                               double *j, ff_error *err);

/// Simultaneous update with friction, in two phases after Poisson: compression by ff_lcp_friction until nothing
/// approaches, then e times its normal impulses, again with friction. Without friction and with the same e everywhere
/// it agrees with ff_impulse_simultaneous.
/// @param work  ff_impulse_friction_work(n) numbers
/// @return FF_OK, or what ff_lcp_friction says
FF_API ff_status ff_impulse_simultaneous_friction(int n, const double *A, const double *e, const double *mu, double *u,
                                                  double *j, double *work, ff_error *err);
/// How many numbers of work space n contacts need.
FF_API size_t ff_impulse_friction_work(int n);

// ------------------------------------------------------------------------------------------ complementarity

/// Solves  w = A f + b >= 0,  f >= 0,  f' w = 0  by Lemke's method with lexicographic ties (C. E. Lemke, Management
/// Science 11, 1965), which ends for every positive semi-definite A: also where several legs share a load in many ways.
/// Forces at acceleration level: b = J M^-1 (tau - bias) + dJ/dt v; impulses: b = (1 + e) J v.
/// @return FF_OK; FF_SOLVER when there is no solution (or, for a matrix that is not semi-definite, none was found);
/// FF_BAD_ARGUMENT when a number is not finite
FF_API ff_status ff_lcp_solve(int n, const double *A, const double *b, double *f, double *work, ff_error *err);

/// The same with Coulomb friction, A and b as for impulses with friction: w = A f + b, w_n >= 0, f_n >= 0, f_n w_n = 0,
/// and f_t opposes w_t with mu f_n, or is anything up to that where w_t = 0. Solved as a friction pyramid of four edges
/// a contact (Stewart and Trinkle 1996, Anitescu and Potra 1997) that is turned to the forces found until they fulfil
/// the round cone; after at most 12 rounds the best answer is returned. For forces at acceleration level a
/// contact that slides already needs its direction in `slide`; its friction is mu f_n against that.
/// @param mu     friction coefficients                                                                   (n)
/// @param slide  unit slip direction (0, t1, t2) of contacts that slide, zero for others; may be NULL       (3n)
/// @param f      forces or impulses along normal and tangents                                            (3n)
/// @param work   ff_lcp_friction_work(n) numbers
/// @return as ff_lcp_solve. Forces of sliding contacts may have no solution (Painleve): then FF_SOLVER
FF_API ff_status ff_lcp_friction(int n, const double *A, const double *b, const double *mu, const double *slide,
                                 double *f, double *work, ff_error *err);
/// How many numbers of work space n contacts need.
FF_API size_t ff_lcp_friction_work(int n);

#ifdef __cplusplus
}
#endif
#endif
