// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Responses of loops to single forces, for contacts that meet them.
#ifndef FOOTFALL_DYN_LOOP_RESPONSE_H
#define FOOTFALL_DYN_LOOP_RESPONSE_H

#include <footfall/loop.h>

/// Prepares ff_loops_solve for the rows at hand and a matrix A. @return rank
int ff_loops_factor(const ff_model *m, ff_loops *l, ff_loops_solver *solve, void *context);
/// x += A^-1 G' lambda with G x = goal for the new x, in all independent rows.
/// @param lambda  receives the multipliers of least norm, may be NULL  (nrow)
void ff_loops_solve(const ff_model *m, ff_loops *l, const double *goal, double *x, double *lambda);
/// ff_loops_widest without the loops that hold a mocap body: callers place it, so that a wide gap there is no mistake
/// in a pose.
int ff_loops_widest_own(const ff_model *m, const ff_loops *l, double *open);
/// Unit of the rows of a loop from `row` on: "m" or "rad".
const char *ff_loops_unit(const ff_model *m, const ff_loop *loop, int row);

#endif
