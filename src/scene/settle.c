// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot on its feet in static equilibrium. Its joints are locked; what is looked for is the height and the two tilts
// of its base. A foot that has sunk to the depth p carries the normal force N(p), and friction makes the whole force of
// the foot vertical,
//     F = N / (n . up) up,     possible while tan(n, up) <= mu,
// so that no foot pulls against another and nothing is left to turn the robot or push it sideways: three equations for
// three unknowns,
//     sum F = weight,    moments about two horizontal axes = 0,
// where the weight is what joint springs on the base and forces that carry bodies (MJCF's gravcomp) leave of it.
// They are solved by pseudo-transient continuation, (K + delta D) dx = r, with delta falling along with the residual r:
// far away the robot sinks and tips as a heavily damped one would, hence into stable balance or over; close by it is
// Newton's method. The joints' torques are then those of inverse dynamics.
//
// An arm, whose root is fixed and whose joints all have motors, has nothing to look for: its joints carry what inverse
// dynamics asks for at its start.
#include "scene/running.h"
#include "world/world.h"

#include <footfall/linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP_DOWN    2e-3 // [m] of the search for the ground
#define FARTHEST     2.0  // [m] that it may be away
#define STEP_HEIGHT  2e-3 // [m] most of one iteration
#define STEP_TILT    1e-2 // [rad]
#define MOST_TILT    0.6  // [rad] from the start: beyond it the robot has fallen over
#define ITERATIONS   2000
#define CLOSE        1e-11 // residual over weight
#define LEAST_WEIGHT 1e-6  // of its weight that must be left for the ground

/// The robot that settles.
typedef struct settling {
    const ff_run *run;
    const ff_model *m;
    ff_data *d;
    const ff_scene_robot *robot;
    const ff_joint *base;     // NULL: an arm
    double *q, *trial;        // (nq)
    double *dx, *tau, *bias;  // (nv)
    double up[3], axes[2][3]; // unit vectors, world; axes are horizontal
    double weight, arm;       // [N]; length by which moments are measured  [m]
    double shift, tilt[2];    // how far it has moved
    int touching;             // points in touch at the last look
} settling;

// ------------------------------------------------------------------------------------------ forces

static bool is_of_robot(const settling *s, int body)
{
    return body >= 0 && s->m->bodies[body].node >= 0 &&
           ff_scene_owns(s->robot, s->m->nodes[s->m->bodies[body].node].vadr);
}

/// Force of a point on one of its bodies: vertical where friction can make it so, and plain within the robot. `sign` is
/// +1 for the second body.
static void point_force(const settling *s, const ff_touch *t, double sign, bool inner, double force[3])
{
    static const ff_contact_state untouched = {0};
    const ff_contact_point *p = &t->contact.point;
    ff_contact_force f;
    ff_contact_evaluate(t->law, p, &untouched, &f, NULL);
    double rise = sign * ff_vec3_dot(p->normal, s->up);
    if (!inner && rise > 0.05 && t->law->friction.law != FF_FRICTION_NONE)
        ff_vec3_scale(force, s->up, f.normal / rise);
    else
        ff_vec3_scale(force, p->normal, sign * f.normal);
}

/// All contact forces on the robot at the position q, as wrenches and generalised forces, and the passive ones.
static void load(settling *s, const double *q)
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
        const ff_world_contact *c = &touches[i].contact;
        const int ends[2] = {c->body1, c->body2};
        const bool own[2] = {is_of_robot(s, ends[0]), is_of_robot(s, ends[1])};
        for (int k = 0; k < 2 && c->point.depth > 0.0; k++) {
            double force[3];
            if (!own[k]) continue;
            point_force(s, &touches[i], k ? 1.0 : -1.0, own[1 - k], force);
            ff_dyn_apply_force(s->m, d, ends[k], c->place, force, none);
            s->touching += own[0] != own[1];
        }
    }
    memset(s->tau, 0, (size_t)s->m->nv * sizeof *s->tau);
    ff_dyn_add_wrench_torque(s->m, d, s->tau);
    ff_dyn_inverse(s->m, d, q, d->v, NULL, s->bias);
}

/// What is missing to balance: lift / weight, moments / (weight arm).
static void residual(settling *s, const double *q, double r[3])
{
    double force[3], moment[3], world[3], R[9];
    load(s, q);
    const int at = s->base->vadr;
    for (int i = 0; i < 3; i++) {
        force[i] = s->tau[at + i] - s->bias[at + i] + s->d->passive[at + i];
        moment[i] = s->tau[at + 3 + i] - s->bias[at + 3 + i] + s->d->passive[at + 3 + i];
    }
    ff_quat_to_mat3(R, q + s->base->qadr + 3);
    ff_mat3_mulv(world, R, moment); // the joint's are in the axes of the body
    r[0] = ff_vec3_dot(force, s->up) / s->weight;
    for (int k = 0; k < 2; k++) r[1 + k] = ff_vec3_dot(world, s->axes[k]) / (s->weight * s->arm);
}

/// q moved by x: along up by x[0], about the horizontal axes by x[1 + k] / arm.
static void move(settling *s, const double *q, const double x[3], double *out)
{
    double turn[3], R[9];
    const int at = s->base->vadr;
    for (int i = 0; i < 3; i++) turn[i] = (x[1] * s->axes[0][i] + x[2] * s->axes[1][i]) / s->arm;
    memset(s->dx, 0, (size_t)s->m->nv * sizeof *s->dx);
    ff_vec3_scale(s->dx + at, s->up, x[0]);
    ff_quat_to_mat3(R, q + s->base->qadr + 3);
    ff_mat3_tmulv(s->dx + at + 3, R, turn);
    ff_dyn_advance(s->m, q, s->dx, 1.0, out);
}

// ------------------------------------------------------------------------------------------ down to the ground

static double lift_at(settling *s, double height)
{
    double r[3];
    move(s, s->q, (const double[3]){height, 0, 0}, s->trial);
    residual(s, s->trial, r);
    return r[0];
}

/// Moves the robot up or down until the ground carries its weight. False when there is none.
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
    s->shift = low;
    return true;
}

// ------------------------------------------------------------------------------------------ balance

/// K = -dr/dx by central differences. The force of a foot bends with the depth at most, so a short step is right.
static void stiffness(settling *s, double K[9])
{
    const double h = 1e-8;
    for (int k = 0; k < 3; k++) {
        double x[3] = {0}, ahead[3], behind[3];
        x[k] = h;
        move(s, s->q, x, s->trial);
        residual(s, s->trial, ahead);
        x[k] = -h;
        move(s, s->q, x, s->trial);
        residual(s, s->trial, behind);
        for (int i = 0; i < 3; i++) K[3 * i + k] = (behind[i] - ahead[i]) / (2.0 * h);
    }
}

static double size_of(const double r[3])
{
    return ff_vec3_norm(r);
}

static bool iterate(settling *s, double r[3], double K[9])
{
    double delta = 1.0;
    residual(s, s->q, r);
    for (int n = 0; n < ITERATIONS && size_of(r) > CLOSE && !ff_stop_asked(); n++) {
        double A[9], x[3], before = size_of(r), most = 1.0;
        int pivots[3];
        stiffness(s, K);
        memcpy(A, K, sizeof A);
        double scale = ff_max(ff_max(fabs(K[0]), fabs(K[4])), ff_max(fabs(K[8]), 1.0));
        for (int i = 0; i < 3; i++) A[4 * i] += delta * scale;
        ff_vec3_copy(x, r);
        if (!ff_lu_factor(A, pivots, 3)) {
            delta = ff_max(10.0 * delta, 1e-6);
            continue;
        }
        ff_lu_solve(A, pivots, 3, x);
        most = ff_max(most, fabs(x[0]) / STEP_HEIGHT);
        for (int k = 0; k < 2; k++) most = ff_max(most, fabs(x[1 + k]) / s->arm / STEP_TILT);
        ff_vec3_scale(x, x, 1.0 / most);
        move(s, s->q, x, s->q);
        s->shift += x[0];
        for (int k = 0; k < 2; k++) s->tilt[k] += x[1 + k] / s->arm;
        residual(s, s->q, r);
        delta = ff_min(ff_max(delta * size_of(r) / before, 1e-12), 1.0);
        if (fabs(s->tilt[0]) > MOST_TILT || fabs(s->tilt[1]) > MOST_TILT) return false;
    }
    stiffness(s, K);
    return size_of(r) <= CLOSE * 100.0;
}

/// Pushed a little it must come back: the symmetric part of K has no direction without resistance.
static bool is_stable(const double K[9])
{
    double a = K[0], b = 0.5 * (K[1] + K[3]), c = 0.5 * (K[2] + K[6]), d = K[4], e = 0.5 * (K[5] + K[7]), f = K[8];
    double minor = a * d - b * b, whole = minor * f - a * e * e - d * c * c + 2.0 * b * c * e;
    return a > 0.0 && minor > 0.0 && whole > 0.0;
}

// ------------------------------------------------------------------------------------------ one robot

/// The first joint of the robot without a motor that could hold it, -1: none.
static int first_loose(const ff_model *m, const ff_scene_robot *robot)
{
    for (int dof = robot->vadr; dof < robot->vadr + robot->nv; dof++) {
        bool held = false;
        for (int k = 0; k < m->nactuator && !held; k++) held = m->actuators[k].joint == m->dof_joint[dof];
        if (!held) return m->dof_joint[dof];
    }
    return -1;
}

static ff_status prepare(settling *s, ff_error *err)
{
    const ff_model *m = s->m;
    const ff_scene_robot *robot = s->robot;
    int bases = 0;
    for (int i = 0; i < m->njoint; i++) {
        const ff_joint *joint = &m->joints[i];
        if (joint->type != FF_JOINT_FREE || m->bodies[joint->body].parent >= 0 || joint->vadr < robot->vadr ||
            joint->vadr >= robot->vadr + robot->nv)
            continue;
        s->base = joint;
        bases++;
    }
    const int loose = first_loose(m, robot);
    if (bases == 0 && robot->nv > 0 && loose < 0) return FF_OK;
    if (bases == 0 && loose >= 0)
        return ff_error_set(err, FF_BAD_MODEL,
                            "robot '%s' cannot settle: it has no free base, and joint '%s' has no motor that could "
                            "hold it; give its place by 'start: {joints: ..}' and let it come to rest there",
                            robot->name, m->joints[loose].name);
    if (bases != 1)
        return ff_error_set(err, FF_BAD_MODEL,
                            "robot '%s' cannot settle: it has %d free bases and needs one, or a motor on each joint",
                            robot->name, bases);
    if (!s->run->world)
        return ff_error_set(err, FF_BAD_MODEL, "robot '%s' cannot settle: nothing in this scene can touch",
                            robot->name);
    if (s->run->scene->touch.response != FF_RESPONSE_FORCE)
        return ff_error_set(err, FF_BAD_MODEL,
                            "robot '%s' cannot settle: contacts by impulses have no depth to settle to", robot->name);
    ff_vec3_scale(s->up, m->gravity, -1.0);
    if (!(ff_vec3_normalise(s->up) > 0.0))
        return ff_error_set(err, FF_BAD_MODEL, "robot '%s' cannot settle: there is no gravity", robot->name);
    double turn[4], R[9];
    ff_quat_from_z_to(turn, s->up);
    ff_quat_to_mat3(R, turn);
    for (int i = 0; i < 3; i++) s->axes[0][i] = R[3 * i], s->axes[1][i] = R[3 * i + 1];
    load(s, s->q);
    const double heavy = ff_vec3_dot(s->bias + s->base->vadr, s->up);
    s->weight = heavy - ff_vec3_dot(s->d->passive + s->base->vadr, s->up);
    if (!(s->weight > LEAST_WEIGHT * heavy))
        return ff_error_set(err, FF_BAD_MODEL,
                            "robot '%s' cannot settle: of its weight of %.4g N, gravcomp leaves %.4g N for the ground",
                            robot->name, heavy, s->weight);
    s->arm = 0.1; // about half of what feet are apart; it only weighs moments against forces
    return FF_OK;
}

static ff_status report_fall(const settling *s, const ff_scene_robot *robot, const double r[3], ff_error *err)
{
    return ff_error_set(
        err, FF_BAD_MODEL,
        "robot '%s' cannot settle: it falls over. After tilting by %.3g and %.3g rad, %d points touch and "
        "the moments %.3g and %.3g N m are left; move its feet under its centre of mass",
        robot->name, s->tilt[0], s->tilt[1], s->touching, r[1] * s->weight * s->arm, r[2] * s->weight * s->arm);
}

static ff_status balance(settling *s, ff_error *err)
{
    const ff_scene_robot *robot = s->robot;
    double r[3], K[9];
    if (!s->base) return FF_OK;
    const bool grounded = find_ground(s), level = grounded && iterate(s, r, K);
    if (ff_stop_asked()) return ff_error_set(err, FF_STOPPED, "robot '%s' was stopped while it settled", robot->name);
    if (!grounded)
        return ff_error_set(err, FF_BAD_MODEL,
                            "robot '%s' cannot settle: no ground that carries its %.4g N within %g m below or above",
                            robot->name, s->weight, FARTHEST);
    if (!level) return report_fall(s, robot, r, err);
    if (!is_stable(K))
        return ff_error_set(
            err, FF_BAD_MODEL,
            "robot '%s' cannot settle: its balance on %d points is unstable, it would tip over; give it "
            "wider or more feet",
            robot->name, s->touching);
    load(s, s->q); // what stiffness left behind belongs beside it
    double sideways = 0.0;
    for (int i = s->base->vadr; i < s->base->vadr + 3; i++) {
        const double rest = s->tau[i] - s->bias[i] + s->d->passive[i];
        sideways += rest * rest;
    }
    if (sqrt(sideways) <= 1e-8 * s->weight) return FF_OK;
    return ff_error_set(err, FF_BAD_MODEL,
                        "robot '%s' cannot settle: %.4g N push it sideways, and there is no friction to hold them",
                        robot->name, sqrt(sideways));
}

/// Torques of the joints that balance the robot, into the control law: what inverse dynamics asks for, less contacts,
/// springs and forces that carry weight.
static void take_torques(settling *s)
{
    const ff_model *m = s->m;
    ff_run_law *c = s->run->law;
    load(s, s->q);
    for (int i = 0; i < m->nv; i++) {
        const bool of_base = s->base && i >= s->base->vadr && i < s->base->vadr + 6;
        const bool own = ff_scene_owns(s->robot, i) && !of_base;
        if (!own || !c->asked.feedforward) continue;
        c->torque[i] = s->bias[i] - s->tau[i] - s->d->passive[i];
        c->pushes = c->pushes || c->torque[i] != 0.0;
    }
}

static ff_status settle_robot(ff_run *run, const ff_scene_robot *robot, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    const ff_model *m = scene->model;
    ff_arena scratch = {0};
    settling s = {.run = run, .m = m, .d = ff_data_create(m, NULL), .robot = robot};
    s.q = FF_ARENA_NEW(&scratch, double, m->nq + 1);
    s.trial = FF_ARENA_NEW(&scratch, double, m->nq + 1);
    s.dx = FF_ARENA_NEW(&scratch, double, 3 * m->nv + 1);
    ff_status status = s.d && s.q && s.trial && s.dx ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "out of memory");
    if (status == FF_OK) {
        s.tau = s.dx + m->nv;
        s.bias = s.tau + m->nv;
        memcpy(s.q, ff_sim_q(run->sim), (size_t)m->nq * sizeof *s.q);
        status = prepare(&s, err);
    }
    if (status == FF_OK) status = balance(&s, err);
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

/// Does the contact belong to a robot that settled, and on which side?
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

/// Tangential force on the second body of a point; NaN where it is to be left alone.
static ff_status friction_of(const ff_run *run, const ff_world_contact *c, const double up[3], double out[3],
                             ff_error *err)
{
    const ff_contact_pair *law = ff_world_law(run->world, c->shape1, c->shape2);
    const ff_friction_law kind = law->friction.law;
    double side = side_of(run, c), rise = side * ff_vec3_dot(c->point.normal, up);
    ff_vec3_set(out, NAN, NAN, NAN);
    if (side == 0.0 || !(c->point.depth > 0.0) || !(rise > 0.05) || kind == FF_FRICTION_NONE) return FF_OK;
    ff_vec3_scale(out, up, side * c->force.normal / rise);
    ff_vec3_axpy(out, -c->force.normal, c->point.normal);
    double needed = ff_vec3_norm(out),
           mu = kind == FF_FRICTION_STICK_SLIP ? law->friction.mu_static : law->friction.mu_kinetic;
    int count;
    const ff_world_shape *shapes = ff_world_shapes(run->world, &count);
    if (kind == FF_FRICTION_STRIBECK) {
        ff_vec3_set(out, NAN, NAN, NAN);
        return needed <= 1e-9 * c->force.normal
                   ? FF_OK
                   : ff_error_set(err, FF_BAD_MODEL,
                                  "'%s' on '%s' needs %.4g N of friction at rest, and the law 'stribeck' has none: it "
                                  "creeps",
                                  shapes[c->shape2].name, shapes[c->shape1].name, needed);
    }
    if (needed <= mu * c->force.normal || (kind == FF_FRICTION_SOIL && mu == 0.0)) return FF_OK;
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
