// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What parts of our own may do beyond ff_part: couple bodies, bring integrals and channels, take part in impacts. The
// engine asks every part for all of it and knows none by name; a new kind of part is a file with a table of these
// functions, and one call of ff_sim_add_inner_part.
#ifndef FOOTFALL_ENGINE_PART_H
#define FOOTFALL_ENGINE_PART_H

#include <footfall/contact.h>
#include <footfall/sim.h>

/// A point at which two bodies push each other in an implicit step, and the slope of its force by the motion of body 2
/// against body 1, made symmetric and positive:  -dF = by_velocity du + by_place u dt,  and the same for the moment.
typedef struct ff_step_point {
    int touch;                     // number of the point in its part
    unsigned key;                  // which point it is, the same from step to step
    const ff_contact_slope *slope; // whole slopes of its law, in memory of the part
    const ff_contact_force *acting;
    double normal[3];
    double closing;      // speed at which the bodies approach at the velocity evaluated last  [m/s]
    double by_depth;     // normal part of `place`  [N/m]
    double at_start;     // normal force at the start of the step over the depth there, 0: not in touch  [N/m]
    double ahead;        // time by which its springs are taken along  [s]
    double since;        // mean force over the step by half that at its end; 1 where it was in touch at the start
    double part, let_in; // of a point that is being let in: part of its force, and how it grows with depth  [1], [1/m]
    int node1, node2;    // -1: fixed to the world
    double arm1[3], arm2[3];      // from the origin of the node's tree  [m]
    double force[9], place[9];    // by_velocity + h by_place; by_place      [N s/m], [N/m]
    double linear[3], angular[3]; // of body 2 against body 1 there, by ff_implicit_point_velocities  [m/s], [rad/s]
    double pulled[3];             // place times the velocity of the last ff_contacts_correct   [N/s]
    // Newton's last change, after which the forces of all others are not asked again:
    double resisted[3];                // what it takes from the force by the slope of the law  [N]
    double missed;                     // distance of what is left from the law there  [N]
    double lost_normal, lost_friction; // heat there  [W]
    bool slides;                       // at the limit of its grip there
    double gripped;                    // power that goes into its springs there  [W]
    double elastic_normal;             // stored there  [J]
    // The same as `force` and `place` for spin and turn; last, as they are often zero and need not be fetched then.
    bool turns;
    double moment[9], turn[9]; // [N m s/rad], [N m/rad]
} ff_step_point;

/// A part whose forces couple bodies where they meet: the implicit method takes their slopes into its matrix. Its
/// states follow from the motion.
typedef struct ff_coupling {
    int most;   // points at once
    bool meets; // of bodies that move with each other, too, not only with the fixed world
    /// A step starts at the state evaluated last.
    void (*start)(void *context);
    /// Points, forces (added to d->wrench) and slopes at the end of a step of length h, at the trial state in data.
    /// @return how many were filled
    int (*evaluate)(void *context, ff_sim *sim, const double *z0, double h, ff_step_point *grips);
    /// Does a point that was in touch at the start of the step lift off in it?
    bool (*lifts)(const void *context, const ff_step_point *grips, int n);
    /// Points that lift off in a step of length h, each times the part of the step for which it is open: adds `factor`
    /// times what it pushes at the start to d->wrench, and its powers of heat there, along the normal and by friction,
    /// to `lost`. @return false: one of them is too hard for the step, or its way is not known
    bool (*leave)(const void *context, const ff_sim *sim, double h, double factor, double lost[2]);
    /// `place` of the points, which the iteration does not need.
    void (*stiffen)(const void *context, ff_step_point *grips, int n);
    /// Asks the laws at the end of a step of length h after a change of velocity, that of the points -> missed,
    /// lost_normal, lost_friction, slides, gripped.
    void (*ask_again)(const void *context, ff_step_point *grips, int n, double h, const double *z0);
    /// Does the same change take a point that was apart so deep into something hard that its spring would throw it back
    /// faster than `speed`?
    bool (*strikes)(const void *context, const ff_sim *sim, double h, double speed);
    /// States after a step of length h at the velocities of the points.
    void (*finish)(const void *context, const ff_step_point *grips, int n, double h, const double *z0, double *z);
    /// Adds to the integrals of the part what its points give in a step of length h by their forces at its end. With
    /// the second-order correction, by which the velocities of the points change, that is half the step: the other half
    /// has the rates of its start.
    void (*integrate)(const void *context, const ff_sim *sim, const ff_step_point *grips, int n, double h,
                      bool corrected, double *integrals);
    /// A point in words, for messages.
    void (*describe)(const void *context, const ff_step_point *grip, char *text, size_t size);
} ff_coupling;

/// Dry friction of a part,  -level u / sqrt(u^2 + speed^2),  on a motion of joints  u = lever . v,  or on a state of
/// its own behind those joints.
typedef struct ff_dry_friction {
    double level;    // 0: none                                                [N, N m]
    double speed;    // within which it turns round                           [m/s, rad/s]
    int state;       // of the part, which is u; -1: a motion of joints
    int ndof;        // of the joints: 1 or 2
    int dof[2];      //
    double lever[2]; //
} ff_dry_friction;

/// An accepted step: both ends, with states z of the part, and of an implicit step its contact points and its
/// second-order correction, of positions in velocity coordinates.
typedef struct ff_step_record {
    double h;          // [s]
    double negligible; // part of the energy turned over in it that need not be known
    const double *q0, *v0, *z0, *q1, *v1, *z1;
    const double *shift_q, *shift_v, *shift_z; // NULL: it was not corrected
    const double *ledger;                      // at its start; NULL: nobody keeps it
    const double *integrals;                   // of the part, at its start
    const ff_step_point
        *points; // with the mean velocities of the step where it is too hard; NULL: not an implicit step
    int npoint;
    bool too_hard; // it does not resolve some contact, and was not corrected
} ff_step_record;

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
    const void *kind;            // see ff_sim_find_inner
    bool contacts;               // its energy counts as that of contacts
    const ff_coupling *coupling; // at most one part of a simulation has it
    const ff_part_states *states;
    /// What of the inertia of the model depends on the part, for the pose and velocity in d.
    void (*place)(void *context, ff_data *d);
    /// Integrals beside the state, on which nothing depends: how many, and where their rates go in the next evaluation.
    int nintegral;
    void (*aim)(void *context, double *rates);
    /// Absolute tolerance of its states where a method with error control was asked for `asked`: that, or less.
    double (*finest)(const void *context, double asked);
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
    /// How long before the end of a step something met in it, for the states z at that end; 0: nothing did, or so
    /// lately that what is behind it has hardly felt it: (t w)^2 of its angular frequency w is at most `unfelt`.  [s]
    double (*met)(const void *context, const double *z, double unfelt);
    /// Dry friction: of how many things in it, and that of one of them, its levers those of the pose q.
    int nfriction;
    ff_dry_friction (*friction)(const void *context, int i, const double *q, const double *v);
    /// Lines along which it pulls: how many, and one of them at the pose and velocity of the last evaluation.
    int nline;
    ff_part_line (*line)(const void *context, int i);
    /// What could not be solved for in the last step; "": nothing. *ends: the run must end for it.
    const char *(*trouble)(const void *context, bool *ends);
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
