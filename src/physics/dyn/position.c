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

void ff_dyn_qdot(const ff_model *m, const double *q, const double *v, double *qdot)
{
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        const double *qi = q + node->qadr, *vi = v + node->vadr;
        double *out = qdot + node->qadr;
        switch (node->type) {
        case FF_NODE_HINGE:
        case FF_NODE_SLIDE:
            out[0] = vi[0];
            break;
        case FF_NODE_BALL:
            quat_rate(out, qi, vi);
            break;
        case FF_NODE_FREE:
            ff_vec3_copy(out, vi);
            quat_rate(out + 3, qi + 3, vi + 3);
            break;
        }
    }
}

void ff_dyn_normalise(const ff_model *m, double *q)
{
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        if (node->type == FF_NODE_BALL) ff_quat_normalise(q + node->qadr);
        if (node->type == FF_NODE_FREE) ff_quat_normalise(q + node->qadr + 3);
    }
}

void ff_dyn_advance(const ff_model *m, const double *q, const double *v, double t, double *q_out)
{
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        const double *qi = q + node->qadr, *vi = v + node->vadr;
        double *out = q_out + node->qadr;
        switch (node->type) {
        case FF_NODE_HINGE:
        case FF_NODE_SLIDE:
            out[0] = qi[0] + t * vi[0];
            break;
        case FF_NODE_BALL:
            ff_quat_integrate(out, qi, vi, t);
            break;
        case FF_NODE_FREE:
            for (int k = 0; k < 3; k++) out[k] = qi[k] + t * vi[k];
            ff_quat_integrate(out + 3, qi + 3, vi + 3, t);
            break;
        }
    }
}

void ff_dyn_difference(const ff_model *m, const double *q_from, const double *q_to, double *v_out)
{
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        const double *a = q_from + node->qadr, *b = q_to + node->qadr;
        double *out = v_out + node->vadr;
        switch (node->type) {
        case FF_NODE_HINGE:
        case FF_NODE_SLIDE:
            out[0] = b[0] - a[0];
            break;
        case FF_NODE_BALL:
            ff_quat_difference(out, a, b);
            break;
        case FF_NODE_FREE:
            ff_vec3_sub(out, b, a);
            ff_quat_difference(out + 3, a + 3, b + 3);
            break;
        }
    }
}
