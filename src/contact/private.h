// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share.
#ifndef FOOTFALL_CONTACT_PRIVATE_H
#define FOOTFALL_CONTACT_PRIVATE_H

#include <footfall/contact.h>

/// x^exponent for x >= 0; exact and fast for the exponents 0, 1 and 1.5.
double ff_power(double x, double exponent);

typedef struct ff_normal_force {
    double force, by_depth, by_closing; // [N], [N/m], [N s/m]
    double elastic, loss;               // [J], [W]
} ff_normal_force;

/// Normal force of a point. `latched` is the impact speed of its state, 0 where there is none yet.
ff_normal_force ff_normal_evaluate(const ff_contact_pair *pair, double share, double depth, double closing,
                                   double latched);

/// A spring and a damper in series with a slider, see friction.c.
typedef struct ff_grip_law {
    double k;       // 0: no spring                                                              [N/m]
    double damping; // of the damper at this slip: its force over its speed                      [N s/m]
    double limit;   // INFINITY for none                                                         [N]
    double ahead;   // the spring is taken where the slip takes it in this time                  [s]
} ff_grip_law;

/// What a damper lacks to the least time in which a spring at its limit finds its place.  [s]
double ff_grip_lag(double k, double damping);

/// What it does at a slip v.
typedef struct ff_grip {
    double force[3];
    bool slides;        // it is at its limit; otherwise the two below are not filled: identity and zero
    double pass[9];     // -d force / d w
    double by_limit[3]; // d force / d limit
    double rate[3];     // of the spring
    double wanted;      // |w|
    double loss;        // [W]
} ff_grip;

/// @param x  spring      @param g  force of the damper at the velocity v
void ff_grip_evaluate(ff_grip *out, const ff_grip_law *law, const double x[3], const double g[3], const double v[3]);

/// Brings a spring back that has followed the slip v for a time, beyond the limit too: the slider has let
///     (w - T) time / (d + k time)  pass,  w = k x + g,  g = d v.
/// From x - v time, where the spring was, that is the step of ff_grip_evaluate with `ahead`: backward Euler of the law.
void ff_grip_return(const ff_grip_law *law, double time, const double g[3], double x[3]);

/// Force of the damper beside the tangential spring, g, and its derivatives by slip and depth.
typedef struct ff_dash {
    double force[3];
    double damping; // |force| over |slip|
    double by_slip[9];
    double by_depth[3];
} ff_dash;
void ff_dash_evaluate(ff_dash *out, const ff_contact_pair *pair, double share, double depth, const double slip[3]);

/// What the grip may carry while it sticks, and while it slides: INFINITY where the law has no cone.  [N]
typedef struct ff_grip_limits {
    double sticking, sliding;
} ff_grip_limits;
ff_grip_limits ff_contact_limits(const ff_contact_pair *pair, double normal);

/// Has the point a spring along the ground?
static inline bool ff_contact_grips(const ff_contact_pair *pair)
{
    return pair->friction.law != FF_FRICTION_NONE && pair->friction.law != FF_FRICTION_STRIBECK;
}
/// Does the point resist turning?
static inline bool ff_contact_turns(const ff_contact_pair *pair)
{
    return pair->friction.torsion > 0.0 || pair->friction.rolling > 0.0;
}

/// out = a carried by the shortest turn that takes the unit vector `from` to `to`; copied where they are opposite or
/// unset.
void ff_carry(double out[3], const double from[3], const double to[3], const double a[3]);
/// Is there nothing to carry: the same plane, as on level ground, or none yet?
static inline bool ff_carry_stays(const double from[3], const double to[3])
{
    if (from[0] == to[0] && from[1] == to[1] && from[2] == to[2]) return true;
    return from[0] == 0.0 && from[1] == 0.0 && from[2] == 0.0;
}

/// Index of `name` in a list of names; FF_NOT_FOUND with the list and a near match.
ff_status ff_contact_find_name(const char *what, const char *name, const char *const *names, int count, int *index,
                               ff_error *err);

/// Torsion and rolling of `a` apart: along the normal and across it.
static inline void ff_split(const double a[3], const double normal[3], double along[3], double across[3])
{
    ff_vec3_scale(along, normal, ff_vec3_dot(a, normal));
    ff_vec3_sub(across, a, along);
}

#endif
