// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions of parts of the library beyond ff_part: contacts, friction, integrals, channels, impulses. The engine knows
// no part by name. A new kind of part is a file with a table of functions, and one call of ff_sim_add_inner_part.
#ifndef FOOTFALL_ENGINE_PART_H
#define FOOTFALL_ENGINE_PART_H

#include <footfall/contact.h>
#include <footfall/sim.h>

/// What a stage of an implicit step leaves of a contact point.
typedef struct ff_contact_result {
    double force[3]; // on body 2  [N]
    bool lasts;      // the point is in touch at the end of the stage, with this mode and these springs:
    int mode;        // proposed for ff_slot (world/world.h); FF_CONTACT_OPEN: not known
    ff_contact_state state;
} ff_contact_result;

/// A contact point: where two shapes touch or nearly do, and the result of its law at the last evaluation. The part
/// that has the contacts owns it. The implicit method reads it, and stores the result of a stage in it.
typedef struct ff_touch {
    int slot;           // number of its memory, which it keeps from step to step; -1: none yet
    int node1, node2;   // that carry its shapes, -1: fixed to the world
    int shape1, shape2; // the normal points from 1 to 2; force and moment act on 2
    int limb1, limb2;   // foot or hand at each side, -1: none
    bool limbs_known;   // limb1 and limb2 are valid
    double place[3];    // world  [m]
    const ff_contact_pair *law;
    ff_contact_point point;
    ff_contact_state state; // copy of its memory, with the springs of the last evaluation
    ff_contact_force force;
    ff_contact_slope slope; // filled on request
    // filled for implicit steps
    const char *names[2];     // of the shapes
    double mass;              // effective along the normal  [kg]
    uint64_t features[2];     // numbers that `key` was computed from, zero: none
    unsigned key;             // hash that identifies it from step to step; of points in touch
    ff_contact_result result; // of the last stage
} ff_touch;

/// A part whose forces act between bodies at contact points: the implicit method has their slopes in its matrix. The
/// states of the part follow from the motion. The method uses contacts by these two functions alone.
typedef struct ff_contact_interface {
    int most;   // largest number of points at a time, in touch and near
    bool meets; // moving bodies may touch each other, not only the fixed world
    /// Finds the points at the end of a stage of length h from the states z0, for the motion in data, adds their forces
    /// to d->wrench and computes their slopes. @return number of points
    int (*linearise)(void *context, ff_sim *sim, const double *z0, double h, ff_touch **touches);
    /// Computes the states z at the end of that stage, from the results of the points, and adds what the stage gives,
    /// times `weight`, to integrals.  [s]
    void (*finish)(void *context, double weight, const double *z0, double *z, double *integrals);
} ff_contact_interface;

/// Dry friction of a part,  -level u / sqrt(u^2 + speed^2).  u is a speed of joints,  lever . v,  or the speed of a
/// rotor that drives these joints, which is a state of the part.
typedef struct ff_dry_friction {
    double level;    // 0: none                                                [N, N m]
    double speed;    // within which it reverses                              [m/s, rad/s]
    int state;       // number of the state that is u; -1: u is a speed of joints
    int ndof;        // number of joints: 1 or 2
    int dof[2];      // their degrees of freedom
    double lever[2]; // their levers
} ff_dry_friction;

/// How states of a part and joints interact in an implicit step, such as rotors and joints with stiff springs between
/// them. The step solves for both, the states eliminated first, with the slopes of the last `settle`.
typedef struct ff_part_states {
    /// Adds -dtau_i/dq_i and -dtau_i/dv_i of the forces on joints, whose motion the states follow over the step h; in
    /// place of `slope` of the part.
    void (*slope)(const void *context, double h, double *stiffness, double *damping);
    /// Changes x of the states by changes of positions, `moved`, and velocities, `faster`, of the joints: the solution
    /// of (1 - h dzdot/dz) x = h (dzdot/dq moved + dzdot/dv faster)  where the part has `settle`, else the right-hand
    /// side.
    void (*follow)(const void *context, double h, const double *moved, const double *faster, double *x);
} ff_part_states;

/// A line along which a part pulls two bodies together, such as a spring, with the slopes of its force, which the
/// implicit method has in its matrix.
typedef struct ff_part_line {
    double stiffness, damping; // 0 or less: not stiff      [N/m], [N s/m]
    int body1, body2;          // -1: the world
    double at1[3], at2[3];     // in the world              [m]
    double along[3];           // from 1 to 2, a unit vector
} ff_part_line;

struct ff_channel_list;

/// All may be NULL or zero.
typedef struct ff_part_inner {
    const void *kind;                           // identifies the kind for ff_sim_find_inner
    bool contacts;                              // its energy counts as that of contacts
    const ff_contact_interface *contact_points; // of at most one part of a simulation
    const ff_part_states *states;
    /// Writes the inertia of the model that depends on the part, for the pose and velocity in d.
    void (*place)(void *context, ff_data *d);
    /// Integrals on which nothing depends: their number, and where their rates go in the next evaluation.
    int nintegral;
    void (*bind_rates)(void *context, double *rates);
    /// @return absolute tolerance of its states: that of the options, `asked`, or less
    double (*tightest_tolerance)(const void *context, double asked);
    /// Adds the powers of the last evaluation to the entries of the ledger, in place of `power` and `supply`, and the
    /// forces on the joints whose power is work to `force` (nv). The entry of friction is the power of the motion
    /// against friction; with `euler` the heat.
    void (*powers)(const void *context, double *power, double *force);
    /// @return energy in the springs of friction of contacts for the states z  [J]
    double (*stored_by_friction)(const void *context, const double *z);
    /// Changes d->qacc by forces that depend on the acceleration by all other forces. @param power  of the ledger, may
    /// be NULL    @return false without a solution
    bool (*constrain)(void *context, ff_sim *sim, double *power);
    /// Called between the two halves of a semi-implicit step: v is v + h qacc, q is that of the start.
    void (*impulse)(void *context, ff_sim *sim, double h, double *q, double *v);
    /// Time t from an impact within a step to its end, for the states z at the end. 0: there was none, or one that is
    /// not noticed, with (t w)^2 up to `tolerance` for the angular frequency w of what collides.  [s]
    double (*time_since_impact)(const void *context, const double *z, double tolerance);
    /// Dry friction: number of instances, and one of them, with its levers at the pose q.
    int nfriction;
    ff_dry_friction (*friction)(const void *context, int i, const double *q, const double *v);
    /// Lines along which it pulls: their number, and one of them at the pose and velocity of the last evaluation.
    int nline;
    ff_part_line (*line)(const void *context, int i);
    /// @return what could not be solved for in the last step, "": nothing. *ends: the run must end
    const char *(*solve_error)(const void *context, bool *ends);
    /// Recorder channels.
    void (*channels)(void *context, struct ff_channel_list *list);
} ff_part_inner;

/// ff_sim_add_part with the functions of `inner`, which is copied.
int ff_sim_add_inner_part(ff_sim *sim, const ff_part *part, const ff_part_inner *inner, ff_error *err);
/// @return context of the first part of a kind, NULL: none
void *ff_sim_find_inner(const ff_sim *sim, const void *kind);
/// @return current integrals of a part  (nintegral)
double *ff_sim_part_integrals(ff_sim *sim, int part);

#endif
