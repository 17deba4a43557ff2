// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Complementarity for some of the contacts only, and in addition to impulses that are known already.
#ifndef FOOTFALL_CONTACT_LCP_H
#define FOOTFALL_CONTACT_LCP_H

#include <footfall/response.h>

/// ff_lcp_solve without the contacts for which `idle` (may be NULL) is not zero: their f is zero and their w is free.
/// The last 3 n numbers of `work` are not touched.
ff_status ff_lcp_part(int n, const double *A, const double *b, const double *idle, double *f, double *work,
                      ff_error *err);

/// ff_lcp_solve whose answer may violate the conditions by up to 1e-3: a start for another method.
ff_status ff_lcp_rough(int n, const double *A, const double *b, double *f, double *work, ff_error *err);

/// The problem of ff_lcp_friction with two more inputs.
typedef struct ff_friction_problem {
    int n;
    const double *A;     // 3n x 3n
    const double *b;     // (3n)
    const double *mu;    // (n)
    const double *slide; // (3n), may be NULL
    const double *idle;  // not zero: the contact takes no part                      (n), may be NULL
    const double *given; // normal impulses in b already, which carry friction too   (n), may be NULL
} ff_friction_problem;

/// How far f is from Coulomb's conditions on the round cone, relative to the largest of b.
/// @param work  3 n numbers
double ff_cone_distance(const ff_friction_problem *p, const double *f, double *work);
/// Moves a good guess f onto the cone. @return the distance left; f is useless where that is not small
/// @param compliance  relative increase of each contact's compliance in the steps: 1e-9 is fast, 1e-3 safe
/// @param work  ff_cone_work(n) numbers
double ff_cone_polish(const ff_friction_problem *p, double compliance, double *f, double *work);
size_t ff_cone_work(int n);
/// Moves f nearer to the cone, one contact after the other.
void ff_cone_sweep(const ff_friction_problem *p, double *f, int sweeps);

/// @param work  ff_lcp_friction_work(n) numbers
ff_status ff_friction_solve(const ff_friction_problem *p, double *f, double *work, ff_error *err);

/// How many numbers of work space n contacts need.
size_t ff_lcp_work(int n);

#endif
