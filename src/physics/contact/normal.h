// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The normal force of a point: a spring k p^n and a damper c p^m times the closing speed. What the coefficients are for
// a restitution that is wanted: restitution.c. Inline, as every evaluation of a point calls it.
#ifndef FOOTFALL_CONTACT_NORMAL_H
#define FOOTFALL_CONTACT_NORMAL_H

#include "contact/advance.h"

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

/// Impact speed the restitution law divides by. Before the latch the present speed stands in for it.
/// For e = 0 it is always the floor: with F = k p^n (1 + v / floor) nothing leaves faster than the floor, however
/// fast it came (e a < 1 of X1, with a = v0 / floor).
static inline double ff_impact_speed(const ff_contact_pair *pair, double latched, double closing)
{
    const double speed = pair->restitution == 0.0 ? 0.0 : latched > 0.0 ? latched : closing;
    return speed > pair->impact_floor ? speed : pair->impact_floor;
}

/// Normal force of a point from its depth p and closing speed v. `latched` is the impact speed of its state, 0 where
/// there is none yet.
static inline ff_normal_force ff_normal_evaluate(const ff_contact_pair *pair, double share, double p, double v,
                                                 double latched)
{
    ff_normal_force out = {0};
    if (!(p > 0.0)) return out;
    double k = pair->stiffness * share, c = pair->damping * share;
    double n = pair->exponent, m = pair->damping_exponent;
    bool by_impact = pair->law == FF_NORMAL_RESTITUTION;
    if (by_impact) c /= ff_impact_speed(pair, latched, v);
    double spring = k * ff_power(p, n), dash = c * ff_power(p, m);
    out.elastic = spring * p / (n + 1.0);
    out.force = spring + dash * v;
    if (out.force <= 0.0 && !pair->pulls) { // nothing pulls: the layer recovers by itself and its energy is lost
        out.force = 0.0;
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
