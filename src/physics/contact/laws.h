// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A law of contact is a row of a table in laws.c: its name, the numbers it uses and what it may do. Materials, the
// readers of files, the Python module, advice on steps and batches read these rows and know no law by its name. What
// the laws compute at a point is law_core.h.
#ifndef FOOTFALL_CONTACT_LAWS_H
#define FOOTFALL_CONTACT_LAWS_H

#include <footfall/contact.h>

/// Numbers of ff_normal that a law uses beside stiffness and exponent.
enum {
    FF_USES_DAMPING = 1,
    FF_USES_DAMPING_EXPONENT = 2,
    FF_USES_RESTITUTION = 4,
    FF_USES_IMPACT_SPEED = 8, // impact_floor and calibration: the damping is divided by the impact speed
};

/// The damper c p^m v of a normal law.
typedef struct ff_normal_damper {
    double c, m;
} ff_normal_damper;

/// A law  F = k p^n + c p^m v  of the normal force.
typedef struct ff_normal_law_row {
    const char *name;
    unsigned uses;                                       // FF_USES_...
    bool hertzian;                                       // n may be 1.5 as well as 1
    bool may_pull;                                       // ff_normal.pulls is allowed
    ff_normal_damper (*damper)(const ff_normal *normal); // NULL: no damper, all energy is given back
} ff_normal_law_row;

/// Numbers of ff_friction that a law uses beside mu_kinetic and the numbers of torsion and rolling.
enum {
    FF_USES_STICKING = 1,        // mu_static, stick_speed, stick
    FF_USES_SPRING = 2,          // stiffness
    FF_USES_SPRING_DAMPING = 4,  // damping
    FF_USES_DEPTH = 8,           // damping_exponent: the damper grows with the depth
    FF_USES_STRIBECK_CURVE = 16, // breakaway, viscous, threshold, decay, scale_speed: the damper is a Stribeck curve
    FF_USES_SLOWDOWN = 32,       // slowdown of that curve
};

/// A law of the force along the ground: a damper, or a spring beside a damper, in series with a slider (friction.c).
typedef struct ff_friction_law_row {
    const char *name;
    unsigned uses;      // FF_USES_...; none: no friction
    bool cone_optional; // mu_kinetic may be FF_NO_CONE
} ff_friction_law_row;

/// By ff_normal_law and ff_friction_law, for valid materials.
extern const ff_normal_law_row ff_normal_laws[];
extern const ff_friction_law_row ff_friction_laws[];

/// Names in the order of the enumerators, NULL-ended.
extern const char *const ff_normal_law_names[];
extern const char *const ff_calibration_names[];
extern const char *const ff_friction_law_names[];
extern const char *const ff_stick_rule_names[];

/// Finds a name in a NULL-ended list. @return FF_OK, or FF_NOT_FOUND with the known names and a near match in `err`
ff_status ff_contact_find_name(const char *what, const char *name, const char *const *names, int *index, ff_error *err);

/// Least time constant of a friction spring at its limit, that of steel. Without a damper it would be zero, and a
/// method with error control would have to locate each jump.  [s]
#define FF_LAG_LEAST 1e-5

static inline bool ff_normal_uses(const ff_normal *normal, unsigned numbers)
{
    return (ff_normal_laws[normal->law].uses & numbers) != 0;
}
static inline bool ff_friction_uses(const ff_friction *friction, unsigned numbers)
{
    return (ff_friction_laws[friction->law].uses & numbers) != 0;
}

/// May the friction of a point carry any load?
static inline bool ff_contact_has_no_cone(const ff_friction *friction)
{
    return ff_friction_laws[friction->law].cone_optional && friction->mu_kinetic == FF_NO_CONE;
}
/// Coefficient of friction while sticking.
static inline double ff_friction_static_coefficient(const ff_friction *friction)
{
    return ff_friction_uses(friction, FF_USES_STICKING) ? friction->mu_static : friction->mu_kinetic;
}
/// Power of the depth in the damper beside the spring.
static inline double ff_friction_damping_exponent(const ff_friction *friction)
{
    return ff_friction_uses(friction, FF_USES_DEPTH) ? friction->damping_exponent : 0.0;
}
/// Divisor of the slip in the Stribeck curve.
static inline double ff_friction_slowdown(const ff_friction *friction)
{
    return ff_friction_uses(friction, FF_USES_SLOWDOWN) ? friction->slowdown : 1.0;
}

#endif
