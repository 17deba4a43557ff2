// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel of FF_LANES lanes, for the files lanes_1.c to lanes_8.c, each compiled for the instructions it needs.
#include "batch/kernel.h"
#include "batch/step.h"

/// Carves the scratch of a block, or only measures it where `memory` is NULL.
static size_t carve(const ff_batch_model *m, place *at, unsigned char *memory)
{
    const size_t depth = (size_t)m->depth, nv = (size_t)m->nv, one = sizeof(real);
    size_t used = 0;
#define TAKE(field, count, size)                                                                                       \
    do {                                                                                                               \
        at->field = memory ? (void *)(memory + used) : NULL;                                                           \
        used += ((count) * (size) + FF_BATCH_ALIGNMENT - 1) / FF_BATCH_ALIGNMENT * FF_BATCH_ALIGNMENT;                 \
    } while (0)
    TAKE(frames, depth, sizeof *at->frames);
    TAKE(lumps, depth, sizeof *at->lumps);
    TAKE(sums, depth, sizeof *at->sums);
    TAKE(out, 6 * depth, one);
    TAKE(records, nv, sizeof *at->records);
    TAKE(next, (size_t)m->nq + nv, one);
    TAKE(kept, FF_LANES > 1 ? (size_t)(m->point_rows + FF_KEPT_ROWS * m->nservo) : 0, one);
    TAKE(made, (size_t)1, sizeof *at->made);
    TAKE(path, depth, sizeof *at->path);
#undef TAKE
    return used;
}

static size_t scratch(const ff_batch_model *model)
{
    place at;
    return carve(model, &at, NULL);
}

static void run(const ff_batch_model *model, const ff_batch_rules *rules, double *x, const double *in, void *memory,
                int steps)
{
    place at;
    carve(model, &at, memory);
    at.model = model;
    at.rules = rules;
    at.x = (real *)x;
    at.in = (const real *)in;
    for (int i = 0; i < steps; i++) block_step(&at, i);
}

#define KERNEL_(lanes) ff_batch_kernel_##lanes
#define KERNEL(lanes)  KERNEL_(lanes)
const ff_batch_kernel KERNEL(FF_LANES) = {.lanes = FF_LANES, .scratch = scratch, .run = run};
