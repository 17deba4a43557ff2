// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The space of generalised positions: its rates, moving along a velocity, and the difference of two positions. Only
// ball and free nodes are not plain numbers.
#include "dyn/packed.h"

#include <footfall/dyn.h>

/// dq/dt = q * (0, w) / 2, w in the child frame.
static void quat_rate(double out[4], const double q[4], const double w[3])
{
    out[0] = 0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
    out[1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    out[2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    out[3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
}

/// Number of coordinates of a node that are plain numbers; those of ball and free nodes are followed by a quaternion.
static inline int plain_numbers(const ff_node *node)
{
    return node->type == FF_NODE_FREE ? 3 : node->type == FF_NODE_BALL ? 0 : 1;
}

static inline bool has_quaternion(const ff_node *node)
{
    return node->type == FF_NODE_BALL || node->type == FF_NODE_FREE;
}

void ff_dyn_qdot(const ff_model *m, const double *q, const double *v, double *qdot)
{
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        const double *qi = q + node->qadr, *vi = v + node->vadr;
        double *out = qdot + node->qadr;
        const int n = plain_numbers(node);
        for (int k = 0; k < n; k++) out[k] = vi[k];
        if (has_quaternion(node)) quat_rate(out + n, qi + n, vi + n);
    }
}

void ff_dyn_normalise(const ff_model *m, double *q)
{
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        if (has_quaternion(node)) ff_quat_normalise(q + node->qadr + plain_numbers(node));
    }
}

void ff_dyn_advance(const ff_model *m, const double *q, const double *v, double t, double *q_out)
{
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        const double *qi = q + node->qadr, *vi = v + node->vadr;
        double *out = q_out + node->qadr;
        const int n = plain_numbers(node);
        for (int k = 0; k < n; k++) out[k] = qi[k] + t * vi[k];
        if (has_quaternion(node)) ff_quat_integrate(out + n, qi + n, vi + n, t);
    }
}

void ff_dyn_difference(const ff_model *m, const double *q_from, const double *q_to, double *v_out)
{
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        const double *a = q_from + node->qadr, *b = q_to + node->qadr;
        double *out = v_out + node->vadr;
        const int n = plain_numbers(node);
        for (int k = 0; k < n; k++) out[k] = b[k] - a[k];
        if (has_quaternion(node)) ff_quat_difference(out + n, a + n, b + n);
    }
}
