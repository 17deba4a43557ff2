// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Private header of the implicit method. step.c lists the stages of a step; each stage is a file:
//     step.c          the stages in their order; predict, solve, estimate the error, commit
//     linearise.c     linearise: the residual of a trial velocity, and the slopes of all forces there
//     matrix.c        linearise, solve: A = M + h D + h^2 K along the branches of the trees, and its factors
//     jacobian.c      Jacobians and velocities of contact points
//     newton.c        solve, limit: Newton's change of the velocity, its length, and convergence
//     energy.c        entries of the energy ledger for a stage
// Forces that have slopes of their own:
//     contacts.c      points of contact
//     stops.c         stops of joints and tendons
//     dry_friction.c  dry friction of joints, tendons and drives
//     lines.c         tendons and springs of parts, which may connect any branches
//     islands.c       trees that touch each other
// Around the step:
//     create.c        memory, and its parts that are saved with a simulation and undone with a step
//     method.c        steps of fixed length with their fallback, steps by error control
#ifndef FOOTFALL_ENGINE_IMPLICIT_H
#define FOOTFALL_ENGINE_IMPLICIT_H

#include "engine/system.h"

#include <math.h>
#include <string.h>

/// A stage resolves a contact or stop whose half period is at least ten stages: (h omega)^2 is at most (pi / 10)^2.
#define FF_IMPLICIT_RESOLVED 0.0986960440108936

/// With error control, a coordinate may move by this much before the matrix is computed again.  [m, rad]
#define FF_IMPLICIT_POSE_TOLERANCE 2e-2

typedef struct ff_islands ff_islands;
typedef struct ff_krylov ff_krylov;
typedef struct ff_lines ff_lines;

/// Motion at the end of the last step, from which the next one is predicted. Saved.
typedef struct ff_history {
    double *acceleration; // mean over its second stage        (nv)
    double *jerk;         // from the first stage to the second (nv)
} ff_history;

/// Quantities at the start of a step, by an earlier try from this state or by the last stage of the step before.
typedef struct ff_step_start {
    bool ready;            // all below is valid. Saved
    double *acceleration;  // generalised. Saved                   (nv)
    double *zdot;          // rates of the states of parts. Saved  (nz)
    double *tendon_length; //                                      (ntendon)
} ff_step_start;

/// Newton's iteration for the velocity at the end of the step.
typedef struct ff_iterate {
    double *v;             // trial velocity                                       (nv)
    double *q;             // position it leads to                                 (nq)
    double *z;             // states of parts that it leads to                     (nz)
    double *zdot;          // their rates, and powers of the ledger                (nz + nquad)
    double *evaluated_v;   // velocity of the last evaluation                      (nv)
    double *residual;      // inverse dynamics less forces                         (nv)
    double *change;        // Newton's change of v                                 (nv)
    double *base_v;        // v before the change                                  (nv)
    double *matrix_change; // change by A alone, where `change` uses the whole slope (nv)
    // forces without those of the part whose states are being solved for
    double *tau;               // (nv)
    double *wrench, *applied;  // (6*nnode)
    bool whole_slope;          // the change uses the whole slope of the contacts,
    double *krylov_change;     // where the part that A lacks is multiplied with this change  (nv)
    double *loop_speed;        // at which the loops of the model open           (rows of the loops)
    double *loop_impulse;      // multipliers times h                            (likewise)
    double loop_slope;         // work of the loops along the change, divided by h
    double size;               // largest entry of the last change
    double rate;               // factor on the size from round to round; 1: not known. Saved
    int active, active_before; // hash of the contacts and stops that push; hash when the rate was measured, saved
    int worst;                 // degree of freedom that moved most in the last round
    int slow_part;             // part whose states did not converge in the last evaluation, -1: none
} ff_iterate;

/// Slopes -dtau/dq and -dtau/dv of forces at the trial velocity, diagonal and positive.
typedef struct ff_joint_slopes {
    double *stiffness, *damping;                 // of joints, actuators and parts     (nv)
    double *passive_stiffness, *passive_damping; // those of the joints alone          (nv)
} ff_joint_slopes;

/// Slope of the cone of a ball joint, at which a stop pushes, by the three speeds of the joint.
typedef struct ff_cone_slope {
    int vadr;
    double axis[3];
    double stiffness, damping; // along the axis  [N m/rad], [N m s/rad]
    double across;             // stiffness across it, as the axis turns with the joint  [N m/rad]
} ff_cone_slope;

/// Force of a stop; all 0: it does not push.
typedef struct ff_stop_push {
    double slope;  // h K + D  [N s/m], [N m s/rad]
    double force;  // [N], [N m]
    double damper; // part of it that its damper has
} ff_stop_push;

/// Stops of joints and tendons. Arrays: degrees of freedom, then tendons  (nv + ntendon)
typedef struct ff_stops {
    ff_stop_push *pushes; // at the velocity evaluated last
    ff_stop_push *first;  // at the end of the first stage
    ff_cone_slope *cones;
    int ncone;
    unsigned pushing; // hash of the stops that push at the trial velocity
    bool touched;     // some joint touches a stop at the start or at the end of the step
} ff_stops;

/// Instance k of the dry friction of a part.
typedef struct ff_part_friction {
    const ff_part_slot *slot;
    int k;
} ff_part_friction;

/// Carriers of dry friction: joints and tendons, then parts.
typedef struct ff_dry {
    ff_part_friction *parts; // (npart)
    int npart;
    int *carriers; // their numbers, see carrier_at (dry_friction.c)  (ncarrier)
    int ncarrier, first_part;
} ff_dry;

/// A contact as A has it. The struct is saved as bytes, and has no pointers.
typedef struct ff_factored_contact {
    double slope[9];         // h G of its force  [N s^2/m]
    double arm1[3], arm2[3]; // from the origin of the node's tree  [m]
    double mobility;         // along its normal, without its own slope  [1/kg]
} ff_factored_contact;

/// A = M + h D + h^2 K and its factors, which are used as long as they fit. Saved, except for the work space.
typedef struct ff_factors {
    bool valid;
    double h;                      // length of the step they were made for  [s]
    double *q;                     // pose that they were made at  (nq)
    double pose_tolerance;         // change of the pose that light axes of M allow  [m, rad]
    double lightest_axis;          // inertia of the lightest axis by its entry of M, 0: not computed yet
    double *M, *LD;                // packed as ff_data.M  (nM)
    double *S;                     // ff_data.S at that pose  (6*nv)
    ff_factored_contact *contacts; // in A  (most)
    int ncontact;                  // number of contacts in A
    double slope_sum;              // sum of all slopes in A
    int active;                    // ff_iterate.active of the contacts and stops in A

    // work space
    bool ball_joints;   // the model has ball joints
    double *A;          // packed as M  (nM)
    double *twist;      // angular and linear velocity after each degree of freedom; first of the world  (6*(1 + nv))
    double *path;       // columns of Jacobians along the longest path to a root            (12*longest)
    double *right_side; // copy of a right-hand side                                               (nv)
} ff_factors;

/// A point in touch at the trial velocity. The slope of its force F by the motion of body 2 against body 1 is made
/// symmetric and positive: `slope` is -dF/du for the velocity u, with the displacement h u that follows from it.
typedef struct ff_step_point {
    ff_touch *touch;
    double normal[3];
    double by_depth;         // slope of the normal force by the depth  [N/m]
    double spring_time;      // time for which its springs are stretched: h, or 0 where it touches in this step  [s]
    double ramp;             // factor on its force, below 1 where a law that jumps is entered
    double ramp_slope;       // its slope by the depth  [1/m]
    int node1, node2;        // -1: fixed to the world
    double arm1[3], arm2[3]; // from the origin of the node's tree  [m]
    double slope[9];         // [N s/m]
    // by ff_contacts_follow: after Newton's last change, for which only these are computed
    double drop[3];        // decrease of the force, by its slope  [N]
    double force_error;    // distance of the decreased force from the law  [N]
    double closing;        // speed along the normal, of the following  [m/s]
    double lost_normal;    // heat along the normal  [W]
    double elastic_normal; // energy stored along the normal  [J]
    // `slope` of the moment, for spin; last in the struct, as few points have it
    bool turns;
    double spin_slope[9]; // [N m s/rad]
} ff_step_point;

/// A point that pushes.
typedef struct ff_pushing_point {
    int64_t name;    // its slot, or its key below zero
    bool unresolved; // its normal force is too stiff for the step
} ff_pushing_point;

/// Contact points at the trial velocity.
typedef struct ff_step_contacts {
    const ff_part_slot *slot;              // the part that has contacts, NULL: none
    const ff_contact_interface *interface; // its functions
    ff_touch *touches;                     // all points, in touch and near  (ntouch)
    int ntouch;
    ff_step_point *points; // those in touch  (interface->most)
    int count;
    double stored;             // along the normals at the start of the step. Saved  [J]
    double stored_after;       // at the end of the stage  [J]
    double taken;              // mean power that is taken along the normals in a step of a single stage  [W]
    ff_pushing_point *pushing; // at the end of the first stage  (npushing)
    int npushing;
} ff_step_contacts;

/// States of the parts.
typedef struct ff_step_parts {
    int *measured; // states whose error is measured: all but speeds  (nmeasured)
    int nmeasured;
    int ranges[2][2];  // begin and end of the states before and after those of contacts, which follow from the motion
    bool *stiff;       // parts whose states need Newton's iteration (npart). Saved
    double **jacobian; // I - h dzdot/dz of these, factored         (npart)
    int **pivot;       //                                                   (npart)
    bool *ready;       // the Jacobian was computed in this step   (npart)
    // work space of one part at a time
    double *change;     // change of its states                             (nz)
    double *moved_rate; // rates of its states with one of them moved       (nz)
} ff_step_parts;

/// The first of the two stages of a step, after its iteration.
typedef struct ff_first_stage {
    double *acceleration; // mean over the stage                   (nv)
    double *v;            // at its end                            (nv)
    double *z;            // states of parts there                 (nz)
    double *zdot;         // their rates there                     (nz)
} ff_first_stage;

typedef struct ff_implicit {
    double length;              // of the step  [s]
    double t, h;                // of the stage under way: local time of its start, and its length  [s]
    bool shortest;              // there is no shorter step
    double speed;               // largest speed of late, which errors are compared with. Saved  [m/s, rad/s]
    double error;               // of the step, in units of what is allowed
    bool single;                // the step has a single stage
    double *base;               // q, v and z at which the stage starts  (nstate)
    double *base_tendon_length; // (ntendon)
    double *integrals;          // of ledger and parts, up to the last stage solved  (nquad)
    double *driving;            // impulses of the drives up to there  (nv)
    double *friction;           // the same of friction of contacts  (nv)

    ff_first_stage first;
    ff_history history;
    ff_step_start start;
    ff_iterate iterate;
    ff_factors factors;

    ff_joint_slopes slopes;
    ff_step_contacts contacts;
    ff_stops stops;
    ff_dry dry;
    ff_step_parts parts;
    ff_lines *lines; // NULL: there are no tendons and no lines of parts
    ff_islands *islands;
    ff_krylov *krylov;
    double *work; // scratch of one function at a time  (nv)
} ff_implicit;

/// @return velocity tolerance of a fixed step: 1e-10 plus 1e-8 of the largest velocity, which is well below the error
/// of the method for steps above about 1e-4 s, and well above rounding; with error control a hundredth of it
static inline double ff_tolerance_fixed(const ff_sim *sim)
{
    const double part = sim->options.accuracy > 0.0 ? 1e-2 : 1.0;
    double speed = 0.0;
    for (int i = 0; i < sim->nv; i++) speed = ff_max(speed, fabs(sim->implicit->iterate.v[i]));
    return part * (1e-10 + 1e-8 * speed);
}
/// @return error of the fastest coordinate that the accuracy allows in a second, before a share of it is given to each
/// step: at most 1 cm/s, so that a rotor that spins fast does not let its body sink into the ground
static inline double ff_implicit_error_rate(const ff_sim *sim)
{
    static const double MOST = 0.01; // [m/s, rad/s]
    return ff_min(MOST, sim->options.accuracy * sim->implicit->speed);
}
/// @return velocity tolerance of this stage: `fixed`, or with error control at least so much that it adds up to a fifth
/// of what is allowed to the estimate of the error (error_of_velocity in step.c)
static inline double ff_tolerance_of(const ff_sim *sim, double fixed)
{
    static const double RATE = 10.0; // [1/s]
    return ff_max(fixed, RATE * sim->implicit->h * ff_implicit_error_rate(sim));
}
/// @return velocity tolerance of this step
static inline double ff_implicit_tolerance(const ff_sim *sim)
{
    return ff_tolerance_of(sim, ff_tolerance_fixed(sim));
}

/// Does a contact or stop change too much of the speed along it in a stage for a step of two stages?
/// @param slope  change by its slope, relative to the speed
/// @param impulse  change by its force  [m/s, rad/s]    @param speed  at the end of the stage  [m/s, rad/s]
static inline bool ff_implicit_unresolved(const ff_sim *sim, double slope, double impulse, double speed)
{
    const bool large = slope > FF_IMPLICIT_RESOLVED || impulse > FF_IMPLICIT_RESOLVED * (fabs(speed) + impulse);
    return large && impulse > ff_implicit_tolerance(sim);
}

static inline double ff_dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/// How a try, or one of its stages, ended.
typedef enum ff_try {
    FF_TRY_OK,
    FF_TRY_MORE,   // the iteration needs another round
    FF_TRY_SLOW,   // no convergence
    FF_TRY_BAD,    // forces are not finite
    FF_TRY_STOPPED // by ff_stop, which is checked in every round
} ff_try;

// step.c
/// Makes one try from sim->x over h -> integrator.trial; sim->x does not change.
ff_try ff_implicit_try(ff_sim *sim, double t, double h);
/// Makes the proposed state sim->x, and adds its integrals and the memory of contacts.
void ff_implicit_commit(ff_sim *sim);

// create.c
/// Allocates all memory of the method from the arena of the simulation.
ff_status ff_implicit_create(ff_sim *sim, ff_error *err);
/// Drops history and factors.
void ff_implicit_forget(ff_sim *sim);
/// ff_method_ops.transfer.
void ff_implicit_transfer(ff_sim *sim, struct ff_archive *archive, ff_undo_list list);

// linearise.c
/// Computes the residual at the velocity iterate.v, and the slopes of all forces. @return false when the residual is
/// not finite
bool ff_implicit_evaluate(ff_sim *sim);
/// ff_method_ops.add_slope.
void ff_implicit_add_slope(ff_sim *sim, int dof, int tendon, double stiffness, double damping);
/// Solves (I - h dzdot/dz) x = x for a part; a part that is not stiff has the identity.
void ff_implicit_part_solve(const ff_implicit *im, const ff_part_slot *slot, int part, double *x);
/// @return changes of the states of a part that follow changes of the joints by `moved` and `faster`, valid until the
/// next call
const double *ff_implicit_part_follow(ff_sim *sim, int part, const double *moved, const double *faster);

// newton.c
/// Allocates memory for the whole slope of the contacts. @return false when out of memory
bool ff_krylov_create(ff_sim *sim);
/// Computes residual, slopes and factors at the predicted velocity.
ff_try ff_newton_begin(ff_sim *sim);
/// Computes Newton's change of the velocity from residual and factors; OK: it was small enough, and has been added.
ff_try ff_newton_solve(ff_sim *sim, int round);
/// Moves the velocity along the change, as far as the residual falls, and computes residual and slopes there.
ff_try ff_newton_limit(ff_sim *sim);
/// Computes new factors where the old ones do not fit the slopes.
ff_try ff_newton_linearise(ff_sim *sim);
/// After the last round: OK where a force that jumps allows no balance, else SLOW.
ff_try ff_newton_end(ff_sim *sim);

// energy.c
/// Adds to the integrals what the stage gives the entries of the ledger, but for the work of drives: its powers times
/// `weight`.  [s]
void ff_implicit_add_powers(ff_sim *sim, double weight);
/// Adds the work of the drives in the step, and that against friction of contacts.
void ff_implicit_add_work(ff_sim *sim);

// contacts.c
/// Finds the points at the trial velocity, their forces and slopes.
void ff_contacts_linearise(ff_sim *sim);
/// Computes what the points did in the stage, at the velocity iterate.v: writes states z of their part, and adds
/// impulses and distances of slip, times `weight`, to its integrals.  [s]
void ff_contacts_end_stage(ff_sim *sim, double weight, double *z, double *integrals);
/// Computes forces and powers of the points after Newton's last change -> drop, force_error, lost_normal.
void ff_contacts_follow(ff_sim *sim);
/// Are the forces of all points that the step does not resolve known after that change?
bool ff_contacts_converged(const ff_sim *sim);
/// Does a point that the stage does not resolve begin to push in it, or, in fixed steps, brake the motion much?
bool ff_contacts_reached(ff_sim *sim);
/// Keeps which points push at the end of the first stage.
void ff_contacts_keep_pushing(ff_sim *sim);
/// Do others push at the end of the second, of those that the step does not resolve?
bool ff_contacts_changed(const ff_sim *sim);
/// Does the last change press an open point into a surface, with more elastic energy than the tolerance?
bool ff_contacts_penetrate(ff_sim *sim);
/// tau += h J' (G' - G) J v for the whole slope G' of the contacts, of which A has G. Uses d->wrench.
void ff_contacts_add_rest(ff_sim *sim, const double *v, double *tau);

// stops.c
/// Adds force and slope of a stop that a scalar or ball joint touches at the start or at the end of the step.
void ff_stops_linearise_joint(ff_sim *sim, const ff_joint *joint);
/// The same of a tendon.
void ff_stops_linearise_tendon(ff_sim *sim, int tendon);
/// Adds h D + h^2 K of the cones to A.
void ff_stops_assemble(ff_sim *sim);
/// @return sum of their slopes
double ff_stops_slope_sum(const ff_sim *sim);
/// The same of stops.
bool ff_stops_reached(ff_sim *sim);
void ff_stops_keep_pushing(ff_sim *sim);
bool ff_stops_changed(ff_sim *sim);
/// Work on stops with dampers in a step of a single stage beyond the power at its end: that of the dampers goes by the
/// mean of the velocities before and after, that of the springs is what they store.  [W]
double ff_stops_heat_by_mean(ff_sim *sim);
/// Do the same stops push after Newton's change as before it? Otherwise their slopes do not predict the forces.
bool ff_stops_converged(const ff_sim *sim);

// dry_friction.c: of joints, of tendons and of parts
bool ff_dry_friction_create(ff_sim *sim);
/// Is dry friction nearly the same before and after Newton's change?
bool ff_dry_friction_converged(const ff_sim *sim);
/// Does Newton's change leave the torques between rotors and joints nearly the same, relative to the friction of the
/// rotors? A small change of a joint is a large torque of a stiff spring.
bool ff_dry_springs_converged(const ff_sim *sim);

// lines.c: tendons and lines of parts. Functions that take the number of a tendon are for tendons alone.
bool ff_lines_create(ff_sim *sim);
/// Slopes of the passive forces along the tendons at the trial velocity.
void ff_lines_linearise(ff_sim *sim);
/// Adds slopes of a force along a tendon.
void ff_lines_add(ff_sim *sim, int tendon, double stiffness, double damping);
/// Levers and slopes of the lines of parts at the trial velocity, after the evaluation of the parts.
void ff_lines_linearise_parts(ff_sim *sim);
double ff_lines_slope_sum(const ff_sim *sim);
/// Factors the terms of lines in A; `solve` is x = A^-1 x without them. @return false when not positive
bool ff_lines_factor(ff_sim *sim, void (*solve)(ff_sim *sim, double *x));
/// Corrects x = A^-1 b without lines to the solution with them.
void ff_lines_solve(ff_sim *sim, double *x);

// matrix.c
bool ff_factors_create(ff_sim *sim);
/// Computes A at the pose and slopes evaluated last, and its factors; `mass`: with a new M. @return false when not
/// positive
bool ff_factors_make(ff_sim *sim, bool mass);
/// Do the factors still fit the slopes evaluated last?
bool ff_factors_fit(const ff_sim *sim);
/// Do the factors of the last step fit the slopes, length and pose of this one?
bool ff_factors_last(const ff_sim *sim);
/// Does M of the last step fit the pose of this one?
bool ff_factors_mass_lasts(const ff_sim *sim);
/// x = A^-1 x.
void ff_factors_solve(ff_sim *sim, double *x);

// jacobian.c
/// Velocities of all bodies for the generalised velocity v -> twist.
void ff_implicit_twists(ff_sim *sim, const double *v);
/// The same for the pose at which A was made. A has contacts at the places of that pose: on concrete, which holds like
/// a mass of tons, a distance of 1 mm changes the force.
void ff_factors_twists(ff_sim *sim, const double *v);
/// Velocity of `point` on body 2 against body 1 by the twists.  [m/s], [rad/s]
void ff_implicit_point_velocity(const ff_sim *sim, const ff_step_point *point, double linear[3], double angular[3]);
/// The same of point k where A has it.
void ff_factors_point_velocity(const ff_sim *sim, int k, double linear[3]);

/// One side of a contact: its path to the root with the columns of J.
typedef struct ff_side {
    const int *dofs; // root first
    int count;
    double *linear, *angular; // (3*count)
} ff_side;
/// @param memory  6 numbers for each degree of freedom on the path
ff_side ff_side_make(const ff_sim *sim, int node, const double arm[3], double *memory);

// islands.c
bool ff_islands_create(ff_sim *sim);
/// Finds the islands of the contacts in A, and factors their matrices. Needs A and its packed factors. @return false
/// when not positive
bool ff_islands_factor(ff_sim *sim);
/// Replaces the components of x = A^-1 b that belong to islands.
void ff_islands_solve(ff_sim *sim, const double *b, double *x);
/// Transfers whether the last A had islands, whose factors are not saved: then A is computed again.
void ff_islands_transfer(ff_sim *sim, struct ff_archive *archive);
/// Is an island too large for factors?
bool ff_islands_large(const ff_sim *sim);
/// x = A^-1 x by conjugate gradients, for such islands.
void ff_islands_iterate(ff_sim *sim, double *x);
/// Are there islands?
bool ff_islands_any(const ff_sim *sim);

#endif
