// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions of several files of this room: the normal force of a point, the elements of its friction, and springs that
// follow a normal. Functions that every evaluation of a point calls are inline.
#ifndef FOOTFALL_CONTACT_PRIVATE_H
#define FOOTFALL_CONTACT_PRIVATE_H

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

// The normal force is a spring k p^n and a damper c p^m times the closing speed. Coefficients for a given restitution:
// restitution.c.
typedef struct ff_normal_force {
    double force, by_depth, by_closing; // [N], [N/m], [N s/m]
    double elastic, loss;               // [J], [W]
} ff_normal_force;

/// Normal force of a point from its depth p and closing speed v. `latched` is the impact speed of its state, 0 before
/// touch-down.
static inline ff_normal_force ff_normal_evaluate(const ff_contact_pair *pair, double share, double p, double v,
                                                 double latched)
{
    ff_normal_force out = {0};
    if (!(p > 0.0)) return out;
    double k = pair->stiffness * share, c = pair->damping * share;
    double n = pair->exponent, m = pair->damping_exponent;
    const bool by_impact = (ff_normal_laws[pair->law].uses & FF_USES_IMPACT_SPEED) != 0;
    if (by_impact) // before touch-down is recorded the closing speed is used
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

// ------------------------------------------------------------------------------------------ friction (friction.c)

/// A spring and a damper in series with a slider, see friction.c.
typedef struct ff_friction_element {
    double k;       // 0: no spring                                                              [N/m]
    double damping; // of the damper at this slip: its force over its speed                      [N s/m]
    double limit;   // INFINITY for none                                                         [N]
    double ahead;   // the spring is evaluated where the slip moves it in this time              [s]
} ff_friction_element;

/// Time by which the time constant of a damper is below FF_LAG_LEAST.  [s]
static inline double ff_friction_lag(double k, double damping)
{
    return ff_max(0.0, FF_LAG_LEAST - damping / k);
}

/// Force and rates of an element at a slip v.
typedef struct ff_friction_result {
    double force[3];
    bool slides;        // it is at its limit; otherwise the two below are not filled: identity and zero
    double pass[9];     // -d force / d w
    double by_limit[3]; // d force / d limit
    double rate[3];     // of the spring
    double wanted;      // |w|
    double loss;        // [W]
} ff_friction_result;

/// @param x  spring      @param g  force of the damper at the velocity v
void ff_friction_evaluate(ff_friction_result *out, const ff_friction_element *law, const double x[3], const double g[3],
                          const double v[3]);

/// Returns a spring that has followed the slip v for a time, possibly beyond the limit: the slider has moved by
///     (w - T) time / (d + k time),  w = k x + g,  g = d v.
/// From x - v time, where the spring was, that is the step of ff_friction_evaluate with `ahead`: backward Euler of the
/// law.
void ff_friction_return_spring(const ff_friction_element *law, double time, const double g[3], double x[3]);

/// Force of the damper beside the tangential spring, g, and its derivatives by slip and depth.
typedef struct ff_dash {
    double force[3];
    double damping; // |force| over |slip|
    double by_slip[9];
    double by_depth[3];
} ff_dash;
/// The damper of the laws of Stribeck; by_depth is left zero.
void ff_dash_stribeck(ff_dash *out, const ff_friction *f, double share, const double slip[3]);

static inline void ff_dash_evaluate(ff_dash *out, const ff_contact_pair *pair, double share, double depth,
                                    const double slip[3])
{
    const ff_friction *f = &pair->friction;
    *out = (ff_dash){0};
    if (ff_friction_uses(f, FF_USES_STRIBECK_CURVE)) {
        ff_dash_stribeck(out, f, share, slip);
        return;
    }
    double nu = ff_friction_damping_exponent(f);
    double c = f->damping * share * ff_power(depth, nu), least = FF_LAG_LEAST * f->stiffness * share;
    if (c < least && !ff_contact_has_no_cone(f)) c = least, nu = 0.0;
    out->damping = c;
    ff_vec3_scale(out->force, slip, c);
    out->by_slip[0] = out->by_slip[4] = out->by_slip[8] = c;
    if (nu > 0.0 && depth > 0.0) ff_vec3_scale(out->by_depth, slip, nu * c / depth);
}

/// What friction may carry while it sticks, and while it slides: INFINITY where the law has no cone.  [N]
typedef struct ff_friction_limits {
    double sticking, sliding;
} ff_friction_limits;
static inline ff_friction_limits ff_contact_limits(const ff_contact_pair *pair, double normal)
{
    const ff_friction *f = &pair->friction;
    if (f->law == FF_FRICTION_NONE) return (ff_friction_limits){0.0, 0.0};
    if (ff_contact_has_no_cone(f)) return (ff_friction_limits){INFINITY, INFINITY};
    return (ff_friction_limits){ff_friction_static_coefficient(f) * normal, f->mu_kinetic * normal};
}

/// Has the point a spring along the ground?
static inline bool ff_contact_has_spring(const ff_contact_pair *pair)
{
    return ff_friction_uses(&pair->friction, FF_USES_SPRING);
}

/// Is the plane the same, as on level ground, or not set yet?
static inline bool ff_carry_stays(const double from[3], const double to[3])
{
    if (from[0] == to[0] && from[1] == to[1] && from[2] == to[2]) return true;
    return from[0] == 0.0 && from[1] == 0.0 && from[2] == 0.0;
}
/// ff_carry for planes that differ.
void ff_carry_turn(double out[3], const double from[3], const double to[3], const double a[3]);
/// out = a carried by the shortest turn that takes the unit vector `from` to `to`; copied where they are opposite or
/// unset.
static inline void ff_carry(double out[3], const double from[3], const double to[3], const double a[3])
{
    if (ff_carry_stays(from, to))
        ff_vec3_copy(out, a);
    else
        ff_carry_turn(out, from, to, a);
}

#endif
