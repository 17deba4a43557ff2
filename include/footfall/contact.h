// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact: from the depth and speed at a contact point to the force there. Materials name their laws and numbers, two
// materials make a pair, a pair and a state give force, derivatives and energies. Evaluation is pure and knows no
// transitions; the state machine is a function of its own, called once an accepted step or at a located event. Nothing
// here allocates or depends on robots: the room serves any loop that moves bodies (examples/two_bodies.c).
// Impulses and complementarity: response.h. Laws, sources and when to use which: docs/contact.md.
//
// Conventions: the normal points from body 1 to body 2; depth is positive inside; the closing speed is positive while
// the depth grows; slip and spin are velocities of body 2 against body 1; force and moment act on body 2, their
// opposites on body 1 at the same point.
#ifndef FOOTFALL_CONTACT_H
#define FOOTFALL_CONTACT_H

#include <footfall/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ laws

/// Normal laws. Each is a case of  F = max(0, k p^n + c p^m v),  p depth, v closing speed, zero without depth.
typedef enum ff_normal_law {
    FF_NORMAL_LINEAR,        // k p^n: no loss of energy, for tests
    FF_NORMAL_RESTITUTION,   // k p^n (1 + a v / v_impact): the bounce is a property of the material
    FF_NORMAL_HUNT_CROSSLEY, // p^n (k + lambda v): for known material data
    FF_NORMAL_KELVIN_VOIGT,  // k p + c v: cheap; the force jumps at touch-down
    FF_NORMAL_SOIL,          // K p + B p^nu v, Silva's ground; nu = 0 is his linear one
    FF_NORMAL_LAW_COUNT
} ff_normal_law;

/// How the restitution law finds its group a = d v_impact for a wanted restitution e.
typedef enum ff_calibration {
    FF_CALIBRATION_EXACT,        // a (1 + e) = ln((1 + a) / (1 - e a)): exactly e
    FF_CALIBRATION_THREE_HALVES, // a = 3 (1 - e) / (2 e): within 0.013 for e >= 0.5
    FF_CALIBRATION_SEED,         // a = (1 - e) / e: bounces higher than e, reproduces older results
    FF_CALIBRATION_COUNT
} ff_calibration;

typedef enum ff_friction_law {
    FF_FRICTION_NONE,
    FF_FRICTION_STRIBECK,   // regularised: a body under a constant side load creeps
    FF_FRICTION_ANCHORED,   // the same parallel to a spring to an anchor, limited by mu F_n
    FF_FRICTION_STICK_SLIP, // true stick by a spring, Coulomb by a slider behind it, static and kinetic coefficient
    FF_FRICTION_SOIL,       // spring and damper to the touch-down point, cone optional
    FF_FRICTION_LAW_COUNT
} ff_friction_law;

/// What happens to the tangential spring at the moment of sticking.
typedef enum ff_stick_rule {
    FF_STICK_CONTINUOUS, // it starts with the force of sliding: no jump
    FF_STICK_SEED,       // it starts at zero: the force drops to zero, and a loaded contact may creep in jerks
    FF_STICK_RULE_COUNT
} ff_stick_rule;

/// Names as in scene files: "hunt-crossley", "stick-slip", ... NULL for a number that is no law.
FF_API const char *ff_normal_law_name(ff_normal_law law);
FF_API const char *ff_calibration_name(ff_calibration calibration);
FF_API const char *ff_friction_law_name(ff_friction_law law);
FF_API const char *ff_stick_rule_name(ff_stick_rule rule);
/// The law of that name. @return FF_OK, or FF_NOT_FOUND with the allowed names and a near match in `err`
FF_API ff_status ff_normal_law_find(const char *name, ff_normal_law *law, ff_error *err);
FF_API ff_status ff_calibration_find(const char *name, ff_calibration *calibration, ff_error *err);
FF_API ff_status ff_friction_law_find(const char *name, ff_friction_law *law, ff_error *err);
FF_API ff_status ff_stick_rule_find(const char *name, ff_stick_rule *rule, ff_error *err);

// ------------------------------------------------------------------------------------------ materials

/// Numbers of a normal law. Those a law does not use are ignored.
typedef struct ff_normal {
    ff_normal_law law;
    double stiffness;           // k, above zero; INFINITY: a rigid partner                        [N/m^exponent]
    double exponent;            // n: 1, or 1.5 for a Hertzian sphere; soil and kelvin-voigt: 1
    double damping;             // lambda [N s/m^(1+exponent)], c [N s/m] or B [N s/m^(1+damping_exponent)]
    double damping_exponent;    // nu of the soil law: 0 linear, 0.9 Silva's non-linear ground
    double restitution;         // e of the restitution law, 0 to 1; 0: nothing leaves faster than the impact floor
    ff_calibration calibration; // of the restitution law
    double impact_floor; // least impact speed the restitution law divides by; slower impacts do not bounce  [m/s]
    bool pulls; // kelvin-voigt and soil: damping may pull at lift-off, as in Silva's linear ground; no friction cone
} ff_normal;

/// Numbers of a friction law, and the resistance to turning of a point contact. Those a law does not use are ignored.
typedef struct ff_friction {
    ff_friction_law law;
    double mu_static;        // limit while sticking, mu_static >= mu_kinetic
    double mu_kinetic;       // limit while sliding; stribeck and soil: FF_NO_CONE holds any load
    double stiffness;        // of the tangential spring; 0: half the normal stiffness               [N/m]
    double damping;          // parallel to the spring (stick-slip, soil)            [N s/m], soil [N s/m^(1+nu)]
    double damping_exponent; // nu of the soil law: power of the depth that scales the damping
    double stick_speed;      // a slider slower than this is at rest                                    [m/s]
    ff_stick_rule stick;
    double breakaway;    // stribeck, anchored: breakaway over Coulomb force, at least 1
    double viscous;      // slope of the line for fast slip; Coulomb force = viscous * threshold    [N s/m]
    double threshold;    // speed of the breakaway peak                                                 [m/s]
    double decay;        // exponent of the fall behind the peak per scale_speed, below zero
    double scale_speed;  // [m/s]
    double slowdown;     // anchored: slip is divided by it before the regularised law, at least 1
    double torsion;      // lever arm of the resistance to spin about the normal: |M| <= torsion F_n      [m]
    double rolling;      // the same for rolling                                                          [m]
    double patch_radius; // of the disc that carries both, at least their arm: springs of k_t r^2/2 and k_t r^2/4  [m]
} ff_friction;

#define FF_MATERIAL_NAME_MAX 48
#define FF_NO_CONE           0.0  // ff_friction.mu_kinetic of soil and stribeck: friction has no limit
#define FF_IMPACT_FLOOR      0.01 // ff_normal.impact_floor unless given  [m/s]

/// A material, or a pair of them where measured as such.
typedef struct ff_material {
    char name[FF_MATERIAL_NAME_MAX];
    ff_normal normal;
    ff_friction friction;
    bool per_point;     // each point of a patch has the full stiffness; false: the points of a pair share it
    const char *source; // where the numbers come from; static memory or the caller's
} ff_material;

/// Hunt-Crossley and stick-slip with the numbers of "lab-floor", and a sensible value in every field no law uses yet.
FF_API ff_material ff_material_default(void);
/// Reports every number that is out of range, with the allowed range. @return how many errors were added
FF_API int ff_material_check(const ff_material *material, ff_report *report, ff_place place);

/// The material with friction as MJCF writes it: sliding coefficient (static and kinetic alike), lever arms of torsion
/// and rolling [m]. condim 1 has no friction, 3 sliding, 4 torsion too, 6 rolling too. Everything else stays; the name
/// contains the numbers.
FF_API ff_material ff_material_with_mjcf(const ff_material *standard, const double friction[3], int condim);

/// Numbers of MJCF for the contacts of a geom, in addition to friction and condim.
typedef struct ff_mjcf_contact {
    bool given;       // the geom comes from MJCF: it meets others of MJCF by MuJoCo's rules
    int priority;     // of two geoms that with the higher priority gives the numbers
    double solmix;    // weight of its solref
    bool has_solref;  // the file gives solref; otherwise the stiffness of the standard material holds
    double solref[2]; // time constant [s] and damping ratio; both below 0: -stiffness [1/s^2], -damping [1/s]
    double impedance; // d of solimp, where contacts are deep: 0 to 1
} ff_mjcf_contact;

typedef struct ff_mjcf_surface {
    double friction[3];
    int condim;
    ff_mjcf_contact numbers;
    double inverse_mass; // of its body, effective; 0: fixed to the world  [1/kg]
} ff_mjcf_surface;

/// The contact of two geoms by MuJoCo's rules, as the material that each of them has. Of different priority the
/// numbers of the higher; else the larger condim and friction of each kind, and solref and impedance weighted by solmix
/// (with direct solref the smaller). Where one of them gives solref, and one of them can move, the two together are a
/// kelvin-voigt spring and damper, the same for each point, with m = 1 / (inverse_mass_a + inverse_mass_b):
///     k = m / ((1 - d) T^2 z^2), c = 2 m / (sqrt(1 - d) T)  or, direct,  k = m s / (1 - d), c = m b / sqrt(1 - d)
/// the spring of a body at rest in MuJoCo, and the damper with MuJoCo's damping ratio, which decides how fast a body
/// separates (docs/mjcf.md). Otherwise the normal law is the standard.
/// @param b  NULL: fixed ground without numbers: friction is that of `a`, solref is mixed with MuJoCo's default
FF_API ff_material ff_material_by_mujoco(const ff_material *standard, const ff_mjcf_surface *a,
                                         const ff_mjcf_surface *b);

/// Same laws and numbers; names and sources do not count.
FF_API bool ff_material_same(const ff_material *a, const ff_material *b);

/// The library of named materials, each with its source; soils are non-linear with a cone of 0.8. @return false beyond
/// the last
FF_API bool ff_material_library(int index, ff_material *out);
/// @return FF_OK, or FF_NOT_FOUND with the known names and a near match in `err`
FF_API ff_status ff_material_find(const char *name, ff_material *out, ff_error *err);

/// k = E A / L of a layer: Young's modulus [N/m^2], area [m^2], thickness [m]. NAN unless all are above zero.
FF_API double ff_stiffness_of_layer(double modulus, double area, double thickness);
/// lambda of the Hunt-Crossley law that gives the restitution e at the impact speed v0: lambda = k a(e) / v0. Any
/// exponent. e = 0 has no finite lambda: k / FF_IMPACT_FLOOR, with which nothing leaves faster than that. NAN unless k
/// > 0, 0 <= e <= 1, v0 > 0.
FF_API double ff_damping_for_restitution(double stiffness, double restitution, double speed);

/// Silva's ground for a soil of modulus E (upper end of its range): K_x = 0.0868101 E, K_y = 0.1136799 E, B = 3
/// sqrt(K).
/// @param non_linear  damping grows with depth^0.9, converted at the sinkage 0.7 mm K_clay / K; otherwise Kelvin-Voigt
/// @param mu          friction cone, or FF_NO_CONE
/// @return a material named `name`; NAN stiffness unless E > 0 (ff_material_check reports it)
FF_API ff_material ff_soil_from_modulus(const char *name, double modulus, bool non_linear, double mu);
/// A row of Silva's table by its name: "concrete", "wood", "gravel", "sand", "compact-clay", "loose-clay", "peat", with
/// the printed numbers. @return FF_OK, or FF_NOT_FOUND with the known names
FF_API ff_status ff_soil_find(const char *name, bool non_linear, double mu, ff_material *out, ff_error *err);

/// Restitution of  F = k x^n (1 + d v)  for the group a = d v0 >= 0, any k, n and mass: solves a (1 + e) = ln((1 + a) /
/// (1 - e a)).
FF_API double ff_restitution_of_group(double a);
/// The reverse: the group a in [0, 1/e) that gives the restitution e, 0 < e <= 1; NAN otherwise.
FF_API double ff_group_of_restitution(double e);
/// The same by one of the calibrations.
FF_API double ff_group_calibrated(ff_calibration calibration, double e);

// ------------------------------------------------------------------------------------------ pairs

/// Two materials, prepared for evaluation. Callers write `ahead` and `staged` only.
typedef struct ff_contact_pair {
    ff_normal_law law;
    double stiffness;                            // k of both in series                     [N/m^exponent]
    double exponent;                             // n
    double damping;                              // c; of the restitution law: a k, to be divided by the impact speed
    double damping_exponent;                     // m
    double restitution;                          // e of the law, 0 where it has none
    double impact_floor;                         // [m/s]
    bool pulls;                                  // the force may be below zero while there is depth
    ff_friction friction;                        // stiffness filled in
    double torsion_stiffness, rolling_stiffness; // [N m/rad]
    double turn_lag;                             // damping of these two is at least lag times stiffness  [s]
    bool per_point;                              // every point has share 1, instead of 1 / points of the patch
    // Set by callers that take explicit steps of fixed length, see docs/contact.md:
    double ahead;  // length of a semi-implicit Euler step: springs are evaluated at its end  [s]
    double staged; // length of a Runge-Kutta step: springs follow slip and spin (ff_contact_return_springs)  [s]
} ff_contact_pair;

/// Two materials in contact. `b` may be NULL: `a` then describes the pair. Stiffness in series, 1/k = 1/k_a + 1/k_b
/// (for any exponent n: k^(-1/n) adds); damping so that the two layers lose what each would lose with its share of the
/// motion; restitution weighted by the shares of deformation; friction coefficients by the geometric mean. Where the
/// laws differ, the softer partner's law holds, and so does its per_point. With a rigid partner the pair is
/// the other material alone.
/// @return FF_OK or FF_BAD_ARGUMENT (a number out of range, or both rigid)
FF_API ff_status ff_contact_pair_make(ff_contact_pair *pair, const ff_material *a, const ff_material *b, ff_error *err);

/// Restitution of a free impact on the pair, for responses by impulses: e of the restitution law, 1 of the linear law;
/// the others are integrated through the impact, to 1e-5.
/// @param speed  of approach, above zero  [m/s]    @param mass  effective  [kg]
FF_API double ff_contact_restitution(const ff_contact_pair *pair, double speed, double mass);

// ------------------------------------------------------------------------------------------ one contact point

/// A point as collision detection and kinematics give it.
typedef struct ff_contact_point {
    uint64_t id;  // the same from step to step; not read here
    double share; // part of the pair's stiffness this point carries, fixed: 1 / points of the patch, or 1
    // effective, about the normal and across it: springs of torsion and rolling are damped critically; 0: unknown [kg
    // m^2]
    double inertia[2];
    double depth;     // p                                                   [m]
    double closing;   // dp/dt                                               [m/s]
    double normal[3]; // unit, from body 1 to body 2
    double slip[3];   // velocity of body 2 against body 1, tangential part  [m/s]
    double spin[3];   // angular velocity of body 2 against body 1           [rad/s]
} ff_contact_point;

/// Splits the velocity of body 2 against body 1 at the point into `closing` and `slip`; `normal` must be set.
FF_API void ff_contact_point_motion(ff_contact_point *point, const double velocity[3], const double spin[3]);

typedef enum ff_contact_mode { FF_CONTACT_OPEN, FF_CONTACT_KINETIC, FF_CONTACT_STATIC } ff_contact_mode;

/// Memory of a point. All zero is an open contact. `spring` and `turn` are continuous states with the rates of
/// ff_contact_force; all else changes in ff_contact_update only. Plain numbers: copy it to save it.
typedef struct ff_contact_state {
    int32_t mode;        // ff_contact_mode
    int32_t unused;      // zero: states are saved byte by byte, so there is no hole
    double impact_speed; // closing speed at touch-down                                                        [m/s]
    double plane[3];     // normal of the last update: `spring` and `turn` are carried along from it to the present one
    double spring[3];    // of friction, tangential, world axes: slip minus the motion of the slider        [m]
    double turn[3];      // the same for spin: torsion along the normal, rolling across it                 [rad]
} ff_contact_state;

/// Force, rates and energies of a point.
typedef struct ff_contact_force {
    double force[3];         // on body 2                                       [N]
    double moment[3];        // on body 2, torsion and rolling                  [N m]
    double normal;           // F_n >= 0, unless the pair pulls                                        [N]
    double tangential[3];    // part of `force` across the normal               [N]
    double wanted, limit;    // friction that sticking needs, and the largest one   [N]
    double spring_rate[3];   // d spring / dt                                   [m/s]
    double turn_rate[3];     // d turn / dt                                     [rad/s]
    double elastic_normal;   // stored                                          [J]
    double elastic_friction; // stored in `spring` and `turn`                   [J]
    double loss_normal;      // turned to heat now                              [W]
    double loss_friction;    // [W]
} ff_contact_force;

/// Partial derivatives, 3 x 3 row-major: entry (i, j) is d force_i / d argument_j. The normal is held fixed.
typedef struct ff_contact_slope {
    double force_depth[3], force_closing[3];   // [N/m], [N s/m]
    double force_slip[9], force_spring[9];     // [N s/m], [N/m]
    double moment_depth[3], moment_closing[3]; // [N], [N s]
    double moment_spin[9], moment_turn[9];     // [N m s/rad], [N m/rad]
} ff_contact_slope;

/// Force of a point in its state. Pure: any trial state may be evaluated. With a depth above 0 the state OPEN gives
/// the force of KINETIC, so that a method that does not locate events stays accurate. The energies fulfil, between two
/// updates,
/// -force . u - moment . spin = d(elastic)/dt + loss,  u the relative velocity; neither loss is ever below zero. (With
/// `ahead` in the pair, up to terms of first order in it. With `staged`, spring_rate and turn_rate are slip and spin,
/// and a point that slips within the step has the limit of sliding from there on; heat is then the work that the
/// springs do not hold at the end of the step.)
/// @param slope  may be NULL
FF_API void ff_contact_evaluate(const ff_contact_pair *pair, const ff_contact_point *point,
                                const ff_contact_state *state, ff_contact_force *out, ff_contact_slope *slope);

/// Transition at which an event function crosses zero.
typedef enum ff_contact_event {
    FF_CONTACT_NO_EVENT = -1,
    FF_CONTACT_TOUCH, // depth: rising at touch-down, falling at lift-off
    FF_CONTACT_STICK, // wanted friction minus the least that counts as sliding; falling
    FF_CONTACT_SLIP,  // wanted friction minus limit, or slip along it if smaller; rising
    FF_CONTACT_EVENT_COUNT
} ff_contact_event;

/// Values whose sign changes are the transitions. Those that cannot happen in this state keep one sign.
FF_API void ff_contact_event_values(const ff_contact_pair *pair, const ff_contact_point *point,
                                    const ff_contact_state *state, double values[FF_CONTACT_EVENT_COUNT]);

/// Result of an update.
typedef struct ff_contact_change {
    int32_t from, to;     // ff_contact_mode
    double friction_loss; // stored energy lost when the point opens  [J]
} ff_contact_change;

/// Moves the state machine by at most one transition. Call once after each accepted
/// step, with FF_CONTACT_NO_EVENT, and at a located event, with the event: its condition then counts as fulfilled,
/// in spite of rounding.
FF_API ff_contact_change ff_contact_update(const ff_contact_pair *pair, const ff_contact_point *point,
                                           ff_contact_event event, ff_contact_state *state);

/// Ends a step of a pair that is `staged`, after ff_contact_update: springs that have followed slip and spin beyond
/// their limits return to where a semi-implicit step leads. Springs of a point that has touched in the step begin at
/// the touch-down.
/// @param from  ff_contact_mode before the update    @param time  length of the step  [s]
/// @return energy that the springs have released; below zero where the point has touched  [J]
FF_API double ff_contact_return_springs(const ff_contact_pair *pair, const ff_contact_point *point, int from,
                                        double time, ff_contact_state *state);

/// A state that sticks and carries the tangential force `force` on body 2, for starting in balance. The law must have a
/// spring.
/// @return FF_OK, or FF_BAD_ARGUMENT when the force is beyond the static limit or the law cannot hold it
FF_API ff_status ff_contact_state_hold(const ff_contact_pair *pair, const ff_contact_point *point,
                                       const double force[3], ff_contact_state *state, ff_error *err);

// ------------------------------------------------------------------------------------------ step size

/// One side of a contact for the effective mass; all zero is a fixed body.
typedef struct ff_contact_side {
    double inverse_mass;       // [1/kg]
    double inverse_inertia[9]; // about the centre of mass, world axes  [1/(kg m^2)]
    double arm[3];             // from the centre of mass to the point  [m]
} ff_contact_side;

/// Effective mass at the contact along the unit vector `direction`: 1/m1 + 1/m2 + n . (I^-1 (r x n)) x r of both,
/// inverted.
FF_API double ff_contact_effective_mass(const ff_contact_side *one, const ff_contact_side *two,
                                        const double direction[3]);

typedef struct ff_contact_step {
    double stiffness;   // tangent at the depth that carries the load    [N/m]
    double half_period; // pi sqrt(m / stiffness)                        [s]
    double advised;     // half_period / 20: peaks and bounces resolved  [s]
    // 2 / omega (sqrt(1 + zeta^2) - zeta), omega = sqrt(stiffness / m): longer explicit steps diverge  [s]
    double explicit_limit;
} ff_contact_step;

/// Step sizes for a mass on this contact, of which `load` [N] is the largest normal force expected. For a spring with
/// exponent 1 the load matters for the damping only.
FF_API ff_contact_step ff_contact_step_advice(const ff_contact_pair *pair, double mass, double load);

#ifdef __cplusplus
}
#endif
#endif
