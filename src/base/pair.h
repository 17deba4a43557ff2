// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Two doubles at a time, the width of the vector instructions that all 64-bit processors have (SSE2, NEON). Spatial
// vectors are three pairs. Compilers find pairs in loops of six, too, but store them to memory between loops: with
// pairs forward dynamics takes about half the instructions.
#ifndef FOOTFALL_BASE_PAIR_H
#define FOOTFALL_BASE_PAIR_H

#include <stdint.h>

typedef double ff_pair __attribute__((vector_size(16)));
typedef int64_t ff_pair_bits __attribute__((vector_size(16)));

/// Three pairs: a spatial vector, (angular x, angular y), (angular z, linear x), (linear y, linear z).
typedef struct ff_pair3 {
    ff_pair a, b, c;
} ff_pair3;

/// Three pairs at an address aligned to 16 bytes. (GCC and clang let vector types alias their element type.)
static inline ff_pair3 ff_pair3_load(const double *x)
{
    const ff_pair *p = (const ff_pair *)x;
    return (ff_pair3){p[0], p[1], p[2]};
}

static inline void ff_pair3_store(double *x, ff_pair3 value)
{
    ff_pair *p = (ff_pair *)x;
    p[0] = value.a;
    p[1] = value.b;
    p[2] = value.c;
}

static inline ff_pair ff_pair_both(double x)
{
    return (ff_pair){x, x};
}

/// sum + row * factor
static inline ff_pair3 ff_pair3_axpy(ff_pair3 sum, ff_pair3 row, double factor)
{
    ff_pair f = ff_pair_both(factor);
    return (ff_pair3){sum.a + row.a * f, sum.b + row.b * f, sum.c + row.c * f};
}

static inline ff_pair3 ff_pair3_add(ff_pair3 x, ff_pair3 y)
{
    return (ff_pair3){x.a + y.a, x.b + y.b, x.c + y.c};
}

static inline double ff_pair3_dot(ff_pair3 x, ff_pair3 y)
{
    ff_pair sum = x.a * y.a + x.b * y.b + x.c * y.c;
    return sum[0] + sum[1];
}

/// (x . z, y . z)
static inline ff_pair ff_pair3_two_dots(ff_pair3 x, ff_pair3 y, ff_pair3 z)
{
    ff_pair left = x.a * z.a + x.b * z.b + x.c * z.c, right = y.a * z.a + y.b * z.b + y.c * z.c;
    return (ff_pair){left[0], right[0]} + (ff_pair){left[1], right[1]};
}

#endif
