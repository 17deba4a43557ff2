// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// State and scratch of a model, in one block.
#include <footfall/dyn.h>

#include <stdlib.h>

#include "base/missing.h"
#include "dyn/layout.h"

/// Sizes of the arrays of ff_data, in doubles; one table serves for measuring and for dividing the block.
typedef struct piece {
    double **target;
    size_t count;
} piece;

static size_t round_up(size_t count)
{
    return (count + 7) / 8 * 8; // a cache line
}

static ff_data *no_memory(const ff_model *m, ff_error *err)
{
    ff_error_set(err, FF_NO_MEMORY, "no memory for the computations of a model with %d bodies", m->nnode);
    return NULL;
}

ff_data *ff_data_create(const ff_model *m, ff_error *err)
{
    if (!m) return ff_error_missing(err, __func__, "model"), NULL;
    ff_data *d = calloc(1, sizeof *d);
    if (!d) return no_memory(m, err);
    size_t nq = (size_t)m->nq, nv = (size_t)m->nv, nnode = (size_t)m->nnode, ntree = (size_t)m->ntree;
    double *poses, *mocap;
    const piece pieces[] = {
        {&d->q, nq},
        {&d->v, nv},
        {&d->tau, nv},
        {&d->wrench, 6 * nnode},
        {&d->applied, 6 * nnode},
        {&mocap, (size_t)m->nmocap * (sizeof(ff_pose) / sizeof(double))},
        {&poses, nnode * (sizeof(ff_pose) / sizeof(double))},
        {&d->tree_origin, 3 * ntree},
        {&d->S, 6 * nv},
        {&d->velocity, 6 * nnode},
        {&d->drift, 6 * nnode},
        {&d->M, (size_t)m->nM},
        {&d->LD, (size_t)m->nM},
        {&d->qacc, nv},
        {&d->passive, nv},
        {&d->tendon_length, (size_t)m->ntendon},
        {&d->tendon_speed, (size_t)m->ntendon},
        {&d->tendon_lever, (size_t)m->ntendon_dof},
        {&d->scratch, ff_scratch_size(m)},
        {&d->articulated, ff_articulated_size(m)},
    };
    const size_t npiece = sizeof pieces / sizeof pieces[0];
    size_t total = 8;
    for (size_t i = 0; i < npiece; i++) total += round_up(pieces[i].count);
    d->memory_size = total * sizeof(double);
    d->memory = aligned_alloc(64, d->memory_size);
    if (!d->memory) {
        free(d);
        return no_memory(m, err);
    }
    memset(d->memory, 0, d->memory_size);
    double *at = d->memory;
    for (size_t i = 0; i < npiece; i++) {
        *pieces[i].target = at;
        at += round_up(pieces[i].count);
    }
    d->pose = (ff_pose *)poses;
    d->mocap = (ff_pose *)mocap;
    ff_data_reset(m, d);
    return d;
}

void ff_data_destroy(ff_data *d)
{
    if (!d) return;
    free(d->memory);
    free(d);
}

void ff_data_reset(const ff_model *m, ff_data *d)
{
    d->time = 0;
    memcpy(d->q, m->q0, (size_t)m->nq * sizeof *d->q);
    memset(d->v, 0, (size_t)m->nv * sizeof *d->v);
    memset(d->tau, 0, (size_t)m->nv * sizeof *d->tau);
    for (int i = 0; i < m->nmocap; i++) d->mocap[i] = (ff_pose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    ff_dyn_clear_forces(m, d);
}
