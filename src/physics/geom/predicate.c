// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// On which side of a plane does a point lie? The sign of
//     D = | b-a  c-a  d-a |        (a 3 x 3 determinant)
// decides the topology of a convex hull, and a wrong sign on nearly coplanar points, which CAD meshes are full of,
// tears the hull open. So the sign is exact: rounded arithmetic first, with a bound on its error; where the bound does
// not settle it, sums of non-overlapping doubles that lose nothing. J. R. Shewchuk, Adaptive precision floating-point
// arithmetic and fast robust geometric predicates, Discrete & Computational Geometry 18, 1997 (error-free
// transformations, growth of expansions, the constant of the error bound).
#include <math.h>

#include "geom_private.h"

// Most components an exact determinant can need: 24 products of three factors, each exactly four doubles.
#define TERMS_MAX 96

typedef struct expansion {
    double term[TERMS_MAX + 1]; // non-overlapping, increasing in size
    int count;
} expansion;

// e += b without any loss; keeps the components non-overlapping and drops zeros.
static void expansion_grow(expansion *e, double b)
{
    int kept = 0;
    double carry = b;
    for (int i = 0; i < e->count; i++) {
        double sum = carry + e->term[i];
        double part = sum - carry;
        double lost = (carry - (sum - part)) + (e->term[i] - part);
        carry = sum;
        if (lost != 0.0) e->term[kept++] = lost;
    }
    if (carry != 0.0) e->term[kept++] = carry;
    e->count = kept;
}

// e += x y z without any loss, the product taken apart by fused multiply-add.
static void expansion_add_product(expansion *e, double x, double y, double z)
{
    double high = x * y, low = fma(x, y, -high);
    double high_z = high * z, low_z = low * z;
    expansion_grow(e, fma(low, z, -low_z));
    expansion_grow(e, low_z);
    expansion_grow(e, fma(high, z, -high_z));
    expansion_grow(e, high_z);
}

// The largest component outweighs the sum of all others, so its sign is the sign of the sum.
static int expansion_sign(const expansion *e)
{
    if (e->count == 0) return 0;
    return e->term[e->count - 1] > 0.0 ? 1 : -1;
}

// e += sign * det | x  y  z | by its six products.
static void expansion_add_det(expansion *e, const double x[3], const double y[3], const double z[3], double sign)
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        expansion_add_product(e, sign * x[i], y[j], z[k]);
        expansion_add_product(e, -sign * x[i], y[k], z[j]);
    }
}

// Whether out = p - q came out without rounding (two-difference with a zero tail).
static bool exact_difference(double out[3], const double p[3], const double q[3])
{
    bool exact = true;
    for (int i = 0; i < 3; i++) {
        double difference = p[i] - q[i];
        double part = p[i] - difference;
        double tail = (p[i] - (difference + part)) + (part - q[i]);
        out[i] = difference;
        exact = exact && tail == 0.0;
    }
    return exact;
}

static int exact_side(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double ab[3], ac[3], ad[3];
    bool exact = exact_difference(ab, b, a);
    exact = exact_difference(ac, c, a) && exact;
    exact = exact_difference(ad, d, a) && exact;
    expansion e;
    e.count = 0;
    if (exact) { // the common case: mesh files hold single precision, whose differences fit a double
        expansion_add_det(&e, ab, ac, ad, 1.0);
        return expansion_sign(&e);
    }
    // |b-a c-a d-a| = |b c d| - |a c d| + |a b d| - |a b c|
    expansion_add_det(&e, b, c, d, 1.0);
    expansion_add_det(&e, a, c, d, -1.0);
    expansion_add_det(&e, a, b, d, 1.0);
    expansion_add_det(&e, a, b, c, -1.0);
    return expansion_sign(&e);
}

int ff_geom_side(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double ab[3], ac[3], ad[3], n[3], bound[3];
    ff_vec3_sub(ab, b, a);
    ff_vec3_sub(ac, c, a);
    ff_vec3_sub(ad, d, a);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double plus = ab[j] * ac[k], minus = ab[k] * ac[j];
        n[i] = plus - minus;
        bound[i] = fabs(plus) + fabs(minus);
    }
    double det = n[0] * ad[0] + n[1] * ad[1] + n[2] * ad[2];
    double permanent = bound[0] * fabs(ad[0]) + bound[1] * fabs(ad[1]) + bound[2] * fabs(ad[2]);
    // Shewchuk's (7 + 56 eps) eps with eps = 2^-53, rounded up.
    double limit = 8.0e-16 * permanent;
    if (det > limit) return 1;
    if (det < -limit) return -1;
    return exact_side(a, b, c, d);
}
