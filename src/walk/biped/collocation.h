// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A motion x(t) of the torso in the plane that comes near to
//     alpha(t) x'' + gamma(t) x = tau(t)
// and starts and ends with given place, speed and acceleration: six conditions for an equation of second order, whose
// solutions grow without bound besides. A spline of fifth degree with continuous derivatives up to the fourth fulfils
// all six and the equation at its inner knots. T. Buschmann et al., A collocation method for real-time walking pattern
// generation (Humanoids 2007).
#ifndef FOOTFALL_BIPED_COLLOCATION_H
#define FOOTFALL_BIPED_COLLOCATION_H

#include <stdbool.h>
#include <stddef.h>

/// Place, speed and acceleration along x and y at a knot.  [m, m/s, m/s^2]
typedef struct ff_knot {
    double x[2], v[2], a[2];
} ff_knot;

/// Numbers of workspace for n segments.
size_t ff_collocation_work(int n);
/// Factors the equations of a spline over n segments of length h, for any number of right-hand sides.
/// @param alpha, gamma  at the knots  (n + 1)
/// @return false where they are singular
bool ff_collocation_factor(int n, double h, const double *alpha, const double *gamma, double *work);
/// The spline. First and last knot are given, those between are filled.
/// @param tau   right-hand sides along x and y at the knots  (n + 1)
/// @param work  as ff_collocation_factor left it
/// @return false where the numbers are not finite; knots is then not changed
bool ff_collocate(int n, double h, const double *gamma, const double (*tau)[2], ff_knot *knots, double *work);
/// The spline of one segment, `at` from 0 to h behind its first knot.
ff_knot ff_collocation_at(const ff_knot knots[2], double h, double at);

#endif
