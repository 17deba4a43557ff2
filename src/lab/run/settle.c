// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The static equilibrium of a robot. Its joints are locked; the unknowns are the height and the two tilts of its base.
// A foot at the depth p carries the normal force N(p), and friction makes the whole force of the foot vertical, so that
// no foot pulls against another,
//     F = N / (n . up) up,     possible while tan(n, up) <= mu,
//     sum F = weight,          moments about two horizontal axes = 0,
// where weight is that of the robot minus the part that joint springs on the base and gravcomp of MJCF carry.
// Pseudo-transient continuation,
//     (K + delta D) dx = r,
// solves these equations with a delta that decreases with the residual r. Far from balance the robot sinks and tips
// like a heavily damped one, into stable balance or over; close to balance it is Newton's method. The torques of the
// joints are then those of inverse dynamics.
//
// A robot without a free base settles along its degrees of freedom without a motor (rails, joints with a spring,
// pendulums) by the generalised forces there. A degree of freedom without any force keeps its position. A robot that
// stands on the ground has fallen over when it tilts too far; one that hangs or is held by springs may move up to its
// stops. An arm whose joints all have motors has no unknowns: its joints carry the torques of inverse dynamics.
#include "contact/laws.h"
#include "engine/system.h"
#include "run/assembly.h"
#include "world/world.h"

#include <footfall/linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP_DOWN    2e-3 // increment of the search for the ground  [m]
#define FARTHEST     2.0  // bound on that search  [m]
#define STEP_HEIGHT  2e-3 // largest change of height in an iteration  [m]
#define STEP_TILT    1e-2 // largest change of an angle in an iteration  [rad]
#define MOST_TILT    0.6  // a robot that has tilted farther from its start has fallen over  [rad]
#define ITERATIONS   2000
#define CLOSE        1e-11 // residual over weight at which the iteration ends
#define LEAST_WEIGHT 1e-6  // least share of its weight that the ground must carry
#define UNOPPOSED    1e-6  // stiffness over weight that is rounding of its differences  [1/m]

/// The robot that settles.
typedef struct settling {
    const ff_run *run;
    const ff_model *m;
    ff_data *d;
    const ff_scene_robot *robot;
    const ff_joint *base;     // NULL: an arm or a guided robot
    double *q, *trial;        // (nq)
    double *dx, *tau, *bias;  // (nv)
    double up[3], axes[2][3]; // unit vectors, world; axes are horizontal
    double weight, arm;       // [N]; length that scales moments and angles  [m]
    int touching;             // number of points in touch at the last evaluation
    bool stands;              // on the ground: it may fall over
    // Unknowns: of a free base its height, then its tilts times arm; else `dofs`, angles times arm.
    int n;                        // 0: an arm                                   (n <= nv)
    int *dofs;                    // (n)
    bool *turns;                  // whether the unknown is an angle             (n)
    int height;                   // index of the unknown that carries the weight, -1: none
    double upward;                // +1 or -1: its direction up
    double *x;                    // change of the unknowns                      (n)
    double *r, *r_plus, *r_minus; // residual; residuals of a central difference (n)
    double *moved;                // sum of all changes since the start          (n)
    double *K, *A;                // -dr/dx; a copy                              (n * n)
    int *pivots;                  // (n)
} settling;

// ------------------------------------------------------------------------------------------ forces

static bool is_of_robot(const settling *s, int body)
{
    return body >= 0 && s->m->bodies[body].node >= 0 &&
           ff_scene_owns(s->robot, s->m->nodes[s->m->bodies[body].node].vadr);
}

/// Force of a point on one of its bodies: vertical if friction allows that, along the normal between two bodies of the
/// robot (`inner`). `sign` is +1 for the second body.
static void point_force(const settling *s, const ff_touch *t, double sign, bool inner, double force[3])
{
    static const ff_contact_state untouched = {0};
    const ff_contact_point *p = &t->point;
    ff_contact_force f;
    ff_contact_evaluate(t->law, p, &untouched, &f, NULL);
    double rise = sign * ff_vec3_dot(p->normal, s->up);
    if (!inner && rise > 0.05 && t->law->friction.law != FF_FRICTION_NONE)
        ff_vec3_scale(force, s->up, f.normal / rise);
    else
        ff_vec3_scale(force, p->normal, sign * f.normal);
}

/// Computes contact forces on the robot at the position q, as wrenches and generalised forces, passive forces and bias.
static void evaluate(settling *s, const double *q)
{
    ff_data *d = s->d;
    static const double none[3] = {0, 0, 0};
    memcpy(d->q, q, (size_t)s->m->nq * sizeof *q);
    ff_dyn_clear_forces(s->m, d);
    ff_dyn_kinematics(s->m, d);
    ff_dyn_velocity(s->m, d);
    if (s->run->options.sim.passive) ff_dyn_passive(s->m, d);
    if (s->run->world) ff_world_find(s->run->world, d);
    const ff_touch *touches = s->run->world ? s->run->world->touches : NULL;
    const int count = s->run->world ? s->run->world->ntouch : 0;
    s->touching = 0;
    for (int i = 0; i < count; i++) {
        const ff_touch *t = &touches[i];
        const ff_world_shape *shapes = s->run->world->shapes;
        const int ends[2] = {shapes[t->shape1].body, shapes[t->shape2].body};
        const bool own[2] = {is_of_robot(s, ends[0]), is_of_robot(s, ends[1])};
        for (int k = 0; k < 2 && t->point.depth > 0.0; k++) {
            double force[3];
            if (!own[k]) continue;
            point_force(s, t, k ? 1.0 : -1.0, own[1 - k], force);
            ff_dyn_apply_force(s->m, d, ends[k], t->place, force, none);
            s->touching += own[0] != own[1];
        }
    }
    memset(s->tau, 0, (size_t)s->m->nv * sizeof *s->tau);
    ff_dyn_add_wrench_torque(s->m, d, s->tau);
    ff_dyn_inverse(s->m, d, q, d->v, NULL, s->bias);
}

/// Generalised forces along the unknowns of a robot without a free base: forces / weight, moments / (weight arm).
static void residual_of_dofs(const settling *s, double *r)
{
    for (int k = 0; k < s->n; k++) {
        const int dof = s->dofs[k];
        r[k] = (s->tau[dof] - s->bias[dof] + s->d->passive[dof]) / (s->turns[k] ? s->weight * s->arm : s->weight);
    }
}

/// Sum of all forces along the unknowns: lift / weight, moments / (weight arm).
static void residual(settling *s, const double *q, double *r)
{
    double force[3], moment[3], world[3], R[9];
    evaluate(s, q);
    if (!s->base) {
        residual_of_dofs(s, r);
        return;
    }
    const int at = s->base->vadr;
    for (int i = 0; i < 3; i++) {
        force[i] = s->tau[at + i] - s->bias[at + i] + s->d->passive[at + i];
        moment[i] = s->tau[at + 3 + i] - s->bias[at + 3 + i] + s->d->passive[at + 3 + i];
    }
    ff_quat_to_mat3(R, q + s->base->qadr + 3);
    ff_mat3_mulv(world, R, moment); // moments of a free joint are in the axes of the body
    r[0] = ff_vec3_dot(force, s->up) / s->weight;
    for (int k = 0; k < 2; k++) r[1 + k] = ff_vec3_dot(world, s->axes[k]) / (s->weight * s->arm);
}

/// dx of a free base at q: along up by x[0], about the horizontal axes by x[1 + k] / arm.
static void move_base(settling *s, const double *q, const double x[3])
{
    double turn[3], R[9];
    const int at = s->base->vadr;
    for (int i = 0; i < 3; i++) turn[i] = (x[1] * s->axes[0][i] + x[2] * s->axes[1][i]) / s->arm;
    ff_vec3_scale(s->dx + at, s->up, x[0]);
    ff_quat_to_mat3(R, q + s->base->qadr + 3);
    ff_mat3_tmulv(s->dx + at + 3, R, turn);
}

/// Moves q by the change x of the unknowns.
static void move(settling *s, const double *q, const double *x, double *out)
{
    memset(s->dx, 0, (size_t)s->m->nv * sizeof *s->dx);
    if (s->base)
        move_base(s, q, x);
    else
        for (int k = 0; k < s->n; k++) s->dx[s->dofs[k]] = s->turns[k] ? x[k] / s->arm : x[k];
    ff_dyn_advance(s->m, q, s->dx, 1.0, out);
}

// ------------------------------------------------------------------------------------------ down to the ground

static double lift_at(settling *s, double height)
{
    memset(s->x, 0, (size_t)s->n * sizeof *s->x);
    s->x[s->height] = s->upward * height;
    move(s, s->q, s->x, s->trial);
    residual(s, s->trial, s->r);
    return s->upward * s->r[s->height];
}

/// Moves the robot up or down until the ground carries its weight. @return false if there is no ground
static bool find_ground(settling *s)
{
    double low = 0.0, high = 0.0;
    if (lift_at(s, 0.0) < 0.0) {
        do {
            high = low;
            low -= STEP_DOWN;
            if (low < -FARTHEST || ff_stop_asked()) return false;
        } while (lift_at(s, low) < 0.0);
    } else {
        do {
            low = high;
            high += STEP_DOWN;
            if (high > FARTHEST || ff_stop_asked()) return false;
        } while (!(lift_at(s, high) < 0.0));
    }
    for (int i = 0; i < 50; i++) {
        double middle = 0.5 * (low + high);
        if (lift_at(s, middle) < 0.0)
            high = middle;
        else
            low = middle;
    }
    lift_at(s, low);
    memcpy(s->q, s->trial, (size_t)s->m->nq * sizeof *s->q);
    s->moved[s->height] = s->upward * low;
    s->stands = s->base || s->touching > 0;
    return true;
}

// ------------------------------------------------------------------------------------------ balance

/// K = -dr/dx by central differences. Forces are smooth functions of the depth, so a short difference is accurate.
static void stiffness(settling *s)
{
    const double h = 1e-8;
    memset(s->x, 0, (size_t)s->n * sizeof *s->x);
    for (int k = 0; k < s->n; k++) {
        s->x[k] = h;
        move(s, s->q, s->x, s->trial);
        residual(s, s->trial, s->r_plus);
        s->x[k] = -h;
        move(s, s->q, s->x, s->trial);
        residual(s, s->trial, s->r_minus);
        s->x[k] = 0.0;
        for (int i = 0; i < s->n; i++) s->K[s->n * i + k] = (s->r_minus[i] - s->r_plus[i]) / (2.0 * h);
    }
}

static double size_of(const double *r, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += r[i] * r[i];
    return sqrt(sum);
}

/// The largest stiffness along an unknown, at least 1.
static double scale_of(const settling *s)
{
    double scale = 1.0;
    for (int k = 0; k < s->n; k++) scale = ff_max(scale, fabs(s->K[(s->n + 1) * k]));
    return scale;
}

/// Holds the unknowns without any force, now or after a small motion.
static void hold_unopposed(settling *s)
{
    const double scale = scale_of(s);
    for (int k = 0; k < s->n; k++) {
        double most = 0.0;
        for (int i = 0; i < s->n; i++) most = ff_max(most, fabs(s->K[s->n * k + i]));
        if (fabs(s->r[k]) > 0.1 * CLOSE || most > UNOPPOSED) continue;
        for (int i = 0; i < s->n; i++) s->K[s->n * k + i] = s->K[s->n * i + k] = 0.0;
        s->K[(s->n + 1) * k] = scale;
    }
}

/// One step of the continuation. @return false if the matrix is singular with this delta
static bool step(settling *s, double delta)
{
    const int n = s->n;
    double most = 1.0;
    const double scale = scale_of(s);
    memcpy(s->A, s->K, (size_t)(n * n) * sizeof *s->A);
    for (int i = 0; i < n; i++) s->A[(n + 1) * i] += delta * scale;
    memcpy(s->x, s->r, (size_t)n * sizeof *s->x);
    if (!ff_lu_factor(s->A, s->pivots, n)) return false;
    ff_lu_solve(s->A, s->pivots, n, s->x);
    for (int k = 0; k < n; k++)
        most = ff_max(most, s->turns[k] ? fabs(s->x[k]) / s->arm / STEP_TILT : fabs(s->x[k]) / STEP_HEIGHT);
    for (int k = 0; k < n; k++) {
        s->x[k] *= 1.0 / most;
        s->moved[k] += s->x[k];
    }
    move(s, s->q, s->x, s->q);
    return true;
}

/// Index of the unknown by which the robot has fallen over, -1: none.
static int fallen(const settling *s)
{
    for (int k = 0; k < s->n && s->stands; k++)
        if (s->turns[k] && fabs(s->moved[k]) > MOST_TILT * s->arm) return k;
    return -1;
}

static void linearise(settling *s)
{
    stiffness(s);
    if (!s->base) hold_unopposed(s);
}

static bool iterate(settling *s)
{
    double delta = 1.0;
    residual(s, s->q, s->r);
    for (int n = 0; n < ITERATIONS && size_of(s->r, s->n) > CLOSE && !ff_stop_asked(); n++) {
        const double before = size_of(s->r, s->n);
        linearise(s);
        if (!step(s, delta)) {
            delta = ff_max(10.0 * delta, 1e-6);
            continue;
        }
        residual(s, s->q, s->r);
        delta = ff_min(ff_max(delta * size_of(s->r, s->n) / before, 1e-12), 1.0);
        if (fallen(s) >= 0) return false;
    }
    linearise(s);
    return size_of(s->r, s->n) <= CLOSE * 100.0;
}

/// Does the robot return after a small push? Then the symmetric part of K is positive definite.
static bool is_stable(settling *s)
{
    const int n = s->n;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) s->A[n * i + k] = 0.5 * (s->K[n * i + k] + s->K[n * k + i]);
    return ff_cholesky_factor(s->A, n);
}

// ------------------------------------------------------------------------------------------ one robot

static bool has_motor(const ff_model *m, int joint)
{
    for (int k = 0; k < m->nactuator; k++)
        if (m->actuators[k].joint == joint) return true;
    return false;
}

static bool is_slide(const ff_model *m, int dof)
{
    const ff_joint *joint = &m->joints[m->dof_joint[dof]];
    return joint->type == FF_JOINT_SLIDE || (joint->type == FF_JOINT_PLANAR && dof < joint->vadr + 2);
}

/// Has the robot loops or couplings? Their forces are not part of the balance here.
static bool has_loops(const settling *s)
{
    const ff_loops *l = s->run->sim->loops;
    for (int i = 0; l && i < l->nloop; i++)
        for (int k = 0; k < l->loops[i].ndof; k++)
            if (ff_scene_owns(s->robot, l->loops[i].dofs[k])) return true;
    return false;
}

/// Sets the unknowns of a robot without a free base: all degrees of freedom without a motor. The slide with the largest
/// force of gravity along it carries the weight.
static ff_status prepare_guided(settling *s, double gravity, ff_error *err)
{
    const ff_model *m = s->m;
    const ff_scene_robot *robot = s->robot;
    double most = 0.0;
    s->height = -1;
    for (int dof = robot->vadr; dof < robot->vadr + robot->nv; dof++) {
        if (has_motor(m, m->dof_joint[dof])) continue;
        s->dofs[s->n] = dof;
        s->turns[s->n++] = !is_slide(m, dof);
    }
    if (s->n > 0 && has_loops(s))
        return ff_error_set(err, FF_BAD_MODEL,
                            "robot '%s' cannot settle: it has no free base, and joint '%s' without a motor is part of "
                            "loops or couplings; give its place by 'start: {joints: ..}' and let it come to rest there",
                            robot->name, m->joints[m->dof_joint[s->dofs[0]]].name);
    evaluate(s, s->q);
    for (int i = 0; i < m->nnode; i++)
        if (ff_scene_owns(robot, m->nodes[i].vadr))
            s->weight += m->nodes[i].inertia.mass * (gravity > 0.0 ? gravity : 9.81); // without gravity it only scales
    for (int k = 0; k < s->n; k++) {
        const double carried = s->bias[s->dofs[k]];
        if (s->turns[k] || !(fabs(carried) > ff_max(most, LEAST_WEIGHT * s->weight))) continue;
        most = fabs(carried);
        s->height = k;
        s->upward = carried > 0.0 ? 1.0 : -1.0;
    }
    return FF_OK;
}

static ff_status prepare(settling *s, ff_error *err)
{
    const ff_model *m = s->m;
    const ff_scene_robot *robot = s->robot;
    int bases = 0;
    s->arm = 0.1; // about half the distance of feet; it only scales moments
    for (int i = 0; i < m->njoint; i++) {
        const ff_joint *joint = &m->joints[i];
        if (joint->type != FF_JOINT_FREE || m->bodies[joint->body].parent >= 0 || joint->vadr < robot->vadr ||
            joint->vadr >= robot->vadr + robot->nv)
            continue;
        s->base = joint;
        bases++;
    }
    ff_vec3_scale(s->up, m->gravity, -1.0);
    const double gravity = ff_vec3_normalise(s->up);
    if (bases == 0) return prepare_guided(s, gravity, err);
    if (bases > 1)
        return ff_error_set(err, FF_BAD_MODEL, "robot '%s' cannot settle: it has %d free bases, and at most one can",
                            robot->name, bases);
    s->n = 3;
    s->height = 0;
    s->upward = 1.0;
    s->turns[1] = s->turns[2] = true;
    if (!s->run->world)
        return ff_error_set(err, FF_BAD_MODEL, "robot '%s' cannot settle: nothing in this scene can touch",
                            robot->name);
    if (s->run->scene->touch.response != FF_RESPONSE_FORCE)
        return ff_error_set(err, FF_BAD_MODEL,
                            "robot '%s' cannot settle: contacts by impulses have no depth to settle to", robot->name);
    if (!(gravity > 0.0))
        return ff_error_set(err, FF_BAD_MODEL, "robot '%s' cannot settle: there is no gravity", robot->name);
    double turn[4], R[9];
    ff_quat_from_z_to(turn, s->up);
    ff_quat_to_mat3(R, turn);
    for (int i = 0; i < 3; i++) s->axes[0][i] = R[3 * i], s->axes[1][i] = R[3 * i + 1];
    evaluate(s, s->q);
    const double heavy = ff_vec3_dot(s->bias + s->base->vadr, s->up);
    s->weight = heavy - ff_vec3_dot(s->d->passive + s->base->vadr, s->up);
    if (!(s->weight > LEAST_WEIGHT * heavy))
        return ff_error_set(err, FF_BAD_MODEL,
                            "robot '%s' cannot settle: of its weight of %.4g N, gravcomp leaves %.4g N for the ground",
                            robot->name, heavy, s->weight);
    return FF_OK;
}

static const char *joint_of(const settling *s, int unknown)
{
    return s->m->joints[s->m->dof_joint[s->dofs[unknown]]].name;
}

static ff_status report_fall(const settling *s, ff_error *err)
{
    const double *r = s->r, moment = s->weight * s->arm;
    if (s->base)
        return ff_error_set(
            err, FF_BAD_MODEL,
            "robot '%s' cannot settle: it falls over. After tilting by %.3g and %.3g rad, %d points touch and "
            "the moments %.3g and %.3g N m are left; move its feet under its centre of mass",
            s->robot->name, s->moved[1] / s->arm, s->moved[2] / s->arm, s->touching, r[1] * moment, r[2] * moment);
    int worst = fallen(s) < 0 ? 0 : fallen(s);
    for (int k = 1; k < s->n && fallen(s) < 0; k++)
        if (fabs(r[k]) > fabs(r[worst])) worst = k;
    const bool turns = s->turns[worst];
    return ff_error_set(err, FF_BAD_MODEL,
                        "robot '%s' cannot settle: it has no free base, and joint '%s' has no motor that could hold "
                        "it; give its place by 'start: {joints: ..}' and let it come to rest there. After moving by "
                        "%.3g %s, %.3g %s are left",
                        s->robot->name, joint_of(s, worst), s->moved[worst] / (turns ? s->arm : 1.0),
                        turns ? "rad" : "m", r[worst] * (turns ? moment : s->weight), turns ? "N m" : "N");
}

static ff_status report_no_ground(const settling *s, ff_error *err)
{
    if (s->base)
        return ff_error_set(err, FF_BAD_MODEL,
                            "robot '%s' cannot settle: no ground that carries its %.4g N within %g m below or above",
                            s->robot->name, s->weight, FARTHEST);
    return ff_error_set(err, FF_BAD_MODEL,
                        "robot '%s' cannot settle: neither ground nor a spring at joint '%s' carries its %.4g N within "
                        "%g m below or above; give it ground, or the joint a stiffer spring",
                        s->robot->name, joint_of(s, s->height), s->weight, FARTHEST);
}

static ff_status report_unstable(const settling *s, ff_error *err)
{
    if (s->stands)
        return ff_error_set(err, FF_BAD_MODEL,
                            "robot '%s' cannot settle: its balance on %d points is unstable, it would tip over; give "
                            "it wider or more feet",
                            s->robot->name, s->touching);
    int least = 0;
    for (int k = 1; k < s->n; k++)
        if (s->K[(s->n + 1) * k] < s->K[(s->n + 1) * least]) least = k;
    return ff_error_set(err, FF_BAD_MODEL,
                        "robot '%s' cannot settle: its balance at joint '%s' is unstable, a push would turn or move it "
                        "away; start it beside that by 'start: {joints: ..}', or give the joint a stiffer spring",
                        s->robot->name, joint_of(s, least));
}

/// Is there no horizontal force? A free base has no unknowns for it, as forces of feet are vertical if friction allows
/// it.
static ff_status check_sideways(settling *s, ff_error *err)
{
    double sideways = 0.0;
    evaluate(s, s->q); // again, since linearise has evaluated it at other positions
    for (int i = s->base->vadr; i < s->base->vadr + 3; i++) {
        const double rest = s->tau[i] - s->bias[i] + s->d->passive[i];
        sideways += rest * rest;
    }
    if (sqrt(sideways) <= 1e-8 * s->weight) return FF_OK;
    return ff_error_set(err, FF_BAD_MODEL,
                        "robot '%s' cannot settle: %.4g N push it sideways, and there is no friction to hold them",
                        s->robot->name, sqrt(sideways));
}

static ff_status balance(settling *s, ff_error *err)
{
    const ff_scene_robot *robot = s->robot;
    if (s->n == 0) return FF_OK;
    const bool grounded = s->height < 0 || find_ground(s), level = grounded && iterate(s);
    if (ff_stop_asked()) return ff_error_set(err, FF_STOPPED, "robot '%s' was stopped while it settled", robot->name);
    if (!grounded) return report_no_ground(s, err);
    if (!level) return report_fall(s, err);
    if (!is_stable(s)) return report_unstable(s, err);
    return s->base ? check_sideways(s, err) : FF_OK;
}

/// Is this degree of freedom an unknown? The others carry torques.
static bool is_placed(const settling *s, int dof)
{
    if (s->base) return dof >= s->base->vadr && dof < s->base->vadr + 6;
    for (int k = 0; k < s->n; k++)
        if (s->dofs[k] == dof) return true;
    return false;
}

/// Stores the torques of the joints that balance the robot in the joint law: those of inverse dynamics minus contact
/// and passive forces.
static void take_torques(settling *s)
{
    const ff_model *m = s->m;
    ff_run_law *c = s->run->law;
    evaluate(s, s->q);
    for (int i = 0; i < m->nv; i++) {
        const bool carries = ff_scene_owns(s->robot, i) && !is_placed(s, i);
        if (!carries || !c->asked.feedforward) continue;
        c->torque[i] = s->bias[i] - s->tau[i] - s->d->passive[i];
        c->pushes = c->pushes || c->torque[i] != 0.0;
    }
}

/// Allocates memory for up to nv unknowns. @return false without memory
static bool make_room(settling *s, ff_arena *scratch)
{
    const int nq = s->m->nq, nv = s->m->nv + 1;
    double **const rows[] = {&s->dx, &s->tau, &s->bias, &s->x, &s->r, &s->r_plus, &s->r_minus, &s->moved};
    bool all = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        all = (*rows[i] = FF_ARENA_NEW(scratch, double, nv)) != NULL && all;
    s->q = FF_ARENA_NEW(scratch, double, nq + 1);
    s->trial = FF_ARENA_NEW(scratch, double, nq + 1);
    s->dofs = FF_ARENA_NEW(scratch, int, nv);
    s->pivots = FF_ARENA_NEW(scratch, int, nv);
    s->turns = FF_ARENA_NEW(scratch, bool, nv);
    return all && s->q && s->trial && s->dofs && s->pivots && s->turns;
}

static ff_status settle_robot(ff_run *run, const ff_scene_robot *robot, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    const ff_model *m = scene->model;
    ff_arena scratch = {0};
    settling s = {.run = run, .m = m, .d = ff_data_create(m, NULL), .robot = robot};
    ff_status status = s.d && make_room(&s, &scratch) ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "out of memory");
    if (status == FF_OK) {
        memcpy(s.q, ff_sim_q(run->sim), (size_t)m->nq * sizeof *s.q);
        status = prepare(&s, err);
    }
    if (status == FF_OK) {
        s.K = FF_ARENA_NEW(&scratch, double, 2 * s.n * s.n + 1);
        s.A = s.K + s.n * s.n;
        status = s.K ? balance(&s, err) : ff_error_set(err, FF_NO_MEMORY, "out of memory");
    }
    if (status == FF_OK) {
        take_torques(&s);
        ff_sim_set_state(run->sim, s.q, NULL);
        memcpy(run->law->start, s.q, (size_t)m->nq * sizeof *s.q);
    }
    ff_data_destroy(s.d);
    ff_arena_clear(&scratch);
    return status;
}

// ------------------------------------------------------------------------------------------ friction

/// +1 if the second body of a contact belongs to a robot that settled, -1 if the first does, 0 if none.
static double side_of(const ff_run *run, const ff_world_contact *c)
{
    const ff_scene_spec *scene = run->scene;
    const int bodies[2] = {c->body1, c->body2};
    for (int k = 1; k >= 0; k--) {
        int body = bodies[k];
        if (body < 0 || scene->model->bodies[body].node < 0) continue;
        int dof = scene->model->nodes[scene->model->bodies[body].node].vadr;
        for (int i = 0; i < scene->nrobot; i++)
            if (scene->robots[i].settle && dof >= scene->robots[i].vadr &&
                dof < scene->robots[i].vadr + scene->robots[i].nv)
                return k ? 1.0 : -1.0;
    }
    return 0.0;
}

/// Tangential force on the second body of a point that balances it; NaN if it is not set. @return FF_OK, or a reason in
/// `err`
static ff_status friction_of(const ff_run *run, const ff_world_contact *c, const double up[3], double out[3],
                             ff_error *err)
{
    const ff_contact_pair *law = ff_world_law(run->world, c->shape1, c->shape2);
    const ff_friction *f = &law->friction;
    double side = side_of(run, c), rise = side * ff_vec3_dot(c->point.normal, up);
    ff_vec3_set(out, NAN, NAN, NAN);
    if (side == 0.0 || !(c->point.depth > 0.0) || !(rise > 0.05) || f->law == FF_FRICTION_NONE) return FF_OK;
    ff_vec3_scale(out, up, side * c->force.normal / rise);
    ff_vec3_axpy(out, -c->force.normal, c->point.normal);
    const double needed = ff_vec3_norm(out), mu = ff_friction_static_coefficient(f);
    int count;
    const ff_world_shape *shapes = ff_world_shapes(run->world, &count);
    if (!ff_friction_uses(f, FF_USES_SPRING)) {
        ff_vec3_set(out, NAN, NAN, NAN);
        return needed <= 1e-9 * c->force.normal
                   ? FF_OK
                   : ff_error_set(err, FF_BAD_MODEL,
                                  "'%s' on '%s' needs %.4g N of friction at rest, and the law '%s' has none: it "
                                  "creeps",
                                  shapes[c->shape2].name, shapes[c->shape1].name, needed, ff_friction_law_name(f->law));
    }
    if (needed <= mu * c->force.normal || ff_contact_has_no_cone(f)) return FF_OK;
    return ff_error_set(err, FF_BAD_MODEL,
                        "friction is not enough for '%s' on '%s': %.4g N are needed and %.4g N allowed (mu %.3g under "
                        "%.4g N); the ground slopes by %.3g deg",
                        shapes[c->shape2].name, shapes[c->shape1].name, needed, mu * c->force.normal, mu,
                        c->force.normal, ff_atan(needed / c->force.normal) * 180.0 / FF_PI);
}

static ff_status hold_contacts(ff_run *run, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    int count;
    double up[3];
    const ff_world_contact *contacts = ff_world_contacts(run->world, run->sim, &count);
    double *forces = calloc((size_t)count + 1, 3 * sizeof *forces);
    ff_status status = forces ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "out of memory");
    ff_vec3_scale(up, scene->model->gravity, -1.0);
    ff_vec3_normalise(up);
    for (int i = 0; i < count && status == FF_OK; i++) status = friction_of(run, &contacts[i], up, forces + 3 * i, err);
    if (status == FF_OK) status = ff_world_hold(run->world, run->sim, forces, err);
    free(forces);
    return status;
}

void ff_run_settle(ff_run *run, ff_report *report)
{
    const ff_scene_spec *scene = run->scene;
    const ff_scene_robot *first = NULL;
    ff_error err = {0};
    bool settled = true;
    for (int i = 0; i < scene->nrobot; i++) {
        const ff_scene_robot *robot = &scene->robots[i];
        if (!robot->settle) continue;
        if (!first) first = robot;
        if (settle_robot(run, robot, &err) == FF_OK) continue;
        ff_report_add(report, FF_ERROR, robot->settle_place, "%s", err.text);
        settled = false;
    }
    if (first && settled && run->world && hold_contacts(run, &err) != FF_OK)
        ff_report_add(report, FF_ERROR, first->settle_place, "%s", err.text);
}
