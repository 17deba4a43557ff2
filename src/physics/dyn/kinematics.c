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
#include "dyn/packed.h"
#include "dyn/two.h"

static const ff_pose world_pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

/// Columns of R as rotation axes through r.
static void rotation_axes(double *S, const double R[9], const double r[3])
{
    for (int k = 0; k < 3; k++, S += 6) {
        ff_vec3_set(S, R[k], R[3 + k], R[6 + k]);
        ff_vec3_cross(S + 3, r, S);
    }
}

static void place_free(const ff_model *m, ff_data *d, int i, const double *q)
{
    ff_pose *pose = &d->pose[i];
    double *S = d->S + 6 * m->nodes[i].vadr;
    ff_quat_to_mat3(pose->R, q + 3);
    ff_vec3_set(pose->p, 0, 0, 0);
    ff_vec3_copy(d->tree_origin + 3 * m->nodes[i].tree, q);
    memset(S, 0, 36 * sizeof *S);
    S[3] = S[10] = S[17] = 1.0; // translations along the world's axes
    for (int k = 0; k < 3; k++) ff_vec3_set(S + 18 + 6 * k, pose->R[k], pose->R[3 + k], pose->R[6 + k]);
}

static inline void place_hinge(ff_pose *pose, double *S, const double R[9], double sine, double cosine)
{
    ff_turn_z(pose->R, R, sine, cosine);
    const double z[3] = {R[2], R[5], R[8]};
    ff_vec3_copy(S, z);
    ff_vec3_cross(S + 3, pose->p, z);
}

static void place_slide(ff_pose *pose, double *S, const double R[9])
{
    memcpy(pose->R, R, 9 * sizeof *R);
    ff_vec3_set(S, 0, 0, 0);
    ff_vec3_set(S + 3, R[2], R[5], R[8]);
}

static void place_ball(ff_pose *pose, double *S, const double R[9], const double *q)
{
    double turn[9];
    ff_quat_to_mat3(turn, q);
    ff_mat3_mul(pose->R, R, turn);
    rotation_axes(S, pose->R, pose->p);
}

/// Position of a node whose frame at zero displacement has the attitude R.
static inline void place_origin(const ff_node *node, const ff_pose *parent, const double R[9], double shift, ff_data *d,
                                double p[3])
{
    double step[3];
    ff_mat3_mulv(step, parent->R, node->rest.p);
    if (node->type == FF_NODE_SLIDE) ff_vec3_axpy(step, shift, (double[3]){R[2], R[5], R[8]});
    if (node->parent >= 0) {
        ff_vec3_add(p, parent->p, step);
        return;
    }
    if (node->mocap >= 0) ff_vec3_add(step, step, parent->p);
    ff_vec3_set(p, 0, 0, 0);
    ff_vec3_copy(d->tree_origin + 3 * node->tree, step);
}

static void place_node(const ff_model *m, ff_data *d, int i, double sine, double cosine)
{
    const ff_node *node = &m->nodes[i];
    const double *q = d->q + node->qadr;
    if (node->type == FF_NODE_FREE) {
        place_free(m, d, i, q);
        return;
    }
    const ff_pose *parent = node->parent >= 0  ? &d->pose[node->parent]
                            : node->mocap >= 0 ? &d->mocap[node->mocap]
                                               : &world_pose;
    ff_pose *pose = &d->pose[i];
    double *S = d->S + 6 * node->vadr, R[9];
    ff_mat3_mul(R, parent->R, node->rest.R);
    place_origin(node, parent, R, q[0] - node->ref, d, pose->p);
    if (node->type == FF_NODE_HINGE)
        place_hinge(pose, S, R, sine, cosine);
    else if (node->type == FF_NODE_SLIDE)
        place_slide(pose, S, R);
    else
        place_ball(pose, S, R, q);
}

/// Two hinges whose parents are placed already, one in each lane: the same arithmetic as place_node.
static inline void place_two_hinges(const ff_model *m, ff_data *d, int i, const double *sine, const double *cosine)
{
    const ff_node *a = &m->nodes[i], *b = a + 1;
    const ff_pose *up_a = &d->pose[a->parent], *up_b = &d->pose[b->parent];
    ff_pose *pose_a = &d->pose[i], *pose_b = pose_a + 1;
    double *S_a = d->S + 6 * a->vadr, *S_b = d->S + 6 * b->vadr;
    const ff_pair *B = (const ff_pair *)(m->lanes->rest + 24 * i), *shift = B + 9;
    ff_pair s, c, p[3], z[3];
    memcpy(&s, sine + i, sizeof s);
    memcpy(&c, cosine + i, sizeof c);
    for (int r = 0; r < 3; r++) {
        ff_pair P0 = ff_two(up_a->R, up_b->R, 3 * r), P1 = ff_two(up_a->R, up_b->R, 3 * r + 1);
        ff_pair P2 = ff_two(up_a->R, up_b->R, 3 * r + 2);
        ff_pair x = P0 * B[0] + P1 * B[3] + P2 * B[6], y = P0 * B[1] + P1 * B[4] + P2 * B[7];
        z[r] = P0 * B[2] + P1 * B[5] + P2 * B[8];
        p[r] = ff_two(up_a->p, up_b->p, r) + (P0 * shift[0] + P1 * shift[1] + P2 * shift[2]);
        ff_two_store(pose_a->R, pose_b->R, 3 * r, c * x + s * y);
        ff_two_store(pose_a->R, pose_b->R, 3 * r + 1, c * y - s * x);
        ff_two_store(pose_a->R, pose_b->R, 3 * r + 2, z[r]);
        ff_two_store(pose_a->p, pose_b->p, r, p[r]);
        ff_two_store(S_a, S_b, r, z[r]);
    }
    ff_two_store(S_a, S_b, 3, p[1] * z[2] - p[2] * z[1]);
    ff_two_store(S_a, S_b, 4, p[2] * z[0] - p[0] * z[2]);
    ff_two_store(S_a, S_b, 5, p[0] * z[1] - p[1] * z[0]);
}

void ff_dyn_kinematics(const ff_model *m, ff_data *d)
{
    ff_dyn_kinematics_until(m, d, m->nnode - 1);
    if (m->ntendon > 0) ff_tendons_position(m, d);
}

void ff_dyn_kinematics_until(const ff_model *m, ff_data *d, int last)
{
    const double *sine, *cosine;
    const bool *with_next = m->lanes->with_next;
    if (last + 1 < m->nnode) last++; // the other of two that are placed together
    ff_hinge_sincos(m, d, d->q, last + 1, &sine, &cosine);
    for (int i = 0; i <= last; i++) {
        if (with_next[i] && i < last)
            place_two_hinges(m, d, i++, sine, cosine);
        else
            place_node(m, d, i, sine[i], cosine[i]);
    }
}

/// Velocities and drifts of two hinges, one in each lane: both have parents, and neither carries the other. The
/// arithmetic is that of one.
static inline void move_two_hinges(const ff_model *m, ff_data *d, int i)
{
    const ff_node *a = &m->nodes[i], *b = a + 1;
    const double *Va = d->velocity + 6 * a->parent, *Vb = d->velocity + 6 * b->parent;
    const double *Aa = d->drift + 6 * a->parent, *Ab = d->drift + 6 * b->parent;
    const double *Sa = d->S + 6 * a->vadr, *Sb = d->S + 6 * b->vadr;
    double *V = d->velocity + 6 * i, *A = d->drift + 6 * i;
    const ff_pair v = {d->v[a->vadr], d->v[b->vadr]};
    ff_pair up[6], move[6], turn[6], shift[3];
    for (int k = 0; k < 6; k++) {
        up[k] = ff_two(Va, Vb, k);
        move[k] = ff_two(Sa, Sb, k) * v;
        ff_two_store(V, V + 6, k, up[k] + move[k]);
    }
    ff_cross_two(turn, up, move);
    ff_cross_two(turn + 3, up, move + 3);
    ff_cross_two(shift, up + 3, move);
    for (int k = 0; k < 3; k++) turn[k + 3] += shift[k];
    for (int k = 0; k < 6; k++) ff_two_store(A, A + 6, k, turn[k] + ff_two(Aa, Ab, k));
}

void ff_dyn_velocity(const ff_model *m, ff_data *d)
{
    static const _Alignas(16) double rest[6] = {0};
    const bool *with_next = m->lanes->with_next;
    _Alignas(16) double joint[6];
    for (int i = 0; i < m->nnode; i++) {
        if (with_next[i]) {
            move_two_hinges(m, d, i++);
            continue;
        }
        const ff_node *node = &m->nodes[i];
        const double *V0 = node->parent < 0 ? rest : d->velocity + 6 * node->parent;
        const double *A0 = node->parent < 0 ? rest : d->drift + 6 * node->parent;
        const double *v = d->v + node->vadr, *S = d->S + 6 * node->vadr;
        double *V = d->velocity + 6 * i, *A = d->drift + 6 * i;
        if (node->type == FF_NODE_FREE) {
            // three slides, which leave no drift, then a ball on a base that moves with them
            ff_mat3_mulv(V, d->pose[i].R, v + 3);
            ff_vec3_copy(V + 3, v);
            ff_vec3_set(A, 0, 0, 0);
            ff_vec3_cross(A + 3, v, V);
            continue;
        }
        const ff_pair3 V_up = ff_pair3_load(V0);
        ff_pair3 move = ff_pair3_axpy((ff_pair3){{0, 0}, {0, 0}, {0, 0}}, ff_pair3_load(S), v[0]);
        if (node->type == FF_NODE_BALL)
            move = ff_pair3_axpy(ff_pair3_axpy(move, ff_pair3_load(S + 6), v[1]), ff_pair3_load(S + 12), v[2]);
        ff_pair3_store(V, ff_pair3_add(V_up, move));
        ff_pair3_store(joint, move);
        ff_motion_cross(A, V0, joint);
        for (int k = 0; k < 6; k++) A[k] += A0[k];
    }
    if (m->ntendon > 0) ff_tendons_velocity(m, d);
}
