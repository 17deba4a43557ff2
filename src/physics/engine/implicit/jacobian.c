// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Jacobians of contact points: as columns along the branches of the trees, and as velocities of points by the twists of
// all bodies.
#include "base/pair.h"
#include "engine/implicit/implicit.h"

ff_side ff_side_make(const ff_sim *sim, int node, const double arm[3], double *memory)
{
    const ff_model *m = sim->model;
    const int last = m->nodes[node].vlast;
    ff_side s = {.dofs = m->M_col + m->M_row[last], .count = m->dof_depth[last] + 1, .linear = memory};
    s.angular = memory + 3 * s.count;
    for (int k = 0; k < s.count; k++) {
        const double *S = sim->data->S + 6 * s.dofs[k];
        ff_vec3_copy(s.angular + 3 * k, S);
        ff_vec3_copy(s.linear + 3 * k, S + 3);
        ff_vec3_cross_add(s.linear + 3 * k, S, arm);
    }
    return s;
}

/// Computes the twist after each degree of freedom.
/// @param S  directions of motion of the degrees of freedom  (6*nv)
static void make_twists(ff_sim *sim, const double *S, const double *v)
{
    const ff_model *m = sim->model;
    double *twist = sim->implicit->factors.twist + 6; // after that of the world, which is zero
    const ff_pair3 rest = ff_pair3_load(twist - 6);
    for (ptrdiff_t i = 0; i < m->nv;) { // tree by tree
        if (m->nodes[m->dof_node[i]].type == FF_NODE_FREE) {
            double *V = twist + 6 * (i + 5); // translations along the axes of the world, turns about those of the body
            const double *columns = S + 6 * i;
            for (int k = 0; k < 3; k++)
                V[k] = columns[18 + k] * v[i + 3] + columns[24 + k] * v[i + 4] + columns[30 + k] * v[i + 5];
            ff_vec3_copy(V + 3, v + i);
            i += 6;
        } else {
            ff_pair3_store(twist + 6 * i, ff_pair3_axpy(rest, ff_pair3_load(S + 6 * i), v[i]));
            i++;
        }
        for (; i < m->nv && m->dof_parent[i] >= 0; i++) {
            const ptrdiff_t parent = m->dof_parent[i];
            ff_pair3_store(twist + 6 * i,
                           ff_pair3_axpy(ff_pair3_load(twist + 6 * parent), ff_pair3_load(S + 6 * i), v[i]));
        }
    }
}

void ff_implicit_twists(ff_sim *sim, const double *v)
{
    make_twists(sim, sim->data->S, v);
}

void ff_factors_twists(ff_sim *sim, const double *v)
{
    make_twists(sim, sim->implicit->factors.S, v);
}

/// Adds the velocity of one side of a point, times the sign.
static inline void add_side(const ff_sim *sim, int node, const double arm[3], double sign, double linear[3],
                            double angular[3])
{
    const ff_model *m = sim->model;
    const int last = m->nodes[node].vlast;
    const double *V = sim->implicit->factors.twist + 6 + 6 * last;
    double u[3];
    ff_vec3_copy(u, V + 3);
    ff_vec3_cross_add(u, V, arm);
    ff_vec3_axpy(linear, sign, u);
    ff_vec3_axpy(angular, sign, V);
}

void ff_implicit_point_velocity(const ff_sim *sim, const ff_step_point *point, double linear[3], double angular[3])
{
    ff_vec3_set(linear, 0.0, 0.0, 0.0);
    ff_vec3_set(angular, 0.0, 0.0, 0.0);
    if (point->node2 >= 0) add_side(sim, point->node2, point->arm2, 1.0, linear, angular);
    if (point->node1 >= 0) add_side(sim, point->node1, point->arm1, -1.0, linear, angular);
}

void ff_factors_point_velocity(const ff_sim *sim, int k, double linear[3])
{
    const ff_step_point *point = &sim->implicit->contacts.points[k];
    const ff_factored_contact *held = &sim->implicit->factors.contacts[k];
    double angular[3] = {0};
    ff_vec3_set(linear, 0.0, 0.0, 0.0);
    if (point->node2 >= 0) add_side(sim, point->node2, held->arm2, 1.0, linear, angular);
    if (point->node1 >= 0) add_side(sim, point->node1, held->arm1, -1.0, linear, angular);
}
