// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Pieces of a step that is written out for one model (specialise.c).
#ifndef FOOTFALL_BATCH_LIMBS_H
#define FOOTFALL_BATCH_LIMBS_H

#include "batch/step.h"

enum { FRAME_ROWS = sizeof(frame) / sizeof(real), SUM_ROWS = sizeof(artic) / sizeof(real) };
typedef char sums_have_their_rows[(int)SUM_ROWS == (int)FF_SUM_ROWS ? 1 : -1]; // specialise.c counts on it

/// A node, and what is known of it before the step is compiled.
FN ff_batch_node known_node(const ff_batch_node *from, int type, int depth, int leaf, int branches, int massive,
                            int turned, int npoint)
{
    ff_batch_node node = *from;
    node.type = type, node.depth = depth, node.leaf = leaf, node.branches = branches;
    node.massive = massive, node.turned = turned, node.npoint = npoint;
    return node;
}

/// A degree of freedom likewise: has it a servo, passive forces, dry friction, a spring, stops?
FN ff_batch_dof known_dof(const ff_batch_dof *from, int servo, int nactuator, int passive, int dry, int spring,
                          int limited)
{
    ff_batch_dof d = *from;
    if (!servo) d.servo = -1;
    if (!dry) d.dry = 0.0;
    if (!spring) d.stiffness = 0.0;
    d.nactuator = nactuator, d.passive = passive, d.limited = limited;
    return d;
}

FN void put_rows(real *rows, int stride, const real *from, int count)
{
    UNROLL for (int i = 0; i < count; i++) rows[i * stride] = from[i];
}

FN void take_rows(const real *rows, int stride, real *to, int count)
{
    UNROLL for (int i = 0; i < count; i++) to[i] = rows[i * stride];
}

FN void add_rows(real *rows, int stride, const real *more, int count)
{
    UNROLL for (int i = 0; i < count; i++) rows[i * stride] += more[i];
}

/// What the way out needs of a record: at the end of a limb the axis has nothing left to move.
FN void keep_record(record *to, const record *from, int axis)
{
    UNROLL for (int i = 0; i < 6; i++) to->k[i] = from->k[i];
    if (axis) {
        UNROLL for (int i = 0; i < 6; i++) to->S[i] = from->S[i];
    }
    to->e = from->e;
}

/// Inputs and contacts of a node, which are read when its limb is half done.
FN void call_up_node(const place *at, const ff_batch_node *node, int servo)
{
    UNROLL for (int k = 0; k < 3; k++) if (servo >= 0) call_up(&ROW(at->in, 3 * servo + k));
    for (int k = node->point; k < node->point + node->npoint; k++) {
        UNROLL for (int j = 0; j < FF_POINT_FORCE; j++) call_up(&ROW(at->x, at->model->points[k].row + j));
    }
}

#endif
