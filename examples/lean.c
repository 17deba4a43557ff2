// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A six-legged robot of weight P wants to lift both front feet. Its hips are l = 0.18 m apart and its centre of mass is
// above the middle feet, so that the four feet that stay have it right on the edge of their polygon: it would tip. How
// far must it lean back for a margin of m = 1 cm, and what do the rear feet carry then?
//     moments about the middle feet:   F_rear l = P m,   so  F_rear = P m / l,  shared by two feet
// This program lets the tools of balance.h find the shift and the forces, and compares.
#include <footfall/balance.h>
#include <footfall/footfall.h>
#include <math.h>
#include <stdio.h>

static const double P = 49.05, l = 0.18, m = 0.01; // [N], [m], [m]

// front left and right, middle, rear  [m]
static const double feet[6][2] = {{0.18, 0.22}, {0.18, -0.22}, {0, 0.22}, {0, -0.22}, {-0.18, 0.22}, {-0.18, -0.22}};

int main(void)
{
    const double com[2] = {0.0, 0.0};
    double shift[2], force[4];
    ff_support support;
    ff_support_make(&support, feet + 2, 4); // without the front feet
    printf("margin when the front feet leave: %.3f m\n", ff_support_margin(&support, com));
    ff_balance_correction(&support, com, m, shift);
    const double leaned[2] = {com[0] + shift[0], com[1] + shift[1]};
    printf("lean by (%.3f, %.3f) m for a margin of %.3f m\n", shift[0], shift[1], ff_support_margin(&support, leaned));
    ff_balance_share share;
    ff_balance_distribute(feet + 2, 4, P, leaned, force, &share);
    printf("middle feet %.2f N each, rear feet %.2f N each\n", force[0], force[2]);
    double wanted = 0.5 * P * m / l;
    bool right = share.balanced && fabs(shift[0] + m) < 1e-12 && fabs(force[2] - wanted) < 1e-10;
    printf("by hand: lean %.3f m, rear feet %.2f N: %s\n", -m, wanted, right ? "the same" : "NOT the same");
    return right ? 0 : 1;
}
