// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Rigid bodies in a batch: frames along a tree, inertias, and the articulated-body method in world axes about the
// origin of each tree, the equations of src/physics/dyn (kinematics.c, forward.c) with one robot a lane:
//     V_i = V_parent + S v                             drift_i = drift_parent + V_parent x S v, from -g at the root
//     p_i = I_i drift_i + V_i x* I_i V_i - wrench
//     U = IA S,  D = S' U + armature,  u = tau - S' pA
//     IA_parent += IA - U U'/D,   pA_parent += pA + U u/D,   qacc = (u - U' a_parent)/D,   a = a_parent + S qacc
// Spatial vectors are (angular, linear); symmetric 3 x 3 matrices are xx yy zz xy xz yz.
#ifndef FOOTFALL_BATCH_BODIES_H
#define FOOTFALL_BATCH_BODIES_H

#include "batch/lanes.h"
#include "batch/model.h"

/// A frame: attitude, place from the origin of the tree, velocity and drift.
typedef struct frame {
    real R[9], p[3], w[3], v[3], aw[3], av[3];
} frame;

/// A rigid body about the origin of the tree, and its bias wrench.
typedef struct lump {
    real I[6], h[3], m, n[3], f[3];
} lump;

/// An articulated body: [A B; B' C] and its bias wrench.
typedef struct artic {
    real A[6], B[9], C[6], n[3], f[3];
} artic;

/// What the way out needs of a degree of freedom: qacc = e - k a.
typedef struct record {
    real S[6], k[6], e;
} record;

FN void cross(real *out, const real *a, const real *b)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

FN void cross_add(real *out, const real *a, const real *b)
{
    out[0] += a[1] * b[2] - a[2] * b[1];
    out[1] += a[2] * b[0] - a[0] * b[2];
    out[2] += a[0] * b[1] - a[1] * b[0];
}

FN real dot6(const real *a, const real *b)
{
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/// out = R (a b c)' for constants a, b, c. Those that are zero for every robot may be known (`has`: bits of those that
/// are not): a product by zero that is left out changes the sign of a zero at most.
FN void weigh(real *out, unsigned has, const real *R, num a, num b, num c)
{
#define FF_ROWS(entry)                                                                                                 \
    do {                                                                                                               \
        UNROLL for (int i = 0; i < 3; i++) out[i] = entry;                                                             \
    } while (0)
    const unsigned x = has & 1U, y = has & 2U, z = has & 4U; // bit by bit: three branches
    if (x) {
        if (y) {
            if (z)
                FF_ROWS(R[3 * i] * a + R[3 * i + 1] * b + R[3 * i + 2] * c);
            else
                FF_ROWS(R[3 * i] * a + R[3 * i + 1] * b);
        } else if (z)
            FF_ROWS(R[3 * i] * a + R[3 * i + 2] * c);
        else
            FF_ROWS(R[3 * i] * a);
    } else if (y) {
        if (z)
            FF_ROWS(R[3 * i + 1] * b + R[3 * i + 2] * c);
        else
            FF_ROWS(R[3 * i + 1] * b);
    } else if (z)
        FF_ROWS(R[3 * i + 2] * c);
    else
        FF_ROWS(each(0.0));
#undef FF_ROWS
}

/// All numbers of a node may be other than zero (model.h).
static const unsigned FF_HAS_ALL = (1U << FF_HAS_BITS) - 1;

/// R a for a constant a.
FN void turn_constant(real *out, const real *R, const num *a)
{
    UNROLL for (int i = 0; i < 3; i++) out[i] = R[3 * i] * a[0] + R[3 * i + 1] * a[1] + R[3 * i + 2] * a[2];
}

FN void quat_to_matrix(real *R, const real *q)
{
    real w = q[0], x = q[1], y = q[2], z = q[3];
    R[0] = w * w + x * x - y * y - z * z;
    R[1] = 2.0 * (x * y - w * z);
    R[2] = 2.0 * (x * z + w * y);
    R[3] = 2.0 * (x * y + w * z);
    R[4] = w * w - x * x + y * y - z * z;
    R[5] = 2.0 * (y * z - w * x);
    R[6] = 2.0 * (x * z - w * y);
    R[7] = 2.0 * (y * z + w * x);
    R[8] = w * w - x * x - y * y + z * z;
}

/// The world, from which trees start: at rest, but for gravity.
FN void frame_of_world(frame *f, const double *gravity)
{
    const real zero = each(0.0);
    UNROLL for (int i = 0; i < 9; i++) f->R[i] = i % 4 == 0 ? each(1.0) : zero;
    UNROLL for (int i = 0; i < 3; i++)
    {
        f->p[i] = f->w[i] = f->v[i] = f->aw[i] = zero;
        f->av[i] = each(-gravity[i]);
    }
}

/// The frame of a node at zero displacement.
FN void frame_shift(frame *f, const num *rest_R, const num *rest_p, int turned, unsigned has)
{
    real shift[3], turned_R[3][3];
    if (has >> FF_HAS_SHIFT & 7U) {
        weigh(shift, has >> FF_HAS_SHIFT, f->R, rest_p[0], rest_p[1], rest_p[2]);
        UNROLL for (int i = 0; i < 3; i++) f->p[i] += shift[i];
    }
    if (!turned) return;
    UNROLL for (int k = 0; k < 3; k++)
        weigh(turned_R[k], has >> (FF_HAS_TURN + 3 * k), f->R, rest_R[k], rest_R[3 + k], rest_R[6 + k]);
    UNROLL for (int i = 0; i < 9; i++) f->R[i] = turned_R[i % 3][i / 3];
}

/// Moves on by the velocity `move` of a joint: velocity and drift.
FN void frame_move(frame *f, const real *move)
{
    cross_add(f->aw, f->w, move);
    cross_add(f->av, f->w, move + 3);
    cross_add(f->av, f->v, move);
    UNROLL for (int i = 0; i < 3; i++)
    {
        f->w[i] += move[i];
        f->v[i] += move[3 + i];
    }
}

/// Turns about the z axis, which is the axis of the joint.
FN void frame_turn(frame *f, real sine, real cosine)
{
    UNROLL for (int i = 0; i < 3; i++)
    {
        real x = f->R[3 * i], y = f->R[3 * i + 1];
        f->R[3 * i] = cosine * x + sine * y;
        f->R[3 * i + 1] = cosine * y - sine * x;
    }
}

/// Motion axis of a rotation about the column `k` of R through p.
FN void rotation_axis(real *S, const frame *f, int k)
{
    UNROLL for (int i = 0; i < 3; i++) S[i] = f->R[3 * i + k];
    cross(S + 3, f->p, S);
}

/// (n, f) = inertia times the motion (w, a).
FN void lump_times(real *n, real *f, const lump *l, const real *w, const real *a)
{
    const real *I = l->I, *h = l->h;
    n[0] = I[0] * w[0] + I[3] * w[1] + I[4] * w[2] + (h[1] * a[2] - h[2] * a[1]);
    n[1] = I[3] * w[0] + I[1] * w[1] + I[5] * w[2] + (h[2] * a[0] - h[0] * a[2]);
    n[2] = I[4] * w[0] + I[5] * w[1] + I[2] * w[2] + (h[0] * a[1] - h[1] * a[0]);
    f[0] = l->m * a[0] + (w[1] * h[2] - w[2] * h[1]);
    f[1] = l->m * a[1] + (w[2] * h[0] - w[0] * h[2]);
    f[2] = l->m * a[2] + (w[0] * h[1] - w[1] * h[0]);
}

/// What follows from mass and first moment of l and T = R I, d = R h: its inertia and the forces of its motion.
FN void lump_finish(lump *l, const frame *f, const real *T, const real *d)
{
    const real *R = f->R, *p = f->p;
    // R I R' and, by Steiner, (p . (d + h)) 1 - p h' - d p', which is symmetric
    const real *g = l->h;
    real far = p[0] * (d[0] + g[0]) + p[1] * (d[1] + g[1]) + p[2] * (d[2] + g[2]);
#define FF_ENTRY(i, j)                                                                                                 \
    (T[3 * i] * R[3 * j] + T[3 * i + 1] * R[3 * j + 1] + T[3 * i + 2] * R[3 * j + 2] - p[i] * g[j] - d[i] * p[j])
    l->I[0] = FF_ENTRY(0, 0) + far;
    l->I[1] = FF_ENTRY(1, 1) + far;
    l->I[2] = FF_ENTRY(2, 2) + far;
    l->I[3] = FF_ENTRY(0, 1);
    l->I[4] = FF_ENTRY(0, 2);
    l->I[5] = FF_ENTRY(1, 2);
#undef FF_ENTRY
    real n[3], q[3]; // momentum
    lump_times(l->n, l->f, l, f->aw, f->av);
    lump_times(n, q, l, f->w, f->v);
    cross_add(l->n, f->w, n);
    cross_add(l->n, f->v, q);
    cross_add(l->f, f->w, q);
}

/// Body of mass m, first moment h and inertia I in the frame f, its weight scaled by `scale`.
FN void lump_place(lump *l, const frame *f, num m, const num *h, const num *I, real scale, unsigned has)
{
    real R[9], T[9], d[3], columns[3][3]; // R I, R h, and R I by columns
    l->m = scale * m;
    UNROLL for (int i = 0; i < 9; i++) R[i] = scale * f->R[i];
    weigh(columns[0], has >> FF_HAS_INERTIA, R, I[0], I[3], I[4]);
    weigh(columns[1], has >> (FF_HAS_INERTIA + 3), R, I[3], I[1], I[5]);
    weigh(columns[2], has >> (FF_HAS_INERTIA + 6), R, I[4], I[5], I[2]);
    weigh(d, has >> FF_HAS_MOMENT, R, h[0], h[1], h[2]);
    UNROLL for (int i = 0; i < 9; i++) T[i] = columns[i % 3][i / 3];
    UNROLL for (int i = 0; i < 3; i++) l->h[i] = d[i] + l->m * f->p[i];
    lump_finish(l, f, T, d);
}

/// A body with numbers of each robot: mass, first moment, inertia.
typedef struct own_body {
    real own[10], scale;
    frame at;
    lump placed;
} own_body;

/// The same of such a body.
APART void lump_place_own(own_body *b)
{
    lump *l = &b->placed;
    const frame *f = &b->at;
    const real *R = f->R, *h = b->own + 1, *I = b->own + 4, scale = b->scale;
    real T[9], d[3];
    l->m = scale * b->own[0];
    UNROLL for (int i = 0; i < 3; i++)
    {
        real x = scale * R[3 * i], y = scale * R[3 * i + 1], z = scale * R[3 * i + 2];
        T[3 * i] = x * I[0] + y * I[3] + z * I[4];
        T[3 * i + 1] = x * I[3] + y * I[1] + z * I[5];
        T[3 * i + 2] = x * I[4] + y * I[5] + z * I[2];
        d[i] = x * h[0] + y * h[1] + z * h[2];
        l->h[i] = d[i] + l->m * f->p[i];
    }
    lump_finish(l, f, T, d);
}

FN void artic_of_nothing(artic *a)
{
    const real zero = each(0.0);
    UNROLL for (int i = 0; i < 6; i++) a->A[i] = a->C[i] = zero;
    UNROLL for (int i = 0; i < 9; i++) a->B[i] = zero;
    UNROLL for (int i = 0; i < 3; i++) a->n[i] = a->f[i] = zero;
}

FN void artic_of_lump(artic *a, const lump *l)
{
    const real zero = each(0.0), *h = l->h;
    UNROLL for (int i = 0; i < 6; i++) a->A[i] = l->I[i];
    a->B[0] = zero, a->B[1] = -h[2], a->B[2] = h[1];
    a->B[3] = h[2], a->B[4] = zero, a->B[5] = -h[0];
    a->B[6] = -h[1], a->B[7] = h[0], a->B[8] = zero;
    UNROLL for (int i = 0; i < 6; i++) a->C[i] = i < 3 ? l->m : zero;
    UNROLL for (int i = 0; i < 3; i++) a->n[i] = l->n[i], a->f[i] = l->f[i];
}

FN void artic_add_lump(artic *a, const lump *l)
{
    const real *h = l->h;
    UNROLL for (int i = 0; i < 6; i++) a->A[i] += l->I[i];
    a->B[1] -= h[2], a->B[2] += h[1];
    a->B[3] += h[2], a->B[5] -= h[0];
    a->B[6] -= h[1], a->B[7] += h[0];
    UNROLL for (int i = 0; i < 3; i++)
    {
        a->C[i] += l->m;
        a->n[i] += l->n[i];
        a->f[i] += l->f[i];
    }
}

FN void artic_add(artic *a, const artic *b)
{
    UNROLL for (int i = 0; i < 6; i++) a->A[i] += b->A[i], a->C[i] += b->C[i];
    UNROLL for (int i = 0; i < 9; i++) a->B[i] += b->B[i];
    UNROLL for (int i = 0; i < 3; i++) a->n[i] += b->n[i], a->f[i] += b->f[i];
}

/// U = inertia times the axis S.
FN void artic_times(real *U, const artic *a, const real *S)
{
    const real *A = a->A, *B = a->B, *C = a->C;
    U[0] = (A[0] * S[0] + A[3] * S[1] + A[4] * S[2]) + (B[0] * S[3] + B[1] * S[4] + B[2] * S[5]);
    U[1] = (A[3] * S[0] + A[1] * S[1] + A[5] * S[2]) + (B[3] * S[3] + B[4] * S[4] + B[5] * S[5]);
    U[2] = (A[4] * S[0] + A[5] * S[1] + A[2] * S[2]) + (B[6] * S[3] + B[7] * S[4] + B[8] * S[5]);
    U[3] = (B[0] * S[0] + B[3] * S[1] + B[6] * S[2]) + (C[0] * S[3] + C[3] * S[4] + C[4] * S[5]);
    U[4] = (B[1] * S[0] + B[4] * S[1] + B[7] * S[2]) + (C[3] * S[3] + C[1] * S[4] + C[5] * S[5]);
    U[5] = (B[2] * S[0] + B[5] * S[1] + B[8] * S[2]) + (C[4] * S[3] + C[5] * S[4] + C[2] * S[5]);
}

/// Takes one degree of freedom out of the body; S of the record is set, U is artic_times of it.
FN void artic_eliminate(artic *a, const real *U, num armature, real tau, record *r)
{
    const real *S = r->S;
    real inverse = inverse_of(dot6(S, U) + armature), k[6];
    real u =
        tau - ((S[0] * a->n[0] + S[1] * a->n[1] + S[2] * a->n[2]) + (S[3] * a->f[0] + S[4] * a->f[1] + S[5] * a->f[2]));
    UNROLL for (int i = 0; i < 6; i++) k[i] = U[i] * inverse;
    real e = u * inverse;
    UNROLL for (int i = 0; i < 3; i++)
    {
        a->A[i] -= U[i] * k[i];
        a->C[i] -= U[3 + i] * k[3 + i];
        UNROLL for (int j = 0; j < 3; j++) a->B[3 * i + j] -= U[i] * k[3 + j];
        a->n[i] += U[i] * e;
        a->f[i] += U[3 + i] * e;
    }
    a->A[3] -= U[0] * k[1], a->A[4] -= U[0] * k[2], a->A[5] -= U[1] * k[2];
    a->C[3] -= U[3] * k[4], a->C[4] -= U[3] * k[5], a->C[5] -= U[4] * k[5];
    UNROLL for (int i = 0; i < 6; i++) r->k[i] = k[i];
    r->e = e;
}

/// a of a free body: (IA + armature) a = -p, by L D L' without square roots.
FN void artic_solve(const artic *t, num armature, real *a)
{
    real L[6][6], inverse[6];
    UNROLL for (int i = 0; i < 3; i++)
    {
        UNROLL for (int j = 0; j < 3; j++)
        {
            L[i][j] = t->A[i == j ? i : i + j + 2];
            L[3 + i][3 + j] = t->C[i == j ? i : i + j + 2];
            L[3 + i][j] = t->B[3 * j + i];
        }
        L[i][i] += armature;
        L[3 + i][3 + i] += armature;
        a[i] = -t->n[i];
        a[3 + i] = -t->f[i];
    }
    UNROLL for (int j = 0; j < 6; j++)
    {
        inverse[j] = inverse_of(L[j][j]);
        UNROLL for (int i = 0; i < 6; i++) // bounds that are constants, so that all of it is written out
        {
            if (i <= j) continue;
            real l = L[i][j] * inverse[j];
            UNROLL for (int k = 0; k < 6; k++) if (k > j && k <= i) L[i][k] -= l * L[k][j];
            a[i] -= l * a[j];
        }
    }
    UNROLL for (int c = 0; c < 6; c++)
    {
        const int j = 5 - c;
        real s = a[j];
        UNROLL for (int i = 0; i < 6; i++) if (i > j) s -= L[i][j] * a[i];
        a[j] = s * inverse[j];
    }
}

/// q * exp(w t / 2), of length 1 (ff_quat_integrate).
FN void quat_advance(real *q, const real *w, num t)
{
    real angle = root(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) * t, sine, c;
    ff_sincos_core(0.5 * angle, &sine, &c);
    mask still = angle < 1e-8;
    real factor = choose(still, each(0.5 * t), ratio(sine * t, choose(still, each(1.0), angle)));
    real x = w[0] * factor, y = w[1] * factor, z = w[2] * factor, out[4];
    out[0] = q[0] * c - q[1] * x - q[2] * y - q[3] * z;
    out[1] = q[0] * x + q[1] * c + q[2] * z - q[3] * y;
    out[2] = q[0] * y - q[1] * z + q[2] * c + q[3] * x;
    out[3] = q[0] * z + q[1] * y - q[2] * x + q[3] * c;
    real length = root(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
    UNROLL for (int i = 0; i < 4; i++) q[i] = ratio(out[i], length);
}

#endif
