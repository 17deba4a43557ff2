// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Drives of a URDF without transmissions: a file that does not say which joints are driven has a position servo on each
// hinge and slide, named after the joint, within <limit effort> and <limit velocity> (src/robot/drive/set.c). An effort
// that means no limit leaves a servo unbounded. Where some joints have an effort, those without are passive; where no
// joint has one, all are driven without a bound. The law is
//     f = kp (u - q) - 2 sqrt(kp J) q',     kp = min(effort / 0.1 rad, J (300 rad/s)^2),
// 10 mm in place of 0.1 rad for slides, with J the inertia that the joint moves in the reference pose: small errors
// command the full effort, damping is critical, and a loop of 1 kHz is stable. With the composite mass m, first moment
// h = int r dm and second moment S = int r r' dm of all bodies behind a joint with the unit axis a through p,
//     J = tr(S_p) - a' S_p a,   S_p = S - p h' - h p' + m p p'   (hinge),      J = m   (slide).
// That is valid for one joint, in that pose. In a leg all joints are coupled, and a folded leg has less inertia than a
// straight one: a loop of period T with dampers D on the mass matrix M is stable below T lambda = 2, where lambda is
// the largest eigenvalue of M^-1 D (constant torques over T change a speed v by the factor 1 - T D / M). If that fails
// in one of several poses across the ranges of the joints, J becomes the least inertia that a joint moves in these
// poses while all others are free, 1 / (M^-1)_ii; if T lambda is then above 1, one factor makes all servos slower.
#include "urdf/urdf.h"

#include <footfall/linalg.h>
#include <footfall/text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SPAN_TURN  0.1   // error at which a hinge asks for its effort  [rad]
#define SPAN_SLIDE 0.01  // the same of a slide                         [m]
#define FASTEST    300.0 // natural frequency that a loop of 1 kHz holds: 2 w h = 0.6  [rad/s]
#define PERIOD     1e-3  // of that loop  [s]
#define JOINTS     1000  // with more, M is not evaluated
#define ROUNDS     30    // of the power iteration
#define POSES      16    // in which they are evaluated, the reference pose first

typedef struct composite {
    double pos[3], quat[4]; // of the body, world
    double mass, first[3], second[9];
} composite;

/// Mass, first and second moments of a single body about the origin of the world.
static void set_mass(const ff_spec_body *body, composite *c)
{
    double R[9], back[9], turned[9], inertia[9], centre[3], quat[4];
    ff_vec3_copy(centre, body->com);
    ff_quat_copy(quat, body->inertia_quat);
    ff_pose_displace(centre, quat, c->pos, c->quat);
    ff_quat_to_mat3(R, quat);
    const double *I = body->inertia; // xx yy zz xy xz yz
    const double own[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
    ff_mat3_transpose(back, R);
    ff_mat3_mul(turned, R, own);
    ff_mat3_mul(inertia, turned, back);
    const double half = 0.5 * (I[0] + I[1] + I[2]);
    c->mass = body->mass;
    ff_vec3_scale(c->first, centre, c->mass);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            c->second[3 * i + k] = (i == k ? half : 0.0) - inertia[3 * i + k] + c->mass * centre[i] * centre[k];
}

static bool can_be_driven(const ff_spec_joint *joint)
{
    return ff_joint_is_scalar(joint->type) && !joint->mimic;
}

/// Coordinate of a joint in pose number `pose`: within its range, and at most half a turn from zero.  [rad, m]
static double coordinate_in(const ff_spec_joint *joint, int number, int pose)
{
    const double most = joint->type == FF_JOINT_SLIDE ? 0.5 : FF_PI, weyl = pose * (0.6180339887498949 * (number + 1));
    const double low = joint->limited ? ff_max(joint->range[0], -most) : -most,
                 high = joint->limited ? ff_min(joint->range[1], most) : most;
    return pose == 0 ? 0.0 : low + (weyl - floor(weyl)) * (high - low);
}

/// Moves a body, whose pose is given in the frame of its parent, by its joint.
static void move(composite *c, const ff_spec_joint *joint, double q)
{
    double axis[3], turn[4], quat[4];
    if (joint->type == FF_JOINT_SLIDE) {
        ff_quat_rotate(axis, c->quat, joint->axis);
        ff_vec3_axpy(c->pos, q / ff_vec3_norm(axis), axis);
        return;
    }
    ff_vec3_scale(axis, joint->axis, 1.0 / ff_vec3_norm(joint->axis));
    ff_quat_from_axis_angle(turn, axis, q);
    ff_quat_copy(quat, c->quat);
    ff_quat_mul(c->quat, quat, turn);
}

/// Computes the composite of each body with its descendants in a pose. @param all  result  (nbody)
static void gather(const urdf_reader *r, int pose, composite *all)
{
    const ff_spec *spec = r->spec;
    memset(all, 0, (size_t)spec->nbody * sizeof *all);
    for (int i = 0; i < spec->nbody; i++) {
        ff_vec3_copy(all[i].pos, spec->bodies[i].pos);
        ff_quat_copy(all[i].quat, spec->bodies[i].quat);
    }
    for (int j = 0; pose > 0 && j < spec->njoint; j++) {
        const ff_spec_joint *joint = &spec->joints[j];
        if (can_be_driven(joint)) move(&all[joint->body], joint, coordinate_in(joint, j, pose));
    }
    for (int i = 0; i < spec->nbody; i++) {
        const ff_spec_body *body = &spec->bodies[i];
        if (body->parent >= 0) ff_pose_displace(all[i].pos, all[i].quat, all[body->parent].pos, all[body->parent].quat);
        if (body->has_inertial) set_mass(body, &all[i]);
    }
    for (int i = spec->nbody - 1; i >= 0; i--) {
        composite *to = spec->bodies[i].parent >= 0 ? &all[spec->bodies[i].parent] : NULL;
        if (!to) continue;
        to->mass += all[i].mass;
        ff_vec3_add(to->first, to->first, all[i].first);
        for (int k = 0; k < 9; k++) to->second[k] += all[i].second[k];
    }
}

/// Inertia that the joint moves while all others are fixed.  [kg m^2, kg]
static double inertia_at(const composite *c, const ff_spec_joint *joint)
{
    double axis[3], about[9];
    if (joint->type == FF_JOINT_SLIDE) return c->mass;
    ff_quat_rotate(axis, c->quat, joint->axis);
    ff_vec3_scale(axis, axis, 1.0 / ff_vec3_norm(axis));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            about[3 * i + k] = c->second[3 * i + k] - c->pos[i] * c->first[k] - c->first[i] * c->pos[k] +
                               c->mass * c->pos[i] * c->pos[k];
    double along[3];
    ff_mat3_mulv(along, about, axis);
    return about[0] + about[4] + about[8] - ff_vec3_dot(axis, along);
}

static void set_gains(ff_spec_actuator *servo, const ff_spec_joint *joint, double inertia)
{
    double kp = inertia * FASTEST * FASTEST;
    if (joint->effort > 0.0) kp = ff_min(kp, joint->effort / (joint->type == FF_JOINT_SLIDE ? SPAN_SLIDE : SPAN_TURN));
    servo->gain = kp;
    servo->bias[1] = -kp;
    servo->bias[2] = -2.0 * sqrt(kp * inertia);
}

/// Adds the servo of a joint.
static void add_servo(urdf_reader *r, const ff_spec_joint *joint, const composite *c)
{
    const double inertia = inertia_at(c, joint) + joint->armature;
    if (!(inertia > 0.0)) return; // a body without mass: the compiler says so
    ff_spec_actuator *out = ff_spec_add_actuator(r->spec, joint->name, FF_ACTUATOR_POSITION);
    if (!urdf_has_memory(r, out) || !urdf_has_memory(r, out->name)) return;
    out->joint = joint->name;
    out->place = joint->place;
    set_gains(out, joint, inertia);
    out->force_limited = joint->effort > 0.0;
    out->force_range[0] = -joint->effort;
    out->force_range[1] = joint->effort;
}

// ------------------------------------------------------------------------------------ stability of all servos together

/// Motion of a joint at unit speed: angular velocity, and velocity of the point at the origin of the world.
typedef struct motion {
    double turn[3], shift[3];
} motion;

static motion motion_of(const composite *c, const ff_spec_joint *joint)
{
    motion out = {{0}, {0}};
    double axis[3];
    ff_quat_rotate(axis, c->quat, joint->axis);
    ff_vec3_scale(axis, axis, 1.0 / ff_vec3_norm(axis));
    if (joint->type == FF_JOINT_SLIDE) {
        ff_vec3_copy(out.shift, axis);
    } else {
        ff_vec3_copy(out.turn, axis);
        ff_vec3_cross(out.shift, c->pos, axis);
    }
    return out;
}

/// Momentum of the composite in that motion; the angular one is about the origin of the world.
static motion momentum_of(const composite *c, const motion *m)
{
    motion out;
    double turned[3];
    ff_vec3_scale(out.shift, m->shift, c->mass);
    ff_vec3_cross_add(out.shift, m->turn, c->first);
    ff_mat3_mulv(turned, c->second, m->turn);
    ff_vec3_scale(out.turn, m->turn, c->second[0] + c->second[4] + c->second[8]);
    ff_vec3_sub(out.turn, out.turn, turned);
    ff_vec3_cross_add(out.turn, c->first, m->shift);
    return out;
}

/// Rows of M by body: that of its hinge or slide, -1 where it has none. @return number of rows
static int number_joints(const ff_spec *spec, int *row_of_body)
{
    int n = 0;
    for (int i = 0; i < spec->nbody; i++) row_of_body[i] = -1;
    for (int j = 0; j < spec->njoint; j++)
        if (can_be_driven(&spec->joints[j])) row_of_body[spec->joints[j].body] = n++;
    return n;
}

/// Mass matrix M of these joints in the pose of `all`, with a fixed root.
static void fill_mass(const ff_spec *spec, const composite *all, const int *row_of_body, motion *motions, int n,
                      double *M)
{
    memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
    for (int j = 0; j < spec->njoint; j++) {
        const ff_spec_joint *joint = &spec->joints[j];
        if (can_be_driven(joint)) motions[row_of_body[joint->body]] = motion_of(&all[joint->body], joint);
    }
    for (int j = 0; j < spec->njoint; j++) {
        const ff_spec_joint *joint = &spec->joints[j];
        if (!can_be_driven(joint)) continue;
        const int row = row_of_body[joint->body];
        const motion p = momentum_of(&all[joint->body], &motions[row]);
        for (int body = joint->body; body >= 0; body = spec->bodies[body].parent) {
            const int col = row_of_body[body];
            if (col < 0) continue;
            M[row * n + col] = M[col * n + row] =
                ff_vec3_dot(motions[col].turn, p.turn) + ff_vec3_dot(motions[col].shift, p.shift);
        }
        M[row * n + row] += joint->armature;
    }
}

/// All servos: the joint of each and its row in M.
typedef struct servo_group {
    const urdf_reader *r;
    ff_spec *spec;
    int n, *joint, *row, *row_of_body; // joint and row: (nactuator)
    composite *all;
    motion *motions;
    double *L, *x, *D; // factors of M in a pose (n*n), (n), (n)
} servo_group;

static bool factor_pose(const servo_group *t, int pose)
{
    gather(t->r, pose, t->all);
    fill_mass(t->spec, t->all, t->row_of_body, t->motions, t->n, t->L);
    return ff_cholesky_factor(t->L, t->n); // otherwise a link has no mass, which the compiler reports
}

/// Largest eigenvalue of M^-1 D times the period, by the power iteration.
static double eigenvalue_in_pose(const servo_group *t)
{
    double most = 0.0;
    for (int i = 0; i < t->n; i++) t->x[i] = (i % 2 ? -1.0 : 1.0) / (1 + i % 7); // no mode is orthogonal to it
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < t->n; i++) t->x[i] *= t->D[i];
        ff_cholesky_solve(t->L, t->n, t->x);
        most = 0.0;
        for (int i = 0; i < t->n; i++) most = ff_max(most, fabs(t->x[i]));
        for (int i = 0; i < t->n && most > 0.0; i++) t->x[i] /= most;
    }
    return most;
}

/// The largest eigenvalue over all poses.
static double largest_eigenvalue(const servo_group *t)
{
    double most = 0.0;
    memset(t->D, 0, (size_t)t->n * sizeof *t->D);
    for (int a = 0; a < t->spec->nactuator; a++) t->D[t->row[a]] = -PERIOD * t->spec->actuators[a].bias[2];
    for (int pose = 0; pose < POSES; pose++)
        if (factor_pose(t, pose)) most = ff_max(most, eigenvalue_in_pose(t));
    return most;
}

/// Stores in D the least inertia over all poses that each joint moves while all others are free.  [kg m^2, kg]
static void free_inertias(const servo_group *t)
{
    for (int i = 0; i < t->n; i++) t->D[i] = INFINITY;
    for (int pose = 0; pose < POSES; pose++) {
        if (!factor_pose(t, pose)) continue;
        for (int i = 0; i < t->n; i++) {
            memset(t->x, 0, (size_t)t->n * sizeof *t->x);
            t->x[i] = 1.0;
            ff_cholesky_solve(t->L, t->n, t->x);
            t->D[i] = ff_min(t->D[i], 1.0 / t->x[i]);
        }
    }
}

static void slow_down(const servo_group *t)
{
    if (!(largest_eigenvalue(t) > 2.0)) return;
    free_inertias(t);
    for (int a = 0; a < t->spec->nactuator; a++)
        set_gains(&t->spec->actuators[a], &t->spec->joints[t->joint[a]], t->D[t->row[a]]);
    const double slower = ff_max(1.0, largest_eigenvalue(t));
    for (int a = 0; a < t->spec->nactuator; a++) {
        ff_spec_actuator *servo = &t->spec->actuators[a];
        servo->gain /= slower * slower;
        servo->bias[1] = -servo->gain;
        servo->bias[2] /= slower;
    }
}

/// Makes servos slower where the sampled loop of all of them together would be unstable.
static void slow_unstable_servos(urdf_reader *r, composite *all)
{
    ff_spec *spec = r->spec;
    ff_arena *arena = &r->arena;
    servo_group t = {.r = r, .spec = spec, .all = all, .row_of_body = FF_ARENA_NEW(arena, int, spec->nbody + 1)};
    if (!urdf_has_memory(r, t.row_of_body)) return;
    const int n = t.n = number_joints(spec, t.row_of_body);
    if (n > JOINTS) return;
    t.motions = FF_ARENA_NEW(arena, motion, n + 1);
    t.L = FF_ARENA_NEW(arena, double, (size_t)n *(size_t)n + 1);
    t.joint = FF_ARENA_NEW(arena, int, spec->nactuator + 1);
    t.row = FF_ARENA_NEW(arena, int, spec->nactuator + 1);
    t.x = FF_ARENA_NEW(arena, double, n + 1);
    t.D = FF_ARENA_NEW(arena, double, n + 1);
    if (!urdf_has_memory(r, t.motions && t.L && t.joint && t.row && t.x && t.D ? t.L : NULL)) return;
    for (int j = 0, a = 0; j < spec->njoint && a < spec->nactuator; j++) { // servos are in the order of their joints
        if (spec->actuators[a].joint != spec->joints[j].name) continue;
        t.joint[a] = j;
        t.row[a++] = t.row_of_body[spec->joints[j].body];
    }
    slow_down(&t);
}

/// Does the file write an effort of 0, as exporters do where the strength of the joint is unknown?
static bool has_zero_effort(const urdf_joint *joint)
{
    const ff_xml *limit = ff_xml_child(joint->node, "limit");
    const char *text = limit ? ff_xml_peek(limit, "effort") : NULL;
    double effort;
    return text && ff_text_number(text, strlen(text), &effort) && effort == 0.0;
}

/// Does the file give the joint an effort: a number above 0, or one that stands for no limit?
static bool has_effort(const urdf_reader *r, const ff_spec_joint *joint)
{
    const int number = ff_names_get(&r->joint_names, joint->name);
    return joint->effort > 0.0 || (number >= 0 && r->joints[number].any_effort);
}

/// Notes, once a file, which joints are passive for lack of an effort, or that efforts of 0 are taken for unknown.
static void report_missing_effort(urdf_reader *r, bool passive)
{
    const urdf_joint *first = NULL;
    int count = 0;
    char others[40] = "";
    for (int i = 0; i < r->njoint; i++) {
        const int number = r->joints[i].spec_joint;
        if (number < 0 || !can_be_driven(&r->spec->joints[number])) continue;
        if (passive ? has_effort(r, &r->spec->joints[number]) : !has_zero_effort(&r->joints[i])) continue;
        if (count++ == 0) first = &r->joints[i];
    }
    if (count == 0) return;
    if (count > 1) snprintf(others, sizeof others, " and %d more", count - 1);
    ff_report_add(r->report, FF_NOTE, first->node->place,
                  passive ? "joint \"%s\"%s: not driven, for the effort is 0 or not given, and other joints have one; "
                            "<limit effort> drives a joint, 'inf' without a bound"
                          : "joint \"%s\"%s: the effort is 0, as exporters write it where none was given, and no joint "
                            "has another: driven without a bound; give efforts to bound the drives",
                  first->name, others);
}

void urdf_drive_joints(urdf_reader *r)
{
    const ff_spec *spec = r->spec;
    bool any = false, chosen = false;
    for (int j = 0; j < spec->njoint; j++) {
        any = any || can_be_driven(&spec->joints[j]);
        chosen = chosen || (can_be_driven(&spec->joints[j]) && has_effort(r, &spec->joints[j]));
    }
    if (spec->nactuator > 0 || !any) return; // the file says which joints are driven
    composite *all = FF_ARENA_NEW(&r->arena, composite, spec->nbody + 1);
    if (!urdf_has_memory(r, all)) return;
    gather(r, 0, all);
    for (int j = 0; j < spec->njoint && !r->out_of_memory; j++) {
        const ff_spec_joint *joint = &spec->joints[j];
        if (can_be_driven(joint) && (has_effort(r, joint) || !chosen)) add_servo(r, joint, &all[joint->body]);
    }
    if (!r->out_of_memory) slow_unstable_servos(r, all);
    report_missing_effort(r, chosen);
}
