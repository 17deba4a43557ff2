// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of fractional order s^alpha of sampled signals, for controllers K_p + K_alpha s^alpha. With s ~ f (1 -
// 1/z), f samples a second,
//     s^alpha x  ~  f^alpha (1 - 1/z)^alpha x,
// and the power is approximated by a ratio of polynomials (Pade) or by the first terms of its series (Gruenwald,
// Letnikov). Both are one recursive filter with a few numbers of memory. docs/control.md, "Fractional order".
#ifndef FOOTFALL_FRACTIONAL_H
#define FOOTFALL_FRACTIONAL_H

#include <footfall/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    FF_FRACTIONAL_ORDER_MAX =
        10, // of Pade: beyond it rounding moves the poles of a filter written as a ratio of polynomials
    FF_FRACTIONAL_TERMS_MAX = 256 // of the series
};

/// y[k] = gain sum_i a_i x[k-i]  filtered by  1 / sum_i b_i z^-i,  a_0 = b_0 = 1.
typedef struct ff_fractional {
    double alpha;
    double gain; // rate^alpha, or 1
    int terms;   // coefficients behind the first, and numbers of memory
    double a[FF_FRACTIONAL_TERMS_MAX], b[FF_FRACTIONAL_TERMS_MAX];
} ff_fractional;

/// Pade approximant of equal orders n of (1 - 1/z)^alpha. With (x)_k = x (x + 1) .. (x + k - 1),
///     a_k = (-n)_k (-n - alpha)_k / ((-2n)_k k!),      b_k the same with -alpha.
/// For n = 4, alpha = 1/2 these are the printed numbers of M. F. Silva et al. (2005), Table III. All poles are real,
/// between 0 and 1. At zero frequency it is a plain gain: prod_j (j - alpha)/(j + alpha), j = 1..n, times `gain`.
/// @param alpha  above -1, at most 1; 1 is the backward difference     @param order  n, 1 to FF_FRACTIONAL_ORDER_MAX
/// @param rate   samples a second, above zero; 0 leaves the factor rate^alpha out, as Silva's equation 16 is printed
/// [Hz]
/// @return FF_OK, or FF_BAD_ARGUMENT with the number
FF_API ff_status ff_fractional_pade(ff_fractional *out, double alpha, int order, double rate, ff_error *err);

/// The first `terms` terms of the series, the definition of Gruenwald and Letnikov cut short:
///     y[k] = gain sum_(i >= 0) w_i x[k-i],      w_0 = 1,  w_i = w_(i-1) (i - 1 - alpha)/i.
/// (Silva's equation 15b prints the sum from 1: without the first term it is no derivative.)
/// @param alpha  from -2 to 2     @param terms  2 to FF_FRACTIONAL_TERMS_MAX
FF_API ff_status ff_fractional_series(ff_fractional *out, double alpha, int terms, double rate, ff_error *err);

/// One sample. `memory` has `terms` numbers, all zero at the start. An x that is not finite, or beyond 1e100, would
/// stay in it: it is left out, and the output is that of the samples before.
FF_API double ff_fractional_step(const ff_fractional *f, double *memory, double x);

/// Gain and phase as a complex number at the angle w = 2 pi frequency / rate, 0 to pi. The ideal is gain (2 i sin(w/2)
/// e^(-iw/2))^alpha, for small w nearly gain (i w)^alpha.
FF_API void ff_fractional_response(const ff_fractional *f, double w, double *real, double *imaginary);

/// Are all poles inside the unit circle? (Recursion of Schur and Cohn on the coefficients b as they are, rounding
/// included.)
FF_API bool ff_fractional_is_stable(const ff_fractional *f);

#ifdef __cplusplus
}
#endif
#endif
