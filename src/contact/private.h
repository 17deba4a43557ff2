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

/// A spring and a damper that slip together beyond a limit: force = -w where |w| <= limit, else -limit w/|w|, w = k x +
/// g.
typedef struct ff_grip {
    double force[3];
    double pass[9];     // -d force / d w
    double by_limit[3]; // d force / d limit
    double wanted;      // |w|
    double loss;        // [W]
} ff_grip;

/// @param x      spring                 @param g  force of the damper at the velocity v
/// @param limit  INFINITY for none
void ff_grip_evaluate(ff_grip *out, double k, const double x[3], const double g[3], const double v[3], double limit);
/// Where the spring of a sliding grip trails: the nearest x for which k x + g is within the limit, never stretched
/// against the pull.
/// @return true when it had to give way
bool ff_grip_trail(double k, double x[3], const double g[3], double limit);

/// Force of the damper beside the tangential spring, g, and its derivatives by slip and depth.
typedef struct ff_dash {
    double force[3];
    double by_slip[9];
    double by_depth[3];
} ff_dash;
void ff_dash_evaluate(ff_dash *out, const ff_contact_pair *pair, double share, double depth, const double slip[3]);

/// Coulomb friction of the stick-slip law, F = -mu F_n v/|v|, continued through v = 0. Below the stick speed v_s the
/// trailing spring takes over what the slip leaves:  F = -(mu F_n v/v_s + (1 - |v|/v_s) r k s),  r <= 1 such that r k
/// |s| <= mu F_n. So an integrator that has to look beyond the moment of sticking finds no jump there.
typedef struct ff_slide {
    double force[3];
    double by_normal[3], by_slip[9], by_spring[9];
} ff_slide;
void ff_slide_evaluate(ff_slide *out, const ff_contact_pair *pair, double share, double normal, const double slip[3],
                       const double spring[3]);

/// Limit of the grip per normal force: INFINITY where the law has no cone.
double ff_grip_mu(const ff_contact_pair *pair, const ff_contact_state *state);

/// out = a carried by the shortest turn that takes the unit vector `from` to `to`; copied where they are opposite or
/// unset.
void ff_carry(double out[3], const double from[3], const double to[3], const double a[3]);
/// Is there nothing to carry: the same plane, as on level ground, or none yet?
static inline bool ff_carry_stays(const double from[3], const double to[3])
{
    if (from[0] == to[0] && from[1] == to[1] && from[2] == to[2]) return true;
    return from[0] == 0.0 && from[1] == 0.0 && from[2] == 0.0;
}

/// Spring and turn of a state as seen at the present normal.
void ff_contact_springs(const ff_contact_state *state, const double normal[3], double spring[3], double turn[3]);
/// Energy of the spring against slip as it is stretched now.
double ff_contact_spring_energy(const ff_contact_pair *pair, const ff_contact_state *state);
/// Energy stored in a state. While a contact slides by Coulomb its spring only measures the slip since the last update;
/// what it stores changes there.
double ff_contact_stored(const ff_contact_pair *pair, const ff_contact_state *state);

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
