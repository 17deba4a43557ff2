// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel of a step that is written out for one model (specialise.c), a crew of threads a robot. What the crew
// shares lies in shared memory, and so does what a thread stores for later; where two groups of threads on a
// multiprocessor would not find room for that, a crew has one member, and it lies where everything else of a thread
// does.
#include "batch/limbs.h"

extern "C" __global__ void __launch_bounds__(THREADS, GROUPS)
    make_steps(const ff_batch_rules rules, real *x, const real *in, int robots, int steps)
{
    const int crews = 32 / CREW, warp = (int)(threadIdx.x / 32), column = warp * crews + (int)threadIdx.x % crews;
    const int robot = (int)blockIdx.x * (THREADS / CREW) + column;
    if (robot >= robots) return;
    const size_t block = (size_t)robot / FF_BATCH_DEVICE_LANES, lane = (size_t)robot % FF_BATCH_DEVICE_LANES;
    record records[RECORDS];
    opened trunk[OPENED];
#if NEAR_PITCH > 0
    extern __shared__ __align__(16) real shared[]; // aligned for four numbers at once
    real *near = shared + column * NEAR_PITCH;
#else
    real near[NEAR_ROWS];
#endif
#if CREW > 1
    real *frames = near + NEAR_ROWS * NEAR_STRIDE;
#else
    real frames[STATION_ROWS];
#endif
    outcome made;
    ff_batch_model model;
    known_model(&model);
    place at;
    at.model = &model;
    at.rules = &rules;
    at.x = x + block * (size_t)model.nrow * FF_BATCH_DEVICE_LANES + lane;
    at.in = in + block * (size_t)model.ninput * FF_BATCH_DEVICE_LANES + lane;
    at.records = records;
    at.opened = trunk;
    at.near = near;
    at.station_frames = frames;
#if OWN_STRIDE > 0
    at.own = shared + OWN_FROM + threadIdx.x;
#endif
    at.next = &NEXT(near, NEXT_ROW);
    at.made = &made;
    LOOP for (int i = 0; i < steps; i++)
    {
        __syncthreads(); // warps that are at the same place share what the cache of instructions has
        block_step(&at, i);
    }
}
