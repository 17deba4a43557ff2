// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What parts of the library may do beyond ff_part: couple bodies, add integrals and channels, take part in impacts. The
// engine uses these functions of every part and knows no part by name; a new kind of part is a file with a table of
// functions, and one call of ff_sim_add_inner_part.
#ifndef FOOTFALL_ENGINE_PART_H
#define FOOTFALL_ENGINE_PART_H

#include <footfall/contact.h>
#include <footfall/sim.h>

/// An accepted step: both ends, with states z of the part, and of an implicit step its second-order
/// correction, of positions in velocity coordinates.
typedef struct ff_step_record {
    double h;          // [s]
    double negligible; // part of the energy turned over in it that may be neglected
    const double *q0, *v0, *z0, *q1, *v1, *z1;
    const double *shift_q, *shift_v, *shift_z; // NULL: it was not corrected
    const double *ledger;                      // at its start; NULL: there is none
    const double *integrals;                   // of the part, at its start
} ff_step_record;

/// What a contact point did in an accepted step.
typedef struct ff_contact_result {
    double time, force[3];  // on body 2, and for how long; below zero: for so long it was not there; 0: none  [s], [N]
    bool lasts;             // in touch at the end of the step, with
    int mode;               // FF_CONTACT_OPEN: not known
    ff_contact_state state; // springs alone
} ff_contact_result;

/// A contact point: where two shapes meet or nearly do, and what its law gave at the last evaluation. The part that has
/// the contacts owns it. The implicit method reads it, and stores in it what an accepted step leaves.
typedef struct ff_touch {
    int slot;           // number of its memory, by which it is known from step to step; -1: none yet
    int node1, node2;   // that carry its shapes, -1: fixed to the world
    int shape1, shape2; // the normal points from 1 to 2; force and moment act on 2
    int limb1, limb2;   // foot or hand at each side, -1: none
    bool limbs_known;   // both are there
    double place[3];    // world  [m]
    const ff_contact_pair *law;
    ff_contact_point point;
    ff_contact_state state; // its mode; with the springs of its memory at the last evaluation
    ff_contact_force force;
    ff_contact_slope slope; // filled on request
    // filled for implicit steps
    const char *names[2];     // of the shapes
    double mass;              // effective along the normal  [kg]
    uint64_t features[2];     // that `key` was computed from, zero: none
    unsigned key;             // which point it is, the same from step to step; of points in touch
    ff_contact_result result; // of the accepted step
} ff_touch;

/// A part whose forces couple bodies where they meet: the implicit method takes their slopes into its matrix. Its
/// states follow from the motion. The method knows contacts by these two functions alone.
typedef struct ff_contact_interface {
    int most;       // points at once, in touch and near
    int remembered; // at most
    bool meets;     // of bodies that move with each other, too, not only with the fixed world
    /// Points at the end of a step of length h that begins with the states z0, for the motion in data: adds their
    /// forces to d->wrench and finds their slopes. h = 0: shows the points of the state evaluated last. @return how
    /// many there are
    int (*linearise)(void *context, ff_sim *sim, const double *z0, double h, ff_touch **touches);
    /// States and integrals at the end of an accepted step, from the results of the points.
    void (*finish)(void *context, const ff_step_record *record, double *z, double *integrals);
} ff_contact_interface;

/// Dry friction of a part,  -level u / sqrt(u^2 + speed^2),  on a motion of joints  u = lever . v,  or on a state of
/// its own behind those joints.
typedef struct ff_dry_friction {
    double level;    // 0: none                                                [N, N m]
    double speed;    // within which it reverses                              [m/s, rad/s]
    int state;       // of the part, which is u; -1: a motion of joints
    int ndof;        // of the joints: 1 or 2
    int dof[2];      //
    double lever[2]; //
} ff_dry_friction;

/// How states of a part and the joints move each other in an implicit step: rotors behind stiff springs. The step
/// solves for both together, the states taken out first. All by the slopes of the last settling.
typedef struct ff_part_states {
    /// Adds -dtau_i/dq_i and -dtau_i/dv_i of its forces on joints whose motion its states follow over the step h, in
    /// place of `slope` of the part.
    void (*slope)(const void *context, double h, double *stiffness, double *damping);
    /// tau += factor dtau/dz x for changes x of its states.
    void (*push)(const void *context, double factor, const double *x, double *tau);
    /// Changes x of its states over a step by changes of the motion of the joints: those that solve
    /// (1 - h dzdot/dz) x = h (dzdot/dq moved + dzdot/dv faster) where the part has `relax`, else the right side alone,
    /// which the method solves for.
    void (*follow)(const void *context, double h, const double *moved, const double *faster, double *x);
} ff_part_states;

/// A line along which a part pulls two bodies together, such as a spring does, and how its force grows: the implicit
/// method takes it into its matrix, whichever bodies it couples.
typedef struct ff_part_line {
    double stiffness, damping; // 0 or less: not stiff      [N/m], [N s/m]
    int body1, body2;          // -1: the world
    double at1[3], at2[3];     // in the world              [m]
    double along[3];           // from 1 to 2, a unit vector
} ff_part_line;

struct ff_channel_list;

/// All may be NULL or zero.
typedef struct ff_part_inner {
    const void *kind;                           // see ff_sim_find_inner
    bool contacts;                              // its energy counts as that of contacts
    const ff_contact_interface *contact_points; // at most one part of a simulation has it
    const ff_part_states *states;
    /// What of the inertia of the model depends on the part, for the pose and velocity in d.
    void (*place)(void *context, ff_data *d);
    /// Integrals beside the state, on which nothing depends: how many, and where their rates go in the next evaluation.
    int nintegral;
    void (*bind_rates)(void *context, double *rates);
    /// Absolute tolerance of its states where a method with error control was asked for `asked`: that, or less.
    double (*tightest_tolerance)(const void *context, double asked);
    /// Adds the powers of the last evaluation to the entries of the ledger, in place of `power` and `supply`, and the
    /// forces on the joints whose power is work to `force` (nv). Friction: with methods that have stages or locate
    /// events the work of the motion on it, of which its springs keep a part; with others the heat.
    void (*powers)(const void *context, double *power, double *force);
    /// Changes what powers at its ends make of an accepted step, in the ledger and in the integrals of the part. Called
    /// once a step, by the implicit method, and of contacts with methods whose powers have the work on friction.
    void (*account)(const void *context, const ff_step_record *record, double *ledger, double *integrals);
    /// Forces that follow from the accelerations all others give: changes d->qacc. @param power  of the ledger, may be
    /// NULL
    bool (*constrain)(void *context, ff_sim *sim, double *power);
    /// Between the two halves of a semi-implicit step: v holds v + h qacc, q is still that of its start.
    void (*impulse)(void *context, ff_sim *sim, double h, double *q, double *v);
    /// How long before the end of a step two faces met in it, for the states z at that end; 0: none did, or so lately
    /// that what is behind them has hardly moved: (t w)^2 of its angular frequency w is at most `tolerance`.  [s]
    double (*time_since_impact)(const void *context, const double *z, double tolerance);
    /// Dry friction: of how many things in it, and that of one of them, its levers those of the pose q.
    int nfriction;
    ff_dry_friction (*friction)(const void *context, int i, const double *q, const double *v);
    /// Lines along which it pulls: how many, and one of them at the pose and velocity of the last evaluation.
    int nline;
    ff_part_line (*line)(const void *context, int i);
    /// What could not be solved for in the last step; "": nothing. *ends: the run must end for it.
    const char *(*solve_error)(const void *context, bool *ends);
    /// Recorder channels.
    void (*channels)(void *context, struct ff_channel_list *list);
} ff_part_inner;

/// ff_sim_add_part for parts of our own. @param inner  copied
int ff_sim_add_inner_part(ff_sim *sim, const ff_part *part, const ff_part_inner *inner, ff_error *err);
/// Context of the first part of a kind, NULL: none.
void *ff_sim_find_inner(const ff_sim *sim, const void *kind);
/// Integrals of a part now.  (nintegral)
double *ff_sim_part_integrals(ff_sim *sim, int part);

#endif
