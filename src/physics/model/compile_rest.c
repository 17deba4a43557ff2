// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Settings that are relative to the inertia J that a joint moves in the reference pose, as MJCF has them:
//     spring of a joint by time constant T and damping ratio z     k = J / (T z)^2     b = 2 J / T
// With M the mass matrix there, armatures included, J = 1 / (M^-1)_ii for the spring (all other joints are free; of a
// joint with several degrees of freedom the mean of (M^-1)_ii counts). Actuators (compile_actuators.c) have J = M_ii,
// where all others are held. So does MuJoCo 3.1.4 to 3.14 (engine_setconst.c, user_model.cc); from 3.15 on it takes the
// first J for both.
// Factors M = L' D L and their sparsity: R. Featherstone, Rigid Body Dynamics Algorithms (2008), section 6.5.
#include "model/compile.h"

#include <footfall/spatial.h>

#define MOST_WORK 1e9 // of the factorisation  [multiplications]

/// Motion of degree of freedom `i` of a node, in node axes: angular, linear. Linear speeds of a free node are along the
/// axes of the world elsewhere, which changes nothing here: the mean over the three is the same in all axes.
static void subspace(ff_node_type type, int i, double S[6])
{
    memset(S, 0, 6 * sizeof *S);
    switch (type) {
    case FF_NODE_HINGE:
        S[2] = 1.0;
        break;
    case FF_NODE_SLIDE:
        S[5] = 1.0;
        break;
    case FF_NODE_BALL:
        S[i] = 1.0;
        break;
    case FF_NODE_FREE:
        S[(i + 3) % 6] = 1.0;
        break;
    }
}

/// The wrench f of a node's frame, seen from the frame of its parent at rest.
static void to_parent(const ff_pose *rest, double f[6])
{
    double turned[6];
    ff_mat3_mulv(turned, rest->R, f);
    ff_mat3_mulv(turned + 3, rest->R, f + 3);
    ff_vec3_cross_add(turned, rest->p, turned + 3);
    memcpy(f, turned, sizeof turned);
}

/// Row of M that belongs to degree of freedom `i`: the momentum of what it carries, along the degrees of freedom above.
static void fill_row(const ff_compiler *c, int i, double *M)
{
    const ff_model *m = c->model;
    int at = m->dof_node[i];
    double S[6], f[6];
    subspace(m->nodes[at].type, i - m->nodes[at].vadr, S);
    ff_inertia_mul(f, &c->composite[at], S);
    for (int a = i; a >= 0; a = m->dof_parent[a]) {
        for (; at != m->dof_node[a]; at = m->nodes[at].parent) to_parent(&m->nodes[at].rest, f);
        subspace(m->nodes[at].type, a - m->nodes[at].vadr, S);
        M[m->M_row[i] + m->dof_depth[a]] = ff_dot6(S, f);
    }
    M[m->M_row[i + 1] - 1] += m->dof_armature[i];
}

/// M = L' D L in place: D on the diagonal, L below it.
static void factor(const ff_model *m, double *M)
{
    for (int k = m->nv - 1; k >= 0; k--) {
        double *row = M + m->M_row[k];
        const double pivot = row[m->dof_depth[k]];
        for (int i = m->dof_parent[k]; i >= 0; i = m->dof_parent[i]) {
            const double share = row[m->dof_depth[i]] / pivot;
            double *above = M + m->M_row[i];
            for (int d = 0; d <= m->dof_depth[i]; d++) above[d] -= share * row[d];
            row[m->dof_depth[i]] = share;
        }
    }
}

/// (M^-1)_ii = y' D^-1 y with L' y = e_i, where only ancestors of i have a part. `y` is scratch (largest depth + 1).
static double mobility_of(const ff_model *m, const double *LD, int i, double *y)
{
    double sum = 0.0;
    memset(y, 0, ((size_t)m->dof_depth[i] + 1) * sizeof *y);
    y[m->dof_depth[i]] = 1.0;
    for (int k = i; k >= 0; k = m->dof_parent[k]) {
        const double *row = LD + m->M_row[k], part = y[m->dof_depth[k]];
        for (int d = 0; d < m->dof_depth[k]; d++) y[d] -= row[d] * part;
        sum += part * part / row[m->dof_depth[k]];
    }
    return sum;
}

static bool has_timed_spring(const ff_spec_joint *joint)
{
    return joint->spring_time > 0.0 && joint->spring_ratio > 0.0;
}

/// First joint whose spring is given by a time constant, NULL: none.
static const ff_spec_joint *first_timed_spring(const ff_spec *spec)
{
    for (int k = 0; k < spec->njoint; k++)
        if (has_timed_spring(&spec->joints[k])) return &spec->joints[k];
    return NULL;
}

static void set_spring(ff_model *m, const ff_spec_joint *from, ff_joint *joint, const double *LD, double *y)
{
    const int nv = ff_joint_nv(joint->type);
    double mobility = 0.0;
    for (int i = joint->vadr; i < joint->vadr + nv; i++) mobility += mobility_of(m, LD, i, y);
    const double inertia = nv / mobility, time = from->spring_time * from->spring_ratio;
    joint->stiffness = inertia / (time * time);
    joint->damping = from->damping + 2.0 * inertia / from->spring_time;
    for (int i = joint->vadr; i < joint->vadr + nv; i++) m->dof_damping[i] = joint->damping;
}

static bool is_too_long(const ff_model *m)
{
    double work = 0.0;
    for (int i = 0; i < m->nv; i++) work += (double)m->dof_depth[i] * m->dof_depth[i];
    return work > MOST_WORK;
}

/// L and D of M, made once; NULL without memory.
static double *factors(ff_compiler *c)
{
    const ff_model *m = c->model;
    if (c->rest_factors) return c->rest_factors;
    double *LD = c->rest_factors = FF_ARENA_NEW(&c->scratch, double, m->nM + 1);
    for (int i = 0; LD && i < m->nv; i++) fill_row(c, i, LD);
    if (LD) factor(m, LD);
    return LD;
}

bool ff_compile_response(ff_compiler *c, double *x)
{
    const ff_model *m = c->model;
    if (is_too_long(m)) {
        ff_report_add(c->report, FF_ERROR, c->spec->actuators[0].place,
                      "the chains of joints are too long to find peak forces of muscles; give 'force' of each");
        return true;
    }
    const double *LD = factors(c);
    if (!LD) return false;
    for (int k = m->nv - 1; k >= 0; k--) // L' y = x
        for (int i = m->dof_parent[k]; i >= 0; i = m->dof_parent[i]) x[i] -= LD[m->M_row[k] + m->dof_depth[i]] * x[k];
    for (int k = 0; k < m->nv; k++) { // L x = D^-1 y
        x[k] /= LD[m->M_row[k + 1] - 1];
        for (int i = m->dof_parent[k]; i >= 0; i = m->dof_parent[i]) x[k] -= LD[m->M_row[k] + m->dof_depth[i]] * x[i];
    }
    return true;
}

bool ff_compile_springs(ff_compiler *c)
{
    ff_model *m = c->model;
    const ff_spec_joint *first = first_timed_spring(c->spec);
    if (!first) return true;
    if (is_too_long(m)) {
        ff_report_add(c->report, FF_ERROR, first->place,
                      "joint \"%s\": its spring is given by a time constant, and the chains of joints are too long to "
                      "find the inertia for it; give stiffness and damping",
                      first->name);
        return false;
    }
    double *LD = factors(c), *y = FF_ARENA_NEW(&c->scratch, double, m->nv + 1);
    if (!LD || !y) return false;
    for (int k = 0; k < c->spec->njoint; k++)
        if (has_timed_spring(&c->spec->joints[k]))
            set_spring(m, &c->spec->joints[k], &m->joints[c->joint_to[k]], LD, y);
    return true;
}

double ff_compile_inertia_of(const ff_compiler *c, int i)
{
    const ff_model *m = c->model;
    const int at = m->dof_node[i];
    double S[6], f[6];
    subspace(m->nodes[at].type, i - m->nodes[at].vadr, S);
    ff_inertia_mul(f, &c->composite[at], S);
    return ff_dot6(S, f) + m->dof_armature[i];
}
