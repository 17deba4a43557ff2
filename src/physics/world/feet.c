// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// States of feet and hands, computed once for a state. With the forces f_i and moments m_i at the points r_i of a foot,
// normals n_i towards it and normal forces p_i, about the origin o of its frame,
//     F = sum f_i,   M = sum (r_i - o) x f_i + m_i,   n = sum p_i n_i / |sum p_i n_i|,   c = sum p_i r_i / sum p_i.
// The centre of pressure is the point of the plane through c normal to n about which the moment has no component in
// this plane (P. Sardain, G. Bessonnet, IEEE Trans. Systems, Man, and Cybernetics A 34(5), 2004):
//     cop = c + n x M_c / (n F),   M_c = M - (c - o) x F.
// On level ground it is c itself, unless points resist turning.
#include <footfall/world.h>

#include <math.h>
#include <string.h>

#include "world/world.h"

// ------------------------------------------------------------------------------------------ sums of one foot

/// Adds the force of a point to a foot. @param side  1 or 2, that of the foot at the point
static void add_load(ff_foot *foot, const ff_world_contact *c, int side)
{
    const double pressure = c->force.normal;
    foot->points++;
    ff_vec3_axpy(foot->force, side == 2 ? 1.0 : -1.0, c->force.force);
    foot->pressure += pressure;
    if (c->mode == FF_CONTACT_KINETIC) foot->slip += pressure * ff_vec3_norm(c->point.slip);
}

/// Adds moment, place and normal of a point to a foot.
static void add_lever(const ff_world *w, ff_foot *foot, const double origin[3], const ff_world_contact *c, int side)
{
    const double sign = side == 2 ? 1.0 : -1.0, pressure = c->force.normal;
    double arm[3], turning[3];
    ff_vec3_sub(arm, c->place, origin);
    ff_vec3_cross(turning, arm, c->force.force);
    ff_vec3_add(turning, turning, c->force.moment);
    ff_vec3_axpy(foot->moment, sign, turning);
    ff_vec3_axpy(foot->normal, sign * pressure, c->point.normal);
    ff_vec3_axpy(foot->centre, pressure, c->place);
    foot->sticking += c->mode == FF_CONTACT_STATIC;
    foot->shapes |= UINT64_C(1) << w->patch[side == 2 ? c->shape2 : c->shape1];
}

/// out = a direction of the world in the frame of a limb.
static void to_frame(const ff_model *m, const ff_data *d, const ff_limb *limb, const double world[3], double out[3])
{
    const ff_body *body = &m->bodies[limb->body];
    const double to_limb[4] = {limb->quat[0], -limb->quat[1], -limb->quat[2], -limb->quat[3]};
    double in_node[3], in_body[3];
    ff_mat3_tmulv(in_node, d->pose[body->node].R, world);
    ff_mat3_tmulv(in_body, body->R, in_node);
    ff_quat_rotate(out, to_limb, in_body);
}

/// Computes the centre of pressure from the sums of all points.
static void find_pressure(const ff_model *m, const ff_data *d, ff_foot *foot, const double origin[3])
{
    const double length = ff_vec3_norm(foot->normal);
    double arm[3], turning[3];
    if (!(foot->pressure > 0.0) || !(length > 0.0)) {
        for (int k = 0; k < 3; k++) foot->centre[k] = foot->normal[k] = NAN;
        return;
    }
    ff_vec3_scale(foot->centre, foot->centre, 1.0 / foot->pressure);
    ff_vec3_scale(foot->normal, foot->normal, 1.0 / length);
    const double push = ff_vec3_dot(foot->normal, foot->force);
    if (!(push > 0.0)) return;
    ff_vec3_sub(arm, foot->centre, origin);
    ff_vec3_cross(turning, arm, foot->force);
    ff_vec3_sub(turning, foot->moment, turning);
    ff_vec3_cross(foot->cop, foot->normal, turning);
    ff_vec3_scale(foot->cop, foot->cop, 1.0 / push);
    ff_vec3_add(foot->cop, foot->cop, foot->centre);
    ff_vec3_sub(arm, foot->cop, origin);
    to_frame(m, d, &m->limbs[foot->limb], arm, foot->cop_foot);
}

// ------------------------------------------------------------------------------------------ distances slid

/// @return integrals of the world, NULL before the first run, when they are zero
static const double *integrals_of(const ff_world *w, ff_sim *sim)
{
    return w->impulses && sim->begun ? ff_sim_part_integrals(sim, w->part) : NULL;
}

double ff_world_slid(const ff_world *w, ff_sim *sim)
{
    const double *integrals = integrals_of(w, sim);
    return integrals ? integrals[ff_world_nintegral(w->model->nlimb) - 1] : w->impulses ? 0.0 : NAN;
}

// ------------------------------------------------------------------------------------------ all feet

/// Reads impulses and distances slid, which change with time even where no contact changes.
static void read_integrals(ff_world *w, ff_sim *sim)
{
    const double *integrals = integrals_of(w, sim);
    const int nlimb = w->model->nlimb;
    const double none = w->impulses ? 0.0 : NAN;
    for (int i = 0; i < nlimb; i++) {
        for (int k = 0; k < 3; k++) w->feet[i].impulse[k] = integrals ? integrals[3 * i + k] : none;
        w->feet[i].slid = integrals ? integrals[3 * (nlimb + 1) + i] : none;
    }
}

/// Forces of the feet, without moments and places, which take as long.
static void gather_loads(ff_world *w, const ff_world_contact *c, int count)
{
    const int nlimb = w->model->nlimb;
    for (int i = 0; i < nlimb; i++) {
        ff_foot *foot = &w->feet[i];
        foot->limb = i;
        foot->points = 0;
        foot->pressure = foot->slip = 0.0;
        ff_vec3_set(foot->force, 0.0, 0.0, 0.0);
    }
    for (int k = 0; k < count; k++) {
        if (!ff_world_is_limb(w, &c[k])) continue;
        if (c[k].limb1 >= 0) add_load(&w->feet[c[k].limb1], &c[k], 1);
        if (c[k].limb2 >= 0) add_load(&w->feet[c[k].limb2], &c[k], 2);
    }
    for (int i = 0; i < nlimb; i++) {
        ff_foot *foot = &w->feet[i];
        foot->touching = foot->points > 0;
        if (foot->pressure > 0.0) foot->slip /= foot->pressure;
    }
}

/// Clears the sums of gather_levers, and places the numbers of the points of each foot one after the other.
static void begin_levers(ff_world *w)
{
    int next = 0;
    for (int i = 0; i < w->model->nlimb; i++) {
        ff_foot *foot = &w->feet[i];
        const double nowhere = foot->touching ? 0.0 : NAN; // a foot in the air has no places
        for (int k = 0; k < 3; k++) {
            foot->moment[k] = 0.0;
            foot->centre[k] = foot->normal[k] = nowhere;
            foot->cop[k] = foot->cop_foot[k] = NAN;
        }
        foot->contacts = w->foot_points + next;
        next += foot->points;
        foot->points = foot->sticking = 0;
        foot->shapes = 0;
    }
}

/// Moments and places, after gather_loads.
static void gather_levers(ff_world *w, const ff_data *d, const ff_world_contact *c, int count)
{
    begin_levers(w);
    for (int k = 0; k < count; k++) {
        if (!ff_world_is_limb(w, &c[k])) continue;
        for (int side = 1; side <= 2; side++) {
            const int limb = side == 1 ? c[k].limb1 : c[k].limb2;
            if (limb < 0) continue;
            ff_foot *foot = &w->feet[limb];
            w->foot_points[foot->contacts - w->foot_points + foot->points++] = k;
            add_lever(w, foot, ff_world_limb_origin(w, d, limb), &c[k], side);
        }
    }
    for (int i = 0; i < w->model->nlimb; i++)
        if (w->feet[i].touching) find_pressure(w->model, d, &w->feet[i], ff_world_limb_origin(w, d, i));
}

const ff_foot *ff_world_loads(ff_world *w, ff_sim *sim, int *number)
{
    int count;
    const ff_world_contact *c = ff_world_contacts(w, sim, &count);
    *number = 0;
    if (w->sim != sim) return NULL;
    if (w->loads_at == 0 || w->loads_at != w->copied_at) gather_loads(w, c, count);
    w->loads_at = w->copied_at;
    read_integrals(w, sim);
    *number = w->model->nlimb;
    return w->feet;
}

const ff_foot *ff_world_feet(ff_world *w, ff_sim *sim, int *number)
{
    int count = 0;
    const ff_foot *feet = w ? ff_world_loads(w, sim, &count) : NULL;
    if (number) *number = count;
    if (!feet) return NULL;
    if (w->levers_at == 0 || w->levers_at != w->copied_at) gather_levers(w, sim->data, w->contacts, w->ntouch);
    w->levers_at = w->copied_at;
    return feet;
}

// ------------------------------------------------------------------------------------------ balance of a robot

// Common centre of pressure and divergent component of motion of a robot. With the forces p_i of its feet along their
// normals, u up, g the size of gravity and h = u (com - cop):
//     cop = sum p_i cop_i / sum p_i,     dcm = com - h u + (v - (u v) u) sqrt(h / g)
// The latter is the capture point of a pendulum of constant height (J. Pratt et al., Capture point, Humanoids 2006) on
// a foot at cop. Both are NaN while no foot carries.

int ff_world_root(const ff_model *m, int body)
{
    int node = body >= 0 && body < m->nbody ? m->bodies[body].node : -1;
    while (node >= 0 && m->nodes[node].parent >= 0) node = m->nodes[node].parent;
    return node;
}

/// Centre of mass of a tree, and its velocity -> out.
static void add_masses(const ff_model *m, const ff_data *d, int root, ff_world_balance *out)
{
    double mass = 0.0;
    for (int i = 0; i < m->nbody; i++) {
        double place[3], motion[6];
        if (!(m->bodies[i].mass > 0.0) || ff_world_root(m, i) != root) continue;
        ff_dyn_point_motion(m, d, i, m->bodies[i].com, place, motion);
        ff_vec3_axpy(out->com, m->bodies[i].mass, place);
        ff_vec3_axpy(out->velocity, m->bodies[i].mass, motion + 3);
        mass += m->bodies[i].mass;
    }
    ff_vec3_scale(out->com, out->com, 1.0 / mass);
    ff_vec3_scale(out->velocity, out->velocity, 1.0 / mass);
}

/// Adds the forces of the feet of a tree, and their centres of pressure by normal force -> out. @return sum of these
/// normal forces  [N]
static double add_feet(const ff_model *m, const ff_foot *feet, int root, ff_world_balance *out)
{
    double all = 0.0;
    for (int i = 0; i < m->nleg; i++) {
        const ff_foot *foot = &feet[i];
        if (ff_world_root(m, m->limbs[i].body) != root) continue;
        ff_vec3_add(out->force, out->force, foot->force);
        if (!isfinite(foot->cop[0])) continue;
        const double push = ff_vec3_dot(foot->normal, foot->force);
        ff_vec3_axpy(out->cop, push, foot->cop);
        all += push;
    }
    return all;
}

static void find_dcm(const double gravity[3], ff_world_balance *out)
{
    const double g = ff_vec3_norm(gravity);
    double up[3], arm[3];
    ff_vec3_scale(up, gravity, -1.0 / g);
    ff_vec3_sub(arm, out->com, out->cop);
    const double height = ff_vec3_dot(up, arm),
                 time = sqrt(height / g); // NaN for a centre of mass below the feet, and without gravity
    ff_vec3_copy(out->dcm, out->com);
    ff_vec3_axpy(out->dcm, time, out->velocity);
    ff_vec3_axpy(out->dcm, -height - time * ff_vec3_dot(up, out->velocity), up);
}

bool ff_world_get_balance(ff_world *w, ff_sim *sim, int body, ff_world_balance *out)
{
    const ff_foot *feet = ff_world_feet(w, sim, NULL);
    const int root = feet ? ff_world_root(w->model, body) : -1;
    bool any = false;
    for (int i = 0; root >= 0 && i < w->model->nleg; i++)
        any = any || ff_world_root(w->model, w->model->limbs[i].body) == root;
    *out = (ff_world_balance){0};
    if (!any) return false;
    add_masses(w->model, sim->data, root, out);
    const double push = add_feet(w->model, feet, root, out);
    ff_vec3_scale(out->cop, out->cop, push > 0.0 ? 1.0 / push : NAN);
    find_dcm(w->model->gravity, out);
    return true;
}
