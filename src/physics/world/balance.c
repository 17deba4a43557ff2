// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How the feet of a robot carry it: common centre of pressure and divergent component of motion. With the pushes p_i of
// the feet along their normals, u up, g the size of gravity and h = u (com - cop):
//     cop = sum p_i cop_i / sum p_i,     dcm = com - h u + (v - (u v) u) sqrt(h / g)
// The latter is the capture point of a pendulum of constant height (J. Pratt et al., Capture point, Humanoids 2006),
// whose foot stands at cop; without a foot that carries there is no such pendulum.
#include <footfall/world.h>

#include <math.h>

#include "world/world.h"

int ff_world_root(const ff_model *m, int body)
{
    int node = body >= 0 && body < m->nbody ? m->bodies[body].node : -1;
    while (node >= 0 && m->nodes[node].parent >= 0) node = m->nodes[node].parent;
    return node;
}

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

/// @return how much all feet are pushed together, 0 where none is  [N]
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
    const double height = ff_vec3_dot(up, arm), time = sqrt(height / g); // NaN below the feet, and without weight
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
