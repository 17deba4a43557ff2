// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of the implicit method, shared by its files. A step is the table of contents in step.c; each stage is a file:
//     step.c          one step: its stages in their order; predict, correct, propose and commit
//     linearise.c     linearise: the residual of a trial velocity, and the slopes of all forces there
//     matrix.c        linearise, solve: A = M + h D + h^2 K along the branches of the trees, and its factors
//     jacobian.c      Jacobians and velocities of contact points
//     newton.c        solve, limit: Newton's change of the velocity, how much of it is taken, when it is small enough
//     energy.c        what an accepted step adds to the energy ledger
// Forces that have slopes of their own:
//     contacts.c      points of contact
//     stops.c         stops of joints and tendons
//     dry_friction.c  dry friction of joints, tendons and drives
//     lines.c         tendons and springs of parts, which may couple any branches
//     islands.c       trees that touch each other
// Around the step:
//     create.c        memory, what of it is saved with a simulation and undone with a step
//     method.c        steps of fixed length with their fallback, steps by error control
#ifndef FOOTFALL_ENGINE_IMPLICIT_H
#define FOOTFALL_ENGINE_IMPLICIT_H

#include "engine/system.h"

#include <math.h>
#include <string.h>

/// A step resolves a contact or stop whose half period is at least ten steps: (h omega)^2 <= (pi / 10)^2.
#define FF_IMPLICIT_RESOLVED 0.0986960440108936

/// With error control, the speed error that is allowed at contacts is the accuracy times this speed: sqrt(g l) of a
/// body that stands l = 0.1 m high. Larger trees have greater speeds of their own (ff_step_contacts.unit).  [m/s]
#define FF_IMPLICIT_SPEED 1.0

/// With error control, the position error that is allowed is the accuracy times this length or angle.  [m, rad]
#define FF_IMPLICIT_LENGTH 0.1

/// With error control, the iteration may leave a speed error of the accuracy times this speed at a contact that the
/// step does not resolve, and everywhere in a strict step.  [m/s]
#define FF_IMPLICIT_STRICT 0.1

/// With error control, a coordinate may move by this much before the matrix is computed again.  [m, rad]
#define FF_IMPLICIT_POSE_TOLERANCE 2e-2

typedef struct ff_islands ff_islands;
typedef struct ff_krylov ff_krylov;
typedef struct ff_lines ff_lines;

/// The motion of the last step, from which the next one is predicted. Saved.
typedef struct ff_history {
    double *acceleration; // mean over the step                                                                (nv)
    double *jerk; // distance of that from the acceleration at the start of the step, by the length of the step (nv)
} ff_history;

/// The state a step starts from.
typedef struct ff_step_start {
    bool ready;                           // all below is that of the present state: a try has been made from it
    double *acceleration;                 //                                                    (nv)
    double *zdot;                         // rates of the states of parts, powers of the ledger (nz + nquad)
    double *driving;                      // forces of the drives                               (nv)
    double *tendon_length, *tendon_speed; //                                    (ntendon)
} ff_step_start;

/// Newton's iteration for the velocity at the end of the step.
typedef struct ff_iterate {
    double *v;             // trial velocity                                       (nv)
    double *q;             // position it leads to                                 (nq)
    double *z;             // states of parts it leads to                          (nz)
    double *zdot;          // their rates, and powers of the ledger                (nz + nquad)
    double *evaluated_v;   // velocity of the last evaluation                      (nv)
    double *residual;      // inverse dynamics less forces                         (nv)
    double *change;        // Newton's change of v                                 (nv)
    double *base_v;        // v before it                                          (nv)
    double *matrix_change; // change by A alone, beside one by the whole slope     (nv)
    double *motion;        // mean velocity of the step, with its correction       (nv)
    // forces without those of the part whose states are being solved for
    double *tau;               // (nv)
    double *wrench, *applied;  // (6*nnode)
    bool whole_slope;          // the change goes by the whole slope of the contacts,
    double *krylov_change;     // of which what A leaves out acts on this change  (nv)
    double *loop_speed;        // at which the loops of the model open           (rows of the loops)
    double *loop_impulse;      // multipliers times h                            (likewise)
    double loop_slope;         // work of the loops along the change, over h
    double size;               // of the last change
    double rate;               // at which it converges; 1: not known. Saved
    int active, active_before; // hash of contacts and stops that push; the same when the rate was measured, saved
    int worst;                 // degree of freedom that moved most in the last round
    int slow_part;             // whose states did not settle at the last evaluation, -1: none
} ff_iterate;

/// Slopes -dtau/dq and -dtau/dv of forces at the trial velocity, diagonal and positive.
typedef struct ff_joint_slopes {
    double *stiffness, *damping;                 // of joints, actuators and parts     (nv)
    double *passive_stiffness, *passive_damping; // of these, that of the joints alone (nv)
} ff_joint_slopes;

/// Slope of the cone of a ball joint that pushes, on the three speeds of the joint.
typedef struct ff_cone_slope {
    int vadr;
    double axis[3];
    double stiffness, damping; // along the axis  [N m/rad], [N m s/rad]
    double across;             // stiffness across it, as the axis turns with the joint  [N m/rad]
} ff_cone_slope;

/// Stops of joints and tendons. Arrays: degrees of freedom, then tendons  (nv + ntendon)
typedef struct ff_stops {
    double *force;     // at the velocity evaluated last
    double *slope;     // h K + D there, 0: none
    double *stiffness; // K there
    double *tolerance; // force of a stop that moves nothing beside what the iteration leaves
    ff_cone_slope *cones;
    int ncone;
    unsigned pushing; // a hash of the stops that push at the trial velocity
    bool touched;     // some joint touches a stop at the start or at the end of the step
    bool resolved;    // by the length of the step, all that joints touch
    bool lasting;     // those that are not resolved, and push, are neither met nor left in the step
    bool by_work;     // their heat is that of the work of their forces, not of the powers at the ends of the step
    double start_power, end_power; // heat at the ends of the step that powers there have, where it goes by work  [W]
} ff_stops;

/// Dry friction of a part: number k of those that it has.
typedef struct ff_part_friction {
    const ff_part_slot *slot;
    int k;
} ff_part_friction;

/// What has dry friction: joints and tendons, then parts.
typedef struct ff_dry {
    ff_part_friction *parts; // (npart)
    int npart;
    int *carriers; // (ncarrier)
    int ncarrier, first_part;
} ff_dry;

/// A contact as A has it. Numbers alone: it is saved as such.
typedef struct ff_factored_contact {
    double slope[9];         // h G of its force  [N s^2/m]
    double arm1[3], arm2[3]; // from the origin of the node's tree  [m]
    double mobility;         // along its normal, by all but itself  [1/kg]
} ff_factored_contact;

/// A = M + h D + h^2 K and its factors, which are kept while nothing moves much. Saved, but for the work space.
typedef struct ff_factors {
    bool valid;
    double h;                      // length of the step they were made for  [s]
    double *q;                     // pose they were made at  (nq)
    double pose_tolerance;         // how far the pose may move from there, by light axes of M  [m, rad]
    double lightest_axis;          // inertia of the lightest axis by its entry of M, 0: not computed yet
    double *M, *LD;                // packed as ff_data.M  (nM)
    double *S;                     // directions of motion, those of ff_data.S at that pose  (6*nv)
    ff_factored_contact *contacts; // in A  (most)
    int ncontact;                  // how many there are
    double slope_sum;              // size of all slopes in A,
    int active;                    // and the contacts and stops they are of, as ff_iterate.active

    // work space
    bool ball_joints;   // a joint is one
    double *A;          // packed as M  (nM)
    double *twist;      // after each degree of freedom: angular, linear; first that of the world  (6*(1 + nv))
    double *path;       // columns of Jacobians on the paths to the root: 3 * longest              (12*longest)
    double *right_side; // copy of a right-hand side                                               (nv)
} ff_factors;

/// The second-order correction of the end of the step.
typedef struct ff_correction {
    bool applied;
    double *v;    //                                                       (nv)
    double *q;    // in velocity coordinates                               (nv)
    double *z;    // of states of parts and of powers of the ledger        (nz + nquad)
    double error; // of the step, in units of the accuracy
    // contact points
    bool separates;        // a point that was in touch at the start is open at the end,
    bool separation_known; // and the correction knows for how long
    double absent_loss[2]; // powers of heat of points in touch for a part of the step, times the rest of it  [W]
} ff_correction;

/// A point in touch at the start of the step.
typedef struct ff_contact_start {
    uint64_t step;              // ff_step_contacts.step that it belongs to
    double depth, opening;      // [m], [m/s]
    double force[3], moment[3]; // [N], [N m]
    double lost[2];             // heat along the normal and by friction  [W]
    bool slides;                // at the limit of its friction
    double spring_power;        // that goes into its springs  [W]
} ff_contact_start;

/// A point in touch at the trial velocity, and the slope of its force by the motion of body 2 against body 1, made
/// symmetric and positive:  -dF = by_velocity du + by_place u dt,  and the same for the moment.
typedef struct ff_step_point {
    ff_touch *touch;
    const ff_contact_start *start; // NULL: it was not in touch
    double normal[3];
    double by_depth;     // normal part of `place_slope`  [N/m]
    double ahead;        // time by which its springs are taken along  [s]
    double since;        // mean force over the step by half that at its end; 1 where it was in touch at the start
    double part, let_in; // of a point that is being let in: part of its force, and how it grows with depth  [1], [1/m]
    int node1, node2;    // -1: fixed to the world
    double arm1[3], arm2[3];         // from the origin of the node's tree  [m]
    double slope[9], place_slope[9]; // by_velocity + h by_place; by_place      [N s/m], [N/m]
    // by ff_contacts_correct
    double corrected[3];           // place_slope times the velocity at the start less that at the end  [N/s]
    double closing_before;         // closing speed that the velocity at the start of the step has at this pose  [m/s]
    double correction_velocity[3]; // of body 2 against body 1 by correction.v, by find_correction_velocities  [m/s]
    // Newton's last change, after which forces are not evaluated again:
    double drop[3];                    // what it takes from the force by the slope of the law  [N]
    double missed;                     // distance of what is left from the law there  [N]
    double lost_normal, lost_friction; // heat there  [W]
    bool slides;                       // at the limit of its friction there
    double spring_power;               // that goes into its springs there  [W]
    double elastic_normal;             // stored there  [J]
    // The same as `slope` and `place_slope` for spin and turn; last, as they are often zero and need not be fetched
    // then.
    bool turns;
    double spin_slope[9], turn_slope[9]; // [N m s/rad], [N m/rad]
} ff_step_point;

/// The part that has contacts, and its points at the trial velocity.
typedef struct ff_step_contacts {
    const ff_part_slot *slot;              // NULL: none
    const ff_contact_interface *interface; // its functions
    double *unit;                          // speed at contacts in whose units the accuracy counts  [m/s]    (ntree)
    ff_touch *touches;                     // all, near ones too  (ntouch)
    int ntouch;
    ff_step_point *points; // those in touch  (interface->most)
    int count;
    uint64_t step;            // counts the states that steps start from
    ff_contact_start *starts; // of points in touch at the start, by ff_touch.slot  (interface->remembered)
    int nstart;
    double stored; // along the normals then  [J]
} ff_step_contacts;

/// States of the parts.
typedef struct ff_step_parts {
    int *measured; // states whose error counts: all but speeds   (nmeasured)
    int nmeasured;
    int ranges[2][2];  // states of parts but those of contacts, which follow from the motion: first and end of two
    bool *stiff;       // parts whose states need an iteration of their own (npart). Saved
    double **jacobian; // I - h dzdot/dz of these, factored                 (npart)
    int **pivot;       //                                                   (npart)
    bool *ready;       // the Jacobian is that of this step                 (npart)
    // work space of one part at a time
    double *change;     // change of its states                             (nz)
    double *moved_rate; // rates of its states with one of them moved       (nz)
} ff_step_parts;

typedef struct ff_implicit {
    double t, h;   // local time of the start of the step, and its length  [s]
    bool fallback; // the step under way is a piece of one that did not converge
    bool shortest; // there is no shorter one
    bool strict;   // the iteration goes on until speeds at contacts are exact beside the accuracy

    ff_history history;
    ff_step_start start;
    ff_iterate iterate;
    ff_factors factors;
    ff_correction correction;

    ff_joint_slopes slopes;
    ff_step_contacts contacts;
    ff_stops stops;
    ff_dry dry;
    ff_step_parts parts;
    ff_lines *lines; // NULL: there are no tendons and no lines of parts
    ff_islands *islands;
    ff_krylov *krylov;
    double *work; // of one function at a time  (nv)
} ff_implicit;

/// Velocity tolerance of a fixed step: 1e-9, and 1e-7 of the largest velocity. That is well below the error of the
/// method for steps above some 1e-5 s, and well above rounding.
static inline double ff_tolerance_fixed(const ff_sim *sim)
{
    double speed = 0.0;
    for (int i = 0; i < sim->nv; i++) speed = ff_max(speed, fabs(sim->implicit->iterate.v[i]));
    return 1e-9 + 1e-7 * speed;
}
/// Velocity tolerance of this step, given that of a fixed one: with error control 2 % of the error that is allowed.
static inline double ff_tolerance_of(const ff_sim *sim, double fixed)
{
    const ff_implicit *im = sim->implicit;
    if (!(sim->options.accuracy > 0.0)) return fixed;
    const double by_place = 0.02 * FF_IMPLICIT_LENGTH * sim->options.accuracy / im->h;
    const double by_speed = im->strict ? FF_IMPLICIT_STRICT * sim->options.accuracy : INFINITY;
    return ff_max(fixed, ff_min(by_place, by_speed));
}
/// Velocity tolerance of this step.
static inline double ff_implicit_tolerance(const ff_sim *sim)
{
    return ff_tolerance_of(sim, ff_tolerance_fixed(sim));
}

static inline double ff_dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/// How a stage, and a try, ended.
/// MORE: a round that has not found the velocity; SLOW: no convergence; BAD: forces not finite; STOPPED: by ff_stop,
/// which is checked in every round.
typedef enum ff_try { FF_TRY_OK, FF_TRY_MORE, FF_TRY_SLOW, FF_TRY_BAD, FF_TRY_STOPPED } ff_try;

// step.c
/// One try from sim->x over h. The state that it proposes goes to in.trial; sim->x stays.
ff_try ff_implicit_try(ff_sim *sim, double t, double h);
/// The proposed state becomes sim->x, with its integrals and the memory of contacts.
void ff_implicit_commit(ff_sim *sim);

// create.c
/// Carves everything from the arena of the simulation.
ff_status ff_implicit_create(ff_sim *sim, ff_error *err);
/// Forgets the past of the motion.
void ff_implicit_forget(ff_sim *sim);
/// ff_method_ops.transfer.
void ff_implicit_transfer(ff_sim *sim, struct ff_archive *archive, ff_undo_list list);

// linearise.c
/// Residual at the velocity iterate.v, slopes of all forces. @return false when it is not finite
bool ff_implicit_evaluate(ff_sim *sim);
/// ff_method_ops.add_slope.
void ff_implicit_add_slope(ff_sim *sim, int dof, int tendon, double stiffness, double damping);
/// Solves (I - h dzdot/dz) x = x for a part; a part that is not stiff has the identity.
void ff_implicit_part_solve(const ff_implicit *im, const ff_part_slot *slot, int part, double *x);
/// States of a part follow a change of the motion of the joints. @return their changes, valid until the next call
const double *ff_implicit_part_follow(ff_sim *sim, int part, const double *moved, const double *faster);

// newton.c
/// Memory for the whole slope of the contacts.
bool ff_krylov_create(ff_sim *sim);
/// Residual, slopes and factors at the velocity to begin with.
ff_try ff_newton_begin(ff_sim *sim);
/// Newton's change of the velocity by the residual and the factors; OK: it was small enough, and is taken.
ff_try ff_newton_solve(ff_sim *sim, int round);
/// The velocity moves along the change, as far as that leads down; residual and slopes there.
ff_try ff_newton_limit(ff_sim *sim);
/// Factors that fit the slopes there, where the old ones do not.
ff_try ff_newton_linearise(ff_sim *sim);
/// After the last round: the velocity is found where a force that jumps leaves no balance, else the try is too slow.
ff_try ff_newton_end(ff_sim *sim);

// energy.c
/// Integrals of the ledger at the state x that is about to be accepted.
void ff_implicit_account(ff_sim *sim, double *x);

// contacts.c
/// The points in touch at the state that was evaluated last, at which a step starts.
void ff_contacts_start(ff_sim *sim);
/// Finds the points at the trial velocity, their forces and slopes.
void ff_contacts_linearise(ff_sim *sim);
/// What the points did in the accepted step, at the velocity iterate.motion -> ff_touch.result
void ff_contacts_finish(ff_sim *sim);
/// What Newton's last change makes of the contacts -> drop, missed, lost_normal, lost_friction,
/// slides, spring_power.
void ff_contacts_follow(ff_sim *sim);
/// Is the force of each that the step does not resolve known after that change?
bool ff_contacts_converged(const ff_sim *sim);
/// Is there a contact at the end of the step that this does not resolve? Needs the factors of A.
bool ff_contacts_too_stiff(const ff_sim *sim);
/// Does the last change press a point that is apart into a surface that stores more energy than the tolerance?
bool ff_contacts_penetrate(ff_sim *sim);
/// Are all contacts slow enough for the step, and none of them ends in it? Needs the factors of A and the correction;
/// with error control after ff_contacts_error.
bool ff_contacts_resolved(ff_sim *sim);
/// tau -= factor K v for the stiffness K of the contacts and the velocity v at the start of the step less that at its
/// end; with error control also what those that are in touch for a part of the step push too long -> corrected and
/// closing_before of the points; correction.separates, separation_known, absent_loss. Uses d->wrench.
void ff_contacts_correct(ff_sim *sim, const double *v, double factor, double *tau);
/// Largest speed of the correction of one body against the other at a contact, or what the spring of one makes of the
/// correction of its place; largest of all its speeds where a point lifts off in this step. In units of the trees, at a
/// contact of the smaller. After ff_contacts_correct -> correction_velocity of the points.
double ff_contacts_error(ff_sim *sim);
/// tau += h J' (G' - G) J v: what the matrix leaves out of the slope G' of the contacts. Uses d->wrench.
void ff_contacts_add_rest(ff_sim *sim, const double *v, double *tau);

// stops.c
/// Force and slope of a stop that a scalar or ball joint, or a tendon, touches at the start or at the end of the step.
void ff_stops_linearise_joint(ff_sim *sim, const ff_joint *joint);
void ff_stops_linearise_tendon(ff_sim *sim, int tendon);
/// Adds h D + h^2 K of the cones to A.
void ff_stops_assemble(ff_sim *sim);
/// Size of what they add.
double ff_stops_slope_sum(const ff_sim *sim);
/// tau -= factor K v for the stiffness K of the cones.
void ff_stops_correct(const ff_sim *sim, const double *v, double factor, double *tau);
/// tau += factor times what the speeds at the end of the step add to the forces of stops beside the mean speeds.
void ff_stops_add_late(const ff_sim *sim, double factor, double *tau);
/// Do the same stops push after Newton's change as before it? Otherwise their slopes say nothing about the force there.
bool ff_stops_converged(const ff_sim *sim);
/// Does the step resolve the stops that joints touch? Needs the factors of A. Where it does not, or meets one, the heat
/// of stops is taken out of the powers at the ends of the step, and ff_stops_heat gives it.
void ff_stops_classify(ff_sim *sim);
/// Do joints only rest on stops that are not resolved?
bool ff_stops_steady(const ff_sim *sim);
/// Heat in the stops over the step to the state x.  [J]
double ff_stops_heat(const ff_sim *sim, const double *x);

// dry_friction.c: of joints, of tendons and of parts
bool ff_dry_friction_create(ff_sim *sim);
/// Is it at the velocity that was evaluated what it is at the one Newton's change leads to?
bool ff_dry_friction_converged(const ff_sim *sim);
/// Does Newton's change leave the torques between rotors and their joints what they are, beside the friction of the
/// rotors? A change that hardly moves a joint is much torque on a stiff spring: friction of 20 N m on a rotor drove a
/// wheel of 1 kg m^2 behind a spring of 1e5 N m/rad at an accuracy of 1e-2.
bool ff_dry_springs_converged(const ff_sim *sim);
/// Adds to a ledger its heat along the way of a step from v0, less the trapezoid of its powers: the force that moved
/// the carrier, times its mean velocity. In a corrected step the correction d makes that force the mean (f0 + f1) / 2 +
/// J d of the forces; otherwise, and for rotors, it is the one at the end. What comes to rest has all its power at the
/// start. Where a step that turns a carrier round lets friction push it along, there is no heat: that energy is an
/// error of the step, and stays in the residual.  [J]
void ff_dry_friction_heat(const ff_sim *sim, const double *v0, double *ledger);

// lines.c: tendons and lines of parts. Without any, all but the first function do nothing or are not called. Functions
// that take the number of a tendon concern tendons alone.
bool ff_lines_create(ff_sim *sim);
/// Slopes of the passive forces along the tendons at the trial velocity.
void ff_lines_linearise(ff_sim *sim);
/// Adds slopes of a force along a tendon; `driven`: of an actuator, whose force does work.
void ff_lines_add(ff_sim *sim, int tendon, bool driven, double stiffness, double damping);
/// Levers and slopes of the lines of parts at the trial velocity, behind the evaluation of the parts.
void ff_lines_linearise_parts(ff_sim *sim);
double ff_lines_slope_sum(const ff_sim *sim);
/// Factors of what tendons add to A; `solve` is x = A^-1 x without it. @return false when not positive
bool ff_lines_factor(ff_sim *sim, void (*solve)(ff_sim *sim, double *x));
/// Takes x = A^-1 b without tendons to that with them.
void ff_lines_solve(ff_sim *sim, double *x);
/// r A^-1 r' of the levers r of a tendon.  [1/kg]
double ff_lines_mobility(ff_sim *sim, int tendon);
/// tau -= factor K v for the stiffness K of the tendons.
void ff_lines_correct(const ff_sim *sim, const double *v, double factor, double *tau);
/// Power at the velocity v of what a correction by `moved` and `faster` changes in the forces of actuators.  [W]
double ff_lines_work(const ff_sim *sim, const double *moved, const double *faster, const double *v);

// matrix.c
bool ff_factors_create(ff_sim *sim);
/// A at the pose and slopes evaluated last, and its factors; `mass` computes M first. @return false when not positive
bool ff_factors_make(ff_sim *sim, bool mass);
/// Do the factors still fit the slopes evaluated last?
bool ff_factors_fit(const ff_sim *sim);
/// The same at the first round of a step: also for its length and pose.
bool ff_factors_last(const ff_sim *sim);
/// Does M alone still fit the pose?
bool ff_factors_mass_lasts(const ff_sim *sim);
/// x = A^-1 x.
void ff_factors_solve(ff_sim *sim, double *x);
/// Diagonal of A^-1 at one degree of freedom.  [1/kg, 1/(kg m^2)]
double ff_factors_mobility(ff_sim *sim, int dof);
/// The same of a ball joint about an axis of its three speeds.  [1/(kg m^2)]
double ff_factors_turning_mobility(ff_sim *sim, int vadr, const double axis[3]);

// jacobian.c
/// Velocities of all bodies for the generalised velocity v -> twist.
void ff_implicit_twists(ff_sim *sim, const double *v);
/// The same for the pose at which A was made. A keeps a contact at the place it had then: beside concrete, which holds
/// as if it weighed tons, a point 1 mm off is another force.
void ff_factors_twists(ff_sim *sim, const double *v);
/// Velocity of `point` on body 2 against body 1 by the twists.  [m/s], [rad/s]
void ff_implicit_point_velocity(const ff_sim *sim, const ff_step_point *point, double linear[3], double angular[3]);
/// The same of point k where A has it.
void ff_factors_point_velocity(const ff_sim *sim, int k, double linear[3]);

/// One side of a contact: its way to the root with the columns of J.
typedef struct ff_side {
    const int *dofs; // root first
    int count;
    double *linear, *angular; // (3*count)
} ff_side;
/// @param memory  6 numbers a degree of freedom on the way
ff_side ff_side_make(const ff_sim *sim, int node, const double arm[3], double *memory);

// islands.c
bool ff_islands_create(ff_sim *sim);
/// Finds the islands of the contacts in A, and factors their matrices. A and its packed factors are ready.
bool ff_islands_factor(ff_sim *sim);
/// Replaces the part of x = A^-1 b that belongs to islands.
void ff_islands_solve(ff_sim *sim, const double *b, double *x);
/// An island is too large for factors. x = A^-1 x is then found by conjugate gradients.
bool ff_islands_large(const ff_sim *sim);
void ff_islands_iterate(ff_sim *sim, double *x);
bool ff_islands_any(const ff_sim *sim);

#endif
