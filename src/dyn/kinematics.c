// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Poses, motion axes and velocities of all nodes, in world axes. Spatial vectors are taken about one point a tree, its
// root's origin o at this instant: then they add along the tree without transforms, and stay exact however far the
// robot has walked.
//     S = (z, r x z) for a hinge, (0, z) for a slide           r = p - o
//     V_i = V_parent + S v        drift_i = drift_parent + V_parent x S v
#include <footfall/dyn.h>

#include "dyn/layout.h"

static const ff_pose world_pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

/// Columns of R as rotation axes through r.
static void rotation_axes(double *S, const double R[9], const double r[3])
{
    for (int k = 0; k < 3; k++, S += 6) {
        ff_vec3_set(S, R[k], R[3 + k], R[6 + k]);
        ff_vec3_cross(S + 3, r, S);
    }
}

static void place_root(const ff_model *m, ff_data *d, const ff_node *node, const double p[3])
{
    double *origin = d->tree_origin + 3 * node->tree;
    ff_vec3_copy(origin, p);
    ff_vec3_set(d->offset + 3 * (node - m->nodes), 0, 0, 0);
}

static void place_free(const ff_model *m, ff_data *d, int i, const double *q)
{
    ff_pose *pose = &d->pose[i];
    double *S = d->S + 6 * m->nodes[i].vadr;
    ff_quat_to_mat3(pose->R, q + 3);
    ff_vec3_copy(pose->p, q);
    place_root(m, d, &m->nodes[i], q);
    memset(S, 0, 36 * sizeof *S);
    S[3] = S[10] = S[17] = 1.0; // translations along the world's axes
    for (int k = 0; k < 3; k++) ff_vec3_set(S + 18 + 6 * k, pose->R[k], pose->R[3 + k], pose->R[6 + k]);
}

/// out = P rest.R, row by row.
static inline void rest_attitude(double out[9], const double P[9], const ff_node *node)
{
    if (!node->square) {
        ff_mat3_mul(out, P, node->rest.R);
        return;
    }
    const int *from = node->from;
    const double *sign = node->sign;
    for (int r = 0; r < 9; r += 3)
        for (int k = 0; k < 3; k++) out[r + k] = P[r + from[k]] * sign[k];
}

static void place_hinge(ff_pose *pose, double *S, const double R[9], const double r[3], double sine, double cosine)
{
    ff_turn_z(pose->R, R, sine, cosine);
    ff_vec3_set(S, R[2], R[5], R[8]);
    ff_vec3_cross(S + 3, r, S);
}

static void place_slide(ff_pose *pose, double *S, const double R[9])
{
    memcpy(pose->R, R, 9 * sizeof *R);
    ff_vec3_set(S, 0, 0, 0);
    ff_vec3_set(S + 3, R[2], R[5], R[8]);
}

static void place_ball(ff_pose *pose, double *S, const double R[9], const double r[3], const double *q)
{
    double turn[9];
    ff_quat_to_mat3(turn, q);
    ff_mat3_mul(pose->R, R, turn);
    rotation_axes(S, pose->R, r);
}

void ff_dyn_kinematics(const ff_model *m, ff_data *d)
{
    const double *sine, *cosine;
    ff_hinge_sincos(m, d, d->q, &sine, &cosine);
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        const double *q = d->q + node->qadr;
        if (node->type == FF_NODE_FREE) {
            place_free(m, d, i, q);
            continue;
        }
        const ff_pose *parent = node->parent < 0 ? &world_pose : &d->pose[node->parent];
        ff_pose *pose = &d->pose[i];
        double *S = d->S + 6 * node->vadr, *r = d->offset + 3 * i, step[3], R[9];
        ff_mat3_mulv(step, parent->R, node->rest.p);
        rest_attitude(R, parent->R, node);
        if (node->type == FF_NODE_SLIDE) ff_vec3_axpy(step, q[0] - node->ref, (double[3]){R[2], R[5], R[8]});
        ff_vec3_add(pose->p, parent->p, step);
        if (node->parent < 0)
            place_root(m, d, node, pose->p);
        else
            ff_vec3_add(r, d->offset + 3 * node->parent, step);
        if (node->type == FF_NODE_HINGE)
            place_hinge(pose, S, R, r, sine[i], cosine[i]);
        else if (node->type == FF_NODE_SLIDE)
            place_slide(pose, S, R);
        else
            place_ball(pose, S, R, r, q);
    }
}

void ff_dyn_velocity(const ff_model *m, ff_data *d)
{
    static const double rest[6] = {0};
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        const double *V0 = node->parent < 0 ? rest : d->velocity + 6 * node->parent;
        const double *A0 = node->parent < 0 ? rest : d->drift + 6 * node->parent;
        const double *v = d->v + node->vadr, *S = d->S + 6 * node->vadr;
        double *V = d->velocity + 6 * i, *A = d->drift + 6 * i, joint[6];
        if (node->type == FF_NODE_FREE) {
            // three slides, which leave no drift, then a ball on a base that moves with them
            ff_mat3_mulv(V, d->pose[i].R, v + 3);
            ff_vec3_copy(V + 3, v);
            ff_vec3_set(A, 0, 0, 0);
            ff_vec3_cross(A + 3, v, V);
            continue;
        }
        for (int k = 0; k < 6; k++) joint[k] = S[k] * v[0];
        if (node->type == FF_NODE_BALL)
            for (int k = 0; k < 6; k++) joint[k] += S[6 + k] * v[1] + S[12 + k] * v[2];
        for (int k = 0; k < 6; k++) V[k] = V0[k] + joint[k];
        ff_motion_cross(A, V0, joint);
        for (int k = 0; k < 6; k++) A[k] += A0[k];
    }
}
