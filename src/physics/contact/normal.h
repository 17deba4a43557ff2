// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The normal force of a point: a spring k p^n and a damper c p^m times the closing speed. What the coefficients are for
// a restitution that is wanted: restitution.c. Inline, as every evaluation of a point calls it.
#ifndef FOOTFALL_CONTACT_NORMAL_H
#define FOOTFALL_CONTACT_NORMAL_H

#include "contact/advance.h"

#define FF_CORE                   static inline
#define FF_REAL                   double
#define FF_SHARED                 double
#define FF_EACH(x)                (x)
#define FF_CHOOSE(which, yes, no) ((which) ? (yes) : (no))
#define FF_EXP(x)                 ff_exp(x)
#include "contact/law_core.h"

/// x^exponent for x >= 0; exact and fast for the exponents 0, 1 and 1.5.
static inline double ff_power(double x, double exponent)
{
    if (exponent == 0.0) return 1.0;
    if (exponent == 1.0) return x;
    if (exponent == 1.5) return x * sqrt(x);
    return x > 0.0 ? ff_pow(x, exponent) : 0.0;
}

typedef struct ff_normal_force {
    double force, by_depth, by_closing; // [N], [N/m], [N s/m]
    double elastic, loss;               // [J], [W]
} ff_normal_force;

/// Normal force of a point from its depth p and closing speed v. `latched` is the impact speed of its state, 0 where
/// there is none yet.
static inline ff_normal_force ff_normal_evaluate(const ff_contact_pair *pair, double share, double p, double v,
                                                 double latched)
{
    ff_normal_force out = {0};
    if (!(p > 0.0)) return out;
    double k = pair->stiffness * share, c = pair->damping * share;
    double n = pair->exponent, m = pair->damping_exponent;
    const bool by_impact = (ff_normal_laws[pair->law].uses & FF_USES_IMPACT_SPEED) != 0;
    if (by_impact) // before the latch the present speed stands in for the impact speed
        c /= ff_core_impact_speed(latched > 0.0 ? latched : v, pair->impact_floor, pair->restitution == 0.0);
    double spring = k * ff_power(p, n), dash = c * ff_power(p, m);
    out.elastic = spring * p / (n + 1.0);
    out.force = ff_core_normal_force(spring, dash, v, pair->pulls);
    if (out.force <= 0.0 && !pair->pulls) { // nothing pulls: the layer recovers by itself and its energy is lost
        out.loss = -spring * v;
        return out;
    }
    out.loss = dash * v * v;
    out.by_depth = (n * spring + m * dash * v) / p;
    const bool follows = by_impact && pair->restitution > 0.0 && latched <= 0.0 && v > pair->impact_floor;
    out.by_closing = follows ? 0.0 : dash; // where the closing speed stands in for the impact speed they cancel
    return out;
}

#endif
