// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The shortest way out of several half-spaces at once: the smallest u with
//     n_i . u >= e_i   for all i,     u = sum of s_i n_i,   s_i >= 0, zero where n_i . u > e_i.
// At most three of them decide in space. There are few, so that all ones, twos and threes are tried in turn. The length
// |u| is the distance to the intersection of the half-spaces: its gradient by a common motion is the unit vector along
// u, so that a force along it that depends on |u| has a potential.
#include "collide_private.h"

#define FF_CORE static inline
#include "nearest_core.h"

double ff_fillet(const double (*n)[3], const double *e, int count, double u[3], double *share)
{
    ff_fillet_search s = {.n = n, .e = e, .count = count, .u = u, .share = share};
    return ff_fillet_solve(&s);
}
