// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Computations that each node needs for itself, for two nodes at a time: lane 0 of every pair belongs to one node, lane
// 1 to the other. The arithmetic is that of ff_inertia_place (spatial.h) and inverse.c.
#ifndef FOOTFALL_DYN_TWO_H
#define FOOTFALL_DYN_TWO_H

#include <footfall/dyn.h>

#include "base/pair.h"
#include "model/lanes.h"

/// Rigid inertias of two nodes, world axes about their trees' origins.
typedef struct ff_inertia_two {
    ff_pair mass;
    ff_pair h[3];
    ff_pair I[6]; // xx, yy, zz, xy, xz, yz
} ff_inertia_two;

static inline ff_pair ff_two(const double *x, const double *y, int k)
{
    return (ff_pair){x[k], y[k]};
}

static inline void ff_two_store(double *x, double *y, int k, ff_pair value)
{
    x[k] = value[0];
    y[k] = value[1];
}

/// Inertias of the lumps 2 k and 2 k + 1, which belong to nodes i and j.
static inline ff_inertia_two ff_inertia_place_two(const ff_model *m, const ff_data *d, int k, int i, int j)
{
    const ff_pair *in = (const ff_pair *)(m->lanes->inertia + 20 * k), *g = in + 1, *I = in + 4;
    const double *Ra = d->pose[i].R, *Rb = d->pose[j].R, *ra = d->pose[i].p, *rb = d->pose[j].p;
    ff_inertia_two out;
    ff_pair R[9], T[9], h[3], r[3];
    for (int n = 0; n < 9; n++) R[n] = ff_two(Ra, Rb, n);
    for (int n = 0; n < 3; n++) r[n] = ff_two(ra, rb, n);
    out.mass = in[0];
    for (int n = 0; n < 3; n++) {
        const ff_pair *row = R + 3 * n;
        T[3 * n] = row[0] * I[0] + row[1] * I[3] + row[2] * I[4];
        T[3 * n + 1] = row[0] * I[3] + row[1] * I[1] + row[2] * I[5];
        T[3 * n + 2] = row[0] * I[4] + row[1] * I[5] + row[2] * I[2];
        h[n] = row[0] * g[0] + row[1] * g[1] + row[2] * g[2];
        out.h[n] = h[n] + out.mass * r[n];
    }
    const ff_pair *s = out.h;
    ff_pair xx = s[0] * r[0] + r[0] * h[0], yy = s[1] * r[1] + r[1] * h[1], zz = s[2] * r[2] + r[2] * h[2];
    out.I[0] = T[0] * R[0] + T[1] * R[1] + T[2] * R[2] + (yy + zz);
    out.I[1] = T[3] * R[3] + T[4] * R[4] + T[5] * R[5] + (xx + zz);
    out.I[2] = T[6] * R[6] + T[7] * R[7] + T[8] * R[8] + (xx + yy);
    out.I[3] = T[0] * R[3] + T[1] * R[4] + T[2] * R[5] - (s[0] * r[1] + r[0] * h[1]);
    out.I[4] = T[0] * R[6] + T[1] * R[7] + T[2] * R[8] - (s[0] * r[2] + r[0] * h[2]);
    out.I[5] = T[3] * R[6] + T[4] * R[7] + T[5] * R[8] - (s[1] * r[2] + r[1] * h[2]);
    return out;
}

static inline void ff_cross_two(ff_pair out[3], const ff_pair a[3], const ff_pair b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// Wrenches (moment about the origin; force) that the masses of two nodes need for the accelerations Ai and Aj without
/// gravity; with their drifts these are those for qacc = 0.
static inline void ff_bias_two(const ff_model *m, const ff_data *d, int i, int j, const double *Ai, const double *Aj,
                               const ff_inertia_two *in, ff_pair p[6])
{
    const double *Vi = d->velocity + 6 * i, *Vj = d->velocity + 6 * j;
    const ff_pair *h = in->h, *I = in->I;
    ff_pair w[3], v[3], alpha[3], a[3], turn[3], E[6], W[9];
    ff_pair half_trace = ff_pair_both(0.5) * (I[0] + I[1] + I[2]);
    for (int k = 0; k < 3; k++) {
        w[k] = ff_two(Vi, Vj, k);
        v[k] = ff_two(Vi, Vj, k + 3);
        alpha[k] = ff_two(Ai, Aj, k);
        a[k] = ff_two(Ai, Aj, k + 3) - ff_pair_both(m->gravity[k]);
        E[k] = half_trace - I[k];
        E[k + 3] = -I[k + 3];
    }
    ff_cross_two(turn, w, v); // acceleration of the body's point at the origin, relative to an observer at rest
    for (int k = 0; k < 3; k++) a[k] += turn[k];
    ff_pair xx = w[0] * w[0], yy = w[1] * w[1], zz = w[2] * w[2];
    ff_pair xy = w[0] * w[1], xz = w[0] * w[2], yz = w[1] * w[2];
    W[0] = -yy - zz, W[1] = xy - alpha[2], W[2] = xz + alpha[1];
    W[3] = xy + alpha[2], W[4] = -xx - zz, W[5] = yz - alpha[0];
    W[6] = xz - alpha[1], W[7] = yz + alpha[0], W[8] = -xx - yy;
    ff_cross_two(p, h, a);
    p[0] += (W[6] * E[3] + W[7] * E[1] + W[8] * E[5]) - (W[3] * E[4] + W[4] * E[5] + W[5] * E[2]);
    p[1] += (W[0] * E[4] + W[1] * E[5] + W[2] * E[2]) - (W[6] * E[0] + W[7] * E[3] + W[8] * E[4]);
    p[2] += (W[3] * E[0] + W[4] * E[3] + W[5] * E[4]) - (W[0] * E[3] + W[1] * E[1] + W[2] * E[5]);
    for (int k = 0; k < 3; k++)
        p[3 + k] = in->mass * a[k] + W[3 * k] * h[0] + W[3 * k + 1] * h[1] + W[3 * k + 2] * h[2];
}

#endif
