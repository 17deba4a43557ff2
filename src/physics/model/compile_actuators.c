// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Actuators: names resolved, and numbers that a description gives relative to the robot in its reference pose. With
// r = dl/dv the levers there and M the mass matrix:
//     damping of a position actuator by its ratio z    kv = 2 z sqrt(kp J),  J = sum of M_ii / r_i^2 over the r_i != 0
//     peak force of a muscle by its scale s            F = s / |M^-1 r|
//     lengths of a muscle                              least and greatest l within the limits of the joints
// as MuJoCo 3.1.4 to 3.14 has them (engine_setconst.c); it finds the lengths by a simulation against soft limits.
#include "model/compile.h"

#include <math.h>

#define LEAST_LEVER  1e-15
#define SWEEPS       40 // at most, over the joints of a tendon
#define SAMPLES      8  // of a joint's range, before the best is refined
#define GOLDEN_STEPS 24 // golden sections
#define GOLDEN       0.6180339887498949

static void report(ff_compiler *c, const ff_spec_actuator *from, const char *what)
{
    ff_report_add(c->report, FF_ERROR, from->place, "actuator \"%s\": %s", from->name ? from->name : "", what);
}

// ------------------------------------------------------------------------------------------ levers at rest

typedef struct lever_sum {
    const ff_model *m;
    const ff_pose *poses; // of the nodes
    double *lever;        // (nv)
} lever_sum;

/// Velocity of a point of a node by one of its degrees of freedom.
static void velocity_of(const ff_model *m, const ff_pose *pose, int dof, const double point[3], double v[3])
{
    const ff_node *node = &m->nodes[m->dof_node[dof]];
    const int k = dof - node->vadr;
    const bool scalar = node->type == FF_NODE_HINGE || node->type == FF_NODE_SLIDE;
    double arm[3];
    if (node->type == FF_NODE_FREE && k < 3) {
        ff_vec3_set(v, k == 0, k == 1, k == 2);
        return;
    }
    const int column = scalar ? 2 : k % 3;
    const double axis[3] = {pose->R[column], pose->R[3 + column], pose->R[6 + column]};
    ff_vec3_sub(arm, point, pose->p);
    if (node->type == FF_NODE_SLIDE)
        ff_vec3_copy(v, axis);
    else
        ff_vec3_cross(v, axis, arm);
}

/// Adds the rate of a point of a body along the direction, times `part`, to the levers.
static void add_end(const lever_sum *r, int body, const double point[3], const double direction[3], double part)
{
    const ff_model *m = r->m;
    const int node = body < 0 ? -1 : m->bodies[body].node;
    if (node < 0) return;
    for (int i = m->nodes[node].vlast; i >= 0; i = m->dof_parent[i]) {
        double v[3];
        velocity_of(m, &r->poses[m->dof_node[i]], i, point, v);
        r->lever[i] += part * ff_vec3_dot(v, direction);
    }
}

static void add_line(void *context, const ff_tendon_line *line)
{
    const lever_sum *r = context;
    double direction[3];
    ff_vec3_sub(direction, line->to, line->from);
    const double length = ff_vec3_norm(direction);
    if (!(length > 0.0)) return;
    ff_vec3_scale(direction, direction, 1.0 / length);
    add_end(r, line->body[1], line->to, direction, line->part);
    add_end(r, line->body[0], line->from, direction, -line->part);
}

/// dl/dv in the reference pose, all degrees of freedom. NULL without memory.
static double *levers_at_rest(ff_compiler *c, const ff_actuator *a, ff_pose *poses)
{
    const ff_model *m = c->model;
    double *lever = FF_ARENA_NEW(&c->scratch, double, m->nv + 1);
    if (!lever) return NULL;
    ff_compile_poses(m, m->q0, poses);
    if (a->joint >= 0) {
        lever[m->joints[a->joint].vadr] = 1.0;
    } else {
        const ff_tendon *t = &m->tendons[a->tendon];
        lever_sum r = {m, poses, lever};
        ff_compile_tendon_length(m, t, m->q0, poses, add_line, &r);
        for (int k = 0; t->fixed && k < t->npiece; k++)
            lever[m->joints[t->pieces[k].index].vadr] += t->pieces[k].factor;
    }
    for (int i = 0; i < m->nv; i++) lever[i] *= a->gear;
    return lever;
}

/// Turns the linear parts of free joints into the axes of their bodies, which ff_compile_response expects.
static void to_body_axes(const ff_model *m, const ff_pose *poses, double *x)
{
    for (int i = 0; i < m->nnode; i++) {
        double world[3];
        if (m->nodes[i].type != FF_NODE_FREE) continue;
        ff_vec3_copy(world, x + m->nodes[i].vadr);
        ff_mat3_tmulv(x + m->nodes[i].vadr, poses[i].R, world);
    }
}

// ------------------------------------------------------------------------------------------ lengths of muscles

/// The search for the greatest or least length of a tendon.
typedef struct search {
    const ff_model *m;
    const ff_tendon *tendon;
    double *q;      // present positions
    ff_pose *poses; // scratch
    double sign;    // 1: for the greatest length, -1: for the least; the greatest sign * length is searched for
} search;

/// sign * length after the coordinate is set to a value.
static double length_with(const search *s, int coordinate, double value)
{
    s->q[coordinate] = value;
    ff_compile_poses(s->m, s->q, s->poses);
    return s->sign * ff_compile_tendon_length(s->m, s->tendon, s->q, s->poses, NULL, NULL);
}

/// Moves one coordinate to where sign * length is greatest between two values: the best of some samples, refined by
/// golden sections. @return sign * length there
static double maximise(const search *s, int coordinate, double low, double high)
{
    const double step = (high - low) / SAMPLES, before = s->q[coordinate];
    double best = before, most = length_with(s, coordinate, before);
    for (int i = 0; i <= SAMPLES; i++) {
        const double at = i == SAMPLES ? high : low + i * step, length = length_with(s, coordinate, at);
        if (length > most) best = at, most = length;
    }
    double a = ff_max(low, best - step), b = ff_min(high, best + step);
    for (int i = 0; i < GOLDEN_STEPS; i++) {
        const double x = b - GOLDEN * (b - a), y = a + GOLDEN * (b - a);
        if (length_with(s, coordinate, x) > length_with(s, coordinate, y))
            b = y;
        else
            a = x;
    }
    const double middle = 0.5 * (a + b), length = length_with(s, coordinate, middle);
    if (length > most) best = middle, most = length;
    return length_with(s, coordinate, best);
}

/// The joint of a degree of freedom, with its range: of a hinge without limits one turn, after which a string has the
/// same length. NULL: the range has no bounds.
static const ff_joint *joint_of(const ff_model *m, const ff_tendon *tendon, int dof, double range[2])
{
    const ff_joint *joint = &m->joints[m->dof_joint[dof]];
    const bool turns = joint->type == FF_JOINT_HINGE && !tendon->fixed;
    if (!ff_joint_is_scalar(joint->type) || (!joint->limited && !turns)) return NULL;
    const double middle = m->q0[joint->qadr];
    range[0] = joint->limited ? joint->range[0] : middle - FF_PI;
    range[1] = joint->limited ? joint->range[1] : middle + FF_PI;
    return joint;
}

/// Greatest or least length by the sign of the search: moves one joint after the other until no joint improves it.
/// @return infinite if a range has no bounds
static double extreme_length(const search *s)
{
    const ff_tendon *t = s->tendon;
    double most = -INFINITY;
    memcpy(s->q, s->m->q0, (size_t)s->m->nq * sizeof *s->q);
    for (int round = 0; round < SWEEPS; round++) {
        double now = most, range[2];
        for (int k = 0; k < t->ndof; k++) {
            const ff_joint *joint = joint_of(s->m, t, t->dofs[k], range);
            if (!joint) return s->sign * INFINITY;
            now = maximise(s, joint->qadr, range[0], range[1]);
        }
        if (!(now > most + 1e-12)) return s->sign * most;
        most = now;
    }
    return s->sign * most;
}

/// Least and greatest l within the ranges of the joints -> a->length_range.
static bool find_lengths(ff_compiler *c, ff_actuator *a, ff_pose *poses)
{
    const ff_model *m = c->model;
    double ends[2] = {0.0, 0.0};
    if (a->joint >= 0) {
        memcpy(ends, m->joints[a->joint].range, sizeof ends);
        if (!m->joints[a->joint].limited) ends[0] = ends[1] = 0.0;
    } else {
        search s = {m, &m->tendons[a->tendon], FF_ARENA_NEW(&c->scratch, double, m->nq + 1), poses, -1.0};
        if (!s.q) return false;
        ends[0] = extreme_length(&s);
        s.sign = 1.0;
        ends[1] = extreme_length(&s);
        if (s.tendon->limited) {
            ends[0] = ff_max(ends[0], s.tendon->range[0]);
            ends[1] = ff_min(ends[1], s.tendon->range[1]);
        }
    }
    a->length_range[0] = ff_min(a->gear * ends[0], a->gear * ends[1]);
    a->length_range[1] = ff_max(a->gear * ends[0], a->gear * ends[1]);
    return true;
}

// ------------------------------------------------------------------------------------------ laws

/// Velocity feedback with which the moved inertia and the position feedback have the damping ratio.
static void set_damping(const ff_compiler *c, const ff_spec_actuator *from, ff_actuator *to, const double *lever)
{
    double inertia = 0.0;
    for (int i = 0; i < c->model->nv; i++)
        if (fabs(lever[i]) > LEAST_LEVER) inertia += ff_compile_inertia_of(c, i) / (lever[i] * lever[i]);
    to->bias[2] = -2.0 * from->damping_ratio * sqrt(from->gain * inertia);
}

/// Sets the peak force of a muscle by its scale. @return false without memory
static bool set_peak(ff_compiler *c, ff_muscle *muscle, const ff_pose *poses, const double *lever)
{
    const ff_model *m = c->model;
    if (!muscle->acts || muscle->force >= 0.0) return true;
    double *x = FF_ARENA_NEW(&c->scratch, double, m->nv + 1), sum = 0.0;
    if (!x) return false;
    memcpy(x, lever, (size_t)m->nv * sizeof *x);
    to_body_axes(m, poses, x);
    if (!ff_compile_response(c, x)) return false;
    for (int i = 0; i < m->nv; i++) sum += x[i] * x[i];
    muscle->force = muscle->scale / ff_max(LEAST_LEVER, sqrt(sum));
    return true;
}

/// Sets the numbers that depend on the reference pose. @return false without memory
static bool set_pose_data(ff_compiler *c, const ff_spec_actuator *from, ff_actuator *to)
{
    const ff_model *m = c->model;
    const bool muscle = to->active.acts || to->passive.acts;
    if (to->body >= 0 && (to->state >= 0 || muscle || from->damping_ratio > 0.0))
        report(c, from, "adhesion has a gain alone: no activation, no muscle, no damping ratio");
    if (to->body >= 0 || (!(from->damping_ratio > 0.0) && !muscle)) return true;
    if (to->joint >= 0 && !ff_joint_is_scalar(m->joints[to->joint].type)) return true;
    if (to->tendon >= 0 && m->tendons[to->tendon].pieces[0].type == FF_TENDON_THRUST) {
        report(c, from,
               muscle ? "a muscle cannot act at a frame: give it a joint or a tendon"
                      : "a damping ratio at a frame is not known: give kv");
        return true;
    }
    ff_pose *poses = FF_ARENA_NEW(&c->scratch, ff_pose, m->nnode + 1);
    const double *lever = poses ? levers_at_rest(c, to, poses) : NULL;
    if (!lever) return false;
    if (from->damping_ratio > 0.0) set_damping(c, from, to, lever);
    if (!muscle) return true;
    if (!set_peak(c, &to->active, poses, lever) || !set_peak(c, &to->passive, poses, lever)) return false;
    if (from->length_range[0] == from->length_range[1] && !find_lengths(c, to, poses)) return false;
    if (!(to->length_range[1] > to->length_range[0]) || !isfinite(to->length_range[1] - to->length_range[0]))
        report(c, from,
               "its muscle needs a length range, and the limits of the joints give none: set 'lengthrange', or limits "
               "of all joints that it acts on");
    return true;
}

/// Resolves the name of the joint, tendon or body that an actuator acts on.
static void resolve_target(ff_compiler *c, const ff_spec_actuator *from, ff_actuator *to)
{
    if ((from->joint != NULL) + (from->tendon != NULL) + (from->body != NULL) > 1)
        report(c, from, "it names several of joint, tendon and body; give one of them");
    if (from->body)
        to->body = ff_compile_find(c, &c->body_names, from->body, from->place, "actuator", from->name, "body");
    else if (from->tendon)
        to->tendon = ff_compile_find(c, &c->tendon_names, from->tendon, from->place, "actuator", from->name, "tendon");
    else
        to->joint = ff_compile_find(c, &c->joint_names, from->joint, from->place, "actuator", from->name, "joint");
}

bool ff_compile_actuators(ff_compiler *c)
{
    ff_model *m = c->model;
    const int errors = c->report->errors;
    m->nactuator = c->spec->nactuator;
    m->actuators = FF_ARENA_NEW(&m->arena, ff_actuator, m->nactuator + 1);
    if (!m->actuators || !ff_names_init(&c->actuator_names, &c->scratch, m->nactuator)) return false;
    for (int i = 0; i < m->nactuator; i++) {
        const ff_spec_actuator *from = &c->spec->actuators[i];
        ff_actuator *actuator = &m->actuators[i];
        *actuator = (ff_actuator){
            .name = ff_arena_strdup(&m->arena, from->name ? from->name : ""),
            .type = from->type,
            .joint = -1,
            .tendon = -1,
            .body = -1,
            .gear = from->gear,
            .gain = from->gain,
            .gain_by = {from->gain_by[0], from->gain_by[1]},
            .bias = {from->bias[0], from->bias[1], from->bias[2]},
            .command_limited = from->command_limited,
            .force_limited = from->force_limited,
            .command_range = {from->command_range[0], from->command_range[1]},
            .force_range = {from->force_range[0], from->force_range[1]},
            .state = from->activation.type == FF_ACTIVATION_NONE ? -1 : m->nactivation++,
            .activation = from->activation,
            .active = from->active,
            .passive = from->passive,
            .length_range = {from->length_range[0], from->length_range[1]},
        };
        if (!actuator->name) return false;
        resolve_target(c, from, actuator);
        if (c->report->errors == errors && !set_pose_data(c, from, actuator)) return false;
        if (actuator->name[0] && ff_names_put(&c->actuator_names, actuator->name, i) >= 0)
            ff_report_add(c->report, FF_ERROR, from->place, "actuator \"%s\": the name is taken already", from->name);
        if (from->command_limited && from->command_range[0] > from->command_range[1])
            ff_report_add(c->report, FF_ERROR, from->place, "actuator \"%s\": command range %g to %g is reversed",
                          from->name ? from->name : "", from->command_range[0], from->command_range[1]);
        if (from->force_limited && from->force_range[0] > from->force_range[1])
            ff_report_add(c->report, FF_ERROR, from->place, "actuator \"%s\": force range %g to %g is reversed",
                          from->name ? from->name : "", from->force_range[0], from->force_range[1]);
    }
    return true;
}
