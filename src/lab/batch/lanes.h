// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers that the pieces of a batch compute with. One source serves three kinds of machine:
//     FF_LANES 1       a double: one robot
//     FF_LANES 2, 4, 8 a vector of doubles: as many robots beside each other (SSE2 and NEON, AVX2, AVX-512)
//     __CUDACC__       a double of one thread: one robot a thread
// With FF_SINGLE, where speed is asked for and digits are not, floats stand for the doubles of one robot (single.h).
// `real` is a number of each robot, `mask` a truth of each, `num` a number that all robots share. All arithmetic on
// them is one rounding an operation (no contraction), square roots and divisions included, so that results are
// bit-identical wherever a robot is computed. Files that include this header (and those who include them) are the only
// ones that know of lanes, and use nothing that C++ lacks: no designated initialisers, no compound literals, no
// restrict.
#ifndef FOOTFALL_BATCH_LANES_H
#define FOOTFALL_BATCH_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "batch/number.h"

#if defined(__CUDACC__)

#define FN static __device__ __forceinline__
typedef bool mask;
#ifdef FF_SINGLE
#include "batch/single.h"
#else
typedef double real;
typedef unsigned long long bits;
#ifdef FF_FAST // from an approximation by two steps of Newton, of normal numbers: within two units in the last place
FN real inverse_of(real x)
{
    real r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    r = fma(r, fma(-x, r, 1.0), r);
    return fma(r, fma(-x, r, 1.0), r);
}
FN real root(real x)
{
    real r;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    r = fma(0.5 * r, fma(-x * r, r, 1.0), r);
    const real s = x * r;
    return x <= 1e-300 ? 0.0 : fma(0.5 * r, fma(-s, s, x), s); // what is no number stays so
}
#define ratio(a, b) ((a)*inverse_of(b))
#else
FN real root(real x)
{
    return sqrt(x);
}
#endif
FN bits as_bits(real x)
{
    return (bits)__double_as_longlong(x);
}
FN real as_real(bits x)
{
    return __longlong_as_double((long long)x);
}
#endif
/// A number that is read soon: it is prefetched.
FN void call_up(const real *x)
{
    asm volatile("prefetch.global.L1 [%0];" ::"l"(x));
}

#elif FF_LANES > 1

#if defined(__AVX2__)
#include <immintrin.h>
#endif
#define FN static inline __attribute__((always_inline))
typedef double real __attribute__((vector_size(FF_LANES * sizeof(double))));
typedef int64_t mask __attribute__((vector_size(FF_LANES * sizeof(double))));
typedef uint64_t bits __attribute__((vector_size(FF_LANES * sizeof(double))));
FN real root(real x)
{
    real r = x;
    for (int i = 0; i < FF_LANES; i++) r[i] = __builtin_sqrt(x[i]); // one instruction, without errno
    return r;
}
FN bits as_bits(real x)
{
    return (bits)x;
}
FN real as_real(bits x)
{
    return (real)x;
}
FN real choose(mask m, real yes, real no)
{
    return (real)((m & (mask)yes) | (~m & (mask)no));
}
FN int any_of(mask m)
{
#if FF_LANES == 8 && defined(__AVX512DQ__)
    return _mm512_movepi64_mask((__m512i)m) != 0;
#elif FF_LANES == 4 && defined(__AVX2__)
    return _mm256_movemask_pd((__m256d)m) != 0;
#else
    int64_t r = 0;
    for (int i = 0; i < FF_LANES; i++) r |= m[i];
    return r != 0;
#endif
}
FN mask none_of(mask m)
{
    return ~m;
}
FN real each(num x)
{
    const real zero = {0};
    return x - zero; // x itself, -0 too, and no operation
}

#else

#define FN static inline __attribute__((always_inline))
typedef int mask;
#ifdef FF_SINGLE
#include "batch/single.h"
#else
typedef double real;
typedef uint64_t bits;
FN real root(real x)
{
    return __builtin_sqrt(x);
}
FN bits as_bits(real x)
{
    bits b;
    __builtin_memcpy(&b, &x, sizeof b);
    return b;
}
FN real as_real(bits b)
{
    real x;
    __builtin_memcpy(&x, &b, sizeof x);
    return x;
}
#endif

#endif

#if defined(__CUDACC__) || FF_LANES == 1
FN real choose(mask m, real yes, real no)
{
    return m ? yes : no;
}
FN int any_of(mask m)
{
    return m;
}
FN mask none_of(mask m)
{
    return !m;
}
FN real each(num x)
{
    return x;
}
#endif

/// 1 / x and a / b of numbers that are finite and far from zero, where fast code may round differently.
#ifndef ratio
#define inverse_of(x) (1.0 / (x))
#define ratio(a, b)   ((a) / (b))
#endif

/// Of functions that few models need: apart from the loop, which keeps its registers.
#if defined(__CUDACC__)
#define APART static __device__ __noinline__
#else
#define APART static __attribute__((noinline))
#endif

/// A condition of few models: what else needs registers has them.
#define RARELY(condition) __builtin_expect(!!(condition), 0)

/// One robot of a block, for what cannot be done side by side.
#if defined(FF_SINGLE)
#define LANE_COUNT    1
#define LANE(x, lane) alone(x)
#elif defined(__CUDACC__) || FF_LANES == 1
#define LANE_COUNT    1
#define LANE(x, lane) (x)
#else
#define LANE_COUNT    FF_LANES
#define LANE(x, lane) ((x)[lane])
#endif

#define FF_CORE FN
#define FF_REAL real
#ifndef FF_SINGLE
#define FF_BITS       bits
#define FF_AS_BITS(x) as_bits(x)
#define FF_AS_REAL(x) as_real(x)
#include "base/sincos_core.h"
#define FF_LARGEST_ANGLE 1e5 // of a sine  [rad]
#endif

#if !defined(__CUDACC__)
FN void call_up(const real *x)
{
    (void)x; // a processor looks ahead by itself
}
#endif

/// Does any robot of a block need what is chosen by m? Threads of a GPU do not part for it.
FN int worth_while(mask m)
{
#if defined(__CUDACC__)
    (void)m;
    return 1;
#else
    return any_of(m);
#endif
}

FN real larger(real a, real b)
{
    return choose(a > b, a, b);
}

FN real smaller(real a, real b)
{
    return choose(a < b, a, b);
}

FN real clamp(real x, num low, num high)
{
    return choose(x < low, each(low), choose(x > high, each(high), x)); // what is no number stays so, and is seen
}

#ifndef FF_SINGLE
/// Largest whole number that is not above x, for |x| < 2^51.
FN real whole_part(real x)
{
    const num large = 0x1.8p52;
    const real rounded = (x + large) - large;
    return choose(rounded > x, rounded - 1.0, rounded);
}
#endif

FN real size_of(real a)
{
    return choose(a < 0.0, -a, a);
}

// A robot may be done by a crew of several threads (limbs_kernel.h): MEMBER is which of them this one is. Elsewhere a
// crew has one member. (A test has crews of its own on a processor.)
#ifndef CREW
#define CREW 1
#endif
#if defined(__CUDACC__) && CREW > 1
enum { CREWS = 32 / CREW }; // of a warp: member 0 of each robot, then member 1 of each, ...
#define MEMBER ((int)(threadIdx.x % 32) / CREWS)
/// What members wrote before is seen by all of them after.
FN void meet(void)
{
    __syncwarp();
}
FN mask all_agree(mask m)
{
    unsigned crew = 0;
    for (int i = 0; i < CREW; i++) crew |= 1U << (i * CREWS + (int)(threadIdx.x % CREWS));
    return (__ballot_sync(0xffffffffU, m) & crew) == crew;
}
/// Of those that meet at the same time.
FN int any_crew(mask m)
{
    return __any_sync(0xffffffffU, m);
}
#elif CREW == 1
enum { MEMBER = 0 };
FN void meet(void)
{
}
FN mask all_agree(mask m)
{
    return m;
}
FN int any_crew(mask m)
{
    return any_of(m);
}
#endif

// Loops over 3, 6 or 9 numbers are written out by the compiler: their arrays are registers then.
#if defined(__CUDACC__)
#define UNROLL    _Pragma("unroll")
#define LOOP      _Pragma("unroll 1") // one copy of the code in it
#define TABLE     __constant__        // found by its name
#define FAR_TABLE __device__          // the same of what few models read
#elif defined(__clang__)
#define UNROLL    _Pragma("clang loop unroll(full)")
#define LOOP      _Pragma("clang loop unroll(disable)")
#define TABLE     static
#define FAR_TABLE static
#else
#define UNROLL    _Pragma("GCC unroll 9")
#define LOOP      _Pragma("GCC unroll 1")
#define TABLE     static
#define FAR_TABLE static
#endif

#endif
