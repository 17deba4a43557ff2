// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Pieces of a step that is written out for one model (specialise.c).
#ifndef FOOTFALL_BATCH_LIMBS_H
#define FOOTFALL_BATCH_LIMBS_H

#include "batch/step.h"

enum {
    FRAME_ROWS = sizeof(frame) / sizeof(real),
    SUM_ROWS = sizeof(artic) / sizeof(real),
    LUMP_ROWS = sizeof(lump) / sizeof(real)
};
// specialise.c counts on them
typedef char rows_are_right[(int)SUM_ROWS == (int)FF_SUM_ROWS && (int)FRAME_ROWS == (int)FF_FRAME_ROWS &&
                                    (int)LUMP_ROWS == (int)FF_LUMP_ROWS
                                ? 1
                                : -1];

/// Of the pieces of a schedule. GCC finds registers for them one by one only: with all in one function ANTON's march
/// took 12 % longer on arm64; by clang it took 16 % less.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define PIECE APART
#else
#define PIECE FN
#endif

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

/// What the crew of a robot shares, by stations: sums, and frames, in whose place accelerations come when they have
/// been used; and the origin of the tree.
#define FRAME_STRIDE (CREW > 1 ? NEAR_STRIDE : 1)
#define SUMS(s)      (&NEXT(at->near, (s)*SUM_SPACE))
#define FRAMES(s)    (at->station_frames + (s)*FRAME_ROWS * FRAME_STRIDE)
#define OUTS(s)      FRAMES(s)
#define ORIGIN       (at->station_frames + (STATION_ROWS - 3) * FRAME_STRIDE)

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

/// A node of the trunk, between the way down and the way up.
typedef struct opened {
    coordinates c;
    lump l;
    record r[3];
} opened;

#ifndef OWN_STRIDE
#define OWN_STRIDE 0 // a thread has no fast memory of its own
#endif

/// The body of a node of a limb, while those behind it are done: a thread has too few registers for all of them.
FN void store_lump(const place *at, int node, const lump *l)
{
#if OWN_STRIDE > 0
    UNROLL for (int i = 0; i < LUMP_ROWS; i++) at->own[(node * LUMP_ROWS + i) * OWN_STRIDE] = ((const real *)l)[i];
#else
    (void)at, (void)node, (void)l;
#endif
}

FN void load_lump(const place *at, int node, lump *l)
{
#if OWN_STRIDE > 0
    asm volatile("" ::: "memory"); // else the compiler sees that it has these numbers, and finds no register for them
    UNROLL for (int i = 0; i < LUMP_ROWS; i++)((real *)l)[i] = at->own[(node * LUMP_ROWS + i) * OWN_STRIDE];
#else
    (void)at, (void)node, (void)l;
#endif
}

/// A free root moves on with the acceleration a.
FN void free_out(const place *at, const ff_batch_node *node, const real *a)
{
    real quat[4], R[9];
    UNROLL for (int i = 0; i < 4; i++) quat[i] = ROW(at->x, node->q + 3 + i);
    quat_to_matrix(R, quat);
    root_out(at, node, R, a);
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

/// In the fast mode the way out of a limb starts from its station for all its degrees of freedom: k and e of `r` take
/// in what the one before it does, qacc = e - k (a + S (e_before - k_before a)).
FN void take_in(record *r, const record *before)
{
    const real share = dot6(r->k, before->S);
    UNROLL for (int i = 0; i < 6; i++) r->k[i] -= share * before->k[i];
    r->e -= share * before->e;
}

/// A node of a limb moves on with its station, whose acceleration is a.
FN void limb_node_out(const place *at, const ff_batch_node *node, const record *r, real *a)
{
#ifdef FF_FAST
    real qacc[6];
    UNROLL for (int j = 0; j < 3; j++) if (j == 0 || node->type == FF_LINK_BALL) qacc[j] = r[j].e - dot6(r[j].k, a);
    move_node(at, node, qacc);
#else
    node_out(at, node, r, a);
#endif
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
