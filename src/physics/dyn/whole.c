// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Quantities of the whole model, bodies fixed to the world included: centre of mass and weight, centroidal momentum and
// its matrix (D. E. Orin, A. Goswami, IROS 2008), energy.
#include <footfall/dyn.h>

#include "base/pair.h"
#include "dyn/layout.h"
#include "dyn/two.h"

/// First moment m (x - o) of a node about its tree's origin, world axes.
static void first_moment(const ff_model *m, const ff_data *d, int i, double h[3])
{
    ff_mat3_mulv(h, d->pose[i].R, m->nodes[i].inertia.h);
    ff_vec3_axpy(h, m->nodes[i].inertia.mass, d->pose[i].p);
}

/// First moments of the lumps 2 k and 2 k + 1, which belong to nodes i and j, one in each lane.
static inline void two_moments(const ff_model *m, const ff_data *d, int k, int i, int j, ff_pair h[3])
{
    const ff_pair *in = (const ff_pair *)(m->lanes->inertia + 20 * k), *g = in + 1;
    const double *Ra = d->pose[i].R, *Rb = d->pose[j].R, *ra = d->pose[i].p, *rb = d->pose[j].p;
    for (int r = 0; r < 3; r++)
        h[r] = ff_two(Ra, Rb, 3 * r) * g[0] + ff_two(Ra, Rb, 3 * r + 1) * g[1] + ff_two(Ra, Rb, 3 * r + 2) * g[2] +
               in[0] * ff_two(ra, rb, r);
}

void ff_dyn_com(const ff_model *m, const ff_data *d, double com[3])
{
    double sum[3];
    ff_vec3_copy(sum, m->fixed_moment);
    for (int k = 0; m->mass > 0 && k < m->nlump; k += 2) { // nodes that are no lump have no mass
        const int next = k + 1 < m->nlump ? k + 1 : k, nodes[2] = {m->lump_node[k], m->lump_node[next]};
        ff_pair h[3];
        two_moments(m, d, k / 2, nodes[0], nodes[1], h);
        for (int n = 0; n <= next - k; n++) {
            const ff_node *node = &m->nodes[nodes[n]];
            const double *origin = d->tree_origin + 3 * node->tree;
            for (int r = 0; r < 3; r++) sum[r] = (sum[r] + h[r][n]) + node->inertia.mass * origin[r];
        }
    }
    ff_vec3_copy(com, sum);
    if (m->mass > 0) ff_vec3_scale(com, com, 1.0 / m->mass);
}

void ff_dyn_gravity(const ff_model *m, ff_data *d, double *tau)
{
    double *carried = ff_scratch_body(m, d); // wrench that holds each node and all it carries
    const ff_pair g[3] = {ff_pair_both(m->gravity[0]), ff_pair_both(m->gravity[1]), ff_pair_both(m->gravity[2])};
    memset(carried, 0, 6 * (size_t)m->nnode * sizeof *carried);
    for (int k = 0; k < m->nlump; k += 2) {
        const int next = k + 1 < m->nlump ? k + 1 : k, i = m->lump_node[k], j = m->lump_node[next];
        const ff_pair mass = *(const ff_pair *)(m->lanes->inertia + 10 * k);
        ff_pair h[3], moment[3];
        two_moments(m, d, k / 2, i, j, h);
        ff_cross_two(moment, g, h);
        for (int r = 0; r < 3; r++) {
            ff_two_store(carried + 6 * i, carried + 6 * j, r, moment[r]);
            ff_two_store(carried + 6 * i, carried + 6 * j, r + 3, g[r] * -mass);
        }
    }
    for (int i = m->nnode - 1; i >= 0; i--) {
        const ff_node *node = &m->nodes[i];
        const ff_pair3 wrench = ff_pair3_load(carried + 6 * i);
        for (int k = node->vadr; k <= node->vlast; k++) tau[k] = ff_pair3_dot(ff_pair3_load(d->S + 6 * k), wrench);
        if (node->parent < 0) continue;
        double *up = carried + 6 * node->parent;
        ff_pair3_store(up, ff_pair3_add(ff_pair3_load(up), wrench));
    }
}

/// Adds a momentum about the origin of a tree to one about the centre of mass.
static void add_about_com(double total[6], const double f[6], const double origin[3], const double com[3])
{
    double arm[3];
    ff_vec3_sub(arm, origin, com);
    for (int k = 0; k < 6; k++) total[k] += f[k];
    ff_vec3_cross_add(total, arm, f + 3);
}

void ff_dyn_momentum(const ff_model *m, const ff_data *d, double h[6])
{
    double com[3];
    ff_dyn_com(m, d, com);
    memset(h, 0, 6 * sizeof *h);
    for (int i = 0; i < m->nnode; i++) {
        ff_inertia in;
        double f[6];
        ff_inertia_place(&in, &m->nodes[i].inertia, d->pose[i].R, d->pose[i].p);
        ff_inertia_mul(f, &in, d->velocity + 6 * i);
        add_about_com(h, f, d->tree_origin + 3 * m->nodes[i].tree, com);
    }
}

void ff_dyn_momentum_matrix(const ff_model *m, ff_data *d, double *A)
{
    ff_inertia *composite = ff_scratch_body(m, d);
    double com[3];
    ff_dyn_com(m, d, com);
    ff_composite_inertias(m, d, composite);
    for (int i = 0; i < m->nv; i++) {
        double f[6], column[6] = {0};
        int node = m->dof_node[i];
        ff_inertia_mul(f, &composite[m->nodes[node].lump], d->S + 6 * i);
        add_about_com(column, f, d->tree_origin + 3 * m->nodes[node].tree, com);
        for (int k = 0; k < 6; k++) A[k * m->nv + i] = column[k];
    }
}

double ff_dyn_kinetic_energy(const ff_model *m, const ff_data *d)
{
    double twice = 0;
    for (int i = 0; i < m->nnode; i++) {
        ff_inertia in;
        double f[6];
        ff_inertia_place(&in, &m->nodes[i].inertia, d->pose[i].R, d->pose[i].p);
        ff_inertia_mul(f, &in, d->velocity + 6 * i);
        twice += ff_dot6(d->velocity + 6 * i, f);
    }
    for (int i = 0; i < m->nv; i++) twice += m->dof_armature[i] * d->v[i] * d->v[i];
    return 0.5 * (twice + ff_rotors_twice_energy(d));
}

double ff_dyn_potential_energy(const ff_model *m, const ff_data *d)
{
    double sum = -ff_vec3_dot(m->gravity, m->fixed_moment);
    for (int i = 0; i < m->nnode; i++) {
        double h[3];
        first_moment(m, d, i, h);
        ff_vec3_axpy(h, m->nodes[i].inertia.mass, d->tree_origin + 3 * m->nodes[i].tree);
        sum -= ff_vec3_dot(m->gravity, h);
    }
    return sum;
}
