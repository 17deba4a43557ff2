// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tendons: length L(q), levers r = dL/dv, speed r v, and forces F along them, whose generalised forces are r' F:
//     spring   -k (L - L0), slack between two lengths     stores k (L - L0)^2 / 2
//     damper   -b L'                                      dissipates b L'^2
//     dry      -f L' / sqrt(L'^2 + s^2)                   Coulomb friction, regularised below s
//     stop     max(0, k x - b x'), x = depth              a one-sided spring-damper: it pushes, it never pulls
// A fixed tendon adds up joints. Of one through space a straight part between points of two bodies, u its direction,
// has the rate u . (velocity of the one - velocity of the other). A thrust has the rate  f . v + n . w  of its frame
// relative to the one it pushes off from, f and n in the axes of the latter. Its length is the displacement along
// these, or 0 where it pushes off from nothing, as of MuJoCo's actuators on sites. Where joints turn the axes it is not
// the integral of the rate.
#include <footfall/dyn.h>
#include <footfall/spatial.h>

#include "dyn/layout.h"
#include "dyn/packed.h"
#include "dyn/wrench.h"
#include "model/tendon_path.h"

// ------------------------------------------------------------------------------------------ length and levers

typedef struct lever_context {
    const ff_model *m;
    const ff_data *d;
    const ff_tendon *tendon;
    double *lever;
} lever_context;

static void body_frame(const void *context, int body, double pos[3], double R[9])
{
    const lever_context *p = context;
    ff_dyn_body_axes(p->m, p->d, body, pos, R);
}

/// Adds the generalised forces of a force and a moment at a point of a body, times `part`, to the levers.
static void add_levers(const lever_context *p, int body, const double point[3], const double force[3],
                       const double moment[3], double part)
{
    const ff_model *m = p->m;
    const int node = ff_node_of(m, body);
    if (node < 0) return;
    double arm[3], wrench[6] = {0};
    ff_vec3_sub(arm, point, p->d->tree_origin + 3 * m->nodes[node].tree);
    ff_wrench_add(wrench, 1.0, arm, force, moment);
    int k = p->tendon->ndof - 1; // both lists go to lower numbers
    for (int i = m->nodes[node].vlast; i >= 0; i = m->dof_parent[i]) {
        while (k >= 0 && p->tendon->dofs[k] > i) k--;
        if (k >= 0 && p->tendon->dofs[k] == i) p->lever[k] += part * ff_dot6(p->d->S + 6 * i, wrench);
    }
}

static void add_line(void *context, const ff_tendon_line *line)
{
    static const double none[3] = {0, 0, 0};
    const lever_context *p = context;
    double direction[3];
    ff_vec3_sub(direction, line->to, line->from);
    const double length = ff_vec3_norm(direction);
    if (!(length > 0.0)) return;
    ff_vec3_scale(direction, direction, 1.0 / length);
    add_levers(p, line->body[1], line->to, direction, none, line->part);
    add_levers(p, line->body[0], line->from, direction, none, -line->part);
}

static void place_frame(const lever_context *p, int frame, double pos[3], double quat[4])
{
    const ff_frame *f = &p->m->frames[frame];
    ff_dyn_body_pose(p->m, p->d, f->body, pos, quat);
    double own[3], own_quat[4];
    ff_vec3_copy(own, f->pos);
    ff_quat_copy(own_quat, f->quat);
    ff_pose_displace(own, own_quat, pos, quat);
    ff_vec3_copy(pos, own);
    ff_quat_copy(quat, own_quat);
}

static double add_thrust(const lever_context *p, const ff_tendon_piece *piece)
{
    const ff_model *m = p->m;
    double at[3], turn[4], from[3], axes[4], force[3], moment[3];
    place_frame(p, piece->index, at, turn);
    if (piece->side >= 0)
        place_frame(p, piece->side, from, axes);
    else
        ff_quat_copy(axes, turn);
    ff_quat_rotate(force, axes, piece->wrench);
    ff_quat_rotate(moment, axes, piece->wrench + 3);
    add_levers(p, m->frames[piece->index].body, at, force, moment, 1.0);
    if (piece->side < 0) return 0.0;
    add_levers(p, m->frames[piece->side].body, from, force, moment, -1.0);
    double apart[3], between[3];
    ff_vec3_sub(apart, at, from);
    ff_quat_difference(between, axes, turn); // in the axes of `axes`
    return ff_vec3_dot(force, apart) + ff_vec3_dot(piece->wrench + 3, between);
}

static double add_joints(const ff_model *m, const ff_data *d, const ff_tendon *t, double *lever)
{
    double length = 0.0;
    for (int i = 0; i < t->npiece; i++) {
        const ff_joint *joint = &m->joints[t->pieces[i].index];
        length += t->pieces[i].factor * d->q[joint->qadr];
        for (int k = 0; k < t->ndof; k++)
            if (t->dofs[k] == joint->vadr) lever[k] += t->pieces[i].factor;
    }
    return length;
}

void ff_tendons_position(const ff_model *m, ff_data *d)
{
    memset(d->tendon_lever, 0, (size_t)m->ntendon_dof * sizeof *d->tendon_lever);
    for (int i = 0; i < m->ntendon; i++) {
        const ff_tendon *t = &m->tendons[i];
        lever_context p = {m, d, t, d->tendon_lever + t->first};
        if (t->fixed)
            d->tendon_length[i] = add_joints(m, d, t, p.lever);
        else if (t->pieces[0].type == FF_TENDON_THRUST)
            d->tendon_length[i] = add_thrust(&p, &t->pieces[0]);
        else
            d->tendon_length[i] = ff_tendon_walk(m, t, body_frame, &p, add_line, &p);
    }
}

void ff_tendons_velocity(const ff_model *m, ff_data *d)
{
    for (int i = 0; i < m->ntendon; i++) d->tendon_speed[i] = ff_dyn_tendon_rate(m, d, i, d->v);
}

double ff_dyn_tendon_rate(const ff_model *m, const ff_data *d, int tendon, const double *v)
{
    const ff_tendon *t = &m->tendons[tendon];
    const double *lever = d->tendon_lever + t->first;
    double sum = 0.0;
    for (int k = 0; k < t->ndof; k++) sum += lever[k] * v[t->dofs[k]];
    return sum;
}

void ff_dyn_tendon_apply(const ff_model *m, const ff_data *d, int tendon, double force, double *tau)
{
    const ff_tendon *t = &m->tendons[tendon];
    const double *lever = d->tendon_lever + t->first;
    for (int k = 0; k < t->ndof; k++) tau[t->dofs[k]] += lever[k] * force;
}

// ------------------------------------------------------------------------------------------ passive forces

static double spring(const ff_tendon *t, double length, ff_data *d)
{
    const double slack = ff_max(t->spring_length[0], ff_min(length, t->spring_length[1])), stretch = length - slack;
    d->passive_energy += 0.5 * t->stiffness * stretch * stretch;
    return -t->stiffness * stretch;
}

static double friction(const ff_tendon *t, double speed, ff_data *d)
{
    double force = -t->damping * speed;
    if (t->dry_friction > 0.0) force -= t->dry_friction * speed / sqrt(speed * speed + t->dry_speed * t->dry_speed);
    d->passive_power -= force * speed;
    return force;
}

void ff_tendons_passive(const ff_model *m, ff_data *d)
{
    for (int i = 0; i < m->ntendon; i++) {
        const ff_tendon *t = &m->tendons[i];
        const double length = d->tendon_length[i], speed = d->tendon_speed[i];
        double force = spring(t, length, d) + friction(t, speed, d);
        if (t->limited)
            force += ff_stop_force(t->stop_stiffness, t->stop_damping, t->range[0] - length, speed, d) -
                     ff_stop_force(t->stop_stiffness, t->stop_damping, length - t->range[1], -speed, d);
        if (force != 0.0) ff_dyn_tendon_apply(m, d, i, force, d->passive);
    }
}
