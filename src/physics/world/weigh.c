// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Effective masses of shapes, for damping and the advice about steps.
#include "world/world.h"

#include <math.h>
#include <string.h>

/// W = J M^-1 J' for the lowest point of a shape: its velocity along the rows of `axes`, then the angular velocity in
/// the axes of the node. Needs the factors M = L' D L in d. J and L'^-1 J' have entries only at the degrees of freedom
/// between the shape and its root: W = (L'^-1 J')' D^-1 (L'^-1 J').
static void mobility(const ff_world *w, const ff_data *d, const ff_item *it, double axes[3][3], double *rows,
                     double W[6][6])
{
    const ff_model *m = w->model;
    const ff_node *node = &m->nodes[it->node];
    const int last = node->vlast;
    const double reach = isfinite(it->reach) ? it->reach : 0.0;
    double arm[3], p[3];
    ff_mat3_mulv(p, d->pose[it->node].R, it->local.p);
    for (int i = 0; i < 3; i++) arm[i] = d->pose[it->node].p[i] + p[i] - reach * axes[0][i];
    for (int i = last; i >= 0; i = m->dof_parent[i]) {
        double v[3];
        ff_vec3_cross(v, d->S + 6 * i, arm);
        ff_vec3_add(v, v, d->S + 6 * i + 3);
        for (int a = 0; a < 3; a++) rows[6 * i + a] = ff_vec3_dot(v, axes[a]);
        ff_mat3_tmulv(rows + 6 * i + 3, d->pose[it->node].R, d->S + 6 * i);
    }
    memset(W, 0, 6 * sizeof *W);
    for (int i = last; i >= 0; i = m->dof_parent[i]) {
        const int end = m->M_row[i + 1] - 1; // the diagonal, where D is inverted
        for (int k = m->M_row[i]; k < end; k++)
            for (int a = 0; a < 6; a++) rows[6 * m->M_col[k] + a] -= d->LD[k] * rows[6 * i + a];
        for (int a = 0; a < 36; a++) W[a / 6][a % 6] += d->LD[end] * rows[6 * i + a / 6] * rows[6 * i + a % 6];
    }
}

/// @return effective masses of a moving shape: 1 / W along axes[0], 1 / (larger eigenvalue of W) across it
static ff_weight weigh(const ff_world *w, const ff_data *d, const ff_item *it, double axes[3][3], double *rows)
{
    double W[6][6];
    mobility(w, d, it, axes, rows, W);
    const double mean = 0.5 * (W[1][1] + W[2][2]), half = 0.5 * (W[1][1] - W[2][2]);
    const double across = mean + sqrt(half * half + W[1][2] * W[1][2]);
    ff_weight weight = {.mass = W[0][0] > 0.0 ? 1.0 / W[0][0] : INFINITY, .lateral_inverse_mass = across};
    for (int a = 0; a < 9; a++) weight.turning[a] = W[3 + a / 3][3 + a % 3];
    return weight;
}

bool ff_world_weigh(ff_world *w, ff_sim *sim)
{
    const ff_model *m = w->model;
    ff_data *d = sim->data;
    double axes[3][3]; // up, and two across
    ff_vec3_scale(axes[0], m->gravity, -1.0);
    if (!(ff_vec3_normalise(axes[0]) > 0.0)) ff_vec3_set(axes[0], 0.0, 0.0, 1.0);
    const bool steep = fabs(axes[0][2]) > 0.7;
    const double other[3] = {steep, 0.0, !steep};
    ff_vec3_cross(axes[1], axes[0], other);
    ff_vec3_normalise(axes[1]);
    ff_vec3_cross(axes[2], axes[0], axes[1]);
    ff_dyn_mass(m, d);
    if (!ff_dyn_factor(m, d)) return false;
    for (int i = 0; i < w->nshape; i++)
        w->weights[i] = w->items[i].node < 0 ? (ff_weight){.mass = INFINITY} : weigh(w, d, &w->items[i], axes, w->rows);
    return true;
}

double ff_world_pair_mass(const ff_world *w, int shape1, int shape2)
{
    return 1.0 / (1.0 / w->weights[shape1].mass + 1.0 / w->weights[shape2].mass);
}

/// Adds the angular velocity by a unit moment at the point on one of its bodies -> turning[0] about the normal,
/// turning[1] as the mean of the axes across it, where the tangential spring holds the point at a distance h below the
/// middle of the shape: I + m h^2.  [1/(kg m^2)]
static void add_turning(const ff_world *w, const ff_data *d, int shape, const ff_touch *t, double turning[2])
{
    const ff_item *it = &w->items[shape];
    const ff_weight *weight = &w->weights[shape];
    if (it->node < 0) return;
    double n[3], Wn[3], up[3];
    ff_mat3_tmulv(n, d->pose[it->node].R, t->point.normal);
    ff_mat3_mulv(Wn, weight->turning, n);
    ff_vec3_sub(up, it->pose.p, t->place);
    const double along = ff_vec3_dot(n, Wn), h = ff_vec3_dot(up, t->point.normal);
    const double across = 0.5 * (weight->turning[0] + weight->turning[4] + weight->turning[8] - along);
    turning[0] += along;
    turning[1] += across / (1.0 + across * (isfinite(weight->mass) ? weight->mass * h * h : 0.0));
}

void ff_world_find_inertia(const ff_world *w, const ff_data *d, ff_touch *t)
{
    double turning[2] = {0};
    add_turning(w, d, t->shape1, t, turning);
    add_turning(w, d, t->shape2, t, turning);
    for (int i = 0; i < 2; i++) t->point.inertia[i] = turning[i] > 0.0 ? 1.0 / turning[i] : 0.0;
}
