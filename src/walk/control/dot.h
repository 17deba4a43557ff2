// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Vectors of inverse kinematics and quadratic programs.
#ifndef FOOTFALL_CONTROL_DOT_H
#define FOOTFALL_CONTROL_DOT_H

/// The next `count` numbers of a workspace.
static inline double *take(double **work, int count)
{
    double *at = *work;
    *work += count;
    return at;
}

/// Inner product in four partial sums, which can be added at the same time, in the same order with every compiler.
static inline double dot(const double *a, const double *b, int n)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0}, rest = 0.0;
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++) sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++) rest += a[i] * b[i];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}

#endif
