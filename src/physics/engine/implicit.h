// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of the implicit method, shared by its files:
//     implicit_step.c        one step: Newton's iteration, line search, the second-order correction
//     implicit_forces.c      the residual and the slopes of all forces at a trial velocity
//     implicit_grips.c       what the points of a part that couples bodies say about the step
//     implicit_stops.c       stops of joints: their slopes, whether the step resolves them, their heat
//     implicit_dry.c         dry friction of joints, tendons and drives: whether the iteration has seen it, its heat
//     implicit_tendons.c     what acts along tendons and springs, which may couple any branches
//     implicit_matrix.c      A = M + h D + h^2 K along the branches of the trees, and its factors
//     implicit_island.c      the same for trees that touch each other
//     implicit_krylov.c      what the matrix leaves out of the slopes of contacts
//     method_implicit.c      steps of fixed length with their fallback, steps by error control
#ifndef FOOTFALL_ENGINE_IMPLICIT_H
#define FOOTFALL_ENGINE_IMPLICIT_H

#include "engine/system.h"

#include <math.h>
#include <string.h>

/// A contact or stop is resolved when its half period is at least ten steps: (h omega)^2 <= (pi / 10)^2.
#define FF_IMPLICIT_RESOLVED 0.0986960440108936

/// With error control: the accuracy counts at least in units of this for the speed at contacts, sqrt(g l) of something
/// that stands l = 0.1 m high. Larger trees have units of their own (ff_implicit.unit).  [m/s]
#define FF_IMPLICIT_SPEED 1.0

/// And of this for the speed that the iteration may leave at a contact where that shows.  [m/s]
#define FF_IMPLICIT_STRICT 0.1

/// And how far a coordinate may move before the matrix is made anew.  [m, rad]
#define FF_IMPLICIT_POSE_LASTS 2e-2

typedef struct ff_islands ff_islands;
typedef struct ff_krylov ff_krylov;
typedef struct ff_strings ff_strings;

/// Dry friction of a part: number k of those that it has.
typedef struct ff_part_rub {
    const ff_part_slot *slot;
    int k;
} ff_part_rub;

/// A contact as A has it. Numbers alone: it is saved as such.
typedef struct ff_held_grip {
    double slope[9];         // h G of its force  [N s^2/m]
    double arm1[3], arm2[3]; // from the origin of the node's tree  [m]
    double mobility;         // along its normal, by all but itself  [1/kg]
} ff_held_grip;

/// Slope of the cone of a ball joint that pushes, on the three speeds of the joint.
typedef struct ff_cone_slope {
    int vadr;
    double axis[3];
    double stiffness, damping; // along the axis  [N m/rad], [N m s/rad]
    double across;             // stiffness across it, as the axis turns with the joint  [N m/rad]
} ff_cone_slope;

typedef struct ff_implicit {
    // kept from step to step, and saved
    double *mean;    // mean acceleration of the last step  (nv)
    double *jerk;    // its distance from the acceleration at the start of that step, by the length of the step  (nv)
    double rate;     // at which it converges; 1: not known
    int active_last; // contacts and stops when the rate was measured
    int *counts;     // states of parts that the error control looks at: all but speeds   (ncount)
    int ncount;
    int own[2][2]; // states of parts but those of contacts, which follow from the motion: first and end of two ranges
    bool *stiff;   // parts whose states need an iteration of their own                 (npart)

    // factors, kept while nothing moves much, and saved
    bool factored;
    double factored_h;  // [s]
    double *factored_q; // (nq)
    double pose_lasts;  // how far the pose may move from there, by light axes of M  [m, rad]
    double lightest;    // inertia of the lightest axis by its entry of M, 0: not looked at yet
    bool ball_joints;   // a joint is one
    double *M, *LD;     // packed as ff_data.M  (nM)
    double *factored_S; // directions of motion, those of ff_data.S when A was made  (6*nv)
    ff_held_grip *held; // contacts in A, and how many  (most)
    int nheld;
    double slopes; // size of all slopes in A, and the contacts and stops they are of
    int slopes_of;

    // the step under way
    double t, h;                     // local time of its start, and its length  [s]
    double *v;                       // trial velocity                                                  (nv)
    double *q;                       // trial position                                                  (nq)
    double *z;                       // trial states of parts                                           (nz)
    double *zdot;                    // their rates                                                     (nz)
    double *zdot0;                   // at the start of the step                                        (nz)
    double *acc0;                    // acceleration at the start of the step                           (nv)
    bool started;                    // acc0, zdot0 and touched are those of the state: a try has been made from it
    double *driving;                 // forces of the drives there                                      (nv)
    double *seen;                    // velocity evaluated last                                         (nv)
    double *residual;                // inverse dynamics less forces                                    (nv)
    double *move;                    // Newton's change of v                                            (nv)
    double *stop_force, *stop_slope; // of stops: at `seen`, and h K + D, 0: none              (nv + ntendon)
    double *stop_stiffness;          // K of it                                                   (likewise)
    double *stop_unfelt;  // force of a stop met that moves nothing beside what the iteration leaves (likewise)
    ff_cone_slope *cones; // at the trial velocity                                               (ncone)
    int ncone;
    bool whole;                              // it goes by the whole slope of the contacts,
    double *rest;                            // of which what A leaves out acts on this change                  (nv)
    double *base;                            // v before it                                                     (nv)
    double *work;                            //                                                                 (nv)
    double *shift;                           // correction of v                                                 (nv)
    double *shift_q;                         // correction of q, velocity coordinates                           (nv)
    double *shift_z;                         //                                                                 (nz)
    double *follow_z;                        // what of it follows the correction of the joints                 (nz)
    double *stiffness, *damping;             // of joints, actuators and parts, positive               (nv)
    double *joint_stiffness, *joint_damping; // of these, that of the joints themselves    (nv)
    double *tau;                             // forces that do not depend on part states                        (nv)
    double *wrench, *applied; // the same                                                        (6*nnode)

    double *opening, *push; // of the loops: speed at which they open, multipliers times h  (rows of the loops)
    double pull;            // of the loops along `move`, over h

    // matrix
    double *A;                   // packed as M  (nM)
    double *twist;               // after each degree of freedom: angular, linear; first that of the world  (6*(1 + nv))
    double *path;                // columns of Jacobians on the ways to the root: 3 * longest       (12*longest)
    const ff_part_slot *coupled; // the part that couples bodies, NULL: none
    const ff_coupling *coupling; // its functions
    double *unit;                // speed at contacts in whose units the accuracy counts  [m/s]    (ntree)
    ff_grip_slope *grips;        // its points at the trial velocity
    int ngrip;
    ff_islands *islands;
    ff_krylov *krylov;
    ff_strings *strings; // NULL: there are no tendons and no lines of parts
    double *right;       // copy of a right-hand side                                (nv)
    ff_part_rub *rubs;   // dry friction of parts                                     (nrub)
    int nrub;
    int *dry; // what has dry friction: joints and tendons, from dry_parts on parts         (ndry)
    int ndry, dry_parts;

    // Jacobians of stiff parts: I - h dzdot/dz, factored
    double **part_matrix;
    int **part_pivot;
    bool *part_ready; // for this step

    // results of the last try
    int worst;           // degree of freedom that moved most in the last iteration
    int slow_part;       // whose states did not settle at the last evaluation, -1: none
    double error;        // of the step, in units of the accuracy
    bool corrected;      // the second-order correction was applied
    bool lifts;          // a point that was in touch at the start is open at the end,
    bool leaves;         // and the correction knows for how long
    double late[2];      // powers of heat of points in touch for a part of the step, times the rest of it  [W]
    bool stops_met;      // some joint touches a stop at the start or at the end of the step
    bool stops_resolved; // by the length of the step, all that joints touch
    bool stops_by_work;  // their heat is that of the work of their forces, not of the powers at the ends of the step
    bool stops_last;     // those that are not resolved, and felt, are neither met nor left in the step
    double stop_power;   // heat in stops at the start of the step, where it goes by work  [W]
    unsigned stops;      // a hash of the stops that push at the trial velocity
    int active;          // the same with the contacts
    bool fallback;       // the step under way is a piece of one that did not converge
    bool shortest;       // there is no shorter one
    bool strict;         // the iteration goes on until speeds at contacts are exact beside the accuracy
} ff_implicit;

/// Where a try ended.
/// SLOW: no convergence; BAD: forces not finite; STOPPED: by ff_stop, which every round asks.
typedef enum ff_try { FF_TRY_OK, FF_TRY_SLOW, FF_TRY_BAD, FF_TRY_STOPPED } ff_try;

/// Carves everything from the arena of the simulation.
ff_status ff_implicit_create(ff_sim *sim, ff_error *err);
/// Forgets the past of the motion.
void ff_implicit_forget(ff_sim *sim);
/// Largest change of a velocity that counts as none in the step under way.
double ff_implicit_closeness(const ff_sim *sim);
/// One try from sim->x over h: the proposal goes to in.trial.
ff_try ff_implicit_try(ff_sim *sim, double t, double h);

// implicit_grips.c
/// The unit of each tree, sqrt(g l) with the height l of its centre of mass above that of its lowest part in the
/// reference pose: the speed of a robot that has fallen over, and the one that makes speeds of walking comparable
/// (R. M. Alexander, 1984: Froude number). Never below FF_IMPLICIT_SPEED. @return false when out of memory
bool ff_implicit_units(ff_sim *sim);
/// What the change of velocity of the last ff_implicit_held_twists takes from the force of point k, by the slope that A
/// has of it.  [N]
void ff_implicit_contact_resist(const ff_sim *sim, int k, double out[3]);
/// What Newton's last change makes of the contacts -> resisted, missed, lost_normal, lost_friction,
/// slides, gripped.
void ff_implicit_contact_change(ff_sim *sim);
/// Is the force of each that the step does not resolve known after that change?
bool ff_implicit_contacts_hold(const ff_sim *sim);
/// Is there a contact at the end of the step that this does not resolve? Needs the factors of A.
bool ff_implicit_too_hard(const ff_sim *sim);
/// Heat along the normals and by friction in a step to the state x that is not corrected. Uses im->work.  [J]
void ff_implicit_contact_heat(ff_sim *sim, const double *x, double heat[2]);
/// Puts the heat of friction at points that slide on stiff springs right in a corrected step to the state x.
void ff_implicit_contact_rub(const ff_sim *sim, double *x);
/// Does that change press a point that is apart into something hard? After ff_implicit_contact_change.
bool ff_implicit_strikes(const ff_sim *sim);
/// Are all contacts slow enough for the step, and none of them ends in it? Needs the factors of A, and the velocities
/// of the points: with error control by the correction, in a fixed step by v0 - v.
bool ff_implicit_resolved(const ff_sim *sim);
/// tau -= factor K v for the stiffness K of the contacts, and with error control what those that are in touch for a
/// part of the step push too long -> lifts, leaves, late. Uses d->wrench.
void ff_implicit_contact_pull(ff_sim *sim, const double *v, double factor, double *tau);
/// Largest speed of the correction of one body against the other at a contact, or what the spring of one makes of the
/// correction of its place; largest of all its speeds where a point lifts off in this step. In units of the trees, at a
/// contact of the smaller. Needs the velocities of the points by it.
double ff_implicit_contact_speed(const ff_sim *sim);
/// tau += h J' (G' - G) J v: what the matrix leaves out of the slope G' of the contacts. Uses d->wrench.
void ff_implicit_contact_rest(ff_sim *sim, const double *v, double *tau);

// implicit_stops.c
/// Force and slope of a stop that a scalar joint touches at the start or at the end of the step.
void ff_stop_slope(const ff_sim *sim, const ff_joint *joint);
/// The same of a ball joint that touches its cone.
void ff_cone_stop_slope(const ff_sim *sim, const ff_joint *joint);
/// Adds h D + h^2 K of the cones to A.
void ff_cones_assemble(const ff_sim *sim);
/// Size of what they add.
double ff_cones_slope_sum(const ff_sim *sim);
/// tau -= factor K v for the stiffness K of the cones.
void ff_cones_pull(const ff_sim *sim, const double *v, double factor, double *tau);
/// The same of a tendon, where it touches one.
void ff_tendon_stop_slope(const ff_sim *sim, int tendon);
/// tau += factor times what the speeds at the end of the step add to the forces of stops beside the mean speeds.
void ff_stops_late(const ff_sim *sim, double factor, double *tau);
/// Do the same stops push after Newton's change as before it? Otherwise their slopes say nothing about the force there.
bool ff_stops_hold(const ff_sim *sim);
/// Does the step resolve the stops that joints touch? Needs the factors of A. Where it does not, or meets one, the heat
/// of stops is taken out of the powers at the ends of the step, and ff_stops_loss gives it.
void ff_stops_judge(ff_sim *sim);
/// Do joints only rest on stops that are not resolved?
bool ff_stops_quiet(const ff_sim *sim);
/// Heat in the stops over the step to the state x.  [J]
double ff_stops_loss(const ff_sim *sim, const double *x);

// Dry friction of joints, of tendons and of parts (implicit_dry.c).
bool ff_dry_friction_create(ff_sim *sim);
/// Is it at the velocity that was evaluated what it is at the one Newton's change leads to?
bool ff_dry_friction_holds(const ff_sim *sim);
/// Does Newton's change leave the torques between rotors and their joints what they are, beside the friction of the
/// rotors? A change that hardly moves a joint is much torque on a stiff spring: friction of 20 N m on a rotor drove a
/// wheel of 1 kg m^2 behind a spring of 1e5 N m/rad at an accuracy of 1e-2.
bool ff_dry_springs_hold(const ff_sim *sim);
/// Adds to a ledger its heat along the way of a step from v0, less the trapezoid of its powers: the force that moved
/// the carrier, times its mean velocity. In a corrected step the correction d makes that force the mean (f0 + f1) / 2 +
/// J d of the forces; otherwise, and for rotors, it is the one at the end. What comes to rest has all its power at the
/// start. Where a step that turns a carrier round lets friction push it along, there is no heat: that energy is an
/// error of the step, and stays in the residual.  [J]
void ff_dry_friction_heat(const ff_sim *sim, const double *v0, double *ledger);

// implicit_tendons.c: all but the first do nothing where there are no tendons and lines, or are called only where there
// are; those that name a tendon are about tendons alone
bool ff_strings_create(ff_sim *sim);
/// Lengths and speeds at the start of the step, which data shows.
void ff_strings_start(const ff_sim *sim);
double ff_strings_start_length(const ff_sim *sim, int tendon);
double ff_strings_start_speed(const ff_sim *sim, int tendon);
/// Slopes of the passive forces along the tendons at the trial velocity.
void ff_strings_slopes(const ff_sim *sim);
/// Adds slopes of a force along a tendon; `drive`: one that does work.
void ff_strings_add(const ff_sim *sim, int tendon, double stiffness, double damping);
void ff_strings_drive(const ff_sim *sim, int tendon, double stiffness, double damping);
/// Levers and slopes of the lines of parts at the trial velocity, behind the evaluation of the parts.
void ff_strings_find_lines(const ff_sim *sim);
double ff_strings_slope_sum(const ff_sim *sim);
/// Factors of what tendons add to A; `solve` is x = A^-1 x without it. @return false when not positive
bool ff_strings_factor(ff_sim *sim, void (*solve)(ff_sim *sim, double *x));
/// Takes x = A^-1 b without tendons to that with them.
void ff_strings_solve(const ff_sim *sim, double *x);
/// r A^-1 r' of the levers r of a tendon.  [1/kg]
double ff_strings_mobility(ff_sim *sim, int tendon);
/// tau -= factor K v for the stiffness K of the tendons.
void ff_strings_pull(const ff_sim *sim, const double *v, double factor, double *tau);
/// Power at the velocity v of what a correction by `moved` and `faster` changes in the forces of actuators.  [W]
double ff_strings_work(const ff_sim *sim, const double *moved, const double *faster, const double *v);

// implicit_forces.c
/// Forces, acceleration and rates of part states at the start of the step -> acc0, zdot0.
bool ff_implicit_start(ff_sim *sim);
/// Residual at the velocity im->v, slopes of all forces. @return false when it is not finite
bool ff_implicit_evaluate(ff_sim *sim);
/// Solves (I - h dzdot/dz) x = x for a part; a part that is not stiff has the identity.
void ff_implicit_part_solve(const ff_implicit *im, const ff_part_slot *slot, int part, double *x);

// implicit_matrix.c
bool ff_implicit_matrix_create(ff_sim *sim);
/// A at the pose and slopes evaluated last, and its factors; `mass` computes M first. @return false when not positive
bool ff_implicit_factor(ff_sim *sim, bool mass);
/// Do the factors still fit the slopes evaluated last?
bool ff_implicit_matrix_fits(const ff_sim *sim);
/// The same at the first round of a step: also for its length and pose.
bool ff_implicit_matrix_lasts(const ff_sim *sim);
/// Does M alone still fit the pose?
bool ff_implicit_mass_lasts(const ff_sim *sim);
/// y = M x.
void ff_implicit_mass_mul(const ff_sim *sim, const double *x, double *y);
/// x = A^-1 x.
void ff_implicit_solve(ff_sim *sim, double *x);
/// Velocities of all bodies for the generalised velocity v -> twist.
void ff_implicit_twists(const ff_sim *sim, const double *v);
/// The same for the pose at which A was made. A keeps a contact at the place it had then: beside concrete, which holds
/// as if it weighed tons, a point 1 mm off is another force.
void ff_implicit_held_twists(const ff_sim *sim, const double *v);
/// The same for the points alone -> linear and angular of the grips; nothing where there are none.
void ff_implicit_grip_velocities(const ff_sim *sim, const double *v);
/// Velocity of the point of `grip` on body 2 against body 1 for the last of these.
void ff_grip_velocity(const ff_sim *sim, const ff_grip_slope *grip, double linear[3], double angular[3]);
/// That of point k where A has it.
void ff_held_velocity(const ff_sim *sim, int k, double linear[3]);
/// Diagonal of A^-1 at one degree of freedom.  [1/kg, 1/(kg m^2)]
double ff_implicit_mobility(const ff_sim *sim, int dof);
/// The same of a ball joint about an axis of its three speeds.  [1/(kg m^2)]
double ff_implicit_turning_mobility(const ff_sim *sim, int vadr, const double axis[3]);

/// One side of a contact: its way to the root with the columns of J.
typedef struct ff_side {
    const int *dofs; // root first
    int count;
    double *linear, *angular; // (3*count)
} ff_side;
/// @param memory  6 numbers a degree of freedom on the way
ff_side ff_side_make(const ff_sim *sim, int node, const double arm[3], double *memory);

// implicit_island.c
bool ff_islands_create(ff_sim *sim);
/// Finds the islands of the grips in A, and factors their matrices. A and its packed factors are ready.
bool ff_islands_factor(ff_sim *sim);
/// Replaces the part of x = A^-1 b that belongs to islands.
void ff_islands_solve(const ff_sim *sim, const double *b, double *x);
/// An island is too large for factors. x = A^-1 x is then found by conjugate gradients.
bool ff_islands_large(const ff_sim *sim);
void ff_islands_iterate(const ff_sim *sim, double *x);
bool ff_islands_any(const ff_sim *sim);

// implicit_krylov.c
bool ff_krylov_create(ff_sim *sim);
/// Takes x = A^-1 b to (A + E)^-1 b, E being what A leaves out of the slopes of contacts.
void ff_krylov_improve(ff_sim *sim, double *x);

#endif
