// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Free bodies in a semi-implicit step of contact without compliance. By itself such a step takes m g^2 h / 2 a second
// from a body that falls, and gives energy to one that turns about no principal axis: (w x I w)' I^-1 (w x I w) h / 2.
#include "world/rigid.h"

#include <footfall/linalg.h>

enum { ROUNDS = 4 }; // of Newton's method, which starts within h w of the solution: 1e-16 for a turn of a tenth

// A body in flight moves by the mean of its velocities before and after, where gravity is what changes them: then it
// keeps its energy, as an elastic bounce does.
void ff_rigid_fly(const ff_world *w, double h, double *q)
{
    const ff_model *m = w->model;
    for (int k = 0; k < m->ntree; k++) {
        const ff_node *root = &m->nodes[m->tree_root[k]];
        if (root->type != FF_NODE_FREE) continue;
        const int block = w->rigid->block_of[root->vadr];
        if (w->rigid->pushed[block] || w->rigid->blocks[block].looped) continue;
        ff_vec3_axpy(q + root->qadr, -0.5 * h * h, m->gravity);
    }
}

/// Is the root all there is of its tree, and its origin the centre of mass? Others keep the term of the step.
static bool is_body(const ff_model *m, const ff_node *root)
{
    const int next = root->vadr + 6;
    const bool alone = next == m->nv || m->dof_parent[next] < 0;
    return root->type == FF_NODE_FREE && alone && ff_vec3_norm(root->inertia.h) == 0.0;
}

/// r = I (w - w0) - h tau + h m x I m for the mean m of w0 and w, and its slope on w.
static void turning(const double I[6], const double w0[3], const double w[3], const double impulse[3], double h,
                    double r[3], double slope[9])
{
    double mean[3], change[3], L[3];
    for (int i = 0; i < 3; i++) mean[i] = 0.5 * (w0[i] + w[i]), change[i] = w[i] - w0[i];
    ff_sym3_mulv(L, I, mean);
    ff_sym3_mulv(r, I, change);
    for (int k = 0; k < 3; k++) { // columns
        double unit[3] = {0}, column[3], turned[3];
        unit[k] = 1.0;
        ff_sym3_mulv(column, I, unit);
        ff_vec3_cross(turned, mean, column);
        ff_vec3_cross_add(turned, unit, L);
        for (int i = 0; i < 3; i++) slope[3 * i + k] = column[i] + 0.5 * h * turned[i];
    }
    double gyroscopic[3];
    ff_vec3_cross(gyroscopic, mean, L);
    for (int i = 0; i < 3; i++) r[i] += h * gyroscopic[i] - impulse[i];
}

// By the midpoint rule in the axes of the body, I (w1 - w0) + h m x I m = h tau, whose work is that of tau alone.
void ff_rigid_turn(const ff_world *w, const double *v0, double h, double *v)
{
    const ff_model *model = w->model;
    for (int k = 0; k < model->ntree; k++) {
        const ff_node *root = &model->nodes[model->tree_root[k]];
        if (!is_body(model, root)) continue;
        const double *I = root->inertia.I, *start = v0 + root->vadr + 3;
        double *end = v + root->vadr + 3, change[3], L[3], impulse[3];
        ff_vec3_sub(change, end, start);
        ff_sym3_mulv(impulse, I, change);
        ff_sym3_mulv(L, I, start);
        double gyroscopic[3];
        ff_vec3_cross(gyroscopic, start, L);
        if (ff_vec3_norm(gyroscopic) == 0.0) continue;
        ff_vec3_axpy(impulse, h, gyroscopic); // h tau
        for (int round = 0; round < ROUNDS; round++) {
            double r[3], slope[9];
            int pivot[3];
            turning(I, start, end, impulse, h, r, slope);
            if (!ff_lu_factor(slope, pivot, 3)) break; // never: an inertia and a small turn
            ff_lu_solve(slope, pivot, 3, r);
            ff_vec3_sub(end, end, r);
        }
    }
}
