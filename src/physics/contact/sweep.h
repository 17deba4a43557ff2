// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts with friction, solved one after the other in sweeps over all of them, until nothing changes any more: for
// piles, where the matrices of lcp.h would grow with the square of their number. Velocities stay those of the bodies, x
// (of free bodies or of robots, or accelerations where forces are wanted); each contact needs its own rows of J and X =
// M^-1 J' alone,
//     u = J x + shift,     x += X' dj
// so that the time of a sweep is proportional to the number of contacts.
#ifndef FOOTFALL_CONTACT_SWEEP_H
#define FOOTFALL_CONTACT_SWEEP_H

#include <footfall/base.h>
#include <stdbool.h>

/// One side of a contact: `count` numbers of the velocities x, from number `first`.
typedef struct ff_sweep_side {
    int first, count;
    double *J; // velocities along the rows by x                            (rows x count)
    double *X; // J M^-1: change of x by a unit impulse along each row      (rows x count)
} ff_sweep_side;

/// A contact. Rows along its normal and two tangents; where it resists turning, also the spin about each of these.
typedef struct ff_sweep_point {
    int rows, nside; // 3 or 6; 0 to 2
    ff_sweep_side side[2];
    double mu, torsion, rolling; // limits: mu j_n, torsion |j_n|, rolling |j_n|             [1], [m], [m]
    double slide[3];             // unit slip direction (0, t1, t2) where that is known, otherwise zero
    double shift[6];             // added to u: for the normal the approach that is allowed  [m/s], [rad/s]
    double given;                // normal impulse in x already, which carries friction too  [N s]
    bool idle;                   // takes no part
    double j[6];                 // impulses along the rows                                  [N s], [N m s]
    double own[9];               // its block of J X', normal and tangents; the rest by ff_sweep_prepare
    double inverse[9];           // of `own`; all zero where it has none
    double change[6], along[6];  // of j: by the last sweep, and along which sweeps go
    double across, twist, roll;  // largest mobility across the normal, about it, and for rolling
} ff_sweep_point;

/// When to stop: after the sweep in which no impulse changed by more than `tolerance` times the velocity the contacts
/// start with (that change times the contact's own mobility, a velocity), or after `most`. Below `enough`, in the same
/// measure, also when a hundred sweeps do not halve the change: contacts of one body whose conditions no impulses
/// fulfil press against each other a little more with each sweep.
typedef struct ff_sweep_rule {
    double tolerance;
    int most;
    double enough; // 0: never
    double still;  // change of a velocity that is always small enough  [m/s]
} ff_sweep_rule;

/// Result: the number of sweeps, and the largest change of a velocity in the last of them.
typedef struct ff_sweep_end {
    int sweeps;
    double residual; // [m/s]
    bool stopped;    // by ff_stop: the impulses are not a solution
} ff_sweep_end;

/// Computes what sweeps need of J and X: own, inverse, across, twist, roll.
void ff_sweep_prepare(ff_sweep_point *point);
/// u = J x + shift.  (rows)
void ff_sweep_velocity(const ff_sweep_point *point, const double *x, double *u);
/// x += X' dj: what impulses dj along the rows change.
void ff_sweep_apply(const ff_sweep_point *point, const double *dj, double *x);
/// Entry block of the matrix J X' of two contacts, 3 x 3.
void ff_sweep_block(const ff_sweep_point *a, const ff_sweep_point *b, double block[9]);

/// Torsion and rolling of one contact, with its normal impulse as it is now. @return the change, as a velocity at the
/// patch  [m/s]
double ff_sweep_turn(ff_sweep_point *point, double *x);

/// Impulses j (a guess on entry, which is not in x yet) with Coulomb's conditions at the velocities x, which become
/// those after: u_n >= 0, j_n >= 0, j_n u_n = 0, j_t against u_t with mu j_n, or any up to that where u_t = 0; likewise
/// for turning. The order is forwards and backwards by turns, so that one answer follows from one list.
/// @param points  all contacts    @param order  numbers of those to be solved for    (n)
ff_sweep_end ff_sweep_solve(ff_sweep_point *points, const int *order, int n, ff_sweep_rule rule, double *x);

#endif
